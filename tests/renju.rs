//! Renju and Ninuki-Renju: what is closed to Black, by published positions, by positions worked out
//! by hand, and by an independent checker on thousands of random ones. "Reference" is a small
//! independent implementation of the rules texts in Python.

use std::collections::{BTreeMap, BTreeSet};

use lusoria::{Game, Position};
use rand::{Rng, RngExt};

use crate::common::forbidden::{Goban, Stone, Verdict};
use crate::common::{at, board, ends, game, legal, lot, plays, sampled};
use crate::games::perft;

#[test]
fn renju_perft() {
    // 225 points, then 224: three stones make no foul. The openings: 8 points around the centre, 24
    // or 23 left of the central 25.
    perft("renju", &[225, 225 * 224]);
    perft("renju:fouls lose", &[225, 225 * 224]);
    perft("renju:first stone in the centre", &[1, 224]);
    perft("renju:classical opening", &[1, 8, 8 * 23]);
    // Three stones and White's answer about the colours are one turn.
    perft("renju:opening of 1996", &[8 * 23 * 2, 8 * 23 * 2 * 222]);
}

#[test]
fn ninuki_renju_perft() {
    // 361 points, then 360. In the openings 360, or the 8 around the centre; then the 336 outside
    // the central 25.
    perft("ninuki_renju", &[361, 361 * 360]);
    perft("ninuki_renju:third stone outside", &[1, 360, 24 * 336 + 336 * 335]);
    perft("ninuki_renju:perfect five", &[1, 8, 8 * 336]);
}

fn goban(side: i32, black: &str, white: &str) -> Goban {
    let mut goban = Goban::new(side);
    for (cells, stone) in [(black, Stone::Black), (white, Stone::White)] {
        cells.split_whitespace().for_each(|cell| goban.set(point(cell), Some(stone)));
    }
    goban
}

fn point(cell: &str) -> (i32, i32) {
    (i32::from(cell.as_bytes()[0] - b'a'), cell[1..].parse::<i32>().expect("a rank") - 1)
}

fn cell((x, y): (i32, i32)) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

fn men(black: &str, white: &str) -> String {
    format!("B {black}, W {white}").replace("B ,", "B,").trim_end().to_string()
}

fn is_open(game: &Game, men: &str, to_move: &str, point: &str) -> bool {
    legal(&mut at(game, men, to_move)).iter().any(|text| text == point)
}

/// One point: the rules file tells whether it is open to Black, the checker also why.
fn tells(black: &str, white: &str, point_text: &str, verdict: Verdict) {
    let renju = game("renju");
    let men = men(black, white);
    assert_eq!(goban(15, black, white).verdict(point(point_text)), verdict, "{men}: {point_text}, by the checker");
    assert_eq!(is_open(&renju, &men, "Black", point_text), !verdict.is_forbidden(), "{men}: {point_text}");
    if verdict == Verdict::Five {
        ends(&renju, &men, "Black", point_text, "Black");
    }
    let losing = game("renju:fouls lose");
    if verdict.is_forbidden() {
        ends(&losing, &men, "Black", point_text, "White");
    } else if verdict != Verdict::Five {
        let mut position = at(&losing, &men, "Black");
        position.play_text(point_text).unwrap();
        assert!(position.outcome().is_none(), "{men}: {point_text}");
    }
}

use Verdict::{DoubleFour, DoubleThree, FalseThrees, Five, Open, Overline};

