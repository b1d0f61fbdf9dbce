//! Command `import`: a file of settings of variants goes in; rules files come out, and the settings that are not known.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use crate::cli::args::ImportArgs;
use crate::cli::{Failure, Outcome, RULES};
use crate::import;
use crate::import::Imported;
use crate::source::SourceId;
use crate::syntax;

#[derive(Serialize)]
struct Output {
    variants: Vec<VariantReport>,
    imported: usize,
}

/// What became of a variant.
#[derive(Serialize)]
struct VariantReport {
    name: String,
    /// The line of its section, from 1.
    line: usize,
    /// The file that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Each setting that has no words in the language, as it stands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<String>,
}

pub fn run(args: &ImportArgs) -> Outcome {
    let bytes = crate::cli::select::bytes(&args.file, import::MOST_BYTES as u64, "")?;
    let text = String::from_utf8_lossy(&bytes);
    let refused = |why: String| Failure::usage(format!("cannot import `{}`: {why}", args.file.display()));
    let imported = import::import(&text, args.name.as_deref()).map_err(refused)?;
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(|error| Failure::usage(format!("{}: {error}", folder.display())))?;
    }
    let mut output = Output { variants: Vec::new(), imported: 0 };
    for one in imported {
        let mut told = VariantReport { name: one.name.clone(), line: one.line, file: None, unknown: Vec::new() };
        match one.rules {
            Ok(ref rules) => {
                let rules = laid_out(rules, &args.file, &one);
                if let Some(folder) = &args.out {
                    told.file = Some(write(folder, &one.name, &rules)?);
                } else if !args.json {
                    crate::cli::print(&rules)?;
                }
                output.imported += 1;
            }
            Err(unknown) => {
                if !args.json {
                    let text = format!("{}: not written: {}\n", one.name, unknown.join("; "));
                    anstream::stderr().write_all(text.as_bytes())?;
                }
                told.unknown = unknown;
            }
        }
        output.variants.push(told);
    }
    if args.json {
        crate::cli::print_json(&output)?;
    } else if args.out.is_some() {
        crate::cli::print(&format!("{} of {} variants written\n", output.imported, output.variants.len()))?;
    }
    Ok(if output.imported > 0 { ExitCode::SUCCESS } else { ExitCode::from(RULES) })
}

/// The rules in the usual layout, with a word of where they come from.
fn laid_out(rules: &str, file: &Path, one: &Imported) -> String {
    let from = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let text = format!("# Imported from `{}` of {from}, line {}.\n{rules}", one.name, one.line);
    syntax::format(SourceId(1), &text).unwrap_or(text)
}

/// Writes a new file; one that is there is left as it is.
fn write(folder: &Path, name: &str, rules: &str) -> Result<String, Failure> {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) && !name.starts_with('.');
    if !is_plain {
        return Err(Failure::usage(format!("`{name}` is no name of a file")));
    }
    let path = folder.join(format!("{name}.rules"));
    let shown = path.display().to_string();
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(rules.as_bytes()));
    written.map_err(|error| Failure::usage(format!("{shown}: {error}")))?;
    Ok(shown)
}
