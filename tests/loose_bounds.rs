//! Bounds by which turns are drawn in vain are dropped; bounds that help stay.

use lusoria::Game;
use lusoria::interp::Engine;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::common::shipped_games;

fn loose() -> Game {
    Game::from_source(include_str!("games/pass/loose-bounds.rules")).expect("it is right")
}

#[test]
fn loose_bounds_are_dropped() {
    let game = loose();
    let (bounded, engine) = (Engine::new(game.model()).expect("a plan"), game.engine().expect("a plan"));
    assert!(bounded.draws_by_rank() && !engine.draws_by_rank());
}

#[test]
fn bounds_of_shipped_games_stay() {
    let mut compared = 0;
    for game in shipped_games() {
        let (Ok(bounded), Ok(engine)) = (Engine::new(game.model()), game.engine()) else { continue };
        assert!(bounded.plan() == engine.plan(), "{}", game.name());
        compared += 1;
    }
    assert!(compared > 30);
}

/// As often as each other, by a chi-square test with and without the bounds.
#[test]
fn turns_are_drawn_uniformly_without_bounds() {
    let game = loose();
    let start = game.start(0).expect("a position");
    let moves = start.legal_moves().expect("no fault").len();
    for engine in [Engine::new(game.model()).expect("a plan"), game.engine().expect("a plan")] {
        let (mut session, mut rng) = (engine.runner(), Xoshiro256PlusPlus::seed_from_u64(5));
        assert!(session.load(start.state()));
        let mut drawn = std::collections::HashMap::new();
        let games = 200 * moves;
        for _ in 0..games {
            session.restart();
            session.step(&mut rng).expect("no fault");
            *drawn.entry(session.position().fingerprint()).or_insert(0u64) += 1;
        }
        assert_eq!(drawn.len(), moves);
        let expected = games as f64 / moves as f64;
        let chi_square: f64 = drawn.values().map(|times| (*times as f64 - expected).powi(2) / expected).sum();
        // Mean and deviation of the distribution: n - 1 and the root of 2 (n - 1).
        let free = moves as f64 - 1.0;
        assert!(chi_square < free + 5.0 * (2.0 * free).sqrt(), "{chi_square} with {free} degrees of freedom");
    }
}
