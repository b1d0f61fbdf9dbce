//! Game snapshot: a game between two turns goes from one executor to another.

use crate::board::Player;
use crate::interp::state::repetition::RepetitionTable;
use crate::position::Outcome;

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
