//! Vector assembler: instructions of AVX-512 on whole vectors of eight words go in; their bytes
//! come out.
//!
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2.7
//! (EVEX encoding) and the pages of the instructions.

/// A vector register, `zmm0` to `zmm31`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zmm(pub u8);

/// A mask register, `k0` to `k7`. As what an instruction is for, `k0` means all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes(pub u8);

pub const ALL: Lanes = Lanes(0);

/// What a register of the processor points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    Constants,
    /// The sets of a chunk, and its numbers.
    Sets,
    Numbers,
    /// The lanes of it that are meant.
    Meant,
    /// What else is known of its lanes.
    Status,
    /// In a function for a choice: the arms that their numbers fall to, and what is sought, by word
    /// and by set.
    SelectedArm,
    Sought,
    SoughtSets,
    /// In a turn function: what it reports, and the sets and numbers of the chunk as they were when
    /// the turn began.
    Report,
    SetsBefore,
    NumbersBefore,
}

impl Base {
    /// The number of the register.
    fn register(self) -> u8 {
        match self {
            Base::Report => 3,                            // rbx
            Base::Status => 5,                            // rbp
            Base::Constants => 8,                         // r8
            Base::Sets => 9,                              // r9
            Base::Numbers => 10,                          // r10
            Base::Meant => 11,                            // r11
            Base::SelectedArm => 13,                      // r13
            Base::Sought | Base::SetsBefore => 14,        // r14
            Base::SoughtSets | Base::NumbersBefore => 15, // r15
        }
    }
}

/// So many bytes behind what a register points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemOperand {
    pub base: Base,
    pub at: i32,
}

/// The second source of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Register(Zmm),
    Memory(MemOperand),
    /// One word for all lanes.
    Word(MemOperand),
    /// One word, where the instruction reads no more.
    Single(MemOperand),
}

impl From<Zmm> for Source {
    fn from(z: Zmm) -> Source {
        Source::Register(z)
    }
}

/// Instructions of two sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    And,
    /// The second without the first.
    AndNot,
    Or,
    Xor,
    Add,
    Sub,
    /// The product of the lower halves, and of the words.
    MulHalves,
    Mul,
    /// Of numbers with fractions.
    Divide,
    /// Words turned up, each by its number; the same moved up or down, by less than 64.
    TurnEach,
    UpEach,
    DownEach,
    /// The word of two tables that the lowest four bits of the first tell: the first one is what
    /// the word is put to, the other the second.
    LookUpTwo,
    /// The first, or the second in the lanes of the mask.
    Blend,
}

/// Instructions that tell lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Both have a bit in common.
    Meet,
    Apart,
    /// How signed numbers compare.
    Equal,
    Less,
    AtMost,
    AtLeast,
    NotEqual,
    /// How they compare without a sign.
    Below,
}

/// Of two sets of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pair {
    And,
    /// The second without the first.
    AndNot,
    Or,
}

/// The opcode maps, as they are numbered.
const MAP_0F: u8 = 1;
const MAP_0F38: u8 = 2;
const MAP_0F3A: u8 = 3;
/// Prefixes, as they are numbered.
const P_66: u8 = 1;
const P_F3: u8 = 2;

/// What an instruction computes with.
#[derive(Clone, Copy)]
pub enum Width {
    /// Eight words, or 64 bytes.
    Words,
    Bytes,
    /// The first two words alone.
    Low,
}

/// What is the same for all instructions of a kind.
#[derive(Clone, Copy)]
pub struct Code {
    map: u8,
    prefix: u8,
    opcode: u8,
}

/// Which lanes an instruction is for; elsewhere what it makes is 0, or stays.
#[derive(Clone, Copy)]
pub struct For {
    pub lanes: Lanes,
    pub zeroing: bool,
}

/// All lanes.
pub const EACH: For = For { lanes: ALL, zeroing: false };

impl For {
    /// Other lanes keep what they have.
    pub fn merging(lanes: Lanes) -> For {
        For { lanes, zeroing: false }
    }

    /// Other lanes have nothing.
    pub fn zeroing(lanes: Lanes) -> For {
        For { lanes, zeroing: true }
    }
}

/// Machine code as it grows.
#[derive(Debug, Default)]
pub struct Assembler(pub Vec<u8>);

