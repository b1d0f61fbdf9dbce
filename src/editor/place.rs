//! Places: bytes of a text go in; lines and UTF-16 columns, as editors count, come out, and back.

use serde::{Deserialize, Serialize};

use crate::source::Span;

/// A place in a text, from 0; the column counts UTF-16 code units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    pub line: u32,
    pub character: u32,
}

/// A stretch of a text, its end exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Range {
    pub start: Position,
    pub end: Position,
}

/// A text whose lines are known.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    /// The byte where each line begins.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Lines<'t> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    /// The place of a byte; one within a character is that of the character.
    pub fn position(&self, at: usize) -> Position {
        let at = boundary(self.text, at);
        let line = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
        let before = self.text.get(self.starts[line]..at).unwrap_or("");
        let character = before.chars().map(|c| c.len_utf16() as u32).sum();
        Position { line: line as u32, character }
    }

    /// The byte of a place; one behind the end of its line is that end.
    pub fn offset(&self, position: Position) -> usize {
        let Some(start) = self.starts.get(position.line as usize) else { return self.text.len() };
        let rest = self.text.get(*start..).unwrap_or("");
        let line = match rest.split_once('\n') {
            Some((line, _)) => line.strip_suffix('\r').unwrap_or(line),
            None => rest,
        };
        let mut units = 0;
        for (at, c) in line.char_indices() {
            units += c.len_utf16() as u32;
            if units > position.character {
                return start + at;
            }
        }
        start + line.len()
    }

    pub fn range(&self, start: usize, end: usize) -> Range {
        Range { start: self.position(start), end: self.position(end) }
    }

    pub fn range_of(&self, span: Span) -> Range {
        self.range(span.start as usize, span.end as usize)
    }

    pub fn whole(&self) -> Range {
        self.range(0, self.text.len())
    }
}

/// The last boundary of characters that is not behind this byte.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf_16() {
        let text = "a\u{1f600}b\r\nc\u{e9}";
        let lines = Lines::new(text);
        assert_eq!(lines.position(5), Position { line: 0, character: 3 });
        assert_eq!(lines.offset(Position { line: 0, character: 3 }), 5);
        assert_eq!(lines.offset(Position { line: 0, character: 2 }), 1, "within a pair");
        assert_eq!(lines.offset(Position { line: 0, character: 99 }), 6);
        assert_eq!(lines.offset(Position { line: 1, character: 2 }), text.len());
        assert_eq!(lines.offset(Position { line: 7, character: 0 }), text.len());
        assert_eq!(lines.position(3), Position { line: 0, character: 1 }, "within a character");
        assert_eq!(lines.whole().end, Position { line: 1, character: 2 });
    }
}
