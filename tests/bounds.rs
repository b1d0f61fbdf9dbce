//! Bounds of play: whose they are, and where in the author's own text a fault is told.

use lusoria::interp::Engine;
use lusoria::{Error, Game};
use rand::SeedableRng;

/// A game on a small board; the lines of its turn begin at line 7.
fn game(turn: &str) -> Game {
    let text = format!(
        "game \"Bounds\" {{
           players White north, Black south
           board square 4 by 4
           piece man {{ move forward: step }}
           setup {{ place man on row 1  mirror }}
           move {{
             {turn}
           }}
           end {{ win if no enemy  win if stuck(enemy) }}
         }}"
    );
    Game::from_source(&text).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The fault of listing the turns of the start: its code, and the place that it names.
fn fault_of_listing(game: &Game) -> (&'static str, String) {
    let moves = game.start(0).expect("the start has no fault").legal_moves();
    match moves {
        Err(Error::Fault { fault, place, .. }) => (fault.code(), place),
        other => panic!("no fault: {:?}", other.map(|moves| moves.len())),
    }
}

/// What a plan counts at the start, or its fault: the code, and the place.
fn counted_by_plan(game: &Game) -> Result<u64, (&'static str, String)> {
    let engine = Engine::new(game.model()).expect("it has a plan");
    let mut runner = engine.runner();
    assert!(runner.load(game.start(0).expect("the start").state()));
    runner.perft(1, false).map_err(|fault| (fault.code(), game.model().sources.place(fault.span)))
}

/// A bound of listing is the reference executor's. A plan counts and draws turns that nobody lists.
#[test]
fn turns_that_are_too_many_to_list_are_counted_by_a_plan() {
    let game = game("pick p from 1..100000  pick q from 1..100000  pass");
    // The reference executor tells the choice, a plan the turn.
    for (game, told) in [(game.without_plan(), "game.rules:7:37"), (game.clone(), "game.rules:6:17")] {
        let (code, place) = fault_of_listing(&game);
        assert_eq!((code, place.as_str()), ("fault-plies", told));
    }
    assert_eq!(counted_by_plan(&game), Ok(10_000_000_000));
}

/// There are more turns than a word has numbers for: nothing overflows, and the bound is told at the turn.
#[test]
fn combinations_of_combinations_are_too_much_work() {
    let text = "game \"Many\" {
      players White, Black
      board square 32 by 32
      piece stone
      move {
        pick 7 a from empty   pick 7 b from empty and not a   pick 7 c from empty and not (a or b)
        need count(a and rank 1) < 7
        place stone on a or b or c
      }
      end { draw if count(occupied) > 100   draw if stuck(enemy) }
    }";
    let game = Game::from_source(text).unwrap();
    let engine = Engine::new(game.model()).expect("it has a plan");
    let mut runner = engine.runner();
    assert!(runner.load(game.start(0).unwrap().state()));
    let fault = runner.playout(&mut rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1), 1).unwrap_err();
    assert_eq!((fault.code(), game.model().sources.place(fault.span)), ("fault-work", "game.rules:5:12".to_string()));
}

/// Nobody can cut a set-up into plies.
#[test]
fn bounds_of_a_set_up_are_told_by_themselves() {
    for (setup, code, help) in [
        ("pick 9 c from any   place man on c", "fault-setup-plies", "`pick c from empty   place man on c`"),
        ("pick a from 1..9999   pick b from 1..9999   need a + b < 2", "fault-setup-work", "few of them fail"),
        ("repeat while count(own) < 9 { pick c from empty   place man on c }", "", ""),
    ] {
        let text = format!(
            "game \"Bounds\" {{
               players White, Black
               board square 6 by 6
               piece man
               setup {{ {setup} }}
               move {{ pick c from empty   place man on c }}
               end {{ win if stuck(enemy) }}
             }}"
        );
        let game = Game::from_source(&text).unwrap_or_else(|error| panic!("{error:?}"));
        match game.start(0) {
            Err(Error::Fault { fault, .. }) => {
                assert_eq!(fault.code(), code, "{setup}");
                assert!(fault.help().contains(help) && !fault.message().contains("position"), "{fault}");
            }
            other => assert!(code.is_empty() && other.is_ok(), "{setup}"),
        }
    }
}

/// Too much work is told at the loop that multiplies the runs, by each executor, although what ran
/// last stands in the prelude.
#[test]
fn too_much_work_names_the_line_of_the_author() {
    let game = game(
        "pick p from own  let n = 40
             repeat while n > 0 {
               move p orthogonal: step  set n = n - 1
             }
             need no own",
    );
    let faults = [fault_of_listing(&game), counted_by_plan(&game).expect_err("too much work")];
    for (code, place) in faults {
        assert_eq!(code, "fault-work");
        assert!(place.starts_with("game.rules:8:") || place.starts_with("game.rules:9:"), "{place}");
    }
}
