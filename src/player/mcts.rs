//! Monte Carlo tree search: a position goes in; a tree of the moves that look best grows by random
//! games, until whoever asked stops it.
//!
//! Moves are selected by UCB1 applied to trees (L. Kocsis, C. Szepesvári, 2006), each player by his
//! own payoff, so there may be any number of them. Several leaves are selected before their random
//! games are played together, in lock step; meanwhile a selected move counts as lost (virtual loss:
//! G. Chaslot, M. Winands, H. J. van den Herik, 2008). With two players exact values go up the tree:
//! see [`Bounds`]. If asked for, a position that several ways of one length lead to stands in the tree once, unless the rules
//! ask the history. Then a move is valued by all games from the position behind it, and explored by the visits of the move alone (UCT2:
//! B. Childs, J. Brodeur, L. Kocsis, 2008). Where chance is to choose, each way down draws what it chooses, as likely as it is; what is proven of
//! all that it can choose proves the mean.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::board::Player;
use crate::game::{Error, Game, Move, Position, Rollouts};
use crate::player::bounds::Bounds;
use crate::sort;

/// Plies of a path through the tree, at most.
const MOST_PLIES: usize = 1000;
/// Plies between two moves of one player, where chance chooses before each.
const PLIES_BETWEEN_MOVES: u32 = 4;
/// Plies of a line that is told.
const MOST_TOLD: usize = 12;
/// What a node costs beside its moves, and what a move costs, in bytes: positions, lists and texts
/// are counted roughly.
const BYTES_OF_A_NODE: usize = 700;
const BYTES_OF_A_MOVE: usize = 200;
/// A position is opened to so many moves at first, and to more as it is visited: this many times the
/// visits to the power of [`OPENING_POWER`].
const OPENED_FIRST: f64 = 16.0;
const OPENING_FACTOR: f64 = 4.0;
const OPENING_POWER: f64 = 0.6;

/// Behind the root it is asked whether the enemy wins at once where the root has at most so many moves: with two thousand, as in
/// the first turns of some games, asking takes ten times as long as the random games.
const MOST_ANSWERS: usize = 512;

/// A leaf is opened when it has as many playouts as there were moves beside it, divided by this; at
/// most so many.
const EXPANSION_DIVISOR: u64 = 8;
const MOST_LEAF_VISITS: u64 = 64;

/// How a tree is searched.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub seed: u64,
    /// How much is explored: the factor of UCB1's bonus, as payoffs go from 0 to 1.
    pub exploration: f64,
    /// Leaves that are selected before their games are played.
    pub leaves: u32,
    /// Random games from each leaf.
    pub games: u32,
    /// Turns of a random game, at most; then it counts as a draw.
    pub max_turns: u32,
    /// Bytes that the tree may take, about. Then it grows no more, and is searched on as it is.
    pub memory: usize,
    /// A position that several ways lead to stands in the tree once. Matches showed no gain, so it is off unless asked for.
    pub transpositions: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            exploration: 0.6,
            leaves: 32,
            games: 4,
            max_turns: 400,
            memory: 1 << 30,
            transpositions: false,
        }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Random games, and visits of positions in which the game is over.
    pub playouts: u64,
    pub nodes: usize,
}

/// What is thought of a move.
#[derive(Clone, Debug)]
pub struct Line {
    pub first: Move,
    /// Playouts behind it; of alpha-beta search, positions.
    pub visits: u64,
    /// The mean payoff of the player who makes it, from 0 to 1.
    pub value: f64,
    /// His payoff, if it is proven.
    pub proven: Option<f64>,
    /// The texts of the moves that look best, this one first.
    pub moves: Vec<String>,
}

/// What is thought of a position.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The best moves first.
    pub lines: Vec<Line>,
    /// The payoff of the player to choose, if it is proven.
    pub proven: Option<f64>,
    pub progress: Progress,
    /// Plies that were looked ahead; `None`: random games were played instead.
    pub depth: Option<u16>,
}

/// A tree that is searched, and its player.
#[derive(Debug)]
pub struct Mcts {
    options: Options,
    nodes: Vec<Node>,
    /// The nodes by position and plies, where positions are shared. Ways of one length alone lead to one node, so that no way
    /// comes back to where it was.
    places: Option<FxHashMap<(u128, u32), u32>>,
    playouts: u64,
    bytes: usize,
    rng: Xoshiro256PlusPlus,
    /// Outcomes of the game give to one player what they take from the other.
    is_zero_sum: bool,
}

