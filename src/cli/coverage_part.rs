//! Shards of `coverage`: a part of the random games goes in; a file of counts comes out, from which the shard goes on, and which
//! is merged with the others.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::cli::args::{CoverageArgs, GameArgs, MergeArgs, ShardArgs};
use crate::cli::part::{CHECKPOINT, Rules};
use crate::cli::select::unreadable;
use crate::cli::{Failure, INTERRUPTED, Outcome, coverage, part, shard};
use crate::game::{Coverage, CoverageRun, Exercise, Game};
use crate::measures::counts::Counts;
use crate::sort;

/// What such a file begins with.
pub const FORM: &str = "lusoria coverage part 1";

/// Counts of a shard, with all that they depend on.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part {
    form: String,
    run: Run,
    /// The shard, from 1, and how many there are.
    shard: (u64, u64),
    /// The numbers of the random games of each game of `run`: from the first, before the second.
    range: (u64, u64),
    counted: Vec<Counted>,
}

/// What all shards have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Run {
    games_named: Vec<Rules>,
    seed: u64,
    games: u64,
    max_turns: u32,
    examples: bool,
}

/// What was counted of one of the games that were named.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Counted {
    /// Random games of the shard's range that are counted.
    done: u64,
    /// All of them are, and what else the shard counts.
    is_whole: bool,
    counts: Counts,
}

impl Part {
    fn is_whole(&self) -> bool {
        self.counted.iter().all(|one| one.is_whole)
    }

    /// Reads a part.
    ///
    /// # Errors
    /// A file that cannot be read, or is no part.
    fn read(path: &Path) -> Result<Part, Failure> {
        let part: Part = part::read(path, "coverage --out")?;
        let games = part.range.1.checked_sub(part.range.0);
        let fits = |one: &Counted| games.is_some_and(|games| one.done <= games) && one.counts.games() == one.done;
        let fits = part.form == FORM
            && part.range.1 <= part.run.games
            && part.counted.len() == part.run.games_named.len()
            && part.counted.iter().all(fits);
        match fits {
            true => Ok(part),
            false => Err(unreadable(path, "what it counts does not fit what it says of itself")),
        }
    }
}

