//! FEN and its kin: the fields that a rules file names, and a text, go in; the position in this program's words
//! comes out.

use crate::board::{Cell, Kind, Player};
use crate::model::Game;
use crate::notation::error::{NotationError, NotationErrorKind};
use crate::notation::foreign::{Translated, entries, kind_named, state_named};
use crate::notation::position::parse_start;
use crate::position::Position;
use crate::sort;

/// One field of the line, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// Ranks from the top. Letters of others, each with the letter that this program writes.
    Board(Vec<(String, char)>),
    /// The letters of each player.
    Side(Vec<Vec<String>>),
    /// Rights to castle: the remembered cells, the king, and what castles with it.
    Rights { state: String, home_kind: Kind, rooks: Vec<Kind> },
    /// The cell that was skipped.
    Skipped(String),
    /// A counter.
    Count(String),
    /// The number of the move: checked, and otherwise left alone.
    Moves,
    /// Men in hand, as `2Pb`.
    Hands,
    /// Whatever stands there is left alone.
    Other,
}

/// The fields that a note names.
pub fn fields(game: &Game, note: &str) -> Result<Vec<Field>, String> {
    let mut fields = Vec::new();
    for words in entries(note) {
        fields.push(match words.as_slice() {
            ["board", letters @ ..] => Field::Board(board_letters(game, letters)?),
            ["side", letters @ ..] if letters.len() == game.seats.len() => {
                Field::Side(letters.iter().map(|word| word.split('|').map(str::to_string).collect()).collect())
            }
            ["rights", state, home_kind, rooks @ ..] if !rooks.is_empty() => Field::Rights {
                state: state_named(game, state)?,
                home_kind: kind_named(game, home_kind)?,
                rooks: rooks.iter().map(|beside_kind| kind_named(game, beside_kind)).collect::<Result<_, _>>()?,
            },
            ["skipped", state] => Field::Skipped(state_named(game, state)?),
            ["count", state] => Field::Count(state_named(game, state)?),
            ["moves"] => Field::Moves,
            ["hands"] => Field::Hands,
            ["-"] => Field::Other,
            _ => return Err(format!("`{}` is no field of a position", words.join(" "))),
        });
    }
    Ok(fields)
}

fn board_letters(game: &Game, words: &[&str]) -> Result<Vec<(String, char)>, String> {
    let mut letters = Vec::new();
    for pair in words.chunks(2) {
        let [glyph, name] = pair else { return Err(format!("`{}` stands alone", pair.join(" "))) };
        let kind = kind_named(game, name)?;
        letters.push((glyph.to_ascii_uppercase(), game.kind(kind).letter));
    }
    // The longest is looked for first.
    sort::by_key(&mut letters, |(glyph, _)| std::cmp::Reverse(glyph.len()));
    Ok(letters)
}

/// A text that looks like FEN: a board with `/`, and no key behind it.
pub fn is_meant(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.next().is_some_and(|board| board.contains('/')) && !words.any(|word| word.contains(['=', ':']))
}

/// A word and the byte where it begins.
type Word<'a> = (&'a str, usize);

/// Reads the line.
///
/// # Errors
/// The field that is wrong, and why.
pub fn translate(game: &Game, empty: &Position, fields: &[Field], text: &str) -> Result<Translated, NotationError> {
    let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let words: Vec<Word<'_>> = text.split_whitespace().map(|word| (word, offset(word))).collect();
    if let Some(more) = words.get(fields.len()) {
        return Err(wrong("position", *more, format!("it ends after {} fields", fields.len())));
    }
    let mut meant = Meant { board: String::new(), side: String::new(), keys: Vec::new() };
    let (mut board_at, mut if_it_adds) = (0..text.len(), None);
    // What stands on the board says which man a right to castle means.
    for (field, word) in fields.iter().zip(&words) {
        match field {
            Field::Board(letters) => {
                board_at = word.1..word.1 + word.0.len();
                meant.board(game, letters, *word)?;
            }
            Field::Side(letters) => meant.side = side(game, letters, *word)?,
            _ => {}
        }
    }
    let begun = meant.text();
    let start = parse_start(game, empty, &begun).map_err(|error| NotationError {
        span: if meant.board.len() == board_at.len() && error.span.end <= meant.board.len() {
            board_at.start + error.span.start..board_at.start + error.span.end
        } else {
            board_at.clone()
        },
        ..error
    })?;
    for (field, word) in fields.iter().zip(&words) {
        let none = word.0 == "-";
        match field {
            Field::Rights { state, home_kind, rooks } if !none => {
                let cells = rights(game, &start.position, (*home_kind, rooks), *word)?;
                meant.keys.push(format!("{state}={}", names(game, &cells)));
            }
            Field::Skipped(state) if !none => {
                let cell = game.topology.named(word.0).ok_or_else(|| wrong("skipped cell", *word, "a cell, or `-`"))?;
                if_it_adds = Some(format!("{state}={}", game.topology.name(cell)));
            }
            Field::Count(state) if !none => {
                let count: u32 = word.0.parse().map_err(|_| wrong("counter", *word, "a number, or `-`"))?;
                meant.keys.push(format!("{state}={count}"));
            }
            Field::Moves if !none => {
                word.0.parse::<u32>().map_err(|_| wrong("number of the move", *word, "a number, or `-`"))?;
            }
            Field::Hands if !none => meant.hands(game, *word)?,
            _ => {}
        }
    }
    Ok(Translated { text: meant.text(), if_it_adds, board: board_at })
}

/// The words of the position.
struct Meant {
    board: String,
    side: String,
    keys: Vec<String>,
}

