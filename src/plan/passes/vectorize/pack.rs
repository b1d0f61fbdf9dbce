//! Operations in any order go in; rows of those that do alike, one operation each, come out among
//! the others.

use std::mem::{Discriminant, discriminant};

use rustc_hash::FxHashMap as HashMap;
use smallvec::{SmallVec, smallvec};

use crate::plan::dir_vector::{DirVector, MAX_SLOTS, VecBinaryOp, row_size};
use crate::plan::op::Op;
use crate::plan::passes::vectorize::Fans;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::Plan;
use crate::plan::vregs::VirtualRegs;

/// Fewer lanes are not worth a row.
pub(crate) const FEWEST: usize = 3;

/// Of more hops from each lane a row has more operations than the lanes.
const FEW_HOPS: usize = 2;

/// What is made of a register, with which other set.
type Uses = SmallVec<[(Discriminant<Op>, SetReg); 4]>;
/// Operations that read a register.
type Users = SmallVec<[usize; 4]>;

/// Where an operand of a lane comes from: the same lane of a row, or a set that all lanes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operand {
    Row(usize),
    Shared(SetReg),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Step(Operand),
    /// A set that all lanes share, each by a bit of a number.
    Keep(SetReg, NumReg),
    /// Steps by so many hops, each lane by its own.
    Around(Operand, usize),
    Fill(Operand, Operand),
    Pair(VecBinaryOp, Operand, Operand),
}

impl Rule {
    /// The rows that it joins, each once.
    fn rows(self) -> SmallVec<[usize; 2]> {
        let operands = match self {
            Rule::Step(a) | Rule::Around(a, _) => [a, a],
            Rule::Fill(a, b) | Rule::Pair(_, a, b) => [a, b],
            Rule::Keep(..) => return SmallVec::new(),
        };
        let mut rows = SmallVec::new();
        for operand in operands {
            if let Operand::Row(row) = operand
                && !rows.contains(&row)
            {
                rows.push(row);
            }
        }
        rows
    }
}

pub(crate) struct Row {
    pub(crate) rule: Rule,
    /// By lane: the number of the operation.
    pub(crate) ops: Vec<usize>,
    base: SetReg,
    /// So many other rows are made of it, whose lanes have its order.
    used: u32,
}

/// Operations in a row that can be put in any order.
pub(crate) struct Packing<'f, 'p> {
    pub(crate) fans: &'f mut Fans<'p>,
    pub(crate) ops: Vec<Op>,
    /// By operation: its row and lane.
    pub(crate) lanes: Vec<Option<(usize, usize)>>,
    pub(crate) dropped: Vec<bool>,
    pub(crate) defs: HashMap<SetReg, usize>,
    pub(crate) number_defs: HashMap<NumReg, usize>,
    pub(crate) users: HashMap<SetReg, Users>,
    pub(crate) rows: Vec<Row>,
    pub(crate) fresh: VirtualRegs,
}

impl<'f, 'p> Packing<'f, 'p> {
    pub(crate) fn new(fans: &'f mut Fans<'p>, run: &[Op]) -> Packing<'f, 'p> {
        let (mut defs, mut number_defs, mut users) =
            (HashMap::default(), HashMap::default(), HashMap::<SetReg, Users>::default());
        for (index, op) in run.iter().enumerate() {
            op.accesses(|access| match access {
                Access::DefSet(d) => drop(defs.insert(d, index)),
                Access::DefNum(d) => drop(number_defs.insert(d, index)),
                Access::UseSet(a) => users.entry(a).or_default().push(index),
                _ => {}
            });
        }
        let fresh = *fans.fresh;
        Packing {
            fans,
            ops: run.to_vec(),
            lanes: vec![None; run.len()],
            dropped: vec![false; run.len()],
            defs,
            number_defs,
            users,
            rows: Vec::new(),
            fresh,
        }
    }

