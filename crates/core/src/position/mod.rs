//! Position: what every executor plays on. Men, hands, remembered values, history, outcome. It
//! reads the shape of a game and knows none of its rules.
//!
//! All changes go through methods that leave a record on one trail: [`Position::mark`] and
//! [`Position::undo_to`] serve backtracking within a turn and taking back whole turns alike.

mod build;
mod change;
mod fault;
mod hash;
mod value;

use std::sync::Arc;

use smallvec::SmallVec;

use crate::board::{Cell, CellSet, Kind, Player};
use crate::model::{Game, StateId};

pub use crate::position::change::{Lifted, Mark, View};
pub use crate::position::fault::{Fault, FaultKind, MAX_DRAWN_BYTES, MAX_HEIGHT, MAX_SUPPOSED, MAX_WORK, most_men};
pub use crate::position::hash::{Mixer, man_hash};
pub use crate::position::value::{Outcome, Probability, Value, Written, calculate};

/// One man. `owner` is `None` for neutral men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    pub owner: Option<Player>,
    pub kind: Kind,
}

/// The kind of a man that is only thought to stand somewhere: no kind of the game.
pub const NO_KIND: Kind = Kind(u8::MAX);

/// The men of a cell, the lowest first.
pub type Stack = SmallVec<[Man; 4]>;

/// A ply of the present turn that has been made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub written: Vec<Written>,
    /// The fingerprint of the position after it.
    pub fingerprint: u128,
    /// Who chooses next; `None` is chance.
    pub next: Option<Player>,
    /// Of a ply before or behind which chance chooses: the number of the option taken at each
    /// choice since the turn's start. What follows goes on from exactly there.
    pub path: Option<Box<[u32]>>,
}

impl Step {
    /// Chance has made its choices.
    pub fn is_by_chance(&self) -> bool {
        self.path.is_some() && self.next.is_some()
    }
}

/// What history keeps of a position: its hashes, 0 for those that the game never asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noted {
    pub pieces: u128,
    pub position: u128,
}

/// What positions of one game have in common.
#[derive(Debug)]
struct Schema {
    cells: usize,
    players: usize,
    kinds: usize,
    stacks: bool,
    /// Turns of the whole opening.
    opening: u32,
    states: Vec<StateShape>,
    first: Vec<Value>,
    times_pieces: bool,
    times_position: bool,
}

/// Where the copies of a remembered value stand among all values, and how it behaves.
#[derive(Clone, Copy, Debug)]
struct StateShape {
    start: usize,
    copies: usize,
    on_pieces: bool,
    for_one_turn: bool,
    compared: bool,
}

impl StateShape {
    fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.copies
    }
}

/// A position with its history. Between the plies of a turn it is the turn's start and the steps
/// made since.
///
/// Equality of positions is that of their fingerprints; `Position` itself has none.
#[derive(Clone, Debug)]
pub struct Position {
    schema: Arc<Schema>,
    men: Vec<Stack>,
    /// Cells by their top man: his owner, his kind.
    of: Vec<CellSet>,
    kinds: Vec<CellSet>,
    neutral: CellSet,
    occupied: CellSet,
    waiting: Vec<(Cell, Stack)>,
    waiting_cells: CellSet,
    hands: Vec<u32>,
    values: Vec<Value>,
    /// Which values were `set` in this turn.
    touched: Vec<bool>,
    to_move: Player,
    opening: u32,
    turns: u32,
    plies: u32,
    begun: Vec<Step>,
    history: Vec<Noted>,
    outcome: Option<Outcome>,
    men_hash: u128,
    trail: Vec<crate::position::change::Change>,
    old_values: Vec<Value>,
}

impl Position {
    /// The top man of a cell; none if he waits to leave.
    pub fn top(&self, cell: Cell) -> Option<Man> {
        self.men[cell.index()].last().copied()
    }

    /// The men of a cell, the lowest first, without those that wait to leave.
    pub fn men(&self, cell: Cell) -> &[Man] {
        &self.men[cell.index()]
    }

