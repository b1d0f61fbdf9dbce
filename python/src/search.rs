//! Search by a value function: a state goes in; leaves of the tree come out in batches, values and policies of them go in, and
//! visits come out. It is Monte Carlo tree search by PUCT, with virtual losses while leaves wait for their values.

use std::sync::Arc;

use lusoria::Error;
use lusoria::board::Player;
use numpy::{PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray4};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::error::Wrong;
use crate::position::Position;
use crate::run::{Run, Space};
use crate::state::{State, contiguous};

/// Choices below the root, at most: games may go on for ever.
const DEEPEST: usize = 10_000;

struct Node {
    run: Run,
    kind: Kind,
    edges: Vec<Edge>,
    /// Playouts through it that are over, and those that wait.
    visits: u32,
    waiting: u32,
    /// By player, added up over the playouts.
    sums: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Over,
    Chance,
    /// A player chooses; its value is not known yet.
    Leaf,
    Inner,
}

struct Edge {
    action: u16,
    /// How likely the policy, or chance, makes it.
    prior: f64,
    child: Option<u32>,
}

/// What came of a descent.
enum Descent {
    /// It came to a new leaf, or the end of a game.
    Leaf,
    Over,
    /// To a leaf that waits already.
    Met,
}

#[pyclass(module = "lusoria")]
pub struct Tree {
    space: Arc<Space>,
    nodes: Vec<Node>,
    exploration: f64,
    rng: Xoshiro256PlusPlus,
    /// From the root to leaves whose values are asked for.
    asked: Vec<Vec<u32>>,
}

impl Tree {
    fn node(&self, run: Run) -> Node {
        let kind = match (run.is_over(), run.is_chance()) {
            (true, _) => Kind::Over,
            (_, true) => Kind::Chance,
            _ => Kind::Leaf,
        };
        let edges = match kind {
            Kind::Chance => {
                run.chance().into_iter().map(|(action, prior)| Edge { action, prior, child: None }).collect()
            }
            _ => Vec::new(),
        };
        Node { run, kind, edges, visits: 0, waiting: 0, sums: vec![0.0; self.space.players()] }
    }

    /// The edge that looks best to who chooses.
    fn best(&self, node: &Node) -> Option<usize> {
        let chooser = node.run.chooser().index();
        let all = f64::from(node.visits + node.waiting).max(1.0).sqrt();
        // What has not been tried is thought to be as good as the node.
        let usual = if node.visits == 0 { 0.0 } else { node.sums[chooser] / f64::from(node.visits) };
        let mut best: Option<(usize, f64)> = None;
        for (at, edge) in node.edges.iter().enumerate() {
            let (tried, value) = match edge.child.map(|child| &self.nodes[child as usize]) {
                None => (0.0, usual),
                Some(child) => {
                    let tried = f64::from(child.visits + child.waiting);
                    // Playouts that wait count as lost.
                    let sum = child.sums[chooser] - f64::from(child.waiting);
                    (tried, if tried == 0.0 { usual } else { sum / tried })
                }
            };
            let score = value + self.exploration * edge.prior * all / (1.0 + tried);
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((at, score));
            }
        }
        best.map(|(at, _)| at)
    }

    fn drawn(&mut self, at: u32) -> Option<usize> {
        let mut left: f64 = self.rng.random();
        let edges = &self.nodes[at as usize].edges;
        let found = edges.iter().position(|edge| {
            left -= edge.prior;
            left < 0.0
        });
        found.or(edges.len().checked_sub(1))
    }

    /// Goes down the tree to a leaf or the end of a game, once.
    fn descend(&mut self) -> Result<Descent, Error> {
        let mut path = vec![0u32];
        let mut at = 0u32;
        loop {
            let node = &self.nodes[at as usize];
            let edge = match node.kind {
                Kind::Over => {
                    let payoffs = (0..self.space.players()).map(|player| node.run.payoff(Player(player as u8)));
                    let payoffs: Vec<f64> = payoffs.collect();
                    self.back_up(&path, &payoffs);
                    return Ok(Descent::Over);
                }
                Kind::Leaf if node.waiting > 0 => return Ok(Descent::Met),
                Kind::Leaf => {
                    path.iter().for_each(|at| self.nodes[*at as usize].waiting += 1);
                    self.asked.push(path);
                    return Ok(Descent::Leaf);
                }
                _ if path.len() > DEEPEST => {
                    let draw = vec![0.0; self.space.players()];
                    self.back_up(&path, &draw);
                    return Ok(Descent::Over);
                }
                Kind::Chance => self.drawn(at),
                Kind::Inner => self.best(node),
            };
            let Some(edge) = edge else { return Ok(Descent::Met) };
            at = match self.nodes[at as usize].edges[edge].child {
                Some(child) => child,
                None => {
                    let mut run = self.nodes[at as usize].run.clone();
                    run.apply(&self.space.actions, self.nodes[at as usize].edges[edge].action)?;
                    let child = self.nodes.len() as u32;
                    let node = self.node(run);
                    self.nodes.push(node);
                    self.nodes[at as usize].edges[edge].child = Some(child);
                    child
                }
            };
            path.push(at);
        }
    }

    fn back_up(&mut self, path: &[u32], values: &[f64]) {
        for at in path {
            let node = &mut self.nodes[*at as usize];
            node.visits += 1;
            node.sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
    }

    /// The node that a path of actions leads to from the root.
    fn reached(&self, path: &[u16]) -> Option<&Node> {
        let mut node = &self.nodes[0];
        for action in path {
            let edge = node.edges.iter().find(|edge| edge.action == *action)?;
            node = &self.nodes[edge.child? as usize];
        }
        Some(node)
    }

    fn leaf(&self, at: usize) -> &Node {
        let path = &self.asked[at];
        &self.nodes[path[path.len() - 1] as usize]
    }
}

