//! Run state: registers, locals, what has been written, and the choices to come back to, of one
//! exploration of a program.

use std::collections::HashSet;

use smallvec::SmallVec;

use crate::board::{Axis, Cell, CellSet, Dir, DirSet, Kind, Player};
use crate::model::{BlockId, BranchId};
use crate::position::{Mark, Probability, Step, Value, Written};
use crate::source::Span;

use crate::reference::Ply;

/// No continuation: the end of the program.
pub const NO_FRAME: u32 = u32::MAX;

/// What an exploration is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// Is there a complete run? `acting`: a run that is a pass does not count.
    #[default]
    Exists,
    ExistsActing,
    /// All complete runs.
    Turns,
    /// The next plies, after those that the position has begun with.
    Plies,
    /// The position after the plies begun.
    Now,
    /// The one run of a given path.
    Replay,
    /// Every run, also those that a `first` or a `most` forbids: an observer is told of each.
    Every,
    /// A set-up whose choices are drawn, or given by a number.
    Drawn,
    Numbered,
}

/// What a listing keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The plies themselves.
    #[default]
    Plies,
    /// Their number.
    Count,
    /// The number of different positions they lead to.
    Results,
}

/// What expressions depend on beside position and locals.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    pub own: Player,
    /// Where the slots of the present frame begin among the locals.
    pub base: usize,
    pub here: Option<Cell>,
    /// The direction being walked inside a pattern.
    pub walking: Option<Dir>,
    /// The turn is over: its position is noted already.
    pub ended: bool,
    /// The hash of the men when the program began.
    pub began: u128,
}

impl Default for Context {
    fn default() -> Context {
        Context { own: Player(0), base: 0, here: None, walking: None, ended: false, began: 0 }
    }
}

/// `last`, `origin` and the like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words {
    pub last: CellSet,
    pub origin: CellSet,
    pub passed: CellSet,
    pub heading: DirSet,
    pub caught: CellSet,
    /// What was caught since the present ply began.
    pub caught_in_ply: CellSet,
}

/// What a run is about to do, and what it has done; copied to every choice.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    pub block: BlockId,
    /// The statement of the block.
    pub at: u32,
    pub frame: u32,
    /// Who makes the choices of the present ply, once there are some; `None` is chance.
    pub chooser: Option<Player>,
    pub choices: u32,
    /// The next choice begins a ply.
    pub cut: bool,
    /// Plies before the present one.
    pub plies: u32,
    /// How many of them chance has made.
    pub chance_plies: u32,
    /// Of what chance has chosen in the present ply.
    pub probability: Probability,
    /// How long the path was behind the last of its choices: what a `first` tries is not settled.
    pub chance_path: u32,
    /// Where the present ply begins among the written.
    pub ply_from: u32,
    /// So far this run is one with the plies that the position has begun with.
    pub agrees: bool,
    /// The run only has to show that the ply at this place among the choices can be completed.
    pub confirms: Option<u32>,
    /// The choice at hand is written.
    pub writes: bool,
    pub passed: bool,
    pub acted: bool,
    pub again: bool,
    /// Of a set-up by number: what is left of the number, and how many set-ups there are up to
    /// here.
    pub number: u64,
    pub numbers: u64,
}

impl Default for Registers {
    fn default() -> Registers {
        Registers::new(BlockId(0), 0)
    }
}

impl Registers {
    /// The choices of the present ply are made by chance.
    pub fn is_chance(&self) -> bool {
        self.choices > 0 && self.chooser.is_none()
    }

    /// The present ply is a player's. Behind chance a player may have nothing to choose: that is no ply.
    pub fn is_chosen(&self) -> bool {
        if self.choices > 0 { self.chooser.is_some() } else { self.plies == 0 }
    }

    pub fn new(block: BlockId, number: u64) -> Registers {
        Registers {
            block,
            at: 0,
            frame: NO_FRAME,
            chooser: None,
            choices: 0,
            cut: false,
            plies: 0,
            chance_plies: 0,
            probability: Probability::ONE,
            chance_path: 0,
            ply_from: 0,
            agrees: true,
            confirms: None,
            writes: false,
            passed: false,
            acted: false,
            again: false,
            number,
            numbers: 1,
        }
    }
}

/// What follows when a block has ended.
#[derive(Clone, Copy, Debug)]
pub struct BlockFrame {
    pub parent: u32,
    /// The statement that the block belongs to.
    pub block: BlockId,
    pub at: u32,
    pub then: Then,
    /// Some `repeat silently` is around.
    pub silent: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Then {
    /// The next statement. Of a `first`: which exploration of it.
    Next { first: Option<u64> },
    /// Perhaps another round; what this one has written begins there.
    Round { rounds: u32, from: u32 },
    /// The next of these options.
    Each { next: u32, end: u32 },
}

/// One option of a choice.
#[derive(Clone, Copy, Debug)]
pub enum Opt {
    Number(i64),
    Cell(Cell),
    /// Its place in `sets`.
    Set(u32),
    Dir(Dir),
    Axis(Axis),
    /// A block of `either`.
    Block(u32),
    /// One that chance may choose, so many times out of so many.
    Weighted {
        block: u32,
        weight: u64,
        of: u64,
    },
    /// Its place in `matches`.
    Match(u32),
    /// One of the men or kinds of a statement.
    Of(u32),
    Kind(Kind),
    Stop,
    Go,
}

/// A match of a pattern.
#[derive(Clone, Debug)]
pub struct Match {
    /// Who moves from where to where: a range of `moves`.
    pub moves: (u32, u32),
    pub landing: Option<Cell>,
    pub caught: CellSet,
    pub passed: CellSet,
    pub heading: Option<Dir>,
    pub sign: Option<char>,
    pub branch: Option<BranchId>,
    /// Alternative, directions and steps: what men that move abreast have in common.
    pub path: u32,
    pub turns: SmallVec<[Dir; 4]>,
    pub distance: u64,
}

/// A written choice; hidden ones are those of a silent round that was not the last.
#[derive(Clone, Debug)]
pub struct Token {
    pub written: Written,
    pub hidden: bool,
}

/// What a `most` line said in a run.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The exploration of `first` that it is compared within; 0 is the program.
    pub scope: u64,
    pub id: u16,
    pub value: i64,
}

