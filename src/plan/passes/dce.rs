//! Dead code elimination: a program goes in; it comes out without operations whose result nobody
//! reads.
//!
//! ```text
//! passed = span(from, to)      # the game never asks `passed`
//! men    = carry(from, to)         ->  men = carry(from, to)
//! ```

use crate::plan::analysis::use_counts::RegCounts;
use crate::plan::op::Op;
use crate::plan::regs::{Access, SetReg};
use crate::plan::tree::{Block, Node, Plan};

/// How often each register is read.
#[derive(Default)]
pub(crate) struct UseCounts {
    sets: RegCounts,
    numbers: RegCounts,
}

impl UseCounts {
    pub(crate) fn new(plan: &mut Plan) -> UseCounts {
        let mut reads = UseCounts::default();
        // Who goes through the runs reads it.
        if let Some(contest) = plan.argmax {
            reads.numbers.add(contest.value.0, 1);
        }
        programs(plan).for_each(|program| reads.collect(program));
        reads
    }

    /// How often a set is read.
    pub(crate) fn of(&self, reg: SetReg) -> u32 {
        self.sets.of(reg.0)
    }

    pub(crate) fn collect(&mut self, block: &Block) {
        for node in block {
            self.add_node(node, 1);
            node.blocks().into_iter().for_each(|block| self.collect(block));
        }
    }

    /// Counts what a node reads itself, once more or less.
    fn add_node(&mut self, node: &Node, more: i32) {
        match node {
            Node::Op(op) => self.add_op(op, more),
            Node::If { condition: n, .. } | Node::Loop { again: n, .. } | Node::Need(n) => self.numbers.add(n.0, more),
            Node::Each { of, .. } | Node::EachGroup { of, .. } => self.sets.add(of.0, more),
            Node::Choose(arms) => arms.iter().for_each(|arm| {
                arm.accesses(&mut |access| match access {
                    Access::UseSet(reg) => self.sets.add(reg.0, more),
                    Access::UseNum(reg) => self.numbers.add(reg.0, more),
                    _ => {}
                });
            }),
            Node::First { .. } | Node::Fail => {}
        }
    }

    /// What an operation reads only to write it again is not wanted for that.
    fn add_op(&mut self, op: &Op, more: i32) {
        let mut writes = (None, None);
        op.accesses(|access| match access {
            Access::DefSet(reg) => writes.0 = Some(reg),
            Access::DefNum(reg) => writes.1 = Some(reg),
            _ => {}
        });
        op.accesses(|access| match access {
            Access::UseSet(reg) if writes.0 != Some(reg) => self.sets.add(reg.0, more),
            Access::UseNum(reg) if writes.1 != Some(reg) => self.numbers.add(reg.0, more),
            _ => {}
        });
    }
}

/// Drops what is computed in vain, in all programs of a plan.
pub fn eliminate_dead_code(plan: &mut Plan) {
    let mut reads = UseCounts::new(plan);
    let states = (plan.layout.sets, plan.layout.numbers);
    loop {
        let mut removed = 0;
        for program in programs(plan) {
            remove_dead(program, &mut reads, states, &mut removed);
        }
        if removed == 0 {
            return;
        }
    }
}

/// All programs of a plan.
pub(crate) fn programs(plan: &mut Plan) -> impl Iterator<Item = &mut Block> {
    plan.seats
        .iter_mut()
        .flat_map(|seat| [&mut seat.turn, &mut seat.after, &mut seat.end].into_iter().chain(&mut seat.opening))
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
fn is_live(op: &Op, reads: &UseCounts, (sets, numbers): (u16, u16)) -> bool {
    if matches!(op, Op::Arithmetic { .. } | Op::Coordinate { .. }) {
        return true;
    }
    let mut writes = false;
    let mut wanted = false;
    op.accesses(|access| match access {
        Access::DefSet(reg) => {
            writes = true;
            wanted |= reg.0 < sets || reads.sets.of(reg.0) > 0;
        }
        Access::DefNum(reg) => {
            writes = true;
            wanted |= reg.0 < numbers || reads.numbers.of(reg.0) > 0;
        }
        Access::Pieces => wanted = true,
        _ => {}
    });
    !writes || wanted
}
