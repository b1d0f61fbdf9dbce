//! The program from outside: exit codes, what goes to stdout and what to stderr, and that nothing
//! it is given makes it panic.

use std::io::{BufRead, Read, Write};
use std::process::{Command, Output, Stdio};

use lusoria::Game;
use lusoria::shipped::Shipped;
use rand::RngExt;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{lot, project};

pub const FINE: i32 = 0;
pub const RULES: i32 = 1;
pub const USAGE: i32 = 2;

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lusoria"));
    command.args(arguments).current_dir(project("")).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

pub fn told(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("it writes UTF-8");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert!(!err.contains("panicked"), "{err}");
    (output.status.code().expect("no signal ended it"), out, err)
}

/// Exit code, stdout, stderr.
pub fn lusoria(arguments: &[&str]) -> (i32, String, String) {
    told(command(arguments).stdin(Stdio::null()).output().expect("it starts"))
}

pub fn lusoria_reading(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    told(child.wait_with_output().expect("it ends"))
}

/// What is printed where all is fine; nothing is said on stderr.
pub fn fine(arguments: &[&str]) -> String {
    let (code, out, err) = lusoria(arguments);
    assert_eq!((code, err.as_str()), (FINE, ""), "{arguments:?}");
    out
}

pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&fine(arguments)).expect("it is JSON")
}

/// The message on stderr; stdout is empty.
pub fn fails(arguments: &[&str], expected: i32) -> String {
    let (code, out, err) = lusoria(arguments);
    assert_eq!((code, out.as_str()), (expected, ""), "{arguments:?}: {err}");
    assert!(!err.is_empty());
    err
}

/// A folder with files.
pub fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().expect("there is room");
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("there is room");
    }
    folder
}

pub fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// A file that no plan plays.
const WITHOUT_PLAN: &str = "tests/games/pass/unsaid-choice.rules";
const WRONG: &str = "game \"Wrong\" {\n  players White, Black\n  board square 3 by 3\n  piece stone\n\
                     \x20 move { pick c from emty   place stone on c }\n  end { draw if no empty }\n}\n";
const FOUR: &str = "game \"Quartet\" {\n  players Ann, Bea, Cid, Dan\n  board square 3 by 3\n  piece stone\n\
                    \x20 move { pick c from empty   place stone on c }\n  end { win if some own in b2   draw if stuck(enemy) }\n\
                    \x20 variant \"Pairs\" { teams Ann and Cid, Bea and Dan }\n}\n";
pub const FAULTY: &str = "game \"Faulty\" {\n  players White, Black\n  board square 3 by 3\n  piece stone\n\
                      \x20 move { pick c from empty   place stone on c }\n  end { win if 1 / (count(own) - 1) = 5   draw if no empty }\n}\n";

#[test]
fn check_tells_by_its_exit_code() {
    let folder = folder(&[("wrong.rules", WRONG.as_bytes()), ("latin.rules", b"game \"\xe9\" {}")]);
    assert_eq!(fine(&["check", "rules/othello.rules"]), "1 file: no errors, no warnings\n");
    let (code, out, err) = lusoria(&["check", "rules/othello.rules", &path(&folder, "wrong.rules")]);
    assert_eq!(code, RULES);
    assert!(out.starts_with("2 files: 1 error, "), "{out}");
    assert!(err.contains("`emty`") && err.contains("empty") && err.contains("wrong.rules:5:"), "{err}");
    let missing = fails(&["check", "rules/no_such.rules"], USAGE);
    assert!(missing.contains("no_such.rules"), "{missing}");
    let latin = fails(&["check", &path(&folder, "latin.rules")], USAGE);
    assert!(latin.contains("UTF-8") && latin.contains("byte 6"), "{latin}");
    fails(&["check"], USAGE);
    fails(&["check", &folder.path().display().to_string()], USAGE);
}

#[test]
fn check_gives_data() {
    let folder = folder(&[("wrong.rules", WRONG.as_bytes())]);
    let file = path(&folder, "wrong.rules");
    let (code, out, err) = lusoria(&["check", "--json", &file]);
    assert_eq!((code, err.as_str()), (RULES, ""));
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&told["files"], &told["errors"]), (&Value::from(1), &Value::from(1)));
    let diagnostic = &told["diagnostics"][0];
    for key in ["code", "severity", "message"] {
        assert!(diagnostic[key].is_string(), "{diagnostic}");
    }
    assert!(diagnostic.to_string().contains("wrong.rules"), "{diagnostic}");
    let good = json(&["check", "--json", "rules/othello.rules", "rules/pente.rules"]);
    assert_eq!(good, serde_json::json!({ "diagnostics": [], "files": 2, "errors": 0, "warnings": 0 }));
}

#[test]
fn check_plays() {
    let folder = folder(&[("faulty.rules", FAULTY.as_bytes())]);
    let faulty = path(&folder, "faulty.rules");
    let (code, out, _) = lusoria(&["check", &faulty]);
    assert_eq!(code, FINE, "{out}");
    let (code, _, err) = lusoria(&["check", &faulty, "--playouts", "3"]);
    assert_eq!(code, RULES);
    assert!(err.contains("faulty.rules:6:") && err.contains("position"), "{err}");
    let (code, out, err) = lusoria(&["check", "rules/breakthrough.rules", "--playouts", "5", "--max-turns", "3"]);
    assert_eq!(code, FINE);
    assert!(out.contains("no errors") && err.contains("did not end within 3 turns"), "{out}{err}");
    assert_eq!(fine(&["check", "rules/kitaran.rules", "--playouts", "2", "--json"]).lines().count(), 1);
}

