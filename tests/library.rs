//! The library's front: positions played by a plan are those played by the reference executor, move by move.

use lusoria::{Error, FaultKind, Game, Position};
use rand::RngExt;

use crate::common::{games_of_tests, lot, most, sampled, shipped_games, thorough};

/// Turns of a walk, and moves of a position that are gone through.
const MOST_TURNS: u32 = 60;
const SAMPLED: usize = 6;
/// Positions with more moves end a walk: listing them takes the reference executor seconds.
const MANY: usize = 3000;

/// What a position tells, without the moves.
fn told(position: &Position) -> (String, String, Option<String>, bool, Option<String>, u32, usize) {
    (
        position.to_string(),
        position.to_move().to_string(),
        position.chooser().map(String::from),
        position.is_over(),
        position.outcome_text(),
        position.state().turns(),
        position.state().history().len(),
    )
}

/// What both executors give; `None`: a fault, the same by both unless it is not looked at.
fn both<T: std::fmt::Debug>(
    given: (Result<T, Error>, Result<T, Error>),
    looks_at_faults: bool,
    context: &str,
) -> Option<(T, T)> {
    match given {
        (Ok(found), Ok(expected)) => Some((found, expected)),
        (Err(found), Err(expected)) => {
            // A bound may be told at another line.
            let is_bound = |error: &Error| matches!(error, Error::Fault { fault, .. } if matches!(fault.kind, FaultKind::Plies | FaultKind::Work));
            let is_same = found.to_string() == expected.to_string();
            assert!(
                !looks_at_faults || is_same || is_bound(&found) && is_bound(&expected),
                "{context}: {found}, {expected}"
            );
            None
        }
        // A bound of work may be that of one alone.
        (Err(_), _) | (_, Err(_)) if !looks_at_faults => None,
        (found, expected) => panic!("{context}: {found:?}, {expected:?}"),
    }
}

