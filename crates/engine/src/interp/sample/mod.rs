//! Uniform sampler: a program goes in; one of its complete runs, each equally likely, comes out.
//!
//! Where the runs behind each option are bounded, a run is drawn by a number: it tells the option
//! of the first choice, what is left of it the option of the next, and so on. Each run has one
//! number; a number that no run has is drawn again. Else all choices but the last ones are gone
//! through first. Uniform either way: numbers and options are drawn uniformly, and what is drawn in
//! vain leaves no trace.

pub mod uniform;
pub mod unrank;
pub mod unrank_rays;

use crate::interp::sample::uniform::below;
use crate::interp::state::program::Program;
use crate::interp::state::sampler::{Tries, TurnCount};
use crate::interp::state::search::{Batch, ChoiceFrame, VmExit};
use crate::interp::state::vm::Vm;
use crate::interp::tuning::WORK_OF_AN_EVENT;
use crate::position::Fault;

/// How the draw of a run goes on.
enum Next {
    /// The run goes on from a place; the rest of it is told by a number.
    Run { at: u32, numbered: bool },
    /// A run was made, or there is none.
    Made(bool),
}

impl<const W: usize> Vm<W> {
    /// Draws one of the complete runs of a program uniformly, makes it, and tells of how many;
    /// `None`: there is none, and the registers are void.
    pub fn draw(&mut self, program: &Program<W>, entry: u32) -> Result<Option<TurnCount>, Fault> {
        (self.sampler.active, self.turn.end_evaluated, self.sampler.turn_count) = (true, false, None);
        if self.sampler.measured.is_some() {
            self.sampler.tries = Tries::default();
        }
        let event = self.begin(program, entry);
        let made = self.draw_from(program, event);
        (self.sampler.active, self.sampler.unranking) = (false, false);
        let tries = self.sampler.tries;
        if let Some(measured) = self.sampler.measured.as_mut().filter(|_| tries.bound > 0) {
            let (ranks, runs) = tries.cost();
            measured.push((entry, ranks, runs.unwrap_or(self.turn.work / WORK_OF_AN_EVENT)));
        }
        Ok(made?.then(|| self.sampler.turn_count.unwrap_or(TurnCount::ONE)))
    }

    /// Draws one of the runs from an event on, and makes it; whether there is one.
    fn draw_from(&mut self, program: &Program<W>, mut event: VmExit) -> Result<bool, Fault> {
        loop {
            while let Some(at) = self.redraw_rank_at_choice(program, event) {
                event = self.run(program, at);
            }
            // What is asked of other runs draws nothing.
            let numbered = std::mem::take(&mut self.sampler.unranking);
            self.sampler.active = false;
            if let Some(fault) = self.turn.fault.take() {
                return Err(fault);
            }
            let next = match event {
                VmExit::First(_) if self.compares_at_first(program) => Next::Made(self.draw_best(program, event)?),
                VmExit::First(split) => match self.first_possible(program, event, split)? {
                    Some(at) => Next::Run { at, numbered },
                    None if numbered => self.resample(program)?,
                    None => Next::Made(false),
                },
                // A run with a number goes on at choices by itself, and has none any more when it
                // is complete.
                _ if numbered => self.resample(program)?,
                VmExit::End => Next::Made(true),
                VmExit::Fail => Next::Made(false),
                VmExit::Choice(_) if self.compares(program, event) => Next::Made(self.draw_best(program, event)?),
                VmExit::Choice(point) if program.code.points[point as usize].infallible => {
                    Next::Run { at: program.code.points[point as usize].at, numbered: false }
                }
                VmExit::Choice(point) if self.prepare_ranks(program, point)? => self.draw_rank(program)?,
                VmExit::Choice(_) => Next::Made(self.draw_among(program, event)?),
            };
            match next {
                Next::Made(made) => return Ok(made),
                Next::Run { at, numbered } => {
                    (self.sampler.active, self.sampler.unranking) = (true, numbered);
                    event = self.run(program, at);
                }
            }
        }
    }

    /// The first draw had so many to draw from, and hit a run or did not.
    #[inline(always)]
    pub fn record_first_draw(&mut self, hit: bool) {
        self.sampler
            .turn_count
            .get_or_insert(TurnCount { count: if hit { self.sampler.tries.bound } else { 0 }, estimated: true });
    }

