//! `simulate`: as many games as were asked for, by any executor and number of threads.

use serde_json::Value;

use crate::cli::{RULES, USAGE, fails, folder, json, lusoria};

/// Whoever plays and however short: all games are counted, each once.
#[test]
fn few_and_short_games_are_all_counted() {
    for (games, turns) in [(1, 0), (1, 1), (2, 1), (3, 2), (10, 0), (10, 1), (17, 3), (65, 0), (130, 2)] {
        let (games, turns) = (games.to_string(), turns.to_string());
        let by = |executor: &str, threads: &str| {
            let arguments = ["simulate", "breakthrough", "--json", "--games", &games, "--max-turns", &turns];
            let told = json(&[&arguments[..], &["--executor", executor, "--threads", threads]].concat());
            let most: u64 = turns.parse().unwrap();
            assert_eq!(told["games"].to_string(), games, "{executor}, {threads} threads, {turns} turns");
            assert_eq!((&told["turns"]["min"], &told["turns"]["max"]), (&Value::from(most), &Value::from(most)));
            assert_eq!(told["unfinished"]["games"].to_string(), games);
        };
        for executor in ["reference", "scalar", "batch"] {
            for threads in ["1", "2", "5"] {
                by(executor, threads);
            }
        }
    }
}

/// A game on four by four cells of which the first move faults.
fn faulty(declarations: &str, deeds: &str) -> String {
    format!(
        "game \"T\" {{\n players White, Black\n board square 4 by 4\n piece mark\n {declarations}\n\
         move {{ pick c from empty {deeds} }}\n end {{ draw if no empty  win if stuck(enemy) }}\n}}"
    )
}

/// Behind a call of a define or an action the author's own line comes first, whoever plays.
#[test]
fn faults_within_calls_name_the_call_first() {
    let twice = "action put(c) { place mark on c\n place mark on c }";
    let nested = "action put(c) { place mark on c\n place mark on c }\n action both(c) { if some c { do put(c) } }";
    let grows = "define more(n) = n * (9223372036854775807 - count(any))\n define grown(n) = more(n + 1)";
    let cases = [
        (faulty(twice, "do put(c)"), "two men on one cell", "do put(c)", " place mark on c }"),
        (faulty(nested, "do both(c)"), "two men on one cell", "do both(c)", " place mark on c }"),
        (
            faulty(grows, "place mark on c need grown(2 + file of c) > 0"),
            "this number does not fit",
            "need grown(2",
            "define more",
        ),
    ];
    for (text, message, call, inner) in cases {
        let folder = folder(&[("game.rules", text.as_bytes())]);
        let path = folder.path().join("game.rules");
        for executor in ["reference", "scalar", "batch"] {
            let arguments = ["simulate", path.to_str().unwrap(), "--games", "3", "--executor", executor];
            let told = fails(&arguments, RULES);
            let place = |part: &str| told.find(part).unwrap_or_else(|| panic!("no `{part}`, {executor}: {told}"));
            place(&format!("in this call: {message}"));
            assert!(place(call) < place("within what is called"), "{executor}: {told}");
            assert!(told[place("within what is called")..].contains(inner), "{executor}: {told}");
        }
    }
}

/// A fault outside calls names its own place alone.
#[test]
fn faults_outside_calls_name_their_place() {
    let text = faulty("define two(n) = n + 1", "place mark on c place mark on c need two(1) > 0");
    let folder = folder(&[("game.rules", text.as_bytes())]);
    let path = folder.path().join("game.rules");
    for executor in ["reference", "scalar", "batch"] {
        let told = fails(&["simulate", path.to_str().unwrap(), "--games", "3", "--executor", executor], RULES);
        assert!(told.contains("two men on one cell") && !told.contains("this call"), "{executor}: {told}");
    }
}

