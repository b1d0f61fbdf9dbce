//! Expression evaluation: expressions of numbers, truths, players, lists and of any type go in;
//! their values in the present position come out.

use crate::board::{AxisSet, Cell, CellSet, DirSet, Fold, PlayerSet};
use crate::model::{BandAxis, Call, Cells, Coordinate, Expr, List, MAX_NESTED, Number, Players, Slot, StateId, Truth};
use crate::position::{Fault, FaultKind, Value, calculate};
use crate::source::Span;

use crate::reference::Machine;

/// Stack that must be left before a define is entered, and what is added if it is not.
const RED_ZONE: usize = 1 << 20;
const MORE_STACK: usize = 4 << 20;

impl<'g> Machine<'g, '_> {
    pub fn local(&self, slot: Slot) -> &Value {
        &self.run.locals[self.run.context.base + slot.0 as usize]
    }

    /// Gives a slot of the present frame a value that no choice restores: `it` and the locals of
    /// defines.
    pub fn bind_loose(&mut self, slot: Slot, value: Value) {
        let at = self.run.context.base + slot.0 as usize;
        self.run.locals[at] = value;
    }

    /// Evaluates arguments, then something in a frame of its own that begins with them.
    pub fn call<T>(
        &mut self,
        call: &'g Call,
        body: impl FnOnce(&mut Self, &'g Expr) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let game = self.game;
        let index = call.define.0 as usize;
        let define = &game.defines[index];
        self.work(1)?;
        let too_deep = self.depths[index] as usize > game.topology.len() || self.nested + define.nest > MAX_NESTED;
        if too_deep {
            return Err(Fault::new(FaultKind::Depth, call.span));
        }
        // Straight to where the frame will be: what evaluating one opens above is gone when its
        // value is there.
        let start = self.run.locals.len();
        for argument in &call.arguments {
            let argument = self.value(argument)?;
            self.run.locals.push(argument);
        }
        self.run.locals.resize(start + define.frame.max(define.parameters), Value::Truth(false));
        let base = std::mem::replace(&mut self.run.context.base, start);
        self.depths[index] += 1;
        self.nested += define.nest;
        let result = stacker::maybe_grow(RED_ZONE, MORE_STACK, || body(self, &define.body));
        self.depths[index] -= 1;
        self.nested -= define.nest;
        self.run.context.base = base;
        self.run.locals.truncate(start);
        result.map_err(|fault| match fault.kind {
            // It names the statement, in which the call stands.
            FaultKind::Work => fault,
            _ => fault.called_at(Some(call.span)),
        })
    }

    pub fn value(&mut self, expr: &'g Expr) -> Result<Value, Fault> {
        Ok(match expr {
            Expr::Number(number) => Value::Number(self.number(number)?),
            Expr::Truth(truth) => Value::Truth(self.truth(truth)?),
            Expr::Cells(cells) => Value::Cells(self.cells(cells)?),
            Expr::Groups(groups) => Value::Groups(self.groups(groups)?),
            Expr::Dirs(dirs) => Value::Dirs(self.dirs(dirs)?),
            Expr::Axes(axes) => Value::Axes(self.axes(axes)?),
            Expr::Players(players) => Value::Players(self.players(players)?),
            Expr::List(list) => Value::List(self.list(list)?),
        })
    }

    pub fn number(&mut self, number: &'g Number) -> Result<i64, Fault> {
        match number {
            Number::Fixed(value) => Ok(*value),
            Number::Local(slot) => Ok(number_of(self.local(*slot))),
            Number::State(state, of) => self.state_number(*state, of.as_ref()),
            Number::Call(call) => self.call(call, |machine, body| machine.value(body).map(|value| number_of(&value))),
            Number::If(choice) => {
                let branch = if self.truth(&choice.condition)? { &choice.then } else { &choice.otherwise };
                self.number(branch)
            }
            Number::Arithmetic(operation, operands, span) => {
                let (a, b) = (self.number(&operands.0)?, self.number(&operands.1)?);
                calculate(*operation, a, b).map_err(|kind| Fault::new(kind, *span))
            }
            Number::Count(set) => Ok(self.count(set)? as i64),
            Number::Coordinate(coordinate, cells, span) => self.coordinate(*coordinate, cells, *span),
            Number::Height(cells) => {
                let cells = self.cells(cells)?;
                Ok(cells.iter().map(|cell| self.position.height(cell) as i64).sum())
            }
            Number::Value(cells) => {
                let cells = self.cells(cells)?;
                let of_kind = |(at, kind): (usize, &crate::model::KindInfo)| {
                    let men = cells & *self.position.kind(crate::board::Kind(at as u8));
                    kind.value * men.len() as i64
                };
                Ok(self.game.kinds.iter().enumerate().map(of_kind).sum())
            }
            Number::Hand(players) => {
                let players = self.players(players)?;
                Ok(players.iter().map(|player| self.in_hand(player)).sum())
            }
            Number::TimesPieces => Ok((self.position.times_pieces() + usize::from(!self.run.context.ended)) as i64),
            Number::TimesPosition => self.at_end_of_turn(|machine| Ok(machine.position.times_position() as i64)),
            Number::Cycle => self.at_end_of_turn(|machine| Ok(machine.position.cycle() as i64)),
        }
    }

    fn in_hand(&self, player: crate::board::Player) -> i64 {
        let kinds = 0..self.game.kinds.len() as u8;
        kinds.map(|kind| i64::from(self.position.hand(player, crate::board::Kind(kind)))).sum()
    }

    /// Whose copies of a remembered value are meant.
    fn copies(&mut self, of: Option<&'g Players>) -> Result<PlayerSet, Fault> {
        match of {
            Some(players) => self.players(players),
            None => Ok(PlayerSet::one(self.run.context.own)),
        }
    }

    fn state_number(&mut self, state: StateId, of: Option<&'g Players>) -> Result<i64, Fault> {
        let mut sum = 0i64;
        for player in self.copies(of)?.iter() {
            let copy = number_of(self.position.value(state, player));
            let span = self.game.states[state.0 as usize].span;
            sum = sum.checked_add(copy).ok_or(Fault::new(FaultKind::Overflow, span))?;
        }
        Ok(sum)
    }

    fn state_truth(&mut self, state: StateId, of: Option<&'g Players>) -> Result<bool, Fault> {
        Ok(self.copies(of)?.iter().any(|player| truth_of(self.position.value(state, player))))
    }

    pub fn state_cells(&mut self, state: StateId, of: Option<&'g Players>) -> Result<CellSet, Fault> {
        let mut union = CellSet::EMPTY;
        for player in self.copies(of)?.iter() {
            union |= cells_of(self.position.value(state, player));
        }
        Ok(union)
    }

    pub fn count(&mut self, set: &'g Expr) -> Result<usize, Fault> {
        Ok(match set {
            Expr::Cells(cells) => self.cells(cells)?.len(),
            Expr::Groups(groups) => self.groups(groups)?.len(),
            Expr::Dirs(dirs) => self.dirs(dirs)?.len(),
            Expr::Axes(axes) => self.axes(axes)?.len(),
            Expr::Players(players) => self.players(players)?.len(),
            Expr::List(list) => self.list(list)?.len(),
            Expr::Number(_) | Expr::Truth(_) => 1,
        })
    }

    fn coordinate(&mut self, coordinate: Coordinate, cells: &'g Cells, span: Span) -> Result<i64, Fault> {
        let cells = self.cells(cells)?;
        let cell = cells.single().ok_or(Fault::new(FaultKind::NotOneCell(cells.len()), span))?;
        Ok(self.band_number(coordinate.fold(), cell))
    }

    /// The file, rank or row of a cell; 0 where rows have no meaning.
    pub fn band_number(&self, axis: BandAxis, cell: Cell) -> i64 {
        match axis {
            Fold::File => i64::from(self.game.topology.file(cell)),
            Fold::Rank => i64::from(self.game.topology.rank(cell)),
            Fold::Row => self.forward().map_or(0, |forward| self.game.topology.row(cell, forward)),
        }
    }

    pub fn truth(&mut self, truth: &'g Truth) -> Result<bool, Fault> {
        match truth {
            Truth::Fixed(value) => Ok(*value),
            Truth::Local(slot) => Ok(truth_of(self.local(*slot))),
            Truth::State(state, of) => self.state_truth(*state, of.as_ref()),
            Truth::Call(call) => self.call(call, |machine, body| machine.value(body).map(|value| truth_of(&value))),
            Truth::If(choice) => {
                let branch = if self.truth(&choice.condition)? { &choice.then } else { &choice.otherwise };
                self.truth(branch)
            }
            Truth::Not(inner) => Ok(!self.truth(inner)?),
            Truth::And(all) => self.first_that_is(all, false).map(|found| !found),
            Truth::Or(any) => self.first_that_is(any, true),
            Truth::Compare(comparison, sides) => {
                let (a, b) = (self.number(&sides.0)?, self.number(&sides.1)?);
                Ok(comparison.holds(a.cmp(&b)))
            }
            Truth::CompareLists(comparison, sides) => {
                let (a, b) = (self.list(&sides.0)?, self.list(&sides.1)?);
                Ok(comparison.holds(compare_lists(&a, &b)))
            }
            Truth::Equal(sides) => Ok(self.value(&sides.0)? == self.value(&sides.1)?),
            Truth::Within(sides) => self.within(&sides.0, &sides.1),
            Truth::Some(set) => self.has_some(set),
            Truth::Changed => Ok(self.position.pieces_hash() != self.run.context.began),
            Truth::Stuck(players) => {
                let players = self.players(players)?;
                self.at_end_of_turn(|machine| machine.all_stuck(players))
            }
            Truth::Attacked(cells) => {
                let cells = self.cells(cells)?;
                self.attacked(&cells)
            }
        }
    }

    fn first_that_is(&mut self, truths: &'g [Truth], wanted: bool) -> Result<bool, Fault> {
        for truth in truths {
            if self.truth(truth)? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn within(&mut self, a: &'g Expr, b: &'g Expr) -> Result<bool, Fault> {
        Ok(match (self.value(a)?, self.value(b)?) {
            (Value::Cells(a), Value::Cells(b)) => !a.is_empty() && a.is_within(&b),
            (Value::Dirs(a), Value::Dirs(b)) => !a.is_empty() && a.is_within(&b),
            (Value::Axes(a), Value::Axes(b)) => !a.is_empty() && a.is_within(&b),
            (Value::Players(a), Value::Players(b)) => !a.is_empty() && a.is_within(&b),
            _ => false,
        })
    }

    fn has_some(&mut self, set: &'g Expr) -> Result<bool, Fault> {
        Ok(match set {
            Expr::Cells(cells) => !self.cells(cells)?.is_empty(),
            other => self.count(other)? > 0,
        })
    }

    pub fn players(&mut self, players: &'g Players) -> Result<PlayerSet, Fault> {
        let own = self.run.context.own;
        match players {
            Players::Fixed(set) => Ok(*set),
            Players::Own => Ok(PlayerSet::one(own)),
            Players::Enemy => Ok(self.game.enemies(own)),
            Players::Ally => Ok(self.game.allies(own)),
            Players::Local(slot) => Ok(players_of(self.local(*slot))),
            Players::Call(call) => self.call(call, |machine, body| machine.value(body).map(|value| players_of(&value))),
            Players::If(choice) => {
                let branch = if self.truth(&choice.condition)? { &choice.then } else { &choice.otherwise };
                self.players(branch)
            }
        }
    }

    pub fn list(&mut self, list: &'g List) -> Result<Vec<i64>, Fault> {
        match list {
            List::Sizes(groups) => {
                let mut sizes: Vec<i64> = self.groups(groups)?.iter().map(|group| group.len() as i64).collect();
                sizes.sort_unstable_by(|a, b| b.cmp(a));
                Ok(sizes)
            }
            List::One(number) => Ok(vec![self.number(number)?]),
            List::Local(slot) => Ok(list_of(self.local(*slot))),
            List::Call(call) => self.call(call, |machine, body| machine.value(body).map(|value| list_of(&value))),
            List::If(choice) => {
                let branch = if self.truth(&choice.condition)? { &choice.then } else { &choice.otherwise };
                self.list(branch)
            }
        }
    }
}

/// Item by item; a missing item is 0.
pub fn compare_lists(a: &[i64], b: &[i64]) -> std::cmp::Ordering {
    let item = |list: &[i64], i: usize| list.get(i).copied().unwrap_or(0);
    let orders = (0..a.len().max(b.len())).map(|i| item(a, i).cmp(&item(b, i)));
    orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
}

// The checker has seen to the types; where it says that players serve as cells, the model says so
// with a node.

fn number_of(value: &Value) -> i64 {
    if let Value::Number(number) = value { *number } else { 0 }
}

fn truth_of(value: &Value) -> bool {
    matches!(value, Value::Truth(true))
}

pub fn cells_of(value: &Value) -> CellSet {
    if let Value::Cells(cells) = value { *cells } else { CellSet::EMPTY }
}

pub fn groups_of(value: &Value) -> Vec<CellSet> {
    if let Value::Groups(groups) = value { groups.clone() } else { Vec::new() }
}

pub fn dirs_of(value: &Value) -> DirSet {
    if let Value::Dirs(dirs) = value { *dirs } else { DirSet::EMPTY }
}

pub fn axes_of(value: &Value) -> AxisSet {
    if let Value::Axes(axes) = value { *axes } else { AxisSet::EMPTY }
}

fn players_of(value: &Value) -> PlayerSet {
    if let Value::Players(players) = value { *players } else { PlayerSet::EMPTY }
}

fn list_of(value: &Value) -> Vec<i64> {
    if let Value::List(list) = value { list.clone() } else { Vec::new() }
}
