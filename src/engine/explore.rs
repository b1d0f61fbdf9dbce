//! Runs of a program: whether there is one, all of them, or one drawn uniformly without listing them.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::machine::{Code, Event, Flags, Machine};
use super::words::Words;
use crate::board::Player;
use crate::ir::{N, S};
use crate::position::{Fault, FaultKind, MAX_WORK};
use crate::source::Span;

/// What choices are gone back to, and the places where draws can be made; reused.
#[derive(Debug)]
pub(super) struct Stack<const W: usize> {
    frames: Vec<Frame>,
    kept: Kept<W>,
    batches: Vec<Batch>,
    drawn: Kept<W>,
    excluded: Vec<u64>,
    /// For `stuck`.
    inner: Option<Box<Machine<W>>>,
}

impl<const W: usize> Default for Stack<W> {
    fn default() -> Stack<W> {
        Stack {
            frames: Vec::new(),
            kept: Kept::default(),
            batches: Vec::new(),
            drawn: Kept::default(),
            excluded: Vec::new(),
            inner: None,
        }
    }
}

#[derive(Debug)]
struct Kept<const W: usize> {
    sets: Vec<Words<W>>,
    numbers: Vec<i64>,
}

impl<const W: usize> Default for Kept<W> {
    fn default() -> Kept<W> {
        Kept { sets: Vec::new(), numbers: Vec::new() }
    }
}

/// Registers as they were, in a list of kept ones.
#[derive(Clone, Copy, Debug)]
struct Saved {
    sets: usize,
    numbers: usize,
    flags: Flags,
    told: usize,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    what: Event,
    next: u64,
    total: u64,
    /// Runs completed when a `first` began.
    completed: u64,
    saved: Saved,
}

/// Options that each complete a run, or may: those of one last choice, or a run that is complete.
#[derive(Clone, Copy, Debug)]
struct Batch {
    point: Option<u32>,
    weight: u64,
    saved: Saved,
}

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

impl<const W: usize> Kept<W> {
    fn save(&mut self, machine: (&[Words<W>], &[i64]), code: &Code<W>, regs: (&[S], &[N])) -> (usize, usize) {
        let at = (self.sets.len(), self.numbers.len());
        self.sets.extend_from_slice(&machine.0[..code.shared.0]);
        self.sets.extend(regs.0.iter().map(|reg| machine.0[usize::from(reg.0)]));
        self.numbers.extend_from_slice(&machine.1[..code.shared.1]);
        self.numbers.extend(regs.1.iter().map(|reg| machine.1[usize::from(reg.0)]));
        at
    }

    fn restore(&self, at: (usize, usize), machine: (&mut [Words<W>], &mut [i64]), code: &Code<W>, regs: (&[S], &[N])) {
        let (sets, numbers) = (&self.sets[at.0..], &self.numbers[at.1..]);
        machine.0[..code.shared.0].copy_from_slice(&sets[..code.shared.0]);
        regs.0.iter().zip(&sets[code.shared.0..]).for_each(|(reg, set)| machine.0[usize::from(reg.0)] = *set);
        machine.1[..code.shared.1].copy_from_slice(&numbers[..code.shared.1]);
        regs.1.iter().zip(&numbers[code.shared.1..]).for_each(|(reg, number)| machine.1[usize::from(reg.0)] = *number);
    }
}

fn regs<const W: usize>(code: &Code<W>, what: Event) -> (&[S], &[N]) {
    match what {
        Event::Choice(index) => {
            let point = &code.linked.points[index as usize];
            (&point.sets, &point.numbers)
        }
        Event::First(index) => {
            let split = &code.linked.splits[index as usize];
            (&split.sets, &split.numbers)
        }
        Event::Fail | Event::End => (&[], &[]),
    }
}

impl<const W: usize> Machine<W> {
    fn save(&mut self, code: &Code<W>, what: Event, drawn: bool) -> Saved {
        let kept = if drawn { &mut self.stack.drawn } else { &mut self.stack.kept };
        let (sets, numbers) = kept.save((&self.sets[..], &self.numbers[..]), code, regs(code, what));
        Saved { sets, numbers, flags: self.flags, told: self.told.len() }
    }

    fn restore(&mut self, code: &Code<W>, what: Event, saved: Saved, drawn: bool) {
        let kept = if drawn { &self.stack.drawn } else { &self.stack.kept };
        kept.restore((saved.sets, saved.numbers), (&mut self.sets[..], &mut self.numbers[..]), code, regs(code, what));
        self.flags = saved.flags;
        self.told.truncate(saved.told);
    }

    /// Forgets what was saved since.
    fn release(&mut self, saved: Saved) {
        self.stack.kept.sets.truncate(saved.sets);
        self.stack.kept.numbers.truncate(saved.numbers);
    }

    fn total(&self, code: &Code<W>, point: u32) -> u64 {
        super::run::total(self, code, point)
    }

    fn take(&mut self, code: &Code<W>, point: u32, k: u64) -> u32 {
        super::run::take(self, code, point, k)
    }

    fn work(&mut self, more: u64) -> Result<(), Fault> {
        self.worked += more;
        if self.worked > MAX_WORK {
            let nowhere = Span { source: crate::source::SourceId(0), start: 0, end: 0 };
            return Err(Fault::new(FaultKind::Work, nowhere));
        }
        Ok(())
    }

