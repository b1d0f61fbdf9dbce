//! Shards of `report`: a part of the games of a report goes in; a file of games comes out, from which the shard goes on, and which
//! is merged with the others to the report of one run.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::cli::args::{MergeArgs, ReportArgs, ShardArgs};
use crate::cli::part::{CHECKPOINT, Rules};
use crate::cli::select::unreadable;
use crate::cli::{Failure, INTERRUPTED, Outcome, contest, part, report, shard};
use crate::game::{CoverageRun, Game};
use crate::measures::gathered;
use crate::measures::gathered::{Asked, Book, COVERED_GAMES, Gathered};
use crate::sort;

/// What such a file begins with.
pub const FORM: &str = "lusoria report part 1";

/// What a shard has played, with all that it depends on.
#[derive(Serialize, Deserialize)]
struct Part {
    form: String,
    /// The game, as it was asked for.
    game: String,
    run: Run,
    /// The shard, from 1, and how many there are.
    shard: (u64, u64),
    /// All that is the shard's is in it.
    is_whole: bool,
    gathered: Gathered,
}

/// What all shards have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Run {
    rules: Rules,
    asked: Asked,
    /// By a plan or by the reference executor: they draw other games.
    planned: bool,
}

impl Part {
    /// Reads a part.
    ///
    /// # Errors
    /// A file that cannot be read, or is no part.
    fn read(path: &Path) -> Result<Part, Failure> {
        let part: Part = part::read(path, "report --out")?;
        match part.form == FORM && (1..=part.shard.1).contains(&part.shard.0) {
            true => Ok(part),
            false => Err(unreadable(path, "what it has does not fit what it says of itself")),
        }
    }
}

