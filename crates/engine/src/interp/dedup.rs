//! Turn deduplication: all runs of a game where two may be the same turn go in; each turn comes out
//! once.
//!
//! Turns that are written differently differ. So where one is drawn, a run goes no further than to where all of it is told;
//! those that are written alike are completed and compared, and so is the one that was drawn. Where the paths of all runs
//! would take too much memory, all runs are completed.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::interp::sample::uniform::below;
use crate::interp::state::marshal;
use crate::interp::state::program::Program;
use crate::interp::state::repetition::Hash;
use crate::interp::state::sampler::TurnCount;
use crate::interp::state::session::ScalarSession;
use crate::interp::state::snapshot::key_of;
use crate::interp::state::turn::Flags;
use crate::interp::tuning::{
    OPTIONS_OF_PATHS, PERFT_STACK_RED_ZONE_BYTES, PERFT_STACK_SEGMENT_BYTES, TURNS_WITHOUT_REHASH,
};
use crate::model::MAX_PLIES;
use crate::plan::SpanId;
use crate::position::{Fault, FaultKind, Mixer, Written};

/// What tells turns apart: the hash of men and values when they are over, of whether the player goes on, and of what was
/// written. Kept whole, these take most of the time of a listing.
pub type Key = Hash;

/// One run was made, if there is any.
struct Drawn {
    /// Of so many turns.
    count: u64,
    /// Something is chosen in some of them, be it written or not.
    chooses: bool,
}

/// Runs up to where all of them is told.
#[derive(Default)]
struct ToldRuns {
    runs: Vec<ToldRun>,
    /// The options of the runs one after the other, at each choice that had several.
    options: Vec<u32>,
    chooses: bool,
}

struct ToldRun {
    /// The hash of what is written of it. Runs that share it by chance are completed for nothing.
    text: u64,
    /// Where its options end.
    end: u32,
}

impl ToldRuns {
    /// The runs with their paths, and whether another is written alike.
    fn iter(&self) -> impl Iterator<Item = (&[u32], bool)> {
        let mut is_alike = FxHashMap::with_capacity_and_hasher(self.runs.len(), FxBuildHasher);
        for run in &self.runs {
            is_alike.entry(run.text).and_modify(|alike| *alike = true).or_insert(false);
        }
        let mut begin = 0;
        self.runs.iter().map(move |run| {
            let path = &self.options[std::mem::replace(&mut begin, run.end as usize)..run.end as usize];
            (path, is_alike.get(&run.text) == Some(&true))
        })
    }
}

impl<const W: usize> ScalarSession<W> {
    /// A run is complete: what leaves and ages does so. The turn that it gives, which writes this.
    pub fn complete(&mut self, written: &[Written]) -> Key {
        self.age(&self.annotated());
        self.key(written)
    }

    /// What a run has come to that writes this.
    pub fn key(&self, written: &[Written]) -> Key {
        let vm = &self.vm;
        let again = u64::from(vm.turn.flags.again);
        let registers = self.program.position_regs;
        let key = key_of(W, registers, again, |set, at| vm.sets[set][at], |number| vm.numbers[number] as u64);
        let mut mixer = Mixer::default();
        mixer.add_wide(key);
        written.iter().for_each(|written| mixer.add_written(written));
        mixer.finish()
    }

    /// What the run at hand writes, from an entry of the log on.
    pub fn write_from(&self, told: usize, written: &mut Vec<Written>) {
        marshal::write(&self.plan.bitboard, &self.vm.choice_log.entries[told..], written);
    }

    /// Draws a turn and plays it; `None`: the game is over.
    #[cold]
    pub fn play_distinct(&mut self) -> Result<Option<TurnCount>, Fault> {
        self.vm.save_checkpoint(&self.program);
        let count = self.draw_distinct(Self::complete)?.count;
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
        Err(Fault::new(FaultKind::Plies, self.program.place(place)))
    }

    /// Makes one of all runs of the program that comes next. Runs of one key count once; each takes the place of those
    /// before it with a chance of one in so many (reservoir sampling).
    fn draw_distinct(&mut self, key: impl FnMut(&mut Self, &[Written]) -> Key) -> Result<Drawn, Fault> {
        self.vm.choice_log.enabled = true;
        let drawn = self.draw_by_text(key);
        (self.vm.choice_log.enabled, self.vm.choice_log.ends_runs) = (false, false);
        drawn
    }

