//! Predicate-to-set conversion: a condition on one cell goes in; the set of all cells for which it
//! holds comes out, where set operations can tell it.
//!
//! `it in X` is `X`; `some adjacent(it) and X` is what lies beside `X`; `not`, `and`, `or` are
//! those of sets. A number of the cell parts the board into classes: `cell_classes`.

use crate::board::Kind;
use crate::model;
use crate::model::{Expr, Slot, Truth};
use crate::plan::bitboard::Bits;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Lowered, Num, Value};
use crate::plan::op::TreeOp;
use crate::plan::passes::Pass;

impl<'g> Lowering<'g> {
    /// The cells that, as the value of a slot, fulfil a condition; `None` where that takes a look
    /// at each of them.
    pub fn lifted(&mut self, slot: Slot, condition: &'g Truth) -> Lowered<Option<Cells>> {
        let before = self.local(slot);
        self.bind(slot, Value::Any);
        let lifted = self.lift(condition);
        self.bind(slot, before);
        lifted
    }

    /// The same for `here`.
    pub fn lifted_here(&mut self, condition: &'g Truth) -> Lowered<Option<Cells>> {
        let before = self.scope.here.replace(Value::Any);
        let lifted = self.lift(condition);
        self.scope.here = before;
        lifted
    }

    /// Lowers where `here` is one cell.
    pub fn at<T>(&mut self, here: Cells, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.scope.here.replace(Value::Cells(here));
        let result = body(self);
        self.scope.here = before;
        result
    }

    /// The pattern of a way, or its directions, rest on where its man stands.
    pub fn asks_here(&mut self, kind: Kind, way: &'g model::Way) -> bool {
        let before = self.scope.here.replace(Value::Any);
        let asks = self.in_description(kind, |lowering| Ok(lowering.line_depends(&way.line)));
        self.scope.here = before;
        asks.unwrap_or(true)
    }

    pub fn lift(&mut self, truth: &'g Truth) -> Lowered<Option<Cells>> {
        if !self.truth_depends(truth) {
            let holds = self.truth(truth)?;
            return Ok(Some(self.keep(self.all(), holds)));
        }
        match truth {
            Truth::Not(inner) => {
                let Some(inner) = self.lift(inner)? else { return Ok(None) };
                Ok(Some(self.without(self.all(), inner)))
            }
            Truth::And(all) => self.lift_all(all, self.all(), Self::and),
            Truth::Or(any) => self.lift_all(any, self.none(), Self::or),
            Truth::Some(set) => match &**set {
                Expr::Cells(cells) => self.image(cells, self.all()),
                _ => Ok(None),
            },
            Truth::Within(sides) => self.lift_within(&sides.0, &sides.1),
            Truth::Compare(cmp, sides) => {
                match (&sides.0, &sides.1) {
                    (model::Number::Value(of), other) if self.is_the_cell(of) && !self.number_depends(other) => {
                        return self.lift_value(|l, value, other| l.compare_nums(*cmp, value, other), other).map(Some);
                    }
                    (other, model::Number::Value(of)) if self.is_the_cell(of) && !self.number_depends(other) => {
                        return self.lift_value(|l, value, other| l.compare_nums(*cmp, other, value), other).map(Some);
                    }
                    _ => {}
                }
                if let Some(cells) = self.tabled(truth) {
                    return Ok(Some(cells));
                }
                self.lift_comparison(*cmp, sides)
            }
            Truth::Call(call) if self.routines.known.contains(&call.define.0) => Ok(None),
            Truth::Call(call) => self.call(call, |lowering, body| match body {
                Expr::Truth(truth) => lowering.lift(truth),
                _ => Ok(None),
            }),
            Truth::Local(slot) => match self.local(*slot) {
                Value::Later(Expr::Truth(truth), frame) => self.in_other_frame(frame, |lowering| lowering.lift(truth)),
                _ => Ok(None),
            },
            _ => Ok(self.tabled(truth)),
        }
    }

    /// The cells for which a condition holds, if the board alone tells: it is asked now, of each
    /// cell.
    fn tabled(&mut self, truth: &'g Truth) -> Option<Cells> {
        let truths = self.numbers_of_board(|lowering| lowering.truth(truth))?;
        let mut cells = Bits::default();
        truths.into_iter().filter(|(_, holds)| *holds != 0).for_each(|(bit, _)| cells.insert(bit));
        Some(self.fixed(cells))
    }

