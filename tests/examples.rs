//! Examples of rules files: those of the shipped games and of the files beside them, in `rules/examples`, hold; what layers
//! keep of each other's.

use lusoria::Game;
use lusoria::check::Settings;
use lusoria::shipped::Shipped;
use lusoria::source::Source;

use crate::common::{games_of, project};

fn game(text: &str, variant: Option<&str>) -> Game {
    let settings = Settings { variant: variant.map(String::from), params: Vec::new() };
    let game = Game::load(Source::new("game.rules", text), &Shipped, &settings);
    game.unwrap_or_else(|error| panic!("{error:?}")).without_plan()
}

fn titles(game: &Game) -> Vec<&str> {
    game.model().examples.iter().map(|example| example.title.as_str()).collect()
}

/// The files of a folder of rules.
fn files(folder: &str) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(project(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|it| it == "rules")).collect();
    files.sort();
    files
}

/// Holds the games and variants of some files of a folder to their examples, as the reference executor plays them; how many
/// there are.
fn hold(folder: &str, from: char, to: char) -> usize {
    let mut held = 0;
    for path in files(folder) {
        let name = path.file_stem().unwrap().to_string_lossy().to_string();
        if !(from..=to).contains(&name.chars().next().unwrap()) || name == "std" {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for game in games_of(&Source::new(format!("{name}.rules"), text)) {
            let failed = game.failed_examples();
            let told = |failed: &lusoria::FailedExample| format!("{}: {}", failed.title, failed.message);
            let told: Vec<_> = failed.iter().map(told).collect();
            assert!(told.is_empty(), "{}, {}: {told:?}", path.display(), game.name());
            held += titles(&game).len();
        }
    }
    held
}

#[test]
fn the_examples_of_shipped_games_hold() {
    let held = hold("rules", 'a', 'z');
    assert!(held > 100, "{held}");
}

#[test]
fn every_shipped_game_has_an_example() {
    for file in files("rules").iter().filter(|path| !path.ends_with("std.rules")) {
        let text = std::fs::read_to_string(file).unwrap();
        let game = &games_of(&Source::new("game.rules", text))[0];
        assert!(!titles(game).is_empty(), "{}", file.display());
    }
}

/// The many positions of the files beside them: of the games from a to d, and so on, so that they are held side by side.
#[test]
fn positions_of_games_from_a_hold() {
    assert!(hold("rules/examples", 'a', 'd') > 100);
}

#[test]
fn positions_of_games_from_e_hold() {
    assert!(hold("rules/examples", 'e', 'g') > 50);
}

#[test]
fn positions_of_games_from_k_hold() {
    assert!(hold("rules/examples", 'h', 'o') > 50);
}

#[test]
fn positions_of_games_from_p_hold() {
    assert!(hold("rules/examples", 'p', 'z') > 50);
}

const ROW: &str = r#"game "Row" {
  param n = 3
  players A, B
  board square n by 1
  piece stone
  move { pick c from empty   place stone on c }
  end { win if stuck(enemy) }
  example "of the set-up" { legal only "a1" "b1" "c1" }
  example "of a position" { position "A1B A"   legal only "b1"   play "b1"   caught nothing   gives "AAB B" }
  example "of the end" { position "A1B A"   play "b1"   A wins   legal nothing }
  example "of both" { perft 3 6 6 }
  variant "About" { about { note "nothing else" } }
  variant "End" { end { lose if stuck(enemy) } }
  variant "Setup" { setup { place stone on a1 } }
  variant "Larger" { param n = 4 }
  variant "Title" { example "of the end" { position "AAB B"   goes on } }
}"#;

#[test]
fn layers_keep_examples_of_what_they_leave() {
    const ALL: [&str; 4] = ["of the set-up", "of a position", "of the end", "of both"];
    let of = |variant| game(ROW, variant);
    assert_eq!(titles(&of(None)), ALL);
    assert_eq!(titles(&of(Some("About"))), ALL);
    assert_eq!(titles(&of(Some("End"))), ALL[..2]);
    assert_eq!(titles(&of(Some("Setup"))), ALL[1..3]);
    assert_eq!(titles(&of(Some("Larger"))), Vec::<&str>::new());
    assert_eq!(titles(&of(Some("Title"))), ["of the set-up", "of a position", "of both", "of the end"]);
    for variant in [None, Some("About"), Some("End"), Some("Setup")] {
        let failed = of(variant).failed_examples();
        assert!(failed.is_empty(), "{variant:?}: {failed:?}");
    }
}

