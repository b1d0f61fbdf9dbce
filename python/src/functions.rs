//! Functions: what a command of the command line is told goes in; what it finds comes out. Work goes on in
//! another thread without the interpreter's lock, while this one looks for Ctrl-C and tells the progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use lusoria::Rollouts;
use lusoria::cli::functions;
use lusoria::cli::functions::{Pairs, Search, Simulation};
use lusoria::player::{Analysis, Line, Options};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::Wrong;
use crate::game::Game;
use crate::position::Position;

/// Between two looks at signals.
const LOOK: Duration = Duration::from_millis(50);

/// Works in another thread. `progress` is called with what is done, now and then. What a signal raises stops the
/// work and is raised.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&AtomicBool, &AtomicU64) -> T + Send,
) -> PyResult<T> {
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut told = 0;
    let mut tell = || -> PyResult<()> {
        let now = done.load(Ordering::Relaxed);
        if let Some(progress) = progress.filter(|_| now > told) {
            progress.call1((now - told,))?;
            told = now;
        }
        Ok(())
    };
    let (worked, failed) = std::thread::scope(|scope| {
        let (tell_end, mut ended) = mpsc::channel::<()>();
        let (stop, done) = (&stop, &done);
        let worker = std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, move || {
            let worked = work(stop, done);
            drop(tell_end);
            worked
        });
        let worker = match worker {
            Ok(worker) => worker,
            Err(error) => return (None, Some(PyErr::from(error))),
        };
        let mut failed = None;
        loop {
            // The receiver goes along, as it belongs to one thread at a time.
            let (waited, back) = py.detach(move || (ended.recv_timeout(LOOK), ended));
            ended = back;
            if waited != Err(mpsc::RecvTimeoutError::Timeout) {
                break;
            }
            if failed.is_none()
                && let Err(error) = py.check_signals().and_then(|()| tell())
            {
                stop.store(true, Ordering::Relaxed);
                failed = Some(error);
            }
        }
        (py.detach(|| worker.join().ok()), failed)
    });
    if let Some(failed) = failed {
        return Err(failed);
    }
    tell()?;
    worked.ok_or_else(|| PyRuntimeError::new_err("the work failed"))
}

/// Results of random games, as JSON.
#[pyfunction]
#[pyo3(signature = (game, games, seed, max_turns, threads=None, setup=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub fn simulate(
    py: Python<'_>,
    game: &Game,
    games: u64,
    seed: u64,
    max_turns: u32,
    threads: Option<usize>,
    setup: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> Result<String, Wrong> {
    let threads = threads.unwrap_or_else(functions::processors);
    let how = Simulation { games, seed, max_turns, threads, setup };
    let inner = &game.inner;
    let summary = watched(py, progress, |stop, done| {
        functions::simulate(inner, &how, stop, |more| {
            done.fetch_add(more, Ordering::Relaxed);
        })
    })?;
    let summary = summary.map_err(Wrong::of(inner))?;
    Ok(serde_json::to_string(&summary).map_err(|error| PyRuntimeError::new_err(error.to_string()))?)
}

/// The text of a shard of random games; see [`merge`].
#[pyfunction]
#[pyo3(signature = (game, games, shard, seed, max_turns, threads=None, setup=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub fn part(
    py: Python<'_>,
    game: &Game,
    games: u64,
    shard: (u64, u64),
    seed: u64,
    max_turns: u32,
    threads: Option<usize>,
    setup: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> Result<String, Wrong> {
    if !(1..=shard.1).contains(&shard.0) {
        return Err(PyValueError::new_err("a shard is (i, n), from (1, n) to (n, n)").into());
    }
    let threads = threads.unwrap_or_else(functions::processors);
    let how = Simulation { games, seed, max_turns, threads, setup };
    let inner = &game.inner;
    let part = watched(py, progress, |stop, done| {
        functions::part(inner, &how, shard, stop, |more| {
            done.fetch_add(more, Ordering::Relaxed);
        })
    })?;
    let part = part.map_err(Wrong::of(inner))?;
    Ok(part.ok_or_else(|| PyRuntimeError::new_err("playing was stopped"))?)
}

