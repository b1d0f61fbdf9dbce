//! A player on the library: tries every legal move with random games and names the best.
//!
//! ```sh
//! cargo run --release --example flat_monte_carlo -- othello 50
//! ```

use lusoria::{Error, Game, Position};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| String::from("othello"));
    let games: u32 = arguments.next().map_or(Ok(50), |text| text.parse())?;
    let game = Game::shipped(&name).ok_or_else(|| format!("there is no shipped game `{name}`"))?;

    let mut position = game.start(0)?;
    println!("{}", position.drawing(false)?);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for (score, text) in rated_moves(&mut position, games, &mut rng)? {
        println!("{text:<12} {:5.1} %", 100.0 * score);
    }
    Ok(())
}

/// The legal moves with the share of random games that the mover won after each, the best first; a
/// draw is half a win.
fn rated_moves(position: &mut Position, games: u32, rng: &mut Xoshiro256PlusPlus) -> Result<Vec<(f64, String)>, Error> {
    let mover = position.to_move().to_string();
    let mut rated = Vec::new();
    for one in position.legal_moves()? {
        let mut score = 0.0;
        for _ in 0..games {
            let mut copy = position.clone();
            copy.play(&one)?;
            score += match copy.playout(rng, 1000)? {
                Some(outcome) if outcome.winners.contains(&mover) => 1.0,
                Some(outcome) if outcome.winners.is_empty() => 0.5,
                _ => 0.0,
            };
        }
        rated.push((score / f64::from(games), one.to_string()));
    }
    rated.sort_by(|a, b| b.0.total_cmp(&a.0));
    Ok(rated)
}
