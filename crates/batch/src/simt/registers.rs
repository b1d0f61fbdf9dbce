//! Lane register file: a register goes in; its values come out, one for each game, eight lanes a
//! vector.

use crate::plan::{Cmp, NumReg, REGISTERS};
use crate::simd::{Chunks, Lane8, Simd, WIDE};

/// The lanes of which something holds: `gathered!(v, i => mask of chunk i)`.
macro_rules! gathered {
    ($v:expr, $i:ident => $mask:expr) => {{
        let mut all = $v.none();
        for $i in 0..K {
            let mask = $mask;
            all = $v.or(all, $v.and(mask, $v.all(1 << $i)));
        }
        LaneMask::of_bytes($v.gathered(all))
    }};
}

// Macros, not functions that take functions: what is handed to a function is not always compiled
// for the processor at hand.

/// Does the same with each word of a set, `words!(word => block)`, written out: thousands of small
/// loops take a compiler very long.
macro_rules! words {
    ($word:ident => $body:block) => {{
        {
            let $word = 0;
            $body
        }
        if W > 1 {
            let $word = 1;
            $body
        }
        if W > 2 {
            let $word = 2;
            $body
        }
        if W > 3 {
            let $word = 3;
            $body
        }
        if W > 4 {
            let $word = 4;
            $body
        }
        if W > 5 {
            let $word = 5;
            $body
        }
    }};
}

/// A set register becomes what is made of others, and of numbers, chunk by chunk: `sets!(v, file,
/// blend, d, (a = reg), (n = number) => set)`. Chunks without a lane that is meant are left out.
macro_rules! sets {
    ($v:expr, $file:expr, $blend:expr, $d:expr, ($($a:ident = $reg:expr),*), ($($n:ident = $number:expr),*) => $made:expr) => {{
        let (v, on, masks, blend) = ($v, $file.on, &$file.masks, $blend);
        $(let $n = &$file.numbers[usize::from($number.0)];)*
        let cells = std::cell::Cell::from_mut(&mut $file.sets[..]).as_slice_of_cells();
        let to: &std::cell::Cell<[Set<W>]> = &cells[usize::from($d.0)];
        let to = to.as_slice_of_cells();
        $(
            let $a: &std::cell::Cell<[Set<W>]> = &cells[usize::from($reg.0)];
            let $a = $a.as_slice_of_cells();
        )*
        for i in on.chunks() {
            $(let $n = v.load(&$n[i]);)*
            $(let $a = $crate::simt::registers::load(v, &$a[i].get());)*
            let mut made = $made;
            if blend {
                let old = $crate::simt::registers::load(v, &to[i].get());
                made = $crate::simt::registers::blend(v, &old, &made, v.load(&masks[i]));
            }
            to[i].set($crate::simt::registers::store(v, &made));
        }
    }};
}

/// [`sets!`] for what is done fast: without a look at each chunk.
macro_rules! light {
    ($v:expr, $file:expr, $blend:expr, $d:expr, ($($a:ident = $reg:expr),*), ($($n:ident = $number:expr),*) => $made:expr) => {{
        let (v, masks, chunks) = ($v, &$file.masks, $file.chunk_count());
        $(let $n = &$file.numbers[usize::from($number.0)];)*
        let cells = std::cell::Cell::from_mut(&mut $file.sets[..]).as_slice_of_cells();
        let to: &std::cell::Cell<[Set<W>]> = &cells[usize::from($d.0)];
        let to = to.as_slice_of_cells();
        $(
            let $a: &std::cell::Cell<[Set<W>]> = &cells[usize::from($reg.0)];
            let $a = $a.as_slice_of_cells();
        )*
        if $blend {
            for i in 0..chunks {
                let i = i % K;
                $(let $n = v.load(&$n[i]);)*
                $(let $a = $crate::simt::registers::load(v, &$a[i].get());)*
                let made = $made;
                let old = $crate::simt::registers::load(v, &to[i].get());
                let made = $crate::simt::registers::blend(v, &old, &made, v.load(&masks[i]));
                to[i].set($crate::simt::registers::store(v, &made));
            }
        } else {
            for i in 0..chunks {
                let i = i % K;
                $(let $n = v.load(&$n[i]);)*
                $(let $a = $crate::simt::registers::load(v, &$a[i].get());)*
                let made = $made;
                to[i].set($crate::simt::registers::store(v, &made));
            }
        }
    }};
}

