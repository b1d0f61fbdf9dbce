//! Lanes draw their options.
//!
//! Each lane draws what the planned executor would draw: a number of a run, whose quotient by the bound of an arm is the option and whose
//! rest is the number of the run behind it. A lane that hits no run draws again, at once if many do, else in a later round; one that has drawn
//! in vain too often, or comes upon what is not done in lock step, is played alone from where its turn began.

use super::lanes::{File, Mask, count, gathered, load, put, put_set, words};
use super::lot::Lots;
use super::program::NOTHING;
use super::status::Lanes;
use super::vector::{Chunk, Vectors, WIDE};
use crate::engine::below;
use crate::ir::{Class, Linked, LinkedArm, Options, Point, S};

/// Most draws in vain before a turn is played alone.
const TRIES: u64 = 64;

/// Options of an arm that are weighed; a choice of more is played alone.
pub const MOST_OPTIONS: u64 = 1 << 20;

/// What a choice weighs and draws.
#[derive(Clone, Debug)]
pub struct Weighed<const K: usize> {
    /// By arm: the runs behind all its options and those of the arms before it.
    pub weights: Vec<[Chunk; K]>,
    /// Runs behind one option, and all.
    pub bounds: [Chunk; K],
    pub totals: [Chunk; K],
    /// The number of the arm that each lane's number fell to.
    pub fallen: [Chunk; K],
    /// All arms offer cells, behind each of which one run stands.
    cells: bool,
}

impl<const K: usize> Weighed<K> {
    pub fn new(point: &Point) -> Weighed<K> {
        let none = [Chunk::NONE; K];
        let cells = point.sure && point.arms.iter().all(|arm| matches!(arm.options, Options::Cells { .. }));
        Weighed { weights: vec![none; point.arms.len()], bounds: none, totals: none, fallen: none, cells }
    }
}

impl<V: Vectors, const W: usize, const K: usize> Lanes<V, W, K> {
    /// Draws for the lanes that have not drawn yet, and sees for the others whether their number is that of an option. If all arms have one
    /// register for the cell that is chosen, it is put there. `parts`: lanes go on apart.
    #[inline(always)]
    pub fn choose(&mut self, linked: &Linked, point: u32, (cell, parts): (Option<S>, bool), pc: usize) {
        let at_point = &linked.points[point as usize];
        if at_point.aimed {
            let lost = self.choose_aimed(at_point);
            self.who.chose = self.who.chose.or(self.on);
            return self.chosen_of(lost, parts);
        }
        if self.choices[point as usize].cells && self.on.and(self.who.drawn).is_empty() {
            let lost = self.choose_cells(point, at_point, cell);
            return self.chosen_of(lost, parts);
        }
        if !std::mem::take(&mut self.redone) {
            let apart = self.weigh(point, at_point);
            self.leave(apart);
            if !at_point.sure {
                self.keep(point, at_point, pc);
            }
        }
        let lost = self.draw_capped(point, at_point, cell);
        self.chosen_of(lost, parts);
    }

    /// Draws numbers and finds their options. Tells which lanes have failed.
    #[inline(always)]
    pub fn draw_and_find(&mut self, point: u32, at_point: &Point, cell: Option<S>) -> Mask {
        let lost = self.draw(point, at_point);
        let here = self.on.without(lost);
        if !here.is_empty() {
            let even = is_even(at_point);
            if even {
                self.divide(here, point);
            }
            self.select(point, at_point, cell, here);
            if even {
                let v = self.v;
                for i in 0..K {
                    let status = &mut self.at[i];
                    put(v, &mut status.number, v.load(&status.rest), here.lanes(v, i));
                }
            }
        }
        lost
    }

    /// Those that have chosen go on, perhaps apart.
    #[inline(always)]
    fn chosen_of(&mut self, lost: Mask, parts: bool) {
        if !lost.is_empty() {
            self.fail(lost);
        }
        if parts {
            self.push_mask();
            self.push_mask();
        }
    }

