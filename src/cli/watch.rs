//! Command `watch`: a rules file goes in; each time it is saved, its mistakes, examples, board and
//! some random games come out.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use crate::check;
use crate::check::{Checked, Settings, Severity};
use crate::cli::args::WatchArgs;
use crate::cli::select::{Beside, read};
use crate::cli::test::Told;
use crate::cli::{Failure, Outcome, interruption};
use crate::game::Game;
use crate::report;
use crate::report::{Entry, Notice};
use crate::source::Source;

/// How long a save may go unnoticed.
const PAUSE: Duration = Duration::from_millis(100);
/// How long the random games may take.
const MOST_TIME: Duration = Duration::from_secs(5);

/// What came out of a save.
#[derive(Serialize)]
struct Seen {
    file: String,
    errors: usize,
    warnings: usize,
    examples: usize,
    diagnostics: Vec<Entry>,
    /// Where the first example that fails is asked; where none fails, where play begins.
    board: Option<String>,
    /// The title of that example.
    failing: Option<String>,
    /// The call of `why` that tells which lines decide there.
    why: Option<String>,
    played: Option<Played>,
}

/// Random games.
#[derive(Default, Serialize)]
struct Played {
    games: u64,
    /// Games won by each player, in turn order.
    wins: Vec<(String, u64)>,
    draws: u64,
    unfinished: u64,
    turns: u64,
    /// A fault of the rules ended the games.
    fault: Option<String>,
}

pub fn run(args: &WatchArgs) -> Outcome {
    let stop = interruption();
    // What cannot be read at first is a wrong use; later it may be in the middle of being saved.
    read(&args.file)?;
    let mut files = vec![args.file.clone()];
    let (mut looked_at, mut last): (Option<Vec<Option<Source>>>, _) = (None, Vec::new());
    while !stop.load(Ordering::Relaxed) {
        let now: Vec<Option<Source>> = files.iter().map(|file| read(file).ok()).collect();
        // What still changes is being written.
        let is_settled = now == last;
        if is_settled
            && looked_at.as_ref() != Some(&now)
            && let Some(Some(source)) = now.first()
        {
            let around = look(args, source)?;
            looked_at = Some(now.clone());
            if around != files {
                files = around;
                let more = files.iter().skip(now.len()).map(|file| read(file).ok());
                let seen: Vec<Option<Source>> = now.iter().take(files.len()).cloned().chain(more).collect();
                looked_at = Some(seen);
            }
        }
        last = now;
        std::thread::sleep(PAUSE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Looks at a text of the file; the file, and those that it extends.
fn look(args: &WatchArgs, source: &Source) -> Result<Vec<PathBuf>, Failure> {
    let mut files = vec![args.file.clone()];
    let beside = Beside::file(&args.file);
    let checked = check::check(source.clone(), &beside);
    files.extend(checked.sources.names().map(PathBuf::from).filter(|path| *path != args.file && path.is_file()));
    let mut notices: Vec<Notice> = checked.mistakes.iter().map(Notice::from).collect();
    let game = if checked.has_errors() { None } else { Game::load(source.clone(), &beside, &Settings::default()).ok() };
    let failures = if game.is_some() { crate::cli::test::failures(&checked, source, &beside) } else { Vec::new() };
    notices.extend(failures.iter().map(crate::cli::test::notice));
    tell(args, &checked, &notices, game.as_ref(), failures.first())?;
    Ok(files)
}

fn tell(
    args: &WatchArgs,
    checked: &Checked,
    notices: &[Notice],
    game: Option<&Game>,
    failed: Option<&Told>,
) -> Result<(), Failure> {
    let why = failed.and_then(crate::cli::test::why);
    let failed = failed.and_then(|told| Some((&told.failed.title, told.failed.position.clone()?)));
    let shown = match &failed {
        Some((_, position)) => Some(position.clone()),
        None => game.and_then(|game| game.start(args.seed).ok()),
    };
    let count = |severity| notices.iter().filter(|notice| notice.severity == severity).map(|one| 1 + one.more).sum();
    let seen = Seen {
        file: args.file.display().to_string(),
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        examples: checked.games.iter().map(|game| game.examples.len()).sum(),
        diagnostics: report::entries(notices, &checked.sources),
        board: shown.and_then(|position| position.drawing(!args.json && crate::cli::colours()).ok()),
        failing: failed.map(|(title, _)| title.clone()),
        why,
        played: game.filter(|_| args.games > 0).map(|game| played(game, args)),
    };
    if args.json {
        return crate::cli::print_json(&seen);
    }
    // At a terminal each save begins a page of its own.
    let clear = if std::io::stdout().is_terminal() { "\x1b[2J\x1b[H" } else { "" };
    let mut text = format!("{clear}{}\n", heading(&seen));
    if !notices.is_empty() {
        let look = report::Look { colour: crate::cli::colours(), ..report::Look::default() };
        text += &report::render(notices, &checked.sources, look);
    }
    if let Some(board) = &seen.board {
        let whose = seen.failing.as_ref().map(|title| format!("where `{title}` fails:\n")).unwrap_or_default();
        text += &format!("\n{whose}{board}\n");
    }
    if let Some(why) = &seen.why {
        text += &format!("Which lines decide:\n  {why}\n\n");
    }
    if let Some(played) = &seen.played {
        text += &format!("{}\n", games(played));
    }
    crate::cli::print(&format!("{text}\n"))
}

fn heading(seen: &Seen) -> String {
    let many = |count: usize, word: &str| match count {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        count => format!("{count} {word}s"),
    };
    format!(
        "{}: {}, {}, {}",
        seen.file,
        many(seen.errors, "error"),
        many(seen.warnings, "warning"),
        many(seen.examples, "example")
    )
}

fn games(played: &Played) -> String {
    let mut parts: Vec<String> = played.wins.iter().map(|(player, wins)| format!("{player} {wins}")).collect();
    if played.draws > 0 {
        parts.push(format!("draws {}", played.draws));
    }
    if played.unfinished > 0 {
        parts.push(format!("unfinished {}", played.unfinished));
    }
    let turns = played.turns.checked_div(played.games).unwrap_or(0);
    let fault = played.fault.as_ref().map(|fault| format!("\n{fault}")).unwrap_or_default();
    format!("{} random games: {}; {turns} turns on average{fault}", played.games, parts.join(", "))
}

fn played(game: &Game, args: &WatchArgs) -> Played {
    let began = Instant::now();
    let names = game.players().into_iter().map(|name| (name.to_string(), 0)).collect();
    let mut all = Played { wins: names, ..Played::default() };
    for number in 0..args.games {
        if began.elapsed() > MOST_TIME || interruption().load(Ordering::Relaxed) {
            break;
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.seed.wrapping_add(number));
        let playout =
            game.start(args.seed.wrapping_add(number)).and_then(|start| start.playout(&mut rng, args.max_turns));
        match playout {
            Ok(playout) => {
                all.games += 1;
                all.turns += playout.turns;
                match playout.outcome {
                    None => all.unfinished += 1,
                    Some(outcome) if outcome.winners.is_empty() => all.draws += 1,
                    Some(outcome) => {
                        let won = all.wins.iter_mut().filter(|(name, _)| outcome.winners.contains(name));
                        won.for_each(|(_, wins)| *wins += 1);
                    }
                }
            }
            Err(error) => {
                all.fault = Some(error.to_string());
                break;
            }
        }
    }
    all
}
