//! Peephole optimisation: linear code goes in; code that does the same with fewer operations comes
//! out. For code of lock step, jumps stay as they come from branches and loops.
//!
//! ```text
//! tell s8                      n4 = some s7
//! s9 = s8                ->    unless some s7 go to 12
//! s10 = s9 and s3              s10 = s8 and s3
//! unless n4 go to 12
//! ```
//!
//! What only tells of choices goes away, copies are read where they came from, what nobody reads is
//! not computed, and a condition is one operation with the jump that asks it. Registers keep their
//! homes, and choices what they keep.

use crate::plan::analysis::liveness::Life;
use crate::plan::codegen::edit::Edit;
use crate::plan::combine::{fused_filter, fused_union, joined};
use crate::plan::dir_vector::{MAX_SLOTS, VecBinaryOp};
use crate::plan::op::LinearOp;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tuning::MAX_PEEPHOLE_ROUNDS;

impl Edit {
    /// Reads through copies and drops what is idle; what is wanted where then.
    pub fn simplify(&mut self, tells: bool) -> Life {
        self.forget_acting();
        if !tells {
            self.forget_telling();
        }
        self.read_through_copies();
        let mut life = self.life();
        for _ in 0..MAX_PEEPHOLE_ROUNDS {
            if !self.drop_idle(&life) {
                break;
            }
            self.recompute(&mut life);
        }
        life
    }

    /// Whether a run acts is asked only of runs that pass. A run that ends in a continuation may pass in that.
    fn forget_acting(&mut self) {
        let suspends = self.code.entries.iter().any(|entries| !entries.continuations.is_empty());
        let passes = self.places(|op| *op == LinearOp::Passed);
        let acts = self.places(|op| *op == LinearOp::Acted);
        let behind_pass = self.code.seen_from(passes.clone());
        for at in acts {
            let before_pass = || {
                self.code.seen_from(vec![at]).iter().zip(self.ops()).any(|(seen, op)| *seen && *op == LinearOp::Passed)
            };
            if passes.is_empty() || !suspends && !behind_pass[at as usize] && !before_pass() {
                self.drop(at as usize);
            }
        }
    }

    /// Only who lists turns is told of choices.
    fn forget_telling(&mut self) {
        for at in self.places(|op| matches!(op, LinearOp::Annotate { .. } | LinearOp::AllTold)) {
            self.drop(at as usize);
        }
    }

    /// What is read of a copy is read of what it was copied from, as far as that stands.
    fn read_through_copies(&mut self) {
        for at in 0..self.ops().len() {
            match self.ops()[at] {
                LinearOp::Copy { d, a } if d != a => self.read_through(at, Access::UseSet(d), Access::UseSet(a)),
                LinearOp::CopyNum { d, a } if d != a => self.read_through(at, Access::UseNum(d), Access::UseNum(a)),
                _ => {}
            }
        }
    }

    fn read_through(&mut self, copy: usize, d: Access, a: Access) {
        for at in copy + 1..self.ops().len() {
            if self.labels[at] {
                return;
            }
            let op = self.ops()[at];
            if self.is_dropped(at) {
                continue;
            }
            let (mut reads, mut keeps_d, mut keeps_a) = (false, true, true);
            op.accesses(|access| {
                reads |= access == d;
                keeps_d &= !self.writes(access, d);
                keeps_a &= !self.writes(access, a);
            });
            if reads && keeps_d && !matches!(op, LinearOp::Choice { .. } | LinearOp::First { .. }) {
                let set = |reg: SetReg| {
                    if let (Access::UseSet(from), Access::UseSet(to)) = (d, a)
                        && reg == from
                    {
                        to
                    } else {
                        reg
                    }
                };
                let number = |reg: NumReg| {
                    if let (Access::UseNum(from), Access::UseNum(to)) = (d, a)
                        && reg == from
                    {
                        to
                    } else {
                        reg
                    }
                };
                if op.is_plain() {
                    self.code.code[at] = op.renamed(set, number);
                }
            }
            if !keeps_d || !keeps_a || !op.goes_on() {
                return;
            }
        }
    }

    /// The access writes the register that another one reads.
    fn writes(&self, access: Access, read: Access) -> bool {
        match (access, read) {
            (Access::DefSet(reg), Access::UseSet(read)) => reg == read,
            (Access::DefNum(reg), Access::UseNum(read)) => reg == read,
            (Access::Pieces, Access::UseSet(read)) => read.0 < self.layout.shared.0,
            _ => false,
        }
    }

    /// Drops what is computed for nobody and asked for nothing, and computes what is copied at once
    /// where it goes, last to first; whether other registers are wanted now.
    fn drop_idle(&mut self, life: &Life) -> bool {
        let mut changed = false;
        for at in (0..self.ops().len()).rev() {
            let op = self.ops()[at];
            if self.is_dropped(at) {
                continue;
            }
            if op.only_asks() && op.target().map(|to| self.landing(to)) == Some(self.landing(at as u32 + 1)) {
                self.drop(at);
                changed = true;
                continue;
            }
            let Some(made) = op.made_alone() else { continue };
            if self.made_for_runs(&op).is_some() && !life.wants(at + 1, made) {
                self.drop(at);
                continue;
            }
            let next = self.behind_dropped(at);
            let moved = match (self.ops()[next], made) {
                (LinearOp::Copy { d, a }, Access::DefSet(reg)) if a == reg && !self.labels[next] => {
                    Some(Access::DefSet(d))
                }
                (LinearOp::CopyNum { d, a }, Access::DefNum(reg)) if a == reg && !self.labels[next] => {
                    Some(Access::DefNum(d))
                }
                _ => None,
            };
            if let Some(to) = moved
                && !life.wants(next + 1, made)
                && self.between_is_open(at, next)
                && let Some(op) = moved_to(&op, made, to)
            {
                self.code.code[at] = op;
                self.drop(next);
                changed = true;
            }
        }
        changed
    }

