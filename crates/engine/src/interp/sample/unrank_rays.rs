//! Unranking of rays: a cell and a rank go in; the target at this rank on the rays from the cell
//! comes out, if no blocker lies before it.
//!
//! From many cells at once, the cells that lines come to are counted by the steps they take: of
//! those from which one step goes well, those from which two do, and so on. A number below their
//! sum tells which cell it is, of which, and no number is given up.

// Loops by index: what is handed to an iterator is not always compiled for the processor at hand.
#![allow(clippy::needless_range_loop)]

use std::hint::select_unpredictable;

use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::tuning::MAX_COUNTED_OPTIONS;
use crate::plan::{BitboardLayout, NOWHERE, RayQuery};

/// The cells that lines from each cell of a board come to, in the order of [`RayQuery::lines`].
#[derive(Debug)]
pub struct RayTargets<const W: usize> {
    /// So many from a cell at most.
    most: usize,
    /// By bit, then number: the cells of the line up to this one; all bits, if there is none.
    ways: Vec<Bitset<W>>,
    /// And its bit, or [`NOWHERE`].
    cells: Vec<u16>,
    /// Where there are few and each is one hop, the lines.
    pub lines: Vec<Line<W>>,
}

/// Most lines whose cells are counted.
pub const LINES: usize = 8;
/// Digits of how often a cell may be counted.
pub const DIGITS: usize = 4;

/// A line of [`RayTargets`].
#[derive(Clone, Debug)]
pub struct Line<const W: usize> {
    /// Cells from which a step goes on.
    pub from: Bitset<W>,
    pub by: i32,
    pub longest: u32,
}

impl<const W: usize> Line<W> {
    /// The cells from which a step comes to a set.
    #[inline(always)]
    fn back(&self, a: &Bitset<W>) -> Bitset<W> {
        bitset::and(&bitset::shift(a, -self.by), &self.from)
    }
}

/// How often cells were counted: a set for each binary digit.
pub type Tally<const W: usize> = [Bitset<W>; DIGITS];

/// What a number is that of: a cell, one of its counts, and the cell that a line from it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RayTarget {
    pub cell: usize,
    pub count: usize,
    pub to: u64,
}

impl<const W: usize> RayTargets<W> {
    /// No cell, where a cell is looked up.
    pub const NONE: u64 = NOWHERE as u64;

    /// `None`: the cells of the trail are not found by number.
    pub fn new(trail: &RayQuery, grid: &BitboardLayout) -> Option<RayTargets<W>> {
        let most = if trail.numbered { trail.reach(grid)? } else { return None };
        let size = grid.words * 64 * most;
        let lines = lines(trail, grid).unwrap_or_default();
        let mut aims = RayTargets { most, ways: vec![[u64::MAX; W]; size], cells: vec![NOWHERE; size], lines };
        for bit in grid.any.iter() {
            let mut number = bit * most;
            for line in trail.lines(grid, bit) {
                let mut way = [0; W];
                for at in line {
                    way = bitset::or(&way, &bitset::bit(at));
                    (aims.ways[number], aims.cells[number]) = (way, at as u16);
                    number += 1;
                }
            }
        }
        Some(aims)
    }

    /// The bit of the cell with a number, counted from the cell of a bit, if a set has it and all
    /// cells before it on the line.
    #[inline(always)]
    pub fn find(&self, bit: usize, number: u64, x: &Bitset<W>) -> Option<u64> {
        let place = bit * self.most + number as usize;
        let open = number < self.most as u64 && bitset::is_empty(&bitset::without(self.ways.get(place)?, x));
        let to = if open { *self.cells.get(place)? } else { NOWHERE };
        if to == NOWHERE { None } else { Some(u64::from(to)) }
    }

    /// [`RayTargets::find`] without a jump, for many lanes that draw together: [`RayTargets::NONE`] if there is
    /// no such cell.
    #[inline(always)]
    pub fn look_up(&self, bit: usize, number: u64, x: &Bitset<W>) -> u64 {
        let place = (bit * self.most).wrapping_add(number as usize);
        let (Some(way), Some(&to)) = (self.ways.get(place), self.cells.get(place)) else { return Self::NONE };
        let open = number < self.most as u64 && bitset::is_empty(&bitset::without(way, x));
        u64::from(select_unpredictable(open, to, NOWHERE))
    }

