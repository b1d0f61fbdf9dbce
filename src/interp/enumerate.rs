//! Runs of a program: all of them, one after the other, or whether there is one.

use crate::board::Player;
use crate::interp::bitset::Bitset;
use crate::interp::speculate::Speculation;
use crate::interp::vm::{Event, Flags, Program, Sets, Vm};
use crate::plan::{ChoicePoint, NumReg, Quads, REGISTERS, SetReg};
use crate::position::{Fault, FaultKind, MAX_WORK};
use crate::source::Span;

/// What choices are gone back to, and the places where draws can be made; reused.
#[derive(Debug)]
pub(crate) struct Stack<const W: usize> {
    pub(crate) frames: Vec<Frame>,
    kept: Kept<W>,
    pub(crate) batches: Vec<Batch>,
    drawn: Kept<W>,
    pub(crate) excluded: Vec<u64>,
    /// Options that were gone through, by arm and number, with how many runs there were up to and
    /// with theirs.
    pub(crate) apart: Vec<(usize, u64, u64)>,
    /// Registers as they were at the choice whose runs are drawn by number, and what the run had
    /// done.
    tried: Tried<W>,
    begun_with: Flags,
    /// For `stuck`.
    inner: Option<Box<Vm<W>>>,
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
            tried: Tried::default(),
            begun_with: Flags::default(),
            inner: None,
        }
    }
}

impl<const W: usize> Stack<W> {
    pub(crate) fn forget_drawn(&mut self) {
        self.batches.clear();
        self.drawn.sets.clear();
        self.drawn.numbers.clear();
    }
}

#[derive(Debug)]
struct Kept<const W: usize> {
    sets: Vec<Bitset<W>>,
    numbers: Vec<i64>,
}

impl<const W: usize> Default for Kept<W> {
    fn default() -> Kept<W> {
        Kept { sets: Vec::new(), numbers: Vec::new() }
    }
}

/// Registers as they were at one choice.
#[derive(Debug)]
struct Tried<const W: usize> {
    sets: Sets<W>,
    numbers: [i64; REGISTERS],
}

impl<const W: usize> Default for Tried<W> {
    fn default() -> Tried<W> {
        Tried { sets: Sets([[0; W]; REGISTERS]), numbers: [0; REGISTERS] }
    }
}

/// Copies what runs behind a choice can spoil from some registers to others. Of narrow sets whole
/// fours: what stands beside the spoilt ones is the same there.
#[inline(always)]
fn copy_spoilt<const W: usize>(
    from: (&Sets<W>, &[i64; REGISTERS]),
    to: (&mut Sets<W>, &mut [i64; REGISTERS]),
    point: &ChoicePoint,
) {
    let Quads { sets, numbers } = &point.clobbered_quads;
    if W > 2 {
        for reg in &point.clobbered_sets {
            to.0[usize::from(reg.0 as u8)] = from.0[usize::from(reg.0 as u8)];
        }
    } else {
        for &four in sets {
            for at in 0..4 {
                to.0[usize::from(four % 64) * 4 + at] = from.0[usize::from(four % 64) * 4 + at];
            }
        }
    }
    for &four in numbers {
        for at in 0..4 {
            to.1[usize::from(four % 64) * 4 + at] = from.1[usize::from(four % 64) * 4 + at];
        }
    }
}

/// Registers as they were, in a list of kept ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Saved {
    sets: usize,
    numbers: usize,
    flags: Flags,
    told: usize,
    /// Only what is written behind the choice: all that has run since stands there.
    part: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) what: Event,
    pub(crate) next: u64,
    pub(crate) total: u64,
    /// Runs completed when a `first` began.
    pub(crate) completed: u64,
    pub(crate) saved: Saved,
}

/// Options that each complete a run, or may: those of one last choice, or a run that is complete.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    pub(crate) point: Option<u32>,
    pub(crate) weight: u64,
    pub(crate) saved: Saved,
}

/// A way through all complete runs from an event on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    /// Frames below are others'.
    base: usize,
    /// What comes next; `None`: the next option of the latest choice.
    event: Option<Event>,
    completed: u64,
    /// Runs are counted, not made.
    counting: bool,
    /// Runs of other values do not stay.
    best: Option<i64>,
}

