//! A cell and a number go in; the cell that lines from there come to with this number comes out, if nothing lies between.

use super::words::{self, Words};
use crate::ir::{Grid, NOWHERE, Trail};

/// The cells that lines from each cell of a board come to, in the order of [`Trail::lines`].
#[derive(Debug)]
pub struct Aims<const W: usize> {
    /// So many from a cell at most.
    most: usize,
    /// By bit, then number: the cells of the line up to this one; all bits, if there is none.
    ways: Vec<Words<W>>,
    /// And its bit, or [`NOWHERE`].
    cells: Vec<u16>,
}

impl<const W: usize> Aims<W> {
    /// `None`: the cells of the trail are not found by number.
    pub fn new(trail: &Trail, grid: &Grid) -> Option<Aims<W>> {
        let most = if trail.numbered { trail.reach(grid)? } else { return None };
        let size = grid.words * 64 * most;
        let mut aims = Aims { most, ways: vec![[u64::MAX; W]; size], cells: vec![NOWHERE; size] };
        for bit in grid.any.iter() {
            let mut number = bit * most;
            for line in trail.lines(grid, bit) {
                let mut way = [0; W];
                for at in line {
                    way = words::or(&way, &words::bit(at));
                    (aims.ways[number], aims.cells[number]) = (way, at as u16);
                    number += 1;
                }
            }
        }
        Some(aims)
    }

    /// The bit of the cell with a number, counted from the cell of a bit, if a set has it and all cells before it on the line.
    #[inline(always)]
    pub fn find(&self, bit: usize, number: u64, x: &Words<W>) -> Option<u64> {
        let place = bit * self.most + number as usize;
        let open = number < self.most as u64 && words::is_empty(&words::without(self.ways.get(place)?, x));
        let to = if open { *self.cells.get(place)? } else { NOWHERE };
        if to == NOWHERE { None } else { Some(u64::from(to)) }
    }
}
