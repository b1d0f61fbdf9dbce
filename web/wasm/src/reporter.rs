//! Reporter: a game and a slice of work go in, again and again; how far its report has come, and its page, come out.

use lusoria::Game;
use lusoria::measures::experiment::{Experiment, Progress, Stage};
use lusoria::measures::gathered::{Asked, command};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::table::told;

/// Playouts of the searching players for a move.
const PLAYOUTS: [u64; 3] = [32, 128, 512];
/// Turns of a game, at most.
const MAX_TURNS: u32 = 1000;

/// A slice of the work.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Slice {
    pub seed: u64,
    /// Random games, plies, rounds of a search.
    pub units: u32,
    /// How much of the time is over: all at 1.
    pub part: f64,
    /// No more games are played.
    pub stop: bool,
}

/// A report, if one has been asked for.
#[derive(Default)]
pub struct Reporter {
    experiment: Option<Experiment>,
}

fn asked(seed: u64) -> Asked {
    Asked { seed, setup: None, games: None, playouts: PLAYOUTS.to_vec(), max_turns: MAX_TURNS }
}

fn word(stage: Stage) -> &'static str {
    match stage {
        Stage::Random => "random",
        Stage::Coverage => "coverage",
        Stage::Book => "book",
        Stage::Contest => "contest",
        Stage::Replay => "replay",
        Stage::Over => "over",
    }
}

impl Reporter {
    /// Goes on with the report; how far it is.
    pub fn step(&mut self, game: &Game, slice: Slice) -> Result<Value, String> {
        let experiment = self.experiment.get_or_insert_with(|| Experiment::new(&game.with_plan(), asked(slice.seed)));
        if slice.stop {
            experiment.stop();
        }
        experiment.pass(slice.part);
        let Progress { stage, done, of } = experiment.step(slice.units).map_err(|error| told(&error))?;
        let (random, played) = experiment.games();
        Ok(json!({ "stage": word(stage), "done": done, "of": of, "random": random, "played": played }))
    }

    /// The page of what is done by now. A game is called so in the command that makes the report again.
    pub fn page(&self, name: &str, seed: u64, seconds: f64) -> Result<Value, String> {
        let experiment = self.experiment.as_ref().ok_or("no report has been begun")?;
        let (study, page) = experiment.report(command(name, &asked(seed), seconds)).map_err(|error| told(&error))?;
        Ok(json!({ "html": page, "partial": study.partial }))
    }
}
