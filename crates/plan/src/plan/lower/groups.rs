//! Group lowering: groups go in; the sets whose parts they are come out. A condition on groups that
//! asks whether they hold some cell is a flood.

use crate::model;
use crate::model::{Truth, Where};
use crate::plan::bitboard::Bits;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Fixed, Groups, Lowered, Num, RowClass, Rows, Value, unplanned};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::passes::Pass;
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::Node;
use crate::plan::tuning::MAX_ROW_WORDS_UNROLLED;

impl<'g> Lowering<'g> {
    pub fn groups(&mut self, groups: &'g model::Groups) -> Lowered<Groups> {
        use model::Groups as G;
        Ok(match groups {
            G::Empty => Groups::None,
            G::Local(slot) => match self.local(*slot) {
                Value::Groups(groups) => groups,
                _ => return unplanned("groups"),
            },
            G::Call(call) => self.call(call, |lowering, body| match lowering.value(body)? {
                Value::Groups(groups) => Ok(groups),
                _ => unplanned("groups"),
            })?,
            G::If(choice) => match self.truth(&choice.condition)? {
                Num::Fixed(0) => self.groups(&choice.otherwise)?,
                Num::Fixed(_) => self.groups(&choice.then)?,
                Num::In(chosen) => {
                    let (then, otherwise) = (self.groups(&choice.then)?, self.groups(&choice.otherwise)?);
                    self.groups_chosen(chosen, then, otherwise)?
                }
            },
            G::Where(filter) => self.groups_where(filter)?,
            G::Groups(of, dirs) => {
                let (of, dirs) = (self.cells(of)?, self.dirs(dirs)?);
                let Num::Fixed(dirs) = dirs else { return unplanned("groups along directions chosen at play") };
                let along = self.along(dirs as u64 | self.opposite_bits(dirs) as u64);
                Groups::Parts { of: self.reg(of), along }
            }
            G::Segments { of, dirs: which, from, to } => {
                let (of, dirs, from) = (self.cells(of)?, self.dirs(which)?, self.number(from)?);
                let to = to.as_ref().map_or(Ok(Num::Fixed(i64::MAX)), |to| self.number(to))?;
                let least = if let Num::Fixed(from) = from { from.max(1) } else { 1 };
                let most = if let Num::Fixed(to) = to { to } else { i64::MAX };
                if least > most {
                    return Ok(Groups::None);
                }
                let along = if let Num::Fixed(dirs) = dirs { dirs as u64 } else { self.dirs_at_most(which) };
                let rows = Rows { of: self.reg(of), dirs: along, from: least, to: most };
                match (dirs, from, to) {
                    (Num::Fixed(_), Num::Fixed(_), Num::Fixed(_)) => Groups::Rows(rows),
                    _ => self.rows_at_play(rows, dirs, from, to)?,
                }
            }
            G::Largest(of) => match self.groups(of)? {
                Groups::Parts { of, along } => self.largest(of, along),
                Groups::None => Groups::None,
                rows => {
                    let classes = self.row_classes(rows)?;
                    self.longest(classes)
                }
            },
        })
    }

    /// One kind of groups or another, as is known only at play: of those not chosen there are none.
    fn groups_chosen(&mut self, chosen: NumReg, then: Groups, otherwise: Groups) -> Lowered<Groups> {
        let not_chosen = self.not(Num::In(chosen));
        let mut parts = Vec::new();
        let mut classes = Vec::new();
        for (groups, when) in [(then, Num::In(chosen)), (otherwise, not_chosen)] {
            match groups {
                Groups::None => {}
                Groups::Parts { of, along } => {
                    let kept = self.keep(Cells::In(of), when);
                    parts.push((kept, along));
                }
                rows => {
                    for class in self.row_classes(rows)? {
                        classes.push(RowClass { begin: self.keep(class.begin, when), ..class });
                    }
                }
            }
        }
        match *parts.as_slice() {
            [] => Ok(self.as_groups(classes)),
            _ if !classes.is_empty() => unplanned("groups or rows chosen at play"),
            [(of, along)] => Ok(Groups::Parts { of: self.reg(of), along }),
            [(then, along), (otherwise, also), ..] if along == also => {
                let of = self.or(then, otherwise);
                Ok(Groups::Parts { of: self.reg(of), along })
            }
            _ => unplanned("groups along other directions chosen at play"),
        }
    }

