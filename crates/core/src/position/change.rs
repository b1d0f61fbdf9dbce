//! Changes of a position: each goes in and leaves its opposite on the undo trail; undoing to a mark
//! plays the opposites back.

use crate::board::{Cell, CellSet, Kind, Player};
use crate::model::StateId;
use crate::position::hash::man_hash;
use crate::position::{Man, NO_KIND, Noted, Outcome, Position, Stack, Step, Value};

/// A moment that can be gone back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark(usize);

/// What was done; undoing does the opposite.
#[derive(Clone, Debug)]
pub enum Change {
    Put(Cell, usize),
    Took(Cell, usize, Man),
    Was(Cell, usize, Man),
    Caught,
    Left(Vec<(Cell, Stack)>),
    Hand(usize, u32),
    /// The old value is the last of `old_values`.
    Value(usize),
    Touched(usize, bool),
    Passed {
        to_move: Player,
        opening: u32,
        turns: u32,
        plies: u32,
        begun: Vec<Step>,
    },
    Stepped,
    Noted,
    Decided(Option<Outcome>),
}

/// The sets of a position as they were before it was looked at otherwise.
#[derive(Debug)]
pub struct View {
    of: Vec<CellSet>,
    kinds: Vec<CellSet>,
    neutral: CellSet,
    occupied: CellSet,
}

/// Men taken off the board for a moment, and the sets as they were.
#[derive(Debug)]
pub struct Lifted {
    view: View,
    stacks: Vec<(Cell, Stack)>,
}

