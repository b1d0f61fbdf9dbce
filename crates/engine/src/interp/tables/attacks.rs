//! Attack tables: two sets go in; whether some cell of one is near a cell of the other comes out.

#![allow(clippy::needless_range_loop)]

use crate::interp::bitset;
use crate::interp::bitset::Bitset;

/// What lies near each cell.
#[derive(Debug, Default)]
pub struct AttackTable<const W: usize> {
    /// By table, then cell.
    cells: Vec<Bitset<W>>,
}

impl<const W: usize> AttackTable<W> {
    /// By filter, then bit of the board.
    pub fn new(cells: Vec<Bitset<W>>) -> AttackTable<W> {
        AttackTable { cells }
    }

    /// Some cell of `b` lies near one of `a`.
    #[inline(always)]
    pub fn intersects(&self, table: u16, a: &Bitset<W>, b: &Bitset<W>) -> bool {
        for word in 0..W {
            let mut left = a[word];
            while left != 0 {
                let bit = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                if self.cells.get(usize::from(table) * W * 64 + bit).is_some_and(|near| bitset::intersects(near, b)) {
                    return true;
                }
            }
        }
        false
    }
}