#[derive(Debug)]
struct Node {
    position: Position,
    chooser: Player,
    /// Plies since the first root.
    ply: u32,
    /// Empty until it is visited again, and where the game is over.
    edges: Vec<Edge>,
    is_listed: bool,
    visits: u64,
    /// The payoffs of each player, added up, where positions are shared; else nothing asks them.
    points: SmallVec<[f64; 2]>,
    /// Playouts that are under way.
    pending: u64,
    bounds: Bounds,
}

impl Node {
    /// The mean payoff of a player, where what is under way counts as lost; `None`: nothing is known.
    fn mean(&self, player: Player) -> Option<f64> {
        let visits = self.visits + self.pending;
        (visits > 0).then(|| self.points.get(player.index()).copied().unwrap_or(0.0) / visits as f64)
    }
}

#[derive(Debug)]
struct Edge {
    made: Move,
    node: Option<u32>,
    /// How likely chance makes it; `None`: a player makes it.
    probability: Option<f64>,
    visits: u64,
    /// The payoffs of the player who makes the move, added up.
    points: f64,
    /// Playouts that are under way.
    pending: u64,
}

impl Edge {
    fn mean(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.points / self.visits as f64 }
    }
}

/// A leaf that was selected, and the moves to it: node and edge.
struct Path {
    steps: Vec<(u32, u32)>,
    leaf: u32,
}

impl Mcts {
    pub fn new(position: Position, options: Options) -> Mcts {
        let is_zero_sum = position.game().players().len() == 2;
        let rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let asks = &position.game().model().asks;
        let is_shared = options.transpositions && !(asks.times_pieces || asks.times_position);
        let places = is_shared.then(FxHashMap::default);
        let mut search = Mcts { options, nodes: Vec::new(), places, playouts: 0, bytes: 0, rng, is_zero_sum };
        search.add(position, 0);
        search
    }

    /// The position at the root.
    pub fn position(&self) -> &Position {
        &self.nodes[0].position
    }

    fn game(&self) -> Game {
        self.position().game().clone()
    }

    /// The node of a position so many plies behind the first root, which may be there already.
    fn add(&mut self, position: Position, ply: u32) -> u32 {
        let key = (position.key(), ply);
        if let Some(&there) = self.places.as_ref().and_then(|places| places.get(&key)) {
            return there;
        }
        let exact = position.payoff(Player(0)).filter(|_| self.is_zero_sum);
        let bounds = match (exact, position.payoff(Player(1))) {
            (Some(one), Some(other)) if one + other == 1.0 => Bounds::exactly(one),
            (Some(_), _) => {
                self.is_zero_sum = false;
                Bounds::UNKNOWN
            }
            (None, _) => Bounds::UNKNOWN,
        };
        self.bytes += BYTES_OF_A_NODE;
        self.nodes.push(Node {
            chooser: position.choosing(),
            points: SmallVec::from_elem(0.0, if self.places.is_some() { position.game().players().len() } else { 0 }),
            position,
            ply,
            edges: Vec::new(),
            is_listed: false,
            visits: 0,
            pending: 0,
            bounds,
        });
        let at = self.nodes.len() as u32 - 1;
        if let Some(places) = &mut self.places {
            places.insert(key, at);
        }
        at
    }

    /// Grows the tree until `go_on` says no, or the root is proven. It is asked before each round,
    /// which takes some milliseconds at most where turns are drawn fast.
    ///
    /// # Errors
    /// A fault of the rules in one of the games.
    pub fn search(&mut self, mut go_on: impl FnMut(&Progress) -> bool) -> Result<(), Error> {
        self.begin()?;
        while self.proven(0).is_none() && !self.nodes[0].edges.is_empty() && go_on(&self.progress()) {
            self.round()?;
        }
        Ok(())
    }

