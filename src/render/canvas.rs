//! Canvas: words put at lines and columns go in; lines of text come out.

use anstyle::Style;

/// A sheet of characters, each with a style. Grows as it is written on.
#[derive(Default)]
pub(crate) struct Canvas {
    lines: Vec<Vec<(char, Style)>>,
}

impl Canvas {
    /// Writes a word to the right of a place.
    pub fn write(&mut self, line: usize, column: usize, word: &str, style: Style) {
        for (at, glyph) in (column..).zip(word.chars()) {
            self.put(line, at, glyph, style);
        }
    }

    /// What stands at a place; a blank where nothing does.
    pub fn at(&self, line: usize, column: usize) -> char {
        self.lines.get(line).and_then(|glyphs| glyphs.get(column)).map_or(' ', |(glyph, _)| *glyph)
    }

    fn put(&mut self, line: usize, column: usize, glyph: char, style: Style) {
        if self.lines.len() <= line {
            self.lines.resize(line + 1, Vec::new());
        }
        if let Some(glyphs) = self.lines.get_mut(line) {
            if glyphs.len() <= column {
                glyphs.resize(column + 1, (' ', Style::new()));
            }
            if let Some(place) = glyphs.get_mut(column) {
                *place = (glyph, style);
            }
        }
    }

    /// The lines, each ended, without blanks at their ends.
    pub fn into_text(self) -> String {
        let mut text = String::new();
        for line in self.lines {
            let length = line.iter().rposition(|(glyph, _)| *glyph != ' ').map_or(0, |last| last + 1);
            push_line(&mut text, line.get(..length).unwrap_or_default());
            text.push('\n');
        }
        text
    }
}

/// Glyphs of one style stand between one start and one end of it.
fn push_line(text: &mut String, line: &[(char, Style)]) {
    for run in line.chunk_by(|a, b| a.1 == b.1) {
        let style = run.first().map_or(Style::new(), |(_, style)| *style);
        text.push_str(&style.render().to_string());
        text.extend(run.iter().map(|(glyph, _)| *glyph));
        text.push_str(&style.render_reset().to_string());
    }
}
