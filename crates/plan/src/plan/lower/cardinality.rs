//! Cardinality of names: what names are given goes in; which names stand for one cell at most, or for exactly one,
//! wherever they are read, comes out.
//!
//! The analysis is optimistic: each name is taken to stand for one cell until it is given something else. Lowering begins anew
//! then, so names that go round in a loop are found too, such as one that walks along a track.

use rustc_hash::FxHashSet as HashSet;

use crate::model::Slot;
use crate::plan::tuning::MAX_RESTARTS_FOR_NAMES;

/// How many cells a value has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    One,
    AtMostOne,
    Any,
}

/// What names are not: of several places that give a name a value, one is enough.
#[derive(Clone, Debug, Default)]
pub struct NameCardinalities {
    /// Names that may stand for several cells.
    several: HashSet<Slot>,
    /// Names that may stand for no cell.
    none: HashSet<Slot>,
    /// Something was found that was not known when lowering began.
    grown: bool,
    restarts: usize,
}

impl NameCardinalities {
    /// What is lowered now is given up: names stand for more, or for less, than was taken.
    pub fn has_grown(&self) -> bool {
        self.grown
    }

    /// Lowering has to begin anew. After some times no name is taken to stand for one cell.
    pub fn begins_anew(&mut self) -> bool {
        self.restarts += usize::from(self.grown);
        std::mem::take(&mut self.grown)
    }

    pub fn is_single(&self, slot: Slot) -> bool {
        self.restarts < MAX_RESTARTS_FOR_NAMES && !self.several.contains(&slot)
    }

    pub fn is_exact(&self, slot: Slot) -> bool {
        self.is_single(slot) && !self.none.contains(&slot)
    }

    /// A name is given a value of so many cells.
    pub fn record(&mut self, slot: Slot, cardinality: Cardinality) {
        if self.restarts < MAX_RESTARTS_FOR_NAMES {
            self.grown |= match cardinality {
                Cardinality::One => false,
                Cardinality::AtMostOne => self.none.insert(slot),
                Cardinality::Any => self.several.insert(slot),
            };
        }
    }
}
