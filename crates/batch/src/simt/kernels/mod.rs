//! Kernels: operands of many lanes go in; what one operation makes of them comes out.

pub mod algebra;
pub mod arm_shifts;
pub mod dilation;
pub mod line_pattern;
pub mod ops;
pub mod ray_fill;
pub mod ray_query;
pub mod sets;
