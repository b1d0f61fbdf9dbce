//! Window reuse: operations that look near one cell go in, those of a turn and of the terminal
//! test; which of them cut out the same words comes out.
//!
//! `end` mostly asks about the man that was put or moved just now, and near the same cell the turn
//! has looked already:
//!
//! ```text
//! last = s8
//! s9 = runs of 2 8 ways from s8 through Black, ended by White     cuts out White near s8, which is kept
//! n9 = last in a row of 5 in White                                takes what was kept
//! ```
//!
//! What is kept must be of the same cell and the same set, and every lane that completes its turn
//! must have come upon it.

use smallvec::{SmallVec, smallvec};

use crate::plan::{Access, ChoicePoint, LinearOp, SetReg};
use crate::simt::code::{Cut, SimtOp};
use crate::simt::tuning::MAX_WINDOWS_KEPT;

/// Words near a cell that were cut out.
struct Known {
    /// The step that did, and which of its sets it was.
    step: usize,
    which: usize,
    /// Registers that hold the cell.
    cells: SmallVec<[SetReg; 4]>,
    set: SetReg,
    number: Option<u8>,
}

/// Lets steps take what others have cut out, along programs that follow one another, each from
/// where it begins. `sets`: of how many of its sets an operation cuts words out, near single cells.
/// Tells how many are kept in all.
pub fn keep_cuts(
    steps: &mut [SimtOp],
    programs: &[u32],
    points: &[ChoicePoint],
    kept: usize,
    sets: impl Fn(&LinearOp) -> usize,
) -> usize {
    let mut keeping = Keeping { known: Vec::new(), copies: Vec::new(), chosen: SmallVec::new(), kept };
    for &from in programs {
        let (mut depth, mut goes_back) = (0u32, false);
        for at in from as usize..steps.len() {
            match steps[at] {
                // In a branch it is a copy for some lanes only.
                SimtOp::Do { op: LinearOp::Copy { d, a }, .. } if depth == 0 => keeping.copy(d, a),
                SimtOp::Do { op, .. } => keeping.invalidate(&op),
                SimtOp::Refill { d, a, .. } => keeping.invalidate(&LinearOp::Copy { d, a }),
                SimtOp::Look { op, .. } => {
                    keeping.look(steps, at, (&op, sets(&op)), depth == 0);
                    keeping.invalidate(&op);
                }
                SimtOp::If { .. } => depth += 1,
                SimtOp::Join => depth = depth.saturating_sub(1),
                SimtOp::Need { .. } | SimtOp::Last | SimtOp::Fail | SimtOp::Else { .. } | SimtOp::Fork { .. } => {}
                SimtOp::End { .. } => break,
                // Lanes go apart, or back.
                _ => {
                    keeping.known.clear();
                    keeping.copies.clear();
                    goes_back |=
                        matches!(steps[at], SimtOp::Choose { point, .. } if !points[point as usize].infallible);
                    // Where some lanes have gone back and choose again, it is known of theirs
                    // alone.
                    keeping.chosen =
                        chosen(&steps[at], points).filter(|_| depth == 0 && !goes_back).into_iter().collect();
                    depth += u32::from(!matches!(steps[at], SimtOp::Choose { parts: false, .. }));
                }
            }
        }
    }
    keeping.kept
}

/// Where a choice puts the cell that is found in each lane, if all lanes find one in the same way.
fn chosen(step: &SimtOp, points: &[ChoicePoint]) -> Option<SetReg> {
    let SimtOp::Choose { point, cell, parts: false, .. } = *step else { return None };
    let point = &points[point as usize];
    cell.filter(|_| point.infallible && !point.aimed && point.early_reject.is_none())
}

/// The cell and the sets that an operation looks for near it.
fn looked_for(op: &LinearOp) -> Option<(SetReg, SmallVec<[SetReg; 2]>)> {
    match *op {
        LinearOp::RayQuery { a, x, y, .. } => Some((a, smallvec![x, y])),
        LinearOp::InLine { a, within, .. } => Some((a, smallvec![within])),
        _ => None,
    }
}