    /// Counts the cells of all arms, draws one of them and finds it: what the steps of a choice come to where nothing is weighed and no lane
    /// has a number yet. Tells which lanes have no cell.
    #[inline(always)]
    fn choose_cells(&mut self, number: u32, point: &Point, cell: Option<S>) -> Mask {
        let (v, on) = (self.v, self.on);
        let (choice, arms) = (&mut self.choices[number as usize], point.arms.as_slice());
        let (mut totals, mut drawn, mut lost) = ([v.none(); K], [v.none(); K], v.none());
        for which in 0..arms.len() {
            let of = &self.file.sets[usize::from(cells_of(&arms[which]).0)];
            let weights = &mut choice.weights[which];
            for i in 0..K {
                totals[i] = v.add(totals[i], count(v, &load(v, &of[i])));
                weights[i] = v.store(totals[i]);
            }
        }
        for i in 0..K {
            let (status, total) = (&mut self.at[i], totals[i]);
            let none = v.equal(total, v.none());
            let mask = v.without(on.lanes(v, i), none);
            drawn[i] = draw(v, &mut status.lots, total, mask);
            put(v, &mut status.offered, v.without(total, self.who.again_drawn.lanes(v, i)), mask);
            status.number = v.store(v.without(v.load(&status.number), mask));
            lost = v.or(lost, v.and(none, v.all(1 << i)));
        }
        // From the last arm on: what falls to an earlier one is in the sums of the later ones too.
        let (last, mut picks) = (arms.len() - 1, [[v.none(); W]; K]);
        let of = &self.file.sets[usize::from(cells_of(&arms[last]).0)];
        for i in 0..K {
            picks[i] = load(v, &of[i]);
        }
        if last > 0 {
            let (mut fallen, mut below) = ([v.all(last as u64); K], [v.none(); K]);
            for i in 0..K {
                below[i] = v.load(&choice.weights[last - 1][i]);
            }
            for which in (0..last).rev() {
                let of = &self.file.sets[usize::from(cells_of(&arms[which]).0)];
                let (weights, before) = (&choice.weights[which], which.checked_sub(1).map(|before| &choice.weights[before]));
                for i in 0..K {
                    let mine = v.less(drawn[i], v.load(&weights[i]));
                    fallen[i] = v.blend(fallen[i], v.all(which as u64), mine);
                    let before = if let Some(before) = before { v.load(&before[i]) } else { v.none() };
                    below[i] = v.blend(below[i], before, mine);
                    words!(word => {
                        picks[i][word] = v.blend(picks[i][word], v.load(&of[i][word]), mine);
                    });
                }
            }
            for i in 0..K {
                drawn[i] = v.sub(drawn[i], below[i]);
                choice.fallen[i] = v.store(fallen[i]);
            }
        }
        for i in 0..K {
            self.sought.seek(v, i, &picks[i], drawn[i]);
        }
        let lost = Mask::of_bytes(v.gathered(lost)).and(on);
        self.find(cell, on.without(lost));
        self.begin_drawn(point, on.without(lost));
        self.who.chose = self.who.chose.or(on.without(lost));
        lost
    }

    /// These lanes have drawn.
    #[inline(always)]
    pub fn begin_drawn(&mut self, point: &Point, drawing: Mask) {
        let who = &mut self.who;
        who.counted = if point.sure { who.counted.or(drawing) } else { who.counted.without(drawing) };
        who.drawn = who.drawn.or(drawing);
    }

