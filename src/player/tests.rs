//! Tests of players: proven values are right, the tree keeps its bounds, searches repeat by their seed.

use std::collections::HashMap;

use crate::board::Player;
use crate::game::{Game, Position};
use crate::player::bounds::Bounds;
use crate::player::evaluation::Evaluation;
use crate::player::{AlphaBeta, AlphaBetaOptions, Mcts, Options, ProofSearch, Retrograde, Solver, Value, tune};

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
        let transpositions = number % 2 == 0;
        let options = Options { seed: number, games: 1, leaves: 4, transpositions, ..Options::default() };
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
fn a_move_that_wins_at_once_is_found_where_one_is_listed() {
    let mut found = 0;
    for one in crate::shipped::Shipped.games() {
        let (name, game) = (one.stem, shipped(one.stem));
        let mut rng = <rand_xoshiro::Xoshiro256PlusPlus as rand::SeedableRng>::seed_from_u64(5);
        for seed in 0..4 {
            let mut position = game.start(seed).expect("it begins");
            for turn in 0..60 {
                let chooser = position.choosing();
                let wins = |one: &crate::game::Move| {
                    let mut behind = position.clone();
                    behind.play(one).expect("legal");
                    behind.payoff(chooser) == Some(1.0)
                };
                // Listing is slow where there are many moves.
                let is_asked = turn % 6 == 5 && !game.model().asks.plies;
                if is_asked {
                    let listed = position.legal_moves().expect("no fault").iter().any(wins);
                    assert_eq!(position.wins_at_once().expect("no fault"), listed, "{name}: {position}");
                    found += usize::from(listed);
                }
                if !position.play_random(&mut rng).expect("no fault") || position.is_over() {
                    break;
                }
            }
        }
    }
    assert!(found > 5, "{found}");
}

