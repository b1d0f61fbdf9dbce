//! What `end` takes for granted while a game is played on: that the player whose turn is next can
//! move. His turn shows whether he can, and mostly he does; it costs nothing to find out so.
//!
//! If he cannot, or only passes, the turn is taken back, and the outcomes are asked once more, of
//! the position before it, with the answer. An outcome that holds is asked again at once, as one
//! that stands before it may hold with the answer.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Player;
use crate::interp::vm::{Program, Sets, Vm};
use crate::plan::REGISTERS;

/// What is taken for granted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Speculation {
    /// The outcomes that are asked now may take for granted that this player can move, who is next.
    next: Option<Player>,
    /// They have.
    pub taken: bool,
    /// After whose turn they did, if the present turn rests on it.
    pub rests: Option<Player>,
}

impl Speculation {
    /// The outcomes are asked after a turn; `next`: who is to move then, if that he can may be
    /// taken for granted.
    pub fn begin(&mut self, next: Option<Player>) {
        (self.next, self.taken) = (next, false);
    }

    /// The outcomes are asked of the player, whether he can move; `true`: that is taken for
    /// granted.
    #[inline(always)]
    pub fn take(&mut self, player: Player) -> bool {
        let taken = self.next == Some(player);
        self.taken |= taken;
        taken
    }
}

/// A position as it was when a turn began that may have to be taken back.
#[derive(Debug)]
pub(crate) struct Before<const W: usize> {
    sets: Sets<W>,
    numbers: [i64; REGISTERS],
    lot: Xoshiro256PlusPlus,
    is_kept: bool,
}

impl<const W: usize> Before<W> {
    pub fn new(lot: Xoshiro256PlusPlus) -> Before<W> {
        Before { sets: Sets([[0; W]; REGISTERS]), numbers: [0; REGISTERS], lot, is_kept: false }
    }
}

impl<const W: usize> Vm<W> {
    /// Keeps the position if the turn of a seat that begins now may have to be taken back.
    #[inline(always)]
    pub(crate) fn keep_if_needed(&mut self, code: &Program<W>, spoils: bool) {
        let rests = self.presumption.rests.is_some() && code.has_pass;
        if spoils || rests {
            self.keep_position(code);
        } else {
            self.forget_kept();
        }
    }

    #[inline(always)]
    pub(crate) fn forget_kept(&mut self) {
        self.before.is_kept = false;
    }

    #[inline(never)]
    pub(crate) fn keep_position(&mut self, code: &Program<W>) {
        let ((sets, numbers), before) = (code.state, &mut self.before);
        // A few registers, of narrow sets by fours: loops do that at once.
        let at_once = if W <= 2 { 4 } else { 1 };
        for reg in 0..sets.next_multiple_of(at_once).min(REGISTERS) {
            before.sets[reg] = self.sets[reg];
        }
        for reg in 0..numbers.next_multiple_of(4).min(REGISTERS) {
            before.numbers[reg] = self.numbers[reg];
        }
        before.lot.clone_from(&self.lot);
        before.is_kept = true;
    }

    /// Takes the turn back, if the position was kept.
    pub(crate) fn take_back(&mut self, code: &Program<W>) {
        let ((sets, numbers), before) = (code.state, &self.before);
        if before.is_kept {
            self.sets[..sets].copy_from_slice(&before.sets[..sets]);
            self.numbers[..numbers].copy_from_slice(&before.numbers[..numbers]);
            self.lot.clone_from(&before.lot);
        }
    }

    /// The run that is complete does not show that its player can move, which was taken for
    /// granted.
    #[inline(always)]
    pub(crate) fn is_doubtful(&self) -> bool {
        self.presumption.rests.is_some() && self.flags.passed && !self.flags.acted
    }
}
