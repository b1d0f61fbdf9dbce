//! Evaluation: a position of two players goes in; how good it is for the first of them comes out, by
//! features that the rules decide and a weight for each.
//!
//! A position's worth is the logarithm of the odds that the first player wins: the weighted sum of
//! its features. Weights may change as the board fills: a tapered evaluation (M. Buro, 1995).

mod classes;
mod features;
mod goals;
#[cfg(test)]
mod tests;
mod weights;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::{Cell, Player};
use crate::game::{Error, Game, Move, Position};
use crate::player::evaluation::features::Features;
use crate::position::Written;

pub use crate::player::evaluation::weights::{Weights, phase};

/// Random games that tell what men can do, where nobody has given weights, and turns of each.
const SAMPLED_GAMES: u64 = 6;
const SAMPLED_TURNS: usize = 40;

/// The usual weights: what a man adds who has one move, and each further move of his.
const OF_A_MAN: f64 = 0.15;
const OF_A_MOVE: f64 = 0.1;
/// The same where no man is ever lost: then men tell little.
const OF_A_MAN_THAT_STAYS: f64 = 0.02;

/// The features of a game with their weights.
#[derive(Clone, Debug)]
pub struct Evaluation {
    features: Features,
    /// Of each phase, feature by feature.
    phases: Vec<Vec<f32>>,
    /// For as many cells as were filled in the position that was looked at last.
    weights: Vec<f32>,
    filled: usize,
    /// The features of the position that was looked at last.
    found: Vec<f32>,
}

impl Evaluation {
    /// With these weights, if they are of this game and board; else with those that the rules alone
    /// suggest.
    ///
    /// # Errors
    /// A fault of the rules in one of the random games that the rules' weights are drawn from.
    pub fn new(game: &Game, weights: Option<&Weights>) -> Result<Evaluation, Error> {
        let features = Features::new(game);
        let phases = match weights.filter(|weights| fits(&features, game, weights)) {
            Some(given) => {
                let of = |phase: usize| {
                    features.names().iter().map(|name| given.value(name, phase).unwrap_or(0.0) as f32).collect()
                };
                (0..given.phases.max(1)).map(of).collect()
            }
            None => vec![usual(&features, game)?],
        };
        let mut evaluation = Evaluation { features, phases, weights: Vec::new(), filled: 0, found: Vec::new() };
        evaluation.weigh();
        Ok(evaluation)
    }

    /// The weights are of this game, on a board of as many cells, and name no feature that it has not.
    pub fn fits(&self, game: &Game, weights: &Weights) -> bool {
        fits(&self.features, game, weights)
    }

    /// The names of the features, in their order.
    pub fn names(&self) -> &[String] {
        self.features.names()
    }

    /// For the position that was looked at last.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The weights for as many cells as are filled.
    fn weigh(&mut self) {
        let cells = self.features.cells();
        let (before, share) = phase(self.filled, cells, self.phases.len());
        let Some(one) = self.phases.get(before) else { return };
        let other = self.phases.get(before + 1).unwrap_or(one);
        self.weights.clear();
        self.weights.extend(one.iter().zip(other).map(|(one, other)| one + share * (other - one)));
    }

    /// The weights, if the position that was looked at last has other ones than that before it.
    fn weigh_again(&mut self) {
        let filled = self.features.filled();
        if self.phases.len() > 1 && filled != self.filled {
            self.filled = filled;
            self.weigh();
        }
    }

    /// How many cells are filled in the position that was looked at last.
    pub fn filled(&self) -> usize {
        self.features.filled()
    }

    /// The logarithm of the odds that the player who chooses wins. `mobility` is the logarithm of how
    /// many times as many moves he has as the other had.
    pub fn of(&mut self, position: &Position, mobility: f32) -> f32 {
        let chooser = position.choosing();
        self.look_at(position, mobility);
        let first: f32 = self.found.iter().zip(&self.weights).map(|(found, weight)| found * weight).sum();
        if chooser.index() == 0 { first } else { -first }
    }

    /// The features of a position, in their order, seen by the first player.
    pub fn look_at(&mut self, position: &Position, mobility: f32) -> &[f32] {
        let chooser = position.choosing();
        let mobility = if chooser.index() == 0 { mobility } else { -mobility };
        let (features, found) = (&mut self.features, &mut self.found);
        position.with_board(|board| features.of(board, chooser, mobility, found));
        self.weigh_again();
        &self.found
    }

    /// Looks what stands where, so that captures can be told apart.
    pub fn look(&mut self, position: &Position) {
        let features = &mut self.features;
        position.with_board(|board| features.look(board));
        self.weigh_again();
    }

