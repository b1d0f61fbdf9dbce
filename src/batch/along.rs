//! Arms that differ in their direction alone are done together, each lane the way of its arm.

use super::lanes::{load, put, shift_each, words};
use super::program::Along;
use super::sets::{Step, and};
use super::status::Lanes;
use super::vector::{Chunk, Vectors, WIDE};
use crate::ir::S;

/// The steps of arms that follow one another.
#[derive(Debug)]
pub struct AlongSteps<const W: usize> {
    eights: Vec<Eight<W>>,
}

/// Those of eight arms, an arm a lane.
#[derive(Clone, Debug)]
struct Eight<const W: usize> {
    from: [Chunk; W],
    /// How far a word is turned, if it is the only one; else how far bits go, and the mask of those that go down.
    by: Chunk,
    down: Chunk,
}

impl<const W: usize> AlongSteps<W> {
    pub fn new(along: &Along, hops: &[Step<W>]) -> AlongSteps<W> {
        let eight = |numbers: &[u16]| {
            let mut eight = Eight { from: [Chunk::NONE; W], by: Chunk::NONE, down: Chunk::NONE };
            for (lane, &hop) in numbers.iter().enumerate() {
                let step = &hops[usize::from(hop)];
                for word in 0..W {
                    eight.from[word].0[lane] = step.from[word];
                }
                eight.by.0[lane] = if W == 1 { (step.by & 63) as u64 } else { u64::from(step.by.unsigned_abs()) };
                eight.down.0[lane] = if step.by < 0 { u64::MAX } else { 0 };
            }
            eight
        };
        AlongSteps { eights: along.hops.chunks(WIDE).map(eight).collect() }
    }
}

impl<V: Vectors, const W: usize, const K: usize> Lanes<V, W, K> {
    /// Steps back from the cell that was chosen.
    #[inline(always)]
    pub fn step_back(&mut self, along: &Along, index: u32) {
        let (v, fallen) = (self.v, &self.choices[along.point as usize].fallen);
        let eights = self.along[index as usize].eights.as_slice();
        let (d, a) = (usize::from(along.d.0), usize::from(along.a.0));
        for i in self.on.chunks() {
            let arm = v.sub(v.load(&fallen[i]), v.all(u64::from(along.first)));
            let (mut by, mut down, mut from) = (v.none(), v.none(), [v.none(); W]);
            for at in 0..eights.len() {
                let eight = &eights[at];
                let mine = v.equal(v.down(arm, WIDE.ilog2()), v.all(at as u64));
                by = v.blend(by, v.looked_up(&eight.by, arm), mine);
                if W > 1 {
                    down = v.blend(down, v.looked_up(&eight.down, arm), mine);
                }
                words!(word => {
                    from[word] = v.blend(from[word], v.looked_up(&eight.from[word], arm), mine);
                });
            }
            let cells = and(v, &load(v, &self.file.sets[a][i]), &from);
            let mut moved = cells;
            if W == 1 {
                moved[0] = v.turned(cells[0], by);
            } else {
                moved = shift_each(v, &cells, by, down);
            }
            words!(word => {
                put(v, &mut self.file.sets[d][i][word], moved[word], self.on.lanes(v, i));
            });
        }
    }

    /// Goes back along a ray from the cell that was chosen.
    #[inline(always)]
    pub fn ray_back(&mut self, along: &Along, until: S) {
        for (i, lane) in self.on.each() {
            let fallen = self.choices[along.point as usize].fallen[i].0[lane] as usize;
            let dir = along.dirs[fallen.wrapping_sub(usize::from(along.first)) % along.dirs.len()];
            self.ray(along.d, along.a, until, dir, (i, lane));
        }
    }
}
