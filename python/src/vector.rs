//! Vector of games: one action for each of many games goes in; they go on together on all cores, and what is
//! seen of them is written into arrays that the caller keeps.

use std::sync::{Arc, Mutex, PoisonError};

use lusoria::Error;
use lusoria::board::Player;
use numpy::{PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray4};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use smallvec::SmallVec;

use crate::error::Wrong;
use crate::game::Game;
use crate::lane::{First, Lane, Lent, Sessions};
use crate::run::Space;
use crate::state::contiguous;

/// Lanes that a thread takes at a time where each is stepped alone: few enough that none waits long for
/// the last, and enough that taking them costs nothing.
const LANES_AT_A_TIME: usize = 16;
/// Lanes up to which one thread draws for all: that is over before another has woken up.
const LANES_DRAWN_ALONE: usize = 4096;

#[pyclass(module = "lusoria")]
pub struct VectorCore {
    common: Common,
    lanes: Vec<Lane>,
    /// The threads that play beside the caller's. `None`: it plays alone.
    pool: Option<rayon::ThreadPool>,
    board: Option<Arrays>,
    /// Lanes that a thread takes at a time.
    at_a_time: usize,
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

/// Where some lanes write.
struct Slices<'a> {
    planes: &'a mut [u8],
    counters: &'a mut [f32],
    mask: &'a mut [u8],
    rewards: &'a mut [f32],
    reward: &'a mut [f32],
    terminated: &'a mut [bool],
    truncated: &'a mut [bool],
    player: &'a mut [i32],
    turns: &'a mut [i32],
}

impl<'a> Slices<'a> {
    /// Cuts them, so many lanes at a time.
    fn cut(self, space: &Space, lanes: usize) -> impl Iterator<Item = Slices<'a>> {
        let planes = self.planes.chunks_mut(lanes * space.layout.size());
        let counters = self.counters.chunks_mut(lanes * space.layout.counters.len());
        let mask = self.mask.chunks_mut(lanes * space.actions.len());
        let rewards = self.rewards.chunks_mut(lanes * space.players());
        let single = self.reward.chunks_mut(lanes).zip(self.terminated.chunks_mut(lanes));
        let single = single.zip(self.truncated.chunks_mut(lanes));
        let single = single.zip(self.player.chunks_mut(lanes)).zip(self.turns.chunks_mut(lanes));
        planes.zip(counters).zip(mask).zip(rewards).zip(single).map(
            |((((planes, counters), mask), rewards), ((((reward, terminated), truncated), player), turns))| Slices {
                planes,
                counters,
                mask,
                rewards,
                reward,
                terminated,
                truncated,
                player,
                turns,
            },
        )
    }
}

/// What all lanes share.
struct Common {
    space: Arc<Space>,
    sessions: Sessions,
    first: First,
    max_turns: u32,
}

impl Common {
    /// Makes the choices of some lanes, and begins anew where that ends a game.
    fn step(
        &self,
        lent: &mut Lent<'_>,
        (begin, lanes): (usize, &mut [Lane]),
        actions: &[i64],
        written: Slices<'_>,
    ) -> Result<(), Stopped> {
        let actors: SmallVec<[Player; 64]> = lanes.iter().map(Lane::chooser).collect();
        let stepped = Lane::step_all(lent, lanes, actions).map_err(Stopped::Fault)?;
        let lanes = lanes.iter_mut().zip(actors).zip(stepped).zip(actions).enumerate();
        for ((at, (((lane, actor), is_stepped), action)), mut to) in lanes.zip(written.cut(&self.space, 1)) {
            let illegal = || Stopped::Illegal(begin + at, *action);
            if !is_stepped {
                let action = u16::try_from(*action).map_err(|_| illegal())?;
                if !lane.apply(lent, action).map_err(Stopped::Fault)? {
                    return Err(illegal());
                }
            }
            self.end(lent, lane, actor, &mut to).map_err(Stopped::Fault)?;
            self.observe(lent, lane, &mut to).map_err(Stopped::Fault)?;
        }
        Ok(())
    }

    /// Tells how the game stands after a choice, and begins the next one where it is over.
    fn end(&self, lent: &mut Lent<'_>, lane: &mut Lane, actor: Player, to: &mut Slices<'_>) -> Result<(), Error> {
        let terminated = lane.is_over();
        let truncated = !terminated && lane.turns() >= self.max_turns;
        (to.terminated[0], to.truncated[0]) = (terminated, truncated);
        for (player, reward) in to.rewards.iter_mut().enumerate() {
            *reward = if terminated { lane.payoff(Player(player as u8)) as f32 } else { 0.0 };
        }
        to.reward[0] = if terminated { lane.payoff(actor) as f32 } else { 0.0 };
        if terminated || truncated {
            lane.next(lent, &self.first)?;
        }
        Ok(())
    }