impl Position {
    pub fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Takes back everything since the mark.
    pub fn undo_to(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            let Some(change) = self.trail.pop() else { return };
            self.undo(change);
        }
    }

    /// A copy of what stands here now, from which nothing that was played before can be taken back. A clone has
    /// the trail of all plies, which takes the longer the further the game has gone.
    pub fn without_trail(&self) -> Position {
        let Position { schema, men, of, kinds, waiting, hands, values, touched, begun, history, .. } = self;
        Position {
            schema: schema.clone(),
            men: men.clone(),
            of: of.clone(),
            kinds: kinds.clone(),
            waiting: waiting.clone(),
            hands: hands.clone(),
            values: values.clone(),
            touched: touched.clone(),
            begun: begun.clone(),
            history: history.clone(),
            trail: Vec::new(),
            old_values: Vec::new(),
            ..*self
        }
    }

    /// Drops the trail: marks made before are void.
    pub fn forget(&mut self) {
        self.trail.clear();
        self.old_values.clear();
    }

    fn undo(&mut self, change: Change) {
        match change {
            Change::Put(cell, level) => self.edit(cell, |men| {
                men.remove(level);
            }),
            Change::Took(cell, level, man) => self.edit(cell, |men| men.insert(level, man)),
            Change::Was(cell, level, man) => self.edit(cell, |men| men[level] = man),
            Change::Caught => self.undo_caught(),
            Change::Left(waiting) => {
                let cells = waiting.iter().map(|&(cell, _)| cell).collect();
                self.occupied |= cells;
                (self.waiting, self.waiting_cells) = (waiting, cells);
            }
            Change::Hand(index, count) => self.hands[index] = count,
            Change::Value(index) => {
                if let Some(old) = self.old_values.pop() {
                    self.values[index] = old;
                }
            }
            Change::Touched(index, was) => self.touched[index] = was,
            Change::Passed { to_move, opening, turns, plies, begun } => {
                (self.to_move, self.opening, self.turns, self.plies, self.begun) =
                    (to_move, opening, turns, plies, begun);
            }
            Change::Stepped => {
                self.begun.pop();
            }
            Change::Noted => {
                self.history.pop();
            }
            Change::Decided(outcome) => self.outcome = outcome,
        }
    }

    fn undo_caught(&mut self) {
        let Some((cell, stack)) = self.waiting.pop() else { return };
        if !self.waiting.iter().any(|(at, _)| *at == cell) {
            self.waiting_cells.remove(cell);
        }
        self.edit(cell, |men| *men = stack);
    }

    /// Takes a cell's men out of sets and hash, changes them and brings them in again.
    fn edit(&mut self, cell: Cell, change: impl FnOnce(&mut Stack)) {
        self.leave_sets(cell);
        change(&mut self.men[cell.index()]);
        self.enter_sets(cell);
    }

    fn leave_sets(&mut self, cell: Cell) {
        let stack = &self.men[cell.index()];
        if let Some(top) = stack.last() {
            match top.owner {
                Some(player) => self.of[player.index()].remove(cell),
                None => self.neutral.remove(cell),
            }
            self.kinds[top.kind.index()].remove(cell);
            self.occupied.remove(cell);
        }
        for (level, &man) in stack.iter().enumerate() {
            self.men_hash ^= man_hash(cell, level, man);
        }
    }

    fn enter_sets(&mut self, cell: Cell) {
        let stack = &self.men[cell.index()];
        if let Some(top) = stack.last() {
            match top.owner {
                Some(player) => self.of[player.index()].insert(cell),
                None => self.neutral.insert(cell),
            }
            self.kinds[top.kind.index()].insert(cell);
            self.occupied.insert(cell);
        } else if self.waiting_cells.contains(cell) {
            self.occupied.insert(cell);
        }
        for (level, &man) in stack.iter().enumerate() {
            self.men_hash ^= man_hash(cell, level, man);
        }
    }

    /// Puts a man on top of a cell. `false`, and nothing done: a man stands there and men may not
    /// stand on each other.
    pub fn put(&mut self, cell: Cell, man: Man) -> bool {
        self.put_at(cell, self.men[cell.index()].len(), man)
    }

    /// The same at a level, 0 the lowest; men from there on stand one higher.
    pub fn put_at(&mut self, cell: Cell, level: usize, man: Man) -> bool {
        if !self.schema.stacks && self.occupied.contains(cell) {
            return false;
        }
        let level = level.min(self.men[cell.index()].len());
        self.edit(cell, |men| men.insert(level, man));
        self.trail.push(Change::Put(cell, level));
        true
    }

    /// Puts men on top of a cell in one go, the lowest first; where men may not stand on each other, one
    /// on an empty cell.
    pub fn put_all(&mut self, cell: Cell, new: &[Man]) {
        let level = self.men[cell.index()].len();
        self.edit(cell, |men| men.extend_from_slice(new));
        self.trail.extend((level..).zip(new).map(|(level, _)| Change::Put(cell, level)));
    }

    /// Takes the man at a level, 0 the lowest, away with his marks.
    pub fn remove(&mut self, cell: Cell, level: usize) -> Option<Man> {
        let man = self.take(cell, level)?;
        self.drop_marks(cell);
        Some(man)
    }

    fn take(&mut self, cell: Cell, level: usize) -> Option<Man> {
        let man = *self.men[cell.index()].get(level)?;
        self.edit(cell, |men| {
            men.remove(level);
        });
        self.trail.push(Change::Took(cell, level, man));
        Some(man)
    }

    /// Gives the man at a level another owner or kind; his marks stay.
    pub fn turn_man(&mut self, cell: Cell, level: usize, man: Man) {
        let was = self.men[cell.index()][level];
        if was != man {
            self.edit(cell, |men| men[level] = man);
            self.trail.push(Change::Was(cell, level, was));
        }
    }

    /// Lets the men of a cell wait to leave: the cell stays occupied, the men are nobody's.
    pub fn catch_waiting(&mut self, cell: Cell) {
        if self.men[cell.index()].is_empty() {
            return;
        }
        let mut stack = Stack::new();
        self.waiting_cells.insert(cell);
        self.edit(cell, |men| std::mem::swap(men, &mut stack));
        self.waiting.push((cell, stack));
        self.trail.push(Change::Caught);
    }

    /// The men that wait leave, with their marks.
    pub fn leave_waiting(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let cells = std::mem::take(&mut self.waiting_cells);
        let waiting = std::mem::take(&mut self.waiting);
        for cell in cells.iter().filter(|cell| self.men[cell.index()].is_empty()) {
            self.occupied.remove(cell);
        }
        self.trail.push(Change::Left(waiting));
        cells.iter().for_each(|cell| self.drop_marks(cell));
    }

    /// Moves the top men of several cells at once, order kept, marks with them: from, to, how many.
    /// `bottom`: they come under the men who stand there.
    /// The first cell on which a second man would come is given back, with some of the men moved:
    /// undo then.
    pub fn move_men(&mut self, moves: &[(Cell, Cell)], amount: usize, bottom: bool) -> Result<(), Cell> {
        let marks = self.marks_moved(moves);
        let mut lifted: smallvec::SmallVec<[(Cell, Stack); 4]> = smallvec::SmallVec::new();
        for &(from, to) in moves {
            let height = self.men[from.index()].len();
            let mut stack: Stack =
                (height.saturating_sub(amount)..height).rev().filter_map(|level| self.take(from, level)).collect();
            stack.reverse();
            lifted.push((to, stack));
        }
        for (to, stack) in lifted {
            let first = if bottom { 0 } else { self.men[to.index()].len() };
            for (level, man) in (first..).zip(stack) {
                if !self.put_at(to, level, man) {
                    return Err(to);
                }
            }
        }
        for (index, value) in marks {
            self.change_value(index, value);
        }
        Ok(())
    }

    /// The values `on pieces` that change when men move, as they will be.
    fn marks_moved(&self, moves: &[(Cell, Cell)]) -> Vec<(usize, Value)> {
        let mut changed = Vec::new();
        for index in self.mark_indices() {
            let Value::Cells(cells) = &self.values[index] else { continue };
            if !moves.iter().any(|(from, to)| cells.contains(*from) || cells.contains(*to)) {
                continue;
            }
            let mut moved = *cells;
            moves.iter().for_each(|(from, _)| moved.remove(*from));
            for (from, to) in moves {
                if cells.contains(*from) {
                    moved.insert(*to);
                } else {
                    moved.remove(*to);
                }
            }
            changed.push((index, Value::Cells(moved)));
        }
        changed
    }

    fn mark_indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.schema.states.iter().filter(|state| state.on_pieces).flat_map(|state| state.range())
    }

    fn drop_marks(&mut self, cell: Cell) {
        for state in 0..self.schema.states.len() {
            if !self.schema.states[state].on_pieces {
                continue;
            }
            for index in self.schema.states[state].range() {
                if let Value::Cells(cells) = &self.values[index]
                    && cells.contains(cell)
                {
                    self.change_value(index, Value::Cells(*cells - CellSet::one(cell)));
                }
            }
        }
    }

    /// Adds marks to the values `on pieces`: where `from` is marked, `to` is too; what is a copy of
    /// `first` becomes one of `other`.
    pub fn copy_marks(&mut self, from: Cell, to: Cell, first: Player, other: Player) {
        for state in 0..self.schema.states.len() {
            let shape = self.schema.states[state];
            for index in shape.range().filter(|_| shape.on_pieces) {
                let target = if index == shape.start + first.index() && shape.copies > 1 {
                    shape.start + other.index()
                } else {
                    index
                };
                let (Value::Cells(cells), Value::Cells(others)) = (&self.values[index], &self.values[target]) else {
                    continue;
                };
                if cells.contains(from) {
                    let value = Value::Cells(*others | CellSet::one(to));
                    self.change_value(target, value);
                }
            }
        }
    }

    /// Adds men to a hand, or takes them out. `false`, and nothing done: there are not so many, or
    /// too many.
    pub fn add_to_hand(&mut self, player: Player, kind: Kind, count: i64) -> bool {
        let index = self.hand_index(player, kind);
        let sum = i64::from(self.hands[index]).checked_add(count).and_then(|sum| u32::try_from(sum).ok());
        if let Some(sum) = sum {
            self.change_hand(index, sum);
        }
        sum.is_some()
    }

    pub fn change_hand(&mut self, index: usize, count: u32) {
        self.trail.push(Change::Hand(index, self.hands[index]));
        self.hands[index] = count;
    }

    /// `set`: the value counts as set in this turn.
    pub fn remember(&mut self, state: StateId, player: Player, value: Value) {
        let index = self.value_index(state, player);
        self.change_value(index, value);
        if self.schema.states[state.0 as usize].for_one_turn && !self.touched[index] {
            self.touch(index, true);
        }
    }

    /// A mark is a man's: of a value `on pieces` only the cells of men are left.
    pub fn of_men(&self, state: usize, value: Value) -> Value {
        match value {
            Value::Cells(cells) if self.schema.states[state].on_pieces => Value::Cells(cells & *self.occupied()),
            value => value,
        }
    }

    /// Marks of nobody are dropped.
    pub(super) fn drop_marks_of_nobody(&mut self) {
        let occupied = *self.occupied();
        let marks: Vec<usize> = self.mark_indices().collect();
        for index in marks {
            if let Value::Cells(cells) = self.values[index] {
                self.change_value(index, Value::Cells(cells & occupied));
            }
        }
    }

    fn touch(&mut self, index: usize, touched: bool) {
        self.trail.push(Change::Touched(index, self.touched[index]));
        self.touched[index] = touched;
    }

    pub fn change_value(&mut self, index: usize, value: Value) {
        if self.values[index] != value {
            self.old_values.push(std::mem::replace(&mut self.values[index], value));
            self.trail.push(Change::Value(index));
        }
    }

    /// Values `for one turn` that the turn of `mover` has not set fall back to their first value.
    pub fn age_values(&mut self, mover: Player) {
        for state in 0..self.schema.states.len() {
            let shape = self.schema.states[state];
            if !shape.for_one_turn {
                continue;
            }
            for (copy, index) in shape.range().enumerate() {
                if self.touched[index] {
                    self.touch(index, false);
                } else if shape.copies == 1 || copy == mover.index() {
                    let first = self.of_men(state, self.schema.first[index].clone());
                    self.change_value(index, first);
                }
            }
        }
    }

    /// The turn, of so many plies in all, is over and `next` is to move.
    pub fn pass_turn(&mut self, next: Player, plies: u32) {
        let begun = std::mem::take(&mut self.begun);
        let (to_move, opening, turns) = (self.to_move, self.opening, self.turns);
        self.trail.push(Change::Passed { to_move, opening, turns, plies: self.plies, begun });
        self.to_move = next;
        self.opening = (opening + 1).min(self.schema.opening);
        self.turns += 1;
        self.plies += plies;
    }

    /// A ply within the turn has been made.
    pub fn step(&mut self, step: Step) {
        self.begun.push(step);
        self.trail.push(Change::Stepped);
    }

    /// Notes the position in history.
    pub fn note(&mut self) {
        let pieces = if self.schema.times_pieces { self.pieces_hash() } else { 0 };
        let position = if self.schema.times_position { self.position_hash() } else { 0 };
        self.history.push(Noted { pieces, position });
        self.trail.push(Change::Noted);
    }

    pub fn decide(&mut self, outcome: Outcome) {
        self.trail.push(Change::Decided(self.outcome));
        self.outcome = Some(outcome);
    }

    /// Play goes on in spite of the outcome.
    pub fn reopen(&mut self) {
        self.trail.push(Change::Decided(self.outcome.take()));
    }

    fn view(&self) -> View {
        View { of: self.of.clone(), kinds: self.kinds.clone(), neutral: self.neutral, occupied: self.occupied }
    }

    /// Brings the sets back as they were.
    pub fn look_again(&mut self, view: View) {
        (self.of, self.kinds, self.neutral, self.occupied) = (view.of, view.kinds, view.neutral, view.occupied);
    }

    /// Lets every stack count by its lowest man, until [`Position::look_again`].
    pub fn look_at_bottoms(&mut self) -> View {
        let view = self.view();
        let waiting = self.waiting_cells;
        for i in 0..self.men.len() {
            let (cell, stack) = (Cell(i as u16), &self.men[i]);
            let (Some(&bottom), Some(&top)) = (stack.first(), stack.last()) else { continue };
            if waiting.contains(cell) {
                self.show(cell, top, false);
            } else if bottom != top {
                self.show(cell, top, false);
                self.show(cell, bottom, true);
            }
        }
        view
    }

    /// Whether a cell is in the sets of a man's owner and kind.
    fn show(&mut self, cell: Cell, man: Man, shown: bool) {
        let set = if shown { CellSet::insert } else { CellSet::remove };
        match man.owner {
            Some(player) => set(&mut self.of[player.index()], cell),
            None => set(&mut self.neutral, cell),
        }
        if man.kind != NO_KIND {
            set(&mut self.kinds[man.kind.index()], cell);
        }
    }

    /// Lets cells count as empty, until [`Position::lower`].
    pub fn lift(&mut self, cells: &CellSet) -> Lifted {
        let view = self.view();
        for set in self.of.iter_mut().chain(&mut self.kinds) {
            *set -= *cells;
        }
        self.neutral -= *cells;
        self.occupied -= *cells;
        let stacks = cells.iter().map(|cell| (cell, std::mem::take(&mut self.men[cell.index()]))).collect();
        Lifted { view, stacks }
    }

    pub fn lower(&mut self, lifted: Lifted) {
        for (cell, stack) in lifted.stacks {
            self.men[cell.index()] = stack;
        }
        self.look_again(lifted.view);
    }

    /// Lets an empty cell count as having a man of a player and of no kind, or no longer.
    pub fn imagine(&mut self, cell: Cell, player: Player, there: bool) {
        let man = Man { owner: Some(player), kind: NO_KIND };
        self.show(cell, man, there);
        if there {
            self.men[cell.index()].push(man);
            self.occupied.insert(cell);
        } else {
            self.men[cell.index()].pop();
            self.occupied.remove(cell);
        }
    }
}
