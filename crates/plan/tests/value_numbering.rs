//! Tests of value numbering: results are noted, blocks opened and closed; what is asserted is which are known.

use lusoria_plan::plan::lower::value_numbering::Results;
use lusoria_plan::plan::op::TreeOp;
use lusoria_plan::plan::regs::{NumReg, SetReg};

fn count(a: u16) -> TreeOp {
    TreeOp::Popcount { d: NumReg(u16::MAX), a: SetReg(a) }
}

#[test]
fn behind_a_block_stands_what_stood_before_it() {
    let mut results = Results::default();
    results.add(count(1), 1);
    results.open();
    results.add(count(2), 2);
    results.open();
    results.clear();
    results.add(count(3), 3);
    assert_eq!([1, 2, 3].map(|a| results.get(&count(a))), [None, None, Some(3)]);
    results.close();
    assert_eq!([1, 2, 3].map(|a| results.get(&count(a))), [Some(1), Some(2), None]);
    results.retain(|op| *op == count(2));
    assert_eq!([1, 2, 3].map(|a| results.get(&count(a))), [None, Some(2), None]);
    results.close();
    assert_eq!([1, 2, 3].map(|a| results.get(&count(a))), [Some(1), None, None]);
}
