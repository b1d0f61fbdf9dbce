//! Several moves in one text: a position and a text that is none of its moves go in; the moves that it means one after the
//! other come out, such as the jumps of `e3xc5xe7` where each is a ply.

use crate::game::{Move, Position};
use crate::notation::{NotationError, NotationErrorKind, agreement};
use crate::position::Written;
use crate::sort;

/// Moves that are tried for one text.
const MOST_TRIED: usize = 32;

/// The moves that were found to stand one behind the other, and what is left of the text.
#[derive(Clone, Default)]
struct Parts {
    moves: Vec<String>,
    rest: String,
}

/// How far the moves of a text were followed.
struct Search {
    tries: usize,
    /// The longest beginning so far.
    best: Option<Parts>,
}

/// An error tells which moves the text begins with, if it is about a text that is no move.
pub(super) fn told(position: &Position, mut error: NotationError, text: &str) -> NotationError {
    if let NotationErrorKind::UnknownMove { parts, rest, .. } = &mut error.kind {
        let mut search = Search { tries: MOST_TRIED, best: None };
        let found = search.follow(position, &Parts { moves: Vec::new(), rest: text.into() }).or(search.best);
        let found = found.unwrap_or_default();
        (*parts, *rest) = (found.moves, found.rest);
    }
    error
}

impl Search {
    /// The moves of a whole text, of which some are played.
    fn follow(&mut self, position: &Position, begun: &Parts) -> Option<Parts> {
        for (end, one) in beginnings(position, &begun.rest) {
            self.tries = self.tries.checked_sub(1)?;
            let rest = begun.rest.get(end..)?;
            let mut after = position.clone();
            if after.play(&one).is_err() {
                continue;
            }
            let moves = [begun.moves.as_slice(), &[one.to_string()]].concat();
            // People write the cell that a jump ends on, and the next one begins on, once or twice; so may the rules.
            let landing = match one.written().last() {
                Some(Written::Cell(cell) | Written::Landing { cell, .. }) => position.game().cell_name(*cell),
                _ => "",
            };
            let rest = rest.trim();
            let mut rests = vec![rest.to_string(), format!("{landing}{rest}")];
            rests.extend(rest.strip_prefix(landing).map(String::from));
            if self.best.as_ref().is_none_or(|best| rest.len() < best.rest.len()) {
                self.best = Some(Parts { moves: moves.clone(), rest: rest.into() });
            }
            for rest in rests {
                if let Ok(last) = after.found_move(&rest) {
                    return Some(Parts { moves: [moves, vec![last.to_string()]].concat(), rest: String::new() });
                }
                let parts = self.follow(&after, &Parts { moves: moves.clone(), rest });
                if parts.is_some() {
                    return parts;
                }
            }
        }
        None
    }
}

/// The moves that a text begins with, and up to where; those that reach the farthest come first.
fn beginnings(position: &Position, text: &str) -> Vec<(usize, Move)> {
    let model = position.game().model();
    let reach = |one: Move| Some((agreement(model, one.written(), text)?, one));
    let moves = position.legal_moves().unwrap_or_default().into_iter().filter_map(reach);
    let mut begun: Vec<(usize, Move)> = moves.filter(|(end, _)| (1..text.len()).contains(end)).collect();
    sort::by_key(&mut begun, |(end, _)| std::cmp::Reverse(*end));
    begun
}
