//! Facade: a text goes in; games, positions, moves and outcomes come out, by name and in words.
//!
//! It is all that the library promises. The modules behind it are hidden from its documentation, and
//! change with each version.

mod body;
mod compare;
mod coverage;
mod error;
mod examples;
mod moves;
mod node;
mod parted;
mod pictures;
mod position;
mod rollouts;
mod shared;
mod sheet;
#[cfg(test)]
mod tests;
mod trace;
mod why;
mod wording;

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::batch;
use crate::board::Player;
use crate::check;
use crate::check::{Library, Settings};
use crate::game::body::{Body, Stepper};
use crate::game::shared::Shared;
use crate::interp::{Engine, Session};
use crate::model;
use crate::notation;
use crate::notation::NotationError;
use crate::plan::Unplanned;
use crate::position::Fault;
use crate::reference::{Executor, Setup, SetupError};
use crate::shipped::Shipped;
use crate::source::Source;

pub use crate::game::compare::{Boards, Compared, Declared, Parting, Split};
pub use crate::game::coverage::{Coverage, CoverageRun, CoveredFile, CoveredRule, Exercise, RuleKind};
pub use crate::game::error::{Error, LoadError, MovesError};
pub use crate::game::examples::FailedExample;
pub use crate::game::moves::{Change, Move};
pub use crate::game::position::{Outcome, Playout, Position};
pub use crate::game::rollouts::{Rollouts, Tally};
pub use crate::game::sheet::{RuleSheet, SheetLine, SheetPart};
pub use crate::game::trace::{Trace, TraceStep};
pub use crate::game::why::{Near, Reason, Why};
pub use crate::game::wording::Known;

/// A game that can be played: rules that were checked. Cheap to clone.
///
/// ```
/// let game = lusoria::Game::from_source(
///     r#"game "Tiny" {
///          players White, Black
///          board square 3 by 3
///          piece stone
///          move { pick c from empty   place stone on c }
///          end { win if some segments(own, straight, 3)   draw if no empty }
///        }"#,
/// )?;
/// assert_eq!(game.title(), "Tiny");
/// assert_eq!(game.start(0)?.legal_moves()?.len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    shared: Arc<Shared>,
}

impl Game {
    /// A game from its text; what it extends is looked for among the shipped games.
    ///
    /// # Errors
    /// All mistakes of the text.
    pub fn from_source(text: &str) -> Result<Game, LoadError> {
        Game::load(Source::new("game.rules", text), &Shipped, &Settings::default())
    }

    /// A shipped game by its file's stem or its title, `fanorona`; a variant behind a colon,
    /// `fanorona:telo`.
    ///
    /// ```
    /// let telo = lusoria::Game::shipped("fanorona:telo").expect("it is shipped");
    /// assert_eq!(telo.name(), "Fanorona Telo");
    /// ```
    pub fn shipped(name: &str) -> Option<Game> {
        let (game, variant) = match name.split_once(':') {
            Some((game, variant)) => (game, Some(variant.to_string())),
            None => (name, None),
        };
        let settings = Settings { variant, params: Vec::new() };
        Game::load(Shipped.named(game)?.source, &Shipped, &settings).ok()
    }

    /// A game from a source, with a library to find what it extends, a variant and values of
    /// params.
    ///
    /// # Errors
    /// All mistakes of the text.
    pub fn load(source: Source, library: &dyn Library, settings: &Settings) -> Result<Game, LoadError> {
        let loaded = check::load(source, library, settings);
        match loaded.game {
            Some(model) => {
                let formats = notation::Formats::new(&model, &loaded.notes);
                Ok(Game { shared: Arc::new(Shared::new(Arc::new(model), Arc::new(formats), true)) })
            }
            None => Err(LoadError { mistakes: loaded.mistakes, sources: loaded.sources }),
        }
    }

    /// The title of the file's game.
    pub fn title(&self) -> &str {
        &self.model().title
    }

    /// The title of the variant, or of the game if it is none.
    pub fn name(&self) -> &str {
        self.model().name()
    }

    /// The players' names, in turn order: that of a [`Player`] stands at his index.
    pub fn players(&self) -> Vec<&str> {
        self.model().seats.iter().map(|seat| seat.name.as_str()).collect()
    }

    /// A player's name.
    pub fn player_name(&self, player: Player) -> &str {
        &self.model().player(player).name
    }

    /// A cell's name, `a1`.
    pub fn cell_name(&self, cell: crate::board::Cell) -> &str {
        self.model().topology.name(cell)
    }

    /// The rules as resolved.
    pub fn model(&self) -> &model::Game {
        &self.shared.model
    }

    /// The game ready to be played by its plan, made when it is first asked for. Bounds by which many turns are drawn in vain are
    /// left out, and these turns gone through.
    ///
    /// # Errors
    /// What has no plan.
    pub fn engine(&self) -> Result<Engine, Unplanned> {
        self.shared.planned().clone()
    }

    /// Whether positions are played by a plan, which is faster than the reference executor. The
    /// first answer makes the plan: that takes some milliseconds.
    pub fn is_planned(&self) -> bool {
        self.shared.engine().is_some()
    }

