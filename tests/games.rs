//! The positions and perft numbers of the first games. Perft numbers name their source; "reference"
//! is a small independent implementation of the rules texts in Python, written for that purpose
//! alone.

use crate::common::{at, ends, game, legal, lot, plays, thorough};
use lusoria::Game;

/// Whole turns to each depth from the start.
pub fn perft(name: &str, counts: &[u64]) {
    let game = game(name);
    for (depth, count) in (1..).zip(counts) {
        let start = game.start(0).unwrap();
        assert_eq!(start.perft(depth).unwrap(), *count, "{name} at depth {depth}");
    }
}

/// All counts, or all but the deepest where that takes long.
fn but_deepest(counts: &[u64]) -> &[u64] {
    if thorough() { counts } else { &counts[..counts.len() - 1] }
}

/// The legal moves, in any order.
pub fn has_moves(game: &Game, men: &str, to_move: &str, moves: &str) {
    let mut expected: Vec<_> = moves.split_whitespace().map(str::to_string).collect();
    expected.sort();
    assert_eq!(legal(&mut at(game, men, to_move)), expected, "{men}, {to_move} to move");
}

#[test]
fn breakthrough_perft() {
    // Reference.
    perft("breakthrough", &[22, 484, 11_132, 256_036]);
}

#[test]
fn breakthrough_captures_are_diagonal_only() {
    let game = game("breakthrough");
    has_moves(&game, "W d4 e4, B d5 e5", "White", "d4-c5 d4xe5 e4xd5 e4-f5");
    has_moves(&game, "W a2, B a3 h8", "White", "a2-b3");
    has_moves(&game, "W g7, B f8 g8", "White", "g7xf8 g7-h8");
    ends(&game, "W g7, B f8 g8", "White", "g7xf8", "White");
    ends(&game, "W g7, B f8 g8", "White", "g7-h8", "White");
    ends(&game, "W d4, B e5", "White", "d4xe5", "White");
}

#[test]
fn othello_perft() {
    // Published values, for example Fairy-Stockfish's `flipello`.
    perft("othello", &[4, 12, 56, 244, 1_396, 8_200, 55_092]);
}

#[test]
fn reversi_perft() {
    // Fairy-Stockfish's `flipersi`: 38 208 at depth 9; the others from the reference.
    perft("othello:reversi", &[4, 12, 24, 24, 96, 320, 1_536, 6_624, 38_208]);
}

#[test]
fn othello_flips() {
    let game = game("othello");
    has_moves(&game, "W d4 e5, B d5 e4", "Black", "c4 d3 e6 f5");
    plays(&game, "W d4 e5, B d5 e4", "Black", "c4", "W e5, B c4 d4 d5 e4");
    has_moves(&game, "W e5, B c4 d4 d5 e4", "White", "c3 c5 e3");
    has_moves(&game, "B d4 d5, W e4 e5", "Black", "f3 f4 f5 f6");
    let men = "B b3 b5 c3 d7 e4 f5 g2, W c4 c5 d4 d5 d6 e3 e5 e6 f3 f6";
    has_moves(&game, men, "Black", "b4 c6 d3 e2 e7 f7 g7");
    plays(&game, men, "Black", "d3", "B b3 b5 c3 d3 c4 d4 d5 d6 d7 e4 f5 g2, W c5 e3 e5 e6 f3 f6");
    plays(&game, men, "Black", "f7", "B b3 b5 c3 c4 d5 d7 e4 e6 f5 f6 f7 g2, W c5 d4 d6 e3 e5 f3");
    plays(&game, men, "Black", "g7", "B b3 b5 c3 d4 d7 e4 e5 f5 f6 g2 g7, W c4 c5 d5 d6 e3 e6 f3");
}

#[test]
fn othello_passes_and_ends() {
    let game = game("othello");
    has_moves(&game, "B a1, W b1 c1", "White", "pass");
    has_moves(&game, "B a1, W b1 c1", "Black", "d1");
    ends(&game, "B a1, W b1 c1", "Black", "d1", "Black");
    let mut position = game.start(0).unwrap();
    for text in "e6 f4 e3 f6 g5 d6 e7 f5 c5".split(' ') {
        assert!(position.outcome().is_none());
        position.play_text(text).unwrap();
    }
    assert_eq!(position.outcome().unwrap().winners, ["Black"]);
    assert_eq!(position.to_string().matches('B').count(), 13);
}

