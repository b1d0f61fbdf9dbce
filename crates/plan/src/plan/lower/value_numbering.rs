//! Value numbering: an operation goes in; the register that holds its result already comes out, as
//! long as its operands stand.

use rustc_hash::FxHashMap as HashMap;

use crate::plan::op::TreeOp;
use crate::plan::regs::{Access, NumReg};

/// Where a block or an attempt began: how many were open with it.
#[derive(Debug, PartialEq, Eq)]
pub struct Savepoint(usize);

/// Results by operation, with the register that is written left open.
#[derive(Clone, Default)]
pub struct Results {
    of: HashMap<TreeOp, u16>,
    /// What was added, in order.
    added: Vec<TreeOp>,
    /// By block or attempt that lowering is within: how much had been added where it began.
    open: Vec<usize>,
    /// What stood before a block that changed more than it added, with how many blocks were open.
    before: Vec<(usize, HashMap<TreeOp, u16>, Vec<TreeOp>)>,
}

impl Results {
    pub fn get(&self, op: &TreeOp) -> Option<u16> {
        self.of.get(op).copied()
    }

    /// The operation whose result a register of numbers holds.
    pub fn maker_of_number(&self, reg: NumReg) -> Option<TreeOp> {
        let makes = |op: &TreeOp| {
            let mut number = false;
            op.accesses(|access| number |= matches!(access, Access::DefNum(_)));
            number && self.get(op) == Some(reg.0)
        };
        self.added.iter().copied().find(makes)
    }

    /// Adds a result that was not there.
    pub fn add(&mut self, op: TreeOp, reg: u16) {
        self.of.insert(op, reg);
        self.added.push(op);
    }

    /// A block or an attempt begins.
    pub fn open(&mut self) -> Savepoint {
        self.open.push(self.added.len());
        Savepoint(self.open.len())
    }

    /// The block ends, or the attempt was in vain: what stood before it stands again. An attempt that succeeded is not closed
    /// by itself, but by what it lies within.
    pub fn close(&mut self, Savepoint(begun): Savepoint) {
        while self.open.len() >= begun {
            if self.is_kept()
                && let Some((_, of, added)) = self.before.pop()
            {
                (self.of, self.added) = (of, added);
            }
            let from = self.open.pop().unwrap_or(0);
            for op in self.added.drain(from..) {
                self.of.remove(&op);
            }
        }
    }

    /// What stood before the innermost block is kept.
    fn is_kept(&self) -> bool {
        self.open.is_empty() || self.before.last().is_some_and(|(open, ..)| *open == self.open.len())
    }

    pub fn clear(&mut self) {
        if self.is_kept() {
            self.of.clear();
            self.added.clear();
        } else {
            self.before.push((self.open.len(), std::mem::take(&mut self.of), std::mem::take(&mut self.added)));
        }
    }

    /// Goes on with what stood within a block that ended.
    pub fn go_on_with(&mut self, inner: Results) {
        if !self.is_kept() {
            self.before.push((self.open.len(), std::mem::take(&mut self.of), std::mem::take(&mut self.added)));
        }
        (self.of, self.added) = (inner.of, inner.added);
    }

    /// Those stay that still stand.
    pub fn retain(&mut self, stands: impl Fn(&TreeOp) -> bool) {
        if !self.is_kept() {
            self.before.push((self.open.len(), self.of.clone(), self.added.clone()));
        }
        self.of.retain(|op, _| stands(op));
        self.added.retain(|op| self.of.contains_key(op));
    }
}
