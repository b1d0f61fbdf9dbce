//! Vectorisation over directions: operations that do alike along several directions go in; one
//! operation for all of them comes out. It is superword-level parallelism.
//!
//! ```text
//! s20 = s7 stepped north               s40..43 = s7 stepped 4 ways
//! s21 = s20 and s9                     s44..47 = s40..43 and s9
//! s22 = s7 stepped east         ->
//! s23 = s22 and s9
//! ...
//! ```
//!
//! Steps and fills from one set along different directions are the first rows. What uses all of a
//! row alike is a row too, and a union that takes in a whole row is one operation. A row stands in
//! registers that follow one another.

pub mod masks;
pub mod pack;
pub mod rays;

use rustc_hash::FxHashMap as HashMap;

use crate::plan::analysis::use_counts::RegCounts;
use crate::plan::op::TreeOp;
use crate::plan::passes::vectorize::pack::Packer;
use crate::plan::regs::{Access, SetReg};
use crate::plan::tree::{Block, Node, Plan};
use crate::plan::tuning::MIN_SLOTS;
use crate::plan::vregs::VirtualRegs;

/// Joins what is done alike along several directions, in all programs of a plan; whether there was
/// anything.
pub fn vectorize(plan: &mut Plan, fresh: &mut VirtualRegs) -> bool {
    let mut changed = false;
    let mut seats = std::mem::take(&mut plan.seats);
    for seat in &mut seats {
        for program in seat.programs_mut() {
            let census = DefUseCounts::of(program);
            let mut vectorizer =
                Vectorizer { plan, counts: census, vregs: fresh, renamed: HashMap::default(), changed: false };
            vectorizer.block(program);
            let renamed = vectorizer.renamed;
            changed |= vectorizer.changed;
            rename_regs(program, &renamed);
        }
    }
    plan.seats = seats;
    changed
}

/// How often each register of a program is written and read.
#[derive(Default)]
pub struct DefUseCounts {
    set_defs: RegCounts,
    number_defs: RegCounts,
    pub set_uses: RegCounts,
}

impl DefUseCounts {
    fn of(block: &Block) -> DefUseCounts {
        let mut census = DefUseCounts::default();
        census.block(block);
        census
    }

    fn access(&mut self, access: Access) {
        match access {
            Access::DefSet(reg) => self.set_defs.add(reg.0, 1),
            Access::UseSet(reg) => self.set_uses.add(reg.0, 1),
            Access::DefNum(reg) => self.number_defs.add(reg.0, 1),
            _ => {}
        }
    }

    fn block(&mut self, block: &Block) {
        for node in block {
            match node {
                // What is left of a set is the choice's affair: the set may stand in a row.
                Node::Op(TreeOp::BulkCount { of, sure }) => {
                    [Access::UseSet(*of), Access::UseSet(*sure)].into_iter().for_each(|access| self.access(access));
                }
                Node::Op(op) => op.accesses(|access| self.access(access)),
                // The set is used up, cell by cell.
                Node::Each { of, cell: d, .. } | Node::EachGroup { of, group: d, .. } => {
                    let accesses = [Access::UseSet(*of), Access::DefSet(*of), Access::DefSet(*d)];
                    accesses.into_iter().for_each(|access| self.access(access));
                }
                Node::Choose(arms) => {
                    let touch = &mut |access| self.access(access);
                    arms.iter().for_each(|arm| arm.accesses(touch));
                }
                Node::If { .. } | Node::Loop { .. } | Node::First { .. } | Node::Need(_) | Node::Fail => {}
            }
            node.blocks().into_iter().for_each(|block| self.block(block));
        }
    }
}

/// What is known of a program while its rows are found.
pub struct Vectorizer<'p> {
    pub plan: &'p mut Plan,
    pub counts: DefUseCounts,
    pub vregs: &'p mut VirtualRegs,
    pub renamed: HashMap<SetReg, SetReg>,
    changed: bool,
}

