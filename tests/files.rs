//! Other programs' files: positions, moves, suites of counts, settings of variants; and shards of simulations on many machines.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use lusoria::cli::functions;
use lusoria::{Error, Game};
use serde_json::Value;

use crate::cli::{FINE, RULES, USAGE, fails, fine, folder, json, lusoria};
use crate::common::{game, project, shipped_games};

fn at(game: &Game, text: &str) -> String {
    game.position(text).unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

/// The code of an error, and the words that it points at.
fn wrong<'t>(game: &Game, text: &'t str) -> (&'static str, &'t str) {
    match game.position(text) {
        Err(Error::Notation(error)) => (error.code(), &text[error.span.clone()]),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn notes_of_formats_fit_their_games() {
    let games = shipped_games();
    assert!(games.len() > 30);
    for game in games {
        assert_eq!(game.format_mistakes(), [], "{}", game.name());
    }
}

#[test]
fn fen_is_read_with_rights_counters_and_the_skipped_cell() {
    let chess = game("chess");
    let start = chess.start(0).expect("it begins").to_string();
    assert_eq!(at(&chess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), start);
    assert_eq!(at(&chess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -"), start);
    // Nobody may take in passing: the cell that was skipped makes no new position.
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert!(!at(&chess, after).contains("skipped"));
    let taken = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
    assert!(at(&chess, taken).contains("skipped=e3"));
    // The outermost rook, unless the file says another.
    let rooks = |rights: &str| at(&chess, &format!("4k3/8/8/8/8/8/8/RR2K1RR w {rights} - 7 30"));
    assert_eq!(rooks("KQ"), "4k3/8/8/8/8/8/8/RR2K1RR White unmoved=a1+e1+h1 quiet=7");
    assert_eq!(rooks("GB"), "4k3/8/8/8/8/8/8/RR2K1RR White unmoved=b1+e1+g1 quiet=7");
    // The words of this program are read as they were.
    assert_eq!(at(&chess, "4k3/8/8/8/8/8/8/4K2R w unmoved=e1+h1"), "4k3/8/8/8/8/8/8/4K2R White unmoved=e1+h1");
}

#[test]
fn what_is_wrong_with_fen_is_told_with_its_field() {
    let chess = game("chess");
    let with = |rest: &str| format!("4k3/8/8/8/8/8/8/4K2R {rest}");
    for (rest, code, place) in [
        ("x K - 0 1", "position-field", "x"),
        ("w KX - 0 1", "position-field", "X"),
        ("w Q - 0 1", "position-field", "Q"),
        ("w k - 0 1", "position-field", "k"),
        ("w K e9 0 1", "position-field", "e9"),
        ("w K - many 1", "position-field", "many"),
        ("w K - 0 -1", "position-field", "-1"),
        ("w K - 0 99999999999", "position-field", "99999999999"),
        ("w K - 0 1 more", "position-field", "more"),
    ] {
        assert_eq!(wrong(&chess, &with(rest)), (code, place), "{rest}");
    }
    assert_eq!(wrong(&chess, "4k3/8/8/8/8/8/4K2R w K - 0 1").0, "position-parts");
    assert_eq!(wrong(&chess, "4k3/8/8/3y4/8/8/8/4K2R w K - 0 1"), ("position-man", "y"));
    let message = fails(&["moves", "chess", "--position", &with("w KX - 0 1")], USAGE);
    assert!(
        message.contains("`X` does not fit the field `rights`")
            && message.contains("this field wants somebody to castle with"),
        "{message}"
    );
}

#[test]
fn both_letterings_of_a_game_are_read() {
    let xiangqi = game("xiangqi");
    let start = xiangqi.start(0).expect("it begins").to_string();
    let rest = "1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9";
    for (text, side) in [("rnbakabnr", "w"), ("rheakaehr", "r"), ("rneakaenr", "w"), ("rhbakabhr", "Red")] {
        let line = format!("{text}/9/{rest}/{} {side} - - 0 1", text.to_uppercase());
        assert_eq!(at(&xiangqi, &line), start, "{line}");
    }
}

#[test]
fn diagrams_are_read_with_and_without_coordinates() {
    let othello = game("othello");
    let start = othello.start(0).expect("it begins").to_string();
    let line = "---------------------------OX------XO--------------------------- X";
    assert_eq!(at(&othello, line), start);
    assert_eq!(at(&othello, &format!("BO[8 {}]", line.replace('X', "*"))), start);
    let rows: Vec<String> = (0..8).map(|row| format!("{} {} |", row + 1, &line[row * 8..row * 8 + 8])).collect();
    assert_eq!(at(&othello, &format!("  A B C D E F G H\n{}", rows.join("\n"))), start);
    // The same board from the other side, as its numbers say.
    let turned: Vec<String> = rows.into_iter().rev().collect();
    assert_eq!(at(&othello, &turned.join("\n")), start);
    // A board without symmetry: the first glyph is a1.
    assert!(at(&othello, &format!("XO{} O", "-".repeat(62))).ends_with("/BW6 White"));
    assert_eq!(wrong(&othello, "XO---").0, "position-field");
    let pente = game("pente");
    let mut board = vec![".".repeat(19); 19];
    board[0].replace_range(0..2, "XO");
    let text = at(&pente, &board.join("\n"));
    assert!(text.starts_with("BW17/") || text.starts_with("WB17/"), "{text}");
}

#[test]
fn no_foreign_text_makes_reading_panic() {
    let games = [game("chess"), game("xiangqi"), game("othello"), game("pente")];
    let bits = [
        "/",
        "8",
        "K",
        "é",
        "+",
        "[",
        "]",
        "Pp",
        "-",
        "X",
        "O",
        " ",
        " w ",
        "KQkq",
        "\n",
        "BO[",
        "99999999999999999999",
        "a1",
        "|",
        "1 ",
    ];
    let mut lot: u64 = 7;
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..lot % 40 {
            lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text += bits[(lot >> 33) as usize % bits.len()];
        }
        lot = lot.wrapping_add(1);
        for game in &games {
            if let Err(Error::Notation(error)) = game.position(&text) {
                assert!(text.get(error.span.clone()).is_some() && !error.message().is_empty(), "{text:?}");
            }
        }
    }
    let long = "8/".repeat(1 << 18);
    assert!(games.iter().all(|game| game.position(&long).is_err()));
}

#[test]
fn abbreviated_moves_are_read() {
    let chess = game("chess");
    let mut position = chess.start(0).expect("it begins");
    // The Scotch Game, with a castling, a capture in passing and a promotion at its end.
    let moves = "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nf6 Nc3 Bb4 Nxc6 bxc6 Bd3 d5 exd5 cxd5 O-O O-O Bg5 c6";
    position.play_moves(moves.split_whitespace()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(position.to_string(), at(&chess, "r1bq1rk1/p4ppp/2p2n2/3p2B1/1b6/2NB4/PPP2PPP/R2Q1RK1 w - - 0 11"));
    for (fen, text, meant) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Rd1", "a1-d1"),
        ("4k3/8/8/8/4K3/8/8/R6R w - - 0 1", "Rae1+", "a1-e1"),
        ("R7/8/4k3/8/4K3/8/8/R7 w - - 0 1", "R1a4", "a1-a4"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+", "a7-a8=Q"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8N", "a7-a8=N"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6!?", "e5-d6"),
    ] {
        let position = chess.position(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let found = position.find_move(text).unwrap_or_else(|error| panic!("{fen} {text}: {error}"));
        assert_eq!(found.to_string().replace('x', "-"), meant, "{fen}");
        let written = position.abbreviation(&found).expect("it has one");
        assert_eq!(position.find_move(&written).expect("it is read").to_string(), found.to_string());
    }
    let two = chess.position("4k3/8/8/8/4K3/8/8/R6R w - - 0 1").expect("it is right");
    let Err(Error::Notation(error)) = two.find_move("Re1") else { panic!("both rooks can") };
    assert_eq!(error.code(), "move-ambiguous");
    for text in ["Qe9", "Nz3", "N", "=Q", "x", "P@e4", "é4"] {
        assert!(two.find_move(text).is_err(), "{text}");
    }
}

#[test]
fn suites_are_counted_and_differences_told() {
    let epd =
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66\n\n# a word\n4k3/8/8/8/8/8/8/R3K3 w A - 0 1 ;D1 16 ;D2 71\n";
    let wrong = epd.replace("D2 71", "D2 72");
    let perft = "id one\nepd 4k3/8/8/8/8/8/8/4K2R w K - 0 1\nperft 1 15\nperft 2 66\n";
    let files = folder(&[("a.epd", epd.as_bytes()), ("b.epd", wrong.as_bytes()), ("c.perft", perft.as_bytes())]);
    let path = |name: &str| files.path().join(name).display().to_string();
    let said = fine(&["perft", "chess", "--suite", &path("a.epd")]);
    assert!(said.starts_with("2 positions, 4 counts, 168 sequences: all as expected"), "{said}");
    assert!(fine(&["perft", "chess", "--suite", &path("c.perft")]).starts_with("1 positions, 2 counts"));
    assert_eq!(json(&["perft", "chess", "--suite", &path("b.epd"), "--depth", "1", "--json"])["counts"], 2);
    let (code, out, err) = lusoria(&["perft", "chess", "--suite", &path("b.epd")]);
    assert_eq!((code, err.as_str()), (RULES, ""));
    assert!(out.contains("b.epd:4: depth 2: 72 expected, 71 counted"), "{out}");
    let (code, out, _) = lusoria(&["perft", "chess", "--suite", &path("b.epd"), "--json", "--executor", "reference"]);
    let told: Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(
        (code, &told["differences"][0]["line"], &told["differences"][0]["found"]),
        (RULES, &4.into(), &71.into())
    );
}

#[test]
fn broken_suites_are_told_with_their_line() {
    let long = vec![b'8'; 2 << 20];
    let files = folder(&[
        ("a", b"8/8 w - - 0 1 ;D1"),
        ("b", b"nonsense ;D1 20\n"),
        ("c", b""),
        ("d", &long),
        ("e", b"\xff\xfe\x00"),
    ]);
    let path = |name: &str| files.path().join(name).display().to_string();
    assert!(fails(&["perft", "chess", "--suite", &path("a")], USAGE).contains(":1: `1` is not a depth"));
    let (code, out, _) = lusoria(&["perft", "chess", "--suite", &path("b")]);
    assert!(code == RULES && out.contains("b:1: depth 1: 20 expected"), "{out}");
    assert!(fails(&["perft", "chess", "--suite", &path("c")], USAGE).contains("it has no counts"));
    assert!(fails(&["perft", "chess", "--suite", &path("d")], USAGE).contains(":1: it is longer than 1 MiB"));
    assert!(fails(&["perft", "chess", "--suite", &path("e")], USAGE).contains("no counts"));
    assert!(fails(&["perft", "chess", "--suite", &path("none")], USAGE).contains("cannot read"));
    fails(&["perft", "chess", "--suite", &path("a"), "3"], USAGE);
}

/// A public suite of Chess960, where it is at hand.
#[test]
fn a_public_suite_is_read_as_it_is() {
    let suite = project("../shared/data/chess960.epd");
    if !suite.exists() {
        eprintln!("skipped: no {}", suite.display());
        return;
    }
    let said = fine(&["perft", "chess960", "--suite", &suite.display().to_string(), "--depth", "1"]);
    assert!(said.contains("240 positions, 240 counts") && said.contains("all as expected"), "{said}");
}

/// The position behind the moves of a file.
fn behind(game: &str, file: &str) -> String {
    json(&["show", game, "--moves", file, "--json"])["position"].as_str().expect("a text").to_string()
}

#[test]
fn files_of_games_are_played() {
    let pgn = "[Event \"One\"]\n[Result \"1-0\"]\n\n1. e4 {best} e5 2.Nf3 (2. f4 exf4 (2... d5)) Nc6 $1 3. Bb5 a6! ; a word\n\
               4. 0-0 1-0\n\n[Event \"Two\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. Rh8+ *\n";
    let sgf = "(;GM[1]SZ[19]C[a \\] in it];B[jj];W[kk](;B[aa])(;B[bb];W[cc]))";
    let psq = "Piskvorq 19x19, 11:11, 0\n10,10,0\n11,11,1000\n1,1,5\nhuman.zip\n";
    let files = folder(&[
        ("a.pgn", pgn.as_bytes()),
        ("a.txt", b"f5d6c3d3c4f4"),
        ("b.txt", b"1. F5 D6 2. C3 D3 3. C4 F4"),
        ("c.txt", b"# a word\nf5\n\nd6 c3\nd3\nc4\nf4\n"),
        ("a.sgf", sgf.as_bytes()),
        ("a.psq", psq.as_bytes()),
        ("wrong.pgn", b"1. e4 e5\n2. Ke3 Nc6 *\n"),
        ("open.pgn", b"1. e4 { no end"),
        ("open.sgf", b"(;B[aa];W[bb"),
        ("none", b"\n\n"),
    ]);
    let path = |name: &str| files.path().join(name).display().to_string();
    let after = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4";
    assert_eq!(behind("chess", &path("a.pgn")), at(&game("chess"), after));
    assert_eq!(behind("chess", &path("a.pgn#2")), at(&game("chess"), "4k2R/8/8/8/8/8/8/4K3 b - - 1 1"));
    let played = behind("othello", &path("a.txt"));
    assert_eq!([behind("othello", &path("b.txt")), behind("othello", &path("c.txt"))], [played.clone(), played]);
    let stones = behind("pente", &path("a.sgf"));
    assert!(stones.starts_with("W18/") && stones.contains("/9W9/10B8/"), "{stones}");
    assert_eq!(behind("pente", &path("a.psq")), stones);
    let message = fails(&["show", "chess", "--moves", &path("wrong.pgn")], RULES);
    assert!(message.contains("wrong.pgn:2:") && message.contains("`Ke3` is ply 3"), "{message}");
    for (name, why) in
        [("open.pgn", "this comment has no end"), ("open.sgf", "this value has no end"), ("none", "no game")]
    {
        assert!(fails(&["show", "chess", "--moves", &path(name)], USAGE).contains(why), "{name}");
    }
    assert!(fails(&["show", "chess", "--moves", &path("a.pgn#3")], USAGE).contains("2 games, and no game 3"));
}

/// Examples of moves in the format's own pages: red-bean.com/sgf/loa.html and amazons.html.
#[test]
fn sgf_of_lines_of_action_and_amazons_is_read() {
    let loa = "(;GM[9]FF[4];B[e1-e3];W[A2:C2];B[G1-G3++!];W[h7-f7];B[resign])";
    let amazons = "(;GM[18]SZ[10];B[djddgd];W[gagcec])";
    let files = folder(&[("a.sgf", loa.as_bytes()), ("b.sgf", amazons.as_bytes()), ("bad.sgf", b"(;B[djddgdzz])")]);
    let path = |name: &str| files.path().join(name).display().to_string();
    let moves = |game: &str, name: &str| fine(&["convert", game, &path(name)]);
    assert_eq!(moves("lines_of_action", "a.sgf"), "e1-e3\na2-c2\ng1-g3\nh7-f7\n\n");
    assert_eq!(moves("amazons", "b.sgf"), "d1-d7 g7\ng10-g8 e8\n\n");
    let message = fails(&["show", "amazons", "--moves", &path("bad.sgf")], RULES);
    assert!(message.contains("bad.sgf:1:") && message.contains("djddgdzz"), "{message}");
}

/// Handicap stones, rectangles, cells that are emptied, and whose move is next.
#[test]
fn men_that_sgf_sets_up_stand_there() {
    let files = folder(&[
        ("handicap.sgf", b"(;GM[1]SZ[13]HA[2]AB[dd][jj];W[gg];B[aa])"),
        ("problem.sgf", b"(;GM[1]SZ[13]AB[aa:cb]AW[ac]AE[ba]PL[W])"),
        ("late.sgf", b"(;GM[1]SZ[13];B[dd]\n;AW[jj])"),
        ("wide.sgf", b"(;GM[1]SZ[13]AB[zz];B[dd])"),
        ("odd.sgf", b"(;GM[1]SZ[13]AB[abc];B[dd])"),
        ("white.sgf", b"(;GM[1]SZ[13]PL[white];W[aa])"),
        ("who.sgf", b"(;GM[1]SZ[13]AB[aa]PL[X])"),
        ("mate.sgf", b"(;PL[B])"),
    ]);
    let path = |name: &str| files.path().join(name).display().to_string();
    let stands = behind("gonnect", &path("handicap.sgf"));
    assert!(stands.starts_with("B12/13/13/3B9/13/13/6W6/13/13/9B3/13/13/13 White"), "{stands}");
    let problem = behind("gonnect", &path("problem.sgf"));
    assert!(problem.starts_with("B1B10/BBB10/W12/13/13/13/13/13/13/13/13/13/13 White"), "{problem}");
    // `PL` alone says who begins, in games of several kinds too.
    assert!(behind("gonnect", &path("white.sgf")).starts_with("W12/13/"), "{}", behind("gonnect", &path("white.sgf")));
    assert!(behind("chess", &path("mate.sgf")).contains("/RNBQKBNR Black"), "{}", behind("chess", &path("mate.sgf")));
    let white = fine(&["convert", "gonnect", &path("white.sgf"), "--to", "sgf"]);
    assert!(white.contains("GN[Gonnect]PL[W]FEN[") && white.contains(";W[aa])"), "{white}");
    let converted = fine(&["convert", "gonnect", &path("handicap.sgf"), "--to", "sgf"]);
    assert!(converted.contains("AB[jj][dd]PL[W]FEN["), "{converted}");
    // Programs that know no `FEN` read the same.
    let (before, after) = converted.split_once("FEN[").expect("it is there");
    let plain = format!("{before}{}", after.split_once(']').expect("it ends").1);
    let plain = folder(&[("plain.sgf", plain.as_bytes())]);
    assert_eq!(behind("gonnect", &plain.path().join("plain.sgf").display().to_string()), stands);
    let again = folder(&[("again.sgf", converted.as_bytes())]);
    assert_eq!(behind("gonnect", &again.path().join("again.sgf").display().to_string()), stands);
    for (name, why) in [
        ("late.sgf", "behind a move"),
        ("wide.sgf", "no cell"),
        ("odd.sgf", "no list of cells"),
        ("who.sgf", "`PL[X]` is neither B nor W"),
    ] {
        let message = fails(&["show", "gonnect", "--moves", &path(name)], USAGE);
        assert!(message.contains(why), "{name}: {message}");
    }
    assert!(fails(&["show", "chess", "--moves", &path("handicap.sgf")], USAGE).contains("which of this game's kinds"));
}

/// What is written as SGF is read as the same moves; who has which letter, and how cells are written, the rules say.
#[test]
fn games_are_written_as_sgf() {
    for (game, moves, sgf) in [
        (
            "lines_of_action",
            "e1-e3\na2-c2\ng1-g3\n\n",
            "GM[9]FF[4]CA[UTF-8]AP[Lusoria]SZ[8]GN[Lines of Action]\n;B[e1-e3];W[a2-c2]",
        ),
        (
            "amazons",
            "d1-d7 g7\ng10-g8 e8\n\n",
            "GM[18]FF[4]CA[UTF-8]AP[Lusoria]SZ[10]GN[Amazons]\n;B[djddgd];W[gagcec])",
        ),
        ("gonnect", "b2\nl12\n\n", "GM[1]FF[4]CA[UTF-8]AP[Lusoria]SZ[13]GN[Gonnect]\n;B[bl];W[lb])"),
        ("pente", "j10\nk9\n\n", "GM[4]FF[4]CA[UTF-8]AP[Lusoria]SZ[19]GN[Pente]\n;W[jj];B[kk])"),
        ("othello", "f5\nd6\nc3\n\n", "SZ[8]GN[Othello]\n;B[fd];W[dc];B[cf])"),
        ("chess", "e2-e4\ne7-e5\ng1-f3\n\n", "SZ[8]GN[Chess]\n;W[eeed"),
    ] {
        let files = folder(&[("a.txt", moves.as_bytes())]);
        let path = |name: &str| files.path().join(name).display().to_string();
        let written = fine(&["convert", game, &path("a.txt"), "--to", "sgf"]);
        if game != "chess" {
            assert!(written.contains(sgf), "{game}: {written}");
        }
        std::fs::write(path("a.sgf"), &written).expect("it is written");
        assert_eq!(fine(&["convert", game, &path("a.sgf")]), moves, "{written}");
    }
    let files = folder(&[("a.pgn", b"[White \"A ] B\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. Rh8+ *\n")]);
    let path = |name: &str| files.path().join(name).display().to_string();
    let written = fine(&["convert", "chess", &path("a.pgn"), "--to", "sgf"]);
    assert!(written.contains("PW[A \\] B]"), "{written}");
    std::fs::write(path("a.sgf"), &written).expect("it is written");
    assert_eq!(behind("chess", &path("a.sgf")), behind("chess", &path("a.pgn")));
    fails(&["convert", "examples/backgammon.rules", &path("a.pgn"), "--to", "sgf"], USAGE);
}

/// As programs of Nine Men's Morris write games: a man that a mill takes stands behind an `x`.
#[test]
fn notation_of_mills_is_read() {
    let text = b"1. d6 f4 2. d7 b4 3. d5xf4 g7\n4. a1 a7\n";
    let files = folder(&[("a.txt", text), ("b.txt", b"d6\nf4\nd7\nb4\nd5xf4\ng7\na1\na7\n")]);
    let path = |name: &str| files.path().join(name).display().to_string();
    let numbered = behind("nine_mens_morris", &path("a.txt"));
    assert_eq!(behind("nine_mens_morris", &path("b.txt")), numbered);
    assert!(fine(&["convert", "nine_mens_morris", &path("a.txt")]).contains("\nd5 f4\n"));
}

/// `play` reads what `show` reads, and lines that people type.
#[test]
fn play_reads_files_of_games() {
    let files = folder(&[
        ("a.pgn", b"1. e4 {best} e5 2. Nf3 (2. f4) Nc6 *\n\n1. d4 d5 *\n"),
        ("b.pgn", b"[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. Rh8+ *\n"),
        ("typed.txt", b"e2e4\nundo\nd4 d5\nc4\n"),
        ("f5.txt", b"f5d6c3d3c4f4\n"),
        ("wrong.pgn", b"1. e4 e5\n2. Ke3 *\n"),
    ]);
    let path = |name: &str| files.path().join(name).display().to_string();
    let played = |game: &str, name: &str| {
        let text = fine(&["play", game, "--seat", "human", "--seat", "human", "--moves", &path(name)]);
        text.lines().rev().find_map(|line| line.strip_prefix("moves: ")).expect("a line").to_string()
    };
    assert_eq!(played("chess", "a.pgn"), "e2-e4, e7-e5, g1-f3, b8-c6");
    assert_eq!(played("chess", "a.pgn#2"), "d2-d4, d7-d5");
    assert_eq!(played("chess", "b.pgn"), "h1-h8");
    assert_eq!(played("chess", "typed.txt"), "d2-d4, d7-d5, c2-c4");
    assert_eq!(played("othello", "f5.txt"), "f5, d6, c3, d3, c4, f4");
    let wrong = ["play", "chess", "--seat", "human", "--seat", "human", "--moves", &path("wrong.pgn")];
    assert!(fails(&wrong, RULES).contains("wrong.pgn:2:"));
}

#[test]
fn games_are_converted_and_read_again() {
    let pgn = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 c6 *\n\n1. d4 d5 2. Ke3 *\n\n1. h4 *\n";
    let files = folder(&[("a.pgn", pgn.as_bytes())]);
    let path = |name: &str| files.path().join(name).display().to_string();
    let (code, moves, err) = lusoria(&["convert", "chess", &path("a.pgn")]);
    assert_eq!(code, RULES);
    assert_eq!(moves, "e2-e4\nd7-d5\ne4xd5\nd8xd5\nb1-c3\nd5-a5\nd2-d4\nc7-c6\n\nh2-h4\n\n");
    assert!(err.contains("a.pgn:3: game 2: ply 3, `Ke3`"), "{err}");
    let (code, out, err) = lusoria(&["convert", "chess", &path("a.pgn"), "--json"]);
    assert_eq!((code, err.as_str()), (RULES, ""));
    let data: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    let text = |at: usize| data["games"][at]["text"].as_str().expect("a text").to_string();
    assert_eq!([text(0), text(1)].concat(), moves);
    assert_eq!((&data["games"][1]["game"], &data["failed"][0]["line"]), (&3.into(), &3.into()));
    assert!(data["failed"][0]["error"].to_string().contains("ply 3, `Ke3`"), "{out}");
    let end = behind("chess", &path("a.pgn"));
    for (form, name) in [("record", "b.jsonl"), ("pgn", "b.pgn")] {
        let (_, text, _) = lusoria(&["convert", "chess", &path("a.pgn"), "--to", form]);
        std::fs::write(path(name), text).expect("it is written");
        assert_eq!(behind("chess", &path(name)), end, "{form}");
    }
    let written = std::fs::read_to_string(path("b.pgn")).expect("it is there");
    assert!(written.contains("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 c6 *"), "{written}");
}

/// Counts of `pyffish` 0.0.90, from the first position.
#[test]
fn imported_variants_count_as_their_engine_does() {
    let files = folder(&[]);
    let out = files.path().display().to_string();
    let (code, said, err) = lusoria(&["import", "tests/data/variants.ini", "--out", &out]);
    assert_eq!((code, said.as_str()), (FINE, "9 of 10 variants written\n"));
    assert_eq!(err, "ducks: not written: flagMove = true; wallingRule = duck\n");
    for (name, counts) in COUNTS {
        let path = files.path().join(format!("{name}.rules")).display().to_string();
        assert_eq!(fine(&["fmt", "--check", &path]), "", "{name}");
        // Deeper ones would take minutes without optimisation.
        for (depth, count) in (1..).zip(counts.into_iter().filter(|count| *count < 6000)) {
            assert_eq!(fine(&["perft", &path, &depth.to_string()]), format!("{count}\n"), "{name} {depth}");
        }
    }
    // A file that is there stays.
    assert!(fails(&["import", "tests/data/variants.ini", "corner", "--out", &out], USAGE).contains("corner.rules"));
}

#[test]
fn one_variant_is_printed_or_its_settings_named() {
    let rules = fine(&["import", "tests/data/variants.ini", "row"]);
    assert!(rules.starts_with("# Imported from `row` of variants.ini, line "), "{rules}");
    assert!(Game::from_source(&rules).is_ok());
    let (code, out, err) = lusoria(&["import", "tests/data/variants.ini", "ducks"]);
    assert_eq!((code, out.as_str()), (RULES, ""));
    assert!(err.contains("wallingRule = duck"), "{err}");
    let told = json(&["import", "tests/data/variants.ini", "--json"]);
    assert_eq!((&told["imported"], &told["variants"][7]["unknown"][0]), (&9.into(), &"flagMove = true".into()));
    assert!(fails(&["import", "tests/data/variants.ini", "none"], USAGE).contains("it has no variant `none`"));
}

#[test]
fn broken_settings_are_told() {
    let circle = b"[a:b]\nmaxRank = 3\n[b:a]\n";
    let nested: String = (0..100).map(|n| format!("[v{}:v{n}]\n", n + 1)).collect();
    let huge = format!("[a:chess]\nstartFen = {}\n", "p".repeat(3 << 20));
    let wide = "[a:chess]\nmaxFile = 99999999999\n[b:chess]\nmaxFile = 4000000000\n[c:chess]\nmaxRank = 0\n";
    let odd =
        "[\u{e9}:chess]\n[../x:chess]\n[\"]\npawn = p\n[z:chess]\ncustomPiece1 = p:QQQQ0\n[y]\ncustomPiece1 = p:m\n";
    let files = folder(&[
        ("circle", circle),
        ("nested", nested.as_bytes()),
        ("huge", huge.as_bytes()),
        ("wide", wide.as_bytes()),
        ("odd", odd.as_bytes()),
        ("line", b"[a]\nnonsense\n"),
        ("none", b"# nothing\n"),
        ("large", &vec![b'#'; 5 << 20]),
    ]);
    let path = |name: &str| files.path().join(name).display().to_string();
    for name in ["circle", "nested", "huge", "wide", "odd"] {
        let (code, out, _) = lusoria(&["import", &path(name), "--json"]);
        let told: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{name}: {error}: {out}"));
        assert!(code == RULES || name == "odd", "{name}: {told}");
    }
    assert!(fails(&["import", &path("line"), "--json"], USAGE).contains("line 2: `nonsense` is no setting"));
    assert!(fails(&["import", &path("none"), "--json"], USAGE).contains("it has no variants"));
    assert!(fails(&["import", &path("large"), "--json"], USAGE).contains("more than 4 MiB"));
    let out = files.path().join("out").display().to_string();
    assert!(fails(&["import", &path("odd"), "../x", "--out", &out], USAGE).contains("is no name of a file"));
}

/// The variants of the engine's own example file, where it is at hand.
#[test]
fn most_public_variants_are_imported() {
    let path = project("../shared/data/variants.ini");
    if !path.exists() {
        eprintln!("skipped: no {}", path.display());
        return;
    }
    let text = std::fs::read_to_string(&path).expect("it is read");
    let imported = lusoria::import::import(&text, None).expect("it is right");
    let written: Vec<_> = imported.iter().filter_map(|one| Some((&one.name, one.rules.as_ref().ok()?))).collect();
    assert!(imported.len() == 143 && written.len() >= 115, "{} of {}", written.len(), imported.len());
    for (name, rules) in written {
        let checked = crate::common::check(rules);
        assert!(!checked.has_errors(), "{name}: {:?}", checked.mistakes);
    }
}

/// What a run says, without what is measured.
fn result(text: &str) -> Value {
    let mut told: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    for measured in ["seconds", "games_per_second"] {
        assert!(told.as_object_mut().expect("an object").remove(measured).is_some());
    }
    told
}

fn shards(folder: &Path, game: &str, of: usize, more: &[&str]) -> Vec<String> {
    let mut paths = Vec::new();
    for shard in 1..=of {
        let path = folder.join(format!("{of}-{shard}.json")).display().to_string();
        let shard = format!("{shard}/{of}");
        let plain = ["simulate", game, "--games", "50", "--seed", "5", "--shard", &shard, "--out", &path];
        let arguments = [plain.as_slice(), more];
        fine(&arguments.concat());
        paths.push(path);
    }
    paths
}

#[test]
fn shards_merge_to_the_result_of_one_run() {
    let files = folder(&[]);
    for (game, more) in [("examples/einstein.rules", [].as_slice()), ("breakthrough:5x5", ["--details"].as_slice())] {
        let whole = [["simulate", game, "--games", "50", "--seed", "5", "--json"].as_slice(), more].concat();
        let whole = result(&fine(&whole));
        for of in [1, 3] {
            let paths = shards(files.path(), game, of, more);
            let merged: Vec<&str> = ["merge", "--json"].into_iter().chain(paths.iter().map(String::as_str)).collect();
            assert_eq!(result(&fine(&merged)), whole, "{game} {of}");
            let backwards: Vec<&str> =
                ["merge", "--json"].into_iter().chain(paths.iter().rev().map(String::as_str)).collect();
            assert_eq!(result(&fine(&backwards)), whole, "{game} {of}");
        }
    }
}

#[test]
fn parts_of_the_library_are_those_of_the_command() {
    let files = folder(&[]);
    let game = functions::load("breakthrough:5x5", None, Vec::new()).expect("it is shipped");
    let how = functions::Simulation { games: 50, seed: 5, max_turns: 2000, threads: 2, setup: None };
    let (stop, mut told) = (AtomicBool::new(false), 0);
    let second = functions::part(&game, &how, (2, 2), &stop, |more| told += more).expect("no fault");
    let second = second.expect("all of it");
    assert_eq!(told, 25);
    let path = files.path().join("second.json").display().to_string();
    std::fs::write(&path, &second).expect("written");
    let whole = result(&fine(&["simulate", "breakthrough:5x5", "--games", "50", "--seed", "5", "--json"]));
    let first = shards(files.path(), "breakthrough:5x5", 2, &[]).swap_remove(0);
    assert_eq!(result(&fine(&["merge", "--json", &first, &path])), whole);
    let first = std::fs::read_to_string(first).expect("it is there");
    let merged = functions::merge(&[second.clone(), first.clone()]).expect("all games");
    let merged = serde_json::to_string(&merged).expect("numbers and strings");
    let merged: Value = serde_json::from_str(&merged).expect("JSON");
    for name in ["games", "seed", "players", "draws", "turns", "ends"] {
        assert_eq!(merged[name], whole[name], "{name}");
    }
    assert!(functions::merge(&[first]).expect_err("half of them").contains("games 25 to 49"));
    assert!(functions::merge(&[second.clone(), second]).expect_err("twice").contains("in another part"));
    stop.store(true, Ordering::Relaxed);
    assert_eq!(functions::part(&game, &how, (1, 2), &stop, |_| {}).expect("no fault"), None);
}

#[test]
fn what_does_not_belong_together_is_not_merged() {
    let files = folder(&[("no.json", b"{}"), ("deep.json", "[".repeat(100_000).as_bytes())]);
    let path = |name: &str| files.path().join(name).display().to_string();
    let paths = shards(files.path(), "breakthrough:5x5", 2, &[]);
    let (a, b) = (paths[0].as_str(), paths[1].as_str());
    assert!(fails(&["merge", a], USAGE).contains("games 25 to 49"));
    assert!(fails(&["merge", b], USAGE).contains("games 0 to 24"));
    assert_eq!(json(&["merge", a, "--partial", "--json"])["partial"], true);
    assert!(fails(&["merge", a, b, b], USAGE).contains("are in it and in another part"));
    assert!(fails(&["merge", a, &path("no.json")], USAGE).contains("it is no file of `simulate --out`"));
    assert!(fails(&["merge", a, &path("deep.json")], USAGE).contains("cannot read"));
    fine(&["simulate", "breakthrough:5x5", "--games", "50", "--seed", "6", "--shard", "2/2", "--out", &path("6.json")]);
    assert!(fails(&["merge", a, &path("6.json")], USAGE).contains("another seed"));
    // Counts that say more than there can be.
    let text = std::fs::read_to_string(b).expect("it is there");
    std::fs::write(path("much.json"), text.replacen("\"draws\":0", "\"draws\":18446744073709551615", 1))
        .expect("written");
    std::fs::write(path("torn.json"), &text[..text.len() / 2]).expect("written");
    assert!(fails(&["merge", a, &path("torn.json")], USAGE).contains("cannot read"));
    assert!(fails(&["merge", a, &path("much.json")], USAGE).contains("are not those of its game"));
    for wrong in ["0/3", "4/3", "1", "a/b", "1/0"] {
        fails(&["simulate", "breakthrough:5x5", "--shard", wrong, "--out", &path("x.json")], USAGE);
    }
}

/// What is no plain file may never end.
#[test]
#[cfg(unix)]
fn only_plain_files_are_read() {
    let files = folder(&[]);
    let directory = files.path().display().to_string();
    for (path, why) in [(directory.as_str(), "it is a directory"), ("/dev/zero", "it is a device")] {
        for command in [
            ["merge", path].as_slice(),
            ["import", path, "x"].as_slice(),
            ["convert", "chess", path].as_slice(),
            ["perft", "chess", "--suite", path].as_slice(),
            ["show", "chess", "--moves", path].as_slice(),
        ] {
            let told = fails(command, USAGE);
            assert!(told.contains(why), "{command:?}: {told}");
        }
    }
}

/// A shard is killed at some moment, again and again, and goes on from what its file has.
#[test]
#[cfg(unix)]
fn a_shard_goes_on_after_it_was_killed() {
    let files = folder(&[]);
    let (path, whole) = (files.path().join("a.json"), files.path().join("b.json"));
    let (path, whole) = (path.display().to_string(), whole.display().to_string());
    let run = |out: &str| {
        let mut command =
            crate::cli::command(&["simulate", "breakthrough:5x5", "--games", "400", "--seed", "3", "--out", out]);
        command.args(["--resume", "--checkpoint", "20", "--executor", "scalar"]);
        command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null());
        command
    };
    let mut done = 0;
    for after in [400, 700, 1000] {
        let mut child = run(&path).spawn().expect("it starts");
        std::thread::sleep(std::time::Duration::from_millis(after));
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
        if let Ok(text) = std::fs::read_to_string(&path) {
            let part: Value = serde_json::from_str(&text).expect("the file is whole at any moment");
            let now = part["done"].as_u64().expect("a number");
            assert!(now >= done && now.is_multiple_of(20));
            done = now;
        }
    }
    for out in [&path, &whole] {
        assert!(run(out).status().expect("it ends").success());
    }
    let merged = |part: &str| result(&fine(&["merge", "--json", part]));
    assert_eq!(merged(&path), merged(&whole));
    let message =
        fails(&["simulate", "breakthrough:5x5", "--games", "400", "--seed", "4", "--out", &path, "--resume"], USAGE);
    assert!(message.contains("cannot go on with"), "{message}");
}

/// By name: from the first position, 1, 2 and 3 turns deep.
const COUNTS: [(&str, [u64; 3]); 9] = [
    ("corner", [10, 100, 1212]),
    ("corner-drops", [47, 1848, 66_715]),
    ("blasts", [24, 446, 10_024]),
    ("takers", [3, 9, 22]),
    ("leapers", [17, 290, 5056]),
    ("zone", [14, 168, 1950]),
    ("zone-child", [14, 168, 1950]),
    ("row", [4, 22, 150]),
    ("palace", [12, 141, 1629]),
];
