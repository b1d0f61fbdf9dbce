//! Command `list`: the shipped games come out, with their variants, or with how fast they are played.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::board::Shape;
use crate::check;
use crate::cli::args::ListArgs;
use crate::cli::{Failure, INTERRUPTED, Outcome, select, simulate};
use crate::game::Game;
use crate::model;
use crate::shipped::{Shipped, ShippedGame};

/// How many times as many games are played where some took too little time.
const MORE: u64 = 4;

#[derive(Serialize)]
struct Entry {
    /// What commands call it.
    name: String,
    title: String,
    players: Vec<String>,
    board: String,
    variants: Vec<Variant>,
}

#[derive(Serialize)]
struct Variant {
    title: String,
    players: Vec<String>,
    board: String,
}

/// How fast a game is played at random, on one thread.
#[derive(Serialize)]
struct Speed {
    name: String,
    /// `batch`, `scalar` or `reference`.
    executor: &'static str,
    games_per_second: f64,
    turns_per_second: f64,
    /// What has no plan, if the reference executor plays.
    why: Option<String>,
}

pub fn run(args: &ListArgs) -> Outcome {
    let games = chosen(&args.games)?;
    if let Some(time) = args.speed {
        return speeds(&games, time, args.json);
    }
    let entries: Vec<Entry> = games.into_iter().filter_map(entry).collect();
    if args.json {
        crate::cli::print_json(&entries)?;
    } else {
        crate::cli::print(&entries.iter().map(text).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The shipped games of these names; all, if there are none.
fn chosen(names: &[String]) -> Result<Vec<ShippedGame>, Failure> {
    let games = Shipped.games();
    match names.iter().find(|name| games.iter().all(|game| game.stem != name.as_str())) {
        Some(name) => Err(select::unknown(name)),
        None => Ok(games
            .into_iter()
            .filter(|game| names.is_empty() || names.iter().any(|name| name == game.stem))
            .collect()),
    }
}

/// Plays each game for so long.
fn speeds(games: &[ShippedGame], time: Duration, as_data: bool) -> Outcome {
    let enough = crate::cli::interruption();
    let mut all = Vec::new();
    if !as_data {
        crate::cli::print(&format!("{:<18} {:<9} {:>12} {:>12}\n", "game", "executor", "turns/s", "games/s"))?;
    }
    for shipped in games {
        let Some(game) = Game::shipped(shipped.stem) else { continue };
        if enough.load(Ordering::Relaxed) {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let speed = speed(shipped.stem, &game, time, enough)?;
        if as_data {
            all.push(speed);
        } else {
            crate::cli::print(&speed_text(&speed))?;
        }
    }
    if as_data {
        crate::cli::print_json(&all)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays games, more and more, until they take so long.
fn speed(name: &str, game: &Game, time: Duration, enough: &AtomicBool) -> Result<Speed, Failure> {
    let (mut plan, why) = simulate::usual_plan(game);
    let (tally, seconds) = loop {
        let begun = Instant::now();
        let tally =
            simulate::play_all(game, &plan, enough, |_| ()).map_err(|error| crate::cli::failure(game, error, None))?;
        if begun.elapsed() >= time || enough.load(Ordering::Relaxed) {
            break (tally, begun.elapsed().as_secs_f64());
        }
        plan.games *= MORE;
    };
    let per_second = |count: f64| count / seconds;
    let games = tally.games() as f64;
    Ok(Speed {
        name: name.to_string(),
        executor: simulate::executor(&plan),
        games_per_second: per_second(games),
        turns_per_second: per_second(tally.summary(game.model()).turns.mean * games),
        why: why.map(|why| why.why.to_string()),
    })
}

fn speed_text(speed: &Speed) -> String {
    let why = speed.why.as_ref().map(|why| format!("  no plan for {why}")).unwrap_or_default();
    let Speed { name, executor, turns_per_second: turns, games_per_second: games, .. } = speed;
    format!("{name:<18} {executor:<9} {turns:>12.0} {games:>12.1}{why}\n")
}

fn entry(shipped: ShippedGame) -> Option<Entry> {
    let checked = check::check(shipped.source, &Shipped);
    let (game, variants) = checked.games.split_first()?;
    let variants = variants
        .iter()
        .map(|variant| Variant { title: variant.name().to_string(), players: players(variant), board: board(variant) })
        .collect();
    Some(Entry {
        name: shipped.stem.to_string(),
        title: game.title.clone(),
        players: players(game),
        board: board(game),
        variants,
    })
}

fn text(entry: &Entry) -> String {
    let mut text = format!("{:<18} {} ({}; {})\n", entry.name, entry.title, entry.players.join(", "), entry.board);
    for variant in &entry.variants {
        // What a variant shares with its game goes without saying.
        let mut apart = Vec::new();
        if variant.players != entry.players {
            apart.push(variant.players.join(", "));
        }
        if variant.board != entry.board {
            apart.push(variant.board.clone());
        }
        let apart = if apart.is_empty() { String::new() } else { format!(" ({})", apart.join("; ")) };
        text += &format!("{:<18}   {}{apart}\n", "", variant.title);
    }
    text
}

fn players(game: &model::Game) -> Vec<String> {
    game.seats.iter().map(|seat| seat.name.clone()).collect()
}

/// `square 8 by 8`, `hexagon side 7`, `24 points`.
fn board(game: &model::Game) -> String {
    match game.topology.shape() {
        Shape::Square { files, ranks, layers, wrap } => {
            let layers = if *layers > 1 { format!(" by {layers}") } else { String::new() };
            format!("square {files} by {ranks}{layers}{}", wrap.words())
        }
        Shape::Hexagon { side } => format!("hexagon side {side}"),
        Shape::Points { .. } => format!("{} points", game.topology.len()),
    }
}
