//! Bit sets: one type for cells, directions and axes, told apart by what they hold.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

use crate::board::{Axis, Cell, Dir, Player};

/// What a set can hold: small numbers below [`MAX_CELLS`](crate::board::MAX_CELLS), of as many as
/// its words have bits.
pub trait Id: Copy {
    type Words: Words;
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

/// The words of a set.
pub trait Words: Copy + Eq + Hash {
    const NONE: Self;
    fn get(&self) -> &[u64];
    fn get_mut(&mut self) -> &mut [u64];
}

impl<const N: usize> Words for [u64; N] {
    const NONE: [u64; N] = [0; N];

    #[inline]
    fn get(&self) -> &[u64] {
        self
    }

    #[inline]
    fn get_mut(&mut self) -> &mut [u64] {
        self
    }
}

/// A set of ids, as bits. Members come out in ascending order, which for cells is board order.
pub struct Set<T: Id> {
    words: T::Words,
    of: PhantomData<fn() -> T>,
}

pub type CellSet = Set<Cell>;
pub type DirSet = Set<Dir>;
pub type AxisSet = Set<Axis>;
pub type PlayerSet = Set<Player>;

impl<T: Id> Set<T> {
    pub const EMPTY: Set<T> = Set { words: T::Words::NONE, of: PhantomData };

    pub fn one(member: T) -> Set<T> {
        let mut set = Set::EMPTY;
        set.insert(member);
        set
    }

    /// The ids below 64 whose bits are 1.
    #[inline]
    pub fn of_bits(bits: u64) -> Set<T> {
        let mut set: Set<T> = Set::EMPTY;
        set.words.get_mut()[0] = bits;
        set
    }

    /// The ids `0..n`; `n` is at most [`MAX_CELLS`](crate::board::MAX_CELLS).
    pub fn first(n: usize) -> Set<T> {
        let mut set: Set<T> = Set::EMPTY;
        for (i, word) in set.words.get_mut().iter_mut().enumerate() {
            let here = n.saturating_sub(i * 64).min(64);
            *word = if here == 64 { u64::MAX } else { (1 << here) - 1 };
        }
        set
    }

    #[inline]
    pub fn contains(&self, member: T) -> bool {
        let i = member.index();
        self.words.get()[i / 64] >> (i % 64) & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, member: T) {
        let i = member.index();
        self.words.get_mut()[i / 64] |= 1 << (i % 64);
    }

    #[inline]
    pub fn remove(&mut self, member: T) {
        let i = member.index();
        self.words.get_mut()[i / 64] &= !(1 << (i % 64));
    }

    pub fn is_empty(&self) -> bool {
        self.words.get().iter().all(|&word| word == 0)
    }

    pub fn len(&self) -> usize {
        self.words.get().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The only member, if there is exactly one.
    pub fn single(&self) -> Option<T> {
        let first = self.min()?;
        (self.len() == 1).then_some(first)
    }

    /// The first member.
    pub fn min(&self) -> Option<T> {
        let at = self.words.get().iter().position(|&word| word != 0)?;
        Some(T::from_index(at * 64 + self.words.get()[at].trailing_zeros() as usize))
    }

    /// The last member.
    pub fn max(&self) -> Option<T> {
        let at = self.words.get().iter().rposition(|&word| word != 0)?;
        Some(T::from_index(at * 64 + 63 - self.words.get()[at].leading_zeros() as usize))
    }

    /// Every member of this is a member of `other`.
    pub fn is_within(&self, other: &Set<T>) -> bool {
        self.words.get().iter().zip(other.words.get()).all(|(a, b)| a & !b == 0)
    }

    /// The sets have a common member.
    pub fn meets(&self, other: &Set<T>) -> bool {
        self.words.get().iter().zip(other.words.get()).any(|(a, b)| a & b != 0)
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = T> + use<T> {
        let words = self.words;
        let mut at = 0;
        let mut word = words.get()[0];
        std::iter::from_fn(move || {
            while word == 0 {
                at += 1;
                word = *words.get().get(at)?;
            }
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            Some(T::from_index(at * 64 + bit))
        })
    }

    /// How many members are below `64 * words`.
    #[inline]
    pub fn len_in(&self, words: usize) -> usize {
        self.words.get().iter().take(words).map(|word| word.count_ones() as usize).sum()
    }

    /// Adds the members of `of` that are in `mask` and below `64 * words`, each moved by `by`.
    /// Those in `mask` must stay in range.
    #[inline]
    pub fn add_shifted(&mut self, of: &Set<T>, mask: &Set<T>, by: i32, words: usize) {
        let (words_up, bits) = (by.div_euclid(64), by.rem_euclid(64));
        for (i, (a, b)) in (words_up..).zip(of.words.get().iter().zip(mask.words.get())).take(words) {
            let word = a & b;
            self.add_word(i, word << bits);
            self.add_word(i + 1, if bits == 0 { 0 } else { word >> (64 - bits) });
        }
    }

    #[inline]
    fn add_word(&mut self, at: i32, word: u64) {
        if let Some(here) = usize::try_from(at).ok().and_then(|at| self.words.get_mut().get_mut(at)) {
            *here |= word;
        }
    }

    /// The bits, 64 ids a word, lowest first.
    pub fn words(&self) -> &[u64] {
        self.words.get()
    }

    fn zip(mut self, other: &Set<T>, f: impl Fn(u64, u64) -> u64) -> Set<T> {
        for (a, b) in self.words.get_mut().iter_mut().zip(other.words.get()) {
            *a = f(*a, *b);
        }
        self
    }
}

impl<T: Id> Clone for Set<T> {
    fn clone(&self) -> Set<T> {
        *self
    }
}
impl<T: Id> Copy for Set<T> {}
impl<T: Id> PartialEq for Set<T> {
    fn eq(&self, other: &Set<T>) -> bool {
        self.words == other.words
    }
}
impl<T: Id> Eq for Set<T> {}
impl<T: Id> Hash for Set<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words.hash(state);
    }
}
impl<T: Id> Default for Set<T> {
    fn default() -> Set<T> {
        Set::EMPTY
    }
}
impl<T: Id> BitAnd for Set<T> {
    type Output = Set<T>;
    fn bitand(self, other: Set<T>) -> Set<T> {
        self.zip(&other, |a, b| a & b)
    }
}
impl<T: Id> BitOr for Set<T> {
    type Output = Set<T>;
    fn bitor(self, other: Set<T>) -> Set<T> {
        self.zip(&other, |a, b| a | b)
    }
}
impl<T: Id> BitOrAssign for Set<T> {
    fn bitor_assign(&mut self, other: Set<T>) {
        *self = *self | other;
    }
}
impl<T: Id> BitAndAssign for Set<T> {
    fn bitand_assign(&mut self, other: Set<T>) {
        *self = *self & other;
    }
}
/// The members of the first that the second lacks.
impl<T: Id> Sub for Set<T> {
    type Output = Set<T>;
    fn sub(self, other: Set<T>) -> Set<T> {
        self.zip(&other, |a, b| a & !b)
    }
}
impl<T: Id> SubAssign for Set<T> {
    fn sub_assign(&mut self, other: Set<T>) {
        *self = *self - other;
    }
}
impl<T: Id> From<T> for Set<T> {
    fn from(member: T) -> Set<T> {
        Set::one(member)
    }
}
impl<T: Id> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Set<T> {
        let mut set = Set::EMPTY;
        for member in members {
            set.insert(member);
        }
        set
    }
}
impl<T: Id> Extend<T> for Set<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        for member in members {
            self.insert(member);
        }
    }
}
impl<T: Id> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Id::index)).finish()
    }
}
