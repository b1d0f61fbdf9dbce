//! Command `diff`: two games go in; the declarations in which they differ are printed, and a position
//! in which they play differently.

use std::process::ExitCode;

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use crate::cli::args::{DiffArgs, GameArgs};
use crate::cli::{Outcome, RULES};
use crate::game::{Boards, Compared, Declared, Parting, Split};

#[derive(Serialize)]
struct Output {
    first: String,
    second: String,
    declarations: Vec<Declared>,
    play: Compared,
}

pub fn run(args: &DiffArgs) -> Outcome {
    // In play thousands of positions are asked for their moves.
    let load = |name: &str| crate::cli::select::load(&GameArgs::plain(name)).map(|game| game.with_plan());
    let (first, second) = (load(&args.first)?, load(&args.second)?);
    let declarations = first.differing_declarations(&second);
    let play =
        first.compare(&second, args.games, args.seed).map_err(|error| crate::cli::failure(&first, error, None))?;
    let differs = !declarations.is_empty() || play.parting.is_some();
    let output = Output { first: first.name().to_string(), second: second.name().to_string(), declarations, play };
    if args.json {
        crate::cli::print_json(&output)?;
    } else {
        crate::cli::print(&told(&output))?;
    }
    Ok(if differs { ExitCode::from(RULES) } else { ExitCode::SUCCESS })
}

fn told(output: &Output) -> String {
    let (first, second) = (&output.first, &output.second);
    let mut text = format!("- {first}\n+ {second}\n\n");
    if output.declarations.is_empty() {
        text += "The declarations are the same.\n\n";
    }
    for declared in &output.declarations {
        text += &changed(declared);
    }
    let Compared { games, positions, boards, parting, set_up } = &output.play;
    if let Some(boards) = boards {
        text += &board_cells(boards);
    }
    let tried = format!(
        "{games} random game{} with {positions} position{}",
        if *games == 1 { "" } else { "s" },
        if *positions == 1 { "" } else { "s" }
    );
    match parting {
        Some(parting) => text += &parted(parting, first, second),
        None => text += &format!("No difference in play was found: {tried} went the same way in both.\n"),
    }
    if let Some(parting) = set_up {
        text += &format!("\nA position of {first} that is set up in both:\n");
        text += &parted(parting, first, second);
    }
    text
}

/// The cells that one board has alone.
fn board_cells(boards: &Boards) -> String {
    const MOST: usize = 24;
    let listed = |mark: char, cells: &[String]| match cells.len() {
        0 => String::new(),
        len if len > MOST => format!("{mark} {} ... ({len} cells)\n", cells[..MOST].join(" ")),
        _ => format!("{mark} {}\n", cells.join(" ")),
    };
    format!("The boards differ, by these cells:\n{}{}\n", listed('-', &boards.first), listed('+', &boards.second))
}

/// The lines of a declaration that differ, with those around them.
fn changed(declared: &Declared) -> String {
    let (first, second) = (declared.first.as_deref().unwrap_or(""), declared.second.as_deref().unwrap_or(""));
    let mut text = String::new();
    for change in TextDiff::from_lines(first, second).iter_all_changes() {
        let mark = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => ' ',
        };
        text += format!("{mark} {}", change.value().trim_end_matches('\n')).trim_end();
        text += "\n";
    }
    text + "\n"
}

fn parted(parting: &Parting, first: &str, second: &str) -> String {
    let mut text = match parting.moves.as_slice() {
        [] => String::from("In the position that play begins with"),
        [one] => format!("Behind the move {one}"),
        moves => format!("Behind the moves {}", moves.join("  ")),
    };
    match &parting.how {
        Split::Positions => {
            text += &format!(" the positions differ:\n- {}\n+ {}\n", parting.first, parting.second);
        }
        Split::Moves { first: only_first, second: only_second } => {
            text += &format!(" the legal moves differ:\n  {}\n", parting.first);
            let listed = |mark: char, moves: &[String]| match moves {
                [] => String::new(),
                moves => format!("{mark} {}\n", moves.join("  ")),
            };
            text += &listed('-', only_first);
            text += &listed('+', only_second);
        }
        Split::Outcomes { first: one, second: two } => {
            let come = |name: &str, how: &Option<String>| match how {
                Some(how) => format!("{name}: {how}"),
                None => format!("{name} goes on"),
            };
            text += &format!(" they come out differently:\n  {}\n", parting.first);
            text += &format!("- {}\n+ {}\n", come(first, one), come(second, two));
        }
    }
    text
}
