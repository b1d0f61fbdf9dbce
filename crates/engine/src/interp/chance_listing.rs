//! Listing where chance chooses: a session within a turn or before it goes in; what chance can choose next comes out, with
//! probabilities, or the plies that a player can make up to where chance chooses or the turn ends.
//!
//! Choices by chance that follow one another, without a choice of a player between them, are one ply. Each of them is a
//! continuation, so such a ply goes through several. What follows the last of them tells where it ends: before a choice of a
//! player, or with the turn.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::interp::dedup::Key;
use crate::interp::listing::path_of_option;
use crate::interp::session::LentMove;
use crate::interp::state::marshal;
use crate::interp::state::program::Program;
use crate::interp::state::search::VmExit;
use crate::interp::state::session::ScalarSession;
use crate::interp::state::turn::Flags;
use crate::interp::tuning::{CHANCE_STACK_RED_ZONE_BYTES, CHANCE_STACK_SEGMENT_BYTES};
use crate::model::{MAX_PLIES, MAX_ROUNDS};
use crate::plan::{ArmTarget, Options};
use crate::position::{Fault, FaultKind, Probability, Written};

/// The moves that were found.
struct Found<'f> {
    each: &'f mut dyn FnMut(LentMove<'_>),
    seen: FxHashSet<Key>,
    count: usize,
}

/// What chance has chosen so far in its ply.
#[derive(Clone)]
struct Begun {
    written: Vec<Written>,
    /// The number of continuations gone through, then the option taken at each choice that had several.
    path: SmallVec<[u32; 16]>,
    probability: Probability,
    in_doubt: bool,
}

/// What a run went through in which nothing was chosen: so many continuations, by these options.
#[derive(Default)]
struct Through {
    continuations: u32,
    options: SmallVec<[u32; 4]>,
}

/// What follows a choice by chance.
enum Behind {
    /// A choice of a player.
    Player,
    /// Nothing is chosen up to the end of the turn, or to where chance chooses again.
    Nothing { through: Through, ends_turn: bool },
}

impl Begun {
    fn new(continuations: u32, options: &[u32]) -> Begun {
        let path = std::iter::once(continuations).chain(options.iter().copied()).collect();
        Begun { written: Vec::new(), path, probability: Probability::ONE, in_doubt: false }
    }

    fn go_through(&mut self, continuations: u32, options: &[u32]) {
        self.path[0] += continuations;
        self.path.extend_from_slice(options);
    }
}

impl Found<'_> {
    fn add<const W: usize>(&mut self, found: LentMove<'_>, program: &Program<W>) -> Result<(), Fault> {
        if self.count >= MAX_PLIES {
            return Err(Fault::new(FaultKind::Plies, program.turn));
        }
        self.count += 1;
        (self.each)(found);
        Ok(())
    }

    fn add_by_chance<const W: usize>(
        &mut self,
        begun: &Begun,
        ends_turn: bool,
        program: &Program<W>,
    ) -> Result<(), Fault> {
        let Begun { written, path, probability, in_doubt } = begun;
        let probability = Some(*probability);
        self.add(LentMove { written, path, ends_turn, probability, in_doubt: *in_doubt }, program)
    }
}

