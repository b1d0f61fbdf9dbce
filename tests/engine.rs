//! The planned executor plays as the plain one does.

use lusoria::engine::Engine;
use lusoria::{Game, Position};
use rand::RngExt;

use crate::common::{lot, shipped_games};

/// What a turn leads to: the position, and how the game came out.
fn plain_turns(game: &Game, position: &Position) -> Vec<String> {
    // Read again, so that history begins here for both executors.
    let mut position = game.position(&position.to_string()).unwrap();
    let mut after = Vec::new();
    for turn in position.legal_turns().unwrap() {
        position.play(&turn).unwrap();
        let outcome = position.state().outcome();
        after.push(format!("{position} {outcome:?}"));
        position.undo();
    }
    after.sort();
    after
}

fn planned_turns(game: &Game, engine: &Engine, position: &Position) -> Vec<String> {
    let mut runner = engine.runner();
    let position = game.position(&position.to_string()).unwrap();
    assert!(runner.load(position.state()), "{position}");
    let mut after: Vec<String> = runner
        .after_each_turn()
        .unwrap()
        .iter()
        .map(|(position, outcome)| format!("{} {outcome:?}", lusoria::notation::position_text(game.model(), position)))
        .collect();
    after.sort();
    after
}

#[test]
fn every_turn_leads_where_the_plain_executor_says() {
    for game in shipped_games() {
        let engine = match Engine::new(game.model()) {
            Ok(engine) => engine,
            Err(why) => {
                eprintln!("UNPLANNED {}: {} {:?}", game.name(), why.why, why.span.map(|span| game.model().sources.place(span)));
                continue;
            }
        };
        eprintln!("planned {}", game.name());
        for number in 0..2 {
            let mut lot = lot(number);
            let mut position = game.start(number).unwrap();
            for ply in 0..60 {
                let moves = position.legal_moves().unwrap();
                if moves.is_empty() {
                    break;
                }
                if moves.len() < 300 || ply % 10 == 0 {
                    let (plain, planned) = (plain_turns(&game, &position), planned_turns(&game, &engine, &position));
                    if plain != planned {
                        let missing: Vec<_> = plain.iter().filter(|text| !planned.contains(text)).take(5).collect();
                        let extra: Vec<_> = planned.iter().filter(|text| !plain.contains(text)).take(5).collect();
                        eprintln!(
                            "DIFFERS {}: {position}: {} and {}\n  missing {missing:#?}\n  extra {extra:#?}",
                            game.name(),
                            plain.len(),
                            planned.len()
                        );
                        break;
                    }
                }
                position.play(&moves[lot.random_range(0..moves.len())]).unwrap();
            }
        }
    }
}
