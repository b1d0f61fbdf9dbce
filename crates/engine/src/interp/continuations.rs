//! Suspended turns: a session at the beginning of a turn in which chance chooses, or that falls into plies, goes in; each
//! continuation is drawn and played, and the turn ends.
//!
//! A continuation is a program of its own, so its runs are drawn as those of a turn are. What chance chooses is one
//! continuation whose runs are its options.
//!
//! A draw speculates that the turn can be completed behind each ply: the plies that are drawn behind it validate that. If one
//! finds no run, the turn is rolled back and drawn once more by the same numbers, and each ply looks ahead. A ply that can be
//! completed is drawn by the same number either way, so the turn that is played is the same.

use std::collections::HashSet;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::interp::bitset::Bitset;
use crate::interp::session::TracedPart;
use crate::interp::state::marshal;
use crate::interp::state::program::Program;
use crate::interp::state::sampler::TurnCount;
use crate::interp::state::session::ScalarSession;
use crate::interp::state::turn::{Flags, TurnChain};
use crate::interp::traced_turn::Alike;
use crate::model::MAX_ROUNDS;
use crate::plan::{Access, Carry, Continuation};
use crate::position::{Fault, FaultKind};

/// A continuation is drawn next, or was drawn: of how many runs, where it is a player's ply.
#[derive(Clone, Copy)]
pub enum Drawn {
    Next,
    Done(Option<TurnCount>),
}

/// Where a run stands among the plies of its turn.
#[derive(Clone, Copy, Default)]
struct PlyAt {
    /// A ply has ended since chance chose last.
    follows_ply: bool,
    /// The player has passed, and that belongs to no ply yet.
    has_passed: bool,
    /// The turn has had a ply, or chance has chosen in it.
    is_told: bool,
}

/// Looks at a session before and behind each continuation.
pub type Watch<'w, const W: usize> = &'w mut dyn FnMut(&mut ScalarSession<W>, Drawn) -> Result<(), Fault>;

impl<const W: usize> ScalarSession<W> {
    /// Which continuation of the present turn comes next; `None`: the turn begins.
    pub fn continuation(&self, program: &Program<W>) -> Option<usize> {
        let next = self.vm.number(program.carry?.next);
        usize::try_from(next).ok()?.checked_sub(1)
    }

    /// [`ScalarSession::play_continuations`], where nobody looks at the plies of a turn.
    pub fn play_suspended(&mut self, more: u64) -> Result<Option<TurnCount>, Fault> {
        let begun = (self.suspended, self.plies);
        if self.program.looks_ahead && self.plan.ambiguity.is_none() {
            self.vm.turn.completion.begin();
        }
        let played = self.play_continuations(more, &mut |_, _| Ok(()));
        let is_validated = self.vm.turn.completion.end();
        if played.is_ok() || is_validated {
            return played;
        }
        self.vm.turn.completion.fail();
        self.vm.roll_back(&self.program.clone());
        self.vm.forget_probed();
        (self.suspended, self.plies) = begun;
        self.play_continuations(more, &mut |_, _| Ok(()))
    }

    /// Draws a turn continuation by continuation and plays it; of how many runs its parts were drawn. `None`: the game is over.
    /// A turn that is suspended goes on with its continuation. `watch` is called before and behind each continuation.
    pub fn play_continuations(&mut self, more: u64, watch: Watch<'_, W>) -> Result<Option<TurnCount>, Fault> {
        let program = self.program.clone();
        let (seat, in_opening) = (self.to_move, self.is_in_opening());
        let entries = &program.code.entries[seat.index()];
        self.vm.turn.end_entry = 0;
        let is_ambiguous = self.plan.ambiguity.is_some();
        let may_go_back = self.vm.turn.completion.is_speculated || is_ambiguous;
        self.vm.save_checkpoint_if_needed(&program, entries.may_fail_dirty || may_go_back);
        self.vm.turn.chain = TurnChain { seat: seat.0, left: more, beyond: self.replays, ..TurnChain::default() };
        let suspended = std::mem::take(&mut self.suspended);
        let (mut count, mut at) = (TurnCount::default(), PlyAt::default());
        if self.continuation(&program).is_some() {
            at.is_told = true;
            self.vm.turn.flags = suspended;
            at.has_passed = suspended.passed && !self.game.asks.chance;
        } else {
            watch(self, Drawn::Next)?;
            let drawn = if is_ambiguous {
                self.draw_distinct_part()?
            } else {
                self.vm.draw(&program, self.entry(&program))?.map(|count| count.count)
            };
            let ends = self.continuation(&program).is_none();
            if drawn.is_none() || ends && !is_ambiguous && self.vm.speculation_failed() {
                // A run without a choice is the only one.
                let only = drawn.is_none() || self.vm.sampler.turn_count.is_none();
                let stuck = (only && !in_opening).then_some(seat);
                self.vm.turn.completion.taken = false;
                return self.resample(drawn.is_some(), stuck, more);
            }
            let ply = self.count_ply(&mut at);
            count = ply.unwrap_or_default();
            watch(self, Drawn::Done(ply))?;
        }
        let mut continued = 0;
        while let Some(continuation) = self.continuation(&program) {
            let Continuation { place, chance, .. } = self.plan.seats[seat.index()].continuations[continuation];
            let place = program.place(place);
            continued += u32::from(!chance);
            if continued > MAX_ROUNDS {
                return Err(Fault::new(FaultKind::Rounds, place));
            }
            let flags = self.vm.turn.flags;
            watch(self, Drawn::Next)?;
            // Options of chance are no turns: two that give the same are twice as likely.
            let drawn = if is_ambiguous && !chance {
                self.draw_distinct_part()?.is_some()
            } else {
                self.vm.draw(&program, entries.continuations[continuation])?.is_some()
            };
            if !drawn {
                return Err(Fault::new(FaultKind::Chance(place.span), place));
            }
            let ply = if chance { None } else { self.count_ply(&mut at) };
            watch(self, Drawn::Done(ply))?;
            count += ply.unwrap_or_default();
            if chance {
                at = PlyAt { is_told: true, ..PlyAt::default() };
            }
            self.vm.turn.flags |= flags;
        }
        self.vm.turn.completion.taken = false;
        self.vm.turn.speculation.rests = None;
        self.empty_carried(&program);
        self.end_turn()?;
        let speculation = &mut self.vm.turn.speculation;
        speculation.rests = std::mem::take(&mut speculation.taken).then_some(seat);
        Ok(Some(count))
    }

