//! Command line: arguments go in; commands run, print and tell how it went. It is the only module
//! that reads files, the terminal and the clock.

mod analyse;
mod args;
mod batches;
mod check;
mod chooser;
mod contest;
mod convert;
mod coverage;
mod coverage_part;
mod diff;
mod draw;
mod elo;
mod engine;
mod explain;
mod fmt;
pub mod functions;
mod games;
mod import;
mod interactive;
mod list;
mod lsp;
mod man;
mod matches;
mod merge;
mod moves;
mod new;
mod opponent;
mod part;
mod perft;
mod plan;
mod play;
mod record;
mod record_file;
mod report;
mod report_part;
mod select;
mod shard;
mod show;
mod simulate;
mod solve;
mod suite;
mod sweep;
mod test;
mod tune;
mod watch;
mod web;
mod why;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};

use crate::check::Severity;
use crate::cli::args::{Cli, Command, GameArgs, PositionArgs, RulesArgs};
use crate::game::{Error, Game, Position};
use crate::model::Statement;
use crate::notation::{NotationError, NotationErrorKind};
use crate::reference::SetupError;
use crate::render::Paint;
use crate::report::{Look, Notice};
use crate::shipped::Shipped;
use crate::source::Sources;

/// Why a command stopped: what to say on stderr, and the exit code.
#[derive(Debug)]
struct Failure {
    message: String,
    code: u8,
    /// The codes in the message that `explain` has pages of.
    explained: Vec<String>,
}

/// What a program gives back that was interrupted, as shells have it.
const INTERRUPTED: u8 = 130;

/// The user has had enough.
static ENOUGH: AtomicBool = AtomicBool::new(false);

/// Becomes true at the first Ctrl-C, SIGTERM or SIGHUP; the second ends the program.
fn interruption() -> &'static AtomicBool {
    // Without a handler an interruption ends the run at once, as ever.
    let _ = ctrlc::set_handler(|| {
        if ENOUGH.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    &ENOUGH
}

/// Mistakes in rules, faults of a game, illegal moves.
const RULES: u8 = 1;
/// Wrong usage, files that cannot be read or written.
const USAGE: u8 = 2;

impl Failure {
    /// A file that cannot be written, and why.
    fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such folder".into(),
            std::io::ErrorKind::AlreadyExists => "it is there already".into(),
            std::io::ErrorKind::PermissionDenied => "that is not allowed".into(),
            std::io::ErrorKind::IsADirectory => "it is a folder".into(),
            _ => error.to_string(),
        };
        Failure::usage(format!("cannot write `{}`: {why}", path.display()))
    }

    /// What is long in the making is not begun where its file could not be written.
    fn require_folder(path: &Path) -> Result<(), Failure> {
        match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) if !folder.is_dir() => Err(Failure::cannot_write(path, &std::io::ErrorKind::NotFound.into())),
            _ => Ok(()),
        }
    }

    fn usage(message: String) -> Failure {
        Failure { message: format!("error: {message}\n"), code: USAGE, explained: Vec::new() }
    }

    /// Mistakes in rules, or a fault of a game.
    fn rules(notices: &[Notice], sources: &Sources) -> Failure {
        let explained = notices.iter().map(|notice| notice.code.clone()).collect();
        Failure { message: crate::report::render(notices, sources, look()), code: RULES, explained }
    }

    /// What has a code, but stands in no text of rules.
    fn coded(code: &str, message: &str, exit: u8) -> Failure {
        Failure { message: format!("error[{code}]: {message}\n"), code: exit, explained: vec![code.to_string()] }
    }
}

/// How to learn more of the codes that a run has told.
fn explanation(codes: &[String]) -> String {
    match codes {
        [] => String::new(),
        [code, rest @ ..] if rest.iter().all(|other| other == code) => {
            format!("`lusoria explain {code}` says more\n")
        }
        _ => String::from("`lusoria explain CODE` says more of each code\n"),
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        // Whoever read our output has stopped reading: nothing is wrong.
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Failure { message: String::new(), code: 0, explained: Vec::new() };
        }
        Failure::usage(error.to_string())
    }
}

type Outcome = Result<ExitCode, Failure>;

/// Runs the command line and gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    let cli = match parsed(crate::cli::args::with_players(arguments)) {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { USAGE } else { 0 };
            // Nothing is left to be done if even this cannot be printed.
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    match dispatch(&cli.command) {
        Ok(code) => code,
        Err(failure) => {
            let text = failure.message + &explanation(&failure.explained);
            let _ = anstream::stderr().write_all(text.as_bytes());
            ExitCode::from(failure.code)
        }
    }
}

