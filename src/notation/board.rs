//! Board notation: the men of a board as text, both ways: `rnbq1k1r/pp3ppp/...`.

use std::ops::Range;

use crate::board::{Cell, Shape, Topology, file_name};
use crate::model::Game;
use crate::position::{MAX_HEIGHT, Man, Position, most_men};

use crate::notation::error::{NotationError, NotationErrorKind};
use crate::notation::men::{Scheme, parse_man, push_man, scheme};

/// Equal men upon each other that are written one by one, at most.
const MOST_SINGLY: usize = 3;

/// The cells in the order of the text: ranks from the top, on hexagons files from a, each from rank
/// 1.
fn parts(board: &Topology) -> Vec<Vec<Cell>> {
    let is_hexagon = matches!(board.shape(), Shape::Hexagon { .. });
    let count = if is_hexagon { board.files() } else { board.ranks() };
    let mut parts = vec![Vec::new(); usize::from(count)];
    for cell in board.cells() {
        let at = if is_hexagon { board.file(cell) - 1 } else { count - board.rank(cell) };
        if let Some(part) = parts.get_mut(usize::from(at)) {
            part.push(cell);
        }
    }
    parts
}

/// The first word of a position's text.
pub fn board_text(game: &Game, position: &Position) -> String {
    let (mut text, scheme) = (String::new(), scheme(game));
    for (number, part) in parts(&game.topology).iter().enumerate() {
        if number > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for &cell in part {
            match position.men(cell) {
                [] => empty += 1,
                men => {
                    push_run(&mut text, &mut empty);
                    push_stack(&mut text, game, scheme, men);
                }
            }
        }
        push_run(&mut text, &mut empty);
    }
    text
}

fn push_run(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

/// One man by his letter, several in brackets from the bottom.
fn push_stack(text: &mut String, game: &Game, scheme: Scheme, men: &[Man]) {
    match men {
        [man] => push_man(text, game, scheme, *man),
        men => {
            text.push('[');
            for run in men.chunk_by(|a, b| a == b) {
                push_equal(text, game, scheme, run);
            }
            text.push(']');
        }
    }
}

/// Equal men one by one, but more than three of them by their number.
fn push_equal(text: &mut String, game: &Game, scheme: Scheme, run: &[Man]) {
    let Some(&man) = run.first() else { return };
    let written = if run.len() > MOST_SINGLY { 1 } else { run.len() };
    (0..written).for_each(|_| push_man(text, game, scheme, man));
    if written < run.len() {
        text.push_str(&run.len().to_string());
    }
}

/// Equal men upon each other as the text of a position has them, without brackets.
pub(crate) fn run_text(game: &Game, run: &[Man]) -> String {
    let mut text = String::new();
    push_equal(&mut text, game, scheme(game), run);
    text
}

/// Men on one cell as the text of a position has them.
pub(crate) fn stack_text(game: &Game, men: &[Man]) -> String {
    let mut text = String::new();
    push_stack(&mut text, game, scheme(game), men);
    text
}

/// What stands on a run of cells: nobody, or the men of one.
pub(crate) enum Piece {
    Empty(u64),
    Men(Vec<Man>),
}

/// Puts the men of a text, which begins at a byte of the whole, on an empty board.
pub(crate) fn read_board(game: &Game, position: &mut Position, text: &str, at: usize) -> Result<(), NotationError> {
    let parts = parts(&game.topology);
    let texts: Vec<&str> = text.split('/').collect();
    if texts.len() != parts.len() {
        let kind = NotationErrorKind::Parts { part: part_word(game), found: texts.len(), wanted: parts.len() };
        return Err(NotationError::new(kind, at..at + text.len()));
    }
    let mut start = at;
    for (number, (part, text)) in parts.iter().zip(texts).enumerate() {
        let pieces = read_part(game, text, start)?;
        expect_length(game, number, &pieces, part.len(), start..start + text.len())?;
        place(position, part, pieces);
        start += text.len() + 1;
    }
    let (found, most) = (position.count_men(), most_men(game.topology.len()));
    if game.stacks && found > most {
        return Err(NotationError::new(NotationErrorKind::TooManyMen { found, most }, at..at + text.len()));
    }
    Ok(())
}

fn part_word(game: &Game) -> &'static str {
    if matches!(game.topology.shape(), Shape::Hexagon { .. }) { "file" } else { "rank" }
}