impl Assembler {
    /// A word of a register becomes the first one, or one of the first two; two words become those
    /// of a quarter.
    pub const FIRST_WORD: Code = Code { map: MAP_0F, prefix: P_66, opcode: 0x6e };
    pub const ONE_WORD: Code = Code { map: MAP_0F3A, prefix: P_66, opcode: 0x22 };
    pub const QUARTER: Code = Code { map: MAP_0F3A, prefix: P_66, opcode: 0x38 };

    pub fn load(&mut self, to: Zmm, from: MemOperand) {
        self.evex(Code { map: MAP_0F, prefix: P_66, opcode: 0x6f }, (to.0, 0), Source::Memory(from), EACH);
    }

    /// The same where it may stand anywhere.
    pub fn load_anywhere(&mut self, to: Zmm, from: MemOperand) {
        self.evex(Code { map: MAP_0F, prefix: P_F3, opcode: 0x6f }, (to.0, 0), Source::Memory(from), EACH);
    }

    pub fn store(&mut self, to: MemOperand, from: Zmm) {
        self.evex(Code { map: MAP_0F, prefix: P_66, opcode: 0x7f }, (from.0, 0), Source::Memory(to), EACH);
    }

    pub fn copy(&mut self, to: Zmm, from: Zmm, meant: For) {
        self.evex(Code { map: MAP_0F, prefix: P_66, opcode: 0x6f }, (to.0, 0), from.into(), meant);
    }

    /// One word in all lanes.
    pub fn broadcast(&mut self, to: Zmm, from: MemOperand, meant: For) {
        self.evex(Code { map: MAP_0F38, prefix: P_66, opcode: 0x59 }, (to.0, 0), Source::Single(from), meant);
    }

    pub fn binary(&mut self, which: Binary, to: Zmm, (a, b): (Zmm, Source), meant: For) {
        let (map, opcode) = match which {
            Binary::And => (MAP_0F, 0xdb),
            Binary::AndNot => (MAP_0F, 0xdf),
            Binary::Or => (MAP_0F, 0xeb),
            Binary::Xor => (MAP_0F, 0xef),
            Binary::Add => (MAP_0F, 0xd4),
            Binary::Sub => (MAP_0F, 0xfb),
            Binary::MulHalves => (MAP_0F, 0xf4),
            Binary::Mul => (MAP_0F38, 0x40),
            Binary::Divide => (MAP_0F, 0x5e),
            Binary::TurnEach => (MAP_0F38, 0x15),
            Binary::UpEach => (MAP_0F38, 0x47),
            Binary::DownEach => (MAP_0F38, 0x45),
            Binary::LookUpTwo => (MAP_0F38, 0x7e),
            Binary::Blend => (MAP_0F38, 0x64),
        };
        self.evex(Code { map, prefix: P_66, opcode }, (to.0, a.0), b, meant);
    }

    /// `to` becomes what a table of eight bits says, by its own bit, that of `a` and that of `b`,
    /// the first the highest.
    pub fn ternary(&mut self, to: Zmm, sources: (Zmm, Source), table: u8) {
        self.ternary_for(to, sources, table, EACH);
    }

    pub fn ternary_for(&mut self, to: Zmm, (a, b): (Zmm, Source), table: u8, meant: For) {
        self.evex(Code { map: MAP_0F3A, prefix: P_66, opcode: 0x25 }, (to.0, a.0), b, meant);
        self.0.push(table);
    }

    /// Words turned so far up.
    pub fn turn(&mut self, to: Zmm, from: Zmm, by: u8) {
        self.by_number((MAP_0F, 0x72, 1), to, from, by);
    }

    pub fn up(&mut self, to: Zmm, from: Zmm, by: u8) {
        self.by_number((MAP_0F, 0x73, 6), to, from, by);
    }

    pub fn down(&mut self, to: Zmm, from: Zmm, by: u8) {
        self.by_number((MAP_0F, 0x73, 2), to, from, by);
    }

    /// An instruction that is told apart by what stands in place of its first register.
    fn by_number(&mut self, (map, opcode, which): (u8, u8, u8), to: Zmm, from: Zmm, by: u8) {
        self.evex(Code { map, prefix: P_66, opcode }, (which, to.0), from.into(), EACH);
        self.0.push(by);
    }

