//! Command `show`: a position goes in; its drawing as text comes out.

use std::process::ExitCode;

use serde::Serialize;

use crate::cli::args::ShowArgs;
use crate::cli::{Failure, Outcome};
use crate::game::{Error, MovesError, Position};

#[derive(Serialize)]
struct Shown {
    game: String,
    position: String,
    /// `null`: chance is to choose.
    to_move: Option<String>,
    /// Names; `null` while the game goes on, empty for a draw.
    winners: Option<Vec<String>>,
    /// How the game came out, and by which line of the rules.
    over: Option<String>,
}

/// Why a move was not played.
#[derive(Serialize)]
struct Stopped {
    error: String,
    code: &'static str,
    /// The place of the move in the list, from 1.
    ply: usize,
    #[serde(rename = "move")]
    text: String,
    position: String,
    /// How the game came out, if it was over.
    over: Option<String>,
}

pub fn run(args: &ShowArgs) -> Outcome {
    let game = crate::cli::select::load(&args.at.game)?;
    let position = crate::cli::position_behind(&game, &args.at, args.json)?;
    // Whether a given position leaves its player a move is known only once it is asked.
    let faulty = position.legal_moves().err();
    if args.json {
        let winners = position.outcome().map(|outcome| outcome.winners);
        let to_move = position.chooser().map(str::to_string);
        crate::cli::print_json(&Shown {
            game: game.name().to_string(),
            position: position.to_string(),
            to_move,
            winners,
            over: position.outcome_text(),
        })?;
    } else {
        crate::cli::print(&drawn(&position, args.ascii).map_err(|error| crate::cli::failure(&game, error, None))?)?;
    }
    match faulty {
        Some(error) => Err(crate::cli::failure(&game, error, None)),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn drawn(position: &Position, ascii: bool) -> Result<String, crate::game::Error> {
    let drawing = position.drawing_in(crate::cli::paint(ascii))?;
    let mut text = format!("{}\n\n{drawing}\n", position.game().name());
    text += &hands(position);
    let turn = position.to_move();
    text += &match (position.outcome(), position.chooser()) {
        (None, Some(chooser)) if chooser == turn => format!("{turn} to move\n"),
        (None, Some(chooser)) => format!("{chooser} to choose in the turn of {turn}\n"),
        (None, None) => format!("chance to choose in the turn of {turn}\n"),
        (Some(_), _) => position.outcome_text().map(|how| how + "\n").unwrap_or_default(),
    };
    text += &format!("{position}\n");
    Ok(text)
}

/// A move that could not be played: its place in the list, the position, and whether the game was
/// over. As data that is told on stdout too.
pub fn unplayed(position: &Position, stopped: MovesError, json: bool) -> Result<Failure, Failure> {
    let MovesError { ply, text, position: before, over, error } = stopped;
    let what = match &over {
        Some(how) => format!("the game was over before it: {how}"),
        None => format!("{} was to choose", position.chooser().unwrap_or("chance")),
    };
    let code = if let Error::Notation(error) = &error { error.code() } else { "fault" };
    let (mut told, plain) = (crate::cli::failure(position.game(), error.clone(), Some(&text)), error.to_string());
    told.message += &format!("  note: `{text}` is ply {ply} of those given; {what}\n  position: {before}\n");
    told.code = crate::cli::RULES;
    if json {
        let stopped = Stopped { error: plain, code, ply, text, position: before, over };
        crate::cli::print_json(&stopped)?;
    }
    Ok(told)
}

/// Men in hand and remembered values, those that have left their first value.
fn hands(position: &Position) -> String {
    let keys: Vec<String> =
        position.to_string().split(' ').skip(2).take_while(|word| *word != ":").map(str::to_string).collect();
    keys.iter().map(|key| format!("{}\n", key.replace('=', ": "))).collect()
}
