//! Every shipped game with a plan, played by the scalar executor and by the batch executor with
//! several numbers of lanes: each single game must go the same way in all of them, outcome, length
//! and branching.

mod common;

use std::time::Instant;

use common::{Args, finish, table};
use lusoria::Game;
use lusoria::batch::{From, Games, Start, batch};
use lusoria::check;
use lusoria::interp::Playout;
use lusoria::position::{Fault, Position};
use lusoria::shipped::Shipped;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Numbers of lanes: one, one that leaves lanes of a chunk idle, and full chunks.
const LANES: [usize; 4] = [1, 7, 64, 128];

/// So many games, and how each went.
struct Queue<'a> {
    game: &'a Game,
    next: u64,
    went: Vec<Option<String>>,
}

impl Games for Queue<'_> {
    fn next(&mut self) -> Option<Start> {
        let number = self.next;
        if number as usize >= self.went.len() {
            return None;
        }
        self.next += 1;
        Some(Start {
            number,
            seed: number,
            from: From::Position(Box::new((start(self.game, number), Xoshiro256PlusPlus::seed_from_u64(number)))),
        })
    }

    fn done(&mut self, number: u64, went: Result<Playout, (Fault, Box<Position>)>) {
        self.went[number as usize] = Some(told(went.map_err(|(fault, _)| fault)));
    }

    fn refused(&mut self, number: u64) {
        self.went[number as usize] = Some(String::from("refused"));
    }
}

fn start(game: &Game, number: u64) -> Position {
    game.start(number).expect("a shipped game can be set up").state().clone()
}

fn told(went: Result<Playout, Fault>) -> String {
    match went {
        Ok(went) => format!("{:?} after {} turns, {:?}", went.outcome, went.turns, went.choices),
        Err(fault) => format!("{fault}"),
    }
}

/// The games that are named, or all shipped files with all their variants.
fn games(args: &Args) -> Vec<(String, Game)> {
    if !args.games.is_empty() {
        return args.games();
    }
    let mut games = Vec::new();
    for shipped in Shipped.games() {
        for game in check::check(shipped.source.clone(), &Shipped).games {
            let name = game.variant.map_or(shipped.stem.to_string(), |variant| format!("{}:{variant}", shipped.stem));
            games.extend(Game::shipped(&name).map(|game| (name, game)));
        }
    }
    games
}

fn main() {
    let args = Args::of_bench();
    let mut table = table(args.markdown, &["game", "games", "lanes", "differ"]);
    let mut complaints = Vec::new();
    for (name, game) in games(&args) {
        let Ok(engine) = game.engine() else { continue };
        if batch(&engine, None).is_err() {
            continue;
        }
        let start_of_game = Instant::now();
        let mut runner = engine.runner();
        let planned: Vec<String> = (0..args.count)
            .map(|number| {
                assert!(runner.load(&start(&game, number)), "{name}: the plan has no place for the start");
                told(runner.playout(&mut Xoshiro256PlusPlus::seed_from_u64(number), u64::from(args.max_turns)))
            })
            .collect();
        for lanes in LANES {
            let Ok(mut batch) = batch(&engine, Some(lanes)) else { continue };
            let mut queue = Queue { game: &game, next: 0, went: vec![None; planned.len()] };
            batch.play(&mut queue, u64::from(args.max_turns));
            let differ =
                planned.iter().zip(&queue.went).filter(|(planned, went)| Some(*planned) != went.as_ref()).count();
            table.add_row([name.clone(), args.count.to_string(), lanes.to_string(), differ.to_string()]);
            if differ > 0 {
                complaints.push(format!("{name}: {differ} games differ with {lanes} lanes"));
            }
        }
        eprintln!("{name}: {:.0} s", start_of_game.elapsed().as_secs_f64());
    }
    println!("{table}");
    finish(&complaints);
}
