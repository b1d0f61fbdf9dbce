//! Scalar assembler: what a turn function does beside computing with vectors goes in; its bytes
//! come out: the next vector of lanes, masks, jumps, bits that are found one by one.
//!
//! `rbx` points to the report, `rdx` to the places of what else is worked on, and `r12` has the
//! number of the chunk.
//!
//! Source: as for [`evex`](crate::jit::asm::evex).

use crate::jit::asm::evex::{Assembler, EACH, Lanes, MemOperand, Pair, Source, Width, Zmm};

/// Where some lanes are kept: so many bytes behind the report, a byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Of the chunk at hand, one of a byte for each chunk.
    OfChunk(i32),
    One(i32),
}

/// A jump of which it is not known yet where it goes: what stands behind it.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Jump(usize);

impl Assembler {
    /// Registers are kept for who calls.
    pub fn begin_turn_fn(&mut self) {
        self.0.extend([0x53, 0x55]); // push rbx, rbp
        self.0.extend([0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57]); // push r12 to r15
        self.0.extend([0x4c, 0x89, 0xcb]); // mov rbx, r9
    }

    /// The lowest chunk of `rcx`. `words`: of a set; `status`: bytes of one; `places`: where those
    /// of statuses, sets and numbers are told.
    pub fn next_turn_chunk(&mut self, words: u8, status: i32, places: [u8; 3]) {
        let [statuses, sets, numbers] = places;
        self.0.extend([0xf3, 0x4c, 0x0f, 0xbc, 0xe1]); // tzcnt r12, rcx
        self.0.extend([0x49, 0x69, 0xec]); // imul rbp, r12, status
        self.0.extend(status.to_le_bytes());
        self.0.extend([0x48, 0x03, 0x6a, statuses]); // add rbp, [rdx + statuses]
        self.0.extend([0x4d, 0x89, 0xe1]); // mov r9, r12
        self.0.extend([0x49, 0xc1, 0xe1, 0x06]); // shl r9, 6
        self.0.extend([0x4e, 0x8d, 0x14, 0x0e]); // lea r10, [rsi + r9]
        self.0.extend([0x4c, 0x8b, 0x7a, numbers]); // mov r15, [rdx + numbers]
        self.0.extend([0x4d, 0x01, 0xcf]); // add r15, r9
        self.0.extend([0x4d, 0x6b, 0xc9, words]); // imul r9, r9, words
        self.0.extend([0x4c, 0x8b, 0x72, sets]); // mov r14, [rdx + sets]
        self.0.extend([0x4d, 0x01, 0xce]); // add r14, r9
        self.0.extend([0x49, 0x01, 0xf9]); // add r9, rdi
    }

    /// Goes back as long as a chunk is left.
    pub fn end_turn_fn(&mut self, begin: usize) {
        self.0.extend([0xc4, 0xe2, 0xf0, 0xf3, 0xc9]); // blsr rcx, rcx
        self.0.extend([0x48, 0x85, 0xc9]); // test rcx, rcx
        self.0.extend([0x0f, 0x85]); // jnz
        let behind = self.0.len() + 4;
        self.0.extend((begin as i32 - behind as i32).to_le_bytes());
        self.0.extend([0x31, 0xc0]); // xor eax, eax
        self.0.extend([0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c]); // pop r15 to r12
        self.0.extend([0x5d, 0x5b, 0xc5, 0xf8, 0x77, 0xc3]); // pop rbp, rbx; vzeroupper; ret
    }

    /// What an instruction with a register and a place of the report has behind its opcode.
    fn of_report(&mut self, register: u8, kept: Kept) {
        let at = match kept {
            Kept::OfChunk(at) => {
                self.0.extend([0b10 << 6 | register << 3 | 0b100, 0x23]); // rbx + r12
                at
            }
            Kept::One(at) => {
                self.0.push(0b10 << 6 | register << 3 | 0b011); // rbx
                at
            }
        };
        self.0.extend(at.to_le_bytes());
    }

    /// What instructions begin with that load and store lanes.
    fn lanes_prefix(&mut self, kept: Kept) {
        match kept {
            Kept::OfChunk(_) => self.0.extend([0xc4, 0xa1, 0x79]),
            Kept::One(_) => self.0.extend([0xc5, 0xf9]),
        }
    }

    pub fn load_lanes(&mut self, to: Lanes, from: Kept) {
        self.lanes_prefix(from);
        self.0.push(0x90); // kmovb lanes, [...]
        self.of_report(to.0, from);
    }

