//! Grammar: the grammar files go in; what comes out is the parser that pest makes of them, and the
//! few questions about words that only the grammar can answer.

use pest::Parser as _;
use pest::iterators::{Pair, Pairs};
use pest_derive::Parser;

#[derive(Parser)]
#[grammar = "../grammar/lexical.pest"]
#[grammar = "../grammar/declarations.pest"]
#[grammar = "../grammar/statements.pest"]
#[grammar = "../grammar/patterns.pest"]
#[grammar = "../grammar/expressions.pest"]
struct Grammar;

pub type Node<'i> = Pair<'i, Rule>;

/// Where pest got stuck: the byte and the rules that it tried there.
pub struct Stuck {
    pub at: usize,
    pub tried: Vec<Rule>,
}

pub fn parse(rule: Rule, text: &str) -> Result<Pairs<'_, Rule>, Stuck> {
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

pub fn is_cell(word: &str) -> bool {
    Grammar::parse(Rule::one_cell, word).is_ok()
}

pub fn is_name(word: &str) -> bool {
    Grammar::parse(Rule::one_name, word).is_ok()
}
