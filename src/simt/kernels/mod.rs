//! Kernels: operands of many lanes go in; what one operation makes of them comes out.

pub(crate) mod algebra;
pub(crate) mod arm_shifts;
pub(crate) mod line_pattern;
pub(crate) mod ops;
pub(crate) mod ray_fill;
pub(crate) mod ray_query;
pub(crate) mod sets;
