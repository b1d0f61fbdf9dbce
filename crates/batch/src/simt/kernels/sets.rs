//! Set kernels: sets of many games go in; what one operation makes of them comes out.

use crate::plan::{BitboardLayout, Bits, DirVector, NumReg, SetReg, VecBinaryOp};
use crate::simd::{Lane8, Simd};
use crate::simt::code::{WAYS, Ways};
use crate::simt::kernels::algebra::{Step, and, masked, or, union, without};
use crate::simt::kernels::dilation::Dilation;
use crate::simt::kernels::line_pattern::LinePatterns;
use crate::simt::kernels::ray_fill::{run, walk};
use crate::simt::kernels::ray_query::RayQuerySteps;
use crate::simt::registers;
use crate::simt::registers::{
    Cells, LaneMask, LaneRegisters, Set, blend, gathered, light, load, numbers, put, sets, some, store, words,
};

/// Steps that are walked at most, as in tables for one game.
const LONGEST_WALK: u64 = 1 << 11;

/// What the board gives.
#[derive(Debug, Default)]
pub struct Steps<const W: usize> {
    pub hops: Vec<Step<W>>,
    /// By direction.
    dirs: Vec<Vec<Step<W>>>,
    longest: Vec<u32>,
    /// By number of a fixed set of directions.
    along: Vec<Vec<Step<W>>>,
    /// The same: the two steps of an axis and its longest line, where the set is one.
    axes: Vec<Option<(Vec<Step<W>>, u32)>>,
    /// The same, for floods.
    dilations: Vec<Dilation<W>>,
    pub lists: Vec<LinePatterns<W>>,
    /// By completion: rows, and which of their cells may complete them.
    pub completions: Vec<LinePatterns<W>>,
    fans: Vec<(Vec<Step<W>>, u32)>,
    pub trails: Vec<RayQuerySteps<W>>,
}

impl<const W: usize> Steps<W> {
    pub fn new(plan: &crate::plan::Plan) -> Steps<W> {
        let grid: &BitboardLayout = &plan.bitboard;
        let hops: Vec<Step<W>> = grid.hops.iter().map(Step::new).collect();
        let pick = |numbers: &[u16]| numbers.iter().map(|&hop| hops[usize::from(hop)]).collect::<Vec<_>>();
        let words = |bits: &Bits| std::array::from_fn(|word| bits.0[word]);
        let both = |(row, may): &(Bits, Bits)| [words(row), words(may)];
        let dirs: Vec<Vec<Step<W>>> = grid.dirs.iter().map(|numbers| pick(numbers)).collect();
        let along: Vec<Vec<Step<W>>> = plan.along.iter().map(|numbers| pick(numbers)).collect();
        let axis = |steps: &Vec<Step<W>>| match steps[..] {
            [one, other] if other == one.back() => {
                let dir = dirs.iter().position(|hops| hops[..] == [one])?;
                Some((vec![one, other], grid.longest[dir]))
            }
            _ => None,
        };
        Steps {
            axes: along.iter().map(axis).collect(),
            dilations: along.iter().map(|steps| Dilation::new(steps)).collect(),
            trails: plan.ray_queries.iter().map(|trail| RayQuerySteps::new(trail, grid, &dirs)).collect(),
            dirs,
            longest: grid.longest.clone(),
            along,
            lists: plan.lists.iter().map(|rows| LinePatterns::new(rows.iter().map(|row| [words(row); 2]))).collect(),
            completions: plan.completions.iter().map(|how| LinePatterns::new(how.rows.iter().map(both))).collect(),
            fans: plan.dir_vectors.iter().map(|fan: &DirVector| (pick(&fan.hops), fan.longest)).collect(),
            hops,
        }
    }

    /// The steps of a fan, and its longest line.
    pub fn fan(&self, fan: u16) -> (&[Step<W>], u32) {
        let (steps, longest) = &self.fans[usize::from(fan)];
        (steps, *longest)
    }