#[test]
fn published_positions() {
    // The International Rules and the reference.
    tells("f8 g8 h6 h7", "", "h8", DoubleThree);
    tells("e8 g8 h5 h7", "", "h8", DoubleThree);
    tells("f8 g8 h6 h7", "d8 i8", "h8", Open);
    tells("f8 g8 h6 h7", "d8 j8", "h8", Open);
    tells("f8 g8 h6 h7", "e8", "h8", Open);
    tells("f8 g8 h6 h7", "d8", "h8", DoubleThree);
    tells("e8 f8 g8 h5 h6 h7", "", "h8", DoubleFour);
    tells("d8 f8 h8 j8", "", "g8", DoubleFour);
    tells("e8 f8 g8 h6 h7", "", "h8", Open);
    tells("e8 f8 g8 h6 h7 f6 g7", "", "h8", DoubleThree);
    tells("a1 b1 c1 e1 f1 g1", "", "d1", Overline);
    tells("d8 e8 f8 g8 h5 h6 h7 h10 h11 h12", "", "h8", Five);
    tells("a1 b1 c1 f1 g1 h1 d2 d3 d4", "", "d1", Open);
    tells("d8 f8 h8 i6 i7", "", "i8", Open);
    tells("g8 i8 f9 g10 e10 d10 f11", "", "f8", FalseThrees);
    tells("g8 i8 f9 g10 f11", "", "f8", DoubleThree);
    tells("g8 i8 f9 f11 e10 g10 e9 g11", "", "f8", FalseThrees);
    tells("g8 i8 f9 f11 e10 g10", "", "f8", DoubleThree);
}

#[test]
fn the_only_closed_point() {
    let closed = |black: &str| {
        let open: BTreeSet<_> = legal(&mut at(&game("renju"), &men(black, ""), "Black")).into_iter().collect();
        goban(15, black, "")
            .points()
            .map(cell)
            .filter(|cell| !black.contains(cell.as_str()) && !open.contains(cell))
            .collect::<Vec<_>>()
    };
    assert_eq!(closed("f8 g8 h6 h7"), ["h8"]);
}

#[test]
fn overlines_by_hand() {
    // c5..h5 are six.
    tells("c5 d5 e5 g5 h5", "", "f5", Overline);
    // b2..g7 are six, aslant.
    tells("b2 c3 d4 f6 g7", "", "e5", Overline);
    // a1..a7 are seven, along the edge.
    tells("a1 a2 a3 a5 a6 a7", "", "a4", Overline);
    // o1..j6 are six, the other way aslant, from the corner.
    tells("o1 n2 m3 k5 j6", "", "l4", Overline);
    // The row would be six, but the file is f5..f9, exactly five: that goes before.
    tells("c5 d5 e5 g5 h5 f6 f7 f8 f9", "", "f5", Five);
    // White stands where the sixth would be: c5..g5 are exactly five.
    tells("c5 d5 e5 g5", "h5", "f5", Five);
    // c5..h5 again, and a double-three with it: one foul is enough.
    tells("c5 d5 e5 g5 h5 f6 f7 g6 h7", "", "f5", Overline);
}

#[test]
fn double_fours_by_hand() {
    // d e f . h wants g8; the file h5..h8 wants h4 or h9.
    tells("d8 e8 f8 h5 h6 h7", "", "h8", DoubleFour);
    // The file is closed at both ends: one four is left.
    tells("d8 e8 f8 h5 h6 h7", "h4 h9", "h8", Open);
    // Closed at one end it is a four all the same.
    tells("d8 e8 f8 h5 h6 h7", "h4", "h8", DoubleFour);
    // d e . g h . j k: f8 makes d..h, i8 makes g..k, both exactly five, of different fours.
    tells("d8 e8 g8 j8 k8", "", "h8", DoubleFour);
    // c d e . g . i j k: f8 makes c..g, h8 makes g..k.
    tells("c8 d8 e8 i8 j8 k8", "", "g8", DoubleFour);
    // With l8 the right one would be g..l, six: one four is left.
    tells("c8 d8 e8 i8 j8 k8 l8", "", "g8", Open);
    // a8..d8 can grow on one side only and is a four; d8..d11 is the other.
    tells("a8 b8 c8 d9 d10 d11", "", "d8", DoubleFour);
    // From the corner a1..d4 wants e5; d4..g4 wants c4 or h4.
    tells("a1 b2 c3 e4 f4 g4", "", "d4", DoubleFour);
    // a1..d4 with White on e5 is dead.
    tells("a1 b2 c3 e4 f4 g4", "e5", "d4", Open);
    // c d e . g h: f8 would make six, so the row is no four; the file g8..g11 is one.
    tells("c8 d8 e8 h8 g9 g10 g11", "", "g8", Open);
    // e8..h8 is one straight four, though two points make it five.
    tells("e8 f8 g8", "", "h8", Open);
    // Two straight fours are two fours.
    tells("e8 f8 g8 h9 h10 h11", "", "h8", DoubleFour);
}

