//! Icons of men: an icon and colours go in; the elements of a man come out. All are drawn in a square of 100 by 100.

use crate::draw::colours::{ink, layer_edge, shade};
use crate::draw::letters::bold_around;
use crate::draw::scene::{Element, Form, Paint, outline, placed};
use crate::model::{Colour, Icon, IconDrawing};

/// Width of outlines of figures, in the square of icons.
const OUTLINE: f64 = 2.6;
/// Width of strokes of signs.
const SIGN: f64 = 5.0;
/// What characters on tokens are drawn on.
const TOKEN: Colour = Colour(250, 236, 204);
const TOKEN_EDGE: Colour = Colour(120, 84, 44);

/// It is a token with a character.
pub(super) fn is_token(icon: Icon) -> bool {
    matches!(icon.drawing(), IconDrawing::Character(..))
}

/// How a man is to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    pub icon: Icon,
    /// Of the kind, for [`Icon::LETTER`].
    pub letter: char,
    /// Of the owner.
    pub colour: Colour,
    /// The second form of characters.
    pub second: bool,
    /// His way is down the picture.
    pub turned: bool,
    /// Men stand upon each other.
    pub stacked: bool,
    /// Of a stone, in units.
    pub radius: f64,
    /// Of a cell.
    pub cell: f64,
}

/// The elements of a man, around (0, 0).
pub(super) fn man_elements(style: &Style) -> Vec<Element> {
    let (radius, colour) = (style.radius, style.colour);
    let edge = if style.stacked { layer_edge(colour) } else { shade(colour) };
    let round = || Element::circle((0.0, 0.0), radius, Paint::both(colour, edge, 1.4));
    match style.icon.drawing() {
        IconDrawing::Round => vec![round()],
        IconDrawing::Ring => {
            let width = radius * 0.3;
            let ring = |colour, width| Element::circle((0.0, 0.0), radius * 0.8, Paint::stroke(colour, width));
            vec![ring(edge, width + 2.8), ring(colour, width)]
        }
        IconDrawing::Block => {
            let side = radius * 1.7;
            let paint = Paint::both(colour, edge, 1.4);
            let inner = Paint::stroke(edge, 1.0).opacity(0.5);
            let square = |side: f64, paint| Element::rectangle(-side / 2.0, -side / 2.0, side, side, paint);
            vec![square(side, paint), square(side * 0.6, inner)]
        }
        IconDrawing::Cross => {
            let cross = |colour, width| at_icon("M30 30L70 70M70 30L30 70", style.cell, Paint::stroke(colour, width));
            vec![cross(edge, 13.0), cross(colour, 8.5)]
        }
        IconDrawing::Wedge => {
            let outside =
                if style.turned { "M50 94L76 81L85 12L15 12L24 81Z" } else { "M50 6L76 19L85 88L15 88L24 19Z" };
            // The middle of the wedge lies towards its base.
            let middle = if style.turned { -0.06 } else { 0.06 };
            let letter = style.letter.to_string();
            vec![
                at_icon(outside, style.cell, Paint::both(colour, edge, OUTLINE)),
                bold_around(&letter, (0.0, style.cell * middle), style.cell * 0.34, ink(colour)),
            ]
        }
        IconDrawing::Figure(outside, lines) => figure(style, outside, lines),
        IconDrawing::Sign(sign) => {
            vec![round(), at_icon(sign, radius * 2.0, Paint::fill(ink(colour)))]
        }
        IconDrawing::Character(first, second) => {
            let on = if colour.lightness() > 170.0 { Colour(48, 46, 50) } else { colour };
            let strokes = if style.second { second } else { first };
            vec![
                Element::circle((0.0, 0.0), radius, Paint::both(TOKEN, TOKEN_EDGE, 1.6)),
                Element::circle((0.0, 0.0), radius * 0.86, Paint::stroke(on, 1.2)),
                at_icon(strokes, radius * 1.9, Paint::stroke(on, SIGN)),
            ]
        }
        IconDrawing::Letter => {
            vec![round(), bold_around(&style.letter.to_string(), (0.0, 0.0), radius * 0.95, ink(colour))]
        }
    }
}

fn figure(style: &Style, outside: &str, lines: &str) -> Vec<Element> {
    let colour = style.colour;
    let (edge, on) = if colour.lightness() < 110.0 {
        (Colour(20, 18, 20), ink(colour))
    } else {
        (Colour(48, 46, 50), Colour(48, 46, 50))
    };
    vec![
        at_icon(outside, style.cell, Paint::both(colour, edge, OUTLINE)),
        at_icon(lines, style.cell, Paint::stroke(on, OUTLINE)),
    ]
}

/// An outline of the square of icons, that square so large; widths too are of that square.
fn at_icon(text: &str, side: f64, paint: Paint) -> Element {
    let scale = side / 100.0;
    let path = placed(&outline(text), scale, (-side / 2.0, -side / 2.0));
    let stroke = paint.stroke.map(|(colour, width)| (colour, width * scale));
    Element::new(Form::Path(path), Paint { stroke, ..paint })
}
