//! Abbreviated moves: `Nbd7`, `exd8=Q`, `P@e4`. A text and the moves of a position go in; the place of the move comes out, and
//! the other way round.

use crate::board::{Cell, Kind};
use crate::model::Game;
use crate::notation::foreign::{entries, kind_named};
use crate::notation::moves::WrittenMove;
use crate::position::{Position, Written};

/// How moves are abbreviated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct San {
    /// The kind whose letter is left out.
    bare: Kind,
}

/// What a note says: `pawn without letter`.
pub fn rules(game: &Game, note: &str) -> Result<San, String> {
    let mut entries = entries(note);
    match (entries.next().as_deref(), entries.next()) {
        (Some([name, "without", "letter"]), None) => Ok(San { bare: kind_named(game, name)? }),
        _ => Err(format!("`{note}` is not of the form `KIND without letter`")),
    }
}

/// A move as far as its abbreviation tells it.
struct ManMove {
    from: Option<Cell>,
    kind: Kind,
    to: Cell,
    promotion: Option<Kind>,
}

/// What a ply says of one man who goes, or is placed, somewhere.
fn told(position: &Position, written: &[Written]) -> Option<ManMove> {
    let at = |cell: Cell| position.top(cell).map(|man| man.kind);
    match *written {
        [Written::Cell(from), Written::Landing { cell: to, .. }] => {
            Some(ManMove { from: Some(from), kind: at(from)?, to, promotion: None })
        }
        [Written::Cell(from), Written::Landing { cell: to, .. }, Written::Promotion(kind)] => {
            Some(ManMove { from: Some(from), kind: at(from)?, to, promotion: Some(kind) })
        }
        [Written::Cell(to), Written::Kind(kind)] | [Written::Kind(kind), Written::Cell(to)] => {
            Some(ManMove { from: None, kind, to, promotion: None })
        }
        _ => None,
    }
}

/// The places of the plies that an abbreviation fits. Marks behind it, such as `+`, are left alone.
pub(crate) fn read_san(
    game: &Game,
    san: &San,
    position: &Position,
    plies: &[impl WrittenMove],
    text: &str,
) -> Vec<usize> {
    let text = text.trim().trim_end_matches(['+', '#', '!', '?']);
    let Some(wanted) = Wanted::read(game, san, text) else { return Vec::new() };
    let fits = |at: &usize| {
        plies.get(*at).and_then(|ply| told(position, ply.written())).is_some_and(|told| wanted.is(game, &told))
    };
    (0..plies.len()).filter(fits).collect()
}

/// What an abbreviation asks for.
struct Wanted {
    kind: Kind,
    is_drop: bool,
    file: Option<u8>,
    rank: Option<u8>,
    to: Cell,
    promotion: Option<Kind>,
}

impl Wanted {
    fn read(game: &Game, san: &San, text: &str) -> Option<Wanted> {
        let kind_of = |letter: char| {
            let at = game.kinds.iter().position(|kind| kind.letter == letter)?;
            u8::try_from(at).ok().map(Kind)
        };
        let first = text.chars().next().filter(char::is_ascii_uppercase);
        let kind = first.map_or(Some(san.bare), kind_of)?;
        let mut rest = text.get(first.map_or(0, char::len_utf8)..)?;
        let mut promotion = None;
        if let Some(letter) = rest.chars().next_back().filter(char::is_ascii_uppercase) {
            promotion = Some(kind_of(letter)?);
            rest = rest.get(..rest.len() - 1)?.trim_end_matches('=');
        }
        if let Some(cell) = rest.strip_prefix('@') {
            let to = game.topology.named(cell)?;
            return Some(Wanted { kind, is_drop: true, file: None, rank: None, to, promotion });
        }
        // The cell stands last: its letters, then its digits.
        let digits = rest.len() - rest.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let start = rest.len().checked_sub(digits + 1)?;
        let to = game.topology.named(rest.get(start..)?)?;
        let before = rest.get(..start)?.trim_end_matches(['x', '-']);
        let (letters, number) = before.split_at(before.bytes().take_while(u8::is_ascii_lowercase).count());
        let file = match letters.as_bytes() {
            [] => None,
            [letter] => Some(letter - b'a' + 1),
            _ => return None,
        };
        let rank = if number.is_empty() { None } else { Some(number.parse().ok()?) };
        Some(Wanted { kind, is_drop: false, file, rank, to, promotion })
    }

    fn is(&self, game: &Game, told: &ManMove) -> bool {
        let board = &game.topology;
        let from_fits = match told.from {
            Some(from) => {
                !self.is_drop
                    && self.file.is_none_or(|file| board.file(from) == file)
                    && self.rank.is_none_or(|rank| board.rank(from) == rank)
            }
            None => self.is_drop,
        };
        from_fits && told.kind == self.kind && told.to == self.to && told.promotion == self.promotion
    }
}

/// The abbreviation of a ply among those that can be made. `None`: it has none.
pub(crate) fn write_san(
    game: &Game,
    san: &San,
    position: &Position,
    plies: &[impl WrittenMove],
    at: usize,
) -> Option<String> {
    let board = &game.topology;
    let ply = plies.get(at)?;
    let one = told(position, ply.written())?;
    let letter = |kind: Kind| game.kind(kind).letter;
    let promotion = one.promotion.map(|kind| format!("={}", letter(kind))).unwrap_or_default();
    let to = board.name(one.to);
    let Some(from) = one.from else { return Some(format!("{}@{to}", letter(one.kind))) };
    let takes = ply.written().iter().any(|choice| matches!(choice, Written::Landing { captures: true, .. }));
    let others: Vec<Cell> = plies
        .iter()
        .filter_map(|other| told(position, other.written()))
        .filter(|other| other.kind == one.kind && other.to == one.to && other.from != Some(from))
        .filter_map(|other| other.from)
        .collect();
    let name = board.name(from);
    let (file, rank) = name.split_at(name.bytes().take_while(u8::is_ascii_lowercase).count());
    let same_file = others.iter().any(|other| board.file(*other) == board.file(from));
    let same_rank = others.iter().any(|other| board.rank(*other) == board.rank(from));
    let is_bare = one.kind == san.bare;
    let head = if is_bare { String::new() } else { letter(one.kind).to_string() };
    let whence = match (others.is_empty(), same_file, same_rank) {
        (true, ..) if is_bare && takes => file,
        (true, ..) => "",
        (_, false, _) => file,
        (_, true, false) if !is_bare => rank,
        _ => name,
    };
    Some(format!("{head}{whence}{}{to}{promotion}", if takes { "x" } else { "" }))
}
