//! Perft: a depth goes in; the number of sequences of that many turns comes out. The last turn of
//! each is mostly counted by bits.

use std::sync::Arc;

use crate::board::Player;
use crate::interp::state::program::Program;
use crate::interp::state::search::Walk;
use crate::interp::state::session::ScalarSession;
use crate::interp::state::turn::Flags;
use crate::interp::tuning::{PERFT_STACK_RED_ZONE_BYTES, PERFT_STACK_SEGMENT_BYTES};
use crate::position::{Fault, FaultKind};

impl<const W: usize> ScalarSession<W> {
    /// How many sequences of so many turns there are. The position is left as the last of them left
    /// it.
    pub fn sequences(&mut self, program: &Arc<Program<W>>, depth: u32) -> Result<u64, Fault> {
        if depth == 0 {
            return Ok(1);
        }
        if self.outcome.is_some() {
            return Ok(0);
        }
        let (turns, counted) = match self.plan.ambiguity {
            Some(_) => self.distinct_sequences(depth)?,
            None => self.turns_and_sequences(program, depth)?,
        };
        if turns == 0 {
            // Past draws, the outcome that says what being stuck means may be one of those left out.
            let past_draws = program.terminal.draws.is_some_and(|draws| self.vm.number(draws) == 0);
            if self.turns == 0 {
                // Outcomes are asked of the position that was loaded, which the search has spoilt.
                let (sets, numbers) = self.program.position_regs;
                self.vm.ask_all_outcomes(program);
                self.vm.sets[..sets].copy_from_slice(&self.loaded.sets);
                self.vm.numbers[..numbers].copy_from_slice(&self.loaded.numbers);
            }
            match self.expect_outcome() {
                Err(Fault { kind: FaultKind::Stuck(_), .. }) if past_draws => {}
                asked => asked?,
            }
        }
        Ok(counted)
    }

    /// How many turns there are from here, and how many sequences of so many turns.
    fn turns_and_sequences(&mut self, program: &Arc<Program<W>>, depth: u32) -> Result<(u64, u64), Fault> {
        self.vm.turn.flags = Flags::default();
        self.vm.turn.work = 0;
        // Of a turn that is suspended the runs are only its beginnings.
        if depth == 1 && program.carry.is_none() {
            if let Some(counted) = self.vm.count_probed(program, self.entry(program))? {
                return Ok((counted, counted));
            }
            self.vm.set_counting(program, true);
            let event = self.vm.run(program, self.entry(program));
            let counted = self.vm.count_runs(program, event);
            self.vm.set_counting(program, false);
            return counted.map(|counted| (counted, counted));
        }
        let event = self.vm.run(program, self.entry(program));
        let (before, lengths) = ((self.to_move, self.opening, self.turns), self.vm.game.history.lengths());
        let mut walk = self.vm.walk_best(program, event)?;
        let (mut turns, mut sum) = (0u64, 0u64);
        while self.next_turn(program, &mut walk)? {
            turns += 1;
            if depth == 1 {
                sum = sum.saturating_add(1);
                continue;
            }
            self.empty_carried(program);
            self.vm.search.counts_next = depth == 2 && program.carry.is_none();
            let ended = self.end_turn();
            self.vm.search.counts_next = false;
            ended?;
            // The bound is for the turns of one position.
            let work = self.vm.turn.work;
            sum = sum.saturating_add(grown(|| self.sequences(program, depth - 1))?);
            self.vm.turn.work = work;
            self.roll_back(before, lengths);
        }
        Ok((turns, sum))
    }

    /// Goes on to the end of the next turn, through what continuations it has; `false`: there are no more.
    pub fn next_turn(&mut self, program: &Program<W>, walk: &mut Walk) -> Result<bool, Fault> {
        let mut continued = 0;
        while self.vm.next_run(program, walk)? {
            let Some(next) = self.continuation(program) else { return Ok(true) };
            walk.event = Some(self.go_on(program, walk, next, continued)?);
            continued += 1;
        }
        Ok(false)
    }

    /// Whose turn it is, as it was before a turn; the game was not over.
    pub fn roll_back(&mut self, before: (Player, u32, u64), lengths: (usize, usize)) {
        (self.to_move, self.opening, self.turns) = before;
        self.outcome = None;
        self.vm.game.history.truncate(lengths);
        self.vm.game.next_to_move = self.next_to_move();
    }
}

/// Does it with enough stack.
fn grown<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(PERFT_STACK_RED_ZONE_BYTES, PERFT_STACK_SEGMENT_BYTES, work)
}
