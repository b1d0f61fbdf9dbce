//! Playouts by any executor: an index of a game goes in; how that game went, played at random,
//! comes out.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use crate::batch::Prepared;
use crate::cli::details::Detail;
use crate::cli::record::Record;
use crate::cli::tally::{Ended, Played};
use crate::game::{Error, Game};
use crate::interp::{Engine, Session, TurnCount};
use crate::position::{Outcome, Position};
use crate::reference::{Executor, PlayError, Ply, Setup, SetupError, draw_ply};

/// Plies of a turn have no bound of their own, so a game has one.
const PLIES_A_TURN: u64 = 10_000;

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
    pub max_turns: u32,
    pub seed: u64,
    pub setup: Option<u64>,
    /// The position that all games begin with, instead of a set-up.
    pub start: Option<Position>,
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
    executor: Executor,
    runner: Option<Box<dyn Session>>,
    /// The runner holds the one position that all games begin with.
    set: bool,
}

impl<'a> Table<'a> {
    pub fn new(game: &'a Game, plan: &'a Plan) -> Table<'a> {
        let runner = plan.engine.as_ref().map(Engine::runner);
        Table { game, plan, executor: Executor::new(), runner, set: false }
    }

    /// Plays the game of a number, always the same for a seed.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn play(&mut self, number: u64) -> Result<(Played, Option<String>), Error> {
        match &mut self.runner {
            Some(runner) => {
                let mut rng = generator(self.plan.seed, number);
                if self.set {
                    runner.restart();
                } else {
                    let position = start(self.game, self.plan, &mut self.executor, &mut rng)?;
                    self.set = self.plan.has_one_start(self.game);
                    if !runner.load(&position) {
                        return play_reference(self.game, self.plan, number, &mut self.executor);
                    }
                }
                if self.plan.record || self.plan.details {
                    let record = Recording { game: self.game, plan: self.plan, number };
                    return record.play(runner.as_mut(), &mut self.executor, &mut rng);
                }
                play_scalar(self.game, self.plan, runner.as_mut(), &mut rng)
            }
            None => play_reference(self.game, self.plan, number, &mut self.executor),
        }
    }
}

impl Plan {
    /// All games begin alike.
    pub fn has_one_start(&self, game: &Game) -> bool {
        self.start.is_some() || self.setup.is_some() || game.model().has_one_setup()
    }
}

