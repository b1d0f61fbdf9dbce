//! Operations on sets of many games at once.

use super::lanes::{Chunk, File, Mask, Set, count, gathered, lanewise, light, sets, shift, some};
use super::trails::TrailSteps;
use crate::ir::{Bits, Fan, Grid, Hop, Pairing, S};

/// Steps that are walked at most, as in tables for one game.
const LONGEST_WALK: i64 = 1 << 11;

/// A step of one hop for sets of this width.
#[derive(Clone, Copy, Debug)]
pub struct Step<const W: usize> {
    from: [u64; W],
    to: [u64; W],
    by: i32,
}

impl<const W: usize> Step<W> {
    fn new(hop: &Hop) -> Step<W> {
        Step { from: std::array::from_fn(|word| hop.from.0[word]), to: std::array::from_fn(|word| hop.to.0[word]), by: hop.by }
    }

    #[inline(always)]
    pub fn of(&self, a: &Set<W>) -> Set<W> {
        shift(&within(a, &self.from), self.by)
    }
}

#[inline(always)]
fn within<const W: usize>(a: &Set<W>, cells: &[u64; W]) -> Set<W> {
    let mut made = [Chunk::NONE; W];
    for word in 0..W {
        made[word] = a[word].and(&Chunk::all(cells[word]));
    }
    made
}

#[inline(always)]
pub fn or<const W: usize>(a: &Set<W>, b: &Set<W>) -> Set<W> {
    let mut made = [Chunk::NONE; W];
    for word in 0..W {
        made[word] = a[word].or(&b[word]);
    }
    made
}

#[inline(always)]
pub fn and<const W: usize>(a: &Set<W>, b: &Set<W>) -> Set<W> {
    let mut made = [Chunk::NONE; W];
    for word in 0..W {
        made[word] = a[word].and(&b[word]);
    }
    made
}

#[inline(always)]
pub fn without<const W: usize>(a: &Set<W>, b: &Set<W>) -> Set<W> {
    let mut made = [Chunk::NONE; W];
    for word in 0..W {
        made[word] = a[word].without(&b[word]);
    }
    made
}

/// What the board gives.
#[derive(Debug)]
pub struct Steps<const W: usize> {
    pub hops: Vec<Step<W>>,
    /// By direction.
    dirs: Vec<Vec<Step<W>>>,
    longest: Vec<u32>,
    /// By number of a fixed set of directions.
    along: Vec<Vec<Step<W>>>,
    lists: Vec<Vec<[u64; W]>>,
    /// By completion: rows, and which of their cells may complete them.
    completions: Vec<Vec<[[u64; W]; 2]>>,
    fans: Vec<(Vec<Step<W>>, u32)>,
    pub trails: Vec<TrailSteps<W>>,
}

impl<const W: usize> Steps<W> {
    pub fn new(plan: &crate::ir::Plan) -> Steps<W> {
        let grid: &Grid = &plan.grid;
        let hops: Vec<Step<W>> = grid.hops.iter().map(Step::new).collect();
        let pick = |numbers: &[u16]| numbers.iter().map(|&hop| hops[usize::from(hop)]).collect::<Vec<_>>();
        let words = |bits: &Bits| std::array::from_fn(|word| bits.0[word]);
        let both = |(row, may): &(Bits, Bits)| [words(row), words(may)];
        let dirs: Vec<Vec<Step<W>>> = grid.dirs.iter().map(|numbers| pick(numbers)).collect();
        Steps {
            trails: plan.trails.iter().map(|trail| TrailSteps::new(trail, grid, &dirs)).collect(),
            dirs,
            longest: grid.longest.clone(),
            along: plan.along.iter().map(|numbers| pick(numbers)).collect(),
            lists: plan.lists.iter().map(|rows| rows.iter().map(words).collect()).collect(),
            completions: plan.completions.iter().map(|completion| completion.rows.iter().map(both).collect()).collect(),
            fans: plan.fans.iter().map(|fan: &Fan| (pick(&fan.hops), fan.longest)).collect(),
            hops,
        }
    }

    #[inline(always)]
    pub fn step(&self, a: &Set<W>, dir: u16) -> Set<W> {
        union(&self.dirs[usize::from(dir)], a)
    }

    #[inline(always)]
    pub fn around(&self, a: &Set<W>, along: u16) -> Set<W> {
        union(&self.along[usize::from(along)], a)
    }

    /// The cells that lines along some directions come to: through a set, and the first cell beyond.
    #[inline(always)]
    pub fn sight(&self, a: &Set<W>, through: &Set<W>, dirs: u32) -> Set<W> {
        let mut seen = [Chunk::NONE; W];
        let mut left = dirs;
        while left != 0 {
            let dir = left.trailing_zeros() as u16;
            left &= left - 1;
            let run = self.fill(a, through, dir);
            seen = or(&seen, &self.step(&or(a, &run), dir));
        }
        seen
    }

