//! Move parsing: the text of a move and the list of moves that can be made go in; which of them is
//! meant comes out.

use crate::model::Game;
use crate::position::Written;
use crate::sort;

use crate::notation::error::{NotationError, NotationErrorKind};
use crate::notation::moves::{WrittenMove, brackets, caught_text, choice_text, choices_text, joint, ply_texts, sign};

/// How far a text may be from the exact one. Each takes what the one before takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ease {
    /// A blank or `-` for any joint, `x` for a blank; brackets and numbers of moves alike may be left out.
    Joints,
    /// Capitals and small letters are the same.
    Case,
    /// Joints and signs may be left out: `e2e4`.
    Bare,
}

/// The place of the ply that a text means: the one written so exactly, else the only one that fits
/// with ever more ease.
pub fn parse_ply(game: &Game, plies: &[impl WrittenMove], text: &str) -> Result<usize, NotationError> {
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    let span = start..start + trimmed.len();
    if trimmed.is_empty() {
        return Err(NotationError::new(NotationErrorKind::NoMove, 0..text.len()));
    }
    if plies.is_empty() {
        return Err(NotationError::new(NotationErrorKind::NoMoves, span));
    }
    let texts = ply_texts(game, plies);
    if let Some(exact) = texts.iter().position(|text| text == trimmed) {
        return Ok(exact);
    }
    for ease in [Ease::Joints, Ease::Case, Ease::Bare] {
        if let Some(found) = find_with(game, plies, &texts, trimmed, ease) {
            return found.map_err(|kind| NotationError::new(kind, span));
        }
    }
    let near = near_moves(&texts, trimmed);
    let kind = NotationErrorKind::UnknownMove { found: trimmed.into(), near, parts: Vec::new(), rest: String::new() };
    Err(NotationError::new(kind, span))
}

/// `None`: no move fits. Of several that fit, one is meant if it alone fits without leaving
/// anything out behind it.
fn find_with(
    game: &Game,
    plies: &[impl WrittenMove],
    texts: &[String],
    text: &str,
    ease: Ease,
) -> Option<Result<usize, NotationErrorKind>> {
    let fits: Vec<(usize, bool)> = plies
        .iter()
        .zip(texts)
        .enumerate()
        .filter_map(|(at, (ply, written))| Some((at, fit(game, ply, written, text, ease)?)))
        .collect();
    let whole: Vec<usize> = fits.iter().filter(|(_, whole)| *whole).map(|(at, _)| *at).collect();
    match (whole.as_slice(), fits.as_slice()) {
        ([], []) => None,
        ([at], _) | ([], [(at, _)]) => Some(Ok(*at)),
        _ => {
            let fitting = fits.iter().take(MOST_NEAR).filter_map(|(at, _)| texts.get(*at).cloned()).collect();
            Some(Err(NotationErrorKind::AmbiguousMove { found: text.into(), fitting }))
        }
    }
}