    /// How many bits of each word are 1.
    pub fn ones(&mut self, to: Zmm, from: Zmm) {
        self.evex(Code { map: MAP_0F38, prefix: P_66, opcode: 0x55 }, (to.0, 0), from.into(), EACH);
    }

    /// Whole numbers as numbers with fractions, and back without these.
    pub fn with_fraction(&mut self, to: Zmm, from: Zmm) {
        self.evex(Code { map: MAP_0F, prefix: P_F3, opcode: 0x7a }, (to.0, 0), from.into(), EACH);
    }

    pub fn whole(&mut self, to: Zmm, from: Zmm) {
        self.evex(Code { map: MAP_0F, prefix: P_66, opcode: 0x78 }, (to.0, 0), from.into(), EACH);
    }

    /// All bits in these lanes, none elsewhere.
    pub fn as_words(&mut self, to: Zmm, from: Lanes) {
        self.evex(Code { map: MAP_0F38, prefix: P_F3, opcode: 0x38 }, (to.0, 0), Zmm(from.0).into(), EACH);
    }

    /// The lanes, of some, of which it is true.
    pub fn test(&mut self, which: Test, to: Lanes, (a, b): (Zmm, Source), of: Lanes) {
        let code = |map, prefix, opcode| Code { map, prefix, opcode };
        let (code, compared) = match which {
            Test::Meet => (code(MAP_0F38, P_66, 0x27), None),
            Test::Apart => (code(MAP_0F38, P_F3, 0x27), None),
            Test::Equal => (code(MAP_0F3A, P_66, 0x1f), Some(0)),
            Test::Less => (code(MAP_0F3A, P_66, 0x1f), Some(1)),
            Test::AtMost => (code(MAP_0F3A, P_66, 0x1f), Some(2)),
            Test::AtLeast => (code(MAP_0F3A, P_66, 0x1f), Some(5)),
            Test::NotEqual => (code(MAP_0F3A, P_66, 0x1f), Some(4)),
            Test::Below => (code(MAP_0F3A, P_66, 0x1e), Some(1)),
        };
        self.evex(code, (to.0, a.0), b, For { lanes: of, zeroing: false });
        self.0.extend(compared);
    }

    /// Bytes of each half of a half of a vector, by what the second tells of each.
    pub fn shuffle_bytes(&mut self, to: Zmm, of: Zmm, by: MemOperand) {
        self.evex_of(
            Width::Bytes,
            Code { map: MAP_0F38, prefix: P_66, opcode: 0x00 },
            (to.0, of.0),
            Source::Memory(by),
            EACH,
        );
    }

    /// All bits in the bytes of which both have a bit in common, by way of a mask register.
    pub fn meeting_bytes(&mut self, to: Zmm, by: Lanes, (a, b): (Zmm, Source)) {
        self.evex_of(Width::Bytes, Code { map: MAP_0F38, prefix: P_66, opcode: 0x26 }, (by.0, a.0), b, EACH);
        self.evex_of(
            Width::Bytes,
            Code { map: MAP_0F38, prefix: P_F3, opcode: 0x28 },
            (to.0, 0),
            Zmm(by.0).into(),
            EACH,
        );
    }

    /// The lanes whose highest bit is 1.
    pub fn highest(&mut self, to: Lanes, from: Zmm) {
        self.evex(Code { map: MAP_0F38, prefix: P_F3, opcode: 0x39 }, (to.0, 0), from.into(), EACH);
    }

    /// An instruction on vectors of 512 bits, of words of 64 bits: what it makes (or stores), the
    /// first source, the second one.
    fn evex(&mut self, code: Code, registers: (u8, u8), source: Source, meant: For) {
        self.evex_of(Width::Words, code, registers, source, meant);
    }

