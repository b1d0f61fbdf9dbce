//! Liveness: linear code goes in; which registers are live where comes out, what a choice must
//! keep, and which registers can share a physical one.

use crate::plan::code::Code;
use crate::plan::op::{CodeOp, FusedOp, LinearOp};
use crate::plan::regs::{Access, NumReg, SetReg};

/// Which registers are wanted where, in one program or all of them.
pub struct Life<O = LinearOp> {
    /// The place of the first operation, and all as they were when it was found.
    first: usize,
    ops: Vec<O>,
    flow: Flow,
    /// The first names: of registers that all programs share.
    shared: usize,
    /// By operation: what is wanted before it, a bit a register; so many words for each.
    wanted: Vec<u64>,
    width: usize,
    names: Vec<Name>,
    set_ids: Ids,
    number_ids: Ids,
    writes: Vec<(usize, u32)>,
    /// Choices and splits, and where they stand.
    pub points: Vec<(usize, usize)>,
    pub splits: Vec<(usize, usize)>,
}

#[derive(Clone, Copy)]
enum Name {
    Set(u16),
    Number(u16),
}

/// The bits of registers, by their number.
#[derive(Default)]
struct Ids(Vec<u32>);

/// A register without a bit.
const NO_ID: u32 = u32::MAX;

impl Ids {
    fn get(&self, reg: u16) -> Option<usize> {
        self.0.get(usize::from(reg)).filter(|&&id| id != NO_ID).map(|&id| id as usize)
    }

    fn of(&mut self, reg: u16, named: impl FnOnce() -> u32) -> u32 {
        let at = usize::from(reg);
        if at >= self.0.len() {
            self.0.resize(at + 1, NO_ID);
        }
        if self.0[at] == NO_ID {
            self.0[at] = named();
        }
        self.0[at]
    }
}

/// What an operation reads and writes, and where it may lead: stretches of lists.
#[derive(Clone, Copy)]
struct Touched {
    reads: (u32, u32),
    writes: (u32, u32),
    next: (u32, u32),
    all: bool,
    /// It is done for the sake of this register alone.
    serves: Option<u32>,
}

/// By operation, the lists, and the order to go through: what an operation leads to comes before
/// it, unless rounds come back to it.
#[derive(Default)]
struct Flow {
    touched: Vec<Touched>,
    read: Vec<u32>,
    written: Vec<u32>,
    next: Vec<u32>,
    order: Vec<u32>,
    /// Where rounds come back to: from which place in the order, and to which operation.
    rounds: Vec<(usize, u32)>,
}

fn part<T>(list: &[T], (begin, end): (u32, u32)) -> &[T] {
    &list[begin as usize..end as usize]
}

impl Flow {
    /// Finds the order.
    fn sort(&mut self) {
        self.order.clear();
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Not,
            Open,
            Done,
        }
        let mut seen = vec![Seen::Not; self.touched.len()];
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut back: Vec<(u32, u32)> = Vec::new();
        for root in 0..self.touched.len() {
            if seen[root] != Seen::Not {
                continue;
            }
            seen[root] = Seen::Open;
            open.push((root as u32, self.touched[root].next.0));
            while let Some((at, next)) = open.last_mut() {
                if *next == self.touched[*at as usize].next.1 {
                    seen[*at as usize] = Seen::Done;
                    self.order.push(*at);
                    open.pop();
                    continue;
                }
                let (from, to) = (*at, self.next[*next as usize]);
                *next += 1;
                match seen[to as usize] {
                    Seen::Not => {
                        seen[to as usize] = Seen::Open;
                        open.push((to, self.touched[to as usize].next.0));
                    }
                    Seen::Open => back.push((from, to)),
                    Seen::Done => {}
                }
            }
        }
        let place = |from| self.order.iter().position(|at| *at == from).unwrap_or(0);
        self.rounds = back.into_iter().map(|(from, to)| (place(from), to)).collect();
    }
}

impl<O: CodeOp> Life<O> {
    pub fn of(linked: &Code<O>, first: usize, shared: (u16, u16)) -> Life<O> {
        let mut life = Life::begun(linked, first, shared, |_| None);
        life.find(|_| true);
        life
    }

