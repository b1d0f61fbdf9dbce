//! Lane sampler: a choice goes in; an option for each active lane comes out, drawn as the scalar
//! executor would draw it.
//!
//! Each lane draws what the scalar executor would draw: a number of a run, whose quotient by the
//! bound of an arm is the option and whose rest is the number of the run behind it. A lane that
//! hits no run draws again, at once if many do, else in a later turn; one that was rejected too
//! often, or comes upon what is not done in lock step, falls back to the scalar executor from where
//! its turn began.

pub mod early_reject;
pub mod rays;
pub mod retry;
pub mod weights;

use crate::interp::below;
use crate::plan::{ArmTarget, ChoicePoint, Options, SetReg};
use crate::simd::{Lane8, Simd, WIDE};
use crate::simt::compiled::Drawing;
use crate::simt::registers::{LaneMask, count, gathered, load, put, put_set, some, words};
use crate::simt::rng::LaneRng;
use crate::simt::state::WarpState;
use crate::simt::state::shared::Shared;
use crate::simt::state::status::Status;
use crate::simt::tuning::MAX_REJECTED_DRAWS_IN_LOCK_STEP;

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    /// Draws for the lanes that have not drawn yet, and sees for the others whether their number is
    /// that of an option. If all arms have one register for the cell that is chosen, it is put
    /// there. `parts`: lanes go on apart. Tells whether the step back behind the choice is done.
    #[inline(always)]
    pub fn choose(
        &mut self,
        shared: &Shared<W, K>,
        point: u32,
        (cell, blend, parts): (Option<SetReg>, bool, bool),
        pc: usize,
    ) -> bool {
        let (lost, goes_back) = self.draw_options(shared, point, (cell, blend), pc);
        self.chosen_of(lost, parts);
        goes_back
    }

    /// Tells which lanes are rejected, and whether the step back behind the choice is done.
    #[inline(always)]
    fn draw_options(
        &mut self,
        shared: &Shared<W, K>,
        point: u32,
        (cell, blend): (Option<SetReg>, bool),
        pc: usize,
    ) -> (LaneMask, bool) {
        let at_point = &shared.linked.points[point as usize];
        if at_point.aimed {
            let lost = self.choose_ray_target(at_point);
            self.flags.chose = self.flags.chose.or(self.flow.on);
            return (lost, false);
        }
        let fresh = self.flow.on.without(self.flags.drawn);
        if at_point.infallible && self.choice.choices[point as usize].kind.cells && fresh == self.flow.on {
            // No closure: it would not be compiled for the processor at hand.
            return match self.draw_native(point, at_point, cell, fresh) {
                Some(drawn) => drawn,
                None => (self.choose_cells(point, at_point, (cell, blend)), false),
            };
        }
        let is_kept = self.turn.kept;
        let weighs = !std::mem::take(&mut self.choice.has_weights);
        if weighs {
            for again in &mut self.turn.retries[..self.turn.kept] {
                again.grow_stale(point);
            }
            if !at_point.infallible {
                self.keep(point, at_point, pc);
            }
        }
        // Lanes that go back find what was counted where it is done step by step.
        if weighs
            && is_kept == self.turn.kept
            && let Some(drawn) = self.draw_native(point, at_point, cell, fresh)
        {
            return drawn;
        }
        (self.draw_with_early_reject(shared, point, cell, weighs), false)
    }

    /// [`WarpState::draw_and_find`] by machine code, where there is some: if all arms put the cell
    /// in one place, and all lanes draw or none. Tells the same, and whether the step back behind
    /// the choice is done.
    #[inline(always)]
    fn draw_native(
        &mut self,
        number: u32,
        point: &ChoicePoint,
        cell: Option<SetReg>,
        fresh: LaneMask,
    ) -> Option<(LaneMask, bool)> {
        let draws = !fresh.is_empty();
        if cell.is_none() || draws && fresh != self.flow.on {
            return None;
        }
        let (v, on, code) = (self.v, self.flow.on, self.shared.compiled.as_ref()?);
        let choice = code.choices[number as usize];
        let (function, goes_back) = (choice.functions[usize::from(draws)]?, choice.goes_back);
        self.file.set_active(v, on);
        let (statuses, selected_arm) = (&mut self.at, &mut self.choice.choices[number as usize].selected_arm);
        let drawing = Drawing { statuses, selected_arm, sought: &mut self.choice.sought };
        let (left, mut lost) = code.functions.choose(function, &mut self.file, drawing);
        let left = on.and(LaneMask::of_whole_chunks(left));
        let here = on.without(left).without(lost);
        if draws {
            // Of those that were rejected before, not all runs are told.
            for (i, lane) in self.flags.again_drawn.and(here).each() {
                self.at[i].offered.0[lane] = 0;
            }
            self.begin_drawn(point, here);
        }
        self.flags.chose = self.flags.chose.or(if draws { here } else { on.without(left) });
        if !left.is_empty() {
            self.flow.on = left;
            lost = lost.or(self.draw_and_find(number, point, cell, true));
            self.flow.on = on.and(self.flags.alive);
        }
        Some((lost, goes_back && left.is_empty()))
    }

    /// Draws numbers for the lanes that have none, and finds the options that numbers fall to; what
    /// is left of them are the numbers of the runs behind. `weighs`: options are not counted yet.
    /// Tells which lanes have failed: nothing is offered, or no option has their number.
    #[inline(always)]
    pub fn draw_and_find(&mut self, number: u32, point: &ChoicePoint, cell: Option<SetReg>, weighs: bool) -> LaneMask {
        let (v, on, again_drawn) = (self.v, self.flow.on, self.flags.again_drawn);
        let fresh = on.without(self.flags.drawn);
        let (mut lost, mut apart, drawing) = (v.none(), v.none(), fresh.chunk_bits());
        let (choice, file, sought) = (&mut self.choice.choices[number as usize], &self.file, &mut self.choice.sought);
        for i in on.chunks() {
            let (bit, here, status) = (v.all(1 << i), on.lanes(v, i), &mut self.at[i]);
            if weighs {
                apart = v.or(apart, v.and(choice.count_weights(v, file, point, i), bit));
            }
            let total = v.load(&choice.totals[i]);
            if drawing >> i & 1 == 1 {
                let mask = v.without(fresh.lanes(v, i), v.equal(total, v.none()));
                draw_below(v, status, (total, mask), again_drawn.lanes(v, i), point.infallible);
            }
            let k = v.load(&status.number);
            let fine = v.less_signed(k, total);
            lost = v.or(lost, v.without(bit, fine));
            let (option, rest) = choice.rank_divmod(v, k, i);
            status.number = v.store(v.blend(k, rest, v.and(here, fine)));
            let option = choice.select_by_rank(v, (file, sought), i, option, here);
            if cell.is_none() {
                put(v, &mut status.option, option, here);
            }
        }
        self.side_exit(LaneMask::of_bytes(v.gathered(apart)).and(on));
        let (on, lost) = (self.flow.on, LaneMask::of_bytes(v.gathered(lost)).and(self.flow.on));
        // Lanes of a chunk may have found theirs before.
        let here = on.without(lost);
        self.find((cell, true), (here, here.chunks()));
        self.begin_drawn(point, fresh.and(here));
        // Where nothing is offered nothing was chosen.
        self.flags.chose = self.flags.chose.or(on.without(lost.and(fresh)));
        lost
    }

    /// Counts the options of all arms and the runs behind them.
    #[inline(always)]
    pub fn count_weights(&mut self, number: u32, point: &ChoicePoint) {
        let (v, on, mut apart) = (self.v, self.flow.on, self.v.none());
        for i in on.chunks() {
            apart = v.or(
                apart,
                v.and(self.choice.choices[number as usize].count_weights(v, &self.file, point, i), v.all(1 << i)),
            );
        }
        self.side_exit(LaneMask::of_bytes(v.gathered(apart)).and(on));
    }

    /// Counts the cells of all arms, draws one of them and finds it: what the steps of a choice
    /// come to where one run stands behind each option and no lane has a number yet. Tells which
    /// lanes have no cell.
    #[inline(always)]
    fn choose_cells(&mut self, number: u32, point: &ChoicePoint, (cell, blend): (Option<SetReg>, bool)) -> LaneMask {
        let (v, on) = (self.v, self.flow.on);
        self.file.set_active(v, on);
        let again = !self.flags.again_drawn.is_empty();
        let choice = &mut self.choice.choices[number as usize];
        let (mut totals, mut k, mut lost) = ([v.none(); K], [v.none(); K], v.none());
        if let [arm] = choice.arms.as_slice() {
            for i in 0..K {
                totals[i] = self.choice.sought.count(v, i, &load(v, &self.file.sets[arm.reg][i]));
            }
        } else {
            for at in 0..choice.arms.len() {
                let arm = &mut choice.arms[at];
                let of = &self.file.sets[arm.reg];
                for i in 0..K {
                    arm.before[i] = v.store(totals[i]);
                    totals[i] = v.add(totals[i], count(v, &load(v, &of[i])));
                }
            }
        }
        for i in 0..K {
            let (status, total) = (&mut self.at[i], totals[i]);
            let none = v.equal(total, v.none());
            let mask = v.without(v.load(&self.file.masks[i]), none);
            k[i] = draw(v, &mut status.rng, total, mask);
            let offered = if again { v.without(total, self.flags.again_drawn.lanes(v, i)) } else { total };
            put(v, &mut status.offered, offered, mask);
            status.number = v.store(v.without(v.load(&status.number), mask));
            lost = v.or(lost, v.and(none, v.all(1 << i)));
        }
        let lost = LaneMask::of_bytes(v.gathered(lost)).and(on);
        let here = on.without(lost);
        // Mostly all lanes come here: chunks that no lane is meant of are found, too.
        for i in 0..K {
            if let [arm] = choice.arms.as_slice() {
                self.choice.sought.seek_counted(v, i, &load(v, &self.file.sets[arm.reg][i]), k[i]);
            } else {
                choice.select_by_rank(v, (&self.file, &mut self.choice.sought), i, k[i], here.lanes(v, i));
            }
        }
        self.find((cell, blend), (here, 0..K));
        self.begin_drawn(point, here);
        self.flags.chose = self.flags.chose.or(here);
        lost
    }

    /// Keeps the cells that a choice offers, and ends the runs there. Where nothing is offered nothing was chosen.
    #[inline(always)]
    pub fn offer(&mut self, point: &ChoicePoint, parts: bool) {
        let (v, on) = (self.v, self.flow.on);
        if let [ArmTarget { options: Options::Cells { of, .. }, .. }] = point.arms.as_slice() {
            let set = &self.file.sets[usize::from(of.0)];
            let some = gathered!(v, i => some(v, &load(v, &set[i]))).and(on);
            for i in some.chunks() {
                put_set(v, &mut self.choice.offered[i], &set[i], some.lanes(v, i));
            }
            self.choice.listed = self.choice.listed.or(some);
            self.flags.chose = self.flags.chose.or(some);
        }
        self.chosen_of(on, parts);
    }

    /// Those that have chosen go on, perhaps apart.
    #[inline(always)]
    fn chosen_of(&mut self, lost: LaneMask, parts: bool) {
        if !lost.is_empty() {
            self.fail(lost);
        }
        if parts {
            self.push_mask();
            self.push_mask();
        }
    }

    /// These lanes have drawn.
    #[inline(always)]
    pub fn begin_drawn(&mut self, point: &ChoicePoint, drawing: LaneMask) {
        let flags = &mut self.flags;
        flags.counted = if point.infallible { flags.counted.or(drawing) } else { flags.counted.without(drawing) };
        flags.drawn = flags.drawn.or(drawing);
    }

    /// Puts the cells that are sought where all arms have them, or aside.
    #[inline(always)]
    fn find(&mut self, (cell, blend): (Option<SetReg>, bool), (here, chunks): (LaneMask, impl Iterator<Item = usize>)) {
        let v = self.v;
        self.choice.sought.find(v, here.chunks());
        for i in chunks {
            let (bit, mask) = (v.load(&self.choice.sought.bits[i]), here.lanes(v, i));
            let to = match cell {
                Some(cell) => &mut self.file.sets[usize::from(cell.0)][i],
                None => &mut self.choice.picks[i],
            };
            words!(word => {
                let found = if W == 1 { bit } else { v.and(bit, v.load(&self.choice.sought.here[i][word])) };
                to[word] = v.store(if blend { v.blend(v.load(&to[word]), found, mask) } else { found });
            });
        }
    }

    /// Goes on with the lanes whose rank selects an arm up to this, of those that wait.
    #[inline(always)]
    pub fn part_to(&mut self, point: u32, last: u16) {
        let (v, selected_arm) = (self.v, &self.choice.choices[point as usize].selected_arm);
        let mine = gathered!(v, i => v.less_signed(v.load(&selected_arm[i]), v.all(u64::from(last) + 1)));
        if let Some(waiting) = self.flow.masks.last_mut() {
            self.flow.on = waiting.and(mine);
            *waiting = waiting.without(self.flow.on);
        }
    }

    /// Makes the option that was drawn the one chosen.
    #[inline(always)]
    pub fn enter(&mut self, options: Options) {
        let (v, on) = (self.v, self.flow.on);
        match options {
            Options::Cells { cell, .. } => {
                for i in on.chunks() {
                    put_set(v, &mut self.file.sets[usize::from(cell.0)][i], &self.choice.picks[i], on.lanes(v, i));
                }
            }
            Options::One { .. } => {}
            options => {
                for (i, lane) in on.each() {
                    self.option(options, i, lane, self.at[i].option.0[lane]);
                }
            }
        }
    }

    /// The k-th option of a lane, of those that are not cells.
    #[inline(always)]
    fn option(&mut self, options: Options, i: usize, lane: usize, k: u64) {
        match options {
            Options::Cells { .. } | Options::One { .. } | Options::Groups { .. } => {}
            Options::Range { from, number, .. } => {
                let from = self.file.number(from, i, lane);
                self.file.put_number(number, i, lane, from.wrapping_add(k as i64));
            }
            Options::Bits { of, bit } => {
                let bits = self.file.number(of, i, lane) as u64;
                self.file.put_number(bit, i, lane, crate::interp::nth_bit(bits, k as u32) as i64);
            }
            Options::Combinations { of, size, cells } => {
                let set = self.file.get(usize::from(of.0), i, lane);
                let made = crate::interp::nth_combination(&set, size, k);
                self.file.put(usize::from(cells.0), i, lane, &made);
            }
        }
    }
}