    /// All cells of the groups.
    pub fn union(&mut self, groups: Groups) -> Lowered<Cells> {
        Ok(match groups {
            Groups::None => self.none(),
            Groups::Parts { of, .. } => Cells::In(of),
            Groups::Rows(Rows { of, dirs, from, .. }) => self.rows(of, dirs, from)?,
            Groups::Classes(_) => {
                let classes = self.row_classes(groups)?;
                self.union_of_classes(&classes)
            }
        })
    }

    /// The cells of unbroken rows of at least `from` cells: cells that begin one, and those behind
    /// them.
    fn rows(&mut self, of: SetReg, dirs: u64, from: i64) -> Lowered<Cells> {
        if let Some(list) = self.list_of_rows(dirs, from) {
            return Ok(Cells::In(self.set_op(|d| TreeOp::FullLines { d, a: of, list })));
        }
        let topology = &self.game.topology;
        let mut all = self.none();
        let mut done = 0u64;
        for dir in crate::plan::lower::set::each_bit(dirs as i64) {
            let opposite = topology.opposite(crate::board::Dir(dir as u16)).0;
            if done >> opposite & 1 == 1 {
                continue;
            }
            done |= 1 << dir;
            let mut begin = Cells::In(of);
            for _ in 1..from {
                let next = self.shift(begin, opposite);
                begin = self.and(next, Cells::In(of));
            }
            let mut row = begin;
            for _ in 1..from {
                begin = self.shift(begin, dir as u16);
                row = self.or(row, begin);
            }
            all = self.or(all, row);
        }
        Ok(all)
    }

    /// The rows of so many cells along some directions, if they are few: each is then asked for by
    /// itself.
    fn list_of_rows(&mut self, dirs: u64, cells: i64) -> Option<u16> {
        let along: crate::board::DirSet =
            crate::plan::lower::set::each_bit(dirs as i64).map(|dir| crate::board::Dir(dir as u16)).collect();
        let rows = self.game.topology.segments(&self.game.topology.any(), &along, cells, cells);
        if rows.len() * self.grid.words > MAX_ROW_WORDS_UNROLLED || !self.has(Pass::UnrollLines) {
            return None;
        }
        let rows: Vec<Bits> = rows.iter().map(|row| self.grid.of(row)).collect();
        Some(self.list_number(rows))
    }

    /// The groups with a property. What asks for some cell of each is told for all of them at once;
    /// the groups that stay are the parts of the cells that stay.
    fn groups_where(&mut self, filter: &'g Where<model::Groups>) -> Lowered<Groups> {
        let (of, along) = match self.groups(&filter.set)? {
            Groups::Parts { of, along } => (of, along),
            Groups::None => return Ok(Groups::None),
            rows => return self.rows_where(rows, filter),
        };
        let before = self.local(filter.it);
        self.bind(filter.it, Value::Any);
        let kept = if self.has(Pass::GroupPredicate) {
            self.keep_groups(Cells::In(of), along, &filter.condition)
        } else {
            Ok(None)
        };
        self.bind(filter.it, before);
        if let Some(kept) = kept? {
            return Ok(Groups::Parts { of: self.reg(kept), along });
        }
        let facts = self.facts(Cells::In(of));
        let (kept, group) = (self.fresh.set(), self.fresh.set());
        let none = self.constant(Fixed::NONE);
        self.emit(TreeOp::Copy { d: kept, a: none });
        let body = self.block(|lowering| {
            lowering.forget_results();
            lowering.record_facts(Cells::In(group), facts);
            lowering.bind(filter.it, Value::Cells(Cells::In(group)));
            let n = lowering.truth(&filter.condition)?;
            let good = lowering.keep(Cells::In(group), n);
            let b = lowering.reg(good);
            lowering.emit(TreeOp::Or { d: kept, a: kept, b });
            Ok(())
        })?;
        let of = self.copied(Cells::In(of));
        self.out.push(Node::EachGroup { of, along, group, body });
        Ok(Groups::Parts { of: kept, along })
    }

