//! Checkpoint: position and generator at the start of a turn go in; a rollback takes them out
//! again.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::interp::state::registers::Sets;
use crate::plan::REGISTERS;

/// A position as it was when a turn began that may have to be taken back.
#[derive(Debug)]
pub struct Checkpoint<const W: usize> {
    pub sets: Sets<W>,
    pub numbers: [i64; REGISTERS],
    pub rng: Xoshiro256PlusPlus,
    pub is_kept: bool,
}

impl<const W: usize> Checkpoint<W> {
    pub fn new(rng: Xoshiro256PlusPlus) -> Checkpoint<W> {
        Checkpoint { sets: Sets([[0; W]; REGISTERS]), numbers: [0; REGISTERS], rng, is_kept: false }
    }
}
