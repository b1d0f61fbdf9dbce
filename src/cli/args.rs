//! Arguments: a command line goes in; the command with its options comes out.

mod files;
mod play;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::check::ParamValue;
use crate::cli::opponent::{Spec, parse_time};

pub use crate::cli::args::files::{
    ConvertArgs, ConvertTo, CoverageArgs, CoverageFormat, DrawArgs, ImportArgs, MarkArg, MergeArgs, ShardArgs,
};
pub use crate::cli::args::play::{PlayArgs, with_players};

/// Turns after which a random game counts as unfinished, unless another bound is asked for.
pub const MAX_TURNS: u32 = 2000;

/// Write board games as text files, check them, play them and study them.
#[derive(Debug, Parser)]
#[command(
    name = "lusoria",
    version,
    arg_required_else_help = true,
    after_help = "Examples:
  lusoria list
  lusoria simulate fanorona --games 1000
  lusoria check my_game.rules --playouts 100
  lusoria moves othello
  lusoria perft breakthrough 4 --divide

Exit codes: 0 fine, 1 mistakes in rules or a fault of a game, 2 usage or files."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check rules files, and with --playouts play them too.
    #[command(after_help = "Examples:
  lusoria check my_game.rules
  lusoria check rules/*.rules --playouts 100
  lusoria check my_game.rules --json | jq .diagnostics")]
    Check(CheckArgs),
    /// Write a rules file to start from.
    #[command(after_help = "Examples:
  lusoria new my_game
  lusoria new my_game --board hexagon
  lusoria new my_chess --like chess
  lusoria new my_game.rules --like fanorona:telo

The file has comments and examples, checks and plays. A file that is there is never overwritten.")]
    New(NewArgs),
    /// Hold rules files to their own examples.
    #[command(after_help = "Examples:
  lusoria test my_game.rules
  lusoria test rules/*.rules
  lusoria test congo --json

An `example` in a rules file says what its author expects; docs/language.md tells how it is written.")]
    Test(TestArgs),
    /// Lay rules files out in the one canonical way.
    #[command(after_help = "Examples:
  lusoria fmt my_game.rules
  lusoria fmt --check rules/*.rules
  lusoria fmt - < my_game.rules

Blanks, indentation, columns and long lines are decided; comments stay, and the ends of lines between statements.")]
    Fmt(FmtArgs),
    /// Play a game many times at random and count the results.
    #[command(after_help = "Examples:
  lusoria simulate fanorona
  lusoria simulate breakthrough:5x5 --games 10000 --seed 7
  lusoria simulate my_game.rules --set size=7 --json
  lusoria simulate breakthrough --set size=5,6,7
  lusoria simulate fanorona --variants --details --csv > fanorona.csv
  lusoria simulate pente --games 100 --record games.jsonl
  lusoria simulate pente --games 100 --record games.jsonl --append")]
    Simulate(SimulateArgs),
    /// Put together what shards of a simulation, a match, a coverage or a report came to on many machines.
    #[command(after_help = "Examples:
  lusoria simulate pente --games 1000000 --shard 1/2 --out part1.json
  lusoria simulate pente --games 1000000 --shard 2/2 --out part2.json
  lusoria merge part1.json part2.json
  lusoria match othello mcts:1s greedy --shard 1/2 --resume part1.jsonl
  lusoria match othello mcts:1s greedy --shard 2/2 --resume part2.jsonl
  lusoria merge part1.jsonl part2.jsonl
  lusoria report othello --games 100 --shard 1/2 --out part1.json --resume
  lusoria report othello --games 100 --shard 2/2 --out part2.json --resume
  lusoria merge part1.json part2.json -o report.html

The result is exactly that of one run. docs/scale.md shows how to run on clusters.")]
    Merge(MergeArgs),
    /// List the legal plies of a position, one a line.
    #[command(after_help = "Examples:
  lusoria moves othello
  lusoria moves breakthrough --position \"8/8/8/3BB3/3WW3/8/8/8 White\"
  lusoria moves kitaran --json --move c3
  lusoria moves pente --position - < positions.txt

`--position -` reads positions from standard input, one a line.")]
    Moves(MovesArgs),
    /// Count the move sequences of a length (perft).
    #[command(after_help = "Examples:
  lusoria perft othello 6
  lusoria perft fanorona 3 --divide
  lusoria perft kitaran 3 --set size=4 --unit result
  lusoria perft chess960 --suite fischer.epd --depth 4

Outcomes that ask which positions came before, by `times` or `cycle`, do not end what is counted; nor does a part of an `or`
that asks so.

Exit codes: 0 fine, 1 a count of a suite differs, 2 usage or files.")]
    Perft(PerftArgs),
    /// Draw a position.
    #[command(after_help = "Examples:
  lusoria show morabaraba
  lusoria show breakthrough --move a2-a3 --move b7-b6
  lusoria show othello --position \"8/8/8/3WB3/3BW3/8/8/8 White\"")]
    Show(ShowArgs),
    /// Tell what two games differ in: declarations, and a position where they play differently.
    #[command(after_help = "Examples:
  lusoria diff fanorona \"fanorona:Fanorona, blocked is a draw\"
  lusoria diff breakthrough my_game.rules
  lusoria diff chess my_chess.rules --games 1000 --json

Exit codes: 0 no difference was found, 1 there is one.")]
    Diff(DiffArgs),
    /// Check, test, draw and play a file each time it is saved, until Ctrl-C.
    #[command(after_help = "Examples:
  lusoria watch my_game.rules
  lusoria watch my_game.rules --games 200
  lusoria watch my_game.rules --json | jq .errors")]
    Watch(WatchArgs),
    /// Tell why a move is not legal, or is, by the lines of the rules.
    #[command(after_help = "Examples:
  lusoria why breakthrough a2-b2
  lusoria why chess --move e2-e4 --move e7-e5 e4-e5
  lusoria why othello --position \"8/8/8/3WB3/3BW3/8/8/8 White\" a1 --json

Exit codes: 0 the move is legal, 1 it is not.")]
    Why(WhyArgs),
    /// Follow a move through the rules, line by line.
    #[command(after_help = "Examples:
  lusoria trace breakthrough a2-a3
  lusoria trace chess e2-e4
  lusoria trace fanorona --json d2xe3+")]
    Trace(TraceArgs),
    /// Tell which rules random games and examples use, and how often.
    #[command(after_help = "Examples:
  lusoria coverage breakthrough --games 20
  lusoria coverage my_game.rules --games 0 --examples
  lusoria coverage fanorona fanorona:telo --format html > coverage.html
  lusoria coverage my_game.rules --format lcov > lcov.info")]
    Coverage(CoverageArgs),
    /// Draw a position, or a whole game, as a picture: SVG or PNG.
    #[command(after_help = "Examples:
  lusoria draw breakthrough -o breakthrough.svg
  lusoria draw chess --move e2-e4 --marks last,moves -o opening.png --width 800
  lusoria draw fanorona --frames --seed 7 -o game.svg
  lusoria draw othello --frames --moves game.txt --every 10 -o strip.png

A rules file may say how it looks, by the note `looks` in `about`; docs/language.md tells how.")]
    Draw(DrawArgs),
    /// Write a page of measures, plots and pictures of a game, from games between players of rising strength.
    #[command(after_help = "Examples:
  lusoria report breakthrough -o report.html
  lusoria report my_game.rules --time 300s -o report.html
  lusoria report fanorona:telo --games 20 --seed 7 --json

It takes a minute unless --time or --games bounds it. Bounded by games, the same seed makes the same report.
Ctrl-C ends it with what is done by then. docs/measures.md defines every number.")]
    Report(ReportArgs),
    /// Play a game at the terminal, against programs or people.
    #[command(after_help = "Examples:
  lusoria play fanorona
  lusoria play breakthrough --seat human --seat mcts:5s
  lusoria play chess --white human --black alphabeta:2s
  lusoria play othello --seat mcts:1s --seat mcts:1000 < /dev/null
  lusoria play nine_mens_morris --seat human --seat human --moves game.txt
  lusoria play pente --seat greedy --seat random --json 2> /dev/null")]
    Play(PlayArgs),
    /// Look for the best moves of a position.
    #[command(after_help = "Examples:
  lusoria analyse breakthrough --time 10s
  lusoria analyse othello --move d3 --lines 5 --json
  lusoria analyse chess --search alphabeta --depth 6
  lusoria analyse breakthrough --position \"8/W7/8/3B4/8/8/6B1/8 White\"")]
    Analyse(AnalyseArgs),
    /// Play for another program, by a protocol in the manner of UCI on stdin and stdout.
    #[command(after_help = "Examples:
  lusoria engine chess
  printf 'position startpos moves e2e4\\ngo movetime 1000\\n' | lusoria engine chess

docs/protocol.md describes the protocol, which is the answer's only form: there is no --json.")]
    Engine(EngineArgs),
    /// Find the exact value of a position of a small game, and of its moves.
    #[command(after_help = "Examples:
  lusoria solve breakthrough:5x5 --position \"2B2/5/1W3/2W2/5 White\"
  lusoria solve my_game.rules --time 60s --json
  lusoria solve fanorona:telo --method retrograde

A win in N is a win after N plies at most, the moves of both counted; a loss in N can be held off so long.
Where few positions can be reached, all are listed, and their values drawn from the ends backward
(retrograde): then games that go round have values too. Else moves are looked ahead, deeper and deeper.")]
    Solve(SolveArgs),
    /// Let two programs play many games, and tell how much stronger one is.
    #[command(after_help = "Examples:
  lusoria match breakthrough mcts:1000 mcts:100 --games 100
  lusoria match othello mcts:100ms greedy --games 20 --json
  lusoria match pente mcts:2000 mcts:1000 --sprt 0,50 --record games.jsonl
  lusoria match chess alphabeta:depth=3 mcts:1s --games 40 --resume games.jsonl

The players are random, greedy (looks one ply ahead), mcts (tree search by random games), alphabeta (looks
ahead, for two players without chance) and best (the stronger of the last two, as a short match finds out).
Behind the last three stands a budget for a move: a time, mcts:2s or mcts:500ms, or a number of playouts or
positions, mcts:10000. alphabeta:depth=4 looks four plies ahead.")]
    Match(MatchArgs),
    /// Find weights of a game's evaluation, by games that alphabeta plays against itself.
    #[command(after_help = "Examples:
  lusoria tune my_game.rules
  lusoria tune breakthrough --out breakthrough.weights
  lusoria tune othello --rounds 2 --games 400 --seed 7 --json

The weights of NAME.rules are written to NAME.weights beside it, where all commands find them, if a match
shows that they play better than those that the rules alone suggest. Weights of shipped games are printed
unless --out names a file. The same seed finds the same weights.")]
    Tune(TuneArgs),
    /// Print how a game is executed: the operations on sets of cells, and how each choice is drawn.
    #[command(after_help = "Examples:
  lusoria plan breakthrough
  lusoria plan othello --player White
  lusoria plan othello --full > othello.plan
  lusoria plan nine_mens_morris --json

Exit codes: 0 the game has a plan, 1 it has none, and the construct in the way is named; 2 usage or files.")]
    Plan(PlanArgs),
    /// List the shipped games and their variants.
    #[command(after_help = "Examples:
  lusoria list
  lusoria list --speed
  lusoria list breakthrough chess --speed 2s
  lusoria list --json | jq '.[].name'")]
    List(ListArgs),
    /// Write rules files from the settings of variants of Fairy-Stockfish, `variants.ini`.
    #[command(after_help = "Examples:
  lusoria import variants.ini --out variants
  lusoria import variants.ini hexapawn > hexapawn.rules
  lusoria import variants.ini --json | jq '.variants[] | select(.unknown)'

A variant with a setting that has no words in the language is not written, and the setting is named; docs/import.md
lists them. Exit codes: 0 something was written, 1 nothing could be.")]
    Import(ImportArgs),
    /// Write the games of a file in another form.
    #[command(after_help = "Examples:
  lusoria convert chess games.pgn --to record > games.jsonl
  lusoria convert othello transcripts.txt --to moves
  lusoria convert pente game.sgf --to pgn
  lusoria convert chess games.pgn --json | jq .failed

PGN, SGF, files of Gomoku programs, lists of moves and records of `simulate` are read; docs/formats.md says more.")]
    Convert(ConvertArgs),
    /// Print what the reference says of the code of an error, or the rules of a game in plain English.
    #[command(after_help = "Examples:
  lusoria explain wrong-type
  lusoria explain
  lusoria explain fanorona:telo
  lusoria explain my_game.rules --markdown > rules.md")]
    Explain(ExplainArgs),
    /// Serve the page on which games are written and played, to this machine alone.
    #[command(after_help = "Examples:
  lusoria web
  lusoria web --port 0
  lusoria web --port 0 --json

Open the address that it prints in a browser. Port 0 takes one that is free.")]
    Web(WebArgs),
    /// Print a rules file of the shipped games, to start a variant from.
    #[command(after_help = "Examples:
  lusoria rules breakthrough > my_game.rules
  lusoria rules std
  lusoria rules othello --json | jq -r .text")]
    Rules(RulesArgs),
    /// Print a completion script for a shell.
    #[command(after_help = "Examples:
  lusoria completions bash > ~/.local/share/bash-completion/completions/lusoria")]
    Completions { shell: Shell },
    /// Serve an editor: the language server protocol on stdin and stdout.
    #[command(after_help = "Examples:
  lusoria lsp

A client starts it by its name, as Neovim does:
  vim.lsp.start({ name = 'lusoria', cmd = { 'lusoria', 'lsp' } })

docs/editors.md says how to set up Neovim, Helix, Emacs and Visual Studio Code.")]
    Lsp(LspArgs),
    /// Write manual pages of all commands to a folder.
    #[command(after_help = "Examples:
  lusoria man --out ~/.local/share/man/man1
  man lusoria-simulate")]
    Man(ManArgs),
}

/// A game and what can be chosen of it.
#[derive(Args, Clone, Debug)]
pub struct GameArgs {
    /// A rules file, or a shipped game by name; `GAME:VARIANT` chooses a variant.
    pub game: String,
    /// The variant to play, by its title.
    #[arg(long, value_name = "TITLE")]
    pub variant: Option<String>,
    /// Give a param another value; may be repeated. Where several games are compared, several values:
    /// `size=5,6,7`.
    #[arg(long = "set", value_name = "PARAM=VALUE", value_parser = parse_param)]
    pub params: Vec<(String, Vec<ParamValue>)>,
    /// Take the set-up with this number, where the set-up is drawn by chance.
    #[arg(long, value_name = "N")]
    pub setup: Option<u64>,
    /// The seed of everything random. By a seed the scalar and the batch executor play the same
    /// games, recorded or not. The reference executor draws its moves in another way, so it plays
    /// other games.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
}

impl GameArgs {
    /// A game by its name alone.
    pub fn plain(name: &str) -> GameArgs {
        GameArgs { game: name.to_string(), variant: None, params: Vec::new(), setup: None, seed: 0 }
    }
}

/// A position of a game.
#[derive(Args, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The position, as `show` prints it; unless said, the one that play begins with.
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// A move to make first; may be repeated, in order.
    #[arg(long = "move", value_name = "MOVE", allow_hyphen_values = true)]
    pub moves: Vec<String>,
    /// Make the moves of this file before those: a list of moves, PGN, SGF or a record. `FILE#3` is its third game.
    #[arg(long = "moves", value_name = "FILE")]
    pub move_file: Option<String>,
}

#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Rules files, or shipped games by name.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Also play every game and variant so many times at random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub playouts: u64,
    /// Turns after which a playout is given up.
    #[arg(long, value_name = "M", default_value_t = 2000)]
    pub max_turns: u32,
    /// The seed of the playouts.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Print the diagnostics as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct NewArgs {
    /// What the game is called: `my_game` writes the file `my_game.rules`.
    pub name: String,
    /// Write a variant of this game: a shipped one, or one of a file in the same folder;
    /// `GAME:VARIANT` begins with a variant.
    #[arg(long, value_name = "GAME", conflicts_with = "board")]
    pub like: Option<String>,
    /// Write a small game of its own on such a board. Unless said, square.
    #[arg(long, value_enum, value_name = "BOARD")]
    pub board: Option<BoardArg>,
    /// Print what was written as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BoardArg {
    /// Squares: two armies of men.
    Square,
    /// Hexagons: stones in a row.
    Hexagon,
    /// Points joined by lines: men from the hand.
    Points,
    /// Squares in layers one above the other.
    Layers,
    /// Squares whose files close to a ring.
    Ring,
    /// Squares on which men are piled up.
    Stacks,
}

#[derive(Args, Debug)]
pub struct LspArgs {
    /// Speak on stdin and stdout, as it does without this; some editors say so.
    #[arg(long)]
    pub stdio: bool,
}

#[derive(Args, Debug)]
pub struct ManArgs {
    /// The folder; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Print the names of the files as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct TestArgs {
    /// Rules files, or shipped games by name.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print what fails as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct FmtArgs {
    /// Rules files; `-` formats the standard input to the standard output.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing, and tell which files are laid out otherwise; exit with 1 if there are any.
    #[arg(long)]
    pub check: bool,
    /// Print which files were laid out otherwise as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The position that all games begin with, as `show` prints it.
    #[arg(long, value_name = "P", allow_hyphen_values = true, conflicts_with = "setup")]
    pub position: Option<String>,
    /// Play the game and all its variants, and put them side by side.
    #[arg(long, conflicts_with = "variant")]
    pub variants: bool,
    /// Tell forced plies, captures, branching through the game, changes of the lead, and wins by length.
    /// Each ply is looked at, so this takes many times as long; the games are the same.
    #[arg(long)]
    pub details: bool,
    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// How many threads; the results do not depend on it. Unless said, as many as there are
    /// processors.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Turns after which a game counts as unfinished.
    #[arg(long, value_name = "M", default_value_t = MAX_TURNS)]
    pub max_turns: u32,
    /// Print the result as data.
    #[arg(long)]
    pub json: bool,
    /// Print the results as CSV, one line a game.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Who plays: the reference executor, the scalar one, or the batch one, each faster than the one
    /// before. Unless said, the fastest that can.
    #[arg(long, value_enum, value_name = "EXECUTOR")]
    pub executor: Option<SimulatorArg>,
    /// Games that the batch executor plays at a time on each thread; the results are the same for
    /// any number. Unless said, 64.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=128))]
    pub lanes: Option<u8>,
    /// Write every game to this file, one JSON object a line. They are the games that are counted;
    /// the scalar executor plays them in place of the batch one. An old file stays until all games
    /// are over. `-` is the standard output; the result goes to stderr then.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub record: Option<PathBuf>,
    /// Play only the i-th of n equal shards of the games, `1/8` to `8/8`, and write what it came to by `--out`.
    /// `lusoria merge` puts the shards together: the result is that of one run.
    #[arg(long, value_name = "I/N", requires = "out", value_parser = parse_shard)]
    pub shard: Option<(u64, u64)>,
    /// Write counts to this file, also while games are played: at any moment it is whole.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "csv", "variants"])]
    pub out: Option<PathBuf>,
    /// Go on from what the file of `--out` has, if it is there.
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Games after which the file of `--out` is written again. Unless said, as many as take half a minute.
    #[arg(long, value_name = "N", requires = "out", value_parser = clap::value_parser!(u64).range(1..))]
    pub checkpoint: Option<u64>,
    /// Go on with the recorded games of the file, behind its last one. Its lines must be games of
    /// this seed, numbered from 0; then it holds the same games as after one long run.
    #[arg(long, requires = "record")]
    pub append: bool,
}

/// `3/8`.
fn parse_shard(text: &str) -> Result<(u64, u64), String> {
    let numbers = text.split_once('/').and_then(|(shard, of)| Some((shard.parse().ok()?, of.parse().ok()?)));
    let fits = |(shard, of): &(u64, u64)| (1..=*of).contains(shard) && *of <= 1_000_000;
    numbers.filter(fits).ok_or_else(|| format!("say which of how many shards, from 1/8 to 8/8, not `{text}`"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SimulatorArg {
    /// Statement by statement, as the language is defined.
    #[value(alias = "plain")]
    Reference,
    /// By set operations that the game was planned as, one game after the other.
    #[value(alias = "planned")]
    Scalar,
    /// By the same operations, many games at a time.
    Batch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExecutorArg {
    /// Statement by statement, as the language is defined.
    #[value(alias = "plain")]
    Reference,
    /// By set operations that the game was planned as.
    #[value(alias = "planned")]
    Scalar,
}

#[derive(Args, Debug)]
pub struct MovesArgs {
    #[command(flatten)]
    pub at: PositionArgs,
    /// Print each move with the position after it, as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum UnitArg {
    /// Sequences of plies.
    Ply,
    /// Sequences of whole turns.
    #[default]
    Turn,
    /// Distinct positions after each turn.
    Result,
}

#[derive(Args, Debug)]
pub struct PerftArgs {
    #[command(flatten)]
    pub at: PositionArgs,
    /// How many turns (or plies) deep.
    #[arg(required_unless_present = "suite", conflicts_with = "suite")]
    pub depth: Option<u32>,
    /// Count each position of this file, and hold the counts to those that stand there: EPD with `;D1 20 ;D2 400`
    /// behind each position, or blocks of `epd` and `perft 1 20`. Draws do not end a count.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["divide", "position", "moves", "move_file"])]
    pub suite: Option<PathBuf>,
    /// Count a suite no deeper.
    #[arg(long = "depth", value_name = "N", requires = "suite")]
    pub cap: Option<u32>,
    /// Print the count behind each first move too.
    #[arg(long)]
    pub divide: bool,
    /// What is counted.
    #[arg(long, value_enum, default_value_t)]
    pub unit: UnitArg,
    /// Go on after a draw, but not behind a player who has no move.
    #[arg(long)]
    pub past_draws: bool,
    /// Who counts: the reference executor, or the scalar one, which is the faster. Unless said, the
    /// scalar one if the game has a plan and whole turns are counted, all together.
    #[arg(long, value_enum, value_name = "EXECUTOR")]
    pub executor: Option<ExecutorArg>,
    /// Print the counts as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct AnalyseArgs {
    #[command(flatten)]
    pub at: PositionArgs,
    /// How long to look, such as 5s or 500ms. Ctrl-C gives what is known by then.
    #[arg(long, value_name = "T", default_value = "5s", value_parser = parse_time)]
    pub time: Duration,
    /// How to look: by random games, or ahead.
    #[arg(long, value_enum, value_name = "SEARCH", default_value = "mcts")]
    pub search: SearchArg,
    /// Stop after so many playouts, or positions of alphabeta.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub playouts: Option<u64>,
    /// Look so many plies ahead, at most; for alphabeta.
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u16).range(1..=200))]
    pub depth: Option<u16>,
    /// How many moves are told.
    #[arg(long, value_name = "K", default_value_t = 3)]
    pub lines: usize,
    /// How many threads, each with a tree of its own. Unless said, as many as there are processors;
    /// alphabeta has one.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Memory of all trees, or of the table, in megabytes.
    #[arg(long, value_name = "MB", default_value = "1024", value_parser = parse_megabytes)]
    pub memory: usize,
    /// Print the result as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SearchArg {
    /// Monte Carlo tree search.
    Mcts,
    /// Alpha-beta search, for two players without chance.
    Alphabeta,
}

#[derive(Args, Debug)]
pub struct TuneArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// How often games are played and weights drawn from them; each time by the weights of the time
    /// before.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rounds: u32,
    /// Games of a round.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub games: u64,
    /// How many weights a feature gets: the first counts on an empty board, the last on a full one.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=16))]
    pub phases: u16,
    /// Games of the match between the new weights and those that the rules suggest.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    pub match_games: u64,
    /// Plies that the players of the match look ahead.
    #[arg(long, value_name = "D", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=20))]
    pub depth: u16,
    /// Turns after which a game counts as a draw.
    #[arg(long, value_name = "M", default_value_t = 200)]
    pub max_turns: u32,
    /// How many games at a time, each on one thread. Unless said, as many as there are processors.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// The file to write; sections of other games in it stay.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write the weights even if they play no better.
    #[arg(long)]
    pub force: bool,
    /// Print the result as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    Auto,
    /// Depth first with a table, deeper and deeper.
    Forward,
    /// All positions that can be reached, from the ends backward.
    Retrograde,
    /// Where least is left to prove: who wins, but not how soon.
    Proof,
}

#[derive(Args, Debug)]
pub struct SolveArgs {
    #[command(flatten)]
    pub at: PositionArgs,
    /// Give up after so long; Ctrl-C too gives what is known by then.
    #[arg(long, value_name = "T", default_value = "60s", value_parser = parse_time)]
    pub time: Duration,
    /// How it is solved; auto is retrograde where few positions can be reached.
    #[arg(long, value_enum, value_name = "METHOD", default_value = "auto")]
    pub method: MethodArg,
    /// Memory of the table, in megabytes.
    #[arg(long, value_name = "MB", default_value = "1024", value_parser = parse_megabytes)]
    pub memory: usize,
    /// Print the result as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct EngineArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// How moves are looked for, unless the option `Search` of the protocol says otherwise.
    #[arg(long, value_enum, value_name = "SEARCH", default_value = "mcts")]
    pub search: SearchArg,
}

#[derive(Args, Debug)]
pub struct MatchArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The player whose strength is told.
    #[arg(value_name = "A")]
    pub first: Spec,
    /// The one that it plays against.
    #[arg(value_name = "B")]
    pub second: Spec,
    /// How many games; they come in pairs with one opening and exchanged seats.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    /// Random turns that a pair of games begins with.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub opening: u32,
    /// Turns after which a game is given up, as a draw.
    #[arg(long, value_name = "M", default_value_t = 1000)]
    pub max_turns: u32,
    /// Stop when it is decided whether A is stronger by the second number of Elo or by the first, with
    /// errors of 5 percent.
    #[arg(long, value_name = "ELO,ELO", value_parser = parse_sprt, allow_hyphen_values = true)]
    pub sprt: Option<(f64, f64)>,
    /// How many games at a time, each on one thread. Unless said, as many as there are processors.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Memory of the trees of one game, in megabytes.
    #[arg(long, value_name = "MB", default_value = "1024", value_parser = parse_megabytes)]
    pub memory: usize,
    /// Write every game to this new file, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Go on with the match of this file, as --record writes it, and add the games to it; it is begun
    /// if it is not there. The arguments must be those it was begun with.
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    pub resume: Option<PathBuf>,
    /// Play only the i-th of n equal shards of the games, `1/8` to `8/8`, and write them by --record or --resume.
    /// `lusoria merge` puts the shards together: the result is that of one match.
    #[arg(long, value_name = "I/N", conflicts_with = "sprt", value_parser = parse_shard)]
    pub shard: Option<(u64, u64)>,
    /// Print the result as data.
    #[arg(long)]
    pub json: bool,
}

/// A number of megabytes, as bytes.
fn parse_megabytes(text: &str) -> Result<usize, String> {
    let megabytes = text.parse::<usize>().ok().filter(|megabytes| (1..=1 << 20).contains(megabytes));
    let bytes = megabytes.and_then(|megabytes| megabytes.checked_mul(1 << 20));
    bytes.ok_or_else(|| format!("`{text}` is no number of megabytes from 1 to {}, such as 1024", 1 << 20))
}

/// `0,50`.
fn parse_sprt(text: &str) -> Result<(f64, f64), String> {
    let numbers = text.split_once(',').and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    let sensible = |(least, most): &(f64, f64)| least < most && least.abs() < 2000.0 && most.abs() < 2000.0;
    numbers
        .filter(sensible)
        .ok_or_else(|| format!("say two differences in Elo, the less first, such as 0,50, not `{text}`"))
}

#[derive(Args, Debug)]
pub struct PlanArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Whose programs; unless said, the first player's.
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Print the complete form: the programs of all players with all tables, which can be read
    /// back.
    #[arg(long, conflicts_with_all = ["player", "json"])]
    pub full: bool,
    /// Print the result as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ShowArgs {
    #[command(flatten)]
    pub at: PositionArgs,
    /// Draw in ASCII alone also on a terminal, where men are stones and figures otherwise.
    #[arg(long)]
    pub ascii: bool,
    /// Print the position as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct DiffArgs {
    /// A rules file, or a shipped game by name; `GAME:VARIANT` chooses a variant.
    #[arg(value_name = "A")]
    pub first: String,
    /// The game that it is compared with.
    #[arg(value_name = "B")]
    pub second: String,
    /// How many random games are played in both, to find a position where they part.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u64,
    /// The seed of these games.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Print the differences as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct WatchArgs {
    /// A rules file.
    pub file: PathBuf,
    /// How many random games are played each time.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub games: u64,
    /// Turns after which a game is given up.
    #[arg(long, value_name = "M", default_value_t = 500)]
    pub max_turns: u32,
    /// The seed of these games.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Print one JSON object a line, one for each save.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct WhyArgs {
    #[command(flatten)]
    pub at: PositionArgs,
    /// The move that is asked about.
    #[arg(value_name = "MOVE", allow_hyphen_values = true)]
    pub text: String,
    /// Print the answer as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct TraceArgs {
    #[command(flatten)]
    pub at: PositionArgs,
    /// The legal move that is followed.
    #[arg(value_name = "MOVE", allow_hyphen_values = true)]
    pub text: String,
    /// Print the run as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ReportArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The page, one HTML file that needs no other; `-` is the standard output.
    #[arg(short, long, value_name = "FILE", conflicts_with = "out")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub at: ShardArgs,
    /// How many games each player plays against itself, and against the next stronger one. Unless said, as
    /// many as there is time for.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub games: Option<u64>,
    /// How long it takes at most, such as 60s or 500ms. Unless --games is said, 60s.
    #[arg(long, value_name = "T", conflicts_with = "out", value_parser = parse_time)]
    pub time: Option<Duration>,
    /// Playouts of the searching players for a move, from the weakest to the strongest.
    #[arg(long, value_name = "N,N,N", value_delimiter = ',', default_values_t = [32, 128, 512], value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub playouts: Vec<u64>,
    /// Turns after which a game counts as without end.
    #[arg(long, value_name = "M", default_value_t = 1000)]
    pub max_turns: u32,
    /// How many threads. Unless said, as many as there are processors.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Print the numbers as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A code, as it stands above an error or a warning; or a game: a rules file, or a shipped game by
    /// name, `GAME:VARIANT` for a variant.
    #[arg(value_name = "CODE|GAME")]
    pub about: Option<String>,
    /// The variant to explain, by its title.
    #[arg(long, value_name = "TITLE", requires = "about")]
    pub variant: Option<String>,
    /// Give a param of the game another value; may be repeated.
    #[arg(long = "set", value_name = "PARAM=VALUE", value_parser = parse_param, requires = "about")]
    pub params: Vec<(String, Vec<ParamValue>)>,
    /// Print the rules of a game as Markdown.
    #[arg(long, requires = "about", conflicts_with = "json")]
    pub markdown: bool,
    /// Print the page, the rules or the list as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct WebArgs {
    /// The port of this machine to listen on.
    #[arg(long, default_value_t = 8042)]
    pub port: u16,
    /// Print the address as data, on one line.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct RulesArgs {
    /// A shipped game, or `std` for the prelude.
    pub game: String,
    /// Print the text with the game's name and title as data.
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ListArgs {
    /// These games alone.
    #[arg(value_name = "GAME")]
    pub games: Vec<String>,
    /// Play each game at random on one thread for so long or longer, such as 2s, and tell which executor plays it and how fast.
    #[arg(long, value_name = "T", num_args = 0..=1, default_missing_value = "500ms", value_parser = parse_time)]
    pub speed: Option<Duration>,
    /// Print the list as data.
    #[arg(long)]
    pub json: bool,
}

/// `size=9`, `forced=true`, `size=5,6,7`.
fn parse_param(text: &str) -> Result<(String, Vec<ParamValue>), String> {
    let (name, values) =
        text.split_once('=').ok_or_else(|| format!("write PARAM=VALUE, such as size=9, not `{text}`"))?;
    let value = |text: &str| match text.trim() {
        "true" => Ok(ParamValue::Truth(true)),
        "false" => Ok(ParamValue::Truth(false)),
        number => {
            let parsed = number.parse().map_err(|_| format!("`{number}` is neither a number nor true or false"))?;
            Ok(ParamValue::Number(parsed))
        }
    };
    let values = values.split(',').map(value).collect::<Result<Vec<_>, String>>()?;
    Ok((name.trim().to_string(), values))
}
