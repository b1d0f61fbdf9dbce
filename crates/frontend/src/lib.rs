//! Front end of Lusoria: the text of rules files goes in; the model of a game comes out, or what is
//! wrong with the text. It is a part of the package `lusoria` and may change with each version.

use lusoria_core::{board, model, sort, source};

pub mod check;
pub mod syntax;
