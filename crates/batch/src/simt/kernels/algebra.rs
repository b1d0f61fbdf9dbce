//! Set algebra of many games: sets go in; their intersection, union or difference comes out, or a
//! set moved by one masked shift.

use crate::plan::MaskedShift;
use crate::simd::Simd;
use crate::simt::registers::{Cells, shift, words};

/// A step of one masked shift for sets of this width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<const W: usize> {
    pub from: [u64; W],
    pub to: [u64; W],
    pub by: i32,
}

impl<const W: usize> Step<W> {
    pub fn new(hop: &MaskedShift) -> Step<W> {
        Step {
            from: std::array::from_fn(|word| hop.from.0[word]),
            to: std::array::from_fn(|word| hop.to.0[word]),
            by: hop.by,
        }
    }

    /// The same the other way.
    pub fn back(&self) -> Step<W> {
        Step { from: self.to, to: self.from, by: -self.by }
    }

    #[inline(always)]
    pub fn of<V: Simd>(&self, v: V, a: &Cells<V, W>) -> Cells<V, W> {
        shift(v, &within(v, a, &self.from), self.by)
    }
}

/// What any of some steps leads to.
#[inline(always)]
pub fn union<V: Simd, const W: usize>(v: V, steps: &[Step<W>], a: &Cells<V, W>) -> Cells<V, W> {
    let mut all = [v.none(); W];
    for at in 0..steps.len() {
        all = or(v, &all, &steps[at].of(v, a));
    }
    all
}

#[inline(always)]
pub fn within<V: Simd, const W: usize>(v: V, a: &Cells<V, W>, cells: &[u64; W]) -> Cells<V, W> {
    let mut made = *a;
    words!(word => {
        made[word] = v.and(a[word], v.all(cells[word]));
    });
    made
}

#[inline(always)]
pub fn or<V: Simd, const W: usize>(v: V, a: &Cells<V, W>, b: &Cells<V, W>) -> Cells<V, W> {
    let mut made = *a;
    words!(word => {
        made[word] = v.or(a[word], b[word]);
    });
    made
}

#[inline(always)]
pub fn and<V: Simd, const W: usize>(v: V, a: &Cells<V, W>, b: &Cells<V, W>) -> Cells<V, W> {
    let mut made = *a;
    words!(word => {
        made[word] = v.and(a[word], b[word]);
    });
    made
}

#[inline(always)]
pub fn without<V: Simd, const W: usize>(v: V, a: &Cells<V, W>, b: &Cells<V, W>) -> Cells<V, W> {
    let mut made = *a;
    words!(word => {
        made[word] = v.without(a[word], b[word]);
    });
    made
}

/// Set in the lanes of a mask, elsewhere empty.
#[inline(always)]
pub fn masked<V: Simd, const W: usize>(v: V, a: &Cells<V, W>, mask: V::V8) -> Cells<V, W> {
    let mut made = *a;
    words!(word => {
        made[word] = v.and(a[word], mask);
    });
    made
}
