//! Command `simulate`: a number of games goes in; results of random games on all processors come
//! out, the same for any number of threads.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, presets};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::batch;
use crate::batch::Prepared;
use crate::cli::args::{MAX_TURNS, SimulateArgs, SimulatorArg};
use crate::cli::play::{Plan, Table};
use crate::cli::record_file::{FLUSH, RecordFile, Recorded};
use crate::cli::sweep;
use crate::cli::sweep::Entry;
use crate::cli::{Failure, INTERRUPTED, Outcome};
use crate::game::{Error, Game};
use crate::interp::Engine;
use crate::measures::details::Details;
use crate::measures::playouts::Terms;
use crate::measures::tally::{Extreme, Played, Summary, Tally, ratio};
use crate::plan::Unplanned;
use crate::position::Position;

/// Most games that a thread plays before it tells how they went.
const MOST_AT_ONCE: u64 = 256;

/// Characters of the longest bar of a histogram.
const LONGEST_BAR: f64 = 40.0;

/// Games in a row, told by the thread that played them: up to the first that failed.
struct Told {
    first: u64,
    results: Vec<Result<(Played, Option<String>), Error>>,
}

/// What is heard from the threads.
pub enum News<'a> {
    /// A game is over; its record.
    Over(Option<&'a str>),
    /// Nothing for a while.
    Nothing,
}

/// A result as it is printed.
#[derive(Serialize)]
pub struct Output {
    game: String,
    /// Fewer games than were asked for, as the run was interrupted.
    partial: bool,
    seed: u64,
    max_turns: u32,
    #[serde(flatten)]
    summary: Summary,
    executor: String,
    /// Measured, so different in each run.
    seconds: f64,
    games_per_second: f64,
}

/// What a run was told, and whether it came to its end.
pub struct RunHeader {
    pub partial: bool,
    pub seed: u64,
    pub max_turns: u32,
}

impl Output {
    pub fn new(game: &Game, tally: &Tally, header: RunHeader, executor: &str, seconds: f64) -> Output {
        Output {
            game: game.name().to_string(),
            partial: header.partial,
            seed: header.seed,
            max_turns: header.max_turns,
            summary: tally.summary(game.model()),
            executor: executor.to_string(),
            seconds,
            games_per_second: tally.games() as f64 / seconds.max(1e-9),
        }
    }
}

/// What a run of one game has come to.
struct Ran {
    tally: Tally,
    executor: &'static str,
    seconds: f64,
    /// Fewer games than were asked for, as the run was interrupted.
    partial: bool,
    is_stdout_taken: bool,
}

