//! Virtual register allocator: a class goes in; a register that is not in use comes out.

use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Node, Plan};
use crate::plan::tuning::{MAX_REGISTERS_BEFORE_PASSES_STOP, MAX_REGISTERS_OF_RULES};

/// Hands out registers, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct VirtualRegs {
    /// The next set register.
    pub sets: u16,
    /// The next number register.
    pub numbers: u16,
}

impl VirtualRegs {
    pub fn set(&mut self) -> SetReg {
        self.row(1)
    }

    /// The first of so many set registers that follow one another.
    pub fn row(&mut self, size: usize) -> SetReg {
        let first = SetReg(self.sets);
        self.sets = self.sets.saturating_add(size as u16);
        first
    }

    pub fn number(&mut self) -> NumReg {
        let n = NumReg(self.numbers);
        self.numbers = self.numbers.saturating_add(1);
        n
    }

    /// The rules ask for more than there may be.
    pub fn is_spent(&self) -> bool {
        self.sets.max(self.numbers) > MAX_REGISTERS_OF_RULES
    }

    /// Rewrites may add to the registers that are in use.
    pub fn has_room(&self) -> bool {
        self.sets.max(self.numbers) <= MAX_REGISTERS_BEFORE_PASSES_STOP
    }
}

impl Plan {
    /// What is free behind all registers in use.
    pub fn fresh(&self) -> VirtualRegs {
        let mut fresh = VirtualRegs { sets: self.shared_sets, numbers: self.shared_numbers };
        let mut see = |access: Access| match access {
            Access::UseSet(reg) | Access::DefSet(reg) => fresh.sets = fresh.sets.max(reg.0.saturating_add(1)),
            Access::UseNum(reg) | Access::DefNum(reg) => fresh.numbers = fresh.numbers.max(reg.0.saturating_add(1)),
            Access::Pieces | Access::Position => {}
        };
        self.consts.iter().for_each(|(reg, _)| see(Access::UseSet(*reg)));
        self.const_numbers.iter().for_each(|(reg, _)| see(Access::UseNum(*reg)));
        self.reg_vectors.iter().for_each(|(base, size)| see(Access::UseSet(SetReg(base.0 + *size as u16 - 1))));
        for seat in &self.seats {
            seat.programs().for_each(|(_, block)| accesses(block, &mut see));
        }
        fresh
    }
}

/// All registers that a block touches.
pub fn accesses(block: &[Node], f: &mut impl FnMut(Access)) {
    for node in block {
        node.accesses(&mut *f);
        node.blocks().into_iter().for_each(|block| accesses(block, &mut *f));
    }
}
