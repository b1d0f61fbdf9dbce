//! Ply listing: a session whose turns are suspended goes in; the plies that may come next come out, or whole turns, and the
//! position behind a chosen one.
//!
//! A turn is suspended before each choice that may begin a ply. A continuation in which nothing is chosen belongs to the ply
//! before it, so a ply goes through one continuation or several. One walk goes through all of them.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::board::Player;
use crate::interp::dedup::Key;
use crate::interp::session::{Extent, LentMove};
use crate::interp::state::marshal;
use crate::interp::state::program::Program;
use crate::interp::state::search::{Stays, VmExit, Walk};
use crate::interp::state::session::ScalarSession;
use crate::interp::state::turn::Flags;
use crate::model::{MAX_PLIES, MAX_ROUNDS};
use crate::plan::Argmax;
use crate::position::{Fault, FaultKind, Written};

/// A continuation that the run at hand has come to.
struct Entered {
    /// How many options had been taken before it, and choices been recorded.
    options: usize,
    logged: usize,
    /// Something was chosen before it: the ply is over if something is chosen in it.
    ends_ply: bool,
    /// What told the ply before it from others, where that is asked.
    key: Option<Key>,
}

/// The moves that were found.
struct Found<'f> {
    each: &'f mut dyn FnMut(LentMove<'_>),
    seen: FxHashSet<(bool, Key)>,
    extent: Extent,
    path: Vec<u32>,
    written: Vec<Written>,
    count: usize,
}

impl<const W: usize> ScalarSession<W> {
    /// Who chooses the ply before which the turn is suspended. `None`: the turn begins.
    pub fn chooser(&self) -> Option<Player> {
        let next = self.continuation(&self.program)?;
        self.plan.seats[self.to_move.index()].continuations[next].by.or(Some(self.to_move))
    }

