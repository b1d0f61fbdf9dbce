//! Choice codegen: a choice goes in; code comes out that counts its options, draws among them, and
//! tells which cell of which arm each lane's rank selects.
//!
//! It does what `WarpState::draw_and_find` does for a chunk, but keeps what it counts in registers.
//! A chunk in which the first random word of a lane may not do is left as it is, with those behind
//! it.

use crate::jit::asm::evex::{ALL, Base, Binary, EACH, For, Lanes, MemOperand, Source, Test, Zmm};
use crate::jit::isel::{ASKED, Isel, MEANT, Words};
use crate::jit::regalloc::Value;
use crate::jit::tuning::{MAX_ARMS_PER_CHOICE, MAX_CLASSES_PER_CHOICE, MAX_NESTED_CHOICES};
use crate::plan::{ArmClass, ArmTarget, ChoicePoint, Options, SetReg};
use crate::simt::kernels::arm_shifts::ArmTables;
use crate::simt::registers::MOST_WORDS;
use crate::simt::sample::weights::Kind;
use crate::simt::state::sought::SoughtOffsets;
use crate::simt::state::status::Status;
use crate::simt::tuning::MAX_WINDOWS_KEPT;

/// Lanes that draw, and those that a rank selects.
const DRAWING: Lanes = Lanes(4);
const FINE: Lanes = Lanes(5);
/// Lanes whose cell is not in the words so far.
const FURTHER: Lanes = Lanes(6);

/// What is kept while options are counted; and behind it, words of eight lanes that are kept beside
/// registers.
const WEIGHED: usize = 2 * MAX_CLASSES_PER_CHOICE + MAX_ARMS_PER_CHOICE;
const CHOSEN: usize = WEIGHED + MAX_NESTED_CHOICES * (1 + MOST_WORDS);
pub const SPARES: usize = CHOSEN + WINDOW * MAX_WINDOWS_KEPT;
/// Words around a cell that are kept.
const WINDOW: usize = 4;

/// Most runs behind one option of a class.
fn bound_of(class: usize) -> Value {
    Value::Spare(2 * class as u16)
}

/// Runs behind the options of the classes before.
fn runs_before(class: usize) -> Value {
    Value::Spare(1 + 2 * class as u16)
}

/// Options of the arms before.
fn options_before(arm: usize) -> Value {
    Value::Spare((2 * MAX_CLASSES_PER_CHOICE + arm) as u16)
}

/// The arms that ranks select, of choices within so many others.
pub fn selected_arm(nested: usize) -> Value {
    Value::Spare((WEIGHED + nested * (1 + MOST_WORDS)) as u16)
}

/// A word of the cells that were chosen there, where arms put them in several places.
pub fn selected_bit(nested: usize, word: usize) -> Value {
    Value::Spare((WEIGHED + nested * (1 + MOST_WORDS) + 1 + word) as u16)
}

/// A word of those around a cell that were kept under a number.
pub fn near_by(number: usize, which: usize) -> Value {
    Value::Spare((CHOSEN + WINDOW * number + which) as u16)
}

/// What is kept of a choice while its options are counted.
pub fn is_weight(held: Value) -> bool {
    matches!(held, Value::Spare(at) if usize::from(at) < WEIGHED)
}

/// A part of what is known of a lane.
fn status(at: usize) -> MemOperand {
    MemOperand { base: Base::Status, at: at as i32 }
}

/// Where the cells of a choice are put.
#[derive(Clone, Copy)]
pub struct Chosen {
    pub cell: SetReg,
    /// Lanes whose number is that of no option keep what they have there.
    pub blend: bool,
    pub back: Option<Back>,
}

/// What the arms begin with: a step back from the cell, of sets of one word.
#[derive(Clone, Copy)]
pub struct Back {
    pub d: SetReg,
    /// The first arm.
    pub first: u16,
    pub tables: ArmTables,
}

