//! Vector of games: one action for each of many games goes in; they go on together on all cores, and what is
//! seen of them is written into arrays that the caller keeps.

use std::sync::{Mutex, PoisonError};

use lusoria::batch::WarpContext;
use numpy::{PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray4};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::error::Wrong;
use crate::game::Game;
use crate::group::{Common, Group, Slices, Stopped};
use crate::lane::{First, Lent, Sessions};
use crate::state::contiguous;

/// Lanes that a thread takes at a time where each is stepped alone: few enough that none waits long for
/// the last, and enough that taking them costs nothing.
const LANES_AT_A_TIME: usize = 16;
/// Lanes up to which one thread draws for all: that is over before another has woken up.
const LANES_DRAWN_ALONE: usize = 4096;

#[pyclass(module = "lusoria")]
pub struct VectorCore {
    common: Common,
    sessions: Sessions,
    groups: Vec<Group>,
    /// Lanes of a group; the last one may have fewer.
    lanes_of_group: usize,
    lanes: usize,
    /// The threads that play beside the caller's. `None`: it plays alone.
    pool: Option<rayon::ThreadPool>,
    arrays: Option<Arrays>,
}

/// The caller's arrays.
struct Arrays {
    planes: Py<numpy::PyArray4<u8>>,
    counters: Py<numpy::PyArray2<f32>>,
    mask: Py<numpy::PyArray2<u8>>,
    rewards: Py<numpy::PyArray2<f32>>,
    reward: Py<numpy::PyArray1<f32>>,
    terminated: Py<numpy::PyArray1<bool>>,
    truncated: Py<numpy::PyArray1<bool>>,
    player: Py<numpy::PyArray1<i32>>,
    turns: Py<numpy::PyArray1<i32>>,
}

impl VectorCore {
    /// Lends each group what it writes to, on all threads.
    fn all(
        &mut self,
        py: Python<'_>,
        each: impl Fn(&mut Group, &Common, &mut Lent<'_>, (usize, Slices<'_>)) -> Result<(), Stopped> + Sync,
    ) -> Result<(), Wrong> {
        let Some(arrays) = &self.arrays else {
            return Err(PyRuntimeError::new_err("the arrays have not been given").into());
        };
        let mut planes: PyReadwriteArray4<'_, u8> = arrays.planes.bind(py).readwrite();
        let mut counters: PyReadwriteArray2<'_, f32> = arrays.counters.bind(py).readwrite();
        let mut mask: PyReadwriteArray2<'_, u8> = arrays.mask.bind(py).readwrite();
        let mut rewards: PyReadwriteArray2<'_, f32> = arrays.rewards.bind(py).readwrite();
        let mut reward: PyReadwriteArray1<'_, f32> = arrays.reward.bind(py).readwrite();
        let mut terminated: PyReadwriteArray1<'_, bool> = arrays.terminated.bind(py).readwrite();
        let mut truncated: PyReadwriteArray1<'_, bool> = arrays.truncated.bind(py).readwrite();
        let mut player: PyReadwriteArray1<'_, i32> = arrays.player.bind(py).readwrite();
        let mut turns: PyReadwriteArray1<'_, i32> = arrays.turns.bind(py).readwrite();
        let space = &*self.common.space;
        let written = Slices {
            planes: contiguous(planes.as_slice_mut())?,
            counters: contiguous(counters.as_slice_mut())?,
            mask: contiguous(mask.as_slice_mut())?,
            rewards: contiguous(rewards.as_slice_mut())?,
            reward: contiguous(reward.as_slice_mut())?,
            terminated: contiguous(terminated.as_slice_mut())?,
            truncated: contiguous(truncated.as_slice_mut())?,
            player: contiguous(player.as_slice_mut())?,
            turns: contiguous(turns.as_slice_mut())?,
        };
        if written.reward.len() != self.lanes {
            return Err(PyValueError::new_err("the arrays are for another number of games").into());
        }
        let (common, sessions, pool) = (&self.common, &self.sessions, self.pool.as_ref());
        let groups = self.groups.iter_mut().zip(written.cut(space, self.lanes_of_group));
        let left = Mutex::new(groups.enumerate());
        let stopped = Mutex::new(None);
        let play = || {
            sessions.lend(space, |lent| {
                loop {
                    let next = left.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((number, (group, written))) = next else { return };
                    if let Err(why) = each(group, common, lent, (number, written)) {
                        // The others stop as soon as they look for more groups.
                        left.lock().unwrap_or_else(PoisonError::into_inner).by_ref().for_each(drop);
                        *stopped.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
                        return;
                    }
                }
            });
        };
        py.detach(|| match pool {
            Some(pool) => pool.in_place_scope(|scope| {
                (0..pool.current_num_threads()).for_each(|_| scope.spawn(|_| play()));
                play();
            }),
            None => play(),
        });
        let stopped = stopped.into_inner().unwrap_or_else(PoisonError::into_inner);
        match stopped {
            None => Ok(()),
            Some(Stopped::Illegal(lane, action)) => {
                let name = usize::try_from(action).ok().and_then(|action| space.actions.name(action)).unwrap_or("?");
                Err(PyValueError::new_err(format!("game {lane}: action {action}, `{name}`, is not legal")).into())
            }
            Some(Stopped::Fault(error)) => Err(Wrong::of(&space.game)(error)),
        }
    }
}

