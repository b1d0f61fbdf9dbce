//! Packing: operations in any order go in; direction vectors of those that do alike, one operation
//! each, come out among the others.

use std::mem::{Discriminant, discriminant};

use rustc_hash::FxHashMap as HashMap;
use smallvec::{SmallVec, smallvec};

use crate::plan::dir_vector::{DirVector, MAX_SLOTS, VecBinaryOp, row_size};
use crate::plan::op::TreeOp;
use crate::plan::passes::vectorize::Vectorizer;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::Plan;
use crate::plan::tuning::{MAX_NEIGHBOR_SHIFTS, MIN_SLOTS};
use crate::plan::vregs::VirtualRegs;

/// What is made of a register, with which other set.
type Uses = SmallVec<[(Discriminant<TreeOp>, SetReg); 4]>;
/// Operations that read a register.
type Users = SmallVec<[usize; 4]>;

/// Where an operand of a lane comes from: the same lane of a row, or a set that all lanes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operand {
    Pack(usize),
    Broadcast(SetReg),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackOp {
    Shift(Operand),
    /// A set that all lanes share, each by a bit of a number.
    KeepIf(SetReg, NumReg),
    /// Steps by so many hops, each lane by its own.
    Neighbors(Operand, usize),
    RayFill(Operand, Operand),
    Binary(VecBinaryOp, Operand, Operand),
}

impl PackOp {
    /// The rows that it joins, each once.
    fn operand_packs(self) -> SmallVec<[usize; 2]> {
        let operands = match self {
            PackOp::Shift(a) | PackOp::Neighbors(a, _) => [a, a],
            PackOp::RayFill(a, b) | PackOp::Binary(_, a, b) => [a, b],
            PackOp::KeepIf(..) => return SmallVec::new(),
        };
        let mut rows = SmallVec::new();
        for operand in operands {
            if let Operand::Pack(row) = operand
                && !rows.contains(&row)
            {
                rows.push(row);
            }
        }
        rows
    }
}

pub struct Pack {
    pub pack_op: PackOp,
    /// By lane: the number of the operation.
    pub ops: Vec<usize>,
    base: SetReg,
    /// So many other rows are made of it, whose lanes have its order.
    used: u32,
}

/// Operations in a row that can be put in any order.
pub struct Packer<'f, 'p> {
    pub vectorizer: &'f mut Vectorizer<'p>,
    pub ops: Vec<TreeOp>,
    /// By operation: its row and lane.
    pub slots: Vec<Option<(usize, usize)>>,
    pub dropped: Vec<bool>,
    pub defs: HashMap<SetReg, usize>,
    pub number_defs: HashMap<NumReg, usize>,
    pub users: HashMap<SetReg, Users>,
    pub packs: Vec<Pack>,
    pub vregs: VirtualRegs,
}

impl<'f, 'p> Packer<'f, 'p> {
    pub fn new(fans: &'f mut Vectorizer<'p>, run: &[TreeOp]) -> Packer<'f, 'p> {
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
        let fresh = *fans.vregs;
        Packer {
            vectorizer: fans,
            ops: run.to_vec(),
            slots: vec![None; run.len()],
            dropped: vec![false; run.len()],
            defs,
            number_defs,
            users,
            packs: Vec::new(),
            vregs: fresh,
        }
    }

    /// The operations with their rows; `None`: there are no rows.
    pub fn pack(mut self) -> Option<Vec<TreeOp>> {
        let looks = self.split_reaches();
        self.seed();
        let first = self.extend_from(0);
        (0..first).for_each(|row| self.duplicate_masks(row));
        self.extend_from(first);
        if self.packs.is_empty() {
            return None;
        }
        self.restore_reaches(looks);
        self.fuse_unions();
        let ordered = self.schedule()?;
        for row in &self.packs {
            self.vectorizer.plan.reg_vectors.push((row.base, row_size(row.ops.len())));
            for (lane, &op) in row.ops.iter().enumerate() {
                self.vectorizer.renamed.insert(defined_set(&self.ops[op]), SetReg(row.base.0 + lane as u16));
            }
        }
        *self.vectorizer.vregs = self.vregs;
        Some(ordered.into_iter().flat_map(|item| self.emit(item)).collect())
    }