impl Meant {
    fn text(&self) -> String {
        let words = [self.board.as_str(), self.side.as_str()].into_iter().chain(self.keys.iter().map(String::as_str));
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The board in the letters of this program. Behind it may stand men in hand, `[QPp]`.
    fn board(&mut self, game: &Game, letters: &[(String, char)], word: Word<'_>) -> Result<(), NotationError> {
        let mut rest = word.0;
        let in_hand = rest.find('[').filter(|_| !game.stacks && rest.ends_with(']'));
        if let Some(at) = in_hand {
            let hands = rest.get(at + 1..rest.len() - 1).unwrap_or_default();
            rest = rest.get(..at).unwrap_or_default();
            if !hands.is_empty() && hands != "-" {
                self.hands(game, (hands, word.1 + at + 1))?;
            }
        }
        while let Some(first) = rest.chars().next() {
            let fits = |(glyph, _): &&(String, char)| {
                rest.get(..glyph.len()).is_some_and(|start| start.eq_ignore_ascii_case(glyph))
            };
            let (length, letter) = match letters.iter().find(fits) {
                Some((glyph, letter)) => {
                    let is_small =
                        rest.get(..glyph.len()).is_some_and(|part| part.chars().any(|c| c.is_ascii_lowercase()));
                    (glyph.len(), if is_small { letter.to_ascii_lowercase() } else { *letter })
                }
                None => (first.len_utf8(), first),
            };
            self.board.push(letter);
            rest = rest.get(length..).unwrap_or_default();
        }
        Ok(())
    }

    /// `2Pb`: numbers stand before letters, capitals are the first player's.
    fn hands(&mut self, game: &Game, word: Word<'_>) -> Result<(), NotationError> {
        let mut held = vec![vec![0_u32; game.kinds.len()]; game.seats.len()];
        let (mut number, mut named) = (0_u32, false);
        for c in word.0.chars() {
            if let Some(digit) = c.to_digit(10) {
                number = number.saturating_mul(10).saturating_add(digit);
                named = true;
                continue;
            }
            let kind = game.kinds.iter().position(|kind| kind.letter.eq_ignore_ascii_case(&c));
            let seat = usize::from(c.is_ascii_lowercase());
            let count = if named { number } else { 1 };
            let place = kind.and_then(|kind| held.get_mut(seat)?.get_mut(kind));
            match place.filter(|_| (1..=10_000).contains(&count)) {
                Some(place) => *place = place.saturating_add(count),
                None => return Err(wrong("men in hand", word, "letters of kinds, each behind its number")),
            }
            (number, named) = (0, false);
        }
        for (seat, counts) in game.seats.iter().zip(held) {
            let men = game.kinds.iter().zip(counts).filter(|(_, count)| *count > 0);
            let text: String = men.map(|(kind, count)| format!("{}{count}", kind.letter)).collect();
            if !text.is_empty() {
                self.keys.push(format!("{}.hand={text}", seat.name));
            }
        }
        Ok(())
    }
}

fn side(game: &Game, letters: &[Vec<String>], word: Word<'_>) -> Result<String, NotationError> {
    let is_it = |names: &Vec<String>| names.iter().any(|name| name.eq_ignore_ascii_case(word.0));
    let seat = letters.iter().position(is_it).and_then(|at| game.seats.get(at));
    // The first letter of a player does as well.
    let named = || game.seats.iter().find(|seat| seat.name.eq_ignore_ascii_case(word.0));
    let wanted = letters.iter().flatten().map(|letter| format!("`{letter}`")).collect::<Vec<_>>().join(" or ");
    seat.or_else(named).map(|seat| seat.name.clone()).ok_or_else(|| wrong("side to move", word, wanted))
}

/// The cells of those who may castle: `K` and `Q` stand for the outermost on that side of the king, another letter for a file.
fn rights(
    game: &Game,
    position: &Position,
    (home_kind, rooks): (Kind, &[Kind]),
    word: Word<'_>,
) -> Result<Vec<Cell>, NotationError> {
    let board = &game.topology;
    let mut cells = Vec::new();
    for (at, right) in word.0.char_indices() {
        let player = Player(u8::from(right.is_ascii_lowercase()));
        let refused = |why: &str| wrong("rights", (&word.0[at..at + right.len_utf8()], word.1 + at), why);
        if !right.is_ascii_alphabetic() || player.index() >= game.seats.len() {
            return Err(refused("`K`, `Q`, letters of files, or `-`"));
        }
        let of = |kind: Kind| position.of(player).iter().filter(move |cell| position.kind(kind).contains(*cell));
        let letter = right.to_ascii_lowercase();
        let mut found = None;
        for home in of(home_kind) {
            let beside = rooks
                .iter()
                .flat_map(|beside_kind| of(*beside_kind))
                .filter(|cell| board.rank(*cell) == board.rank(home));
            let castler = match letter {
                'k' => beside.filter(|cell| board.file(*cell) > board.file(home)).max_by_key(|cell| board.file(*cell)),
                'q' => beside.filter(|cell| board.file(*cell) < board.file(home)).min_by_key(|cell| board.file(*cell)),
                file => beside.into_iter().find(|cell| board.file(*cell) == file as u8 - b'a' + 1),
            };
            found = found.or(castler.map(|castler| [home, castler]));
        }
        cells.extend(found.ok_or_else(|| refused("somebody to castle with there, on the same rank"))?);
    }
    sort::by(&mut cells, Ord::cmp);
    cells.dedup();
    Ok(cells)
}

fn names(game: &Game, cells: &[Cell]) -> String {
    cells.iter().map(|cell| game.topology.name(*cell)).collect::<Vec<_>>().join("+")
}

fn wrong(field: &str, word: Word<'_>, wanted: impl Into<String>) -> NotationError {
    let kind = NotationErrorKind::Field { field: field.into(), found: word.0.into(), wanted: wanted.into() };
    NotationError::new(kind, word.1..word.1 + word.0.len())
}
