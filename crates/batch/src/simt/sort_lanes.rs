//! Lane sorting: lanes with their last branches go in; they come out in an order in which those
//! that go the same way stand side by side.
//!
//! A branch costs what the chunks cost that have a lane in it. Where games have phases in which
//! something else is chosen (to place, to move, to fly), lanes of all phases stand in all chunks
//! soon. So it is noted which way each lane took where a turn forks, in its last turn of each seat,
//! and now and then lanes change places.
//!
//! Ways are ordered as a Gray code counts: neighbours differ in one fork, so lanes that took one
//! branch of a fork mostly stand together, whichever way they took at others.

use smallvec::SmallVec;

use crate::simt::registers::LaneMask;
use crate::simt::tuning::{MAX_FORKS_TRACKED, MIN_MIXED_VECTORS_TO_SORT};

/// Two lanes that change places, each by its chunk and its number there.
pub type Exchange = [(usize, usize); 2];

/// Which way lanes took at each fork: those that took the first branch.
#[derive(Clone, Copy, Debug, Default)]
pub struct BranchHistory([LaneMask; MAX_FORKS_TRACKED]);

impl BranchHistory {
    /// These lanes come upon forks anew.
    #[inline(always)]
    pub fn forget(&mut self, forks: (u8, u8), lanes: LaneMask) {
        for fork in forks.0..forks.1 {
            let took = &mut self.0[usize::from(fork)];
            *took = took.without(lanes);
        }
    }

    #[inline(always)]
    pub fn record(&mut self, fork: u8, lanes: LaneMask) {
        let took = &mut self.0[usize::from(fork)];
        *took = took.or(lanes);
    }

    /// Which lanes, of so many, change places so that those of one way at so many forks stand
    /// together; none if that is not worth it.
    pub fn exchanges(&self, forks: usize, lanes: usize) -> SmallVec<[Exchange; 64]> {
        let (mut exchanges, took, all) = (SmallVec::new(), &self.0[..forks], LaneMask::first(lanes));
        // Chunks with lanes of both branches, beyond one for each fork.
        let mixed = |took: &LaneMask| {
            let chunks = took.and(all).chunk_bits() & all.without(*took).chunk_bits();
            chunks.count_ones().saturating_sub(1)
        };
        if took.iter().map(mixed).sum::<u32>() < MIN_MIXED_VECTORS_TO_SORT {
            return exchanges;
        }
        // The lanes of each way, in the order of the ways: a bit of the number that a Gray code
        // stands for is the sum of those up to it.
        let mut ways: SmallVec<[LaneMask; 1 << MAX_FORKS_TRACKED]> = SmallVec::new();
        ways.push(all);
        let mut bit = LaneMask::NONE;
        for took in took {
            bit = bit.xor(*took);
            ways = ways.iter().flat_map(|way| [way.without(bit), way.and(bit)]).filter(|way| !way.is_empty()).collect();
        }
        let mut places = 0..0;
        for at in 0..ways.len() {
            places = places.end..places.end + ways[at].count() as usize;
            let place = LaneMask::first(places.end).without(LaneMask::first(places.start));
            let elsewhere = ways[at].without(place);
            for (from, to) in elsewhere.each().zip(place.without(ways[at]).each()) {
                exchanges.push([from, to]);
                let (one, other) = (LaneMask::one(from.0, from.1), LaneMask::one(to.0, to.1));
                for way in &mut ways[at..] {
                    if way.and(one).is_empty() != way.and(other).is_empty() {
                        *way = way.xor(one.or(other));
                    }
                }
            }
        }
        exchanges
    }

    pub fn exchange(&mut self, exchanges: &[Exchange]) {
        self.0.iter_mut().for_each(|took| exchange_lanes(took, exchanges));
    }
}

pub fn exchange_lanes(mask: &mut LaneMask, exchanges: &[Exchange]) {
    if mask.is_empty() {
        return;
    }
    for &[a, b] in exchanges {
        let (one, other) = (LaneMask::one(a.0, a.1), LaneMask::one(b.0, b.1));
        if mask.and(one).is_empty() != mask.and(other).is_empty() {
            *mask = mask.xor(one.or(other));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::simd::WIDE;
    use crate::simt::sort_lanes::*;

    /// Lanes of a phase come to stand together, whatever the order, and each lane is moved as a
    /// whole.
    #[test]
    fn lanes_of_one_way_stand_together() {
        for lanes in [17, 40, 64] {
            let mut branch_history = BranchHistory::default();
            // A bit a fork: both seats place, or each of them moves or flies.
            let phase = |lane: usize| [0b0101, 0b0000, 0b0010, 0b1010, 0b1000][lane * 7 % 5];
            let mut games: Vec<usize> = (0..lanes).collect();
            for lane in 0..lanes {
                (0..4)
                    .filter(|fork| phase(lane) >> fork & 1 == 1)
                    .for_each(|fork| branch_history.record(fork, LaneMask::one(lane / WIDE, lane % WIDE)));
            }
            let exchanges = branch_history.exchanges(4, lanes);
            assert!(!exchanges.is_empty() && exchanges.len() < lanes);
            branch_history.exchange(&exchanges);
            exchanges.iter().for_each(|[a, b]| games.swap(a.0 * WIDE + a.1, b.0 * WIDE + b.1));
            let phases: Vec<usize> = games.iter().map(|&game| phase(game)).collect();
            let changes = phases.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert_eq!(changes, 4, "{phases:?}");
            for (lane, phase) in phases.iter().enumerate() {
                (0..4).for_each(|fork| {
                    assert_eq!(branch_history.0[fork].has(lane / WIDE, lane % WIDE), phase >> fork & 1 == 1)
                });
            }
            // Those that took one branch of a fork stand in one row.
            for fork in 0..4 {
                let rows =
                    phases.chunk_by(|a, b| (a ^ b) >> fork & 1 == 0).filter(|row| row[0] >> fork & 1 == 1).count();
                assert_eq!(rows, 1, "fork {fork} of {phases:?}");
            }
            assert!(branch_history.exchanges(4, lanes).is_empty());
        }
    }

    #[test]
    fn what_spares_nothing_is_left() {
        let mut branch_history = BranchHistory::default();
        assert!(branch_history.exchanges(4, 64).is_empty());
        (0..2).for_each(|i| branch_history.record(0, LaneMask::one(i, 3)));
        assert!(branch_history.exchanges(4, 64).is_empty());
        branch_history.forget((0, 1), LaneMask::one(0, 3));
        assert_eq!(branch_history.0[0], LaneMask::one(1, 3));
    }
}
