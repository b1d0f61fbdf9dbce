//! Neighbourhood prefilter: single cells and what is sought near them go in; whether it may be
//! there comes out. It may report what is not there across rows of the board, and never misses what
//! is.

#![allow(clippy::needless_range_loop)]

use crate::interp::bitset::Bitset;
use crate::interp::unroll::unroll;
use crate::plan::{BitboardLayout, RayQuery};

/// Directions at most.
pub const DIRS: usize = 8;
/// Steps at most.
pub const STEPS: usize = 4;

/// What a trail asks of the cells near by: those less than a word away. Directions along which bits
/// go up have the first lanes, the others the last ones.
#[derive(Clone, Copy, Debug)]
pub struct Prefilter {
    /// By step, then lane: where its cell stands in the word ahead of the cell, or in the one
    /// behind.
    pub at: [[u64; DIRS]; STEPS],
    /// By lane: 1, if there is such a direction.
    pub used: [u64; DIRS],
    /// So many cells are asked.
    pub steps: usize,
    /// And one more, of another set.
    pub ended: bool,
    /// What goes on by the same distance over an edge of the board intersects no cell: what is found
    /// near by is there.
    pub walled: bool,
}

impl Prefilter {
    /// For runs along the directions of a trail.
    pub fn along(trail: &RayQuery, grid: &BitboardLayout) -> Option<Prefilter> {
        let fixed = trail.least == trail.most;
        if !fixed && trail.least < 2 {
            return None;
        }
        let ways = ways(&trail.dirs, grid)?;
        let (up, down): (Vec<i32>, Vec<i32>) = ways.iter().partition(|by| **by > 0);
        let most = reach(&ways)?;
        let least = trail.least as usize;
        Prefilter::new(&up, &down, least.min(most), fixed && trail.ended && least < most)
    }

    /// For rows through a cell, along directions of which two that follow one another are an axis:
    /// these have the same place among those along which bits go up, and down.
    pub fn across(trail: &RayQuery, grid: &BitboardLayout) -> Option<Prefilter> {
        let ways = ways(&trail.dirs, grid)?;
        let axis = |axis: &[i32]| if axis[0] > 0 { (axis[0], axis[1]) } else { (axis[1], axis[0]) };
        let (mut up, mut down): (Vec<i32>, Vec<i32>) = ways.chunks_exact(2).map(axis).unzip();
        // Lanes that are left over do what the first one does.
        up.resize(up.len().max(DIRS / 2), *up.first()?);
        down.resize(up.len(), *down.first()?);
        let prefilter = Prefilter::new(&up, &down, reach(&ways)?.min((trail.least as usize).checked_sub(1)?), false)?;
        Some(Prefilter { walled: trail.dirs.iter().all(|&dir| is_walled(grid, dir)), ..prefilter })
    }

    fn new(up: &[i32], down: &[i32], steps: usize, ended: bool) -> Option<Prefilter> {
        let fits = |ways: &[i32], goes_up: bool| ways.len() <= DIRS / 2 && ways.iter().all(|by| (*by > 0) == goes_up);
        if steps == 0 || !fits(up, true) || !fits(down, false) {
            return None;
        }
        let mut prefilter = Prefilter { at: [[0; DIRS]; STEPS], used: [0; DIRS], steps, ended, walled: false };
        for (lane, by) in up.iter().enumerate().chain(down.iter().enumerate().map(|(lane, by)| (lane + DIRS / 2, by))) {
            prefilter.used[lane] = 1;
            for step in 0..steps + usize::from(ended) {
                let far = u64::from(by.unsigned_abs()) * (step as u64 + 1);
                prefilter.at[step][lane] = if *by > 0 { far } else { 64 - far };
            }
        }
        Some(prefilter)
    }

