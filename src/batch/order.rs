//! Lanes that go the same way stand side by side.
//!
//! A branch costs what the chunks cost that have a lane in it. Where games have phases in which something else is chosen (to place, to move, to fly),
//! lanes of all phases stand in all chunks soon. So it is noted which way each lane took where a turn forks, in its last turn of each seat, and
//! now and then lanes change places.
//!
//! Ways are ordered as a Gray code counts: neighbours differ in one fork, so lanes that took one branch of a fork mostly stand together, whichever
//! way they took at others.

use smallvec::SmallVec;

use super::lanes::Mask;
use super::status::{Lanes, Status};
use super::vector::{Chunk, Vectors, WIDE};

/// Forks of all programs together that are looked at.
pub const FORKS: usize = 8;
/// Lanes change places once in so many rounds at most.
pub const ROUNDS: u32 = 8;
/// So many chunks must be spared in a round of each seat.
const WORTH: u32 = 4;

/// Two lanes that change places.
type Exchange = (usize, usize);

/// Which way lanes took at each fork: those that took the first branch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Course([Mask; FORKS]);

impl Course {
    /// These lanes come upon forks anew.
    #[inline(always)]
    pub fn forget(&mut self, forks: (u8, u8), lanes: Mask) {
        for fork in forks.0..forks.1 {
            let took = &mut self.0[usize::from(fork)];
            *took = took.without(lanes);
        }
    }

    #[inline(always)]
    pub fn note(&mut self, fork: u8, lanes: Mask) {
        let took = &mut self.0[usize::from(fork)];
        *took = took.or(lanes);
    }

    /// Which lanes, of so many, change places so that those of one way at so many forks stand together; none if that is not worth it.
    pub fn exchanges(&self, forks: usize, lanes: usize) -> SmallVec<[Exchange; 64]> {
        let (mut exchanges, took) = (SmallVec::new(), &self.0[..forks]);
        if lanes <= WIDE || took.iter().map(|took| mixed(*took, lanes)).sum::<u32>() < WORTH {
            return exchanges;
        }
        let mut ranks: SmallVec<[u8; 64]> = (0..lanes).map(|lane| rank(took, lane)).collect();
        let (mut places, mut next) = ([(0, 0); 1 << FORKS], [0; 1 << FORKS]);
        let (places, next) = (&mut places[..1 << forks], &mut next[..1 << forks]);
        ranks.iter().for_each(|&rank| places[usize::from(rank)].1 += 1);
        let mut before = 0;
        for (places, next) in places.iter_mut().zip(&mut *next) {
            *next = before;
            *places = (before, before + places.1);
            before = places.1;
        }
        for lane in 0..lanes {
            loop {
                let rank = usize::from(ranks[lane]);
                if (places[rank].0..places[rank].1).contains(&lane) {
                    break;
                }
                while usize::from(ranks[next[rank]]) == rank {
                    next[rank] += 1;
                }
                ranks.swap(lane, next[rank]);
                exchanges.push((lane, next[rank]));
            }
        }
        exchanges
    }

    fn exchange(&mut self, exchanges: &[Exchange]) {
        self.0.iter_mut().for_each(|took| exchange_lanes(took, exchanges));
    }
}

/// How many chunks have lanes of both branches, beyond one.
fn mixed(took: Mask, lanes: usize) -> u32 {
    let mut all = Mask::NONE;
    (0..lanes.div_ceil(WIDE)).for_each(|i| (0..WIDE).for_each(|lane| all.add(i, lane)));
    let (took, others) = (took.chunk_bits(), all.without(took).chunk_bits());
    (took & others).count_ones().saturating_sub(1)
}

/// The number that the way of a lane has as a Gray code.
fn rank(took: &[Mask], lane: usize) -> u8 {
    let mut rank = took.iter().fold(0, |way, took| way << 1 | u8::from(took.has(lane / WIDE, lane % WIDE)));
    for by in [1, 2, 4] {
        rank ^= rank >> by;
    }
    rank
}

fn exchange_lanes(mask: &mut Mask, exchanges: &[Exchange]) {
    for &(a, b) in exchanges {
        let (one, other) = (Mask::one(a / WIDE, a % WIDE), Mask::one(b / WIDE, b % WIDE));
        if mask.and(one).is_empty() != mask.and(other).is_empty() {
            *mask = mask.xor(one.or(other));
        }
    }
}

