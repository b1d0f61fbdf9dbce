//! Examples: what a rules file claims of its own positions, as texts.

use crate::source::Span;

/// `example "T" { ... }`: claims, in order.
#[derive(Clone, Debug)]
pub struct Example {
    pub title: String,
    pub span: Span,
    pub claims: Vec<(Claim, Span)>,
}

/// A step of an example, or what must hold where it has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Goes on from this position.
    Position(String),
    /// Makes these moves.
    Play(Vec<String>),
    /// These are legal moves; `only`: there are no others.
    Legal {
        only: bool,
        moves: Vec<String>,
    },
    Illegal(Vec<String>),
    /// What the last move has caught, by the names of the cells.
    Caught(Vec<String>),
    /// The position is this one.
    Gives(String),
    /// Numbers of sequences of turns, from one turn on.
    Perft(Vec<i64>),
    /// Exactly these have won.
    Wins(Vec<String>),
    Draw,
    GoesOn,
}
