//! Games of groups: connected, captured, converted, scattered. "Reference" is a small independent
//! implementation of the rules texts in Python, written for that purpose alone.

use std::collections::BTreeSet;

use lusoria::{Game, Position};

use crate::common::{at, board, ends, game, legal, plays};
use crate::games::{has_moves, perft};

/// The moves that begin with a text.
fn has_moves_from(game: &Game, men: &str, to_move: &str, start: &str, moves: &str) {
    let found: Vec<_> = legal(&mut at(game, men, to_move)).into_iter().filter(|text| text.starts_with(start)).collect();
    assert_eq!(found.join(" "), moves, "{men}, {to_move} to move");
}

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
fn gonnect_swap_is_whites_first_turn_only() {
    let with_swap = game("gonnect size=5");
    let mut position = with_swap.start(0).unwrap();
    position.play_text("c3").unwrap();
    let replies = legal(&mut position);
    assert_eq!(replies.len(), 25);
    assert!(replies.contains(&"swap".to_string()));
    position.play_text("swap").unwrap();
    // White's stones are to move again, for the person who had Black's.
    assert_eq!(position.to_string(), "5/5/2B2/5/5 White");
    assert_eq!(legal(&mut position).len(), 24);
    let without = game("gonnect:without swap size=5");
    let mut position = without.start(0).unwrap();
    position.play_text("c3").unwrap();
    assert_eq!(legal(&mut position).len(), 24);
}

