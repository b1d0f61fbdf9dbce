//! Register programs: what a turn, the choices in it and the outcomes come to on sets of cells, for one seat.
//!
//! A program is a tree of blocks with structured control flow only (`if`, bounded loops, choices), so that the same program can be
//! executed for one game or for many in lock step. Its operations work on two kinds of registers: sets of cells, and numbers (also
//! truths, as 0 and 1, and sets of directions, as bits). The first registers are the position itself.

pub(crate) mod analysis;
pub(crate) mod bitboard;
pub(crate) mod code;
pub(crate) mod codegen;
pub(crate) mod control_flow;
pub(crate) mod disasm;
pub(crate) mod embed_graph;
pub(crate) mod lower;
pub(crate) mod map_regs;
pub(crate) mod op;
pub(crate) mod operands;
pub(crate) mod passes;
pub(crate) mod ray_query;
pub(crate) mod vregs;

pub use crate::plan::analysis::count_bound::domain::{Bound, Term};
pub use crate::plan::analysis::count_bound::lines::{Away, Completion};
pub use crate::plan::bitboard::{Bits, Grid, Hop, MAX_WORDS, NOWHERE};
pub use crate::plan::code::{Cells, Class, Fours, LinkedArm, Near, Point, Split};
pub use crate::plan::codegen::linearize::{Entries, Linked, REGISTERS, TooManyRegisters, link};
pub use crate::plan::codegen::peephole::Bounds;
pub use crate::plan::codegen::scalar::Board;
pub use crate::plan::disasm::print;
pub use crate::plan::lower::{Unplanned, plan};
pub use crate::plan::op::{Cmp, Op};
pub use crate::plan::passes::vectorize::{Fan, LANES, Pairing, row_size};
pub use crate::plan::passes::{Rewrite, Rewrites};
pub use crate::plan::ray_query::Trail;

use smallvec::{SmallVec, smallvec};

use crate::board::{Kind, Player};
use crate::source::Span;

/// A register that holds a set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct S(pub u16);

/// A register that holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct N(pub u16);

/// A place in the rules, for faults, by its number in [`Plan::places`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place(pub u16);

pub type Block = Vec<Node>;

#[derive(Clone, Debug)]
pub enum Node {
    Op(Op),
    If {
        condition: N,
        then: Block,
        otherwise: Block,
    },
    /// The body again and again while the number that it leaves is not 0.
    Loop {
        body: Block,
        again: N,
        counter: N,
        /// Rounds that are over before.
        begun: i64,
        place: Place,
    },
    /// For each cell of the set, in the order of bits; the set is used up.
    Each {
        of: S,
        cell: S,
        body: Block,
    },
    /// For each group of the set; the set is used up.
    EachGroup {
        of: S,
        along: u16,
        group: S,
        body: Block,
    },
    /// A choice: one option of all options of all arms.
    Choose(Vec<Arm>),
    /// The first of the blocks from which the turn can be completed.
    First {
        blocks: Vec<Block>,
    },
    /// The run goes on only if this is not 0.
    Need(N),
    Fail,
}

impl Node {
    /// The blocks within.
    pub fn blocks(&self) -> SmallVec<[&Block; 2]> {
        match self {
            Node::Op(_) | Node::Need(_) | Node::Fail => SmallVec::new(),
            Node::If { then, otherwise, .. } => smallvec![then, otherwise],
            Node::Loop { body, .. } | Node::Each { body, .. } | Node::EachGroup { body, .. } => smallvec![body],
            Node::First { blocks } => blocks.iter().collect(),
            Node::Choose(arms) => arms.iter().map(|arm| &arm.block).collect(),
        }
    }

    /// Something is chosen in it.
    fn chooses(&self) -> bool {
        matches!(self, Node::First { .. } | Node::Choose(_)) || self.blocks().into_iter().flatten().any(Node::chooses)
    }