#[test]
fn check_sets_games_up() {
    let unmet = FAULTY.replace("  move", "  setup { place White stone on b2   need count(White) = 2 }\n  move");
    let short = FAULTY.replace("win if 1 / (count(own) - 1) = 5", "win if count(empty) < 9");
    let folder = folder(&[("unmet.rules", unmet.as_bytes()), ("short.rules", short.as_bytes())]);
    for (file, wanted) in [
        ("unmet.rules", ["play-setup", "no game can begin", "unmet.rules:5:"]),
        ("short.rules", ["play-over-at-start", "every first turn of `Faulty` ends the game", "short.rules:6:"]),
    ] {
        let (code, out, err) = lusoria(&["check", &path(&folder, file)]);
        assert_eq!((code, out.as_str()), (FINE, "1 file: no errors, 1 warning\n"), "{err}");
        assert!(wanted.iter().all(|part| err.contains(part)), "{err}");
    }
}

/// The result without what is measured.
fn simulated(arguments: &[&str]) -> Value {
    let mut result = json(&[&["simulate", "--json"], arguments].concat());
    let measured = result.as_object_mut().expect("an object");
    assert!(measured.remove("seconds").is_some() && measured.remove("games_per_second").is_some());
    result
}

#[test]
fn simulations_depend_on_the_seed_alone() {
    let game = ["breakthrough:5x5", "--games", "60", "--seed", "7"];
    let one = simulated(&[&game[..], &["--threads", "1"]].concat());
    assert_eq!(simulated(&[&game[..], &["--threads", "3"]].concat()), one);
    assert_eq!(simulated(&game), one);
    assert_ne!(simulated(&["breakthrough:5x5", "--games", "60", "--seed", "8"]), one);
    assert_eq!(
        (&one["games"], &one["seed"], &one["draws"]["games"]),
        (&Value::from(60), &Value::from(7), &Value::from(0))
    );
    let wins: u64 = one["players"].as_array().unwrap().iter().map(|player| player["wins"].as_u64().unwrap()).sum();
    assert_eq!(wins, 60);
    let table = fine(&[&["simulate"], &game[..]].concat());
    assert!(table.contains("60 random games, seed 7") && table.contains("White wins"), "{table}");
}

/// What the games came to, whoever played them.
fn played(arguments: &[&str]) -> Value {
    let mut result = simulated(arguments);
    result.as_object_mut().expect("an object").remove("executor");
    result
}

#[test]
fn many_games_at_a_time_go_as_one_after_the_other() {
    for (game, games) in
        [("breakthrough", "300"), ("othello", "200"), ("chess960", "8"), ("nine_mens_morris", "40"), ("fanorona", "10")]
    {
        let by =
            |more: &[&str]| played(&[&[game, "--games", games, "--seed", "5", "--max-turns", "200"], more].concat());
        let planned = by(&["--executor", "scalar"]);
        for more in [&[][..], &["--lanes", "3"], &["--lanes", "128", "--threads", "1"], &["--threads", "3"]] {
            assert_eq!(by(&[&["--executor", "batch"], more].concat()), planned, "{game} {more:?}");
        }
    }
    assert_eq!(simulated(&["breakthrough", "--games", "9"])["executor"], "batch");
    assert_eq!(simulated(&["fanorona", "--games", "2"])["executor"], "scalar");
    assert!(fails(&["simulate", WITHOUT_PLAN, "--executor", "batch"], USAGE).contains("no plan"));
    fails(&["simulate", "breakthrough", "--lanes", "0"], USAGE);
    fails(&["simulate", "breakthrough", "--lanes", "129"], USAGE);
}

