//! Partial turn: the choices already made in a turn, as text, and an executor go in; the position
//! after them comes out.

use crate::model::Game;
use crate::position::{Fault, Position};

use crate::notation::error::{NotationError, NotationErrorKind};
use crate::notation::moves::{SILENCE, WrittenMove, choices_text};
use crate::notation::read::{Ease, near_moves, read_choices};

/// What reading asks of an executor: which plies can be made, and what comes of one.
pub trait MoveSource {
    type Ply: WrittenMove;
    /// The plies that can be made in a position, also within a turn.
    fn plies(&mut self, position: &Position) -> Result<Vec<Self::Ply>, Fault>;
    /// The position after one of its plies that does not end the turn.
    fn played(&mut self, position: &Position, ply: &Self::Ply) -> Result<Position, Fault>;
}

/// Most positions looked at for one text.
const MOST_TRIED: usize = 10_000;

/// A beginning of the text that has been read, and the places up to which it may reach.
struct Begun {
    position: Position,
    places: Vec<usize>,
    /// Plies made, and whether they wrote anything.
    plies: usize,
    silent: bool,
}

/// How far reading came, and what could have followed there.
#[derive(Default)]
struct Farthest {
    place: usize,
    next: Vec<String>,
}

/// Makes the choices of a text, which begins at a byte of the whole.
pub(crate) fn make_choices<S: MoveSource>(
    game: &Game,
    executor: &mut S,
    position: Position,
    text: &str,
    at: usize,
) -> Result<Position, NotationError> {
    let mut farthest = Farthest::default();
    for ease in [Ease::Joints, Ease::Case] {
        let made = follow(game, executor, position.clone(), text, ease, &mut farthest);
        let fault = |fault: Fault| NotationErrorKind::Fault { message: fault.message() };
        if let Some(made) = made.map_err(|error| NotationError::new(fault(error), at..at + text.len()))? {
            return Ok(made);
        }
    }
    let rest = text.get(farthest.place..).unwrap_or_default();
    let start = at + farthest.place + rest.len() - rest.trim_start().len();
    let found = rest.trim().to_string();
    let span = start..start + found.len();
    let mut near = near_moves(&farthest.next, &found);
    if near.is_empty() {
        near = farthest.next.into_iter().take(8).collect();
    }
    Err(NotationError::new(NotationErrorKind::UnknownChoices { found, near }, span))
}

/// Goes through all beginnings, the first in order of generation first. `None`: the text is not
/// one.
fn follow<S: MoveSource>(
    game: &Game,
    executor: &mut S,
    position: Position,
    text: &str,
    ease: Ease,
    farthest: &mut Farthest,
) -> Result<Option<Position>, Fault> {
    let is_end = |place: &usize| text.get(*place..).is_some_and(|rest| rest.trim().is_empty());
    let is_silence = text.trim() == SILENCE;
    let mut open = vec![Begun { position, places: vec![0], plies: 0, silent: true }];
    for _ in 0..MOST_TRIED {
        let Some(begun) = open.pop() else { return Ok(None) };
        if begun.plies > 0 && (begun.places.iter().any(is_end) || begun.silent && is_silence) {
            return Ok(Some(begun.position));
        }
        let plies = executor.plies(&begun.position)?;
        farthest.note(game, &begun, &plies);
        for ply in plies.iter().rev().filter(|ply| !ply.ends_turn()) {
            let places = read_choices(game, ply.written(), text, begun.places.clone(), begun.silent, ease);
            if !places.is_empty() {
                let position = executor.played(&begun.position, ply)?;
                open.push(Begun {
                    position,
                    places,
                    plies: begun.plies + 1,
                    silent: begun.silent && ply.written().is_empty(),
                });
            }
        }
    }
    Ok(None)
}

impl Farthest {
    fn note(&mut self, game: &Game, begun: &Begun, plies: &[impl WrittenMove]) {
        let place = begun.places.iter().copied().max().unwrap_or(0);
        if place > self.place || self.next.is_empty() {
            self.place = place;
            let beginnings = plies.iter().filter(|ply| !ply.ends_turn());
            self.next = beginnings.map(|ply| choices_text(game, ply.written())).collect();
        }
    }
}