/// A number register becomes what is made of sets and numbers: `numbers!(v, file, blend, d, (a =
/// reg), (n = number) => words)`.
macro_rules! numbers {
    ($v:expr, $file:expr, $blend:expr, $d:expr, ($($a:ident = $reg:expr),*), ($($n:ident = $number:expr),*) => $made:expr) => {{
        let (v, masks, chunks) = ($v, &$file.masks, $file.chunk_count());
        $(let $a = &$file.sets[usize::from($reg.0)];)*
        let cells = std::cell::Cell::from_mut(&mut $file.numbers[..]).as_slice_of_cells();
        let to: &std::cell::Cell<[Lane8]> = &cells[usize::from($d.0)];
        let to = to.as_slice_of_cells();
        $(
            let $n: &std::cell::Cell<[Lane8]> = &cells[usize::from($number.0)];
            let $n = $n.as_slice_of_cells();
        )*
        if $blend {
            for i in 0..chunks {
                let i = i % K;
                $(let $a = $crate::simt::registers::load(v, &$a[i]);)*
                $(let $n = v.load(&$n[i].get());)*
                let made = $made;
                let old = v.load(&to[i].get());
                to[i].set(v.store(v.blend(old, made, v.load(&masks[i]))));
            }
        } else {
            for i in 0..chunks {
                let i = i % K;
                $(let $a = $crate::simt::registers::load(v, &$a[i]);)*
                $(let $n = v.load(&$n[i].get());)*
                let made = $made;
                to[i].set(v.store(made));
            }
        }
    }};
}

pub(crate) use {gathered, light, numbers, sets, words};

/// A set of each of eight lanes, as it is kept, and as it is computed with.
pub type Set<const W: usize> = [Lane8; W];
pub type Cells<V, const W: usize> = [<V as Simd>::V8; W];

/// Words of a set at most: 384 cells.
pub const MOST_WORDS: usize = 6;

/// Lanes one by one, each by its chunk and its number there.
pub struct Each(u64);

impl Iterator for Each {
    type Item = (usize, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        if self.0 == 0 {
            return None;
        }
        let at = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some((at % 8, at / 8))
    }
}

/// 8 by 8 bits change places (Warren, Hacker's Delight, 7-3).
#[inline(always)]
fn crossed(mut bits: u64) -> u64 {
    if bits != 0 && bits != u64::MAX {
        for (by, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)] {
            let changed = (bits ^ bits >> by) & mask;
            bits ^= changed ^ changed << by;
        }
    }
    bits
}

/// Some lanes of a batch: a byte for each lane of a chunk, in it a bit for each chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneMask(u64);

impl LaneMask {
    pub const NONE: LaneMask = LaneMask(0);

    /// By lane, a bit for each chunk.
    #[inline(always)]
    pub fn of_bytes(bytes: u64) -> LaneMask {
        LaneMask(bytes)
    }

    /// By chunk, a bit for each lane.
    #[inline(always)]
    pub fn of_chunks(lanes: [u8; 8]) -> LaneMask {
        LaneMask(crossed(u64::from_le_bytes(lanes)))
    }

    /// The same back.
    #[inline(always)]
    pub fn by_chunk(self) -> [u8; 8] {
        crossed(self.0).to_le_bytes()
    }

    /// The lanes of these chunks.
    #[inline(always)]
    pub fn of_whole_chunks(chunks: u64) -> LaneMask {
        LaneMask(chunks * 0x0101_0101_0101_0101)
    }

