//! Pass runner: the name of one pass and the text of a plan go in; the text of what this pass alone
//! makes of the plan comes out.

use std::fmt;

use crate::plan::code::{BoardFacts, RegLayout};
use crate::plan::codegen::linearize::linearize;
use crate::plan::codegen::{CODE_PASSES, CodeRun};
use crate::plan::passes::TREE_PASSES;
use crate::plan::text::code::print_code;
use crate::plan::text::parse::{parse_code, parse_plan, print_plan};
use crate::plan::text::scanner::ParseError;
use crate::plan::tree::{Argmax, Plan};
use crate::plan::verify::{Malformed, verify_code, verify_plan, verify_tables};

/// Why a pass was not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptError {
    UnknownPass,
    Text(ParseError),
    Malformed(Malformed),
    TooManyRegisters,
}

impl fmt::Display for OptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptError::UnknownPass => f.write_str("there is no such pass"),
            OptError::Text(error) => error.fmt(f),
            OptError::Malformed(error) => error.fmt(f),
            OptError::TooManyRegisters => f.write_str("too many registers are live at once"),
        }
    }
}

impl std::error::Error for OptError {}

fn layout(plan: &Plan) -> RegLayout {
    RegLayout {
        shared: (plan.shared_sets, plan.shared_numbers),
        position: (plan.layout.sets, plan.layout.numbers),
        terminal: [plan.terminal.history, plan.terminal.draws],
        value: plan.argmax.and_then(Argmax::register),
    }
}

fn facts(plan: &Plan) -> BoardFacts<'_> {
    BoardFacts { dir_vectors: &plan.dir_vectors, lone: &plan.layout.lone, words: plan.bitboard.words }
}

/// The names of all passes.
pub fn pass_names() -> impl Iterator<Item = &'static str> {
    let trees = TREE_PASSES.iter().map(|pass| pass.name);
    trees.chain(["linearize"]).chain(CODE_PASSES.iter().map(|pass| pass.name))
}

/// Runs one pass. Passes over linear code take the text of a plan with code behind it and give the
/// code alone.
///
/// # Errors
/// There is no such pass, the text is no plan, or its code is malformed.
pub fn opt(pass: &str, text: &str) -> Result<String, OptError> {
    if pass == "linearize" {
        let plan = parse_plan(text).map_err(OptError::Text)?;
        verify_plan(&plan, None).map_err(OptError::Malformed)?;
        let code = linearize(&plan).map_err(|_| OptError::TooManyRegisters)?;
        return Ok(print_code(&code));
    }
    if let Some(pass) = TREE_PASSES.iter().find(|known| known.name == pass) {
        let mut plan = parse_plan(text).map_err(OptError::Text)?;
        verify_plan(&plan, None).map_err(OptError::Malformed)?;
        let mut fresh = plan.fresh();
        (pass.run)(&mut plan, &mut fresh);
        verify_plan(&plan, Some(pass.name)).map_err(OptError::Malformed)?;
        return Ok(print_plan(&plan));
    }
    let pass = CODE_PASSES.iter().find(|known| known.name == pass).ok_or(OptError::UnknownPass)?;
    let (plan, code) = parse_code(text).map_err(OptError::Text)?;
    let layout = layout(&plan);
    verify_tables(&code, &plan, None).map_err(OptError::Malformed)?;
    verify_code(&code, layout.shared, pass.takes, None).map_err(OptError::Malformed)?;
    let code = match pass.run {
        CodeRun::Linear(run) => {
            let code = code.to_linear().expect("the verifier knows the operations of a stage");
            run(code, layout, facts(&plan)).to_fused()
        }
        CodeRun::Fused(run) => run(code, layout, facts(&plan)),
    };
    verify_code(&code, layout.shared, pass.makes, Some(pass.name)).map_err(OptError::Malformed)?;
    Ok(print_code(&code))
}
