//! Tests of machine code: it is compared with the manual's bytes, and with operations executed one
//! by one.

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Player;
use crate::interp::Roles;
use crate::jit::asm::evex::{Assembler, Base, Binary, EACH, For, Lanes, MemOperand, Source, Test, Zmm};
use crate::jit::code_page::{Bounds, CodePage, File};
use crate::jit::isel::{Board, Isel};
use crate::jit::regalloc::Value;
use crate::plan::{Cmp, LinearOp, NumReg, SetReg};
use crate::simd::{Lane8, WIDE};
use crate::simt::Instructions;
use crate::simt::code::SimtOp;
use crate::simt::kernels::sets::Steps;
use crate::simt::state::sought::Sought;

/// Chunks of a group.
const K: usize = 4;

fn bytes(make: impl Fn(&mut Assembler)) -> Vec<u8> {
    let mut code = Assembler::default();
    make(&mut code);
    code.0
}

/// What the GNU assembler makes of the same instructions.
#[test]
fn instructions_have_the_bytes_that_an_assembler_gives_them() {
    let all = Lanes(0);
    // vmovdqa64 zmm3{k1}, zmm30
    assert_eq!(bytes(|code| code.copy(Zmm(3), Zmm(30), For::merging(Lanes(1)))), [0x62, 0x91, 0xfd, 0x49, 0x6f, 0xde]);
    // vpandq zmm1, zmm18, zmm31
    let pair = (Zmm(18), Source::Register(Zmm(31)));
    assert_eq!(bytes(|code| code.binary(Binary::And, Zmm(1), pair, EACH)), [0x62, 0x91, 0xed, 0x40, 0xdb, 0xcf]);
    // vpandnq zmm20{k1}, zmm7, zmm8
    let (pair, meant) = ((Zmm(7), Source::Register(Zmm(8))), For::merging(Lanes(1)));
    assert_eq!(bytes(|code| code.binary(Binary::AndNot, Zmm(20), pair, meant)), [0x62, 0xc1, 0xc5, 0x49, 0xdf, 0xe0]);
    // vpblendmq zmm4{k3}, zmm5, zmm26
    let (pair, meant) = ((Zmm(5), Source::Register(Zmm(26))), For::merging(Lanes(3)));
    assert_eq!(bytes(|code| code.binary(Binary::Blend, Zmm(4), pair, meant)), [0x62, 0x92, 0xd5, 0x4b, 0x64, 0xe2]);
    // vpsubq zmm1, zmm2, zmm3
    let pair = (Zmm(2), Source::Register(Zmm(3)));
    assert_eq!(bytes(|code| code.binary(Binary::Sub, Zmm(1), pair, EACH)), [0x62, 0xf1, 0xed, 0x48, 0xfb, 0xcb]);
    // vpxorq zmm16, zmm16, zmm16
    let pair = (Zmm(16), Source::Register(Zmm(16)));
    assert_eq!(bytes(|code| code.binary(Binary::Xor, Zmm(16), pair, EACH)), [0x62, 0xa1, 0xfd, 0x40, 0xef, 0xc0]);
    // vprolq zmm21, zmm9, 55; vpsllq zmm1, zmm29, 9; vpsrlq zmm13, zmm2, 63
    assert_eq!(bytes(|code| code.turn(Zmm(21), Zmm(9), 55)), [0x62, 0xd1, 0xd5, 0x40, 0x72, 0xc9, 0x37]);
    assert_eq!(bytes(|code| code.up(Zmm(1), Zmm(29), 9)), [0x62, 0x91, 0xf5, 0x48, 0x73, 0xf5, 0x09]);
    assert_eq!(bytes(|code| code.down(Zmm(13), Zmm(2), 63)), [0x62, 0xf1, 0x95, 0x48, 0x73, 0xd2, 0x3f]);
    // vpopcntq zmm22, zmm11
    assert_eq!(bytes(|code| code.ones(Zmm(22), Zmm(11))), [0x62, 0xc2, 0xfd, 0x48, 0x55, 0xf3]);
    // vptestmq k2{k1}, zmm19, zmm28; vptestnmq k3, zmm1, zmm2; vpcmpltq k2, zmm1, zmm25
    let pair = (Zmm(19), Source::Register(Zmm(28)));
    assert_eq!(bytes(|code| code.test(Test::Meet, Lanes(2), pair, Lanes(1))), [0x62, 0x92, 0xe5, 0x41, 0x27, 0xd4]);
    let pair = (Zmm(1), Source::Register(Zmm(2)));
    assert_eq!(bytes(|code| code.test(Test::Apart, Lanes(3), pair, all)), [0x62, 0xf2, 0xf6, 0x48, 0x27, 0xda]);
    let pair = (Zmm(1), Source::Register(Zmm(25)));
    assert_eq!(bytes(|code| code.test(Test::Less, Lanes(2), pair, all)), [0x62, 0x93, 0xf5, 0x48, 0x1f, 0xd1, 0x01]);
    // vpermt2q zmm20, zmm7, zmm8; vprolvq zmm4, zmm5, zmm26
    let pair = (Zmm(7), Source::Register(Zmm(8)));
    assert_eq!(bytes(|code| code.binary(Binary::LookUpTwo, Zmm(20), pair, EACH)), [0x62, 0xc2, 0xc5, 0x48, 0x7e, 0xe0]);
    let pair = (Zmm(5), Source::Register(Zmm(26)));
    assert_eq!(bytes(|code| code.binary(Binary::TurnEach, Zmm(4), pair, EACH)), [0x62, 0x92, 0xd5, 0x48, 0x15, 0xe2]);
    // vdivpd zmm4, zmm5, zmm26; vcvtuqq2pd zmm3, zmm30; vcvttpd2uqq zmm22, zmm11
    assert_eq!(bytes(|code| code.binary(Binary::Divide, Zmm(4), pair, EACH)), [0x62, 0x91, 0xd5, 0x48, 0x5e, 0xe2]);
    assert_eq!(bytes(|code| code.with_fraction(Zmm(3), Zmm(30))), [0x62, 0x91, 0xfe, 0x48, 0x7a, 0xde]);
    assert_eq!(bytes(|code| code.whole(Zmm(22), Zmm(11))), [0x62, 0xc1, 0xfd, 0x48, 0x78, 0xf3]);
    // vpmovm2q zmm21, k5
    assert_eq!(bytes(|code| code.as_words(Zmm(21), Lanes(5))), [0x62, 0xe2, 0xfe, 0x48, 0x38, 0xed]);
    // vpsllvq zmm4, zmm5, zmm26; vpsrlvq zmm4, zmm5, zmm26
    let pair = (Zmm(5), Source::Register(Zmm(26)));
    assert_eq!(bytes(|code| code.binary(Binary::UpEach, Zmm(4), pair, EACH)), [0x62, 0x92, 0xd5, 0x48, 0x47, 0xe2]);
    assert_eq!(bytes(|code| code.binary(Binary::DownEach, Zmm(4), pair, EACH)), [0x62, 0x92, 0xd5, 0x48, 0x45, 0xe2]);
    // vpcmpltuq k2{k1}, zmm1, zmm25
    let pair = (Zmm(1), Source::Register(Zmm(25)));
    assert_eq!(
        bytes(|code| code.test(Test::Below, Lanes(2), pair, Lanes(1))),
        [0x62, 0x93, 0xf5, 0x49, 0x1e, 0xd1, 0x01]
    );
    // vpternlogq zmm6{k1}, zmm7, zmm28, 0xba
    let (pair, meant) = ((Zmm(7), Source::Register(Zmm(28))), For::merging(Lanes(1)));
    assert_eq!(bytes(|code| code.ternary_for(Zmm(6), pair, 0xba, meant)), [0x62, 0x93, 0xc5, 0x49, 0x25, 0xf4, 0xba]);
    // vpmovq2m k1, zmm24
    assert_eq!(bytes(|code| code.highest(Lanes(1), Zmm(24))), [0x62, 0x92, 0xfe, 0x48, 0x39, 0xc8]);
}

