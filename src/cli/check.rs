//! Command `check`: rules files go in; their mistakes come out, also those that only play shows.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::check;
use crate::check::{Checked, Severity};
use crate::cli::args::CheckArgs;
use crate::cli::select::{Beside, read, unknown};
use crate::cli::{Failure, Outcome};
use crate::measures::playouts::generator;
use crate::model::{BranchKind, Game};
use crate::position::{Fault, Position};
use crate::reference::{Executor, PlayError, Setup, draw_ply};
use crate::report;
use crate::report::{Entry, Notice};
use crate::shipped::Shipped;
use crate::source::{Source, Sources};

#[derive(Serialize)]
struct Output {
    diagnostics: Vec<Entry>,
    files: usize,
    errors: usize,
    warnings: usize,
}

/// A file's notices and the texts they point into.
struct Report {
    notices: Vec<Notice>,
    sources: Sources,
}

pub fn run(args: &CheckArgs) -> Outcome {
    let mut reports = Vec::new();
    for path in &args.files {
        let (source, beside) = text(path)?;
        let checked = check::check(source.clone(), &beside);
        let mut notices: Vec<Notice> = checked.mistakes.iter().map(Notice::from).collect();
        if !checked.has_errors() {
            notices.extend(begun(&checked, args));
            notices.extend(crate::cli::test::notices(&checked, &source, &beside));
        }
        if args.playouts > 0 && !checked.has_errors() {
            notices.extend(played(&checked, args));
        }
        reports.push(Report { notices, sources: checked.sources });
    }
    let count = |severity| -> usize {
        let notices = reports.iter().flat_map(|report| &report.notices);
        notices.filter(|notice| notice.severity == severity).map(|notice| 1 + notice.more).sum()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if args.json {
        let diagnostics = reports.iter().flat_map(|report| report::entries(&report.notices, &report.sources)).collect();
        crate::cli::print_json(&Output { diagnostics, files: args.files.len(), errors, warnings })?;
    } else {
        tell(&reports, args.files.len(), errors, warnings)?;
    }
    Ok(if errors > 0 { ExitCode::from(crate::cli::RULES) } else { ExitCode::SUCCESS })
}

/// A file, or a shipped game by its name.
pub fn text(path: &Path) -> Result<(Source, Beside), Failure> {
    let shipped = path.to_str().filter(|_| !path.exists()).and_then(|name| Shipped.named(name));
    match shipped {
        Some(game) => Ok((game.source, Beside::shipped())),
        None if !path.exists() => Err(absent(&path.to_string_lossy())),
        None => Ok((read(path)?, Beside::file(path))),
    }
}

/// What to say where there is no such file or game. Other commands take `FILE:VARIANT`, so it is often tried here.
fn absent(name: &str) -> Failure {
    let is_known = |file: &str| Path::new(file).is_file() || Shipped.named(file).is_some();
    match name.rsplit_once(':').filter(|(file, _)| is_known(file)) {
        Some((file, _)) => Failure::usage(format!(
            "`{name}` names a variant, but a file is read with all its variants; write `{file}`"
        )),
        None => unknown(name),
    }
}

/// Notices on stderr, the sum on stdout.
fn tell(reports: &[Report], files: usize, errors: usize, warnings: usize) -> Result<(), Failure> {
    use std::io::Write;
    let mut err = anstream::stderr();
    for report in reports.iter().filter(|report| !report.notices.is_empty()) {
        let drawn = report::render(&report.notices, &report.sources, crate::cli::look());
        writeln!(err, "{drawn}")?;
    }
    let codes: Vec<String> = reports.iter().flat_map(|report| &report.notices).map(|n| n.code.clone()).collect();
    write!(err, "{}", crate::cli::explanation(&codes))?;
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    crate::cli::print(&format!(
        "{}: {}, {}\n",
        plural(files, "file"),
        if errors == 0 { "no errors".to_string() } else { plural(errors, "error") },
        if warnings == 0 { "no warnings".to_string() } else { plural(warnings, "warning") },
    ))
}

/// What is amiss with how the games of a file begin, each once. First turns may take seconds to
/// list, and a file may have many variants: those behind [`MAX_TIME_OF_STARTS`] are not looked at.
fn begun(checked: &Checked, args: &CheckArgs) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    let since = Instant::now();
    for game in checked.games.iter().take_while(|_| since.elapsed() < MAX_TIME_OF_STARTS) {
        let starts = if game.has_one_setup() { 1 } else { STARTS };
        let found = (0..starts).map(|number| begin(game, args.seed, number)).collect::<Option<Vec<_>>>();
        // What only some of the set-ups drawn by chance do may be meant.
        let notice = found.and_then(|mut found| found.pop());
        let is_new =
            |notice: &Notice| notice.span.source.0 == 1 && notices.iter().all(|other| other.span != notice.span);
        notices.extend(notice.filter(is_new));
    }
    notices
}

/// After so long no further game of a file is begun.
const MAX_TIME_OF_STARTS: Duration = Duration::from_secs(1);

/// Set-ups that are looked at, of those drawn by chance.
const STARTS: u64 = 3;

