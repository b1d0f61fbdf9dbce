//! Lanes draw their options.
//!
//! Each lane draws what the planned executor would draw: a number of a run, whose quotient by the bound of an arm is the option and whose
//! rest is the number of the run behind it. A lane that hits no run draws again, at once if many do, else in a later round; one that has drawn
//! in vain too often, or comes upon what is not done in lock step, is played alone from where its turn began.

use super::lanes::{Chunk, File, Set, WIDE, count, lanewise, nth};
use super::lot::Lots;
use super::status::{Lanes, equal};
use crate::engine::below;
use crate::ir::{Linked, LinkedArm, Options, Point};

/// Most draws in vain before a turn is played alone.
const TRIES: u64 = 64;

/// Options of an arm that are weighed; a choice of more is played alone.
pub const MOST_OPTIONS: u64 = 1 << 20;
/// Fewer lanes that drew in vain wait for the next round.
const FEW: u64 = 6;
/// First choices of a program that are gone back to.
const AGAINS: usize = 8;

/// What a first choice goes back to.
#[derive(Debug, Default)]
pub struct Again<const W: usize> {
    pc: usize,
    mask: Vec<Chunk>,
    size: u64,
    masks: Vec<Chunk>,
    weights: Vec<Chunk>,
    flags: Vec<[Chunk; 3]>,
    regs: Vec<usize>,
    sets: Vec<Set<W>>,
    number_regs: Vec<usize>,
    numbers: Vec<Chunk>,
}

impl<const W: usize> Lanes<W> {
    /// Draws for the lanes that have not drawn yet, and sees for the others whether their number is that of an option.
    #[inline(always)]
    pub fn choose(&mut self, linked: &Linked, point: u32, pc: usize) {
        let at_point = &linked.points[point as usize];
        let (arms, k) = (at_point.arms.len(), self.file.chunks);
        let end = (arms + 2) * k;
        if self.weights.len() < end {
            self.weights.resize(end, Chunk::NONE);
        }
        let mut all = true;
        if let Some(redone) = self.redone.take() {
            self.weights[..end].copy_from_slice(&self.agains[redone].weights);
        } else {
            for at in 0..self.on.list.len() {
                all &= self.weigh(at_point, self.on.list.get(at));
            }
            self.keep(at_point, end, pc);
        }
        for at in 0..self.on.list.len() {
            all &= self.draw(at_point, self.on.list.get(at));
        }
        if !all {
            self.on.settle();
        }
        if arms > 1 {
            self.push_mask();
            self.push_mask();
        }
    }

    /// Counts the runs behind all options of each arm, and of all; behind one option, if that is the same for all. `false`: lanes leave.
    #[inline(always)]
    fn weigh(&mut self, point: &Point, i: usize) -> bool {
        let k = self.file.chunks;
        let (mut total, mut bound) = (Chunk::NONE, Chunk::all(1));
        let mut apart = Chunk::NONE;
        let even = is_even(point);
        for number in 0..point.arms.len() {
            let arm = &point.arms[number];
            let weight = self.file.weight(arm.options, i);
            // Larger numbers than a product has room for.
            apart = apart.or(&lanewise!(weight = weight => if weight > MOST_OPTIONS { u64::MAX } else { 0 }));
            if arm.unbounded && !point.sure {
                apart = apart.or(&weight.truth());
                self.weights[number * k + i] = Chunk::NONE;
                continue;
            }
            let mut all = weight;
            if !point.sure && arm.known_bound != Some(1) {
                // Arms of one choice mostly have the same bound.
                if !arm.like_before {
                    bound = self.file.bound(arm, i);
                }
                if !even {
                    all = lanewise!(weight = weight, bound = bound => weight.wrapping_mul(bound));
                }
            }
            total = lanewise!(total = total, all = all => total.wrapping_add(all));
            self.weights[number * k + i] = all;
        }
        if even {
            total = lanewise!(total = total, bound = bound => total.wrapping_mul(bound));
        }
        self.weights[point.arms.len() * k + i] = bound;
        self.weights[(point.arms.len() + 1) * k + i] = total;
        let apart = apart.and(&self.on.mask[i]);
        if apart.is_empty() {
            return true;
        }
        self.at[i].alone = self.at[i].alone.or(&apart);
        self.at[i].alive = self.at[i].alive.without(&apart);
        self.on.mask[i] = self.on.mask[i].without(&apart);
        false
    }

