//! TODO

pub(crate) mod marshal;
pub(crate) mod repetition;
pub(crate) mod snapshot;
