//! Command `perft`: a depth goes in; how many sequences of moves there are comes out.

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;

use crate::cli::Failure;
use crate::cli::Outcome;
use crate::cli::args::{ExecutorArg, PerftArgs, UnitArg};
use crate::game::Game;
use crate::interp::Engine;
use crate::notation;
use crate::position::Position;
use crate::reference::{Executor, PerftOptions, Unit};

#[derive(Serialize)]
struct Counted {
    depth: u32,
    /// What chance can choose was counted too: each as a branch, without its weight.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    chance_counted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Behind>>,
    count: u64,
}

#[derive(Serialize)]
struct Behind {
    #[serde(rename = "move")]
    text: String,
    count: u64,
}

impl From<UnitArg> for Unit {
    fn from(unit: UnitArg) -> Unit {
        match unit {
            UnitArg::Turn => Unit::Turn,
            UnitArg::Ply => Unit::Ply,
            UnitArg::Result => Unit::Result,
        }
    }
}

/// The plan to count by; none if the reference executor is to count, or has to. `start` is the one position, if there is one.
///
/// # Errors
/// What the executor that was asked for cannot count.
pub fn engine(game: &Game, args: &PerftArgs, start: Option<&Position>) -> Result<Option<Engine>, Failure> {
    if args.executor == Some(ExecutorArg::Reference) {
        return Ok(None);
    }
    // What plies there are, and which positions are one, the reference executor tells; without plies in
    // its rules a game has turns only.
    let unit = Unit::from(args.unit);
    let turns = unit == Unit::Turn || unit == Unit::Ply && !game.model().asks.plies;
    // The position after a first move is loaded anew: what was before it, or whose opening it ended, is
    // not known there.
    let is_opening = start.is_some_and(|start| start.opening().is_some());
    let is_between_turns = start.is_none_or(|start| start.begun().is_empty());
    let engine = match (game.engine(), args.executor) {
        (Ok(engine), _) => engine,
        (Err(why), Some(_)) => return Err(crate::cli::unplanned(game, &why)),
        (Err(_), None) => return Ok(None),
    };
    let in_the_way = if !engine.has_perft() && game.model().asks.chance {
        "where chance chooses, only the reference executor counts moves: leave out `--executor scalar`"
    } else if !engine.has_perft() {
        "where turns that fall into plies are compared, only the reference executor counts them: leave out `--executor scalar`"
    } else if !turns {
        "the scalar executor counts whole turns: leave out `--executor scalar`, or `--unit`"
    } else if engine.has_continuations() && (args.divide || !is_between_turns) {
        "where turns fall into plies, only the reference executor divides, or counts from within one: leave out `--executor scalar`"
    } else if args.divide && is_opening {
        "in an opening, only the reference executor divides: leave out `--executor scalar`"
    } else if args.divide && engine.turns_ask_history() {
        "where turns ask `times` or `cycle`, only the reference executor divides: leave out `--executor scalar`"
    } else {
        return Ok(Some(engine));
    };
    if args.executor.is_some() { Err(Failure::usage(in_the_way.to_string())) } else { Ok(None) }
}

pub fn run(args: &PerftArgs) -> Outcome {
    match (&args.suite, args.depth) {
        (Some(path), _) => crate::cli::suite::run(args, path),
        (None, depth) => run_one(args, depth.unwrap_or_default()),
    }
}

fn run_one(args: &PerftArgs, depth: u32) -> Outcome {
    let game = crate::cli::select::load(&args.at.game)?;
    let start = crate::cli::position_behind(&game, &args.at, args.json)?;
    let mut state = start.state().clone();
    let mut executor = Executor::new();
    let options = PerftOptions { unit: args.unit.into(), past_draws: args.past_draws };
    let fault = |fault| {
        crate::cli::failure(
            &game,
            crate::game::Error::Fault { fault, place: String::new(), position: start.to_string() },
            None,
        )
    };
    if args.at.position.is_some() || !args.at.moves.is_empty() || args.at.move_file.is_some() {
        executor.judge_for_perft(game.model(), &mut state, options);
    }
    let engine = engine(&game, args, Some(&state))?;
    let asks_past = engine.as_ref().is_some_and(Engine::turns_ask_history) && start.state().history().len() > 1;
    let mut runner = engine.filter(|_| !asks_past).map(|engine| engine.runner());
    let chance_counted = game.model().asks.chance;
    let mut counted = Counted { depth, chance_counted, divide: None, count: 0 };
    if args.divide && depth > 0 {
        let behind = |position: &Position| {
            let runner = runner.as_mut()?;
            runner.load(position).then(|| runner.perft(depth - 1, args.past_draws))
        };
        let divided = executor.divide(game.model(), &mut state, depth, options, behind).map_err(fault)?;
        let (plies, counts): (Vec<_>, Vec<_>) = divided.into_iter().unzip();
        let texts = notation::ply_texts(game.model(), &plies);
        counted.count = counts.iter().sum();
        counted.divide = Some(texts.into_iter().zip(counts).map(|(text, count)| Behind { text, count }).collect());
    } else {
        let by_plan = match &mut runner {
            Some(runner) => runner.load(&state).then(|| runner.perft(depth, args.past_draws)),
            // A position that the plan has played keeps what it asks of those before. Behind the end of a game the
            // reference executor counts.
            None if asks_past && !start.is_over() => {
                crate::cli::position_behind(&game.with_plan(), &args.at, args.json)?
                    .perft_with_history(depth, args.past_draws)
            }
            None => None,
        };
        let count = by_plan.unwrap_or_else(|| executor.perft(game.model(), &mut state, depth, options));
        counted.count = count.map_err(fault)?;
    }
    if chance_counted && !args.json {
        let told = "note: what chance can choose is counted too, each choice as a branch\n";
        anstream::stderr().write_all(told.as_bytes())?;
    }
    if args.json {
        crate::cli::print_json(&counted)?;
    } else {
        let lines = counted
            .divide
            .iter()
            .flatten()
            .map(|behind| format!("{} {}\n", behind.text, behind.count))
            .collect::<String>();
        crate::cli::print(&format!("{lines}{}\n", counted.count))?;
    }
    Ok(ExitCode::SUCCESS)
}
