//! Othello, 8x8: all eight directions at once in a vector where the processor has AVX-512,
//! the usual shift-and-mask code elsewhere.

use super::bits;
use super::game::{Game, Outcome, Play};

#[derive(Clone)]
pub struct Othello {
    own: u64,
    opp: u64,
    moves: u64,
    side: u8,
}

const PASS: u32 = 64;

/// Rays from each square without the square itself: four to higher bits, then their opposites.
static RAYS: [[u64; 8]; 64] = {
    let dirs: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 1), (1, 1)];
    let mut t = [[0; 8]; 64];
    let mut s = 0;
    while s < 64 {
        let mut d = 0;
        while d < 8 {
            let sign = if d < 4 { 1 } else { -1 };
            let (dx, dy) = (dirs[d & 3].0 * sign, dirs[d & 3].1 * sign);
            let (mut x, mut y) = (s as i32 % 8 + dx, s as i32 / 8 + dy);
            while x >= 0 && x < 8 && y >= 0 && y < 8 {
                t[s][d] |= 1 << (y * 8 + x);
                x += dx;
                y += dy;
            }
            d += 1;
        }
        s += 1;
    }
    t
};

#[cfg(all(target_feature = "avx512f", target_feature = "avx512cd", target_feature = "avx512vl"))]
mod simd {
    use super::RAYS;
    use core::arch::x86_64::*;

    /// Squares where `own` may place.
    #[inline(always)]
    pub fn moves(own: u64, opp: u64) -> u64 {
        // SAFETY: compiled only where the target has these instructions.
        unsafe {
            const SIDES: i64 = 0x7e7e_7e7e_7e7e_7e7e;
            const ENDS: i64 = 0x00ff_ffff_ffff_ff00;
            const BOTH: i64 = SIDES & ENDS;
            // Rotations serve as shifts: stones that can be enclosed lie inside, away from any
            // wrap.
            let s1 = _mm512_setr_epi64(1, 8, 7, 9, 63, 56, 57, 55);
            let s2 = _mm512_setr_epi64(2, 16, 14, 18, 62, 48, 50, 46);
            let inner = _mm512_setr_epi64(SIDES, ENDS, BOTH, BOTH, SIDES, ENDS, BOTH, BOTH);
            let o = _mm512_and_si512(_mm512_set1_epi64(opp as i64), inner);
            let g = _mm512_and_si512(o, _mm512_rolv_epi64(_mm512_set1_epi64(own as i64), s1));
            let o2 = _mm512_and_si512(o, _mm512_rolv_epi64(o, s1));
            let g = _mm512_or_si512(g, _mm512_and_si512(o, _mm512_rolv_epi64(g, s1)));
            let g = _mm512_or_si512(g, _mm512_and_si512(o2, _mm512_rolv_epi64(g, s2)));
            let g = _mm512_or_si512(g, _mm512_and_si512(o2, _mm512_rolv_epi64(g, s2)));
            let g = _mm512_rolv_epi64(g, s1);
            let h = _mm256_or_si256(_mm512_castsi512_si256(g), _mm512_extracti64x4_epi64::<1>(g));
            or4(h) & !(own | opp)
        }
    }

    #[inline(always)]
    unsafe fn or4(h: __m256i) -> u64 {
        unsafe {
            let q = _mm_or_si128(_mm256_castsi256_si128(h), _mm256_extracti128_si256::<1>(h));
            let q = _mm_or_si128(q, _mm_unpackhi_epi64(q, q));
            _mm_cvtsi128_si64(q) as u64
        }
    }

