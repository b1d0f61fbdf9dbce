//! Reports: what is wrong with a text, or went wrong while it ran, goes in as notices; texts for
//! people or data for programs come out.

mod excerpt;
pub mod pages;

use std::fmt;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode, ThemeCharacters, ThemeStyles,
};
use serde::Serialize;

use crate::check::{Mistake, Severity};
use crate::position::{Fault, FaultKind};
use crate::report::excerpt::Excerpt;
use crate::source::{Sources, Span};

/// One thing to say about a place of a text: a mistake found by the checker, or a fault met while
/// playing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The stable name of its kind.
    pub code: String,
    pub severity: Severity,
    pub message: String,
    /// How to mend it.
    pub help: Option<String>,
    pub span: Span,
    /// What to write at the span.
    pub label: String,
    /// A second place that has to do with it, and what it is.
    pub other: Option<(Span, String)>,
    /// The second place lies within what is called at the first, so it is drawn behind it.
    pub is_within_call: bool,
    /// Further mistakes of this kind, which are not told.
    pub more: usize,
}

impl From<&Mistake> for Notice {
    fn from(mistake: &Mistake) -> Notice {
        Notice {
            code: mistake.code().to_string(),
            severity: mistake.severity(),
            message: mistake.message(),
            help: mistake.help(),
            span: mistake.span(),
            label: mistake.label(),
            other: mistake.other(),
            is_within_call: mistake.is_within_call(),
            more: mistake.more(),
        }
    }
}

impl From<&Fault> for Notice {
    fn from(fault: &Fault) -> Notice {
        Notice {
            code: fault.code().to_string(),
            severity: Severity::Error,
            message: match fault.call {
                Some(_) => format!("in this call: {}", fault.message()),
                None => fault.message(),
            },
            help: Some(fault.help().to_string()),
            span: fault.shown(),
            label: String::from(if fault.call.is_some() { "this call" } else { "here" }),
            other: match fault.kind {
                FaultKind::Chance(chosen) => Some((chosen, String::from("chance has chosen here"))),
                _ => fault.call.map(|_| (fault.span, String::from("here"))),
            },
            is_within_call: fault.call.is_some() && !matches!(fault.kind, FaultKind::Chance(_)),
            more: 0,
        }
    }
}

/// How notices are drawn. Whoever calls decides; nothing here looks at the terminal or the
/// environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    pub colour: bool,
    /// Lines of box-drawing characters, not of ASCII.
    pub unicode: bool,
    /// Columns.
    pub width: usize,
}

impl Default for Look {
    fn default() -> Look {
        Look { colour: false, unicode: true, width: 100 }
    }
}

/// All notices, in their order, each with the lines that it points at, and an empty line between
/// them.
pub fn render<'a>(notices: impl IntoIterator<Item = &'a Notice>, sources: &Sources, look: Look) -> String {
    let handler = handler(look);
    let rendered: Vec<String> = notices.into_iter().map(|notice| render_one(&handler, notice, sources)).collect();
    rendered.join("\n")
}

fn render_one(handler: &GraphicalReportHandler, notice: &Notice, sources: &Sources) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail; a span outside its text could, and then the bare message is
    // better than nothing.
    if handler.render_report(&mut text, &Drawn::new(notice, sources)).is_err() {
        text = format!("{}: {}\n", sources.place(notice.span), notice.message);
    }
    match notice.more {
        0 => trimmed(&text),
        more => format!("{}   and {more} more of this kind\n", trimmed(&text)),
    }
}

/// Without the blanks at the ends of lines and the empty lines around them that miette leaves.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.trim_matches('\n').lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

fn handler(look: Look) -> GraphicalReportHandler {
    let characters = if look.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
    let styles = match (look.colour, look.unicode) {
        (false, _) => ThemeStyles::none(),
        (true, true) => ThemeStyles::rgb(),
        (true, false) => ThemeStyles::ansi(),
    };
    GraphicalReportHandler::new_themed(GraphicalTheme { characters, styles }).with_width(look.width).with_links(false)
}

/// A notice with the texts that it points into.
#[derive(Debug)]
struct Drawn {
    code: Option<String>,
    severity: miette::Severity,
    message: String,
    help: Option<String>,
    labels: Vec<LabeledSpan>,
    source: Option<Excerpt>,
    /// The second place, if it is in another file or within what is called.
    elsewhere: Vec<Drawn>,
}

