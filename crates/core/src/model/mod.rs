//! Model: the game as resolved. Ids, spans, and the names and letters that notation prints; no
//! other text.
//!
//! The checker makes it, executors read it and never change it. Expressions are typed by their Rust
//! type, so an executor needs no test of types. Params are constants; actions and `as usual` are
//! expanded in place; every define stands once for each list of argument types it is called with.

mod example;
mod expr;
pub mod icons;
mod looks;
mod notes;
mod pattern;
mod statement;

use crate::board::{Dir, Kind, Player, PlayerSet, Topology};
use crate::source::{Sources, Span};

pub use crate::model::example::{Claim, Example};
pub use crate::model::expr::{
    Arithmetic, Axes, BandAxis, Call, Cells, Comparison, Coordinate, DefineId, Dirs, Expr, Groups, If, List, Number,
    Players, Slot, StateId, Truth, Type, Where,
};
pub use crate::model::icons::{Icon, IconDrawing};
pub use crate::model::looks::{CellStyle, Colour, Looks, NOTE as LOOKS_NOTE, Region, RegionStyle};
pub use crate::model::notes::{NotedItem, NotedPart, NotedStatement, Notes, StatementId};
pub use crate::model::pattern::{Item, Leg, Line, Path, Times, Way};
pub use crate::model::statement::{
    BlockId, Branch, BranchId, BranchKind, Choice, Chooser, Landing, Man, Picture, Place, Program, Removal, Rounds,
    Statement,
};

/// Most rounds of a `repeat` in one run.
pub const MAX_ROUNDS: u32 = 10_000;
/// Most levels of expressions within each other while defines call themselves.
pub const MAX_NESTED: usize = 50_000;
/// Most plies listed in a position.
pub const MAX_PLIES: usize = 100_000;

/// A game, complete and without mistakes: what every executor runs.
#[derive(Clone, Debug)]
pub struct Game {
    /// The title of the file's game; of a variant, the title of the game that it is a variant of.
    pub title: String,
    pub variant: Option<String>,
    /// The `about` notes, numbers as text.
    pub about: Vec<(String, String)>,
    /// What `about` says of pictures.
    pub looks: Looks,
    /// The params with the values they have: numbers, or `true` and `false`.
    pub params: Vec<(String, Expr)>,
    pub topology: Topology,
    /// Men may stand on each other.
    pub stacks: bool,
    pub captures: Captures,
    /// In turn order, two or more.
    pub seats: Vec<Seat>,
    pub kinds: Vec<KindInfo>,
    pub states: Vec<Remembered>,
    pub defines: Vec<Define>,
    pub setup: Program,
    /// The i-th program is the i-th turn's.
    pub opening: Vec<Program>,
    /// The `move` section.
    pub turn: Program,
    /// Tried in order.
    pub end: Vec<Outcome>,
    /// The `notation` section.
    pub aliases: Vec<Alias<Cells>>,
    /// What the rules claim of themselves; those of the layers below that nothing has replaced come
    /// first.
    pub examples: Vec<Example>,
    /// The statements of all programs, by [`BlockId`].
    pub blocks: Vec<Vec<Statement>>,
    /// By block: the outermost call of an action that the block stands within.
    pub calls: Vec<Option<Span>>,
    /// What coverage counts: the alternatives of the game, by [`BranchId`].
    pub branches: Vec<Branch>,
    /// What branches of `either` are called, each once.
    pub labels: Vec<String>,
    /// The words that some part of the game asks: executors keep only what is asked for.
    pub asks: Asks,
    /// What spans point into.
    pub sources: Sources,
    /// Only where they were asked for.
    pub notes: Option<Notes>,
}

/// Another text for moves: those whose written choices are a cell of each of these sets, in order.
#[derive(Clone, Debug)]
pub struct Alias<Set> {
    pub text: AliasText<Set>,
    pub cells: Vec<Set>,
    pub frame: usize,
}

