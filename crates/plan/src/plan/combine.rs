//! Instruction combining: two operations that follow one another go in; one that does what both do
//! comes out.
//!
//! ```text
//! s4 = s7 or s8                       s9 = s3 and not s7 nor s8
//! s9 = s3 and not s4           ->
//!
//! s20..23 = s7 stepped 4 ways         s30..33 = s7 stepped 4 ways, onto s8
//! s30..33 = s20..23 and s8     ->
//! ```

use crate::plan::dir_vector::VecBinaryOp;
use crate::plan::op::LinearOp;
use crate::plan::operands::{may_overwrite, vector_regs};
use crate::plan::regs::SetReg;

/// One operation that does what two do of which the first makes what the second alone reads.
pub fn joined(first: &LinearOp, second: &LinearOp) -> Option<LinearOp> {
    Some(match (*first, *second) {
        (LinearOp::Or { d, a, b }, LinearOp::AndNot { d: to, a: of, b: men }) if d == men && d != of => {
            LinearOp::AndNotBoth { d: to, of, a, b }
        }
        (LinearOp::And { d, a, b }, LinearOp::AndNot { d: to, a: of, b: men })
            if d == men && d != of && [a, b].contains(&of) =>
        {
            LinearOp::AndNot { d: to, a: of, b: if a == of { b } else { a } }
        }
        (LinearOp::AndNot { d, a, b }, LinearOp::Or { d: to, a: left, b: into }) if d == left && d != into => {
            LinearOp::Replace { d: to, a, out: b, into }
        }
        (LinearOp::AndNotBoth { d, of, a, b }, LinearOp::NonEmpty { d: to, a: left }) if d == left => {
            LinearOp::NonEmptyAndNotBoth { d: to, of, a, b }
        }
        (LinearOp::Not { d, a }, LinearOp::BranchIfZero { n, to }) if d == n => LinearOp::BranchIfNonZero { n: a, to },
        (LinearOp::NonEmpty { d, a }, LinearOp::BranchIfZero { n, to }) if d == n => LinearOp::BranchIfEmpty { a, to },
        (LinearOp::NonEmpty { d, a }, LinearOp::BranchIfNonZero { n, to }) if d == n => {
            LinearOp::BranchIfNonEmpty { a, to }
        }
        (LinearOp::Intersects { d, a, b }, LinearOp::BranchIfZero { n, to }) if d == n => {
            LinearOp::BranchIfDisjoint { a, b, to }
        }
        (LinearOp::Compare { cmp, d, a, b }, LinearOp::BranchIfZero { n, to }) if d == n => {
            LinearOp::BranchUnlessCompare { cmp, a, b, to }
        }
        _ => return None,
    })
}

/// Steps along all directions, with what keeps of them what lies in one set, if registers are not
/// `wanted` behind that.
pub fn fused_filter(op: LinearOp, pair: LinearOp, wanted: impl Fn(SetReg) -> bool) -> Option<LinearOp> {
    let LinearOp::VecShift { d, a, onto: None, fan, lanes, wide } = op else { return None };
    let (d, set) = kept_in(pair, d, [(a, wide & 1); 2], wanted)?;
    Some(LinearOp::VecShift { d, a, onto: Some(set), fan, lanes, wide })
}

/// Where what is kept of a vector goes, and in which set it lies, if `pair` can do that at once
/// with what makes the vector of what that `reads`, and registers are not `wanted` behind it.
pub fn kept_in(
    pair: LinearOp,
    made: SetReg,
    reads: [(SetReg, u8); 2],
    wanted: impl Fn(SetReg) -> bool,
) -> Option<(SetReg, SetReg)> {
    let LinearOp::VecBinary { pairing: VecBinaryOp::And, d: to, a: x, b: y, lanes, wide: both } = pair else {
        return None;
    };
    let set = if (x, both) == (made, 1) { y } else { x };
    if ![(x, y, 1), (y, x, 2)].contains(&(made, set, both))
        || vector_regs(made, lanes).chain(vector_regs(to, lanes)).any(|reg| reg == set)
    {
        return None;
    }
    let mut others = vector_regs(made, lanes).filter(|reg| !vector_regs(to, lanes).any(|kept| kept == *reg));
    let overwrites = !reads.into_iter().all(|read| may_overwrite(to, lanes, read));
    (!others.any(wanted) && !overwrites).then_some((to, set))
}

/// Steps along all directions, each from a set of its own, with the union of what they lead to, if
/// registers are not `wanted` behind that.
pub fn fused_union(op: LinearOp, union: LinearOp, wanted: impl Fn(SetReg) -> bool) -> Option<LinearOp> {
    let (
        LinearOp::VecShift { d: made, a, onto: None, fan, lanes, wide: 1 },
        LinearOp::VecUnion { d, a: of, steps: None, .. },
    ) = (op, union)
    else {
        return None;
    };
    let idle = vector_regs(made, lanes).filter(|reg| *reg != d).all(|reg| !wanted(reg));
    (of == made && idle).then_some(LinearOp::VecUnion { d, a, lanes, steps: Some(fan) })
}
