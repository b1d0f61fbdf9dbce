//! Games of groups: connected, captured, converted, scattered. "Reference" is a small independent
//! implementation of the rules texts in Python, written for that purpose alone.

use std::collections::BTreeSet;

use lusoria::{Game, Position};

use crate::common::{at, board, game, legal};
use crate::games::perft;

fn play_all(position: &mut Position, texts: &str) {
    for text in texts.split_whitespace() {
        position.play_text(text).unwrap_or_else(|error| panic!("{position}: {text}: {error}"));
    }
}

fn board_text(position: &Position) -> String {
    position.to_string().split(' ').next().expect("a board").to_string()
}

#[test]
fn gonnect_perft() {
    // Reference; `swap` is a turn.
    perft("gonnect", &[169, 28_561]);
    perft("gonnect size=5", &[25, 625, 14_400]);
    perft("gonnect size=4", &[16, 256, 3_600, 46_936]);
    // One empty point fewer, but the swap.
    perft("gonnect size=9", &[81, 81 * 81]);
    perft("gonnect size=15", &[225, 225 * 225]);
    perft("gonnect size=19", &[361]);
}

#[test]
fn gonnect_history_is_taken_back_with_the_moves() {
    let mut position = at(&game("gonnect size=5"), "B b3 c2 c4, W c3 d2 d4 e3", "Black");
    position.play_text("d3").unwrap();
    let (board, replies) = (position.to_string(), legal(&mut position));
    play_all(&mut position, "a1 a5");
    (0..3).for_each(|_| assert!(position.undo()));
    // If the arrangement after d3 were still known, d3 would bring it back.
    position.play_text("d3").unwrap();
    assert_eq!((position.to_string(), legal(&mut position)), (board, replies));
}

#[test]
fn lines_of_action_perft() {
    // Two independent references.
    perft("lines_of_action", &[36, 1_244, 44_952]);
}

#[test]
fn ordo_x_turns() {
    // Reference: 60 turns of one part, the rest of two.
    let game = game("ordo:ordo-x");
    let mut start = game.start(0).unwrap();
    let turns = start.legal_moves().unwrap();
    assert_eq!(turns.len(), 2_062);
    assert_eq!(turns.iter().filter(|turn| !turn.to_string().contains(' ')).count(), 60);
    let results: BTreeSet<_> = turns
        .iter()
        .map(|turn| {
            start.play(turn).unwrap();
            let text = start.to_string();
            start.undo();
            text
        })
        .collect();
    assert_eq!(results.len(), 1_986);
}

/// The posts of Charybdis Square: one colour on each side.
const ONE_COLOUR: &str = "P b10 c10 d10 e10 f10 g10 h10 i10 b1 c1 d1 e1 f1 g1 h1 i1, \
                          p a2 a3 a4 a5 a6 a7 a8 a9 j2 j3 j4 j5 j6 j7 j8 j9";

/// Cells of the 8 by 8 playing field, a1 to h8, as cells of the board with its rim: each one file
/// and one rank on. Other words stay.
fn inner(text: &str) -> String {
    shifted(text, 1)
}

/// Cells of the board as cells of the playing field.
fn outer(text: &str) -> String {
    shifted(text, -1)
}

fn shifted(text: &str, by: i8) -> String {
    let shift = |word: &str| {
        let (letter, rank) = word.split_at_checked(1).expect("a word");
        match (letter.as_bytes().first().filter(|byte| byte.is_ascii_lowercase()), rank.parse::<i8>()) {
            (Some(file), Ok(rank)) => format!("{}{}", char::from(file.wrapping_add_signed(by)), rank + by),
            _ => word.to_string(),
        }
    };
    text.split(' ').map(shift).collect::<Vec<_>>().join(" ")
}

/// White's and Black's stones on the playing field, with the posts around it.
fn with_posts(men: &str, posts: &str) -> String {
    let stones = men.split(", ").map(|group| inner(group).replacen("W ", "S ", 1).replacen("B ", "s ", 1));
    format!("{}, {posts}", stones.collect::<Vec<_>>().join(", "))
}

struct Charybdis {
    game: Game,
    posts: &'static str,
}

impl Charybdis {
    fn new(name: &str, posts: &'static str) -> Charybdis {
        let game = game(name);
        assert_eq!(board_text(&game.start(0).unwrap()), board(&game, posts));
        Charybdis { game, posts }
    }

    fn at(&self, men: &str, to_move: &str) -> Position {
        at(&self.game, &with_posts(men, self.posts), to_move)
    }

    /// Plays the steps of a turn and ends it.
    fn after(&self, men: &str, to_move: &str, steps: &str) -> Position {
        let mut position = self.at(men, to_move);
        play_all(&mut position, &inner(steps));
        if !position.state().begun().is_empty() {
            position.play_text("stop").unwrap();
        }
        position
    }