    fn draw_by_text(&mut self, mut key: impl FnMut(&mut Self, &[Written]) -> Key) -> Result<Drawn, Fault> {
        let program = self.annotated();
        // Where values of runs are compared, all of each is made.
        if program.argmax.is_some() {
            return self.draw_by_key(&program, key);
        }
        let begun = self.vm.drawn(&program);
        let told = self.told_runs(&program);
        (self.vm.choice_log.ends_runs, self.vm.turn.work) = (false, 0);
        self.vm.make(&begun);
        let Some(told) = told? else { return self.draw_by_key(&program, key) };
        let (mut seen, mut drawn, mut count) = (FxHashSet::default(), None, 0);
        let mut written = Vec::new();
        for (path, is_alike) in told.iter() {
            if is_alike {
                self.vm.make(&begun);
                if !self.make_path(path)? {
                    continue;
                }
                self.write_from(0, &mut written);
                if !seen.insert(key(self, &written)) {
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
            self.make_path(path)?;
            key(self, &[]);
        }
        Ok(Drawn { count, chooses: told.chooses })
    }

    /// All runs of the program that comes next; `None`: their paths take too much memory.
    fn told_runs(&mut self, program: &Program<W>) -> Result<Option<ToldRuns>, Fault> {
        self.vm.choice_log.entries.clear();
        self.vm.choice_log.ends_runs = true;
        (self.vm.turn.flags, self.vm.turn.work) = (Flags::default(), 0);
        let event = self.vm.run(program, self.entry(program));
        let mut walk = self.vm.walk(event);
        let (mut told, mut written) = (ToldRuns::default(), Vec::new());
        while self.vm.next_run(program, &mut walk)? {
            told.options.extend(self.vm.search.path(walk.base));
            if told.options.len() + told.runs.len() > OPTIONS_OF_PATHS {
                self.vm.drop_frames(walk.base);
                return Ok(None);
            }
            marshal::write(&self.plan.bitboard, &self.vm.choice_log.entries, &mut written);
            told.chooses |= !written.is_empty() || self.vm.turn.flags.chose;
            told.runs.push(ToldRun { text: FxBuildHasher.hash_one(&written), end: told.options.len() as u32 });
        }
        Ok(Some(told))
    }

    fn draw_by_key(
        &mut self,
        program: &Program<W>,
        mut key: impl FnMut(&mut Self, &[Written]) -> Key,
    ) -> Result<Drawn, Fault> {
        self.vm.choice_log.entries.clear();
        (self.vm.turn.flags, self.vm.turn.work) = (Flags::default(), 0);
        let event = self.vm.run(program, self.entry(program));
        let mut walk = self.vm.walk_best(program, event)?;
        let mut seen = FxHashSet::with_capacity_and_hasher(TURNS_WITHOUT_REHASH, FxBuildHasher);
        let (mut drawn, mut chooses, mut written) = (None, false, Vec::new());
        while self.vm.next_run(program, &mut walk)? {
            self.write_from(0, &mut written);
            let key = key(self, &written);
            chooses |= !written.is_empty() || self.vm.turn.flags.chose;
            self.expect_few(seen.len())?;
            if !seen.insert(key) || below(&mut self.vm.sampler.rng, seen.len() as u64) > 0 {
                continue;
            }
            drawn = Some(self.vm.drawn(program));
        }
        drawn.iter().for_each(|drawn| self.vm.make(drawn));
        Ok(Drawn { count: seen.len() as u64, chooses })
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
        let Drawn { count, chooses } = self.draw_distinct(|session, written| session.key(written))?;
        if count == 0 {
            return Ok(None);
        }
        self.vm.sampler.turn_count = chooses.then_some(TurnCount { count, estimated: false });
        Ok(Some(count))
    }

    fn count_distinct(&mut self, depth: u32, told: usize) -> Result<(u64, u64), Fault> {
        let program = self.annotated();
        (self.vm.turn.flags, self.vm.turn.work) = (Flags::default(), 0);
        let event = self.vm.run(&program, self.entry(&program));
        let (before, lengths) = ((self.to_move, self.opening, self.turns), self.vm.game.history.lengths());
        let mut walk = self.vm.walk_best(&program, event)?;
        let (mut seen, mut sum, mut written) = (FxHashSet::default(), 0u64, Vec::new());
        while self.next_turn(&program, &mut walk)? {
            self.empty_carried(&program);
            self.write_from(told, &mut written);
            let key = self.complete(&written);
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
