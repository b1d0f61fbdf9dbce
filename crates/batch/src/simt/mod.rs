//! Batch executor: the programs of the scalar executor go in; many games in lock step come out, one
//! in each lane.
//!
//! One operation serves all lanes, and its inner loops compute with vectors. Every game is played
//! as the scalar executor plays it with the same generator, for any number of lanes: each lane has
//! its own. What is not done in lock step is played by the scalar executor, turn by turn, from
//! where the turn began.
// Loops by index: what is handed to an iterator is not always compiled for the processor at hand.
#![allow(clippy::needless_range_loop)]

pub mod analysis;
pub mod autotune;
pub mod code;
pub mod compact;
pub mod compiled;
pub mod context;
pub mod dispatch;
pub mod divergence;
pub mod exchange;
pub mod fallback;
pub mod interface;
pub mod kernels;
pub mod lower;
pub mod merged_arms;
pub mod near_cell;
pub mod outline;
pub mod prepare;
pub mod registers;
pub mod rng;
pub mod sample;
pub mod scheduler;
pub mod sort_lanes;
pub mod sparse;
pub mod state;
pub mod step;
pub mod tuning;
pub mod turn_queue;
pub mod turns;
pub mod utilization;
pub mod window;

pub use crate::simt::compiled::MachineFunction;
pub use crate::simt::context::WarpContext;
pub use crate::simt::interface::{
    Batch, Fit, From, Games, Instructions, LockStep, MOST_LANES, Prepared, Start, Stepped, Unbatched,
};
pub use crate::simt::prepare::{emit, fits, prepare};
pub use crate::simt::tuning::DEFAULT_LANES;