    /// Stones turned by `own` placing on `s`.
    #[inline(always)]
    pub fn flips(s: usize, own: u64, opp: u64) -> u64 {
        // SAFETY: as above; RAYS rows are 64 bytes.
        unsafe {
            let rays = RAYS[s & 63].as_ptr() as *const __m256i;
            let (up, down) = (_mm256_loadu_si256(rays), _mm256_loadu_si256(rays.add(1)));
            let own4 = _mm256_set1_epi64x(own as i64);
            let opp4 = _mm256_set1_epi64x(opp as i64);
            let one = _mm256_set1_epi64x(1);
            let zero = _mm256_setzero_si256();
            // The first square on each ray that is not an opponent's: lowest bit going up, highest
            // going down.
            let x = _mm256_andnot_si256(opp4, up);
            let b = _mm256_and_si256(x, _mm256_sub_epi64(zero, x));
            let k = _mm256_test_epi64_mask(b, own4);
            let fu = _mm256_maskz_and_epi64(k, _mm256_sub_epi64(b, one), up);
            let x = _mm256_andnot_si256(opp4, down);
            let b = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(x));
            let k = _mm256_test_epi64_mask(b, own4);
            let upto = _mm256_sub_epi64(_mm256_add_epi64(b, b), one);
            let fd = _mm256_maskz_andnot_epi64(k, upto, down);
            or4(_mm256_or_si256(fu, fd))
        }
    }
}

#[cfg(not(all(target_feature = "avx512f", target_feature = "avx512cd", target_feature = "avx512vl")))]
mod simd {
    use super::RAYS;

    #[inline(always)]
    fn both(own: u64, o: u64, s: u32) -> u64 {
        let o2 = o & (o << s);
        let mut u = o & (own << s);
        u |= o & (u << s);
        u |= o2 & (u << (2 * s));
        u |= o2 & (u << (2 * s));
        let o2 = o & (o >> s);
        let mut d = o & (own >> s);
        d |= o & (d >> s);
        d |= o2 & (d >> (2 * s));
        d |= o2 & (d >> (2 * s));
        (u << s) | (d >> s)
    }

    #[inline(always)]
    pub fn moves(own: u64, opp: u64) -> u64 {
        let inner = opp & 0x7e7e_7e7e_7e7e_7e7e;
        (both(own, inner, 1) | both(own, inner, 7) | both(own, inner, 9) | both(own, opp, 8)) & !(own | opp)
    }

    #[inline(always)]
    pub fn flips(s: usize, own: u64, opp: u64) -> u64 {
        let rays = &RAYS[s & 63];
        let mut f = 0;
        for d in 0..4 {
            let x = rays[d] & !opp;
            let b = x & x.wrapping_neg();
            let hit = ((b & own != 0) as u64).wrapping_neg();
            f |= b.wrapping_sub(1) & rays[d] & hit;
            let x = rays[d + 4] & !opp;
            let b = (1u64 << 63).checked_shr(x.leading_zeros()).unwrap_or(0);
            let hit = ((b & own != 0) as u64).wrapping_neg();
            f |= !(b.wrapping_add(b).wrapping_sub(1)) & rays[d + 4] & hit;
        }
        f
    }
}

impl Game for Othello {
    type Turn = u32;

    fn start() -> Self {
        // Black (first) on d5 and e4, White on d4 and e5.
        Othello { own: 1 << 35 | 1 << 28, opp: 1 << 27 | 1 << 36, moves: 0, side: 0 }
    }

    #[inline(always)]
    fn count(&mut self) -> Result<u32, Outcome> {
        self.moves = simd::moves(self.own, self.opp);
        if self.moves == 0 {
            if simd::moves(self.opp, self.own) != 0 {
                return Ok(1);
            }
            let (own, opp) = (self.own.count_ones(), self.opp.count_ones());
            return Err(if self.side == 0 { Outcome::score(own, opp) } else { Outcome::score(opp, own) });
        }
        Ok(self.moves.count_ones())
    }

    #[inline(always)]
    fn nth(&mut self, k: u32) -> u32 {
        // With no move the selection gives 64, the pass.
        bits::nth(self.moves, k)
    }

    #[inline(always)]
    fn play(&mut self, t: u32) -> Play {
        if t == PASS {
            core::mem::swap(&mut self.own, &mut self.opp);
        } else {
            let f = simd::flips(t as usize, self.own, self.opp);
            let own = self.own | f | 1 << t;
            self.own = self.opp ^ f;
            self.opp = own;
        }
        self.side ^= 1;
        Play::On
    }
}