#[test]
fn reversi_fills_the_centre_first() {
    let game = game("othello:reversi");
    let mut position = game.start(0).unwrap();
    assert_eq!(legal(&mut position), ["d4", "d5", "e4", "e5"]);
    for text in ["d4", "e4", "d5", "e5"] {
        position.play_text(text).unwrap();
    }
    assert_eq!(legal(&mut position), ["f3", "f4", "f5", "f6"]);
}

#[test]
fn pente_perft() {
    // 361 points, then 360: nobody can catch or win yet. In the tournament the third stone has the
    // 336 points outside the central 25.
    perft("pente", &[361, 361 * 360]);
    perft("pente:tournament pente", &[1, 360, 24 * 336 + 336 * 335]);
}

#[test]
fn pente_captures_pairs_in_all_directions_at_once() {
    let game = game("pente");
    plays(&game, "B m10 m13, W k10 l10 k11 l12", "Black", "j10", "B j10 m10 m13");
    plays(&game, "B f5 i8, W h7", "White", "g6", "B f5 i8, W h7 g6");
    plays(&game, "B j10 m10, W k10", "White", "l10", "B j10 m10, W k10 l10");
    plays(&game, "B n10 m13, W k10 l10 m10 k11 l12", "Black", "j10", "B j10 n10 m13, W k10 l10 m10");
}

#[test]
fn keryo_pente_captures_threes_too() {
    let game = game("pente:keryo-pente");
    plays(&game, "B n10 m13, W k10 l10 m10 k11 l12", "Black", "j10", "B j10 n10 m13");
}

#[test]
fn pente_ends() {
    let game = game("pente");
    ends(&game, "W c3 d3 e3 g3 h3", "White", "f3", "White");
    ends(&game, "W c3 d3 e3 f3", "White", "g3", "White");
    let exact = crate::common::game("pente:exactly five");
    let mut six = at(&exact, "W c3 d3 e3 g3 h3", "White");
    six.play_text("f3").unwrap();
    assert!(six.outcome().is_none());
    // Eight stones are taken; two pairs more make twelve.
    let text = format!("{} White.taken=8", at(&game, "W m10 m13, B k10 l10 k11 l12", "White"));
    let mut position = game.position(&text).unwrap();
    position.play_text("j10").unwrap();
    assert_eq!(position.outcome().unwrap().winners, ["White"]);
}

#[test]
fn tournament_pente_opens_in_the_centre_and_then_outside() {
    let game = game("pente:tournament pente");
    let mut position = game.start(0).unwrap();
    assert_eq!(legal(&mut position), ["j10"]);
    position.play_text("j10").unwrap();
    assert_eq!(legal(&mut position).len(), 360);
    position.play_text("a1").unwrap();
    // 361 points without the central 25 and a1.
    assert_eq!(legal(&mut position).len(), 335);
}

#[test]
fn kitaran_perft() {
    // Reference.
    perft("kitaran size=3", &[9, 72, 504, 3_148]);
    perft("kitaran size=4", &[16, 240, 3_360, 44_248]);
    perft("kitaran", &[25, 600, 13_800, 305_252]);
}

#[test]
fn kitaran_figure() {
    // The author's figure: a white stone threatens, Black defends.
    let game = game("kitaran size=4");
    let start = "B b2, W c2";
    let position = |moves: &[&str]| {
        let mut position = game.position(&format!("{} fresh=c2", at(&game, start, "Black"))).unwrap();
        for text in moves {
            position.play_text(text).unwrap();
        }
        position
    };
    assert_eq!(legal(&mut position(&[])).len(), 14);
    let after_a1 = legal(&mut position(&["a1"]));
    assert_eq!(after_a1.len(), 14);
    assert!(after_a1.contains(&"c2".to_string()));
    let after_c3 = legal(&mut position(&["c3"]));
    assert_eq!(after_c3.len(), 13);
    assert!(!after_c3.contains(&"c2".to_string()));
    let mut flipped = position(&["c3", "a4", "d1", "c2"]);
    assert_eq!(flipped.to_string().split(' ').next(), Some("W3/2W1/1WW1/3B"));
    let replies = legal(&mut flipped);
    assert!(!replies.contains(&"d1".to_string()), "{replies:?}");
}

