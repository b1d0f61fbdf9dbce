//! Names: a place in a text goes in; where its name is declared, used, and how it is renamed everywhere, comes out.

use serde::Serialize;

use crate::editor::index::{Meaning, Occurrence, Role, Sort};
use crate::editor::{Analysis, Document, FILE, Lines, Position, Range, word_at};
use crate::source::{Source, SourceId, Span};
use crate::syntax::{builtin, is_name};

/// A place in one of the texts that a file is read with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Target {
    /// The name of the text.
    pub text: String,
    pub range: Range,
}

/// New text in the place of old.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    pub range: Range,
    pub new_text: String,
}

impl Analysis {
    fn target(&self, span: Span) -> Target {
        let source = self.sources().get(span.source);
        let lines = Lines::new(source.map_or("", Source::text));
        Target { text: source.map_or("", Source::name).to_string(), range: lines.range_of(span) }
    }
}

impl Document {
    pub(super) fn target(&self, span: Span) -> Target {
        self.now.target(span)
    }

    fn meaning(&self, at: Position) -> Option<(&Analysis, Occurrence)> {
        let (known, at) = self.knowing(self.byte(at))?;
        known.index.at(FILE, at).map(|name| (known, *name))
    }

    /// Where the name is declared; of `as usual` what it stands for.
    pub fn definition(&self, at: Position) -> Vec<Target> {
        let byte = self.byte(at) as u32;
        let usual = self
            .now
            .index
            .usuals
            .iter()
            .find(|usual| usual.span.source == FILE && usual.span.start <= byte && byte <= usual.span.end);
        if let Some(usual) = usual {
            return vec![self.target(usual.stands_for)];
        }
        let Some((known, name)) = self.meaning(at) else { return Vec::new() };
        let span = match name.meaning {
            Meaning::Declared(at) => known.index.declarations.get(at).map(|declaration| declaration.span),
            Meaning::Local(at) => known.index.locals.get(at).map(|local| local.span),
            Meaning::Builtin => None,
        };
        span.map(|span| known.target(span)).into_iter().collect()
    }

    /// Every place that means the same, in this text and those that it is read with.
    pub fn references(&self, at: Position, with_declaration: bool) -> Vec<Target> {
        let Some((known, name)) = self.meaning(at) else { return Vec::new() };
        let same = known.index.same(name.meaning).into_iter();
        let wanted = same.filter(|other| with_declaration || other.role != Role::Declares);
        wanted.map(|other| known.target(other.span)).collect()
    }

    /// The places in this text alone that mean the same, and whether the name is changed there.
    pub fn highlights(&self, at: Position) -> Vec<(Range, bool)> {
        let Some((known, name)) = self.meaning(at) else { return Vec::new() };
        if !std::ptr::eq(known, &self.now) {
            return Vec::new();
        }
        let lines = self.lines();
        let mut same = known.index.same(name.meaning);
        if name.meaning == Meaning::Builtin {
            let word = known.slice(name.span);
            let names = known.index.names.iter();
            same = names
                .filter(|other| other.meaning == Meaning::Builtin && known.slice(other.span) == word)
                .copied()
                .collect();
        }
        let own = same.into_iter().filter(|other| other.span.source == FILE);
        own.map(|other| (lines.range_of(other.span), other.role != Role::Reads)).collect()
    }

    /// The name at a place, if it can be renamed.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn renamable(&self, at: Position) -> Result<Range, String> {
        let (_, name) = self.renamed(at)?;
        Ok(self.lines().range_of(name.span))
    }

    fn renamed(&self, at: Position) -> Result<(Vec<Occurrence>, Occurrence), String> {
        let byte = self.byte(at);
        let Some(name) = self.now.index.at(FILE, byte).copied() else {
            return Err(match word_at(&self.text, byte) {
                Some((word, _)) => format!("`{word}` is no name that is known here"),
                None => String::from("no name stands here"),
            });
        };
        if !self.now.is_whole {
            return Err(String::from("names are changed once the text can be read: there are mistakes in it"));
        }
        let word = self.now.slice(name.span);
        let sort = match name.meaning {
            Meaning::Builtin => return Err(format!("`{word}` is built in")),
            Meaning::Declared(at) => self.now.index.declarations.get(at).map(|declaration| declaration.sort),
            Meaning::Local(_) => None,
        };
        if matches!(sort, Some(Sort::Game | Sort::Variant | Sort::Example)) {
            return Err(String::from("titles are changed by hand: other files may name them"));
        }
        let same = self.now.index.same(name.meaning);
        if let Some(other) = same.iter().find(|other| other.span.source != FILE) {
            let text = self.now.sources().get(other.span.source).map_or("", Source::name);
            return Err(format!("`{word}` stands in {text} too, which this file is read with"));
        }
        Ok((same, name))
    }

    /// The edits that rename what stands at a place.
    ///
    /// # Errors
    /// Why it cannot be renamed, or not so.
    pub fn rename(&self, at: Position, new: &str) -> Result<Vec<Edit>, String> {
        let (same, name) = self.renamed(at)?;
        let is_player = self.now.slice(name.span).starts_with(|c: char| c.is_ascii_uppercase());
        let is_player_name = new.starts_with(|c: char| c.is_ascii_uppercase())
            && new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_player && !is_player_name {
            return Err(format!("`{new}` is no name of a player: a capital, then letters, digits and `_`"));
        }
        if !is_player && !is_name(new) {
            return Err(format!("`{new}` is no name, or a cell or a word of the language"));
        }
        if builtin::is_builtin(new) {
            return Err(format!("`{new}` is built in"));
        }
        let declared = self.now.index.declarations.iter().filter(|other| other.scope.source != SourceId::PRELUDE);
        let locals = self.now.index.locals.iter().filter(|local| local.span.source == FILE);
        let mut taken =
            declared.map(|other| (&other.name, other.span)).chain(locals.map(|local| (&local.name, local.span)));
        if let Some((_, span)) = taken.find(|(name, _)| *name == new) {
            let target = self.target(span);
            return Err(format!("`{new}` is declared already, in line {}", target.range.start.line + 1));
        }
        let lines = self.lines();
        Ok(same.iter().map(|other| Edit { range: lines.range_of(other.span), new_text: new.to_string() }).collect())
    }
}