    /// With nothing found yet. An operation that `serves` one register alone wants nothing where
    /// that is not wanted.
    pub fn begun(linked: &Code<O>, first: usize, shared: (u16, u16), serves: impl Fn(&O) -> Option<Access>) -> Life<O> {
        let mut life = Life {
            first,
            ops: linked.code[first..].to_vec(),
            flow: Flow::default(),
            shared: usize::from(shared.0) + usize::from(shared.1),
            wanted: Vec::new(),
            width: 0,
            names: Vec::new(),
            set_ids: Ids::default(),
            number_ids: Ids::default(),
            writes: Vec::new(),
            points: Vec::new(),
            splits: Vec::new(),
        };
        let words = (0..shared.0)
            .map(|reg| Access::UseSet(SetReg(reg)))
            .chain((0..shared.1).map(|reg| Access::UseNum(NumReg(reg))));
        words.for_each(|word| _ = life.id(word));
        for at in 0..life.ops.len() {
            let touched = life.touched(linked, at, &serves);
            life.writes.extend(part(&life.flow.written, touched.writes).iter().map(|id| (at, *id)));
            life.flow.touched.push(touched);
            match life.ops[at].into() {
                FusedOp::Choice { index } => life.points.push((index as usize, at)),
                FusedOp::First { index } => life.splits.push((index as usize, at)),
                _ => {}
            }
        }
        life.flow.sort();
        life
    }

    /// Takes in which operations are others now. They lead to no others than before, but to the
    /// next.
    pub fn renew(&mut self, linked: &Code<O>, serves: impl Fn(&O) -> Option<Access>) {
        for at in 0..self.ops.len() {
            let op = linked.code[self.first + at];
            if self.ops[at] != op {
                self.ops[at] = op;
                self.flow.touched[at] = self.touched(linked, at, &serves);
            }
        }
    }

    /// The bit of a register; `None`: all that programs share are meant.
    fn id(&mut self, access: Access) -> Option<u32> {
        let Life { names, set_ids, number_ids, .. } = self;
        let mut named = |name: Name| {
            names.push(name);
            names.len() as u32 - 1
        };
        match access {
            Access::UseSet(SetReg(reg)) | Access::DefSet(SetReg(reg)) => {
                Some(set_ids.of(reg, || named(Name::Set(reg))))
            }
            Access::UseNum(NumReg(reg)) | Access::DefNum(NumReg(reg)) => {
                Some(number_ids.of(reg, || named(Name::Number(reg))))
            }
            Access::Pieces | Access::Position => None,
        }
    }

    fn touched(&mut self, linked: &Code<O>, at: usize, serves: impl Fn(&O) -> Option<Access>) -> Touched {
        let (op, first) = (self.ops[at], self.first as u32);
        let next = self.flow.next.len() as u32;
        linked.next(first + at as u32, |to| self.flow.next.push(to - first));
        let (reads, writes) = (self.flow.read.len() as u32, self.flow.written.len() as u32);
        let shape: FusedOp = op.into();
        let mut all = shape == FusedOp::End;
        let mut access = |access: Access| match (self.id(access), access) {
            (Some(id), Access::UseSet(_) | Access::UseNum(_)) => self.flow.read.push(id),
            (Some(id), _) => self.flow.written.push(id),
            (None, _) => all = true,
        };
        op.accesses(&mut access);
        if let FusedOp::Choice { index } = shape {
            let point = &linked.points[index as usize];
            point.arms.iter().for_each(|arm| arm.options.accesses(&mut access));
            point.classes.iter().flat_map(|class| class.bound.sizes()).for_each(|size| access(Access::UseSet(size)));
            point.early_reject.iter().for_each(|cap| cap.accesses(&mut access));
        }
        let Flow { read, written, next: leads, .. } = &self.flow;
        let writes = (writes, written.len() as u32);
        let serves = serves(&op).and(part(written, writes).first()).copied();
        Touched { reads: (reads, read.len() as u32), writes, next: (next, leads.len() as u32), all, serves }
    }

    /// Finds what is wanted. Of the registers that programs share, those alone are wanted as a
    /// whole that a program carries on to others.
    pub fn find(&mut self, carries: impl Fn(Access) -> bool) {
        self.width = self.names.len().div_ceil(64);
        self.wanted.clear();
        self.wanted.resize(self.width * self.ops.len(), 0);
        let mut common = vec![0u64; self.width];
        for (id, name) in self.names[..self.shared].iter().enumerate() {
            let word = match *name {
                Name::Set(reg) => Access::UseSet(SetReg(reg)),
                Name::Number(reg) => Access::UseNum(NumReg(reg)),
            };
            common[id / 64] |= u64::from(carries(word)) << (id % 64);
        }
        let flow = std::mem::take(&mut self.flow);
        let mut from = Some(0);
        while let Some(first) = from {
            let known: Vec<Vec<u64>> = flow.rounds.iter().map(|(_, to)| self.row(*to as usize).to_vec()).collect();
            self.pass(&flow, first, &common);
            // Where rounds come back to what was not known, once more from there.
            let rounds = flow.rounds.iter().zip(&known);
            from =
                rounds.filter(|((_, to), known)| self.row(*to as usize) != *known).map(|((place, _), _)| *place).min();
        }
        self.flow = flow;
    }

    fn row(&self, at: usize) -> &[u64] {
        &self.wanted[at * self.width..][..self.width]
    }

