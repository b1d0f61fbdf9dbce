//! Virtual registers: sets of cells and numbers, and how an operation accesses them.

/// A register that holds a set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetReg(pub u16);

/// A register that holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NumReg(pub u16);

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
