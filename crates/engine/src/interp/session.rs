//! Session interface: a position goes in; turns, playouts, counts and outcomes come out.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Player;
use crate::interp::state::repetition::RepetitionTable;
use crate::interp::state::sampler::TurnCount;
use crate::interp::state::snapshot::{CellTurns, GameState, Snapshot};
use crate::plan::{BitboardLayout, PositionLayout};
use crate::position::{Fault, Outcome, Position, Probability, Written};

/// How a playout went.
#[derive(Clone, Copy, Debug)]
pub struct Playout {
    /// `None`: the bound of turns was reached.
    pub outcome: Option<Outcome>,
    pub turns: u64,
    /// Parts of turns in which a player chose: the turns, where none is suspended.
    pub plies: u64,
    /// Legal turns, added up over all turns; of turns that are suspended, what their parts could be.
    pub choices: TurnCount,
}

/// What it took to draw a turn, or a part of one, by its rank.
#[derive(Clone, Copy, Debug)]
pub struct DrawCost {
    /// The program whose runs were drawn.
    pub program: ProgramId,
    /// So many ranks were drawn.
    pub ranks: u64,
    /// Runs that there are, as far as that can be told: the bound for each rank that was drawn, or those that were gone through
    /// when all ranks were drawn in vain.
    pub runs: u64,
}

/// A program that chooses: its seat, and its place among those of its sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProgramId {
    Turn(usize),
    Opening(usize, usize),
    Continuation(usize, usize),
}

/// A legal turn.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The written choices, in order.
    pub written: Vec<Written>,
    /// The position that it leads to, with a history that begins there.
    pub after: Position,
    pub outcome: Option<Outcome>,
}

/// What is listed as a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A ply: the turn, where turns are not suspended.
    Ply,
    /// What is left of the turn, up to its end.
    Turn,
}

/// A legal move that was not played, lent: what it writes, and which choices make it.
#[derive(Clone, Copy, Debug)]
pub struct LentMove<'l> {
    /// The written choices, in order.
    pub written: &'l [Written],
    /// The number of the option taken at each choice that has several. Where turns are suspended, the number of continuations
    /// that the move goes through stands before them.
    pub path: &'l [u32],
    pub ends_turn: bool,
    /// How likely chance makes it. `None`: a player does.
    pub probability: Option<Probability>,
    /// It is a move only if the reference executor lists it: it depends on choices that leave no trace in a run.
    pub in_doubt: bool,
}

impl<'l> LentMove<'l> {
    /// A move of a player.
    pub fn of_player(written: &'l [Written], path: &'l [u32], ends_turn: bool) -> LentMove<'l> {
        LentMove { written, path, ends_turn, probability: None, in_doubt: false }
    }
}

/// A turn that was drawn and played, among those that could have been.
#[derive(Clone, Debug)]
pub struct TracedTurn {
    /// Of how many it was drawn, as a playout counts them.
    pub count: TurnCount,
    /// The written choices of all turns, in the order of the program.
    pub written: Vec<Vec<Written>>,
    /// The first of them that leads where the turn led; `None` is a mistake of the executor.
    pub played: Option<usize>,
}

/// A part of a turn that was drawn and played, among those that could have been.
#[derive(Clone, Debug)]
pub struct TracedPart {
    /// Of how many it was drawn, where it is a player's ply.
    pub ply: Option<TurnCount>,
    /// The written choices of all runs, in the order of the program.
    pub written: Vec<Vec<Written>>,
    /// The first of them that leads where the part led; `None` is a mistake of the executor.
    pub played: Option<usize>,
}

/// Where a [`GameState`] has what.
#[derive(Clone, Copy, Debug)]
pub struct Places<'s> {
    /// Words of each set register.
    pub words: usize,
    pub bitboard: &'s BitboardLayout,
    pub position: &'s PositionLayout,
}

