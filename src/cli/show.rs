//! Command `show`: a position goes in; its drawing as text comes out.

use std::process::ExitCode;

use serde::Serialize;

use crate::cli::args::ShowArgs;
use crate::cli::{Failure, Outcome};
use crate::game::Position;

#[derive(Serialize)]
struct Shown {
    game: String,
    position: String,
    to_move: String,
    /// Names; `null` while the game goes on, empty for a draw.
    winners: Option<Vec<String>>,
}

pub fn run(args: &ShowArgs) -> Outcome {
    let game = crate::cli::select::load(&args.game)?;
    let mut position = crate::cli::position(&game, &args.game, args.position.as_deref())?;
    for text in &args.moves {
        position
            .play_text(text)
            .map_err(|error| Failure { code: crate::cli::RULES, ..crate::cli::failure(&game, error, Some(text)) })?;
    }
    // Whether a given position leaves its player a move is known only once it is asked.
    let faulty = position.legal_moves().err();
    if args.json {
        let winners = position.outcome().map(|outcome| outcome.winners);
        let to_move = position.chooser().to_string();
        crate::cli::print_json(&Shown {
            game: game.name().to_string(),
            position: position.to_string(),
            to_move,
            winners,
        })?;
    } else {
        crate::cli::print(&drawn(&mut position).map_err(|error| crate::cli::failure(&game, error, None))?)?;
    }
    match faulty {
        Some(error) => Err(crate::cli::failure(&game, error, None)),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn drawn(position: &mut Position) -> Result<String, crate::game::Error> {
    let drawing = position.drawing(crate::cli::colours())?;
    let mut text = format!("{}\n\n{drawing}\n", position.game().name());
    text += &hands(position);
    text += &match position.outcome() {
        None if position.chooser() == position.to_move() => format!("{} to move\n", position.to_move()),
        None => format!("{} to choose in the turn of {}\n", position.chooser(), position.to_move()),
        Some(outcome) => ended(position, &outcome),
    };
    text += &format!("{position}\n");
    Ok(text)
}

/// `White wins: win if no enemy (breakthrough.rules:27)`.
fn ended(position: &Position, outcome: &crate::game::Outcome) -> String {
    let model = position.game().model();
    let by = &model.end[outcome.by];
    let line: String = model.sources.slice(by.span).split_whitespace().collect::<Vec<_>>().join(" ");
    let place = model.sources.place(by.span);
    let who = if outcome.winners.is_empty() {
        "a draw".to_string()
    } else {
        format!("{} wins", outcome.winners.join(" and "))
    };
    format!("{who}: {line} ({place})\n")
}

/// Men in hand and remembered values, those that have left their first value.
fn hands(position: &Position) -> String {
    let keys: Vec<String> =
        position.to_string().split(' ').skip(2).take_while(|word| *word != ":").map(str::to_string).collect();
    keys.iter().map(|key| format!("{}\n", key.replace('=', ": "))).collect()
}
