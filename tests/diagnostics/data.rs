//! Mistakes as data, and the ways to draw them.

use lusoria::report::{Look, Notice, entries, render};

use super::cases::{Case, Outcome, failing};

fn run(name: &str) -> Outcome {
    failing().iter().find(|case| case.name == name).map(Case::run).expect("the file is there")
}

#[test]
fn a_mistake_is_told_as_data() {
    let outcome = run("bound-twice");
    let data = entries(&outcome.notices(), &outcome.sources);
    insta::assert_json_snapshot!(data, @r#"
    [
      {
        "code": "bound-twice",
        "severity": "error",
        "message": "`p` is bound already",
        "help": "to change it write `set p = empty`; another value needs another name",
        "file": "bound-twice.rules",
        "line": 12,
        "column": 9,
        "end_line": 12,
        "end_column": 10,
        "start": 285,
        "end": 286,
        "other": {
          "message": "bound here",
          "file": "bound-twice.rules",
          "line": 11,
          "column": 10,
          "end_line": 11,
          "end_column": 11,
          "start": 266,
          "end": 267
        }
      }
    ]
    "#);
}

#[test]
fn looks_differ_in_marks_and_colours_only() {
    let outcome = run("bound-twice");
    let notices: Vec<Notice> = outcome.notices();
    let drawn = |colour, unicode| render(&notices, &outcome.sources, Look { colour, unicode, width: 100 });
    assert!(drawn(false, false).is_ascii());
    assert!(!drawn(false, true).contains('\u{1b}'));
    assert!(drawn(true, true).contains('\u{1b}'));
    assert_eq!(drawn(false, true), outcome.rendered());
}

#[test]
fn columns_count_characters_and_bytes_are_bytes() {
    let text = "game \"Ümläut\" { players Wäite, Black }\n";
    let outcome = Case { name: "umlaut".into(), text: text.into() }.run();
    let data = entries(&outcome.notices(), &outcome.sources);
    let place = &data.first().expect("a mistake").place;
    let before = &text[..place.start as usize];
    assert_eq!(place.column, before.chars().count() + 1);
    assert!(place.start as usize >= place.column);
}

/// What is given to a define is told where it is given, and then where it goes wrong.
#[test]
fn the_call_comes_before_what_is_called() {
    let outcome = run("within_calls");
    let data = entries(&outcome.notices(), &outcome.sources);
    let first = data.get(1).expect("a second mistake");
    let within = &first.other.as_ref().expect("a second place").place;
    assert_eq!((first.place.file.as_str(), first.place.line), ("within_calls.rules", 19));
    assert_eq!(within.file, "std.rules");
    let drawn = outcome.rendered();
    let at = |text: &str| drawn.find(text).unwrap_or_else(|| panic!("`{text}` is not in {drawn}"));
    assert!(at("[within_calls.rules:19") < at("[std.rules:"));
    // In one file too the call is drawn first.
    assert!(at("[within_calls.rules:22") < at("[within_calls.rules:8"));
}
