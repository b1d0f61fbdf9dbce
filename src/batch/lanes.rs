//! Registers of many games side by side: a lane a game, eight lanes a chunk.

use crate::ir::{N, REGISTERS};

/// Lanes of a chunk: as many words as the widest vector register of today has.
pub const WIDE: usize = 8;

/// A chunk made of others, lane by lane: `lanewise!(a = chunk, b = chunk => word)`.
macro_rules! lanewise {
    ($($a:ident = $chunk:expr),* => $made:expr) => {{
        $(let $a = &$chunk;)*
        let mut made = Chunk::NONE;
        for lane in 0..$crate::batch::lanes::WIDE {
            $(let $a = $a.0[lane];)*
            made.0[lane] = $made;
        }
        made
    }};
}

/// Some of a chunk's lanes of which something holds: `holds!(among, a = chunk, b = chunk => truth)`.
macro_rules! holds {
    ($among:expr, $($a:ident = $chunk:expr),* => $holds:expr) => {{
        $(let $a = &$chunk;)*
        let bits = &$crate::batch::lanes::BITS[usize::from($among)];
        let mut found = Chunk::NONE;
        for lane in 0..$crate::batch::lanes::WIDE {
            $(let $a = $a.0[lane];)*
            // No condition, which would become a jump for each lane.
            found.0[lane] = u64::from($holds).wrapping_neg() & bits.0[lane];
        }
        let mut all = 0;
        for lane in 0..$crate::batch::lanes::WIDE {
            all |= found.0[lane];
        }
        all as u8
    }};
}

/// The lanes of which something holds: `gathered!(i => truth of chunk i)`, all bits or none for each lane. Only what becomes of all chunks is
/// made a word of.
macro_rules! gathered {
    ($i:ident => $truth:expr) => {{
        let mut all = Chunk::NONE;
        for $i in 0..K {
            let truth: &Chunk = &$truth;
            for lane in 0..$crate::batch::lanes::WIDE {
                all.0[lane] |= truth.0[lane] & 1 << lane << (8 * $i);
            }
        }
        let mut word = 0;
        for lane in 0..$crate::batch::lanes::WIDE {
            word |= all.0[lane];
        }
        Mask::of(word)
    }};
}

// Macros, not functions that take functions: what is handed to a function is not always compiled for the processor at hand.

/// A set register becomes what is made of others, and of numbers, chunk by chunk: `sets!(file, on, blend, d, (a = reg), (n = number) => set)`.
macro_rules! sets {
    ($file:expr, $on:expr, $blend:expr, $d:expr, ($($a:ident = $reg:expr),*), ($($n:ident = $number:expr),*) => $made:expr) => {{
        let (on, blend) = ($on, $blend);
        $(let $n = &$file.numbers[usize::from($number.0)];)*
        let cells = std::cell::Cell::from_mut(&mut $file.sets[..]).as_slice_of_cells();
        let to: &std::cell::Cell<[[Chunk; W]]> = &cells[usize::from($d.0)];
        let to = to.as_slice_of_cells();
        $(
            let $a: &std::cell::Cell<[[Chunk; W]]> = &cells[usize::from($reg.0)];
            let $a = $a.as_slice_of_cells();
        )*
        for i in 0..K {
            let here = on.chunk(i);
            if here == 0 {
                continue;
            }
            let made = {
                $(let $n = &$n[i];)*
                $(let $a = &$a[i].get();)*
                $made
            };
            to[i].set(if blend { $crate::batch::lanes::blend(&to[i].get(), &made, &Chunk::of(here)) } else { made });
        }
    }};
}

