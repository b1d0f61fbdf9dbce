//! Draws where what is left of a number is that of a cell on a line from the cell chosen, as [`Aims`] tells them.
//!
//! Of few options, the cells that lines come to are counted for all lanes at once, and each lane's number is that of one. Of many, what a draw
//! looks at is so little that lanes do better one after the other, each until its number is that of a cell that nothing lies before.

use multiversion::multiversion;
use multiversion::target::match_target;

use super::draw::cells_of;
use super::lanes::{Cells, File, Mask, Set, load, of_lane, put, shift, some, store};
use super::lot::Lot;
use super::sets::{and, or, within};
use super::status::Lanes;
use super::vector::{Chunk, Vectors, WIDE};
#[cfg(target_arch = "x86_64")]
use crate::engine::deposit;
use crate::engine::{Aim, Aims, DIGITS, FEW_OPTIONS, LINES, Line, Tally, below_by, bit, find_aim, meets, nth_number};
use crate::ir::{Point, S};

/// Most arms of a choice that is drawn from so.
pub const ARMS: usize = 16;

/// What was counted in the lanes of a chunk.
struct Counted<const W: usize> {
    /// How many arms offer each cell: a set for each binary digit.
    tally: [Set<W>; DIGITS],
    /// By line: how many cells it and those before it come to.
    upto: [Chunk; LINES],
}

/// What a number is that of: an arm, a cell that it offers, and one on a line from there.
struct Hit {
    arm: usize,
    cell: usize,
    to: u64,
}

/// The options of a lane, which are not counted by their lines.
struct Offered {
    /// By arm: how many options it has with those before it.
    upto: [u64; ARMS],
    /// Runs behind each option, and all.
    each: u64,
    total: u64,
}

impl<V: Vectors, const W: usize, const K: usize> Lanes<V, W, K> {
    /// Draws for the lanes that have no number, and finds their options; all arms put the cell in one register. Where there are few options, the
    /// cells that lines come to are counted; other lanes draw one after the other until they have the number of such a cell. Tells which
    /// lanes have failed.
    #[inline(always)]
    pub fn draw_aimed(&mut self, number: u32, point: &Point, (cell, x): (S, S), aims: &Aims<W>) -> Mask {
        let (v, on, last) = (self.v, self.on.without(self.who.drawn), point.arms.len() - 1);
        let (mut none, mut lost, mut vain) = (Mask::NONE, Mask::NONE, Mask::NONE);
        for i in on.chunks() {
            let choice = &self.choices[number as usize];
            let (options, mask) = (v.load(&choice.options[i]), on.lanes(v, i));
            let few = if aims.lines(last + 1, 0).is_some() { v.less(options, v.all(FEW_OPTIONS)) } else { v.none() };
            let mut total = v.load(&choice.totals[i]);
            let mut counted = None;
            if v.any(v.and(few, mask)) {
                let made = self.count_aims(point, x, &aims.lines, i);
                let counts = v.load(&made.upto[aims.lines.len() - 1]);
                total = v.blend(total, counts, few);
                let drawing = v.without(v.and(few, mask), v.equal(counts, v.none()));
                self.draw_below(i, counts, drawing, false);
                counted = Some(made);
            }
            put(v, &mut self.at[i].limit, super::draw::limit(v, total), mask);
            let (few, totals) = (v.store(few), v.store(total));
            for lane in (0..WIDE).filter(|&lane| on.has(i, lane)) {
                let through = self.file.get(usize::from(x.0), i, lane);
                if totals.0[lane] == 0 {
                    none.add(i, lane);
                    continue;
                }
                let hit = if let (Some(counted), true) = (&counted, few.0[lane] != 0) {
                    let aim = find(&aims.lines, (counted, &through), lane, self.at[i].number.0[lane]);
                    aim.and_then(|aim| self.hit(point, aim, (i, lane)))
                } else {
                    let before = self.at[i].tries.0[lane];
                    let hit = self.aim(number, point, (aims, &through), (i, lane));
                    if self.at[i].tries.0[lane] > before {
                        vain.add(i, lane);
                    }
                    hit
                };
                if let Some(Hit { arm, cell: chosen, to }) = hit {
                    self.choices[number as usize].fallen[i].0[lane] = arm as u64;
                    self.at[i].number.0[lane] = to;
                    self.file.put(usize::from(cell.0), i, lane, &bit(chosen));
                } else {
                    lost.add(i, lane);
                }
            }
        }
        let drawing = on.without(none);
        self.begin_drawn(point, drawing);
        self.who.chose = self.who.chose.or(drawing);
        self.who.in_vain(vain);
        lost.or(none)
    }

    /// What a lane's number is that of: the cell is offered by several arms, one for each count.
    #[inline(always)]
    fn hit(&self, point: &Point, Aim { cell, count, to }: Aim, (i, lane): (usize, usize)) -> Option<Hit> {
        let (chosen, mut before) = (bit(cell), count);
        for (arm, offered) in point.arms.iter().enumerate() {
            if meets(&self.file.get(usize::from(cells_of(offered).0), i, lane), &chosen) {
                if before == 0 {
                    return Some(Hit { arm, cell, to });
                }
                before -= 1;
            }
        }
        None
    }

