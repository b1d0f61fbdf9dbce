//! What is looked for along short lines from single cells is mostly not there: what is done with it is done in the lanes that found some.

use crate::plan::{Access, Op, S};
use crate::simd::Vectors;
use crate::simt::lower::Step;
use crate::simt::outline::Job;
use crate::simt::registers::{count, load, put, words};
use crate::simt::state::Lanes;

/// Marks the steps that follow a look near single cells and do something with what it found alone. `sets`: of how many of its sets an operation
/// cuts words out, near single cells.
pub fn mark_seldom(steps: &mut [Step], programs: &[u32], sets: impl Fn(&Op) -> usize) {
    for &from in programs {
        let mut found: Option<S> = None;
        for at in from as usize..steps.len() {
            match steps[at] {
                Step::Look { op, .. } => {
                    spoil(&mut found, &op);
                    if let Op::Follow { d, .. } = op {
                        found = Some(d).filter(|_| sets(&op) > 0);
                    }
                }
                Step::Do { op, .. } => {
                    let seldom = match op {
                        Op::Without { d, a, b } => d == a && Some(b) == found,
                        Op::Count { a, .. } => Some(a) == found,
                        _ => false,
                    };
                    spoil(&mut found, &op);
                    if seldom {
                        steps[at] = Step::Seldom { op };
                    }
                }
                Step::End { .. } => break,
                _ => found = None,
            }
        }
    }
}

/// What an operation writes is not what was found.
fn spoil(found: &mut Option<S>, op: &Op) {
    op.accesses(|access| match access {
        Access::WriteSet(d) => *found = found.filter(|found| *found != d),
        Access::Men => *found = None,
        _ => {}
    });
}

/// An operation with what few lanes have found.
pub struct Seldom<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut Lanes<V, W, K>,
    pub op: &'a Op,
}

impl<V: Vectors, const W: usize, const K: usize> Job for Seldom<'_, V, W, K> {
    type Output = ();

    #[inline(always)]
    fn act(&mut self) {
        let Lanes { v, file, on, seldom, .. } = self.lanes;
        let (v, few) = (*v, seldom.and(*on));
        match *self.op {
            Op::Without { d, b, .. } => {
                for i in few.chunks() {
                    let (here, found) = (few.lanes(v, i), load(v, &file.sets[usize::from(b.0)][i]));
                    let set = &mut file.sets[usize::from(d.0)][i];
                    words!(word => {
                        set[word] = v.store(v.without(v.load(&set[word]), v.and(found[word], here)));
                    });
                }
            }
            Op::Count { d, a } => {
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
    use crate::plan::N;
    use crate::simt::sparse::*;

    const FOLLOW: Op = Op::Follow { d: S(9), a: S(8), x: S(1), y: S(0), trail: 0 };
    const TAKE_OFF: Op = Op::Without { d: S(1), a: S(1), b: S(9) };

    fn act(op: Op) -> Step {
        Step::Do { op, blend: false, loses: false }
    }

    fn look(op: Op) -> Step {
        Step::Look { op, blend: false, near: Default::default() }
    }

    /// Whether the last step is marked.
    fn marks(steps: &[Step], last: Op) -> bool {
        let mut all = [steps, &[act(last), Step::End { numbered: false }]].concat();
        mark_seldom(&mut all, &[0], |op| usize::from(matches!(op, Op::Follow { .. })));
        assert!([act(last), Step::Seldom { op: last }].contains(&all[steps.len()]));
        all[steps.len()] == Step::Seldom { op: last }
    }

    #[test]
    fn steps_are_marked_that_do_something_with_what_was_found() {
        assert!(marks(&[look(FOLLOW)], TAKE_OFF));
        assert!(marks(&[look(FOLLOW), act(TAKE_OFF)], Op::Count { d: N(9), a: S(9) }));
        assert!(marks(&[look(FOLLOW), act(Op::Copy { d: S(7), a: S(9) })], TAKE_OFF));
        // Nothing was looked for, it was found anew, others are meant, and lanes parted.
        assert!(!marks(&[], TAKE_OFF));
        assert!(!marks(&[look(FOLLOW), act(Op::Copy { d: S(9), a: S(7) })], TAKE_OFF));
        assert!(!marks(&[look(FOLLOW)], Op::Without { d: S(2), a: S(1), b: S(9) }));
        assert!(!marks(&[look(FOLLOW)], Op::Count { d: N(9), a: S(1) }));
        assert!(!marks(&[look(FOLLOW), Step::Join], TAKE_OFF));
        assert!(!marks(&[look(FOLLOW), look(Op::Follow { d: S(5), a: S(8), x: S(1), y: S(0), trail: 0 })], TAKE_OFF));
    }
}
