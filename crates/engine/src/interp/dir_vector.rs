//! Direction-vector kernels: registers that follow one another, one for each direction, go in; the
//! same operation on all of them comes out.
//!
//! Rows take 4 or 8 registers. Lanes that have no direction hold whatever comes out; nothing reads
//! them. Loops go over indices: what is handed to an iterator of the library is not always compiled
//! for the processor at hand.

#![allow(clippy::needless_range_loop, clippy::manual_memcpy)]

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::interp::bitset;
use crate::interp::bitset::{Bitset, Step};
use crate::interp::dir_shift::{ABREAST, DirShift};
use crate::interp::tables::rays::{BothWays, Rays, Row, for_all};
use crate::interp::target::assert_has_code;
use crate::interp::tuning::MAX_RAY_ORIGINS_LOOKED_UP;
use crate::interp::unroll::unroll;
use crate::plan::{BitboardLayout, DirVector, MAX_SLOTS, REGISTERS, SetReg, VecBinaryOp};

/// The steps of a row.
#[derive(Debug)]
pub struct DirVectorTable<const W: usize> {
    steps: [Step<W>; MAX_SLOTS],
    /// Of sets of one word, by lane: the cells that can be left and those that can be reached; how
    /// far a word goes up or down, in 1, 2, 4, 8 and 16 steps.
    from: [u64; MAX_SLOTS],
    to: [u64; MAX_SLOTS],
    up: [[u64; MAX_SLOTS]; 5],
    down: [[u64; MAX_SLOTS]; 5],
    longest: u32,
    /// Of sets of two words, unless a step goes further than a word.
    abreast: Option<Vec<DirShift<W>>>,
    /// Of sets of more words.
    rays: Option<Rays<W>>,
}

impl<const W: usize> DirVectorTable<W> {
    pub fn new(fan: &DirVector, grid: &BitboardLayout) -> DirVectorTable<W> {
        let nowhere = Step::between([0; W], [0; W], 0);
        let step = |lane: usize| fan.hops.get(lane).map_or(nowhere, |&hop| Step::new(&grid.hops[usize::from(hop)]));
        let steps: [Step<W>; MAX_SLOTS] = std::array::from_fn(step);
        // No run is so long that it would leave the word, so what comes of a step cut short is
        // masked away.
        let far = |by: i32, doublings: usize| (i64::from(by) << doublings).clamp(0, 63) as u64;
        DirVectorTable {
            steps,
            from: steps.map(|step| step.from[0]),
            to: steps.map(|step| step.to[0]),
            up: std::array::from_fn(|doublings| steps.map(|step| far(step.by, doublings))),
            down: std::array::from_fn(|doublings| steps.map(|step| far(-step.by, doublings))),
            longest: fan.longest,
            abreast: DirShift::rows(&steps),
            rays: if W == 1 { None } else { Rays::along(&fan.hops, grid) },
        }
    }

    #[inline(always)]
    pub fn step(
        &self,
        sets: &mut [Bitset<W>; REGISTERS],
        (d, a, onto): (SetReg, SetReg, Option<SetReg>),
        lanes: u8,
        wide: u8,
    ) {
        if lanes <= 4 {
            self.step_of::<4>(sets, (d, a, onto), wide)
        } else {
            self.step_of::<MAX_SLOTS>(sets, (d, a, onto), wide)
        }
    }

    #[inline(always)]
    fn step_of<const L: usize>(
        &self,
        sets: &mut [Bitset<W>; REGISTERS],
        (d, a, onto): (SetReg, SetReg, Option<SetReg>),
        wide: u8,
    ) {
        let onto = kept(sets, onto);
        if W == 1 {
            let moved = self.moved::<L>(&zip(&row(sets, a, wide & 1), &first(&self.from), |a, from| a & from), 0);
            return put(sets, d, &zip(&moved, &[onto[0]; L], |moved, onto| moved & onto));
        }
        if let Some(rows) = &self.abreast {
            let (a, mut made) = (all::<W, L>(sets, a, wide & 1), [[0; W]; L]);
            for row in 0..L / ABREAST {
                let Some(steps) = rows.get(row) else { break };
                let mut four = [[0; W]; ABREAST];
                unroll!(lane < ABREAST => {
                    four[lane] = a[row * ABREAST + lane];
                });
                let four = steps.of_each(&four);
                unroll!(lane < ABREAST => {
                    made[row * ABREAST + lane] = bitset::and(&four[lane], &onto);
                });
            }
            *lanes_of_mut(sets, d) = made;
            return;
        }
        unroll!(lane < L => {
            sets[lane_of(d, lane, 1)] = bitset::and(&self.steps[lane].of(&sets[lane_of(a, lane, wide & 1)]), &onto);
        });
    }

