//! One complete run, drawn uniformly from all of them.
//!
//! Where the runs behind each option are bounded, a run is drawn by a number: it tells the option
//! of the first choice, what is left of it the option of the next, and so on. Each run has one
//! number; a number that no run has is drawn again. Else all choices but the last ones are gone
//! through first. Uniform either way: numbers and options are drawn uniformly, and what is drawn in
//! vain leaves no trace.

pub(crate) mod unrank;
pub(crate) mod unrank_rays;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::interp::enumerate::{Batch, Frame};
use crate::interp::vm::{Event, Program, Vm};
use crate::position::Fault;

/// Numbers drawn in vain before all runs are gone through.
const TRIES: u64 = 200;

/// Numbers that are drawn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tries {
    /// The choice behind which the runs are.
    point: u32,
    /// They are below this.
    all: u64,
    /// Those below this are of runs that were gone through.
    apart: u64,
    /// So many more are drawn.
    left: u64,
}

/// How the draw of a run goes on.
enum Next {
    /// The run goes on from a place; the rest of it is told by a number.
    Run { at: u32, numbered: bool },
    /// A run was made, or there is none.
    Made(bool),
}

/// How many complete runs there are, or a number whose mean over all draws is that: so many as were
/// offered to a draw if it hit a run at once, and 0 if it did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnCount {
    pub count: u64,
    pub estimated: bool,
}

impl TurnCount {
    /// A run without choices is the only one.
    pub const ONE: TurnCount = TurnCount { count: 1, estimated: false };
}

impl std::ops::AddAssign for TurnCount {
    #[inline]
    fn add_assign(&mut self, other: TurnCount) {
        self.count = self.count.saturating_add(other.count);
        self.estimated = self.estimated || other.estimated;
    }
}

/// A number below `n`, each equally likely, by multiplication with rejection (Lemire); of 32 bits
/// where that is enough.
#[inline(always)]
pub fn below(rng: &mut Xoshiro256PlusPlus, n: u64) -> u64 {
    below_by(|| rng.random::<u64>(), n)
}

/// The same of a generator's words.
#[inline(always)]
pub fn below_by(mut word: impl FnMut() -> u64, n: u64) -> u64 {
    if n <= u64::from(u32::MAX) {
        loop {
            let wide = (word() >> 32) * n;
            let low = wide & u64::from(u32::MAX);
            if low >= n || low >= (u64::from(u32::MAX) + 1 - n) % n.max(1) {
                return wide >> 32;
            }
        }
    }
    loop {
        let wide = u128::from(word()) * u128::from(n);
        let low = wide as u64;
        if low >= n || low >= n.wrapping_neg() % n {
            return (wide >> 64) as u64;
        }
    }
}

impl<const W: usize> Vm<W> {
    /// Draws one of the complete runs of a program uniformly, makes it, and tells of how many;
    /// `None`: there is none, and the registers are void.
    pub(crate) fn draw(&mut self, code: &Program<W>, entry: u32) -> Result<Option<TurnCount>, Fault> {
        (self.drawing, self.judged, self.offered) = (true, false, None);
        let event = self.begin(code, entry);
        let made = self.draw_from(code, event);
        (self.drawing, self.numbered) = (false, false);
        Ok(made?.then(|| self.offered.unwrap_or(TurnCount::ONE)))
    }

    /// Draws one of the runs from an event on, and makes it; whether there is one.
    fn draw_from(&mut self, code: &Program<W>, mut event: Event) -> Result<bool, Fault> {
        loop {
            while let Some(at) = self.next_number(code, event) {
                event = self.run(code, at);
            }
            // What is asked of other runs draws nothing.
            let numbered = std::mem::take(&mut self.numbered);
            self.drawing = false;
            if let Some(fault) = self.fault.take() {
                return Err(fault);
            }
            let next = match event {
                Event::First(split) => match self.first_possible(code, event, split)? {
                    Some(at) => Next::Run { at, numbered },
                    None if numbered => self.draw_anew(code)?,
                    None => Next::Made(false),
                },
                // A run with a number goes on at choices by itself, and has none any more when it
                // is complete.
                _ if numbered => self.draw_anew(code)?,
                Event::End => Next::Made(true),
                Event::Fail => Next::Made(false),
                Event::Choice(_) if self.compares(code, event) => Next::Made(self.draw_kept(code, event)?),
                Event::Choice(point) if code.linked.points[point as usize].infallible => {
                    Next::Run { at: code.linked.points[point as usize].at, numbered: false }
                }
                Event::Choice(point) if self.number_runs(code, point)? => self.draw_number(code)?,
                Event::Choice(_) => Next::Made(self.draw_among(code, event)?),
            };
            match next {
                Next::Made(made) => return Ok(made),
                Next::Run { at, numbered } => {
                    (self.drawing, self.numbered) = (true, numbered);
                    event = self.run(code, at);
                }
            }
        }
    }

