//! Ray-query kernels: single cells and what is sought along rays from them go in; the cells found
//! come out, for many games at once.
//!
//! Lines of any length are filled from the cell; of short ones a glance at the cells near by tells
//! which lanes may have what is looked for, and those few are looked at one by one; of most rows it
//! tells that they are there.

use crate::interp::{DIRS, Prefilter, RayTargets, STEPS};
use crate::plan::{BitboardLayout, NumReg, RayQuery, SetReg};
use crate::simd::{Lane8, Places, Simd};
use crate::simt::analysis::window_reuse::{Cut, Nearby};
use crate::simt::kernels::ray_fill::run;
use crate::simt::kernels::sets::{Step, and, masked, or, without};
use crate::simt::registers::{Cells, LaneMask, Set, load, put, some, store, words};
use crate::simt::state::Sought;
use crate::simt::window::Window;

/// A trail with the ways of a board.
#[derive(Debug)]
pub struct RayQuerySteps<const W: usize> {
    /// By direction, where each is one hop and runs are as long as they can be.
    steps: Vec<Step<W>>,
    longest: u32,
    ended: bool,
    single: bool,
    near: Option<Near>,
    row: Option<Near>,
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

impl<V: Simd, const W: usize, const K: usize> crate::simt::state::WarpState<V, W, K> {
    /// Does what can be done for many games at once; the lanes that are left to be looked at one by
    /// one.
    #[inline(always)]
    pub fn follow(
        &mut self,
        (d, a, x, y): (SetReg, SetReg, SetReg, SetReg),
        trail: u16,
        (blend, nearby): (bool, Nearby),
    ) -> LaneMask {
        let (v, trail, on) = (self.v, &self.shared.steps.trails[usize::from(trail)], self.on);
        let (d, a, x, y) = (usize::from(d.0), usize::from(a.0), usize::from(x.0), usize::from(y.0));
        if trail.steps.is_empty() && trail.near.is_none() {
            return on;
        }
        let mut left = v.none();
        for i in on.chunks() {
            let (sets, mask) = (&self.file.sets, on.lanes(v, i));
            let cells = load(v, &sets[a][i]);
            let mut several = if trail.single { v.none() } else { several(v, &cells) };
            let mut found = [v.none(); W];
            if let (Some(near), true) = (&trail.near, trail.steps.is_empty()) {
                let (spot, cuts) = (Spot::at(v, &cells, (nearby.chosen, &self.sought), i), nearby.cuts);
                let x = spot.cut(v, &sets[x][i], (&mut self.near, cuts[0]), (i, mask));
                let y = if near.ended { spot.cut(v, &sets[y][i], (&mut self.near, cuts[1]), (i, mask)) } else { x };
                several = v.or(several, near.may_follow(v, x, y));
            } else {
                found = trail.follow(v, &cells, &load(v, &sets[x][i]), &load(v, &sets[y][i]));
            }
            left = v.or(left, v.and(several, v.all(1 << i)));
            if !blend {
                self.file.sets[d][i] = store(v, &found);
                continue;
            }
            let mask = v.without(mask, several);
            words!(word => {
                put(v, &mut self.file.sets[d][i][word], found[word], mask);
            });
        }
        LaneMask::of_bytes(v.gathered(left)).and(on)
    }

    /// Lanes are told whether their cell stands in a row; those of which that is in doubt are left
    /// to be looked at one by one.
    #[inline(always)]
    pub fn in_row(&mut self, d: NumReg, (a, within): (SetReg, SetReg), trail: u16, nearby: Nearby) -> LaneMask {
        let (v, on, [cut, _]) = (self.v, self.on, nearby.cuts);
        let trail = &self.shared.steps.trails[usize::from(trail)];
        let Some(row) = &trail.row else { return on };
        let (d, a, within) = (usize::from(d.0), usize::from(a.0), usize::from(within.0));
        let mut left = v.none();
        for i in on.chunks() {
            let (sets, mask) = (&self.file.sets, on.lanes(v, i));
            let mut doubtful = v.none();
            let within = if let Cut::Taken(number) = cut {
                taken(v, &self.near, number, i)
            } else {
                let cells = load(v, &sets[a][i]);
                if !trail.single {
                    doubtful = several(v, &cells);
                }
                Spot::at(v, &cells, (nearby.chosen, &self.sought), i).cut(
                    v,
                    &sets[within][i],
                    (&mut self.near, cut),
                    (i, mask),
                )
            };
            let [sure, in_doubt] = row.in_row(v, within);
            doubtful = v.or(doubtful, in_doubt);
            left = v.or(left, v.and(doubtful, v.all(1 << i)));
            put(v, &mut self.file.numbers[d][i], v.one(sure), mask);
        }
        LaneMask::of_bytes(v.gathered(left)).and(on)
    }
}

/// A [`Glance`] for many lanes: a byte for each direction, those that look ahead in the lower half
/// of a word, those that look behind in the upper.
#[derive(Clone, Copy, Debug)]
struct Near {
    /// By step: where each direction's cell stands in the word ahead of the cell, or in the one
    /// behind.
    at: [Places; STEPS],
    /// By direction: 1, if there is one.
    used: u64,
    steps: usize,
    ended: bool,
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

