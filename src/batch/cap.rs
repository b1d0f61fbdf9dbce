//! Lanes whose number cannot be that of a run draw again at once, as soon as a cell was chosen.

use super::again::FEW;
use super::lanes::{Mask, count, load};
use super::status::Lanes;
use super::vector::Vectors;
use crate::ir::{Op, Point, S};

/// Draws at once: what follows costs the same for few lanes as for many.
const ROUNDS: u32 = 8;

impl<V: Vectors, const W: usize, const K: usize> Lanes<V, W, K> {
    /// Draws numbers and finds their options; where the choice has a cap, lanes that have chosen a cell behind which there are not so many runs
    /// as their number wants draw again. Tells which lanes have drawn in vain in the end.
    #[inline(always)]
    pub fn draw_capped(&mut self, point: u32, at_point: &Point, cell: Option<S>) -> Mask {
        let (on, mut lost, mut round) = (self.on, Mask::NONE, 0);
        loop {
            let failed = self.draw_and_find(point, at_point, cell);
            let vain = self.beyond(at_point.cap.filter(|_| cell.is_some()), self.on.without(failed));
            let goes_on = round < ROUNDS && !vain.is_empty();
            let again = if goes_on { vain.and(self.may_draw_again()) } else { Mask::NONE };
            if again.count() < FEW {
                self.on = on;
                return lost.or(failed).or(vain);
            }
            lost = lost.or(failed).or(vain.without(again));
            self.forget_draw(again);
            self.on = again;
            round += 1;
        }
    }

    /// The lanes whose number is not below the count of the cells that a cap tells of.
    #[inline(always)]
    fn beyond(&self, cap: Option<Op>, here: Mask) -> Mask {
        let (v, sets, at) = (self.v, &self.file.sets, &self.at);
        let Some(Op::Cap { a, x, trail }) = cap else { return Mask::NONE };
        let trail = &self.steps.trails[usize::from(trail)];
        if !trail.runs_on() {
            return Mask::NONE;
        }
        let (a, x) = (&sets[usize::from(a.0)], &sets[usize::from(x.0)]);
        let mut beyond = v.none();
        for i in 0..K {
            if here.reaches(i) {
                let x = load(v, &x[i]);
                let runs = count(v, &trail.follow(v, &load(v, &a[i]), &x, &x));
                let fine = v.less(v.load(&at[i].number), runs);
                beyond = v.or(beyond, v.without(v.all(1 << i), fine));
            }
        }
        Mask::of_bytes(v.gathered(beyond)).and(here)
    }
}
