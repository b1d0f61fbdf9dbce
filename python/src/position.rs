//! Positions: moves go in; legal moves, outcomes, texts and pictures come out, in the manner of
//! python-chess.

use std::hash::{DefaultHasher, Hash, Hasher};

use lusoria::position::Written;
use lusoria::{Error, Rollouts};
use pyo3::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::error::Wrong;
use crate::game::Game;
use crate::state::State;

/// What a player can do.
#[pyclass(frozen, module = "lusoria")]
#[derive(Clone)]
pub struct Move {
    pub inner: lusoria::Move,
    game: lusoria::Game,
}

#[pymethods]
impl Move {
    #[getter]
    fn id(&self) -> u32 {
        self.inner.id()
    }

    #[getter]
    #[allow(clippy::wrong_self_convention, reason = "the name that Python sees")]
    fn from_cell(&self) -> Option<&str> {
        self.inner.from().map(|cell| self.game.cell_name(cell))
    }

    #[getter]
    fn to_cell(&self) -> Option<&str> {
        self.inner.to().map(|cell| self.game.cell_name(cell))
    }

    #[getter]
    fn cells(&self) -> Vec<&str> {
        self.inner.cells().map(|cell| self.game.cell_name(cell)).collect()
    }

    #[getter]
    fn ends_turn(&self) -> bool {
        self.inner.ends_turn()
    }

    #[getter]
    fn probability(&self) -> Option<f64> {
        self.inner.probability().map(|(weight, of)| weight as f64 / of as f64)
    }

    #[getter]
    fn player(&self) -> &str {
        self.game.player_name(self.inner.player())
    }

    fn captures(&self) -> Result<Vec<&str>, Wrong> {
        let cells = self.inner.captures().map_err(Wrong::of(&self.game))?;
        Ok(cells.into_iter().map(|cell| self.game.cell_name(cell)).collect())
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move({:?})", self.inner.to_string())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match (other.cast::<Move>(), other.extract::<String>()) {
            (Ok(other), _) => other.get().inner.to_string() == self.inner.to_string(),
            (Err(_), Ok(text)) => text == self.inner.to_string(),
            (Err(_), Err(_)) => false,
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.inner.to_string().hash(&mut hasher);
        hasher.finish()
    }
}

/// How a game ended.
#[pyclass(frozen, module = "lusoria", get_all)]
pub struct Outcome {
    winners: Vec<String>,
    by: usize,
    text: String,
}

#[pymethods]
impl Outcome {
    #[getter]
    fn winner(&self) -> Option<&str> {
        match self.winners.as_slice() {
            [winner] => Some(winner),
            _ => None,
        }
    }

    #[getter]
    fn is_draw(&self) -> bool {
        self.winners.is_empty()
    }

    fn __repr__(&self) -> String {
        format!("<lusoria.Outcome {:?}>", self.text)
    }
}

/// A game as it is being played.
#[pyclass(module = "lusoria")]
#[derive(Clone)]
pub struct Position {
    pub inner: lusoria::Position,
    stack: Vec<lusoria::Move>,
}

impl Position {
    pub fn new(inner: lusoria::Position) -> Position {
        Position { inner, stack: Vec::new() }
    }

    fn wrong(&self) -> impl Fn(Error) -> Wrong + '_ {
        Wrong::of(self.inner.game())
    }

    fn given(&self, one: lusoria::Move) -> Move {
        Move { inner: one, game: self.inner.game().clone() }
    }

    fn play(&mut self, one: lusoria::Move) -> Result<(), Error> {
        self.inner.play(&one)?;
        self.stack.push(one);
        Ok(())
    }

    /// Plays what a text means. Passes before it may be left out where they are the only moves.
    fn play_text(&mut self, text: &str) -> Result<(), Error> {
        let mut passes = 0;
        let first = loop {
            match self.inner.find_move(text) {
                Ok(one) => return self.play(one),
                Err(error) => {
                    let moves = self.inner.legal_moves()?;
                    let [one] = moves.as_slice() else { break error };
                    if one.written() != [Written::Pass] || passes >= self.inner.game().players().len() {
                        break error;
                    }
                    passes += 1;
                    let pass = one.clone();
                    self.play(pass)?;
                }
            }
        };
        for _ in 0..passes {
            self.inner.undo();
            self.stack.pop();
        }
        // Of the texts that could be meant, those of this position are told.
        match passes {
            0 => Err(first),
            _ => self.inner.find_move(text).map(drop),
        }
    }
}

#[pymethods]
impl Position {
    #[getter]
    fn game(&self) -> Game {
        Game::new(self.inner.game().clone())
    }

    #[getter]
    fn legal_moves(&self, py: Python<'_>) -> Result<Vec<Move>, Wrong> {
        let moves = py.detach(|| self.inner.legal_moves()).map_err(self.wrong())?;
        Ok(moves.into_iter().map(|one| self.given(one)).collect())
    }

    #[getter]
    fn legal_turns(&self, py: Python<'_>) -> Result<Vec<Move>, Wrong> {
        let moves = py.detach(|| self.inner.legal_turns()).map_err(self.wrong())?;
        Ok(moves.into_iter().map(|one| self.given(one)).collect())
    }

