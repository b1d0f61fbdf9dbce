//! Eight words at a time, by what instructions the processor has.
//!
//! What computes with them takes a token that only a processor with the instructions gives out, and is compiled for it. Compilers make
//! vectors of plain loops only sometimes, and of loops in loops in odd ways; so it is said here what becomes what.

use std::fmt::Debug;

use pulp::NullaryFnOnce;

/// Lanes of a chunk: as many words as the widest vector register of today has.
pub const WIDE: usize = 8;

/// A word of each of eight lanes, as it is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct Chunk(pub [u64; WIDE]);

impl Chunk {
    pub const NONE: Chunk = Chunk([0; WIDE]);

    pub fn all(word: u64) -> Chunk {
        Chunk([word; WIDE])
    }
}

/// A processor's way to compute with eight words. A mask has all bits or none in each of them.
pub trait Vectors: Copy + Debug + Send + Sync + 'static {
    /// Eight words, as they are computed with.
    type Eight: Copy;

    /// Does what is compiled for the processor, as far as it is inlined.
    fn vectorize<J: NullaryFnOnce>(self, job: J) -> J::Output;
    fn load(self, chunk: &Chunk) -> Self::Eight;
    fn store(self, a: Self::Eight) -> Chunk;
    fn all(self, word: u64) -> Self::Eight;
    fn and(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;
    fn or(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;
    fn xor(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;
    /// The bits of the first that the second has not.
    fn without(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;
    /// The second where the mask has bits, else the first.
    fn blend(self, a: Self::Eight, other: Self::Eight, mask: Self::Eight) -> Self::Eight;
    /// Bits moved up, by less than 64.
    fn up(self, a: Self::Eight, by: u32) -> Self::Eight;
    fn down(self, a: Self::Eight, by: u32) -> Self::Eight;
    fn up_each(self, a: Self::Eight, by: Self::Eight) -> Self::Eight;
    fn down_each(self, a: Self::Eight, by: Self::Eight) -> Self::Eight;
    fn add(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;
    fn sub(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;
    /// The lower 64 bits of the product.
    fn mul(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;
    /// The product of the lower halves.
    fn mul_halves(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;
    /// Bits that are 1.
    fn ones(self, a: Self::Eight) -> Self::Eight;
    /// The mask of equal words.
    fn equal(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;
    fn less(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;
    fn less_signed(self, a: Self::Eight, b: Self::Eight) -> Self::Eight;
    /// The mask of a byte, a bit a lane.
    fn lanes(self, lanes: u8) -> Self::Eight;
    /// The byte of a mask.
    fn bits(self, mask: Self::Eight) -> u8;

    #[inline(always)]
    fn none(self) -> Self::Eight {
        self.all(0)
    }

    #[inline(always)]
    fn not(self, a: Self::Eight) -> Self::Eight {
        self.xor(a, self.all(u64::MAX))
    }

    /// The mask of words that are not 0.
    #[inline(always)]
    fn truth(self, a: Self::Eight) -> Self::Eight {
        self.not(self.equal(a, self.none()))
    }

    /// 1 in the lanes of a mask.
    #[inline(always)]
    fn one(self, mask: Self::Eight) -> Self::Eight {
        self.and(mask, self.all(1))
    }

    #[inline(always)]
    fn rotated(self, a: Self::Eight, by: u32) -> Self::Eight {
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

impl Vectors for Plain {
    type Eight = [u64; WIDE];

    #[inline(always)]
    fn vectorize<J: NullaryFnOnce>(self, job: J) -> J::Output {
        job.call()
    }

    #[inline(always)]
    fn load(self, chunk: &Chunk) -> [u64; WIDE] {
        chunk.0
    }

    #[inline(always)]
    fn store(self, a: [u64; WIDE]) -> Chunk {
        Chunk(a)
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
    fn ones(self, a: [u64; WIDE]) -> [u64; WIDE] {
        plain!(a => u64::from(a.count_ones()))
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
    fn lanes(self, lanes: u8) -> [u64; WIDE] {
        each!(lane => (u64::from(lanes) >> lane & 1).wrapping_neg())
    }

    #[inline(never)]
    fn bits(self, mask: [u64; WIDE]) -> u8 {
        let [a, b, c, d, e, f, g, h] = each!(lane => mask[lane] & 1 << lane);
        (a | b | c | d | e | f | g | h) as u8
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256d, __m256i, __m512i};

    use pulp::{NullaryFnOnce, cast};

    use super::{Chunk, Vectors, WIDE};

    pulp::simd_type! {
        /// Vectors of 512 bits.
        pub struct Avx512 {
            avx512f: "avx512f",
            avx512bw: "avx512bw",
            avx512dq: "avx512dq",
            avx512cd: "avx512cd",
            avx512vl: "avx512vl",
            avx512vpopcntdq: "avx512vpopcntdq",
            avx2: "avx2",
            bmi1: "bmi1",
            bmi2: "bmi2",
            lzcnt: "lzcnt",
            popcnt: "popcnt",
        }

        /// Vectors of 256 bits.
        pub struct Avx2 {
            avx: "avx",
            avx2: "avx2",
            bmi1: "bmi1",
            bmi2: "bmi2",
            lzcnt: "lzcnt",
            popcnt: "popcnt",
        }
    }

    impl Vectors for Avx512 {
        type Eight = __m512i;

        #[inline(always)]
        fn vectorize<J: NullaryFnOnce>(self, job: J) -> J::Output {
            Avx512::vectorize(self, job)
        }

        #[inline(always)]
        fn load(self, chunk: &Chunk) -> __m512i {
            cast(chunk.0)
        }

        #[inline(always)]
        fn store(self, a: __m512i) -> Chunk {
            Chunk(cast(a))
        }

        #[inline(always)]
        fn all(self, word: u64) -> __m512i {
            self.avx512f._mm512_set1_epi64(word as i64)
        }

        #[inline(always)]
        fn and(self, a: __m512i, b: __m512i) -> __m512i {
            self.avx512f._mm512_and_si512(a, b)
        }

        #[inline(always)]
        fn or(self, a: __m512i, b: __m512i) -> __m512i {
            self.avx512f._mm512_or_si512(a, b)
        }

        #[inline(always)]
        fn xor(self, a: __m512i, b: __m512i) -> __m512i {
            self.avx512f._mm512_xor_si512(a, b)
        }

        #[inline(always)]
        fn without(self, a: __m512i, b: __m512i) -> __m512i {
            self.avx512f._mm512_andnot_si512(b, a)
        }

        #[inline(always)]
        fn blend(self, a: __m512i, other: __m512i, mask: __m512i) -> __m512i {
            self.or(self.without(a, mask), self.and(other, mask))
        }

        #[inline(always)]
        fn up(self, a: __m512i, by: u32) -> __m512i {
            self.up_each(a, self.all(u64::from(by)))
        }

        #[inline(always)]
        fn down(self, a: __m512i, by: u32) -> __m512i {
            self.down_each(a, self.all(u64::from(by)))
        }

        #[inline(always)]
        fn up_each(self, a: __m512i, by: __m512i) -> __m512i {
            self.avx512f._mm512_sllv_epi64(a, by)
        }

        #[inline(always)]
        fn down_each(self, a: __m512i, by: __m512i) -> __m512i {
            self.avx512f._mm512_srlv_epi64(a, by)
        }

        #[inline(always)]
        fn add(self, a: __m512i, b: __m512i) -> __m512i {
            self.avx512f._mm512_add_epi64(a, b)
        }

        #[inline(always)]
        fn sub(self, a: __m512i, b: __m512i) -> __m512i {
            self.avx512f._mm512_sub_epi64(a, b)
        }

        #[inline(always)]
        fn mul(self, a: __m512i, b: __m512i) -> __m512i {
            self.avx512dq._mm512_mullo_epi64(a, b)
        }

        #[inline(always)]
        fn mul_halves(self, a: __m512i, b: __m512i) -> __m512i {
            self.avx512f._mm512_mul_epu32(a, b)
        }

        #[inline(always)]
        fn ones(self, a: __m512i) -> __m512i {
            // One instruction, where the compiler knows it.
            let a: [u64; WIDE] = cast(a);
            cast(each!(lane => u64::from(a[lane].count_ones())))
        }

        #[inline(always)]
        fn equal(self, a: __m512i, b: __m512i) -> __m512i {
            self.lanes(self.avx512f._mm512_cmpeq_epi64_mask(a, b))
        }

        #[inline(always)]
        fn less(self, a: __m512i, b: __m512i) -> __m512i {
            self.lanes(self.avx512f._mm512_cmplt_epu64_mask(a, b))
        }

        #[inline(always)]
        fn less_signed(self, a: __m512i, b: __m512i) -> __m512i {
            self.lanes(self.avx512f._mm512_cmplt_epi64_mask(a, b))
        }

        #[inline(always)]
        fn lanes(self, lanes: u8) -> __m512i {
            self.avx512dq._mm512_movm_epi64(lanes)
        }

        #[inline(always)]
        fn bits(self, mask: __m512i) -> u8 {
            self.avx512dq._mm512_movepi64_mask(mask)
        }
    }

    /// Does the same to both halves.
    macro_rules! halves {
        ($($a:ident),* => $made:expr) => {{
            [{ $(let $a = $a[0];)* $made }, { $(let $a = $a[1];)* $made }]
        }};
    }

    impl Vectors for Avx2 {
        type Eight = [__m256i; 2];

        #[inline(always)]
        fn vectorize<J: NullaryFnOnce>(self, job: J) -> J::Output {
            Avx2::vectorize(self, job)
        }

        #[inline(always)]
        fn load(self, chunk: &Chunk) -> [__m256i; 2] {
            cast(chunk.0)
        }

        #[inline(always)]
        fn store(self, a: [__m256i; 2]) -> Chunk {
            Chunk(cast(a))
        }

        #[inline(always)]
        fn all(self, word: u64) -> [__m256i; 2] {
            [self.avx._mm256_set1_epi64x(word as i64); 2]
        }

        #[inline(always)]
        fn and(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, b => self.avx2._mm256_and_si256(a, b))
        }

        #[inline(always)]
        fn or(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, b => self.avx2._mm256_or_si256(a, b))
        }

        #[inline(always)]
        fn xor(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, b => self.avx2._mm256_xor_si256(a, b))
        }

        #[inline(always)]
        fn without(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, b => self.avx2._mm256_andnot_si256(b, a))
        }

        #[inline(always)]
        fn blend(self, a: [__m256i; 2], other: [__m256i; 2], mask: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, other, mask => self.avx2._mm256_blendv_epi8(a, other, mask))
        }

        #[inline(always)]
        fn up(self, a: [__m256i; 2], by: u32) -> [__m256i; 2] {
            self.up_each(a, self.all(u64::from(by)))
        }

        #[inline(always)]
        fn down(self, a: [__m256i; 2], by: u32) -> [__m256i; 2] {
            self.down_each(a, self.all(u64::from(by)))
        }

        #[inline(always)]
        fn up_each(self, a: [__m256i; 2], by: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, by => self.avx2._mm256_sllv_epi64(a, by))
        }

        #[inline(always)]
        fn down_each(self, a: [__m256i; 2], by: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, by => self.avx2._mm256_srlv_epi64(a, by))
        }

        #[inline(always)]
        fn add(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, b => self.avx2._mm256_add_epi64(a, b))
        }

        #[inline(always)]
        fn sub(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, b => self.avx2._mm256_sub_epi64(a, b))
        }

        #[inline(always)]
        fn mul(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            let crossed = self.add(self.mul_halves(self.down(a, 32), b), self.mul_halves(a, self.down(b, 32)));
            self.add(self.mul_halves(a, b), self.up(crossed, 32))
        }

        #[inline(always)]
        fn mul_halves(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, b => self.avx2._mm256_mul_epu32(a, b))
        }

        /// Half bytes looked up in a table, and the bytes of a word added up (Muła, Kurz and Lemire, 2018).
        #[inline(always)]
        fn ones(self, a: [__m256i; 2]) -> [__m256i; 2] {
            let table: __m256i = cast([[0x0302_0201_0201_0100u64, 0x0403_0302_0302_0201]; 2]);
            let low = self.avx._mm256_set1_epi8(15);
            halves!(a => {
                let lower = self.avx2._mm256_shuffle_epi8(table, self.avx2._mm256_and_si256(a, low));
                let a = self.avx2._mm256_and_si256(self.avx2._mm256_srli_epi64::<4>(a), low);
                let bytes = self.avx2._mm256_add_epi8(lower, self.avx2._mm256_shuffle_epi8(table, a));
                self.avx2._mm256_sad_epu8(bytes, self.avx._mm256_setzero_si256())
            })
        }

        #[inline(always)]
        fn equal(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, b => self.avx2._mm256_cmpeq_epi64(a, b))
        }

        #[inline(always)]
        fn less(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            let top = self.all(1 << 63);
            self.less_signed(self.xor(a, top), self.xor(b, top))
        }

        #[inline(always)]
        fn less_signed(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            halves!(a, b => self.avx2._mm256_cmpgt_epi64(b, a))
        }

        #[inline(always)]
        fn lanes(self, lanes: u8) -> [__m256i; 2] {
            let each: [__m256i; 2] = cast([1u64, 2, 4, 8, 16, 32, 64, 128]);
            self.equal(self.and(self.all(u64::from(lanes)), each), each)
        }

        #[inline(always)]
        fn bits(self, mask: [__m256i; 2]) -> u8 {
            let [low, high]: [__m256d; 2] = cast(mask);
            (self.avx._mm256_movemask_pd(low) | self.avx._mm256_movemask_pd(high) << 4) as u8
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// What becomes of some words by each operation.
    fn all_made<V: Vectors>(v: V, words: &[Chunk; 3], by: u32) -> Vec<Chunk> {
        let [a, b, c] = words.map(|chunk| v.load(&chunk));
        let (mask, each) = (v.lanes(words[0].0[0] as u8), v.and(c, v.all(63)));
        let close = v.and(b, v.all(3));
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
            v.up_each(a, each),
            v.down_each(a, each),
            v.add(a, b),
            v.sub(a, b),
            v.mul(a, b),
            v.mul_halves(a, b),
            v.ones(a),
            v.equal(v.and(a, v.all(3)), close),
            v.less(a, b),
            v.less_signed(a, b),
            v.truth(close),
            v.one(mask),
            mask,
            v.all(u64::from(v.bits(mask))),
        ];
        made.map(|eight| v.store(eight)).to_vec()
    }

    fn expect_like_plain<V: Vectors>(v: V) {
        let mut lot = Xoshiro256PlusPlus::seed_from_u64(7);
        for round in 0..500 {
            let words = [(); 3].map(|()| Chunk(std::array::from_fn(|_| lot.next_u64() >> (round % 60))));
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
        let words = [1u64 << 63 | 5, 2, 68].map(Chunk::all);
        let made: Vec<u64> = all_made(Plain, &words, 1).iter().map(|chunk| chunk.0[7]).collect();
        let (a, b) = (1u64 << 63 | 5, 2);
        assert_eq!(made[..6], [a, 0, a | 2, a ^ 2, a, !a]);
        assert_eq!(made[7..12], [10, 1 << 62 | 2, 11, 80, (1 << 63 | 5) >> 4]);
        assert_eq!(made[12..17], [a + b, a - b, 10, 10, 3]);
        assert_eq!(made[18..21], [0, u64::MAX, u64::MAX]);
        // The mask has the lanes 0 and 2.
        let mask = all_made(Plain, &words, 1)[22];
        assert_eq!(mask.0, [u64::MAX, 0, u64::MAX, 0, 0, 0, 0, 0]);
    }
}
