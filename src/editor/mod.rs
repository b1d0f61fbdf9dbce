//! Editor: the text of a rules file goes in as it is typed; what an editor shows beside it comes out: mistakes, meanings
//! of names, what may be written next, mends.
//!
//! It reads no files and knows no wire: `cli/lsp.rs` speaks the language server protocol, and a page may call it from
//! WebAssembly. Answers have the protocol's form, so they are written as JSON as they are; only places in several texts
//! name a text instead of an address.

mod complete;
mod draw;
mod hints;
mod hover;
mod index;
mod manual;
mod mend;
mod names;
mod place;
mod symbols;
mod tokens;
mod types;

use serde::Serialize;

use crate::check;
use crate::check::{Library, Mistake, STACK, Severity, Texts};
use crate::editor::index::Index;
use crate::editor::types::Types;
use crate::report::Notice;
use crate::source::{Source, SourceId, Sources, Span};
use crate::syntax;

pub use crate::editor::complete::{Completion, Format};
pub use crate::editor::hints::Hint;
pub use crate::editor::hover::{Hover, Markup};
pub use crate::editor::mend::Action;
pub use crate::editor::names::{Edit, Target};
pub use crate::editor::place::{Lines, Position, Range};
pub use crate::editor::symbols::Symbol;
pub use crate::editor::tokens::{TOKEN_MODIFIERS, TOKEN_TYPES};

/// The prelude is read first, then the file itself.
const FILE: SourceId = SourceId(1);

/// What is known of one state of a text.
struct Analysis {
    texts: Texts,
    index: Index,
    mistakes: Vec<Mistake>,
    types: Types,
    /// It could be read as a whole.
    is_whole: bool,
}

impl Analysis {
    /// `before` is what was known of types.
    fn new(source: Source, library: &dyn Library, before: &Types) -> Analysis {
        let texts = check::read(source.clone(), library);
        let index = Index::of(&texts);
        let checked = check::check(source.clone(), library);
        let is_whole = texts.mistakes.is_empty();
        let types = if checked.has_errors() { before.kept() } else { Types::of(source, library) };
        Analysis { texts, index, mistakes: checked.mistakes, types, is_whole }
    }

    fn sources(&self) -> &Sources {
        &self.texts.sources
    }

    fn text(&self) -> &str {
        self.sources().get(FILE).map_or("", Source::text)
    }

    fn slice(&self, span: Span) -> &str {
        self.sources().slice(span)
    }
}

/// A rules file in an editor.
pub struct Document {
    name: String,
    text: String,
    now: Analysis,
    /// The last state that could be read as a whole, if the present one cannot.
    good: Option<Analysis>,
}

/// A mistake, in the protocol's form but for the places of other texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    pub range: Range,
    /// 1 is an error, 2 a warning.
    pub severity: u8,
    pub code: String,
    pub source: &'static str,
    /// What is wrong, and how to mend it.
    pub message: String,
    #[serde(skip)]
    pub related: Option<(Target, String)>,
}

impl Document {
    pub fn new(name: &str, text: &str, library: &dyn Library) -> Document {
        let now = stacker::maybe_grow(STACK / 2, STACK, || {
            Analysis::new(Source::new(name, text), library, &Types::default())
        });
        Document { name: name.to_string(), text: text.to_string(), now, good: None }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Changes the text; without a range all of it. What is known of it follows with [`Document::refresh`].
    pub fn edit(&mut self, range: Option<Range>, new: &str) {
        let Some(range) = range else {
            self.text = new.to_string();
            return;
        };
        let lines = Lines::new(&self.text);
        let (start, end) = (lines.offset(range.start), lines.offset(range.end));
        self.text.replace_range(start..end.max(start), new);
    }

    /// Reads and checks the text as it is now, and what it extends.
    pub fn refresh(&mut self, library: &dyn Library) {
        let source = Source::new(self.name.as_str(), self.text.as_str());
        let now = stacker::maybe_grow(STACK / 2, STACK, || Analysis::new(source, library, &self.now.types));
        let before = std::mem::replace(&mut self.now, now);
        if self.now.is_whole {
            self.good = None;
        } else if before.is_whole {
            self.good = Some(before);
        }
    }

    /// The names of the texts that it is read with: the prelude, itself, what it extends.
    pub fn sources(&self) -> &Sources {
        self.now.sources()
    }

    fn lines(&self) -> Lines<'_> {
        Lines::new(&self.text)
    }