    /// `false`: lanes have failed.
    #[inline(always)]
    fn draw(&mut self, point: &Point, i: usize) -> bool {
        let k = self.file.chunks;
        let bound = self.weights[point.arms.len() * k + i];
        let total = self.weights[(point.arms.len() + 1) * k + i];
        let mask = self.on.mask[i];
        let status = &mut self.at[i];
        let fresh = mask.without(&status.drawn);
        let beyond = lanewise!(number = status.number, total = total => if number >= total { u64::MAX } else { 0 });
        let none = lanewise!(total = total => if total == 0 { u64::MAX } else { 0 });
        let lost = mask.and(&fresh.and(&none).or(&beyond.without(&fresh)));
        let drawing = fresh.without(&none);
        if !drawing.is_empty() {
            let drawn = draw(&mut status.lots, &total, &drawing);
            status.number = status.number.blend(&drawn, &drawing);
            status.offered = status.offered.blend(&total.without(&status.again_drawn), &drawing);
            let limit = lanewise!(total = total => total.saturating_mul(2).min(TRIES));
            status.limit = status.limit.blend(&limit, &drawing);
            let counted = if point.sure { Chunk::ALL } else { Chunk::NONE };
            status.counted = status.counted.blend(&counted, &drawing);
            status.drawn = status.drawn.or(&drawing);
        }
        status.chose = status.chose.or(&mask.without(&fresh.and(&none)));
        if !lost.is_empty() {
            self.fail(i, lost);
        }
        self.select(point, i, &mask.without(&lost), &bound);
        lost.is_empty()
    }

    /// Finds the arm and the option that each lane's number falls to.
    #[inline(always)]
    fn select(&mut self, point: &Point, i: usize, mask: &Chunk, bound: &Chunk) {
        let k = self.file.chunks;
        let status = &mut self.at[i];
        let even = is_even(point);
        if even {
            for lane in mask.lanes() {
                let (number, bound) = (status.number.0[lane], bound.0[lane].max(1));
                (status.number.0[lane], status.rest.0[lane]) = (number / bound, number % bound);
            }
        }
        let (mut number, mut waiting, mut bounds) = (status.number, *mask, Chunk::all(1));
        let mut set = [Chunk::NONE; W];
        for which in 0..point.arms.len() {
            let arm = &point.arms[which];
            let all = self.weights[which * k + i];
            let mine = lanewise!(number = number, all = all, waiting = waiting => if number < all { waiting } else { 0 });
            status.arm = status.arm.blend(&Chunk::all(which as u64), &mine);
            waiting = waiting.without(&mine);
            number = lanewise!(number = number, all = all.and(&waiting) => number.wrapping_sub(all));
            if let Options::Cells { of, .. } = arm.options {
                let of = &self.file.sets[self.file.at(of) + i];
                for word in 0..W {
                    set[word] = set[word].blend(&of[word], &mine);
                }
            }
            if !even && !point.sure && arm.known_bound != Some(1) {
                bounds = bounds.blend(&self.file.bound(arm, i), &mine);
            }
        }
        let mut left = Chunk::NONE;
        if even {
            left = status.rest;
        } else if !point.sure {
            for lane in mask.without(&equal(&bounds, 1)).lanes() {
                let bound = bounds.0[lane].max(1);
                (number.0[lane], left.0[lane]) = (number.0[lane] / bound, number.0[lane] % bound);
            }
        }
        status.number = status.number.blend(&left, mask);
        status.option = status.option.blend(&number, mask);
        let found = nth(&set, &number);
        for word in 0..W {
            self.picks[i][word] = self.picks[i][word].blend(&found[word], mask);
        }
    }

