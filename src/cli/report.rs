//! Command `report`: a game goes in; a page of measures, plots and pictures comes out, from games between players of
//! rising strength.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cli::args::ReportArgs;
use crate::cli::contest::{Contest, Played, Task};
use crate::cli::opponent::{Budget, Spec};
use crate::cli::play::Plan;
use crate::cli::tally::Tally;
use crate::cli::{Failure, INTERRUPTED, Outcome};
use crate::draw;
use crate::draw::{Marks, PictureOptions};
use crate::game::{CoverageRun, Error, Exercise, Game};
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
const COVERED_GAMES: u64 = 100;
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
struct Clock {
    begun: Instant,
    limit: Option<Duration>,
    interrupted: &'static AtomicBool,
    stop: AtomicBool,
    random: AtomicBool,
    done: AtomicBool,
}

impl Clock {
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
    if args.json && args.output.as_deref() == Some(Path::new("-")) {
        return Err(Failure::usage(String::from("`-o -` and `--json` both want the standard output")));
    }
    if args.output.is_none() && !args.json {
        return Err(Failure::usage(String::from(
            "say where the page goes, `-o report.html`, or `--json` for the numbers",
        )));
    }
    let game = crate::cli::select::load(&args.game)?.with_plan();
    let limit = args.time.or(args.games.is_none().then_some(USUAL_TIME));
    let clock = Clock {
        begun: Instant::now(),
        limit,
        interrupted: crate::cli::interruption(),
        stop: AtomicBool::new(false),
        random: AtomicBool::new(false),
        done: AtomicBool::new(false),
    };
    let made = std::thread::scope(|scope| {
        scope.spawn(|| clock.watch());
        let made = make(&game, args, &clock);
        clock.done.store(true, Ordering::Relaxed);
        made
    });
    let (study, samples) = made?;
    if let Some(output) = &args.output {
        let material =
            material(&game, args, &study, &samples).map_err(|error| crate::cli::failure(&game, error, None))?;
        write(output, &page(&study, &material))?;
    }
    if args.json {
        crate::cli::print_json(&study)?;
    }
    let interrupted = clock.interrupted.load(Ordering::Relaxed);
    Ok(if interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if path == Path::new("-") {
        return crate::cli::print(text);
    }
    std::fs::write(path, text).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// Plays and counts; with the games that were measured.
fn make(game: &Game, args: &ReportArgs, clock: &Clock) -> Result<(Study, Vec<Sample>), Failure> {
    let fail = |error: Error| crate::cli::failure(game, error, None);
    let contest = contest(game, args);
    let random = random_games(game, args, clock)?;
    let mut run = covered(game, args, clock).map_err(fail)?;
    let covered = run.games();
    let book = book(game, args, clock).map_err(fail)?;
    let rounds = args.games.unwrap_or(MOST_ROUNDS);
    let threads = args.threads.map_or_else(crate::cli::simulate::processors, usize::from);
    let played = contest.play(rounds, threads, &clock.stop).map_err(fail)?;
    let asked = random_asked(args);
    let is_partial =
        random.games() < asked || covered < COVERED_GAMES || (played.len() as u64) < contest.tasks_of(rounds);
    let (samples, measured) = measured(&contest, &played);
    replay(game, &mut run, &samples);
    let mut levels = levels(game, &contest, &played);
    levels.splice(0..1, [random_level(game, &random)]);
    let cells = game.model().topology.len();
    let searched = searched(&contest, &played);
    let turns: Vec<u64> = samples.iter().map(|sample| sample.turns).collect();
    let mut study = Study {
        game: game.name().to_string(),
        players: game.players().into_iter().map(str::to_string).collect(),
        seed: args.game.seed,
        max_turns: args.max_turns,
        partial: args.games.is_some() && is_partial || clock.interrupted.load(Ordering::Relaxed),
        findings: Vec::new(),
        levels,
        matches: matches(&contest, &played),
        measured,
        samples: samples.len(),
        measures: measures(&samples, game.players().len(), cells),
        lengths: study::bars(&turns),
        branching: study::branching(&samples),
        prospects: study::curves(&samples),
        reached: study::heat(&samples, cells, |ply| &ply.reached),
        captured: study::heat(&samples, cells, |ply| &ply.captured),
        openings: study::openings(&searched),
        book,
        coverage: study::Covered::of(&run.coverage()),
    };
    study.findings = findings(&study);
    Ok((study, samples))
}

/// Who plays whom. Unlike players are held against each other in games for two.
fn contest<'a>(game: &'a Game, args: &ReportArgs) -> Contest<'a> {
    let searching = args.playouts.iter().map(|playouts| Spec::Mcts(Budget::Playouts(*playouts)));
    let levels: Vec<Spec> = [Spec::Random, Spec::Greedy].into_iter().chain(searching).collect();
    let mut pairs = Vec::new();
    if game.players().len() == 2 {
        pairs.extend(levels.windows(2).map(|two| (two[1], two[0], false)));
        let middle = args.playouts.get(args.playouts.len() / 2).copied().unwrap_or(1);
        let twice = |factor: u64| Spec::Mcts(Budget::Playouts(middle.saturating_mul(factor)));
        pairs.push((twice(2), twice(1), true));
    }
    Contest { game, levels, pairs, seed: args.game.seed, setup: args.game.setup, max_turns: args.max_turns }
}