    /// Tells how many runs there are at most behind a choice, so that numbers can be drawn; whether
    /// they can: some arm that has options has a bound. Arms without a bound are gone through, and
    /// have the first numbers.
    fn prepare_ranks(&mut self, program: &Program<W>, point: u32) -> Result<bool, Fault> {
        let most = crate::interp::sample::unrank::count_weights(self, program, point);
        if most == 0 {
            return Ok(false);
        }
        self.save_clobbered(program, point);
        let apart = self.enumerate_unbounded(program, point)?;
        self.begin_tries(point, most.saturating_add(apart), apart);
        Ok(true)
    }

    /// There are so many runs at most behind a choice, which is kept; so many of them were gone
    /// through.
    #[inline(always)]
    pub fn begin_tries(&mut self, point: u32, bound: u64, enumerated: u64) {
        self.sampler.tries = Tries::new(point, bound, enumerated);
    }

    /// If the number of a run was that of none, and all numbers are of runs behind the choice:
    /// draws another one, and tells where the run goes on with it.
    #[inline(always)]
    fn redraw_rank_at_choice(&mut self, program: &Program<W>, event: VmExit) -> Option<u32> {
        let Tries { point, bound, enumerated, left } = self.sampler.tries;
        let in_vain = self.sampler.unranking && self.turn.fault.is_none() && !matches!(event, VmExit::First(_));
        if !in_vain || enumerated > 0 || left == 0 {
            return None;
        }
        self.record_first_draw(false);
        self.restore_clobbered(program, point);
        self.sampler.tries.left = left - 1;
        (self.sampler.rank, self.sampler.bounded_choice) = (below(&mut self.sampler.rng, bound), point);
        Some(program.code.points[point as usize].at)
    }

    /// The number was that of no run: draws another one.
    fn resample(&mut self, program: &Program<W>) -> Result<Next, Fault> {
        self.record_first_draw(false);
        self.restore_clobbered(program, self.sampler.tries.point);
        self.draw_rank(program)
    }

    /// Draws the number of a run, or after too many in vain one of all runs.
    fn draw_rank(&mut self, program: &Program<W>) -> Result<Next, Fault> {
        let Tries { point, bound, enumerated, left } = self.sampler.tries;
        let Some(left) = left.checked_sub(1) else {
            return Ok(Next::Made(self.draw_among(program, VmExit::Choice(point))?));
        };
        self.sampler.tries.left = left;
        let number = below(&mut self.sampler.rng, bound);
        if number < enumerated {
            self.record_first_draw(true);
            return Ok(Next::Made(self.take_enumerated(program, point, number)?));
        }
        (self.sampler.rank, self.sampler.bounded_choice) = (number - enumerated, point);
        Ok(Next::Run { at: program.code.points[point as usize].at, numbered: true })
    }

    /// Draws the first number at a choice where none was drawn before, and all are of runs behind
    /// the choice.
    #[inline(always)]
    pub fn draw_first_rank(&mut self, point: u32, bound: u64) {
        self.begin_tries(point, bound, 0);
        self.sampler.tries.left -= 1;
        (self.sampler.rank, self.sampler.bounded_choice) = (below(&mut self.sampler.rng, bound), point);
        self.sampler.unranking = true;
    }

    /// The number is that of no run, and nothing has been done but to choose: draws another one.
    /// `None`: not at once.
    #[inline(always)]
    pub fn redraw_rank(&mut self) -> Option<()> {
        let Tries { bound, enumerated, left, .. } = &mut self.sampler.tries;
        *left = left.checked_sub(1).filter(|_| *enumerated == 0)?;
        self.sampler.rank = below(&mut self.sampler.rng, *bound);
        self.sampler.turn_count.get_or_insert(TurnCount { count: 0, estimated: true });
        Some(())
    }

    /// Goes through the arms without a bound; how many runs they have. Options and runs up to and
    /// with theirs are noted.
    fn enumerate_unbounded(&mut self, program: &Program<W>, first: u32) -> Result<u64, Fault> {
        self.search.enumerated.clear();
        if program.code.points[first as usize].bounded {
            return Ok(0);
        }
        let (mut runs, point) = (0u64, &program.code.points[first as usize]);
        for index in point.classes.iter().filter(|class| class.unbounded).flat_map(|class| class.from..class.to) {
            let arm = &point.arms[index];
            for option in 0..self.weight(program, arm.options) {
                self.choose(program, arm.options, option);
                let event = self.run(program, arm.entry);
                runs = runs.saturating_add(self.count_to_draw(program, event)?);
                self.search.enumerated.push((index, option, runs));
                self.restore_counted(program, first);
            }
        }
        Ok(runs)
    }

