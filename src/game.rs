//! Facade: a text goes in; games, positions, moves and outcomes come out, by name and in words.
//!
//! It is all that the library promises. The modules behind it are hidden from its documentation, and
//! change with each version.

use std::fmt;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::{CellSet, Player};
use crate::check;
use crate::check::{Library, Mistake, Settings, Severity};
use crate::model;
use crate::notation;
use crate::notation::{MoveSource, NotationError, WrittenMove};
use crate::position;
use crate::position::{Fault, Mark, Written};
use crate::reference::{Executor, Limits, PerftOptions, PlayError, Ply, Setup, SetupError};
use crate::render;
use crate::render::Paint;
use crate::report::Notice;
use crate::shipped::Shipped;
use crate::source::{Source, Sources};

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
    model: Arc<model::Game>,
}

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
    /// How the game came out, if it was over in that position: see [`Position::outcome_text`].
    pub over: Option<String>,
    pub error: Error,
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
            Some(model) => Ok(Game { model: Arc::new(model) }),
            None => Err(LoadError { mistakes: loaded.mistakes, sources: loaded.sources }),
        }
    }

    /// The title of the file's game.
    pub fn title(&self) -> &str {
        &self.model.title
    }

    /// The title of the variant, or of the game if it is none.
    pub fn name(&self) -> &str {
        self.model.name()
    }

    /// The players' names, in turn order.
    pub fn players(&self) -> Vec<&str> {
        self.model.seats.iter().map(|seat| seat.name.as_str()).collect()
    }

    /// The rules as resolved.
    pub fn model(&self) -> &model::Game {
        &self.model
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
        let mut executor = Executor::new();
        match executor.start(&self.model, setup) {
            Ok(state) => Ok(Position { game: self.clone(), state, executor, marks: Vec::new() }),
            Err(SetupError::Fault(fault)) => Err(self.fault(fault, String::from("none"))),
            Err(error) => Err(Error::Setup(error)),
        }
    }

    /// A position from its text, as [`Position`] prints it. Its history begins with it. It may be
    /// over: `end` is asked as if the player of the seat before had just moved.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn position(&self, text: &str) -> Result<Position, Error> {
        let mut executor = Executor::new();
        let empty = executor.empty(&self.model).map_err(|fault| self.fault(fault, text.to_string()))?;
        let mut steps = Stepper { game: &self.model, executor: &mut executor };
        let mut state = notation::parse_position(&self.model, &empty, &mut steps, text).map_err(Error::Notation)?;
        executor.judge_read(&self.model, &mut state);
        Ok(Position { game: self.clone(), state, executor, marks: Vec::new() })
    }

    fn fault(&self, fault: Fault, position: String) -> Error {
        Error::Fault { fault, place: self.model.sources.place(fault.shown()), position }
    }
}

/// A position of a game, with what led to it since it was set up or read.
///
/// ```
/// let game = lusoria::Game::shipped("breakthrough").expect("it is shipped");
/// let mut position = game.start(0)?;
/// position.play_text("a2-a3")?;
/// assert_eq!(position.to_string(), "BBBBBBBB/BBBBBBBB/8/8/8/W7/1WWWWWWW/WWWWWWWW Black");
/// position.undo();
/// assert_eq!(position.perft(3)?, 11_132);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Position {
    game: Game,
    state: position::Position,
    executor: Executor,
    /// What takes back each ply played.
    marks: Vec<Mark>,
}

/// A legal move: a ply, which is a whole turn unless the rules cut their turns into plies. It
/// prints as its notation.
#[derive(Clone, Debug)]
pub struct Move {
    ply: Ply,
    text: String,
}

impl Move {
    /// It completes the turn.
    pub fn ends_turn(&self) -> bool {
        self.ply.ends_turn
    }

    /// The ply as the executor made it.
    pub fn ply(&self) -> &Ply {
        &self.ply
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Names of players; none is a draw.
    pub winners: Vec<String>,
    /// Which outcome of the game's `end` decided, from 0.
    pub by: usize,
}

impl Position {
    /// The game that it is a position of.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The state behind it, for the other stages.
    pub fn state(&self) -> &position::Position {
        &self.state
    }

    /// The player whose turn it is.
    pub fn to_move(&self) -> &str {
        self.seat(self.state.to_move())
    }

    /// Who chooses the next ply: another than the player whose turn it is where the rules say `by`.
    pub fn chooser(&self) -> &str {
        self.seat(self.state.chooser())
    }

    fn seat(&self, player: Player) -> &str {
        &self.game.model.player(player).name
    }