/// The same with offsets of four bytes, which assemblers write shorter if they can: vmovdqa64
/// zmm17, [r9 + 0x12341] and others.
#[test]
fn memory_is_reached_behind_its_base() {
    let place = |base, at| MemOperand { base, at };
    let far = [0x41, 0x23, 0x01, 0x00];
    let begun = |code: &[u8]| [code, far.as_slice()].concat();
    let load = bytes(|code| code.load(Zmm(17), place(Base::Sets, 0x12341)));
    assert_eq!(load, begun(&[0x62, 0xc1, 0xfd, 0x48, 0x6f, 0x89]));
    let store = bytes(|code| code.store(place(Base::Numbers, 0x12341), Zmm(9)));
    assert_eq!(store, begun(&[0x62, 0x51, 0xfd, 0x48, 0x7f, 0x8a]));
    let broadcast = bytes(|code| code.broadcast(Zmm(12), place(Base::Constants, 0x12341), For::zeroing(Lanes(2))));
    assert_eq!(broadcast, begun(&[0x62, 0x52, 0xfd, 0xca, 0x59, 0xa0]));
    let word = Source::Word(place(Base::Constants, 0x12341));
    let or = bytes(|code| code.binary(Binary::Or, Zmm(1), (Zmm(2), word), EACH));
    assert_eq!(or, begun(&[0x62, 0xd1, 0xed, 0x58, 0xeb, 0x88]));
    let ternary = bytes(|code| code.ternary(Zmm(6), (Zmm(7), word), 0xf8));
    assert_eq!(ternary, [begun(&[0x62, 0xd3, 0xc5, 0x58, 0x25, 0xb0]), vec![0xf8]].concat());
}

