//! Kernels of machine code: an operation goes in; its instructions for one vector of lanes come
//! out.

pub(crate) mod floods;
pub(crate) mod lines;
pub(crate) mod window;
