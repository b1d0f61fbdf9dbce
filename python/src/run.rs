//! Runs: a choice at a time goes in; a game goes on, with the choices that are legal next.

use std::sync::Arc;

use lusoria::board::Player;
use lusoria::{Error, Game, Move, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::actions::{Actions, Begun, Path, Paths};

/// A game between two choices.
#[derive(Clone, Debug)]
pub struct Run {
    pub position: Position,
    listed: Arc<Listed>,
    begun: Begun,
    pub turns: u32,
}

/// The moves that are legal, and their paths.
#[derive(Debug, Default)]
struct Listed {
    paths: Paths,
    moves: Vec<Move>,
}

impl Listed {
    fn at(&self, at: usize) -> &Move {
        &self.moves[self.paths.place(at)]
    }
}

impl Run {
    /// A run that begins with a position.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn new(actions: &Actions, position: Position) -> Result<Run, Error> {
        let mut run = Run { position, listed: Arc::default(), begun: Begun::default(), turns: 0 };
        run.list(actions)?;
        Ok(run)
    }

    fn list(&mut self, actions: &Actions) -> Result<(), Error> {
        let moves = if self.position.is_over() { Vec::new() } else { self.position.legal_moves()? };
        let mut paths = Paths::default();
        moves.iter().for_each(|one| paths.push(actions, one.written()));
        paths.sort();
        paths.tell_apart(actions);
        self.begun = Begun::all(&paths);
        self.listed = Arc::new(Listed { paths, moves });
        Ok(())
    }

    /// There is nothing to choose: the game is over, or nobody can move where it began.
    pub fn is_over(&self) -> bool {
        self.begun.is_empty()
    }

    pub fn is_chance(&self) -> bool {
        !self.is_over() && self.listed.at(self.begun.first).probability().is_some()
    }

    pub fn chooser(&self) -> Player {
        self.position.choosing()
    }

    /// The choices of the present move that have been made.
    pub fn chosen(&self) -> &[u16] {
        self.begun.chosen(&self.listed.paths)
    }

    /// The actions that are legal, ascending, each with how many moves begin with it.
    pub fn legal(&self) -> impl Iterator<Item = (u16, usize)> + '_ {
        self.begun.legal(&self.listed.paths)
    }

    /// The moves that are legal where no choice of one has been made, each with the path that it is.
    pub fn paths(&self) -> impl Iterator<Item = (&Path, &Move)> + '_ {
        (self.begun.first..self.begun.end).map(|at| (self.listed.paths.path(at), self.listed.at(at)))
    }

    /// How likely chance makes each legal action.
    pub fn chance(&self) -> Vec<(u16, f64)> {
        let weight = |at: usize| {
            let probability = self.listed.at(at).probability();
            probability.map_or(0.0, |(weight, of)| weight as f64 / of as f64)
        };
        let total: f64 = (self.begun.first..self.begun.end).map(weight).sum();
        let mut at = self.begun.first;
        self.legal()
            .map(|(action, moves)| {
                let sum: f64 = (at..at + moves).map(weight).sum();
                at += moves;
                (action, sum / total)
            })
            .collect()
    }

    /// Makes a choice; `Ok(false)`: it is not legal, and nothing has happened.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn apply(&mut self, actions: &Actions, action: u16) -> Result<bool, Error> {
        let listed = self.listed.clone();
        let Some(begun) = self.begun.with(&listed.paths, action) else { return Ok(false) };
        if begun.is_complete(&listed.paths) {
            let chosen = listed.at(begun.first);
            self.position.play(chosen)?;
            self.turns += u32::from(chosen.ends_turn());
            self.list(actions)?;
        } else {
            self.begun = begun;
        }
        Ok(true)
    }

    /// An action that begins a move drawn uniformly, or as likely as chance makes it.
    pub fn drawn(&self, rng: &mut Xoshiro256PlusPlus) -> Option<u16> {
        if self.is_over() {
            return None;
        }
        if self.is_chance() {
            let mut left: f64 = rng.random();
            let likely = self.chance();
            let found = likely.iter().find(|(_, probability)| {
                left -= probability;
                left < 0.0
            });
            return found.or(likely.last()).map(|(action, _)| *action);
        }
        Some(self.begun.drawn(&self.listed.paths, rng))
    }

    /// Makes the choices of chance up to the next of a player.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn settle(&mut self, actions: &Actions, rng: &mut Xoshiro256PlusPlus) -> Result<(), Error> {
        while self.is_chance() {
            let Some(action) = self.drawn(rng) else { break };
            self.apply(actions, action)?;
        }
        Ok(())
    }

    /// 1 for a win, -1 for a loss, 0 for a draw, and while the game goes on.
    pub fn payoff(&self, player: Player) -> f64 {
        self.position.payoff(player).map_or(0.0, |payoff| 2.0 * payoff - 1.0)
    }
}

/// What a game needs to be run: made once, shared by all its runs.
#[derive(Debug)]
pub struct Space {
    pub game: Game,
    pub actions: Actions,
    pub layout: crate::observe::Layout,
    pub is_flat: bool,
    /// The position that all games begin with, if there is one alone.
    start: Option<Position>,
}

impl Space {
    pub fn new(game: Game) -> Space {
        let actions = Actions::new(game.model());
        Space::of(game, actions, false)
    }

    /// The space in which a move is one action, if the game has it.
    pub fn flat(game: Game) -> Option<Space> {
        let actions = Actions::flat(game.model())?;
        Some(Space::of(game, actions, true))
    }

    fn of(game: Game, actions: Actions, is_flat: bool) -> Space {
        let model = game.model();
        let layout = crate::observe::Layout::new(model);
        let start = if model.has_one_setup() { game.start(0).ok() } else { None };
        Space { actions, layout, start, game, is_flat }
    }

    /// The position that a game begins with; a set-up that chance draws is decided by the seed.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn first(&self, seed: u64) -> Result<Position, Error> {
        match &self.start {
            Some(start) => Ok(start.clone()),
            None => Ok(self.game.start(seed)?),
        }
    }

    /// All games begin with the same position.
    pub fn has_one_start(&self) -> bool {
        self.start.is_some()
    }

    /// A run from the start.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn begin(&self, seed: u64) -> Result<Run, Error> {
        Run::new(&self.actions, self.first(seed)?)
    }

    pub fn players(&self) -> usize {
        self.game.model().seats.len()
    }
}
