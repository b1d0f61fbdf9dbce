//! Decisive turns: a position goes in; whether the player to move has a turn that wins at once comes out.

use crate::interp::state::session::ScalarSession;
use crate::interp::state::turn::Flags;
use crate::position::Fault;

impl<const W: usize> ScalarSession<W> {
    /// Whether a turn wins the game for the player who makes it (decisive moves: F. Teytaud, O. Teytaud, 2010). Turns that are
    /// suspended win nothing yet. The position is spoilt.
    ///
    /// # Errors
    /// A fault of the rules in a turn.
    pub fn wins_at_once(&mut self) -> Result<bool, Fault> {
        if self.outcome.is_some() || self.plan.carry.is_some() {
            return Ok(false);
        }
        let (program, player) = (self.program.clone(), self.to_move);
        (self.vm.turn.flags, self.vm.turn.work) = (Flags::default(), 0);
        let (before, lengths) = ((self.to_move, self.opening, self.turns), self.vm.game.history.lengths());
        let event = self.vm.run(&program, self.entry(&program));
        let mut walk = self.vm.walk_best(&program, event)?;
        while self.vm.next_run(&program, &mut walk)? {
            self.end_turn()?;
            let wins = self.outcome.is_some_and(|outcome| outcome.payoff(player) == 1.0);
            self.roll_back(before, lengths);
            if wins {
                self.vm.drop_frames(walk.base);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
