//! Hints: a stretch of a text goes in; what its `as usual` stand for comes out, to be shown behind them.

use serde::Serialize;

use crate::editor::hover::Markup;
use crate::editor::{Document, FILE, Position, Range};
use crate::source::Source;

/// Longer texts are cut, in characters.
const MOST: usize = 48;

/// Text that an editor shows within a line, in the protocol's form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hint {
    pub position: Position,
    pub label: String,
    pub padding_left: bool,
    pub tooltip: Markup,
}

impl Document {
    pub fn hints(&self, range: Range) -> Vec<Hint> {
        let lines = self.lines();
        let usuals = self.now.index.usuals.iter().filter(|usual| usual.span.source == FILE);
        let hints = usuals.map(|usual| {
            let text = self.now.slice(usual.stands_for);
            let body = text.find('{').map_or(text, |at| &text[at + 1..]);
            let body = body.strip_suffix('}').unwrap_or(body);
            let words: Vec<&str> =
                body.lines().flat_map(|line| line.split('#').next().unwrap_or("").split_whitespace()).collect();
            let words = words.join(" ");
            let short: String = words.chars().take(MOST).collect();
            let more = if short.len() < words.len() { " ..." } else { "" };
            let from = self.now.sources().get(usual.stands_for.source).map_or("", Source::name);
            let from = if usual.stands_for.source == FILE { String::new() } else { format!("From `{from}`\n") };
            Hint {
                position: lines.position(usual.span.end as usize),
                label: format!("= {short}{more}"),
                padding_left: true,
                tooltip: format!("{}{from}", self.now.code(usual.stands_for)).into(),
            }
        });
        hints.filter(|hint| range.start <= hint.position && hint.position <= range.end).collect()
    }
}
