//! Structure: a plan or linear code goes in; the first operation that cannot stand where it does, or
//! the first choice point that does not fit the code, comes out.

use crate::plan::code::{ChoicePoint, FusedCode, Quads};
use crate::plan::op::{CodeOp, FusedOp, Stage, TreeOp};
use crate::plan::regs::{Access, SetReg};
use crate::plan::tree::{Arm, Block, Node, Options, Plan, SeatPlan};
use crate::plan::verify::{Fault, Found};

/// Checks what flattened code does not show: the arms of choices, and where ranks are
/// rejected.
///
/// # Errors
/// The first thing found that cannot be right.
pub(super) fn tree(plan: &Plan, code: &FusedCode) -> Result<(), Found> {
    let mut walk = Walk { plan, code, choices: 0, at: 0 };
    for (program, (_, entry)) in plan.seats.iter().flat_map(SeatPlan::programs).zip(code.programs()) {
        walk.at = entry as usize;
        walk.block(program.1).map_err(|fault| (walk.at, fault))?;
    }
    Ok(())
}

/// Goes through trees.
struct Walk<'p> {
    plan: &'p Plan,
    /// The trees, flattened.
    code: &'p FusedCode,
    /// Choices before.
    choices: usize,
    /// The last of them in that code, or the begin of the program.
    at: usize,
}

impl Walk<'_> {
    fn block(&mut self, nodes: &Block) -> Result<(), Fault> {
        for (at, node) in nodes.iter().enumerate() {
            match node {
                Node::Op(TreeOp::EarlyReject { .. }) if !matches!(nodes[..at].last(), Some(Node::Choose(_))) => {
                    return Err(Fault::EarlyReject);
                }
                Node::Op(op) => vectors(self.plan, op)?,
                Node::Choose(arms) => {
                    // They are laid out in this order.
                    self.at = self.code.points[self.choices].at as usize;
                    self.choices += 1;
                    self::arms(arms)?;
                }
                Node::First { blocks } if blocks.is_empty() => return Err(Fault::ChoicePoint("there is no block")),
                _ => {}
            }
            node.blocks().into_iter().try_for_each(|nodes| self.block(nodes))?;
        }
        Ok(())
    }
}

/// A choice without arms is one that no run gets past.
fn arms(arms: &[Arm]) -> Result<(), Fault> {
    let whole = |arm: &Arm| arm.rest_of.is_none_or(|(_, other)| other < arms.len());
    if arms.iter().all(whole) { Ok(()) } else { Err(Fault::ChoicePoint("an arm is the rest of no other arm")) }
}

/// What an operation writes as a whole stands in one vector of the plan.
fn vectors(plan: &Plan, op: &TreeOp) -> Result<(), Fault> {
    let mut written: Vec<SetReg> = Vec::new();
    op.accesses(|access| {
        if let Access::DefSet(reg) = access {
            written.push(reg);
        }
    });
    let [first, .., last] = written[..] else { return Ok(()) };
    let holds = |(base, size): &(SetReg, usize)| *base <= first && usize::from(last.0 - base.0) < *size;
    if plan.reg_vectors.iter().any(holds) { Ok(()) } else { Err(Fault::Vector) }
}

/// Checks operations one by one, and that the code goes on nowhere else. `stage`: `None` for a
/// flattened tree.
///
/// # Errors
/// The first thing found that cannot be right.
pub(super) fn ops(code: &FusedCode, stage: Option<Stage>, registers: usize) -> Result<(), Found> {
    let inside = |to: u32| (to as usize) < code.code.len();
    for (at, op) in code.code.iter().enumerate() {
        let fault = if let Some(stage) = stage.filter(|stage| !op.allowed_in(*stage)) {
            Some(Fault::Stage(stage))
        } else if !op.target().is_none_or(inside) {
            Some(Fault::Target)
        } else if op.choice_index().is_some_and(|index| index >= code.points.len()) {
            Some(Fault::Entry("choice"))
        } else {
            match *op {
                FusedOp::First { index } if index as usize >= code.alternatives.len() => {
                    Some(Fault::Entry("alternatives"))
                }
                FusedOp::BranchByAttackFilter { near, .. } if usize::from(near) >= code.attack_filters.len() => {
                    Some(Fault::Entry("filter"))
                }
                _ => missing_register(op, registers),
            }
        };
        fault.map_or(Ok(()), |fault| Err((at, fault)))?;
    }
    if let Some(last) = code.code.last()
        && (last.goes_on() || last.choice_index().is_some())
    {
        return Err((code.code.len() - 1, Fault::Unended));
    }
    let blocks = code.alternatives.iter().flat_map(|alternatives| alternatives.blocks.iter().copied());
    let programs = code.programs().map(|(_, entry)| entry);
    match blocks.chain(programs).find(|&to| !inside(to)) {
        Some(to) => Err((to as usize, Fault::Target)),
        None => Ok(()),
    }
}

fn missing_register(op: &FusedOp, registers: usize) -> Option<Fault> {
    let mut missing = None;
    op.accesses(|access| match access {
        Access::UseSet(SetReg(reg)) | Access::DefSet(SetReg(reg)) if usize::from(reg) >= registers => {
            missing = Some(Fault::Register(access));
        }
        Access::UseNum(reg) | Access::DefNum(reg) if usize::from(reg.0) >= registers => {
            missing = Some(Fault::Register(access));
        }
        _ => {}
    });
    missing
}