/// On a wide board each move is met by few games. What the enemy wins by at once is seen all the same.
#[test]
fn a_row_of_four_is_blocked_on_a_wide_board() {
    let mut position = shipped("pente").start(0).expect("it begins");
    for made in ["k10", "a1", "o14", "b1", "f15", "c1", "p5", "d1"] {
        position.play_text(made).expect("legal");
    }
    for seed in 0..3 {
        let mut search = Mcts::new(position.clone(), Options { seed, ..Options::default() });
        search.search(|progress| progress.playouts < 1000).expect("no fault");
        assert_eq!(search.best().map(|best| best.to_string()).as_deref(), Some("e1"));
        let lost = search.analysis().lines.iter().filter(|line| line.proven == Some(0.0)).count();
        assert!(lost > 300, "{lost}");
        // The tree behind a move that loses has no moves yet; it finds the one that wins all the same.
        let mistake = search.analysis().lines.into_iter().find(|line| line.proven == Some(0.0)).expect("there is one");
        search.play(&mistake.first).expect("legal");
        search.search(|progress| progress.playouts < 1000).expect("no fault");
        assert_eq!(
            (search.best().map(|best| best.to_string()).as_deref(), search.analysis().proven),
            (Some("e1"), Some(1.0))
        );
    }
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

/// Tic-tac-toe has 5478 positions; a tree whose ways never meet has more.
#[test]
fn a_position_that_several_ways_lead_to_stands_in_the_tree_once() {
    let mut position = tic_tac_toe().start(0).expect("it begins");
    position.play_moves(["b2", "b3"]).expect("legal");
    let nodes = |transpositions| {
        let options = Options { seed: 3, games: 1, leaves: 1, transpositions, ..Options::default() };
        let mut search = Mcts::new(position.clone(), options);
        search.search(|progress| progress.playouts < 3000).expect("no fault");
        search.progress()
    };
    let (once, each) = (nodes(true), nodes(false));
    assert!(once.nodes < each.nodes, "{once:?} {each:?}");
    // Behind a move the shared positions are kept, and go on to be shared.
    let options = Options { transpositions: true, ..Options::default() };
    let mut search = Mcts::new(tic_tac_toe().start(0).expect("it begins"), options);
    for _ in 0..3 {
        search.search(|progress| progress.playouts < 20_000).expect("no fault");
        assert!(search.progress().nodes <= 5478, "{:?}", search.progress());
        let best = search.best().expect("there is one");
        search.play(&best).expect("legal");
    }
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
        _ => 0,
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
                Value::Win(_) | Value::Won => 0,
                Value::Draw | Value::Endless | Value::Unknown => 1,
                Value::Loss(_) | Value::Lost => 2,
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

fn tic_tac_toe() -> Game {
    Game::from_source(include_str!("../../tests/games/beyond/tic_tac_toe.rules")).expect("it loads")
}

fn looking_ahead(game: &Game, seed: u64) -> AlphaBeta {
    let options = AlphaBetaOptions { seed, memory: 1 << 20, lines: 1 };
    AlphaBeta::new(game, None, options).expect("a game for two without chance")
}

#[test]
fn what_is_seen_to_the_end_is_what_full_enumeration_finds() {
    let mut rng = <rand_xoshiro::Xoshiro256PlusPlus as rand::SeedableRng>::seed_from_u64(6);
    let mut met = [0; 3];
    for (game, turns) in [(tic_tac_toe(), 3), (small_breakthrough(), 5)] {
        let mut ahead = looking_ahead(&game, 1);
        for _ in 0..15 {
            let mut position = game.start(0).expect("it begins");
            for _ in 0..turns {
                position.play_random(&mut rng).expect("no fault");
            }
            if position.is_over() || position.legal_moves().expect("no fault").len() > 8 {
                continue;
            }
            let found = ahead.search(&position, 14, |_| true, |_| ()).expect("no fault");
            let expected = full(&mut position);
            let best = &found.lines[0];
            match expected {
                Value::Win(_) => assert_eq!(best.proven, Some(1.0), "{position}"),
                Value::Loss(_) => assert_eq!(best.proven, Some(0.0), "{position}"),
                _ => assert_eq!(best.proven, None, "{position}"),
            }
            let chooser = position.choosing();
            position.play(&best.first).expect("legal");
            let behind = full(&mut position).before(position.choosing() != chooser);
            assert_eq!(behind.payoff(), expected.payoff(), "{position}");
            met[(expected.payoff().expect("it is known") * 2.0) as usize] += 1;
        }
    }
    assert!(met.iter().all(|count| *count > 0), "{met:?}");
}

#[test]
fn looking_ahead_repeats_by_its_seed_and_stops_when_told() {
    let game = shipped("breakthrough");
    let position = game.start(0).expect("it begins");
    let think = |seed: u64, nodes: u64| {
        let mut ahead = looking_ahead(&game, seed);
        let found = ahead.search(&position, 20, |ahead| ahead.nodes < nodes, |_| ()).expect("no fault");
        (found.lines[0].moves.clone(), found.lines[0].value.to_bits(), found.progress.nodes)
    };
    assert_eq!(think(1, 600), think(1, 600));
    let first_moves: std::collections::HashSet<_> = (0..16).map(|seed| think(seed, 1).0[0].clone()).collect();
    assert!(first_moves.len() > 1, "{first_moves:?}");
    assert!(think(1, 600).2 < 2000);
    // Even who may not think at all has a move.
    let found = looking_ahead(&game, 0).search(&position, 20, |_| false, |_| ()).expect("no fault");
    assert_eq!((found.lines.len(), found.depth), (1, Some(1)));
}

#[test]
fn lines_that_are_asked_for_have_values_of_their_own() {
    let game = shipped("breakthrough");
    let position = game.position("8/W7/8/3B4/8/8/6B1/8 White").expect("it is one");
    let options = AlphaBetaOptions { seed: 1, memory: 1 << 20, lines: 3 };
    let mut ahead = AlphaBeta::new(&game, None, options).expect("no fault");
    let found = ahead.search(&position, 3, |_| true, |_| ()).expect("no fault");
    assert_eq!(found.proven, Some(1.0));
    // All three moves of the man win at once or stay: two reach the last row.
    let proven: Vec<_> = found.lines.iter().map(|line| line.proven).collect();
    assert_eq!(&proven[..2], [Some(1.0), Some(1.0)], "{:?}", found.lines);
}

#[test]
fn games_of_chance_and_of_more_players_are_not_looked_ahead_in() {
    let wager = Game::from_source(WAGER).expect("it loads");
    assert!(!AlphaBeta::knows(&wager) && !AlphaBeta::knows(&shipped("focus:for four")));
    assert!(AlphaBeta::new(&wager, None, AlphaBetaOptions::default()).is_err());
}

fn all_of(position: &Position) -> Retrograde {
    Retrograde::new(position, 1 << 30, |_| true).expect("no fault").expect("it is small")
}

/// 5478 positions, the ends included, is the published number, and 765 but for symmetry; a draw is the published value.
#[test]
fn all_positions_of_tic_tac_toe_are_listed_and_it_is_a_draw() {
    let game = tic_tac_toe();
    let start = game.start(0).expect("it begins");
    let (all, mut known) = (all_of(&start), HashMap::new());
    full_once(&mut start.clone(), &mut known);
    assert_eq!((known.len(), all.positions(), all.symmetries()), (5478, 765, 8));
    assert_eq!(all.value(&start), Some(Value::Draw));
}

/// The same as [`full`], each position once.
fn full_once(position: &mut Position, known: &mut HashMap<u128, Value>) -> Value {
    if let Some(value) = known.get(&position.key()) {
        return *value;
    }
    let moves = if position.is_over() { Vec::new() } else { position.legal_moves().expect("no fault") };
    let mut values = Vec::new();
    for one in moves {
        let chooser = position.choosing();
        position.play(&one).expect("legal");
        let behind = full_once(position, known);
        values.push(behind.before(position.choosing() != chooser));
        position.undo();
    }
    let value = values.into_iter().max_by_key(|value| value.rank()).unwrap_or_else(|| full(position));
    known.insert(position.key(), value);
    value
}

/// 1000 positions of ten games: by full enumeration, backward from the ends, and by the tree search where it proves them;
/// some by both searches of the solver.
#[test]
fn values_by_five_methods_agree() {
    let mut rng = <rand_xoshiro::Xoshiro256PlusPlus as rand::SeedableRng>::seed_from_u64(5);
    let (mut looked, mut proven_by_tree, mut met) = (0, 0, [0; 3]);
    for (name, rules, turns) in small_games() {
        let game = Game::from_source(&rules).unwrap_or_else(|error| panic!("{name}: {error}"));
        let all = all_of(&game.start(0).expect("it begins"));
        let mut known = HashMap::new();
        let mut solver = Solver::new(&game.start(0).expect("it begins"), 1 << 24);
        // The least table, so that entries make room for others.
        let mut proofs = ProofSearch::new(&game, 0);
        for number in 0..100 {
            let mut position = game.start(0).expect("it begins");
            for _ in 0..turns + number % 3 {
                position.play_random(&mut rng).expect("no fault");
            }
            let value = full_once(&mut position, &mut known);
            assert_eq!(all.value(&position), Some(value), "{name}: {position}");
            if !position.is_over() {
                let mut search =
                    Mcts::new(position.clone(), Options { seed: number.into(), games: 1, ..Options::default() });
                search.search(|progress| progress.playouts < 300).expect("no fault");
                if let Some(found) = search.analysis().proven {
                    assert_eq!(Some(found), value.payoff(), "{name}: {position}");
                    proven_by_tree += 1;
                }
            }
            if number % 10 == 0 {
                let solution = solver.solve(&position, |_, _| true).expect("no fault");
                assert_eq!(solution.value, value, "{name}: {position}");
                let proven = proofs.solve(&position, |_| true).expect("no fault");
                assert_eq!(proven.value.payoff(), value.payoff(), "{name}: {position}");
                for (made, found) in proven.moves.iter().filter(|(_, found)| *found != Value::Unknown) {
                    let mut behind = position.clone();
                    behind.play(made).expect("legal");
                    let expected = full_once(&mut behind, &mut known).before(behind.choosing() != position.choosing());
                    assert_eq!(found.payoff(), expected.payoff(), "{name}: {made} of {position}");
                }
                // The table of the positions before tells no wrong lengths.
                for (made, found) in solution.moves.iter().filter(|(_, found)| *found != Value::Unknown) {
                    let (mut behind, chooser) = (position.clone(), position.choosing());
                    behind.play(made).expect("legal");
                    let expected = full_once(&mut behind, &mut known).before(behind.choosing() != chooser);
                    assert_eq!(*found, expected, "{name}: {made} of {position}");
                }
            }
            looked += 1;
            met[(value.payoff().expect("it is known") * 2.0) as usize] += 1;
        }
    }
    assert_eq!(looked, 1000);
    assert!(proven_by_tree > 500, "{proven_by_tree}");
    assert!(met.iter().all(|count| *count > 50), "{met:?}");
}

/// Ten games that end soon, and turns behind which they are looked at.
fn small_games() -> Vec<(&'static str, String, u32)> {
    let stones = |board: &str, takes: &str, end: &str| {
        format!(
            "game \"T\" {{ players White, Black  board square {board}  piece stone  \
             move {{ pick c from empty   place stone on c {takes} }}  end {{ {end} }} }}"
        )
    };
    let extends = |board: &str| {
        format!(
            "game \"T\" extends \"Breakthrough\" {{ board square {board}  setup {{ place man on row 1  mirror }} }}"
        )
    };
    let draw = "draw if no empty";
    vec![
        ("Tic-tac-toe", include_str!("../../tests/games/beyond/tic_tac_toe.rules").to_string(), 3),
        ("Breakthrough 3x3", extends("3 by 3"), 0),
        ("Breakthrough 2x4", extends("2 by 4"), 0),
        ("Two in a row lose", stones("3 by 2", "", &format!("lose if some segments(own, straight, 2)  {draw}")), 1),
        ("Three in a row lose", stones("3 by 3", "", &format!("lose if some segments(own, straight, 3)  {draw}")), 4),
        ("Two in a row win", stones("2 by 2", "", &format!("win if some segments(own, diagonal, 2)  {draw}")), 0),
        ("Three along", stones("3 by 3", "", &format!("win if some segments(own, orthogonal, 3)  {draw}")), 4),
        ("Most groups", stones("3 by 2", "", "highest count(groups(own)) wins if no empty"), 1),
        ("Bridge", stones("3 by 3", "", &format!("win if connects(own, file 1, file 3)  {draw}")), 4),
        ("Few groups", stones("3 by 2", "", "highest 9 - count(groups(own)) wins if no empty"), 0),
    ]
}

/// Two kings that walk for ever unless one is caught; nobody has to let himself be caught.
#[test]
fn play_that_goes_round_is_a_draw_and_is_told() {
    let rules = r#"game "Round" {
      players White, Black
      board square 3 by 3
      piece king { move straight: ^ to landing }
      setup { place White king on a1   place Black king on c3 }
      move { pick p from own   move p }
      end { win if no enemy }
    }"#;
    let game = Game::from_source(rules).unwrap_or_else(|error| panic!("{error}"));
    let position = game.start(0).expect("it begins");
    let all = all_of(&position);
    assert_eq!(all.value(&position), Some(Value::Endless));
    let solution = all.solution(&position).expect("no fault").expect("it is the first");
    // Beside the other king one is caught at once.
    assert!(solution.moves.iter().any(|(_, value)| *value == Value::Loss(2)), "{:?}", solution.moves);
    let line = all.line(&position, 40).expect("no fault");
    assert!(line.len() < 40 && line.len() > 2, "{line:?}");
    // Going round proves nothing, for either player.
    let mut proofs = ProofSearch::new(&game, 1 << 20);
    assert_eq!(proofs.solve(&position, |_| true).expect("no fault").value, Value::Unknown);
    let (lost, _) = solution.moves.iter().find(|(_, value)| *value == Value::Loss(2)).expect("there is one");
    let mut behind = position.clone();
    behind.play(lost).expect("legal");
    assert_eq!(proofs.solve(&behind, |_| true).expect("no fault").value, Value::Won);
    assert!(Retrograde::new(&position, 100, |_| true).expect("no fault").is_none());
    assert!(Retrograde::new(&position, 1 << 30, |_| false).expect("no fault").is_none());
}

#[test]
fn weights_stay_with_those_that_the_rules_suggest_where_games_say_little() {
    let game = Game::shipped("breakthrough:5x5").expect("it is shipped");
    let samples: Vec<_> = (0..6).flat_map(|seed| tune::self_play(&game, None, seed, 60).expect("no fault")).collect();
    let evaluation = Evaluation::new(&game, None).expect("no fault");
    let suggested = |name: &str| {
        let at = evaluation.names().iter().position(|known| known == name).expect("a feature");
        f64::from(evaluation.weights()[at])
    };
    let ratios = |games: u64| -> Vec<f64> {
        let found = tune::fit(&game, &samples, games, 1).expect("no fault");
        let ratio =
            |(name, values): &(String, Vec<f64>)| Some(values[0] / suggested(name)).filter(|ratio| ratio.is_finite());
        found.values.iter().filter_map(ratio).collect()
    };
    let spread = |ratios: &[f64]| {
        let (least, most) = ratios.iter().fold((f64::MAX, f64::MIN), |(a, b), ratio| (a.min(*ratio), b.max(*ratio)));
        (most - least) / most.abs()
    };
    let (few, many) = (ratios(1), ratios(100_000));
    assert!(few.len() > 2 && spread(&few) < 0.1, "{few:?}");
    assert!(spread(&many) > 0.5, "{many:?}");
    // Phases differ by what the games say of each, and not where they say little.
    let differs = |games: u64| {
        let found = tune::fit(&game, &samples, games, 3).expect("no fault");
        assert_eq!(found.phases, 3);
        let (_, values) = found.values.iter().find(|(name, _)| name == "material man").expect("it has weights");
        spread(values)
    };
    assert!(differs(1) < 0.05 && differs(100_000) > 0.1, "{} {}", differs(1), differs(100_000));
}

/// Positions that a symmetry makes of each other count as one, and have the values that they had alone.
#[test]
fn symmetries_are_those_of_the_rules() {
    for (name, count) in [("nine_mens_morris", 16), ("othello", 8), ("fanorona", 4), ("breakthrough", 2), ("chess", 1)]
    {
        let game = Game::shipped(name).expect("it is shipped");
        assert_eq!(crate::player::symmetry::Symmetries::of(&game).count(), count, "{name}");
    }
    let rules = |asks: &str| {
        let text = format!(
            "game \"Tic\" {{ players X, O  board square 3 by 3  piece stone
            move {{ pick c from empty {asks}  place stone on c }}
            end {{ win if some segments(own, straight, 3)  draw if stuck(enemy) }} }}"
        );
        Game::from_source(&text).expect("it loads")
    };
    // Fixed cells leave those symmetries that keep them: here one diagonal stays.
    for (asks, symmetries) in [
        ("", 8),
        ("and not a1", 2),
        ("and (rank 1 or rank 3)", 4),
        ("where rank of it > 1", 2),
        ("and not nth(empty, 2)", 1),
    ] {
        let game = rules(asks);
        let start = game.start(0).expect("it begins");
        let (all, mut known) = (all_of(&start), HashMap::new());
        full_once(&mut start.clone(), &mut known);
        assert_eq!(all.symmetries(), symmetries, "{asks}");
        assert!(all.positions() * symmetries >= known.len() && all.positions() <= known.len(), "{asks}");
        assert!(symmetries == 1 || all.positions() < known.len(), "{asks}");
        assert_eq!(all.tally().iter().sum::<usize>(), all.positions());
        // Every position behind two moves has the value that it has alone.
        for one in start.legal_moves().expect("no fault") {
            let mut position = start.clone();
            position.play(&one).expect("legal");
            for other in position.legal_moves().expect("no fault") {
                let mut behind = position.clone();
                behind.play(&other).expect("legal");
                assert_eq!(all.value(&behind), known.get(&behind.key()).copied(), "{asks} {behind}");
            }
        }
    }
}

