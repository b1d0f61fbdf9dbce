//! Tests of instruction combining: pairs of operations go in; what is asserted is the one that they become.

use lusoria_plan::plan::combine::{fused_filter, fused_union};
use lusoria_plan::plan::{LinearOp, SetReg, VecBinaryOp};

const STEPS: LinearOp = LinearOp::VecShift { d: SetReg(20), a: SetReg(10), onto: None, fan: 3, lanes: 4, wide: 1 };

#[test]
fn steps_are_joined_with_what_keeps_some_of_them() {
    let pair = |d: u16, a: u16, b: u16| LinearOp::VecBinary {
        pairing: VecBinaryOp::And,
        d: SetReg(d),
        a: SetReg(a),
        b: SetReg(b),
        lanes: 4,
        wide: 1,
    };
    let both = LinearOp::VecShift { d: SetReg(30), a: SetReg(10), onto: Some(SetReg(7)), fan: 3, lanes: 4, wide: 1 };
    assert_eq!(fused_filter(STEPS, pair(30, 20, 7), |_| false), Some(both));
    // The steps are wanted behind, or what is written is still to be read.
    assert_eq!(fused_filter(STEPS, pair(30, 20, 7), |reg| reg == SetReg(21)), None);
    assert_eq!(fused_filter(STEPS, pair(11, 20, 7), |_| false), None);
    assert_eq!(fused_filter(STEPS, pair(30, 20, 31), |_| false), None);
    assert_eq!(fused_filter(STEPS, pair(30, 12, 7), |_| false), None);
}

#[test]
fn steps_are_joined_with_their_union() {
    let union = |a: u16| LinearOp::VecUnion { d: SetReg(5), a: SetReg(a), lanes: 4, steps: None };
    let both = LinearOp::VecUnion { d: SetReg(5), a: SetReg(10), lanes: 4, steps: Some(3) };
    assert_eq!(fused_union(STEPS, union(20), |reg| reg == SetReg(5)), Some(both));
    assert_eq!(fused_union(STEPS, union(20), |reg| reg == SetReg(23)), None);
    assert_eq!(fused_union(STEPS, union(10), |_| false), None);
}
