//! Runs: a choice at a time goes in; a game goes on, with the choices that are legal next.

use lusoria::board::Player;
use lusoria::{Error, Game, Move, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::actions::{Actions, Choices, Path};

/// A game between two choices.
#[derive(Clone, Debug)]
pub struct Run {
    pub position: Position,
    choices: std::sync::Arc<Choices>,
    /// The moves that begin with the choices made, `first..end` of the sorted ones, and how many choices those are.
    first: usize,
    end: usize,
    depth: usize,
    pub turns: u32,
}

impl Run {
    /// A run that begins with a position.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn new(actions: &Actions, position: Position) -> Result<Run, Error> {
        let mut run = Run { position, choices: Default::default(), first: 0, end: 0, depth: 0, turns: 0 };
        run.list(actions)?;
        Ok(run)
    }

    fn list(&mut self, actions: &Actions) -> Result<(), Error> {
        let moves = if self.position.is_over() { Vec::new() } else { self.position.legal_moves()? };
        self.choices = Choices::new(actions, moves).into();
        (self.first, self.end, self.depth) = (0, self.choices.len(), 0);
        Ok(())
    }

    /// There is nothing to choose: the game is over, or nobody can move where it began.
    pub fn is_over(&self) -> bool {
        self.first == self.end
    }

    pub fn is_chance(&self) -> bool {
        !self.is_over() && self.choices.chosen(self.first).probability().is_some()
    }

    pub fn chooser(&self) -> Player {
        self.position.choosing()
    }

    /// The choices of the present move that have been made.
    pub fn chosen(&self) -> &[u16] {
        if self.is_over() { &[] } else { &self.choices.path(self.first)[..self.depth] }
    }

    /// The actions that are legal, ascending, each with how many moves begin with it.
    pub fn legal(&self) -> impl Iterator<Item = (u16, usize)> + '_ {
        let mut at = self.first;
        std::iter::from_fn(move || {
            if at >= self.end {
                return None;
            }
            let action = self.choices.path(at)[self.depth];
            let begun = at;
            while at < self.end && self.choices.path(at)[self.depth] == action {
                at += 1;
            }
            Some((action, at - begun))
        })
    }

    /// The moves that are legal where no choice of one has been made, each with the path that it is.
    pub fn paths(&self) -> impl Iterator<Item = (&Path, &Move)> + '_ {
        (self.first..self.end).map(|at| (self.choices.path(at), self.choices.chosen(at)))
    }

    /// How likely chance makes each legal action.
    pub fn chance(&self) -> Vec<(u16, f64)> {
        let weight = |at: usize| {
            let probability = self.choices.chosen(at).probability();
            probability.map_or(0.0, |(weight, of)| weight as f64 / of as f64)
        };
        let total: f64 = (self.first..self.end).map(weight).sum();
        let mut at = self.first;
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
        let of = |at: usize, choices: &Choices| choices.path(at)[self.depth];
        let choices = self.choices.clone();
        let (mut first, mut end) = (self.first, self.end);
        while first < end && of(first, &choices) < action {
            first += 1;
        }
        while end > first && of(end - 1, &choices) > action {
            end -= 1;
        }
        if first == end {
            return Ok(false);
        }
        let depth = self.depth + 1;
        let path: &Path = choices.path(first);
        if path.len() == depth {
            let chosen = choices.chosen(first);
            self.position.play(chosen)?;
            self.turns += u32::from(chosen.ends_turn());
            self.list(actions)?;
        } else {
            (self.first, self.end, self.depth) = (first, end, depth);
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
        Some(self.choices.path(rng.random_range(self.first..self.end))[self.depth])
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

    /// A run from the start; a set-up that chance draws is decided by the seed.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn begin(&self, seed: u64) -> Result<Run, Error> {
        let position = match &self.start {
            Some(start) => start.clone(),
            None => self.game.start(seed)?,
        };
        Run::new(&self.actions, position)
    }

    pub fn players(&self) -> usize {
        self.game.model().seats.len()
    }
}
