//! Moves as people write them: joints, aliases and passes that are left out; and what is told where a list of
//! moves stops.

use lusoria::{Error, Game, Position};
use serde_json::Value;

use crate::cli::{RULES, fails, fine, folder, lusoria, path};
use crate::common::game;

fn after(name: &str, position: &str, moves: &[&str]) -> Position {
    let mut position = game(name).position(position).unwrap();
    position.play_moves(moves.iter().copied()).unwrap_or_else(|error| panic!("{error}"));
    position
}

/// The position after a move, and after its own text.
fn same(name: &str, position: &str, text: &str, own: &str) {
    assert_eq!(after(name, position, &[text]).to_string(), after(name, position, &[own]).to_string(), "{text}");
}

fn refused(name: &str, position: &str, text: &str) -> String {
    let mut position = game(name).position(position).unwrap();
    let before = position.to_string();
    match position.play_text(text) {
        Err(Error::Notation(error)) => {
            assert_eq!(position.to_string(), before, "{text}");
            error.code().to_string()
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_cross_joins_what_a_move_takes() {
    // Men that are placed until one of them makes a row, and takes a man.
    let mut position = game("morabaraba").start(0).unwrap();
    let taking = loop {
        let moves: Vec<String> = position.legal_moves().unwrap().iter().map(ToString::to_string).collect();
        match moves.iter().find(|text| text.contains(' ')) {
            Some(text) => break text.clone(),
            None => position.play_text(&moves[0]).unwrap(),
        }
    };
    let before = position.to_string();
    for joint in ["x", " x ", "-", "X"] {
        same("morabaraba", &before, &taking.replace(' ', joint), &taking);
    }
    // A move that takes nothing is not written so.
    assert_eq!(refused("breakthrough", "8/8/8/3B4/8/2W5/8/8 White", "c3xc4"), "move-unknown");
    // Where both can be meant, each says which.
    same("amazons", "10/10/10/10/10/10/10/10/10/A8a White", "a1-a2xa3", "a1-a2 a3");
}

#[test]
fn castling_is_read_as_people_write_it() {
    let both = "r3k2r/8/8/8/8/8/8/R3K2R";
    let keys = "unmoved=a1+e1+h1+a8+e8+h8";
    for (text, white, black) in [("O-O", "e1 h1", "e8 h8"), ("o-o", "e1 h1", "e8 h8"), ("O-O-O", "e1 a1", "e8 a8")] {
        same("chess", &format!("{both} w {keys}"), text, white);
        same("chess", &format!("{both} b {keys}"), text, black);
    }
    for (text, own) in [("e1g1", "e1 h1"), ("e1-g1", "e1 h1"), ("E1 G1", "e1 h1"), ("e1c1", "e1 a1"), ("e1h1", "e1 h1")]
    {
        same("chess", &format!("{both} w {keys}"), text, own);
    }
    // Only where it is legal, and a move of the king is what it says.
    assert_eq!(refused("chess", "4k3/8/8/8/8/8/8/4K2R w", "O-O"), "move-unknown");
    assert_eq!(refused("chess", "4kr2/8/8/8/8/8/8/4K2R w unmoved=e1+h1", "e1g1"), "move-unknown");
    assert_eq!(refused("chess", "4k3/8/8/8/8/8/8/R3K3 w unmoved=a1+e1", "O-O"), "move-unknown");
    same("chess960", "4k3/8/8/8/8/8/8/1K4R1 w unmoved=b1+g1", "O-O", "b1 g1");
    same("chess960", "4k3/8/8/8/8/8/8/1K4R1 w unmoved=b1+g1", "b1g1", "b1 g1");
    same("chess960", "4k3/8/8/8/8/8/8/5KR1 w unmoved=f1+g1", "f1g1", "f1 g1");
    same("chess960", "4k3/8/8/8/8/8/8/RK6 w unmoved=a1+b1", "b1-c1", "b1-c1");
    same("chess960", "4k3/8/8/8/8/8/8/RK6 w unmoved=a1+b1", "O-O-O", "b1 a1");
}

#[test]
fn aliases_stand_for_moves_of_any_game() {
    let rules = r#"game "Aliases" {
      players White, Black
      board square 4 by 4
      piece stone
      move { pick a from empty   pick b from empty and not a   place stone on a or b }
      end { draw if stuck(own) and stuck(enemy) }
      notation {
        alias "ends"          for corners, corners
        alias "start"         for a1, d4
        alias rank 2, b3      for d1, d2
        alias "faulty"        for nth(empty, 1 / count(Black)), any
      }
      define corners = a1 or a4 or d1 or d4
    }"#;
    let game = Game::from_source(rules).unwrap();
    let played = |text: &str| {
        let mut position = game.start(0).unwrap();
        position.play_text(text).map(|()| position.to_string()).map_err(|error| match error {
            Error::Notation(error) => error.code(),
            other => panic!("{other}"),
        })
    };
    assert_eq!(played("start"), played("a1 d4"));
    assert_eq!(played("START"), played("a1 d4"));
    // No move is written so: two cells of the second rank and then b3 are such a text.
    assert_eq!(played("ends"), Err("move-ambiguous"));
    assert_eq!(played("faulty"), Err("move-unknown"));
    assert_eq!(
        played("a2 b3"),
        game.start(0)
            .map(|mut position| {
                position.play_text("a2 b3").unwrap();
                position.to_string()
            })
            .map_err(|_| "")
    );
}

#[test]
fn a_pass_that_is_the_only_move_may_be_left_out() {
    let stuck = "BW6/8/8/8/8/8/8/1WBBBBBB White";
    let mut position = game("othello").position(stuck).unwrap();
    position.play_text("a1").unwrap();
    assert_eq!(position.to_string(), after("othello", stuck, &["pass", "a1"]).to_string());
    assert!(position.undo() && !position.undo());
    assert_eq!(position.to_string(), stuck);
    assert_eq!(refused("othello", stuck, "h8"), "move-unknown");
    // Who could move does not pass.
    assert_eq!(refused("othello", "8/8/8/3WB3/3BW3/8/8/8 Black", "a1"), "move-unknown");
}

#[test]
fn where_a_list_of_moves_stops_is_told() {
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "e2e4", "f8c5"];
    let mut arguments = vec!["show", "chess"];
    arguments.extend(moves.iter().flat_map(|text| ["--move", text]));
    let err = fails(&arguments, RULES);
    let position = after("chess", &game("chess").start(0).unwrap().to_string(), &moves[..4]).to_string();
    assert!(err.starts_with("error[move-unknown]: `e2e4` is not a move here"), "{err}");
    assert!(err.contains("note: `e2e4` is ply 5 of those given; White was to choose\n"), "{err}");
    let ending = format!("  position: {position}\n`lusoria explain move-unknown` says more\n");
    assert!(err.ends_with(&ending), "{err}");
    arguments.push("--json");
    let (code, out, _) = lusoria(&arguments);
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &told["ply"], &told["move"]), (RULES, &Value::from(5), &Value::from("e2e4")));
    assert_eq!((&told["position"], &told["over"]), (&Value::from(position), &Value::Null));
    assert_eq!(told["code"], "move-unknown");
    // After the end.
    let won = ["show", "breakthrough", "--position", "8/W7/8/8/8/7B/8/8 White", "--move", "a7-a8", "--move", "h3-h2"];
    let err = fails(&won, RULES);
    assert!(err.contains("`h3-h2` is ply 2 of those given; the game was over before it: White wins: win if"), "{err}");
    assert!(err.contains("(breakthrough.rules:"), "{err}");
    assert!(fine(&won[..6]).contains("White wins: win if"), "the moves before it are fine");
}