    /// Counts the runs behind all options of each arm and those before it, and of all; behind one option, if that is the same for all. Tells
    /// which lanes are to be played alone.
    #[inline(always)]
    fn weigh(&mut self, number: u32, point: &Point) -> Mask {
        for again in &mut self.agains[..self.kept] {
            again.grow_stale(number);
        }
        let (v, on, arms) = (self.v, self.on, point.arms.len());
        let even = is_even(point);
        let mut apart = Mask::NONE;
        let choice = &mut self.choices[number as usize];
        let (weights, bounds, totals) = (&mut choice.weights, &mut choice.bounds, &mut choice.totals);
        let mut sums = [v.none(); K];
        let mut known = [v.all(1); K];
        for number in 0..arms {
            let arm = &point.arms[number];
            let class = &point.classes[arm.class];
            let weights = &mut weights[number];
            let mut these = [v.none(); K];
            if let Options::Cells { of, .. } = arm.options {
                let of = &self.file.sets[usize::from(of.0)];
                for i in 0..K {
                    these[i] = count(v, &load(v, &of[i]));
                }
            } else {
                for i in 0..K {
                    these[i] = self.file.weight(v, arm.options, i);
                }
            }
            if let Options::Range { .. } | Options::Pairs { .. } = arm.options {
                // Larger numbers than a product has room for.
                apart = apart.or(gathered!(v, i => v.less(v.all(MOST_OPTIONS), these[i])).and(on));
            }
            if class.unbounded && !point.sure {
                apart = apart.or(gathered!(v, i => v.truth(these[i])).and(on));
                for i in 0..K {
                    weights[i] = v.store(sums[i]);
                }
                continue;
            }
            if !point.sure && !class.is_sole() {
                // Arms of one choice mostly have the same bound.
                if number == class.from {
                    for i in 0..K {
                        known[i] = self.file.bound(v, class, i);
                    }
                }
                if !even {
                    for i in 0..K {
                        these[i] = v.mul(these[i], known[i]);
                    }
                }
            }
            for i in 0..K {
                sums[i] = v.add(sums[i], these[i]);
                weights[i] = v.store(sums[i]);
            }
        }
        for i in 0..K {
            if even {
                sums[i] = v.mul(sums[i], known[i]);
            }
            totals[i] = v.store(sums[i]);
            bounds[i] = v.store(known[i]);
        }
        apart
    }

    /// Draws a number for the lanes that have none. Tells which lanes have failed: nothing is offered, or no option has their number.
    #[inline(always)]
    fn draw(&mut self, number: u32, point: &Point) -> Mask {
        let (v, on, drawn) = (self.v, self.on, self.who.drawn);
        let totals = &self.choices[number as usize].totals;
        let at = &self.at;
        let fresh = on.without(drawn);
        let none = gathered!(v, i => v.equal(v.load(&totals[i]), v.none())).and(fresh);
        let mut lost = none;
        if fresh != on {
            let within = gathered!(v, i => v.less(v.load(&at[i].number), v.load(&totals[i])));
            lost = lost.or(on.and(drawn).without(within));
        }
        let drawing = fresh.without(none);
        for i in 0..K {
            if !drawing.reaches(i) {
                continue;
            }
            let total = v.load(&self.choices[number as usize].totals[i]);
            self.draw_below(i, total, drawing.lanes(v, i), point.sure);
        }
        self.begin_drawn(point, drawing);
        self.who.chose = self.who.chose.or(on.without(none));
        lost
    }

    /// Lanes of a chunk draw a number below a total.
    #[inline(always)]
    pub fn draw_below(&mut self, i: usize, total: V::Eight, mask: V::Eight, sure: bool) {
        let (v, status) = (self.v, &mut self.at[i]);
        let drawn = draw(v, &mut status.lots, total, mask);
        put(v, &mut status.number, drawn, mask);
        let offered = v.without(total, self.who.again_drawn.lanes(v, i));
        put(v, &mut status.offered, offered, mask);
        if !sure {
            put(v, &mut status.limit, limit(v, total), mask);
        }
    }

    /// Each lane's number divided by that of the runs behind an option.
    #[inline(never)]
    fn divide(&mut self, here: Mask, number: u32) {
        let bounds = &self.choices[number as usize].bounds;
        for (i, lane) in here.each() {
            let status = &mut self.at[i];
            let (number, bound) = (status.number.0[lane], bounds[i].0[lane].max(1));
            (status.number.0[lane], status.rest.0[lane]) = (number / bound, number % bound);
        }
    }