    /// By lane, the word moved so many steps as the doublings make; one of the two movements does
    /// nothing.
    #[inline(always)]
    fn moved<const L: usize>(&self, a: &[u64; L], doublings: usize) -> [u64; L] {
        let (up, down) = (first::<L>(&self.up[doublings]), first::<L>(&self.down[doublings]));
        let mut moved = [0; L];
        unroll!(lane < L => {
            moved[lane] = a[lane] << up[lane] >> down[lane];
        });
        moved
    }

    /// The cells of the lines from each cell of a set through another, along all directions, as far
    /// as they lie in a third, if there is one. `SEEN`: with the first cell behind each.
    #[inline(always)]
    pub fn lines<const SEEN: bool>(
        &self,
        sets: &mut [Bitset<W>; REGISTERS],
        both: &mut BothWays<W>,
        (d, a, through, onto): (SetReg, SetReg, SetReg, Option<SetReg>),
        lanes: u8,
        wide: u8,
    ) {
        if W == 1 {
            self.lines_of::<SEEN>(sets, both, (d, a, through, onto), (lanes, wide));
        } else {
            apart::<W, SEEN>(self, sets, both, (d, a, through, onto), (lanes, wide));
        }
    }

    #[inline(always)]
    fn lines_of<const SEEN: bool>(
        &self,
        sets: &mut [Bitset<W>; REGISTERS],
        both: &mut BothWays<W>,
        (d, a, through, onto): (SetReg, SetReg, SetReg, Option<SetReg>),
        (lanes, wide): (u8, u8),
    ) {
        if lanes <= 4 {
            self.lines_in::<4, SEEN>(sets, both, (d, a, through, onto), wide);
        } else {
            self.lines_in::<MAX_SLOTS, SEEN>(sets, both, (d, a, through, onto), wide);
        }
    }

    #[inline(always)]
    fn lines_in<const L: usize, const SEEN: bool>(
        &self,
        sets: &mut [Bitset<W>; REGISTERS],
        both: &mut BothWays<W>,
        (d, a, through, onto): (SetReg, SetReg, SetReg, Option<SetReg>),
        wide: u8,
    ) {
        if W == 1 {
            let a = row(sets, a, wide & 1);
            let run = self.doubled::<L>(&a, &row(sets, through, wide & 2));
            let begun = zip(&zip(&run, &a, |run, a| run | a), &first(&self.from), |begun, from| begun & from);
            let (made, onto) = (if SEEN { self.moved::<L>(&begun, 0) } else { run }, kept(sets, onto)[0]);
            return put(sets, d, &zip(&made, &[onto; L], |made, onto| made & onto));
        }
        match &self.rays {
            Some(rays) if wide == 0 && bitset::count(&sets[lane_of(a, 0, 0)]) <= MAX_RAY_ORIGINS_LOOKED_UP => {
                self.look::<L, SEEN>(rays, sets, both, (d, a, through, onto));
            }
            _ => self.by_lane::<L, SEEN>(sets, both, (d, a, through, onto), wide),
        }
    }

