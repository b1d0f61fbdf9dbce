//! The loop that carries out a program for all lanes.

use multiversion::multiversion;

use super::lanes::{Chunk, Mask, Ones, count, gathered, holds, lanewise, light, numbers, sets, some};
use super::program::{Program, Step};
use super::sets::{and, or, without};
use super::status::Lanes;
use crate::ir::{Cmp, Linked, N, Op, Pairing, S};
use crate::model::{Arithmetic, MAX_ROUNDS};
use crate::position::calculate;

/// Runs a program for the lanes that are meant; what became of each is noted.
#[cfg_attr(
    not(narrow_vectors),
    multiversion(targets(
        "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd+avx512vpopcntdq+avx2+bmi1+bmi2+lzcnt+popcnt",
        "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"
    ))
)]
#[cfg_attr(narrow_vectors, multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt")))]
pub(super) fn run<const W: usize, const K: usize>(lanes: &mut Lanes<W, K>, program: &Program, linked: &Linked, from: u32) {
    let steps = program.steps.as_slice();
    let mut pc = from as usize;
    loop {
        let Some(step) = steps.get(pc) else { return };
        pc += 1;
        match *step {
            Step::Do { op, blend } => lanes.carry_out(&op, blend),
            Step::If { n, to } => {
                lanes.part(n);
                if lanes.on.is_empty() {
                    pc = to as usize;
                }
            }
            Step::Else { to } => {
                lanes.other();
                if lanes.on.is_empty() {
                    pc = to as usize;
                }
            }
            Step::Join => lanes.join(),
            Step::Chosen => lanes.chosen(),
            Step::Rounds => lanes.push_mask(),
            Step::Again { op, to } => {
                if let Op::Again { n, counter, .. } = op {
                    lanes.go_round(n, counter);
                }
                if lanes.on.is_empty() {
                    lanes.join();
                } else {
                    pc = to as usize;
                }
            }
            Step::Next { op, to } => {
                lanes.next_of(&op);
                if lanes.on.is_empty() {
                    pc = to as usize;
                }
            }
            Step::Back { to } => pc = to as usize,
            Step::Choose { point, cell, fell } => lanes.choose(linked, point, (cell, fell as usize), pc - 1),
            Step::Way { fell, to } => {
                lanes.part_to(fell);
                if lanes.on.is_empty() {
                    pc = to as usize;
                }
            }
            Step::Arm { point, arm, fell, to } => {
                if let Some(fell) = fell {
                    lanes.part_to(fell);
                }
                if fell.is_some() && lanes.on.is_empty() {
                    pc = to as usize;
                } else {
                    lanes.enter(linked.points[point as usize].arms[usize::from(arm)].options);
                }
            }
            Step::Split { index } => lanes.split(linked, index),
            Step::Try { last, to } => {
                lanes.try_block(last);
                if lanes.on.is_empty() {
                    pc = to as usize;
                }
            }
            Step::Tried => lanes.tried(linked),
            Step::Met => lanes.met(),
            Step::Need { n } => lanes.need(n),
            Step::Last => lanes.expect_no_number(),
            Step::Fail => lanes.fail_all(),
            Step::End => lanes.complete(),
        }
        if matches!(step, Step::End) || lanes.on.is_empty() && lanes.masks.is_empty() {
            match lanes.redo() {
                Some(at) => pc = at,
                None => return,
            }
        }
    }
}

