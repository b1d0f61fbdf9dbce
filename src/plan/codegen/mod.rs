//! Code generation: trees of blocks go in; linear code for each executor comes out.

pub(crate) mod jump_threading;
pub(crate) mod layout;
pub(crate) mod linearize;
pub(crate) mod peephole;
pub(crate) mod scalar;
pub(crate) mod sink;
pub(crate) mod skip_empty;