#[test]
fn double_threes_by_hand() {
    // Aslant both ways: f6 g7 h8 wants e5 or i9, f10 g9 h8 wants e11 or i7.
    tells("f6 g7 f10 g9", "", "h8", DoubleThree);
    // White on e5 stands beside one of the threes: neither e5..h8 nor f6..i9 with both ends open
    // can come of it.
    tells("f6 g7 f10 g9", "e5", "h8", Open);
    // White on d4 and k11, two points away on either side: f6..i9 has open ends e5 and j10, which
    // make exactly five.
    tells("f6 g7 f10 g9", "d4 k11", "h8", DoubleThree);
    // White on d4 and j10: e5..h8 is stopped at d4, f6..i9 at j10.
    tells("f6 g7 f10 g9", "d4 j10", "h8", Open);
    // h2 h3 h4 becomes h2..h5, between h1 and h6; f4 g4 h4 is free.
    tells("h2 h3 f4 g4", "", "h4", DoubleThree);
    // h1 h2 h3 begins at the edge: h1..h4 has one open end.
    tells("h1 h2 f3 g3", "", "h3", Open);
    // d . f g h is a four, and h6 h7 h8 a three: that is allowed.
    tells("d8 f8 g8 h6 h7", "", "h8", Open);
    // c8 spoils e..h (d8 would make c..h, six) but not f..i: still a three.
    tells("c8 f8 g8 h6 h7", "", "h8", DoubleThree);
    // k8 spoils f..i as well (j8 would make f..k).
    tells("c8 f8 g8 k8 h6 h7", "", "h8", Open);
    // Two split threes: e . g h wants f8, h5 h6 . h8 wants h7.
    tells("e8 g8 h5 h6", "", "h8", DoubleThree);
    // White fills the gap of the first.
    tells("e8 g8 h5 h6", "f8", "h8", Open);
    // Three threes.
    tells("f8 g8 h6 h7 f6 g7", "", "h8", DoubleThree);
    // Of three threes White stops the row at e8 and the file at h5: one is left.
    tells("f8 g8 h6 h7 f6 g7", "e8 h5", "h8", Open);
    // d e . g . i j: with f8 the four d..g ends at h8, which makes d..j, seven; h8 likewise. The
    // row is nothing, the file a three.
    tells("d8 e8 i8 j8 g6 g7", "", "g8", Open);
    // d8..h8 is exactly five, and that goes before the double-three of h6 h7 and f6 g7.
    tells("d8 e8 f8 g8 h6 h7 f6 g7", "", "h8", Five);
    // d e . . h: no four points side by side hold three of them.
    tells("d8 e8 h6 h7", "", "h8", Open);
}

#[test]
fn threes_that_may_not_grow_by_hand() {
    // Below White's j8 stops i8, so the row f g h can grow by e8 only, and what e8 makes decides.
    // e8 would make e5..e10, six: an overline, closed to Black. The row is no three.
    tells("f8 g8 h6 h7 e5 e6 e7 e9 e10", "j8", "h8", FalseThrees);
    // e8 would make five, e5..e9: then it is no straight four that matters.
    tells("f8 g8 h6 h7 e5 e6 e7 e9", "j8", "h8", Open);
    // e8 would make e5..e8 too, a second four: closed. The row is no three.
    tells("f8 g8 h6 h7 e5 e6 e7", "j8", "h8", FalseThrees);
    // e8 makes a four and the three e6 e7 e8: allowed. The row is a three.
    tells("f8 g8 h6 h7 e6 e7", "j8", "h8", DoubleThree);
    // e8 makes two fours, but without White's stone i8 makes the straight four f..i.
    tells("f8 g8 h6 h7 e5 e6 e7", "", "h8", DoubleThree);
    // e8 would make two threes, e6 e7 e8 and c6 d7 e8, both free to grow: closed. The row is no
    // three.
    tells("f8 g8 h6 h7 e6 e7 c6 d7", "j8", "h8", FalseThrees);
    // The same, with i8 free.
    tells("f8 g8 h6 h7 e6 e7 c6 d7", "", "h8", DoubleThree);
    // A step further: with White on g10 the three c6 d7 e8 can grow by b5 only, and b5 would make
    // b5..b8 too, a second four. So c6 d7 e8 is no three, e8 no double-three, and the row is a
    // three.
    tells("f8 g8 h6 h7 e6 e7 c6 d7 b6 b7 b8", "j8 g10", "h8", DoubleThree);
    // With White on b9 and b4 that second four is gone, b5 is open, and all turns round.
    tells("f8 g8 h6 h7 e6 e7 c6 d7 b6 b7 b8", "j8 g10 b9 b4", "h8", FalseThrees);
    // Both threes spoiled, each by a double-four: f g h by e8, h6 h7 h8 (White on h10) by h5.
    tells("f8 g8 h6 h7 e5 e6 e7 i5 j5 k5", "j8 h10", "h8", FalseThrees);
}

