//! Unranking of rays in lock step: cells and the ranks that are left go in; the target of each
//! lane's rank on the rays from its cell comes out, as [`RayTargets`] tells them.
//!
//! Of few options, the cells that lines come to are counted for all lanes at once, and each lane's
//! number is that of one. Of many, lanes draw together until the number of each is that of a cell
//! that nothing lies before.

use std::hint::select_unpredictable;

use multiversion::multiversion;
use multiversion::target::match_target;

#[cfg(target_arch = "x86_64")]
use crate::interp::deposit;
use crate::interp::{DIGITS, LINES, Line, MAX_COUNTED_OPTIONS, RayTarget, RayTargets, Tally, bit, find_ray_target};
use crate::plan::{ChoicePoint, SetReg};
use crate::simd::{Lane8, Simd, WIDE};
use crate::simt::kernels::algebra::{and, or, within};
use crate::simt::registers::{Cells, LaneMask, Set, count, load, of_lane, put, shift, some, store, words};
use crate::simt::sample::weights::cells_of;
use crate::simt::sample::{draw, limit};
use crate::simt::state::WarpState;
use crate::simt::state::compaction::{ARMS_PER_VECTOR, Compaction, Pack};
use crate::simt::tuning::MAX_RAY_TARGET_ARMS;

/// The number of each lane of a chunk.
const EACH: Lane8 = Lane8([0, 1, 2, 3, 4, 5, 6, 7]);

/// What was counted in the lanes of a chunk.
struct Counted<const W: usize> {
    /// How many arms offer each cell: a set for each binary digit.
    tally: [Set<W>; DIGITS],
    /// By line: how many cells it and those before it come to.
    upto: [Lane8; LINES],
}

/// What became of lanes: those that have no number to draw, those whose number is that of no run,
/// and those that were rejected before.
#[derive(Default)]
struct Went {
    none: LaneMask,
    lost: LaneMask,
    rejected: LaneMask,
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    /// Draws for the lanes that have no number, and finds their options; all arms put the cell in
    /// one register. Where there are few options, the cells that lines come to are counted; other
    /// lanes draw until they have the number of such a cell. Tells which lanes have failed.
    #[inline(always)]
    pub fn draw_ray_target(
        &mut self,
        number: u32,
        point: &ChoicePoint,
        (cell, x): (SetReg, SetReg),
        aims: &RayTargets<W>,
    ) -> LaneMask {
        let (v, on, arms) = (self.v, self.flow.on.without(self.flags.drawn), point.arms.len());
        let (mut none, counts) = (v.none(), aims.lines(arms, 0).is_some());
        let (mut few, mut many) = std::mem::take(&mut self.choice.compactions);
        for i in on.chunks() {
            let choice = &self.choice.choices[number as usize];
            let (options, total, mask) = (v.load(&choice.options[i]), v.load(&choice.totals[i]), on.lanes(v, i));
            put(v, &mut self.at[i].runs, total, mask);
            let empty = v.equal(total, v.none());
            none = v.or(none, v.and(empty, v.all(1 << i)));
            let here = v.without(mask, empty);
            let counted =
                if counts { v.and(v.less_signed(options, v.all(MAX_COUNTED_OPTIONS)), here) } else { v.none() };
            let pack = many.add();
            self.pack(number, point, x, i, pack);
            for (_, lane) in LaneMask::of_bytes(v.gathered(v.one(counted))).each() {
                few.take(pack, lane, arms);
            }
            pack.begin(v, v.without(here, counted));
        }
        let mut went = Went { none: LaneMask::of_bytes(v.gathered(none)).and(on), ..Went::default() };
        self.draw_counted((number, cell), &mut few, (arms, &aims.lines), &mut went);
        self.draw_packed((number, cell), &mut many, (arms, aims), &mut went);
        self.choice.compactions = (few, many);
        let drawing = on.without(went.none);
        self.begin_drawn(point, drawing);
        self.flags.chose = self.flags.chose.or(drawing);
        self.flags.record_rejection(went.rejected);
        went.lost.or(went.none)
    }

    /// What the lanes of a chunk draw from.
    #[inline(always)]
    fn pack(&self, number: u32, point: &ChoicePoint, x: SetReg, i: usize, pack: &mut Pack<W>) {
        let (v, choice, status, sets) = (self.v, &self.choice.choices[number as usize], &self.at[i], &self.file.sets);
        pack.places = v.store(v.add(v.load(&EACH), v.all((i * WIDE) as u64)));
        for part in 0..4 {
            pack.rng.0[part] = status.rng.0[part];
        }
        (pack.tries, pack.limit) = (status.tries, v.store(limit(v, v.load(&status.runs))));
        (pack.options, pack.total) = (choice.options[i], choice.totals[i]);
        pack.each = choice.classes.first().map_or(Lane8::all(1), |class| class.bounds[i]);
        let arms = point.arms.as_slice();
        words!(word => {
            pack.x[word] = sets[usize::from(x.0)][i][word];
        });
        for arm in 0..arms.len().min(MAX_RAY_TARGET_ARMS) {
            let cells = &sets[usize::from(cells_of(&arms[arm]).0)][i];
            words!(word => {
                pack.offers[arm].cells[word] = cells[word];
            });
            pack.offers[arm].before = choice.arms[arm].before[i];
        }
        for arm in arms.len()..arms.len().next_multiple_of(ARMS_PER_VECTOR).min(MAX_RAY_TARGET_ARMS) {
            pack.offers[arm].before = Lane8::all(i64::MAX as u64);
        }
    }