    pub fn store_lanes(&mut self, to: Kept, from: Lanes) {
        self.lanes_prefix(to);
        self.0.push(0x91); // kmovb [...], lanes
        self.of_report(from.0, to);
    }

    /// Lanes join those that are kept.
    pub fn add_lanes(&mut self, to: Kept, more: Lanes) {
        self.0.extend([0xc5, 0xfb, 0x93, 0xc0 | more.0]); // kmovd eax, lanes
        match to {
            Kept::OfChunk(_) => self.0.extend([0x42, 0x08]), // or [rbx + r12 + ...], al
            Kept::One(_) => self.0.push(0x08),               // or [rbx + ...], al
        }
        self.of_report(0, to);
    }

    pub fn copy_lanes(&mut self, to: Lanes, from: Lanes) {
        self.0.extend([0xc5, 0xf9, 0x90, 0xc0 | to.0 << 3 | from.0]); // kmovb
    }

    pub fn pair_lanes(&mut self, which: Pair, to: Lanes, (a, b): (Lanes, Lanes)) {
        let opcode = match which {
            Pair::And => 0x41,
            Pair::AndNot => 0x42,
            Pair::Or => 0x45,
        };
        self.0.extend([0xc5, 0x80 | (!a.0 & 0xf) << 3 | 0b101, opcode, 0xc0 | to.0 << 3 | b.0]);
    }

    /// Goes back if there are such lanes.
    pub fn jump_back_if_any(&mut self, of: Lanes, to: usize) {
        self.0.extend([0xc5, 0xf9, 0x98, 0xc0 | of.0 << 3 | of.0]); // kortestb
        self.0.extend([0x0f, 0x85, 0, 0, 0, 0]); // jnz
        self.land_at(Jump(self.0.len()), to);
    }

    pub fn jump_if_none(&mut self, of: Lanes) -> Jump {
        self.0.extend([0xc5, 0xf9, 0x98, 0xc0 | of.0 << 3 | of.0]); // kortestb
        self.0.extend([0x0f, 0x84, 0, 0, 0, 0]); // jz
        Jump(self.0.len())
    }

    pub fn jump(&mut self) -> Jump {
        self.0.extend([0xe9, 0, 0, 0, 0]); // jmp
        Jump(self.0.len())
    }

    /// A jump goes here.
    pub fn land(&mut self, jump: Jump) {
        self.land_at(jump, self.0.len());
    }

    pub fn land_at(&mut self, jump: Jump, to: usize) {
        let by = (to as i32 - jump.0 as i32).to_le_bytes();
        self.0[jump.0 - 4..jump.0].copy_from_slice(&by);
    }

    /// Finds in each of eight words the bit that has so many of its bits below it as another word
    /// has below its one, alone; both stand in the report. `aside`: to compute with.
    pub fn find_each(&mut self, to: Zmm, aside: [Zmm; 3], [words, lowest]: [u8; 2]) {
        let pairs = [to, aside[0], aside[1], aside[2]];
        for lane in 0..8u8 {
            self.0.extend([0x48, 0x8b, 0x43, lowest + 8 * lane]); // mov rax, [rbx + lowest]
            self.0.extend([0xc4, 0xe2, 0xfb, 0xf5, 0x43, words + 8 * lane]); // pdep rax, rax, [rbx + word]
            self.put_word(pairs[usize::from(lane / 2)], lane % 2);
        }
        for (quarter, pair) in (1..).zip(&pairs[1..]) {
            self.put_quarter(to, *pair, quarter);
        }
    }

    /// `rax` becomes the first word, or the second.
    fn put_word(&mut self, to: Zmm, which: u8) {
        let rax = Source::Register(Zmm(0));
        if which == 0 {
            self.evex_of(Width::Low, Self::FIRST_WORD, (to.0, 0), rax, EACH);
        } else {
            self.evex_of(Width::Low, Self::ONE_WORD, (to.0, to.0), rax, EACH);
            self.0.push(which);
        }
    }

    /// Two words become those of a quarter.
    fn put_quarter(&mut self, to: Zmm, from: Zmm, quarter: u8) {
        self.evex_of(Width::Words, Self::QUARTER, (to.0, to.0), from.into(), EACH);
        self.0.push(quarter);
    }
}

/// The place of a part of the report, for vectors.
pub fn of_report(at: usize) -> MemOperand {
    MemOperand { base: crate::jit::asm::evex::Base::Report, at: at as i32 }
}

#[cfg(test)]
mod tests {
    use crate::jit::asm::scalar::*;

    fn bytes(make: impl Fn(&mut Assembler)) -> Vec<u8> {
        let mut code = Assembler::default();
        make(&mut code);
        code.0
    }

