//! Which registers are wanted where: what a choice must keep, and which registers can share a home.

use super::link::arm_touches;
use super::{Access, Linked, N, Op, S};

/// Which registers are wanted where, in one program.
pub(super) struct Life {
    first: usize,
    /// By operation: what is wanted before it, a bit a register; so many words for each.
    wanted: Vec<u64>,
    width: usize,
    names: Vec<Name>,
    set_ids: Ids,
    number_ids: Ids,
    writes: Vec<(usize, u32)>,
    /// Choices and splits, and where they stand.
    pub(super) points: Vec<(usize, usize)>,
    pub(super) splits: Vec<(usize, usize)>,
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

/// What an operation reads and writes: stretches of one list.
struct Touched {
    reads: (u32, u32),
    writes: (u32, u32),
    all: bool,
}

impl Life {
    pub(super) fn of(linked: &Linked, first: usize, shared: (u16, u16)) -> Life {
        Life::carrying(linked, first, shared, |_| true)
    }

    /// Of the registers that programs share, those alone are wanted as a whole that a program carries on to others.
    pub(super) fn carrying(linked: &Linked, first: usize, shared: (u16, u16), carries: impl Fn(Access) -> bool) -> Life {
        let code = &linked.code[first..];
        let (mut set_ids, mut number_ids, mut names) = (Ids::default(), Ids::default(), Vec::new());
        fn named(names: &mut Vec<Name>, name: Name) -> u32 {
            names.push(name);
            names.len() as u32 - 1
        }
        for reg in 0..shared.0 {
            set_ids.of(reg, || named(&mut names, Name::Set(reg)));
        }
        for reg in 0..shared.1 {
            number_ids.of(reg, || named(&mut names, Name::Number(reg)));
        }
        let word = |name: &Name| match *name {
            Name::Set(reg) => Access::ReadSet(S(reg)),
            Name::Number(reg) => Access::Read(N(reg)),
        };
        let common: Vec<usize> = (0..names.len()).filter(|&id| carries(word(&names[id]))).collect();
        let mut touched: Vec<Touched> = Vec::with_capacity(code.len());
        let (mut points, mut splits) = (Vec::new(), Vec::new());
        let (mut read, mut written, mut writes) = (Vec::new(), Vec::new(), Vec::new());
        for (at, op) in code.iter().enumerate() {
            let (reads_before, writes_before, mut all) = (read.len() as u32, written.len() as u32, matches!(op, Op::End));
            let mut access = |access: Access| {
                let id = match access {
                    Access::ReadSet(S(reg)) | Access::WriteSet(S(reg)) => set_ids.of(reg, || named(&mut names, Name::Set(reg))),
                    Access::Read(N(reg)) | Access::Write(N(reg)) => number_ids.of(reg, || named(&mut names, Name::Number(reg))),
                    Access::Men | Access::Position => {
                        all = true;
                        return;
                    }
                };
                if let Access::ReadSet(_) | Access::Read(_) = access {
                    read.push(id);
                } else {
                    written.push(id);
                    writes.push((at, id));
                }
            };
            op.accesses(&mut access);
            match *op {
                Op::Choice { index } => {
                    points.push((index as usize, at));
                    let arms = linked.points[index as usize].arms.iter();
                    arms.for_each(|arm| arm_touches(arm.options, &arm.bound, &mut access));
                    linked.points[index as usize].cap.iter().for_each(|cap| cap.accesses(&mut access));
                }
                Op::First { index } => splits.push((index as usize, at)),
                _ => {}
            }
            let (reads, writes) = ((reads_before, read.len() as u32), (writes_before, written.len() as u32));
            touched.push(Touched { reads, writes, all });
        }
        let width = names.len().div_ceil(64);
        let wanted = vec![0; width * code.len()];
        let mut life = Life { first, wanted, width, names, set_ids, number_ids, writes, points, splits };
        // A second pass finds what the first could not know of places that are jumped back to, one more for each jump within another.
        let mut known = usize::MAX;
        while life.pass(linked, &touched, (&read, &written), &common) {
            let wanted = life.wanted.iter().map(|word| word.count_ones() as usize).sum();
            if wanted == known {
                break;
            }
            known = wanted;
        }
        life
    }

