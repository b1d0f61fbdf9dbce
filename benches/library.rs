//! The library's front: perft through moves that are listed, played and taken back; what a copy, a
//! turn and its undo cost; random games from many positions, together and one after the other.

mod common;

use std::hint::black_box;

use common::{Args, finish, millions, seconds, table, three_digits};
use lusoria::{Error, Game, Position, Rollouts};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Random games from each position.
const GAMES: u32 = 1000;

/// A game, a depth, and how many sequences of turns are that long; the tests name the sources.
const KNOWN: [(&str, u32, u64); 6] = [
    ("amazons", 2, 4_307_152),
    ("breakthrough", 4, 256_036),
    ("chess", 4, 197_281),
    ("lines_of_action", 3, 44_952),
    ("othello", 7, 55_092),
    ("xiangqi", 3, 79_666),
];

/// Sequences of turns of a length, each turn of them played; the last is only listed.
fn perft(position: &mut Position, depth: u32) -> Result<u64, Error> {
    let moves = position.legal_moves()?;
    if depth == 1 {
        return Ok(moves.len() as u64);
    }
    let mut sum = 0;
    for one in &moves {
        position.play(one)?;
        sum += perft(position, depth - 1)?;
        position.undo();
    }
    Ok(sum)
}

/// How often a second something is done that is done many times in a call.
fn rate(budget: f64, mut work: impl FnMut() -> u64) -> f64 {
    let (begun, mut times) = (seconds(), 0);
    loop {
        times += work();
        let passed = seconds() - begun;
        if passed >= budget {
            return times as f64 / passed;
        }
    }
}

fn nanoseconds(rate: f64) -> String {
    three_digits(1e9 / rate)
}

/// The positions behind all first moves.
fn behind(position: &mut Position) -> Vec<Position> {
    let moves = position.legal_moves().expect("no fault");
    let reached = moves.iter().take(64).map(|one| {
        position.play(one).expect("legal");
        let reached = position.clone();
        position.undo();
        reached
    });
    reached.collect()
}

/// Turns a second of random games, together and one after the other.
fn rollouts(game: &Game, positions: &[Position], budget: f64) -> (f64, f64) {
    let how = Rollouts { games: GAMES, seed: 1, ..Rollouts::default() };
    let together = rate(budget, || {
        let tallies = game.rollouts(positions, &how).expect("no fault");
        tallies.iter().map(|tally| tally.turns).sum()
    });
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let alone = rate(budget, || {
        let games = positions.iter().flat_map(|position| std::iter::repeat_n(position, 10));
        games.map(|position| position.playout(&mut rng, how.max_turns).expect("no fault").turns).sum()
    });
    (together, alone)
}

fn main() {
    let args = Args::of_bench();
    let head = ["game", "perft nodes", "copy", "turn and undo", "rollouts", "one by one", "rollouts / one by one"];
    let mut table = table(args.markdown, &head);
    let mut complaints = Vec::new();
    for (name, depth, expected) in KNOWN {
        if !args.games.is_empty() && !args.games.iter().any(|wanted| wanted == name) {
            continue;
        }
        let game = Game::shipped(name).expect("it is shipped");
        let mut position = game.start(0).expect("it can be set up");
        let nodes = rate(args.seconds, || {
            let counted = perft(&mut position, depth).expect("no fault");
            if counted != expected {
                complaints.push(format!("{name}: {counted}, not {expected}"));
            }
            counted
        });
        let copies = rate(args.seconds / 4.0, || {
            (0..1000).for_each(|_| drop(black_box(position.clone())));
            1000
        });
        let first = position.legal_moves().expect("no fault").swap_remove(0);
        let turns = rate(args.seconds / 4.0, || {
            for _ in 0..1000 {
                position.play(&first).expect("legal");
                position.undo();
            }
            1000
        });
        let (together, alone) = rollouts(&game, &behind(&mut position), args.seconds);
        table.add_row(vec![
            name.to_string(),
            format!("{} M/s", millions(nodes)),
            format!("{} ns", nanoseconds(copies)),
            format!("{} ns", nanoseconds(turns)),
            format!("{} M/s", millions(together)),
            format!("{} M/s", millions(alone)),
            three_digits(together / alone),
        ]);
    }
    println!("{table}");
    finish(&complaints);
}
