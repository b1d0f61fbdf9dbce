//! Excerpts: a text and the spans that a notice points at go in; the lines around them come out,
//! long ones cut, and the same spans in these lines.

use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::source::{Source, Span};

/// Longer lines are cut, in bytes.
const LONG_LINE: usize = 240;
/// What stays of a long line before and behind the beginning of a place, in bytes.
const BEFORE: usize = 60;
const BEHIND: usize = 100;
/// Of a place over more lines than this, the first are drawn.
const MOST_LINES: usize = 20;
/// What stands for the parts that are cut out.
const CUT: &str = "...";

/// Lines of a text; lines that are near no place are empty.
#[derive(Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    /// How many lines of the text come before.
    first_line: usize,
    /// The places asked for, in bytes of the excerpt.
    pub places: Vec<SourceSpan>,
    /// Their columns in the text, from 0.
    columns: Vec<usize>,
}

impl Excerpt {
    pub fn new(source: &Source, spans: &[Span]) -> Excerpt {
        let text = source.text();
        let spans: Vec<Range<usize>> = spans.iter().map(|span| clipped(text, *span)).collect();
        let around: Vec<Range<usize>> = spans.iter().map(|span| with_neighbours(text, span)).collect();
        let begin = around.iter().map(|lines| lines.start).min().unwrap_or(0);
        let end = around.iter().map(|lines| lines.end).max().unwrap_or(0);
        let mut cutter = Cutter { spans: &spans, text: String::new(), places: vec![0..0; spans.len()] };
        let mut at = begin;
        for line in text[begin..end].split_inclusive('\n') {
            if around.iter().any(|lines| lines.contains(&at)) {
                cutter.line(line, at);
            } else {
                cutter.text.push('\n');
            }
            at += line.len();
        }
        if begin == end || text[begin..end].ends_with('\n') {
            cutter.line("", at);
        }
        Excerpt {
            name: source.name().to_string(),
            text: cutter.text,
            first_line: text[..begin].matches('\n').count(),
            places: cutter.places.into_iter().map(|place| (place.start, place.len()).into()).collect(),
            columns: spans.iter().map(|span| source.line_column(span.start as u32).1 - 1).collect(),
        }
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let read = self.text.read_span(span, before, after)?;
        let place = self.places.iter().position(|place| place.offset() == span.offset()).filter(|_| before == 0);
        let column = place.map_or(read.column(), |place| self.columns[place]);
        let line = read.line() + self.first_line;
        let contents = MietteSpanContents::new_named(
            self.name.clone(),
            read.data(),
            *read.span(),
            line,
            column,
            read.line_count(),
        );
        Ok(Box::new(contents))
    }
}

/// The place in a text, on boundaries of characters and over a few lines at most.
fn clipped(text: &str, span: Span) -> Range<usize> {
    let start = boundary(text, span.start as usize);
    let end = boundary(text, (span.end as usize).max(start));
    let last = text[start..end].match_indices('\n').nth(MOST_LINES);
    start..last.map_or(end, |(at, _)| start + at)
}

/// The last boundary of characters that is not behind this byte.
fn boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The lines of a place, one more before and two behind.
fn with_neighbours(text: &str, span: &Range<usize>) -> Range<usize> {
    let line = text[..span.start].rfind('\n').unwrap_or(0);
    let begin = text[..line].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end..].match_indices('\n').nth(2).map_or(text.len(), |(at, _)| span.end + at + 1);
    begin..end
}

struct Cutter<'a> {
    spans: &'a [Range<usize>],
    text: String,
    places: Vec<Range<usize>>,
}

impl Cutter<'_> {
    /// Adds a line that stands at this byte of the text.
    fn line(&mut self, line: &str, at: usize) {
        let mut written = 0;
        for part in kept(line, at, self.spans) {
            if part.start > written {
                self.text.push_str(CUT);
            }
            let base = self.text.len();
            for (span, place) in self.spans.iter().zip(&mut self.places) {
                let here = |offset: &usize| (at + part.start..=at + part.end).contains(offset);
                if here(&span.start) && place.start == place.end {
                    let start = base + span.start - at - part.start;
                    // The end is known later, or is cut out.
                    *place = start..(base + part.len()).max(start);
                }
                if here(&span.end) && span.start < at + part.end.max(1) {
                    place.end = base + span.end - at - part.start;
                }
            }
            self.text.push_str(&line[part.clone()]);
            written = part.end;
        }
        if written < line.len() {
            self.text.push_str(CUT);
            self.text.push_str(if line.ends_with('\n') { "\n" } else { "" });
        }
    }
}

/// The parts of a line that are drawn, in order.
fn kept(line: &str, at: usize, spans: &[Range<usize>]) -> Vec<Range<usize>> {
    if line.len() <= LONG_LINE {
        return std::iter::once(0..line.len()).collect();
    }
    let boundary = |offset| boundary(line, offset);
    let near = spans.iter().filter(|span| (at..=at + line.len()).contains(&span.start)).map(|span| span.start - at);
    let mut starts: Vec<usize> = near.collect();
    starts.sort_unstable();
    let mut parts: Vec<Range<usize>> = Vec::new();
    for start in starts {
        let part = boundary(start.saturating_sub(BEFORE))..boundary(start + BEHIND);
        match parts.last_mut() {
            Some(last) if part.start <= last.end => last.end = part.end,
            _ => parts.push(part),
        }
    }
    if parts.is_empty() {
        parts.push(0..boundary(BEHIND));
    }
    parts
}
