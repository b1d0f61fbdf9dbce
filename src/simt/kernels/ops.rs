//! What operations are to many lanes.

use crate::plan::{Cmp, N, Op, S};

/// Only told, or asked where runs are explored.
pub fn is_only_told(op: &Op) -> bool {
    matches!(op, Op::Tell { .. } | Op::Safe)
}

/// Nothing in the code goes elsewhere.
pub fn is_straight(ops: &[Op]) -> bool {
    ops.iter().all(|op| op.target().is_none() && op.goes_on())
}

/// No lane leaves at the operation.
pub fn keeps_all(op: &Op) -> bool {
    use Op::*;
    matches!(
        op,
        Copy { .. }
            | And { .. }
            | Or { .. }
            | Without { .. }
            | Outside { .. }
            | Exchange { .. }
            | Keep { .. }
            | Select { .. }
            | Hop { .. }
            | Shift { .. }
            | Around { .. }
            | Fill { .. }
            | Flood { .. }
            | Steps { .. }
            | Sight { .. }
            | Rows { .. }
            | Complete { .. }
            | FanStep { .. }
            | FanKeep { .. }
            | FanFill { .. }
            | FanPair { .. }
            | FanUnion { .. }
            | Clear { .. }
            | Carry { .. }
            | Flip { .. }
            | Follow { .. }
            | InRow { .. }
            | Number { .. }
            | Move { .. }
            | Not { .. }
            | Both { .. }
            | Either { .. }
            | Less { .. }
            | Bit { .. }
            | CountBits { .. }
            | Choose { .. }
            | Some { .. }
            | SomeOutside { .. }
            | Count { .. }
            | CountGroups { .. }
            | Joined { .. }
            | Meet { .. }
            | Within { .. }
            | Same { .. }
            | Compare { .. }
            | Passed
            | Acted
            | PlayAgain
    )
}

/// What lanes part by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    True(N),
    False(N),
    Some(S),
    None(S),
    Meet(S, S),
    Compare(Cmp, N, N),
}

impl Test {
    /// What is asked where a branch begins, and where the other one does.
    pub fn of(op: &Op) -> Option<(Test, u32)> {
        Some(match *op {
            Op::Unless { n, to } => (Test::True(n), to),
            Op::When { n, to } => (Test::False(n), to),
            Op::UnlessSome { a, to } => (Test::Some(a), to),
            Op::WhenSome { a, to } => (Test::None(a), to),
            Op::UnlessMeet { a, b, to } => (Test::Meet(a, b), to),
            Op::UnlessCompare { cmp, a, b, to } => (Test::Compare(cmp, a, b), to),
            _ => return None,
        })
    }
}
