//! Continuations: games that chance plays in go in; the scalar executor plays them, and the reference executor lists the
//! same choices at each step, makes them, and comes to the same.

use std::collections::BTreeMap;

use lusoria::interp::{Engine, TracedPart};
use lusoria::position::{Position, Written};
use lusoria::reference::{Executor, Ply};
use lusoria::{Error, Game};

use crate::batch;
use crate::chance::{games, small_game};
use crate::common::{lot, sampled};

/// What is written, whoever chose it.
fn told(written: &[Written]) -> Vec<String> {
    let plain = |one: &Written| match one {
        Written::Chance(chosen) => format!("{chosen:?}"),
        other => format!("{other:?}"),
    };
    written.iter().map(plain).collect()
}

fn counted(all: impl Iterator<Item = Vec<String>>) -> BTreeMap<Vec<String>, usize> {
    let mut counts = BTreeMap::new();
    all.for_each(|one| *counts.entry(one).or_default() += 1);
    counts
}

/// The parts of a turn against the plies that the reference executor lists; the position is behind the turn then.
fn follow(game: &Game, executor: &mut Executor, position: &mut Position, parts: &[TracedPart]) {
    let mut parts = parts.iter().peekable();
    loop {
        let plies: Vec<Ply> = executor.plies(game.model(), position).unwrap();
        assert!(!plies.is_empty());
        let by_chance = plies[0].probability.is_some();
        let mut chosen: Vec<String> = Vec::new();
        for part in parts.by_ref() {
            let played = &part.written[part.played.expect("one of the runs was drawn")];
            if played.is_empty() {
                assert_eq!(part.written.len(), 1, "nothing is chosen");
                continue;
            }
            let here = counted(part.written.iter().map(|written| told(written)));
            // Chance makes several choices in one ply: those that follow what it has chosen already.
            let at = chosen.len();
            let listed = plies.iter().map(|ply| told(&ply.written)).filter(|told| told.starts_with(&chosen));
            let listed = listed.map(|told| if by_chance { told[at..].iter().take(1).cloned().collect() } else { told });
            let listed = counted(listed);
            if by_chance {
                let here: Vec<_> = here.into_keys().collect();
                assert_eq!(here, listed.into_keys().collect::<Vec<_>>(), "chance behind {chosen:?}");
            } else {
                assert_eq!(here, listed, "a player");
            }
            chosen.extend(told(played));
            if plies.iter().any(|ply| told(&ply.written) == chosen) {
                break;
            }
        }
        let index = plies.iter().position(|ply| told(&ply.written) == chosen);
        let ply = &plies[index.unwrap_or_else(|| panic!("{chosen:?} is no ply"))];
        executor.play(game.model(), position, ply).unwrap();
        if ply.ends_turn {
            assert!(parts.all(|part| part.written.iter().all(Vec::is_empty)), "the turn is over");
            return;
        }
    }
}

/// Both executors go through some games alike; how many turns.
pub fn agree(game: &Game, engine: &Engine, games: u64, turns: u32) -> u32 {
    let (mut runner, mut executor, mut all) = (engine.runner(), Executor::new(), 0);
    for number in 0..games {
        let mut rng = lot(number);
        let mut position = game.start(number).unwrap().state().clone();
        assert!(runner.load(&position));
        for _ in 0..turns {
            if runner.outcome().is_some() {
                break;
            }
            let parts = match runner.traced_parts(&mut rng) {
                Ok(Some(parts)) => parts,
                Ok(None) => break,
                // The reference executor may meet it behind another choice.
                Err(_) => return all,
            };
            follow(game, &mut executor, &mut position, &parts);
            all += 1;
            assert_eq!(position.fingerprint(), runner.position().fingerprint());
            assert_eq!(executor.outcome(game.model(), &mut position), Ok(runner.outcome()));
            position.forget();
        }
    }
    all
}

#[test]
fn executors_agree_on_games_that_chance_plays_in() {
    let (mut planned, mut turns) = (0, 0);
    for game in games() {
        let Ok(engine) = Engine::new(game.model()) else { continue };
        assert!(engine.has_continuations());
        planned += 1;
        turns += agree(&game, &engine, 8, 30);
    }
    assert!(planned >= 4 && turns > 500, "{planned} have a plan, {turns} turns");
}

#[test]
fn lock_step_agrees_on_games_that_chance_plays_in() {
    let planned: Vec<Game> = games().into_iter().filter(|game| Engine::new(game.model()).is_ok()).collect();
    let compared: usize = planned.iter().map(|game| batch::compare(game, sampled(40), &[1, 64])).sum();
    let expected = if batch::has_vectors() { 2 * planned.len() } else { 0 };
    assert!(planned.len() >= 4);
    assert_eq!(compared, expected);
}

/// 600 draws for each of ten pairs of blocks; 30.6 is passed once in ten thousand times with nine degrees of freedom.
#[test]
fn blocks_are_drawn_by_weight() {
    let game = small_game(
        "either by chance 1 { } or 4 { } or 6 { } or 4 { } or 1 { }  either by chance { } or (2 + count(own)) { } \
         pick p from own  move p straight: step",
    );
    let engine = Engine::new(game.model()).unwrap();
    let (mut runner, mut rng, mut found, rounds) = (engine.runner(), lot(8), BTreeMap::new(), 6_000_u32);
    assert!(runner.load(game.start(0).unwrap().state()));
    for _ in 0..rounds {
        let parts = runner.traced_parts(&mut rng).unwrap().unwrap();
        let drawn = |part: &TracedPart| told(&part.written[part.played.unwrap()]);
        let blocks: Vec<String> = parts.iter().filter(|part| part.ply.is_none()).flat_map(drawn).collect();
        *found.entry(blocks).or_insert(0_u32) += 1;
        runner.restart();
    }
    assert_eq!(found.len(), 10, "{found:?}");
    let squares = found.iter().map(|(blocks, times)| {
        let number = |at: usize| blocks[at].trim_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().unwrap() - 1;
        let weight = [1.0, 4.0, 6.0, 4.0, 1.0][number(0)] / 16.0 * [0.25, 0.75][number(1)];
        let wanted = f64::from(rounds) * weight;
        (f64::from(*times) - wanted).powi(2) / wanted
    });
    let sum: f64 = squares.sum();
    assert!(sum < 30.6, "{sum}: {found:?}");
}

#[test]
fn an_option_without_a_way_is_the_same_fault() {
    let game = small_game("pick p from own  move p orthogonal: step  pick k from 1..2 by chance  need k > 2");
    let engine = Engine::new(game.model()).unwrap();
    let mut runner = engine.runner();
    assert!(runner.load(game.start(0).unwrap().state()));
    let fault = runner.playout(&mut lot(1), 10).unwrap_err();
    let mut position = game.start(0).unwrap();
    let first = position.legal_moves().unwrap().remove(0);
    position.play(&first).unwrap();
    let Err(Error::Fault { fault: listed, .. }) = position.legal_moves() else { panic!("a fault") };
    assert_eq!(fault.kind, listed.kind);
    let start = game.start(0).unwrap().state().fingerprint();
    assert_eq!(runner.position().fingerprint(), start, "the turn that came to it");
    for lanes in [1, 64] {
        let Some((met, shown)) = batch::fault_in_lock_step(&game, &engine, lanes) else {
            assert!(!batch::has_vectors(), "no fault");
            continue;
        };
        assert_eq!((met.kind, shown.fingerprint()), (fault.kind, start), "{lanes} lanes");
    }
}
