//! Retry: lanes whose draw was rejected go in; where many are, they go back to their choice at
//! once, else they wait for the next turn.

use crate::plan::ChoicePoint;
use crate::simd::{Lane8, Simd};
use crate::simt::registers::{LaneMask, Set, gathered, put, put_set};
use crate::simt::sample::limit;
use crate::simt::state::WarpState;

/// Fewer lanes that drew in vain wait for the next round.
pub const FEW: u32 = 6;
/// First choices of a program that are gone back to.
const AGAINS: usize = 8;

/// What is wanted less than once in so many times is not worth keeping; it is tried once in so many
/// times all the same; and so much is remembered of how it went.
const SELDOM: u32 = 8;
const TRIED: u32 = 32;
const MEMORY: u32 = 256;

/// What a first choice goes back to.
#[derive(Debug, Default)]
pub struct Retry<const W: usize, const K: usize> {
    pc: usize,
    on: LaneMask,
    masks: Vec<LaneMask>,
    /// The choice; what it weighs is weighed anew since.
    point: u32,
    is_stale: bool,
    flags: [LaneMask; 3],
    regs: Vec<usize>,
    sets: Vec<[Set<W>; K]>,
    number_regs: Vec<usize>,
    numbers: Vec<[Lane8; K]>,
}

/// Whether it is worth keeping what a choice goes back to.
#[derive(Clone, Copy, Debug, Default)]
pub struct RetryStats {
    chances: u32,
    kept: u32,
    used: u32,
}

impl RetryStats {
    /// It is kept as long as it is wanted now and then, and else tried now and then.
    #[inline(always)]
    fn keeps(&mut self) -> bool {
        self.chances = self.chances.wrapping_add(1);
        let keeps = self.used * SELDOM >= self.kept || self.chances.is_multiple_of(TRIED);
        if keeps {
            self.kept += 1;
            if self.kept == MEMORY {
                (self.kept, self.used) = (self.kept / 2, self.used / 2);
            }
        }
        keeps
    }
}

impl<const W: usize, const K: usize> Retry<W, K> {
    /// A choice is weighed anew.
    #[inline(always)]
    pub fn grow_stale(&mut self, point: u32) {
        self.is_stale |= self.point == point;
    }
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    /// Keeps what a first choice goes back to if many lanes draw in vain.
    #[inline(always)]
    pub fn keep(&mut self, number: u32, point: &ChoicePoint, pc: usize) {
        if self.depth > 0 || !self.turning || self.kept == AGAINS || !self.on.and(self.who.drawn).is_empty() {
            return;
        }
        if !self.worth[number as usize].keeps() {
            return;
        }
        if self.agains.len() == self.kept {
            self.agains.push(Retry::default());
        }
        let again = &mut self.agains[self.kept];
        self.kept += 1;
        (again.pc, again.point, again.is_stale, again.on) = (pc, number, false, self.on);
        again.masks.clone_from(&self.masks);
        again.flags = [self.who.passed, self.who.acted, self.who.again];
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

    /// Lanes that have not drawn in vain so often that their turn is to be played alone.
    #[inline(always)]
    pub fn may_draw_again(&self) -> LaneMask {
        let (v, at) = (self.v, &self.at);
        gathered!(v, i => v.less_signed(v.add(v.load(&at[i].tries), v.all(1)), limit(v, v.load(&at[i].runs))))
    }

    /// Lanes have drawn in vain, and are to draw again.
    #[inline(always)]
    pub fn forget_draw(&mut self, lanes: LaneMask) {
        for i in 0..K {
            self.at[i].in_vain(self.v, lanes.lanes(self.v, i));
        }
        self.who.in_vain(lanes);
        self.who.drawn = self.who.drawn.without(lanes);
    }

    /// Lanes have drawn in vain, and a first choice is kept.
    #[inline(always)]
    pub fn may_go_back(&self) -> bool {
        self.kept > 0 && !self.who.failed.is_empty()
    }

    /// At the end of a program: if many lanes have drawn in vain at a first choice, they draw again
    /// at once. Tells where to go on.
    #[inline(always)]
    pub fn redo(&mut self) -> Option<usize> {
        let (v, open) = (self.v, self.may_draw_again());
        for again in &self.agains[..self.kept] {
            let on = self.who.failed.and(again.on).and(open);
            let count = on.count();
            if again.is_stale || count < FEW || count * 4 < again.on.count() {
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
            let who = &mut self.who;
            let back = |now: LaneMask, kept: LaneMask| now.without(on).or(kept.and(on));
            let [passed, acted, play_again] = again.flags;
            (who.passed, who.acted, who.again) =
                (back(who.passed, passed), back(who.acted, acted), back(who.again, play_again));
            (who.failed, who.alive) = (who.failed.without(on), who.alive.or(on));
            who.chose = who.chose.without(on);
            self.masks.clear();
            for at in 0..again.masks.len() {
                self.masks.push(again.masks[at].and(on));
            }
            self.worth[again.point as usize].used += 1;
            let pc = again.pc;
            (self.on, self.redone) = (on, true);
            self.forget_draw(on);
            return Some(pc);
        }
        None
    }
}
