//! Lanes: games that go on side by side, choice by choice; an action goes in, what is legal next and what is seen come out.
//!
//! Where a game has a plan, a lane is little more than its registers: each thread has one session, which takes them over,
//! goes on, and gives them back. No move is made as data. Where a [group](crate::group) plays in lock step, its games stand
//! in its context, and a lane has one only while its turn is not the choice of a cell.

use std::cell::RefCell;

use lusoria::batch::{LockStep, WarpContext};
use lusoria::board::Player;
use lusoria::interp::{CellTurns, Extent, GameState, Session, nth_bit};
use lusoria::{Error, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use thread_local::ThreadLocal;

use crate::actions::{Begun, Paths};
use crate::observe::Sources;
use crate::run::{Run, Space};
use crate::spread::Spread;

/// One game of many.
pub struct Lane {
    rng: Xoshiro256PlusPlus,
    seed: u64,
    episode: u64,
    past: Past,
    /// Apart from what stands above, which is used at each step of lock step too.
    course: Box<Course>,
}

/// How a game goes on.
#[expect(clippy::large_enum_variant, reason = "nearly all are planned")]
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
    #[inline]
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

    /// The position to which they led.
    fn position(&self, space: &Space, seed: u64) -> Result<Position, Error> {
        let mut position = space.first(seed)?;
        self.paths().try_for_each(|path| position.play_path(path))?;
        Ok(position)
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
pub struct Board {
    /// By cell: its bit; and by bit, of the cell.
    bits: Vec<u16>,
    cells: Vec<u16>,
    /// Bits stand in the order of cells.
    is_in_order: bool,
    /// From bits to actions.
    pub actions: Spread,
    /// `None`: observations are written from positions.
    pub sources: Option<Sources>,
}

impl Board {
    /// `None`: two cells have the same place.
    fn new(space: &Space, session: &dyn Session) -> Option<Board> {
        let places = session.places();
        let bits = places.bitboard.bits().to_vec();
        Some(Board {
            is_in_order: places.bitboard.is_in_order(),
            actions: Spread::new(bits.iter().map(|bit| usize::from(*bit)).zip(0..), bits.len())?,
            sources: space.layout.sources(places),
            cells: (0..places.bitboard.size()).map(|bit| places.bitboard.cell(bit).map_or(0, |cell| cell.0)).collect(),
            bits,
        })
    }

    /// The bit of the cell that an action chooses. `None`: it chooses none.
    #[inline(always)]
    fn bit(&self, action: u16) -> Option<usize> {
        self.bits.get(usize::from(action)).map(|bit| usize::from(*bit))
    }

    /// The number of the cell of an action among those of a set, and how many these are. `None`: it is not one of them.
    #[inline(always)]
    pub fn rank(&self, cells: impl Iterator<Item = u64>, action: u16) -> Option<(u32, u32)> {
        let bit = self.bit(action)?;
        let (mut rank, mut of) = (None, 0);
        for (at, word) in cells.enumerate() {
            if at == bit / 64 && word >> (bit % 64) & 1 == 1 {
                rank = Some(of + (word & ((1 << (bit % 64)) - 1)).count_ones());
            }
            of += word.count_ones();
        }
        Some((rank?, of))
    }

    /// The cell with a number among those of a set.
    #[inline(always)]
    pub fn nth(&self, mut cells: impl Iterator<Item = u64> + Clone, number: u32) -> Option<u16> {
        if !self.is_in_order {
            let has =
                |bit: u16| cells.clone().nth(usize::from(bit / 64)).is_some_and(|word| word >> (bit % 64) & 1 == 1);
            let mut having = (0..self.bits.len() as u16).filter(|action| has(self.bits[usize::from(*action)]));
            return having.nth(number as usize);
        }
        let (mut left, mut first) = (number, 0);
        let word = loop {
            let word = cells.next()?;
            let Some(behind) = left.checked_sub(word.count_ones()) else { break word };
            (left, first) = (behind, first + 64);
        };
        self.cells.get(first + nth_bit(word, left).trailing_zeros() as usize).copied()
    }
}

/// What a lane is played by while it is stepped.
pub struct Lent<'s> {
    pub space: &'s Space,
    pub planned: Option<(&'s Board, &'s mut dyn Session)>,
    pub lock_step: Option<&'s mut dyn LockStep>,
    /// Room for planes of one game.
    pub packed: Vec<[u64; 1]>,
}

impl Lent<'_> {
    /// A context for as many games as are stepped at once. `None`: each is stepped alone.
    pub fn context(&self) -> Option<WarpContext> {
        self.lock_step.as_ref().map(|lock_step| lock_step.context())
    }
}

