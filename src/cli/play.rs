//! Playouts that are written down: a number of a game goes in; how that game went, played at random, comes out, with its
//! record.

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::batch::Prepared;
use crate::cli::record::Record;
use crate::game::{Error, Game};
use crate::interp::{Engine, Session};
use crate::measures::details::Detail;
use crate::measures::playouts::{Playouts, Terms, Witness, ended, faulty, nothing_played, play_reference, play_scalar};
use crate::measures::tally::Played;
use crate::position::{Fault, Outcome, Position};
use crate::reference::{Executor, PlayError, Ply};

/// What a simulation is told besides the game.
pub struct Plan {
    /// The plan to play by, instead of the reference executor.
    pub engine: Option<Engine>,
    /// Many games at a time, so many if it is said.
    pub prepared: Option<Arc<dyn Prepared>>,
    pub lanes: Option<usize>,
    /// The number of the first game, and how many are played.
    pub first: u64,
    pub games: u64,
    pub threads: usize,
    pub terms: Terms,
    pub record: bool,
    /// A record has the position behind each move.
    pub positions: bool,
    /// Games are played ply by ply, to be looked at.
    pub details: bool,
}

/// What one thread plays with.
pub struct Table<'a> {
    game: &'a Game,
    plan: &'a Plan,
    playouts: Playouts,
}

impl<'a> Table<'a> {
    pub fn new(game: &'a Game, plan: &'a Plan) -> Table<'a> {
        Table { game, plan, playouts: Playouts::new(game, plan.engine.as_ref(), plan.terms.clone()) }
    }

    /// Plays the game of a number, always the same for a seed.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn play(&mut self, number: u64) -> Result<(Played, Option<String>), Error> {
        if !self.plan.record && !self.plan.details {
            return Ok((self.playouts.play(number)?, None));
        }
        let recording = Recording { game: self.game, plan: self.plan, number };
        match self.playouts.begin(number)? {
            Some((runner, executor, mut rng)) => recording.play(runner, executor, &mut rng),
            None => {
                let mut notes = Notes { recording, record: None, detail: self.plan.details.then(Detail::default) };
                let mut executor = Executor::new();
                let mut played = play_reference(self.game, &self.plan.terms, number, &mut executor, &mut notes)?;
                played.detail = notes.detail.map(Box::new);
                Ok((played, notes.record.map(|record| record.line())))
            }
        }
    }
}

/// A game that is played turn by turn, so that each can be written down and looked at.
#[derive(Clone, Copy)]
struct Recording<'a> {
    game: &'a Game,
    plan: &'a Plan,
    number: u64,
}

