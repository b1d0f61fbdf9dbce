//! Reference executor of Lusoria: the definition of what the language means. It is a part of the
//! package `lusoria` and may change with each version.

use lusoria_core::{board, model, position, source};

pub mod reference;