    /// The chunks that it has lanes of.
    #[inline(always)]
    pub fn chunks(self) -> Chunks {
        Chunks::of_bits(self.chunk_bits())
    }

    /// The same, a bit each.
    #[inline(always)]
    pub fn chunk_bits(self) -> u64 {
        let bits = self.0 | self.0 >> 32;
        let bits = bits | bits >> 16;
        (bits | bits >> 8) & 0xff
    }

    /// Its lanes of a chunk, as a mask to compute with.
    #[inline(always)]
    pub fn lanes<V: Simd>(self, v: V, i: usize) -> V::V8 {
        let bit = v.all(1 << i);
        v.equal(v.and(v.spread(self.0), bit), bit)
    }

    /// Its lanes one by one.
    #[inline(always)]
    pub fn each(self) -> Each {
        Each(self.0)
    }

    /// So many lanes, chunk by chunk.
    pub fn first(lanes: usize) -> LaneMask {
        // Whole chunks have their bit in each byte, the next one in so many.
        let (whole, rest) = (lanes / WIDE, lanes % WIDE);
        let chunks = (1u64 << whole.min(8)) - 1;
        let bytes = (1u64 << (8 * rest)) - 1;
        LaneMask((chunks * 0x0101_0101_0101_0101) | ((0x0101_0101_0101_0101 & bytes) << whole.min(7)))
    }

    #[inline(always)]
    pub fn one(i: usize, lane: usize) -> LaneMask {
        LaneMask(1 << (lane % WIDE * 8 + i % 8))
    }

    #[inline(always)]
    pub fn add(&mut self, i: usize, lane: usize) {
        *self = self.or(LaneMask::one(i, lane));
    }

    #[inline(always)]
    pub fn drop(&mut self, i: usize, lane: usize) {
        *self = self.without(LaneMask::one(i, lane));
    }

    #[inline(always)]
    pub fn has(self, i: usize, lane: usize) -> bool {
        !self.and(LaneMask::one(i, lane)).is_empty()
    }

    #[inline(always)]
    pub fn and(self, other: LaneMask) -> LaneMask {
        LaneMask(self.0 & other.0)
    }

    #[inline(always)]
    pub fn or(self, other: LaneMask) -> LaneMask {
        LaneMask(self.0 | other.0)
    }

    #[inline(always)]
    pub fn without(self, other: LaneMask) -> LaneMask {
        LaneMask(self.0 & !other.0)
    }

