//! Games: a name or a text goes in; what Python sees of a game comes out.

use std::sync::{Arc, OnceLock};

use lusoria::cli::functions;
use lusoria::{ParamValue, Shipped};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::error::Wrong;
use crate::position::Position;
use crate::run::Space;
use crate::state::State;

/// Rules that were checked. Games are made by `lusoria.load` and `lusoria.loads`.
#[pyclass(frozen, module = "lusoria")]
pub struct Game {
    pub inner: lusoria::Game,
    space: OnceLock<Arc<Space>>,
}

impl Game {
    pub fn new(inner: lusoria::Game) -> Game {
        Game { inner, space: OnceLock::new() }
    }

    /// The game of a space of actions.
    pub fn of(space: &Arc<Space>) -> Game {
        Game { inner: space.game.clone(), space: OnceLock::from(space.clone()) }
    }

    pub fn space(&self) -> &Arc<Space> {
        self.space.get_or_init(|| Arc::new(Space::new(self.inner.clone())))
    }
}

fn params(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, ParamValue)>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    given
        .iter()
        .map(|(name, value)| {
            let name: String = name.extract()?;
            let value = match value.is_instance_of::<PyBool>() {
                true => ParamValue::Truth(value.extract()?),
                false => ParamValue::Number(value.extract().map_err(|_| {
                    PyTypeError::new_err(format!("the param `{name}` takes a number, or True or False"))
                })?),
            };
            Ok((name, value))
        })
        .collect()
}

#[pyfunction]
#[pyo3(signature = (name, variant=None, settings=None))]
pub fn load(
    py: Python<'_>,
    name: &str,
    variant: Option<&str>,
    settings: Option<&Bound<'_, PyDict>>,
) -> Result<Game, Wrong> {
    let params = params(settings)?;
    Ok(Game::new(py.detach(|| functions::load(name, variant, params))?))
}

#[pyfunction]
#[pyo3(signature = (text, file="game.rules", variant=None, settings=None))]
pub fn loads(
    py: Python<'_>,
    text: &str,
    file: &str,
    variant: Option<String>,
    settings: Option<&Bound<'_, PyDict>>,
) -> Result<Game, Wrong> {
    let settings = lusoria::Settings { variant, params: params(settings)? };
    let source = lusoria::Source::new(file, text);
    py.detach(|| lusoria::Game::load(source, &Shipped, &settings)).map(Game::new).map_err(Wrong::Rules)
}

/// The rules of a game as a text, for [`with_rules`].
#[pyfunction]
pub fn rules(game: &Game) -> String {
    functions::rules(&game.inner)
}

/// The game of a text that pickling made.
#[pyfunction]
#[pyo3(signature = (rules, flat=false))]
pub fn with_rules(py: Python<'_>, rules: &str, flat: bool) -> Result<Game, Wrong> {
    let game = Game::new(py.detach(|| functions::with_rules(rules))?);
    Ok(if flat { game.flat(py)? } else { game })
}

#[pyfunction]
pub fn shipped() -> Vec<&'static str> {
    Shipped.games().into_iter().map(|game| game.stem).collect()
}

#[pymethods]
impl Game {
    #[getter]
    fn title(&self) -> &str {
        self.inner.title()
    }

    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    #[getter]
    fn players(&self) -> Vec<&str> {
        self.inner.players()
    }

    #[getter]
    fn cells(&self) -> Vec<&str> {
        let board = &self.inner.model().topology;
        board.cells().map(|cell| board.name(cell)).collect()
    }

    #[getter]
    fn kinds(&self) -> Vec<&str> {
        self.inner.model().kinds.iter().map(|kind| kind.name.as_str()).collect()
    }

    #[getter]
    fn about(&self) -> Vec<(String, String)> {
        self.inner.model().about.clone()
    }

    #[getter]
    fn is_planned(&self, py: Python<'_>) -> bool {
        py.detach(|| self.inner.is_planned())
    }

    #[getter]
    fn has_chance(&self) -> bool {
        self.inner.model().asks.chance
    }

    /// A game is pickled as its rules.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, bool))> {
        let rules = functions::rules(&self.inner);
        Ok((py.import("lusoria._lusoria")?.getattr("with_rules")?, (rules, self.is_flat())))
    }

    #[getter]
    fn is_flat(&self) -> bool {
        self.space.get().is_some_and(|space| space.is_flat)
    }

    fn flat(&self, py: Python<'_>) -> PyResult<Game> {
        let space = py.detach(|| Space::flat(self.inner.clone()));
        let wrong = || PyValueError::new_err(format!("the moves of {} have too many forms to be flat", self.name()));
        Ok(Game::of(&Arc::new(space.ok_or_else(wrong)?)))
    }

    fn state(&self, position: &Position) -> Result<State, Wrong> {
        State::at(self.space().clone(), &position.inner).map_err(Wrong::of(&self.inner))
    }

    fn without_plan(&self) -> Game {
        Game::new(self.inner.without_plan())
    }

    #[pyo3(signature = (seed=0, *, setup=None))]
    fn start(&self, py: Python<'_>, seed: u64, setup: Option<u64>) -> Result<Position, Wrong> {
        let started = py.detach(|| match setup {
            Some(number) => self.inner.start_numbered(number),
            None => self.inner.start(seed),
        });
        started.map(Position::new).map_err(Wrong::of(&self.inner))
    }

    fn position(&self, text: &str) -> Result<Position, Wrong> {
        self.inner.position(text).map(Position::new).map_err(Wrong::in_text(&self.inner, text))
    }

    #[pyo3(signature = (seed=0))]
    fn new_initial_state(&self, py: Python<'_>, seed: u64) -> Result<State, Wrong> {
        let space = self.space();
        py.detach(|| State::new(space.clone(), seed)).map_err(Wrong::of(&self.inner))
    }

    fn num_players(&self) -> usize {
        self.space().players()
    }

    fn num_distinct_actions(&self) -> usize {
        self.space().actions.len()
    }

    fn min_utility(&self) -> f64 {
        -1.0
    }

    fn max_utility(&self) -> f64 {
        1.0
    }

    fn action_to_string(&self, action: usize) -> PyResult<&str> {
        let wrong = || PyValueError::new_err(format!("there is no action {action}"));
        self.space().actions.name(action).ok_or_else(wrong)
    }

    fn string_to_action(&self, name: &str) -> PyResult<usize> {
        let wrong = || PyValueError::new_err(format!("no action is called `{name}`"));
        self.space().actions.named(name).ok_or_else(wrong)
    }

    #[getter]
    fn planes(&self) -> Vec<String> {
        self.space().layout.planes.clone()
    }

    #[getter]
    fn counters(&self) -> Vec<String> {
        self.space().layout.counters.clone()
    }

    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        let layout = &self.space().layout;
        (layout.planes.len(), layout.ranks, layout.files)
    }

    fn __repr__(&self) -> String {
        format!("<lusoria.Game {:?}>", self.inner.name())
    }
}
