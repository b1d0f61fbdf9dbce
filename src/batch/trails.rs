//! What is looked for along lines from single cells, for many games at once.
//!
//! Lines of any length are filled from the cell; of short ones a glance at the cells near by tells which lanes may have what is looked
//! for, and those few are looked at one by one.

use super::lanes::{Cells, Mask, load, put, some, words};
use super::sets::{Step, and, masked, or, run, without};
use super::vector::Vectors;
use crate::engine::{Aims, Glance, STEPS};
use crate::ir::{Grid, N, S, Trail};

/// A trail with the ways of a board.
#[derive(Debug)]
pub struct TrailSteps<const W: usize> {
    /// By direction, where each is one hop and runs are as long as they can be.
    steps: Vec<Step<W>>,
    longest: u32,
    ended: bool,
    single: bool,
    near: Option<Glance>,
    row: Option<Glance>,
    pub aims: Option<Aims<W>>,
}

impl<const W: usize> TrailSteps<W> {
    pub fn new(trail: &Trail, grid: &Grid, dirs: &[Vec<Step<W>>]) -> TrailSteps<W> {
        let longest = trail.dirs.iter().map(|&dir| grid.longest[usize::from(dir)]).max().unwrap_or(0);
        let one = |dir: &u16| match dirs[usize::from(*dir)].as_slice() {
            [one] => Some(*one),
            _ => None,
        };
        let steps = if trail.most >= longest && trail.least <= 1 { trail.dirs.iter().map(one).collect() } else { None };
        TrailSteps {
            steps: steps.unwrap_or_default(),
            longest,
            ended: trail.ended,
            single: trail.single,
            near: Glance::along(trail, grid),
            row: Glance::across(trail, grid),
            aims: Aims::new(trail, grid),
        }
    }

    /// Lines of any length are followed.
    pub fn runs_on(&self) -> bool {
        !self.steps.is_empty()
    }