/// Plays a shard of the games, all unless one is said.
pub fn run(args: &CoverageArgs, at: &ShardArgs, path: &Path) -> Outcome {
    let load = |name: &String| crate::cli::select::load(&GameArgs::plain(name));
    let games: Vec<Game> = args.games_named.iter().map(load).collect::<Result<_, _>>()?;
    let run = Run {
        games_named: games.iter().map(Rules::of).collect(),
        seed: args.seed,
        games: args.games,
        max_turns: args.max_turns,
        examples: args.examples,
    };
    let number = at.shard.unwrap_or((1, 1));
    let range = shard::range(args.games, number);
    let nothing = Counted { done: 0, is_whole: false, counts: Counts::default() };
    let mut part =
        Part { form: FORM.to_string(), run, shard: number, range, counted: vec![nothing; args.games_named.len()] };
    if at.resume && path.exists() {
        let old = Part::read(path)?;
        if old.run != part.run || old.range != range || old.shard != number {
            let why = "it is of other rules, another seed, other options or another shard";
            return Err(Failure::usage(format!("cannot go on with `{}`: {why}", path.display())));
        }
        part.counted = old.counted;
    }
    let enough = crate::cli::interruption();
    part::write(path, &part)?;
    for (which, game) in games.iter().enumerate() {
        if part.counted[which].is_whole {
            continue;
        }
        let first = range.0 + part.counted[which].done;
        let exercise =
            Exercise { first, games: args.games, seed: args.seed, max_turns: args.max_turns, examples: args.examples };
        let failed = |error| crate::cli::failure(game, error, None);
        let before = part.counted[which].counts.clone();
        let mut run = CoverageRun::new(game, exercise, None);
        let (mut written, mut waiting) = (Instant::now(), 0);
        while first + run.games() < range.1 && !enough.load(Ordering::Relaxed) {
            let games = run.games();
            run.play(LOOK).map_err(failed)?;
            if run.games() == games {
                continue;
            }
            waiting += 1;
            if at.checkpoint.map_or(written.elapsed() >= CHECKPOINT, |checkpoint| waiting >= checkpoint) {
                part.counted[which].take(&before, &run);
                part::write(path, &part)?;
                (written, waiting) = (Instant::now(), 0);
            }
        }
        if first + run.games() < range.1 {
            // What was counted of a game that is not over would be counted again.
            break;
        }
        // The examples are counted once: by the first shard.
        if args.examples && number.0 == 1 {
            run.follow_examples().map_err(failed)?;
        }
        part.counted[which].take(&before, &run);
        part.counted[which].is_whole = true;
        part::write(path, &part)?;
    }
    let done: u64 = part.counted.iter().map(|one| one.done).sum();
    let all = (range.1 - range.0) * games.len() as u64;
    let names = games.iter().map(Game::name).collect::<Vec<_>>().join(", ");
    let (shard, of) = number;
    crate::cli::print(&format!("{names}: {done} of {all} games of shard {shard}/{of}, in `{}`\n", path.display()))?;
    Ok(if part.is_whole() { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

/// Plies between two looks for an interruption.
const LOOK: u32 = 64;

impl Counted {
    /// What was counted before, and by a run since.
    fn take(&mut self, before: &Counts, run: &CoverageRun) {
        self.counts = before.clone();
        self.counts.include(run.coverage());
        self.done = self.counts.games();
    }
}

/// Puts parts together: the coverage of all their games comes out, that of one run.
///
/// # Errors
/// Files that cannot be read, are of several runs, or have a shard twice; shards that are missing.
pub fn merge(args: &MergeArgs) -> Outcome {
    let mut parts = Vec::new();
    for path in &args.parts {
        parts.push((path, Part::read(path)?));
    }
    sort::by_key(&mut parts, |(_, part)| (part.range, part.shard));
    let Some((first_path, first)) = parts.first() else { return Err(Failure::usage(String::from("there is no part"))) };
    let (mut all, mut there) = (first.clone(), vec![first.shard.0]);
    for (path, part) in parts.iter().skip(1) {
        let refused = |why: &str| Err(Failure::usage(format!("cannot merge `{}`: {why}", path.display())));
        if part.run != first.run || part.shard.1 != first.shard.1 {
            return refused(&format!("it and `{}` are of other rules, seeds or options", first_path.display()));
        }
        if there.contains(&part.shard.0) {
            return refused("its games are in another part too");
        }
        there.push(part.shard.0);
        for (counted, more) in all.counted.iter_mut().zip(&part.counted) {
            counted.counts.include(more.counts.coverage());
            counted.done = counted.counts.games();
            counted.is_whole &= more.is_whole;
        }
    }
    let missing = (1..=first.shard.1).find(|shard| !there.contains(shard));
    let unfinished = parts.iter().find(|(_, part)| !part.is_whole());
    let why = match (missing, unfinished) {
        (Some(shard), _) => Some(format!("shard {shard}/{} is not", first.shard.1)),
        (None, Some((path, _))) => Some(format!("`{}` is not at its end", path.display())),
        (None, None) => None,
    };
    if let Some(why) = why.filter(|_| !args.partial || args.out.is_some()) {
        return Err(Failure::usage(format!("not all games are there: {why}; `--partial` merges what is")));
    }
    if let Some(path) = &args.out {
        (all.shard, all.range) = ((1, 1), (0, all.run.games));
        part::write(path, &all)?;
    }
    let mut coverage = Coverage::default();
    for counted in &all.counted {
        coverage.add(counted.counts.coverage());
    }
    coverage::print(&coverage, args.format, args.json)?;
    Ok(ExitCode::SUCCESS)
}
