//! Empty-operand skipping: linear code goes in; code that goes past what takes men off cells, and
//! past what follows and does nothing then, where there are no such cells, comes out.
//!
//! ```text
//! take the men off s12          unless some s12 go to 9
//! n5 = count(s12)         ->    take the men off s12
//! n6 = taken + n5               n5 = count(s12)
//! taken = n6                    ...
//! ```

use crate::model::Arithmetic;
use crate::plan::analysis::liveness::Life;
use crate::plan::codegen::edit::Edit;
use crate::plan::op::LinearOp;
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tuning::MAX_OPS_NOT_SKIPPED;

/// What is known where there are no cells.
struct Nothing {
    cells: SetReg,
    /// Numbers that are made.
    made: Vec<NumReg>,
    zero: Vec<NumReg>,
    /// The first is the second.
    same: Vec<(NumReg, NumReg)>,
}

impl Edit {
    /// Where men are taken off, what does nothing if there are none is passed over then.
    pub fn skip_empty(&mut self, life: &Life) {
        for at in 0..self.ops().len() {
            if let Some((cells, end)) = passed_over(self.ops(), &self.labels, life, at) {
                self.before[at] = Some(LinearOp::BranchIfEmpty { a: cells, to: end as u32 });
                self.labels[end] = true;
            }
        }
    }
}

/// Behind the last operation that can be passed over together with the one at a place, if there are
/// enough of them.
fn passed_over(code: &[LinearOp], labels: &[bool], life: &Life, at: usize) -> Option<(SetReg, usize)> {
    let cells = match code[at] {
        LinearOp::RemovePieces { cells, .. } => cells,
        LinearOp::AndNot { d, a, b } if d == a => b,
        _ => return None,
    };
    let mut nothing = Nothing { cells, made: Vec::new(), zero: Vec::new(), same: Vec::new() };
    let (mut end, mut idle) = (None, 0);
    for place in at + 1..code.len() {
        if labels[place] {
            break;
        }
        if code[place] != (LinearOp::Jump { to: place as u32 + 1 }) {
            if !nothing.idles(&code[place]) {
                break;
            }
            idle += usize::from(!matches!(code[place], LinearOp::AndNot { .. }));
        }
        if idle >= MAX_OPS_NOT_SKIPPED && nothing.is_forgotten(life, place + 1) {
            end = Some((cells, place + 1));
        }
    }
    end
}

impl Nothing {
    /// The operation changes nothing but registers that are known then.
    fn idles(&mut self, op: &LinearOp) -> bool {
        match *op {
            LinearOp::RemovePieces { cells, .. } => cells == self.cells,
            LinearOp::AndNot { d, a, b } if d == a && d != b => b == self.cells && d != self.cells,
            LinearOp::Popcount { d, a } if a == self.cells => {
                self.make(d);
                self.zero.push(d);
                true
            }
            LinearOp::Arithmetic { op: Arithmetic::Add, d, a, b, .. } if d != a && self.zero.contains(&b) => {
                self.make(d);
                self.same.push((d, a));
                true
            }
            LinearOp::CopyNum { d, a } => self.same.contains(&(a, d)),
            _ => false,
        }
    }

    fn make(&mut self, reg: NumReg) {
        self.zero.retain(|zero| *zero != reg);
        self.same.retain(|same| same.0 != reg && same.1 != reg);
        self.made.push(reg);
    }

    /// Nobody reads what is not made then.
    fn is_forgotten(&self, life: &Life, at: usize) -> bool {
        self.made.iter().all(|reg| !life.wants_number(at, *reg))
    }
}
