//! Command `list`: the shipped games come out, with their variants.

use std::process::ExitCode;

use serde::Serialize;

use crate::board::Shape;
use crate::check;
use crate::cli::Outcome;
use crate::cli::args::ListArgs;
use crate::model::Game;
use crate::shipped::Shipped;

#[derive(Serialize)]
struct Entry {
    /// What commands call it.
    name: String,
    title: String,
    players: Vec<String>,
    board: String,
    variants: Vec<Variant>,
}

#[derive(Serialize)]
struct Variant {
    title: String,
    players: Vec<String>,
    board: String,
}

pub fn run(args: &ListArgs) -> Outcome {
    let entries: Vec<Entry> = Shipped.games().into_iter().filter_map(entry).collect();
    if args.json {
        crate::cli::print_json(&entries)?;
    } else {
        crate::cli::print(&entries.iter().map(text).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn entry(shipped: crate::shipped::ShippedGame) -> Option<Entry> {
    let checked = check::check(shipped.source, &Shipped);
    let (game, variants) = checked.games.split_first()?;
    let variants = variants
        .iter()
        .map(|variant| Variant { title: variant.name().to_string(), players: players(variant), board: board(variant) })
        .collect();
    Some(Entry {
        name: shipped.stem.to_string(),
        title: game.title.clone(),
        players: players(game),
        board: board(game),
        variants,
    })
}

fn text(entry: &Entry) -> String {
    let mut text = format!("{:<18} {} ({}; {})\n", entry.name, entry.title, entry.players.join(", "), entry.board);
    for variant in &entry.variants {
        // What a variant shares with its game goes without saying.
        let mut apart = Vec::new();
        if variant.players != entry.players {
            apart.push(variant.players.join(", "));
        }
        if variant.board != entry.board {
            apart.push(variant.board.clone());
        }
        let apart = if apart.is_empty() { String::new() } else { format!(" ({})", apart.join("; ")) };
        text += &format!("{:<18}   {}{apart}\n", "", variant.title);
    }
    text
}

fn players(game: &Game) -> Vec<String> {
    game.seats.iter().map(|seat| seat.name.clone()).collect()
}

/// `square 8 by 8`, `hexagon side 7`, `24 points`.
fn board(game: &Game) -> String {
    match game.topology.shape() {
        Shape::Square { files, ranks, layers, wrap } => {
            let layers = if *layers > 1 { format!(" by {layers}") } else { String::new() };
            format!("square {files} by {ranks}{layers}{}", wrap.words())
        }
        Shape::Hexagon { side } => format!("hexagon side {side}"),
        Shape::Points { .. } => format!("{} points", game.topology.len()),
    }
}
