//! Diagrams: glyphs for each cell, with or without coordinates around them, go in; the position in this program's words
//! comes out. Strings of 64 characters are diagrams on one line, and so are boards of game servers.

use crate::board::{Kind, Player};
use crate::model::Game;
use crate::notation::board::board_text;
use crate::notation::error::{NotationError, NotationErrorKind};
use crate::notation::foreign::{Translated, entries, kind_named};
use crate::position::{Man, Position};

/// What each glyph stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// The first row of a text without coordinates is rank 1.
    from_bottom: bool,
    /// `None`: an empty cell.
    glyphs: Vec<(char, Option<(Player, Kind)>)>,
}

/// The glyphs that a note names: `from top, X Black, O White, . empty`. Behind a player may stand a kind.
pub fn glyphs(game: &Game, note: &str) -> Result<Glyphs, String> {
    let mut read = Glyphs { from_bottom: false, glyphs: Vec::new() };
    for words in entries(note) {
        let [sign, meaning @ ..] = words.as_slice() else { continue };
        if let ("from", [end]) = (*sign, meaning) {
            match *end {
                "bottom" => read.from_bottom = true,
                "top" => read.from_bottom = false,
                _ => return Err(format!("`from {end}` is neither `from top` nor `from bottom`")),
            }
            continue;
        }
        let man = match meaning {
            ["empty"] => None,
            [name, kind @ ..] if kind.len() < 2 => {
                let seat = game.seats.iter().position(|seat| seat.name == *name);
                let seat = seat.ok_or_else(|| format!("`{name}` is no player of this game"))?;
                let kind = match kind.first() {
                    Some(kind) => kind_named(game, kind)?,
                    None => Kind(0),
                };
                Some((Player(seat as u8), kind))
            }
            _ => return Err(format!("`{}` does not say what a glyph is", words.join(" "))),
        };
        read.glyphs.extend(sign.chars().map(|glyph| (glyph, man)));
    }
    Ok(read)
}

/// Reads a diagram onto `empty`, the empty board. `None`: it is none.
pub fn translate(
    game: &Game,
    empty: &Position,
    glyphs: &Glyphs,
    text: &str,
) -> Option<Result<Translated, NotationError>> {
    let board = &game.topology;
    let cells = usize::from(board.files()) * usize::from(board.ranks());
    // A game server writes `BO[8 ---...--- *]`.
    let inner = text.trim();
    let inner = inner.strip_prefix("BO[").and_then(|rest| rest.strip_suffix(']')).unwrap_or(inner);
    let (mut marks, mut numbers) = (Vec::new(), Vec::new());
    for line in inner.lines() {
        let words: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || c == '|').filter(|word| !word.is_empty()).collect();
        if is_header(&words) {
            continue;
        }
        let before = marks.len();
        for word in words {
            match word.parse::<usize>() {
                Ok(number) if word.bytes().all(|byte| byte.is_ascii_digit()) => numbers.push((number, before)),
                _ => marks.extend(word.chars()),
            }
        }
    }
    let known = |mark: char| glyphs.glyphs.iter().find(|(glyph, _)| *glyph == mark).map(|(_, man)| *man);
    let men: Option<Vec<_>> = marks.iter().map(|mark| known(*mark)).collect();
    let men = men.filter(|men| men.len() >= 4)?;
    let side = match men.len().checked_sub(cells) {
        Some(0) => Player(0),
        Some(1) => men.last().copied().flatten()?.0,
        _ => {
            let kind = NotationErrorKind::Field {
                field: "diagram".into(),
                found: format!("{} glyphs", men.len()),
                wanted: format!("{cells} glyphs, one for each cell, and perhaps that of the player to move"),
            };
            return Some(Err(NotationError::new(kind, 0..text.len())));
        }
    };
    // Numbers beside the rows say which rank is the first. A single number is the size.
    let first = numbers.iter().find(|(_, before)| *before == 0).map(|(number, _)| *number);
    let from_bottom = match first.filter(|_| numbers.len() > 2) {
        Some(1) => true,
        Some(_) => false,
        None => glyphs.from_bottom,
    };
    let mut position = empty.clone();
    let (width, height) = (usize::from(board.files()), usize::from(board.ranks()));
    for (at, man) in men.into_iter().take(cells).enumerate() {
        let (row, file) = (at / width, at % width);
        let rank = if from_bottom { row } else { height - 1 - row };
        if let (Some((owner, kind)), Some(cell)) = (man, board.at(file as u8 + 1, rank as u8 + 1)) {
            position.put_man(cell, Man { owner: Some(owner), kind });
        }
    }
    let text_of = format!("{} {}", board_text(game, &position), game.player(side).name);
    Some(Ok(Translated { text: text_of, if_it_adds: None, board: 0..text.len() }))
}

/// A line of the letters of files.
fn is_header(words: &[&str]) -> bool {
    let letters: Vec<u8> = words
        .iter()
        .filter_map(|word| match word.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => Some(letter.to_ascii_uppercase()),
            _ => None,
        })
        .collect();
    letters.len() == words.len() && letters.len() > 2 && letters.starts_with(b"AB")
}
