//! Letters: a text goes in; its strokes come out. The letters are shapes of this file, so no machine needs a font.

use crate::draw::scene::{Element, Form, Paint, Point, Segment, outline, placed};
use crate::model::Colour;

/// Height of capitals in the table.
const CAPITAL: f64 = 14.0;
/// Room between two letters, likewise.
const GAP: f64 = 3.2;
/// Width of a stroke of plain text, as a part of the height of capitals.
const THIN: f64 = 0.11;
/// Width of a stroke of letters on men.
const BOLD: f64 = 0.15;

/// Width and strokes of each letter: capitals are 14 high, small letters begin at 5, and 14 is the line they stand on.
const LETTERS: [(char, f64, &str); 76] = [
    ('A', 10.0, "M0 14L5 0L10 14M1.9 9.3L8.1 9.3"),
    ('B', 8.6, "M0 0L0 14L4.8 14C9.9 14 9.9 6.8 4.8 6.8L0 6.8M0 0L4.4 0C8.8 0 8.8 6.8 4.4 6.8"),
    ('C', 9.5, "M9.5 2.8C6.5 -1.6 0 -1 0 7C0 15 6.5 15.6 9.5 11.2"),
    ('D', 9.2, "M0 0L0 14L3.6 14C11 14 11 0 3.6 0Z"),
    ('E', 7.6, "M7.6 0L0 0L0 14L7.6 14M0 6.8L6.6 6.8"),
    ('F', 7.6, "M7.6 0L0 0L0 14M0 6.8L6.4 6.8"),
    ('G', 10.0, "M9.5 2.8C6.5 -1.6 0 -1 0 7C0 15 7 15.6 9.8 11.4L9.8 7.6L6 7.6"),
    ('H', 9.0, "M0 0L0 14M9 0L9 14M0 6.8L9 6.8"),
    ('I', 1.0, "M0.5 0L0.5 14"),
    ('J', 6.4, "M6.4 0L6.4 9.6C6.4 15.4 0 15.4 0 10.8"),
    ('K', 8.6, "M0 0L0 14M8.4 0L0 8.6M3.2 5.5L8.6 14"),
    ('L', 7.2, "M0 0L0 14L7.2 14"),
    ('M', 11.6, "M0 14L0 0L5.8 9L11.6 0L11.6 14"),
    ('N', 9.0, "M0 14L0 0L9 14L9 0"),
    ('O', 11.0, "M5.5 0C-1.8 0 -1.8 14 5.5 14C12.8 14 12.8 0 5.5 0Z"),
    ('P', 8.6, "M0 14L0 0L4.8 0C10.2 0 10.2 7.8 4.8 7.8L0 7.8"),
    ('Q', 11.0, "M5.5 0C-1.8 0 -1.8 14 5.5 14C12.8 14 12.8 0 5.5 0ZM6.8 10L10.8 15"),
    ('R', 9.0, "M0 14L0 0L4.8 0C10.2 0 10.2 7.6 4.8 7.6L0 7.6M4.6 7.6L9 14"),
    ('S', 8.6, "M8 2.5C6 -0.9 0.2 -1 0.4 3.4C0.6 7.4 8.4 6.2 8.6 10.4C8.8 15 2 15.2 0 11.4"),
    ('T', 9.6, "M0 0L9.6 0M4.8 0L4.8 14"),
    ('U', 9.0, "M0 0L0 9C0 15.7 9 15.7 9 9L9 0"),
    ('V', 10.0, "M0 0L5 14L10 0"),
    ('W', 14.0, "M0 0L3.5 14L7 2L10.5 14L14 0"),
    ('X', 9.0, "M0 0L9 14M9 0L0 14"),
    ('Y', 9.6, "M0 0L4.8 7L9.6 0M4.8 7L4.8 14"),
    ('Z', 8.6, "M0 0L8.6 0L0 14L8.6 14"),
    ('a', 7.0, "M7 5L7 14M7 9.5C7 3.4 0 3.4 0 9.5C0 15.6 7 15.6 7 9.5"),
    ('b', 7.0, "M0 0L0 14M0 9.5C0 3.4 7 3.4 7 9.5C7 15.6 0 15.6 0 9.5"),
    ('c', 6.4, "M6.4 6.4C4.6 3.7 0 4.3 0 9.5C0 14.7 4.6 15.3 6.4 12.6"),
    ('d', 7.0, "M7 0L7 14M7 9.5C7 3.4 0 3.4 0 9.5C0 15.6 7 15.6 7 9.5"),
    ('e', 7.0, "M0 9.3L7 9.3C7 3.2 0 3.2 0 9.5C0 15.4 5 15.3 6.7 12.4"),
    ('f', 4.8, "M4.8 0.5C2.6 -0.5 2 0.8 2 3L2 14M0 5L4.4 5"),
    ('g', 7.0, "M7 5L7 14.4C7 19 2 19 0.6 16.8M7 9.5C7 3.4 0 3.4 0 9.5C0 15.6 7 15.6 7 9.5"),
    ('h', 6.5, "M0 0L0 14M0 9C0 3.5 6.5 3.5 6.5 9L6.5 14"),
    ('i', 1.0, "M0.5 5L0.5 14M0.5 0.9L0.5 1.3"),
    ('j', 3.0, "M3 5L3 15C3 18 1.5 18.3 0 17.8M3 0.9L3 1.3"),
    ('k', 6.6, "M0 0L0 14M6.2 5L0 10.5M2.4 8.5L6.6 14"),
    ('l', 1.0, "M0.5 0L0.5 14"),
    ('m', 11.0, "M0 5L0 14M0 8.5C0 3.9 5.5 3.9 5.5 8.5L5.5 14M5.5 8.5C5.5 3.9 11 3.9 11 8.5L11 14"),
    ('n', 6.5, "M0 5L0 14M0 9C0 3.5 6.5 3.5 6.5 9L6.5 14"),
    ('o', 7.2, "M3.6 5C-1.2 5 -1.2 14 3.6 14C8.4 14 8.4 5 3.6 5Z"),
    ('p', 7.0, "M0 5L0 18M0 9.5C0 3.4 7 3.4 7 9.5C7 15.6 0 15.6 0 9.5"),
    ('q', 7.0, "M7 5L7 18M7 9.5C7 3.4 0 3.4 0 9.5C0 15.6 7 15.6 7 9.5"),
    ('r', 4.4, "M0 5L0 14M0 9C0 5.6 2 4.6 4.4 5.2"),
    ('s', 6.2, "M5.8 6.4C4.5 4.1 0.3 4.3 0.3 7.2C0.3 10 6.2 8.8 6.2 11.7C6.2 15 1.2 14.9 0 12.4"),
    ('t', 4.8, "M2 1L2 11.5C2 14 3 14.4 4.8 13.8M0 5L4.6 5"),
    ('u', 6.5, "M0 5L0 10C0 15.5 6.5 15.5 6.5 10M6.5 5L6.5 14"),
    ('v', 7.0, "M0 5L3.5 14L7 5"),
    ('w', 11.0, "M0 5L2.7 14L5.5 6L8.3 14L11 5"),
    ('x', 6.5, "M0 5L6.5 14M6.5 5L0 14"),
    ('y', 7.0, "M0 5L3.5 14M7 5L3.5 14C2.5 17 1.5 18.3 0 17.8"),
    ('z', 6.5, "M0 5L6.5 5L0 14L6.5 14"),
    ('0', 8.0, "M4 0C-1.3 0 -1.3 14 4 14C9.3 14 9.3 0 4 0Z"),
    ('1', 5.0, "M0.6 3L4.6 0L4.6 14"),
    ('2', 8.0, "M0.3 3.5C0.5 -1.2 7.8 -1.2 7.8 3.8C7.8 7.5 2 10 0 14L8 14"),
    ('3', 8.0, "M0.5 1.8C3 -1 7.8 -0.3 7.5 3.4C7.3 6 5 6.7 3 6.7C6 6.7 8 7.8 8 10.3C8 14.6 2.5 15.2 0 12.2"),
    ('4', 8.4, "M6.2 14L6.2 0L0 10L8.4 10"),
    ('5', 8.0, "M7.3 0L1.2 0L0.6 6.2C3 4.6 8 5 8 9.5C8 14.8 2 15 0 12.4"),
    ('6', 8.0, "M7.2 1.2C3 -1.5 0 3 0 9C0 15.5 8 15.5 8 9.6C8 4 1.5 4 0.1 8.8"),
    ('7', 8.0, "M0 0L8 0C5.4 4 3.5 9 3 14"),
    ('8', 8.2, "M4.1 0C-0.7 0 -0.7 6.6 4.1 6.6C9.4 6.6 9.4 14 4.1 14C-1.2 14 -1.2 6.6 4.1 6.6C8.9 6.6 8.9 0 4.1 0Z"),
    ('9', 8.0, "M0.8 12.8C5 15.5 8 11 8 5C8 -1.5 0 -1.5 0 4.4C0 10 6.5 10 7.9 5.2"),
    ('.', 1.0, "M0.5 13.6L0.5 14"),
    (',', 1.6, "M1.2 13.6L0 16.6"),
    (':', 1.0, "M0.5 6.4L0.5 6.8M0.5 13.6L0.5 14"),
    ('!', 1.0, "M0.5 0L0.5 9.6M0.5 13.6L0.5 14"),
    ('\'', 1.0, "M0.5 0L0.5 3.6"),
    ('-', 5.0, "M0 8.6L5 8.6"),
    ('+', 7.0, "M0 8L7 8M3.5 4.5L3.5 11.5"),
    ('=', 7.0, "M0 6.2L7 6.2M0 10L7 10"),
    ('/', 6.0, "M0 15.5L6 -1.5"),
    ('(', 3.4, "M3.4 -1.5C-1.2 3 -1.2 12 3.4 16.5"),
    (')', 3.4, "M0 -1.5C4.6 3 4.6 12 0 16.5"),
    ('*', 6.0, "M0.4 2.5L5.6 7.5M5.6 2.5L0.4 7.5M3 1.2L3 8.8"),
    ('\u{d7}', 5.6, "M0 6.6L5.6 12.2M5.6 6.6L0 12.2"),
    (' ', 3.6, ""),
];
/// Stands for what has no shape.
const UNKNOWN: (f64, &str) = (6.0, "M0 2L6 2L6 14L0 14Z");

