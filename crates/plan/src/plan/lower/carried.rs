//! Carried values: registers of the position go in, in which the values that are read behind a choice by chance go from
//! one continuation of a turn to the next; what each continuation needs comes out.

use rustc_hash::FxHashMap as HashMap;

use crate::model;
use crate::model::{Slot, Statement};
use crate::plan::lower::values::{Facts, Num, Value, Words};
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::{Carry, Continuation};
use crate::plan::vregs::VirtualRegs;

/// The continuations of the turns of one seat, and the registers in which values go from one to the next.
#[derive(Default)]
pub struct Continuations<'g> {
    pub next: Option<NumReg>,
    pub sets: Vec<SetReg>,
    pub numbers: Vec<NumReg>,
    /// The most that any choice by chance needs.
    pub used: (usize, usize),
    pub lowered: Vec<Continuation>,
    pub pending: Vec<Pending<'g>>,
    /// The continuation at hand has a `first` before its end.
    pub tries: bool,
}

impl<'g> Continuations<'g> {
    /// With registers for so many sets and numbers.
    pub fn new((sets, numbers): (usize, usize), fresh: &mut VirtualRegs) -> Continuations<'g> {
        Continuations {
            next: Some(fresh.number()),
            sets: (0..sets).map(|_| fresh.set()).collect(),
            numbers: (0..numbers).map(|_| fresh.number()).collect(),
            ..Continuations::default()
        }
    }

    /// The registers, for whoever plays.
    pub fn carry(&self) -> Option<Carry> {
        let behind = |reg: Option<u16>| reg.map_or(0, |reg| reg + 1);
        let next = self.next?;
        let sets = (self.sets.first().map_or(0, |reg| reg.0), behind(self.sets.last().map(|reg| reg.0)));
        let numbers = (next, NumReg(behind(self.numbers.last().or(Some(&next)).map(|reg| reg.0))));
        Some(Carry { next, sets: (SetReg(sets.0), SetReg(sets.1)), numbers })
    }
}

/// The continuation behind a choice by chance, which is lowered when the one before it is.
pub struct Pending<'g> {
    pub number: usize,
    pub bag: Bag<'g>,
    pub chosen: Chosen<'g>,
    pub list: Vec<&'g Statement>,
    pub spine: Vec<Slot>,
    pub values: Vec<Value<'g>>,
    pub mutable: HashMap<Slot, Option<Value<'g>>>,
    pub still: bool,
}

/// What goes along.
#[derive(Default)]
pub struct Bag<'g> {
    pub sets: usize,
    pub numbers: usize,
    /// The registers of `last` and the like, in which they are when something has moved.
    pub words: Option<Words>,
    pub touched: Vec<NumReg>,
    pub slots: Vec<(Slot, Carried<'g>)>,
}

/// A value in registers that go along, and what is known of it.
pub struct Carried<'g> {
    pub value: Value<'g>,
    pub facts: Facts,
    pub single: bool,
    pub exact: bool,
}

/// What chance has chosen, as it goes along.
pub enum Chosen<'g> {
    Value(Slot, Carried<'g>),
    /// The number of the block, from 0 on.
    Block(Num, &'g [(model::BlockId, model::BranchId)]),
}