    /// The first draw had so many to draw from, and hit a run or did not.
    #[inline(always)]
    pub(crate) fn tell_first(&mut self, hit: bool) {
        self.offered.get_or_insert(TurnCount { count: if hit { self.tries.all } else { 0 }, estimated: true });
    }

    /// Tells how many runs there are at most behind a choice, so that numbers can be drawn; whether
    /// they can: some arm that has options has a bound. Arms without a bound are gone through, and
    /// have the first numbers.
    fn number_runs(&mut self, code: &Program<W>, point: u32) -> Result<bool, Fault> {
        let most = crate::interp::sample::unrank::share_out(self, code, point);
        if most == 0 {
            return Ok(false);
        }
        self.keep(code, point);
        let apart = self.count_apart(code, point)?;
        self.begin_tries(point, most.saturating_add(apart), apart);
        Ok(true)
    }

    /// There are so many runs at most behind a choice, which is kept; so many of them were gone
    /// through.
    #[inline(always)]
    pub(crate) fn begin_tries(&mut self, point: u32, all: u64, apart: u64) {
        self.tries = Tries { point, all, apart, left: TRIES.min(all.saturating_mul(2)) };
    }

    /// If the number of a run was that of none, and all numbers are of runs behind the choice:
    /// draws another one, and tells where the run goes on with it.
    #[inline(always)]
    fn next_number(&mut self, code: &Program<W>, event: Event) -> Option<u32> {
        let Tries { point, all, apart, left } = self.tries;
        let in_vain = self.numbered && self.fault.is_none() && !matches!(event, Event::First(_));
        if !in_vain || apart > 0 || left == 0 {
            return None;
        }
        self.tell_first(false);
        self.put_back(code, point);
        self.tries.left = left - 1;
        (self.left, self.shared_out) = (below(&mut self.lot, all), point);
        Some(code.linked.points[point as usize].at)
    }

    /// The number was that of no run: draws another one.
    fn draw_anew(&mut self, code: &Program<W>) -> Result<Next, Fault> {
        self.tell_first(false);
        self.put_back(code, self.tries.point);
        self.draw_number(code)
    }

    /// Draws the number of a run, or after too many in vain one of all runs.
    fn draw_number(&mut self, code: &Program<W>) -> Result<Next, Fault> {
        let Tries { point, all, apart, left } = self.tries;
        let Some(left) = left.checked_sub(1) else {
            return Ok(Next::Made(self.draw_among(code, Event::Choice(point))?));
        };
        self.tries.left = left;
        let number = below(&mut self.lot, all);
        if number < apart {
            self.tell_first(true);
            return Ok(Next::Made(self.take_apart(code, point, number)?));
        }
        (self.left, self.shared_out) = (number - apart, point);
        Ok(Next::Run { at: code.linked.points[point as usize].at, numbered: true })
    }

    /// Draws the first number at a choice where none was drawn before, and all are of runs behind
    /// the choice.
    #[inline(always)]
    pub(crate) fn draw_first(&mut self, point: u32, all: u64) {
        self.begin_tries(point, all, 0);
        self.tries.left -= 1;
        (self.left, self.shared_out) = (below(&mut self.lot, all), point);
        self.numbered = true;
    }

    /// The number is that of no run, and nothing has been done but to choose: draws another one.
    /// `None`: not at once.
    #[inline(always)]
    pub(crate) fn draw_again(&mut self) -> Option<()> {
        let Tries { all, apart, left, .. } = &mut self.tries;
        *left = left.checked_sub(1).filter(|_| *apart == 0)?;
        self.left = below(&mut self.lot, *all);
        self.offered.get_or_insert(TurnCount { count: 0, estimated: true });
        Some(())
    }

