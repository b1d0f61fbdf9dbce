//! Core of Lusoria: what a game is once its rules are checked. It is a part of the package `lusoria`
//! and may change with each version.

pub mod board;
pub mod model;
pub mod position;
pub mod sort;
pub mod source;
