//! Batch executor: the programs of the scalar executor go in; many games in lock step come out, one
//! in each lane.
//!
//! One operation serves all lanes, and its inner loops compute with vectors. Every game is played
//! as the scalar executor plays it with the same generator, for any number of lanes: each lane has
//! its own. What is not done in lock step is played by the scalar executor, turn by turn, from
//! where the turn began.
// Loops by index: what is handed to an iterator is not always compiled for the processor at hand.
#![allow(clippy::needless_range_loop)]

pub(crate) mod analysis;
pub(crate) mod code;
pub(crate) mod compact;
pub(crate) mod compiled;
pub(crate) mod dispatch;
pub(crate) mod divergence;
pub(crate) mod exchange;
pub(crate) mod fallback;
pub(crate) mod interface;
pub(crate) mod kernels;
pub(crate) mod lower;
pub(crate) mod merged_arms;
pub(crate) mod near_cell;
pub(crate) mod outline;
pub(crate) mod prepare;
pub(crate) mod registers;
pub(crate) mod rng;
pub(crate) mod sample;
pub(crate) mod scheduler;
pub(crate) mod sort_lanes;
pub(crate) mod sparse;
pub(crate) mod state;
pub(crate) mod tuning;
pub(crate) mod turn_queue;
pub(crate) mod turns;
pub(crate) mod window;

pub use crate::simt::compiled::MachineFunction;
pub use crate::simt::interface::{Batch, Fit, From, Games, Instructions, MOST_LANES, Prepared, Start, Unbatched};
pub use crate::simt::prepare::{emit, fits, prepare};
pub use crate::simt::tuning::DEFAULT_LANES;
