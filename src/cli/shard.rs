//! Shards: a part of the games of a simulation goes in; a file of counts comes out, whole at any moment, from which the shard
//! goes on after whatever has ended it.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::check::{Library, ParamValue, Settings, key};
use crate::cli::args::SimulateArgs;
use crate::cli::select::{bytes, unreadable};
use crate::cli::tally::Tally;
use crate::cli::{Failure, INTERRUPTED, Outcome, simulate};
use crate::game::Game;
use crate::model::{Expr, Number, Truth};
use crate::shipped::{Shipped, title};
use crate::source::{Source, SourceId};

/// What such a file begins with.
const FORM: &str = "lusoria part 1";
/// Larger files are not read, in bytes.
const MOST_BYTES: u64 = 256 << 20;
/// How long games are played between two writings, unless their number is said.
const CHECKPOINT: Duration = Duration::from_secs(30);

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
    /// The prelude, the file, and what it extends: names and texts.
    sources: Vec<(String, String)>,
    variant: Option<String>,
    params: Vec<(String, Param)>,
    setup: Option<u64>,
    position: Option<String>,
    pub seed: u64,
    pub games: u64,
    pub max_turns: u32,
    details: bool,
    /// By a plan or by the reference executor: they draw other games.
    planned: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Param {
    Truth(bool),
    Number(i64),
}

impl Run {
    fn new(game: &Game, args: &SimulateArgs, planned: bool) -> Run {
        let model = game.model();
        let sources = (0..).map_while(|id| model.sources.get(SourceId(id)));
        let params = model.params.iter().filter_map(|(name, value)| match value {
            Expr::Number(Number::Fixed(number)) => Some((name.clone(), Param::Number(*number))),
            Expr::Truth(Truth::Fixed(truth)) => Some((name.clone(), Param::Truth(*truth))),
            _ => None,
        });
        Run {
            sources: sources.map(|source| (source.name().to_string(), source.text().to_string())).collect(),
            variant: model.variant.clone(),
            params: params.collect(),
            setup: args.game.setup,
            position: args.position.clone(),
            seed: args.game.seed,
            games: args.games,
            max_turns: args.max_turns,
            details: args.details,
            planned,
        }
    }

    /// The game that was played, from the texts that it was read from.
    ///
    /// # Errors
    /// Texts that are no game.
    pub fn game(&self, name: &str) -> Result<Game, Failure> {
        let param = |param: &Param| match param {
            Param::Number(number) => ParamValue::Number(*number),
            Param::Truth(truth) => ParamValue::Truth(*truth),
        };
        let params = self.params.iter().map(|(name, value)| (name.clone(), param(value))).collect();
        let settings = Settings { variant: self.variant.clone(), params };
        let source = |(name, text): &(String, String)| Source::new(name.clone(), text.clone());
        let file = self.sources.get(1).map(source);
        let file = file.ok_or_else(|| Failure::usage(format!("`{name}` has no rules in it")))?;
        let loaded = Game::load(file, self as &dyn Library, &settings).map(|game| game.without_plan());
        loaded.map_err(|error| Failure::usage(format!("the rules in `{name}` are no game: {error}")))
    }
}

/// The texts of a part are all that its game is read from.
impl Library for Run {
    fn prelude(&self) -> Source {
        let first = self.sources.first();
        first.map_or_else(|| Shipped.prelude(), |(name, text)| Source::new(name.clone(), text.clone()))
    }

    fn find(&self, wanted: &str) -> Option<Source> {
        let is_it = |text: &str| title(text).is_some_and(|title| key(&title) == key(wanted));
        let found = self.sources.iter().skip(2).find(|(_, text)| is_it(text));
        found.map(|(name, text)| Source::new(name.clone(), text.clone()))
    }
}

impl Part {
    /// Reads a part.
    ///
    /// # Errors
    /// A file that cannot be read, or is no part.
    pub fn read(path: &Path) -> Result<Part, Failure> {
        let part: Part = serde_json::from_slice(&bytes(path, MOST_BYTES, "")?)
            .map_err(|error| unreadable(path, &format!("it is no file of `simulate --out`: {error}")))?;
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

    /// Writes a part beside its file, and gives it the name then: the file is the old one or the new one at any moment.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let refused = |error: std::io::Error| Failure::usage(format!("cannot write `{}`: {error}", path.display()));
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let text = serde_json::to_vec(self).map_err(|error| Failure::usage(error.to_string()))?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(refused)?;
        file.write_all(&text).and_then(|()| file.as_file().sync_all()).map_err(refused)?;
        file.persist(path).map_err(|error| refused(error.error))?;
        Ok(())
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
        part.write(path)?;
        if args.checkpoint.is_none() {
            let wanted = at_once as f64 * CHECKPOINT.as_secs_f64() / begun.elapsed().as_secs_f64().max(1e-6);
            // It grows slowly, as the first games may be the quick ones.
            at_once = (wanted as u64).clamp(1, at_once.saturating_mul(8));
        }
    }
    bar.finish_and_clear();
    if part.done == 0 {
        part.write(path)?;
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