    /// The number of each cell of the board, if the board alone tells.
    pub fn numbers_of_board(&mut self, mut ask: impl FnMut(&mut Self) -> Lowered<Num>) -> Option<Vec<(usize, i64)>> {
        self.fold_each_cell(|lowering| match ask(lowering)? {
            Num::Fixed(number) => Ok(Some(number)),
            Num::In(_) => Ok(None),
        })
    }

    /// What is asked of a cell, of each cell of the board, if the board alone tells.
    pub fn fold_each_cell<T>(
        &mut self,
        mut ask: impl FnMut(&mut Self) -> Lowered<Option<T>>,
    ) -> Option<Vec<(usize, T)>> {
        if !self.has(Pass::FoldPredicate) {
            return None;
        }
        let slots = (0..self.scope.frames.len())
            .flat_map(|frame| (0..self.scope.frames[frame].len()).map(move |slot| (frame, slot)));
        // Arguments that are the cell have its value, too.
        let is_open = |value: &Value<'g>| match value {
            Value::Any => true,
            Value::Later(Expr::Cells(cells), frame) => self.is_the_cell_in(cells, *frame),
            _ => false,
        };
        let slots = slots.map(|(frame, slot)| (frame, slot, self.scope.frames[frame][slot]));
        let open: Vec<(usize, usize, Value<'g>)> = slots.filter(|(_, _, value)| is_open(value)).collect();
        let (spot, frames) = (self.spot(), self.scope.frames.len());
        let mut found = Vec::new();
        let mut told = true;
        for cell in self.game.topology.cells() {
            let bit = self.grid.bit(cell);
            let mut one = Bits::default();
            one.insert(bit);
            let value = Value::Cells(self.fixed(one));
            open.iter().for_each(|&(frame, slot, _)| self.scope.frames[frame][slot] = value);
            if matches!(spot.here, Some(Value::Any)) {
                self.scope.here = Some(value);
            }
            let answer = ask(self);
            // A constant refers to no frame.
            self.scope.frames.truncate(frames);
            self.scope.calls.truncate(frames);
            match answer {
                Ok(Some(of_cell)) => found.push((bit, of_cell)),
                _ => {
                    told = false;
                    break;
                }
            }
        }
        open.iter().for_each(|&(frame, slot, value)| self.scope.frames[frame][slot] = value);
        self.back_to(spot);
        told.then_some(found)
    }

    /// The cells whose number compares so with one that is the same for all. The classes are not all held at once, which
    /// takes registers.
    fn lift_value(&mut self, holds: impl Fn(&mut Self, Num, Num) -> Num, other: &'g model::Number) -> Lowered<Cells> {
        let other = self.number(other)?;
        let (mut all, mut rest) = (self.none(), self.all());
        for (value, of) in self.valued_kinds() {
            let fits = holds(self, Num::Fixed(value), other);
            let fitting = self.keep(of, fits);
            all = self.or(all, fitting);
            rest = self.without(rest, of);
        }
        let fits = holds(self, Num::Fixed(0), other);
        let fitting = self.keep(rest, fits);
        Ok(self.or(all, fitting))
    }

    pub fn in_other_frame<T>(&mut self, frame: usize, body: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let outer = std::mem::replace(&mut self.scope.frame, frame);
        let result = body(self);
        self.scope.frame = outer;
        result
    }

    fn lift_all(
        &mut self,
        truths: &'g [Truth],
        start: Cells,
        join: fn(&mut Self, Cells, Cells) -> Cells,
    ) -> Lowered<Option<Cells>> {
        let mut all = start;
        for truth in truths {
            let Some(one) = self.lift(truth)? else { return Ok(None) };
            all = join(self, all, one);
        }
        Ok(Some(all))
    }

