//! Lanes draw their options.
//!
//! Each lane draws what the planned executor would draw: a number of a run, whose quotient by the bound of an arm is the option and whose
//! rest is the number of the run behind it. A lane that hits no run draws again, at once if many do, else in a later round; one that has drawn
//! in vain too often, or comes upon what is not done in lock step, is played alone from where its turn began.

use super::lanes::{File, Mask, count, gathered, load, put, put_set, words};
use super::lot::Lots;
use super::program::NOTHING;
use super::status::{Lanes, Sought};
use super::vector::{Chunk, FRACTION, Vectors, WIDE};
use crate::board::MAX_CELLS;
use crate::engine::below;
use crate::ir::{Class, Linked, LinkedArm, Options, Point, S};

/// Most draws in vain before a turn is played alone.
const TRIES: u64 = 64;

/// Options of an arm that are weighed; a choice of more is played alone.
const MOST_OPTIONS: u64 = 1 << 20;

/// All runs of a choice together are fewer than [`FRACTION`], as they are divided and compared: options of all arms, each with the most that may
/// stand behind it, whatever the sets.
pub fn fits(point: &Point) -> bool {
    let options = |arm: &LinkedArm| match arm.options {
        Options::Cells { .. } => MAX_CELLS as u64,
        Options::One { .. } => 1,
        Options::Bits { .. } => u64::from(u64::BITS),
        Options::Range { .. } | Options::Pairs { .. } | Options::Groups { .. } => MOST_OPTIONS,
    };
    let runs = |class: &Class| {
        let sum: u64 = point.arms[class.from..class.to].iter().map(options).sum();
        sum.checked_mul(class.most()?)
    };
    let all = point.classes.iter().try_fold(0u64, |all, class| all.checked_add(runs(class)?));
    all.is_some_and(|all| all < FRACTION)
}

/// What a choice weighs and draws.
#[derive(Clone, Debug)]
pub struct Weighed<const K: usize> {
    /// By arm: the register of the cells that it offers, [`NOTHING`] if it offers something else, and how many options it has.
    regs: Vec<usize>,
    pub counts: Vec<[Chunk; K]>,
    /// By class of arms.
    pub classes: Vec<WeighedClass<K>>,
    /// Options of all arms, and runs behind them.
    pub options: [Chunk; K],
    pub totals: [Chunk; K],
    /// The number of the arm that each lane's number fell to.
    pub fallen: [Chunk; K],
    /// Which it is, is asked.
    told: bool,
    /// One run stands behind each option.
    sole: bool,
    /// All arms offer cells.
    cells: bool,
}

/// Options of the arms of a class, the runs behind each and all.
#[derive(Clone, Debug)]
pub struct WeighedClass<const K: usize> {
    options: [Chunk; K],
    pub bounds: [Chunk; K],
    totals: [Chunk; K],
    /// Bounds have no more than 32 bits.
    narrow: bool,
}

impl<const K: usize> Weighed<K> {
    /// `told`: it is asked which arm a number fell to.
    pub fn new(point: &Point, told: bool) -> Weighed<K> {
        let none = [Chunk::NONE; K];
        let class = |class: &Class| WeighedClass {
            options: none,
            bounds: [Chunk::all(1); K],
            totals: none,
            narrow: class.most().is_some_and(|most| most <= u64::from(u32::MAX)),
        };
        Weighed {
            regs: point.arms.iter().map(|arm| usize::from(cells_of(arm).0)).collect(),
            counts: vec![none; point.arms.len()],
            classes: point.classes.iter().map(class).collect(),
            options: none,
            totals: none,
            fallen: none,
            told,
            sole: point.sure || point.classes.iter().all(Class::is_sole),
            cells: point.arms.iter().all(|arm| matches!(arm.options, Options::Cells { .. })),
        }
    }
}

