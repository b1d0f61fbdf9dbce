//! Turn deduplication: all runs of a game where two may be the same turn go in; each turn comes out
//! once.

use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::interp::argmax::CompletedRun;
use crate::interp::bitset::Bitset;
use crate::interp::sample::uniform::below;
use crate::interp::state::marshal;
use crate::interp::state::sampler::TurnCount;
use crate::interp::state::session::ScalarSession;
use crate::interp::state::turn::Flags;
use crate::interp::tuning::{PERFT_STACK_RED_ZONE_BYTES, PERFT_STACK_SEGMENT_BYTES, TURNS_WITHOUT_REHASH};
use crate::model::MAX_PLIES;
use crate::plan::SpanId;
use crate::position::{Fault, FaultKind, Written};

/// What tells turns apart: men and values when they are over, whether the player goes on, what was
/// written.
pub type Key<const W: usize> = (Vec<Bitset<W>>, Vec<i64>, bool, Vec<Written>);

impl<const W: usize> ScalarSession<W> {
    /// A run is complete: what leaves and ages does so. The turn that it gives.
    pub fn complete(&mut self, told: usize) -> Key<W> {
        self.age(&self.annotated.clone());
        self.key(told)
    }

    /// What a run has come to, and what is written of it from an entry of the log on.
    fn key(&self, told: usize) -> Key<W> {
        let (sets, numbers) = self.annotated.position_regs;
        let written = marshal::written(&self.plan.bitboard, &self.vm.choice_log.entries[told..]);
        let (sets, numbers) = (self.vm.sets[..sets].to_vec(), self.vm.numbers[..numbers].to_vec());
        (sets, numbers, self.vm.turn.flags.again, written)
    }

    /// Draws a turn and plays it; `None`: the game is over.
    #[cold]
    pub fn play_distinct(&mut self) -> Result<Option<TurnCount>, Fault> {
        self.vm.save_checkpoint(&self.program);
        let (drawn, count) = self.draw_distinct(|session| session.complete(0))?;
        let Some(drawn) = drawn else {
            self.vm.roll_back(&self.program.clone());
            self.expect_outcome()?;
            return Ok(None);
        };
        self.vm.make(&drawn);
        self.close_turn()?;
        Ok(Some(TurnCount { count, estimated: false }))
    }

    /// As many turns are kept as the reference executor lists.
    pub fn expect_few(&self, turns: usize) -> Result<(), Fault> {
        if turns < MAX_PLIES {
            return Ok(());
        }
        let place = self.plan.ambiguity.map_or(SpanId::NOWHERE, |doubt| doubt.place);
        Err(Fault::new(FaultKind::Plies, self.annotated.place(place)))
    }

    /// One of all runs of the program that comes next, and how many there are. Runs of one key count once; each takes the
    /// place of those before it with a chance of one in so many (reservoir sampling).
    fn draw_distinct(&mut self, key: impl FnMut(&mut Self) -> Key<W>) -> Result<(Option<CompletedRun<W>>, u64), Fault> {
        self.vm.choice_log.entries.clear();
        self.vm.choice_log.enabled = true;
        let drawn = self.draw_by_key(key);
        self.vm.choice_log.enabled = false;
        drawn
    }

    fn draw_by_key(
        &mut self,
        mut key: impl FnMut(&mut Self) -> Key<W>,
    ) -> Result<(Option<CompletedRun<W>>, u64), Fault> {
        let program = self.annotated.clone();
        (self.vm.turn.flags, self.vm.turn.work) = (Flags::default(), 0);
        let event = self.vm.run(&program, self.entry(&program));
        let mut walk = self.vm.walk_best(&program, event)?;
        let mut seen = FxHashSet::with_capacity_and_hasher(TURNS_WITHOUT_REHASH, FxBuildHasher);
        let mut drawn = None;
        while self.vm.next_run(&program, &mut walk)? {
            let key = key(self);
            self.expect_few(seen.len())?;
            if !seen.insert(key) || below(&mut self.vm.sampler.rng, seen.len() as u64) > 0 {
                continue;
            }
            drawn = Some(self.vm.drawn(&program));
        }
        Ok((drawn, seen.len() as u64))
    }

    /// How many turns there are from here, and how many sequences of so many turns. The position is
    /// left as the last of them left it.
    #[cold]
    pub fn distinct_sequences(&mut self, depth: u32) -> Result<(u64, u64), Fault> {
        let (told, telling) =
            (self.vm.choice_log.entries.len(), std::mem::replace(&mut self.vm.choice_log.enabled, true));
        let counted = self.count_distinct(depth, told);
        self.vm.choice_log.enabled = telling;
        self.vm.choice_log.entries.truncate(told);
        counted
    }

    /// Draws one of all runs of the continuation that comes next, and makes it: of how many.
    pub fn draw_distinct_part(&mut self) -> Result<Option<u64>, Fault> {
        let mut chooses = false;
        let (drawn, count) = self.draw_distinct(|session| {
            let key = session.key(0);
            chooses |= !key.3.is_empty();
            key
        })?;
        let Some(drawn) = drawn else { return Ok(None) };
        self.vm.make(&drawn);
        self.vm.sampler.turn_count = chooses.then_some(TurnCount { count, estimated: false });
        Ok(Some(count))
    }

    fn count_distinct(&mut self, depth: u32, told: usize) -> Result<(u64, u64), Fault> {
        let program = self.annotated.clone();
        (self.vm.turn.flags, self.vm.turn.work) = (Flags::default(), 0);
        let event = self.vm.run(&program, self.entry(&program));
        let (before, lengths) = ((self.to_move, self.opening, self.turns), self.vm.game.history.lengths());
        let mut walk = self.vm.walk_best(&program, event)?;
        let (mut seen, mut sum) = (FxHashSet::default(), 0u64);
        while self.vm.next_run(&program, &mut walk)? {
            let key = self.complete(told);
            self.expect_few(seen.len())?;
            if !seen.insert(key) {
                continue;
            }
            if depth == 1 {
                sum = sum.saturating_add(1);
                continue;
            }
            self.close_turn()?;
            let behind = stacker::maybe_grow(PERFT_STACK_RED_ZONE_BYTES, PERFT_STACK_SEGMENT_BYTES, || {
                self.sequences(&program, depth - 1)
            })?;
            sum = sum.saturating_add(behind);
            self.roll_back(before, lengths);
        }
        Ok((seen.len() as u64, sum))
    }
}
