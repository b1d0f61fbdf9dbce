//! Players: a position goes in; a move, and what is thought of it, comes out. They know the library's
//! front alone, so they play any game that is written.
//!
//! There is no clock here: whoever asks for a move says when to stop.

mod alphabeta;
mod bounds;
mod evaluation;
mod mcts;
mod proof;
mod retrograde;
#[doc(hidden)]
pub mod simple;
mod solver;
mod symmetry;
mod table;
#[cfg(test)]
mod tests;
pub mod tune;

pub use crate::player::alphabeta::{Ahead, AlphaBeta, AlphaBetaOptions};
pub use crate::player::evaluation::{Evaluation, Weights};
pub use crate::player::mcts::{Analysis, Line, Mcts, Options, Progress};
pub use crate::player::proof::ProofSearch;
pub use crate::player::retrograde::Retrograde;
pub use crate::player::solver::{Solution, Solver, Value};

/// Values are those of players who choose everything.
fn expect_no_chance(position: &crate::game::Position) -> Result<(), crate::game::Error> {
    if position.game().model().asks.chance { Err(crate::game::Error::Chance) } else { Ok(()) }
}
