//! Runs that `most` compares: all runs of a turn are gone through to find the greatest value, then
//! those that have it.

use crate::interp::bitset::Bitset;
use crate::interp::enumerate::Walk;
use crate::interp::sample::{TurnCount, below};
use crate::interp::vm::{Event, Flags, Program, Vm};
use crate::plan::Argmax;
use crate::position::Fault;

/// A turn that was drawn: the registers that all programs share, and what the run has done.
pub(crate) struct Drawn<const W: usize> {
    sets: Vec<Bitset<W>>,
    numbers: Vec<i64>,
    flags: Flags,
}

impl<const W: usize> Vm<W> {
    /// The run that is complete now.
    pub(crate) fn drawn(&self, code: &Program<W>) -> Drawn<W> {
        let (sets, numbers) = code.shared;
        Drawn { sets: self.sets[..sets].to_vec(), numbers: self.numbers[..numbers].to_vec(), flags: self.flags }
    }

    /// Makes a run that was drawn the one that is complete.
    pub(crate) fn make(&mut self, drawn: &Drawn<W>) {
        self.sets[..drawn.sets.len()].copy_from_slice(&drawn.sets);
        self.numbers[..drawn.numbers.len()].copy_from_slice(&drawn.numbers);
        self.flags = drawn.flags;
    }

    /// Runs behind an event may have values to compare.
    pub(crate) fn compares(&self, code: &Program<W>, event: Event) -> bool {
        let Some(Argmax { value }) = code.contest else { return false };
        match event {
            Event::Choice(point) => code.linked.points[point as usize].clobbered_numbers.contains(&value),
            Event::First(_) => true,
            Event::Fail | Event::End => false,
        }
    }

    /// The value of the run that is complete, if it has one.
    pub(crate) fn value(&self, code: &Program<W>) -> Option<i64> {
        code.contest.map(|contest| self.number(contest.value)).filter(|value| *value != Argmax::NONE)
    }

    /// A walk through the runs from an event on that stay.
    pub(crate) fn walk_kept(&mut self, code: &Program<W>, mut event: Event) -> Result<Walk, Fault> {
        // Runs in other blocks of a `first` do not compete.
        while let (Event::First(split), true) = (event, code.contest.is_some()) {
            event = self.first_possible(code, event, split)?.map_or(Event::Fail, |block| self.run(code, block));
        }
        if !self.compares(code, event) {
            return Ok(self.walk(event));
        }
        let saved = self.save(code, event, false);
        let mut walk = self.walk(event);
        let mut best = None;
        while self.next_run(code, &mut walk)? {
            best = best.max(self.value(code));
        }
        self.restore(code, event, saved, false);
        self.release(saved);
        Ok(self.walk_of(event, best))
    }

    /// Goes through all runs from an event on that stay.
    pub(crate) fn explore_kept(
        &mut self,
        code: &Program<W>,
        from: Event,
        mut end: impl FnMut(&mut Self),
    ) -> Result<(), Fault> {
        let mut walk = self.walk_kept(code, from)?;
        while self.next_run(code, &mut walk)? {
            end(self);
        }
        Ok(())
    }

    /// Draws one of the runs that stay: each takes the place of those before it with a chance of
    /// one in so many.
    pub(crate) fn draw_kept(&mut self, code: &Program<W>, event: Event) -> Result<bool, Fault> {
        let mut walk = self.walk_kept(code, event)?;
        let (mut drawn, mut count) = (None, 0);
        while self.next_run(code, &mut walk)? {
            count += 1;
            if below(&mut self.lot, count) == 0 {
                drawn = Some(self.drawn(code));
            }
        }
        self.offered.get_or_insert(TurnCount { count, estimated: false });
        drawn.iter().for_each(|drawn| self.make(drawn));
        Ok(drawn.is_some())
    }
}
