//! Line facts: what was chosen goes in; which rows it cannot have completed comes out.
//!
//! [`TreeOp::LineCompletions`] finds the cells that complete a row. Who chooses another cell, and puts a man
//! there and nowhere else, has no row through it, so a condition that asks for one does not hold.

use rustc_hash::FxHashMap as HashMap;
use smallvec::SmallVec;

use crate::plan::analysis::count_bound::state::Known;
use crate::plan::bitboard::{BitboardLayout, Bits};
use crate::plan::op::TreeOp;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Away, Completion, Plan};

impl Away {
    /// The step that an operation makes from a cell.
    pub fn of(op: &TreeOp) -> Option<(SetReg, SetReg, Away)> {
        match *op {
            TreeOp::MaskedShift { d, a, hop } => Some((d, a, Away::Hop(hop))),
            TreeOp::Shift { d, a, dir } => Some((d, a, Away::Dir(dir))),
            _ => None,
        }
    }

    /// Whether a row holds both a cell and the one that the man comes from to there.
    fn leaves(self, grid: &BitboardLayout, row: &Bits, cell: usize) -> bool {
        let hops = match &self {
            Away::Hop(hop) => std::slice::from_ref(hop),
            Away::Dir(dir) => grid.dirs[usize::from(*dir)].as_slice(),
        };
        let held = |hop: &u16| {
            let hop = &grid.hops[usize::from(*hop)];
            hop.from.contains(cell) && row.contains(cell.wrapping_add_signed(hop.by as isize))
        };
        hops.iter().any(held)
    }

    /// The cells to which a man comes so.
    fn to(self, grid: &BitboardLayout) -> Bits {
        match self {
            Away::Hop(hop) => grid.hops[usize::from(hop)].from,
            Away::Dir(dir) => {
                let hops = grid.dirs[usize::from(dir)].iter();
                hops.fold(Bits::default(), |all, &hop| all.zip(&grid.hops[usize::from(hop)].from, |a, b| a | b))
            }
        }
    }
}

impl Completion {
    /// By a man who comes from where that does not matter, or so.
    pub fn new(plan: &Plan, list: u16, way: Option<Away>) -> Completion {
        let mut rows: Vec<(Bits, Bits)> = plan.lists[usize::from(list)].iter().map(|row| (*row, *row)).collect();
        if let Some(way) = way {
            // What other cells would complete is not asked.
            let to = way.to(&plan.bitboard);
            for (row, may) in &mut rows {
                *may = Bits::default();
                let completes = |cell: &usize| to.contains(*cell) && !way.leaves(&plan.bitboard, row, *cell);
                row.iter().filter(completes).for_each(|cell| may.insert(cell));
            }
        }
        Completion { list, ways: way.into_iter().collect(), rows }
    }

    /// Takes in another way to come, if both agree on all cells to which a man comes both ways.
    pub fn absorb(&mut self, other: &Completion, grid: &BitboardLayout) -> bool {
        let all = |ways: &[Away]| ways.iter().fold(Bits::default(), |all, way| all.zip(&way.to(grid), |a, b| a | b));
        if self.list != other.list || self.ways.is_empty() || other.ways.is_empty() {
            return *self == *other;
        }
        let (mine, his) = (all(&self.ways), all(&other.ways));
        let both = mine.zip(&his, |a, b| a & b);
        let agree = |((_, a), (_, b)): (&(Bits, Bits), &(Bits, Bits))| {
            a.zip(b, |a, b| a ^ b).zip(&both, |a, b| a & b).is_empty()
        };
        if !self.rows.iter().zip(&other.rows).all(agree) {
            return false;
        }
        for ((_, may), (_, other)) in self.rows.iter_mut().zip(&other.rows) {
            *may = may.zip(other, |a, b| a | b);
        }
        self.ways.extend_from_slice(&other.ways);
        true
    }

    /// Leaves out rows that no cell may complete.
    pub fn close(&mut self) {
        self.rows.retain(|(_, may)| !may.is_empty());
    }
}

/// A cell that was chosen of those that complete no row: which cells would, and the register that
/// the choice put it in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idle {
    pub complete: SetReg,
    pub cell: SetReg,
}

/// What is known of rows at one place of a program.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    complete: SmallVec<[Complete; 1]>,
    /// Sets of rows that have no cells but those from before and one that completes none.
    idle: SmallVec<[(SetReg, Idle); 1]>,
    /// Sets that are a player's men less one of them: the set, his men, and whom.
    less: SmallVec<[(SetReg, SetReg, SetReg); 1]>,
}

