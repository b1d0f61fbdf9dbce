//! Position notation: positions as text, both ways: `BOARD Player key=value ... : choices`.

use std::ops::Range;

use crate::board::{CellSet, Kind, Player};
use crate::model::{Game, StateId, Type};
use crate::position::{Position, Value};

use crate::notation::board::{board_text, read_board};
use crate::notation::error::{NotationError, NotationErrorKind};
use crate::notation::men::{kind_of, known_kinds, only};
use crate::notation::moves::choices_text;
use crate::notation::partial::{MoveSource, make_choices};
use crate::notation::picture::{is_picture, read_picture};

/// A position as text. Keys stand for what is not at its first value; what has been chosen in a
/// turn stands behind `:`.
pub fn position_text(game: &Game, position: &Position) -> String {
    let mut words = vec![board_text(game, position), game.player(position.to_move()).name.clone()];
    words.extend(hand_texts(game, position));
    words.extend(state_texts(game, position));
    words.extend(position.opening().map(|played| format!("opening={played}")));
    if !position.begun().is_empty() {
        words.push(":".into());
        words.push(choices_text(game, position.begun().iter().flat_map(|step| &step.written)));
    }
    words.join(" ")
}

fn hand_texts(game: &Game, position: &Position) -> Vec<String> {
    let mut texts = Vec::new();
    for player in game.players() {
        let men = (0..).zip(&game.kinds).map(|(number, kind)| (kind.letter, position.hand(player, Kind(number))));
        let text: String =
            men.filter(|&(_, count)| count > 0).map(|(letter, count)| format!("{letter}{count}")).collect();
        if !text.is_empty() {
            texts.push(format!("{}.hand={text}", game.player(player).name));
        }
    }
    texts
}

fn state_texts(game: &Game, position: &Position) -> Vec<String> {
    let mut texts = Vec::new();
    for (id, state) in (0..).map(StateId).zip(&game.states) {
        for player in game.players().take(if state.per_player { game.seats.len() } else { 1 }) {
            let value = position.value(id, player);
            if value != position.first_value(id, player) {
                let whose = if state.per_player { format!("{}.", game.player(player).name) } else { String::new() };
                texts.push(format!("{whose}{}={}", state.name, value_text(game, value)));
            }
        }
    }
    texts
}

fn value_text(game: &Game, value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Truth(truth) => truth.to_string(),
        Value::Cells(cells) if cells.is_empty() => "none".into(),
        Value::Cells(cells) => cells.iter().map(|cell| game.topology.name(cell)).collect::<Vec<_>>().join("+"),
        _ => "?".into(),
    }
}

/// A word of the text and where it stands.
#[derive(Clone)]
struct Word<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Word<'a> {
    fn span(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    fn error(&self, kind: NotationErrorKind) -> NotationError {
        NotationError::new(kind, self.span())
    }

    /// The words before and after a mark.
    fn split(&self, mark: char) -> Option<(Word<'a>, Word<'a>)> {
        let (before, after) = self.text.split_once(mark)?;
        Some((Word { text: before, at: self.at }, Word { text: after, at: self.at + before.len() + mark.len_utf8() }))
    }
}

fn words(text: &str) -> Vec<Word<'_>> {
    let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace().map(|part| Word { text: part, at: offset(part) }).collect()
}

/// Reads a position. `empty` is the empty board with the first values of the game. A text without a
/// player means the first, one without a word of the opening is past it. The choices behind `:` are
/// made by the executor, one ply after the other; of plies written alike the first is taken with
/// which all can be read.
///
/// The position is not asked whether it can come about, nor whether the game is over.
pub fn parse_position<S: MoveSource>(
    game: &Game,
    empty: &Position,
    executor: &mut S,
    text: &str,
) -> Result<Position, NotationError> {
    let start = parse_start(game, empty, text)?;
    match start.choices {
        Some((choices, at)) => make_choices(game, executor, start.position, choices, at),
        None => Ok(start.position),
    }
}

/// What a text says before its `:`, and the part behind, if any, with where it begins.
pub(crate) struct Start<'a> {
    pub position: Position,
    pub choices: Option<(&'a str, usize)>,
}

