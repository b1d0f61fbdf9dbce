//! Lanes: games that go on side by side, choice by choice; an action goes in, what is legal next and what is seen come out.
//!
//! Where a game has a plan, a lane is little more than its registers: each thread has one session, which takes them over,
//! goes on, and gives them back. No move is made as data.

use std::cell::RefCell;

use lusoria::board::Player;
use lusoria::interp::{GameState, Session};
use lusoria::{Error, Position};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use thread_local::ThreadLocal;

use crate::actions::{Begun, Paths};
use crate::run::{Run, Space};

/// One game of many.
pub struct Lane {
    course: Course,
    rng: Xoshiro256PlusPlus,
    seed: u64,
    episode: u64,
}

/// How a game goes on.
#[expect(clippy::large_enum_variant, reason = "nearly all are planned, and each is used at every step")]
enum Course {
    Planned(Planned),
    /// The game has no plan, or had a position of which only the order of its moves tells some of them apart.
    Listed(Run),
}

/// A game between two choices, as the plan plays it.
#[derive(Default)]
struct Planned {
    state: GameState,
    moves: Moves,
    begun: Begun,
    /// The paths of the moves so far.
    past: Jagged,
}

/// The legal moves: their paths of actions, and the paths of the plan's choices in the order in which those came.
#[derive(Default)]
struct Moves {
    paths: Paths,
    choices: Jagged,
}

/// A jagged array: lists of numbers one behind the other, and where each ends.
#[derive(Default)]
struct Jagged {
    numbers: Vec<u32>,
    ends: Vec<u32>,
}

impl Jagged {
    fn clear(&mut self) {
        self.numbers.clear();
        self.ends.clear();
    }

    fn push(&mut self, list: &[u32]) {
        self.numbers.extend_from_slice(list);
        self.ends.push(self.numbers.len() as u32);
    }

    fn get(&self, at: usize) -> &[u32] {
        let first = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.numbers[first..self.ends[at] as usize]
    }

    fn copy_from(&mut self, other: &Jagged) {
        self.numbers.clone_from(&other.numbers);
        self.ends.clone_from(&other.ends);
    }
}

/// What the lanes of a thread are played by.
pub struct Sessions(ThreadLocal<RefCell<Box<dyn Session>>>);

impl Sessions {
    pub fn new() -> Sessions {
        Sessions(ThreadLocal::new())
    }

    /// Lends the session of this thread. `None`: the game has no plan.
    fn lend<T>(&self, space: &Space, play: impl FnOnce(&mut dyn Session) -> T) -> Option<T> {
        let made = || space.game.session().map(RefCell::new).ok_or(());
        let session = self.0.get_or_try(made).ok()?;
        Some(play(&mut **session.borrow_mut()))
    }
}

/// What lanes begin with, where all begin with the same position.
pub struct First(Option<Planned>);

impl First {
    /// # Errors
    /// A fault of the rules.
    pub fn new(space: &Space, sessions: &Sessions) -> Result<First, Error> {
        let mut planned = Planned::default();
        let is_planned = space.has_one_start() && planned.begin(space, sessions, &space.first(0)?)?;
        Ok(First(is_planned.then_some(planned)))
    }
}

impl Planned {
    /// Begins with a position, and lists its moves; `false`: there is no plan, or some moves have the same path.
    fn begin(&mut self, space: &Space, sessions: &Sessions, position: &Position) -> Result<bool, Error> {
        let Some(state) = position.exported() else { return Ok(false) };
        self.state = state;
        self.past.clear();
        let listed =
            sessions.lend(space, |session| self.within(session, |planned, session| planned.list(space, session)));
        listed.unwrap_or(Ok(false))
    }

    fn copy_from(&mut self, other: &Planned) {
        self.state.copy_from(&other.state);
        self.moves.paths.copy_from(&other.moves.paths);
        self.moves.choices.copy_from(&other.moves.choices);
        self.begun = other.begun;
        self.past.copy_from(&other.past);
    }

    /// Lends the game to a session.
    fn within<T>(&mut self, session: &mut dyn Session, play: impl FnOnce(&mut Self, &mut dyn Session) -> T) -> T {
        session.import_state(&mut self.state);
        let played = play(self, session);
        session.export_state(&mut self.state);
        played
    }

    /// Lists the moves; `false`: some have the same path.
    fn list(&mut self, space: &Space, session: &mut dyn Session) -> Result<bool, Error> {
        let Moves { paths, choices } = &mut self.moves;
        paths.clear();
        choices.clear();
        let listed = session.list(&mut |written, path| {
            paths.push(&space.actions, written);
            choices.push(path);
        });
        paths.sort();
        self.begun = Begun::default();
        listed.map_err(|fault| space.game.fault_at(fault, &session.position()))?;
        if paths.are_alike() {
            return Ok(false);
        }
        paths.tell_apart(&space.actions);
        self.begun = Begun::all(paths);
        Ok(true)
    }

    /// Plays the move of a path, and lists those behind it.
    fn play(&mut self, space: &Space, session: &mut dyn Session, at: usize) -> Result<bool, Error> {
        let path = self.moves.choices.get(self.moves.paths.place(at));
        self.past.push(path);
        match session.play_path(path) {
            Ok(true) => self.list(space, session),
            Ok(false) => Err(Error::NotAMove),
            Err(fault) => Err(space.game.fault_at(fault, &session.position())),
        }
    }

