//! Merged arms: arms that differ in their direction alone go in; they come out as one, in which
//! each lane shifts by the distance of its arm.

use crate::plan::SetReg;
use crate::simd::{Lane8, Simd, WIDE};
use crate::simt::kernels::sets::{Step, Steps, and, or, without};
use crate::simt::lower::Along;
use crate::simt::registers::{Cells, load, put, shift_each, some, words};
use crate::simt::state::WarpState;

/// The steps of arms that follow one another.
#[derive(Debug)]
pub struct MergedArms<const W: usize> {
    eights: Vec<Eight<W>>,
}

/// Those of eight arms, an arm a lane.
#[derive(Clone, Debug)]
struct Eight<const W: usize> {
    from: [Lane8; W],
    /// How far a word is turned, if it is the only one; else how far bits go, and the mask of those
    /// that go down.
    by: Lane8,
    down: Lane8,
}

/// Each lane's way.
struct Way<V: Simd, const W: usize> {
    from: Cells<V, W>,
    by: V::V8,
    down: V::V8,
}

impl<const W: usize> MergedArms<W> {
    pub fn new(along: &Along, steps: &Steps<W>) -> MergedArms<W> {
        let hops: Vec<Step<W>> = match along.until {
            None => along.hops.iter().map(|&hop| steps.hops[usize::from(hop)]).collect(),
            Some(_) => {
                let one = |&dir: &u16| steps.one(dir).filter(|step| step.by.unsigned_abs() < u64::BITS);
                along.dirs.iter().map(one).collect::<Option<_>>().unwrap_or_default()
            }
        };
        let eight = |hops: &[Step<W>]| {
            let mut eight = Eight { from: [Lane8::NONE; W], by: Lane8::NONE, down: Lane8::NONE };
            for (lane, step) in hops.iter().enumerate() {
                for word in 0..W {
                    eight.from[word].0[lane] = step.from[word];
                }
                eight.by.0[lane] = if W == 1 { (step.by & 63) as u64 } else { u64::from(step.by.unsigned_abs()) };
                eight.down.0[lane] = if step.by < 0 { u64::MAX } else { 0 };
            }
            eight
        };
        MergedArms { eights: hops.chunks(WIDE).map(eight).collect() }
    }

    /// Of at most 16 arms: which cells they step from and how far words are turned, by arm; nothing
    /// where sets have several words.
    pub fn tables(&self) -> Option<[[Lane8; 2]; 2]> {
        let [first, more @ ..] = self.eights.as_slice() else { return None };
        let other = more.first().unwrap_or(first);
        (W == 1 && more.len() < 2).then(|| [[first.from[0], other.from[0]], [first.by, other.by]])
    }

    /// The ways of these arms.
    #[inline(always)]
    fn ways<V: Simd>(&self, v: V, arm: V::V8) -> Way<V, W> {
        let (mut by, mut down, mut from) = (v.none(), v.none(), [v.none(); W]);
        if let [eight] = self.eights.as_slice() {
            words!(word => {
                from[word] = v.looked_up(&eight.from[word], arm);
            });
            return Way {
                from,
                by: v.looked_up(&eight.by, arm),
                down: if W > 1 { v.looked_up(&eight.down, arm) } else { down },
            };
        }
        for at in 0..self.eights.len() {
            let eight = &self.eights[at];
            let mine = v.equal(v.down(arm, WIDE.ilog2()), v.all(at as u64));
            by = v.blend(by, v.looked_up(&eight.by, arm), mine);
            if W > 1 {
                down = v.blend(down, v.looked_up(&eight.down, arm), mine);
            }
            words!(word => {
                from[word] = v.blend(from[word], v.looked_up(&eight.from[word], arm), mine);
            });
        }
        Way { from, by, down }
    }
}

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
    pub fn step_back(&mut self, along: &Along, index: u32) {
        let v = self.v;
        for i in self.on.chunks() {
            let moved = self.way_back(along, index, i).step(v, &load(v, &self.file.sets[usize::from(along.a.0)][i]));
            self.put_back(along, i, &moved);
        }
    }

    /// Goes back along a ray from the cell that was chosen.
    #[inline(always)]
    pub fn ray_back(&mut self, along: &Along, until: SetReg, index: u32) {
        if self.shared.merged_arms[index as usize].eights.is_empty() {
            return self.rays_back(along, until);
        }
        let v = self.v;
        for i in self.on.chunks() {
            let way = self.way_back(along, index, i);
            let until = load(v, &self.file.sets[usize::from(until.0)][i]);
            let (mut at, mut found) = (load(v, &self.file.sets[usize::from(along.a.0)][i]), [v.none(); W]);
            while v.any(some(v, &at)) {
                let next = way.step(v, &at);
                found = or(v, &found, &and(v, &next, &until));
                at = without(v, &next, &until);
            }
            self.put_back(along, i, &found);
        }
    }

    /// The same where a step is not one hop to a cell close by.
    #[cold]
    fn rays_back(&mut self, along: &Along, until: SetReg) {
        for (i, lane) in self.on.each() {
            let fallen = self.choices[along.point as usize].fallen[i].0[lane] as usize;
            let dir = along.dirs[fallen.wrapping_sub(usize::from(along.first)) % along.dirs.len()];
            self.ray(along.d, along.a, until, dir, (i, lane));
        }
    }

    /// The ways of the arms that numbers fell to.
    #[inline(always)]
    fn way_back(&self, along: &Along, index: u32, i: usize) -> Way<V, W> {
        let (v, fallen) = (self.v, &self.choices[along.point as usize].fallen[i]);
        self.shared.merged_arms[index as usize].ways(v, v.sub(v.load(fallen), v.all(u64::from(along.first))))
    }

    #[inline(always)]
    fn put_back(&mut self, along: &Along, i: usize, cells: &Cells<V, W>) {
        let (v, mask) = (self.v, self.on.lanes(self.v, i));
        words!(word => {
            put(v, &mut self.file.sets[usize::from(along.d.0)][i][word], cells[word], mask);
        });
    }
}
