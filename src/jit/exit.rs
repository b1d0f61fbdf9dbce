//! What a function for a round is told of lanes, and what it reports: a byte for each chunk, in it
//! a bit for each lane.

use std::mem::offset_of;

use crate::jit::asm::scalar::Kept;
use crate::simd::{Lane8, WIDE};
use crate::simt::registers::LaneMask;
use crate::simt::sort_lanes::FORKS;

/// Sets of lanes that are put aside at a time.
pub const MOST_PARKED: usize = 64;

/// What is said of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// Those whose turn it is; those that drew in vain before, and those of which it was taken for
    /// granted that they can move.
    Mine,
    DrewBefore,
    Asked,
    /// Those that have drawn, and those that drew where not all runs were counted.
    Drawn,
    Estimated,
    Passed,
    Acted,
    PlaysAgain,
    /// What became of the turn: it is complete; drawn in vain; to be played alone; to be played
    /// step by step; a pass that puts in doubt what was taken for granted.
    Done,
    Failed,
    Alone,
    Left,
    Doubted,
    /// What was asked at the end: an outcome holds; it was taken for granted that the next player
    /// can move; it takes one game to find out.
    Decided,
    AskedNow,
    Unsure,
    /// Those that took the first branch of a fork of the turn.
    Fork(u8),
}

/// All but forks.
const KINDS: usize = 16;

impl ExitReason {
    #[inline(always)]
    fn number(self) -> usize {
        match self {
            ExitReason::Mine => 0,
            ExitReason::DrewBefore => 1,
            ExitReason::Asked => 2,
            ExitReason::Drawn => 3,
            ExitReason::Estimated => 4,
            ExitReason::Passed => 5,
            ExitReason::Acted => 6,
            ExitReason::PlaysAgain => 7,
            ExitReason::Done => 8,
            ExitReason::Failed => 9,
            ExitReason::Alone => 10,
            ExitReason::Left => 11,
            ExitReason::Doubted => 12,
            ExitReason::Decided => 13,
            ExitReason::AskedNow => 14,
            ExitReason::Unsure => 15,
            ExitReason::Fork(fork) => KINDS + usize::from(fork),
        }
    }

    /// Where code finds it.
    pub fn kept(self) -> Kept {
        Kept::OfChunk((offset_of!(ExitReport, told) + self.number() * WIDE) as i32)
    }
}

/// As code reads and writes it.
#[repr(C)]
#[derive(Clone, Debug)]
pub struct ExitReport {
    /// Words in which bits are sought, and what has as many bits below its one as they have of
    /// theirs.
    words: Lane8,
    lowest: Lane8,
    told: [[u8; WIDE]; KINDS + FORKS],
    /// Of the chunk at hand: the lanes whose cell is in a word, those that have neither failed nor
    /// left, and those that are put aside.
    by_word: [u8; WIDE],
    alive: u8,
    parked: [u8; MOST_PARKED],
}

impl Default for ExitReport {
    fn default() -> ExitReport {
        let (words, lowest) = (Lane8::NONE, Lane8::NONE);
        ExitReport {
            words,
            lowest,
            told: [[0; WIDE]; KINDS + FORKS],
            by_word: [0; WIDE],
            alive: 0,
            parked: [0; MOST_PARKED],
        }
    }
}

impl ExitReport {
    pub const WORDS: usize = offset_of!(ExitReport, words);
    pub const LOWEST: usize = offset_of!(ExitReport, lowest);

    /// Nothing is told yet but of lanes whose turn it is.
    #[inline(always)]
    pub fn begin(&mut self, mine: LaneMask, drew_before: LaneMask, asked: LaneMask) {
        self.told = [[0; WIDE]; KINDS + FORKS];
        self.told[ExitReason::Mine.number()] = mine.by_chunk();
        self.told[ExitReason::DrewBefore.number()] = drew_before.by_chunk();
        self.told[ExitReason::Asked.number()] = asked.by_chunk();
    }

    /// The lanes of which something was told.
    #[inline(always)]
    pub fn lanes(&self, what: ExitReason) -> LaneMask {
        LaneMask::of_chunks(self.told[what.number()])
    }

    /// Where the lanes are told whose cell is in a word.
    pub fn by_word(word: usize) -> Kept {
        Kept::One((offset_of!(ExitReport, by_word) + word) as i32)
    }

    /// Where those are that have neither failed nor left.
    pub fn alive() -> Kept {
        Kept::One(offset_of!(ExitReport, alive) as i32)
    }

    /// Where lanes are put aside.
    pub fn parked(at: usize) -> Kept {
        Kept::One((offset_of!(ExitReport, parked) + at) as i32)
    }
}