fn letter(letter: char) -> (f64, &'static str) {
    let letter = if letter == '_' { ' ' } else { letter };
    LETTERS.iter().find(|(known, ..)| *known == letter).map_or(UNKNOWN, |(_, width, strokes)| (*width, strokes))
}

/// How wide a text is whose capitals are so high.
pub(super) fn text_width(text: &str, height: f64) -> f64 {
    let letters: f64 = text.chars().map(|c| letter(c).0 + GAP).sum();
    (letters - if text.is_empty() { 0.0 } else { GAP }) * height / CAPITAL
}

/// The strokes of a text that begins at a point; capitals go from there downwards.
fn strokes(text: &str, at: Point, height: f64) -> Vec<Segment> {
    let scale = height / CAPITAL;
    let mut path = Vec::new();
    let mut x = at.0;
    for c in text.chars() {
        let (width, strokes) = letter(c);
        path.extend(placed(&outline(strokes), scale, (x, at.1)));
        x += (width + GAP) * scale;
    }
    path
}

/// A text that begins at a place, its capitals in the middle of the line through it.
pub(super) fn text_at(text: &str, at: Point, height: f64, colour: Colour) -> Element {
    let path = strokes(text, (at.0, at.1 - height / 2.0), height);
    Element::new(Form::Path(path), Paint::stroke(colour, height * THIN))
}

/// A text around a place.
pub(super) fn text_around(text: &str, at: Point, height: f64, colour: Colour) -> Element {
    text_at(text, (at.0 - text_width(text, height) / 2.0, at.1), height, colour)
}

/// A text around a place, in strokes as letters on men have them.
pub(super) fn bold_around(text: &str, at: Point, height: f64, colour: Colour) -> Element {
    let element = text_around(text, at, height, colour);
    Element { paint: Paint::stroke(colour, height * BOLD), ..element }
}
