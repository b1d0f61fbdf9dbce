//! Set evaluation: expressions of cells, groups, directions and axes go in; their members in the
//! present position come out.

use crate::board::{AxisSet, Cell, CellSet, Dir, DirSet, Fold};
use crate::model::{Axes, BandAxis, Cells, Dirs, Groups, If, Number, Where};
use crate::position::{Fault, FaultKind, Value};
use crate::source::Span;

use crate::reference::Machine;
use crate::reference::value::{axes_of, cells_of, dirs_of, groups_of};

impl<'g> Machine<'g, '_> {
    /// The player's forward, if he has one.
    pub fn forward(&self) -> Option<Dir> {
        self.game.player(self.run.context.own).forward
    }

    pub fn cells(&mut self, cells: &'g Cells) -> Result<CellSet, Fault> {
        match cells {
            Cells::Fixed(set) => Ok(*set),
            Cells::Local(slot) => Ok(cells_of(self.local(*slot))),
            Cells::State(state, of) => self.state_cells(*state, of.as_ref()),
            Cells::Call(call) => self.call(call, |machine, body| machine.value(body).map(|value| cells_of(&value))),
            Cells::If(choice) => {
                let branch = self.branch(choice)?;
                self.cells(branch)
            }
            Cells::Not(inner) => Ok(self.game.topology.any() - self.cells(inner)?),
            Cells::And(all) => self.intersection(all),
            Cells::Or(any) => self.union(any),
            Cells::Where(filter) => self.cells_where(filter),
            Cells::Of(players) => {
                let players = self.players(players)?;
                Ok(players.iter().fold(CellSet::EMPTY, |all, player| all | *self.position.of(player)))
            }
            Cells::Kind(kind) => Ok(*self.position.kind(*kind)),
            Cells::Neutral => Ok(*self.position.neutral()),
            Cells::Empty => Ok(self.game.topology.any() - *self.position.occupied()),
            Cells::Occupied => Ok(*self.position.occupied()),
            Cells::Band { axis, from, to } => self.band(*axis, from, to),
            Cells::LastRow => Ok(self.last_row()),
            Cells::Last => Ok(self.run.words.last),
            Cells::Origin => Ok(self.run.words.origin),
            Cells::Passed => Ok(self.run.words.passed),
            Cells::Caught => Ok(self.run.words.caught),
            Cells::Here => Ok(self.run.context.here.map_or(CellSet::EMPTY, CellSet::one)),
            _ => self.cells_of_the_board(cells),
        }
    }

    /// Expressions that ask how cells lie to each other, or patterns.
    fn cells_of_the_board(&mut self, cells: &'g Cells) -> Result<CellSet, Fault> {
        match cells {
            Cells::Union(groups) => Ok(self.groups(groups)?.into_iter().fold(CellSet::EMPTY, |all, group| all | group)),
            Cells::Adjacent(of, dirs) => {
                let (of, dirs) = (self.cells(of)?, self.dirs(dirs)?);
                Ok(self.game.topology.shift(&of, &dirs) - of)
            }
            Cells::Shift(of, dirs) => {
                let (of, dirs) = (self.cells(of)?, self.dirs(dirs)?);
                Ok(self.game.topology.shift(&of, &dirs))
            }
            Cells::Group { of, within, dirs } => {
                let (of, within, dirs) = (self.cells(of)?, self.cells(within)?, self.dirs(dirs)?);
                Ok(self.game.topology.flood(&(of & within), &within, &dirs))
            }
            Cells::Span(ends, span) => self.span(&ends.0, &ends.1, *span),
            Cells::Nth(of, number) => {
                let (of, number) = (self.cells(of)?, self.number(number)?);
                let index = number.checked_sub(1).and_then(|n| usize::try_from(n).ok());
                Ok(index.and_then(|index| of.iter().nth(index)).map_or(CellSet::EMPTY, CellSet::one))
            }
            Cells::Bottom(inner) => self.bottom(inner),
            Cells::Catches(of, line) => {
                let of = self.cells(of)?;
                self.catches(&of, line)
            }
            Cells::Reach(of, line) => {
                let of = self.cells(of)?;
                self.reach(&of, line)
            }
            Cells::CatchesOf(of) => {
                let of = self.cells(of)?;
                self.catches_of_men(&of)
            }
            Cells::ReachOf(of) => {
                let of = self.cells(of)?;
                self.reach_of_men(&of)
            }
            _ => self.cells(cells),
        }
    }

    /// `cell` lies in the set: without building the set, where its parts can be asked one by one.
    pub fn holds(&mut self, cells: &'g Cells, cell: Cell) -> Result<bool, Fault> {
        match cells {
            Cells::Fixed(set) => Ok(set.contains(cell)),
            Cells::Local(slot) => Ok(matches!(self.local(*slot), Value::Cells(set) if set.contains(cell))),
            Cells::Call(call) => self.call(call, |machine, body| match body {
                crate::model::Expr::Cells(body) => machine.holds(body, cell),
                other => Ok(cells_of(&machine.value(other)?).contains(cell)),
            }),
            Cells::If(choice) => {
                let branch = self.branch(choice)?;
                self.holds(branch, cell)
            }
            Cells::Not(inner) => Ok(!self.holds(inner, cell)?),
            Cells::And(all) => self.first_that_holds(all, cell, false).map(|found| !found),
            Cells::Or(any) => self.first_that_holds(any, cell, true),
            Cells::Where(filter) => {
                Ok(self.holds(&filter.set, cell)? && self.condition_of(filter, Value::Cells(CellSet::one(cell)))?)
            }
            Cells::Of(players) => {
                let players = self.players(players)?;
                Ok(players.iter().any(|player| self.position.of(player).contains(cell)))
            }
            Cells::Kind(kind) => Ok(self.position.kind(*kind).contains(cell)),
            Cells::Neutral => Ok(self.position.neutral().contains(cell)),
            Cells::Empty => Ok(!self.position.occupied().contains(cell)),
            Cells::Occupied => Ok(self.position.occupied().contains(cell)),
            Cells::Band { axis, from, to } => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                Ok((from..=to).contains(&self.band_number(*axis, cell)) && self.has_bands(*axis))
            }
            Cells::LastRow => Ok(self.last_row().contains(cell)),
            Cells::Here => Ok(self.run.context.here == Some(cell)),
            other => Ok(self.cells(other)?.contains(cell)),
        }
    }

    fn first_that_holds(&mut self, sets: &'g [Cells], cell: Cell, wanted: bool) -> Result<bool, Fault> {
        for set in sets {
            if self.holds(set, cell)? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn branch<T>(&mut self, choice: &'g If<T>) -> Result<&'g T, Fault> {
        Ok(if self.truth(&choice.condition)? { &choice.then } else { &choice.otherwise })
    }

    fn intersection(&mut self, all: &'g [Cells]) -> Result<CellSet, Fault> {
        let mut members = self.game.topology.any();
        for set in all {
            members &= self.cells(set)?;
            if members.is_empty() {
                break;
            }
        }
        Ok(members)
    }

    fn union(&mut self, any: &'g [Cells]) -> Result<CellSet, Fault> {
        let mut members = CellSet::EMPTY;
        for set in any {
            members |= self.cells(set)?;
        }
        Ok(members)
    }

    /// Whether the condition of a `where` holds for a member.
    pub fn condition_of<T>(&mut self, filter: &'g Where<T>, it: Value) -> Result<bool, Fault> {
        self.work(1)?;
        self.bind_loose(filter.it, it);
        self.truth(&filter.condition)
    }

    fn cells_where(&mut self, filter: &'g Where<Cells>) -> Result<CellSet, Fault> {
        let mut members = self.cells(&filter.set)?;
        for cell in members.iter() {
            if !self.condition_of(filter, Value::Cells(CellSet::one(cell)))? {
                members.remove(cell);
            }
        }
        Ok(members)
    }

    fn has_bands(&self, axis: BandAxis) -> bool {
        axis != Fold::Row || self.forward().is_some_and(|forward| self.game.topology.last_row(forward) > 0)
    }

    fn band(&mut self, axis: BandAxis, from: &'g Number, to: &'g Number) -> Result<CellSet, Fault> {
        let (from, to) = (self.number(from)?, self.number(to)?);
        let topology = &self.game.topology;
        Ok(match axis {
            Fold::File => topology.file_band(from, to),
            Fold::Rank => topology.rank_band(from, to),
            Fold::Row => self.forward().map_or(CellSet::EMPTY, |forward| topology.row_band(forward, from, to)),
        })
    }

    fn last_row(&self) -> CellSet {
        let Some(forward) = self.forward() else { return CellSet::EMPTY };
        let last = self.game.topology.last_row(forward);
        self.game.topology.row_band(forward, last, last)
    }

    fn span(&mut self, a: &'g Cells, b: &'g Cells, span: Span) -> Result<CellSet, Fault> {
        let (a, b) = (self.cells(a)?, self.cells(b)?);
        if let Some(several) = [a.len(), b.len()].into_iter().find(|&n| n > 1) {
            return Err(Fault::new(FaultKind::NotOneCell(several), span));
        }
        let (Some(a), Some(b)) = (a.min(), b.min()) else { return Ok(CellSet::EMPTY) };
        Ok(self.game.topology.span(a, b).unwrap_or(CellSet::EMPTY))
    }

    fn bottom(&mut self, inner: &'g Cells) -> Result<CellSet, Fault> {
        let view = self.position.look_at_bottoms();
        let cells = self.cells(inner);
        self.position.look_again(view);
        cells
    }

    pub fn groups(&mut self, groups: &'g Groups) -> Result<Vec<CellSet>, Fault> {
        match groups {
            Groups::Empty => Ok(Vec::new()),
            Groups::Local(slot) => Ok(groups_of(self.local(*slot))),
            Groups::Call(call) => self.call(call, |machine, body| machine.value(body).map(|value| groups_of(&value))),
            Groups::If(choice) => {
                let branch = self.branch(choice)?;
                self.groups(branch)
            }
            Groups::Where(filter) => {
                let mut members = Vec::new();
                for group in self.groups(&filter.set)? {
                    if self.condition_of(filter, Value::Cells(group))? {
                        members.push(group);
                    }
                }
                Ok(members)
            }
            Groups::Groups(of, dirs) => {
                let (of, dirs) = (self.cells(of)?, self.dirs(dirs)?);
                Ok(self.game.topology.groups(&of, &dirs))
            }
            Groups::Segments { of, dirs, from, to } => {
                let (of, dirs, from) = (self.cells(of)?, self.dirs(dirs)?, self.number(from)?);
                let to = to.as_ref().map_or(Ok(i64::MAX), |to| self.number(to))?;
                Ok(self.game.topology.segments(&of, &dirs, from, to))
            }
            Groups::Largest(of) => {
                let mut members = self.groups(of)?;
                let greatest = members.iter().map(|group| group.len()).max();
                members.retain(|group| Some(group.len()) == greatest);
                Ok(members)
            }
        }
    }

    pub fn dirs(&mut self, dirs: &'g Dirs) -> Result<DirSet, Fault> {
        let topology = &self.game.topology;
        let relative = |machine: &Self, f: fn(&crate::board::Topology, Dir) -> DirSet| {
            machine.forward().map_or(DirSet::EMPTY, |forward| f(topology, forward))
        };
        match dirs {
            Dirs::Fixed(set) => Ok(*set),
            Dirs::Forward => Ok(relative(self, |_, forward| DirSet::one(forward))),
            Dirs::Backward => Ok(relative(self, |topology, forward| DirSet::one(topology.opposite(forward)))),
            Dirs::Ahead => Ok(relative(self, |topology, forward| topology.ahead(forward))),
            Dirs::Behind => Ok(relative(self, |topology, forward| topology.behind(forward))),
            Dirs::Sideways => Ok(relative(self, |topology, forward| topology.sideways(forward))),
            Dirs::Outward => Ok(self.run.context.walking.map_or(DirSet::EMPTY, |dir| topology.outward(dir))),
            Dirs::Heading => Ok(self.run.context.walking.map_or(self.run.words.heading, DirSet::one)),
            Dirs::Local(slot) => Ok(dirs_of(self.local(*slot))),
            Dirs::Call(call) => self.call(call, |machine, body| machine.value(body).map(|value| dirs_of(&value))),
            Dirs::If(choice) => {
                let branch = self.branch(choice)?;
                self.dirs(branch)
            }
            Dirs::Not(inner) => Ok(topology.straight() - self.dirs(inner)?),
            Dirs::And(all) => {
                let mut members = self.dirs(all.first().unwrap_or(&Dirs::Fixed(DirSet::EMPTY)))?;
                for set in all.iter().skip(1) {
                    members &= self.dirs(set)?;
                }
                Ok(members)
            }
            Dirs::Or(any) => {
                let mut members = DirSet::EMPTY;
                for set in any {
                    members |= self.dirs(set)?;
                }
                Ok(members)
            }
            Dirs::Where(filter) => {
                let mut members = self.dirs(&filter.set)?;
                for dir in members.iter() {
                    if !self.condition_of(filter, Value::Dirs(DirSet::one(dir)))? {
                        members.remove(dir);
                    }
                }
                Ok(members)
            }
            Dirs::Opposite(inner) => Ok(topology.opposites(&self.dirs(inner)?)),
            Dirs::Turned(turned) => {
                let (dirs, by) = (self.dirs(&turned.0)?, self.number(&turned.1)?);
                Ok(self.game.topology.clockwise(&dirs, by))
            }
            Dirs::OfAxes(axes) => Ok(self.axes(axes)?.iter().flat_map(|axis| topology.directions_of(axis)).collect()),
        }
    }

    pub fn axes(&mut self, axes: &'g Axes) -> Result<AxisSet, Fault> {
        match axes {
            Axes::Fixed(set) => Ok(*set),
            Axes::Local(slot) => Ok(axes_of(self.local(*slot))),
            Axes::Call(call) => self.call(call, |machine, body| machine.value(body).map(|value| axes_of(&value))),
            Axes::If(choice) => {
                let branch = self.branch(choice)?;
                self.axes(branch)
            }
            Axes::Not(inner) => Ok(self.game.topology.axes() - self.axes(inner)?),
            Axes::And(all) => {
                let mut members = self.game.topology.axes();
                for set in all {
                    members &= self.axes(set)?;
                }
                Ok(members)
            }
            Axes::Or(any) => {
                let mut members = AxisSet::EMPTY;
                for set in any {
                    members |= self.axes(set)?;
                }
                Ok(members)
            }
            Axes::Where(filter) => {
                let mut members = self.axes(&filter.set)?;
                for axis in members.iter() {
                    if !self.condition_of(filter, Value::Axes(AxisSet::one(axis)))? {
                        members.remove(axis);
                    }
                }
                Ok(members)
            }
        }
    }
}
