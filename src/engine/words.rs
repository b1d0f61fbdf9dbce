//! Sets of cells of a fixed number of words: the arithmetic that everything else is made of.

use crate::ir::{Bits, Hop};

/// A set of cells.
pub type Words<const W: usize> = [u64; W];

#[inline(always)]
pub fn zip<const W: usize>(a: &Words<W>, b: &Words<W>, f: impl Fn(u64, u64) -> u64) -> Words<W> {
    // A loop: what is handed to a function of the library is not always compiled for the processor at hand.
    let mut made = *a;
    for (made, b) in made.iter_mut().zip(b) {
        *made = f(*made, *b);
    }
    made
}

#[inline(always)]
pub fn and<const W: usize>(a: &Words<W>, b: &Words<W>) -> Words<W> {
    zip(a, b, |a, b| a & b)
}

#[inline(always)]
pub fn or<const W: usize>(a: &Words<W>, b: &Words<W>) -> Words<W> {
    zip(a, b, |a, b| a | b)
}

#[inline(always)]
pub fn without<const W: usize>(a: &Words<W>, b: &Words<W>) -> Words<W> {
    zip(a, b, |a, b| a & !b)
}

#[inline(always)]
pub fn is_empty<const W: usize>(a: &Words<W>) -> bool {
    let mut all = 0;
    for word in a {
        all |= word;
    }
    all == 0
}

#[inline(always)]
pub fn meets<const W: usize>(a: &Words<W>, b: &Words<W>) -> bool {
    !is_empty(&and(a, b))
}

#[inline(always)]
pub fn count<const W: usize>(a: &Words<W>) -> u32 {
    // A loop: what is handed to an iterator is not compiled for the processor at hand.
    let mut count = 0;
    for word in a {
        count += word.count_ones();
    }
    count
}

/// The lowest bit's number; the set must not be empty.
#[inline(always)]
pub fn lowest<const W: usize>(a: &Words<W>) -> usize {
    let mut at = 0;
    while at + 1 < W && a[at] == 0 {
        at += 1;
    }
    at * 64 + a[at].trailing_zeros() as usize % 64
}

#[inline(always)]
pub fn bit<const W: usize>(at: usize) -> Words<W> {
    let mut set = [0; W];
    if let Some(word) = set.get_mut(at / 64) {
        *word = 1 << (at % 64);
    }
    set
}

/// The k-th member from 0; there must be more than `k`.
#[inline(always)]
pub fn nth<const W: usize>(a: &Words<W>, k: u32) -> Words<W> {
    let mut left = k;
    let mut set = [0; W];
    for i in 0..W {
        let here = a[i].count_ones();
        if left < here || i + 1 == W {
            set[i] = nth_bit(a[i], left);
            return set;
        }
        left -= here;
    }
    set
}

/// The k-th bit of a word, alone: bytes by their prefix counts, then bit by bit within the byte.
#[inline(always)]
pub fn nth_bit(word: u64, k: u32) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    if word == 0 {
        return 0;
    }
    let mut sums = word - ((word >> 1) & 0x5555_5555_5555_5555);
    sums = (sums & 0x3333_3333_3333_3333) + ((sums >> 2) & 0x3333_3333_3333_3333);
    sums = ((sums + (sums >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    let above = (sums | HIGH).wrapping_sub((u64::from(k) + 1).wrapping_mul(ONES)) & HIGH;
    let at = above.trailing_zeros() & 56;
    let before = (sums << 8) >> at & 255;
    let byte = (word >> at & 255) as usize;
    u64::from(NTH_OF_BYTE[byte][(u64::from(k).wrapping_sub(before) & 7) as usize]) << at
}

/// By byte and number: the bit of that number among the byte's bits, alone.
static NTH_OF_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut number) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][number] = 1 << bit;
                number += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// All bits moved up, or down if `by` is negative.
#[inline(always)]
pub fn shift<const W: usize>(a: &Words<W>, by: i32) -> Words<W> {
    if W == 1 {
        let mut set = [0; W];
        set[0] = if by >= 0 { a[0] << (by & 63) } else { a[0] >> (-by & 63) };
        return set;
    }
    // Nearly always: less than a word, up or down.
    if (1..64).contains(&by) {
        let (up, down) = (by as u32, 64 - by as u32);
        let (mut made, mut carried) = ([0; W], 0);
        for (made, &word) in made.iter_mut().zip(a) {
            *made = word << up | carried;
            carried = word >> down;
        }
        return made;
    }
    if (-63..0).contains(&by) {
        let (down, up) = (by.unsigned_abs(), 64 - by.unsigned_abs());
        let (mut made, mut carried) = ([0; W], 0);
        for (made, &word) in made.iter_mut().zip(a).rev() {
            *made = word >> down | carried;
            carried = word << up;
        }
        return made;
    }
    let (whole, bits) = ((by.unsigned_abs() / 64) as usize, by.unsigned_abs() % 64);
    let get = |i: usize| if i < W { a[i] } else { 0 };
    std::array::from_fn(|i| {
        if by >= 0 {
            let high = if i >= whole { get(i - whole) } else { 0 };
            let low = if i > whole { get(i - whole - 1) } else { 0 };
            if bits == 0 { high } else { high << bits | low >> (64 - bits) }
        } else {
            let (low, high) = (get(i + whole), get(i + whole + 1));
            if bits == 0 { low } else { low >> bits | high << (64 - bits) }
        }
    })
}

#[inline(always)]
pub fn of<const W: usize>(bits: &Bits) -> Words<W> {
    std::array::from_fn(|i| bits.0[i])
}

/// A hop for sets of this width.
#[derive(Clone, Copy, Debug)]
pub struct Step<const W: usize> {
    pub from: Words<W>,
    pub to: Words<W>,
    pub by: i32,
}

impl<const W: usize> Step<W> {
    pub fn new(hop: &Hop) -> Step<W> {
        Step { from: of(&hop.from), to: of(&hop.to), by: hop.by }
    }

    #[inline(always)]
    pub fn of(&self, a: &Words<W>) -> Words<W> {
        let movable = and(a, &self.from);
        if W == 1 {
            // No bit that can be moved leaves the word, so turning it is moving it.
            return movable.map(|word| word.rotate_left(self.by as u32 & 63));
        }
        shift(&movable, self.by)
    }
}