    /// `A in B`: A has a cell and none outside B.
    fn lift_within(&mut self, a: &'g Expr, b: &'g Expr) -> Lowered<Option<Cells>> {
        let (Expr::Cells(a), Expr::Cells(b)) = (a, b) else { return Ok(None) };
        if self.cells_depend(b) {
            return Ok(None);
        }
        let b = self.cells(b)?;
        if self.is_the_cell(a) {
            return Ok(Some(b));
        }
        // A table that has one cell for each tells it by one look.
        let is_composed = matches!(a, model::Cells::Call(_) | model::Cells::Where(_) | model::Cells::If(_));
        if is_composed && let Some(relation) = self.relation(a) {
            let meets = self.related(&relation, b)?;
            if relation.is_function() {
                return Ok(Some(meets));
            }
            let outside = self.without(self.all(), b);
            let leaves = self.related(&relation, outside)?;
            return Ok(Some(self.without(meets, leaves)));
        }
        let outside = self.without(self.all(), b);
        let (Some(meets), Some(leaves)) = (self.image(a, b)?, self.image(a, outside)?) else { return Ok(None) };
        Ok(Some(self.without(meets, leaves)))
    }

    /// The set is the cell itself.
    pub fn is_the_cell(&self, cells: &'g model::Cells) -> bool {
        self.is_the_cell_in(cells, self.scope.frame)
    }

    fn is_the_cell_in(&self, cells: &'g model::Cells, frame: usize) -> bool {
        match cells {
            model::Cells::Local(slot) => match self.scope.frames[frame].get(slot.0 as usize) {
                Some(Value::Any) => true,
                Some(Value::Later(Expr::Cells(cells), frame)) => self.is_the_cell_in(cells, *frame),
                _ => false,
            },
            model::Cells::Here => matches!(self.scope.here, Some(Value::Any)),
            _ => false,
        }
    }

    /// The cells for which a set that depends on the cell shares a cell with `with`.
    pub fn image(&mut self, cells: &'g model::Cells, with: Cells) -> Lowered<Option<Cells>> {
        if let Some(image) = self.image_by_sets(cells, with)? {
            return Ok(Some(image));
        }
        let relation = self.relation(cells);
        relation.map(|relation| self.related(&relation, with)).transpose()
    }

    /// The same by operations on sets alone, as far as these tell it.
    fn image_by_sets(&mut self, cells: &'g model::Cells, with: Cells) -> Lowered<Option<Cells>> {
        use model::Cells as C;
        if !self.cells_depend(cells) {
            let cells = self.cells(cells)?;
            let meets = self.intersects(cells, with);
            return Ok(Some(self.keep(self.all(), meets)));
        }
        if self.is_the_cell(cells) {
            return Ok(Some(with));
        }
        match cells {
            C::Local(slot) => match self.local(*slot) {
                Value::Later(Expr::Cells(cells), frame) => {
                    self.in_other_frame(frame, |lowering| lowering.image(cells, with))
                }
                _ => Ok(None),
            },
            C::Call(call) => self.call(call, |lowering, body| match body {
                Expr::Cells(cells) => lowering.image(cells, with),
                _ => Ok(None),
            }),
            C::And(all) => {
                let (depending, fixed): (Vec<_>, Vec<_>) = all.iter().partition(|set| self.cells_depend(set));
                let mut with = with;
                for set in fixed {
                    let set = self.cells(set)?;
                    with = self.and(with, set);
                }
                let (cells, others): (Vec<_>, Vec<_>) = depending.into_iter().partition(|set| self.is_the_cell(set));
                match (cells.is_empty(), others.as_slice()) {
                    (_, [only]) if cells.is_empty() => self.image(only, with),
                    (false, []) => Ok(Some(with)),
                    _ => Ok(None),
                }
            }
            C::Or(any) => {
                let mut all = self.none();
                for set in any {
                    let Some(one) = self.image(set, with)? else { return Ok(None) };
                    all = self.or(all, one);
                }
                Ok(Some(all))
            }
            C::Adjacent(of, dirs) | C::Shift(of, dirs) if self.is_the_cell(of) && !self.dirs_depend(dirs) => {
                let Num::Fixed(dirs) = self.dirs(dirs)? else { return Ok(None) };
                let back = self.opposite_bits(dirs);
                Ok(Some(self.around(with, Num::Fixed(back))))
            }
            C::Group { of, within, dirs }
                if self.is_the_cell(of) && !self.cells_depend(within) && !self.dirs_depend(dirs) =>
            {
                let (within, dirs) = (self.cells(within)?, self.dirs(dirs)?);
                let seeds = self.and(with, within);
                Ok(Some(self.flood(seeds, within, dirs)?))
            }
            C::Catches(of, line) if self.is_the_cell(of) && with == self.all() => self.catching_cells(line),
            C::Reach(of, line) if self.is_the_cell(of) => self.reaching_cells(line, with),
            _ => Ok(None),
        }
    }

