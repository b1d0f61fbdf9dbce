//! Recorded games: they are those that are counted, whole lines at any time, and no file is lost.

use std::time::{Duration, Instant};

use lusoria::Game;
use serde_json::Value;

use crate::cli::{FAULTY, FINE, RULES, USAGE, command, fails, folder, json, lusoria, path};
use crate::common::thorough;

fn simulated(arguments: &[&str]) -> Value {
    let mut told = json(&[&["simulate", "--json"], arguments].concat());
    let all = told.as_object_mut().expect("it is an object");
    // Measured, so different in each run.
    for key in ["seconds", "games_per_second"] {
        all.remove(key);
    }
    told
}

fn read(file: &str) -> String {
    std::fs::read_to_string(file).unwrap()
}

/// Plays the games of a record again by the reference executor.
fn replay(name: &str, text: &str) -> u64 {
    replay_of(&Game::shipped(name).unwrap(), text)
}

pub fn replay_of(game: &Game, text: &str) -> u64 {
    let name = game.name();
    let mut turns = 0;
    for (number, line) in text.lines().enumerate() {
        let record: Value = serde_json::from_str(line).unwrap();
        assert_eq!(record["game"], Value::from(number));
        let mut position = game.position(record["start"].as_str().unwrap()).unwrap();
        for one in record["moves"].as_array().unwrap() {
            assert_eq!(one["player"], Value::from(position.chooser()));
            assert_eq!(one["legal"], Value::from(position.legal_moves().unwrap().len()), "{name}: {position}");
            position.play_text(one["move"].as_str().unwrap()).unwrap();
            assert_eq!(one["position"], Value::from(position.to_string()), "{name}");
        }
        turns += u64::from(position.state().turns());
        let outcome =
            position.outcome().map(|outcome| serde_json::json!({ "winners": outcome.winners, "by": outcome.by }));
        assert_eq!(record["outcome"], outcome.unwrap_or(Value::Null), "{name}");
    }
    turns
}

#[test]
fn recorded_games_are_those_that_are_counted() {
    let folder = folder(&[]);
    let file = path(&folder, "games.jsonl");
    let names = ["fanorona:telo", "nine_mens_morris", "kitaran", "gonnect", "chess960", "othello", "pilare", "renju"];
    let few = if thorough() { names.len() } else { 3 };
    for name in names.into_iter().rev().take(few) {
        let arguments = [name, "--games", "5", "--max-turns", "60", "--seed", "3"];
        let mut counted = simulated(&arguments);
        let mut recorded = simulated(&[&arguments[..], &["--record", &file]].concat());
        let text = read(&file);
        assert_eq!(text.lines().count(), 5);
        assert_eq!(recorded["turns"]["mean"], Value::from(replay(name, &text) as f64 / 5.0), "{name}");
        for told in [&mut counted, &mut recorded] {
            told.as_object_mut().unwrap().remove("executor");
        }
        assert_eq!(recorded, counted, "{name}");
        // So they are by any executor that plays by a plan, and any number of threads.
        for executor in ["batch", "scalar"].iter().filter(|_| name != "pilare" && name != "renju") {
            simulated(&[&arguments[..], &["--record", &file, "--executor", executor, "--threads", "3"]].concat());
            assert_eq!(read(&file), text, "{name}");
        }
    }
    let arguments = ["othello", "--games", "3", "--executor", "reference"];
    let counted = simulated(&arguments);
    assert_eq!(simulated(&[&arguments[..], &["--record", &file]].concat()), counted);
    replay("othello", &read(&file));
}

/// Values that a text leaves out, and turns that are written alike.
#[test]
fn recorded_positions_and_moves_can_be_read() {
    let rules = r#"game "Read" {
      players White north, Black south
      board square 3 by 3
      piece stone
      piece pebble
      remember rest = 3
      remember steps = 2 per player
      move {
        either { pick c from empty   place stone on c }
        or { pick c from empty   place pebble on c }
        or { pick c from empty   place stone on c   flip adjacent(c, sideways) and occupied }
        set rest = 3 - rest
        set steps = (steps + 1) mod 3
      }
      end { win if count(own stone) > 4   draw if no empty }
    }"#;
    let folder = folder(&[("read.rules", rules.as_bytes())]);
    let (file, game) = (path(&folder, "read.rules"), Game::from_source(rules).unwrap());
    for executor in ["scalar", "reference"] {
        let arguments = ["simulate", &file, "--games", "20", "--executor", executor, "--record", "-"];
        let (code, out, err) = lusoria(&arguments);
        assert_eq!((code, out.lines().count()), (FINE, 20), "{err}");
        assert!(replay_of(&game, &out) > 20);
        assert!(out.contains("\"a1'2\"") || out.contains("\"b2'2\""), "{out}");
        assert!(out.contains("rest=0") && !out.contains("rest=3"), "{out}");
    }
}

