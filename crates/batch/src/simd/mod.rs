//! SIMD backend: eight words at a time go in; what operations make of them comes out, by the
//! instructions that the processor has.
//!
//! What computes with them takes a token that only a processor with the instructions gives out, and
//! is compiled for it. Compilers make vectors of plain loops only sometimes, and of loops in loops
//! in odd ways; so it is said here what becomes what.

use std::fmt::Debug;

use pulp::NullaryFnOnce;

/// Lanes of a chunk: as many words as the widest vector register of today has.
pub const WIDE: usize = 8;

/// A word of each of eight lanes, as it is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lane8(pub [u64; WIDE]);

/// Below this, the quotient of two whole numbers, rounded to a number of 53 binary digits, is as
/// much as the next whole one only if it is exactly that: it lies below it by 1 in the divisor at
/// least, which is more than what is rounded away.
pub const FRACTION: u64 = 1 << 52;

impl Lane8 {
    pub const NONE: Lane8 = Lane8([0; WIDE]);

    pub fn all(word: u64) -> Lane8 {
        Lane8([word; WIDE])
    }
}

/// The chunks whose bits are set, one by one. No branch decides whether a chunk is skipped: with few
/// chunks its outcome would be unpredictable.
#[derive(Clone, Copy)]
pub struct Chunks(u64);

impl Chunks {
    /// Bit `i` stands for chunk `i`.
    #[inline(always)]
    pub fn of_bits(bits: u64) -> Chunks {
        Chunks(bits)
    }
}

impl Iterator for Chunks {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let i = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(i)
    }
}

/// Where eight bits are, four in one word and four in another, each below 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places {
    at: [u8; WIDE],
    /// The bytes that the bits are in, of words that lie two by two in vectors; no byte (128) for
    /// bits of the other word.
    bytes: [Lane8; 2],
    /// The bits in these bytes.
    bits: Lane8,
}

impl Places {
    pub fn new(at: [u8; WIDE]) -> Places {
        let byte = |half: usize, lane: usize, place: usize| {
            if place / (WIDE / 2) == half { at[place] / 8 % 8 + (lane % 2 * WIDE) as u8 } else { 128 }
        };
        let word = |half: usize, lane: usize| u64::from_le_bytes(std::array::from_fn(|place| byte(half, lane, place)));
        let bytes = [0, 1].map(|half| Lane8(std::array::from_fn(|lane| word(half, lane))));
        Places { at, bytes, bits: Lane8::all(u64::from_le_bytes(at.map(|place| 1 << (place % 8)))) }
    }
}