/// A move: its text, its visits, its value for who makes it.
type Line = (String, u32, Option<f64>);

#[pymethods]
impl Tree {
    #[new]
    fn new(state: &State, exploration: f64, seed: u64) -> Tree {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut tree = Tree { space: state.space.clone(), nodes: Vec::new(), exploration, rng, asked: Vec::new() };
        let root = tree.node(state.run.clone());
        tree.nodes.push(root);
        tree
    }

    /// Goes down to so many leaves, at most, and writes what is seen there. How many there are, and how many playouts came to
    /// the end of a game meanwhile, at most `playouts` together.
    #[allow(clippy::too_many_arguments, reason = "each is an array")]
    fn gather(
        &mut self,
        py: Python<'_>,
        playouts: usize,
        mut planes: PyReadwriteArray4<'_, u8>,
        mut counters: PyReadwriteArray2<'_, f32>,
        mut mask: PyReadwriteArray2<'_, bool>,
        mut player: PyReadwriteArray1<'_, i32>,
    ) -> Result<(usize, usize), Wrong> {
        if !self.asked.is_empty() {
            return Err(PyRuntimeError::new_err("the values of the last leaves have not been given").into());
        }
        let space = self.space.clone();
        let player = contiguous(player.as_slice_mut())?;
        let (planes, counters) = (contiguous(planes.as_slice_mut())?, contiguous(counters.as_slice_mut())?);
        let mask = contiguous(mask.as_slice_mut())?;
        let (size, numbers, actions) = (space.layout.size(), space.layout.counters.len(), space.actions.len());
        let batch = player.len();
        if planes.len() != batch * size || counters.len() != batch * numbers || mask.len() != batch * actions {
            return Err(PyValueError::new_err("the arrays have another shape than leaves of this game").into());
        }
        let gathered = py.detach(|| {
            let mut over = 0;
            while self.asked.len() < batch && self.asked.len() + over < playouts {
                match self.descend()? {
                    Descent::Leaf => {}
                    Descent::Over => over += 1,
                    Descent::Met => break,
                }
            }
            for at in 0..self.asked.len() {
                let run = &self.leaf(at).run;
                let viewer = run.chooser();
                let planes = &mut planes[at * size..(at + 1) * size];
                let counters = &mut counters[at * numbers..(at + 1) * numbers];
                space.layout.write(&run.position, viewer, run.chosen(), planes, counters)?;
                let mask = &mut mask[at * actions..(at + 1) * actions];
                mask.fill(false);
                run.legal().for_each(|(action, _)| mask[usize::from(action)] = true);
                player[at] = viewer.index() as i32;
            }
            Ok((self.asked.len(), over))
        });
        gathered.map_err(Wrong::of(&self.space.game))
    }

