//! Command `report`: a game goes in; a page of measures, plots and pictures comes out, from games between players of
//! rising strength.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::cli::args::ReportArgs;
use crate::cli::contest::{Contest, Played, Task};
use crate::cli::coverage_part::Counts;
use crate::cli::opponent::{Budget, Spec};
use crate::cli::play::Plan;
use crate::cli::tally::Tally;
use crate::cli::{Failure, INTERRUPTED, Outcome, report_part};
use crate::draw;
use crate::draw::{Marks, PictureOptions};
use crate::game::{Coverage, CoverageRun, Error, Exercise, Game};
use crate::measures::findings::findings;
use crate::measures::games::Sample;
use crate::measures::page::{Material, page};
use crate::measures::quality::measures;
use crate::measures::study;
use crate::measures::study::{BookLine, Level, Match, Share, Study};
use crate::player::{Mcts, Options};

/// How long a report takes, unless it is said.
const USUAL_TIME: Duration = Duration::from_secs(60);
/// Parts of that time by which random games, the look for idle rules, and the opening book are over.
const RANDOM_PART: f64 = 0.1;
const COVERAGE_PART: f64 = 0.2;
const BOOK_PART: f64 = 0.3;
/// Random games for each game of other players, and at most so many.
const RANDOM_GAMES: u64 = 50;
const MOST_RANDOM: u64 = 10_000;
/// Games that are looked at for rules that are never used.
pub const COVERED_GAMES: u64 = 100;
/// Plies that are played between two looks at the clock.
const PLIES_OF_A_LOOK: u32 = 8;
/// Rounds of games, where time bounds them.
const MOST_ROUNDS: u64 = 500;
/// Games that are enough to measure a level by.
const ENOUGH: usize = 4;
/// Playouts of the opening book, as a multiple of the strongest player's for a move, and its lines.
const BOOK_FACTOR: u64 = 20;
const BOOK_LINES: usize = 10;
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
    let game = crate::cli::select::load(&args.game)?.with_plan();
    let interrupted = crate::cli::interruption();
    let (asked, threads) = (Asked::of(args), args.threads.map(usize::from));
    let goes = (args.output.as_deref(), args.json);
    let time = args.time.or(args.games.is_none().then_some(USUAL_TIME));
    let clock = Clock::new(time, interrupted);
    let gathered = watched(&game, &asked, threads, &clock).map_err(|error| crate::cli::failure(&game, error, None))?;
    tell(&game, &args.game.game, (&asked, args.time), &gathered, &clock, goes)?;
    Ok(if interrupted.load(Ordering::Relaxed) { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Plays as much as there is time for, while the clock is watched.
fn watched(game: &Game, asked: &Asked, threads: Option<usize>, clock: &Clock<'_>) -> Result<Gathered, Error> {
    std::thread::scope(|scope| {
        scope.spawn(|| clock.watch());
        let gathered = gather(game, asked, threads, clock);
        clock.done.store(true, Ordering::Relaxed);
        gathered
    })
}

/// The numbers of a report, and its page.
///
/// # Errors
/// A fault of the rules.
pub fn made(
    game: &Game,
    name: &str,
    asked: &Asked,
    (time, threads): (Option<Duration>, Option<usize>),
    stop: &AtomicBool,
) -> Result<(Study, String), Error> {
    let limit = time.or(asked.games.is_none().then_some(USUAL_TIME));
    let clock = Clock::new(limit, stop);
    let gathered = watched(game, asked, threads, &clock)?;
    let (study, samples) = study(game, asked, &gathered, &clock);
    let material = material(game, (asked, command(name, asked, time)), &study, &samples)?;
    let page = page(&study, &material);
    Ok((study, page))
}

/// Whether somebody has had enough.
pub trait Interruption {
    fn is_met(&self) -> bool;
}

/// Nobody has.
pub struct Never;

impl Interruption for Never {
    fn is_met(&self) -> bool {
        false
    }
}

impl Interruption for Clock<'_> {
    fn is_met(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// What the games of a report depend on, besides the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    pub seed: u64,
    pub setup: Option<u64>,
    /// Rounds of games; `None`: as many as there is time for.
    pub games: Option<u64>,
    /// Of the searching players for a move, from the weakest to the strongest.
    pub playouts: Vec<u64>,
    pub max_turns: u32,
}

impl Asked {
    pub fn of(args: &ReportArgs) -> Asked {
        Asked {
            seed: args.game.seed,
            setup: args.game.setup,
            games: args.games,
            playouts: args.playouts.clone(),
            max_turns: args.max_turns,
        }
    }

    /// How many random games are played.
    pub fn random_games(&self) -> u64 {
        self.games.map_or(MOST_RANDOM, |games| games.saturating_mul(RANDOM_GAMES).min(MOST_RANDOM))
    }

    fn rounds(&self) -> u64 {
        self.games.unwrap_or(MOST_ROUNDS)
    }

    /// The random games that are looked at for rules that are never used, from one on.
    pub fn exercise(&self, first: u64) -> Exercise {
        Exercise { first, games: COVERED_GAMES, seed: self.seed, max_turns: self.max_turns, examples: false }
    }
}

/// What was played and found, from which a report is made.
#[derive(Serialize, Deserialize)]
pub struct Gathered {
    pub random: Tally,
    pub covered: Counts,
    /// `None`: the search has not come to its end.
    pub book: Option<Vec<FoundLine>>,
    /// Games of the contest by the number of their task.
    pub played: Vec<(u64, Played)>,
}

/// A first move as the book's search found it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FoundLine {
    moves: Vec<String>,
    /// The bits of a number, as readers of JSON may round a fraction.
    value: u64,
    proven: bool,
    playouts: u64,
}

impl FoundLine {
    fn told(&self) -> BookLine {
        let (moves, value) = (self.moves.clone(), f64::from_bits(self.value));
        BookLine { moves, value, proven: self.proven, playouts: self.playouts }
    }
}

impl Gathered {
    pub fn new(game: &Game) -> Gathered {
        Gathered { random: Tally::new(game.model()), covered: Counts::default(), book: None, played: Vec::new() }
    }

    /// Whether it can be of this game.
    pub fn fits(&self, game: &Game) -> bool {
        self.random.fits(game.model())
    }

    /// Takes in what others have gathered.
    pub fn take(&mut self, other: Gathered) {
        self.random.merge(&other.random);
        self.covered.include(other.covered.coverage());
        self.book = self.book.take().or(other.book);
        self.played.extend(other.played);
    }
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
    interruption: &dyn Interruption,
    (output, as_data): (Option<&Path>, bool),
) -> Result<(), Failure> {
    let (study, samples) = study(game, asked, gathered, interruption);
    if let Some(output) = output {
        let material = material(game, (asked, command(name, asked, time)), &study, &samples);
        write(output, &page(&study, &material.map_err(|error| crate::cli::failure(game, error, None))?))?;
    }
    if as_data { crate::cli::print_json(&study) } else { Ok(()) }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if path == Path::new("-") {
        return crate::cli::print(text);
    }
    std::fs::write(path, text).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// Plays as much as there is time for.
fn gather(game: &Game, asked: &Asked, threads: Option<usize>, clock: &Clock<'_>) -> Result<Gathered, Error> {
    let threads = threads.unwrap_or_else(crate::cli::simulate::processors);
    let random = random_games(game, asked, (0, asked.random_games()), threads, &clock.random)?;
    let covered = covered(game, asked, clock)?;
    let book = book(game, asked, || clock.is_past(BOOK_PART))?;
    let contest = contest(game, asked);
    let mut played = Vec::new();
    let tasks = 0..contest.tasks_of(asked.rounds());
    contest.play(
        tasks,
        |_| false,
        threads,
        &clock.stop,
        std::convert::identity,
        |number, games| {
            played.push((number, games));
            Ok(())
        },
    )?;
    played.sort_by_key(|(number, _)| *number);
    Ok(Gathered { random, covered: Counts::of(&covered.coverage()), book: Some(book), played })
}

/// What was gathered, as a report tells it; with the games that were measured.
fn study(game: &Game, asked: &Asked, gathered: &Gathered, interruption: &dyn Interruption) -> (Study, Vec<Sample>) {
    let contest = contest(game, asked);
    let (random, played) = (&gathered.random, gathered.played.as_slice());
    let is_partial = random.games() < asked.random_games()
        || gathered.covered.games() < COVERED_GAMES
        || (played.len() as u64) < contest.tasks_of(asked.rounds());
    let (samples, measured) = measured(&contest, played);
    let mut coverage = gathered.covered.coverage();
    coverage.include(replayed(game, asked, &samples));
    let mut levels = levels(game, &contest, played);
    levels.splice(0..1, [random_level(game, random)]);
    let cells = game.model().topology.len();
    let searched = searched(&contest, played);
    let turns: Vec<u64> = samples.iter().map(|sample| sample.turns).collect();
    let mut study = Study {
        game: game.name().to_string(),
        players: game.players().into_iter().map(str::to_string).collect(),
        seed: asked.seed,
        max_turns: asked.max_turns,
        partial: asked.games.is_some() && is_partial || interruption.is_met(),
        findings: Vec::new(),
        levels,
        matches: matches(&contest, played),
        measured,
        samples: samples.len(),
        measures: measures(&samples, game.players().len(), cells),
        lengths: study::bars(&turns),
        branching: study::branching(&samples),
        prospects: study::curves(&samples),
        reached: study::heat(&samples, cells, |ply| &ply.reached),
        captured: study::heat(&samples, cells, |ply| &ply.captured),
        openings: study::openings(&searched),
        book: gathered.book.iter().flatten().map(FoundLine::told).collect(),
        coverage: study::Covered::of(&coverage),
    };
    study.findings = findings(&study);
    (study, samples)
}

/// Who plays whom. Unlike players are held against each other in games for two.
pub fn contest<'a>(game: &'a Game, asked: &Asked) -> Contest<'a> {
    let searching = asked.playouts.iter().map(|playouts| Spec::Mcts(Budget::Playouts(*playouts)));
    let levels: Vec<Spec> = [Spec::Random, Spec::Greedy].into_iter().chain(searching).collect();
    let mut pairs = Vec::new();
    if game.players().len() == 2 {
        pairs.extend(levels.windows(2).map(|two| (two[1], two[0], false)));
        let middle = asked.playouts.get(asked.playouts.len() / 2).copied().unwrap_or(1);
        let twice = |factor: u64| Spec::Mcts(Budget::Playouts(middle.saturating_mul(factor)));
        pairs.push((twice(2), twice(1), true));
    }
    Contest { game, levels, pairs, seed: asked.seed, setup: asked.setup, max_turns: asked.max_turns }
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
) -> Result<Tally, Error> {
    let plan = Plan {
        first,
        games: end - first,
        threads,
        max_turns: asked.max_turns,
        seed: asked.seed,
        setup: asked.setup,
        ..crate::cli::simulate::usual_plan(game).0
    };
    crate::cli::simulate::play_all(game, &plan, enough, |_| {})
}

