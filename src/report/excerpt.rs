//! A text and the places to point at go in; the lines around them come out, long ones cut.

use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::source::Source;

/// Lines of at most so many bytes are shown whole.
const WHOLE: usize = 240;
/// Of longer lines so many bytes are shown before and behind the place.
const AROUND: usize = 70;
/// A place that goes over more lines is shown up to there.
const LINES: usize = 12;
/// Lines before and behind a place that may be shown with it.
const CONTEXT: usize = 2;
/// Stands where a line is cut.
const CUT: &str = "...";

/// A text in which the lines far from all places are empty, and long lines are cut around the
/// places.
#[derive(Clone, Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    /// Where the first place stands in `text`, and its true column, counted from 0.
    first: usize,
    column: usize,
    kept: Vec<Kept>,
}

/// A stretch of a line that is shown, and where it stands in the excerpt.
#[derive(Clone, Debug)]
struct Kept {
    from: Range<usize>,
    at: usize,
}

impl Excerpt {
    /// The place that matters most comes first; where a cut line has room for one only, it is that.
    pub fn new(source: &Source, places: &[Range<usize>]) -> Excerpt {
        let text = source.text();
        let places: Vec<Range<usize>> = places.iter().map(|place| shortened(text, place)).collect();
        let mut excerpt =
            Excerpt { name: source.name().to_string(), text: String::new(), first: 0, column: 0, kept: Vec::new() };
        let shown: Vec<Range<usize>> = places.iter().map(|place| with_context(text, place)).collect();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let ending = line.len() - line.trim_end_matches(['\n', '\r']).len();
            let body = start..start + line.len() - ending;
            if shown.iter().any(|shown| body.start <= shown.end && shown.start <= body.end) {
                excerpt.line(text, body, &places);
            }
            excerpt.text.push_str(&line[line.len() - ending..]);
            start += line.len();
        }
        if text.is_empty() || text.ends_with('\n') {
            excerpt.kept.push(Kept { from: start..start, at: excerpt.text.len() });
        }
        if let Some(first) = places.first() {
            let line_start = text[..first.start].rfind('\n').map_or(0, |at| at + 1);
            excerpt.column = text[line_start..first.start].chars().count();
            excerpt.first = excerpt.place(first.clone()).map_or(0, |place| place.start);
        }
        excerpt
    }

    fn line(&mut self, text: &str, line: Range<usize>, places: &[Range<usize>]) {
        let focus = places.iter().find(|place| line.start <= place.start && place.start <= line.end);
        let window = match focus {
            _ if line.len() <= WHOLE => line.clone(),
            Some(place) => {
                let end = place.end.min(place.start + AROUND).max(place.start) + AROUND;
                place.start.saturating_sub(AROUND).max(line.start)..end.min(line.end)
            }
            None => line.start..line.start + 2 * AROUND,
        };
        let window = boundary(text, window.start)..boundary(text, window.end);
        if window.start > line.start {
            self.text.push_str(CUT);
        }
        self.kept.push(Kept { from: window.clone(), at: self.text.len() });
        self.text.push_str(&text[window.clone()]);
        if window.end < line.end {
            self.text.push_str(CUT);
        }
    }

    /// A place as it stands in the excerpt; nothing if its beginning is cut away.
    pub fn place(&self, place: Range<usize>) -> Option<Range<usize>> {
        let find = |offset| {
            let after = self.kept.partition_point(|kept| kept.from.start <= offset);
            self.kept.get(after.checked_sub(1)?)
        };
        let first = find(place.start).filter(|kept| place.start <= kept.from.end)?;
        let start = first.at + place.start - first.from.start;
        let last = find(place.end).filter(|last| last.from.start >= first.from.start)?;
        let end = last.at + place.end.min(last.from.end) - last.from.start;
        Some(start..end.max(start))
    }
}

/// A place that ends after at most so many lines.
fn shortened(text: &str, place: &Range<usize>) -> Range<usize> {
    let start = boundary(text, place.start);
    let end = boundary(text, place.end.max(place.start));
    let last = text[start..end].match_indices('\n').nth(LINES).map_or(end, |(at, _)| start + at);
    start..last
}

fn with_context(text: &str, place: &Range<usize>) -> Range<usize> {
    let before = text[..place.start].rmatch_indices('\n').nth(CONTEXT).map_or(0, |(at, _)| at + 1);
    let behind = text[place.end..].match_indices('\n').nth(CONTEXT).map_or(text.len(), |(at, _)| place.end + at);
    before..behind
}

/// The character boundary at or before an offset.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let found = self.text.read_span(span, before, after)?;
        let is_first = (before, after) == (0, 0) && span.offset() == self.first;
        let column = if is_first { self.column } else { found.column() };
        let (data, span, line, lines) = (found.data(), *found.span(), found.line(), found.line_count());
        Ok(Box::new(MietteSpanContents::new_named(self.name.clone(), data, span, line, column, lines)))
    }
}
