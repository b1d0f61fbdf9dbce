//! Amazons, 10x10. Occupancy is kept by lines (rows, columns and both diagonals, 58 words of ten
//! bits), so that a table gives the free way in both directions of any square on any line.
//!
//! A queen that has gone from o to d sees what any queen on d would see, except that on the line of
//! its move o is free now. So its arrows from d number the free ways from d along the three other
//! lines, and along the line of the move with o taken off. `weigh` puts these numbers, for every
//! queen and every square it reaches, into 64 bytes a queen (four lines of sixteen positions); the
//! turns are their sum, and the k-th turn is found by adding up to it.
//!
//! With AVX-512 VBMI the free ways from every square are kept up, a byte a square: each of the
//! twelve lines a turn changes spreads the change of its sixteen positions over its squares.
//! `weigh` then looks a queen's 64 places up in them at once.

use super::bits::{self, bytes, get, words};
use super::game::{Game, Outcome, Play};

const COL: usize = 10;
const DIAG: usize = 20 + 9;
const ANTI: usize = 39;

const EVEN: u64 = 0x00ff_00ff_00ff_00ff;

/// From a square (x + 10 y) to the next on the four kinds of line, in the direction of the rising
/// position.
const STEP: [i32; 4] = [1, 10, 11, -9];

/// For an occupancy and a position: free squares towards lower positions | towards higher positions
/// << 4.
static WAYS: [[u8; 16]; 1024] = {
    let mut t = [[0; 16]; 1024];
    let mut occ = 0;
    while occ < 1024 {
        let mut p = 0;
        while p < 10 {
            let mut lo = 0;
            while lo < p && occ >> (p - lo - 1) & 1 == 0 {
                lo += 1;
            }
            let mut hi = 0;
            while p + hi + 1 < 10 && occ >> (p + hi + 1) & 1 == 0 {
                hi += 1;
            }
            t[occ][p] = (lo | hi << 4) as u8;
            p += 1;
        }
        occ += 1;
    }
    t
};

/// For an occupancy and a position: free squares in both directions together.
static FREE: [[u8; 16]; 1024] = {
    let mut t = [[0; 16]; 1024];
    let mut occ = 0;
    while occ < 1024 {
        let mut p = 0;
        while p < 10 {
            t[occ][p] = (WAYS[occ][p] & 15) + (WAYS[occ][p] >> 4);
            p += 1;
        }
        occ += 1;
    }
    t
};

/// The four lines through a square, and its position on each.
static LINES: [[u8; 4]; 128] = {
    let mut t = [[0; 4]; 128];
    let mut s = 0;
    while s < 100 {
        let (x, y) = (s % 10, s / 10);
        t[s] = [y as u8, (COL + x) as u8, (DIAG + x - y) as u8, (ANTI + x + y) as u8];
        s += 1;
    }
    t
};
static POS: [[u8; 4]; 128] = {
    let mut t = [[0; 4]; 128];
    let mut s = 0;
    while s < 100 {
        let (x, y) = (s % 10, s / 10);
        t[s] = [x as u8, y as u8, x as u8, x as u8];
        s += 1;
    }
    t
};

/// For a square, the squares on the four lines through it: sixteen positions a line (127: none
/// there).
#[repr(align(64))]
struct Dest([[u8; 64]; 128]);
static DEST: Dest = Dest({
    let mut t = [[127; 64]; 128];
    let mut s = 0;
    while s < 100 {
        let mut d = 0;
        while d < 100 {
            let mut k = 0;
            while k < 4 {
                if LINES[s][k] == LINES[d][k] {
                    t[s][k * 16 + POS[d][k] as usize] = d as u8;
                }
                k += 1;
            }
            d += 1;
        }
        s += 1;
    }
    t
});

