//! Coverage: games and examples are played; the counts must be those of what was played.

use lusoria::{Exercise, Game, RuleKind};

use crate::cli::{RULES, USAGE, fails, fine, folder, json, lusoria, path};

const TEXT: &str = r#"game "Two Ways" {
  players White, Black
  board square 3 by 1
  piece stone
  move {
    either {
      pick c from empty
      place stone on c
    } or {
      pick c from own
      remove c
      need false
    }
  }
  end {
    win if stuck(enemy)
    lose if count(own) = 7
  }
  example "the first stone" { play "b1"   legal "a1" "c1" }
}
"#;

#[test]
fn counts_are_those_of_the_turns() {
    let game = Game::from_source(TEXT).expect("it is right");
    let coverage = game.coverage(&Exercise { games: 5, ..Exercise::default() }).expect("it plays");
    assert_eq!((coverage.turns, coverage.games, coverage.examples), (15, 5, 0));
    let count = |kind: RuleKind, line: usize| {
        let rule = coverage.files[0].rules.iter().find(|rule| (rule.kind, rule.line) == (kind, line));
        rule.unwrap_or_else(|| panic!("{kind:?} {line}")).count
    };
    assert_eq!(count(RuleKind::Statement, 6), 15);
    assert_eq!((count(RuleKind::Statement, 7), count(RuleKind::Statement, 8)), (15, 15));
    assert_eq!((count(RuleKind::Alternative, 6), count(RuleKind::Alternative, 9)), (15, 0));
    assert_eq!(count(RuleKind::Statement, 10), 0);
    assert_eq!((count(RuleKind::Outcome, 16), count(RuleKind::Outcome, 17)), (5, 0));
    let never: Vec<usize> = coverage.unused().map(|(_, rule)| rule.line).collect();
    assert_eq!(never, [9, 10, 11, 12, 17]);
    let again = game.coverage(&Exercise { games: 5, ..Exercise::default() }).expect("it plays");
    assert_eq!(again, coverage);
}

#[test]
fn examples_are_counted() {
    let game = Game::from_source(TEXT).expect("it is right");
    let exercise = Exercise { games: 0, examples: true, ..Exercise::default() };
    let coverage = game.coverage(&exercise).expect("it plays");
    assert_eq!((coverage.turns, coverage.games, coverage.examples), (3, 0, 1));
    assert_eq!(coverage.files[0].rules.iter().find(|rule| rule.line == 8).map(|rule| rule.count), Some(3));
}

/// A turn of several plies is counted once, and ways of pieces are told apart.
#[test]
fn plies_and_ways_are_counted() {
    let game = Game::shipped("dameo").expect("it is shipped");
    let coverage = game.coverage(&Exercise { games: 1, max_turns: 30, ..Exercise::default() }).expect("it plays");
    assert_eq!(coverage.turns, 30);
    let files: Vec<&str> = coverage.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(files, ["dameo.rules", "croda.rules"]);
    let ways: Vec<u64> =
        coverage.files[0].rules.iter().filter(|rule| rule.kind == RuleKind::Way).map(|rule| rule.count).collect();
    assert_eq!(ways.len(), 4, "{ways:?}");
    assert!(ways[0] > 0 && ways[3] == 0, "{ways:?}");
}

#[test]
fn the_command_prints_four_forms() {
    let folder = folder(&[("two.rules", TEXT.as_bytes())]);
    let file = path(&folder, "two.rules");
    let text = fine(&["coverage", &file, "--games", "5"]);
    assert!(text.starts_with("Two Ways: 5 random games, 15 turns\nused: 3 of 6 statements"), "{text}");
    assert!(text.contains("\n   15  |       place stone on c\n"), "{text}");
    assert!(text.contains("\nnever !|       remove c\n"), "{text}");
    assert!(text.contains(":17:5: outcome `lose if count(own) = 7`\n"), "{text}");
    let lcov = fine(&["coverage", &file, "--games", "5", "--format", "lcov"]);
    assert!(lcov.starts_with(&format!("TN:\nSF:{file}\nBRDA:6,0,0,15\n")), "{lcov}");
    assert!(
        lcov.contains("\nDA:8,15\n") && lcov.contains("\nDA:11,0\n") && lcov.ends_with("end_of_record\n"),
        "{lcov}"
    );
    let page = fine(&["coverage", &file, "--games", "5", "--format", "html"]);
    assert!(page.contains("<tr class=\"never\"><td>11</td><td>0</td>") && page.ends_with("</html>\n"), "{page}");
    let data = json(&["coverage", &file, "--games", "2", "--json"]);
    assert_eq!((&data["games"], &data["turns"]), (&2.into(), &6.into()));
    assert_eq!(data["files"][0]["rules"][0]["kind"], "statement");
    // The same file twice is added up.
    let twice = json(&["coverage", &file, &file, "--games", "2", "--format", "json"]);
    assert_eq!((&twice["games"], &twice["files"][0]["rules"][0]["count"]), (&4.into(), &12.into()));
    assert_eq!(twice["files"].as_array().map(Vec::len), Some(1));
    fails(&["coverage"], USAGE);
    fails(&["coverage", "no_such_game"], USAGE);
    fails(&["coverage", &file, "--format", "pdf"], USAGE);
}

