//! Perft numbers of the first games, where they are too deep for their examples. They name their source; "reference" is a small independent implementation of the rules texts in Python, written for that purpose
//! alone.

use crate::common::{game, lot, thorough};
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

#[test]
fn breakthrough_perft() {
    // Reference.
    perft("breakthrough", &[22, 484, 11_132, 256_036]);
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
fn pente_perft() {
    // 361 points, then 360: nobody can catch or win yet. In the tournament the third stone has the
    // 336 points outside the central 25.
    perft("pente", &[361, 361 * 360]);
    perft("pente:tournament pente", &[1, 360, 24 * 336 + 336 * 335]);
}

#[test]
fn kitaran_perft() {
    // Reference.
    perft("kitaran size=4", &[16, 240, 3_360, 44_248]);
    perft("kitaran", &[25, 600, 13_800, 305_252]);
}

#[test]
fn fanorona_perft() {
    // Reference; turn sequences with the choices of capture.
    perft("fanorona", &[5, 39, 724, 18_026]);
    perft("fanorona:dimyand", &[5, 21, 202, 3_469]);
    perft("fanorona:telo", &[4, 7, 14, 67]);
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
fn amazons_second_ply() {
    // Published: 4 307 152, for example in the Amazons literature on perft.
    assert_eq!(game("amazons").start(0).unwrap().perft(2).unwrap(), 4_307_152);
}

#[test]
fn croda_perft() {
    // Reference; 3 624 616 at depth 5.
    perft("croda", &[22, 484, 10_494, 194_440]);
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
