//! Lane utilization: rounds of lock step go in; whether enough of the lanes of vectors go together comes out.
//!
//! It counts rounds and lanes, and reads no clock. So it also tells of games too long to be timed.

use crate::simd::WIDE;
use crate::simt::tuning::{MIN_ROUNDS_OF_UTILIZATION, MIN_UTILIZATION};

/// How many lanes have gone on in lock step so far. A round is a part of a turn, played in all
/// lanes that wait for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utilization {
    rounds: u64,
    /// Lanes of the vectors that rounds take at least, summed over the rounds.
    lanes: u64,
    /// Lanes that went on in lock step.
    together: u64,
}

impl Utilization {
    /// Counts a round: the lanes that waited for it, and those whose turn the scalar executor
    /// played.
    pub fn record(&mut self, waited: u32, fallbacks: u32) {
        self.rounds += 1;
        self.lanes += u64::from(waited).next_multiple_of(WIDE as u64);
        self.together += u64::from(waited.saturating_sub(fallbacks));
    }

    /// So few lanes go together that one game after the other is faster.
    pub fn is_low(&self) -> bool {
        self.rounds >= MIN_ROUNDS_OF_UTILIZATION && self.together * 100 < self.lanes * MIN_UTILIZATION
    }
}

#[cfg(test)]
mod tests {
    use crate::simt::utilization::*;

    #[test]
    fn few_lanes_that_go_together_are_told_after_some_rounds() {
        let after = |rounds: u64, waited: u32, fallbacks: u32| {
            let mut utilization = Utilization::default();
            (0..rounds).for_each(|_| utilization.record(waited, fallbacks));
            utilization.is_low()
        };
        assert!(!after(MIN_ROUNDS_OF_UTILIZATION - 1, 1, 0));
        assert!(after(MIN_ROUNDS_OF_UTILIZATION, 1, 0));
        assert!(after(MIN_ROUNDS_OF_UTILIZATION, 64, 60));
        assert!(!after(MIN_ROUNDS_OF_UTILIZATION, 64, 32));
        // Few vectors, but full ones.
        assert!(!after(MIN_ROUNDS_OF_UTILIZATION, 8, 0));
    }
}
