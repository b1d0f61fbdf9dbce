//! One helper for each boundary.

use lusoria::check::{self, Checked};
use lusoria::shipped::Shipped;
use lusoria::source::Source;

/// Checks a text as the file `test.rules`.
pub fn check(text: &str) -> Checked {
    check::check(Source::new("test.rules", text), &Shipped)
}

/// A path within the project.
pub fn project(path: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