/// A set-up that goes wrong, or a game that is over with its first turn at the latest.
fn begin(game: &Game, seed: u64, number: u64) -> Option<Notice> {
    let mut executor = Executor::new();
    let mut rng = generator(seed, number);
    let mut position = match executor.start(game, Setup::Random(&mut rng)) {
        Ok(position) => position,
        // Playouts tell this as an error.
        Err(error) => {
            let told = crate::cli::setup_notice(game, &error);
            let message = format!("no game can begin: {}", told.message);
            return Some(Notice { code: String::from("play-setup"), severity: Severity::Warning, message, ..told });
        }
    };
    // Faults are told by playouts.
    let plies = executor.plies(game, &mut position).ok()?;
    if let Some(outcome) = position.outcome() {
        return Some(over_notice(game, outcome.by, format!("`{}` is over before its first turn", game.name())));
    }
    let mut after = plies.iter().map(|ply| {
        let mut next = position.clone();
        executor.play(game, &mut next, ply).ok().and(next.outcome()).map(|outcome| outcome.by)
    });
    let by = after.next()??;
    let all = after.all(|other| other.is_some());
    all.then(|| over_notice(game, by, format!("every first turn of `{}` ends the game", game.name())))
}

fn over_notice(game: &Game, by: usize, message: String) -> Notice {
    Notice {
        code: String::from("play-over-at-start"),
        severity: Severity::Warning,
        message,
        help: Some(String::from("look at the set-up with `lusoria show`; ask for what only play brings about")),
        span: game.end[by].span,
        label: String::from("holds at once"),
        other: None,
        is_within_call: false,
        more: 0,
    }
}

/// What the playouts of a file's games showed. An alternative counts as used if some game or
/// variant of the file used it.
fn played(checked: &Checked, args: &CheckArgs) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut used = Vec::new();
    for game in &checked.games {
        match play_game(game, args) {
            Ok((coverage, unfinished)) => {
                used.push((game, coverage));
                if unfinished > 0 {
                    notices.push(unfinished_notice(game, unfinished, args));
                }
            }
            Err(notice) => notices.push(notice),
        }
    }
    notices.extend(unused(&used, args));
    notices
}

fn unfinished_notice(game: &Game, unfinished: u64, args: &CheckArgs) -> Notice {
    Notice {
        code: String::from("play-unfinished"),
        severity: Severity::Warning,
        message: format!(
            "{unfinished} of {} games of `{}` did not end within {} turns",
            args.playouts,
            game.name(),
            args.max_turns
        ),
        help: Some(String::from("`draw if times(position) >= 3` ends games that come back to where they were")),
        span: game.end.first().map_or_else(Default::default, |outcome| outcome.span),
        label: String::from("none of the outcomes held"),
        other: None,
        is_within_call: false,
        more: 0,
    }
}

/// Branches that no game took, each once; what is of another file than the one checked is left out.
fn unused(used: &[(&Game, Vec<u64>)], args: &CheckArgs) -> Vec<Notice> {
    let mut totals: indexmap::IndexMap<_, (BranchKind, u64)> = indexmap::IndexMap::new();
    for (game, coverage) in used {
        for (branch, count) in game.branches.iter().zip(coverage) {
            totals.entry(branch.span).or_insert((branch.kind, 0)).1 += count;
        }
    }
    let own = |span: &crate::source::Span| span.source.0 == 1;
    let never = totals.iter().filter(|(span, (_, count))| own(span) && *count == 0);
    never.map(|(span, (kind, _))| unused_notice(*span, *kind, args.playouts)).collect()
}

fn unused_notice(span: crate::source::Span, kind: BranchKind, playouts: u64) -> Notice {
    let (code, what) = match kind {
        BranchKind::Outcome => ("play-outcome-unused", "this outcome never applied"),
        BranchKind::Alternative => ("play-alternative-unused", "this alternative was never taken"),
        BranchKind::Path => ("play-path-unused", "no move was made by this pattern"),
    };
    Notice {
        code: code.to_string(),
        severity: Severity::Warning,
        message: format!("{what} in {playouts} random games of each variant"),
        help: Some(String::from("it may be rare: more --playouts tell; or it cannot happen at all")),
        span,
        label: String::from("never"),
        other: None,
        is_within_call: false,
        more: 0,
    }
}

/// Coverage by branch and the number of unfinished games.
fn play_game(game: &Game, args: &CheckArgs) -> Result<(Vec<u64>, u64), Notice> {
    let mut executor = Executor::new();
    executor.record_coverage(game);
    let mut unfinished = 0;
    for number in 0..args.playouts {
        let mut rng = generator(args.seed, number);
        let start = executor.start(game, Setup::Random(&mut rng));
        let mut position = start.map_err(|error| crate::cli::setup_notice(game, &error))?;
        if !play_out(game, &mut executor, &mut position, &mut rng, args.max_turns)? {
            unfinished += 1;
        }
    }
    Ok((executor.coverage().map(<[u64]>::to_vec).unwrap_or_default(), unfinished))
}

/// Plays to the end; `false` if it was not reached.
fn play_out(
    game: &Game,
    executor: &mut Executor,
    position: &mut Position,
    rng: &mut impl rand::Rng,
    max_turns: u32,
) -> Result<bool, Notice> {
    while !position.is_over() && position.turns() < max_turns {
        let plies = executor.plies(game, position).map_err(|fault| fault_notice(game, fault, position))?;
        if plies.is_empty() {
            break;
        }
        match executor.play(game, position, &plies[draw_ply(&plies, rng)]) {
            Ok(_) | Err(PlayError::NotAMove) => {}
            Err(PlayError::Fault(fault)) => return Err(fault_notice(game, fault, position)),
        }
        position.forget();
    }
    Ok(position.is_over())
}

fn fault_notice(game: &Game, fault: Fault, position: &Position) -> Notice {
    let mut notice = Notice::from(&fault);
    notice.message =
        format!("{} (`{}`, position {})", notice.message, game.name(), crate::notation::position_text(game, position));
    notice
}
