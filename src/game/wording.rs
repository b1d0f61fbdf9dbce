//! Wording of values: values, men and places of the rules go in; their words for authors come out.

use serde::Serialize;

use crate::board::{Cell, CellSet};
use crate::model::Game;
use crate::position::{NO_KIND, Position, Value};
use crate::reference::{Joint, Valued};
use crate::source::Span;

/// A name or an expression of the rules, and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Known {
    pub name: String,
    pub value: String,
    /// What it is made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<Known>,
}

/// Cells of a set that are listed.
const MOST_CELLS: usize = 24;
/// Expressions within each other that are told.
const MOST_DEPTH: usize = 3;

/// A value as authors write it.
pub fn value_text(game: &Game, value: &Value) -> String {
    let board = &game.topology;
    match value {
        Value::Number(number) => number.to_string(),
        Value::Truth(truth) => truth.to_string(),
        Value::Cells(cells) => cells_text(game, cells),
        Value::Groups(groups) if groups.is_empty() => String::from("none"),
        Value::Groups(groups) => {
            let each: Vec<String> =
                groups.iter().take(MOST_CELLS).map(|group| format!("({})", cells_text(game, group))).collect();
            each.join(" ")
        }
        Value::Dirs(dirs) => words(dirs.iter().map(|dir| board.direction_name(dir))),
        Value::Axes(axes) => words(axes.iter().map(|axis| board.axis_name(axis))),
        Value::Players(players) => words(players.iter().map(|player| game.player(player).name.clone())),
        Value::List(list) => words(list.iter().map(ToString::to_string)),
    }
}

fn words(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    if words.is_empty() { String::from("none") } else { words.join(" ") }
}

pub fn cells_text(game: &Game, cells: &CellSet) -> String {
    let shown = words(cells.iter().take(MOST_CELLS).map(|cell| game.topology.name(cell).to_string()));
    if cells.len() > MOST_CELLS { format!("{shown} ... ({} cells)", cells.len()) } else { shown }
}

/// `a White pawn`, `a White stack of 3 with a man on top`.
pub fn man_text(game: &Game, position: &Position, cell: Cell) -> Option<String> {
    let men = position.men(cell);
    let top = men.last()?;
    if top.kind == NO_KIND {
        return Some(String::from("a caught man"));
    }
    let owner = top.owner.map_or("neutral", |owner| game.player(owner).name.as_str());
    let kind = &game.kind(top.kind).name;
    Some(match men.len() {
        1 => format!("{} {owner} {kind}", article(owner)),
        n => format!("{} {owner} stack of {n}, a {kind} on top,", article(owner)),
    })
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// `e4 is empty`, `a White pawn stands on e4`.
pub fn standing(game: &Game, position: &Position, cell: Cell) -> String {
    let name = game.topology.name(cell);
    match man_text(game, position, cell) {
        Some(man) => format!("{man} stands on {name}"),
        None if position.occupied().contains(cell) => format!("a caught man is still on {name}"),
        None => format!("{name} is empty"),
    }
}

/// `file.rules:12`.
pub fn line_of(game: &Game, span: Span) -> String {
    let place = game.sources.place(span);
    place.rsplit_once(':').map_or(place.clone(), |(line, _)| line.to_string())
}

/// The first line of what stands in a span, blanks squeezed.
pub fn rule_text(game: &Game, span: Span) -> String {
    let text = game.sources.slice(span);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let first = first.split(" #").next().unwrap_or_default();
    let mut line = first.split_whitespace().collect::<Vec<_>>().join(" ");
    if lines.next().is_some() && line.ends_with('{') {
        line += " ... }";
    } else if text.lines().nth(1).is_some() {
        line += " ...";
    }
    line
}

/// All that stands in a span, as one line.
pub fn whole_text(game: &Game, span: Span) -> String {
    let lines = game.sources.slice(span).lines().map(|line| line.split(" #").next().unwrap_or_default());
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// What a condition is made of, from the expressions of its statement: where parts are joined by
/// `and`, only the first that fails is told.
pub fn condition(game: &Game, position: &Position, parts: &[Valued]) -> Vec<Known> {
    // What stands around the others comes last.
    parts.last().map_or(Vec::new(), |root| vec![known(game, position, narrowed(root, parts), parts, 0)])
}

/// The expressions directly within another.
fn inner<'v>(of: &Valued, parts: &'v [Valued]) -> Vec<&'v Valued> {
    let inside: Vec<&Valued> =
        parts.iter().filter(|part| part.span != of.span && of.span.contains(part.span)).collect();
    let is_outer =
        |part: &&&Valued| !inside.iter().any(|other| other.span != part.span && other.span.contains(part.span));
    let mut outer: Vec<&Valued> = inside.iter().filter(is_outer).copied().collect();
    outer.dedup_by_key(|part| part.span);
    outer
}

/// Of an `and` that fails, the first part that fails.
fn narrowed<'v>(root: &'v Valued, parts: &'v [Valued]) -> &'v Valued {
    let mut at = root;
    while at.joint == Joint::And && at.fails() {
        let fails = |part: &&Valued| part.fails();
        let Some(next) = inner(at, parts).into_iter().find(fails) else { break };
        at = next;
    }
    at
}

/// What the test of a cell, or the condition of a way, is made of. One that is all told by its own text has nothing to tell.
pub fn test(game: &Game, position: &Position, parts: &[Valued]) -> Vec<Known> {
    let Some(root) = parts.last() else { return Vec::new() };
    let failing = narrowed(root, parts);
    let told = known(game, position, failing, parts, 0);
    if told.within.is_empty() && failing.span == root.span && root.has.is_some() { Vec::new() } else { vec![told] }
}

fn known(game: &Game, position: &Position, of: &Valued, parts: &[Valued], depth: usize) -> Known {
    let mut name = whole_text(game, of.span);
    let mut value = value_text(game, &of.value);
    if let Some((cell, has)) = of.has {
        name = format!("{} in {name}", game.topology.name(cell));
        value = has.to_string();
    }
    if let Some(&(cell, attacker)) = of.attackers.first() {
        let by = man_text(game, position, attacker).unwrap_or_default();
        let (cell, attacker) = (game.topology.name(cell), game.topology.name(attacker));
        value += &format!(": {by} on {attacker} attacks {cell}");
    }
    let mut within = Vec::new();
    if depth < MOST_DEPTH {
        for part in inner(of, parts) {
            let one = known(game, position, narrowed(part, parts), parts, depth + 1);
            // What stands in brackets alone says the same again.
            let told = if format!("({})", one.name) == name { one.within } else { vec![one] };
            for one in told {
                if one.name != one.value && !within.contains(&one) {
                    within.push(one);
                }
            }
        }
        if let (Some(root), Some(member)) = (of.within.last(), of.member) {
            let it = game.topology.name(member).to_string();
            within.push(Known { name: String::from("it"), value: it, within: Vec::new() });
            within.push(known(game, position, narrowed(root, &of.within), &of.within, depth + 1));
        } else if let Some(root) = of.within.last() {
            let is_own = of
                .define
                .is_some_and(|define| game.defines[define.0 as usize].span.source != crate::source::SourceId::PRELUDE);
            if is_own {
                within.push(known(game, position, narrowed(root, &of.within), &of.within, depth + 1));
            }
        }
    }
    Known { name, value, within }
}
