//! Tests of players: proven values are right, the tree keeps its bounds, searches repeat by their seed.

use crate::board::Player;
use crate::game::{Game, Position};
use crate::player::bounds::Bounds;
use crate::player::{Mcts, Options, Solver, Value};

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

/// The value for the player to move, with the plies of the quickest win or the slowest loss, by full
/// enumeration.
fn full(position: &mut Position) -> Value {
    if let Some(payoff) = position.payoff(position.choosing()) {
        return match payoff {
            payoff if payoff >= 1.0 => Value::Win(0),
            payoff if payoff <= 0.0 => Value::Loss(0),
            _ => Value::Draw,
        };
    }
    let mut best = None;
    let order = |value: Value| match value {
        Value::Win(plies) => 1000 - i32::from(plies),
        Value::Loss(plies) => i32::from(plies) - 1000,
        Value::Draw | Value::Unknown => 0,
    };
    let chooser = position.choosing();
    for one in position.legal_moves().expect("no fault") {
        position.play(&one).expect("legal");
        let behind = full(position);
        let value = match (behind, position.choosing() == chooser) {
            (Value::Win(plies), false) | (Value::Loss(plies), true) => Value::Loss(plies + 1),
            (Value::Loss(plies), false) | (Value::Win(plies), true) => Value::Win(plies + 1),
            (same, _) => same,
        };
        position.undo();
        if best.is_none_or(|best| order(value) > order(best)) {
            best = Some(value);
        }
    }
    best.expect("there are moves")
}

fn solved(position: &Position) -> Value {
    let mut solver = Solver::new(position, 1 << 26);
    solver.solve(position, |_, _| true).expect("no fault").value
}

#[test]
fn solved_values_and_lengths_are_those_of_full_enumeration() {
    let tic_tac_toe = Game::from_source(include_str!("../../tests/games/beyond/tic_tac_toe.rules")).expect("it loads");
    let mut rng = <rand_xoshiro::Xoshiro256PlusPlus as rand::SeedableRng>::seed_from_u64(4);
    let mut met = [0; 3];
    for game in [tic_tac_toe, small_breakthrough()] {
        for _ in 0..25 {
            let mut position = game.start(0).expect("it begins");
            let most = if game.name() == "Small" { 5 } else { 3 };
            for _ in 0..most {
                position.play_random(&mut rng).expect("no fault");
            }
            if position.is_over() || position.legal_moves().expect("no fault").len() > 8 {
                continue;
            }
            let expected = full(&mut position);
            assert_eq!(solved(&position), expected, "{}: {position}", game.name());
            met[match expected {
                Value::Win(_) => 0,
                Value::Draw | Value::Unknown => 1,
                Value::Loss(_) => 2,
            }] += 1;
        }
    }
    assert!(met.iter().all(|count| *count > 0), "{met:?}");
}

/// Breakthrough on three files and four ranks, whose games are short.
fn small_breakthrough() -> Game {
    let rules = "game \"Small\" extends \"Breakthrough\" { board square 3 by 4  setup { place man on row 1  mirror } }";
    Game::from_source(rules).expect("it loads")
}

#[test]
fn games_of_known_value_are_solved() {
    let tic_tac_toe = Game::from_source(include_str!("../../tests/games/beyond/tic_tac_toe.rules")).expect("it loads");
    assert_eq!(solved(&tic_tac_toe.start(0).expect("it begins")), Value::Draw);
    let rules = "game \"Tiny\" extends \"Breakthrough\" { board square 3 by 3  setup { place man on row 1  mirror } }";
    let mut position = Game::from_source(rules).expect("it loads").start(0).expect("it begins");
    assert_eq!(solved(&position), full(&mut position));
}

#[test]
fn a_line_of_best_play_is_as_long_as_it_is_said_to_be() {
    let position = small_breakthrough().start(0).expect("it begins");
    let mut solver = Solver::new(&position, 1 << 26);
    let value = solver.solve(&position, |_, _| true).expect("no fault").value;
    let line = solver.line(&position, 100, |_, _| true).expect("no fault");
    let (Value::Win(plies) | Value::Loss(plies)) = value else { panic!("{value:?}") };
    assert_eq!(line.len(), usize::from(plies));
    let mut at = position;
    line.iter().for_each(|made| at.play(made).expect("legal"));
    assert!(at.is_over());
}

#[test]
fn a_solver_that_is_stopped_says_that_it_does_not_know() {
    let position = shipped("breakthrough").start(0).expect("it begins");
    let mut solver = Solver::new(&position, 1 << 20);
    let solution = solver.solve(&position, |nodes, _| nodes < 1000).expect("no fault");
    assert_eq!(solution.value, Value::Unknown);
    assert!(solver.nodes() < 3000, "{}", solver.nodes());
}

/// Two wagers, of which one is won by half of all rolls and the other by a sixth.
const WAGER: &str = r#"game "Wager" {
  players Ann, Bob
  board square 2 by 2
  piece man
  remember winner = 0
  setup { place Ann man on a1   place Bob man on b2 }
  move {
    either "safe" { pick n from 1..6 by chance   set winner = if n > 3 then 1 else 2 }
    or "bold" { pick n from 1..6 by chance   set winner = if n > 5 then 1 else 2 }
  }
  end { Ann wins if winner = 1   Bob wins if winner = 2   draw if stuck(enemy) }
}"#;

#[test]
fn what_all_rolls_prove_is_their_mean() {
    let (lost, won, open) = (Bounds::exactly(0.0), Bounds::exactly(1.0), Bounds::UNKNOWN);
    assert_eq!(Bounds::of_mean([(0.25, lost), (0.75, won)]), Bounds::exactly(0.75));
    assert_eq!(Bounds::of_mean([(0.25, won), (0.75, open)]), Bounds { least: 0.25, most: 1.0 });
    assert_eq!(Bounds::of_mean((0..10).map(|_| (0.1, won))), won);
    assert_eq!(Bounds::of_mean([]), open);
    let game = Game::from_source(WAGER).expect("it loads");
    let mut search = Mcts::new(game.start(0).expect("it begins"), Options::default());
    search.search(|progress| progress.playouts < 20_000).expect("no fault");
    let found = search.analysis();
    assert_eq!((found.lines[0].moves[0].as_str(), found.proven), ("safe", Some(0.5)));
    let bold = found.lines.iter().find(|line| line.moves[0] == "bold").expect("it is listed");
    assert!(bold.value < 0.5, "{}", bold.value);
}