/// [`sets!`] for what is done fast: without a look at each chunk.
macro_rules! light {
    ($file:expr, $on:expr, $blend:expr, $d:expr, ($($a:ident = $reg:expr),*), ($($n:ident = $number:expr),*) => $made:expr) => {{
        let on = $on;
        $(let $n = &$file.numbers[usize::from($number.0)];)*
        let cells = std::cell::Cell::from_mut(&mut $file.sets[..]).as_slice_of_cells();
        let to: &std::cell::Cell<[[Chunk; W]]> = &cells[usize::from($d.0)];
        let to = to.as_slice_of_cells();
        $(
            let $a: &std::cell::Cell<[[Chunk; W]]> = &cells[usize::from($reg.0)];
            let $a = $a.as_slice_of_cells();
        )*
        if $blend {
            for i in 0..K {
                let made = {
                    $(let $n = &$n[i];)*
                    $(let $a = &$a[i].get();)*
                    $made
                };
                to[i].set($crate::batch::lanes::blend(&to[i].get(), &made, &Chunk::of(on.chunk(i))));
            }
        } else {
            for i in 0..K {
                $(let $n = &$n[i];)*
                $(let $a = &$a[i].get();)*
                to[i].set($made);
            }
        }
    }};
}

/// A number register becomes what is made of sets and numbers: `numbers!(file, on, d, (a = reg), (n = number) => chunk)`.
macro_rules! numbers {
    ($file:expr, $on:expr, $d:expr, ($($a:ident = $reg:expr),*), ($($n:ident = $number:expr),*) => $made:expr) => {{
        let on = $on;
        $(let $a = &$file.sets[usize::from($reg.0)];)*
        let cells = std::cell::Cell::from_mut(&mut $file.numbers[..]).as_slice_of_cells();
        let to: &std::cell::Cell<[Chunk]> = &cells[usize::from($d.0)];
        let to = to.as_slice_of_cells();
        $(
            let $n: &std::cell::Cell<[Chunk]> = &cells[usize::from($number.0)];
            let $n = $n.as_slice_of_cells();
        )*
        for i in 0..K {
            let made = {
                $(let $a = &$a[i];)*
                $(let $n = &$n[i].get();)*
                $made
            };
            to[i].set(to[i].get().blend(&made, &Chunk::of(on.chunk(i))));
        }
    }};
}

/// A word of each of eight lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct Chunk(pub [u64; WIDE]);

/// A set of each of eight lanes.
pub type Set<const W: usize> = [Chunk; W];

impl Chunk {
    pub const ALL: Chunk = Chunk([u64::MAX; WIDE]);
    pub const NONE: Chunk = Chunk([0; WIDE]);

    #[inline(always)]
    pub fn all(word: u64) -> Chunk {
        Chunk([word; WIDE])
    }

    #[inline(always)]
    pub fn and(&self, other: &Chunk) -> Chunk {
        let mut made = Chunk::NONE;
        for lane in 0..WIDE {
            made.0[lane] = self.0[lane] & other.0[lane];
        }
        made
    }

    #[inline(always)]
    pub fn or(&self, other: &Chunk) -> Chunk {
        let mut made = Chunk::NONE;
        for lane in 0..WIDE {
            made.0[lane] = self.0[lane] | other.0[lane];
        }
        made
    }

    #[inline(always)]
    pub fn without(&self, other: &Chunk) -> Chunk {
        let mut made = Chunk::NONE;
        for lane in 0..WIDE {
            made.0[lane] = self.0[lane] & !other.0[lane];
        }
        made
    }

    #[inline(always)]
    pub fn up(&self, bits: u32) -> Chunk {
        let mut made = Chunk::NONE;
        for lane in 0..WIDE {
            made.0[lane] = self.0[lane] << (bits & 63);
        }
        made
    }

    #[inline(always)]
    pub fn down(&self, bits: u32) -> Chunk {
        let mut made = Chunk::NONE;
        for lane in 0..WIDE {
            made.0[lane] = self.0[lane] >> (bits & 63);
        }
        made
    }

    /// All bits of the lanes that are not 0.
    #[inline(always)]
    pub fn truth(&self) -> Chunk {
        let mut made = Chunk::NONE;
        for lane in 0..WIDE {
            made.0[lane] = if self.0[lane] != 0 { u64::MAX } else { 0 };
        }
        made
    }

