//! Pente and Keryo-Pente, 19x19. Every line of the board (rows, columns, both diagonals: 112) is a
//! word with two bits a point and four empty points before and after, so what matters around a
//! point is a shift and a mask on four words. Nothing happens at most turns, and whether anything
//! does is one test on the four words together. The empty points are kept as a list in no order, so
//! picking one takes one look.

use super::bits::{at, get};
use super::game::{Game, Outcome, Play};

const N: usize = 19;
const POINTS: usize = N * N;

/// A point's line and shift (to four points before it) for rows, columns, diagonals, antidiagonals.
#[derive(Clone, Copy)]
#[repr(C)]
struct Place {
    line: [u8; 4],
    shift: [u8; 4],
}

static AT: [Place; POINTS] = {
    let mut t = [Place { line: [0; 4], shift: [0; 4] }; POINTS];
    let mut s = 0;
    while s < POINTS {
        let (x, y) = (s % N, s / N);
        t[s].line = [y as u8, (N + x) as u8, (3 * N - 1 + x - y) as u8, (4 * N - 1 + x + y) as u8];
        t[s].shift = [2 * x as u8, 2 * y as u8, 2 * x as u8, 2 * x as u8];
        s += 1;
    }
    t
};
/// From a point to the next on each kind of line.
const STEP: [i32; 4] = [1, N as i32, N as i32 + 1, 1 - N as i32];

#[derive(Clone)]
pub struct Five<const TRIPLES: bool> {
    line: [u64; 112],
    /// The empty points in no order. A turn is a place in this list.
    empty: [u16; POINTS],
    n: u32,
    taken: [u8; 2],
    side: u8,
}

pub type Pente = Five<false>;
pub type Keryo = Five<true>;

/// What to look for in the four words around a stone just placed (it has bits 8 and 9) by one side:
/// its own stones; pairs ahead and behind, triples ahead and behind, each with one's own stone at
/// the far end.
#[derive(Clone, Copy)]
struct Look {
    five: u64,
    rows: [u64; 4],
}
const MASKS: [u64; 4] = [63 << 10, 63 << 2, 255 << 10, 255];
const LOOK: [Look; 2] = {
    let mut t = [Look { five: 0, rows: [0; 4] }; 2];
    let mut side = 0;
    while side < 2 {
        let (own, opp) = (side as u64 + 1, 2 - side as u64);
        t[side].five = 0x1_5555 << side;
        t[side].rows = [
            (opp | opp << 2 | own << 4) << 10,
            (own | opp << 2 | opp << 4) << 2,
            (opp | opp << 2 | opp << 4 | own << 6) << 10,
            own | opp << 2 | opp << 4 | opp << 6,
        ];
        side += 1;
    }
    t
};

impl<const TRIPLES: bool> Five<TRIPLES> {
    const GOAL: u8 = if TRIPLES { 15 } else { 10 };
    const KINDS: usize = if TRIPLES { 4 } else { 2 };

    #[cfg(target_feature = "avx2")]
    #[inline(always)]
    fn quiet(w: [u64; 4], p: &Place, look: &Look) -> bool {
        use core::arch::x86_64::*;
        // SAFETY: compiled only where the target has AVX2.
        unsafe {
            let all = |v: u64| _mm256_set1_epi64x(v as i64);
            let w = _mm256_setr_epi64x(w[0] as i64, w[1] as i64, w[2] as i64, w[3] as i64);
            let s = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(i32::from_le_bytes(p.shift)));
            let w = _mm256_srlv_epi64(w, s);
            let m = _mm256_and_si256(w, all(look.five));
            let m2 = _mm256_and_si256(m, _mm256_srli_epi64::<2>(m));
            let five = _mm256_and_si256(m2, _mm256_srli_epi64::<4>(m2));
            let mut hit = _mm256_and_si256(five, _mm256_srli_epi64::<8>(m));
            for k in 0..Self::KINDS {
                let row = _mm256_cmpeq_epi64(_mm256_and_si256(w, all(MASKS[k])), all(look.rows[k]));
                hit = _mm256_or_si256(hit, row);
            }
            _mm256_testz_si256(hit, hit) != 0
        }
    }

    #[cfg(not(target_feature = "avx2"))]
    #[inline(always)]
    fn quiet(w: [u64; 4], p: &Place, look: &Look) -> bool {
        let mut hit = false;
        for d in 0..4 {
            let w = w[d] >> p.shift[d];
            let m = w & look.five;
            let m2 = m & m >> 2;
            hit |= m2 & m2 >> 4 & m >> 8 != 0;
            for k in 0..Self::KINDS {
                hit |= w & MASKS[k] == look.rows[k];
            }
        }
        !hit
    }

    /// Takes what the stone just placed on a point takes; whether that or a row of five wins.
    #[cold]
    #[inline(never)]
    fn settle(&mut self, s: usize) -> bool {
        let side = self.side as usize & 1;
        let look = LOOK[side];
        let p = AT[s];
        let w: [u64; 4] = core::array::from_fn(|d| self.line[p.line[d] as usize] >> p.shift[d]);
        let mut won = false;
        for d in 0..4 {
            let m = w[d] & look.five;
            let m2 = m & m >> 2;
            won |= m2 & m2 >> 4 & m >> 8 != 0;
            for k in 0..Self::KINDS {
                if w[d] & MASKS[k] == look.rows[k] {
                    let step = if k & 1 == 0 { STEP[d] } else { -STEP[d] };
                    for j in 1..=2 + (k as i32 >> 1) {
                        self.lift((s as i32 + step * j) as usize);
                        self.taken[side] += 1;
                    }
                }
            }
        }
        won || self.taken[side] >= Self::GOAL
    }

    fn lift(&mut self, s: usize) {
        let p = AT[s];
        for d in 0..4 {
            self.line[p.line[d] as usize] &= !(0x300 << p.shift[d]);
        }
        self.empty[self.n as usize] = s as u16;
        self.n += 1;
    }
}

impl<const TRIPLES: bool> Game for Five<TRIPLES> {
    type Turn = u16;

    fn start() -> Self {
        let empty = core::array::from_fn(|i| i as u16);
        Five { line: [0; 112], empty, n: POINTS as u32, taken: [0; 2], side: 0 }
    }

    #[inline(always)]
    fn count(&mut self) -> Result<u32, Outcome> {
        if self.n == 0 { Err(Outcome::Draw) } else { Ok(self.n) }
    }

    #[inline(always)]
    fn nth(&mut self, k: u32) -> u16 {
        k as u16
    }

    #[inline(always)]
    fn play(&mut self, t: u16) -> Play {
        self.n -= 1;
        let last = get(&self.empty, self.n as usize);
        let s = core::mem::replace(at(&mut self.empty, t as usize), last) as usize;
        let p = get(&AT, s);
        let side = self.side;
        let stone = (side as u64 + 1) << 8;
        let mut w = [0; 4];
        for d in 0..4 {
            let line = at(&mut self.line, p.line[d] as usize);
            w[d] = *line | stone << p.shift[d];
            *line = w[d];
        }
        let quiet = Self::quiet(w, &p, &LOOK[side as usize & 1]);
        let won = !quiet && self.settle(s);
        self.side ^= 1;
        if won { Play::Over(Outcome::win(side)) } else { Play::On }
    }
}
