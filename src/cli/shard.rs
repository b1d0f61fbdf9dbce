//! Shards: a part of the games of a simulation goes in; a file of counts comes out, whole at any moment, from which the shard
//! goes on after whatever has ended it.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::cli::args::SimulateArgs;
use crate::cli::part;
use crate::cli::part::{CHECKPOINT, Rules};
use crate::cli::select::unreadable;
use crate::cli::{Failure, INTERRUPTED, Outcome, simulate};
use crate::game::Game;
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
    fn new(game: &Game, args: &SimulateArgs, planned: bool) -> Run {
        Run {
            rules: Rules::of(game),
            setup: args.game.setup,
            position: args.position.clone(),
            seed: args.game.seed,
            games: args.games,
            max_turns: args.max_turns,
            details: args.details,
            planned,
        }
    }
}

impl Part {
    /// Reads a part.
    ///
    /// # Errors
    /// A file that cannot be read, or is no part.
    pub fn read(path: &Path) -> Result<Part, Failure> {
        let part: Part = part::read(path, "simulate --out")?;
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
    let run = Run::new(game, args, plan.engine.is_some());
    let range = range(args.games, shard);
    let mut part = Part {
        form: FORM.to_string(),
        run,
        shard,
        range,
        done: 0,
        seconds: 0.0,
        executor: simulate::executor(&plan).to_string(),
        tally: Tally::new(game.model()),
    };
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
        plan.first = range.0 + part.done;
        plan.games = at_once.min(range.1 - plan.first);
        let tally = simulate::play_all(game, &plan, enough, |games| bar.inc(games))
            .map_err(|error| crate::cli::failure(game, error, None))?;
        if tally.games() < plan.games {
            // Those that are over may be the short ones: all of them are played again.
            break;
        }
        part.tally.merge(&tally);
        part.done += plan.games;
        part.seconds += begun.elapsed().as_secs_f64();
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
