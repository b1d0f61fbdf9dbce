//! The commands of players, from outside: `play` through pipes and files, `analyse`, `match`.

use serde_json::Value;

use crate::cli::{FINE, RULES, USAGE, fails, fine, json, lusoria, lusoria_reading};
use crate::common::{project, quick, thorough};

#[test]
fn a_game_is_played_through_a_pipe() {
    let typed = "moves\na2\na2-a3\nundo\nb2-b3\nhint\neval\nquit\n";
    let arguments = ["play", "breakthrough", "--seat", "human", "--seat", "random", "--advice", "200"];
    let (code, out, err) = lusoria_reading(&arguments, typed);
    assert_eq!((code, err.as_str()), (FINE, ""));
    assert!(out.contains("a2-a3, a2-b3, b2-a3"), "{out}");
    assert!(out.contains("Black plays "), "{out}");
    // The cells that a2 goes to are marked.
    assert!(out.contains("(.)"), "{out}");
    let end: Vec<&str> = out.lines().rev().take(2).collect();
    assert!(end[1].starts_with("moves: b2-b3, "), "{out}");
    assert!(end[0].starts_with("position: ") && end[0].ends_with("White"), "{out}");
}

/// Stdout has data alone; what people read meanwhile goes to stderr.
#[test]
fn a_game_at_the_terminal_is_data_too() {
    let arguments = ["play", "breakthrough", "--seat", "human", "--seat", "human", "--json"];
    let (code, out, err) = lusoria_reading(&arguments, "a2-a3\nb7-b6\nundo\nh7-h6\nz9\nquit\n");
    assert_eq!(code, FINE);
    assert!(err.contains("no move begins with `z9`") && err.contains(" a b c d e f g h"), "{err}");
    let told: Value = serde_json::from_str(&out).expect("it is JSON");
    let seats = serde_json::json!([{ "player": "White", "seat": "human" }, { "player": "Black", "seat": "human" }]);
    assert_eq!((&told["game"], &told["seats"]), (&"Breakthrough".into(), &seats));
    assert_eq!(told["moves"], serde_json::json!(["a2-a3", "h7-h6"]));
    assert_eq!((&told["to_move"], &told["winners"], &told["over"]), (&"White".into(), &Value::Null, &Value::Null));
    let shown = json(&["show", "breakthrough", "--move", "a2-a3", "--move", "h7-h6", "--json"]);
    assert_eq!(told["position"], shown["position"]);
    assert_eq!(told["start"], json(&["show", "breakthrough", "--json"])["position"]);

    // The whole game of a file.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.txt").display().to_string();
    std::fs::write(&file, "b7xc8\n").expect("there is room");
    let near = "2B5/1W6/8/8/8/8/B7/8 White";
    let (code, out, _) = lusoria(&[&arguments[..], &["--position", near, "--moves", &file]].concat());
    assert_eq!(code, FINE);
    let told: Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!((&told["start"], &told["moves"]), (&near.into(), &serde_json::json!(["b7xc8"])));
    assert_eq!(told["winners"], serde_json::json!(["White"]));
    assert!(told["over"].as_str().is_some_and(|over| over.starts_with("White wins: win if ")), "{told}");
    let (code, out, err) = lusoria(&[&arguments[..], &["--moves", "/nowhere"]].concat());
    assert_eq!((code, out.as_str()), (USAGE, ""), "{err}");
}

#[test]
fn a_whole_game_between_programs_needs_nobody() {
    let out = fine(&["play", "breakthrough:5x5", "--seat", "greedy", "--seat", "mcts:300", "--seed", "3"]);
    // Seats by the names of players, in any order.
    let named = ["play", "breakthrough:5x5", "--black", "mcts:300", "--white=greedy", "--seed", "3"];
    assert_eq!(out, fine(&named));
    assert!(out.contains("wins: win if "), "{out}");
    assert!(out.lines().last().is_some_and(|line| line.starts_with("position: ")), "{out}");
    assert_eq!(out, fine(&["play", "breakthrough:5x5", "--seat", "greedy", "--seat", "mcts:300", "--seed", "3"]));
}

