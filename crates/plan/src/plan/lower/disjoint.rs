//! Disjointness facts: sets go in; whether men can stand there, whose and of which kinds, comes
//! out.

use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Facts};

impl<'g> Lowering<'g> {
    pub fn facts(&self, cells: Cells) -> Facts {
        match cells {
            Cells::In(reg) => self.known.facts().get(&reg).copied().unwrap_or(Facts::NONE),
            Cells::Fixed(_) => Facts::NONE,
        }
    }

    pub fn apart(&self, a: Cells, b: Cells) -> bool {
        if let (Cells::Fixed(a), Cells::Fixed(b)) = (a, b) {
            return self.are_apart(a, b);
        }
        self.facts(a).apart(self.facts(b))
    }

    pub fn record_facts(&mut self, cells: Cells, facts: Facts) -> Cells {
        if let Cells::In(reg) = cells {
            self.known.facts_mut().insert(reg, facts);
        }
        cells
    }
}
