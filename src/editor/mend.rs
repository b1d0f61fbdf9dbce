//! Mends: mistakes whose help says what to write go in; the edits that write it come out.

mod meaning;
mod syntax;

use serde::Serialize;

use crate::check::Mistake;
use crate::editor::index::Index;
use crate::editor::names::Edit;
use crate::editor::{Diagnostic, Document, FILE, Range};
use crate::report::Notice;
use crate::source::Span;
use crate::syntax::{Token, tokens};

/// A change that an editor offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    pub title: String,
    /// What it mends.
    pub diagnostic: Diagnostic,
    pub edits: Vec<Edit>,
    /// It is surely what is meant.
    pub is_preferred: bool,
}

/// Edits of one text, in bytes, and what they are called.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mend {
    title: String,
    edits: Vec<(Span, String)>,
    is_sure: bool,
}

impl Mend {
    /// New text in the place of old.
    fn write(span: Span, new: impl Into<String>) -> Mend {
        let new = new.into();
        Mend { title: format!("write `{new}`"), edits: vec![(span, new)], is_sure: true }
    }

    fn insert(at: u32, new: impl Into<String>) -> Mend {
        Mend::write(Span { source: FILE, start: at, end: at }, new)
    }

    fn leave_out(span: Span, text: &str) -> Mend {
        let short = text.lines().next().unwrap_or("").trim();
        Mend { title: format!("leave out `{short}`"), edits: vec![(span, String::new())], is_sure: false }
    }

    fn titled(self, title: impl Into<String>) -> Mend {
        Mend { title: title.into(), ..self }
    }

    fn unsure(self) -> Mend {
        Mend { is_sure: false, ..self }
    }
}

/// The text around a mistake.
struct Around<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    index: &'t Index,
}

impl<'t> Around<'t> {
    fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The first word or mark that ends behind this byte.
    fn token_at(&self, byte: u32) -> usize {
        self.tokens.partition_point(|token| token.end() <= byte as usize)
    }

    fn token(&self, at: usize) -> Option<&Token<'t>> {
        self.tokens.get(at)
    }

    fn span(&self, token: &Token) -> Span {
        Span::new(FILE, token.start, token.end())
    }

    /// The word or mark before a byte.
    fn before(&self, byte: u32) -> Option<&Token<'t>> {
        self.tokens[..self.token_at(byte)].last()
    }

    /// A stretch and what remains empty of its line without it.
    fn with_line(&self, span: Span) -> Span {
        let (start, end) = (span.start as usize, span.end as usize);
        let line = self.text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let rest = self.text.get(end..).unwrap_or("");
        let behind = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let alone = self.text.get(line..start).is_some_and(|before| before.trim().is_empty());
        if alone && rest[behind..].starts_with('\n') {
            return Span::new(FILE, line, end + behind + 1);
        }
        Span::new(FILE, start, end + behind)
    }
}

impl Document {
    /// The changes that mend what is wrong in a stretch of the text.
    pub fn actions(&self, range: Range) -> Vec<Action> {
        let lines = self.lines();
        let around = Around { text: &self.text, tokens: tokens(&self.text), index: &self.now.index };
        let mut actions = Vec::new();
        for mistake in self.now.mistakes.iter().filter(|mistake| mistake.span().source == FILE) {
            let place = lines.range_of(mistake.span());
            if place.end < range.start || range.end < place.start {
                continue;
            }
            let mends = match mistake {
                Mistake::Syntax(error) => syntax::mends(error, &around),
                Mistake::Meaning(problem) => meaning::mends(problem, &around),
            };
            for mend in mends.into_iter().filter(|mend| mend.edits.iter().all(|(span, _)| span.source == FILE)) {
                let edits = mend.edits.into_iter();
                actions.push(Action {
                    title: mend.title,
                    diagnostic: self.diagnostic(&Notice::from(mistake)),
                    edits: edits.map(|(span, new_text)| Edit { range: lines.range_of(span), new_text }).collect(),
                    is_preferred: mend.is_sure,
                });
            }
        }
        actions
    }
}
