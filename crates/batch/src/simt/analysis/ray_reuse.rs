//! Ray reuse: ray fills from a cell that end at men go in; which of them are part of the fills from
//! these men, where those are known, comes out.
//!
//! What may be put where, and what becomes of it, is often asked along the same lines, one way
//! before a choice and the other way behind it:
//!
//! ```text
//! s104..111 = run 8 ways from Black through White
//! choose s50 from ...
//! s51 = runs 8 ways from s50 through White, ended by Black        runs through s104..111, each way through what came the other way
//! ```
//!
//! A run through `White` that ends at a man of `Black` is the whole of a run from that man, and a
//! run that does not has no cell of one.

use crate::plan::{Access, ChoicePoint, LinearOp, SetReg};
use crate::simt::code::{SimtOp, Ways};

/// Runs along several directions that are known.
struct Known {
    runs: SetReg,
    lanes: u8,
    from: SetReg,
    through: SetReg,
    fan: u16,
}

/// Lets steps take runs that are known, along programs that follow one another, each from where it
/// begins. `ways`: how a row of runs stands to a trail, by their numbers.
pub fn take_runs(
    steps: &mut [SimtOp],
    programs: &[u32],
    points: &[ChoicePoint],
    ways: impl Fn(u16, u16) -> Option<Ways>,
) {
    let mut known: Vec<Known> = Vec::new();
    for &from in programs {
        let mut depth = 0u32;
        for at in from as usize..steps.len() {
            match steps[at] {
                SimtOp::Do { op, .. } => {
                    invalidate(&mut known, &op);
                    if let (LinearOp::VecRayFill { d, a, through, fan, lanes, wide: 0, .. }, 0) = (op, depth) {
                        known.push(Known { runs: d, lanes, from: a, through, fan });
                        invalidate_own(&mut known);
                    }
                }
                SimtOp::Look { op, blend, .. } => {
                    if let LinearOp::RayQuery { d, a, x, y, trail } = op
                        && let Some(runs) = known.iter().find(|known| (known.from, known.through) == (y, x))
                        && let Some(ways) = ways(trail, runs.fan)
                    {
                        steps[at] = SimtOp::Refill { d, a, trail, runs: runs.runs, ways, blend };
                    }
                    invalidate(&mut known, &op);
                }
                SimtOp::If { .. } => depth += 1,
                SimtOp::Join => depth = depth.saturating_sub(1),
                SimtOp::Need { .. } | SimtOp::Last | SimtOp::Fail | SimtOp::Else { .. } | SimtOp::Fork { .. } => {}
                // Lanes that draw again later on would go back to what is kept of other registers.
                SimtOp::Choose { point, cell: Some(cell), parts: false, .. } if points[point as usize].infallible => {
                    invalidate(&mut known, &LinearOp::Copy { d: cell, a: cell });
                }
                SimtOp::End { .. } => break,
                // Lanes go apart, or back.
                _ => {
                    known.clear();
                    depth += u32::from(!matches!(steps[at], SimtOp::Choose { parts: false, .. }));
                }
            }
        }
    }
}

/// What an operation writes is not what it was.
fn invalidate(known: &mut Vec<Known>, op: &LinearOp) {
    op.accesses(|access| match access {
        Access::DefSet(d) => known.retain(|known| !known.reads(d)),
        Access::Pieces => known.clear(),
        _ => {}
    });
}

/// The last runs stand where what they came from does not.
fn invalidate_own(known: &mut Vec<Known>) {
    if known.last().is_some_and(|last| last.has(last.from) || last.has(last.through)) {
        known.pop();
    }
}

impl Known {
    fn has(&self, reg: SetReg) -> bool {
        (self.runs.0..self.runs.0 + u16::from(self.lanes)).contains(&reg.0)
    }

    fn reads(&self, reg: SetReg) -> bool {
        reg == self.from || reg == self.through || self.has(reg)
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::NumReg;
    use crate::simt::analysis::ray_reuse::*;
    use crate::simt::code::WAYS;
    use crate::simt::kernels::ops::Test;

    const FILL: LinearOp =
        LinearOp::VecRayFill { d: SetReg(40), a: SetReg(0), through: SetReg(1), fan: 2, lanes: 8, wide: 0 };

    fn act(op: LinearOp) -> SimtOp {
        SimtOp::Do { op, blend: false, loses: false }
    }

    fn follow(x: SetReg, y: SetReg) -> SimtOp {
        SimtOp::Look {
            op: LinearOp::RayQuery { d: SetReg(9), a: SetReg(8), x, y, trail: 3 },
            blend: true,
            near: Default::default(),
        }
    }

    /// Whether runs are taken by a step behind others.
    fn takes(before: &[SimtOp], step: SimtOp) -> bool {
        let mut all = [before, &[step, SimtOp::End { numbered: false }]].concat();
        take_runs(&mut all, &[0], &[], |trail, fan| (trail == 3 && fan == 2).then_some([7; WAYS]));
        let taken =
            SimtOp::Refill { d: SetReg(9), a: SetReg(8), trail: 3, runs: SetReg(40), ways: [7; WAYS], blend: true };
        assert!(all[before.len()] == taken || all[before.len()] == step);
        all[before.len()] == taken
    }

    #[test]
    fn runs_are_taken_where_neither_they_nor_what_they_came_from_has_changed() {
        let (fill, ended) = (act(FILL), follow(SetReg(1), SetReg(0)));
        assert!(takes(&[fill], ended));
        assert!(takes(&[fill, act(LinearOp::Copy { d: SetReg(39), a: SetReg(0) })], ended));
        // Other men, and nothing known.
        assert!(!takes(&[fill], follow(SetReg(0), SetReg(1))));
        assert!(!takes(&[], ended));
        for written in [0, 1, 40, 47] {
            assert!(!takes(&[fill, act(LinearOp::Copy { d: SetReg(written), a: SetReg(30) })], ended), "{written}");
        }
        assert!(!takes(&[fill, act(LinearOp::RemovePieces { cells: SetReg(30), only: None })], ended));
        assert!(!takes(&[fill, SimtOp::Rounds], ended));
    }

    #[test]
    fn runs_of_some_lanes_are_not_taken() {
        let (fill, ended) = (act(FILL), follow(SetReg(1), SetReg(0)));
        let branch = SimtOp::If { test: Test::True(NumReg(0)), to: 0 };
        assert!(takes(&[fill, branch], ended));
        assert!(takes(&[branch, SimtOp::Else { to: 0 }, SimtOp::Join, fill], ended));
        assert!(!takes(&[branch, fill], ended));
        assert!(!takes(&[branch, fill, SimtOp::Else { to: 0 }, SimtOp::Join], ended));
    }

    #[test]
    fn runs_that_grow_over_what_they_come_from_are_not_taken() {
        let onto = |d: u16| {
            act(LinearOp::VecRayFill { d: SetReg(d), a: SetReg(0), through: SetReg(1), fan: 2, lanes: 8, wide: 0 })
        };
        assert!(!takes(&[onto(0)], follow(SetReg(1), SetReg(0))));
        assert!(!takes(&[onto(1)], follow(SetReg(1), SetReg(0))));
    }
}
