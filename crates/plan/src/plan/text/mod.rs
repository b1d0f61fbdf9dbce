//! Textual form: a plan or linear code goes in and its text comes out, or the other way round.
//!
//! A text is complete: what is read back equals what was printed. `docs/plan-text.md` describes it.

pub mod attributes;
pub mod code;
pub mod names;
pub mod operation;
pub mod parse;
pub mod scanner;
pub mod tables;
pub mod template;
pub mod tree;
pub mod word;
