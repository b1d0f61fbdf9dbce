//! Analyses of lane code: a program goes in; facts that spare masks, copies and loads come out.

pub mod atomic;
pub mod rank_range;
pub mod ray_reuse;
pub mod sparse_ops;
pub mod unmasked;
pub mod window_reuse;
pub mod write_set;
