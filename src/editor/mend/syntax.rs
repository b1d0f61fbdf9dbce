//! Mends of syntax: a mistake that the grammar has found goes in; what to write instead comes out.

use crate::editor::mend::{Around, Mend};
use crate::source::Span;
use crate::syntax::foreign;
use crate::syntax::{Near, SyntaxError, SyntaxErrorKind as Kind, TokenKind};

pub fn mends(error: &SyntaxError, around: &Around) -> Vec<Mend> {
    let span = error.span;
    let mend = match &error.kind {
        Kind::Unexpected { near: Some(Near { word, meant }), form: None, .. } => misspelt(word, meant, span, around),
        Kind::NoSuchSection { word, near: Some(near) } if foreign::missing(word).is_none() => {
            Some(Mend::write(span, near))
        }
        Kind::CaughtInBrackets { mend: Some(mend) } => brackets(span, around).map(|whole| Mend::write(whole, mend)),
        Kind::MissingClosingBrace => Some(closed(error.other, "}", around)),
        Kind::UnclosedBracket { mark } => Some(closed(error.other, if *mark == '(' { ")" } else { ">" }, around)),
        Kind::UnterminatedString => Some(Mend::insert(span.end, "\"")),
        Kind::StrayClosing { .. } => Some(Mend::leave_out(around.with_line(span), around.slice(span))),
        Kind::ReservedName { word, as_value: false } => Some(Mend::write(span, format!("the_{word}")).unsure()),
        Kind::DoubleEquals => Some(Mend::write(span, "=")),
        Kind::ForeignMark { ours, .. } => foreign_mark(ours, span, around),
        Kind::AssignmentWithoutSet { .. } => Some(Mend::insert(span.start, "set ").titled("write `set` before it")),
        Kind::StatementBeginsWithName { near: Some(near), .. } => Some(Mend::write(span, near)),
        Kind::StatementBeginsWithName { name, .. } if foreign::missing(name).is_none() => {
            Some(Mend::insert(span.start, "do ").titled(format!("write `do {name}`")).unsure())
        }
        Kind::ThenBeforeBlock => Some(Mend { is_sure: true, ..Mend::leave_out(around.with_line(span), "then") }),
        Kind::MalformedNumber { word } => sides(word).map(|sides| Mend::write(span, sides)),
        Kind::CapitalName { word } => Some(Mend::write(span, word.to_ascii_lowercase())),
        Kind::SmallPlayer { word } => Some(Mend::write(span, capital(word))),
        Kind::PieceLetter { word } => Some(Mend::write(span, word.chars().take(1).collect::<String>().to_uppercase())),
        Kind::UnknownCharacter { text } => character(text, span, around),
        _ => None,
    };
    mend.into_iter().collect()
}

/// A word of the language that is written wrong: at the place, or not far before it.
fn misspelt(word: &str, meant: &str, span: Span, around: &Around) -> Option<Mend> {
    if around.slice(span) == word {
        return Some(Mend::write(span, meant));
    }
    let at = around.token_at(span.start);
    let before = around.tokens[..at.min(around.tokens.len())].iter().rev().take(4).find(|token| token.text == word)?;
    Some(Mend::write(around.span(before), meant))
}

/// The brackets around a place, and those around them: `(river and (empty or <enemy>))`.
fn brackets(span: Span, around: &Around) -> Option<Span> {
    let at = around.token_at(span.start);
    let open = |from: usize| {
        let mut depth = 0usize;
        (0..from).rev().find(|at| match around.token(*at).map_or("", |token| token.text) {
            ")" => {
                depth += 1;
                false
            }
            "(" if depth == 0 => true,
            "(" => {
                depth -= 1;
                false
            }
            _ => false,
        })
    };
    let outer = open(open(at)?)?;
    let mut depth = 0usize;
    let close = (outer..around.tokens.len()).find(|at| {
        match around.token(*at).map_or("", |token| token.text) {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    Some(around.span(around.token(outer)?).to(around.span(around.token(close)?)))
}

/// A bracket is closed behind the word before the place where it should be closed at the latest.
fn closed(before: Option<Span>, mark: &str, around: &Around) -> Mend {
    let end = around.tokens.last().map_or(0, |token| token.end() as u32);
    let at = before.map_or(end, |before| around.before(before.start).map_or(0, |token| token.end() as u32));
    let new = if mark == "}" { String::from(" }") } else { mark.to_string() };
    let mend = Mend::insert(at, new).titled(format!("write `{mark}` behind this"));
    if before.is_some() { mend } else { mend.unsure() }
}

/// What is written here for a mark of other languages, if it is one mark or word, or a whole statement.
fn foreign_mark(ours: &str, span: Span, around: &Around) -> Option<Mend> {
    if let Some(statement) = ours.strip_prefix("`set ") {
        let statement = format!("set {}", statement.strip_suffix('`')?);
        let at = around.token_at(span.start);
        let name = around.token(at.checked_sub(1)?)?;
        let is_name = statement.starts_with(&format!("set {} ", name.text));
        if !is_name || statement.contains("...") {
            return None;
        }
        let counts = around.slice(span).chars().all(|c| c == '+' || c == '-') && around.slice(span).len() == 2;
        let last = if counts { around.token(at)? } else { around.token(at + 1)? };
        return Some(Mend::write(around.span(name).to(around.span(last)), statement));
    }
    if ours == "`#` before a comment" {
        return Some(Mend::write(span, "#"));
    }
    let word = ours.strip_prefix('`')?.strip_suffix('`')?;
    if word.contains(['`', ' ']) {
        return None;
    }
    // `a&&b` needs blanks, as `and` is a word.
    let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic());
    let touches = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = around.text.as_bytes();
    let left = is_word && span.start.checked_sub(1).is_some_and(|at| touches(bytes.get(at as usize)));
    let right = is_word && touches(bytes.get(span.end as usize));
    let new = format!("{}{word}{}", if left { " " } else { "" }, if right { " " } else { "" });
    Some(Mend::write(span, new).titled(format!("write `{word}`")))
}

/// `8x8` as the sides of a board.
fn sides(word: &str) -> Option<String> {
    let (files, ranks) = word.split_once(['x', 'X'])?;
    [files, ranks].iter().all(|side| side.parse::<u8>().is_ok()).then(|| format!("{files} by {ranks}"))
}

fn character(text: &str, span: Span, around: &Around) -> Option<Mend> {
    Some(match text {
        ";" => Mend { is_sure: true, ..Mend::leave_out(span, ";") },
        "[" => Mend::write(span, "("),
        "]" => Mend::write(span, ")"),
        "'" | "\u{201c}" | "\u{201d}" | "\u{201e}" | "\u{2018}" | "\u{2019}" => Mend::write(span, "\""),
        "." => {
            let next = around.token(around.token_at(span.end)).filter(|token| token.kind == TokenKind::Number);
            return next.map(|_| Mend::write(span, ".."));
        }
        "\u{2013}" | "\u{2212}" => Mend::write(span, "-"),
        "\u{d7}" => Mend::write(span, "*"),
        _ => return None,
    })
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}
