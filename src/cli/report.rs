//! Command `report`: a game goes in; a page of measures, plots and pictures comes out, from games between players of
//! rising strength.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cli::args::ReportArgs;
use crate::cli::play::Plan;
use crate::cli::{Failure, INTERRUPTED, Outcome, contest, report_part};
use crate::game::{CoverageRun, Error, Game};
use crate::measures::counts::Counts;
use crate::measures::experiment::{BOOK_PART, COVERAGE_PART, RANDOM_PART};
use crate::measures::gathered;
use crate::measures::gathered::{Asked, Book, COVERED_GAMES, Gathered, Replay};
use crate::measures::material::material;
use crate::measures::page::page;
use crate::measures::playouts::Terms;
use crate::measures::study::Study;
use crate::measures::tally::Tally;
use crate::sort;

/// How long a report takes, unless it is said.
const USUAL_TIME: Duration = Duration::from_secs(60);
/// Plies that are played between two looks at the clock.
const PLIES_OF_A_LOOK: u32 = 8;
/// Between two looks at the clock.
const LOOK: Duration = Duration::from_millis(20);

/// When to stop: what is asked while games are played.
struct Clock<'a> {
    begun: Instant,
    limit: Option<Duration>,
    interrupted: &'a AtomicBool,
    stop: AtomicBool,
    random: AtomicBool,
    done: AtomicBool,
}

