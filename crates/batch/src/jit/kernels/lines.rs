//! Line codegen: operations along lines go in; machine code comes out for shifts, ray fills and
//! rows.

use crate::jit::asm::evex::{ALL, Binary, EACH, For, Source, Test, Zmm};
use crate::jit::isel::{ASKED, Isel, WideStep, Words};
use crate::jit::regalloc::Value;
use crate::plan::{LinearOp, NumReg, SetReg};
use crate::simt::code::Ways;
use crate::simt::kernels::line_pattern::{Alike, Asked, LinePatterns};
use crate::simt::kernels::ray_fill::{Doubled, powers_of_two};
use crate::simt::registers::MOST_WORDS;

impl Isel<'_> {
    /// Operations on rows, lane by lane of them.
    pub fn row(&mut self, op: &LinearOp) -> bool {
        let board = self.board;
        let lane_of = |first: SetReg, lane: usize, wide: bool| SetReg(first.0 + if wide { lane as u16 } else { 0 });
        match *op {
            LinearOp::VecShift { d, a, onto, fan, wide, .. } => {
                for (lane, step) in board.steps.fan(fan).0.iter().enumerate() {
                    if !self.stepped(step, lane_of(d, lane, true), lane_of(a, lane, wide & 1 != 0), onto) {
                        return false;
                    }
                    self.done();
                }
            }
            LinearOp::VecRayFill { d, a, through, fan, wide, .. } => {
                let (steps, longest) = board.steps.fan(fan);
                for (lane, step) in steps.iter().enumerate() {
                    let (a, through) = (lane_of(a, lane, wide & 1 != 0), lane_of(through, lane, wide & 2 != 0));
                    if !self.filled(step, lane_of(d, lane, true), (a, through), longest) {
                        return false;
                    }
                    self.done();
                }
            }
            LinearOp::VecBinary { pairing, d, a, b, lanes, wide } => {
                for lane in 0..usize::from(lanes) {
                    let (a, b) = (lane_of(a, lane, wide & 1 != 0), lane_of(b, lane, wide & 2 != 0));
                    self.pair(pairing, lane_of(d, lane, true), a, b);
                    self.done();
                }
            }
            LinearOp::VecKeepIf { d, a, n, lanes, bits } => {
                for (lane, bit) in (0..usize::from(lanes)).zip(bits.to_le_bytes()) {
                    let (n, bit) = (self.number(n), Source::Word(self.constant(1 << (bit & 63))));
                    self.code.test(Test::Meet, ASKED, (n, bit), ALL);
                    self.each_word(lane_of(d, lane, true), [a], |code, [a]| {
                        let made = code.room();
                        code.code.copy(made, a, For::zeroing(ASKED));
                        made
                    });
                    self.done();
                }
            }
            LinearOp::VecUnion { d, a, lanes, steps } => return self.united(d, (a, lanes), steps),
            _ => return false,
        }
        true
    }

    fn united(&mut self, d: SetReg, (a, lanes): (SetReg, u8), steps: Option<u16>) -> bool {
        let board = self.board;
        let mut all: Option<Words> = None;
        for lane in 0..usize::from(lanes) {
            let mut from = self.words(SetReg(a.0 + lane as u16));
            if let Some(fan) = steps {
                let Some(step) = board.steps.fan(fan).0.get(lane) else { return false };
                let Some(moved) = self.moved(step, from) else { return false };
                from = moved;
            }
            all = Some(match all {
                None => self.made(|code, word| code.copied(from[word])),
                Some(all) => {
                    (0..self.width())
                        .for_each(|word| self.code.binary(Binary::Or, all[word], (all[word], from[word].into()), EACH));
                    all
                }
            });
            // What has been joined is not computed with any more.
            let kept = all;
            self.done_but(|z| kept.is_some_and(|all| all.contains(&z)));
        }
        if let Some(all) = all {
            self.put_words(d, all);
        }
        true
    }

    /// A step from a set, of which what lies in another one is kept.
    pub fn stepped(&mut self, step: &WideStep, d: SetReg, a: SetReg, onto: Option<SetReg>) -> bool {
        let from = self.words(a);
        let Some(mut moved) = self.moved(step, from) else { return false };
        if let Some(onto) = onto {
            let onto = self.words(onto);
            moved = self.made(|code, word| code.binary(Binary::And, (moved[word], onto[word]), EACH));
        }
        self.put_words(d, moved);
        true
    }

    /// What steps from a set lead to, all together.
    pub fn stepped_all(&mut self, d: SetReg, a: SetReg, steps: &[WideStep]) -> bool {
        let all = self.made(|code, _| code.nothing());
        for step in steps {
            let from = self.words(a);
            let Some(moved) = self.moved(step, from) else { return false };
            (0..self.width())
                .for_each(|word| self.code.binary(Binary::Or, all[word], (all[word], moved[word].into()), EACH));
            self.done_but(|z| all.contains(&z));
        }
        self.put_words(d, all);
        true
    }

    /// Sets moved by a step.
    fn moved(&mut self, step: &WideStep, from: Words) -> Option<Words> {
        let from = self.made(|code, word| code.within(from[word], step.from[word]));
        if self.width() == 1 {
            // No bit leaves the word.
            let made = self.room();
            self.code.turn(made, from[0], (step.by & 63) as u8);
            return Some(Words::one(made));
        }
        self.shifted(from, step.by)
    }

    /// All bits moved by less than a word.
    fn shifted(&mut self, from: Words, by: i32) -> Option<Words> {
        let (bits, width) = (by.unsigned_abs(), self.width());
        if bits == 0 || bits >= u64::BITS {
            return None;
        }
        let mut made = from;
        for word in 0..width {
            let main = self.room();
            let beside = if by > 0 { word.checked_sub(1) } else { Some(word + 1).filter(|beside| *beside < width) };
            if by > 0 {
                self.code.up(main, from[word], bits as u8);
            } else {
                self.code.down(main, from[word], bits as u8);
            }
            if let Some(beside) = beside {
                let (carried, rest) = (self.room(), (u64::BITS - bits) as u8);
                if by > 0 {
                    self.code.down(carried, from[beside], rest);
                } else {
                    self.code.up(carried, from[beside], rest);
                }
                self.code.binary(Binary::Or, main, (main, carried.into()), EACH);
                self.done_but(|z| z != carried);
            }
            made[word] = main;
        }
        Some(made)
    }

    fn filled(&mut self, step: &WideStep, d: SetReg, (a, through): (SetReg, SetReg), longest: u32) -> bool {
        let lines = (self.words(a), self.words(through));
        let Some(found) = self.run(step, lines, longest, &[]) else { return false };
        self.put_words(d, found);
        true
    }

    /// As many steps as a number says, all through a set: see [`walk`](crate::simt::kernels::ray_fill::walk).
    pub fn walked(&mut self, d: SetReg, (a, through): (SetReg, SetReg), n: NumReg, dir: u16) -> bool {
        let Some(step) = self.board.steps.one(dir).filter(|_| self.width() <= 2) else { return false };
        let longest = self.board.steps.longest(dir);
        let (from, through, n) = (self.words(a), self.words(through), self.number(n));
        let beyond = Source::Word(self.constant(u64::from(longest) + 1));
        self.code.test(Test::Below, ASKED, (n, beyond), ALL);
        let at = self.made(|code, word| {
            let made = code.room();
            code.code.copy(made, from[word], For::zeroing(ASKED));
            made
        });
        let mut open = self.made(|code, word| code.within(through[word], step.to[word]));
        for steps in powers_of_two(longest) {
            let Some(further) = self.shifted(at, step.by * steps) else { return false };
            let bit = Source::Word(self.constant(steps as u64));
            self.code.test(Test::Meet, ASKED, (n, bit), ALL);
            for word in 0..self.width() {
                self.code.binary(Binary::And, at[word], (further[word], open[word].into()), For::merging(ASKED));
            }
            if 2 * steps <= longest as i32 {
                let Some(before) = self.shifted(open, step.by * steps) else { return false };
                open = self.made(|code, word| code.binary(Binary::And, (before[word], open[word]), EACH));
            }
            self.done_but(|z| open.contains(&z) || at.contains(&z) || z == n);
        }
        self.put_words(d, at);
        true
    }

    /// Runs from cells along each direction of a ray query, through one of the sets from `runs` on.
    pub fn refilled(&mut self, d: SetReg, (a, trail): (SetReg, u16), (runs, ways): (SetReg, &Ways)) -> bool {
        let (steps, longest) = self.board.steps.trails[usize::from(trail)].ended_runs();
        if self.width() > 1 {
            return false;
        }
        let all = self.room();
        self.code.binary(Binary::Xor, all, (all, all.into()), EACH);
        for (step, way) in steps.iter().zip(ways) {
            let through = SetReg(runs.0 + u16::from(*way));
            let lines = (self.words(a), self.words(through));
            let Some(found) = self.run(step, lines, longest, &[all]) else { return false };
            self.code.binary(Binary::Or, all, (all, found[0].into()), EACH);
            self.done_but(|z| z == all);
        }
        self.put_words(d, Words::one(all));
        true
    }

    /// Runs along a direction through a set: they double. `kept`: what else is computed with.
    pub fn run(
        &mut self,
        step: &WideStep,
        (from, through): (Words, Words),
        longest: u32,
        kept: &[Zmm],
    ) -> Option<Words> {
        if self.width() > 2 {
            return None;
        }
        let mut open = self.made(|code, word| code.within(through[word], step.to[word]));
        let first = self.shifted(from, step.by)?;
        let found = self.made(|code, word| code.binary(Binary::And, (first[word], open[word]), EACH));
        let mut runs = Doubled::up_to(longest);
        while let Some(steps) = runs.grow() {
            let further = self.shifted(found, step.by * steps)?;
            for word in 0..self.width() {
                // What stands, or is reached and open.
                self.code.ternary(found[word], (further[word], open[word].into()), 0xf8);
            }
            if runs.doubles() {
                let before = self.shifted(open, step.by * steps)?;
                open = self.made(|code, word| code.binary(Binary::And, (before[word], open[word]), EACH));
            }
            self.done_but(|z| open.contains(&z) || found.contains(&z) || kept.contains(&z));
        }
        Some(found)
    }

    /// What is asked of rows of sets of one word.
    pub fn rows(&mut self, (d, a): (SetReg, SetReg), rows: &LinePatterns<MOST_WORDS>, asked: Asked) -> bool {
        let Some(alike) = rows.all_alike().filter(|_| self.width() == 1) else { return false };
        let (of, all) = (self.word(a, 0), self.room());
        self.code.binary(Binary::Xor, all, (all, all.into()), EACH);
        for Alike { by, firsts, asked: places } in alike {
            let moved = |code: &mut Self, of: Zmm, steps: i32| {
                let (made, by) = (code.room(), by * steps);
                if by > 0 {
                    code.code.up(made, of, by as u8)
                } else {
                    code.code.down(made, of, by.unsigned_abs() as u8)
                }
                made
            };
            let most = places.len() as i32 - 1;
            if by * most >= u64::BITS as i32 {
                return false;
            }
            if asked == Asked::Whole {
                let whole = self.within(of, firsts[0]);
                for place in 1..=most {
                    let next = moved(self, of, -place);
                    self.code.binary(Binary::And, whole, (whole, next.into()), EACH);
                }
                self.code.binary(Binary::Or, all, (all, whole.into()), EACH);
                for place in 1..=most {
                    let next = moved(self, whole, place);
                    self.code.binary(Binary::Or, all, (all, next.into()), EACH);
                }
            } else {
                // By how far: those further on than the cell, and those before it.
                let near: Vec<(i32, Zmm)> =
                    (-most..=most).filter(|steps| *steps != 0).map(|steps| (steps, moved(self, of, steps))).collect();
                for (place, may) in (0..).zip(places) {
                    let others: Vec<Zmm> = near
                        .iter()
                        .filter(|(steps, _)| (0..=most).contains(&(place - steps)))
                        .map(|near| near.1)
                        .collect();
                    let made = self.within(others[0], may[0]);
                    others[1..]
                        .iter()
                        .for_each(|other| self.code.binary(Binary::And, made, (made, (*other).into()), EACH));
                    self.code.binary(Binary::Or, all, (all, made.into()), EACH);
                }
            }
            self.done_but(|z| z == all || z == of);
        }
        self.put(Value::Word(d.0, 0), all);
        true
    }
}
