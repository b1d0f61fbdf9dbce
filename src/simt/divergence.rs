//! Divergence: conditions of branches go in; which lanes are active comes out. Lanes diverge and
//! converge, fail and complete their runs; a stack of masks holds those that wait.

use crate::plan::{Code, NumReg, SetReg};
use crate::simd::{Lane8, Simd};
use crate::simt::kernels::ops::Test;
use crate::simt::kernels::sets::and;
use crate::simt::registers::{LaneMask, Set, compared, gathered, load, put, put_set, some};
use crate::simt::state::WarpState;

/// A `first` that lanes are in.
#[derive(Debug, Default)]
pub struct MaskFrame<const W: usize, const K: usize> {
    index: u32,
    last: bool,
    /// Lanes that go on to the next block.
    next: LaneMask,
    /// Lanes that came through a block.
    met: LaneMask,
    chose: LaneMask,
    /// What the runs had done: passed, acted, taken another turn.
    flags: [LaneMask; 3],
    sets: Vec<[Set<W>; K]>,
    numbers: Vec<[Lane8; K]>,
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    #[inline(always)]
    pub fn push_mask(&mut self) {
        self.masks.push(self.on);
    }

    #[inline(always)]
    pub fn pop_mask(&mut self) -> LaneMask {
        self.masks.pop().unwrap_or_default()
    }

    /// Those of the lanes that are meant whose number is not 0.
    #[inline(always)]
    pub fn truth(&self, n: NumReg) -> LaneMask {
        let (v, numbers) = (self.v, &self.file.numbers[usize::from(n.0)]);
        gathered!(v, i => v.truth(v.load(&numbers[i]))).and(self.on)
    }

    /// Those of the lanes that are meant of which it is true.
    #[inline(always)]
    fn holds(&self, test: Test) -> LaneMask {
        let (v, numbers, sets) = (self.v, &self.file.numbers, &self.file.sets);
        let set = |reg: SetReg| &sets[usize::from(reg.0)];
        let number = |reg: NumReg| &numbers[usize::from(reg.0)];
        let all = match test {
            Test::True(n) => return self.truth(n),
            Test::False(n) => return self.on.without(self.truth(n)),
            Test::Some(a) => {
                let a = set(a);
                gathered!(v, i => some(v, &load(v, &a[i])))
            }
            Test::None(a) => {
                let a = set(a);
                gathered!(v, i => v.not(some(v, &load(v, &a[i]))))
            }
            Test::Meet(a, b) => {
                let (a, b) = (set(a), set(b));
                gathered!(v, i => some(v, &and(v, &load(v, &a[i]), &load(v, &b[i]))))
            }
            Test::Compare(cmp, a, b) => {
                let (a, b) = (number(a), number(b));
                gathered!(v, i => compared(v, cmp, v.load(&a[i]), v.load(&b[i])))
            }
        };
        all.and(self.on)
    }

    /// Lanes of which it is not true wait for the other branch. If that are all, they are in it:
    /// `false`.
    #[inline(always)]
    pub fn part(&mut self, test: Test) -> bool {
        let truth = self.holds(test);
        self.push_mask();
        if truth.is_empty() {
            return false;
        }
        self.masks.push(self.on.without(truth));
        self.on = truth;
        true
    }

    #[inline(always)]
    pub fn other(&mut self) {
        self.on = self.pop_mask();
    }

    #[inline(always)]
    pub fn join(&mut self) {
        self.on = self.pop_mask().and(self.who.alive);
    }

    #[inline(always)]
    pub fn chosen(&mut self) {
        self.pop_mask();
        self.join();
    }

    #[inline(always)]
    pub fn need(&mut self, n: NumReg) {
        let lost = self.on.without(self.truth(n));
        if !lost.is_empty() {
            self.fail(lost);
        }
    }

    pub fn fail_all(&mut self) {
        self.fail(self.on);
    }

    /// Runs that end here. In a block of a `first`, a lane that has not drawn goes on to the next
    /// block. A lane that drew there and not before draws again: if the block has no run at all,
    /// that is found out alone in the end. One that drew before is played alone, as its number
    /// would be good for the next block. Elsewhere a run that was drawn is drawn again, and a turn
    /// without any is looked at alone.
    pub fn fail(&mut self, mut lost: LaneMask) {
        let who = &mut self.who;
        self.on = self.on.without(lost);
        who.alive = who.alive.without(lost);
        let mut chose = who.chose;
        for split in self.splits[..self.depth].iter_mut().rev() {
            if !split.last {
                let drew = lost.and(chose);
                split.next = split.next.or(lost.without(chose));
                who.alone = who.alone.or(drew.and(split.chose));
                who.failed = who.failed.or(drew.without(split.chose));
                lost = LaneMask::NONE;
            }
            chose = chose.or(split.chose);
        }
        who.failed = who.failed.or(lost.and(chose));
        who.alone = who.alone.or(lost.without(chose));
    }