    fn observe(&self, lent: &mut Lent<'_>, lane: &mut Lane, to: &mut Slices<'_>) -> Result<(), Error> {
        lane.observe(lent, (to.planes, to.counters, to.mask))?;
        (to.player[0], to.turns[0]) = (lane.chooser().index() as i32, lane.turns() as i32);
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
        each: impl Fn(&mut Lent<'_>, &Common, (usize, &mut [Lane]), Slices<'_>) -> Result<(), Stopped> + Sync,
    ) -> Result<(), Wrong> {
        let Some(arrays) = &self.board else {
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
        if written.reward.len() != self.lanes.len() {
            return Err(PyValueError::new_err("the arrays are for another number of games").into());
        }
        let (common, pool) = (&self.common, self.pool.as_ref());
        let at_a_time = self.at_a_time;
        let some = self.lanes.chunks_mut(at_a_time).zip(written.cut(space, at_a_time));
        let left = Mutex::new(some.enumerate());
        let stopped = Mutex::new(None);
        let play = || {
            common.sessions.lend(space, |lent| {
                loop {
                    let next = left.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((begin, (lanes, written))) = next else { return };
                    if let Err(why) = each(lent, common, (begin * at_a_time, lanes), written) {
                        // The others stop as soon as they look for more lanes.
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
        let (sessions, (first, together)) = py.detach(|| {
            let sessions = Sessions::new(&space);
            let first = sessions.lend(&space, |lent| (First::new(lent), lent.lanes()));
            (sessions, first)
        });
        let first = first.map_err(Wrong::of(&space.game))?;
        let lanes = (0..lanes).map(|_| Lane::new()).collect();
        let common = Common { space, sessions, first, max_turns };
        Ok(VectorCore { common, lanes, pool, board: None, at_a_time: together.unwrap_or(LANES_AT_A_TIME) })
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
        self.board = Some(arrays);
    }

    /// Begins all games anew; each is decided by the seed and its place.
    fn reset(&mut self, py: Python<'_>, seed: u64) -> Result<(), Wrong> {
        self.all(py, |lent, common, (begin, lanes), written| {
            for ((at, lane), mut to) in (begin..).zip(lanes).zip(written.cut(&common.space, 1)) {
                let seed = seed ^ (at as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95);
                lane.reset(lent, &common.first, seed).map_err(Stopped::Fault)?;
                to.rewards.fill(0.0);
                (to.reward[0], to.terminated[0], to.truncated[0]) = (0.0, false, false);
                common.observe(lent, lane, &mut to).map_err(Stopped::Fault)?;
            }
            Ok(())
        })
    }

    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> Result<(), Wrong> {
        let actions = contiguous(actions.as_slice())?;
        if actions.len() != self.lanes.len() {
            let told = format!("{} actions for {} games", actions.len(), self.lanes.len());
            return Err(PyValueError::new_err(told).into());
        }
        self.all(py, |lent, common, (begin, lanes), written| {
            let actions = &actions[begin..][..lanes.len()];
            common.step(lent, (begin, lanes), actions, written)
        })
    }

    /// Writes an action for each game that begins a move drawn uniformly.
    fn draw(&mut self, py: Python<'_>, mut to: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        let to = contiguous(to.as_slice_mut())?;
        let (lanes, sessions) = (&mut self.lanes, &self.common.sessions);
        let draw = |lane: &mut Lane, to: &mut i64| *to = lane.drawn(sessions).map_or(-1, i64::from);
        py.detach(|| match &self.pool {
            Some(pool) if lanes.len() > LANES_DRAWN_ALONE => {
                pool.install(|| lanes.par_iter_mut().zip(to.par_iter_mut()).for_each(|(lane, to)| draw(lane, to)));
            }
            _ => lanes.iter_mut().zip(to).for_each(|(lane, to)| draw(lane, to)),
        });
        Ok(())
    }

    fn position(&self, lane: usize) -> Result<crate::position::Position, Wrong> {
        let lane = self.lanes.get(lane).ok_or_else(|| PyValueError::new_err("there is no such game"))?;
        let space = &self.common.space;
        lane.position(space).map(crate::position::Position::new).map_err(Wrong::of(&space.game))
    }
}
