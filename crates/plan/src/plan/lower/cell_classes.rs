//! Partition by value: a number that depends on a cell goes in; classes of cells come out, of which each holds the cells of one
//! number. So a comparison is asked of all cells at once.
//!
//! Coordinates part the board by themselves, and values of men part it by their kinds. How many neighbours are in a set is
//! added up direction by direction, as bits are in a bit-sliced adder, with a set for each sum.

use crate::model;
use crate::model::{Arithmetic, Expr, Number};
use crate::plan::bitboard::Bits;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Lowered, Num, Value};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::tree::Node;
use crate::plan::tuning::{MAX_WORDS_OF_TABLES, MIN_NUMBERS_OF_TABLES};
use crate::position::{MAX_HEIGHT, calculate};

/// The most classes that a number is parted into: with more, a look at each cell costs as much.
const MAX_CLASSES: usize = 32;

/// The most neighbours that are added up.
const MAX_DIRS: u32 = 8;

/// The most pairs of classes that are compared.
const MAX_PAIRS: usize = 64;

/// The number of each cell. Each cell is in one of the classes.
pub type Classes = Vec<(Num, Cells)>;

impl<'g> Lowering<'g> {
    /// The cells that, as the value of the open slot, have each number. `None` where that takes a look at each of them.
    pub fn classes_of(&mut self, number: &'g Number) -> Lowered<Option<Classes>> {
        if !self.number_depends(number) {
            return Ok(Some(vec![(self.number(number)?, self.all())]));
        }
        if let Some(numbers) = self.numbers_of_board(|lowering| lowering.number(number)) {
            return Ok(self.classes_of_board(numbers));
        }
        match number {
            Number::Value(of) if self.is_the_cell(of) => {
                let (mut classes, mut rest) = (Classes::new(), self.all());
                for (value, of) in self.valued_kinds() {
                    classes.push((Num::Fixed(value), of));
                    rest = self.without(rest, of);
                }
                classes.push((Num::Fixed(0), rest));
                Ok(Some(classes))
            }
            Number::Count(set) => match &**set {
                Expr::Cells(cells) => self.classes_of_count(cells),
                _ => Ok(None),
            },
            Number::Arithmetic(operation, operands, _) => {
                let Some(a) = self.classes_of(&operands.0)? else { return Ok(None) };
                let Some(b) = self.classes_of(&operands.1)? else { return Ok(None) };
                let mut classes = Classes::new();
                for (x, of) in &a {
                    for (y, with) in &b {
                        let (Num::Fixed(x), Num::Fixed(y)) = (*x, *y) else { return Ok(None) };
                        let Ok(number) = calculate(*operation, x, y) else { return Ok(None) };
                        let both = self.and(*of, *with);
                        self.add_class(&mut classes, Num::Fixed(number), both);
                    }
                }
                Ok((classes.len() <= MAX_CLASSES).then_some(classes))
            }
            Number::If(choice) => {
                let Some(holds) = self.lift(&choice.condition)? else { return Ok(None) };
                let Some(then) = self.classes_of(&choice.then)? else { return Ok(None) };
                let Some(otherwise) = self.classes_of(&choice.otherwise)? else { return Ok(None) };
                let mut classes = Classes::new();
                for (number, of) in then {
                    let of = self.and(of, holds);
                    self.add_class(&mut classes, number, of);
                }
                for (number, of) in otherwise {
                    let of = self.without(of, holds);
                    self.add_class(&mut classes, number, of);
                }
                Ok((classes.len() <= MAX_CLASSES).then_some(classes))
            }
            Number::Call(call) if self.routines.known.contains(&call.define.0) => Ok(None),
            Number::Call(call) => self.call(call, |lowering, body| match body {
                Expr::Number(number) => lowering.classes_of(number),
                _ => Ok(None),
            }),
            Number::Local(slot) => match self.local(*slot) {
                Value::Later(Expr::Number(number), frame) => {
                    self.in_other_frame(frame, |lowering| lowering.classes_of(number))
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The cells for which one number compares so with the other.
    pub fn lift_comparison(&mut self, cmp: Cmp, sides: &'g (Number, Number)) -> Lowered<Option<Cells>> {
        if self.is_height_of_the_cell(&sides.0) {
            return self.lift_height(cmp, &sides.1);
        }
        if self.is_height_of_the_cell(&sides.1) {
            return self.lift_height(cmp.turned(), &sides.0);
        }
        if !self.may_part(&sides.0) || !self.may_part(&sides.1) {
            return Ok(None);
        }
        for (cmp, number, other) in [(cmp, &sides.0, &sides.1), (cmp.turned(), &sides.1, &sides.0)] {
            if let Some(cells) = self.compare_by_table(cmp, number, other)? {
                return Ok(Some(cells));
            }
        }
        let spot = self.spot();
        let classes = match self.classes_of(&sides.0)? {
            Some(a) => self.classes_of(&sides.1)?.map(|b| (a, b)),
            None => None,
        };
        // What is not asked of any cell comes to no fault.
        match classes.filter(|(a, b)| a.len() * b.len() <= MAX_PAIRS && !self.faults(&self.out[spot.length..])) {
            Some((a, b)) => Ok(Some(self.compare_classes(cmp, &a, &b))),
            None => {
                self.back_to(spot);
                Ok(None)
            }
        }
    }

    /// The cells whose number, which the board alone decides, compares so with one that is the same for all and known only at
    /// play: a table has them for each such number.
    fn compare_by_table(&mut self, cmp: Cmp, number: &'g Number, other: &'g Number) -> Lowered<Option<Cells>> {
        if self.grid.words > MAX_WORDS_OF_TABLES || !self.number_depends(number) || self.number_depends(other) {
            return Ok(None);
        }
        let Some(numbers) = self.numbers_of_board(|lowering| lowering.number(number)) else { return Ok(None) };
        let mut values: Vec<i64> = numbers.iter().map(|(_, value)| *value).collect();
        values.sort_unstable();
        values.dedup();
        let (Some(&least), Some(&most)) = (values.first(), values.last()) else { return Ok(None) };
        // A row below all numbers, and one above.
        let rows = most.checked_sub(least).and_then(|range| usize::try_from(range).ok()).map(|range| range + 3);
        let (Some(rows), Some(base)) = (rows, least.checked_sub(1)) else { return Ok(None) };
        if values.len() < MIN_NUMBERS_OF_TABLES || rows > 64 * self.grid.words {
            return Ok(None);
        }
        let spot = self.spot();
        let n = match self.number(other)? {
            Num::In(n) if !self.faults(&self.out[spot.length..]) => n,
            _ => {
                self.back_to(spot);
                return Ok(None);
            }
        };
        let row = |with: i64| {
            let mut cells = Bits::default();
            let fitting = numbers.iter().filter(|(_, value)| cmp.holds(value.cmp(&with)));
            fitting.for_each(|(bit, _)| cells.insert(*bit));
            cells
        };
        let list = self.list_number((base..).take(rows).map(row).collect());
        let to_one = self.tables.lists[usize::from(list)].iter().all(|row| row.len() <= 1);
        let found = self.set_op(|d| TreeOp::LookupNum { d, n, base, list });
        self.known.single.extend(to_one.then_some(found));
        Ok(Some(Cells::In(found)))
    }

    /// So many men stand on the cell.
    fn is_height_of_the_cell(&self, number: &'g Number) -> bool {
        self.game.stacks
            && self.layout.waiting.is_none()
            && matches!(number, Number::Height(cells) if self.is_the_cell(cells))
    }

    /// The cells whose height compares so with a number: with that of each class, where it depends on the cell.
    fn lift_height(&mut self, cmp: Cmp, number: &'g Number) -> Lowered<Option<Cells>> {
        // Who waits to leave has a height as well, which no list tells.
        if !self.may_part(number) || !self.nobody_waits() {
            return Ok(None);
        }
        let spot = self.spot();
        let classes = self.classes_of(number)?;
        let Some(classes) = classes.filter(|_| !self.faults(&self.out[spot.length..])) else {
            self.back_to(spot);
            return Ok(None);
        };
        let mut all = self.none();
        for (number, cells) in classes {
            let high = self.of_height(cmp, number);
            let high = self.and(high, cells);
            all = self.or(all, high);
        }
        Ok(Some(all))
    }

    /// The cells whose height compares so with a number that is the same for all.
    fn of_height(&mut self, cmp: Cmp, number: Num) -> Cells {
        let (least, most) = (Num::Fixed(0), Num::Fixed(MAX_HEIGHT as i64));
        // The greatest and the least numbers have none above or below them, so others are left out instead.
        let (from, to, others) = match cmp {
            Cmp::Equal => (number, number, false),
            Cmp::NotEqual => (number, number, true),
            Cmp::AtMost => (least, number, false),
            Cmp::Greater => (least, number, true),
            Cmp::AtLeast => (number, most, false),
            Cmp::Less => (number, most, true),
        };
        let (from, to) = (self.num(from), self.num(to));
        let found = Cells::In(self.set_op(|d| TreeOp::OfHeight { d, from, to }));
        if others { self.without(self.all(), found) } else { found }
    }

    /// The form of a number does not rule out that it parts the board. To ask this costs less than to try.
    fn may_part(&self, number: &'g Number) -> bool {
        if !self.number_depends(number) {
            return true;
        }
        match number {
            Number::Coordinate(_, cells, _) | Number::Value(cells) => self.is_the_cell(cells),
            Number::Count(set) => matches!(&**set, Expr::Cells(cells) if self.neighbours_in(cells).is_some()),
            Number::Arithmetic(_, operands, _) => self.may_part(&operands.0) && self.may_part(&operands.1),
            Number::If(choice) => self.may_part(&choice.then) && self.may_part(&choice.otherwise),
            Number::Call(call) => !self.routines.known.contains(&call.define.0),
            Number::Local(_) => true,
            _ => false,
        }
    }

    /// The cell's neighbours in these directions, and in each of these sets.
    fn neighbours_in(&self, cells: &'g model::Cells) -> Option<(&'g model::Dirs, Vec<&'g model::Cells>)> {
        use model::Cells as C;
        let members = match cells {
            C::And(all) => all.iter().collect(),
            one => vec![one],
        };
        let (depending, others): (Vec<_>, Vec<_>) = members.into_iter().partition(|set| self.cells_depend(set));
        let [C::Adjacent(of, dirs)] = depending.as_slice() else { return None };
        (self.is_the_cell(of) && !self.dirs_depend(dirs)).then_some((dirs, others))
    }

    /// Something in a block may come to a fault. That sums are out of range is left aside.
    fn faults(&self, block: &[Node]) -> bool {
        block.iter().any(|node| match node {
            Node::Op(TreeOp::Arithmetic { op: Arithmetic::Divide | Arithmetic::Modulo, b, .. }) => {
                matches!(self.known_number(*b), Num::In(_) | Num::Fixed(0))
            }
            Node::Op(TreeOp::Coordinate { a, .. }) => !self.known.single.contains(a),
            Node::Op(op) => op.may_fault(),
            other => other.blocks().into_iter().any(|block| self.faults(block)),
        })
    }

    /// The same of their classes.
    fn compare_classes(&mut self, cmp: Cmp, a: &Classes, b: &Classes) -> Cells {
        let mut all = self.none();
        for (x, of) in a {
            for (y, with) in b {
                let holds = self.compare_nums(cmp, *x, *y);
                if holds == Num::Fixed(0) {
                    continue;
                }
                let both = self.and(*of, *with);
                let kept = self.keep(both, holds);
                all = self.or(all, kept);
            }
        }
        all
    }

    /// Cells of one number are one class.
    fn add_class(&mut self, classes: &mut Classes, number: Num, cells: Cells) {
        if cells == self.none() {
            return;
        }
        match classes.iter().position(|(known, _)| *known == number) {
            Some(at) => classes[at].1 = self.or(classes[at].1, cells),
            None => classes.push((number, cells)),
        }
    }

    fn classes_of_board(&mut self, numbers: Vec<(usize, i64)>) -> Option<Classes> {
        let mut classes: Vec<(i64, Bits)> = Vec::new();
        for (bit, number) in numbers {
            match classes.iter().position(|(known, _)| *known == number) {
                Some(at) => classes[at].1.insert(bit),
                None if classes.len() == MAX_CLASSES => return None,
                None => {
                    let mut cells = Bits::default();
                    cells.insert(bit);
                    classes.push((number, cells));
                }
            }
        }
        Some(classes.into_iter().map(|(number, cells)| (Num::Fixed(number), self.fixed(cells))).collect())
    }

    /// How many of a cell's neighbours are in a set.
    fn classes_of_count(&mut self, cells: &'g model::Cells) -> Lowered<Option<Classes>> {
        let Some((dirs, others)) = self.neighbours_in(cells) else { return Ok(None) };
        let Num::Fixed(dirs) = self.dirs(dirs)? else { return Ok(None) };
        if dirs.count_ones() > MAX_DIRS || !self.neighbours_differ(dirs) {
            return Ok(None);
        }
        let mut with = self.all();
        for set in others {
            let set = self.cells(set)?;
            with = self.and(with, set);
        }
        let mut sums = vec![self.all()];
        for dir in (0..64).filter(|dir| dirs >> dir & 1 == 1) {
            let back = self.opposite_bits(1 << dir);
            let beside = self.around(with, Num::Fixed(back));
            let mut next = Vec::with_capacity(sums.len() + 1);
            for sum in 0..=sums.len() {
                let none = self.none();
                let (still, more) =
                    (sums.get(sum).copied().unwrap_or(none), sum.checked_sub(1).map_or(none, |less| sums[less]));
                let (still, more) = (self.without(still, beside), self.and(more, beside));
                next.push(self.or(still, more));
            }
            sums = next;
        }
        Ok(Some((0..).map(Num::Fixed).zip(sums).collect()))
    }

    /// No two of these directions lead from a cell to the same one, and none back to it.
    fn neighbours_differ(&self, dirs: i64) -> bool {
        let topology = &self.game.topology;
        let all = (0..64).filter(|dir| dirs >> dir & 1 == 1).map(|dir| crate::board::Dir(dir as u16));
        topology.cells().all(|cell| {
            let mut reached: Vec<_> = all.clone().filter_map(|dir| topology.step(cell, dir)).collect();
            reached.push(cell);
            let steps = reached.len();
            reached.sort_unstable();
            reached.dedup();
            reached.len() == steps
        })
    }
}
