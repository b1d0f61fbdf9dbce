//! Engines written by hand for speed, each for one game: what a general engine is measured against.
//! They play by the rules of the shipped files and share nothing with them, so their counts are a
//! check too.
//!
//! They use what the processor has only if they are compiled for it: docs/performance.md has the
//! command.

// Each bench uses a part of what is here.
#![allow(dead_code)]
// Squares, lines and directions are indices of several tables at once.
#![allow(clippy::needless_range_loop)]
// AVX-512 needs Rust 1.89, and is used only where a build asks for it.
#![allow(clippy::incompatible_msrv)]
// Tables are computed while compiling.
#![allow(long_running_const_eval)]

mod amazons;
mod bits;
mod breakthrough;
mod game;
mod morris;
mod othello;
mod pente;
mod rng;

use game::{Game, Outcome, Play};
use rng::Rng;

/// What a number of random games came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Games {
    pub games: u64,
    pub turns: u64,
    /// The squares of the games' lengths, added up.
    pub squares: u64,
    /// Wins of the first player.
    pub first: u64,
}

/// A game's engine.
pub struct Baseline {
    pub playouts: fn(u64, u64) -> Games,
    pub perft: fn(u32) -> u64,
}

const fn engine<G: Game>() -> Baseline {
    Baseline { playouts: playouts::<G>, perft: |depth| perft(&G::start(), depth) }
}

/// The engine for a shipped game or variant, by the name that the program knows it by.
pub fn of(name: &str) -> Option<Baseline> {
    Some(match name {
        "amazons" => engine::<amazons::Amazons>(),
        "breakthrough" => engine::<breakthrough::Breakthrough>(),
        "nine_mens_morris" => engine::<morris::Morris>(),
        "nine_mens_morris:forced removal" => engine::<morris::MorrisForced>(),
        "othello" => engine::<othello::Othello>(),
        "pente" => engine::<pente::Pente>(),
        "pente:keryo-pente" => engine::<pente::Keryo>(),
        _ => return None,
    })
}

/// What of the processor the engines were compiled for.
pub fn compiled_for() -> &'static str {
    if cfg!(all(target_feature = "avx512vbmi", target_feature = "avx512bw", target_feature = "avx512vl")) {
        "AVX-512"
    } else if cfg!(target_feature = "bmi2") {
        "BMI2 and what came with it"
    } else {
        "any machine"
    }
}

/// Random games one after the other, the position a local of its own: a small one stays in
/// registers.
fn playouts<G: Game>(games: u64, seed: u64) -> Games {
    let start = G::start();
    let mut rng = Rng::new(seed);
    let mut played = Games { games, ..Games::default() };
    for _ in 0..games {
        let mut game = start.clone();
        let mut turns = 0;
        let outcome = loop {
            match game.pick(&mut rng) {
                Err(outcome) => break outcome,
                Ok(turn) => {
                    turns += 1;
                    if let Play::Over(outcome) = game.play(turn) {
                        break outcome;
                    }
                }
            }
        };
        played.turns += turns;
        played.squares += turns * turns;
        played.first += u64::from(outcome == Outcome::First);
    }
    played
}

/// Sequences of exactly `depth` turns; a game that ends earlier has none.
fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut game = game.clone();
    let Ok(count) = game.count() else { return 0 };
    if depth == 1 {
        return u64::from(count);
    }
    let mut total = 0;
    for k in 0..count {
        let turn = game.nth(k);
        let mut after = game.clone();
        if after.play(turn) == Play::On {
            total += perft(&after, depth - 1);
        }
    }
    total
}
