//! Board pictures: lines of cells, as boards are drawn, go in; men on a board come out.
//!
//! What `show` draws can be read again: numbers of ranks, letters of files, lines between points and
//! marks around cells are passed over.

use std::ops::Range;

use crate::board::{Cell, Shape, Topology, file_name};
use crate::model::Game;
use crate::notation::board::{Piece, place, read_part, read_stack};
use crate::notation::error::{NotationError, NotationErrorKind};
use crate::position::Position;
use crate::sort;

/// A board is drawn if its text has several lines and no `/` between ranks.
pub(crate) fn is_picture(text: &str) -> bool {
    let text = text.trim();
    text.contains('\n') && !text.split_whitespace().next().is_some_and(|word| word.contains('/'))
}

/// The line of a drawing, from 1 at the top, in which a cell of a hexagonal board of `side` stands:
/// two below the next higher of its file, one below those beside that.
pub(crate) fn hexagon_line(side: usize, file: usize, rank: usize) -> usize {
    (4 * side - 1).saturating_sub(2 * rank + side.abs_diff(file))
}

/// A line of cells from the left, with the number that a drawing writes before it.
struct Row {
    cells: Vec<Cell>,
    label: Option<u8>,
}

/// The lines of cells from the top.
fn rows(game: &Game) -> Vec<Row> {
    let board = &game.topology;
    let Shape::Hexagon { side } = *board.shape() else {
        let of_rank = |rank| board.cells().filter(|cell| board.rank(*cell) == rank).collect();
        let row = |rank| Row { cells: of_rank(rank), label: Some(rank) };
        let from_below = (1..=board.ranks()).map(row);
        return if game.looks.is_downward { from_below.collect() } else { from_below.rev().collect() };
    };
    let mut rows: Vec<Row> = Vec::new();
    for cell in board.cells() {
        let (file, rank) = (board.file(cell), board.rank(cell));
        let line = hexagon_line(usize::from(side), usize::from(file), usize::from(rank));
        rows.resize_with(rows.len().max(line), || Row { cells: Vec::new(), label: None });
        let Some(row) = rows.get_mut(line - 1) else { continue };
        // A rank's number stands before its leftmost cell.
        if file == rank.saturating_sub(side - 1).max(1) {
            row.label = Some(rank);
        }
        row.cells.push(cell);
    }
    rows.iter_mut().for_each(|row| sort::by_key(&mut row.cells, |cell| board.file(*cell)));
    rows
}

/// A word of a line, and where it stands in the text.
type Token<'t> = (&'t str, usize);

/// The lines that have words, without marks and lines between points.
fn lines<'t>(board: &Topology, text: &'t str) -> Vec<Vec<Token<'t>>> {
    let is_points = matches!(board.shape(), Shape::Points { .. });
    let parts =
        |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|') || is_points && matches!(c, '/' | '\\' | '-');
    let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let words = |line: &'t str| line.split(parts).filter(|word| !word.is_empty()).map(|word| (word, offset(word)));
    text.lines().map(|line| words(line).collect()).filter(|line: &Vec<_>| !line.is_empty()).collect()
}

/// Puts the men of a picture on an empty board. Returns how many bytes of the text belong to it.
///
/// # Errors
/// What is wrong with the picture, and where.
pub(crate) fn read_picture(game: &Game, position: &mut Position, text: &str) -> Result<usize, NotationError> {
    let board = &game.topology;
    let (rows, lines) = (rows(game), lines(board, text));
    let mut below = lines.as_slice();
    for (number, row) in rows.iter().enumerate() {
        let Some((line, rest)) = below.split_first() else {
            let kind = NotationErrorKind::Parts { part: "line", found: number, wanted: rows.len() };
            return Err(NotationError::new(kind, 0..text.len()));
        };
        read_row(game, position, row, line, number)?;
        below = rest;
    }
    while let Some((_, rest)) = below.split_first().filter(|(line, _)| names_files(board, line)) {
        below = rest;
    }
    // One more line of cells is no player.
    if below.first().is_some_and(|line| line.iter().any(|(word, _)| word.contains('.') && !word.contains('='))) {
        let kind = NotationErrorKind::Parts { part: "line", found: rows.len() + 1, wanted: rows.len() };
        return Err(NotationError::new(kind, 0..text.len()));
    }
    Ok(below.first().and_then(|line| line.first()).map_or(text.len(), |(_, at)| *at))
}