    /// Lanes that have drawn, and of whose number something is left.
    #[inline(always)]
    fn unfinished(&self) -> LaneMask {
        let (v, at) = (self.v, &self.at);
        gathered!(v, i => v.truth(v.load(&at[i].number))).and(self.who.drawn).and(self.on)
    }

    /// No choice follows: lanes of whose number something is left have drawn in vain.
    #[inline(always)]
    pub fn expect_no_number(&mut self) {
        let left = self.unfinished();
        self.who.failed = self.who.failed.or(left);
        self.who.alive = self.who.alive.without(left);
        self.on = self.on.without(left);
    }

    /// The run is complete if its number is.
    #[inline(always)]
    pub fn complete(&mut self, numbered: bool) {
        let left = if numbered { self.unfinished() } else { LaneMask::NONE };
        self.who.failed = self.who.failed.or(left);
        self.who.done = self.who.done.or(self.on.without(left));
    }

    /// Lanes leave that are to be played alone.
    #[inline(always)]
    pub fn leave(&mut self, lanes: LaneMask) {
        self.who.alone = self.who.alone.or(lanes);
        self.who.alive = self.who.alive.without(lanes);
        self.on = self.on.without(lanes);
    }

    pub fn split(&mut self, linked: &Code, index: u32) {
        self.push_mask();
        if self.splits.len() == self.depth {
            self.splits.push(MaskFrame::default());
        }
        let split = &mut self.splits[self.depth];
        (split.index, split.last) = (index, false);
        (split.next, split.met, split.chose) = (self.on, LaneMask::NONE, LaneMask::NONE);
        split.flags = [self.who.passed, self.who.acted, self.who.again];
        split.sets.clear();
        split.sets.extend_from_slice(&self.file.sets[..self.shared.persistent.0]);
        split.numbers.clear();
        split.numbers.extend_from_slice(&self.file.numbers[..self.shared.persistent.1]);
        let kept = &linked.alternatives[index as usize];
        for reg in &kept.sets {
            split.sets.push(self.file.sets[usize::from(reg.0)]);
        }
        for reg in &kept.numbers {
            split.numbers.push(self.file.numbers[usize::from(reg.0)]);
        }
        self.depth += 1;
    }

    pub fn try_block(&mut self, last: bool) {
        let Some(split) = self.depth.checked_sub(1).map(|top| &mut self.splits[top]) else { return };
        (split.last, split.chose) = (last, self.who.chose);
        let mask = std::mem::take(&mut split.next);
        self.who.chose = self.who.chose.without(mask);
        self.who.alive = self.who.alive.or(mask);
        self.on = mask;
    }

    #[inline(always)]
    pub fn tried(&mut self, linked: &Code) {
        let Some(split) = self.depth.checked_sub(1).map(|top| &mut self.splits[top]) else { return };
        let v = self.v;
        split.met = split.met.or(self.on);
        self.who.chose = self.who.chose.or(split.chose);
        // What a run does that goes on to the next block is not done.
        let (who, next) = (&mut self.who, split.next);
        for (now, begun) in [&mut who.passed, &mut who.acted, &mut who.again].into_iter().zip(split.flags) {
            *now = now.without(next).or(begun.and(next));
        }
        for i in split.next.chunks() {
            let back = split.next.lanes(v, i);
            let kept = &linked.alternatives[split.index as usize];
            let sets = (0..self.shared.persistent.0).chain(kept.sets.iter().map(|reg| usize::from(reg.0)));
            for (at, reg) in sets.enumerate() {
                put_set(v, &mut self.file.sets[reg][i], &split.sets[at][i], back);
            }
            let numbers = (0..self.shared.persistent.1).chain(kept.numbers.iter().map(|reg| usize::from(reg.0)));
            for (at, reg) in numbers.enumerate() {
                put(v, &mut self.file.numbers[reg][i], v.load(&split.numbers[at][i]), back);
            }
        }
    }

    pub fn met(&mut self) {
        let Some(top) = self.depth.checked_sub(1) else { return };
        self.depth = top;
        self.pop_mask();
        self.on = self.splits[top].met.and(self.who.alive);
    }
}