/// Percentiles, the histogram and the extremes are those of the games that are recorded, whoever plays.
#[test]
fn lengths_are_told_in_full() {
    let folder = folder(&[]);
    let record = folder.path().join("games.jsonl");
    let set = ["simulate", "breakthrough", "--set", "size=5", "--games", "200", "--seed", "4", "--json"];
    let recorded = json(&[&set[..], &["--record", record.to_str().unwrap()]].concat());
    let lines = std::fs::read_to_string(&record).unwrap();
    let games: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut turns: Vec<usize> = games.iter().map(|game| game["moves"].as_array().unwrap().len()).collect();
    let told = json(&set);
    assert_eq!((&told["lengths"], &told["ends"]), (&recorded["lengths"], &recorded["ends"]));
    for end in told["ends"].as_array().unwrap() {
        let by = |game: &&Value| {
            game["outcome"]["by"] == told["ends"].as_array().unwrap().iter().position(|one| one == end).unwrap()
        };
        let of_it: Vec<usize> = games.iter().filter(by).map(|game| game["moves"].as_array().unwrap().len()).collect();
        assert_eq!(end["games"], of_it.len());
        for (which, wanted) in [("shortest", of_it.iter().min()), ("longest", of_it.iter().max())] {
            let Some(wanted) = wanted else {
                assert!(end[which].is_null());
                continue;
            };
            let number = end[which]["game"].as_u64().unwrap() as usize;
            assert_eq!((&end[which]["turns"], turns[number]), (&Value::from(*wanted), *wanted));
        }
    }
    turns.sort_unstable();
    let lengths = &told["lengths"];
    for (name, rank) in [("p5", 10), ("p25", 50), ("median", 100), ("p75", 150), ("p95", 190)] {
        assert_eq!(lengths[name], turns[rank - 1], "{name}");
    }
    let bars = lengths["histogram"].as_array().unwrap();
    assert!(bars.len() > 2 && bars.iter().map(|bar| bar["games"].as_u64().unwrap()).sum::<u64>() == 200, "{lengths}");
}

/// What `simulate` tells of the shortest game is enough to see it.
#[test]
fn extremes_can_be_drawn() {
    let folder = folder(&[]);
    let file = folder.path().join("a.svg");
    let set = ["breakthrough", "--set", "size=5", "--seed", "4"];
    let told = json(&[&["simulate", "--games", "50", "--json"][..], &set].concat());
    let shortest = &told["ends"][0]["shortest"];
    let number = shortest["game"].to_string();
    let options = ["draw", "--frames", "--number", &number, "-o", file.to_str().unwrap(), "--json"];
    let drawn = json(&[&options[..], &set].concat());
    assert_eq!(drawn["frames"].as_u64().unwrap() - 1, shortest["turns"].as_u64().unwrap());
}

/// A game that begins with a position is that position's, whoever plays, and `draw` shows it by its number.
#[test]
fn games_begin_with_a_position() {
    let position = "1B3/B1B2/5/2W1W/WW3 Black";
    let set = ["breakthrough", "--set", "size=5", "--position", position, "--seed", "3"];
    let by =
        |executor: &str| json(&[&["simulate", "--games", "40", "--json", "--executor", executor][..], &set].concat());
    let (scalar, batch, reference) = (by("scalar"), by("batch"), by("reference"));
    assert_eq!((&scalar["ends"], &scalar["lengths"]), (&batch["ends"], &batch["lengths"]));
    assert_eq!(reference["games"], 40);
    let folder = folder(&[]);
    let (record, file) = (folder.path().join("games.jsonl"), folder.path().join("a.svg"));
    json(&[&["simulate", "--games", "5", "--json", "--record", record.to_str().unwrap()][..], &set].concat());
    let lines = std::fs::read_to_string(&record).unwrap();
    for (number, line) in lines.lines().enumerate() {
        let game: Value = serde_json::from_str(line).unwrap();
        assert_eq!(game["start"], position);
        let number = number.to_string();
        let options = ["draw", "--frames", "--number", &number, "-o", file.to_str().unwrap(), "--json"];
        let drawn = json(&[&options[..], &set].concat());
        let moves = game["moves"].as_array().unwrap();
        assert_eq!(drawn["frames"].as_u64().unwrap() as usize, moves.len() + 1);
        assert_eq!(drawn["position"], moves[moves.len() - 1]["position"]);
    }
    let over = json(&["simulate", "breakthrough", "--json", "--games", "7", "--position", "W7/8/8/8/8/8/8/7B Black"]);
    assert_eq!((&over["players"][0]["wins"], &over["turns"]["max"]), (&Value::from(7), &Value::from(0)));
    fails(&["simulate", "breakthrough", "--position", "nonsense"], USAGE);
    fails(&["simulate", "breakthrough", "--position", "W7/8/8/8/8/8/8/7B Black", "--setup", "1"], USAGE);
}