    /// Lists the moves of the root, one that wins at once first, and looks whether the moves that were tried before lose at once.
    fn begin(&mut self) -> Result<(), Error> {
        let root = &mut self.nodes[0];
        if !root.is_listed && !root.position.is_over() {
            // What proved it was not kept.
            root.bounds = Bounds::UNKNOWN;
            let wins = self.is_asked_for_wins() && self.nodes[0].position.wins_at_once()?;
            self.list(0)?;
            let root = &mut self.nodes[0];
            let asked = if wins { root.edges.len() } else { 0 };
            for at in 0..asked {
                let mut behind = root.position.clone();
                behind.play(&root.edges[at].made)?;
                if behind.payoff(root.chooser) == Some(1.0) {
                    root.edges.swap(0, at);
                    break;
                }
            }
        }
        for behind in self.nodes[0].edges.iter().filter_map(|edge| edge.node).collect::<Vec<_>>() {
            self.look_for_win(behind)?;
        }
        Ok(())
    }

    /// A win is the best there is, a player chooses it, and to look for it takes less time than random games.
    fn is_asked_for_wins(&self) -> bool {
        self.is_zero_sum && self.nodes[0].edges.len() <= MOST_ANSWERS && !self.position().game().model().asks.chance
    }

    /// A move that wins at once proves a position, before its moves stand in the tree (decisive moves: F. Teytaud, O. Teytaud,
    /// 2010). This is asked behind the root alone: on wide boards the tree never comes so far as to see the answer to each
    /// move. To ask it everywhere took longer, and won no more games.
    fn look_for_win(&mut self, at: u32) -> Result<(), Error> {
        let node = &self.nodes[at as usize];
        let is_open = self.is_asked_for_wins() && !node.is_listed && node.bounds == Bounds::UNKNOWN;
        if is_open && node.position.wins_at_once()? {
            let node = &mut self.nodes[at as usize];
            node.bounds = Bounds::exactly(if node.chooser == Player(0) { 1.0 } else { 0.0 });
        }
        Ok(())
    }

    pub fn progress(&self) -> Progress {
        Progress { playouts: self.playouts, nodes: self.nodes.len() }
    }

    fn proven(&self, node: u32) -> Option<f64> {
        let node = &self.nodes[node as usize];
        node.bounds.proven(node.chooser).filter(|_| self.is_zero_sum)
    }

    /// Selects leaves, plays their games and tells the tree.
    fn round(&mut self) -> Result<(), Error> {
        // A young tree knows too little to select many leaves by.
        let young = (self.nodes[0].visits / u64::from(self.options.games.max(1)) / 8).max(1);
        let wanted = u64::from(self.options.leaves).min(young);
        let mut paths = Vec::new();
        for _ in 0..wanted {
            let path = self.select()?;
            if self.nodes[path.leaf as usize].position.is_over() || self.is_stuck(path.leaf) || self.is_known(path.leaf)
            {
                let payoffs = self.payoffs(path.leaf);
                self.back_up(&path, &payoffs, 1);
                if self.proven(0).is_some() {
                    break;
                }
                continue;
            }
            let games = u64::from(self.options.games);
            for &(node, edge) in &path.steps {
                let edge = &mut self.nodes[node as usize].edges[edge as usize];
                edge.pending += games;
                if let Some(behind) = edge.node {
                    self.nodes[behind as usize].pending += games;
                }
            }
            paths.push(path);
        }
        let leaves: Vec<Position> = paths.iter().map(|path| self.nodes[path.leaf as usize].position.clone()).collect();
        let how =
            Rollouts { games: self.options.games.max(1), seed: self.rng.random(), max_turns: self.options.max_turns };
        let tallies = self.game().rollouts(&leaves, &how)?;
        for (path, tally) in paths.iter().zip(&tallies) {
            let games = u64::from(self.options.games);
            for &(node, edge) in &path.steps {
                let edge = &mut self.nodes[node as usize].edges[edge as usize];
                edge.pending -= games;
                if let Some(behind) = edge.node {
                    self.nodes[behind as usize].pending -= games;
                }
            }
            let players = tally.points.len();
            let payoffs: Vec<f64> = (0..players).map(|player| tally.mean(Player(player as u8))).collect();
            self.back_up(path, &payoffs, tally.games);
        }
        Ok(())
    }

    /// Nobody can move, and no outcome says what that means: it counts as a draw.
    fn is_stuck(&self, node: u32) -> bool {
        let node = &self.nodes[node as usize];
        node.is_listed && node.edges.is_empty()
    }

    /// The payoffs of a node behind another are proven: a way to it needs no more games.
    fn is_known(&self, node: u32) -> bool {
        node != 0 && self.proven(node).is_some()
    }