/// Plays a shard of the games of a report, all unless one is said.
pub fn run(args: &ReportArgs, at: &ShardArgs, path: &Path) -> Outcome {
    let game = crate::cli::select::load(&args.game)?.with_plan();
    let asked = report::asked(args);
    let Some(rounds) = asked.games else {
        return Err(Failure::usage(String::from("a shard of a report wants `--games N`: time does not cut it alike")));
    };
    let number = at.shard.unwrap_or((1, 1));
    let mut part = Part {
        form: FORM.to_string(),
        game: args.game.game.clone(),
        run: Run { rules: Rules::of(&game), asked: asked.clone(), planned: game.is_planned() },
        shard: number,
        is_whole: false,
        gathered: Gathered::new(&game),
    };
    if at.resume && path.exists() {
        let old = Part::read(path)?;
        if old.run != part.run || old.shard != number || !old.gathered.fits(&game) {
            let why = "it is of other rules, another seed, other options or another shard";
            return Err(Failure::usage(format!("cannot go on with `{}`: {why}", path.display())));
        }
        (part.gathered, part.is_whole) = (old.gathered, old.is_whole);
    }
    let enough = crate::cli::interruption();
    let threads = args.threads.map_or_else(crate::cli::simulate::processors, usize::from);
    let failed = |error| crate::cli::failure(&game, error, None);
    part::write(path, &part)?;
    let (first, end) = shard::range(asked.random_games(), number);
    if part.gathered.random.games() < end - first {
        let tally = report::random_games(&game, &asked, (first, end), threads, enough, |_| {}).map_err(failed)?;
        // Of games that were interrupted the short ones may be over.
        if tally.games() == end - first {
            part.gathered.random = tally;
            part::write(path, &part)?;
        }
    }
    let (first, end) = shard::range(COVERED_GAMES, number);
    let before = part.gathered.covered.clone();
    let mut run = CoverageRun::new(&game, asked.exercise(first + before.games()), asked.setup);
    while before.games() + run.games() < end - first && !enough.load(Ordering::Relaxed) {
        run.play(LOOK).map_err(failed)?;
    }
    if before.games() + run.games() == end - first {
        part.gathered.covered.include(run.coverage());
        part::write(path, &part)?;
    }
    if number.0 == 1 && part.gathered.book.is_none() && !enough.load(Ordering::Relaxed) {
        let mut book = Book::new(&game, &asked).map_err(failed)?;
        book.search(&mut || !enough.load(Ordering::Relaxed)).map_err(failed)?;
        if !enough.load(Ordering::Relaxed) {
            part.gathered.book = Some(book.lines());
            part::write(path, &part)?;
        }
    }
    let players = gathered::contest(&game, &asked);
    let (first, end) = shard::range(players.tasks_of(rounds), number);
    let known: BTreeSet<u64> = part.gathered.played.iter().map(|(number, _)| *number).collect();
    let (mut written, mut waiting) = (Instant::now(), 0);
    contest::play(
        &players,
        first..end,
        |number| known.contains(&number),
        threads,
        enough,
        failed,
        |number, games| {
            part.gathered.played.push((number, games));
            waiting += 1;
            if at.checkpoint.map_or(written.elapsed() >= CHECKPOINT, |checkpoint| waiting >= checkpoint) {
                part::write(path, &part)?;
                (written, waiting) = (Instant::now(), 0);
            }
            Ok(())
        },
    )?;
    sort::by_key(&mut part.gathered.played, |(number, _)| *number);
    let played = part.gathered.played.len() as u64;
    part.is_whole = played == end - first && !enough.load(Ordering::Relaxed);
    part::write(path, &part)?;
    let (shard, of) = number;
    crate::cli::print(&format!(
        "{}: {played} of {} tasks of shard {shard}/{of}, in `{}`\n",
        game.name(),
        end - first,
        path.display()
    ))?;
    Ok(if part.is_whole { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

/// Plies between two looks for an interruption.
const LOOK: u32 = 64;

/// Puts parts together: the report of all their games comes out, that of one run.
///
/// # Errors
/// Files that cannot be read, are of several runs, or have a shard twice; shards that are missing.
pub fn merge(args: &MergeArgs) -> Outcome {
    let mut parts = Vec::new();
    for path in &args.parts {
        parts.push((path, Part::read(path)?));
    }
    sort::by_key(&mut parts, |(_, part)| part.shard);
    let whole = parts.iter().all(|(_, part)| part.is_whole);
    let mut parts = parts.into_iter();
    let Some((first_path, mut all)) = parts.next() else {
        return Err(Failure::usage(String::from("there is no part")));
    };
    let game: Game = all.run.rules.game(&first_path.display().to_string())?;
    let mut there = vec![all.shard.0];
    for (path, part) in parts {
        let refused = |why: &str| Err(Failure::usage(format!("cannot merge `{}`: {why}", path.display())));
        if part.run != all.run || part.shard.1 != all.shard.1 {
            return refused(&format!("it and `{}` are of other rules, seeds or options", first_path.display()));
        }
        if there.contains(&part.shard.0) {
            return refused("its games are in another part too");
        }
        if !part.gathered.fits(&game) {
            return refused("its counts are not those of its game");
        }
        there.push(part.shard.0);
        all.gathered.take(part.gathered);
    }
    if !all.gathered.fits(&game) {
        return Err(unreadable(first_path, "its counts are not those of its game"));
    }
    let missing = (1..=all.shard.1).find(|shard| !there.contains(shard));
    let why = match missing {
        Some(shard) => Some(format!("shard {shard}/{} is not", all.shard.1)),
        None => (!whole).then(|| String::from("a part is not at its end")),
    };
    if let Some(why) = why.filter(|_| !args.partial || args.out.is_some()) {
        return Err(Failure::usage(format!("not all games are there: {why}; `--partial` merges what is")));
    }
    sort::by_key(&mut all.gathered.played, |(number, _)| *number);
    if let Some(path) = &args.out {
        (all.shard, all.is_whole) = ((1, 1), true);
        part::write(path, &all)?;
    }
    if args.output.is_none() && !args.json && args.out.is_none() {
        return Err(Failure::usage(String::from(
            "say where the page goes, `-o report.html`, or `--json` for the numbers",
        )));
    }
    report::tell(&game, &all.game, (&all.run.asked, None), &all.gathered, false, (args.output.as_deref(), args.json))?;
    Ok(ExitCode::SUCCESS)
}
