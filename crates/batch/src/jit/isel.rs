//! Instruction selection: operations that follow one another go in; machine code for a vector of
//! lanes comes out.
//!
//! ```text
//! s10 = s7 and s8          load s7, s8; and
//! s11 = s10 and not s9     load s9; and not
//! n4 = some s11            test; one where it is true
//!                          store n4, and s10 and s11 if they are read later on
//! ```
//!
//! Lanes that are not meant keep what they have where an operation says so.

use crate::board::Player;
use crate::interp::Roles;
use crate::jit::asm::evex::{ALL, Assembler, Base, Binary, EACH, For, Lanes, MemOperand, Source, Test, Zmm};
use crate::jit::regalloc::{ROOM, Slot, Slots, Value};
use crate::plan::{Cmp, LinearOp, NumReg, SetReg, VecBinaryOp};
use crate::simd::{Lane8, WIDE};
use crate::simt::code::SimtOp;
use crate::simt::kernels::algebra::Step;
use crate::simt::kernels::line_pattern::Asked;
use crate::simt::kernels::sets::Steps;
use crate::simt::registers::MOST_WORDS;
use crate::simt::state::sought::SoughtOffsets;

/// The lanes that are meant, and those that something was asked of.
pub const MEANT: Lanes = Lanes(1);
pub const ASKED: Lanes = Lanes(2);
pub const ASKED_MORE: Lanes = Lanes(3);

/// A step, of as many words as sets can have.
pub type WideStep = Step<MOST_WORDS>;

/// What is the same for all operations of a game.
pub struct Board<'b> {
    /// Of as many words as sets can have, of which the first count.
    pub steps: &'b Steps<MOST_WORDS>,
    pub roles: &'b Roles,
    /// Words of a set.
    pub words: usize,
    /// Chunks of a group.
    pub chunks: usize,
    pub sought: SoughtOffsets,
}

/// Code as it grows.
pub struct Isel<'b> {
    pub board: &'b Board<'b>,
    pub code: Assembler,
    /// Words that are the same for all lanes.
    pub constants: Vec<u64>,
    pub slots: Slots,
    /// So many times vector registers were asked for.
    pub time: u32,
    pub blend: bool,
    /// An operation computes with more vectors than there are.
    pub is_full: bool,
}

/// A set, word by word.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    words: [Zmm; MOST_WORDS],
    len: usize,
}

impl Words {
    /// A set of one word.
    pub fn one(word: Zmm) -> Words {
        Words::from_iter([word])
    }
}

/// Of at most [`MOST_WORDS`].
impl FromIterator<Zmm> for Words {
    fn from_iter<I: IntoIterator<Item = Zmm>>(all: I) -> Words {
        let mut words = Words { words: [Zmm(0); MOST_WORDS], len: 0 };
        for word in all {
            words.words[words.len] = word;
            words.len += 1;
        }
        words
    }
}

impl IntoIterator for Words {
    type Item = Zmm;
    type IntoIter = std::iter::Take<std::array::IntoIter<Zmm, MOST_WORDS>>;

    fn into_iter(self) -> Self::IntoIter {
        self.words.into_iter().take(self.len)
    }
}

impl std::ops::Deref for Words {
    type Target = [Zmm];

    fn deref(&self) -> &[Zmm] {
        &self.words[..self.len]
    }
}

impl std::ops::DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [Zmm] {
        &mut self.words[..self.len]
    }
}

