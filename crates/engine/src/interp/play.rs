//! Game loop: a session and a generator go in; turns are played until the game is over.

use std::collections::HashSet;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Player;
use crate::interp::session::{DrawCost, Extent, LentMove, Places, Playout, Session, TracedPart, TracedTurn, Turn};
use crate::interp::state::marshal;
use crate::interp::state::program::Program;
use crate::interp::state::repetition::RepetitionTable;
use crate::interp::state::sampler::TurnCount;
use crate::interp::state::session::{Loaded, ScalarSession};
use crate::interp::state::snapshot::{CellTurns, GameState, Snapshot, next_to_move};
use crate::interp::state::turn::{Flags, TurnChain};
use crate::position::{Fault, Outcome, Position, Written};

impl<const W: usize> ScalarSession<W> {
    pub fn entry(&self, program: &Program<W>) -> u32 {
        let entries = &program.code.entries[self.to_move.index()];
        if let Some(continuation) = self.continuation(program) {
            return entries.continuations[continuation];
        }
        entries.opening.get(self.opening as usize).copied().unwrap_or(entries.turn)
    }

    /// The run of a turn is complete: what ages and leaves, who is next, whether the game is over.
    pub fn end_turn(&mut self) -> Result<(), Fault> {
        if !self.program.code.entries[self.to_move.index()].no_cleanup {
            self.age(&self.program.clone());
        }
        self.close_turn()
    }

    /// What leaves and ages when a turn is over.
    pub fn age(&mut self, program: &Program<W>) {
        let entries = &program.code.entries[self.to_move.index()];
        if !entries.no_cleanup {
            self.vm.run(program, entries.after);
        }
    }

    /// Who is next, and whether the game is over.
    pub fn close_turn(&mut self) -> Result<(), Fault> {
        self.vm.forget_probed();
        let entries = &self.program.code.entries[self.to_move.index()];
        let (end, openings) = (entries.end, entries.opening.len() as u32);
        let in_opening = self.opening < openings;
        self.pass_turn(openings);
        self.record_position();
        if in_opening { Ok(()) } else { self.evaluate_end(end, None) }
    }

    /// The next player is to move, in an opening of so many turns.
    pub fn pass_turn(&mut self, openings: u32) {
        if !self.vm.turn.flags.again {
            self.to_move = self.seat_behind();
        }
        self.opening = self.opening.saturating_add(1).min(openings);
        self.turns += 1;
    }

    pub fn next_to_move(&self) -> u64 {
        next_to_move(self.to_move, self.opening)
    }

    pub fn record_position(&mut self) {
        self.vm.game.next_to_move = self.next_to_move();
        let asks = &self.game.asks;
        if !self.records {
            return;
        }
        if asks.times_pieces {
            let hash = self.vm.pieces_hash(&self.program);
            self.vm.game.history.record_pieces(hash);
        }
        if asks.times_position {
            let hash = self.vm.position_hash(&self.program);
            self.vm.game.history.record_position(hash);
        }
    }

    /// Lends the vm what draws.
    pub fn with_rng<T>(
        &mut self,
        rng: &mut Xoshiro256PlusPlus,
        play: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        std::mem::swap(rng, &mut self.vm.sampler.rng);
        let played = play(self);
        std::mem::swap(rng, &mut self.vm.sampler.rng);
        played
    }

