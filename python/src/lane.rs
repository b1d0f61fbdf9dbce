//! Lanes: games that go on side by side, choice by choice; an action goes in, what is legal next and what is seen come out.
//!
//! Where a game has a plan, a lane is little more than its registers: each thread has one session, which takes them over,
//! goes on, and gives them back. No move is made as data.

use std::cell::RefCell;

use lusoria::batch::{CellGame, LockStep, Stepped};
use lusoria::board::Player;
use lusoria::interp::{CellTurns, GameState, Session};
use lusoria::{Error, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use smallvec::SmallVec;
use thread_local::ThreadLocal;

use crate::actions::{Begun, Paths};
use crate::observe::Sources;
use crate::run::{Run, Space};
use crate::spread::Spread;

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
    /// The legal moves are the cells that can be chosen.
    by_cells: bool,
    cells: CellTurns,
    /// How many cells these are.
    count: usize,
    /// The legal moves, where more than a cell is chosen of some.
    moves: Moves,
    begun: Begun,
    past: Past,
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

/// The paths of the moves so far: of each how many numbers it has, then these. One list, as each step of each lane
/// comes to another place of memory.
#[derive(Default)]
struct Past(Vec<u32>);

impl Past {
    fn push(&mut self, path: &[u32]) {
        self.0.push(path.len() as u32);
        self.0.extend_from_slice(path);
    }

    /// Adds the path that comes at the end of a list.
    fn push_by<T>(&mut self, made: impl FnOnce(&mut Vec<u32>) -> T) -> T {
        let at = self.0.len();
        self.0.push(0);
        let made = made(&mut self.0);
        self.0[at] = (self.0.len() - at - 1) as u32;
        made
    }

    fn paths(&self) -> impl Iterator<Item = &[u32]> {
        let mut left = self.0.as_slice();
        std::iter::from_fn(move || {
            let (length, rest) = left.split_first()?;
            let (path, rest) = rest.split_at_checked(*length as usize)?;
            left = rest;
            Some(path)
        })
    }
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
pub struct Sessions {
    threads: ThreadLocal<RefCell<Executors>>,
    /// `None`: the game has no plan.
    board: Option<Board>,
}

/// What plays the game on one thread.
struct Executors {
    session: Box<dyn Session>,
    /// Plays many lanes at once, where each turn is the choice of a cell.
    lock_step: Option<Box<dyn LockStep>>,
}

/// How a plan has the board.
struct Board {
    /// By cell: its bit; and by bit, of the cell.
    bits: Vec<u16>,
    cells: Vec<u16>,
    /// Bits stand in the order of cells.
    is_in_order: bool,
    /// From bits to actions.
    actions: Spread,
    /// `None`: observations are written from positions.
    sources: Option<Sources>,
}

impl Board {
    /// `None`: two cells have the same place.
    fn new(space: &Space, session: &dyn Session) -> Option<Board> {
        let places = session.places();
        let bits = places.bitboard.bits().to_vec();
        Some(Board {
            is_in_order: places.bitboard.is_in_order(),
            actions: Spread::new(bits.iter().map(|bit| usize::from(*bit)).zip(0..))?,
            sources: space.layout.sources(places),
            cells: (0..places.bitboard.size()).map(|bit| places.bitboard.cell(bit).map_or(0, |cell| cell.0)).collect(),
            bits,
        })
    }

    /// The cell with a number among those of a set.
    fn nth(&self, turns: &CellTurns, number: usize) -> Option<u16> {
        let bit_of = |action: &u16| usize::from(self.bits[usize::from(*action)]);
        if !self.is_in_order {
            return (0..self.bits.len() as u16).filter(|action| turns.has(bit_of(action))).nth(number);
        }
        let mut left = number;
        for (at, word) in turns.cells.iter().enumerate() {
            let here = word.count_ones() as usize;
            if left < here {
                let mut word = *word;
                (0..left).for_each(|_| word &= word - 1);
                return self.cells.get(at * 64 + word.trailing_zeros() as usize).copied();
            }
            left -= here;
        }
        None
    }
}

/// What a lane is played by while it is stepped.
pub struct Lent<'s> {
    space: &'s Space,
    planned: Option<(&'s Board, &'s mut dyn Session)>,
    lock_step: Option<&'s mut dyn LockStep>,
}

impl Lent<'_> {
    /// The most lanes that are stepped at once. `None`: each is stepped alone.
    pub fn lanes(&self) -> Option<usize> {
        self.lock_step.as_ref().map(|lock_step| lock_step.lanes())
    }
}

