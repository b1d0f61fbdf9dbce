//! Sparse-lane execution: operations on what short rays find go in; they are executed only in the
//! lanes that found something, as most find nothing.

use crate::plan::{Access, Op, SetReg};
use crate::simd::Simd;
use crate::simt::lower::SimtOp;
use crate::simt::outline::OutlinedKernel;
use crate::simt::registers::{count, load, put, words};
use crate::simt::state::WarpState;

/// Marks the steps that follow a look near single cells and do something with what it found alone.
/// `sets`: of how many of its sets an operation cuts words out, near single cells.
pub fn mark_seldom(steps: &mut [SimtOp], programs: &[u32], sets: impl Fn(&Op) -> usize) {
    for &from in programs {
        let mut found: Option<SetReg> = None;
        for at in from as usize..steps.len() {
            match steps[at] {
                SimtOp::Look { op, .. } => {
                    spoil(&mut found, &op);
                    if let Op::RayQuery { d, .. } = op {
                        found = Some(d).filter(|_| sets(&op) > 0);
                    }
                }
                SimtOp::Do { op, .. } => {
                    let seldom = match op {
                        Op::AndNot { d, a, b } => d == a && Some(b) == found,
                        Op::Popcount { a, .. } => Some(a) == found,
                        _ => false,
                    };
                    spoil(&mut found, &op);
                    if seldom {
                        steps[at] = SimtOp::Seldom { op };
                    }
                }
                SimtOp::End { .. } => break,
                _ => found = None,
            }
        }
    }
}

/// What an operation writes is not what was found.
fn spoil(found: &mut Option<SetReg>, op: &Op) {
    op.accesses(|access| match access {
        Access::DefSet(d) => *found = found.filter(|found| *found != d),
        Access::Pieces => *found = None,
        _ => {}
    });
}

/// An operation with what few lanes have found.
pub struct SparseLanes<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
    pub op: &'a Op,
}

impl<V: Simd, const W: usize, const K: usize> OutlinedKernel for SparseLanes<'_, V, W, K> {
    type Output = ();

    #[inline(always)]
    fn act(&mut self) {
        let WarpState { v, file, on, seldom, .. } = self.lanes;
        let (v, few) = (*v, seldom.and(*on));
        match *self.op {
            Op::AndNot { d, b, .. } => {
                for i in few.chunks() {
                    let (here, found) = (few.lanes(v, i), load(v, &file.sets[usize::from(b.0)][i]));
                    let set = &mut file.sets[usize::from(d.0)][i];
                    words!(word => {
                        set[word] = v.store(v.without(v.load(&set[word]), v.and(found[word], here)));
                    });
                }
            }
            Op::Popcount { d, a } => {
                file.mean(v, *on);
                let (numbers, sets) = (&mut file.numbers[usize::from(d.0)], &file.sets[usize::from(a.0)]);
                for i in 0..K {
                    numbers[i] = v.store(v.without(v.load(&numbers[i]), v.load(&file.masks[i])));
                }
                for i in few.chunks() {
                    put(v, &mut numbers[i], count(v, &load(v, &sets[i])), few.lanes(v, i));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::NumReg;
    use crate::simt::sparse::*;

    const FOLLOW: Op = Op::RayQuery { d: SetReg(9), a: SetReg(8), x: SetReg(1), y: SetReg(0), trail: 0 };
    const TAKE_OFF: Op = Op::AndNot { d: SetReg(1), a: SetReg(1), b: SetReg(9) };

    fn act(op: Op) -> SimtOp {
        SimtOp::Do { op, blend: false, loses: false }
    }

    fn look(op: Op) -> SimtOp {
        SimtOp::Look { op, blend: false, near: Default::default() }
    }

    /// Whether the last step is marked.
    fn marks(steps: &[SimtOp], last: Op) -> bool {
        let mut all = [steps, &[act(last), SimtOp::End { numbered: false }]].concat();
        mark_seldom(&mut all, &[0], |op| usize::from(matches!(op, Op::RayQuery { .. })));
        assert!([act(last), SimtOp::Seldom { op: last }].contains(&all[steps.len()]));
        all[steps.len()] == SimtOp::Seldom { op: last }
    }

    #[test]
    fn steps_are_marked_that_do_something_with_what_was_found() {
        assert!(marks(&[look(FOLLOW)], TAKE_OFF));
        assert!(marks(&[look(FOLLOW), act(TAKE_OFF)], Op::Popcount { d: NumReg(9), a: SetReg(9) }));
        assert!(marks(&[look(FOLLOW), act(Op::Copy { d: SetReg(7), a: SetReg(9) })], TAKE_OFF));
        // Nothing was looked for, it was found anew, others are meant, and lanes parted.
        assert!(!marks(&[], TAKE_OFF));
        assert!(!marks(&[look(FOLLOW), act(Op::Copy { d: SetReg(9), a: SetReg(7) })], TAKE_OFF));
        assert!(!marks(&[look(FOLLOW)], Op::AndNot { d: SetReg(2), a: SetReg(1), b: SetReg(9) }));
        assert!(!marks(&[look(FOLLOW)], Op::Popcount { d: NumReg(9), a: SetReg(1) }));
        assert!(!marks(&[look(FOLLOW), SimtOp::Join], TAKE_OFF));
        assert!(!marks(
            &[look(FOLLOW), look(Op::RayQuery { d: SetReg(5), a: SetReg(8), x: SetReg(1), y: SetReg(0), trail: 0 })],
            TAKE_OFF
        ));
    }
}
