//! Pattern queries: patterns go in without being played; what they catch and reach comes out, by
//! the program's lines and by the descriptions of kinds.

use crate::board::{Cell, CellSet, Player};
use crate::model::{Line, Way};
use crate::position::{Fault, Man, NO_KIND, Value};

use crate::reference::Machine;

impl<'g> Machine<'g, '_> {
    /// Runs over the matches added by `find`, then drops them.
    fn sum_matches(
        &mut self,
        find: impl FnOnce(&mut Self) -> Result<(), Fault>,
        of: impl Fn(&crate::reference::run::Match) -> CellSet,
    ) -> Result<CellSet, Fault> {
        let extent = self.run.extent();
        find(self)?;
        let sum = self.run.matches[extent.matches..].iter().fold(CellSet::EMPTY, |all, found| all | of(found));
        self.run.cut_back(extent);
        Ok(sum)
    }

    pub fn catches(&mut self, of: &CellSet, line: &'g Line) -> Result<CellSet, Fault> {
        let mut caught = CellSet::EMPTY;
        for cell in of.iter() {
            caught |= self.sum_matches(|machine| machine.find_matches(line, cell, None), |found| found.caught)?;
        }
        Ok(caught)
    }

    pub fn reach(&mut self, of: &CellSet, line: &'g Line) -> Result<CellSet, Fault> {
        let mut reached = CellSet::EMPTY;
        for cell in of.iter() {
            reached |= self.sum_matches(|machine| machine.find_matches(line, cell, None), landing_of)?;
        }
        Ok(reached)
    }

    pub fn catches_of_men(&mut self, of: &CellSet) -> Result<CellSet, Fault> {
        let mut caught = CellSet::EMPTY;
        for cell in of.iter() {
            caught |= self.sum_matches(|machine| machine.find_ways(cell), |found| found.caught)?;
        }
        Ok(caught)
    }

    pub fn reach_of_men(&mut self, of: &CellSet) -> Result<CellSet, Fault> {
        let mut reached = CellSet::EMPTY;
        for cell in of.iter() {
            reached |= self.sum_matches(|machine| machine.find_ways(cell), landing_of)?;
        }
        Ok(reached)
    }

    /// Adds the matches of all ways of the man on top of a cell, for his owner (a neutral man's:
    /// for the player of the turn).
    pub fn find_ways(&mut self, cell: Cell) -> Result<(), Fault> {
        let Some(man) = self.position.top(cell).filter(|man| man.kind != NO_KIND) else { return Ok(()) };
        self.in_description(man, cell, |machine, way| machine.find_matches(&way.line, cell, None).map(|()| true))
    }

    /// Goes through the ways of a man whose conditions hold, in his description's frame, while
    /// `visit` says so.
    pub fn in_description(
        &mut self,
        man: Man,
        cell: Cell,
        mut visit: impl FnMut(&mut Self, &'g Way) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let kind = self.game.kind(man.kind);
        let outer = self.run.context;
        let start = self.run.locals.len();
        self.run.locals.resize(start + kind.frame, Value::Truth(false));
        self.run.context.own = man.owner.unwrap_or(outer.own);
        self.run.context.base = start;
        self.run.context.here = Some(cell);
        self.run.context.walking = None;
        for way in &kind.ways {
            if self.conditions_hold(way)? && !visit(self, way)? {
                break;
            }
        }
        self.run.context = outer;
        self.run.locals.truncate(start);
        Ok(())
    }

    pub fn conditions_hold(&mut self, way: &'g Way) -> Result<bool, Fault> {
        for (condition, wanted) in &way.conditions {
            if self.truth(condition)? != *wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Some cell of the set is attacked, each looked at by itself.
    pub fn attacked(&mut self, cells: &CellSet) -> Result<bool, Fault> {
        for cell in cells.iter() {
            if self.attacked_cell(cell)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn attacked_cell(&mut self, cell: Cell) -> Result<bool, Fault> {
        if let Some(man) = self.position.top(cell) {
            return man.owner.map_or(Ok(false), |owner| self.attacked_man(cell, owner));
        }
        if self.position.occupied().contains(cell) {
            return Ok(false);
        }
        let own = self.run.context.own;
        self.position.imagine(cell, own, true);
        let attacked = self.attacked_man(cell, own);
        self.position.imagine(cell, own, false);
        attacked
    }

    fn attacked_man(&mut self, cell: Cell, owner: Player) -> Result<bool, Fault> {
        for enemy in self.game.enemies(owner).iter() {
            for attacker in self.position.of(enemy).iter() {
                let Some(man) = self.position.top(attacker) else { continue };
                if self.man_catches(man, attacker, cell)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    pub fn man_catches(&mut self, man: Man, at: Cell, cell: Cell) -> Result<bool, Fault> {
        let kind = self.game.kind(man.kind);
        if !kind.ways.iter().any(|way| catching(&way.line)) {
            return Ok(false);
        }
        let extent = self.run.extent();
        let mut caught = false;
        self.in_description(man, at, |machine, way| {
            if catching(&way.line) {
                machine.find_matches(&way.line, at, Some(cell))?;
                caught = machine.run.matches.len() > extent.matches;
            }
            Ok(!caught)
        })?;
        self.run.cut_back(extent);
        Ok(caught)
    }
}

fn catching(line: &Line) -> bool {
    line.paths.iter().any(|path| path.catches)
}

fn landing_of(found: &crate::reference::run::Match) -> CellSet {
    found.landing.map_or(CellSet::EMPTY, CellSet::one)
}
