//! Compiler of Lusoria: the model of a game goes in; its plan comes out. It is a part of the package
//! `lusoria` and may change with each version.

use lusoria_core::{board, model, position, sort, source};

pub mod plan;
