//! Renju and Ninuki-Renju: what is closed to Black, by an independent checker on thousands of random positions, and on those
//! that were published or worked out by hand, which `rules/examples` has.

use std::collections::{BTreeMap, BTreeSet};

use lusoria::model::Claim;
use lusoria::{Game, Position};
use rand::{Rng, RngExt};

use crate::common::forbidden::{Goban, Stone, Verdict};
use crate::common::{board, game, legal, lot, project, sampled};
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

fn point(cell: &str) -> (i32, i32) {
    (i32::from(cell.as_bytes()[0] - b'a'), cell[1..].parse::<i32>().expect("a rank") - 1)
}

fn cell((x, y): (i32, i32)) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

fn men(black: &str, white: &str) -> String {
    format!("B {black}, W {white}").replace("B ,", "B,").trim_end().to_string()
}

use Verdict::{DoubleFour, DoubleThree, FalseThrees, Five, Open, Overline};

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

/// What the file of positions says of points, the checker says too.
#[test]
fn the_checker_agrees_with_the_positions_of_the_file() {
    let text = std::fs::read_to_string(project("rules/examples/renju.rules")).unwrap();
    let game = Game::from_source(&text).unwrap().without_plan();
    let mut given = BTreeMap::new();
    for example in &game.model().examples {
        let mut goban = None;
        for (claim, _) in &example.claims {
            let (points, closed) = match claim {
                Claim::Position(text) => {
                    goban = text.ends_with(" Black").then(|| goban_of(&game, text));
                    continue;
                }
                Claim::Legal { only: false, moves } => (moves, false),
                Claim::Illegal(moves) => (moves, true),
                Claim::Play(moves) => (moves, false),
                _ => continue,
            };
            let Some(goban) = &goban else { continue };
            for at in points {
                let verdict = goban.verdict(point(at));
                assert_eq!(verdict.is_forbidden(), closed, "{}: {at}: {verdict:?}", example.title);
                *given.entry(verdict).or_insert(0) += 1;
            }
        }
    }
    for (verdict, least) in [(Open, 15), (Five, 4), (Overline, 5), (DoubleFour, 7), (DoubleThree, 12), (FalseThrees, 5)]
    {
        assert!(given.get(&verdict).is_some_and(|&times| times >= least), "{verdict:?}: {given:?}");
    }
}

fn goban_of(game: &Game, text: &str) -> Goban {
    let position = game.position(text).unwrap();
    let mut goban = Goban::new(15);
    for at in game.model().topology.cells() {
        let owner = position.state().top(at).and_then(|man| man.owner);
        let stone = owner.map(|owner| if game.player_name(owner) == "Black" { Stone::Black } else { Stone::White });
        goban.set(point(game.model().topology.name(at)), stone);
    }
    goban
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
    for (verdict, least) in [(Open, 60_000), (Five, 100), (Overline, 30), (DoubleThree, 200)] {
        assert!(given.get(&verdict).is_some_and(|&times| times as u64 >= sampled(least)), "{verdict:?}: {given:?}");
    }
}