    /// Goes once through all operations, last to first; whether anything was new of what stands before a jump back.
    fn pass(&mut self, linked: &Linked, touched: &[Touched], (read, written): (&[u32], &[u32]), common: &[usize]) -> bool {
        let code = &linked.code[self.first..];
        let width = self.width;
        let mut changed = false;
        let mut row = vec![0u64; width];
        for at in (0..code.len()).rev() {
            row.fill(0);
            let mut follow = |to: usize| {
                row.iter_mut().zip(&self.wanted[to * width..(to + 1) * width]).for_each(|(a, b)| *a |= b);
                // What is told of a place behind is known by then; a place before is told of in the next pass.
                changed |= to <= at;
            };
            let local = |to: u32| to as usize - self.first;
            match code[at] {
                Op::Choice { index } => {
                    let point = &linked.points[index as usize];
                    point.arms.iter().for_each(|arm| follow(local(arm.entry)));
                    point.cells.iter().for_each(|cells| follow(local(cells.entry)));
                }
                Op::First { index } => linked.splits[index as usize].blocks.iter().for_each(|to| follow(local(*to))),
                op => {
                    op.target().into_iter().for_each(|to| follow(local(to)));
                    if op.goes_on() {
                        follow(at + 1);
                    }
                }
            }
            let here = &touched[at];
            for &id in &written[here.writes.0 as usize..here.writes.1 as usize] {
                row[id as usize / 64] &= !(1 << (id % 64));
            }
            for &id in &read[here.reads.0 as usize..here.reads.1 as usize] {
                row[id as usize / 64] |= 1 << (id % 64);
            }
            if here.all {
                common.iter().for_each(|&id| row[id / 64] |= 1 << (id % 64));
            }
            self.wanted[at * width..(at + 1) * width].copy_from_slice(&row);
        }
        changed
    }

    /// A set is read behind a place, before it is written.
    pub(super) fn wants_set(&self, at: usize, reg: S) -> bool {
        self.set_ids.get(reg.0).is_none_or(|id| self.wants(at, id))
    }

    pub(super) fn wants_number(&self, at: usize, reg: N) -> bool {
        self.number_ids.get(reg.0).is_none_or(|id| self.wants(at, id))
    }

    fn wants(&self, at: usize, id: usize) -> bool {
        self.wanted.get(at * self.width + id / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    fn live(&self, at: usize) -> impl Iterator<Item = Name> + '_ {
        bits(&self.wanted[at * self.width..(at + 1) * self.width]).map(|id| self.names[id])
    }

    pub(super) fn live_sets(&self, at: usize) -> Vec<S> {
        self.live(at).filter_map(|name| if let Name::Set(reg) = name { Some(S(reg)) } else { None }).collect()
    }

    pub(super) fn live_numbers(&self, at: usize) -> Vec<N> {
        self.live(at).filter_map(|name| if let Name::Number(reg) = name { Some(N(reg)) } else { None }).collect()
    }

    /// First and last operation at which each register is wanted or written, in the order of beginnings: of sets, and of numbers.
    pub(super) fn spans(
        &self,
        pinned_set: impl Fn(S) -> bool,
        pinned_number: impl Fn(N) -> bool,
    ) -> [Vec<(u16, usize, usize)>; 2] {
        let mut spans = vec![(usize::MAX, 0); self.names.len()];
        let mut widen = |id: usize, at: usize| {
            spans[id].0 = spans[id].0.min(at);
            spans[id].1 = spans[id].1.max(at);
        };
        for (at, row) in self.wanted.chunks_exact(self.width.max(1)).enumerate() {
            bits(row).for_each(|id| widen(id, at));
        }
        self.writes.iter().for_each(|&(at, id)| widen(id as usize, at));
        let mut named = [Vec::new(), Vec::new()];
        for (name, (begin, end)) in self.names.iter().zip(spans).filter(|(_, span)| span.0 != usize::MAX) {
            match *name {
                Name::Set(reg) if !pinned_set(S(reg)) => named[0].push((reg, begin, end)),
                Name::Number(reg) if !pinned_number(N(reg)) => named[1].push((reg, begin, end)),
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
