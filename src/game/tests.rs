//! Tests of the library's front: long pasts, shared pasts, moves of other positions, threads.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::{Cell, CellSet, Dir, Kind};
use crate::game::{Error, Game, Rollouts};
use crate::notation::{order, order_key};
use crate::position::Written;

/// Moves written alike are told apart by what they catch, and each text means its move, whichever executor lists them.
#[test]
fn a_text_that_tells_what_is_caught_means_its_move() {
    let text = r#"game "Alike" {
      players White, Black  board square 3 by 4, lines orthogonal
      piece man { move orthogonal: ^ to <enemy> }
      setup { place White man on a4 b4 b3  place Black man on c1 c2 c3 c4 a3 b2 }
      move { pick p from own  let seen = p
        repeat silently { move p  need p not in seen and count(seen) < 3  set seen = seen or p } }
      end { draw if turns > 4 or stuck(enemy) }
    }"#;
    let game = Game::from_source(text).unwrap();
    for game in [game.without_plan(), game] {
        let position = game.start(0).unwrap();
        let moves = position.legal_moves().unwrap();
        let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        assert!(texts.iter().any(|text| text.ends_with(')')), "{texts:?}");
        for (one, text) in moves.iter().zip(&texts) {
            assert_eq!(position.find_move(text).unwrap().id(), one.id(), "{text}");
            let eased = text.replace('x', " ");
            assert_eq!(position.find_move(&eased).unwrap().id(), one.id(), "{eased}");
        }
    }
}

fn shipped(name: &str) -> Game {
    Game::shipped(name).expect("it is shipped")
}

fn assert_thread_safe<T: Send + Sync + 'static>() {}

#[test]
fn games_positions_and_moves_go_between_threads() {
    assert_thread_safe::<crate::Game>();
    assert_thread_safe::<crate::Position>();
    assert_thread_safe::<crate::Move>();
}

#[test]
fn a_very_long_past_is_dropped_without_a_call_for_each_turn() {
    let game = Game::from_source(
        r#"game "Walk" { players White, Black  board square 2 by 2  piece man
             setup { place man on a1  place Black man on b2 }
             move { pick p from own  move p straight: step }  end { win if no enemy } }"#,
    )
    .expect("it loads");
    assert!(game.is_planned());
    let mut position = game.start(0).expect("it begins");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..200_000 {
        assert!(position.play_random(&mut rng).expect("no fault"));
    }
    assert_eq!(position.state().turns(), 200_000);
    drop(position);
}

#[test]
fn copies_share_a_past_and_go_their_own_ways() {
    let game = shipped("breakthrough");
    let mut one = game.start(0).expect("it begins");
    one.play_text("a2-a3").expect("legal");
    let mut other = one.clone();
    one.play_text("a7-a6").expect("legal");
    other.play_text("h7-h6").expect("legal");
    assert_ne!(one.key(), other.key());
    assert!(one.undo() && other.undo());
    assert_eq!((one.key(), one.to_string()), (other.key(), other.to_string()));
    assert!(one.undo() && !one.undo());
    assert_eq!(one.key(), game.start(0).expect("it begins").key());
}

#[test]
fn a_move_of_another_position_is_played_if_it_fits_and_refused_if_not() {
    for game in [shipped("breakthrough"), shipped("breakthrough").without_plan()] {
        let mut position = game.start(0).expect("it begins");
        let first = position.legal_moves().expect("no fault").swap_remove(0);
        let mut again = shipped("breakthrough").start(0).expect("it begins");
        again.play(&first).expect("it fits");
        position.play(&first).expect("legal");
        assert_eq!(position.to_string(), again.to_string());
        let before = again.to_string();
        assert!(matches!(again.play(&first), Err(Error::NotAMove)), "{before}");
        assert_eq!(again.to_string(), before);
    }
}

#[test]
fn a_pass_that_was_left_out_is_taken_back_with_the_move() {
    for game in [shipped("othello"), shipped("othello").without_plan()] {
        let mut position = game.position("BW6/8/8/8/8/8/8/1WBBBBBB White").expect("it is one");
        let before = position.to_string();
        position.play_text("a1").expect("behind a pass");
        assert!(position.undo());
        assert_eq!(position.to_string(), before);
        assert!(!position.undo());
        assert!(position.play_text("h8").is_err());
        assert_eq!(position.to_string(), before);
    }
}

