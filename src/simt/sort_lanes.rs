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

use crate::simd::{Lane8, Simd, WIDE};
use crate::simt::registers::LaneMask;
use crate::simt::state::{Status, WarpState};

/// Forks of all programs together that are looked at.
pub const FORKS: usize = 6;
/// Lanes change places once in so many rounds at most.
pub const ROUNDS: u32 = 16;
/// So many chunks must be spared in a round of each seat.
const WORTH: u32 = 4;

/// Two lanes that change places, each by its chunk and its number there.
type Exchange = [(usize, usize); 2];

/// Which way lanes took at each fork: those that took the first branch.
#[derive(Clone, Copy, Debug, Default)]
pub struct BranchHistory([LaneMask; FORKS]);

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
    pub fn note(&mut self, fork: u8, lanes: LaneMask) {
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
        if took.iter().map(mixed).sum::<u32>() < WORTH {
            return exchanges;
        }
        // The lanes of each way, in the order of the ways: a bit of the number that a Gray code
        // stands for is the sum of those up to it.
        let mut ways: SmallVec<[LaneMask; 1 << FORKS]> = SmallVec::new();
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

    fn exchange(&mut self, exchanges: &[Exchange]) {
        self.0.iter_mut().for_each(|took| exchange_lanes(took, exchanges));
    }
}

fn exchange_lanes(mask: &mut LaneMask, exchanges: &[Exchange]) {
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

/// The words of one register change places.
fn exchange_words<const K: usize>(words: &mut [Lane8; K], exchanges: &[Exchange]) {
    for &[a, b] in exchanges {
        let (one, other) = (words[a.0 % K].0[a.1 % WIDE], words[b.0 % K].0[b.1 % WIDE]);
        words[a.0 % K].0[a.1 % WIDE] = other;
        words[b.0 % K].0[b.1 % WIDE] = one;
    }
}

/// What of a status outlasts a round, changed by chunk and lane.
fn exchange_status<const K: usize>(at: &mut [Status; K], exchanges: &[Exchange]) {
    let parts: [fn(&mut Status) -> &mut Lane8; 8] = [
        |status| &mut status.offered,
        |status| &mut status.tries,
        |status| &mut status.runs,
        |status| &mut status.outcome,
        |status| &mut status.winners,
        |status| &mut status.turns,
        |status| &mut status.choices,
        |status| &mut status.mover,
    ];
    for &[a, b] in exchanges {
        for part in parts {
            let one = part(&mut at[a.0]).0[a.1 % WIDE];
            let other = std::mem::replace(&mut part(&mut at[b.0]).0[b.1 % WIDE], one);
            part(&mut at[a.0]).0[a.1 % WIDE] = other;
        }
        for part in 0..4 {
            let one = (at[a.0].lots.0[part].0[a.1 % WIDE], at[a.0].begun.0[part].0[a.1 % WIDE]);
            let other = (at[b.0].lots.0[part].0[b.1 % WIDE], at[b.0].begun.0[part].0[b.1 % WIDE]);
            (at[a.0].lots.0[part].0[a.1 % WIDE], at[a.0].begun.0[part].0[a.1 % WIDE]) = other;
            (at[b.0].lots.0[part].0[b.1 % WIDE], at[b.0].begun.0[part].0[b.1 % WIDE]) = one;
        }
    }
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    /// Games change places, between rounds; `past`: with what they remember of the past.
    pub fn exchange(&mut self, exchanges: &[Exchange], past: bool) {
        for set in &mut self.file.sets[..self.shared.persistent.0] {
            for &[a, b] in exchanges {
                for word in 0..W {
                    let (one, other) = (set[a.0 % K][word].0[a.1 % WIDE], set[b.0 % K][word].0[b.1 % WIDE]);
                    set[a.0 % K][word].0[a.1 % WIDE] = other;
                    set[b.0 % K][word].0[b.1 % WIDE] = one;
                }
            }
        }
        self.file.numbers[..self.shared.persistent.1].iter_mut().for_each(|number| exchange_words(number, exchanges));
        exchange_status(&mut self.at, exchanges);
        if past {
            exchanges.iter().for_each(|[a, b]| self.histories.swap(a.0 * WIDE + a.1, b.0 * WIDE + b.1));
        }
        let who = &mut self.who;
        for kept in [
            &mut who.again_drawn,
            &mut who.counted,
            &mut who.asked,
            &mut who.unsure,
            &mut who.estimated,
            &mut who.decided,
        ] {
            exchange_lanes(kept, exchanges);
        }
        self.turns.masks().for_each(|lanes| exchange_lanes(lanes, exchanges));
        self.course.exchange(exchanges);
    }
}

#[cfg(test)]
mod tests {
    use crate::simt::sort_lanes::*;

    /// Lanes of a phase come to stand together, whatever the order, and each lane is moved as a
    /// whole.
    #[test]
    fn lanes_of_one_way_stand_together() {
        for lanes in [17, 40, 64] {
            let mut course = BranchHistory::default();
            // A bit a fork: both seats place, or each of them moves or flies.
            let phase = |lane: usize| [0b0101, 0b0000, 0b0010, 0b1010, 0b1000][lane * 7 % 5];
            let mut games: Vec<usize> = (0..lanes).collect();
            for lane in 0..lanes {
                (0..4)
                    .filter(|fork| phase(lane) >> fork & 1 == 1)
                    .for_each(|fork| course.note(fork, LaneMask::one(lane / WIDE, lane % WIDE)));
            }
            let exchanges = course.exchanges(4, lanes);
            assert!(!exchanges.is_empty() && exchanges.len() < lanes);
            course.exchange(&exchanges);
            exchanges.iter().for_each(|[a, b]| games.swap(a.0 * WIDE + a.1, b.0 * WIDE + b.1));
            let phases: Vec<usize> = games.iter().map(|&game| phase(game)).collect();
            let changes = phases.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert_eq!(changes, 4, "{phases:?}");
            for (lane, phase) in phases.iter().enumerate() {
                (0..4)
                    .for_each(|fork| assert_eq!(course.0[fork].has(lane / WIDE, lane % WIDE), phase >> fork & 1 == 1));
            }
            // Those that took one branch of a fork stand in one row.
            for fork in 0..4 {
                let rows =
                    phases.chunk_by(|a, b| (a ^ b) >> fork & 1 == 0).filter(|row| row[0] >> fork & 1 == 1).count();
                assert_eq!(rows, 1, "fork {fork} of {phases:?}");
            }
            assert!(course.exchanges(4, lanes).is_empty());
        }
    }

    #[test]
    fn what_spares_nothing_is_left() {
        let mut course = BranchHistory::default();
        assert!(course.exchanges(4, 64).is_empty());
        (0..2).for_each(|i| course.note(0, LaneMask::one(i, 3)));
        assert!(course.exchanges(4, 64).is_empty());
        course.forget((0, 1), LaneMask::one(0, 3));
        assert_eq!(course.0[0], LaneMask::one(1, 3));
    }
}
