//! One test binary. Helpers in `common`, then one module for each kind of test.

mod batch;
mod beyond;
mod chesslike;
mod cli;
mod common;
mod deep;
mod diagnostics;
mod documentation;
mod elide_checks;
mod games;
mod groups;
mod laws;
mod layering;
mod made_up;
mod moves;
mod notation;
mod over;
mod passes;
mod playthroughs;
mod records;
mod renju;
mod scalar;
mod simulate;
mod stacking;
mod tidiness;