/// Of a player who goes ahead the two sides are alike, and front and back are not.
#[test]
fn players_who_go_ahead_have_two_sides_alike() {
    let rules = "game \"Race\" { players White north, Black south  board square 3 by 4
        piece man { move forward: step  move ahead diagonal: ^ to landing }
        setup { place man on row 1  mirror }
        move { pick p from own  move p }
        end { win if some own in last row  win if no enemy  win if stuck(enemy) } }";
    let game = Game::from_source(rules).unwrap_or_else(|error| panic!("{error}"));
    let start = game.start(0).expect("it begins");
    let (all, mut known) = (all_of(&start), HashMap::new());
    full_once(&mut start.clone(), &mut known);
    assert_eq!(all.symmetries(), 2);
    assert!(all.positions() * 2 >= known.len() && all.positions() < known.len(), "{}", all.positions());
    let symmetries = crate::player::symmetry::Symmetries::of(&game);
    let mut proofs = ProofSearch::new(&game, 1 << 16);
    let mut rng = <rand_xoshiro::Xoshiro256PlusPlus as rand::SeedableRng>::seed_from_u64(3);
    for number in 0..200 {
        let mut position = start.clone();
        for _ in 0..number % 6 {
            position.play_random(&mut rng).expect("no fault");
        }
        let text = position.to_string();
        let (ranks, mover) = text.split_once(' ').expect("ranks, and who moves");
        let mirrored: Vec<String> = ranks.split('/').map(|rank| rank.chars().rev().collect()).collect();
        let mirrored = game.position(&format!("{} {mover}", mirrored.join("/"))).expect("it is one");
        assert_eq!(symmetries.key(&position), symmetries.key(&mirrored), "{position}");
        let own = position.registers().expect("it has a plan");
        assert_eq!(own.key_with(&own.sets, 1), position.key(), "{position}");
        let value = known[&position.key()];
        assert_eq!(all.value(&position), Some(value), "{position}");
        let proven = proofs.solve(&position, |_| true).expect("no fault").value;
        assert_eq!(proven.payoff(), value.payoff(), "{position}");
    }
}

/// Positions whose moves have not been listed are kept as texts where there are many.
#[test]
fn positions_are_kept_as_texts_where_they_are_many() {
    let game = Game::shipped("othello:Othello 4x4").expect("it is shipped");
    let position = game.start(0).expect("it begins");
    let all = all_of(&position);
    assert_eq!(all.value(&position), Some(Value::Loss(12)));
    assert!(all.symmetries() == 8 && all.positions() < 62_789 / 4, "{}", all.positions());
}
