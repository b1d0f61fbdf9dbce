//! What a turn leads to is asked within it, as if it ended there.

use lusoria::{Error, Game};

use crate::common::project;

fn shogi() -> Game {
    Game::from_source(&std::fs::read_to_string(project("examples/shogi.rules")).unwrap()).unwrap()
}

/// Two players of one king's step each, on three cells in a row, with what a turn needs.
fn walkers(need: &str) -> Game {
    let text = format!(
        "game \"Walk\" {{ players White north, Black south board square 3 by 2 piece man {{ move sideways: step }}
         setup {{ place White man on a1 place Black man on c2 }}
         move {{ pick p from own move p need {need} }}
         end {{ draw if stuck(enemy) draw if times(position) >= 9 }} }}"
    );
    Game::from_source(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// Counted by pyffish: its legal moves, less the drops of a pawn behind which the other player is in
/// check and has no legal move.
#[test]
fn no_pawn_is_dropped_with_mate() {
    let game = shogi();
    for (text, legal, banned) in [
        ("kr1B5/9/1H7/9/9/9/9/9/7K1 Black Black.hand=G1P1 White.hand=P1", 174, Some("a8 P")),
        ("kl7/2R6/9/1n7/1B1S5/9/9/9/7K1 Black Black.hand=G1P1 White.hand=P1", 195, Some("a8 P")),
        ("k8/2H6/9/2B6/9/9/9/9/7K1 Black Black.hand=P1 White.hand=P1", 103, Some("a8 P")),
        ("k2s5/3R5/1L7/1p7/3G5/9/9/9/7K1 Black Black.hand=P1", 102, Some("a8 P")),
        // A drop that leaves no move without check is allowed.
        ("k8/2G6/9/G8/9/9/9/9/7K1 Black Black.hand=P1", 84, None),
    ] {
        let position = game.position(text).unwrap();
        assert_eq!(position.legal_moves().unwrap().len(), legal, "{text}");
        if let Some(banned) = banned {
            assert!(position.find_move(banned).is_err(), "{text}");
        }
    }
}

#[test]
fn who_checks_perpetually_loses_at_the_fourth_standing() {
    let game = shogi();
    // A rook checks along ranks 8 and 9, the king has two cells.
    let mut position = game.position("8k/9/9/9/9/9/9/9/RK7 Black").unwrap();
    position.play_text("a1-a9").unwrap();
    for _ in 0..3 {
        for text in ["i9-i8", "a9-a8", "i8-i9", "a8-a9"] {
            assert!(position.outcome().is_none(), "{position}");
            position.play_text(text).unwrap();
        }
    }
    let outcome = position.outcome().expect("the position stands for the fourth time");
    assert_eq!(outcome.winners, ["White"], "{outcome:?}");
}

#[test]
fn what_a_turn_leads_to_is_asked_as_if_it_ended_there() {
    // No position comes back, whoever is to move: the walkers run out of moves.
    let mut position = walkers("times(position) = 1").start(0).unwrap();
    for text in ["a1-b1", "c2-b2", "b1-c1", "b2-a2"] {
        position.play_text(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(!position.is_over(), "{position}");
    }
    // Black's only way leads to b2, where he stood while White was on b1.
    position.play_text("c1-b1").unwrap();
    assert_eq!(position.outcome().map(|outcome| outcome.by), Some(0), "{position}");
    // `cycle` is 0 where the position has not stood before.
    assert_eq!(
        walkers("cycle = 0").start(0).unwrap().perft(4).unwrap(),
        walkers("times(position) = 1").start(0).unwrap().perft(4).unwrap()
    );
}

#[test]
fn turns_are_supposed_to_a_bounded_depth() {
    let position = walkers("not stuck(enemy)").start(0).unwrap();
    match position.legal_moves() {
        Err(Error::Fault { fault, .. }) => assert_eq!(fault.code(), "fault-supposed"),
        other => panic!("{other:?}"),
    }
    // Who cannot answer at all is asked no further.
    let game = walkers("p in a1 and not stuck(enemy) or p in c2");
    assert!(game.start(0).unwrap().legal_moves().is_ok());
}

#[test]
fn there_is_no_plan_for_what_a_turn_leads_to() {
    for (need, why) in [
        ("not stuck(enemy)", "`stuck` within"),
        ("times(position) = 1", "`times(position)` within"),
        ("cycle = 0", "`cycle` within"),
    ] {
        let game = walkers(need);
        let why_not = lusoria::interp::Engine::new(game.model()).err().expect("no plan");
        assert!(why_not.why.starts_with(why), "{}", why_not.why);
    }
}
