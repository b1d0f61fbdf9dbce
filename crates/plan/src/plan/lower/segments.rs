//! Segment lowering: rows of a set go in; where rows of each direction and length begin comes out, of which conditions
//! keep some. A pick of rows offers the cells that they begin on, an arm for each direction and length.

use std::cmp::Reverse;

use rustc_hash::FxHashSet as HashSet;

use crate::board::{Axis, Cell, CellSet, Dir};
use crate::model;
use crate::model::{Arithmetic, BlockId, Expr, Slot, Truth, Where};
use crate::plan::bitboard::Bits;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::set::each_bit;
use crate::plan::lower::values::{Cells, Facts, Groups, Lowered, Num, RowClass, Rows, Value, unplanned};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::{Arm, Node, Options};
use crate::plan::tuning::MAX_ROW_CLASSES;
use crate::sort;
use crate::source::Span;

/// Which rows of a direction and length are told apart from all others by it: those that begin on these cells.
struct Apart {
    dir: Dir,
    cells: i64,
    begin: CellSet,
    /// All that begin anywhere.
    whole: bool,
}

const TOO_MANY: &str = "rows of so many directions and lengths";

/// Rows of a class, each with its first cell and the cell that it begins on: one at most for each first cell.
struct InTurn {
    class: usize,
    rows: Vec<(Cell, Cell)>,
    /// These are all rows of the class.
    is_whole: bool,
}

impl<'g> Lowering<'g> {
    /// Rows of a set, of which more is asked than their cells.
    pub fn classes(&mut self, rows: Rows) -> Lowered<Vec<RowClass>> {
        let along = self.classes_apart(rows)?;
        let (of, mut classes) = (Cells::In(rows.of), Vec::new());
        let (mut before, mut length, mut begin) = (None, 1, of);
        for Apart { dir, cells, begin: only, whole } in along {
            if before.replace(dir) != Some(dir) {
                (length, begin) = (1, of);
            }
            let back = self.game.topology.opposite(dir).0;
            while length < cells {
                let next = self.shift(begin, back);
                begin = self.and(next, of);
                length += 1;
            }
            let bits = self.grid.of(&only);
            let only = self.fixed(bits);
            let begin = if whole { begin } else { self.and(begin, only) };
            classes.push(RowClass { dir, cells, begin });
        }
        Ok(classes)
    }

    /// The classes of those groups that are rows.
    pub fn row_classes(&mut self, groups: Groups) -> Lowered<Vec<RowClass>> {
        match groups {
            Groups::Rows(rows) => self.classes(rows),
            Groups::Classes(known) => Ok(self.tables.row_classes[usize::from(known)].clone()),
            Groups::Parts { .. } | Groups::None => Ok(Vec::new()),
        }
    }

    pub fn as_groups(&mut self, classes: Vec<RowClass>) -> Groups {
        self.tables.row_classes.push(classes);
        Groups::Classes(self.tables.row_classes.len() as u16 - 1)
    }

    /// By direction and length, shorter ones first, where rows begin on the whole board, each counted once. A single cell is
    /// one row, whatever lines go through it; on a ring some rows begin in several places.
    fn classes_apart(&self, rows: Rows) -> Lowered<Vec<Apart>> {
        let topology = &self.game.topology;
        let (mut seen, mut apart) = (HashSet::default(), Vec::new());
        for axis in self.axes_of(rows) {
            let [dir, _] = topology.directions_of(axis);
            let mut by_length: Vec<(CellSet, bool)> = Vec::new();
            let goes_out = self.goes_out(dir);
            for start in topology.any().iter() {
                let (mut row, mut at, mut length) = (CellSet::one(start), start, 1);
                while length <= rows.to {
                    if length >= rows.from {
                        let place = (length - rows.from) as usize;
                        // Of a long line there are too many to be looked at.
                        if apart.len() + place >= MAX_ROW_CLASSES {
                            return unplanned(TOO_MANY);
                        }
                        by_length.resize(by_length.len().max(place + 1), (CellSet::EMPTY, goes_out));
                        if seen.insert(row) {
                            by_length[place].0.insert(start);
                        } else {
                            by_length[place].1 = false;
                        }
                    }
                    let Some(next) = topology.step(at, dir).filter(|next| !row.contains(*next)) else { break };
                    row.insert(next);
                    (at, length) = (next, length + 1);
                }
            }
            for ((begin, whole), cells) in by_length.into_iter().zip(rows.from..) {
                if !begin.is_empty() {
                    apart.push(Apart { dir, cells, begin, whole });
                }
            }
        }
        Ok(apart)
    }

