//! Files of games: a path goes in; the games of the file come out, and are played move by move. `FILE#3` is the third game.

use std::path::Path;

use crate::board::{Cell, Kind, Player};
use crate::cli::Failure;
use crate::cli::select::{bytes, unreadable};
use crate::game::{Game, MovesError, Position};
use crate::import::records;
use crate::import::records::{Item, Record, SetMen, SetUp};
use crate::model::Game as Model;
use crate::notation;
use crate::position::Man;

/// Larger files are not read, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The games of a file, in any form that is known.
///
/// # Errors
/// A file that cannot be read, or has no game.
pub fn read(path: &str) -> Result<Vec<Record>, Failure> {
    let path = Path::new(path);
    let refused = |why: String| unreadable(path, &why);
    let bytes = bytes(path, MOST_BYTES, "")?;
    let text = String::from_utf8_lossy(&bytes);
    match text.trim_start().starts_with('{') {
        true => recorded(&text).map_err(refused),
        false => records::games(&text).map_err(refused),
    }
}

/// Whether a file is lines that people type, not a record of games.
///
/// # Errors
/// A file that cannot be read.
pub fn is_list(word: &str) -> Result<bool, Failure> {
    let path = Path::new(divided(word).0);
    // What people type may come from a pipe, which can be read only once.
    if !std::fs::metadata(path).is_ok_and(|there| there.is_file()) {
        return Ok(true);
    }
    Ok(records::is_list(&String::from_utf8_lossy(&bytes(path, MOST_BYTES, "")?)))
}

/// The file and the number of a game in it, from 1.
fn divided(word: &str) -> (&str, usize) {
    let numbered = word.rsplit_once('#').and_then(|(path, number)| Some((path, number.parse::<usize>().ok()?)));
    numbered.unwrap_or((word, 1))
}

/// The game that a word of the command line names: the first of a file, or that of a number behind `#`.
///
/// # Errors
/// As [`read`]; a number that the file does not have.
pub fn one(word: &str) -> Result<Record, Failure> {
    let (path, number) = divided(word);
    let games = read(path)?;
    let count = games.len();
    let game = number.checked_sub(1).and_then(|at| games.into_iter().nth(at));
    game.ok_or_else(|| Failure::usage(format!("`{path}` has {count} games, and no game {number}")))
}

/// Games as `simulate --record` writes them.
fn recorded(text: &str) -> Result<Vec<Record>, String> {
    let mut games = Vec::new();
    for (before, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = || format!("line {}: it is no recorded game", before + 1);
        let value: serde_json::Value = serde_json::from_str(line).map_err(|_| wrong())?;
        let mut record = Record::default();
        if let Some(start) = value["start"].as_str() {
            record.tags.push((String::from("FEN"), start.to_string()));
        }
        for one in value["moves"].as_array().ok_or_else(wrong)? {
            let text = one["move"].as_str().ok_or_else(wrong)?.to_string();
            record.moves.push(Item { line: before + 1, text, points: Vec::new() });
        }
        games.push(record);
    }
    Ok(games)
}

/// The position that a game begins with, if it says so.
///
/// # Errors
/// A position that cannot be read, or men that cannot stand so.
pub fn start(game: &Game, record: &Record) -> Result<Option<Position>, Failure> {
    if let Some(text) = record.tag("FEN") {
        return game.position(text).map(Some).map_err(|error| crate::cli::failure(game, error, Some(text)));
    }
    if record.set_up.men.is_empty() && !record.set_up.says_player {
        return Ok(None);
    }
    let text = set_up(game, &record.set_up)?;
    game.position(&text).map(Some).map_err(|error| crate::cli::failure(game, error, Some(&text)))
}