    /// The operations with their rows; `None`: there are no rows.
    pub(crate) fn pack(mut self) -> Option<Vec<Op>> {
        let looks = self.part_looks();
        self.seed();
        let first = self.grow_from(0);
        (0..first).for_each(|row| self.keep_once_more(row));
        self.grow_from(first);
        if self.rows.is_empty() {
            return None;
        }
        self.put_looks_back(looks);
        self.unite();
        let ordered = self.ordered()?;
        for row in &self.rows {
            self.fans.plan.reg_vectors.push((row.base, row_size(row.ops.len())));
            for (lane, &op) in row.ops.iter().enumerate() {
                self.fans.renamed.insert(written(&self.ops[op]), SetReg(row.base.0 + lane as u16));
            }
        }
        *self.fans.fresh = self.fresh;
        Some(ordered.into_iter().flat_map(|item| self.emitted(item)).collect())
    }

    fn hop(&self, op: &Op) -> Option<u16> {
        match *op {
            Op::MaskedShift { hop, .. } => Some(hop),
            Op::Shift { dir, .. } | Op::RayFill { dir, .. } => {
                match self.fans.plan.bitboard.dirs[usize::from(dir)].as_slice() {
                    [hop] => Some(*hop),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What completes rows for those who make a step: it parts what the step leads to.
    fn completion(&self, op: usize) -> Option<usize> {
        let reg = written(&self.ops[op]);
        self.users.get(&reg)?.iter().find_map(|&user| match self.ops[user] {
            Op::And { a, b, .. } | Op::AndNot { a, b, .. } => {
                let other = *self.defs.get(if a == reg { &b } else { &a })?;
                if let Op::LineCompletions { .. } = self.ops[other] { Some(other) } else { None }
            }
            _ => None,
        })
    }

    /// The same of what is made of a step by one operation.
    fn parted_by(&self, op: usize) -> Option<usize> {
        let users = self.users.get(&written(&self.ops[op]))?;
        self.completion(op).or_else(|| users.iter().find_map(|&user| self.completion(user)))
    }

    pub(crate) fn new_row(&mut self, rule: Rule, ops: Vec<usize>) {
        let base = self.fresh.row(row_size(ops.len()));
        for (lane, &op) in ops.iter().enumerate() {
            self.lanes[op] = Some((self.rows.len(), lane));
        }
        for row in rule.rows() {
            self.rows[row].used += 1;
        }
        self.rows.push(Row { rule, ops, base, used: 0 });
    }

    /// Steps, and fills, from one set along different directions, and what is kept of it by
    /// different bits.
    fn seed(&mut self) {
        let mut seeds: Vec<(Rule, Vec<(u16, usize)>)> = Vec::new();
        for (index, op) in self.ops.iter().enumerate() {
            let bit = self.bit(op);
            let Some(hop) = self.hop(op).or(bit.map(|(_, bit)| u16::from(bit))) else { continue };
            let rule = match *op {
                Op::KeepIf { a, .. } => Rule::Keep(a, bit.map_or(NumReg(0), |(n, _)| n)),
                Op::Shift { a, .. } | Op::MaskedShift { a, .. } => Rule::Step(Operand::Shared(a)),
                Op::RayFill { a, through, .. } => Rule::Fill(Operand::Shared(a), Operand::Shared(through)),
                _ => continue,
            };
            match seeds.iter_mut().find(|(known, _)| *known == rule) {
                Some((_, ops)) if ops.iter().all(|(other, _)| *other != hop) => ops.push((hop, index)),
                Some(_) => {}
                None => seeds.push((rule, vec![(hop, index)])),
            }
        }
        let parted: Vec<_> =
            seeds.into_iter().flat_map(|(rule, ops)| self.parted(ops).map(|ops| (rule, ops))).collect();
        for (rule, mut ops) in parted.into_iter().filter(|(_, ops)| !ops.is_empty()) {
            // Rows from different sets have their directions in one order, so that what joins them
            // is a row. What one completion parts stands together.
            ops.sort_by_cached_key(|&(hop, index)| (self.parted_by(index), hop, index));
            let chunk = ops.len().div_ceil(ops.len().div_ceil(MAX_SLOTS));
            for chunk in ops.chunks(chunk).filter(|chunk| chunk.len() >= FEWEST) {
                self.new_row(rule, chunk.iter().map(|(_, index)| *index).collect());
            }
        }
    }

    /// Operations apart from others, if they are not all used alike, but so many of them that these
    /// are a row.
    fn parted(&self, ops: Vec<(u16, usize)>) -> [Vec<(u16, usize)>; 2] {
        let uses: Vec<Uses> = ops.iter().map(|(_, op)| self.uses(*op)).collect();
        let alike = |one: &&(Discriminant<Op>, SetReg)| uses.iter().filter(|uses| uses.contains(*one)).count();
        // The first of those that most have.
        match uses.iter().flatten().rev().max_by_key(alike) {
            Some(most) if (FEWEST..ops.len()).contains(&alike(&most)) => {
                let (most, others) = ops.into_iter().zip(&uses).partition::<Vec<_>, _>(|(_, uses)| uses.contains(most));
                [most, others].map(|ops| ops.into_iter().map(|(op, _)| op).collect())
            }
            _ => [ops, Vec::new()],
        }
    }

    /// What is made of what an operation makes, with which other set.
    fn uses(&self, op: usize) -> Uses {
        let reg = written(&self.ops[op]);
        let with = |user: usize| match self.ops[user] {
            Op::And { a, b, .. } | Op::Or { a, b, .. } | Op::AndNot { a, b, .. } => {
                Some((discriminant(&self.ops[user]), if a == reg { b } else { a }))
            }
            _ => None,
        };
        self.users_of(reg).into_iter().filter_map(with).collect()
    }

    fn operand(&self, reg: SetReg, lane: usize) -> Operand {
        match self.defs.get(&reg).and_then(|&def| self.lanes[def]) {
            Some((row, there)) if there == lane => Operand::Row(row),
            _ => Operand::Shared(reg),
        }
    }

    fn rule(&self, op: &Op, lane: usize) -> Option<Rule> {
        let of = |reg: SetReg| self.operand(reg, lane);
        match *op {
            Op::And { a, b, .. } => Some(Rule::Pair(VecBinaryOp::And, of(a).min(of(b)), of(a).max(of(b)))),
            Op::Or { a, b, .. } => Some(Rule::Pair(VecBinaryOp::Or, of(a).min(of(b)), of(a).max(of(b)))),
            Op::AndNot { a, b, .. } => Some(Rule::Pair(VecBinaryOp::Without, of(a), of(b))),
            Op::Shift { a, .. } | Op::MaskedShift { a, .. } if self.hop(op).is_some() => Some(Rule::Step(of(a))),
            Op::RayFill { a, through, .. } if self.hop(op).is_some() => Some(Rule::Fill(of(a), of(through))),
            Op::Neighbors { a, along, .. } => match self.fans.plan.along[usize::from(along)].len() {
                hops @ 1..=FEW_HOPS => Some(Rule::Around(of(a), hops)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Puts the lanes of rows in order that nothing uses yet, if so what joins them with this row
    /// is a row: a run forward and steps back, say.
    fn align(&mut self, row: usize) {
        let lanes: Vec<SetReg> = self.rows[row].ops.iter().map(|&op| written(&self.ops[op])).collect();
        for first in self.users_of(lanes[0]) {
            let Some((other, _)) = self.partner(first, lanes[0]) else { continue };
            if self.rows[other].ops.len() != lanes.len() || self.rows[other].used > 0 || self.lanes[first].is_some() {
                continue;
            }
            let Some(together) = self.made_of(other, row) else { continue };
            let mut order = Vec::new();
            for reg in &lanes {
                let lane = self.users_of(*reg).into_iter().find_map(|user| {
                    let alike = discriminant(&self.ops[user]) == discriminant(&self.ops[first]);
                    let (there, lane) = self.partner(user, *reg).filter(|_| alike && self.lanes[user].is_none())?;
                    (there == other && !order.contains(&lane)).then_some(lane)
                });
                order.extend(lane);
            }
            if order.len() == lanes.len() {
                together.into_iter().for_each(|other| self.put_in_order(other, &order));
            }
        }
    }

    /// The row and all that it is made of, whose lanes take the same order; `None`: others are made
    /// of one of these too, or this row is.
    fn made_of(&self, other: usize, row: usize) -> Option<Vec<usize>> {
        let mut all = vec![other];
        let mut at = 0;
        while at < all.len() {
            for operand in self.rows[all[at]].rule.rows() {
                if self.rows[operand].used > 1 {
                    return None;
                }
                all.push(operand);
            }
            at += 1;
        }
        (!all.contains(&row)).then_some(all)
    }

    fn put_in_order(&mut self, row: usize, order: &[usize]) {
        let ops: Vec<usize> = order.iter().map(|&lane| self.rows[row].ops[lane]).collect();
        for (lane, &op) in ops.iter().enumerate() {
            self.lanes[op] = Some((row, lane));
        }
        self.rows[row].ops = ops;
    }

    pub(crate) fn users_of(&self, reg: SetReg) -> Users {
        self.users.get(&reg).cloned().unwrap_or_default()
    }

    /// The row and lane of the other set that an operation joins with this one.
    pub(crate) fn partner(&self, op: usize, reg: SetReg) -> Option<(usize, usize)> {
        let (a, b) = match self.ops[op] {
            Op::And { a, b, .. }
            | Op::Or { a, b, .. }
            | Op::AndNot { a, b, .. }
            | Op::RayFill { a, through: b, .. } => (a, b),
            _ => return None,
        };
        let other = if a == reg { b } else { a };
        self.defs.get(&other).and_then(|&def| self.lanes[def])
    }

    /// Finds what is made of rows from one on; how many there are then.
    fn grow_from(&mut self, first: usize) -> usize {
        let mut grown = first;
        while grown < self.rows.len() {
            self.grow(grown);
            grown += 1;
        }
        grown
    }

    /// What uses all lanes of a row alike is a row.
    fn grow(&mut self, row: usize) {
        self.align(row);
        let lanes: Vec<SetReg> = self.rows[row].ops.iter().map(|&op| written(&self.ops[op])).collect();
        let used: Vec<Vec<(Rule, usize)>> = lanes
            .iter()
            .enumerate()
            .map(|(lane, reg)| {
                let users = self.users.get(reg).map(Users::as_slice).unwrap_or_default();
                let open = users.iter().filter(|&&user| self.lanes[user].is_none());
                let rules = open.filter_map(|&user| Some((self.rule(&self.ops[user], lane)?, user)));
                rules.collect()
            })
            .collect();
        let mut taken: Vec<usize> = Vec::new();
        for &(rule, first) in &used[0] {
            if taken.contains(&first) {
                continue;
            }
            let mut ops = Vec::new();
            for users in &used {
                let user =
                    users.iter().find(|(other, user)| *other == rule && !taken.contains(user) && !ops.contains(user));
                ops.extend(user.map(|(_, user)| *user));
            }
            if ops.len() == lanes.len() {
                taken.extend_from_slice(&ops);
                self.new_row(rule, ops);
            }
        }
    }

    /// A union that takes in all lanes of a row, among other sets, takes in the union of the row.
    fn unite(&mut self) {
        for root in 0..self.ops.len() {
            let Op::Or { d, .. } = self.ops[root] else { continue };
            if self.lanes[root].is_some() || self.dropped[root] || self.is_part_of_union(d) {
                continue;
            }
            let (mut leaves, mut inner) = (Vec::new(), Vec::new());
            self.leaves(root, &mut leaves, &mut inner);
            let mut terms = Vec::new();
            for row in 0..self.rows.len() {
                let lanes: Vec<SetReg> = self.rows[row].ops.iter().map(|&op| written(&self.ops[op])).collect();
                if lanes.iter().all(|lane| leaves.contains(lane)) {
                    leaves.retain(|leaf| !lanes.contains(leaf));
                    terms.push((row, lanes.len()));
                }
            }
            if terms.is_empty() {
                continue;
            }
            inner.into_iter().for_each(|op| self.dropped[op] = true);
            self.replace_union(root, d, terms, leaves);
        }
    }

    fn is_part_of_union(&self, d: SetReg) -> bool {
        self.fans.census.reads.of(d.0) == 1
            && self.users.get(&d).is_some_and(|users| {
                users.iter().all(|&user| matches!(self.ops[user], Op::Or { .. }) && self.lanes[user].is_none())
            })
    }

    fn leaves(&self, root: usize, leaves: &mut Vec<SetReg>, inner: &mut Vec<usize>) {
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            let Op::Or { a, b, .. } = self.ops[at] else { continue };
            if at != root {
                inner.push(at);
            }
            for reg in [b, a] {
                match self.defs.get(&reg) {
                    Some(&def)
                        if matches!(self.ops[def], Op::Or { .. })
                            && self.lanes[def].is_none()
                            && self.is_part_of_union(reg) =>
                    {
                        open.push(def);
                    }
                    _ => leaves.push(reg),
                }
            }
        }
    }

    pub(crate) fn add(&mut self, op: Op) {
        self.defs.insert(written(&op), self.ops.len());
        self.ops.push(op);
        self.lanes.push(None);
        self.dropped.push(false);
    }

    fn replace_union(&mut self, root: usize, d: SetReg, terms: Vec<(usize, usize)>, leaves: Vec<SetReg>) {
        let mut parts = leaves;
        for (row, lanes) in terms {
            let union = self.fresh.set();
            let a = written(&self.ops[self.rows[row].ops[0]]);
            self.add(Op::VecUnion { d: union, a, lanes: lanes as u8, steps: None });
            parts.push(union);
        }
        let mut all = parts.remove(0);
        if parts.is_empty() {
            self.ops[root] = Op::Copy { d, a: all };
        }
        while !parts.is_empty() {
            let next = parts.remove(0);
            if parts.is_empty() {
                self.ops[root] = Op::Or { d, a: all, b: next };
            } else {
                let sum = self.fresh.set();
                self.add(Op::Or { d: sum, a: all, b: next });
                all = sum;
            }
        }
    }

    /// All operations and rows, each behind what it needs; `None` if they need each other.
    fn ordered(&self) -> Option<Vec<Item>> {
        let mut order = Order { begun: vec![None; self.ops.len() + self.rows.len()], items: Vec::new() };
        for index in 0..self.ops.len() {
            if !self.dropped[index] {
                self.visit(self.item(index), &mut order)?;
            }
        }
        Some(order.items)
    }

    fn item(&self, op: usize) -> Item {
        self.lanes[op].map_or(Item::Op(op), |(row, _)| Item::Row(row))
    }

    fn visit(&self, item: Item, order: &mut Order) -> Option<()> {
        let (place, ops) = match &item {
            Item::Op(op) => (*op, std::slice::from_ref(op)),
            Item::Row(row) => (self.ops.len() + row, self.rows[*row].ops.as_slice()),
        };
        match order.begun[place] {
            Some(true) => return Some(()),
            Some(false) => return None,
            None => order.begun[place] = Some(false),
        }
        for op in ops {
            let mut needed = Users::new();
            self.ops[*op].accesses(|access| match access {
                Access::UseSet(reg) => needed.extend(self.defs.get(&reg).copied()),
                Access::UseNum(reg) => needed.extend(self.number_defs.get(&reg).copied()),
                _ => {}
            });
            // A union is told by its first lane.
            for def in needed {
                self.visit(self.item(def), order)?;
            }
        }
        order.begun[place] = Some(true);
        order.items.push(item);
        Some(())
    }

    fn emitted(&mut self, item: Item) -> SmallVec<[Op; 1]> {
        let row = match item {
            Item::Op(op) => {
                let mut op = self.ops[op];
                if let Op::VecUnion { a, .. } = &mut op {
                    *a = self.fans.renamed.get(a).copied().unwrap_or(*a);
                }
                return smallvec![op];
            }
            Item::Row(row) => row,
        };
        let Row { rule, ops, base, .. } = &self.rows[row];
        let (d, lanes) = (*base, ops.len() as u8);
        let place = |operand: Operand| match operand {
            Operand::Row(row) => (self.rows[row].base, 1),
            Operand::Shared(reg) => (reg, 0),
        };
        let hops: Vec<u16> = ops.iter().filter_map(|&op| self.hop(&self.ops[op])).collect();
        smallvec![match *rule {
            Rule::Step(a) => {
                let (a, wide) = place(a);
                Op::VecShift { d, a, onto: None, fan: fan_of(self.fans.plan, hops, 0), lanes, wide }
            }
            Rule::Around(a, hops) => {
                let alongs: SmallVec<[u16; MAX_SLOTS]> = ops
                    .iter()
                    .filter_map(|&op| if let Op::Neighbors { along, .. } = self.ops[op] { Some(along) } else { None })
                    .collect();
                let (a, wide) = place(a);
                return self.steps_around((d, a, wide), &alongs, hops);
            }
            Rule::Keep(a, n) => {
                let mut bits = [0; MAX_SLOTS];
                ops.iter().zip(&mut bits).for_each(|(&op, to)| *to = self.bit(&self.ops[op]).map_or(0, |(_, bit)| bit));
                Op::VecKeepIf { d, a, n, lanes, bits: u64::from_le_bytes(bits) }
            }
            Rule::Fill(a, through) => {
                let ((a, wide), (through, wide_through)) = (place(a), place(through));
                let dirs = ops
                    .iter()
                    .filter_map(|&op| if let Op::RayFill { dir, .. } = self.ops[op] { Some(dir) } else { None });
                let longest = dirs.map(|dir| self.fans.plan.bitboard.longest[usize::from(dir)]).max().unwrap_or(0);
                let fan = fan_of(self.fans.plan, hops, longest);
                Op::VecRayFill { d, a, through, fan, lanes, wide: wide | wide_through << 1 }
            }
            Rule::Pair(pairing, a, b) => {
                let ((a, wide), (b, wide_b)) = (place(a), place(b));
                Op::VecBinary { pairing, d, a, b, lanes, wide: wide | wide_b << 1 }
            }
        }]
    }

    /// The cells around a set or a row, each lane by its own hops: a row of steps for each hop, and
    /// what they come to together.
    fn steps_around(&mut self, (d, a, wide): (SetReg, SetReg, u8), alongs: &[u16], hops: usize) -> SmallVec<[Op; 1]> {
        let (plan, fresh) = (&mut *self.fans.plan, &mut *self.fans.fresh);
        let (lanes, size) = (alongs.len() as u8, row_size(alongs.len()));
        let mut row = |plan: &mut Plan| {
            let first = fresh.row(size);
            plan.reg_vectors.push((first, size));
            first
        };
        let (mut ops, mut all) = (SmallVec::new(), None);
        for hop in 0..hops {
            let along = alongs.iter().map(|&along| plan.along[usize::from(along)][hop]).collect();
            let fan = fan_of(plan, along, 0);
            let step = if hops == 1 { d } else { row(plan) };
            ops.push(Op::VecShift { d: step, a, onto: None, fan, lanes, wide });
            all = match all {
                None => Some(step),
                Some(before) => {
                    let d = if hop + 1 == hops { d } else { row(plan) };
                    ops.push(Op::VecBinary { pairing: VecBinaryOp::Or, d, a: before, b: step, lanes, wide: 3 });
                    Some(d)
                }
            };
        }
        ops
    }
}

/// The number of a fan among those of the plan.
fn fan_of(plan: &mut Plan, hops: Vec<u16>, longest: u32) -> u16 {
    let fan = DirVector { hops, longest };
    let at = plan.dir_vectors.iter().position(|known| *known == fan).unwrap_or_else(|| {
        plan.dir_vectors.push(fan);
        plan.dir_vectors.len() - 1
    });
    at as u16
}

#[derive(Clone, Copy, Debug)]
enum Item {
    Op(usize),
    Row(usize),
}

struct Order {
    /// By operation and row: whether it stands in its place already, of all that was begun.
    begun: Vec<Option<bool>>,
    items: Vec<Item>,
}

/// The set that an operation writes; numbers stand apart.
pub(crate) fn written(op: &Op) -> SetReg {
    let mut reg = SetReg(u16::MAX);
    op.accesses(|access| {
        if let Access::DefSet(d) = access {
            reg = d;
        }
    });
    reg
}
