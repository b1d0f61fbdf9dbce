//! Enumeration: an event goes in; all complete runs behind it come out, depth first, or whether
//! there is one. Choice points stand on an explicit stack with the registers as they were there.

use crate::board::Player;
use crate::interp::counted_writes::Clobbers;
use crate::interp::state::contests::Suspended;
use crate::interp::state::program::Program;
use crate::interp::state::search::{
    Changed, ChoiceFrame, Kept, ProbedTurn, Purpose, Regs, Saved, Stays, VmExit, Walk, copy_clobbered, regs,
};
use crate::interp::state::turn::{Flags, Speculation};
use crate::interp::state::vm::Vm;
use crate::interp::tuning::WORK_OF_AN_EVENT;
use crate::model::MAX_ROUNDS;
use crate::plan::{Argmax, Carry};
use crate::position::{Fault, FaultKind, MAX_DRAWN_BYTES, MAX_WORK};
use crate::source::SourceId;

impl<const W: usize> Vm<W> {
    pub fn save(&mut self, program: &Program<W>, what: VmExit, drawn: bool) -> Saved {
        self.save_some(program, what, drawn, Kept::All)
    }

    fn save_some(&mut self, program: &Program<W>, what: VmExit, drawn: bool, kept: Kept) -> Saved {
        let list = if drawn { &mut self.search.drawn } else { &mut self.search.kept };
        let (sets, numbers) = list.save((&self.sets[..], &self.numbers[..]), &regs(program, what, kept));
        let logged = self.choice_log.entries.len() as u32;
        Saved { sets: sets as u32, numbers: numbers as u32, logged, flags: self.turn.flags, kept }
    }

    pub fn restore(&mut self, program: &Program<W>, what: VmExit, saved: Saved, drawn: bool) {
        let kept = if drawn { &self.search.drawn } else { &self.search.kept };
        let vm = (&mut self.sets[..], &mut self.numbers[..]);
        kept.restore((saved.sets as usize, saved.numbers as usize), vm, &regs(program, what, saved.kept));
        self.turn.flags = saved.flags;
        self.choice_log.entries.truncate(saved.logged as usize);
    }

    /// Keeps what runs behind a choice can spoil. No other code may run before it is put back.
    #[inline(always)]
    pub fn save_clobbered(&mut self, program: &Program<W>, point: u32) {
        let point = &program.code.points[point as usize];
        let kept = &mut self.search.clobbered;
        copy_clobbered((&self.sets, &self.numbers), (&mut kept.sets, &mut kept.numbers), point);
        self.search.clobbered_flags = self.turn.flags;
    }

    /// Puts back what was kept.
    pub fn restore_clobbered(&mut self, program: &Program<W>, point: u32) {
        let point = &program.code.points[point as usize];
        let kept = &self.search.clobbered;
        copy_clobbered((&kept.sets, &kept.numbers), (&mut self.sets, &mut self.numbers), point);
        self.turn.flags = self.search.clobbered_flags;
    }

    /// Puts back what was kept, behind runs that were only counted.
    pub fn restore_counted(&mut self, program: &Program<W>, point: u32) {
        let Clobbers { sets, numbers, .. } = &program.counted_writes.points[point as usize];
        let kept = &self.search.clobbered;
        sets.iter().map(|reg| usize::from(reg.0 as u8)).for_each(|reg| self.sets[reg] = kept.sets[reg]);
        numbers.iter().map(|reg| usize::from(reg.0 as u8)).for_each(|reg| self.numbers[reg] = kept.numbers[reg]);
        self.turn.flags = self.search.clobbered_flags;
    }

    /// Forgets what was saved since.
    pub fn release(&mut self, saved: Saved) {
        self.search.kept.sets.truncate(saved.sets as usize);
        self.search.kept.numbers.truncate(saved.numbers as usize);
    }

    pub fn total(&self, program: &Program<W>, point: u32) -> u64 {
        crate::interp::dispatch::total(self, program, point)
    }

    pub fn take(&mut self, program: &Program<W>, point: u32, k: u64) -> Option<u32> {
        crate::interp::dispatch::take(self, program, point, k)
    }

