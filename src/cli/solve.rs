//! Command `solve`: a position goes in; its exact value, the values of its moves and the best line
//! come out.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::Serialize;

use crate::cli::args::SolveArgs;
use crate::cli::{Failure, Outcome};
use crate::game::Move;
use crate::player::{Solver, Value};

/// Plies of a line that is told.
const MOST_TOLD: usize = 40;

#[derive(Serialize)]
struct Told {
    position: String,
    to_move: String,
    #[serde(flatten)]
    value: ToldValue,
    moves: Vec<ToldMove>,
    /// Best play, as far as it is known.
    line: Vec<String>,
    positions: u64,
    /// Plies that were looked ahead.
    depth: u16,
    seconds: f64,
}

#[derive(Serialize)]
struct ToldValue {
    /// `win`, `draw`, `loss` or `unknown`, for the player to move.
    value: &'static str,
    /// To the end, if both play best.
    plies: Option<u16>,
}

#[derive(Serialize)]
struct ToldMove {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    value: ToldValue,
}

impl From<Value> for ToldValue {
    fn from(value: Value) -> ToldValue {
        let (value, plies) = match value {
            Value::Win(plies) => ("win", Some(plies)),
            Value::Draw => ("draw", None),
            Value::Loss(plies) => ("loss", Some(plies)),
            Value::Unknown => ("unknown", None),
        };
        ToldValue { value, plies }
    }
}

pub fn run(args: &SolveArgs) -> Outcome {
    let game = crate::cli::select::load(&args.at.game)?.with_plan();
    crate::cli::expect_no_chance(&game)?;
    if game.players().len() != 2 {
        return Err(Failure::usage(format!("{} is not a game for two players", game.name())));
    }
    let position = crate::cli::position_behind(&game, &args.at, args.json)?;
    let stop = crate::cli::interruption();
    let begun = Instant::now();
    let go_on = |_: u64, _: u16| !stop.load(Ordering::Relaxed) && begun.elapsed() < args.time;
    let mut solver = Solver::new(&position, args.memory);
    let solution = solver.solve(&position, go_on).map_err(|error| crate::cli::failure(&game, error, None))?;
    let line = match solution.value {
        Value::Unknown => Vec::new(),
        _ => solver.line(&position, MOST_TOLD, go_on).map_err(|error| crate::cli::failure(&game, error, None))?,
    };
    let told = Told {
        position: position.to_string(),
        to_move: position.chooser().unwrap_or_default().to_string(),
        value: solution.value.into(),
        moves: (solution.moves.iter())
            .map(|(made, value)| ToldMove { text: made.to_string(), value: (*value).into() })
            .collect(),
        line: line.iter().map(Move::to_string).collect(),
        positions: solver.nodes(),
        depth: solution.depth,
        seconds: begun.elapsed().as_secs_f64(),
    };
    match args.json {
        true => crate::cli::print_json(&told)?,
        false => crate::cli::print(&text(&told))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn value_text(value: &ToldValue) -> String {
    match value.plies {
        Some(plies) => format!("{} in {plies}", value.value),
        None => value.value.to_string(),
    }
}

fn text(told: &Told) -> String {
    let mut text = format!("{} to move: {}\n", told.to_move, told.position);
    text += &match told.value.value {
        "unknown" => format!("unknown: not solved within {} plies\n", told.depth),
        _ => format!("{}\n", value_text(&told.value)),
    };
    for made in &told.moves {
        text += &format!("  {:<12} {}\n", made.text, value_text(&made.value));
    }
    if !told.line.is_empty() {
        text += &format!("line: {}\n", told.line.join("  "));
    }
    text + &format!("{} positions in {:.2} s\n", told.positions, told.seconds)
}
