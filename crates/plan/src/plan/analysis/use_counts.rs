//! Use counts: operations go in; how often each register is accessed comes out.

use crate::plan::op::TreeOp;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Argmax, Block, Node, Plan};

/// Counts by the number of the register.
#[derive(Default)]
pub struct RegCounts(Vec<u32>);

impl RegCounts {
    /// Once more for each of `more`, or less.
    pub fn add(&mut self, reg: u16, more: i32) {
        let reg = usize::from(reg);
        if self.0.len() <= reg {
            self.0.resize(reg + 1, 0);
        }
        self.0[reg] = self.0[reg].saturating_add_signed(more);
    }

    pub fn of(&self, reg: u16) -> u32 {
        self.0.get(usize::from(reg)).copied().unwrap_or(0)
    }
}

/// How often each register is read.
#[derive(Default)]
pub struct UseCounts {
    sets: RegCounts,
    numbers: RegCounts,
}

impl UseCounts {
    pub fn new(plan: &mut Plan) -> UseCounts {
        let mut reads = UseCounts::default();
        // Who goes through the runs reads it.
        if let Some(value) = plan.argmax.and_then(Argmax::register) {
            reads.numbers.add(value.0, 1);
        }
        plan.programs_mut().for_each(|program| reads.collect(program));
        reads
    }

    /// How often a set is read.
    pub fn of(&self, reg: SetReg) -> u32 {
        self.sets.of(reg.0)
    }

    /// How often a number is read.
    pub fn of_number(&self, reg: NumReg) -> u32 {
        self.numbers.of(reg.0)
    }

    pub fn collect(&mut self, block: &Block) {
        for node in block {
            self.add_node(node, 1);
            node.blocks().into_iter().for_each(|block| self.collect(block));
        }
    }

    /// Counts what a node reads itself, once more or less.
    pub fn add_node(&mut self, node: &Node, more: i32) {
        if let Node::Op(op) = node {
            return self.add_op(op, more);
        }
        node.accesses(&mut |access| match access {
            Access::UseSet(reg) => self.sets.add(reg.0, more),
            Access::UseNum(reg) => self.numbers.add(reg.0, more),
            _ => {}
        });
    }

    /// What an operation reads only to write it again is not wanted for that.
    fn add_op(&mut self, op: &TreeOp, more: i32) {
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
