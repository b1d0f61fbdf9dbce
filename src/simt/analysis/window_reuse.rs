//! Operations that look near one cell go in, those of a turn and of what is asked behind it; which of them cut the same words out comes out.
//!
//! `end` mostly asks about the man that was put or moved just now, and near the same cell the turn has looked already:
//!
//! ```text
//! last = s8
//! s9 = runs of 2 8 ways from s8 through Black, ended by White     cuts out White near s8, which is kept
//! n9 = last in a row of 5 in White                                takes what was kept
//! ```
//!
//! What is kept must be of the same cell and the same set, and every lane that completes its turn must have come upon it.

use smallvec::{SmallVec, smallvec};

use crate::plan::{Access, Op, Point, S};
use crate::simt::lower::Step;

/// More is not kept.
pub const MOST_KEPT: usize = 8;

/// How an operation comes to the words near a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cut {
    /// They are cut out of its set.
    #[default]
    Own,
    /// And are kept under a number.
    Kept(u8),
    /// They were.
    Taken(u8),
}

/// How an operation that looks near single cells comes to what it looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nearby {
    /// By set.
    pub cuts: [Cut; 2],
    /// The cells are those that were chosen last: where they stand is known.
    pub chosen: bool,
}

/// Words near a cell that were cut out.
struct Known {
    /// The step that did, and which of its sets it was.
    step: usize,
    which: usize,
    /// Registers that hold the cell.
    cells: SmallVec<[S; 4]>,
    set: S,
    number: Option<u8>,
}

/// Lets steps take what others have cut out, along programs that follow one another, each from where it begins. `sets`: of how many of
/// its sets an operation cuts words out, near single cells. Tells how many are kept in all.
pub fn keep_cuts(steps: &mut [Step], programs: &[u32], points: &[Point], kept: usize, sets: impl Fn(&Op) -> usize) -> usize {
    let mut keeping = Keeping { known: Vec::new(), copies: Vec::new(), chosen: SmallVec::new(), kept };
    for &from in programs {
        let (mut depth, mut goes_back) = (0u32, false);
        for at in from as usize..steps.len() {
            match steps[at] {
                // In a branch it is a copy for some lanes only.
                Step::Do { op: Op::Copy { d, a }, .. } if depth == 0 => keeping.copy(d, a),
                Step::Do { op, .. } => keeping.spoil(&op),
                Step::Refill { d, a, .. } => keeping.spoil(&Op::Copy { d, a }),
                Step::Look { op, .. } => {
                    keeping.look(steps, at, (&op, sets(&op)), depth == 0);
                    keeping.spoil(&op);
                }
                Step::If { .. } => depth += 1,
                Step::Join => depth = depth.saturating_sub(1),
                Step::Need { .. } | Step::Last | Step::Fail | Step::Else { .. } | Step::Fork { .. } => {}
                Step::End { .. } => break,
                // Lanes go apart, or back.
                _ => {
                    keeping.known.clear();
                    keeping.copies.clear();
                    goes_back |= matches!(steps[at], Step::Choose { point, .. } if !points[point as usize].sure);
                    // Where some lanes have gone back and choose again, it is known of theirs alone.
                    keeping.chosen = chosen(&steps[at], points).filter(|_| depth == 0 && !goes_back).into_iter().collect();
                    depth += u32::from(!matches!(steps[at], Step::Choose { parts: false, .. }));
                }
            }
        }
    }
    keeping.kept
}

/// Where a choice puts the cell that is found in each lane, if all lanes find one in the same way.
fn chosen(step: &Step, points: &[Point]) -> Option<S> {
    let Step::Choose { point, cell, parts: false, .. } = *step else { return None };
    let point = &points[point as usize];
    cell.filter(|_| point.sure && !point.aimed && point.cap.is_none())
}