    fn payoffs(&self, node: u32) -> Vec<f64> {
        if self.is_known(node) {
            let bounds = self.nodes[node as usize].bounds;
            return [Player(0), Player(1)].map(|player| f64::from(bounds.seen_by(player).least)).to_vec();
        }
        let position = &self.nodes[node as usize].position;
        let players = position.game().players().len();
        (0..players).map(|player| position.payoff(Player(player as u8)).unwrap_or(0.5)).collect()
    }

    /// Lists the moves of a node in an order by chance, so that it does not matter which are opened
    /// first.
    fn list(&mut self, at: u32) -> Result<(), Error> {
        let node = &mut self.nodes[at as usize];
        if node.is_listed {
            return Ok(());
        }
        let mut moves = node.position.legal_moves()?;
        for i in 0..moves.len() {
            let other = self.rng.random_range(i..moves.len());
            moves.swap(i, other);
        }
        self.bytes += moves.len() * BYTES_OF_A_MOVE;
        let edge = |made: Move| {
            let probability = made.probability().map(|(weight, of)| weight as f64 / of as f64);
            Edge { made, node: None, probability, visits: 0, points: 0.0, pending: 0 }
        };
        node.edges = moves.into_iter().map(edge).collect();
        node.is_listed = true;
        Ok(())
    }

    /// Goes down from the root to a position that has not been visited, or is over.
    fn select(&mut self) -> Result<Path, Error> {
        let mut path = Path { steps: Vec::new(), leaf: 0 };
        while path.steps.len() < MOST_PLIES {
            let at = path.leaf;
            let node = &self.nodes[at as usize];
            // Listing many moves costs more than playing a leaf's games once more.
            let before = path.steps.last().map_or(0, |&(before, _)| self.nodes[before as usize].edges.len());
            let expanded_from = (before as u64 / EXPANSION_DIVISOR).clamp(1, MOST_LEAF_VISITS);
            let is_leaf = at != 0 && !node.is_listed && node.visits < expanded_from;
            let is_end = node.position.is_over() || self.is_known(at);
            if is_leaf || is_end || self.bytes > self.options.memory && !node.is_listed {
                break;
            }
            self.list(at)?;
            let Some(edge) = self.drawn_edge(at).or_else(|| self.best_edge(at)) else { break };
            path.steps.push((at, edge));
            path.leaf = match self.nodes[at as usize].edges[edge as usize].node {
                Some(next) => next,
                None if self.bytes > self.options.memory => {
                    path.steps.pop();
                    break;
                }
                None => {
                    let node = &self.nodes[at as usize];
                    let (mut position, ply) = (node.position.clone(), node.ply + 1);
                    position.play(&node.edges[edge as usize].made)?;
                    let next = self.add(position, ply);
                    self.nodes[at as usize].edges[edge as usize].node = Some(next);
                    if at == 0 {
                        self.look_for_win(next)?;
                    }
                    next
                }
            };
        }
        Ok(path)
    }

    /// What chance chooses, drawn; `None`: a player is to choose.
    fn drawn_edge(&mut self, at: u32) -> Option<u32> {
        let edges = &self.nodes[at as usize].edges;
        edges.first()?.probability?;
        let mut rest: f64 = self.rng.random();
        let drawn = edges.iter().position(|edge| {
            rest -= edge.probability.unwrap_or(0.0);
            rest < 0.0
        });
        // The sum is 1 but for rounding.
        Some(drawn.unwrap_or(edges.len() - 1) as u32)
    }

