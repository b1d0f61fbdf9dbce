//! Playouts: the number of a random game goes in; how that game went, by a plan or the reference executor, comes out.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use crate::game::{Error, Game};
use crate::interp::{Engine, Session, TurnCount};
use crate::measures::tally::{Ended, Played};
use crate::position::{Fault, Outcome, Position};
use crate::reference::{Executor, PlayError, Ply, Setup, SetupError, draw_ply};

/// Plies of a turn have no bound of their own, so a game has one.
const PLIES_A_TURN: u64 = 10_000;

/// What the random games of a run have in common.
#[derive(Clone, Debug)]
pub struct Terms {
    pub seed: u64,
    pub max_turns: u32,
    pub setup: Option<u64>,
    /// The position that all games begin with, instead of a set-up.
    pub start: Option<Position>,
}

impl Terms {
    /// All games begin alike.
    pub fn has_one_start(&self, game: &Game) -> bool {
        self.start.is_some() || self.setup.is_some() || game.model().has_one_setup()
    }
}

/// What plays random games, one after the other.
pub struct Playouts {
    game: Game,
    terms: Terms,
    executor: Executor,
    runner: Option<Box<dyn Session>>,
    /// The runner holds the one position that all games begin with.
    is_set: bool,
}

/// What plays a game by a plan, and the generator that it goes on with.
pub type Begun<'p> = (&'p mut dyn Session, &'p mut Executor, Xoshiro256PlusPlus);

impl Playouts {
    /// `engine`: the plan to play by, instead of the reference executor.
    pub fn new(game: &Game, engine: Option<&Engine>, terms: Terms) -> Playouts {
        let runner = engine.map(Engine::runner);
        Playouts { game: game.clone(), terms, executor: Executor::new(), runner, is_set: false }
    }

    /// Plays the game of a number, always the same for a seed.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn play(&mut self, number: u64) -> Result<Played, Error> {
        let (game, max_turns) = (self.game.clone(), self.terms.max_turns);
        match self.begin(number)? {
            Some((runner, _, mut rng)) => play_scalar(&game, runner, max_turns, &mut rng),
            None => play_reference(&game, &self.terms, number, &mut self.executor, &mut Unseen),
        }
    }

    /// Sets the game of a number up, to be played by the plan; `None`: the reference executor has to play it.
    ///
    /// # Errors
    /// A set-up that cannot be completed, a fault of the rules.
    pub fn begin(&mut self, number: u64) -> Result<Option<Begun<'_>>, Error> {
        let Some(runner) = &mut self.runner else { return Ok(None) };
        let mut rng = generator(self.terms.seed, number);
        if self.is_set {
            runner.restart();
        } else {
            let position = start(&self.game, &self.terms, &mut self.executor, &mut rng)?;
            if !runner.load(&position) {
                return Ok(None);
            }
            self.is_set = self.terms.has_one_start(&self.game);
        }
        Ok(Some((runner.as_mut(), &mut self.executor, rng)))
    }
}

/// How a game begins.
///
/// # Errors
/// A set-up that cannot be completed, a fault of the rules.
pub fn start(
    game: &Game,
    terms: &Terms,
    executor: &mut Executor,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Position, Error> {
    if let Some(start) = &terms.start {
        return Ok(start.clone());
    }
    let position = match terms.setup {
        Some(setup) => executor.start(game.model(), Setup::Number(setup)),
        None => executor.start(game.model(), Setup::Random(rng)),
    };
    position.map_err(|error| set_up_error(game, error))
}

pub fn ended(outcome: Outcome) -> Ended {
    Ended { winners: outcome.winners, by: outcome.by }
}

/// Plays the game that a plan has before it.
///
/// # Errors
/// A fault of the rules.
pub fn play_scalar(
    game: &Game,
    runner: &mut dyn Session,
    max_turns: u32,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Played, Error> {
    match runner.playout(rng, u64::from(max_turns)) {
        Ok(went) => Ok(Played {
            outcome: went.outcome.map(ended),
            turns: went.turns,
            plies: went.plies,
            choices: went.choices,
            detail: None,
        }),
        Err(fault) => Err(faulty(game, fault, &runner.position())),
    }
}

/// Who looks on while the reference executor plays.
pub trait Witness {
    fn begins(&mut self, _start: &Position) {}

    /// Whether positions are kept to be shown.
    fn is_there(&self) -> bool {
        false
    }

    /// A chosen ply, of those that were legal in the turn of a number from 0, led from one position to another.
    ///
    /// # Errors
    /// A fault of the rules.
    fn sees(
        &mut self,
        _executor: &mut Executor,
        _ply: (&[Ply], usize, u64),
        _positions: (&Position, &Position),
    ) -> Result<(), Fault> {
        Ok(())
    }

    fn ends(&mut self, _outcome: Option<Outcome>) {}
}

/// Nobody looks on.
pub struct Unseen;

impl Witness for Unseen {}

/// Plays one game at random by the reference executor.
///
/// # Errors
/// A fault of the rules.
pub fn play_reference(
    game: &Game,
    terms: &Terms,
    number: u64,
    executor: &mut Executor,
    witness: &mut impl Witness,
) -> Result<Played, Error> {
    let model = game.model();
    let mut rng = generator(terms.seed, number);
    let mut position = start(game, terms, executor, &mut rng)?;
    witness.begins(&position);
    let mut played = nothing_played();
    let most_plies = u64::from(terms.max_turns).saturating_mul(PLIES_A_TURN);
    let mut made = 0;
    while !position.is_over() && played.turns < u64::from(terms.max_turns) && made < most_plies {
        let plies = executor.plies(model, &mut position).map_err(|fault| faulty(game, fault, &position))?;
        if plies.is_empty() {
            break;
        }
        let chosen = draw_ply(&plies, &mut rng);
        let before = witness.is_there().then(|| position.clone());
        match executor.play(model, &mut position, &plies[chosen]) {
            Ok(_) => {}
            Err(PlayError::Fault(fault)) => return Err(faulty(game, fault, &position)),
            Err(PlayError::NotAMove) => return Err(Error::NotAMove),
        }
        if plies[chosen].is_chosen {
            played.plies += 1;
            played.choices += TurnCount { count: plies.len() as u64, estimated: false };
        }
        made += 1;
        if let Some(before) = &before {
            let seen = witness.sees(executor, (&plies, chosen, played.turns), (before, &position));
            seen.map_err(|fault| faulty(game, fault, &position))?;
        }
        played.turns += u64::from(plies[chosen].ends_turn);
        position.forget();
    }
    played.outcome = position.outcome().map(ended);
    witness.ends(position.outcome());
    Ok(played)
}

pub fn nothing_played() -> Played {
    Played { outcome: None, turns: 0, plies: 0, choices: TurnCount::default(), detail: None }
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

pub fn faulty(game: &Game, fault: Fault, position: &Position) -> Error {
    let text = crate::notation::position_text(game.model(), position);
    Error::Fault { fault, place: game.model().sources.place(fault.shown()), position: text }
}