    fn keep_groups(&mut self, of: Cells, along: u16, condition: &'g Truth) -> Lowered<Option<Cells>> {
        match condition {
            Truth::And(all) => {
                let mut kept = of;
                for condition in all {
                    let Some(fewer) = self.keep_groups(kept, along, condition)? else { return Ok(None) };
                    kept = fewer;
                }
                Ok(Some(kept))
            }
            Truth::Not(inner) => {
                let Some(others) = self.keep_groups(of, along, inner)? else { return Ok(None) };
                Ok(Some(self.without(of, others)))
            }
            Truth::Some(set) => {
                let model::Expr::Cells(cells) = &**set else { return Ok(None) };
                if !self.linear(cells, of)? {
                    return Ok(None);
                }
                let Some(image) = self.image(cells, self.all())? else { return Ok(None) };
                let seeds = self.and(of, image);
                let facts = self.facts(of);
                let (a, within) = (self.reg(seeds), self.reg(of));
                let flood = Cells::In(self.set_op(|d| TreeOp::FloodFill { d, a, within, along, kept: None }));
                Ok(Some(self.record_facts(flood, facts)))
            }
            Truth::Call(call) => self.call(call, |lowering, body| match body {
                model::Expr::Truth(truth) => lowering.keep_groups(of, along, truth),
                _ => Ok(None),
            }),
            _ => Ok(None),
        }
    }

    /// The set of a group is the union of the sets of its cells. `adjacent` leaves out the group:
    /// then what is asked of it must lie outside the set that the groups are parts of.
    fn linear(&mut self, cells: &'g model::Cells, of: Cells) -> Lowered<bool> {
        use model::Cells as C;
        Ok(match cells {
            C::Local(_) | C::Here | C::Shift(..) => true,
            C::And(all) => {
                let mut beside = false;
                for set in all.iter() {
                    match set {
                        C::Adjacent(..) if self.cells_depend(set) => beside = true,
                        set if self.cells_depend(set) && !self.is_the_cell(set) => return Ok(false),
                        _ => {}
                    }
                }
                if !beside {
                    return Ok(true);
                }
                let mut outside = false;
                for set in all.iter() {
                    if !self.cells_depend(set) {
                        let set = self.cells(set)?;
                        outside |= self.apart(set, of);
                    }
                }
                outside
            }
            C::Call(call) => match &self.game.defines[call.define.0 as usize].body {
                model::Expr::Cells(body) => self.call(call, |lowering, _| lowering.linear(body, of))?,
                _ => false,
            },
            _ => !self.cells_depend(cells),
        })
    }

    fn largest(&mut self, of: SetReg, along: u16) -> Groups {
        let (kept, most, group) = (self.fresh.set(), self.fresh.number(), self.fresh.set());
        let none = self.constant(Fixed::NONE);
        self.emit(TreeOp::Copy { d: kept, a: none });
        self.emit(TreeOp::Const { d: most, k: 0 });
        let (size, greater, equal) = (self.fresh.number(), self.fresh.number(), self.fresh.number());
        let grown = self.fresh.set();
        let ops = [
            TreeOp::Popcount { d: size, a: group },
            TreeOp::Compare { cmp: Cmp::Greater, d: greater, a: size, b: most },
            TreeOp::Compare { cmp: Cmp::AtLeast, d: equal, a: size, b: most },
            TreeOp::Select { d: kept, n: greater, a: none, b: kept },
            TreeOp::KeepIf { d: grown, a: group, n: equal },
            TreeOp::Or { d: kept, a: kept, b: grown },
            TreeOp::SelectNum { d: most, n: greater, a: size, b: most },
        ];
        let of = self.copied(Cells::In(of));
        self.out.push(Node::EachGroup { of, along, group, body: ops.map(Node::Op).to_vec() });
        Groups::Parts { of: kept, along }
    }
}
