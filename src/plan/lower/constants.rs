//! Constant pool: sets of cells that are known while lowering go in; an index of each comes out.
//! They are kept once, as they are as large as the largest board.

use rustc_hash::FxHashMap as HashMap;

use crate::plan::bitboard::Bits;
use crate::plan::lower::{Cells, Lowering};
use crate::plan::regs::SetReg;

/// A set that is known, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed(u32);

impl Fixed {
    pub const NONE: Fixed = Fixed(0);
    /// The whole board.
    pub const ANY: Fixed = Fixed(1);
}

/// All sets that are known, and the registers that hold some of them.
pub(crate) struct FixedSets {
    all: Vec<Bits>,
    numbers: HashMap<Bits, Fixed>,
    regs: Vec<(SetReg, Fixed)>,
    held: HashMap<SetReg, Fixed>,
}

impl FixedSets {
    pub fn new(any: Bits) -> FixedSets {
        let mut sets =
            FixedSets { all: Vec::new(), numbers: HashMap::default(), regs: Vec::new(), held: HashMap::default() };
        sets.number(Bits::default());
        sets.number(any);
        sets
    }

    fn number(&mut self, bits: Bits) -> Fixed {
        let next = Fixed(self.all.len() as u32);
        let number = *self.numbers.entry(bits).or_insert(next);
        if number == next {
            self.all.push(bits);
        }
        number
    }

    /// The registers, each with what it always holds.
    pub fn into_consts(self) -> Vec<(SetReg, Bits)> {
        self.regs.into_iter().map(|(reg, fixed)| (reg, self.all[fixed.0 as usize])).collect()
    }
}

impl Lowering<'_> {
    /// A set that is known.
    pub(crate) fn fixed(&mut self, bits: Bits) -> Cells {
        Cells::Fixed(self.fixed.number(bits))
    }

    pub(crate) fn bits(&self, fixed: Fixed) -> &Bits {
        &self.fixed.all[fixed.0 as usize]
    }

    /// What two known sets come to, word by word.
    pub(crate) fn zipped(&mut self, a: Fixed, b: Fixed, f: impl Fn(u64, u64) -> u64) -> Fixed {
        let bits = self.bits(a).zip(self.bits(b), f);
        self.fixed.number(bits)
    }

    /// Two known sets share no cell.
    pub(crate) fn are_apart(&self, a: Fixed, b: Fixed) -> bool {
        self.bits(a).zip(self.bits(b), |a, b| a & b).is_empty()
    }

    /// The register that always holds these cells.
    pub(crate) fn constant(&mut self, fixed: Fixed) -> SetReg {
        if let Some((reg, _)) = self.fixed.regs.iter().find(|(_, held)| *held == fixed) {
            return *reg;
        }
        let reg = self.fresh.set();
        self.fixed.regs.push((reg, fixed));
        self.fixed.held.insert(reg, fixed);
        reg
    }

    /// What a register always holds.
    pub(crate) fn held(&self, reg: SetReg) -> Option<Fixed> {
        self.fixed.held.get(&reg).copied()
    }
}
