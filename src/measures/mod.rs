//! Measures of games: results of played games go in; statistics, and what the literature measures games by, come out.
//!
//! docs/measures.md defines each of them, with its source.

pub mod contest;
pub mod counts;
pub mod details;
pub mod experiment;
pub mod findings;
pub mod games;
pub mod gathered;
pub mod material;
pub mod page;
pub mod playouts;
mod plots;
pub mod quality;
pub mod statistics;
pub mod study;
mod style;
pub mod tally;