    fn parse_move(&self, text: &str) -> Result<Move, Wrong> {
        let one = self.inner.find_move(text).map_err(Wrong::in_text(self.inner.game(), text))?;
        Ok(self.given(one))
    }

    fn push(&mut self, played: &Bound<'_, PyAny>) -> Result<(), Wrong> {
        if let Ok(one) = played.cast::<Move>() {
            let one = one.get().inner.clone();
            return self.play(one).map_err(|error| Wrong::of(self.inner.game())(error));
        }
        let text: String = played.extract()?;
        self.play_text(&text).map_err(|error| Wrong::in_text(self.inner.game(), &text)(error))
    }

    fn pop(&mut self) -> PyResult<Move> {
        match self.stack.pop().filter(|_| self.inner.undo()) {
            Some(one) => Ok(self.given(one)),
            None => Err(pyo3::exceptions::PyIndexError::new_err("no move has been played")),
        }
    }

    fn peek(&self) -> Option<Move> {
        self.stack.last().map(|one| self.given(one.clone()))
    }

    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        self.stack.iter().map(|one| self.given(one.clone())).collect()
    }

    #[getter]
    fn turn(&self) -> &str {
        self.inner.to_move()
    }

    #[getter]
    fn chooser(&self) -> Option<&str> {
        self.inner.chooser()
    }

    fn is_game_over(&self) -> bool {
        self.inner.is_over()
    }

    fn outcome(&self) -> Option<Outcome> {
        let (outcome, text) = (self.inner.outcome()?, self.inner.outcome_text()?);
        Some(Outcome { winners: outcome.winners, by: outcome.by, text })
    }

    fn payoffs(&self) -> Option<Vec<f64>> {
        let players = self.inner.game().players().len() as u8;
        (0..players).map(|player| self.inner.payoff(lusoria::Player(player))).collect()
    }

    #[getter]
    fn text(&self) -> String {
        self.inner.to_string()
    }

    #[getter]
    fn key(&self) -> u128 {
        self.inner.key()
    }

    fn men(&self, cell: &str) -> PyResult<Vec<(Option<String>, String)>> {
        let model = self.inner.game().model();
        let wrong = || pyo3::exceptions::PyKeyError::new_err(format!("the board has no cell `{cell}`"));
        let cell = model.topology.named(cell).ok_or_else(wrong)?;
        let now = self.inner.now().map_err(self.wrong())?;
        let named = |man: &lusoria::Man| {
            let owner = man.owner.map(|owner| self.inner.game().player_name(owner).to_string());
            (owner, model.kind(man.kind).name.clone())
        };
        Ok(now.men(cell).iter().map(named).collect())
    }

    fn copy(&self) -> Position {
        self.clone()
    }

    fn state(&self) -> Result<State, Wrong> {
        State::at(self.game().space().clone(), &self.inner).map_err(self.wrong())
    }

    fn __copy__(&self) -> Position {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Position {
        self.clone()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Position>().is_ok_and(|other| {
            let other = other.borrow();
            other.inner.game().name() == self.inner.game().name() && other.inner.to_string() == self.inner.to_string()
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.inner.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn svg(&self) -> Result<String, Wrong> {
        Ok(self.inner.picture().map_err(self.wrong())?.svg())
    }

    fn _repr_svg_(&self) -> Result<String, Wrong> {
        self.svg()
    }

    fn __str__(&self) -> Result<String, Wrong> {
        self.inner.drawing(false).map_err(self.wrong())
    }

    fn __repr__(&self) -> String {
        format!("Position({:?})", self.inner.to_string())
    }

    #[pyo3(signature = (seed, moves=1))]
    fn push_random(&mut self, py: Python<'_>, seed: u64, moves: u32) -> Result<u32, Wrong> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for played in 0..moves {
            let listed = py.detach(|| self.inner.legal_moves()).map_err(|error| Wrong::of(self.inner.game())(error))?;
            if listed.is_empty() {
                return Ok(played);
            }
            let chosen = drawn(&listed, &mut rng);
            self.play(chosen).map_err(|error| Wrong::of(self.inner.game())(error))?;
        }
        Ok(moves)
    }

    #[pyo3(signature = (games=100, seed=0, max_turns=1000))]
    fn rollouts(&self, py: Python<'_>, games: u32, seed: u64, max_turns: u32) -> Result<Vec<f64>, Wrong> {
        let how = Rollouts { games, seed, max_turns };
        let game = self.inner.game();
        let tallies = py.detach(|| game.rollouts(std::slice::from_ref(&self.inner), &how)).map_err(self.wrong())?;
        let mean = |tally: &lusoria::Tally, player| tally.mean(lusoria::Player(player));
        Ok(tallies.iter().flat_map(|tally| (0..game.players().len() as u8).map(|player| mean(tally, player))).collect())
    }
}

/// A move drawn uniformly, or as likely as chance makes it.
fn drawn(moves: &[lusoria::Move], rng: &mut Xoshiro256PlusPlus) -> lusoria::Move {
    use rand::RngExt;
    let mut left: f64 = rng.random();
    let share = 1.0 / moves.len() as f64;
    let likely = |one: &&lusoria::Move| {
        left -= one.probability().map_or(share, |(weight, of)| weight as f64 / of as f64);
        left < 0.0
    };
    moves.iter().find(likely).unwrap_or(&moves[moves.len() - 1]).clone()
}