impl Drawn {
    fn new(notice: &Notice, sources: &Sources) -> Drawn {
        let is_beside = |other: &Span| other.source == notice.span.source && !notice.is_within_call;
        let beside = notice.other.as_ref().filter(|(span, _)| is_beside(span));
        let elsewhere = notice.other.as_ref().filter(|(span, _)| !is_beside(span));
        let spans: Vec<Span> = std::iter::once(notice.span).chain(beside.map(|(span, _)| *span)).collect();
        let source = sources.get(notice.span.source).map(|source| Excerpt::new(source, &spans));
        let place = |at: usize| source.as_ref().map_or((0, 0).into(), |source| source.places[at]);
        let mut labels = vec![LabeledSpan::new_primary_with_span(Some(notice.label.clone()), place(0))];
        labels.extend(beside.map(|(_, what)| LabeledSpan::new_with_span(Some(what.clone()), place(1))));
        Drawn {
            code: Some(notice.code.clone()),
            severity: severity(notice.severity),
            message: notice.message.clone(),
            help: notice.help.clone(),
            labels,
            elsewhere: elsewhere
                .map(|(span, what)| Drawn::elsewhere(*span, what, notice, sources))
                .into_iter()
                .collect(),
            source,
        }
    }

    /// The second place of a notice, in an excerpt of its own.
    fn elsewhere(span: Span, what: &str, notice: &Notice, sources: &Sources) -> Drawn {
        let source = sources.get(span.source).map(|source| Excerpt::new(source, &[span]));
        let place = source.as_ref().map_or((0, 0).into(), |source| source.places[0]);
        let head = if notice.is_within_call { "within what is called" } else { what };
        Drawn {
            code: None,
            severity: miette::Severity::Advice,
            message: format!("{head}, in {}", sources.get(span.source).map_or("another text", |source| source.name())),
            help: None,
            labels: vec![LabeledSpan::new_primary_with_span(Some(what.to_string()), place)],
            source,
            elsewhere: Vec::new(),
        }
    }
}

fn severity(severity: Severity) -> miette::Severity {
    match severity {
        Severity::Error => miette::Severity::Error,
        Severity::Warning => miette::Severity::Warning,
    }
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Drawn {}

impl Diagnostic for Drawn {
    fn code(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.code.as_ref().map(|code| Box::new(code) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }

    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        if self.elsewhere.is_empty() {
            return None;
        }
        Some(Box::new(self.elsewhere.iter().map(|other| other as &dyn Diagnostic)))
    }
}

/// A notice as data, for editors and scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    pub code: String,
    pub severity: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    #[serde(flatten)]
    pub place: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<Other>,
    /// Further mistakes of this kind, which are not told.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
}

fn is_zero(more: &usize) -> bool {
    *more == 0
}

/// The second place of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Other {
    pub message: String,
    #[serde(flatten)]
    pub place: Place,
}

/// A stretch of a file: lines and columns count from 1, columns in characters; the end is the first
/// character behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
    /// Byte offsets from 0, the end exclusive.
    pub start: u32,
    pub end: u32,
}

/// The notices as data, in their order.
pub fn entries<'a>(notices: impl IntoIterator<Item = &'a Notice>, sources: &Sources) -> Vec<Entry> {
    notices.into_iter().map(|notice| entry(notice, sources)).collect()
}

fn entry(notice: &Notice, sources: &Sources) -> Entry {
    Entry {
        code: notice.code.clone(),
        severity: severity_word(notice.severity),
        message: notice.message.clone(),
        help: notice.help.clone(),
        place: place(notice.span, sources),
        other: notice.other.as_ref().map(|(span, what)| Other { message: what.clone(), place: place(*span, sources) }),
        more: notice.more,
    }
}

pub fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn place(span: Span, sources: &Sources) -> Place {
    let Span { start, end, .. } = span;
    let source = sources.get(span.source);
    let at = |offset| source.map_or((1, 1), |source| source.line_column(offset));
    let ((line, column), (end_line, end_column)) = (at(start), at(end));
    let file = source.map_or(String::new(), |source| source.name().to_string());
    Place { file, line, column, end_line, end_column, start, end }
}
