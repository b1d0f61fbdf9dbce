//! Alias evaluation: the sets of cells that the `notation` section names go in; the cells that they are in a position
//! come out.

use crate::board::CellSet;
use crate::model::{Alias, AliasText, Cells, Game};
use crate::position::{Fault, Position, Value};

use crate::reference::run::{Context, Words};
use crate::reference::{Executor, Machine};

impl Executor {
    /// The aliases of a game as the player to move finds them at the beginning of a turn. One that
    /// comes to a fault is left out.
    pub fn aliases(&mut self, game: &Game, position: &mut Position) -> Vec<Alias<CellSet>> {
        let own = position.to_move();
        let mut machine = self.machine(game, position);
        machine.run.words = Words::default();
        machine.run.context = Context { own, ..Context::default() };
        game.aliases.iter().filter_map(|alias| machine.alias(alias).ok()).collect()
    }
}

impl<'g> Machine<'g, '_> {
    fn alias(&mut self, alias: &'g Alias<Cells>) -> Result<Alias<CellSet>, Fault> {
        self.run.locals.clear();
        self.run.locals.resize(alias.frame, Value::Truth(false));
        let text = match &alias.text {
            AliasText::Fixed(text) => AliasText::Fixed(text.clone()),
            AliasText::Cells(sets) => AliasText::Cells(self.each_cells(sets)?),
        };
        Ok(Alias { text, cells: self.each_cells(&alias.cells)?, frame: alias.frame })
    }

    fn each_cells(&mut self, sets: &'g [Cells]) -> Result<Vec<CellSet>, Fault> {
        sets.iter().map(|set| self.cells(set)).collect()
    }
}