/// Turns in plies of which one is written as another begins, or that differ in who is to move alone.
#[test]
fn recorded_plies_that_begin_alike_can_be_read() {
    for turn in [
        r#"pick p from own   move p   pick k from 1..2 by chance   either "stay" { } or "go" { again }"#,
        "pick p from own   move p   either { } or { pick q from own by enemy   remove q }",
        "pick p from own   move p   either by enemy { } or { pick q from own   remove q }",
        "pick p from own
         either { move p } or { move p straight: slide   pick q from empty by enemy   place stone on q }",
    ] {
        let rules = format!(
            r#"game "Alike" {{
              players White, Black
              board square 4 by 4
              piece stone {{ move straight: step }}
              setup {{ place White stone on rank 1   place Black stone on rank 4 }}
              move {{ {turn} }}
              end {{ win if stuck(enemy)   win if no enemy   draw if turns >= 30 }}
            }}"#
        );
        let folder = folder(&[("alike.rules", rules.as_bytes())]);
        let (file, game) = (path(&folder, "alike.rules"), Game::from_source(&rules).unwrap());
        for executor in ["scalar", "reference"] {
            let arguments = ["simulate", &file, "--games", "20", "--executor", executor, "--record", "-"];
            let (code, out, err) = lusoria(&arguments);
            assert_eq!((code, out.lines().count()), (FINE, 20), "{turn}: {err}");
            assert!(replay_of(&game, &out) > 60, "{turn}");
        }
    }
}

#[test]
fn games_are_not_recorded_onto_what_they_are_read_from() {
    let base = "game \"Base\" {\n  players White, Black\n  board square 3 by 3\n  piece stone\n\
                \x20 move { pick c from empty   place stone on c }\n  end { draw if no empty }\n}\n";
    let more = "game \"More\" extends \"Base\" {\n  end { as usual   win if some own in b2 }\n}\n";
    let folder = folder(&[("base.rules", base.as_bytes()), ("more.rules", more.as_bytes())]);
    let [base_file, more_file] = ["base.rules", "more.rules"].map(|name| path(&folder, name));
    let beside = path(&folder, "./more.rules");
    for onto in [&base_file, &more_file, &beside] {
        for append in [&[][..], &["--append"]] {
            let told = fails(&[&["simulate", &more_file, "--games", "2", "--record", onto], append].concat(), USAGE);
            assert!(told.contains("the game is read from `"), "{told}");
        }
    }
    assert_eq!((read(&base_file).as_str(), read(&more_file).as_str()), (base, more));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside");
    // Nor onto what cannot be written.
    fails(&["simulate", &more_file, "--games", "1", "--record", &path(&folder, "no/such/folder")], USAGE);
    fails(&["simulate", &more_file, "--games", "1", "--record", &folder.path().display().to_string()], USAGE);
}

#[test]
fn an_old_record_stays_until_all_games_are_over() {
    let folder = folder(&[("faulty.rules", FAULTY.as_bytes()), ("old.jsonl", b"old\n")]);
    let [faulty, old, new] = ["faulty.rules", "old.jsonl", "new.jsonl"].map(|name| path(&folder, name));
    let told = fails(&["simulate", &faulty, "--games", "5", "--record", &old], RULES);
    assert!(told.contains("no game was recorded"), "{told}");
    fails(&["simulate", "no_such_game", "--record", &old], USAGE);
    fails(&["simulate", "othello", "--set", "no=1", "--record", &new], RULES);
    assert_eq!(read(&old), "old\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside");
    // Some games, then a fault: the set-up decides which it is.
    let later = "game \"Later\" {\n  players White, Black\n  board square 5 by 1\n  piece stone\n\
                 \x20 setup { pick c from any   place White stone on c }\n\
                 \x20 move { pick c from empty   place stone on c }\n\
                 \x20 end { win if 1 / (1 - count(White and e1)) = 5   draw if count(occupied) = 2 }\n}\n";
    std::fs::write(path(&folder, "later.rules"), later).unwrap();
    let told =
        fails(&["simulate", &path(&folder, "later.rules"), "--games", "500", "--seed", "1", "--record", &old], RULES);
    let part = path(&folder, "old.jsonl.part");
    let games = read(&part).lines().count();
    assert!(games > 0 && read(&old) == "old\n", "{told}");
    assert!(told.contains(&format!("`{part}` holds {games} game")), "{told}");
    // There is no old file to be kept.
    let told =
        fails(&["simulate", &path(&folder, "later.rules"), "--games", "500", "--seed", "1", "--record", &new], RULES);
    assert!(told.contains(&format!("`{new}` holds {games} game")) && read(&new) == read(&part), "{told}");
    // What is left beside by another run is left alone.
    simulated(&["othello", "--games", "2", "--record", &old]);
    assert_eq!((read(&old).lines().count(), read(&part).lines().count()), (2, games));
}