    /// Joins an operation with the next where one does for both. From the end, so that what is
    /// joined is joined again. What is joined wants at the place of the first operation what it
    /// wanted there before.
    pub fn combine(&mut self, life: &Life) {
        for at in (0..self.ops().len()).rev() {
            while self.join_at(life, at) {}
            if self.structured {
                self.join_rows(life, at);
            } else {
                self.part_at(at);
            }
        }
    }

    /// Joins steps along several directions with what is done with all that they lead to.
    fn join_rows(&mut self, life: &Life, at: usize) {
        let next = self.behind_dropped(at);
        if self.is_dropped(at) || !self.between_is_open(at, next) {
            return;
        }
        let (first, second) = (self.ops()[at], self.ops()[next]);
        let wanted = |reg| life.wants_set(next + 1, reg);
        if let Some(joined) = fused_filter(first, second, wanted).or_else(|| fused_union(first, second, wanted)) {
            self.code.code[at] = joined;
            self.drop(next);
        }
    }

    /// Joins two operations of which one finds what is in a set and the other what is not.
    fn part_at(&mut self, at: usize) {
        let next = self.behind_dropped(at);
        if self.is_dropped(at) || !self.between_is_open(at, next) {
            return;
        }
        if let Some(parted) = parted(&self.ops()[at], &self.ops()[next]) {
            self.code.code[at] = parted;
            self.drop(next);
        }
    }

    fn join_at(&mut self, life: &Life, at: usize) -> bool {
        let next = self.behind_dropped(at);
        if self.is_dropped(at) || !self.between_is_open(at, next) {
            return false;
        }
        let (first, second) = (self.ops()[at], self.ops()[next]);
        let Some(made) = first.made_alone() else { return false };
        let mut idle = !life.wants(next + 1, made) || second.made_alone() == Some(made);
        idle &= second.target().is_none_or(|to| !life.wants(to as usize, made));
        let joined =
            joined(&first, &second).or_else(|| if self.structured { None } else { joined_jump(&first, &second) });
        let Some(joined) = joined.filter(|_| idle) else { return false };
        self.code.code[at] = joined;
        self.drop(next);
        true
    }
}

/// An operation that writes another register instead; `None`: it reads the one it writes.
fn moved_to(op: &LinearOp, made: Access, to: Access) -> Option<LinearOp> {
    let mut reads = false;
    op.accesses(|access| match (access, made) {
        (Access::UseSet(reg), Access::DefSet(made)) => reads |= reg == made,
        (Access::UseNum(reg), Access::DefNum(made)) => reads |= reg == made,
        _ => {}
    });
    if reads {
        return None;
    }
    let set = |reg: SetReg| {
        if let (Access::DefSet(from), Access::DefSet(to)) = (made, to)
            && reg == from
        {
            to
        } else {
            reg
        }
    };
    let number = |reg: NumReg| {
        if let (Access::DefNum(from), Access::DefNum(to)) = (made, to)
            && reg == from
        {
            to
        } else {
            reg
        }
    };
    Some(op.renamed(set, number))
}

/// One operation that finds both what is in a set and what is not, for two that do.
fn parted(first: &LinearOp, second: &LinearOp) -> Option<LinearOp> {
    match (*first, *second) {
        (LinearOp::AndNot { d, a, b }, LinearOp::And { d: e, a: of, b: among }) if d != a && d != b && d != e => {
            ((of, among) == (a, b) || (of, among) == (b, a)).then_some(LinearOp::Partition { d, e, a, b })
        }
        (
            LinearOp::VecBinary { pairing: VecBinaryOp::Without, d, a, b, lanes, wide },
            LinearOp::VecBinary { pairing: VecBinaryOp::And, d: e, a: of, b: among, lanes: same, wide: as_wide },
        ) if (a, b, lanes, wide) == (of, among, same, as_wide) => {
            let apart = |x: SetReg, y: SetReg| x.0.abs_diff(y.0) >= u16::from(MAX_SLOTS as u8);
            let all_apart = apart(d, e) && [d, e].iter().all(|made| apart(*made, a) && apart(*made, b));
            all_apart.then_some(LinearOp::VecPartition { d, e, a, b, lanes, wide })
        }
        _ => None,
    }
}

/// The same as [`joined`], of operations that no branch is laid out with.
fn joined_jump(first: &LinearOp, second: &LinearOp) -> Option<LinearOp> {
    match (*first, *second) {
        (LinearOp::AndNotBoth { d, of, a, b }, LinearOp::BranchIfNonEmpty { a: left, to }) if d == left => {
            Some(LinearOp::BranchIfNonEmptyAndNotBoth { of, a, b, to })
        }
        _ => None,
    }
}