/// Each jump is a ply of its own, and somebody writes them in one.
#[test]
fn moves_that_are_written_in_one_are_told_apart() {
    let rules = br#"game "Jumps" {
      players White north, Black south
      board square 8 by 8
      piece man { move straight: leap }
      setup { place White man on e3   place Black man on d4 c6 h8 g4 }
      move {
        let chain = any
        repeat in steps {
          pick p from own and chain
          capture p
          set chain = p
        }
      }
      end { win if no enemy   win if stuck(enemy) }
    }"#;
    let folder = folder(&[("jumps.rules", rules)]);
    let file = path(&folder, "jumps.rules");
    let told = |text: &str| fails(&["moves", &file, "--move", text], RULES);
    for text in ["e3xc5xc7", "e3xc5 c5xc7", "e3 c5 c7", "E3C5C7"] {
        let err = told(text);
        let help = "help: it is 2 moves, each a ply of its own: `e3xc5`, then `c5xc7`\n";
        let options = "help: write `--move e3xc5 --move c5xc7`\n";
        assert!(err.contains(help) && err.contains(options), "{text}: {err}");
    }
    let err = told("e3xc5xe7");
    assert!(err.contains("possible are `e3xg5`, `e3xc5`") || err.contains("`e3xc5` is one, but not `xe7`"), "{err}");
    let err = told("e3xc5xc7xa9");
    assert!(err.contains("help: `e3xc5`, then `c5xc7` are moves, but not `xa9` behind them\n"), "{err}");
    assert!(!told("e3xe5").contains("is one") && !told("e3").contains("is one"));
    // Moves of both players are told apart too.
    let err = fails(&["show", "othello", "--move", "f5d6"], RULES);
    assert!(err.contains("help: write `--move f5 --move d6`\n"), "{err}");
}