/// What shards come to together, as JSON.
#[pyfunction]
pub fn merge(py: Python<'_>, parts: Vec<String>) -> PyResult<String> {
    let merged = py.detach(|| functions::merge(&parts)).map_err(PyValueError::new_err)?;
    serde_json::to_string(&merged).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// A report: its numbers as JSON, and its page.
#[pyfunction]
#[pyo3(signature = (game, name, games, seconds, playouts, seed, max_turns, threads=None, setup=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub fn report(
    py: Python<'_>,
    game: &Game,
    name: &str,
    games: Option<u64>,
    seconds: Option<f64>,
    playouts: Vec<u64>,
    seed: u64,
    max_turns: u32,
    threads: Option<usize>,
    setup: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> Result<(String, String), Wrong> {
    let threads = threads.unwrap_or_else(functions::processors);
    let (time, asked) = (time(seconds)?, functions::Asked { seed, setup, games, playouts, max_turns });
    let inner = &game.inner;
    let made = watched(py, progress, |stop, done| {
        functions::report(inner, name, &asked, time, threads, stop, |more| {
            done.fetch_add(more, Ordering::Relaxed);
        })
    })?;
    made.map_err(Wrong::of(inner))
}

fn time(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let wrong = |_| PyValueError::new_err("the time must be a number of seconds that is not negative");
    seconds.map(Duration::try_from_secs_f64).transpose().map_err(wrong)
}

/// By position: the mean payoffs of random games from it.
#[pyfunction]
pub fn rollouts(
    py: Python<'_>,
    positions: Vec<PyRef<'_, Position>>,
    games: u32,
    seed: u64,
    max_turns: u32,
) -> Result<Vec<Vec<f64>>, Wrong> {
    let Some(first) = positions.first() else { return Ok(Vec::new()) };
    let game = first.inner.game().clone();
    let all: Vec<lusoria::Position> = positions.iter().map(|one| one.inner.clone()).collect();
    if all.iter().any(|one| !std::ptr::eq(one.game().model(), game.model())) {
        return Err(PyValueError::new_err("the positions are of several games").into());
    }
    let how = Rollouts { games, seed, max_turns };
    let tallies = py.detach(|| game.rollouts(&all, &how)).map_err(Wrong::of(&game))?;
    let players = game.players().len() as u8;
    Ok(tallies.iter().map(|tally| (0..players).map(|player| tally.mean(lusoria::Player(player))).collect()).collect())
}

/// Stops counting.
enum Counted {
    Whole(u64),
    Stopped,
}

/// Counts sequences of turns, by parts that can be stopped.
fn count(position: &lusoria::Position, depth: u32, stop: &AtomicBool) -> Result<Counted, lusoria::Error> {
    if stop.load(Ordering::Relaxed) {
        return Ok(Counted::Stopped);
    }
    // Few parts, and each counted at once.
    if depth < 4 || position.is_over() {
        return Ok(Counted::Whole(position.perft(depth)?));
    }
    let (mut sum, end) = (0u64, &position.game().model().end);
    for turn in position.legal_turns()? {
        let mut behind = position.clone();
        behind.play(&turn)?;
        // Perft does not ask outcomes that ask the history: then it must count from here.
        if behind.outcome().is_some_and(|outcome| end[outcome.by].asks_history) {
            return Ok(Counted::Whole(position.perft(depth)?));
        }
        match count(&behind, depth - 1, stop)? {
            Counted::Whole(more) => sum = sum.saturating_add(more),
            Counted::Stopped => return Ok(Counted::Stopped),
        }
    }
    Ok(Counted::Whole(sum))
}

#[pyfunction]
pub fn perft(py: Python<'_>, position: &Position, depth: u32) -> Result<u64, Wrong> {
    let inner = &position.inner;
    let counted = watched(py, None, |stop, _| count(inner, depth, stop))?.map_err(Wrong::of(inner.game()))?;
    match counted {
        Counted::Whole(count) => Ok(count),
        Counted::Stopped => Err(PyRuntimeError::new_err("counting was stopped").into()),
    }
}

fn line<'py>(py: Python<'py>, line: &Line) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("move", line.first.to_string())?;
    told.set_item("moves", &line.moves)?;
    told.set_item("value", line.value)?;
    told.set_item("proven", line.proven)?;
    told.set_item("playouts", line.visits)?;
    Ok(told)
}

fn analysis<'py>(py: Python<'py>, found: &Analysis) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    let lines = found.lines.iter().map(|one| line(py, one)).collect::<PyResult<Vec<_>>>()?;
    told.set_item("lines", lines)?;
    told.set_item("proven", found.proven)?;
    told.set_item("playouts", found.progress.playouts)?;
    told.set_item("nodes", found.progress.nodes)?;
    Ok(told)
}

#[pyfunction]
#[pyo3(signature = (position, seconds, playouts, threads, seed, memory, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub fn analyse<'py>(
    py: Python<'py>,
    position: &Position,
    seconds: Option<f64>,
    playouts: Option<u64>,
    threads: Option<usize>,
    seed: u64,
    memory: usize,
    progress: Option<&Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyDict>, Wrong> {
    let threads = threads.unwrap_or_else(functions::processors);
    let how = Search { time: time(seconds)?, playouts, threads, seed, memory };
    let inner = &position.inner;
    let found = watched(py, progress, |stop, done| {
        functions::analyse(inner, &how, stop, |all| {
            done.fetch_max(all, Ordering::Relaxed);
        })
    })?;
    Ok(analysis(py, &found.map_err(Wrong::of(inner.game()))?)?)
}

/// A player of the command line: `random`, `greedy`, `mcts:1s`, `mcts:1000`, `alphabeta:depth=4`.
#[pyclass(module = "lusoria")]
pub struct Player {
    inner: functions::Opponent,
    spec: functions::Spec,
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (spec, seed=0, memory=256 << 20))]
    fn new(spec: &str, seed: u64, memory: usize) -> PyResult<Player> {
        let spec: functions::Spec = spec.parse().map_err(PyValueError::new_err)?;
        if spec == functions::Spec::Human {
            return Err(PyValueError::new_err("a human is no player here"));
        }
        let options = Options { seed, memory, ..Options::default() };
        Ok(Player { inner: functions::Opponent::new(spec, options), spec })
    }

    fn choose(&mut self, py: Python<'_>, position: &Position) -> Result<Option<String>, Wrong> {
        let (player, inner) = (&mut self.inner, &position.inner);
        let chosen = watched(py, None, |stop, _| player.choose(inner, stop))?;
        Ok(chosen.map_err(Wrong::of(inner.game()))?.map(|(chosen, _)| chosen.to_string()))
    }

    fn __call__(&mut self, py: Python<'_>, position: &Position) -> Result<Option<String>, Wrong> {
        self.choose(py, position)
    }

    fn __str__(&self) -> String {
        self.spec.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Player({:?})", self.spec.to_string())
    }
}

/// What the points of pairs of games say of strength, as JSON.
#[pyfunction]
pub fn strength(scores: Vec<f64>) -> PyResult<String> {
    let mut pairs = Pairs::default();
    scores.into_iter().for_each(|score| pairs.add(score));
    serde_json::to_string(&pairs.strength()).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
