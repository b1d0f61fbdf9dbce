//! Single cells go in, with what lines from them may go through; the cells of the lines come out, for several directions at once.

#![allow(clippy::needless_range_loop)]

use super::words::{self, Words};
use crate::ir::Grid;

/// Directions that are gone along at a time.
pub const ABREAST: usize = 4;
/// Sets of more words have no such tables.
const WORDS: usize = 6;

/// A set for each of some directions, word by word.
pub type Row<const W: usize> = [[u64; ABREAST]; W];

/// The lines from each cell along some directions, each of which is one hop from cell to cell.
#[derive(Debug)]
pub struct Rays<const W: usize> {
    /// By bit: the cells ahead, along directions on which bits go up, and on which they go down; so many rows for each bit.
    up: Vec<Row<W>>,
    down: Vec<Row<W>>,
    rows: (usize, usize),
    /// By direction: whether bits go up on it, the row and the place there.
    places: Vec<(bool, usize, usize)>,
}

/// The lines from one cell, each as far as it may go, and the first cell beyond.
#[derive(Clone, Copy)]
pub struct Lines<const W: usize> {
    pub run: Row<W>,
    pub stop: Row<W>,
}

impl<const W: usize> Rays<W> {
    /// `None`: a direction takes different hops, or sets are too large.
    pub fn new(dirs: &[u16], grid: &Grid) -> Option<Rays<W>> {
        if W > WORDS {
            return None;
        }
        let hop = |dir: &u16| match grid.dirs[usize::from(*dir)].as_slice() {
            [hop] => Some(*hop),
            _ => None,
        };
        Rays::along(&dirs.iter().map(hop).collect::<Option<Vec<_>>>()?, grid)
    }

    /// The lines along hops.
    pub fn along(hops: &[u16], grid: &Grid) -> Option<Rays<W>> {
        if W > WORDS {
            return None;
        }
        let (mut ups, mut downs) = (0, 0);
        let place = |hop: &u16| {
            let up = grid.hops[usize::from(*hop)].by > 0;
            let count = if up { &mut ups } else { &mut downs };
            *count += 1;
            (up, (*count - 1) / ABREAST, (*count - 1) % ABREAST)
        };
        let places: Vec<(bool, usize, usize)> = hops.iter().map(place).collect();
        let rows = (ups.div_ceil(ABREAST), downs.div_ceil(ABREAST));
        let size = grid.words * 64;
        let (mut up, mut down) = (vec![[[0; ABREAST]; W]; size * rows.0], vec![[[0; ABREAST]; W]; size * rows.1]);
        for (hop, &(goes_up, row, lane)) in hops.iter().zip(&places) {
            let hop = &grid.hops[usize::from(*hop)];
            let (lines, rows) = if goes_up { (&mut up, rows.0) } else { (&mut down, rows.1) };
            for bit in (0..size).filter(|&bit| grid.any.contains(bit)) {
                let mut at = bit;
                while hop.from.contains(at) {
                    at = at.wrapping_add_signed(hop.by as isize);
                    lines[bit * rows + row][at / 64 % W][lane] |= 1 << (at % 64);
                }
            }
        }
        Some(Rays { up, down, rows, places })
    }

    /// Rows of directions: on which bits go up, and down.
    #[inline(always)]
    pub fn rows(&self) -> [usize; 2] {
        [self.rows.0, self.rows.1]
    }

    /// The lines from a cell through a set, along the directions of a row on which bits go up, or down.
    #[inline(always)]
    pub fn lines(&self, goes_up: bool, row: usize, bit: usize, through: &Words<W>) -> Lines<W> {
        let (rays, rows) = if goes_up { (&self.up, self.rows.0) } else { (&self.down, self.rows.1) };
        let at = bit * rows + row;
        let ray = if at < rays.len() { &rays[at] } else { &[[0; ABREAST]; W] };
        if goes_up { up(ray, through) } else { down(ray, through) }
    }

    /// The cells of the lines from each cell of a set through another, along one direction. `SEEN`: with the first cell behind each.
    #[inline(always)]
    pub fn from<const SEEN: bool>(&self, dir: usize, a: &Words<W>, through: &Words<W>) -> Words<W> {
        let (goes_up, row, lane) = self.places[dir];
        let (rays, rows) = if goes_up { (&self.up, self.rows.0) } else { (&self.down, self.rows.1) };
        let (mut found, mut left) = ([0; W], *a);
        while !words::is_empty(&left) {
            let bit = words::lowest(&left);
            left = words::without(&left, &words::bit(bit));
            let (ray, mut open) = (&rays[bit * rows + row], u64::MAX);
            for i in 0..W {
                let word = if goes_up { i } else { W - 1 - i };
                let ray = ray[word][lane % ABREAST];
                let stop = ray & !through[word];
                // All bits, if none stops.
                let upto = match (goes_up, SEEN) {
                    (true, true) => stop ^ stop.wrapping_sub(1),
                    (true, false) => stop.wrapping_sub(1) & !stop,
                    (false, true) => u64::MAX << (63 - (stop | 1).leading_zeros()),
                    (false, false) if stop == 0 => u64::MAX,
                    (false, false) => !(u64::MAX >> stop.leading_zeros()),
                };
                found[word] |= ray & open & upto;
                open = if stop == 0 { open } else { 0 };
            }
        }
        found
    }

    /// How many directions there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Where a direction stands: whether bits go up on it, the row and the place there.
    #[inline(always)]
    pub fn place(&self, dir: usize) -> (bool, usize, usize) {
        self.places[dir]
    }
}

#[inline(always)]
fn up<const W: usize>(ray: &Row<W>, through: &Words<W>) -> Lines<W> {
    let (mut lines, mut open) = (Lines { run: [[0; ABREAST]; W], stop: [[0; ABREAST]; W] }, [u64::MAX; ABREAST]);
    for word in 0..W {
        for lane in 0..ABREAST {
            let ray = ray[word][lane];
            let stop = ray & !through[word];
            lines.run[word][lane] = ray & through[word] & (stop ^ stop.wrapping_sub(1)) & open[lane];
            lines.stop[word][lane] = stop & stop.wrapping_neg() & open[lane];
            open[lane] &= if stop == 0 { u64::MAX } else { 0 };
        }
    }
    lines
}

#[inline(always)]
fn down<const W: usize>(ray: &Row<W>, through: &Words<W>) -> Lines<W> {
    let (mut lines, mut open) = (Lines { run: [[0; ABREAST]; W], stop: [[0; ABREAST]; W] }, [u64::MAX; ABREAST]);
    for word in (0..W).rev() {
        for lane in 0..ABREAST {
            let ray = ray[word][lane];
            let stop = ray & !through[word];
            // The highest bit and all below it.
            let mut below = stop;
            for by in [1, 2, 4, 8, 16, 32] {
                below |= below >> by;
            }
            lines.run[word][lane] = ray & through[word] & !below & open[lane];
            lines.stop[word][lane] = (below ^ below >> 1) & open[lane];
            open[lane] &= if stop == 0 { u64::MAX } else { 0 };
        }
    }
    lines
}
