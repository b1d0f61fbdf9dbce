//! Command `tune`: a game goes in; weights of its evaluation come out, found from games that the
//! player plays against itself, and how much stronger they make it.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use crate::board::Player;
use crate::cli::args::TuneArgs;
use crate::cli::elo::{Pairs, Strength};
use crate::cli::opponent::{Limit, Opponent, Spec};
use crate::cli::{Failure, INTERRUPTED, Outcome};
use crate::game::{Error, Game};
use crate::player::{AlphaBeta, Options, Weights, tune};
use crate::sort;

/// Memory of a player of the match, in bytes.
const MEMORY: usize = 1 << 24;
/// Random turns that a pair of games of the match begins with.
const OPENING: usize = 2;

#[derive(Serialize)]
struct Told {
    game: String,
    seed: u64,
    rounds: u32,
    games: u64,
    positions: usize,
    phases: usize,
    /// Of each feature, its weight in each phase.
    weights: Vec<(String, Vec<f64>)>,
    /// Of the new weights in a match against those that the rules alone suggest.
    #[serde(flatten)]
    strength: Strength,
    match_games: u64,
    match_limit: String,
    /// Where the weights were written; `null` if they are no better, or were only printed.
    written: Option<PathBuf>,
    seconds: f64,
}

pub fn run(args: &TuneArgs) -> Outcome {
    args.out.iter().try_for_each(|path| Failure::require_folder(path))?;
    let game = crate::cli::select::load(&args.game)?.with_plan();
    if !AlphaBeta::knows(&game) {
        let why = Spec::AlphaBeta(Limit::Depth(1)).misfit(&game).unwrap_or_default();
        return Err(Failure::usage(why.trim_end_matches("; mcts can").to_string()));
    }
    let stop = crate::cli::interruption();
    let begun = Instant::now();
    let failure = |error| crate::cli::failure(&game, error, None);
    let (mut weights, mut samples) = (None, Vec::new());
    for round in 0..args.rounds {
        samples.extend(games(&game, args, round, weights.as_ref(), stop).map_err(failure)?);
        if stop.load(Ordering::Relaxed) {
            anstream::stderr().write_all(b"interrupted: nothing was written\n")?;
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let found =
            tune::fit(&game, &samples, args.games * u64::from(round + 1), args.phases.into()).map_err(failure)?;
        if !args.json {
            let line = format!("round {}: {} positions, {} weights\n", round + 1, samples.len(), found.values.len());
            anstream::stderr().write_all(line.as_bytes())?;
        }
        weights = Some(found);
    }
    let weights = weights.unwrap_or(Weights::of(game.name()));
    let pairs = contest(&game, args, &weights, stop).map_err(failure)?;
    let strength = pairs.strength();
    let is_better = strength.score > 0.5;
    let path = args.out.clone().or_else(|| crate::cli::select::weights_path(&args.game.game));
    let written = path.filter(|_| is_better || args.force);
    if let Some(path) = &written {
        write(path, &weights)?;
    }
    let told = Told {
        game: game.name().to_string(),
        seed: args.game.seed,
        rounds: args.rounds,
        games: args.games * u64::from(args.rounds),
        positions: samples.len(),
        phases: weights.phases,
        weights: weights.values.clone(),
        match_games: pairs.count() * 2,
        match_limit: Limit::Depth(args.depth).to_string(),
        strength,
        written,
        seconds: begun.elapsed().as_secs_f64(),
    };
    match args.json {
        true => crate::cli::print_json(&told)?,
        false => crate::cli::print(&text(&told, &weights))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The positions of the games of a round, in the order of the games.
fn games(
    game: &Game,
    args: &TuneArgs,
    round: u32,
    weights: Option<&Weights>,
    stop: &AtomicBool,
) -> Result<Vec<tune::Sample>, Error> {
    let played = on_threads(args, args.games, stop, |number| {
        let seed = seed_of(args, u64::from(round) << 32 | number);
        tune::self_play(game, weights, seed, args.max_turns)
    })?;
    Ok(played.into_iter().flatten().collect())
}

/// The match between new weights and those that the rules alone suggest.
fn contest(game: &Game, args: &TuneArgs, weights: &Weights, stop: &AtomicBool) -> Result<Pairs, Error> {
    let pairs = on_threads(args, args.match_games.div_ceil(2), stop, |number| {
        let seed = seed_of(args, 1 << 63 | number);
        let mut points = 0.0;
        for seat in [Player(0), Player(1)] {
            points += play(game, args, weights, seed, seat)?;
        }
        Ok(points / 2.0)
    })?;
    let mut all = Pairs::default();
    pairs.into_iter().for_each(|points| all.add(points));
    Ok(all)
}

fn play(game: &Game, args: &TuneArgs, weights: &Weights, seed: u64, seat: Player) -> Result<f64, Error> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let begun = game.start(seed)?;
    let mut position = begun.clone();
    for _ in 0..OPENING {
        position.play_random(&mut rng)?;
    }
    if position.is_over() {
        position = begun;
    }
    let spec = Spec::AlphaBeta(Limit::Depth(args.depth));
    let options = Options { seed, memory: MEMORY, ..Options::default() };
    // Weights of no game stand for those that the rules suggest.
    let none = Weights::of("");
    let mut new = Opponent::new(spec, options).with_weights(Some(weights.clone()));
    let mut old = Opponent::new(spec, options).with_weights(Some(none));
    let never = AtomicBool::new(false);
    while !position.is_over() && position.state().turns() < args.max_turns {
        let player = if position.choosing() == seat { &mut new } else { &mut old };
        let Some((made, _)) = player.choose(&position, &never)? else { break };
        position.play(&made)?;
    }
    Ok(position.payoff(seat).unwrap_or(0.5))
}

/// Does tasks by number on several threads; the results are in the order of the numbers, and end where
/// it was stopped.
fn on_threads<T: Send>(
    args: &TuneArgs,
    count: u64,
    stop: &AtomicBool,
    task: impl Fn(u64) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let threads = args.threads.map_or_else(crate::cli::simulate::processors, usize::from);
    let next = AtomicU64::new(0);
    let results: Mutex<Vec<(u64, Result<T, Error>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let result = task(number);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    sort::by_key(&mut results, |(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

fn seed_of(args: &TuneArgs, number: u64) -> u64 {
    crate::measures::playouts::seed_of(args.game.seed, number)
}

const HEAD: &str = "\
# Weights of evaluations, written by `lusoria tune`. A line is a feature, and what one more of it adds
# to the logarithm of the odds to win. `place man a1` is a man on a1 or on a cell like it, seen from
# his player's side. Of several numbers the first counts on an empty board, the last on a full one.
";

/// Writes the section of a game to a file, where the sections of other games stay.
fn write(path: &std::path::Path, weights: &Weights) -> Result<(), Failure> {
    let mut sections = if path.exists() {
        let source = crate::cli::select::read(path)?;
        Weights::parse(source.text()).map_err(|why| Failure::usage(format!("{}: {why}", path.display())))?
    } else {
        Vec::new()
    };
    match sections.iter_mut().find(|section| section.game == weights.game) {
        Some(section) => *section = weights.clone(),
        None => sections.push(weights.clone()),
    }
    let texts: Vec<String> = sections.iter().map(Weights::text).collect();
    std::fs::write(path, format!("{HEAD}\n{}", texts.join("\n"))).map_err(|error| Failure::cannot_write(path, &error))
}

fn text(told: &Told, weights: &Weights) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let Strength { score, score_low, score_high, .. } = told.strength;
    let mut text = String::new();
    if told.written.is_none() {
        text += &weights.text();
    }
    text += &format!("{}: {} games, {} positions in {:.1} s\n", told.game, told.games, told.positions, told.seconds);
    text += &format!(
        "{} games against the weights that the rules suggest, {}: score {}, from {} to {} (95 %)\n",
        told.match_games,
        told.match_limit,
        percent(score),
        percent(score_low),
        percent(score_high)
    );
    text + &match &told.written {
        Some(path) => format!("written to {}\n", path.display()),
        None if score > 0.5 => String::from("--out FILE writes them\n"),
        None => String::from("nothing was written: they are no better; --force writes them all the same\n"),
    }
}
