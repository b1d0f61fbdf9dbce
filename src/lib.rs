//! Lusoria: a small language for the rules of board games, and one interpreter that runs any game written in it.

pub mod board;
pub mod model;
pub mod plain;
pub mod position;
pub mod source;
pub mod syntax;
