//! Ray queries: single cells and what is sought along rays from them go in; the cells found come
//! out.

#![allow(clippy::needless_range_loop)]

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::board::{Dir, Topology};
use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::dir_shift::ABREAST;
use crate::interp::sample::unrank_rays::RayTargets;
use crate::interp::tables::prefilter::Prefilter;
use crate::interp::tables::rays;
use crate::interp::tables::rays::{Lines, Rays, Row};
use crate::interp::target::assert_has_code;
use crate::interp::unroll::unroll;
use crate::plan::{BitboardLayout, NOWHERE, RayQuery};

/// A trail with the ways of a board.
#[derive(Debug)]
pub struct RayQueryTable<const W: usize> {
    /// By cell, then direction: the bit one step away, or [`NOWHERE`].
    next: Vec<u16>,
    lanes: usize,
    least: u32,
    most: u32,
    ended: bool,
    pub single: bool,
    /// Where a run is as long as it can be, and by cell: all that lie on the lines from it.
    rays: Option<Rays<W>>,
    around: Vec<Bitset<W>>,
    pub near: Option<Prefilter>,
    pub row: Option<Prefilter>,
    pub aims: Option<RayTargets<W>>,
}

impl<const W: usize> RayQueryTable<W> {
    pub fn new(trail: &RayQuery, grid: &BitboardLayout, topology: &Topology) -> RayQueryTable<W> {
        let lanes = trail.dirs.len();
        let mut next = vec![NOWHERE; grid.words * 64 * lanes];
        for cell in topology.cells() {
            for (lane, &dir) in trail.dirs.iter().enumerate() {
                if let Some(to) = topology.step(cell, Dir(dir)) {
                    next[grid.bit(cell) * lanes + lane] = grid.bit(to) as u16;
                }
            }
        }
        let mut around = vec![[0; W]; grid.words * 64];
        let longest = trail.dirs.iter().map(|&dir| grid.longest[usize::from(dir)]).max().unwrap_or(0);
        let rays = if trail.most >= longest { Rays::new(&trail.dirs, grid) } else { None };
        if let Some(rays) = &rays {
            let all = rays::for_all(&bitset::of(&grid.any));
            for (bit, around) in around.iter_mut().enumerate() {
                for row in 0..rays.rows() {
                    *around = bitset::or(around, &rays::union(&rays.lines(row, bit, &all).run));
                }
            }
        }
        RayQueryTable {
            around,
            next,
            lanes,
            least: trail.least,
            most: trail.most,
            ended: trail.ended,
            single: trail.single,
            rays,
            near: Prefilter::along(trail, grid),
            row: Prefilter::across(trail, grid),
            aims: RayTargets::new(trail, grid),
        }
    }

    #[inline(always)]
    fn next(&self, at: usize, lane: usize) -> usize {
        let row = at * self.lanes + lane;
        if row < self.next.len() { usize::from(self.next[row]) } else { usize::from(NOWHERE) }
    }

    /// [`RayQueryTable::follow`], if it finds a cell; `sole`: the one cell of `a`, if that is known.
    #[inline(always)]
    pub fn find(&self, a: &Bitset<W>, sole: Option<usize>, x: &Bitset<W>, y: &Bitset<W>) -> Option<Bitset<W>> {
        let mut found = [0; W];
        if let (Some(start), None) = (sole, &self.rays) {
            // Mostly the prefilter shows that there is nothing.
            if let Some(near) = &self.near
                && !near.may_follow(start, x, y)
            {
                return None;
            }
            self.follow_lanes(start, x, y, &mut found);
        } else {
            found = follow(self, a, x, y);
        }
        if bitset::is_empty(&found) { None } else { Some(found) }
    }

    /// From each cell of `a`, along each direction, the cells of a run of `x`, behind which stands
    /// one of `y` if that is asked.
    #[inline(always)]
    pub fn follow(&self, a: &Bitset<W>, x: &Bitset<W>, y: &Bitset<W>) -> Bitset<W> {
        let (mut found, mut left) = ([0; W], *a);
        while !bitset::is_empty(&left) {
            let start = bitset::lowest(&left);
            left = bitset::without(&left, &bitset::bit(start));
            if let Some(rays) = &self.rays {
                self.follow_rays(rays, start, x, y, &mut found);
                continue;
            }
            if let Some(near) = &self.near
                && !near.may_follow(start, x, y)
            {
                continue;
            }
            self.follow_lanes(start, x, y, &mut found);
        }
        found
    }

    /// [`RayQueryTable::follow`] without asking the prefilter, where it has been asked.
    pub fn follow_on(&self, a: &Bitset<W>, x: &Bitset<W>, y: &Bitset<W>) -> Bitset<W> {
        match (bitset::sole(a), &self.rays) {
            (Some(start), None) => {
                let mut found = [0; W];
                self.follow_lanes(start, x, y, &mut found);
                found
            }
            _ => self.follow(a, x, y),
        }
    }