struct Keeping {
    known: Vec<Known>,
    /// Registers that hold the same.
    copies: Vec<[SetReg; 2]>,
    /// Those that hold the cell that was chosen last.
    chosen: SmallVec<[SetReg; 4]>,
    kept: usize,
}

impl Keeping {
    /// A step takes what is known of its sets; what is not is known from now on, if all lanes come
    /// to the step.
    fn look(&mut self, steps: &mut [SimtOp], at: usize, (op, cuts): (&LinearOp, usize), by_all: bool) {
        let Some((cell, sets)) = looked_for(op) else { return };
        if let SimtOp::Look { near, .. } = &mut steps[at] {
            near.chosen = self.chosen.contains(&cell);
        }
        for (which, &set) in sets.iter().take(cuts).enumerate() {
            let same = |known: &&mut Known| known.set == set && known.cells.contains(&cell);
            match self.known.iter_mut().find(same) {
                Some(known) => {
                    let Some(number) = known.number.or((self.kept < MAX_WINDOWS_KEPT).then_some(self.kept as u8))
                    else {
                        continue;
                    };
                    self.kept = self.kept.max(usize::from(number) + 1);
                    known.number = Some(number);
                    set_cut(&mut steps[known.step], known.which, Cut::Kept(number));
                    set_cut(&mut steps[at], which, Cut::Taken(number));
                }
                None if by_all => {
                    self.known.push(Known { step: at, which, cells: self.copies_of(cell), set, number: None })
                }
                None => {}
            }
        }
    }

    /// A register, and those that hold the same.
    fn copies_of(&self, a: SetReg) -> SmallVec<[SetReg; 4]> {
        let other = |pair: &[SetReg; 2]| (pair[0] == a).then_some(pair[1]).or((pair[1] == a).then_some(pair[0]));
        std::iter::once(a).chain(self.copies.iter().filter_map(other)).collect()
    }

    /// A register becomes what another is.
    fn copy(&mut self, d: SetReg, a: SetReg) {
        self.invalidate(&LinearOp::Copy { d, a });
        self.known.iter_mut().filter(|known| known.cells.contains(&a)).for_each(|known| known.cells.push(d));
        if self.chosen.contains(&a) {
            self.chosen.push(d);
        }
        let copies = self.copies_of(a).into_iter().map(|other| [other, d]);
        self.copies.extend(copies.collect::<SmallVec<[_; 4]>>());
    }

    /// What an operation writes is not what it was.
    fn invalidate(&mut self, op: &LinearOp) {
        op.accesses(|access| match access {
            Access::DefSet(d) => {
                self.copies.retain(|pair| !pair.contains(&d));
                self.chosen.retain(|cell| *cell != d);
                for known in &mut self.known {
                    if known.set == d {
                        known.cells.clear();
                    }
                    known.cells.retain(|cell| *cell != d);
                }
            }
            Access::Pieces => {
                self.known.clear();
                self.copies.clear();
                self.chosen.clear();
            }
            _ => {}
        });
    }
}

