//! Alpha-beta search: a position of two players without chance goes in; the best moves, as far as
//! they are seen ahead, come out.
//!
//! Principal variation search (T. A. Marsland, M. Campbell, 1982) by iterative deepening, with a
//! transposition table of bounded size, killer moves, the history heuristic (J. Schaeffer, 1983),
//! late move reductions, and quiescence search of moves that take what stands where they land. What
//! stands at the end of a line is told by an [`Evaluation`]. The same seed and bound of nodes give
//! the same moves.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

use crate::board::Player;
use crate::game::{Error, Game, Move, Position};
use crate::player::evaluation::{Evaluation, Weights};
use crate::player::expect_no_chance;
use crate::player::mcts::{Analysis, Line, Progress};
use crate::player::table::{Bound, Entry, Table};

/// Scores are logarithms of odds times this.
const SCALE: f32 = 1000.0;
/// The score of a win at once; one ply later it is one less.
const WIN: i32 = 1_000_000;
/// Scores from here on are wins.
const SURE: i32 = WIN - 2 * MOST_PLIES as i32;
const MOST_SCORE: i32 = 100_000;
/// Deepest line, in plies.
const MOST_PLIES: usize = 400;
/// Plies that a line of captures goes on for, at most.
const MOST_CAPTURES: i32 = 8;
/// The same at depth 1; it grows by two with each depth. In games where most moves capture, eight plies at once took a minute
/// before the first answer.
const FIRST_CAPTURES: i32 = 4;
/// Of a position with as few moves, all of them captures, none is left out.
const FEW_CAPTURES: usize = 4;
/// Where more moves are expected, they are not listed to be counted.
const MOST_COUNTED: usize = 400;
/// Moves that are searched at full depth first, and the depth from which the others are not.
const FULL_MOVES: usize = 4;
const REDUCED_DEPTH: i32 = 3;
/// Nodes between two questions whether to go on.
const LOOK: u64 = 64;
/// Places of the history table.
const HISTORY: usize = 1 << 14;
/// Plies of a line that is told.
const MOST_TOLD: usize = 12;

/// How a search is bounded and seeded.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBetaOptions {
    pub seed: u64,
    /// Bytes of the transposition table.
    pub memory: usize,
    /// Moves whose values are told exactly.
    pub lines: usize,
}

impl Default for AlphaBetaOptions {
    fn default() -> AlphaBetaOptions {
        AlphaBetaOptions { seed: 0, memory: 1 << 26, lines: 1 }
    }
}

/// How far a search has come: nodes of it, and plies that were looked ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    pub nodes: u64,
    pub depth: u16,
}

/// A search of positions of one game, which keeps what it found for the next position.
#[derive(Debug)]
pub struct AlphaBeta {
    options: AlphaBetaOptions,
    evaluation: Evaluation,
    table: Table,
    /// How often a move cut a line off.
    history: Vec<u32>,
    killers: Vec<[u64; 2]>,
    /// The positions of the line that is looked at.
    path: Vec<u128>,
    nodes: u64,
    depth: u16,
    is_stopped: bool,
    rng: Xoshiro256PlusPlus,
    /// A position alone decides what it is worth.
    is_sure: bool,
}

/// A move at the root.
#[derive(Clone, Debug)]
struct Candidate {
    made: Move,
    score: i32,
    /// The score is exact, and no bound.
    is_exact: bool,
    nodes: u64,
}

/// What a line is looked at with: plies to go, plies from the root, and moves that the other had.
#[derive(Clone, Copy)]
struct Place {
    depth: i32,
    ply: usize,
    before: usize,
}

type GoOn<'a> = dyn FnMut(Ahead) -> bool + 'a;