    /// One event more in going through the runs of a turn.
    pub fn work(&mut self, program: &Program<W>, at: VmExit) -> Result<(), Fault> {
        self.turn.work += WORK_OF_AN_EVENT;
        if self.turn.work > MAX_WORK { Err(self.too_much_work(program, at)) } else { Ok(()) }
    }

    /// Runs to draw among are kept, and end with a fault where they take too much memory.
    pub fn expect_room(&self, program: &Program<W>, at: VmExit) -> Result<(), Fault> {
        let (drawn, batches) = (&self.search.drawn, &self.search.batches);
        let bytes = size_of_val(&drawn.sets[..]) + size_of_val(&drawn.numbers[..]) + size_of_val(&batches[..]);
        if bytes > MAX_DRAWN_BYTES { Err(self.too_much_work(program, at)) } else { Ok(()) }
    }

    /// Names the innermost loop that goes on choosing: its rounds multiply the runs. Without a loop
    /// it names the turn.
    #[cold]
    fn too_much_work(&self, program: &Program<W>, at: VmExit) -> Fault {
        let frames = self.search.frames.iter().rev().map(|frame| frame.what);
        let points = std::iter::once(at).chain(frames).filter_map(|event| match event {
            VmExit::Choice(point) => Some(program.code.points[point as usize].at),
            _ => None,
        });
        let place = points.filter_map(|pc| program.loop_around(pc)).find(|site| site.span.source != SourceId::PRELUDE);
        Fault::new(FaultKind::Work, place.unwrap_or(program.turn.into()))
    }