    /// Along each direction, cell by cell; rare, and apart from the loop over all operations, which
    /// is faster the less there is in it.
    #[inline(never)]
    fn follow_lanes(&self, start: usize, x: &Bitset<W>, y: &Bitset<W>, found: &mut Bitset<W>) {
        for lane in 0..self.lanes {
            self.follow_lane(start, lane, x, y, found);
        }
    }

    /// Whether [`RayQueryTable::follow`] finds more cells than so many from the one of a bit, where
    /// the end of a run does not matter.
    #[inline(always)]
    pub fn finds_more(&self, bit: usize, x: &Bitset<W>, than: u64) -> bool {
        let Some(rays) = &self.rays else {
            return u64::from(bitset::count(&follow(self, &bitset::bit(bit), x, x))) > than;
        };
        if u64::from(bitset::count(&bitset::and(&self.around[bit % self.around.len()], x))) <= than {
            return false;
        }
        let mut found = [0; W];
        self.follow_rays(rays, bit, x, x, &mut found);
        u64::from(bitset::count(&found)) > than
    }

    #[inline(always)]
    fn follow_rays(&self, rays: &Rays<W>, start: usize, x: &Bitset<W>, y: &Bitset<W>, found: &mut Bitset<W>) {
        let (x, y, mut all) = (rays::for_all(x), rays::for_all(y), [[0; ABREAST]; W]);
        for row in 0..rays.rows() {
            self.absorb(&rays.lines(row, start, &x), &y, &mut all);
        }
        *found = bitset::or(found, &rays::union(&all));
    }

    /// Takes in those of some lines that are what is asked.
    #[inline(always)]
    fn absorb(&self, lines: &Lines<W>, y: &Row<W>, all: &mut Row<W>) {
        let mut fine = [u64::MAX; ABREAST];
        if self.ended {
            let mut ends = [0; ABREAST];
            unroll!(word < W => {
                unroll!(lane < ABREAST => {
                    ends[lane] |= lines.stop[word][lane] & y[word][lane];
                });
            });
            unroll!(lane < ABREAST => {
                fine[lane] = if ends[lane] != 0 { u64::MAX } else { 0 };
            });
        }
        if self.least > 1 {
            unroll!(lane < ABREAST => {
                let mut cells = 0;
                unroll!(word < W => {
                    cells += lines.run[word][lane].count_ones();
                });
                fine[lane] &= if cells >= self.least { u64::MAX } else { 0 };
            });
        }
        unroll!(word < W => {
            unroll!(lane < ABREAST => {
                all[word][lane] |= lines.run[word][lane] & fine[lane];
            });
        });
    }

    #[inline(always)]
    fn follow_lane(&self, start: usize, lane: usize, x: &Bitset<W>, y: &Bitset<W>, found: &mut Bitset<W>) {
        let first = self.next(start, lane);
        if !has(x, first) {
            return;
        }
        let (mut at, mut cells) = (self.next(first, lane), 1);
        while cells < self.most && has(x, at) {
            at = self.next(at, lane);
            cells += 1;
        }
        if cells < self.least || self.ended && !has(y, at) {
            return;
        }
        // What is not taken mostly is not noted on the way.
        at = first;
        for _ in 0..cells {
            found[(at / 64) % W] |= 1 << (at % 64);
            at = self.next(at, lane);
        }
    }

    /// Whether an unbroken row of `within` through cells of `a`, along two directions that follow
    /// one another, has so many cells.
    #[inline(always)]
    pub fn in_row(&self, a: &Bitset<W>, within: &Bitset<W>) -> bool {
        self.in_row_through(a, bitset::sole(a), within)
    }

    /// [`RayQueryTable::in_row`]; `sole`: the one cell of `a`, if that is known.
    #[inline(always)]
    pub fn in_row_through(&self, a: &Bitset<W>, sole: Option<usize>, within: &Bitset<W>) -> bool {
        if let Some(first) = sole {
            if let Some(row) = &self.row
                && !row.may_be_in_row(first, within)
            {
                return false;
            }
            return self.in_row_from(first, within);
        }
        self.in_rows(a, within)
    }

    /// [`RayQueryTable::in_row`] without asking the prefilter, where it has been asked.
    pub fn in_row_on(&self, a: &Bitset<W>, within: &Bitset<W>) -> bool {
        bitset::sole(a).map_or_else(|| self.in_rows(a, within), |first| self.in_row_from(first, within))
    }

    /// [`RayQueryTable::in_row`] for the cell of a bit, followed cell by cell.
    #[inline(never)]
    fn in_row_from(&self, first: usize, within: &Bitset<W>) -> bool {
        if !has(within, first) {
            return false;
        }
        let mut rows = 0;
        for lane in 0..self.lanes {
            // Both ways of an axis add up.
            let mut cells = if lane % 2 == 0 { 1 } else { rows };
            let mut at = self.next(first, lane);
            while has(within, at) {
                cells += 1;
                at = self.next(at, lane);
            }
            if cells >= self.least {
                return true;
            }
            rows = cells;
        }
        false
    }

