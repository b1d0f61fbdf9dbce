//! Path overlap: two ways go in; whether they can lead to the same cell along the same line comes
//! out. All that they walk over would have to fit both, and the way of a man who stands further
//! back leads over the other man.

use rustc_hash::FxHashSet as HashSet;

use crate::plan::lower::context::Lowering;
use crate::plan::lower::line::{Run, Stage};
use crate::plan::lower::values::{Cells, Lowered};
use crate::plan::tuning::MAX_PATH_CELLS;

/// What one cell of a way must be, or any number of cells.
#[derive(Clone, Copy)]
struct Step {
    test: Cells,
    often: bool,
}

/// The steps of a way from the anchor to the landing, in one direction.
pub struct Steps(Vec<Step>);

impl<'g> Lowering<'g> {
    /// The steps of a way; `None`: they are known only at play, or too many.
    pub fn steps(&mut self, stages: &[Stage<'g>]) -> Lowered<Option<Steps>> {
        let mut steps = Vec::new();
        for stage in stages {
            let test = self.test(*stage)?;
            let (least, more) = match self.run(*stage)? {
                Run::One => (1, false),
                Run::Between(least, most) => (least, most.is_none_or(|most| most > least)),
                Run::Exactly(_) => return Ok(None),
            };
            if !(0..=MAX_PATH_CELLS).contains(&least) || steps.len() as i64 > MAX_PATH_CELLS {
                return Ok(None);
            }
            steps.extend((0..least).map(|_| Step { test, often: false }));
            steps.extend(more.then_some(Step { test, often: true }));
        }
        Ok(Some(Steps(steps)))
    }

    /// No run of cells is both ways at once, from one man on to the last cell.
    pub fn never_alike(&self, a: &Steps, b: &Steps) -> bool {
        self.never_alike_from(vec![(0, 0)], a, b)
    }

    /// No run of cells is a way from a man to the last cell, and leads over another of these men
    /// whose way leads there too.
    pub fn never_over(&self, far: &Steps, near: &Steps, men: Cells) -> bool {
        let (mut begun, mut seen, mut at) = (Vec::new(), HashSet::default(), vec![0]);
        while let Some(place) = at.pop() {
            let (true, Some(step)) = (seen.insert(place), far.0.get(place)) else { continue };
            let behind = if step.often { place } else { place + 1 };
            at.extend(step.often.then_some(place + 1));
            at.push(behind);
            if !self.apart(step.test, men) {
                begun.push((behind, 0));
            }
        }
        self.never_alike_from(begun, far, near)
    }

    fn never_alike_from(&self, mut open: Vec<(usize, usize)>, a: &Steps, b: &Steps) -> bool {
        let mut seen = HashSet::default();
        while let Some((at_a, at_b)) = open.pop() {
            if (at_a, at_b) == (a.0.len(), b.0.len()) {
                return false;
            }
            if !seen.insert((at_a, at_b)) {
                continue;
            }
            let (step_a, step_b) = (a.0.get(at_a), b.0.get(at_b));
            open.extend(step_a.filter(|step| step.often).map(|_| (at_a + 1, at_b)));
            open.extend(step_b.filter(|step| step.often).map(|_| (at_a, at_b + 1)));
            if let (Some(step_a), Some(step_b)) = (step_a, step_b)
                && !self.apart(step_a.test, step_b.test)
            {
                let behind = |at: usize, step: &Step| if step.often { at } else { at + 1 };
                open.push((behind(at_a, step_a), behind(at_b, step_b)));
            }
        }
        true
    }
}