impl<'a> Clock<'a> {
    fn new(limit: Option<Duration>, interrupted: &'a AtomicBool) -> Clock<'a> {
        let flag = || AtomicBool::new(false);
        Clock { begun: Instant::now(), limit, interrupted, stop: flag(), random: flag(), done: flag() }
    }

    fn is_past(&self, part: f64) -> bool {
        self.interrupted.load(Ordering::Relaxed)
            || self.limit.is_some_and(|limit| self.begun.elapsed() >= limit.mul_f64(part))
    }

    fn watch(&self) {
        while !self.done.load(Ordering::Relaxed) {
            self.random.store(self.is_past(RANDOM_PART), Ordering::Relaxed);
            if self.is_past(1.0) {
                self.stop.store(true, Ordering::Relaxed);
            }
            std::thread::sleep(LOOK);
        }
    }
}

pub fn run(args: &ReportArgs) -> Outcome {
    if let Some(path) = &args.at.out {
        return report_part::run(args, &args.at, path);
    }
    if args.json && args.output.as_deref() == Some(Path::new("-")) {
        return Err(Failure::usage(String::from("`-o -` and `--json` both want the standard output")));
    }
    if args.output.is_none() && !args.json {
        return Err(Failure::usage(String::from(
            "say where the page goes, `-o report.html`, or `--json` for the numbers",
        )));
    }
    args.output.iter().try_for_each(|path| Failure::require_folder(path))?;
    let game = crate::cli::select::load(&args.game)?.with_plan();
    let interrupted = crate::cli::interruption();
    let (asked, threads) = (asked(args), args.threads.map(usize::from));
    let goes = (args.output.as_deref(), args.json);
    let time = args.time.or(args.games.is_none().then_some(USUAL_TIME));
    let clock = Clock::new(time, interrupted);
    let gathered = watched(&game, &asked, threads, &clock, &mut |_| {})
        .map_err(|error| crate::cli::failure(&game, error, None))?;
    let is_interrupted = interrupted.load(Ordering::Relaxed);
    tell(&game, &args.game.game, (&asked, args.time), &gathered, is_interrupted, goes)?;
    Ok(if interrupted.load(Ordering::Relaxed) { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Plays as much as there is time for, while the clock is watched. `done` is told how many more games are over.
fn watched(
    game: &Game,
    asked: &Asked,
    threads: Option<usize>,
    clock: &Clock<'_>,
    done: &mut dyn FnMut(u64),
) -> Result<Gathered, Error> {
    std::thread::scope(|scope| {
        scope.spawn(|| clock.watch());
        let gathered = gather(game, asked, threads, clock, done);
        clock.done.store(true, Ordering::Relaxed);
        gathered
    })
}

/// The numbers of a report, and its page. `done` is told how many more games are over.
///
/// # Errors
/// A fault of the rules.
pub fn made(
    game: &Game,
    name: &str,
    asked: &Asked,
    (time, threads): (Option<Duration>, Option<usize>),
    stop: &AtomicBool,
    done: &mut dyn FnMut(u64),
) -> Result<(Study, String), Error> {
    let limit = time.or(asked.games.is_none().then_some(USUAL_TIME));
    let clock = Clock::new(limit, stop);
    let gathered = watched(game, asked, threads, &clock, done)?;
    let (study, replay) = study(game, asked, &gathered, stop.load(Ordering::Relaxed));
    let material = material(
        game,
        (asked, gathered::command(name, asked, time.unwrap_or(USUAL_TIME).as_secs_f64())),
        &study,
        replay.samples(),
    )?;
    let page = page(&study, &material);
    Ok((study, page))
}

/// What the arguments ask for.
pub fn asked(args: &ReportArgs) -> Asked {
    Asked {
        seed: args.game.seed,
        setup: args.game.setup,
        games: args.games,
        playouts: args.playouts.clone(),
        max_turns: args.max_turns,
    }
}

/// What was gathered, as a report tells it; with the games that were measured.
fn study(game: &Game, asked: &Asked, gathered: &Gathered, is_interrupted: bool) -> (Study, Replay) {
    let mut replay = Replay::new(game, asked, gathered);
    while replay.step() {}
    (gathered::study(game, asked, gathered, &replay, is_interrupted), replay)
}

/// Makes the report of what was gathered, and writes it to a page or as data.
///
/// # Errors
/// A fault of the rules, a file that cannot be written.
pub fn tell(
    game: &Game,
    name: &str,
    (asked, time): (&Asked, Option<Duration>),
    gathered: &Gathered,
    is_interrupted: bool,
    (output, as_data): (Option<&Path>, bool),
) -> Result<(), Failure> {
    let (study, replay) = study(game, asked, gathered, is_interrupted);
    if let Some(output) = output {
        let material = material(
            game,
            (asked, gathered::command(name, asked, time.unwrap_or(USUAL_TIME).as_secs_f64())),
            &study,
            replay.samples(),
        );
        write(output, &page(&study, &material.map_err(|error| crate::cli::failure(game, error, None))?))?;
    }
    if as_data { crate::cli::print_json(&study) } else { Ok(()) }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if path == Path::new("-") {
        return crate::cli::print(text);
    }
    std::fs::write(path, text).map_err(|error| Failure::cannot_write(path, &error))
}

/// Plays as much as there is time for.
fn gather(
    game: &Game,
    asked: &Asked,
    threads: Option<usize>,
    clock: &Clock<'_>,
    done: &mut dyn FnMut(u64),
) -> Result<Gathered, Error> {
    let threads = threads.unwrap_or_else(crate::cli::simulate::processors);
    let random = random_games(game, asked, (0, asked.random_games()), threads, &clock.random, &mut *done)?;
    let covered = covered(game, asked, clock)?;
    let mut book = Book::new(game, asked)?;
    book.search(&mut || !clock.is_past(BOOK_PART))?;
    let players = gathered::contest(game, asked);
    let mut played = Vec::new();
    let tasks = 0..players.tasks_of(asked.rounds());
    contest::play(
        &players,
        tasks,
        |_| false,
        threads,
        &clock.stop,
        std::convert::identity,
        |number, games| {
            done(games.len() as u64);
            played.push((number, games));
            Ok(())
        },
    )?;
    sort::by_key(&mut played, |(number, _)| *number);
    Ok(Gathered { random, covered: Counts::of(&covered.coverage()), book: Some(book.lines()), played })
}

/// Plays the random games of some numbers: from the first, before the second.
///
/// # Errors
/// A fault of the rules.
pub fn random_games(
    game: &Game,
    asked: &Asked,
    (first, end): (u64, u64),
    threads: usize,
    enough: &AtomicBool,
    done: impl FnMut(u64),
) -> Result<Tally, Error> {
    let plan = Plan {
        first,
        games: end - first,
        threads,
        terms: Terms { max_turns: asked.max_turns, seed: asked.seed, setup: asked.setup, start: None },
        ..crate::cli::simulate::usual_plan(game).0
    };
    crate::cli::simulate::play_all(game, &plan, enough, done)
}

/// Plays random games to see which rules they use, while there is time.
fn covered(game: &Game, asked: &Asked, clock: &Clock<'_>) -> Result<CoverageRun, Error> {
    let mut run = CoverageRun::new(game, asked.exercise(0), asked.setup);
    while run.games() < COVERED_GAMES && !clock.is_past(COVERAGE_PART) {
        run.play(PLIES_OF_A_LOOK)?;
    }
    Ok(run)
}
