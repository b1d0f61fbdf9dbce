//! How SGF writes a game: the note `sgf` goes in; the letters of players and the moves as SGF has them come out.

use crate::board::Cell;
use crate::model::Game;
use crate::notation::foreign::entries;
use crate::position::Written;

/// SGF has a letter for each column and row up to here.
const MOST_LINES: u8 = 52;

/// What the note says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sgf {
    /// The number that SGF gives the game.
    pub number: Option<u32>,
    /// Moves are written as this program writes them, not as cells of two letters.
    pub in_words: bool,
    /// By seat: `B` or `W`.
    pub letters: Vec<char>,
}

impl Sgf {
    /// What holds where no note says otherwise: Black is `B`, and else the first player.
    pub fn usual(game: &Game) -> Sgf {
        let is_named = |seat: usize, name: &str| game.seats.get(seat).is_some_and(|one| one.name == name);
        let is_swapped = is_named(0, "White") && is_named(1, "Black");
        let letter = |seat: usize| if (seat == 0) == is_swapped { 'W' } else { 'B' };
        Sgf { number: None, in_words: false, letters: (0..game.seats.len()).map(letter).collect() }
    }
}

/// What a note says: `9, words, White B, Black W`, each entry as far as it differs from what is usual.
pub fn rules(game: &Game, note: &str) -> Result<Sgf, String> {
    let mut read = Sgf::usual(game);
    for words in entries(note) {
        match words.as_slice() {
            ["words"] => read.in_words = true,
            [number] => {
                let number = number.parse().map_err(|_| format!("`{number}` is no number of a game of SGF"))?;
                read.number = Some(number);
            }
            [name, letter @ ("B" | "W")] => {
                let seat = game.seats.iter().position(|seat| seat.name == *name);
                let seat = seat.ok_or_else(|| format!("`{name}` is no player of this game"))?;
                read.letters[seat] = if *letter == "B" { 'B' } else { 'W' };
            }
            _ => return Err(format!("`{}` does not say how SGF writes the game", words.join(" "))),
        }
    }
    Ok(read)
}

/// Two letters for a cell: its column from the left, its row from the top.
fn point(game: &Game, cell: Cell) -> Option<String> {
    let board = &game.topology;
    let letter = |line: u8| match line {
        0..26 => Some(char::from(b'a' + line)),
        26..MOST_LINES => Some(char::from(b'A' + line - 26)),
        _ => None,
    };
    let (column, row) = (board.file(cell).checked_sub(1)?, board.ranks().checked_sub(board.rank(cell))?);
    // Points of other boards have no columns and rows.
    (board.at(board.file(cell), board.rank(cell)) == Some(cell)).then_some(())?;
    Some([letter(column)?, letter(row)?].into_iter().collect())
}

/// Cells one behind the other, nothing for a pass. `None`: it is more than cells.
pub fn points(game: &Game, written: &[Written]) -> Option<String> {
    let one = |choice: &Written| match choice {
        Written::Cell(cell) | Written::Landing { cell, .. } => point(game, *cell),
        Written::Pass => Some(String::new()),
        _ => None,
    };
    written.iter().map(one).collect()
}
