//! States: choices go in; a game goes on, in the manner of OpenSpiel.

use std::sync::Arc;

use lusoria::Error;
use lusoria::board::Player;
use numpy::{PyReadwriteArray1, PyReadwriteArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::Wrong;
use crate::game::Game;
use crate::position::Position;
use crate::run::{Run, Space};

/// Numbers that OpenSpiel has for players who are none.
const CHANCE: i32 = -1;
const TERMINAL: i32 = -4;

/// A game between two choices.
#[pyclass(module = "lusoria")]
#[derive(Clone)]
pub struct State {
    pub space: Arc<Space>,
    pub run: Run,
    history: Vec<u16>,
    start: Start,
}

/// What the choices of a state begin with.
#[derive(Clone)]
enum Start {
    Seed(u64),
    Position(Box<lusoria::Position>),
}

impl State {
    /// The state that a game of a seed begins with.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn new(space: Arc<Space>, seed: u64) -> Result<State, Error> {
        let run = space.begin(seed)?;
        Ok(State { space, run, history: Vec::new(), start: Start::Seed(seed) })
    }

    /// The state of a position.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn at(space: Arc<Space>, position: &lusoria::Position) -> Result<State, Error> {
        let run = Run::new(&space.actions, position.clone())?;
        Ok(State { space, run, history: Vec::new(), start: Start::Position(Box::new(position.clone())) })
    }
}

/// The state of a pickle: some choices are made in a game.
#[pyfunction]
pub fn state_of(game: &Game, seed: u64, position: Option<&str>, history: Vec<u16>) -> Result<State, Wrong> {
    let space = game.space().clone();
    let state = match position {
        None => State::new(space, seed),
        Some(text) => game.inner.position(text).and_then(|position| State::at(space, &position)),
    };
    let mut state = state.map_err(Wrong::of(&game.inner))?;
    history.into_iter().try_for_each(|action| state.apply_action(action))?;
    Ok(state)
}

/// What [`state_of`] is given.
type Pickled = (Game, u64, Option<String>, Vec<u16>);

#[pymethods]
impl State {
    #[getter]
    fn game(&self) -> Game {
        Game::of(&self.space)
    }

    fn num_distinct_actions(&self) -> usize {
        self.space.actions.len()
    }

    #[getter]
    fn position(&self) -> Position {
        Position::new(self.run.position.clone())
    }

    #[getter]
    fn turns(&self) -> u32 {
        self.run.turns
    }

    fn current_player(&self) -> i32 {
        match (self.run.is_over(), self.run.is_chance()) {
            (true, _) => TERMINAL,
            (_, true) => CHANCE,
            _ => self.run.chooser().index() as i32,
        }
    }

    fn is_terminal(&self) -> bool {
        self.run.is_over()
    }

    fn is_chance_node(&self) -> bool {
        self.run.is_chance()
    }

    #[pyo3(signature = (player=None))]
    fn legal_actions(&self, player: Option<i32>) -> Vec<u16> {
        match player {
            Some(player) if player != self.current_player() => Vec::new(),
            _ => self.run.legal().map(|(action, _)| action).collect(),
        }
    }

    #[pyo3(signature = (player=None))]
    fn legal_actions_mask(&self, player: Option<i32>) -> Vec<u16> {
        let mut mask = vec![0; self.space.actions.len()];
        for action in self.legal_actions(player) {
            mask[usize::from(action)] = 1;
        }
        mask
    }

    fn chance_outcomes(&self) -> Vec<(u16, f64)> {
        if self.run.is_chance() { self.run.chance() } else { Vec::new() }
    }

    fn apply_action(&mut self, action: u16) -> Result<(), Wrong> {
        let applied = self.run.apply(&self.space.actions, action);
        if !applied.map_err(Wrong::of(&self.space.game))? {
            let name = self.space.actions.name(action.into()).unwrap_or("?");
            return Err(PyValueError::new_err(format!("action {action}, `{name}`, is not legal here")).into());
        }
        self.history.push(action);
        Ok(())
    }

    fn child(&self, action: u16) -> Result<State, Wrong> {
        let mut child = self.clone();
        child.apply_action(action)?;
        Ok(child)
    }

    fn returns(&self) -> Vec<f64> {
        (0..self.space.players()).map(|player| self.run.payoff(Player(player as u8))).collect()
    }

    fn rewards(&self) -> Vec<f64> {
        self.returns()
    }

    fn player_return(&self, player: u8) -> f64 {
        self.run.payoff(Player(player))
    }

    fn history(&self) -> Vec<u16> {
        self.history.clone()
    }

    fn history_str(&self) -> String {
        let names = self.history.iter().map(|action| self.space.actions.name((*action).into()).unwrap_or("?"));
        names.collect::<Vec<_>>().join(", ")
    }

    #[pyo3(signature = (first, second=None))]
    fn action_to_string(&self, first: i64, second: Option<i64>) -> PyResult<&str> {
        let action = second.unwrap_or(first);
        let name = usize::try_from(action).ok().and_then(|action| self.space.actions.name(action));
        name.ok_or_else(|| PyValueError::new_err(format!("there is no action {action}")))
    }

    fn clone(&self) -> State {
        Clone::clone(self)
    }

    /// A state is pickled as its game, where it began, and the choices made.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let (seed, position) = match &self.start {
            Start::Seed(seed) => (*seed, None),
            Start::Position(position) => (0, Some(position.to_string())),
        };
        let pickled = (self.game(), seed, position, self.history.clone());
        Ok((py.import("lusoria._lusoria")?.getattr("state_of")?, pickled))
    }

    fn __copy__(&self) -> State {
        Clone::clone(self)
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        Clone::clone(self)
    }

    /// Writes what a player sees into arrays.
    fn observe_into(
        &self,
        player: u8,
        mut planes: PyReadwriteArray3<'_, u8>,
        mut counters: PyReadwriteArray1<'_, f32>,
    ) -> Result<(), Wrong> {
        let (planes, counters) = (contiguous(planes.as_slice_mut())?, contiguous(counters.as_slice_mut())?);
        let layout = &self.space.layout;
        if planes.len() != layout.size() || counters.len() != layout.counters.len() {
            return Err(PyValueError::new_err("the arrays have another shape than observations of this game").into());
        }
        let written = layout.write(&self.run.position, Player(player), self.run.chosen(), planes, counters);
        written.map_err(Wrong::of(&self.space.game))
    }

    fn __str__(&self) -> String {
        let chosen = self.run.chosen().iter().map(|action| self.space.actions.name((*action).into()).unwrap_or("?"));
        let chosen: Vec<&str> = chosen.collect();
        match chosen.as_slice() {
            [] => self.run.position.to_string(),
            chosen => format!("{} ({})", self.run.position, chosen.join(", ")),
        }
    }

    fn __repr__(&self) -> String {
        format!("<lusoria.State {:?}>", self.__str__())
    }
}

/// An array's items, one behind the other.
pub fn contiguous<T>(items: Result<T, numpy::AsSliceError>) -> PyResult<T> {
    items.map_err(|_| PyValueError::new_err("an array must be contiguous"))
}