    /// A lane draws until its number is that of a cell on a line, or one draw more would be too many.
    #[inline(always)]
    fn aim(&mut self, number: u32, point: &Point, of: (&Aims<W>, &[u64; W]), (i, lane): (usize, usize)) -> Option<Hit> {
        let (choice, status) = (&self.choices[number as usize], &mut self.at[i]);
        let (mut upto, mut sum) = ([u64::MAX; ARMS], 0);
        for (upto, counts) in upto.iter_mut().zip(&choice.counts) {
            sum += counts[i].0[lane];
            *upto = sum;
        }
        let each = choice.classes.first().map_or(1, |class| class.bounds[i].0[lane]).max(1);
        let offered = Offered { upto, each, total: choice.totals[i].0[lane] };
        let (mut lot, before) = (status.lots.lot(lane), status.tries.0[lane]);
        let (hit, tries) = aim(&self.file, point, of, &offered, (i, lane), &mut lot, (before, status.limit.0[lane]));
        status.lots.put(lane, &lot);
        status.tries.0[lane] = tries;
        let first = tries == before && !self.who.again_drawn.has(i, lane);
        status.offered.0[lane] = if first { offered.total } else { 0 };
        hit
    }

    /// [`count_aims`](crate::engine::count_aims) for the lanes of a chunk.
    #[inline(always)]
    fn count_aims(&self, point: &Point, x: S, lines: &[Line<W>], i: usize) -> Counted<W> {
        let (v, sets, arms) = (self.v, &self.file.sets, point.arms.as_slice());
        let mut tally = [[v.none(); W]; DIGITS];
        for arm in 0..arms.len() {
            let mut carry = load(v, &sets[usize::from(cells_of(&arms[arm]).0)][i]);
            for digit in 0..=((arm + 1).ilog2() as usize).min(DIGITS - 1) {
                let both = and(v, &tally[digit], &carry);
                for word in 0..W {
                    tally[digit][word] = v.xor(tally[digit][word], carry[word]);
                }
                carry = both;
            }
        }
        let (x, mut any, mut digits) = (load(v, &sets[usize::from(x.0)][i]), tally[0], 1);
        for digit in 1..DIGITS {
            if v.any(some(v, &tally[digit])) {
                (any, digits) = (or(v, &any, &tally[digit]), digit + 1);
            }
        }
        let mut counted = Counted { tally: [[Chunk::NONE; W]; DIGITS], upto: [Chunk::all(u64::MAX); LINES] };
        let mut total = v.none();
        for at in 0..lines.len() {
            let line = &lines[at];
            let open = back(v, line, &x);
            let mut level = open;
            for _ in 0..line.longest {
                if !v.any(some(v, &and(v, &level, &any))) {
                    break;
                }
                for digit in 0..digits {
                    let here = super::lanes::count(v, &and(v, &level, &tally[digit]));
                    total = v.add(total, v.up(here, digit as u32));
                }
                level = and(v, &open, &back(v, line, &level));
            }
            counted.upto[at] = v.store(total);
        }
        for digit in 0..DIGITS {
            counted.tally[digit] = store(v, &tally[digit]);
        }
        counted
    }
}

/// The cells from which a step comes to a set.
#[inline(always)]
fn back<V: Vectors, const W: usize>(v: V, line: &Line<W>, a: &Cells<V, W>) -> Cells<V, W> {
    within(v, &shift(v, a, -line.by), &line.from)
}

/// What the number of a lane is that of.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn find<const W: usize>(lines: &[Line<W>], (counted, x): (&Counted<W>, &[u64; W]), lane: usize, number: u64) -> Option<Aim> {
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => crate::engine::nth_bit,
    };
    let (mut tally, mut upto): (Tally<W>, _) = ([[0; W]; DIGITS], [0; LINES]);
    for digit in 0..DIGITS {
        tally[digit] = of_lane(&counted.tally[digit], lane);
    }
    for at in 0..LINES {
        upto[at] = counted.upto[at].0[lane];
    }
    find_aim(lines, (&tally, x), &upto, number, select)
}

/// Draws until a number is that of a run, or one draw more would be too many. With how often a lane has drawn in vain then.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn aim<const W: usize, const K: usize>(
    file: &File<W, K>,
    point: &Point,
    (aims, x): (&Aims<W>, &[u64; W]),
    offered: &Offered,
    at: (usize, usize),
    lot: &mut Lot,
    (mut tries, limit): (u64, u64),
) -> (Option<Hit>, u64) {
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => crate::engine::nth_bit,
    };
    loop {
        let number = below_by(|| lot.next(), offered.total);
        let (option, left) = (number / offered.each, number % offered.each);
        // Which arm it is cannot be foreseen: no jump for each.
        let (mut arm, mut begin) = (0, 0);
        for upto in offered.upto {
            let begun = upto <= option;
            arm += usize::from(begun);
            begin = if begun { upto } else { begin };
        }
        let Some(offers) = point.arms.get(arm) else { return (None, tries) };
        let cell = nth_number(&file.get(usize::from(cells_of(offers).0), at.0, at.1), (option - begin) as u32, select);
        if let Some(to) = aims.find(cell, left, x) {
            return (Some(Hit { arm, cell, to }), tries);
        }
        if tries + 1 >= limit {
            return (None, tries);
        }
        tries += 1;
    }
}