fn random_asked(args: &ReportArgs) -> u64 {
    args.games.map_or(MOST_RANDOM, |games| games.saturating_mul(RANDOM_GAMES).min(MOST_RANDOM))
}

fn random_games(game: &Game, args: &ReportArgs, clock: &Clock) -> Result<Tally, Failure> {
    let plan = Plan {
        games: random_asked(args),
        threads: args.threads.map_or_else(crate::cli::simulate::processors, usize::from),
        max_turns: args.max_turns,
        seed: args.game.seed,
        setup: args.game.setup,
        ..crate::cli::simulate::usual_plan(game).0
    };
    let played = crate::cli::simulate::play_all(game, &plan, &clock.random, |_| {});
    played.map_err(|error| crate::cli::failure(game, error, None))
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

/// The first moves, as a long search from the start sees them.
fn book(game: &Game, args: &ReportArgs, clock: &Clock) -> Result<Vec<BookLine>, Error> {
    let most = args.playouts.iter().max().copied().unwrap_or(1).saturating_mul(BOOK_FACTOR);
    let start = start(game, args)?;
    if start.is_chance_next() {
        return Ok(Vec::new());
    }
    let mut tree = Mcts::new(start, Options { seed: args.game.seed, memory: 1 << 28, ..Options::default() });
    tree.search(|progress| progress.playouts < most && !clock.is_past(BOOK_PART))?;
    let lines = tree.analysis().lines.into_iter().filter(|line| line.visits > 0).take(BOOK_LINES);
    let told = |line: crate::player::Line| BookLine {
        moves: line.moves.into_iter().take(5).collect(),
        value: line.value,
        proven: line.proven.is_some(),
        playouts: line.visits,
    };
    Ok(lines.map(told).collect())
}

fn start(game: &Game, args: &ReportArgs) -> Result<crate::game::Position, Error> {
    match args.game.setup {
        Some(number) => game.start_numbered(number),
        None => game.start(args.game.seed),
    }
}

/// Plays random games to see which rules they use, while there is time.
fn covered(game: &Game, args: &ReportArgs, clock: &Clock) -> Result<CoverageRun, Error> {
    let exercise = Exercise { games: COVERED_GAMES, seed: args.game.seed, max_turns: args.max_turns, examples: false };
    let mut run = CoverageRun::new(game, exercise, args.game.setup);
    while run.games() < COVERED_GAMES && !clock.is_past(COVERAGE_PART) {
        run.play(PLIES_OF_A_LOOK)?;
    }
    Ok(run)
}

/// Plays games again that were played by others.
fn replay(game: &Game, run: &mut CoverageRun, samples: &[Sample]) {
    let game = game.without_plan();
    for sample in samples.iter().take(COVERED_GAMES as usize) {
        if let Ok(start) = game.position(&sample.start) {
            run.replay(&start, sample.plies.iter().map(|ply| ply.text.as_str()));
        }
    }
}

/// Pictures and texts of the page.
fn material(game: &Game, args: &ReportArgs, study: &Study, samples: &[Sample]) -> Result<Material, Error> {
    let begun = start(game, args)?;
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
        command: command(args),
        version: env!("CARGO_PKG_VERSION").to_string(),
    })
}

/// The command that makes the same report.
fn command(args: &ReportArgs) -> String {
    let mut text = format!("lusoria report {} --seed {}", args.game.game, args.game.seed);
    match (args.games, args.time) {
        (Some(games), _) => text += &format!(" --games {games}"),
        (None, time) => text += &format!(" --time {}s", time.unwrap_or(USUAL_TIME).as_secs_f64()),
    }
    text
}
