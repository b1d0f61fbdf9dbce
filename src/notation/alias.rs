//! Alias reading: a text, and what the aliases of a game are in a position, go in; the move that the
//! text stands for comes out.

use crate::board::CellSet;
use crate::model::{Alias, AliasText, Game};
use crate::notation::error::{NotationError, NotationErrorKind};
use crate::notation::moves::{WrittenMove, ply_texts};
use crate::notation::read::{Ease, MOST_NEAR, read_choices};
use crate::position::Written;

/// The place of the ply that a text means by an alias; `None`: no ply.
pub fn parse_alias(
    game: &Game,
    plies: &[impl WrittenMove],
    aliases: &[Alias<CellSet>],
    text: &str,
) -> Option<Result<usize, NotationError>> {
    for ease in [Ease::Joints, Ease::Case, Ease::Bare] {
        let meant: Vec<_> = aliases.iter().filter(|alias| is_text_of(game, alias, text, ease)).collect();
        let is_meant = |at: &usize| meant.iter().any(|alias| stands_for(alias, plies[*at].written()));
        let fitting: Vec<usize> = (0..plies.len()).filter(is_meant).collect();
        match fitting.as_slice() {
            [] => {}
            [at] => return Some(Ok(*at)),
            several => {
                let texts = ply_texts(game, plies);
                let fitting = several.iter().take(MOST_NEAR).filter_map(|&at| texts.get(at).cloned()).collect();
                let kind = NotationErrorKind::AmbiguousMove { found: text.trim().into(), fitting };
                return Some(Err(NotationError::new(kind, 0..text.len())));
            }
        }
    }
    None
}

/// The sets of cells that a text means by an alias, in order: the first alias of whose sets none is
/// empty.
pub(crate) fn meant_cells<'a>(game: &Game, aliases: &'a [Alias<CellSet>], text: &str) -> Option<&'a [CellSet]> {
    let is_meant = |alias: &&Alias<CellSet>| {
        let is_text =
            [Ease::Joints, Ease::Case, Ease::Bare].into_iter().any(|ease| is_text_of(game, alias, text, ease));
        is_text && alias.cells.iter().all(|set| !set.is_empty())
    };
    aliases.iter().find(is_meant).map(|alias| alias.cells.as_slice())
}

fn is_text_of(game: &Game, alias: &Alias<CellSet>, text: &str, ease: Ease) -> bool {
    match &alias.text {
        AliasText::Fixed(fixed) if ease == Ease::Joints => text.trim() == fixed,
        AliasText::Fixed(fixed) => text.trim().eq_ignore_ascii_case(fixed),
        AliasText::Cells(sets) => {
            let mut places = vec![0];
            for (before, set) in sets.iter().enumerate() {
                let ends = |cell| read_choices(game, &[Written::Cell(cell)], text, places.clone(), before == 0, ease);
                places = set.iter().flat_map(ends).collect();
            }
            places.iter().any(|&place| text.get(place..).is_some_and(|rest| rest.trim().is_empty()))
        }
    }
}

fn stands_for(alias: &Alias<CellSet>, written: &[Written]) -> bool {
    let is_of = |(choice, set): (&Written, &CellSet)| match choice {
        Written::Cell(cell) | Written::Landing { cell, .. } => set.contains(*cell),
        _ => false,
    };
    written.len() == alias.cells.len() && written.iter().zip(&alias.cells).all(is_of)
}
