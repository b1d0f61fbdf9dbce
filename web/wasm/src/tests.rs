//! Tests of the module: what the page asks is answered, and what it should not ask is told.

use serde_json::{Value, json};

use crate::Desk;

fn ask(desk: &mut Desk, request: Value) -> Value {
    serde_json::from_str(&desk.answer(request.to_string().as_bytes())).expect("an answer is JSON")
}

fn text_of(name: &str) -> String {
    let answer = ask(&mut Desk::default(), json!({ "do": "games" }));
    let games = answer["games"].as_array().expect("a list");
    let game = games.iter().find(|game| game["name"] == name).expect("it is shipped");
    game["text"].as_str().expect("a text").to_string()
}

fn open(name: &str, variant: Option<&str>) -> (Desk, Value) {
    let mut desk = Desk::default();
    let request = json!({ "do": "open", "text": text_of(name), "variant": variant, "seed": 1, "start": null });
    let opened = ask(&mut desk, request);
    assert_eq!(opened["error"], Value::Null);
    (desk, opened)
}

/// The number of the option with this text.
fn option(view: &Value, text: &str) -> usize {
    let options = view["options"].as_array().expect("a list");
    let at = options.iter().position(|option| option["text"] == text);
    at.unwrap_or_else(|| panic!("no {text} in {options:?}"))
}

fn choose(desk: &mut Desk, view: &Value, text: &str) -> Value {
    ask(desk, json!({ "do": "choose", "option": option(view, text) }))
}

#[test]
fn mistakes_have_places_in_units_of_the_page() {
    // Two units of UTF-16 and four bytes.
    let text = text_of("breakthrough").replace("pick p from own", "pick p from 𝒳 own");
    let broken = ask(&mut Desk::default(), json!({ "do": "check", "text": text }));
    assert_eq!(broken["has_errors"], true);
    let text = text_of("breakthrough").replace("# Breakthrough", "# 𝒳 Breakthrough").replace("from own", "from owm");
    let answer = ask(&mut Desk::default(), json!({ "do": "check", "text": text }));
    let told = &answer["diagnostics"][0];
    assert_eq!(told["code"], "unknown-name");
    assert!(told["help"].as_str().expect("help").contains("own"), "{told}");
    let units: Vec<u16> = text.encode_utf16().collect();
    let place = |at: usize| told["place"][at].as_u64().expect("a number") as usize;
    assert_eq!(String::from_utf16_lossy(&units[place(0)..place(1)]), "owm");
}

#[test]
fn all_shipped_games_open() {
    let games = ask(&mut Desk::default(), json!({ "do": "games" }));
    let games = games["games"].as_array().expect("a list");
    assert!(games.len() > 20);
    for game in games {
        let mut desk = Desk::default();
        let opened = ask(&mut desk, json!({ "do": "open", "text": game["text"], "seed": 1 }));
        let view = &opened["view"];
        assert!(view["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg ")), "{}", game["name"]);
        assert!(view["moves"].as_u64() > Some(0) && view["fault"].is_null(), "{}: {view}", game["name"]);
    }
}

#[test]
fn a_move_is_made_choice_by_choice() {
    let (mut desk, opened) = open("breakthrough", None);
    assert_eq!(opened["cells"].as_array().map(Vec::len), Some(64));
    let view = choose(&mut desk, &opened["view"], "a2");
    assert_eq!(view["chosen"], json!([8]));
    assert_eq!(view["played"], json!([]));
    let view = choose(&mut desk, &view, "a3");
    assert_eq!(view["played"], json!([["a2-a3", 0]]));
    assert_eq!(view["mover"], 1);
    let view = ask(&mut desk, json!({ "do": "undo", "count": 1 }));
    assert_eq!(view["position"], opened["start"]);
    let view = ask(&mut desk, json!({ "do": "seek", "moves": ["a2-a3", "a7-a6", "b2-b3"] }));
    assert_eq!(view["played"].as_array().map(Vec::len), Some(3));
    let view = ask(&mut desk, json!({ "do": "seek", "moves": ["a2-a3", "b7-b6"] }));
    assert_eq!(view["played"], json!([["a2-a3", 0], ["b7-b6", 1]]));
}

#[test]
fn what_can_be_read_two_ways_is_asked() {
    // One step towards an enemy and away from another may take either.
    let mut desk = Desk::default();
    let text = text_of("fanorona");
    let start = "9/9/2R1WR3/9/9 White";
    let opened = ask(&mut desk, json!({ "do": "open", "text": text, "seed": 1, "start": start }));
    let view = choose(&mut desk, &opened["view"], "e3");
    let options: Vec<&str> =
        view["options"].as_array().expect("a list").iter().filter_map(|o| o["text"].as_str()).collect();
    assert_eq!(options, ["d3+", "d3-"]);
}