/// Reads a position onto `empty`, the empty board with the first values of the game. Without a
/// player the first is to move, without a word of the opening it is over.
pub(crate) fn parse_start<'a>(game: &Game, empty: &Position, text: &'a str) -> Result<Start<'a>, NotationError> {
    let (before, choices) = match text.split_once(':') {
        Some((before, after)) => (before, Some((after, before.len() + 1))),
        None => (text, None),
    };
    let mut position = empty.clone();
    position.set_opening(game.opening.len() as u32);
    let words = words(before);
    let rest = match words.split_first() {
        None => return Err(NotationError::new(NotationErrorKind::NoBoard, 0..before.len())),
        Some(_) if is_picture(before) => {
            let length = read_picture(game, &mut position, before)?;
            words.get(words.partition_point(|word| word.at < length)..).unwrap_or_default()
        }
        Some((board, rest)) => {
            read_board(game, &mut position, board.text, board.at)?;
            rest
        }
    };
    let keys = match rest.split_first() {
        Some((player, keys)) if !player.text.contains('=') => {
            position.set_to_move(find_player(game, player)?);
            // As below a drawing: `White to move`.
            match keys {
                [to, word, keys @ ..] if (to.text, word.text) == ("to", "move") => keys,
                keys => keys,
            }
        }
        _ => rest,
    };
    read_keys(game, &mut position, keys)?;
    position.settle();
    Ok(Start { position, choices: choices.filter(|(text, _)| !text.trim().is_empty()) })
}

/// A player by name, by name in another case, or by first letter in either case.
fn find_player(game: &Game, word: &Word<'_>) -> Result<Player, NotationError> {
    let name = |player: &Player| game.player(*player).name.as_str();
    if let Some(player) = game.players().find(|player| name(player) == word.text) {
        return Ok(player);
    }
    let is_one = word.text.chars().count() == 1;
    let fits = |player: &Player| {
        let initial = name(player).chars().next().map(String::from).unwrap_or_default();
        name(player).eq_ignore_ascii_case(word.text) || is_one && initial.eq_ignore_ascii_case(word.text)
    };
    if let Some(player) = only(game.players().filter(fits)) {
        return Ok(player);
    }
    let found = word.text.to_string();
    let fitting: Vec<String> = game.players().filter(fits).map(|player| name(&player).to_string()).collect();
    let known = game.seats.iter().map(|seat| seat.name.clone()).collect();
    Err(word.error(match fitting.is_empty() {
        true => NotationErrorKind::UnknownPlayer { found, known },
        false => NotationErrorKind::AmbiguousPlayer { found, fitting },
    }))
}

/// What a key speaks of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Hand(Player),
    /// The player of the first copy, where there is one for all.
    State(StateId, Player),
    Opening,
}