    /// The steps along a fixed set of directions, and along one.
    pub fn along(&self, along: u16) -> &[Step<W>] {
        &self.along[usize::from(along)]
    }

    pub fn along_dir(&self, dir: u16) -> &[Step<W>] {
        &self.dirs[usize::from(dir)]
    }

    /// The step along a direction, if it is one masked shift.
    pub fn one(&self, dir: u16) -> Option<Step<W>> {
        if let [one] = self.dirs[usize::from(dir)].as_slice() { Some(*one) } else { None }
    }

    /// The longest line of a direction, in steps.
    pub fn longest(&self, dir: u16) -> u32 {
        self.longest[usize::from(dir)]
    }

    /// Steps along a fixed set of directions, in rounds that each begin with what the ones before have come to.
    pub fn rounds(&self, along: u16) -> &[Vec<Step<W>>] {
        &self.dilations[usize::from(along)].rounds
    }

    /// The two steps of an axis, and its longest line, where a fixed set of directions is one: a flood along it is what
    /// rays come to.
    pub fn axis(&self, along: u16) -> Option<(&[Step<W>], u32)> {
        self.axes[usize::from(along)].as_ref().map(|(steps, longest)| (&steps[..], *longest))
    }

    /// By direction of a ray query, the lane of a row that goes the other way; `None`: not all of
    /// them do, or the trail does not go on until another cell ends it.
    pub fn ways_back(&self, trail: u16, fan: u16) -> Option<Ways> {
        let (trail, (lanes, longest)) = (&self.trails[usize::from(trail)], &self.fans[usize::from(fan)]);
        let (steps, most) = trail.ended_runs();
        if steps.is_empty() || steps.len() > WAYS || most >= *longest {
            return None;
        }
        let mut ways = Ways::default();
        for (way, step) in ways.iter_mut().zip(steps) {
            *way = lanes.iter().position(|lane| *lane == step.back())? as u8;
        }
        Some(ways)
    }

    #[inline(always)]
    pub fn step<V: Simd>(&self, v: V, a: &Cells<V, W>, dir: u16) -> Cells<V, W> {
        union(v, &self.dirs[usize::from(dir)], a)
    }

    #[inline(always)]
    pub fn around<V: Simd>(&self, v: V, a: &Cells<V, W>, along: u16) -> Cells<V, W> {
        union(v, &self.along[usize::from(along)], a)
    }

    /// The cells that lines along some directions come to: through a set, and the first cell
    /// beyond.
    #[inline(always)]
    pub fn sight<V: Simd>(&self, v: V, a: &Cells<V, W>, through: &Cells<V, W>, dirs: u32) -> Cells<V, W> {
        let mut seen = [v.none(); W];
        let mut left = dirs;
        while left != 0 {
            let dir = left.trailing_zeros() as u16;
            left &= left - 1;
            let run = self.fill(v, a, through, dir);
            seen = or(v, &seen, &self.step(v, &or(v, a, &run), dir));
        }
        seen
    }

    /// One or more steps along a direction, all within a set.
    #[inline(always)]
    pub fn fill<V: Simd>(&self, v: V, a: &Cells<V, W>, through: &Cells<V, W>, dir: u16) -> Cells<V, W> {
        let longest = self.longest[usize::from(dir)];
        match self.dirs[usize::from(dir)].as_slice() {
            [one] => run(v, one, a, through, longest),
            several => {
                let mut front = and(v, &union(v, several, a), through);
                let mut all = front;
                let mut left = longest;
                while left > 0 && v.any(some(v, &front)) {
                    front = and(v, &union(v, several, &front), through);
                    all = or(v, &all, &front);
                    left -= 1;
                }
                all
            }
        }
    }