    /// The rows of which it is known only at play along which directions they lie, or how long they are.
    pub fn rows_at_play(&mut self, rows: Rows, dirs: Num, from: Num, to: Num) -> Lowered<Groups> {
        let mut classes = self.classes(rows)?;
        if matches!(dirs, Num::In(_)) && self.some_row_has_two_axes(rows) {
            return unplanned("rows along directions chosen at play, where a row lies along several");
        }
        for class in &mut classes {
            let cells = Num::Fixed(class.cells);
            let (long, short) =
                (self.compare_nums(Cmp::AtMost, from, cells), self.compare_nums(Cmp::AtLeast, to, cells));
            let so_long = self.both(long, short);
            // A single cell is a row along any direction.
            let along = match dirs {
                Num::In(_) if class.cells == 1 => self.compare_nums(Cmp::NotEqual, dirs, Num::Fixed(0)),
                Num::In(a) => {
                    let opposite = self.game.topology.opposite(class.dir);
                    let [forth, back] = [class.dir, opposite]
                        .map(|Dir(bit)| Num::In(self.number_op(|d| TreeOp::TestBit { d, a, bit })));
                    self.either(forth, back)
                }
                Num::Fixed(_) => Num::Fixed(1),
            };
            let kept = self.both(so_long, along);
            class.begin = self.keep(class.begin, kept);
        }
        Ok(self.as_groups(classes))
    }

    /// The axes that rows may lie along, each once.
    fn axes_of(&self, rows: Rows) -> Vec<Axis> {
        let along = each_bit(rows.dirs as i64).map(|dir| self.game.topology.axis(Dir(dir as u16)));
        let mut axes: Vec<Axis> = along.collect();
        axes.sort_unstable();
        axes.dedup();
        axes
    }

    /// Some row of several cells lies along two axes, as on a narrow ring.
    fn some_row_has_two_axes(&self, rows: Rows) -> bool {
        let topology = &self.game.topology;
        let mut seen = HashSet::default();
        self.axes_of(rows).into_iter().any(|axis| {
            let along = topology.directions_of(axis).into_iter().collect();
            let of_axis = topology.segments(&topology.any(), &along, rows.from.max(2), rows.to);
            of_axis.into_iter().any(|row| !seen.insert(row))
        })
    }

    /// The rows with a property.
    pub fn rows_where(&mut self, rows: Groups, filter: &'g Where<model::Groups>) -> Lowered<Groups> {
        let facts = match rows {
            Groups::Rows(rows) => Some(self.facts(Cells::In(rows.of))),
            _ => None,
        };
        let mut classes = self.row_classes(rows)?;
        for class in &mut classes {
            let (spot, before, mut lone) = (self.spot(), self.local(filter.it), Num::Fixed(1));
            self.bind(filter.it, Value::Any);
            let kept = self.keep_rows(*class, &filter.condition, &mut lone);
            self.bind(filter.it, before);
            let kept = kept?;
            if kept.is_none() {
                self.back_to(spot);
                lone = Num::Fixed(0);
            }
            let kept = kept.unwrap_or(self.none());
            if lone == Num::Fixed(1) {
                class.begin = kept;
                continue;
            }
            let (kept, several) = (self.keep(kept, lone), self.not(lone));
            let rest = RowClass { begin: self.keep(class.begin, several), ..*class };
            let others = self.rows_one_by_one(rest, facts, filter)?;
            class.begin = self.or(kept, others);
        }
        Ok(self.as_groups(classes))
    }

    /// Where those rows begin that have a property, asked of each by itself.
    fn rows_one_by_one(
        &mut self,
        class: RowClass,
        facts: Option<Facts>,
        filter: &'g Where<model::Groups>,
    ) -> Lowered<Cells> {
        let before = self.local(filter.it);
        let kept = self.union_over(class.begin, |lowering, cell| {
            let row = lowering.expanded(RowClass { begin: cell, ..class });
            facts.map(|facts| lowering.record_facts(row, facts));
            lowering.bind(filter.it, Value::Cells(row));
            let n = lowering.truth(&filter.condition)?;
            Ok(lowering.keep(cell, n))
        });
        self.bind(filter.it, before);
        kept
    }

