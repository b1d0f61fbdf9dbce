//! Turns of games in which two runs may give the same one: all runs are gone through, and each turn
//! counts once.

use std::collections::HashSet;

use crate::interp::Board;
use crate::interp::argmax::Drawn;
use crate::interp::bitset::Bitset;
use crate::interp::perft::{STACK_LEFT, STACK_MORE};
use crate::interp::sample::{TurnCount, below};
use crate::interp::state::marshal;
use crate::interp::vm::Flags;
use crate::model::MAX_PLIES;
use crate::plan::SpanId;
use crate::position::{Fault, FaultKind, Written};

/// What tells turns apart: men and values when they are over, whether the player goes on, what was
/// written.
type Key<const W: usize> = (Vec<Bitset<W>>, Vec<i64>, bool, Vec<Written>);

impl<const W: usize> Board<W> {
    /// A run is complete: what leaves and ages does so. The turn that it gives.
    fn complete(&mut self, told: usize) -> Key<W> {
        self.age(&self.telling.clone());
        let (sets, numbers) = self.telling.state;
        let written = marshal::written(&self.engine.plan.bitboard, &self.machine.told[told..]);
        let (sets, numbers) = (self.machine.sets[..sets].to_vec(), self.machine.numbers[..numbers].to_vec());
        (sets, numbers, self.machine.flags.again, written)
    }

    /// Draws a turn and plays it; `None`: the game is over.
    #[cold]
    pub(crate) fn play_distinct(&mut self) -> Result<Option<TurnCount>, Fault> {
        self.machine.keep_position(&self.code);
        self.machine.told.clear();
        self.machine.telling = true;
        let drawn = self.draw_distinct();
        self.machine.telling = false;
        let (drawn, count) = drawn?;
        let Some(drawn) = drawn else {
            self.machine.take_back(&self.code.clone());
            self.expect_outcome()?;
            return Ok(None);
        };
        self.machine.make(&drawn);
        self.close_turn()?;
        Ok(Some(TurnCount { count, estimated: false }))
    }

    /// As many turns are kept as the reference executor lists.
    fn expect_few(&self, turns: usize) -> Result<(), Fault> {
        if turns < MAX_PLIES {
            return Ok(());
        }
        let place = self.engine.plan.ambiguity.map_or(SpanId(u16::MAX), |doubt| doubt.place);
        Err(Fault::new(FaultKind::Plies, self.telling.place(place)))
    }

    /// One of all turns, and how many there are: each takes the place of those before it with a
    /// chance of one in so many.
    fn draw_distinct(&mut self) -> Result<(Option<Drawn<W>>, u64), Fault> {
        let code = self.telling.clone();
        (self.machine.flags, self.machine.worked) = (Flags::default(), 0);
        let event = self.machine.run(&code, self.entry(&code));
        let mut walk = self.machine.walk_kept(&code, event)?;
        let (mut seen, mut drawn) = (HashSet::new(), None);
        while self.machine.next_run(&code, &mut walk)? {
            let key = self.complete(0);
            self.expect_few(seen.len())?;
            if !seen.insert(key) || below(&mut self.machine.lot, seen.len() as u64) > 0 {
                continue;
            }
            drawn = Some(self.machine.drawn(&code));
        }
        Ok((drawn, seen.len() as u64))
    }

    /// How many turns there are from here, and how many sequences of so many turns. The position is
    /// left as the last of them left it.
    #[cold]
    pub(crate) fn distinct_sequences(&mut self, depth: u32) -> Result<(u64, u64), Fault> {
        let (told, telling) = (self.machine.told.len(), std::mem::replace(&mut self.machine.telling, true));
        let counted = self.count_distinct(depth, told);
        self.machine.telling = telling;
        self.machine.told.truncate(told);
        counted
    }

    fn count_distinct(&mut self, depth: u32, told: usize) -> Result<(u64, u64), Fault> {
        let code = self.telling.clone();
        (self.machine.flags, self.machine.worked) = (Flags::default(), 0);
        let event = self.machine.run(&code, self.entry(&code));
        let (before, lengths) = ((self.to_move, self.opening, self.turns), self.machine.history.lengths());
        let mut walk = self.machine.walk_kept(&code, event)?;
        let (mut seen, mut sum) = (HashSet::new(), 0u64);
        while self.machine.next_run(&code, &mut walk)? {
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
            let behind = stacker::maybe_grow(STACK_LEFT, STACK_MORE, || self.sequences(&code, depth - 1))?;
            sum = sum.saturating_add(behind);
            self.take_back(before, lengths);
        }
        Ok((seen.len() as u64, sum))
    }
}
