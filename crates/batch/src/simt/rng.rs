//! Lane generators: a lane goes in; the random word comes out that the scalar executor's generator
//! of the same game would give.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::simd::{Lane8, Plain, Simd};
use crate::simt::registers::{LaneMask, put};

/// The state of a generator for each of eight lanes: xoshiro256++ (Blackman and Vigna, 2019).
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneRng(pub [Lane8; 4]);

impl LaneRng {
    /// The lanes' next words.
    #[inline(always)]
    pub fn words<V: Simd>(&self, v: V) -> V::V8 {
        let [a, d] = [v.load(&self.0[0]), v.load(&self.0[3])];
        v.add(v.rotated(v.add(a, d), 23), a)
    }

    /// The lanes of a mask go on behind their next words.
    #[inline(always)]
    pub fn go_on<V: Simd>(&mut self, v: V, mask: V::V8) {
        let [a, b, c, d] = [v.load(&self.0[0]), v.load(&self.0[1]), v.load(&self.0[2]), v.load(&self.0[3])];
        let (c1, d1) = (v.xor(a, c), v.xor(b, d));
        let next = [v.xor(a, d1), v.xor(b, c1), v.xor(c1, v.up(b, 17)), v.rotated(d1, 45)];
        for part in 0..4 {
            put(v, &mut self.0[part], next[part], mask);
        }
    }

    /// A lane goes on where another one stands.
    #[inline(always)]
    pub fn put(&mut self, lane: usize, from: &LaneRng, other: usize) {
        for part in 0..4 {
            self.0[part].0[lane] = from.0[part].0[other];
        }
    }

    /// The next number below `of` that the lane draws will be `k`: its word is the greatest that falls there, and what
    /// it leaves is never drawn again. With a first part of 0, the last one alone decides the word.
    #[inline]
    pub fn force(&mut self, lane: usize, k: u64, of: u64) {
        let word = ((((k + 1) << 32) - 1) / of.max(1)) << 32;
        for (part, state) in self.0.iter_mut().zip([0, 1, 0, word.rotate_right(23)]) {
            part.0[lane] = state;
        }
    }

    #[inline(always)]
    fn state(&self, lane: usize) -> [u64; 4] {
        [self.0[0].0[lane], self.0[1].0[lane], self.0[2].0[lane], self.0[3].0[lane]]
    }

    /// One lane's generator.
    pub fn get(&self, lane: usize) -> Xoshiro256PlusPlus {
        generator(self.state(lane))
    }

    /// Lets a lane go on where a generator stands that began where the lane stands. A generator
    /// does not tell its state, but the same steps lead to it.
    pub fn catch_up(&mut self, lane: usize, with: &Xoshiro256PlusPlus) {
        let mut alone = self.get(lane);
        while alone != *with {
            alone.next_u64();
            self.go_on(Plain, LaneMask::one(0, lane).lanes(Plain, 0));
        }
    }

    /// The lane begins as a generator does that is made from a number.
    pub fn seed(&mut self, lane: usize, seed: u64) {
        let mut mixer = rand_xoshiro::SplitMix64::seed_from_u64(seed);
        for part in 0..4 {
            self.0[part].0[lane] = mixer.next_u64();
        }
    }
}

fn generator(state: [u64; 4]) -> Xoshiro256PlusPlus {
    let mut seed = [0; 32];
    for (bytes, word) in seed.chunks_exact_mut(8).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    Xoshiro256PlusPlus::from_seed(seed)
}

#[cfg(test)]
mod tests {
    use crate::simd::WIDE;
    use crate::simt::rng::*;

    #[test]
    fn a_forced_lane_draws_the_option_at_once() {
        for of in (1..400).chain([1 << 20, (1 << 31) - 1]) {
            for k in [0, 1, of / 3, of / 2, of - 1].into_iter().filter(|k| *k < of) {
                let mut rng = LaneRng::default();
                rng.force(6, k, of);
                let mut alone = rng.get(6);
                assert_eq!(crate::interp::below(&mut alone, of), k, "{k} of {of}");
                let mut once = rng.get(6);
                once.next_u64();
                assert_eq!(alone, once, "{k} of {of}");
            }
        }
    }

    #[test]
    fn each_lane_draws_as_a_generator_of_its_own() {
        let mut rng = LaneRng::default();
        let mut alone: Vec<Xoshiro256PlusPlus> = (0..WIDE as u64).map(Xoshiro256PlusPlus::seed_from_u64).collect();
        (0..WIDE).for_each(|lane| rng.seed(lane, lane as u64));
        for _ in 0..100 {
            let drawn = rng.words(Plain);
            rng.go_on(Plain, Plain.all(u64::MAX));
            let expected: Vec<u64> = alone.iter_mut().map(Rng::next_u64).collect();
            assert_eq!(drawn.to_vec(), expected);
        }
        let other = rng;
        rng.put(5, &other, 2);
        assert_eq!(rng.get(5), alone[2]);
        let before = rng.get(3);
        let mut ahead = before.clone();
        for _ in 0..7 {
            ahead.next_u64();
        }
        rng.catch_up(3, &ahead);
        assert_eq!(rng.get(3), ahead);
        assert_ne!(before, ahead);
    }
}