/// The cell and the sets that an operation looks for near it.
fn looked_for(op: &Op) -> Option<(S, SmallVec<[S; 2]>)> {
    match *op {
        Op::Follow { a, x, y, .. } => Some((a, smallvec![x, y])),
        Op::InRow { a, within, .. } => Some((a, smallvec![within])),
        _ => None,
    }
}

struct Keeping {
    known: Vec<Known>,
    /// Registers that hold the same.
    copies: Vec<[S; 2]>,
    /// Those that hold the cell that was chosen last.
    chosen: SmallVec<[S; 4]>,
    kept: usize,
}

impl Keeping {
    /// A step takes what is known of its sets; what is not is known from now on, if all lanes come to the step.
    fn look(&mut self, steps: &mut [Step], at: usize, (op, cuts): (&Op, usize), by_all: bool) {
        let Some((cell, sets)) = looked_for(op) else { return };
        if let Step::Look { near, .. } = &mut steps[at] {
            near.chosen = self.chosen.contains(&cell);
        }
        for (which, &set) in sets.iter().take(cuts).enumerate() {
            let same = |known: &&mut Known| known.set == set && known.cells.contains(&cell);
            match self.known.iter_mut().find(same) {
                Some(known) => {
                    let Some(number) = known.number.or((self.kept < MOST_KEPT).then_some(self.kept as u8)) else { continue };
                    self.kept = self.kept.max(usize::from(number) + 1);
                    known.number = Some(number);
                    set_cut(&mut steps[known.step], known.which, Cut::Kept(number));
                    set_cut(&mut steps[at], which, Cut::Taken(number));
                }
                None if by_all => self.known.push(Known { step: at, which, cells: self.copies_of(cell), set, number: None }),
                None => {}
            }
        }
    }

    /// A register, and those that hold the same.
    fn copies_of(&self, a: S) -> SmallVec<[S; 4]> {
        let other = |pair: &[S; 2]| (pair[0] == a).then_some(pair[1]).or((pair[1] == a).then_some(pair[0]));
        std::iter::once(a).chain(self.copies.iter().filter_map(other)).collect()
    }

    /// A register becomes what another is.
    fn copy(&mut self, d: S, a: S) {
        self.spoil(&Op::Copy { d, a });
        self.known.iter_mut().filter(|known| known.cells.contains(&a)).for_each(|known| known.cells.push(d));
        if self.chosen.contains(&a) {
            self.chosen.push(d);
        }
        let copies = self.copies_of(a).into_iter().map(|other| [other, d]);
        self.copies.extend(copies.collect::<SmallVec<[_; 4]>>());
    }

    /// What an operation writes is not what it was.
    fn spoil(&mut self, op: &Op) {
        op.accesses(|access| match access {
            Access::WriteSet(d) => {
                self.copies.retain(|pair| !pair.contains(&d));
                self.chosen.retain(|cell| *cell != d);
                for known in &mut self.known {
                    if known.set == d {
                        known.cells.clear();
                    }
                    known.cells.retain(|cell| *cell != d);
                }
            }
            Access::Men => {
                self.known.clear();
                self.copies.clear();
                self.chosen.clear();
            }
            _ => {}
        });
    }
}

