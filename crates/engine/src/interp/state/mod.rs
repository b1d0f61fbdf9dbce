//! State of the scalar executor: data by how long it is valid; algorithms stand beside this folder.

pub mod checkpoint;
pub mod contests;
pub mod marshal;
pub mod program;
pub mod registers;
pub mod repetition;
pub mod routine_table;
pub mod sampler;
pub mod search;
pub mod session;
pub mod snapshot;
pub mod stack_table;
pub mod turn;
pub mod visited;
pub mod vm;
