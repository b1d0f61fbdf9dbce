//! Binary: the arguments of `lusoria` go in; the exit code of the command comes out.

use std::process::ExitCode;

fn main() -> ExitCode {
    lusoria::cli::run(std::env::args_os())
}