    /// Exactly so many steps along a direction, all within a set.
    #[inline(always)]
    pub fn steps<V: Simd>(&self, v: V, a: &Cells<V, W>, through: &Cells<V, W>, n: V::V8, dir: u16) -> Cells<V, W> {
        if let [one] = self.dirs[usize::from(dir)].as_slice() {
            return walk(v, one, a, through, (n, self.longest[usize::from(dir)]));
        }
        let mut at = masked(v, a, v.not(v.less_signed(n, v.none())));
        for taken in 0..LONGEST_WALK {
            let going = v.and(v.less_signed(v.all(taken), n), some(v, &at));
            if !v.any(going) {
                break;
            }
            let next = and(v, &self.step(v, &at, dir), through);
            at = blend(v, &at, &next, going);
        }
        at
    }

    /// How many groups each lane's set has, if not more than so many.
    #[inline(always)]
    pub fn count_groups<V: Simd>(&self, v: V, a: &Cells<V, W>, along: u16, most: u16) -> V::V8 {
        let (mut left, mut groups) = (*a, v.none());
        for counted in 1..=most {
            let any = some(v, &left);
            if !v.any(any) {
                break;
            }
            groups = v.add(groups, v.one(any));
            if counted < most {
                left = without(v, &left, &self.flood_on(v, lowest(v, &left), &left, along));
            }
        }
        groups
    }

    #[inline(always)]
    pub fn flood<V: Simd>(&self, v: V, a: &Cells<V, W>, within: &Cells<V, W>, along: u16) -> Cells<V, W> {
        let all = and(v, a, within);
        let Some((steps, longest)) = &self.axes[usize::from(along)] else {
            return self.flood_on(v, all, within, along);
        };
        let mut whole = all;
        for step in steps {
            whole = or(v, &whole, &run(v, step, &all, within, *longest));
        }
        whole
    }

    /// Goes on from cells within a set until no lane reaches another one.
    #[inline(always)]
    fn flood_on<V: Simd>(&self, v: V, mut all: Cells<V, W>, within: &Cells<V, W>, along: u16) -> Cells<V, W> {
        let dilation = &self.dilations[usize::from(along)];
        loop {
            let more = without(v, &and(v, &dilation.of(v, &all), within), &all);
            if !v.any(some(v, &more)) {
                return all;
            }
            all = or(v, &all, &more);
        }
    }

    /// The lanes in which a cell of one set, or one `beside` such a cell, is joined to one of
    /// another.
    #[inline(always)]
    pub fn joined<V: Simd>(&self, v: V, [a, within, to]: [&Cells<V, W>; 3], along: u16, beside: bool) -> V::V8 {
        let mut all = and(v, a, within);
        let mut front = all;
        let mut met = if beside { v.none() } else { some(v, &and(v, &all, to)) };
        loop {
            // Lanes that have met what they look for look no further.
            front = masked(v, &front, v.not(met));
            if !v.any(some(v, &front)) {
                return met;
            }
            let around = self.around(v, &front, along);
            front = without(v, &and(v, &around, within), &all);
            all = or(v, &all, &front);
            met = v.or(met, some(v, &and(v, if beside { &around } else { &front }, to)));
        }
    }
}

/// The first cell of each lane's set, alone.
#[inline(always)]
fn lowest<V: Simd, const W: usize>(v: V, a: &Cells<V, W>) -> Cells<V, W> {
    let mut open = v.all(u64::MAX);
    let mut made = *a;
    for word in 0..W {
        let lowest = v.and(a[word], v.sub(v.none(), a[word]));
        made[word] = v.and(lowest, open);
        open = v.without(open, v.truth(a[word]));
    }
    made
}

/// The register of a lane of a row: of a whole row, or one set for all.
#[inline(always)]
fn lane_of(first: SetReg, lane: usize, wide: bool) -> SetReg {
    SetReg(first.0 + if wide { lane as u16 } else { 0 })
}

impl<const W: usize, const K: usize> LaneRegisters<W, K> {
    #[inline(always)]
    pub fn fan_step<V: Simd>(
        &mut self,
        v: V,
        blend: bool,
        steps: &Steps<W>,
        (d, a, onto): (SetReg, SetReg, Option<SetReg>),
        fan: u16,
        wide: u8,
    ) {
        let steps = &steps.fans[usize::from(fan)].0;
        for lane in 0..steps.len() {
            let (step, d, a) = (&steps[lane], lane_of(d, lane, true), lane_of(a, lane, wide & 1 != 0));
            match onto {
                None => light!(v, self, blend, d, (a = a), () => step.of(v, &a)),
                Some(onto) => light!(v, self, blend, d, (a = a, onto = onto), () => and(v, &step.of(v, &a), &onto)),
            }
        }
    }

