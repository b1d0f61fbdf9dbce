//! Lane status: what is known of eight lanes beside their registers: ranks, generators, outcomes,
//! counts.

use std::mem::offset_of;

use crate::simd::{Lane8, Simd};
use crate::simt::rng::LaneRng;

/// What stands beside the registers, for each of eight lanes.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// What is left of the number drawn.
    pub number: Lane8,
    /// The number of the option that was drawn.
    pub option: Lane8,
    pub rng: LaneRng,
    /// Where the generators stood when the turn began.
    pub saved_rng: LaneRng,
    /// Of how many runs was drawn at first.
    pub offered: Lane8,
    /// How often a lane was rejected in this turn, and of how many runs it drew:
    /// [`limit`](crate::simt::sample::limit) tells how often is enough.
    pub tries: Lane8,
    pub runs: Lane8,
    /// The outcome, and who wins, where it is decided.
    pub outcome: Lane8,
    pub winners: Lane8,
    /// Turns so far, what there was to choose from.
    pub turns: Lane8,
    pub choices: Lane8,
    /// Who made the last turn, where it is in doubt whether the game is over.
    pub mover: Lane8,
    /// Where turns are suspended: plies so far.
    pub plies: Lane8,
}

/// Where machine code finds parts, in bytes.
impl Status {
    pub const NUMBER: usize = offset_of!(Status, number);
    pub const OFFERED: usize = offset_of!(Status, offered);
    pub const RUNS: usize = offset_of!(Status, runs);
    pub const OUTCOME: usize = offset_of!(Status, outcome);
    pub const WINNERS: usize = offset_of!(Status, winners);
    pub const TURNS: usize = offset_of!(Status, turns);
    pub const CHOICES: usize = offset_of!(Status, choices);
    pub const MOVER: usize = offset_of!(Status, mover);
    pub const RNG: [usize; 4] = Self::rng_at(offset_of!(Status, rng));
    pub const SAVED_RNG: [usize; 4] = Self::rng_at(offset_of!(Status, saved_rng));

    const fn rng_at(from: usize) -> [usize; 4] {
        let (first, chunk) = (from + offset_of!(LaneRng, 0), size_of::<Lane8>());
        [first, first + chunk, first + 2 * chunk, first + 3 * chunk]
    }
}

impl Status {
    /// The draws of these lanes were rejected, also the first of the turn.
    #[inline(always)]
    pub fn record_rejection<V: Simd>(&mut self, v: V, mask: V::V8) {
        self.tries = v.store(v.sub(v.load(&self.tries), mask));
        self.offered = v.store(v.without(v.load(&self.offered), mask));
    }
}