/// How long the lists are that options live in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    pub options: usize,
    pub sets: usize,
    pub matches: usize,
    pub moves: usize,
}

/// Everything that a choice restores.
#[derive(Clone, Copy, Debug)]
pub struct Saved {
    pub regs: Registers,
    pub mark: Mark,
    pub extent: Extent,
    pub locals: usize,
    pub words: usize,
    pub frames: usize,
    pub written: usize,
    pub hidden: usize,
    pub path: usize,
    pub records: usize,
    pub steps: usize,
}

#[derive(Debug)]
pub enum Alternatives {
    /// The options `next..end` of those from `first` on.
    Options { first: u32, next: u32, end: u32 },
    /// The blocks of a `first` from `next` on; `completed` and `found` as they were at its start.
    Blocks { next: u32, completed: u64, found: usize, scope: u64 },
    /// The end of a ply that is still to be shown to be completable.
    Boundary(Box<Found>),
    /// An option that chance has chosen, behind which a run must be found; `completed` as it was.
    Chosen { completed: u64 },
}

#[derive(Debug)]
pub struct ChoicePoint {
    pub alternatives: Alternatives,
    pub saved: Saved,
}

/// A ply found, what tells it from others, and what its `most` lines said.
#[derive(Clone, Debug)]
pub struct Found {
    pub ply: Ply,
    pub key: u128,
    pub records: SmallVec<[Record; 1]>,
}

/// Scratch of one exploration; reused.
#[derive(Debug, Default)]
pub struct Run {
    pub goal: Goal,
    pub keep: Keep,
    pub regs: Registers,
    pub context: Context,
    pub words: Words,
    pub locals: Vec<Value>,
    pub old_locals: Vec<(usize, Value)>,
    pub old_words: Vec<Words>,
    pub frames: Vec<BlockFrame>,
    pub choices: Vec<ChoicePoint>,
    pub options: Vec<Opt>,
    pub sets: Vec<CellSet>,
    pub matches: Vec<Match>,
    pub moves: Vec<(Cell, Cell)>,
    pub walked: Vec<Cell>,
    pub written: Vec<Token>,
    pub hidden: Vec<u32>,
    /// The number of the option taken at each choice.
    pub path: Vec<u32>,
    pub records: Vec<Record>,
    /// The plies of this run, where complete runs have to be listed to know the plies.
    pub steps: Vec<Step>,
    /// The path to be followed.
    pub replay: Vec<u32>,
    /// The path up to the last ply begun that chance stands beside, and how many plies that is.
    pub settled: Vec<u32>,
    pub settled_plies: u32,
    /// Where chance has chosen last.
    pub chance_at: Span,
    /// A run that was looked for has come to a choice by chance, before any other choice.
    pub chance_first: bool,
    pub completed: u64,
    pub scopes: u64,
    pub found: Vec<Found>,
    pub count: u64,
    pub seen: HashSet<u128>,
    /// The states in which rounds began that are not written.
    pub visited: HashSet<u128>,
}

impl Run {
    /// Empties everything but keeps the room.
    pub fn clear(&mut self) {
        self.context = Context::default();
        self.words = Words::default();
        self.locals.clear();
        self.old_locals.clear();
        self.old_words.clear();
        self.frames.clear();
        self.choices.clear();
        self.cut_back(Extent::default());
        self.walked.clear();
        self.written.clear();
        self.hidden.clear();
        self.path.clear();
        self.records.clear();
        self.steps.clear();
        self.settled.clear();
        (self.settled_plies, self.chance_first) = (0, false);
        self.found.clear();
        forget(&mut self.seen);
        forget(&mut self.visited);
        (self.completed, self.scopes, self.count) = (0, 0, 0);
    }

    pub fn extent(&self) -> Extent {
        Extent {
            options: self.options.len(),
            sets: self.sets.len(),
            matches: self.matches.len(),
            moves: self.moves.len(),
        }
    }

    pub fn cut_back(&mut self, extent: Extent) {
        self.options.truncate(extent.options);
        self.sets.truncate(extent.sets);
        self.matches.truncate(extent.matches);
        self.moves.truncate(extent.moves);
    }
}

/// Emptying a set costs its room: after one great listing the small ones should not pay for it.
fn forget(set: &mut HashSet<u128>) {
    if set.capacity() > 1 << 14 {
        *set = HashSet::new();
    } else {
        set.clear();
    }
}
