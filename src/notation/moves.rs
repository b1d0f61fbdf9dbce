//! Move notation: written choices go in; the text of a ply or a turn comes out. In a list of plies
//! each gets a text of its own.

use std::collections::HashMap;

use crate::board::CellSet;
use crate::model::Game;
use crate::notation::order::order;
use crate::position::Written;
use crate::sort;

/// A ply of any executor, as far as its text asks.
pub trait WrittenMove {
    /// Its written choices in order.
    fn written(&self) -> &[Written];
    /// The cells that it catches.
    fn caught(&self) -> CellSet;
    /// The turn is over after it.
    fn ends_turn(&self) -> bool;
}

/// A ply or turn without written choices.
pub(crate) const SILENCE: &str = "-";

/// What joins a choice to the one before it.
pub(crate) fn joint(choice: &Written) -> char {
    match choice {
        Written::Landing { captures: true, .. } => 'x',
        Written::Landing { captures: false, .. } => '-',
        Written::Promotion(_) => '=',
        _ => ' ',
    }
}

/// What chance chooses stands in brackets: whether they open before a choice, and close behind it.
pub(crate) fn brackets(choices: &[&Written], at: usize) -> (bool, bool) {
    let is_chance = |at: usize| choices.get(at).is_some_and(|choice| matches!(choice, Written::Chance(_)));
    let before = at.checked_sub(1).is_some_and(is_chance);
    (is_chance(at) && !before, is_chance(at) && !is_chance(at + 1))
}

/// A choice without its joint, sign and brackets.
pub(crate) fn choice_text(game: &Game, choice: &Written) -> String {
    let board = &game.topology;
    let letter = |kind: usize| game.kinds.get(kind).map_or('?', |kind| kind.letter).to_string();
    match choice {
        Written::Cell(cell) | Written::Landing { cell, .. } => board.name(*cell).into(),
        Written::Combination(cells) => cells.iter().map(|cell| board.name(cell)).collect::<Vec<_>>().join("+"),
        Written::Number(number) => number.to_string(),
        Written::Group(cells) => match (cells.min(), cells.max()) {
            (Some(first), Some(last)) => format!("{}..{}", board.name(first), board.name(last)),
            _ => "none".into(),
        },
        Written::Dir(dir) => board.direction_name(*dir),
        Written::Axis(axis) => board.axis_name(*axis),
        Written::Kind(kind) | Written::Promotion(kind) => letter(kind.index()),
        Written::Label(label) => game.labels.get(usize::from(*label)).cloned().unwrap_or_default(),
        Written::Pass => "pass".into(),
        Written::Swap => "swap".into(),
        Written::Stop => "stop".into(),
        Written::Chance(chosen) => choice_text(game, chosen),
    }
}

/// The sign behind a landing.
pub(crate) fn sign(choice: &Written) -> Option<char> {
    if let Written::Landing { sign, .. } = choice { *sign } else { None }
}

/// Choices in order as one text, `-` if there are none. The first has no joint.
pub fn choices_text<'a>(game: &Game, choices: impl IntoIterator<Item = &'a Written>) -> String {
    let mut text = String::new();
    let choices: Vec<&Written> = choices.into_iter().collect();
    for (at, choice) in choices.iter().enumerate() {
        if !text.is_empty() {
            text.push(joint(choice));
        }
        let (opens, closes) = brackets(&choices, at);
        text.extend(opens.then_some('('));
        text.push_str(&choice_text(game, choice));
        text.extend(sign(choice));
        text.extend(closes.then_some(')'));
    }
    if text.is_empty() { SILENCE.into() } else { text }
}

/// A whole turn: as the ply by ply text, but the ends of steps are not written.
pub fn turn_text<'a>(game: &Game, choices: impl IntoIterator<Item = &'a Written>) -> String {
    choices_text(game, choices.into_iter().filter(|choice| **choice != Written::Stop))
}

/// The caught cells in brackets; nothing if there are none.
pub(crate) fn caught_text(game: &Game, caught: &CellSet) -> String {
    let names: Vec<&str> = caught.iter().map(|cell| game.topology.name(cell)).collect();
    if names.is_empty() { String::new() } else { format!("({})", names.join(" ")) }
}

/// The texts of a list of plies (or of whole turns), each different: those alike get the cells that
/// they catch in brackets; of those still alike the second in the order of moves gets `'2`, and so on.
pub fn ply_texts(game: &Game, plies: &[impl WrittenMove]) -> Vec<String> {
    let mut texts: Vec<String> = plies.iter().map(|ply| choices_text(game, ply.written())).collect();
    let alike = count(&texts);
    for (text, ply) in texts.iter_mut().zip(plies) {
        if alike.get(text.as_str()).is_some_and(|&count| count > 1) {
            text.push_str(&caught_text(game, &ply.caught()));
        }
    }
    let mut alike: HashMap<&str, Vec<usize>> = HashMap::with_capacity(texts.len());
    for (at, text) in texts.iter().enumerate() {
        alike.entry(text).or_default().push(at);
    }
    // Two groups may have the same ends. However a list was made, they have the same numbers.
    let several: Vec<Vec<usize>> = alike.into_values().filter(|places| places.len() > 1).collect();
    for mut places in several {
        sort::by(&mut places, |one, other| order(plies[*one].written(), plies[*other].written()));
        for (at, times) in places.into_iter().zip(1..).skip(1) {
            texts[at].push_str(&format!("'{times}"));
        }
    }
    texts
}

fn count(texts: &[String]) -> HashMap<String, usize> {
    let mut counts = HashMap::with_capacity(texts.len());
    for text in texts {
        *counts.entry(text.clone()).or_default() += 1;
    }
    counts
}
