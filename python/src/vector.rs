//! Vector of games: one action for each of many games goes in; they go on together on all cores, and what is
//! seen of them is written into arrays that the caller keeps.

use std::sync::Arc;

use lusoria::Error;
use lusoria::board::Player;
use numpy::{PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray4};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::error::Wrong;
use crate::game::Game;
use crate::lane::{First, Lane, Sessions};
use crate::run::Space;
use crate::state::contiguous;

/// Where a lane writes.
struct Written<'a> {
    planes: &'a mut [u8],
    counters: &'a mut [f32],
    mask: &'a mut [bool],
    rewards: &'a mut [f32],
    reward: &'a mut f32,
    terminated: &'a mut bool,
    truncated: &'a mut bool,
    player: &'a mut i32,
    turns: &'a mut i32,
}

#[pyclass(module = "lusoria")]
pub struct VectorCore {
    common: Common,
    lanes: Vec<Lane>,
    pool: rayon::ThreadPool,
    board: Option<Arrays>,
}

/// The caller's arrays.
struct Arrays {
    planes: Py<numpy::PyArray4<u8>>,
    counters: Py<numpy::PyArray2<f32>>,
    mask: Py<numpy::PyArray2<bool>>,
    rewards: Py<numpy::PyArray2<f32>>,
    reward: Py<numpy::PyArray1<f32>>,
    terminated: Py<numpy::PyArray1<bool>>,
    truncated: Py<numpy::PyArray1<bool>>,
    player: Py<numpy::PyArray1<i32>>,
    turns: Py<numpy::PyArray1<i32>>,
}

/// What all lanes share.
struct Common {
    space: Arc<Space>,
    sessions: Sessions,
    first: First,
    max_turns: u32,
}

impl Common {
    /// Makes the choice, and begins anew where that ends the game; `false`: it is not legal.
    fn step(&self, lane: &mut Lane, action: u16, to: &mut Written<'_>) -> Result<bool, Error> {
        let actor = lane.chooser();
        if !lane.apply(&self.space, &self.sessions, action)? {
            return Ok(false);
        }
        *to.terminated = lane.is_over();
        *to.truncated = !*to.terminated && lane.turns() >= self.max_turns;
        for (player, reward) in to.rewards.iter_mut().enumerate() {
            *reward = lane.payoff(Player(player as u8)) as f32;
        }
        *to.reward = to.rewards[actor.index()];
        if *to.terminated || *to.truncated {
            lane.next(&self.space, &self.sessions, &self.first)?;
        }
        Ok(true)
    }

    fn observe(&self, lane: &mut Lane, to: &mut Written<'_>) -> Result<(), Error> {
        lane.observe(&self.space, &self.sessions, (to.planes, to.counters, to.mask))?;
        *to.player = lane.chooser().index() as i32;
        *to.turns = lane.turns() as i32;
        Ok(())
    }
}

/// Why a step stopped: at which lane, and why.
enum Stopped {
    Illegal(usize, i64),
    Fault(Error),
}

impl VectorCore {
    /// Lends each lane what it writes to, on all threads.
    fn all(
        &mut self,
        py: Python<'_>,
        each: impl Fn(usize, &mut Lane, &Common, &mut Written<'_>) -> Result<(), Stopped> + Sync,
    ) -> Result<(), Wrong> {
        let Some(arrays) = &self.board else {
            return Err(PyRuntimeError::new_err("the arrays have not been given").into());
        };
        let mut planes: PyReadwriteArray4<'_, u8> = arrays.planes.bind(py).readwrite();
        let mut counters: PyReadwriteArray2<'_, f32> = arrays.counters.bind(py).readwrite();
        let mut mask: PyReadwriteArray2<'_, bool> = arrays.mask.bind(py).readwrite();
        let mut rewards: PyReadwriteArray2<'_, f32> = arrays.rewards.bind(py).readwrite();
        let mut reward: PyReadwriteArray1<'_, f32> = arrays.reward.bind(py).readwrite();
        let mut terminated: PyReadwriteArray1<'_, bool> = arrays.terminated.bind(py).readwrite();
        let mut truncated: PyReadwriteArray1<'_, bool> = arrays.truncated.bind(py).readwrite();
        let mut player: PyReadwriteArray1<'_, i32> = arrays.player.bind(py).readwrite();
        let mut turns: PyReadwriteArray1<'_, i32> = arrays.turns.bind(py).readwrite();
        let (common, space) = (&self.common, self.common.space.clone());
        let (size, numbers) = (space.layout.size(), space.layout.counters.len());
        let written = Slices {
            planes: contiguous(planes.as_slice_mut())?.chunks_mut(size).collect(),
            counters: contiguous(counters.as_slice_mut())?.chunks_mut(numbers).collect(),
            mask: contiguous(mask.as_slice_mut())?.chunks_mut(space.actions.len()).collect(),
            rewards: contiguous(rewards.as_slice_mut())?.chunks_mut(space.players()).collect(),
            reward: contiguous(reward.as_slice_mut())?,
            terminated: contiguous(terminated.as_slice_mut())?,
            truncated: contiguous(truncated.as_slice_mut())?,
            player: contiguous(player.as_slice_mut())?,
            turns: contiguous(turns.as_slice_mut())?,
        };
        let mut written = written.by_lane();
        let (lanes, pool) = (&mut self.lanes, &self.pool);
        if written.len() != lanes.len() {
            return Err(PyValueError::new_err("the arrays are for another number of games").into());
        }
        let stopped = py.detach(|| {
            pool.install(|| {
                let both = lanes.par_iter_mut().zip(written.par_iter_mut()).enumerate();
                both.with_min_len(16).try_for_each(|(at, (lane, to))| each(at, lane, common, to))
            })
        });
        match stopped {
            Ok(()) => Ok(()),
            Err(Stopped::Illegal(lane, action)) => {
                let name = usize::try_from(action).ok().and_then(|action| space.actions.name(action)).unwrap_or("?");
                Err(PyValueError::new_err(format!("game {lane}: action {action}, `{name}`, is not legal")).into())
            }
            Err(Stopped::Fault(error)) => Err(Wrong::of(&space.game)(error)),
        }
    }
}

/// The arrays, cut by lanes where they have more than one item for each.
struct Slices<'a> {
    planes: Vec<&'a mut [u8]>,
    counters: Vec<&'a mut [f32]>,
    mask: Vec<&'a mut [bool]>,
    rewards: Vec<&'a mut [f32]>,
    reward: &'a mut [f32],
    terminated: &'a mut [bool],
    truncated: &'a mut [bool],
    player: &'a mut [i32],
    turns: &'a mut [i32],
}