/// An interruption gives what is over by then.
#[cfg(unix)]
#[test]
fn simulations_can_be_interrupted() {
    use std::process::{Command, Stdio};
    let games = [("breakthrough", "batch"), ("breakthrough", "scalar"), ("focus", "reference")];
    let children = games.map(|(game, executor)| {
        let games = "1000000000";
        Command::new(env!("CARGO_BIN_EXE_lusoria"))
            .args(["simulate", game, "--games", games, "--max-turns", "40", "--executor", executor, "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    });
    std::thread::sleep(std::time::Duration::from_secs(3));
    for (child, (game, executor)) in children.into_iter().zip(games) {
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{game} {executor}");
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        let played = result["games"].as_u64().unwrap();
        assert!(result["partial"] == true && played > 0 && played < 1_000_000_000, "{result}");
    }
}

#[test]
fn simulations_count_the_wins_of_each_of_four_players() {
    let names = |result: &Value| -> Vec<(String, u64)> {
        let players = result["players"].as_array().unwrap().iter();
        players.map(|one| (one["player"].as_str().unwrap().to_string(), one["wins"].as_u64().unwrap())).collect()
    };
    let focus = simulated(&["focus:for four", "--games", "2", "--max-turns", "20"]);
    assert_eq!(names(&focus), [("Red".to_string(), 0), ("Green".into(), 0), ("Blue".into(), 0), ("Yellow".into(), 0)]);
    let folder = folder(&[("four.rules", FOUR.as_bytes())]);
    let file = path(&folder, "four.rules");
    let alone = simulated(&[&file, "--games", "80"]);
    let wins: Vec<u64> = names(&alone).into_iter().map(|(_, wins)| wins).collect();
    assert!(wins.iter().all(|&wins| wins > 0) && wins.iter().sum::<u64>() == 80, "{alone}");
    // Partners win together.
    let pairs = simulated(&[&file, "--variant", "Pairs", "--games", "80"]);
    let wins: Vec<u64> = names(&pairs).into_iter().map(|(_, wins)| wins).collect();
    assert!(wins[0] == wins[2] && wins[1] == wins[3] && wins[0] + wins[1] == 80, "{pairs}");
    let table = fine(&["simulate", &file, "--games", "80"]);
    assert!(["Ann", "Bea", "Cid", "Dan"].iter().all(|name| table.contains(&format!("{name} wins"))), "{table}");
}

/// Samples may have met no ply yet: that is no mean of nothing.
#[test]
fn branching_that_nothing_was_counted_for_is_not_told() {
    let arguments = ["ordo", "--games", "1", "--max-turns", "1", "--executor", "scalar"];
    let told = simulated(&arguments);
    assert!(told["mean_branching"].is_null() && told["branching_estimated"].as_bool() == Some(true), "{told}");
    assert!(fine(&[&["simulate"], &arguments[..]].concat()).contains("branching factor -\n"));
}

/// Where plies are drawn without counting all, their mean number is estimated without bias.
#[test]
fn branching_is_counted_or_estimated() {
    let branching = |game: &str, games: &str, executor: &str| {
        let told = simulated(&[game, "--games", games, "--executor", executor]);
        (told["branching_estimated"].as_bool().unwrap(), told["mean_branching"].as_f64().unwrap())
    };
    for (game, games, estimated) in
        [("nine_mens_morris", "2000", true), ("othello", "500", false), ("chess", "60", true)]
    {
        let (is_estimated, planned) = branching(game, games, "scalar");
        assert_eq!(is_estimated, estimated, "{game}");
        let (is_estimated, plain) = branching(game, "20", "reference");
        assert!(!is_estimated && (planned / plain - 1.0).abs() < 0.12, "{game}: {planned} and {plain}");
    }
}

#[test]
fn simulations_may_stay_unfinished() {
    let result = simulated(&["othello", "--games", "4", "--max-turns", "1"]);
    assert_eq!((&result["unfinished"]["games"], &result["turns"]["max"]), (&Value::from(4), &Value::from(1)));
    fails(&["simulate", "othello", "--games", "0"], USAGE);
    fails(&["simulate", "othello", "--threads", "0"], USAGE);
    let folder = folder(&[("faulty.rules", FAULTY.as_bytes())]);
    let err = fails(&["simulate", &path(&folder, "faulty.rules"), "--games", "5"], RULES);
    assert!(err.contains("faulty.rules") && err.contains("position:"), "{err}");
}

/// What takes long is not begun in vain.
#[test]
fn a_file_that_cannot_be_written_is_told_alike() {
    let folder = folder(&[]);
    let goal = path(&folder, "nowhere/out");
    let commands: [&[&str]; 6] = [
        &["report", "breakthrough", "--games", "10000", "-o", &goal],
        &["tune", "breakthrough", "--games", "10000", "--out", &goal],
        &["draw", "breakthrough", "-o", &format!("{goal}.svg")],
        &["simulate", "breakthrough", "--games", "1", "--record", &goal],
        &["simulate", "breakthrough", "--games", "1", "--out", &goal],
        &["match", "breakthrough", "random", "random", "--games", "2", "--record", &goal],
    ];
    for command in commands {
        let told = fails(command, USAGE);
        assert!(told.contains(&format!("cannot write `{goal}")) && told.contains("there is no such folder"), "{told}");
    }
}

#[test]
fn moves_are_listed() {
    assert_eq!(fine(&["moves", "othello"]), "d3\nc4\nf5\ne6\n");
    assert_eq!(fine(&["moves", "othello", "--move", "d3"]), "c3\ne3\nc5\n");
    let err = fails(&["moves", "othello", "--position", "-", "--move", "d3"], USAGE);
    assert!(err.contains("takes no moves"), "{err}");
    let position = "8/8/8/3BB3/3WW3/8/8/8 White";
    assert_eq!(fine(&["moves", "breakthrough", "--position", position]), "d4-c5\nd4xe5\ne4xd5\ne4-f5\n");
    let told = json(&["moves", "breakthrough", "--json", "--position", position]);
    assert_eq!((&told["position"], &told["to_move"]), (&Value::from(position), &Value::from("White")));
    assert_eq!(told["moves"].as_array().unwrap().len(), 4);
    assert_eq!(told["moves"][1]["position"], Value::from("8/8/8/3BW3/4W3/8/8/8 Black"));
    assert_eq!(told["moves"][1]["winners"], Value::Null);
    let over = ["moves", "croda", "--json", "--position", "8/8/m7/mm6/M7/8/8/8 White"];
    let (code, out, err) = lusoria(&over);
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&told["moves"], &told["winners"]), (&serde_json::json!([]), &serde_json::json!(["Black"])));
    assert!(code == FINE && err.starts_with("the game is over: Black wins: ") && err.contains("croda.rules:"), "{err}");
    let (code, out, err) = lusoria_reading(&["moves", "croda", "--position", "-"], &format!("{}\n", over[4]));
    assert!(code == FINE && out == "\n" && err.starts_with("line 1: the game is over: Black wins: "), "{err}");
}

#[test]
fn moves_leave_out_what_is_forbidden() {
    let position = "15/15/15/15/15/15/15/5BB8/7B7/7B7/15/15/15/15/15";
    let moves = |player: &str| fine(&["moves", "renju", "--position", &format!("{position} {player}")]);
    let (black, white) = (moves("Black"), moves("White"));
    assert!(!black.lines().any(|line| line == "h8"), "two threes are closed to Black: {black}");
    assert!(white.lines().any(|line| line == "h8"), "{white}");
    assert_eq!((black.lines().count(), white.lines().count()), (220, 221));
}

#[test]
fn moves_of_many_positions_are_listed_line_by_line() {
    let lines = "8/8/8/3BB3/3WW3/8/8/8 White\n\n8/8/8/8/8/8/W7/8 White\n";
    let (code, out, err) = lusoria_reading(&["moves", "breakthrough", "--position", "-"], lines);
    assert_eq!((code, err.as_str()), (FINE, ""));
    assert_eq!(out, "d4-c5, d4xe5, e4xd5, e4-f5\n\na2-a3, a2-b3\n");
    let (code, out, err) =
        lusoria_reading(&["moves", "breakthrough", "--json", "--position", "-"], "8/8 White\n8/8/8/8/8/8/W7/8 W\n");
    assert_eq!(code, RULES);
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(answers[0]["error"].is_string() && answers[1]["moves"].is_array(), "{out}");
    assert!(err.contains("a position could not be answered: line 1\n"), "{err}");
    assert_eq!(answers[0]["line"], 1);
    let long = format!("8/8 White\n{}\n8/8/8/8/8/8/W7/8 W", "8/".repeat(1 << 20));
    let (code, out, err) = lusoria_reading(&["moves", "breakthrough", "--position", "-"], &long);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, lines.len(), lines[2]), (RULES, 3, "a2-a3, a2-b3"));
    assert!(lines[0].starts_with("line 1: error[position-parts]: "), "{out}");
    assert!(lines[1].starts_with("line 2: error: it is longer"), "{out}");
    assert!(err.contains("some positions could not be answered: line 1, 2\n"), "{err}");
}

