//! Single cells and what is looked for near them go in; whether it may be there comes out. Cells of the next row may be taken for
//! neighbours, so what may be there is looked at again; what is there is never overlooked.

#![allow(clippy::needless_range_loop)]

use super::words::Words;
use crate::ir::{Grid, Trail};

/// Directions at most.
pub const DIRS: usize = 8;
/// Steps at most.
pub const STEPS: usize = 4;

/// What a trail asks of the cells near by: those less than a word away.
#[derive(Clone, Copy, Debug)]
pub struct Glance {
    /// By step, then direction: where its cell stands in a word ahead of the cell, or in the one behind.
    pub at: [[u64; DIRS]; STEPS],
    /// By direction: all bits, if bits go up on it.
    pub up: [u64; DIRS],
    /// By direction: 1, if there is such a direction.
    pub used: [u64; DIRS],
    /// So many cells are asked.
    pub steps: usize,
    /// And one more, of another set.
    pub ended: bool,
}

impl Glance {
    /// For runs along the directions of a trail.
    pub fn along(trail: &Trail, grid: &Grid) -> Option<Glance> {
        let fixed = trail.least == trail.most;
        if !fixed && trail.least < 2 {
            return None;
        }
        let dirs: Vec<u16> = trail.dirs.to_vec();
        let most = Glance::reach(&dirs, grid)?;
        let least = trail.least as usize;
        let ended = fixed && trail.ended && least < most;
        let steps = least.min(most);
        if steps == 0 { None } else { Glance::new(&dirs, grid, steps, ended) }
    }

    /// For rows through a cell, along directions of which two that follow one another are an axis. Those that stand first come first.
    pub fn across(trail: &Trail, grid: &Grid) -> Option<Glance> {
        let axes: Vec<&[u16]> = trail.dirs.chunks_exact(2).collect();
        let mut dirs = Vec::new();
        if axes.len() > DIRS / 2 {
            return None;
        }
        for side in 0..2 {
            dirs.extend(axes.iter().map(|axis| axis[side]));
            // Both halves are of one size.
            dirs.resize(DIRS / 2 * (side + 1), axes.first()?[side]);
        }
        let steps = Glance::reach(&dirs, grid)?.min((trail.least as usize).checked_sub(1)?);
        if steps == 0 { None } else { Glance::new(&dirs, grid, steps, false) }
    }

    /// So many steps along each direction stay within a word's distance.
    fn reach(dirs: &[u16], grid: &Grid) -> Option<usize> {
        let by = |dir: &u16| match grid.dirs[usize::from(*dir)].as_slice() {
            [hop] => Some(grid.hops[usize::from(*hop)].by.unsigned_abs() as usize),
            _ => None,
        };
        let longest = dirs.iter().map(by).collect::<Option<Vec<_>>>()?.into_iter().max()?;
        if dirs.len() > DIRS { None } else { Some((63 / longest.max(1)).min(STEPS)) }
    }

    fn new(dirs: &[u16], grid: &Grid, steps: usize, ended: bool) -> Option<Glance> {
        let mut glance = Glance { at: [[0; DIRS]; STEPS], up: [0; DIRS], used: [0; DIRS], steps, ended };
        for (lane, &dir) in dirs.iter().enumerate() {
            let by = grid.hops[usize::from(*grid.dirs[usize::from(dir)].first()?)].by;
            glance.used[lane] = 1;
            glance.up[lane] = if by > 0 { u64::MAX } else { 0 };
            for step in 0..steps + usize::from(ended) {
                let far = u64::from(by.unsigned_abs()) * (step as u64 + 1);
                glance.at[step][lane] = if by > 0 { far } else { 64 - far };
            }
        }
        Some(glance)
    }

    /// Whether a run of `x`, with a cell of `y` behind it if that is asked, may begin beside the cell.
    #[inline(always)]
    pub fn may_follow<const W: usize>(&self, cell: usize, x: &Words<W>, y: &Words<W>) -> bool {
        let (x, mut all) = (self.near(cell, x), self.used);
        for step in 0..self.steps.min(STEPS) {
            for lane in 0..DIRS {
                all[lane] &= x[lane] >> (self.at[step][lane] & 63);
            }
        }
        if self.ended {
            let y = self.near(cell, y);
            for lane in 0..DIRS {
                all[lane] &= y[lane] >> (self.at[self.steps % STEPS][lane] & 63);
            }
        }
        any(&all)
    }

    /// Whether the cell may stand in a row of so many cells of a set.
    #[inline(always)]
    pub fn may_be_in_row<const W: usize>(&self, cell: usize, within: &Words<W>) -> bool {
        let within = self.near(cell, within);
        // By number of steps: 1, if all cells so far belong to the row.
        let mut runs = [self.used; STEPS + 1];
        for step in 0..self.steps.min(STEPS) {
            for lane in 0..DIRS {
                runs[step + 1][lane] = runs[step][lane] & within[lane] >> (self.at[step][lane] & 63);
            }
        }
        let mut found = [0; DIRS];
        for ahead in 0..=self.steps.min(STEPS) {
            for axis in 0..DIRS / 2 {
                found[axis] |= runs[ahead][axis] & runs[self.steps.min(STEPS) - ahead][axis + DIRS / 2];
            }
        }
        any(&found)
    }

    /// By direction: the word ahead of a cell or the one behind it.
    #[inline(always)]
    fn near<const W: usize>(&self, cell: usize, set: &Words<W>) -> [u64; DIRS] {
        let (word, bit) = (cell / 64 % W, cell % 64);
        let next = if word + 1 < W { set[word + 1] } else { 0 };
        let before = if word > 0 { set[word - 1] } else { 0 };
        let ahead = set[word] >> bit | next << 1 << (63 - bit);
        let behind = before >> bit | set[word] << 1 << (63 - bit);
        let mut near = [0; DIRS];
        for lane in 0..DIRS {
            near[lane] = ahead & self.up[lane] | behind & !self.up[lane];
        }
        near
    }
}

#[inline(always)]
fn any(lanes: &[u64; DIRS]) -> bool {
    let mut all = 0;
    for lane in 0..DIRS {
        all |= lanes[lane];
    }
    all & 1 == 1
}
