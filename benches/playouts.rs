//! Turns a second in random games of every shipped game: under the batch executor, the scalar one
//! and the reference one, and in an engine written by hand where there is one. They take turns at
//! playing, so that what else the machine does slows all alike.
//!
//! A fast wrong answer fails: the players must agree on how long games are and on how often the
//! first side wins.

mod baseline;
mod common;

use std::collections::BTreeMap;

use baseline::{Baseline, Games};
use common::{Args, finish, millions, seconds, table, three_digits};
use lusoria::batch::{Batch, From, Start, batch_by};
use lusoria::board::Player;
use lusoria::interp::{Playout, Session};
use lusoria::position::{Fault, FaultKind, Outcome, Position};
use lusoria::reference::{Executor, PlayError};
use lusoria::{Game, model};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Slices that the time of a player is cut into.
const SLICES: f64 = 10.0;
/// How often a player looks at the clock in a slice, about: many games at a time wait for the
/// longest of them then.
const LOOKS: f64 = 4.0;
/// Differences of means are forgiven up to so many standard errors.
const STANDARD_ERRORS: f64 = 5.0;
/// Fewer games have no mean to speak of.
const FEW_GAMES: u64 = 30;
/// Plies of a turn have no bound of their own, so a game has one.
const PLIES_A_TURN: u64 = 10_000;

/// By game: the least that the scalar executor must reach of what the engine written by hand does.
const BASELINE_BARS: [(&str, f64); 7] = [
    ("amazons", 0.3),
    ("breakthrough", 0.15),
    ("nine_mens_morris", 0.15),
    ("nine_mens_morris:forced removal", 0.15),
    ("othello", 0.2),
    ("pente", 0.15),
    ("pente:keryo-pente", 0.15),
];
/// By game: the least turns a second.
const TURN_BARS: [(&str, f64); 2] = [("chess", 1.5e6), ("xiangqi", 1.5e6)];
/// How much faster than the reference executor the scalar one must be, where a set is one word and
/// where it is more.
const REFERENCE_BARS: (f64, f64) = (20.0, 8.0);

/// Plays random games, one after the other.
trait Contender {
    /// What was played is added up, that before a fault too.
    fn play(&mut self, games: u64, played: &mut Games) -> Result<(), Fault>;
}

struct Scalar {
    runner: Box<dyn Session>,
    rng: Xoshiro256PlusPlus,
    max_turns: u32,
}

impl Contender for Scalar {
    fn play(&mut self, games: u64, played: &mut Games) -> Result<(), Fault> {
        for _ in 0..games {
            self.runner.restart();
            let went = self.runner.playout(&mut self.rng, u64::from(self.max_turns))?;
            assert!(
                went.outcome.is_some() || went.turns == u64::from(self.max_turns),
                "a game ended without an outcome"
            );
            add(played, went.turns, went.outcome);
        }
        Ok(())
    }
}

/// Many games at a time.
struct Batched {
    batch: Box<dyn Batch>,
    start: Position,
    seed: u64,
    max_turns: u32,
}

/// The games of one slice.
struct Queue<'a> {
    seeds: std::ops::Range<u64>,
    start: Option<Position>,
    played: &'a mut Games,
    fault: Option<Fault>,
}

impl lusoria::batch::Games for Queue<'_> {
    fn next(&mut self) -> Option<Start> {
        let seed = self.seeds.next()?;
        let begin = |start| From::Position(Box::new((start, Xoshiro256PlusPlus::seed_from_u64(seed))));
        Some(Start { number: seed, seed, from: self.start.take().map_or(From::Last, begin) })
    }

    fn done(&mut self, _: u64, went: Result<Playout, (Fault, Box<Position>)>) {
        match went {
            Ok(went) => add(self.played, went.turns, went.outcome),
            Err((fault, _)) => self.fault = Some(fault),
        }
    }

    fn refused(&mut self, _: u64) {
        panic!("the plan has no place for the start");
    }
}

impl Contender for Batched {
    fn play(&mut self, games: u64, played: &mut Games) -> Result<(), Fault> {
        // As many games as there are lanes at least, or lanes would stand idle.
        let games = games.max(4 * self.batch.lanes() as u64);
        let seeds = self.seed..self.seed + games;
        self.seed += games;
        let mut queue = Queue { seeds, start: Some(self.start.clone()), played, fault: None };
        self.batch.play(&mut queue, u64::from(self.max_turns));
        queue.fault.map_or(Ok(()), Err)
    }
}

struct Reference<'a> {
    game: &'a model::Game,
    start: Position,
    executor: Executor,
    rng: Xoshiro256PlusPlus,
    max_turns: u32,
}

impl Contender for Reference<'_> {
    fn play(&mut self, games: u64, played: &mut Games) -> Result<(), Fault> {
        for _ in 0..games {
            let (turns, outcome) = self.play_one()?;
            assert!(outcome.is_some() || turns == u64::from(self.max_turns), "a game ended without an outcome");
            add(played, turns, outcome);
        }
        Ok(())
    }
}

