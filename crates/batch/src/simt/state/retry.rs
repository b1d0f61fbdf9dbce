//! Retry state: what a choice goes back to when many draws at it were rejected, and how often that
//! was of use.

use crate::simd::Lane8;
use crate::simt::registers::{LaneMask, Set};

/// What a first choice goes back to.
#[derive(Debug, Default)]
pub struct Retry<const W: usize, const K: usize> {
    pub pc: usize,
    pub on: LaneMask,
    pub masks: Vec<LaneMask>,
    /// The choice; its options are counted anew since.
    pub point: u32,
    pub is_stale: bool,
    pub flags: [LaneMask; 3],
    pub regs: Vec<usize>,
    pub sets: Vec<[Set<W>; K]>,
    pub number_regs: Vec<usize>,
    pub numbers: Vec<[Lane8; K]>,
}

/// Whether it is worth keeping what a choice goes back to.
#[derive(Clone, Copy, Debug, Default)]
pub struct RetryStats {
    pub chances: u32,
    pub kept: u32,
    pub used: u32,
}