pub fn run(args: &SimulateArgs) -> Outcome {
    let entries = sweep::entries(args)?;
    if let Some(path) = &args.out {
        return match entries.as_slice() {
            [entry] => crate::cli::shard::run(args, &entry.game, path),
            _ => Err(Failure::usage(String::from("`--out` writes the counts of one game, and these are several"))),
        };
    }
    if let [entry] = entries.as_slice() {
        return run_one(args, entry);
    }
    if args.record.is_some() {
        return Err(Failure::usage(String::from("`--record` writes the games of one game, and these are several")));
    }
    let enough = crate::cli::interruption();
    let (mut played, mut partial) = (Vec::new(), false);
    for entry in &entries {
        if enough.load(Ordering::Relaxed) {
            partial = true;
            break;
        }
        let ran = play(&entry.game, args, enough)?;
        partial |= ran.partial;
        played.push((entry, ran.tally));
    }
    let compared = sweep::compared(args, &played, partial);
    let text = match (args.json, args.csv) {
        (true, _) => json_text(&compared)?,
        (_, true) => sweep::csv(&compared),
        _ => sweep::table(&compared, entries.first().map_or("", |entry| entry.game.title())),
    };
    crate::cli::print(&text)?;
    Ok(if partial { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

fn json_text(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map(|text| text + "\n").map_err(|error| Failure::usage(error.to_string()))
}

fn run_one(args: &SimulateArgs, entry: &Entry) -> Outcome {
    let game = &entry.game;
    let ran = play(game, args, crate::cli::interruption())?;
    let header = RunHeader { partial: ran.partial, seed: args.game.seed, max_turns: args.max_turns };
    let output = Output::new(game, &ran.tally, header, ran.executor, ran.seconds);
    let text = match (args.json, args.csv) {
        (true, _) => json_text(&output)?,
        (_, true) => sweep::csv(&sweep::compared(args, &[(entry, ran.tally)], ran.partial)),
        _ => table(&output, args.position.as_deref()),
    };
    match ran.is_stdout_taken {
        true => anstream::stderr().write_all(text.as_bytes())?,
        false => crate::cli::print(&text)?,
    }
    Ok(if ran.partial { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// What a simulation is told by its arguments.
///
/// # Errors
/// A position that cannot be read; an executor that cannot play.
pub fn plan(game: &Game, args: &SimulateArgs) -> Result<Plan, Failure> {
    let begin = args.position.as_deref().map(|text| crate::cli::position(game, &args.game, Some(text))).transpose()?;
    let start = begin.map(|position| position.state().clone());
    let engine = engine(game, args, start.as_ref())?;
    Ok(Plan {
        prepared: prepared(game, engine.as_ref(), args)?,
        // Who asks for the batch executor gets it, however few lanes go together.
        lanes: args.lanes.map(usize::from).or(args.executor.is_some().then_some(batch::DEFAULT_LANES)),
        engine,
        first: 0,
        games: args.games,
        threads: args.threads.map_or_else(processors, usize::from),
        terms: Terms { max_turns: args.max_turns, seed: args.game.seed, setup: args.game.setup, start },
        record: args.record.is_some(),
        positions: true,
        details: args.details,
    })
}

/// Who plays by a plan.
pub fn executor(plan: &Plan) -> &'static str {
    match plan.engine {
        Some(_) if plan.prepared.is_some() => "batch",
        Some(_) => "scalar",
        None => "reference",
    }
}

/// Plays the games of a plan without a record of each; `done` is told how many more are over.
///
/// # Errors
/// A fault of the rules.
pub fn play_all(game: &Game, plan: &Plan, enough: &AtomicBool, mut done: impl FnMut(u64)) -> Result<Tally, Error> {
    match &plan.prepared {
        Some(prepared) => crate::cli::batches::simulate(game, plan, prepared, enough, done),
        None => simulate(game, plan, enough, std::convert::identity, |news| {
            done(u64::from(matches!(news, News::Over(_))));
            Ok(())
        }),
    }
}

/// Plays the games of one game.
fn play(game: &Game, args: &SimulateArgs, enough: &AtomicBool) -> Result<Ran, Failure> {
    let mut plan = plan(game, args)?;
    let mut file = match &args.record {
        Some(path) if args.append => {
            let (file, recorded) = RecordFile::append(path, game, plan.terms.seed)?;
            expect_same_games(game, &plan, path, &recorded)?;
            plan.first = recorded.games;
            Some(file)
        }
        Some(path) => Some(RecordFile::create(path, game)?),
        None => None,
    };
    let begun = Instant::now();
    let bar = progress(plan.games);
    let failed = |error| crate::cli::failure(game, error, None);
    let mut tally = match &mut file {
        None => play_all(game, &plan, enough, |games| bar.inc(games)).map_err(failed),
        Some(file) => simulate(game, &plan, enough, failed, |news| {
            bar.inc(u64::from(matches!(news, News::Over(_))));
            match news {
                News::Over(Some(line)) => file.push(line),
                _ => file.tick(),
            }
        }),
    };
    bar.finish_and_clear();
    let is_stdout_taken = file.as_ref().is_some_and(RecordFile::is_stdout);
    if let Some(mut file) = file {
        tally = tally.and_then(|tally| file.finish().map(|()| tally));
        tally = tally.map_err(|failure| file.give_up(failure));
    }
    let tally = tally?;
    let executor = executor(&plan);
    let (seconds, partial) = (begun.elapsed().as_secs_f64(), tally.games() < plan.games);
    Ok(Ran { tally, executor, seconds, partial, is_stdout_taken })
}

/// The plan to play by; none if the reference executor is to play, or has to.
fn engine(game: &Game, args: &SimulateArgs, start: Option<&Position>) -> Result<Option<Engine>, Failure> {
    let is_within_turn = start.is_some_and(|start| !start.begun().is_empty());
    match args.executor {
        Some(SimulatorArg::Reference) => return Ok(None),
        None if is_within_turn => return Ok(None),
        Some(_) if is_within_turn => {
            let why = "the position is in the middle of a turn: the reference executor alone goes on from there";
            return Err(Failure::usage(String::from(why)));
        }
        _ => {}
    }
    match (game.engine(), args.executor) {
        (Ok(engine), _) => Ok(Some(engine)),
        (Err(_), None | Some(SimulatorArg::Reference)) => Ok(None),
        (Err(why), Some(_)) => Err(crate::cli::unplanned(game, &why)),
    }
}

/// What plays many games at a time, if that is wanted, or is likely to be the fastest.
fn prepared(game: &Game, engine: Option<&Engine>, args: &SimulateArgs) -> Result<Option<Arc<dyn Prepared>>, Failure> {
    match (engine, args.executor) {
        (None, _) | (_, Some(SimulatorArg::Reference | SimulatorArg::Scalar)) => Ok(None),
        // The scalar executor plays the same games, and can tell their moves.
        _ if args.record.is_some() || args.details => Ok(None),
        (Some(engine), None) => Ok(prepared_if_fast(engine)),
        (Some(engine), Some(_)) => batch::prepare(engine).map(Some).map_err(|why| crate::cli::unbatched(game, why)),
    }
}

/// What plays in lock step, where that is likely to be the fastest.
fn prepared_if_fast(engine: &Engine) -> Option<Arc<dyn Prepared>> {
    let is_fast = batch::fits(engine).is_ok_and(|fit| fit.slow.is_none());
    if is_fast { batch::prepare(engine).ok() } else { None }
}

/// The plan that is played by where nothing else is asked for: a random game by the fastest executor, on one thread. Or why the
/// reference executor has to play.
pub fn usual_plan(game: &Game) -> (Plan, Option<Unplanned>) {
    let (engine, why) = match game.engine() {
        Ok(engine) => (Some(engine), None),
        Err(why) => (None, Some(why)),
    };
    let plan = Plan {
        prepared: engine.as_ref().and_then(prepared_if_fast),
        lanes: None,
        engine,
        first: 0,
        games: 1,
        threads: 1,
        terms: Terms { max_turns: MAX_TURNS, seed: 1, setup: None, start: None },
        record: false,
        positions: true,
        details: false,
    };
    (plan, why)
}

/// The last game of a record is played once more: it must go the same way by these rules, params and
/// bounds.
fn expect_same_games(game: &Game, plan: &Plan, path: &Path, recorded: &Recorded) -> Result<(), Failure> {
    let (Some(number), Some(last)) = (recorded.games.checked_sub(1), &recorded.last) else { return Ok(()) };
    let played = Table::new(game, plan).play(number).map_err(|error| crate::cli::failure(game, error, None))?;
    if played.1.as_ref() != Some(last) {
        let why = "its last game goes another way by these rules and options";
        return Err(Failure::usage(format!("cannot go on with `{}`: {why}", path.display())));
    }
    Ok(())
}

pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

pub fn progress(games: u64) -> ProgressBar {
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

/// Plays all games; `done` is called for each, in the order of their numbers, with its record. The
/// first fault, by number, ends it, as `failed` tells it; so does `enough`, with what is over by then.
pub fn simulate<E>(
    game: &Game,
    plan: &Plan,
    enough: &AtomicBool,
    failed: impl Fn(Error) -> E,
    mut done: impl FnMut(News<'_>) -> Result<(), E>,
) -> Result<Tally, E> {
    let next = AtomicU64::new(plan.first);
    let stop = AtomicBool::new(false);
    let (tell, told) = mpsc::sync_channel::<Told>(1024);
    std::thread::scope(|scope| {
        for _ in 0..plan.threads {
            let tell = tell.clone();
            let (next, stops) = (&next, [&stop, enough]);
            scope.spawn(move || play_many(game, plan, next, stops, &tell));
        }
        drop(tell);
        let result = gather(game, plan, &told, &failed, &mut done);
        stop.store(true, Ordering::Relaxed);
        // Threads that wait to be heard go on.
        drop(told);
        result
    })
}

fn gather<E>(
    game: &Game,
    plan: &Plan,
    told: &mpsc::Receiver<Told>,
    failed: &impl Fn(Error) -> E,
    done: &mut impl FnMut(News<'_>) -> Result<(), E>,
) -> Result<Tally, E> {
    let mut tally = Tally::new(game.model());
    let mut early = BTreeMap::new();
    let mut wanted = plan.first;
    loop {
        let some = match told.recv_timeout(FLUSH) {
            Ok(some) => some,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                done(News::Nothing)?;
                continue;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        };
        early.insert(some.first, some.results);
        while let Some(results) = early.remove(&wanted) {
            for result in results {
                let (played, record) = result.map_err(failed)?;
                tally.add(wanted, &played);
                done(News::Over(record.as_deref()))?;
                wanted += 1;
            }
        }
    }
    Ok(tally)
}

fn play_many(game: &Game, plan: &Plan, next: &AtomicU64, stops: [&AtomicBool; 2], tell: &mpsc::SyncSender<Told>) {
    let mut table = Table::new(game, plan);
    let stop = || stops.iter().any(|stop| stop.load(Ordering::Relaxed));
    // Games that are recorded are told as they end, and none is left out that was taken.
    let most = if plan.record { 1 } else { MOST_AT_ONCE };
    let at_once = (plan.games / (plan.threads as u64 * 8)).clamp(1, most);
    let end = plan.first.saturating_add(plan.games);
    while !stop() {
        let first = next.fetch_add(at_once, Ordering::Relaxed);
        if first >= end {
            return;
        }
        let mut results = Vec::new();
        for number in first..(first + at_once).min(end) {
            results.push(table.play(number));
            if results.last().is_some_and(Result::is_err) || stop() {
                break;
            }
        }
        if tell.send(Told { first, results }).is_err() {
            return;
        }
    }
}

/// The result as tables.
pub fn table(output: &Output, position: Option<&str>) -> String {
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
    let lengths = lengths_table(summary);
    let ends = ends_table(summary);
    let at_once = match (summary.turns.min, summary.turns.max) {
        _ if summary.unfinished.games == summary.games => "",
        (0, 0) if position.is_some() => "the game is over in this position\n\n",
        (0, 0) => "all games were over before the first turn: `lusoria check` tells why\n\n",
        (0, _) => "some games were over before the first turn\n\n",
        _ => "",
    };
    let is_any_over = summary.ends.iter().any(|end| end.games > 0);
    let from = if position.is_some() { " --position P" } else { "" };
    let again = match is_any_over {
        true => {
            format!("`lusoria draw GAME{from} --frames --seed {} --number N -o FILE.svg` shows game N\n\n", output.seed)
        }
        false => String::new(),
    };
    let details = summary.details.as_ref().map(|details| details_text(summary, details)).unwrap_or_default();
    let partial = if output.partial { " (partial: interrupted)" } else { "" };
    let estimated = if summary.branching_estimated { " (estimated from samples)" } else { "" };
    let branching = summary.mean_branching.map_or(String::from("-"), |mean| format!("{mean:.1}{estimated}"));
    format!(
        "{}: {} random games, seed {}{partial}\n\n{results}\n\n{at_once}{lengths}\nbranching factor {branching}\n\n{ends}\n\n{details}{again}{:.0} games a second ({} executor)\n",
        output.game, summary.games, output.seed, output.games_per_second, output.executor
    )
}

/// Turns and plies of games, with the percentiles of turns and their histogram.
fn lengths_table(summary: &Summary) -> String {
    let found = &summary.lengths;
    let percentiles = [found.p5, found.p25, found.median, found.p75, found.p95].map(|turns| turns.to_string());
    let mut lengths = plain_table(&["length", "mean", "min", "5 %", "25 %", "median", "75 %", "95 %", "max"]);
    let nothing = || [(); 5].map(|()| String::new());
    for (name, length, between) in [("turns", summary.turns, percentiles), ("plies", summary.plies, nothing())] {
        let (mean, least, most) = (format!("{:.1}", length.mean), length.min.to_string(), length.max.to_string());
        lengths.add_row([name.to_string(), mean, least].into_iter().chain(between).chain([most]));
    }
    let mut bars = plain_table(&["turns", "games", ""]);
    set_left(&mut bars, 2);
    let most = found.histogram.iter().map(|bar| bar.games).max().unwrap_or(0).max(1);
    for bar in &found.histogram {
        let range = if bar.from == bar.to { bar.from.to_string() } else { format!("{} - {}", bar.from, bar.to) };
        let width = (bar.games as f64 / most as f64 * LONGEST_BAR).ceil() as usize;
        bars.add_row([range, bar.games.to_string(), "#".repeat(width)]);
    }
    format!("{lengths}\n\n{bars}\n")
}

/// What `--details` has looked for.
fn details_text(summary: &Summary, details: &Details) -> String {
    let mut text = format!(
        "forced plies {:.1} %, capturing plies {:.1} %, captures a game {:.2}",
        100.0 * details.forced,
        100.0 * details.capturing,
        details.captures_a_game
    );
    if let Some(changes) = details.lead_changes {
        text += &format!(", changes of the lead a game {changes:.2}");
    }
    let mut through = plain_table(&["turns", "legal plies", ""]);
    set_left(&mut through, 2);
    let most = details.branching.iter().map(|one| one.legal).fold(1.0, f64::max);
    for one in &details.branching {
        let range = if one.from == one.to { one.from.to_string() } else { format!("{} - {}", one.from, one.to) };
        let width = (one.legal / most * LONGEST_BAR).ceil() as usize;
        through.add_row([range, format!("{:.1}", one.legal), "#".repeat(width)]);
    }
    let names = summary.players.iter().map(|one| format!("{} wins", one.player));
    let header: Vec<String> = [String::from("turns"), String::from("games")].into_iter().chain(names).collect();
    let mut wins = plain_table(&header.iter().map(String::as_str).collect::<Vec<_>>());
    for won in &details.wins_by_length {
        let range = if won.from == won.to { won.from.to_string() } else { format!("{} - {}", won.from, won.to) };
        let shares = won.wins.iter().map(|wins| format!("{:.1} %", 100.0 * ratio(*wins, won.games)));
        wins.add_row([range, won.games.to_string()].into_iter().chain(shares));
    }
    format!("{text}\n\n{through}\n\n{wins}\n\n")
}

/// The lines of `end`, each with its shortest and longest game.
fn ends_table(summary: &Summary) -> comfy_table::Table {
    let mut ends = plain_table(&["games", "shortest", "longest", "ended by", "at"]);
    let told =
        |extreme: Option<Extreme>| extreme.map_or("-".into(), |one| format!("{} (game {})", one.turns, one.game));
    for end in &summary.ends {
        let (shortest, longest) = (told(end.shortest), told(end.longest));
        ends.add_row([end.games.to_string(), shortest, longest, end.outcome.clone(), end.place.clone()]);
    }
    set_left(&mut ends, 3);
    ends
}

/// The first column to the left, the others to the right.
fn plain_table(header: &[&str]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING).set_header(header.to_vec());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn set_left(table: &mut comfy_table::Table, from: usize) {
    for column in table.column_iter_mut().skip(from) {
        column.set_cell_alignment(CellAlignment::Left);
    }
}
