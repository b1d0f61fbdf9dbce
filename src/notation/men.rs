//! Letters of men: a man's owner and kind go in, and `K`, `k'`, `*` or `W` come out, both ways.

use crate::board::{Kind, Player};
use crate::model::Game;
use crate::position::Man;
use crate::sort;

use crate::notation::error::NotationErrorKind;

/// How a game writes its men.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// One kind of men that have owners, and no letter of its own beside neutral kinds: the owner's
    /// initial tells all. Only if the initials differ.
    Initials(Kind),
    /// The kind's letter, whose case and apostrophes tell the owner.
    Letters,
}

pub(crate) fn scheme(game: &Game) -> Scheme {
    let mut initials: Vec<Option<char>> = game.seats.iter().map(|seat| seat.name.chars().next()).collect();
    sort::by(&mut initials, Ord::cmp);
    let differ = initials.windows(2).all(|pair| pair.first() != pair.last());
    let alone = game.kinds.len() == 1;
    let mut owned = game.kinds.iter().enumerate().filter(|(_, kind)| alone || !kind.neutral);
    match (owned.next(), owned.next()) {
        (Some((at, kind)), None) if differ && (alone || !kind.own_letter) => Scheme::Initials(Kind(at as u8)),
        _ => Scheme::Letters,
    }
}

/// A player's initial is this letter.
fn is_initial(game: &Game, letter: char) -> bool {
    game.seats.iter().any(|seat| seat.name.starts_with(letter))
}

/// A man as the text of a position has it.
pub fn man_text(game: &Game, man: Man) -> String {
    let mut text = String::new();
    push_man(&mut text, game, scheme(game), man);
    text
}

pub(crate) fn push_man(text: &mut String, game: &Game, scheme: Scheme, man: Man) {
    let kind = game.kinds.get(man.kind.index());
    let letter = kind.map_or('?', |kind| kind.letter);
    match (scheme, man.owner.and_then(|owner| Some((owner, game.seats.get(owner.index())?)))) {
        (Scheme::Initials(_), None) if game.kinds.len() == 1 => text.push('*'),
        (Scheme::Initials(_), Some((_, seat))) => text.extend(seat.name.chars().next()),
        (Scheme::Initials(_), None) if is_initial(game, letter) => text.extend(['*', letter]),
        (Scheme::Letters | Scheme::Initials(_), None) if kind.is_some_and(|kind| kind.neutral) => text.push(letter),
        (_, None) => text.extend(['*', letter]),
        (Scheme::Letters, Some((owner, _))) => push_seated_letter(text, letter, owner),
    }
}

fn push_seated_letter(text: &mut String, letter: char, owner: Player) {
    text.push(if owner.index().is_multiple_of(2) { letter } else { letter.to_ascii_lowercase() });
    text.extend(std::iter::repeat_n('\'', owner.index() / 2));
}

/// The man that a text begins with and the bytes that he takes.
pub(crate) fn parse_man(game: &Game, text: &str) -> Result<(Man, usize), NotationErrorKind> {
    let Some(first) = text.chars().next() else { return Err(unknown_man(game, ' ')) };
    if first == '*' {
        return parse_neutral(game, text);
    }
    let initial = |player: &Player| game.player(*player).name.starts_with(first);
    let initial_in_any_case = |player: &Player| {
        game.player(*player).name.chars().next().is_some_and(|letter| letter.eq_ignore_ascii_case(&first))
    };
    if let Scheme::Initials(kind) = scheme(game) {
        let owner = game.players().find(initial).or_else(|| only(game.players().filter(initial_in_any_case)));
        if let Some(owner) = owner {
            return Ok((Man { owner: Some(owner), kind }, first.len_utf8()));
        }
    }
    parse_letter(game, text, first)
}

fn parse_neutral(game: &Game, text: &str) -> Result<(Man, usize), NotationErrorKind> {
    if game.kinds.len() == 1
        && let Scheme::Initials(kind) = scheme(game)
    {
        return Ok((Man { owner: None, kind }, 1));
    }
    let letter = text.chars().nth(1).filter(char::is_ascii_alphabetic);
    let Some(letter) = letter else { return Err(NotationErrorKind::NeutralOfNoKind { known: known_men(game) }) };
    let kind = kind_of(game, letter).ok_or_else(|| unknown_man(game, letter))?;
    Ok((Man { owner: None, kind }, 2))
}

/// A kind's letter; its case and the apostrophes behind it tell the owner.
fn parse_letter(game: &Game, text: &str, letter: char) -> Result<(Man, usize), NotationErrorKind> {
    let kind = kind_of(game, letter).ok_or_else(|| unknown_man(game, letter))?;
    if game.kind(kind).neutral {
        return Ok((Man { owner: None, kind }, 1));
    }
    let apostrophes = text.bytes().skip(1).take_while(|&byte| byte == b'\'').count();
    let seat = 2 * apostrophes + usize::from(letter.is_ascii_lowercase());
    match game.players().nth(seat) {
        Some(owner) => Ok((Man { owner: Some(owner), kind }, 1 + apostrophes)),
        None => {
            let found = text.chars().take(1 + apostrophes).collect();
            Err(NotationErrorKind::NoSuchSeat { found, players: game.seats.len() })
        }
    }
}

/// The kind of a letter in either case.
pub(crate) fn kind_of(game: &Game, letter: char) -> Option<Kind> {
    let at = game.kinds.iter().position(|kind| kind.letter.eq_ignore_ascii_case(&letter))?;
    u8::try_from(at).ok().map(Kind)
}

fn unknown_man(game: &Game, found: char) -> NotationErrorKind {
    NotationErrorKind::UnknownMan { found, known: known_men(game) }
}

/// How the men of a game are written, each with what it is: `W` White, ... or `K` and `k` king, ...
fn known_men(game: &Game) -> String {
    if let Scheme::Initials(kind) = scheme(game) {
        let seats = game.players().map(|player| {
            let man = Man { owner: Some(player), kind };
            format!("`{}` {}", man_text(game, man), game.player(player).name)
        });
        let neutral = game.kinds.iter().enumerate().filter(|(_, kind)| kind.neutral).map(|(at, kind)| {
            let man = Man { owner: None, kind: Kind(at as u8) };
            format!("`{}` {}", man_text(game, man), kind.name)
        });
        let nobody = Man { owner: None, kind };
        let nobody = (!game.kind(kind).neutral).then(|| format!("`{}` neutral", man_text(game, nobody)));
        return seats.chain(neutral).chain(nobody).collect::<Vec<_>>().join(", ");
    }
    let kinds = game.kinds.iter().map(|kind| match kind.neutral {
        true => format!("`{}` {}", kind.letter, kind.name),
        false => format!("`{}` `{}` {}", kind.letter, kind.letter.to_ascii_lowercase(), kind.name),
    });
    kinds.collect::<Vec<_>>().join(", ")
}

/// The letters of all kinds, for hands.
pub(crate) fn known_kinds(game: &Game) -> String {
    game.kinds.iter().map(|kind| format!("`{}` {}", kind.letter, kind.name)).collect::<Vec<_>>().join(", ")
}

/// The only one, if it is alone.
pub(crate) fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}
