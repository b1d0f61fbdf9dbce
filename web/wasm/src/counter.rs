//! Counter: random games are asked for in slices; how all of them went comes out.

use std::collections::BTreeMap;

use lusoria::{CoverageRun, Outcome, Position};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::{Value, json};

use crate::table::told;

/// What random games came to.
#[derive(Debug, Default)]
pub struct Counter {
    games: u64,
    /// By outcome; none: the bound of turns was met.
    results: BTreeMap<Option<(usize, Vec<String>)>, u64>,
    /// By turns.
    lengths: BTreeMap<u64, u64>,
}

/// The generator of a game: the same seed and number give the same game.
fn generator(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl Counter {
    pub fn simulate(&mut self, start: &Position, games: u32, max_turns: u32, seed: u64) -> Result<Value, String> {
        let game = start.game();
        let is_drawn = !game.model().has_one_setup();
        for _ in 0..games {
            let mut rng = generator(seed, self.games);
            let drawn = is_drawn.then(|| game.start(seed ^ self.games)).transpose().map_err(|error| told(&error))?;
            let start = drawn.as_ref().unwrap_or(start);
            let playout = start.playout(&mut rng, max_turns).map_err(|error| told(&error))?;
            let result = playout.outcome.map(|Outcome { winners, by }| (by, winners));
            *self.results.entry(result).or_default() += 1;
            *self.lengths.entry(playout.turns).or_default() += 1;
            self.games += 1;
        }
        Ok(self.told(start))
    }

    fn told(&self, start: &Position) -> Value {
        let model = start.game().model();
        let line = |by: usize| {
            let text = model.end.get(by).map(|outcome| model.sources.slice(outcome.span)).unwrap_or_default();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let result = |(result, count): (&Option<(usize, Vec<String>)>, &u64)| match result {
            Some((by, winners)) => json!({ "winners": winners, "line": line(*by), "count": count }),
            None => json!({ "winners": null, "line": "no end within the bound of turns", "count": count }),
        };
        json!({
            "games": self.games,
            "results": self.results.iter().map(result).collect::<Vec<_>>(),
            "lengths": self.lengths.iter().map(|(turns, count)| [turns, count]).collect::<Vec<_>>(),
        })
    }

    /// One random game, move by move: how many moves there were each time.
    pub fn branching(start: &Position, seed: u64, max_turns: u32) -> Result<Value, String> {
        let mut rng = generator(seed, 0);
        let mut position = start.clone();
        let mut counts = Vec::new();
        for _ in 0..max_turns {
            if position.is_over() {
                break;
            }
            counts.push(position.legal_moves().map_err(|error| told(&error))?.len());
            if !position.play_random(&mut rng).map_err(|error| told(&error))? {
                break;
            }
        }
        Ok(json!({ "counts": counts }))
    }
}

/// Plays so many more plies; how often the lines of the text were used by all so far.
pub fn cover(run: &mut CoverageRun, plies: u32) -> Result<Value, String> {
    run.play(plies).map_err(|error| told(&error))?;
    let coverage = run.coverage();
    let file = coverage.files.first();
    let lines = file.map(lusoria::CoveredFile::lines).unwrap_or_default();
    let unused = file.map(lusoria::CoveredFile::unused).unwrap_or_default();
    Ok(json!({
        "games": coverage.games,
        "turns": coverage.turns,
        "lines": lines.iter().map(|(line, (count, unused))| json!([line, count, unused])).collect::<Vec<_>>(),
        "unused": unused.iter().map(|rule| {
            json!({ "line": rule.line, "kind": rule.kind.word(), "rule": rule.rule })
        }).collect::<Vec<_>>(),
    }))
}
