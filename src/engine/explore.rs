//! Runs of a program: all of them, one after the other, or whether there is one.

use super::machine::{Code, Event, Flags, Machine};
use super::words::Words;
use crate::board::Player;
use crate::ir::{N, S};
use crate::position::{Fault, FaultKind, MAX_WORK};
use crate::source::Span;

/// What choices are gone back to, and the places where draws can be made; reused.
#[derive(Debug)]
pub(super) struct Stack<const W: usize> {
    pub(super) frames: Vec<Frame>,
    kept: Kept<W>,
    pub(super) batches: Vec<Batch>,
    drawn: Kept<W>,
    pub(super) excluded: Vec<u64>,
    /// Options that were gone through, by arm and number, with how many runs there were up to and with theirs.
    pub(super) apart: Vec<(usize, u64, u64)>,
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
            apart: Vec::new(),
            inner: None,
        }
    }
}

impl<const W: usize> Stack<W> {
    pub(super) fn forget_drawn(&mut self) {
        self.batches.clear();
        self.drawn.sets.clear();
        self.drawn.numbers.clear();
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
pub(super) struct Saved {
    sets: usize,
    numbers: usize,
    flags: Flags,
    told: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) what: Event,
    pub(super) next: u64,
    pub(super) total: u64,
    /// Runs completed when a `first` began.
    pub(super) completed: u64,
    pub(super) saved: Saved,
}

/// Options that each complete a run, or may: those of one last choice, or a run that is complete.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    pub(super) point: Option<u32>,
    pub(super) weight: u64,
    pub(super) saved: Saved,
}

/// A way through all complete runs from an event on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    /// Frames below are others'.
    base: usize,
    /// What comes next; `None`: the next option of the latest choice.
    event: Option<Event>,
    completed: u64,
    /// Runs are counted, not made.
    counting: bool,
}

