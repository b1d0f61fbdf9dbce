//! Rules of which the plan once said something else than the reference executor: rules go in; both executors count and play
//! alike, or a construct is named that has no plan yet.

use lusoria::Game;
use lusoria::interp::Engine;
use lusoria::reference::{Limits, PerftOptions, Unit};

use crate::common::lot;

/// Players, a board and the other parts of a game.
fn game(board: &str, parts: &str) -> Game {
    let text = format!("game \"Small\" {{ players White north, Black south  board square {board}  {parts} }}");
    Game::from_source(&text).unwrap_or_else(|error| panic!("{parts}: {error}"))
}

fn small(parts: &str) -> Game {
    game("3 by 3", parts)
}

/// Turns from the start, by the reference executor and by a plan.
fn expect_alike(game: &Game, depth: u32) {
    let engine = Engine::new(game.model()).unwrap_or_else(|why| panic!("{why:?}"));
    let start = game.start(0).unwrap();
    let (mut executor, mut state) = (lusoria::reference::Executor::new(), start.state().clone());
    let options = PerftOptions { unit: Unit::Turn, ..PerftOptions::default() };
    let expected = executor.perft(game.model(), &mut state, depth, options).unwrap();
    let mut runner = engine.runner();
    assert!(runner.load(start.state()));
    assert_eq!(runner.perft(depth, false).unwrap(), expected);
}

