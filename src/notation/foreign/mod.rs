//! Foreign positions: the notes of a rules file and a text of another program go in; the same position as this program
//! writes it comes out.
//!
//! No format belongs to a game here: the notes say which letters, ranks, rights, counters and players a text speaks of.

mod diagram;
mod fen;
mod san;
mod sgf;

use std::ops::Range;

use crate::model::Game;
use crate::notation::error::{NotationError, NotationErrorKind};
use crate::position::Position;

pub(crate) use crate::notation::foreign::san::{read_san, write_san};
pub use crate::notation::foreign::sgf::{Sgf, points};

/// The notes of `about` that say how other programs write a game.
pub const FORMAT_NOTES: [&str; 4] = ["fen", "diagram", "san", "sgf"];

/// Longer texts are no position, in bytes.
const MOST_BYTES: usize = 1 << 16;

/// What a rules file says of the formats of others. An entry that fits nothing of the game is kept as words, and told where a
/// text is to be read by it.
#[derive(Clone, Debug, Default)]
pub struct Formats {
    fen: Option<Result<Vec<fen::Field>, String>>,
    diagram: Option<Result<diagram::Glyphs, String>>,
    san: Option<Result<san::San, String>>,
    sgf: Option<Result<Sgf, String>>,
}

impl Formats {
    /// From notes, each with its text; of two alike the later counts.
    pub fn new(game: &Game, notes: &[(String, String)]) -> Formats {
        let note = |name: &str| notes.iter().rev().find(|(key, _)| key == name).map(|(_, text)| text.as_str());
        Formats {
            fen: note("fen").map(|text| fen::fields(game, text)),
            diagram: note("diagram").map(|text| diagram::glyphs(game, text)),
            san: note("san").map(|text| san::rules(game, text)),
            sgf: note("sgf").map(|text| sgf::rules(game, text)),
        }
    }

    /// How moves are abbreviated, if the rules say so.
    pub(crate) fn san(&self) -> Option<&san::San> {
        self.san.as_ref().and_then(|san| san.as_ref().ok())
    }

    /// How SGF writes the game. A note with a mistake counts for nothing here.
    pub fn sgf(&self, game: &Game) -> Sgf {
        self.sgf.as_ref().and_then(|sgf| sgf.as_ref().ok().cloned()).unwrap_or_else(|| Sgf::usual(game))
    }

    /// What is wrong with the notes: the note and its mistake.
    pub fn mistakes(&self) -> Vec<(&'static str, &str)> {
        let wrong = [
            ("fen", self.fen.as_ref().and_then(|fen| fen.as_ref().err())),
            ("diagram", self.diagram.as_ref().and_then(|diagram| diagram.as_ref().err())),
            ("san", self.san.as_ref().and_then(|san| san.as_ref().err())),
            ("sgf", self.sgf.as_ref().and_then(|sgf| sgf.as_ref().err())),
        ];
        wrong.into_iter().filter_map(|(note, why)| Some((note, why?.as_str()))).collect()
    }
}

/// A position of another program in the words of this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    pub text: String,
    /// A key that counts only if it adds a move: the cell that was skipped.
    pub if_it_adds: Option<String>,
    /// The bytes of the given text that the board comes from.
    pub board: Range<usize>,
}

/// What a text of another program says. `None`: it is in none of the formats that the rules know.
pub fn translate(
    game: &Game,
    formats: &Formats,
    empty: &Position,
    text: &str,
) -> Option<Result<Translated, NotationError>> {
    if text.len() > MOST_BYTES {
        return None;
    }
    if let Some(fields) = formats.fen.as_ref().filter(|_| fen::is_meant(text)) {
        return Some(told("fen", fields, text).and_then(|fields| fen::translate(game, empty, fields, text)));
    }
    let glyphs = formats.diagram.as_ref()?.as_ref().ok()?;
    diagram::translate(game, empty, glyphs, text)
}

/// What a note says, or what is wrong with it.
fn told<'a, T>(note: &str, read: &'a Result<T, String>, text: &str) -> Result<&'a T, NotationError> {
    read.as_ref().map_err(|why| {
        let kind =
            NotationErrorKind::Field { field: format!("note `{note}`"), found: why.clone(), wanted: String::new() };
        NotationError::new(kind, 0..text.len())
    })
}

/// The entries of a note: words between commas.
fn entries(note: &str) -> impl Iterator<Item = Vec<&str>> {
    note.split(',').map(|entry| entry.split_whitespace().collect()).filter(|words: &Vec<&str>| !words.is_empty())
}

/// The kind of a name.
fn kind_named(game: &Game, name: &str) -> Result<crate::board::Kind, String> {
    let at = game.kinds.iter().position(|kind| kind.name == name);
    let at = at.and_then(|at| u8::try_from(at).ok());
    at.map(crate::board::Kind).ok_or_else(|| format!("`{name}` is no kind of piece of this game"))
}

/// A remembered value that all players share.
fn state_named(game: &Game, name: &str) -> Result<String, String> {
    let is_it = game.states.iter().any(|state| state.name == name && !state.per_player);
    if is_it {
        Ok(name.to_string())
    } else {
        Err(format!("`{name}` is nothing that this game remembers for all players"))
    }
}
