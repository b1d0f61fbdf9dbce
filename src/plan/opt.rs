//! Pass runner: the name of one pass and the text of a plan go in; the text of what this pass alone
//! makes of the plan comes out.

use std::fmt;

use crate::plan::analysis::count_bound::bound;
use crate::plan::analysis::singleton::single;
use crate::plan::code::Code;
use crate::plan::codegen::jump_threading::thread;
use crate::plan::codegen::linearize::linearize;
use crate::plan::codegen::peephole::RegLayout;
use crate::plan::codegen::scalar::BoardFacts;
use crate::plan::op::Stage;
use crate::plan::passes::dce::eliminate_dead_code;
use crate::plan::passes::early_reject::insert_early_rejects;
use crate::plan::passes::elide_checks::elide_checks;
use crate::plan::passes::hoist_choices::hoist_choices;
use crate::plan::passes::hoist_superset::hoist_supersets;
use crate::plan::passes::merge_arms::merge_arms;
use crate::plan::passes::reachability::use_reachability_queries;
use crate::plan::passes::split_arms::split_arms;
use crate::plan::passes::vectorize::vectorize;
use crate::plan::text::code::print_code;
use crate::plan::text::parse::{parse_code, parse_plan, print_plan};
use crate::plan::text::scanner::ParseError;
use crate::plan::tree::Plan;
use crate::plan::verify::{Malformed, verify};
use crate::plan::vregs::VirtualRegs;

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

/// A pass over trees.
type TreePass = fn(&mut Plan, &mut VirtualRegs);
/// A pass over linear code.
type CodePass = fn(&Plan, Code) -> Code;

const TREE_PASSES: [(&str, TreePass); 11] = [
    ("count_bound", |plan, _| bound(plan)),
    ("dce", |plan, _| eliminate_dead_code(plan)),
    ("early_reject", insert_early_rejects),
    ("elide_checks", elide_checks),
    ("hoist_choices", |plan, fresh| _ = hoist_choices(plan, fresh)),
    ("hoist_superset", hoist_supersets),
    ("merge_arms", |plan, fresh| _ = merge_arms(plan, fresh)),
    ("reachability", |plan, fresh| _ = use_reachability_queries(plan, fresh)),
    ("singleton", |plan, _| single(plan)),
    ("split_arms", split_arms),
    ("vectorize", vectorize),
];

/// `peephole` leaves branches as they are; `polish` is the same with sinking, jump threading and
/// what else needs them free.
const CODE_PASSES: [(&str, CodePass); 5] = [
    ("fuse", |plan, code| code.fused(layout(plan), facts(plan))),
    ("jump_threading", |_, mut code| {
        thread(&mut code);
        code
    }),
    ("layout", |_, code| code.reached()),
    ("peephole", |plan, code| code.optimized_structured(layout(plan))),
    ("polish", |plan, code| code.optimized(layout(plan))),
];

fn layout(plan: &Plan) -> RegLayout {
    RegLayout {
        shared: (plan.shared_sets, plan.shared_numbers),
        position: (plan.layout.sets, plan.layout.numbers),
        terminal: [plan.terminal.history, plan.terminal.draws],
        value: plan.argmax.map(|argmax| argmax.value),
    }
}

fn facts(plan: &Plan) -> BoardFacts<'_> {
    BoardFacts { dir_vectors: &plan.dir_vectors, lone: &plan.layout.lone, words: plan.bitboard.words }
}

/// The names of all passes.
pub fn pass_names() -> impl Iterator<Item = &'static str> {
    let linearize = ["linearize"].into_iter();
    TREE_PASSES.iter().map(|(name, _)| *name).chain(CODE_PASSES.iter().map(|(name, _)| *name)).chain(linearize)
}

/// Runs one pass. Passes over linear code take the text of a plan with code behind it and give the
/// code alone.
///
/// # Errors
/// There is no such pass, the text is no plan, or its code is malformed.
pub fn opt(pass: &str, text: &str) -> Result<String, OptError> {
    if pass == "linearize" {
        let code = linearize(&parse_plan(text).map_err(OptError::Text)?);
        return code.map(|code| print_code(&code)).map_err(|_| OptError::TooManyRegisters);
    }
    if let Some((_, run)) = TREE_PASSES.iter().find(|(name, _)| *name == pass) {
        let mut plan = parse_plan(text).map_err(OptError::Text)?;
        let mut fresh = plan.fresh();
        run(&mut plan, &mut fresh);
        return Ok(print_plan(&plan));
    }
    let (_, run) = CODE_PASSES.iter().find(|(name, _)| *name == pass).ok_or(OptError::UnknownPass)?;
    let (plan, code) = parse_code(text).map_err(OptError::Text)?;
    let stage = if pass == "fuse" { Stage::Polished } else { Stage::Linear };
    verify(&code, stage).map_err(OptError::Malformed)?;
    Ok(print_code(&run(&plan, code)))
}
