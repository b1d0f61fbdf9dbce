//! The command line: `lusoria ...`.

use std::process::ExitCode;

fn main() -> ExitCode {
    lusoria::cli::run(std::env::args_os())
}
