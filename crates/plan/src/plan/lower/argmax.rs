//! Argmax lowering: a line `most` goes in; operations come out that leave the run's value in a
//! register, by which the greatest stay.
//!
//! A run leaves its value in a register that all programs share; who goes through the runs of a
//! turn looks at it when they are complete. That tells what runs compete only where all runs of the
//! turn do: the `first` around the line, if there is one, stands before all choices since chance has
//! chosen, and there is one such line for the whole turn.

use crate::model::{Chooser, Number, Statement};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Lowered, unplanned};
use crate::plan::op::TreeOp;
use crate::plan::tree::Argmax;

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Place {
    /// Something may have been chosen before.
    chosen: bool,
    /// It may be met several times.
    again: bool,
    /// All runs of the turn that meet a line here share the start of the nearest `first`.
    shared: bool,
}

impl<'g> Lowering<'g> {
    /// Makes sure that all runs of a turn which have a value compete with each other.
    pub fn expect_one_contest(&self, program: &'g [Statement]) -> Lowered<()> {
        if self.contest.is_none() {
            return Ok(());
        }
        let start = Place { chosen: false, again: false, shared: true };
        let lines = self.lines(program, start)?;
        if lines > 1 { unplanned("several `most` in a turn") } else { Ok(()) }
    }

    /// How many `most` the runs of one turn may meet, at most: of a `first` they meet one block.
    fn lines(&self, program: &'g [Statement], mut place: Place) -> Lowered<u32> {
        let mut lines = 0;
        for statement in program {
            let inner = |block, place| self.lines(self.game.block(block), place);
            match statement {
                Statement::Most { .. } if place.again => return unplanned("`most` in rounds"),
                Statement::Most { .. } if !place.shared => return unplanned("`most` in a `first` behind a choice"),
                Statement::Most { .. } => lines += 1,
                Statement::First { blocks, .. } => {
                    let within = Place { shared: !place.chosen && !place.again, ..place };
                    let mut most = 0;
                    for (block, _) in blocks {
                        most = most.max(inner(*block, within)?);
                    }
                    lines += most;
                }
                Statement::Either { blocks, .. } => {
                    for (block, _) in blocks {
                        lines += inner(*block, Place { chosen: true, ..place })?;
                    }
                }
                Statement::If { then, otherwise, .. } => {
                    lines += inner(then.0, place)?;
                    if let Some((block, _)) = otherwise {
                        lines += inner(*block, place)?;
                    }
                }
                Statement::Repeat { body, .. } | Statement::ForEach { body, .. } => {
                    lines += inner(*body, Place { chosen: true, again: true, ..place })?;
                }
                Statement::Block(block) => lines += inner(*block, place)?,
                _ => {}
            }
            place.chosen = match statement {
                // The turn is suspended there: what follows begins anew, with what chance has chosen.
                Statement::Pick { chooser: Chooser::Chance, .. } => false,
                Statement::Assign { .. }
                | Statement::Remember { .. }
                | Statement::Need { .. }
                | Statement::Most { .. } => place.chosen,
                _ => true,
            };
        }
        Ok(lines)
    }

    /// The run has this value.
    pub fn most(&mut self, value: &'g Number) -> Lowered<()> {
        let value = self.number(value)?;
        let a = self.num(value);
        if let Some(Argmax { value: d }) = self.contest {
            self.emit(TreeOp::CopyNum { d, a });
        }
        Ok(())
    }
}
