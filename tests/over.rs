//! Positions that are read and are over are told as over; those that go on are not. Counting past
//! draws.

use lusoria::reference::{Executor, PerftOptions};
use lusoria::{Game, Outcome};
use rand::RngExt;

use crate::common::{game, games_of_tests, lot, most, sampled, shipped_games};

/// Turns of a random game that are looked at.
const TURNS: u64 = 400;

fn read(game: &Game, text: &str) -> Option<Outcome> {
    game.position(text).unwrap_or_else(|error| panic!("{text}: {error}")).outcome()
}

/// In random games of every shipped game: what goes on is read as going on, what is over as over by
/// the same outcome. What an outcome asks of the history, or of the last turn, a text does not tell.
#[test]
fn positions_of_random_games_are_read_as_they_were() {
    for game in most(shipped_games()).into_iter().chain(games_of_tests()) {
        let mut lot = lot(3);
        for _ in 0..sampled(2) {
            let Ok(mut position) = game.start(lot.random()) else { continue };
            for _ in 0..sampled(TURNS) {
                if position.state().begun().is_empty() && position.state().opening().is_none() {
                    let (text, now) = (position.to_string(), position.outcome());
                    match (&now, read(&game, &text)) {
                        (None, None) => {}
                        (None, Some(outcome)) => panic!("{}: {text} is read as over by {outcome:?}", game.name()),
                        (Some(outcome), found) => {
                            let asked = &game.model().end[outcome.by];
                            let told = asked.asks_history || asked.asks_turn || found.as_ref() == Some(outcome);
                            assert!(told, "{}: {text} is over by {outcome:?}, and read as {found:?}", game.name());
                        }
                    }
                }
                let Ok(moves) = position.legal_moves() else { break };
                if moves.is_empty() || position.play(&moves[lot.random_range(0..moves.len())]).is_err() {
                    break;
                }
            }
        }
    }
}

#[test]
fn positions_that_are_over_are_told_as_over() {
    for (name, text, winners) in [
        ("breakthrough", "8/8/8/3WW3/8/8/8/8 Black", "White"),
        ("breakthrough", "W7/8/8/8/4B3/8/8/8 Black", "White"),
        ("breakthrough", "8/8/8/4W3/8/8/8/4B3 White", "Black"),
        // It would be the wrong player's move.
        ("breakthrough", "W7/8/8/8/4B3/8/8/W7 White", "goes on"),
        ("pente", "19/19/19/19/19/19/19/19/19/4BBBBB10/19/3WWWW12/19/19/19/19/19/19/19 White", "Black"),
        ("pente", "19/19/19/19/19/19/19/19/19/4BBBB11/19/3WWWWW11/19/19/19/19/19/19/19 White", "goes on"),
        ("nine_mens_morris", "WWW/3/3/6/3/2B/B2 Black", "White"),
        ("chess", "5K2/8/8/1B6/8/k7/6b1/8 w", ""),
        ("chess", "7k/5KQ1/8/8/8/8/8/8 b", "White"),
        ("chess", "7k/5K2/6Q1/8/8/8/8/8 b", ""),
        ("chess", "7k/5K2/8/6Q1/8/8/8/8 b quiet=100", ""),
        ("chess", "7k/5K2/8/6Q1/8/8/8/8 b quiet=99", "goes on"),
        ("othello", "BBBBBBBB/WWWWWWWW/BWBBWBWW/BWWBBWWW/BWBWBWWW/BWBBWBWW/BWBWBWWW/BBBBBBWB Black", ""),
    ] {
        let position = game(name).position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let told = position.outcome().map_or("goes on".to_string(), |outcome| outcome.winners.join(" "));
        assert_eq!(told, winners, "{name}: {text}");
        assert_eq!(position.legal_moves().unwrap().is_empty(), winners != "goes on", "{name}: {text}");
    }
}

/// Past a draw of a player without a move nothing goes on, and nothing is a fault.
#[test]
fn counting_goes_on_past_draws_but_not_past_stalemates() {
    let count = |name: &str, text: &str, depth: u32, past_draws: bool| {
        let game = game(name);
        let options = PerftOptions { past_draws, ..PerftOptions::default() };
        let mut executor = Executor::new();
        let mut state = game.position(text).unwrap_or_else(|error| panic!("{text}: {error}")).state().clone();
        executor.judge_for_perft(game.model(), &mut state, options);
        let counted = executor.perft(game.model(), &mut state, depth, options).expect("no fault");
        let mut runner = lusoria::interp::Engine::new(game.model()).expect("it has a plan").runner();
        assert!(runner.load(&state));
        assert_eq!(runner.perft(depth, past_draws).expect("no fault"), counted, "{name}: {text}");
        counted
    };
    let castles = "2r5/8/8/8/8/8/6PP/k2KR3 w unmoved=d1+e1";
    assert_eq!(count("chess", castles, 4, true), 57_700);
    assert_eq!(count("chess", castles, 4, false), 57_700);
    // Dead material is a draw; counted is on past it.
    let bare = "5K2/8/8/1B6/8/k7/6b1/8 w";
    assert_eq!(count("chess", bare, 1, false), 0);
    assert!(count("chess", bare, 3, true) > 0);
    let stalemate = "7k/5K2/6Q1/8/8/8/8/8 b";
    assert_eq!(count("chess", stalemate, 2, true), 0);
    assert_eq!(count("chess", stalemate, 2, false), 0);
    // Draws by what is not compared are not asked in counting.
    assert!(count("chess", "7k/5K2/8/6Q1/8/8/8/8 b quiet=100", 1, false) > 0);
}

/// Of an outcome that asks the history in a part of an `or`, counting asks the other parts, as if they were outcomes of their own.
#[test]
fn counting_asks_what_does_not_ask_the_history() {
    let count = |end: &str, depth: u32| {
        let text = format!(
            "game \"Parts\" {{ players White, Black board square 4 by 1 piece man\n\
             setup {{ place man on a1 place Black man on d1 }}\n\
             move {{ pick c from empty if own is Black {{ need c = b1 }} place man on c }} end {{ {end} }} }}"
        );
        let game = lusoria::Game::from_source(&text).unwrap_or_else(|error| panic!("{end}: {error}"));
        let mut state = game.start(0).unwrap().state().clone();
        let counted = Executor::new().perft(game.model(), &mut state, depth, PerftOptions::default());
        let mut runner = lusoria::interp::Engine::new(game.model()).expect("it has a plan").runner();
        assert!(runner.load(&state));
        assert_eq!(runner.perft(depth, false).map_err(|fault| fault.kind), counted.map_err(|fault| fault.kind));
        counted.map_err(|_| "a fault")
    };
    // Black can only go to b1: of White's two moves one takes it.
    for end in [
        "win if stuck(enemy)   win if times(position) >= 3",
        "win if stuck(enemy) or times(position) >= 3",
        "win if times(position) >= 3 or stuck(enemy) or count(own) > 9 and times(pieces) > 2",
    ] {
        assert_eq!([1, 2, 3].map(|depth| count(end, depth)), [Ok(2), Ok(1), Ok(0)], "{end}");
    }
    for end in ["win if stuck(enemy) and times(position) >= 1", "win if times(pieces) > 7 or times(position) >= 1"] {
        assert_eq!([count(end, 1), count(end, 2)], [Ok(2), Err("a fault")], "{end}");
    }
}
