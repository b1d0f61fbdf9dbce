//! Opponents: a word on the command line goes in, `mcts:1s`; what chooses moves comes out.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::cli::chooser;
use crate::game::{Error, Game, Move, Position};
use crate::player::simple;
use crate::player::{Ahead, AlphaBeta, AlphaBetaOptions, Analysis, Mcts, Options, Weights};
use crate::syntax::near;

/// Thinking time of a move, unless it is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// Longest time that can be said, in seconds.
const MOST_SECONDS: f64 = 86_400.0;

/// Who plays a seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spec {
    Human,
    Random,
    Greedy,
    Mcts(Budget),
    AlphaBeta(Limit),
    /// The stronger of the two at the game, as a short match finds out.
    Best(Budget),
}

/// How long is thought about a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    Time(Duration),
    Playouts(u64),
}

/// How far is looked ahead from a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    Time(Duration),
    Nodes(u64),
    Depth(u16),
}

impl From<Budget> for Limit {
    fn from(budget: Budget) -> Limit {
        match budget {
            Budget::Time(time) => Limit::Time(time),
            Budget::Playouts(nodes) => Limit::Nodes(nodes),
        }
    }
}

impl Spec {
    /// The words that players begin with.
    const NAMES: [&str; 6] = ["human", "random", "greedy", "mcts", "alphabeta", "best"];

    /// A text that means a player, perhaps misspelt.
    pub fn is_meant_by(text: &str) -> bool {
        let name = text.split(':').next().unwrap_or(text);
        Spec::NAMES.contains(&name) || near(name, Spec::NAMES).is_some()
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let (name, budget) = match text.split_once(':') {
            Some((name, budget)) => (name, Some(budget)),
            None => (text, None),
        };
        match (name, budget) {
            ("human", None) => Ok(Spec::Human),
            ("random", None) => Ok(Spec::Random),
            ("greedy", None) => Ok(Spec::Greedy),
            ("mcts", budget) => Ok(Spec::Mcts(budget.map_or(Ok(Budget::Time(DEFAULT_TIME)), str::parse)?)),
            ("alphabeta", None) => Ok(Spec::AlphaBeta(Limit::Time(DEFAULT_TIME))),
            ("alphabeta", Some(limit)) => Ok(Spec::AlphaBeta(limit.parse()?)),
            ("best", budget) => Ok(Spec::Best(budget.map_or(Ok(Budget::Time(DEFAULT_TIME)), str::parse)?)),
            ("human" | "random" | "greedy", Some(_)) => Err(format!("`{name}` takes no budget")),
            _ => Err(format!(
                "there is no player `{name}`: say human, random, greedy, mcts, alphabeta or best, and behind the last \
                 three a budget, such as mcts:2s or mcts:10000"
            )),
        }
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        if let Some(depth) = text.strip_prefix("depth=") {
            let depth = depth.parse().ok().filter(|depth| (1..=200).contains(depth));
            return depth.map(Limit::Depth).ok_or_else(|| format!("`{text}` is no depth: say depth=4, at most 200"));
        }
        let budget: Budget = text.parse().map_err(|_| {
            format!("`{text}` is no bound: say a time, 2s or 500ms, a number of positions, 10000, or depth=4")
        })?;
        Ok(budget.into())
    }
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Budget, String> {
        let wrong = || format!("`{text}` is no budget: say a time, 2s or 500ms, or a number of playouts, 10000");
        if let Ok(playouts) = text.parse::<u64>() {
            return if playouts > 0 { Ok(Budget::Playouts(playouts)) } else { Err(wrong()) };
        }
        parse_time(text).map(Budget::Time).map_err(|_| wrong())
    }
}