    /// Goes through the complete runs from an event on, depth first, until `end` says to stop. The
    /// registers are left as the last run left them.
    pub fn explore(
        &mut self,
        program: &Program<W>,
        from: VmExit,
        mut end: impl FnMut(&mut Self) -> bool,
    ) -> Result<bool, Fault> {
        let mut walk = self.walk(from);
        while self.next_run(program, &mut walk)? {
            if end(self) {
                self.drop_frames(walk.base);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How many complete runs there are from an event on. Those of a last choice are counted
    /// without making them, where nothing behind it can fail.
    pub fn count_runs(&mut self, program: &Program<W>, from: VmExit) -> Result<u64, Fault> {
        if self.compares(program, from) {
            let mut count = 0;
            self.explore_best(program, from, |_| count += 1)?;
            return Ok(count);
        }
        self.count_by(program, from, Purpose::Count)
    }

    /// The same where one of them is to be drawn, none of which compare.
    pub fn count_to_draw(&mut self, program: &Program<W>, from: VmExit) -> Result<u64, Fault> {
        self.count_by(program, from, Purpose::CountToDraw)
    }

    fn count_by(&mut self, program: &Program<W>, from: VmExit, purpose: Purpose) -> Result<u64, Fault> {
        let mut walk = Walk { purpose, ..self.walk(from) };
        self.search.completion_only = true;
        let counted = self.next_run(program, &mut walk);
        self.search.completion_only = false;
        // It counts all before it comes back.
        counted.map(|_| walk.completed)
    }

    /// How many runs there are behind a choice right before the last ones, where no option leaves anything to put back.
    fn count_before_last(&mut self, program: &Program<W>, point: u32) -> Result<u64, Fault> {
        let (flags, logged) = (self.turn.flags, self.choice_log.entries.len());
        let mut runs = 0_u64;
        for option in 0..self.total(program, point) {
            let event = self.take(program, point, option).map_or(VmExit::Fail, |entry| self.run(program, entry));
            self.work(program, event)?;
            let more = match event {
                VmExit::Choice(last) => self.total(program, last),
                VmExit::End => 1,
                VmExit::First(_) | VmExit::Fail => self.turn.fault.take().map_or(Ok(0), Err)?,
            };
            runs = runs.saturating_add(more);
            self.turn.flags = flags;
            self.choice_log.entries.truncate(logged);
        }
        Ok(runs)
    }

    /// Makes the run of a number among those that [`Vm::count_to_draw`] counts; whether there is one.
    pub fn make_nth(&mut self, program: &Program<W>, from: VmExit, number: u64) -> Result<bool, Fault> {
        let mut walk = Walk { purpose: Purpose::MakeNth(number), ..self.walk(from) };
        let made = self.next_run(program, &mut walk);
        self.drop_frames(walk.base);
        made
    }

    pub fn walk(&mut self, from: VmExit) -> Walk {
        self.walk_of(from, Stays::All)
    }

    /// The same, through those that stay.
    pub fn walk_of(&mut self, from: VmExit, stays: Stays) -> Walk {
        let base = self.search.frames.len();
        let serial = self.search.visited.begin(base == 0);
        Walk { base, event: Some(from), completed: 0, purpose: Purpose::Make, stays, continued: 0, serial }
    }

    /// A walk goes through a continuation behind the run at hand; of its runs these stay.
    pub fn enter_continuation(&mut self, walk: &mut Walk, stays: Stays) {
        let suspended = Suspended { depth: self.search.frames.len(), completed: walk.completed, stays: walk.stays };
        self.search.contests.suspended.push(suspended);
        (walk.completed, walk.stays) = (0, stays);
        walk.continued += 1;
    }

    /// The last choice before the continuation that a walk goes through.
    #[inline(always)]
    fn base_of_continuation(&self, walk: &Walk) -> usize {
        if walk.continued == 0 {
            return walk.base;
        }
        self.search.contests.suspended.last().map_or(walk.base, |last| last.depth.max(walk.base))
    }

    /// A walk is through with a continuation, and goes on behind the run before it; `false`: it was in none.
    #[cold]
    fn leave_continuation(&mut self, walk: &mut Walk) -> bool {
        if walk.continued == 0 {
            return false;
        }
        let Some(before) = self.search.contests.suspended.pop() else { return false };
        walk.continued -= 1;
        (walk.completed, walk.stays) = (before.completed, before.stays);
        if let Stays::Listed { end, .. } = before.stays {
            self.search.contests.survivors.truncate(end as usize);
        }
        true
    }

    /// Goes on to the end of the next complete run; `false`: there are no more.
    pub fn next_run(&mut self, program: &Program<W>, walk: &mut Walk) -> Result<bool, Fault> {
        loop {
            let event = match walk.event.take() {
                Some(event) => event,
                None => match self.go_back(program, self.base_of_continuation(walk), walk.completed) {
                    Some(pc) => self.run(program, pc),
                    None if self.leave_continuation(walk) => continue,
                    None => {
                        self.drop_frames(walk.base);
                        return Ok(false);
                    }
                },
            };
            if let Err(fault) = self.work(program, event) {
                self.drop_frames(walk.base);
                return Err(fault);
            }
            let next = match event {
                VmExit::Choice(point) if walk.purpose.only_counts(&program.code.points[point as usize]) => {
                    let total = self.total(program, point);
                    match walk.purpose {
                        Purpose::MakeNth(number) if number - walk.completed < total => {
                            let option = number - std::mem::replace(&mut walk.completed, number);
                            self.take(program, point, option)
                        }
                        Purpose::Find if total > 0 => return Ok(true),
                        _ => {
                            walk.completed = walk.completed.saturating_add(total);
                            None
                        }
                    }
                }
                VmExit::Choice(point)
                    if walk.purpose == Purpose::CountToDraw
                        && program.counted_writes.points[point as usize].is_nothing() =>
                {
                    match self.count_before_last(program, point) {
                        Ok(runs) => walk.completed = walk.completed.saturating_add(runs),
                        Err(fault) => {
                            self.drop_frames(walk.base);
                            return Err(fault);
                        }
                    }
                    None
                }
                VmExit::Choice(point) if program.counters.is_some() && self.has_visited(program, walk, point) => None,
                VmExit::Choice(point) => {
                    walk.completed = walk.completed.saturating_add(std::mem::take(&mut self.search.bulk_counted));
                    let total = self.total(program, point);
                    if total > 1 {
                        let saved = self.save_some(program, event, false, walk.purpose.keeps_at(event));
                        self.search.frames.push(ChoiceFrame {
                            what: event,
                            next: 1,
                            total,
                            completed: walk.completed,
                            saved,
                        });
                    }
                    self.turn.flags.chose = true;
                    self.take(program, point, 0)
                }
                VmExit::First(split) => {
                    let blocks = &program.code.alternatives[split as usize].blocks;
                    let saved = self.save_some(program, event, false, walk.purpose.keeps_at(event));
                    let total = blocks.len() as u64;
                    self.search.frames.push(ChoiceFrame {
                        what: event,
                        next: 1,
                        total,
                        completed: walk.completed,
                        saved,
                    });
                    Some(blocks[0])
                }
                VmExit::End => {
                    walk.completed = walk.completed.saturating_add(1);
                    let stays = walk.stays == Stays::All || self.stays(program, walk);
                    let stops = match walk.purpose {
                        Purpose::Make | Purpose::Find => true,
                        Purpose::Count | Purpose::CountToDraw => false,
                        Purpose::MakeNth(number) => walk.completed > number,
                    };
                    if stays && stops {
                        return Ok(true);
                    }
                    None
                }
                VmExit::Fail => match self.turn.fault.take() {
                    Some(fault) => {
                        self.drop_frames(walk.base);
                        return Err(fault);
                    }
                    None => None,
                },
            };
            walk.event = next.map(|pc| self.run(program, pc));
        }
    }

    /// Gives up a walk.
    pub fn drop_frames(&mut self, base: usize) {
        if let Some(frame) = self.search.frames.get(base) {
            let saved = frame.saved;
            self.release(saved);
        }
        self.search.frames.truncate(base);
    }

    /// The next option of the latest choice that has one left.
    pub fn go_back(&mut self, program: &Program<W>, base: usize, completed: u64) -> Option<u32> {
        while self.search.frames.len() > base {
            let frame = self.search.frames.pop()?;
            let done = matches!(frame.what, VmExit::First(_)) && completed > frame.completed;
            if done || frame.next >= frame.total {
                self.release(frame.saved);
                continue;
            }
            self.restore(program, frame.what, frame.saved, false);
            self.search.frames.push(ChoiceFrame { next: frame.next + 1, ..frame });
            self.search.contests.go_back_to(self.search.frames.len());
            return match frame.what {
                VmExit::Choice(point) => {
                    self.turn.flags.chose = true;
                    self.take(program, point, frame.next)
                }
                VmExit::First(split) => Some(program.code.alternatives[split as usize].blocks[frame.next as usize]),
                VmExit::Fail | VmExit::End => None,
            };
        }
        None
    }

    /// Whether a run can be completed from a place on; the registers are left as they were.
    pub fn exists(&mut self, program: &Program<W>, what: VmExit, from: u32) -> Result<bool, Fault> {
        let saved = self.save_some(program, what, false, Purpose::Find.keeps_at(what));
        let logged = self.search.contests.logged();
        let event = self.run(program, from);
        let mut walk = Walk { purpose: Purpose::Find, ..self.walk(event) };
        let found = self.next_run(program, &mut walk);
        self.drop_frames(walk.base);
        self.search.contests.truncate(logged);
        self.restore(program, what, saved, false);
        self.release(saved);
        found
    }

    /// The player, were it his turn, has no complete run but a pass. What was found out of his turn
    /// is kept for it.
    pub fn is_stuck(&mut self, program: &Program<W>, player: Player) -> Result<bool, Fault> {
        if let Some(known) = self.turn.stuck[player.index()] {
            return Ok(known);
        }
        let mut probe = self.probe.take().unwrap_or_else(|| Box::new(Vm::new(program)));
        self.stand_like(program, &mut probe);
        probe.set_counting(program, self.search.counts_next);
        self.lend_history(program, &mut probe);
        probe.turn.work = 0;
        let found = probe.can_act(program, player);
        self.lend_history(program, &mut probe);
        self.probe = Some(probe);
        let stuck = !found?;
        self.turn.stuck[player.index()] = Some(stuck);
        Ok(stuck)
    }

    /// Another vm takes over the position.
    pub fn stand_like(&self, program: &Program<W>, other: &mut Vm<W>) {
        let (sets, numbers) = program.position_regs;
        other.sets[..sets].copy_from_slice(&self.sets[..sets]);
        other.numbers[..numbers].copy_from_slice(&self.numbers[..numbers]);
        other.game.next_to_move = self.game.next_to_move;
        other.search.supposed = self.search.supposed;
    }

    /// The turn of the player, suspended as it is, can be completed.
    pub fn can_complete(&mut self, program: &Program<W>, player: Player, continuation: u16) -> Result<bool, Fault> {
        // This search goes through what comes behind the run by itself.
        if self.search.goes_on {
            return Ok(true);
        }
        // Runs that cannot be completed would put out others.
        if self.sampler.active && self.turn.completion.is_speculated && !self.has_contests(program) {
            self.turn.completion.taken = true;
            return Ok(true);
        }
        let entry = program.code.entries[player.index()].continuations[usize::from(continuation)];
        self.ask_probe(program, |vm, probe| {
            if probe.first_way_ends(program, (player, entry)) {
                return Ok(true);
            }
            vm.stand_like(program, probe);
            probe.completes(program, (player, entry), |_| true)
        })
    }

    /// The greatest value of the runs that complete the turn of the player, suspended as it is. If the greatest of the turn
    /// is known: no value if one of these runs stays, another value than that if none does. `None`: this search goes through
    /// them by itself.
    pub fn best_value(
        &mut self,
        program: &Program<W>,
        player: Player,
        continuation: u16,
    ) -> Result<Option<i64>, Fault> {
        if self.search.goes_on {
            return Ok(None);
        }
        let entry = program.code.entries[player.index()].continuations[usize::from(continuation)];
        self.ask_probe(program, |_, probe| {
            let known = match program.argmax {
                Some(Argmax::InPlies { best, .. }) => Some(probe.number(best)).filter(|best| *best != Argmax::NONE),
                _ => None,
            };
            if let Some(known) = known {
                let stays = |vm: &Vm<W>| vm.value(program).is_none_or(|value| value == known);
                let some = probe.completes(program, (player, entry), stays)?;
                return Ok(Some(if some { Argmax::NONE } else { !known }));
            }
            let mut best = Argmax::NONE;
            probe.completes(program, (player, entry), |vm| {
                best = best.max(vm.value(program).unwrap_or(Argmax::NONE));
                false
            })?;
            Ok(Some(best))
        })
    }

    /// Asks the vm that plays what is only asked about, which stands where this one stands in its turn.
    fn ask_probe<T>(
        &mut self,
        program: &Program<W>,
        ask: impl FnOnce(&mut Self, &mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut probe = self.probe.take().unwrap_or_else(|| Box::new(Vm::new(program)));
        self.stand_like(program, &mut probe);
        probe.set_counting(program, false);
        self.lend_history(program, &mut probe);
        probe.clear();
        probe.turn.work = self.turn.work;
        let answer = ask(self, &mut probe);
        self.turn.work = probe.turn.work;
        self.lend_history(program, &mut probe);
        self.probe = Some(probe);
        answer
    }

    /// Takes the first option of each choice through the continuations of a turn; whether that comes to the end of the
    /// turn. Mostly it does, and then nothing had to be kept to go back to.
    fn first_way_ends(&mut self, program: &Program<W>, (player, entry): (Player, u32)) -> bool {
        self.turn.flags = Flags::default();
        self.search.goes_on = true;
        let (mut at, mut ends) = (Some(entry), false);
        for _ in 0..MAX_ROUNDS {
            let Some(event) = at.map(|at| self.run(program, at)) else { break };
            at = match event {
                VmExit::Choice(point) => self.take(program, point, 0),
                VmExit::End => {
                    let next = self.next_of_player(program, player);
                    ends = next.is_none();
                    next.map(|next| program.code.entries[player.index()].continuations[next])
                }
                VmExit::First(_) | VmExit::Fail => None,
            };
            self.turn.work += WORK_OF_AN_EVENT;
        }
        self.search.goes_on = false;
        // What goes wrong here goes wrong again where all ways are gone through.
        self.turn.fault = None;
        ends
    }

    /// The continuation behind a run that has ended. `None`: the turn is over, or goes on by chance, which is not foreseen.
    fn next_of_player(&self, program: &Program<W>, player: Player) -> Option<usize> {
        let Carry { next, .. } = program.carry?;
        let next = usize::try_from(self.number(next)).ok()?.checked_sub(1)?;
        (!program.is_by_chance[player.index()][next]).then_some(next)
    }

    /// Goes through the continuations of a turn, each behind every run of the one before it, until the turn is over and is
    /// one of those that are wanted.
    fn completes(
        &mut self,
        program: &Program<W>,
        (player, entry): (Player, u32),
        wanted: impl FnMut(&Self) -> bool,
    ) -> Result<bool, Fault> {
        self.turn.flags = Flags::default();
        self.search.goes_on = true;
        let found = self.go_on_to_the_end(program, (player, entry), wanted);
        self.search.goes_on = false;
        found
    }

    fn go_on_to_the_end(
        &mut self,
        program: &Program<W>,
        (player, entry): (Player, u32),
        mut wanted: impl FnMut(&Self) -> bool,
    ) -> Result<bool, Fault> {
        let event = self.run(program, entry);
        let mut walk = self.walk(event);
        while self.next_run(program, &mut walk)? {
            let Some(next) = self.next_of_player(program, player) else {
                if wanted(self) {
                    self.drop_frames(walk.base);
                    return Ok(true);
                }
                continue;
            };
            if self.search.frames.len() - walk.base > MAX_ROUNDS as usize {
                self.drop_frames(walk.base);
                return Err(Fault::new(FaultKind::Rounds, program.turn));
            }
            // A `first` asks for turns that are over: one that goes on may come to nothing.
            walk.completed = walk.completed.saturating_sub(1);
            let entry = program.code.entries[player.index()].continuations[next];
            walk.event = Some(self.run(program, entry));
        }
        Ok(false)
    }

    /// Gives the history to another vm, or takes it back, if turns ask it.
    pub fn lend_history(&mut self, program: &Program<W>, other: &mut Vm<W>) {
        if program.asks_history {
            std::mem::swap(&mut other.game.history, &mut self.game.history);
        }
    }

    /// Begins his turn, and asks whether it can be completed.
    pub fn can_act(&mut self, program: &Program<W>, player: Player) -> Result<bool, Fault> {
        let entry = program.code.entries[player.index()].turn;
        self.clear();
        self.turn.flags = Flags::default();
        // A turn that only passes does not count.
        let acts = |flags: Flags| !flags.passed || flags.acted;
        if program.has_pass_in_plies {
            return self.completes(program, (player, entry), |vm| acts(vm.turn.flags));
        }
        let event = self.run(program, entry);
        let counted = self.counts(program).then_some(self.search.bulk_counted);
        // The turn is over without a choice: it is a pass, and the only one.
        if event == VmExit::End && self.turn.flags.passed && !self.turn.flags.acted {
            return Ok(false);
        }
        if let VmExit::Choice(point) = event
            && program.code.points[point as usize].infallible
            && self.acts_behind(program, point)
        {
            let found = self.total(program, point) > 0;
            self.search.probed = found.then_some(ProbedTurn { entry, event, changed: Changed::No, counted });
            return Ok(found);
        }
        if let VmExit::Choice(point) = event
            && self.search.bulk_counted > 0
            && self.acts_behind(program, point)
        {
            self.search.probed = Some(ProbedTurn { entry, event, changed: Changed::No, counted });
            return Ok(true);
        }
        if let VmExit::Choice(point) = event {
            self.save_clobbered(program, point);
            if self.try_likely_option(program, point) && (!self.turn.flags.passed || self.turn.flags.acted) {
                self.search.probed = Some(ProbedTurn { entry, event, changed: Changed::Clobbered(point), counted });
                return Ok(true);
            }
            self.restore_clobbered(program, point);
        }
        let saved = self.save(program, event, false);
        let found = self.explore(program, event, |vm| acts(vm.turn.flags));
        if let Ok(true) = found {
            self.search.probed = Some(ProbedTurn { entry, event, changed: Changed::Saved(saved), counted });
        }
        found
    }

    /// The run has not passed, and does not behind the choice.
    fn acts_behind(&self, program: &Program<W>, point: u32) -> bool {
        !program.has_pass || !self.turn.flags.passed && !program.code.points[point as usize].may_pass
    }

    /// Makes one option of the largest arm of a choice, and the first of each choice behind it;
    /// whether that completes a run.
    fn try_likely_option(&mut self, program: &Program<W>, point: u32) -> bool {
        let likely = crate::interp::dispatch::middle(self, program, point);
        let mut chosen = self.take(program, point, likely);
        // Whether the run passes is known at its end only, if it can.
        self.search.completion_only = self.acts_behind(program, point);
        let event = loop {
            let event = chosen.map_or(VmExit::Fail, |entry| self.run(program, entry));
            let VmExit::Choice(next) = event else { break event };
            chosen = self.take(program, next, 0);
        };
        self.search.completion_only = false;
        // What goes wrong here goes wrong again where all runs are gone through.
        self.turn.fault = None;
        event == VmExit::End
    }

    /// Begins a turn: runs to the first event, or takes over the registers that stand there since
    /// `end` asked whether the turn can be completed.
    pub fn begin(&mut self, program: &Program<W>, entry: u32) -> VmExit {
        match self.import_state(program, entry) {
            Some(VmExit::Choice(point)) if self.sampler.active && program.code.points[point as usize].draws() => {
                self.run(program, program.code.points[point as usize].at)
            }
            Some(event) => event,
            None => {
                (self.turn.flags, self.turn.work) = (Flags::default(), 0);
                self.run(program, entry)
            }
        }
    }

    /// Takes over the turn that `end` began, if it began this one; the first event of it.
    #[inline(never)]
    pub fn import_state(&mut self, program: &Program<W>, entry: u32) -> Option<VmExit> {
        // The log of values that the probe has made is not taken over.
        if self.has_contests(program) {
            return None;
        }
        let probe = self.probe.as_mut()?;
        let begun = probe.search.probed.take().filter(|begun| begun.entry == entry && begun.counted.is_none())?;
        probe.restore_probed(program, begun);
        let Regs { shared, sets, numbers } = regs(program, begun.event, Kept::All);
        self.sets[..shared.0].copy_from_slice(&probe.sets[..shared.0]);
        self.numbers[..shared.1].copy_from_slice(&probe.numbers[..shared.1]);
        for reg in sets {
            self.sets[usize::from(reg.0 as u8)] = *probe.set(*reg);
        }
        for reg in numbers {
            self.numbers[usize::from(reg.0 as u8)] = probe.number(*reg);
        }
        (self.turn.flags, self.turn.work) = (probe.turn.flags, probe.turn.work);
        Some(begun.event)
    }

    /// Puts the registers back as they were when a turn was begun.
    fn restore_probed(&mut self, program: &Program<W>, begun: ProbedTurn) {
        match begun.changed {
            Changed::No => {}
            Changed::Clobbered(point) => self.restore_clobbered(program, point),
            Changed::Saved(saved) => {
                self.restore(program, begun.event, saved, false);
                self.release(saved);
            }
        }
    }

    /// The number of runs of a turn that was begun to ask whether it can be completed, if it was
    /// begun to be counted.
    pub fn count_probed(&mut self, program: &Program<W>, entry: u32) -> Result<Option<u64>, Fault> {
        let Some(mut probe) = self.probe.take() else { return Ok(None) };
        let begun = probe.search.probed.take().filter(|begun| begun.entry == entry);
        let counted = match begun {
            Some(begun @ ProbedTurn { counted: Some(settled), .. }) => {
                probe.restore_probed(program, begun);
                probe.search.bulk_counted = settled;
                self.lend_history(program, &mut probe);
                let counted = probe.count_runs(program, begun.event);
                self.lend_history(program, &mut probe);
                counted.map(Some)
            }
            _ => Ok(None),
        };
        self.probe = Some(probe);
        counted
    }

    /// The position is no longer the one in which `end` was asked.
    pub fn forget_probed(&mut self) {
        if let Some(probe) = &mut self.probe {
            probe.search.probed = None;
        }
    }

    /// The first block of a `first` from which a run can be completed.
    pub fn first_possible(&mut self, program: &Program<W>, what: VmExit, split: u32) -> Result<Option<u32>, Fault> {
        for &block in &program.code.alternatives[split as usize].blocks {
            if self.exists(program, what, block)? {
                return Ok(Some(block));
            }
        }
        Ok(None)
    }

    /// Clears what an error may have left.
    pub fn clear(&mut self) {
        self.search.frames.clear();
        self.search.kept.sets.clear();
        self.search.kept.numbers.clear();
        self.search.forget_drawn();
        self.search.probed = None;
        self.forget_probed();
        self.turn.fault = None;
        (self.search.bulk_counted, self.search.completion_only) = (0, false);
        self.turn.decided = None;
        self.turn.stuck = [None; 8];
        self.turn.speculation = Speculation::default();
        self.choice_log.entries.clear();
    }
}