    /// Keeps what a first choice goes back to if many lanes draw in vain.
    #[inline(always)]
    fn keep(&mut self, point: &Point, end: usize, pc: usize) {
        if point.sure || self.depth > 0 || !self.turning || self.kept == AGAINS {
            return;
        }
        let k = self.file.chunks;
        for i in 0..k {
            if !self.on.mask[i].and(&self.at[i].drawn).is_empty() {
                return;
            }
        }
        if self.agains.len() == self.kept {
            self.agains.push(Again::default());
        }
        let again = &mut self.agains[self.kept];
        self.kept += 1;
        again.pc = pc;
        again.mask.clone_from(&self.on.mask);
        again.masks.clone_from(&self.masks);
        again.weights.clear();
        again.weights.extend_from_slice(&self.weights[..end]);
        again.size = lanes_of(&again.mask);
        again.flags.clear();
        again.flags.extend(self.at.iter().map(|status| [status.passed, status.acted, status.again]));
        again.regs.clear();
        again.regs.extend(point.spoilt_sets.iter().map(|reg| usize::from(reg.0)));
        again.sets.clear();
        for at in 0..again.regs.len() {
            let reg = again.regs[at] * k;
            again.sets.extend_from_slice(&self.file.sets[reg..reg + k]);
        }
        again.number_regs.clear();
        again.number_regs.extend(point.spoilt_numbers.iter().map(|reg| usize::from(reg.0)));
        again.numbers.clear();
        for at in 0..again.number_regs.len() {
            let reg = again.number_regs[at] * k;
            again.numbers.extend_from_slice(&self.file.numbers[reg..reg + k]);
        }
    }

    /// At the end of a program: if many lanes have drawn in vain at a first choice, they draw again at once. Tells where to go on.
    #[inline(always)]
    pub fn redo(&mut self) -> Option<usize> {
        let k = self.file.chunks;
        for redone in 0..self.kept {
            let again = &self.agains[redone];
            for i in 0..k {
                let status = &self.at[i];
                let open = lanewise!(tries = status.tries, limit = status.limit => if tries + 1 < limit { u64::MAX } else { 0 });
                self.on.mask[i] = status.failed.and(&again.mask[i]).and(&open);
            }
            let count = lanes_of(&self.on.mask);
            if count < FEW || count * 4 < again.size {
                continue;
            }
            for i in 0..k {
                let mask = self.on.mask[i];
                if mask.is_empty() {
                    continue;
                }
                for at in 0..again.regs.len() {
                    let (set, kept) = (&mut self.file.sets[again.regs[at] * k + i], &again.sets[at * k + i]);
                    for word in 0..W {
                        set[word] = set[word].blend(&kept[word], &mask);
                    }
                }
                for at in 0..again.number_regs.len() {
                    let number = &mut self.file.numbers[again.number_regs[at] * k + i];
                    *number = number.blend(&again.numbers[at * k + i], &mask);
                }
                let status = &mut self.at[i];
                let [passed, acted, play_again] = &again.flags[i];
                status.passed = status.passed.blend(passed, &mask);
                status.acted = status.acted.blend(acted, &mask);
                status.again = status.again.blend(play_again, &mask);
                status.failed = status.failed.without(&mask);
                status.alive = status.alive.or(&mask);
                (status.drawn, status.chose) = (status.drawn.without(&mask), status.chose.without(&mask));
                status.in_vain(&mask);
            }
            self.masks.clear();
            for at in 0..again.masks.len() {
                self.masks.push(again.masks[at].and(&self.on.mask[at % k]));
            }
            self.on.settle();
            self.redone = Some(redone);
            return Some(again.pc);
        }
        None
    }

