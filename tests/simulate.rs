//! `simulate`: as many games as were asked for, by any executor and number of threads.

use serde_json::Value;

use crate::cli::json;

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