    /// [`DirVectorTable::lines`] of each lane from its own cells.
    #[inline(always)]
    fn by_lane<const L: usize, const SEEN: bool>(
        &self,
        sets: &mut [Bitset<W>; REGISTERS],
        both: &mut BothWays<W>,
        (d, a, through, onto): (SetReg, SetReg, SetReg, Option<SetReg>),
        wide: u8,
    ) {
        let (onto, asked) = (kept(sets, onto), onto.is_some());
        let sought = if asked { for_all(&onto) } else { [[0; ABREAST]; W] };
        for lane in 0..self.rays.as_ref().map_or(L, |rays| rays.count().min(L)) {
            let (from, through) = (sets[lane_of(a, lane, wide & 1)], sets[lane_of(through, lane, wide & 2)]);
            let made = match &self.rays {
                Some(rays) if bitset::count(&from) <= MAX_RAY_ORIGINS_LOOKED_UP / 4 => {
                    // Mostly nothing that is sought stands on the lines.
                    if asked && !rays.reach(lane, &from, &sought) {
                        [0; W]
                    } else {
                        rays.from::<SEEN>(lane, &from, &both.of(&through))
                    }
                }
                _ if SEEN => self.steps[lane].of(&bitset::or(&self.run(lane, &from, &through), &from)),
                _ => self.run(lane, &from, &through),
            };
            sets[lane_of(d, lane, 1)] = bitset::and(&made, &onto);
        }
    }

    /// [`DirVectorTable::lines`] from the cells of one set, which are few.
    #[inline(always)]
    fn look<const L: usize, const SEEN: bool>(
        &self,
        rays: &Rays<W>,
        sets: &mut [Bitset<W>; REGISTERS],
        both: &mut BothWays<W>,
        (d, a, through, onto): (SetReg, SetReg, SetReg, Option<SetReg>),
    ) {
        let (from, through, onto) = (sets[lane_of(a, 0, 0)], both.of(&sets[lane_of(through, 0, 0)]), kept(sets, onto));
        let mut found: [Row<W>; MAX_SLOTS] = [[[0; ABREAST]; W]; MAX_SLOTS];
        for row in 0..rays.rows().min(MAX_SLOTS) {
            let mut all = [[0; ABREAST]; W];
            for word in 0..W {
                let mut left = from[word];
                while left != 0 {
                    let bit = word * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let lines = rays.lines(row, bit, &through);
                    unroll!(word < W => {
                        unroll!(lane < ABREAST => {
                            let stop = if SEEN { lines.stop[word][lane] } else { 0 };
                            all[word][lane] |= lines.run[word][lane] | stop;
                        });
                    });
                }
            }
            found[row] = all;
        }
        for lane in 0..L.min(rays.count()) {
            sets[lane_of(d, lane, 1)] = bitset::and(&rays.of_dir(lane, &found), &onto);
        }
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
    fn run(&self, lane: usize, a: &Bitset<W>, through: &Bitset<W>) -> Bitset<W> {
        let step = &self.steps[lane];
        let mut front = bitset::and(&step.of(a), through);
        let mut all = front;
        let mut left = self.longest;
        while left > 1 && !bitset::is_empty(&front) {
            front = bitset::and(&step.of(&front), through);
            all = bitset::or(&all, &front);
            left -= 1;
        }
        all
    }
}

/// [`DirVectorTable::lines`] of sets of several words: so much code that the loop over all
/// operations is slower with it.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn apart<const W: usize, const SEEN: bool>(
    fan: &DirVectorTable<W>,
    sets: &mut [Bitset<W>; REGISTERS],
    both: &mut BothWays<W>,
    regs: (SetReg, SetReg, SetReg, Option<SetReg>),
    (lanes, wide): (u8, u8),
) {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    fan.lines_of::<SEEN>(sets, both, regs, (lanes, wide));
}

#[inline(always)]
fn zip<const L: usize>(a: &[u64; L], b: &[u64; L], f: impl Fn(u64, u64) -> u64) -> [u64; L] {
    let mut made = [0; L];
    unroll!(lane < L => {
        made[lane] = f(a[lane], b[lane]);
    });
    made
}

#[inline(always)]
fn first<const L: usize>(all: &[u64; MAX_SLOTS]) -> [u64; L] {
    let mut some = [0; L];
    unroll!(lane < L => {
        some[lane] = all[lane];
    });
    some
}

