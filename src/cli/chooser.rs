//! Chooser: a game and a budget go in; the kind of player that is the stronger at it comes out.
//!
//! A short match between tree search and alpha-beta search decides, at a small number of playouts and
//! as many positions, so that the same seed chooses alike on every machine. Nothing of it is kept.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Player;
use crate::cli::opponent::{Budget, Limit, Opponent, Spec};
use crate::game::{Error, Game};
use crate::player::{AlphaBeta, Options, Weights};

/// Pairs of games with one opening and exchanged seats, at most.
const PAIRS: u64 = 4;
/// Random turns of an opening.
const OPENING: usize = 2;
/// Playouts of a move, and positions of one.
const THOUGHTS: u64 = 200;
/// Turns after which a game counts as a draw.
const MOST_TURNS: u32 = 200;
/// Memory of a player, in bytes.
const MEMORY: usize = 1 << 24;

/// Tree search or alpha-beta search, with a budget for each move. If it is stopped, what leads by
/// then; tree search unless alpha-beta search leads.
///
/// # Errors
/// A fault of the rules in one of the games.
pub fn stronger(
    game: &Game,
    budget: Budget,
    options: Options,
    weights: Option<&Weights>,
    stop: &AtomicBool,
) -> Result<Spec, Error> {
    if !AlphaBeta::knows(game) {
        return Ok(Spec::Mcts(budget));
    }
    // What alpha-beta search is ahead in points.
    let mut lead = 0.0;
    for pair in 0..PAIRS {
        for exchanged in [false, true] {
            let seat = Player(u8::from(exchanged));
            let Some(points) = play(game, (pair, seat), options, weights, stop)? else {
                return Ok(chosen(lead, budget));
            };
            lead += 2.0 * points - 1.0;
        }
        // The pairs that are left cannot turn it round.
        let left = 2.0 * (PAIRS - pair - 1) as f64;
        if f64::abs(lead) > left {
            break;
        }
    }
    Ok(chosen(lead, budget))
}

fn chosen(lead: f64, budget: Budget) -> Spec {
    if lead > 0.0 { Spec::AlphaBeta(budget.into()) } else { Spec::Mcts(budget) }
}

/// The points of alpha-beta search in a game where it has this seat; `None`: it was stopped.
fn play(
    game: &Game,
    (pair, seat): (u64, Player),
    options: Options,
    weights: Option<&Weights>,
    stop: &AtomicBool,
) -> Result<Option<f64>, Error> {
    let seed = options.seed ^ (pair + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let begun = game.start(seed)?;
    let mut position = begun.clone();
    for _ in 0..OPENING {
        position.play_random(&mut rng)?;
    }
    if position.is_over() {
        position = begun;
    }
    let options = Options { seed, memory: MEMORY, leaves: 8, ..options };
    let ahead = Spec::AlphaBeta(Limit::Nodes(THOUGHTS));
    let mut ahead = Opponent::new(ahead, options).with_weights(weights.cloned());
    let mut tree = Opponent::new(Spec::Mcts(Budget::Playouts(THOUGHTS)), options);
    while !position.is_over() && position.state().turns() < MOST_TURNS {
        let player = if position.choosing() == seat { &mut ahead } else { &mut tree };
        let Some((made, _)) = player.choose(&position, stop)? else { break };
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        position.play(&made)?;
    }
    Ok(Some(position.payoff(seat).unwrap_or(0.5)))
}
