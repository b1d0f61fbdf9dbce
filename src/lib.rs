//! Lusoria: a small language for the rules of board games, and one interpreter that runs any game
//! written in it.
//!
//! [`Game`] is a set of rules that was checked, [`Position`] a game as it is being played, [`Move`]
//! what a player can do. These and the types that they speak of are the library.
//!
//! ```
//! let game = lusoria::Game::shipped("breakthrough").expect("it is shipped");
//! let mut position = game.start(0)?;
//! let moves = position.legal_moves()?;
//! assert_eq!(moves.len(), 22);
//! position.play(&moves[0])?;
//! assert_eq!(position.to_move(), "Black");
//! # Ok::<(), lusoria::Error>(())
//! ```
//!
//! The modules behind it can be reached by the tests, benches and the command line of this package.
//! They are not documented here and may change with each version; `docs/architecture.md` describes
//! them.

#[doc(hidden)]
pub mod batch;
#[doc(hidden)]
pub mod board;
#[doc(hidden)]
pub mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod game;
#[doc(hidden)]
pub mod interp;
#[cfg(target_arch = "x86_64")]
mod jit;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod notation;
#[doc(hidden)]
pub mod plan;
pub mod player;
#[doc(hidden)]
pub mod position;
#[doc(hidden)]
pub mod reference;
#[doc(hidden)]
pub mod render;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod shipped;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 has vectors here"))]
mod simd;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 has vectors here"))]
mod simt;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod syntax;

pub use board::{Cell, Player};
pub use check::{Library, Mistake, ParamValue, Settings, Severity};
pub use game::{
    Change, Error, FailedExample, Game, LoadError, Move, MovesError, Outcome, Playout, Position, Rollouts, Tally,
};
pub use notation::{NotationError, NotationErrorKind};
pub use position::{Fault, FaultKind, Man};
pub use reference::SetupError;
pub use report::Notice;
pub use shipped::Shipped;
pub use source::{Source, Sources, Span};

/// The examples of the pages run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/library.md")]
struct Pages;
