//! Mends of meaning: a mistake that the checker has found goes in; what to write instead comes out.

use crate::check::{Kind, Problem};
use crate::editor::FILE;
use crate::editor::index::Sort;
use crate::editor::mend::{Around, Mend};
use crate::source::Span;
use crate::syntax::foreign;

pub fn mends(problem: &Problem, around: &Around) -> Vec<Mend> {
    let span = problem.span;
    // What is wrong within what is called is mended at neither place for sure.
    if problem.within.is_some() {
        return Vec::new();
    }
    let text = around.slice(span);
    let mend = match &problem.kind {
        Kind::UnknownName { name, near } => match foreign::missing(name).or_else(|| foreign::value(name)) {
            Some(said) => said_otherwise(said).map(|word| Mend::write(span, word)),
            None => near.as_ref().map(|near| Mend::write(span, near)),
        },
        Kind::NoSuchPlayer { name, .. } if foreign::missing(name).is_some() => None,
        Kind::NoSuchPlayer { near, .. }
        | Kind::NotAKind { near, .. }
        | Kind::NoSuchPart { near, .. }
        | Kind::NoSuchDirection { near, .. } => near.as_ref().map(|near| Mend::write(span, near)),
        Kind::NoSuchVariant { near: Some(near), .. } | Kind::NoSuchGame { near: Some(near), .. } => {
            text.starts_with('"').then(|| Mend::write(span, format!("\"{near}\"")))
        }
        Kind::UnknownLook { entry, near: Some(near), .. } => {
            text.find(entry.as_str()).filter(|_| !entry.is_empty()).map(|at| {
                let start = span.start as usize + at;
                Mend::write(Span::new(FILE, start, start + entry.len()), near)
            })
        }
        Kind::SplitByPrecedence { mend: Some(mend) } => {
            let whole = problem.other.map_or(span, |other| other.to(span));
            Some(Mend::write(whole, mend))
        }
        Kind::BareOr { one, other } => return bare_or(span, [one.as_deref(), other.as_deref()], around),
        Kind::BoundTwice { set: Some(_), .. } | Kind::DuplicateName { set: Some(_), .. } => let_again(span, around),
        Kind::DuplicateLetter { name, free: Some(free), .. } => Some(match text == name {
            true => Mend::insert(span.end, format!(" {free}")).titled(format!("write `{name} {free}`")),
            false => Mend::write(span, free.to_string()),
        }),
        Kind::FileLetterIsLocal { name } => text.ends_with(name.as_str()).then(|| {
            let start = span.end as usize - name.len();
            Mend::write(Span::new(FILE, start, span.end as usize), format!("({name})")).unsure()
        }),
        Kind::NotAFunction { name, argument: Some(argument) } => called(span, name, argument, around),
        Kind::ChanceInSetup { .. } => around
            .before(span.start)
            .filter(|token| token.text == "by")
            .map(|by| leave_out(around.span(by).to(span), around)),
        Kind::NeutralOwned { .. } => Some(leave_out(span, around)),
        Kind::ForwardDiagonal { word, mend } => text
            .find(word)
            .map(|at| span.start as usize + at)
            .map(|start| Mend::write(Span::new(FILE, start, start + word.len()), *mend)),
        Kind::CaughtOutsidePattern => text
            .strip_prefix('<')
            .and_then(|text| text.strip_suffix('>'))
            .map(|inner| Mend::write(span, inner.trim().trim_end_matches(['+', '*', '?']))),
        Kind::PictureNoCell => Some(Mend::write(span, "-")),
        Kind::MarksNotCells => Some(Mend::write(span, "none")),
        Kind::WrongType { wanted, found } => wrong_type(wanted, found, span, text),
        Kind::NeedsStacks => stacks(around),
        Kind::NoForward { .. } | Kind::NoRows => directions(around),
        Kind::NoSection { word: "players" } => section("players White, Black", around),
        Kind::NoSection { word: "board" } => section("board square 8 by 8", around),
        Kind::NoWayToEnd => outcome(span, around),
        Kind::Unused { .. } => unused(span, around),
        _ => None,
    };
    mend.into_iter().collect()
}

/// What is written here for a word of other languages, if it is one thing: "write `own`".
fn said_otherwise(said: &str) -> Option<&str> {
    let (word, rest) = said.strip_prefix("write `")?.split_once('`')?;
    (!rest.contains('`') && !word.contains(['(', ' '])).then_some(word)
}

fn leave_out(span: Span, around: &Around) -> Mend {
    Mend { is_sure: true, ..Mend::leave_out(around.with_line(span), around.slice(span)) }
}