#[test]
fn kitaran_ends_when_the_board_is_full() {
    let game = game("kitaran size=3");
    ends(&game, "B a1 b1 c1 a2, W b2 c2 a3 b3", "Black", "c3", "Black");
    let komi = crate::common::game("kitaran size=3 komi=1");
    ends(&komi, "B a1 b1 c1 a2, W b2 c2 a3 b3", "Black", "c3", "");
}

#[test]
fn fanorona_perft() {
    // Reference; turn sequences with the choices of capture.
    perft("fanorona", &[5, 39, 724, 18_026]);
    perft("fanorona:dimyand", &[5, 21, 202, 3_469]);
    perft("fanorona:telo", &[4, 7, 14, 67]);
}

#[test]
fn fanorona_openings() {
    assert_eq!(legal(&mut game("fanorona").start(0).unwrap()), ["d2xe3+", "d3xe3+", "d3xe3-", "e2xe3+", "f2xe3+"]);
    assert_eq!(
        legal(&mut game("fanorona:dimyand").start(0).unwrap()),
        ["b2xc3+", "b3xc3+", "b3xc3-", "c2xc3+", "d2xc3+"]
    );
    assert_eq!(legal(&mut game("fanorona:telo").start(0).unwrap()), ["a1xb2+", "b1xb2+", "c1xb2+", "c2xb2+"]);
}

#[test]
fn fanorona_chain_of_the_text() {
    let game = game("fanorona");
    let men = "W d3, R a3 a4 a5 c1 c2 c5 d5 e4 e5";
    let moves = legal(&mut at(&game, men, "White"));
    assert_eq!(moves.len(), 25);
    assert!(!moves.contains(&"d3xd4+xc4-xb4+".to_string()), "the same direction twice");
    plays(&game, men, "White", "d3xd4+xc4-xc3+xb4+", "W b4, R a3 a4 c5 e5");
    plays(&game, men, "White", "d3xd4+xc4-xc3-xb4+xc5-xd5+", "W d5, R a4 c1 c2");
}

#[test]
fn fanorona_approach_and_withdrawal_in_a_row() {
    let game = game("fanorona");
    let men = "R f1, W a1 c1 d1 e1 h1 i1";
    plays(&game, men, "Red", "f1xg1+", "R g1, W a1 c1 d1 e1");
    plays(&game, men, "Red", "f1xg1-", "R g1, W a1 h1 i1");
    has_moves(&game, "R e1 f1, W a1 c1 d1 i1", "Red", "e1-d2 e1-e2 e1-f2 f1-f2 f1-g1");
}

#[test]
fn fanorona_weak_points_have_no_diagonals() {
    let game = game("fanorona");
    has_moves(&game, "W a1, R i5", "White", "a1-a2 a1-b1 a1-b2");
    has_moves(&game, "W b1, R i5", "White", "b1-a1 b1-b2 b1-c1");
}

#[test]
fn mills_perft() {
    // Reference; forced removal agrees with Ludii's Nine Men's Morris.
    perft("nine_mens_morris:forced removal", but_deepest(&[24, 552, 12_144, 255_024]));
    perft("morabaraba:forced removal", but_deepest(&[24, 552, 12_144, 255_024]));
}

#[test]
fn mills_perft_with_optional_removal() {
    // Reference.
    perft("nine_mens_morris", but_deepest(&[24, 552, 12_144, 255_024]));
    perft("morabaraba", but_deepest(&[24, 552, 12_144, 255_024]));
}

#[test]
fn a_mill_takes_a_man_that_stands_in_none() {
    let game = game("nine_mens_morris:forced removal");
    let hand = |men: &str| game.position(&format!("{} White.hand=M5 Black.hand=M5", at(&game, men, "White"))).unwrap();
    let starting_with = |mut position: lusoria::Position, start: &str| {
        legal(&mut position).into_iter().filter(|text| text.starts_with(start)).collect::<Vec<_>>()
    };
    assert_eq!(starting_with(hand("W a4 b4, B a1 d1 g1 g4"), "c4"), ["c4 g4"]);
    assert_eq!(starting_with(hand("W a4 b4, B a1 d1 g1"), "c4"), ["c4 a1", "c4 d1", "c4 g1"]);
    assert_eq!(starting_with(hand("W a1 a7 b4 c4, B d6 e5 f2"), "a4"), ["a4 d6", "a4 e5", "a4 f2"]);
}

