//! Gathered: what is played for a report goes in, as it is over; the study that it comes to comes out.

use serde::{Deserialize, Serialize};

use crate::game::{CoverageRun, Error, Exercise, Game, Position};
use crate::measures::contest::{Contest, Played, Strength, Task};
use crate::measures::counts::Counts;
use crate::measures::findings::findings;
use crate::measures::games::Sample;
use crate::measures::quality::measures;
use crate::measures::study;
use crate::measures::study::{BookLine, Level, Match, Share, Study};
use crate::measures::tally::Tally;
use crate::player::{Line, Mcts, Options};

/// Random games for each game of other players, and at most so many.
const RANDOM_GAMES: u64 = 50;
const MOST_RANDOM: u64 = 10_000;
/// Games that are looked at for rules that are never used.
pub const COVERED_GAMES: u64 = 100;
/// Rounds of games, where time bounds them.
const MOST_ROUNDS: u64 = 500;
/// Games that are enough to measure a level by.
const ENOUGH: usize = 4;
/// Playouts of the opening book, as a multiple of the strongest player's for a move, and its lines.
const BOOK_FACTOR: u64 = 20;
const BOOK_LINES: usize = 10;
/// Plies of a line of the book.
const BOOK_PLIES: usize = 5;

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
    /// How many random games are played.
    pub fn random_games(&self) -> u64 {
        self.games.map_or(MOST_RANDOM, |games| games.saturating_mul(RANDOM_GAMES).min(MOST_RANDOM))
    }

    pub fn rounds(&self) -> u64 {
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

/// Which rules the games of players used, that are measured.
pub struct Replay {
    game: Game,
    run: CoverageRun,
    samples: Vec<Sample>,
    done: usize,
    /// What the players of the games are called.
    measured: String,
}

impl Replay {
    /// Nothing is played again yet.
    pub fn new(game: &Game, asked: &Asked, gathered: &Gathered) -> Replay {
        let (samples, measured) = measured(&contest(game, asked), &gathered.played);
        let game = game.without_plan();
        let run = CoverageRun::new(&game, asked.exercise(0), asked.setup);
        Replay { game, run, samples, done: 0, measured }
    }

    /// Plays a game again; whether there was one.
    pub fn step(&mut self) -> bool {
        let Some(sample) = self.samples.get(self.done).filter(|_| self.done < COVERED_GAMES as usize) else {
            return false;
        };
        if let Ok(start) = self.game.position(&sample.start) {
            self.run.replay(&start, sample.plies.iter().map(|ply| ply.text.as_str()));
        }
        self.done += 1;
        true
    }

    /// Games that were played again, and that there are.
    pub fn progress(&self) -> (u64, u64) {
        (self.done as u64, (self.samples.len() as u64).min(COVERED_GAMES))
    }

    /// The games that are measured.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }
}

/// What was gathered, as a report tells it.
pub fn study(game: &Game, asked: &Asked, gathered: &Gathered, replay: &Replay, is_interrupted: bool) -> Study {
    let contest = contest(game, asked);
    let (random, played) = (&gathered.random, gathered.played.as_slice());
    let is_partial = random.games() < asked.random_games()
        || gathered.covered.games() < COVERED_GAMES
        || (played.len() as u64) < contest.tasks_of(asked.rounds());
    let samples = replay.samples.as_slice();
    let mut coverage = gathered.covered.coverage();
    coverage.include(replay.run.coverage());
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
        partial: asked.games.is_some() && is_partial || is_interrupted,
        findings: Vec::new(),
        levels,
        matches: matches(&contest, played),
        measured: replay.measured.clone(),
        samples: samples.len(),
        measures: measures(samples, game.players().len(), cells),
        lengths: study::bars(&turns),
        branching: study::branching(samples),
        prospects: study::curves(samples),
        reached: study::heat(samples, cells, |ply| &ply.reached),
        captured: study::heat(samples, cells, |ply| &ply.captured),
        openings: study::openings(&searched),
        book: gathered.book.iter().flatten().map(FoundLine::told).collect(),
        coverage: study::Covered::of(&coverage),
    };
    study.findings = findings(&study);
    study
}

/// Who plays whom. Unlike players are held against each other in games for two.
pub fn contest(game: &Game, asked: &Asked) -> Contest {
    let searching = asked.playouts.iter().map(|playouts| Strength::Search(*playouts));
    let levels: Vec<Strength> = [Strength::Random, Strength::Greedy].into_iter().chain(searching).collect();
    let mut pairs = Vec::new();
    if game.players().len() == 2 {
        pairs.extend(levels.windows(2).map(|two| (two[1], two[0], false)));
        let middle = asked.playouts.get(asked.playouts.len() / 2).copied().unwrap_or(1);
        let twice = |factor: u64| Strength::Search(middle.saturating_mul(factor));
        pairs.push((twice(2), twice(1), true));
    }
    Contest { game: game.clone(), levels, pairs, seed: asked.seed, setup: asked.setup, max_turns: asked.max_turns }
}

