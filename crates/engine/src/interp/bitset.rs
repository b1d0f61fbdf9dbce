//! Fixed-width bitset: sets of cells as words go in; sets, counts and cells come out.
//!
//! Loops over indices throughout: what is handed to an iterator of the library is not always
//! compiled for the processor at hand.

#![allow(clippy::needless_range_loop)]

use std::hint::select_unpredictable;

use crate::interp::unroll::unroll;
use crate::plan::{Bits, MaskedShift, binomial};

/// Words of a set up to which its operations are taken into their callers. Of the widest sets each is
/// a function: taken into the dispatch loop, they made a third of the time to build this package.
const MAX_INLINE_WORDS: usize = 6;

/// Does something with sets of `W` words, in a function of its own if these are many. A macro: what is
/// handed to a function is not always compiled for the processor at hand.
macro_rules! sized {
    ($work:block) => {
        if const { W > MAX_INLINE_WORDS } { outlined(|| $work) } else { $work }
    };
}

#[inline(never)]
fn outlined<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// A set of cells.
pub type Bitset<const W: usize> = [u64; W];

#[inline(always)]
pub fn zip<const W: usize>(a: &Bitset<W>, b: &Bitset<W>, f: impl Fn(u64, u64) -> u64) -> Bitset<W> {
    sized!({
        let mut made = [0; W];
        unroll!(i < W => {
            made[i] = f(a[i], b[i]);
        });
        made
    })
}

#[inline(always)]
pub fn and<const W: usize>(a: &Bitset<W>, b: &Bitset<W>) -> Bitset<W> {
    zip(a, b, |a, b| a & b)
}

#[inline(always)]
pub fn or<const W: usize>(a: &Bitset<W>, b: &Bitset<W>) -> Bitset<W> {
    zip(a, b, |a, b| a | b)
}

#[inline(always)]
pub fn without<const W: usize>(a: &Bitset<W>, b: &Bitset<W>) -> Bitset<W> {
    zip(a, b, |a, b| a & !b)
}

#[inline(always)]
pub fn is_empty<const W: usize>(a: &Bitset<W>) -> bool {
    sized!({
        let mut all = 0;
        unroll!(i < W => {
            all |= a[i];
        });
        all == 0
    })
}

#[inline(always)]
pub fn intersects<const W: usize>(a: &Bitset<W>, b: &Bitset<W>) -> bool {
    !is_empty(&and(a, b))
}

/// A set has a cell in neither of two others; mostly the first words tell.
#[inline(always)]
pub fn reaches_outside<const W: usize>(of: &Bitset<W>, a: &Bitset<W>, b: &Bitset<W>) -> bool {
    sized!({
        unroll!(i < W => {
            if of[i] & !(a[i] | b[i]) != 0 {
                return true;
            }
        });
        false
    })
}

#[inline(always)]
pub fn count<const W: usize>(a: &Bitset<W>) -> u32 {
    sized!({
        let mut count = 0;
        unroll!(i < W => {
            count += a[i].count_ones();
        });
        count
    })
}

/// How many members each word and those before it have.
#[inline(always)]
pub fn counts<const W: usize>(a: &Bitset<W>) -> [u32; W] {
    sized!({
        let (mut upto, mut total) = ([0; W], 0);
        unroll!(i < W => {
            total += a[i].count_ones();
            upto[i] = total;
        });
        upto
    })
}

/// The number of the bit of a set that has just one.
#[inline(always)]
pub fn sole<const W: usize>(a: &Bitset<W>) -> Option<usize> {
    sized!({
        // No jump for each word: how many of them have bits, and which, in one sum.
        let (mut word, mut places) = (0u64, 0u64);
        unroll!(i < W => {
            word |= a[i];
            places += if a[i] != 0 { 256 + i as u64 } else { 0 };
        });
        (places / 256 == 1 && word.is_power_of_two())
            .then(|| places as usize % 256 * 64 + word.trailing_zeros() as usize % 64)
    })
}

