//! Merged arms: arms that differ in their direction alone go in; they come out as one, in which
//! each lane shifts by the distance of its arm.

use crate::plan::SetReg;
use crate::simd::Simd;
use crate::simt::code::MergedShift;
use crate::simt::kernels::algebra::{and, or, without};
use crate::simt::kernels::arm_shifts::Way;
use crate::simt::registers::{Cells, load, put, shift_each, some, words};
use crate::simt::state::WarpState;

impl<V: Simd, const W: usize> Way<V, W> {
    #[inline(always)]
    fn step(&self, v: V, a: &Cells<V, W>) -> Cells<V, W> {
        let mut cells = and(v, a, &self.from);
        if W > 1 {
            return shift_each(v, &cells, self.by, self.down);
        }
        cells[0] = v.turned(cells[0], self.by);
        cells
    }
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    /// Steps back from the cell that was chosen.
    #[inline(always)]
    pub fn step_back(&mut self, along: &MergedShift, index: u32) {
        let v = self.v;
        for i in self.flow.on.chunks() {
            let moved = self.way_back(along, index, i).step(v, &load(v, &self.file.sets[usize::from(along.a.0)][i]));
            self.store_back(along, i, &moved);
        }
    }

    /// Goes back along a ray from the cell that was chosen.
    #[inline(always)]
    pub fn ray_back(&mut self, along: &MergedShift, until: SetReg, index: u32) {
        if self.shared.merged_arms[index as usize].is_empty() {
            return self.rays_back(along, until);
        }
        let v = self.v;
        for i in self.flow.on.chunks() {
            let way = self.way_back(along, index, i);
            let until = load(v, &self.file.sets[usize::from(until.0)][i]);
            let (mut at, mut found) = (load(v, &self.file.sets[usize::from(along.a.0)][i]), [v.none(); W]);
            while v.any(some(v, &at)) {
                let next = way.step(v, &at);
                found = or(v, &found, &and(v, &next, &until));
                at = without(v, &next, &until);
            }
            self.store_back(along, i, &found);
        }
    }

    /// The same where a step is not one masked shift to a cell close by.
    #[cold]
    fn rays_back(&mut self, along: &MergedShift, until: SetReg) {
        for (i, lane) in self.flow.on.each() {
            let selected_arm = self.choice.choices[along.point as usize].selected_arm[i].0[lane] as usize;
            let dir = along.dirs[selected_arm.wrapping_sub(usize::from(along.first)) % along.dirs.len()];
            self.ray(along.d, along.a, until, dir, (i, lane));
        }
    }

    /// The ways of the arms that ranks select.
    #[inline(always)]
    fn way_back(&self, along: &MergedShift, index: u32, i: usize) -> Way<V, W> {
        let (v, selected_arm) = (self.v, &self.choice.choices[along.point as usize].selected_arm[i]);
        self.shared.merged_arms[index as usize].ways(v, v.sub(v.load(selected_arm), v.all(u64::from(along.first))))
    }

    #[inline(always)]
    fn store_back(&mut self, along: &MergedShift, i: usize, cells: &Cells<V, W>) {
        let (v, mask) = (self.v, self.flow.on.lanes(self.v, i));
        words!(word => {
            put(v, &mut self.file.sets[usize::from(along.d.0)][i][word], cells[word], mask);
        });
    }
}
