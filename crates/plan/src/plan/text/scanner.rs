//! Scanner: a text goes in; its lines with their indentation and words come out, or the first thing
//! in it that is no word.

use std::fmt;

/// What a text cannot have, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    pub what: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.what)
    }
}

impl std::error::Error for ParseError {}

/// Deeper blocks are refused, as blocks are read by recursion.
const MAX_DEPTH: usize = 200;
/// Blanks of one step of indentation.
const INDENT: usize = 2;

/// A line that says something.
#[derive(Clone, Debug)]
pub struct Line<'t> {
    /// Counted from 1.
    pub number: usize,
    /// Steps of indentation.
    pub depth: usize,
    pub words: Vec<&'t str>,
    /// Of each word, and of the end of the last.
    columns: Vec<usize>,
}

impl Line<'_> {
    /// What a text cannot have, at a word of this line or behind the last.
    pub fn error(&self, word: usize, what: impl Into<String>) -> ParseError {
        let column = self.columns.get(word).or(self.columns.last()).copied().unwrap_or(1);
        ParseError { line: self.number, column, what: what.into() }
    }

    /// The word at a place is not what can stand there.
    pub fn unexpected(&self, word: usize) -> ParseError {
        match self.words.get(word) {
            Some(found) => self.error(word, format!("`{found}` cannot stand here")),
            None => self.error(word, "the line ends too soon"),
        }
    }
}

/// The lines of a text but those that are empty or comments. `#` before a word begins a comment.
///
/// # Errors
/// A tab, an uneven indentation, one that is too deep, or a quote that does not end.
pub fn scan(text: &str) -> Result<Vec<Line<'_>>, ParseError> {
    let mut lines = Vec::new();
    for (at, text) in text.lines().enumerate() {
        let number = at + 1;
        let error = |column: usize, what: &str| ParseError { line: number, column, what: String::from(what) };
        if let Some(tab) = text.chars().position(|c| c == '\t') {
            return Err(error(tab + 1, "a tab; blanks part words"));
        }
        let indent = text.len() - text.trim_start_matches(' ').len();
        let mut line = Line { number, depth: indent / INDENT, words: Vec::new(), columns: Vec::new() };
        let (mut begin, mut quoted, mut escaped) = (None, false, false);
        let mut column = 0;
        for (byte, c) in text.char_indices().chain([(text.len(), ' ')]) {
            column += 1;
            match c {
                _ if quoted && escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => {
                    quoted = !quoted;
                    begin = begin.or(Some((byte, column)));
                }
                ' ' if quoted && byte == text.len() => return Err(error(column, "a quote that does not end")),
                ' ' if !quoted => {
                    if let Some((first, place)) = begin.take() {
                        line.words.push(&text[first..byte]);
                        line.columns.push(place);
                    }
                }
                '#' if begin.is_none() => break,
                _ => begin = begin.or(Some((byte, column))),
            }
        }
        if line.words.is_empty() {
            continue;
        }
        line.columns.push(column);
        match line.depth {
            _ if indent % INDENT != 0 => return Err(error(indent + 1, "an uneven number of blanks before a line")),
            MAX_DEPTH.. => return Err(error(indent + 1, "a block within too many others")),
            _ => lines.push(line),
        }
    }
    Ok(lines)
}
