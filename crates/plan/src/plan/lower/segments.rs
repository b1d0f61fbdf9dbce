//! Segment lowering: a pick of rows goes in; an arm for each direction and length comes out, which
//! offers the cells that rows so long begin on.

use crate::board::{Axis, Cell, Dir};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Lowered, Num, Rows, unplanned};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::{Arm, Node, Options};

impl Lowering<'_> {
    /// The arms of a pick of rows, the register that holds the row picked, and a number that tells
    /// whether there are several.
    pub fn row_arms(&mut self, rows: Rows) -> Lowered<(Vec<Arm>, SetReg, NumReg)> {
        let lengths = self.lengths(rows)?;
        let (cell, row) = (self.fresh.set(), self.fresh.set());
        let facts = self.facts(Cells::In(rows.of));
        self.record_facts(Cells::In(row), facts);
        // A longer row has two of the shortest.
        let (mut arms, mut some, mut several) = (Vec::new(), Num::Fixed(0), Num::Fixed(0));
        for (from, dir, longest) in lengths {
            let back = self.game.topology.opposite(dir).0;
            let (mut begin, mut nodes, mut last) =
                (Cells::In(rows.of), vec![Node::Op(TreeOp::Copy { d: row, a: cell })], cell);
            for length in 1..=longest {
                if length > 1 {
                    let next = self.shift(begin, back);
                    begin = self.and(next, Cells::In(rows.of));
                    let d = self.fresh.set();
                    nodes.push(Node::Op(TreeOp::Shift { d, a: last, dir: dir.0 }));
                    nodes.push(Node::Op(TreeOp::Or { d: row, a: row, b: d }));
                    last = d;
                }
                if length >= from {
                    let of = self.reg(begin);
                    arms.push(Arm::new(Options::Cells { of, cell }, nodes.clone(), format!("rows of {length}")));
                }
                if length == from {
                    let (a, here) = (self.reg(begin), self.some_cells(begin));
                    let count = Num::In(self.number_op(|d| TreeOp::Popcount { d, a }));
                    let (many, also) = (self.compare_nums(Cmp::Greater, count, Num::Fixed(1)), self.both(some, here));
                    several = self.either(several, many);
                    several = self.either(several, also);
                    some = self.either(some, here);
                }
            }
        }
        Ok((arms, row, self.num(several)))
    }

    /// By the first direction of each axis: how long its rows are, at least and at most. Each row
    /// is told apart by its direction, first cell and length; a single cell is one row, whatever
    /// lines go through it.
    fn lengths(&self, rows: Rows) -> Lowered<Vec<(i64, Dir, i64)>> {
        let topology = &self.game.topology;
        let mut axes: Vec<Axis> =
            crate::plan::lower::set::each_bit(rows.dirs as i64).map(|dir| topology.axis(Dir(dir as u16))).collect();
        axes.sort_unstable();
        axes.dedup();
        let (mut lengths, mut all) = (Vec::new(), 0);
        for (at, axis) in axes.iter().enumerate() {
            let [dir, _] = topology.directions_of(*axis);
            let (from, mut longest) = (if at == 0 { rows.from } else { rows.from.max(2) }, 0);
            for cell in topology.any().iter() {
                let cells = (1 + self.steps_from(cell, dir)).min(rows.to);
                longest = longest.max(cells);
                all += (cells - from + 1).max(0) as usize;
            }
            lengths.push((from, dir, longest));
        }
        let along = axes.iter().flat_map(|axis| topology.directions_of(*axis)).collect();
        if topology.segments(&topology.any(), &along, rows.from, rows.to).len() != all {
            return unplanned("a pick of rows that are the same in several directions");
        }
        Ok(lengths)
    }

    /// How far a line goes on from a cell; as far as the board has cells, if it comes back.
    fn steps_from(&self, cell: Cell, dir: Dir) -> i64 {
        let topology = &self.game.topology;
        let most = topology.any().len();
        std::iter::successors(topology.step(cell, dir), |&at| topology.step(at, dir)).take(most).count() as i64
    }
}
