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

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod draw;
#[doc(hidden)]
pub mod editor;
mod game;
#[doc(hidden)]
pub mod import;
#[doc(hidden)]
pub mod measures;
#[doc(hidden)]
pub mod notation;
pub mod player;
#[doc(hidden)]
pub mod render;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod shipped;

#[doc(hidden)]
pub use lusoria_batch::batch;
pub(crate) use lusoria_core::sort;
#[doc(hidden)]
pub use lusoria_core::{board, model, position, source};
#[doc(hidden)]
pub use lusoria_engine::interp;
#[doc(hidden)]
pub use lusoria_frontend::{check, syntax};
#[doc(hidden)]
pub use lusoria_plan::plan;
#[doc(hidden)]
pub use lusoria_reference::reference;

pub use board::{Cell, Player};
pub use check::{Library, Mistake, ParamValue, Settings, Severity};
pub use draw::Picture;
pub use game::{
    Boards, Change, Compared, Coverage, CoverageRun, CoveredFile, CoveredRule, Declared, Error, Exercise,
    FailedExample, Game, Known, LoadError, Move, MovesError, Near, Outcome, Parting, Playout, Position, Reason,
    Rollouts, RuleKind, RuleSheet, SheetLine, SheetPart, Split, Tally, Trace, TraceStep, Why,
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