    /// What a move seems to take, less a little of what takes it, in the position that was looked at
    /// last; `None`: it takes nothing where it lands.
    pub fn capture(&self, made: &Move) -> Option<f32> {
        let landing = made.written().iter().find_map(|written| match written {
            Written::Landing { cell, captures: true, .. } => Some(*cell),
            _ => None,
        })?;
        let worth = |cell: Cell| self.features.on(cell).map(|(_, kind)| self.worth(kind));
        let mover = made.cells().next().and_then(worth).unwrap_or(0.0);
        Some(worth(landing).unwrap_or(0.0) - mover / 16.0)
    }

    fn worth(&self, kind: usize) -> f32 {
        self.features.of_kind(kind).map(|at| self.weights.get(at).copied().unwrap_or(0.0).abs()).iter().sum()
    }
}

/// The weights are of this game, on a board of as many cells, and name no feature that it has not.
fn fits(features: &Features, game: &Game, weights: &Weights) -> bool {
    weights.game == game.name()
        && weights.cells == game.model().topology.len()
        && weights.values.iter().all(|(name, _)| features.names().contains(name))
}

/// The weights that the rules alone suggest: a man is worth what he can do.
fn usual(features: &Features, game: &Game) -> Result<Vec<f32>, Error> {
    let kinds = features.kinds();
    let sampled = Sampled::of(game, kinds)?;
    let goals = &features.goals;
    let value_of = |kind: usize| match game.model().kinds.get(kind).map_or(0, |kind| kind.value) {
        0 => OF_A_MAN + OF_A_MOVE * sampled.moves(kind),
        value => OF_A_MAN * value as f64,
    };
    let worth = |kind: &str| {
        let at = game.model().kinds.iter().position(|known| known.name == kind).unwrap_or(0);
        if sampled.are_lost { value_of(at) } else { OF_A_MAN_THAT_STAYS }
    };
    let run = |men: f64| 0.04 * 3.0f64.powf(men - 1.0);
    let of = |name: &String| {
        let (word, rest) = name.split_once(' ').unwrap_or((name, ""));
        match word {
            "material" => worth(rest),
            "hand" => worth(rest) * 0.9,
            "stacked" => 0.1,
            "advance" if goals.rows => 0.1,
            "far" if goals.rows => 0.3,
            "advance" | "far" => 0.02,
            "run" => rest.parse().map_or(0.0, run),
            "groups" => -0.3,
            "largest" => 0.5,
            "spread" => -0.5,
            "steps" => 0.4,
            "liberties" => 0.02,
            "territory" if goals.score || goals.stuck => 0.05,
            "territory" => 0.01,
            "remembered" => 0.3,
            "mobility" => 0.2,
            "turn" => 0.05,
            _ => 0.0,
        }
    };
    Ok(features.names().iter().map(|name| of(name) as f32).collect())
}

/// What men do in a few random games.
struct Sampled {
    moves: Vec<f64>,
    men: Vec<f64>,
    /// A move of one player costs the other men.
    are_lost: bool,
}

impl Sampled {
    fn of(game: &Game, kinds: usize) -> Result<Sampled, Error> {
        let mut sampled = Sampled { moves: vec![0.0; kinds], men: vec![0.0; kinds], are_lost: false };
        for number in 0..SAMPLED_GAMES {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
            let mut position = game.start(number)?;
            for turn in 0..SAMPLED_TURNS {
                if position.is_over() {
                    break;
                }
                let other = Player(1 - position.choosing().0.min(1));
                let men = |position: &Position| position.with_board(|board| board.of(other).len());
                let before = men(&position);
                if turn % 2 == number as usize % 2 {
                    sampled.look(&position)?;
                }
                if !position.play_random(&mut rng)? {
                    break;
                }
                sampled.are_lost |= men(&position) < before;
            }
        }
        Ok(sampled)
    }

    fn look(&mut self, position: &Position) -> Result<(), Error> {
        let moves = position.legal_moves()?;
        let mover = position.choosing();
        position.with_board(|board| {
            let own = |cell: Cell| board.top(cell).filter(|man| man.owner == Some(mover)).map(|man| man.kind.index());
            for kind in board.of(mover).iter().filter_map(own) {
                self.men[kind] += 1.0;
            }
            for made in &moves {
                if let Some(kind) = made.cells().next().and_then(own) {
                    self.moves[kind] += 1.0;
                }
            }
        });
        Ok(())
    }

    /// How many moves a man of a kind has on the average.
    fn moves(&self, kind: usize) -> f64 {
        let (moves, men) = (self.moves.get(kind), self.men.get(kind));
        moves.zip(men).filter(|(_, men)| **men > 0.0).map_or(1.0, |(moves, men)| moves / men)
    }
}