    /// Draws a turn and plays it; of how many runs it was drawn. If turns follow one another in one
    /// run, up to so many more are played, and `streak` tells of all but the last. `None`: the game
    /// is over.
    pub fn play_drawn(&mut self, more: u64) -> Result<Option<TurnCount>, Fault> {
        if self.program.carry.is_some() {
            return self.play_suspended(more);
        }
        if self.plan.ambiguity.is_some() {
            return self.play_distinct();
        }
        let entries = &self.program.code.entries[self.to_move.index()];
        let openings = entries.opening.len() as u32;
        let (entry, in_opening) = match entries.opening.get(self.opening as usize) {
            Some(&entry) => (entry, true),
            None => (entries.turn, false),
        };
        // Where nothing comes between a turn and the outcomes, the run of the turn goes on with
        // them.
        let apart = !entries.no_cleanup || in_opening || self.records;
        self.vm.turn.end_entry = if apart { 0 } else { entries.end };
        self.vm.save_checkpoint_if_needed(&self.program, entries.may_fail_dirty);
        self.vm.turn.chain =
            TurnChain { seat: self.to_move.0, left: more, beyond: self.replays, ..TurnChain::default() };
        let drawn = self.vm.draw(&self.program, entry);
        self.to_move = Player(self.vm.turn.chain.seat);
        self.turns += self.vm.turn.chain.turns;
        let drawn = drawn?;
        if drawn.is_none() || !self.vm.turn.end_evaluated && self.vm.speculation_failed() {
            // A run without a choice is the only one.
            let only = drawn.is_none() || self.vm.sampler.turn_count.is_none();
            let stuck = (only && !in_opening).then_some(self.to_move);
            return self.resample(drawn.is_some(), stuck, more - self.vm.turn.chain.turns);
        }
        let mover = self.to_move;
        if self.vm.turn.end_evaluated {
            self.pass_turn(openings);
            self.vm.game.next_to_move = self.next_to_move();
            self.record_outcome();
        } else {
            self.end_turn()?;
        }
        let presumption = &mut self.vm.turn.speculation;
        presumption.rests = std::mem::take(&mut presumption.taken).then_some(mover);
        Ok(drawn)
    }

    /// Plays turns of a game again, so that the position is that in which the turn began that came
    /// to a fault: behind so many turns, or before the last of them, where that came to it at its
    /// end.
    #[cold]
    fn go_back_to(&mut self, turns: u64, begun: &Xoshiro256PlusPlus) {
        self.replays = true;
        for turns in [turns, turns.saturating_sub(1)] {
            self.restart();
            let played = self.with_rng(&mut begun.clone(), |board| {
                while board.outcome.is_none() && board.turns < turns {
                    board.play_drawn(turns - board.turns - 1)?;
                }
                Ok(())
            });
            self.vm.turn.chain = TurnChain::default();
            if played.is_ok() {
                break;
            }
        }
        self.replays = false;
    }

    /// No turn has been played: what the last one moved and caught is nothing.
    fn forget_words(&mut self) {
        let ((sets, numbers), shared) = (self.program.position_regs, self.program.shared_regs);
        self.vm.sets[sets..shared.0].fill([0; W]);
        // Which outcomes are asked stands among the words, and is no word of a turn.
        let asked = [self.program.terminal.history, self.program.terminal.draws];
        for number in
            (numbers..shared.1).filter(|&number| !asked.iter().flatten().any(|reg| usize::from(reg.0) == number))
        {
            self.vm.numbers[number] = 0;
        }
    }
}

impl<const W: usize> Session for ScalarSession<W> {
    fn load(&mut self, position: &Position) -> bool {
        // The game before may have been left within a turn.
        self.empty_carried(&self.program.clone());
        self.forget_words();
        let (game, plan) = (&self.game, &self.plan);
        self.vm.clear();
        self.vm.game.history.clear();
        if !marshal::load(game, &plan.bitboard, &plan.layout, position, &mut self.vm) {
            return false;
        }
        self.to_move = position.to_move();
        self.opening = position.opening().unwrap_or(game.opening.len() as u32);
        self.outcome = position.outcome();
        let (sets, numbers) = self.program.position_regs;
        self.loaded = Loaded {
            sets: self.vm.sets[..sets].to_vec(),
            numbers: self.vm.numbers[..numbers].to_vec(),
            to_move: self.to_move,
            opening: self.opening,
            turns: 0,
            outcome: self.outcome,
            suspended: Flags::default(),
            history: (0, 0),
        };
        (self.turns, self.plies, self.suspended) = (0, 0, Flags::default());
        self.record_position();
        self.loaded.history = self.vm.game.history.lengths();
        true
    }