impl<const W: usize> ScalarSession<W> {
    /// How many moves there are; each is lent.
    pub fn list_with_chance(
        &mut self,
        program: &Program<W>,
        each: &mut dyn FnMut(LentMove<'_>),
    ) -> Result<usize, Fault> {
        let mut found = Found { each, seen: FxHashSet::default(), count: 0 };
        if self.chance_at(program).is_some() {
            self.list_chance(&mut found, &Begun::new(0, &[]), program)?;
            return Ok(found.count);
        }
        let behind = self.continuation(program);
        let event = self.vm.run(program, self.entry(program));
        let mut walk = self.vm.walk_best(program, event)?;
        let (mut path, mut written) = (SmallVec::<[u32; 16]>::new(), Vec::new());
        // How many options had been taken before each continuation that the run at hand has come to.
        let mut entered: Vec<usize> = Vec::new();
        path.push(1);
        while self.vm.next_run(program, &mut walk)? {
            let same = self.vm.search.path(walk.base).zip(&path[1..]).take_while(|(one, other)| one == *other).count();
            path.truncate(1 + same);
            path.extend(self.vm.search.path(walk.base).skip(same));
            entered.retain(|options| *options <= same);
            if let Some(next) = self.continuation(program).filter(|_| self.chance_at(program).is_none()) {
                // The ply goes on: a round has come to its end.
                let chose = self.vm.turn.flags.chose;
                let event = self.go_on(program, &mut walk, next, entered.len())?;
                self.vm.turn.flags.chose = chose;
                entered.push(path.len() - 1);
                walk.event = Some(event);
                continue;
            }
            path[0] = 1 + entered.len() as u32;
            marshal::write(&self.plan.bitboard, &self.vm.choice_log.entries, &mut written);
            if written.is_empty() && self.chance_at(program).is_some() {
                let frames = &self.vm.search.frames[walk.base..];
                let is_chosen = frames.iter().any(|frame| matches!(frame.what, VmExit::Choice(_)));
                // A choice with one option leaves no trace. It counts, but where men go to one cell that is known.
                let in_doubt = !is_chosen && self.vm.turn.flags.chose;
                if in_doubt {
                    found.add(LentMove { in_doubt, ..LentMove::of_player(&[], &path, false) }, program)?;
                }
                if !is_chosen {
                    let begun = Begun { in_doubt, ..Begun::new(path[0], &path[1..]) };
                    self.list_chance(&mut found, &begun, program)?;
                    continue;
                }
            }
            let ends_turn = self.continuation(program).is_none();
            if self.plan.ambiguity.is_some() {
                let key = if ends_turn {
                    self.empty_carried(program);
                    self.complete(&written)
                } else {
                    self.key(&written)
                };
                // The number of the continuation, which is among the registers, tells plies from turns.
                if !found.seen.insert(key) {
                    continue;
                }
            }
            found.add(LentMove::of_player(&written, &path, ends_turn), program)?;
        }
        match behind {
            Some(behind) if found.count == 0 => Err(self.nothing_behind_chance(behind, program)),
            _ => Ok(found.count),
        }
    }

    /// Chance chooses next, and nothing is chosen before: the first move here is one by chance.
    pub fn is_chance_next(&mut self) -> Result<bool, Fault> {
        if self.outcome.is_some() || !self.game.asks.chance {
            return Ok(false);
        }
        let program = self.annotated();
        if self.continuation(&program).is_some() {
            return Ok(self.chance_at(&program).is_some());
        }
        (self.vm.turn.flags, self.vm.turn.work) = (Flags::default(), 0);
        self.vm.choice_log.enabled = true;
        let behind = self.first_run_of(&program, self.entry(&program));
        self.vm.choice_log.enabled = false;
        Ok(matches!(behind?, Some((Behind::Nothing { ends_turn: false, .. }, _))))
    }

    /// The continuation that comes next, if chance chooses in it.
    fn chance_at(&self, program: &Program<W>) -> Option<usize> {
        self.continuation(program).filter(|&next| program.is_by_chance[self.to_move.index()][next])
    }

    /// What chance has chosen goes on with this continuation, and no run of that is completed.
    fn nothing_behind_chance(&self, behind: usize, program: &Program<W>) -> Fault {
        let place = program.place(self.plan.seats[self.to_move.index()].continuations[behind].place);
        Fault::new(FaultKind::Chance(place.span), place)
    }

    /// Goes through all that chance can choose in the continuation that comes next, and through what it can choose behind
    /// that. The registers are spoilt.
    fn list_chance(&mut self, found: &mut Found<'_>, begun: &Begun, program: &Program<W>) -> Result<(), Fault> {
        // Choices by chance may follow one another as often as there may be rounds.
        stacker::maybe_grow(CHANCE_STACK_RED_ZONE_BYTES, CHANCE_STACK_SEGMENT_BYTES, || {
            self.list_options(found, begun, program)
        })
    }

    fn list_options(&mut self, found: &mut Found<'_>, begun: &Begun, program: &Program<W>) -> Result<(), Fault> {
        let Some(next) = self.chance_at(program) else { return Ok(()) };
        let nothing = self.nothing_behind_chance(next, program);
        // Of each round two are gone through: the choice by chance, and what stands behind it.
        if begun.path[0] > 2 * MAX_ROUNDS {
            return Err(Fault { kind: FaultKind::Rounds, ..nothing });
        }
        let event = self.vm.run(program, program.code.entries[self.to_move.index()].continuations[next]);
        let total = match event {
            VmExit::Choice(point) => self.vm.total(program, point),
            VmExit::End => 1,
            VmExit::First(_) | VmExit::Fail => 0,
        };
        if total == 0 {
            return Err(self.vm.turn.fault.take().unwrap_or(nothing));
        }
        let logged = self.vm.choice_log.entries.len();
        let saved = self.vm.save(program, event, false);
        // Of blocks with weights, several options in a row are the same block.
        let mut first = 0;
        while first < total {
            let take = |session: &mut Self, option: u64| -> Result<Vec<Written>, Fault> {
                session.vm.restore(program, event, saved, false);
                session.vm.work(program, event)?;
                if let VmExit::Choice(point) = event {
                    let taken = session.vm.take(program, point, option).map(|pc| session.vm.run(program, pc));
                    if taken != Some(VmExit::End) {
                        return Err(session.vm.turn.fault.take().unwrap_or(nothing));
                    }
                }
                Ok(marshal::written(&session.plan.bitboard, &session.vm.choice_log.entries[logged..]))
            };
            let written = take(self, first)?;
            let (mut last, mut step, mut beyond) = (first, 1, total);
            while last + 1 < beyond {
                let tried = if beyond == total { (last + step).min(total - 1) } else { last + (beyond - last) / 2 };
                if take(self, tried)? == written {
                    (last, step) = (tried, step * 2);
                } else {
                    beyond = tried;
                }
            }
            take(self, first)?;
            let mut begun = begun.clone();
            let probability = begun.probability.and(last + 1 - first, total);
            begun.probability = probability.ok_or(Fault { kind: FaultKind::Overflow, ..nothing })?;
            begun.written.extend(written.into_iter().map(|written| Written::Chance(Box::new(written))));
            let option = if total > 1 { path_of_option(first, total) } else { SmallVec::new() };
            begun.go_through(1, &option);
            self.list_behind(found, begun, program)?;
            first = last + 1;
        }
        self.vm.release(saved);
        Ok(())
    }

    /// What chance has chosen is a move, or goes on.
    fn list_behind(&mut self, found: &mut Found<'_>, mut begun: Begun, program: &Program<W>) -> Result<(), Fault> {
        let Some(next) = self.continuation(program) else { return found.add_by_chance(&begun, true, program) };
        let entry = program.code.entries[self.to_move.index()].continuations[next];
        let behind = self.first_run_of(program, entry)?;
        let Some((behind, in_doubt)) = behind else {
            begun.in_doubt = true;
            return found.add_by_chance(&begun, false, program);
        };
        begun.in_doubt |= in_doubt;
        match behind {
            Behind::Player => found.add_by_chance(&begun, false, program),
            Behind::Nothing { through, ends_turn } => {
                if in_doubt {
                    found.add_by_chance(&begun, false, program)?;
                }
                begun.go_through(through.continuations, &through.options);
                if ends_turn {
                    found.add_by_chance(&begun, true, program)
                } else {
                    self.list_chance(found, &begun, program)
                }
            }
        }
    }

    /// The first run of a program, up to where a player chooses something; whether it is in doubt that no player does:
    /// blocks of a `first` were tried, and a run may have died in one of them behind a choice. `None`: there is no run.
    fn first_run_of(&mut self, program: &Program<W>, mut entry: u32) -> Result<Option<(Behind, bool)>, Fault> {
        let logged = self.vm.choice_log.entries.len();
        let (mut through, mut in_doubt) = (Through::default(), false);
        loop {
            let mut event = self.vm.run(program, entry);
            while let VmExit::Choice(point) = event {
                let total = self.vm.total(program, point);
                let is_branch = |arm: &ArmTarget| matches!(arm.options, Options::One { .. });
                if total == 0 {
                    return Ok(None);
                }
                let taken = self.vm.take(program, point, 0).map_or(VmExit::Fail, |pc| self.vm.run(program, pc));
                let is_told = self.vm.choice_log.entries.len() > logged;
                // To go to one cell that is known is no choice, nor to take the only group.
                if total > 1 || is_told || program.code.points[point as usize].arms.iter().any(is_branch) {
                    return Ok(Some((Behind::Player, false)));
                }
                event = taken;
            }
            self.vm.turn.flags.chose = false;
            let mut walk = self.vm.walk_best(program, event)?;
            if !self.vm.next_run(program, &mut walk)? {
                return Ok(None);
            }
            in_doubt |= event != VmExit::End;
            through.continuations += 1;
            through.options.extend(self.vm.search.path(walk.base));
            self.vm.drop_frames(walk.base);
            let written = marshal::written(&self.plan.bitboard, &self.vm.choice_log.entries[logged..]);
            if self.vm.turn.flags.chose || !written.is_empty() {
                return Ok(Some((Behind::Player, false)));
            }
            let next = self.continuation(program).filter(|_| self.chance_at(program).is_none());
            let Some(next) = next.filter(|_| through.continuations < MAX_ROUNDS) else {
                return Ok(Some((
                    Behind::Nothing { through, ends_turn: self.continuation(program).is_none() },
                    in_doubt,
                )));
            };
            entry = program.code.entries[self.to_move.index()].continuations[next];
        }
    }
}
