//! Flood codegen: a flood goes in; code comes out that goes on from cell to cell until no lane of a
//! vector reaches another one.
//!
//! What it computes with has its registers before it begins: nothing is loaded or stored on the
//! way, and what is done with a lane that has come to an end changes nothing.

use crate::jit::asm::evex::{ALL, Binary, EACH, For, Lanes, Pair, Source, Test, Zmm};
use crate::jit::isel::{ASKED, ASKED_MORE, Isel, MEANT, WideStep, Words};
use crate::jit::tuning::MAX_GROUPS_UNROLLED;
use crate::plan::{NumReg, SetReg};

/// Registers to step with.
type Aside = [Zmm; 3];

impl Isel<'_> {
    /// All cells of a set that others in it lead to.
    pub fn flooded(&mut self, d: SetReg, (a, within): (SetReg, SetReg), along: u16) -> bool {
        let board = self.board;
        let steps = board.steps.along(along);
        if !steps.iter().all(is_near) {
            return false;
        }
        let (from, within) = (self.words(a), self.words(within));
        let all = self.made(|code, word| code.binary(Binary::And, (from[word], within[word]), EACH));
        self.release(from);
        // A shift by a word and more has no code.
        let is_short = |longest: u32| (longest * steps[0].by.unsigned_abs()) < u64::BITS;
        if let Some((ways, longest)) =
            board.steps.axis(along).filter(|(_, longest)| self.width() <= 2 && is_short(*longest))
        {
            // Rays of both ways, each from where the flood begins.
            let mut whole = all;
            for way in ways {
                let kept = [&all[..], &within[..], &whole[..]].concat();
                let Some(found) = self.run(way, (all, within), longest, &kept) else { return false };
                whole = self.made(|code, word| code.binary(Binary::Or, (whole[word], found[word]), EACH));
            }
            self.put_words(d, whole);
            return true;
        }
        self.flood_on(all, within, along);
        self.put_words(d, all);
        true
    }

    /// Goes on from cells within a set until no lane reaches another one.
    fn flood_on(&mut self, all: Words, within: Words, along: u16) {
        let board = self.board;
        let rounds = board.steps.rounds(along);
        let (around, aside): (Vec<Words>, Aside) =
            (rounds.iter().map(|_| self.rooms()).collect(), [(); 3].map(|()| self.room()));
        let begin = self.code.0.len();
        let mut from = all;
        for (steps, &to) in rounds.iter().zip(&around) {
            self.step_around(to, from, (steps, aside));
            if rounds.len() > 1 {
                (0..self.width())
                    .for_each(|word| self.code.binary(Binary::Or, to[word], (to[word], from[word].into()), EACH));
            }
            from = to;
        }
        for word in 0..self.width() {
            // What is come to within the set, and was not before.
            self.code.ternary(from[word], (within[word], all[word].into()), 0x40);
            self.code.binary(Binary::Or, all[word], (all[word], from[word].into()), EACH);
        }
        self.ask_any(from, aside[0]);
        self.code.jump_back_if_any(ASKED, begin);
        around.into_iter().for_each(|words| self.release(words));
        self.release(aside);
    }

    /// How many groups a set has, if not more than so many.
    pub fn groups_counted(&mut self, d: NumReg, a: SetReg, (along, most): (u16, u16)) -> bool {
        // A set of one word has its lowest cell at once, and code for each group does not become long.
        if self.width() > 1 || most > MAX_GROUPS_UNROLLED || !self.board.steps.along(along).iter().all(is_near) {
            return false;
        }
        let (of, one) = (self.words(a), Source::Word(self.constant(1)));
        let left = self.made(|code, word| code.copied(of[word]));
        let groups = self.nothing();
        for counted in 1..=most {
            self.code.test(Test::Meet, ASKED, (left[0], left[0].into()), ALL);
            self.code.binary(Binary::Add, groups, (groups, one), For::merging(ASKED));
            if counted == most {
                break;
            }
            let all = self.nothing();
            self.code.binary(Binary::Sub, all, (all, left[0].into()), EACH);
            self.code.binary(Binary::And, all, (all, left[0].into()), EACH);
            self.flood_on(Words::one(all), left, along);
            self.code.binary(Binary::AndNot, left[0], (all, left[0].into()), EACH);
            self.release([all]);
        }
        self.put_number(d, groups);
        true
    }

    /// Whether a cell of one set, or one `beside` such a cell, is joined to one of another.
    pub fn joined_by(&mut self, d: NumReg, [a, within, to]: [SetReg; 3], along: u16, beside: bool) -> bool {
        let board = self.board;
        let steps = board.steps.along(along);
        // As many sets as registers have room for.
        if self.width() > 3 || !steps.iter().all(is_near) {
            return false;
        }
        let [from, within, to] = [a, within, to].map(|reg| self.words(reg));
        let all = self.made(|code, word| code.binary(Binary::And, (from[word], within[word]), EACH));
        self.release(from);
        let (front, around): (Words, Words) = (self.rooms(), self.rooms());
        let aside = [(); 3].map(|()| self.room());
        for word in 0..self.width() {
            self.code.copy(all[word], all[word], For::zeroing(MEANT));
            self.code.copy(front[word], all[word], EACH);
        }
        // The lanes that have met what they look for.
        let met = ASKED_MORE;
        self.code.binary(Binary::Xor, aside[0], (aside[0], aside[0].into()), EACH);
        self.code.test(Test::Meet, met, (aside[0], aside[0].into()), ALL);
        if !beside {
            self.meet_cells(met, (front, to), aside);
        }
        let begin = self.code.0.len();
        // They look no further.
        (0..self.width()).for_each(|word| {
            self.code.binary(Binary::Xor, front[word], (front[word], front[word].into()), For::merging(met))
        });
        self.ask_any(front, aside[0]);
        let over = self.code.jump_if_none(ASKED);
        self.step_around(around, front, (steps, aside));
        for word in 0..self.width() {
            self.code.copy(front[word], around[word], EACH);
            self.code.ternary(front[word], (within[word], all[word].into()), 0x40);
            self.code.binary(Binary::Or, all[word], (all[word], front[word].into()), EACH);
        }
        self.meet_cells(met, (if beside { around } else { front }, to), aside);
        let again = self.code.jump();
        self.code.land_at(again, begin);
        self.code.land(over);
        self.done();
        self.put_truth(d, met);
        true
    }

    fn rooms(&mut self) -> Words {
        self.made(|code, _| code.room())
    }

    /// What steps from a set lead to.
    fn step_around(&mut self, to: Words, from: Words, (steps, aside): (&[WideStep], Aside)) {
        to.into_iter().for_each(|to| self.code.binary(Binary::Xor, to, (to, to.into()), EACH));
        for step in steps {
            self.step_once(to, from, (step, aside));
        }
    }

    fn step_once(&mut self, to: Words, from: Words, (step, [mut here, mut before, moved]): (&WideStep, Aside)) {
        let (bits, goes_up) = (step.by.unsigned_abs() as u8, step.by > 0);
        // From the end on that bits move away from, so that what a word gets from the one before is
        // at hand.
        for at in 0..self.width() {
            let word = if goes_up { at } else { self.width() - 1 - at };
            let cells = Source::Word(self.constant(step.from[word]));
            self.code.binary(Binary::And, here, (from[word], cells), EACH);
            if at > 0 {
                let rest = u64::BITS as u8 - bits;
                if goes_up { self.code.down(before, before, rest) } else { self.code.up(before, before, rest) }
            }
            if goes_up {
                self.code.up(moved, here, bits)
            } else {
                self.code.down(moved, here, bits)
            }
            if at > 0 {
                // All that is one in any of them.
                self.code.ternary(to[word], (moved, before.into()), 0xfe);
            } else {
                self.code.binary(Binary::Or, to[word], (to[word], moved.into()), EACH);
            }
            std::mem::swap(&mut here, &mut before);
        }
    }

    /// The lanes of which a set has cells.
    fn ask_any(&mut self, cells: Words, aside: Zmm) {
        self.code.copy(aside, cells[0], EACH);
        cells[1..].iter().for_each(|word| self.code.binary(Binary::Or, aside, (aside, (*word).into()), EACH));
        self.code.test(Test::Meet, ASKED, (aside, aside.into()), ALL);
    }

    /// Lanes join others in which two sets have a cell in common.
    fn meet_cells(&mut self, met: Lanes, (a, b): (Words, Words), [any, both, _]: Aside) {
        for word in 0..self.width() {
            let to = if word == 0 { any } else { both };
            self.code.binary(Binary::And, to, (a[word], b[word].into()), EACH);
            if word > 0 {
                self.code.binary(Binary::Or, any, (any, both.into()), EACH);
            }
        }
        self.code.test(Test::Meet, ASKED, (any, any.into()), ALL);
        self.code.pair_lanes(Pair::Or, met, (met, ASKED));
    }
}

/// A step moves by less than a word, and by something.
fn is_near(step: &WideStep) -> bool {
    (1..u64::BITS).contains(&step.by.unsigned_abs())
}