#[test]
fn a_position_that_cannot_be_read_is_pointed_at() {
    let err = fails(&["moves", "breakthrough", "--position", "8/8/8/3BX3/3WW3/8/8/8 White"], USAGE);
    let lines: Vec<&str> = err.lines().collect();
    assert!(lines[0].starts_with("error[position-") && lines[0].contains("`X`"), "{err}");
    assert_eq!(lines[1], "  8/8/8/3BX3/3WW3/8/8/8 White");
    assert_eq!(lines[2], "          ^");
    for command in ["show", "perft"] {
        let mut arguments = vec![command, "breakthrough", "--position", "8/8 Green"];
        arguments.extend((command == "perft").then_some("1"));
        assert!(fails(&arguments, USAGE).contains("8/8 Green\n  "));
    }
}

#[test]
fn perft_counts() {
    assert_eq!(fine(&["perft", "othello", "4"]), "244\n");
    assert_eq!(fine(&["perft", "othello", "0"]), "1\n");
    // Of 197,281 sequences of four, so many begin so (the Chess Programming Wiki's perft results).
    assert_eq!(fine(&["perft", "chess", "3", "--move", "e2e4"]), "13160\n");
    let err = fails(&["perft", "chess", "3", "--move", "e2e5"], RULES);
    assert!(err.contains("`e2e5` is ply 1 of those given"), "{err}");
    let divided = fine(&["perft", "fanorona", "2", "--divide"]);
    let lines: Vec<&str> = divided.lines().collect();
    assert_eq!((lines.len(), lines.last()), (6, Some(&"39")));
    let sum: u64 = lines[..5].iter().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!(sum, 39);
    let told = json(&["perft", "fanorona", "2", "--divide", "--json"]);
    assert_eq!((&told["count"], told["divide"].as_array().map(Vec::len)), (&Value::from(39), Some(5)));
    for unit in ["ply", "turn"] {
        assert_eq!(fine(&["perft", "kitaran", "2", "--set", "size=3", "--unit", unit]), "72\n");
    }
    // Stones on nine cells in two turns: nine results, then eight after each.
    assert_eq!(fine(&["perft", "kitaran", "2", "--set", "size=3", "--unit", "result"]), "72\n");
    let word = fails(&["perft", "othello", "two"], USAGE);
    assert!(word.contains("write a whole number in digits, such as `16`"), "{word}");
}

#[test]
fn executors_are_chosen_and_told() {
    let counted = |executor| fine(&["perft", "breakthrough", "3", "--executor", executor]);
    assert_eq!((counted("reference"), counted("scalar")), (String::from("11132\n"), String::from("11132\n")));
    let divided = |game, executor| fine(&["perft", game, "2", "--divide", "--executor", executor]);
    for game in ["breakthrough", "fanorona", "chess"] {
        assert_eq!(divided(game, "scalar"), divided(game, "reference"));
    }
    // What was before the first move counts for the turns behind it.
    assert!(
        fails(&["perft", "gonnect", "2", "--divide", "--executor", "scalar"], USAGE)
            .contains("only the reference executor divides")
    );
    // So does what was before the position that is counted from: superko leaves one move.
    let moves = ["c2", "c3", "a1", "c1", "b3", "a2", "c3", "b2", "b1", "c1"].map(|one| ["--move", one]);
    for executor in ["reference", "scalar"] {
        let asked = ["perft", "gonnect", "1", "--set", "size=3", "--executor", executor];
        assert_eq!(fine(&[&asked[..], moves.as_flattened()].concat()), "1\n", "{executor}");
    }
    fails(&["perft", "breakthrough", "3", "--unit", "result", "--executor", "scalar"], USAGE);
    assert!(fails(&["perft", WITHOUT_PLAN, "1", "--executor", "scalar"], USAGE).contains("no plan"));
    for (game, arguments, executor) in [
        ("breakthrough", &[][..], "batch"),
        ("breakthrough", &["--executor", "scalar"], "scalar"),
        ("breakthrough", &["--executor", "reference"], "reference"),
        (WITHOUT_PLAN, &["--max-turns", "3"], "reference"),
        // The names of earlier versions.
        ("breakthrough", &["--executor", "planned"], "scalar"),
        ("breakthrough", &["--executor", "plain"], "reference"),
    ] {
        let told = simulated(&[&[game, "--games", "2"], arguments].concat());
        assert_eq!(told["executor"], executor, "{game} {arguments:?}");
    }
    assert!(fails(&["simulate", WITHOUT_PLAN, "--executor", "scalar"], USAGE).contains("no plan"));
}

#[test]
fn plans_are_pages() {
    let page = fine(&["plan", "breakthrough", "--player", "Black"]);
    assert!(page.contains("turn of Black") && page.contains("choose (counted, one drawn and made)"), "{page}");
    assert!(page.lines().count() < 40, "{page}");
    assert!(!page.contains("\n- "), "nothing goes one by one: {page}");
    let (code, out, err) = lusoria(&["plan", WITHOUT_PLAN, "--json"]);
    assert_eq!((code, err.as_str()), (RULES, ""));
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told["planned"], false);
    assert!(told["why"].as_str().is_some_and(|why| !why.is_empty()), "{told}");
    let (code, out, _) = lusoria(&["plan", WITHOUT_PLAN, "--full"]);
    assert!(code == RULES && out.contains("there is no plan yet for "), "{out}");
    fails(&["plan", "breakthrough", "--player", "Green"], USAGE);
}

