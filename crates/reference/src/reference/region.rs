//! Region evaluation: a set of cells that pictures mark and a player go in; the cells that he sees come out.

use crate::board::{CellSet, Player};
use crate::model::{Game, Region};
use crate::position::{Position, Value};

use crate::reference::Executor;
use crate::reference::run::{Context, Words};

impl Executor {
    /// The cells of a region as a player sees them; none where the expression comes to a fault.
    pub fn region(&mut self, game: &Game, position: &mut Position, region: &Region, own: Player) -> CellSet {
        let mut machine = self.machine(game, position);
        machine.run.words = Words::default();
        machine.run.context = Context { own, ..Context::default() };
        machine.run.locals.clear();
        machine.run.locals.resize(region.frame, Value::Truth(false));
        machine.cells(&region.cells).unwrap_or(CellSet::EMPTY)
    }
}
