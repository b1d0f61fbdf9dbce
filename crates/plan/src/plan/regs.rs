//! Virtual registers: sets of cells and numbers, and how an operation accesses them.

/// A register that holds a set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetReg(pub u16);

/// A register that holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NumReg(pub u16);

/// A register of either type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reg {
    Set(SetReg),
    Number(NumReg),
}

/// Registers of one type by their numbers, a bit each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegBits(Vec<u64>);

impl RegBits {
    /// Whatever registers there are.
    pub fn all() -> RegBits {
        RegBits(vec![u64::MAX; (usize::from(u16::MAX) + 1) / 64])
    }

    pub fn insert(&mut self, reg: u16) {
        let word = usize::from(reg) / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (reg % 64);
    }

    pub fn has(&self, reg: u16) -> bool {
        self.0.get(usize::from(reg) / 64).is_some_and(|word| word >> (reg % 64) & 1 == 1)
    }

    /// Adds what the other has.
    pub fn unite(&mut self, other: &RegBits) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn meets(&self, other: &RegBits) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    /// Keeps what the other has, too; whether anything went.
    pub fn intersect(&mut self, other: &RegBits) -> bool {
        let mut changed = false;
        for (at, word) in self.0.iter_mut().enumerate() {
            let both = *word & other.0.get(at).copied().unwrap_or(0);
            changed |= both != *word;
            *word = both;
        }
        changed
    }
}

/// Registers of both types.
#[derive(Clone, Debug, Default)]
pub struct RegSet {
    sets: RegBits,
    numbers: RegBits,
}

impl RegSet {
    /// The register that is accessed, in whatever way; nothing of what accesses no single register.
    pub fn insert(&mut self, access: Access) {
        match access {
            Access::UseSet(reg) | Access::DefSet(reg) => self.sets.insert(reg.0),
            Access::UseNum(reg) | Access::DefNum(reg) => self.numbers.insert(reg.0),
            Access::Pieces | Access::Position => {}
        }
    }

    pub fn has(&self, access: Access) -> bool {
        match access {
            Access::UseSet(reg) | Access::DefSet(reg) => self.sets.has(reg.0),
            Access::UseNum(reg) | Access::DefNum(reg) => self.numbers.has(reg.0),
            Access::Pieces | Access::Position => false,
        }
    }

    pub fn count(&self) -> usize {
        self.sets.count() + self.numbers.count()
    }

    pub fn meets(&self, other: &RegSet) -> bool {
        self.sets.meets(&other.sets) || self.numbers.meets(&other.numbers)
    }
}

/// A place in the rules, for faults, by its number in `Plan::spans`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpanId(pub u16);

impl SpanId {
    /// Of what cannot fault, or faults at no one place.
    pub const NOWHERE: SpanId = SpanId(u16::MAX);
}

/// A register that an operation touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    UseSet(SetReg),
    DefSet(SetReg),
    UseNum(NumReg),
    DefNum(NumReg),
    /// Reads and writes all men.
    Pieces,
    /// Reads the whole position.
    Position,
}

impl Access {
    /// The single register that is written.
    pub fn defined(self) -> Option<Reg> {
        match self {
            Access::DefSet(reg) => Some(Reg::Set(reg)),
            Access::DefNum(reg) => Some(Reg::Number(reg)),
            _ => None,
        }
    }

    /// The single register that is read.
    pub fn used(self) -> Option<Reg> {
        match self {
            Access::UseSet(reg) => Some(Reg::Set(reg)),
            Access::UseNum(reg) => Some(Reg::Number(reg)),
            _ => None,
        }
    }
}