    /// How many moves there are; each is lent.
    pub fn list_plies(
        &mut self,
        program: &Program<W>,
        extent: Extent,
        each: &mut dyn FnMut(LentMove<'_>),
    ) -> Result<usize, Fault> {
        let event = self.vm.run(program, self.entry(program));
        let mut walk = self.vm.walk_best(program, event)?;
        let mut entered: Vec<Entered> = Vec::new();
        let mut options = SmallVec::<[u32; 16]>::new();
        let mut found =
            Found { each, seen: FxHashSet::default(), extent, path: Vec::new(), written: Vec::new(), count: 0 };
        while self.vm.next_run(program, &mut walk)? {
            let same = self.vm.search.path(walk.base).zip(&options).take_while(|(one, other)| one == *other).count();
            options.truncate(same);
            options.extend(self.vm.search.path(walk.base).skip(same));
            entered.retain(|before| before.options <= same);
            let chose = self.vm.turn.flags.chose;
            if let Some(last) = entered.last().filter(|last| last.ends_ply && chose) {
                self.find_ply(&mut found, (&options, &entered), last)?;
                // All other runs behind so many options are of the same ply.
                self.vm.drop_frames(walk.base + last.options);
                continue;
            }
            let Some(next) = self.continuation(program) else {
                self.find_turn(&mut found, (&options, entered.len()), program)?;
                continue;
            };
            let chosen = chose || entered.last().is_some_and(|last| last.ends_ply);
            let last = Entered {
                options: options.len(),
                logged: self.vm.choice_log.entries.len(),
                ends_ply: extent == Extent::Ply && chosen,
                key: self.plan.ambiguity.is_some().then(|| {
                    self.write_from(0, &mut found.written);
                    self.key(&found.written)
                }),
            };
            let event = self.go_on(program, &mut walk, next, entered.len())?;
            let is_over = last.ends_ply && matches!(event, VmExit::Choice(_));
            entered.push(last);
            if is_over && let Some(last) = entered.last() {
                self.find_ply(&mut found, (&options, &entered), last)?;
                walk.completed = walk.completed.saturating_add(1);
                continue;
            }
            walk.event = Some(event);
        }
        Ok(found.count)
    }

    /// Begins a continuation behind a run that is no turn yet; so many were begun before it.
    pub fn go_on(
        &mut self,
        program: &Program<W>,
        walk: &mut Walk,
        next: usize,
        before: usize,
    ) -> Result<VmExit, Fault> {
        // Behind a turn that is complete another may go on where it stopped: so choices that wait are counted, too.
        let waiting = self.vm.search.frames.len() - walk.base;
        if before >= MAX_ROUNDS as usize || waiting > MAX_ROUNDS as usize {
            self.vm.drop_frames(walk.base);
            let place = self.plan.seats[self.to_move.index()].continuations[next].place;
            return Err(Fault::new(FaultKind::Rounds, program.place(place)));
        }
        self.vm.turn.flags.chose = false;
        let entry = program.code.entries[self.to_move.index()].continuations[next];
        if self.vm.has_contests(program) {
            // The contests of the continuation are its own. All runs that suspend the turn can be completed.
            let event = self.vm.run(program, entry);
            let compared = self.vm.walk_best(program, event);
            if compared.is_err() {
                self.vm.drop_frames(walk.base);
            }
            self.vm.enter_continuation(walk, compared?.stays);
            return Ok(event);
        }
        // A `first` asks for turns that are over: one that goes on may come to nothing.
        walk.completed = walk.completed.saturating_sub(1);
        let event = self.vm.run(program, entry);
        // Where nothing could be chosen before, the greatest value of the turn is not known yet.
        if let (Stays::All, Some(Argmax::InPlies { .. })) = (walk.stays, program.argmax) {
            let compared = self.vm.walk_best(program, event);
            if compared.is_err() {
                self.vm.drop_frames(walk.base);
            }
            walk.stays = compared?.stays;
        }
        Ok(event)
    }

    /// A ply that ends before the continuation that was entered last.
    fn find_ply(
        &self,
        found: &mut Found<'_>,
        (options, entered): (&[u32], &[Entered]),
        last: &Entered,
    ) -> Result<(), Fault> {
        if let Some(key) = &last.key
            && !found.seen.insert((false, *key))
        {
            return Ok(());
        }
        self.find(found, (&options[..last.options], entered.len(), last.logged), false)
    }

    /// A move that ends the turn, behind so many continuations that were entered.
    fn find_turn(
        &mut self,
        found: &mut Found<'_>,
        (options, entered): (&[u32], usize),
        program: &Program<W>,
    ) -> Result<(), Fault> {
        if self.plan.ambiguity.is_some() {
            self.empty_carried(program);
            self.write_from(0, &mut found.written);
            let key = self.complete(&found.written);
            if !found.seen.insert((true, key)) {
                return Ok(());
            }
        }
        self.find(found, (options, entered + 1, self.vm.choice_log.entries.len()), true)
    }

    fn find(
        &self,
        found: &mut Found<'_>,
        (options, continuations, logged): (&[u32], usize, usize),
        ends_turn: bool,
    ) -> Result<(), Fault> {
        if found.count >= MAX_PLIES {
            return Err(Fault::new(FaultKind::Plies, self.program.turn));
        }
        found.count += 1;
        found.path.clear();
        found.path.push(continuations as u32);
        found.path.extend_from_slice(options);
        marshal::write(&self.plan.bitboard, &self.vm.choice_log.entries[..logged], &mut found.written);
        if found.extent == Extent::Turn {
            // To stop tells a ply from others, and is told by the end of a turn.
            found.written.retain(|written| *written != Written::Stop);
        }
        (found.each)(LentMove::of_player(&found.written, &found.path, ends_turn));
        Ok(())
    }

    /// Plays the ply, or the turn, of a path; `false`: there is none.
    pub fn play_ply(&mut self, path: &[u32]) -> Result<bool, Fault> {
        let Some((&continuations, options)) = path.split_first() else { return Ok(false) };
        let program = self.annotated();
        self.vm.choice_log.entries.clear();
        self.vm.choice_log.enabled = true;
        let made = self.make_ply(&program, continuations, options);
        self.vm.choice_log.enabled = false;
        if !made? {
            return Ok(false);
        }
        if self.continuation(&program).is_some() {
            self.suspended = self.vm.turn.flags;
            self.plies += u64::from(!self.is_by_chance);
            return Ok(true);
        }
        self.suspended = Flags::default();
        self.vm.choice_log.entries.clear();
        self.empty_carried(&program);
        self.end_turn()?;
        Ok(true)
    }

    /// Goes through so many continuations by their options; whether they have these.
    fn make_ply(&mut self, program: &Program<W>, continuations: u32, options: &[u32]) -> Result<bool, Fault> {
        (self.vm.turn.flags, self.vm.turn.work) = (self.suspended, 0);
        let mut options = options.iter().copied();
        self.is_by_chance = false;
        for at in 0..continuations {
            let next = self.continuation(program);
            self.is_by_chance |= next.is_some_and(|next| program.is_by_chance[self.to_move.index()][next]);
            if at > 0 && self.continuation(program).is_none() || !self.make_run(&mut options)? {
                return Ok(false);
            }
        }
        self.vm.turn.flags.chose = false;
        Ok(options.next().is_none())
    }

    /// What the ply writes that was played by its path, if it suspends the turn.
    pub fn written(&self) -> Vec<Written> {
        let written = marshal::written(&self.plan.bitboard, &self.vm.choice_log.entries);
        let by_chance = |written| Written::Chance(Box::new(written));
        if self.is_by_chance { written.into_iter().map(by_chance).collect() } else { written }
    }
}