#[derive(Clone)]
pub struct Amazons {
    /// Occupied squares by line: rows (bit x), columns (bit y), diagonals x - y and x + y (bit x;
    /// off-board bits set).
    line: [u16; 58],
    queens: [[u8; 4]; 2],
    side: u8,
    /// Empty in the portable build.
    #[allow(dead_code)]
    layers: layers::Layers,
    /// From `weigh`: arrows by queen and place, and their sums by eight places.
    weight: [Places; 4],
    sums: [[u64; 2]; 4],
    /// The turns of the first queen, the first two, the first three.
    upto: [u32; 3],
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Places([u8; 64]);

#[derive(Clone, Copy)]
pub struct Turn {
    queen: u8,
    to: u8,
    arrow: u8,
}

/// Row of a table by the occupancy of a line.
#[inline(always)]
fn row(t: &[[u8; 16]; 1024], occ: u16) -> &[u8; 16] {
    debug_assert!(occ < 1024);
    // SAFETY: occupancies have ten bits.
    unsafe { t.get_unchecked(occ as usize) }
}

#[cfg(all(target_feature = "avx512vbmi", target_feature = "avx512bw", target_feature = "avx512vl"))]
mod layers {
    use super::*;
    use core::arch::x86_64::*;

    /// The free ways from every square along all four lines; 128 more where the square is occupied
    /// (or none).
    #[derive(Clone)]
    #[repr(align(64))]
    pub struct Layers([u8; 128]);

    /// The position of every square on its row and diagonals, and on its column.
    #[repr(align(64))]
    struct Order([[u8; 128]; 2]);
    static ORDER: Order = Order({
        let mut t = [[0; 128]; 2];
        let mut s = 0;
        while s < 100 {
            t[0][s] = (s % 10) as u8;
            t[1][s] = (s / 10) as u8;
            s += 1;
        }
        t
    });
    /// The squares of each line.
    static ON: [[u64; 2]; 64] = {
        let mut t = [[0; 2]; 64];
        let mut s = 0;
        while s < 100 {
            let mut k = 0;
            while k < 4 {
                t[LINES[s][k] as usize][s / 64] |= 1 << (s % 64);
                k += 1;
            }
            s += 1;
        }
        t
    };

    impl Layers {
        pub fn new(line: &[u16; 58]) -> Layers {
            let mut l = Layers([128; 128]);
            for s in 0..100 {
                l.0[s] = if line[s / 10] >> (s % 10) & 1 != 0 { 128 } else { 0 };
                for k in 0..4 {
                    l.0[s] += row(&FREE, line[LINES[s][k] as usize])[POS[s][k] as usize];
                }
            }
            l
        }
    }

    #[inline(always)]
    unsafe fn load(occ: u16) -> __m128i {
        unsafe { _mm_loadu_si128(row(&FREE, occ).as_ptr() as *const __m128i) }
    }

    /// Turns squares from free to occupied or back.
    #[inline(always)]
    pub fn toggle<const N: usize>(g: &mut Amazons, squares: [usize; N]) {
        // SAFETY: compiled only where the target has these instructions; all loads are inside their
        // tables.
        unsafe {
            let at = g.layers.0.as_mut_ptr() as *mut __m512i;
            let (mut lo, mut hi) = (_mm512_load_si512(at), _mm512_load_si512(at.add(1)));
            let order = ORDER.0.as_ptr() as *const __m512i;
            let x = (_mm512_load_si512(order), _mm512_load_si512(order.add(1)));
            let y = (_mm512_load_si512(order.add(2)), _mm512_load_si512(order.add(3)));
            let flag = _mm512_set1_epi8(-128);
            for s in squares {
                let (lines, pos) = (get(&LINES, s), get(&POS, s));
                for k in 0..4 {
                    let l = lines[k] as usize;
                    let word = bits::at(&mut g.line, l);
                    let old = *word;
                    let new = old ^ 1 << (pos[k] & 15);
                    *word = new;
                    let change = _mm512_broadcast_i32x4(_mm_sub_epi8(load(new), load(old)));
                    let o = if k == 1 { y } else { x };
                    let on = get(&ON, l);
                    lo = _mm512_add_epi8(lo, _mm512_maskz_permutexvar_epi8(on[0], o.0, change));
                    hi = _mm512_add_epi8(hi, _mm512_maskz_permutexvar_epi8(on[1], o.1, change));
                }
                let bit = 1u128 << (s & 127);
                lo = _mm512_mask_add_epi8(lo, bit as u64, lo, flag);
                hi = _mm512_mask_add_epi8(hi, (bit >> 64) as u64, hi, flag);
            }
            _mm512_store_si512(at, lo);
            _mm512_store_si512(at.add(1), hi);
        }
    }

