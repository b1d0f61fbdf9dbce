//! Values while lowering: cells, numbers and groups that are known already or stand in registers,
//! and why a game has no plan.

use rustc_hash::FxHashMap as HashMap;

use crate::board::{Dir, MAX_PLAYERS};
use crate::model::Expr;
use crate::plan::bitboard::Bits;
use crate::plan::regs::{NumReg, SetReg};
use crate::source::Span;

/// Why a game has no plan: the construct, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unplanned {
    pub why: &'static str,
    pub span: Option<Span>,
}

pub type Lowered<T> = Result<T, Unplanned>;

pub fn unplanned<T>(why: &'static str) -> Lowered<T> {
    Err(Unplanned { why, span: None })
}

/// A set that is known, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed(pub u32);

impl Fixed {
    pub const NONE: Fixed = Fixed(0);
    /// The whole board.
    pub const ANY: Fixed = Fixed(1);
}

/// Cells, known now or in a register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cells {
    Fixed(Fixed),
    In(SetReg),
}

/// A number, a truth (0 or 1), or a set of directions, axes or players as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Num {
    Fixed(i64),
    In(NumReg),
}

/// Groups as the parts of a set, or the rows of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Groups {
    Parts {
        of: SetReg,
        along: u16,
    },
    Rows(Rows),
    /// Rows by where they begin, by their number in the tables.
    Classes(u16),
    None,
}

/// What a slot stands for.
#[derive(Clone, Copy, Debug)]
pub enum Value<'g> {
    Cells(Cells),
    Num(Num),
    /// A bit for each player.
    Players(Num),
    Groups(Groups),
    /// The cell that a condition is lifted over.
    Any,
    /// The value of an expression that depends on that cell, in the frame of this number.
    Later(&'g Expr, usize),
    Unset,
}

/// Values that depend on a cell are one only if they are of one place in the rules.
impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Value::Cells(one), Value::Cells(other)) => one == other,
            (Value::Num(one), Value::Num(other)) => one == other,
            (Value::Players(one), Value::Players(other)) => one == other,
            (Value::Groups(one), Value::Groups(other)) => one == other,
            (Value::Later(one, frame), Value::Later(other, its)) => std::ptr::eq(one, other) && frame == its,
            (Value::Any, Value::Any) | (Value::Unset, Value::Unset) => true,
            _ => false,
        }
    }
}

/// The registers of `last` and the like.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    pub last: SetReg,
    pub origin: SetReg,
    pub passed: SetReg,
    pub heading: NumReg,
    pub caught: SetReg,
}

/// All sets that are known, and the registers that hold some of them.
pub struct FixedSets {
    pub all: Vec<Bits>,
    pub numbers: HashMap<Bits, Fixed>,
    pub regs: Vec<(SetReg, Fixed)>,
    pub held: HashMap<SetReg, Fixed>,
}

impl FixedSets {
    pub fn new(any: Bits) -> FixedSets {
        let mut sets =
            FixedSets { all: Vec::new(), numbers: HashMap::default(), regs: Vec::new(), held: HashMap::default() };
        sets.number(Bits::default());
        sets.number(any);
        sets
    }

    pub fn number(&mut self, bits: Bits) -> Fixed {
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

/// What is known of the cells of a set, whatever the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// All are empty.
    pub empty: bool,
    /// All have a man.
    pub occupied: bool,
    /// Whose men can stand there, where men stand: a bit for each player, and [`NOBODY`].
    pub owners: u16,
    /// Of which kinds men there can be.
    pub kinds: u64,
}

/// The owner of neutral men, behind the bits of the players.
pub const NOBODY: u16 = 1 << MAX_PLAYERS;

impl Facts {
    pub const NONE: Facts = Facts { empty: false, occupied: false, owners: u16::MAX, kinds: u64::MAX };

    pub fn and(self, other: Facts) -> Facts {
        Facts {
            empty: self.empty || other.empty,
            occupied: self.occupied || other.occupied,
            owners: self.owners & other.owners,
            kinds: self.kinds & other.kinds,
        }
    }

    pub fn or(self, other: Facts) -> Facts {
        Facts {
            empty: self.empty && other.empty,
            occupied: self.occupied && other.occupied,
            owners: self.owners | other.owners,
            kinds: self.kinds | other.kinds,
        }
    }

    /// No cell can be in both.
    pub fn apart(self, other: Facts) -> bool {
        self.empty && other.occupied
            || self.occupied && other.empty
            || (self.occupied || other.occupied) && (self.owners & other.owners == 0 || self.kinds & other.kinds == 0)
    }
}

/// The rows that a pick offers: parts of a set along some directions, of so many cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rows {
    pub of: SetReg,
    /// A bit a direction.
    pub dirs: u64,
    pub from: i64,
    pub to: i64,
}

/// Rows of one direction and length, by where they begin.
#[derive(Clone, Copy, Debug)]
pub struct RowClass {
    pub dir: Dir,
    pub cells: i64,
    pub begin: Cells,
}