#[test]
fn nothing_is_closed_to_white() {
    let renju = game("renju");
    for (white, point) in [("f8 g8 h6 h7", "h8"), ("e8 f8 g8 h5 h6 h7", "h8"), ("d8 f8 h8 j8", "g8")] {
        assert!(is_open(&renju, &format!("W {white}"), "White", point), "{white}");
    }
    ends(&renju, "W a1 b1 c1 e1 f1 g1", "White", "d1", "White");
    ends(&renju, "W a1 b1 c1 e1", "White", "d1", "White");
}

/// Text of a board where one side has everything but some cells.
fn full_but(game: &Game, black: &str, empty: &str) -> String {
    let topology = &game.model().topology;
    let listed = |cells: &str, name: &str| cells.split(' ').any(|cell| cell == name);
    let names = topology.cells().map(|cell| topology.name(cell).to_string());
    let white: Vec<_> = names.filter(|name| !listed(black, name) && !listed(empty, name)).collect();
    board(game, &format!("B {black}, W {}", white.join(" ")))
}

#[test]
fn nobody_can_go_on() {
    let renju = game("renju");
    // White's last stone wins nothing. It fills the board, or leaves to Black a point that would
    // make seven in a row.
    for (black, empty) in [("o14 n14 n15 a1", "o15"), ("o14 n14 n15 a1 b1 c1 e1 f1 g1", "o15 d1")] {
        let mut position = renju.position(&format!("{} White", full_but(&renju, black, empty))).unwrap();
        position.play_text("o15").unwrap();
        assert!(position.outcome().unwrap().winners.is_empty(), "{empty}");
    }
}

#[test]
fn ninuki_renju_on_a_full_board_is_a_draw() {
    // White's last stone makes rows of nineteen and of eighteen, which are nothing to him.
    let ninuki = game("ninuki_renju");
    let mut position = ninuki.position(&format!("{} White", full_but(&ninuki, "a1 b1 c1 d1", "s19"))).unwrap();
    position.play_text("s19").unwrap();
    assert!(position.outcome().unwrap().winners.is_empty());
}

#[test]
fn the_classical_opening_widens() {
    let mut position = game("renju:classical opening").start(0).unwrap();
    assert_eq!(legal(&mut position), ["h8"]);
    position.play_text("h8").unwrap();
    assert_eq!(legal(&mut position), ["g7", "g8", "g9", "h7", "h9", "i7", "i8", "i9"]);
    position.play_text("i9").unwrap();
    assert_eq!(legal(&mut position).len(), 23);
    position.play_text("f6").unwrap();
    assert_eq!(legal(&mut position).len(), 222);
}

/// The position in the opening of 1996 when Black has to offer two fifth stones.
fn before_the_fifth(stones: &str) -> Position {
    let mut position = game("renju:opening of 1996").start(0).unwrap();
    let (three, fourth) = stones.rsplit_once(' ').expect("four stones");
    for text in [three, "pass", fourth] {
        position.play_text(text).unwrap_or_else(|error| panic!("{position}: {text}: {error}"));
    }
    position
}

#[test]
fn the_opening_of_1996() {
    let mut position = before_the_fifth("h9 h10 a1");
    assert_eq!((position.to_move(), position.chooser()), ("Black", Some("Black")));
    position.play_text("b2+c3").unwrap();
    assert_eq!((position.to_move(), position.chooser()), ("Black", Some("White")));
    assert_eq!(legal(&mut position), ["b2", "c3"]);
    position.play_text("c3").unwrap();
    assert_eq!(position.to_string().split(' ').next(), Some(board(position.game(), "B h8 h10 c3, W h9 a1").as_str()));
    assert_eq!(position.to_move(), "White");
    assert_eq!(legal(&mut position).len(), 220);
}