/// Chance throws between the players, and who throws what is told.
#[test]
fn dice_are_thrown_in_play_and_in_a_match() {
    let file = project("examples/einstein.rules").display().to_string();
    let arguments = ["play", &file, "--seat", "mcts:20", "--seat", "random", "--seed", "3"];
    let out = fine(&arguments);
    assert!(out.contains("chance: ("), "{out}");
    assert!(out.contains("White plays ") && out.contains("Black plays "), "{out}");
    assert!(out.contains(" wins: win if "), "{out}");
    assert_eq!(out, fine(&arguments));
    let told = json(&["match", &file, "greedy", "random", "--games", "10", "--json"]);
    assert_eq!(told["games"], 10, "{told}");
    let (code, _, err) = lusoria(&["solve", &file]);
    assert_eq!(code, USAGE);
    assert!(err.contains("chance plays in this game"), "{err}");
}

#[test]
fn a_game_is_saved_and_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.txt");
    let path = path.to_str().expect("it is text");
    let arguments = ["play", "othello", "--seat", "human", "--seat", "human"];
    let (code, out, _) = lusoria_reading(&arguments, &format!("d3\nc3\nsave {path}\nquit\n"));
    assert_eq!(code, FINE, "{out}");
    assert_eq!(std::fs::read_to_string(path).expect("it was saved"), "d3\nc3\n");
    let (code, again, _) = lusoria_reading(&arguments, &format!("load {path}\n"));
    assert_eq!(code, FINE);
    assert_eq!(again.lines().last(), out.lines().last());
    let mut from_file = arguments.to_vec();
    from_file.extend(["--moves", path]);
    assert_eq!(fine(&from_file).lines().last(), out.lines().last());
}

#[test]
fn what_cannot_be_played_is_told_and_loses_nothing() {
    let arguments = ["play", "othello", "--seat", "human", "--seat", "human"];
    let (code, out, _) = lusoria_reading(&arguments, "a1\nnonsense\nload /nowhere\nundo\nd3\nquit\n");
    assert_eq!(code, FINE);
    assert!(out.contains("no move begins with `nonsense`"), "{out}");
    assert!(out.contains("/nowhere: "), "{out}");
    assert!(out.contains("there is no move of yours to take back"), "{out}");
    assert!(out.contains("moves: d3\n"), "{out}");
}

#[test]
fn a_proof_is_told() {
    let told = json(&[
        "analyse",
        "breakthrough",
        "--position",
        "8/W7/8/3B4/8/8/6B1/8 White",
        "--playouts",
        "20000",
        "--threads",
        "1",
        "--time",
        "60s",
        "--json",
    ]);
    assert_eq!(told["proven"], Value::from(1.0));
    let best = told["lines"][0]["moves"][0].as_str().expect("a move");
    assert!(["a7-a8", "a7-b8"].contains(&best), "{told}");
    assert_eq!(told["to_move"], "White");
}

/// Where most moves capture, lines of captures are not followed to their ends at once.
#[test]
fn who_looks_ahead_answers_in_time_where_most_moves_capture() {
    let begun = std::time::Instant::now();
    fine(&["analyse", "fanorona", "--search", "alphabeta", "--time", "500ms", "--threads", "1"]);
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    fine(&["analyse", "tests/games/beyond/tic_tac_toe.rules", "--search", "alphabeta", "--time", "0.01m"]);
}

#[test]
fn lines_are_bounded_and_threads_agree_on_the_position() {
    let told = json(&["analyse", "othello", "--playouts", "2000", "--lines", "2", "--threads", "2", "--json"]);
    assert_eq!(told["lines"].as_array().map(Vec::len), Some(2), "{told}");
    assert!(told["playouts"].as_u64().is_some_and(|playouts| playouts >= 2000), "{told}");
    let text = fine(&["analyse", "othello", "--move", "d3", "--playouts", "200"]);
    assert!(text.starts_with("White to move: "), "{text}");
    let (code, _, err) = lusoria(&["analyse", "breakthrough", "--position", "W7/1B6/8/8/8/8/8/8 Black"]);
    assert_eq!(code, FINE);
    assert!(err.contains("the game is over: White wins"), "{err}");
}