fn set_cut(step: &mut Step, which: usize, cut: Cut) {
    if let Step::Look { near, .. } = step {
        near.cuts[which % 2] = cut;
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::N;
    use crate::simt::analysis::window_reuse::*;
    use crate::simt::kernels::ops::Test;

    const FOLLOW: Op = Op::Follow { d: S(9), a: S(8), x: S(1), y: S(0), trail: 0 };
    const IN_ROW: Op = Op::InRow { d: N(9), a: S(2), within: S(0), trail: 1 };

    fn look(op: Op) -> Step {
        Step::Look { op, blend: false, near: Nearby::default() }
    }

    fn act(op: Op) -> Step {
        Step::Do { op, blend: false, loses: false }
    }

    /// The cuts of a look along lines and of one for a row, with such steps before them, between and all.
    fn cuts_of(sets: usize, before: &[Step], between: &[Step]) -> [[Cut; 2]; 2] {
        let mut all = [before, &[look(FOLLOW)], between, &[look(IN_ROW), Step::End { numbered: false }]].concat();
        keep_cuts(&mut all, &[0], &[], 0, |_| sets);
        let of = |step: &Step| if let Step::Look { near, .. } = *step { near.cuts } else { [Cut::Own; 2] };
        [of(&all[before.len()]), of(&all[all.len() - 2])]
    }

    fn cuts(before: &[Step], between: &[Step]) -> [[Cut; 2]; 2] {
        cuts_of(2, before, between)
    }

    #[test]
    fn words_near_a_cell_are_cut_out_once_where_neither_cell_nor_set_has_changed() {
        let last = act(Op::Copy { d: S(2), a: S(8) });
        let (kept, own) = ([[Cut::Own, Cut::Kept(0)], [Cut::Taken(0), Cut::Own]], [[Cut::Own; 2]; 2]);
        let others = act(Op::Without { d: S(1), a: S(1), b: S(9) });
        assert_eq!(cuts(&[], &[last, others]), kept);
        assert_eq!(cuts(&[last], &[others]), kept);
        // Another cell, another set, men that moved, and lanes that went round.
        assert_eq!(cuts(&[], &[]), own);
        assert_eq!(cuts(&[last], &[act(Op::Or { d: S(0), a: S(0), b: S(9) })]), own);
        assert_eq!(cuts(&[last], &[act(Op::Clear { cells: S(9), only: None })]), own);
        assert_eq!(cuts(&[last], &[Step::Rounds]), own);
        // The copy of what the cell was before, or is not any more.
        let other = act(Op::Copy { d: S(8), a: S(3) });
        assert_eq!(cuts(&[last], &[other]), kept);
        assert_eq!(cuts(&[], &[other, last]), own);
        assert_eq!(cuts(&[last, other], &[]), own);
        // A copy for some lanes.
        let branch = [Step::If { test: Test::True(N(0)), to: 0 }, last, Step::Else { to: 0 }, Step::Join];
        assert_eq!(cuts(&branch, &[]), own);
        assert_eq!(cuts(&[], &branch), own);
        // A look that does not ask what ends a line.
        assert_eq!(cuts_of(1, &[last], &[]), own);
    }

    #[test]
    fn where_a_chosen_cell_stands_is_known_until_another_is_chosen() {
        let sure = Point { sure: true, ..Point::default() };
        let (aimed, unsure) = (Point { aimed: true, ..sure.clone() }, Point::default());
        let points = [sure, unsure, aimed];
        let choose = |point| Step::Choose { point, cell: Some(S(8)), blend: false, parts: false };
        let knows = |before: &[Step]| {
            let mut all = [before, &[look(FOLLOW), Step::End { numbered: false }]].concat();
            keep_cuts(&mut all, &[0], &points, 0, |_| 2);
            matches!(all[before.len()], Step::Look { near: Nearby { chosen: true, .. }, .. })
        };
        let last = act(Op::Copy { d: S(2), a: S(8) });
        assert!(knows(&[choose(0)]));
        assert!(knows(&[choose(0), last, act(Op::Or { d: S(0), a: S(0), b: S(8) })]));
        // The register became another cell; it was chosen for some lanes; men moved.
        assert!(!knows(&[choose(0), act(Op::Copy { d: S(8), a: S(3) })]));
        assert!(!knows(&[Step::If { test: Test::True(N(0)), to: 0 }, choose(0)]));
        assert!(!knows(&[choose(0), act(Op::Clear { cells: S(9), only: None })]));
        // Cells that are drawn in other ways, and lanes that may have gone back and chosen again.
        assert!(!knows(&[choose(1)]));
        assert!(!knows(&[choose(2)]));
        assert!(!knows(&[choose(1), choose(0)]));
    }
}
