//! Scalar executor: programs of set operations go in; one game at a time comes out, turn by turn.
//!
//! It plays by the same rules as the reference executor, which is the definition; random walks over
//! every shipped game hold them equal. What has no plan is played by the reference executor, and
//! the plan says why.

pub(crate) mod argmax;
pub(crate) mod bitset;
pub(crate) mod chain;
pub(crate) mod cold;
pub(crate) mod dedup;
pub(crate) mod dir_shift;
pub(crate) mod dir_vector;
pub(crate) mod dispatch;
pub(crate) mod engine;
pub(crate) mod enumerate;
pub(crate) mod floods;
pub(crate) mod listing;
pub(crate) mod options;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod prepare;
pub(crate) mod sample;
pub(crate) mod session;
pub(crate) mod speculate;
pub(crate) mod state;
pub(crate) mod tables;
pub(crate) mod target;
pub(crate) mod terminal;
pub(crate) mod traced_turn;
pub(crate) mod tuning;

#[cfg(target_arch = "x86_64")]
pub(crate) use crate::interp::bitset::deposit;
#[cfg(target_feature = "bmi2")]
pub(crate) use crate::interp::bitset::nth_by_halves;
pub(crate) use crate::interp::bitset::{bit, intersects, lowest, nth_bit, nth_pair};
pub use crate::interp::engine::Engine;
pub use crate::interp::sample::uniform::below;
pub(crate) use crate::interp::sample::unrank_rays::{
    DIGITS, LINES, Line, RayTarget, RayTargets, Tally, find_ray_target,
};
pub use crate::interp::session::{ListedTurn, Playout, Session, TracedTurn, Turn};
pub(crate) use crate::interp::state::program::Roles;
pub use crate::interp::state::repetition::RepetitionTable;
pub(crate) use crate::interp::state::repetition::hash_of;
pub use crate::interp::state::sampler::TurnCount;
pub use crate::interp::state::snapshot::{GameState, Snapshot};
pub(crate) use crate::interp::tables::Tables;
pub(crate) use crate::interp::tables::prefilter::{DIRS, Prefilter, STEPS};
pub(crate) use crate::interp::tuning::MAX_COUNTED_OPTIONS;