#[test]
fn the_stronger_player_wins_a_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl");
    let path = path.to_str().expect("it is text");
    let arguments = [
        "match",
        "breakthrough:5x5",
        "mcts:400",
        "random",
        "--games",
        "20",
        "--threads",
        "2",
        "--json",
        "--record",
        path,
    ];
    let told = json(&arguments);
    assert_eq!((&told["games"], &told["partial"]), (&Value::from(20), &Value::from(false)), "{told}");
    assert!(told["wins"].as_u64().is_some_and(|wins| wins >= 18), "{told}");
    assert!(told["score_low"].as_f64().is_some_and(|low| low > 0.5), "{told}");
    let record = std::fs::read_to_string(path).expect("it was written");
    let games: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    assert_eq!(games.len(), 20);
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["players"][0], pair[1]["players"][1]);
        assert_eq!(pair[0]["game"].as_u64().map(|game| game + 1), pair[1]["game"].as_u64());
    }
    // The file is not written over.
    assert_eq!(lusoria(&arguments).0, USAGE);
}

#[test]
fn a_sequential_test_stops_early() {
    let told =
        json(&["match", "breakthrough:5x5", "mcts:300", "random", "--games", "1000", "--sprt", "0,100", "--json"]);
    assert_eq!(told["sprt"], "stronger", "{told}");
    assert!(told["games"].as_u64().is_some_and(|games| games < 200), "{told}");
}

#[test]
fn players_that_are_none_are_refused_with_words() {
    for (arguments, said) in [
        (vec!["match", "othello", "alphago", "random"], "there is no player `alphago`"),
        (vec!["match", "othello", "mcts:0", "random"], "`0` is no budget"),
        (vec!["match", "othello", "random:3", "random"], "`random` takes no budget"),
        (vec!["match", "othello", "human", "random"], "a match is played by programs"),
        (vec!["match", "focus:for four", "greedy", "random"], "not a game for two players"),
        (vec!["match", "othello", "greedy", "random", "--sprt", "50,0"], "the less first"),
        (vec!["play", "othello", "--seat", "human", "--seat", "human", "--seat", "human"], "has 2 seats"),
        (vec!["play", "othello", "--green", "human"], "Othello has no player `green`: there are Black, White"),
        (vec!["play", "othello", "--black", "greedy", "--seat", "Black=human"], "the seat of Black is given twice"),
        (vec!["play", "othello", "--black", "gredy"], "there is no player `gredy`"),
        (vec!["play", "othello", "--black", "mcts:1x"], "`1x` is no budget"),
        (vec!["play", "othello", "--advise", "2s"], "a similar argument exists: '--advice'"),
        (vec!["play", "othello", "--moves", "/nowhere"], "/nowhere: "),
        (vec!["analyse", "othello", "--time", "0s"], "`0s` is no time"),
        (vec!["analyse", "othello", "--time", "25h"], "at most a day"),
    ] {
        let (code, out, err) = lusoria(&arguments);
        assert_eq!((code, out.as_str()), (USAGE, ""), "{arguments:?}");
        assert!(err.contains(said), "{arguments:?}: {err}");
    }
    for command in ["analyse", "solve", "show"] {
        let (code, _, err) = lusoria(&[command, "othello", "--move", "d3", "--move", "a1"]);
        assert!(code == RULES && err.contains("`a1` is ply 2 of those given"), "{command}: {err}");
    }
    assert_eq!(lusoria(&["analyse", "othello", "--memory", "0"]).0, USAGE);
    assert_eq!(lusoria(&["play", "tests/malformed/nowhere.rules"]).0, USAGE);
}