#[test]
fn white_may_change_colours_in_the_opening_of_1996() {
    let mut position = game("renju:opening of 1996").start(0).unwrap();
    assert_eq!(legal(&mut position).len(), 8 * 23);
    position.play_text("g9 f10").unwrap();
    assert_eq!((position.to_move(), position.chooser()), ("Black", Some("White")));
    assert_eq!(legal(&mut position), ["pass", "swap"]);
    position.play_text("swap").unwrap();
    assert_eq!(position.to_move(), "White");
    assert_eq!(legal(&mut position).len(), 222);
}

#[test]
fn two_fifth_stones_are_not_alike() {
    const PAIRS: usize = 221 * 220 / 2;
    let offers = |stones| before_the_fifth(stones).legal_moves().unwrap().len();
    // No mirror or half-turn keeps these.
    assert_eq!(offers("h9 i10 a1"), PAIRS);
    // All on the file h, not evenly spread: its mirror joins the 7 * 15 points on its left to those
    // on its right.
    assert_eq!(offers("h9 h10 h11"), PAIRS - 105);
    // The mirror is the file i: 6 files on its left have one on its right, and one of these 90
    // pairs is Black's own.
    assert_eq!(offers("i8 j8 i9"), PAIRS - 89);
    // A square with its colours crosswise is kept by the half-turn (14 by 14 points, less the
    // stones: 96 pairs), the mirror through h8 and i9 (225 - 15 points, less h9 and i8: 104) and
    // that through h9 and i8 (14 by 14 less 14, less h8 and i9: 90). Of the two mirrors' lines 12
    // points each are changed about by the half-turn and by the other mirror alike.
    assert_eq!(offers("h9 i9 i8"), PAIRS - (96 + 104 + 90 - 12));
    let mut crosswise = before_the_fifth("h9 i9 i8");
    let moves: BTreeSet<_> = legal(&mut crosswise).into_iter().collect();
    for alike in ["g7+j10", "h7+g8", "g8+j9", "g8+i10"] {
        assert!(!moves.contains(alike), "{alike}");
    }
    assert!(moves.contains("g7+g8"), "{:?}", moves.iter().take(9).collect::<Vec<_>>());
}

/// A crowd of stones in a part of the board, so that threes and fours are frequent.
fn crowd(lot: &mut impl Rng, side: i32) -> Goban {
    let mut goban = Goban::new(side);
    let width = lot.random_range(6..=10);
    let (left, low) = (lot.random_range(0..=side - width), lot.random_range(0..=side - width));
    let share = lot.random_range(50..90);
    for _ in 0..lot.random_range(width * 2..=width * width * 3 / 4) {
        let point = (left + lot.random_range(0..width), low + lot.random_range(0..width));
        let stone = if lot.random_range(0..100) < share { Stone::Black } else { Stone::White };
        goban.set(point, Some(stone));
    }
    goban
}

fn text(game: &Game, goban: &Goban) -> String {
    let of =
        |stone| goban.points().filter(|&point| goban.get(point) == Some(stone)).map(cell).collect::<Vec<_>>().join(" ");
    format!("{} Black", board(game, &men(&of(Stone::Black), &of(Stone::White))))
}

/// Compares the rules with the checker on all points of many positions; how often each verdict was
/// given.
fn compare(
    game: &Game,
    positions: u64,
    side: i32,
    verdict: impl Fn(&Goban, (i32, i32)) -> Verdict,
) -> BTreeMap<Verdict, usize> {
    let mut given = BTreeMap::new();
    for number in 0..positions {
        let goban = crowd(&mut lot(number), side);
        let text = text(game, &goban);
        let mut position = game.position(&text).unwrap();
        position.reopen();
        let open: BTreeSet<_> = legal(&mut position).into_iter().collect();
        for point in goban.points().filter(|&point| goban.get(point).is_none()) {
            let verdict = verdict(&goban, point);
            *given.entry(verdict).or_insert(0) += 1;
            let point = cell(point);
            assert_eq!(open.contains(&point), !verdict.is_forbidden(), "{text}: {point}: {verdict:?}");
        }
    }
    given
}