    /// Finds the arm that each lane's number falls to, and what is left of the number; the options of the arm, if they are cells; the runs
    /// behind one option, if that is not the same for all arms.
    #[inline(always)]
    fn fall(&mut self, number: u32, point: &Point, here: Mask) {
        let v = self.v;
        let uneven = !point.sure && !is_even(point);
        let choice = &mut self.choices[number as usize];
        for i in 0..K {
            if !here.reaches(i) {
                continue;
            }
            let mask = here.lanes(v, i);
            let number = v.load(&self.at[i].number);
            let (mut fallen, mut below) = (v.none(), v.none());
            let (mut bound, mut bounds) = (v.all(1), v.all(1));
            let mut picks = [v.none(); W];
            // From the last arm on: what falls to an earlier one is in the sums of the later ones too.
            for which in (0..point.arms.len()).rev() {
                let arm = &point.arms[which];
                let mine = v.less(number, v.load(&choice.weights[which][i]));
                fallen = v.blend(fallen, v.all(which as u64), mine);
                if which > 0 {
                    below = v.blend(below, v.load(&choice.weights[which - 1][i]), mine);
                } else {
                    below = v.without(below, mine);
                }
                let of = &self.file.sets[usize::from(cells_of(arm).0)][i];
                words!(word => {
                    picks[word] = v.blend(picks[word], v.load(&of[word]), mine);
                });
                if uneven {
                    let class = &point.classes[arm.class];
                    if which + 1 == class.to {
                        bound = self.file.bound(v, class, i);
                    }
                    bounds = v.blend(bounds, bound, mine);
                }
            }
            put(v, &mut choice.fallen[i], fallen, mask);
            put(v, &mut self.at[i].number, v.sub(number, below), mask);
            // Lanes that wait for a later arm of an outer choice keep what they have drawn.
            words!(word => {
                put(v, &mut self.picks[i][word], picks[word], mask);
            });
            if uneven {
                choice.bounds[i] = v.store(bounds);
            }
        }
    }

    /// Finds the arm and the option that each lane's number falls to; what is left of it is the number of the run behind.
    #[inline(always)]
    fn select(&mut self, number: u32, point: &Point, cell: Option<S>, here: Mask) {
        let v = self.v;
        let uneven = !point.sure && !is_even(point);
        self.fall(number, point, here);
        if uneven {
            self.divide(here, number);
        }
        for i in 0..K {
            if !here.reaches(i) {
                continue;
            }
            let (status, mask) = (&mut self.at[i], here.lanes(v, i));
            let number = v.load(&status.number);
            if point.sure {
                status.number = v.store(v.without(number, mask));
            } else if uneven {
                put(v, &mut status.number, v.load(&status.rest), mask);
            }
            if cell.is_none() {
                put(v, &mut status.option, number, mask);
            }
            self.sought.seek(v, i, &load(v, &self.picks[i]), number);
        }
        self.find(cell, here);
    }

    /// Puts the cells that are sought where all arms have them, or aside.
    #[inline(always)]
    fn find(&mut self, cell: Option<S>, here: Mask) {
        let v = self.v;
        self.sought.find(v);
        for i in 0..K {
            let (bit, mask) = (v.load(&self.sought.bits[i]), here.lanes(v, i));
            let to = match cell {
                Some(cell) => &mut self.file.sets[usize::from(cell.0)][i],
                None => &mut self.picks[i],
            };
            words!(word => {
                let found = if W == 1 { bit } else { v.and(bit, v.load(&self.sought.here[i][word])) };
                put(v, &mut to[word], found, mask);
            });
        }
    }

    /// Goes on with the lanes whose number fell to an arm up to this, of those that wait.
    #[inline(always)]
    pub fn part_to(&mut self, point: u32, last: u16) {
        let (v, fallen) = (self.v, &self.choices[point as usize].fallen);
        let mine = gathered!(v, i => v.less(v.load(&fallen[i]), v.all(u64::from(last) + 1)));
        if let Some(waiting) = self.masks.last_mut() {
            self.on = waiting.and(mine);
            *waiting = waiting.without(self.on);
        }
    }