    /// Makes the run of a number among those that were gone through.
    fn take_enumerated(&mut self, program: &Program<W>, first: u32, number: u64) -> Result<bool, Fault> {
        let at = self.search.enumerated.partition_point(|&(_, _, runs)| runs <= number);
        let Some(&(index, option, _)) = self.search.enumerated.get(at) else { return Ok(false) };
        let before = at.checked_sub(1).map_or(0, |before| self.search.enumerated[before].2);
        let arm = &program.code.points[first as usize].arms[index];
        self.choose(program, arm.options, option);
        let event = self.run(program, arm.entry);
        self.make_nth(program, event, number - before)
    }

    /// Draws options of all batches without replacement until one completes its run.
    fn draw_batch(&mut self, program: &Program<W>, total: u64) -> Result<bool, Fault> {
        self.search.excluded.clear();
        let mut result = Ok(false);
        let sure = |batch: &Batch| batch.point.is_none_or(|point| program.code.points[point as usize].infallible);
        if self.search.batches.iter().all(sure) {
            self.sampler.turn_count.get_or_insert(TurnCount { count: total, estimated: false });
        }
        while (self.search.excluded.len() as u64) < total {
            let mut k = below(&mut self.sampler.rng, total - self.search.excluded.len() as u64);
            let mut place = 0;
            for (index, &out) in self.search.excluded.iter().enumerate() {
                if k >= out {
                    k += 1;
                    place = index + 1;
                }
            }
            let chosen = k;
            let mut batch = self.search.batches[0];
            for one in &self.search.batches {
                batch = *one;
                if k < one.weight {
                    break;
                }
                k -= one.weight;
            }
            let event = match batch.point {
                Some(point) => {
                    self.restore(program, VmExit::Choice(point), batch.saved, true);
                    self.take(program, point, k).map_or(VmExit::Fail, |pc| self.run(program, pc))
                }
                None => {
                    self.restore(program, VmExit::End, batch.saved, true);
                    VmExit::End
                }
            };
            let count = if event == VmExit::End { total } else { 0 };
            self.sampler.turn_count.get_or_insert(TurnCount { count, estimated: true });
            if event == VmExit::End {
                result = Ok(true);
                break;
            }
            if let Some(fault) = self.turn.fault.take() {
                result = Err(fault);
                break;
            }
            self.search.excluded.insert(place, chosen);
        }
        self.search.forget_drawn();
        result
    }

    /// Goes through all choices but the last ones, notes how many options each of these has, and
    /// draws among all of them.
    fn draw_among(&mut self, program: &Program<W>, first: VmExit) -> Result<bool, Fault> {
        let base = self.search.frames.len();
        let mut event = first;
        let mut all = 0u64;
        loop {
            self.work(program, event)?;
            let next = match event {
                VmExit::Choice(point) if program.code.points[point as usize].last => {
                    let weight = self.total(program, point);
                    if weight > 0 {
                        let saved = self.save(program, event, true);
                        self.search.batches.push(Batch { point: Some(point), weight, saved });
                        self.expect_room(program, event)?;
                        all = all.saturating_add(weight);
                    }
                    None
                }
                VmExit::Choice(point) => {
                    let total = self.total(program, point);
                    if total > 1 {
                        let saved = self.save(program, event, false);
                        self.search.frames.push(ChoiceFrame { what: event, next: 1, total, completed: 0, saved });
                    }
                    self.take(program, point, 0)
                }
                VmExit::First(split) => self.first_possible(program, event, split)?,
                VmExit::End => {
                    let saved = self.save(program, VmExit::End, true);
                    self.search.batches.push(Batch { point: None, weight: 1, saved });
                    self.expect_room(program, event)?;
                    all = all.saturating_add(1);
                    None
                }
                VmExit::Fail => match self.turn.fault.take() {
                    Some(fault) => return Err(fault),
                    None => None,
                },
            };
            event = match next.or_else(|| self.go_back(program, base, 0)) {
                Some(pc) => self.run(program, pc),
                None => break,
            };
        }
        self.draw_batch(program, all)
    }
}
