//! Constant pool: sets of cells that are known while lowering go in; an index of each comes out.
//! They are kept once, as they are as large as the largest board.

use crate::plan::bitboard::Bits;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Fixed};
use crate::plan::regs::SetReg;

impl Lowering<'_> {
    /// A set that is known.
    pub fn fixed(&mut self, bits: Bits) -> Cells {
        Cells::Fixed(self.tables.fixed.number(bits))
    }

    pub fn bits(&self, fixed: Fixed) -> &Bits {
        &self.tables.fixed.all[fixed.0 as usize]
    }

    /// What two known sets come to, word by word.
    pub fn zipped(&mut self, a: Fixed, b: Fixed, f: impl Fn(u64, u64) -> u64) -> Fixed {
        let bits = self.bits(a).zip(self.bits(b), f);
        self.tables.fixed.number(bits)
    }

    /// Two known sets share no cell.
    pub fn are_apart(&self, a: Fixed, b: Fixed) -> bool {
        self.bits(a).zip(self.bits(b), |a, b| a & b).is_empty()
    }

    /// The register that always holds these cells.
    pub fn constant(&mut self, fixed: Fixed) -> SetReg {
        if let Some((reg, _)) = self.tables.fixed.regs.iter().find(|(_, held)| *held == fixed) {
            return *reg;
        }
        let reg = self.fresh.set();
        self.tables.fixed.regs.push((reg, fixed));
        self.tables.fixed.held.insert(reg, fixed);
        reg
    }

    /// What a register always holds.
    pub fn held(&self, reg: SetReg) -> Option<Fixed> {
        self.tables.fixed.held.get(&reg).copied()
    }
}