    /// Lanes draw one of the cells that lines come to, which are counted.
    #[inline(always)]
    fn draw_counted(
        &mut self,
        to: (u32, SetReg),
        compactions: &mut Compaction<W>,
        (arms, lines): (usize, &[Line<W>]),
        went: &mut Went,
    ) {
        let v = self.v;
        for pack in compactions.used() {
            let counted = count_ray_targets(v, pack, arms, lines);
            let (here, total) = (v.load(&pack.here), v.load(&counted.upto[lines.len() - 1]));
            let drawing = v.without(here, v.equal(total, v.none()));
            pack.total = v.store(total);
            let numbers = v.store(draw(v, &mut pack.rng, total, drawing));
            for (_, slot) in LaneMask::of_bytes(v.gathered(v.one(here))).each() {
                let (i, lane) = pack.place(slot);
                self.at[i].runs.0[lane] = pack.total.0[slot];
                if pack.total.0[slot] == 0 {
                    went.none.add(i, lane);
                    continue;
                }
                let aim = find(lines, (&counted, &of_lane(&pack.x, slot)), slot, numbers.0[slot]);
                pack.set_hit(slot, arms, aim);
                self.unpack(to, (pack, slot), went);
            }
        }
        compactions.clear();
    }

    /// Lanes draw with others until they have the number of a cell on a line.
    #[inline(always)]
    fn draw_packed(
        &mut self,
        to: (u32, SetReg),
        compactions: &mut Compaction<W>,
        (arms, aims): (usize, &RayTargets<W>),
        went: &mut Went,
    ) {
        loop {
            compactions.draw(self.v, arms, aims);
            for pack in compactions.used() {
                for (_, slot) in pack.done(self.v).each() {
                    self.unpack(to, (pack, slot), went);
                }
            }
            if !compactions.close_up(self.v, arms) {
                return;
            }
        }
    }

    /// A lane has done with drawing.
    #[inline(always)]
    fn unpack(&mut self, (number, cell): (u32, SetReg), (pack, slot): (&Pack<W>, usize), went: &mut Went) {
        let ((i, lane), hit) = (pack.place(slot), &pack.hit);
        let status = &mut self.at[i];
        // Whether the first draw did cannot be foreseen: no jump.
        let rejected = status.tries.0[lane] != pack.tries.0[slot];
        went.rejected = went.rejected.or(select_unpredictable(rejected, LaneMask::one(i, lane), LaneMask::NONE));
        let estimated = rejected | self.flags.again_drawn.has(i, lane);
        status.offered.0[lane] = select_unpredictable(estimated, 0, pack.total.0[slot]);
        status.tries.0[lane] = pack.tries.0[slot];
        status.rng.put(lane, &pack.rng, slot);
        if hit.to.0[slot] == RayTargets::<W>::NONE {
            went.lost.add(i, lane);
            return;
        }
        status.number.0[lane] = hit.to.0[slot];
        self.choice.choices[number as usize].selected_arm[i].0[lane] = hit.arm.0[slot];
        self.file.put(usize::from(cell.0), i, lane, &bit(hit.cell.0[slot] as usize));
    }
}

/// [`count_ray_targets`](crate::interp::count_ray_targets) for the lanes of a pack.
#[inline(always)]
fn count_ray_targets<V: Simd, const W: usize>(v: V, pack: &Pack<W>, arms: usize, lines: &[Line<W>]) -> Counted<W> {
    let mut tally = [[v.none(); W]; DIGITS];
    for arm in 0..arms.min(MAX_RAY_TARGET_ARMS) {
        let mut carry = load(v, &pack.offers[arm].cells);
        for digit in 0..=((arm + 1).ilog2() as usize).min(DIGITS - 1) {
            let both = and(v, &tally[digit], &carry);
            for word in 0..W {
                tally[digit][word] = v.xor(tally[digit][word], carry[word]);
            }
            carry = both;
        }
    }
    let (x, mut any, mut digits) = (load(v, &pack.x), tally[0], 1);
    for digit in 1..DIGITS {
        if v.any(some(v, &tally[digit])) {
            (any, digits) = (or(v, &any, &tally[digit]), digit + 1);
        }
    }
    let mut counted = Counted { tally: [[Lane8::NONE; W]; DIGITS], upto: [Lane8::all(u64::MAX); LINES] };
    let mut total = v.none();
    for at in 0..lines.len() {
        let line = &lines[at];
        let open = back(v, line, &x);
        let mut level = open;
        for _ in 0..line.longest {
            if !v.any(some(v, &and(v, &level, &any))) {
                break;
            }
            let mut here = v.none();
            for digit in (0..digits).rev() {
                here = v.add(v.add(here, here), count(v, &and(v, &level, &tally[digit])));
            }
            total = v.add(total, here);
            level = and(v, &open, &back(v, line, &level));
        }
        counted.upto[at] = v.store(total);
    }
    for digit in 0..DIGITS {
        counted.tally[digit] = store(v, &tally[digit]);
    }
    counted
}

/// The cells from which a step comes to a set.
#[inline(always)]
fn back<V: Simd, const W: usize>(v: V, line: &Line<W>, a: &Cells<V, W>) -> Cells<V, W> {
    within(v, &shift(v, a, -line.by), &line.from)
}

/// What the number of a lane is that of.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn find<const W: usize>(
    lines: &[Line<W>],
    (counted, x): (&Counted<W>, &[u64; W]),
    lane: usize,
    number: u64,
) -> Option<RayTarget> {
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => crate::interp::nth_bit,
    };
    let (mut tally, mut upto): (Tally<W>, _) = ([[0; W]; DIGITS], [0; LINES]);
    for digit in 0..DIGITS {
        tally[digit] = of_lane(&counted.tally[digit], lane);
    }
    for at in 0..LINES {
        upto[at] = counted.upto[at].0[lane];
    }
    find_ray_target(lines, (&tally, x), &upto, number, select)
}