pub fn start(
    game: &Game,
    plan: &Plan,
    executor: &mut Executor,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Position, Error> {
    if let Some(start) = &plan.start {
        return Ok(start.clone());
    }
    let position = match plan.setup {
        Some(setup) => executor.start(game.model(), Setup::Number(setup)),
        None => executor.start(game.model(), Setup::Random(rng)),
    };
    position.map_err(|error| set_up_error(game, error))
}

pub fn ended(outcome: Outcome) -> Ended {
    Ended { winners: outcome.winners, by: outcome.by }
}

fn play_scalar(
    game: &Game,
    plan: &Plan,
    runner: &mut dyn Session,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<(Played, Option<String>), Error> {
    match runner.playout(rng, u64::from(plan.max_turns)) {
        Ok(went) => {
            let played = Played {
                outcome: went.outcome.map(ended),
                turns: went.turns,
                plies: went.plies,
                choices: went.choices,
                detail: None,
            };
            Ok((played, None))
        }
        Err(fault) => Err(faulty(game, fault, &runner.position())),
    }
}

/// A game that is played turn by turn, so that each can be written down and looked at.
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
            play_scalar(self.game, self.plan, runner, &mut begun.clone())?;
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
        let mut record =
            self.plan.record.then(|| Record::new((self.number, self.plan.seed), model, &before, self.plan.positions));
        let mut detail = self.plan.details.then(Detail::default);
        let mut played = nothing_played();
        while runner.outcome().is_none() && played.turns < u64::from(self.plan.max_turns) {
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
        let mut record = Record::new((self.number, self.plan.seed), model, &position, self.plan.positions);
        let mut detail = self.plan.details.then(Detail::default);
        let mut played = nothing_played();
        while runner.outcome().is_none() && played.turns < u64::from(self.plan.max_turns) {
            let parts = runner.traced_parts(rng).map_err(|fault| faulty(self.game, fault, &position))?;
            let Some(parts) = parts else { break };
            let turn = played.turns;
            let see =
                |executor: &mut Executor, plies: &[Ply], chosen: usize, both: (&Position, &Position)| match &mut detail
                {
                    Some(detail) => detail.see(model, executor, (plies, chosen, turn), both),
                    None => Ok(()),
                };
            match record.push_parts(model, executor, &mut position, &parts, see) {
                Ok(()) if position.fingerprint() == runner.position().fingerprint() => {}
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

/// Game i of a run has a generator of its own, seeded from the seed and i.
pub fn generator(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed_of(seed, number))
}

/// What the generator of a game is seeded from.
pub fn seed_of(seed: u64, number: u64) -> u64 {
    let mut mixer = SplitMix64::seed_from_u64(seed);
    let mixed: u64 = mixer.random();
    mixed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn nothing_played() -> Played {
    Played { outcome: None, turns: 0, plies: 0, choices: TurnCount::default(), detail: None }
}

/// Plays one game at random by the reference executor.
pub fn play_reference(
    game: &Game,
    plan: &Plan,
    number: u64,
    executor: &mut Executor,
) -> Result<(Played, Option<String>), Error> {
    let model = game.model();
    let mut rng = generator(plan.seed, number);
    let mut position = start(game, plan, executor, &mut rng)?;
    let mut record = plan.record.then(|| Record::new((number, plan.seed), model, &position, plan.positions));
    let mut detail = plan.details.then(Detail::default);
    let mut played = nothing_played();
    let most_plies = u64::from(plan.max_turns).saturating_mul(PLIES_A_TURN);
    let mut made = 0;
    while !position.is_over() && played.turns < u64::from(plan.max_turns) && made < most_plies {
        let plies = executor.plies(model, &mut position).map_err(|fault| faulty(game, fault, &position))?;
        if plies.is_empty() {
            break;
        }
        let chosen = draw_ply(&plies, &mut rng);
        let before = (plan.record || plan.details).then(|| position.clone());
        match executor.play(model, &mut position, &plies[chosen]) {
            Ok(_) => {}
            Err(PlayError::Fault(fault)) => return Err(faulty(game, fault, &position)),
            Err(PlayError::NotAMove) => return Err(Error::NotAMove),
        }
        // What chance chooses is nobody's ply.
        if plies[chosen].probability.is_none() {
            played.plies += 1;
            played.choices += TurnCount { count: plies.len() as u64, estimated: false };
        }
        made += 1;
        if let (Some(detail), Some(before)) = (&mut detail, &before) {
            let seen = detail.see(model, executor, (&plies, chosen, played.turns), (before, &position));
            seen.map_err(|fault| faulty(game, fault, &position))?;
        }
        played.turns += u64::from(plies[chosen].ends_turn);
        if let (Some(record), Some(before)) = (&mut record, &before) {
            record.push(model, before, &plies, chosen, &position);
        }
        position.forget();
    }
    played.outcome = position.outcome().map(ended);
    played.detail = detail.map(Box::new);
    let line = record.map(|mut record| {
        record.end(model, position.outcome());
        record.line()
    });
    Ok((played, line))
}

pub fn set_up_error(game: &Game, error: SetupError) -> Error {
    match error {
        SetupError::Fault(fault) => Error::Fault {
            fault,
            place: game.model().sources.place(fault.shown()),
            position: String::from("the set-up"),
        },
        other => Error::Setup(other),
    }
}

pub fn faulty(game: &Game, fault: crate::position::Fault, position: &Position) -> Error {
    let text = crate::notation::position_text(game.model(), position);
    Error::Fault { fault, place: game.model().sources.place(fault.shown()), position: text }
}
