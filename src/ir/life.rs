//! Which registers are wanted where: what a choice must keep, and which registers can share a home.

use rustc_hash::FxHashMap as HashMap;

use super::link::options_touch;
use super::{Access, Linked, N, Op, S};

/// Which registers are wanted where, in one program.
pub(super) struct Life {
    first: usize,
    /// By operation: what is wanted before it.
    sets: Vec<Row>,
    numbers: Vec<Row>,
    set_names: Vec<S>,
    number_names: Vec<N>,
    set_ids: HashMap<S, usize>,
    number_ids: HashMap<N, usize>,
    writes: Vec<(usize, bool, usize)>,
    /// Choices and splits, and where they stand.
    pub(super) points: Vec<(usize, usize)>,
    pub(super) splits: Vec<(usize, usize)>,
}

type Row = Vec<u64>;

#[derive(Default)]
struct Touched {
    reads: [Vec<usize>; 2],
    writes: [Vec<usize>; 2],
    all: bool,
}

impl Life {
    pub(super) fn of(linked: &Linked, first: usize, shared: (u16, u16)) -> Life {
        let code = &linked.code[first..];
        let (mut set_ids, mut number_ids) = (HashMap::default(), HashMap::default());
        for reg in 0..shared.0 {
            set_ids.insert(S(reg), usize::from(reg));
        }
        for reg in 0..shared.1 {
            number_ids.insert(N(reg), usize::from(reg));
        }
        let mut touched: Vec<Touched> = Vec::with_capacity(code.len());
        let (mut points, mut splits) = (Vec::new(), Vec::new());
        for (at, op) in code.iter().enumerate() {
            let mut here = Touched::default();
            let mut access = |access: Access| {
                let mut set = |reg: S| {
                    let next = set_ids.len();
                    *set_ids.entry(reg).or_insert(next)
                };
                let mut number = |reg: N| {
                    let next = number_ids.len();
                    *number_ids.entry(reg).or_insert(next)
                };
                match access {
                    Access::ReadSet(reg) => here.reads[0].push(set(reg)),
                    Access::WriteSet(reg) => here.writes[0].push(set(reg)),
                    Access::Read(reg) => here.reads[1].push(number(reg)),
                    Access::Write(reg) => here.writes[1].push(number(reg)),
                    Access::Men | Access::Position => here.all = true,
                }
            };
            op.accesses(&mut access);
            match *op {
                Op::Choice { index } => {
                    points.push((index as usize, at));
                    linked.points[index as usize].arms.iter().for_each(|arm| options_touch(arm.options, &mut access));
                }
                Op::First { index } => splits.push((index as usize, at)),
                _ => {}
            }
            here.all |= matches!(op, Op::End);
            touched.push(here);
        }
        let rows = |count: usize| vec![vec![0u64; count.div_ceil(64)]; code.len()];
        let mut life = Life {
            first,
            sets: rows(set_ids.len()),
            numbers: rows(number_ids.len()),
            set_names: names(&set_ids),
            number_names: names(&number_ids),
            set_ids,
            number_ids,
            writes: Vec::new(),
            points,
            splits,
        };
        for (at, here) in touched.iter().enumerate() {
            life.writes.extend(here.writes[0].iter().map(|&id| (at, true, id)));
            life.writes.extend(here.writes[1].iter().map(|&id| (at, false, id)));
        }
        // A second pass finds what the first could not know of places that are jumped back to, one more for each jump within another.
        let mut known = usize::MAX;
        while life.pass(linked, &touched, shared) {
            let wanted = life.sets.iter().chain(&life.numbers).flatten().map(|word| word.count_ones() as usize).sum();
            if wanted == known {
                break;
            }
            known = wanted;
        }
        life
    }