    fn hop(&self, op: &TreeOp) -> Option<u16> {
        match *op {
            TreeOp::MaskedShift { hop, .. } => Some(hop),
            TreeOp::Shift { dir, .. } | TreeOp::RayFill { dir, .. } => {
                match self.vectorizer.plan.bitboard.dirs[usize::from(dir)].as_slice() {
                    [hop] => Some(*hop),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What completes rows for those who make a step: it parts what the step leads to.
    fn filtering_completion(&self, op: usize) -> Option<usize> {
        let reg = defined_set(&self.ops[op]);
        self.users.get(&reg)?.iter().find_map(|&user| match self.ops[user] {
            TreeOp::And { a, b, .. } | TreeOp::AndNot { a, b, .. } => {
                let other = *self.defs.get(if a == reg { &b } else { &a })?;
                if let TreeOp::LineCompletions { .. } = self.ops[other] { Some(other) } else { None }
            }
            _ => None,
        })
    }

    /// The same of what is made of a step by one operation.
    fn downstream_completion(&self, op: usize) -> Option<usize> {
        let users = self.users.get(&defined_set(&self.ops[op]))?;
        self.filtering_completion(op).or_else(|| users.iter().find_map(|&user| self.filtering_completion(user)))
    }

    pub fn new_pack(&mut self, rule: PackOp, ops: Vec<usize>) {
        let base = self.vregs.row(row_size(ops.len()));
        for (lane, &op) in ops.iter().enumerate() {
            self.slots[op] = Some((self.packs.len(), lane));
        }
        for row in rule.operand_packs() {
            self.packs[row].used += 1;
        }
        self.packs.push(Pack { pack_op: rule, ops, base, used: 0 });
    }

    /// Steps, and fills, from one set along different directions, and what is kept of it by
    /// different bits.
    fn seed(&mut self) {
        let mut seeds: Vec<(PackOp, Vec<(u16, usize)>)> = Vec::new();
        for (index, op) in self.ops.iter().enumerate() {
            let bit = self.mask_bit(op);
            let Some(hop) = self.hop(op).or(bit.map(|(_, bit)| u16::from(bit))) else { continue };
            let rule = match *op {
                TreeOp::KeepIf { a, .. } => PackOp::KeepIf(a, bit.map_or(NumReg(0), |(n, _)| n)),
                TreeOp::Shift { a, .. } | TreeOp::MaskedShift { a, .. } => PackOp::Shift(Operand::Broadcast(a)),
                TreeOp::RayFill { a, through, .. } => {
                    PackOp::RayFill(Operand::Broadcast(a), Operand::Broadcast(through))
                }
                _ => continue,
            };
            match seeds.iter_mut().find(|(known, _)| *known == rule) {
                Some((_, ops)) if ops.iter().all(|(other, _)| *other != hop) => ops.push((hop, index)),
                Some(_) => {}
                None => seeds.push((rule, vec![(hop, index)])),
            }
        }
        let parted: Vec<_> =
            seeds.into_iter().flat_map(|(rule, ops)| self.split_by_use(ops).map(|ops| (rule, ops))).collect();
        for (rule, mut ops) in parted.into_iter().filter(|(_, ops)| !ops.is_empty()) {
            // Rows from different sets have their directions in one order, so that what joins them
            // is a row. What one completion parts stands together.
            ops.sort_by_cached_key(|&(hop, index)| (self.downstream_completion(index), hop, index));
            let chunk = ops.len().div_ceil(ops.len().div_ceil(MAX_SLOTS));
            for chunk in ops.chunks(chunk).filter(|chunk| chunk.len() >= MIN_SLOTS) {
                self.new_pack(rule, chunk.iter().map(|(_, index)| *index).collect());
            }
        }
    }

    /// Operations apart from others, if they are not all used alike, but so many of them that these
    /// are a row.
    fn split_by_use(&self, ops: Vec<(u16, usize)>) -> [Vec<(u16, usize)>; 2] {
        let uses: Vec<Uses> = ops.iter().map(|(_, op)| self.uses(*op)).collect();
        let alike = |one: &&(Discriminant<TreeOp>, SetReg)| uses.iter().filter(|uses| uses.contains(*one)).count();
        // The first of those that most have.
        match uses.iter().flatten().rev().max_by_key(alike) {
            Some(most) if (MIN_SLOTS..ops.len()).contains(&alike(&most)) => {
                let (most, others) = ops.into_iter().zip(&uses).partition::<Vec<_>, _>(|(_, uses)| uses.contains(most));
                [most, others].map(|ops| ops.into_iter().map(|(op, _)| op).collect())
            }
            _ => [ops, Vec::new()],
        }
    }

    /// What is made of what an operation makes, with which other set.
    fn uses(&self, op: usize) -> Uses {
        let reg = defined_set(&self.ops[op]);
        let with = |user: usize| match self.ops[user] {
            TreeOp::And { a, b, .. } | TreeOp::Or { a, b, .. } | TreeOp::AndNot { a, b, .. } => {
                Some((discriminant(&self.ops[user]), if a == reg { b } else { a }))
            }
            _ => None,
        };
        self.users_of(reg).into_iter().filter_map(with).collect()
    }

    fn operand(&self, reg: SetReg, lane: usize) -> Operand {
        match self.defs.get(&reg).and_then(|&def| self.slots[def]) {
            Some((row, there)) if there == lane => Operand::Pack(row),
            _ => Operand::Broadcast(reg),
        }
    }

    fn pack_op(&self, op: &TreeOp, lane: usize) -> Option<PackOp> {
        let of = |reg: SetReg| self.operand(reg, lane);
        match *op {
            TreeOp::And { a, b, .. } => Some(PackOp::Binary(VecBinaryOp::And, of(a).min(of(b)), of(a).max(of(b)))),
            TreeOp::Or { a, b, .. } => Some(PackOp::Binary(VecBinaryOp::Or, of(a).min(of(b)), of(a).max(of(b)))),
            TreeOp::AndNot { a, b, .. } => Some(PackOp::Binary(VecBinaryOp::Without, of(a), of(b))),
            TreeOp::Shift { a, .. } | TreeOp::MaskedShift { a, .. } if self.hop(op).is_some() => {
                Some(PackOp::Shift(of(a)))
            }
            TreeOp::RayFill { a, through, .. } if self.hop(op).is_some() => Some(PackOp::RayFill(of(a), of(through))),
            TreeOp::Neighbors { a, along, .. } => match self.vectorizer.plan.along[usize::from(along)].len() {
                hops @ 1..=MAX_NEIGHBOR_SHIFTS => Some(PackOp::Neighbors(of(a), hops)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Puts the lanes of rows in order that nothing uses yet, if so what joins them with this row
    /// is a row: a run forward and steps back, say.
    fn align_slots(&mut self, row: usize) {
        let lanes: Vec<SetReg> = self.packs[row].ops.iter().map(|&op| defined_set(&self.ops[op])).collect();
        for first in self.users_of(lanes[0]) {
            let Some((other, _)) = self.other_operand_slot(first, lanes[0]) else { continue };
            if self.packs[other].ops.len() != lanes.len() || self.packs[other].used > 0 || self.slots[first].is_some() {
                continue;
            }
            let Some(together) = self.operand_closure(other, row) else { continue };
            let mut order = Vec::new();
            for reg in &lanes {
                let lane = self.users_of(*reg).into_iter().find_map(|user| {
                    let alike = discriminant(&self.ops[user]) == discriminant(&self.ops[first]);
                    let (there, lane) =
                        self.other_operand_slot(user, *reg).filter(|_| alike && self.slots[user].is_none())?;
                    (there == other && !order.contains(&lane)).then_some(lane)
                });
                order.extend(lane);
            }
            if order.len() == lanes.len() {
                together.into_iter().for_each(|other| self.permute(other, &order));
            }
        }
    }

    /// The row and all that it is made of, whose lanes take the same order; `None`: others are made
    /// of one of these too, or this row is.
    fn operand_closure(&self, other: usize, row: usize) -> Option<Vec<usize>> {
        let mut all = vec![other];
        let mut at = 0;
        while at < all.len() {
            for operand in self.packs[all[at]].pack_op.operand_packs() {
                if self.packs[operand].used > 1 {
                    return None;
                }
                all.push(operand);
            }
            at += 1;
        }
        (!all.contains(&row)).then_some(all)
    }

    fn permute(&mut self, row: usize, order: &[usize]) {
        let ops: Vec<usize> = order.iter().map(|&lane| self.packs[row].ops[lane]).collect();
        for (lane, &op) in ops.iter().enumerate() {
            self.slots[op] = Some((row, lane));
        }
        self.packs[row].ops = ops;
    }

    pub fn users_of(&self, reg: SetReg) -> Users {
        self.users.get(&reg).cloned().unwrap_or_default()
    }

    /// The row and lane of the other set that an operation joins with this one.
    pub fn other_operand_slot(&self, op: usize, reg: SetReg) -> Option<(usize, usize)> {
        let (a, b) = match self.ops[op] {
            TreeOp::And { a, b, .. }
            | TreeOp::Or { a, b, .. }
            | TreeOp::AndNot { a, b, .. }
            | TreeOp::RayFill { a, through: b, .. } => (a, b),
            _ => return None,
        };
        let other = if a == reg { b } else { a };
        self.defs.get(&other).and_then(|&def| self.slots[def])
    }

    /// Finds what is made of rows from one on; how many there are then.
    fn extend_from(&mut self, first: usize) -> usize {
        let mut grown = first;
        while grown < self.packs.len() {
            self.extend(grown);
            grown += 1;
        }
        grown
    }

    /// What uses all lanes of a row alike is a row.
    fn extend(&mut self, row: usize) {
        self.align_slots(row);
        let lanes: Vec<SetReg> = self.packs[row].ops.iter().map(|&op| defined_set(&self.ops[op])).collect();
        let used: Vec<Vec<(PackOp, usize)>> = lanes
            .iter()
            .enumerate()
            .map(|(lane, reg)| {
                let users = self.users.get(reg).map(Users::as_slice).unwrap_or_default();
                let open = users.iter().filter(|&&user| self.slots[user].is_none());
                let rules = open.filter_map(|&user| Some((self.pack_op(&self.ops[user], lane)?, user)));
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
                self.new_pack(rule, ops);
            }
        }
    }

    /// A union that takes in all lanes of a row, among other sets, takes in the union of the row.
    fn fuse_unions(&mut self) {
        for root in 0..self.ops.len() {
            let TreeOp::Or { d, .. } = self.ops[root] else { continue };
            if self.slots[root].is_some() || self.dropped[root] || self.is_inner_union(d) {
                continue;
            }
            let (mut leaves, mut inner) = (Vec::new(), Vec::new());
            self.leaves(root, &mut leaves, &mut inner);
            let mut terms = Vec::new();
            for row in 0..self.packs.len() {
                let lanes: Vec<SetReg> = self.packs[row].ops.iter().map(|&op| defined_set(&self.ops[op])).collect();
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

    fn is_inner_union(&self, d: SetReg) -> bool {
        self.vectorizer.counts.set_uses.of(d.0) == 1
            && self.users.get(&d).is_some_and(|users| {
                users.iter().all(|&user| matches!(self.ops[user], TreeOp::Or { .. }) && self.slots[user].is_none())
            })
    }

    fn leaves(&self, root: usize, leaves: &mut Vec<SetReg>, inner: &mut Vec<usize>) {
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            let TreeOp::Or { a, b, .. } = self.ops[at] else { continue };
            if at != root {
                inner.push(at);
            }
            for reg in [b, a] {
                match self.defs.get(&reg) {
                    Some(&def)
                        if matches!(self.ops[def], TreeOp::Or { .. })
                            && self.slots[def].is_none()
                            && self.is_inner_union(reg) =>
                    {
                        open.push(def);
                    }
                    _ => leaves.push(reg),
                }
            }
        }
    }

    pub fn add(&mut self, op: TreeOp) {
        self.defs.insert(defined_set(&op), self.ops.len());
        self.ops.push(op);
        self.slots.push(None);
        self.dropped.push(false);
    }

    fn replace_union(&mut self, root: usize, d: SetReg, terms: Vec<(usize, usize)>, leaves: Vec<SetReg>) {
        let mut parts = leaves;
        for (row, lanes) in terms {
            let union = self.vregs.set();
            let a = defined_set(&self.ops[self.packs[row].ops[0]]);
            self.add(TreeOp::VecUnion { d: union, a, lanes: lanes as u8, steps: None });
            parts.push(union);
        }
        let mut all = parts.remove(0);
        if parts.is_empty() {
            self.ops[root] = TreeOp::Copy { d, a: all };
        }
        while !parts.is_empty() {
            let next = parts.remove(0);
            if parts.is_empty() {
                self.ops[root] = TreeOp::Or { d, a: all, b: next };
            } else {
                let sum = self.vregs.set();
                self.add(TreeOp::Or { d: sum, a: all, b: next });
                all = sum;
            }
        }
    }

    /// All operations and rows, each behind what it needs; `None` if they need each other.
    fn schedule(&self) -> Option<Vec<Item>> {
        let mut order = Schedule { placed: vec![None; self.ops.len() + self.packs.len()], items: Vec::new() };
        for index in 0..self.ops.len() {
            if !self.dropped[index] {
                self.visit(self.item(index), &mut order)?;
            }
        }
        Some(order.items)
    }

    fn item(&self, op: usize) -> Item {
        self.slots[op].map_or(Item::Op(op), |(row, _)| Item::Pack(row))
    }

    fn visit(&self, item: Item, order: &mut Schedule) -> Option<()> {
        let (place, ops) = match &item {
            Item::Op(op) => (*op, std::slice::from_ref(op)),
            Item::Pack(row) => (self.ops.len() + row, self.packs[*row].ops.as_slice()),
        };
        match order.placed[place] {
            Some(true) => return Some(()),
            Some(false) => return None,
            None => order.placed[place] = Some(false),
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
        order.placed[place] = Some(true);
        order.items.push(item);
        Some(())
    }

    fn emit(&mut self, item: Item) -> SmallVec<[TreeOp; 1]> {
        let row = match item {
            Item::Op(op) => {
                let mut op = self.ops[op];
                if let TreeOp::VecUnion { a, .. } = &mut op {
                    *a = self.vectorizer.renamed.get(a).copied().unwrap_or(*a);
                }
                return smallvec![op];
            }
            Item::Pack(row) => row,
        };
        let Pack { pack_op: rule, ops, base, .. } = &self.packs[row];
        let (d, lanes) = (*base, ops.len() as u8);
        let place = |operand: Operand| match operand {
            Operand::Pack(row) => (self.packs[row].base, 1),
            Operand::Broadcast(reg) => (reg, 0),
        };
        let hops: Vec<u16> = ops.iter().filter_map(|&op| self.hop(&self.ops[op])).collect();
        smallvec![match *rule {
            PackOp::Shift(a) => {
                let (a, wide) = place(a);
                TreeOp::VecShift {
                    d,
                    a,
                    onto: None,
                    fan: intern_dir_vector(self.vectorizer.plan, hops, 0),
                    lanes,
                    wide,
                }
            }
            PackOp::Neighbors(a, hops) => {
                let alongs: SmallVec<[u16; MAX_SLOTS]> = ops
                    .iter()
                    .filter_map(
                        |&op| if let TreeOp::Neighbors { along, .. } = self.ops[op] { Some(along) } else { None },
                    )
                    .collect();
                let (a, wide) = place(a);
                return self.emit_neighbors((d, a, wide), &alongs, hops);
            }
            PackOp::KeepIf(a, n) => {
                let mut bits = [0; MAX_SLOTS];
                ops.iter()
                    .zip(&mut bits)
                    .for_each(|(&op, to)| *to = self.mask_bit(&self.ops[op]).map_or(0, |(_, bit)| bit));
                TreeOp::VecKeepIf { d, a, n, lanes, bits: u64::from_le_bytes(bits) }
            }
            PackOp::RayFill(a, through) => {
                let ((a, wide), (through, wide_through)) = (place(a), place(through));
                let dirs = ops
                    .iter()
                    .filter_map(|&op| if let TreeOp::RayFill { dir, .. } = self.ops[op] { Some(dir) } else { None });
                let longest =
                    dirs.map(|dir| self.vectorizer.plan.bitboard.longest[usize::from(dir)]).max().unwrap_or(0);
                let fan = intern_dir_vector(self.vectorizer.plan, hops, longest);
                TreeOp::VecRayFill { d, a, through, fan, lanes, wide: wide | wide_through << 1 }
            }
            PackOp::Binary(pairing, a, b) => {
                let ((a, wide), (b, wide_b)) = (place(a), place(b));
                TreeOp::VecBinary { pairing, d, a, b, lanes, wide: wide | wide_b << 1 }
            }
        }]
    }

    /// The cells around a set or a row, each lane by its own hops: a row of steps for each hop, and
    /// what they come to together.
    fn emit_neighbors(
        &mut self,
        (d, a, wide): (SetReg, SetReg, u8),
        alongs: &[u16],
        hops: usize,
    ) -> SmallVec<[TreeOp; 1]> {
        let (plan, fresh) = (&mut *self.vectorizer.plan, &mut *self.vectorizer.vregs);
        let (lanes, size) = (alongs.len() as u8, row_size(alongs.len()));
        let mut row = |plan: &mut Plan| {
            let first = fresh.row(size);
            plan.reg_vectors.push((first, size));
            first
        };
        let (mut ops, mut all) = (SmallVec::new(), None);
        for hop in 0..hops {
            let along = alongs.iter().map(|&along| plan.along[usize::from(along)][hop]).collect();
            let fan = intern_dir_vector(plan, along, 0);
            let step = if hops == 1 { d } else { row(plan) };
            ops.push(TreeOp::VecShift { d: step, a, onto: None, fan, lanes, wide });
            all = match all {
                None => Some(step),
                Some(before) => {
                    let d = if hop + 1 == hops { d } else { row(plan) };
                    ops.push(TreeOp::VecBinary { pairing: VecBinaryOp::Or, d, a: before, b: step, lanes, wide: 3 });
                    Some(d)
                }
            };
        }
        ops
    }
}

/// The number of a fan among those of the plan.
fn intern_dir_vector(plan: &mut Plan, hops: Vec<u16>, longest: u32) -> u16 {
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
    Pack(usize),
}

struct Schedule {
    /// By operation and row: whether it stands in its place already, of all that was begun.
    placed: Vec<Option<bool>>,
    items: Vec<Item>,
}

/// The set that an operation writes; numbers stand apart.
pub fn defined_set(op: &TreeOp) -> SetReg {
    let mut reg = SetReg(u16::MAX);
    op.accesses(|access| {
        if let Access::DefSet(d) = access {
            reg = d;
        }
    });
    reg
}