fn random_level(game: &Game, tally: &Tally) -> Level {
    let summary = tally.summary(game.model());
    let games = summary.games;
    Level {
        name: Spec::Random.to_string(),
        games,
        seats: summary.players.iter().map(|one| Share::of(one.wins, games)).collect(),
        draws: Share::of(summary.draws.games, games),
        unfinished: Share::of(summary.unfinished.games, games),
        mean_turns: summary.turns.mean,
    }
}

/// Games of equals, level by level.
fn levels(game: &Game, contest: &Contest<'_>, played: &[(u64, Played)]) -> Vec<Level> {
    let seats = game.players().len();
    let level = |(at, spec): (usize, &Spec)| {
        let own: Vec<&Sample> = contest.of_task(played, Task::Level(at)).flatten().collect();
        let games = own.len() as u64;
        let count = |wanted: &dyn Fn(&Sample) -> bool| own.iter().filter(|sample| wanted(sample)).count() as u64;
        let wins = |seat: usize| count(&|sample| sample.winners.as_ref().is_some_and(|all| all.contains(&seat)));
        Level {
            name: spec.to_string(),
            games,
            seats: (0..seats).map(|seat| Share::of(wins(seat), games)).collect(),
            draws: Share::of(count(&|sample| sample.winners.as_ref().is_some_and(Vec::is_empty)), games),
            unfinished: Share::of(count(&|sample| sample.winners.is_none()), games),
            mean_turns: own.iter().map(|sample| sample.turns as f64).sum::<f64>() / games.max(1) as f64,
        }
    };
    contest.levels.iter().enumerate().map(level).collect()
}