impl<const W: usize, const K: usize> Lanes<W, K> {
    #[inline(always)]
    fn set_op(&mut self, op: &Op, blend: bool) {
        let (file, on, steps) = (&mut self.file, self.on, &self.steps);
        match *op {
            Op::Copy { d, a } => light!(file, on, blend, d, (a = a), () => *a),
            Op::And { d, a, b } => file.pair(on, blend, Pairing::And, (d, a, b)),
            Op::Or { d, a, b } => file.pair(on, blend, Pairing::Or, (d, a, b)),
            Op::Without { d, a, b } => file.pair(on, blend, Pairing::Without, (d, a, b)),
            Op::Keep { d, a, n } => light!(file, on, blend, d, (a = a), (n = n) => {
                let (mask, mut made) = (n.truth(), *a);
                for word in 0..W {
                    made[word] = a[word].and(&mask);
                }
                made
            }),
            Op::Select { d, n, a, b } => light!(file, on, blend, d, (a = a, b = b), (n = n) => {
                let (mask, mut made) = (n.truth(), *b);
                for word in 0..W {
                    made[word] = b[word].blend(&a[word], &mask);
                }
                made
            }),
            Op::Hop { d, a, hop } => {
                let step = &steps.hops[usize::from(hop)];
                light!(file, on, blend, d, (a = a), () => step.of(a));
            }
            Op::Shift { d, a, dir } => sets!(file, on, blend, d, (a = a), () => steps.step(a, dir)),
            Op::Around { d, a, along } => sets!(file, on, blend, d, (a = a), () => steps.around(a, along)),
            Op::Fill { d, a, through, dir } => {
                sets!(file, on, blend, d, (a = a, through = through), () => steps.fill(a, through, dir));
            }
            Op::Flood { d, a, within, along } => {
                sets!(file, on, blend, d, (a = a, within = within), () => steps.flood(a, within, along));
            }
            Op::Steps { d, a, through, n, dir } => {
                sets!(file, on, blend, d, (a = a, through = through), (n = n) => steps.steps(a, through, n, dir));
            }
            Op::Sight { d, a, through, dirs } => {
                sets!(file, on, blend, d, (a = a, through = through), () => steps.sight(a, through, dirs));
            }
            Op::Rows { d, a, list } => sets!(file, on, blend, d, (a = a), () => steps.rows(a, list)),
            Op::Complete { d, a, how } => sets!(file, on, blend, d, (a = a), () => steps.complete(a, how)),
            Op::FanStep { d, a, fan, wide, .. } => file.fan_step(on, blend, steps, (d, a), fan, wide),
            Op::FanFill { d, a, through, fan, wide, .. } => file.fan_fill(on, blend, steps, (d, a, through), fan, wide),
            Op::FanPair { pairing, d, a, b, lanes, wide } => file.fan_pair(on, blend, pairing, (d, a, b), lanes, wide),
            Op::FanUnion { d, a, lanes } => file.fan_union(on, blend, d, a, lanes),
            Op::Clear { cells } => file.clear(on, &self.roles.men, cells),
            Op::Carry { from, to } => file.carry(on, &self.roles.men, from, to),
            Op::Flip { cells, player } => file.flip(on, &self.roles.owners, self.roles.neutral, cells, player.index()),
            _ => {}
        }
    }

    #[inline(always)]
    fn number_op(&mut self, op: &Op) {
        let (file, on, steps) = (&mut self.file, self.on, &self.steps);
        match *op {
            Op::CountGroups { d, a, along, most } => {
                numbers!(file, on, d, (a = a), () => steps.count_groups(a, along, most));
            }
            Op::Number { d, k } => numbers!(file, on, d, (), () => Chunk::all(k as u64)),
            Op::Move { d, a } => numbers!(file, on, d, (), (a = a) => *a),
            Op::Not { d, a } => numbers!(file, on, d, (), (a = a) => lanewise!(a = a => u64::from(a == 0))),
            Op::Both { d, a, b } => numbers!(file, on, d, (), (a = a, b = b) => a.and(b)),
            Op::Either { d, a, b } => numbers!(file, on, d, (), (a = a, b = b) => a.or(b)),
            Op::Less { d, a, b } => numbers!(file, on, d, (), (a = a, b = b) => a.without(b)),
            Op::Bit { d, a, bit } => numbers!(file, on, d, (), (a = a) => lanewise!(a = a => a >> bit & 1)),
            Op::CountBits { d, a } => {
                numbers!(file, on, d, (), (a = a) => lanewise!(a = a => u64::from(a.count_ones())));
            }
            Op::Choose { d, n, a, b } => {
                numbers!(file, on, d, (), (n = n, a = a, b = b) => b.blend(a, &n.truth()));
            }
            Op::Some { d, a } => numbers!(file, on, d, (a = a), () => one(&some(a))),
            Op::Count { d, a } => numbers!(file, on, d, (a = a), () => count(a)),
            Op::Meet { d, a, b } => numbers!(file, on, d, (a = a, b = b), () => one(&some(&and(a, b)))),
            Op::Within { d, a, b } => {
                numbers!(file, on, d, (a = a, b = b), () => one(&some(a).without(&some(&without(a, b)))));
            }
            Op::Same { d, a, b } => numbers!(file, on, d, (a = a, b = b), () => {
                let different = or(&without(a, b), &without(b, a));
                Chunk::all(1).without(&some(&different))
            }),
            _ => {}
        }
    }

