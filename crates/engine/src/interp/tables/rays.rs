//! Ray tables: single cells and what rays may go through go in; the cells of the rays come out, for
//! several directions at once.

#![allow(clippy::needless_range_loop)]

use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::dir_shift::ABREAST;
use crate::interp::tuning::MAX_RAY_TABLE_WORDS;
use crate::interp::unroll::unroll;
use crate::plan::BitboardLayout;

/// Of the directions that are gone along at a time, the first on which bits go up; the others are
/// those on which they go down.
const UP: usize = 2;

/// A set for each of some directions, word by word. Those on which bits go down are turned round,
/// so that lines always go up.
pub type Row<const W: usize> = [[u64; ABREAST]; W];

/// The lines from each cell along some directions, each of which is one hop from cell to cell.
#[derive(Debug)]
pub struct Rays<const W: usize> {
    /// By bit: the cells ahead; so many rows for each bit.
    rays: Vec<Row<W>>,
    rows: usize,
    /// By direction: the row and the lane there.
    places: Vec<(usize, usize)>,
}

/// The lines from one cell, each as far as it may go, and the first cell beyond.
#[derive(Clone, Copy)]
pub struct Lines<const W: usize> {
    pub run: Row<W>,
    pub stop: Row<W>,
}

impl<const W: usize> Rays<W> {
    /// `None`: a direction takes different hops, or sets are too large.
    pub fn new(dirs: &[u16], grid: &BitboardLayout) -> Option<Rays<W>> {
        if W > MAX_RAY_TABLE_WORDS {
            return None;
        }
        let hop = |dir: &u16| match grid.dirs[usize::from(*dir)].as_slice() {
            [hop] => Some(*hop),
            _ => None,
        };
        Rays::along(&dirs.iter().map(hop).collect::<Option<Vec<_>>>()?, grid)
    }

    /// The lines along hops.
    pub fn along(hops: &[u16], grid: &BitboardLayout) -> Option<Rays<W>> {
        if W > MAX_RAY_TABLE_WORDS {
            return None;
        }
        let (mut ups, mut downs) = (0, 0);
        let place = |hop: &u16| {
            let up = grid.hops[usize::from(*hop)].by > 0;
            let (count, lanes, first) = if up { (&mut ups, UP, 0) } else { (&mut downs, ABREAST - UP, UP) };
            *count += 1;
            ((*count - 1) / lanes, first + (*count - 1) % lanes)
        };
        let places: Vec<(usize, usize)> = hops.iter().map(place).collect();
        let rows = places.iter().map(|(row, _)| row + 1).max().unwrap_or(0);
        let mut rays = vec![[[0; ABREAST]; W]; grid.words * 64 * rows];
        for (hop, &(row, lane)) in hops.iter().zip(&places) {
            let hop = &grid.hops[usize::from(*hop)];
            for bit in grid.any.iter() {
                let mut at = bit;
                while hop.from.contains(at) {
                    at = at.wrapping_add_signed(hop.by as isize);
                    let ahead = if lane < UP { at } else { W * 64 - 1 - at };
                    rays[bit * rows + row][ahead / 64 % W][lane] |= 1 << (ahead % 64);
                }
            }
        }
        Some(Rays { rays, rows, places })
    }

