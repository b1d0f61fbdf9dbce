//! Exit report: lane masks go in; machine code of a turn reads and extends them, and the scheduler
//! reads what became of each lane.
//!
//! The report holds a byte for each chunk, in it a bit for each lane.

use std::mem::offset_of;

use crate::simd::{Lane8, WIDE};
use crate::simt::registers::LaneMask;
use crate::simt::tuning::MAX_FORKS_TRACKED;

/// Lane masks that machine code may spill at a time.
pub const MAX_PARKED_MASKS: usize = 64;

/// What is reported of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The lanes whose turn it is.
    Mine,
    /// The lanes whose earlier draw in this turn was rejected.
    DrewBefore,
    /// The lanes for which an earlier turn assumed that their player can move.
    Asked,
    /// The lanes that have drawn.
    Drawn,
    /// The lanes that drew where the count of turns is an estimate.
    Estimated,
    Passed,
    Acted,
    PlaysAgain,
    /// The turn is complete.
    Done,
    /// The draw is rejected.
    Failed,
    /// The scalar executor has to play the turn.
    Fallback,
    /// The interpreter has to play the turn step by step.
    Left,
    /// A pass puts in doubt that the player could move.
    Unverified,
    /// An outcome holds.
    Decided,
    /// The end assumed that the next player can move.
    AskedNow,
    /// The scalar executor has to evaluate the end.
    Unsure,
    /// The lanes that took the first branch of a fork of the turn.
    Fork(u8),
}

/// All reasons but forks.
const KINDS: usize = 16;

impl ExitReason {
    #[inline(always)]
    fn index(self) -> usize {
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
            ExitReason::Fallback => 10,
            ExitReason::Left => 11,
            ExitReason::Unverified => 12,
            ExitReason::Decided => 13,
            ExitReason::AskedNow => 14,
            ExitReason::Unsure => 15,
            ExitReason::Fork(fork) => KINDS + usize::from(fork),
        }
    }

    /// Where the report holds the masks of this reason, in bytes: one for each chunk.
    pub fn offset(self) -> usize {
        offset_of!(ExitReport, reported) + self.index() * WIDE
    }
}

/// The layout is the one that machine code reads and writes.
#[repr(C)]
#[derive(Clone, Debug)]
pub struct ExitReport {
    /// Words in which a bit is selected by its rank, and words with one bit at that rank.
    words: Lane8,
    lowest: Lane8,
    reported: [[u8; WIDE]; KINDS + MAX_FORKS_TRACKED],
    /// Of the current chunk: by word of a set, the lanes whose cell is in it.
    by_word: [u8; WIDE],
    /// Of the current chunk: the lanes that have neither failed nor left.
    alive: u8,
    /// Of the current chunk: spilled masks.
    parked: [u8; MAX_PARKED_MASKS],
}

impl Default for ExitReport {
    fn default() -> ExitReport {
        let (words, lowest) = (Lane8::NONE, Lane8::NONE);
        ExitReport {
            words,
            lowest,
            reported: [[0; WIDE]; KINDS + MAX_FORKS_TRACKED],
            by_word: [0; WIDE],
            alive: 0,
            parked: [0; MAX_PARKED_MASKS],
        }
    }
}

impl ExitReport {
    /// Where machine code finds each part, in bytes.
    pub const WORDS: usize = offset_of!(ExitReport, words);
    pub const LOWEST: usize = offset_of!(ExitReport, lowest);
    pub const BY_WORD: usize = offset_of!(ExitReport, by_word);
    pub const ALIVE: usize = offset_of!(ExitReport, alive);
    pub const PARKED: usize = offset_of!(ExitReport, parked);

    /// Resets the report to what is known before the turn.
    #[inline(always)]
    pub fn begin(&mut self, mine: LaneMask, drew_before: LaneMask, asked: LaneMask) {
        self.reported = [[0; WIDE]; KINDS + MAX_FORKS_TRACKED];
        self.reported[ExitReason::Mine.index()] = mine.by_chunk();
        self.reported[ExitReason::DrewBefore.index()] = drew_before.by_chunk();
        self.reported[ExitReason::Asked.index()] = asked.by_chunk();
    }

    /// The lanes that were reported for a reason.
    #[inline(always)]
    pub fn lanes(&self, reason: ExitReason) -> LaneMask {
        LaneMask::of_chunks(self.reported[reason.index()])
    }
}