/// Behind the first line a page says what goes cell by cell or move by move.
#[test]
fn plans_tell_what_goes_one_by_one() {
    for (game, expected) in [
        ("fanorona", &["choices are gone through: "][..]),
        (
            "frenzy",
            &["loops go cell by cell: ", "loops go group by group: ", "calls of defines that call themselves: "],
        ),
        ("ninuki_renju:perfect five", &["all moves are compared with each other: "]),
    ] {
        let page = fine(&["plan", game, "--player", "White"]);
        let told: Vec<&str> = page.lines().skip(1).map_while(|line| line.strip_prefix("- ")).collect();
        for words in expected {
            assert!(told.iter().any(|line| line.contains(words)), "{game}, {words}: {told:?}");
        }
        assert_eq!(
            json(&["plan", game, "--player", "White", "--json"])["one_by_one"],
            serde_json::json!(told),
            "{game}"
        );
    }
}

/// Pages are for authors of rules: nothing is referred to by its index in a table of the plan.
#[test]
fn plans_are_worded_for_authors() {
    let manual = std::fs::read_to_string(project("docs/performance.md")).unwrap();
    let page = fine(&["plan", "breakthrough"]);
    assert!(manual.contains(&format!("```text\n{page}```")), "docs/performance.md shows another page: {page}");
    let of_machines = ["vec ", "fan ", "query ", "by hop ", "outcome ", "winners ", " bits ", " 0x", "\nwhere\n"];
    for game in ["amazons", "chess", "dameo", "gonnect", "lines_of_action", "nine_mens_morris", "pente", "xiangqi"] {
        let page = fine(&["plan", game]);
        let found = of_machines.iter().find(|word| page.contains(**word));
        assert_eq!(found, None, "{game}: {page}");
        assert!(page.contains("the game is over: ") && page.contains("line "), "{game}: {page}");
    }
}

/// Where the program was built without its page, it says so.
#[test]
fn the_page_is_served_where_data_says() {
    let mut child = command(&["web", "--port", "0", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    std::io::BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("UTF-8");
    if line.is_empty() {
        let ended = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.code() == Some(USAGE) && told.contains("built without its page"), "{told}");
        return;
    }
    let served: serde_json::Value = serde_json::from_str(&line).expect("it is JSON on one line");
    let address = served["address"].as_str().expect("an address");
    let place = address.strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).expect("of this machine");
    let mut stream = std::net::TcpStream::connect(place).expect("it listens");
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("<title>Lusoria</title>"), "{answer}");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

#[test]
fn positions_are_drawn() {
    let shown = fine(&["show", "breakthrough", "--move", "a2-a3", "--move", "b7 b6"]);
    let last = "BBBBBBBB/B1BBBBBB/1B6/8/8/W7/1WWWWWWW/WWWWWWWW White";
    assert_eq!(shown.lines().last(), Some(last));
    assert!(
        shown.starts_with("Breakthrough\n") && shown.contains("White to move") && shown.contains("a b c d e f g h"),
        "{shown}"
    );
    let told = json(&["show", "breakthrough", "--json", "--move", "a2-a3", "--move", "b7-b6"]);
    assert_eq!((&told["position"], &told["winners"]), (&Value::from(last), &Value::Null));
    let won = fine(&["show", "breakthrough", "--position", "8/W7/8/8/8/7B/8/8 White", "--move", "a7-a8"]);
    assert!(won.contains("White wins: win if some own in last row (breakthrough.rules:"), "{won}");
    let err = fails(&["show", "breakthrough", "--move", "a2-a4"], RULES);
    assert!(err.contains("a2-a4") && err.contains("^^"), "{err}");
    assert!(fine(&["show", "nine_mens_morris"]).contains("White.hand: M9"));
}

#[test]
fn speeds_name_the_executor() {
    let told = json(&["list", "breakthrough", "focus", "--speed", "1ms", "--json"]);
    let told = told.as_array().unwrap();
    assert_eq!(told.len(), 2);
    for speed in told {
        assert!(speed["turns_per_second"].as_f64().unwrap() > speed["games_per_second"].as_f64().unwrap(), "{speed}");
        assert_eq!(speed["why"].is_null(), speed["executor"] != "reference", "{speed}");
    }
    assert_ne!(told[0]["executor"], "reference");
    let text = fine(&["list", "breakthrough", "--speed", "1ms"]);
    assert!(text.starts_with("game ") && text.contains("\nbreakthrough ") && text.lines().count() == 2, "{text}");
    assert!(fails(&["list", "brakthrough"], USAGE).contains("did you mean `breakthrough`?"));
}