    // What depends on the cell that a condition is lifted over.

    pub fn depends(&self, expr: &'g Expr) -> bool {
        match expr {
            Expr::Number(number) => self.number_depends(number),
            Expr::Truth(truth) => self.truth_depends(truth),
            Expr::Cells(cells) => self.cells_depend(cells),
            Expr::Groups(groups) => self.groups_depend(groups),
            Expr::Dirs(dirs) => self.dirs_depend(dirs),
            Expr::Axes(axes) => self.axes_depend(axes),
            Expr::Players(_) => false,
            Expr::List(model::List::One(number)) => self.number_depends(number),
            Expr::List(_) => true,
        }
    }

    fn slot_depends(&self, slot: Slot) -> bool {
        matches!(self.local(slot), Value::Any | Value::Later(..))
    }

    fn call_depends(&self, call: &'g model::Call) -> bool {
        // A define sees nothing but its arguments, the position and the words of the turn.
        call.arguments.iter().any(|argument| self.depends(argument))
    }

    pub fn truth_depends(&self, truth: &'g Truth) -> bool {
        match truth {
            Truth::Fixed(_) | Truth::State(..) | Truth::Stuck(_) | Truth::Changed => false,
            Truth::Local(slot) => self.slot_depends(*slot),
            Truth::Call(call) => self.call_depends(call),
            Truth::If(choice) => {
                self.truth_depends(&choice.condition)
                    || self.truth_depends(&choice.then)
                    || self.truth_depends(&choice.otherwise)
            }
            Truth::Not(inner) => self.truth_depends(inner),
            Truth::And(all) | Truth::Or(all) => all.iter().any(|truth| self.truth_depends(truth)),
            Truth::Compare(_, sides) => self.number_depends(&sides.0) || self.number_depends(&sides.1),
            Truth::CompareLists(..) => true,
            Truth::Equal(sides) | Truth::Within(sides) => self.depends(&sides.0) || self.depends(&sides.1),
            Truth::Some(set) => self.depends(set),
            Truth::Attacked(cells) => self.cells_depend(cells),
        }
    }

    pub fn number_depends(&self, number: &'g model::Number) -> bool {
        use model::Number as M;
        match number {
            M::Fixed(_) | M::State(..) | M::Hand(_) | M::TimesPieces | M::TimesPosition | M::Cycle => false,
            M::Local(slot) => self.slot_depends(*slot),
            M::Call(call) => self.call_depends(call),
            M::If(choice) => {
                self.truth_depends(&choice.condition)
                    || self.number_depends(&choice.then)
                    || self.number_depends(&choice.otherwise)
            }
            M::Arithmetic(_, operands, _) => self.number_depends(&operands.0) || self.number_depends(&operands.1),
            M::Count(set) => self.depends(set),
            M::Coordinate(_, cells, _) | M::Height(cells) | M::Value(cells) => self.cells_depend(cells),
        }
    }

    pub fn cells_depend(&self, cells: &'g model::Cells) -> bool {
        use model::Cells as C;
        match cells {
            C::Fixed(_)
            | C::State(..)
            | C::Of(_)
            | C::Kind(_)
            | C::Neutral
            | C::Empty
            | C::Occupied
            | C::LastRow
            | C::Last
            | C::Origin
            | C::Passed
            | C::Caught => false,
            C::Local(slot) => self.slot_depends(*slot),
            C::Here => matches!(self.scope.here, Some(Value::Any)),
            C::Call(call) => self.call_depends(call),
            C::If(choice) => {
                self.truth_depends(&choice.condition)
                    || self.cells_depend(&choice.then)
                    || self.cells_depend(&choice.otherwise)
            }
            C::Not(inner) | C::Bottom(inner) | C::CatchesOf(inner) | C::ReachOf(inner) => self.cells_depend(inner),
            C::And(all) | C::Or(all) => all.iter().any(|set| self.cells_depend(set)),
            C::Where(filter) => self.cells_depend(&filter.set) || self.truth_depends(&filter.condition),
            C::Band { from, to, .. } => self.number_depends(from) || self.number_depends(to),
            C::Union(groups) => self.groups_depend(groups),
            C::Adjacent(of, dirs) | C::Shift(of, dirs) => self.cells_depend(of) || self.dirs_depend(dirs),
            C::Group { of, within, dirs } => {
                self.cells_depend(of) || self.cells_depend(within) || self.dirs_depend(dirs)
            }
            C::Span(ends, _) => self.cells_depend(&ends.0) || self.cells_depend(&ends.1),
            C::Nth(of, number) => self.cells_depend(of) || self.number_depends(number),
            C::Catches(of, line) | C::Reach(of, line) => self.cells_depend(of) || self.line_depends(line),
        }
    }

