//! Lane code: operations for many games, marks of control flow, and what analyses know of them,
//! such as which registers a turn may change.

use crate::plan::{LinearOp, NumReg, REGISTERS, SetReg};
use crate::simt::kernels::ops::Test;
use crate::simt::turn_queue::Turn;

/// Registers beside those of the program.
pub const ASIDE: usize = 3;

/// One that is always empty.
pub const NOTHING: SetReg = SetReg((REGISTERS + 2) as u16);

/// An operation for many games, or a mark of control flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SimtOp {
    /// `blend`: lanes that are not meant must keep what they have; `loses`: lanes may fail or
    /// leave.
    Do {
        op: LinearOp,
        blend: bool,
        loses: bool,
    },
    /// An operation that looks along lines from single cells.
    Look {
        op: LinearOp,
        blend: bool,
        near: Nearby,
    },
    /// An operation with a set that few lanes have cells of: those that the last look along lines
    /// left to be looked at one by one.
    Sparse {
        op: SparseOp,
    },
    /// Runs from cells, along each direction of a ray query through one of the sets from `runs` on.
    Refill {
        d: SetReg,
        a: SetReg,
        trail: u16,
        runs: SetReg,
        ways: Ways,
        blend: bool,
    },
    /// Machine code does what stands from here on before `to`.
    Native {
        function: u32,
        to: u32,
    },
    /// The lanes that are here took the first branch of a fork of the turn.
    Fork {
        fork: u8,
    },
    /// Lanes of which it is not true go to the other branch, behind the mark at `to`.
    If {
        test: Test,
        to: u32,
    },
    /// The other branch begins; `to`: where it ends.
    Else {
        to: u32,
    },
    Join,
    /// Lanes part for rounds.
    Rounds,
    /// Lanes whose number is not 0 go round again.
    Again {
        n: NumReg,
        counter: NumReg,
        to: u32,
    },
    /// The next cell of each lane, or the next group of cells joined `along` some directions; lanes
    /// without one are done. The rounds end at `to` when all are.
    Next {
        of: SetReg,
        one: SetReg,
        along: Option<u16>,
        to: u32,
    },
    Back {
        to: u32,
    },
    /// `cell`: where all arms put the cell that is chosen, if they have one place; `blend`: lanes
    /// that are not meant must keep what they have there; `parts`: lanes go on apart.
    Choose {
        point: u32,
        cell: Option<SetReg>,
        blend: bool,
        parts: bool,
    },
    /// Lanes whose rank selects an arm up to this, and not to one of an earlier way.
    Way {
        point: u32,
        last: u16,
        to: u32,
    },
    /// The option that was drawn is put where the arm has it.
    Enter {
        point: u32,
        arm: u16,
    },
    /// What arms begin with, each in another direction.
    MergedShift {
        index: u32,
    },
    /// The arms of a choice end.
    Chosen,
    /// A `first`.
    Split {
        index: u32,
    },
    Try {
        last: bool,
        to: u32,
    },
    Tried,
    Met,
    Need {
        n: NumReg,
    },
    /// No choice follows: lanes whose number wants one are rejected.
    Last,
    Fail,
    /// `numbered`: something may be left of what a lane drew.
    End {
        numbered: bool,
    },
}

/// What is done in the lanes alone that found something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SparseOp {
    /// Takes what was found out of a set.
    Remove { d: SetReg, found: SetReg },
    /// Counts what was found.
    Count { d: NumReg, found: SetReg },
}

impl SparseOp {
    /// The operation that does the same in all lanes.
    pub fn op(self) -> LinearOp {
        match self {
            SparseOp::Remove { d, found } => LinearOp::AndNot { d, a: d, b: found },
            SparseOp::Count { d, found } => LinearOp::Popcount { d, a: found },
        }
    }
}

/// One operation with a direction for each of some arms: a step of one masked shift, or a ray.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedShift {
    pub point: u32,
    /// The first of the arms.
    pub first: u16,
    pub d: SetReg,
    pub a: SetReg,
    /// Where rays end; `None`: these are steps.
    pub until: Option<SetReg>,
    pub hops: Vec<u16>,
    pub dirs: Vec<u16>,
}

/// The programs of a game.
#[derive(Clone, Debug)]
pub struct Program {
    pub steps: Vec<SimtOp>,
    /// By step: registers that are read from there on, those that outlast a turn aside.
    pub live: Vec<Live>,
    /// By seat.
    pub entries: Vec<Entries>,
    /// Why one game after the other is likely to be as fast.
    pub slow: Option<&'static str>,
    pub along: Vec<MergedShift>,
    /// By choice: it is asked which arm a rank selects.
    pub needs_arm: Vec<bool>,
    /// So many words near cells are kept.
    pub cuts: usize,
    /// So often turns fork before anything is chosen.
    pub forks: u8,
}

#[derive(Clone, Debug)]
pub struct Entries {
    pub turn: Entry,
    pub opening: Vec<Entry>,
    pub continuations: Vec<Entry>,
    pub after: Option<u32>,
    pub end: u32,
}

impl Entries {
    /// What a turn begins with, or goes on with.
    pub fn entry(&self, turn: Turn) -> &Entry {
        match turn.continuation() {
            Some(continuation) => &self.continuations[continuation],
            None => self.opening.get(turn.opening() as usize).unwrap_or(&self.turn),
        }
    }
}

/// Where the program of a turn, or of one of its continuations, begins.
#[derive(Clone, Debug)]
pub struct Entry {
    pub at: u32,
    /// A lane that does not complete the turn has neither drawn nor changed what stands on the
    /// board.
    pub atomicity: Atomicity,
    /// The first of the forks that it may come upon before anything is chosen, and the one behind
    /// them.
    pub forks: (u8, u8),
    /// What the turn may change, with what becomes of it at its end.
    pub changes: WriteSet,
}

/// Whether all that ends a run comes before what it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomicity {
    No,
    /// As long as no number of the position is further from 0 than [`FAR`]: no sum of the turn is
    /// too large then.
    Near,
    Always,
}

/// So many sums, each at most twice as large as what it is made of, stay within 64 bits.
pub const FAR: i64 = 1 << 40;

/// How an operation comes to the words near a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cut {
    /// They are cut out of its set.
    #[default]
    Own,
    /// And are kept under a number.
    Kept(u8),
    /// They were.
    Taken(u8),
}

/// How an operation that looks near single cells comes to what it looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nearby {
    /// By set.
    pub cuts: [Cut; 2],
    /// The cells are those that were chosen last: where they stand is known.
    pub chosen: bool,
}

/// Directions of a ray query.
pub const WAYS: usize = 8;

/// By direction of a ray query, the lane of a row that runs the other way.
pub type Ways = [u8; WAYS];

/// Registers of both kinds, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteSet {
    pub sets: Vec<usize>,
    pub numbers: Vec<usize>,
}

/// Registers of both kinds: those that something is read from before it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Live {
    pub sets: [u64; (REGISTERS + ASIDE).div_ceil(64)],
    pub numbers: [u64; REGISTERS.div_ceil(64)],
}