#[test]
fn nine_mens_morris_mills_may_be_opened_and_closed_for_ever() {
    let game = game("nine_mens_morris");
    let mut position = at(&game, "W a7 d7 g7 b6 f6, B a1 d1 c5 e3 f2", "White");
    for text in ["d7-d6 c5", "e3-e4"] {
        position.play_text(text).unwrap();
    }
    assert!(legal(&mut position).contains(&"d6-d7 a1".to_string()));
}

#[test]
fn nine_mens_morris_blocked_and_flying() {
    let game = game("nine_mens_morris");
    let blocked = "W a7 d7 g7 a4, B b4 a1 d6 g4";
    ends(&game, &format!("{blocked} f4"), "Black", "f4-f6", "Black");
    let flying = "W a7 d7 g4, B a1 b4 d6 f6";
    let moves = legal(&mut at(&game, flying, "White"));
    let pairs: std::collections::BTreeSet<_> = moves.iter().filter_map(|text| text.split(' ').next()).collect();
    assert_eq!(pairs.len(), 51);
    let mills: Vec<_> = moves.iter().filter(|text| text.starts_with("g4-g7")).collect();
    assert_eq!(mills, ["g4-g7 a1", "g4-g7 b4", "g4-g7 d6", "g4-g7 f6", "g4-g7 pass"]);
    // Black has four men and may not fly; b4-b6 closes a mill.
    let black = "a1-a4 a1-d1 b4-a4 b4-b2 b4-b6 b4-c4 d6-b6 d6-d5 f6-f4";
    let moves = legal(&mut at(&game, flying, "Black"));
    let pairs: std::collections::BTreeSet<_> = moves.iter().filter_map(|text| text.split(' ').next()).collect();
    assert_eq!(pairs.into_iter().collect::<Vec<_>>().join(" "), black);
}

#[test]
fn morabaraba_bars_the_shuttle_between_two_mills() {
    let game = game("morabaraba");
    let men = "W d2 d3 e3 f2 g1 g4, R a1 a4 a7 b2 b6 d6";
    let mut position = at(&game, men, "White");
    let shuttle = legal(&mut position).into_iter().filter(|text| text.starts_with("g1-d1")).collect::<Vec<_>>();
    assert_eq!(shuttle, ["g1-d1 b2", "g1-d1 b6", "g1-d1 d6", "g1-d1 pass"]);
    position.play_text("g1-d1 b6").unwrap();
    let answer = legal(&mut position).into_iter().find(|text| text.starts_with("d6-")).unwrap();
    position.play_text(&answer).unwrap();
    let moves = legal(&mut position);
    assert!(moves.iter().any(|text| text.starts_with("g4-g1")), "{moves:?}");
    assert!(!moves.iter().any(|text| text.starts_with("d1-")), "{moves:?}");
}

#[test]
fn morabaraba_full_board_is_a_draw() {
    // 24 points in rows from the top; one is empty, one man in hand.
    let game = game("morabaraba");
    let board = "WRW/RWR/WRW/RWRWRW/RWR/WRW/RW1";
    let mut position = game.position(&format!("{board} Red Red.hand=M1")).unwrap();
    let last = legal(&mut position).into_iter().find(|text| text == "g1" || text == "g1 pass").unwrap();
    position.play_text(&last).unwrap();
    assert!(position.outcome().unwrap().winners.is_empty());
}

#[test]
fn amazons_turns() {
    let game = game("amazons");
    assert_eq!(game.start(0).unwrap().perft(1).unwrap(), 2_176);
    assert!(legal(&mut game.start(0).unwrap()).contains(&"d1-d7 g7".to_string()));
    // The cell that she leaves is free for the shot.
    let walls = "X a2 b2 c1 c2";
    assert_eq!(legal(&mut at(&game, &format!("A a1, a j10, {walls}"), "White")), ["a1-b1 a1"]);
}

#[test]
fn amazons_second_ply() {
    // Published: 4 307 152, for example in the Amazons literature on perft.
    assert_eq!(game("amazons").start(0).unwrap().perft(2).unwrap(), 4_307_152);
}

#[test]
fn amazons_end_when_the_next_cannot_move() {
    let game = game("amazons");
    ends(&game, "A c3 d1, a a1, X a2 b2", "White", "c3-c1 b1", "White");
}

#[test]
fn croda_perft() {
    // Reference; 3 624 616 at depth 5.
    perft("croda", &[22, 484, 10_494, 194_440]);
}

