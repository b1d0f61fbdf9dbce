//! Textual form: a plan or linear code goes in and its text comes out, or the other way round.
//!
//! A text is complete: what is read back equals what was printed. `docs/plan-text.md` describes it.

pub(crate) mod attributes;
pub(crate) mod code;
pub(crate) mod names;
pub(crate) mod operation;
pub(crate) mod parse;
pub(crate) mod scanner;
pub(crate) mod tables;
pub(crate) mod template;
#[cfg(test)]
mod tests;
pub(crate) mod tree;
pub(crate) mod word;