/// A turn that has been begun: it stands at its first event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begun {
    entry: u32,
    event: Event,
    /// The registers have changed since, and how they are put back.
    changed: Changed,
    /// Its runs are only counted: so many are already.
    counted: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
enum Changed {
    No,
    /// By runs behind the choice at which the turn stands.
    Tried(u32),
    Saved(Saved),
}

impl<const W: usize> Kept<W> {
    fn save(&mut self, machine: (&[Bitset<W>], &[i64]), kept: &Regs<'_>) -> (usize, usize) {
        let at = (self.sets.len(), self.numbers.len());
        self.sets.extend_from_slice(&machine.0[..kept.shared.0]);
        self.sets.extend(kept.sets.iter().map(|reg| machine.0[usize::from(reg.0 as u8)]));
        self.numbers.extend_from_slice(&machine.1[..kept.shared.1]);
        self.numbers.extend(kept.numbers.iter().map(|reg| machine.1[usize::from(reg.0 as u8)]));
        at
    }

    fn restore(&self, at: (usize, usize), machine: (&mut [Bitset<W>], &mut [i64]), kept: &Regs<'_>) {
        let (sets, numbers) = (&self.sets[at.0..], &self.numbers[at.1..]);
        machine.0[..kept.shared.0].copy_from_slice(&sets[..kept.shared.0]);
        kept.sets.iter().zip(&sets[kept.shared.0..]).for_each(|(reg, set)| machine.0[usize::from(reg.0 as u8)] = *set);
        machine.1[..kept.shared.1].copy_from_slice(&numbers[..kept.shared.1]);
        let rest = &numbers[kept.shared.1..];
        kept.numbers.iter().zip(rest).for_each(|(reg, number)| machine.1[usize::from(reg.0 as u8)] = *number);
    }
}

/// Registers that are kept: so many of the shared ones, and some others.
struct Regs<'c> {
    shared: (usize, usize),
    sets: &'c [SetReg],
    numbers: &'c [NumReg],
}

fn regs<const W: usize>(code: &Program<W>, what: Event, part: bool) -> Regs<'_> {
    match what {
        Event::Choice(index) => {
            let point = &code.linked.points[index as usize];
            if part {
                Regs { shared: (0, 0), sets: &point.clobbered_sets, numbers: &point.clobbered_numbers }
            } else {
                Regs { shared: code.shared, sets: &point.sets, numbers: &point.numbers }
            }
        }
        Event::First(index) => {
            let split = &code.linked.alternatives[index as usize];
            Regs { shared: code.shared, sets: &split.sets, numbers: &split.numbers }
        }
        Event::Fail | Event::End => Regs { shared: code.shared, sets: &[], numbers: &[] },
    }
}

impl<const W: usize> Vm<W> {
    pub(crate) fn save(&mut self, code: &Program<W>, what: Event, drawn: bool) -> Saved {
        self.save_some(code, what, drawn, false)
    }

    fn save_some(&mut self, code: &Program<W>, what: Event, drawn: bool, part: bool) -> Saved {
        let kept = if drawn { &mut self.stack.drawn } else { &mut self.stack.kept };
        let (sets, numbers) = kept.save((&self.sets[..], &self.numbers[..]), &regs(code, what, part));
        Saved { sets, numbers, flags: self.flags, told: self.told.len(), part }
    }

    pub(crate) fn restore(&mut self, code: &Program<W>, what: Event, saved: Saved, drawn: bool) {
        let kept = if drawn { &self.stack.drawn } else { &self.stack.kept };
        let machine = (&mut self.sets[..], &mut self.numbers[..]);
        kept.restore((saved.sets, saved.numbers), machine, &regs(code, what, saved.part));
        self.flags = saved.flags;
        self.told.truncate(saved.told);
    }

    /// Keeps what runs behind a choice can spoil. No other code may run before it is put back.
    #[inline(always)]
    pub(crate) fn keep(&mut self, code: &Program<W>, point: u32) {
        let point = &code.linked.points[point as usize];
        let tried = &mut self.stack.tried;
        copy_spoilt((&self.sets, &self.numbers), (&mut tried.sets, &mut tried.numbers), point);
        self.stack.begun_with = self.flags;
    }

