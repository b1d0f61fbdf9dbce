//! Mask frame: the lanes that are in the blocks of a `first`, and the registers to go back to.

use crate::simd::Lane8;
use crate::simt::registers::{LaneMask, Set};

/// A `first` that lanes are in.
#[derive(Debug, Default)]
pub struct MaskFrame<const W: usize, const K: usize> {
    pub index: u32,
    pub last: bool,
    /// Lanes that go on to the next block.
    pub next: LaneMask,
    /// Lanes that came through a block.
    pub met: LaneMask,
    pub chose: LaneMask,
    /// What the runs had done: passed, acted, taken another turn.
    pub flags: [LaneMask; 3],
    pub sets: Vec<[Set<W>; K]>,
    pub numbers: Vec<[Lane8; K]>,
}
