//! Register allocation: sets and numbers that code computes with go in; which vector register holds
//! each comes out, and where it stands in memory.
//!
//! Each word of a set and each number is in a register while there is room. It is stored when there
//! is none, or where it is wanted by code that others come to as well.

use crate::jit::asm::evex::{Base, For, MemOperand, Zmm};
use crate::jit::isel::{Isel, MEANT, Words};
use crate::plan::{NumReg, REGISTERS, SetReg};

/// Vector registers.
pub const ROOM: usize = 32;
/// Bytes of a word of each of eight lanes.
const CHUNK: usize = 64;

/// What a vector register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A word of a set register.
    Word(u16, u8),
    Number(u16),
    /// What is kept beside registers.
    Spare(u16),
    /// A part of what else is known of lanes, by its place in bytes.
    Status(u16),
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Slot {
    held: Option<Value>,
    /// It is not stored yet.
    is_new: bool,
    /// An operation computes with it.
    is_used: bool,
    last_used: u32,
}

/// What vector registers hold, at a place of the code.
pub type Slots = [Slot; ROOM];

impl Isel<'_> {
    /// Stores what is not stored yet, of what is wanted; the rest is forgotten.
    pub fn store_all(&mut self, wanted: impl Fn(Value) -> bool) {
        for at in 0..ROOM {
            if let Slot { held: Some(held), is_new: true, .. } = self.slots[at] {
                if wanted(held) {
                    self.code.store(self.place(held), Zmm(at as u8));
                } else {
                    self.slots[at].held = None;
                }
                self.slots[at].is_new = false;
            }
        }
    }

    /// What registers hold, where all of it is stored.
    pub fn stored(&self) -> Slots {
        self.slots
    }

    /// The code is come to from elsewhere, too, where registers held this: what is the same goes
    /// on.
    pub fn join(&mut self, others: &Slots) {
        for (slot, other) in self.slots.iter_mut().zip(others) {
            if slot.held != other.held {
                *slot = Slot::default();
            }
        }
    }

    /// The code goes on from where registers held this.
    pub fn go_on_from(&mut self, slots: &Slots) {
        self.slots = *slots;
    }

    /// The code is come to from where registers hold other things.
    pub fn hold_nothing(&mut self) {
        self.slots = Slots::default();
    }

    /// Nobody reads this any more.
    pub fn forget(&mut self, is_over: impl Fn(Value) -> bool) {
        for slot in &mut self.slots {
            if slot.held.is_some_and(&is_over) {
                *slot = Slot::default();
            }
        }
    }

    /// A register becomes what was made, at least in the lanes that are meant.
    pub fn put(&mut self, to: Value, made: Zmm) {
        if self.blend {
            let old = self.held(to);
            self.code.copy(old, made, For::merging(MEANT));
            return self.change(old);
        }
        for slot in &mut self.slots {
            if slot.held == Some(to) {
                slot.held = None;
            }
        }
        let slot = &mut self.slots[usize::from(made.0)];
        (slot.held, slot.is_new) = (Some(to), true);
    }

    pub fn put_words(&mut self, d: SetReg, made: Words) {
        (0..self.width()).for_each(|word| self.put(Value::Word(d.0, word as u8), made[word]));
    }

    /// What a vector register holds has changed.
    pub fn change(&mut self, z: Zmm) {
        self.slots[usize::from(z.0)].is_new = true;
    }

    pub fn words(&mut self, reg: SetReg) -> Words {
        self.made(|code, word| code.word(reg, word as u8))
    }

    pub fn word(&mut self, SetReg(reg): SetReg, word: u8) -> Zmm {
        self.held(Value::Word(reg, word))
    }

    pub fn number(&mut self, NumReg(reg): NumReg) -> Zmm {
        self.held(Value::Number(reg))
    }

    /// The vector register that holds something.
    pub fn held(&mut self, what: Value) -> Zmm {
        self.time += 1;
        if let Some(at) = self.slots.iter().position(|slot| slot.held == Some(what)) {
            let slot = &mut self.slots[at];
            (slot.is_used, slot.last_used) = (true, self.time);
            return Zmm(at as u8);
        }
        let z = self.room();
        self.code.load(z, self.place(what));
        let slot = &mut self.slots[usize::from(z.0)];
        (slot.held, slot.is_new) = (Some(what), false);
        z
    }

    /// A vector register to compute in. What it held is stored if it was not.
    pub fn room(&mut self) -> Zmm {
        self.time += 1;
        let free = |slot: &Slot| (slot.held.is_some(), slot.last_used);
        let open = (0..ROOM).filter(|&at| !self.slots[at].is_used);
        let Some(at) = open.min_by_key(|&at| free(&self.slots[at])) else {
            self.is_full = true;
            return Zmm(0);
        };
        if let Slot { held: Some(held), is_new: true, .. } = self.slots[at] {
            self.code.store(self.place(held), Zmm(at as u8));
        }
        self.slots[at] = Slot { held: None, is_new: false, is_used: true, last_used: self.time };
        Zmm(at as u8)
    }

    /// An operation is done.
    pub fn done(&mut self) {
        self.done_but(|_| false);
    }

    /// These are not computed with any more.
    pub fn release(&mut self, all: impl IntoIterator<Item = Zmm>) {
        for z in all {
            self.slots[usize::from(z.0)].is_used = false;
        }
    }

    pub fn done_but(&mut self, goes_on: impl Fn(Zmm) -> bool) {
        for (at, slot) in self.slots.iter_mut().enumerate() {
            slot.is_used &= goes_on(Zmm(at as u8));
        }
    }

    /// Stores the words of sets that are not stored yet.
    pub fn store_words(&mut self) {
        for at in 0..ROOM {
            if let Slot { held: Some(held @ Value::Word(..)), is_new: true, .. } = self.slots[at] {
                self.code.store(self.place(held), Zmm(at as u8));
            }
        }
    }

    /// Where something stands, of the chunk at hand.
    pub fn place(&self, held: Value) -> MemOperand {
        let chunks = self.board.chunks;
        let (base, at) = match held {
            Value::Word(reg, word) => (Base::Sets, usize::from(reg) * chunks * self.width() + usize::from(word)),
            Value::Number(reg) => (Base::Numbers, usize::from(reg) * chunks),
            Value::Spare(which) => (Base::Numbers, (REGISTERS + usize::from(which)) * chunks),
            Value::Status(at) => return MemOperand { base: Base::Status, at: i32::from(at) },
        };
        MemOperand { base, at: (at * CHUNK) as i32 }
    }
}