    #[inline(always)]
    fn compare(&mut self, cmp: Cmp, (d, a, b): (N, N, N)) {
        let (file, on) = (&mut self.file, self.on);
        match cmp {
            Cmp::Equal => numbers!(file, on, d, (), (a = a, b = b) => lanewise!(a = a, b = b => u64::from(a == b))),
            Cmp::NotEqual => numbers!(file, on, d, (), (a = a, b = b) => lanewise!(a = a, b = b => u64::from(a != b))),
            Cmp::Less => {
                numbers!(file, on, d, (), (a = a, b = b) => lanewise!(a = a, b = b => u64::from((a as i64) < b as i64)));
            }
            Cmp::AtMost => {
                numbers!(file, on, d, (), (a = a, b = b) => lanewise!(a = a, b = b => u64::from(a as i64 <= b as i64)));
            }
            Cmp::Greater => {
                numbers!(file, on, d, (), (a = a, b = b) => lanewise!(a = a, b = b => u64::from(a as i64 > b as i64)));
            }
            Cmp::AtLeast => {
                numbers!(file, on, d, (), (a = a, b = b) => lanewise!(a = a, b = b => u64::from(a as i64 >= b as i64)));
            }
        }
    }

    #[inline(always)]
    fn carry_out(&mut self, op: &Op, blend: bool) {
        match *op {
            Op::Compare { cmp, d, a, b } => self.compare(cmp, (d, a, b)),
            Op::Arithmetic { op, d, a, b, .. } => self.arithmetic(op, (d, a, b)),
            Op::Passed => self.who.passed = self.who.passed.or(self.on),
            Op::Acted => self.who.acted = self.who.acted.or(self.on),
            Op::PlayAgain => self.who.again = self.who.again.or(self.on),
            Op::Decide { outcome, winners } => {
                for i in 0..K {
                    let mask = Chunk::of(self.on.chunk(i));
                    let winners = self.file.numbers[usize::from(winners.0)][i];
                    self.at[i].decided = self.at[i].decided.blend(&Chunk::all(u64::from(outcome) + 1), &mask);
                    self.at[i].winners = self.at[i].winners.blend(&winners, &mask);
                }
            }
            Op::Stuck { d, player } => {
                self.ask_stuck(player);
                self.number_op(&Op::Number { d, k: 0 });
            }
            Op::Number { .. }
            | Op::Move { .. }
            | Op::Not { .. }
            | Op::Both { .. }
            | Op::Either { .. }
            | Op::Less { .. }
            | Op::Bit { .. }
            | Op::CountBits { .. }
            | Op::Choose { .. }
            | Op::Some { .. }
            | Op::Count { .. }
            | Op::CountGroups { .. }
            | Op::Meet { .. }
            | Op::Within { .. }
            | Op::Same { .. } => self.number_op(op),
            Op::Copy { .. }
            | Op::And { .. }
            | Op::Or { .. }
            | Op::Without { .. }
            | Op::Keep { .. }
            | Op::Select { .. }
            | Op::Hop { .. }
            | Op::Shift { .. }
            | Op::Around { .. }
            | Op::Fill { .. }
            | Op::Flood { .. }
            | Op::Steps { .. }
            | Op::Sight { .. }
            | Op::Rows { .. }
            | Op::Complete { .. }
            | Op::FanStep { .. }
            | Op::FanFill { .. }
            | Op::FanPair { .. }
            | Op::FanUnion { .. }
            | Op::Clear { .. }
            | Op::Carry { .. }
            | Op::Flip { .. } => self.set_op(op, blend),
            Op::Free { cells, of, .. } => self.expect_free(cells, of),
            Op::Ray { d, a, until, dir } => self.rays(d, a, until, dir),
            Op::Follow { d, a, x, y, trail } => {
                let left = self.follow((d, a, x, y), trail);
                self.lane_by_lane(op, left);
            }
            Op::InRow { d, a, within, trail } => {
                let left = self.in_row(d, (a, within), trail);
                self.lane_by_lane(op, left);
            }
            _ => self.lane_by_lane(op, self.on),
        }
    }

    /// Two men on a cell are a fault, which is told where the turn is played alone.
    #[inline(always)]
    fn expect_free(&mut self, cells: S, of: S) {
        let (cells, of) = (&self.file.sets[usize::from(cells.0)], &self.file.sets[usize::from(of.0)]);
        let both = gathered!(i => some(&and(&cells[i], &of[i])));
        self.leave(both.and(self.on));
    }