    /// The legal moves, each once, in a fixed order; none if the game is over. Their texts differ
    /// from each other.
    ///
    /// # Errors
    /// A fault of the rules, such as a player who is stuck without an outcome.
    pub fn legal_moves(&mut self) -> Result<Vec<Move>, Error> {
        let plies = self.plies()?;
        let texts = notation::ply_texts(&self.game.model, &plies);
        Ok(plies.into_iter().zip(texts).map(|(ply, text)| Move { ply, text }).collect())
    }

    fn plies(&mut self) -> Result<Vec<Ply>, Error> {
        let listed = self.executor.plies(&self.game.model, &mut self.state);
        listed.map_err(|fault| self.fault(fault))
    }

    /// The whole turns, each once, whether the rules cut them into plies or not.
    ///
    /// # Errors
    /// As [`Position::legal_moves`]; more than a million turns are a fault.
    pub fn legal_turns(&mut self) -> Result<Vec<Move>, Error> {
        let turns = self.executor.turns(&self.game.model, &mut self.state).map_err(|fault| self.fault(fault))?;
        let texts = notation::ply_texts(&self.game.model, &turns);
        Ok(turns.into_iter().zip(texts).map(|(ply, text)| Move { ply, text }).collect())
    }

    /// Plays a move that was listed for this position.
    ///
    /// # Errors
    /// [`Error::NotAMove`] if it can be seen not to be one of this position; then the position is
    /// as before. A move of another position that happens to fit is played.
    pub fn play(&mut self, played: &Move) -> Result<(), Error> {
        match self.executor.play(&self.game.model, &mut self.state, &played.ply) {
            Ok(mark) => {
                self.marks.push(mark);
                Ok(())
            }
            Err(PlayError::Fault(fault)) => Err(self.fault(fault)),
            Err(PlayError::NotAMove) => Err(Error::NotAMove),
        }
    }

    /// Plays the move that a text means; a blank or `-` does for any joint, if it tells. A pass
    /// before it may be left out where it is the only move; [`Position::undo`] takes back both.
    ///
    /// ```
    /// let game = lusoria::Game::shipped("othello").expect("it is shipped");
    /// let mut position = game.position("BW6/8/8/8/8/8/8/1WBBBBBB White")?;
    /// assert_eq!(position.legal_moves()?[0].to_string(), "pass");
    /// position.play_text("a1")?;
    /// # Ok::<(), lusoria::Error>(())
    /// ```
    ///
    /// # Errors
    /// A text that means none of the legal moves, or several; then the position is as before.
    pub fn play_text(&mut self, text: &str) -> Result<(), Error> {
        let begun = self.marks.len();
        let mut played = self.play_text_now(text);
        for _ in 0..self.game.players().len() {
            let is_unknown = matches!(&played, Err(Error::Notation(error)) if error.is_unknown_move());
            if !is_unknown || !self.play_only_pass().unwrap_or(false) {
                break;
            }
            // If it is none behind the pass either, the first error tells what could be played.
            played = self.play_text_now(text).or(played);
        }
        match &played {
            Ok(()) => self.marks.truncate(begun + 1),
            Err(_) => while self.marks.len() > begun && self.undo() {},
        }
        played
    }

    fn play_text_now(&mut self, text: &str) -> Result<(), Error> {
        let plies = self.plies()?;
        let at = match notation::parse_ply(&self.game.model, &plies, text) {
            Err(error) if error.is_unknown_move() => self.aliased(&plies, text).unwrap_or(Err(error)),
            parsed => parsed,
        };
        let ply = plies.into_iter().nth(at.map_err(Error::Notation)?).ok_or(Error::NotAMove)?;
        self.play(&Move { ply, text: text.to_string() })
    }

    /// The place of the ply that a text means by an alias of the rules.
    fn aliased(&mut self, plies: &[Ply], text: &str) -> Option<Result<usize, NotationError>> {
        let is_asked = !self.game.model.aliases.is_empty() && self.state.begun().is_empty();
        let aliases = is_asked.then(|| self.executor.aliases(&self.game.model, &mut self.state))?;
        notation::parse_alias(&self.game.model, plies, &aliases, text)
    }

    /// Passes, if that is the only move; whether it was.
    fn play_only_pass(&mut self) -> Result<bool, Error> {
        let plies = self.plies()?;
        match plies.as_slice() {
            [ply] if ply.written == [Written::Pass] => {
                self.play(&Move { ply: ply.clone(), text: String::new() })?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Plays moves one after the other, each as [`Position::play_text`] does.
    ///
    /// # Errors
    /// The first that cannot be played; those before it are played.
    pub fn play_moves<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) -> Result<(), MovesError> {
        for (before, text) in texts.into_iter().enumerate() {
            if let Err(error) = self.play_text(text) {
                let (position, over) = (self.to_string(), self.outcome_text());
                return Err(MovesError { ply: before + 1, text: text.to_string(), position, over, error });
            }
        }
        Ok(())
    }

    /// Takes back the latest move; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        match self.marks.pop() {
            Some(mark) => {
                self.state.undo_to(mark);
                true
            }
            None => false,
        }
    }

