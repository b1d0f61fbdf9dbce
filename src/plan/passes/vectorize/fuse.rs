//! Fusion while vectorising: two operations on direction vectors go in; one that does what both do
//! comes out.
//!
//! ```text
//! s20..23 = s7 stepped 4 ways         s30..33 = s7 stepped 4 ways, onto s8
//! s30..33 = s20..23 and s8     ->
//! ```

use crate::plan::dir_vector::{VecBinaryOp, row_size};
use crate::plan::op::Op;
use crate::plan::regs::SetReg;

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

/// The registers of a row.
pub fn vector_regs(first: SetReg, lanes: u8) -> impl Iterator<Item = SetReg> {
    (0..row_size(usize::from(lanes)) as u16).map(move |lane| SetReg(first.0 + lane))
}

/// A row can be written, lane by lane, while another one, or a set that all lanes share, is still
/// to be read.
pub fn may_overwrite(written: SetReg, lanes: u8, (read, wide): (SetReg, u8)) -> bool {
    if wide != 0 {
        read == written || usize::from(read.0.abs_diff(written.0)) >= row_size(usize::from(lanes))
    } else {
        vector_regs(written, lanes).all(|reg| reg != read)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::passes::vectorize::fuse::*;

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
