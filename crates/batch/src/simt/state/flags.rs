//! Lane flags: for each thing that may be true of a lane, the mask of the lanes of which it is.

use crate::simt::registers::LaneMask;

/// Which lanes something is true of.
#[derive(Clone, Debug, Default)]
pub struct LaneFlags {
    /// Those whose turn is played.
    pub mine: LaneMask,
    /// Those of them that have neither failed nor left.
    pub alive: LaneMask,
    /// Those that have drawn a number, and those that have come upon a choice since the `first`
    /// that they are in began.
    pub drawn: LaneMask,
    pub chose: LaneMask,
    /// All runs were counted.
    pub counted: LaneMask,
    /// Those that were rejected in this turn.
    pub again_drawn: LaneMask,
    /// What became of the turn.
    pub done: LaneMask,
    pub failed: LaneMask,
    pub fallback: LaneMask,
    pub passed: LaneMask,
    pub acted: LaneMask,
    pub again: LaneMask,
    /// The same of parts of the turn before it was suspended.
    pub before: TurnFlags,
    /// It was assumed that the next player can move.
    pub asked: LaneMask,
    /// Whether that was right is in doubt, as he passed.
    pub unverified: LaneMask,
    /// `end` asks what it takes one game to find out.
    pub unsure: LaneMask,
    /// An outcome holds.
    pub decided: LaneMask,
    /// What there was to choose from is an estimate.
    pub estimated: LaneMask,
}

/// What turns have done in parts that are over.
#[derive(Clone, Debug, Default)]
pub struct TurnFlags {
    pub passed: LaneMask,
    pub acted: LaneMask,
    pub again: LaneMask,
}

impl TurnFlags {
    pub fn masks(&mut self) -> [&mut LaneMask; 3] {
        [&mut self.passed, &mut self.acted, &mut self.again]
    }
}

impl LaneFlags {
    /// The draws of these lanes were rejected, also the first of the turn.
    #[inline(always)]
    pub fn record_rejection(&mut self, lanes: LaneMask) {
        self.again_drawn = self.again_drawn.or(lanes);
        self.counted = self.counted.without(lanes);
    }
}
