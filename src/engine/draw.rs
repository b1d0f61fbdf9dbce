//! One complete run, drawn uniformly from all of them.
//!
//! Where the runs behind each option are bounded, a run is drawn by a number: it tells the option of the first choice, what is left of it
//! the option of the next, and so on. Each run has one number; a number that no run has is drawn again. Else all choices but the last
//! ones are gone through first.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::explore::{Batch, Frame, Saved};
use super::machine::{Code, Event, Machine};
use crate::position::Fault;

/// Numbers drawn in vain before all runs are gone through.
const TRIES: u32 = 200;

/// A run that was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// How many runs there are; `None` if that was not found out.
    pub of: Option<u64>,
}

/// A number below `n`, each equally likely, by multiplication with rejection (Lemire).
#[inline(always)]
pub fn below(rng: &mut Xoshiro256PlusPlus, n: u64) -> u64 {
    loop {
        let wide = u128::from(rng.random::<u64>()) * u128::from(n);
        let low = wide as u64;
        if low >= n || low >= n.wrapping_neg() % n {
            return (wide >> 64) as u64;
        }
    }
}

impl<const W: usize> Machine<W> {
    /// Draws one of the complete runs of a program uniformly, and makes it; `None`: there is none, and the registers are void.
    pub(super) fn draw(&mut self, code: &Code<W>, entry: u32) -> Result<Option<Drawn>, Fault> {
        (self.drawing, self.drawn) = (true, None);
        let mut event = self.begin(code, entry);
        self.drawing = false;
        loop {
            match event {
                Event::End => return Ok(Some(Drawn { of: self.drawn.or(Some(1)) })),
                Event::Fail => return self.fault.take().map_or(Ok(None), Err),
                Event::First(split) => match self.first_possible(code, event, split)? {
                    Some(block) => event = self.run(code, block),
                    None => return Ok(None),
                },
                Event::Choice(point) if code.linked.points[point as usize].last => return self.draw_last(code, point),
                Event::Choice(point) => {
                    return match self.draw_by_number(code, point)? {
                        Some(drawn) => Ok(Some(drawn)),
                        None => self.draw_among(code, event),
                    };
                }
            }
        }
    }

    /// Draws numbers of runs until a run has the number; `None`, with the registers as they were: that took too long, or nothing bounds
    /// the runs. Arms without a bound are gone through, and have the first numbers.
    fn draw_by_number(&mut self, code: &Code<W>, first: u32) -> Result<Option<Drawn>, Fault> {
        let most = super::run::most(self, code, first);
        if most == 0 {
            return Ok(None);
        }
        let saved = self.save(code, Event::Choice(first), true);
        let drawn = self.count_apart(code, first, saved).and_then(|apart| {
            self.restore(code, Event::Choice(first), saved, true);
            let all = most.saturating_add(apart);
            for _ in 0..TRIES {
                let number = below(&mut self.lot, all);
                let made = match number.checked_sub(apart) {
                    None => self.take_apart(code, first, saved, number)?,
                    Some(number) => self.run_of_number(code, first, number)?,
                };
                if made {
                    return Ok(Some(Drawn { of: None }));
                }
                self.restore(code, Event::Choice(first), saved, true);
            }
            Ok(None)
        });
        self.stack.forget_drawn();
        drawn
    }

    /// Goes through the arms without a bound; how many runs they have. Options and runs up to and with theirs are noted.
    fn count_apart(&mut self, code: &Code<W>, first: u32, saved: Saved) -> Result<u64, Fault> {
        self.stack.apart.clear();
        let mut runs = 0u64;
        for (index, arm) in code.linked.points[first as usize].arms.iter().enumerate().filter(|(_, arm)| arm.unbounded) {
            self.restore(code, Event::Choice(first), saved, true);
            for option in 0..self.weight(code, arm.options) {
                self.restore(code, Event::Choice(first), saved, true);
                self.choose(code, arm.options, option);
                let event = self.run(code, arm.entry);
                runs = runs.saturating_add(self.count_runs(code, event)?);
                self.stack.apart.push((index, option, runs));
            }
        }
        Ok(runs)
    }

    /// Makes the run of a number among those that were gone through.
    fn take_apart(&mut self, code: &Code<W>, first: u32, saved: Saved, number: u64) -> Result<bool, Fault> {
        let at = self.stack.apart.partition_point(|&(_, _, runs)| runs <= number);
        let Some(&(index, option, _)) = self.stack.apart.get(at) else { return Ok(false) };
        let before = at.checked_sub(1).map_or(0, |before| self.stack.apart[before].2);
        let arm = &code.linked.points[first as usize].arms[index];
        self.restore(code, Event::Choice(first), saved, true);
        self.choose(code, arm.options, option);
        let event = self.run(code, arm.entry);
        let mut left = number - before;
        self.explore(code, event, |_| {
            let here = left == 0;
            left = left.wrapping_sub(1);
            here
        })
    }

    /// Makes the run of a number; whether there is one.
    fn run_of_number(&mut self, code: &Code<W>, first: u32, mut number: u64) -> Result<bool, Fault> {
        let mut event = Event::Choice(first);
        loop {
            event = match event {
                Event::Choice(point) => match super::run::take_number(self, code, point, &mut number) {
                    Some(entry) => self.run(code, entry),
                    None => return Ok(false),
                },
                Event::First(split) => match self.first_possible(code, event, split)? {
                    Some(entry) => self.run(code, entry),
                    None => return Ok(false),
                },
                Event::End => return Ok(number == 0),
                Event::Fail => return self.fault.take().map_or(Ok(false), Err),
            };
        }
    }

    /// No other choice follows: options are drawn until one completes its run, none twice.
    fn draw_last(&mut self, code: &Code<W>, point: u32) -> Result<Option<Drawn>, Fault> {
        let total = self.total(code, point);
        if total == 0 {
            return Ok(None);
        }
        if code.linked.points[point as usize].sure {
            let k = below(&mut self.lot, total);
            let pc = self.take(code, point, k);
            return match self.run(code, pc) {
                Event::End => Ok(Some(Drawn { of: Some(total) })),
                _ => self.fault.take().map_or(Ok(None), Err),
            };
        }
        let saved = self.save(code, Event::Choice(point), true);
        self.stack.batches.push(Batch { point: Some(point), weight: total, saved });
        self.draw_batch(code, total)
    }

    /// Draws options of all batches without replacement until one completes its run.
    fn draw_batch(&mut self, code: &Code<W>, total: u64) -> Result<Option<Drawn>, Fault> {
        self.stack.excluded.clear();
        let mut result = Ok(None);
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
                    let pc = self.take(code, point, k);
                    self.run(code, pc)
                }
                None => {
                    self.restore(code, Event::End, batch.saved, true);
                    Event::End
                }
            };
            if event == Event::End {
                let sure = self
                    .stack
                    .batches
                    .iter()
                    .all(|batch| batch.point.is_none_or(|point| code.linked.points[point as usize].sure));
                result = Ok(Some(Drawn { of: sure.then_some(total) }));
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

    /// Goes through all choices but the last ones, notes how many options each of these has, and draws among all of them.
    fn draw_among(&mut self, code: &Code<W>, first: Event) -> Result<Option<Drawn>, Fault> {
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
                    if total > 0 { Some(self.take(code, point, 0)) } else { None }
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
        if all == 0 { Ok(None) } else { self.draw_batch(code, all) }
    }
}