#[test]
fn faults_are_told() {
    let folder = folder(&[("faulty.rules", crate::cli::FAULTY.as_bytes())]);
    let (code, out, err) = lusoria(&["coverage", &path(&folder, "faulty.rules")]);
    assert_eq!((code, out.as_str()), (RULES, ""));
    assert!(err.contains("faulty.rules:6:") && err.contains("position"), "{err}");
}

/// What the shards of a run come to is what the run comes to, in whatever order, and however often one is killed.
#[test]
#[cfg(unix)]
fn shards_merge_to_the_coverage_of_one_run() {
    let folder = folder(&[("two.rules", TEXT.as_bytes())]);
    let file = path(&folder, "two.rules");
    let games = [&file, "fanorona:telo", &file, "--games", "7", "--max-turns", "6", "--seed", "3", "--examples"];
    for format in ["json", "text", "lcov", "html"] {
        let whole = fine(&[&["coverage", "--format", format][..], &games].concat());
        // Each form is made of the same counts.
        let cuts: &[u32] = if format == "json" { &[1, 3, 9] } else { &[3] };
        for of in cuts {
            let mut merge = vec![String::from("merge"), String::from("--format"), format.to_string()];
            for shard in (1..=*of).rev() {
                let (part, shard) = (path(&folder, &format!("{of}-{shard}.json")), format!("{shard}/{of}"));
                if format == "json" {
                    fine(&[&["coverage", "--shard", &shard, "--out", &part][..], &games].concat());
                }
                merge.push(part);
            }
            let merged = fine(&merge.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(merged, whole, "{format}, {of}");
        }
    }
    let one = |shard: &str| path(&folder, &format!("3-{shard}.json"));
    assert!(fails(&["merge", &one("1"), &one("3")], USAGE).contains("shard 2/3 is not"));
    assert_eq!(json(&["merge", &one("1"), &one("3"), "--partial", "--json"])["games"], 3 * 5);
    assert!(fails(&["merge", &one("1"), &one("1"), &one("3")], USAGE).contains("in another part too"));
    assert!(fails(&["merge", &one("1"), &path(&folder, "9-2.json")], USAGE).contains("of other rules"));
    let all = path(&folder, "all.json");
    fine(&["merge", &one("1"), &one("2"), &one("3"), "--out", &all]);
    let whole = fine(&[&["coverage", "--json"][..], &games].concat());
    assert_eq!(fine(&["merge", "--json", &all]), whole);
    let text = std::fs::read_to_string(one("2")).expect("it is there");
    std::fs::write(one("torn"), text.replacen("\"done\":2", "\"done\":3", 1)).expect("written");
    assert!(fails(&["merge", &one("torn")], USAGE).contains("does not fit"));
}

#[test]
#[cfg(unix)]
fn a_shard_of_a_coverage_goes_on_after_it_was_killed() {
    let folder = folder(&[]);
    let (part, games) = (path(&folder, "part.json"), ["breakthrough:5x5", "--games", "40", "--seed", "8"]);
    let run = [&["coverage", "--out", &part, "--resume", "--checkpoint", "1"][..], &games].concat();
    let mut done = 0;
    for after in [500, 900] {
        let mut child = crate::cli::command(&run).stdout(std::process::Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(std::time::Duration::from_millis(after));
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
        if let Ok(text) = std::fs::read_to_string(&part) {
            let told: serde_json::Value = serde_json::from_str(&text).expect("the file is whole at any moment");
            let now = told["counted"][0]["done"].as_u64().expect("a number");
            assert!(now >= done);
            done = now;
        }
    }
    fine(&run);
    assert_eq!(fine(&["merge", "--json", &part]), fine(&[&["coverage", "--json"][..], &games].concat()));
    let other = ["coverage", "breakthrough:5x5", "--games", "40", "--seed", "9", "--out", &part, "--resume"];
    assert!(fails(&other, USAGE).contains("cannot go on with"));
}