    pub fn evex_of(&mut self, width: Width, code: Code, (first, second): (u8, u8), source: Source, meant: For) {
        let bit = |reg: u8, at: u8| reg >> at & 1;
        let (low, extended, more, broadcast) = match source {
            Source::Register(z) => (z.0, bit(z.0, 3), bit(z.0, 4), 0),
            Source::Memory(place) => (place.base.register(), bit(place.base.register(), 3), 0, 0),
            Source::Word(place) => (place.base.register(), bit(place.base.register(), 3), 0, 1),
            Source::Single(place) => (place.base.register(), bit(place.base.register(), 3), 0, 0),
        };
        // Bits that extend registers are written as what they are not.
        let registers = (bit(first, 3) ^ 1) << 7 | (more ^ 1) << 6 | (extended ^ 1) << 5 | (bit(first, 4) ^ 1) << 4;
        let (of_words, length) = match width {
            Width::Words => (1, 0b10),
            Width::Bytes => (0, 0b10),
            Width::Low => (1, 0),
        };
        let wide = of_words << 7 | (!second & 0xf) << 3 | 1 << 2;
        let lanes =
            u8::from(meant.zeroing) << 7 | length << 5 | broadcast << 4 | (bit(second, 4) ^ 1) << 3 | meant.lanes.0;
        self.0.extend([0x62, registers | code.map, wide | code.prefix, lanes, code.opcode]);
        let modified = (first & 7) << 3 | low & 7;
        match source {
            Source::Register(_) => self.0.push(0b11 << 6 | modified),
            Source::Memory(MemOperand { at, .. })
            | Source::Word(MemOperand { at, .. })
            | Source::Single(MemOperand { at, .. }) => {
                // Near places are told by a byte, as so many vectors or words.
                let unit = if let Source::Memory(_) = source { 64 } else { 8 };
                match i8::try_from(at / unit) {
                    Ok(near) if at % unit == 0 => self.0.extend([0b01 << 6 | modified, near as u8]),
                    _ => {
                        self.0.push(0b10 << 6 | modified);
                        self.0.extend(at.to_le_bytes());
                    }
                }
            }
        }
    }

    /// What a loop over chunks begins with: `rcx` has a bit for each chunk that is left, and the
    /// lowest one is taken. `words`: of a set.
    pub fn next_chunk(&mut self, words: u8) {
        self.0.extend([0xf3, 0x4c, 0x0f, 0xbc, 0xc9]); // tzcnt r9, rcx
        self.0.extend([0xc4, 0xe2, 0xf0, 0xf3, 0xc9]); // blsr rcx, rcx
        self.0.extend([0x49, 0xc1, 0xe1, 0x06]); // shl r9, 6
        self.0.extend([0x4e, 0x8d, 0x14, 0x0e]); // lea r10, [rsi + r9]
        self.0.extend([0x4e, 0x8d, 0x1c, 0x0a]); // lea r11, [rdx + r9]
        self.0.extend([0x4d, 0x6b, 0xc9, words]); // imul r9, r9, words
        self.0.extend([0x49, 0x01, 0xf9]); // add r9, rdi
    }

    /// Goes back as long as a chunk is left, and else returns.
    pub fn go_round(&mut self, to: usize) {
        self.0.extend([0x48, 0x85, 0xc9]); // test rcx, rcx
        let behind = self.0.len() + 6;
        self.0.extend([0x0f, 0x85]); // jnz
        self.0.extend((to as i32 - behind as i32).to_le_bytes());
        self.0.extend([0xc5, 0xf8, 0x77, 0xc3]); // vzeroupper, ret
    }

    /// What a function with a table of places begins with: `rbx` points to it, and registers are
    /// kept for who calls.
    pub fn begin_choice(&mut self) {
        self.0.extend([0x53, 0x55]); // push rbx, rbp
        self.0.extend([0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57]); // push r12 to r15
        self.0.extend([0x4c, 0x89, 0xcb]); // mov rbx, r9
    }