    /// Where those rows begin of which a condition holds, asked of all of them at once; `None`: it is not one that can be.
    /// `lone`: whether that is right, as sets have one cell at most of which that is not known before.
    fn keep_rows(&mut self, class: RowClass, condition: &'g Truth, lone: &mut Num) -> Lowered<Option<Cells>> {
        Ok(match condition {
            Truth::And(all) => {
                let mut kept = class.begin;
                for condition in all {
                    let fewer = self.keep_rows(RowClass { begin: kept, ..class }, condition, lone)?;
                    let Some(fewer) = fewer else { return Ok(None) };
                    kept = fewer;
                }
                Some(kept)
            }
            Truth::Or(any) => {
                let mut kept = self.none();
                for condition in any {
                    let Some(more) = self.keep_rows(class, condition, lone)? else { return Ok(None) };
                    kept = self.or(kept, more);
                }
                Some(kept)
            }
            Truth::Not(inner) => {
                let Some(others) = self.keep_rows(class, inner, lone)? else { return Ok(None) };
                Some(self.without(class.begin, others))
            }
            Truth::Some(set) => {
                let Expr::Cells(model::Cells::And(all)) = &**set else { return Ok(None) };
                let (row, others): (Vec<_>, Vec<_>) = all.iter().partition(|set| self.is_the_cell(set));
                if row.is_empty() || others.iter().any(|set| self.cells_depend(set)) {
                    return Ok(None);
                }
                let mut with = self.all();
                for set in others {
                    let cells = self.cells(set)?;
                    with = self.and(with, cells);
                }
                let met = self.behind(class, with, false);
                Some(self.and(class.begin, met))
            }
            Truth::Within(sides) => match (&sides.0, &sides.1) {
                (Expr::Cells(part), Expr::Cells(row)) if self.is_the_cell(row) && !self.cells_depend(part) => {
                    let part = self.cells(part)?;
                    if !self.is_single(part) {
                        let count = self.count_cells(part);
                        let one = self.compare_nums(Cmp::AtMost, count, Num::Fixed(1));
                        *lone = if *lone == Num::Fixed(1) { one } else { self.both(*lone, one) };
                    }
                    let met = self.behind(class, part, false);
                    Some(self.and(class.begin, met))
                }
                (Expr::Cells(row), Expr::Cells(within)) if self.is_the_cell(row) && !self.cells_depend(within) => {
                    let within = self.cells(within)?;
                    let inside = self.behind(class, within, true);
                    Some(self.and(class.begin, inside))
                }
                _ => None,
            },
            Truth::Call(call) => self.call(call, |lowering, body| match body {
                Expr::Truth(truth) => lowering.keep_rows(class, truth, lone),
                _ => Ok(None),
            })?,
            _ => None,
        })
    }

    /// The cells from which a row would come upon a cell of the set; `always`: upon no others.
    fn behind(&mut self, class: RowClass, set: Cells, always: bool) -> Cells {
        let back = self.game.topology.opposite(class.dir).0;
        let (mut at, mut all) = (set, set);
        for _ in 1..class.cells {
            at = self.shift(at, back);
            all = if always { self.and(all, at) } else { self.or(all, at) };
        }
        all
    }

    /// All cells of the rows.
    fn expanded(&mut self, class: RowClass) -> Cells {
        let (mut at, mut all) = (class.begin, class.begin);
        for _ in 1..class.cells {
            at = self.shift(at, class.dir.0);
            all = self.or(all, at);
        }
        all
    }

    pub fn union_of_classes(&mut self, classes: &[RowClass]) -> Cells {
        classes.iter().fold(self.none(), |all, class| {
            let cells = self.expanded(*class);
            self.or(all, cells)
        })
    }

    /// Whether there is a row.
    pub fn some_row(&mut self, classes: &[RowClass]) -> Num {
        let begin = classes.iter().fold(self.none(), |all, class| self.or(all, class.begin));
        self.some_cells(begin)
    }

    /// How many rows there are.
    pub fn count_rows(&mut self, classes: &[RowClass]) -> Lowered<Num> {
        classes.iter().try_fold(Num::Fixed(0), |sum, class| {
            let count = self.count_cells(class.begin);
            self.arithmetic(Arithmetic::Add, sum, count, Span::NOWHERE)
        })
    }

