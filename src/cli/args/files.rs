//! Arguments on files: a command line goes in; what is written, read or merged comes out.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::args::{GameArgs, PositionArgs, parse_shard};

#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Files that `simulate`, `coverage` or `report` has written by `--out`, or records of a match.
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,
    /// Merge also where shards are not there, or are not at their end.
    #[arg(long)]
    pub partial: bool,
    /// Write the counts of all to this file, which can be merged again.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Of parts of a report: the page, one HTML file that needs no other; `-` is the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Of parts of a coverage: how it is printed.
    #[arg(long, value_enum, default_value_t = CoverageFormat::Text)]
    pub format: CoverageFormat,
    /// Print the result as data.
    #[arg(long)]
    pub json: bool,
}

/// Which part of the games is played, and the file of what it comes to.
#[derive(Args, Debug)]
pub struct ShardArgs {
    /// Play only the i-th of n equal shards of the games, `1/8` to `8/8`, and write what it came to by `--out`.
    /// `lusoria merge` puts the shards together: the result is that of one run.
    #[arg(long, value_name = "I/N", requires = "out", value_parser = parse_shard)]
    pub shard: Option<(u64, u64)>,
    /// Write what was played to this file, also meanwhile: at any moment it is whole.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub out: Option<PathBuf>,
    /// Go on from what the file of `--out` has, if it is there.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Games after which the file of `--out` is written again. Unless said, as many as take half a minute.
    #[arg(long, value_name = "N", requires = "out", value_parser = clap::value_parser!(u64).range(1..))]
    pub checkpoint: Option<u64>,
}

#[derive(Args, Debug)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The file of games.
    pub file: String,
    /// The form to write.
    #[arg(long, value_enum, default_value_t = ConvertTo::Moves)]
    pub to: ConvertTo,
    /// Print the games, and those that could not be played, as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConvertTo {
    /// One move a line, an empty line behind each game.
    Moves,
    /// One JSON object a line, as `simulate --record` writes them.
    Record,
    /// PGN, with abbreviated moves where the rules say how.
    Pgn,
    /// SGF, with cells of two letters where moves are cells.
    Sgf,
}

#[derive(Args, Debug)]
pub struct ImportArgs {
    /// A file of settings, such as `variants.ini`.
    pub file: PathBuf,
    /// The variant to import; its rules are printed, unless `--out` is said. Without it, all of the file.
    pub name: Option<String>,
    /// Write each variant to a new file `NAME.rules` in this folder, which is made if it is not there.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["name", "json"])]
    pub out: Option<PathBuf>,
    /// Print what became of each variant as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct CoverageArgs {
    /// Rules files, or shipped games by name; `GAME:VARIANT` chooses a variant. What stands in one file
    /// is added up.
    #[arg(value_name = "GAME", required = true)]
    pub games_named: Vec<String>,
    /// Random games of each.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub games: u64,
    /// Count also the moves that the examples of the rules play, and those that they claim to be legal.
    #[arg(long)]
    pub examples: bool,
    /// The seed of the random games.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Give a game up after this many turns.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub max_turns: u32,
    #[command(flatten)]
    pub at: ShardArgs,
    /// How it is printed.
    #[arg(long, value_enum, default_value_t = CoverageFormat::Text, conflicts_with = "out")]
    pub format: CoverageFormat,
    /// Print the counts as data; the same as `--format json`.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoverageFormat {
    /// The rules, each line with its count, and what was never used.
    Text,
    /// A page for a browser.
    Html,
    /// The format that editors and coverage services read.
    Lcov,
    Json,
}

#[derive(Args, Debug)]
pub struct DrawArgs {
    #[command(flatten)]
    pub at: PositionArgs,
    /// The picture: a file that ends in .svg or .png; `-` writes SVG to the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// What is marked: where the last move went and what it captured, where moves can go.
    #[arg(long, value_enum, value_name = "MARKS", value_delimiter = ',', default_value = "last")]
    pub marks: Vec<MarkArg>,
    /// Draw all positions that the moves lead through: SVG moves, PNG is a strip. Without moves, a
    /// random game by the seed: that of `simulate`.
    #[arg(long)]
    pub frames: bool,
    /// Draw the frames beside and below each other, also as SVG.
    #[arg(long, requires = "frames")]
    pub strip: bool,
    /// Draw each N-th position of the frames, and the last.
    #[arg(long, value_name = "N", requires = "frames", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Boards in a row of a strip. Unless said, four, or more where the strip would be taller than wide.
    #[arg(long, value_name = "N", requires = "frames", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub columns: Option<u16>,
    /// The number of the random game, as `simulate` counts them, from 0.
    #[arg(long, value_name = "N", requires = "frames", default_value_t = 0)]
    pub number: u64,
    /// How wide a PNG is, in pixels. Unless said, two for each unit of the SVG, or fewer where it would be too large.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=16384))]
    pub width: Option<u32>,
    /// A line of text below the board.
    #[arg(long, value_name = "TEXT", conflicts_with = "frames")]
    pub caption: Option<String>,
    /// Leave out the letters and numbers around the board.
    #[arg(long)]
    pub no_coordinates: bool,
    /// Print what was drawn as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MarkArg {
    /// Where the last move came from, went, and what it captured.
    Last,
    /// Where the legal moves go.
    Moves,
    /// Nothing.
    None,
}