#[test]
fn another_program_drives_the_engine() {
    let lines = "uci\nsetoption name Hash value 64\nsetoption name MultiPV value 2\nisready\nucinewgame\n\
                 position startpos moves a2a3 a7-a6\nd\ngo nodes 300\n";
    let (code, out, err) = lusoria_reading(&["engine", "breakthrough"], lines);
    assert_eq!((code, err.as_str()), (FINE, ""));
    let said: Vec<&str> = out.lines().collect();
    assert!(said[0].starts_with("id name Lusoria ") && said[0].ends_with("(Breakthrough)"), "{out}");
    for wanted in ["uciok", "readyok", "BBBBBBBB/1BBBBBBB/B7/8/8/W7/1WWWWWWW/WWWWWWWW White"] {
        assert!(said.contains(&wanted), "{wanted}: {out}");
    }
    assert!(said.iter().any(|line| line.contains(" multipv 2 score cp ")), "{out}");
    let best = said.last().and_then(|line| line.strip_prefix("bestmove ")).expect("it ends with a move");
    assert!(best.len() == 4 && best.is_ascii(), "{best}");
    let (code, out, _) =
        lusoria_reading(&["engine", "chess"], "position startpos moves e2e5\ngo infinite\nstop\nfrob\nquit\n");
    assert_eq!(code, FINE);
    assert!(out.contains("info string `e2e5` is not a legal move"), "{out}");
    assert!(out.contains("\nbestmove ") && out.contains("info string unknown command `frob`"), "{out}");
    let over = "position fen W7/1B6/8/8/8/8/8/8 Black\ngo movetime 50\n";
    assert!(lusoria_reading(&["engine", "breakthrough"], over).1.contains("bestmove (none)"));
}

#[test]
fn a_small_game_is_solved() {
    let told = json(&["solve", "tests/games/beyond/tic_tac_toe.rules", "--json"]);
    assert_eq!((&told["value"], &told["plies"]), (&Value::from("draw"), &Value::Null), "{told}");
    assert_eq!(told["moves"].as_array().map(Vec::len), Some(9));
    assert!(told["moves"].as_array().is_some_and(|moves| moves.iter().all(|made| made["value"] == "draw")), "{told}");
    let text = fine(&["solve", "breakthrough", "--position", "8/W7/8/3B4/8/8/6B1/8 White"]);
    assert!(text.contains("\nwin in 1\n") && text.contains("line: a7-a8"), "{text}");
    let text = fine(&["solve", "breakthrough", "--time", "100ms"]);
    assert!(text.contains("unknown: not solved within "), "{text}");
    assert_eq!(lusoria(&["solve", "focus:for four"]).0, USAGE);
}

/// Othello 4x4: J. Feinstein, 1993, who moves second wins. Connect Four 4x4: J. Tromp, a draw, and 161,029 positions, of which
/// 53 are their own mirror image. The others were computed by all methods, which agree.
#[test]
fn small_games_have_their_known_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let four = folder.path().join("four.rules");
    let rules = std::fs::read_to_string(project("tests/games/beyond/connect_four.rules")).expect("it is there");
    let rules = rules.replace("board square 7 by 6", "board square 4 by 4");
    std::fs::write(&four, rules).expect("it can be written");
    let four = four.to_str().expect("it is text");
    // What is given, the value and its plies, all positions that play leads to but for symmetry, and whether it takes long:
    // then it is left to longer runs, and looking ahead to the longest.
    type Known<'a> = (&'a [&'a str], &'a str, Option<u64>, u64, bool);
    let known: [Known<'_>; 4] = [
        (&["othello:othello 4x4"], "loss", Some(12), 14_401, false),
        (&["fanorona:fanorona telo"], "win", Some(11), 255, false),
        (&["kitaran", "--set", "size=3"], "win", Some(13), 97_042, true),
        (&[four], "draw", None, (161_029 + 53) / 2, true),
    ];
    for (game, value, plies, positions, is_long) in known {
        if is_long && quick() {
            continue;
        }
        let solve =
            |method: &str| json(&[&["solve"], game, &["--method", method, "--time", "600s", "--json"]].concat());
        let told = solve("retrograde");
        let found = (told["value"].as_str(), told["plies"].as_u64(), told["positions"].as_u64());
        assert_eq!(found, (Some(value), plies, Some(positions)), "{game:?}");
        let told = solve("proof");
        assert_eq!((told["value"].as_str(), &told["plies"]), (Some(value), &Value::Null), "{game:?}");
        if !is_long || thorough() {
            let told = solve("forward");
            assert_eq!((told["value"].as_str(), told["plies"].as_u64()), (Some(value), plies), "{game:?}");
        }
    }
}