impl AlphaBeta {
    /// `weights`: those of the evaluation, if they are of this game.
    ///
    /// # Errors
    /// A game that chance plays in; a fault of the rules.
    pub fn new(game: &Game, weights: Option<&Weights>, options: AlphaBetaOptions) -> Result<AlphaBeta, Error> {
        let asks = &game.model().asks;
        if asks.chance {
            return Err(Error::Chance);
        }
        Ok(AlphaBeta {
            options,
            evaluation: Evaluation::new(game, weights)?,
            table: Table::new(options.memory),
            history: vec![0; HISTORY],
            killers: vec![[0; 2]; MOST_PLIES + 1],
            path: Vec::new(),
            nodes: 0,
            depth: 0,
            is_stopped: false,
            rng: Xoshiro256PlusPlus::seed_from_u64(options.seed),
            is_sure: !(asks.times_pieces || asks.times_position),
        })
    }

    /// Whether a game is one that can be searched so: two players, and no chance.
    pub fn knows(game: &Game) -> bool {
        game.players().len() == 2 && !game.model().asks.chance
    }

    /// Looks ahead, deeper and deeper up to so many plies, until `go_on` says no or the position is
    /// decided. `tell` is given what is known behind each depth.
    ///
    /// # Errors
    /// A fault of the rules; a game that chance plays in.
    pub fn search(
        &mut self,
        position: &Position,
        most: u16,
        mut go_on: impl FnMut(Ahead) -> bool,
        mut tell: impl FnMut(&Analysis),
    ) -> Result<Analysis, Error> {
        expect_no_chance(position)?;
        (self.nodes, self.depth, self.is_stopped) = (0, 0, false);
        self.path.clear();
        self.killers.fill([0; 2]);
        self.history.iter_mut().for_each(|count| *count /= 8);
        let mut moves = position.legal_moves()?;
        moves.shuffle(&mut self.rng);
        let candidate = |made| Candidate { made, score: 0, is_exact: false, nodes: 0 };
        let mut candidates: Vec<Candidate> = moves.into_iter().map(candidate).collect();
        let mut position = position.clone();
        for depth in 1..=most.clamp(1, MOST_PLIES as u16 / 2) {
            if candidates.is_empty() {
                break;
            }
            let found = self.root(&mut position, &candidates, depth, &mut go_on)?;
            // The best move of the depth before is looked at first, so that what is found of a depth that
            // was not finished is as good.
            let is_finished = !self.is_stopped;
            if is_finished || found.iter().any(|candidate| candidate.is_exact) {
                candidates = found;
                self.depth = if is_finished { depth } else { self.depth.max(1) };
            }
            let best = candidates.first().map_or(0, |best| best.score);
            if self.is_stopped || best >= SURE || best <= -SURE {
                break;
            }
            tell(&self.analysis(&position, &candidates)?);
            if !go_on(self.ahead()) {
                break;
            }
        }
        self.analysis(&position, &candidates)
    }

    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    fn ahead(&self) -> Ahead {
        Ahead { nodes: self.nodes, depth: self.depth }
    }

    /// Looks at all moves of the root to a depth; the best first.
    fn root(
        &mut self,
        position: &mut Position,
        candidates: &[Candidate],
        depth: u16,
        go_on: &mut GoOn<'_>,
    ) -> Result<Vec<Candidate>, Error> {
        let chooser = position.choosing();
        self.path.push(position.key());
        let mut found: Vec<Candidate> = Vec::new();
        for candidate in candidates {
            let begun = self.nodes;
            // What is worse than so many better moves is not told exactly.
            let mut best: Vec<i32> = found.iter().filter(|found| found.is_exact).map(|found| found.score).collect();
            best.sort_unstable_by(|one, other| other.cmp(one));
            let alpha = best.get(self.options.lines.max(1) - 1).copied().unwrap_or(-WIN - 1);
            let place = Place { depth: i32::from(depth) - 1, ply: 1, before: candidates.len() };
            position.play(&candidate.made)?;
            let mut score = alpha;
            if alpha > -WIN {
                score = self.behind(position, chooser, place, (alpha, alpha + 1), go_on)?;
            }
            if alpha < -WIN || score > alpha {
                score = self.behind(position, chooser, place, (alpha, WIN + 1), go_on)?;
            }
            position.undo();
            if self.is_stopped {
                break;
            }
            let nodes = candidate.nodes + self.nodes - begun;
            found.push(Candidate { made: candidate.made.clone(), score, is_exact: score > alpha, nodes });
        }
        self.path.pop();
        // Those that were not looked at, or are no better than a bound, keep their order.
        let seen = found.len();
        found.extend(candidates[seen.min(candidates.len())..].iter().map(|candidate| Candidate {
            is_exact: false,
            score: -WIN,
            ..candidate.clone()
        }));
        found.sort_by_key(|candidate| (!candidate.is_exact, if candidate.is_exact { -candidate.score } else { 0 }));
        Ok(found)
    }