    /// Goes through the complete runs from a place on, depth first, until `end` says to stop. The registers are left as the last run
    /// left them.
    pub(super) fn explore(&mut self, code: &Code<W>, from: u32, mut end: impl FnMut(&mut Self) -> bool) -> Result<bool, Fault> {
        let base = self.stack.frames.len();
        let mut completed = 0;
        let mut event = self.run(code, from);
        let stopped = loop {
            self.work(1)?;
            let next = match event {
                Event::Choice(point) => {
                    let total = self.total(code, point);
                    if total > 1 {
                        let saved = self.save(code, event, false);
                        self.stack.frames.push(Frame { what: event, next: 1, total, completed, saved });
                    }
                    if total > 0 { Some(self.take(code, point, 0)) } else { None }
                }
                Event::First(split) => {
                    let blocks = &code.linked.splits[split as usize].blocks;
                    let saved = self.save(code, event, false);
                    self.stack.frames.push(Frame { what: event, next: 1, total: blocks.len() as u64, completed, saved });
                    Some(blocks[0])
                }
                Event::End => {
                    completed += 1;
                    if end(self) {
                        break true;
                    }
                    None
                }
                Event::Fail => match self.fault.take() {
                    Some(fault) => {
                        self.drop_frames(base);
                        return Err(fault);
                    }
                    None => None,
                },
            };
            event = match next.or_else(|| self.go_back(code, base, completed)) {
                Some(pc) => self.run(code, pc),
                None => break false,
            };
        };
        self.drop_frames(base);
        Ok(stopped)
    }

    fn drop_frames(&mut self, base: usize) {
        if let Some(frame) = self.stack.frames.get(base) {
            let saved = frame.saved;
            self.release(saved);
        }
        self.stack.frames.truncate(base);
    }

    /// The next option of the latest choice that has one left.
    fn go_back(&mut self, code: &Code<W>, base: usize, completed: u64) -> Option<u32> {
        while self.stack.frames.len() > base {
            let frame = self.stack.frames.pop()?;
            let done = matches!(frame.what, Event::First(_)) && completed > frame.completed;
            if done || frame.next >= frame.total {
                self.release(frame.saved);
                continue;
            }
            self.restore(code, frame.what, frame.saved, false);
            self.stack.frames.push(Frame { next: frame.next + 1, ..frame });
            return match frame.what {
                Event::Choice(point) => Some(self.take(code, point, frame.next)),
                Event::First(split) => Some(code.linked.splits[split as usize].blocks[frame.next as usize]),
                Event::Fail | Event::End => None,
            };
        }
        None
    }

    /// Whether a run can be completed from a place on; the registers are left as they were.
    fn exists(&mut self, code: &Code<W>, what: Event, from: u32) -> Result<bool, Fault> {
        let saved = self.save(code, what, false);
        let found = self.explore(code, from, |_| true);
        self.restore(code, what, saved, false);
        self.release(saved);
        found
    }

    /// The player, were it his turn, has no complete run but a pass.
    pub(super) fn is_stuck(&mut self, code: &Code<W>, player: Player) -> Result<bool, Fault> {
        if let Some(known) = self.stuck[player.index()] {
            return Ok(known);
        }
        let mut inner = self.stack.inner.take().unwrap_or_else(|| Box::new(Machine::new(code)));
        inner.sets[..code.state.0].copy_from_slice(&self.sets[..code.state.0]);
        inner.numbers[..code.state.1].copy_from_slice(&self.numbers[..code.state.1]);
        std::mem::swap(&mut inner.history, &mut self.history);
        let found = inner.can_act(code, player);
        std::mem::swap(&mut inner.history, &mut self.history);
        self.stack.inner = Some(inner);
        let stuck = !found?;
        self.stuck[player.index()] = Some(stuck);
        Ok(stuck)
    }

    fn can_act(&mut self, code: &Code<W>, player: Player) -> Result<bool, Fault> {
        self.flags = Flags::default();
        self.worked = 0;
        let entry = code.linked.entries[player.index()].turn;
        if !code.has_pass {
            let event = self.run(code, entry);
            match event {
                Event::Choice(point) if code.linked.points[point as usize].sure => return Ok(self.total(code, point) > 0),
                Event::End => return Ok(true),
                _ => {}
            }
            if let Some(fault) = self.fault.take() {
                return Err(fault);
            }
            self.flags = Flags::default();
        }
        // Running up to the first choice changes nothing that a second run from the start would read.
        self.explore(code, entry, |machine| !machine.flags.passed || machine.flags.acted)
    }

    /// Draws one of the complete runs of a program uniformly, and makes it; `None`: there is none, and the registers are void.
    pub(super) fn draw(&mut self, code: &Code<W>, entry: u32, rng: &mut Xoshiro256PlusPlus) -> Result<Option<Drawn>, Fault> {
        self.flags = Flags::default();
        self.worked = 0;
        let event = self.run(code, entry);
        match event {
            Event::End => Ok(Some(Drawn { of: Some(1) })),
            Event::Fail => self.fault.take().map_or(Ok(None), Err),
            Event::Choice(point) if code.linked.points[point as usize].last => self.draw_last(code, point, rng),
            _ => self.draw_among(code, event, rng),
        }
    }

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
        self.stack.batches.clear();
        self.stack.drawn.sets.clear();
        self.stack.drawn.numbers.clear();
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

    /// The first block of a `first` from which a run can be completed.
    fn first_possible(&mut self, code: &Code<W>, what: Event, split: u32) -> Result<Option<u32>, Fault> {
        for &block in &code.linked.splits[split as usize].blocks {
            if self.exists(code, what, block)? {
                return Ok(Some(block));
            }
        }
        Ok(None)
    }

    /// Clears what an error may have left.
    pub(super) fn clear(&mut self) {
        self.stack.frames.clear();
        self.stack.kept.sets.clear();
        self.stack.kept.numbers.clear();
        self.stack.batches.clear();
        self.stack.drawn.sets.clear();
        self.stack.drawn.numbers.clear();
        self.fault = None;
        self.decided = None;
        self.stuck = [None; 8];
        self.told.clear();
    }
}
