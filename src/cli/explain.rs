//! Explain: a code goes in; what the reference of errors says of it is printed, or all codes are.

use std::process::ExitCode;

use serde::Serialize;

use crate::cli::args::ExplainArgs;
use crate::cli::{Failure, Outcome};
use crate::report::pages::{Page, near_codes, pages};

#[derive(Serialize)]
struct Listed {
    code: &'static str,
    part: &'static str,
}

pub fn run(args: &ExplainArgs) -> Outcome {
    match &args.code {
        Some(code) => explain(code, args.json)?,
        None => list(args.json)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn explain(code: &str, json: bool) -> Result<(), Failure> {
    let Some(page) = pages().into_iter().find(|page| page.code == code) else { return Err(unknown(code)) };
    if json { crate::cli::print_json(&page) } else { crate::cli::print(&format!("{}\n\n{}\n", page.code, page.text)) }
}

fn list(json: bool) -> Result<(), Failure> {
    let pages = pages();
    if json {
        let listed: Vec<Listed> = pages.iter().map(|page| Listed { code: page.code, part: page.part }).collect();
        return crate::cli::print_json(&listed);
    }
    crate::cli::print(&parts(&pages))
}

/// The codes, part by part.
fn parts(pages: &[Page]) -> String {
    let mut text = String::new();
    let mut part = "";
    for page in pages {
        if page.part != part {
            let between = if part.is_empty() { "" } else { "\n" };
            text += &format!("{between}{}\n", page.part);
            part = page.part;
        }
        text += &format!("  {}\n", page.code);
    }
    text
}

fn unknown(code: &str) -> Failure {
    let help = match near_codes(code).as_slice() {
        [] => String::from("`lusoria explain` lists all codes"),
        [one] => format!("did you mean `{one}`?"),
        several => format!("did you mean one of `{}`?", several.join("`, `")),
    };
    Failure::usage(format!("there is no code `{code}`; {help}"))
}