#[test]
fn who_looks_ahead_plays_analyses_and_drives_the_engine() {
    let arguments = ["play", "breakthrough:5x5", "--seat", "alphabeta:300", "--seat", "greedy", "--seed", "3"];
    let out = fine(&arguments);
    assert!(out.contains(" positions)") && out.contains(" wins: win if "), "{out}");
    assert_eq!(out, fine(&arguments));
    let analyse = ["analyse", "breakthrough", "--search", "alphabeta", "--position", "8/W7/8/3B4/8/8/6B1/8 White"];
    let mut as_data = analyse.to_vec();
    as_data.extend(["--depth", "3", "--lines", "2", "--json"]);
    let told = json(&as_data);
    assert_eq!((&told["proven"], &told["playouts"]), (&Value::from(1.0), &Value::from(0)), "{told}");
    assert!(told["depth"].as_u64().is_some_and(|depth| depth >= 1), "{told}");
    assert_eq!(told["lines"].as_array().map(Vec::len), Some(2), "{told}");
    assert!(fine(&analyse).contains("win "), "{}", fine(&analyse));
    let lines =
        "uci\nsetoption name Search value x\nsetoption name Search value alphabeta\nposition startpos\ngo depth 2\n";
    let (code, out, _) = lusoria_reading(&["engine", "breakthrough"], lines);
    assert_eq!(code, FINE);
    assert!(out.contains("option name Search type combo default mcts var mcts var alphabeta"), "{out}");
    assert!(out.contains("info depth 2 score cp ") && out.contains("\nbestmove "), "{out}");
    assert!(out.contains("info string no search `x`"), "{out}");
}

#[test]
fn who_looks_ahead_refuses_what_it_cannot_play() {
    let dice = project("examples/einstein.rules").display().to_string();
    for (arguments, said) in [
        (vec!["match", &dice, "alphabeta", "random"], "chance plays in it; mcts can"),
        (vec!["play", "focus:for four", "--seat", "alphabeta:depth=2"], "it is not for two players; mcts can"),
        (vec!["analyse", &dice, "--search", "alphabeta"], "alphabeta cannot play"),
        (vec!["match", "othello", "alphabeta:depth=0", "random"], "`depth=0` is no depth"),
        (vec!["match", "othello", "alphabeta:x", "random"], "`x` is no bound"),
        (vec!["tune", &dice], "chance plays in it"),
    ] {
        let (code, out, err) = lusoria(&arguments);
        assert_eq!((code, out.as_str()), (USAGE, ""), "{arguments:?}");
        assert!(err.contains(said), "{arguments:?}: {err}");
    }
}

#[test]
fn the_best_player_is_found_by_a_match_and_always_the_same() {
    let arguments = ["play", "tests/games/beyond/tic_tac_toe.rules", "--seat", "best:50", "--seat", "best:50"];
    let out = fine(&arguments);
    assert!(out.contains("X plays ") && out.contains("position: "), "{out}");
    assert_eq!(out, fine(&arguments));
}

