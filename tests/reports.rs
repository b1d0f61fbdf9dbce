//! `report`: games whose measures are known by construction, what a page holds, and what is refused.

use std::path::Path;

use lusoria::Game;
use lusoria::measures::experiment::{Experiment, Stage};
use lusoria::measures::gathered::Asked;
use serde_json::Value;
use tempfile::TempDir;

use crate::cli::{FINE, USAGE, fails, folder, json, lusoria};

/// A stone is placed; whether it stays, and wins, is drawn by chance.
const CHANCE: &str = r#"game "Coin" {
  players White, Black
  board square 3 by 3
  piece stone
  move { pick c from empty   place stone on c   pick n from 1..2 by chance   if n = 1 { remove c } }
  end { win if some own   lose if no own }
}"#;

/// The first player wins with his first ply.
const FIRST: &str = r#"game "First" {
  players White, Black
  board square 3 by 3
  piece stone
  move { pick c from empty   place stone on c }
  end { win if some own   draw if no empty }
}"#;

/// All cells are filled, and nobody wins.
const DRAWN: &str = r#"game "Drawn" {
  players White, Black
  board square 2 by 3
  piece stone
  move { pick c from empty   place stone on c }
  end { win if count(own) > 6   draw if no empty }
}"#;

fn written(text: &str) -> (TempDir, String) {
    let folder = folder(&[("game.rules", text.as_bytes())]);
    let path = folder.path().join("game.rules").to_str().unwrap().to_string();
    (folder, path)
}

const FEW: [&str; 6] = ["--games", "6", "--playouts", "2,4,8", "--seed", "5"];

fn report(path: &str) -> Value {
    json(&[&["report", path, "--json"][..], &FEW].concat())
}

fn value(told: &Value, key: &str) -> Option<f64> {
    let all = told["measures"].as_array().unwrap();
    all.iter().find(|one| one["key"] == key).unwrap_or_else(|| panic!("no {key}"))["value"].as_f64()
}

