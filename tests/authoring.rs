//! Commands of authors: files and positions go in; what the commands tell of them must be right, and plain.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use lusoria::shipped::Shipped;

use crate::cli::{FINE, RULES, USAGE, command, fails, fine, folder, json, lusoria, path};
use crate::common::{lot, shipped_games};

/// Writes a file in a folder of its own, and gives the text.
fn begun(name: &str, more: &[&str]) -> String {
    let folder = folder(&[]);
    let file = path(&folder, &format!("{name}.rules"));
    let out = fine(&[&["new", &file], more].concat());
    assert!(out.starts_with(&format!("{file}: ")), "{out}");
    assert_eq!(fine(&["check", &file]), "1 file: no errors, no warnings\n", "{more:?}");
    let played = json(&["simulate", &file, "--games", "1", "--max-turns", "30", "--executor", "reference", "--json"]);
    assert_eq!(played["games"], 1, "{more:?}");
    assert_eq!(fine(&["fmt", "--check", &file]), "", "{more:?}");
    std::fs::read_to_string(&file).expect("it was written")
}

#[test]
fn a_new_file_is_a_game_on_each_board() {
    for board in ["square", "hexagon", "points", "layers", "ring", "stacks"] {
        let text = begun("my_first_game", &["--board", board]);
        assert!(
            text.contains("game \"My first game\" {") && text.contains("# What you expect of the rules."),
            "{text}"
        );
        assert!(text.contains("  example \"") && !text.contains("TITLE") && !text.contains("FILE"), "{text}");
    }
    let plain =
        |text: String| text.lines().filter(|line| !line.starts_with("#   ")).map(String::from).collect::<Vec<_>>();
    assert_eq!(plain(begun("a", &[])), plain(begun("a", &["--board", "square"])));
}

#[test]
fn a_new_file_is_like_each_shipped_game() {
    for game in Shipped.games() {
        let text = begun("mine", &["--like", game.stem]);
        assert!(text.contains(&format!("game \"Mine\" extends \"{}\" {{", game.title)), "{text}");
    }
    let text = begun("mine", &["--like", "fanorona:telo"]);
    assert!(text.contains("game \"Mine\" extends \"Fanorona Telo\" of \"Fanorona\" {"), "{text}");
    assert!(text.contains("  # board square 3 by 3"), "{text}");
}

#[test]
fn a_new_file_may_be_like_one_beside_it() {
    let text = std::fs::read_to_string(crate::common::project("rules/breakthrough.rules")).expect("it is shipped");
    let folder = folder(&[("base.rules", text.replace("Breakthrough", "Base Game").as_bytes())]);
    let (base, mine) = (path(&folder, "base.rules"), path(&folder, "mine"));
    fine(&["new", &mine, "--like", &base]);
    assert_eq!(fine(&["check", &format!("{mine}.rules")]), "1 file: no errors, no warnings\n");
    // From elsewhere it would not be found.
    let elsewhere = crate::cli::folder(&[]);
    let (code, out, err) = lusoria(&["new", &path(&elsewhere, "mine"), "--like", &base]);
    assert_eq!((code, out.as_str()), (RULES, ""));
    assert!(err.contains("nothing was written") && !elsewhere.path().join("mine.rules").exists(), "{err}");
}