/// The lowest bit's number; the set must not be empty.
#[inline(always)]
pub fn lowest<const W: usize>(a: &Bitset<W>) -> usize {
    sized!({
        if W > 2 {
            // Which word it is in cannot be foreseen: no jump for each.
            let (mut at, mut word) = (0, 0);
            unroll!(i < W => {
                let i = W - 1 - i;
                at = if a[i] != 0 { i } else { at };
                word = if a[i] != 0 { a[i] } else { word };
            });
            return at * 64 + word.trailing_zeros() as usize % 64;
        }
        let mut at = 0;
        while at + 1 < W && a[at] == 0 {
            at += 1;
        }
        at * 64 + a[at].trailing_zeros() as usize % 64
    })
}

/// The bits of a set, ascending.
pub fn members<const W: usize>(a: Bitset<W>) -> impl Iterator<Item = usize> {
    a.into_iter().enumerate().flat_map(|(at, word)| {
        let lower = std::iter::successors(Some(word), |left| Some(left & left.wrapping_sub(1)));
        lower.take_while(|left| *left != 0).map(move |left| at * 64 + left.trailing_zeros() as usize)
    })
}

/// The highest bit's number; the set must not be empty.
#[inline(always)]
pub fn highest<const W: usize>(a: &Bitset<W>) -> usize {
    sized!({
        let mut at = W - 1;
        while at > 0 && a[at] == 0 {
            at -= 1;
        }
        at * 64 + (63 - (a[at] | 1).leading_zeros() as usize)
    })
}

#[inline(always)]
pub fn bit<const W: usize>(at: usize) -> Bitset<W> {
    alone(at / 64, 1 << (at % 64))
}

/// The bits of one word; nothing word by word, as what is stored so could not be loaded as a whole
/// at once.
#[inline(always)]
pub fn alone<const W: usize>(at: usize, word: u64) -> Bitset<W> {
    if at < W { and(&Whole::<W>::AT[at], &[word; W]) } else { [0; W] }
}

/// Whole words.
struct Whole<const W: usize>;

impl<const W: usize> Whole<W> {
    /// By word: all bits of it.
    const AT: [Bitset<W>; W] = {
        let (mut all, mut at) = ([[0; W]; W], 0);
        while at < W {
            all[at][at] = u64::MAX;
            at += 1;
        }
        all
    };
}

/// The k-th member from 0, by what finds the k-th bit of a word; there must be more than `k`.
#[inline(always)]
pub fn nth<const W: usize>(a: &Bitset<W>, k: u32, select: impl Fn(u64, u32) -> u64) -> Bitset<W> {
    let (at, word, k) = word_of(a, k);
    alone(at, select(word, k))
}

/// How many members have a lower bit.
#[inline(always)]
pub fn rank<const W: usize>(a: &Bitset<W>, bit: usize) -> u32 {
    let mut below = 0;
    unroll!(i < W => {
        let word = if i < bit / 64 { u64::MAX } else { (1 << (bit % 64)) - 1 };
        below += if i > bit / 64 { 0 } else { (a[i] & word).count_ones() };
    });
    below
}

/// The number of the k-th member's bit; there must be more than `k`.
#[inline(always)]
pub fn nth_number<const W: usize>(a: &Bitset<W>, k: u32, select: impl Fn(u64, u32) -> u64) -> usize {
    let (at, word, k) = word_of(a, k);
    at * 64 + select(word, k).trailing_zeros() as usize % 64
}

/// The word that has the k-th member, which word it is, and the how manieth member of it that is.
#[inline(always)]
fn word_of<const W: usize>(a: &Bitset<W>, k: u32) -> (usize, u64, u32) {
    sized!({
        // Which word has it cannot be foreseen: no jump for each.
        let (mut at, mut word, mut begin, mut total) = (0, a[0], 0, a[0].count_ones());
        unroll!(i < W => {
            if i > 0 {
                let begun = total <= k;
                at = select_unpredictable(begun, i, at);
                word = select_unpredictable(begun, a[i], word);
                begin = select_unpredictable(begun, total, begin);
                total += a[i].count_ones();
            }
        });
        (at, word, k.wrapping_sub(begin))
    })
}

