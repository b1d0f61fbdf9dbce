//! Retry: lanes whose draw was rejected go in; where many are, they go back to their choice at
//! once, else they wait for the next turn.

use crate::plan::ChoicePoint;
use crate::simd::Simd;
use crate::simt::registers::{LaneMask, gathered, put, put_set};
use crate::simt::sample::limit;
use crate::simt::state::WarpState;
use crate::simt::state::retry::{Retry, RetryStats};
use crate::simt::tuning::{
    CHOICES_BETWEEN_RETRY_PROBES, MAX_RETRY_POINTS_PER_TURN, MAX_SAVES_PER_RETRY, MIN_LANES_TO_RETRY, SAVES_REMEMBERED,
};

impl RetryStats {
    /// It is kept as long as it is wanted now and then, and else tried now and then.
    #[inline(always)]
    fn keeps(&mut self) -> bool {
        self.chances = self.chances.wrapping_add(1);
        let keeps =
            self.used * MAX_SAVES_PER_RETRY >= self.kept || self.chances.is_multiple_of(CHOICES_BETWEEN_RETRY_PROBES);
        if keeps {
            self.kept += 1;
            if self.kept == SAVES_REMEMBERED {
                (self.kept, self.used) = (self.kept / 2, self.used / 2);
            }
        }
        keeps
    }
}

impl<const W: usize, const K: usize> Retry<W, K> {
    /// The options of a choice are counted anew.
    #[inline(always)]
    pub fn grow_stale(&mut self, point: u32) {
        self.is_stale |= self.point == point;
    }
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    /// Keeps what a first choice goes back to if many lanes are rejected.
    #[inline(always)]
    pub fn keep(&mut self, number: u32, point: &ChoicePoint, pc: usize) {
        if self.flow.depth > 0
            || !self.turn.turning
            || self.turn.kept == MAX_RETRY_POINTS_PER_TURN
            || !self.flow.on.and(self.flags.drawn).is_empty()
        {
            return;
        }
        if !self.choice.retry_stats[number as usize].keeps() {
            return;
        }
        if self.turn.retries.len() == self.turn.kept {
            self.turn.retries.push(Retry::default());
        }
        let again = &mut self.turn.retries[self.turn.kept];
        self.turn.kept += 1;
        (again.pc, again.point, again.is_stale, again.on) = (pc, number, false, self.flow.on);
        again.masks.clone_from(&self.flow.masks);
        again.flags = [self.flags.passed, self.flags.acted, self.flags.again];
        again.regs.clear();
        again.sets.clear();
        for reg in &point.clobbered_sets {
            again.regs.push(usize::from(reg.0));
            again.sets.push(self.file.sets[usize::from(reg.0)]);
        }
        again.number_regs.clear();
        again.numbers.clear();
        for reg in &point.clobbered_numbers {
            again.number_regs.push(usize::from(reg.0));
            again.numbers.push(self.file.numbers[usize::from(reg.0)]);
        }
    }

    /// Lanes that were not rejected so often that their turn falls back to the scalar executor.
    #[inline(always)]
    pub fn may_draw_again(&self) -> LaneMask {
        let (v, at) = (self.v, &self.at);
        gathered!(v, i => v.less_signed(v.add(v.load(&at[i].tries), v.all(1)), limit(v, v.load(&at[i].runs))))
    }

    /// Lanes are rejected, and are to draw again.
    #[inline(always)]
    pub fn forget_draw(&mut self, lanes: LaneMask) {
        for i in 0..K {
            self.at[i].record_rejection(self.v, lanes.lanes(self.v, i));
        }
        self.flags.record_rejection(lanes);
        self.flags.drawn = self.flags.drawn.without(lanes);
    }

    /// Lanes are rejected, and a first choice is kept.
    #[inline(always)]
    pub fn may_go_back(&self) -> bool {
        self.turn.kept > 0 && !self.flags.failed.is_empty()
    }

    /// At the end of a program: if many lanes are rejected at a first choice, they draw again at
    /// once. Tells where to go on.
    #[inline(always)]
    pub fn retry(&mut self) -> Option<usize> {
        let (v, open) = (self.v, self.may_draw_again());
        for again in &self.turn.retries[..self.turn.kept] {
            let on = self.flags.failed.and(again.on).and(open);
            let count = on.count();
            if again.is_stale || count < MIN_LANES_TO_RETRY || count * 4 < again.on.count() {
                continue;
            }
            for i in on.chunks() {
                let mask = on.lanes(v, i);
                for at in 0..again.regs.len() {
                    put_set(v, &mut self.file.sets[again.regs[at]][i], &again.sets[at][i], mask);
                }
                for at in 0..again.number_regs.len() {
                    let number = &mut self.file.numbers[again.number_regs[at]][i];
                    put(v, number, v.load(&again.numbers[at][i]), mask);
                }
            }
            let flags = &mut self.flags;
            let back = |now: LaneMask, kept: LaneMask| now.without(on).or(kept.and(on));
            let [passed, acted, play_again] = again.flags;
            (flags.passed, flags.acted, flags.again) =
                (back(flags.passed, passed), back(flags.acted, acted), back(flags.again, play_again));
            (flags.failed, flags.alive) = (flags.failed.without(on), flags.alive.or(on));
            flags.chose = flags.chose.without(on);
            self.flow.masks.clear();
            for at in 0..again.masks.len() {
                self.flow.masks.push(again.masks[at].and(on));
            }
            self.choice.retry_stats[again.point as usize].used += 1;
            let pc = again.pc;
            (self.flow.on, self.choice.has_weights) = (on, true);
            self.forget_draw(on);
            return Some(pc);
        }
        None
    }
}
