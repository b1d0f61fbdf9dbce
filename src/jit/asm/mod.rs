//! Assembler: instructions go in; their bytes come out.

pub(crate) mod evex;
pub(crate) mod scalar;
