//! What operations are to many lanes.

use crate::ir::Op;

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