/// Whether a text fits a move, and if so, whether also what stands behind its choices fits.
fn fit(game: &Game, ply: &impl WrittenMove, written: &str, text: &str, ease: Ease) -> Option<bool> {
    let plain = choices_text(game, ply.written());
    let suffix = written.strip_prefix(plain.as_str()).unwrap_or_default();
    let ends = match ply.written() {
        [] if text.starts_with('-') => vec![1],
        [] => vec![],
        choices => read_choices(game, choices, text, vec![0], true, ease),
    };
    let rests = ends
        .iter()
        .filter_map(|&end| text.get(end..))
        .map(|rest| rest.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut fits = None;
    for rest in rests {
        if rest == suffix {
            return Some(true);
        }
        if rest.is_empty() || rest == caught_text(game, &ply.caught()) {
            fits = Some(false);
        }
    }
    fits
}

/// The places of a text up to which choices can be read from one of the given places. `first`:
/// nothing stands before them.
pub(crate) fn read_choices(
    game: &Game,
    choices: &[Written],
    text: &str,
    mut places: Vec<usize>,
    mut first: bool,
    ease: Ease,
) -> Vec<usize> {
    let all: Vec<&Written> = choices.iter().collect();
    for (at, choice) in choices.iter().enumerate() {
        let words = words(game, &all, at, ease);
        let mut after = Vec::new();
        for &place in &places {
            for start in after_joint(text, place, choice, first, ease) {
                after.extend(words.iter().flat_map(|word| after_word(text, start, word, sign(choice), ease)));
            }
        }
        after.sort_unstable();
        after.dedup();
        places = after;
        first = false;
    }
    places
}

/// How far a text goes along with choices: the byte behind them. `None`: it says something else.
pub(crate) fn agreement(game: &Game, choices: &[Written], text: &str) -> Option<usize> {
    let read = |ease| read_choices(game, choices, text, vec![0], true, ease).into_iter().max();
    [Ease::Joints, Ease::Case, Ease::Bare].into_iter().find_map(read)
}

/// How a choice may be written: with its brackets, if it has some, or also without.
fn words(game: &Game, choices: &[&Written], at: usize, ease: Ease) -> Vec<String> {
    let plain = choice_text(game, choices[at]);
    let (opens, closes) = brackets(choices, at);
    if !opens && !closes {
        return vec![plain];
    }
    let bracketed = format!("{}{plain}{}", if opens { "(" } else { "" }, if closes { ")" } else { "" });
    if ease == Ease::Bare { vec![bracketed, plain] } else { vec![bracketed] }
}

/// Where a choice may begin: behind its own joint, blanks or a `-`.
fn after_joint(text: &str, place: usize, choice: &Written, first: bool, ease: Ease) -> Vec<usize> {
    let rest = text.get(place..).unwrap_or_default();
    let blanks = |at: usize| text.get(at..).map_or(0, |rest| rest.len() - rest.trim_start().len());
    let mut starts = Vec::new();
    let skipped = place + blanks(place);
    if first || ease == Ease::Bare || skipped > place {
        starts.push(skipped);
    }
    // What is taken by a choice of its own is often written as if it were taken by the move before it.
    let is_joint = |c: char| match joint(choice) {
        'x' | ' ' if !first => c == '-' || c == 'x' || c == 'X' && ease > Ease::Joints,
        own => c == '-' || c == own,
    };
    if rest.trim_start().starts_with(is_joint) {
        starts.push(skipped + 1 + blanks(skipped + 1));
    }
    starts
}

/// Where a choice ends that begins at a place with a word and perhaps a sign.
fn after_word(text: &str, start: usize, word: &str, sign: Option<char>, ease: Ease) -> Vec<usize> {
    let end = start + word.len();
    let Some(found) = text.get(start..end) else { return Vec::new() };
    let is_same = if ease == Ease::Joints { found == word } else { found.eq_ignore_ascii_case(word) };
    let goes_on = |c: char| c.is_ascii_digit() && word.ends_with(|last: char| last.is_ascii_digit());
    if !is_same || text.get(end..).is_some_and(|rest| rest.starts_with(goes_on)) {
        return Vec::new();
    }
    let Some(sign) = sign else { return vec![end] };
    let mut ends = Vec::new();
    if text.get(end..).is_some_and(|rest| rest.starts_with(sign)) {
        ends.push(end + sign.len_utf8());
    }
    if ease == Ease::Bare {
        ends.push(end);
    }
    ends
}

/// Most moves that an error lists.
pub(crate) const MOST_NEAR: usize = 6;

/// Moves to suggest: those that begin with the same word, else those that are written much alike,
/// the nearest first.
pub(crate) fn near_moves(texts: &[String], found: &str) -> Vec<String> {
    let head =
        |text: &str| text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase();
    let wanted = head(found);
    let mut same: Vec<&String> =
        texts.iter().filter(|text| !wanted.is_empty() && head(text).starts_with(&wanted)).collect();
    if same.is_empty() {
        same = texts.iter().filter(|text| likeness(text, found) >= 0.5).collect();
    }
    sort::by(&mut same, |a, b| likeness(b, found).total_cmp(&likeness(a, found)));
    same.into_iter().take(MOST_NEAR).cloned().collect()
}

fn likeness(text: &str, found: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(text, found)
}
