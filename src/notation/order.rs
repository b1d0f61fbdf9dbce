//! Move order: the choices of two moves go in; which of them stands first in a list comes out.

use std::cmp::Ordering;

use crate::board::CellSet;
use crate::position::Written;

/// What the order of moves goes by: cells in board order, and numbers as they are.
fn rank(written: &Written) -> (i64, u8) {
    let first = |cells: &CellSet| cells.min().map_or(-1, |cell| i64::from(cell.0));
    match written {
        Written::Cell(cell) => (i64::from(cell.0), 0),
        Written::Landing { cell, captures, .. } => (i64::from(cell.0), 1 + u8::from(*captures)),
        Written::Combination(cells) => (first(cells), 3),
        Written::Group(cells) => (first(cells), 4),
        Written::Number(number) => (*number, 5),
        Written::Dir(dir) => (i64::from(dir.0), 6),
        Written::Axis(axis) => (i64::from(axis.0), 7),
        Written::Kind(kind) => (i64::from(kind.0), 8),
        Written::Promotion(kind) => (i64::from(kind.0), 9),
        Written::Pass => (i64::MAX, 10),
        Written::Swap => (i64::MAX, 11),
        Written::Stop => (i64::MAX, 12),
        Written::Chance(chosen) => rank(chosen),
        Written::Label(label) => (i64::from(*label), 13),
    }
}

fn compare(one: &Written, other: &Written) -> Ordering {
    rank(one).cmp(&rank(other)).then_with(|| match (one, other) {
        (Written::Combination(one), Written::Combination(other)) | (Written::Group(one), Written::Group(other)) => {
            one.iter().cmp(other.iter())
        }
        (Written::Landing { sign: one, .. }, Written::Landing { sign: other, .. }) => one.cmp(other),
        (Written::Chance(one), Written::Chance(other)) => compare(one, other),
        _ => Ordering::Equal,
    })
}

/// The order of moves: choice by choice.
pub(crate) fn order(one: &[Written], other: &[Written]) -> Ordering {
    let mut both = one.iter().zip(other);
    let differ = both.find_map(|(one, other)| Some(compare(one, other)).filter(|order| order.is_ne()));
    differ.unwrap_or_else(|| one.len().cmp(&other.len()))
}

/// The first four choices, 32 bits each, as one number. Where the numbers of two moves differ, they order the
/// moves; where they are equal, only [`order`] tells.
pub(crate) fn order_key(written: &[Written]) -> u128 {
    /// What is added to numbers, and the most that comes of it: 24 bits.
    const ZERO: i64 = 1 << 23;
    const MOST: i64 = (1 << 24) - 1;
    let mut choices = written.iter();
    let (mut key, mut is_told) = (0, true);
    for _ in 0..4 {
        key <<= 32;
        let Some(choice) = choices.next().filter(|_| is_told) else { continue };
        let choice = if let Written::Chance(chosen) = choice { chosen } else { choice };
        let (value, kind) = rank(choice);
        let has_sign = matches!(choice, Written::Landing { sign: Some(_), .. });
        let number = value.saturating_add(ZERO).clamp(0, MOST);
        key |= (number as u128) << 8 | u128::from(kind) << 1 | u128::from(has_sign);
        // Where the key does not tell two choices apart that differ, it may not compare what stands behind them.
        is_told = match choice {
            Written::Combination(_) | Written::Group(_) => false,
            Written::Number(_) => 0 < number && number < MOST,
            _ => !has_sign,
        };
    }
    key
}
