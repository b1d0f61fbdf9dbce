//! Command `fmt`: rules files go in; they are laid out in the canonical way, or it is told which are not.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use crate::check::Mistake;
use crate::cli::args::FmtArgs;
use crate::cli::select::read;
use crate::cli::{Failure, Outcome};
use crate::report::Notice;
use crate::shipped::Shipped;
use crate::source::{Source, Sources};
use crate::syntax;

#[derive(Serialize)]
struct Output {
    files: usize,
    /// Those that were laid out otherwise.
    changed: Vec<String>,
}

pub fn run(args: &FmtArgs) -> Outcome {
    // All files are read before one is written: a mistake in the last leaves the first as it is.
    let mut texts = Vec::new();
    for path in &args.files {
        let is_stdin = path == Path::new("-");
        let source = if is_stdin { stdin()? } else { read(path)? };
        let formatted = format(&source)?;
        texts.push((path, is_stdin, source, formatted));
    }
    let mut changed = Vec::new();
    for (path, is_stdin, source, formatted) in &texts {
        let is_changed = source.text() != formatted;
        if is_changed {
            changed.push(source.name().to_string());
        }
        match (args.check, is_stdin) {
            (true, _) if is_changed && !args.json => tell(source, formatted)?,
            (false, true) if !args.json => crate::cli::print(formatted)?,
            (false, false) if is_changed => write(path, formatted)?,
            _ => {}
        }
    }
    let is_fine = !args.check || changed.is_empty();
    if args.json {
        crate::cli::print_json(&Output { files: texts.len(), changed })?;
    }
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::from(crate::cli::RULES) })
}

/// The text laid out.
fn format(source: &Source) -> Result<String, Failure> {
    use crate::check::Library;
    let mut sources = Sources::default();
    sources.add(Shipped.prelude());
    let id = sources.add(source.clone());
    syntax::format(id, source.text()).map_err(|errors| {
        let notices: Vec<Notice> = errors.into_iter().map(|error| Notice::from(&Mistake::Syntax(error))).collect();
        Failure::rules(&notices, &sources)
    })
}

/// The first line that is laid out otherwise, and how it should be.
fn tell(source: &Source, formatted: &str) -> Result<(), Failure> {
    let mut lines = source.text().split('\n').zip(formatted.split('\n')).enumerate();
    let (number, was, is) = match lines.find(|(_, (was, is))| was != is) {
        Some((at, (was, is))) => (at + 1, was, is),
        None => (source.text().split('\n').count().min(formatted.split('\n').count()) + 1, "", ""),
    };
    let name = source.name();
    // What differs at the end of a line cannot be seen.
    let unseen = if was == is {
        ": how the file ends"
    } else if was.strip_suffix('\r') == Some(is) {
        ": lines end with CR LF, not LF"
    } else if was.trim_end() == is {
        ": blanks at the end of the line"
    } else {
        ""
    };
    crate::cli::print(&format!(
        "{name}:{number}: laid out otherwise{unseen}\n- {}\n+ {is}\n",
        was.trim_end_matches('\r')
    ))
}

/// A file is replaced as a whole, so that no half of it is lost where the disk is full.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    use std::io::Write;
    let refused = |error: std::io::Error| Failure::cannot_write(path, &error);
    let target = std::fs::canonicalize(path).map_err(refused)?;
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(refused)?;
    file.write_all(text.as_bytes()).map_err(refused)?;
    let permissions = std::fs::metadata(&target).map_err(refused)?.permissions();
    file.as_file().set_permissions(permissions).map_err(refused)?;
    file.persist(&target).map_err(|error| refused(error.error))?;
    Ok(())
}

fn stdin() -> Result<Source, Failure> {
    let mut text = String::new();
    std::io::stdin().lock().take(4 << 20).read_to_string(&mut text)?;
    Ok(Source::new("stdin", text))
}
