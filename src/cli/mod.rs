//! Arguments go in; commands run, print and tell how it went. The only module that reads files, the terminal and the clock.
pub fn run(_: std::env::ArgsOs) -> std::process::ExitCode { std::process::ExitCode::SUCCESS }