#[test]
fn the_rules_agree_with_an_independent_checker() {
    let given = compare(&game("renju"), sampled(2_000), 15, Goban::verdict);
    for (verdict, least) in
        [(Open, 200_000), (Five, 1_000), (Overline, 500), (DoubleFour, 1_000), (DoubleThree, 1_000), (FalseThrees, 250)]
    {
        assert!(given.get(&verdict).is_some_and(|&times| times as u64 >= sampled(least)), "{verdict:?}: {given:?}");
    }
}

#[test]
fn the_plan_agrees_with_an_independent_checker() {
    let renju = Game::shipped("renju").unwrap();
    assert!(renju.is_planned());
    let given = compare(&renju, 120, 15, Goban::verdict);
    for (verdict, least) in [(Five, 50), (Overline, 20), (DoubleFour, 40), (DoubleThree, 40), (FalseThrees, 5)] {
        assert!(given.get(&verdict).is_some_and(|&times| times >= least), "{verdict:?}: {given:?}");
    }
}

#[test]
fn the_rules_with_captures_agree_with_an_independent_checker() {
    let given = compare(&game("ninuki_renju"), sampled(300), 19, Goban::verdict_with_captures);
    for (verdict, least) in [(Open, 60_000), (Five, 100), (Overline, 50), (DoubleThree, 200)] {
        assert!(given.get(&verdict).is_some_and(|&times| times as u64 >= sampled(least)), "{verdict:?}: {given:?}");
    }
}

#[test]
fn ninuki_renju_closes_overlines_and_double_threes_to_black() {
    let ninuki = game("ninuki_renju");
    let is_closed = |stones: &str, point: &str| {
        let of = |player: &str| is_open(&ninuki, &format!("{} {stones}", &player[..1]), player, point);
        assert!(of("White"), "{stones}: {point}");
        !of("Black")
    };
    assert!(is_closed("f8 g8 h6 h7", "h8"));
    assert!(is_closed("a1 b1 c1 e1 f1 g1", "d1"));
    // Double-fours are free.
    assert!(!is_closed("e8 f8 g8 h5 h6 h7", "h8"));
    // Nobody asks whether the three may grow: f10 would be a double-three itself.
    assert!(is_closed("g8 i8 f9 f11 e10 g10 e9 g11", "f8"));
    // An overline is nothing to White.
    let mut six = at(&ninuki, "W a1 b1 c1 e1 f1 g1", "White");
    six.play_text("d1").unwrap();
    assert!(six.outcome().is_none());
    ends(&ninuki, "W a1 b1 c1 e1", "White", "d1", "White");
    // Five goes before both fouls: d8..h8 with two threes.
    ends(&ninuki, "B d8 e8 f8 g8 h6 h7 f6 g7", "Black", "h8", "Black");
}

#[test]
fn ninuki_renju_captures_pairs() {
    let ninuki = game("ninuki_renju");
    plays(&ninuki, "B m10 m13, W k10 l10 k11 l12", "Black", "j10", "B j10 m10 m13");
    plays(&ninuki, "B f5 i8, W h7", "White", "g6", "B f5 i8, W h7 g6");
    plays(&ninuki, "B n10, W k10 l10 m10", "Black", "j10", "B j10 n10, W k10 l10 m10");
    let text = format!("{} Black Black.taken=8", board(&ninuki, "B m10, W k10 l10"));
    let mut position = ninuki.position(&text).unwrap();
    position.play_text("j10").unwrap();
    assert_eq!(position.outcome().unwrap().winners, ["Black"]);
}

#[test]
fn captures_count_before_threes_are_judged() {
    // Figures of Richard's PBeM server: the stones g9 and g8 leave the file g, and a three through
    // the new stone appears ...
    let forms = "B g13 j13 g12 i12 d7 g7, W f9 g9 e8 g8";
    // ... or f9 and g9 leave from below threes with which the new stone has nothing to do.
    let reveals = "B g13 j13 g12 i12 g10 h9, W f9 g9";
    for name in ["ninuki_renju", "ninuki_renju:perfect five"] {
        let game = game(name);
        assert!(!is_open(&game, forms, "Black", "g10"), "{name}");
        assert!(is_open(&game, reveals, "Black", "e9"), "{name}");
        plays(&game, reveals, "Black", "e9", "B g13 j13 g12 i12 g10 h9 e9");
    }
}

