//! Counts of a coverage: how often rules were used goes in; the same as data that can be read again, and be added up, comes out.

use serde::{Deserialize, Serialize};

use crate::game::{Coverage, CoveredFile};

/// A coverage as data that can be read again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Counts(Coverage);

/// What a file holds of a coverage: for users it is written without the texts, which they have.
#[derive(Serialize, Deserialize)]
struct Stored {
    coverage: Coverage,
    /// Of each file: its text, and where each of its rules begins and ends there.
    texts: Vec<(String, Vec<(u32, u32)>)>,
}

impl From<Counts> for Stored {
    fn from(Counts(coverage): Counts) -> Stored {
        let text = |file: &CoveredFile| (file.text.clone(), file.rules.iter().map(|rule| rule.bytes).collect());
        Stored { texts: coverage.files.iter().map(text).collect(), coverage }
    }
}

impl From<Stored> for Counts {
    fn from(Stored { mut coverage, texts }: Stored) -> Counts {
        for (file, (text, places)) in coverage.files.iter_mut().zip(texts) {
            file.text = text;
            file.rules.iter_mut().zip(places).for_each(|(rule, bytes)| rule.bytes = bytes);
        }
        Counts(coverage)
    }
}

impl Counts {
    pub fn of(coverage: &Coverage) -> Counts {
        Counts(coverage.clone())
    }

    pub fn coverage(&self) -> Coverage {
        self.0.clone()
    }

    /// Random games that are counted.
    pub fn games(&self) -> u64 {
        self.0.games
    }

    /// Takes in what further games of the same rules have shown.
    pub fn include(&mut self, more: Coverage) {
        if self.0.played.is_empty() {
            self.0.played.clone_from(&more.played);
        }
        self.0.include(more);
    }
}
