//! Prepared game: what all warps of all threads share; it does not change once it is made.

use crate::board::Dir;
use crate::interp::{Engine, Roles, Tables};
use crate::plan::{Carry, Code};
use crate::simt::code::Program;
use crate::simt::compiled::Compiled;
use crate::simt::kernels::arm_shifts::MergedArms;
use crate::simt::kernels::sets::Steps;
use crate::simt::registers::LaneRegisters;

/// A game that is ready to be played in lock step.
pub struct Shared<const W: usize, const K: usize> {
    pub engine: Engine,
    pub program: Program,
    pub linked: Code,
    pub compiled: Option<Compiled<W, K>>,
    pub steps: Steps<W>,
    pub tables: Tables<W>,
    /// By index of arms that are merged.
    pub merged_arms: Vec<MergedArms<W>>,
    pub roles: Roles,
    pub forwards: Vec<Option<Dir>>,
    /// Registers that last from turn to turn: sets and numbers.
    pub persistent: (usize, usize),
    /// Words of a set in the scalar executor.
    pub set_words: usize,
    /// Numbers of the position.
    pub position_numbers: usize,
    /// What goes along while turns are suspended, if some are.
    pub carry: Option<Carry>,
    /// Registers as each warp begins with them.
    pub registers: LaneRegisters<W, K>,
}

impl<const W: usize, const K: usize> Shared<W, K> {
    /// Whether the past of a game matters.
    pub fn asks_past(&self) -> bool {
        let asks = self.engine.game().asks;
        asks.times_pieces || asks.times_position
    }
}
