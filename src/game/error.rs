//! Errors of the library: why a text is no game, and what can go wrong with one that was loaded.

use std::fmt;

use crate::check::{Mistake, Severity};
use crate::notation::NotationError;
use crate::position::Fault;
use crate::reference::SetupError;
use crate::report::Notice;
use crate::source::Sources;

/// Why a text is no game: its mistakes, and the texts that they stand in.
#[derive(Clone, Debug)]
pub struct LoadError {
    pub mistakes: Vec<Mistake>,
    pub sources: Sources,
}

impl LoadError {
    /// The errors alone, as data: code, place, words and what would mend them.
    pub fn errors(&self) -> impl Iterator<Item = Notice> + '_ {
        self.mistakes.iter().filter(|mistake| mistake.severity() == Severity::Error).map(Notice::from)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, notice) in self.errors().enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            write!(f, "{end}{}: {}", self.sources.place(notice.span), notice.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}

/// What can go wrong with a game that was loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The rules have no answer; see the language reference, "Bounds and faults".
    #[error("{place}: {fault} (position: {position})")]
    Fault { fault: Fault, place: String, position: String },
    #[error(transparent)]
    Setup(SetupError),
    /// A position or a move that cannot be read.
    #[error("{}", .0.message())]
    Notation(NotationError),
    /// Neither the solver nor the protocol knows games that chance plays in.
    #[error("chance plays in this game, which exact values and the protocol of `engine` do not know")]
    Chance,
    /// The move is not one of the position's.
    #[error("this is not a move of the position")]
    NotAMove,
}

/// A list of moves stopped: which of them was not played, and why.
#[derive(Clone, Debug, thiserror::Error)]
#[error("ply {ply}, `{text}`: {error}; {}", .over.as_deref().unwrap_or(.position))]
pub struct MovesError {
    /// The place of the move in the list, from 1.
    pub ply: usize,
    pub text: String,
    /// The position before it, to which the moves before it led.
    pub position: String,
    /// How the game came out, if it was over in that position: see
    /// [`Position::outcome_text`](crate::Position::outcome_text).
    pub over: Option<String>,
    pub error: Error,
}