    /// The cells of those rows of a list that lie whole in a set.
    #[inline(always)]
    pub fn rows(&self, a: &Set<W>, list: u16) -> Set<W> {
        let mut found = [Chunk::NONE; W];
        let rows = &self.lists[usize::from(list)];
        for at in 0..rows.len() {
            let row = &rows[at];
            let mut missing = Chunk::NONE;
            for word in 0..W {
                missing = missing.or(&Chunk::all(row[word]).without(&a[word]));
            }
            let missing = missing.truth();
            for word in 0..W {
                found[word] = found[word].or(&Chunk::all(row[word]).without(&missing));
            }
        }
        found
    }

    /// The cells each of which makes with a set a row whole, as a completion tells.
    #[inline(always)]
    pub fn complete(&self, a: &Set<W>, how: u16) -> Set<W> {
        let mut found = [Chunk::NONE; W];
        let rows = &self.completions[usize::from(how)];
        for at in 0..rows.len() {
            let [row, may] = &rows[at];
            let mut missing = [Chunk::NONE; W];
            for word in 0..W {
                missing[word] = Chunk::all(row[word]).without(&a[word]);
            }
            let count = count(&missing);
            let none = lanewise!(count = count => u64::from(count == 0).wrapping_neg());
            let one = lanewise!(count = count => u64::from(count == 1).wrapping_neg());
            for word in 0..W {
                let completing = missing[word].and(&one).or(&none).and(&Chunk::all(may[word]));
                found[word] = found[word].or(&completing);
            }
        }
        found
    }

    /// One or more steps along a direction, all within a set.
    #[inline(always)]
    pub fn fill(&self, a: &Set<W>, through: &Set<W>, dir: u16) -> Set<W> {
        let longest = self.longest[usize::from(dir)];
        match self.dirs[usize::from(dir)].as_slice() {
            [one] => run(one, a, through, longest),
            several => {
                let mut front = and(&union(several, a), through);
                let mut all = front;
                let mut left = longest;
                while left > 0 && !some(&front).is_empty() {
                    front = and(&union(several, &front), through);
                    all = or(&all, &front);
                    left -= 1;
                }
                all
            }
        }
    }

    /// Exactly so many steps along a direction, all within a set.
    #[inline(always)]
    pub fn steps(&self, a: &Set<W>, through: &Set<W>, n: &Chunk, dir: u16) -> Set<W> {
        let negative = lanewise!(n = n => if (n as i64) < 0 { u64::MAX } else { 0 });
        let mut at = [Chunk::NONE; W];
        for word in 0..W {
            at[word] = a[word].without(&negative);
        }
        for taken in 0..LONGEST_WALK {
            let going = lanewise!(n = n => if (n as i64) > taken { u64::MAX } else { 0 }).and(&some(&at));
            if going.is_empty() {
                break;
            }
            let next = and(&self.step(&at, dir), through);
            for word in 0..W {
                at[word] = at[word].blend(&next[word], &going);
            }
        }
        at
    }

    /// How many groups each lane's set has, if not more than so many.
    #[inline(always)]
    pub fn count_groups(&self, a: &Set<W>, along: u16, most: u16) -> Chunk {
        let (mut left, mut groups) = (*a, Chunk::NONE);
        for counted in 1..=most {
            let any = some(&left);
            if any.is_empty() {
                break;
            }
            groups = lanewise!(groups = groups, any = any => groups + (any & 1));
            if counted < most {
                left = without(&left, &self.flood(&lowest(&left), &left, along));
            }
        }
        groups
    }

    #[inline(always)]
    pub fn flood(&self, a: &Set<W>, within: &Set<W>, along: u16) -> Set<W> {
        let mut all = and(a, within);
        loop {
            let grown = or(&and(&self.around(&all, along), within), &all);
            let mut same = true;
            for word in 0..W {
                same &= grown[word] == all[word];
            }
            if same {
                return all;
            }
            all = grown;
        }
    }
}

/// The first cell of each lane's set, alone.
#[inline(always)]
fn lowest<const W: usize>(a: &Set<W>) -> Set<W> {
    let mut open = Chunk::ALL;
    let mut made = [Chunk::NONE; W];
    for word in 0..W {
        made[word] = lanewise!(cells = a[word], open = open => cells & cells.wrapping_neg() & open);
        open = open.without(&a[word].truth());
    }
    made
}

#[inline(always)]
fn union<const W: usize>(steps: &[Step<W>], a: &Set<W>) -> Set<W> {
    let mut all = [Chunk::NONE; W];
    for at in 0..steps.len() {
        all = or(&all, &steps[at].of(a));
    }
    all
}