/// So many rejections are enough, by the number of runs: the scalar executor looks for a run in
/// another way then, or a little later.
#[inline(always)]
pub fn limit<V: Simd>(v: V, totals: V::V8) -> V::V8 {
    v.blend(
        v.all(MAX_REJECTED_DRAWS_IN_LOCK_STEP),
        v.up(totals, 1),
        v.less_signed(totals, v.all(MAX_REJECTED_DRAWS_IN_LOCK_STEP / 2)),
    )
}

/// Lanes of a chunk draw a number below a total; of those that were rejected before, not all runs
/// are told.
#[inline(always)]
fn draw_below<V: Simd>(v: V, status: &mut Status, (total, mask): (V::V8, V::V8), again: V::V8, sure: bool) {
    let drawn = draw(v, &mut status.rng, total, mask);
    put(v, &mut status.number, drawn, mask);
    put(v, &mut status.offered, v.without(total, again), mask);
    if !sure {
        put(v, &mut status.runs, total, mask);
    }
}

/// A number below each lane's total, as [`below`] draws it.
#[inline(always)]
pub fn draw<V: Simd>(v: V, rng: &mut LaneRng, totals: V::V8, lanes: V::V8) -> V::V8 {
    let wide = v.mul_halves(v.down(rng.words(v), 32), totals);
    // Nearly always the first word will do; of more than 32 bits it never does.
    let doubtful = v.and(v.less_signed(v.and(wide, v.all(u64::from(u32::MAX))), totals), lanes);
    let drawn = v.down(wide, 32);
    if !v.any(doubtful) {
        rng.go_on(v, lanes);
        return drawn;
    }
    let (before, mut kept) = (*rng, v.store(drawn));
    rng.go_on(v, lanes);
    draw_again(rng, &before, &v.store(totals), &v.store(doubtful), &mut kept);
    v.load(&kept)
}

/// Lanes whose first word may not do draw as long as it takes.
#[cold]
#[inline(never)]
fn draw_again(rng: &mut LaneRng, before: &LaneRng, totals: &Lane8, lanes: &Lane8, drawn: &mut Lane8) {
    for lane in (0..WIDE).filter(|&lane| lanes.0[lane] != 0) {
        let mut alone = before.get(lane);
        drawn.0[lane] = below(&mut alone, totals.0[lane]);
        for (now, before) in rng.0.iter_mut().zip(&before.0) {
            now.0[lane] = before.0[lane];
        }
        rng.catch_up(lane, &alone);
    }
}
