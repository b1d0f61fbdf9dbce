//! Sequences of turns are counted: all of them are gone through but the last turn's, of which most
//! are counted by bits.

use std::sync::Arc;

use crate::board::Player;
use crate::interp::Board;
use crate::interp::vm::{Flags, Program};
use crate::position::{Fault, FaultKind};

/// Perft goes a call deeper for each turn; the stack grows on the heap.
pub(crate) const STACK_LEFT: usize = 64 << 10;
pub(crate) const STACK_MORE: usize = 1 << 20;

impl<const W: usize> Board<W> {
    /// How many sequences of so many turns there are. The position is left as the last of them left
    /// it.
    pub(crate) fn sequences(&mut self, code: &Arc<Program<W>>, depth: u32) -> Result<u64, Fault> {
        if depth == 0 {
            return Ok(1);
        }
        if self.outcome.is_some() {
            return Ok(0);
        }
        let (turns, counted) = match self.engine.plan.ambiguity {
            Some(_) => self.distinct_sequences(depth)?,
            None => self.turns_and_sequences(code, depth)?,
        };
        if turns == 0 {
            // Past draws, the outcome that says what being stuck means may be one of those left out.
            let past_draws = code.judging.draws.is_some_and(|draws| self.machine.number(draws) == 0);
            if self.turns == 0 {
                // Outcomes are asked of the position that was loaded, which the search has spoilt.
                let (sets, numbers) = self.code.state;
                self.machine.judge_all(code);
                self.machine.sets[..sets].copy_from_slice(&self.loaded.sets);
                self.machine.numbers[..numbers].copy_from_slice(&self.loaded.numbers);
            }
            match self.expect_outcome() {
                Err(Fault { kind: FaultKind::Stuck(_), .. }) if past_draws => {}
                asked => asked?,
            }
        }
        Ok(counted)
    }

    /// How many turns there are from here, and how many sequences of so many turns.
    fn turns_and_sequences(&mut self, code: &Arc<Program<W>>, depth: u32) -> Result<(u64, u64), Fault> {
        self.machine.flags = Flags::default();
        self.machine.worked = 0;
        if depth == 1 {
            if let Some(counted) = self.machine.count_begun(code, self.entry(code))? {
                return Ok((counted, counted));
            }
            self.machine.count_only(code, true);
            let event = self.machine.run(code, self.entry(code));
            let counted = self.machine.count_runs(code, event);
            self.machine.count_only(code, false);
            return counted.map(|counted| (counted, counted));
        }
        let event = self.machine.run(code, self.entry(code));
        let (before, lengths) = ((self.to_move, self.opening, self.turns), self.machine.history.lengths());
        let mut walk = self.machine.walk_kept(code, event)?;
        let (mut turns, mut sum) = (0u64, 0u64);
        while self.machine.next_run(code, &mut walk)? {
            turns += 1;
            self.machine.counts_next = depth == 2;
            let ended = self.end_turn();
            self.machine.counts_next = false;
            ended?;
            let behind = stacker::maybe_grow(STACK_LEFT, STACK_MORE, || self.sequences(code, depth - 1))?;
            sum = sum.saturating_add(behind);
            self.take_back(before, lengths);
        }
        Ok((turns, sum))
    }

    /// Whose turn it is, as it was before a turn; the game was not over.
    pub(crate) fn take_back(&mut self, before: (Player, u32, u64), lengths: (usize, usize)) {
        (self.to_move, self.opening, self.turns) = before;
        self.outcome = None;
        self.machine.history.truncate(lengths);
        self.machine.next_to_move = self.next_to_move();
    }
}