fn set_cut(step: &mut SimtOp, which: usize, cut: Cut) {
    if let SimtOp::Look { near, .. } = step {
        near.cuts[which % 2] = cut;
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::NumReg;
    use crate::simt::analysis::window_reuse::*;
    use crate::simt::code::Nearby;
    use crate::simt::kernels::ops::Test;

    const FOLLOW: LinearOp = LinearOp::RayQuery { d: SetReg(9), a: SetReg(8), x: SetReg(1), y: SetReg(0), trail: 0 };
    const IN_ROW: LinearOp = LinearOp::InLine { d: NumReg(9), a: SetReg(2), within: SetReg(0), trail: 1 };

    fn look(op: LinearOp) -> SimtOp {
        SimtOp::Look { op, blend: false, near: Nearby::default() }
    }

    fn act(op: LinearOp) -> SimtOp {
        SimtOp::Do { op, blend: false, loses: false }
    }

    /// The cuts of a look along lines and of one for a row, with such steps before them, between
    /// and all.
    fn cuts_of(sets: usize, before: &[SimtOp], between: &[SimtOp]) -> [[Cut; 2]; 2] {
        let mut all = [before, &[look(FOLLOW)], between, &[look(IN_ROW), SimtOp::End { numbered: false }]].concat();
        keep_cuts(&mut all, &[0], &[], 0, |_| sets);
        let of = |step: &SimtOp| if let SimtOp::Look { near, .. } = *step { near.cuts } else { [Cut::Own; 2] };
        [of(&all[before.len()]), of(&all[all.len() - 2])]
    }

    fn cuts(before: &[SimtOp], between: &[SimtOp]) -> [[Cut; 2]; 2] {
        cuts_of(2, before, between)
    }

    #[test]
    fn words_near_a_cell_are_cut_out_once_where_neither_cell_nor_set_has_changed() {
        let last = act(LinearOp::Copy { d: SetReg(2), a: SetReg(8) });
        let (kept, own) = ([[Cut::Own, Cut::Kept(0)], [Cut::Taken(0), Cut::Own]], [[Cut::Own; 2]; 2]);
        let others = act(LinearOp::AndNot { d: SetReg(1), a: SetReg(1), b: SetReg(9) });
        assert_eq!(cuts(&[], &[last, others]), kept);
        assert_eq!(cuts(&[last], &[others]), kept);
        // Another cell, another set, men that moved, and lanes that went round.
        assert_eq!(cuts(&[], &[]), own);
        assert_eq!(cuts(&[last], &[act(LinearOp::Or { d: SetReg(0), a: SetReg(0), b: SetReg(9) })]), own);
        assert_eq!(cuts(&[last], &[act(LinearOp::RemovePieces { cells: SetReg(9), only: None })]), own);
        assert_eq!(cuts(&[last], &[SimtOp::Rounds]), own);
        // The copy of what the cell was before, or is not any more.
        let other = act(LinearOp::Copy { d: SetReg(8), a: SetReg(3) });
        assert_eq!(cuts(&[last], &[other]), kept);
        assert_eq!(cuts(&[], &[other, last]), own);
        assert_eq!(cuts(&[last, other], &[]), own);
        // A copy for some lanes.
        let branch = [SimtOp::If { test: Test::True(NumReg(0)), to: 0 }, last, SimtOp::Else { to: 0 }, SimtOp::Join];
        assert_eq!(cuts(&branch, &[]), own);
        assert_eq!(cuts(&[], &branch), own);
        // A look that does not ask what ends a line.
        assert_eq!(cuts_of(1, &[last], &[]), own);
    }

    #[test]
    fn where_a_chosen_cell_stands_is_known_until_another_is_chosen() {
        let sure = ChoicePoint { infallible: true, ..ChoicePoint::default() };
        let (aimed, unsure) = (ChoicePoint { aimed: true, ..sure.clone() }, ChoicePoint::default());
        let points = [sure, unsure, aimed];
        let choose = |point| SimtOp::Choose { point, cell: Some(SetReg(8)), blend: false, parts: false };
        let knows = |before: &[SimtOp]| {
            let mut all = [before, &[look(FOLLOW), SimtOp::End { numbered: false }]].concat();
            keep_cuts(&mut all, &[0], &points, 0, |_| 2);
            matches!(all[before.len()], SimtOp::Look { near: Nearby { chosen: true, .. }, .. })
        };
        let last = act(LinearOp::Copy { d: SetReg(2), a: SetReg(8) });
        assert!(knows(&[choose(0)]));
        assert!(knows(&[choose(0), last, act(LinearOp::Or { d: SetReg(0), a: SetReg(0), b: SetReg(8) })]));
        // The register became another cell; it was chosen for some lanes; men moved.
        assert!(!knows(&[choose(0), act(LinearOp::Copy { d: SetReg(8), a: SetReg(3) })]));
        assert!(!knows(&[SimtOp::If { test: Test::True(NumReg(0)), to: 0 }, choose(0)]));
        assert!(!knows(&[choose(0), act(LinearOp::RemovePieces { cells: SetReg(9), only: None })]));
        // Cells that are drawn in other ways, and lanes that may have gone back and chosen again.
        assert!(!knows(&[choose(1)]));
        assert!(!knows(&[choose(2)]));
        assert!(!knows(&[choose(1), choose(0)]));
    }
}
