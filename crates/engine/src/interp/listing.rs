//! Listing: a position goes in; its moves come out as the choices that make them, and the position
//! behind a chosen one.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::interp::session::{Extent, LentMove};
use crate::interp::state::program::Program;
use crate::interp::state::search::VmExit;
use crate::interp::state::session::ScalarSession;
use crate::interp::state::snapshot::{Snapshot, Suspended, key_of};
use crate::interp::state::turn::Flags;
use crate::model::MAX_PLIES;
use crate::plan::Argmax;
use crate::position::{Fault, FaultKind};

/// The next option of a path, out of so many. Weights may add up to more than 32 bits hold: then an option takes two
/// numbers of the path, the lower half first.
fn read_option(path: &mut impl Iterator<Item = u32>, total: u64) -> Option<u64> {
    let low = u64::from(path.next()?);
    let high = if total > u64::from(u32::MAX) { u64::from(path.next()?) } else { 0 };
    Some(high << 32 | low)
}

/// The same, the other way round.
pub fn path_of_option(option: u64, total: u64) -> SmallVec<[u32; 2]> {
    let words = [option as u32, (option >> 32) as u32];
    SmallVec::from_slice(&words[..1 + usize::from(total > u64::from(u32::MAX))])
}

impl<const W: usize> ScalarSession<W> {
    pub fn snapshot(&self) -> Snapshot {
        let (sets, numbers) = self.program.position_regs;
        let (vm, asks) = (&self.vm, &self.game.asks);
        let number = |reg: usize| vm.numbers[reg] as u64;
        let suspended = self.chooser().map(|chooser| Suspended { done: self.suspended, chooser });
        // Men and values tell positions between turns apart; of a turn that goes on also what it has done.
        let next = self.next_to_move() | suspended.map_or(0, |suspended| suspended.bits() << 40);
        let key = key_of(W, (sets, numbers), next, |set, at| vm.sets[set][at], number);
        Snapshot {
            sets: SmallVec::from_slice(vm.sets[..sets].as_flattened()),
            numbers: SmallVec::from_slice(&vm.numbers[..numbers]),
            to_move: self.to_move,
            opening: self.opening,
            turns: self.turns,
            outcome: self.outcome,
            suspended,
            recorded: [
                if asks.times_pieces { vm.pieces_hash(&self.program) } else { 0 },
                if asks.times_position { vm.position_hash(&self.program) } else { 0 },
            ],
            key,
        }
    }

    pub fn enter(&mut self, state: &Snapshot) {
        self.vm.clear();
        for (set, words) in self.vm.sets.iter_mut().zip(state.sets.chunks_exact(W)) {
            set.copy_from_slice(words);
        }
        self.vm.numbers[..state.numbers.len()].copy_from_slice(&state.numbers);
        (self.to_move, self.opening) = (state.to_move, state.opening);
        (self.turns, self.outcome) = (state.turns, state.outcome);
        self.suspended = state.suspended.map(|suspended| suspended.done).unwrap_or_default();
        let (sets, numbers) = self.program.position_regs;
        let loaded = &mut self.loaded;
        loaded.suspended = self.suspended;
        loaded.sets.clear();
        loaded.sets.extend_from_slice(&self.vm.sets[..sets]);
        loaded.numbers.clear();
        loaded.numbers.extend_from_slice(&self.vm.numbers[..numbers]);
        (loaded.to_move, loaded.opening) = (state.to_move, state.opening);
        (loaded.turns, loaded.outcome) = (state.turns, state.outcome);
        loaded.history = self.vm.game.history.lengths();
        self.vm.game.next_to_move = self.next_to_move();
    }