#[test]
fn turns_are_counted_alike() {
    let man = "piece man  setup { place White man on a1  place Black man on c3 }";
    let turn = |turn: &str| format!("{man} move {{ {turn} }} end {{ draw if turns > 3  draw if stuck(enemy) }}");
    let ways = |ways: &str, men: &str, turn: &str| {
        let end = "end { draw if turns > 3  draw if stuck(enemy) }";
        format!(
            "piece man {{ {ways} }} piece wall neutral captures go to hand setup {{ {men} }} move {{ {turn} }} {end}"
        )
    };
    let (apart, moved) = ("place White man on a1  place Black man on c3", "pick p from own  move p");
    for (parts, depth) in [
        // Whether one way catches is not known before it is gone.
        (
            ways(
                "move straight: ^ <enemy*> to empty",
                apart,
                "first { pick p from own  capture p } else { pick p from own  move p straight: step }",
            ),
            2,
        ),
        // A path that turns comes to where a line goes.
        (ways("move diagonal: slide  move orthogonal: ^ empty, orthogonal: to empty", apart, moved), 2),
        // What is caught before a turning, and how far, the landing tells.
        (
            ways(
                "move east: ^ <enemy?>, south: to empty",
                "place White man on b2  place Black man on c2",
                "first { pick p from own  capture p } else { pass }",
            ),
            1,
        ),
        // A run that may be empty ends where another man begins.
        (turn("let s = catches(own or c1, straight: <any?> ^)  pick c from s or b1"), 1),
        // Cells without a man bear no mark.
        (
            format!(
                "remember hot = rank 2 on pieces {}",
                turn(
                    "set hot = rank 3  pick p from own  move p to empty  if p in hot { pick c from empty  place man on c }"
                )
            ),
            2,
        ),
        // A neutral man goes to the hand of who catches him.
        (
            ways(
                "move straight: ^ to (empty or <occupied>)",
                "place man on a1  place Black man on c3  place wall on b2",
                "pick p from own  move p  if hand(own) > 0 { pick c from empty  place man on c }",
            ),
            2,
        ),
        // Who is meant is asked no farther than it is reached.
        (
            turn(
                "pick k from 0..2  let who = if k = 0 then own else if 4 / k > 2 then own else enemy
                 pick c from empty  place who man on c
                 need count(if k = 0 then own else if 4 / k > 2 then own else enemy) < 9",
            ),
            2,
        ),
        // What is placed for one player is not placed for another.
        (
            format!(
                "piece man  move {{ {} }} end {{ draw if stuck(enemy) }}",
                "let who = if count(own) > 1 then own else enemy
                 either { first {} else { pass }  let next = who  either by next { place next man on empty } or {} } or {}"
            ),
            2,
        ),
    ] {
        expect_alike(&small(&parts), depth);
    }
    // The run of one man comes to where the empty one of another ends.
    let catches = "piece man  setup { place White man on b1 d1  place Black man on a1 c1 }
         move { let s = catches(own, straight: ^ <enemy?> empty)  pick n from 0..count(s) }
         end { draw if turns > 3 }";
    expect_alike(&game("5 by 1", catches), 1);
    // A man of nobody goes as those of the player of the turn, and stays nobody's if he is promoted.
    for (men, turn) in [
        (
            "place neutral man on b2",
            "first { pick p from neutral  pick r from reach(p) and empty  place man on r } else { pass }",
        ),
        ("place wall on b2", "first { pick b from wall  promote b to lord } else { pass }"),
        ("place wall on b2", "pick b from own or wall  promote b to lord  need count(wall) < 1 or b in own"),
    ] {
        let nobodys = format!(
            "piece man {{ move straight: ^ to any }} piece lord piece wall neutral
             setup {{ place White man on a1  place Black man on c3  {men} }}
             move {{ {turn} }}  end {{ draw if stuck(enemy)  draw if turns > 3 }}"
        );
        expect_alike(&small(&nobodys), 3);
    }
    // All men of nobody are turned at once; and who waits to leave is moved no more.
    let turned = "piece man piece wall neutral  setup { place White man on a1  place Black man on c3  place neutral man on b2 }
         move { first { flip neutral  pick q from own  move q straight: step } else { pass } }  end { draw if turns > 3 }";
    expect_alike(&small(turned), 3);
    let (step, both) = ("move z straight: step", "let y = z or a3  move y east: ^ to empty");
    for (board, moves) in
        [("3 by 3", vec!["move z to empty", step, both]), ("3 by 3, stacks", vec!["move z to empty", step])]
    {
        for moved in moves {
            let waiting = format!(
                "captures leave at end of move  piece man {{ move straight: ^ <enemy> to empty }}
                 setup {{ place White man on a1  place Black man on b2 }}
                 move {{ first {{ pick p from own  capture p  pick z from caught  {moved} }} else {{ pass }} }}
                 end {{ draw if turns > 3 }}"
            );
            expect_alike(&game(board, &waiting), 2);
        }
    }
    // Heights of men who are known to stand are asked while others wait to leave.
    for turn in [
        "pick p from own  move p  if height(p) > 1 { again }",
        "pick p from own  move p  pick n from 1..height(p)  remove n of p",
        "first { pick p from own  repeat { capture p }  most count(caught) } else
         { pick p from own where height(it) < 3  pick n from 1..height(p)  move n of p orthogonal: ^ to any }",
    ] {
        let stacks = format!(
            "captures leave at end of move  piece man {{ move orthogonal: leap  move orthogonal: step }}
             setup {{ place White man on a1 b1 b1  place Black man on a2 c3 }}
             move {{ first {{ {turn} }} else {{ pass }} }}  end {{ draw if turns > 3 or height(a1) > 2 }}"
        );
        expect_alike(&game("3 by 3, stacks", &stacks), 3);
    }
    // Directions and lengths that a block asks for are those of a board without it.
    for way in [
        "(straight where shift(b, it) in empty): ^ to empty",
        "(if count(own) = 2 then orthogonal else straight): ^ to empty",
        "(if count(b and own) = 2 then orthogonal else straight): ^ to empty",
        "straight: ^ empty{1..count(own)} to empty",
    ] {
        let block = format!(
            "piece man  setup {{ place White man on d1 e1  place Black man on a2 }}
             move {{ first {{ pick b from groups(own)  move b {way} }} else {{ pass }} }}  end {{ draw if turns > 3 }}"
        );
        expect_alike(&game("6 by 2", &block), 2);
    }
    // So are those of a way that would catch a man who is thought to stand on an empty cell: of a board with him.
    for way in [
        "(straight where some shift(here, it) in enemy): ^ to landing",
        "(if count(enemy) > 1 then straight else none): ^ to landing",
        "straight: ^ empty{0..count(enemy) - 2} to landing",
    ] {
        let attacks = format!(
            "piece man {{ move {way} }}  setup {{ place White man on a1  place Black man on d3 }}
             move {{ pick c from empty  need not attacked(c)  place man on c }}
             end {{ draw if attacked(rank 2 and empty) and turns > 1  draw if turns > 4 or stuck(enemy) }}"
        );
        expect_alike(&game("4 by 3", &attacks), 3);
    }
    // No cell has a neighbour in the direction of the move, and something stands behind it.
    let aslant = "remember nowhere = none  piece man
         move { first { pick p from own  move p northeast: ^ empty* to <enemy>  pick c from nowhere } else { pass } }
         end { draw if turns > 2 }";
    expect_alike(&game("3 by 2 by 2, lines orthogonal", aslant), 2);
}