    /// Makes the option that was drawn the one chosen.
    #[inline(always)]
    pub fn enter(&mut self, options: Options) {
        let (v, on) = (self.v, self.on);
        match options {
            Options::Cells { cell, .. } => {
                for i in 0..K {
                    put_set(v, &mut self.file.sets[usize::from(cell.0)][i], &self.picks[i], on.lanes(v, i));
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
                self.file.put_number(bit, i, lane, crate::engine::nth_bit(bits, k as u32) as i64);
            }
            Options::Pairs { of, pair } => {
                let set = self.file.get(usize::from(of.0), i, lane);
                let made = crate::engine::nth_pair(&set, k);
                self.file.put(usize::from(pair.0), i, lane, &made);
            }
        }
    }
}

impl<const W: usize, const K: usize> File<W, K> {
    /// How many options an arm has.
    #[inline(always)]
    fn weight<V: Vectors>(&self, v: V, options: Options, i: usize) -> V::Eight {
        let number = |reg: crate::ir::N| &self.numbers[usize::from(reg.0)][i];
        match options {
            Options::Cells { of, .. } => count(v, &load(v, &self.sets[usize::from(of.0)][i])),
            Options::One { open } => v.one(v.truth(v.load(number(open)))),
            Options::Range { from, to, .. } => {
                let (from, to) = (v.load(number(from)), v.load(number(to)));
                // More options than a word counts are as good as very many.
                let all = v.add(v.sub(to, from), v.all(1));
                let all = v.blend(all, v.all(u64::MAX), v.equal(all, v.none()));
                v.without(all, v.less_signed(to, from))
            }
            Options::Bits { of, .. } => v.ones(v.load(number(of))),
            Options::Pairs { of, .. } => {
                let n = count(v, &load(v, &self.sets[usize::from(of.0)][i]));
                v.down(v.mul_halves(n, v.sub(n, v.one(v.truth(n)))), 1)
            }
            // A game with such a choice is not played in lock step.
            Options::Groups { .. } => v.none(),
        }
    }

    /// How many runs there are at most behind one option of an arm of a class.
    #[inline(always)]
    fn bound<V: Vectors>(&self, v: V, class: &Class, i: usize) -> V::Eight {
        let mut sum = v.all(class.known);
        for at in 0..class.sized.len() {
            let (known, sizes) = &class.sized[at];
            let mut product = v.all(*known);
            for at in 0..sizes.len() {
                let size = count(v, &load(v, &self.sets[usize::from(sizes[at].0)][i]));
                let size = v.or(size, v.one(v.equal(size, v.none())));
                product = v.mul(product, size);
            }
            sum = v.add(sum, product);
        }
        sum
    }
}

/// So many draws in vain are enough, of totals.
#[inline(always)]
pub fn limit<V: Vectors>(v: V, totals: V::Eight) -> V::Eight {
    v.blend(v.all(TRIES), v.up(totals, 1), v.less(totals, v.all(TRIES / 2)))
}

/// The cells that an arm offers.
#[inline(always)]
pub fn cells_of(arm: &LinkedArm) -> S {
    if let Options::Cells { of, .. } = arm.options { of } else { NOTHING }
}

/// All arms of a choice have the same bound, which is not 1.
#[inline(always)]
fn is_even(point: &Point) -> bool {
    point.classes.len() == 1 && point.bounded && !point.sure && !point.classes[0].is_sole()
}

/// A number below each lane's total, as [`below`] draws it.
#[inline(always)]
fn draw<V: Vectors>(v: V, lots: &mut Lots, totals: V::Eight, lanes: V::Eight) -> V::Eight {
    let wide = v.mul_halves(v.down(lots.words(v), 32), totals);
    // Nearly always the first word will do.
    let half = v.all(u64::from(u32::MAX));
    let doubtful = v.and(v.or(v.less(v.and(wide, half), totals), v.less(half, totals)), lanes);
    let drawn = v.down(wide, 32);
    if !v.any(doubtful) {
        lots.go_on(v, lanes);
        return drawn;
    }
    let (before, mut kept) = (*lots, v.store(drawn));
    lots.go_on(v, lanes);
    draw_again(lots, &before, &v.store(totals), &v.store(doubtful), &mut kept);
    v.load(&kept)
}

/// Lanes whose first word may not do draw as long as it takes.
#[cold]
#[inline(never)]
fn draw_again(lots: &mut Lots, before: &Lots, totals: &Chunk, lanes: &Chunk, drawn: &mut Chunk) {
    for lane in (0..WIDE).filter(|&lane| lanes.0[lane] != 0) {
        let mut alone = before.get(lane);
        drawn.0[lane] = below(&mut alone, totals.0[lane]);
        for (now, before) in lots.0.iter_mut().zip(&before.0) {
            now.0[lane] = before.0[lane];
        }
        lots.catch_up(lane, &alone);
    }
}
