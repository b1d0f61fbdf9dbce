//! Perft suites: a file of positions with expected counts goes in; what is counted otherwise comes out.
//!
//! Two forms are read: EPD with `;D1 20 ;D2 400` behind each position, and blocks of `id`, `epd` and `perft 1 20`.

use std::io::{BufReader, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::cli::args::PerftArgs;
use crate::cli::select::{Line, lines, open, unreadable};
use crate::cli::{Failure, INTERRUPTED, Outcome, RULES};
use crate::game::{Error, Game};
use crate::interp::{Engine, Session};
use crate::reference::{Executor, PerftOptions};
use crate::sort;

/// Most positions of a suite.
const MOST_CASES: usize = 1_000_000;
/// Most differences that are told one by one.
const MOST_TOLD: usize = 1000;

/// A position and what its author has counted.
#[derive(Debug, PartialEq, Eq)]
struct Case {
    line: usize,
    position: String,
    /// Depths with their counts, the least first.
    counts: Vec<(u32, u64)>,
}

/// What was counted of a case.
#[derive(Default)]
struct Counted {
    counts: u64,
    nodes: u64,
    difference: Option<Difference>,
}

#[derive(Debug, Serialize)]
struct Difference {
    /// The line of the file, from 1.
    line: usize,
    position: String,
    depth: u32,
    expected: u64,
    /// `null`: it could not be counted; then `error` says why.
    found: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct Output {
    game: String,
    suite: String,
    positions: usize,
    counts: u64,
    nodes: u64,
    /// Fewer counts than the suite has, as the run was interrupted.
    partial: bool,
    differences: Vec<Difference>,
    /// Measured, so different in each run.
    seconds: f64,
}

pub fn run(args: &PerftArgs, path: &Path) -> Outcome {
    let game = crate::cli::select::load(&args.at.game)?;
    let cases = read(path)?;
    let begun = Instant::now();
    let engine = crate::cli::perft::engine(&game, args, None)?;
    let enough = crate::cli::interruption();
    let bar = progress(cases.len() as u64);
    let counted = count(&game, args, engine.as_ref(), &cases, enough, &bar);
    bar.finish_and_clear();
    let partial = enough.load(Ordering::Relaxed);
    let mut output = Output {
        game: game.name().to_string(),
        suite: path.display().to_string(),
        positions: counted.len(),
        counts: counted.iter().map(|one| one.counts).sum(),
        nodes: counted.iter().map(|one| one.nodes).fold(0, u64::saturating_add),
        partial,
        differences: Vec::new(),
        seconds: begun.elapsed().as_secs_f64(),
    };
    output.differences = counted.into_iter().filter_map(|one| one.difference).collect();
    match args.json {
        true => crate::cli::print_json(&output)?,
        false => crate::cli::print(&text(&output))?,
    }
    Ok(match (output.differences.is_empty(), partial) {
        (false, _) => ExitCode::from(RULES),
        (true, true) => ExitCode::from(INTERRUPTED),
        (true, false) => ExitCode::SUCCESS,
    })
}

fn text(output: &Output) -> String {
    let mut text = String::new();
    for one in output.differences.iter().take(MOST_TOLD) {
        let found = match (&one.found, &one.error) {
            (Some(found), _) => format!("{found} counted"),
            (None, error) => error.clone().unwrap_or_default(),
        };
        let Difference { line, depth, expected, position, .. } = one;
        text += &format!("{}:{line}: depth {depth}: {expected} expected, {found}: {position}\n", output.suite);
    }
    let told = match output.differences.len() {
        0 => String::from("all as expected"),
        1 => String::from("1 position differs"),
        several => format!("{several} positions differ"),
    };
    let partial = if output.partial { " (partial: interrupted)" } else { "" };
    let rate = output.nodes as f64 / output.seconds.max(1e-9);
    text += &format!(
        "{} positions, {} counts, {} sequences: {told}{partial}; {:.1} s, {rate:.0} a second\n",
        output.positions, output.counts, output.nodes, output.seconds
    );
    text
}

fn progress(cases: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(cases);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} positions, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Counts all cases on as many threads as there are processors; the results are in the order of the cases.
fn count(
    game: &Game,
    args: &PerftArgs,
    engine: Option<&Engine>,
    cases: &[Case],
    enough: &AtomicBool,
    bar: &ProgressBar,
) -> Vec<Counted> {
    let next = AtomicUsize::new(0);
    let (tell, told) = mpsc::channel();
    let threads = crate::cli::simulate::processors().min(cases.len().max(1));
    let mut counted: Vec<(usize, Counted)> = std::thread::scope(|scope| {
        for _ in 0..threads {
            let (tell, next) = (tell.clone(), &next);
            scope.spawn(move || {
                let mut counter =
                    Counter { game, args, session: engine.map(Engine::runner), executor: Executor::new() };
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(at).filter(|_| !enough.load(Ordering::Relaxed)) else { return };
                    if tell.send((at, counter.count(case, enough))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(tell);
        told.into_iter().inspect(|_| bar.inc(1)).collect()
    });
    sort::by_key(&mut counted, |(at, _)| *at);
    counted.into_iter().map(|(_, counted)| counted).collect()
}

/// What one thread counts with.
struct Counter<'a> {
    game: &'a Game,
    args: &'a PerftArgs,
    session: Option<Box<dyn Session>>,
    executor: Executor,
}

impl Counter<'_> {
    /// Counts a case up to its first difference.
    fn count(&mut self, case: &Case, enough: &AtomicBool) -> Counted {
        let mut counted = Counted::default();
        let most = self.args.cap.unwrap_or(u32::MAX);
        for &(depth, expected) in case.counts.iter().filter(|(depth, _)| *depth <= most) {
            if enough.load(Ordering::Relaxed) {
                break;
            }
            let found = self.perft(&case.position, depth);
            counted.counts += 1;
            counted.nodes = counted.nodes.saturating_add(*found.as_ref().unwrap_or(&0));
            if found.as_ref().ok() != Some(&expected) {
                counted.difference = Some(Difference {
                    line: case.line,
                    position: case.position.clone(),
                    depth,
                    expected,
                    found: found.as_ref().ok().copied(),
                    error: found.err().map(|error| error.to_string()),
                });
                break;
            }
        }
        counted
    }

    /// Counts on past draws, as the makers of suites do.
    fn perft(&mut self, position: &str, depth: u32) -> Result<u64, Error> {
        let position = self.game.position(position)?;
        let mut state = position.state().clone();
        let options = PerftOptions { unit: self.args.unit.into(), past_draws: true };
        self.executor.judge_for_perft(self.game.model(), &mut state, options);
        let loaded = self.session.as_mut().is_some_and(|session| session.load(&state));
        let counted = match self.session.as_mut().filter(|_| loaded) {
            Some(session) => session.perft(depth, true),
            None => self.executor.perft(self.game.model(), &mut state, depth, options),
        };
        counted.map_err(|fault| {
            let place = self.game.model().sources.place(fault.shown());
            Error::Fault { fault, place, position: position.to_string() }
        })
    }
}

/// The cases of a file.
///
/// # Errors
/// What cannot be read, with its line.
fn read(path: &Path) -> Result<Vec<Case>, Failure> {
    let file = open(path)?;
    let mut cases = Vec::new();
    for (before, line) in lines(BufReader::new(file)).enumerate() {
        let wrong = |why: String| Failure::usage(format!("{}:{}: {why}", path.display(), before + 1));
        let Line::Text(line) = line.map_err(|failure| unreadable(path, failure.message.trim()))? else {
            return Err(wrong(String::from("it is longer than 1 MiB")));
        };
        take(&mut cases, before + 1, line.trim()).map_err(wrong)?;
        if cases.len() > MOST_CASES {
            return Err(wrong(format!("a suite has at most {MOST_CASES} positions")));
        }
    }
    match cases.iter().all(|case| case.counts.is_empty()) {
        true => Err(unreadable(path, "it has no counts, such as `;D1 20` behind a position")),
        false => Ok(cases),
    }
}

/// Takes in one line.
fn take(cases: &mut Vec<Case>, line: usize, text: &str) -> Result<(), String> {
    if text.is_empty() || text.starts_with('#') {
        return Ok(());
    }
    if let Some(position) = text.strip_prefix("epd ") {
        cases.push(Case { line, position: position.trim().to_string(), counts: Vec::new() });
        return Ok(());
    }
    if text == "id" || text.starts_with("id ") {
        return Ok(());
    }
    if let Some(count) = text.strip_prefix("perft ") {
        let case = cases.last_mut().ok_or("no position stands before this count")?;
        return put(case, count);
    }
    let mut parts = text.split(';').map(str::trim);
    let position = parts.next().unwrap_or_default().to_string();
    let mut case = Case { line, position, counts: Vec::new() };
    for part in parts.filter(|part| !part.is_empty()) {
        let count = part.strip_prefix(['D', 'd']);
        put(&mut case, count.ok_or_else(|| format!("`{part}` is not of the form `D1 20`"))?)?;
    }
    cases.push(case);
    Ok(())
}

/// `1 20`: a depth and its count.
fn put(case: &mut Case, text: &str) -> Result<(), String> {
    let wrong = || format!("`{text}` is not a depth and a count, such as `1 20`");
    let (depth, count) = text.trim().split_once(char::is_whitespace).ok_or_else(wrong)?;
    let read = depth.parse().ok().zip(count.trim().parse().ok());
    let (depth, count): (u32, u64) = read.ok_or_else(wrong)?;
    let at = case.counts.partition_point(|(before, _)| *before < depth);
    case.counts.insert(at, (depth, count));
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::cli::suite::{Case, take};

    fn read(text: &str) -> Result<Vec<Case>, String> {
        let mut cases = Vec::new();
        text.lines().enumerate().try_for_each(|(line, text)| take(&mut cases, line + 1, text.trim()))?;
        Ok(cases)
    }

    #[test]
    fn both_forms_of_suites_are_read() {
        let epd = read("# a word\n\n8/8 w - - 0 1 ;D2 400 ;D1 20\r\n").expect("it is right");
        assert_eq!(epd, [Case { line: 3, position: "8/8 w - - 0 1".into(), counts: vec![(1, 20), (2, 400)] }]);
        let blocks = read("id one\nepd 8/8 w - - 0 1\nperft 1 20\nperft 2 400").expect("it is right");
        assert_eq!(blocks, [Case { line: 2, position: "8/8 w - - 0 1".into(), counts: vec![(1, 20), (2, 400)] }]);
    }

    #[test]
    fn what_is_no_count_is_refused() {
        for text in
            ["8/8 ;D1", "8/8 ;x 4", "8/8 ;D1 -4", "perft 1 20", "8/8 ;D1 99999999999999999999", "8/8 ;D4294967296 1"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