#[test]
fn history_follows_whichever_position_is_asked() {
    // The third time that a position stands is a draw: each copy has a past of its own.
    let game = shipped("chess");
    let there_and_back = ["b1-c3", "b8-c6", "c3-b1", "c6-b8"];
    let mut long = game.start(0).expect("it begins");
    long.play_moves(there_and_back).expect("legal");
    let mut short = game.start(0).expect("it begins");
    for text in ["g1-f3", "g8-f6", "f3-g1", "f6-g8"] {
        short.play_text(text).expect("legal");
        // Asked in turns, the two share what plays them.
        assert_eq!(long.legal_moves().expect("no fault").len(), 20);
    }
    assert!(!long.is_over() && !short.is_over());
    long.play_moves(there_and_back).expect("legal");
    assert!(long.is_over(), "{long}");
    assert_eq!(long.state().history().len(), 9);
    assert!(!short.is_over());
    long.undo();
    assert!(!long.is_over());
}

#[test]
fn rollouts_are_the_same_in_lock_step_and_alone() {
    let how = Rollouts { games: 50, seed: 3, max_turns: 400 };
    for name in ["breakthrough", "othello", "chess"] {
        let game = shipped(name);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut position = game.start(0).expect("it begins");
        let mut positions = Vec::new();
        for _ in 0..5 {
            position.play_random(&mut rng).expect("no fault");
            positions.push(position.clone());
        }
        let together = game.rollouts(&positions, &how).expect("no fault");
        // Positions of a game that was loaded again go one by one.
        let other = shipped(name);
        let alone = other.rollouts(&positions, &how).expect("no fault");
        assert_eq!(together, alone, "{name}");
        assert!(together.iter().all(|tally| tally.games == 50 && tally.points.len() == 2), "{name}");
    }
}

/// Where turns fall into plies, random games that a plan plays turn by turn are as long as those that are drawn ply by ply.
#[test]
fn random_games_of_plies_are_played_by_the_plan() {
    let game = shipped("frenzy");
    assert!(game.model().asks.plies && game.is_planned());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut begun = game.start(0).expect("it begins");
    begun.play_random(&mut rng).expect("no fault");
    let mean = |lengths: &[f64]| lengths.iter().sum::<f64>() / lengths.len() as f64;
    let by_plan: Vec<f64> = (0..400).map(|_| begun.playout(&mut rng, 200).expect("no fault").turns as f64).collect();
    let by_plies: Vec<f64> = (0..20)
        .map(|_| {
            let (mut position, mut turns) = (begun.clone(), 0);
            while !position.is_over() {
                turns += u32::from(position.play_drawn(&mut rng).expect("no fault").expect("a move"));
            }
            f64::from(turns)
        })
        .collect();
    let (one, other) = (mean(&by_plan), mean(&by_plies));
    let spread = by_plan.iter().map(|length| (length - one).powi(2)).sum::<f64>() / by_plan.len() as f64;
    // Four standard errors of the fewer games.
    assert!((one - other).abs() < 4.0 * (spread / by_plies.len() as f64).sqrt(), "{one} and {other}");
    assert!(spread > 0.0);
}

#[test]
fn keys_of_moves_follow_their_order() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let far = [i64::MIN, -(1 << 23) - 1, -(1 << 23), -1, 0, 1, (1 << 23) - 1, 1 << 23, i64::MAX - 1, i64::MAX];
    let cells = |rng: &mut Xoshiro256PlusPlus| {
        (0..rng.random_range(0..3)).map(|_| Cell(rng.random_range(0..4))).collect::<CellSet>()
    };
    let mut moves: Vec<Vec<Written>> = Vec::new();
    for _ in 0..1500 {
        let count = rng.random_range(0..6);
        let mut choice = || match rng.random_range(0..14) {
            0..3 => Written::Cell(Cell(rng.random_range(0..3))),
            3..5 => Written::Landing {
                cell: Cell(rng.random_range(0..2)),
                captures: rng.random(),
                sign: [None, None, Some('+'), Some('=')][rng.random_range(0..4)],
            },
            5 => Written::Combination(Box::new(cells(&mut rng))),
            6 => Written::Group(Box::new(cells(&mut rng))),
            7..9 => Written::Number(far[rng.random_range(0..far.len())]),
            9 => Written::Dir(Dir([0, 1, u16::MAX][rng.random_range(0..3)])),
            10 => Written::Kind(Kind(rng.random_range(0..2))),
            11 => Written::Label([0, u16::MAX][rng.random_range(0..2)]),
            12 => Written::Chance(Box::new(Written::Number(far[rng.random_range(0..far.len())]))),
            _ => [Written::Pass, Written::Swap, Written::Stop][rng.random_range(0..3)].clone(),
        };
        moves.push((0..count).map(|_| choice()).collect());
    }
    let (mut told, mut tied) = (0, 0);
    for one in &moves {
        for other in &moves {
            let by_keys = order_key(one).cmp(&order_key(other));
            tied += u32::from(by_keys.is_eq());
            told += u32::from(by_keys.is_ne());
            assert!(by_keys.is_eq() || by_keys == order(one, other), "{one:?} {other:?}");
        }
    }
    assert!(told > 1_000_000 && tied > 10_000, "{told} told apart, {tied} tied");
}