impl Sessions {
    pub fn new(space: &Space) -> Sessions {
        let board = space.game.session().and_then(|session| Board::new(space, &*session));
        Sessions { threads: ThreadLocal::new(), board }
    }

    /// Lends the session of this thread.
    pub fn lend<T>(&self, space: &Space, play: impl FnOnce(&mut Lent<'_>) -> T) -> T {
        let made = || {
            let session = space.game.session().ok_or(())?;
            Ok::<_, ()>(RefCell::new(Executors { session, lock_step: space.game.lock_step() }))
        };
        let players = self.board.as_ref().and_then(|board| Some((board, self.threads.get_or_try(made).ok()?)));
        match players {
            Some((board, players)) => {
                let Executors { session, lock_step } = &mut *players.borrow_mut();
                let lock_step = lock_step.as_deref_mut().map(|lock_step| lock_step as &mut dyn LockStep);
                play(&mut Lent { space, planned: Some((board, &mut **session)), lock_step })
            }
            None => play(&mut Lent { space, planned: None, lock_step: None }),
        }
    }
}

/// What lanes begin with, where all begin with the same position.
pub struct First(Option<Planned>);

impl First {
    /// # Errors
    /// A fault of the rules.
    pub fn new(lent: &mut Lent<'_>) -> Result<First, Error> {
        let mut planned = Planned::default();
        let is_planned = lent.space.has_one_start() && planned.begin(lent, &lent.space.first(0)?)?;
        Ok(First(is_planned.then_some(planned)))
    }
}

impl Planned {
    /// Begins with a position, and lists its moves; `false`: there is no plan, or some moves have the same path.
    fn begin(&mut self, lent: &mut Lent<'_>, position: &Position) -> Result<bool, Error> {
        let (Some(state), Some((_, session))) = (position.exported(), &mut lent.planned) else { return Ok(false) };
        self.state = state;
        self.past.0.clear();
        let space = lent.space;
        self.within(&mut **session, |planned, session| planned.list(space, session))
    }

    fn copy_from(&mut self, other: &Planned) {
        self.state.copy_from(&other.state);
        self.by_cells = other.by_cells;
        if other.by_cells {
            self.cells.copy_from(&other.cells);
            self.count = other.count;
        } else {
            self.moves.paths.copy_from(&other.moves.paths);
            self.moves.choices.copy_from(&other.moves.choices);
        }
        self.begun = other.begun;
        self.past.0.clone_from(&other.past.0);
    }

    /// Lends the game to a session.
    fn within<T>(&mut self, session: &mut dyn Session, play: impl FnOnce(&mut Self, &mut dyn Session) -> T) -> T {
        session.import_state(&mut self.state);
        let played = play(self, session);
        session.export_state(&mut self.state);
        played
    }

    /// There is nothing to choose.
    fn is_over(&self) -> bool {
        if self.by_cells { self.count == 0 } else { self.begun.is_empty() }
    }

    /// The choices of the present move that have been made.
    fn chosen(&self) -> &[u16] {
        if self.by_cells { &[] } else { self.begun.chosen(&self.moves.paths) }
    }

    /// Lists the moves; `false`: some have the same path.
    fn list(&mut self, space: &Space, session: &mut dyn Session) -> Result<bool, Error> {
        self.begun = Begun::default();
        let by_cells = session.cell_turns(&mut self.cells);
        self.by_cells = by_cells.map_err(|fault| space.game.fault_at(fault, &session.position()))?;
        if self.by_cells {
            self.count = self.cells.count();
            return Ok(true);
        }
        let Moves { paths, choices } = &mut self.moves;
        paths.clear();
        choices.clear();
        let listed = session.list(&mut |written, path| {
            paths.push(&space.actions, written);
            choices.push(path);
        });
        paths.sort();
        listed.map_err(|fault| space.game.fault_at(fault, &session.position()))?;
        if paths.are_alike() {
            return Ok(false);
        }
        paths.tell_apart(&space.actions);
        self.begun = Begun::all(paths);
        Ok(true)
    }

