//! Texts that could not be read whole go in; which mistakes of meaning follow from that alone comes out, so that one
//! mistake of syntax is not told again as things that seem to be missing.

use std::collections::HashSet;

use super::error::Kind;

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
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
            if declared {
                // `piece King` is told once; later `king` is meant.
                self.names.insert(word.to_string());
                self.names.insert(word.to_ascii_lowercase());
            }
            declared = DECLARING.contains(&word);
        }
    }

    /// The mistake may be none once the text can be read.
    pub fn explains(&self, kind: &Kind) -> bool {
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
                _ => false,
            }
    }
}
