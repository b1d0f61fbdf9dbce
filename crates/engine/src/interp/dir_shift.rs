//! Shifts along several directions: a set goes in; the union of its shifts, or all of them, come
//! out. Of sets of two words four are two vectors.

#![allow(clippy::needless_range_loop)]

use crate::interp::bitset;
use crate::interp::bitset::{Bitset, Step};
use crate::interp::unroll::unroll;

/// Directions at once.
pub const ABREAST: usize = 4;

/// The parts of [`Step`] by direction, each as one row.
#[derive(Clone, Copy, Debug)]
pub struct DirShift<const W: usize> {
    up: [Bitset<W>; ABREAST],
    down: [Bitset<W>; ABREAST],
    within: [Bitset<W>; ABREAST],
    across: [Bitset<W>; ABREAST],
}

impl<const W: usize> DirShift<W> {
    /// Rows of so many steps; those that are left over lead nowhere. `None`: sets have not two
    /// words, or some step goes further than a word.
    pub fn rows(steps: &[Step<W>]) -> Option<Vec<DirShift<W>>> {
        if W != 2 || steps.iter().any(|step| step.by.unsigned_abs() > 63) {
            return None;
        }
        let nowhere = Step::between([0; W], [0; W], 0);
        let row = |some: &[Step<W>]| {
            let all: [Step<W>; ABREAST] = std::array::from_fn(|lane| *some.get(lane).unwrap_or(&nowhere));
            DirShift {
                up: all.map(|step| step.up),
                down: all.map(|step| step.down),
                within: all.map(|step| step.within),
                across: all.map(|step| step.across),
            }
        };
        Some(steps.chunks(ABREAST).map(row).collect())
    }

    /// [`Step::of`] for a set of each direction. No lane after the other.
    #[inline(always)]
    pub fn of_each(&self, a: &[Bitset<W>; ABREAST]) -> [Bitset<W>; ABREAST] {
        let (mut turned, mut made) = ([[0; W]; ABREAST], [[0; W]; ABREAST]);
        unroll!(lane < ABREAST => {
            unroll!(word < W => {
                turned[lane][word] =
                    bitset::up(a[lane][word], self.up[lane][word]) | bitset::down(a[lane][word], self.down[lane][word]);
            });
        });
        unroll!(lane < ABREAST => {
            unroll!(word < W => {
                let (within, across) = (self.within[lane][word], self.across[lane][word]);
                made[lane][word] = turned[lane][word] & within | turned[lane][W - 1 - word] & across;
            });
        });
        made
    }

    /// All cells that steps from a set lead to.
    #[inline(always)]
    pub fn of_all(&self, a: &Bitset<W>) -> Bitset<W> {
        let (each, mut all) = (self.of_each(&[*a; ABREAST]), [0; W]);
        unroll!(lane < ABREAST => {
            unroll!(word < W => {
                all[word] |= each[lane][word];
            });
        });
        all
    }
}
