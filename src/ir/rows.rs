//! What an analysis knows of rows that a choice may complete.
//!
//! [`Op::Complete`] finds the cells that complete a row. Who chooses another cell, and puts a man there and nowhere else, has no row through
//! it, so a condition that asks for one does not hold.

use smallvec::SmallVec;

use super::{Access, N, Op, S};

/// A cell that was chosen of those that complete no row: which cells would, and the register that the choice put it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Idle {
    pub(super) complete: S,
    pub(super) cell: S,
}

/// What is known of rows at one place of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    complete: SmallVec<[Complete; 1]>,
    /// Sets of rows that have no cells but those from before and one that completes none.
    idle: SmallVec<[(S, Idle); 1]>,
}

/// The cells that complete rows of a list in a player's men; since then he has had no more men but on a cell that completes none.
#[derive(Clone, Copy, Debug)]
struct Complete {
    cells: S,
    men: S,
    list: u16,
    by: Option<Idle>,
}

impl Rows {
    /// The set tells what completes rows.
    pub(super) fn tells(&self, cells: S) -> bool {
        self.complete.iter().any(|known| known.cells == cells)
    }

    /// Takes in what an operation does; `idle` tells what is known of the set of a register.
    pub(super) fn pass(&mut self, op: &Op, owners: &[S], idle: impl Fn(S) -> Option<Idle>) {
        op.accesses(|access| {
            if let Access::WriteSet(d) = access {
                self.idle.retain(|(rows, known)| *rows != d && known.complete != d);
                self.complete.retain(|known| known.cells != d);
            }
        });
        match *op {
            Op::Complete { d, a, list } => {
                if owners.contains(&a) {
                    self.complete.push(Complete { cells: d, men: a, list, by: None });
                }
            }
            Op::Rows { d, a, list } => {
                let known = self.complete.iter().find(|known| known.men == a && known.list == list);
                self.idle.extend(known.and_then(|known| known.by).map(|by| (d, by)));
            }
            Op::Or { d, a, b } if d == a => self.grow(|men| men == d, idle(b)),
            Op::And { d, a, .. } | Op::Without { d, a, .. } if d == a => {}
            Op::Clear { .. } => {}
            Op::Carry { to, .. } => self.grow(|_| true, idle(to)),
            ref op => op.accesses(|access| match access {
                Access::Men => self.complete.clear(),
                Access::WriteSet(d) => self.complete.retain(|known| known.men != d),
                _ => {}
            }),
        }
    }

    /// Some players have men on one more cell.
    fn grow(&mut self, whose: impl Fn(S) -> bool, by: Option<Idle>) {
        self.complete.retain(|known| {
            if !whose(known.men) {
                return true;
            }
            let fits = by.filter(|by| by.complete == known.cells && known.by.is_none_or(|before| before == *by));
            known.by = fits;
            fits.is_some()
        });
    }

    /// The truth that an operation computes, if it is known not to hold.
    pub(super) fn never(&self, op: &Op, idle: impl Fn(S) -> Option<Idle>) -> Option<N> {
        let apart = |cell: S, rows: S| idle(cell).is_some_and(|idle| self.idle.contains(&(rows, idle)));
        match *op {
            Op::Within { d, a, b } if apart(a, b) => Some(d),
            Op::Meet { d, a, b } if apart(a, b) || apart(b, a) => Some(d),
            _ => None,
        }
    }
}