impl Recording<'_> {
    /// Plays the game that [`play_scalar`] plays.
    fn play(
        &self,
        runner: &mut dyn Session,
        executor: &mut Executor,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<(Played, Option<String>), Error> {
        let begun = rng.clone();
        let went = if self.plan.engine.as_ref().is_some_and(Engine::has_continuations) {
            self.play_parts(runner, executor, rng)
        } else {
            self.play_turns(runner, executor, rng)
        };
        if went.is_err() {
            // A playout knows in which turn it came to the fault. Where it comes to none, there were
            // too many turns to write one down.
            runner.restart();
            play_scalar(self.game, runner, self.plan.terms.max_turns, &mut begun.clone())?;
        }
        went
    }

    fn play_turns(
        &self,
        runner: &mut dyn Session,
        executor: &mut Executor,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<(Played, Option<String>), Error> {
        let model = self.game.model();
        let mut before = runner.position();
        let mut record = self
            .plan
            .record
            .then(|| Record::new((self.number, self.plan.terms.seed), model, &before, self.plan.positions));
        let mut detail = self.plan.details.then(Detail::default);
        let mut played = nothing_played();
        while runner.outcome().is_none() && played.turns < u64::from(self.plan.terms.max_turns) {
            let faulty = |fault| faulty(self.game, fault, &before);
            let Some(turn) = runner.traced_turn(rng).map_err(faulty)? else { break };
            let after = runner.position();
            match record.as_mut().map(|record| record.push_traced(model, executor, &turn, (&before, &after))) {
                None | Some(Ok(())) => {}
                Some(Err(PlayError::Fault(fault))) => return Err(faulty(fault)),
                Some(Err(PlayError::NotAMove)) => return Err(Error::NotAMove),
            }
            if let Some(detail) = &mut detail {
                detail.add(model, turn.written.len() as u64, played.turns, (&before, &after));
                detail.look_at_score(model, executor, &after);
            }
            played.turns += 1;
            played.plies += 1;
            played.choices += turn.count;
            before = after;
        }
        played.outcome = runner.outcome().map(ended);
        played.detail = detail.map(Box::new);
        let line = record.map(|mut record| {
            record.end(model, runner.outcome());
            record.line()
        });
        Ok((played, line))
    }
}

impl Recording<'_> {
    /// The same where chance chooses: each choice of chance, and each of a player, is written as a move.
    fn play_parts(
        &self,
        runner: &mut dyn Session,
        executor: &mut Executor,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<(Played, Option<String>), Error> {
        let model = self.game.model();
        let mut position = runner.position();
        let mut record = Record::new((self.number, self.plan.terms.seed), model, &position, self.plan.positions);
        let mut detail = self.plan.details.then(Detail::default);
        let mut played = nothing_played();
        while runner.outcome().is_none() && played.turns < u64::from(self.plan.terms.max_turns) {
            let parts = runner.traced_parts(rng).map_err(|fault| faulty(self.game, fault, &position))?;
            let Some(parts) = parts else { break };
            let (turn, reached) = (played.turns, runner.position().fingerprint());
            let see =
                |executor: &mut Executor, plies: &[Ply], chosen: usize, both: (&Position, &Position)| match &mut detail
                {
                    Some(detail) => detail.see(model, executor, (plies, chosen, turn), both),
                    None => Ok(()),
                };
            match record.push_parts(model, executor, &mut position, (&parts, reached), see) {
                Ok(()) if position.fingerprint() == reached => {}
                Ok(()) | Err(PlayError::NotAMove) => return Err(Error::NotAMove),
                Err(PlayError::Fault(fault)) => return Err(faulty(self.game, fault, &position)),
            }
            played.turns += 1;
            for count in parts.iter().filter_map(|part| part.ply) {
                played.plies += 1;
                played.choices += count;
            }
            position.forget();
        }
        played.outcome = runner.outcome().map(ended);
        played.detail = detail.map(Box::new);
        record.end(model, runner.outcome());
        Ok((played, self.plan.record.then(|| record.line())))
    }
}

/// What is written down of a game that the reference executor plays.
struct Notes<'a> {
    recording: Recording<'a>,
    record: Option<Record>,
    detail: Option<Detail>,
}

impl Witness for Notes<'_> {
    fn begins(&mut self, start: &Position) {
        let Recording { game, plan, number } = self.recording;
        self.record = plan.record.then(|| Record::new((number, plan.terms.seed), game.model(), start, plan.positions));
    }

    fn is_there(&self) -> bool {
        true
    }

    fn sees(
        &mut self,
        executor: &mut Executor,
        (plies, chosen, turn): (&[Ply], usize, u64),
        (before, after): (&Position, &Position),
    ) -> Result<(), Fault> {
        let model = self.recording.game.model();
        if let Some(detail) = &mut self.detail {
            detail.see(model, executor, (plies, chosen, turn), (before, after))?;
        }
        if let Some(record) = &mut self.record {
            record.push(model, before, plies, chosen, after);
        }
        Ok(())
    }

    fn ends(&mut self, outcome: Option<Outcome>) {
        if let Some(record) = &mut self.record {
            record.end(self.recording.game.model(), outcome);
        }
    }
}
