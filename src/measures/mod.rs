//! Measures of games: results of played games go in; statistics, and what the literature measures games by, come out.
//!
//! docs/measures.md defines each of them, with its source.

pub mod statistics;