/// Near ones with a byte, as so many vectors or words: vmovdqa64 zmm17, [r9 + 0x1fc0], the next
/// one, and others.
#[test]
fn near_places_take_a_byte() {
    let place = |base, at| MemOperand { base, at };
    let load = |at| bytes(|code| code.load(Zmm(17), place(Base::Sets, at)));
    assert_eq!(load(0x1fc0), [0x62, 0xc1, 0xfd, 0x48, 0x6f, 0x49, 0x7f]);
    assert_eq!(load(0x2000), [0x62, 0xc1, 0xfd, 0x48, 0x6f, 0x89, 0x00, 0x20, 0x00, 0x00]);
    let or =
        |at| bytes(|code| code.binary(Binary::Or, Zmm(1), (Zmm(2), Source::Word(place(Base::Constants, at))), EACH));
    assert_eq!(or(0x3f8), [0x62, 0xd1, 0xed, 0x58, 0xeb, 0x48, 0x7f]);
    assert_eq!(or(0x400), [0x62, 0xd1, 0xed, 0x58, 0xeb, 0x88, 0x00, 0x04, 0x00, 0x00]);
    // vpbroadcastq zmm12{k2}{z}, [r8 + 0x38]
    let broadcast = bytes(|code| code.broadcast(Zmm(12), place(Base::Constants, 0x38), For::zeroing(Lanes(2))));
    assert_eq!(broadcast, [0x62, 0x52, 0xfd, 0xca, 0x59, 0x60, 0x07]);
    // vpshufb zmm21, zmm9, [r8 + 0x1c0]; vptestmb k2, zmm29, [r8 + 0x240]; vpmovm2b zmm29, k2
    let shuffled = bytes(|code| code.shuffle_bytes(Zmm(21), Zmm(9), place(Base::Constants, 0x1c0)));
    assert_eq!(shuffled, [0x62, 0xc2, 0x35, 0x48, 0x00, 0x68, 0x07]);
    let bits = Source::Memory(place(Base::Constants, 0x240));
    let meeting = bytes(|code| code.meeting_bytes(Zmm(29), Lanes(2), (Zmm(29), bits)));
    assert_eq!(meeting, [0x62, 0xd2, 0x15, 0x40, 0x26, 0x50, 0x09, 0x62, 0x62, 0x7e, 0x48, 0x28, 0xea]);
}

/// Registers that operations of the test read and write.
const SETS: u16 = 6;
const NUMBERS: u16 = 4;

/// The registers of one lane.
#[derive(Clone, Debug, PartialEq)]
struct Lane<const W: usize> {
    sets: Vec<[u64; W]>,
    numbers: Vec<i64>,
}

impl<const W: usize> Lane<W> {
    fn random(rng: &mut Xoshiro256PlusPlus) -> Lane<W> {
        // Few bits now and then, and none.
        let mut word = |_| match rng.random_range(0..4) {
            0 => 0,
            1 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
            _ => rng.next_u64(),
        };
        let sets = (0..SETS).map(|_| std::array::from_fn(&mut word)).collect();
        let numbers = (0..NUMBERS).map(|_| rng.random_range(-2..3)).collect();
        Lane { sets, numbers }
    }

