//! `< >` catches men: neither empty cells nor men that have been caught already.

use lusoria::interp::Engine;
use lusoria::{Game, Position};

fn game(declarations: &str, turn: &str) -> Game {
    let text = format!(
        "game \"Catching\" {{
           players White north, Black south
           board square 4 by 1
           piece rook R {{ move orthogonal: ^ empty* to (empty or <any>) }}
           piece man M {{ move forward: step }}
           piece hopper H {{ move orthogonal: ^ <occupied> to empty }}
           {declarations}
           move {{ pick p from own  {turn} }}
           end {{ win if no enemy  win if stuck(enemy) }}
         }}"
    );
    Game::from_source(&text).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The moves of the start as they are written; a plan counts as many.
fn moves(game: &Game) -> Vec<String> {
    let mut start = game.start(0).expect("no fault");
    let mut texts: Vec<String> = listed(&mut start);
    texts.sort();
    let engine = Engine::new(game.model()).expect("it has a plan");
    let mut runner = engine.runner();
    assert!(runner.load(start.state()));
    assert_eq!(runner.perft(1, false).expect("no fault"), texts.len() as u64);
    texts
}

fn listed(position: &mut Position) -> Vec<String> {
    position.legal_moves().expect("no fault").iter().map(ToString::to_string).collect()
}

const SETUP: &str = "setup { place White rook on b1  place White man on a1  place Black man on d1 }";

#[test]
fn an_empty_cell_is_not_caught() {
    assert_eq!(moves(&game(SETUP, "move p")), ["b1-c1", "b1xa1", "b1xd1"]);
    // What is counted is caught: men of both sides, and no empty cell.
    assert_eq!(moves(&game(SETUP, "move p  need count(caught) = 1")), ["b1xa1", "b1xd1"]);
    assert_eq!(moves(&game(SETUP, "capture p")), ["b1xa1", "b1xd1"]);
}

#[test]
fn a_cell_with_a_name_is_caught_where_a_man_stands() {
    let named = "define goal = c1 or d1";
    let turn = "move p orthogonal: ^ empty* to <goal>";
    assert_eq!(moves(&game(&format!("{named} {SETUP}"), turn)), ["b1-c1", "b1xd1"]);
    assert_eq!(moves(&game(SETUP, "need some catches(p, east: ^ <empty>)  move p")), Vec::<String>::new());
}

/// A man that has been caught and waits to leave is not caught again.
#[test]
fn a_man_that_waits_to_leave_is_not_caught_again() {
    let waits = "captures leave at end of move
                 setup { place White hopper on a1  place Black man on b1 d1 }";
    let listed = |turn: &str| listed(&mut game(waits, turn).start(0).expect("no fault"));
    assert_eq!(listed("repeat { capture p }"), ["a1xc1"]);
    // He is in the way all the same: who only moves hops to and fro over him.
    assert_eq!(listed("move p  move p"), ["a1xc1-a1"]);
}
