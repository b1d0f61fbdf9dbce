//! Sparse-lane execution: operations on what short rays find go in; they are executed only in the
//! lanes that found something, as most find nothing.

use crate::simd::Simd;
use crate::simt::code::SparseOp;
use crate::simt::outline::OutlinedKernel;
use crate::simt::registers::{count, load, put, words};
use crate::simt::state::WarpState;

/// An operation with what few lanes have found.
pub struct SparseLanes<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
    pub op: SparseOp,
}

impl<V: Simd, const W: usize, const K: usize> OutlinedKernel for SparseLanes<'_, V, W, K> {
    type Output = ();

    #[inline(always)]
    fn act(&mut self) {
        let WarpState { v, file, flow, .. } = self.lanes;
        let (v, few) = (*v, flow.sparse.and(flow.on));
        match self.op {
            SparseOp::Remove { d, found: b } => {
                for i in few.chunks() {
                    let (here, found) = (few.lanes(v, i), load(v, &file.sets[usize::from(b.0)][i]));
                    let set = &mut file.sets[usize::from(d.0)][i];
                    words!(word => {
                        set[word] = v.store(v.without(v.load(&set[word]), v.and(found[word], here)));
                    });
                }
            }
            SparseOp::Count { d, found: a } => {
                file.set_active(v, flow.on);
                let (numbers, sets) = (&mut file.numbers[usize::from(d.0)], &file.sets[usize::from(a.0)]);
                for i in 0..K {
                    numbers[i] = v.store(v.without(v.load(&numbers[i]), v.load(&file.masks[i])));
                }
                for i in few.chunks() {
                    put(v, &mut numbers[i], count(v, &load(v, &sets[i])), few.lanes(v, i));
                }
            }
        }
    }
}
