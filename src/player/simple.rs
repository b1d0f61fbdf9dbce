//! Simple players: a position goes in; a random move, a greedy one, or what chance draws comes out.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Error, Move, Position};
use crate::reference::draw_by;

/// What chance chooses where it is to choose.
///
/// # Errors
/// A fault of the rules.
pub fn drawn_by_chance(position: &Position, rng: &mut Xoshiro256PlusPlus) -> Result<Move, Error> {
    let moves = position.legal_moves()?;
    let probabilities: Vec<_> = moves.iter().map(Move::chance).collect();
    if moves.is_empty() { Err(Error::NotAMove) } else { Ok(moves[draw_by(&probabilities, rng)].clone()) }
}

/// Any legal move; `None`: there is none.
///
/// # Errors
/// A fault of the rules.
pub fn random(position: &Position, rng: &mut Xoshiro256PlusPlus) -> Result<Option<Move>, Error> {
    Ok(any(&position.legal_moves()?, rng))
}

fn any(moves: &[Move], rng: &mut Xoshiro256PlusPlus) -> Option<Move> {
    (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())].clone())
}

/// A move that wins at once; else one that does not lose at once and captures the most.
///
/// # Errors
/// A fault of the rules.
pub fn greedy(position: &Position, rng: &mut Xoshiro256PlusPlus) -> Result<Option<Move>, Error> {
    let chooser = position.choosing();
    let (mut best, mut greatest) = (Vec::new(), f64::MIN);
    for one in position.legal_moves()? {
        let mut behind = position.clone();
        behind.play(&one)?;
        let payoff = behind.payoff(chooser).map_or(0.0, |payoff| (payoff - 0.5) * 1e6);
        let score = payoff + one.captures()?.len() as f64;
        if score > greatest {
            (greatest, best) = (score, Vec::new());
        }
        if score == greatest {
            best.push(one);
        }
    }
    Ok(any(&best, rng))
}
