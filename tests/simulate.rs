//! `simulate`: as many games as were asked for, by any executor and number of threads.

use serde_json::Value;

use crate::cli::{RULES, fails, folder, json};

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