#[test]
fn every_shipped_game_is_listed() {
    let list = fine(&["list"]);
    let data = json(&["list", "--json"]);
    let names: Vec<&str> = data.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    let mut files: Vec<String> = std::fs::read_dir(project("rules"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "rules"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|stem| stem != "std")
        .collect();
    files.sort();
    assert_eq!(names, files);
    for game in Shipped.games() {
        assert!(list.lines().any(|line| line.starts_with(game.stem) && line.contains(&game.title)), "{}", game.stem);
    }
    assert!(list.contains("Fanorona Telo"));
}

/// The name of the game that arguments stand for.
fn shown(arguments: &[&str]) -> String {
    json(&[&["show", "--json"], arguments].concat())["game"].as_str().expect("a name").to_string()
}

#[test]
fn games_are_found_by_many_spellings() {
    for name in [
        "Nine Mens Morris",
        "nine_mens_morris",
        "Nine Men's Morris",
        "NINE-MENS-MORRIS",
        "rules/nine_mens_morris.rules",
    ] {
        assert_eq!(shown(&[name]), "Nine Men's Morris");
    }
    assert_eq!(shown(&["othello:reversi"]), "Reversi");
    assert_eq!(shown(&["rules/othello.rules:Reversi"]), "Reversi");
    assert_eq!(shown(&["othello", "--variant", "othello 6x6"]), "Othello 6x6");
    assert_eq!(shown(&["othello", "--variant", "Othello"]), "Othello");
    assert_eq!(shown(&["othello:6x6"]), "Othello 6x6");
    assert!(fine(&["show", "kitaran", "--set", "size=4"]).ends_with("4/4/4/4 Black\n"));
    for (name, near) in [("otelo", "`othello`"), ("fanorna", "`fanorona`"), ("zzzzzzzzzzzz", "`lusoria list`")] {
        let err = fails(&["show", name], USAGE);
        assert!(err.contains(&format!("`{name}`")) && err.contains(near), "{err}");
    }
    assert!(fails(&["show", "othello:reversy"], RULES).contains("Reversi"));
    let range = fails(&["show", "kitaran", "--set", "size=99"], RULES);
    assert!(range.contains("99") && range.contains("19"), "{range}");
    let unknown = fails(&["show", "kitaran", "--set", "siz=4"], RULES);
    assert!(unknown.contains("`siz`") && unknown.contains("`size`"), "{unknown}");
    fails(&["show", "kitaran", "--set", "size"], USAGE);
    fails(&["show", "kitaran", "--set", "size=big"], USAGE);
    fails(&["show", "othello:reversi", "--variant", "Reversi"], USAGE);
    fails(&["show", "no/such/file.rules"], USAGE);
}

#[test]
fn rules_and_completions_are_printed() {
    let text = std::fs::read_to_string(project("rules/breakthrough.rules")).unwrap();
    assert_eq!(fine(&["rules", "breakthrough"]), text);
    assert!(fine(&["rules", "std"]).contains("pattern step"));
    assert!(fails(&["rules", "nothing"], USAGE).contains("`nothing`"));
    let data = json(&["rules", "Breakthrough", "--json"]);
    assert_eq!(data, serde_json::json!({ "name": "breakthrough", "title": "Breakthrough", "text": text }));
    let prelude = json(&["rules", "std", "--json"]);
    assert!(prelude["title"].is_null() && prelude["text"].as_str().unwrap().contains("pattern step"), "{prelude}");
    assert!(fails(&["rules", "nothing", "--json"], USAGE).contains("`nothing`"));
    assert!(fine(&["completions", "bash"]).contains("_lusoria"));
    fails(&["completions", "no_shell"], USAGE);
}

/// The commands, and those within them, as `help` lists them.
fn commands_within(of: &[String]) -> Vec<Vec<String>> {
    let arguments: Vec<&str> = of.iter().map(String::as_str).chain(["--help"]).collect();
    let help = fine(&arguments);
    let listed = help.split_once("Commands:\n").map_or("", |(_, rest)| rest.split("\n\n").next().unwrap_or_default());
    let names =
        listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty());
    let mut all = vec![of.to_vec()];
    for name in names.filter(|name| *name != "help") {
        all.extend(commands_within(&[of, &[name.to_string()]].concat()));
    }
    all
}

/// Each has an example in its help, a manual page and a place in the completions; each can answer with data, but those whose
/// answer is a script or a protocol.
#[test]
fn every_command_helps() {
    const NO_DATA: [&str; 3] = ["completions", "engine", "lsp"];
    let commands = commands_within(&[]);
    assert!(commands.len() > 30, "{commands:?}");
    let folder = tempfile::tempdir().unwrap();
    fine(&["man", "--out", &folder.path().display().to_string()]);
    let completions = fine(&["completions", "bash"]);
    for command in &commands {
        let arguments: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let help = fine(&arguments);
        let name = [&["lusoria".to_string()], command.as_slice()].concat();
        let examples = help.split_once("Examples:\n").map_or("", |(_, examples)| examples);
        assert!(examples.contains(&format!("  {}", name.join(" "))), "{name:?}: {help}");
        let page = folder.path().join(format!("{}.1", name.join("-")));
        assert!(std::fs::read_to_string(&page).is_ok_and(|page| page.contains("SYNOPSIS")), "{}", page.display());
        let Some(last) = command.last() else { continue };
        assert!(completions.contains(last.as_str()), "{name:?}");
        let has_data = help.contains("json") || NO_DATA.contains(&last.as_str());
        assert!(has_data || help.contains("Commands:"), "{name:?}: {help}");
    }
}

#[test]
fn help_is_data_and_wrong_usage_is_not() {
    for arguments in [&["--help"][..], &["--version"], &["simulate", "--help"]] {
        assert!(fine(arguments).contains("lusoria"));
    }
    for arguments in [&["no_such_command"][..], &["show", "othello", "--no-such-option"], &[]] {
        fails(arguments, USAGE);
    }
    // A number below 0 is a value, and no option.
    for (arguments, value) in
        [(&["simulate", "othello", "--games", "-3"][..], "--games"), (&["perft", "chess", "-1"], "DEPTH")]
    {
        let err = fails(arguments, USAGE);
        assert!(err.contains("invalid value") && err.contains(value), "{err}");
    }
}

#[test]
fn without_a_terminal_there_are_no_colours() {
    let folder = folder(&[("wrong.rules", WRONG.as_bytes())]);
    for no_colour in [false, true] {
        for arguments in [vec!["show", "pente"], vec!["check", &path(&folder, "wrong.rules")], vec!["--help"]] {
            let mut command = command(&arguments);
            if no_colour {
                command.env("NO_COLOR", "1");
            }
            let (_, out, err) = told(command.output().unwrap());
            assert!(!out.contains('\u{1b}') && !err.contains('\u{1b}'), "{arguments:?}: {out}{err}");
        }
    }
}