#[test]
fn gonnect_ko() {
    let men = "B b3 c2 c4, W c3 d2 d4 e3";
    for name in ["gonnect size=5", "gonnect:with simple ko size=5"] {
        let game = game(name);
        has_moves(&game, men, "Black", "a1 a2 a3 a4 a5 b1 b2 b4 b5 c1 c5 d1 d3 d5 e1 e2 e4 e5");
        let mut position = at(&game, men, "Black");
        position.play_text("d3").unwrap();
        assert_eq!(board_text(&position), board(&game, "B b3 c2 c4 d3, W d2 d4 e3"));
        assert!(!legal(&mut position).contains(&"c3".to_string()), "{name}");
        play_all(&mut position, "a1 a5");
        assert!(legal(&mut position).contains(&"c3".to_string()), "{name}: other stones stand there by now");
    }
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
fn gonnect_simple_ko_is_about_single_stones() {
    // A stone that has taken two may be retaken at once.
    let game = game("gonnect:with simple ko size=5");
    let mut position = at(&game, "B a3 b3 c2 b1, W a2 b2 c1 d2", "Black");
    position.play_text("a1").unwrap();
    assert_eq!(board_text(&position), board(&game, "B a1 a3 b1 b3 c2, W c1 d2"));
    assert!(legal(&mut position).contains(&"b2".to_string()));
}

#[test]
fn gonnect_three_kos_go_round_for_ever() {
    // Black may take c3 and c7, White c11. Each takes, and takes back what is not barred any more:
    // the first arrangement is back.
    let men = "B b3 c2 c4, W c3 d2 d4 e3, B b7 c6 c8, W c7 d6 d8 e7, W b11 c10 c12, B c11 d10 d12 e11";
    let round = "d3 d11 d7 c3 c11 c7";
    // At the start no point is barred; from the first move on all is the same again.
    let third = format!("{round} {round} d3");
    for (name, end) in [("gonnect:with simple ko", None), ("gonnect:with simple ko, threefold draw", Some(Vec::new()))]
    {
        let mut position = at(&game(name), men, "Black");
        let start = board_text(&position);
        play_all(&mut position, round);
        assert_eq!((board_text(&position), position.outcome()), (start, None), "{name}");
        (0..6).for_each(|_| assert!(position.undo()));
        play_all(&mut position, &third);
        assert_eq!(position.outcome().map(|outcome| outcome.winners), end, "{name}");
    }
    let mut position = at(&game("gonnect"), men, "Black");
    play_all(&mut position, "d3 d11 d7 c3 c11");
    assert!(!legal(&mut position).contains(&"c7".to_string()));
}

#[test]
fn gonnect_no_legal_move_loses() {
    let game = game("gonnect size=3");
    let mut position = at(&game, "B a2 a3 b1 c2, W b3 c3", "White");
    assert!(legal(&mut position).is_empty());
    assert_eq!(position.outcome().unwrap().winners, ["Black"]);
    ends(&game, "B a2 a3 b1, W b3 c3", "Black", "c2", "Black");
}

#[test]
fn lines_of_action_perft() {
    // Two independent references.
    perft("lines_of_action", &[36, 1_244, 44_952]);
}

#[test]
fn lines_of_action_moves_as_far_as_there_are_men() {
    let game = game("lines_of_action");
    let b1: Vec<_> = legal(&mut game.start(0).unwrap()).into_iter().filter(|text| text.starts_with("b1")).collect();
    assert_eq!(b1, ["b1-b3", "b1-d3", "b1-h1"]);
    let along = |to_move| {
        let moves = legal(&mut at(&game, "W a5 h5, B d5 f5", to_move));
        moves.into_iter().filter(|text| text.ends_with('5')).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(along("Black"), "d5xh5 f5-b5");
    assert_eq!(along("White"), "");
}

#[test]
fn lines_of_action_ends() {
    let both = "B b4 e5, W d4 h7 h8";
    ends(&game("lines_of_action"), both, "Black", "b4xd4", "");
    ends(&game("lines_of_action:mover wins"), both, "Black", "b4xd4", "Black");
    // A capture may unite the other side alone: a single man is a group.
    ends(&game("lines_of_action"), "B a1 d1 h8, W c1 d4", "Black", "a1xd4", "White");
}

#[test]
fn lines_of_action_third_repetition_is_a_draw() {
    let mut position = game("lines_of_action").start(0).unwrap();
    play_all(&mut position, "b1-b3 a2-c2 b3-b1 c2-a2 b1-b3 a2-c2 b3-b1");
    assert!(position.outcome().is_none());
    play_all(&mut position, "c2-a2");
    assert!(position.outcome().unwrap().winners.is_empty());
    // Taken back, a standing is not counted any more.
    (0..8).for_each(|_| assert!(position.undo()));
    play_all(&mut position, "b1-b3 a2-c2 b3-b1 c2-a2 b1-b3 a2-c2 b3-b1");
    assert!(position.outcome().is_none());
}

#[test]
fn ordo_perft() {
    // Reference.
    perft("ordo", &[56, 3_136]);
}

#[test]
fn ordo_figure_five_possible_moves() {
    // The rules sheet's figure of the moves of one man; the others would split the group.
    let men = "W d2 e2 d3 e6 f5 g5 f4 h4 f3 g3 i3, B e7 f7 b6 c6 d6 f6 g6 c5 h5 c4";
    has_moves_from(&game("ordo"), men, "White", "d3-", "d3-c3 d3-d5 d3-e3 d3-e4");
    has_moves_from(&game("ordo"), men, "White", "d3x", "d3xd6");
}

#[test]
fn ordo_figure_all_ordo_moves() {
    let men = "W a5 b4 c4 d4 d5 e3 f2 g3 h3 h4 h5, B c8 d8 c7 e7 f7 g7 h7 d6";
    let moves = legal(&mut at(&game("ordo"), men, "White"));
    let ordos: Vec<_> = moves.iter().filter(|text| text.contains("..")).map(String::as_str).collect();
    assert_eq!(ordos.join(" "), "b4..c4-b5 b4..c4-b6 h4..h5-e4 h4..h5-f4 h4..h5-g4 h4..h5-i4");
    plays(&game("ordo"), men, "White", "h4..h5-e4", "W a5 b4 c4 d4 d5 e3 e4 e5 f2 g3 h3, B c8 d8 c7 e7 f7 g7 h7 d6");
}

/// The replies of a black army that White's capture on d6 has split.
fn replies_to_d5xd6(name: &str, black: &str) -> Vec<String> {
    let mut position = at(&game(name), &format!("W d5 e5 e4, B {black}"), "White");
    position.play_text("d5xd6").unwrap();
    legal(&mut position)
}

#[test]
fn ordo_split_army_must_reconnect() {
    has_moves_from(&game("ordo"), "W d5 e5 e4, B b7 c6 d6 e7 f7 g7", "White", "d5", "d5-e6 d5xd6");
    assert_eq!(replies_to_d5xd6("ordo", "b7 c6 d6 e7 f7 g7"), ["b7-d7"]);
    // Only an ordo brings both men along.
    assert_eq!(replies_to_d5xd6("ordo", "a4 a5 b6 c6 d6 e6 f6 g4 g5"), ["a4..a5-d4"]);
    ends(&game("ordo"), "W d5 e5 e4, B a5 b6 c7 d6 e7 f6 g5", "White", "d5xd6", "White");
}

#[test]
fn ordo_split_army_may_go_back() {
    let game = game("ordo");
    let united = legal(&mut at(&game, "W a1, B c5 c6", "Black"));
    assert!(united.iter().all(|text| !text.ends_with('7')), "{united:?}");
    let split = legal(&mut at(&game, "W a1, B c5 c8", "Black"));
    assert!(split.contains(&"c5-c7".to_string()) && split.contains(&"c8-c6".to_string()), "{split:?}");
    let ordo = legal(&mut at(&game, "W a1, B c4 d4 e4 c8", "Black"));
    assert!(ordo.contains(&"c4..e4-c7".to_string()), "{ordo:?}");
}

#[test]
fn ordo_third_repetition_is_a_draw_in_a_variant() {
    let mut position = game("ordo:threefold draw").start(0).unwrap();
    play_all(&mut position, "c1-b1 c8-b8 b1-c1 b8-c8 c1-b1 c8-b8 b1-c1");
    assert!(position.outcome().is_none());
    play_all(&mut position, "b8-c8");
    assert!(position.outcome().unwrap().winners.is_empty());
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

#[test]
fn ordo_x_splitting_takes_all_but_the_largest_part() {
    let game = game("ordo:ordo-x");
    plays(&game, "W d5 e5 e4, B b7 c6 d6 e7 f7 g7", "White", "d5xd6", "W d6 e5 e4, B e7 f7 g7");
    let equal = "W d5 e5 e4, B b7 c6 d6 e7 f7";
    has_moves_from(&game, equal, "White", "d5xd6", "d5xd6 c6..b7 d5xd6 e7..f7");
    plays(&game, equal, "White", "d5xd6 c6..b7", "W d6 e5 e4, B b7 c6");
    plays(&game, equal, "White", "d5xd6 e7..f7", "W d6 e5 e4, B e7 f7");
    let owner = crate::common::game("ordo:ordo-x, the owner chooses");
    let mut position = at(&owner, equal, "White");
    position.play_text("d5xd6").unwrap();
    assert_eq!(position.chooser(), Some("Black"));
    assert_eq!(legal(&mut position), ["c6..b7", "e7..f7"]);
}

/// The posts of Charybdis Square: one colour on each side, or both.
const ONE_COLOUR: &str = "P b10 c10 d10 e10 f10 g10 h10 i10 b1 c1 d1 e1 f1 g1 h1 i1, \
                          p a2 a3 a4 a5 a6 a7 a8 a9 j2 j3 j4 j5 j6 j7 j8 j9";
const BOTH_COLOURS: &str = "P b10 c10 d10 e10 j6 j7 j8 j9 f1 g1 h1 i1 a2 a3 a4 a5, \
                            p f10 g10 h10 i10 j2 j3 j4 j5 b1 c1 d1 e1 a6 a7 a8 a9";

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

    fn grows(&self, men: &str, to_move: &str, steps: &str, after: &str) {
        let found = board_text(&self.after(men, to_move, steps));
        assert_eq!(found, board(&self.game, &with_posts(after, self.posts)), "{men}: {steps}");
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
fn charybdis_square_new_stones_may_touch_each_other() {
    let charybdis = charybdis();
    charybdis.grows("W d4 g4", "White", "e4 f4", "W d4 e4 f4 g4");
    charybdis.grows("W d4 e6", "White", "d5 e5", "W d4 d5 e5 e6");
    charybdis.grows("W d4 e6", "White", "e5 d5", "W d4 d5 e5 e6");
    assert_eq!(charybdis.further("W d4 e5", "d5"), "");
    assert_eq!(charybdis.further("W d4 e5", "e4"), "");
    assert_eq!(charybdis.further("W d4 e5", "c4"), "e6 f5");
    let beside = ["c4", "d3", "d5", "e4", "e6", "f5"];
    let growth = charybdis.turns("W d4 e5").into_iter().filter(|turn| beside.iter().any(|cell| turn.starts_with(cell)));
    assert_eq!(growth.count(), 14);
}

#[test]
fn charybdis_square_capture_and_the_order_of_growth() {
    let charybdis = charybdis();
    let men = "W d4 f5, B e4";
    charybdis.grows(men, "White", "f4", "W d4 e4 f4 f5");
    assert_eq!(charybdis.further(men, "f4"), "");
    charybdis.grows(men, "White", "d5 f4", "W d4 d5 e4 f4 f5");
    // A new group encloses without capturing.
    charybdis.grows("W d4, B e4", "White", "f4", "W d4 f4, B e4");
}

#[test]
fn charybdis_square_posts_enclose() {
    let charybdis = charybdis();
    let both = Charybdis::new("charybdis_square:both colours", BOTH_COLOURS);
    charybdis.grows("W a4 b4, B c5", "Black", "c4", "B a4 b4 c4 c5");
    both.grows("W a4 b4, B c5", "Black", "c4", "W a4 b4, B c4 c5");
    charybdis.grows("W c6, B d7 d8", "White", "d6", "W c6 d6 d7 d8");
    both.grows("W c6, B d7 d8", "White", "d6", "W c6 d6 d7 d8");
}

#[test]
fn charybdis_square_captures_in_all_directions() {
    charybdis().grows("W d3 d6 f5, B d4 e5", "White", "d5", "W d3 d4 d5 d6 e5 f5");
}

#[test]
fn charybdis_square_uses_what_it_has_just_captured() {
    let men = "W d4 f5 e7, B e4 e5";
    charybdis().grows(men, "White", "f4 e6", "W d4 e4 f4 f5 e5 e6 e7");
    charybdis().grows(men, "White", "e6 f4", "W d4 e4 f4 f5 e6 e7, B e5");
}

#[test]
fn charybdis_square_spent_groups() {
    let charybdis = charybdis();
    // The capture joins e3 as well; d2 may still grow, but not beside the spent d4.
    assert_eq!(charybdis.further("W d4 f5 e3, B e4", "f4"), "");
    assert_eq!(charybdis.further("W d4 f5 d2, B e4", "f4"), "c2 d1 e2");
    // A stone may touch a spent group through a new stone, not through a flipped one.
    assert!(!charybdis.further("W d4 f5 e2, B e4", "f4").contains("e3"));
    assert!(charybdis.further("W d4 f5 h4, B e4", "f4").contains("g4"));
}

#[test]
fn charybdis_square_connection() {
    let chain = "W d8 d7 e6 e5 d4 c3 c2";
    let charybdis = Charybdis::new("charybdis_square:connection", ONE_COLOUR);
    assert_eq!(charybdis.after(chain, "White", "c1").outcome().unwrap().winners, ["White"]);
    assert!(charybdis.after(chain, "White", "g7").outcome().is_none());
    // East and west are black, so this row is no white chain, but would be a black one.
    let row = "a5 b5 c5 d5 e5 f5 g5";
    assert!(charybdis.after(&format!("W {row}"), "White", "h5").outcome().is_none());
    assert_eq!(charybdis.after(&format!("B {row}"), "Black", "h5").outcome().unwrap().winners, ["Black"]);
    // On the other board the upper halves of west and east are black and white.
    let both = Charybdis::new("charybdis_square:both colours, connection", BOTH_COLOURS);
    let upper = "a6 b6 c6 d6 e6 f6 g6";
    assert!(both.after(&format!("B {upper}"), "Black", "h6").outcome().is_none());
    // One rank lower h5 touches the highest black post of the east, aslant.
    assert_eq!(both.after(&format!("B {row}"), "Black", "h5").outcome().unwrap().winners, ["Black"]);
    let across = "a5 b5 c5 d5 e4 f4 g4";
    assert_eq!(both.after(&format!("B {across}"), "Black", "h4").outcome().unwrap().winners, ["Black"]);
    // Where the colours of a side meet, both touch it: a5 a white post at rank 4, h4 a white one at
    // rank 5.
    assert_eq!(both.after(&format!("W {across}"), "White", "h4").outcome().unwrap().winners, ["White"]);
    assert!(both.after(&format!("W {upper}"), "White", "h6").outcome().is_none());
}

#[test]
fn charybdis_square_full_board_is_counted() {
    let charybdis = charybdis();
    let cells = |files: &str| {
        let cell = |file: char| (1..=8).map(move |rank| format!("{file}{rank}"));
        files.chars().flat_map(cell).collect::<Vec<_>>().join(" ")
    };
    // 31 white stones in the files a to d, d8 last of all; as many black ones, or three fewer with
    // three white ones among them.
    let left = cells("abcd").replace(" d8", "");
    let equal = format!("W {left}, B {}", cells("efgh"));
    assert!(charybdis.after(&equal, "White", "d8").outcome().unwrap().winners.is_empty());
    let more = format!("W {left} h1, B {}", cells("efgh").replace(" h1", ""));
    assert_eq!(charybdis.after(&more, "White", "d8").outcome().unwrap().winners, ["White"]);
}

#[test]
fn charisma_perft() {
    // Reference: placements, and strikes by where they start and land.
    perft("charisma size=2", &[7, 42, 276, 1_374, 5_664]);
    perft("charisma size=3", &[19, 342, 6_132, 106_854]);
    // A first stone, and a second: no strike yet.
    perft("charisma", &[127, 127 * 126]);
}

/// A figure of the rules sheet: all strikes of the player, and what one of them converts.
fn figure(own: &str, enemy: &str, strikes: &str, strike: &str, after: &str) {
    let game = game("charisma");
    let men = format!("{own}, {enemy}");
    let to_move = if own.starts_with('W') { "White" } else { "Black" };
    let found: Vec<_> = legal(&mut at(&game, &men, to_move)).into_iter().filter(|text| text.contains('-')).collect();
    assert_eq!(found.join(" "), strikes, "{men}");
    plays(&game, &men, to_move, strike, after);
}

#[test]
fn charisma_figure_1() {
    figure("W g5", "B f8 f9 g10 h9", "g5-g9", "g5-g9", "W g9 f8 f9 g10 h9");
}

#[test]
fn charisma_figure_2() {
    let after = "B i7 f6 e7 f7 g8, W e5 g6 h6".replace("i7 ", "");
    figure("B i7", "W e5 f7 e7 g8 g6 h6", "i7-f6 i7-g7 i7-i5", "i7-f6", &after);
}

#[test]
fn charisma_figure_3() {
    let enemy = "g8 h8 i5 i8 i9 j5 j6 j7 j8";
    figure("W d6 d7 e7 e8 f9 d5", &format!("B {enemy}"), "d6-h5", "d6-h5", &format!("W h5 d7 e7 e8 f9 d5 {enemy}"));
}

#[test]
fn charisma_figure_4() {
    figure("B g7", "W g8", "g7-f7 g7-h7", "g7-h7", "B h7 g8");
}

#[test]
fn charisma_figure_5() {
    figure("W e5", "B g8 h8 h9 h6 i5 i6", "e5-h7", "e5-h7", "W h7 g8 h8 h9 h6 i5 i6");
}

#[test]
fn charisma_figure_6() {
    let enemy = "d5 d6 d7 d8 e5 e6 f6 g6";
    let after = format!("B f7 h7 g8 f8 e8 i5 j5 {enemy}");
    figure("B h6 h7 g8 f8 e8 i5 j5", &format!("W {enemy}"), "h6-f7 i5-g5", "h6-f7", &after);
}

#[test]
fn charisma_ends_when_the_board_is_full() {
    let game = game("charisma size=3");
    // Groups of 5, 4 and 1 against 5 and 4: a missing group counts nothing.
    let white = "W a2 b2 b4 c2 c4 d2 d4 e1 e3";
    ends(&game, &format!("B a1 a3 b1 b3 c1 c5 d1 d3 e2, {white}"), "Black", "c3", "Black");
    // 6, 2 and 1 against 6, 3 and 1.
    let black = "B a2 b1 b2 c3 c4 c5 d1 e1 e3";
    ends(&game, &format!("{black}, W a1 a3 b3 b4 c1 c2 d2 d3 d4"), "White", "e2", "White");
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

#[test]
fn frenzy_first_turn_of_the_fish() {
    // Reference.
    let mut position = game("frenzy").start(0).unwrap();
    position.play_text("e4+d5").unwrap();
    let moves = legal(&mut position);
    assert_eq!(moves.len(), 118);
    assert_eq!(
        moves.iter().filter(|text| text.starts_with("c4")).cloned().collect::<Vec<_>>(),
        ["c4-a2", "c4-a4", "c4-a6"]
    );
}

const EXAMPLE: &str = "f a5 c5 b4 d4 c3 a2 c2 b1 d1, S d3 g7";

#[test]
fn frenzy_example() {
    let game = game("frenzy");
    has_moves_texts(&game, EXAMPLE, "Black", &["d3xc2", "d3xc3 b1..c2", "d3xc3 b4..c5", "d3xd4"]);
    plays(&game, EXAMPLE, "Black", "d3xd4", "f a5 c5 b4 c3 a2 c2 b1 d1, S d4 g7");
    plays(&game, EXAMPLE, "Black", "d3xc2", "f a5 b4 c3 c5 d4, S c2 g7");
    // The wrong choice: the school of the south escapes.
    let mut south = at(&game, EXAMPLE, "Black");
    south.play_text("d3xc3 b1..c2").unwrap();
    assert_eq!(board_text(&south), board(&game, "f a2 b1 c2 d1, S c3 g7"));
    south.play_text("c2-c1").unwrap();
    assert_eq!(board_text(&south), board(&game, "f a2 b1 c1 d1, S c3 g7"));
    assert_eq!(south.outcome().unwrap().winners, ["White"]);
}

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

/// As `has_moves`, for texts with blanks.
fn has_moves_texts(game: &Game, men: &str, to_move: &str, moves: &[&str]) {
    assert_eq!(legal(&mut at(game, men, to_move)), moves, "{men}");
}

#[test]
fn frenzy_chains_of_hops() {
    has_moves_from(&game("frenzy"), "f a1 b2 d2 d4", "White", "a1", "a1-a2 a1-b1 a1-c3 a1-e1 a1-e5");
}

#[test]
fn frenzy_hops_over_a_fish_once() {
    // From c2 over d3 to e4, and round by e6 and c6 to c4. The hop from c4 to e2 would be over d3
    // once more.
    let round = "c2 d3 e5 d6 c5 h8 g7";
    let from_c2 = |fish: &str| {
        let moves = legal(&mut at(&game("frenzy"), &format!("f {fish}"), "White"));
        moves
            .into_iter()
            .filter(|text| text.starts_with("c2-"))
            .map(|text| text[3..].to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(from_c2(round), "b1 b2 b3 c1 c3 c4 c6 d1 d2 e4 e6");
    // Over c3 it comes to c4 first.
    assert_eq!(from_c2(&format!("{round} c3")), "b1 b2 b3 c1 c4 c6 d1 d2 e2 e4 e6");
}

#[test]
fn two_frenzy_hops_on_crowded_boards() {
    // More chains than can be listed. Reference: their ends are those of fish that may hop over any
    // again and again.
    for (text, moves) in [
        ("fff2fff/ff1ffSff/ff1f1fff/fffffSff/1f1F1FFF/FFFsFFsF/FF1F1FFF/FFFFFFFF Black : a6-c4", 86),
        ("ffffS3/1f1f1f2/fffff3/1F1f1F2/FFFFFFFs/1F3F1F/1s1FFFFF/FFFF1FFF White : c1-e5", 97),
    ] {
        assert_eq!(legal(&mut game("frenzy_2").position(text).unwrap()).len(), moves, "{text}");
    }
}

#[test]
fn frenzy_fish_are_born_where_they_are_surrounded() {
    let game = game("frenzy");
    let men = "f c3 c4 c5 d3 d4 d5 e3 e4 e5, S a8 h8";
    let hops = "d4-b2 d4-b4 d4-b6 d4-d2 d4-d6 d4-f2 d4-f4 d4-f6";
    has_moves_from(&game, men, "White", "d4", hops);
    plays(&game, men, "White", "d4-f4", "f c3 c4 c5 d3 d4 d5 e3 e4 e5 f4, S a8 h8");
}

#[test]
fn frenzy_immobile_sharks_lose() {
    let frenzy = game("frenzy");
    let mut position = at(&frenzy, "S g7 a1, f d4 e5", "Black");
    assert!(legal(&mut position).is_empty());
    assert_eq!(position.outcome().unwrap().winners, ["White"]);
    // The shark eats the last fish in his reach: at once, or only after White's next turn.
    let men = "S b2 h8, f a1 d5 e5";
    ends(&frenzy, men, "Black", "b2xa1", "White");
    let mut later = at(&game("frenzy:immobile after a white turn"), men, "Black");
    later.play_text("b2xa1").unwrap();
    assert!(later.outcome().is_none());
    ends(&frenzy, "S b2 h8, f a1", "Black", "b2xa1", "Black");
}

#[test]
fn frenzy_may_go_on_for_ever() {
    // The shark eats to and fro in a ring of fish, where each time one is born behind him.
    let men = "S d4, f c3 d3 e3 f3 c4 e4 f4 c5 d5 e5 f5 g3";
    let round = "d4xe4 g3-g4 e4xd4 g4-g3";
    for (name, end) in [("frenzy", None), ("frenzy:threefold draw", Some(Vec::new()))] {
        let mut position = at(&game(name), men, "Black");
        let start = position.to_string();
        play_all(&mut position, round);
        assert_eq!((position.to_string(), position.outcome()), (start, None), "{name}");
        play_all(&mut position, round);
        assert_eq!(position.outcome().map(|outcome| outcome.winners), end, "{name}");
    }
}

/// The turns of a position as texts, sorted.
fn turns(position: &mut Position) -> Vec<String> {
    let mut texts: Vec<_> = position.legal_turns().unwrap().iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

#[test]
fn two_frenzy_first_turn() {
    // Reference.
    let mut position = game("frenzy_2").start(0).unwrap();
    play_all(&mut position, "c6+f6 c3+f3");
    assert_eq!(turns(&mut position).len(), 170);
    // The board is full, so the first move is a shark's.
    let first = legal(&mut position);
    assert_eq!(first.len(), 16);
    assert!(first.iter().all(|text| text.starts_with("c6x") || text.starts_with("f6x")));
    position.play_text("c6xb5").unwrap();
    let second = "c4-c6 e4-c6 f6xe5 f6xe6 f6xe7 f6xf5 f6xf7 f6xg5 f6xg6 f6xg7";
    assert_eq!(legal(&mut position).join(" "), second);
}

#[test]
fn two_frenzy_sharks_in_turn() {
    let mut position = game("frenzy_2:sharks in turn").start(0).unwrap();
    assert_eq!(legal(&mut position).len(), 32);
    play_all(&mut position, "c6 c3 f6 f3");
    assert_eq!(turns(&mut position).len(), 170);
}

/// The position after the plies of a White turn of 2-Frenzy, and who has won, if it is over.
fn after_turn(name: &str, men: &str, plies: &str) -> (String, Option<String>) {
    let mut position = at(&game(name), men, "White");
    play_all(&mut position, plies);
    assert!(position.state().begun().is_empty(), "{plies}: the turn goes on");
    (board_text(&position), position.outcome().map(|outcome| outcome.winners.join(" ")))
}

#[test]
fn two_frenzy_ends() {
    let won = |name, men, plies| after_turn(name, men, plies).1;
    let winner = |name: &str| Some(name.to_string());
    // A shark that touches no foreign animal dies.
    assert_eq!(won("frenzy_2", "F a1 a2, S d4, f e5 h7 h8, s a3", "d4xe5 a1-b1"), winner("Black"));
    assert_eq!(won("frenzy_2", "F g6 g7, S c4, f d4, s h8", "c4xd4 g6-f6"), winner(""));
    assert_eq!(won("frenzy_2", "F g6 g7, S c4, f d4 h7, s h8", "c4xd4 g6-f6"), winner("Black"));
    assert_eq!(won("frenzy_2", "F c3, S c4, f d4, s d3", "c4xd4 c3-b2"), winner("White"));
    assert_eq!(won("frenzy_2:the last fish decides", "F g6 g7, S c4, f d4, s h8", "c4xd4 g6-f6"), winner("White"));
}

#[test]
fn two_frenzy_may_go_on_for_ever() {
    let round = "a1-a2 b1-b2 g8-g7 h8-h7 a2-a1 b2-b1 g7-g8 h7-h8";
    for (name, end) in [("frenzy_2", None), ("frenzy_2:threefold draw", Some(Vec::new()))] {
        let mut position = at(&game(name), "F a1 b1, S d4, f g8 h8, s d5", "White");
        play_all(&mut position, round);
        assert_eq!(position.outcome(), None, "{name}");
        play_all(&mut position, round);
        assert_eq!(position.outcome().map(|outcome| outcome.winners), end, "{name}");
    }
}

#[test]
fn two_frenzy_moves_as_far_as_there_are_any() {
    // The second move falls away if no other animal can move, the turn if none can.
    let mut one = at(&game("frenzy_2"), "S a1, f b1 h8 h7, s b2", "White");
    assert_eq!(turns(&mut one), ["a1xb1", "a1xb2"]);
    let mut none = at(&game("frenzy_2"), "S a1, f h8 h7, s g1", "White");
    assert_eq!(turns(&mut none), ["pass"]);
}

#[test]
fn two_frenzy_mover_chooses_between_equal_schools() {
    let game = game("frenzy_2");
    let men = "F a1 a2 c3 d4 e5, S g6, f f6 f7 h1 h2, s b1";
    let (south, won) = after_turn("frenzy_2", men, "g6xf6 c3-c2 a1..a2");
    assert_eq!((south, won.as_deref()), (board(&game, "F a1 a2, f h1 h2, s b1"), Some("Black")));
    let (north, won) = after_turn("frenzy_2", men, "g6xf6 c3-c2 d4..e5");
    assert_eq!((north, won.as_deref()), (board(&game, "F d4 e5, f h1 h2"), Some("")));
}