/// The games of the strongest level that has enough, and what it is called.
fn measured(contest: &Contest<'_>, played: &[(u64, Played)]) -> (Vec<Sample>, String) {
    let of = |at: usize| contest.of_task(played, Task::Level(at)).flatten().cloned().collect::<Vec<Sample>>();
    let all: Vec<(usize, Vec<Sample>)> = (0..contest.levels.len()).map(|at| (at, of(at))).collect();
    let most = all.iter().map(|(_, samples)| samples.len()).max().unwrap_or(0);
    let chosen = all.into_iter().rfind(|(_, samples)| samples.len() >= ENOUGH.min(most));
    let (at, samples) = chosen.unwrap_or_default();
    (samples, contest.levels.get(at).map(Spec::to_string).unwrap_or_default())
}

/// Games of equals that search.
fn searched(contest: &Contest<'_>, played: &[(u64, Played)]) -> Vec<Sample> {
    let wanted = (0..contest.levels.len()).filter(|at| matches!(contest.levels[*at], Spec::Mcts(_)));
    wanted.flat_map(|at| contest.of_task(played, Task::Level(at)).flatten().cloned().collect::<Vec<_>>()).collect()
}

fn matches(contest: &Contest<'_>, played: &[(u64, Played)]) -> Vec<Match> {
    let one = |(at, (stronger, weaker, doubling)): (usize, &(Spec, Spec, bool))| {
        // The stronger has the first seat in the first game of a pair, and the second in the other.
        let pairs = contest.of_task(played, Task::Pair(at));
        let points: Vec<f64> = pairs
            .flat_map(|pair| pair.iter().enumerate().map(|(seat, sample)| sample.points(seat)).collect::<Vec<_>>())
            .collect();
        Match::of((&stronger.to_string(), &weaker.to_string()), &points, *doubling)
    };
    study::judged(contest.pairs.iter().enumerate().map(one).collect())
}