fn parsed(arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    // A number below 0 is a wrong value, not an option that nobody knows.
    let mut command = Cli::command().mut_subcommands(|command| {
        command.mut_args(|argument| match argument.get_action().takes_values() {
            true => argument.allow_negative_numbers(true),
            false => argument,
        })
    });
    let matches = command.try_get_matches_from_mut(arguments);
    let mut matches = matches.map_err(|error| with_number(error, &command))?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// A number that every option with a number takes, to show how one is written.
const NUMBER: &str = "16";

/// The parser of numbers speaks of digits in a string; a word for a number gets an example in place of that.
fn with_number(error: clap::Error, command: &clap::Command) -> clap::Error {
    let is_word = std::error::Error::source(&error)
        .and_then(|source| source.downcast_ref::<ParseIntError>())
        .is_some_and(|source| *source.kind() == IntErrorKind::InvalidDigit);
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg).filter(|_| is_word).cloned() else {
        return error;
    };
    let mut told = clap::Error::new(ErrorKind::ValueValidation).with_cmd(command);
    for kind in [ContextKind::InvalidArg, ContextKind::InvalidValue] {
        if let Some(value) = error.get(kind) {
            told.insert(kind, value.clone());
        }
    }
    let written = match argument.split_once(' ') {
        Some((option, _)) => format!("{option} {NUMBER}"),
        None => NUMBER.to_string(),
    };
    let tip = format!("write a whole number in digits, such as `{written}`");
    told.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    told
}

