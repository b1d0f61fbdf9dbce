//! Write set: lane code of a turn goes in; which of the registers that last from turn to turn it
//! may change comes out.

use crate::plan::{Access, Code, LinearOp, NumReg, Options, SetReg};
use crate::simt::code::{MergedShift, SimtOp, WriteSet};

impl WriteSet {
    /// Of the steps of a turn, of so many shared registers; `men`: those that hold men and what
    /// goes with them.
    pub fn of<'a>(
        steps: impl IntoIterator<Item = &'a SimtOp>,
        (linked, along): (&Code, &[MergedShift]),
        shared: (u16, u16),
        men: &[usize],
    ) -> WriteSet {
        let mut changes = WriteSet::default();
        for step in steps {
            changes.add_step(step, linked, along, men);
        }
        changes.sets.retain(|reg| *reg < usize::from(shared.0));
        changes.numbers.retain(|reg| *reg < usize::from(shared.1));
        for regs in [&mut changes.sets, &mut changes.numbers] {
            regs.sort_unstable();
            regs.dedup();
        }
        changes
    }

    fn add_step(&mut self, step: &SimtOp, linked: &Code, along: &[MergedShift], men: &[usize]) {
        match step {
            SimtOp::Do { op, .. } | SimtOp::Look { op, .. } => self.add_op(op, men),
            SimtOp::Sparse { op } => self.add_op(&op.op(), men),
            SimtOp::Again { counter, .. } => self.add_number(*counter),
            SimtOp::Next { of, one, .. } => [of, one].into_iter().for_each(|reg| self.add_set(*reg)),
            SimtOp::Refill { d, .. } => self.add_set(*d),
            SimtOp::MergedShift { index } => self.add_set(along[*index as usize].d),
            SimtOp::Choose { point, .. } | SimtOp::Enter { point, .. } => {
                linked.points[*point as usize].arms.iter().for_each(|arm| self.add_chosen(arm.options));
            }
            SimtOp::If { .. }
            | SimtOp::Else { .. }
            | SimtOp::Join
            | SimtOp::Rounds
            | SimtOp::Back { .. }
            | SimtOp::Fork { .. } => {}
            SimtOp::Way { .. }
            | SimtOp::Chosen
            | SimtOp::Split { .. }
            | SimtOp::Try { .. }
            | SimtOp::Tried
            | SimtOp::Met => {}
            // Code is made when all this is known.
            SimtOp::Native { .. } => {}
            SimtOp::Need { .. } | SimtOp::Last | SimtOp::Fail | SimtOp::End { .. } => {}
        }
    }

    fn add_op(&mut self, op: &LinearOp, men: &[usize]) {
        op.accesses(|access| match access {
            Access::DefSet(reg) => self.add_set(reg),
            Access::DefNum(reg) => self.add_number(reg),
            Access::Pieces => self.sets.extend_from_slice(men),
            Access::UseSet(_) | Access::UseNum(_) | Access::Position => {}
        });
    }

    fn add_chosen(&mut self, options: Options) {
        match options {
            Options::Cells { cell, .. } => self.add_set(cell),
            Options::Combinations { cells, .. } => self.add_set(cells),
            Options::Groups { group, .. } => self.add_set(group),
            Options::Range { number, .. } => self.add_number(number),
            Options::Bits { bit, .. } => self.add_number(bit),
            Options::One { .. } => {}
        }
    }

    fn add_set(&mut self, SetReg(reg): SetReg) {
        self.sets.push(usize::from(reg));
    }

    fn add_number(&mut self, NumReg(reg): NumReg) {
        self.numbers.push(usize::from(reg));
    }
}

#[cfg(test)]
mod tests {
    use crate::simt::analysis::write_set::*;

    #[test]
    fn what_a_turn_writes_of_what_lasts_is_kept() {
        let act = |op| SimtOp::Do { op, blend: true, loses: false };
        let steps = [
            act(LinearOp::Or { d: SetReg(2), a: SetReg(2), b: SetReg(7) }),
            act(LinearOp::Or { d: SetReg(9), a: SetReg(2), b: SetReg(7) }),
            act(LinearOp::RemovePieces { cells: SetReg(9), only: None }),
            act(LinearOp::Const { d: NumReg(3), k: 1 }),
            act(LinearOp::Const { d: NumReg(8), k: 1 }),
            SimtOp::Refill {
                d: SetReg(4),
                a: SetReg(9),
                trail: 0,
                runs: SetReg(5),
                ways: Default::default(),
                blend: false,
            },
        ];
        let linked = Code::default();
        let changes = WriteSet::of(&steps, (&linked, &[]), (6, 4), &[0, 1, 2]);
        assert_eq!(changes, WriteSet { sets: vec![0, 1, 2, 4], numbers: vec![3] });
    }
}