    fn restart(&mut self) {
        let (sets, numbers) = self.program.position_regs;
        self.vm.clear();
        self.forget_words();
        self.vm.game.history.truncate(self.loaded.history);
        self.vm.sets[..sets].copy_from_slice(&self.loaded.sets);
        self.vm.numbers[..numbers].copy_from_slice(&self.loaded.numbers);
        (self.to_move, self.opening) = (self.loaded.to_move, self.loaded.opening);
        (self.turns, self.outcome) = (self.loaded.turns, self.loaded.outcome);
        (self.plies, self.suspended) = (0, self.loaded.suspended);
        self.vm.game.next_to_move = self.next_to_move();
    }

    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus, max_turns: u64) -> Result<Playout, Fault> {
        let (mut choices, begun) = (TurnCount::default(), rng.clone());
        let played = self.with_rng(rng, |board| {
            while board.outcome.is_none() && board.turns < max_turns {
                choices += board.play_drawn(max_turns - board.turns - 1)?.unwrap_or_default();
                choices += board.vm.turn.chain.choices;
            }
            Ok(())
        });
        self.vm.turn.chain = TurnChain::default();
        if let Err(fault) = played {
            self.go_back_to(self.turns, &begun);
            return Err(fault);
        }
        let plies = if self.program.carry.is_some() { self.plies } else { self.turns };
        Ok(Playout { outcome: self.outcome, turns: self.turns, plies, choices })
    }

    fn step(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<(), Fault> {
        self.with_rng(rng, |board| board.play_drawn(0).map(drop))
    }

    fn draw_costs(&mut self, rng: &mut Xoshiro256PlusPlus, turns: u32, most_work: u64) -> Vec<DrawCost> {
        self.measured_draws(rng, turns, most_work)
    }

    fn turns(&mut self) -> Result<Vec<Turn>, Fault> {
        if self.outcome.is_some() {
            return Ok(Vec::new());
        }
        let begun = (self.vm.sets.clone(), self.vm.numbers);
        let mut ends = Vec::new();
        let program = self.annotated();
        self.vm.turn.flags = Flags::default();
        self.vm.choice_log.enabled = true;
        self.vm.choice_log.entries.clear();
        self.vm.turn.work = 0;
        let event = self.vm.run(&program, self.entry(&program));
        let explored = self.vm.explore_best(&program, event, |vm| {
            ends.push((vm.sets.clone(), vm.numbers, vm.turn.flags, vm.choice_log.entries.clone()));
        });
        self.vm.choice_log.enabled = false;
        explored?;
        let (to_move, opening, turns, outcome) = (self.to_move, self.opening, self.turns, self.outcome);
        let history = self.vm.game.history.clone();
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for (sets, numbers, flags, told) in ends {
            (self.vm.sets, self.vm.numbers, self.vm.turn.flags) = (sets, numbers, flags);
            let ended = self.end_turn();
            let written = marshal::written(&self.plan.bitboard, &told);
            let after = self.position();
            if self.plan.ambiguity.is_none() || seen.insert((written.clone(), after.fingerprint())) {
                found.push(Turn { written, after, outcome: self.outcome });
            }
            (self.to_move, self.opening, self.turns, self.outcome) = (to_move, opening, turns, outcome);
            self.vm.game.history = history.clone();
            ended?;
        }
        self.vm.forget_probed();
        (self.vm.sets, self.vm.numbers) = begun;
        self.vm.game.next_to_move = self.next_to_move();
        Ok(found)
    }

    fn perft(&mut self, depth: u32, past_draws: bool) -> Result<u64, Fault> {
        let program = self.program.clone();
        let (sets, numbers) = self.program.position_regs;
        let begun = (self.vm.sets[..sets].to_vec(), self.vm.numbers[..numbers].to_vec());
        let (before, lengths) =
            ((self.to_move, self.opening, self.turns, self.outcome), self.vm.game.history.lengths());
        self.vm.ask_outcomes(&program, false, !past_draws);
        let notes = std::mem::replace(&mut self.records, self.records_for_turns);
        let counted = self.sequences(&program, depth);
        self.records = notes;
        self.vm.clear();
        self.vm.ask_all_outcomes(&program);
        self.vm.sets[..sets].copy_from_slice(&begun.0);
        self.vm.numbers[..numbers].copy_from_slice(&begun.1);
        (self.to_move, self.opening, self.turns, self.outcome) = before;
        self.vm.game.history.truncate(lengths);
        self.vm.game.next_to_move = self.next_to_move();
        counted
    }

    fn wins_at_once(&mut self) -> Result<bool, Fault> {
        self.wins_at_once()
    }

    fn position(&self) -> Position {
        let (game, plan) = (&self.game, &self.plan);
        marshal::position(game, &plan.bitboard, &plan.layout, &self.vm, (self.to_move, self.opening), &self.empty)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn export_state(&mut self, hand: &mut GameState) {
        self.export_state(hand);
    }

    fn import_state(&mut self, hand: &mut GameState) {
        self.import_state(hand);
    }

    fn evaluate_end_after(&mut self, before: Player, stuck: Option<Player>) -> Result<(), Fault> {
        self.evaluate_end_after(before, stuck)
    }

    fn one_turn(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<TurnCount>, Fault> {
        self.one_turn(rng)
    }

    fn traced_turn(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<TracedTurn>, Fault> {
        self.traced_turn(rng)
    }

    fn traced_parts(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<Vec<TracedPart>>, Fault> {
        self.traced_parts(rng)
    }

    fn snapshot(&self) -> Snapshot {
        self.snapshot()
    }

    fn enter(&mut self, state: &Snapshot) {
        self.enter(state);
    }

    fn history(&mut self) -> &mut RepetitionTable {
        &mut self.vm.game.history
    }

    fn list(&mut self, extent: Extent, each: &mut dyn FnMut(LentMove<'_>)) -> Result<(), Fault> {
        self.list(extent, each)
    }

    fn play_path(&mut self, path: &[u32]) -> Result<bool, Fault> {
        self.play_path(path)
    }

    fn written(&self) -> Vec<Written> {
        self.written()
    }

    fn cell_turns(&mut self, turns: &mut CellTurns) -> Result<bool, Fault> {
        self.cell_turns(turns)
    }

    fn play_cell(&mut self, turns: &CellTurns, bit: usize, path: &mut Vec<u32>) -> Result<bool, Fault> {
        self.play_cell(turns, bit, path)
    }

    fn has_only_cell_turns(&self) -> bool {
        self.has_only_cell_turns
    }

    fn places(&self) -> Places<'_> {
        Places { words: W, bitboard: &self.plan.bitboard, position: &self.plan.layout }
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn chooser(&self) -> Option<Player> {
        self.chooser()
    }

    fn is_chance_next(&mut self) -> Result<bool, Fault> {
        self.is_chance_next()
    }
}

impl<const W: usize> ScalarSession<W> {
    pub fn export_state(&mut self, hand: &mut GameState) {
        let (sets, numbers) = self.program.shared_regs;
        hand.sets.clear();
        hand.sets.extend(self.vm.sets[..sets].as_flattened().iter().copied());
        hand.numbers.clear();
        hand.numbers.extend_from_slice(&self.vm.numbers[..numbers]);
        (hand.to_move, hand.opening, hand.turns, hand.outcome) = (self.to_move, self.opening, self.turns, self.outcome);
        (hand.plies, hand.suspended) = (self.plies, self.suspended);
        std::mem::swap(&mut hand.history, &mut self.vm.game.history);
    }

    pub fn import_state(&mut self, hand: &mut GameState) {
        self.vm.clear();
        for (set, words) in self.vm.sets.iter_mut().zip(hand.sets.chunks_exact(W)) {
            set.copy_from_slice(words);
        }
        self.vm.numbers[..hand.numbers.len()].copy_from_slice(&hand.numbers);
        (self.to_move, self.opening, self.turns, self.outcome) = (hand.to_move, hand.opening, hand.turns, hand.outcome);
        (self.plies, self.suspended) = (hand.plies, hand.suspended);
        std::mem::swap(&mut hand.history, &mut self.vm.game.history);
        self.vm.game.next_to_move = self.next_to_move();
    }

    pub fn evaluate_end_after(&mut self, before: Player, stuck: Option<Player>) -> Result<(), Fault> {
        self.evaluate_end(self.program.code.entries[before.index()].end, stuck)
    }

    pub fn one_turn(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<TurnCount>, Fault> {
        self.with_rng(rng, |board| board.play_drawn(0))
    }
}