impl Reference<'_> {
    fn play_one(&mut self) -> Result<(u64, Option<Outcome>), Fault> {
        let mut position = self.start.clone();
        let (mut turns, mut plies) = (0, 0);
        while !position.is_over()
            && turns < u64::from(self.max_turns)
            && plies < PLIES_A_TURN * u64::from(self.max_turns)
        {
            let listed = self.executor.plies(self.game, &mut position)?;
            let chosen = &listed[self.rng.random_range(0..listed.len())];
            match self.executor.play(self.game, &mut position, chosen) {
                Err(PlayError::Fault(fault)) => return Err(fault),
                played => played.expect("it was listed a moment ago"),
            };
            plies += 1;
            turns += u64::from(chosen.ends_turn);
            position.forget();
        }
        Ok((turns, position.outcome()))
    }
}

struct ByHand {
    engine: Baseline,
    seed: u64,
}

impl Contender for ByHand {
    fn play(&mut self, games: u64, played: &mut Games) -> Result<(), Fault> {
        self.seed += 1;
        let more = (self.engine.playouts)(games, self.seed);
        played.games += more.games;
        played.turns += more.turns;
        played.squares += more.squares;
        played.first += more.first;
        Ok(())
    }
}

fn add(played: &mut Games, turns: u64, outcome: Option<Outcome>) {
    played.games += 1;
    played.turns += turns;
    played.squares += turns * turns;
    played.first += u64::from(outcome.is_some_and(|outcome| outcome.winners.iter().eq([Player(0)])));
}

/// A contender, and what it has done in which time.
struct Measured<'a> {
    contender: Box<dyn Contender + 'a>,
    played: Games,
    seconds: f64,
    /// Games between two looks at the clock.
    batch: u64,
    /// What ended its playing.
    fault: Option<Fault>,
}

