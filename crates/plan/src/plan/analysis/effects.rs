//! May-happen-after analysis: linear code and an address go in; whether a choice or a failure can
//! follow from there, and what may be written, comes out.

use crate::plan::code::{Alternatives, ChoicePoint};
use crate::plan::op::LinearOp;
use crate::plan::regs::{Access, NumReg, SetReg};

/// What can follow behind a choice.
pub struct Ahead {
    /// No other choice follows.
    pub last: bool,
    /// Nothing that follows can end the run without completing it, and no other choice follows.
    pub sure: bool,
    pub may_pass: bool,
    /// What is chosen may come to what the rules forbid.
    pub faults: bool,
    /// Registers that are written before the run ends, that of the option among them.
    pub sets: Vec<SetReg>,
    pub numbers: Vec<NumReg>,
}

/// Code that is being laid out.
#[derive(Clone, Copy)]
pub struct Effects<'l> {
    pub code: &'l [LinearOp],
    pub points: &'l [ChoicePoint],
    pub splits: &'l [Alternatives],
    /// Registers that operations on men write.
    pub men: &'l [SetReg],
    /// Registers below these hold the position.
    pub position: (u16, u16),
}

impl Effects<'_> {
    pub fn behind(&self, point: usize) -> Ahead {
        let mut seen = vec![false; self.code.len()];
        let mut ahead =
            Ahead { last: true, sure: true, may_pass: false, faults: false, sets: Vec::new(), numbers: Vec::new() };
        let mut open = self.arms(point, &mut ahead);
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at as usize], true) {
                continue;
            }
            let op = self.code[at as usize];
            op.accesses(|access| self.record(access, &mut ahead));
            ahead.faults |= op.may_fault();
            match op {
                LinearOp::Choice { .. } | LinearOp::First { .. } => {
                    (ahead.last, ahead.sure, ahead.may_pass) = (false, false, true)
                }
                LinearOp::Require { .. } | LinearOp::Fail => ahead.sure = false,
                LinearOp::Passed => ahead.may_pass = true,
                _ => {}
            }
            match op {
                LinearOp::Choice { index } => open.extend(self.arms(index as usize, &mut ahead)),
                LinearOp::First { index } => open.extend(&self.splits[index as usize].blocks),
                _ => {}
            }
            self.next(at, |next| open.push(next));
        }
        ahead.sets.sort_unstable();
        ahead.sets.dedup();
        ahead.numbers.sort_unstable_by_key(|reg| reg.0);
        ahead.numbers.dedup();
        ahead
    }

    fn arms(&self, point: usize, ahead: &mut Ahead) -> Vec<u32> {
        let arms = &self.points[point].arms;
        arms.iter().for_each(|arm| arm.options.accesses(&mut |access| self.record(access, ahead)));
        arms.iter().map(|arm| arm.entry).collect()
    }

    fn record(&self, access: Access, ahead: &mut Ahead) {
        match access {
            Access::DefSet(reg) => ahead.sets.push(reg),
            Access::DefNum(reg) => ahead.numbers.push(reg),
            Access::Pieces => ahead.sets.extend_from_slice(self.men),
            Access::UseSet(_) | Access::UseNum(_) | Access::Position => {}
        }
    }

    /// Where a run goes on behind an operation that is no choice.
    fn next(&self, at: u32, mut next: impl FnMut(u32)) {
        let op = self.code[at as usize];
        op.target().into_iter().for_each(&mut next);
        if op.goes_on() {
            next(at + 1);
        }
    }

    /// Whether a program may end without a complete run, and with another position than it began
    /// with.
    pub fn may_clobber(&self, entry: u32) -> bool {
        let mut seen = [vec![false; self.code.len()], vec![false; self.code.len()]];
        let mut open = vec![(entry, false)];
        while let Some((at, mut written)) = open.pop() {
            if std::mem::replace(&mut seen[usize::from(written)][at as usize], true) {
                continue;
            }
            let op = self.code[at as usize];
            op.accesses(|access| {
                written |= match access {
                    Access::DefSet(reg) => reg.0 < self.position.0,
                    Access::DefNum(reg) => reg.0 < self.position.1,
                    Access::Pieces => true,
                    Access::UseSet(_) | Access::UseNum(_) | Access::Position => false,
                }
            });
            match op {
                LinearOp::Require { .. } | LinearOp::Fail if written => return true,
                LinearOp::Choice { index } if written || !self.points[index as usize].infallible => return true,
                LinearOp::First { .. } => return true,
                _ => self.next(at, |next| open.push((next, written))),
            }
        }
        false
    }
}