    /// [`RayQueryTable::in_row`] for any number of cells.
    #[inline(never)]
    fn in_rows(&self, a: &Bitset<W>, within: &Bitset<W>) -> bool {
        let seeds = bitset::and(a, within);
        for axis in 0..self.lanes / 2 {
            let mut row = seeds;
            for word in 0..W {
                let mut left = seeds[word];
                while left != 0 {
                    let start = word * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    for lane in [2 * axis, 2 * axis + 1] {
                        let mut at = self.next(start, lane);
                        while has(within, at) {
                            row[(at / 64) % W] |= 1 << (at % 64);
                            at = self.next(at, lane);
                        }
                    }
                }
            }
            if bitset::count(&row) >= self.least {
                return true;
            }
        }
        false
    }
}

/// Whether a cell is in a set; no set has [`NOWHERE`].
#[inline(always)]
fn has<const W: usize>(set: &Bitset<W>, at: usize) -> bool {
    at / 64 < W && set[at / 64] >> (at % 64) & 1 == 1
}

/// [`RayQueryTable::follow`], apart.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn follow<const W: usize>(trail: &RayQueryTable<W>, a: &Bitset<W>, x: &Bitset<W>, y: &Bitset<W>) -> Bitset<W> {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    trail.follow(a, x, y)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use crate::board::Shape;
    use crate::interp::tables::ray_query::*;

    /// The cells of a run along a direction, and the cell behind it, by the steps of the board.
    fn run(
        board: &Topology,
        grid: &BitboardLayout,
        from: usize,
        dir: u16,
        of: impl Fn(usize) -> bool,
    ) -> (Vec<usize>, Option<usize>) {
        let step = |bit: usize| grid.cell(bit).and_then(|cell| board.step(cell, Dir(dir))).map(|cell| grid.bit(cell));
        let (mut cells, mut at) = (Vec::new(), step(from));
        while let Some(cell) = at.filter(|&cell| of(cell)) {
            cells.push(cell);
            at = step(cell);
        }
        (cells, at)
    }

    /// Compares what tables and glances find with what a walk over the board finds, on sets made by
    /// chance.
    fn agrees<const W: usize>(shape: Shape) {
        let board = Topology::new(shape).expect("within the limits");
        let grid = BitboardLayout::new(&board, true);
        assert_eq!(grid.words, W);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(W as u64);
        let forward = (0..board.directions() as u16)
            .map(|dir| (dir, board.opposite(Dir(dir)).0))
            .filter(|(dir, back)| dir < back);
        let dirs: smallvec::SmallVec<[u16; 8]> = forward.flat_map(|(dir, back)| [dir, back]).collect();
        for (least, most, ended) in [
            (1, u32::MAX, true),
            (1, u32::MAX, false),
            (2, u32::MAX, true),
            (1, 1, true),
            (2, 2, true),
            (3, 3, false),
            (1, 2, true),
            (5, u32::MAX, false),
        ] {
            let trail = RayQuery { dirs: dirs.clone(), least, most, ended, numbered: false, single: false };
            let table = RayQueryTable::<W>::new(&trail, &grid, &board);
            let (mut met, mut rows) = (0, 0);
            for _ in 0..400 {
                let (mut x, mut y) = ([0; W], [0; W]);
                let most_x = rng.random_range(1..10);
                for cell in board.cells().map(|cell| grid.bit(cell)) {
                    let set = if rng.random_range(0..10) < most_x { &mut x } else { &mut y };
                    set[cell / 64] |= 1 << (cell % 64);
                }
                let start = grid.bit(crate::board::Cell(rng.random_range(0..board.len() as u16)));
                let mut expected = [0; W];
                let mut in_row = false;
                for axis in dirs.chunks(2) {
                    let mut through = 1;
                    for &dir in axis {
                        let (mut cells, mut end) = run(&board, &grid, start, dir, |cell| has(&x, cell));
                        through += cells.len();
                        if cells.len() > most as usize {
                            end = Some(cells[most as usize]);
                            cells.truncate(most as usize);
                        }
                        if cells.len() >= least as usize && (!ended || end.is_some_and(|end| has(&y, end))) {
                            cells.iter().for_each(|cell| expected[cell / 64] |= 1 << (cell % 64));
                        }
                    }
                    in_row |= has(&x, start) && through >= least as usize;
                }
                met += u32::from(!bitset::is_empty(&expected));
                assert_eq!(
                    table.follow(&bitset::bit(start), &x, &y),
                    expected,
                    "{trail:?} from {start} through {x:x?}"
                );
                rows += u32::from(in_row);
                assert_eq!(table.in_row(&bitset::bit(start), &x), in_row, "{trail:?} at {start} in {x:x?}");
            }
            assert!(met > 0 && rows > 0, "{trail:?} was never met");
        }
    }

    #[test]
    fn runs_and_rows_are_those_of_a_walk() {
        agrees::<1>(Shape::square(8, 8));
        agrees::<2>(Shape::square(10, 10));
        agrees::<2>(Shape::Hexagon { side: 5 });
        agrees::<3>(Shape::square(13, 13));
        agrees::<6>(Shape::square(19, 19));
        agrees::<16>(Shape::square(30, 30));
    }
}