/// A line below the board that names its files, all from the left or, on hexagons, some of them.
fn names_files(board: &Topology, line: &[Token<'_>]) -> bool {
    let names = || (1..=board.files()).map(file_name);
    let is_name = |word: &str| names().any(|name| name == word);
    let is_hexagon = matches!(board.shape(), Shape::Hexagon { .. });
    let middle = file_name(board.files() / 2 + 1);
    match line {
        [(word, _)] if is_hexagon => *word == middle,
        line if is_hexagon => line.iter().all(|(word, _)| is_name(word)),
        line => line.iter().map(|(word, _)| word.to_string()).eq(names()),
    }
}

fn read_row(
    game: &Game,
    position: &mut Position,
    row: &Row,
    line: &[Token<'_>],
    number: usize,
) -> Result<(), NotationError> {
    let board = &game.topology;
    let span = span_of(line);
    let mut read = Vec::new();
    let (mut gaps, mut column) = (Vec::new(), 0u8);
    for &(word, mut at) in unlabelled(board, row, line) {
        for (number, part) in word.split('-').enumerate() {
            if number > 0 {
                gaps.push(column);
                column = column.saturating_add(1);
                at += 1;
            }
            let pieces = read_cells(game, part, at)?;
            let cells = pieces.iter().map(cells_of).fold(0, u64::saturating_add);
            column = column.saturating_add(u8::try_from(cells).unwrap_or(u8::MAX));
            read.extend(pieces);
            at += part.len();
        }
    }
    let found = read.iter().map(cells_of).fold(0, u64::saturating_add);
    let is_missing = |file: &u8| row.cells.iter().all(|cell| board.file(*cell) != file + 1);
    // Where all files have a sign, those without a cell have `-`.
    let misplaced = column == board.files() && !gaps.iter().all(is_missing);
    if usize::try_from(found) != Ok(row.cells.len()) || misplaced {
        let part = match row.label {
            Some(rank) if !matches!(board.shape(), Shape::Hexagon { .. }) => format!("rank {rank}"),
            _ => format!("line {}", number + 1),
        };
        return Err(NotationError::new(NotationErrorKind::CellsOfPart { part, found, wanted: row.cells.len() }, span));
    }
    place(position, &row.cells, read);
    Ok(())
}

fn span_of(line: &[Token<'_>]) -> Range<usize> {
    let start = line.first().map_or(0, |(_, at)| *at);
    start..line.last().map_or(start, |(word, at)| at + word.len())
}

fn cells_of(piece: &Piece) -> u64 {
    if let Piece::Empty(count) = piece { *count } else { 1 }
}

/// The words of a line without the number of its rank and, on hexagons, the letters of files that
/// stand beside its cells.
fn unlabelled<'l, 't>(board: &Topology, row: &Row, line: &'l [Token<'t>]) -> &'l [Token<'t>] {
    let line = match line {
        [(first, _), rest @ ..] if !rest.is_empty() && row.label.is_some_and(|rank| *first == rank.to_string()) => rest,
        line => line,
    };
    let is_name = |word: &str| (1..=board.files()).any(|file| file_name(file) == word);
    match line {
        [(first, _), rest @ .., (last, _)]
            if matches!(board.shape(), Shape::Hexagon { .. })
                && rest.len() == row.cells.len()
                && is_name(first)
                && is_name(last) =>
        {
            rest
        }
        line => line,
    }
}

/// The cells of a word: `.` is an empty one. Where men may stand upon each other a word is one cell.
fn read_cells(game: &Game, word: &str, at: usize) -> Result<Vec<Piece>, NotationError> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    if game.stacks && !is_number && word != "." && !word.starts_with('[') {
        return read_stack(game, &format!("[{word}]"), at.saturating_sub(1)).map(|(piece, _)| vec![piece]);
    }
    let mut pieces = Vec::new();
    let mut start = at;
    for (number, part) in word.split('.').enumerate() {
        if number > 0 {
            pieces.push(Piece::Empty(1));
            start += 1;
        }
        pieces.extend(read_part(game, part, start)?);
        start += part.len();
    }
    Ok(pieces)
}