    /// All errors and warnings of the checker.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        // The prelude is no game, and is fine.
        if self.sources().get(SourceId::PRELUDE).is_some_and(|prelude| prelude.text() == self.text) {
            return Vec::new();
        }
        self.now.mistakes.iter().map(|mistake| self.diagnostic(&Notice::from(mistake))).collect()
    }

    /// What was found of this text elsewhere, such as examples that fail.
    pub fn told(&self, notices: &[Notice]) -> Vec<Diagnostic> {
        notices.iter().map(|notice| self.diagnostic(notice)).collect()
    }

    fn diagnostic(&self, notice: &Notice) -> Diagnostic {
        let lines = self.lines();
        // A mistake in what is extended stands where that is named.
        let is_own = notice.span.source == FILE;
        let extends = || self.now.texts.own().and_then(|game| game.extends.as_ref()).map(|base| base.game.span);
        let span = if is_own { notice.span } else { extends().unwrap_or(Span::new(FILE, 0, 0)) };
        let mut message = notice.message.clone();
        if let Some(help) = &notice.help {
            message += &format!("\nhelp: {help}");
        }
        if notice.more > 0 {
            message += &format!("\nand {} more of this kind", notice.more);
        }
        let related = match &notice.other {
            _ if !is_own => Some((self.target(notice.span), notice.label.clone())),
            Some((span, what)) => Some((self.target(*span), what.clone())),
            None => None,
        };
        Diagnostic {
            range: lines.range_of(span),
            severity: if notice.severity == Severity::Error { 1 } else { 2 },
            code: notice.code.clone(),
            source: "lusoria",
            message,
            related,
        }
    }

    /// The text in the canonical layout, as one edit; nothing where it cannot be read or is laid out so.
    pub fn formatting(&self) -> Option<Edit> {
        let formatted = syntax::format(FILE, &self.text).ok()?;
        (formatted != self.text).then(|| Edit { range: self.lines().whole(), new_text: formatted })
    }

    /// The state of the text that knows the name at a byte, and where the name stands in it: the present one, or the
    /// last good one, if the part around the name cannot be read now.
    fn knowing(&self, at: usize) -> Option<(&Analysis, usize)> {
        if self.now.index.at(FILE, at).is_some() {
            return Some((&self.now, at));
        }
        let good = self.good.as_ref()?;
        let (word, begins) = word_at(&self.text, at)?;
        let old = good.text();
        let same_before = self.text.bytes().zip(old.bytes()).take_while(|(one, other)| one == other).count();
        let mut candidates = Vec::new();
        if begins < same_before {
            candidates.push(begins);
        }
        candidates.extend((begins + old.len()).checked_sub(self.text.len()));
        // What is new, or was changed, means what it meant elsewhere.
        let elsewhere = good.index.names.iter().filter(|name| name.span.source == FILE);
        candidates.extend(elsewhere.filter(|name| good.slice(name.span) == word).map(|name| name.span.start as usize));
        let stands = |at: &usize| {
            old.get(*at..).is_some_and(|rest| rest.starts_with(word)) && good.index.at(FILE, *at).is_some()
        };
        candidates.into_iter().find(stands).map(|at| (good, at))
    }

    fn byte(&self, at: Position) -> usize {
        self.lines().offset(at)
    }
}

/// The name or word around a byte, or that ends there, and where it begins.
fn word_at(text: &str, at: usize) -> Option<(&str, usize)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = text.get(..at)?;
    let begins =
        before.rfind(|c| !is_part(c)).map_or(0, |end| end + before[end..].chars().next().map_or(1, char::len_utf8));
    let rest = text.get(begins..)?;
    let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
    (!word.is_empty()).then_some((word, begins))
}