/// `S where C or D` is meant in one of two ways.
fn bare_or(second: Span, meant: [Option<&str>; 2], around: &Around) -> Vec<Mend> {
    let Some((whole, _)) = around.index.wheres.iter().find(|(_, other)| *other == second) else { return Vec::new() };
    meant.into_iter().flatten().map(|mend| Mend::write(*whole, mend).unsure()).collect()
}

/// `let c = 1` for a name that there is.
fn let_again(span: Span, around: &Around) -> Option<Mend> {
    let word = around.before(span.start).filter(|token| token.text == "let")?;
    Some(Mend::write(around.span(word), "set"))
}

/// `own(p)` asks whether p is among them.
fn called(span: Span, name: &str, argument: &str, around: &Around) -> Option<Mend> {
    let at = around.token_at(span.start);
    let texts = [("(", 1), (argument, 2), (")", 3)];
    let is_call =
        texts.iter().all(|(text, further)| around.token(at + further).is_some_and(|token| token.text == *text));
    let last = around.token(at + 3).filter(|_| is_call)?;
    Some(Mend::write(span.to(around.span(last)), format!("{argument} in {name}")))
}

fn wrong_type(wanted: &str, found: &str, span: Span, text: &str) -> Option<Mend> {
    let is_set = matches!(found, "cells" | "players" | "groups" | "directions" | "axes");
    let is_short = !text.contains('\n') && text.len() < 60;
    let is_one =
        text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || text.ends_with(')') && !text.contains(' ');
    match (wanted, found) {
        ("a truth", _) if is_set && is_short => {
            let set = if is_one { text.to_string() } else { format!("({text})") };
            Some(Mend::write(span, format!("some {set}")).unsure())
        }
        ("a number", _) if is_set && is_short => Some(Mend::write(span, format!("count({text})")).unsure()),
        ("groups", "cells") if is_short => Some(Mend::write(span, format!("groups({text})"))),
        _ => None,
    }
}

/// The section of this text that begins with a word, and where it ends.
fn own_section(word: &str, around: &Around) -> Option<usize> {
    around.tokens.iter().position(|token| token.is_word(word))
}

/// Men may stand on each other.
fn stacks(around: &Around) -> Option<Mend> {
    let board = own_section("board", around)?;
    let end = board + 1 + around.tokens[board + 1..].iter().position(|token| token.first_on_line)?;
    let last = around.token(end.checked_sub(1)?)?;
    Some(Mend::insert(last.end() as u32, ", stacks").titled("write `, stacks` behind the board").unsure())
}

/// Two players without directions get them.
fn directions(around: &Around) -> Option<Mend> {
    let at = own_section("players", around)?;
    let [one, comma, other] = around.tokens.get(at + 1..at + 4)? else { return None };
    let is_player = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
    let is_all = around.token(at + 4).is_none_or(|token| token.text != "," && token.first_on_line);
    if !is_player(one.text) || comma.text != "," || !is_player(other.text) || !is_all {
        return None;
    }
    let new = format!("{} north, {} south", one.text, other.text);
    Some(Mend::write(around.span(one).to(around.span(other)), new))
}

/// A section that is missing stands behind the beginning of the game.
fn section(text: &str, around: &Around) -> Option<Mend> {
    let game = own_section("game", around)?;
    let open = around.tokens[game..].iter().find(|token| token.is_mark("{"))?;
    Some(Mend::insert(open.end() as u32, format!("\n  {text}")).titled(format!("write `{text}`")).unsure())
}

/// The least outcome: in the section for it, or with one.
fn outcome(span: Span, around: &Around) -> Option<Mend> {
    const LEAST: &str = "win if stuck(enemy)";
    if around.slice(span) != "end" {
        return section(&format!("end {{ {LEAST} }}"), around);
    }
    let open = around.token(around.token_at(span.end)).filter(|token| token.is_mark("{"))?;
    Some(Mend::insert(open.end() as u32, format!(" {LEAST}")).titled(format!("write `{LEAST}`")).unsure())
}

/// A declaration that nothing uses.
fn unused(span: Span, around: &Around) -> Option<Mend> {
    let declaration = around.index.declarations.iter().find(|other| other.span == span)?;
    // A kind may stand in a picture, and a player in a list.
    let whole = declaration.whole;
    matches!(declaration.sort, Sort::Define | Sort::Pattern | Sort::Action | Sort::Param | Sort::Remember | Sort::Piece)
        .then(|| Mend::leave_out(around.with_line(whole), around.slice(whole)))
}