    #[inline(always)]
    pub fn weigh(g: &mut Amazons) -> u32 {
        // SAFETY: compiled only where the target has these instructions; all loads are inside their
        // tables.
        unsafe {
            let at = g.layers.0.as_ptr() as *const __m512i;
            let (lo, hi) = (_mm512_load_si512(at), _mm512_load_si512(at.add(1)));
            let zero = _mm512_setzero_si512();
            let mut n = [0; 4];
            let queens = g.queens[g.side as usize & 1];
            for q in 0..4 {
                let s = queens[q] as usize;
                let places = _mm512_load_si512(get_ref(&DEST.0, s).as_ptr() as *const __m512i);
                let all = _mm512_permutex2var_epi8(lo, places, hi);
                let (lines, pos) = (get(&LINES, s), get(&POS, s));
                // What taking the queen off its square adds along each line: nothing where it
                // cannot go, but for the men that stand in its way.
                let more = |k: usize| {
                    let occ = get(&g.line, lines[k] as usize);
                    _mm_sub_epi8(load(occ ^ 1 << (pos[k] & 15)), load(occ))
                };
                let v = _mm512_castsi128_si512(more(0));
                let v = _mm512_inserti32x4::<1>(v, more(1));
                let v = _mm512_inserti32x4::<2>(v, more(2));
                let v = _mm512_inserti32x4::<3>(v, more(3));
                let reached = _mm512_test_epi8_mask(v, v) & !_mm512_movepi8_mask(all);
                let w = _mm512_maskz_add_epi8(reached, all, v);
                _mm512_store_si512(g.weight[q].0.as_mut_ptr() as *mut __m512i, w);
                let s = _mm512_cvtepi64_epi16(_mm512_sad_epu8(w, zero));
                g.sums[q] = [_mm_cvtsi128_si64(s) as u64, _mm_extract_epi64::<1>(s) as u64];
                n[q] = bits::words::total(g.sums[q][0] + g.sums[q][1]);
            }
            g.upto = [n[0], n[0] + n[1], n[0] + n[1] + n[2]];
            n[0] + n[1] + n[2] + n[3]
        }
    }

    #[inline(always)]
    fn get_ref<T>(t: &[T], i: usize) -> &T {
        debug_assert!(i < t.len());
        // SAFETY: squares are below 128.
        unsafe { t.get_unchecked(i) }
    }
}

#[cfg(not(all(target_feature = "avx512vbmi", target_feature = "avx512bw", target_feature = "avx512vl")))]
mod layers {
    use super::*;

    /// For a pair of ways: the squares reached, with the position itself (a zero) after those
    /// towards lower positions.
    static REACH: [u16; 256] = {
        let mut t = [0; 256];
        let mut w = 0;
        while w < 256 {
            let (lo, hi) = (w & 15, w >> 4);
            if lo + hi < 10 {
                t[w] = ((1 << lo) - 1) | ((1 << hi) - 1) << (lo + 1);
            }
            w += 1;
        }
        t
    };

    #[derive(Clone)]
    pub struct Layers;

    impl Layers {
        pub fn new(_: &[u16; 58]) -> Layers {
            Layers
        }
    }

    #[inline(always)]
    pub fn toggle<const N: usize>(g: &mut Amazons, squares: [usize; N]) {
        for s in squares {
            for k in 0..4 {
                *bits::at(&mut g.line, LINES[s & 127][k] as usize) ^= 1 << (POS[s & 127][k] & 15);
            }
        }
    }

    #[inline(always)]
    pub fn weigh(g: &mut Amazons) -> u32 {
        let mut all = [0; 4];
        for q in 0..4 {
            let s = g.queens[g.side as usize & 1][q] as usize & 127;
            let mut mask = 0u64;
            let mut extra = [[0u8; 2]; 4];
            for k in 0..4 {
                let p = POS[s][k] as usize & 15;
                let w = row(&WAYS, get(&g.line, LINES[s][k] as usize))[p];
                // Beyond the square left: that square and the way behind it.
                extra[k] = [1 + (w >> 4), 1 + (w & 15)];
                mask |= ((REACH[w as usize] as u64) << (p as u32 - (w as u32 & 15))) << (16 * k);
            }
            g.weight[q].0 = [0; 64];
            for i in bits::each(mask) {
                let i = i as usize;
                let d = DEST.0[s][i] as usize & 127;
                let mut n = extra[i >> 4][(i as u8 & 15 > POS[s][i >> 4]) as usize];
                for k in 0..4 {
                    n += row(&FREE, get(&g.line, LINES[d][k] as usize))[POS[d][k] as usize & 15];
                }
                g.weight[q].0[i] = n;
            }
            g.sums[q] = [0; 2];
            for i in 0..8 {
                let s: u16 = g.weight[q].0[i * 8..][..8].iter().map(|&b| b as u16).sum();
                g.sums[q][i >> 2] |= (s as u64) << (16 * (i & 3));
            }
            all[q] = bits::words::total(g.sums[q][0] + g.sums[q][1]);
        }
        g.upto = [all[0], all[0] + all[1], all[0] + all[1] + all[2]];
        all[0] + all[1] + all[2] + all[3]
    }
}

impl Game for Amazons {
    type Turn = Turn;

