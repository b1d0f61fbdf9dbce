//! Draw codegen: a choice of a turn function goes in; code comes out that counts its options, draws
//! for the lanes that have not drawn, and writes the cells that their ranks select.

use crate::jit::asm::evex::{Binary, EACH, For, Test, Zmm};
use crate::jit::asm::scalar::of_report;
use crate::jit::choice::{Back, is_plain, is_weight, selected_arm, selected_bit};
use crate::jit::exit::{ExitReason, ExitReport};
use crate::jit::isel::{ASKED, MEANT};
use crate::jit::regalloc::Value;
use crate::jit::tuning::MAX_NESTED_CHOICES;
use crate::jit::turn_fn::{Drawn, Playing};
use crate::plan::{ChoicePoint, Options, SetReg};
use crate::simt::code::Atomicity;
use crate::simt::sample::weights::Kind;
use crate::simt::state::status::Status;

impl Playing<'_, '_, '_> {
    /// `None`: it has no code. `cell`: where all arms put theirs, and whether lanes that are not
    /// meant keep what they have there.
    pub fn choose(&mut self, number: u32, kind: Kind, (cell, blend): (Option<SetReg>, bool)) -> Option<()> {
        let point = &self.turn_fn.points[number as usize];
        let nested = self.nested();
        if !is_plain(point, kind) || nested >= MAX_NESTED_CHOICES || self.drawn == Drawn::Some {
            return None;
        }
        self.code.blend = false;
        let total = self.code.count_weights(point, kind);
        let drawing = if self.drawn == Drawn::None { self.draw(total, point) } else { self.numbered(total) };
        let (option, rest) =
            if kind.sole { (drawing, self.code.nothing()) } else { self.code.rank_divmod_among(drawing, point) };
        if self.numbered {
            self.put_apart(Value::Status(Status::NUMBER as u16), rest);
        }
        self.code.done_but(|z| z == option);
        let (option, picks, arm) = self.code.select_by_rank(option, point, kind.needs_arm);
        if let Some(arm) = arm {
            self.code.blend = false;
            self.code.put(selected_arm(nested), arm);
        }
        self.code.done_but(|z| z == option || picks.contains(&z));
        let (bits, k) = self.code.seek(option, picks, |code, word, lanes| {
            code.code.store_lanes(ExitReport::by_word(word), lanes);
        });
        let found = self.find(bits, k);
        self.code.forget(is_weight);
        self.put_found((cell, blend), nested, found);
        self.drawn = Drawn::All;
        Some(())
    }

    /// Draws for all lanes that are meant; those leave for which nothing is offered, or whose first
    /// random word may not do. Tells their numbers.
    fn draw(&mut self, total: Zmm, point: &ChoicePoint) -> Zmm {
        self.code.code.test(Test::Apart, ASKED, (total, total.into()), MEANT);
        self.side_exit();
        let rng = Status::RNG.map(|at| self.code.held(Value::Status(at as u16)));
        let words = self.code.drawn_words(total, &rng, MEANT);
        self.lose(ExitReason::Left);
        self.code.go_on(&rng, MEANT);
        rng.into_iter().for_each(|word| self.code.change(word));
        self.code.release(rng);
        if self.turn_fn.tells_drawn() {
            self.code.code.add_lanes(ExitReason::Drawn.kept(), MEANT);
        }
        if !point.infallible {
            self.code.code.add_lanes(ExitReason::Estimated.kept(), MEANT);
            let runs = self.code.copied(total);
            self.put_apart(Value::Status(Status::RUNS as u16), runs);
        }
        let offered = self.code.copied(total);
        if self.turn_fn.entry.atomicity == Atomicity::No {
            // Of those that were rejected before, not all runs are told.
            self.code.code.load_lanes(ASKED, ExitReason::DrewBefore.kept());
            self.code.code.binary(Binary::Xor, offered, (offered, offered.into()), For::merging(ASKED));
        }
        self.put_apart(Value::Status(Status::OFFERED as u16), offered);
        self.code.done_but(|z| z == words);
        words
    }

    /// What is left of the numbers of lanes that have drawn before; those whose number is that of
    /// no option are rejected.
    fn numbered(&mut self, total: Zmm) -> Zmm {
        let number = self.code.held(Value::Status(Status::NUMBER as u16));
        self.code.code.test(Test::AtLeast, ASKED, (number, total.into()), MEANT);
        self.lose(ExitReason::Failed);
        let number = self.code.copied(number);
        self.code.done_but(|z| z == number);
        number
    }

    /// A register becomes what was made, but in lanes that wait.
    fn put_apart(&mut self, to: Value, made: Zmm) {
        self.code.blend = self.is_parted();
        self.code.put(to, made);
    }

    /// The bits that have so many of their words below them.
    fn find(&mut self, bits: Zmm, k: Zmm) -> Zmm {
        let (places, lowest) = ([ExitReport::WORDS, ExitReport::LOWEST], self.code.word_of(1));
        self.code.code.binary(Binary::UpEach, lowest, (lowest, k.into()), EACH);
        self.code.code.store(of_report(places[0]), bits);
        self.code.code.store(of_report(places[1]), lowest);
        self.code.done();
        let found = self.code.room();
        let aside = [(); 3].map(|()| self.code.room());
        self.code.code.find_each(found, aside, places.map(|at| at as u8));
        self.code.release(aside);
        found
    }

    fn put_found(&mut self, (cell, blend): (Option<SetReg>, bool), nested: usize, found: Zmm) {
        for word in 0..self.code.width() {
            let mut here = found;
            if self.code.width() > 1 {
                here = self.code.room();
                self.code.code.load_lanes(ASKED, ExitReport::by_word(word));
                self.code.code.copy(here, found, For::zeroing(ASKED));
            }
            match cell {
                Some(cell) => {
                    self.code.blend = blend;
                    self.code.put(Value::Word(cell.0, word as u8), here);
                }
                None => {
                    self.code.blend = false;
                    self.code.put(selected_bit(nested, word), here);
                }
            }
            self.code.done_but(|z| z == found);
        }
    }

    /// The option that was drawn becomes the one chosen.
    pub fn enter(&mut self, options: Options, nested: usize) -> Option<()> {
        match options {
            Options::One { .. } => Some(()),
            Options::Cells { cell, .. } => {
                for word in 0..self.code.width() {
                    let selected_bit = self.code.held(selected_bit(nested, word));
                    let made = self.code.copied(selected_bit);
                    self.code.blend = true;
                    self.code.put(Value::Word(cell.0, word as u8), made);
                    self.code.done();
                }
                Some(())
            }
            _ => None,
        }
    }

    /// Goes back the way of each lane's arm from the cell that was chosen.
    pub fn step_back(&mut self, index: u32) -> Option<()> {
        let way = &self.turn_fn.program.along[index as usize];
        let tables = self.turn_fn.arm_tables[index as usize].filter(|_| way.until.is_none())?;
        let back = Back { d: way.d, first: way.first, tables };
        let nested = self.nested_of(way.point);
        let (arm, bits) = (self.code.held(selected_arm(nested)), self.code.word(way.a, 0));
        let from = self.code.stepped_back(back, arm, bits);
        self.code.blend = self.is_parted() || usize::from(way.d.0) < self.turn_fn.shared.0;
        self.code.put(Value::Word(way.d.0, 0), from);
        if nested == self.nested() {
            self.forget_arms();
        }
        Some(())
    }
}
