//! Dead code elimination: a program goes in; it comes out without operations whose result nobody
//! reads.
//!
//! ```text
//! passed = span(from, to)      # the game never asks `passed`
//! men    = carry(from, to)         ->  men = carry(from, to)
//! ```

use crate::plan::analysis::use_counts::UseCounts;
use crate::plan::op::TreeOp;
use crate::plan::regs::{Access, SpanId};
use crate::plan::tree::{Block, Node, Plan};

/// Drops what is computed in vain, in all programs of a plan; whether there was any.
pub fn eliminate_dead_code(plan: &mut Plan) -> bool {
    let mut changed = false;
    let mut reads = UseCounts::new(plan);
    let states = (plan.layout.sets, plan.layout.numbers);
    loop {
        let mut removed = 0;
        for program in plan.programs_mut() {
            remove_dead(program, &mut reads, states, &mut removed);
        }
        if removed == 0 {
            return changed;
        }
        changed = true;
    }
}

/// From the end on: what only a dropped operation reads is dropped with it.
fn remove_dead(block: &mut Block, reads: &mut UseCounts, states: (u16, u16), dropped: &mut usize) {
    let mut unread = false;
    let mut kept = vec![true; block.len()];
    for (node, kept) in block.iter_mut().zip(&mut kept).rev() {
        node.blocks_mut().into_iter().rev().for_each(|block| remove_dead(block, reads, states, dropped));
        *kept = match node {
            Node::Op(op) => is_live(op, reads, states),
            Node::If { then, otherwise, .. } => !(then.is_empty() && otherwise.is_empty()),
            Node::Each { body, .. } | Node::EachGroup { body, .. } => !body.is_empty(),
            Node::Loop { .. } | Node::Choose(_) | Node::First { .. } | Node::Need(_) | Node::Fail => true,
        };
        if !*kept {
            reads.add_node(node, -1);
            *dropped += 1;
            unread = true;
        }
    }
    if unread {
        let mut kept = kept.into_iter();
        block.retain(|_| kept.next().unwrap_or(true));
    }
}

/// The operation does something, or someone reads what it writes. Operations that may fault do
/// something.
fn is_live(op: &TreeOp, reads: &UseCounts, (sets, numbers): (u16, u16)) -> bool {
    let cannot_fault = matches!(op, TreeOp::Arithmetic { place: SpanId::NOWHERE, .. });
    if !cannot_fault && matches!(op, TreeOp::Arithmetic { .. } | TreeOp::Coordinate { .. }) {
        return true;
    }
    let mut writes = false;
    let mut wanted = false;
    op.accesses(|access| match access {
        Access::DefSet(reg) => {
            writes = true;
            wanted |= reg.0 < sets || reads.of(reg) > 0;
        }
        Access::DefNum(reg) => {
            writes = true;
            wanted |= reg.0 < numbers || reads.of_number(reg) > 0;
        }
        Access::Pieces => wanted = true,
        _ => {}
    });
    !writes || wanted
}