/// In the middle of a turn the reference executor goes on alone.
#[test]
fn games_begin_in_the_middle_of_a_turn() {
    let text = "game \"Two\" { players White, Black board square 3 by 3 piece stone
        move { repeat in steps { pick c from empty place stone on c } } end { draw if no empty } }";
    let folder = folder(&[("two.rules", text.as_bytes())]);
    let path = folder.path().join("two.rules");
    let shown = json(&["show", path.to_str().unwrap(), "--move", "b2", "--json"]);
    let position = shown["position"].as_str().unwrap();
    let told = json(&["simulate", path.to_str().unwrap(), "--position", position, "--games", "9", "--json"]);
    assert_eq!((&told["executor"], &told["games"]), (&Value::from("reference"), &Value::from(9)));
    fails(&["simulate", path.to_str().unwrap(), "--position", position, "--executor", "scalar"], USAGE);
}

/// Values of a param side by side are the runs of each, and CSV tells the same.
#[test]
fn values_of_a_param_stand_side_by_side() {
    let options = ["simulate", "breakthrough", "--games", "60", "--seed", "5"];
    let told = json(&[&options[..], &["--set", "size=5,6", "--json"]].concat());
    let lines = told["lines"].as_array().unwrap();
    for (line, size) in lines.iter().zip(["size=5", "size=6"]) {
        let alone = json(&[&options[..], &["--set", size, "--json"]].concat());
        for part in ["players", "turns", "lengths", "ends", "mean_branching"] {
            assert_eq!(line[part], alone[part], "{size} {part}");
        }
        assert_eq!(line["label"], size);
    }
    // A longer board has longer games; who wins differs little.
    assert!(lines[1]["turns_p"].as_f64().unwrap() < 1e-6 && lines[0]["turns_p"].is_null(), "{told}");
    let p = told["results_test"]["p"].as_f64().unwrap();
    assert!(p > 0.0 && p <= 1.0 && (p - lines[1]["results_p"].as_f64().unwrap()).abs() < 1e-12);
    let (_, csv, _) = lusoria(&[&options[..], &["--set", "size=5,6", "--csv"]].concat());
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((rows.len(), &rows[0][..3]), (3, &["game", "size", "seed"][..]));
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{csv}");
    let wins = rows[0].iter().position(|name| *name == "White wins").unwrap();
    assert_eq!(rows[2][wins], lines[1]["players"][0]["wins"].to_string());
    let (_, table, _) = lusoria(&[&options[..], &["--set", "size=5,6"]].concat());
    assert!(table.contains("size=5") && table.contains("chi-square") && table.contains("p (turns)"), "{table}");
    // One game alone is a line too.
    let (_, csv, _) = lusoria(&[&options[..], &["--csv"]].concat());
    assert_eq!(csv.lines().count(), 2, "{csv}");
}

#[test]
fn variants_stand_side_by_side() {
    let options = ["simulate", "breakthrough", "--games", "5", "--variants"];
    let told = json(&[&options[..], &["--json"]].concat());
    let labels: Vec<&str> =
        told["lines"].as_array().unwrap().iter().map(|line| line["label"].as_str().unwrap()).collect();
    let listed = json(&["list", "--json"]);
    let of_it = listed.as_array().unwrap().iter().find(|one| one["name"] == "breakthrough").unwrap();
    assert_eq!(labels.len(), 1 + of_it["variants"].as_array().unwrap().len(), "{labels:?} {of_it}");
    assert_eq!(labels[0], "Breakthrough");
    fails(&[&options[..], &["--record", "-"]].concat(), USAGE);
    fails(&["simulate", "breakthrough:5x5", "--variants"], USAGE);
    let error = fails(&["moves", "breakthrough", "--set", "size=5,6"], USAGE);
    assert!(error.contains("several values"), "{error}");
}

