//! Early rejection in lock step: ranks and the cells just chosen go in; lanes whose rank no run has
//! come out, to draw again at once.

use crate::interp::lowest;
use crate::plan::{ChoicePoint, EarlyReject, Options, SetReg};
use crate::simd::Simd;
use crate::simt::kernels::algebra::and;
use crate::simt::registers::{LaneMask, count, load, of_lane, put, some, words};
use crate::simt::state::WarpState;
use crate::simt::state::shared::Shared;
use crate::simt::tuning::{MAX_EARLY_REJECTED_DRAWS, MAX_RAY_TARGET_ARMS, MIN_LANES_TO_RETRY};

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    /// Draws numbers and finds their options; where the choice has a cap, lanes that have chosen a
    /// cell behind which there are not so many runs as their number wants draw again. `weighs`:
    /// options are not counted yet. Tells which lanes are rejected in the end.
    #[inline(always)]
    pub fn draw_with_early_reject(
        &mut self,
        shared: &Shared<W, K>,
        point: u32,
        cell: Option<SetReg>,
        mut weighs: bool,
    ) -> LaneMask {
        let at_point = &shared.linked.points[point as usize];
        let (on, drawn, mut lost, mut round) = (self.flow.on, self.flags.drawn, LaneMask::NONE, 0);
        if let (Some(EarlyReject { x, trail, aims: true, .. }), Some(cell), [_]) =
            (at_point.early_reject, cell, at_point.classes.as_slice())
        {
            let few_arms = at_point.arms.len() <= MAX_RAY_TARGET_ARMS;
            if let Some(aims) = shared.steps.trails[usize::from(trail)].aims.as_ref().filter(|_| few_arms) {
                if std::mem::take(&mut weighs) {
                    self.count_weights(point, at_point);
                }
                lost = self.draw_ray_target(point, at_point, (cell, x), aims);
                self.flow.on = self.flow.on.and(drawn);
                if self.flow.on.is_empty() {
                    self.flow.on = on.and(self.flags.alive);
                    return lost;
                }
            }
        }
        loop {
            let failed = self.draw_and_find(point, at_point, cell, std::mem::take(&mut weighs));
            let rejected = self.beyond(at_point.early_reject.filter(|_| cell.is_some()), self.flow.on.without(failed));
            let goes_on = round < MAX_EARLY_REJECTED_DRAWS && !rejected.is_empty();
            let again = if goes_on { rejected.and(self.may_draw_again()) } else { LaneMask::NONE };
            if again.count() < MIN_LANES_TO_RETRY {
                self.flow.on = on.and(self.flags.alive);
                return lost.or(failed).or(rejected);
            }
            lost = lost.or(failed).or(rejected.without(again));
            self.forget_draw(again);
            self.flow.on = again;
            round += 1;
        }
    }

    /// The lanes whose number is that of no cell that a cap tells of. What is left of the others'
    /// may be the cell itself.
    #[inline(always)]
    fn beyond(&mut self, cap: Option<EarlyReject>, here: LaneMask) -> LaneMask {
        let (v, sets, at) = (self.v, &self.file.sets, &mut self.at);
        let Some(EarlyReject { a, x, trail, aims }) = cap else { return LaneMask::NONE };
        let trail = &self.shared.steps.trails[usize::from(trail)];
        if aims {
            let (a, x, mut beyond) = (usize::from(a.0), usize::from(x.0), LaneMask::NONE);
            for (i, lane) in here.each() {
                let (cell, number) = (of_lane(&sets[a][i], lane), &mut at[i].number.0[lane]);
                let found =
                    trail.aims.as_ref().and_then(|aims| aims.find(lowest(&cell), *number, &of_lane(&sets[x][i], lane)));
                match found {
                    Some(to) => *number = to,
                    None => beyond.add(i, lane),
                }
            }
            return beyond;
        }
        if !trail.runs_on() {
            return LaneMask::NONE;
        }
        let (a, x) = (&sets[usize::from(a.0)], &sets[usize::from(x.0)]);
        let mut beyond = v.none();
        for i in here.chunks() {
            let x = load(v, &x[i]);
            let runs = count(v, &trail.follow(v, &load(v, &a[i]), &x, &x));
            let fine = v.less(v.load(&at[i].number), runs);
            beyond = v.or(beyond, v.without(v.all(1 << i), fine));
        }
        LaneMask::of_bytes(v.gathered(beyond)).and(here)
    }

    /// Lanes whose number is that of a cell choose it, after which nothing is left of the number.
    /// Tells which have failed.
    #[inline(always)]
    pub fn choose_ray_target(&mut self, point: &ChoicePoint) -> LaneMask {
        let Some(Options::Cells { of, cell }) = point.arms.first().map(|arm| arm.options) else { return self.flow.on };
        let (v, on, mut lost) = (self.v, self.flow.on, self.v.none());
        for i in on.chunks() {
            let (here, number) = (on.lanes(v, i), v.load(&self.at[i].number));
            let (bit, at) = (v.up_each(v.all(1), v.and(number, v.all(63))), v.down(number, 6));
            let mut chosen = [v.none(); W];
            words!(word => {
                chosen[word] = v.and(bit, v.equal(at, v.all(word as u64)));
            });
            let found = some(v, &and(v, &chosen, &load(v, &self.file.sets[usize::from(of.0)][i])));
            words!(word => {
                put(v, &mut self.file.sets[usize::from(cell.0)][i][word], chosen[word], v.and(here, found));
            });
            self.at[i].number = v.store(v.without(number, here));
            lost = v.or(lost, v.without(v.all(1 << i), found));
        }
        LaneMask::of_bytes(v.gathered(lost)).and(on)
    }
}