impl Sessions {
    pub fn new(space: &Space) -> Sessions {
        let board = space.game.session().and_then(|session| Board::new(space, &*session));
        Sessions { threads: ThreadLocal::new(), board }
    }

    /// How the plan has the board. `None`: the game has no plan.
    pub fn board(&self) -> Option<&Board> {
        self.board.as_ref()
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
                play(&mut Lent { space, planned: Some((board, &mut **session)), lock_step, packed: Vec::new() })
            }
            None => play(&mut Lent { space, planned: None, lock_step: None, packed: Vec::new() }),
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

    /// The first position, where the turn is the choice of one of some cells.
    pub fn of_cells(&self) -> Option<(&GameState, &[u64])> {
        self.0.as_ref().and_then(Planned::of_cells)
    }
}

impl Planned {
    /// Begins with a position, and lists its moves; `false`: there is no plan, or some moves have the same path.
    fn begin(&mut self, lent: &mut Lent<'_>, position: &Position) -> Result<bool, Error> {
        // A ply is a move here, and a planned game counts turns.
        let asks = &position.game().model().asks;
        if asks.plies || asks.chance {
            return Ok(false);
        }
        let (Some(state), Some((_, session))) = (position.exported(), &mut lent.planned) else { return Ok(false) };
        self.state = state;
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
    }