    /// Puts back what was kept.
    pub(crate) fn put_back(&mut self, code: &Program<W>, point: u32) {
        let point = &code.linked.points[point as usize];
        let tried = &self.stack.tried;
        copy_spoilt((&tried.sets, &tried.numbers), (&mut self.sets, &mut self.numbers), point);
        self.flags = self.stack.begun_with;
    }

    /// Forgets what was saved since.
    pub(crate) fn release(&mut self, saved: Saved) {
        self.stack.kept.sets.truncate(saved.sets);
        self.stack.kept.numbers.truncate(saved.numbers);
    }

    pub(crate) fn total(&self, code: &Program<W>, point: u32) -> u64 {
        crate::interp::dispatch::total(self, code, point)
    }

    pub(crate) fn take(&mut self, code: &Program<W>, point: u32, k: u64) -> Option<u32> {
        crate::interp::dispatch::take(self, code, point, k)
    }

    pub(crate) fn work(&mut self, more: u64) -> Result<(), Fault> {
        self.worked += more;
        if self.worked > MAX_WORK {
            let nowhere = Span { source: crate::source::SourceId(0), start: 0, end: 0 };
            return Err(Fault::new(FaultKind::Work, nowhere));
        }
        Ok(())
    }

    /// Goes through the complete runs from an event on, depth first, until `end` says to stop. The
    /// registers are left as the last run left them.
    pub(crate) fn explore(
        &mut self,
        code: &Program<W>,
        from: Event,
        mut end: impl FnMut(&mut Self) -> bool,
    ) -> Result<bool, Fault> {
        let mut walk = self.walk(from);
        while self.next_run(code, &mut walk)? {
            if end(self) {
                self.drop_frames(walk.base);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How many complete runs there are from an event on. Those of a last choice are counted
    /// without making them, where nothing behind it can fail.
    pub(crate) fn count_runs(&mut self, code: &Program<W>, from: Event) -> Result<u64, Fault> {
        if self.compares(code, from) {
            let mut count = 0;
            self.explore_kept(code, from, |_| count += 1)?;
            return Ok(count);
        }
        let mut walk = Walk { counting: true, ..self.walk(from) };
        self.asking = true;
        let counted = self.next_run(code, &mut walk);
        self.asking = false;
        // It counts all before it comes back.
        counted.map(|_| walk.completed)
    }

    pub(crate) fn walk(&self, from: Event) -> Walk {
        self.walk_of(from, None)
    }

    /// The same, through runs of this value and those that have none.
    pub(crate) fn walk_of(&self, from: Event, best: Option<i64>) -> Walk {
        Walk { base: self.stack.frames.len(), event: Some(from), completed: 0, counting: false, best }
    }

    /// Goes on to the end of the next complete run; `false`: there are no more.
    pub(crate) fn next_run(&mut self, code: &Program<W>, walk: &mut Walk) -> Result<bool, Fault> {
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
                Event::Choice(point) if walk.counting && code.linked.points[point as usize].counts() => {
                    walk.completed = walk.completed.saturating_add(self.total(code, point));
                    None
                }
                Event::Choice(point) => {
                    walk.completed = walk.completed.saturating_add(std::mem::take(&mut self.settled));
                    let total = self.total(code, point);
                    if total > 1 {
                        let saved = self.save_some(code, event, false, walk.counting);
                        self.stack.frames.push(Frame { what: event, next: 1, total, completed: walk.completed, saved });
                    }
                    self.take(code, point, 0)
                }
                Event::First(split) => {
                    let blocks = &code.linked.alternatives[split as usize].blocks;
                    let saved = self.save(code, event, false);
                    let total = blocks.len() as u64;
                    self.stack.frames.push(Frame { what: event, next: 1, total, completed: walk.completed, saved });
                    Some(blocks[0])
                }
                Event::End => {
                    walk.completed = walk.completed.saturating_add(1);
                    let stays = walk.best.is_none() || self.value(code).is_none_or(|value| Some(value) == walk.best);
                    if stays && !walk.counting {
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
    pub(crate) fn go_back(&mut self, code: &Program<W>, base: usize, completed: u64) -> Option<u32> {
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
                Event::First(split) => Some(code.linked.alternatives[split as usize].blocks[frame.next as usize]),
                Event::Fail | Event::End => None,
            };
        }
        None
    }

    /// Whether a run can be completed from a place on; the registers are left as they were.
    pub(crate) fn exists(&mut self, code: &Program<W>, what: Event, from: u32) -> Result<bool, Fault> {
        let saved = self.save(code, what, false);
        let event = self.run(code, from);
        let found = self.explore(code, event, |_| true);
        self.restore(code, what, saved, false);
        self.release(saved);
        found
    }

    /// The player, were it his turn, has no complete run but a pass. What was found out of his turn
    /// is kept for it.
    pub(crate) fn is_stuck(&mut self, code: &Program<W>, player: Player) -> Result<bool, Fault> {
        if let Some(known) = self.stuck[player.index()] {
            return Ok(known);
        }
        let mut inner = self.stack.inner.take().unwrap_or_else(|| Box::new(Vm::new(code)));
        inner.sets[..code.state.0].copy_from_slice(&self.sets[..code.state.0]);
        inner.numbers[..code.state.1].copy_from_slice(&self.numbers[..code.state.1]);
        inner.next_to_move = self.next_to_move;
        inner.count_only(code, self.counts_next);
        self.lend_history(code, &mut inner);
        let found = inner.can_act(code, player);
        self.lend_history(code, &mut inner);
        self.stack.inner = Some(inner);
        let stuck = !found?;
        self.stuck[player.index()] = Some(stuck);
        Ok(stuck)
    }

    /// Gives the history to another machine, or takes it back, if turns ask it.
    fn lend_history(&mut self, code: &Program<W>, other: &mut Vm<W>) {
        if code.asks_history {
            std::mem::swap(&mut other.history, &mut self.history);
        }
    }

    /// Begins his turn, and asks whether it can be completed.
    fn can_act(&mut self, code: &Program<W>, player: Player) -> Result<bool, Fault> {
        let entry = code.linked.entries[player.index()].turn;
        self.clear();
        self.flags = Flags::default();
        self.worked = 0;
        let event = self.run(code, entry);
        let counted = self.counts(code).then_some(self.settled);
        // The turn is over without a choice: it is a pass, and the only one.
        if event == Event::End && self.flags.passed && !self.flags.acted {
            return Ok(false);
        }
        if let Event::Choice(point) = event
            && code.linked.points[point as usize].infallible
            && self.acts_behind(code, point)
        {
            let found = self.total(code, point) > 0;
            self.begun = found.then_some(Begun { entry, event, changed: Changed::No, counted });
            return Ok(found);
        }
        if let Event::Choice(point) = event
            && self.settled > 0
            && self.acts_behind(code, point)
        {
            self.begun = Some(Begun { entry, event, changed: Changed::No, counted });
            return Ok(true);
        }
        if let Event::Choice(point) = event {
            self.keep(code, point);
            if self.try_one(code, point) && (!self.flags.passed || self.flags.acted) {
                self.begun = Some(Begun { entry, event, changed: Changed::Tried(point), counted });
                return Ok(true);
            }
            self.put_back(code, point);
        }
        let saved = self.save(code, event, false);
        let found = self.explore(code, event, |machine| !machine.flags.passed || machine.flags.acted);
        if let Ok(true) = found {
            self.begun = Some(Begun { entry, event, changed: Changed::Saved(saved), counted });
        }
        found
    }

    /// The run has not passed, and does not behind the choice.
    fn acts_behind(&self, code: &Program<W>, point: u32) -> bool {
        !code.has_pass || !self.flags.passed && !code.linked.points[point as usize].may_pass
    }

    /// Makes one option of the largest arm of a choice, and the first of each choice behind it;
    /// whether that completes a run.
    fn try_one(&mut self, code: &Program<W>, point: u32) -> bool {
        let likely = crate::interp::dispatch::middle(self, code, point);
        let mut chosen = self.take(code, point, likely);
        // Whether the run passes is known at its end only, if it can.
        self.asking = self.acts_behind(code, point);
        let event = loop {
            let event = chosen.map_or(Event::Fail, |entry| self.run(code, entry));
            let Event::Choice(next) = event else { break event };
            chosen = self.take(code, next, 0);
        };
        self.asking = false;
        // What goes wrong here goes wrong again where all runs are gone through.
        self.fault = None;
        event == Event::End
    }

    /// Begins a turn: runs to the first event, or takes over the registers that stand there since
    /// `end` asked whether the turn can be completed.
    pub(crate) fn begin(&mut self, code: &Program<W>, entry: u32) -> Event {
        match self.take_over(code, entry) {
            Some(Event::Choice(point)) if self.drawing && code.linked.points[point as usize].draws() => {
                self.run(code, code.linked.points[point as usize].at)
            }
            Some(event) => event,
            None => {
                (self.flags, self.worked) = (Flags::default(), 0);
                self.run(code, entry)
            }
        }
    }

    /// Takes over the turn that `end` began, if it began this one; the first event of it.
    #[inline(never)]
    pub(crate) fn take_over(&mut self, code: &Program<W>, entry: u32) -> Option<Event> {
        let inner = self.stack.inner.as_mut()?;
        let begun = inner.begun.take().filter(|begun| begun.entry == entry && begun.counted.is_none())?;
        inner.as_begun(code, begun);
        let Regs { shared, sets, numbers } = regs(code, begun.event, false);
        self.sets[..shared.0].copy_from_slice(&inner.sets[..shared.0]);
        self.numbers[..shared.1].copy_from_slice(&inner.numbers[..shared.1]);
        for reg in sets {
            self.sets[usize::from(reg.0 as u8)] = *inner.set(*reg);
        }
        for reg in numbers {
            self.numbers[usize::from(reg.0 as u8)] = inner.number(*reg);
        }
        (self.flags, self.worked) = (inner.flags, inner.worked);
        Some(begun.event)
    }

    /// Puts the registers back as they were when a turn was begun.
    fn as_begun(&mut self, code: &Program<W>, begun: Begun) {
        match begun.changed {
            Changed::No => {}
            Changed::Tried(point) => self.put_back(code, point),
            Changed::Saved(saved) => {
                self.restore(code, begun.event, saved, false);
                self.release(saved);
            }
        }
    }

    /// The number of runs of a turn that was begun to ask whether it can be completed, if it was
    /// begun to be counted.
    pub(crate) fn count_begun(&mut self, code: &Program<W>, entry: u32) -> Result<Option<u64>, Fault> {
        let Some(mut inner) = self.stack.inner.take() else { return Ok(None) };
        let begun = inner.begun.take().filter(|begun| begun.entry == entry);
        let counted = match begun {
            Some(begun @ Begun { counted: Some(settled), .. }) => {
                inner.as_begun(code, begun);
                inner.settled = settled;
                self.lend_history(code, &mut inner);
                let counted = inner.count_runs(code, begun.event);
                self.lend_history(code, &mut inner);
                counted.map(Some)
            }
            _ => Ok(None),
        };
        self.stack.inner = Some(inner);
        counted
    }

    /// The position is no longer the one in which `end` was asked.
    pub(crate) fn forget_begun(&mut self) {
        if let Some(inner) = &mut self.stack.inner {
            inner.begun = None;
        }
    }

    /// The first block of a `first` from which a run can be completed.
    pub(crate) fn first_possible(&mut self, code: &Program<W>, what: Event, split: u32) -> Result<Option<u32>, Fault> {
        for &block in &code.linked.alternatives[split as usize].blocks {
            if self.exists(code, what, block)? {
                return Ok(Some(block));
            }
        }
        Ok(None)
    }

    /// Clears what an error may have left.
    pub(crate) fn clear(&mut self) {
        self.stack.frames.clear();
        self.stack.kept.sets.clear();
        self.stack.kept.numbers.clear();
        self.stack.forget_drawn();
        self.begun = None;
        self.forget_begun();
        self.fault = None;
        (self.settled, self.asking) = (0, false);
        self.decided = None;
        self.stuck = [None; 8];
        self.presumption = Speculation::default();
        self.told.clear();
    }
}