    /// The cells of runs of `x` from each lane's one cell, behind which stands one of `y` if that is asked.
    #[inline(always)]
    pub fn follow<V: Vectors>(&self, v: V, a: &Cells<V, W>, x: &Cells<V, W>, y: &Cells<V, W>) -> Cells<V, W> {
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

impl<V: Vectors, const W: usize, const K: usize> super::status::Lanes<V, W, K> {
    /// Does what can be done for many games at once; the lanes that are left to be looked at one by one.
    #[inline(always)]
    pub fn follow(&mut self, (d, a, x, y): (S, S, S, S), trail: u16) -> Mask {
        let (v, trail, on) = (self.v, &self.steps.trails[usize::from(trail)], self.on);
        let [d, a, x, y] = [d, a, x, y].map(|reg| usize::from(reg.0));
        if trail.steps.is_empty() && trail.near.is_none() {
            return on;
        }
        let mut left = v.none();
        for i in 0..K {
            if !on.reaches(i) {
                continue;
            }
            let sets = &self.file.sets;
            let (cells, x, y) = (load(v, &sets[a][i]), load(v, &sets[x][i]), load(v, &sets[y][i]));
            let mut several = if trail.single { v.none() } else { several(v, &cells) };
            let mut found = [v.none(); W];
            if let (Some(near), true) = (&trail.near, trail.steps.is_empty()) {
                several = v.or(several, may_follow(v, near, &cells, &x, &y));
            } else {
                found = trail.follow(v, &cells, &x, &y);
            }
            left = v.or(left, v.and(several, v.all(1 << i)));
            let mask = v.without(on.lanes(v, i), several);
            words!(word => {
                put(v, &mut self.file.sets[d][i][word], found[word], mask);
            });
        }
        Mask::of_bytes(v.gathered(left)).and(on)
    }

    /// Lanes whose cell stands in no row are told so; the others are left to be looked at one by one.
    #[inline(always)]
    pub fn in_row(&mut self, d: N, (a, within): (S, S), trail: u16) -> Mask {
        let (v, on) = (self.v, self.on);
        let trail = &self.steps.trails[usize::from(trail)];
        let Some(row) = &trail.row else { return on };
        let (d, a, within) = (usize::from(d.0), usize::from(a.0), usize::from(within.0));
        let mut left = v.none();
        for i in 0..K {
            if !on.reaches(i) {
                continue;
            }
            let (cells, within) = (load(v, &self.file.sets[a][i]), load(v, &self.file.sets[within][i]));
            let several = if trail.single { v.none() } else { several(v, &cells) };
            let doubtful = v.or(several, may_be_in_row(v, row, &cells, &within));
            left = v.or(left, v.and(doubtful, v.all(1 << i)));
            put(v, &mut self.file.numbers[d][i], v.none(), on.lanes(v, i));
        }
        Mask::of_bytes(v.gathered(left)).and(on)
    }
}

/// The mask of the lanes that have more cells than one.
#[inline(always)]
fn several<V: Vectors, const W: usize>(v: V, a: &Cells<V, W>) -> V::Eight {
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
struct Spot<V: Vectors, const W: usize> {
    /// By word: the mask of the lanes whose cell is there.
    here: Cells<V, W>,
    bit: V::Eight,
}

impl<V: Vectors, const W: usize> Spot<V, W> {
    #[inline(always)]
    fn of(v: V, a: &Cells<V, W>) -> Spot<V, W> {
        let (mut here, mut cell) = (*a, v.none());
        words!(word => {
            here[word] = v.truth(a[word]);
            cell = v.or(cell, a[word]);
        });
        Spot { here, bit: v.and(v.ones(v.sub(cell, v.all(1))), v.all(63)) }
    }

    /// The cells of a set less than a word ahead and behind.
    #[inline(always)]
    fn near(&self, v: V, set: &Cells<V, W>) -> [V::Eight; 2] {
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

/// [`Glance::may_follow`], for each lane: the mask of those that may.
#[inline(always)]
fn may_follow<V: Vectors, const W: usize>(v: V, glance: &Glance, a: &Cells<V, W>, x: &Cells<V, W>, y: &Cells<V, W>) -> V::Eight {
    let spot = Spot::of(v, a);
    let mut ends = [v.all(u64::MAX); 2];
    if glance.ended {
        ends = spot.near(v, y);
    }
    let x = spot.near(v, x);
    let steps = glance.steps.min(STEPS - 1);
    let mut found = v.none();
    for dir in 0..glance.used.len() {
        if glance.used[dir] == 0 {
            continue;
        }
        let ahead = glance.up[dir] != 0;
        let (x, y) = if ahead { (x[0], ends[0]) } else { (x[1], ends[1]) };
        let mut all = v.down(y, glance.at[steps][dir] as u32);
        for step in 0..steps {
            all = v.and(all, v.down(x, glance.at[step][dir] as u32));
        }
        found = v.or(found, all);
    }
    v.and(v.truth(v.and(found, v.all(1))), some(v, a))
}

/// [`Glance::may_be_in_row`], for each lane: the mask of those that may.
#[inline(always)]
fn may_be_in_row<V: Vectors, const W: usize>(v: V, glance: &Glance, a: &Cells<V, W>, within: &Cells<V, W>) -> V::Eight {
    let near = Spot::of(v, a).near(v, within);
    let (steps, axes) = (glance.steps.min(STEPS), glance.used.len() / 2);
    let mut found = v.none();
    for axis in 0..axes {
        let mut runs = [[v.all(u64::MAX); STEPS + 1]; 2];
        for side in 0..2 {
            let dir = axis + side * axes;
            let cells = if glance.up[dir] != 0 { near[0] } else { near[1] };
            for step in 0..steps {
                runs[side][step + 1] = v.and(runs[side][step], v.down(cells, glance.at[step][dir] as u32));
            }
        }
        for ahead in 0..=steps {
            found = v.or(found, v.and(runs[0][ahead], runs[1][steps - ahead]));
        }
    }
    v.and(v.truth(v.and(found, v.all(1))), some(v, a))
}
