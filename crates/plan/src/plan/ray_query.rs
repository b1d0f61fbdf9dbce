//! Ray query: the descriptor of what is looked for along lines from single cells. Operations that
//! walk cell by cell refer to it by index.

use smallvec::SmallVec;

use crate::plan::bitboard::BitboardLayout;
use crate::plan::tuning::MAX_RAY_TARGET_TABLE_WORDS;

/// A run of cells along each of several directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RayQuery {
    pub dirs: SmallVec<[u16; 8]>,
    /// So many cells at least and at most.
    pub least: u32,
    pub most: u32,
    /// The cell behind the run is asked, too.
    pub ended: bool,
    /// Cells that runs may come to are found by number.
    pub numbered: bool,
    /// It is never followed from several cells at once.
    pub single: bool,
}

impl RayQuery {
    /// The cells of the lines from the cell of a bit, in order: all that runs may come to.
    pub fn lines(&self, grid: &BitboardLayout, bit: usize) -> Vec<Vec<usize>> {
        let next = |dir: u16, at: usize| {
            let hops = &grid.dirs[usize::from(dir)];
            let hop = hops.iter().map(|hop| &grid.hops[usize::from(*hop)]).find(|hop| hop.from.contains(at));
            hop.map(|hop| at.wrapping_add_signed(hop.by as isize))
        };
        let line = |&dir: &u16| {
            let cells = std::iter::successors(next(dir, bit), |at| next(dir, *at));
            cells.take((self.most as usize).min(grid.words * 64)).collect()
        };
        self.dirs.iter().map(line).collect()
    }

    /// Most cells that runs from one cell may come to, if a number can be that of such a cell: each
    /// is come to by what lies before it alone, by one line.
    pub fn reach(&self, grid: &BitboardLayout) -> Option<usize> {
        if self.ended || self.least > 1 {
            return None;
        }
        let mut most = 0;
        for bit in grid.any.iter() {
            let mut cells = self.lines(grid, bit).concat();
            most = most.max(cells.len());
            cells.sort_unstable();
            if cells.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            }
        }
        (most * grid.words * grid.words * 64 <= MAX_RAY_TARGET_TABLE_WORDS).then_some(most)
    }
}