    /// `other` in the lanes of a mask.
    #[inline(always)]
    pub fn blend(&self, other: &Chunk, mask: &Chunk) -> Chunk {
        let mut made = Chunk::NONE;
        for lane in 0..WIDE {
            made.0[lane] = self.0[lane] & !mask.0[lane] | other.0[lane] & mask.0[lane];
        }
        made
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        let mut any = 0;
        for lane in 0..WIDE {
            any |= self.0[lane];
        }
        any == 0
    }

    /// All bits in the lanes of a byte, a bit a lane.
    #[inline(always)]
    pub fn of(lanes: u8) -> Chunk {
        MASKS[usize::from(lanes)]
    }

    /// A bit for each of some lanes that is not 0.
    #[inline(always)]
    pub fn bits(&self, among: u8) -> u8 {
        holds!(among, word = *self => word != 0)
    }
}

/// By lanes: all bits in each of them. Processors load a chunk faster than they make it of a byte.
static MASKS: [Chunk; 256] = by_lanes(false);
/// By lanes: in each of them its bit of a byte.
pub static BITS: [Chunk; 256] = by_lanes(true);

const fn by_lanes(bits: bool) -> [Chunk; 256] {
    let mut all = [Chunk::NONE; 256];
    let mut at = 0;
    while at < 256 * WIDE {
        let (lanes, lane) = (at / WIDE, at % WIDE);
        if lanes >> lane & 1 == 1 {
            all[lanes].0[lane] = if bits { 1 << lane } else { u64::MAX };
        }
        at += 1;
    }
    all
}

/// The numbers of the lanes of a byte, from the first on.
pub struct Ones(pub u8);

impl Iterator for Ones {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lane = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(lane % WIDE)
    }
}

/// Some lanes of a batch: a bit a lane, eight for each chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mask(u64);

impl Mask {
    pub const NONE: Mask = Mask(0);

    #[inline(always)]
    pub fn of(word: u64) -> Mask {
        Mask(word)
    }

    #[inline(always)]
    pub fn chunk(&self, i: usize) -> u8 {
        (self.0 >> (8 * i)) as u8
    }

    /// Takes lanes of a chunk in.
    #[inline(always)]
    pub fn add(&mut self, i: usize, lanes: u8) {
        self.0 |= u64::from(lanes) << (8 * i);
    }

    /// Takes lanes of a chunk out.
    #[inline(always)]
    pub fn drop(&mut self, i: usize, lanes: u8) {
        self.0 &= !(u64::from(lanes) << (8 * i));
    }

    #[inline(always)]
    pub fn has(&self, i: usize, lane: usize) -> bool {
        self.chunk(i) >> (lane % WIDE) & 1 == 1
    }

    #[inline(always)]
    pub fn and(self, other: Mask) -> Mask {
        Mask(self.0 & other.0)
    }

    #[inline(always)]
    pub fn or(self, other: Mask) -> Mask {
        Mask(self.0 | other.0)
    }

