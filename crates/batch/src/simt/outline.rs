//! Outlined kernels: operations that take loops of their own, and choices, go in; a function for
//! each sort comes out. Compilers take very long for all of them in one.

use pulp::NullaryFnOnce;

use crate::interp::bitset;
use crate::plan::{Code, LinearOp, SetReg};
use crate::simd::{Simd, WIDE};
use crate::simt::code::{Nearby, Ways};
use crate::simt::kernels::algebra::masked;
use crate::simt::kernels::line_pattern::Asked;
use crate::simt::registers::{LaneMask, Set, load, put, sets};
use crate::simt::state::WarpState;
use crate::simt::state::shared::Shared;

/// What is done apart from what it is a part of.
pub trait OutlinedKernel {
    type Output;

    fn act(&mut self) -> Self::Output;
}

/// A job by reference: what it is told would else be copied for each call, which takes longer than
/// the call.
struct Handed<'j, J>(&'j mut J);

impl<J: OutlinedKernel> NullaryFnOnce for Handed<'_, J> {
    type Output = J::Output;

    #[inline(always)]
    fn call(self) -> J::Output {
        self.0.act()
    }
}

/// Does a job, compiled for the processor.
#[inline(never)]
pub fn outlined<V: Simd, J: OutlinedKernel>(v: V, mut job: J) -> J::Output {
    v.vectorize(Handed(&mut job))
}

pub struct ChoiceKernel<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
    pub shared: &'a Shared<W, K>,
    pub point: u32,
    /// Where all arms put the cell, and whether other lanes must keep what they have there.
    pub cell: (Option<SetReg>, bool),
    pub parts: bool,
    pub pc: usize,
}

impl<V: Simd, const W: usize, const K: usize> OutlinedKernel for ChoiceKernel<'_, V, W, K> {
    /// The step back behind the choice is done.
    type Output = bool;

    #[inline(always)]
    fn act(&mut self) -> bool {
        self.lanes.choose(self.shared, self.point, (self.cell.0, self.cell.1, self.parts), self.pc)
    }
}

/// A choice that is listed and not made.
pub struct OfferKernel<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
    pub linked: &'a Code,
    pub point: u32,
    pub parts: bool,
}

impl<V: Simd, const W: usize, const K: usize> OutlinedKernel for OfferKernel<'_, V, W, K> {
    type Output = ();

    #[inline(always)]
    fn act(&mut self) {
        self.lanes.offer(&self.linked.points[self.point as usize], self.parts);
    }
}

/// The end of a block of a `first`.
pub struct TriedKernel<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
    pub linked: &'a Code,
}

impl<V: Simd, const W: usize, const K: usize> OutlinedKernel for TriedKernel<'_, V, W, K> {
    type Output = ();

    #[inline(always)]
    fn act(&mut self) {
        self.lanes.tried(self.linked);
    }
}

/// Where rejected lanes go back to.
pub struct Back<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
}

impl<V: Simd, const W: usize, const K: usize> OutlinedKernel for Back<'_, V, W, K> {
    type Output = Option<usize>;

    #[inline(always)]
    fn act(&mut self) -> Option<usize> {
        self.lanes.retry()
    }
}

/// An operation that goes on until nothing changes, or over lists.
pub struct LoopKernel<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
    pub op: &'a LinearOp,
    pub blend: bool,
}

impl<V: Simd, const W: usize, const K: usize> OutlinedKernel for LoopKernel<'_, V, W, K> {
    type Output = ();

    #[inline(always)]
    fn act(&mut self) {
        self.lanes.looping(self.op, self.blend);
    }
}

/// An operation that looks from single cells, or one that is rare.
pub struct RayQueryKernel<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
    pub op: &'a LinearOp,
    pub blend: bool,
    pub near: Nearby,
}

impl<V: Simd, const W: usize, const K: usize> OutlinedKernel for RayQueryKernel<'_, V, W, K> {
    type Output = ();

    #[inline(always)]
    fn act(&mut self) {
        self.lanes.looking(self.op, self.blend, self.near);
    }
}

