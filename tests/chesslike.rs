//! Xiangqi, Congo, Chess, Chess960. Perft numbers name their source: "reference" is a small
//! independent implementation of the rules texts in Python. Positions
//! with their moves stand in `rules/examples`.

use std::collections::HashMap;

use crate::common::cases::{counts_are, perft, play_all, with_keys};
use crate::common::{at, check, ends, fen, game, legal, project};
use lusoria::{Game, Position};

fn chess(fen: &str) -> Position {
    position(&game("chess"), fen)
}

fn position(game: &Game, fen: &str) -> Position {
    let text = fen::chess(fen);
    game.position(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn xiangqi_perft() {
    // Published, for example with Fairy-Stockfish; 3 290 240 at depth 4.
    perft("xiangqi", &[44, 1_920, 79_666]);
}

#[test]
fn congo_perft() {
    // Reference; 9 404 326 at depth 5.
    perft("congo", &[24, 576, 14_332, 356_456]);
}

/// Who wins with best play from the positions that can be reached, by their texts; where nobody can
/// force it, nobody.
fn solved(start: Position) -> HashMap<String, String> {
    let game = start.game().clone();
    let mut won: HashMap<String, String> = HashMap::new();
    let mut replies: HashMap<String, (String, Vec<String>)> = HashMap::new();
    let mut open = vec![start.to_string()];
    while let Some(text) = open.pop() {
        if replies.contains_key(&text) {
            continue;
        }
        let mut position = game.position(&text).unwrap();
        let mut after = Vec::new();
        for one in position.legal_moves().unwrap() {
            position.play(&one).unwrap();
            let reached = position.to_string();
            match position.outcome() {
                Some(outcome) => won.extend(outcome.winners.first().map(|winner| (reached.clone(), winner.clone()))),
                None => open.push(reached.clone()),
            }
            after.push(reached);
            position.undo();
        }
        replies.insert(text, (position.to_move().to_string(), after));
    }
    loop {
        let before = won.len();
        for (text, (mover, after)) in &replies {
            let winners: Vec<_> = after.iter().map(|reached| won.get(reached)).collect();
            let winner = match winners.iter().find(|winner| **winner == Some(mover)) {
                Some(winner) => *winner,
                None if winners.iter().all(Option::is_some) => winners.first().copied().flatten(),
                None => None,
            };
            if let Some(winner) = winner.cloned() {
                won.insert(text.clone(), winner);
            }
        }
        if won.len() == before {
            return won;
        }
    }
}

#[test]
fn congo_example_endgame_solved() {
    // Reference: White wins with five moves, only draws with b2-c4, and loses his lion beside the
    // other's file.
    let mut position = at(&game("congo"), "L c2, Z b2, l d6", "White");
    let won = solved(position.clone());
    for one in position.legal_moves().unwrap() {
        position.play(&one).unwrap();
        let winner = won.get(&position.to_string()).map(String::as_str);
        let expected = match one.to_string().as_str() {
            "b2-a4" | "b2-d1" | "b2-d3" | "c2-c1" | "c2-c3" => Some("White"),
            "b2-c4" => None,
            _ => Some("Black"),
        };
        assert_eq!(winner, expected, "{one}");
        position.undo();
    }
}

#[test]
fn chess_perft() {
    // Published; 197 281 at depth 4.
    perft("chess", &[20, 400, 8_902]);
}

#[test]
fn chess_perft_kiwipete() {
    // Published.
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    counts_are(&mut chess(fen), &[48, 2_039, 97_862]);
}

#[test]
fn chess_perft_of_an_end_game() {
    // Published; en passant that would uncover the king along the rank.
    counts_are(&mut chess("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"), &[14, 191, 2_812, 43_238]);
}

#[test]
fn chess_perft_of_middle_games() {
    // Published; 62 379 and 89 890 at depth 3.
    counts_are(&mut chess("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"), &[44, 1_486, 62_379]);
    counts_are(&mut chess("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"), &[46, 2_079]);
}

#[test]
fn chess_fen_round_trip() {
    assert_eq!(
        fen::chess("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        game("chess").start(0).unwrap().to_string()
    );
    let after = |fen: &str, text: &str| {
        let mut position = chess(fen);
        position.play_text(text).unwrap();
        position.to_string()
    };
    let with_pawn = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
    assert_eq!(after("rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3", "e2-e4"), fen::chess(with_pawn));
    let without = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(after("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2-e4"), fen::chess(without));
    // X-FEN: the outermost rook, unless the file says another.
    assert!(fen::chess("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1").contains("unmoved=a1+e1+h1"));
    assert!(fen::chess("4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1").contains("unmoved=b1+e1+g1"));
}

/// The kinds of the first rank by Scharnagl's numbering, worked out from the number.
fn array(number: usize) -> String {
    let mut rank = ['.'; 8];
    let free = |rank: &[char; 8], nth: usize| (0..8).filter(|&file| rank[file] == '.').nth(nth).expect("a free file");
    rank[number % 4 * 2 + 1] = 'B';
    rank[number / 4 % 4 * 2] = 'B';
    let queen = free(&rank, number / 16 % 6);
    rank[queen] = 'Q';
    let knights = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)][number / 96];
    let knights = [free(&rank, knights.0), free(&rank, knights.1)];
    knights.into_iter().for_each(|file| rank[file] = 'N');
    for man in ['R', 'K', 'R'] {
        let file = free(&rank, 0);
        rank[file] = man;
    }
    rank.iter().collect()
}

#[test]
fn chess960_set_ups_are_scharnagls() {
    assert_eq!(array(518), "RNBQKBNR");
    assert_eq!([array(0), array(400), array(959)], ["BBQNNRKR", "BBRQNNKR", "RKRNNQBB"]);
    for name in ["chess960", "chess960:traditional castling"] {
        let game = game(name);
        for number in 0..960 {
            let rank = array(number);
            let fen = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1", rank.to_lowercase());
            assert_eq!(game.start_numbered(number as u64).unwrap().to_string(), fen::chess(&fen), "{number}");
        }
        assert!(game.start_numbered(960).is_err());
    }
    let standard = game("chess960:no castling").start_numbered(518).unwrap();
    assert_eq!(standard.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR White");
}

#[test]
fn chess960_seeds_decide_the_set_up() {
    let game = game("chess960");
    let starts: std::collections::BTreeSet<_> = (0..20).map(|seed| game.start(seed).unwrap().to_string()).collect();
    assert!(starts.len() > 15, "{starts:?}");
    assert_eq!(game.start(7).unwrap().to_string(), game.start(7).unwrap().to_string());
}

fn perft_of_set_ups(name: &str, counts: &[Counted]) {
    let game = game(name);
    for (number, counts) in counts {
        counts_are(&mut game.start_numbered(*number).unwrap(), counts);
    }
}

/// A number and the counts from depth 1.
type Counted = (u64, &'static [u64]);

const DEEP: [Counted; 5] = [
    (0, &[20, 400, 9_006]),
    (41, &[19, 361, 7_718]),
    (400, &[20, 400, 9_026]),
    (518, &[20, 400, 8_902]),
    (959, &[20, 400, 9_006]),
];

const TWENTY: &[u64] = &[20, 400];
const NINETEEN: &[u64] = &[19, 361];

const FLAT: [Counted; 22] = [
    (82, TWENTY),
    (123, TWENTY),
    (164, NINETEEN),
    (205, TWENTY),
    (246, NINETEEN),
    (287, NINETEEN),
    (328, NINETEEN),
    (369, TWENTY),
    (410, TWENTY),
    (451, TWENTY),
    (492, TWENTY),
    (533, TWENTY),
    (574, TWENTY),
    (615, TWENTY),
    (656, TWENTY),
    (697, TWENTY),
    (738, TWENTY),
    (779, TWENTY),
    (820, NINETEEN),
    (861, TWENTY),
    (902, NINETEEN),
    (943, TWENTY),
];

#[test]
fn chess960_perft() {
    // python-chess.
    perft_of_set_ups("chess960", &DEEP);
    perft_of_set_ups("chess960", &FLAT);
}

fn millpond() -> Game {
    let text = std::fs::read_to_string(project("examples/millpond.rules")).unwrap();
    let checked = check(&text);
    assert!(checked.mistakes.is_empty(), "{:?}", checked.mistakes);
    Game::from_source(&text).unwrap()
}

#[test]
fn millpond_caught_men_are_dropped() {
    let mut position = at(&millpond(), "H c1, D b3, h c5, d a4, f e4", "White");
    assert_eq!(play_all(&mut position, "b3xa4 e4-e3"), None);
    assert_eq!(
        position.to_string(),
        with_keys(position.game(), "H c1, D a4, h c5, f e3", "White", "White.hand=D1").to_string()
    );
    let drops: Vec<_> = legal(&mut position).into_iter().filter(|text| text.contains(' ')).collect();
    // Of the 20 cells below the far bank three are occupied.
    assert_eq!(drops.len(), 17);
    assert!(drops.iter().all(|text| text.ends_with(" D")), "{drops:?}");
    position.play_text("d4 D").unwrap();
    assert_eq!(position.to_string(), at(position.game(), "H c1, D a4 d4, h c5, f e3", "Black").to_string());
    let mut both = with_keys(&millpond(), "H c1, h c5", "White", "White.hand=D1F2");
    assert_eq!(legal(&mut both).iter().filter(|text| text.contains(' ')).count(), 2 * 19);
}

#[test]
fn millpond_promoted_men_are_caught_as_what_they_were() {
    let millpond = millpond();
    let mut position = at(&millpond, "H c1, D d4, F b4, h c5", "White");
    let moves = legal(&mut position);
    let far: Vec<_> = moves.iter().filter(|text| text.contains('5')).map(String::as_str).collect();
    // A frog must become a toad, a duck may become a swan.
    assert_eq!(far, ["b4-b5=T", "d4-e5", "d4-e5=S", "d4xc5", "d4xc5=S"]);
    assert_eq!(play_all(&mut position, "b4-b5=T c5xb5"), None);
    assert_eq!(position.to_string(), with_keys(&millpond, "H c1, D d4, h b5", "White", "Black.hand=F1").to_string());
    ends(&millpond, "H c1, D d4, h c5", "White", "d4xc5", "White");
}
