//! Ray-query kernels: single cells and what is sought along rays from them go in; the cells found
//! come out, for many games at once.
//!
//! Lines of any length are filled from the cell; of short ones a glance at the cells near by tells
//! which lanes may have what is looked for, and those few are looked at one by one; of most rows it
//! tells that they are there.

use crate::interp::{DIRS, Prefilter, RayTargets, STEPS};
use crate::plan::{BitboardLayout, RayQuery};
use crate::simd::{Places, Simd};
use crate::simt::kernels::algebra::{Step, and, masked, or, without};
use crate::simt::kernels::ray_fill::run;
use crate::simt::registers::{Cells, some};
use crate::simt::window::Window;

/// A ray query with the ways of a board.
#[derive(Debug)]
pub struct RayQuerySteps<const W: usize> {
    /// By direction, where each is one masked shift and runs are as long as they can be.
    pub steps: Vec<Step<W>>,
    longest: u32,
    ended: bool,
    pub single: bool,
    pub near: Option<Near>,
    pub row: Option<Near>,
    /// The same where it tells all.
    pub along: Option<Window>,
    pub across: Option<Window>,
    pub aims: Option<RayTargets<W>>,
}

impl<const W: usize> RayQuerySteps<W> {
    pub fn new(trail: &RayQuery, grid: &BitboardLayout, dirs: &[Vec<Step<W>>]) -> RayQuerySteps<W> {
        let longest = trail.dirs.iter().map(|&dir| grid.longest[usize::from(dir)]).max().unwrap_or(0);
        let one = |dir: &u16| match dirs[usize::from(*dir)].as_slice() {
            [one] => Some(*one),
            _ => None,
        };
        let steps = if trail.most >= longest && trail.least <= 1 { trail.dirs.iter().map(one).collect() } else { None };
        RayQuerySteps {
            steps: steps.unwrap_or_default(),
            longest,
            ended: trail.ended,
            single: trail.single,
            near: Prefilter::along(trail, grid).as_ref().map(|glance| Near::new(glance, trail.least)),
            row: Prefilter::across(trail, grid).as_ref().map(|glance| Near::new(glance, trail.least)),
            along: Window::along(trail, grid),
            across: Window::across(trail, grid),
            aims: RayTargets::new(trail, grid),
        }
    }

    /// The steps of lines of any length that another cell ends, none if these are others; and how
    /// long such a line is at most.
    #[inline(always)]
    pub fn ended_runs(&self) -> (&[Step<W>], u32) {
        (if self.ended { &self.steps } else { &[] }, self.longest.saturating_sub(1))
    }

    /// Lines of any length are followed.
    pub fn runs_on(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Of how many sets words near single cells tell whether anything may be found along the lines
    /// from there.
    pub fn cuts_along(&self) -> usize {
        match &self.near {
            Some(near) if self.single && self.steps.is_empty() => 1 + usize::from(near.ended),
            _ => 0,
        }
    }

    /// The same of rows through a cell.
    pub fn cuts_across(&self) -> usize {
        usize::from(self.single && self.row.is_some())
    }

    /// The cells of runs of `x` from each lane's one cell, behind which stands one of `y` if that
    /// is asked.
    #[inline(always)]
    pub fn follow<V: Simd>(&self, v: V, a: &Cells<V, W>, x: &Cells<V, W>, y: &Cells<V, W>) -> Cells<V, W> {
        let mut found = [v.none(); W];
        for at in 0..self.steps.len() {
            let step = &self.steps[at];
            let mut line = run(v, step, a, x, self.longest);
            if self.ended {
                // Of the cells that the line's cells lead to, all but the last are its own.
                let ends = some(v, &and(v, &step.of(v, &line), &without(v, y, &line)));
                line = masked(v, &line, ends);
            }
            found = or(v, &found, &line);
        }
        found
    }
}

/// A [`Prefilter`] for many lanes: a byte for each direction, those that look ahead in the lower
/// half of a word, those that look behind in the upper.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// By step: where each direction's cell stands in the word ahead of the cell, or in the one
    /// behind.
    at: [Places; STEPS],
    /// By direction: 1, if there is one.
    used: u64,
    steps: usize,
    pub ended: bool,
    walled: bool,
    /// Cells of a row beside the one.
    others: usize,
}

impl Near {
    fn new(glance: &Prefilter, least: u32) -> Near {
        let bytes = |words: [u64; DIRS]| words.map(|word| word as u8 & 63);
        let Prefilter { at, used, steps, ended, walled } = *glance;
        let last = STEPS - usize::from(ended);
        let (at, used) = (at.map(|words| Places::new(bytes(words))), u64::from_le_bytes(bytes(used)));
        Near { at, used, steps: steps.min(last), ended, walled, others: (least as usize).saturating_sub(1) }
    }

    /// By direction: 1, if the cell so many steps on is there, of what stands ahead and behind. The
    /// other bits of the bytes say nothing.
    #[inline(always)]
    fn taken<V: Simd>(&self, v: V, near: [V::V8; 2], step: usize) -> V::V8 {
        v.bits_at(near, &self.at[step])
    }

    /// [`Prefilter::may_follow`], for each lane: the mask of those that may. Near no cell there is
    /// nothing.
    #[inline(always)]
    pub fn may_follow<V: Simd>(&self, v: V, x: [V::V8; 2], y: [V::V8; 2]) -> V::V8 {
        let mut all = v.all(self.used);
        for step in 0..self.steps {
            all = v.and(all, self.taken(v, x, step));
        }
        if self.ended {
            all = v.and(all, self.taken(v, y, self.steps));
        }
        v.truth(all)
    }

    /// The masks of the lanes whose cell stands in a row, and of those of which that is in doubt.
    #[inline(always)]
    pub fn in_row<V: Simd>(&self, v: V, within: [V::V8; 2]) -> [V::V8; 2] {
        let [sure, doubtful] = match self.steps {
            1 => self.rows::<V, 1>(v, within),
            2 => self.rows::<V, 2>(v, within),
            3 => self.rows::<V, 3>(v, within),
            _ => self.rows::<V, STEPS>(v, within),
        };
        // The cell itself is the first of those ahead.
        let sure = v.truth(v.and(v.one(within[0]), v.truth(sure)));
        [sure, v.without(v.truth(doubtful), sure)]
    }

    /// By axis: 1, if there are so many cells in a row ahead and behind together; and if there may
    /// be, as cells go on on one side as far as is looked.
    #[inline(always)]
    fn rows<V: Simd, const N: usize>(&self, v: V, near: [V::V8; 2]) -> [V::V8; 2] {
        // By number of steps, by direction: whether all cells so far belong to the row.
        let mut runs = [v.all(self.used); STEPS + 1];
        for step in 0..N {
            runs[step + 1] = v.and(runs[step], self.taken(v, near, step));
        }
        let others = if self.walled { self.others } else { N };
        let mut found = v.none();
        for ahead in 0..=N {
            let behind = others.wrapping_sub(ahead);
            if behind <= N {
                found = v.or(found, v.and(runs[ahead], v.down(runs[behind], u64::BITS / 2)));
            }
        }
        match (self.walled, others > N) {
            (false, _) => [v.none(), found],
            (true, false) => [found, v.none()],
            (true, true) => [found, runs[N]],
        }
    }
}
