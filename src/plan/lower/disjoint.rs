//! Disjointness facts: sets go in; whether men can stand there, whose and of which kinds, comes
//! out.

use crate::plan::lower::{Cells, Lowering};

/// What is known of the cells of a set, whatever the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// All are empty.
    pub empty: bool,
    /// All have a man.
    pub occupied: bool,
    /// Whose men can stand there, where men stand.
    pub players: u8,
    /// Of which kinds men there can be.
    pub kinds: u64,
}

impl Facts {
    pub const NONE: Facts = Facts { empty: false, occupied: false, players: u8::MAX, kinds: u64::MAX };

    pub fn and(self, other: Facts) -> Facts {
        Facts {
            empty: self.empty || other.empty,
            occupied: self.occupied || other.occupied,
            players: self.players & other.players,
            kinds: self.kinds & other.kinds,
        }
    }

    pub fn or(self, other: Facts) -> Facts {
        Facts {
            empty: self.empty && other.empty,
            occupied: self.occupied && other.occupied,
            players: self.players | other.players,
            kinds: self.kinds | other.kinds,
        }
    }

    /// No cell can be in both.
    pub fn apart(self, other: Facts) -> bool {
        self.empty && other.occupied
            || self.occupied && other.empty
            || (self.occupied || other.occupied) && (self.players & other.players == 0 || self.kinds & other.kinds == 0)
    }
}

impl<'g> Lowering<'g> {
    pub(crate) fn facts(&self, cells: Cells) -> Facts {
        match cells {
            Cells::In(reg) => self.facts.get(&reg).copied().unwrap_or(Facts::NONE),
            Cells::Fixed(_) => Facts::NONE,
        }
    }

    pub(crate) fn apart(&self, a: Cells, b: Cells) -> bool {
        if let (Cells::Fixed(a), Cells::Fixed(b)) = (a, b) {
            return self.are_apart(a, b);
        }
        self.facts(a).apart(self.facts(b))
    }

    pub(crate) fn note(&mut self, cells: Cells, facts: Facts) -> Cells {
        if let Cells::In(reg) = cells {
            self.facts.insert(reg, facts);
        }
        cells
    }
}