    /// The edge of the greatest upper confidence bound.
    fn best_edge(&self, at: u32) -> Option<u32> {
        let node = &self.nodes[at as usize];
        let pending: u64 = node.edges.iter().map(|edge| edge.pending).sum();
        let total = (node.visits + pending).max(1) as f64;
        let opened = OPENED_FIRST + OPENING_FACTOR * total.powf(OPENING_POWER);
        let bonus = self.options.exploration * total.ln().sqrt();
        let floor = node.bounds.seen_by(node.chooser).least;
        let points: f64 = node.edges.iter().map(|edge| edge.points).sum();
        let mean = if node.visits == 0 { 0.5 } else { points / node.visits as f64 };
        let (mut best, mut open): (Option<(f64, u32)>, usize) = (None, 0);
        for (index, edge) in node.edges.iter().enumerate() {
            if open >= opened as usize {
                break;
            }
            let (mut proven, mut shared) = (None, None);
            if let (Some(next), true) = (edge.node, self.places.is_some()) {
                shared = self.nodes[next as usize].mean(node.chooser);
            }
            if let Some(next) = edge.node.filter(|_| self.is_zero_sum) {
                let bounds = self.nodes[next as usize].bounds.seen_by(node.chooser);
                // It cannot lead to more than what the chooser has anyway.
                if bounds.most <= floor && floor > 0.0 {
                    continue;
                }
                proven = (bounds.least == bounds.most).then_some(f64::from(bounds.least));
            }
            let times = edge.visits + edge.pending;
            let score = match times {
                0 => mean + bonus,
                times => {
                    let own = edge.points / times as f64;
                    proven.or(shared).unwrap_or(own) + bonus / (times as f64).sqrt()
                }
            };
            // What is lost for certain is visited when all else is, and keeps no other move from being opened.
            let is_lost = proven == Some(0.0);
            let score = if is_lost { score - 2.0 } else { score };
            open += usize::from(!is_lost);
            if best.is_none_or(|(greatest, _)| score > greatest) {
                best = Some((score, index as u32));
            }
        }
        best.map(|(_, index)| index)
    }

    /// Tells the way to a leaf how its games went.
    fn back_up(&mut self, path: &Path, payoffs: &[f64], games: u64) {
        self.playouts += games;
        let met = |node: &mut Node| {
            node.visits += games;
            node.points.iter_mut().zip(payoffs).for_each(|(points, payoff)| *points += payoff * games as f64);
        };
        met(&mut self.nodes[path.leaf as usize]);
        for &(at, edge) in path.steps.iter().rev() {
            let node = &mut self.nodes[at as usize];
            met(node);
            let chooser = node.chooser.index();
            let edge = &mut node.edges[edge as usize];
            edge.visits += games;
            edge.points += payoffs.get(chooser).copied().unwrap_or(0.5) * games as f64;
        }
        // Only what is proven of the leaf can prove more.
        if self.is_zero_sum && self.nodes[path.leaf as usize].bounds != Bounds::UNKNOWN {
            self.prove(path);
        }
    }

    /// Draws the bounds of the positions on a way from those behind them, the last first.
    fn prove(&mut self, path: &Path) {
        for &(at, _) in path.steps.iter().rev() {
            let node = &self.nodes[at as usize];
            let of = |edge: &Edge| edge.node.map_or(Bounds::UNKNOWN, |next| self.nodes[next as usize].bounds);
            let bounds = match node.edges.first().and_then(|edge| edge.probability) {
                Some(_) => {
                    let likely = |edge: &Edge| (edge.probability.unwrap_or(0.0), of(edge));
                    Bounds::of_mean(node.edges.iter().map(likely))
                }
                None => Bounds::of_best(node.chooser, node.edges.iter().map(of)),
            };
            // What stands behind several may have been proven by another way.
            if bounds == node.bounds && self.places.is_none() {
                break;
            }
            self.nodes[at as usize].bounds = bounds;
        }
    }

    /// The moves of the root, the best first: what is proven to win, then by playouts.
    pub fn analysis(&self) -> Analysis {
        let root = &self.nodes[0];
        let mut lines: Vec<Line> =
            (root.edges.iter()).filter(|edge| edge.visits > 0).map(|edge| self.line(edge)).collect();
        if lines.is_empty() {
            lines.extend(root.edges.first().map(|edge| self.line(edge)));
        }
        let rank = |line: &Line| match line.proven {
            Some(value) if value >= 1.0 => 2,
            Some(value) if value <= 0.0 => 0,
            _ => 1,
        };
        sort::by(&mut lines, |one, other| {
            let better = rank(other).cmp(&rank(one)).then(other.visits.cmp(&one.visits));
            better.then(other.value.total_cmp(&one.value)).then(one.first.id().cmp(&other.first.id()))
        });
        // A draw that is proven is as good as the rest is thought to be.
        if let (Some(value), true) = (self.proven(0), rank_is_mixed(&lines)) {
            sort::by_key(&mut lines, |line| line.proven != Some(value));
        }
        Analysis { lines, proven: self.proven(0), progress: self.progress(), depth: None }
    }

