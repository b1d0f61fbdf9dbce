//! Kernels of single operations: an operation and its operands in all lanes go in; its result in
//! these lanes comes out.

use crate::plan::{Cmp, LinearOp, NumReg, SetReg};

/// Only told, or asked where runs are explored.
pub fn is_only_told(op: &LinearOp) -> bool {
    matches!(op, LinearOp::Annotate { .. } | LinearOp::CannotFail | LinearOp::AllTold)
}

/// Nothing in the code goes elsewhere.
pub fn is_straight(ops: &[LinearOp]) -> bool {
    ops.iter().all(|op| op.target().is_none() && op.goes_on())
}

/// No lane leaves at the operation.
pub fn keeps_all(op: &LinearOp) -> bool {
    use LinearOp::*;
    matches!(
        op,
        Copy { .. }
            | And { .. }
            | Or { .. }
            | AndNot { .. }
            | AndNotBoth { .. }
            | Replace { .. }
            | KeepIf { .. }
            | Select { .. }
            | MaskedShift { .. }
            | Shift { .. }
            | Neighbors { .. }
            | RayFill { .. }
            | FloodFill { .. }
            | ShiftTimes { .. }
            | SlidingReach { .. }
            | FullLines { .. }
            | Lookup { .. }
            | LookupNum { .. }
            | LineCompletions { .. }
            | VecShift { .. }
            | VecKeepIf { .. }
            | VecRayFill { .. }
            | VecBinary { .. }
            | VecUnion { .. }
            | RemovePieces { .. }
            | MovePiece { .. }
            | FlipOwner { .. }
            | RayQuery { .. }
            | InLine { .. }
            | Const { .. }
            | CopyNum { .. }
            | Not { .. }
            | BitAnd { .. }
            | BitOr { .. }
            | BitAndNot { .. }
            | TestBit { .. }
            | CountBits { .. }
            | SelectNum { .. }
            | NonEmpty { .. }
            | NonEmptyAndNotBoth { .. }
            | Popcount { .. }
            | CountGroups { .. }
            | Reaches { .. }
            | Intersects { .. }
            | NonEmptySubset { .. }
            | Equal { .. }
            | Compare { .. }
            | Passed
            | Acted
            | PlayAgain
    )
}

/// What lanes part by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    True(NumReg),
    False(NumReg),
    Some(SetReg),
    None(SetReg),
    Meet(SetReg, SetReg),
    Compare(Cmp, NumReg, NumReg),
}

impl Test {
    /// What is asked where a branch begins, and where the other one does.
    pub fn of(op: &LinearOp) -> Option<(Test, u32)> {
        Some(match *op {
            LinearOp::BranchIfZero { n, to } => (Test::True(n), to),
            LinearOp::BranchIfNonZero { n, to } => (Test::False(n), to),
            LinearOp::BranchIfEmpty { a, to } => (Test::Some(a), to),
            LinearOp::BranchIfNonEmpty { a, to } => (Test::None(a), to),
            LinearOp::BranchIfDisjoint { a, b, to } => (Test::Meet(a, b), to),
            LinearOp::BranchUnlessCompare { cmp, a, b, to } => (Test::Compare(cmp, a, b), to),
            _ => return None,
        })
    }
}
