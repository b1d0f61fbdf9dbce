//! Xiangqi, Congo, Chess, Chess960. Perft numbers name their source: "reference" is a small
//! independent implementation of the rules texts in Python. The lists of moves in
//! `tests/data/chesslike.json` are the reference's for Congo, Fairy-Stockfish's for Xiangqi.

use std::collections::HashMap;

use crate::common::cases::{counts_are, perft, play_all, with_keys};
use crate::common::{at, check, ends, fen, game, legal, plays, project};
use lusoria::{Game, Position};

fn chess(fen: &str) -> Position {
    position(&game("chess"), fen)
}

fn position(game: &Game, fen: &str) -> Position {
    let text = fen::chess(fen);
    game.position(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn xiangqi(name: &str, fen: &str) -> Position {
    let text = fen::xiangqi(fen);
    game(name).position(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

const DRAW: Option<&str> = Some("");

#[test]
fn xiangqi_perft() {
    // Published, for example with Fairy-Stockfish; 3 290 240 at depth 4.
    perft("xiangqi", &[44, 1_920, 79_666]);
}

#[test]
fn xiangqi_perft_of_middle_games() {
    // Fairy-Stockfish; its own tests publish depth 4: 4 485 547 and 92 741.
    let crowded = "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w";
    counts_are(&mut xiangqi("xiangqi", crowded), &[49, 2_265]);
    counts_are(&mut xiangqi("xiangqi", "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w"), &[13, 272, 3_707]);
}

#[test]
fn xiangqi_mate_and_stalemate_lose() {
    // What the players came to in the positions without moves.
    for men in ["k f10, r e2, K d1", "k e10, c e6 e4, A d1 f1, K e1"] {
        let mut lost = at(&game("xiangqi"), men, "Red");
        assert!(legal(&mut lost).is_empty());
        assert_eq!(lost.outcome().unwrap().winners, ["Black"]);
    }
    ends(&game("xiangqi"), "k f10, r e3, K d1", "Black", "e3-e2", "Black");
}

/// The walk from a position: who wins at its end.
fn repeats(fen: &str, moves: &str, expected: Option<&str>) {
    assert_eq!(play_all(&mut xiangqi("xiangqi", fen), moves).as_deref(), expected, "{fen}");
}

#[test]
fn xiangqi_perpetual_check_loses() {
    let fen = "3k5/9/9/9/9/9/9/9/4R4/5K3 w";
    let round = walk("e2d2 d10e10 d2e2 e10d10");
    repeats(fen, &round, None);
    repeats(fen, &[round.as_str(), &round].join(" "), Some("Black"));
    // Here the check itself brings the third standing.
    let from_afar = "h2d2 d10e10 d2e2 e10d10 e2d2 d10e10 d2e2 e10d10 e2d2";
    repeats("3k5/9/9/9/9/9/9/9/7R1/5K3 w", &walk(from_afar), Some("Black"));
    let free = xiangqi("xiangqi:without draws", fen);
    assert_eq!(play_all(&mut free.clone(), &[round.as_str(), &round, &round].join(" ")), None);
}

/// `e2d10` as `e2-d10`.
fn joined(text: &str) -> String {
    let second = text.rfind(|c: char| c.is_ascii_lowercase()).expect("two cells");
    format!("{}-{}", &text[..second], &text[second..])
}

fn walk(text: &str) -> String {
    text.split(' ').map(joined).collect::<Vec<_>>().join(" ")
}

#[test]
fn xiangqi_perpetual_check_by_black_loses_too() {
    let fen = "3k5/4r4/9/9/9/9/9/9/9/5K3 b";
    repeats(fen, &walk("e9f9 f1e1 f9e9 e1f1 e9f9 f1e1 f9e9 e1f1"), Some("Red"));
}

#[test]
fn xiangqi_other_repetition_draws() {
    // Idle moves.
    repeats("4k4/9/9/r8/9/9/9/9/8R/3K5 w", &walk("i2h2 a7b7 h2i2 b7a7 i2h2 a7b7 h2i2 b7a7"), DRAW);
    // A chase of one piece: the Asian rules forbid it, these do not.
    repeats("3k5/9/9/9/9/c8/8R/9/9/4K4 w", &walk("i4i5 a5a4 i5i4 a4a5 i4i5 a5a4 i5i4 a4a5"), DRAW);
    // A chase by a soldier, which may.
    let soldier = walk("a5a6 a7b7 a6b6 b7a7 b6a6 a7b7 a6b6 b7a7 b6a6");
    repeats("2bakabr1/9/9/r1p1p1p2/p7R/P8/9/9/9/1C1AKA3 w", &soldier.replacen("a5-a6", "a5xa6", 1), DRAW);
    // Checks by both.
    repeats("9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w", &walk("e4d4 d7e7 d4e4 e7d7 e4d4 d7e7 d4e4 e7d7"), DRAW);
}

#[test]
fn xiangqi_fifty_moves_draw() {
    let quiet = |name: &str, turns: u32| {
        let men = "k e10, r a7, R i2, K d1";
        let mut position = with_keys(&game(name), men, "Red", &format!("quiet={turns}"));
        play_all(&mut position, "i2-h2")
    };
    assert_eq!(quiet("xiangqi", 98), None);
    assert_eq!(quiet("xiangqi", 99).as_deref(), DRAW);
    assert_eq!(quiet("xiangqi:60 moves", 118), None);
    assert_eq!(quiet("xiangqi:60 moves", 119).as_deref(), DRAW);
    assert_eq!(quiet("xiangqi:without draws", 500), None);
    // A capture begins anew.
    let mut position = with_keys(&game("xiangqi"), "k e10, r a7, R a2, K d1", "Red", "quiet=99");
    assert_eq!(play_all(&mut position, "a2xa7"), None);
}

#[test]
fn congo_perft() {
    // Reference; 9 404 326 at depth 5.
    perft("congo", &[24, 576, 14_332, 356_456]);
}

#[test]
fn congo_example_endgame() {
    // "White must not move b2-c4, because the black lion would move to the c-file": the zebra is
    // pinned in the river and drowns.
    let congo = game("congo");
    let mut position = at(&congo, "L c2, Z b2, l d6", "White");
    assert_eq!(play_all(&mut position, "b2-c4 d6-c6"), None);
    for (text, outcome) in
        [("c4-e5", None), ("c2-c1", None), ("c2-c3", None), ("c2-d1", DRAW), ("c2-d2", DRAW), ("c2-d3", DRAW)]
    {
        assert_eq!(play_all(&mut position.clone(), text).as_deref(), outcome, "{text}");
    }
    assert_eq!(play_all(&mut position.clone(), "c4-e5 c6xc2").as_deref(), Some("Black"));
    assert_eq!(play_all(&mut position, "c2-c1 c6xc1").as_deref(), Some("Black"));
    // The lion may not go to the file of the other.
    assert_eq!(play_all(&mut at(&congo, "L c2, Z b2, l d6", "White"), "c2-d2 d6xd2").as_deref(), Some("Black"));
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
fn congo_crocodiles_of_black() {
    let moves = legal(&mut at(&game("congo"), "c f7, l d7, L c1", "Black"));
    let crocodile: Vec<_> = moves.into_iter().filter(|text| text.starts_with("f7")).collect();
    assert_eq!(crocodile, ["f7-e6", "f7-e7", "f7-f4", "f7-f5", "f7-f6", "f7-g6", "f7-g7"]);
    // It never drowns.
    plays(&game("congo"), "C a4, L d1, l d7, p g6", "White", "d1-c1", "C a4, L c1, l d7, p g6");
}

#[test]
fn congo_monkeys_stop_when_the_lion_is_caught() {
    let moves = legal(&mut at(&game("congo"), "M d5, L d1, l d6, p e6 f5", "White"));
    assert!(moves.contains(&"d5xd7".to_string()));
    assert!(!moves.iter().any(|text| text.starts_with("d5xd7x")), "{moves:?}");
}

#[test]
fn congo_river_is_safe_for_the_one_who_enters() {
    let congo = game("congo");
    plays(&congo, "Z b2, L d1, l d7, p g6", "White", "b2-c4", "Z c4, L d1, l d7, p g6");
    // Another monkey's captures stand, though it drowns.
    plays(&congo, "M d4, L d1, l d7, p d5, z e5, p g6", "White", "d4xd6xf4", "L d1, l d7, p g6");
    // The enemy's men do not drown in one's own turn.
    plays(&congo, "L d1, l d7, z a4, P g3", "White", "g3-g4", "L d1, l d7, z a4, P g4");
}

#[test]
fn congo_who_cannot_move_loses() {
    // Monkeys step onto empty cells only and find none behind the men beside them; the lion stands
    // among them.
    let crocodiles = "C a4 b4 c4 d4 e4 f4 g4 a5 b5 c5 d5 e5 f5 g5 a6 b6 f6 g6 a7 b7 f7 g7";
    let men = format!("l d7, m c7 e7 c6 d6 e6, {crocodiles}, L d1");
    ends(&game("congo"), &men, "White", "d1-c1", "White");
}

#[test]
fn congo_superpawns() {
    let congo = game("congo");
    plays(&congo, "P a6, L d1, l d7, z g5", "White", "a6-a7", "S a7, L d1, l d7, z g5");
    let moves = legal(&mut at(&congo, "S d4, L c1, l c7", "White"));
    let superpawn: Vec<_> = moves.into_iter().filter(|text| text.starts_with("d4")).collect();
    assert_eq!(
        superpawn,
        ["d4-b2", "d4-c3", "d4-c4", "d4-c5", "d4-d2", "d4-d3", "d4-d5", "d4-e3", "d4-e4", "d4-e5", "d4-f2"]
    );
}

#[test]
fn congo_for_ever() {
    let walk = "d1-c1 d7-e7 c1-d1 e7-d7 d1-c1 d7-e7 c1-d1 e7-d7";
    let start = |name: &str| at(&game(name), "L d1, P a2 d4, l d7", "White");
    let drowned = |name: &str| play_all(&mut start(name), walk);
    // The pawn on d4 drowns with the first move, so the position stands first after it.
    assert_eq!(drowned("congo:threefold draw"), None);
    let again = format!("{walk} d1-c1");
    assert_eq!(play_all(&mut start("congo:threefold draw"), &again).as_deref(), DRAW);
    assert_eq!(play_all(&mut start("congo"), &again), None);
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
fn chess_perft_with_promotions() {
    // Published; the same with colours reversed.
    counts_are(&mut chess("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"), &[6, 264, 9_467]);
    counts_are(&mut chess("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1"), &[6, 264, 9_467]);
}

#[test]
fn chess_perft_of_middle_games() {
    // Published; 62 379 and 89 890 at depth 3.
    counts_are(&mut chess("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"), &[44, 1_486, 62_379]);
    counts_are(&mut chess("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"), &[46, 2_079]);
}

#[test]
fn chess_ends() {
    let mut mate = game("chess").start(0).unwrap();
    assert_eq!(play_all(&mut mate, "f2-f3 e7-e5 g2-g4 d8-h4").as_deref(), Some("Black"));
    let mut stalemate = chess("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1");
    assert_eq!(play_all(&mut stalemate.clone(), "g5-g6").as_deref(), DRAW);
    assert_eq!(play_all(&mut stalemate, "g5-g7").as_deref(), Some("White"));
    let quiet = "4k2r/8/8/8/8/8/4P3/R3K3 w - - 99 80";
    assert_eq!(play_all(&mut chess(quiet), "a1-a2").as_deref(), DRAW);
    assert_eq!(play_all(&mut chess(quiet), "e2-e3"), None);
    // Mate on the hundredth turn counts.
    assert_eq!(play_all(&mut chess("7k/8/5KQ1/8/8/8/8/8 w - - 99 90"), "g6-g7").as_deref(), Some("White"));
}

#[test]
fn chess_dead_positions() {
    for (fen, text, outcome) in [
        ("8/8/4k3/3p4/4K3/8/8/8 w - - 0 1", "e4xd5", None),
        ("8/8/8/3p4/4K2k/8/8/8 w - - 0 1", "e4xd5", DRAW),
        ("8/8/8/3p4/4K2k/8/8/6N1 w - - 0 1", "e4xd5", DRAW),
        ("8/8/8/3p4/4K2k/8/8/5NN1 w - - 0 1", "e4xd5", None),
        ("8/8/8/3p4/4K2k/8/8/6n1 w - - 0 1", "e4xd5", DRAW),
        ("8/8/8/3p4/4K2k/8/8/n5N1 w - - 0 1", "e4xd5", None),
        ("8/8/8/3p4/4K2k/8/8/B7 w - - 0 1", "e4xd5", DRAW),
        // Bishops on cells of one colour, then of both.
        ("8/8/8/3p4/4K2k/8/1b6/B7 w - - 0 1", "e4xd5", DRAW),
        ("8/8/8/3p4/4K2k/8/b7/B7 w - - 0 1", "e4xd5", None),
        ("8/8/8/3p4/4K2k/8/8/B5N1 w - - 0 1", "e4xd5", None),
    ] {
        let mut position = chess(fen);
        if legal(&mut position).iter().any(|legal| legal == text) {
            assert_eq!(play_all(&mut position, text).as_deref(), outcome, "{fen}");
        } else {
            assert_eq!(outcome, None, "{fen}");
        }
    }
}

#[test]
fn chess_threefold_repetition_knows_castling_and_en_passant() {
    let shuffle = "a1-a2 a8-a7 a2-a1 a7-a8";
    let twice = [shuffle, shuffle].join(" ");
    // The first standing could still castle, so it is another position.
    let castling = "r3k3/7p/8/8/8/8/7P/R3K3 w Qq - 0 1";
    assert_eq!(play_all(&mut chess(castling), &twice), None);
    assert_eq!(play_all(&mut chess(&castling.replace("Qq", "-")), &twice).as_deref(), DRAW);
    // A right without a rook is none.
    let mut lost = chess("r3k3/8/8/8/8/6n1/8/R3K2R b K - 0 1");
    assert_eq!(play_all(&mut lost, "g3xh1"), None);
    assert!(!lost.to_string().contains("unmoved"), "{lost}");
    // After e2-e4 a pawn on d4 could take in passing, once.
    let jump = format!("e2-e4 {}", ["a8-a7 a1-a2 a7-a8 a2-a1"; 2].join(" "));
    let passing = "r3k3/7p/8/8/3p4/8/4P3/R3K3 w - - 0 1";
    assert_eq!(play_all(&mut chess(passing), &jump), None);
    let alone = passing.replace("3p4", "2p5");
    assert_eq!(play_all(&mut chess(&alone), &jump).as_deref(), DRAW);
}

/// FIDE 9.2.3: positions differ by the cell that was jumped over only where the jumper could
/// legally be taken.
#[test]
fn chess_threefold_repetition_asks_whether_the_capture_is_legal() {
    let round = |there: &str, back: &str| {
        let round = format!("{there} a1-b1 {back} b1-a1");
        format!("d2-d4 {round} {round}")
    };
    for (fen, moves, expected) in [
        // The pawn beside the jumper is pinned: along its file, along a diagonal, along the rank of both.
        (
            "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b",
            "h7-h5 e6-h6 g7-h7 h6-e6 h7-g7 e6-h6 g7-h7 h6-e6 h7-g7".to_string(),
            DRAW,
        ),
        ("8/8/2k5/8/4p3/8/3P4/K6B w", round("c6-b6", "b6-c6"), DRAW),
        ("8/8/8/8/R3p2k/8/3P4/K7 w", round("h4-h5", "h5-h4"), DRAW),
        // The jump itself gives check along a line that the capture does not close.
        ("8/8/8/8/4p3/8/R2P3k/K7 w", "d2-d4 h2-h3 a2-a3 h3-h2 a3-a2 h2-h1 a2-a3 h1-h2 a3-a2".to_string(), DRAW),
        // The pawn that takes stays on the diagonal, so it may take.
        ("8/8/6k1/8/4p3/8/3P4/KB6 w", round("g6-h6", "h6-g6").replace("b1", "a2"), None),
    ] {
        assert_eq!(play_all(&mut chess(&format!("{fen} - - 0 1")), &moves).as_deref(), expected, "{fen}");
    }
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

#[test]
fn chess960_perft_where_castling_is_near() {
    // python-chess; the first five are published with the perft suites of Chess960.
    let game = game("chess960");
    for (fen, counts) in [
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", [21, 528]),
        ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", [21, 807]),
        ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", [20, 479]),
        ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", [22, 593]),
        ("1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", [28, 1_120]),
        ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", [23, 522]),
        ("1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", [29, 502]),
    ] {
        counts_are(&mut position(&game, fen), &counts);
    }
    counts_are(&mut position(&game, "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1"), &[25, 108, 2_963]);
    counts_are(&mut position(&game, "1r2k3/8/8/8/8/8/8/R1K4R w HA - 0 1"), &[24, 316, 7_351]);
}

#[test]
fn chess960_castling_is_that_of_chess_in_its_array() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for name in ["chess960", "chess960:traditional castling"] {
        counts_are(&mut position(&game(name), fen), &[48, 2_039]);
    }
    assert_eq!(position(&game("chess960:no castling"), fen).perft(1).unwrap(), 46);
}

/// A rank with king and two rooks, what else of Black is there, and the rank after castling to each
/// side: Fischer's to the left and to the right, then the traditional one. Empty: not allowed.
type Castling = (&'static str, &'static str, [&'static str; 4]);

/// Fischer's columns agree with python-chess.
const CASTLINGS: [Castling; 10] = [
    ("1R3KR1", "4k3", ["2KR2R1", "1R3RK1", "3KR1R1", "1R4RK"]),
    ("R5KR", "4k3", ["2KR3R", "R4RK1", "4KR1R", "R5RK"]),
    ("R3KR2", "4k3", ["2KR1R2", "R4RK1", "2KR1R2", "R4RK1"]),
    ("RK5R", "4k3", ["2KR3R", "R4RK1", "KR5R", "R1RK4"]),
    ("1RK3R1", "4k3", ["2KR2R1", "1R3RK1", "KR4R1", "1R1RK3"]),
    // The black queen stands behind the rook.
    ("qR1K3R", "4k3", ["", "qR3RK1", "", "qR2RK2"]),
    // Only the rook crosses b1.
    ("R1K4R", "1r2k3", ["2KR3R", "R4RK1", "", "R2RK3"]),
    ("R3K2R", "3rk3", ["", "R4RK1", "", "R4RK1"]),
    ("RN2K2R", "4k3", ["", "RN3RK1", "", "RN3RK1"]),
    ("RKNR4", "4k3", ["", "", "KRNR4", ""]),
];

/// Castles on each side, as White and, with all men's colours exchanged, as Black.
fn castles(name: &str, results: impl Fn(&Castling) -> [&'static str; 2]) {
    let game = game(name);
    for castling in &CASTLINGS {
        let (rank, far, _) = castling;
        for white in [true, false] {
            let (fen, home) = if white {
                (format!("{far}/8/8/8/8/8/8/{rank} w KQ - 0 1"), 1)
            } else {
                (format!("{}/8/8/8/8/8/8/{} b kq - 0 1", exchanged(rank), exchanged(far)), 8)
            };
            let files = files_of(rank);
            for (rook, result) in [files[0], files[2]].into_iter().zip(results(castling)) {
                let text = format!("{}{home} {rook}{home}", files[1]);
                let mut position = position(&game, &fen);
                let allowed = legal(&mut position).contains(&text);
                assert_eq!(allowed, !result.is_empty(), "{name}: {fen}: {text}");
                if allowed {
                    position.play_text(&text).unwrap();
                    let board = position.to_string();
                    let ranks: Vec<_> = board.split([' ', '/']).take(8).collect();
                    let (found, expected) =
                        if white { (ranks[7], result.to_string()) } else { (ranks[0], exchanged(result)) };
                    assert_eq!(found, expected, "{name}: {fen}: {text}");
                    assert!(!board.contains("unmoved"), "{name}: both rights are gone: {board}");
                }
            }
        }
    }
}

fn exchanged(rank: &str) -> String {
    rank.chars()
        .map(|man| if man.is_uppercase() { man.to_ascii_lowercase() } else { man.to_ascii_uppercase() })
        .collect()
}

/// The files of the white king and rooks of a rank.
fn files_of(rank: &str) -> Vec<char> {
    let mut file = b'a';
    let mut files = Vec::new();
    for man in rank.chars() {
        if matches!(man, 'K' | 'R') {
            files.push(char::from(file));
        }
        file += man.to_digit(10).map_or(1, |empty| empty as u8);
    }
    files
}

#[test]
fn chess960_fischers_castling() {
    castles("chess960", |(_, _, results)| [results[0], results[1]]);
}

#[test]
fn chess960_traditional_castling() {
    castles("chess960:traditional castling", |(_, _, results)| [results[2], results[3]]);
}

#[test]
fn chess960_no_castling() {
    castles("chess960:no castling", |_| ["", ""]);
}

#[test]
fn chess960_castling_needs_unmoved_men() {
    let castle = |name: &str, fen: &str| {
        legal(&mut position(&game(name), fen)).into_iter().filter(|text| text.contains(' ')).count()
    };
    for name in ["chess960", "chess960:traditional castling"] {
        assert_eq!(castle(name, "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1"), 2);
        assert_eq!(castle(name, "4k3/8/8/8/8/8/8/1R3KR1 w B - 0 1"), 1);
        assert_eq!(castle(name, "4k3/8/8/8/8/8/8/1R3KR1 w - - 0 1"), 0);
        // Not out of check.
        assert_eq!(castle(name, "4kr2/8/8/8/8/8/8/1R3KR1 w GB - 0 1"), 0);
    }
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