    /// Words of a set made of those of others.
    fn made(&self, of: [SetReg; 3], word: impl Fn([u64; 3]) -> u64) -> [u64; W] {
        std::array::from_fn(|at| word(of.map(|reg| self.sets[usize::from(reg.0)][at])))
    }

    fn number(&self, NumReg(reg): NumReg) -> i64 {
        self.numbers[usize::from(reg)]
    }

    /// What an operation means for one lane.
    fn act(&mut self, op: &LinearOp, men: &[usize]) {
        let any = |set: [u64; W]| set.iter().any(|word| *word != 0);
        let count = |set: [u64; W]| set.iter().map(|word| i64::from(word.count_ones())).sum();
        let two = |lane: &Self, a, b, word: fn(u64, u64) -> u64| lane.made([a, b, b], |[a, b, _]| word(a, b));
        let (mut set, mut number) = (None, None);
        match *op {
            LinearOp::Copy { d, a } => set = Some((d, two(self, a, a, |a, _| a))),
            LinearOp::And { d, a, b } => set = Some((d, two(self, a, b, |a, b| a & b))),
            LinearOp::Or { d, a, b } => set = Some((d, two(self, a, b, |a, b| a | b))),
            LinearOp::AndNot { d, a, b } => set = Some((d, two(self, a, b, |a, b| a & !b))),
            LinearOp::AndNotBoth { d, of, a, b } => set = Some((d, self.made([of, a, b], |[of, a, b]| of & !(a | b)))),
            LinearOp::Replace { d, a, out, into } => {
                set = Some((d, self.made([a, out, into], |[a, out, into]| a & !out | into)))
            }
            LinearOp::KeepIf { d, a, n } if self.number(n) != 0 => set = Some((d, two(self, a, a, |a, _| a))),
            LinearOp::KeepIf { d, .. } => set = Some((d, [0; W])),
            LinearOp::Select { d, n, a, b } => {
                set = Some((d, two(self, if self.number(n) != 0 { a } else { b }, a, |a, _| a)))
            }
            LinearOp::Const { d, k } => number = Some((d, k)),
            LinearOp::CopyNum { d, a } => number = Some((d, self.number(a))),
            LinearOp::Not { d, a } => number = Some((d, i64::from(self.number(a) == 0))),
            LinearOp::BitAnd { d, a, b } => number = Some((d, self.number(a) & self.number(b))),
            LinearOp::BitOr { d, a, b } => number = Some((d, self.number(a) | self.number(b))),
            LinearOp::BitAndNot { d, a, b } => number = Some((d, self.number(a) & !self.number(b))),
            LinearOp::TestBit { d, a, bit } => number = Some((d, self.number(a) >> bit & 1)),
            LinearOp::CountBits { d, a } => number = Some((d, i64::from(self.number(a).count_ones()))),
            LinearOp::SelectNum { d, n, a, b } => {
                number = Some((d, self.number(if self.number(n) != 0 { a } else { b })))
            }
            LinearOp::Compare { cmp, d, a, b } => {
                number = Some((d, i64::from(cmp.holds(self.number(a).cmp(&self.number(b))))))
            }
            LinearOp::NonEmpty { d, a } => number = Some((d, i64::from(any(two(self, a, a, |a, _| a))))),
            LinearOp::NonEmptyAndNotBoth { d, of, a, b } => {
                number = Some((d, i64::from(any(self.made([of, a, b], |[of, a, b]| of & !(a | b))))))
            }
            LinearOp::Intersects { d, a, b } => number = Some((d, i64::from(any(two(self, a, b, |a, b| a & b))))),
            LinearOp::Equal { d, a, b } => number = Some((d, i64::from(!any(two(self, a, b, |a, b| a ^ b))))),
            LinearOp::NonEmptySubset { d, a, b } => {
                let within = any(two(self, a, a, |a, _| a)) && !any(two(self, a, b, |a, b| a & !b));
                number = Some((d, i64::from(within)));
            }
            LinearOp::Popcount { d, a } => number = Some((d, count(two(self, a, a, |a, _| a)))),
            LinearOp::RemovePieces { cells, .. } => {
                men.iter()
                    .for_each(|&reg| self.sets[reg] = two(self, SetReg(reg as u16), cells, |men, cells| men & !cells));
            }
            LinearOp::MovePiece { from, to, .. } => {
                for &reg in men {
                    if any(two(self, SetReg(reg as u16), from, |men, from| men & from)) {
                        self.sets[reg] = self.made([SetReg(reg as u16), from, to], |[men, from, to]| men & !from | to);
                    }
                }
            }
            LinearOp::FlipOwner { cells, player } => {
                let (own, other) = (player.index(), 1 - player.index());
                let (SetReg(own), SetReg(other)) = (SetReg(own as u16), SetReg(other as u16));
                self.sets[usize::from(own)] =
                    self.made([SetReg(own), SetReg(other), cells], |[own, other, cells]| own | other & cells);
                self.sets[usize::from(other)] = two(self, SetReg(other), cells, |other, cells| other & !cells);
            }
            ref other => assert_eq!(None, Some(other), "the test does not know what it means"),
        }
        set.into_iter().for_each(|(SetReg(d), made)| self.sets[usize::from(d)] = made);
        number.into_iter().for_each(|(NumReg(d), made)| self.numbers[usize::from(d)] = made);
    }
}

