//! The outcomes are asked of a game; a turn that shows what was taken for granted to be wrong is
//! taken back.

use crate::board::{Player, PlayerSet};
use crate::interp::{Board, TurnCount};
use crate::position::{Fault, FaultKind, Outcome};

impl<const W: usize> Board<W> {
    /// Asks the outcomes; `stuck`: a player of whom it is known already.
    pub(crate) fn judge(&mut self, end: u32, stuck: Option<Player>) -> Result<(), Fault> {
        self.machine.stuck = [None; 8];
        if let Some(player) = stuck {
            self.machine.stuck[player.index()] = Some(true);
        }
        self.machine.presumption.begin(self.machine.streak.goes_on().then_some(self.to_move));
        loop {
            self.machine.decided = None;
            self.machine.run(&self.code, end);
            if let Some(fault) = self.machine.fault.take() {
                return Err(fault);
            }
            if self.machine.decided.is_none() || !self.machine.presumption.taken {
                break;
            }
            self.machine.presumption.begin(None);
        }
        self.decide();
        Ok(())
    }

    /// The game is over, if an outcome held.
    pub(crate) fn decide(&mut self) {
        let told = |(by, winners)| Outcome { winners: PlayerSet::of_bits(winners as u64 & 0xff), by: usize::from(by) };
        self.outcome = self.machine.decided.map(told);
    }

    /// Nobody can move: of a position that play begins with `end` is asked now, as if the seat
    /// before had just moved.
    pub(crate) fn expect_outcome(&mut self) -> Result<(), Fault> {
        if self.turns == 0 {
            let seats = self.engine.game.seats.len() as u8;
            let before = Player((self.to_move.0 + seats - 1) % seats);
            self.judge(self.code.linked.entries[before.index()].end, None)?;
        }
        if self.outcome.is_some() {
            return Ok(());
        }
        let nowhere = crate::source::Span { source: crate::source::SourceId(0), start: 0, end: 0 };
        let span = self.engine.game.end.first().map_or(nowhere, |outcome| outcome.span);
        Err(Fault::new(FaultKind::Stuck(self.to_move), span))
    }

    /// Takes back a turn of which there is none, or which only passes where `end` took for granted
    /// that the player can move; `stuck`: it showed that he cannot. If the game is not over, he may
    /// pass.
    #[cold]
    pub(crate) fn draw_anew(
        &mut self,
        passes: bool,
        stuck: Option<Player>,
        more: u64,
    ) -> Result<Option<TurnCount>, Fault> {
        let before = self.machine.streak.choices;
        self.machine.take_back(&self.code.clone());
        (self.machine.streak.left, self.machine.streak.beyond) = (0, false);
        if let Some(mover) = self.machine.presumption.rests.take() {
            self.judge(self.code.linked.entries[mover.index()].end, stuck)?;
        }
        if self.outcome.is_none() && passes {
            let drawn = self.play_drawn(more);
            self.machine.streak.choices += before;
            return drawn;
        }
        self.expect_outcome()?;
        Ok(None)
    }
}
