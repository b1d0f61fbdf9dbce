//! What a function for a round is told of lanes, and what it reports: a byte for each chunk, in it a bit for each lane.

use std::mem::offset_of;

use crate::jit::asm::scalar::Kept;
use crate::simd::{Chunk, WIDE};
use crate::simt::registers::Mask;
use crate::simt::sort_lanes::FORKS;

/// Sets of lanes that are put aside at a time.
pub const MOST_PARKED: usize = 64;

/// What is said of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Those whose turn it is; those that drew in vain before, and those of which it was taken for granted that they can move.
    Mine,
    DrewBefore,
    Asked,
    /// Those that have drawn, and those that drew where not all runs were counted.
    Drawn,
    Estimated,
    Passed,
    Acted,
    PlaysAgain,
    /// What became of the turn: it is complete; drawn in vain; to be played alone; to be played step by step; a pass that puts in doubt what was
    /// taken for granted.
    Done,
    Failed,
    Alone,
    Left,
    Doubted,
    /// What was asked at the end: an outcome holds; it was taken for granted that the next player can move; it takes one game to find out.
    Decided,
    AskedNow,
    Unsure,
    /// Those that took the first branch of a fork of the turn.
    Fork(u8),
}

/// All but forks.
const KINDS: usize = 16;

impl Told {
    #[inline(always)]
    fn number(self) -> usize {
        match self {
            Told::Mine => 0,
            Told::DrewBefore => 1,
            Told::Asked => 2,
            Told::Drawn => 3,
            Told::Estimated => 4,
            Told::Passed => 5,
            Told::Acted => 6,
            Told::PlaysAgain => 7,
            Told::Done => 8,
            Told::Failed => 9,
            Told::Alone => 10,
            Told::Left => 11,
            Told::Doubted => 12,
            Told::Decided => 13,
            Told::AskedNow => 14,
            Told::Unsure => 15,
            Told::Fork(fork) => KINDS + usize::from(fork),
        }
    }

    /// Where code finds it.
    pub fn kept(self) -> Kept {
        Kept::OfChunk((offset_of!(Report, told) + self.number() * WIDE) as i32)
    }
}

/// As code reads and writes it.
#[repr(C)]
#[derive(Clone, Debug)]
pub struct Report {
    /// Words in which bits are sought, and what has as many bits below its one as they have of theirs.
    words: Chunk,
    lowest: Chunk,
    told: [[u8; WIDE]; KINDS + FORKS],
    /// Of the chunk at hand: the lanes whose cell is in a word, those that have neither failed nor left, and those that are put aside.
    by_word: [u8; WIDE],
    alive: u8,
    parked: [u8; MOST_PARKED],
}

impl Default for Report {
    fn default() -> Report {
        let (words, lowest) = (Chunk::NONE, Chunk::NONE);
        Report { words, lowest, told: [[0; WIDE]; KINDS + FORKS], by_word: [0; WIDE], alive: 0, parked: [0; MOST_PARKED] }
    }
}

impl Report {
    pub const WORDS: usize = offset_of!(Report, words);
    pub const LOWEST: usize = offset_of!(Report, lowest);

    /// Nothing is told yet but of lanes whose turn it is.
    #[inline(always)]
    pub fn begin(&mut self, mine: Mask, drew_before: Mask, asked: Mask) {
        self.told = [[0; WIDE]; KINDS + FORKS];
        self.told[Told::Mine.number()] = mine.by_chunk();
        self.told[Told::DrewBefore.number()] = drew_before.by_chunk();
        self.told[Told::Asked.number()] = asked.by_chunk();
    }

    /// The lanes of which something was told.
    #[inline(always)]
    pub fn lanes(&self, what: Told) -> Mask {
        Mask::of_chunks(self.told[what.number()])
    }

    /// Where the lanes are told whose cell is in a word.
    pub fn by_word(word: usize) -> Kept {
        Kept::One((offset_of!(Report, by_word) + word) as i32)
    }

    /// Where those are that have neither failed nor left.
    pub fn alive() -> Kept {
        Kept::One(offset_of!(Report, alive) as i32)
    }

    /// Where lanes are put aside.
    pub fn parked(at: usize) -> Kept {
        Kept::One((offset_of!(Report, parked) + at) as i32)
    }
}