#[derive(Clone, Debug)]
pub enum AliasText<Set> {
    Fixed(String),
    /// A cell of each of these sets, in order.
    Cells(Vec<Set>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Captures {
    /// Caught men leave at once.
    Leave,
    /// `captures leave at end of move`.
    LeaveAtEnd,
    /// `captures go to hand`.
    ToHand,
}

#[derive(Clone, Debug)]
pub struct Seat {
    pub name: String,
    /// `None` in games without directions; then no expression asks for it.
    pub forward: Option<Dir>,
    /// This player and his partners.
    pub team: PlayerSet,
}

#[derive(Clone, Debug)]
pub struct KindInfo {
    pub name: String,
    /// A capital letter, different for each kind of the game.
    pub letter: char,
    /// The text gives him this letter.
    pub own_letter: bool,
    pub neutral: bool,
    /// What `value` says of a man of this kind; 0 unless the kind says so.
    pub value: i64,
    /// `piece tokin T from pawn`.
    pub from: Option<Kind>,
    /// The ways of the description in order, conditions flattened.
    pub ways: Vec<Way>,
    /// Slots that the expressions of its ways use.
    pub frame: usize,
    pub span: Span,
}

/// A remembered value.
#[derive(Clone, Debug)]
pub struct Remembered {
    pub name: String,
    /// Number, truth or cells; taken on the empty board before `setup`, for each player's copy with
    /// him as `own`.
    pub first: Expr,
    /// Slots that `first` uses.
    pub frame: usize,
    pub per_player: bool,
    pub on_pieces: bool,
    pub for_one_turn: bool,
    pub compared: bool,
    pub span: Span,
}

/// A define for one list of argument types. Its arguments fill the slots `0..parameters` of its own
/// frame.
#[derive(Clone, Debug)]
pub struct Define {
    pub name: String,
    pub parameters: usize,
    /// Slots of its frame, parameters included.
    pub frame: usize,
    /// How deep its body goes, with the defines that it calls.
    pub nest: usize,
    pub body: Expr,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub result: Result,
    pub condition: Truth,
    /// Slots that the outcome's expressions use.
    pub frame: usize,
    pub branch: BranchId,
    /// It asks `times`, `cycle` or a value that is not compared: perft does not ask it.
    pub asks_history: bool,
    /// Of a condition by `or`: which of its parts do so, where some do not. Perft asks the others. Else empty.
    pub parts_ask_history: Vec<bool>,
    /// It asks `last`, `origin`, `passed`, `heading` or `caught`: what the turn before it did.
    pub asks_turn: bool,
    pub span: Span,
}

/// What an outcome says.
#[derive(Clone, Debug)]
pub enum Result {
    Win,
    Lose,
    Draw,
    Wins(Player),
    /// Evaluated for each player as `own`; numbers count as lists of one.
    Highest(Vec<Expr>),
}

/// Words of the history that the game asks anywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asks {
    pub times_pieces: bool,
    /// `times(position)` or `cycle`.
    pub times_position: bool,
    /// Some program has a `most`.
    pub most: bool,
    /// Some program has an `in steps`, or a choice of another than the player of the turn: turns
    /// fall into plies.
    pub plies: bool,
    /// Some program has a choice by chance.
    pub chance: bool,
    /// `changed`.
    pub changed: bool,
    /// `passed` or `heading`: two ways to one cell may not be the same.
    pub path: bool,
    /// `last`, `origin`, `passed`, `heading` or `caught`: what the turn has done so far.
    pub words: bool,
}

impl Game {
    pub fn block(&self, block: BlockId) -> &[Statement] {
        &self.blocks[block.0 as usize]
    }

    /// The outermost call of an action that a block stands within.
    pub fn call_around(&self, block: BlockId) -> Option<Span> {
        self.calls.get(block.0 as usize).copied().flatten()
    }

    pub fn player(&self, player: Player) -> &Seat {
        &self.seats[player.index()]
    }

    pub fn kind(&self, kind: Kind) -> &KindInfo {
        &self.kinds[kind.index()]
    }

    pub fn players(&self) -> impl Iterator<Item = Player> + use<> {
        (0..self.seats.len() as u8).map(Player)
    }

    /// The opponents of a player: all but his team.
    pub fn enemies(&self, player: Player) -> PlayerSet {
        PlayerSet::first(self.seats.len()) - self.player(player).team
    }

    /// The partners of a player, himself left out.
    pub fn allies(&self, player: Player) -> PlayerSet {
        self.player(player).team - PlayerSet::one(player)
    }

    /// The set-up chooses nothing: every game begins with the same position.
    pub fn has_one_setup(&self) -> bool {
        self.is_without_choice(self.setup.block)
    }

    fn is_without_choice(&self, block: BlockId) -> bool {
        self.block(block).iter().all(|statement| match statement {
            Statement::Block(block) => self.is_without_choice(*block),
            Statement::Place { place: Place::On { men, .. }, .. } => men.len() == 1,
            Statement::Assign { .. }
            | Statement::Remember { .. }
            | Statement::Place { .. }
            | Statement::Remove { .. }
            | Statement::Mirror { .. }
            | Statement::Rotate { .. }
            | Statement::Picture { .. } => true,
            _ => false,
        })
    }

    /// The title of the variant, else of the game.
    pub fn name(&self) -> &str {
        self.variant.as_deref().unwrap_or(&self.title)
    }
}
