//! Argmax lowering: a line `most` goes in; operations come out that leave the run's value in a register or in a log, by which
//! the greatest stay.
//!
//! Where all runs of a turn that have a value are in one contest, a run leaves its value in a register that all programs
//! share; who goes through the runs of a turn looks at it when they are complete. Otherwise a run keeps a log of the contests
//! it has come into, and of its values in them.
//!
//! Where turns fall into plies, a run that suspends the turn has the greatest value that its continuations can come to. So the
//! runs of each ply that stay are those of the greatest value, too.

use crate::model::{BlockId, Number};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::Lowered;
use crate::plan::op::TreeOp;
use crate::plan::tree::Argmax;

impl<'g> Lowering<'g> {
    /// A turn begins that falls into plies, and with it its contest. Continuations go on with it.
    pub fn open_plies(&mut self) {
        if let Some(Argmax::InPlies { value, best }) = self.argmax {
            [value, best].into_iter().for_each(|d| self.emit(TreeOp::Const { d, k: Argmax::NONE }));
        }
    }

    /// A turn begins, or a continuation behind chance, and with it the contest of the whole turn.
    pub fn open_turn(&mut self) {
        match self.argmax {
            Some(Argmax::Register(d)) => self.emit(TreeOp::Const { d, k: Argmax::NONE }),
            Some(Argmax::Logged) => self.emit(TreeOp::OpenContest { contest: 0 }),
            Some(Argmax::InPlies { .. }) | None => {}
        }
    }

    /// A `first` begins, by its first block, and with it a contest if there is a line `most` within.
    pub fn open_contest(&mut self, block: BlockId) {
        if self.argmax == Some(Argmax::Logged)
            && let Some(&contest) = self.contests.begun.get(&block)
            && self.contests.lines.values().any(|of| *of == contest)
        {
            self.emit(TreeOp::OpenContest { contest });
        }
    }

    /// The run has this value by the line of a number.
    pub fn most(&mut self, value: &'g Number, line: u16) -> Lowered<()> {
        let value = self.number(value)?;
        let a = self.num(value);
        match self.argmax {
            Some(Argmax::Register(d) | Argmax::InPlies { value: d, .. }) => self.emit(TreeOp::CopyNum { d, a }),
            Some(Argmax::Logged) => {
                let contest = self.contests.lines.get(&line).copied().unwrap_or(0);
                self.emit(TreeOp::Contend { a, contest, line });
            }
            None => {}
        }
        Ok(())
    }
}