/// Runs double: 1, 2, 4, ... steps at once, along cells that a step leads to.
#[inline(always)]
pub fn run<const W: usize>(step: &Step<W>, a: &Set<W>, through: &Set<W>, longest: u32) -> Set<W> {
    let mut open = within(through, &step.to);
    let mut found = and(&open, &shift(a, step.by));
    let mut steps = 1;
    while steps < longest as i32 {
        found = or(&found, &and(&open, &shift(&found, step.by * steps)));
        open = and(&open, &shift(&open, step.by * steps));
        steps *= 2;
    }
    found
}

/// The register of a lane of a row: of a whole row, or one set for all.
#[inline(always)]
fn lane_of(first: S, lane: usize, wide: bool) -> S {
    S(first.0 + if wide { lane as u16 } else { 0 })
}

impl<const W: usize, const K: usize> File<W, K> {
    #[inline(always)]
    pub fn fan_step(&mut self, on: Mask, blend: bool, steps: &Steps<W>, (d, a): (S, S), fan: u16, wide: u8) {
        let steps = &steps.fans[usize::from(fan)].0;
        for lane in 0..steps.len() {
            let step = &steps[lane];
            light!(self, on, blend, lane_of(d, lane, true), (a = lane_of(a, lane, wide & 1 != 0)), () => step.of(a));
        }
    }

    #[inline(always)]
    pub fn fan_fill(&mut self, on: Mask, blend: bool, steps: &Steps<W>, (d, a, through): (S, S, S), fan: u16, wide: u8) {
        let (steps, longest) = &steps.fans[usize::from(fan)];
        for lane in 0..steps.len() {
            let step = &steps[lane];
            let (a, through) = (lane_of(a, lane, wide & 1 != 0), lane_of(through, lane, wide & 2 != 0));
            sets!(self, on, blend, lane_of(d, lane, true), (a = a, through = through), () => run(step, a, through, *longest));
        }
    }

    #[inline(always)]
    pub fn fan_pair(&mut self, on: Mask, blend: bool, pairing: Pairing, (d, a, b): (S, S, S), lanes: u8, wide: u8) {
        for lane in 0..usize::from(lanes) {
            let (d, a, b) = (lane_of(d, lane, true), lane_of(a, lane, wide & 1 != 0), lane_of(b, lane, wide & 2 != 0));
            self.pair(on, blend, pairing, (d, a, b));
        }
    }

    #[inline(always)]
    pub fn pair(&mut self, on: Mask, blend: bool, pairing: Pairing, (d, a, b): (S, S, S)) {
        match pairing {
            Pairing::And => light!(self, on, blend, d, (a = a, b = b), () => and(a, b)),
            Pairing::Or => light!(self, on, blend, d, (a = a, b = b), () => or(a, b)),
            Pairing::Without => light!(self, on, blend, d, (a = a, b = b), () => without(a, b)),
        }
    }

    #[inline(always)]
    pub fn fan_union(&mut self, on: Mask, blend: bool, d: S, a: S, lanes: u8) {
        let lanes = u16::from(lanes);
        // What stands in `d` may be a part of the row: then it is there that the union grows.
        let own = d.0.wrapping_sub(a.0);
        let first = if own < lanes { own } else { 0 };
        if first != own {
            sets!(self, on, blend, d, (a = a), () => *a);
        }
        for lane in 0..lanes {
            if lane != first {
                self.pair(on, blend, Pairing::Or, (d, d, S(a.0 + lane)));
            }
        }
    }

    /// Takes all men off the cells.
    #[inline(always)]
    pub fn clear(&mut self, on: Mask, men: &[usize], cells: S) {
        // Mostly there is nothing to take off.
        let taken = &self.sets[usize::from(cells.0)];
        if gathered!(i => some(&taken[i])).and(on).is_empty() {
            return;
        }
        for at in 0..men.len() {
            let reg = S(men[at] as u16);
            self.pair(on, true, Pairing::Without, (reg, reg, cells));
        }
    }

    /// The man of the one cell goes to the other.
    #[inline(always)]
    pub fn carry(&mut self, on: Mask, men: &[usize], from: S, to: S) {
        for at in 0..men.len() {
            let reg = S(men[at] as u16);
            light!(self, on, true, reg, (men = reg, from = from, to = to), () => {
                let here = some(&and(men, from));
                let mut made = [Chunk::NONE; W];
                for word in 0..W {
                    let moved = men[word].without(&from[word]).or(&to[word]);
                    made[word] = men[word].blend(&moved, &here);
                }
                made
            });
        }
    }

    /// All men of the cells become the player's.
    #[inline(always)]
    pub fn flip(&mut self, on: Mask, owners: &[usize], neutral: Option<usize>, cells: S, player: usize) {
        let own = S(owners[player] as u16);
        for at in 0..=owners.len() {
            let Some(reg) = owners.get(at).copied().or(neutral).map(|reg| S(reg as u16)) else { continue };
            if reg != own {
                sets!(self, on, true, own, (own = own, men = reg, cells = cells), () => or(own, &and(men, cells)));
                self.pair(on, true, Pairing::Without, (reg, reg, cells));
            }
        }
    }
}
