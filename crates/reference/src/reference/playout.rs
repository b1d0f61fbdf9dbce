//! Playouts: a position, a generator and a limit go in; the plies played and the outcome come out.

use rand::{Rng, RngExt};

use crate::model::Game;
use crate::position::{Fault, Outcome, Position, Probability};

use crate::reference::{Executor, PlayError, Ply};

/// The place of one of the plies of a position, drawn uniformly; of those that chance chooses from,
/// each as likely as it is. There must be one.
pub fn draw_ply(plies: &[Ply], rng: &mut (impl Rng + ?Sized)) -> usize {
    let probabilities: Vec<Option<Probability>> = plies.iter().map(|ply| ply.probability).collect();
    draw_by(&probabilities, rng)
}

/// The same of the probabilities alone.
pub fn draw_by(probabilities: &[Option<Probability>], rng: &mut (impl Rng + ?Sized)) -> usize {
    if probabilities.iter().all(|probability| *probability == probabilities[0]) {
        return rng.random_range(0..probabilities.len());
    }
    let mut rest: f64 = rng.random();
    let past = |probability: &Option<Probability>| {
        rest -= probability.map_or(0.0, Probability::value);
        rest < 0.0
    };
    // The sum is 1 but for rounding.
    probabilities.iter().position(past).unwrap_or(probabilities.len() - 1)
}

/// When a playout stops without an outcome.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub turns: u32,
    /// Plies are a bound of their own, as a turn may have any number of them.
    pub plies: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { turns: 10_000, plies: 100_000 }
    }
}

#[derive(Clone, Debug)]
pub struct Playout {
    pub plies: Vec<Ply>,
    pub turns: u32,
    /// `None`: a limit was reached.
    pub outcome: Option<Outcome>,
}

impl Executor {
    /// Plays plies drawn by [`draw_ply`], ply by ply, until the game is over. The position is left at the
    /// end of the game.
    pub fn playout(
        &mut self,
        game: &Game,
        position: &mut Position,
        rng: &mut impl Rng,
        limits: Limits,
    ) -> Result<Playout, Fault> {
        let mut played = Playout { plies: Vec::new(), turns: 0, outcome: position.outcome() };
        while played.outcome.is_none() && played.turns < limits.turns && played.plies.len() < limits.plies as usize {
            let mut plies = self.plies(game, position)?;
            if plies.is_empty() {
                break;
            }
            let drawn = draw_ply(&plies, rng);
            let ply = plies.swap_remove(drawn);
            match self.play(game, position, &ply) {
                Ok(_) => {}
                Err(PlayError::Fault(fault)) => return Err(fault),
                // Listed a moment ago for this position.
                Err(PlayError::NotAMove) => break,
            }
            played.turns += u32::from(ply.ends_turn);
            played.outcome = position.outcome();
            played.plies.push(ply);
        }
        Ok(played)
    }
}
