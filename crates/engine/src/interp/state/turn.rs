//! State of a turn: it begins empty with each turn; what became of the turn stands in it when it is
//! over.

use std::ops::BitOrAssign;

use crate::board::{Kind, Player};
use crate::interp::bitset::Bitset;
use crate::interp::state::sampler::TurnCount;
use crate::interp::tuning::{MAX_SPECULATION_CREDIT, TURNS_PER_FAILED_SPECULATION};
use crate::position::Fault;

/// What is valid for one turn.
#[derive(Debug, Default)]
pub struct TurnState {
    pub flags: Flags,
    /// The outcome that holds, and its winners as bits.
    pub decided: Option<(u16, i64)>,
    /// Set where the run came upon what the rules forbid.
    pub fault: Option<Fault>,
    /// Whether each player is stuck, as far as `end` has asked.
    pub stuck: [Option<bool>; 8],
    /// Steps of the search so far, which have a bound.
    pub work: u64,
    /// Where the outcomes begin, if the run of the turn goes on with them; else 0.
    pub end_entry: u32,
    /// It has gone on with them.
    pub end_evaluated: bool,
    pub chain: TurnChain,
    pub speculation: Speculation,
    pub completion: CompletionSpeculation,
}

/// The choices of a run, recorded only where moves are listed.
#[derive(Debug, Default)]
pub struct ChoiceLog<const W: usize> {
    pub enabled: bool,
    /// A run ends where it has told all and is sure to be completed.
    pub ends_runs: bool,
    pub entries: Vec<ChoiceEntry<W>>,
}

/// What a run has done so far, beside its registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    pub passed: bool,
    pub acted: bool,
    pub again: bool,
    /// Something was chosen, where runs are listed: since the turn was suspended last.
    pub chose: bool,
}

impl BitOrAssign for Flags {
    /// What another part of the turn has done was done too.
    fn bitor_assign(&mut self, other: Flags) {
        self.passed |= other.passed;
        self.acted |= other.acted;
        self.again |= other.again;
    }
}

/// What is recorded of a choice.
#[derive(Clone, Copy, Debug)]
pub enum ChoiceEntry<const W: usize> {
    Cell(Bitset<W>),
    Landing { cell: Bitset<W>, captures: bool, sign: Option<char> },
    Number(i64),
    Combination(Bitset<W>),
    Group(Bitset<W>),
    Dir(i64),
    Axis(i64),
    Kind(Kind),
    Promotion(Kind),
    Label(u16),
    Pass,
    Swap,
    Stop,
    Silent,
    Round,
    Loud,
}

/// What the run of a turn goes on with.
#[derive(Clone, Copy, Debug, Default)]
pub struct TurnChain {
    /// Who is to move.
    pub seat: u8,
    /// Turns that are over.
    pub turns: u64,
    /// So many may be played on.
    pub left: u64,
    /// The game goes on behind these.
    pub beyond: bool,
    /// How many runs those turns had to draw from.
    pub choices: TurnCount,
}

impl TurnChain {
    /// The present turn is not the last that is played.
    pub fn goes_on(&self) -> bool {
        self.left > 0 || self.beyond
    }
}

/// Speculation that a turn can be completed behind the plies that are drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompletionSpeculation {
    /// A ply need not look ahead now.
    pub is_speculated: bool,
    /// One did not, and no ply behind it has validated that.
    pub taken: bool,
    /// Turns that were played since, less those that a failure costs; below 0, each ply looks ahead.
    credit: i64,
}

impl CompletionSpeculation {
    /// A turn begins in which plies need not look ahead, if that went well lately.
    pub fn begin(&mut self) {
        self.credit = (self.credit + 1).min(MAX_SPECULATION_CREDIT);
        (self.is_speculated, self.taken) = (self.credit >= 0, false);
    }

    /// The turn is over, or failed: whether nothing in it rests on speculation.
    pub fn end(&mut self) -> bool {
        self.is_speculated = false;
        !std::mem::take(&mut self.taken)
    }

    /// The turn could not be completed.
    pub fn fail(&mut self) {
        self.credit -= TURNS_PER_FAILED_SPECULATION;
    }
}

/// What is taken for granted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Speculation {
    /// The outcomes that are asked now may take for granted that this player can move, who is next.
    next: Option<Player>,
    /// They have.
    pub taken: bool,
    /// After whose turn they did, if the present turn rests on it.
    pub rests: Option<Player>,
}

impl Speculation {
    /// The outcomes are asked after a turn; `next`: who is to move then, if that he can may be
    /// taken for granted.
    pub fn begin(&mut self, next: Option<Player>) {
        (self.next, self.taken) = (next, false);
    }

    /// The outcomes are asked of the player, whether he can move; `true`: that is taken for
    /// granted.
    #[inline(always)]
    pub fn take(&mut self, player: Player) -> bool {
        let taken = self.next == Some(player);
        self.taken |= taken;
        taken
    }
}