    /// [`Glance::may_follow`], for each lane: the mask of those that may. Near no cell there is
    /// nothing.
    #[inline(always)]
    fn may_follow<V: Simd>(&self, v: V, x: [V::V8; 2], y: [V::V8; 2]) -> V::V8 {
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
    fn in_row<V: Simd>(&self, v: V, within: [V::V8; 2]) -> [V::V8; 2] {
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

/// What was kept of a chunk.
#[inline(always)]
fn taken<V: Simd, const K: usize>(v: V, kept: &[[[Lane8; 2]; K]], number: u8, i: usize) -> [V::V8; 2] {
    let [ahead, behind] = &kept[usize::from(number)][i];
    [v.load(ahead), v.load(behind)]
}

/// The mask of the lanes that have more cells than one.
#[inline(always)]
fn several<V: Simd, const W: usize>(v: V, a: &Cells<V, W>) -> V::V8 {
    let (mut any, mut more) = (v.none(), v.none());
    for word in 0..W {
        let lower = v.and(a[word], v.sub(a[word], v.all(1)));
        let here = v.truth(a[word]);
        more = v.or(v.or(more, lower), v.and(any, here));
        any = v.or(any, here);
    }
    v.truth(more)
}

/// The words ahead of each lane's one cell and behind it.
#[derive(Clone, Copy)]
struct Spot<V: Simd, const W: usize> {
    /// By word: the mask of the lanes whose cell is there.
    here: Cells<V, W>,
    bit: V::V8,
}

impl<V: Simd, const W: usize> Spot<V, W> {
    /// Where each lane's one cell is, which may be the one that was chosen last.
    #[inline(always)]
    fn at<const K: usize>(v: V, a: &Cells<V, W>, (chosen, sought): (bool, &Sought<W, K>), i: usize) -> Spot<V, W> {
        if W == 1 || !chosen {
            return Spot::of(v, a);
        }
        let below = v.ones(v.sub(v.load(&sought.bits[i]), v.all(1)));
        Spot { here: load(v, &sought.here[i]), bit: v.and(below, v.all(63)) }
    }

    #[inline(always)]
    fn of(v: V, a: &Cells<V, W>) -> Spot<V, W> {
        let (mut here, mut cell) = (*a, v.none());
        words!(word => {
            here[word] = v.truth(a[word]);
            cell = v.or(cell, a[word]);
        });
        Spot { here, bit: v.and(v.ones(v.sub(cell, v.all(1))), v.all(63)) }
    }

    /// The cells of a set near by, as an operation comes to them.
    #[inline(always)]
    fn cut<const K: usize>(
        &self,
        v: V,
        set: &Set<W>,
        (kept, cut): (&mut [[[Lane8; 2]; K]], Cut),
        (i, mask): (usize, V::V8),
    ) -> [V::V8; 2] {
        if let Cut::Taken(number) = cut {
            return taken(v, kept, number, i);
        }
        let near = self.near(v, &load(v, set));
        if let Cut::Kept(number) = cut {
            let [ahead, behind] = &mut kept[usize::from(number)][i];
            put(v, ahead, near[0], mask);
            put(v, behind, near[1], mask);
        }
        near
    }

    /// The cells of a set less than a word ahead and behind.
    #[inline(always)]
    fn near(&self, v: V, set: &Cells<V, W>) -> [V::V8; 2] {
        let (mut mine, mut next, mut before) = (v.none(), v.none(), v.none());
        words!(word => {
            mine = v.or(mine, v.and(self.here[word], set[word]));
            if word + 1 < W {
                next = v.or(next, v.and(self.here[word], set[word + 1]));
                before = v.or(before, v.and(self.here[word + 1], set[word]));
            }
        });
        let rest = v.sub(v.all(63), self.bit);
        [
            v.or(v.down_each(mine, self.bit), v.up_each(v.up(next, 1), rest)),
            v.or(v.down_each(before, self.bit), v.up_each(v.up(mine, 1), rest)),
        ]
    }
}
