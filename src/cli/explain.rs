//! Command `explain`: a code or a game goes in; what the reference of errors says of the code is
//! printed, or the rules of the game in plain English, or all codes are listed.

use std::process::ExitCode;

use serde::Serialize;

use crate::cli::args::{ExplainArgs, GameArgs};
use crate::cli::{Failure, Outcome};
use crate::report::pages::{Page, near_codes, pages};

#[derive(Serialize)]
struct Listed {
    code: &'static str,
    part: &'static str,
}

pub fn run(args: &ExplainArgs) -> Outcome {
    match &args.about {
        Some(about) => match pages().into_iter().find(|page| page.code == about) {
            Some(page) if args.json => crate::cli::print_json(&page)?,
            Some(page) => crate::cli::print(&format!("{}\n\n{}\n", page.code, page.text))?,
            None => rules(about, args)?,
        },
        None => list(args.json)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The rule sheet of a game.
fn rules(name: &str, args: &ExplainArgs) -> Result<(), Failure> {
    if crate::cli::select::named(name).is_err() && !is_file(name) {
        return Err(unknown(name));
    }
    let game = GameArgs { variant: args.variant.clone(), params: args.params.clone(), ..GameArgs::plain(name) };
    let sheet = crate::cli::select::load(&game)?.rule_sheet();
    match (args.json, args.markdown) {
        (true, _) => crate::cli::print_json(&sheet),
        (false, true) => crate::cli::print(&sheet.markdown()),
        (false, false) => crate::cli::print(&sheet.to_string()),
    }
}

/// It can be meant for a file alone.
fn is_file(name: &str) -> bool {
    name.contains(".rules") || name.contains('/')
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
        [] => String::from("`lusoria explain` lists all codes, `lusoria list` the shipped games"),
        [one] => format!("did you mean `{one}`?"),
        several => format!("did you mean one of `{}`?", several.join("`, `")),
    };
    Failure::usage(format!("there is no code and no game `{code}`; {help}"))
}