    #[inline(always)]
    fn arithmetic(&mut self, op: Arithmetic, (d, a, b): (N, N, N)) {
        let [d, a, b] = [d, a, b].map(|reg| usize::from(reg.0));
        let sign = match op {
            Arithmetic::Add => Some(0),
            Arithmetic::Subtract => Some(u64::MAX),
            _ => None,
        };
        if let Some(sign) = sign {
            // To subtract is to add what all bits turned make, and 1.
            let on = self.on;
            let over = gathered!(i => {
                let (a, b) = (self.file.numbers[a][i], self.file.numbers[b][i]);
                let made = lanewise!(a = a, b = b => a.wrapping_add(b ^ sign).wrapping_sub(sign));
                let over = lanewise!(a = a, b = b, made = made => {
                    (((a ^ made) & (b ^ sign ^ made)) >> 63).wrapping_neg()
                });
                let mask = Chunk::of(on.chunk(i)).without(&over);
                self.file.numbers[d][i] = self.file.numbers[d][i].blend(&made, &mask);
                over
            });
            return self.leave(over.and(on));
        }
        let mut out = Mask::NONE;
        for i in 0..K {
            for lane in Ones(self.on.chunk(i)) {
                let (a, b) = (self.file.numbers[a][i].0[lane] as i64, self.file.numbers[b][i].0[lane] as i64);
                match calculate(op, a, b) {
                    Ok(value) => self.file.numbers[d][i].0[lane] = value as u64,
                    Err(_) => out.add(i, 1 << lane),
                }
            }
        }
        self.leave(out);
    }

    /// From each lane's one cell, the first cell along a direction that is in a set.
    #[inline(always)]
    fn rays(&mut self, d: S, a: S, until: S, dir: u16) {
        let row = &self.tables.next[usize::from(dir)];
        let (file, on) = (&mut self.file, self.on);
        for i in 0..K {
            for lane in Ones(on.chunk(i)) {
                let from = file.get(usize::from(a.0), i, lane);
                let found = first_along(row, &from, &file.sets[usize::from(until.0)][i], lane);
                file.put(usize::from(d.0), i, lane, &found);
            }
        }
    }

    /// What is rare is done as for one game.
    #[inline(always)]
    fn lane_by_lane(&mut self, op: &Op, lanes: Mask) {
        let mut out = Mask::NONE;
        for i in 0..K {
            for lane in Ones(lanes.chunk(i)) {
                if !self.one_lane(op, i, lane) {
                    out.add(i, 1 << lane);
                }
            }
        }
        self.leave(out);
    }

    /// `false`: a fault, or what only an executor of one game does.
    #[inline(always)]
    fn one_lane(&mut self, op: &Op, i: usize, lane: usize) -> bool {
        let tables = &self.tables;
        let get = |file: &super::lanes::File<W, K>, reg: S| file.get(usize::from(reg.0), i, lane);
        let file = &mut self.file;
        match *op {
            Op::AroundBits { d, a, dirs } => {
                let made = tables.around_bits(&get(file, a), file.number(dirs, i, lane));
                file.put(usize::from(d.0), i, lane, &made);
            }
            Op::Span { d, a, b, .. } => match tables.span(&get(file, a), &get(file, b)) {
                Ok(line) => file.put(usize::from(d.0), i, lane, &line),
                Err(_) => return false,
            },
            Op::Nth { d, a, n } => {
                let made = tables.nth_cell(&get(file, a), file.number(n, i, lane));
                file.put(usize::from(d.0), i, lane, &made);
            }
            Op::Band { d, fold, from, to, player } => {
                let forward = self.forwards[player.index()];
                let made = tables.band(fold, file.number(from, i, lane), file.number(to, i, lane), forward);
                file.put(usize::from(d.0), i, lane, &made);
            }
            Op::Follow { d, a, x, y, trail } => {
                let get = |reg: S| file.get(usize::from(reg.0), i, lane);
                let made = tables.trails[usize::from(trail)].follow(&get(a), &get(x), &get(y));
                file.put(usize::from(d.0), i, lane, &made);
            }
            Op::InRow { d, a, within, trail } => {
                let get = |reg: S| file.get(usize::from(reg.0), i, lane);
                let long = tables.trails[usize::from(trail)].in_row(&get(a), &get(within));
                file.put_number(d, i, lane, i64::from(long));
            }
            Op::Opposites { d, a } => {
                let (mut left, mut all) = (file.number(a, i, lane) as u64, 0u64);
                while left != 0 {
                    all |= 1 << tables.opposite[left.trailing_zeros() as usize % tables.opposite.len()];
                    left &= left - 1;
                }
                file.put_number(d, i, lane, all as i64);
            }
            Op::Coordinate { d, fold, a, player, .. } => match tables.grid.cells(&get(file, a)).single() {
                Some(cell) => {
                    file.put_number(d, i, lane, tables.coordinate(fold, cell, self.forwards[player.index()]));
                }
                None => return false,
            },
            Op::TimesPieces { d, more } => {
                let history = &self.histories[i * super::lanes::WIDE + lane];
                let noted = if more == 0 { history.times_last_pieces() } else { None };
                let times = noted.unwrap_or_else(|| history.times_pieces(self.pieces_hash(i, lane)));
                self.file.put_number(d, i, lane, times + more);
            }
            Op::TimesPosition { d, more } => {
                let history = &self.histories[i * super::lanes::WIDE + lane];
                let noted = if more == 0 { history.times_last_position() } else { None };
                let times = noted.unwrap_or_else(|| history.times_position(self.position_hash(i, lane)));
                self.file.put_number(d, i, lane, times + more);
            }
            Op::Cycle { d } => {
                let cycle = self.histories[i * super::lanes::WIDE + lane].cycle(self.position_hash(i, lane));
                self.file.put_number(d, i, lane, cycle);
            }
            _ => return false,
        }
        true
    }