    /// What steps lead to, along each direction from a set of its own. What stands in `d` may be
    /// one of these.
    #[inline(always)]
    pub fn fan_union_stepped<V: Simd>(
        &mut self,
        v: V,
        blend: bool,
        steps: &Steps<W>,
        (d, a): (SetReg, SetReg),
        fan: u16,
    ) {
        let steps = &steps.fans[usize::from(fan)].0;
        let mut all = [[v.none(); W]; K];
        for lane in 0..steps.len() {
            let (step, from) = (&steps[lane], &self.sets[usize::from(a.0) + lane]);
            for i in 0..self.chunk_count() {
                let i = i % K;
                all[i] = or(v, &all[i], &step.of(v, &load(v, &from[i])));
            }
        }
        let chunks = self.chunk_count();
        let to = &mut self.sets[usize::from(d.0)];
        for i in 0..chunks {
            let i = i % K;
            let on = v.load(&self.masks[i]);
            let made = if blend { registers::blend(v, &load(v, &to[i]), &all[i], on) } else { all[i] };
            to[i] = store(v, &made);
        }
    }

    #[inline(always)]
    pub fn fan_fill<V: Simd>(
        &mut self,
        v: V,
        blend: bool,
        steps: &Steps<W>,
        (d, a, through): (SetReg, SetReg, SetReg),
        fan: u16,
        wide: u8,
    ) {
        let (steps, longest) = &steps.fans[usize::from(fan)];
        for lane in 0..steps.len() {
            let (d, a) = (lane_of(d, lane, true), lane_of(a, lane, wide & 1 != 0));
            let through = lane_of(through, lane, wide & 2 != 0);
            if W == 1 {
                let step = &steps[lane];
                match V::ABREAST {
                    8 => self.fill_words::<V, 8>(v, blend, step, (d, a, through), *longest),
                    2 => self.fill_words::<V, 2>(v, blend, step, (d, a, through), *longest),
                    _ => self.fill_words::<V, 1>(v, blend, step, (d, a, through), *longest),
                }
            } else {
                let step = &steps[lane];
                sets!(v, self, blend, d, (a = a, through = through), () => run(v, step, &a, &through, *longest));
            }
        }
    }

    /// Whether a set has cells that are in neither of two others. Mostly the first word has some in
    /// all lanes.
    #[inline(always)]
    pub fn some_outside<V: Simd>(&mut self, v: V, blend: bool, d: NumReg, sets: [SetReg; 3]) {
        let [of, a, b] = sets;
        if W <= 2 {
            return numbers!(v, self, blend, d, (of = of, a = a, b = b), () => v.one(some(v, &without(v, &of, &or(v, &a, &b)))));
        }
        let set = |reg: SetReg| &self.sets[usize::from(reg.0)];
        let (of, a, b) = (set(of), set(a), set(b));
        let to = &mut self.numbers[usize::from(d.0)];
        for i in 0..K {
            let (on, mut found) = (v.load(&self.masks[i]), v.none());
            for word in 0..W {
                let taken = v.or(v.load(&a[i][word]), v.load(&b[i][word]));
                found = v.or(found, v.without(v.load(&of[i][word]), taken));
                if !v.any(v.and(on, v.equal(found, v.none()))) {
                    break;
                }
            }
            put(v, &mut to[i], v.one(v.truth(found)), on);
        }
    }

