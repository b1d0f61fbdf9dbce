//! A cell and a number go in; the cell that lines from there come to with this number comes out, if nothing lies between.

use super::words::{self, Words};
use crate::ir::{Grid, Trail};

/// The cells that lines from each cell of a board come to, in the order of [`Trail::lines`].
#[derive(Debug)]
pub struct Aims<const W: usize> {
    /// So many from a cell at most.
    most: usize,
    /// By bit, then number: the cells of the line up to this one, and its bit.
    ways: Vec<Option<(Words<W>, u16)>>,
}

impl<const W: usize> Aims<W> {
    /// `None`: the cells of the trail are not found by number.
    pub fn new(trail: &Trail, grid: &Grid) -> Option<Aims<W>> {
        let most = if trail.numbered { trail.reach(grid)? } else { return None };
        let mut ways = vec![None; grid.words * 64 * most];
        for bit in grid.any.iter() {
            let mut number = bit * most;
            for line in trail.lines(grid, bit) {
                let mut way = [0; W];
                for at in line {
                    way = words::or(&way, &words::bit(at));
                    ways[number] = Some((way, at as u16));
                    number += 1;
                }
            }
        }
        Some(Aims { most, ways })
    }

    /// The bit of the cell with a number, if a set has all cells up to it.
    #[inline(always)]
    pub fn find(&self, bit: usize, number: u64, x: &Words<W>) -> Option<u64> {
        let place = bit * self.most + (number as usize).min(self.most);
        let &(ref way, to) = self.ways.get(place)?.as_ref().filter(|_| number < self.most as u64)?;
        if words::is_empty(&words::without(way, x)) { Some(u64::from(to)) } else { None }
    }
}
