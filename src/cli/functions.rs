//! Functions of commands: what a command is told goes in as values; what it finds comes out as data.
//!
//! Packages for other languages stand on it. Nothing here reads the terminal or catches signals: whoever
//! calls has a flag that stops the work, and is told how far it has come.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::check::{ParamValue, Settings};
use crate::cli::Failure;
use crate::cli::part::Rules;
use crate::cli::play::Plan;
use crate::cli::shard::Part;
use crate::cli::simulate::News;
use crate::game::{Error, Game, LoadError, Position};
use crate::measures::playouts::Terms;
use crate::player::{Analysis, Options};

pub use crate::cli::elo::{Pairs, Strength};
pub use crate::cli::opponent::{Budget, Opponent, Spec};
pub use crate::cli::simulate::processors;
pub use crate::measures::tally::{Summary, Tally};

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

/// The rules of a game as a text, from which [`with_rules`] makes the game again on any machine.
pub fn rules(game: &Game) -> String {
    // Strings and numbers always serialise.
    serde_json::to_string(&Rules::of(game)).unwrap_or_default()
}

/// The game whose rules are written in a text of [`rules`]; it has a plan, if it can have one.
///
/// # Errors
/// A text that is no such text, or whose rules are no game.
pub fn with_rules(text: &str) -> Result<Game, Refused> {
    let wrong = |why: String| Refused::Name(why.trim_start_matches("error: ").trim_end().to_string());
    let rules: Rules = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    rules.game("the text").map(|game| game.with_plan()).map_err(|failure| wrong(failure.message))
}

/// Plays games at random and counts, as `lusoria simulate` does: the same seed gives the same result.
/// `done` is told how many more are over. When `stop` is set, the result is of those that are over.
///
/// # Errors
/// A fault of the rules in one of the games, the first by number.
pub fn simulate(game: &Game, how: &Simulation, stop: &AtomicBool, done: impl FnMut(u64)) -> Result<Summary, Error> {
    Ok(play(game, how, 0, stop, done)?.summary(game.model()))
}

/// Plays those games of a run that begin with a number, and counts: counts of all games of the run, merged in any order, are
/// those of [`simulate`].
///
/// # Errors
/// As [`simulate`].
pub fn play(
    game: &Game,
    how: &Simulation,
    first: u64,
    stop: &AtomicBool,
    done: impl FnMut(u64),
) -> Result<Tally, Error> {
    crate::cli::simulate::play_all(game, &plan(game, how, first), stop, done)
}

fn plan(game: &Game, how: &Simulation, first: u64) -> Plan {
    Plan {
        first,
        games: how.games,
        threads: how.threads.max(1),
        terms: Terms { max_turns: how.max_turns, seed: how.seed, setup: how.setup, start: None },
        ..crate::cli::simulate::usual_plan(game).0
    }
}

/// A game as it was played, without the positions between.
#[derive(Debug, Deserialize)]
pub struct Recorded {
    pub game: u64,
    pub start: String,
    pub moves: Vec<RecordedMove>,
    /// `None`: it was given up.
    pub outcome: Option<RecordedEnd>,
}

/// A move of it.
#[derive(Debug, Deserialize)]
pub struct RecordedMove {
    /// `None`: chance has chosen.
    pub player: Option<String>,
    #[serde(rename = "move")]
    pub text: String,
    /// How many legal moves there were.
    pub legal: u32,
}

/// How it ended.
#[derive(Debug, Deserialize)]
pub struct RecordedEnd {
    /// Names; none is a draw.
    pub winners: Vec<String>,
    /// The place of the outcome in `end`, from 0.
    pub by: u32,
}

/// Plays those games of a run that begin with a number, and counts; `seen` is shown each, by their numbers. They are the games
/// that [`play`] counts.
///
/// # Errors
/// As [`simulate`]; games before the one that failed were shown.
pub fn record(
    game: &Game,
    how: &Simulation,
    first: u64,
    stop: &AtomicBool,
    mut seen: impl FnMut(Recorded),
) -> Result<Tally, Error> {
    let plan = Plan { prepared: None, record: true, positions: false, ..plan(game, how, first) };
    crate::cli::simulate::simulate(game, &plan, stop, std::convert::identity, |news| {
        if let News::Over(Some(line)) = news
            && let Ok(recorded) = serde_json::from_str(line)
        {
            seen(recorded);
        }
        Ok(())
    })
}

/// Plays a shard of a run, from 1, of so many, and gives what `lusoria simulate --shard --out` writes: a text for [`merge`], and
/// for `lusoria merge`. `None`: `stop` was set before its games were over.
///
/// # Errors
/// As [`simulate`].
pub fn part(
    game: &Game,
    how: &Simulation,
    shard: (u64, u64),
    stop: &AtomicBool,
    done: impl FnMut(u64),
) -> Result<Option<String>, Error> {
    let plan = plan(game, how, 0);
    let part = Part::play(game, plan, shard, stop, done)?;
    // Strings and numbers always serialise.
    Ok(part.is_done().then(|| serde_json::to_string(&part).unwrap_or_default()))
}

/// What all shards of a run come to together: texts of [`part`] go in, in any order. It is what one run would have counted.
///
/// # Errors
/// Texts that are no parts, parts that do not fit together, or games that are in none: what to say of it.
pub fn merge(parts: &[String]) -> Result<Merged, String> {
    let told = |failure: Failure| failure.message.trim_start_matches("error: ").trim_end().to_string();
    let named = parts.iter().enumerate().map(|(at, text)| {
        let name = PathBuf::from(format!("part {}", at + 1));
        Part::parse(&name, text.as_bytes()).map(|part| (name, part))
    });
    let named = named.collect::<Result<Vec<_>, _>>().map_err(told)?;
    let put = crate::cli::merge::put_together(named).map_err(told)?;
    put.expect_all().map_err(told)?;
    let (game, all) = (put.game, put.all);
    let summary = all.tally.summary(game.model());
    Ok(Merged { name: game.name().to_string(), seed: all.run.seed, summary })
}

/// What merged parts are of, and came to.
#[derive(Clone, Debug, Serialize)]
pub struct Merged {
    pub name: String,
    pub seed: u64,
    #[serde(flatten)]
    pub summary: Summary,
}

pub use crate::measures::gathered::Asked;

/// Makes a report, as `lusoria report` does: its numbers as JSON, and its page. `name` is what the page calls the game in the
/// command that makes it again. Without a number of games or a time it takes a minute; when `stop` is set, it is of what is
/// over. `done` is told how many more games are over.
///
/// # Errors
/// A fault of the rules.
pub fn report(
    game: &Game,
    name: &str,
    asked: &Asked,
    time: Option<Duration>,
    threads: usize,
    stop: &AtomicBool,
    mut done: impl FnMut(u64),
) -> Result<(String, String), Error> {
    let (study, page) = crate::cli::report::made(game, name, asked, (time, Some(threads.max(1))), stop, &mut done)?;
    // Strings and numbers always serialise.
    Ok((serde_json::to_string(&study).unwrap_or_default(), page))
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