    fn is_in_opening(&self) -> bool {
        (self.opening as usize) < self.game.opening.len()
    }

    /// What was drawn last is a ply if its player has chosen something. A pass without a choice belongs to the ply that it
    /// follows or begins; it is one by itself only if chance or the end of the turn stands on both sides. So is a turn in which nobody chooses.
    fn count_ply(&mut self, at: &mut PlyAt) -> Option<TurnCount> {
        let drawn = self.vm.sampler.turn_count;
        let next = self.continuation(&self.program);
        let goes_on = next.is_some_and(|next| !self.program.is_by_chance[self.to_move.index()][next]);
        at.has_passed |= self.vm.turn.flags.passed;
        let is_whole_turn = next.is_none() && !at.is_told;
        if drawn.is_none() && !is_whole_turn && (at.follows_ply || goes_on || !at.has_passed) {
            return None;
        }
        *at = PlyAt { follows_ply: true, has_passed: false, is_told: true };
        self.plies += 1;
        Some(drawn.unwrap_or(TurnCount::ONE))
    }

    /// Plays a turn drawn at random, and tells of each continuation which runs it had, and which was drawn.
    pub fn traced_parts(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<Vec<TracedPart>>, Fault> {
        let mut lister = self.lister.take().unwrap_or_else(|| Box::new(self.sibling()));
        let mut parts = Vec::new();
        let drawn = self.with_rng(rng, |session| {
            session.play_continuations(0, &mut |session, drawn| {
                match drawn {
                    Drawn::Next => lister.take_position(session),
                    Drawn::Done(ply) => parts.push(lister.list_part(session, ply)?),
                }
                Ok(())
            })
        });
        self.lister = Some(lister);
        Ok(drawn?.map(|_| parts))
    }

    /// All runs of the continuation that comes next, and which of them leads to the registers of a session.
    fn list_part(&mut self, after: &mut ScalarSession<W>, ply: Option<TurnCount>) -> Result<TracedPart, Fault> {
        let program = self.annotated();
        let lengths = after.vm.game.history.lengths();
        std::mem::swap(&mut self.vm.game.history, &mut after.vm.game.history);
        self.vm.choice_log.enabled = true;
        self.vm.choice_log.entries.clear();
        let listed = self.list_runs(&program, after, ply);
        self.vm.choice_log.enabled = false;
        std::mem::swap(&mut self.vm.game.history, &mut after.vm.game.history);
        after.vm.game.history.truncate(lengths);
        listed
    }

    fn list_runs(
        &mut self,
        program: &Program<W>,
        after: &ScalarSession<W>,
        ply: Option<TurnCount>,
    ) -> Result<TracedPart, Fault> {
        let ((sets, numbers), asked) = (program.position_regs, self.asked_of_turn());
        (self.vm.turn.flags, self.vm.turn.work) = (Flags::default(), 0);
        let event = self.vm.run(program, self.entry(program));
        let mut walk = self.vm.walk_best(program, event)?;
        let (mut written, mut seen) = (Vec::new(), HashSet::new());
        let mut played = Alike::new(&after.vm.sampler.rng);
        while self.vm.next_run(program, &mut walk)? {
            self.expect_few(written.len())?;
            let again = self.vm.turn.flags.again;
            let asked: &[Access] = if self.continuation(program).is_none() { &asked } else { &[] };
            let is_it = again == after.vm.turn.flags.again && self.stands_like(after, asked);
            let told = marshal::written(&self.plan.bitboard, &self.vm.choice_log.entries);
            let key = || (self.vm.sets[..sets].to_vec(), self.vm.numbers[..numbers].to_vec(), again, told.clone());
            if self.plan.ambiguity.is_some() && !seen.insert(key()) {
                continue;
            }
            if is_it {
                played.add(written.len());
            }
            written.push(told);
        }
        Ok(TracedPart { ply, written, played: played.drawn })
    }

    /// Between turns nothing goes along.
    pub fn empty_carried(&mut self, program: &Program<W>) {
        let Some(Carry { sets, numbers, .. }) = program.carry else { return };
        let empty: Bitset<W> = [0; W];
        (sets.0.0..sets.1.0).for_each(|reg| self.vm.sets[usize::from(reg)] = empty);
        (numbers.0.0..numbers.1.0).for_each(|reg| self.vm.numbers[usize::from(reg)] = 0);
    }
}
