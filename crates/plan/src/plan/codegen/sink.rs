//! Code sinking: linear code goes in; the same code, in which nothing is computed before it is
//! used, comes out.
//!
//! ```text
//! n4 = n1 = 0                    n4 = n1 = 0
//! n5 = count(White)              unless n4 go to 9
//! n6 = n5 = 3              ->    n5 = count(White)
//! n7 = n4 and n6                 n6 = n5 = 3
//! unless n7 go to 9              unless n6 go to 9
//! ```
//!
//! Where it is asked whether two truths hold both, the second is asked only if the first holds.
//! What is computed for one way behind a question alone is computed behind the question, and what
//! is asked of a result right before it.

use crate::plan::analysis::liveness::Life;
use crate::plan::code::RegLayout;
use crate::plan::codegen::edit::Edit;
use crate::plan::op::LinearOp;
use crate::plan::regs::{Access, NumReg};
use crate::plan::tuning::MAX_SINK_ROUNDS;

impl Edit {
    /// Computes nothing before it is wanted. What is wanted where is found anew.
    pub fn sink(&mut self, life: &mut Life) {
        let Edit { code, dropped, labels, layout, .. } = self;
        let (stood, RegLayout { shared, terminal: judging, .. }) = ((0..code.code.len()).collect(), *layout);
        Row { code: &mut code.code, stood, dropped, labels, shared, judging }.sink(life);
        self.recompute(life);
    }
}

/// Code with places that are come to from elsewhere, and operations that are dropped.
struct Row<'r> {
    code: &'r mut [LinearOp],
    /// By operation: where it stood when it was found what is wanted where. Who reads what an
    /// operation makes is the same wherever it stands.
    stood: Vec<usize>,
    dropped: &'r mut [bool],
    labels: &'r [bool],
    /// Registers below these stand for all programs.
    shared: (u16, u16),
    /// Number registers that tell which outcomes are asked: truths.
    judging: [Option<NumReg>; 2],
}

impl Row<'_> {
    /// Asks truths one after the other, and moves what is computed to where it is wanted.
    fn sink(&mut self, life: &Life) {
        for _ in 0..MAX_SINK_ROUNDS {
            // From the end, so that what an operation reads goes behind it.
            for at in (0..self.code.len()).rev() {
                self.sink_at(life, at);
            }
            let mut split = false;
            for at in (0..self.code.len()).rev() {
                split |= self.split_at(life, at);
            }
            if !split {
                break;
            }
        }
    }

    /// Moves an operation to right before the first that reads what it makes, if one in between
    /// goes elsewhere where nobody does, or the reader asks for it.
    fn sink_at(&mut self, life: &Life, at: usize) {
        let op = self.code[at];
        let Some(made) = op.made_alone().filter(|&made| !self.dropped[at] && !self.is_shared(made)) else { return };
        let mut last = at;
        let mut leaves = false;
        for place in at + 1..self.code.len() {
            if self.labels[place] {
                return;
            }
            if self.dropped[place] {
                continue;
            }
            let next = self.code[place];
            if touches(&next, made, true) {
                if leaves || next.target().is_some() && last != at {
                    self.code[at..place].rotate_left(1);
                    self.dropped[at..place].rotate_left(1);
                    self.stood[at..place].rotate_left(1);
                    self.place_at(at, place);
                }
                return;
            }
            let stays = !next.goes_on() || touches(&next, made, false) || clobbers(&next, &op);
            if stays || next.target().is_some_and(|to| life.wants(to as usize, made)) {
                return;
            }
            leaves |= next.target().is_some();
            last = place;
        }
    }

    fn is_shared(&self, made: Access) -> bool {
        match made {
            Access::DefSet(reg) => reg.0 < self.shared.0,
            Access::DefNum(reg) => reg.0 < self.shared.1,
            _ => true,
        }
    }

    /// What is dropped leads to the next place.
    fn place_at(&mut self, from: usize, to: usize) {
        for place in from..to {
            if self.dropped[place] {
                self.code[place] = LinearOp::Jump { to: place as u32 + 1 };
            }
        }
    }

    /// Asks for two truths one after the other that were asked for together; whether it did.
    fn split_at(&mut self, life: &Life, at: usize) -> bool {
        let LinearOp::BitAnd { d, a, b } = self.code[at] else { return false };
        let Some(next) = (at + 1..self.code.len()).find(|&place| !self.dropped[place]) else { return false };
        let LinearOp::BranchIfZero { n, to } = self.code[next] else { return false };
        let open = !self.dropped[at] && !self.labels[at + 1..=next].contains(&true);
        let idle = |place: usize| !life.wants(place, Access::DefNum(d));
        let alone = n == d && idle(self.stood[next] + 1) && idle(to as usize) && a != d && b != d;
        if !open || !alone || !self.is_truth(at, a) || !self.is_truth(at, b) {
            return false;
        }
        // What is nearly always asked tells least.
        let (first, second) = if self.judges(at, a) { (b, a) } else { (a, b) };
        self.code[at] = LinearOp::BranchIfZero { n: first, to };
        self.code[next] = LinearOp::BranchIfZero { n: second, to };
        true
    }

    /// A number before a place tells which outcomes are asked.
    fn judges(&self, at: usize, n: NumReg) -> bool {
        let of_both = |place: usize| match self.code[place] {
            LinearOp::BitAnd { a, b, .. } => self.judges(place, a) && self.judges(place, b),
            _ => false,
        };
        self.judging.contains(&Some(n)) || self.maker(at, n).is_some_and(of_both)
    }

    /// A number before a place is a truth.
    fn is_truth(&self, at: usize, n: NumReg) -> bool {
        if self.judging.contains(&Some(n)) {
            return true;
        }
        self.maker(at, n).is_some_and(|place| match self.code[place] {
            LinearOp::BitAnd { a, b, .. } | LinearOp::BitOr { a, b, .. } => {
                self.is_truth(place, a) && self.is_truth(place, b)
            }
            ref op => op.is_truth(),
        })
    }

    /// The operation that made a number as it is before a place, if it always is the same one.
    fn maker(&self, at: usize, n: NumReg) -> Option<usize> {
        for place in (0..at).rev() {
            // Whoever comes from elsewhere to the place behind may have computed it there.
            if self.labels[place + 1] {
                return None;
            }
            if !self.dropped[place] && touches(&self.code[place], Access::DefNum(n), false) {
                return Some(place);
            }
        }
        None
    }
}

/// The operation reads what another made, or writes where it did.
fn touches(op: &LinearOp, made: Access, read: bool) -> bool {
    let mut touches = false;
    op.accesses(|access| {
        touches |= match (access, made) {
            (Access::UseSet(reg), Access::DefSet(made)) => read && reg == made,
            (Access::DefSet(reg), Access::DefSet(made)) => !read && reg == made,
            (Access::UseNum(reg), Access::DefNum(made)) => read && reg == made,
            (Access::DefNum(reg), Access::DefNum(made)) => !read && reg == made,
            _ => false,
        };
    });
    touches
}

/// The operation writes what another reads.
fn clobbers(op: &LinearOp, other: &LinearOp) -> bool {
    let mut clobbers = false;
    op.accesses(|access| match access {
        Access::DefSet(reg) => other.accesses(|read| clobbers |= read == Access::UseSet(reg)),
        Access::DefNum(reg) => other.accesses(|read| clobbers |= read == Access::UseNum(reg)),
        Access::Pieces => clobbers = true,
        Access::UseSet(_) | Access::UseNum(_) | Access::Position => {}
    });
    clobbers
}