    #[inline(always)]
    pub fn xor(self, other: LaneMask) -> LaneMask {
        LaneMask(self.0 ^ other.0)
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// The registers of all lanes, so many chunks each.
#[derive(Clone, Debug)]
pub struct LaneRegisters<const W: usize, const K: usize> {
    pub sets: Vec<[Set<W>; K]>,
    pub numbers: Vec<[Lane8; K]>,
    /// The lanes that an operation is for, and the same as masks to compute with.
    pub on: LaneMask,
    pub masks: [Lane8; K],
    /// `K`, read from memory: see [`LaneRegisters::chunk_count`].
    chunks: usize,
}

impl<const W: usize, const K: usize> LaneRegisters<W, K> {
    /// `spare_numbers`: number registers beside those of the program.
    pub fn new(spare_numbers: usize) -> LaneRegisters<W, K> {
        LaneRegisters {
            sets: vec![[[Lane8::NONE; W]; K]; REGISTERS + crate::simt::code::ASIDE],
            numbers: vec![[Lane8::NONE; K]; REGISTERS + spare_numbers],
            on: LaneMask::NONE,
            masks: [Lane8::NONE; K],
            chunks: K,
        }
    }

    /// How many chunks there are. Loops over chunks of one word each are written out. Of several words
    /// they are not, as the compiler does not know the number: their blocks are long enough, and
    /// written out they took half of the time to build this package.
    #[inline(always)]
    pub fn chunk_count(&self) -> usize {
        if W == 1 { K } else { self.chunks }
    }

    /// These lanes are meant by what follows.
    #[inline(always)]
    pub fn set_active<V: Simd>(&mut self, v: V, on: LaneMask) {
        if on != self.on {
            self.on = on;
            for i in 0..K {
                self.masks[i] = v.store(on.lanes(v, i));
            }
        }
    }

    /// One lane's set.
    #[inline(always)]
    pub fn get(&self, reg: usize, chunk: usize, lane: usize) -> [u64; W] {
        of_lane(&self.sets[reg][chunk], lane)
    }

    #[inline(always)]
    pub fn put(&mut self, reg: usize, chunk: usize, lane: usize, words: &[u64; W]) {
        let set = &mut self.sets[reg][chunk];
        words!(word => {
            set[word].0[lane] = words[word];
        });
    }

    #[inline(always)]
    pub fn number(&self, reg: NumReg, chunk: usize, lane: usize) -> i64 {
        self.numbers[usize::from(reg.0)][chunk].0[lane] as i64
    }

    #[inline(always)]
    pub fn put_number(&mut self, reg: NumReg, chunk: usize, lane: usize, number: i64) {
        self.numbers[usize::from(reg.0)][chunk].0[lane] = number as u64;
    }
}

/// One lane's set of a chunk.
#[inline(always)]
pub fn of_lane<const W: usize>(set: &Set<W>, lane: usize) -> [u64; W] {
    let mut words = [0; W];
    words!(word => {
        words[word] = set[word].0[lane];
    });
    words
}

#[inline(always)]
pub fn load<V: Simd, const W: usize>(v: V, set: &Set<W>) -> Cells<V, W> {
    let mut made = [v.none(); W];
    words!(word => {
        made[word] = v.load(&set[word]);
    });
    made
}

#[inline(always)]
pub fn store<V: Simd, const W: usize>(v: V, cells: &Cells<V, W>) -> Set<W> {
    let mut made = [Lane8::NONE; W];
    words!(word => {
        made[word] = v.store(cells[word]);
    });
    made
}

/// `other` in the lanes of a mask.
#[inline(always)]
pub fn blend<V: Simd, const W: usize>(v: V, a: &Cells<V, W>, other: &Cells<V, W>, mask: V::V8) -> Cells<V, W> {
    let mut made = *a;
    words!(word => {
        made[word] = v.blend(a[word], other[word], mask);
    });
    made
}

/// A chunk becomes another in some lanes.
#[inline(always)]
pub fn put<V: Simd>(v: V, chunk: &mut Lane8, other: V::V8, mask: V::V8) {
    *chunk = v.store(v.blend(v.load(chunk), other, mask));
}

/// A kept set becomes another kept one in some lanes.
#[inline(always)]
pub fn put_set<V: Simd, const W: usize>(v: V, set: &mut Set<W>, other: &Set<W>, mask: V::V8) {
    words!(word => {
        put(v, &mut set[word], v.load(&other[word]), mask);
    });
}

/// The mask of the lanes that have a cell.
#[inline(always)]
pub fn some<V: Simd, const W: usize>(v: V, a: &Cells<V, W>) -> V::V8 {
    let mut any = v.none();
    words!(word => {
        any = v.or(any, a[word]);
    });
    v.truth(any)
}

#[inline(always)]
pub fn count<V: Simd, const W: usize>(v: V, a: &Cells<V, W>) -> V::V8 {
    let mut sum = v.none();
    words!(word => {
        sum = v.add(sum, v.ones(a[word]));
    });
    sum
}

/// The mask of the lanes of whose numbers it is true.
#[inline(always)]
pub fn compared<V: Simd>(v: V, cmp: Cmp, a: V::V8, b: V::V8) -> V::V8 {
    match cmp {
        Cmp::Equal => v.equal(a, b),
        Cmp::NotEqual => v.not(v.equal(a, b)),
        Cmp::Less => v.less_signed(a, b),
        Cmp::AtMost => v.not(v.less_signed(b, a)),
        Cmp::Greater => v.less_signed(b, a),
        Cmp::AtLeast => v.not(v.less_signed(a, b)),
    }
}

/// All bits moved up, or down if `by` is negative. Of a set of one word no bit may leave it, or
/// what comes of that must not matter.
#[inline(always)]
pub fn shift<V: Simd, const W: usize>(v: V, a: &Cells<V, W>, by: i32) -> Cells<V, W> {
    if W == 1 {
        let mut made = *a;
        made[0] = v.moved(a[0], by);
        return made;
    }
    let (whole, bits) = ((by.unsigned_abs() / 64) as usize, by.unsigned_abs() % 64);
    if whole > 0 {
        return shift_far(v, a, by);
    }
    let mut made = *a;
    if by >= 0 {
        words!(word => {
            made[word] = v.up(a[word], bits);
            if bits > 0 && word > 0 {
                made[word] = v.or(made[word], v.down(a[word - 1], 64 - bits));
            }
        });
    } else {
        words!(word => {
            made[word] = v.down(a[word], bits);
            if bits > 0 && word + 1 < W {
                made[word] = v.or(made[word], v.up(a[word + 1], 64 - bits));
            }
        });
    }
    made
}

/// [`shift`] by a word and more.
#[inline(always)]
fn shift_far<V: Simd, const W: usize>(v: V, a: &Cells<V, W>, by: i32) -> Cells<V, W> {
    let (whole, bits) = ((by.unsigned_abs() / 64) as usize, by.unsigned_abs() % 64);
    let mut made = [v.none(); W];
    for word in 0..W {
        let near = if by >= 0 { word.wrapping_sub(whole) } else { word + whole };
        if near >= W {
            continue;
        }
        let far = if by >= 0 { near.wrapping_sub(1) } else { near + 1 };
        made[word] = if by >= 0 { v.up(a[near], bits) } else { v.down(a[near], bits) };
        if bits > 0 && far < W {
            let carried = if by >= 0 { v.down(a[far], 64 - bits) } else { v.up(a[far], 64 - bits) };
            made[word] = v.or(made[word], carried);
        }
    }
    made
}

/// All bits of each lane moved up by less than a word, or down in the lanes of a mask.
#[inline(always)]
pub fn shift_each<V: Simd, const W: usize>(v: V, a: &Cells<V, W>, by: V::V8, down: V::V8) -> Cells<V, W> {
    let mut made = *a;
    let rest = v.sub(v.all(63), by);
    words!(word => {
        let (mut higher, mut lower) = (v.up_each(a[word], by), v.down_each(a[word], by));
        if word > 0 {
            higher = v.or(higher, v.down_each(v.down(a[word - 1], 1), rest));
        }
        if word + 1 < W {
            lower = v.or(lower, v.up_each(v.up(a[word + 1], 1), rest));
        }
        made[word] = v.blend(higher, lower, down);
    });
    made
}

#[cfg(test)]
mod tests {
    use crate::simt::registers::*;

    #[test]
    fn lanes_are_told_by_chunk_as_they_are_by_lane() {
        let lanes = [0b1000_0001, 0, 0b0000_0110, 0xff, 0, 0b0001_0000, 1, 0b0100_0010];
        let mask = LaneMask::of_chunks(lanes);
        for (i, of_chunk) in lanes.into_iter().enumerate() {
            (0..WIDE).for_each(|lane| assert_eq!(mask.has(i, lane), of_chunk >> lane & 1 == 1, "{i} {lane}"));
        }
        assert_eq!(LaneMask::of_whole_chunks(0b1000_0010), LaneMask::of_chunks([0, 0xff, 0, 0, 0, 0, 0, 0xff]));
    }
}