/// Runs from cells, each way through a set of its own.
pub struct RefillKernel<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
    pub trail: u16,
    /// Where they are put, and the cells.
    pub to: (SetReg, SetReg),
    pub runs: (SetReg, &'a Ways),
    pub blend: bool,
}

impl<V: Simd, const W: usize, const K: usize> OutlinedKernel for RefillKernel<'_, V, W, K> {
    type Output = ();

    #[inline(always)]
    fn act(&mut self) {
        let WarpState { v, shared, file, flow, .. } = self.lanes;
        file.set_active(*v, flow.on);
        file.refill(*v, self.blend, shared.steps.trails[usize::from(self.trail)].ended_runs(), self.to, self.runs);
    }
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    #[inline(always)]
    fn looping(&mut self, op: &LinearOp, blend: bool) {
        let (v, file, on, steps) = (self.v, &mut self.file, self.flow.on, &self.shared.steps);
        match *op {
            LinearOp::Shift { d, a, dir } => sets!(v, file, blend, d, (a = a), () => steps.step(v, &a, dir)),
            LinearOp::Neighbors { d, a, along } => sets!(v, file, blend, d, (a = a), () => steps.around(v, &a, along)),
            LinearOp::RayFill { d, a, through, dir } => {
                sets!(v, file, blend, d, (a = a, through = through), () => steps.fill(v, &a, &through, dir));
            }
            LinearOp::FloodFill { d, a, within, along, .. } => {
                sets!(v, file, blend, d, (a = a, within = within), () => steps.flood(v, &a, &within, along));
            }
            LinearOp::ShiftTimes { d, a, through, n, dir } => {
                sets!(v, file, blend, d, (a = a, through = through), (n = n) => steps.steps(v, &a, &through, n, dir));
            }
            LinearOp::SlidingReach { d, a, through, dirs } => {
                sets!(v, file, blend, d, (a = a, through = through), () => steps.sight(v, &a, &through, dirs));
            }
            LinearOp::FullLines { d, a, list } => {
                file.rows(v, blend, (&steps.lists[usize::from(list)], Asked::Whole), d, a)
            }
            LinearOp::LineCompletions { d, a, how } => {
                file.rows(v, blend, (&steps.completions[usize::from(how)], Asked::Complete), d, a)
            }
            LinearOp::CountGroups { d, a, along, most } => {
                for i in on.chunks() {
                    let groups = steps.count_groups(v, &load(v, &file.sets[usize::from(a.0)][i]), along, most);
                    put(v, &mut file.numbers[usize::from(d.0)][i], groups, on.lanes(v, i));
                }
            }
            LinearOp::Reaches { d, a, within, to, along, beside, .. } => {
                let [from, within, to] = [a, within, to].map(|reg| usize::from(reg.0));
                for i in on.chunks() {
                    let [from, within, to] = [from, within, to].map(|reg| load(v, &file.sets[reg][i]));
                    let joined = steps.joined(v, [&masked(v, &from, on.lanes(v, i)), &within, &to], along, beside);
                    put(v, &mut file.numbers[usize::from(d.0)][i], v.one(joined), on.lanes(v, i));
                }
            }
            _ => debug_assert!(false, "{op:?} is no loop over chunks"),
        }
    }

    #[inline(always)]
    fn looking(&mut self, op: &LinearOp, blend: bool, near: Nearby) {
        match *op {
            LinearOp::RayQuery { d, a, x, y, trail } => {
                let left = self.follow((d, a, x, y), trail, (blend, near));
                self.flow.sparse = left;
                self.lane_by_lane(op, left);
            }
            LinearOp::InLine { d, a, within, trail } => {
                let left = self.in_row(d, (a, within), trail, near);
                self.lane_by_lane(op, left);
            }
            _ => self.lane_by_lane(op, self.flow.on),
        }
    }

    /// What is rare is done as for one game.
    #[inline(always)]
    fn lane_by_lane(&mut self, op: &LinearOp, lanes: LaneMask) {
        let mut out = LaneMask::NONE;
        for (i, lane) in lanes.each() {
            if !self.one_lane(op, i, lane) {
                out.add(i, lane);
            }
        }
        self.side_exit(out);
    }

    /// `false`: a fault, or what only an executor of one game does.
    #[inline(always)]
    fn one_lane(&mut self, op: &LinearOp, i: usize, lane: usize) -> bool {
        let tables = &self.shared.tables;
        let get =
            |file: &crate::simt::registers::LaneRegisters<W, K>, reg: SetReg| file.get(usize::from(reg.0), i, lane);
        let file = &mut self.file;
        match *op {
            LinearOp::NeighborsBy { d, a, dirs } => {
                let made = tables.around_bits(&get(file, a), file.number(dirs, i, lane));
                file.put(usize::from(d.0), i, lane, &made);
            }
            LinearOp::LineBetween { d, a, b, .. } => match tables.span(&get(file, a), &get(file, b)) {
                Ok(line) => file.put(usize::from(d.0), i, lane, &line),
                Err(_) => return false,
            },
            LinearOp::Lookup { d, a, list } => {
                let made = tables.lookup(&get(file, a), list);
                file.put(usize::from(d.0), i, lane, &made);
            }
            LinearOp::LookupNum { d, n, base, list } => {
                let made = tables.lookup_number(file.number(n, i, lane), base, list);
                file.put(usize::from(d.0), i, lane, &made);
            }
            LinearOp::NthCell { d, a, n } => {
                let made = tables.nth_cell(&get(file, a), file.number(n, i, lane));
                file.put(usize::from(d.0), i, lane, &made);
            }
            LinearOp::Band { d, fold, from, to, player } => {
                let forward = self.shared.forwards[player.index()];
                let made = tables.band(fold, file.number(from, i, lane), file.number(to, i, lane), forward);
                file.put(usize::from(d.0), i, lane, &made);
            }
            LinearOp::RayQuery { d, a, x, y, trail } => {
                let get = |reg: SetReg| file.get(usize::from(reg.0), i, lane);
                let made = tables.trails[usize::from(trail)].follow_on(&get(a), &get(x), &get(y));
                file.put(usize::from(d.0), i, lane, &made);
            }
            LinearOp::InLine { d, a, within, trail } => {
                let get = |reg: SetReg| file.get(usize::from(reg.0), i, lane);
                let long = tables.trails[usize::from(trail)].in_row_on(&get(a), &get(within));
                file.put_number(d, i, lane, i64::from(long));
            }
            LinearOp::OppositeDirs { d, a } => {
                let (mut left, mut all) = (file.number(a, i, lane) as u64, 0u64);
                while left != 0 {
                    all |= 1 << tables.opposite[left.trailing_zeros() as usize % tables.opposite.len()];
                    left &= left - 1;
                }
                file.put_number(d, i, lane, all as i64);
            }
            LinearOp::Coordinate { d, fold, a, player, .. } => {
                let cells = get(file, a);
                let Some(cell) = tables.grid.cell(bitset::lowest(&cells)).filter(|_| bitset::count(&cells) == 1) else {
                    return false;
                };
                file.put_number(d, i, lane, tables.coordinate(fold, cell, self.shared.forwards[player.index()]));
            }
            LinearOp::PieceRepetitions { d, more } => {
                let history = &self.histories[i * WIDE + lane];
                let noted = if more == 0 { history.times_last_pieces() } else { None };
                let times = noted.unwrap_or_else(|| history.times_pieces(self.pieces_hash(i, lane)));
                self.file.put_number(d, i, lane, times + more);
            }
            LinearOp::PositionRepetitions { d, more } => {
                let history = &self.histories[i * WIDE + lane];
                let noted = if more == 0 { history.times_last_position() } else { None };
                let times = noted.unwrap_or_else(|| history.times_position(self.position_hash(i, lane)));
                self.file.put_number(d, i, lane, times + more);
            }
            LinearOp::Cycle { d } => {
                let cycle = self.histories[i * WIDE + lane].cycle(self.position_hash(i, lane));
                self.file.put_number(d, i, lane, cycle);
            }
            _ => return false,
        }
        true
    }
}
