//! Weights: a text goes in; how much each feature of a game is worth comes out, and the other way.
//!
//! A worth is what one more of a feature adds to the logarithm of the odds to win.

use std::fmt::Write;

/// Sections of a text, and weights of a section, at most.
const MOST: usize = 5000;

/// The weights of a game, and how many cells its board had.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The title of the game or variant.
    pub game: String,
    pub cells: usize,
    /// By the feature's name.
    pub values: Vec<(String, f64)>,
}

impl Weights {
    /// The weights of all games of a text.
    ///
    /// # Errors
    /// What is wrong, with the number of the line.
    pub fn parse(text: &str) -> Result<Vec<Weights>, String> {
        let mut sections: Vec<Weights> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(title) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                sections.push(Weights { game: title.trim().to_string(), cells: 0, values: Vec::new() });
                continue;
            }
            let wrong = |what: &str| format!("line {number}: {what}");
            let Some(section) = sections.last_mut() else {
                return Err(wrong("a section begins with the title of its game in brackets, `[Title]`"));
            };
            let (name, value) = line.rsplit_once(char::is_whitespace).unwrap_or((line, ""));
            let name = name.trim();
            let value: f64 = value
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite())
                .ok_or_else(|| wrong("a line is the name of a feature and a number, such as `material man 0.5`"))?;
            if name == "cells" {
                section.cells = value as usize;
            } else if section.values.iter().any(|(known, _)| known == name) {
                return Err(wrong(&format!("`{name}` has a weight already")));
            } else {
                section.values.push((name.to_string(), value));
            }
            if section.values.len() > MOST || sections.len() > MOST {
                return Err(wrong(&format!("more than {MOST} weights or sections")));
            }
        }
        Ok(sections)
    }

    /// Its section, as [`Weights::parse`] reads it.
    pub fn text(&self) -> String {
        let mut text = format!("[{}]\n", self.game);
        let width = self.values.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(10);
        let _ = writeln!(text, "{:<width$} {}", "cells", self.cells);
        for (name, value) in &self.values {
            let _ = writeln!(text, "{name:<width$} {value:.4}");
        }
        text
    }

    pub fn value(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}