    /// Plays the move of a cell, or of a path, and lists those behind it.
    fn play(&mut self, space: &Space, session: &mut dyn Session, at: At) -> Result<bool, Error> {
        let played = match at {
            At::Cell(bit) => self.past.push_by(|path| session.play_cell(&self.cells, bit, path)),
            At::Path(at) => {
                let path = self.moves.choices.get(self.moves.paths.place(at));
                self.past.push(path);
                session.play_path(path)
            }
        };
        match played {
            Ok(true) => self.list(space, session),
            Ok(false) => Err(Error::NotAMove),
            Err(fault) => Err(space.game.fault_at(fault, &session.position())),
        }
    }

    /// Makes a choice; `None`: it is not legal. What it completes, if it completes a move.
    fn choose(&mut self, board: &Board, action: u16) -> Option<Option<At>> {
        if self.by_cells {
            let bit = usize::from(*board.bits.get(usize::from(action))?);
            return self.cells.has(bit).then_some(Some(At::Cell(bit)));
        }
        self.begun = self.begun.with(&self.moves.paths, action)?;
        Some(self.begun.is_complete(&self.moves.paths).then_some(At::Path(self.begun.first)))
    }

    /// The number of the cell of an action among those that can be chosen. `None`: it cannot.
    fn rank(&self, board: &Board, action: u16) -> Option<usize> {
        let bit = usize::from(*board.bits.get(usize::from(action))?);
        if !self.cells.has(bit) {
            return None;
        }
        let words = self.cells.cells.get(..=bit / 64)?;
        let (last, before) = words.split_last()?;
        let whole: u32 = before.iter().map(|word| word.count_ones()).sum();
        Some((whole + (last & ((1 << (bit % 64)) - 1)).count_ones()) as usize)
    }

    /// The game as one whose moves are data.
    fn listed(&self, space: &Space, seed: u64) -> Result<Run, Error> {
        let mut run = Run::new(&space.actions, self.position(space, seed)?)?;
        run.turns = self.state.turns as u32;
        Ok(run)
    }

    /// The position, with what led to it.
    fn position(&self, space: &Space, seed: u64) -> Result<Position, Error> {
        let mut position = space.first(seed)?;
        self.past.paths().try_for_each(|path| position.play_path(path))?;
        Ok(position)
    }
}

/// A legal move: the bit of its cell, or where its path stands.
#[derive(Clone, Copy)]
enum At {
    Cell(usize),
    Path(usize),
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
    pub fn reset(&mut self, lent: &mut Lent<'_>, first: &First, seed: u64) -> Result<(), Error> {
        (self.seed, self.episode) = (seed, 0);
        self.begin(lent, first)
    }