    /// The cells for a further stone behind the first steps of a turn.
    fn further(&self, men: &str, steps: &str) -> String {
        let mut position = self.at(men, "White");
        play_all(&mut position, &inner(steps));
        if position.state().begun().is_empty() {
            return String::new();
        }
        let mut cells: Vec<_> =
            legal(&mut position).into_iter().filter(|text| text != "stop").map(|text| outer(&text)).collect();
        cells.sort();
        cells.join(" ")
    }

    fn turns(&self, men: &str) -> Vec<String> {
        self.at(men, "White").legal_turns().unwrap().iter().map(|turn| outer(&turn.to_string())).collect()
    }
}

fn charybdis() -> Charybdis {
    Charybdis::new("charybdis_square", ONE_COLOUR)
}

#[test]
fn charybdis_square_perft() {
    // Reference; whole turns.
    perft("charybdis_square", &[64, 4_032, 249_984]);
    perft("charybdis_square:both colours", &[64, 4_032]);
}

#[test]
fn charybdis_square_new_groups_and_growth() {
    let charybdis = charybdis();
    let turns = charybdis.turns("W d4 f4");
    let beside = ["c4", "d3", "d5", "e4", "f3", "f5", "g4"];
    let single: Vec<_> = turns.iter().map(String::as_str).filter(|turn| !turn.contains(' ')).collect();
    assert_eq!(single.len(), 55 + 7);
    assert!(beside.iter().all(|cell| single.contains(cell)));
    let mut pairs = BTreeSet::new();
    for one in ["c4", "d3", "d5"] {
        for other in ["f3", "f5", "g4"] {
            pairs.extend([format!("{one} {other}"), format!("{other} {one}")]);
        }
    }
    assert_eq!(turns.iter().filter(|turn| turn.contains(' ')).cloned().collect::<BTreeSet<_>>(), pairs);
    assert_eq!(turns.len(), 80);
    let results: BTreeSet<_> = turns.iter().map(|turn| charybdis.after("W d4 f4", "White", turn).to_string()).collect();
    assert_eq!(results.len(), 71);
    // The stone between them joins both, and neither grows any more.
    assert_eq!(charybdis.further("W d4 f4", "e4"), "");
}

#[test]
fn charisma_perft() {
    // Reference: placements, and strikes by where they start and land.
    perft("charisma size=2", &[7, 42, 276, 1_374, 5_664]);
    perft("charisma size=3", &[19, 342, 6_132, 106_854]);
    // A first stone, and a second: no strike yet.
    perft("charisma", &[127, 127 * 126]);
}

#[test]
fn charisma_never_comes_back_to_a_position() {
    // All that can be reached on the smallest board.
    let mut met = BTreeSet::new();
    walk(&mut game("charisma size=2").start(0).unwrap(), &mut Vec::new(), &mut met);
    assert!(met.len() > 1_000, "{}", met.len());
}

/// Follows all moves from a position to such as have not been met before; none leads back to one on
/// the way.
fn walk(position: &mut Position, way: &mut Vec<String>, met: &mut BTreeSet<String>) {
    let text = position.to_string();
    assert!(!way.contains(&text), "{text} comes back: {way:?}");
    if !met.insert(text.clone()) || position.outcome().is_some() {
        return;
    }
    way.push(text);
    for one in position.legal_moves().unwrap() {
        position.play(&one).unwrap();
        walk(position, way, met);
        position.undo();
    }
    way.pop();
}

#[test]
fn frenzy_perft() {
    // 32 fish, two of them taken.
    perft("frenzy", &[496]);
    perft("frenzy_2", &[496, 496 * 496]);
}

const EXAMPLE: &str = "f a5 c5 b4 d4 c3 a2 c2 b1 d1, S d3 g7";

#[test]
fn frenzy_example_with_the_right_choice() {
    let game = game("frenzy");
    let mut north = at(&game, EXAMPLE, "Black");
    north.play_text("d3xc3 b4..c5").unwrap();
    assert_eq!(board_text(&north), board(&game, "f a5 b4 c5 d4, S c3 g7"));
    for text in legal(&mut north) {
        let mut next = north.clone();
        next.play_text(&text).unwrap();
        let escapes: Vec<_> = match next.chooser() {
            // Black chooses between equal schools before his own turn.
            Some("Black") if !next.state().begun().is_empty() => legal(&mut next)
                .iter()
                .map(|choice| {
                    let mut chosen = next.clone();
                    chosen.play_text(choice).unwrap();
                    chosen.outcome().is_some()
                })
                .collect(),
            _ => vec![next.outcome().is_some()],
        };
        assert!(escapes.contains(&false), "{text}");
    }
    north.play_text("b4-a4").unwrap();
    assert_eq!(legal(&mut north), ["a4..a5", "d4..c5"]);
    north.play_text("d4..c5").unwrap();
    assert!(north.outcome().is_none());
}