#[test]
fn a_reader_that_stops_is_no_mistake() {
    for arguments in
        [&["moves", "amazons", "--json"][..], &["completions", "bash"], &["rules", "fanorona"], &["list"], &["--help"]]
    {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut [0]).unwrap();
        drop(out);
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(!err.contains("panicked") && output.status.code().is_some(), "{arguments:?}: {err}");
    }
    // Nobody reads from the first byte on.
    let mut child = command(&["completions", "zsh"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let err = String::from_utf8_lossy(&child.wait_with_output().unwrap().stderr).into_owned();
    assert!(!err.contains("panicked"), "{err}");
}

/// Texts made of what positions and moves are made of, and of what they are not.
fn scrap(lot: &mut impl rand::Rng) -> String {
    const PARTS: [&str; 40] = [
        "8",
        "/",
        "W",
        "B",
        "w",
        " ",
        "White",
        "Black",
        "=",
        ":",
        "a1",
        "d3",
        "x",
        "-",
        "+",
        "(",
        ")",
        "'2",
        "[",
        "]",
        "*",
        "hand",
        "White.hand=",
        "fresh=",
        "none",
        "pass",
        "stop",
        "opening=",
        "99999999999999999999",
        "\u{e9}",
        "\u{1f600}",
        "\t",
        "\0",
        "-1",
        ".",
        "a",
        "Z",
        "??",
        "e\u{301}",
        "8/8/8/8/8/8/8/8 White",
    ];
    (0..lot.random_range(0..12)).map(|_| PARTS[lot.random_range(0..PARTS.len())]).collect()
}

#[test]
fn no_text_makes_it_panic() {
    let mut lot = lot(3);
    let games: Vec<Game> = ["othello", "fanorona", "kitaran", "nine_mens_morris", "pente:tournament pente", "croda"]
        .map(|name| Game::shipped(name).expect("it is shipped"))
        .into();
    for number in 0..2_000 {
        let text = scrap(&mut lot);
        for game in &games {
            // What can be read can also be written and listed, or has a fault.
            if let Ok(position) = game.position(&text) {
                let _ = position.legal_moves();
                assert!(!position.to_string().is_empty());
            }
            let mut start = game.start(0).unwrap();
            let before = start.to_string();
            if start.play_text(&text).is_err() {
                assert_eq!(start.to_string(), before, "{number}: {text:?}");
            }
        }
    }
    let lines: String = (0..300).map(|_| format!("{}\n", scrap(&mut lot).replace('\0', ""))).collect();
    for name in ["othello", "nine_mens_morris"] {
        let (_, out, _) = lusoria_reading(&["moves", name, "--position", "-"], &lines);
        assert_eq!(out.lines().count(), 300);
    }
    for _ in 0..40 {
        let text = scrap(&mut lot).replace('\0', "");
        let (code, _, _) =
            lusoria(&["show", "kitaran", "--position", &text, "--move", &scrap(&mut lot).replace('\0', "")]);
        assert!([FINE, RULES, USAGE].contains(&code), "{text:?}");
    }
}

#[test]
fn codes_are_explained() {
    let page = fine(&["explain", "wrong-type"]);
    assert!(page.starts_with("wrong-type\n") && page.contains("```"), "{page}");
    let data = json(&["explain", "fault-stuck", "--json"]);
    assert_eq!((data["code"].as_str(), data["part"].as_str()), (Some("fault-stuck"), Some("Faults")));
    let list = fine(&["explain"]);
    for code in ["syntax-unexpected", "no-stuck-outcome", "fault-work", "setup-dies", "play-unfinished", "move-unknown"]
    {
        assert!(list.lines().any(|line| line.trim() == code), "{code}\n{list}");
    }
    let listed = json(&["explain", "--json"]);
    assert_eq!(listed.as_array().map(Vec::len), Some(list.lines().filter(|line| line.starts_with("  ")).count()));
    assert!(fails(&["explain", "wrong-tipe"], USAGE).contains("did you mean `wrong-type`?"));
    assert!(fails(&["explain", "qqqqqqqqqqqq"], USAGE).contains("`lusoria explain` lists all codes"));
}

/// At the end of a run, once.
#[test]
fn a_run_says_how_to_learn_more_of_its_codes() {
    let folder = folder(&[
        ("one.rules", b"game \"A\" { }"),
        ("two.rules", b"game \"A\" { } game"),
        ("fault.rules", b"game \"A\" { players W, B board square 1 by 1 piece man setup { place man on a1 place man on a1 } move { pass } end { win if no own } }"),
    ]);
    let hints = |err: &str| err.matches("`lusoria explain ").count();
    let (code, _, err) = lusoria(&["check", &path(&folder, "one.rules")]);
    assert_eq!((code, hints(&err)), (RULES, 1), "{err}");
    let (_, _, err) = lusoria(&["check", &path(&folder, "one.rules"), &path(&folder, "two.rules")]);
    assert_eq!(hints(&err), 1, "{err}");
    assert!(err.ends_with("`lusoria explain CODE` says more of each code\n"), "{err}");
    let err = fails(&["show", "breakthrough", "--move", "a1-a5"], RULES);
    assert!(err.ends_with("`lusoria explain move-unknown` says more\n"), "{err}");
    let err = fails(&["moves", &path(&folder, "fault.rules")], RULES);
    assert_eq!(hints(&err), 1, "{err}");
    let (_, out, err) = lusoria(&["check", &path(&folder, "one.rules"), "--json"]);
    assert_eq!((hints(&out), err.as_str()), (0, ""));
}

#[test]
fn a_set_up_that_cannot_be_completed_has_a_code_and_a_place() {
    let rules = b"game \"A\" { players W, B board square 2 by 1 piece man\nsetup { pick c from empty place man on c need c in a1 and c in b1 }\nmove { pass } end { win if no own } }";
    let folder = folder(&[("dies.rules", rules)]);
    for command in ["show", "moves", "simulate"] {
        let err = fails(&[command, &path(&folder, "dies.rules")], RULES);
        assert!(err.starts_with("setup-dies\n") && err.contains("dies.rules:2:"), "{err}");
    }
    let err = fails(&["show", "chess960", "--setup", "960"], USAGE);
    assert!(err.contains("error[setup-number]"), "{err}");
}

#[test]
fn a_game_or_variant_that_is_misspelt_is_suggested() {
    let err = fails(&["show", "fanorona:telos"], RULES);
    assert!(err.contains("did you mean `Fanorona Telo`?") && err.contains("Dimyand, mirrored`"), "{err}");
    let err = fails(&["show", "hexplocus"], USAGE);
    assert!(err.contains("did you mean `explocus:Hexplocus`?") && err.contains("`Explocus 8x8`"), "{err}");
    let err = fails(&["show", "breakthru"], USAGE);
    assert!(err.contains("did you mean `breakthrough`?"), "{err}");
    let err = fails(&["show", "chess:atomic"], RULES);
    assert!(err.contains("this game has no variants"), "{err}");
}

#[test]
fn examples_are_held() {
    const RULES_TEXT: &str = r#"game "Row" {
  players A, B
  board square 3 by 1
  piece stone
  move { pick c from empty   place stone on c }
  end { win if stuck(enemy) }
  example "free" { legal "b1"   perft 3 6 }
  example "twice" {
    play "b1"
    legal "b1"
  }
  variant "Other end" { end { lose if stuck(enemy) } }
  variant "Same title" { example "twice" { play "b1"   illegal "b1" } }
}
"#;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("row.rules");
    let name = path.to_str().unwrap();
    std::fs::write(&path, RULES_TEXT).unwrap();
    let (code, out, err) = lusoria(&["test", name]);
    assert_eq!((code, out), (RULES, format!("{name}: 2 of 5 examples fail\n")));
    assert!(err.contains("`b1` is expected to be legal: it is not") && err.contains("row.rules:10:5"), "{err}");
    let (code, out, _) = lusoria(&["test", name, "--json"]);
    let data: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &data["examples"]), (RULES, &Value::from(5)));
    let why = data["failed"][0]["why"].as_str().unwrap();
    assert!(why.ends_with(" b1") && err.contains(&format!("\nWhich lines decide:\n  {why}\n")), "{why}: {err}");
    let games: Vec<&Value> = data["failed"].as_array().unwrap().iter().map(|failed| &failed["game"]).collect();
    assert_eq!(games, ["Row", "Other end"]);
    let (code, out, err) = lusoria(&["check", name]);
    assert_eq!((code, out.as_str()), (RULES, "1 file: 2 errors, no warnings\n"));
    assert!(err.contains("example-failed"), "{err}");

    std::fs::write(&path, RULES_TEXT.replace("legal \"b1\"\n", "illegal \"b1\"\n")).unwrap();
    assert_eq!(fine(&["test", name]), format!("{name}: 5 examples hold\n"));
    assert_eq!(fine(&["test", "ordo"]), "ordo.rules: 6 examples hold\n");
    assert_eq!(fine(&["test", "examples/qubic.rules"]), "examples/qubic.rules: no examples\n");
    std::fs::write(&path, RULES_TEXT.replace("perft 3 6", "C wins")).unwrap();
    let (code, out, err) = lusoria(&["test", name, "ordo"]);
    assert_eq!((code, out), (RULES, format!("{name}: not tested, it has mistakes\nordo.rules: 6 examples hold\n")));
    assert!(err.contains("unknown-name"), "{err}");
    let (code, out, _) = lusoria(&["test", name, "ordo", "--json"]);
    let data: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &data["examples"], &data["errors"][0]["code"]), (RULES, &6.into(), &"unknown-name".into()));
}