#[test]
fn croda_captures() {
    let game = game("croda");
    // The coup turc: d3 is caught already, and e1 still covers e2.
    has_moves(&game, "K d5, m d3 e1 e2 f3 h2", "White", "d5xd1xh1xh3xe3");
    plays(&game, "K d5, m d3 e1 e2 f3 h2", "White", "d5xd1xh1xh3xe3", "K e3, m e2");
    has_moves(&game, "M d6 a1, m d7 e8 f7 h4", "White", "d6xd8xf8xf6");
    plays(&game, "M d6 a1, m d7 e8 f7 h4", "White", "d6xd8xf8xf6", "M f6 a1, m h4");
    plays(&game, "M d6 a1, m d7 h4", "White", "d6xd8", "K d8, M a1, m h4");
    has_moves(&game, "M c4, K h1, m c3 b2 d4 h5", "White", "c4xc2xa2");
    has_moves(&game, "M a4, m b4 d4 e5 g8", "White", "a4xc4xe4xe6");
    has_moves(&game, "K a1, m a4 h8", "White", "a1xa5 a1xa6 a1xa7 a1xa8");
    has_moves(&game, "K a1, m a4 c6 h8", "White", "a1xa6xd6 a1xa6xe6 a1xa6xf6 a1xa6xg6 a1xa6xh6");
    has_moves(&game, "K a1, M c1, m a3 a4 h8", "White", "a1-a2 a1-b1 c1-b2 c1-c2 c1-d2");
    let loops = "c4xc7xg7xg4xa4 c4xc7xg7xg4xb4 c4xc7xg7xg4xc4 c4xc7xg7xg4xd4 \
                 c4xg4xg7xc7xc1 c4xg4xg7xc7xc2 c4xg4xg7xc7xc3 c4xg4xg7xc7xc4 c4xg4xg7xc7xc5";
    has_moves(&game, "K c4, m c6 e4 e7 g6", "White", loops);
}

#[test]
fn croda_men_step_ahead_only() {
    let start = "a3-a4 a3-b4 b3-a4 b3-b4 b3-c4 c3-b4 c3-c4 c3-d4 d3-c4 d3-d4 d3-e4 e3-d4 e3-e4 e3-f4 f3-e4 f3-f4 f3-g4 \
                 g3-f4 g3-g4 g3-h4 h3-g4 h3-h4";
    let men = "M a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2 a3 b3 c3 d3 e3 f3 g3 h3, \
               m a6 b6 c6 d6 e6 f6 g6 h6 a7 b7 c7 d7 e7 f7 g7 h7 a8 b8 c8 d8 e8 f8 g8 h8";
    assert_eq!(at(&game("croda"), men, "White").to_string(), game("croda").start(0).unwrap().to_string());
    has_moves(&game("croda"), men, "White", start);
}

#[test]
fn croda_third_standing_draws() {
    let mut position = at(&game("croda"), "K a1, k h7", "White");
    for text in "a1-a2 h7-h8 a2-a1 h8-h7 a1-a2 h7-h8 a2-a1 h8-h7".split(' ') {
        assert!(position.outcome().is_none());
        position.play_text(text).unwrap();
    }
    assert!(position.outcome().unwrap().winners.is_empty());
}

#[test]
fn croda_blocked_loses() {
    let mut position = at(&game("croda"), "M a4, m a5 b5 a6", "White");
    assert!(legal(&mut position).is_empty());
    assert_eq!(position.outcome().unwrap().winners, ["Black"]);
}

/// Nobody has asked for an outcome before the first turn.
#[test]
fn a_game_whose_first_player_is_stuck_is_over() {
    let rules =
        "game \"Stuck\" { players White, Black  board square 3 by 3  piece man  setup { place man on a1  place Black man on c3 }
                   move { pick p from own  move p straight: leap }  end { win if stuck(enemy) } }";
    let game = Game::from_source(rules).unwrap();
    for game in [game.without_plan(), game] {
        let mut position = game.start(0).unwrap();
        assert!(position.legal_moves().unwrap().is_empty());
        let playout = position.playout(&mut lot(1), 10).unwrap();
        assert_eq!((playout.turns, playout.outcome.unwrap().winners), (0, vec!["Black".to_string()]));
        assert!(!position.play_random(&mut lot(1)).unwrap());
    }
}