#[test]
fn params_are_listed_and_set() {
    let mut desk = Desk::default();
    let text = text_of("breakthrough");
    let checked = ask(&mut desk, json!({ "do": "check", "text": text }));
    let params = |variant: Value| {
        let games = checked["games"].as_array().expect("a list");
        games.iter().find(|game| game["variant"] == variant).expect("it is there")["params"].clone()
    };
    assert_eq!(params(Value::Null), json!([{ "name": "size", "value": 8 }]));
    assert_eq!(params(json!("Breakthrough 5x5")), json!([{ "name": "size", "value": 5 }]));
    let mut open = |params: Value| ask(&mut desk, json!({ "do": "open", "text": text, "params": params, "seed": 1 }));
    assert_eq!(open(json!({ "size": 6 }))["cells"].as_array().map(Vec::len), Some(36));
    for wrong in [json!({ "size": 3 }), json!({ "size": true }), json!({ "sise": 6 }), json!({ "size": "6" })] {
        let told = open(wrong.clone());
        assert!(told["error"].as_str().is_some_and(|error| !error.is_empty()), "{wrong}: {told}");
    }
    let games = ask(&mut desk, json!({ "do": "check", "text": text_of("nine_mens_morris") }));
    assert!(
        games["games"][0]["params"]
            .as_array()
            .is_some_and(|all| { all.contains(&json!({ "name": "forced", "value": false })) })
    );
}

#[test]
fn wrong_requests_are_told() {
    let mut desk = Desk::default();
    for request in [json!({ "do": "nothing" }), json!([]), json!({ "do": "choose", "option": 1 })] {
        assert!(ask(&mut desk, request.clone())["error"].is_string(), "{request}");
    }
    assert!(desk.answer(b"\xff{").contains("error"));
    let (mut desk, _) = open("breakthrough", Some("Breakthrough 5x5"));
    assert!(ask(&mut desk, json!({ "do": "choose", "option": 999 }))["error"].is_string());
    let told = ask(&mut desk, json!({ "do": "play", "text": "a1-a9" }));
    assert!(told["error"].as_str().is_some_and(|error| error.contains("a1-a9")), "{told}");
    let told = ask(&mut desk, json!({ "do": "open", "text": "game \"X\" {", "seed": 1 }));
    assert!(told["error"].is_string());
    assert!(ask(&mut desk, json!({ "do": "undo", "count": 1 }))["error"].is_string(), "the old game is gone");
}

#[test]
fn random_games_are_counted_in_slices() {
    let (mut desk, _) = open("breakthrough", Some("Breakthrough 5x5"));
    let ask_for = |desk: &mut Desk, games: u32| {
        ask(desk, json!({ "do": "simulate", "games": games, "max_turns": 500, "seed": 3 }))
    };
    ask_for(&mut desk, 7);
    let sliced = ask_for(&mut desk, 13);
    assert_eq!(sliced["games"], 20);
    let (mut desk, _) = open("breakthrough", Some("Breakthrough 5x5"));
    assert_eq!(ask_for(&mut desk, 20), sliced);
    let sum: u64 = sliced["results"].as_array().expect("a list").iter().filter_map(|one| one["count"].as_u64()).sum();
    assert_eq!(sum, 20);
    let branching = ask(&mut desk, json!({ "do": "branching", "seed": 1, "max_turns": 500 }));
    assert_eq!(branching["counts"][0], 13);
}

#[test]
fn the_use_of_lines_is_counted_in_slices() {
    let text = r#"game "Rows" {
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
}
"#;
    let covered = |slices: &[u32]| {
        let mut desk = Desk::default();
        ask(&mut desk, json!({ "do": "open", "text": text, "seed": 1 }));
        let told = slices
            .iter()
            .map(|plies| ask(&mut desk, json!({ "do": "cover", "plies": plies, "max_turns": 100, "seed": 4 })));
        told.last().expect("slices")
    };
    // A slice ends with its game, or within it.
    let told = covered(&[9, 9, 1]);
    assert_eq!((&told["games"], &told["turns"]), (&json!(2), &json!(7)), "{told}");
    let told = covered(&[2, 5, 1, 9]);
    assert_eq!((&told["games"], &told["turns"]), (&json!(2), &json!(6)), "{told}");
    let lines = told["lines"].as_array().expect("a list");
    let line = |wanted: u64| lines.iter().find(|line| line[0] == wanted).map(|line| (line[1].clone(), line[2].clone()));
    assert_eq!(line(8), Some((json!(6), json!(false))));
    assert_eq!(line(11), Some((json!(0), json!(true))));
    assert_eq!(line(16), Some((json!(2), json!(false))));
    assert_eq!(line(3), None, "what does not play is not counted");
    // What stands in an alternative that is never taken is not told again.
    let unused = told["unused"].as_array().expect("a list");
    let unused: Vec<(u64, &str)> =
        unused.iter().map(|rule| (rule["line"].as_u64().unwrap_or(0), rule["kind"].as_str().unwrap_or(""))).collect();
    assert_eq!(unused, [(9, "alternative"), (17, "outcome")]);
}