/// A time: `500ms`, `2s`, `10m` or `1h`.
///
/// # Errors
/// What to write.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let unit = units.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)));
    let (number, unit) = unit.unwrap_or((text, 1.0));
    let seconds = number.parse::<f64>().ok().map(|number| number * unit);
    match seconds.filter(|seconds| *seconds > 0.0 && *seconds <= MOST_SECONDS) {
        Some(seconds) => Ok(Duration::from_secs_f64(seconds)),
        None => Err(format!("`{text}` is no time: say 2s, 500ms or 10m, at most a day")),
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Human => f.pad("human"),
            Spec::Random => f.pad("random"),
            Spec::Greedy => f.pad("greedy"),
            Spec::Mcts(budget) => f.pad(&format!("mcts:{budget}")),
            Spec::AlphaBeta(limit) => f.pad(&format!("alphabeta:{limit}")),
            Spec::Best(budget) => f.pad(&format!("best:{budget}")),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Time(time) => write!(f, "{}s", time.as_secs_f64()),
            Budget::Playouts(playouts) => write!(f, "{playouts}"),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Time(time) => write!(f, "{}s", time.as_secs_f64()),
            Limit::Nodes(nodes) => write!(f, "{nodes}"),
            Limit::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

impl Spec {
    /// Why it cannot play a game, if it cannot: what looks ahead by alpha-beta search knows games of
    /// two players without chance alone.
    pub fn misfit(self, game: &Game) -> Option<String> {
        let misfits = matches!(self, Spec::AlphaBeta(_)) && !AlphaBeta::knows(game);
        misfits.then(|| {
            let why = if game.players().len() == 2 { "chance plays in it" } else { "it is not for two players" };
            format!("{self} cannot play {}: {why}; mcts can", game.name())
        })
    }
}

/// A player at the board.
#[derive(Debug)]
pub struct Opponent {
    spec: Spec,
    options: Options,
    rng: Xoshiro256PlusPlus,
    /// The tree of the move before.
    tree: Option<Mcts>,
    weights: Option<Weights>,
    /// The search of the moves before, with its table.
    ahead: Option<AlphaBeta>,
}

impl Opponent {
    pub fn new(spec: Spec, options: Options) -> Opponent {
        let rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        Opponent { spec, options, rng, tree: None, weights: None, ahead: None }
    }

    /// The same, with these weights of its evaluation instead of those that are shipped with the game.
    pub fn with_weights(self, weights: Option<Weights>) -> Opponent {
        Opponent { weights, ..self }
    }

    /// What it is: of `best`, what it has chosen.
    pub fn spec(&self) -> Spec {
        self.spec
    }

    /// The move that it chooses, with what it thinks where it searches; `None`: there is none, or a
    /// human has to say. `stop`: it is to answer at once.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn choose(
        &mut self,
        position: &Position,
        stop: &AtomicBool,
    ) -> Result<Option<(Move, Option<Analysis>)>, Error> {
        if let Spec::Best(budget) = self.spec {
            self.spec = chooser::stronger(position.game(), budget, self.options, self.weights.as_ref(), stop)?;
        }
        match self.spec {
            Spec::Human | Spec::Best(_) => Ok(None),
            Spec::Random => Ok(simple::random(position, &mut self.rng)?.map(|one| (one, None))),
            Spec::Greedy => Ok(simple::greedy(position, &mut self.rng)?.map(|one| (one, None))),
            Spec::Mcts(budget) => {
                let analysis = self.think(position, budget, stop)?;
                let best = analysis.lines.first().map(|line| line.first.clone());
                Ok(best.map(|best| (best, Some(analysis))))
            }
            Spec::AlphaBeta(limit) => {
                let analysis = self.look_ahead(position, limit, stop)?;
                let best = analysis.lines.first().map(|line| line.first.clone());
                Ok(best.map(|best| (best, Some(analysis))))
            }
        }
    }

    /// Looks ahead from a position; what was found at the moves before is gone on with.
    fn look_ahead(&mut self, position: &Position, limit: Limit, stop: &AtomicBool) -> Result<Analysis, Error> {
        let mut ahead = match self.ahead.take() {
            Some(ahead) => ahead,
            None => {
                let game = position.game();
                let weights = self.weights.take().or_else(|| crate::cli::select::shipped_weights(game));
                let options = AlphaBetaOptions { seed: self.options.seed, memory: self.options.memory, lines: 1 };
                AlphaBeta::new(game, weights.as_ref(), options)?
            }
        };
        let begun = Instant::now();
        let depth = if let Limit::Depth(depth) = limit { depth } else { u16::MAX };
        let go_on = |ahead: Ahead| {
            !stop.load(Ordering::Relaxed)
                && match limit {
                    Limit::Time(time) => begun.elapsed() < time,
                    Limit::Nodes(nodes) => ahead.nodes < nodes,
                    Limit::Depth(_) => true,
                }
        };
        let analysis = ahead.search(position, depth, go_on, |_| ());
        self.ahead = Some(ahead);
        analysis
    }

    /// Searches from a position; the tree of the move before is gone on with, where it has led here.
    pub fn think(&mut self, position: &Position, budget: Budget, stop: &AtomicBool) -> Result<Analysis, Error> {
        let mut tree = Mcts::following(self.tree.take(), position, self.options);
        let (begun, known) = (Instant::now(), tree.progress().playouts);
        tree.search(|progress| {
            !stop.load(Ordering::Relaxed)
                && match budget {
                    Budget::Time(time) => begun.elapsed() < time,
                    Budget::Playouts(playouts) => progress.playouts - known < playouts,
                }
        })?;
        let analysis = tree.analysis();
        self.tree = Some(tree);
        Ok(analysis)
    }
}
