//! Bit selection: sets and an index for each lane go in; the bit of the cell with that index comes
//! out.

use std::mem::offset_of;

use crate::simd::{Chunks, Lane8, Simd};
use crate::simt::registers::{Cells, Set, words};

/// The cells that are sought, by their numbers in sets.
#[derive(Clone, Copy, Debug)]
pub struct Sought<const W: usize, const K: usize> {
    /// The word that each lane's cell is in, and its number among the bits of that.
    words: [Lane8; K],
    k: [Lane8; K],
    /// How many cells the sets have up to the end of each word.
    upto: [Set<W>; K],
    /// By word of a set, the mask of the lanes whose cell is there.
    pub here: [Set<W>; K],
    /// What was found: each lane's bit.
    pub bits: [Lane8; K],
}

/// Where machine code finds what a chunk seeks, in bytes: words, numbers and bits by chunk, masks by
/// set.
#[derive(Clone, Copy, Debug, Default)]
pub struct SoughtOffsets {
    pub words: usize,
    pub numbers: usize,
    pub here: usize,
    pub bits: usize,
}

impl<const W: usize, const K: usize> Sought<W, K> {
    pub const OFFSETS: SoughtOffsets = SoughtOffsets {
        words: offset_of!(Self, words),
        numbers: offset_of!(Self, k),
        here: offset_of!(Self, here),
        bits: offset_of!(Self, bits),
    };

    const NO: [Lane8; K] = [Lane8::NONE; K];
    const NO_SETS: [Set<W>; K] = [[Lane8::NONE; W]; K];
    pub const NONE: Sought<W, K> =
        Sought { words: Self::NO, k: Self::NO, upto: Self::NO_SETS, here: Self::NO_SETS, bits: Self::NO };

    #[inline(always)]
    pub fn find<V: Simd>(&mut self, v: V, chunks: Chunks) {
        v.nth(&self.words, &self.k, &mut self.bits, chunks);
    }

    /// What is sought in a chunk. The sets must have more cells than the number.
    #[inline(always)]
    pub fn seek<V: Simd>(&mut self, v: V, i: usize, a: &Cells<V, W>, k: V::V8) {
        if W > 1 {
            self.count(v, i, a);
        }
        self.seek_counted(v, i, a, k);
    }

    /// How many cells the sets of a chunk have, which [`Sought::seek_counted`] goes on from.
    #[inline(always)]
    pub fn count<V: Simd>(&mut self, v: V, i: usize, a: &Cells<V, W>) -> V::V8 {
        let (mut sum, upto) = (v.none(), &mut self.upto[i]);
        words!(word => {
            sum = v.add(sum, v.ones(a[word]));
            upto[word] = v.store(sum);
        });
        sum
    }

    /// [`Sought::seek`] where the cells of all words have been counted.
    #[inline(always)]
    pub fn seek_counted<V: Simd>(&mut self, v: V, i: usize, a: &Cells<V, W>, k: V::V8) {
        let (mut left, mut bits, mut before) = (k, a[0], v.none());
        let (upto, here) = (&self.upto[i], &mut self.here[i]);
        for word in 0..W - 1 {
            // Less than 0 where the cell is in this word or in one before it.
            let rest = v.sub(k, v.load(&upto[word]));
            let inside = v.negative(rest);
            here[word] = v.store(v.without(inside, before));
            bits = v.blend_negative(a[word + 1], bits, rest);
            left = v.blend_negative(rest, left, rest);
            before = inside;
        }
        if W > 1 {
            here[W - 1] = v.store(v.not(before));
        }
        (self.words[i], self.k[i]) = (v.store(bits), v.store(left));
    }
}
