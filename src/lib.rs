//! Lusoria: a small language for the rules of board games, and one interpreter that runs any game written in it.

pub mod batch;
pub mod board;
pub mod check;
pub mod cli;
pub mod engine;
pub mod game;
pub mod ir;
pub mod model;
pub mod notation;
pub mod plain;
pub mod position;
pub mod render;
pub mod report;
pub mod shipped;
pub mod source;
pub mod syntax;

pub use game::{Error, Game, LoadError, Move, Outcome, Position};