    /// The lines whose cells are counted from so many options of so many arms, if they are.
    #[inline(always)]
    pub fn lines(&self, arms: usize, options: u64) -> Option<&[Line<W>]> {
        let counts = options < MAX_COUNTED_OPTIONS && arms < 1 << DIGITS && !self.lines.is_empty();
        if counts { Some(&self.lines) } else { None }
    }
}

/// By line: how many cells it and those before it come to within `x`, from each cell as often as it
/// is counted.
#[inline(always)]
pub fn count_ray_targets<const W: usize>(lines: &[Line<W>], tally: &Tally<W>, x: &Bitset<W>) -> [u64; LINES] {
    let (mut upto, mut total) = ([u64::MAX; LINES], 0);
    let (mut any, mut digits) = (tally[0], 1);
    for digit in 1..DIGITS {
        if !bitset::is_empty(&tally[digit]) {
            (any, digits) = (bitset::or(&any, &tally[digit]), digit + 1);
        }
    }
    for at in 0..lines.len().min(LINES) {
        let line = &lines[at];
        let open = line.back(x);
        let mut level = open;
        for _ in 0..line.longest {
            if !bitset::intersects(&level, &any) {
                break;
            }
            for digit in 0..digits {
                total += u64::from(bitset::count(&bitset::and(&level, &tally[digit]))) << digit;
            }
            level = bitset::and(&open, &line.back(&level));
        }
        upto[at] = total;
    }
    upto
}

/// What a number is that of, of those that [`count_ray_targets`] counted.
#[inline(always)]
pub fn find_ray_target<const W: usize>(
    lines: &[Line<W>],
    (tally, x): (&Tally<W>, &Bitset<W>),
    upto: &[u64; LINES],
    number: u64,
    select: impl Fn(u64, u32) -> u64,
) -> Option<RayTarget> {
    let (mut at, mut left) = (0, number);
    for upto in upto {
        let begun = *upto <= number;
        at += usize::from(begun);
        left = if begun { number - *upto } else { left };
    }
    let line = lines.get(at)?;
    let open = line.back(x);
    let mut level = open;
    for steps in 1..=line.longest {
        let (mut upto, mut total) = ([0; DIGITS], 0);
        for digit in 0..DIGITS {
            total += u64::from(bitset::count(&bitset::and(&level, &tally[digit]))) << digit;
            upto[digit] = total;
        }
        if left < total {
            let (cell, count) = find_count(tally, &level, &upto, left, select);
            let to = cell as i64 + i64::from(line.by) * i64::from(steps);
            return Some(RayTarget { cell, count, to: to as u64 });
        }
        left -= total;
        level = bitset::and(&open, &line.back(&level));
    }
    None
}

/// The cell of a level that a number is that of, and which of its counts; `upto`: by digit, how
/// many counts there are up to it.
#[inline(always)]
fn find_count<const W: usize>(
    tally: &Tally<W>,
    level: &Bitset<W>,
    upto: &[u64; DIGITS],
    number: u64,
    select: impl Fn(u64, u32) -> u64,
) -> (usize, usize) {
    let (mut at, mut left, mut digits) = (0, number, tally[0]);
    for digit in 1..DIGITS {
        let begun = upto[digit - 1] <= number;
        at += usize::from(begun);
        left = if begun { number - upto[digit - 1] } else { left };
        digits = if begun { tally[digit] } else { digits };
    }
    let cell = bitset::nth_number(&bitset::and(level, &digits), (left >> at) as u32, select);
    let mut lower = 0;
    for digit in 0..at {
        lower += usize::from(bitset::intersects(&tally[digit], &bitset::bit(cell))) << digit;
    }
    (cell, lower + (left as usize & ((1 << at) - 1)))
}