impl<V: Vectors, const W: usize, const K: usize> Lanes<V, W, K> {
    /// Draws for the lanes that have not drawn yet, and sees for the others whether their number is that of an option. If all arms have one
    /// register for the cell that is chosen, it is put there. `parts`: lanes go on apart.
    #[inline(always)]
    pub fn choose(&mut self, linked: &Linked, point: u32, (cell, blend, parts): (Option<S>, bool, bool), pc: usize) {
        let at_point = &linked.points[point as usize];
        if at_point.aimed {
            let lost = self.choose_aimed(at_point);
            self.who.chose = self.who.chose.or(self.on);
            return self.chosen_of(lost, parts);
        }
        if at_point.sure && self.choices[point as usize].cells && self.on.and(self.who.drawn).is_empty() {
            let lost = self.choose_cells(point, at_point, (cell, blend));
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

    /// Draws numbers for the lanes that have none, and finds the options that numbers fall to; what is left of them are the numbers of the
    /// runs behind. Tells which lanes have failed: nothing is offered, or no option has their number.
    #[inline(always)]
    pub fn draw_and_find(&mut self, number: u32, point: &Point, cell: Option<S>) -> Mask {
        let (v, on) = (self.v, self.on);
        let fresh = on.without(self.who.drawn);
        let (mut k, mut lost) = ([v.none(); K], v.none());
        for i in on.chunks() {
            let (here, total) = (on.lanes(v, i), v.load(&self.choices[number as usize].totals[i]));
            let drawing = v.without(fresh.lanes(v, i), v.equal(total, v.none()));
            self.draw_below(i, total, drawing, point.sure);
            k[i] = v.load(&self.at[i].number);
            lost = v.or(lost, v.and(v.without(here, v.less_signed(k[i], total)), v.all(1 << i)));
        }
        let lost = Mask::of_bytes(v.gathered(lost));
        let here = on.without(lost);
        let choice = &mut self.choices[number as usize];
        for i in here.chunks() {
            let mut rest = v.none();
            if !choice.sole {
                (k[i], rest) = choice.divide(v, k[i], i);
            }
            put(v, &mut self.at[i].number, rest, here.lanes(v, i));
        }
        for i in here.chunks() {
            let option = choice.fall(v, (&self.file, &mut self.sought), i, k[i], here.lanes(v, i));
            if cell.is_none() {
                put(v, &mut self.at[i].option, option, here.lanes(v, i));
            }
        }
        // Lanes of a chunk may have found theirs before.
        self.find((cell, true), (here, here.chunks()));
        self.begin_drawn(point, fresh.without(lost));
        // Where nothing is offered nothing was chosen.
        self.who.chose = self.who.chose.or(on.without(lost.and(fresh)));
        lost
    }

    /// Counts the cells of all arms, draws one of them and finds it: what the steps of a choice come to where one run stands behind each option
    /// and no lane has a number yet. Tells which lanes have no cell.
    #[inline(always)]
    fn choose_cells(&mut self, number: u32, point: &Point, (cell, blend): (Option<S>, bool)) -> Mask {
        let (v, on) = (self.v, self.on);
        let choice = &mut self.choices[number as usize];
        let (mut totals, mut k, mut lost) = ([v.none(); K], [v.none(); K], v.none());
        if let [reg] = *choice.regs.as_slice() {
            for i in 0..K {
                totals[i] = self.sought.count(v, i, &load(v, &self.file.sets[reg][i]));
            }
        } else {
            for arm in 0..choice.regs.len() {
                let (of, counts) = (&self.file.sets[choice.regs[arm]], &mut choice.counts[arm]);
                for i in 0..K {
                    let these = count(v, &load(v, &of[i]));
                    counts[i] = v.store(these);
                    totals[i] = v.add(totals[i], these);
                }
            }
        }
        for i in 0..K {
            let (status, total) = (&mut self.at[i], totals[i]);
            let none = v.equal(total, v.none());
            let mask = v.without(on.lanes(v, i), none);
            k[i] = draw(v, &mut status.lots, total, mask);
            put(v, &mut status.offered, v.without(total, self.who.again_drawn.lanes(v, i)), mask);
            status.number = v.store(v.without(v.load(&status.number), mask));
            lost = v.or(lost, v.and(none, v.all(1 << i)));
        }
        let lost = Mask::of_bytes(v.gathered(lost)).and(on);
        let here = on.without(lost);
        // Mostly all lanes come here: chunks that no lane is meant of are found, too.
        for i in 0..K {
            match choice.regs.as_slice() {
                [reg] => self.sought.seek_counted(v, i, &load(v, &self.file.sets[*reg][i]), k[i]),
                _ => {
                    choice.fall(v, (&self.file, &mut self.sought), i, k[i], here.lanes(v, i));
                }
            }
        }
        self.find((cell, blend), (here, 0..K));
        self.begin_drawn(point, here);
        self.who.chose = self.who.chose.or(here);
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

    /// These lanes have drawn.
    #[inline(always)]
    pub fn begin_drawn(&mut self, point: &Point, drawing: Mask) {
        let who = &mut self.who;
        who.counted = if point.sure { who.counted.or(drawing) } else { who.counted.without(drawing) };
        who.drawn = who.drawn.or(drawing);
    }

    /// Counts the options of each arm and the runs behind them. Tells which lanes are to be played alone.
    #[inline(always)]
    fn weigh(&mut self, number: u32, point: &Point) -> Mask {
        for again in &mut self.agains[..self.kept] {
            again.grow_stale(number);
        }
        let (v, on) = (self.v, self.on);
        let choice = &mut self.choices[number as usize];
        let (mut options, mut totals, mut apart) = ([v.none(); K], [v.none(); K], v.none());
        for which in 0..point.classes.len() {
            let class = &point.classes[which];
            let mut sums = [v.none(); K];
            for arm in class.from..class.to {
                let counts = &mut choice.counts[arm];
                let offered = point.arms[arm].options;
                if let Options::Cells { of, .. } = offered {
                    let of = &self.file.sets[usize::from(of.0)];
                    for i in on.chunks() {
                        counts[i] = v.store(count(v, &load(v, &of[i])));
                    }
                } else {
                    for i in on.chunks() {
                        counts[i] = v.store(self.file.weight(v, offered, i));
                    }
                }
                if let Options::Range { .. } | Options::Pairs { .. } = offered {
                    // Larger numbers than a product has room for.
                    for i in on.chunks() {
                        apart = v.or(apart, v.and(v.less(v.all(MOST_OPTIONS), v.load(&counts[i])), v.all(1 << i)));
                    }
                }
                if class.unbounded && !point.sure {
                    for i in on.chunks() {
                        apart = v.or(apart, v.and(v.truth(v.load(&counts[i])), v.all(1 << i)));
                        counts[i] = Chunk::NONE;
                    }
                }
                for i in on.chunks() {
                    sums[i] = v.add(sums[i], v.load(&counts[i]));
                }
            }
            let weighed = &mut choice.classes[which];
            let narrow = weighed.narrow;
            for i in on.chunks() {
                options[i] = v.add(options[i], sums[i]);
                if !choice.sole {
                    let bound = self.file.bound(v, class, narrow, i);
                    let all = if narrow { v.mul_halves(sums[i], bound) } else { v.mul(sums[i], bound) };
                    weighed.options[i] = v.store(sums[i]);
                    weighed.bounds[i] = v.store(bound);
                    weighed.totals[i] = v.store(all);
                    totals[i] = v.add(totals[i], all);
                }
            }
        }
        for i in on.chunks() {
            choice.options[i] = v.store(options[i]);
            choice.totals[i] = v.store(if choice.sole { options[i] } else { totals[i] });
        }
        Mask::of_bytes(v.gathered(apart)).and(on)
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
            put(v, &mut status.runs, total, mask);
        }
    }

    /// Puts the cells that are sought where all arms have them, or aside.
    #[inline(always)]
    fn find(&mut self, (cell, blend): (Option<S>, bool), (here, chunks): (Mask, impl Iterator<Item = usize>)) {
        let v = self.v;
        self.sought.find(v, here.chunks());
        for i in chunks {
            let (bit, mask) = (v.load(&self.sought.bits[i]), here.lanes(v, i));
            let to = match cell {
                Some(cell) => &mut self.file.sets[usize::from(cell.0)][i],
                None => &mut self.picks[i],
            };
            words!(word => {
                let found = if W == 1 { bit } else { v.and(bit, v.load(&self.sought.here[i][word])) };
                to[word] = v.store(if blend { v.blend(v.load(&to[word]), found, mask) } else { found });
            });
        }
    }

    /// Goes on with the lanes whose number fell to an arm up to this, of those that wait.
    #[inline(always)]
    pub fn part_to(&mut self, point: u32, last: u16) {
        let (v, fallen) = (self.v, &self.choices[point as usize].fallen);
        let mine = gathered!(v, i => v.less_signed(v.load(&fallen[i]), v.all(u64::from(last) + 1)));
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
                for i in on.chunks() {
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

impl<const K: usize> Weighed<K> {
    /// The number of the option that each lane's number falls to, and what is left of it.
    #[inline(always)]
    fn divide<V: Vectors>(&self, v: V, number: V::Eight, i: usize) -> (V::Eight, V::Eight) {
        // The last class that leaves a number of 0 and more is its own.
        let (mut left, mut before) = (number, v.none());
        let (mut local, mut base, mut bound) = (left, v.none(), v.all(1));
        for class in &self.classes {
            local = v.blend_negative(left, local, left);
            base = v.blend_negative(before, base, left);
            bound = v.blend_negative(v.load(&class.bounds[i]), bound, left);
            left = v.sub(left, v.load(&class.totals[i]));
            before = v.add(before, v.load(&class.options[i]));
        }
        let (option, rest) = v.divided(local, bound);
        (v.add(base, option), rest)
    }

    /// Finds the arm that each lane's option is of, and seeks the cell there. Tells the numbers of the options in their arms.
    #[inline(always)]
    fn fall<V: Vectors, const W: usize>(
        &mut self,
        v: V,
        (file, sought): (&File<W, K>, &mut Sought<W, K>),
        i: usize,
        k: V::Eight,
        lanes: V::Eight,
    ) -> V::Eight {
        if let [reg] = *self.regs.as_slice() {
            sought.seek(v, i, &load(v, &file.sets[reg][i]), k);
            return k;
        }
        // The last arm that leaves an option of 0 and more is its own.
        let (mut left, mut option, mut fallen, mut picks) = (k, k, v.none(), [v.none(); W]);
        for arm in 0..self.regs.len() {
            let of = &file.sets[self.regs[arm]][i];
            words!(word => {
                picks[word] = v.blend_negative(v.load(&of[word]), picks[word], left);
            });
            option = v.blend_negative(left, option, left);
            fallen = v.blend_negative(v.all(arm as u64), fallen, left);
            left = v.sub(left, v.load(&self.counts[arm][i]));
        }
        if self.told {
            put(v, &mut self.fallen[i], fallen, lanes);
        }
        sought.seek(v, i, &picks, option);
        option
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
    fn bound<V: Vectors>(&self, v: V, class: &Class, narrow: bool, i: usize) -> V::Eight {
        let mut sum = v.all(class.known);
        for at in 0..class.sized.len() {
            let (known, sizes) = &class.sized[at];
            let mut product = v.all(*known);
            for at in 0..sizes.len() {
                let size = count(v, &load(v, &self.sets[usize::from(sizes[at].0)][i]));
                product = if narrow { v.mul_halves(product, size) } else { v.mul(product, size) };
            }
            sum = v.add(sum, product);
        }
        sum
    }
}

/// So many draws in vain of so many runs are enough: the planned executor looks for a run in another way then, or a little later.
#[inline(always)]
pub fn limit<V: Vectors>(v: V, totals: V::Eight) -> V::Eight {
    v.blend(v.all(TRIES), v.up(totals, 1), v.less_signed(totals, v.all(TRIES / 2)))
}

/// The cells that an arm offers.
#[inline(always)]
pub fn cells_of(arm: &LinkedArm) -> S {
    if let Options::Cells { of, .. } = arm.options { of } else { NOTHING }
}

/// A number below each lane's total, as [`below`] draws it.
#[inline(always)]
pub fn draw<V: Vectors>(v: V, lots: &mut Lots, totals: V::Eight, lanes: V::Eight) -> V::Eight {
    let wide = v.mul_halves(v.down(lots.words(v), 32), totals);
    // Nearly always the first word will do; of more than 32 bits it never does.
    let doubtful = v.and(v.less_signed(v.and(wide, v.all(u64::from(u32::MAX))), totals), lanes);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Bound;

    /// A choice of so many cells, and runs behind each: a number, and another one multiplied by sizes.
    fn point(arms: usize, known: u64, (times, sizes): (u64, usize)) -> Point {
        let arm = || LinkedArm { options: Options::Cells { of: S(0), cell: S(1) }, entry: 0, class: 0, answers: Vec::new() };
        let sized = vec![(times, vec![S(2); sizes])];
        let class = Class { from: 0, to: arms, bound: Bound::default(), unbounded: false, known, sized };
        Point { arms: (0..arms).map(|_| arm()).collect(), classes: vec![class], ..Point::default() }
    }

    #[test]
    fn runs_of_all_arms_together_fit_what_is_divided() {
        // 2^10 cells an arm, and sizes of as much.
        assert!(fits(&point(36, 1, (1, 2))));
        assert!(fits(&point(1, 0, ((1 << 22) - 1, 2))));
        assert!(!fits(&point(1, 0, (1 << 22, 2))));
        assert!(fits(&point(2, 0, ((1 << 21) - 1, 2))));
        assert!(!fits(&point(2, 0, (1 << 21, 2))));
        assert!(!fits(&point(1, 1 << 42, (0, 0))));
        // More than a word has room for.
        assert!(!fits(&point(1, 1, (1, 7))));
        assert!(!fits(&point(1, u64::MAX, (1, 0))));
    }
}