fn random_op(rng: &mut Xoshiro256PlusPlus, men: usize) -> LinearOp {
    // What men are taken from and put to are cells of registers beside theirs.
    let (set, cells) =
        (|rng: &mut Xoshiro256PlusPlus| SetReg(rng.random_range(0..SETS)), SetReg(rng.random_range(men as u16..SETS)));
    let number = |rng: &mut Xoshiro256PlusPlus| NumReg(rng.random_range(0..NUMBERS));
    let (d, a, b, c) = (set(rng), set(rng), set(rng), set(rng));
    let (n, m, k, l) = (number(rng), number(rng), number(rng), number(rng));
    let cmp = [Cmp::Equal, Cmp::NotEqual, Cmp::Less, Cmp::AtMost, Cmp::Greater, Cmp::AtLeast][rng.random_range(0..6)];
    let all = [
        LinearOp::Copy { d, a },
        LinearOp::And { d, a, b },
        LinearOp::Or { d, a, b },
        LinearOp::AndNot { d, a, b },
        LinearOp::AndNotBoth { d, of: a, a: b, b: c },
        LinearOp::Replace { d, a, out: b, into: c },
        LinearOp::KeepIf { d, a, n },
        LinearOp::Select { d, n, a, b },
        LinearOp::Const { d: n, k: rng.random_range(-9..9) },
        LinearOp::CopyNum { d: n, a: m },
        LinearOp::Not { d: n, a: m },
        LinearOp::BitAnd { d: n, a: m, b: k },
        LinearOp::BitOr { d: n, a: m, b: k },
        LinearOp::BitAndNot { d: n, a: m, b: k },
        LinearOp::TestBit { d: n, a: m, bit: rng.random_range(0..64) },
        LinearOp::CountBits { d: n, a: m },
        LinearOp::SelectNum { d: n, n: m, a: k, b: l },
        LinearOp::Compare { cmp, d: n, a: m, b: k },
        LinearOp::NonEmpty { d: n, a },
        LinearOp::NonEmptyAndNotBoth { d: n, of: a, a: b, b: c },
        LinearOp::Intersects { d: n, a, b },
        LinearOp::Equal { d: n, a, b },
        LinearOp::NonEmptySubset { d: n, a, b },
        LinearOp::Popcount { d: n, a },
        LinearOp::RemovePieces { cells, only: None },
        LinearOp::MovePiece { from: cells, to: SetReg(SETS - 1), only: None },
        LinearOp::FlipOwner { cells, player: Player(rng.random_range(0..2)) },
    ];
    all[rng.random_range(0..all.len())]
}