/// Counts the cells of another set, the one with this number.
#[inline(always)]
pub fn tally<const W: usize>(tally: &mut Tally<W>, set: &Bitset<W>, number: usize) {
    let mut carry = *set;
    // Mostly no cell is counted twice.
    if !bitset::intersects(&tally[0], &carry) {
        tally[0] = bitset::or(&tally[0], &carry);
        return;
    }
    for digit in 0..=((number + 1).ilog2() as usize).min(DIGITS - 1) {
        let both = bitset::and(&tally[digit], &carry);
        tally[digit] = bitset::zip(&tally[digit], &carry, |a, b| a ^ b);
        carry = both;
    }
}

/// The lines of a trail, if they are few, and each is one hop.
fn lines<const W: usize>(trail: &RayQuery, grid: &BitboardLayout) -> Option<Vec<Line<W>>> {
    let line = |&dir: &u16| match grid.dirs[usize::from(dir)].as_slice() {
        [hop] => {
            let hop = &grid.hops[usize::from(*hop)];
            Some(Line {
                from: bitset::of(&hop.from),
                by: hop.by,
                longest: grid.longest[usize::from(dir)].min(trail.most),
            })
        }
        _ => None,
    };
    if trail.dirs.len() > LINES { None } else { trail.dirs.iter().map(line).collect() }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use crate::board::{Shape, Topology};
    use crate::interp::bitset::nth_bit;
    use crate::interp::sample::unrank_rays::*;

    /// Each number is that of one option and one cell that a line from there comes to, and all such
    /// pairs have one.
    #[test]
    fn every_cell_on_a_line_has_one_number() {
        let board = Topology::new(Shape::square(10, 10)).expect("within the limits");
        let grid = BitboardLayout::new(&board, true);
        let dirs = (0..board.directions() as u16).collect();
        let trail = RayQuery { dirs, least: 1, most: u32::MAX, ended: false, numbered: true, single: false };
        let aims = RayTargets::<2>::new(&trail, &grid).expect("each cell is on one line");
        let lines = aims.lines(9, MAX_COUNTED_OPTIONS - 1).expect("few options and lines");
        assert!(aims.lines(9, MAX_COUNTED_OPTIONS).is_none());
        assert!(aims.lines(1 << DIGITS, 1).is_none());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(10);
        let mut twice = 0;
        for round in 0..100 {
            let mut some = |of_ten: u32| {
                let mut set = [0; 2];
                for bit in grid.any.iter().filter(|_| rng.random_range(0..10) < of_ten) {
                    set = bitset::or(&set, &bitset::bit(bit));
                }
                set
            };
            let x = some(3 + round % 7);
            let arms: Vec<Bitset<2>> = (0..9).map(|_| bitset::and(&some(2), &x)).collect();
            let mut tally_arms = Tally::default();
            arms.iter().enumerate().for_each(|(arm, set)| tally(&mut tally_arms, set, arm));
            let mut expected = Vec::new();
            for bit in grid.any.iter() {
                let counts = arms.iter().filter(|set| bitset::intersects(set, &bitset::bit(bit))).count();
                twice += counts.saturating_sub(1);
                for number in 0..=aims.most as u64 {
                    assert_eq!(
                        aims.look_up(bit, number, &x),
                        aims.find(bit, number, &x).unwrap_or(RayTargets::<2>::NONE)
                    );
                }
                for count in 0..counts {
                    let found = (0..aims.most as u64).filter_map(|number| aims.find(bit, number, &x));
                    expected.extend(found.map(|to| (bit, count, to)));
                }
            }
            let upto = count_ray_targets(lines, &tally_arms, &x);
            assert_eq!(upto[lines.len() - 1], expected.len() as u64);
            let find = |number| find_ray_target(lines, (&tally_arms, &x), &upto, number, nth_bit);
            let mut found: Vec<_> =
                (0..expected.len() as u64).filter_map(find).map(|aim| (aim.cell, aim.count, aim.to)).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
            assert_eq!(find(expected.len() as u64), None);
        }
        assert!(twice > 0, "no cell was offered by several arms");
    }
}
