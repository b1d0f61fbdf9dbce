//! Leader by score: a position goes in; who would win by the first outcome that compares scores comes out.

use crate::board::PlayerSet;
use crate::model::{Game, Result};
use crate::position::{Position, Value};

use crate::reference::Executor;
use crate::reference::run::{Context, Words};

impl Executor {
    /// The winners of the first `highest ... wins`, were it asked now, whether its condition holds or not: nobody
    /// where the best are of two teams. `None`: no outcome compares scores, or these cannot be told.
    pub fn leaders(&mut self, game: &Game, position: &mut Position) -> Option<PlayerSet> {
        let outcome = game.end.iter().find(|outcome| matches!(outcome.result, Result::Highest(_)))?;
        let own = position.to_move();
        let mut machine = self.machine(game, position);
        machine.run.words = Words::default();
        machine.run.context = Context { own, ended: true, ..Context::default() };
        machine.run.locals.clear();
        machine.run.locals.resize(outcome.frame, Value::Truth(false));
        machine.winners(&outcome.result, own).ok()
    }
}
