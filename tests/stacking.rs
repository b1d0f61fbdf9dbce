//! Dameo, Pilare, Focus, Explocus. "Reference" is a small independent implementation of the rules
//! texts in Python, written for that purpose alone; the lists of moves in
//! `tests/data/stacking.json` and in `tests/examples` are its own too.

use crate::common::cases::{holds, perft, play_all, turns, with_keys};
use crate::common::{at, ends, game, legal, plays, project};

#[test]
fn dameo_perft() {
    // Reference; 6 253 934 at depth 4.
    perft("dameo", &[52, 2_704, 135_930]);
}

#[test]
fn dameo_lines_do_not_jump_a_king_and_need_room_ahead() {
    let dameo = game("dameo");
    assert_eq!(
        legal(&mut at(&dameo, "M d1 d2, K d3, m d8 h8", "White"))
            .iter()
            .filter(|text| text.starts_with("d1-d"))
            .count(),
        0
    );
    assert!(!legal(&mut at(&dameo, "M d1 d2 d3, m d4 d5 h8", "White")).contains(&"d1-d4".to_string()));
    plays(&dameo, "M d5 d6 d7, m h1 a1", "White", "d5-d8", "M d6 d7, K d8, m h1 a1");
}

#[test]
fn dameo_kings_move_in_all_directions_and_capture_in_four() {
    let dameo = game("dameo");
    let moves = legal(&mut at(&dameo, "K a1, m c3 h8", "White"));
    assert_eq!(moves.len(), 15);
    assert!(moves.contains(&"a1-b2".to_string()) && !moves.iter().any(|text| text.contains('x')));
}

#[test]
fn dameo_ends_as_croda() {
    ends(&game("dameo"), "M a3, m a4", "White", "a3xa5", "White");
    let mut kings = at(&game("dameo"), "K a1, k h7", "White");
    assert_eq!(play_all(&mut kings, "a1-a2 h7-h8 a2-a1 h8-h7 a1-a2 h7-h8 a2-a1 h8-h7"), Some(String::new()));
}

