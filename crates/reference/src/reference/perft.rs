//! Perft: a position and a depth go in; the number of sequences of moves comes out.

use crate::model;
use crate::model::Game;
use crate::position::{Fault, FaultKind, Position};

use crate::reference::end::Judging;
use crate::reference::run::{Goal, Keep};
use crate::reference::{Executor, PlayError, Ply};

/// What a depth counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    #[default]
    Turn,
    Ply,
    /// Turns, those with the same resulting position counted once.
    Result,
}

/// Outcomes that ask `times`, `cycle` or a value that is not compared are never asked; of an `or`, the parts that do so.
#[derive(Clone, Copy, Debug, Default)]
pub struct PerftOptions {
    pub unit: Unit,
    /// Play on after draws.
    pub past_draws: bool,
}

impl PerftOptions {
    fn judging(self) -> Judging {
        Judging { history: false, draws: !self.past_draws }
    }

    fn goal(self, game: &Game) -> Goal {
        if self.unit == Unit::Ply && game.asks.plies { Goal::Plies } else { Goal::Turns }
    }

    /// Past draws, nothing goes on behind a player without a move: the outcome that says so may be
    /// one of those left out.
    fn unless_stuck<T: Default>(self, game: &Game, listed: Result<T, Fault>) -> Result<T, Fault> {
        let draws = self.past_draws && game.end.iter().any(|outcome| matches!(outcome.result, model::Result::Draw));
        match listed {
            Err(Fault { kind: FaultKind::Stuck(_), .. }) if draws => Ok(T::default()),
            listed => listed,
        }
    }
}

impl Executor {
    /// Asks again the outcomes of a position that was read: those that counting asks.
    pub fn judge_for_perft(&mut self, game: &Game, position: &mut Position, options: PerftOptions) {
        if position.is_over() {
            position.reopen();
            self.machine(game, position).judge_read(options.judging());
        }
    }

    /// The number of sequences of `depth` moves; a game that is over has none. The position is as
    /// before.
    pub fn perft(
        &mut self,
        game: &Game,
        position: &mut Position,
        depth: u32,
        options: PerftOptions,
    ) -> Result<u64, Fault> {
        if depth == 0 {
            return Ok(1);
        }
        if depth == 1 {
            let keep = if options.unit == Unit::Result { Keep::Results } else { Keep::Count };
            return options.unless_stuck(game, self.counted(game, position, options.goal(game), keep));
        }
        let mut sum = 0u64;
        for ply in self.perft_moves(game, position, options)? {
            let behind = self.perft_after(game, position, &ply, options, |executor, position| {
                executor.perft(game, position, depth - 1, options)
            })?;
            sum = sum.saturating_add(behind);
        }
        Ok(sum)
    }

    /// The count after each move, in order. `depth` is at least 1. What is behind a move, `count`
    /// may count: a depth less in the position after it; where it does not, this executor does.
    pub fn divide(
        &mut self,
        game: &Game,
        position: &mut Position,
        depth: u32,
        options: PerftOptions,
        mut count: impl FnMut(&Position) -> Option<Result<u64, Fault>>,
    ) -> Result<Vec<(Ply, u64)>, Fault> {
        let mut counts = Vec::new();
        for ply in self.perft_moves(game, position, options)? {
            let behind = self.perft_after(game, position, &ply, options, |executor, position| {
                count(position).unwrap_or_else(|| executor.perft(game, position, depth - 1, options))
            })?;
            counts.push((ply, behind));
        }
        Ok(counts)
    }

    fn perft_moves(&mut self, game: &Game, position: &mut Position, options: PerftOptions) -> Result<Vec<Ply>, Fault> {
        let mut plies = options.unless_stuck(game, self.listed(game, position, options.goal(game)))?;
        if options.unit == Unit::Result {
            // Before and behind a choice by chance there is more than the position.
            let mut seen = std::collections::HashSet::new();
            plies.retain(|ply| !ply.ends_turn || seen.insert(ply.fingerprint));
        }
        Ok(plies)
    }

    fn perft_after(
        &mut self,
        game: &Game,
        position: &mut Position,
        ply: &Ply,
        options: PerftOptions,
        count: impl FnOnce(&mut Executor, &mut Position) -> Result<u64, Fault>,
    ) -> Result<u64, Fault> {
        let mark = match self.play_judging(game, position, ply, options.judging()) {
            Ok(mark) => mark,
            Err(PlayError::Fault(fault)) => return Err(fault),
            // Listed a moment ago for this position.
            Err(PlayError::NotAMove) => return Ok(0),
        };
        let counted = count(self, position);
        position.undo_to(mark);
        counted
    }
}