fn dispatch(command: &Command) -> Outcome {
    match command {
        Command::Check(args) => crate::cli::check::run(args),
        Command::New(args) => crate::cli::new::run(args),
        Command::Test(args) => crate::cli::test::run(args),
        Command::Fmt(args) => crate::cli::fmt::run(args),
        Command::Simulate(args) => crate::cli::simulate::run(args),
        Command::Merge(args) => crate::cli::merge::run(args),
        Command::Moves(args) => crate::cli::moves::run(args),
        Command::Perft(args) => crate::cli::perft::run(args),
        Command::Show(args) => crate::cli::show::run(args),
        Command::Diff(args) => crate::cli::diff::run(args),
        Command::Watch(args) => crate::cli::watch::run(args),
        Command::Why(args) => crate::cli::why::run(args),
        Command::Trace(args) => crate::cli::why::trace(args),
        Command::Coverage(args) => crate::cli::coverage::run(args),
        Command::Report(args) => crate::cli::report::run(args),
        Command::Draw(args) => crate::cli::draw::run(args),
        Command::Play(args) => crate::cli::interactive::run(args),
        Command::Analyse(args) => crate::cli::analyse::run(args),
        Command::Engine(args) => crate::cli::engine::run(args),
        Command::Solve(args) => crate::cli::solve::run(args),
        Command::Match(args) => crate::cli::matches::run(args),
        Command::Tune(args) => crate::cli::tune::run(args),
        Command::Plan(args) => crate::cli::plan::run(args),
        Command::List(args) => crate::cli::list::run(args),
        Command::Convert(args) => crate::cli::convert::run(args),
        Command::Import(args) => crate::cli::import::run(args),
        Command::Explain(args) => crate::cli::explain::run(args),
        Command::Web(args) => crate::cli::web::run(args),
        Command::Lsp(args) => crate::cli::lsp::run(args),
        Command::Man(args) => crate::cli::man::run(args),
        Command::Rules(args) => rules(args),
        Command::Completions { shell } => {
            // Generating panics where it cannot write, so it writes to memory.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "lusoria", &mut script);
            print(&String::from_utf8_lossy(&script))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// A shipped rules file.
#[derive(serde::Serialize)]
struct ShippedText {
    /// What commands call it.
    name: String,
    /// `null` for the prelude, which is no game.
    title: Option<String>,
    text: String,
}

/// The text of a shipped rules file.
fn rules(args: &RulesArgs) -> Outcome {
    use crate::check::Library;
    let (name, title, source) = match Shipped.named(&args.game) {
        Some(game) => (game.stem, Some(game.title), game.source),
        None if args.game == "std" => ("std", None, Shipped.prelude()),
        None => {
            return Err(Failure::usage(format!("there is no shipped game `{}`; `lusoria list` shows them", args.game)));
        }
    };
    if args.json {
        print_json(&ShippedText { name: name.to_string(), title, text: source.text().to_string() })?;
    } else {
        print(source.text())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes to stdout.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::usage(error.to_string()))?;
    print(&format!("{text}\n"))
}

/// stdout shows colours: a terminal, and `NO_COLOR` is not set.
fn colours() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never && std::io::stdout().is_terminal()
}

/// What boards on stdout are made of: of ASCII without colours where nobody watches or `NO_COLOR` is set; of ASCII also
/// where it is asked for, or where the terminal may know nothing else.
fn paint(ascii: bool) -> Paint {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(|name| std::env::var(name).ok());
    paint_for(colours(), ascii, locale.into_iter().find(|value| !value.is_empty()).as_deref())
}

fn paint_for(colours: bool, ascii: bool, locale: Option<&str>) -> Paint {
    // macOS sets no locale for programs that it starts without a shell, and Windows never does; both know Unicode.
    let knows_unicode = locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    match (colours, ascii || !knows_unicode) {
        (false, _) => Paint::Plain,
        (true, true) => Paint::Colours,
        (true, false) => Paint::Figures,
    }
}

/// How notices look on stderr.
fn look() -> Look {
    let colour = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never
        && std::io::stderr().is_terminal();
    Look { colour, ..Look::default() }
}

/// The set-up, or the position that is given.
fn position(game: &Game, args: &GameArgs, text: Option<&str>) -> Result<Position, Failure> {
    let position = match (text, args.setup) {
        (Some(text), _) => game.position(text),
        (None, Some(number)) => game.start_numbered(number),
        (None, None) => game.start(args.seed),
    };
    position.map_err(|error| failure(game, error, text))
}

/// The position that some moves lead to. One that cannot be played is told, with the position before
/// it; with `json` as data on stdout too.
fn position_behind(game: &Game, at: &PositionArgs, json: bool) -> Result<Position, Failure> {
    let mut position = match at.move_file.as_deref() {
        Some(file) => position_of_file(game, at, file, json)?,
        None => position(game, &at.game, at.position.as_deref())?,
    };
    match position.play_moves(at.moves.iter().map(String::as_str)) {
        Ok(()) => Ok(position),
        Err(stopped) => {
            let options = parted(&stopped.error);
            let failure = crate::cli::show::unplayed(&position, stopped, json)?;
            Err(Failure { message: failure.message + &options, ..failure })
        }
    }
}

/// How the moves are given that stand in one text.
fn parted(error: &Error) -> String {
    match error {
        Error::Notation(NotationError { kind: NotationErrorKind::UnknownMove { parts, rest, .. }, .. })
            if rest.is_empty() && !parts.is_empty() =>
        {
            let options: Vec<String> = parts.iter().map(|one| format!("--move {}", quoted(one))).collect();
            format!("  help: write `{}`\n", options.join(" "))
        }
        _ => String::new(),
    }
}

/// A move as a word of a shell.
fn quoted(text: &str) -> String {
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "-+=.".contains(c));
    if is_plain { text.to_string() } else { format!("\"{text}\"") }
}

/// The position behind the moves of a file. What cannot be played is told with the file and its line.
fn position_of_file(game: &Game, at: &PositionArgs, file: &str, json: bool) -> Result<Position, Failure> {
    let record = crate::cli::games::one(file)?;
    let said = if at.position.is_none() { crate::cli::games::start(game, &record)? } else { None };
    let mut position = match said {
        Some(begun) => begun,
        None => position(game, &at.game, at.position.as_deref())?,
    };
    match crate::cli::games::play(&mut position, &record, |_, _| Ok(())) {
        Ok(()) => Ok(position),
        Err(crate::cli::games::Stop::Other(failure)) => Err(failure),
        Err(crate::cli::games::Stop::Move(line, stopped)) => {
            let failure = crate::cli::show::unplayed(&position, *stopped, json)?;
            Err(Failure { message: format!("{file}:{line}:\n{}", failure.message), ..failure })
        }
    }
}

/// Commands that look ahead, or in which players alone make the moves, do not know chance yet.
fn expect_no_chance(game: &Game) -> Result<(), Failure> {
    if game.model().asks.chance { Err(Failure::usage(Error::Chance.to_string())) } else { Ok(()) }
}

/// A game is to be played by its plan, and has none.
fn unplanned(game: &Game, why: &crate::plan::Unplanned) -> Failure {
    let place = why.span.map(|span| format!(" at {}", game.model().sources.place(span))).unwrap_or_default();
    Failure::usage(format!("this game has no plan yet: {}{place}", why.why))
}

fn unbatched(game: &Game, why: crate::batch::Unbatched) -> Failure {
    Failure::usage(format!("{} cannot be played in lock step: {why}", game.name()))
}

/// An error of a game in words; `text` is what could not be read, if that was it.
fn failure(game: &Game, error: Error, text: Option<&str>) -> Failure {
    match error {
        Error::Fault { fault, position, .. } => {
            let failure = Failure::rules(&[Notice::from(&fault)], &game.model().sources);
            Failure { message: format!("{}position: {position}\n", failure.message), ..failure }
        }
        Error::Notation(error) => {
            let shown = text.map(|text| pointed(text, &error.span)).unwrap_or_default();
            let help = error.help().map(|help| format!("  help: {help}\n")).unwrap_or_default();
            let failure = Failure::coded(error.code(), &error.message(), USAGE);
            Failure { message: format!("{}{shown}{help}", failure.message), ..failure }
        }
        Error::Setup(error @ SetupError::OutOfRange { .. }) => {
            let failure = Failure::coded(error.code(), &error.to_string(), USAGE);
            Failure { message: format!("{}  help: {}\n", failure.message, error.help()), ..failure }
        }
        Error::Setup(error) => Failure::rules(&[setup_notice(game.model(), &error)], &game.model().sources),
        Error::Chance | Error::NotAMove => Failure::usage(error.to_string()),
    }
}

/// A set-up that goes wrong, told where it does, or at the last of its conditions and choices.
fn setup_notice(game: &crate::model::Game, error: &SetupError) -> Notice {
    if let SetupError::Fault(fault) = error {
        return Notice::from(fault);
    }
    let mut conditions = game.block(game.setup.block).iter().filter_map(|statement| match statement {
        Statement::Need { span, .. } | Statement::Pick { span, .. } => Some(*span),
        _ => None,
    });
    Notice {
        code: error.code().to_string(),
        severity: Severity::Error,
        message: format!("{error} (`{}`)", game.name()),
        help: Some(error.help().to_string()),
        span: conditions.next_back().or(game.end.first().map(|outcome| outcome.span)).unwrap_or_default(),
        label: String::from("here at the latest"),
        other: None,
        is_within_call: false,
        more: 0,
    }
}

/// A line of text with marks below a part of it.
fn pointed(text: &str, span: &std::ops::Range<usize>) -> String {
    let before = text.get(..span.start).map_or(0, |part| part.chars().count());
    let width = text.get(span.clone()).map_or(1, |part| part.chars().count().max(1));
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("  {line}\n  {}{}\n", " ".repeat(before), "^".repeat(width))
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::num::ParseIntError;

    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use crate::cli::args::Cli;
    use crate::cli::{NUMBER, paint_for, parsed};
    use crate::render::Paint;

    /// The example of a number must be one of the argument that it stands for.
    #[test]
    fn words_for_numbers_get_an_example() {
        let mut numbers = 0;
        for command in Cli::command().get_subcommands() {
            for argument in command.get_opts() {
                let Some(option) = argument.get_long() else { continue };
                let raw =
                    |value: &str| ["lusoria", command.get_name(), &format!("--{option}"), value].map(String::from);
                let plain = Cli::command().try_get_matches_from(raw("ten"));
                let Some(true) = plain.err().map(|error| error.source().is_some_and(|s| s.is::<ParseIntError>()))
                else {
                    continue;
                };
                let tell = |value: &str| parsed(raw(value).map(Into::into).to_vec()).err();
                let told = tell("ten").map(|error| error.to_string()).unwrap_or_default();
                let name = format!("{} --{option}", command.get_name());
                assert!(told.contains(&format!("such as `--{option} {NUMBER}`")), "{name}: {told}");
                assert!(!told.contains("invalid digit"), "{name}: {told}");
                let kind = tell(NUMBER).map(|error| error.kind());
                assert_ne!(kind, Some(ErrorKind::ValueValidation), "{name}");
                numbers += 1;
            }
        }
        assert!(numbers > 30, "{numbers}");
    }

    #[test]
    fn figures_need_a_terminal_that_knows_them() {
        assert_eq!(paint_for(false, false, Some("de_DE.UTF-8")), Paint::Plain);
        assert_eq!(paint_for(true, false, Some("de_DE.UTF-8")), Paint::Figures);
        assert_eq!(paint_for(true, false, Some("C.utf8")), Paint::Figures);
        assert_eq!(paint_for(true, false, None), Paint::Figures);
        assert_eq!(paint_for(true, true, Some("de_DE.UTF-8")), Paint::Colours);
        assert_eq!(paint_for(true, false, Some("POSIX")), Paint::Colours);
    }
}