    /// What the GNU assembler makes of the same instructions, with offsets of four bytes.
    #[test]
    fn sets_of_lanes_are_loaded_stored_and_paired() {
        let (one, of_chunk) = (Kept::One(0x158), Kept::OfChunk(0x88));
        // kmovb k2, [rbx + 0x158]; kmovb [rbx + 0x158], k5
        assert_eq!(bytes(|code| code.load_lanes(Lanes(2), one)), [0xc5, 0xf9, 0x90, 0x93, 0x58, 1, 0, 0]);
        assert_eq!(bytes(|code| code.store_lanes(one, Lanes(5))), [0xc5, 0xf9, 0x91, 0xab, 0x58, 1, 0, 0]);
        // kmovb k3, [rbx + r12 + 0x88]; kmovb [rbx + r12 + 0x88], k1
        assert_eq!(
            bytes(|code| code.load_lanes(Lanes(3), of_chunk)),
            [0xc4, 0xa1, 0x79, 0x90, 0x9c, 0x23, 0x88, 0, 0, 0]
        );
        assert_eq!(
            bytes(|code| code.store_lanes(of_chunk, Lanes(1))),
            [0xc4, 0xa1, 0x79, 0x91, 0x8c, 0x23, 0x88, 0, 0, 0]
        );
        // kmovd eax, k2; or [rbx + r12 + 0xb0], al
        let add = bytes(|code| code.add_lanes(Kept::OfChunk(0xb0), Lanes(2)));
        assert_eq!(add, [0xc5, 0xfb, 0x93, 0xc2, 0x42, 0x08, 0x84, 0x23, 0xb0, 0, 0, 0]);
        // kmovb k5, k3; kandb k1, k4, k6; kandnb k6, k2, k6
        assert_eq!(bytes(|code| code.copy_lanes(Lanes(5), Lanes(3))), [0xc5, 0xf9, 0x90, 0xeb]);
        let pair = |which, to, pair| bytes(move |code| code.pair_lanes(which, to, pair));
        assert_eq!(pair(Pair::And, Lanes(1), (Lanes(4), Lanes(6))), [0xc5, 0xdd, 0x41, 0xce]);
        assert_eq!(pair(Pair::AndNot, Lanes(6), (Lanes(2), Lanes(6))), [0xc5, 0xed, 0x42, 0xf6]);
    }

    #[test]
    fn words_are_put_together() {
        // vmovq xmm16, rax; vpinsrq xmm5, xmm5, rax, 1; vinserti64x2 zmm31, zmm31, xmm18, 3
        assert_eq!(bytes(|code| code.put_word(Zmm(16), 0)), [0x62, 0xe1, 0xfd, 0x08, 0x6e, 0xc0]);
        assert_eq!(bytes(|code| code.put_word(Zmm(5), 1)), [0x62, 0xf3, 0xd5, 0x08, 0x22, 0xe8, 1]);
        assert_eq!(bytes(|code| code.put_quarter(Zmm(31), Zmm(18), 3)), [0x62, 0x23, 0x85, 0x40, 0x38, 0xfa, 3]);
        // mov rax, [rbx + 0x48]; pdep rax, rax, [rbx + 8]; behind that of the first word, of as
        // many bytes as a first word takes
        let found = bytes(|code| code.find_each(Zmm(16), [Zmm(1), Zmm(2), Zmm(3)], [0, 0x40]));
        let second = 4 + 6 + 6;
        assert_eq!(found[second..second + 10], [0x48, 0x8b, 0x43, 0x48, 0xc4, 0xe2, 0xfb, 0xf5, 0x43, 8]);
    }

    #[test]
    fn a_chunk_is_found_and_jumps_land() {
        let next = bytes(|code| code.next_turn_chunk(6, 0x480, [0, 8, 16]));
        // tzcnt r12, rcx; imul rbp, r12, 0x480; add rbp, [rdx]
        assert_eq!(next[..16], [0xf3, 0x4c, 0x0f, 0xbc, 0xe1, 0x49, 0x69, 0xec, 0x80, 4, 0, 0, 0x48, 0x03, 0x6a, 0]);
        // kortestb k1, k1; jz over the next instruction
        let over = bytes(|code| {
            let jump = code.jump_if_none(Lanes(1));
            code.copy_lanes(Lanes(5), Lanes(3));
            code.land(jump);
        });
        assert_eq!(over, [0xc5, 0xf9, 0x98, 0xc9, 0x0f, 0x84, 4, 0, 0, 0, 0xc5, 0xf9, 0x90, 0xeb]);
    }
}