/// Each claim alone, where it does not hold.
#[test]
fn claims_that_fail_say_what_came() {
    for (claims, message) in [
        (r#"position "A1C A""#, "this is no position of the game"),
        (r#"play "d1""#, "`d1` is expected to be played"),
        (r#"position "A1B A" play "b1" "b1""#, "`b1` is expected to be played: the game is over"),
        (r#"position "A1B A" legal "a1""#, "`a1` is expected to be legal: it is not"),
        (r#"legal only "a1""#, "no other move is expected to be legal: there is `b1`, `c1`"),
        (r#"legal nothing"#, "no move is expected to be legal: there is `a1`, `b1`, `c1`"),
        (r#"illegal "a1""#, "`a1` is expected to be illegal: it is a legal move"),
        (r#"play "a1" caught a1"#, "expected to be caught: `a1`; it was nothing"),
        (r#"play "a1" gives "3 A""#, "the position is expected to be `3 A`: it is `A2 B`"),
        (r#"perft 3 7"#, "perft of 2 turns is expected to be 7: it is 6"),
        (r#"perft 3 5"#, "perft of 2 turns is expected to be 5: it is 6 or more"),
        (r#"perft 3 6 2000000"#, "perft of 3 turns is 2000000: an example counts up to 1000000"),
        (r#"illegal """#, "whether `` is legal cannot be told: "),
        (r#"A wins"#, "it is expected that A wins: the game goes on"),
        (r#"position "A1B A" play "b1" draw"#, "it is expected that the game is drawn: "),
        (r#"position "A1B A" play "b1" goes on"#, "it is expected that the game goes on: "),
    ] {
        let text = ROW.replacen("example", &format!("example \"tried\" {{ {claims} }}\n  example"), 1);
        let failed = game(&text, None).failed_examples();
        assert_eq!(failed.len(), 1, "{claims}: {failed:?}");
        assert!(failed[0].message.starts_with(message), "{claims}: {}", failed[0].message);
        assert_eq!(failed[0].title, "tried");
    }
}

/// The words of examples stay names.
#[test]
fn words_of_examples_are_names_elsewhere() {
    let text = ROW
        .replace(
            "move { pick c from empty",
            "define legal = empty\n  define example = legal\n  move { pick position from example",
        )
        .replace("place stone on c }\n  end", "place stone on position }\n  end");
    let game = game(&text, None);
    assert!(game.failed_examples().is_empty());
    let twice = ROW.replace("of both", "of the end");
    let error = Game::from_source(&twice).unwrap_err();
    assert_eq!(error.mistakes.iter().map(|mistake| mistake.code()).collect::<Vec<_>>(), ["duplicate-name"]);
}

/// What claims nothing cannot fail.
#[test]
fn an_example_claims_something() {
    let empty = ROW.replacen("example", "example \"nothing\" { }\n  example", 1);
    let error = Game::from_source(&empty).unwrap_err();
    assert_eq!(error.mistakes[0].code(), "syntax-unexpected");
}

/// Where the rules cut turns into steps, perft counts turns and not steps.
#[test]
fn perft_counts_turns_where_rules_cut_them() {
    let text = r#"game "Pairs" {
      players A, B
      board square 3 by 2
      piece stone
      move {
        let placed = none
        repeat in steps while count(placed) < 2 { pick c from empty   place stone on c   set placed = placed or c }
      }
      end { win if stuck(enemy) }
      example "two stones a turn" { perft 30 360   play "a1"   legal only "a2" "b1" "b2" "c1" "c2" }
    }"#;
    let failed = game(text, None).failed_examples();
    assert!(failed.is_empty(), "{failed:?}");
}
