//! Command `test`: rules files go in; which of their own examples do not hold comes out.

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;

use crate::check;
use crate::check::{Checked, Settings, Severity};
use crate::cli::args::TestArgs;
use crate::cli::select::Beside;
use crate::cli::{Failure, Outcome};
use crate::game::{FailedExample, Game};
use crate::report;
use crate::report::{Entry, Notice};
use crate::source::Source;

#[derive(Serialize)]
struct Output {
    files: usize,
    examples: usize,
    failed: Vec<Failed>,
}

#[derive(Serialize)]
struct Failed {
    /// The game or variant.
    game: String,
    example: String,
    position: Option<String>,
    #[serde(flatten)]
    entry: Entry,
}

/// An example that failed, of a game or variant.
pub struct Told {
    pub game: Game,
    pub failed: FailedExample,
}

pub fn run(args: &TestArgs) -> Outcome {
    let mut all = Output { files: args.files.len(), examples: 0, failed: Vec::new() };
    for path in &args.files {
        let (source, beside) = crate::cli::check::text(path)?;
        let name = source.name().to_string();
        let checked = check::check(source.clone(), &beside);
        if checked.has_errors() {
            let notices = checked.mistakes.iter().map(Notice::from);
            let errors: Vec<Notice> = notices.filter(|it| it.severity == Severity::Error).collect();
            return Err(Failure::rules(&errors, &checked.sources));
        }
        let count: usize = checked.games.iter().map(|game| game.examples.len()).sum();
        let failed = failures(&checked, &source, &beside);
        all.examples += count;
        if !args.json {
            let how = match failed.len() {
                0 if count == 0 => String::from("no examples"),
                0 if count == 1 => String::from("1 example holds"),
                0 => format!("{count} examples hold"),
                bad => format!("{bad} of {count} examples fail"),
            };
            // A line for each file is the progress.
            crate::cli::print(&format!("{name}: {how}\n"))?;
            for told in &failed {
                anstream::stderr().write_all(drawn(told).as_bytes())?;
            }
        }
        all.failed.extend(failed.iter().map(data));
    }
    let code = if all.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(crate::cli::RULES) };
    if args.json {
        crate::cli::print_json(&all)?;
    }
    Ok(code)
}

/// The examples of a file's games that do not hold.
pub fn failures(checked: &Checked, source: &Source, beside: &Beside) -> Vec<Told> {
    let asking = checked.games.iter().filter(|game| !game.examples.is_empty());
    let load = |game: &crate::model::Game| {
        let settings = Settings { variant: game.variant.clone(), params: Vec::new() };
        Game::load(source.clone(), beside, &settings).ok()
    };
    let games = asking.filter_map(load);
    let told = |game: Game| {
        let asks_perft = |claim: &(crate::model::Claim, _)| matches!(claim.0, crate::model::Claim::Perft(_));
        let counts = game.model().examples.iter().flat_map(|example| &example.claims).any(asks_perft);
        let game = if counts { game } else { game.without_plan() };
        game.failed_examples().into_iter().map(move |failed| Told { game: game.clone(), failed })
    };
    games.flat_map(told).collect()
}

/// What fails of a checked file, as errors.
pub fn notices(checked: &Checked, source: &Source, beside: &Beside) -> Vec<Notice> {
    failures(checked, source, beside).iter().map(notice).collect()
}

pub fn notice(told: &Told) -> Notice {
    let FailedExample { title, span, message, position, asked } = &told.failed;
    let whose = told.game.model().variant.as_ref().map(|variant| format!(" (`{variant}`)")).unwrap_or_default();
    let at = position.as_ref().map(|position| format!(", position {position}")).unwrap_or_default();
    let reasons = position.as_ref().zip(asked.as_ref()).map(|(position, text)| {
        let model = told.game.model();
        let place = model.sources.place(*span);
        let file = place.rsplitn(3, ':').last().unwrap_or_default();
        let game = model.variant.as_ref().map_or(file.to_string(), |variant| format!("{file}:{variant}"));
        let quoted = |text: &str| if text.contains(' ') { format!("\"{text}\"") } else { text.to_string() };
        let (game, text) = (quoted(&game), quoted(text));
        format!("; `lusoria why {game} --position \"{position}\" {text}` tells which lines decide")
    });
    Notice {
        code: String::from("example-failed"),
        severity: Severity::Error,
        message: format!("{message}{whose}{at}"),
        help: Some(format!("mend the rules, or what `{title}` claims of them{}", reasons.unwrap_or_default())),
        span: *span,
        label: String::from("does not hold"),
        other: None,
        is_within_call: false,
        more: 0,
    }
}

/// The error, and the board.
fn drawn(told: &Told) -> String {
    let notice = report::render([&notice(told)], &told.game.model().sources, crate::cli::look());
    let board = told.failed.position.as_ref().and_then(|position| position.drawing(false).ok());
    format!("{notice}\n{}\n", board.unwrap_or_default())
}

fn data(told: &Told) -> Failed {
    let entry = report::entries([&notice(told)], &told.game.model().sources).swap_remove(0);
    Failed {
        game: told.game.name().to_string(),
        example: told.failed.title.clone(),
        position: told.failed.position.as_ref().map(ToString::to_string),
        entry,
    }
}