    /// The blocks within, to be changed.
    pub fn blocks_mut(&mut self) -> SmallVec<[&mut Block; 2]> {
        match self {
            Node::Op(_) | Node::Need(_) | Node::Fail => SmallVec::new(),
            Node::If { then, otherwise, .. } => smallvec![then, otherwise],
            Node::Loop { body, .. } | Node::Each { body, .. } | Node::EachGroup { body, .. } => smallvec![body],
            Node::First { blocks } => blocks.iter_mut().collect(),
            Node::Choose(arms) => arms.iter_mut().map(|arm| &mut arm.block).collect(),
        }
    }
}

/// One way to choose, with options of its own.
#[derive(Clone, Debug)]
pub struct Arm {
    pub options: Options,
    /// What the choice of this arm's option does; the register of the option holds what was chosen.
    pub block: Block,
    /// What kind of option it is, for people.
    pub note: String,
    /// At most how many complete runs there are behind each option.
    pub bound: Bound,
    /// A set that is found before the choice in front of this one, and holds all that the arm offers; what it is the rest of, if it is.
    pub within: Option<S>,
    /// It offers what the arm of this number leaves of this set: [`Rewrite::Part`].
    pub rest_of: Option<(S, usize)>,
    /// A register in which the block puts a man, and of which kinds alone he can be, a bit a kind.
    pub man: Option<(S, u64)>,
    /// The man belongs to the player to move.
    pub own: bool,
    /// The `either` of which it opens a branch, and which.
    pub branch: Option<(Place, u16)>,
    /// Conditions that are asked behind it before anything else is chosen, and whether they hold then.
    pub answers: Vec<(N, bool)>,
}

impl Arm {
    /// An arm of which nothing is known yet.
    pub fn new(options: Options, block: Block, note: impl Into<String>) -> Arm {
        let (bound, answers) = (Bound::default(), Vec::new());
        Arm {
            options,
            block,
            note: note.into(),
            bound,
            within: None,
            rest_of: None,
            man: None,
            own: false,
            branch: None,
            answers,
        }
    }
}

/// What an arm offers, and the register that holds what was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Options {
    /// One of the cells.
    Cells { of: S, cell: S },
    /// A single option if the number is not 0.
    One { open: N },
    /// A number from one to the other.
    Range { from: N, to: N, number: N },
    /// One bit of a set of directions or axes.
    Bits { of: N, bit: N },
    /// Two different cells.
    Pairs { of: S, pair: S },
    /// One group of those in the set, whole.
    Groups { of: S, along: u16, group: S },
}

/// What is told of a choice, for notation; executed only where moves are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    Cell(S),
    Landing {
        cell: S,
        caught: Option<S>,
        sign: Option<char>,
    },
    Number(N),
    Pair(S),
    Group(S),
    Dir(N),
    Axis(N),
    Kind(Kind),
    Promotion(Kind),
    Pass,
    Swap,
    /// Rounds begin of which only the last is written; one of them does; they are over.
    Silent,
    Round,
    Loud,
}

impl Mark {
    fn accesses(self, mut f: impl FnMut(Access)) {
        match self {
            Mark::Cell(s) | Mark::Pair(s) | Mark::Group(s) => f(Access::ReadSet(s)),
            Mark::Landing { cell, caught, .. } => {
                f(Access::ReadSet(cell));
                caught.into_iter().for_each(|s| f(Access::ReadSet(s)));
            }
            Mark::Number(n) | Mark::Dir(n) | Mark::Axis(n) => f(Access::Read(n)),
            Mark::Kind(_) | Mark::Promotion(_) | Mark::Pass | Mark::Swap | Mark::Silent | Mark::Round | Mark::Loud => {}
        }
    }
}

/// A register that an operation touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    ReadSet(S),
    WriteSet(S),
    Read(N),
    Write(N),
    /// Reads and writes all men.
    Men,
    /// Reads the whole position.
    Position,
}

