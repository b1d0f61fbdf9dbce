//! Command `analyse`: a position goes in; the best moves with their values come out, better and
//! better.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::args::{AnalyseArgs, SearchArg};
use crate::cli::opponent::{Limit, Spec};
use crate::cli::{Failure, Outcome};
use crate::game::{Error, Position};
use crate::player::{Ahead, AlphaBeta, AlphaBetaOptions, Analysis, Line, Mcts, Options};
use crate::sort;

/// Between two reports of a search that goes on.
const TELL: Duration = Duration::from_millis(500);

#[derive(Serialize)]
struct Told {
    position: String,
    to_move: String,
    /// The payoff of the player to move, if it is proven: 1 a win, 0 a loss.
    proven: Option<f64>,
    /// Plies that were looked ahead; `null` where random games were played.
    depth: Option<u16>,
    playouts: u64,
    nodes: usize,
    seconds: f64,
    lines: Vec<ToldLine>,
}

#[derive(Serialize)]
struct ToldLine {
    moves: Vec<String>,
    /// The mean payoff of the player to move, from 0 to 1.
    value: f64,
    proven: Option<f64>,
    /// Playouts behind it; of alpha-beta search, positions.
    playouts: u64,
}

pub fn run(args: &AnalyseArgs) -> Outcome {
    let game = crate::cli::select::load(&args.at.game)?.with_plan();
    let position = crate::cli::position_behind(&game, &args.at, args.json)?;
    if let Some(how) = position.outcome_text() {
        anstream::stderr().write_all(format!("the game is over: {how}\n").as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let stop = crate::cli::interruption();
    let threads = args.threads.map_or_else(crate::cli::simulate::processors, usize::from);
    let options = Options { seed: args.at.game.seed, memory: args.memory / threads, ..Options::default() };
    let begun = Instant::now();
    let is_watched = !args.json && std::io::stderr().is_terminal();
    let go_on = |playouts: u64| {
        !stop.load(Ordering::Relaxed) && begun.elapsed() < args.time && args.playouts.is_none_or(|most| playouts < most)
    };
    let tell = |analysis: &Analysis| {
        if is_watched {
            // A watcher who is gone does not stop the search.
            let _ = anstream::stderr().write_all(short(analysis, begun.elapsed()).as_bytes());
        }
    };
    let found = match args.search {
        SearchArg::Mcts => search(&position, options, threads, go_on, tell),
        SearchArg::Alphabeta => {
            if let Some(why) = Spec::AlphaBeta(Limit::Depth(1)).misfit(&game) {
                return Err(Failure::usage(why.replacen("alphabeta:depth=1", "alphabeta", 1)));
            }
            let weights = crate::cli::select::weights(&args.at.game.game, &game)?;
            let options = AlphaBetaOptions { seed: args.at.game.seed, memory: args.memory, lines: args.lines };
            let depth = args.depth.unwrap_or(u16::MAX);
            AlphaBeta::new(&game, weights.as_ref(), options)
                .and_then(|mut ahead| ahead.search(&position, depth, |ahead: Ahead| go_on(ahead.nodes), tell))
        }
    };
    let analysis = found.map_err(|error| crate::cli::failure(&game, error, None))?;
    let told = told(&position, &analysis, args.lines, begun.elapsed());
    if args.json {
        crate::cli::print_json(&told)?;
    } else {
        crate::cli::print(&table(&told))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Searches with a tree on each thread, and adds up what they found. `go_on` is told the playouts of
/// all.
pub fn search(
    position: &Position,
    options: Options,
    threads: usize,
    go_on: impl Fn(u64) -> bool + Sync,
    tell: impl Fn(&Analysis) + Sync,
) -> Result<Analysis, Error> {
    let playouts = std::sync::atomic::AtomicU64::new(0);
    let (proven, told) = (AtomicBool::new(false), Mutex::new(Instant::now()));
    let one = |thread: usize| {
        let seed = options.seed ^ (thread as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut tree = Mcts::new(position.clone(), Options { seed, ..options });
        let mut known = 0;
        loop {
            let mut rounds = 0;
            tree.search(|progress| {
                playouts.fetch_add(progress.playouts - known, Ordering::Relaxed);
                known = progress.playouts;
                rounds += 1;
                rounds < 64 && !proven.load(Ordering::Relaxed) && go_on(playouts.load(Ordering::Relaxed))
            })?;
            let analysis = tree.analysis();
            if analysis.proven.is_some() {
                proven.store(true, Ordering::Relaxed);
            }
            let is_over = analysis.proven.is_some()
                || analysis.lines.is_empty()
                || proven.load(Ordering::Relaxed)
                || !go_on(playouts.load(Ordering::Relaxed));
            if is_over {
                return Ok(analysis);
            }
            if thread == 0
                && let Ok(mut last) = told.lock()
                && last.elapsed() >= TELL
            {
                *last = Instant::now();
                tell(&analysis);
            }
        }
    };
    let found: Vec<Result<Analysis, Error>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (1..threads).map(|thread| scope.spawn(move || one(thread))).collect();
        let first = one(0);
        let rest = handles.into_iter().filter_map(|handle| handle.join().ok());
        std::iter::once(first).chain(rest).collect()
    });
    Ok(together(found.into_iter().collect::<Result<Vec<_>, Error>>()?))
}

/// What several trees of one position found, as one. A tree that has a proof has the last word.
fn together(mut found: Vec<Analysis>) -> Analysis {
    let at = found.iter().position(|analysis| analysis.proven.is_some()).unwrap_or(0);
    let mut whole = found.swap_remove(at);
    for other in found {
        whole.progress.playouts += other.progress.playouts;
        whole.progress.nodes += other.progress.nodes;
        for line in other.lines {
            match whole.lines.iter_mut().find(|known| known.first.id() == line.first.id()) {
                Some(known) => add(known, line),
                None => whole.lines.push(line),
            }
        }
    }
    if whole.proven.is_none() {
        sort::by(&mut whole.lines, |one, other| {
            let lost = |line: &Line| line.proven == Some(0.0);
            lost(one).cmp(&lost(other)).then(other.visits.cmp(&one.visits)).then(one.first.id().cmp(&other.first.id()))
        });
    }
    whole
}

fn add(known: &mut Line, line: Line) {
    let visits = known.visits + line.visits;
    if known.proven.is_none() {
        known.proven = line.proven;
        known.value = match line.proven {
            Some(value) => value,
            None if visits == 0 => known.value,
            None => (known.value * known.visits as f64 + line.value * line.visits as f64) / visits as f64,
        };
        if line.visits > known.visits {
            known.moves = line.moves;
        }
    }
    known.visits = visits;
}

fn told(position: &Position, analysis: &Analysis, lines: usize, took: Duration) -> Told {
    let line = |line: &Line| ToldLine {
        moves: line.moves.clone(),
        value: line.value,
        proven: line.proven,
        playouts: line.visits,
    };
    Told {
        position: position.to_string(),
        to_move: position.chooser().unwrap_or_default().to_string(),
        proven: analysis.proven,
        depth: analysis.depth,
        playouts: analysis.progress.playouts,
        nodes: analysis.progress.nodes,
        seconds: took.as_secs_f64(),
        lines: analysis.lines.iter().take(lines).map(line).collect(),
    }
}

/// A value in words: what is proven, or a share of points.
pub fn value_text(value: f64, proven: Option<f64>) -> String {
    match proven {
        Some(value) if value >= 1.0 => String::from("win"),
        Some(value) if value <= 0.0 => String::from("loss"),
        Some(_) => String::from("draw"),
        None => format!("{:.1} %", 100.0 * value),
    }
}

fn short(analysis: &Analysis, took: Duration) -> String {
    let Some(best) = analysis.lines.first() else { return String::new() };
    let value = value_text(best.value, best.proven);
    format!("{:6.1} s  {:>19}  {value:>7}  {}\n", took.as_secs_f64(), effort(analysis), best.moves.join("  "))
}

/// What was done to think so.
pub fn effort(analysis: &Analysis) -> String {
    match analysis.depth {
        None => format!("{} playouts", analysis.progress.playouts),
        Some(depth) => format!("depth {depth}, {} positions", analysis.progress.nodes),
    }
}

fn table(told: &Told) -> String {
    let mut text = format!("{} to move: {}\n", told.to_move, told.position);
    for line in &told.lines {
        let value = value_text(line.value, line.proven);
        let what = if told.depth.is_some() { "positions" } else { "playouts" };
        text += &format!("{value:>7}  {:>10} {what}  {}\n", line.playouts, line.moves.join("  "));
    }
    let rate = |count: f64| count / told.seconds.max(1e-9);
    text += &match told.depth {
        None => format!(
            "{} playouts in {:.2} s ({:.0} a second), {} positions\n",
            told.playouts,
            told.seconds,
            rate(told.playouts as f64),
            told.nodes
        ),
        Some(depth) => format!(
            "depth {depth}, {} positions in {:.2} s ({:.0} a second)\n",
            told.nodes,
            told.seconds,
            rate(told.nodes as f64)
        ),
    };
    text
}