/// The first moves, as a long search from the start sees them, which ends also when it is late.
///
/// # Errors
/// A set-up that cannot be completed, a fault of the rules.
pub fn book(game: &Game, asked: &Asked, is_late: impl Fn() -> bool) -> Result<Vec<FoundLine>, Error> {
    let most = asked.playouts.iter().max().copied().unwrap_or(1).saturating_mul(BOOK_FACTOR);
    let start = start(game, asked)?;
    if start.is_chance_next() {
        return Ok(Vec::new());
    }
    let mut tree = Mcts::new(start, Options { seed: asked.seed, memory: 1 << 28, ..Options::default() });
    tree.search(|progress| progress.playouts < most && !is_late())?;
    let lines = tree.analysis().lines.into_iter().filter(|line| line.visits > 0).take(BOOK_LINES);
    let told = |line: crate::player::Line| FoundLine {
        moves: line.moves.into_iter().take(5).collect(),
        value: line.value.to_bits(),
        proven: line.proven.is_some(),
        playouts: line.visits,
    };
    Ok(lines.map(told).collect())
}

fn start(game: &Game, asked: &Asked) -> Result<crate::game::Position, Error> {
    match asked.setup {
        Some(number) => game.start_numbered(number),
        None => game.start(asked.seed),
    }
}