/// Where the parts of a position stand among the registers.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Set registers that are the position.
    pub sets: u16,
    /// Number registers that are the position.
    pub numbers: u16,
    /// By player: his men.
    pub of: Vec<S>,
    /// Men of nobody, if the game has any.
    pub neutral: Option<S>,
    /// By kind: how its cells are known.
    pub kinds: Vec<KindSet>,
    /// By player, then kind: men in hand; empty if the game has no hands.
    pub hands: Vec<N>,
    /// By remembered value, then copy.
    pub states: Vec<Vec<StateCell>>,
    /// Caught men that wait to leave.
    pub waiting: Option<S>,
    /// Remembered sets that turns never give more than one cell: none has more in a position that the plan has a place for.
    pub single: Vec<S>,
    /// Men of a player and a kind of which there is one alone when a game begins: the registers that share him.
    pub lone: Vec<(S, S)>,
}

impl Layout {
    /// Registers that operations on men write: whose they are, of which kind, and what is remembered of cells, which goes with them.
    fn men(&self) -> Vec<S> {
        let kinds = self.kinds.iter().filter_map(|kind| if let KindSet::Register(reg) = kind { Some(*reg) } else { None });
        let states = self.states.iter().flatten();
        let marks = states.filter_map(|cell| if let StateCell::Set(reg) = cell { Some(*reg) } else { None });
        self.of.iter().copied().chain(self.neutral).chain(kinds).chain(marks).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindSet {
    Register(S),
    /// The only kind of the players' men.
    AllOwned,
    /// The only kind of nobody's men.
    AllNeutral,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateCell {
    Set(S),
    Number(N),
}

/// Registers that tell which outcomes are asked, 1 or 0, where some can be left out, as perft does: those that ask the history, and
/// draws.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judging {
    pub history: Option<N>,
    pub draws: Option<N>,
    /// 1 where the runs behind the next choice are only counted.
    pub counting: Option<N>,
}

/// Of the complete runs of a turn that have a value only those stay whose value is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contest {
    /// Where a run leaves its value.
    pub value: N,
}

impl Contest {
    /// What stands there in a run that has none.
    pub const NONE: i64 = i64::MIN;
}

/// The programs of a game.
#[derive(Clone, Debug)]
pub struct Plan {
    pub grid: Grid,
    pub layout: Layout,
    /// Registers that always hold the same.
    pub consts: Vec<(S, Bits)>,
    pub const_numbers: Vec<(N, i64)>,
    /// Sets of directions by number, as the hops they consist of.
    pub along: Vec<SmallVec<[u16; 2]>>,
    /// Those of them along which groups are looked for, with what lies around each cell known: see [`Rewrite::Groups`].
    pub flooded: Vec<u16>,
    /// Lists of rows of cells.
    pub lists: Vec<Vec<Bits>>,
    /// How rows of these lists become whole.
    pub completions: Vec<Completion>,
    /// What is looked for from single cells.
    pub trails: Vec<Trail>,
    pub judging: Judging,
    /// What is done along several directions at once.
    pub fans: Vec<Fan>,
    /// Registers that follow one another: the first, and how many.
    pub rows: Vec<(S, usize)>,
    pub places: Vec<Span>,
    pub seats: Vec<SeatPlan>,
    /// Registers below these numbers mean the same in all programs: the position, and the words of the turn.
    pub shared_sets: u16,
    pub shared_numbers: u16,
    /// Some turn may be a pass.
    pub has_pass: bool,
    /// Runs that `most` compares.
    pub contest: Option<Contest>,
    /// Two runs may give the same turn, which counts once.
    pub in_doubt: Option<Doubt>,
}

/// What makes runs of which two may write the same and come to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub place: Place,
    pub why: &'static str,
}

/// The programs of one seat.
#[derive(Clone, Debug)]
pub struct SeatPlan {
    pub player: Player,
    pub turn: Block,
    /// The turns of the opening, in order.
    pub opening: Vec<Block>,
    /// What leaves and ages when his turn has ended.
    pub after: Block,
    /// The outcomes, asked when his turn has ended.
    pub end: Block,
}
