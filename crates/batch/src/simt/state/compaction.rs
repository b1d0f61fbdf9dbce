//! Compaction state: vectors of lanes that draw ray targets, with what each needs to draw.

use crate::simd::Lane8;
use crate::simt::registers::Set;
use crate::simt::rng::LaneRng;
use crate::simt::tuning::MAX_RAY_TARGET_ARMS;

/// Arms that are looked at together.
pub const ARMS_PER_VECTOR: usize = 8;

/// Eight lanes that draw, and what a draw looks at.
#[derive(Clone, Debug)]
pub struct Pack<const W: usize> {
    /// Where each lane is: its number among all lanes.
    pub places: Lane8,
    /// The masks of the lanes that are here, and of those that go on drawing.
    pub here: Lane8,
    pub drawing: Lane8,
    pub rng: LaneRng,
    /// Options, runs behind each, and all.
    pub options: Lane8,
    pub each: Lane8,
    pub total: Lane8,
    pub tries: Lane8,
    pub limit: Lane8,
    /// What lines lead through.
    pub x: Set<W>,
    pub offers: [Offer<W>; MAX_RAY_TARGET_ARMS],
    pub hit: Hit,
    /// What the last numbers are to be looked up by: the word of a set that the cell is in, the bit
    /// that the word begins with, how many of its bits are below the cell's, and what is left of
    /// the number.
    pub word: Lane8,
    pub row: Lane8,
    pub k: Lane8,
    pub left: Lane8,
    pub last: Hit,
}

/// What an arm offers.
#[derive(Clone, Copy, Debug)]
pub struct Offer<const W: usize> {
    pub cells: Set<W>,
    /// How many options those before it have.
    pub before: Lane8,
}

/// What numbers are those of: an arm, a cell that it offers, and one on a line from there, or
/// [`RayTargets::NONE`](crate::interp::RayTargets::NONE).
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    pub arm: Lane8,
    pub cell: Lane8,
    pub to: Lane8,
}

impl Hit {
    pub const NONE: Hit = Hit { arm: Lane8::NONE, cell: Lane8::NONE, to: Lane8::NONE };
}

/// Packs, so many of them in use.
#[derive(Debug, Default)]
pub struct Compaction<const W: usize> {
    pub packs: Vec<Pack<W>>,
    pub used: usize,
    /// Lanes of the last pack that are filled one by one.
    pub filled: usize,
    /// What lanes move up to.
    pub others: Vec<Pack<W>>,
}