/// Operations on random registers, as code and one by one in each lane. The first registers hold
/// men: those of two players, and marks.
fn expect_code_to_mean_the_same<const W: usize>() {
    let (none, owners) = (Vec::new, vec![0, 1]);
    let roles = Roles {
        per_piece_sets: vec![0, 1, 2],
        owners,
        neutral: None,
        compared_sets: none(),
        compared_numbers: none(),
        piece_sets: none(),
    };
    let (board_steps, men) = (Steps::default(), roles.per_piece_sets.len());
    let board = Board { steps: &board_steps, roles: &roles, words: W, chunks: K, sought: Sought::<W, K>::OFFSETS };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(W as u64);
    for _ in 0..300 {
        let ops: Vec<(LinearOp, bool)> =
            (0..rng.random_range(1..12)).map(|_| (random_op(&mut rng, men), rng.random())).collect();
        let step = |(op, blend): &(LinearOp, bool)| SimtOp::Do { op: *op, blend: *blend, loses: false };
        let steps: Vec<SimtOp> = ops.iter().map(step).collect();
        // What nobody reads behind them need not be stored.
        let unwanted = SetReg(rng.random_range(0..SETS));
        let is_wanted = |held| !matches!(held, Value::Word(reg, _) if reg == unwanted.0);
        let mut lowering = Isel::new(&board);
        let start = lowering.function(&steps, is_wanted).expect("all operations have code");
        let bounds = Bounds {
            sets: usize::from(SETS) * K * W,
            numbers: usize::from(NUMBERS) * K,
            chunks: K,
            words: W,
            before: (0, 0),
        };
        let page = CodePage::new(&lowering.code.0, vec![start], lowering.constants, bounds).expect("memory for code");
        let mut lanes: Vec<Lane<W>> = (0..K * WIDE).map(|_| Lane::random(&mut rng)).collect();
        // Lanes that are meant, and chunks without one.
        let meant: Vec<bool> = (0..K * WIDE).map(|at| at / WIDE != 1 && rng.random()).collect();
        let mut sets = vec![[[Lane8::NONE; W]; K]; usize::from(SETS)];
        let mut numbers = vec![[Lane8::NONE; K]; usize::from(NUMBERS)];
        let mut masks = [Lane8::NONE; K];
        let mut chunks = 0;
        for (at, lane) in lanes.iter().enumerate() {
            let (i, place) = (at / WIDE, at % WIDE);
            lane.sets
                .iter()
                .zip(&mut sets)
                .for_each(|(set, to)| (0..W).for_each(|word| to[i][word].0[place] = set[word]));
            lane.numbers.iter().zip(&mut numbers).for_each(|(number, to)| to[i].0[place] = *number as u64);
            masks[i].0[place] = if meant[at] { u64::MAX } else { 0 };
            chunks |= u64::from(meant[at]) << i;
        }
        let (flat_sets, flat_numbers) = (sets.as_flattened_mut().as_flattened_mut(), numbers.as_flattened_mut());
        page.call(0, File { sets: flat_sets, numbers: flat_numbers, meant: &masks }, chunks);
        for (at, lane) in lanes.iter_mut().enumerate().filter(|(at, _)| meant[*at]) {
            ops.iter().for_each(|(op, _)| lane.act(op, &roles.per_piece_sets));
            let (i, place) = (at / WIDE, at % WIDE);
            let mut got = Lane {
                sets: sets.iter().map(|set| std::array::from_fn(|word| set[i][word].0[place])).collect(),
                numbers: numbers.iter().map(|number| number[i].0[place] as i64).collect(),
            };
            got.sets[usize::from(unwanted.0)] = lane.sets[usize::from(unwanted.0)];
            assert_eq!(got, *lane, "lane {at} of {ops:?}");
        }
        // The others keep what they have wherever an operation says so.
        if ops.iter().all(|(_, blend)| *blend) {
            for (at, lane) in lanes.iter().enumerate().filter(|(at, _)| !meant[*at]) {
                let kept: Vec<[u64; W]> =
                    sets.iter().map(|set| std::array::from_fn(|word| set[at / WIDE][word].0[at % WIDE])).collect();
                assert_eq!(kept, lane.sets, "lane {at} of {ops:?}");
            }
        }
    }
}

#[test]
fn code_means_what_operations_do() {
    if !Instructions::available().contains(&Instructions::Avx512) {
        return;
    }
    expect_code_to_mean_the_same::<1>();
    expect_code_to_mean_the_same::<2>();
    expect_code_to_mean_the_same::<6>();
}
