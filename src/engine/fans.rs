//! Operations on rows: a set for each of several directions, in registers that follow one another.
//!
//! Rows take 4 or 8 registers. Lanes that have no direction hold whatever comes out; nothing reads them.

use super::words::{self, Step, Words};
use crate::ir::{Fan, Grid, LANES, Pairing, REGISTERS, S};

/// From sets of more words than one, runs of so many cells or fewer are walked cell by cell.
const FEW: u32 = 8;

/// The steps of a row.
#[derive(Debug)]
pub struct FanTable<const W: usize> {
    steps: [Step<W>; LANES],
    /// Of sets of one word, by lane: the cells that can be left and those that can be reached, and how far a word goes up or down in
    /// 1, 2 and 4 steps, and in 8 and 16.
    from: [u64; LANES],
    to: [u64; LANES],
    up: [[u64; LANES]; 5],
    down: [[u64; LANES]; 5],
    longest: u32,
}

impl<const W: usize> FanTable<W> {
    pub fn new(fan: &Fan, grid: &Grid) -> FanTable<W> {
        let nowhere = Step { from: [0; W], to: [0; W], by: 0 };
        let step = |lane: usize| fan.hops.get(lane).map_or(nowhere, |&hop| Step::new(&grid.hops[usize::from(hop)]));
        let steps: [Step<W>; LANES] = std::array::from_fn(step);
        // What goes further than a word is long is gone, and so is what 63 leaves: a line of that many steps has no more than 64 cells.
        let far = |by: i32, doublings: usize| (i64::from(by) << doublings).clamp(0, 63) as u64;
        FanTable {
            steps,
            from: steps.map(|step| step.from[0]),
            to: steps.map(|step| step.to[0]),
            up: std::array::from_fn(|doublings| steps.map(|step| far(step.by, doublings))),
            down: std::array::from_fn(|doublings| steps.map(|step| far(-step.by, doublings))),
            longest: fan.longest,
        }
    }

    #[inline(always)]
    pub fn step(&self, sets: &mut [Words<W>; REGISTERS], (d, a): (S, S), lanes: u8, wide: u8) {
        if lanes <= 4 { self.step_of::<4>(sets, (d, a), wide) } else { self.step_of::<LANES>(sets, (d, a), wide) }
    }

    #[inline(always)]
    fn step_of<const L: usize>(&self, sets: &mut [Words<W>; REGISTERS], (d, a): (S, S), wide: u8) {
        let a = row::<W, L>(sets, a, wide & 1);
        if W == 1 {
            let a = self.moved::<L>(&zip(&words_of(&a), &first(&self.from), |a, from| a & from), 0);
            return put(sets, d, sets_of(&a));
        }
        put(sets, d, std::array::from_fn::<_, L, _>(|lane| self.steps[lane].of(&a[lane])));
    }

    /// By lane, the word moved so many steps as the doublings make; one of the two movements does nothing.
    #[inline(always)]
    fn moved<const L: usize>(&self, a: &[u64; L], doublings: usize) -> [u64; L] {
        let (up, down) = (first::<L>(&self.up[doublings]), first::<L>(&self.down[doublings]));
        std::array::from_fn(|lane| a[lane] << up[lane] >> down[lane])
    }

    #[inline(always)]
    pub fn fill(&self, sets: &mut [Words<W>; REGISTERS], (d, a, through): (S, S, S), lanes: u8, wide: u8) {
        if lanes <= 4 {
            self.fill_of::<4>(sets, (d, a, through), wide);
        } else {
            self.fill_of::<LANES>(sets, (d, a, through), wide);
        }
    }

    #[inline(always)]
    fn fill_of<const L: usize>(&self, sets: &mut [Words<W>; REGISTERS], (d, a, through): (S, S, S), wide: u8) {
        let (a, through) = (row::<W, L>(sets, a, wide & 1), row::<W, L>(sets, through, wide & 2));
        if W == 1 {
            return put(sets, d, sets_of(&self.doubled(&words_of(&a), &words_of(&through))));
        }
        let walked = wide & 1 == 0 && words::count(&a[0]) <= FEW;
        put(sets, d, std::array::from_fn::<_, L, _>(|lane| {
            if walked { self.walk(lane, &a[lane], &through[lane]) } else { self.run(lane, &a[lane], &through[lane]) }
        }));
    }

    /// Runs double: 1, 2, 4, ... steps at once, along cells that a step leads to.
    #[inline(always)]
    fn doubled<const L: usize>(&self, a: &[u64; L], through: &[u64; L]) -> [u64; L] {
        let mut open = zip(through, &first(&self.to), |through, to| through & to);
        let mut found = zip(&open, &self.moved(a, 0), |open, a| open & a);
        let mut doublings = 0;
        while 1 << doublings < self.longest && doublings < self.up.len() {
            let further = zip(&open, &self.moved(&found, doublings), |open, found| open & found);
            found = zip(&found, &further, |found, further| found | further);
            open = zip(&open, &self.moved(&open, doublings), |open, before| open & before);
            doublings += 1;
        }
        found
    }

