//! Rendering: a position goes in; a drawing of its board comes out, as text.

mod canvas;
pub(crate) mod grid;
#[cfg(test)]
mod tests;
mod text;

pub use crate::render::text::{Paint, board_drawing};