    /// Goes on with the lanes whose number falls to an arm, and makes their option the one chosen.
    #[inline(always)]
    pub fn enter(&mut self, linked: &Linked, point: u32, arm: u16, only: bool) {
        let options = linked.points[point as usize].arms[usize::from(arm)].options;
        let pending = self.top();
        for i in 0..self.file.chunks {
            if !only {
                let waiting = self.masks[pending + i];
                let mine = waiting.and(&equal(&self.at[i].arm, u64::from(arm)));
                self.masks[pending + i] = waiting.without(&mine);
                self.on.mask[i] = mine;
            }
            let mine = self.on.mask[i];
            if mine.is_empty() {
                continue;
            }
            match options {
                Options::Cells { cell, .. } => {
                    let cell = self.file.at(cell) + i;
                    for word in 0..W {
                        self.file.sets[cell][word] = self.file.sets[cell][word].blend(&self.picks[i][word], &mine);
                    }
                }
                Options::One { .. } => {}
                options => {
                    for lane in mine.lanes() {
                        self.option(options, i, lane, self.at[i].option.0[lane]);
                    }
                }
            }
        }
        if !only {
            self.on.settle();
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

impl<const W: usize> File<W> {
    /// How many options an arm has.
    #[inline(always)]
    fn weight(&self, options: Options, i: usize) -> Chunk {
        match options {
            Options::Cells { of, .. } => count(&self.sets[self.at(of) + i]),
            Options::One { open } => lanewise!(open = &self.numbers[self.at_number(open) + i] => u64::from(open != 0)),
            Options::Range { from, to, .. } => {
                let (from, to) = (&self.numbers[self.at_number(from) + i], &self.numbers[self.at_number(to) + i]);
                lanewise!(from = from, to = to => {
                    let (from, to) = (from as i64, to as i64);
                    if from > to { 0 } else { to.abs_diff(from).saturating_add(1) }
                })
            }
            Options::Bits { of, .. } => {
                lanewise!(bits = &self.numbers[self.at_number(of) + i] => u64::from(bits.count_ones()))
            }
            Options::Pairs { of, .. } => {
                lanewise!(n = count(&self.sets[self.at(of) + i]) => n * n.saturating_sub(1) / 2)
            }
            // A game with such a choice is not played in lock step.
            Options::Groups { .. } => Chunk::NONE,
        }
    }

    /// How many runs there are at most behind one option of an arm.
    #[inline(always)]
    fn bound(&self, arm: &LinkedArm, i: usize) -> Chunk {
        if let Some(known) = arm.known_bound {
            return Chunk::all(known);
        }
        let mut sum = Chunk::NONE;
        for at in 0..arm.bound.terms.len() {
            let term = &arm.bound.terms[at];
            let mut product = Chunk::all(term.known);
            for at in 0..term.sizes.len() {
                let size = count(&self.sets[self.at(term.sizes[at]) + i]);
                product = lanewise!(product = product, size = size => product.wrapping_mul(size.max(1)));
            }
            sum = lanewise!(sum = sum, product = product => sum.wrapping_add(product));
        }
        sum
    }
}

/// All arms of a choice have the same bound, which is not 1.
#[inline(always)]
fn is_even(point: &Point) -> bool {
    point.even && point.bounded && !point.sure && point.arms[0].known_bound != Some(1)
}

#[inline(always)]
fn lanes_of(masks: &[Chunk]) -> u64 {
    let mut sum = Chunk::NONE;
    for i in 0..masks.len() {
        sum = lanewise!(sum = sum, mask = masks[i] => sum + (mask & 1));
    }
    let mut lanes = 0;
    for lane in 0..WIDE {
        lanes += sum.0[lane];
    }
    lanes
}

/// A number below each lane's total, as [`below`] draws it.
#[inline(always)]
fn draw(lots: &mut Lots, totals: &Chunk, mask: &Chunk) -> Chunk {
    let before = *lots;
    let words = lots.next(mask);
    let wide = lanewise!(word = words, total = totals => (word >> 32).wrapping_mul(total & u64::from(u32::MAX)));
    // Nearly always the first word will do.
    let doubtful = lanewise!(wide = wide, total = totals => {
        if wide & u64::from(u32::MAX) < total || total > u64::from(u32::MAX) { u64::MAX } else { 0 }
    });
    let mut drawn = wide.down(32);
    for lane in doubtful.and(mask).lanes() {
        let mut alone = before.get(lane);
        drawn.0[lane] = below(&mut alone, totals.0[lane]);
        for (now, before) in lots.0.iter_mut().zip(&before.0) {
            now.0[lane] = before.0[lane];
        }
        lots.catch_up(lane, &alone);
    }
    drawn
}