/// Walks through a game by both executors, and holds them equal. Whether a fault ended the walk; it is
/// the same one, unless it is not looked at.
pub fn walk(game: &Game, number: u64, looks_at_faults: bool) -> bool {
    let reference = game.without_plan();
    let (Ok(mut one), Ok(mut other)) = (game.start(number), reference.start(number)) else { return true };
    let mut lot = lot(number);
    let (start, mut played, mut most_turns) = (told(&one), 0, 0);
    while one.state().turns() < MOST_TURNS {
        let context = format!("{}: walk {number}: {other}", game.name());
        assert_eq!(told(&one), told(&other), "{context}");
        assert_eq!(one.state().history(), other.state().history(), "{context}");
        // Within a turn the reference executor looks for where the men stand now, and may give up.
        let drawn = both((one.drawing(false), other.drawing(false)), looks_at_faults, &context);
        let Some((found, expected)) = drawn else { return true };
        assert_eq!(found, expected, "{context}");
        let listed = both((one.legal_moves(), other.legal_moves()), looks_at_faults, &context);
        let Some((found, expected)) = listed else { return true };
        let text = |moves: &[lusoria::Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(text(&found), text(&expected), "{context}");
        if found.is_empty() || found.len() > MANY {
            break;
        }
        if game.model().asks.plies && lot.random_range(0..4) == 0 && most_turns < MANY {
            let turns = both((one.legal_turns(), other.legal_turns()), looks_at_faults, &context);
            let Some((found, expected)) = turns else { return true };
            assert_eq!(text(&found), text(&expected), "{context}: whole turns");
            most_turns = most_turns.max(found.len());
            if !found.is_empty() {
                let at = lot.random_range(0..found.len());
                let played_on = both((one.play(&found[at]), other.play(&expected[at])), looks_at_faults, &context);
                let Some(((), ())) = played_on else { return true };
                assert_eq!(told(&one), told(&other), "{context}: {}", found[at]);
                assert!(one.undo() && other.undo());
            }
        }
        if one.is_within_turn() && lot.random_range(0..6) == 0 {
            set_up_within_turn((game, &reference), &one.to_string(), &mut lot);
        }
        for _ in 0..SAMPLED.min(found.len()) {
            let at = lot.random_range(0..found.len());
            let (found, expected) = (&found[at], &expected[at]);
            let data = |one: &lusoria::Move| {
                format!(
                    "{:?}",
                    (
                        one.id(),
                        one.from(),
                        one.to(),
                        one.ends_turn(),
                        one.player(),
                        one.probability(),
                        one.written().to_vec()
                    )
                )
            };
            assert_eq!(data(found), data(expected), "{context}: {found}");
            // The outcomes behind a move may meet a fault by one executor and none by the other.
            if let Some((found, expected)) = both((found.changes(), expected.changes()), looks_at_faults, &context) {
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{context}");
            }
            if let Some((found, expected)) = both((found.captures(), expected.captures()), looks_at_faults, &context) {
                assert_eq!(found, expected, "{context}");
            }
        }
        let at = lot.random_range(0..found.len());
        let played_on = both((one.play(&found[at]), other.play(&expected[at])), looks_at_faults, &context);
        let Some(((), ())) = played_on else { return true };
        played += 1;
    }
    for _ in 0..played {
        assert!(one.undo() && other.undo());
        assert_eq!((one.to_string(), one.is_over()), (other.to_string(), other.is_over()), "{}", game.name());
    }
    assert!(!one.undo() && !other.undo());
    assert_eq!(told(&one), start);
    false
}

/// A position that is set up within a turn goes on alike by both executors, and nothing is taken back from there. Bounds
/// of listings may be told at other lines.
fn set_up_within_turn(games: (&Game, &Game), text: &str, lot: &mut impl RngExt) {
    let read = both((games.0.position(text), games.1.position(text)), false, text);
    let Some((mut one, mut other)) = read else { return };
    assert!(!one.undo() && !other.undo());
    for _ in 0..3 {
        assert_eq!(told(&one), told(&other), "{text}");
        let listed = both((one.legal_moves(), other.legal_moves()), false, text);
        let Some((found, expected)) = listed else { return };
        let text_of = |moves: &[lusoria::Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(text_of(&found), text_of(&expected), "{text}");
        if found.is_empty() {
            return;
        }
        let at = lot.random_range(0..found.len());
        let played = both((one.play(&found[at]), other.play(&expected[at])), false, text);
        let Some(((), ())) = played else { return };
    }
}

/// The game as its plan plays it.
fn planned(game: Game) -> Option<Game> {
    let game = game.with_plan();
    game.is_planned().then_some(game)
}

#[test]
fn a_plan_plays_what_the_reference_executor_plays() {
    let games: Vec<Game> = shipped_games().into_iter().chain(games_of_tests()).filter_map(planned).collect();
    assert!(games.len() > 60, "{}", games.len());
    let (mut games, others): (Vec<_>, Vec<_>) = games.into_iter().partition(|game| game.model().asks.plies);
    // Those that fall into plies take the reference executor most of the time: of each file one variant at least.
    let mut files = std::collections::HashSet::new();
    games.retain(|game| thorough() || files.insert(game.title().to_string()));
    games.extend(most(others));
    let in_plies = games.iter().filter(|game| game.model().asks.plies).count();
    assert!(in_plies >= 7, "{in_plies} fall into plies");
    let mut faults = 0;
    for game in &games {
        faults += usize::from((0..sampled(2)).any(|number| walk(game, number, true)));
    }
    assert!(faults < games.len() / 4, "{faults}");
}

#[test]
fn keys_tell_positions_apart_whatever_plays_them() {
    for name in ["breakthrough", "chess", "othello", "nine_mens_morris", "charybdis_square"] {
        let game = crate::common::game(name);
        for game in [game.with_plan(), game] {
            let mut texts = std::collections::HashMap::new();
            let mut lot = lot(4);
            for _ in 0..20 {
                let mut position = game.start(0).unwrap();
                for _ in 0..30 {
                    let text = position.to_string();
                    if let Some(key) = texts.insert(text.clone(), position.key()) {
                        assert_eq!(key, position.key(), "{text}");
                    }
                    if !position.play_random(&mut lot).unwrap() {
                        break;
                    }
                }
            }
            let keys: std::collections::HashSet<_> = texts.values().collect();
            assert_eq!(keys.len(), texts.len(), "{name}");
        }
    }
}

#[test]
fn moves_positions_and_outcomes_are_data() {
    let game = crate::common::game("breakthrough").with_plan();
    let position = game.position("W7/1B6/8/8/8/8/8/8 Black").unwrap();
    assert!(position.is_over());
    let told = serde_json::json!({ "position": position, "outcome": position.outcome() });
    insta::assert_json_snapshot!(told);
    let moves = game.position("8/8/8/8/3B4/2W5/8/8 White").unwrap().legal_moves().unwrap();
    insta::assert_json_snapshot!(moves);
}

#[test]
fn perft_through_moves_is_perft() {
    fn count(position: &mut Position, depth: u32) -> u64 {
        let moves = position.legal_moves().unwrap();
        if depth == 1 {
            return moves.len() as u64;
        }
        let mut sum = 0;
        for one in &moves {
            position.play(one).unwrap();
            sum += count(position, depth - 1);
            position.undo();
        }
        sum
    }
    for (name, depth, expected) in [("chess", 3, 8902), ("othello", 5, 1396), ("breakthrough", 3, 11_132)] {
        let mut position = crate::common::game(name).with_plan().start(0).unwrap();
        assert_eq!(count(&mut position, depth), expected, "{name}");
        assert_eq!(position.perft(depth).unwrap(), expected, "{name}");
    }
}