    fn start() -> Self {
        let mut line = [0u16; 58];
        for l in 0..19 {
            for x in 0..10 {
                // Diagonal l holds x - y = l - 9, antidiagonal l holds x + y = l.
                if !(0..10).contains(&(x + 9 - l)) {
                    line[20 + l as usize] |= 1 << x;
                }
                if !(0..10).contains(&(l - x)) {
                    line[39 + l as usize] |= 1 << x;
                }
            }
        }
        let s = |x: u8, y: u8| x + (y - 1) * 10;
        let queens = [[s(0, 4), s(3, 1), s(6, 1), s(9, 4)], [s(0, 7), s(3, 10), s(6, 10), s(9, 7)]];
        for s in queens.as_flattened() {
            for k in 0..4 {
                line[LINES[*s as usize][k] as usize] ^= 1 << POS[*s as usize][k];
            }
        }
        Amazons {
            line,
            queens,
            side: 0,
            layers: layers::Layers::new(&line),
            weight: [Places([0; 64]); 4],
            sums: [[0; 2]; 4],
            upto: [0; 3],
        }
    }

    #[inline(always)]
    fn count(&mut self) -> Result<u32, Outcome> {
        let n = layers::weigh(self);
        if n == 0 { Err(Outcome::win(self.side ^ 1)) } else { Ok(n) }
    }

    #[inline(always)]
    fn nth(&mut self, mut k: u32) -> Turn {
        let [a, b, c] = self.upto;
        let q = (k >= a) as usize + (k >= b) as usize + (k >= c) as usize;
        k -= [0, a, b, c][q];
        // Which eight places, which two of them, which of the two.
        let n = words::total(self.sums[q][0]);
        let half = (k >= n) as usize;
        let (four, left) = words::find(words::prefix(self.sums[q][half]), k - n * half as u32);
        let eight = (four | half << 2) & 7;
        let w = u64::from_le_bytes(self.weight[q].0[eight * 8..][..8].try_into().unwrap());
        let (two, left) = words::find(words::prefix((w & EVEN) + (w >> 8 & EVEN)), left);
        let first = (w >> (16 * two) & 255) as u32;
        let odd = (left >= first) as usize;
        let k = left - first * odd as u32;
        let place = eight * 8 + two * 2 + odd;
        let from = self.queens[self.side as usize & 1][q] as usize & 127;
        let to = DEST.0[from][place] as usize & 127;
        let line = place >> 4;
        let away = 1u64 << (16 * line) << (POS[from][line] & 15);
        let mut w = 0u64;
        for k in 0..4 {
            let occ = get(&self.line, LINES[to][k] as usize) ^ (away >> (16 * k)) as u16;
            w |= (row(&WAYS, occ)[POS[to][k] as usize & 15] as u64) << (16 * k);
        }
        // One way a byte: back and forth on each of the four lines.
        let w = w & 0x000f_000f_000f_000f | (w & 0x00f0_00f0_00f0_00f0) << 4;
        let (ray, left) = bytes::find(bytes::prefix(w), k);
        let n = (left as i32 + 1) * if ray & 1 == 0 { -1 } else { 1 };
        let arrow = (to as i32 + STEP[ray >> 1 & 3] * n) as u8;
        Turn { queen: q as u8, to: to as u8, arrow }
    }

    #[inline(always)]
    fn play(&mut self, t: Turn) -> Play {
        let q = &mut self.queens[self.side as usize & 1][t.queen as usize & 3];
        let from = *q as usize;
        *q = t.to;
        layers::toggle(self, [from, t.to as usize, t.arrow as usize]);
        self.side ^= 1;
        Play::On
    }
}
