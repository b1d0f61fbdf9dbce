//! One test binary. Helpers in `common`, then one module for each kind of test.

mod common;
mod diagnostics;
mod documentation;
mod games;
mod notation;