    /// Goes once through all operations, last to first; whether anything was new of what stands before a jump back.
    fn pass(&mut self, linked: &Linked, touched: &[Touched], shared: (u16, u16)) -> bool {
        let code = &linked.code[self.first..];
        let mut changed = false;
        let (mut sets, mut numbers) = (self.sets[0].clone(), self.numbers[0].clone());
        for at in (0..code.len()).rev() {
            sets.fill(0);
            numbers.fill(0);
            let mut follow = |to: usize| {
                sets.iter_mut().zip(&self.sets[to]).for_each(|(a, b)| *a |= b);
                numbers.iter_mut().zip(&self.numbers[to]).for_each(|(a, b)| *a |= b);
                // What is told of a place behind is known by then; a place before is told of in the next pass.
                changed |= to <= at;
            };
            let local = |to: u32| to as usize - self.first;
            match code[at] {
                Op::Choice { index } => linked.points[index as usize].arms.iter().for_each(|arm| follow(local(arm.entry))),
                Op::First { index } => linked.splits[index as usize].blocks.iter().for_each(|to| follow(local(*to))),
                op => {
                    op.target().into_iter().for_each(|to| follow(local(to)));
                    if op.goes_on() {
                        follow(at + 1);
                    }
                }
            }
            let here = &touched[at];
            here.writes[0].iter().for_each(|id| sets[id / 64] &= !(1 << (id % 64)));
            here.writes[1].iter().for_each(|id| numbers[id / 64] &= !(1 << (id % 64)));
            here.reads[0].iter().for_each(|id| sets[id / 64] |= 1 << (id % 64));
            here.reads[1].iter().for_each(|id| numbers[id / 64] |= 1 << (id % 64));
            if here.all {
                (0..usize::from(shared.0)).for_each(|id| sets[id / 64] |= 1 << (id % 64));
                (0..usize::from(shared.1)).for_each(|id| numbers[id / 64] |= 1 << (id % 64));
            }
            self.sets[at].copy_from_slice(&sets);
            self.numbers[at].copy_from_slice(&numbers);
        }
        changed
    }

    /// A set is read behind a place, before it is written.
    pub(super) fn wants_set(&self, at: usize, reg: S) -> bool {
        self.set_ids.get(&reg).is_none_or(|&id| wants(&self.sets, at, id))
    }

    pub(super) fn wants_number(&self, at: usize, reg: N) -> bool {
        self.number_ids.get(&reg).is_none_or(|&id| wants(&self.numbers, at, id))
    }

    pub(super) fn live_sets(&self, at: usize) -> Vec<S> {
        bits(&self.sets[at]).map(|id| self.set_names[id]).collect()
    }

    pub(super) fn live_numbers(&self, at: usize) -> Vec<N> {
        bits(&self.numbers[at]).map(|id| self.number_names[id]).collect()
    }

    /// First and last operation at which each register is wanted or written, in the order of beginnings.
    pub(super) fn spans(&self, sets: bool, pinned: impl Fn(u16) -> bool) -> Vec<(u16, usize, usize)> {
        let rows = if sets { &self.sets } else { &self.numbers };
        let count = if sets { self.set_names.len() } else { self.number_names.len() };
        let mut spans = vec![(usize::MAX, 0); count];
        let mut widen = |id: usize, at: usize| {
            spans[id].0 = spans[id].0.min(at);
            spans[id].1 = spans[id].1.max(at);
        };
        for (at, row) in rows.iter().enumerate() {
            bits(row).for_each(|id| widen(id, at));
        }
        self.writes.iter().filter(|(_, of_sets, _)| *of_sets == sets).for_each(|&(at, _, id)| widen(id, at));
        let name = |id: usize| if sets { self.set_names[id].0 } else { self.number_names[id].0 };
        let mut named: Vec<(u16, usize, usize)> = spans
            .iter()
            .enumerate()
            .filter(|(id, span)| span.0 != usize::MAX && !pinned(name(*id)))
            .map(|(id, span)| (name(id), span.0, span.1))
            .collect();
        named.sort_by_key(|&(name, begin, _)| (begin, name));
        named
    }
}

fn names<T: Copy>(ids: &HashMap<T, usize>) -> Vec<T> {
    let mut pairs: Vec<(usize, T)> = ids.iter().map(|(name, id)| (*id, *name)).collect();
    pairs.sort_by_key(|pair| pair.0);
    pairs.into_iter().map(|pair| pair.1).collect()
}

fn wants(rows: &[Row], at: usize, id: usize) -> bool {
    rows.get(at).is_some_and(|row| row[id / 64] >> (id % 64) & 1 == 1)
}

fn bits(row: &Row) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(i, &word)| {
        std::iter::successors(Some(word), |left| Some(left & left.wrapping_sub(1)))
            .take_while(|&left| left != 0)
            .map(move |left| i * 64 + left.trailing_zeros() as usize)
    })
}