#[test]
fn pilare_positions() {
    holds("stacking", "pilare");
    holds("stacking", "pilare:8x8");
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
fn pilare_is_sown_ply_by_ply() {
    let mut position = game("pilare").start(0).unwrap();
    assert_eq!(legal(&mut position).len(), 10);
    position.play_text("b1").unwrap();
    assert_eq!(legal(&mut position), ["a1", "b2", "c1"]);
    position.play_text("b2").unwrap();
    // Not back to b1, where it came from.
    assert_eq!(legal(&mut position), ["a2", "b3", "c2"]);
    position.play_text("c2").unwrap();
    assert_eq!(position.to_string(), at(position.game(), AFTER_B1_B2_C2, "White").to_string());
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

const AFTER_B1_B2_C2: &str = "[*R] a1 c1 d1 e1 f1 a2 f2 a3 f3 c2, [**] b2, * d2 e2 b3 c3 d3 e3 b4 c4 d4 e4 b5 c5 d5 e5, \
                              [*W] a4 f4 a5 f5 a6 b6 c6 d6 e6 f6";

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
fn pilare_for_ever() {
    let round = "a1-a2 f6-f5 a2-a1 f5-f6";
    let walk = [round, round].join(" ").replace('-', " ");
    let start = |name: &str| at(&game(name), "R a1, W f6", "Red");
    assert_eq!(play_all(&mut start("pilare"), &walk), None);
    assert_eq!(play_all(&mut start("pilare:threefold draw"), &walk), Some(String::new()));
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
fn focus_worked_example_of_gamerz_net() {
    let mut position = at(&game("focus"), "[WBWW] c3, [BB] d3, W e3, B f3", "White");
    let from_c3: Vec<_> = turns(&mut position).into_iter().filter(|text| text.starts_with("c3")).collect();
    let expected = [
        "c3 1-b3", "c3 1-c2", "c3 1-c4", "c3 1-d3", "c3 2-a3", "c3 2-c1", "c3 2-c5", "c3 2-e3", "c3 3-c6", "c3 3-f3",
        "c3 4-c7", "c3 4-g3",
    ];
    assert_eq!(from_c3, expected);
}

#[test]
fn focus_reserves_enter_anywhere_but_cost_the_turn() {
    let mut position = with_keys(&game("focus"), "[BBBBB] d4, W e5, B a3", "White", "White.hand=M1");
    position.play_text("d4").unwrap();
    assert_eq!(position.outcome(), None);
    assert_eq!(
        position.to_string(),
        with_keys(&game("focus"), "[BBBBW] d4, W e5, B a3", "Black", "White.prisoners=1").to_string()
    );
    // Without a stack of his own a player still has his reserve.
    let mut covered = with_keys(&game("focus"), "[BW] d4", "Black", "Black.hand=M1");
    assert_eq!(turns(&mut covered).len(), 52);
}

#[test]
fn focus_six_prisoners() {
    let short = game("focus:six prisoners");
    let mut fifth = with_keys(&short, "[BBBBB] d4, W d5, B a3", "White", "White.prisoners=4");
    fifth.play_text("d5 1-d4").unwrap();
    assert_eq!(fifth.outcome(), None);
    let mut sixth = with_keys(&short, "[BBBBB] d4, W d5, B a3", "White", "White.prisoners=5");
    sixth.play_text("d5 1-d4").unwrap();
    assert_eq!(sixth.outcome().unwrap().winners, ["White"]);
}

#[test]
fn focus_for_ever() {
    let round = ["c1 1-c2", "f8 1-f7", "c2 1-c1", "f7 1-f8"];
    for (name, end) in [("focus", None), ("focus:threefold draw", Some(Vec::<String>::new()))] {
        let mut position = at(&game(name), "W c1, B f8", "White");
        round.iter().chain(&round).for_each(|text| position.play_text(text).unwrap());
        assert_eq!(position.outcome().map(|outcome| outcome.winners), end, "{name}");
    }
}

/// Red moves the two men of d6 to d4, which becomes seven high from the bottom Blue, Red, Green,
/// Yellow, Red, Green, Red.
const SEVEN: &str = "[BRGYR] d4, [GR] d6";

#[test]
fn focus_for_four_captures_what_is_not_his() {
    let mut position = at(&game("focus:for four"), SEVEN, "Red");
    position.play_text("d6 2-d4").unwrap();
    let after = "Red.hand=M1 Red.prisoners=1";
    assert_eq!(position.to_string(), with_keys(position.game(), "[GYRGR] d4", "Green", after).to_string());
}

#[test]
fn focus_partners_give_back_or_capture() {
    let mut back = at(&game("focus:for four, partners"), SEVEN, "Red");
    back.play_text("d6 2-d4").unwrap();
    assert_eq!(back.to_string(), with_keys(back.game(), "[GYRGR] d4", "Green", "Red.hand=M1 Blue.hand=M1").to_string());
    let mut captured = at(&game("focus:for four, partners' men are captured"), SEVEN, "Red");
    captured.play_text("d6 2-d4").unwrap();
    let after = "Red.hand=M1 Red.prisoners=1";
    assert_eq!(captured.to_string(), with_keys(captured.game(), "[GYRGR] d4", "Green", after).to_string());
}

#[test]
fn focus_for_four_who_can_do_nothing_passes_and_may_come_back() {
    let mut position = at(&game("focus:for four"), "[GR] d4, B a3, Y h6", "Red");
    position.play_text("d4 1-d5").unwrap();
    assert_eq!(turns(&mut position), ["d4 1-c4", "d4 1-d3", "d4 1-d5", "d4 1-e4"]);
    let mut covered = at(&game("focus:for four"), "[GR] d4, B a3, Y h6", "Green");
    assert_eq!(turns(&mut covered), ["pass"]);
    covered.play_text("pass").unwrap();
    assert_eq!(covered.to_move(), "Blue");
    assert_eq!(covered.outcome(), None);
    ["a3 1-a4", "h6 1-h5", "d4 1-d5"].iter().for_each(|text| covered.play_text(text).unwrap());
    assert_eq!(covered.to_move(), "Green");
    assert_eq!(turns(&mut covered), ["d4 1-c4", "d4 1-d3", "d4 1-d5", "d4 1-e4"]);
}

#[test]
fn focus_for_four_is_won_by_the_last_who_can_act() {
    // Red covers Blue's last man; Green and Yellow have none.
    for (name, winners) in [("focus:for four", "Red"), ("focus:for four, partners", "Red Blue")] {
        ends(&game(name), "R d4, Y d5", "Red", "d4 1-d5", winners);
    }
    let mut blue_is_left = at(&game("focus:for four"), "R d4, Y d5, B a3", "Red");
    blue_is_left.play_text("d4 1-d5").unwrap();
    assert_eq!(blue_is_left.outcome(), None);
    ends(&game("focus:for four, partners"), "R d4, Y d5, B a3", "Red", "d4 1-d5", "Red Blue");
    let mut reserve = with_keys(&game("focus:for four, partners"), "R d4, Y d5, B a3", "Red", "Green.hand=M1");
    reserve.play_text("d4 1-d5").unwrap();
    assert_eq!(reserve.outcome(), None);
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
fn hexplocus_bursts_at_three_in_a_corner_four_on_an_edge_six_inside() {
    let hexplocus = game("explocus:hexplocus");
    // a1 is a corner, b1 on the edge, e5 the centre.
    plays(&hexplocus, "[WW] a1, W a2, B i1", "White", "a2 1-a1", "W a2 b1 b2, B i1");
    plays(&hexplocus, "[WWW] b1, W b2, B i1", "White", "b2 1-b1", "W a1 b2 c1 c2, B i1");
    plays(&hexplocus, "[WWWWW] e5, W e4, B e6 i1", "White", "e4 1-e5", "W d4 d5 e4 f4 f5, [WW] e6, B i1");
    plays(&hexplocus, "[WWWW] e5, W e4, B e6 i1", "White", "e4 1-e5", "[W5] e5, B e6 i1");
}

#[test]
fn explocus_for_ever() {
    let round = ["a1 1-a2", "f6 1-f5", "a2 1-a1", "f5 1-f6"];
    for (name, end) in [("explocus", None), ("explocus:threefold draw", Some(Vec::<String>::new()))] {
        let mut position = at(&game(name), "W a1, B f6", "White");
        round.iter().chain(&round).for_each(|text| position.play_text(text).unwrap());
        assert_eq!(position.outcome().map(|outcome| outcome.winners), end, "{name}");
    }
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