#[test]
fn the_thinker_sees_a_win_and_keeps_its_tree() {
    let mut desk = Desk::default();
    let start = "8/W7/8/3B4/8/8/6B1/8 White";
    ask(&mut desk, json!({ "do": "open", "text": text_of("breakthrough"), "seed": 1, "start": start }));
    let thought = ask(&mut desk, json!({ "do": "think", "playouts": 200 }));
    assert_eq!(thought["proven"], 1.0);
    assert!(thought["lines"][0]["move"].as_str().is_some_and(|text| text.starts_with("a7")));
    let (mut desk, _) = open("othello", None);
    let first = ask(&mut desk, json!({ "do": "think", "playouts": 64 }))["playouts"].as_u64();
    let second = ask(&mut desk, json!({ "do": "think", "playouts": 64 }))["playouts"].as_u64();
    assert!(second >= first.map(|first| first + 64), "{first:?} {second:?}");
}

#[test]
fn chance_chooses_by_itself_and_is_taken_back() {
    let text = r#"game "Dice" {
      players White north, Black south
      board square 3 by 6
      piece man
      setup { place man on row 1   mirror }
      move {
        pick n from 1..3 by chance
        first { pick p from own   move p forward: ^ empty{n - 1} to empty } else { pass }
      }
      end { win if some own in last row   draw if turns >= 60 }
    }"#;
    let mut desk = Desk::default();
    let opened = ask(&mut desk, json!({ "do": "open", "text": text, "seed": 1 }));
    assert_eq!(opened["view"]["played"][0][1], Value::Null, "chance is nobody");
    assert_eq!(opened["view"]["chooser"], 0);
    let thought = ask(&mut desk, json!({ "do": "think", "playouts": 16 }));
    let best = thought["lines"][0]["move"].as_str().expect("a move").to_string();
    let view = ask(&mut desk, json!({ "do": "play", "text": best }));
    assert_eq!((&view["chooser"], view["played"].as_array().map(Vec::len)), (&json!(1), Some(3)));
    let view = ask(&mut desk, json!({ "do": "undo", "count": 1 }));
    assert_eq!((&view["chooser"], view["played"].as_array().map(Vec::len)), (&json!(0), Some(1)));
}

#[test]
fn texts_are_laid_out_and_plans_and_errors_told() {
    let mut desk = Desk::default();
    let text = text_of("breakthrough");
    assert_eq!(ask(&mut desk, json!({ "do": "format", "text": text }))["text"], json!(text));
    assert_eq!(ask(&mut desk, json!({ "do": "format", "text": "game {" }))["text"], Value::Null);
    let plan = ask(&mut desk, json!({ "do": "plan", "text": text, "player": 1 }));
    assert_eq!(plan["bits"], 64);
    assert!(plan["text"].as_str().is_some_and(|text| text.len() > 100));
    let page = ask(&mut desk, json!({ "do": "explain", "code": "unknown-name" }));
    assert!(page["text"].as_str().is_some_and(|text| text.contains("name")));
    let examples = ask(&mut desk, json!({ "do": "examples", "text": text_of("congo") }));
    assert_eq!(examples["diagnostics"], json!([]));
}

#[test]
fn a_report_is_made_in_slices() {
    let (mut desk, _) = open("breakthrough", Some("5x5"));
    let slice = |part: f64, stop: bool| json!({ "do": "report", "seed": 1, "units": 3, "part": part, "stop": stop });
    let page = json!({ "do": "report_page", "name": "game.rules", "seed": 1, "seconds": 30.0 });
    assert_eq!(ask(&mut desk, page.clone())["error"], "no report has been begun");
    let mut stages = Vec::new();
    for step in 0..60 {
        let told = ask(&mut desk, slice(f64::from(step) / 100.0, false));
        stages.push(told["stage"].as_str().expect("a stage").to_string());
    }
    stages.dedup();
    assert_eq!(stages, ["random", "coverage", "book", "contest"]);
    let mut told = ask(&mut desk, slice(0.6, true));
    while told["stage"] != "over" {
        assert_eq!(told["error"], Value::Null);
        told = ask(&mut desk, slice(0.6, true));
    }
    assert!(told["random"].as_u64() > Some(0));
    let made = ask(&mut desk, page);
    let html = made["html"].as_str().expect("a page");
    assert_eq!(made["partial"], true);
    assert!(html.contains("Players of rising strength") && html.contains("report game.rules --seed 1 --time 30s"));
}