impl<'b> Isel<'b> {
    pub fn new(board: &'b Board<'b>) -> Isel<'b> {
        let (code, constants) = (Assembler::default(), Vec::new());
        Isel { board, code, constants, slots: [Slot::default(); ROOM], time: 0, blend: false, is_full: false }
    }

    /// How many words a set has.
    pub fn width(&self) -> usize {
        self.board.words
    }

    /// A set whose words are made one by one.
    pub fn made(&mut self, mut word: impl FnMut(&mut Self, usize) -> Zmm) -> Words {
        (0..self.width()).map(|at| word(self, at)).collect()
    }

    /// A function that does what some steps do, for each chunk in turn; `wanted`: it is read behind
    /// them. Where it begins, or nothing if a step has no code.
    pub fn function(&mut self, steps: &[SimtOp], wanted: impl Fn(Value) -> bool) -> Option<usize> {
        let from = self.begin();
        self.code.next_chunk(self.width() as u8);
        if steps.iter().any(asks_lanes) {
            self.load_meant();
        }
        for step in steps {
            if !self.step(step) || self.is_full {
                self.code.0.truncate(from);
                return None;
            }
            self.done();
        }
        self.store_all(wanted);
        self.code.go_round(from);
        Some(from)
    }

    /// A function begins, with nothing in registers.
    pub fn begin(&mut self) -> usize {
        (self.slots, self.is_full, self.blend) = ([Slot::default(); ROOM], false, false);
        self.code.0.len()
    }

    pub fn load_meant(&mut self) {
        let meant = self.room();
        self.code.load(meant, MemOperand { base: Base::Meant, at: 0 });
        self.code.highest(MEANT, meant);
        self.done();
    }

    /// Whether there is code for what a step does.
    pub fn has_code(&mut self, step: &SimtOp) -> bool {
        let start = self.function(&[*step], |_| true);
        start.into_iter().for_each(|start| self.code.0.truncate(start));
        start.is_some()
    }

    /// `false`: it has no code.
    pub fn step(&mut self, step: &SimtOp) -> bool {
        match *step {
            SimtOp::Do { ref op, blend, loses: false } => {
                self.blend = blend;
                self.operation(op)
            }
            SimtOp::Refill { d, a, trail, runs, ref ways, blend } => {
                self.blend = blend;
                self.refilled(d, (a, trail), (runs, ways))
            }
            _ => false,
        }
    }

    /// `false`: it has no code.
    pub fn operation(&mut self, op: &LinearOp) -> bool {
        match *op {
            LinearOp::Copy { d, a } if self.blend => {
                self.merge_words(d, [a], |code, old, [a]| code.code.copy(old, a, For::merging(MEANT)));
            }
            LinearOp::Copy { d, a } => self.each_word(d, [a], |code, [a]| code.copied(a)),
            LinearOp::And { d, a, b } => self.pair(VecBinaryOp::And, d, a, b),
            LinearOp::Or { d, a, b } => self.pair(VecBinaryOp::Or, d, a, b),
            LinearOp::AndNot { d, a, b } => self.pair(VecBinaryOp::Without, d, a, b),
            LinearOp::AndNotBoth { d, of, a, b } => {
                self.each_word(d, [of, a, b], |code, [of, a, b]| code.ternary([of, a, b], 0x10))
            }
            LinearOp::Replace { d, a, out, into } if self.blend && d == a => {
                self.merge_words(d, [out, into], |code, old, [out, into]| {
                    code.code.ternary_for(old, (out, into.into()), 0xba, For::merging(MEANT));
                });
            }
            LinearOp::Replace { d, a, out, into } => {
                self.each_word(d, [a, out, into], |code, [a, out, into]| code.ternary([a, out, into], 0xba));
            }
            LinearOp::KeepIf { d, a, n } => {
                self.ask_truth(n);
                self.each_word(d, [a], |code, [a]| {
                    let made = code.room();
                    code.code.copy(made, a, For::zeroing(ASKED));
                    made
                });
            }
            LinearOp::Select { d, n, a, b } => {
                self.ask_truth(n);
                self.each_word(d, [a, b], |code, [a, b]| code.binary(Binary::Blend, (b, a), For::merging(ASKED)));
            }
            LinearOp::MaskedShift { d, a, hop } => {
                let step = self.board.steps.hops[usize::from(hop)];
                return self.stepped(&step, d, a, None);
            }
            LinearOp::Neighbors { d, a, along } => {
                let board = self.board;
                return self.stepped_all(d, a, board.steps.along(along));
            }
            LinearOp::Shift { d, a, dir } => {
                let board = self.board;
                return self.stepped_all(d, a, board.steps.along_dir(dir));
            }
            LinearOp::ShiftTimes { d, a, through, n, dir } => return self.walked(d, (a, through), n, dir),
            LinearOp::FloodFill { d, a, within, along, .. } => return self.flooded(d, (a, within), along),
            LinearOp::FullLines { d, a, list } => {
                let board = self.board;
                return self.rows((d, a), &board.steps.lists[usize::from(list)], Asked::Whole);
            }
            LinearOp::LineCompletions { d, a, how } => {
                let board = self.board;
                return self.rows((d, a), &board.steps.completions[usize::from(how)], Asked::Complete);
            }
            LinearOp::VecShift { .. }
            | LinearOp::VecRayFill { .. }
            | LinearOp::VecBinary { .. }
            | LinearOp::VecUnion { .. }
            | LinearOp::VecKeepIf { .. } => {
                return self.row(op);
            }
            LinearOp::RemovePieces { cells, .. } => self.remove_pieces(cells),
            LinearOp::MovePiece { from, to, .. } => self.move_piece(from, to),
            LinearOp::FlipOwner { cells, player } => self.flip_owner(cells, player),
            _ => return self.number_operation(op),
        }
        true
    }

    fn number_operation(&mut self, op: &LinearOp) -> bool {
        match *op {
            LinearOp::Const { d, k } => {
                let (made, k) = (self.room(), self.constant(k as u64));
                self.code.broadcast(made, k, EACH);
                self.put_number(d, made);
            }
            LinearOp::CopyNum { d, a } => {
                let a = self.number(a);
                let made = self.copied(a);
                self.put_number(d, made);
            }
            LinearOp::Not { d, a } => {
                let a = self.number(a);
                self.code.test(Test::Apart, ASKED, (a, a.into()), ALL);
                self.put_truth(d, ASKED);
            }
            LinearOp::BitAnd { d, a, b } => self.pair_numbers(Binary::And, d, (a, b)),
            LinearOp::BitOr { d, a, b } => self.pair_numbers(Binary::Or, d, (a, b)),
            LinearOp::BitAndNot { d, a, b } => self.pair_numbers(Binary::AndNot, d, (b, a)),
            LinearOp::TestBit { d, a, bit } if u32::from(bit) < u64::BITS => {
                let (a, made) = (self.number(a), self.room());
                self.code.down(made, a, bit as u8);
                let one = Source::Word(self.constant(1));
                self.code.binary(Binary::And, made, (made, one), EACH);
                self.put_number(d, made);
            }
            LinearOp::CountBits { d, a } => {
                let (a, made) = (self.number(a), self.room());
                self.code.ones(made, a);
                self.put_number(d, made);
            }
            LinearOp::SelectNum { d, n, a, b } => {
                self.ask_truth(n);
                let (a, b) = (self.number(a), self.number(b));
                let made = self.binary(Binary::Blend, (b, a), For::merging(ASKED));
                self.put_number(d, made);
            }
            LinearOp::Compare { cmp, d, a, b } => {
                let (a, b) = (self.number(a), self.number(b));
                let (test, pair) = match cmp {
                    Cmp::Equal => (Test::Equal, (a, b)),
                    Cmp::NotEqual => (Test::NotEqual, (a, b)),
                    Cmp::Less => (Test::Less, (a, b)),
                    Cmp::AtMost => (Test::AtMost, (a, b)),
                    Cmp::Greater => (Test::Less, (b, a)),
                    Cmp::AtLeast => (Test::AtMost, (b, a)),
                };
                self.code.test(test, ASKED, (pair.0, pair.1.into()), ALL);
                self.put_truth(d, ASKED);
            }
            _ => return self.question(op),
        }
        true
    }

    /// What is asked of sets.
    fn question(&mut self, op: &LinearOp) -> bool {
        match *op {
            LinearOp::NonEmpty { d, a } => {
                let any = self.any([a], |_, [a]| a);
                self.put_test(d, Test::Meet, any);
            }
            LinearOp::NonEmptyAndNotBoth { d, of, a, b } => {
                let any = self.any([of, a, b], |code, [of, a, b]| code.ternary([of, a, b], 0x10));
                self.put_test(d, Test::Meet, any);
            }
            LinearOp::Intersects { d, a, b } => {
                let any = self.any([a, b], |code, [a, b]| code.binary(Binary::And, (a, b), EACH));
                self.put_test(d, Test::Meet, any);
            }
            LinearOp::Equal { d, a, b } => {
                let any = self.any([a, b], |code, [a, b]| code.binary(Binary::Xor, (a, b), EACH));
                self.put_test(d, Test::Apart, any);
            }
            LinearOp::NonEmptySubset { d, a, b } => {
                let any = self.any([a], |_, [a]| a);
                self.code.test(Test::Meet, ASKED, (any, any.into()), ALL);
                let outside = self.any([a, b], |code, [a, b]| code.binary(Binary::AndNot, (b, a), EACH));
                self.code.test(Test::Apart, ASKED_MORE, (outside, outside.into()), ASKED);
                self.put_truth(d, ASKED_MORE);
            }
            LinearOp::Popcount { d, a } => {
                let sum = self.count(a);
                self.put_number(d, sum);
            }
            LinearOp::CountGroups { d, a, along, most } => return self.groups_counted(d, a, (along, most)),
            LinearOp::Reaches { d, a, within, to, along, beside, .. } => {
                return self.joined_by(d, [a, within, to], along, beside);
            }
            _ => return false,
        }
        true
    }

    /// How many cells a set has.
    pub fn count(&mut self, reg: SetReg) -> Zmm {
        let (sum, first) = (self.room(), self.word(reg, 0));
        self.code.ones(sum, first);
        self.release([first]);
        for word in 1..self.width() as u8 {
            let (of, ones) = (self.word(reg, word), self.room());
            self.code.ones(ones, of);
            self.code.binary(Binary::Add, sum, (sum, ones.into()), EACH);
            self.release([of, ones]);
        }
        sum
    }

    fn remove_pieces(&mut self, cells: SetReg) {
        for &men in &self.board.roles.per_piece_sets {
            self.take_off(men as u16, cells);
        }
    }

    fn move_piece(&mut self, from: SetReg, to: SetReg) {
        for &men in &self.board.roles.per_piece_sets {
            let men = SetReg(men as u16);
            let any = self.any([men, from], |code, [men, from]| code.binary(Binary::And, (men, from), EACH));
            self.code.test(Test::Meet, ASKED, (any, any.into()), MEANT);
            self.done();
            for word in 0..self.width() as u8 {
                let (here, from, to) = (self.word(men, word), self.word(from, word), self.word(to, word));
                let moved = self.ternary([here, from, to], 0xba);
                self.code.copy(here, moved, For::merging(ASKED));
                self.change(here);
                self.done();
            }
        }
    }

    fn flip_owner(&mut self, cells: SetReg, player: Player) {
        let roles = self.board.roles;
        let own = roles.owners[player.index()] as u16;
        for &men in roles.owners.iter().chain(&roles.neutral) {
            let men = men as u16;
            if men == own {
                continue;
            }
            for word in 0..self.width() as u8 {
                let (own, there, cells) =
                    (self.word(SetReg(own), word), self.word(SetReg(men), word), self.word(cells, word));
                let flipped = self.binary(Binary::And, (there, cells), EACH);
                self.code.binary(Binary::Or, own, (own, flipped.into()), For::merging(MEANT));
                self.change(own);
                self.done();
            }
            self.take_off(men, cells);
        }
    }

    fn take_off(&mut self, men: u16, cells: SetReg) {
        for word in 0..self.width() as u8 {
            let (here, cells) = (self.word(SetReg(men), word), self.word(cells, word));
            self.code.binary(Binary::AndNot, here, (cells, here.into()), For::merging(MEANT));
            self.change(here);
            self.done();
        }
    }

    pub fn pair(&mut self, pairing: VecBinaryOp, d: SetReg, a: SetReg, b: SetReg) {
        let (which, a, b) = match pairing {
            VecBinaryOp::And => (Binary::And, a, b),
            VecBinaryOp::Or => (Binary::Or, a, b),
            VecBinaryOp::Without => (Binary::AndNot, b, a),
        };
        if self.blend {
            self.merge_words(d, [a, b], |code, old, [a, b]| {
                code.code.binary(which, old, (a, b.into()), For::merging(MEANT));
            });
        } else {
            self.each_word(d, [a, b], |code, [a, b]| code.binary(which, (a, b), EACH));
        }
    }

    fn pair_numbers(&mut self, which: Binary, d: NumReg, (a, b): (NumReg, NumReg)) {
        let (a, b) = (self.number(a), self.number(b));
        let made = self.binary(which, (a, b), EACH);
        self.put_number(d, made);
    }

    /// Each word of a set register becomes what is made of those of others.
    pub fn each_word<const A: usize>(&mut self, d: SetReg, of: [SetReg; A], made: impl Fn(&mut Self, [Zmm; A]) -> Zmm) {
        for word in 0..self.width() as u8 {
            let words = of.map(|reg| self.word(reg, word));
            let made = made(self, words);
            self.put(Value::Word(d.0, word), made);
            self.done();
        }
    }

    /// Each word of a set register is changed in the lanes that are meant.
    fn merge_words<const A: usize>(&mut self, d: SetReg, of: [SetReg; A], change: impl Fn(&mut Self, Zmm, [Zmm; A])) {
        for word in 0..self.width() as u8 {
            let (old, words) = (self.word(d, word), of.map(|reg| self.word(reg, word)));
            change(self, old, words);
            self.change(old);
            self.done();
        }
    }

    /// What words of sets make, of all words together; nothing else is computed with meanwhile.
    pub fn any<const A: usize>(&mut self, of: [SetReg; A], made: impl Fn(&mut Self, [Zmm; A]) -> Zmm) -> Zmm {
        let words = of.map(|reg| self.word(reg, 0));
        let mut any = made(self, words);
        for word in 1..self.width() as u8 {
            let words = of.map(|reg| self.word(reg, word));
            let more = made(self, words);
            any = self.binary(Binary::Or, (any, more), EACH);
            self.done_but(|z| z == any);
        }
        any
    }

    /// The lanes whose number is not 0.
    pub fn ask_truth(&mut self, n: NumReg) {
        let n = self.number(n);
        self.code.test(Test::Meet, ASKED, (n, n.into()), ALL);
    }

    fn put_test(&mut self, d: NumReg, test: Test, any: Zmm) {
        self.code.test(test, ASKED, (any, any.into()), ALL);
        self.put_truth(d, ASKED);
    }

    /// A number becomes 1 in these lanes, else 0.
    pub fn put_truth(&mut self, d: NumReg, lanes: Lanes) {
        let (made, one) = (self.room(), self.constant(1));
        self.code.broadcast(made, one, For::zeroing(lanes));
        self.put_number(d, made);
    }

    pub fn put_number(&mut self, d: NumReg, made: Zmm) {
        self.put(Value::Number(d.0), made);
    }

    pub fn copied(&mut self, a: Zmm) -> Zmm {
        let made = self.room();
        self.code.copy(made, a, EACH);
        made
    }

    pub fn binary(&mut self, which: Binary, (a, b): (Zmm, Zmm), meant: For) -> Zmm {
        let made = self.room();
        self.code.binary(which, made, (a, b.into()), meant);
        made
    }

    /// See [`Assembler::ternary`].
    pub fn ternary(&mut self, [a, b, c]: [Zmm; 3], table: u8) -> Zmm {
        let made = self.copied(a);
        self.code.ternary(made, (b, c.into()), table);
        made
    }

    pub fn within(&mut self, a: Zmm, cells: u64) -> Zmm {
        let (made, cells) = (self.room(), Source::Word(self.constant(cells)));
        self.code.binary(Binary::And, made, (a, cells), EACH);
        made
    }

    pub fn constant(&mut self, word: u64) -> MemOperand {
        let known = self.constants.iter().position(|known| *known == word);
        let at = known.unwrap_or_else(|| {
            self.constants.push(word);
            self.constants.len() - 1
        });
        MemOperand { base: Base::Constants, at: (at * size_of::<u64>()) as i32 }
    }

    /// Eight words, one for each lane.
    pub fn table(&mut self, words: &Lane8) -> MemOperand {
        // As vectors stand in memory.
        self.constants.resize(self.constants.len().next_multiple_of(WIDE), 0);
        let at = (self.constants.len() * size_of::<u64>()) as i32;
        self.constants.extend(words.0);
        MemOperand { base: Base::Constants, at }
    }
}

/// Steps that leave what other lanes have: those that say so, and those that change men.
fn asks_lanes(step: &SimtOp) -> bool {
    // Lanes that are not meant are not followed.
    let asks = |op: &LinearOp| {
        matches!(
            op,
            LinearOp::RemovePieces { .. }
                | LinearOp::MovePiece { .. }
                | LinearOp::FlipOwner { .. }
                | LinearOp::Reaches { .. }
        )
    };
    match step {
        SimtOp::Do { op, blend, .. } => *blend || asks(op),
        SimtOp::Refill { blend, .. } => *blend,
        _ => false,
    }
}