/// A processor's way to compute with eight words. A mask has all bits or none in each of them.
pub trait Simd: Copy + Debug + Send + Sync + 'static {
    /// Eight words, as they are computed with.
    type V8: Copy;

    /// The processor has the instructions that machine code is made of.
    const NATIVE: bool = false;

    /// So many chunks are filled side by side: as registers have room for two sets of each and what
    /// they are computed with.
    const ABREAST: usize;

    /// Does what is compiled for the processor, as far as it is inlined.
    fn vectorize<J: NullaryFnOnce>(self, job: J) -> J::Output;
    fn load(self, chunk: &Lane8) -> Self::V8;
    fn store(self, a: Self::V8) -> Lane8;
    fn all(self, word: u64) -> Self::V8;
    fn and(self, a: Self::V8, b: Self::V8) -> Self::V8;
    fn or(self, a: Self::V8, b: Self::V8) -> Self::V8;
    fn xor(self, a: Self::V8, b: Self::V8) -> Self::V8;
    /// The bits of the first that the second has not.
    fn without(self, a: Self::V8, b: Self::V8) -> Self::V8;
    /// The second where the mask has bits, else the first.
    fn blend(self, a: Self::V8, other: Self::V8, mask: Self::V8) -> Self::V8;
    /// The second where the highest bit of a word is 1, else the first.
    #[inline(always)]
    fn blend_negative(self, a: Self::V8, other: Self::V8, word: Self::V8) -> Self::V8 {
        self.blend(a, other, self.negative(word))
    }
    /// Bits moved up, by less than 64.
    fn up(self, a: Self::V8, by: u32) -> Self::V8;
    fn down(self, a: Self::V8, by: u32) -> Self::V8;
    /// Bits moved up, or down if `by` is negative, by less than 64. What bits become that leave a
    /// word is not said.
    #[inline(always)]
    fn moved(self, a: Self::V8, by: i32) -> Self::V8 {
        if by >= 0 { self.up(a, by as u32 & 63) } else { self.down(a, by.unsigned_abs() & 63) }
    }
    fn up_each(self, a: Self::V8, by: Self::V8) -> Self::V8;
    fn down_each(self, a: Self::V8, by: Self::V8) -> Self::V8;
    /// Words turned, bits that leave them on top coming in below, each by less than 64.
    fn turned(self, a: Self::V8, by: Self::V8) -> Self::V8;
    /// The bits at eight places, four of one word and four of another, each the lowest of a byte.
    /// What the other bits of the bytes are is not said.
    fn bits_at(self, halves: [Self::V8; 2], places: &Places) -> Self::V8;
    /// The word of a table that the lowest three bits of each lane's number tell.
    fn looked_up(self, table: &Lane8, at: Self::V8) -> Self::V8;
    fn add(self, a: Self::V8, b: Self::V8) -> Self::V8;
    fn sub(self, a: Self::V8, b: Self::V8) -> Self::V8;
    /// The lower 64 bits of the product.
    fn mul(self, a: Self::V8, b: Self::V8) -> Self::V8;
    /// The product of the lower halves.
    fn mul_halves(self, a: Self::V8, b: Self::V8) -> Self::V8;
    /// Quotients and rests of numbers below [`FRACTION`]. Nothing is said of what is divided by 0.
    fn divided(self, a: Self::V8, b: Self::V8) -> (Self::V8, Self::V8);
    /// Bits that are 1.
    fn ones(self, a: Self::V8) -> Self::V8;
    /// The mask of words whose highest bit is 1.
    fn negative(self, a: Self::V8) -> Self::V8;
    /// The mask of equal words.
    fn equal(self, a: Self::V8, b: Self::V8) -> Self::V8;
    fn less(self, a: Self::V8, b: Self::V8) -> Self::V8;
    fn less_signed(self, a: Self::V8, b: Self::V8) -> Self::V8;
    /// The bytes of a word, from the lowest on, one in each of eight words.
    fn spread(self, bytes: u64) -> Self::V8;
    /// The lowest byte of each word, as [`Simd::spread`] takes them.
    fn gathered(self, a: Self::V8) -> u64;
    /// A lane of the mask has bits.
    fn any(self, mask: Self::V8) -> bool;

    #[inline(always)]
    fn none(self) -> Self::V8 {
        self.all(0)
    }

    #[inline(always)]
    fn not(self, a: Self::V8) -> Self::V8 {
        self.xor(a, self.all(u64::MAX))
    }

    /// The mask of words that are not 0.
    #[inline(always)]
    fn truth(self, a: Self::V8) -> Self::V8 {
        self.not(self.equal(a, self.none()))
    }

    /// 1 in the lanes of a mask.
    #[inline(always)]
    fn one(self, mask: Self::V8) -> Self::V8 {
        self.and(mask, self.all(1))
    }

    /// The bit of each word that has so many of its bits below it, alone, in these chunks; words
    /// must have more.
    #[inline(always)]
    fn nth(self, words: &[Lane8], k: &[Lane8], bits: &mut [Lane8], chunks: Chunks) {
        self.nth_by_halves(words, k, bits, chunks);
    }

    /// Halves of words are gone on with that have the bit.
    #[inline(always)]
    fn nth_by_halves(self, words: &[Lane8], k: &[Lane8], bits: &mut [Lane8], chunks: Chunks) {
        for i in chunks {
            let (mut word, mut left, mut at) = (self.load(&words[i]), self.load(&k[i]), self.none());
            for half in [32u64, 16, 8, 4, 2, 1] {
                let below = self.ones(self.and(word, self.all((1 << half) - 1)));
                let rest = self.sub(left, below);
                left = self.blend_negative(rest, left, rest);
                let by = self.without(self.all(half), self.negative(rest));
                word = self.down_each(word, by);
                at = self.add(at, by);
            }
            bits[i] = self.store(self.up_each(self.all(1), at));
        }
    }

    #[inline(always)]
    fn rotated(self, a: Self::V8, by: u32) -> Self::V8 {
        self.or(self.up(a, by), self.down(a, 64 - by))
    }
}

