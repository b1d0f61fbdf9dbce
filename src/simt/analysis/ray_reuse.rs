//! Runs from a cell that end at men go in; comes out that they are what stands of the runs from these men, where those are known.
//!
//! What may be put where, and what becomes of it, is often asked along the same lines, one way before a choice and the other way behind it:
//!
//! ```text
//! s104..111 = run 8 ways from Black through White
//! choose s50 from ...
//! s51 = runs 8 ways from s50 through White, ended by Black        runs through s104..111, each way through what came the other way
//! ```
//!
//! A run through `White` that ends at a man of `Black` is the whole of a run from that man, and a run that does not has no cell of one.

use crate::plan::{Access, Op, Point, S};
use crate::simt::lower::Step;

/// Directions of a trail.
pub const WAYS: usize = 8;

/// By direction of a trail, the lane of a row that runs the other way.
pub type Ways = [u8; WAYS];

/// Runs along several directions that are known.
struct Known {
    runs: S,
    lanes: u8,
    from: S,
    through: S,
    fan: u16,
}

/// Lets steps take runs that are known, along programs that follow one another, each from where it begins. `ways`: how a row of runs stands to a
/// trail, by their numbers.
pub fn take_runs(steps: &mut [Step], programs: &[u32], points: &[Point], ways: impl Fn(u16, u16) -> Option<Ways>) {
    let mut known: Vec<Known> = Vec::new();
    for &from in programs {
        let mut depth = 0u32;
        for at in from as usize..steps.len() {
            match steps[at] {
                Step::Do { op, .. } => {
                    spoil(&mut known, &op);
                    if let (Op::FanFill { d, a, through, fan, lanes, wide: 0, .. }, 0) = (op, depth) {
                        known.push(Known { runs: d, lanes, from: a, through, fan });
                        spoil_own(&mut known);
                    }
                }
                Step::Look { op, blend, .. } => {
                    if let Op::Follow { d, a, x, y, trail } = op
                        && let Some(runs) = known.iter().find(|known| (known.from, known.through) == (y, x))
                        && let Some(ways) = ways(trail, runs.fan)
                    {
                        steps[at] = Step::Refill { d, a, trail, runs: runs.runs, ways, blend };
                    }
                    spoil(&mut known, &op);
                }
                Step::If { .. } => depth += 1,
                Step::Join => depth = depth.saturating_sub(1),
                Step::Need { .. } | Step::Last | Step::Fail | Step::Else { .. } | Step::Fork { .. } => {}
                // Lanes that draw again later on would go back to what is kept of other registers.
                Step::Choose { point, cell: Some(cell), parts: false, .. } if points[point as usize].sure => {
                    spoil(&mut known, &Op::Copy { d: cell, a: cell });
                }
                Step::End { .. } => break,
                // Lanes go apart, or back.
                _ => {
                    known.clear();
                    depth += u32::from(!matches!(steps[at], Step::Choose { parts: false, .. }));
                }
            }
        }
    }
}

/// What an operation writes is not what it was.
fn spoil(known: &mut Vec<Known>, op: &Op) {
    op.accesses(|access| match access {
        Access::WriteSet(d) => known.retain(|known| !known.reads(d)),
        Access::Men => known.clear(),
        _ => {}
    });
}

/// The last runs stand where what they came from does not.
fn spoil_own(known: &mut Vec<Known>) {
    if known.last().is_some_and(|last| last.has(last.from) || last.has(last.through)) {
        known.pop();
    }
}

impl Known {
    fn has(&self, reg: S) -> bool {
        (self.runs.0..self.runs.0 + u16::from(self.lanes)).contains(&reg.0)
    }

    fn reads(&self, reg: S) -> bool {
        reg == self.from || reg == self.through || self.has(reg)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::N;
    use crate::simt::analysis::ray_reuse::*;
    use crate::simt::kernels::ops::Test;

    const FILL: Op = Op::FanFill { d: S(40), a: S(0), through: S(1), fan: 2, lanes: 8, wide: 0 };

    fn act(op: Op) -> Step {
        Step::Do { op, blend: false, loses: false }
    }

    fn follow(x: S, y: S) -> Step {
        Step::Look { op: Op::Follow { d: S(9), a: S(8), x, y, trail: 3 }, blend: true, near: Default::default() }
    }

    /// Whether runs are taken by a step behind others.
    fn takes(before: &[Step], step: Step) -> bool {
        let mut all = [before, &[step, Step::End { numbered: false }]].concat();
        take_runs(&mut all, &[0], &[], |trail, fan| (trail == 3 && fan == 2).then_some([7; WAYS]));
        let taken = Step::Refill { d: S(9), a: S(8), trail: 3, runs: S(40), ways: [7; WAYS], blend: true };
        assert!(all[before.len()] == taken || all[before.len()] == step);
        all[before.len()] == taken
    }

    #[test]
    fn runs_are_taken_where_neither_they_nor_what_they_came_from_has_changed() {
        let (fill, ended) = (act(FILL), follow(S(1), S(0)));
        assert!(takes(&[fill], ended));
        assert!(takes(&[fill, act(Op::Copy { d: S(39), a: S(0) })], ended));
        // Other men, and nothing known.
        assert!(!takes(&[fill], follow(S(0), S(1))));
        assert!(!takes(&[], ended));
        for written in [0, 1, 40, 47] {
            assert!(!takes(&[fill, act(Op::Copy { d: S(written), a: S(30) })], ended), "{written}");
        }
        assert!(!takes(&[fill, act(Op::Clear { cells: S(30), only: None })], ended));
        assert!(!takes(&[fill, Step::Rounds], ended));
    }

    #[test]
    fn runs_of_some_lanes_are_not_taken() {
        let (fill, ended) = (act(FILL), follow(S(1), S(0)));
        let branch = Step::If { test: Test::True(N(0)), to: 0 };
        assert!(takes(&[fill, branch], ended));
        assert!(takes(&[branch, Step::Else { to: 0 }, Step::Join, fill], ended));
        assert!(!takes(&[branch, fill], ended));
        assert!(!takes(&[branch, fill, Step::Else { to: 0 }, Step::Join], ended));
    }

    #[test]
    fn runs_that_grow_over_what_they_come_from_are_not_taken() {
        let onto = |d: u16| act(Op::FanFill { d: S(d), a: S(0), through: S(1), fan: 2, lanes: 8, wide: 0 });
        assert!(!takes(&[onto(0)], follow(S(1), S(0))));
        assert!(!takes(&[onto(1)], follow(S(1), S(0))));
    }
}
