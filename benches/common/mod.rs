//! What the benches share: arguments, the shipped games by name, the clock and the table.

// Each bench uses a part of what is here.
#![allow(dead_code)]

use std::process::exit;

use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use lusoria::Game;
use lusoria::batch::Instructions;
use lusoria::shipped::Shipped;

/// Variants that are measured too, as there are engines written for them.
const VARIANTS: [&str; 2] = ["nine_mens_morris:forced removal", "pente:keryo-pente"];

/// `cargo bench --bench NAME -- ...`
#[derive(Debug, Parser)]
pub struct Args {
    /// Shipped games, `GAME` or `GAME:VARIANT`; all if none is named.
    pub games: Vec<String>,
    /// Processor time that each executor gets for a game.
    #[arg(long, default_value_t = 1.0)]
    pub seconds: f64,
    /// Turns after which a game counts as unfinished.
    #[arg(long, default_value_t = 1000)]
    pub max_turns: u32,
    /// Games that are compared one by one, where that is done.
    #[arg(long, default_value_t = 10_000)]
    pub count: u64,
    /// The vector instructions of the batch executor: `avx512` or `avx2`.
    #[arg(long, default_value = "avx512", value_parser = instructions)]
    pub vectors: Instructions,
    /// Print the table as it stands in docs/performance.md.
    #[arg(long)]
    pub markdown: bool,
    /// Cargo gives it where it runs benches, and leaves it out where it runs tests.
    #[arg(long, hide = true)]
    bench: bool,
}

impl Args {
    /// The arguments; where tests are run, nothing is measured and the program ends here.
    pub fn of_bench() -> Args {
        if std::env::args().all(|arg| arg != "--bench") {
            exit(0);
        }
        Args::parse()
    }

    /// The games that are named, or all: `(name, game)`.
    pub fn games(&self) -> Vec<(String, Game)> {
        let names = if self.games.is_empty() { all_names() } else { self.games.clone() };
        names.into_iter().map(|name| (name.clone(), expect_game(&name))).collect()
    }
}

fn instructions(name: &str) -> Result<Instructions, String> {
    match name {
        "avx512" => Ok(Instructions::Avx512),
        "avx2" => Ok(Instructions::Avx2),
        _ => Err(String::from("it is one of `avx512`, `avx2`")),
    }
}

fn all_names() -> Vec<String> {
    let mains = Shipped.games().into_iter().map(|game| game.stem.to_string());
    let mut names: Vec<String> = mains.chain(VARIANTS.map(String::from)).collect();
    names.sort();
    names
}

fn expect_game(name: &str) -> Game {
    Game::shipped(name).unwrap_or_else(|| {
        eprintln!("there is no shipped game `{name}`");
        exit(2)
    })
}

/// Seconds that this thread has been on a processor, so that other work on the machine counts
/// little.
pub fn seconds() -> f64 {
    cpu_time::ThreadTime::now().as_duration().as_secs_f64()
}

/// The first column to the left, the others to the right.
pub fn table(markdown: bool, header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(if markdown { presets::ASCII_MARKDOWN } else { presets::NOTHING }).set_header(header.to_vec());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Millions, to three digits.
pub fn millions(number: f64) -> String {
    three_digits(number / 1e6)
}

pub fn three_digits(number: f64) -> String {
    let digits = if number == 0.0 { 0.0 } else { number.abs().log10().floor() };
    let decimals = (2.0 - digits).clamp(0.0, 5.0) as usize;
    format!("{number:.decimals$}")
}

/// Nothing, or what is wrong, and the exit code that says so.
pub fn finish(complaints: &[String]) {
    for complaint in complaints {
        eprintln!("{complaint}");
    }
    if !complaints.is_empty() {
        exit(1);
    }
}