fn read_keys(game: &Game, position: &mut Position, words: &[Word<'_>]) -> Result<(), NotationError> {
    let mut seen = Vec::new();
    for word in words {
        let Some((name, value)) = word.split('=') else {
            let found = word.text.to_string();
            return Err(word.error(NotationErrorKind::NotAKey { found, known: known_keys(game) }));
        };
        let key = find_key(game, &name, &value)?;
        if seen.contains(&key) {
            return Err(word.error(NotationErrorKind::KeyTwice { key: name.text.into() }));
        }
        seen.push(key);
        read_value(game, position, key, &value)?;
    }
    Ok(())
}

fn known_keys(game: &Game) -> Vec<String> {
    let first = game.seats.first().map_or("", |seat| &seat.name);
    let states = game.states.iter().map(|state| match state.per_player {
        true => format!("{first}.{}", state.name),
        false => state.name.clone(),
    });
    let hand = std::iter::once(format!("{first}.hand"));
    let opening = (!game.opening.is_empty()).then(|| "opening".to_string());
    states.chain(hand).chain(opening).collect()
}

/// `name` or `Player.name`. A remembered value may be called `hand` too; then the value tells: men
/// begin with a capital.
fn find_key(game: &Game, word: &Word<'_>, value: &Word<'_>) -> Result<Key, NotationError> {
    let (player, name) = match word.split('.') {
        Some((player, name)) => (Some(find_player(game, &player)?), name),
        None => (None, word.clone()),
    };
    let state = (0..).map(StateId).zip(&game.states).find(|(_, state)| state.name == name.text);
    let is_hand = name.text == "hand" && (state.is_none() || value.text.starts_with(|c: char| c.is_ascii_uppercase()));
    let whose = game.seats.first().map_or("", |seat| &seat.name).to_string();
    let needs_player = NotationErrorKind::NeedsPlayer { key: name.text.into(), player: whose };
    let no_player = NotationErrorKind::NoPlayer { key: word.text.into() };
    match (state, player) {
        _ if is_hand => player.map(Key::Hand).ok_or_else(|| word.error(needs_player)),
        (Some((id, state)), Some(player)) if state.per_player => Ok(Key::State(id, player)),
        (Some((_, state)), None) if state.per_player => Err(word.error(needs_player)),
        (Some((id, _)), None) => Ok(Key::State(id, Player(0))),
        (None, None) if name.text == "opening" => Ok(Key::Opening),
        (Some(_), Some(_)) => Err(word.error(no_player)),
        (None, Some(_)) if name.text == "opening" => Err(word.error(no_player)),
        _ => Err(word.error(NotationErrorKind::UnknownKey { found: word.text.into(), known: known_keys(game) })),
    }
}

fn read_value(game: &Game, position: &mut Position, key: Key, word: &Word<'_>) -> Result<(), NotationError> {
    match key {
        Key::Hand(player) => read_hand(game, position, player, word)?,
        Key::Opening => {
            let turns = game.opening.len();
            let played = word.text.parse().ok().filter(|&played: &u32| played as usize <= turns);
            let error = NotationErrorKind::BadOpening { found: word.text.into(), turns };
            position.set_opening(played.ok_or_else(|| word.error(error))?);
        }
        Key::State(id, player) => {
            let wanted = game.states.get(usize::from(id.0)).map_or(Type::Number, |state| state.first.ty());
            position.set_value(id, player, parse_value(game, wanted, word)?);
        }
    }
    Ok(())
}

fn parse_value(game: &Game, wanted: Type, word: &Word<'_>) -> Result<Value, NotationError> {
    let value = match (wanted, word.text) {
        (Type::Number, text) => text.parse().ok().map(Value::Number),
        (Type::Truth, text) => text.parse().ok().map(Value::Truth),
        (_, "none") => Some(Value::Cells(CellSet::EMPTY)),
        (_, "") => None,
        _ => return parse_cells(game, word).map(Value::Cells),
    };
    value.ok_or_else(|| word.error(NotationErrorKind::BadValue { found: word.text.into(), wanted }))
}

fn parse_cells(game: &Game, word: &Word<'_>) -> Result<CellSet, NotationError> {
    let mut cells = CellSet::EMPTY;
    let mut at = word.at;
    for name in word.text.split('+') {
        let part = Word { text: name, at };
        let cell = game.topology.named(name);
        cells.insert(cell.ok_or_else(|| part.error(NotationErrorKind::UnknownCell { found: name.into() }))?);
        at += name.len() + 1;
    }
    Ok(cells)
}

/// `K1P3`; one man may do without the 1, and no men are `none`.
fn read_hand(game: &Game, position: &mut Position, player: Player, word: &Word<'_>) -> Result<(), NotationError> {
    let error = || word.error(NotationErrorKind::BadHand { found: word.text.into(), known: known_kinds(game) });
    let mut counts = vec![0_u32; game.kinds.len()];
    let mut rest = if word.text == "none" { "" } else { word.text };
    if rest.is_empty() && word.text.is_empty() {
        return Err(error());
    }
    while let Some(letter) = rest.chars().next() {
        rest = rest.strip_prefix(letter).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = rest.split_at_checked(digits).unwrap_or((rest, ""));
        rest = after;
        let count = if number.is_empty() { Some(1) } else { number.parse().ok() };
        let held = kind_of(game, letter).and_then(|kind| counts.get_mut(kind.index())).ok_or_else(error)?;
        *held = count.and_then(|count: u32| held.checked_add(count)).ok_or_else(error)?;
    }
    for (number, count) in (0..).zip(counts) {
        position.set_hand(player, Kind(number), count);
    }
    Ok(())
}