#[test]
fn a_five_may_have_to_outlive_the_reply() {
    let stones = "B f5 g5 h5 i5 j6, W j7";
    ends(&game("ninuki_renju"), stones, "Black", "j5", "Black");
    let perfect = game("ninuki_renju:perfect five");
    let mut position = at(&perfect, stones, "Black");
    position.play_text("j5").unwrap();
    assert!(position.outcome().is_none());
    let five = position.clone();
    // White takes j5 and j6.
    position.play_text("j4").unwrap();
    assert!(position.outcome().is_none());
    assert_eq!(position.to_string().split(' ').next(), Some(board(&perfect, "B f5 g5 h5 i5, W j4 j7").as_str()));
    let mut position = five;
    position.play_text("a1").unwrap();
    assert_eq!(position.outcome().unwrap().winners, ["Black"]);
}

#[test]
fn perfect_fives_and_last_captures() {
    let perfect = game("ninuki_renju:perfect five");
    let after = |stones: &str, player: &str, taken: u32, text: &str| {
        let board = board(&perfect, stones);
        let mut position = perfect.position(&format!("{board} {player} {player}.taken={taken}")).unwrap();
        position.play_text(text).unwrap();
        position.outcome().map(|outcome| outcome.winners.join(" "))
    };
    let won = |player: &str| Some(player.to_string());
    // White takes h3 and h4 of the six c3..h3 and leaves five: with his last capture that is a
    // draw, else Black has won.
    let six = "B c3 d3 e3 f3 g3 h3 h4, W h5";
    assert_eq!(after(six, "White", 8, "h2"), won(""));
    assert_eq!(after(six, "White", 6, "h2"), won("Black"));
    // Without the five the last capture wins.
    assert_eq!(after("B e3 f3 g3 h3 h4, W h5", "White", 8, "h2"), won("White"));
    // Overlines are nothing, and closed to nobody.
    assert_eq!(after("B a1 b1 c1 e1 f1 g1", "Black", 0, "d1"), None);
}

#[test]
fn a_five_on_a_full_board_wins() {
    let perfect = game("ninuki_renju:perfect five");
    // White has rows of six and more everywhere, but none of five: c17, q17, q3 and e1 cut the
    // diagonals of five points.
    let text = full_but(&perfect, "a1 b1 c1 d1 c17 q17 q3", "e1");
    let mut position = perfect.position(&format!("{text} Black")).unwrap();
    position.play_text("e1").unwrap();
    assert_eq!(position.outcome().unwrap().winners, ["Black"]);
}

#[test]
fn double_threes_that_are_needed() {
    let perfect = game("ninuki_renju:perfect five");
    // Figures of Richard's PBeM server; Black is x.
    // Five and two threes at once.
    assert!(is_open(&perfect, "B h10 i10 j10 k10 l11 m11 l12 k9, W g10 i11 k11", "Black", "l10"));
    // l8 takes two stones of the four h10..k10, but l10 is a defence too, and no double-three.
    let four = "B i11 g10 j6 l6 i5 l5, W h10 i10 j10 k10 k9 k8";
    assert!(!is_open(&perfect, four, "Black", "l8"));
    assert!(is_open(&perfect, four, "Black", "l10"));
    // g10 is closed because k12 takes a stone of the four.
    let other = "B g13 j13 g12 i12 l10 k9, W h10 i10 j10 k10 k11";
    assert!(!is_open(&perfect, other, "Black", "g10"));
    assert!(is_open(&perfect, other, "Black", "k12"));
    // Once the five stands, l8 alone breaks it: the double-three is needed.
    assert!(is_open(&perfect, &format!("{four} l10"), "Black", "l8"));
    // Without k9, k12 takes nothing and g10 alone stops the four.
    assert!(is_open(&perfect, "B g13 j13 g12 i12 l10, W h10 i10 j10 k10 k11", "Black", "g10"));
}