    fn seed(&self) -> u64 {
        self.seed.wrapping_add(self.episode.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Begins the next game.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn next(&mut self, lent: &mut Lent<'_>, first: &First) -> Result<(), Error> {
        self.episode += 1;
        self.begin(lent, first)
    }

    fn begin(&mut self, lent: &mut Lent<'_>, first: &First) -> Result<(), Error> {
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
        let position = lent.space.first(seed)?;
        if !planned.begin(lent, &position)? {
            let mut run = Run::new(&lent.space.actions, position)?;
            run.settle(&lent.space.actions, &mut self.rng)?;
            self.course = Course::Listed(run);
        }
        Ok(())
    }

    /// Makes a choice, and those of chance behind it; `false`: it is not legal.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn apply(&mut self, lent: &mut Lent<'_>, action: u16) -> Result<bool, Error> {
        let (seed, space) = (self.seed(), lent.space);
        match &mut self.course {
            Course::Listed(run) => {
                let applied = run.apply(&space.actions, action)?;
                run.settle(&space.actions, &mut self.rng)?;
                Ok(applied)
            }
            Course::Planned(planned) => {
                let Some((board, session)) = &mut lent.planned else { return Ok(false) };
                let Some(chosen) = planned.choose(board, action) else { return Ok(false) };
                let Some(at) = chosen else { return Ok(true) };
                if !planned.within(&mut **session, |planned, session| planned.play(space, session, at))? {
                    self.course = Course::Listed(planned.listed(space, seed)?);
                }
                Ok(true)
            }
        }
    }

    /// Steps many lanes at once, each with its action; by lane, whether it was stepped.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn step_all(lent: &mut Lent<'_>, lanes: &mut [Lane], actions: &[i64]) -> Result<SmallVec<[bool; 64]>, Error> {
        let (Some((board, session)), Some(lock_step)) = (&mut lent.planned, &mut lent.lock_step) else {
            return Ok(SmallVec::from_elem(false, lanes.len()));
        };
        let mut paths: SmallVec<[(usize, Option<u32>); 64]> = SmallVec::new();
        let mut games: SmallVec<[CellGame<'_>; 64]> = SmallVec::new();
        for (at, (lane, action)) in lanes.iter_mut().zip(actions).enumerate() {
            let Course::Planned(planned) = &mut lane.course else { continue };
            if !planned.by_cells {
                continue;
            }
            let Some(rank) = u16::try_from(*action).ok().and_then(|action| planned.rank(board, action)) else {
                // It is not legal: the lanes before it go on alone, and those behind it not at all.
                return Ok(SmallVec::from_elem(false, actions.len()));
            };
            // A choice of one option alone is none.
            paths.push((at, (planned.count != 1).then_some(rank as u32)));
            let Planned { state, cells: turns, .. } = planned;
            games.push(CellGame { state, turns, chosen: Some((rank, planned.count)), stepped: Stepped::Left });
        }
        lock_step.step(&mut games);
        let how: SmallVec<[Stepped; 64]> = games.into_iter().map(|game| game.stepped).collect();
        let (mut stepped, mut went) = (SmallVec::from_elem(false, lanes.len()), Ok(()));
        for ((at, path), how) in paths.into_iter().zip(how) {
            let noted = match how {
                Stepped::Left => continue,
                Stepped::Fault(fault, position) => Err(lent.space.game.fault_at(fault, &position)),
                how => lanes[at].stepped(lent.space, &mut **session, (path, how)),
            };
            stepped[at] = true;
            // The others are games of their own.
            went = went.and(noted);
        }
        went.map(|()| stepped)
    }

    /// Takes note of the path of the turn that was stepped, and of what became of the game.
    fn stepped(
        &mut self,
        space: &Space,
        session: &mut dyn Session,
        (path, how): (Option<u32>, Stepped),
    ) -> Result<(), Error> {
        let seed = self.seed();
        let Course::Planned(planned) = &mut self.course else { return Ok(()) };
        planned.past.push(path.as_slice());
        match how {
            Stepped::Left | Stepped::Fault(..) => {}
            Stepped::Over => planned.count = 0,
            Stepped::Cells => planned.count = planned.cells.count(),
            Stepped::Others => {
                if !planned.within(session, |planned, session| planned.list(space, session))? {
                    self.course = Course::Listed(planned.listed(space, seed)?);
                }
            }
        }
        Ok(())
    }

    /// The action that begins a move drawn uniformly; `None`: the game is over.
    pub fn drawn(&mut self, sessions: &Sessions) -> Option<u16> {
        match &self.course {
            Course::Listed(run) => run.drawn(&mut self.rng),
            Course::Planned(planned) if planned.is_over() => None,
            Course::Planned(planned) if planned.by_cells => {
                sessions.board.as_ref()?.nth(&planned.cells, self.rng.random_range(0..planned.count))
            }
            Course::Planned(planned) => Some(planned.begun.drawn(&planned.moves.paths, &mut self.rng)),
        }
    }

    pub fn is_over(&self) -> bool {
        match &self.course {
            Course::Listed(run) => run.is_over(),
            Course::Planned(planned) => planned.is_over(),
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
        lent: &mut Lent<'_>,
        (planes, counters, mask): (&mut [u8], &mut [f32], &mut [u8]),
    ) -> Result<(), Error> {
        mask.fill(0);
        let layout = &lent.space.layout;
        match (&mut self.course, &mut lent.planned) {
            (Course::Listed(run), _) => {
                layout.write(&run.position, run.chooser(), run.chosen(), planes, counters)?;
                run.legal().for_each(|(action, _)| mask[usize::from(action)] = 1);
            }
            (Course::Planned(planned), Some((board, session))) => {
                if let Some(sources) = &board.sources {
                    layout.write_registers(sources, &planned.state, planned.chosen(), planes, counters);
                } else {
                    let position = planned.within(&mut **session, |_, session| session.position());
                    layout.write_turn(&position, planned.chosen(), planes, counters);
                }
                if planned.by_cells {
                    board.actions.write(|at| planned.cells.cells[at], mask);
                } else {
                    planned.begun.next(&planned.moves.paths).for_each(|action| mask[usize::from(action)] = 1);
                }
            }
            (Course::Planned(_), None) => {}
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