/// Whether code can be made for a choice: cells are offered, or one thing that is open or not, and
/// what stands behind is bounded by numbers of 32 bits.
pub fn is_plain(point: &ChoicePoint, kind: Kind) -> bool {
    let is_narrow = |class: &ArmClass| !class.unbounded && class.most().is_some_and(|most| most <= u64::from(u32::MAX));
    let few = point.arms.len() <= MAX_ARMS_PER_CHOICE && point.classes.len() <= MAX_CLASSES_PER_CHOICE;
    let simple = point.arms.iter().all(|arm| matches!(arm.options, Options::Cells { .. } | Options::One { .. }));
    simple && few && point.early_reject.is_none() && !point.aimed && (kind.sole || point.classes.iter().all(is_narrow))
}

fn cells(arm: &ArmTarget) -> SetReg {
    if let Options::Cells { of, .. } = arm.options { of } else { crate::simt::code::NOTHING }
}

impl Isel<'_> {
    /// A function that tells which bits are sought; `draws`: the lanes that are meant draw numbers
    /// first. Where it begins.
    pub fn choice(&mut self, point: &ChoicePoint, (kind, draws): (Kind, bool)) -> Option<usize> {
        if !kind.cells || !is_plain(point, kind) {
            return None;
        }
        let (from, begin) = self.begin_choice();
        let total = self.count_weights(point, kind);
        let (number, leaving) = if draws {
            let (number, leaving) = self.draw(total, point.infallible);
            (number, Some(leaving))
        } else {
            (self.loaded(status(Status::NUMBER)), None)
        };
        self.done_but(|z| z == number || z == total);
        let option = self.rank_divmod((number, total), point, kind);
        self.done_but(|z| z == option);
        let (option, picks, arm) = self.select_by_rank(option, point, kind.needs_arm);
        if let Some(arm) = arm {
            let place = MemOperand { base: Base::SelectedArm, at: 0 };
            let old = self.loaded(place);
            self.code.copy(old, arm, For::merging(MEANT));
            self.code.store(place, old);
        }
        self.done_but(|z| z == option || picks.contains(&z));
        let (bits, k) = self.seek(option, picks, |code, word, lanes| {
            let here = code.room();
            code.code.as_words(here, lanes);
            let at = code.board.sought.here + word * size_of::<[u64; 8]>();
            code.code.store(MemOperand { base: Base::SoughtSets, at: at as i32 }, here);
            code.release([here]);
        });
        let SoughtOffsets { words, numbers, bits: found, .. } = self.board.sought;
        self.code.store(MemOperand { base: Base::Sought, at: words as i32 }, bits);
        self.code.store(MemOperand { base: Base::Sought, at: numbers as i32 }, k);
        let places = [words, numbers, found];
        self.code.find_bits(places.map(|at| at as i32));
        self.end_choice((from, begin), leaving)
    }

    /// A function that puts the bits that were found where all arms have them, and goes back the
    /// way of each lane's arm. It comes behind the other for all chunks: what is stored word by
    /// word cannot be loaded at once before it stands in memory.
    pub fn landing(&mut self, chosen: Chosen) -> Option<usize> {
        let (from, begin) = self.begin_choice();
        self.code.load_others();
        self.find(chosen);
        self.done();
        self.store_words();
        self.end_choice((from, begin), None)
    }

    /// A function for a choice begins: where, and where its rounds do.
    fn begin_choice(&mut self) -> (usize, usize) {
        let from = self.begin();
        self.code.begin_choice();
        let begin = self.code.0.len();
        self.code.first_chunk(self.width() as u8, size_of::<Status>() as i32);
        self.load_meant();
        (from, begin)
    }

    fn end_choice(&mut self, (from, begin): (usize, usize), leaving: Option<usize>) -> Option<usize> {
        self.done();
        self.code.end_choice(begin, leaving);
        if self.is_full {
            self.code.0.truncate(from);
            return None;
        }
        Some(from)
    }

    /// Counts the options of each arm and the runs behind them. Tells all runs.
    pub fn count_weights(&mut self, point: &ChoicePoint, kind: Kind) -> Zmm {
        let (mut options, mut runs): (Option<Zmm>, Option<Zmm>) = (None, None);
        for (which, class) in point.classes.iter().enumerate() {
            if class.from == class.to {
                continue;
            }
            for at in class.from..class.to {
                let count = self.weight(point.arms[at].options);
                options = Some(self.sum(options, count, options_before(at)));
            }
            let Some(all) = options.filter(|_| !kind.sole) else { continue };
            let bound = self.bound(class);
            let behind = if class.from == 0 {
                self.binary(Binary::MulHalves, (all, bound), EACH)
            } else {
                let first = self.held(options_before(class.from));
                let count = self.binary(Binary::Sub, (all, first), EACH);
                self.code.binary(Binary::MulHalves, count, (count, bound.into()), EACH);
                self.release([first]);
                count
            };
            self.put(bound_of(which), bound);
            self.release([bound]);
            runs = Some(self.sum(runs, behind, runs_before(which)));
        }
        let total = if kind.sole { options } else { runs };
        let total = total.unwrap_or_else(|| self.nothing());
        self.done_but(|z| z == total);
        total
    }

    /// What there was before, which is kept, and more.
    fn sum(&mut self, before: Option<Zmm>, more: Zmm, kept: Value) -> Zmm {
        let Some(before) = before else { return more };
        let sum = self.binary(Binary::Add, (before, more), EACH);
        self.put(kept, before);
        self.release([before, more]);
        sum
    }

    /// How many options an arm has.
    fn weight(&mut self, options: Options) -> Zmm {
        match options {
            Options::One { open } => {
                self.ask_truth(open);
                let (made, one) = (self.room(), self.constant(1));
                self.code.broadcast(made, one, For::zeroing(ASKED));
                made
            }
            Options::Cells { of, .. } => self.count(of),
            // A choice with such arms is not plain.
            _ => self.nothing(),
        }
    }

    /// How many runs there are at most behind one option of a class.
    fn bound(&mut self, class: &ArmClass) -> Zmm {
        let sum = self.word_of(class.known);
        for (known, sizes) in &class.sized {
            let product = self.word_of(*known);
            // No size is a height, in lock step.
            for &size in sizes {
                let count = self.count(size.of());
                self.code.binary(Binary::MulHalves, product, (product, count.into()), EACH);
                self.release([count]);
            }
            self.code.binary(Binary::Add, sum, (sum, product.into()), EACH);
            self.release([product]);
        }
        sum
    }

    /// The lanes that are meant draw numbers below their totals, as
    /// [`draw`](crate::simt::sample::draw) does. Tells all numbers, and where the code leaves if
    /// the first word of one may not do.
    fn draw(&mut self, total: Zmm, sure: bool) -> (Zmm, usize) {
        self.code.test(Test::Meet, DRAWING, (total, total.into()), MEANT);
        let rng = Status::RNG.map(|at| self.loaded(status(at)));
        let words = self.drawn_words(total, &rng, DRAWING);
        let leaving = self.code.leave_if_any(ASKED);
        self.go_on(&rng, DRAWING);
        for (at, word) in Status::RNG.into_iter().zip(rng) {
            self.code.store(status(at), word);
        }
        // What is left of numbers is stored when they have been divided.
        let number = self.loaded(status(Status::NUMBER));
        self.code.copy(number, words, For::merging(DRAWING));
        for at in [Some(Status::OFFERED), Some(Status::RUNS).filter(|_| !sure)].into_iter().flatten() {
            let old = self.loaded(status(at));
            self.code.copy(old, total, For::merging(DRAWING));
            self.code.store(status(at), old);
            self.release([old]);
        }
        (number, leaving)
    }

    /// Numbers below totals, of the first words of generators; those lanes are asked whose word may
    /// not do.
    pub fn drawn_words(&mut self, total: Zmm, &[a, _, _, d]: &[Zmm; 4], drawing: Lanes) -> Zmm {
        let words = self.binary(Binary::Add, (a, d), EACH);
        self.code.turn(words, words, 23);
        self.code.binary(Binary::Add, words, (words, a.into()), EACH);
        self.code.down(words, words, 32);
        self.code.binary(Binary::MulHalves, words, (words, total.into()), EACH);
        let low = self.within(words, u64::from(u32::MAX));
        self.code.test(Test::Less, ASKED, (low, total.into()), drawing);
        self.release([low]);
        self.code.down(words, words, 32);
        words
    }

    /// Generators of these lanes go on: xoshiro256++.
    pub fn go_on(&mut self, &[a, b, c, d]: &[Zmm; 4], drawing: Lanes) {
        let (c1, d1) = (self.binary(Binary::Xor, (a, c), EACH), self.binary(Binary::Xor, (b, d), EACH));
        let (up, turned) = (self.room(), self.room());
        self.code.up(up, b, 17);
        self.code.turn(turned, d1, 45);
        self.code.binary(Binary::Xor, a, (a, d1.into()), For::merging(drawing));
        self.code.binary(Binary::Xor, b, (b, c1.into()), For::merging(drawing));
        self.code.binary(Binary::Xor, c, (c1, up.into()), For::merging(drawing));
        self.code.copy(d, turned, For::merging(drawing));
        self.release([c1, d1, up, turned]);
    }

    /// The option that each lane's rank selects, and the rank that is left. Tells which lanes have
    /// none.
    fn rank_divmod(&mut self, (number, total): (Zmm, Zmm), point: &ChoicePoint, kind: Kind) -> Zmm {
        self.code.test(Test::Less, FINE, (number, total.into()), MEANT);
        self.code.test(Test::AtLeast, ASKED, (number, total.into()), MEANT);
        self.code.tell_lanes(ASKED);
        let left = self.copied(number);
        if kind.sole {
            self.code.binary(Binary::Xor, left, (left, left.into()), For::merging(FINE));
            self.code.store(status(Status::NUMBER), left);
            return number;
        }
        let (option, rest) = self.rank_divmod_among(number, point);
        self.code.copy(left, rest, For::merging(FINE));
        self.code.store(status(Status::NUMBER), left);
        option
    }

    /// The numbers of the options that numbers fall to, and what is left of these.
    pub fn rank_divmod_among(&mut self, number: Zmm, point: &ChoicePoint) -> (Zmm, Zmm) {
        let mut classes = point.classes.iter().enumerate().filter(|(_, class)| class.from < class.to);
        let first = classes.next().map_or(0, |(which, _)| which);
        let most = self.held(bound_of(first));
        let (local, base, bound) = (self.copied(number), self.nothing(), self.copied(most));
        self.release([most]);
        for (which, class) in classes {
            let before = self.held(runs_before(which));
            self.code.test(Test::AtLeast, ASKED, (number, before.into()), ALL);
            self.code.binary(Binary::Sub, local, (number, before.into()), For::merging(ASKED));
            let (first, most) = (self.held(options_before(class.from)), self.held(bound_of(which)));
            self.code.copy(base, first, For::merging(ASKED));
            self.code.copy(bound, most, For::merging(ASKED));
            self.release([before, first, most]);
        }
        // Numbers below 2^52, whose quotients are exact: see `FRACTION`.
        let (quotient, divisor) = (self.room(), self.room());
        self.code.with_fraction(quotient, local);
        self.code.with_fraction(divisor, bound);
        self.code.binary(Binary::Divide, quotient, (quotient, divisor.into()), EACH);
        self.code.whole(quotient, quotient);
        self.code.binary(Binary::Mul, bound, (quotient, bound.into()), EACH);
        self.code.binary(Binary::Sub, local, (local, bound.into()), EACH);
        self.code.binary(Binary::Add, base, (base, quotient.into()), EACH);
        self.release([bound, quotient, divisor]);
        (base, local)
    }

    /// Finds the arm that each lane's option is of: the number of the option there, the words of
    /// its cells, and the arm itself, if that is asked.
    pub fn select_by_rank(&mut self, option: Zmm, point: &ChoicePoint, needs_arm: bool) -> (Zmm, Words, Option<Zmm>) {
        let first = self.words(cells(&point.arms[0]));
        if point.arms.len() == 1 {
            let arm = needs_arm.then(|| self.nothing());
            return (option, first, arm);
        }
        let picks = self.made(|code, word| code.copied(first[word]));
        self.release(first);
        let (within, selected_arm) = (self.copied(option), needs_arm.then(|| self.nothing()));
        for (at, arm) in point.arms.iter().enumerate().skip(1) {
            let before = self.held(options_before(at));
            self.code.test(Test::AtLeast, ASKED, (option, before.into()), ALL);
            self.code.binary(Binary::Sub, within, (option, before.into()), For::merging(ASKED));
            self.release([before]);
            for (word, &pick) in picks.iter().enumerate() {
                let of = self.word(cells(arm), word as u8);
                self.code.copy(pick, of, For::merging(ASKED));
                self.release([of]);
            }
            if let Some(selected_arm) = selected_arm {
                let number = self.constant(at as u64);
                self.code.broadcast(selected_arm, number, For::merging(ASKED));
            }
        }
        (within, picks, selected_arm)
    }

    /// The word that each lane's cell is in, and its number among the bits of that. `here` is told
    /// in which lanes it is in a word.
    pub fn seek(&mut self, option: Zmm, picks: Words, here: impl Fn(&mut Self, usize, Lanes)) -> (Zmm, Zmm) {
        if self.width() == 1 {
            return (picks[0], option);
        }
        let (bits, k) = (self.copied(picks[0]), self.copied(option));
        let upto = self.nothing();
        let mut before = ALL;
        for word in 0..self.width() {
            if word + 1 == self.width() {
                here(self, word, FURTHER);
                continue;
            }
            let ones = self.room();
            self.code.ones(ones, picks[word]);
            self.code.binary(Binary::Add, upto, (upto, ones.into()), EACH);
            self.code.test(Test::Less, ASKED, (option, upto.into()), before);
            self.code.test(Test::AtLeast, FURTHER, (option, upto.into()), ALL);
            here(self, word, ASKED);
            self.code.copy(bits, picks[word + 1], For::merging(FURTHER));
            self.code.binary(Binary::Sub, k, (option, upto.into()), For::merging(FURTHER));
            self.release([ones]);
            before = FURTHER;
        }
        self.release([upto]);
        (bits, k)
    }

    /// What [`Isel::landing`] does with a chunk.
    fn find(&mut self, chosen: Chosen) {
        let place = |base, at: usize| MemOperand { base, at: at as i32 };
        let sought = self.board.sought;
        let bits = self.loaded(place(Base::Sought, sought.bits));
        for word in 0..self.width() {
            let mut found = bits;
            if self.width() > 1 {
                found = self.loaded(place(Base::SoughtSets, sought.here + word * size_of::<[u64; 8]>()));
                self.code.binary(Binary::And, found, (found, bits.into()), EACH);
            } else if !chosen.blend {
                found = self.copied(bits);
            }
            let to = Value::Word(chosen.cell.0, word as u8);
            self.put_fine(to, found, chosen.blend);
        }
        if let Some(back) = chosen.back {
            let selected_arm = self.loaded(MemOperand { base: Base::SelectedArm, at: 0 });
            let from = self.stepped_back(back, selected_arm, bits);
            self.put_fine(Value::Word(back.d.0, 0), from, true);
        }
    }

    /// The cells that single ones are stepped back to, by the arms of the lanes.
    pub fn stepped_back(&mut self, back: Back, selected_arm: Zmm, bits: Zmm) -> Zmm {
        let arm = self.word_of(u64::from(back.first));
        self.code.binary(Binary::Sub, arm, (selected_arm, arm.into()), EACH);
        let [from, by] = back.tables.map(|[first, other]| {
            let (made, other) = (self.room(), self.table(&other));
            let first = self.table(&first);
            self.code.load_anywhere(made, first);
            self.code.binary(Binary::LookUpTwo, made, (arm, Source::Memory(other)), EACH);
            made
        });
        self.code.binary(Binary::And, from, (from, bits.into()), EACH);
        self.code.binary(Binary::TurnEach, from, (from, by.into()), EACH);
        self.release([arm, by]);
        from
    }

    /// A register becomes what was made, in the lanes whose number is that of an option, or in all.
    fn put_fine(&mut self, to: Value, made: Zmm, blend: bool) {
        if !blend {
            return self.put(to, made);
        }
        let old = self.held(to);
        self.code.copy(old, made, For::merging(FINE));
        self.change(old);
        self.release([old]);
    }

    pub fn loaded(&mut self, from: MemOperand) -> Zmm {
        let made = self.room();
        self.code.load(made, from);
        made
    }

    pub fn nothing(&mut self) -> Zmm {
        let made = self.room();
        self.code.binary(Binary::Xor, made, (made, made.into()), EACH);
        made
    }

    pub fn word_of(&mut self, word: u64) -> Zmm {
        let (made, word) = (self.room(), self.constant(word));
        self.code.broadcast(made, word, EACH);
        made
    }
}