    /// The score of a position that a move has led to, for him who made it.
    fn behind(
        &mut self,
        position: &mut Position,
        chooser: Player,
        place: Place,
        (alpha, beta): (i32, i32),
        go_on: &mut GoOn<'_>,
    ) -> Result<i32, Error> {
        stacker::maybe_grow(1 << 16, 1 << 20, || {
            if position.choosing() == chooser {
                self.node(position, place, (alpha, beta), go_on)
            } else {
                Ok(-self.node(position, place, (-beta, -alpha), go_on)?)
            }
        })
    }

    /// The score of a position for him who chooses, if it lies between two bounds; else a bound of it.
    fn node(
        &mut self,
        position: &mut Position,
        place: Place,
        (mut alpha, beta): (i32, i32),
        go_on: &mut GoOn<'_>,
    ) -> Result<i32, Error> {
        let chooser = position.choosing();
        if let Some(payoff) = position.payoff(chooser) {
            let other = position.payoff(Player(1 - chooser.0.min(1))).unwrap_or(payoff);
            return Ok((WIN - place.ply as i32) * ((payoff - other) as i32));
        }
        let key = position.key();
        if self.is_stopped || self.is_enough(go_on) || self.path.contains(&key) {
            return Ok(0);
        }
        if place.depth <= 0 || place.ply >= MOST_PLIES {
            return self.quiet(position, place, (alpha, beta), go_on);
        }
        let known = self.table.get(key);
        if let Some(entry) = known
            && i32::from(entry.depth) >= place.depth
            && let Some(score) = entry.decides(from_table(entry.score, place.ply), alpha, beta)
        {
            return Ok(score);
        }
        let moves = position.legal_moves()?;
        // Nobody can move, and no outcome says what that means.
        if moves.is_empty() {
            return Ok(0);
        }
        let (order, first) = self.ordered(position, &moves, known.map(|entry| entry.made), place);
        let begun = alpha;
        let (mut best, mut best_at) = (i32::MIN, 0);
        self.path.push(key);
        for (number, &at) in order.iter().enumerate() {
            let made = &moves[usize::from(at)];
            position.play(made)?;
            let quiet_move = number >= first;
            let score =
                self.searched(position, chooser, (place, moves.len(), number, quiet_move), (alpha, beta), go_on);
            position.undo();
            let score = score?;
            if self.is_stopped {
                self.path.pop();
                return Ok(0);
            }
            if score > best {
                (best, best_at) = (score, at);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                if quiet_move {
                    self.remember(made, place);
                }
                break;
            }
        }
        self.path.pop();
        let bound = match best {
            best if best >= beta => Bound::AtLeast,
            best if best > begun => Bound::Exact,
            _ => Bound::AtMost,
        };
        let depth = place.depth.clamp(0, i32::from(u8::MAX)) as u8;
        self.table.keep(key, Entry { score: to_table(best, place.ply), depth, bound, made: best_at });
        Ok(best)
    }

