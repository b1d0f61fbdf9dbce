//! Dilation kernel: steps in several directions go in; rounds of fewer steps come out that lead to the same cells.
//!
//! The eight neighbours of a cell, and the cell itself, are what a step to both sides and then one up or down lead to: four
//! steps in place of eight. Mathematical morphology calls this the decomposition of a structuring element.

use crate::simd::Simd;
use crate::simt::kernels::algebra::{Step, or, union};
use crate::simt::registers::Cells;

/// Steps whose cells are come to in two rounds, or in one.
#[derive(Debug, Default)]
pub struct Dilation<const W: usize> {
    pub rounds: Vec<Vec<Step<W>>>,
}

impl<const W: usize> Dilation<W> {
    pub fn new(steps: &[Step<W>]) -> Dilation<W> {
        let rounds = decomposed(steps).map_or_else(|| vec![steps.to_vec()], Vec::from);
        Dilation { rounds }
    }

    /// A set and what its steps lead to.
    #[inline(always)]
    pub fn of<V: Simd>(&self, v: V, a: &Cells<V, W>) -> Cells<V, W> {
        let mut all = *a;
        for round in &self.rounds {
            all = or(v, &all, &union(v, round, &all));
        }
        all
    }
}

/// Two rounds of two opposite steps each, if they do what eight steps do at every cell.
fn decomposed<const W: usize>(steps: &[Step<W>]) -> Option<[Vec<Step<W>>; 2]> {
    let mut axes = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let opposite = steps[at + 1..].iter().find(|other| **other == step.back());
        axes.extend(opposite.map(|other| vec![*step, *other]));
    }
    if steps.len() != 8 || axes.len() != 4 {
        return None;
    }
    let does_the_same = |first: &Vec<Step<W>>, second: &Vec<Step<W>>| {
        (0..64 * W).all(|cell| dilated(&dilated(&[cell], first), second) == dilated(&[cell], steps))
    };
    let pairs = axes.iter().flat_map(|first| axes.iter().map(move |second| (first, second)));
    pairs
        .filter(|(first, second)| does_the_same(first, second))
        .map(|(first, second)| [first.clone(), second.clone()])
        .next()
}

/// Cells and what steps from them lead to, in order.
fn dilated<const W: usize>(cells: &[usize], steps: &[Step<W>]) -> Vec<usize> {
    let goes = |cell: usize, step: &Step<W>| step.from[cell / 64] >> (cell % 64) & 1 == 1;
    let from = |cell: usize| steps.iter().filter(move |step| goes(cell, step)).map(move |step| cell as i32 + step.by);
    let mut all: Vec<usize> = cells.to_vec();
    all.extend(cells.iter().flat_map(|&cell| from(cell)).map(|cell| cell as usize));
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use crate::board::{Shape, Topology};
    use crate::plan::BitboardLayout;
    use crate::simd::Plain;
    use crate::simt::kernels::dilation::*;

    /// How many rounds the steps in all directions of a board take, which do what the steps do one by one.
    fn rounds<const W: usize>(shape: Shape) -> usize {
        let board = Topology::new(shape).expect("within the limits");
        let grid = BitboardLayout::new(&board, true);
        let steps: Vec<Step<W>> = grid.hops.iter().map(Step::new).collect();
        let dilation = Dilation::new(&steps);
        for cell in board.cells().map(|cell| grid.bit(cell)) {
            let mut set = [[0; 8]; W];
            set[cell / 64] = [1 << (cell % 64); 8];
            let at_once = or(Plain, &set, &union(Plain, &steps, &set));
            assert_eq!(dilation.of(Plain, &set), at_once, "{cell}");
        }
        dilation.rounds.len()
    }

    #[test]
    fn eight_steps_are_two_rounds_of_two() {
        assert_eq!((rounds::<1>(Shape::square(8, 8)), rounds::<2>(Shape::square(9, 10))), (2, 2));
        // Six steps of a hexagon have no two axes.
        assert_eq!(rounds::<2>(Shape::Hexagon { side: 5 }), 1);
    }
}
