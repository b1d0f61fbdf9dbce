//! Commands `why` and `trace`: a position and a move go in; why the move is legal or not, or its run
//! through the rules, is printed.

use std::process::ExitCode;

use crate::cli::args::{TraceArgs, WhyArgs};
use crate::cli::{Failure, Outcome, RULES};
use crate::game::{Known, Reason, Trace, Why};

pub fn run(args: &WhyArgs) -> Outcome {
    let game = crate::cli::select::load(&args.at.game)?;
    let position = crate::cli::position_behind(&game, &args.at, args.json)?;
    let why = position.why(&args.text).map_err(|error| crate::cli::failure(&game, error, Some(&args.text)))?;
    if args.json {
        crate::cli::print_json(&why)?;
    } else {
        crate::cli::print(&told(&why))?;
    }
    Ok(if why.legal { ExitCode::SUCCESS } else { ExitCode::from(RULES) })
}

pub fn trace(args: &TraceArgs) -> Outcome {
    let game = crate::cli::select::load(&args.at.game)?;
    let position = crate::cli::position_behind(&game, &args.at, args.json)?;
    let trace = position.trace(&args.text).map_err(|error| {
        let failure = crate::cli::failure(&game, error, Some(&args.text));
        let note = "  note: only a legal move has a run; `lusoria why` tells why this one is not legal\n";
        Failure { message: failure.message + note, code: RULES, ..failure }
    })?;
    if args.json {
        crate::cli::print_json(&trace)?;
    } else {
        crate::cli::print(&gone(&trace))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Why a move is legal or not, as text.
pub fn told(why: &Why) -> String {
    let mut text = format!("{}\n", why.answer);
    if why.legal && !why.reasons.is_empty() {
        text += "It goes through these lines of the rules:\n\n";
        let steps = why.reasons.iter().map(|one| (format!("{}  {}", one.place, one.rule), one.says.as_str()));
        text += &columns(&steps.collect::<Vec<_>>());
        return text;
    }
    for reason in &why.reasons {
        text += "\n";
        text += &reasoned(reason);
    }
    if !why.near.is_empty() {
        text += if why.reasons.is_empty() { "\n" } else { "\nLegal moves that are written much alike:\n" };
        let near: Vec<(String, &str)> = why.near.iter().map(|near| (near.text.clone(), near.does.as_str())).collect();
        text += &columns(&near);
    }
    text
}

fn reasoned(reason: &Reason) -> String {
    let mut text = format!("{}  {}\n", reason.place, reason.rule);
    text += &format!("  {}.\n", reason.says);
    for way in &reason.ways {
        text += &format!("    {}  {}\n", way.place, way.rule);
        if !way.says.is_empty() {
            text += &format!("      {}.\n", way.says);
        }
        text += &values(&way.values, 4);
    }
    text + &values(&reason.values, 2)
}

/// Names with their values, what they are made of below them.
fn values(known: &[Known], depth: usize) -> String {
    let mut text = String::new();
    for one in known {
        text += &format!("{}{} = {}\n", "  ".repeat(depth), one.name, one.value);
        text += &values(&one.within, depth + 1);
    }
    text
}

/// Two columns.
fn columns(lines: &[(String, &str)]) -> String {
    let width = lines.iter().map(|(left, _)| left.chars().count()).max().unwrap_or(0);
    let line = |(left, right): &(String, &str)| {
        let blanks = " ".repeat(width - left.chars().count());
        format!("  {left}{blanks}   {right}").trim_end().to_string() + "\n"
    };
    lines.iter().map(line).collect()
}

/// The run of a move, as text.
pub fn gone(trace: &Trace) -> String {
    let mut text = format!("{} plays {}\n\n", trace.player, trace.text);
    let heads: Vec<String> = trace.steps.iter().map(|step| format!("{}  {}", step.place, step.rule)).collect();
    let width = heads.iter().map(|head| head.chars().count()).filter(|width| *width < 90).max().unwrap_or(0);
    for (step, head) in trace.steps.iter().zip(&heads) {
        let blanks = " ".repeat(width.saturating_sub(head.chars().count()));
        let did = step.did.as_deref().unwrap_or_default();
        text += format!("{head}{blanks}   {did}").trim_end();
        text += "\n";
        text += &values(&step.values, 2);
        text += &values(&step.names, 2);
        if let Some(board) = &step.board {
            text += "\n";
            text.extend(board.lines().map(|line| format!("    {line}").trim_end().to_string() + "\n"));
            text += "\n";
        }
    }
    if let Some(position) = &trace.position {
        text += &format!("\n{position}\n");
    }
    if let Some(outcome) = &trace.outcome {
        text += &format!("{outcome}\n");
    }
    text
}
