//! Parser: text goes in; the tree as written comes out, with spans everywhere and no meaning. It is
//! the only module that imports pest.

mod ahead;
pub mod ast;
mod brackets;
mod build;
pub mod builtin;
mod depth;
mod diagnose;
mod error;
mod expected;
pub mod foreign;
mod near;
mod print;
mod recover;
mod scan;
#[cfg(test)]
mod tests;

pub use crate::syntax::ahead::{Ahead, ahead};
pub use crate::syntax::error::{Near, SyntaxError, SyntaxErrorKind};
pub use crate::syntax::near::near;
pub use crate::syntax::print::{print, print_expr};
pub use crate::syntax::scan::{Token, TokenKind};
pub use lusoria_grammar::{is_cell, is_name, is_reserved};

use std::collections::HashMap;

use lusoria_grammar::Rule;

use crate::sort;

use crate::source::{SourceId, Span};
use crate::syntax::build::Builder;

/// The most bytes that a text may have.
pub const TEXT_LIMIT: usize = 1 << 20;
/// The most words and marks that a text may have.
pub const TOKEN_LIMIT: usize = 50_000;
/// More mistakes of one kind than this are counted and not told.
pub const KIND_LIMIT: usize = 20;
/// For more mistakes than this no words that may be meant are looked for.
const SUGGESTION_LIMIT: usize = 100;
/// Room for the parser of a text that is nested as deep as it may be, in bytes.
const STACK: usize = 32 << 20;

/// The tree of a text, without the parts that cannot be read, and all mistakes that can be told
/// apart, in the order of the text. Without mistakes the tree is whole. Any text is answered: it
/// takes time linear in its length, times the depth of its brackets at worst.
pub fn parse(source: SourceId, text: &str) -> (crate::syntax::ast::File, Vec<SyntaxError>) {
    let (file, mut errors) = stacker::maybe_grow(STACK / 2, STACK, || parse_here(source, text));
    sort::by_key(&mut errors, |error| error.span.start);
    errors.dedup_by(|later, earlier| later.span == earlier.span);
    (file, limited(errors))
}

/// The first mistakes of each kind, the last of them with the number of the others.
fn limited(errors: Vec<SyntaxError>) -> Vec<SyntaxError> {
    let mut told: Vec<SyntaxError> = Vec::new();
    let mut kinds: HashMap<&str, (usize, usize)> = HashMap::new();
    for error in errors {
        let (count, last) = kinds.entry(error.kind.code()).or_default();
        if *count < KIND_LIMIT {
            (*count, *last) = (*count + 1, told.len());
            told.push(error);
        } else {
            told[*last].more += 1;
        }
    }
    told
}

/// The words and marks of a text, whatever is wrong with it.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    crate::syntax::scan::scan(SourceId::PRELUDE, text).tokens
}

/// A node of the grammar: its rule, where it stands, and how many nodes stand in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarNode {
    pub rule: String,
    pub range: std::ops::Range<usize>,
    pub parts: usize,
}

/// All nodes of a text that the grammar takes as a whole, those around others first.
pub fn nodes(text: &str) -> Option<Vec<GrammarNode>> {
    let scan = crate::syntax::scan::scan(SourceId::PRELUDE, text);
    let is_too_much = text.len() > TEXT_LIMIT || crate::syntax::depth::too_deep(&scan.tokens).is_some();
    if is_too_much || !scan.errors.is_empty() {
        return None;
    }
    let pairs = stacker::maybe_grow(STACK / 2, STACK, || lusoria_grammar::parse(Rule::file, text)).ok()?;
    let nodes = pairs.flatten().map(|node| {
        let range = node.as_span().start()..node.as_span().end();
        // The blanks before something optional that did not come are cut off.
        let last = scan.tokens.partition_point(|token| token.end() <= range.end);
        let end = last.checked_sub(1).and_then(|last| scan.tokens.get(last)).map_or(range.end, Token::end);
        let end = if end > range.start { end } else { range.end };
        let parts = node.clone().into_inner().count();
        GrammarNode { rule: format!("{:?}", node.as_rule()), range: range.start..end, parts }
    });
    Some(nodes.collect())
}

/// The text in the canonical layout: comments and pictures are kept, and to format it again changes
/// nothing.
///
/// # Errors
/// The mistakes of a text that cannot be read as a whole.
pub fn format(source: SourceId, text: &str) -> Result<String, Vec<SyntaxError>> {
    let (file, errors) = parse(source, text);
    if !errors.is_empty() {
        return Err(errors);
    }
    let formatted = stacker::maybe_grow(STACK / 2, STACK, || crate::syntax::print::format(text, &file));
    // A text that would not be kept is left as it is.
    Ok(formatted.unwrap_or_else(|| text.into()))
}

fn parse_here(source: SourceId, text: &str) -> (crate::syntax::ast::File, Vec<SyntaxError>) {
    let nothing = crate::syntax::ast::File { game: None, declarations: Vec::new() };
    if text.len() > TEXT_LIMIT {
        return (nothing, vec![error_at(SyntaxErrorKind::TextTooLarge, Span::new(source, 0, 0))]);
    }
    let scan = crate::syntax::scan::scan(source, text);
    if let Some(token) = scan.tokens.get(TOKEN_LIMIT) {
        let span = Span::new(source, token.start, token.end());
        return (nothing, vec![error_at(SyntaxErrorKind::TooManyWords, span)]);
    }
    if let Some(token) = crate::syntax::depth::too_deep(&scan.tokens) {
        let span = Span::new(source, token.start, token.end());
        return (nothing, vec![error_at(SyntaxErrorKind::NestedTooDeep, span)]);
    }
    if !scan.errors.is_empty() {
        return crate::syntax::recover::recover(source, text, scan, None);
    }
    match lusoria_grammar::parse(Rule::file, text) {
        Ok(nodes) => {
            let mut builder = Builder::new(source, &scan.tokens, 0);
            let file = builder.file(nodes);
            (file, builder.errors)
        }
        Err(stuck) => crate::syntax::recover::recover(source, text, scan, Some(stuck)),
    }
}

fn error_at(kind: SyntaxErrorKind, span: Span) -> SyntaxError {
    SyntaxError::new(kind, span, None)
}
