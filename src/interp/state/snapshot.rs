//! A game in the middle of play, as it goes from one executor to another between two turns.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Player;
use crate::interp::state::repetition::RepetitionTable;
use crate::interp::{Board, TurnCount};
use crate::position::{Fault, Outcome};

/// A game between two turns: the registers that all programs share, and what stands beside them.
#[derive(Clone, Debug, Default)]
pub struct GameState {
    /// Shared set registers one after the other, as many words each as the board has.
    pub sets: Vec<u64>,
    pub numbers: Vec<i64>,
    pub to_move: Player,
    /// How many turns of the opening are over.
    pub opening: u32,
    pub turns: u64,
    pub outcome: Option<Outcome>,
    pub history: RepetitionTable,
}

impl<const W: usize> Board<W> {
    pub(crate) fn hand_out(&mut self, hand: &mut GameState) {
        let (sets, numbers) = self.code.shared;
        hand.sets.clear();
        hand.sets.extend(self.machine.sets[..sets].iter().flatten());
        hand.numbers.clear();
        hand.numbers.extend_from_slice(&self.machine.numbers[..numbers]);
        (hand.to_move, hand.opening, hand.turns, hand.outcome) = (self.to_move, self.opening, self.turns, self.outcome);
        std::mem::swap(&mut hand.history, &mut self.machine.history);
    }

    pub(crate) fn take_over(&mut self, hand: &mut GameState) {
        self.machine.clear();
        for (set, words) in self.machine.sets.iter_mut().zip(hand.sets.chunks_exact(W)) {
            set.copy_from_slice(words);
        }
        self.machine.numbers[..hand.numbers.len()].copy_from_slice(&hand.numbers);
        (self.to_move, self.opening, self.turns, self.outcome) = (hand.to_move, hand.opening, hand.turns, hand.outcome);
        std::mem::swap(&mut hand.history, &mut self.machine.history);
        self.machine.next_to_move = self.next_to_move();
    }

    pub(crate) fn judge_after(&mut self, before: Player, stuck: Option<Player>) -> Result<(), Fault> {
        self.judge(self.code.linked.entries[before.index()].end, stuck)
    }

    pub(crate) fn one_turn(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<TurnCount>, Fault> {
        self.with_lot(rng, |board| board.play_drawn(0))
    }
}
