//! One complete run, drawn uniformly from all of them.
//!
//! Where the runs behind each option are bounded, a run is drawn by a number: it tells the option of the first choice, what is left of it
//! the option of the next, and so on. Each run has one number; a number that no run has is drawn again. Else all choices but the last
//! ones are gone through first.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::explore::{Batch, Frame};
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
    pub(super) fn draw(&mut self, code: &Code<W>, entry: u32, rng: &mut Xoshiro256PlusPlus) -> Result<Option<Drawn>, Fault> {
        let mut event = self.begin(code, entry);
        loop {
            match event {
                Event::End => return Ok(Some(Drawn { of: Some(1) })),
                Event::Fail => return self.fault.take().map_or(Ok(None), Err),
                Event::First(split) => match self.first_possible(code, event, split)? {
                    Some(block) => event = self.run(code, block),
                    None => return Ok(None),
                },
                Event::Choice(point) if code.linked.points[point as usize].last => return self.draw_last(code, point, rng),
                Event::Choice(point) => {
                    return match self.draw_by_number(code, point, rng)? {
                        Some(drawn) => Ok(Some(drawn)),
                        None => self.draw_among(code, event, rng),
                    };
                }
            }
        }
    }

    /// Draws numbers of runs until a run has the number; `None`, with the registers as they were: that took too long, or nothing bounds
    /// the runs.
    fn draw_by_number(&mut self, code: &Code<W>, first: u32, rng: &mut Xoshiro256PlusPlus) -> Result<Option<Drawn>, Fault> {
        if !code.linked.points[first as usize].bounded {
            return Ok(None);
        }
        let most = super::run::most(self, code, first);
        if most == 0 {
            return Ok(None);
        }
        let saved = self.save(code, Event::Choice(first), true);
        let mut found = Ok(None);
        for _ in 0..TRIES {
            let number = below(rng, most);
            match self.run_of_number(code, first, number) {
                Ok(true) => {
                    found = Ok(Some(Drawn { of: None }));
                    break;
                }
                Ok(false) => self.restore(code, Event::Choice(first), saved, true),
                Err(fault) => {
                    found = Err(fault);
                    break;
                }
            }
        }
        self.stack.forget_drawn();
        found
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
    fn draw_last(&mut self, code: &Code<W>, point: u32, rng: &mut Xoshiro256PlusPlus) -> Result<Option<Drawn>, Fault> {
        let total = self.total(code, point);
        if total == 0 {
            return Ok(None);
        }
        if code.linked.points[point as usize].sure {
            let k = below(rng, total);
            let pc = self.take(code, point, k);
            return match self.run(code, pc) {
                Event::End => Ok(Some(Drawn { of: Some(total) })),
                _ => self.fault.take().map_or(Ok(None), Err),
            };
        }
        let saved = self.save(code, Event::Choice(point), true);
        self.stack.batches.push(Batch { point: Some(point), weight: total, saved });
        self.draw_batch(code, total, rng)
    }

    /// Draws options of all batches without replacement until one completes its run.
    fn draw_batch(&mut self, code: &Code<W>, total: u64, rng: &mut Xoshiro256PlusPlus) -> Result<Option<Drawn>, Fault> {
        self.stack.excluded.clear();
        let mut result = Ok(None);
        while (self.stack.excluded.len() as u64) < total {
            let mut k = below(rng, total - self.stack.excluded.len() as u64);
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
    fn draw_among(&mut self, code: &Code<W>, first: Event, rng: &mut Xoshiro256PlusPlus) -> Result<Option<Drawn>, Fault> {
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
        if all == 0 { Ok(None) } else { self.draw_batch(code, all, rng) }
    }
}