#[test]
fn records_go_on_as_one_long_run() {
    let folder = folder(&[]);
    let [long, file] = ["long.jsonl", "file.jsonl"].map(|name| path(&folder, name));
    for name in ["breakthrough", "chess960", "pilare"] {
        let arguments = [name, "--max-turns", "40", "--seed", "5"];
        simulated(&[&arguments[..], &["--games", "9", "--record", &long]].concat());
        let _ = std::fs::remove_file(&file);
        for games in ["4", "2", "3"] {
            let told = simulated(&[&arguments[..], &["--games", games, "--record", &file, "--append"]].concat());
            assert_eq!(told["games"].to_string(), games);
        }
        assert_eq!(read(&file), read(&long), "{name}");
    }
    let goes_on = |name: &str, more: &[&str]| {
        let arguments = ["simulate", name, "--games", "2", "--record", &file, "--append"];
        fails(&[&arguments[..], more].concat(), USAGE)
    };
    let before = read(&file);
    assert!(goes_on("pilare", &["--seed", "6"]).contains("line 1 was played with `--seed 5`, not 6"));
    assert!(goes_on("pilare", &["--seed", "5"]).contains("its last game goes another way"));
    assert!(goes_on("othello", &["--seed", "5", "--max-turns", "40"]).contains("its last game goes another way"));
    let without_second: String =
        before.lines().take(3).enumerate().filter(|(i, _)| *i != 1).map(|(_, line)| format!("{line}\n")).collect();
    for (text, wanted) in [
        (without_second, "line 2 is game 2, not game 1"),
        (before.trim_end().to_string(), "line 9 has no end"),
        ("[]\n".to_string(), "line 1 is no recorded game"),
        ("{\"game\":0}\n".to_string(), "line 1 does not tell its seed"),
    ] {
        std::fs::write(&file, &text).unwrap();
        let told = goes_on("pilare", &["--seed", "5", "--max-turns", "40"]);
        assert!(told.contains(wanted), "{told}");
        assert_eq!(read(&file), text);
    }
    fails(&["simulate", "othello", "--append"], USAGE);
    fails(&["simulate", "othello", "--record", "-", "--append"], USAGE);
}

#[test]
fn records_go_to_stdout() {
    let (code, out, err) = lusoria(&["simulate", "othello", "--games", "3", "--record", "-"]);
    assert_eq!((code, out.lines().count()), (FINE, 3), "{err}");
    assert!(err.starts_with("Othello: 3 random games"), "{err}");
    replay("othello", &out);
    let (_, again, err) = lusoria(&["simulate", "othello", "--games", "3", "--record", "-", "--json"]);
    let told: Value = serde_json::from_str(&err).unwrap();
    assert_eq!((again, &told["games"]), (out, &Value::from(3)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let told = fails(&["simulate", "othello", "--games", "3", "--record", "/dev/full"], USAGE);
    assert!(
        told.contains("cannot write `/dev/full`: No space left") && told.contains("no game was recorded"),
        "{told}"
    );
    let mut stdout = command(&["simulate", "othello", "--games", "3", "--record", "-"]);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = stdout.stdout(full).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(USAGE));
    assert!(told.contains("cannot write `the standard output`: No space left"), "{told}");
}

#[cfg(unix)]
#[test]
fn what_was_played_is_kept_when_interrupted() {
    for signal in ["-INT", "-TERM"] {
        let folder = folder(&[("games.jsonl", b"old\n")]);
        let [file, part] = ["games.jsonl", "games.jsonl.part"].map(|name| path(&folder, name));
        let arguments = ["simulate", "othello", "--games", "100000000", "--record", &file, "--json"];
        let child = command(&arguments).stdout(std::process::Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        // What is over is written at least every second, in whole lines; who reads while they are written may see part of one.
        let is_whole = |text: String| text.lines().count() > 10 && text.ends_with('\n');
        while !std::fs::read_to_string(&part).is_ok_and(is_whole) {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing is written");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(read(&file), "old\n");
        std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}");
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = read(&file);
        assert_eq!((&told["games"], &told["partial"]), (&Value::from(text.lines().count()), &Value::from(true)));
        assert!(text.ends_with('\n') && !std::path::Path::new(&part).exists());
        let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(last["game"], Value::from(text.lines().count() - 1));
    }
}
