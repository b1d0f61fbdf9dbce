//! Turn deduplication: all runs of a game where two may be the same turn go in; each turn comes out
//! once.
//!
//! Turns that are written differently differ. So where one is drawn, a run goes no further than to where all of it is told;
//! those that are written alike are completed and compared, and so is the one that was drawn.

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::interp::bitset::Bitset;
use crate::interp::sample::uniform::below;
use crate::interp::state::marshal;
use crate::interp::state::program::Program;
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

/// The options of a run, at each choice that had several.
type Path = SmallVec<[u32; 16]>;

/// By what is written: the numbers of the runs of which it is.
type RunsByText = FxHashMap<Vec<Written>, SmallVec<[u32; 2]>>;

/// One run was made, if there is any.
struct Drawn {
    /// Of so many turns.
    count: u64,
    /// Something is written of some of them.
    chooses: bool,
}

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
        let count = self.draw_distinct(|session| session.complete(0))?.count;
        if count == 0 {
            self.vm.roll_back(&self.program.clone());
            self.expect_outcome()?;
            return Ok(None);
        }
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

    /// Makes one of all runs of the program that comes next. Runs of one key count once; each takes the place of those
    /// before it with a chance of one in so many (reservoir sampling).
    fn draw_distinct(&mut self, complete: impl FnMut(&mut Self) -> Key<W>) -> Result<Drawn, Fault> {
        self.vm.choice_log.entries.clear();
        (self.vm.choice_log.enabled, self.vm.choice_log.ends_runs) = (true, false);
        let drawn = if self.annotated.argmax.is_some() { self.draw_by_key(complete) } else { self.draw_told(complete) };
        (self.vm.choice_log.enabled, self.vm.choice_log.ends_runs) = (false, false);
        drawn
    }

    /// The same where only the runs of the greatest value stay, which is known when they are complete.
    fn draw_by_key(&mut self, mut complete: impl FnMut(&mut Self) -> Key<W>) -> Result<Drawn, Fault> {
        let program = self.annotated.clone();
        (self.vm.turn.flags, self.vm.turn.work) = (Flags::default(), 0);
        let event = self.vm.run(&program, self.entry(&program));
        let mut walk = self.vm.walk_best(&program, event)?;
        let mut seen = FxHashSet::with_capacity_and_hasher(TURNS_WITHOUT_REHASH, FxBuildHasher);
        let (mut drawn, mut chooses) = (None, false);
        while self.vm.next_run(&program, &mut walk)? {
            let key = complete(self);
            chooses |= !key.3.is_empty();
            self.expect_few(seen.len())?;
            if !seen.insert(key) || below(&mut self.vm.sampler.rng, seen.len() as u64) > 0 {
                continue;
            }
            drawn = Some(self.vm.drawn(&program));
        }
        drawn.iter().for_each(|drawn| self.vm.make(drawn));
        Ok(Drawn { count: seen.len() as u64, chooses })
    }

    /// The same where all runs stay.
    fn draw_told(&mut self, mut complete: impl FnMut(&mut Self) -> Key<W>) -> Result<Drawn, Fault> {
        let program = self.annotated.clone();
        let begun = self.vm.drawn(&program);
        let (paths, groups) = self.told_runs(&program)?;
        let chooses = groups.keys().any(|written| !written.is_empty());
        let mut alike = vec![false; paths.len()];
        groups.values().filter(|runs| runs.len() > 1).flatten().for_each(|run| alike[*run as usize] = true);
        let mut seen = FxHashSet::default();
        let (mut drawn, mut count) = (None, 0);
        for (path, alike) in paths.iter().zip(alike) {
            if alike {
                self.vm.make(&begun);
                self.vm.choice_log.entries.clear();
                if !self.make_path(path)? || !seen.insert(complete(self)) {
                    continue;
                }
            }
            self.expect_few(count as usize)?;
            count += 1;
            if below(&mut self.vm.sampler.rng, count) == 0 {
                drawn = Some(path);
            }
        }
        if let Some(path) = drawn {
            self.vm.make(&begun);
            self.vm.choice_log.entries.clear();
            self.make_path(path)?;
            complete(self);
        }
        Ok(Drawn { count, chooses })
    }

    /// The paths of all runs of the program that comes next, and by what is written of them the runs, in their order.
    fn told_runs(&mut self, program: &Program<W>) -> Result<(Vec<Path>, RunsByText), Fault> {
        (self.vm.turn.flags, self.vm.turn.work) = (Flags::default(), 0);
        self.vm.choice_log.ends_runs = true;
        let event = self.vm.run(program, self.entry(program));
        let mut walk = self.vm.walk(event);
        let mut paths: Vec<Path> = Vec::with_capacity(TURNS_WITHOUT_REHASH);
        let mut groups = RunsByText::with_capacity_and_hasher(TURNS_WITHOUT_REHASH, FxBuildHasher);
        while self.vm.next_run(program, &mut walk)? {
            self.expect_few(groups.len())?;
            let written = marshal::written(&self.plan.bitboard, &self.vm.choice_log.entries);
            groups.entry(written).or_default().push(paths.len() as u32);
            paths.push(self.vm.search.path(walk.base).collect());
        }
        self.vm.choice_log.ends_runs = false;
        Ok((paths, groups))
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
        let Drawn { count, chooses } = self.draw_distinct(|session| session.key(0))?;
        if count == 0 {
            return Ok(None);
        }
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