    fn groups_depend(&self, groups: &'g model::Groups) -> bool {
        use model::Groups as G;
        match groups {
            G::Empty => false,
            G::Local(slot) => self.slot_depends(*slot),
            G::Call(call) => self.call_depends(call),
            G::If(choice) => {
                self.truth_depends(&choice.condition)
                    || self.groups_depend(&choice.then)
                    || self.groups_depend(&choice.otherwise)
            }
            G::Where(filter) => self.groups_depend(&filter.set) || self.truth_depends(&filter.condition),
            G::Groups(of, dirs) => self.cells_depend(of) || self.dirs_depend(dirs),
            G::Segments { of, dirs, from, to } => {
                self.cells_depend(of)
                    || self.dirs_depend(dirs)
                    || self.number_depends(from)
                    || to.as_ref().is_some_and(|to| self.number_depends(to))
            }
            G::Largest(groups) => self.groups_depend(groups),
        }
    }

    pub fn dirs_depend(&self, dirs: &'g model::Dirs) -> bool {
        use model::Dirs as D;
        match dirs {
            D::Fixed(_) | D::Forward | D::Backward | D::Ahead | D::Behind | D::Sideways | D::Outward | D::Heading => {
                false
            }
            D::Local(slot) => self.slot_depends(*slot),
            D::Call(call) => self.call_depends(call),
            D::If(choice) => {
                self.truth_depends(&choice.condition)
                    || self.dirs_depend(&choice.then)
                    || self.dirs_depend(&choice.otherwise)
            }
            D::Not(inner) | D::Opposite(inner) => self.dirs_depend(inner),
            D::Turned(turned) => self.dirs_depend(&turned.0) || self.number_depends(&turned.1),
            D::And(all) | D::Or(all) => all.iter().any(|set| self.dirs_depend(set)),
            D::Where(filter) => self.dirs_depend(&filter.set) || self.truth_depends(&filter.condition),
            D::OfAxes(axes) => self.axes_depend(axes),
        }
    }

    fn axes_depend(&self, axes: &'g model::Axes) -> bool {
        use model::Axes as A;
        match axes {
            A::Fixed(_) => false,
            A::Local(slot) => self.slot_depends(*slot),
            A::Call(call) => self.call_depends(call),
            A::If(choice) => {
                self.truth_depends(&choice.condition)
                    || self.axes_depend(&choice.then)
                    || self.axes_depend(&choice.otherwise)
            }
            A::Not(inner) => self.axes_depend(inner),
            A::And(all) | A::Or(all) => all.iter().any(|set| self.axes_depend(set)),
            A::Where(filter) => self.axes_depend(&filter.set) || self.truth_depends(&filter.condition),
        }
    }

    pub fn line_depends(&self, line: &'g model::Line) -> bool {
        let item = |item: &'g model::Item| {
            self.cells_depend(&item.test)
                || item.caught.iter().any(|set| self.cells_depend(set))
                || match &item.times {
                    model::Times::One => false,
                    model::Times::Between(from, to) => {
                        self.number_depends(from) || to.as_ref().is_some_and(|to| self.number_depends(to))
                    }
                }
        };
        self.dirs_depend(&line.dirs)
            || line.paths.iter().any(|path| {
                path.before.iter().chain(&path.after).any(item)
                    || path.turnings.iter().any(|leg| self.dirs_depend(&leg.dirs) || leg.items.iter().any(item))
            })
    }

    /// A register of the set, where an operation wants one that it may change.
    pub fn copied(&mut self, cells: Cells) -> crate::plan::SetReg {
        let (d, a) = (self.fresh.set(), self.reg(cells));
        self.emit(TreeOp::Copy { d, a });
        d
    }
}
