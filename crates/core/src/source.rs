//! Sources: a text with its name goes in; what comes out is what every later stage points with:
//! sources and spans. It knows no grammar.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// The place of a source in the list of sources that a game was read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct SourceId(pub u16);

impl SourceId {
    /// The prelude, which is read before every game.
    pub const PRELUDE: SourceId = SourceId(0);
}

/// A half-open range of bytes `start..end` of one source; always on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Span {
    pub source: SourceId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// No place in particular: the beginning of the prelude.
    pub const NOWHERE: Span = Span { source: SourceId::PRELUDE, start: 0, end: 0 };

    pub fn new(source: SourceId, start: usize, end: usize) -> Span {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { source, start: clamp(start), end: clamp(end) }
    }

    /// From the beginning of this to the end of `other`; of two sources, this one alone.
    pub fn to(self, other: Span) -> Span {
        if self.source == other.source {
            Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
        } else {
            self
        }
    }

    /// Whether all of the other stands within this one.
    pub fn contains(self, other: Span) -> bool {
        self.source == other.source && self.start <= other.start && other.end <= self.end
    }
}

/// Where something was written, and the call that it stands within.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Site {
    pub span: Span,
    /// The outermost call of a define or an action around it.
    pub call: Option<Span>,
}

impl Site {
    /// What its author looks at first: the call, if there is one.
    pub fn shown(self) -> Span {
        self.call.unwrap_or(self.span)
    }
}

impl From<Span> for Site {
    fn from(span: Span) -> Site {
        Site { span, call: None }
    }
}

/// A thing and where it was written. Equality looks at both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    pub node: T,
    pub span: Span,
}

impl<T> Spanned<T> {
    pub fn new(node: T, span: Span) -> Spanned<T> {
        Spanned { node, span }
    }
}

impl<T> std::ops::Deref for Spanned<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.node
    }
}

/// The text of one rules file and the name to call it by, usually its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
}

impl Source {
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// What stands in a span of this source; empty if the span is not of this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of a byte offset, both from 1; the column counts characters.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// The sources that a game was read from, by [`SourceId`]: the prelude first, then the file itself,
/// then what it extends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources(Vec<Source>);

impl Sources {
    pub fn add(&mut self, source: Source) -> SourceId {
        self.0.push(source);
        SourceId(u16::try_from(self.0.len() - 1).unwrap_or(u16::MAX))
    }

    /// The names of all, in the order they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(Source::name)
    }

    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.0.get(id.0 as usize)
    }

    /// `name:line:column` of the start of a span.
    pub fn place(&self, span: Span) -> String {
        match self.get(span.source) {
            Some(source) => {
                let (line, column) = source.line_column(span.start);
                format!("{}:{line}:{column}", source.name())
            }
            None => String::from("?"),
        }
    }

    /// What stands in a span.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source).map_or("", |source| source.slice(span))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
