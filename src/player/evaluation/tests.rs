//! Tests of evaluations: features tell what they are called, mirrored positions are worth the same.

use crate::game::{Game, Position};
use crate::player::evaluation::{Evaluation, Weights};

fn shipped(name: &str) -> Game {
    Game::shipped(name).expect("it is shipped")
}

fn feature(evaluation: &mut Evaluation, position: &Position, name: &str) -> f32 {
    let at = evaluation.names().iter().position(|known| known == name);
    let at = at.unwrap_or_else(|| panic!("no feature `{name}`: {:?}", evaluation.names()));
    evaluation.look_at(position, 0.0)[at]
}

#[test]
fn features_tell_what_they_are_called() {
    let game = shipped("breakthrough");
    let mut evaluation = Evaluation::new(&game, None).expect("no fault");
    let position = game.position("8/W7/8/3B4/8/8/6B1/8 White").expect("it is one");
    assert_eq!(feature(&mut evaluation, &position, "material man"), -1.0);
    // a7 is the sixth of seven steps to the last row; d5 the third from h8's side, g2 the sixth.
    assert!((feature(&mut evaluation, &position, "advance man") - (6.0 - 3.0 - 6.0) / 7.0).abs() < 1e-5);
    assert_eq!(feature(&mut evaluation, &position, "place man a7"), 1.0);
    assert_eq!(feature(&mut evaluation, &position, "place man b7"), -1.0);
    assert_eq!(feature(&mut evaluation, &position, "turn"), 1.0);

    let pente = shipped("pente");
    let mut evaluation = Evaluation::new(&pente, None).expect("no fault");
    let mut position = pente.start(0).expect("it begins");
    assert_eq!(feature(&mut evaluation, &position, "run 1"), 0.0);
    let first = position.legal_moves().expect("no fault").remove(0);
    position.play(&first).expect("legal");
    assert!(feature(&mut evaluation, &position, "run 1") > 0.0);
    assert_eq!(feature(&mut evaluation, &position, "turn"), -1.0);
    assert!(evaluation.names().iter().any(|name| name == "run 4"));
    assert!(!evaluation.names().iter().any(|name| name == "run 5"));
}

#[test]
fn what_end_asks_is_measured() {
    for (name, wanted) in [
        ("lines_of_action", vec!["groups", "largest group", "spread"]),
        ("gonnect", vec!["groups", "steps to connect", "territory"]),
        ("amazons", vec!["territory", "liberties"]),
        ("othello", vec!["territory", "place disc a1"]),
        ("chess", vec!["material queen", "far advance pawn"]),
        ("focus", vec!["stacked"]),
    ] {
        let evaluation = Evaluation::new(&shipped(name), None).expect("no fault");
        for wanted in wanted {
            assert!(evaluation.names().iter().any(|known| known == wanted), "{name}: {:?}", evaluation.names());
        }
    }
}

#[test]
fn steps_to_connect_are_those_that_are_missing() {
    let rules = r#"game "Bridge" {
      players White, Black
      board square 3 by 3
      piece stone
      move { pick c from empty   place stone on c }
      end { win if connects(own, file 1, file 3)   draw if no empty }
    }"#;
    let game = Game::from_source(rules).expect("it loads");
    let mut evaluation = Evaluation::new(&game, None).expect("no fault");
    let at = |text: &str| game.position(text).expect("it is one");
    // White lacks one stone, Black three.
    assert_eq!(feature(&mut evaluation, &at("3/WW1/3 Black"), "steps to connect").abs(), 2.0);
}

/// Turned round with the colours exchanged, a position is worth the same to him who moves.
#[test]
fn mirrored_positions_are_worth_the_same() {
    let game = shipped("breakthrough");
    let mut evaluation = Evaluation::new(&game, None).expect("no fault");
    let one = game.position("8/W7/8/3B4/8/8/6B1/8 White").expect("it is one");
    let other = game.position("8/1W6/8/8/4W3/8/7B/8 Black").expect("it is one");
    assert!((evaluation.of(&one, 0.3) - evaluation.of(&other, 0.3)).abs() < 1e-5);
}