    /// How many men stand on the board, without those that wait to leave.
    pub fn count_men(&self) -> usize {
        self.men.iter().map(|men| men.len()).sum()
    }

    /// How many men stand on a cell, those that wait to leave included.
    pub fn height(&self, cell: Cell) -> usize {
        let waiting = self.waiting.iter().filter(|(at, _)| *at == cell).map(|(_, stack)| stack.len());
        self.men[cell.index()].len() + waiting.sum::<usize>()
    }

    /// Cells whose top man is the player's.
    pub fn of(&self, player: Player) -> &CellSet {
        &self.of[player.index()]
    }

    /// Cells whose top man is of the kind.
    pub fn kind(&self, kind: Kind) -> &CellSet {
        &self.kinds[kind.index()]
    }

    /// Cells whose top man is nobody's.
    pub fn neutral(&self) -> &CellSet {
        &self.neutral
    }

    /// Cells with a man, also one who waits to leave.
    pub fn occupied(&self) -> &CellSet {
        &self.occupied
    }

    /// Caught men that stay until the turn has ended, in the order they were caught.
    pub fn waiting(&self) -> &[(Cell, Stack)] {
        &self.waiting
    }

    /// Men of a kind in a player's hand.
    pub fn hand(&self, player: Player, kind: Kind) -> u32 {
        self.hands[self.hand_index(player, kind)]
    }

    fn hand_index(&self, player: Player, kind: Kind) -> usize {
        player.index() * self.schema.kinds + kind.index()
    }

    /// A remembered value; of one that is not per player, `player` is not asked.
    pub fn value(&self, state: StateId, player: Player) -> &Value {
        &self.values[self.value_index(state, player)]
    }

    /// What the value was on the empty board.
    pub fn first_value(&self, state: StateId, player: Player) -> &Value {
        &self.schema.first[self.value_index(state, player)]
    }

    fn value_index(&self, state: StateId, player: Player) -> usize {
        let shape = &self.schema.states[state.0 as usize];
        shape.start + if shape.copies > 1 { player.index() } else { 0 }
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Player {
        self.to_move
    }

    /// Who makes the next choice: within a turn perhaps another than the player of the turn, or
    /// chance (`None`). Whether chance begins a turn, the executor knows.
    pub fn chooser(&self) -> Option<Player> {
        self.begun.last().map_or(Some(self.to_move), |step| step.next)
    }

    /// Turns of the opening that have been played; `None` if the opening is over or the game has
    /// none.
    pub fn opening(&self) -> Option<u32> {
        (self.opening < self.schema.opening).then_some(self.opening)
    }

    /// Turns played since the start or the position that was loaded.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Plies played likewise.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The plies of the present turn that have been made.
    pub fn begun(&self) -> &[Step] {
        &self.begun
    }

    /// One entry for the first position and one for the end of each turn.
    pub fn history(&self) -> &[Noted] {
        &self.history
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    pub fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// How often the arrangement of men stands in history.
    pub fn times_pieces(&self) -> usize {
        self.history.iter().filter(|noted| noted.pieces == self.men_hash).count()
    }

    /// How often the whole position stands in history.
    pub fn times_position(&self) -> usize {
        let hash = self.position_hash();
        self.history.iter().filter(|noted| noted.position == hash).count()
    }

    /// Turns since the present position, noted last, first stood.
    pub fn cycle(&self) -> usize {
        let hash = self.position_hash();
        let first = self.history.iter().position(|noted| noted.position == hash);
        first.map_or(0, |first| self.history.len().saturating_sub(first + 1))
    }

    /// The position is one that the shape of this game fits: same cells, players, kinds and values.
    pub fn fits(&self, game: &Game) -> bool {
        let shape = &self.schema;
        shape.cells == game.topology.len()
            && shape.players == game.seats.len()
            && shape.kinds == game.kinds.len()
            && shape.states.len() == game.states.len()
    }
}