/// The cells that complete rows of a list in a player's men; since then he has had no more men but
/// on a cell that completes none.
#[derive(Clone, Copy, Debug)]
struct Complete {
    cells: SetReg,
    men: SetReg,
    how: u16,
    /// Less this man, who is to move; nobody once he has moved.
    less: Option<SetReg>,
    /// The cell that got a man since.
    by: Option<Idle>,
}

impl Rows {
    /// The set tells what completes rows.
    pub fn tells(&self, cells: SetReg) -> bool {
        self.complete.iter().any(|known| known.cells == cells)
    }

    /// It matters from where men come.
    pub fn ask_ways(&self, plan: &Plan) -> bool {
        self.complete.iter().any(|known| !plan.completions[usize::from(known.how)].ways.is_empty())
    }

    /// Takes in what an operation does; `sets` tells what is known of registers before it.
    pub fn pass(&mut self, op: &TreeOp, plan: &Plan, sets: &HashMap<SetReg, Known>) {
        let owners = &plan.layout.of;
        let idle = |reg: SetReg| sets.get(&reg).and_then(|known| known.idle);
        op.accesses(|access| match access {
            Access::DefSet(d) => {
                self.idle.retain(|(rows, known)| *rows != d && known.complete != d);
                self.complete.retain(|known| known.cells != d && known.less != Some(d));
                self.less.retain(|(set, men, who)| ![*set, *men, *who].contains(&d));
            }
            Access::Pieces => self.less.clear(),
            _ => {}
        });
        match *op {
            TreeOp::LineCompletions { d, a, how } => {
                if owners.contains(&a) {
                    self.complete.push(Complete { cells: d, men: a, how, less: None, by: None });
                } else if let Some(&(_, men, who)) = self.less.iter().find(|(set, ..)| *set == a) {
                    self.complete.push(Complete { cells: d, men, how, less: Some(who), by: None });
                }
            }
            TreeOp::FullLines { d, a, list } => {
                let same = |known: &&Complete| known.men == a && plan.completions[usize::from(known.how)].list == list;
                let by = self.complete.iter().filter(same).find_map(|known| known.by);
                self.idle.extend(by.map(|by| (d, by)));
            }
            TreeOp::AndNot { d, a, b } if d != a && d != b && owners.contains(&a) => self.less.push((d, a, b)),
            TreeOp::Or { d, a, b } if d == a => {
                self.grow(|known| known.men == d, idle(b), |known, ways| known.less.is_none() && ways.is_empty(), plan);
            }
            TreeOp::And { d, a, .. } | TreeOp::AndNot { d, a, .. } if d == a => {}
            TreeOp::RemovePieces { .. } => {}
            TreeOp::MovePiece { from, to, .. } => {
                let way = sets.get(&from).and_then(|known| known.stepped).filter(|(by, _)| *by == to);
                let comes = |known: &Complete, ways: &[Away]| {
                    known.less.is_none_or(|who| who == from)
                        && (ways.is_empty() || way.is_some_and(|(_, way)| ways.contains(&way)))
                };
                self.grow(|_| true, idle(to), comes, plan);
            }
            ref op => op.accesses(|access| match access {
                Access::Pieces => self.complete.clear(),
                Access::DefSet(d) => self.complete.retain(|known| known.men != d),
                _ => {}
            }),
        }
    }

    /// Some players have men on one more cell; whether the one who comes does so as a completion
    /// takes for granted.
    fn grow(
        &mut self,
        whose: impl Fn(&Complete) -> bool,
        by: Option<Idle>,
        comes: impl Fn(&Complete, &[Away]) -> bool,
        plan: &Plan,
    ) {
        self.complete.retain(|known| {
            if !whose(known) {
                return true;
            }
            let fits = by.filter(|by| match known.by {
                Some(before) => before == *by,
                None => by.complete == known.cells && comes(known, &plan.completions[usize::from(known.how)].ways),
            });
            (known.by, known.less) = (fits, None);
            fits.is_some()
        });
    }

    /// The truth that an operation computes, if it is known not to hold.
    pub fn never(&self, op: &TreeOp, idle: impl Fn(SetReg) -> Option<Idle>) -> Option<NumReg> {
        let apart = |cell: SetReg, rows: SetReg| idle(cell).is_some_and(|idle| self.idle.contains(&(rows, idle)));
        match *op {
            TreeOp::NonEmptySubset { d, a, b } if apart(a, b) => Some(d),
            TreeOp::Intersects { d, a, b } if apart(a, b) || apart(b, a) => Some(d),
            _ => None,
        }
    }
}
