//! Grammar of Lusoria: the grammar files go in; what comes out is the parser that pest makes of them, and the
//! few questions about words that only the grammar can answer.
//!
//! It is a package of its own because it is built apart: it changes seldom, and runs slowly where it is not optimised.

use pest::Parser as _;
use pest::iterators::{Pair, Pairs};
use pest_derive::Parser;

#[derive(Parser)]
#[grammar = "lexical.pest"]
#[grammar = "declarations.pest"]
#[grammar = "statements.pest"]
#[grammar = "patterns.pest"]
#[grammar = "expressions.pest"]
struct Grammar;

/// What a rule matched, with what its parts matched.
pub type Node<'i> = Pair<'i, Rule>;
/// Nodes in the order of the text.
pub type Nodes<'i> = Pairs<'i, Rule>;

/// Where pest got stuck: the byte and the rules that it tried there.
pub struct Stuck {
    /// Bytes before the place.
    pub at: usize,
    /// What would have been right there.
    pub tried: Vec<Rule>,
}

/// Parses a text, or as much of it as the rule matches.
///
/// # Errors
/// Where the rule does not match.
pub fn parse(rule: Rule, text: &str) -> Result<Nodes<'_>, Stuck> {
    Grammar::parse(rule, text).map_err(|error| {
        let at = match error.location {
            pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
        };
        let tried = match error.variant {
            pest::error::ErrorVariant::ParsingError { positives, .. } => positives,
            pest::error::ErrorVariant::CustomError { .. } => Vec::new(),
        };
        Stuck { at, tried }
    })
}

/// A word of the language, which cannot be a name.
pub fn is_reserved(word: &str) -> bool {
    Grammar::parse(Rule::one_reserved, word).is_ok()
}

/// The name of a cell of a board with files and ranks, as `e4`.
pub fn is_cell(word: &str) -> bool {
    Grammar::parse(Rule::one_cell, word).is_ok()
}

/// What can be a name.
pub fn is_name(word: &str) -> bool {
    Grammar::parse(Rule::one_name, word).is_ok()
}