impl Vectorizer<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut out = Vec::with_capacity(block.len());
        let mut run = Vec::new();
        for mut node in std::mem::take(block) {
            if let Node::Op(op) = &node
                && self.is_reorderable(op)
            {
                run.push(*op);
                continue;
            }
            node.blocks_mut().into_iter().for_each(|block| self.block(block));
            self.pack_straight_line(&mut run, &mut out);
            out.push(node);
        }
        self.pack_straight_line(&mut run, &mut out);
        *block = out;
    }

    /// The operation only computes, and what it computes is written nowhere else: it can stand
    /// wherever its operands are known.
    fn is_reorderable(&self, op: &TreeOp) -> bool {
        let computes = matches!(
            op,
            TreeOp::And { .. }
                | TreeOp::Or { .. }
                | TreeOp::AndNot { .. }
                | TreeOp::KeepIf { .. }
                | TreeOp::Select { .. }
                | TreeOp::TestBit { .. }
                | TreeOp::Shift { .. }
                | TreeOp::MaskedShift { .. }
                | TreeOp::Neighbors { .. }
                | TreeOp::RayFill { .. }
                | TreeOp::FirstOnRay { .. }
                | TreeOp::RayQuery { .. }
                | TreeOp::InLine { .. }
                | TreeOp::SlidingReach { .. }
                | TreeOp::Blockers { .. }
                | TreeOp::FloodFill { .. }
                | TreeOp::FullLines { .. }
                | TreeOp::Lookup { .. }
                | TreeOp::LookupNum { .. }
                | TreeOp::LineCompletions { .. }
                | TreeOp::Copy { .. }
                | TreeOp::NonEmpty { .. }
                | TreeOp::Popcount { .. }
                | TreeOp::Intersects { .. }
                | TreeOp::NonEmptySubset { .. }
                | TreeOp::Equal { .. }
                | TreeOp::Compare { .. }
                | TreeOp::Not { .. }
                | TreeOp::BitAnd { .. }
                | TreeOp::BitOr { .. }
        );
        let mut once = true;
        op.accesses(|access| match access {
            Access::DefSet(d) => once &= d.0 >= self.plan.shared_sets && self.counts.set_defs.of(d.0) == 1,
            Access::DefNum(d) => once &= d.0 >= self.plan.shared_numbers && self.counts.number_defs.of(d.0) == 1,
            _ => {}
        });
        computes && once
    }

    fn pack_straight_line(&mut self, run: &mut Vec<TreeOp>, out: &mut Vec<Node>) {
        let run = std::mem::take(run);
        let goes = |op: &&TreeOp| {
            matches!(
                op,
                TreeOp::Shift { .. }
                    | TreeOp::MaskedShift { .. }
                    | TreeOp::RayFill { .. }
                    | TreeOp::SlidingReach { .. }
            )
        };
        let packed = if run.iter().filter(goes).count() < MIN_SLOTS { None } else { Packer::new(self, &run).pack() };
        self.changed |= packed.is_some();
        out.extend(packed.unwrap_or(run).into_iter().map(Node::Op));
    }
}

fn rename_regs(block: &mut Block, renamed: &HashMap<SetReg, SetReg>) {
    let set = |reg: SetReg| renamed.get(&reg).copied().unwrap_or(reg);
    for node in block {
        match node {
            Node::Op(op) => *op = op.renamed(set, |reg| reg),
            Node::Each { of, cell: d, .. } | Node::EachGroup { of, group: d, .. } => (*of, *d) = (set(*of), set(*d)),
            Node::Choose(arms) => {
                arms.iter_mut().for_each(|arm| arm.rename_sets(set));
            }
            Node::If { .. } | Node::Loop { .. } | Node::First { .. } | Node::Need(_) | Node::Fail => {}
        }
        node.blocks_mut().into_iter().for_each(|block| rename_regs(block, renamed));
    }
}
