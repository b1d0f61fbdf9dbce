//! Command `man`: a folder goes in; the manual pages of all commands are written to it.

use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory;
use serde::Serialize;

use crate::cli::args::{Cli, ManArgs};
use crate::cli::{Failure, Outcome};

#[derive(Serialize)]
struct Output {
    files: Vec<String>,
}

pub fn run(args: &ManArgs) -> Outcome {
    let told = |error: std::io::Error| Failure::cannot_write(&args.out, &error);
    std::fs::create_dir_all(&args.out).map_err(told)?;
    let mut command = Cli::command();
    command.build();
    let mut files = Vec::new();
    write(&args.out, command, &mut files).map_err(told)?;
    if args.json {
        crate::cli::print_json(&Output { files })?;
    } else {
        crate::cli::print(&format!("{} pages in {}\n", files.len(), args.out.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The page of a command, and of those within it. Pages that are there are written anew.
fn write(folder: &Path, command: clap::Command, files: &mut Vec<String>) -> std::io::Result<()> {
    let inner: Vec<clap::Command> =
        command.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help").cloned().collect();
    let name = command.get_display_name().unwrap_or(command.get_name()).replace(' ', "-");
    let mut page = Vec::new();
    clap_mangen::Man::new(command.display_name(name.clone())).render(&mut page)?;
    let file = format!("{name}.1");
    std::fs::write(folder.join(&file), page)?;
    files.push(file);
    inner.into_iter().try_for_each(|command| write(folder, command, files))
}
