//! Dispatch loop of the batch executor: lane code goes in; each operation is executed for all
//! active lanes.

use pulp::NullaryFnOnce;

use crate::model::{Arithmetic, MAX_ROUNDS};
use crate::plan::{LinearOp, NumReg, SetReg, VecBinaryOp};
use crate::position::calculate;
use crate::simd::{Lane8, Simd};
use crate::simt::code::SimtOp;
use crate::simt::kernels::algebra::{and, masked, or, without};
use crate::simt::outline::{
    Back, ChoiceKernel, LoopKernel, OfferKernel, RayQueryKernel, RefillKernel, TriedKernel, outlined,
};
use crate::simt::registers::{LaneMask, Set, compared, count, gathered, light, load, numbers, put, some};
use crate::simt::sparse::SparseLanes;
use crate::simt::state::WarpState;
use crate::simt::state::shared::Shared;

/// A program for the lanes that are meant, compiled for the processor; what became of each is
/// noted.
pub struct Running<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
    pub shared: &'a Shared<W, K>,
    pub from: u32,
}

impl<V: Simd, const W: usize, const K: usize> NullaryFnOnce for Running<'_, V, W, K> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        run(self.lanes, self.shared, self.from);
    }
}

#[inline(always)]
fn run<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>, shared: &Shared<W, K>, from: u32) {
    let Shared { program, linked, .. } = shared;
    let steps = program.steps.as_slice();
    let mut pc = from as usize;
    loop {
        let Some(step) = steps.get(pc) else { return };
        pc += 1;
        match *step {
            SimtOp::Do { ref op, blend, loses } => {
                lanes.execute(op, blend);
                if !loses {
                    continue;
                }
            }
            SimtOp::Native { function, to } => {
                lanes.file.set_active(lanes.v, lanes.flow.on);
                if let Some(code) = &lanes.shared.compiled {
                    code.functions.call(function, &mut lanes.file);
                }
                pc = to as usize;
                continue;
            }
            SimtOp::Look { ref op, blend, near } => {
                outlined(lanes.v, RayQueryKernel { lanes, op, blend, near });
                continue;
            }
            SimtOp::Sparse { op } => {
                outlined(lanes.v, SparseLanes { lanes, op });
                continue;
            }
            SimtOp::Refill { d, a, trail, runs, ref ways, blend } => {
                outlined(lanes.v, RefillKernel { lanes, trail, to: (d, a), runs: (runs, ways), blend });
                continue;
            }
            SimtOp::Fork { fork } => {
                lanes.branch_history.record(fork, lanes.flow.on);
                continue;
            }
            SimtOp::If { test, to } => {
                if !lanes.part(test) {
                    pc = to as usize + 1;
                }
            }
            SimtOp::Else { to } => {
                lanes.other();
                if lanes.flow.on.is_empty() {
                    pc = to as usize;
                }
            }
            SimtOp::Join => lanes.join(),
            SimtOp::Chosen => lanes.chosen(),
            SimtOp::Rounds => lanes.push_mask(),
            SimtOp::Again { n, counter, to } => {
                lanes.go_round(n, counter);
                if lanes.flow.on.is_empty() {
                    lanes.join();
                } else {
                    pc = to as usize;
                }
            }
            SimtOp::Next { of, one, along, to } => {
                lanes.next_of(of, one, along);
                if lanes.flow.on.is_empty() {
                    pc = to as usize;
                }
            }
            SimtOp::Back { to } => pc = to as usize,
            SimtOp::Choose { point, parts, .. } if lanes.choice.lists => {
                outlined(lanes.v, OfferKernel { lanes, linked, point, parts });
            }
            SimtOp::Choose { point, cell, blend, parts } => {
                let goes_back =
                    outlined(lanes.v, ChoiceKernel { lanes, shared, point, cell: (cell, blend), parts, pc: pc - 1 });
                pc += usize::from(goes_back);
            }
            SimtOp::Way { point, last, to } => {
                lanes.part_to(point, last);
                if lanes.flow.on.is_empty() {
                    pc = to as usize;
                }
            }
            SimtOp::Enter { point, arm } => lanes.enter(linked.points[point as usize].arms[usize::from(arm)].options),
            SimtOp::MergedShift { index } => {
                let along = &program.along[index as usize];
                match along.until {
                    None => lanes.step_back(along, index),
                    Some(until) => lanes.ray_back(along, until, index),
                }
            }
            SimtOp::Split { index } => lanes.split(linked, index),
            SimtOp::Try { last, to } => {
                lanes.try_block(last);
                if lanes.flow.on.is_empty() {
                    pc = to as usize;
                }
            }
            SimtOp::Tried => outlined(lanes.v, TriedKernel { lanes, linked }),
            SimtOp::Met => lanes.met(),
            SimtOp::Need { n } => lanes.need(n),
            SimtOp::Last => lanes.expect_no_number(),
            SimtOp::Fail => lanes.fail_all(),
            SimtOp::End { numbered } => lanes.complete(numbered),
        }
        if matches!(step, SimtOp::End { .. }) || lanes.flow.on.is_empty() && lanes.flow.masks.is_empty() {
            let back = if lanes.may_go_back() { outlined(lanes.v, Back { lanes }) } else { None };
            match back {
                Some(at) => pc = at,
                None => return,
            }
        }
    }
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    #[inline(always)]
    fn execute(&mut self, op: &LinearOp, blend: bool) {
        let (v, on) = (self.v, self.flow.on);
        let (file, steps) = (&mut self.file, &self.shared.steps);
        file.set_active(v, on);
        match *op {
            LinearOp::Copy { d, a } => light!(v, file, blend, d, (a = a), () => a),
            LinearOp::And { d, a, b } => file.pair(v, blend, VecBinaryOp::And, (d, a, b)),
            LinearOp::Or { d, a, b } => file.pair(v, blend, VecBinaryOp::Or, (d, a, b)),
            LinearOp::AndNot { d, a, b } => file.pair(v, blend, VecBinaryOp::Without, (d, a, b)),
            LinearOp::AndNotBoth { d, of, a, b } => {
                light!(v, file, blend, d, (of = of, a = a, b = b), () => without(v, &of, &or(v, &a, &b)));
            }
            LinearOp::Replace { d, a, out, into } => {
                light!(v, file, blend, d, (a = a, out = out, into = into), () => or(v, &without(v, &a, &out), &into));
            }
            LinearOp::KeepIf { d, a, n } => light!(v, file, blend, d, (a = a), (n = n) => masked(v, &a, v.truth(n))),
            LinearOp::Select { d, n, a, b } => {
                light!(v, file, blend, d, (a = a, b = b), (n = n) => crate::simt::registers::blend(v, &b, &a, v.truth(n)));
            }
            LinearOp::MaskedShift { d, a, hop } => {
                let step = &steps.hops[usize::from(hop)];
                light!(v, file, blend, d, (a = a), () => step.of(v, &a));
            }
            LinearOp::VecShift { d, a, onto, fan, wide, .. } => file.fan_step(v, blend, steps, (d, a, onto), fan, wide),
            LinearOp::VecKeepIf { d, a, n, lanes, bits } => file.fan_keep(v, blend, (d, a, n), lanes, bits),
            LinearOp::VecRayFill { d, a, through, fan, wide, .. } => {
                file.fan_fill(v, blend, steps, (d, a, through), fan, wide);
            }
            LinearOp::VecBinary { pairing, d, a, b, lanes, wide } => {
                file.fan_pair(v, blend, pairing, (d, a, b), lanes, wide);
            }
            LinearOp::VecUnion { d, a, lanes, steps: None } => file.fan_union(v, blend, d, a, lanes),
            LinearOp::VecUnion { d, a, steps: Some(fan), .. } => file.fan_union_stepped(v, blend, steps, (d, a), fan),
            LinearOp::RemovePieces { cells, .. } => file.clear(v, &self.shared.roles.per_piece_sets, cells),
            LinearOp::MovePiece { from, to, .. } => file.carry(v, &self.shared.roles.per_piece_sets, from, to),
            LinearOp::FlipOwner { cells, player } => {
                file.flip(v, &self.shared.roles.owners, self.shared.roles.neutral, cells, player.index());
            }
            LinearOp::Const { d, k } => numbers!(v, file, blend, d, (), () => v.all(k as u64)),
            LinearOp::CopyNum { d, a } => numbers!(v, file, blend, d, (), (a = a) => a),
            LinearOp::Not { d, a } => numbers!(v, file, blend, d, (), (a = a) => v.one(v.equal(a, v.none()))),
            LinearOp::BitAnd { d, a, b } => numbers!(v, file, blend, d, (), (a = a, b = b) => v.and(a, b)),
            LinearOp::BitOr { d, a, b } => numbers!(v, file, blend, d, (), (a = a, b = b) => v.or(a, b)),
            LinearOp::BitAndNot { d, a, b } => numbers!(v, file, blend, d, (), (a = a, b = b) => v.without(a, b)),
            LinearOp::TestBit { d, a, bit } => {
                numbers!(v, file, blend, d, (), (a = a) => v.one(v.down(a, u32::from(bit))));
            }
            LinearOp::CountBits { d, a } => numbers!(v, file, blend, d, (), (a = a) => v.ones(a)),
            LinearOp::SelectNum { d, n, a, b } => {
                numbers!(v, file, blend, d, (), (n = n, a = a, b = b) => v.blend(b, a, v.truth(n)));
            }
            LinearOp::NonEmpty { d, a } => numbers!(v, file, blend, d, (a = a), () => v.one(some(v, &a))),
            LinearOp::NonEmptyAndNotBoth { d, of, a, b } => file.some_outside(v, blend, d, [of, a, b]),
            LinearOp::Popcount { d, a } => numbers!(v, file, blend, d, (a = a), () => count(v, &a)),
            LinearOp::Intersects { d, a, b } => {
                numbers!(v, file, blend, d, (a = a, b = b), () => v.one(some(v, &and(v, &a, &b))));
            }
            LinearOp::NonEmptySubset { d, a, b } => numbers!(v, file, blend, d, (a = a, b = b), () => {
                v.one(v.without(some(v, &a), some(v, &without(v, &a, &b))))
            }),
            LinearOp::Equal { d, a, b } => numbers!(v, file, blend, d, (a = a, b = b), () => {
                let different = or(v, &without(v, &a, &b), &without(v, &b, &a));
                v.without(v.all(1), some(v, &different))
            }),
            LinearOp::Compare { cmp, d, a, b } => {
                numbers!(v, file, blend, d, (), (a = a, b = b) => v.one(compared(v, cmp, a, b)))
            }
            LinearOp::Arithmetic { op, d, a, b, .. } => self.arithmetic(op, (d, a, b)),
            LinearOp::Passed => self.flags.passed = self.flags.passed.or(on),
            LinearOp::Acted => self.flags.acted = self.flags.acted.or(on),
            LinearOp::PlayAgain => self.flags.again = self.flags.again.or(on),
            LinearOp::SetOutcome { outcome, winners } => {
                self.flags.decided = self.flags.decided.or(on);
                for i in on.chunks() {
                    let mask = on.lanes(v, i);
                    let winners = v.load(&file.numbers[usize::from(winners.0)][i]);
                    put(v, &mut self.at[i].outcome, v.all(u64::from(outcome)), mask);
                    put(v, &mut self.at[i].winners, winners, mask);
                }
            }
            LinearOp::Stuck { d, player } => {
                self.ask_stuck(player);
                let file = &mut self.file;
                numbers!(v, file, true, d, (), () => v.none());
            }
            LinearOp::FaultIfIntersects { cells, of, .. } => self.expect_free(cells, of),
            LinearOp::FirstOnRay { d, a, until, dir } => self.rays(d, a, until, dir),
            LinearOp::Shift { .. }
            | LinearOp::Neighbors { .. }
            | LinearOp::RayFill { .. }
            | LinearOp::FloodFill { .. }
            | LinearOp::ShiftTimes { .. }
            | LinearOp::SlidingReach { .. }
            | LinearOp::FullLines { .. }
            | LinearOp::LineCompletions { .. }
            | LinearOp::CountGroups { .. }
            | LinearOp::Reaches { .. } => outlined(v, LoopKernel { lanes: self, op, blend }),
            _ => outlined(v, RayQueryKernel { lanes: self, op, blend, near: Default::default() }),
        }
    }

    /// Two men on a cell are a fault, which the scalar executor reports.
    #[inline(always)]
    fn expect_free(&mut self, cells: SetReg, of: SetReg) {
        let (cells, of) = (&self.file.sets[usize::from(cells.0)], &self.file.sets[usize::from(of.0)]);
        let v = self.v;
        let both = gathered!(v, i => some(v, &and(v, &load(v, &cells[i]), &load(v, &of[i]))));
        self.side_exit(both.and(self.flow.on));
    }

    #[inline(always)]
    fn arithmetic(&mut self, op: Arithmetic, (d, a, b): (NumReg, NumReg, NumReg)) {
        let (d, a, b) = (usize::from(d.0), usize::from(a.0), usize::from(b.0));
        let sign = match op {
            Arithmetic::Add => Some(0),
            Arithmetic::Subtract => Some(u64::MAX),
            _ => None,
        };
        if let Some(sign) = sign {
            // To subtract is to add what all bits turned make, and 1.
            let (v, on) = (self.v, self.flow.on);
            let sign = v.all(sign);
            let over = gathered!(v, i => {
                let (a, b) = (v.load(&self.file.numbers[a][i]), v.xor(v.load(&self.file.numbers[b][i]), sign));
                let made = v.sub(v.add(a, b), sign);
                let over = v.less_signed(v.and(v.xor(a, made), v.xor(b, made)), v.none());
                put(v, &mut self.file.numbers[d][i], made, v.without(on.lanes(v, i), over));
                over
            });
            return self.side_exit(over.and(on));
        }
        let mut out = LaneMask::NONE;
        for (i, lane) in self.flow.on.each() {
            let (a, b) = (self.file.numbers[a][i].0[lane] as i64, self.file.numbers[b][i].0[lane] as i64);
            match calculate(op, a, b) {
                Ok(value) => self.file.numbers[d][i].0[lane] = value as u64,
                Err(_) => out.add(i, lane),
            }
        }
        self.side_exit(out);
    }

    /// From each lane's one cell, the first cell along a direction that is in a set.
    #[inline(always)]
    fn rays(&mut self, d: SetReg, a: SetReg, until: SetReg, dir: u16) {
        for (i, lane) in self.flow.on.each() {
            self.ray(d, a, until, dir, (i, lane));
        }
    }

    #[inline(always)]
    pub fn ray(&mut self, d: SetReg, a: SetReg, until: SetReg, dir: u16, (i, lane): (usize, usize)) {
        let from = self.file.get(usize::from(a.0), i, lane);
        let row = &self.shared.tables.next[usize::from(dir)];
        let found = first_along(row, &from, &self.file.sets[usize::from(until.0)][i], lane);
        self.file.put(usize::from(d.0), i, lane, &found);
    }

    /// Takes the first cell or group out of each lane's set; lanes without one leave the rounds.
    #[inline(always)]
    fn next_of(&mut self, of: SetReg, one: SetReg, along: Option<u16>) {
        let on = self.flow.on;
        for (i, lane) in on.each() {
            let set = self.file.get(usize::from(of.0), i, lane);
            let Some(word) = set.iter().position(|&word| word != 0) else {
                self.flow.on.drop(i, lane);
                continue;
            };
            let mut found = [0; W];
            found[word] = set[word] & set[word].wrapping_neg();
            if let Some(along) = along {
                found = self.shared.tables.flood(&found, &set, along);
            }
            let mut left = set;
            left.iter_mut().zip(&found).for_each(|(left, found)| *left &= !found);
            self.file.put(usize::from(of.0), i, lane, &left);
            self.file.put(usize::from(one.0), i, lane, &found);
        }
    }

    /// Lanes that go round once more; too many rounds are a fault, which the scalar executor
    /// reports.
    #[inline(always)]
    fn go_round(&mut self, n: NumReg, counter: NumReg) {
        let (again, counter) = (self.truth(n), usize::from(counter.0));
        let (v, on) = (self.v, self.flow.on);
        let over = gathered!(v, i => {
            let counter = &mut self.file.numbers[counter][i];
            let rounds = v.add(v.load(counter), v.all(1));
            put(v, counter, rounds, on.lanes(v, i));
            v.not(v.less(rounds, v.all(u64::from(MAX_ROUNDS))))
        });
        let over = over.and(again);
        self.flow.on = again;
        self.side_exit(over);
    }
}

/// The first cell of a lane's set along a row of next cells.
#[inline(always)]
fn first_along<const W: usize>(row: &[u16], from: &[u64; W], until: &Set<W>, lane: usize) -> [u64; W] {
    let mut found = [0; W];
    let Some(word) = from.iter().position(|&word| word != 0) else { return found };
    let start = word * 64 + from[word].trailing_zeros() as usize;
    let mut at = start;
    loop {
        let to = row.get(at).copied().map_or(usize::MAX, usize::from);
        if to == usize::from(crate::plan::NOWHERE) || to == start || to / 64 >= W {
            return found;
        }
        at = to;
        if until[at / 64].0[lane] >> (at % 64) & 1 == 1 {
            found[at / 64] = 1 << (at % 64);
            return found;
        }
    }
}
