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
use crate::plan::op::Op;
use crate::plan::operands::{may_overwrite, vector_regs};
use crate::plan::regs::SetReg;

/// One operation that does what two do of which the first makes what the second alone reads.
pub(crate) fn joined(first: &Op, second: &Op) -> Option<Op> {
    Some(match (*first, *second) {
        (Op::Or { d, a, b }, Op::AndNot { d: to, a: of, b: men }) if d == men && d != of => {
            Op::AndNotBoth { d: to, of, a, b }
        }
        (Op::And { d, a, b }, Op::AndNot { d: to, a: of, b: men }) if d == men && d != of && [a, b].contains(&of) => {
            Op::AndNot { d: to, a: of, b: if a == of { b } else { a } }
        }
        (Op::AndNot { d, a, b }, Op::Or { d: to, a: left, b: into }) if d == left && d != into => {
            Op::Replace { d: to, a, out: b, into }
        }
        (Op::AndNotBoth { d, of, a, b }, Op::NonEmpty { d: to, a: left }) if d == left => {
            Op::NonEmptyAndNotBoth { d: to, of, a, b }
        }
        (Op::Not { d, a }, Op::BranchIfZero { n, to }) if d == n => Op::BranchIfNonZero { n: a, to },
        (Op::NonEmpty { d, a }, Op::BranchIfZero { n, to }) if d == n => Op::BranchIfEmpty { a, to },
        (Op::NonEmpty { d, a }, Op::BranchIfNonZero { n, to }) if d == n => Op::BranchIfNonEmpty { a, to },
        (Op::Intersects { d, a, b }, Op::BranchIfZero { n, to }) if d == n => Op::BranchIfDisjoint { a, b, to },
        (Op::Compare { cmp, d, a, b }, Op::BranchIfZero { n, to }) if d == n => {
            Op::BranchUnlessCompare { cmp, a, b, to }
        }
        _ => return None,
    })
}

/// Steps, or a look, along all directions, with what keeps of them what lies in one set, if
/// registers are not `wanted` behind that.
pub fn fused_filter(mut op: Op, pair: Op, wanted: impl Fn(SetReg) -> bool) -> Option<Op> {
    let Op::VecBinary { pairing: VecBinaryOp::And, d: to, a: x, b: y, lanes, wide: both } = pair else { return None };
    let (made, reads) = match op {
        Op::VecShift { d, a, onto: None, wide, .. } => (d, [(a, wide & 1); 2]),
        Op::VecSlidingReach { d, a, through, onto: None, wide, .. } => (d, [(a, wide & 1), (through, wide & 2)]),
        _ => return None,
    };
    let set = if (x, both) == (made, 1) { y } else { x };
    if ![(x, y, 1), (y, x, 2)].contains(&(made, set, both))
        || vector_regs(made, lanes).chain(vector_regs(to, lanes)).any(|reg| reg == set)
    {
        return None;
    }
    let mut others = vector_regs(made, lanes).filter(|reg| !vector_regs(to, lanes).any(|kept| kept == *reg));
    if others.any(wanted) || !reads.into_iter().all(|read| may_overwrite(to, lanes, read)) {
        return None;
    }
    if let Op::VecShift { d, onto, .. } | Op::VecSlidingReach { d, onto, .. } = &mut op {
        (*d, *onto) = (to, Some(set));
    }
    Some(op)
}

/// Steps along all directions, each from a set of its own, with the union of what they lead to, if
/// registers are not `wanted` behind that.
pub fn fused_union(op: Op, union: Op, wanted: impl Fn(SetReg) -> bool) -> Option<Op> {
    let (Op::VecShift { d: made, a, onto: None, fan, lanes, wide: 1 }, Op::VecUnion { d, a: of, steps: None, .. }) =
        (op, union)
    else {
        return None;
    };
    let idle = vector_regs(made, lanes).filter(|reg| *reg != d).all(|reg| !wanted(reg));
    (of == made && idle).then_some(Op::VecUnion { d, a, lanes, steps: Some(fan) })
}

#[cfg(test)]
mod tests {
    use crate::plan::combine::*;

    const STEPS: Op = Op::VecShift { d: SetReg(20), a: SetReg(10), onto: None, fan: 3, lanes: 4, wide: 1 };

    #[test]
    fn steps_are_joined_with_what_keeps_some_of_them() {
        let pair = |d: u16, a: u16, b: u16| Op::VecBinary {
            pairing: VecBinaryOp::And,
            d: SetReg(d),
            a: SetReg(a),
            b: SetReg(b),
            lanes: 4,
            wide: 1,
        };
        let both = Op::VecShift { d: SetReg(30), a: SetReg(10), onto: Some(SetReg(7)), fan: 3, lanes: 4, wide: 1 };
        assert_eq!(fused_filter(STEPS, pair(30, 20, 7), |_| false), Some(both));
        // The steps are wanted behind, or what is written is still to be read.
        assert_eq!(fused_filter(STEPS, pair(30, 20, 7), |reg| reg == SetReg(21)), None);
        assert_eq!(fused_filter(STEPS, pair(11, 20, 7), |_| false), None);
        assert_eq!(fused_filter(STEPS, pair(30, 20, 31), |_| false), None);
        assert_eq!(fused_filter(STEPS, pair(30, 12, 7), |_| false), None);
    }

    #[test]
    fn steps_are_joined_with_their_union() {
        let union = |a: u16| Op::VecUnion { d: SetReg(5), a: SetReg(a), lanes: 4, steps: None };
        let both = Op::VecUnion { d: SetReg(5), a: SetReg(10), lanes: 4, steps: Some(3) };
        assert_eq!(fused_union(STEPS, union(20), |reg| reg == SetReg(5)), Some(both));
        assert_eq!(fused_union(STEPS, union(20), |reg| reg == SetReg(23)), None);
        assert_eq!(fused_union(STEPS, union(10), |_| false), None);
    }
}
