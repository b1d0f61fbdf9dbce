//! Terminal test: a position goes in; the outcome that holds comes out. A turn that refutes a
//! speculation is rolled back, and the test runs again with the answer.

use crate::board::{Player, PlayerSet};
use crate::interp::state::sampler::TurnCount;
use crate::interp::state::session::ScalarSession;
use crate::position::{Fault, FaultKind, Outcome};

impl<const W: usize> ScalarSession<W> {
    /// Asks the outcomes; `stuck`: a player of whom it is known already.
    pub fn evaluate_end(&mut self, end: u32, stuck: Option<Player>) -> Result<(), Fault> {
        self.vm.turn.stuck = [None; 8];
        if let Some(player) = stuck {
            self.vm.turn.stuck[player.index()] = Some(true);
        }
        // That a turn of several plies is more than a pass shows too late to take it back.
        let speculates = self.vm.turn.chain.goes_on() && !self.program.has_pass_in_plies;
        self.vm.turn.speculation.begin(speculates.then_some(self.to_move));
        loop {
            self.vm.turn.decided = None;
            self.vm.run(&self.program, end);
            if let Some(fault) = self.vm.turn.fault.take() {
                return Err(fault);
            }
            if self.vm.turn.decided.is_none() || !self.vm.turn.speculation.taken {
                break;
            }
            self.vm.turn.speculation.begin(None);
        }
        self.record_outcome();
        Ok(())
    }

    /// The game is over, if an outcome held.
    pub fn record_outcome(&mut self) {
        let told = |(by, winners)| Outcome { winners: PlayerSet::of_bits(winners as u64 & 0xff), by: usize::from(by) };
        self.outcome = self.vm.turn.decided.map(told);
    }

    /// Nobody can move: of a position that play begins with `end` is asked now, as if the seat
    /// before had just moved.
    pub fn expect_outcome(&mut self) -> Result<(), Fault> {
        if self.turns == 0 {
            let seats = self.game.seats.len() as u8;
            let before = Player((self.to_move.0 + seats - 1) % seats);
            self.evaluate_end(self.program.code.entries[before.index()].end, None)?;
        }
        if self.outcome.is_some() {
            return Ok(());
        }
        let span = self.game.end.first().map_or(crate::source::Span::NOWHERE, |outcome| outcome.span);
        Err(Fault::new(FaultKind::Stuck(self.to_move), span))
    }

    /// Takes back a turn of which there is none, or which only passes where `end` took for granted
    /// that the player can move; `stuck`: it showed that he cannot. If the game is not over, he may
    /// pass.
    #[cold]
    pub fn resample(&mut self, passes: bool, stuck: Option<Player>, more: u64) -> Result<Option<TurnCount>, Fault> {
        let before = self.vm.turn.chain.choices;
        self.vm.roll_back(&self.program.clone());
        (self.vm.turn.chain.left, self.vm.turn.chain.beyond) = (0, false);
        if let Some(mover) = self.vm.turn.speculation.rests.take() {
            self.evaluate_end(self.program.code.entries[mover.index()].end, stuck)?;
        }
        if self.outcome.is_none() && passes {
            let drawn = self.play_drawn(more);
            self.vm.turn.chain.choices += before;
            return drawn;
        }
        self.expect_outcome()?;
        Ok(None)
    }
}