/// Plays random games to see which rules they use, while there is time.
fn covered(game: &Game, asked: &Asked, clock: &Clock<'_>) -> Result<CoverageRun, Error> {
    let mut run = CoverageRun::new(game, asked.exercise(0), asked.setup);
    while run.games() < COVERED_GAMES && !clock.is_past(COVERAGE_PART) {
        run.play(PLIES_OF_A_LOOK)?;
    }
    Ok(run)
}

/// Plays games again that were played by others: the rules that they use.
fn replayed(game: &Game, asked: &Asked, samples: &[Sample]) -> Coverage {
    let game = game.without_plan();
    let mut run = CoverageRun::new(&game, asked.exercise(0), asked.setup);
    for sample in samples.iter().take(COVERED_GAMES as usize) {
        if let Ok(start) = game.position(&sample.start) {
            run.replay(&start, sample.plies.iter().map(|ply| ply.text.as_str()));
        }
    }
    run.coverage()
}

/// Pictures and texts of the page.
fn material(
    game: &Game,
    (asked, command): (&Asked, String),
    study: &Study,
    samples: &[Sample],
) -> Result<Material, Error> {
    let begun = start(game, asked)?;
    let options = PictureOptions::default();
    let mut boards =
        vec![(begun.marked_picture(&Marks::default(), &options)?.svg_within("a"), String::from("The game begins."))];
    if let Some(sample) = samples.iter().max_by_key(|sample| sample.plies.len().min(60)) {
        let plies = sample.plies.len();
        for (name, at) in [("b", plies / 2), ("c", plies)] {
            let Some((position, Some((before, played)))) = sample.position(game, at) else { continue };
            let marks = position.marks_behind(&before.now()?, Some(&played), before.mover())?;
            let who = before.chooser().unwrap_or("chance").to_string();
            let how = position.outcome_text().map(|text| format!(" {text}.")).unwrap_or_default();
            let caption = format!("A game between {}: {who} plays {played}, ply {at} of {plies}.{how}", study.measured);
            boards.push((position.marked_picture(&marks, &options)?.svg_within(name), caption));
        }
    }
    let state = begun.now()?;
    let heat = |values: &[f64], caption: &str| {
        let is_any = values.iter().any(|value| *value > 0.0);
        is_any.then(|| (draw::heat_map(game.model(), &state, values).svg(), caption.to_string()))
    };
    let reached = heat(&study.reached, "Where men come to stand: how often in a game.");
    let captured = heat(&study.captured, "Where men are captured or turned over: how often in a game.");
    let source = game.model().sources.get(crate::source::SourceId(1)).map(|source| source.text().to_string());
    Ok(Material {
        boards,
        heat: reached.into_iter().chain(captured).collect(),
        notes: game.model().about.clone(),
        sheet: Some(game.rule_sheet()).filter(|sheet| !sheet.parts.is_empty()),
        source: source.unwrap_or_default(),
        command,
        version: env!("CARGO_PKG_VERSION").to_string(),
    })
}

/// The command that makes the same report.
fn command(name: &str, asked: &Asked, time: Option<Duration>) -> String {
    let mut text = format!("lusoria report {name} --seed {}", asked.seed);
    match (asked.games, time) {
        (Some(games), _) => text += &format!(" --games {games}"),
        (None, time) => text += &format!(" --time {}s", time.unwrap_or(USUAL_TIME).as_secs_f64()),
    }
    text
}