    /// The positions of the leaves that are asked for.
    fn positions(&self) -> Vec<Position> {
        (0..self.asked.len()).map(|at| Position::new(self.leaf(at).run.position.clone())).collect()
    }

    /// Takes values by leaf and player, and policies by leaf and action.
    #[pyo3(signature = (values, policies=None))]
    fn answer(
        &mut self,
        values: PyReadonlyArray2<'_, f64>,
        policies: Option<PyReadonlyArray2<'_, f64>>,
    ) -> Result<(), Wrong> {
        let (players, actions) = (self.space.players(), self.space.actions.len());
        let values = contiguous(values.as_slice())?;
        let policies = policies.as_ref().map(|policies| contiguous(policies.as_slice())).transpose()?;
        let leaves = self.asked.len();
        if values.len() != leaves * players || policies.is_some_and(|all| all.len() != leaves * actions) {
            return Err(PyValueError::new_err("there must be values for each leaf, and policies or none").into());
        }
        let is_number = |all: &[f64]| all.iter().all(|one| one.is_finite());
        if !is_number(values) || !policies.is_none_or(|all| is_number(all) && all.iter().all(|one| *one >= 0.0)) {
            let why = "values must be finite numbers, and policies must not be negative";
            return Err(PyValueError::new_err(why).into());
        }
        for (at, path) in std::mem::take(&mut self.asked).into_iter().enumerate() {
            let node = &mut self.nodes[path[path.len() - 1] as usize];
            let policy = policies.map(|all| &all[at * actions..(at + 1) * actions]);
            // Without a policy, each move is as likely, not each choice.
            let weight = |(action, moves): (u16, usize)| policy.map_or(moves as f64, |all| all[usize::from(action)]);
            let legal: Vec<(u16, usize)> = node.run.legal().collect();
            let sum: f64 = legal.iter().copied().map(weight).sum();
            let share = 1.0 / legal.len().max(1) as f64;
            let edge = |one: (u16, usize)| {
                let prior = if sum > 0.0 { weight(one) / sum } else { share };
                Edge { action: one.0, prior, child: None }
            };
            node.edges = legal.iter().copied().map(edge).collect();
            node.kind = Kind::Inner;
            path.iter().for_each(|at| self.nodes[*at as usize].waiting -= 1);
            self.back_up(&path, &values[at * players..(at + 1) * players]);
        }
        Ok(())
    }

    /// The moves of the root.
    fn lines(&self) -> Vec<Line> {
        let root = &self.nodes[0];
        let (chooser, depth) = (root.run.chooser().index(), root.run.chosen().len());
        let line = |(path, one): (&crate::actions::Path, &lusoria::Move)| {
            let node = self.reached(&path[depth..]);
            let visits = node.map_or(0, |node| node.visits);
            let value = node.filter(|_| visits > 0).map(|node| node.sums[chooser] / f64::from(visits));
            (one.to_string(), visits, value)
        };
        root.run.paths().map(line).collect()
    }

    /// The actions of the root, with their visits.
    fn visits(&self) -> Vec<(u16, u32)> {
        let visits = |edge: &Edge| edge.child.map_or(0, |child| self.nodes[child as usize].visits);
        self.nodes[0].edges.iter().map(|edge| (edge.action, visits(edge))).collect()
    }

    /// By player, the mean of all playouts.
    fn values(&self) -> Vec<f64> {
        let root = &self.nodes[0];
        root.sums.iter().map(|sum| sum / f64::from(root.visits.max(1))).collect()
    }

    #[getter]
    fn nodes(&self) -> usize {
        self.nodes.len()
    }
}
