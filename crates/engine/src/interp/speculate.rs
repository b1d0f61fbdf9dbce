//! Speculation: while a game is played on, `end` assumes that the next player can move. That
//! player's turn shows whether it was right; it costs nothing to find out so.
//!
//! If he cannot, or only passes, the turn is taken back, and the outcomes are asked once more, of
//! the position before it, with the answer. An outcome that holds is asked again at once, as one
//! that stands before it may hold with the answer.

use crate::interp::state::program::Program;
use crate::interp::state::vm::Vm;
use crate::plan::REGISTERS;

impl<const W: usize> Vm<W> {
    /// Keeps the position if the turn of a seat that begins now may have to be taken back.
    #[inline(always)]
    pub fn save_checkpoint_if_needed(&mut self, program: &Program<W>, spoils: bool) {
        let rests = self.turn.speculation.rests.is_some() && program.has_pass;
        if spoils || rests {
            self.save_checkpoint(program);
        } else {
            self.drop_checkpoint();
        }
    }

    #[inline(always)]
    pub fn drop_checkpoint(&mut self) {
        self.checkpoint.is_kept = false;
    }

    #[inline(never)]
    pub fn save_checkpoint(&mut self, program: &Program<W>) {
        // What `end` asks of the turn before is kept with the position: the turn at hand begins with words of its own.
        let ((sets, numbers), checkpoint) = (program.shared_regs, &mut self.checkpoint);
        // A few registers, of narrow sets by fours: loops do that at once.
        let at_once = if W <= 2 { 4 } else { 1 };
        for reg in 0..sets.next_multiple_of(at_once).min(REGISTERS) {
            checkpoint.sets[reg] = self.sets[reg];
        }
        for reg in 0..numbers.next_multiple_of(4).min(REGISTERS) {
            checkpoint.numbers[reg] = self.numbers[reg];
        }
        checkpoint.rng.clone_from(&self.sampler.rng);
        checkpoint.is_kept = true;
    }

    /// Takes the turn back, if the position was kept.
    pub fn roll_back(&mut self, program: &Program<W>) {
        let ((sets, numbers), checkpoint) = (program.shared_regs, &self.checkpoint);
        if checkpoint.is_kept {
            self.sets[..sets].copy_from_slice(&checkpoint.sets[..sets]);
            self.numbers[..numbers].copy_from_slice(&checkpoint.numbers[..numbers]);
            self.sampler.rng.clone_from(&checkpoint.rng);
        }
    }

    /// The run that is complete does not show that its player can move, which was taken for
    /// granted.
    #[inline(always)]
    pub fn speculation_failed(&self) -> bool {
        self.turn.speculation.rests.is_some() && self.turn.flags.passed && !self.turn.flags.acted
    }
}