    pub fn list(&mut self, extent: Extent, each: &mut dyn FnMut(LentMove<'_>)) -> Result<(), Fault> {
        if self.outcome.is_some() {
            return Ok(());
        }
        let program = self.annotated();
        let (sets, numbers) = program.position_regs;
        let begun = (
            SmallVec::<[_; 12]>::from_slice(&self.vm.sets[..sets]),
            SmallVec::<[_; 8]>::from_slice(&self.vm.numbers[..numbers]),
        );
        self.vm.turn.flags = Flags::default();
        self.vm.turn.work = 0;
        self.vm.choice_log.enabled = true;
        // Where runs are told apart or compared by what they lead to, or suspend the turn at their end, all of each is made.
        let suspends = program.carry.is_some();
        self.vm.choice_log.ends_runs = !suspends && self.plan.ambiguity.is_none() && program.argmax.is_none();
        self.vm.choice_log.entries.clear();
        let listed = match (suspends, self.game.asks.chance) {
            (false, _) => self.list_paths(&program, each),
            (true, false) => self.list_plies(&program, extent, each),
            (true, true) => self.list_with_chance(&program, each),
        };
        (self.vm.choice_log.enabled, self.vm.choice_log.ends_runs) = (false, false);
        self.vm.sets[..sets].copy_from_slice(&begun.0);
        self.vm.numbers[..numbers].copy_from_slice(&begun.1);
        // That a turn is suspended says that it can be completed: nobody is stuck in it.
        if listed? == 0 && self.continuation(&program).is_none() {
            let asked = self.expect_outcome();
            self.outcome = None;
            asked?;
        }
        Ok(())
    }

    /// How many turns there are; each is lent.
    fn list_paths(&mut self, program: &Program<W>, each: &mut dyn FnMut(LentMove<'_>)) -> Result<usize, Fault> {
        let event = self.vm.run(program, self.entry(program));
        let mut walk = self.vm.walk_best(program, event)?;
        let (mut listed, mut seen) = (0, FxHashSet::default());
        let (mut path, mut written) = (SmallVec::<[u32; 16]>::new(), Vec::new());
        while self.vm.next_run(program, &mut walk)? {
            if listed >= MAX_PLIES {
                return Err(Fault::new(FaultKind::Plies, self.program.turn));
            }
            path.clear();
            path.extend(self.vm.search.path(walk.base));
            self.write_from(0, &mut written);
            if self.plan.ambiguity.is_some() && !seen.insert(self.complete(&written)) {
                continue;
            }
            listed += 1;
            each(LentMove::of_player(&written, &path, true));
        }
        Ok(listed)
    }

    pub fn play_path(&mut self, path: &[u32]) -> Result<bool, Fault> {
        if self.outcome.is_some() {
            return Ok(false);
        }
        if self.program.carry.is_some() {
            return self.play_ply(path);
        }
        if !self.make_path(path)? {
            return Ok(false);
        }
        self.end_turn()?;
        Ok(true)
    }

    /// Makes the run of a path, of the program that comes next; whether there is one.
    pub fn make_path(&mut self, path: &[u32]) -> Result<bool, Fault> {
        self.vm.choice_log.entries.clear();
        self.vm.turn.flags = Flags::default();
        self.vm.turn.work = 0;
        let mut options = path.iter().copied();
        Ok(self.make_run(&mut options)? && options.next().is_none())
    }

    /// Makes a run of the program that comes next, by its options at each choice that has several; whether there is one.
    pub fn make_run(&mut self, path: &mut impl Iterator<Item = u32>) -> Result<bool, Fault> {
        let program = self.annotated();
        let mut event = self.vm.run(&program, self.entry(&program));
        // Listing does not branch here either: see `walk_best`.
        while let (VmExit::First(split), Some(Argmax::Register(_))) = (event, program.argmax) {
            let block = self.vm.first_possible(&program, event, split)?;
            event = block.map_or(VmExit::Fail, |block| self.vm.run(&program, block));
        }
        loop {
            let next = match event {
                VmExit::Choice(point) => match self.vm.total(&program, point) {
                    0 => None,
                    1 => self.vm.take(&program, point, 0),
                    total => {
                        let index = read_option(path, total).filter(|&index| index < total);
                        index.and_then(|index| self.vm.take(&program, point, index))
                    }
                },
                VmExit::First(split) => {
                    let blocks = &program.code.alternatives[split as usize].blocks;
                    path.next().and_then(|index| blocks.get(index as usize).copied())
                }
                VmExit::End => return Ok(true),
                VmExit::Fail => match self.vm.turn.fault.take() {
                    Some(fault) => return Err(fault),
                    None => None,
                },
            };
            let Some(next) = next else { return Ok(false) };
            event = self.vm.run(&program, next);
        }
    }
}