/// What is looked for is what the recorded games show, by all executors alike in kind.
#[test]
fn details_are_those_of_the_recorded_games() {
    let text = "game \"Greed\" { players White, Black board square 3 by 3 piece stone
        move { either { pick c from empty place stone on c } or { pick c from enemy remove c place stone on c } }
        end { highest count(own) wins if no empty } }";
    let folder = folder(&[("greed.rules", text.as_bytes())]);
    let path = folder.path().join("greed.rules");
    let record = folder.path().join("games.jsonl");
    let options = ["simulate", path.to_str().unwrap(), "--games", "20", "--json", "--details"];
    let plain = json(&options[..5]);
    let told = json(&[&options[..], &["--record", record.to_str().unwrap()]].concat());
    assert_eq!(
        (&plain["ends"], &plain["players"], &plain["lengths"]),
        (&told["ends"], &told["players"], &told["lengths"])
    );
    let details = &told["details"];
    let (mut plies, mut forced, mut captures, mut changes) = (0, 0, 0, 0);
    for line in std::fs::read_to_string(&record).unwrap().lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        let count = |position: &str, letter: char| {
            let board = position.split(' ').next().unwrap().to_string();
            board.matches(letter).count()
        };
        let (mut before, mut leader) = (game["start"].as_str().unwrap().to_string(), None);
        for made in game["moves"].as_array().unwrap() {
            let after = made["position"].as_str().unwrap().to_string();
            plies += 1;
            forced += u64::from(made["legal"] == 1);
            let enemy = if made["player"] == "White" { 'B' } else { 'W' };
            captures += (count(&before, enemy) - count(&after, enemy)) as u64;
            let (white, black) = (count(&after, 'W'), count(&after, 'B'));
            if white != black {
                let now = Some(white > black);
                changes += u64::from(leader.is_some() && leader != now);
                leader = now;
            }
            before = after;
        }
    }
    let close = |part: &str, wanted: f64| {
        let found = details[part].as_f64().unwrap();
        assert!((found - wanted).abs() < 1e-9, "{part}: {found}, not {wanted}");
    };
    assert!(captures > 20 && changes > 5, "{captures} {changes}");
    close("forced", forced as f64 / plies as f64);
    close("captures_a_game", captures as f64 / 20.0);
    close("lead_changes", changes as f64 / 20.0);
    let branching = details["branching"].as_array().unwrap();
    assert_eq!(branching[0]["from"], 1);
    assert_eq!(branching.iter().map(|one| one["plies"].as_u64().unwrap()).sum::<u64>(), plies);
    let won: u64 =
        details["wins_by_length"].as_array().unwrap().iter().map(|one| one["wins"][0].as_u64().unwrap()).sum();
    assert_eq!(won, told["players"][0]["wins"].as_u64().unwrap());
    let slow = json(&[&options[..], &["--executor", "reference"]].concat());
    assert!(slow["details"]["captures_a_game"].as_f64().unwrap() > 1.0);
    assert!(
        json(&["simulate", "breakthrough", "--games", "3", "--json", "--details"])["details"]["lead_changes"].is_null()
    );
}

/// A set-up with more men than a plan holds is played by the reference executor, game by game.
#[test]
fn positions_that_no_plan_holds_are_played_all_the_same() {
    let rules = "game \"Hands\" { players Red, White board square 3 by 3, stacks piece stone setup { place 200 stone in hand   mirror }
        move { pick c from empty   place stone on c from hand } end { draw if no empty } }";
    let folder = folder(&[("hands.rules", rules.as_bytes())]);
    let path = folder.path().join("hands.rules");
    let told = json(&["simulate", path.to_str().unwrap(), "--games", "5", "--json"]);
    assert_eq!((&told["games"], &told["turns"]["mean"]), (&Value::from(5), &Value::from(9.0)));
}
