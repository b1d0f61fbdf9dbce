//! Records: games of a run go in by their numbers; columns of what happened in them come out, laid out as Arrow lays them out.

use lusoria::cli::functions;
use lusoria::cli::functions::{Recorded, Simulation};
use pyo3::exceptions::{PyOverflowError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::atomic::Ordering;

use crate::error::Wrong;
use crate::functions::watched;
use crate::game::Game;

/// Texts one behind the other, and where each begins.
struct Texts {
    bytes: Vec<u8>,
    offsets: Vec<i32>,
}

impl Texts {
    fn new() -> Texts {
        Texts { bytes: Vec::new(), offsets: vec![0] }
    }

    fn push(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
        self.offsets.push(offset(self.bytes.len()));
    }

    fn len(&self) -> i32 {
        offset(self.offsets.len() - 1)
    }
}

/// Arrow's offsets have 32 bits. What does not fit is seen at the end.
fn offset(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(-1)
}

/// Items of all games one behind the other, and where those of each begin.
struct Columns {
    players: Vec<String>,
    game: Vec<u64>,
    start: Texts,
    moves: Texts,
    moves_of: Vec<i32>,
    legal: Vec<u32>,
    winners: Texts,
    winners_of: Vec<i32>,
    payoffs: Vec<f64>,
    payoffs_of: Vec<i32>,
    /// The line of `end`; -1: the game was given up.
    by: Vec<i32>,
}

impl Columns {
    fn new(players: Vec<String>) -> Columns {
        Columns {
            players,
            game: Vec::new(),
            start: Texts::new(),
            moves: Texts::new(),
            moves_of: vec![0],
            legal: Vec::new(),
            winners: Texts::new(),
            winners_of: vec![0],
            payoffs: Vec::new(),
            payoffs_of: vec![0],
            by: Vec::new(),
        }
    }

    fn push(&mut self, recorded: &Recorded) {
        self.game.push(recorded.game);
        self.start.push(&recorded.start);
        for one in &recorded.moves {
            self.moves.push(&one.text);
            self.legal.push(one.legal);
        }
        self.moves_of.push(self.moves.len());
        if let Some(end) = &recorded.outcome {
            end.winners.iter().for_each(|winner| self.winners.push(winner));
            let payoff = |player: &String| match end.winners.as_slice() {
                [] => 0.5,
                winners => f64::from(u8::from(winners.contains(player))),
            };
            self.payoffs.extend(self.players.iter().map(payoff));
        }
        self.winners_of.push(self.winners.len());
        self.payoffs_of.push(offset(self.payoffs.len()));
        self.by.push(recorded.outcome.as_ref().map_or(-1, |end| end.by as i32));
    }

    fn fits(&self) -> bool {
        [&self.start.offsets, &self.moves.offsets, &self.winners.offsets, &self.moves_of, &self.payoffs_of]
            .iter()
            .all(|offsets| offsets.last().is_some_and(|last| *last >= 0))
    }

    fn told<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let told = PyDict::new(py);
        let set = |name: &str, bytes: Vec<u8>| told.set_item(name, PyBytes::new(py, &bytes));
        let ints = |all: &[i32]| all.iter().flat_map(|one| one.to_le_bytes()).collect::<Vec<u8>>();
        set("game", self.game.iter().flat_map(|one| one.to_le_bytes()).collect())?;
        for (name, texts) in [("start", &self.start), ("moves", &self.moves), ("winners", &self.winners)] {
            set(name, texts.bytes.clone())?;
            set(&format!("{name} offsets"), ints(&texts.offsets))?;
        }
        set("moves of", ints(&self.moves_of))?;
        set("legal", self.legal.iter().flat_map(|one| one.to_le_bytes()).collect())?;
        set("winners of", ints(&self.winners_of))?;
        set("payoffs", self.payoffs.iter().flat_map(|one| one.to_le_bytes()).collect())?;
        set("payoffs of", ints(&self.payoffs_of))?;
        set("by", ints(&self.by))?;
        Ok(told)
    }
}

/// What games came to; others are added.
#[pyclass(module = "lusoria")]
pub struct Counts {
    game: lusoria::Game,
    tally: functions::Tally,
}

#[pymethods]
impl Counts {
    fn add(&mut self, other: &Counts) {
        self.tally.merge(&other.tally);
    }

    /// As JSON.
    fn summary(&self) -> PyResult<String> {
        let summary = self.tally.summary(self.game.model());
        serde_json::to_string(&summary).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}

/// Plays some games of a run from a number on: what they came to, and their columns.
#[pyfunction]
#[pyo3(signature = (game, games, first, seed, max_turns, threads=None, setup=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
pub fn record<'py>(
    py: Python<'py>,
    game: &Game,
    games: u64,
    first: u64,
    seed: u64,
    max_turns: u32,
    threads: Option<usize>,
    setup: Option<u64>,
    progress: Option<&Bound<'py, PyAny>>,
) -> Result<(Counts, Bound<'py, PyDict>), Wrong> {
    let threads = threads.unwrap_or_else(functions::processors);
    let how = Simulation { games, seed, max_turns, threads, setup };
    let inner = &game.inner;
    let mut columns = Columns::new(inner.players().into_iter().map(str::to_string).collect());
    let seen = &mut columns;
    let tally = watched(py, progress, move |stop, done| {
        functions::record(inner, &how, first, stop, |recorded| {
            seen.push(&recorded);
            done.fetch_add(1, Ordering::Relaxed);
        })
    })?;
    let tally = tally.map_err(Wrong::of(inner))?;
    if !columns.fits() {
        let why = "a batch has more than 2 GiB of text: ask for fewer games in a batch";
        return Err(PyOverflowError::new_err(why).into());
    }
    Ok((Counts { game: inner.clone(), tally }, columns.told(py)?))
}
