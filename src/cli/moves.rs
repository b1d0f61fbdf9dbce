//! Command `moves`: a position, or many read from stdin, goes in; its legal plies come out.

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;

use crate::cli::args::MovesArgs;
use crate::cli::select::Line;
use crate::cli::{Failure, Outcome};
use crate::game::{Error, Game, Position};

/// A move, the position after it, and the outcome if it ends the game.
#[derive(Serialize)]
struct Entry {
    #[serde(rename = "move")]
    text: String,
    /// Of what chance chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    /// The same as a fraction.
    #[serde(skip)]
    fraction: String,
    position: String,
    /// Names; `null` while the game goes on, empty for a draw.
    winners: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Answer {
    position: String,
    /// `null`: chance is to choose.
    to_move: Option<String>,
    /// Of a position in which nobody can move.
    winners: Option<Vec<String>>,
    /// How the game came out, and by which line of the rules.
    over: Option<String>,
    moves: Vec<Entry>,
}

pub fn run(args: &MovesArgs) -> Outcome {
    let game = crate::cli::select::load(&args.at.game)?;
    let text = args.at.position.as_deref();
    if text == Some("-") {
        return match args.at.moves.is_empty() && args.at.move_file.is_none() {
            true => many(&game, args.json),
            false => Err(Failure::usage("`--position -` takes no moves: they would be of one position".to_string())),
        };
    }
    let mut position = crate::cli::position_behind(&game, &args.at, args.json)?;
    let answer = answer(&mut position, args.json).map_err(|error| crate::cli::failure(&game, error, text))?;
    if args.json {
        crate::cli::print_json(&answer)?;
    } else {
        crate::cli::print(
            &answer.moves.iter().map(|entry| format!("{}{}\n", entry.text, entry.fraction)).collect::<String>(),
        )?;
    }
    tell_over(&position, "")?;
    Ok(ExitCode::SUCCESS)
}

/// Tells on stderr that no move is left because the game is over; `whose` stands before it.
fn tell_over(position: &Position, whose: &str) -> Result<(), Failure> {
    if let Some(how) = position.outcome_text() {
        anstream::stderr().write_all(format!("{whose}the game is over: {how}\n").as_bytes())?;
    }
    Ok(())
}

/// Most numbers of lines that the last error lists.
const MOST_LISTED: usize = 10;

/// One line of answer for each line of stdin; a line that cannot be read or a fault is told in its
/// place, with its number.
fn many(game: &Game, json: bool) -> Outcome {
    let mut failed = Vec::new();
    let mut explained = Vec::new();
    for (before, line) in crate::cli::select::lines(std::io::stdin().lock()).enumerate() {
        let (number, line) = (before + 1, line?);
        let asked = match &line {
            Line::Text(text) if text.trim().is_empty() => {
                crate::cli::print("\n")?;
                continue;
            }
            Line::Text(text) => game.position(text).and_then(|mut position| {
                let answer = answer(&mut position, json)?;
                Ok((position, answer))
            }),
            Line::TooLong => {
                failed.push(number);
                tell_error(number, "error: it is longer than 1 MiB", json)?;
                continue;
            }
        };
        match asked {
            Ok((position, answer)) => {
                if json {
                    crate::cli::print_json(&answer)?;
                } else {
                    // A move may hold blanks (`c4 g4`), so moves are set apart by a comma.
                    let texts: Vec<_> = answer.moves.iter().map(|entry| entry.text.clone() + &entry.fraction).collect();
                    crate::cli::print(&format!("{}\n", texts.join(", ")))?;
                }
                tell_over(&position, &format!("line {number}: "))?;
            }
            Err(error) => {
                failed.push(number);
                let failure = crate::cli::failure(game, error, None);
                explained.extend(failure.explained);
                tell_error(number, failure.message.lines().next().unwrap_or_default(), json)?;
            }
        }
    }
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let numbers: Vec<String> = failed.iter().take(MOST_LISTED).map(usize::to_string).collect();
    let more = if failed.len() > MOST_LISTED { ", ..." } else { "" };
    let which = if failed.len() == 1 { "a position" } else { "some positions" };
    let message = format!("error: {which} could not be answered: line {}{more}\n", numbers.join(", "));
    Err(Failure { message, code: crate::cli::RULES, explained })
}

/// What stands in the place of an answer.
fn tell_error(number: usize, error: &str, json: bool) -> Result<(), Failure> {
    match json {
        true => crate::cli::print_json(&serde_json::json!({ "line": number, "error": error })),
        false => crate::cli::print(&format!("line {number}: {error}\n")),
    }
}

fn answer(position: &mut Position, with_positions: bool) -> Result<Answer, Error> {
    let listed = position.legal_moves()?;
    let mut moves = Vec::with_capacity(listed.len());
    for one in listed {
        let probability = one.chance();
        let fraction = probability.map_or_else(String::new, |probability| format!(" {probability}"));
        let probability = probability.map(|probability| probability.value());
        let (text, position_after) = (one.to_string(), String::new());
        let mut entry = Entry { text, probability, fraction, position: position_after, winners: None };
        if with_positions {
            position.play(&one)?;
            entry.position = position.to_string();
            entry.winners = position.outcome().map(|outcome| outcome.winners);
            position.undo();
        }
        moves.push(entry);
    }
    Ok(Answer {
        position: position.to_string(),
        to_move: position.chooser().map(str::to_string),
        winners: position.outcome().map(|outcome| outcome.winners),
        over: position.outcome_text(),
        moves,
    })
}
