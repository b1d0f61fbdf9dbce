//! A player on the library: tries every legal move with random games and plays the best.
//!
//! ```sh
//! cargo run --release --example flat_monte_carlo -- breakthrough 1000
//! ```

use std::time::Instant;

use lusoria::{Error, Game, Move, Position, Rollouts};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| String::from("breakthrough"));
    let games: u32 = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let game = Game::shipped(&name).ok_or_else(|| format!("there is no shipped game `{name}`"))?;

    let mut position = game.start(0)?;
    while !position.is_over() {
        let begun = Instant::now();
        let how = Rollouts { games, seed: 1, max_turns: 1000 };
        let Some((share, best)) = best_move(&mut position, &how)? else { break };
        println!("{:<8} {best:<12} {:5.1} %  {:7.1?}", position.to_move(), 100.0 * share, begun.elapsed());
        position.play(&best)?;
    }
    println!("{}\n{}", position.drawing(false)?, position.outcome_text().unwrap_or_default());
    Ok(())
}

/// The legal move after which the mover wins the greatest share of random games, with that share.
fn best_move(position: &mut Position, how: &Rollouts) -> Result<Option<(f64, Move)>, Error> {
    let (mover, moves) = (position.mover(), position.legal_moves()?);
    let mut behind = Vec::new();
    for one in &moves {
        position.play(one)?;
        behind.push(position.clone());
        position.undo();
    }
    let tallies = position.game().rollouts(&behind, how)?;
    let rated = tallies.iter().map(|tally| tally.mean(mover)).zip(moves);
    Ok(rated.max_by(|one, other| one.0.total_cmp(&other.0)))
}
