//! Redundant check elimination: a program goes in; it comes out without checks of numbers that are known
//! not to be 0.
//!
//! ```text
//! if n1                        ->  if n1
//!   need n1
//!   White = White or s2              White = White or s2
//! need n2                          need n2
//! need n2
//! ```
//!
//! A number is known behind a check of it, and in the block of an `if` that asks it, until it may be written.

use crate::plan::regs::{Access, NumReg};
use crate::plan::tree::{Block, Node, Plan};
use crate::plan::vregs;

/// Drops checks that cannot fail, in all programs of a plan; whether there was any.
pub fn eliminate_redundant_checks(plan: &mut Plan) -> bool {
    let mut changed = false;
    plan.programs_mut().for_each(|program| changed |= in_block(program, &[]));
    changed
}

/// The same in a block where these numbers are known not to be 0.
fn in_block(block: &mut Block, known: &[NumReg]) -> bool {
    let mut known = known.to_vec();
    let mut changed = false;
    block.retain_mut(|node| {
        if let Node::Need(n) = node {
            let is_redundant = known.contains(n);
            if !is_redundant {
                known.push(*n);
            }
            changed |= is_redundant;
            return !is_redundant;
        }
        // What the node writes, it may write before a block within begins.
        let outside = known.clone();
        vregs::accesses(std::slice::from_ref(node), &mut |access| {
            if let Access::DefNum(d) = access {
                known.retain(|n| *n != d);
            }
        });
        match node {
            Node::If { condition, then, otherwise } => {
                let mut holds = outside.clone();
                holds.push(*condition);
                changed |= in_block(then, &holds);
                changed |= in_block(otherwise, &outside);
            }
            _ => node.blocks_mut().into_iter().for_each(|block| changed |= in_block(block, &known)),
        }
        true
    });
    changed
}
