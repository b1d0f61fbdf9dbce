//! Verifier: a plan or linear code goes in; the first thing in it that cannot be right comes out.
//!
//! It runs behind each pass where debug assertions are on. It checks that each operation may stand
//! where it does, that registers and entries of tables are there, that branches nest where they must,
//! that choice points fit the code, and that nothing is read before it is written, on any path.

mod defined;
mod structure;
mod tables;

use std::fmt;

use smallvec::SmallVec;

use crate::plan::code::{Code, FusedCode};
use crate::plan::flatten::flatten;
use crate::plan::op::{CodeOp, Stage};
use crate::plan::regs::Access;
use crate::plan::text::names::Numbered;
use crate::plan::tree::{Plan, TerminalRegs};
use crate::plan::verify::defined::{Inputs, defined_before_use};

/// What is wrong with an operation, or with a node of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Code of this stage has no such operation.
    Stage(Stage),
    /// It goes on outside the code.
    Target,
    /// There is no such register.
    Register(Access),
    /// The vector does not stand in registers that belong together.
    Vector,
    /// This table has no such entry.
    Entry(&'static str),
    /// Code goes on behind its end.
    Unended,
    /// The branch leads out of the block that it stands in.
    Crossing,
    /// The choice point, or the arms of the choice, do not fit it.
    ChoicePoint(&'static str),
    /// A rank is rejected where there is no choice right before.
    EarlyReject,
    /// A register that no operation has written on some path.
    Undefined(Access),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reg = |access: &Access| match *access {
            Access::UseSet(reg) | Access::DefSet(reg) => format!("s{}", reg.0),
            Access::UseNum(reg) | Access::DefNum(reg) => format!("n{}", reg.0),
            Access::Pieces | Access::Position => String::from("the position"),
        };
        match self {
            Fault::Stage(stage) => write!(f, "the stage {stage:?} has no such operation"),
            Fault::Target => f.write_str("it leads out of the code"),
            Fault::Register(access) => write!(f, "there is no register {}", reg(access)),
            Fault::Vector => f.write_str("its registers are no vector"),
            Fault::Entry(table) => write!(f, "the table `{table}` has no such entry"),
            Fault::Unended => f.write_str("the code goes on behind its end"),
            Fault::Crossing => f.write_str("the branch leads out of its block"),
            Fault::ChoicePoint(what) => f.write_str(what),
            Fault::EarlyReject => f.write_str("a rank is rejected elsewhere than right behind a choice"),
            Fault::Undefined(access) => write!(f, "{} may be read before it is written", reg(access)),
        }
    }
}

/// A fault, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Behind which pass it was found; `None`: before any.
    pub pass: Option<&'static str>,
    /// The seat and its program, if it stands in one.
    pub program: Option<(usize, &'static str)>,
    /// The operation by its place in linear code. Trees are flattened for that.
    pub at: usize,
    /// Its text.
    pub op: String,
    pub fault: Fault,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(pass) = self.pass {
            write!(f, "behind the pass `{pass}`, ")?;
        }
        if let Some((seat, program)) = self.program {
            write!(f, "seat {seat}, {program}, ")?;
        }
        write!(f, "{} `{}`: {}", self.at, self.op, self.fault)
    }
}

impl std::error::Error for Malformed {}

/// A fault by its place.
type Found = (usize, Fault);

/// Checks the trees of a plan.
///
/// # Errors
/// The first thing found that cannot be right.
pub fn verify_plan(plan: &Plan, pass: Option<&'static str>) -> Result<(), Malformed> {
    let code = flatten(plan).to_fused();
    let TerminalRegs { history, draws, counting } = plan.terminal;
    let inputs = Inputs {
        shared: (plan.shared_sets, plan.shared_numbers),
        position: (plan.layout.sets, plan.layout.numbers),
        given: [history, draws, counting].into_iter().flatten().collect(),
        keeps: false,
    };
    let checks = structure::tree(plan, &code)
        .and_then(|()| structure::ops(&code, None, usize::from(u16::MAX)))
        .and_then(|()| structure::nesting(&code))
        .and_then(|()| tables::entries(&code, plan))
        .and_then(|()| defined_before_use(&code, inputs));
    checks.map_err(|found| malformed(&code, pass, found))
}

/// Checks linear code of a stage. Registers below `shared` belong together in all programs.
///
/// # Errors
/// The first thing found that cannot be right.
pub fn verify_code<O: CodeOp>(
    code: &Code<O>,
    shared: (u16, u16),
    stage: Stage,
    pass: Option<&'static str>,
) -> Result<(), Malformed> {
    let code = &code.to_fused();
    let nesting = || match stage {
        Stage::Linear | Stage::Structured => structure::nesting(code),
        Stage::Threaded | Stage::Polished | Stage::Fused => Ok(()),
    };
    // Words that a turn need not write any more are not told from others in code.
    let inputs = Inputs { shared, position: shared, given: SmallVec::new(), keeps: true };
    let checks = structure::ops(code, Some(stage), crate::plan::REGISTERS)
        .and_then(|()| nesting())
        .and_then(|()| structure::choice_points(code, shared))
        .and_then(|()| defined_before_use(code, inputs));
    checks.map_err(|found| malformed(code, pass, found))
}

/// Checks that what linear code refers to is in the tables of its plan.
///
/// # Errors
/// The first entry that is not there.
pub fn verify_tables(code: &FusedCode, plan: &Plan, pass: Option<&'static str>) -> Result<(), Malformed> {
    tables::entries(code, plan).map_err(|found| malformed(code, pass, found))
}

fn malformed(code: &FusedCode, pass: Option<&'static str>, (at, fault): Found) -> Malformed {
    let program = code.programs().find(|(_, entry)| code.seen_from(vec![*entry]).get(at) == Some(&true));
    let op = code.code.get(at).map_or_else(String::new, |op| op.write(&Numbered));
    Malformed { pass, program: program.map(|(program, _)| program), at, op, fault }
}

/// The code as it is, checked where debug assertions are on.
pub fn verified<O: CodeOp>(code: Code<O>, shared: (u16, u16), stage: Stage, pass: &'static str) -> Code<O> {
    debug_assert_eq!(told(verify_code(&code, shared, stage, Some(pass))), None);
    code
}

/// Checks a plan where debug assertions are on.
pub fn debug_verify_plan(plan: &Plan, pass: &'static str) {
    debug_assert_eq!(told(verify_plan(plan, Some(pass))), None);
}

fn told(checked: Result<(), Malformed>) -> Option<String> {
    checked.err().map(|malformed| malformed.to_string())
}