    fn line(&self, edge: &Edge) -> Line {
        let chooser = self.nodes[0].chooser;
        let proven = |node: u32| self.nodes[node as usize].bounds.proven(chooser).filter(|_| self.is_zero_sum);
        let mut moves = vec![edge.made.to_string()];
        let mut at = edge.node;
        while let Some(node) = at
            && moves.len() < MOST_TOLD
            && let Some(best) = self.most_visited(node)
        {
            moves.push(best.made.to_string());
            at = best.node;
        }
        Line {
            first: edge.made.clone(),
            visits: edge.visits,
            value: edge.node.and_then(proven).unwrap_or(edge.mean()),
            proven: edge.node.and_then(proven),
            moves,
        }
    }

    fn most_visited(&self, node: u32) -> Option<&Edge> {
        let visited = self.nodes[node as usize].edges.iter().filter(|edge| edge.visits > 0);
        visited.max_by_key(|edge| edge.visits)
    }

    /// The best move; `None`: there is none.
    pub fn best(&self) -> Option<Move> {
        self.analysis().lines.into_iter().next().map(|line| line.first)
    }

    /// Plays a move at the root. What was found out behind it is kept.
    ///
    /// # Errors
    /// What [`Position::play`] tells.
    pub fn play(&mut self, made: &Move) -> Result<(), Error> {
        let root = &self.nodes[0];
        let edge = root.edges.iter().find(|edge| edge.made.written() == made.written() && edge.made.id() == made.id());
        match edge.and_then(|edge| edge.node) {
            Some(next) => self.root_at(next),
            None => {
                let mut position = root.position.clone();
                position.play(made)?;
                self.restart(position);
            }
        }
        Ok(())
    }

    /// The tree of the move before, where the few plies that may have been played since led to this
    /// position in it; else a new one.
    pub fn following(tree: Option<Mcts>, position: &Position, options: Options) -> Mcts {
        let followed = tree.and_then(|mut tree| tree.follow(position, PLIES_BETWEEN_MOVES).then_some(tree));
        followed.unwrap_or_else(|| Mcts::new(position.clone(), options))
    }

    /// Makes a position the root, if it stands in the tree at most so many plies behind it; whether
    /// it does.
    fn follow(&mut self, position: &Position, plies: u32) -> bool {
        let is_it = |at: &Position| at.key() == position.key() && at.state().turns() == position.state().turns();
        let mut level = vec![0u32];
        for _ in 0..=plies {
            if let Some(&found) = level.iter().find(|&&node| is_it(&self.nodes[node as usize].position)) {
                self.root_at(found);
                return true;
            }
            let behind = |node: &u32| self.nodes[*node as usize].edges.iter().filter_map(|edge| edge.node);
            level = level.iter().flat_map(behind).collect();
            level.sort_unstable();
            level.dedup();
        }
        false
    }

    /// Begins anew with another position.
    pub fn restart(&mut self, position: Position) {
        self.nodes.clear();
        self.places.iter_mut().for_each(FxHashMap::clear);
        (self.playouts, self.bytes) = (0, 0);
        self.add(position, 0);
    }

    /// Makes a node the root; what does not stand behind it goes.
    fn root_at(&mut self, new_root: u32) {
        let mut old: Vec<Option<Node>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        let mut new_of = vec![None; old.len()];
        self.bytes = 0;
        let (mut order, mut at) = (vec![new_root], 0);
        new_of[new_root as usize] = Some(0);
        while at < order.len() {
            let Some(mut node) = old[order[at] as usize].take() else { break };
            self.bytes += BYTES_OF_A_NODE + node.edges.len() * BYTES_OF_A_MOVE;
            for edge in &mut node.edges {
                if let Some(next) = &mut edge.node {
                    let new = *new_of[*next as usize].get_or_insert(order.len() as u32);
                    if new as usize == order.len() {
                        order.push(*next);
                    }
                    *next = new;
                }
            }
            self.nodes.push(node);
            at += 1;
        }
        if let Some(places) = &mut self.places {
            *places = (0..).zip(&self.nodes).map(|(at, node)| ((node.position.key(), node.ply), at)).collect();
        }
        self.playouts = self.nodes[0].visits;
    }
}

/// Some line is proven, and some is not or otherwise.
fn rank_is_mixed(lines: &[Line]) -> bool {
    lines.iter().any(|line| line.proven != lines[0].proven)
}