    /// Goes through the arms without a bound; how many runs they have. Options and runs up to and
    /// with theirs are noted.
    fn count_apart(&mut self, code: &Program<W>, first: u32) -> Result<u64, Fault> {
        self.stack.apart.clear();
        if code.linked.points[first as usize].bounded {
            return Ok(0);
        }
        let (mut runs, point) = (0u64, &code.linked.points[first as usize]);
        for index in point.classes.iter().filter(|class| class.unbounded).flat_map(|class| class.from..class.to) {
            let arm = &point.arms[index];
            for option in 0..self.weight(code, arm.options) {
                self.choose(code, arm.options, option);
                let event = self.run(code, arm.entry);
                runs = runs.saturating_add(self.count_runs(code, event)?);
                self.stack.apart.push((index, option, runs));
                self.put_back(code, first);
            }
        }
        Ok(runs)
    }

    /// Makes the run of a number among those that were gone through.
    fn take_apart(&mut self, code: &Program<W>, first: u32, number: u64) -> Result<bool, Fault> {
        let at = self.stack.apart.partition_point(|&(_, _, runs)| runs <= number);
        let Some(&(index, option, _)) = self.stack.apart.get(at) else { return Ok(false) };
        let before = at.checked_sub(1).map_or(0, |before| self.stack.apart[before].2);
        let arm = &code.linked.points[first as usize].arms[index];
        self.choose(code, arm.options, option);
        let event = self.run(code, arm.entry);
        let mut left = number - before;
        self.explore(code, event, |_| {
            let here = left == 0;
            left = left.wrapping_sub(1);
            here
        })
    }

    /// Draws options of all batches without replacement until one completes its run.
    fn draw_batch(&mut self, code: &Program<W>, total: u64) -> Result<bool, Fault> {
        self.stack.excluded.clear();
        let mut result = Ok(false);
        let sure = |batch: &Batch| batch.point.is_none_or(|point| code.linked.points[point as usize].infallible);
        if self.stack.batches.iter().all(sure) {
            self.offered.get_or_insert(TurnCount { count: total, estimated: false });
        }
        while (self.stack.excluded.len() as u64) < total {
            let mut k = below(&mut self.lot, total - self.stack.excluded.len() as u64);
            let mut place = 0;
            for (index, &out) in self.stack.excluded.iter().enumerate() {
                if k >= out {
                    k += 1;
                    place = index + 1;
                }
            }
            let chosen = k;
            let mut batch = self.stack.batches[0];
            for one in &self.stack.batches {
                batch = *one;
                if k < one.weight {
                    break;
                }
                k -= one.weight;
            }
            let event = match batch.point {
                Some(point) => {
                    self.restore(code, Event::Choice(point), batch.saved, true);
                    self.take(code, point, k).map_or(Event::Fail, |pc| self.run(code, pc))
                }
                None => {
                    self.restore(code, Event::End, batch.saved, true);
                    Event::End
                }
            };
            let count = if event == Event::End { total } else { 0 };
            self.offered.get_or_insert(TurnCount { count, estimated: true });
            if event == Event::End {
                result = Ok(true);
                break;
            }
            if let Some(fault) = self.fault.take() {
                result = Err(fault);
                break;
            }
            self.stack.excluded.insert(place, chosen);
        }
        self.stack.forget_drawn();
        result
    }

    /// Goes through all choices but the last ones, notes how many options each of these has, and
    /// draws among all of them.
    fn draw_among(&mut self, code: &Program<W>, first: Event) -> Result<bool, Fault> {
        let base = self.stack.frames.len();
        let mut event = first;
        let mut all = 0u64;
        loop {
            self.work(1)?;
            let next = match event {
                Event::Choice(point) if code.linked.points[point as usize].last => {
                    let weight = self.total(code, point);
                    if weight > 0 {
                        let saved = self.save(code, event, true);
                        self.stack.batches.push(Batch { point: Some(point), weight, saved });
                        all += weight;
                    }
                    None
                }
                Event::Choice(point) => {
                    let total = self.total(code, point);
                    if total > 1 {
                        let saved = self.save(code, event, false);
                        self.stack.frames.push(Frame { what: event, next: 1, total, completed: 0, saved });
                    }
                    self.take(code, point, 0)
                }
                Event::First(split) => self.first_possible(code, event, split)?,
                Event::End => {
                    let saved = self.save(code, Event::End, true);
                    self.stack.batches.push(Batch { point: None, weight: 1, saved });
                    all += 1;
                    None
                }
                Event::Fail => match self.fault.take() {
                    Some(fault) => return Err(fault),
                    None => None,
                },
            };
            event = match next.or_else(|| self.go_back(code, base, 0)) {
                Some(pc) => self.run(code, pc),
                None => break,
            };
        }
        self.draw_batch(code, all)
    }
}