    #[inline(always)]
    pub fn without(self, other: Mask) -> Mask {
        Mask(self.0 & !other.0)
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
pub struct File<const W: usize, const K: usize> {
    pub sets: Vec<[Set<W>; K]>,
    pub numbers: Vec<[Chunk; K]>,
}

impl<const W: usize, const K: usize> File<W, K> {
    pub fn new() -> File<W, K> {
        File { sets: vec![[[Chunk::NONE; W]; K]; REGISTERS + super::program::ASIDE], numbers: vec![[Chunk::NONE; K]; REGISTERS] }
    }

    /// One lane's set.
    #[inline(always)]
    pub fn get(&self, reg: usize, chunk: usize, lane: usize) -> [u64; W] {
        let set = &self.sets[reg][chunk];
        let mut words = [0; W];
        for word in 0..W {
            words[word] = set[word].0[lane];
        }
        words
    }

    #[inline(always)]
    pub fn put(&mut self, reg: usize, chunk: usize, lane: usize, words: &[u64; W]) {
        let set = &mut self.sets[reg][chunk];
        for word in 0..W {
            set[word].0[lane] = words[word];
        }
    }

    #[inline(always)]
    pub fn number(&self, reg: N, chunk: usize, lane: usize) -> i64 {
        self.numbers[usize::from(reg.0)][chunk].0[lane] as i64
    }

    #[inline(always)]
    pub fn put_number(&mut self, reg: N, chunk: usize, lane: usize, number: i64) {
        self.numbers[usize::from(reg.0)][chunk].0[lane] = number as u64;
    }
}

pub(super) use {gathered, holds, lanewise, light, numbers, sets};

/// `other` in the lanes of a mask.
#[inline(always)]
pub fn blend<const W: usize>(a: &Set<W>, other: &Set<W>, mask: &Chunk) -> Set<W> {
    let mut made = *a;
    for word in 0..W {
        made[word] = a[word].blend(&other[word], mask);
    }
    made
}

/// All bits of the lanes that have a cell.
#[inline(always)]
pub fn some<const W: usize>(a: &Set<W>) -> Chunk {
    let mut any = Chunk::NONE;
    for word in 0..W {
        any = any.or(&a[word]);
    }
    any.truth()
}

#[inline(always)]
pub fn count<const W: usize>(a: &Set<W>) -> Chunk {
    let mut sum = Chunk::NONE;
    for word in 0..W {
        for lane in 0..WIDE {
            sum.0[lane] += u64::from(a[word].0[lane].count_ones());
        }
    }
    sum
}

/// The k-th cell of each lane's set, alone; there must be more than so many.
#[inline(always)]
pub fn nth<const W: usize>(a: &Set<W>, k: &Chunk) -> Set<W> {
    let (mut left, mut bits, mut open) = (*k, a[W - 1], Chunk::ALL);
    let mut here = [Chunk::NONE; W];
    for word in 0..W {
        if word + 1 == W {
            here[word] = open;
            bits = bits.blend(&a[word], &open);
            break;
        }
        let count = lanewise!(word = a[word] => u64::from(word.count_ones()));
        let inside = lanewise!(left = left, count = count, open = open => if left < count { open } else { 0 });
        here[word] = inside;
        bits = bits.blend(&a[word], &inside);
        open = open.without(&inside);
        left = lanewise!(left = left, count = count.and(&open) => left.wrapping_sub(count));
    }
    let mut at = Chunk::NONE;
    for half in [32u64, 16, 8, 4, 2, 1] {
        let low = (1u64 << half) - 1;
        let count = lanewise!(bits = bits => u64::from((bits & low).count_ones()));
        let above = lanewise!(left = left, count = count => if left >= count { u64::MAX } else { 0 });
        left = lanewise!(left = left, count = count.and(&above) => left.wrapping_sub(count));
        bits = lanewise!(bits = bits, above = above => bits >> (above & half));
        at = lanewise!(at = at, above = above => at + (above & half));
    }
    let mut made = [Chunk::NONE; W];
    for word in 0..W {
        made[word] = lanewise!(here = here[word], at = at => (1 << (at & 63)) & here);
    }
    made
}

/// All bits moved up, or down if `by` is negative.
#[inline(always)]
pub fn shift<const W: usize>(a: &Set<W>, by: i32) -> Set<W> {
    let (whole, bits) = ((by.unsigned_abs() / 64) as usize, by.unsigned_abs() % 64);
    let mut made = [Chunk::NONE; W];
    if W == 1 {
        if whole > 0 {
            return made;
        }
        made[0] = if by >= 0 { a[0].up(bits) } else { a[0].down(bits) };
        return made;
    }
    for word in 0..W {
        let near = if by >= 0 { word.checked_sub(whole) } else { Some(word + whole) };
        let Some(near) = near.filter(|&near| near < W) else { continue };
        let far = if by >= 0 { near.checked_sub(1) } else { Some(near + 1).filter(|&far| far < W) };
        made[word] = if by >= 0 { a[near].up(bits) } else { a[near].down(bits) };
        if let (Some(far), true) = (far, bits > 0) {
            let carried = if by >= 0 { a[far].down(64 - bits) } else { a[far].up(64 - bits) };
            made[word] = made[word].or(&carried);
        }
    }
    made
}