fn random_level(game: &Game, tally: &Tally) -> Level {
    let summary = tally.summary(game.model());
    let games = summary.games;
    Level {
        name: Strength::Random.to_string(),
        games,
        seats: summary.players.iter().map(|one| Share::of(one.wins, games)).collect(),
        draws: Share::of(summary.draws.games, games),
        unfinished: Share::of(summary.unfinished.games, games),
        mean_turns: summary.turns.mean,
    }
}

/// Games of equals, level by level.
fn levels(game: &Game, contest: &Contest, played: &[(u64, Played)]) -> Vec<Level> {
    let seats = game.players().len();
    let level = |(at, spec): (usize, &Strength)| {
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
fn measured(contest: &Contest, played: &[(u64, Played)]) -> (Vec<Sample>, String) {
    let of = |at: usize| contest.of_task(played, Task::Level(at)).flatten().cloned().collect::<Vec<Sample>>();
    let all: Vec<(usize, Vec<Sample>)> = (0..contest.levels.len()).map(|at| (at, of(at))).collect();
    let most = all.iter().map(|(_, samples)| samples.len()).max().unwrap_or(0);
    let chosen = all.into_iter().rfind(|(_, samples)| samples.len() >= ENOUGH.min(most));
    let (at, samples) = chosen.unwrap_or_default();
    (samples, contest.levels.get(at).map(Strength::to_string).unwrap_or_default())
}

/// Games of equals that search.
fn searched(contest: &Contest, played: &[(u64, Played)]) -> Vec<Sample> {
    let wanted = (0..contest.levels.len()).filter(|at| matches!(contest.levels[*at], Strength::Search(_)));
    wanted.flat_map(|at| contest.of_task(played, Task::Level(at)).flatten().cloned().collect::<Vec<_>>()).collect()
}

fn matches(contest: &Contest, played: &[(u64, Played)]) -> Vec<Match> {
    let one = |(at, (stronger, weaker, doubling)): (usize, &(Strength, Strength, bool))| {
        // The stronger has the first seat in the first game of a pair, and the second in the other.
        let pairs = contest.of_task(played, Task::Pair(at));
        let points: Vec<f64> = pairs
            .flat_map(|pair| pair.iter().enumerate().map(|(seat, sample)| sample.points(seat)).collect::<Vec<_>>())
            .collect();
        Match::of((&stronger.to_string(), &weaker.to_string()), &points, *doubling)
    };
    study::judged(contest.pairs.iter().enumerate().map(one).collect())
}

/// The search for the opening book.
pub struct Book {
    /// `None`: the game begins with chance, and there are no first moves.
    tree: Option<Mcts>,
    playouts: u64,
}

impl Book {
    /// Nothing is searched yet.
    ///
    /// # Errors
    /// A set-up that cannot be completed.
    pub fn new(game: &Game, asked: &Asked) -> Result<Book, Error> {
        let playouts = asked.playouts.iter().max().copied().unwrap_or(1).saturating_mul(BOOK_FACTOR);
        let options = Options { seed: asked.seed, memory: 1 << 28, ..Options::default() };
        let start = Some(start(game, asked)?).filter(|start| !start.is_chance_next());
        Ok(Book { tree: start.map(|start| Mcts::new(start, options)), playouts })
    }

    /// Searches until `go_on` says no, which is asked before each round; whether the search is at its end.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn search(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<bool, Error> {
        let Some(tree) = &mut self.tree else { return Ok(true) };
        let mut is_halted = false;
        tree.search(|progress| {
            let is_open = progress.playouts < self.playouts;
            is_halted = is_open && !go_on();
            is_open && !is_halted
        })?;
        Ok(!is_halted)
    }

    /// How many playouts there were, and are to be.
    pub fn progress(&self) -> (u64, u64) {
        (self.tree.as_ref().map_or(0, |tree| tree.progress().playouts), self.playouts)
    }

    /// The first moves, as the search has found them.
    pub fn lines(&self) -> Vec<FoundLine> {
        let lines = self.tree.iter().flat_map(|tree| tree.analysis().lines);
        let told = |line: Line| FoundLine {
            moves: line.moves.into_iter().take(BOOK_PLIES).collect(),
            value: line.value.to_bits(),
            proven: line.proven.is_some(),
            playouts: line.visits,
        };
        lines.filter(|line| line.visits > 0).take(BOOK_LINES).map(told).collect()
    }
}

/// How the games of a report begin.
///
/// # Errors
/// A set-up that cannot be completed.
pub fn start(game: &Game, asked: &Asked) -> Result<Position, Error> {
    match asked.setup {
        Some(number) => game.start_numbered(number),
        None => game.start(asked.seed),
    }
}

/// The command that makes the same report; the time counts where no number of games was asked for.
pub fn command(name: &str, asked: &Asked, seconds: f64) -> String {
    let bound = match asked.games {
        Some(games) => format!("--games {games}"),
        None => format!("--time {seconds}s"),
    };
    format!("lusoria report {name} --seed {} {bound}", asked.seed)
}
