//! Notation: positions and moves as text, both ways. A position, or the moves that can be made in
//! it, and a text go in and out.

mod alias;
mod board;
mod error;
mod foreign;
mod men;
mod moves;
mod order;
mod partial;
mod picture;
mod position;
mod read;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use crate::notation::alias::meant_cells;
pub use crate::notation::alias::parse_alias;
pub use crate::notation::board::board_text;
pub(crate) use crate::notation::board::{run_text, stack_text};
pub use crate::notation::error::{NotationError, NotationErrorKind};
pub use crate::notation::foreign::{FORMAT_NOTES, Formats, Sgf, Translated, points, translate};
pub(crate) use crate::notation::foreign::{read_san, write_san};
pub use crate::notation::men::man_text;
pub use crate::notation::moves::{WrittenMove, choices_text, ply_texts, turn_text};
pub(crate) use crate::notation::order::{order, order_key};
pub use crate::notation::partial::MoveSource;
pub(crate) use crate::notation::picture::hexagon_line;
pub use crate::notation::position::{parse_position, position_text};
pub use crate::notation::read::parse_ply;
pub(crate) use crate::notation::read::{agreement, near_moves};
