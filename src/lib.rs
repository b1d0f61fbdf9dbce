//! Lusoria: a small language for the rules of board games, and one interpreter that runs any game
//! written in it.

pub mod batch;
pub mod board;
pub mod check;
pub mod cli;
pub mod game;
pub mod interp;
pub mod jit;
pub mod model;
pub mod notation;
pub mod plan;
pub mod position;
pub mod reference;
pub mod render;
pub mod report;
pub mod shipped;
pub mod simd;
pub mod simt;
pub mod source;
pub mod syntax;

pub use game::{Error, Game, LoadError, Move, Outcome, Position};