    /// The position, with what led to it.
    fn position(&self, space: &Space, seed: u64) -> Result<Position, Error> {
        let mut position = space.first(seed)?;
        (0..self.past.ends.len()).try_for_each(|at| position.play_path(self.past.get(at)))?;
        Ok(position)
    }
}

impl Lane {
    pub fn new() -> Lane {
        let rng = Xoshiro256PlusPlus::seed_from_u64(0);
        Lane { course: Course::Planned(Planned::default()), rng, seed: 0, episode: 0 }
    }

    /// Begins the first game of a seed.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn reset(&mut self, space: &Space, sessions: &Sessions, first: &First, seed: u64) -> Result<(), Error> {
        (self.seed, self.episode) = (seed, 0);
        self.begin(space, sessions, first)
    }

    fn seed(&self) -> u64 {
        self.seed.wrapping_add(self.episode.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Begins the next game.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn next(&mut self, space: &Space, sessions: &Sessions, first: &First) -> Result<(), Error> {
        self.episode += 1;
        self.begin(space, sessions, first)
    }

    fn begin(&mut self, space: &Space, sessions: &Sessions, first: &First) -> Result<(), Error> {
        let seed = self.seed();
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        if matches!(self.course, Course::Listed(_)) {
            self.course = Course::Planned(Planned::default());
        }
        let Course::Planned(planned) = &mut self.course else { return Ok(()) };
        if let First(Some(first)) = first {
            planned.copy_from(first);
            return Ok(());
        }
        let position = space.first(seed)?;
        if !planned.begin(space, sessions, &position)? {
            let mut run = Run::new(&space.actions, position)?;
            run.settle(&space.actions, &mut self.rng)?;
            self.course = Course::Listed(run);
        }
        Ok(())
    }

    /// Makes a choice, and those of chance behind it; `false`: it is not legal.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn apply(&mut self, space: &Space, sessions: &Sessions, action: u16) -> Result<bool, Error> {
        let seed = self.seed();
        match &mut self.course {
            Course::Listed(run) => {
                let applied = run.apply(&space.actions, action)?;
                run.settle(&space.actions, &mut self.rng)?;
                Ok(applied)
            }
            Course::Planned(planned) => {
                let Some(begun) = planned.begun.with(&planned.moves.paths, action) else { return Ok(false) };
                planned.begun = begun;
                if !begun.is_complete(&planned.moves.paths) {
                    return Ok(true);
                }
                let played = sessions.lend(space, |session| {
                    planned.within(session, |planned, session| planned.play(space, session, begun.first))
                });
                if !played.unwrap_or(Ok(true))? {
                    let mut run = Run::new(&space.actions, planned.position(space, seed)?)?;
                    run.turns = planned.state.turns as u32;
                    self.course = Course::Listed(run);
                }
                Ok(true)
            }
        }
    }

    /// The action that begins a move drawn uniformly; `None`: the game is over.
    pub fn drawn(&mut self) -> Option<u16> {
        match &self.course {
            Course::Listed(run) => run.drawn(&mut self.rng),
            Course::Planned(planned) if planned.begun.is_empty() => None,
            Course::Planned(planned) => Some(planned.begun.drawn(&planned.moves.paths, &mut self.rng)),
        }
    }

    pub fn is_over(&self) -> bool {
        match &self.course {
            Course::Listed(run) => run.is_over(),
            Course::Planned(planned) => planned.begun.is_empty(),
        }
    }

    pub fn chooser(&self) -> Player {
        match &self.course {
            Course::Listed(run) => run.chooser(),
            Course::Planned(planned) => planned.state.to_move,
        }
    }

    pub fn turns(&self) -> u32 {
        match &self.course {
            Course::Listed(run) => run.turns,
            Course::Planned(planned) => planned.state.turns as u32,
        }
    }

    /// 1 for a win, -1 for a loss, 0 for a draw, and while the game goes on.
    pub fn payoff(&self, player: Player) -> f64 {
        match &self.course {
            Course::Listed(run) => run.payoff(player),
            Course::Planned(planned) => planned.state.outcome.map_or(0.0, |outcome| 2.0 * outcome.payoff(player) - 1.0),
        }
    }

    /// Writes what the chooser sees, and what he may choose.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn observe(
        &mut self,
        space: &Space,
        sessions: &Sessions,
        (planes, counters, mask): (&mut [u8], &mut [f32], &mut [bool]),
    ) -> Result<(), Error> {
        mask.fill(false);
        match &mut self.course {
            Course::Listed(run) => {
                space.layout.write(&run.position, run.chooser(), run.chosen(), planes, counters)?;
                run.legal().for_each(|(action, _)| mask[usize::from(action)] = true);
            }
            Course::Planned(planned) => {
                sessions.lend(space, |session| {
                    planned.within(session, |planned, session| {
                        let chosen = planned.begun.chosen(&planned.moves.paths);
                        space.layout.write_session(session, chosen, planes, counters);
                    });
                });
                planned.begun.next(&planned.moves.paths).for_each(|action| mask[usize::from(action)] = true);
            }
        }
        Ok(())
    }

    /// The position, without the choices of a move that is not complete.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn position(&self, space: &Space) -> Result<Position, Error> {
        match &self.course {
            Course::Listed(run) => Ok(run.position.clone()),
            Course::Planned(planned) => planned.position(space, self.seed()),
        }
    }
}
