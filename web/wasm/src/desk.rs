//! Dispatch: the text of a request goes in; the text of its answer comes out.

use std::collections::BTreeMap;

use lusoria::{CoverageRun, Exercise};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::author;
use crate::counter;
use crate::counter::Counter;
use crate::reporter::{Reporter, Slice};
use crate::table::Table;
use crate::thinker::Thinker;

/// What the page may ask. A request is an object with the name of one of these as `do`.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Request {
    /// The shipped games, their variants and texts.
    Games,
    /// What is wrong with a text.
    Check { text: String },
    /// The examples of a text that do not hold.
    Examples { text: String },
    /// A text laid out.
    Format { text: String },
    /// The page of an error's code.
    Explain { code: String },
    /// The picture of how a game begins.
    Picture(Rules),
    /// What the rules are compiled to.
    Plan {
        #[serde(flatten)]
        rules: Rules,
        player: usize,
    },
    /// Begins a game at the table.
    Open {
        #[serde(flatten)]
        rules: Rules,
        seed: u64,
        start: Option<String>,
    },
    /// Makes one of the choices that the view offers.
    Choose { option: usize },
    /// Takes back the choices of the move that is being made.
    Unchoose,
    /// Plays a move by its text.
    Play { text: String },
    /// Takes back moves, up to one of a player who chooses himself.
    Undo { count: usize },
    /// Comes to the position behind these moves.
    Seek { moves: Vec<String> },
    /// The texts of legal moves that begin so.
    Moves { prefix: String, most: usize },
    /// Grows the tree of the position at the table by so many random games.
    Think { playouts: u64 },
    /// Plays so many more random games, and tells of all.
    Simulate { games: u32, max_turns: u32, seed: u64 },
    /// Plays so many more plies of random games, by the rules as they are written; how often each line was used.
    Cover { plies: u32, max_turns: u32, seed: u64 },
    /// Goes on with a report of the game.
    Report(Slice),
    /// The page of the report, as far as it is made.
    ReportPage { name: String, seed: u64, seconds: f64 },
    /// The numbers of choices, turn by turn, of one random game.
    Branching { seed: u64, max_turns: u32 },
}

/// A text of rules and what is chosen of it.
#[derive(Debug, Deserialize)]
pub struct Rules {
    pub text: String,
    pub variant: Option<String>,
    /// Values of params other than those of the text.
    #[serde(default)]
    pub params: BTreeMap<String, Setting>,
}

/// The value of a param.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    Truth(bool),
    Number(i64),
}

/// All that a worker has before it.
#[derive(Default)]
pub struct Desk {
    table: Option<Table>,
    thinker: Thinker,
    counter: Counter,
    coverage: Option<CoverageRun>,
    reporter: Reporter,
}

impl Desk {
    /// Answers a request. What cannot be answered is an object with words as `error`.
    pub fn answer(&mut self, request: &[u8]) -> String {
        let answer = match serde_json::from_slice(request) {
            Ok(request) => self.told(request),
            Err(error) => Err(format!("the request cannot be read: {error}")),
        };
        answer.unwrap_or_else(|error| json!({ "error": error })).to_string()
    }

    fn told(&mut self, request: Request) -> Result<Value, String> {
        match request {
            Request::Games => Ok(author::games()),
            Request::Check { text } => Ok(author::check(&text)),
            Request::Examples { text } => Ok(author::examples(&text)),
            Request::Format { text } => Ok(author::format(&text)),
            Request::Explain { code } => Ok(author::explain(&code)),
            Request::Picture(rules) => author::picture(&rules),
            Request::Plan { rules, player } => author::plan(&rules, player),
            Request::Open { rules, seed, start } => {
                // What belongs to the game before goes, also if there will be none.
                *self = Desk::default();
                let table = Table::open(&rules, seed, start.as_deref())?;
                let view = table.opened();
                self.table = Some(table);
                Ok(view)
            }
            Request::Choose { option } => self.at_table(|table| table.choose(option)),
            Request::Unchoose => self.at_table(|table| {
                table.unchoose();
                Ok(())
            }),
            Request::Play { text } => self.at_table(|table| table.play_text(&text)),
            Request::Undo { count } => self.at_table(|table| table.undo(count)),
            Request::Seek { moves } => self.at_table(|table| table.seek(&moves)),
            Request::Moves { prefix, most } => Ok(self.table()?.move_texts(&prefix, most)),
            Request::Think { playouts } => {
                let position = self.table()?.position().clone();
                self.thinker.think(&position, playouts)
            }
            Request::Simulate { games, max_turns, seed } => {
                let start = self.table()?.start().clone();
                self.counter.simulate(&start, games, max_turns, seed)
            }
            Request::Cover { plies, max_turns, seed } => {
                let game = self.table()?.start().game().clone();
                let exercise = Exercise { seed, max_turns, ..Exercise::default() };
                let run = self.coverage.get_or_insert_with(|| CoverageRun::new(&game, exercise, None));
                counter::cover(run, plies)
            }
            Request::Report(slice) => {
                let game = self.table()?.start().game().clone();
                self.reporter.step(&game, slice)
            }
            Request::ReportPage { name, seed, seconds } => self.reporter.page(&name, seed, seconds),
            Request::Branching { seed, max_turns } => Counter::branching(self.table()?.start(), seed, max_turns),
        }
    }

    fn table(&mut self) -> Result<&mut Table, String> {
        self.table.as_mut().ok_or_else(|| String::from("no game has been opened"))
    }

    fn at_table(&mut self, change: impl FnOnce(&mut Table) -> Result<(), String>) -> Result<Value, String> {
        let table = self.table()?;
        change(table)?;
        Ok(table.view())
    }
}