    /// Goes through the operations from a place in the order on.
    fn pass(&mut self, flow: &Flow, first: usize, common: &[u64]) {
        let width = self.width;
        let mut row = vec![0u64; width];
        for &at in &flow.order[first..] {
            let (at, here) = (at as usize, &flow.touched[at as usize]);
            let (to, others) =
                part(&flow.next, here.next).split_first().map_or((None, &[][..]), |(to, others)| (Some(to), others));
            match to {
                Some(&to) => row.copy_from_slice(self.row(to as usize)),
                None => row.fill(0),
            }
            for &to in others {
                row.iter_mut().zip(self.row(to as usize)).for_each(|(a, b)| *a |= b);
            }
            if here.serves.is_none_or(|id| row[id as usize / 64] >> (id % 64) & 1 == 1) {
                for &id in part(&flow.written, here.writes) {
                    row[id as usize / 64] &= !(1 << (id % 64));
                }
                for &id in part(&flow.read, here.reads) {
                    row[id as usize / 64] |= 1 << (id % 64);
                }
                if here.all {
                    row.iter_mut().zip(common).for_each(|(a, b)| *a |= b);
                }
            }
            self.wanted[at * width..][..width].copy_from_slice(&row);
        }
    }

    /// A set is read behind a place, before it is written.
    pub fn wants_set(&self, at: usize, reg: SetReg) -> bool {
        self.set_ids.get(reg.0).is_none_or(|id| self.wants_id(at, id))
    }

    pub fn wants_number(&self, at: usize, reg: NumReg) -> bool {
        self.number_ids.get(reg.0).is_none_or(|id| self.wants_id(at, id))
    }

    /// What an operation makes is read behind a place, before it is written.
    pub fn wants(&self, at: usize, made: Access) -> bool {
        match made {
            Access::DefSet(reg) => self.wants_set(at, reg),
            Access::DefNum(reg) => self.wants_number(at, reg),
            _ => true,
        }
    }

    fn wants_id(&self, at: usize, id: usize) -> bool {
        self.wanted.get(at * self.width + id / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    fn live(&self, at: usize) -> impl Iterator<Item = Name> + '_ {
        bits(&self.wanted[at * self.width..(at + 1) * self.width]).map(|id| self.names[id])
    }

    pub fn live_sets(&self, at: usize) -> Vec<SetReg> {
        self.live(at).filter_map(|name| if let Name::Set(reg) = name { Some(SetReg(reg)) } else { None }).collect()
    }

    pub fn live_numbers(&self, at: usize) -> Vec<NumReg> {
        self.live(at).filter_map(|name| if let Name::Number(reg) = name { Some(NumReg(reg)) } else { None }).collect()
    }

    /// First and last operation at which each register is wanted or written, in the order of
    /// beginnings: of sets, and of numbers.
    pub fn spans(
        &self,
        pinned_set: impl Fn(SetReg) -> bool,
        pinned_number: impl Fn(NumReg) -> bool,
    ) -> [Vec<(u16, usize, usize)>; 2] {
        let mut spans = vec![(usize::MAX, 0); self.names.len()];
        let mut widen = |id: usize, at: usize| {
            spans[id].0 = spans[id].0.min(at);
            spans[id].1 = spans[id].1.max(at);
        };
        // Where a register begins to be wanted, and where it was last.
        let mut before = vec![0; self.width];
        for (at, row) in self.wanted.chunks_exact(self.width.max(1)).enumerate() {
            for (word, (now, before)) in row.iter().zip(&mut before).enumerate() {
                if now != before {
                    bits(&[now & !*before]).for_each(|id| widen(word * 64 + id, at));
                    bits(&[*before & !now]).for_each(|id| widen(word * 64 + id, at - 1));
                    *before = *now;
                }
            }
        }
        bits(&before).for_each(|id| widen(id, self.ops.len() - 1));
        self.writes.iter().for_each(|&(at, id)| widen(id as usize, at));
        let mut named = [Vec::new(), Vec::new()];
        for (name, (begin, end)) in self.names.iter().zip(spans).filter(|(_, span)| span.0 != usize::MAX) {
            match *name {
                Name::Set(reg) if !pinned_set(SetReg(reg)) => named[0].push((reg, begin, end)),
                Name::Number(reg) if !pinned_number(NumReg(reg)) => named[1].push((reg, begin, end)),
                _ => {}
            }
        }
        named.iter_mut().for_each(|named| named.sort_unstable_by_key(|&(name, begin, _)| (begin, name)));
        named
    }
}

fn bits(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(i, &word)| {
        std::iter::successors(Some(word), |left| Some(left & left.wrapping_sub(1)))
            .take_while(|&left| left != 0)
            .map(move |left| i * 64 + left.trailing_zeros() as usize)
    })
}