/// The k-th member of a set whose words were counted: the number of its word, and its bit there.
#[inline(always)]
pub fn nth_counted<const W: usize>(
    a: &Bitset<W>,
    upto: &[u32; W],
    k: u32,
    select: impl Fn(u64, u32) -> u64,
) -> (usize, u64) {
    let (at, begin) = sized!({
        let (mut at, mut begin) = (0, 0);
        unroll!(i < W => {
            if i + 1 < W {
                let begun = upto[i] <= k;
                at += usize::from(begun);
                begin = if begun { upto[i] } else { begin };
            }
        });
        (at, begin)
    });
    (at, select(a[at.min(W - 1)], k.wrapping_sub(begin)))
}

/// The k-th combination of so many members: those with the first member come first, then those of the others with the second
/// one, and so on, each in the same order (unranking in lexicographic order).
pub fn nth_combination<const W: usize>(a: &Bitset<W>, size: u16, k: u64) -> Bitset<W> {
    let n = u64::from(count(a));
    let (mut at, mut left, mut chosen) = (0, k, [0; W]);
    for more in (1..size).rev() {
        while at < n {
            let with = binomial(n - 1 - at, more);
            if left < with {
                break;
            }
            (at, left) = (at + 1, left - with);
        }
        chosen = or(&chosen, &nth(a, at as u32, nth_bit));
        at += 1;
    }
    // Each member that is left makes one combination with those.
    let last = if size == 0 { [0; W] } else { nth(a, (at + left) as u32, nth_bit) };
    or(&chosen, &last)
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

/// The k-th bit of a word in one instruction. A processor that is known when the program is built
/// has no function of its own that could be safe to call, and takes the next best.
#[cfg(all(target_arch = "x86_64", not(target_feature = "bmi2")))]
#[macro_export]
macro_rules! deposit {
    ($word:expr, $k:expr) => {
        std::arch::x86_64::_pdep_u64(1 << ($k & 63), $word)
    };
}
#[cfg(target_feature = "bmi2")]
#[macro_export]
macro_rules! deposit {
    ($word:expr, $k:expr) => {
        $crate::interp::bitset::nth_by_halves($word, $k)
    };
}

#[cfg(target_arch = "x86_64")]
pub use deposit;

/// [`nth_bit`] where bits are counted in one instruction: by halves, then within the byte.
#[cfg(target_feature = "bmi2")]
#[inline(always)]
pub fn nth_by_halves(word: u64, k: u32) -> u64 {
    let (mut left, mut k, mut at) = (word, k, 0);
    for half in [32, 16, 8] {
        let below = (left & ((1 << half) - 1)).count_ones();
        let above = k >= below;
        k -= if above { below } else { 0 };
        let by = if above { half } else { 0 };
        left >>= by;
        at += by;
    }
    u64::from(NTH_OF_BYTE[(left & 255) as usize][(k & 7) as usize]) << at
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

/// A word's bits moved up. Vectors of processors do just this: what is moved by a word or more is
/// gone.
#[inline(always)]
pub fn up(word: u64, by: u64) -> u64 {
    if by < 64 { word << by } else { 0 }
}

/// [`up`], down.
#[inline(always)]
pub fn down(word: u64, by: u64) -> u64 {
    if by < 64 { word >> by } else { 0 }
}

/// All bits moved up, or down if `by` is negative.
#[inline(always)]
pub fn shift<const W: usize>(a: &Bitset<W>, by: i32) -> Bitset<W> {
    sized!({
        if W == 1 {
            let mut set = [0; W];
            set[0] = if by >= 0 { a[0] << (by & 63) } else { a[0] >> (-by & 63) };
            return set;
        }
        // Nearly always: less than a word, up or down.
        if (1..64).contains(&by) {
            let (up, down) = (by as u32, 64 - by as u32);
            let mut made = [0; W];
            made[0] = a[0] << up;
            unroll!(i < W => {
                if i > 0 {
                    made[i] = a[i] << up | a[i - 1] >> down;
                }
            });
            return made;
        }
        if (-63..0).contains(&by) {
            let (down, up) = (by.unsigned_abs(), 64 - by.unsigned_abs());
            let mut made = [0; W];
            made[W - 1] = a[W - 1] >> down;
            unroll!(i < W => {
                if i + 1 < W {
                    made[i] = a[i] >> down | a[i + 1] << up;
                }
            });
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
    })
}

#[inline(always)]
pub fn of<const W: usize>(bits: &Bits) -> Bitset<W> {
    std::array::from_fn(|i| bits.0[i])
}

/// A hop for sets of this width.
#[derive(Clone, Copy, Debug)]
pub struct Step<const W: usize> {
    pub from: Bitset<W>,
    pub to: Bitset<W>,
    pub by: i32,
    /// How far a word is turned, if that is less than a word, in two parts: up, and down.
    pub up: Bitset<W>,
    pub down: Bitset<W>,
    /// The cells that are reached from the same word, and those from the one beside it.
    pub within: Bitset<W>,
    pub across: Bitset<W>,
}

impl<const W: usize> Step<W> {
    pub fn new(hop: &MaskedShift) -> Step<W> {
        Step::between(of(&hop.from), of(&hop.to), hop.by)
    }

    /// A step from some cells to others.
    pub fn between(from: Bitset<W>, to: Bitset<W>, by: i32) -> Step<W> {
        let far = u64::from(by.unsigned_abs() % 64);
        // Bits that leave a word come in at its other end if it is turned.
        let in_word = if by >= 0 { u64::MAX << far } else { u64::MAX >> far };
        let turned = if by >= 0 { far } else { (64 - far) % 64 };
        let (up, down) = ([turned; W], [(64 - turned) % 64; W]);
        Step { from, to, by, up, down, within: and(&to, &[in_word; W]), across: and(&to, &[!in_word; W]) }
    }

    #[inline(always)]
    pub fn of(&self, a: &Bitset<W>) -> Bitset<W> {
        if W == 1 {
            // No bit that can be moved leaves the word, so turning it is moving it.
            let mut made = and(a, &self.from);
            made[0] = made[0].rotate_left(self.by as u32 & 63);
            return made;
        }
        if W > 2 || self.by.unsigned_abs() > 63 {
            return shift(&and(a, &self.from), self.by);
        }
        // Two words are one vector. No condition, and nothing word by word: what is stored so could
        // not be loaded as a whole at once.
        let (mut turned, mut made) = ([0; W], [0; W]);
        unroll!(i < W => {
            turned[i] = up(a[i], self.up[i]) | down(a[i], self.down[i]);
        });
        unroll!(i < W => {
            made[i] = turned[i] & self.within[i] | turned[W - 1 - i] & self.across[i];
        });
        made
    }
}

#[cfg(test)]
mod tests {
    use crate::interp::bitset::*;

    /// The combinations of so many members of a list, in lexicographic order.
    fn combinations(members: &[usize], size: usize) -> Vec<Vec<usize>> {
        match (members, size) {
            (_, 0) => vec![Vec::new()],
            ([], _) => Vec::new(),
            ([first, others @ ..], _) => {
                let with = combinations(others, size - 1).into_iter().map(|rest| [vec![*first], rest].concat());
                with.chain(combinations(others, size)).collect()
            }
        }
    }

    #[test]
    fn combinations_are_numbered_in_lexicographic_order() {
        let members = [0, 3, 5, 63, 64, 90, 127];
        let of = |cells: &[usize]| cells.iter().fold([0; 2], |set, &cell| or(&set, &bit(cell)));
        for size in 0..=members.len() + 1 {
            let all = combinations(&members, size);
            assert_eq!(binomial(members.len() as u64, size as u16), all.len() as u64);
            for (k, cells) in all.iter().enumerate() {
                assert_eq!(nth_combination(&of(&members), size as u16, k as u64), of(cells), "{k} of {size}");
            }
        }
    }

    #[test]
    fn binomials_stop_at_the_greatest_number_of_a_word() {
        assert_eq!(binomial(1024, 7), 229_479_463_334_370_304);
        assert_eq!((binomial(70, 69), binomial(1024, 1023)), (70, 1024));
        assert_eq!((binomial(1024, 8), binomial(1024, 512)), (u64::MAX, u64::MAX));
    }
}