#[test]
fn rules_are_formatted() {
    const UNTIDY: &str = "game \"Untidy\" {\nplayers A,B   # two\nboard square 3 by 3\npiece x\n}\n";
    const TIDY: &str = "game \"Untidy\" {\n  players A, B                                     # two\n  board square 3 by 3\n  piece x\n}\n";
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("untidy.rules");
    let name = path.to_str().unwrap();
    std::fs::write(&path, UNTIDY).unwrap();
    let (code, out, err) = lusoria(&["fmt", "--check", name]);
    assert_eq!((code, err.as_str()), (RULES, ""));
    assert_eq!(
        out,
        format!("{name}:2: laid out otherwise\n- players A,B   # two\n+ {}\n", TIDY.lines().nth(1).unwrap())
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), UNTIDY);
    let (code, out, _) = lusoria(&["fmt", "--check", "--json", name]);
    assert_eq!((code, out), (RULES, format!("{{\"files\":1,\"changed\":[\"{name}\"]}}\n")));
    assert_eq!(fine(&["fmt", name]), "");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), TIDY);
    assert_eq!(fine(&["fmt", "--check", name]), "");
    assert_eq!(lusoria_reading(&["fmt", "-"], UNTIDY), (FINE, TIDY.into(), String::new()));

    // One file with a mistake leaves all as they are.
    let broken = folder.path().join("broken.rules");
    std::fs::write(&broken, "game \"Broken\" { piece }").unwrap();
    std::fs::write(&path, UNTIDY).unwrap();
    assert!(fails(&["fmt", name, broken.to_str().unwrap()], RULES).contains("broken.rules:1"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), UNTIDY);
    assert!(fails(&["fmt", "nowhere.rules"], USAGE).contains("there is no such file"));
}

#[test]
fn files_are_checked_with_all_their_variants() {
    for name in ["nine_mens_morris", "rules/nine_mens_morris.rules"] {
        let told = fails(&["check", &format!("{name}:forced removal")], USAGE);
        assert!(told.contains(&format!("read with all its variants; write `{name}`")), "{told}");
    }
    assert!(fails(&["check", "nowhere.rules:forced removal"], USAGE).contains("there is no game or file"));
}

/// What differs at the end of a line cannot be seen, so it is told in words.
#[test]
fn ends_of_lines_are_told() {
    const TIDY: &str = "game \"Tidy\" extends \"Breakthrough\" {\n  param size = 6\n}\n";
    let told = |text: &str| {
        let folder = folder(&[("tidy.rules", text.as_bytes())]);
        let path = folder.path().join("tidy.rules");
        let (code, out, _) = lusoria(&["fmt", "--check", path.to_str().unwrap()]);
        assert_eq!(code, RULES, "{out}");
        out.split_once("tidy.rules:").unwrap().1.to_string()
    };
    let (first, second) = ("game \"Tidy\" extends \"Breakthrough\" {", "  param size = 6");
    let crlf = format!("1: laid out otherwise: lines end with CR LF, not LF\n- {first}\n+ {first}\n");
    assert_eq!(told(&TIDY.replace('\n', "\r\n")), crlf);
    let blanks = format!("2: laid out otherwise: blanks at the end of the line\n- {second} \n+ {second}\n");
    assert_eq!(told(&TIDY.replace("= 6", "= 6 ")), blanks);
    assert_eq!(told(TIDY.trim_end()), "4: laid out otherwise: how the file ends\n- \n+ \n");
}
