//! Analyses of lane code: a program goes in; facts that spare masks, copies and loads come out.

pub(crate) mod atomic;
pub(crate) mod rank_range;
pub(crate) mod ray_reuse;
pub(crate) mod sparse_ops;
pub(crate) mod unmasked;
pub(crate) mod window_reuse;
pub(crate) mod write_set;
