//! Argmax over turns (`most`): a search goes in; the runs of the greatest value come out. A first
//! pass finds the value, a second one goes through the runs that have it.

use crate::interp::bitset::Bitset;
use crate::interp::sample::uniform::below;
use crate::interp::state::program::Program;
use crate::interp::state::sampler::TurnCount;
use crate::interp::state::search::{Stays, VmExit, Walk};
use crate::interp::state::turn::Flags;
use crate::interp::state::vm::Vm;
use crate::interp::tuning::WORK_OF_A_VALUE;
use crate::model::MAX_PLIES;
use crate::plan::Argmax;
use crate::position::{Fault, FaultKind};

/// A turn that was drawn: the registers that all programs share, and what the run has done.
pub struct CompletedRun<const W: usize> {
    sets: Vec<Bitset<W>>,
    numbers: Vec<i64>,
    flags: Flags,
}

impl<const W: usize> Vm<W> {
    /// The run that is complete now.
    pub fn drawn(&self, program: &Program<W>) -> CompletedRun<W> {
        let (sets, numbers) = program.shared_regs;
        CompletedRun {
            sets: self.sets[..sets].to_vec(),
            numbers: self.numbers[..numbers].to_vec(),
            flags: self.turn.flags,
        }
    }

    /// Makes a run that was drawn the one that is complete.
    pub fn make(&mut self, drawn: &CompletedRun<W>) {
        self.sets[..drawn.sets.len()].copy_from_slice(&drawn.sets);
        self.numbers[..drawn.numbers.len()].copy_from_slice(&drawn.numbers);
        self.turn.flags = drawn.flags;
    }

    /// Runs behind an event may have values to compare.
    pub fn compares(&self, program: &Program<W>, event: VmExit) -> bool {
        let Some(argmax) = program.argmax else { return false };
        match (event, argmax) {
            (VmExit::Choice(point), Argmax::Register(value)) => {
                program.code.points[point as usize].clobbered_numbers.contains(&value)
            }
            (VmExit::Choice(_), Argmax::InPlies { .. } | Argmax::Logged) | (VmExit::First(_), _) => true,
            (VmExit::Fail | VmExit::End, _) => false,
        }
    }

    /// Runs are compared in several contests, so that values are logged.
    pub fn has_contests(&self, program: &Program<W>) -> bool {
        program.argmax == Some(Argmax::Logged)
    }

    /// Runs of all blocks of a `first` at the beginning are compared together. Where there is one contest for a turn without
    /// plies, the block is settled before.
    pub fn compares_at_first(&self, program: &Program<W>) -> bool {
        matches!(program.argmax, Some(Argmax::InPlies { .. } | Argmax::Logged))
    }

    /// The value of the run that is complete, if it has one.
    pub fn value(&self, program: &Program<W>) -> Option<i64> {
        let register = program.argmax.and_then(Argmax::register);
        register.map(|register| self.number(register)).filter(|value| *value != Argmax::NONE)
    }

    /// The run that is complete stays.
    #[cold]
    pub fn stays(&mut self, program: &Program<W>, walk: &mut Walk) -> bool {
        match &mut walk.stays {
            Stays::All => true,
            Stays::Value(best) => {
                let stays = self.value(program).is_none_or(|value| value == *best);
                // A turn that is over is the same whatever was its value.
                if let (Some(carry), Some(Argmax::InPlies { value, .. })) = (program.carry, program.argmax)
                    && self.number(carry.next) == 0
                {
                    self.put_number(value, Argmax::NONE);
                }
                stays
            }
            Stays::Listed { next, end } => {
                let stays = *next < *end && self.search.contests.survivors[*next as usize] == walk.completed;
                *next += u32::from(stays);
                stays
            }
        }
    }

    /// A walk through the runs from an event on that stay.
    pub fn walk_best(&mut self, program: &Program<W>, mut event: VmExit) -> Result<Walk, Fault> {
        if self.has_contests(program) {
            return self.walk_survivors(program, event);
        }
        // Runs in other blocks of a `first` do not compete.
        while let (VmExit::First(split), Some(Argmax::Register(_))) = (event, program.argmax) {
            event = self.first_possible(program, event, split)?.map_or(VmExit::Fail, |block| self.run(program, block));
        }
        if !self.compares(program, event) {
            return Ok(self.walk(event));
        }
        if let Some(Argmax::InPlies { best, .. }) = program.argmax
            && self.number(best) != Argmax::NONE
        {
            return Ok(self.walk_of(event, Stays::Value(self.number(best))));
        }
        let saved = self.save(program, event, false);
        let mut walk = self.walk(event);
        let mut best = None;
        while self.next_run(program, &mut walk)? {
            best = best.max(self.value(program));
        }
        self.restore(program, event, saved, false);
        self.release(saved);
        if let Some(Argmax::InPlies { best: known, .. }) = program.argmax {
            self.put_number(known, best.unwrap_or(Argmax::NONE));
        }
        Ok(self.walk_of(event, best.map_or(Stays::All, Stays::Value)))
    }

    /// The same where runs are compared in several contests. They are gone through twice: which stay in one is known when all
    /// of its runs are.
    fn walk_survivors(&mut self, program: &Program<W>, event: VmExit) -> Result<Walk, Fault> {
        if !self.compares(program, event) {
            return Ok(self.walk(event));
        }
        let saved = self.save(program, event, false);
        let mut walk = self.walk(event);
        if walk.base == 0 {
            // Nothing is left to go back to.
            self.search.contests.survivors.clear();
            self.search.contests.suspended.clear();
        }
        self.search.contests.finalists.clear();
        while self.next_run(program, &mut walk)? {
            let contests = &mut self.search.contests;
            if contests.finalists.len() >= MAX_PLIES {
                self.drop_frames(walk.base);
                return Err(Fault::new(FaultKind::Plies, program.turn));
            }
            let kept = contests.keep(walk.completed);
            self.turn.work += WORK_OF_A_VALUE * kept as u64;
        }
        let contests = &mut self.search.contests;
        contests.go_back_to(walk.base);
        let next = contests.survivors.len() as u32;
        contests.survivors.extend(contests.finalists.drain(..).map(|finalist| finalist.number));
        let end = contests.survivors.len() as u32;
        self.restore(program, event, saved, false);
        self.release(saved);
        Ok(self.walk_of(event, Stays::Listed { next, end }))
    }

    /// Goes through all runs from an event on that stay.
    pub fn explore_best(
        &mut self,
        program: &Program<W>,
        from: VmExit,
        mut end: impl FnMut(&mut Self),
    ) -> Result<(), Fault> {
        let mut walk = self.walk_best(program, from)?;
        while self.next_run(program, &mut walk)? {
            end(self);
        }
        Ok(())
    }

    /// Draws one of the runs that stay: each takes the place of those before it with a chance of
    /// one in so many.
    pub fn draw_best(&mut self, program: &Program<W>, event: VmExit) -> Result<bool, Fault> {
        let mut walk = self.walk_best(program, event)?;
        let (mut drawn, mut count) = (None, 0);
        while self.next_run(program, &mut walk)? {
            count += 1;
            if below(&mut self.sampler.rng, count) == 0 {
                drawn = Some(self.drawn(program));
            }
        }
        self.sampler.turn_count.get_or_insert(TurnCount { count, estimated: false });
        drawn.iter().for_each(|drawn| self.make(drawn));
        Ok(drawn.is_some())
    }
}
