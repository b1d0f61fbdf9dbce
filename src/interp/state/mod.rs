//! State of a game: what lasts from turn to turn, and how it goes in and out of registers.

pub(crate) mod marshal;
pub(crate) mod repetition;
pub(crate) mod snapshot;
