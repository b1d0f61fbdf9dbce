//! Command `solve`: a position goes in; its exact value, the values of its moves and the best line
//! come out.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::Serialize;

use crate::cli::args::{MethodArg, SolveArgs};
use crate::cli::{Failure, Outcome};
use crate::game::{Error, Game, Move, Position};
use crate::player::{ProofSearch, Retrograde, Solution, Solver, Value};

/// Plies of a line that is told.
const MOST_TOLD: usize = 40;
/// What retrograde analysis may take where nobody has asked for it: bytes, and a share of the time.
const TRIED_BYTES: usize = 1 << 27;
const TRIED_SHARE: u32 = 4;

#[derive(Serialize)]
struct Told {
    position: String,
    to_move: String,
    #[serde(flatten)]
    value: ToldValue,
    moves: Vec<ToldMove>,
    /// Best play, as far as it is known.
    line: Vec<String>,
    /// `forward`, `retrograde` or `proof`.
    method: &'static str,
    /// Positions that were looked at; by retrograde analysis, all that can be reached.
    positions: u64,
    /// By retrograde analysis: of all positions, how many the player to move wins and loses, and how many nobody can win.
    won_lost_drawn: Option<[usize; 3]>,
    /// By retrograde analysis: the ways to turn and mirror the board that no rule can tell. Positions that they make of
    /// each other are one.
    symmetries: Option<usize>,
    /// Plies that were looked ahead; by retrograde analysis, of the longest win.
    depth: u16,
    seconds: f64,
}

#[derive(Serialize)]
struct ToldValue {
    /// `win`, `draw`, `loss` or `unknown`, for the player to move.
    value: &'static str,
    /// To the end, if both play best; `proof` does not tell it.
    plies: Option<u16>,
    /// Of a draw: play goes round for ever, unless somebody gives something away.
    endless: bool,
}

#[derive(Serialize)]
struct ToldMove {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    value: ToldValue,
}

impl From<Value> for ToldValue {
    fn from(found: Value) -> ToldValue {
        let (value, plies) = match found {
            Value::Win(plies) => ("win", Some(plies)),
            Value::Won => ("win", None),
            Value::Lost => ("loss", None),
            Value::Draw | Value::Endless => ("draw", None),
            Value::Loss(plies) => ("loss", Some(plies)),
            Value::Unknown => ("unknown", None),
        };
        ToldValue { value, plies, endless: found == Value::Endless }
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
    let is_over = |share: u32| stop.load(Ordering::Relaxed) || begun.elapsed() >= args.time / share;
    let found = solve(args, &position, is_over).map_err(|error| crate::cli::failure(&game, error, None))?;
    let Some(Found { method, solution, line, positions, all }) = found else { return Err(unfit(&game, &position)) };
    let told = Told {
        position: position.to_string(),
        to_move: position.chooser().unwrap_or_default().to_string(),
        value: solution.value.into(),
        moves: (solution.moves.iter())
            .map(|(made, value)| ToldMove { text: made.to_string(), value: (*value).into() })
            .collect(),
        line: line.iter().map(Move::to_string).collect(),
        method,
        positions,
        won_lost_drawn: all.map(|(tally, _)| tally),
        symmetries: all.map(|(_, symmetries)| symmetries),
        depth: solution.depth,
        seconds: begun.elapsed().as_secs_f64(),
    };
    match args.json {
        true => crate::cli::print_json(&told)?,
        false => crate::cli::print(&text(&told))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What a method has found.
struct Found {
    method: &'static str,
    solution: Solution,
    line: Vec<Move>,
    positions: u64,
    /// By retrograde analysis: what positions are worth, and how many symmetries the rules have.
    all: Option<([usize; 3], usize)>,
}

/// Solves by the method that is asked for; else by retrograde analysis, if all positions are few, and
/// forward otherwise. `is_over` tells whether a share of the time is. `None`: the method that was asked
/// for does not fit.
fn solve(args: &SolveArgs, position: &Position, is_over: impl Fn(u32) -> bool) -> Result<Option<Found>, Error> {
    if args.method == MethodArg::Proof {
        if !ProofSearch::knows(position) {
            return Ok(None);
        }
        let mut search = ProofSearch::new(position.game(), args.memory);
        let solution = search.solve(position, |_| !is_over(1))?;
        return Ok(Some(Found { method: "proof", solution, line: Vec::new(), positions: search.nodes(), all: None }));
    }
    if args.method != MethodArg::Forward {
        let (memory, share) = match args.method {
            MethodArg::Retrograde => (args.memory, 1),
            _ => (args.memory.min(TRIED_BYTES), TRIED_SHARE),
        };
        let all = Retrograde::new(position, memory, |_| !is_over(share))?;
        if let Some(all) = all
            && let Some(solution) = all.solution(position)?
        {
            let (line, positions) = (all.line(position, MOST_TOLD)?, all.positions() as u64);
            let all = Some((all.tally(), all.symmetries()));
            return Ok(Some(Found { method: "retrograde", solution, line, positions, all }));
        }
    }
    if args.method == MethodArg::Retrograde {
        return Ok(None);
    }
    let go_on = |_: u64, _: u16| !is_over(1);
    let mut solver = Solver::new(position, args.memory);
    let solution = solver.solve(position, go_on)?;
    let line = match solution.value {
        Value::Unknown => Vec::new(),
        _ => solver.line(position, MOST_TOLD, go_on)?,
    };
    Ok(Some(Found { method: "forward", solution, line, positions: solver.nodes(), all: None }))
}

/// Why retrograde analysis has found nothing.
fn unfit(game: &Game, position: &Position) -> Failure {
    Failure::usage(match Retrograde::knows(position) {
        true => String::from("not all positions were listed within --memory and --time; --method forward lists fewer"),
        false => {
            format!("values of {} depend on the history of a position, which --method forward alone asks", game.name())
        }
    })
}

fn value_text(value: &ToldValue) -> String {
    match value.plies {
        Some(plies) => format!("{} in {plies}", value.value),
        None if value.endless => String::from("draw, as play goes round"),
        None => value.value.to_string(),
    }
}

fn text(told: &Told) -> String {
    let mut text = format!("{} to move: {}\n", told.to_move, told.position);
    text += &match told.value.value {
        "unknown" if told.method == "proof" => String::from("unknown: not proven\n"),
        "unknown" => format!("unknown: not solved within {} plies\n", told.depth),
        _ => format!("{}\n", value_text(&told.value)),
    };
    for made in &told.moves {
        text += &format!("  {:<12} {}\n", made.text, value_text(&made.value));
    }
    if !told.line.is_empty() {
        text += &format!("line: {}\n", told.line.join("  "));
    }
    let which = if told.method == "retrograde" { "all " } else { "" };
    text += &format!("{which}{} positions in {:.2} s\n", told.positions, told.seconds);
    if let Some([won, lost, drawn]) = told.won_lost_drawn {
        text += &format!("the player to move wins {won} of them and loses {lost}; {drawn} are drawn\n");
    }
    match told.symmetries {
        Some(count) if count > 1 => {
            text + &format!("positions that one of {count} symmetries makes of each other are one\n")
        }
        _ => text,
    }
}