/// Branches that go forward nest: one that begins within another ends within it. The jump in front
/// of the end alone may lead further: past an `else`, or to the end of a choice.
///
/// # Errors
/// The first branch that does not.
pub(super) fn nesting(code: &FusedCode) -> Result<(), Found> {
    // Ends of the blocks that are open, the innermost last.
    let mut open: Vec<usize> = Vec::new();
    for (at, op) in code.code.iter().enumerate() {
        while open.last().is_some_and(|end| *end <= at) {
            open.pop();
        }
        let Some(to) = op.target().map(|to| to as usize) else { continue };
        let leaves = open.last().is_some_and(|end| to > *end);
        if *op == (FusedOp::Jump { to: to as u32 }) {
            if leaves && open.last() != Some(&(at + 1)) {
                return Err((at, Fault::Crossing));
            }
        } else if to > at {
            if leaves {
                return Err((at, Fault::Crossing));
            }
            open.push(to);
        }
    }
    Ok(())
}

/// Operations that are walked behind the choice points of one code. Past it, only each n-th point is held to what lies
/// behind it. Shipped games stay far below.
const MAX_STEPS_BEHIND_POINTS: usize = 4_000_000;

/// Checks choice points against the operations that name them and the code behind them. Registers
/// below `shared` belong together in all programs.
///
/// # Errors
/// The first that does not fit.
pub(super) fn choice_points(code: &FusedCode, shared: (u16, u16)) -> Result<(), Found> {
    let inside = |to: u32| (to as usize) < code.code.len();
    // What lies behind a point is walked for each: hostile files have thousands of points in code as long.
    let walked = 1 + code.points.len() * code.code.len() / MAX_STEPS_BEHIND_POINTS;
    for (at, op) in code.code.iter().enumerate() {
        let Some(point) = op.choice_index().map(|index| &code.points[index]) else { continue };
        let targets = point.arms.iter().map(|arm| arm.entry).chain(point.cells.iter().map(|cells| cells.entry));
        let facts = point.arms.iter().flat_map(|arm| &arm.branch_facts);
        let asked = |place: u32| matches!(code.code.get(place as usize), Some(FusedOp::BranchIfZero { .. }));
        let what = if point.at as usize != at {
            "the choice point stands elsewhere"
        } else if !targets.clone().all(inside) {
            "an arm leads out of the code"
        } else if !facts.into_iter().all(|(place, _)| asked(*place)) {
            "an arm decides what is no branch"
        } else if !classes_fit(point) {
            "classes and arms do not fit each other"
        } else if !cells_fit(point) {
            "cells and arms do not fit each other"
        } else if point.clobbered_quads != Quads::of(&point.clobbered_sets, &point.clobbered_numbers) {
            "the fours of what is clobbered are others"
        } else if at % walked > 0 {
            continue;
        } else if let Some(what) = contradicted(code, point, targets.collect(), shared) {
            what
        } else {
            continue;
        };
        return Err((at, Fault::ChoicePoint(what)));
    }
    Ok(())
}

/// Classes follow one another, hold all arms, and each arm is of the one that holds it.
fn classes_fit(point: &ChoicePoint) -> bool {
    let ends = point.classes.iter().map(|class| class.to);
    let follow = point.classes.iter().map(|class| class.from).eq([0].into_iter().chain(ends).take(point.classes.len()));
    let whole = point.classes.last().map_or(0, |class| class.to) == point.arms.len();
    let own = |(at, class): (usize, usize)| point.classes.get(class).is_some_and(|of| (of.from..of.to).contains(&at));
    follow && whole && point.arms.iter().map(|arm| arm.class).enumerate().all(own)
}

/// Cells are those of the arms, of all or of none.
fn cells_fit(point: &ChoicePoint) -> bool {
    let same =
        point.arms.iter().zip(&point.cells).all(
            |(arm, cells)| matches!(arm.options, Options::Cells { of, cell } if of == cells.of && cell == cells.cell),
        );
    point.cells.is_empty() || point.cells.len() == point.arms.len() && same
}

/// What a choice point says of the code behind it that does not hold.
fn contradicted(code: &FusedCode, point: &ChoicePoint, targets: Vec<u32>, shared: (u16, u16)) -> Option<&'static str> {
    let mut lost = false;
    let mut write = |access| match access {
        Access::DefSet(reg) => {
            lost |= (reg.0 < shared.0 || point.sets.contains(&reg)) && !point.clobbered_sets.contains(&reg);
        }
        Access::DefNum(reg) => {
            lost |= (reg.0 < shared.1 || point.numbers.contains(&reg)) && !point.clobbered_numbers.contains(&reg);
        }
        _ => {}
    };
    point.arms.iter().for_each(|arm| arm.options.accesses(&mut write));
    point.cells.iter().filter_map(|cells| cells.back).for_each(|(reg, _)| write(Access::DefSet(reg)));
    let (mut chooses, mut fails) = (false, false);
    let behind = code.seen_from(targets);
    for op in code.code.iter().zip(behind).filter(|(_, behind)| *behind).map(|(op, _)| op) {
        op.accesses(&mut write);
        chooses |= op.choice_index().is_some() || matches!(op, FusedOp::First { .. });
        fails |= matches!(
            op,
            FusedOp::Require { .. }
                | FusedOp::RequireZero { .. }
                | FusedOp::RequireEmpty { .. }
                | FusedOp::RequireDisjoint { .. }
                | FusedOp::Fail
        );
    }
    if lost {
        Some("the choice does not tell all that is clobbered behind it")
    } else if chooses && (point.last || point.infallible) {
        Some("another choice follows the last one")
    } else if fails && point.infallible {
        Some("a run can fail behind a choice that is infallible")
    } else {
        None
    }
}
