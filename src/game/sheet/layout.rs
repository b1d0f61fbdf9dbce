//! Layout of rule sheets: lines go in; plain text and Markdown come out.

use std::fmt;

use serde::Serialize;

/// The rules of a game in plain English. It prints itself as plain text, [`RuleSheet::markdown`] is
/// the other form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleSheet {
    /// The game or variant.
    pub title: String,
    pub parts: Vec<SheetPart>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SheetPart {
    pub heading: String,
    pub lines: Vec<SheetLine>,
}

/// A piece of a rule sheet. Words of the game that the sheet explains stand between asterisks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum SheetLine {
    Paragraph {
        text: String,
    },
    /// A step or an alternative: those of a higher level stand within the one before them.
    Item {
        level: usize,
        /// `1.`, `(a)` or `-`.
        mark: String,
        text: String,
    },
    /// A drawing, to be set in letters of one width.
    Picture {
        text: String,
    },
}

/// Characters in a line of plain text.
const WIDTH: usize = 88;
/// Blanks before each level.
const STEP: usize = 3;

pub fn paragraph(text: impl Into<String>) -> SheetLine {
    SheetLine::Paragraph { text: text.into() }
}

pub fn item(level: usize, mark: impl Into<String>, text: impl Into<String>) -> SheetLine {
    SheetLine::Item { level, mark: mark.into(), text: text.into() }
}

impl RuleSheet {
    /// The sheet as Markdown, with the title as its first heading.
    pub fn markdown(&self) -> String {
        let mut out = format!("# {}\n", self.title);
        for part in &self.parts {
            out += &format!("\n## {}\n", part.heading);
            let mut in_list = false;
            for line in &part.lines {
                let is_item = matches!(line, SheetLine::Item { .. });
                if !is_item || !in_list {
                    out += "\n";
                }
                in_list = is_item;
                out += &match line {
                    SheetLine::Paragraph { text } => format!("{}\n", escaped(text)),
                    SheetLine::Item { level, mark, text } => {
                        let indent = " ".repeat(STEP * level);
                        let text = escaped(text);
                        match mark.as_str() {
                            "" => format!("\n{indent}{text}\n"),
                            "-" => format!("{indent}- {text}\n"),
                            mark if mark.ends_with('.') => format!("{indent}{mark} {text}\n"),
                            mark => format!("{indent}- {mark} {text}\n"),
                        }
                    }
                    SheetLine::Picture { text } => format!("```text\n{text}```\n"),
                };
            }
        }
        out
    }
}

/// Without what Markdown would read as its own; the asterisks of words stay.
fn escaped(text: &str) -> String {
    text.replace('<', "&lt;").replace('_', "\\_").replace('#', "\\#")
}

impl fmt::Display for RuleSheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = self.title.to_uppercase();
        writeln!(f, "{title}\n{}", "=".repeat(title.chars().count()))?;
        for part in &self.parts {
            writeln!(f, "\n{}\n{}", part.heading, "-".repeat(part.heading.chars().count()))?;
            let mut in_list = false;
            for line in &part.lines {
                let is_item = matches!(line, SheetLine::Item { .. });
                if !is_item || !in_list {
                    writeln!(f)?;
                }
                in_list = is_item;
                match line {
                    SheetLine::Paragraph { text } => f.write_str(&wrapped("", &quoted(text), 0))?,
                    SheetLine::Item { level, mark, text } => f.write_str(&wrapped(mark, &quoted(text), *level))?,
                    SheetLine::Picture { text } => {
                        for row in text.lines() {
                            writeln!(f, "{}", format!("    {row}").trim_end())?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Words between asterisks stand between quotes in plain text.
fn quoted(text: &str) -> String {
    text.replace('*', "\"")
}

/// A text behind a mark, its lines below each other; each level stands farther in.
fn wrapped(mark: &str, text: &str, level: usize) -> String {
    let head = if mark.is_empty() { String::new() } else { format!("{mark} ") };
    let indent = " ".repeat(STEP * level);
    let below = format!("{indent}{}", " ".repeat(head.chars().count()));
    let mut out = format!("{indent}{head}");
    let mut at = out.chars().count();
    let mut is_first = true;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if !is_first && at + 1 + length > WIDTH {
            out += "\n";
            out += &below;
            at = below.chars().count();
            is_first = true;
        }
        if !is_first {
            out.push(' ');
            at += 1;
        }
        out += word;
        at += length;
        is_first = false;
    }
    out + "\n"
}