/// Where the set of a lane stands: of a row, or one set for all lanes.
#[inline(always)]
fn lane_of(first: SetReg, lane: usize, wide: u8) -> usize {
    // The linker gives rows their whole size.
    (usize::from(first.0 as u8) + lane * usize::from(wide != 0)) % REGISTERS
}

/// What is kept of what is made: what lies in a set, if there is one.
#[inline(always)]
fn kept<const W: usize>(sets: &[Bitset<W>; REGISTERS], onto: Option<SetReg>) -> Bitset<W> {
    if let Some(onto) = onto { sets[lane_of(onto, 0, 0)] } else { [u64::MAX; W] }
}

/// The sets of all lanes, as far as there are registers.
#[inline(always)]
fn lanes_of<const W: usize, const L: usize>(sets: &[Bitset<W>; REGISTERS], first: SetReg) -> &[Bitset<W>; L] {
    // Rows begin where there is room for them, so the least of both is the first.
    let first = usize::from(first.0 as u8).min(REGISTERS - L);
    sets[first..].first_chunk().expect("a row has so many registers")
}

/// [`lanes_of`], to be written.
#[inline(always)]
fn lanes_of_mut<const W: usize, const L: usize>(
    sets: &mut [Bitset<W>; REGISTERS],
    first: SetReg,
) -> &mut [Bitset<W>; L] {
    let first = usize::from(first.0 as u8).min(REGISTERS - L);
    sets[first..].first_chunk_mut().expect("a row has so many registers")
}

/// The sets of all lanes: of a row, or one set for each.
#[inline(always)]
fn all<const W: usize, const L: usize>(sets: &[Bitset<W>; REGISTERS], first: SetReg, wide: u8) -> [Bitset<W>; L] {
    if wide == 0 { [sets[usize::from(first.0 as u8)]; L] } else { *lanes_of(sets, first) }
}

/// The sets of one word of all lanes.
#[inline(always)]
fn row<const W: usize, const L: usize>(sets: &[Bitset<W>; REGISTERS], first: SetReg, wide: u8) -> [u64; L] {
    let mut row = [0; L];
    if wide == 0 {
        return [sets[usize::from(first.0 as u8)][0]; L];
    }
    let lanes = lanes_of::<W, L>(sets, first);
    unroll!(lane < L => {
        row[lane] = lanes[lane][0];
    });
    row
}

#[inline(always)]
fn put<const W: usize, const L: usize>(sets: &mut [Bitset<W>; REGISTERS], first: SetReg, row: &[u64; L]) {
    let lanes = lanes_of_mut::<W, L>(sets, first);
    unroll!(lane < L => {
        lanes[lane] = [row[lane]; W];
    });
}

/// A set in each lane of which a number has the bit, nothing in others.
#[inline(always)]
pub fn save_clobbered<const W: usize>(
    sets: &mut [Bitset<W>; REGISTERS],
    (d, a): (SetReg, SetReg),
    n: i64,
    bits: u64,
    lanes: u8,
) {
    if lanes <= 4 { keep_of::<W, 4>(sets, (d, a), n, bits) } else { keep_of::<W, MAX_SLOTS>(sets, (d, a), n, bits) }
}

#[inline(always)]
fn keep_of<const W: usize, const L: usize>(
    sets: &mut [Bitset<W>; REGISTERS],
    (d, a): (SetReg, SetReg),
    n: i64,
    bits: u64,
) {
    let (a, bits, mut made) = (sets[lane_of(a, 0, 0)], bits.to_le_bytes(), [[0; W]; L]);
    unroll!(lane < L => {
        let mask = (n as u64 >> (bits[lane] & 63) & 1).wrapping_neg();
        made[lane] = bitset::and(&a, &[mask; W]);
    });
    *lanes_of_mut(sets, d) = made;
}

#[inline(always)]
pub fn pair<const W: usize>(
    sets: &mut [Bitset<W>; REGISTERS],
    pairing: VecBinaryOp,
    regs: (SetReg, SetReg, SetReg),
    lanes: u8,
    wide: u8,
) {
    if lanes <= 4 {
        pair_of::<W, 4>(sets, pairing, regs, wide)
    } else {
        pair_of::<W, MAX_SLOTS>(sets, pairing, regs, wide)
    }
}

