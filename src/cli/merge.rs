//! Command `merge`: files of counts, or records of a match, go in; the result of all their games comes out, that of one run.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::cli::args::MergeArgs;
use crate::cli::shard::Part;
use crate::cli::simulate::{Output, RunHeader, table};
use crate::cli::{Failure, Outcome, coverage_part, matches, part, report_part};
use crate::game::Game;
use crate::sort;

pub fn run(args: &MergeArgs) -> Outcome {
    if let Some(first) = args.parts.first()
        && matches::is_record(first)?
    {
        if args.out.is_some() {
            return Err(Failure::usage(String::from(
                "records of a match are put together as text: `cat` writes one of all",
            )));
        }
        return matches::merge(&args.parts, args.partial, args.json);
    }
    match args.parts.first().map(|first| part::form(first)).transpose()?.as_deref() {
        Some(coverage_part::FORM) => return coverage_part::merge(args),
        Some(report_part::FORM) => return report_part::merge(args),
        _ => {}
    }
    let mut parts = Vec::new();
    for path in &args.parts {
        parts.push((path.clone(), Part::read(path)?));
    }
    let together = put_together(parts)?;
    if !args.partial {
        together.expect_all()?;
    }
    let Together { game, all, missing } = together;
    let is_partial = !missing.words.is_empty();
    if let Some(path) = &args.out {
        if is_partial {
            return Err(Failure::usage(String::from("`--out` writes the counts of all games, and some are not there")));
        }
        part::write(path, &all)?;
    }
    let header = RunHeader { partial: is_partial, seed: all.run.seed, max_turns: all.run.max_turns };
    let output = Output::new(&game, &all.tally, header, &all.executor, all.seconds);
    match args.json {
        true => crate::cli::print_json(&output)?,
        false => crate::cli::print(&table(&output, None))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What is counted in all parts, and which games are in none.
pub struct Together {
    pub game: Game,
    pub all: Part,
    missing: Missing,
}

impl Together {
    /// # Errors
    /// Games that are in no part.
    pub fn expect_all(&self) -> Result<(), Failure> {
        if self.missing.words.is_empty() {
            return Ok(());
        }
        let words = self.missing.words.join("; ");
        Err(Failure::usage(format!("not all games are there: {words}; `--partial` merges what is")))
    }
}

/// Adds up the counts of parts, which a path names each.
///
/// # Errors
/// Parts of other rules, seeds or options; games that are counted twice.
pub fn put_together(mut parts: Vec<(PathBuf, Part)>) -> Result<Together, Failure> {
    sort::by_key(&mut parts, |(_, part)| part.range);
    let Some((first_path, first)) = parts.first() else { return Err(Failure::usage(String::from("there is no part"))) };
    let game = first.run.rules.game(&first_path.display().to_string())?;
    let mut all = first.clone();
    let mut missing = Missing::default();
    missing.see(&Path::new(first_path).display().to_string(), 0, first);
    if !first.tally.fits(game.model()) {
        return Err(unfit(first_path));
    }
    let mut end = first.range.1;
    for (path, part) in parts.iter().skip(1) {
        if part.run != first.run {
            let why = "they are of other rules, another seed or other options";
            return Err(Failure::usage(format!(
                "cannot merge `{}` with `{}`: {why}",
                path.display(),
                first_path.display()
            )));
        }
        if part.range.0 < end {
            let why = format!("games from {} on are in it and in another part", part.range.0);
            return Err(Failure::usage(format!("cannot merge `{}`: {why}", path.display())));
        }
        if !part.tally.fits(game.model()) {
            return Err(unfit(path));
        }
        missing.see(&path.display().to_string(), end, part);
        end = part.range.1;
        all.tally.merge(&part.tally);
        all.done += part.done;
        all.seconds += part.seconds;
        if all.executor != part.executor {
            all.executor = String::from("several");
        }
    }
    missing.games(end, all.run.games);
    all.range = (first.range.0, end);
    all.shard = (1, 1);
    Ok(Together { game, all, missing })
}

fn unfit(path: &Path) -> Failure {
    Failure::usage(format!("cannot merge `{}`: its counts are not those of its game", path.display()))
}

/// Games that are in no part.
#[derive(Default)]
struct Missing {
    words: Vec<String>,
}

impl Missing {
    /// What lies before a part, and what it lacks.
    fn see(&mut self, name: &str, end: u64, part: &Part) {
        self.games(end, part.range.0);
        if !part.is_done() {
            self.words.push(format!("`{name}` has {} of {}", part.done, part.range.1 - part.range.0));
        }
    }

    fn games(&mut self, from: u64, to: u64) {
        if from < to {
            self.words.push(format!("games {from} to {}", to - 1));
        }
    }
}
