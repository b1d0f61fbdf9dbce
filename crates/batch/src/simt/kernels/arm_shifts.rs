//! Shift tables of merged arms: arms that differ in their direction go in; for each lane the shift
//! of its arm comes out.

use crate::simd::{Lane8, Simd, WIDE};
use crate::simt::code::MergedShift;
use crate::simt::kernels::algebra::Step;
use crate::simt::kernels::sets::Steps;
use crate::simt::registers::{Cells, words};

/// The steps of arms that follow one another.
#[derive(Debug)]
pub struct MergedArms<const W: usize> {
    eights: Vec<EightArms<W>>,
}

/// By arm, the cells of a set of one word that arms step from, and how far words are turned.
pub type ArmTables = [[Lane8; 2]; 2];

/// Those of eight arms, an arm a lane.
#[derive(Clone, Debug)]
struct EightArms<const W: usize> {
    from: [Lane8; W],
    /// How far a word is turned, if it is the only one; else how far bits go, and the mask of those
    /// that go down.
    by: Lane8,
    down: Lane8,
}

/// Each lane's way.
pub struct Way<V: Simd, const W: usize> {
    pub from: Cells<V, W>,
    pub by: V::V8,
    pub down: V::V8,
}

impl<const W: usize> MergedArms<W> {
    pub fn new(along: &MergedShift, steps: &Steps<W>) -> MergedArms<W> {
        let hops: Vec<Step<W>> = match along.until {
            None => along.hops.iter().map(|&hop| steps.hops[usize::from(hop)]).collect(),
            Some(_) => {
                let one = |&dir: &u16| steps.one(dir).filter(|step| step.by.unsigned_abs() < u64::BITS);
                along.dirs.iter().map(one).collect::<Option<_>>().unwrap_or_default()
            }
        };
        let eight = |hops: &[Step<W>]| {
            let mut eight = EightArms { from: [Lane8::NONE; W], by: Lane8::NONE, down: Lane8::NONE };
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

    /// The arms do not go by less than a word each.
    pub fn is_empty(&self) -> bool {
        self.eights.is_empty()
    }

    /// Of at most 16 arms; nothing where sets have several words.
    pub fn tables(&self) -> Option<ArmTables> {
        let [first, more @ ..] = self.eights.as_slice() else { return None };
        let other = more.first().unwrap_or(first);
        (W == 1 && more.len() < 2).then(|| [[first.from[0], other.from[0]], [first.by, other.by]])
    }

    /// The ways of these arms.
    #[inline(always)]
    pub fn ways<V: Simd>(&self, v: V, arm: V::V8) -> Way<V, W> {
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