    /// Searches behind one move of a node: the first with the full window, the others to see that they
    /// are no better, late ones less deep.
    fn searched(
        &mut self,
        position: &mut Position,
        chooser: Player,
        (place, moves, number, is_quiet): (Place, usize, usize, bool),
        (alpha, beta): (i32, i32),
        go_on: &mut GoOn<'_>,
    ) -> Result<i32, Error> {
        // An only move is no choice, and costs no depth.
        let depth =
            if moves == 1 && place.ply < 2 * usize::from(self.depth) + 2 { place.depth } else { place.depth - 1 };
        let next = Place { depth, ply: place.ply + 1, before: moves };
        if number == 0 {
            return self.behind(position, chooser, next, (alpha, beta), go_on);
        }
        let is_late = is_quiet && number >= FULL_MOVES && place.depth >= REDUCED_DEPTH;
        let reduced = Place { depth: depth - 1 - i32::from(number >= 4 * FULL_MOVES), ..next };
        if is_late && self.behind(position, chooser, reduced, (alpha, alpha + 1), go_on)? <= alpha {
            return Ok(alpha);
        }
        let score = self.behind(position, chooser, next, (alpha, alpha + 1), go_on)?;
        if score > alpha && score < beta && !self.is_stopped {
            return self.behind(position, chooser, next, (alpha, beta), go_on);
        }
        Ok(score)
    }

    /// The score where no more moves are looked at but captures.
    fn quiet(
        &mut self,
        position: &mut Position,
        place: Place,
        (mut alpha, beta): (i32, i32),
        go_on: &mut GoOn<'_>,
    ) -> Result<i32, Error> {
        if place.before > MOST_COUNTED {
            return Ok(self.standing(position, 0.0));
        }
        let moves = position.legal_moves()?;
        if moves.is_empty() {
            return Ok(0);
        }
        let mobility = (1.0 + moves.len() as f32).ln() - (1.0 + place.before as f32).ln();
        let standing = self.standing(position, mobility);
        let mut captures: Vec<(f32, u16)> = (0..)
            .zip(moves.iter().take(usize::from(u16::MAX)))
            .filter_map(|(at, made)| Some((self.evaluation.capture(made)?, at)))
            .collect();
        let most = MOST_CAPTURES.min(FIRST_CAPTURES + 2 * i32::from(self.depth));
        let is_end = captures.is_empty() || -place.depth >= most || place.ply >= MOST_PLIES;
        let is_forced = captures.len() == moves.len() && captures.len() <= FEW_CAPTURES;
        if is_end || !is_forced && standing >= beta {
            return Ok(standing);
        }
        captures.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut best = if is_forced { i32::MIN } else { standing };
        alpha = alpha.max(best);
        let chooser = position.choosing();
        let next = Place { depth: place.depth - 1, ply: place.ply + 1, before: moves.len() };
        self.path.push(position.key());
        for (_, at) in captures {
            position.play(&moves[usize::from(at)])?;
            let score = self.behind(position, chooser, next, (alpha, beta), go_on);
            position.undo();
            best = best.max(score?);
            alpha = alpha.max(best);
            if alpha >= beta || self.is_stopped {
                break;
            }
        }
        self.path.pop();
        Ok(best)
    }

    fn standing(&mut self, position: &Position, mobility: f32) -> i32 {
        let score = (self.evaluation.of(position, mobility) * SCALE) as i32;
        score.clamp(-MOST_SCORE, MOST_SCORE)
    }

    /// Counts a node, and asks now and then whether to go on.
    fn is_enough(&mut self, go_on: &mut GoOn<'_>) -> bool {
        self.nodes += 1;
        // The first depth is always finished, so that there is an answer.
        if self.nodes.is_multiple_of(LOOK) && self.depth > 0 && !go_on(self.ahead()) {
            self.is_stopped = true;
        }
        self.is_stopped
    }