#[test]
fn a_match_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl");
    let path = path.to_str().expect("it is text");
    let play = |games: &str| {
        json(&["match", "breakthrough:5x5", "greedy", "random", "--games", games, "--resume", path, "--json"])
    };
    assert_eq!(play("4")["games"], 4);
    let first = std::fs::read_to_string(path).expect("it was written");
    // A match that was killed leaves half a line.
    std::fs::write(path, format!("{first}{{\"title\":\"Br")).expect("it can be written");
    let told = play("10");
    assert_eq!((&told["games"], &told["partial"]), (&Value::from(10), &Value::from(false)), "{told}");
    let whole = std::fs::read_to_string(path).expect("it was written");
    let games = whole.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count();
    assert!(whole.starts_with(&first) && games == 10, "{whole}");
    assert_eq!(play("10"), told);
    let other = ["match", "breakthrough:5x5", "random", "greedy", "--resume", path];
    let (code, _, err) = lusoria(&other);
    assert!(code == USAGE && err.contains("is of another match"), "{err}");
    for (option, value) in [("--opening", "3"), ("--max-turns", "99"), ("--seed", "1")] {
        let other = ["match", "breakthrough:5x5", "greedy", "random", option, value, "--resume", path];
        let (code, _, err) = lusoria(&other);
        assert!(code == USAGE && err.contains("with --opening 2 --max-turns 1000"), "{option}: {err}");
    }
    // Files of older versions do not say it.
    let older = whole.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).map(|mut line| {
        line.as_object_mut().expect("a game").remove("terms").expect("it is told");
        line.to_string() + "\n"
    });
    std::fs::write(path, older.collect::<String>()).expect("it can be written");
    assert_eq!(play("10"), told);
}

/// The moves of a record lead from the start to its result, the random ones of the opening among them.
#[test]
fn recorded_games_of_a_match_can_be_played_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.jsonl");
    let path = path.to_str().expect("it is text");
    let arguments =
        ["match", "breakthrough:5x5", "greedy", "random", "--games", "6", "--opening", "5", "--record", path];
    assert_eq!(json(&[&arguments[..], &["--json"]].concat())["games"], 6);
    let games = std::fs::read_to_string(path).expect("it was written");
    let games: Vec<Value> = games.lines().map(|line| serde_json::from_str(line).expect("a game")).collect();
    let moves = |game: &Value| serde_json::from_value::<Vec<String>>(game["moves"].clone()).expect("texts");
    for pair in games.chunks(2) {
        assert_eq!((&pair[0]["opening"], &moves(&pair[0])[..5]), (&Value::from(5), &moves(&pair[1])[..5]));
    }
    for game in &games {
        let played: Vec<String> = moves(game).into_iter().flat_map(|text| [String::from("--move"), text]).collect();
        let command = ["show", "breakthrough:5x5", "--json"].into_iter().chain(played.iter().map(String::as_str));
        assert_eq!(json(&command.collect::<Vec<_>>())["winners"], game["winners"], "{game}");
    }
}

#[test]
fn shards_of_a_match_are_one_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("it is text").to_string();
    let play = |more: &[&str]| {
        let arguments = ["match", "breakthrough:5x5", "greedy", "random", "--games", "14", "--threads", "1", "--json"];
        json(&[&arguments, more].concat())
    };
    let whole = play(&[]);
    let (one, two, three) = (file("1.jsonl"), file("2.jsonl"), file("3.jsonl"));
    let shards = [("1/3", &one, "--record"), ("2/3", &two, "--resume"), ("3/3", &three, "--resume")];
    let games: Vec<Value> =
        shards.iter().map(|(shard, path, how)| play(&["--shard", shard, how, path])["games"].clone()).collect();
    assert_eq!(games, [4, 4, 6]);
    assert_eq!(json(&["merge", &three, &one, &two, "--json"]), whole);
    // A shard that was killed goes on.
    let text = std::fs::read_to_string(&two).expect("it was written");
    std::fs::write(&two, &text[..text.len() - 9]).expect("it can be written");
    let missing = fails(&["merge", &one, &two, &three], USAGE);
    assert!(missing.contains("not all games are there: 12 of 14, and game 6 is not"), "{missing}");
    assert_eq!(json(&["merge", &one, &two, &three, "--partial", "--json"])["games"], 12);
    play(&["--shard", "2/3", "--resume", &two]);
    assert_eq!(json(&["merge", &one, &two, &three, "--json"]), whole);
    let twice = fails(&["merge", &one, &one], USAGE);
    assert!(twice.contains("in it and in another file"), "{twice}");
    let other = file("other.jsonl");
    json(&[
        "match",
        "breakthrough:5x5",
        "greedy",
        "random",
        "--games",
        "2",
        "--seed",
        "9",
        "--record",
        &other,
        "--json",
    ]);
    let mixed = fails(&["merge", &one, &other], USAGE);
    assert!(mixed.contains("is of another match"), "{mixed}");
    let nowhere = fails(&["match", "othello", "greedy", "random", "--shard", "1/2"], USAGE);
    assert!(nowhere.contains("`--shard` wants `--record FILE`"), "{nowhere}");
}