/// Plain loops, for processors of which nothing is known.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// A word for each lane, written out: thousands of small loops take a compiler very long.
macro_rules! each {
    ($lane:ident => $made:expr) => {
        [
            {
                let $lane = 0;
                $made
            },
            {
                let $lane = 1;
                $made
            },
            {
                let $lane = 2;
                $made
            },
            {
                let $lane = 3;
                $made
            },
            {
                let $lane = 4;
                $made
            },
            {
                let $lane = 5;
                $made
            },
            {
                let $lane = 6;
                $made
            },
            {
                let $lane = 7;
                $made
            },
        ]
    };
}

macro_rules! plain {
    ($($a:ident),* => $made:expr) => {
        each!(lane => {
            $(let $a = $a[lane];)*
            $made
        })
    };
}

impl Simd for Plain {
    type V8 = [u64; WIDE];
    const ABREAST: usize = 1;

    #[inline(always)]
    fn vectorize<J: NullaryFnOnce>(self, job: J) -> J::Output {
        job.call()
    }

    #[inline(always)]
    fn load(self, chunk: &Lane8) -> [u64; WIDE] {
        chunk.0
    }

    #[inline(always)]
    fn store(self, a: [u64; WIDE]) -> Lane8 {
        Lane8(a)
    }

    #[inline(always)]
    fn all(self, word: u64) -> [u64; WIDE] {
        [word; WIDE]
    }

