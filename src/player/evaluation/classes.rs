//! Classes of cells: a board and the players' directions go in; which cells are alike, each player
//! seeing the board from his own side, comes out.
//!
//! Colour refinement (B. Weisfeiler, A. Leman, 1968): cells are told apart by their neighbours, their
//! neighbours' neighbours and so on, until no more can be told apart. On a square board of 8 by 8
//! that leaves ten classes, or 32 where rows count from a player's side.

use std::collections::BTreeMap;

use crate::board::{Cell, Dir, Topology};

/// For each player, the class of each cell; and how many classes there are.
pub struct Classes {
    pub of: Vec<Vec<u16>>,
    /// The first cell of each class, seen by the first player.
    pub first: Vec<Cell>,
}

impl Classes {
    pub fn new(topology: &Topology, forwards: &[Option<Dir>]) -> Classes {
        let row = |cell: Cell, forward: &Option<Dir>| forward.map_or(0, |forward| topology.row(cell, forward));
        let mut of: Vec<Vec<u16>> = number(forwards.iter().map(|forward| {
            topology.cells().map(|cell| (topology.exits(cell).len() as i64, row(cell, forward))).collect()
        }));
        loop {
            let refined = number(of.iter().map(|classes| {
                let class = |cell: Cell| classes.get(cell.index()).copied().unwrap_or_default();
                topology
                    .cells()
                    .map(|cell| {
                        let mut around: Vec<u16> = topology.exits(cell).iter().map(|(_, to)| class(*to)).collect();
                        around.sort_unstable();
                        (class(cell), around)
                    })
                    .collect()
            }));
            let is_done = count(&refined) == count(&of);
            of = refined;
            if is_done {
                break;
            }
        }
        let mut first: Vec<Option<Cell>> = vec![None; count(&of)];
        for classes in &of {
            for (cell, class) in topology.cells().zip(classes) {
                first[usize::from(*class)].get_or_insert(cell);
            }
        }
        Classes { of, first: first.into_iter().flatten().collect() }
    }
}

fn count(of: &[Vec<u16>]) -> usize {
    of.iter().flatten().max().map_or(0, |most| usize::from(*most) + 1)
}

/// The same numbers for the same marks, whoever sees them.
fn number<T: Ord>(marks: impl Iterator<Item = Vec<T>>) -> Vec<Vec<u16>> {
    let marks: Vec<Vec<T>> = marks.collect();
    let mut numbers: BTreeMap<&T, u16> = marks.iter().flatten().map(|mark| (mark, 0)).collect();
    numbers.values_mut().zip(0..).for_each(|(number, at)| *number = at);
    marks.iter().map(|marks| marks.iter().filter_map(|mark| numbers.get(mark).copied()).collect()).collect()
}
