//! TODO

pub(crate) mod line_pattern;
pub(crate) mod ops;
pub(crate) mod ray_fill;
pub(crate) mod ray_query;
pub(crate) mod sets;
