//! TODO

pub(crate) mod floods;
pub(crate) mod lines;
pub(crate) mod window;
