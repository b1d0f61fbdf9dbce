//! Weights: a text goes in; how much each feature of a game is worth comes out, and the other way.
//!
//! A weight is what one more of a feature adds to the logarithm of the odds to win. It may change as the board fills, as in a
//! tapered evaluation: then it is given for several phases, and interpolated linearly between two of them.

use std::fmt::Write;

/// Sections of a text, and weights of a section, at most.
const MOST: usize = 5000;
/// Phases at most.
const MOST_PHASES: i64 = 16;

/// The weights of a game, and how many cells its board had.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The title of the game or variant.
    pub game: String,
    pub cells: usize,
    /// How many weights a feature has: the first counts on an empty board, the last on a full one.
    pub phases: usize,
    /// By the feature's name: its weight in each phase.
    pub values: Vec<(String, Vec<f64>)>,
}

impl Weights {
    /// No weights, of a game.
    pub fn of(game: &str) -> Weights {
        Weights { game: game.to_string(), cells: 0, phases: 1, values: Vec::new() }
    }

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
                sections.push(Weights::of(title.trim()));
                continue;
            }
            let wrong = |what: &str| format!("line {number}: {what}");
            let Some(section) = sections.last_mut() else {
                return Err(wrong("a section begins with the title of its game in brackets, `[Title]`"));
            };
            let is_count = ["cells", "phases"].iter().any(|word| line.split_whitespace().next() == Some(word));
            let phases = if is_count { 1 } else { section.phases };
            let (mut name, mut values) = (line, Vec::new());
            while values.len() < phases {
                let (rest, value) = name.rsplit_once(char::is_whitespace).unwrap_or((name, ""));
                let number = value.parse().ok().filter(|value: &f64| value.is_finite());
                values.push(number.ok_or_else(|| wrong(&line_of(phases)))?);
                name = rest.trim();
            }
            values.reverse();
            match (name, values.first()) {
                ("cells", Some(&cells)) => section.cells = cells as usize,
                ("phases", Some(&phases)) => {
                    let is_possible = section.values.is_empty() && (1.0..=MOST_PHASES as f64).contains(&phases);
                    if !is_possible {
                        return Err(wrong(&format!("phases are 1 to {MOST_PHASES}, and are told before the weights")));
                    }
                    section.phases = phases as usize;
                }
                _ if section.values.iter().any(|(known, _)| known == name) => {
                    return Err(wrong(&format!("`{name}` has a weight already")));
                }
                _ => section.values.push((name.to_string(), values)),
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
        if self.phases > 1 {
            let _ = writeln!(text, "{:<width$} {}", "phases", self.phases);
        }
        for (name, values) in &self.values {
            let values: Vec<String> = values.iter().map(|value| format!("{value:.4}")).collect();
            let _ = writeln!(text, "{name:<width$} {}", values.join(" "));
        }
        text
    }

    /// The weight of a feature in a phase, from 0. `None`: there is none.
    pub fn value(&self, name: &str, phase: usize) -> Option<f64> {
        self.values.iter().find(|(known, _)| known == name).and_then(|(_, values)| values.get(phase).copied())
    }
}

/// What a line of so many phases is.
fn line_of(phases: usize) -> String {
    match phases {
        1 => String::from("a line is the name of a feature and a number, such as `material man 0.5`"),
        _ => format!("a line is the name of a feature and {phases} numbers, one for each phase"),
    }
}

/// Where a position with so many of its cells filled lies between phases: the one before it, and how far it is from there to
/// the next, from 0 to 1.
pub fn phase(filled: usize, cells: usize, phases: usize) -> (usize, f32) {
    let place = filled.min(cells) as f32 / cells.max(1) as f32 * phases.saturating_sub(1) as f32;
    (place as usize, place.fract())
}
