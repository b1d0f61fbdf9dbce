//! State of the scalar executor: data by how long it is valid; algorithms stand beside this folder.

pub(crate) mod checkpoint;
pub(crate) mod marshal;
pub(crate) mod program;
pub(crate) mod registers;
pub(crate) mod repetition;
pub(crate) mod sampler;
pub(crate) mod search;
pub(crate) mod session;
pub(crate) mod snapshot;
pub(crate) mod turn;
pub(crate) mod vm;
