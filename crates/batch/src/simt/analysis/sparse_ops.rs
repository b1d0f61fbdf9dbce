//! Sparse-operation marking: lane code goes in; operations that use alone what a short ray query
//! found come out marked, as few lanes find anything.

use crate::plan::{Access, LinearOp, SetReg};
use crate::simt::code::{SimtOp, SparseOp};

/// Marks the steps that follow a look near single cells and do something with what it found alone.
/// `sets`: of how many of its sets an operation cuts words out, near single cells.
pub fn mark_sparse(steps: &mut [SimtOp], programs: &[u32], sets: impl Fn(&LinearOp) -> usize) {
    for &from in programs {
        let mut found: Option<SetReg> = None;
        for at in from as usize..steps.len() {
            match steps[at] {
                SimtOp::Look { op, .. } => {
                    invalidate(&mut found, &op);
                    if let LinearOp::RayQuery { d, .. } = op {
                        found = Some(d).filter(|_| sets(&op) > 0);
                    }
                }
                SimtOp::Do { op, .. } => {
                    let sparse = match op {
                        LinearOp::AndNot { d, a, b } if d == a && Some(b) == found => {
                            Some(SparseOp::Remove { d, found: b })
                        }
                        LinearOp::Popcount { d, a } if Some(a) == found => Some(SparseOp::Count { d, found: a }),
                        _ => None,
                    };
                    invalidate(&mut found, &op);
                    if let Some(op) = sparse {
                        steps[at] = SimtOp::Sparse { op };
                    }
                }
                SimtOp::End { .. } => break,
                _ => found = None,
            }
        }
    }
}

/// What an operation writes is not what was found.
fn invalidate(found: &mut Option<SetReg>, op: &LinearOp) {
    op.accesses(|access| match access {
        Access::DefSet(d) => *found = found.filter(|found| *found != d),
        Access::Pieces => *found = None,
        _ => {}
    });
}

#[cfg(test)]
mod tests {
    use crate::plan::NumReg;
    use crate::simt::analysis::sparse_ops::*;

    const FOLLOW: LinearOp = LinearOp::RayQuery { d: SetReg(9), a: SetReg(8), x: SetReg(1), y: SetReg(0), trail: 0 };
    const TAKE_OFF: LinearOp = LinearOp::AndNot { d: SetReg(1), a: SetReg(1), b: SetReg(9) };

    fn act(op: LinearOp) -> SimtOp {
        SimtOp::Do { op, blend: false, loses: false }
    }

    fn look(op: LinearOp) -> SimtOp {
        SimtOp::Look { op, blend: false, near: Default::default() }
    }

    /// Whether the last step is marked.
    fn marks(steps: &[SimtOp], last: LinearOp) -> bool {
        let mut all = [steps, &[act(last), SimtOp::End { numbered: false }]].concat();
        mark_sparse(&mut all, &[0], |op| usize::from(matches!(op, LinearOp::RayQuery { .. })));
        match all[steps.len()] {
            SimtOp::Sparse { op } => {
                assert_eq!(op.op(), last);
                true
            }
            other => {
                assert_eq!(other, act(last));
                false
            }
        }
    }

    #[test]
    fn steps_are_marked_that_do_something_with_what_was_found() {
        assert!(marks(&[look(FOLLOW)], TAKE_OFF));
        assert!(marks(&[look(FOLLOW), act(TAKE_OFF)], LinearOp::Popcount { d: NumReg(9), a: SetReg(9) }));
        assert!(marks(&[look(FOLLOW), act(LinearOp::Copy { d: SetReg(7), a: SetReg(9) })], TAKE_OFF));
        // Nothing was looked for, it was found anew, others are meant, and lanes parted.
        assert!(!marks(&[], TAKE_OFF));
        assert!(!marks(&[look(FOLLOW), act(LinearOp::Copy { d: SetReg(9), a: SetReg(7) })], TAKE_OFF));
        assert!(!marks(&[look(FOLLOW)], LinearOp::AndNot { d: SetReg(2), a: SetReg(1), b: SetReg(9) }));
        assert!(!marks(&[look(FOLLOW)], LinearOp::Popcount { d: NumReg(9), a: SetReg(1) }));
        assert!(!marks(&[look(FOLLOW), SimtOp::Join], TAKE_OFF));
        assert!(!marks(
            &[
                look(FOLLOW),
                look(LinearOp::RayQuery { d: SetReg(5), a: SetReg(8), x: SetReg(1), y: SetReg(0), trail: 0 })
            ],
            TAKE_OFF
        ));
    }
}
