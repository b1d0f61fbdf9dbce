//! `lusoria simulate`: many random games on all processors; the same result for any number of threads.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use serde::Serialize;

use super::args::SimulateArgs;
use super::record::Record;
use super::tally::{Ended, Played, Summary, Tally};
use super::{Failure, Outcome};
use crate::game::{Error, Game};
use crate::plain::{Executor, PlayError, Setup, SetupError};
use crate::position::Position;

/// Plies of a turn have no bound of their own, so a game has one.
const PLIES_A_TURN: u64 = 10_000;

/// What a simulation is told besides the game.
pub struct Plan {
    pub games: u64,
    pub threads: usize,
    pub max_turns: u32,
    pub seed: u64,
    pub setup: Option<u64>,
    pub record: bool,
}

/// One game, told by the thread that played it.
struct Told {
    number: u64,
    result: Result<(Played, Option<String>), Error>,
}

#[derive(Serialize)]
struct Output {
    game: String,
    seed: u64,
    max_turns: u32,
    #[serde(flatten)]
    summary: Summary,
    executor: &'static str,
    /// Measured, so different in each run.
    seconds: f64,
    games_per_second: f64,
}

pub fn run(args: &SimulateArgs) -> Outcome {
    let game = super::select::load(&args.game)?;
    let plan = Plan {
        games: args.games,
        threads: args.threads.map_or_else(processors, usize::from),
        max_turns: args.max_turns,
        seed: args.game.seed,
        setup: args.game.setup,
        record: args.record.is_some(),
    };
    let mut file = match &args.record {
        Some(path) => {
            let file =
                File::create(path).map_err(|error| Failure::usage(format!("cannot write `{}`: {error}", path.display())))?;
            Some(BufWriter::new(file))
        }
        None => None,
    };
    let begun = Instant::now();
    let bar = progress(plan.games);
    let tally = simulate(&game, &plan, |line| {
        bar.inc(1);
        match (&mut file, line) {
            (Some(file), Some(line)) => writeln!(file, "{line}"),
            _ => Ok(()),
        }
    })?;
    if let Some(file) = &mut file {
        file.flush()?;
    }
    bar.finish_and_clear();
    let seconds = begun.elapsed().as_secs_f64();
    let output = Output {
        game: game.name().to_string(),
        seed: plan.seed,
        max_turns: plan.max_turns,
        summary: tally.summary(game.model()),
        executor: "plain",
        seconds,
        games_per_second: plan.games as f64 / seconds.max(1e-9),
    };
    if args.json {
        super::print_json(&output)?
    } else {
        super::print(&table(&output))?
    }
    Ok(ExitCode::SUCCESS)
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn progress(games: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(games);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} games, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Plays all games; `done` is called for each, in the order of their numbers, with its record. The first fault, by number, stops it.
pub fn simulate(game: &Game, plan: &Plan, mut done: impl FnMut(Option<&str>) -> std::io::Result<()>) -> Result<Tally, Failure> {
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let (tell, told) = mpsc::sync_channel::<Told>(1024);
    std::thread::scope(|scope| {
        for _ in 0..plan.threads {
            let tell = tell.clone();
            let (next, stop) = (&next, &stop);
            scope.spawn(move || play_many(game, plan, next, stop, &tell));
        }
        drop(tell);
        let result = gather(game, &told, &mut done);
        stop.store(true, Ordering::Relaxed);
        // Threads that wait to be heard go on.
        drop(told);
        result
    })
}

fn gather(
    game: &Game,
    told: &mpsc::Receiver<Told>,
    done: &mut impl FnMut(Option<&str>) -> std::io::Result<()>,
) -> Result<Tally, Failure> {
    let mut tally = Tally::new(game.model());
    let mut early = BTreeMap::new();
    let mut wanted = 0;
    for one in told {
        early.insert(one.number, one.result);
        while let Some(result) = early.remove(&wanted) {
            let (played, record) = result.map_err(|error| super::failure(game, error, None))?;
            tally.add(&played);
            done(record.as_deref())?;
            wanted += 1;
        }
    }
    Ok(tally)
}

fn play_many(game: &Game, plan: &Plan, next: &AtomicU64, stop: &AtomicBool, tell: &mpsc::SyncSender<Told>) {
    let mut executor = Executor::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= plan.games || stop.load(Ordering::Relaxed) {
            return;
        }
        let result = play_one(game, plan, number, &mut executor);
        if tell.send(Told { number, result }).is_err() {
            return;
        }
    }
}

