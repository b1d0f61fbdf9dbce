//! Scalar executor of Lusoria: games and plans go in; turns and whole games, one after the other,
//! come out. It is a part of the package `lusoria` and may change with each version.

use lusoria_core::{board, model, position, source};
use lusoria_plan::plan;
use lusoria_reference::reference;

pub mod interp;
