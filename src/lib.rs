//! Lusoria: a small language for the rules of board games, and one interpreter that runs any game
//! written in it.

pub mod batch;
pub mod board;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod game;
pub mod interp;
#[cfg(target_arch = "x86_64")]
pub mod jit;
pub mod model;
pub mod notation;
pub mod plan;
pub mod position;
pub mod reference;
pub mod render;
pub mod report;
pub mod shipped;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 has vectors here"))]
pub mod simd;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 has vectors here"))]
pub mod simt;
pub mod source;
pub mod syntax;

pub use game::{Error, Game, LoadError, Move, MovesError, Outcome, Position};
