//! Colours: a colour goes in; what can be read on it and what frames it come out, and the colours of boards and marks.

use crate::model::Colour;

pub(super) const PAPER: Colour = Colour(255, 255, 255);
pub(super) const INK: Colour = Colour(58, 52, 46);
pub(super) const LINE: Colour = Colour(96, 70, 40);
pub(super) const BOARD: Colour = Colour(244, 230, 198);
pub(super) const DARK: Colour = Colour(194, 154, 108);
/// Of every other point.
pub(super) const PALE: Colour = Colour(224, 196, 150);
pub(super) const WOOD: Colour = Colour(236, 202, 144);
pub(super) const LAST: Colour = Colour(240, 176, 32);
pub(super) const CAPTURED: Colour = Colour(200, 48, 40);
pub(super) const TARGET: Colour = Colour(64, 132, 72);

/// What can be read on a colour.
pub(super) fn ink(on: Colour) -> Colour {
    if on.is_light() { Colour(48, 46, 50) } else { Colour(252, 248, 236) }
}

/// The edge of a stone: darker than it.
pub(super) fn shade(of: Colour) -> Colour {
    let is_light = of.is_light();
    let Colour(red, green, blue) = of;
    let darker = |part: u8| (f64::from(part) * if is_light { 0.36 } else { 0.5 }) as u8;
    Colour(darker(red), darker(green), darker(blue))
}

/// The edge of a man of a stack, which is seen on men of his own colour: lighter than what is dark.
pub(super) fn layer_edge(of: Colour) -> Colour {
    if of.lightness() > 80.0 { shade(of) } else { Colour(178, 174, 168) }
}
