//! Cascading-error suppression: texts that could not be read whole go in; which mistakes of meaning
//! follow from that alone comes out, so that one mistake of syntax is not told again as missing
//! things.

use std::collections::HashSet;

use crate::check::error::Kind;
use crate::syntax::{is_cell, near};

/// What the texts declare, whether it could be read or not.
#[derive(Debug, Default)]
pub struct Lost {
    names: HashSet<String>,
    any: bool,
}

const DECLARING: [&str; 6] = ["param", "piece", "remember", "define", "pattern", "action"];

impl Lost {
    /// Adds a text with mistakes of syntax.
    pub fn add(&mut self, text: &str) {
        self.any = true;
        let mut declared = false;
        for word in words(text) {
            if declared {
                // `piece King` is told once; later `king` is meant.
                self.names.insert(word.to_string());
                self.names.insert(word.to_ascii_lowercase());
            }
            // A misspelt keyword declares too.
            declared = DECLARING.contains(&word) || near(word, DECLARING).is_some();
        }
    }

    /// The mistake, told of a part of a text, may be none once the text can be read.
    pub fn explains(&self, kind: &Kind, part: &str) -> bool {
        // `define e1 = ...`: wherever `e1` stands, the name is meant and no cell.
        let cell_as_name = || words(part).any(|word| self.names.contains(word) && is_cell(word));
        self.any
            && match kind {
                Kind::UnknownName { name, .. } | Kind::NotAKind { name, .. } => self.names.contains(name),
                Kind::NoSection { .. }
                | Kind::NoWayToEnd
                | Kind::NoStuckOutcome
                | Kind::NoSuchVariant { .. }
                | Kind::NothingAsUsual
                | Kind::NoPromotedKind
                | Kind::UnknownGlyph { .. }
                | Kind::SameInitial { .. } => true,
                _ => cell_as_name(),
            }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