#[pymethods]
impl VectorCore {
    #[new]
    fn new(py: Python<'_>, game: &Game, lanes: usize, max_turns: u32, threads: usize) -> Result<VectorCore, Wrong> {
        let others = threads.saturating_sub(1);
        let pool = (others > 0).then(|| rayon::ThreadPoolBuilder::new().num_threads(others).build()).transpose();
        let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let space = game.space().clone();
        let (sessions, (first, context)) = py.detach(|| {
            let sessions = Sessions::new(&space);
            let first = sessions.lend(&space, |lent| (First::new(lent), lent.context()));
            (sessions, first)
        });
        let first = first.map_err(Wrong::of(&space.game))?;
        let lanes_of_group = context.as_ref().map_or(LANES_AT_A_TIME, WarpContext::lanes);
        let group = |begin: usize| Group::new(begin, (lanes - begin).min(lanes_of_group), context.clone());
        let groups = (0..lanes).step_by(lanes_of_group).map(group).collect();
        let common = Common { space, first, max_turns };
        Ok(VectorCore { common, sessions, groups, lanes_of_group, lanes, pool, arrays: None })
    }

    #[expect(clippy::too_many_arguments, reason = "each is an array")]
    fn set_arrays(
        &mut self,
        planes: Py<numpy::PyArray4<u8>>,
        counters: Py<numpy::PyArray2<f32>>,
        mask: Py<numpy::PyArray2<u8>>,
        rewards: Py<numpy::PyArray2<f32>>,
        reward: Py<numpy::PyArray1<f32>>,
        terminated: Py<numpy::PyArray1<bool>>,
        truncated: Py<numpy::PyArray1<bool>>,
        player: Py<numpy::PyArray1<i32>>,
        turns: Py<numpy::PyArray1<i32>>,
    ) {
        let arrays = Arrays { planes, counters, mask, rewards, reward, terminated, truncated, player, turns };
        self.arrays = Some(arrays);
    }

    /// Begins all games anew; each is decided by the seed and its place.
    fn reset(&mut self, py: Python<'_>, seed: u64) -> Result<(), Wrong> {
        self.all(py, |group, common, lent, (_, written)| group.reset(common, lent, seed, written))
    }

    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> Result<(), Wrong> {
        let actions = contiguous(actions.as_slice())?;
        if actions.len() != self.lanes {
            let told = format!("{} actions for {} games", actions.len(), self.lanes);
            return Err(PyValueError::new_err(told).into());
        }
        let lanes = self.lanes_of_group;
        self.all(py, |group, common, lent, (number, written)| {
            group.step(common, lent, &actions[number * lanes..][..group.lanes().len()], written)
        })
    }

    /// Writes an action for each game that begins a move drawn uniformly.
    fn draw(&mut self, py: Python<'_>, mut to: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        let to = contiguous(to.as_slice_mut())?;
        let (groups, lanes, board) = (&mut self.groups, self.lanes_of_group, self.sessions.board());
        py.detach(|| match &self.pool {
            Some(pool) if self.lanes > LANES_DRAWN_ALONE => pool.install(|| {
                groups.par_iter_mut().zip(to.par_chunks_mut(lanes)).for_each(|(group, to)| group.draw(board, to));
            }),
            _ => groups.iter_mut().zip(to.chunks_mut(lanes)).for_each(|(group, to)| group.draw(board, to)),
        });
        Ok(())
    }

    fn position(&self, lane: usize) -> Result<crate::position::Position, Wrong> {
        let group = self.groups.get(lane / self.lanes_of_group);
        let lane = group.and_then(|group| group.lanes().get(lane % self.lanes_of_group));
        let lane = lane.ok_or_else(|| PyValueError::new_err("there is no such game"))?;
        let space = &self.common.space;
        lane.position(space).map(crate::position::Position::new).map_err(Wrong::of(&space.game))
    }
}
