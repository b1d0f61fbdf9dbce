//! Scalar executor: programs of set operations go in; one game at a time comes out, turn by turn.
//!
//! It plays by the same rules as the reference executor, which is the definition; random walks over
//! every shipped game hold them equal. What has no plan is played by the reference executor, and
//! the plan says why.

pub mod argmax;
pub mod bitset;
pub mod cell_choices;
pub mod cell_turns;
pub mod chain;
pub mod chance_listing;
pub mod cold;
pub mod continuations;
pub mod counted_writes;
pub mod decisive;
pub mod dedup;
pub mod dir_shift;
pub mod dir_vector;
pub mod dispatch;
pub mod engine;
pub mod enumerate;
pub mod floods;
pub mod listing;
pub mod loose_bounds;
pub mod options;
pub mod perft;
pub mod play;
pub mod ply_listing;
pub mod prepare;
mod revisits;
pub mod routines;
pub mod sample;
pub mod session;
pub mod speculate;
pub mod stacks;
pub mod state;
pub mod suppose;
pub mod tables;
pub mod target;
pub mod terminal;
pub mod traced_turn;
pub mod tuning;
mod unroll;

#[cfg(target_arch = "x86_64")]
pub use crate::interp::bitset::deposit;
#[cfg(target_feature = "bmi2")]
pub use crate::interp::bitset::nth_by_halves;
pub use crate::interp::bitset::{bit, intersects, lowest, nth_bit, nth_combination};
pub use crate::interp::engine::Engine;
pub use crate::interp::sample::uniform::below;
pub use crate::interp::sample::unrank_rays::{DIGITS, LINES, Line, RayTarget, RayTargets, Tally, find_ray_target};
pub use crate::interp::session::{Extent, LentMove, Places, Playout, Session, TracedPart, TracedTurn, Turn};
pub use crate::interp::state::program::Roles;
pub use crate::interp::state::repetition::RepetitionTable;
pub use crate::interp::state::repetition::hash_of;
pub use crate::interp::state::sampler::TurnCount;
pub use crate::interp::state::snapshot::{CellTurns, GameState, Snapshot};
pub use crate::interp::state::turn::Flags;
pub use crate::interp::tables::Tables;
pub use crate::interp::tables::prefilter::{DIRS, Prefilter, STEPS};
pub use crate::interp::tuning::MAX_COUNTED_OPTIONS;
