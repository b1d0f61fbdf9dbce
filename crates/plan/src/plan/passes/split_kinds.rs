//! Kind splitting: a choice of a man goes in; it comes out with an arm for each kind of men, where
//! fewer runs stand behind some kinds than behind others.
//!
//! ```text
//! choose                        s31 = s0 and s2
//!   s8 from s0                  s32 = s0 and s3
//! s9 = s8 and s2          ->    choose
//! s10 = s8 and s3                 s8 from s31
//! choose                          s8 from s32
//!   s11 from ... s9 ...         ...
//!   s11 from ... s10 ...
//! ```
//!
//! A man is of one kind, so the arms part what the choice offers. The bound behind each arm counts the
//! moves of its kind alone, where before it had to count those of all kinds.

use crate::plan::analysis::count_bound::bound;
use crate::plan::op::TreeOp;
use crate::plan::regs::SetReg;
use crate::plan::tree::{Arm, Block, KindSet, Node, Options, Plan, SeatPlan};
use crate::plan::tuning::{MAX_SPLIT_ARMS, MIN_RUNS_TO_SPLIT_KINDS};
use crate::plan::vregs::VirtualRegs;

/// Parts the choices of men in all programs of a plan; whether there were any to part. Where all were, the bounds that the
/// trial has found are those of the plan.
pub fn split_kinds(plan: &mut Plan, fresh: &mut VirtualRegs) -> bool {
    let registers = |kind: &KindSet| if let KindSet::Register(reg) = kind { Some(*reg) } else { None };
    // Each man has to be in one of these sets. On stacks they tell of top men alone.
    let Some(kinds) = plan.layout.kinds.iter().map(registers).collect::<Option<Vec<SetReg>>>() else { return false };
    if kinds.len() < 2 || kinds.len() > MAX_SPLIT_ARMS || plan.layout.stacks.is_some() {
        return false;
    }
    let owners = plan.layout.of.clone();
    let splits = plan.seats.iter().flat_map(SeatPlan::programs).any(|(_, block)| may_split(block, &owners));
    if !splits {
        return false;
    }
    // What a split is worth shows when the bounds behind its arms are known: all are tried on a copy.
    let (mut trial, mut spare) = (plan.clone(), *fresh);
    KindSplitter { kinds: &kinds, owners: &owners, vregs: &mut spare, wanted: None, met: 0 }.plan(&mut trial);
    bound(&mut trial);
    let mut wanted = Vec::new();
    for seat in &mut trial.seats {
        seat.turns_mut().for_each(|block| judge_splits(block, fresh.sets, &mut wanted));
    }
    let changed = wanted.contains(&true);
    if changed && !wanted.contains(&false) {
        (*plan, *fresh) = (trial, spare);
        plan.is_bounded = true;
    } else if changed {
        KindSplitter { kinds: &kinds, owners: &owners, vregs: fresh, wanted: Some(wanted), met: 0 }.plan(plan);
    }
    changed
}

/// Some choice in a block can be parted.
fn may_split(block: &Block, owners: &[SetReg]) -> bool {
    block.iter().any(|node| {
        matches!(node, Node::Choose(arms) if choice_of_man(arms, owners).is_some())
            || node.blocks().into_iter().any(|block| may_split(block, owners))
    })
}

/// The men and the register of the one who is chosen, if a choice is one of a player's men and does nothing else.
fn choice_of_man(arms: &[Arm], owners: &[SetReg]) -> Option<(SetReg, SetReg)> {
    let [Arm { options: Options::Cells { of, cell }, block, rest_of: None, within: None, .. }] = arms else {
        return None;
    };
    (block.is_empty() && owners.contains(of)).then_some((*of, *cell))
}

struct KindSplitter<'p> {
    kinds: &'p [SetReg],
    owners: &'p [SetReg],
    vregs: &'p mut VirtualRegs,
    /// Which of the choices of men are parted, in the order in which they are met; `None`: all.
    wanted: Option<Vec<bool>>,
    met: usize,
}

impl KindSplitter<'_> {
    fn plan(&mut self, plan: &mut Plan) {
        plan.seats.iter_mut().flat_map(SeatPlan::turns_mut).for_each(|block| self.block(block));
    }

    fn block(&mut self, block: &mut Block) {
        for at in (0..block.len()).rev() {
            block[at].blocks_mut().into_iter().for_each(|block| self.block(block));
            let Node::Choose(arms) = &mut block[at] else { continue };
            let Some((of, cell)) = choice_of_man(arms, self.owners) else { continue };
            self.met += 1;
            if self.wanted.as_ref().is_some_and(|wanted| wanted.get(self.met - 1) != Some(&true)) {
                continue;
            }
            let Some(arm) = arms.pop() else { continue };
            let mut before = Vec::new();
            for &kind in self.kinds {
                let those = self.vregs.set();
                before.push(Node::Op(TreeOp::And { d: those, a: of, b: kind }));
                arms.push(Arm { options: Options::Cells { of: those, cell }, ..arm.clone() });
            }
            block.splice(at..at, before);
        }
    }
}

/// By choice that was parted, in the order in which they were: whether that tells how many runs there are.
fn judge_splits(block: &Block, first_new: u16, worth: &mut Vec<bool>) {
    for node in block.iter().rev() {
        node.blocks().into_iter().for_each(|block| judge_splits(block, first_new, worth));
        if let Node::Choose(arms) = node
            && let [Arm { options: Options::Cells { of, .. }, .. }, ..] = arms.as_slice()
            && of.0 >= first_new
        {
            worth.push(tells_runs_apart(arms));
        }
    }
}

/// Some kinds have a bound and others have none; or all have, and counted together many numbers would be those of no run.
fn tells_runs_apart(arms: &[Arm]) -> bool {
    let unknown = arms.iter().filter(|arm| arm.bound.is_unknown()).count();
    if unknown > 0 {
        return arms.iter().any(|arm| !arm.bound.is_unknown() && arm.bound.fixed() != Some(0));
    }
    let fixed: Option<Vec<u64>> = arms.iter().map(|arm| arm.bound.fixed()).collect();
    fixed.is_some_and(|runs| {
        runs.iter().filter(|&&runs| runs > 0).count() > 1 && runs.iter().any(|&runs| runs >= MIN_RUNS_TO_SPLIT_KINDS)
    })
}
