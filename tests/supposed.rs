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

/// Plans ask the same of what a turn leads to, turn by turn, and come to the same faults.
#[test]
fn plans_suppose_turns_as_the_reference_executor_does() {
    let needs = [
        "not stuck(enemy)",
        "times(position) = 1",
        "cycle = 0",
        "p in a1 and not stuck(enemy) or p in c2",
        "not stuck(own) and times(position) < 3",
        "p in rank 2 or stuck(enemy) or cycle < 2",
        "times(position) + cycle < 4",
    ];
    for need in needs {
        let game = walkers(need);
        assert!(game.is_planned(), "{need}");
        let told = |game: &Game, depth| game.start(0).unwrap().perft(depth).map_err(|error| error.to_string());
        (1..=6).for_each(|depth| assert_eq!(told(&game, depth), told(&game.without_plan(), depth), "{need}"));
    }
    let engine = lusoria::interp::Engine::new(walkers(needs[0]).model()).unwrap_or_else(|why| panic!("{why:?}"));
    assert!(engine.page(lusoria::board::Player(0)).contains("Black would be stuck behind this turn of White"));
    let game = shogi();
    assert!(game.is_planned());
    for text in ["k8/2G6/9/G8/9/9/9/9/7K1 Black Black.hand=P1", "k2s5/3R5/1L7/1p7/3G5/9/9/9/7K1 Black Black.hand=P1"] {
        let told = |game: &Game| game.position(text).unwrap().perft(2).unwrap();
        assert_eq!(told(&game), told(&game.without_plan()), "{text}");
    }
}

/// What waits, ages or has another turn is as it is behind the turn.
#[test]
fn a_supposed_turn_leaves_ages_and_passes_as_a_real_one() {
    let turns = [
        // Who is caught leaves before the enemy is asked.
        "pick p from own   move p straight: ^ <any> to empty   if count(caught) = 1 { need not stuck(enemy) }",
        // The mark that bars the way is forgotten behind the turn.
        "pick p from own   move p straight: ^ to (empty and not mark)   set mark = any   if p in rank 3 { need not stuck(own) }",
        // Who has another turn has it in the hash too.
        "pick p from own   move p straight: step   if p in file b { again }   need times(position) < 2",
        "if deep < 2 { set deep = deep + 1   if stuck(enemy) { set mark = own }   set deep = deep - 1 }
         pick p from own   move p straight: ^ to (empty and not mark)",
        "first { pick p from own   move p straight: step   need not stuck(enemy) or count(own) > 1 } else { pass }",
    ];
    for turn in turns {
        let text = format!(
            "game \"Behind\" {{ players White north, Black south board square 3 by 4 captures leave at end of move
             piece man {{ move sideways: step }} remember mark = none for one turn remember deep = 0, not compared
             setup {{ place White man on a1 b1 place Black man on b4 c3 }} move {{ {turn} }}
             end {{ win if no enemy draw if stuck(enemy) draw if times(position) >= 4 }} }}"
        );
        let game = Game::from_source(&text).unwrap_or_else(|error| panic!("{turn}: {error}"));
        assert!(game.is_planned(), "{turn}");
        let told = |game: &Game, depth| game.start(0).unwrap().perft(depth).map_err(|error| error.to_string());
        (1..=4).for_each(|depth| assert_eq!(told(&game, depth), told(&game.without_plan(), depth), "{turn}"));
        let engine = lusoria::interp::Engine::new(game.model()).unwrap();
        crate::batch::compare_unless_fault(&game, &engine, 40, &[1, 64]);
    }
}