    /// Rows of directions.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn ray(&self, row: usize, bit: usize) -> &Row<W> {
        let at = bit * self.rows + row;
        if at < self.rays.len() { &self.rays[at] } else { &[[0; ABREAST]; W] }
    }

    /// The lines from a cell through a set, along the directions of a row.
    #[inline(always)]
    pub fn lines(&self, row: usize, bit: usize, through: &Row<W>) -> Lines<W> {
        let ray = self.ray(row, bit);
        let (mut lines, mut open) = (Lines { run: [[0; ABREAST]; W], stop: [[0; ABREAST]; W] }, [u64::MAX; ABREAST]);
        unroll!(word < W => {
            unroll!(lane < ABREAST => {
                let stop = ray[word][lane] & !through[word][lane];
                // All bits, if none stops.
                let upto = (stop ^ stop.wrapping_sub(1)) & open[lane];
                lines.run[word][lane] = ray[word][lane] & through[word][lane] & upto;
                lines.stop[word][lane] = stop & upto;
                open[lane] = if stop == 0 { open[lane] } else { 0 };
            });
        });
        lines
    }

    /// The cells of the lines from each cell of a set through another, along one direction. `SEEN`:
    /// with the first cell behind each.
    #[inline(always)]
    pub fn from<const SEEN: bool>(&self, dir: usize, a: &Bitset<W>, through: &Row<W>) -> Bitset<W> {
        let (row, lane) = self.places[dir];
        let (mut found, mut left) = ([0; W], *a);
        while !bitset::is_empty(&left) {
            let bit = bitset::lowest(&left);
            left = bitset::without(&left, &bitset::bit(bit));
            let (ray, mut open) = (self.ray(row, bit), u64::MAX);
            unroll!(word < W => {
                let (ray, through) = (ray[word][lane % ABREAST], through[word][lane % ABREAST]);
                let stop = ray & !through;
                found[word] |= ray & (stop ^ stop.wrapping_sub(1)) & open & if SEEN { u64::MAX } else { through };
                open = if stop == 0 { open } else { 0 };
            });
        }
        if lane < UP || bitset::is_empty(&found) { found } else { turned(&found) }
    }

    /// Whether the lines from each cell of a set along one direction reach another, if they may go
    /// through all cells.
    #[inline(always)]
    pub fn reach(&self, dir: usize, a: &Bitset<W>, other: &Row<W>) -> bool {
        let (row, lane) = self.places[dir];
        let (mut reached, mut left) = (0, *a);
        while !bitset::is_empty(&left) {
            let bit = bitset::lowest(&left);
            left = bitset::without(&left, &bitset::bit(bit));
            let ray = self.ray(row, bit);
            unroll!(word < W => {
                reached |= ray[word][lane % ABREAST] & other[word][lane % ABREAST];
            });
        }
        reached != 0
    }

    /// How many directions there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// The set of a direction, of those of all rows.
    #[inline(always)]
    pub fn of_dir(&self, dir: usize, rows: &[Row<W>]) -> Bitset<W> {
        let (row, lane) = self.places[dir];
        let (row, mut set) = (&rows[row % rows.len()], [0; W]);
        unroll!(word < W => {
            set[word] = row[word][lane % ABREAST];
        });
        if lane < UP { set } else { turned(&set) }
    }
}

/// A set as it is and turned round, kept as long as the same one is asked for.
#[derive(Clone, Debug)]
pub struct BothWays<const W: usize> {
    set: Bitset<W>,
    turned: Bitset<W>,
}

impl<const W: usize> BothWays<W> {
    pub fn none() -> BothWays<W> {
        BothWays { set: [0; W], turned: [0; W] }
    }

    /// [`for_all`].
    #[inline(always)]
    pub fn of(&mut self, a: &Bitset<W>) -> Row<W> {
        if self.set != *a {
            (self.set, self.turned) = (*a, turned(a));
        }
        row_of(&self.set, &self.turned)
    }
}

/// The cells of a set for all directions.
#[inline(always)]
pub fn for_all<const W: usize>(a: &Bitset<W>) -> Row<W> {
    row_of(a, &turned(a))
}

#[inline(always)]
fn row_of<const W: usize>(a: &Bitset<W>, turned: &Bitset<W>) -> Row<W> {
    let mut row = [[0; ABREAST]; W];
    unroll!(word < W => {
        unroll!(lane < ABREAST => {
            row[word][lane] = if lane < UP { a[word] } else { turned[word] };
        });
    });
    row
}

/// The cells of all directions.
#[inline(always)]
pub fn union<const W: usize>(row: &Row<W>) -> Bitset<W> {
    let (mut up, mut down) = ([0; W], [0; W]);
    unroll!(word < W => {
        unroll!(lane < ABREAST => {
            let all = if lane < UP { &mut up } else { &mut down };
            all[word] |= row[word][lane];
        });
    });
    bitset::or(&up, &turned(&down))
}

/// The last bit first.
#[inline(always)]
fn turned<const W: usize>(a: &Bitset<W>) -> Bitset<W> {
    let mut turned = [0; W];
    unroll!(word < W => {
        turned[word] = a[W - 1 - word].reverse_bits();
    });
    turned
}