/// The position of men that are set up on the board with which the game begins.
fn set_up(game: &Game, set_up: &SetUp) -> Result<String, Failure> {
    let (model, how) = (game.model(), game.sgf());
    let owner = |letter: char| how.letters.iter().position(|one| *one == letter).map(|seat| Player(seat as u8));
    let begun = game.start(0).map_err(|error| Failure::usage(error.to_string()))?;
    let mut board = begun.state().clone();
    let nobody = |what: &str, letter: char| Failure::usage(format!("nobody plays {what} `{letter}` in this game"));
    for SetMen { line, text, letter, cells } in &set_up.men {
        for point in cells {
            let wrong = || Failure::usage(format!("line {line}: this board has no cell `{text}` to set a man up on"));
            let cell = cell(game, *point).ok_or_else(wrong)?;
            while !board.men(cell).is_empty() {
                board.remove(cell, 0);
            }
            if let Some(letter) = letter {
                let owner = Some(owner(*letter).ok_or_else(|| nobody("the men", *letter))?);
                let kind = only_kind(model).ok_or_else(|| {
                    let told = "SGF sets men up, and does not say of which of this game's kinds they are";
                    Failure::usage(told.to_string())
                })?;
                board.put_man(cell, Man { owner, kind });
            }
        }
    }
    if let Some(letter) = set_up.to_move {
        board.set_to_move(owner(letter).ok_or_else(|| nobody("as", letter))?);
    }
    Ok(notation::position_text(model, &board))
}

/// The kind of all men that are not neutral, if there is only one.
pub fn only_kind(model: &Model) -> Option<Kind> {
    let mut kinds = model.kinds.iter().enumerate().filter(|(_, kind)| !kind.neutral);
    let (kind, _) = kinds.next()?;
    kinds.next().is_none().then_some(Kind(kind as u8))
}

/// Plays the moves of a record; `played` is told each, with the position before it.
///
/// # Errors
/// The first move that cannot be played, with its line; those before it are played.
pub fn play(
    position: &mut Position,
    record: &Record,
    mut played: impl FnMut(&Position, &str) -> Result<(), Failure>,
) -> Result<(), Stop> {
    let mut ply = 0;
    for item in &record.moves {
        let name = |point: &(u32, u32)| Some(position.game().cell_name(cell(position.game(), *point)?).to_string());
        let cells = item.points.iter().map(name);
        let texts = match cells.collect::<Option<Vec<String>>>() {
            Some(cells) if !cells.is_empty() => vec![cells.join(" ")],
            _ => words(position, &item.text),
        };
        for text in texts {
            ply += 1;
            let before = position.clone();
            if let Err(error) = position.play_text(&text) {
                let (at, over) = (position.to_string(), position.outcome_text());
                return Err(Stop::Move(item.line, Box::new(MovesError { ply, text, position: at, over, error })));
            }
            played(&before, &text).map_err(Stop::Other)?;
        }
    }
    Ok(())
}

/// Why a record was not played to its end.
pub enum Stop {
    /// The line of the move, and what is wrong with it.
    Move(usize, Box<MovesError>),
    Other(Failure),
}

/// The cell of a column and a row from the top.
fn cell(game: &Game, (column, row): (u32, u32)) -> Option<Cell> {
    let board = &game.model().topology;
    let rank = u32::from(board.ranks()).checked_sub(row)?;
    board.at(u8::try_from(column + 1).ok()?, u8::try_from(rank).ok()?)
}

/// What a text may mean: one move, or several with blanks between them, or cells one behind the other.
pub fn words(position: &Position, text: &str) -> Vec<String> {
    let plain = text.replace('0', "O");
    let is_move = |text: &str| position.clone().play_text(text).is_ok();
    if is_move(text) {
        return vec![text.to_string()];
    }
    // Programs write castling with noughts.
    if plain.chars().all(|c| "O-+#".contains(c)) && is_move(plain.trim_end_matches(['+', '#'])) {
        return vec![plain.trim_end_matches(['+', '#']).to_string()];
    }
    let parts: Vec<String> = text.split_whitespace().map(str::to_string).collect();
    if parts.len() > 1 {
        return parts;
    }
    let cells = cells(text);
    if cells.len() > 1 && cells.first().is_some_and(|first| is_move(first)) { cells } else { vec![text.to_string()] }
}

/// `f5d6c3` as cells; nothing if it is more than cells.
fn cells(text: &str) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    for c in text.chars() {
        match (c.is_ascii_digit(), cells.last_mut()) {
            (true, Some(cell)) => cell.push(c),
            (false, _) if c.is_ascii_alphabetic() => cells.push(c.to_ascii_lowercase().to_string()),
            _ => return Vec::new(),
        }
    }
    if cells.iter().all(|cell| cell.len() > 1) { cells } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use crate::cli::games::cells;

    #[test]
    fn strings_of_cells_are_divided() {
        assert_eq!(cells("F5d6c10"), ["f5", "d6", "c10"]);
        for text in ["5f", "f5xd6", "ab1", "é5"] {
            assert!(cells(text).is_empty(), "{text}");
        }
    }
}
