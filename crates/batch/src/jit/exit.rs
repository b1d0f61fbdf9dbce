//! Exit report of a turn function: where machine code reads and writes the lane masks of a report.

use crate::jit::asm::scalar::Kept;

pub use crate::simt::state::exit_report::{ExitReason, ExitReport, MAX_PARKED_MASKS};

impl ExitReason {
    /// Where code finds the mask of the current chunk.
    pub fn kept(self) -> Kept {
        Kept::OfChunk(self.offset() as i32)
    }
}

impl ExitReport {
    /// Where the lanes are told whose cell is in a word.
    pub fn by_word(word: usize) -> Kept {
        Kept::One((ExitReport::BY_WORD + word) as i32)
    }

    /// Where those are that have neither failed nor left.
    pub fn alive() -> Kept {
        Kept::One(ExitReport::ALIVE as i32)
    }

    /// Where lanes are put aside.
    pub fn parked(at: usize) -> Kept {
        Kept::One((ExitReport::PARKED + at) as i32)
    }
}
