//! Command `moves`: a position, or many read from stdin, goes in; its legal plies come out.

use std::process::ExitCode;

use serde::Serialize;

use crate::cli::args::MovesArgs;
use crate::cli::{Failure, Outcome};
use crate::game::{Error, Game, Position};

/// A move, the position after it, and the outcome if it ends the game.
#[derive(Serialize)]
struct Entry {
    #[serde(rename = "move")]
    text: String,
    position: String,
    /// Names; `null` while the game goes on, empty for a draw.
    winners: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Answer {
    position: String,
    to_move: String,
    /// Of a position in which nobody can move.
    winners: Option<Vec<String>>,
    moves: Vec<Entry>,
}

pub fn run(args: &MovesArgs) -> Outcome {
    let game = crate::cli::select::load(&args.game)?;
    if args.position.as_deref() == Some("-") {
        return many(&game, args.json);
    }
    let text = args.position.as_deref();
    let mut position = crate::cli::position(&game, &args.game, text)?;
    let answer = answer(&mut position, args.json).map_err(|error| crate::cli::failure(&game, error, text))?;
    if args.json {
        crate::cli::print_json(&answer)?;
    } else {
        crate::cli::print(&answer.moves.iter().map(|entry| format!("{}\n", entry.text)).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// One line of answer for each line of stdin; a line that cannot be read or a fault is told in its
/// place.
fn many(game: &Game, json: bool) -> Outcome {
    let mut failed = false;
    for line in crate::cli::select::lines(std::io::stdin().lock()) {
        let line = line?;
        if line.trim().is_empty() {
            crate::cli::print("\n")?;
            continue;
        }
        match game.position(&line).and_then(|mut position| answer(&mut position, json)) {
            Ok(answer) if json => crate::cli::print_json(&answer)?,
            Ok(answer) => {
                // A move may hold blanks (`c4 g4`), so moves are set apart by a comma.
                let texts: Vec<_> = answer.moves.iter().map(|entry| entry.text.as_str()).collect();
                crate::cli::print(&format!("{}\n", texts.join(", ")))?;
            }
            Err(error) => {
                failed = true;
                let message = crate::cli::failure(game, error, Some(&line)).message;
                let first = message.lines().next().unwrap_or_default().to_string();
                let answer = if json { serde_json::json!({ "error": first }).to_string() } else { first };
                crate::cli::print(&format!("{answer}\n"))?;
            }
        }
    }
    if failed {
        return Err(Failure {
            message: String::from("error: some positions could not be answered\n"),
            code: crate::cli::RULES,
        });
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(position: &mut Position, with_positions: bool) -> Result<Answer, Error> {
    let listed = position.legal_moves()?;
    let mut moves = Vec::with_capacity(listed.len());
    for one in listed {
        let mut entry = Entry { text: one.to_string(), position: String::new(), winners: None };
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
        to_move: position.chooser().to_string(),
        winners: position.outcome().map(|outcome| outcome.winners),
        moves,
    })
}
