//! Assembler: instructions go in; their bytes come out.

pub mod evex;
pub mod scalar;
