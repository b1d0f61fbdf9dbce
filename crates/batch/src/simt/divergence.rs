//! Divergence: conditions of branches go in; which lanes are active comes out. Lanes diverge and
//! converge, fail and complete their runs; a stack of masks holds those that wait.

use crate::plan::{Code, NumReg, SetReg};
use crate::simd::Simd;
use crate::simt::kernels::algebra::and;
use crate::simt::kernels::ops::Test;
use crate::simt::registers::{LaneMask, compared, gathered, load, put, put_set, some};
use crate::simt::state::WarpState;
use crate::simt::state::mask_frame::MaskFrame;

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    #[inline(always)]
    pub fn push_mask(&mut self) {
        self.flow.masks.push(self.flow.on);
    }

    #[inline(always)]
    pub fn pop_mask(&mut self) -> LaneMask {
        self.flow.masks.pop().unwrap_or_default()
    }

    /// Those of the lanes that are meant whose number is not 0.
    #[inline(always)]
    pub fn truth(&self, n: NumReg) -> LaneMask {
        let (v, numbers) = (self.v, &self.file.numbers[usize::from(n.0)]);
        gathered!(v, i => v.truth(v.load(&numbers[i]))).and(self.flow.on)
    }

    /// Those of the lanes that are meant of which it is true.
    #[inline(always)]
    fn holds(&self, test: Test) -> LaneMask {
        let (v, numbers, sets) = (self.v, &self.file.numbers, &self.file.sets);
        let set = |reg: SetReg| &sets[usize::from(reg.0)];
        let number = |reg: NumReg| &numbers[usize::from(reg.0)];
        let all = match test {
            Test::True(n) => return self.truth(n),
            Test::False(n) => return self.flow.on.without(self.truth(n)),
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
        all.and(self.flow.on)
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
        self.flow.masks.push(self.flow.on.without(truth));
        self.flow.on = truth;
        true
    }

    #[inline(always)]
    pub fn other(&mut self) {
        self.flow.on = self.pop_mask();
    }

    #[inline(always)]
    pub fn join(&mut self) {
        self.flow.on = self.pop_mask().and(self.flags.alive);
    }

    #[inline(always)]
    pub fn chosen(&mut self) {
        self.pop_mask();
        self.join();
    }

    #[inline(always)]
    pub fn need(&mut self, n: NumReg) {
        let lost = self.flow.on.without(self.truth(n));
        if !lost.is_empty() {
            self.fail(lost);
        }
    }

    pub fn fail_all(&mut self) {
        self.fail(self.flow.on);
    }

    /// Runs that end here. In a block of a `first`, a lane that has not drawn goes on to the next
    /// block. A lane that drew there and not before draws again: if the block has no run at all,
    /// that is found out alone in the end. One that drew before falls back to the scalar executor,
    /// as its number would be good for the next block. Elsewhere a run that was drawn is drawn
    /// again, and a turn without any is looked at alone.
    pub fn fail(&mut self, mut lost: LaneMask) {
        let flags = &mut self.flags;
        self.flow.on = self.flow.on.without(lost);
        flags.alive = flags.alive.without(lost);
        let mut chose = flags.chose;
        for split in self.flow.splits[..self.flow.depth].iter_mut().rev() {
            if !split.last {
                let drew = lost.and(chose);
                split.next = split.next.or(lost.without(chose));
                flags.fallback = flags.fallback.or(drew.and(split.chose));
                flags.failed = flags.failed.or(drew.without(split.chose));
                lost = LaneMask::NONE;
            }
            chose = chose.or(split.chose);
        }
        flags.failed = flags.failed.or(lost.and(chose));
        flags.fallback = flags.fallback.or(lost.without(chose));
    }

    /// Lanes that have drawn, and of whose number something is left.
    #[inline(always)]
    fn unfinished(&self) -> LaneMask {
        let (v, at) = (self.v, &self.at);
        gathered!(v, i => v.truth(v.load(&at[i].number))).and(self.flags.drawn).and(self.flow.on)
    }

    /// No choice follows: lanes of whose number something is left are rejected.
    #[inline(always)]
    pub fn expect_no_number(&mut self) {
        let left = self.unfinished();
        self.flags.failed = self.flags.failed.or(left);
        self.flags.alive = self.flags.alive.without(left);
        self.flow.on = self.flow.on.without(left);
    }

    /// The run is complete if its number is.
    #[inline(always)]
    pub fn complete(&mut self, numbered: bool) {
        let left = if numbered { self.unfinished() } else { LaneMask::NONE };
        self.flags.failed = self.flags.failed.or(left);
        self.flags.done = self.flags.done.or(self.flow.on.without(left));
    }

    /// Lanes leave that fall back to the scalar executor.
    #[inline(always)]
    pub fn side_exit(&mut self, lanes: LaneMask) {
        self.flags.fallback = self.flags.fallback.or(lanes);
        self.flags.alive = self.flags.alive.without(lanes);
        self.flow.on = self.flow.on.without(lanes);
    }

    pub fn split(&mut self, linked: &Code, index: u32) {
        self.push_mask();
        if self.flow.splits.len() == self.flow.depth {
            self.flow.splits.push(MaskFrame::default());
        }
        let split = &mut self.flow.splits[self.flow.depth];
        (split.index, split.last) = (index, false);
        (split.next, split.met, split.chose) = (self.flow.on, LaneMask::NONE, LaneMask::NONE);
        split.flags = [self.flags.passed, self.flags.acted, self.flags.again];
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
        self.flow.depth += 1;
    }

    pub fn try_block(&mut self, last: bool) {
        let Some(split) = self.flow.depth.checked_sub(1).map(|top| &mut self.flow.splits[top]) else { return };
        (split.last, split.chose) = (last, self.flags.chose);
        let mask = std::mem::take(&mut split.next);
        self.flags.chose = self.flags.chose.without(mask);
        self.flags.alive = self.flags.alive.or(mask);
        self.flow.on = mask;
    }

    #[inline(always)]
    pub fn tried(&mut self, linked: &Code) {
        let Some(split) = self.flow.depth.checked_sub(1).map(|top| &mut self.flow.splits[top]) else { return };
        let v = self.v;
        split.met = split.met.or(self.flow.on);
        self.flags.chose = self.flags.chose.or(split.chose);
        // What a run does that goes on to the next block is not done.
        let (flags, next) = (&mut self.flags, split.next);
        for (now, begun) in [&mut flags.passed, &mut flags.acted, &mut flags.again].into_iter().zip(split.flags) {
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
        let Some(top) = self.flow.depth.checked_sub(1) else { return };
        self.flow.depth = top;
        self.pop_mask();
        self.flow.on = self.flow.splits[top].met.and(self.flags.alive);
    }
}
