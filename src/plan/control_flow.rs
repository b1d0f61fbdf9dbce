//! An operation goes in; where a run goes on behind it comes out.

use crate::plan::op::Op;

// The loop that carries them out reads them in a row.
const _: () = assert!(size_of::<Op>() <= 16);

impl Op {
    /// Where it may go on but behind itself; choices lead elsewhere, too.
    pub fn target(&self) -> Option<u32> {
        let mut op = *self;
        op.target_mut().copied()
    }

    /// [`Op::target`], to be aimed.
    pub fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Op::Jump { to }
            | Op::BranchIfZero { to, .. }
            | Op::BranchIfNonZero { to, .. }
            | Op::BranchIfEmpty { to, .. }
            | Op::BranchIfNonEmpty { to, .. }
            | Op::BranchIfNonEmptyAndNotBoth { to, .. }
            | Op::BranchIfDisjoint { to, .. }
            | Op::BranchUnlessCompare { to, .. }
            | Op::BranchIfEmptyAndNotBoth { to, .. }
            | Op::BranchIfIntersects { to, .. }
            | Op::BranchByAttackFilter { to, .. }
            | Op::BranchUnlessInLine { to, .. }
            | Op::BranchUnlessRayQuery { to, .. }
            | Op::NextCell { to, .. }
            | Op::NextGroup { to, .. }
            | Op::LoopBack { to, .. } => Some(to),
            _ => None,
        }
    }

    /// It does nothing but tell where a run goes on.
    pub fn only_asks(&self) -> bool {
        matches!(
            self,
            Op::BranchIfZero { .. }
                | Op::BranchIfNonZero { .. }
                | Op::BranchIfEmpty { .. }
                | Op::BranchIfNonEmpty { .. }
                | Op::BranchIfNonEmptyAndNotBoth { .. }
                | Op::BranchIfDisjoint { .. }
                | Op::BranchUnlessCompare { .. }
        )
    }

    /// It may come upon men where the rules forbid them, or upon a set that should be one cell.
    /// (Numbers out of range are found where a turn is made.)
    pub fn may_fault(&self) -> bool {
        matches!(self, Op::FaultIfIntersects { .. } | Op::LineBetween { .. } | Op::Coordinate { .. })
    }

    /// A run may go on with the next operation.
    pub fn goes_on(&self) -> bool {
        !matches!(self, Op::Jump { .. } | Op::Choice { .. } | Op::First { .. } | Op::Fail | Op::End)
    }
}
