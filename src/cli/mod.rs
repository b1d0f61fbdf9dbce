//! Command line: arguments go in; commands run, print and tell how it went. It is the only module
//! that reads files, the terminal and the clock.

mod args;
mod batches;
mod check;
mod list;
mod moves;
mod perft;
mod plan;
mod play;
mod record;
mod record_file;
mod select;
mod show;
mod simulate;
mod tally;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::cli::args::{Cli, Command, GameArgs};
use crate::game::{Error, Game, Position};
use crate::report;
use crate::report::{Look, Notice};
use crate::shipped::Shipped;

/// Why a command stopped: what to say on stderr, and the exit code.
#[derive(Debug)]
struct Failure {
    message: String,
    code: u8,
}

/// Mistakes in rules, faults of a game, illegal moves.
const RULES: u8 = 1;
/// Wrong usage, files that cannot be read or written.
const USAGE: u8 = 2;

impl Failure {
    fn usage(message: String) -> Failure {
        Failure { message: format!("error: {message}\n"), code: USAGE }
    }

    /// Text that is ready to print.
    fn rules(message: String) -> Failure {
        Failure { message, code: RULES }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        // Whoever read our output has stopped reading: nothing is wrong.
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Failure { message: String::new(), code: 0 };
        }
        Failure::usage(error.to_string())
    }
}

type Outcome = Result<ExitCode, Failure>;

/// Runs the command line and gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
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
            let _ = anstream::stderr().write_all(failure.message.as_bytes());
            ExitCode::from(failure.code)
        }
    }
}

fn dispatch(command: &Command) -> Outcome {
    match command {
        Command::Check(args) => crate::cli::check::run(args),
        Command::Simulate(args) => crate::cli::simulate::run(args),
        Command::Moves(args) => crate::cli::moves::run(args),
        Command::Perft(args) => crate::cli::perft::run(args),
        Command::Show(args) => crate::cli::show::run(args),
        Command::Plan(args) => crate::cli::plan::run(args),
        Command::List(args) => crate::cli::list::run(args),
        Command::Rules { game } => rules(game),
        Command::Completions { shell } => {
            // Generating panics where it cannot write, so it writes to memory.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "lusoria", &mut script);
            print(&String::from_utf8_lossy(&script))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The text of a shipped rules file.
fn rules(name: &str) -> Outcome {
    use crate::check::Library;
    let source = match Shipped.named(name) {
        Some(game) => game.source,
        None if name == "std" => Shipped.prelude(),
        None => return Err(Failure::usage(format!("there is no shipped game `{name}`; `lusoria list` shows them"))),
    };
    print(source.text())?;
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

/// An error of a game in words; `text` is what could not be read, if that was it.
/// A game is to be played by its plan, and has none.
fn unplanned(game: &Game, why: &crate::plan::Unplanned) -> Failure {
    let place = why.span.map(|span| format!(" at {}", game.model().sources.place(span))).unwrap_or_default();
    Failure::usage(format!("this game has no plan yet: {}{place}", why.why))
}

fn unbatched(game: &Game, why: crate::batch::Unbatched) -> Failure {
    Failure::usage(format!("{} cannot be played in lock step: {why}", game.name()))
}

fn failure(game: &Game, error: Error, text: Option<&str>) -> Failure {
    match error {
        Error::Fault { fault, position, .. } => {
            let notice = Notice::from(&fault);
            let drawn = report::render([&notice], &game.model().sources, look());
            Failure::rules(format!("{drawn}position: {position}\n"))
        }
        Error::Notation(error) => {
            let shown = text.map(|text| pointed(text, &error.span)).unwrap_or_default();
            let help = error.help().map(|help| format!("  help: {help}\n")).unwrap_or_default();
            Failure { message: format!("error[{}]: {}\n{shown}{help}", error.code(), error.message()), code: USAGE }
        }
        other => Failure { message: format!("error: {other}\n"), code: USAGE },
    }
}

/// A line of text with marks below a part of it.
fn pointed(text: &str, span: &std::ops::Range<usize>) -> String {
    let before = text.get(..span.start).map_or(0, |part| part.chars().count());
    let width = text.get(span.clone()).map_or(1, |part| part.chars().count().max(1));
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("  {line}\n  {}{}\n", " ".repeat(before), "^".repeat(width))
}