/// The words of one register change places.
fn exchange_words<const K: usize>(words: &mut [Chunk; K], exchanges: &[Exchange]) {
    for &(a, b) in exchanges {
        let (one, other) = (words[a / WIDE].0[a % WIDE], words[b / WIDE].0[b % WIDE]);
        words[a / WIDE].0[a % WIDE] = other;
        words[b / WIDE].0[b % WIDE] = one;
    }
}

/// What of a lane's status outlasts a round.
fn kept(status: &mut Status) -> [&mut Chunk; 17] {
    let Status { next_to_move, lots, begun, offered, tries, runs, decided, winners, turns, choices, mover, .. } = status;
    let ([a, b, c, d], [e, f, g, h]) = (&mut lots.0, &mut begun.0);
    [next_to_move, offered, tries, runs, decided, winners, turns, choices, mover, a, b, c, d, e, f, g, h]
}

impl<V: Vectors, const W: usize, const K: usize> Lanes<V, W, K> {
    /// Games change places, between rounds; `past`: with what they remember of the past.
    pub fn exchange(&mut self, exchanges: &[Exchange], past: bool) {
        for set in &mut self.file.sets[..self.shared.0] {
            for &(a, b) in exchanges {
                for word in 0..W {
                    let (one, other) = (set[a / WIDE][word].0[a % WIDE], set[b / WIDE][word].0[b % WIDE]);
                    set[a / WIDE][word].0[a % WIDE] = other;
                    set[b / WIDE][word].0[b % WIDE] = one;
                }
            }
        }
        self.file.numbers[..self.shared.1].iter_mut().for_each(|number| exchange_words(number, exchanges));
        for &(a, b) in exchanges {
            let one = kept(&mut self.at[a / WIDE]).map(|chunk| chunk.0[a % WIDE]);
            let other = kept(&mut self.at[b / WIDE]).map(|chunk| chunk.0[b % WIDE]);
            kept(&mut self.at[a / WIDE]).into_iter().zip(other).for_each(|(chunk, word)| chunk.0[a % WIDE] = word);
            kept(&mut self.at[b / WIDE]).into_iter().zip(one).for_each(|(chunk, word)| chunk.0[b % WIDE] = word);
        }
        if past {
            exchanges.iter().for_each(|&(a, b)| self.histories.swap(a, b));
        }
        let who = &mut self.who;
        for kept in [&mut who.again_drawn, &mut who.counted, &mut who.asked, &mut who.unsure, &mut who.estimated] {
            exchange_lanes(kept, exchanges);
        }
        self.course.exchange(exchanges);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes of a phase come to stand together, whatever the order, and each lane is moved as a whole.
    #[test]
    fn lanes_of_one_way_stand_together() {
        for lanes in [17, 40, 64] {
            let mut course = Course::default();
            // Both seats place, or each of them moves or flies.
            let phase = |lane: usize| [0b1010, 0b0000, 0b0100, 0b0101, 0b0001][lane * 7 % 5];
            let mut games: Vec<usize> = (0..lanes).collect();
            for lane in 0..lanes {
                (0..4).filter(|fork| phase(lane) >> fork & 1 == 1).for_each(|fork| course.note(fork, Mask::one(lane / WIDE, lane % WIDE)));
            }
            let exchanges = course.exchanges(4, lanes);
            assert!(!exchanges.is_empty() && exchanges.len() < lanes);
            course.exchange(&exchanges);
            exchanges.iter().for_each(|&(a, b)| games.swap(a, b));
            let phases: Vec<usize> = games.iter().map(|&game| phase(game)).collect();
            let changes = phases.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert_eq!(changes, 4, "{phases:?}");
            for (lane, phase) in phases.iter().enumerate() {
                (0..4).for_each(|fork| assert_eq!(course.0[fork].has(lane / WIDE, lane % WIDE), phase >> fork & 1 == 1));
            }
            // Those that took one branch of a fork stand in one row.
            for fork in 0..4 {
                let rows = phases.chunk_by(|a, b| (a ^ b) >> fork & 1 == 0).filter(|row| row[0] >> fork & 1 == 1).count();
                assert_eq!(rows, 1, "fork {fork} of {phases:?}");
            }
            assert!(course.exchanges(4, lanes).is_empty());
        }
    }

    #[test]
    fn what_spares_nothing_is_left() {
        let mut course = Course::default();
        assert!(course.exchanges(4, 64).is_empty());
        (0..2).for_each(|i| course.note(0, Mask::one(i, 3)));
        assert!(course.exchanges(4, 64).is_empty());
        course.forget((0, 1), Mask::one(0, 3));
        assert_eq!(course.0[0], Mask::one(1, 3));
    }
}