    /// A set in each lane of which a number has the bit.
    #[inline(always)]
    pub fn fan_keep<V: Simd>(&mut self, v: V, blend: bool, (d, a, n): (SetReg, SetReg, NumReg), lanes: u8, bits: u64) {
        for (lane, bit) in (0..usize::from(lanes)).zip(bits.to_le_bytes()) {
            let (d, bit) = (lane_of(d, lane, true), u32::from(bit));
            light!(v, self, blend, d, (a = a), (n = n) => masked(v, &a, v.truth(v.one(v.down(n, bit)))));
        }
    }

    #[inline(always)]
    pub fn fan_pair<V: Simd>(
        &mut self,
        v: V,
        blend: bool,
        pairing: VecBinaryOp,
        (d, a, b): (SetReg, SetReg, SetReg),
        lanes: u8,
        wide: u8,
    ) {
        for lane in 0..usize::from(lanes) {
            let (d, a, b) = (lane_of(d, lane, true), lane_of(a, lane, wide & 1 != 0), lane_of(b, lane, wide & 2 != 0));
            self.pair(v, blend, pairing, (d, a, b));
        }
    }

    #[inline(always)]
    pub fn pair<V: Simd>(&mut self, v: V, blend: bool, pairing: VecBinaryOp, (d, a, b): (SetReg, SetReg, SetReg)) {
        match pairing {
            VecBinaryOp::And => light!(v, self, blend, d, (a = a, b = b), () => and(v, &a, &b)),
            VecBinaryOp::Or => light!(v, self, blend, d, (a = a, b = b), () => or(v, &a, &b)),
            VecBinaryOp::Without => light!(v, self, blend, d, (a = a, b = b), () => without(v, &a, &b)),
        }
    }

    /// The union of a row. What stands in `d` may be a part of it.
    #[inline(always)]
    pub fn fan_union<V: Simd>(&mut self, v: V, blend: bool, d: SetReg, a: SetReg, lanes: u8) {
        let (d, first) = (usize::from(d.0), usize::from(a.0));
        for i in 0..self.chunk_count() {
            let i = i % K;
            let mut all = load(v, &self.sets[first][i]);
            for lane in 1..usize::from(lanes) {
                all = or(v, &all, &load(v, &self.sets[first + lane][i]));
            }
            let (to, on) = (&mut self.sets[d][i], v.load(&self.masks[i]));
            words!(word => {
                to[word] = v.store(if blend { v.blend(v.load(&to[word]), all[word], on) } else { all[word] });
            });
        }
    }

    /// Takes all men off the cells.
    #[inline(always)]
    pub fn clear<V: Simd>(&mut self, v: V, men: &[usize], cells: SetReg) {
        // Mostly there is nothing to take off.
        let taken = &self.sets[usize::from(cells.0)];
        if gathered!(v, i => some(v, &load(v, &taken[i]))).and(self.on).is_empty() {
            return;
        }
        for at in 0..men.len() {
            let reg = SetReg(men[at] as u16);
            self.pair(v, true, VecBinaryOp::Without, (reg, reg, cells));
        }
    }

    /// The man of the one cell goes to the other.
    #[inline(always)]
    pub fn carry<V: Simd>(&mut self, v: V, men: &[usize], from: SetReg, to: SetReg) {
        for at in 0..men.len() {
            let reg = SetReg(men[at] as u16);
            light!(v, self, true, reg, (men = reg, from = from, to = to), () => {
                let here = some(v, &and(v, &men, &from));
                let moved = or(v, &without(v, &men, &from), &to);
                blend(v, &men, &moved, here)
            });
        }
    }

    /// All men of the cells become the player's.
    #[inline(always)]
    pub fn flip<V: Simd>(&mut self, v: V, owners: &[usize], neutral: Option<usize>, cells: SetReg, player: usize) {
        let own = SetReg(owners[player] as u16);
        for at in 0..=owners.len() {
            let Some(reg) = owners.get(at).copied().or(neutral).map(|reg| SetReg(reg as u16)) else { continue };
            if reg != own {
                light!(v, self, true, own, (own = own, men = reg, cells = cells), () => or(v, &own, &and(v, &men, &cells)));
                self.pair(v, true, VecBinaryOp::Without, (reg, reg, cells));
            }
        }
    }
}