    /// How the game came out, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        let outcome = self.state.outcome()?;
        let winners = outcome.winners.iter().map(|player| self.seat(player).to_string()).collect();
        Some(Outcome { winners, by: outcome.by })
    }

    /// How the game came out, and by which line of the rules, if it is over:
    /// `White wins: win if no enemy (breakthrough.rules:27)`.
    pub fn outcome_text(&self) -> Option<String> {
        let (outcome, model) = (self.outcome()?, &self.game.model);
        let by = &model.end[outcome.by];
        let line: String = model.sources.slice(by.span).split_whitespace().collect::<Vec<_>>().join(" ");
        let who = match outcome.winners.as_slice() {
            [] => String::from("a draw"),
            winners => format!("{} wins", winners.join(" and ")),
        };
        Some(format!("{who}: {line} ({})", model.sources.place(by.span)))
    }

    /// Plays on in spite of the outcome, if there is one.
    pub fn reopen(&mut self) {
        if self.state.is_over() {
            self.state.reopen();
            self.state.forget();
            self.marks.clear();
        }
    }

    /// How many sequences of `depth` whole turns there are. Outcomes that ask the history are not
    /// asked.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn perft(&mut self, depth: u32) -> Result<u64, Error> {
        let counted = self.executor.perft(&self.game.model, &mut self.state, depth, PerftOptions::default());
        counted.map_err(|fault| self.fault(fault))
    }

    /// Plays on at random, each ply drawn uniformly from the legal ones, until the game is over or
    /// `max_turns` turns are played; then tells the outcome. [`Position::undo`] takes the plies
    /// back one by one.
    ///
    /// ```
    /// use rand_xoshiro::rand_core::SeedableRng;
    ///
    /// let game = lusoria::Game::shipped("othello").expect("it is shipped");
    /// let mut position = game.start(0)?;
    /// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(7);
    /// assert!(position.playout(&mut rng, 1000)?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn playout(&mut self, rng: &mut impl rand::Rng, max_turns: u32) -> Result<Option<Outcome>, Error> {
        let limits = Limits { turns: max_turns, ..Limits::default() };
        let mut turns = 0;
        for _ in 0..limits.plies {
            if self.state.is_over() || turns >= limits.turns {
                break;
            }
            let mut plies = self.plies()?;
            // Who is stuck where the game begins has an outcome only now that it is asked.
            if plies.is_empty() {
                break;
            }
            let ply = plies.swap_remove(rng.random_range(0..plies.len()));
            turns += u32::from(ply.ends_turn);
            self.play(&Move { ply, text: String::new() })?;
        }
        Ok(self.outcome())
    }

    /// The board as text, men as in the position's own text; with `colour`, in colours by ANSI
    /// escapes.
    ///
    /// # Errors
    /// A fault of the rules, in the middle of a turn.
    pub fn drawing(&mut self, colour: bool) -> Result<String, Error> {
        let now = self.now()?;
        let paint = if colour { Paint::Colours } else { Paint::Plain };
        Ok(render::board_drawing(&self.game.model, &now, &CellSet::EMPTY, paint))
    }

    /// The state with the men where they are now, also in the middle of a turn.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn now(&mut self) -> Result<position::Position, Error> {
        let now = self.executor.position_now(&self.game.model, &self.state);
        now.map_err(|fault| self.fault(fault))
    }

    fn fault(&self, fault: Fault) -> Error {
        self.game.fault(fault, self.to_string())
    }
}

impl Clone for Position {
    fn clone(&self) -> Position {
        Position {
            game: self.game.clone(),
            state: self.state.clone(),
            executor: Executor::new(),
            marks: self.marks.clone(),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&notation::position_text(&self.game.model, &self.state))
    }
}

impl WrittenMove for Ply {
    fn written(&self) -> &[Written] {
        &self.written
    }

    fn caught(&self) -> CellSet {
        self.caught
    }

    fn ends_turn(&self) -> bool {
        self.ends_turn
    }
}

/// The executor as the notation sees it.
struct Stepper<'a> {
    game: &'a model::Game,
    executor: &'a mut Executor,
}

impl MoveSource for Stepper<'_> {
    type Ply = Ply;

    fn plies(&mut self, position: &position::Position) -> Result<Vec<Ply>, Fault> {
        self.executor.plies(self.game, &mut position.clone())
    }

    fn played(&mut self, position: &position::Position, ply: &Ply) -> Result<position::Position, Fault> {
        let mut after = position.clone();
        match self.executor.play(self.game, &mut after, ply) {
            Ok(_) | Err(PlayError::NotAMove) => Ok(after),
            Err(PlayError::Fault(fault)) => Err(fault),
        }
    }
}
