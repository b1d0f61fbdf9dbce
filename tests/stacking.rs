//! Dameo, Pilare, Focus, Explocus. "Reference" is a small independent implementation of the rules
//! texts in Python, written for that purpose alone; the lists of moves in
//! `rules/examples` are its own too.

use crate::common::cases::perft;
use crate::common::{at, game, legal, project};

#[test]
fn dameo_perft() {
    // Reference; 6 253 934 at depth 4.
    perft("dameo", &[52, 2_704, 135_930]);
}

#[test]
fn pilare_perft() {
    // Reference; 12 706 032 at depth 4.
    perft("pilare", &[60, 3_546, 213_008]);
}

#[test]
fn pilare_8x8_perft() {
    // Reference; 678 224 at depth 3.
    perft("pilare:8x8", &[88, 7_688]);
}

#[test]
fn pilare_positions_within_a_turn_are_written_drawn_and_read() {
    let mut position = game("pilare").start(0).unwrap();
    ["b1", "b2"].iter().for_each(|text| position.play_text(text).unwrap());
    let text = position.to_string();
    let (board, begun) = text.split_once(' ').unwrap();
    assert_eq!(
        (board, begun),
        (game("pilare").start(0).unwrap().to_string().split(' ').next().unwrap(), "Red : b1-b2")
    );
    let mut again = game("pilare").position(&text).unwrap();
    assert_eq!(again.to_string(), text);
    assert_eq!(legal(&mut again), ["a2", "b3", "c2"]);
    // Drawn as it stands now: the stack of b1 on its way, the lowest man first.
    let drawn = again.drawing(false).unwrap();
    let ranks: Vec<&str> = drawn.lines().map(str::trim_end).filter(|line| line.starts_with(['2', '1'])).collect();
    assert_eq!(ranks, ["2  *R  **R *   *   *   *R", "1  *R  .   *R  *R  *R  *R"]);
}

#[test]
fn focus_positions_hold_stacks_and_reserves() {
    let text =
        "4/WWBBWW/1BBWWBB1/1WWBBWW1/1BBWWBB1/1WW[BW]BWW1/BB1WBB/4 Black White.hand=M2 Black.hand=M1 Black.prisoners=3";
    let position = game("focus").position(text).unwrap();
    assert_eq!(position.to_string(), text);
    let drawn = position.drawing(false).unwrap();
    assert!(drawn.lines().any(|line| line.trim_end() == "3  .  W  W  BW B  W  W  ."), "{drawn}");
}

#[test]
fn pilare_high_stacks_have_few_plies_and_many_turns() {
    let mut position = at(&game("pilare"), "[*************W] c3, R f6", "White");
    assert_eq!(legal(&mut position), ["c3"]);
    position.play_text("c3").unwrap();
    for drop in 1..=14 {
        assert_eq!(position.to_move(), "White");
        let moves = position.legal_moves().unwrap();
        assert!(moves.len() <= 4 - usize::from(drop > 1), "{moves:?}");
        position.play(&moves[0]).unwrap();
    }
    assert_eq!(position.to_move(), "Red");
}

#[test]
fn focus_perft() {
    // Reference; 19 521 582 at depth 4.
    perft("focus", &[68, 4_460, 299_912]);
}

#[test]
fn focus_for_four_perft() {
    // Reference.
    perft("focus:for four", &[44, 1_895, 80_983]);
}

#[test]
fn explocus_perft() {
    // Reference; 2 016 312 at depth 4.
    perft("explocus", &[38, 1_444, 53_960]);
}

#[test]
fn explocus_perft_on_the_other_boards() {
    // Reference; 203 912 and 139 048 at depth 3.
    perft("explocus:checkered", &[60, 3_440]);
    perft("explocus:8x8", &[52, 2_704]);
}

#[test]
fn hexplocus_perft() {
    // Reference; 122 600 at depth 3.
    perft("explocus:hexplocus", &[50, 2_500]);
    perft("explocus:hexplocus size=3", &[30, 900, 25_782]);
}

#[test]
fn explocus_bursts_without_end_are_a_fault_at_their_place() {
    // On 4 by 4 at most 32 men can lie at rest: one fewer than its neighbours on each cell. These
    // are 33.
    let game = game("explocus size=4");
    let men = "[WW] a1 b1 c1 d1 a2 c2 d2 a3 b3 c3 d3 a4 b4 c4, [WWW] b2, [BB] d4";
    let error = at(&game, men, "White").legal_moves().unwrap_err().to_string();
    let rules = std::fs::read_to_string(project("rules/explocus.rules")).unwrap();
    let line = 1 + rules.lines().position(|line| line.contains("repeat while some full")).unwrap();
    assert!(error.starts_with(&format!("explocus.rules:{line}:")), "{error}");
    assert!(error.contains("repeat") || error.contains("rounds"), "{error}");
}

/// A board with `stacks` holds so many men, and a cell too. Both executors meet the bound at the line that passes it.
#[test]
fn too_many_men_are_a_fault() {
    let game = |board: &str, turn: &str| {
        let text = format!(
            "game \"Heap\" {{ players Ann, Bob board {board}, stacks piece man
             setup {{ place (200) man on a1   place (200) Bob man on b1 }} move {{ {turn} }} end {{ draw if turns >= 99 or stuck(enemy) }} }}"
        );
        lusoria::Game::from_source(&text).unwrap()
    };
    let cases = [
        ("square 9 by 8", "place (100) man on a1"),
        ("square 9 by 8", "pick c from a1   place (56) man on bottom of c"),
        ("square 9 by 8", "pick p from own   move p straight: ^ to enemy"),
        ("square 9 by 8", "place (8) man on any"),
        ("square 9 by 8", "for each c in a1 b1 { move c to a2 }"),
    ];
    for (board, turn) in cases {
        let game = game(board, turn);
        assert!(game.is_planned(), "{turn}");
        let told = |game: &lusoria::Game| {
            let mut rng = crate::common::lot(1);
            let mut position = game.start(0).unwrap();
            let played = (0..9).find_map(|_| position.play_random(&mut rng).err());
            played.map(|error| error.to_string()).unwrap_or_default()
        };
        let (by_plan, by_reference) = (told(&game), told(&game.without_plan()));
        assert!(by_plan.contains("more than 255 men on a cell, or 576 on the board"), "{turn}: {by_plan}");
        assert_eq!(by_plan.split(" in ").next(), by_reference.split(" in ").next(), "{turn}");
    }
    // Before the game, too.
    let full = game("square 4 by 4", "pick p from own   move 1 of p straight: ^ to any");
    assert!(full.start(0).is_err());
    let position = crate::common::game("focus").position("[W255]3/6/8/8/8/8/6/4 White");
    assert!(position.is_ok());
    for text in ["[W256]3/6/8/8/8/8/6/4 White", "[W255][W255]2/6/8/8/8/8/6/4 White"] {
        assert!(crate::common::game("focus").position(text).is_err(), "{text}");
    }
}