#[test]
fn what_a_turn_has_caught_is_known_when_the_next_player_is_stuck() {
    let game = small(
        "piece man
         setup { place White man on rank 1  place Black man on rank 2 }
         move { first { pick p from own  move p orthogonal: ^ to <enemy> } else { pass } }
         end { lose if stuck(enemy) and some caught  win if stuck(enemy) }",
    );
    let engine = Engine::new(game.model()).unwrap();
    let mut runner = engine.runner();
    assert!(runner.load(game.start(0).unwrap().state()));
    for number in 0..20 {
        runner.restart();
        let outcome = runner.playout(&mut lot(number), 100).unwrap().outcome.unwrap();
        assert_eq!(outcome.by, 0, "{number}");
    }
}

#[test]
fn a_game_begins_with_no_last_move() {
    let game = small(
        "piece man { move orthogonal: ^ occupied to empty }
         setup { pick 2 c from empty  place man on c }
         move { pick p from own  move p }
         end { draw if united(last)  win if stuck(enemy) }",
    );
    let engine = Engine::new(game.model()).unwrap();
    let (mut runner, mut moved) = (engine.runner(), 0);
    for number in 0..40 {
        assert!(runner.load(game.start(number).unwrap().state()));
        let played = runner.playout(&mut lot(number), 100).unwrap();
        // Who cannot move at once loses: nothing was moved last.
        assert_eq!(played.outcome.unwrap().by, usize::from(played.turns == 0), "{number}");
        moved += played.turns;
    }
    assert!((5..35).contains(&moved), "{moved}");
}