    /// The lowest chunk of `rcx`, which stays there. The table has where it finds the statuses, of
    /// so many bytes each, the arms that ranks select, and what is sought, twice.
    pub fn first_chunk(&mut self, words: u8, status: i32) {
        self.0.extend([0xf3, 0x4c, 0x0f, 0xbc, 0xc9]); // tzcnt r9, rcx
        self.0.extend([0x4d, 0x89, 0xcc]); // mov r12, r9
        self.0.extend([0x49, 0x69, 0xe9]); // imul rbp, r9, status
        self.0.extend(status.to_le_bytes());
        self.0.extend([0x48, 0x03, 0x2b]); // add rbp, [rbx]
        self.0.extend([0x49, 0xc1, 0xe1, 0x06]); // shl r9, 6
        self.0.extend([0x4e, 0x8d, 0x14, 0x0e]); // lea r10, [rsi + r9]
        self.0.extend([0x4e, 0x8d, 0x1c, 0x0a]); // lea r11, [rdx + r9]
        self.0.extend([0x4c, 0x8b, 0x6b, 0x08, 0x4d, 0x01, 0xcd]); // mov r13, [rbx + 8]; add r13, r9
        self.0.extend([0x4c, 0x8b, 0x73, 0x10, 0x4d, 0x01, 0xce]); // mov r14, [rbx + 16]; add r14, r9
        self.0.extend([0x4c, 0x8b, 0x7b, 0x18]); // mov r15, [rbx + 24]
        self.0.extend([0x4d, 0x6b, 0xc9, words]); // imul r9, r9, words
        self.0.extend([0x4d, 0x01, 0xcf]); // add r15, r9
        self.0.extend([0x49, 0x01, 0xf9]); // add r9, rdi
    }

    /// Tells the table which lanes of the chunk these are, a byte each behind the places.
    pub fn tell_lanes(&mut self, lanes: Lanes) {
        self.0.extend([0xc5, 0xfb, 0x93, 0xc0 | lanes.0]); // kmovd eax, lanes
        self.0.extend([0x42, 0x88, 0x44, 0x23, 0x20]); // mov [rbx + r12 + 32], al
    }

    /// Finds in each word behind `r14` the bit that has so many of its bits below it, alone. The
    /// lanes that are meant are not known any more.
    pub fn find_bits(&mut self, [words, numbers, bits]: [i32; 3]) {
        self.0.extend([0x41, 0xbb, 1, 0, 0, 0]); // mov r11d, 1
        for lane in 0..8 {
            let at = |base: i32| (base + 8 * lane).to_le_bytes();
            self.0.extend([0x4d, 0x8b, 0xa6]); // mov r12, [r14 + number]
            self.0.extend(at(numbers));
            self.0.extend([0xc4, 0xc2, 0x99, 0xf7, 0xc3]); // shlx rax, r11, r12
            self.0.extend([0xc4, 0xc2, 0xfb, 0xf5, 0x86]); // pdep rax, rax, [r14 + word]
            self.0.extend(at(words));
            self.0.extend([0x49, 0x89, 0x86]); // mov [r14 + bit], rax
            self.0.extend(at(bits));
        }
    }

    /// The lanes of some that the table does not tell of, by what [`Assembler::tell_lanes`] told
    /// it. The mask in between is made anew.
    pub fn load_others(&mut self) {
        self.0.extend([0xc4, 0xa1, 0x79, 0x90, 0x54, 0x23, 0x20]); // kmovb k2, [rbx + r12 + 32]
        self.0.extend([0xc5, 0xed, 0x42, 0xe9]); // kandnb k5, k2, k1
    }

    /// Leaves if there are such lanes. Where the jump goes is told by [`Assembler::end_choice`].
    pub fn leave_if_any(&mut self, lanes: Lanes) -> usize {
        self.0.extend([0xc5, 0xf9, 0x98, 0xc0 | lanes.0 << 3 | lanes.0]); // kortestb lanes, lanes
        self.0.extend([0x0f, 0x85, 0, 0, 0, 0]); // jnz
        self.0.len()
    }

    /// Goes back as long as a chunk is left; returns those that are.
    pub fn end_choice(&mut self, begin: usize, leaving: Option<usize>) {
        self.0.extend([0xc4, 0xe2, 0xf0, 0xf3, 0xc9]); // blsr rcx, rcx
        self.0.extend([0x48, 0x85, 0xc9]); // test rcx, rcx
        let behind = self.0.len() + 6;
        self.0.extend([0x0f, 0x85]); // jnz
        self.0.extend((begin as i32 - behind as i32).to_le_bytes());
        if let Some(jump) = leaving {
            let by = (self.0.len() as i32 - jump as i32).to_le_bytes();
            self.0[jump - 4..jump].copy_from_slice(&by);
        }
        self.0.extend([0x48, 0x89, 0xc8]); // mov rax, rcx
        self.0.extend([0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c]); // pop r15 to r12
        self.0.extend([0x5d, 0x5b, 0xc5, 0xf8, 0x77, 0xc3]); // pop rbp, rbx; vzeroupper; ret
    }
}