#[test]
fn men_are_worth_what_they_can_do() {
    let game = shipped("chess");
    let evaluation = Evaluation::new(&game, None).expect("no fault");
    let worth = |name: &str| {
        let at = evaluation.names().iter().position(|known| known == &format!("material {name}")).expect("a kind");
        evaluation.weights()[at]
    };
    assert!(worth("queen") > worth("pawn") && worth("knight") > worth("pawn"), "{:?}", evaluation.weights());
}

#[test]
fn weights_are_read_as_they_are_written() {
    let weights = Weights {
        game: String::from("Breakthrough"),
        cells: 64,
        phases: 1,
        values: vec![(String::from("material man"), vec![0.5]), (String::from("place man a1"), vec![-0.25])],
    };
    let text = format!("# a comment\n\n{}", weights.text());
    assert_eq!(Weights::parse(&text), Ok(vec![weights.clone()]));
    let game = shipped("breakthrough");
    let evaluation = Evaluation::new(&game, Some(&weights)).expect("no fault");
    assert!(evaluation.fits(&game, &weights));
    let place = evaluation.names().iter().position(|name| name == "place man a1").expect("it is one");
    assert_eq!(evaluation.weights()[place], -0.25);
    for (wrong, why) in [
        ("material man 1", "line 1: a section begins"),
        ("[A]\nmaterial", "line 2: a line is the name"),
        ("[A]\nmaterial x", "line 2: a line is the name"),
        ("[A]\nmaterial NaN", "line 2: a line is the name"),
        ("[A]\nm 1\nm 2", "line 3: `m` has a weight already"),
        ("[A]\nphases 2\nm 1", "line 3: a line is the name of a feature and 2 numbers"),
        ("[A]\nphases 0", "line 2: phases are 1 to 16"),
        ("[A]\nphases 17", "line 2: phases are 1 to 16"),
        ("[A]\nm 1\nphases 2", "line 3: phases are 1 to 16, and are told before the weights"),
    ] {
        let said = Weights::parse(wrong).expect_err(wrong);
        assert!(said.starts_with(why), "{said}");
    }
    let other = Weights { cells: 25, ..weights };
    assert!(!evaluation.fits(&game, &other) && !evaluation.fits(&shipped("breakthrough:5x5"), &other));
}

/// Weights of phases go straight from one to the next as the board fills.
#[test]
fn weights_change_as_the_board_fills() {
    let text = "[Othello]\ncells 64\nphases 3\nmaterial disc 1 2 4\nplace disc a1 0 0 8\n";
    let all = Weights::parse(text).expect("it is read");
    assert_eq!(Weights::parse(&all[0].text()), Ok(all.clone()));
    let game = shipped("othello");
    let mut evaluation = Evaluation::new(&game, Some(&all[0])).expect("no fault");
    let at = evaluation.names().iter().position(|name| name == "material disc").expect("it is one");
    for (text, filled, weight, worth) in [
        ("8/8/8/8/8/8/8/8 Black", 0, 1.0, 0.0),
        ("8/8/8/3BB3/3BB3/8/8/8 Black", 4, 1.125, 4.5),
        ("BBBBBBBB/BBBBBBBB/BBBBBBBB/BBBBBBBB/8/8/8/8 White", 32, 2.0, -64.0),
        ("BBBBBBBB/BBBBBBBB/BBBBBBBB/BBBBBBBB/BBBBBBBB/BBBBBBBB/8/8 Black", 48, 3.0, 144.0 + 8.0),
        ("8/8/8/3BB3/3BB3/8/8/8 Black", 4, 1.125, 4.5),
    ] {
        let position = game.position(text).expect("it is one");
        let of = evaluation.of(&position, 0.0);
        assert_eq!((evaluation.filled(), evaluation.weights()[at]), (filled, weight), "{text}");
        assert!((of - worth).abs() < 1e-3, "{text}: {of}");
    }
}
