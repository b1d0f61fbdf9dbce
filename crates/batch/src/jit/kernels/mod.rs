//! Kernels of machine code: an operation goes in; its instructions for one vector of lanes come
//! out.

pub mod floods;
pub mod lines;
pub mod window;
