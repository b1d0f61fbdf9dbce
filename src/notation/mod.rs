//! Positions and moves as text, both ways: a position, or the moves that can be made in it, and a text go in and out.

mod begun;
mod board;
mod error;
mod men;
mod moves;
mod position;
mod read;
#[cfg(test)]
pub(crate) mod tests;

pub use begun::Steps;
pub use board::board_text;
pub(crate) use board::stack_text;
pub use error::{NotationError, NotationErrorKind};
pub use men::man_text;
pub use moves::{Said, choices_text, ply_texts, turn_text};
pub use position::{parse_position, position_text};
pub use read::parse_ply;
