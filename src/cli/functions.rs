//! Functions of commands: what a command is told goes in as values; what it finds comes out as data.
//!
//! Packages for other languages stand on it. Nothing here reads the terminal or catches signals: whoever
//! calls has a flag that stops the work, and is told how far it has come.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::check::{ParamValue, Settings};
use crate::cli::play::Plan;
use crate::game::{Error, Game, LoadError, Position};
use crate::player::{Analysis, Options};

pub use crate::cli::elo::{Pairs, Strength};
pub use crate::cli::opponent::{Budget, Opponent, Spec};
pub use crate::cli::simulate::processors;
pub use crate::cli::tally::Summary;

/// Why a name and settings give no game.
#[derive(Debug)]
pub enum Refused {
    /// No game or file is called so, or it cannot be read: what to say of it.
    Name(String),
    /// The text has mistakes.
    Rules(LoadError),
}

/// The game of a file or a shipped one, as the command line names it: `fanorona:telo`, `my_game.rules`.
///
/// # Errors
/// See [`Refused`].
pub fn load(name: &str, variant: Option<&str>, params: Vec<(String, ParamValue)>) -> Result<Game, Refused> {
    let refused = |message: &str| Refused::Name(message.trim_start_matches("error: ").trim_end().to_string());
    let (source, library, named) = crate::cli::select::named(name).map_err(|failure| refused(&failure.message))?;
    if named.is_some() && variant.is_some() {
        return Err(refused("a variant is named twice: in GAME:VARIANT and by its own"));
    }
    let settings = Settings { variant: named.or_else(|| variant.map(str::to_string)), params };
    Game::load(source, &library, &settings).map_err(Refused::Rules)
}

/// What `simulate` is told.
#[derive(Clone, Copy, Debug)]
pub struct Simulation {
    pub games: u64,
    pub seed: u64,
    /// Turns of a game, at most.
    pub max_turns: u32,
    pub threads: usize,
    /// The number of the set-up that all games begin with.
    pub setup: Option<u64>,
}

/// Plays games at random and counts, as `lusoria simulate` does: the same seed gives the same result.
/// `done` is told how many more are over. When `stop` is set, the result is of those that are over.
///
/// # Errors
/// A fault of the rules in one of the games, the first by number.
pub fn simulate(game: &Game, how: &Simulation, stop: &AtomicBool, done: impl FnMut(u64)) -> Result<Summary, Error> {
    let plan = Plan {
        games: how.games,
        threads: how.threads.max(1),
        max_turns: how.max_turns,
        seed: how.seed,
        setup: how.setup,
        ..crate::cli::simulate::usual_plan(game).0
    };
    let tally = crate::cli::simulate::play_all(game, &plan, stop, done);
    Ok(tally?.summary(game.model()))
}

/// What `analyse` is told.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    pub time: Option<Duration>,
    pub playouts: Option<u64>,
    pub threads: usize,
    pub seed: u64,
    /// Bytes that the trees may take, about.
    pub memory: usize,
}

/// Searches a position, as `lusoria analyse` does. `done` is told all playouts so far, on any thread.
///
/// # Errors
/// A fault of the rules.
pub fn analyse(
    position: &Position,
    how: &Search,
    stop: &AtomicBool,
    done: impl Fn(u64) + Sync,
) -> Result<Analysis, Error> {
    let threads = how.threads.max(1);
    let options = Options { seed: how.seed, memory: how.memory / threads, ..Options::default() };
    let begun = Instant::now();
    let go_on = |playouts: u64| {
        done(playouts);
        !stop.load(Ordering::Relaxed)
            && how.time.is_none_or(|time| begun.elapsed() < time)
            && how.playouts.is_none_or(|most| playouts < most)
    };
    crate::cli::analyse::search(position, options, threads, go_on, |_| ())
}