#[test]
fn weights_are_tuned_written_and_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("small.rules");
    let text = "game \"Small\" extends \"Breakthrough\" { board square 3 by 4  setup { place man on row 1  mirror } }";
    std::fs::write(&rules, text).expect("it can be written");
    let rules = rules.to_str().expect("it is text");
    let arguments =
        ["tune", rules, "--rounds", "1", "--games", "12", "--match-games", "2", "--force", "--threads", "2", "--json"];
    let told = json(&arguments);
    assert!(told["weights"].as_array().is_some_and(|weights| weights.len() > 3), "{told}");
    let weights = folder.path().join("small.weights");
    let written = std::fs::read_to_string(&weights).expect("it was written");
    assert!(written.contains("[Small]\ncells ") && written.contains("\nmaterial man "), "{written}");
    assert_eq!(json(&arguments)["weights"], told["weights"]);
    let phases = json(&[&arguments[..], &["--phases", "2"]].concat());
    assert!(phases["phases"] == 2 && phases["weights"][0][1].as_array().is_some_and(|of| of.len() == 2), "{phases}");
    let (code, _, err) = lusoria(&["tune", rules, "--phases", "0"]);
    assert!(code == USAGE && err.contains("0 is not in 1..=16"), "{err}");
    let analyse = ["analyse", rules, "--search", "alphabeta", "--depth", "1", "--json"];
    let value = |told: &Value| told["lines"][0]["value"].as_f64().expect("a value");
    let by_file = value(&json(&analyse));
    std::fs::write(&weights, "[Small]\ncells 12\nfirst 2\n").expect("it can be written");
    assert!((value(&json(&analyse)) - 0.881).abs() < 0.01 && (by_file - 0.881).abs() > 0.01, "{by_file}");
    std::fs::write(&weights, "[Small]\nfirst x\n").expect("it can be written");
    let (code, _, err) = lusoria(&analyse);
    assert!(code == USAGE && err.contains("small.weights: line 2: a line is the name"), "{err}");
}

#[test]
fn games_that_go_round_are_solved_backward() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("round.rules");
    let text = "game \"Round\" { players White, Black  board square 3 by 3  piece king { move straight: ^ to landing }
        setup { place White king on a1   place Black king on c3 }
        move { pick p from own   move p }
        end { win if no enemy } }";
    std::fs::write(&rules, text).expect("it can be written");
    let rules = rules.to_str().expect("it is text");
    let told = json(&["solve", rules, "--json"]);
    assert_eq!((&told["value"], &told["endless"]), (&Value::from("draw"), &Value::from(true)), "{told}");
    assert_eq!(told["method"], "retrograde", "{told}");
    assert_eq!(told["symmetries"], 8, "{told}");
    let text = fine(&["solve", rules, "--method", "retrograde"]);
    assert!(text.contains("draw, as play goes round") && text.contains("all "), "{text}");
    assert!(text.contains("positions that one of 8 symmetries makes of each other are one"), "{text}");
    let small = "tests/games/beyond/tic_tac_toe.rules";
    let forward = json(&["solve", small, "--position", "XO1/1X1/2O X", "--method", "forward", "--json"]);
    let backward = json(&["solve", small, "--position", "XO1/1X1/2O X", "--json"]);
    assert_eq!(forward["method"], "forward");
    for part in ["value", "plies", "to_move"] {
        assert_eq!(forward[part], backward[part], "{part}");
    }
}