    /// The rows of the greatest length that there are: shorter ones are left out where there are any longer ones.
    pub fn longest(&mut self, mut classes: Vec<RowClass>) -> Groups {
        sort::by_key(&mut classes, |class| Reverse(class.cells));
        let (mut longer, mut known, mut begun) = (Num::Fixed(0), 0, Vec::new());
        for class in classes {
            if std::mem::replace(&mut known, class.cells) != class.cells {
                longer = self.some_row(&begun);
            }
            let shorter = self.not(longer);
            let begin = self.keep(class.begin, shorter);
            begun.push(RowClass { begin, ..class });
        }
        self.as_groups(begun)
    }

    /// Which of two lists of rows has the longer ones, the longest compared first: 1 the first, -1 the second, 0 neither.
    pub fn compare_rows(&mut self, a: &[RowClass], b: &[RowClass]) -> Lowered<Num> {
        let mut lengths: Vec<i64> = a.iter().chain(b).map(|class| class.cells).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let mut order = Num::Fixed(0);
        for length in lengths {
            let of = |classes: &[RowClass]| {
                classes.iter().filter(|class| class.cells == length).copied().collect::<Vec<RowClass>>()
            };
            let (a, b) = (self.count_rows(&of(a))?, self.count_rows(&of(b))?);
            let (more, fewer) = (self.compare_nums(Cmp::Greater, a, b), self.compare_nums(Cmp::Less, a, b));
            let below = self.choose(fewer, Num::Fixed(-1), order);
            order = self.choose(more, Num::Fixed(1), below);
        }
        Ok(order)
    }

    /// The rows, in registers that nothing writes again.
    pub fn kept_classes(&mut self, mut classes: Vec<RowClass>) -> Groups {
        for class in &mut classes {
            if let Cells::In(reg) = class.begin
                && self.changes(reg)
            {
                class.begin = Cells::In(self.copied(class.begin));
            }
        }
        self.as_groups(classes)
    }

    /// `for each` row: from first cell to first cell in the order of the board, and from each by the last cell.
    pub fn for_each_row(&mut self, slot: Slot, rows: Groups, body: BlockId) -> Lowered<()> {
        let classes = self.row_classes(rows)?;
        let mut classes: Vec<RowClass> = classes.into_iter().map(|class| self.turned_to_first(class)).collect();
        let ordered = self.in_list_order(&classes)?;
        for class in &mut classes {
            class.begin = Cells::In(self.copied(class.begin));
        }
        let mut all = self.none();
        for in_turn in &ordered {
            let named = in_turn.rows.iter().map(|(first, begin)| (*begin, *first)).collect();
            let first = self.cells_named(classes[in_turn.class].begin, named, in_turn.is_whole);
            all = self.or(all, first);
        }
        let (rest, cell) = (self.copied(all), self.fresh.set());
        self.known.single.insert(cell);
        let round = self.block(|lowering| {
            for InTurn { class, rows, is_whole } in ordered {
                lowering.forget();
                let (begin, class) = (lowering.cells_named(Cells::In(cell), rows, is_whole), classes[class]);
                let begin = lowering.and(begin, class.begin);
                let begins = lowering.some_cells(begin);
                let then = lowering.block(|lowering| {
                    let row = lowering.expanded(RowClass { begin, ..class });
                    lowering.bind(slot, Value::Cells(row));
                    lowering.inner(body)
                })?;
                let condition = lowering.num(begins);
                lowering.when(condition, then, Vec::new());
            }
            Ok(())
        })?;
        if self.grid.is_in_order() {
            self.out.push(Node::Each { of: rest, cell, body: round });
        } else {
            self.each_in_order(rest, cell, round);
        }
        Ok(())
    }

    /// Of each of some cells another; a cell that is not named has none. Nothing is looked up where each has itself.
    fn cells_named(&mut self, of: Cells, named: Vec<(Cell, Cell)>, all_are: bool) -> Cells {
        if named.iter().all(|(from, to)| from == to) {
            let cells: CellSet = named.iter().map(|(from, _)| *from).collect();
            let bits = self.grid.of(&cells);
            let cells = self.fixed(bits);
            return if all_are { of } else { self.and(of, cells) };
        }
        let mut lists = vec![Bits::default(); 64 * self.grid.words];
        for (from, to) in named {
            lists[self.grid.bit(from)].insert(self.grid.bit(to));
        }
        let (list, a) = (self.list_number(lists), self.reg(of));
        Cells::In(self.set_op(|d| TreeOp::Lookup { d, a, list }))
    }

