//! Measures of games: results of played games go in; statistics, and what the literature measures games by, come out.
//!
//! docs/measures.md defines each of them, with its source.

pub mod findings;
pub mod games;
pub mod page;
mod plots;
pub mod quality;
pub mod statistics;
pub mod study;
mod style;
