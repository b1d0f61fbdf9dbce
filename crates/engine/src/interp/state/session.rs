//! Session of one game: what lasts from turn to turn, and the position that it began with.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::board::Player;
use crate::interp::bitset::Bitset;
use crate::interp::state::program::{Program, Programs};
use crate::interp::state::search::RegisterStack;
use crate::interp::state::turn::Flags;
use crate::interp::state::vm::Vm;
use crate::model::Game;
use crate::plan::Plan;
use crate::position::{Outcome, Position};
use crate::reference::Executor;

/// A game being played.
pub struct ScalarSession<const W: usize> {
    pub game: Arc<Game>,
    pub plan: Arc<Plan>,
    /// The empty position of the game, with the first values of what is remembered.
    pub empty: Arc<Position>,
    /// The program that plays.
    pub program: Arc<Program<W>>,
    pub programs: Arc<Programs<W>>,
    /// The one that records choices, once it was asked for.
    pub annotated: OnceCell<Arc<Program<W>>>,
    pub vm: Vm<W>,
    pub to_move: Player,
    pub opening: u32,
    pub turns: u64,
    /// Parts of turns in which a player chose, where turns are suspended.
    pub plies: u64,
    /// What the turn has done so far, if it is suspended before a continuation.
    pub suspended: Flags,
    /// Chance has made the ply that was played last by its path.
    pub is_by_chance: bool,
    pub outcome: Option<Outcome>,
    pub seats: u8,
    /// The positions of a game are recorded; and also where `end` does not ask for them.
    pub records: bool,
    pub records_for_turns: bool,
    pub loaded: Loaded<W>,
    /// Turns are played again that were followed by others.
    pub replays: bool,
    /// Some turns are no more than the choice of a cell, and no others count as the same.
    pub has_cell_turns: bool,
    /// All turns that choose something are such.
    pub has_only_cell_turns: bool,
    /// The position before turns of it were tried.
    pub begun: RegisterStack<W>,
    /// Lists the turns of a position before one of them was played.
    pub lister: Option<Box<ScalarSession<W>>>,
}

/// A position as it was loaded.
#[derive(Default)]
pub struct Loaded<const W: usize> {
    pub sets: Vec<Bitset<W>>,
    pub numbers: Vec<i64>,
    pub to_move: Player,
    pub opening: u32,
    pub turns: u64,
    pub outcome: Option<Outcome>,
    pub suspended: Flags,
    /// Entries of the history, the position's own among them.
    pub history: (usize, usize),
}

impl<const W: usize> ScalarSession<W> {
    pub fn new(game: &Arc<Game>, plan: &Arc<Plan>, programs: &Arc<Programs<W>>) -> ScalarSession<W> {
        // Where a first value comes to a fault, no game begins.
        let empty = Executor::new().empty(game).unwrap_or_else(|_| Position::empty(game));
        let choices = &programs.optimized.cell_choices;
        let tells_turns_apart = plan.ambiguity.is_none() && plan.argmax.is_none() && plan.carry.is_none();
        ScalarSession {
            game: game.clone(),
            plan: plan.clone(),
            empty: Arc::new(empty),
            // Copies of its own: threads that count the uses of one wait for each other.
            program: Arc::new(Program::clone(&programs.optimized)),
            programs: programs.clone(),
            annotated: OnceCell::new(),
            vm: Vm::new(&programs.optimized),
            to_move: Player(0),
            opening: 0,
            turns: 0,
            plies: 0,
            suspended: Flags::default(),
            is_by_chance: false,
            outcome: None,
            seats: game.seats.len() as u8,
            records: game.asks.times_pieces || game.asks.times_position,
            records_for_turns: programs.optimized.asks_history,
            loaded: Loaded::default(),
            replays: false,
            has_cell_turns: tells_turns_apart && choices.are_turns.contains(&true),
            has_only_cell_turns: tells_turns_apart && choices.are_all,
            begun: RegisterStack::default(),
            lister: None,
        }
    }

    /// The program that records choices.
    pub fn annotated(&self) -> Arc<Program<W>> {
        self.annotated.get_or_init(|| Arc::new(Program::clone(self.programs.annotated()))).clone()
    }
}
