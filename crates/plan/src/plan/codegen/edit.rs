//! Edit buffer: linear code goes in and is rewritten in place, operation by operation; the same
//! code without what was dropped comes out.
//!
//! A dropped operation is a jump to the next place, so that the code means the same at any time and
//! places keep their numbers until the code is packed.

use smallvec::SmallVec;

use crate::plan::analysis::liveness::Life;
use crate::plan::code::{Code, EntryPoints, RegLayout};
use crate::plan::op::LinearOp;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tuning::MAX_OPS_CLONED_FOR_JUMP;

/// Code that is being rewritten in place, operation by operation.
pub struct Edit {
    pub code: Code,
    pub layout: RegLayout,
    /// Places that are come to from elsewhere than the place before.
    pub labels: Vec<bool>,
    /// By operation.
    pub dropped: Vec<bool>,
    /// By operation: a jump that comes before it.
    pub before: Vec<Option<LinearOp>>,
    /// Jumps stay as they are.
    pub structured: bool,
    /// Words of the turn that a program reads which another one wrote.
    carried: Vec<Access>,
}

impl Edit {
    /// `structured`: branches and rounds stay as they are laid out.
    pub fn new(code: Code, layout: RegLayout, structured: bool) -> Edit {
        let idle = |(at, op): (usize, &LinearOp)| !structured && *op == LinearOp::Jump { to: at as u32 + 1 };
        let dropped = code.code.iter().enumerate().map(idle).collect();
        let before = vec![None; code.code.len()];
        let mut edit = Edit { code, layout, labels: Vec::new(), dropped, before, structured, carried: Vec::new() };
        edit.labels = edit.find_labels();
        edit
    }

    /// What is wanted where, and the words of the turn that programs carry on to others.
    pub fn life(&mut self) -> Life {
        let mut life = Life::begun(&self.code, 0, self.layout.shared, |op| self.made_for_runs(op));
        if !self.structured {
            life.find(|access| self.is_of_position(access));
            self.carried = self.carried(&life);
            if self.carried.is_empty() {
                return life;
            }
        }
        life.find(|access| self.carries(access));
        life
    }

    pub fn recompute(&self, life: &mut Life) {
        life.renew(&self.code, |op| self.made_for_runs(op));
        life.find(|access| self.carries(access));
    }

    pub fn carries(&self, access: Access) -> bool {
        self.structured || self.is_of_position(access) || self.carried.contains(&access)
    }

    /// The one register that an operation makes, if the position has no part in it.
    pub fn made_for_runs(&self, op: &LinearOp) -> Option<Access> {
        let position = self.layout.position;
        op.made_alone().filter(|made| match made {
            Access::DefSet(reg) => reg.0 >= position.0,
            Access::DefNum(reg) => reg.0 >= position.1,
            _ => false,
        })
    }

    pub fn is_of_position(&self, access: Access) -> bool {
        match access {
            Access::UseSet(reg) => reg.0 < self.layout.position.0,
            Access::UseNum(reg) => reg.0 < self.layout.position.1,
            _ => false,
        }
    }

    /// The words of the turn that are wanted where a program begins, and what is compared of runs.
    pub fn carried(&self, life: &Life) -> Vec<Access> {
        let RegLayout { shared, position, value, .. } = self.layout;
        let entries = self.code.entries.iter();
        let begins: Vec<usize> = entries.flat_map(EntryPoints::all).map(|entry| entry as usize).collect();
        let sets = (position.0..shared.0).map(SetReg).filter(|&reg| begins.iter().any(|&at| life.wants_set(at, reg)));
        let numbers = (position.1..shared.1).map(NumReg);
        let numbers = numbers.filter(|&reg| value == Some(reg) || begins.iter().any(|&at| life.wants_number(at, reg)));
        sets.map(Access::UseSet).chain(numbers.map(Access::UseNum)).collect()
    }

    pub fn ops(&self) -> &[LinearOp] {
        &self.code.code
    }

    /// In place of an operation that goes away: to the next.
    pub fn drop(&mut self, at: usize) {
        self.code.code[at] = LinearOp::Jump { to: at as u32 + 1 };
        self.dropped[at] = true;
    }

    pub fn is_dropped(&self, at: usize) -> bool {
        self.dropped[at]
    }

    pub fn places(&self, which: impl Fn(&LinearOp) -> bool) -> Vec<u32> {
        (0..).zip(self.ops()).filter(|(_, op)| which(op)).map(|(at, _)| at).collect()
    }

    pub fn find_labels(&self) -> Vec<bool> {
        let mut labels = vec![false; self.ops().len() + 1];
        let mut label = |at: u32| labels[at as usize] = true;
        for at in (0..self.ops().len()).filter(|&at| !self.is_dropped(at)) {
            self.ops()[at].target().into_iter().for_each(&mut label);
        }
        for point in &self.code.points {
            point.arms.iter().for_each(|arm| label(arm.entry));
            point.cells.iter().for_each(|cells| label(cells.entry));
        }
        self.code.alternatives.iter().flat_map(|split| &split.blocks).for_each(|block| label(*block));
        self.code.entries.iter().flat_map(EntryPoints::all).for_each(&mut label);
        labels
    }

    /// The next operation that is not dropped.
    pub fn behind_dropped(&self, at: usize) -> usize {
        (at + 1..self.ops().len()).find(|&at| !self.is_dropped(at)).unwrap_or(at)
    }

    /// Nothing comes in between two places from elsewhere.
    pub fn between_is_open(&self, from: usize, to: usize) -> bool {
        from < to && (from + 1..=to).all(|at| !self.labels[at])
    }

    /// The code without what was dropped.
    pub fn packed(self) -> Code {
        let (mut code, mut places) = (Vec::with_capacity(self.ops().len()), Vec::with_capacity(self.ops().len()));
        for at in 0..self.ops().len() {
            places.push(code.len() as u32);
            self.lay(at, &mut code);
        }
        let landings: Vec<u32> = (0..self.ops().len() as u32).map(|at| places[self.landing(at) as usize]).collect();
        self.code.laid_out(code, |at| landings[at as usize])
    }

    /// Lays out what stands for an operation: itself, nothing, or for a jump the few operations
    /// that it leads to, if the run ends with them.
    pub fn lay(&self, at: usize, code: &mut Vec<LinearOp>) {
        code.extend(self.before[at]);
        match self.ops()[at] {
            _ if self.is_dropped(at) => {}
            LinearOp::Jump { to } if !self.structured => match self.short_end(to) {
                Some(end) => code.extend(end),
                None => code.push(self.ops()[at]),
            },
            op => code.push(op),
        }
    }

    pub fn short_end(&self, from: u32) -> Option<SmallVec<[LinearOp; MAX_OPS_CLONED_FOR_JUMP]>> {
        let (mut at, mut ops) = (self.landing(from), SmallVec::new());
        while ops.len() < MAX_OPS_CLONED_FOR_JUMP {
            let op = self.ops()[at as usize];
            ops.push(op);
            if op == LinearOp::End {
                return Some(ops);
            }
            if !op.goes_on() || op.target().is_some() {
                return None;
            }
            at = self.landing(at + 1);
        }
        None
    }

    /// Where a run comes to that goes on at a place: past what is dropped, and where jumps lead.
    pub fn landing(&self, at: u32) -> u32 {
        let mut at = at;
        for _ in 0..self.ops().len() {
            match self.ops()[at as usize] {
                LinearOp::Jump { to } if !self.structured || self.is_dropped(at as usize) => at = to,
                _ => break,
            }
        }
        at
    }
}
