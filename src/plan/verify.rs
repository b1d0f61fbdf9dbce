//! Verifier: linear code and how far it has come go in; the first thing in it that cannot be right
//! comes out.
//!
//! It runs behind linearization and each form of code that is made of it, where debug assertions
//! are on. It checks that each operation may stand in code of this stage, that registers are
//! registers, that the code goes on nowhere else, and that choice points, alternatives and entries
//! fit the code. It does not check that registers are defined before they are used.

use std::fmt;

use crate::plan::code::Code;
use crate::plan::op::{Op, Stage};
use crate::plan::{Access, REGISTERS};

/// What is wrong with code, and with which operation of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    pub stage: Stage,
    /// The operation by its place in the code.
    pub at: usize,
    pub name: &'static str,
    pub what: &'static str,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} code, {} at {}: {}", self.stage, self.name, self.at, self.what)
    }
}

/// The code as it is, checked where debug assertions are on.
pub(crate) fn verified(code: Code, stage: Stage) -> Code {
    debug_assert_eq!(verify(&code, stage), Ok(()), "a pass left malformed code");
    code
}

/// # Errors
/// The first thing found that cannot be right.
pub fn verify(code: &Code, stage: Stage) -> Result<(), Malformed> {
    let count = code.code.len();
    let expect = |holds: bool, at: usize, what| match holds {
        true => Ok(()),
        false => Err(Malformed { stage, at, name: code.code.get(at).map_or("nothing", Op::name), what }),
    };
    let inside = |to: u32| (to as usize) < count;
    for (at, op) in code.code.iter().enumerate() {
        expect(op.allowed_in(stage), at, "it has no place in code of this stage")?;
        expect(op.target().is_none_or(inside), at, "it goes on outside the code")?;
        let mut within = true;
        op.accesses(|access| match access {
            Access::UseSet(reg) | Access::DefSet(reg) => within &= usize::from(reg.0) < REGISTERS,
            Access::UseNum(reg) | Access::DefNum(reg) => within &= usize::from(reg.0) < REGISTERS,
            Access::Pieces | Access::Position => {}
        });
        expect(within, at, "there is no such register")?;
        let known = match *op {
            Op::Choice { index } | Op::SampleCell { index, .. } => (index as usize) < code.points.len(),
            Op::SampleAndNotBoth { index, .. } | Op::SampleOnto { index, .. } => (index as usize) < code.points.len(),
            Op::First { index } => (index as usize) < code.alternatives.len(),
            Op::BranchByAttackFilter { near, .. } => usize::from(near) < code.attack_filters.len(),
            _ => true,
        };
        expect(known, at, "its table has no such entry")?;
    }
    if let Some(last) = code.code.last() {
        expect(matches!(last, Op::End | Op::Fail | Op::Jump { .. }), count - 1, "the code goes on behind its end")?;
    }
    for point in &code.points {
        let at = point.at as usize;
        expect(inside(point.at), at, "a choice stands outside the code")?;
        expect(point.arms.iter().all(|arm| inside(arm.entry)), at, "an arm begins outside the code")?;
        expect(point.arms.iter().all(|arm| arm.class < point.classes.len()), at, "an arm is of no class")?;
        let sets = point.sets.iter().chain(&point.clobbered_sets).map(|reg| reg.0);
        let mut saved = sets.chain(point.numbers.iter().chain(&point.clobbered_numbers).map(|reg| reg.0));
        expect(saved.all(|reg| usize::from(reg) < REGISTERS), at, "a choice keeps what is no register")?;
    }
    let blocks = code.alternatives.iter().flat_map(|alternatives| &alternatives.blocks);
    for &block in blocks {
        expect(inside(block), block as usize, "an alternative begins outside the code")?;
    }
    for entries in &code.entries {
        for &entry in [entries.turn, entries.after, entries.end].iter().chain(&entries.opening) {
            expect(inside(entry), entry as usize, "a program begins outside the code")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::verify;
    use crate::plan::code::Code;
    use crate::plan::op::{Op, Stage};
    use crate::plan::{NumReg, SetReg};

    fn found(stage: Stage, ops: &[Op]) -> Option<String> {
        let code = Code { code: ops.to_vec(), ..Code::default() };
        verify(&code, stage).err().map(|malformed| malformed.to_string())
    }

    #[test]
    fn malformed_code_is_told_by_operation() {
        let copy = |d| Op::Copy { d: SetReg(d), a: SetReg(1) };
        let zero = |n| Op::RequireZero { n: NumReg(n) };
        for stage in [Stage::Linear, Stage::Structured, Stage::Polished, Stage::Fused] {
            assert_eq!(found(stage, &[copy(255), Op::Jump { to: 2 }, Op::End]), None);
        }
        assert_eq!(found(Stage::Fused, &[zero(0), Op::End]), None);
        let told = |stage, ops: &[Op], what: &str| {
            let found = found(stage, ops).expect("a fault");
            assert!(found.ends_with(what), "{found}");
        };
        told(Stage::Linear, &[zero(0), Op::End], "RequireZero at 0: it has no place in code of this stage");
        told(Stage::Linear, &[copy(0), Op::Jump { to: 3 }, Op::End], "Jump at 1: it goes on outside the code");
        told(Stage::Linear, &[copy(256), Op::End], "Copy at 0: there is no such register");
        told(Stage::Linear, &[Op::Choice { index: 0 }, Op::End], "Choice at 0: its table has no such entry");
        told(Stage::Linear, &[Op::End, copy(0)], "Copy at 1: the code goes on behind its end");
    }
}