/// Game i of a run has a generator of its own, seeded from the seed and i.
pub fn generator(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    let mut mixer = SplitMix64::seed_from_u64(seed);
    let mixed: u64 = mixer.random();
    Xoshiro256PlusPlus::seed_from_u64(mixed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Plays one game at random.
pub fn play_one(game: &Game, plan: &Plan, number: u64, executor: &mut Executor) -> Result<(Played, Option<String>), Error> {
    let model = game.model();
    let mut rng = generator(plan.seed, number);
    let mut position = match plan.setup {
        Some(setup) => executor.start(model, Setup::Number(setup)),
        None => executor.start(model, Setup::Random(&mut rng)),
    }
    .map_err(|error| set_up_error(game, error))?;
    let mut record = plan.record.then(|| Record::new(number, model, &position));
    let mut played = Played { outcome: None, turns: 0, plies: 0, choices: 0 };
    let most_plies = u64::from(plan.max_turns).saturating_mul(PLIES_A_TURN);
    while !position.is_over() && played.turns < u64::from(plan.max_turns) && played.plies < most_plies {
        let plies = executor.plies(model, &mut position).map_err(|fault| faulty(game, fault, &position))?;
        if plies.is_empty() {
            break;
        }
        let chosen = rng.random_range(0..plies.len());
        let before = record.is_some().then(|| position.clone());
        match executor.play(model, &mut position, &plies[chosen]) {
            Ok(_) => {}
            Err(PlayError::Fault(fault)) => return Err(faulty(game, fault, &position)),
            Err(PlayError::NotAMove) => return Err(Error::NotAMove),
        }
        played.plies += 1;
        played.turns += u64::from(plies[chosen].ends_turn);
        played.choices += plies.len() as u64;
        if let (Some(record), Some(before)) = (&mut record, &before) {
            record.push(model, before, &plies, chosen, &position);
        }
        position.forget();
    }
    played.outcome = position.outcome().map(|outcome| Ended { winners: outcome.winners, by: outcome.by });
    let line = record.map(|mut record| {
        record.end(model, position.outcome());
        record.line()
    });
    Ok((played, line))
}

fn set_up_error(game: &Game, error: SetupError) -> Error {
    match error {
        SetupError::Fault(fault) => {
            Error::Fault { fault, place: game.model().sources.place(fault.span), position: String::from("the set-up") }
        }
        other => Error::Setup(other),
    }
}

fn faulty(game: &Game, fault: crate::position::Fault, position: &Position) -> Error {
    let text = crate::notation::position_text(game.model(), position);
    Error::Fault { fault, place: game.model().sources.place(fault.span), position: text }
}

/// The result as tables.
fn table(output: &Output) -> String {
    let summary = &output.summary;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let range = |interval: [f64; 2]| format!("{:.1} - {:.1} %", 100.0 * interval[0], 100.0 * interval[1]);
    let mut results = plain_table(&["result", "games", "share", "95 % interval"]);
    for score in &summary.players {
        let name = format!("{} wins", score.player);
        results.add_row([name, score.wins.to_string(), percent(score.share), range(score.interval)]);
    }
    for (name, share) in [("draw", &summary.draws), ("unfinished", &summary.unfinished)] {
        results.add_row([name.to_string(), share.games.to_string(), percent(share.share), range(share.interval)]);
    }
    let mut lengths = plain_table(&["length", "mean", "min", "max"]);
    for (name, length) in [("turns", summary.turns), ("plies", summary.plies)] {
        lengths.add_row([name.to_string(), format!("{:.1}", length.mean), length.min.to_string(), length.max.to_string()]);
    }
    let mut ends = plain_table(&["games", "ended by", "at"]);
    for end in &summary.ends {
        ends.add_row([end.games.to_string(), end.outcome.clone(), end.place.clone()]);
    }
    set_left(&mut ends, 1);
    format!(
        "{}: {} random games, seed {}\n\n{results}\n\n{lengths}\nbranching factor {:.1}\n\n{ends}\n\n{:.0} games a second ({} executor)\n",
        output.game, summary.games, output.seed, summary.mean_branching, output.games_per_second, output.executor
    )
}

/// The first column to the left, the others to the right.
fn plain_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.to_vec());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn set_left(table: &mut Table, from: usize) {
    for column in table.column_iter_mut().skip(from) {
        column.set_cell_alignment(CellAlignment::Left);
    }
}
