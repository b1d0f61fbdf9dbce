//! Symbols: a text goes in; its sections and what they declare, within each other, come out.

use serde::Serialize;

use crate::editor::{Document, Lines, Range};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::SectionKind;

/// A part of a text, in the protocol's form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Symbol {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// As the protocol counts kinds.
    pub kind: u8,
    pub range: Range,
    /// The name itself.
    pub selection_range: Range,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Symbol>,
}

/// Kinds of symbols, as the protocol counts them.
const MODULE: u8 = 2;
const NAMESPACE: u8 = 3;
const CLASS: u8 = 5;
const METHOD: u8 = 6;
const FIELD: u8 = 8;
const FUNCTION: u8 = 12;
const VARIABLE: u8 = 13;
const CONSTANT: u8 = 14;
const OBJECT: u8 = 19;
const ENUM_MEMBER: u8 = 22;
const EVENT: u8 = 24;
const OPERATOR: u8 = 25;

impl Document {
    /// The parts of the text, also of one that cannot be read as a whole.
    pub fn symbols(&self) -> Vec<Symbol> {
        let lines = self.lines();
        let own = self.now.texts.games.iter().find(|game| game.title.span.source == crate::editor::FILE);
        let Some(game) = own else { return Vec::new() };
        let children = sections(&game.sections, &lines);
        vec![symbol((&format!("game \"{}\"", game.title.node), MODULE), (game.span, game.title.span), children, &lines)]
    }
}

fn sections(sections: &[ast::Section], lines: &Lines) -> Vec<Symbol> {
    sections.iter().map(|section| of_section(section, lines)).collect()
}

fn symbol((name, kind): (&str, u8), (whole, own): (Span, Span), children: Vec<Symbol>, lines: &Lines) -> Symbol {
    let (range, selection_range) = (lines.range_of(whole), lines.range_of(own));
    Symbol { name: name.to_string(), detail: None, kind, range, selection_range, children }
}

fn of_section(section: &ast::Section, lines: &Lines) -> Symbol {
    let whole = section.span;
    let named = |word: &str, name: &ast::Word, kind: u8| Symbol {
        detail: Some(word.to_string()),
        ..symbol((&name.node, kind), (whole, name.span), Vec::new(), lines)
    };
    let plain = |word: &str| {
        let own = Span { end: whole.start + word.len() as u32, ..whole };
        symbol((word, OBJECT), (whole, own), Vec::new(), lines)
    };
    match &section.node {
        SectionKind::About(_) => plain("about"),
        SectionKind::Players(seats) => {
            let of_seat = |seat: &ast::Seat| {
                let end = seat.forward.as_ref().map_or(seat.player.span, |forward| forward.span);
                symbol(
                    (&seat.player.node, ENUM_MEMBER),
                    (seat.player.span.to(end), seat.player.span),
                    Vec::new(),
                    lines,
                )
            };
            Symbol { children: seats.iter().map(of_seat).collect(), ..plain("players") }
        }
        SectionKind::Teams(_) => plain("teams"),
        SectionKind::Board(_) => plain("board"),
        SectionKind::Captures(_) => plain("captures"),
        SectionKind::Setup(_) => plain("setup"),
        SectionKind::Opening(_) => plain("opening"),
        SectionKind::Move(_) => plain("move"),
        SectionKind::End(_) => plain("end"),
        SectionKind::Notation(_) => plain("notation"),
        SectionKind::Piece(piece) => named("piece", &piece.name, CLASS),
        SectionKind::Remember(remember) => named("remember", &remember.name, VARIABLE),
        SectionKind::Param(param) => named("param", &param.name, CONSTANT),
        SectionKind::Define(define) => named("define", &define.name, FUNCTION),
        SectionKind::Pattern(pattern) => named("pattern", &pattern.name, OPERATOR),
        SectionKind::Action(action) => named("action", &action.name, METHOD),
        SectionKind::Part(part) => named("do", &part.name, FIELD),
        SectionKind::Example(example) => named("example", &example.title, EVENT),
        SectionKind::Variant(variant) => Symbol {
            name: format!("variant \"{}\"", variant.title.node),
            children: sections(&variant.sections, lines),
            ..named("variant", &variant.title, NAMESPACE)
        },
    }
}
