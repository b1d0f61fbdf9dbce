//! Command `test`: rules files go in; which of their own examples do not hold comes out.

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;

use crate::check;
use crate::check::{Checked, Library, Settings, Severity};
use crate::cli::Outcome;
use crate::cli::args::TestArgs;
use crate::game::{FailedExample, Game};
use crate::report;
use crate::report::{Entry, Notice};
use crate::source::Source;

#[derive(Serialize)]
struct Output {
    files: usize,
    examples: usize,
    failed: Vec<Failed>,
    /// Mistakes of files that cannot be tested.
    errors: Vec<Entry>,
}

#[derive(Serialize)]
struct Failed {
    /// The game or variant.
    game: String,
    example: String,
    position: Option<String>,
    /// The call that tells which lines decide.
    why: Option<String>,
    #[serde(flatten)]
    entry: Entry,
}

/// An example that failed, of a game or variant.
pub struct Told {
    pub game: Game,
    pub failed: FailedExample,
}

pub fn run(args: &TestArgs) -> Outcome {
    let mut all = Output { files: args.files.len(), examples: 0, failed: Vec::new(), errors: Vec::new() };
    let mut codes = Vec::new();
    for path in &args.files {
        let (source, beside) = crate::cli::check::text(path)?;
        let name = source.name().to_string();
        let checked = check::check(source.clone(), &beside);
        if checked.has_errors() {
            let notices = checked.mistakes.iter().map(Notice::from);
            let errors: Vec<Notice> = notices.filter(|it| it.severity == Severity::Error).collect();
            all.errors.extend(report::entries(&errors, &checked.sources));
            if !args.json {
                crate::cli::print(&format!("{name}: not tested, it has mistakes\n"))?;
                let drawn = report::render(&errors, &checked.sources, crate::cli::look());
                writeln!(anstream::stderr(), "{drawn}")?;
                codes.extend(errors.into_iter().map(|error| error.code));
            }
            continue;
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
    anstream::stderr().write_all(crate::cli::explanation(&codes).as_bytes())?;
    let code = if all.failed.is_empty() && all.errors.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(crate::cli::RULES)
    };
    if args.json {
        crate::cli::print_json(&all)?;
    }
    Ok(code)
}

/// The examples of a file's games that do not hold.
pub fn failures(checked: &Checked, source: &Source, library: &dyn Library) -> Vec<Told> {
    attempts(checked, source, library).flatten().collect()
}

/// How each example of a file's games fails, if it does; each is held when it is asked for.
pub fn attempts<'a>(
    checked: &'a Checked,
    source: &'a Source,
    library: &'a dyn Library,
) -> impl Iterator<Item = Option<Told>> + 'a {
    let asking = checked.games.iter().filter(|game| !game.examples.is_empty());
    let load = move |game: &crate::model::Game| {
        let settings = Settings { variant: game.variant.clone(), params: Vec::new() };
        Game::load(source.clone(), library, &settings).ok()
    };
    let games = asking.filter_map(load);
    let told = |game: Game| {
        let asks_perft = |claim: &(crate::model::Claim, _)| matches!(claim.0, crate::model::Claim::Perft(_));
        let counts = game.model().examples.iter().flat_map(|example| &example.claims).any(asks_perft);
        let game = if counts { game } else { game.without_plan() };
        let all = 0..game.model().examples.len();
        all.map(move |index| Some(Told { failed: game.failed_example(index)?, game: game.clone() }))
    };
    games.flat_map(told)
}

/// What fails of a checked file, as errors.
pub fn notices(checked: &Checked, source: &Source, library: &dyn Library) -> Vec<Notice> {
    failures(checked, source, library).iter().map(with_why).collect()
}

/// What fails, of [`why`] in the words of a help.
pub fn with_why(told: &Told) -> Notice {
    let mut notice = notice(told);
    if let (Some(help), Some(why)) = (&mut notice.help, why(told)) {
        *help += &format!("; `{why}` tells which lines decide");
    }
    notice
}

/// The call that tells which lines decide of a move that was asked about.
pub fn why(told: &Told) -> Option<String> {
    let FailedExample { span, position, asked, .. } = &told.failed;
    let model = told.game.model();
    let place = model.sources.place(*span);
    let file = place.rsplitn(3, ':').last().unwrap_or_default();
    let game = model.variant.as_ref().map_or(file.to_string(), |variant| format!("{file}:{variant}"));
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_+=:,./@%".contains(letter);
    // A shell takes a word with other marks apart.
    let quoted = |text: &str| if text.chars().all(is_plain) { text.to_string() } else { format!("\"{text}\"") };
    let (position, asked) = (position.as_ref()?, asked.as_ref()?);
    Some(format!("lusoria why {} --position \"{position}\" {}", quoted(&game), quoted(asked)))
}

/// What fails, without a call of [`why`]: it is a line of its own where the board is drawn, to be copied whole.
pub fn notice(told: &Told) -> Notice {
    let FailedExample { title, span, message, position, .. } = &told.failed;
    let whose = told.game.model().variant.as_ref().map(|variant| format!(" (`{variant}`)")).unwrap_or_default();
    let at = position.as_ref().map(|position| format!(", position {position}")).unwrap_or_default();
    Notice {
        code: String::from("example-failed"),
        severity: Severity::Error,
        message: format!("{message}{whose}{at}"),
        help: Some(format!("mend the rules, or what `{title}` claims of them")),
        span: *span,
        label: String::from("does not hold"),
        other: None,
        is_within_call: false,
        more: 0,
    }
}

/// The error, the board, and how to ask for the lines that decide.
fn drawn(told: &Told) -> String {
    let notice = report::render([&notice(told)], &told.game.model().sources, crate::cli::look());
    let board = told.failed.position.as_ref().and_then(|position| position.drawing(false).ok());
    let why = why(told).map(|why| format!("Which lines decide:\n  {why}\n\n")).unwrap_or_default();
    format!("{notice}\n{}\n{why}", board.unwrap_or_default())
}

fn data(told: &Told) -> Failed {
    let entry = report::entries([&with_why(told)], &told.game.model().sources).swap_remove(0);
    Failed {
        game: told.game.name().to_string(),
        example: told.failed.title.clone(),
        position: told.failed.position.as_ref().map(ToString::to_string),
        why: why(told),
        entry,
    }
}