fn expect_length(
    game: &Game,
    number: usize,
    pieces: &[Piece],
    wanted: usize,
    span: Range<usize>,
) -> Result<(), NotationError> {
    let cells = |piece: &Piece| if let Piece::Empty(count) = piece { *count } else { 1 };
    let found = pieces.iter().map(cells).fold(0, u64::saturating_add);
    if usize::try_from(found) == Ok(wanted) {
        return Ok(());
    }
    let part = match part_word(game) {
        "file" => format!("file {}", file_name((number + 1) as u8)),
        word => format!("{word} {}", usize::from(game.topology.ranks()) - number),
    };
    Err(NotationError::new(NotationErrorKind::CellsOfPart { part, found, wanted }, span))
}

pub(crate) fn place(position: &mut Position, part: &[Cell], pieces: Vec<Piece>) {
    let mut cells = part.iter();
    for piece in pieces {
        match piece {
            Piece::Empty(count) => cells = cells.as_slice().get(count as usize..).unwrap_or_default().iter(),
            Piece::Men(men) => {
                if let Some(&cell) = cells.next() {
                    position.put_all(cell, &men);
                }
            }
        }
    }
}

pub(crate) fn read_part(game: &Game, text: &str, start: usize) -> Result<Vec<Piece>, NotationError> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (piece, length) = read_piece(game, rest, start + at)?;
        pieces.push(piece);
        at += length;
    }
    Ok(pieces)
}

fn read_piece(game: &Game, text: &str, at: usize) -> Result<(Piece, usize), NotationError> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        let count = text.get(..digits).and_then(|number| number.parse().ok()).unwrap_or(u64::MAX);
        return match count {
            0 => Err(NotationError::new(NotationErrorKind::ZeroRun, at..at + digits)),
            count => Ok((Piece::Empty(count), digits)),
        };
    }
    if text.starts_with('[') {
        return read_stack(game, text, at);
    }
    let (man, length) = read_man(game, text, at)?;
    Ok((Piece::Men(vec![man]), length))
}

fn read_man(game: &Game, text: &str, at: usize) -> Result<(Man, usize), NotationError> {
    let length = text.chars().next().map_or(0, char::len_utf8);
    parse_man(game, text).map_err(|kind| NotationError::new(kind, at..at + length))
}

pub(crate) fn read_stack(game: &Game, text: &str, at: usize) -> Result<(Piece, usize), NotationError> {
    let end = text.find(']').ok_or_else(|| NotationError::new(NotationErrorKind::OpenStack, at..at + text.len()))?;
    let span = at..at + end + 1;
    let inside = text.get(1..end).unwrap_or_default();
    if inside.is_empty() {
        return Err(NotationError::new(NotationErrorKind::EmptyStack, span));
    }
    let mut men = Vec::new();
    let mut read = 0;
    while let Some(rest) = inside.get(read..).filter(|rest| !rest.is_empty()) {
        let (man, length) = read_man(game, rest, at + 1 + read)?;
        let digits = rest.bytes().skip(length).take_while(u8::is_ascii_digit).count();
        let number = rest.get(length..length + digits).filter(|number| !number.is_empty());
        let count = number.map_or(Some(1), |number| number.parse().ok()).filter(|&n: &usize| n > 0);
        match count.filter(|count| men.len() + count <= MAX_HEIGHT) {
            Some(count) => men.extend(std::iter::repeat_n(man, count)),
            None => {
                let start = at + 1 + read;
                let kind = NotationErrorKind::BadCount { found: number.unwrap_or("1").into(), most: MAX_HEIGHT };
                return Err(NotationError::new(kind, start..start + length + digits));
            }
        }
        read += length + digits;
    }
    if men.len() > 1 && !game.stacks {
        return Err(NotationError::new(NotationErrorKind::NoStacks, span));
    }
    Ok((Piece::Men(men), end + 1))
}
