//! Looks of a game: the note `looks` of `about` goes in; its layout, colours, icons and regions come out, or warnings.
//!
//! Entries stand between commas: one word is a layout, two are what is drawn and how. A later layer adds to those below.

use crate::board::Player;
use crate::check::Checker;
use crate::check::error::{Kind, LookFault};
use crate::check::layers::{Keyword, Whole};
use crate::check::scope::Reach;
use crate::model::{CellStyle, Colour, Icon, LOOKS_NOTE, Looks, Region, RegionStyle};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::{AboutValue, SectionKind};

/// Most entries of a game and of what it extends.
const MAX_ENTRIES: usize = 200;
/// The word for boards whose first rank is at the top.
const DOWNWARD: &str = "downward";

impl<'a> Checker<'a> {
    /// What all layers say; of the highest one, the `top`, also what is wrong with it.
    pub fn looks(&mut self, top: usize) -> Looks {
        let mut looks = Looks::default();
        let sections: Vec<_> = self.layers.every(Whole::About).collect();
        let mut entries = 0;
        for (layer, section) in sections {
            let SectionKind::About(notes) = &section.node else { continue };
            for (key, value) in notes {
                let AboutValue::Text(text) = value else { continue };
                if key.node != LOOKS_NOTE {
                    continue;
                }
                for (entry, span) in entries_of(text) {
                    entries += 1;
                    if entries > MAX_ENTRIES {
                        return looks;
                    }
                    let wrong = self.look(&mut looks, &entry, span).err();
                    if let Some(wrong) = wrong.filter(|_| layer == top) {
                        self.problem(wrong, span);
                    }
                }
            }
        }
        looks
    }

    fn look(&mut self, looks: &mut Looks, entry: &str, span: Span) -> Result<(), Kind> {
        let words: Vec<&str> = entry.split_whitespace().collect();
        match words.as_slice() {
            [DOWNWARD] => looks.is_downward = true,
            [word] => {
                let layout = CellStyle::named(word);
                let known = CellStyle::ALL.iter().map(|(name, _)| *name).chain([DOWNWARD]);
                looks.layout = Some(layout.ok_or_else(|| unknown(word, LookFault::Form, known))?);
            }
            ["board", word] => looks.board = Some(colour(word)?),
            ["dark", word] => looks.dark = Some(colour(word)?),
            ["men", word] => looks.men = Some(icon(word)?),
            [name, word] => self.named_look(looks, name, word, span)?,
            _ => return Err(unknown(entry, LookFault::Form, [])),
        }
        Ok(())
    }

    /// The colour of a player, the icon of a kind, the style of a region.
    fn named_look(&mut self, looks: &mut Looks, name: &str, word: &str, span: Span) -> Result<(), Kind> {
        if let Some(seat) = self.seats.iter().position(|seat| seat.name == *name) {
            looks.players.push((Player(seat as u8), colour(word)?));
        } else if let Some(kind) = self.kind_named(name) {
            looks.kinds.push((kind, icon(word)?));
        } else {
            let style = match word {
                "crossed" => Some(RegionStyle::Crossed),
                "bank" => Some(RegionStyle::Bank),
                "dotted" => Some(RegionStyle::Dotted),
                _ => Colour::named(word).map(RegionStyle::Tinted),
            };
            let region = self.region(name, span).ok_or_else(|| self.unknown_name(name))?;
            let known = ["bank", "crossed", "dotted"].into_iter().chain(Colour::NAMED.map(|(name, _)| name));
            let style = style.ok_or_else(|| unknown(word, LookFault::Style, known))?;
            looks.regions.push(Region { style, ..region });
        }
        Ok(())
    }

    fn unknown_name(&self, name: &str) -> Kind {
        let seats = self.seats.iter().map(|seat| seat.name.as_str());
        let kinds = self.kinds.iter().map(|kind| kind.name.as_str());
        let defines = self.layers.names.values().filter(|declared| declared.keyword == Keyword::Define);
        let defines = defines.map(|declared| declared.name.node.as_str());
        unknown(name, LookFault::Name, seats.chain(kinds).chain(defines))
    }

    /// A define without parameters that is a set of cells.
    fn region(&mut self, name: &str, span: Span) -> Option<Region> {
        let declared = *self.layers.names.get(name).filter(|declared| declared.keyword == Keyword::Define)?;
        let SectionKind::Define(define) = &declared.section.node else { return None };
        if !define.parameters.is_empty() {
            return None;
        }
        self.usage.used.insert(declared.name.span);
        // What a picture asks, no program asks.
        let words = std::mem::take(&mut self.words);
        let (cells, frame) = self.in_frame(Reach::Game, |checker| {
            let term = checker.call_define(declared, &[], span)?;
            crate::check::term::as_cells(term).ok()
        });
        self.words = words;
        Some(Region { cells: cells?, frame, style: RegionStyle::Crossed })
    }
}

fn colour(word: &str) -> Result<Colour, Kind> {
    Colour::named(word).ok_or_else(|| unknown(word, LookFault::Colour, Colour::NAMED.map(|(name, _)| name)))
}

fn icon(word: &str) -> Result<Icon, Kind> {
    Icon::named(word).ok_or_else(|| unknown(word, LookFault::Icon, Icon::all().map(Icon::name)))
}

fn unknown<'n>(entry: &str, why: LookFault, known: impl IntoIterator<Item = &'n str>) -> Kind {
    Kind::UnknownLook { entry: entry.to_string(), why, near: crate::syntax::near(entry, known) }
}

/// The parts between commas, each with its place; empty ones are left out.
fn entries_of(text: &ast::Text) -> Vec<(String, Span)> {
    // The span includes the quotes.
    let mut at = text.span.start as usize + 1;
    let mut entries = Vec::new();
    for part in text.node.split(',') {
        let (entry, begins) = (part.trim(), part.len() - part.trim_start().len());
        if !entry.is_empty() {
            let start = at + begins;
            entries.push((entry.to_string(), Span::new(text.span.source, start, start + entry.len())));
        }
        at += part.len() + 1;
    }
    entries
}