    /// The same game, whose positions the reference executor plays: slower, and at once, without a
    /// plan to be made. Results are the same.
    pub fn without_plan(&self) -> Game {
        Game { shared: Arc::new(Shared::new(self.shared.model.clone(), self.shared.formats.clone(), false)) }
    }

    /// The same game, whose positions a plan plays where it has one.
    pub fn with_plan(&self) -> Game {
        Game { shared: Arc::new(Shared::new(self.shared.model.clone(), self.shared.formats.clone(), true)) }
    }

    /// The position that play begins with. Where the set-up is drawn by chance, the seed decides
    /// it.
    ///
    /// # Errors
    /// A fault of the set-up, or a set-up that cannot be completed.
    pub fn start(&self, seed: u64) -> Result<Position, Error> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.set_up(Setup::Random(&mut rng))
    }

    /// The position with this number among the set-ups, from 0.
    ///
    /// # Errors
    /// As [`Game::start`]; a number that is too large.
    pub fn start_numbered(&self, number: u64) -> Result<Position, Error> {
        self.set_up(Setup::Number(number))
    }

    fn set_up(&self, setup: Setup<'_>) -> Result<Position, Error> {
        match Executor::new().start(self.model(), setup) {
            Ok(state) => Ok(self.begun(state)),
            Err(SetupError::Fault(fault)) => Err(self.fault(fault, String::from("none"))),
            Err(error) => Err(Error::Setup(error)),
        }
    }

    /// A position from its text, as [`Position`] prints it, or as another program does of which the
    /// rules say how it writes positions. Its history begins with it. It may be over: `end` is asked
    /// as if the player of the seat before had just moved.
    ///
    /// ```
    /// let chess = lusoria::Game::shipped("chess").expect("it is shipped");
    /// let position = chess.position("4k3/8/8/8/8/8/8/4K2R w K - 3 40")?;
    /// assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/4K2R White unmoved=e1+h1 quiet=3");
    /// # Ok::<(), lusoria::Error>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn position(&self, text: &str) -> Result<Position, Error> {
        match self.own_position(text) {
            Err(Error::Notation(error)) => self.foreign_position(text).unwrap_or(Err(Error::Notation(error))),
            read => read,
        }
    }

    /// The position of another program; `None`: the rules know no such text.
    fn foreign_position(&self, text: &str) -> Option<Result<Position, Error>> {
        let empty = Executor::new().empty(self.model()).ok()?;
        let read = match notation::translate(self.model(), &self.shared.formats, &empty, text)? {
            Ok(read) => read,
            Err(error) => return Some(Err(Error::Notation(error))),
        };
        let plain = match self.own_position(&read.text) {
            // The text that it speaks of is not the one that was given.
            Err(Error::Notation(error)) => Err(Error::Notation(NotationError { span: read.board, ..error })),
            other => other,
        };
        let Some(key) = read.if_it_adds else { return Some(plain) };
        Some(plain.and_then(|plain| {
            let with = self.own_position(&format!("{} {key}", read.text))?;
            let adds = with.legal_moves()?.len() > plain.legal_moves()?.len();
            Ok(if adds { with } else { plain })
        }))
    }

    /// What is wrong with what the rules say of other programs: the note, and why.
    #[doc(hidden)]
    pub fn format_mistakes(&self) -> Vec<(&'static str, &str)> {
        self.shared.formats.mistakes()
    }

    /// How SGF writes this game.
    #[doc(hidden)]
    pub fn sgf(&self) -> notation::Sgf {
        self.shared.formats.sgf(self.model())
    }

    fn own_position(&self, text: &str) -> Result<Position, Error> {
        let mut executor = Executor::new();
        let empty = executor.empty(self.model()).map_err(|fault| self.fault(fault, text.to_string()))?;
        let mut steps = Stepper { game: self.model(), executor: &mut executor };
        let mut state = notation::parse_position(self.model(), &empty, &mut steps, text).map_err(Error::Notation)?;
        executor.judge_read(self.model(), &mut state);
        Ok(self.begun(state))
    }

    /// A position that play begins with.
    fn begun(&self, mut state: crate::position::Position) -> Position {
        self.shared.ask_stuck(&mut state);
        Position { game: self.clone(), body: Body::new(&self.shared, state) }
    }

    /// What plays many games on one thread, each from state to state. `None`: the reference executor plays it.
    #[doc(hidden)]
    pub fn session(&self) -> Option<Box<dyn Session>> {
        self.shared.engine().map(Engine::runner)
    }

    /// What plays many games together on one thread, each from state to state, with what is chosen in each. `None`: there is
    /// no lock step for the game, or some of its turns are more than the choice of a cell.
    #[doc(hidden)]
    pub fn lock_step(&self) -> Option<Box<dyn batch::LockStep>> {
        self.shared.prepared().and_then(|prepared| prepared.lock_step())
    }

    #[doc(hidden)]
    pub fn fault_at(&self, fault: Fault, at: &crate::position::Position) -> Error {
        self.fault(fault, notation::position_text(self.model(), at))
    }

    fn fault(&self, fault: Fault, position: String) -> Error {
        Error::Fault { fault, place: self.model().sources.place(fault.shown()), position }
    }
}
