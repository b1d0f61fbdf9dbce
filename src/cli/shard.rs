//! Shards: a part of the games of a simulation goes in; a file of counts comes out, whole at any moment, from which the shard
//! goes on after whatever has ended it.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::cli::args::SimulateArgs;
use crate::cli::part;
use crate::cli::part::{CHECKPOINT, Rules};
use crate::cli::play::Plan;
use crate::cli::select::unreadable;
use crate::cli::{Failure, INTERRUPTED, Outcome, simulate};
use crate::game::{Error, Game};
use crate::measures::tally::Tally;

/// What such a file begins with.
const FORM: &str = "lusoria part 1";

/// Counts of a shard, with all that the games depend on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    form: String,
    pub run: Run,
    /// The shard, from 1, and how many there are.
    pub shard: (u64, u64),
    /// The numbers of its games: from the first, before the second.
    pub range: (u64, u64),
    /// How many of them are counted, from the first on.
    pub done: u64,
    /// Measured, all threads together.
    pub seconds: f64,
    pub executor: String,
    pub tally: Tally,
}

/// What all shards of a simulation have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    #[serde(flatten)]
    pub rules: Rules,
    setup: Option<u64>,
    position: Option<String>,
    pub seed: u64,
    pub games: u64,
    pub max_turns: u32,
    details: bool,
    /// By a plan or by the reference executor: they draw other games.
    planned: bool,
}

impl Run {
    /// The run of a plan that is for all its games. `position` is the text of the one they begin with.
    fn new(game: &Game, plan: &Plan, position: Option<String>) -> Run {
        Run {
            rules: Rules::of(game),
            setup: plan.terms.setup,
            position,
            seed: plan.terms.seed,
            games: plan.games,
            max_turns: plan.terms.max_turns,
            details: plan.details,
            planned: plan.engine.is_some(),
        }
    }
}

impl Part {
    /// Reads a part.
    ///
    /// # Errors
    /// A file that cannot be read, or is no part.
    pub fn read(path: &Path) -> Result<Part, Failure> {
        Part::parse(path, &part::text(path)?)
    }

    /// A part from what its file has.
    ///
    /// # Errors
    /// As [`Part::read`].
    pub fn parse(path: &Path, text: &[u8]) -> Result<Part, Failure> {
        let part: Part = part::parse(path, text, "simulate --out")?;
        let fits = part.form == FORM
            && part.range.0 <= part.range.1
            && part.range.1 <= part.run.games
            && part.done <= part.range.1 - part.range.0
            && part.tally.games() == part.done
            && part.seconds.is_finite();
        match fits {
            true => Ok(part),
            false => Err(unreadable(path, "what it counts does not fit what it says of itself")),
        }
    }

    /// A shard of a plan that is for all games, of which none is counted.
    fn none(game: &Game, plan: &Plan, position: Option<String>, shard: (u64, u64)) -> Part {
        Part {
            form: FORM.to_string(),
            run: Run::new(game, plan, position),
            shard,
            range: range(plan.games, shard),
            done: 0,
            seconds: 0.0,
            executor: simulate::executor(plan).to_string(),
            tally: Tally::new(game.model()),
        }
    }

    /// Plays more of its games, if `enough` is not set before these are over: those that are may be the short ones, so none counts
    /// then.
    fn go_on(
        &mut self,
        game: &Game,
        plan: &mut Plan,
        games: u64,
        enough: &AtomicBool,
        done: impl FnMut(u64),
    ) -> Result<bool, Error> {
        let begun = Instant::now();
        plan.first = self.range.0 + self.done;
        plan.games = games.min(self.range.1 - plan.first);
        let tally = simulate::play_all(game, plan, enough, done)?;
        if tally.games() < plan.games {
            return Ok(false);
        }
        self.tally.merge(&tally);
        self.done += plan.games;
        self.seconds += begun.elapsed().as_secs_f64();
        Ok(true)
    }

    /// Plays a shard of a plan that is for all games.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn play(
        game: &Game,
        mut plan: Plan,
        shard: (u64, u64),
        enough: &AtomicBool,
        done: impl FnMut(u64),
    ) -> Result<Part, Error> {
        let mut part = Part::none(game, &plan, None, shard);
        part.go_on(game, &mut plan, u64::MAX, enough, done)?;
        Ok(part)
    }

    /// All games of the shard are counted.
    pub fn is_done(&self) -> bool {
        self.done == self.range.1 - self.range.0
    }
}

/// The numbers of the games of a shard, before the second: shards differ by one game at most.
pub fn range(games: u64, (shard, of): (u64, u64)) -> (u64, u64) {
    let before = |shard: u64| (u128::from(games) * u128::from(shard) / u128::from(of.max(1))) as u64;
    (before(shard.saturating_sub(1)), before(shard))
}

/// Plays a shard of the games, all unless one is said.
pub fn run(args: &SimulateArgs, game: &Game, path: &Path) -> Outcome {
    let mut plan = simulate::plan(game, args)?;
    let shard = args.shard.unwrap_or((1, 1));
    let mut part = Part::none(game, &plan, args.position.clone(), shard);
    let range = part.range;
    if args.resume && path.exists() {
        let old = Part::read(path)?;
        if old.run != part.run || old.range != range || !old.tally.fits(game.model()) {
            let why = "it is of other rules, another seed, other options or another shard";
            return Err(Failure::usage(format!("cannot go on with `{}`: {why}", path.display())));
        }
        (part.done, part.seconds, part.tally) = (old.done, old.seconds, old.tally);
    }
    let enough = crate::cli::interruption();
    let bar = simulate::progress(range.1 - range.0);
    bar.inc(part.done);
    let mut at_once = args.checkpoint.unwrap_or(plan.threads as u64 * 1024);
    while !part.is_done() && !enough.load(Ordering::Relaxed) {
        let begun = Instant::now();
        let went_on = part.go_on(game, &mut plan, at_once, enough, |games| bar.inc(games));
        if !went_on.map_err(|error| crate::cli::failure(game, error, None))? {
            break;
        }
        part::write(path, &part)?;
        if args.checkpoint.is_none() {
            let wanted = at_once as f64 * CHECKPOINT.as_secs_f64() / begun.elapsed().as_secs_f64().max(1e-6);
            // It grows slowly, as the first games may be the quick ones.
            at_once = (wanted as u64).clamp(1, at_once.saturating_mul(8));
        }
    }
    bar.finish_and_clear();
    if part.done == 0 {
        part::write(path, &part)?;
    }
    let (shard, of) = shard;
    crate::cli::print(&format!(
        "{}: {} of {} games of shard {shard}/{of}, seed {}, in `{}`\n",
        game.name(),
        part.done,
        range.1 - range.0,
        args.game.seed,
        path.display()
    ))?;
    Ok(if part.is_done() { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

#[cfg(test)]
mod tests {
    use crate::cli::shard::range;

    #[test]
    fn shards_hold_each_game_once() {
        for (games, of) in [(1, 1), (10, 3), (3, 10), (1_000_000_000_000, 1000), (u64::MAX, 7)] {
            let mut next = 0;
            for shard in 1..=of {
                let (first, end) = range(games, (shard, of));
                assert_eq!(first, next);
                assert!(end - first <= games / of + 1);
                next = end;
            }
            assert_eq!(next, games);
        }
    }
}
