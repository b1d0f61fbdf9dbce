//! Batch executor: an engine goes in; what plays many of its games in lock step comes out.
//!
//! Here the executor (`simt`) meets the compiler (`jit`) that it calls through an interface of its
//! own.

use std::sync::Arc;

use crate::interp::Engine;

pub use crate::simd::WIDE;
pub use crate::simt::{
    Batch, DEFAULT_LANES, Fit, From, Games, Instructions, LockStep, MOST_LANES, MachineFunction, Prepared, Start,
    Stepped, Unbatched, WarpContext, fits,
};

/// Compiles the programs of lock step, where the processor has the instructions.
#[cfg(target_arch = "x86_64")]
const GENERATOR: crate::jit::Jit = crate::jit::Jit;

/// There is lock step on no other processor.
#[cfg(not(target_arch = "x86_64"))]
const GENERATOR: crate::simt::compiled::NoCode = crate::simt::compiled::NoCode;

/// Prepares a game for the widest instructions of the processor. What is compiled does not change:
/// threads share it, and each makes a batch of its own from it.
///
/// # Errors
/// What keeps the game from being played in lock step.
pub fn prepare(engine: &Engine) -> Result<Arc<dyn Prepared>, Unbatched> {
    prepare_by(engine, Instructions::Avx512)
}

/// Prepares a game for these instructions, or for narrower ones where the processor lacks them.
///
/// # Errors
/// What keeps the game from being played in lock step.
pub fn prepare_by(engine: &Engine, by: Instructions) -> Result<Arc<dyn Prepared>, Unbatched> {
    crate::simt::prepare(engine, by, &GENERATOR)
}

/// The machine code of a game, function by function, whatever the processor can execute.
///
/// # Errors
/// What keeps the game from being played in lock step.
pub fn machine_code(engine: &Engine) -> Result<Vec<MachineFunction>, Unbatched> {
    crate::simt::emit(engine, &GENERATOR)
}

/// A batch of so many lanes, from 1 to [`MOST_LANES`]. Where it is not said, these are [`DEFAULT_LANES`], and games are
/// played one after the other once few lanes go together.
///
/// # Errors
/// What keeps the game from being played in lock step.
pub fn batch(engine: &Engine, lanes: Option<usize>) -> Result<Box<dyn Batch>, Unbatched> {
    batch_by(engine, lanes, Instructions::Avx512)
}

/// A [`batch`] by these instructions, or by narrower ones where the processor lacks them.
///
/// # Errors
/// What keeps the game from being played in lock step.
pub fn batch_by(engine: &Engine, lanes: Option<usize>, by: Instructions) -> Result<Box<dyn Batch>, Unbatched> {
    Ok(prepare_by(engine, by)?.batch(lanes))
}