/// To stop is a ply of the player, and the other's choice before it one of his.
#[test]
fn who_may_stop_behind_the_choice_of_another_has_a_ply_of_his_own() {
    let game = small(
        "piece man  remember k = 0
         move { set k = 0  repeat { need k = 0  pick c from empty  place man on c
                either by enemy \"mercy\" { set k = 1 } or \"rage\" { set k = 0 } } }
         end { draw if stuck(enemy)  draw if turns >= 8 }",
    );
    let engine = Engine::new(game.model()).unwrap();
    let (mut runner, mut plies, mut turns) = (engine.runner(), 0, 0);
    assert!(runner.load(game.start(0).unwrap().state()));
    for number in 0..400 {
        runner.restart();
        let played = runner.playout(&mut lot(number), 100).unwrap();
        plies += played.plies;
        turns += played.turns;
    }
    let (mut expected_plies, mut expected_turns) = (0, 0);
    let mut executor = lusoria::reference::Executor::new();
    for number in 0..400 {
        let mut state = game.start(0).unwrap().state().clone();
        let played = executor.playout(game.model(), &mut state, &mut lot(number), Limits::default()).unwrap();
        expected_plies += played.plies.len() as u64;
        expected_turns += u64::from(played.turns);
    }
    let alike = |a: u64, b: u64| a.abs_diff(b) * 20 < a;
    assert!(
        alike(plies, expected_plies) && alike(turns, expected_turns),
        "{plies} {expected_plies}, {turns} {expected_turns}"
    );
}

#[test]
fn steps_that_say_nothing_have_no_plan() {
    let game = small(
        "piece man
         move { let n = 0  repeat in steps { set n = n + 1  need n < 3 }  pick c from empty  place man on c }
         end { draw if no empty }",
    );
    assert_eq!(Engine::new(game.model()).err().map(|why| why.why), Some("steps that say nothing"));
}

#[test]
fn a_turn_in_which_nobody_chooses_is_a_ply() {
    let game = small(
        "piece man
         move { if own is White { pick c from empty by enemy  place man on c } else { place man on nth(empty, 1) } }
         end { draw if no empty }",
    );
    let engine = Engine::new(game.model()).unwrap();
    let mut runner = engine.runner();
    assert!(runner.load(game.start(0).unwrap().state()));
    let played = runner.playout(&mut lot(1), 100).unwrap();
    assert_eq!((played.turns, played.plies), (9, 9));
}

/// Rounds that are not written come back to where they began, and end all the same. Where they only move one man, all that
/// they lead to is one choice.
#[test]
fn unwritten_rounds_lead_to_each_cell_once() {
    let on = |board: &str, turn: &str| {
        let men = "place White man on a1 b1  place White lord on c2  place Black man on c3 b3  place wall on a3";
        let parts = format!(
            "piece man piece lord piece wall neutral  define home = rank 1 or c3  setup {{ {men} }}
             move {{ first {{ {turn} }} else {{ pass }} }}  end {{ draw if turns > 4 }}"
        );
        game(board, &parts)
    };
    for (turn, closes) in [
        ("pick p from own  repeat silently { move p straight: ^ occupied to empty }", true),
        ("pick p from own  let start = p  repeat silently { move p straight: step }  need p is not start", true),
        ("pick p from any  repeat silently { move p orthogonal: ^ wall? to empty }  need p in home", true),
        (
            "pick p from own  repeat silently { either { move p straight: ^ own to empty } or { move p north: step } }",
            true,
        ),
        ("pick p from own  either { move p straight: step } or { repeat silently { move p straight: leap } }", false),
        (
            "pick p from own  either { move p straight: step } or { repeat silently { move p straight: ^ any to empty } }",
            true,
        ),
        // What a cell holds when the turn begins stays, and so does who stands behind the man.
        ("pick p from own  let full = occupied  repeat silently { move p straight: ^ full to empty }", true),
        ("pick p from own  repeat silently { move p orthogonal: own ^ to empty }", true),
        // Two rounds of two loops, and rounds in which something else happens.
        (
            "pick p from own  either { repeat silently { move p straight: step } } or
             { repeat silently { move p diagonal: ^ own to empty } }",
            false,
        ),
        ("pick p from own  repeat silently { move p straight: ^ occupied to empty  need not attacked(p) }", false),
        ("pick p from own  repeat silently { move p straight: ^ <enemy?> to empty }", false),
        ("repeat silently { pick p from own  move p straight: ^ own to empty }", false),
        ("pick p from own  repeat silently { move p straight: ^ occupied to (empty and not adjacent(p)) }", false),
        (
            "pick p from own  let seen = p  repeat silently { move p straight: ^ occupied to (empty and not seen)
             set seen = seen or p }",
            false,
        ),
        // More may fail behind the rounds, and another block or another ply asks for them.
        (
            "first { pick p from own  repeat silently { move p straight: ^ occupied to empty }  need p in c3 } else
             { pick p from own  repeat silently { move p straight: ^ occupied to empty }  pick q from own and not p
               move q north: step }",
            true,
        ),
        (
            "pick p from own  repeat silently { move p straight: ^ occupied to empty }
             pick q from empty by enemy  place wall on q",
            true,
        ),
        (
            "pick p from own  repeat silently { move p straight: ^ occupied to empty  need count(own) > 0 }  most rank of p",
            false,
        ),
    ] {
        for board in ["3 by 3", "4 by 3"] {
            let game = on(board, turn);
            let ambiguity = Engine::new(game.model()).unwrap().plan().ambiguity;
            assert_eq!(ambiguity.is_none(), closes, "{turn}");
            expect_alike(&game, 2);
        }
    }
}
