//! What is looked for along lines from single cells, for many games at once.
//!
//! Lines of any length are filled from the cell; of short ones a glance at the cells near by tells which lanes may have what is looked
//! for, and those few are looked at one by one.

use super::lanes::{Chunk, Mask, Set, blend, lanewise, some};
use super::sets::{Step, and, or, run};
use crate::engine::{Glance, STEPS};
use crate::ir::{Grid, N, S, Trail};

/// A trail with the ways of a board.
#[derive(Debug)]
pub struct TrailSteps<const W: usize> {
    /// By direction, where each is one hop and runs are as long as they can be.
    steps: Vec<Step<W>>,
    longest: u32,
    ended: bool,
    near: Option<Glance>,
    row: Option<Glance>,
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
            near: Glance::along(trail, grid),
            row: Glance::across(trail, grid),
        }
    }

    /// The cells of runs of `x` from each lane's one cell, behind which stands one of `y` if that is asked.
    #[inline(always)]
    fn follow(&self, a: &Set<W>, x: &Set<W>, y: &Set<W>) -> Set<W> {
        let mut found = [Chunk::NONE; W];
        for at in 0..self.steps.len() {
            let step = &self.steps[at];
            let line = run(step, a, x, self.longest);
            if self.ended {
                // Of the cells that the line's cells lead to, all but the last are its own.
                let ends = some(&and(&step.of(&line), &super::sets::without(y, &line)));
                for word in 0..W {
                    found[word] = found[word].or(&line[word].and(&ends));
                }
            } else {
                found = or(&found, &line);
            }
        }
        found
    }
}

impl<const W: usize, const K: usize> super::status::Lanes<W, K> {
    /// Does what can be done for many games at once; the lanes that are left to be looked at one by one.
    #[inline(always)]
    pub fn follow(&mut self, (d, a, x, y): (S, S, S, S), trail: u16) -> Mask {
        let (trail, on) = (&self.steps.trails[usize::from(trail)], self.on);
        let [d, a, x, y] = [d, a, x, y].map(|reg| usize::from(reg.0));
        if trail.steps.is_empty() && trail.near.is_none() {
            return on;
        }
        let mut left = Mask::NONE;
        for i in 0..K {
            let here = on.chunk(i);
            if here == 0 {
                continue;
            }
            let (cells, x, y) = (self.file.sets[a][i], self.file.sets[x][i], self.file.sets[y][i]);
            let mut several = several(&cells);
            let mut found = [Chunk::NONE; W];
            if let (Some(near), true) = (&trail.near, trail.steps.is_empty()) {
                several = several.or(&may_follow(near, &cells, &x, &y));
            } else {
                found = trail.follow(&cells, &x, &y);
            }
            let waiting = several.bits(here);
            left.add(i, waiting);
            let mask = Chunk::of(here & !waiting);
            self.file.sets[d][i] = blend(&self.file.sets[d][i], &found, &mask);
        }
        left
    }

    /// Lanes whose cell stands in no row are told so; the others are left to be looked at one by one.
    #[inline(always)]
    pub fn in_row(&mut self, d: N, (a, within): (S, S), trail: u16) -> Mask {
        let on = self.on;
        let Some(row) = &self.steps.trails[usize::from(trail)].row else { return on };
        let (d, a, within) = (usize::from(d.0), usize::from(a.0), usize::from(within.0));
        let mut left = Mask::NONE;
        for i in 0..K {
            let here = on.chunk(i);
            if here == 0 {
                continue;
            }
            let (cells, within) = (&self.file.sets[a][i], &self.file.sets[within][i]);
            let doubtful = several(cells).or(&may_be_in_row(row, cells, within));
            left.add(i, doubtful.bits(here));
            self.file.numbers[d][i] = self.file.numbers[d][i].without(&Chunk::of(here));
        }
        left
    }
}

/// All bits of the lanes that have more cells than one.
#[inline(always)]
fn several<const W: usize>(a: &Set<W>) -> Chunk {
    let (mut any, mut more) = (Chunk::NONE, Chunk::NONE);
    for word in 0..W {
        let lower = lanewise!(cells = a[word] => cells & cells.wrapping_sub(1));
        more = more.or(&lower).or(&any.and(&a[word].truth()));
        any = any.or(&a[word].truth());
    }
    more.truth()
}

/// The words ahead of each lane's one cell and behind it.
#[derive(Clone, Copy)]
struct Spot<const W: usize> {
    /// By word: all bits in the lanes whose cell is there.
    here: Set<W>,
    bit: Chunk,
}

impl<const W: usize> Spot<W> {
    #[inline(always)]
    fn of(a: &Set<W>) -> Spot<W> {
        let (mut here, mut cell) = ([Chunk::NONE; W], Chunk::NONE);
        for word in 0..W {
            here[word] = a[word].truth();
            cell = cell.or(&a[word]);
        }
        Spot { here, bit: lanewise!(cell = cell => u64::from(cell.wrapping_sub(1).count_ones()) & 63) }
    }

    /// The cells of a set less than a word ahead and behind.
    #[inline(always)]
    fn near(&self, set: &Set<W>) -> [Chunk; 2] {
        let (mut mine, mut next, mut before) = (Chunk::NONE, Chunk::NONE, Chunk::NONE);
        for word in 0..W {
            mine = mine.or(&self.here[word].and(&set[word]));
            if word + 1 < W {
                next = next.or(&self.here[word].and(&set[word + 1]));
                before = before.or(&self.here[word + 1].and(&set[word]));
            }
        }
        [
            lanewise!(mine = mine, next = next, bit = self.bit => mine >> bit | next << 1 << (63 - bit)),
            lanewise!(mine = mine, before = before, bit = self.bit => before >> bit | mine << 1 << (63 - bit)),
        ]
    }
}

/// [`Glance::may_follow`], for each lane: all bits if it may.
#[inline(always)]
fn may_follow<const W: usize>(glance: &Glance, a: &Set<W>, x: &Set<W>, y: &Set<W>) -> Chunk {
    let spot = Spot::of(a);
    let (x, y) = (spot.near(x), if glance.ended { spot.near(y) } else { [Chunk::ALL; 2] });
    let steps = glance.steps.min(STEPS - 1);
    let mut found = Chunk::NONE;
    for dir in 0..glance.used.len() {
        if glance.used[dir] == 0 {
            continue;
        }
        let side = usize::from(glance.up[dir] == 0);
        let mut all = y[side].down(glance.at[steps][dir] as u32);
        for step in 0..steps {
            all = all.and(&x[side].down(glance.at[step][dir] as u32));
        }
        found = found.or(&all);
    }
    found.and(&Chunk::all(1)).truth().and(&some(a))
}

/// [`Glance::may_be_in_row`], for each lane: all bits if it may.
#[inline(always)]
fn may_be_in_row<const W: usize>(glance: &Glance, a: &Set<W>, within: &Set<W>) -> Chunk {
    let near = Spot::of(a).near(within);
    let (steps, axes) = (glance.steps.min(STEPS), glance.used.len() / 2);
    let mut found = Chunk::NONE;
    for axis in 0..axes {
        let mut runs = [[Chunk::ALL; STEPS + 1]; 2];
        for side in 0..2 {
            let dir = axis + side * axes;
            let cells = &near[usize::from(glance.up[dir] == 0)];
            for step in 0..steps {
                runs[side][step + 1] = runs[side][step].and(&cells.down(glance.at[step][dir] as u32));
            }
        }
        for ahead in 0..=steps {
            found = found.or(&runs[0][ahead].and(&runs[1][steps - ahead]));
        }
    }
    found.and(&Chunk::all(1)).truth().and(&some(a))
}
