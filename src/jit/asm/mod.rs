//! TODO

pub(crate) mod evex;
pub(crate) mod scalar;