/// A turn that has been begun: it stands at its first event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    entry: u32,
    event: Event,
    saved: Saved,
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
    pub(super) fn save(&mut self, code: &Code<W>, what: Event, drawn: bool) -> Saved {
        let kept = if drawn { &mut self.stack.drawn } else { &mut self.stack.kept };
        let (sets, numbers) = kept.save((&self.sets[..], &self.numbers[..]), code, regs(code, what));
        Saved { sets, numbers, flags: self.flags, told: self.told.len() }
    }

    pub(super) fn restore(&mut self, code: &Code<W>, what: Event, saved: Saved, drawn: bool) {
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

    pub(super) fn total(&self, code: &Code<W>, point: u32) -> u64 {
        super::run::total(self, code, point)
    }

    pub(super) fn take(&mut self, code: &Code<W>, point: u32, k: u64) -> Option<u32> {
        super::run::take(self, code, point, k)
    }

    pub(super) fn work(&mut self, more: u64) -> Result<(), Fault> {
        self.worked += more;
        if self.worked > MAX_WORK {
            let nowhere = Span { source: crate::source::SourceId(0), start: 0, end: 0 };
            return Err(Fault::new(FaultKind::Work, nowhere));
        }
        Ok(())
    }

    /// Goes through the complete runs from an event on, depth first, until `end` says to stop. The registers are left as the last run
    /// left them.
    pub(super) fn explore(&mut self, code: &Code<W>, from: Event, mut end: impl FnMut(&mut Self) -> bool) -> Result<bool, Fault> {
        let mut walk = self.walk(from);
        while self.next_run(code, &mut walk)? {
            if end(self) {
                self.drop_frames(walk.base);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How many complete runs there are from an event on. Those of a last choice are counted without making them, where nothing behind
    /// it can fail.
    pub(super) fn count_runs(&mut self, code: &Code<W>, from: Event) -> Result<u64, Fault> {
        let mut walk = Walk { counting: true, ..self.walk(from) };
        while self.next_run(code, &mut walk)? {}
        Ok(walk.completed)
    }

    pub(super) fn walk(&self, from: Event) -> Walk {
        Walk { base: self.stack.frames.len(), event: Some(from), completed: 0, counting: false }
    }

    /// Goes on to the end of the next complete run; `false`: there are no more.
    pub(super) fn next_run(&mut self, code: &Code<W>, walk: &mut Walk) -> Result<bool, Fault> {
        loop {
            let event = match walk.event.take() {
                Some(event) => event,
                None => match self.go_back(code, walk.base, walk.completed) {
                    Some(pc) => self.run(code, pc),
                    None => {
                        self.drop_frames(walk.base);
                        return Ok(false);
                    }
                },
            };
            if let Err(fault) = self.work(1) {
                self.drop_frames(walk.base);
                return Err(fault);
            }
            let next = match event {
                Event::Choice(point) if walk.counting && code.linked.points[point as usize].sure => {
                    walk.completed = walk.completed.saturating_add(self.total(code, point));
                    None
                }
                Event::Choice(point) => {
                    let total = self.total(code, point);
                    if total > 1 {
                        let saved = self.save(code, event, false);
                        self.stack.frames.push(Frame { what: event, next: 1, total, completed: walk.completed, saved });
                    }
                    self.take(code, point, 0)
                }
                Event::First(split) => {
                    let blocks = &code.linked.splits[split as usize].blocks;
                    let saved = self.save(code, event, false);
                    let total = blocks.len() as u64;
                    self.stack.frames.push(Frame { what: event, next: 1, total, completed: walk.completed, saved });
                    Some(blocks[0])
                }
                Event::End => {
                    walk.completed = walk.completed.saturating_add(1);
                    if !walk.counting {
                        return Ok(true);
                    }
                    None
                }
                Event::Fail => match self.fault.take() {
                    Some(fault) => {
                        self.drop_frames(walk.base);
                        return Err(fault);
                    }
                    None => None,
                },
            };
            walk.event = next.map(|pc| self.run(code, pc));
        }
    }

    fn drop_frames(&mut self, base: usize) {
        if let Some(frame) = self.stack.frames.get(base) {
            let saved = frame.saved;
            self.release(saved);
        }
        self.stack.frames.truncate(base);
    }

    /// The next option of the latest choice that has one left.
    pub(super) fn go_back(&mut self, code: &Code<W>, base: usize, completed: u64) -> Option<u32> {
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
                Event::Choice(point) => self.take(code, point, frame.next),
                Event::First(split) => Some(code.linked.splits[split as usize].blocks[frame.next as usize]),
                Event::Fail | Event::End => None,
            };
        }
        None
    }

    /// Whether a run can be completed from a place on; the registers are left as they were.
    pub(super) fn exists(&mut self, code: &Code<W>, what: Event, from: u32) -> Result<bool, Fault> {
        let saved = self.save(code, what, false);
        let event = self.run(code, from);
        let found = self.explore(code, event, |_| true);
        self.restore(code, what, saved, false);
        self.release(saved);
        found
    }

    /// The player, were it his turn, has no complete run but a pass. What was found out of his turn is kept for it.
    pub(super) fn is_stuck(&mut self, code: &Code<W>, player: Player) -> Result<bool, Fault> {
        if let Some(known) = self.stuck[player.index()] {
            return Ok(known);
        }
        let mut inner = self.stack.inner.take().unwrap_or_else(|| Box::new(Machine::new(code)));
        inner.sets[..code.state.0].copy_from_slice(&self.sets[..code.state.0]);
        inner.numbers[..code.state.1].copy_from_slice(&self.numbers[..code.state.1]);
        inner.next_to_move = self.next_to_move;
        std::mem::swap(&mut inner.history, &mut self.history);
        let found = inner.can_act(code, player);
        std::mem::swap(&mut inner.history, &mut self.history);
        self.stack.inner = Some(inner);
        let stuck = !found?;
        self.stuck[player.index()] = Some(stuck);
        Ok(stuck)
    }

    /// Begins his turn, and asks whether it can be completed.
    fn can_act(&mut self, code: &Code<W>, player: Player) -> Result<bool, Fault> {
        let entry = code.linked.entries[player.index()].turn;
        self.clear();
        self.flags = Flags::default();
        self.worked = 0;
        let event = self.run(code, entry);
        let saved = self.save(code, event, false);
        let found = match event {
            Event::Choice(point) if self.acts_behind(code, point) && code.linked.points[point as usize].sure => {
                Ok(self.total(code, point) > 0)
            }
            Event::Choice(point) if self.acts_behind(code, point) && self.try_one(code, point) => Ok(true),
            _ => {
                self.restore(code, event, saved, false);
                self.explore(code, event, |machine| !machine.flags.passed || machine.flags.acted)
            }
        };
        if let Ok(true) = found {
            self.begun = Some(Begun { entry, event, saved });
        }
        found
    }

    /// The run has not passed, and does not behind the choice.
    fn acts_behind(&self, code: &Code<W>, point: u32) -> bool {
        !code.has_pass || !self.flags.passed && !code.linked.points[point as usize].may_pass
    }

    /// Makes one option of the largest arm of a choice, and the first of each choice behind it; whether that completes a run.
    fn try_one(&mut self, code: &Code<W>, point: u32) -> bool {
        let (mut before, mut from, mut most) = (0, 0, 0);
        for arm in &code.linked.points[point as usize].arms {
            let here = self.weight(code, arm.options);
            if here > most {
                (from, most) = (before, here);
            }
            before += here;
        }
        let mut chosen = self.take(code, point, from + most / 2);
        let event = loop {
            let event = chosen.map_or(Event::Fail, |entry| self.run(code, entry));
            let Event::Choice(next) = event else { break event };
            chosen = self.take(code, next, 0);
        };
        // What goes wrong here goes wrong again where all runs are gone through.
        self.fault = None;
        event == Event::End
    }

    /// Begins a turn: runs to the first event, or takes over the registers that stand there since `end` asked whether the turn can
    /// be completed.
    pub(super) fn begin(&mut self, code: &Code<W>, entry: u32) -> Event {
        if let Some(mut inner) = self.stack.inner.take() {
            let begun = inner.begun.take().filter(|begun| begun.entry == entry);
            if let Some(begun) = begun {
                inner.restore(code, begun.event, begun.saved, false);
                inner.release(begun.saved);
                std::mem::swap(&mut inner.history, &mut self.history);
                std::mem::swap(&mut inner.lot, &mut self.lot);
                std::mem::swap(self, &mut inner);
                (inner.drawing, self.offered) = (false, None);
                self.next_to_move = inner.next_to_move;
            }
            self.stack.inner = Some(inner);
            if let Some(begun) = begun {
                return begun.event;
            }
        }
        self.flags = Flags::default();
        self.worked = 0;
        self.run(code, entry)
    }

    /// The position is no longer the one in which `end` was asked.
    pub(super) fn forget_begun(&mut self) {
        if let Some(inner) = &mut self.stack.inner {
            inner.begun = None;
        }
    }

    /// The first block of a `first` from which a run can be completed.
    pub(super) fn first_possible(&mut self, code: &Code<W>, what: Event, split: u32) -> Result<Option<u32>, Fault> {
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
        self.stack.forget_drawn();
        self.begun = None;
        self.forget_begun();
        self.fault = None;
        self.decided = None;
        self.stuck = [None; 8];
        self.told.clear();
    }
}