impl<'a> Measured<'a> {
    fn new(contender: impl Contender + 'a) -> Measured<'a> {
        Measured { contender: Box::new(contender), played: Games::default(), seconds: 0.0, batch: 1, fault: None }
    }

    fn play_until(&mut self, until: f64) {
        while self.seconds < until && self.fault.is_none() {
            let begun = seconds();
            self.fault = self.contender.play(self.batch, &mut self.played).err();
            let passed = seconds() - begun;
            self.seconds += passed;
            if passed < until / (LOOKS * SLICES) {
                self.batch *= 2;
            }
        }
    }

    fn turns_a_second(&self) -> f64 {
        self.played.turns as f64 / self.seconds
    }
}

/// One line of the table.
struct Row {
    name: String,
    words: Option<usize>,
    length: f64,
    batch: Option<f64>,
    scalar: Option<f64>,
    reference: f64,
    baseline: Option<f64>,
    /// What bars there are, and whether they are met.
    bars: BTreeMap<String, bool>,
    complaints: Vec<String>,
    /// The reference executor came upon a turn with too many ways to go through.
    gave_up: bool,
}

fn measure(name: &str, game: &Game, args: &Args) -> Row {
    let start = game.start(0).expect("a shipped game can be set up").state().clone();
    let rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let engine = game.engine().ok();
    let mut scalar = engine.as_ref().map(|engine| {
        let mut runner = engine.runner();
        assert!(runner.load(&start), "{name}: the plan has no place for the start");
        Measured::new(Scalar { runner, rng: rng.clone(), max_turns: args.max_turns })
    });
    let mut batched = engine
        .as_ref()
        .and_then(|engine| batch_by(engine, None, args.vectors).ok())
        .map(|batch| Measured::new(Batched { batch, start: start.clone(), seed: 0, max_turns: args.max_turns }));
    let reference = Reference { game: game.model(), start, executor: Executor::new(), rng, max_turns: args.max_turns };
    let mut reference = Measured::new(reference);
    let mut baseline = baseline::of(name).map(|engine| Measured::new(ByHand { engine, seed: 0 }));
    for slice in 1..=SLICES as u32 {
        for measured in batched.iter_mut().chain(&mut scalar).chain([&mut reference]).chain(&mut baseline) {
            measured.play_until(args.seconds * f64::from(slice) / SLICES);
        }
    }
    let complaints = complaints(batched.as_ref(), scalar.as_ref(), &reference, baseline.as_ref());
    let mut row = Row {
        name: name.to_string(),
        words: engine.map(|engine| engine.plan().bitboard.words),
        length: mean(&scalar.as_ref().unwrap_or(&reference).played),
        batch: batched.as_ref().map(Measured::turns_a_second),
        scalar: scalar.as_ref().map(Measured::turns_a_second),
        reference: reference.turns_a_second(),
        baseline: baseline.as_ref().map(Measured::turns_a_second),
        bars: BTreeMap::new(),
        complaints: complaints.into_iter().map(|what| format!("{name}: {what}")).collect(),
        gave_up: reference.fault.filter(|fault| fault.kind == FaultKind::Work).is_some(),
    };
    row.bars = bars(&row);
    row
}

/// Faults, and what the players do not agree on. That the reference executor gives up what is too much
/// work is none.
fn complaints(
    batch: Option<&Measured<'_>>,
    scalar: Option<&Measured<'_>>,
    reference: &Measured<'_>,
    baseline: Option<&Measured<'_>>,
) -> Vec<String> {
    let mut complaints = Vec::new();
    for (who, measured) in [("batch", batch), ("scalar", scalar), ("reference", Some(reference))] {
        let fault = measured.and_then(|measured| measured.fault);
        complaints.extend(fault.filter(|fault| fault.kind != FaultKind::Work).map(|fault| format!("{who}: {fault}")));
    }
    let expected = scalar.unwrap_or(reference).played;
    for (who, other) in [("batch", batch), ("reference", Some(reference)), ("baseline", baseline)] {
        let differs = other.and_then(|other| disagreement(&expected, &other.played));
        complaints.extend(differs.map(|how| format!("{who}: {how}")));
    }
    complaints
}

fn mean(played: &Games) -> f64 {
    played.turns as f64 / played.games as f64
}

/// The square of the mean length's standard error.
fn error_squared(played: &Games) -> f64 {
    (played.squares as f64 / played.games as f64 - mean(played).powi(2)).max(0.0) / played.games as f64
}

/// How two samples of games differ, if it is more than chance.
fn disagreement(one: &Games, other: &Games) -> Option<String> {
    if one.games < FEW_GAMES || other.games < FEW_GAMES {
        return None;
    }
    let apart = |a: f64, b: f64, variance: f64| (a - b).abs() > STANDARD_ERRORS * variance.sqrt() + 1e-9;
    let (length, its) = (mean(one), mean(other));
    if apart(length, its, error_squared(one) + error_squared(other)) {
        return Some(format!("games have {its:.3} turns, not {length:.3}"));
    }
    let share = |played: &Games| played.first as f64 / played.games as f64;
    let together = (one.first + other.first) as f64 / (one.games + other.games) as f64;
    let variance = together * (1.0 - together) * (1.0 / one.games as f64 + 1.0 / other.games as f64);
    apart(share(one), share(other), variance)
        .then(|| format!("the first side wins {:.5} of the games, not {:.5}", share(other), share(one)))
}

fn bars(row: &Row) -> BTreeMap<String, bool> {
    let scalar = row.scalar.unwrap_or(0.0);
    let reference_bar = if row.words == Some(1) { REFERENCE_BARS.0 } else { REFERENCE_BARS.1 };
    let mut bars = BTreeMap::from([(format!("{reference_bar} x reference"), scalar >= reference_bar * row.reference)]);
    let bar_of = |bars: &[(&str, f64)]| bars.iter().find(|(name, _)| *name == row.name).map(|(_, bar)| *bar);
    if let (Some(bar), Some(baseline)) = (bar_of(&BASELINE_BARS), row.baseline) {
        bars.insert(format!("{bar} x baseline"), scalar >= bar * baseline);
    }
    if let Some(bar) = bar_of(&TURN_BARS) {
        bars.insert(format!("{} M/s", millions(bar)), scalar >= bar);
    }
    bars
}

fn cells(row: &Row) -> Vec<String> {
    let or_dash = |number: Option<String>| number.unwrap_or_else(|| String::from("-"));
    let missed: Vec<&str> = row.bars.iter().filter(|(_, met)| !**met).map(|(bar, _)| bar.as_str()).collect();
    let bars = match (row.scalar, missed.as_slice()) {
        (None, _) if row.gave_up => String::from("no plan; too much work"),
        (None, _) => String::from("no plan"),
        (_, []) => String::from("met"),
        (_, missed) => format!("missed: {}", missed.join(", ")),
    };
    vec![
        row.name.clone(),
        or_dash(row.words.map(|words| words.to_string())),
        or_dash(row.length.is_finite().then(|| format!("{:.1}", row.length))),
        or_dash(row.batch.map(millions)),
        or_dash(row.scalar.map(millions)),
        or_dash((row.reference > 0.0).then(|| millions(row.reference))),
        or_dash(row.baseline.map(millions)),
        or_dash(row.batch.zip(row.scalar).map(|(batch, scalar)| three_digits(batch / scalar))),
        or_dash(row.scalar.map(|scalar| three_digits(scalar / row.reference))),
        or_dash(row.batch.zip(row.baseline).map(|(batch, baseline)| three_digits(batch / baseline))),
        or_dash(row.scalar.zip(row.baseline).map(|(scalar, baseline)| three_digits(scalar / baseline))),
        bars,
    ]
}

fn main() {
    let args = Args::of_bench();
    let header = [
        "game",
        "words",
        "turns a game",
        "batch",
        "scalar",
        "reference",
        "baseline",
        "batch / scalar",
        "scalar / reference",
        "batch / baseline",
        "scalar / baseline",
        "bars",
    ];
    let mut table = table(args.markdown, &header);
    let mut complaints = Vec::new();
    for (name, game) in args.games() {
        let row = measure(&name, &game, &args);
        table.add_row(cells(&row));
        complaints.extend(row.complaints);
    }
    println!("{table}");
    println!();
    println!(
        "Million turns a second of processor time, one thread. Baselines compiled for {}.",
        baseline::compiled_for()
    );
    finish(&complaints);
}