#[test]
fn a_new_file_overwrites_nothing() {
    let folder = folder(&[("kept.rules", b"mine")]);
    let told = fails(&["new", &path(&folder, "kept")], USAGE);
    assert!(told.contains("never overwrites"), "{told}");
    assert_eq!(std::fs::read(folder.path().join("kept.rules")).unwrap(), b"mine");
    for wrong in ["", "a\"b", "-", "..", "a\nb"] {
        fails(&["new", "--", &path(&folder, wrong)], USAGE);
    }
    fails(&["new", &path(&folder, "x"), "--board", "cube"], USAGE);
    fails(&["new", &path(&folder, "x"), "--board", "ring", "--like", "chess"], USAGE);
    fails(&["new", &path(&folder, "x"), "--like", "no_such_game"], USAGE);
    assert!(fails(&["new", &path(&folder, "no/folder/x")], USAGE).contains("there is no such folder"));
    assert!(fails(&["new", &path(&folder, "chess"), "--like", "chess"], USAGE).contains("another name"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let told = json(&["new", &path(&folder, "two words"), "--json"]);
    assert_eq!(told["title"], "Two words");
    assert_eq!(told["file"], path(&folder, "two words.rules"));
}

#[test]
fn each_command_has_a_manual_page_and_help_with_an_example() {
    let folder = folder(&[]);
    let told = json(&["man", "--out", &path(&folder, "man"), "--json"]);
    let files: Vec<&str> = told["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    assert!(files.len() > 18 && files.contains(&"lusoria.1"), "{files:?}");
    for file in &files {
        let page = std::fs::read_to_string(folder.path().join("man").join(file)).expect("it was written");
        assert!(page.contains(".TH lusoria") && page.contains(".SH SYNOPSIS"), "{file}: {page}");
        let Some(name) = file.strip_prefix("lusoria-").and_then(|rest| rest.strip_suffix(".1")) else { continue };
        assert!(page.contains(&format!("lusoria {name}").replace('-', "\\-")) || page.contains(name), "{file}");
        let help = fine(&[name, "--help"]);
        assert!(help.contains("Examples:") && help.contains(&format!("lusoria {name}")), "{name}: {help}");
        assert!(page.contains("Examples:"), "{file}");
    }
    // What `--help` lists has a page.
    let help = fine(&["--help"]);
    let listed = help.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("the commands");
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        assert!(files.contains(&format!("lusoria-{name}.1").as_str()), "{name}");
    }
    let told = fails(&["man", "--out", "Cargo.toml"], USAGE);
    assert!(told.contains("cannot write"), "{told}");
}

/// Questions about moves, by game: a position (empty: the start) and a move.
const ASKED: [(&str, &str, &[&str]); 9] = [
    ("chess", "", &["e2-e4", "e2-e5", "e4-e5", "e7-e5", "a1-a3", "d1-h5", "z9", "e2"]),
    // A rook behind the bishop pins it; a rook looks at f1, so that castling goes through check.
    ("chess", "4r2k/8/8/8/8/8/4B3/4K3 White", &["e2-d3", "e1-d2", "O-O"]),
    ("chess", "4kr2/8/8/8/8/8/8/4K2R White unmoved=e1+h1", &["O-O", "e1-g1", "e1-f1"]),
    ("chess", "4k3/8/8/3pP3/8/8/8/4K3 White", &["e5xd6"]),
    ("othello", "", &["a1", "d3", "d4", "pass"]),
    ("fanorona", "9/9/R8/9/W3W4 White", &["a1-a2", "e1-e2", "e1-e3"]),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/4R4/4K4 Red", &["e2-d2", "e2-e5", "e1-e2"]),
    ("congo", "", &["a1-b3", "a2-a4", "d1-d3"]),
    ("focus", "", &["b2-b4", "b2 1-b3", "pass"]),
];

#[test]
fn why_tells_designers_what_they_can_understand() {
    let mut told = String::new();
    for (name, position, moves) in ASKED {
        for text in moves {
            let mut arguments = vec!["why", name];
            if !position.is_empty() {
                arguments.extend(["--position", position]);
            }
            arguments.push(text);
            let (code, out, err) = lusoria(&arguments);
            assert!(
                err.is_empty() && code == i32::from(!out.contains("` is legal.")),
                "{arguments:?}: {code} {err}{out}"
            );
            told += &format!("--- {name} {position} : {text}\n{out}\n");
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn why_agrees_with_the_legal_moves() {
    for game in shipped_games() {
        let mut position = game.start(0).expect("it begins");
        let mut rng = lot(7);
        for _ in 0..2 {
            position.play_random(&mut rng).expect("it goes on");
        }
        if position.is_over() {
            continue;
        }
        let legal = position.legal_moves().expect("there is one");
        let one = legal[legal.len() / 2].to_string();
        let why = position.why(&one).unwrap_or_else(|error| panic!("{}: {one}: {error}", game.name()));
        assert!(why.legal && why.text == one, "{}: {why:?}", game.name());
        let trace = position.trace(&one).unwrap_or_else(|error| panic!("{}: {one}: {error}", game.name()));
        assert!(!trace.steps.is_empty() && trace.text == one, "{}: {trace:?}", game.name());
        let mut after = position.clone();
        after.play_text(&one).expect("it is legal");
        if let Some(reached) = trace.position {
            assert_eq!(reached, after.to_string(), "{}: {one}", game.name());
        }
        // What no run begins with has no reason but that.
        let why = position.why("nonsense").expect("no fault");
        assert!(!why.legal, "{}", game.name());
    }
}

#[test]
fn priority_and_most_are_reasons() {
    let text = r#"game "Line" {
  players A north, B south   board square 5 by 5
  piece man { move orthogonal: leap   move forward: step }
  move {
    first { pick p from own   repeat { capture p }   most count(caught) }
    else  { pick p from own   move p }
  }
  end { win if no enemy   win if stuck(enemy) }
}"#;
    let game = lusoria::Game::from_source(text).expect("it is a game");
    let position = game.position("5/3B1/5/1B1B1/1A1AA A").expect("it is one");
    let legal: Vec<String> = position.legal_moves().expect("no fault").iter().map(ToString::to_string).collect();
    assert_eq!(legal, ["d1xd3xd5"]);
    let step = position.why("e1-e2").expect("no fault");
    assert_eq!(step.answer, "`e1-e2` is not legal.");
    let says = "This move is one of the second block. It counts only where the first block allows no move at all, and \
                `b1xb3` is one";
    assert_eq!(
        (step.reasons[0].rule.as_str(), step.reasons[0].says.as_str()),
        ("first { pick p from own repeat { capture p } most count(caught) } ...", says)
    );
    let less = position.why("b1xb3").expect("no fault");
    assert_eq!(less.reasons[0].rule, "most count(caught)");
    assert_eq!(less.reasons[0].says, "This move comes to 1 there, and `d1xd3xd5` to 2");
}

/// Conditions of all kinds: of a `where`, in a pattern, around a way, and one of `need` about some of many.
const CONDITIONS: &str = r#"game "Conditions" {
  players White north, Black south
  board square 5 by 5
  define calm = empty where count(adjacent(it) and enemy) < 2 and not it in row 5
  piece man {
    move orthogonal: ^ to (calm and files b..d)
    if count(own) > 4 { move diagonal: step }
  }
  setup { place man on row 1   mirror }
  move {
    pick p from own where some adjacent(it) in empty and (it in files a..c or count(enemy) > 7)
    move p
    need some own where it in row 1 and count(adjacent(it) and own) >= 2
  }
  end { win if some own in last row   win if stuck(enemy) }
}
"#;

/// Which part of a condition fails, and the values in it.
#[test]
fn conditions_are_told_with_their_values() {
    let folder = folder(&[("conditions.rules", CONDITIONS.as_bytes())]);
    let file = path(&folder, "conditions.rules");
    let asked: [(&str, &[&str]); 3] = [
        ("BBBBB/5/5/5/WWWWW White", &["d1-d2", "a1-a2", "a1-b2", "b3-b4"]),
        ("5/1B1B1/5/1WW2/WW3 White", &["b2-c3", "b2-a2", "c2-c3", "b2-b3"]),
        ("5/B4/5/5/1WWW1 White", &["c1-c2", "b1-a1", "b1-b2"]),
    ];
    assert_eq!(fine(&["check", &file]), "1 file: no errors, no warnings\n");
    let mut told = String::new();
    for (position, moves) in asked {
        for text in moves {
            let (_, out, err) = lusoria(&["why", &file, "--position", position, text]);
            assert_eq!(err, "", "{position} {text}");
            told += &format!("--- {position} : {text}\n{out}\n");
        }
    }
    insta::assert_snapshot!(told.replace(&file, "conditions.rules"));
    let (_, out, _) = lusoria(&["why", &file, "d1-d2", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    let within = told["reasons"][0]["values"][0]["within"].as_array().expect("the parts of the condition");
    assert!(within.iter().any(|known| known["name"] == "it" && known["value"] == "d1"), "{told}");
}

#[test]
fn a_trace_is_read_line_by_line() {
    let mut told = String::new();
    for (name, text) in
        [("chess", "e2-e4"), ("othello", "d3"), ("fanorona", "d2-e3+"), ("congo", "a1-b3"), ("gonnect", "c3")]
    {
        let (code, out, err) = lusoria(&["trace", name, text]);
        if code == FINE {
            told += &format!("--- {name} : {text}\n{out}\n");
        } else {
            assert!(err.contains("lusoria why"), "{err}");
            told += &format!("--- {name} : {text}: no run\n");
        }
    }
    insta::assert_snapshot!(told);
    let data = json(&["trace", "breakthrough", "a2-a3", "--json"]);
    assert_eq!(data["steps"][0]["rule"], "pick p from own");
    assert_eq!(data["steps"][1]["names"][0]["value"], "a3");
    let (code, out, err) = lusoria(&["trace", "breakthrough", "a2-a5"]);
    assert_eq!((code, out.as_str()), (RULES, ""));
    assert!(err.contains("lusoria why"), "{err}");
}

#[test]
fn why_gives_data_and_exit_codes() {
    let (code, out, _) = lusoria(&["why", "breakthrough", "a2-b2", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!((code, &told["legal"]), (RULES, &serde_json::Value::Bool(false)));
    assert_eq!(told["reasons"][0]["ways"].as_array().expect("ways").len(), 2, "{told}");
    let told = json(&["why", "breakthrough", "a2-a3", "--json"]);
    assert_eq!(told["legal"], true);
    fails(&["why", "breakthrough"], USAGE);
    fails(&["why", "no_such_game", "a2"], USAGE);
    fails(&["why", "breakthrough", "--position", "nonsense", "a2"], USAGE);
}

#[test]
fn games_are_compared() {
    assert!(
        fine(&["diff", "breakthrough", "breakthrough", "--games", "2"]).contains("No difference in play was found")
    );
    let mut told = String::new();
    for (one, two) in [
        ("breakthrough", "examples/wide_breakthrough.rules"),
        ("fanorona", "fanorona:Fanorona, blocked is a draw"),
        ("lines_of_action", "lines_of_action:Lines of Action, mover wins"),
        ("chess", "examples/cylinder_chess.rules"),
    ] {
        let (code, out, err) = lusoria(&["diff", one, two, "--games", "3"]);
        assert_eq!((code, err.as_str()), (RULES, ""), "{one} {two}");
        told += &format!("--- {one} | {two}\n{out}\n");
    }
    insta::assert_snapshot!(told);
    let (code, out, _) = lusoria(&["diff", "breakthrough", "breakthrough:5x5", "--json"]);
    let data: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(code, RULES);
    assert_eq!(data["declarations"][0]["name"], "param size");
    assert_eq!(data["play"]["parting"]["how"], "positions");
    assert_eq!(data["play"]["boards"]["first"].as_array().map(Vec::len), Some(39), "{data}");
    fails(&["diff", "breakthrough"], USAGE);
}

/// Games that begin differently on the same cells may still be put into the same position.
#[test]
fn games_that_begin_differently_are_compared_where_they_do_not() {
    let with = |declared: &str| {
        let text = format!("game \"B\" extends \"Breakthrough\" {{ param size = 5   {declared} }}");
        lusoria::Game::from_source(&text).expect("it is a game")
    };
    let (usual, fewer) = (with(""), with("setup { place man on row 1   mirror }"));
    let compared = usual.compare(&fewer, 2, 0).expect("no fault");
    let parting = compared.parting.expect("they begin differently");
    assert_eq!((parting.moves.len(), parting.how, compared.boards), (0, lusoria::Split::Positions, None));
    assert_eq!(compared.set_up, None, "the moves are the same");

    let straight = with("setup { place man on row 1   mirror }   piece man { move forward: step }");
    let set_up = usual.compare(&straight, 2, 0).expect("no fault").set_up.expect("the moves differ");
    assert_eq!(set_up.first, set_up.second);
    let lusoria::Split::Moves { first, second } = set_up.how else { panic!("{set_up:?}") };
    assert!(first.contains(&"a2-b3".to_string()) && second.is_empty(), "{first:?} {second:?}");
}

/// A cell that may be picked, where the text goes on and no move does.
#[test]
fn why_tells_that_no_move_goes_on() {
    let (code, out, _) = lusoria(&["why", "charisma", "a1-a2"]);
    assert_eq!(code, RULES);
    assert!(out.contains("a1 can be picked here, but then no move goes on as `a1-a2` does."), "{out}");
    assert!(out.contains("a1 cannot be picked here from `own`: a1 is empty."), "{out}");
}

#[test]
#[cfg(unix)]
fn a_file_is_watched_until_it_is_interrupted() {
    let good = std::fs::read_to_string(crate::common::project("rules/breakthrough.rules")).expect("it is shipped");
    let folder = folder(&[("own.rules", good.as_bytes())]);
    let file = path(&folder, "own.rules");
    let mut child = command(&["watch", &file, "--games", "2", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut next = || -> serde_json::Value {
        let line = lines.next().expect("a line for each save").expect("UTF-8");
        serde_json::from_str(&line).expect("it is JSON")
    };
    let seen = next();
    assert_eq!((&seen["errors"], &seen["played"]["games"]), (&0.into(), &2.into()), "{seen}");
    let examples = seen["examples"].as_u64().expect("a number");
    std::fs::write(&file, good.replace("pick p from own", "pick p from owns")).expect("there is room");
    let seen = next();
    assert_eq!((&seen["errors"], &seen["played"]), (&1.into(), &serde_json::Value::Null), "{seen}");
    assert_eq!((&seen["board"], &seen["failing"]), (&serde_json::Value::Null, &serde_json::Value::Null), "{seen}");
    std::fs::write(&file, good.replace("  end {", "  example \"no\" { play \"a2-a3\"   illegal \"a7-a6\" }\n  end {"))
        .expect("there is room");
    let seen = next();
    assert_eq!((&seen["errors"], &seen["examples"]), (&1.into(), &(examples + 1).into()), "{seen}");
    let why = seen["why"].as_str().expect("a call");
    assert!(why.starts_with("lusoria why ") && why.ends_with(" Black\" a7-a6"), "{why}");
    let board: Vec<&str> = seen["board"].as_str().expect("a board").lines().collect();
    assert_eq!((&seen["failing"], board[5], board[6]), (&"no".into(), "3  W . . . . . . .", "2  . W W W W W W W"));
    let stopped = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("it runs");
    assert!(stopped.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(FINE));
    fails(&["watch", &path(&folder, "none.rules")], USAGE);
}