    #[inline(always)]
    fn walk(&self, lane: usize, a: &Words<W>, through: &Words<W>) -> Words<W> {
        let step = &self.steps[lane];
        let is_in = |set: &Words<W>, at: usize| set[(at / 64) % W] >> (at % 64) & 1 == 1;
        let mut found = [0; W];
        for word in 0..W {
            let mut left = a[word];
            while left != 0 {
                let start = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let (mut at, mut steps) = (start, 0);
                while is_in(&step.from, at) && steps < self.longest {
                    at = at.wrapping_add_signed(step.by as isize);
                    if !is_in(through, at) {
                        break;
                    }
                    found[(at / 64) % W] |= 1 << (at % 64);
                    steps += 1;
                }
            }
        }
        found
    }

    #[inline(always)]
    fn run(&self, lane: usize, a: &Words<W>, through: &Words<W>) -> Words<W> {
        let step = &self.steps[lane];
        let mut front = words::and(&step.of(a), through);
        let mut all = front;
        let mut left = self.longest;
        while left > 1 && !words::is_empty(&front) {
            front = words::and(&step.of(&front), through);
            all = words::or(&all, &front);
            left -= 1;
        }
        all
    }
}

#[inline(always)]
fn zip<const L: usize>(a: &[u64; L], b: &[u64; L], f: impl Fn(u64, u64) -> u64) -> [u64; L] {
    std::array::from_fn(|lane| f(a[lane], b[lane]))
}

#[inline(always)]
fn first<const L: usize>(all: &[u64; LANES]) -> [u64; L] {
    std::array::from_fn(|lane| all[lane])
}

#[inline(always)]
fn words_of<const W: usize, const L: usize>(row: &[Words<W>; L]) -> [u64; L] {
    std::array::from_fn(|lane| row[lane][0])
}

#[inline(always)]
fn sets_of<const W: usize, const L: usize>(row: &[u64; L]) -> [Words<W>; L] {
    std::array::from_fn(|lane| [row[lane]; W])
}

#[inline(always)]
fn both<const W: usize, const L: usize>(a: &[Words<W>; L], b: &[Words<W>; L]) -> [Words<W>; L] {
    std::array::from_fn(|lane| words::and(&a[lane], &b[lane]))
}

/// An operand: a row, or one set for all lanes.
#[inline(always)]
fn row<const W: usize, const L: usize>(sets: &[Words<W>; REGISTERS], first: S, wide: u8) -> [Words<W>; L] {
    let first = usize::from(first.0 as u8);
    if wide == 0 {
        return [sets[first]; L];
    }
    // The linker gives rows their whole size.
    sets.get(first..first + L).and_then(|row| row.try_into().ok()).unwrap_or([[0; W]; L])
}

#[inline(always)]
fn put<const W: usize, const L: usize>(sets: &mut [Words<W>; REGISTERS], first: S, row: [Words<W>; L]) {
    let first = usize::from(first.0 as u8);
    if let Some(place) = sets.get_mut(first..first + L) {
        place.copy_from_slice(&row);
    }
}

#[inline(always)]
pub fn pair<const W: usize>(sets: &mut [Words<W>; REGISTERS], pairing: Pairing, regs: (S, S, S), lanes: u8, wide: u8) {
    if lanes <= 4 { pair_of::<W, 4>(sets, pairing, regs, wide) } else { pair_of::<W, LANES>(sets, pairing, regs, wide) }
}

#[inline(always)]
fn pair_of<const W: usize, const L: usize>(sets: &mut [Words<W>; REGISTERS], pairing: Pairing, (d, a, b): (S, S, S), wide: u8) {
    let (a, b) = (row::<W, L>(sets, a, wide & 1), row::<W, L>(sets, b, wide & 2));
    let made = match pairing {
        Pairing::And => both(&a, &b),
        Pairing::Or => std::array::from_fn(|lane| words::or(&a[lane], &b[lane])),
        Pairing::Without => std::array::from_fn(|lane| words::without(&a[lane], &b[lane])),
    };
    put(sets, d, made);
}

/// The cells of all sets of a row.
#[inline(always)]
pub fn union<const W: usize>(sets: &[Words<W>; REGISTERS], first: S, lanes: u8) -> Words<W> {
    let first = usize::from(first.0 as u8);
    sets[first..].iter().take(usize::from(lanes)).fold([0; W], |all, set| words::or(&all, set))
}