/// Plays games. The position is its own until the next is loaded.
pub trait Session: Send {
    /// Takes over a position at the beginning of a turn, with a history that begins there. `false`:
    /// the plan has no place for something in it.
    fn load(&mut self, position: &Position) -> bool;
    /// Goes back to the position that was loaded last.
    fn restart(&mut self);
    /// Plays turns drawn uniformly until the game is over or so many turns are played.
    ///
    /// # Errors
    /// A fault of the rules.
    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus, max_turns: u64) -> Result<Playout, Fault>;
    /// Plays one turn, drawn uniformly.
    ///
    /// # Errors
    /// A fault of the rules.
    fn step(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<(), Fault>;
    /// Plays so many turns drawn uniformly, or until they take so much work, and tells what each draw by rank took. A game
    /// that is over begins anew; a fault ends it.
    fn draw_costs(&mut self, rng: &mut Xoshiro256PlusPlus, turns: u32, most_work: u64) -> Vec<DrawCost>;
    /// All turns from here, in the order of the program; a game that is over has none.
    ///
    /// # Errors
    /// A fault of the rules.
    fn turns(&mut self) -> Result<Vec<Turn>, Fault>;
    /// The number of sequences of so many whole turns from here, where the
    /// [engine](crate::interp::Engine::has_perft) counts them; a game that is over has none.
    /// Outcomes that ask the history are not asked; draws are, unless play is to go on past them.
    /// The position is as before.
    ///
    /// # Errors
    /// A fault of the rules.
    fn perft(&mut self, depth: u32, past_draws: bool) -> Result<u64, Fault>;
    /// Whether the player to move has a turn that wins at once. Turns that are suspended do not. The position is spoilt.
    ///
    /// # Errors
    /// A fault of the rules.
    fn wins_at_once(&mut self) -> Result<bool, Fault>;
    fn position(&self) -> Position;
    fn outcome(&self) -> Option<Outcome>;
    /// Copies the game into a hand; the history goes with it.
    fn export_state(&mut self, hand: &mut GameState);
    /// Goes on with the game of a hand; the history is taken out of it.
    fn import_state(&mut self, hand: &mut GameState);
    /// Asks `end` again, as after the turn of the player; `stuck`: one of whom his turn showed that
    /// he is.
    ///
    /// # Errors
    /// A fault of the rules.
    fn evaluate_end_after(&mut self, before: Player, stuck: Option<Player>) -> Result<(), Fault>;
    /// Plays one turn, drawn uniformly, and tells of how many; `None`: there was none, and the game
    /// is over.
    ///
    /// # Errors
    /// A fault of the rules.
    fn one_turn(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<TurnCount>, Fault>;
    /// The same, and tells which of all turns was played. It costs about as much as listing them.
    ///
    /// # Errors
    /// A fault of the rules; also too many turns to list, after the turn was played.
    fn traced_turn(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<TracedTurn>, Fault>;
    /// The same of a turn in which chance chooses, part by part.
    ///
    /// # Errors
    /// A fault of the rules; also too many runs to list, after the turn was played.
    fn traced_parts(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<Vec<TracedPart>>, Fault>;
    /// Copies the game out, without the history before it.
    fn snapshot(&self) -> Snapshot;
    /// Goes on with a game. The history must be that of the game already: see [`Session::history`].
    fn enter(&mut self, state: &Snapshot);
    /// What has been recorded of the game's positions.
    fn history(&mut self) -> &mut RepetitionTable;
    /// All moves from here, each once and lent, in the order of the program; a game that is over has none.
    /// The position is as before. Where turns are suspended, the
    /// [engine](crate::interp::Engine::lists_plies) must list plies.
    ///
    /// # Errors
    /// A fault of the rules, perhaps behind some of the moves.
    fn list(&mut self, extent: Extent, each: &mut dyn FnMut(LentMove<'_>)) -> Result<(), Fault>;
    /// Plays the move of a path, and asks whether the game is over, if the turn is. `false`: no move
    /// of this position has the path; then the position is spoilt.
    ///
    /// # Errors
    /// A fault of the rules; then the position is spoilt.
    fn play_path(&mut self, path: &[u32]) -> Result<bool, Fault>;
    /// What the ply writes that was played by its path, if it suspends the turn.
    fn written(&self) -> Vec<Written>;
    /// The cells of which one is chosen in each turn from here, where that is all that a turn chooses
    /// and writes. `false`: turns are made in other ways, too. The position is as before.
    ///
    /// # Errors
    /// A fault of the rules.
    fn cell_turns(&mut self, turns: &mut CellTurns) -> Result<bool, Fault>;
    /// Plays the turn of the cell of a bit, where these are the turns from here. It adds the turn's path
    /// to a list, and asks whether the game is over. `false`: there is no such turn; then the position is
    /// spoilt.
    ///
    /// # Errors
    /// A fault of the rules; then the position is spoilt.
    fn play_cell(&mut self, turns: &CellTurns, bit: usize, path: &mut Vec<u32>) -> Result<bool, Fault>;
    /// Each turn of the game that chooses something is the choice of one cell.
    fn has_only_cell_turns(&self) -> bool;
    /// Where a [`GameState`] has what.
    fn places(&self) -> Places<'_>;
    /// The player who is next.
    fn to_move(&self) -> Player;
    /// Who chooses the next ply of a turn that is suspended.
    fn chooser(&self) -> Option<Player>;
    /// Chance makes the next choice. The position is spoilt.
    ///
    /// # Errors
    /// A fault of the rules.
    fn is_chance_next(&mut self) -> Result<bool, Fault>;
}