    #[inline(always)]
    fn and(self, a: [u64; WIDE], b: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, b => a & b)
    }

    #[inline(always)]
    fn or(self, a: [u64; WIDE], b: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, b => a | b)
    }

    #[inline(always)]
    fn xor(self, a: [u64; WIDE], b: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, b => a ^ b)
    }

    #[inline(always)]
    fn without(self, a: [u64; WIDE], b: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, b => a & !b)
    }

    #[inline(always)]
    fn blend(self, a: [u64; WIDE], other: [u64; WIDE], mask: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, other, mask => a & !mask | other & mask)
    }

    #[inline(always)]
    fn up(self, a: [u64; WIDE], by: u32) -> [u64; WIDE] {
        plain!(a => a << (by & 63))
    }

    #[inline(always)]
    fn down(self, a: [u64; WIDE], by: u32) -> [u64; WIDE] {
        plain!(a => a >> (by & 63))
    }

    #[inline(never)]
    fn up_each(self, a: [u64; WIDE], by: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, by => a << (by & 63))
    }

    #[inline(never)]
    fn down_each(self, a: [u64; WIDE], by: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, by => a >> (by & 63))
    }

    #[inline(never)]
    fn turned(self, a: [u64; WIDE], by: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, by => a.rotate_left((by & 63) as u32))
    }

    #[inline(never)]
    fn bits_at(self, [low, high]: [[u64; WIDE]; 2], places: &Places) -> [u64; WIDE] {
        plain!(low, high => {
            let bit = |byte: usize| (if byte < WIDE / 2 { low } else { high } >> (places.at[byte] & 63)) & 1;
            (0..WIDE).fold(0, |bits, byte| bits | bit(byte) << (8 * byte))
        })
    }

    #[inline(never)]
    fn looked_up(self, table: &Lane8, at: [u64; WIDE]) -> [u64; WIDE] {
        plain!(at => table.0[at as usize % WIDE])
    }

    #[inline(always)]
    fn add(self, a: [u64; WIDE], b: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, b => a.wrapping_add(b))
    }

    #[inline(always)]
    fn sub(self, a: [u64; WIDE], b: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, b => a.wrapping_sub(b))
    }

    #[inline(never)]
    fn mul(self, a: [u64; WIDE], b: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, b => a.wrapping_mul(b))
    }

    #[inline(never)]
    fn mul_halves(self, a: [u64; WIDE], b: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, b => (a & 0xffff_ffff) * (b & 0xffff_ffff))
    }

    #[inline(never)]
    fn divided(self, a: [u64; WIDE], b: [u64; WIDE]) -> ([u64; WIDE], [u64; WIDE]) {
        (plain!(a, b => a / b.max(1)), plain!(a, b => a % b.max(1)))
    }

    #[inline(never)]
    fn ones(self, a: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a => u64::from(a.count_ones()))
    }

    #[inline(never)]
    fn negative(self, a: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a => ((a as i64) >> 63) as u64)
    }

    #[inline(never)]
    fn equal(self, a: [u64; WIDE], b: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, b => u64::from(a == b).wrapping_neg())
    }

    #[inline(never)]
    fn less(self, a: [u64; WIDE], b: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, b => u64::from(a < b).wrapping_neg())
    }

    #[inline(never)]
    fn less_signed(self, a: [u64; WIDE], b: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a, b => u64::from((a as i64) < b as i64).wrapping_neg())
    }

    #[inline(never)]
    fn spread(self, bytes: u64) -> [u64; WIDE] {
        each!(lane => bytes >> (8 * lane) & 255)
    }

    #[inline(never)]
    fn gathered(self, a: [u64; WIDE]) -> u64 {
        u64::from_le_bytes(each!(lane => a[lane] as u8))
    }

    #[inline(always)]
    fn any(self, mask: [u64; WIDE]) -> bool {
        mask != [0; WIDE]
    }
}

#[cfg(target_arch = "x86_64")]
pub mod x86;

#[cfg(target_arch = "x86_64")]
pub use crate::simd::x86::{Avx2, Avx512};

#[cfg(test)]
mod tests {
    use crate::simd::*;

    /// What becomes of some words by each operation.
    fn all_made<V: Simd>(v: V, words: &[Lane8; 3], by: u32) -> Vec<Lane8> {
        let [a, b, c] = words.map(|chunk| v.load(&chunk));
        let (mask, each) = (v.less(v.spread(words[0].0[0]), v.all(64)), v.and(c, v.all(63)));
        let close = v.and(b, v.all(3));
        // All bits of the first word up to its highest are sought, one after the other.
        let (some, mut nth) = ([v.store(v.or(a, v.all(1 << 63)))], [Lane8::NONE]);
        v.nth(
            &some,
            &[v.store(v.without(each, v.negative(v.sub(v.ones(v.load(&some[0])), v.add(each, v.all(1))))))],
            &mut nth,
            Chunks::of_bits(1),
        );
        let [nth] = nth;
        let divisor = v.or(v.down(v.blend(b, v.down(b, 38), mask), 12), v.all(1));
        let (quotient, rest) = v.divided(v.down(a, 12), divisor);
        let made = [
            v.all(words[0].0[0]),
            v.and(a, b),
            v.or(a, b),
            v.xor(a, b),
            v.without(a, b),
            v.not(a),
            v.blend(a, b, mask),
            v.up(a, by),
            v.down(a, by),
            v.rotated(a, by.max(1)),
            v.moved(v.and(a, v.all(u64::MAX >> by)), by as i32),
            v.moved(v.and(a, v.all(u64::MAX << by)), -(by as i32)),
            v.up_each(a, each),
            v.down_each(a, each),
            v.turned(a, each),
            v.looked_up(&words[1], c),
            v.add(a, b),
            v.sub(a, b),
            v.mul(a, b),
            v.mul_halves(a, b),
            v.ones(a),
            v.negative(v.sub(a, b)),
            v.load(&nth),
            v.equal(v.and(a, v.all(3)), close),
            v.less(a, b),
            v.less_signed(a, b),
            v.truth(close),
            v.one(mask),
            mask,
            v.spread(words[0].0[0]),
            v.all(v.gathered(a)),
            v.all(u64::from(v.any(close))),
            quotient,
            rest,
            v.and(v.bits_at([a, b], &Places::new([0, 63, 7, 8, 9, 62, 31, 32])), v.all(0x0101_0101_0101_0101)),
            v.blend_negative(a, b, c),
        ];
        made.map(|eight| v.store(eight)).to_vec()
    }