    /// The game, where its turn is the choice of one of some cells.
    fn of_cells(&self) -> Option<(&GameState, &[u64])> {
        (self.by_cells && self.count > 0).then_some((&self.state, self.cells.cells.as_slice()))
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
        let listed = session.list(Extent::Turn, &mut |one| {
            paths.push(&space.actions, one.written);
            choices.push(one.path);
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
    fn play(&mut self, space: &Space, session: &mut dyn Session, (at, past): (At, &mut Past)) -> Result<bool, Error> {
        let played = match at {
            At::Cell(bit) => past.push_by(|path| session.play_cell(&self.cells, bit, path)),
            At::Path(at) => {
                let path = self.moves.choices.get(self.moves.paths.place(at));
                past.push(path);
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
            let bit = board.bit(action)?;
            return self.cells.has(bit).then_some(Some(At::Cell(bit)));
        }
        self.begun = self.begun.with(&self.moves.paths, action)?;
        Some(self.begun.is_complete(&self.moves.paths).then_some(At::Path(self.begun.first)))
    }
    /// The game as one whose moves are data.
    fn listed(&self, space: &Space, (seed, past): (u64, &Past)) -> Result<Run, Error> {
        let mut run = Run::new(&space.actions, past.position(space, seed)?)?;
        run.turns = self.state.turns as u32;
        Ok(run)
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
        let course = Box::new(Course::Planned(Planned::default()));
        Lane { rng, seed: 0, episode: 0, past: Past::default(), course }
    }

    /// The next game will be the first of a seed.
    pub fn seed(&mut self, seed: u64) {
        (self.seed, self.episode) = (seed, 0);
        self.renew();
    }

    /// The next game will be the next of the seed.
    pub fn next(&mut self) {
        self.episode += 1;
        self.renew();
    }

    fn renew(&mut self) {
        self.rng = Xoshiro256PlusPlus::seed_from_u64(self.game_seed());
        self.past.0.clear();
    }

    fn game_seed(&self) -> u64 {
        self.seed.wrapping_add(self.episode.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Begins the next game.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn begin(&mut self, lent: &mut Lent<'_>, first: &First) -> Result<(), Error> {
        let seed = self.game_seed();
        if matches!(*self.course, Course::Listed(_)) {
            *self.course = Course::Planned(Planned::default());
        }
        let Course::Planned(planned) = &mut *self.course else { return Ok(()) };
        if let First(Some(first)) = first {
            planned.copy_from(first);
            return Ok(());
        }
        let position = lent.space.first(seed)?;
        if !planned.begin(lent, &position)? {
            let mut run = Run::new(&lent.space.actions, position)?;
            run.settle(&lent.space.actions, &mut self.rng)?;
            *self.course = Course::Listed(run);
        }
        Ok(())
    }

    /// Makes a choice, and those of chance behind it; `false`: it is not legal.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn apply(&mut self, lent: &mut Lent<'_>, action: u16) -> Result<bool, Error> {
        let (seed, space) = (self.game_seed(), lent.space);
        match &mut *self.course {
            Course::Listed(run) => {
                let applied = run.apply(&space.actions, action)?;
                run.settle(&space.actions, &mut self.rng)?;
                Ok(applied)
            }
            Course::Planned(planned) => {
                let Some((board, session)) = &mut lent.planned else { return Ok(false) };
                let Some(chosen) = planned.choose(board, action) else { return Ok(false) };
                let Some(at) = chosen else { return Ok(true) };
                let at = (at, &mut self.past);
                if !planned.within(&mut **session, |planned, session| planned.play(space, session, at))? {
                    *self.course = Course::Listed(planned.listed(space, (seed, &self.past))?);
                }
                Ok(true)
            }
        }
    }

    /// The game, where its turn is the choice of one of some cells.
    pub fn of_cells(&self) -> Option<(&GameState, &[u64])> {
        match &*self.course {
            Course::Listed(_) => None,
            Course::Planned(planned) => planned.of_cells(),
        }
    }

    /// Takes note of a choice of one cell that was played elsewhere: its number among so many.
    #[inline]
    pub fn record_choice(&mut self, (chosen, of): (u32, u32)) {
        // A choice of one option alone is none.
        self.past.push(if of == 1 { &[] } else { std::slice::from_ref(&chosen) });
    }

    /// Takes over a game that was played elsewhere, and lists its moves.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn import(&mut self, lent: &mut Lent<'_>, state: GameState) -> Result<(), Error> {
        let (seed, space) = (self.game_seed(), lent.space);
        let (Course::Planned(planned), Some((_, session))) = (&mut *self.course, &mut lent.planned) else {
            return Ok(());
        };
        planned.state = state;
        if !planned.within(&mut **session, |planned, session| planned.list(space, session))? {
            *self.course = Course::Listed(planned.listed(space, (seed, &self.past))?);
        }
        Ok(())
    }

    /// A number below another, drawn.
    #[inline(always)]
    pub fn below(&mut self, of: u32) -> u32 {
        self.rng.random_range(0..of)
    }

    /// The action that begins a move drawn uniformly; `None`: the game is over.
    pub fn drawn(&mut self, board: Option<&Board>) -> Option<u16> {
        match &*self.course {
            Course::Listed(run) => run.drawn(&mut self.rng),
            Course::Planned(planned) if planned.is_over() => None,
            Course::Planned(planned) if planned.by_cells => {
                board?.nth(planned.cells.cells.iter().copied(), self.rng.random_range(0..planned.count) as u32)
            }
            Course::Planned(planned) => Some(planned.begun.drawn(&planned.moves.paths, &mut self.rng)),
        }
    }

    pub fn is_over(&self) -> bool {
        match &*self.course {
            Course::Listed(run) => run.is_over(),
            Course::Planned(planned) => planned.is_over(),
        }
    }

    pub fn chooser(&self) -> Player {
        match &*self.course {
            Course::Listed(run) => run.chooser(),
            Course::Planned(planned) => planned.state.to_move,
        }
    }

    pub fn turns(&self) -> u32 {
        match &*self.course {
            Course::Listed(run) => run.turns,
            Course::Planned(planned) => planned.state.turns as u32,
        }
    }

    /// 1 for a win, -1 for a loss, 0 for a draw, and while the game goes on.
    pub fn payoff(&self, player: Player) -> f64 {
        match &*self.course {
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
        match (&mut *self.course, &mut lent.planned) {
            (Course::Listed(run), _) => {
                layout.write(&run.position, run.chooser(), run.chosen(), planes, counters)?;
                run.legal().for_each(|(action, _)| mask[usize::from(action)] = 1);
            }
            (Course::Planned(planned), Some((board, session))) => {
                if let Some(sources) = &board.sources {
                    let state = &planned.state;
                    let mut packed = std::mem::take(&mut lent.packed);
                    sources.pack(|reg, word| [state.sets[reg * sources.words + word]], &mut packed);
                    let number = |reg: usize| state.numbers[reg];
                    layout.write_registers(sources, (state.to_move, |at| packed[at][0], number), planes, counters);
                    lent.packed = packed;
                    layout.write_choices(state.to_move, planned.chosen(), planes, counters);
                } else {
                    let position = planned.within(&mut **session, |_, session| session.position());
                    layout.write_turn(&position, planned.chosen(), planes, counters);
                }
                if planned.by_cells {
                    lent.packed.clear();
                    board.actions.pack(|word| [planned.cells.cells[word]], &mut lent.packed);
                    board.actions.write(lent.packed.iter().map(|[word]| *word), mask);
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
        match &*self.course {
            Course::Listed(run) => Ok(run.position.clone()),
            Course::Planned(_) => self.past.position(space, self.game_seed()),
        }
    }
}