#[inline(always)]
fn pair_of<const W: usize, const L: usize>(
    sets: &mut [Bitset<W>; REGISTERS],
    pairing: VecBinaryOp,
    (d, a, b): (SetReg, SetReg, SetReg),
    wide: u8,
) {
    match pairing {
        VecBinaryOp::And => each::<W, L>(sets, (d, a, b), wide, bitset::and),
        VecBinaryOp::Or => each::<W, L>(sets, (d, a, b), wide, bitset::or),
        VecBinaryOp::Without => each::<W, L>(sets, (d, a, b), wide, bitset::without),
    }
}

#[inline(always)]
fn each<const W: usize, const L: usize>(
    sets: &mut [Bitset<W>; REGISTERS],
    (d, a, b): (SetReg, SetReg, SetReg),
    wide: u8,
    make: impl Fn(&Bitset<W>, &Bitset<W>) -> Bitset<W>,
) {
    if W == 1 {
        let (a, b) = (row::<W, L>(sets, a, wide & 1), row::<W, L>(sets, b, wide & 2));
        let mut made = [0; L];
        unroll!(lane < L => {
            made[lane] = make(&[a[lane]; W], &[b[lane]; W])[0];
        });
        return put(sets, d, &made);
    }
    if W == 2 {
        let (a, b, mut made) = (all::<W, L>(sets, a, wide & 1), all::<W, L>(sets, b, wide & 2), [[0; W]; L]);
        unroll!(lane < L => {
            made[lane] = make(&a[lane], &b[lane]);
        });
        *lanes_of_mut(sets, d) = made;
        return;
    }
    unroll!(lane < L => {
        sets[lane_of(d, lane, 1)] = make(&sets[lane_of(a, lane, wide & 1)], &sets[lane_of(b, lane, wide & 2)]);
    });
}

/// What is in a set and what is not, of each lane.
#[inline(always)]
pub fn part<const W: usize>(
    sets: &mut [Bitset<W>; REGISTERS],
    regs: (SetReg, SetReg, SetReg, SetReg),
    lanes: u8,
    wide: u8,
) {
    if lanes <= 4 { part_of::<W, 4>(sets, regs, wide) } else { part_of::<W, MAX_SLOTS>(sets, regs, wide) }
}

#[inline(always)]
fn part_of<const W: usize, const L: usize>(
    sets: &mut [Bitset<W>; REGISTERS],
    (d, e, a, b): (SetReg, SetReg, SetReg, SetReg),
    wide: u8,
) {
    if W > 1 {
        each::<W, L>(sets, (d, a, b), wide, bitset::without);
        return each::<W, L>(sets, (e, a, b), wide, bitset::and);
    }
    let (a, b) = (row::<W, L>(sets, a, wide & 1), row::<W, L>(sets, b, wide & 2));
    let (mut without, mut within) = ([0; L], [0; L]);
    unroll!(lane < L => {
        without[lane] = a[lane] & !b[lane];
        within[lane] = a[lane] & b[lane];
    });
    put(sets, d, &without);
    put(sets, e, &within);
}

/// The cells of all sets of a row.
#[inline(always)]
pub fn union<const W: usize>(sets: &[Bitset<W>; REGISTERS], first: SetReg, lanes: u8) -> Bitset<W> {
    match lanes {
        4 => union_of::<W, 4>(sets, first),
        8 => union_of::<W, MAX_SLOTS>(sets, first),
        _ => {
            let mut all = sets[lane_of(first, 0, 1)];
            for lane in 1..usize::from(lanes) {
                all = bitset::or(&all, &sets[lane_of(first, lane, 1)]);
            }
            all
        }
    }
}

/// Of a row that is full: set by set, so that whole sets are stored.
#[inline(always)]
fn union_of<const W: usize, const L: usize>(sets: &[Bitset<W>; REGISTERS], first: SetReg) -> Bitset<W> {
    let lanes = lanes_of::<W, L>(sets, first);
    let mut all = lanes[0];
    for lane in 1..L {
        all = bitset::or(&all, &lanes[lane]);
    }
    all
}
