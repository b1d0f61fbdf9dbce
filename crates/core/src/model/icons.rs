//! Icons: the file of icons goes in; what men can be drawn as, by name, comes out. No code names one but the two that are drawn unless a
//! rules file says otherwise.

use std::sync::LazyLock;

/// What men of a kind are drawn as, by its place among the icons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Icon(u8);

/// How an icon is drawn. Outlines are paths of SVG in a square of 100 by 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IconDrawing {
    /// A stone.
    Round,
    /// The letter of the kind on a stone.
    Letter,
    Ring,
    /// A square that fills its cell nearly.
    Block,
    Cross,
    /// A pentagon that points the way its owner goes, with the letter of the kind.
    Wedge,
    /// Stands by itself in the player's colour: what is filled, and the lines on it.
    Figure(&'static str, &'static str),
    /// Filled, on a stone.
    Sign(&'static str),
    /// Strokes in the player's colour on a token; the second form is for every other player.
    Character(&'static str, &'static str),
}

/// A line of the file.
pub struct Entry {
    name: &'static str,
    drawing: IconDrawing,
    characters: Option<(char, char)>,
}

/// All icons, in the order of the file.
pub static ICONS: LazyLock<Vec<Entry>> = LazyLock::new(|| lines().filter_map(entry).collect());

/// The lines of the file that are icons.
pub fn lines() -> impl Iterator<Item = &'static str> {
    include_str!("icons.txt").lines().filter(|line| !line.starts_with('#'))
}

/// An icon of the file; `None`: the line has not its form.
fn entry(line: &'static str) -> Option<Entry> {
    let mut fields = line.split(" | ");
    let (name, how, characters) = (fields.next()?, fields.next()?, fields.next()?);
    let outlines: Vec<&'static str> = fields.collect();
    let drawing = match (how, outlines.as_slice()) {
        ("round", []) => IconDrawing::Round,
        ("letter", []) => IconDrawing::Letter,
        ("ring", []) => IconDrawing::Ring,
        ("block", []) => IconDrawing::Block,
        ("cross", []) => IconDrawing::Cross,
        ("wedge", []) => IconDrawing::Wedge,
        ("figure", [filled, lines]) => IconDrawing::Figure(filled, lines),
        ("sign", [filled]) => IconDrawing::Sign(filled),
        ("character", [both]) => IconDrawing::Character(both, both),
        ("character", [first, second]) => IconDrawing::Character(first, second),
        _ => return None,
    };
    let characters = match characters.chars().collect::<Vec<_>>().as_slice() {
        ['-'] => None,
        [light, ' ', dark] => Some((*light, *dark)),
        _ => return None,
    };
    Some(Entry { name, drawing, characters })
}

impl Icon {
    /// A stone.
    pub const ROUND: Icon = Icon(0);
    /// The letter of the kind on a stone.
    pub const LETTER: Icon = Icon(1);

    /// All icons.
    pub fn all() -> impl Iterator<Item = Icon> {
        (0..ICONS.len()).map(|at| Icon(at as u8))
    }

    /// The word of a rules file.
    pub fn name(self) -> &'static str {
        ICONS.get(usize::from(self.0)).map_or("", |entry| entry.name)
    }

    pub fn named(word: &str) -> Option<Icon> {
        Icon::all().find(|icon| icon.name() == word)
    }

    pub fn drawing(self) -> IconDrawing {
        ICONS.get(usize::from(self.0)).map_or(IconDrawing::Round, |entry| entry.drawing)
    }

    /// The characters of Unicode for light and for dark men, each as wide as a letter. `None`: there are none.
    pub fn characters(self) -> Option<(char, char)> {
        ICONS.get(usize::from(self.0))?.characters
    }
}
