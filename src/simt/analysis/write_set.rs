//! The steps of a turn go in; which of the registers that last from turn to turn they may change comes out.

use crate::plan::{Access, Linked, N, Op, Options, S};
use crate::simt::lower::{Along, Step};

/// Registers of both kinds, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub sets: Vec<usize>,
    pub numbers: Vec<usize>,
}

impl Changes {
    /// Of the steps of a turn, of so many shared registers; `men`: those that hold men and what goes with them.
    pub fn of<'a>(
        steps: impl IntoIterator<Item = &'a Step>,
        (linked, along): (&Linked, &[Along]),
        shared: (u16, u16),
        men: &[usize],
    ) -> Changes {
        let mut changes = Changes::default();
        for step in steps {
            changes.take_in(step, linked, along, men);
        }
        changes.sets.retain(|reg| *reg < usize::from(shared.0));
        changes.numbers.retain(|reg| *reg < usize::from(shared.1));
        for regs in [&mut changes.sets, &mut changes.numbers] {
            regs.sort_unstable();
            regs.dedup();
        }
        changes
    }

    fn take_in(&mut self, step: &Step, linked: &Linked, along: &[Along], men: &[usize]) {
        match step {
            Step::Do { op, .. } | Step::Look { op, .. } | Step::Seldom { op } => self.take_op(op, men),
            Step::Again { op, .. } | Step::Next { op, .. } => self.take_op(op, men),
            Step::Refill { d, .. } => self.take_set(*d),
            Step::Along { index } => self.take_set(along[*index as usize].d),
            Step::Choose { point, .. } | Step::Enter { point, .. } => {
                linked.points[*point as usize].arms.iter().for_each(|arm| self.take_chosen(arm.options));
            }
            Step::If { .. } | Step::Else { .. } | Step::Join | Step::Rounds | Step::Back { .. } | Step::Fork { .. } => {}
            Step::Way { .. } | Step::Chosen | Step::Split { .. } | Step::Try { .. } | Step::Tried | Step::Met => {}
            // Code is made when all this is known.
            Step::Native { .. } => {}
            Step::Need { .. } | Step::Last | Step::Fail | Step::End { .. } => {}
        }
    }

    fn take_op(&mut self, op: &Op, men: &[usize]) {
        op.accesses(|access| match access {
            Access::WriteSet(reg) => self.take_set(reg),
            Access::Write(reg) => self.take_number(reg),
            Access::Men => self.sets.extend_from_slice(men),
            Access::ReadSet(_) | Access::Read(_) | Access::Position => {}
        });
    }

    fn take_chosen(&mut self, options: Options) {
        match options {
            Options::Cells { cell, .. } => self.take_set(cell),
            Options::Pairs { pair, .. } => self.take_set(pair),
            Options::Groups { group, .. } => self.take_set(group),
            Options::Range { number, .. } => self.take_number(number),
            Options::Bits { bit, .. } => self.take_number(bit),
            Options::One { .. } => {}
        }
    }

    fn take_set(&mut self, S(reg): S) {
        self.sets.push(usize::from(reg));
    }

    fn take_number(&mut self, N(reg): N) {
        self.numbers.push(usize::from(reg));
    }
}

#[cfg(test)]
mod tests {
    use crate::simt::analysis::write_set::*;

    #[test]
    fn what_a_turn_writes_of_what_lasts_is_kept() {
        let act = |op| Step::Do { op, blend: true, loses: false };
        let steps = [
            act(Op::Or { d: S(2), a: S(2), b: S(7) }),
            act(Op::Or { d: S(9), a: S(2), b: S(7) }),
            act(Op::Clear { cells: S(9), only: None }),
            act(Op::Number { d: N(3), k: 1 }),
            act(Op::Number { d: N(8), k: 1 }),
            Step::Refill { d: S(4), a: S(9), trail: 0, runs: S(5), ways: Default::default(), blend: false },
        ];
        let linked = Linked::default();
        let changes = Changes::of(&steps, (&linked, &[]), (6, 4), &[0, 1, 2]);
        assert_eq!(changes, Changes { sets: vec![0, 1, 2, 4], numbers: vec![3] });
    }
}