    /// A class whose rows end on their first cells, the other way round.
    fn turned_to_first(&mut self, class: RowClass) -> RowClass {
        let falls = |from: Cell| self.game.topology.step(from, class.dir).is_none_or(|to| to < from);
        if class.cells == 1 || !self.game.topology.cells().all(falls) {
            return class;
        }
        let begin = (1..class.cells).fold(class.begin, |begin, _| self.shift(begin, class.dir.0));
        RowClass { dir: self.game.topology.opposite(class.dir), begin, ..class }
    }

    /// The rows of some classes in the order in which they stand in a list of rows, for each first cell. Where a class comes
    /// before another from one cell and behind it from another, it stands in several places.
    fn in_list_order(&self, classes: &[RowClass]) -> Lowered<Vec<InTurn>> {
        let topology = &self.game.topology;
        // By first cell: the rows, each by its last cell.
        let mut lists = vec![Vec::new(); topology.len()];
        for (number, class) in classes.iter().enumerate() {
            for begin in topology.cells() {
                let (mut row, mut at) = (CellSet::one(begin), Some(begin));
                for _ in 1..class.cells {
                    at = at.and_then(|at| topology.step(at, class.dir)).filter(|next| !row.contains(*next));
                    at.iter().for_each(|next| row.insert(*next));
                }
                if let (Some(_), Some(first), last) = (at, row.min(), row.max()) {
                    lists[first.index()].push((last, row, number, begin));
                }
            }
        }
        for list in &mut lists {
            sort::by(list, |(last, row, ..), (other, its, ..)| (last, row.words()).cmp(&(other, its.words())));
            list.reverse();
        }
        let mut ordered: Vec<InTurn> = Vec::new();
        loop {
            let mut next = vec![0; classes.len()];
            lists.iter().filter_map(|list| list.last()).for_each(|(.., class, _)| next[*class] += 1);
            let Some((class, 1..)) =
                next.into_iter().enumerate().max_by_key(|(class, count)| (*count, Reverse(*class)))
            else {
                let places = |class| ordered.iter().filter(|other| other.class == class).count();
                let whole: Vec<bool> = ordered.iter().map(|in_turn| places(in_turn.class) == 1).collect();
                ordered.iter_mut().zip(whole).for_each(|(in_turn, whole)| in_turn.is_whole = whole);
                return Ok(ordered);
            };
            if ordered.len() == MAX_ROW_CLASSES {
                return unplanned(TOO_MANY);
            }
            let mut rows = Vec::new();
            for (list, first) in lists.iter_mut().zip(topology.cells()) {
                if let Some((.., begin)) = list.pop_if(|(.., of, _)| *of == class) {
                    rows.push((first, begin));
                }
            }
            ordered.push(InTurn { class, rows, is_whole: false });
        }
    }

    /// The arms of a pick of rows, the register that holds the row picked, and a number that tells
    /// whether there are several.
    pub fn row_arms(&mut self, rows: Groups) -> Lowered<(Vec<Arm>, SetReg, NumReg)> {
        let classes = self.row_classes(rows)?;
        let (cell, row) = (self.fresh.set(), self.fresh.set());
        // A longer row of a set has two of the shortest.
        let shortest = match rows {
            Groups::Rows(rows) => {
                let facts = self.facts(Cells::In(rows.of));
                self.record_facts(Cells::In(row), facts);
                Some(rows.from)
            }
            _ => None,
        };
        let (mut arms, mut some, mut several) = (Vec::new(), Num::Fixed(0), Num::Fixed(0));
        for class in classes {
            let (mut nodes, mut last) = (vec![Node::Op(TreeOp::Copy { d: row, a: cell })], cell);
            for _ in 1..class.cells {
                let d = self.fresh.set();
                nodes.push(Node::Op(TreeOp::Shift { d, a: last, dir: class.dir.0 }));
                nodes.push(Node::Op(TreeOp::Or { d: row, a: row, b: d }));
                last = d;
            }
            let of = self.reg(class.begin);
            arms.push(Arm::new(Options::Cells { of, cell }, nodes, format!("rows of {}", class.cells)));
            if shortest.is_none_or(|cells| class.cells == cells || class.cells == 2) {
                let (here, count) = (self.some_cells(class.begin), self.count_cells(class.begin));
                let (many, also) = (self.compare_nums(Cmp::Greater, count, Num::Fixed(1)), self.both(some, here));
                several = self.either(several, many);
                several = self.either(several, also);
                some = self.either(some, here);
            }
        }
        Ok((arms, row, self.num(several)))
    }
}