    /// Takes the first cell or group out of each lane's set; lanes without one leave the rounds.
    #[inline(always)]
    fn next_of(&mut self, op: &Op) {
        let on = self.on;
        for i in 0..K {
            for lane in Ones(on.chunk(i)) {
                let (of, one, along) = match *op {
                    Op::NextCell { of, cell, .. } => (of, cell, None),
                    Op::NextGroup { of, group, along, .. } => (of, group, Some(along)),
                    _ => return,
                };
                let set = self.file.get(usize::from(of.0), i, lane);
                let Some(word) = set.iter().position(|&word| word != 0) else {
                    self.on.drop(i, 1 << lane);
                    continue;
                };
                let mut found = [0; W];
                found[word] = set[word] & set[word].wrapping_neg();
                if let Some(along) = along {
                    found = self.tables.flood(&found, &set, along);
                }
                let mut left = set;
                left.iter_mut().zip(&found).for_each(|(left, found)| *left &= !found);
                self.file.put(usize::from(of.0), i, lane, &left);
                self.file.put(usize::from(one.0), i, lane, &found);
            }
        }
    }

    /// Lanes that go round once more; too many rounds are a fault, which is told where the turn is played alone.
    #[inline(always)]
    fn go_round(&mut self, n: N, counter: N) {
        let (again, counter) = (self.truth(n), usize::from(counter.0));
        let mut over = Mask::NONE;
        for i in 0..K {
            let rounds = lanewise!(rounds = &self.file.numbers[counter][i] => rounds.wrapping_add(1));
            let mask = Chunk::of(self.on.chunk(i));
            self.file.numbers[counter][i] = self.file.numbers[counter][i].blend(&rounds, &mask);
            over.add(i, holds!(again.chunk(i), rounds = rounds => rounds >= u64::from(MAX_ROUNDS)));
        }
        self.on = again;
        self.leave(over);
    }
}

/// 1 in the lanes of a mask.
#[inline(always)]
fn one(mask: &Chunk) -> Chunk {
    mask.and(&Chunk::all(1))
}

/// The first cell of a lane's set along a row of next cells.
#[inline(always)]
fn first_along<const W: usize>(row: &[u16], from: &[u64; W], until: &super::lanes::Set<W>, lane: usize) -> [u64; W] {
    let mut found = [0; W];
    let Some(word) = from.iter().position(|&word| word != 0) else { return found };
    let start = word * 64 + from[word].trailing_zeros() as usize;
    let mut at = start;
    loop {
        let to = row.get(at).copied().map_or(usize::MAX, usize::from);
        if to == usize::from(crate::ir::NOWHERE) || to == start || to / 64 >= W {
            return found;
        }
        at = to;
        if until[at / 64].0[lane] >> (at % 64) & 1 == 1 {
            found[at / 64] = 1 << (at % 64);
            return found;
        }
    }
}