    /// The moves of a node, those first that are likely to be the best; and how many of them are known
    /// or captures.
    fn ordered(&mut self, position: &Position, moves: &[Move], known: Option<u16>, place: Place) -> (Vec<u16>, usize) {
        self.evaluation.look(position);
        let killers = self.killers[place.ply];
        let mut first = 0;
        let mut ranked: Vec<(i64, u16)> = (0..)
            .zip(moves.iter().take(usize::from(u16::MAX)))
            .map(|(at, made)| {
                let rank = if known == Some(at) {
                    1 << 40
                } else if let Some(gain) = self.evaluation.capture(made) {
                    (1 << 36) + (gain * SCALE) as i64
                } else {
                    let mark = mark(made);
                    match killers.contains(&mark) {
                        true => 1 << 34,
                        false => i64::from(self.history[mark as usize % HISTORY]),
                    }
                };
                first += usize::from(rank > 1 << 35);
                (rank, at)
            })
            .collect();
        ranked.sort_by_key(|(rank, at)| (std::cmp::Reverse(*rank), *at));
        (ranked.into_iter().map(|(_, at)| at).collect(), first)
    }

    /// A move that captures nothing has cut a line off.
    fn remember(&mut self, made: &Move, place: Place) {
        let mark = mark(made);
        let killers = &mut self.killers[place.ply];
        if killers[0] != mark {
            *killers = [mark, killers[0]];
        }
        let count = &mut self.history[mark as usize % HISTORY];
        *count = count.saturating_add((place.depth * place.depth) as u32).min(1 << 30);
    }

    fn analysis(&self, position: &Position, candidates: &[Candidate]) -> Result<Analysis, Error> {
        let mut lines = Vec::new();
        for candidate in candidates.iter().filter(|candidate| candidate.is_exact).take(self.options.lines.max(1)) {
            lines.push(self.line(position, candidate)?);
        }
        if lines.is_empty()
            && let Some(first) = candidates.first()
        {
            lines.push(self.line(position, first)?);
        }
        let proven = candidates.first().filter(|best| best.is_exact).and_then(|best| self.proven(best.score));
        let progress = Progress { playouts: 0, nodes: self.nodes as usize };
        Ok(Analysis { lines, proven, progress, depth: Some(self.depth) })
    }

    /// The payoff that a score proves.
    fn proven(&self, score: i32) -> Option<f64> {
        match score {
            score if !self.is_sure || score.abs() < SURE => None,
            score if score > 0 => Some(1.0),
            _ => Some(0.0),
        }
    }

    fn line(&self, position: &Position, candidate: &Candidate) -> Result<Line, Error> {
        let mut at = position.clone();
        at.play(&candidate.made)?;
        let mut moves = vec![candidate.made.to_string()];
        let mut seen = vec![position.key(), at.key()];
        while moves.len() < MOST_TOLD
            && !at.is_over()
            && let Some(entry) = self.table.get(at.key())
        {
            let listed = at.legal_moves()?;
            let Some(next) = listed.get(usize::from(entry.made)) else { break };
            moves.push(next.to_string());
            at.play(next)?;
            if seen.contains(&at.key()) {
                break;
            }
            seen.push(at.key());
        }
        Ok(Line {
            first: candidate.made.clone(),
            visits: candidate.nodes,
            value: value(candidate.score),
            proven: self.proven(candidate.score),
            moves,
        })
    }
}

/// The share of points that a score stands for.
fn value(score: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / f64::from(SCALE)).exp())
}

/// What tells a move from others, whatever the position.
fn mark(made: &Move) -> u64 {
    let mut hasher = FxHasher::default();
    made.written().hash(&mut hasher);
    // 0 stands for no move.
    hasher.finish() | 1
}

/// Wins are kept by their distance from the position, not from the root.
fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        score if score >= SURE => score + ply as i32,
        score if score <= -SURE => score - ply as i32,
        score => score,
    }
}

fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        score if score >= SURE => score - ply as i32,
        score if score <= -SURE => score + ply as i32,
        score => score,
    }
}