impl<'a> Slices<'a> {
    fn by_lane(self) -> Vec<Written<'a>> {
        let single = self.reward.iter_mut().zip(self.terminated.iter_mut()).zip(self.truncated.iter_mut());
        let single = single.zip(self.player.iter_mut()).zip(self.turns.iter_mut());
        let several = self.planes.into_iter().zip(self.counters).zip(self.mask).zip(self.rewards);
        several
            .zip(single)
            .map(|((((planes, counters), mask), rewards), ((((reward, terminated), truncated), player), turns))| {
                Written { planes, counters, mask, rewards, reward, terminated, truncated, player, turns }
            })
            .collect()
    }
}

#[pymethods]
impl VectorCore {
    #[new]
    fn new(py: Python<'_>, game: &Game, lanes: usize, max_turns: u32, threads: usize) -> Result<VectorCore, Wrong> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let (space, sessions) = (game.space().clone(), Sessions::new());
        let first = py.detach(|| First::new(&space, &sessions)).map_err(Wrong::of(&space.game))?;
        let lanes = (0..lanes).map(|_| Lane::new()).collect();
        Ok(VectorCore { common: Common { space, sessions, first, max_turns }, lanes, pool, board: None })
    }

    #[expect(clippy::too_many_arguments, reason = "each is an array")]
    fn set_arrays(
        &mut self,
        planes: Py<numpy::PyArray4<u8>>,
        counters: Py<numpy::PyArray2<f32>>,
        mask: Py<numpy::PyArray2<bool>>,
        rewards: Py<numpy::PyArray2<f32>>,
        reward: Py<numpy::PyArray1<f32>>,
        terminated: Py<numpy::PyArray1<bool>>,
        truncated: Py<numpy::PyArray1<bool>>,
        player: Py<numpy::PyArray1<i32>>,
        turns: Py<numpy::PyArray1<i32>>,
    ) {
        let arrays = Arrays { planes, counters, mask, rewards, reward, terminated, truncated, player, turns };
        self.board = Some(arrays);
    }

    /// Begins all games anew; each is decided by the seed and its place.
    fn reset(&mut self, py: Python<'_>, seed: u64) -> Result<(), Wrong> {
        self.all(py, |at, lane, common, to| {
            let seed = seed ^ (at as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95);
            lane.reset(&common.space, &common.sessions, &common.first, seed).map_err(Stopped::Fault)?;
            to.rewards.fill(0.0);
            (*to.reward, *to.terminated, *to.truncated) = (0.0, false, false);
            common.observe(lane, to).map_err(Stopped::Fault)
        })
    }

    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> Result<(), Wrong> {
        let actions = contiguous(actions.as_slice())?;
        if actions.len() != self.lanes.len() {
            let told = format!("{} actions for {} games", actions.len(), self.lanes.len());
            return Err(PyValueError::new_err(told).into());
        }
        self.all(py, |at, lane, common, to| {
            let illegal = || Stopped::Illegal(at, actions[at]);
            let action = u16::try_from(actions[at]).map_err(|_| illegal())?;
            match common.step(lane, action, to) {
                Ok(true) => common.observe(lane, to).map_err(Stopped::Fault),
                Ok(false) => Err(illegal()),
                Err(error) => Err(Stopped::Fault(error)),
            }
        })
    }

    /// Writes an action for each game that begins a move drawn uniformly.
    fn draw(&mut self, py: Python<'_>, mut to: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        let to = contiguous(to.as_slice_mut())?;
        let (lanes, pool) = (&mut self.lanes, &self.pool);
        py.detach(|| {
            pool.install(|| {
                lanes.par_iter_mut().zip(to.par_iter_mut()).with_min_len(64).for_each(|(lane, to)| {
                    *to = lane.drawn().map_or(-1, i64::from);
                });
            });
        });
        Ok(())
    }

    fn position(&self, lane: usize) -> Result<crate::position::Position, Wrong> {
        let lane = self.lanes.get(lane).ok_or_else(|| PyValueError::new_err("there is no such game"))?;
        let space = &self.common.space;
        lane.position(space).map(crate::position::Position::new).map_err(Wrong::of(&space.game))
    }
}
