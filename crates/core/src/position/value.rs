//! Values: what locals and remembered values hold, what is written of a move, and how a game came
//! out.

use crate::board::{Axis, AxisSet, Cell, CellSet, Dir, DirSet, Kind, Player, PlayerSet};
use crate::model::{Arithmetic, Type};

use crate::position::FaultKind;

/// A value of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Number(i64),
    Truth(bool),
    Cells(CellSet),
    /// In the order of the language: by first cell, then by last.
    Groups(Vec<CellSet>),
    Dirs(DirSet),
    Axes(AxisSet),
    Players(PlayerSet),
    List(Vec<i64>),
}

impl Value {
    /// 0, `false` or the empty value of a type.
    pub fn empty(ty: Type) -> Value {
        match ty {
            Type::Number => Value::Number(0),
            Type::Truth => Value::Truth(false),
            Type::Cells => Value::Cells(CellSet::EMPTY),
            Type::Groups => Value::Groups(Vec::new()),
            Type::Dirs => Value::Dirs(DirSet::EMPTY),
            Type::Axes => Value::Axes(AxisSet::EMPTY),
            Type::Players => Value::Players(PlayerSet::EMPTY),
            Type::List => Value::List(Vec::new()),
        }
    }
}

/// One written choice of a move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Written {
    Cell(Cell),
    /// Where a `move` went, of a block its first cell.
    Landing {
        cell: Cell,
        captures: bool,
        sign: Option<char>,
    },
    /// Several cells picked together.
    Combination(Box<CellSet>),
    Number(i64),
    Group(Box<CellSet>),
    Dir(Dir),
    Axis(Axis),
    /// A kind chosen to be placed.
    Kind(Kind),
    /// A kind promoted to.
    Promotion(Kind),
    /// The branch of an `either` that has a label, by its place among the labels of the game.
    Label(u16),
    Pass,
    Swap,
    /// The end of an `in steps`; written only in plies.
    Stop,
    /// What chance has chosen; of blocks the number of the block, from 1.
    Chance(Box<Written>),
}

/// How likely chance makes a choice, as a fraction in its lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probability {
    pub weight: u64,
    pub of: u64,
}

impl Probability {
    pub const ONE: Probability = Probability { weight: 1, of: 1 };

    /// The probability of both, the second being that behind the first. `None`: it has no fraction
    /// of 64-bit numbers.
    pub fn and(self, weight: u64, of: u64) -> Option<Probability> {
        let (across, down) = (gcd(self.weight, of).max(1), gcd(weight, self.of).max(1));
        let weight = (self.weight / across).checked_mul(weight / down)?;
        let of = (self.of / down).checked_mul(of / across)?;
        let common = gcd(weight, of).max(1);
        Some(Probability { weight: weight / common, of: of / common })
    }

    pub fn value(self) -> f64 {
        self.weight as f64 / self.of as f64
    }
}

impl std::fmt::Display for Probability {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.of == 1 { write!(f, "{}", self.weight) } else { write!(f, "{}/{}", self.weight, self.of) }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Empty: a draw.
    pub winners: PlayerSet,
    /// The place in `Game::end` of what decided it.
    pub by: usize,
}

impl Outcome {
    pub fn is_draw(&self) -> bool {
        self.winners.is_empty()
    }

    /// 1 for a win, 0 for a loss, one half for a draw.
    pub fn payoff(&self, player: Player) -> f64 {
        match self.winners {
            winners if winners.is_empty() => 0.5,
            winners if winners.contains(player) => 1.0,
            _ => 0.0,
        }
    }
}

/// Whole numbers of 64 bits; quotients and rests are rounded down.
///
/// # Errors
/// What does not fit, or division by zero.
pub fn calculate(operation: Arithmetic, a: i64, b: i64) -> Result<i64, FaultKind> {
    if b == 0 && matches!(operation, Arithmetic::Divide | Arithmetic::Modulo) {
        return Err(FaultKind::DivisionByZero);
    }
    let result = match operation {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        // Down, not towards zero: one less if there is a rest and the signs differ.
        Arithmetic::Divide => a.checked_div(b).map(|q| if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }),
        // The least number over -1 overflows as a quotient only: its rest is 0.
        Arithmetic::Modulo => Some(a.wrapping_rem(b)).map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r }),
    };
    result.ok_or(FaultKind::Overflow)
}