    #[cfg(target_arch = "x86_64")]
    fn expect_like_plain<V: Simd>(v: V) {
        use rand::{Rng, SeedableRng};
        use rand_xoshiro::Xoshiro256PlusPlus;

        let mut lot = Xoshiro256PlusPlus::seed_from_u64(7);
        for round in 0..500 {
            let words = [(); 3].map(|()| Lane8(std::array::from_fn(|_| lot.next_u64() >> (round % 60))));
            let by = round % 64;
            assert_eq!(all_made(v, &words, by), all_made(Plain, &words, by), "{v:?}, {words:x?}, {by}");
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn processors_compute_alike() {
        Avx512::try_new().into_iter().for_each(expect_like_plain);
        Avx2::try_new().into_iter().for_each(expect_like_plain);
    }

    #[test]
    fn plain_words_are_computed_with_one_by_one() {
        let words = [1u64 << 63 | 5, 2, 68].map(Lane8::all);
        let made: Vec<u64> = all_made(Plain, &words, 1).iter().map(|chunk| chunk.0[7]).collect();
        let (a, b) = (1u64 << 63 | 5, 2);
        assert_eq!(made[..6], [a, 0, a | 2, a ^ 2, a, !a]);
        assert_eq!(made[7..12], [10, 1 << 62 | 2, 11, 10, 1 << 62 | 2]);
        assert_eq!(made[12..16], [80, (1 << 63 | 5) >> 4, 88, 2]);
        assert_eq!(made[16..21], [a + b, a - b, 10, 10, 3]);
        // Less than 0, and the lowest bit, as there are not so many bits.
        assert_eq!(made[21..23], [u64::MAX, 1]);
        assert_eq!(made[24..27], [0, u64::MAX, u64::MAX]);
        // Bytes under 64 are in the mask.
        let [mask, bytes, together, any] = all_made(Plain, &words, 1)[28..32].try_into().expect("four");
        assert_eq!(mask.0, [u64::MAX, u64::MAX, u64::MAX, u64::MAX, u64::MAX, u64::MAX, u64::MAX, 0]);
        assert_eq!(bytes.0, [5, 0, 0, 0, 0, 0, 0, 128]);
        assert_eq!((together.0[0], any.0[0]), (0x0505_0505_0505_0505, 1));
        let [quotient, rest, bits, blended] = all_made(Plain, &words, 1)[32..].try_into().expect("the last four");
        assert_eq!((quotient.0[7], rest.0[7]), (a >> 12, 0));
        assert_eq!(Plain.divided(Plain.all(17), Plain.all(5)), (Plain.all(3), Plain.all(2)));
        assert_eq!(blended.0[7], a);
        assert_eq!(Plain.blend_negative(Plain.all(1), Plain.all(2), Plain.all(1 << 63)), Plain.all(2));
        // Four bits of either word.
        let bit = |word: u64, place: u32| word >> place & 1;
        let b = words[1].0[0];
        let expected = [bit(a, 0), bit(a, 63), bit(a, 7), bit(a, 8), bit(b, 9), bit(b, 62), bit(b, 31), bit(b, 32)];
        assert_eq!(bits.0[0], u64::from_le_bytes(expected.map(|bit| bit as u8)));
    }
}
