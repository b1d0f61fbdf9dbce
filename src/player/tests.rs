//! Tests of players: proven values are right, the tree keeps its bounds, searches repeat by their seed.

use crate::board::Player;
use crate::game::{Game, Position};
use crate::player::bounds::Bounds;
use crate::player::{Mcts, Options};

fn shipped(name: &str) -> Game {
    Game::shipped(name).expect("it is shipped")
}

/// The payoff of the first player, if both play best, by full enumeration.
fn value(position: &mut Position) -> f64 {
    if let Some(payoff) = position.payoff(Player(0)) {
        return payoff;
    }
    let is_first = position.mover() == Player(0);
    let mut best = if is_first { 0.0f64 } else { 1.0 };
    for one in position.legal_moves().expect("no fault") {
        position.play(&one).expect("legal");
        let behind = value(position);
        position.undo();
        best = if is_first { best.max(behind) } else { best.min(behind) };
    }
    best
}

#[test]
fn bounds_are_those_of_the_best_move() {
    let (lost, won, open) = (Bounds::exactly(0.0), Bounds::exactly(1.0), Bounds::UNKNOWN);
    let draw = Bounds::exactly(0.5);
    let (first, second) = (Player(0), Player(1));
    assert_eq!(Bounds::of_best(first, [lost, won, open]), won);
    assert_eq!(Bounds::of_best(second, [lost, won, open]), lost);
    assert_eq!(Bounds::of_best(first, [lost, draw]), draw);
    assert_eq!(Bounds::of_best(first, [draw, open]), Bounds { least: 0.5, most: 1.0 });
    assert_eq!(Bounds::of_best(second, [draw, open]), Bounds { least: 0.0, most: 0.5 });
    assert_eq!(Bounds::of_best(first, []), open);
    assert_eq!((won.proven(first), won.proven(second), open.proven(first)), (Some(1.0), Some(0.0), None));
}

#[test]
fn proven_values_are_those_of_full_enumeration() {
    let rules = include_str!("../../tests/games/beyond/tic_tac_toe.rules");
    let game = Game::from_source(rules).expect("it loads");
    let mut rng = <rand_xoshiro::Xoshiro256PlusPlus as rand::SeedableRng>::seed_from_u64(2);
    let mut proven = 0;
    for number in 0..100 {
        let mut position = game.start(0).expect("it begins");
        for _ in 0..3 {
            position.play_random(&mut rng).expect("no fault");
        }
        let options = Options { seed: number, games: 1, leaves: 4, ..Options::default() };
        let mut search = Mcts::new(position.clone(), options);
        search.search(|progress| progress.playouts < 3000).expect("no fault");
        let Some(found) = search.analysis().proven else { continue };
        proven += 1;
        let expected = value(&mut position);
        let expected = if position.mover() == Player(0) { expected } else { 1.0 - expected };
        assert_eq!(found, expected, "{position}");
        let best = search.best().expect("there is a move");
        position.play(&best).expect("legal");
        let behind = value(&mut position);
        assert_eq!(if position.mover() == Player(1) { behind } else { 1.0 - behind }, expected, "{position}");
    }
    assert!(proven > 80, "{proven}");
}

#[test]
fn a_win_in_one_turn_is_found_and_proven() {
    let game = shipped("breakthrough");
    let position = game.position("8/W7/8/3B4/8/8/6B1/8 White").expect("it is one");
    let mut search = Mcts::new(position, Options::default());
    search.search(|progress| progress.playouts < 20_000).expect("no fault");
    let analysis = search.analysis();
    assert_eq!(analysis.proven, Some(1.0));
    let best = &analysis.lines[0];
    assert!(["a7-a8", "a7-b8"].contains(&best.moves[0].as_str()), "{:?}", best.moves);
    assert_eq!(best.proven, Some(1.0));
}

#[test]
fn the_same_seed_thinks_the_same() {
    let think = |seed| {
        let position = shipped("othello").start(0).expect("it begins");
        let mut search = Mcts::new(position, Options { seed, ..Options::default() });
        search.search(|progress| progress.playouts < 2000).expect("no fault");
        let analysis = search.analysis();
        let lines = analysis.lines.iter();
        lines.map(|line| (line.moves.clone(), line.visits, line.value.to_bits())).collect::<Vec<_>>()
    };
    assert_eq!(think(1), think(1));
    assert_ne!(think(1), think(2));
}

#[test]
fn a_tree_stays_within_its_memory_and_goes_on() {
    let position = shipped("breakthrough").start(0).expect("it begins");
    let options = Options { memory: 300_000, ..Options::default() };
    let mut search = Mcts::new(position, options);
    search.search(|progress| progress.playouts < 20_000).expect("no fault");
    assert!(search.progress().playouts >= 20_000);
    assert!(search.progress().nodes < 500, "{:?}", search.progress());
}

#[test]
fn what_was_found_out_is_kept_behind_a_move() {
    let mut position = shipped("breakthrough").start(0).expect("it begins");
    let mut search = Mcts::new(position.clone(), Options::default());
    search.search(|progress| progress.playouts < 20_000).expect("no fault");
    let analysis = search.analysis();
    let (best, visits) = (analysis.lines[0].first.clone(), analysis.lines[0].visits);
    search.play(&best).expect("legal");
    position.play(&best).expect("legal");
    assert_eq!(search.position().to_string(), position.to_string());
    assert_eq!(search.progress().playouts, visits);
    search.search(|progress| progress.playouts < visits + 1000).expect("no fault");
    assert!(search.analysis().lines.iter().map(|line| line.visits).sum::<u64>() >= visits);
}

#[test]
fn games_of_more_players_are_searched() {
    let game = shipped("focus:for four");
    assert_eq!(game.players().len(), 4);
    let mut search =
        Mcts::new(game.start(0).expect("it begins"), Options { games: 1, max_turns: 20, ..Options::default() });
    search.search(|progress| progress.playouts < 20).expect("no fault");
    let analysis = search.analysis();
    assert!(analysis.proven.is_none() && analysis.lines.len() > 1);
}