    /// Whether a run of `x`, with a cell of `y` behind it if that is asked, may begin beside the
    /// cell.
    #[inline(always)]
    pub fn may_follow<const W: usize>(&self, cell: usize, x: &Bitset<W>, y: &Bitset<W>) -> bool {
        let x = near(cell, x);
        let mut all = self.taken(&self.used, &x, 0);
        // The number of steps is known, so that nothing between them is stored.
        if self.steps > 1 {
            all = self.taken(&all, &x, 1);
        }
        if self.steps > 2 {
            all = self.taken(&all, &x, 2);
        }
        if self.steps > 3 {
            all = self.taken(&all, &x, 3);
        }
        if self.ended {
            all = self.taken(&all, &near(cell, y), self.steps);
        }
        any(&all)
    }

    /// Whether the cell may stand in a row of so many cells of a set.
    #[inline(always)]
    pub fn may_be_in_row<const W: usize>(&self, cell: usize, within: &Bitset<W>) -> bool {
        let within = near(cell, within);
        match self.steps {
            1 => self.has_row::<1>(&within),
            2 => self.has_row::<2>(&within),
            3 => self.has_row::<3>(&within),
            _ => self.has_row::<STEPS>(&within),
        }
    }

    #[inline(always)]
    fn has_row<const N: usize>(&self, within: &[u64; DIRS]) -> bool {
        // By number of steps: 1, if all cells so far belong to the row.
        let mut runs = [self.used; STEPS + 1];
        for step in 0..N {
            runs[step + 1] = self.taken(&runs[step], within, step);
        }
        let mut found = [0; DIRS];
        for ahead in 0..=N {
            for axis in 0..DIRS / 2 {
                found[axis] |= runs[ahead][axis] & runs[N - ahead][axis + DIRS / 2];
            }
        }
        any(&found)
    }

    /// By lane: 1, if it was and the cell so many steps on is there, too.
    #[inline(always)]
    fn taken(&self, all: &[u64; DIRS], near: &[u64; DIRS], step: usize) -> [u64; DIRS] {
        let (mut taken, at) = ([0; DIRS], &self.at[step % STEPS]);
        unroll!(lane < DIRS => {
            taken[lane] = all[lane] & near[lane] >> (at[lane] & 63);
        });
        taken
    }
}

/// How far bits go along each direction; `None`: differently from cell to cell.
fn ways(dirs: &[u16], grid: &BitboardLayout) -> Option<Vec<i32>> {
    let by = |dir: &u16| match grid.dirs[usize::from(*dir)].as_slice() {
        [hop] => Some(grid.hops[usize::from(*hop)].by),
        _ => None,
    };
    dirs.iter().map(by).collect()
}

/// Bits from which no step goes are followed by no cell at the distance of a step.
fn is_walled(grid: &BitboardLayout, dir: u16) -> bool {
    grid.dirs[usize::from(dir)].iter().map(|hop| &grid.hops[usize::from(*hop)]).all(|hop| {
        let mut ends = grid.any.iter().filter(|&bit| !hop.from.contains(bit));
        ends.all(|bit| bit.checked_add_signed(hop.by as isize).is_none_or(|to| grid.cell(to).is_none()))
    })
}

/// So many steps along each direction stay within a word's distance.
fn reach(ways: &[i32]) -> Option<usize> {
    let longest = ways.iter().map(|by| by.unsigned_abs()).max()?;
    Some((63 / longest.max(1) as usize).min(STEPS))
}

/// By lane: the word ahead of a cell, or the one behind it.
#[inline(always)]
fn near<const W: usize>(cell: usize, set: &Bitset<W>) -> [u64; DIRS] {
    let (word, bit) = ((cell / 64).min(W - 1), cell % 64);
    // Which word it is cannot be foreseen: no jump at the ends, where anything may be taken for
    // what is not there.
    let (next, before) = (set[(word + 1).min(W - 1)], set[word.saturating_sub(1)]);
    let ahead = set[word] >> bit | next << 1 << (63 - bit);
    let behind = before >> bit | set[word] << 1 << (63 - bit);
    let mut near = [ahead; DIRS];
    for lane in DIRS / 2..DIRS {
        near[lane] = behind;
    }
    near
}

#[inline(always)]
fn any(lanes: &[u64; DIRS]) -> bool {
    let mut all = 0;
    unroll!(lane < DIRS => {
        all |= lanes[lane];
    });
    all & 1 == 1
}