#[test]
fn a_game_that_the_first_player_wins_is_seen_through() {
    let (_folder, path) = written(FIRST);
    let told = report(&path);
    assert_eq!(told["measured"], "mcts:8");
    for (key, wanted) in [
        ("balance", 0.0),
        ("first_player", 1.0),
        ("completion", 1.0),
        ("draws", 0.0),
        ("duration", 1.0),
        ("branching", 9.0),
        ("forced", 0.0),
        ("capturing", 0.0),
        ("coverage", 1.0 / 9.0),
        ("decisiveness", 0.0),
        ("drama", 0.0),
        ("lead_changes", 0.0),
        ("killer_moves", 0.0),
    ] {
        assert_eq!(
            value(&told, key).map(|value| (value * 1e6).round()),
            Some((wanted * 1e6_f64).round()),
            "{key}: {told}"
        );
    }
    assert_eq!(value(&told, "permanence"), None, "nothing was answered");
    let levels = told["levels"].as_array().unwrap();
    assert!(levels.len() == 5 && levels.iter().all(|level| level["seats"][0]["share"] == 1.0), "{levels:?}");
    // Each seat wins when it is first: nobody is better than another.
    let matches = told["matches"].as_array().unwrap();
    assert!(matches.len() == 5 && matches.iter().all(|one| one["points"] == 0.5 && one["elo"] == 0.0), "{matches:?}");
    let titles: Vec<&str> =
        told["findings"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert!(titles.contains(&"Moving first wins") && titles.contains(&"Idle rules"), "{titles:?}");
    assert_eq!(told["unused"][0]["text"], "draw if no empty");
}

#[test]
fn a_game_that_is_always_drawn_is_seen_through() {
    let (_folder, path) = written(DRAWN);
    let told = report(&path);
    for (key, wanted) in [
        ("balance", 1.0),
        ("first_player", 0.5),
        ("completion", 1.0),
        ("draws", 1.0),
        ("duration", 6.0),
        ("branching", 3.5),
        ("forced", 1.0 / 6.0),
        ("coverage", 1.0),
        ("lead_changes", 0.0),
        ("uncertainty", 1.0),
        ("killer_moves", 0.0),
    ] {
        assert_eq!(
            value(&told, key).map(|value| (value * 1e6).round()),
            Some((wanted * 1e6_f64).round()),
            "{key}: {told}"
        );
    }
    assert_eq!((value(&told, "drama"), value(&told, "decisiveness")), (None, None), "nobody won");
    let branching: Vec<f64> =
        told["branching"].as_array().unwrap().iter().map(|one| one["legal"].as_f64().unwrap()).collect();
    assert_eq!(branching, [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
    assert_eq!(told["lengths"], serde_json::json!([{ "from": 6, "to": 6, "games": 6 }]));
    let reached: f64 = told["reached"].as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).sum();
    assert!((reached - 6.0).abs() < 1e-9);
    assert!(told["findings"].as_array().unwrap().iter().any(|one| one["title"] == "Many draws"));
    assert!(told["unused"].as_array().unwrap().iter().any(|one| one["text"] == "win if count(own) > 6"));
}

#[test]
fn a_game_of_pure_chance_is_fair_and_skill_is_idle() {
    let (_folder, path) = written(CHANCE);
    let told = json(&["report", &path, "--json", "--games", "40", "--playouts", "2,4,8", "--seed", "5"]);
    let first = &told["levels"][0]["seats"][0];
    assert_eq!(told["levels"][0]["games"], 2000);
    let [low, high] = [0, 1].map(|at| first["interval"][at].as_f64().unwrap());
    assert!(low < 0.5 && 0.5 < high && high - low < 0.05, "{first}");
    assert_eq!((value(&told, "completion"), value(&told, "draws")), (Some(1.0), Some(0.0)));
    for one in told["matches"].as_array().unwrap() {
        let [low, high] = [0, 1].map(|at| one["interval"][at].as_f64().unwrap());
        assert!(one["games"] == 40 && low < 0.6 && high > 0.4, "{one}");
    }
    // A ply is followed by one of chance, and nothing is won before.
    assert_eq!(value(&told, "killer_moves"), Some(0.0), "{told}");
}

/// What can never happen is told, and how often the other lines were used; the page shows it beside the text.
#[test]
fn lines_that_are_never_used_are_told() {
    let rules = DRAWN.replace(
        "move { pick c from empty   place stone on c }",
        "move {\n    either { pick c from empty   place stone on c }\n    or { pick c from own\n      remove c\n      need false }\n  }",
    );
    let (folder, path) = written(&rules);
    let file = folder.path().join("report.html");
    let told = json(&[&["report", &path, "--json", "-o", file.to_str().unwrap()][..], &FEW].concat());
    let unused: Vec<(&str, u64)> = told["unused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["what"].as_str().unwrap(), one["line"].as_u64().unwrap()))
        .collect();
    assert_eq!(unused, [("an alternative that was never taken", 7), ("an outcome that never applied", 11)]);
    let line = |wanted: u64| {
        let lines = told["lines"].as_array().unwrap();
        lines.iter().find(|one| one["line"] == wanted).map(|one| (one["count"].as_u64(), one["unused"].as_bool()))
    };
    // 100 random games and those of the strongest player, of six turns each.
    let turns = told["covered_turns"].as_u64();
    assert_eq!((told["covered"].as_u64(), turns), (Some(100), Some(6 * 106)));
    assert_eq!(line(6), Some((turns, Some(false))));
    assert_eq!(line(8), Some((Some(0), Some(true))));
    assert_eq!(line(2), None);
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(page.contains("<tr class=\"never\"><td class=\"n\">8</td><td class=\"n\">never</td>"), "{page}");
    assert!(page.contains("<tr class=\"used\"><td class=\"n\">6</td><td class=\"n\">636</td>"), "{page}");
}

/// A man is captured where another comes to stand, and that is told as captured there.
#[test]
fn captures_by_displacement_are_counted() {
    let rules = r#"game "Take" {
      players White north, Black south
      board square 1 by 3
      piece man
      setup { place White man on a1   place Black man on a2 }
      move { pick p from own   move p straight: ^ to <enemy> }
      end { win if no enemy   draw if stuck(enemy) }
    }"#;
    let (_folder, path) = written(rules);
    let told = report(&path);
    assert_eq!(
        (value(&told, "capturing"), value(&told, "forced"), value(&told, "duration")),
        (Some(1.0), Some(1.0), Some(1.0))
    );
    assert_eq!(told["captured"], serde_json::json!([0.0, 1.0, 0.0]));
}

/// Two games say next to nothing, and nothing is made of them.
#[test]
fn few_games_are_not_read_as_more() {
    let (_folder, path) = written(CHANCE);
    let told = json(&["report", &path, "--json", "--games", "2", "--playouts", "2,4,8", "--seed", "5"]);
    for one in told["matches"].as_array().unwrap() {
        assert_eq!((&one["games"], &one["verdict"]), (&2.into(), &"open".into()), "{one}");
    }
    let title = |one: &Value| (one["kind"].as_str().unwrap().to_string(), one["title"].as_str().unwrap().to_string());
    let mut titles: Vec<_> = told["findings"].as_array().unwrap().iter().map(title).collect();
    titles.sort();
    let open = |title: &str| (String::from("note"), String::from(title));
    assert_eq!(titles, ["Balance is open", "Depth is open", "Skill is open"].map(open));
}

#[test]
fn the_same_seed_makes_the_same_report() {
    let (_folder, path) = written(DRAWN);
    let by = |threads: &str| lusoria(&[&["report", &path, "--json", "--threads", threads][..], &FEW].concat());
    let (one, two) = (by("1"), by("3"));
    assert_eq!((one.0, &one.1), (FINE, &two.1), "{}", one.2);
}

/// What [`FEW`] asks for.
fn few() -> Asked {
    Asked { seed: 5, setup: None, games: Some(6), playouts: vec![2, 4, 8], max_turns: 1000 }
}

/// Steps of any size, one of them of nothing, make the report that the command makes.
#[test]
fn steps_make_the_report_of_the_command() {
    for text in [DRAWN, CHANCE] {
        let (folder, path) = written(text);
        let file = folder.path().join("report.html");
        let told = json(&[&["report", &path, "--json", "-o", file.to_str().unwrap()][..], &FEW].concat());
        let page = std::fs::read_to_string(&file).unwrap();
        let game =
            Game::load(lusoria::Source::new(path.as_str(), text), &lusoria::Shipped, &lusoria::Settings::default());
        let game = game.expect("it is a game").with_plan();
        for units in [1, 7, 1000] {
            let mut experiment = Experiment::new(&game, few());
            let mut stages = vec![experiment.step(0).unwrap().stage];
            while experiment.progress().stage != Stage::Over {
                let now = experiment.step(units).unwrap();
                assert!(now.done <= now.of, "{now:?}");
                stages.push(now.stage);
            }
            assert!(stages.is_sorted() && stages.contains(&Stage::Contest), "{stages:?}");
            let (study, made) = experiment.report(format!("lusoria report {path} --seed 5 --games 6")).unwrap();
            // Whoever reads a fraction may round it, so both are read.
            let study: Value = serde_json::from_str(&serde_json::to_string(&study).unwrap()).unwrap();
            assert!(study == told, "the numbers differ");
            assert!(made == page, "the pages differ");
        }
    }
}

/// Wherever it is stopped, there is a page of what was done by then.
#[test]
fn a_report_can_be_stopped_at_any_step() {
    let game = Game::from_source(DRAWN).expect("it is a game").with_plan();
    for stopped_in in [Stage::Random, Stage::Coverage, Stage::Book, Stage::Contest] {
        let mut experiment = Experiment::new(&game, few());
        while experiment.progress().stage < stopped_in {
            experiment.step(20).unwrap();
        }
        experiment.step(3).unwrap();
        let (before, _) = experiment.report(String::from("again")).unwrap();
        experiment.stop();
        while experiment.step(1).unwrap().stage != Stage::Over {}
        let (study, page) = experiment.report(String::from("again")).unwrap();
        assert!(study.partial && study.levels[0].games > 0, "{stopped_in:?}");
        assert_eq!((before.levels[0].games, before.samples), (study.levels[0].games, study.samples));
        assert_eq!(study.levels[0].games == 300, stopped_in > Stage::Random);
        assert_eq!(study.book.is_empty(), stopped_in < Stage::Book, "{stopped_in:?}");
        assert!(page.contains("It was stopped early") && page.contains("</html>"));
    }
    // As time is over, stages end one after the other.
    let mut experiment = Experiment::new(&game, Asked { games: None, ..few() });
    for (part, stage) in [(0.05, Stage::Random), (0.1, Stage::Coverage), (0.2, Stage::Book), (0.3, Stage::Contest)] {
        experiment.pass(part);
        assert_eq!(experiment.progress().stage, stage);
        experiment.step(1).unwrap();
    }
    experiment.pass(1.0);
    while experiment.step(1).unwrap().stage != Stage::Over {}
    assert!(!experiment.report(String::new()).unwrap().0.partial, "as much was played as there was time for");
}

/// A page stands alone: no script, no other file, no name twice, all tags closed.
#[test]
fn a_page_stands_alone() {
    let (folder, path) = written(&DRAWN.replace("\"Drawn\"", "\"<b>Drawn & 'quartered'\""));
    let file = folder.path().join("report.html");
    let (code, out, err) = lusoria(&[&["report", &path, "-o", file.to_str().unwrap()][..], &FEW].concat());
    assert_eq!((code, out.as_str()), (FINE, ""), "{err}");
    let page = std::fs::read_to_string(Path::new(&file)).unwrap();
    assert!(page.contains("<h1>&lt;b&gt;Drawn &amp; &#39;quartered&#39;</h1>") && !page.contains("<b>Drawn"));
    for outside in ["<script", "src=\"", "<link", "url(", "@import", "NaN", "inf%"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|part| part.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert!(ids.len() == all && all > 8, "a name stands twice: {ids:?}");
    let mut open = Vec::new();
    let body = page.split("<body>").nth(1).unwrap().split("</body>").next().unwrap();
    for part in body.split('<').skip(1) {
        let tag = part.split('>').next().unwrap();
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name.to_string()), "{part}"),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap().to_string()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for part in [
        "What stands out",
        "class=\"card sheet\"",
        "Players of rising strength",
        "How much skill matters",
        "Measures",
        "Idle rules",
        "Line by line",
        "The rules file",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

/// However little time there is, there is a page.
#[test]
fn time_bounds_a_report() {
    let folder = folder(&[]);
    let file = folder.path().join("report.html");
    let (code, _, err) = lusoria(&["report", "breakthrough", "--time", "1ms", "-o", file.to_str().unwrap()]);
    assert_eq!(code, FINE, "{err}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("</html>"));
}

/// What the shards of a report come to is the report of one run, to the last byte of the page.
#[test]
fn shards_merge_to_the_report_of_one_run() {
    for (text, of) in [(DRAWN, 3), (CHANCE, 2)] {
        let (folder, path) = written(text);
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
        let whole = at("whole.html");
        let whole = crate::cli::fine(&[&["report", &path, "--json", "-o", &whole][..], &FEW].concat());
        let mut merge: Vec<String> = ["merge", "--json", "-o", &at("merged.html")].map(String::from).to_vec();
        for shard in (1..=of).rev() {
            let (part, number) = (at(&format!("{shard}.json")), format!("{shard}/{of}"));
            crate::cli::fine(&[&["report", &path, "--shard", &number, "--out", &part][..], &FEW].concat());
            merge.push(part);
        }
        let merged = crate::cli::fine(&merge.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(merged, whole);
        let page = |name: &str| std::fs::read_to_string(at(name)).unwrap();
        assert_eq!(page("merged.html"), page("whole.html"));
        let (one, last) = (at("1.json"), at(&format!("{of}.json")));
        assert!(fails(&["merge", &last, "--json"], USAGE).contains("shard 1/"));
        assert_eq!(json(&["merge", &last, "--partial", "--json"])["partial"], true);
        assert!(fails(&["merge", &one, &one, "--json"], USAGE).contains("in another part too"));
        assert!(fails(&["merge", &one], USAGE).contains("not all games are there"));
        let other = ["report", "breakthrough:5x5", "--out", &one, "--resume", "--games", "1"];
        assert!(fails(&other, USAGE).contains("cannot go on with"));
        assert!(fails(&["report", &path, "--out", &at("x.json")], USAGE).contains("wants `--games N`"));
    }
}

#[test]
#[cfg(unix)]
fn a_shard_of_a_report_goes_on_after_it_was_killed() {
    let (folder, path) = written(DRAWN);
    let part = folder.path().join("part.json").to_str().unwrap().to_string();
    let games = ["--games", "60", "--playouts", "2,40", "--seed", "5"];
    let run = [&["report", &path, "--out", &part, "--resume", "--checkpoint", "1"][..], &games].concat();
    for after in [300, 600, 900] {
        let mut child = crate::cli::command(&run).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(after));
        child.kill().unwrap();
        child.wait().unwrap();
        if let Ok(text) = std::fs::read_to_string(&part) {
            serde_json::from_str::<Value>(&text).expect("the file is whole at any moment");
        }
    }
    crate::cli::fine(&run);
    let merged = crate::cli::fine(&["merge", "--json", &part]);
    assert_eq!(merged, crate::cli::fine(&[&["report", &path, "--json"][..], &games].concat()));
}

#[test]
fn reports_refuse_what_they_cannot_do() {
    for arguments in [
        &["report", "breakthrough"][..],
        &["report", "breakthrough", "-o", "-", "--json", "--time", "1ms"],
        &["report", "breakthrough", "-o", "/no/such/folder/a.html", "--time", "1ms"],
        &["report", "breakthrough", "-o", "a.html", "--playouts", "0"],
        &["report", "no_such_game", "-o", "a.html"],
    ] {
        fails(arguments, USAGE);
    }
}
