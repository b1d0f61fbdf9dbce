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
    let known = |results: &Results| [1, 2, 3].map(|a| results.get(&count(a)));
    results.add(count(1), 1);
    let outer = results.open();
    results.add(count(2), 2);
    let inner = results.open();
    results.clear();
    results.add(count(3), 3);
    assert_eq!(known(&results), [None, None, Some(3)]);
    results.close(inner);
    assert_eq!(known(&results), [Some(1), Some(2), None]);
    results.retain(|op| *op == count(2));
    assert_eq!(known(&results), [None, Some(2), None]);
    results.close(outer);
    assert_eq!(known(&results), [Some(1), None, None]);
}

/// One that succeeds is not closed: the block around it closes it.
#[test]
fn an_attempt_stands_unless_it_is_in_vain() {
    let mut results = Results::default();
    let known = |results: &Results| [1, 2, 3].map(|a| results.get(&count(a)));
    let block = results.open();
    results.add(count(1), 1);
    let _ = results.open();
    results.add(count(2), 2);
    let vain = results.open();
    results.retain(|op| *op == count(2));
    results.add(count(3), 3);
    assert_eq!(known(&results), [None, Some(2), Some(3)]);
    results.close(vain);
    assert_eq!(known(&results), [Some(1), Some(2), None]);
    results.close(block);
    assert_eq!(known(&results), [None; 3]);
}
