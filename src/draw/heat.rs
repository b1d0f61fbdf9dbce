//! Heat map: a number for each cell goes in; the empty board, the more tinted the greater the number, comes out.

use crate::draw::layout::CELL;
use crate::draw::letters::bold_around;
use crate::draw::scene::{Drawn, Element, Form, Item, Paint, polygon};
use crate::draw::{Painter, Picture, colours};
use crate::model::{Colour, Game};
use crate::position::Position;
use crate::render::grid::Grid;

/// The tint of the greatest number.
const HOT: Colour = Colour(190, 40, 36);
/// Height of the letters of a number.
const NUMBER: f64 = 10.0;
/// Numbers stand in the cells of boards that have no more than so many.
const MOST_NUMBERED: usize = 150;

/// The board of a position, without its men. Numbers are by cell, in board order.
pub fn heat_map(game: &Game, position: &Position, values: &[f64]) -> Picture {
    let painter = Painter::new(game, position, true);
    let mut items: Vec<Item> =
        painter.board().into_iter().map(|element| Item::always(Drawn::Element(element))).collect();
    let most = values.iter().copied().fold(0.0, f64::max);
    let cells = game.topology.cells().zip(values).filter(|(_, value)| **value > 0.0);
    for (cell, value) in cells {
        let (centre, part) = (painter.plot.centre(cell), value / most);
        let paint = Paint::fill(HOT).opacity((0.08 + 0.77 * part).min(0.85));
        let element = match painter.plot.grid {
            Grid::Squares { .. } | Grid::Hexagons | Grid::Points => {
                Element::new(Form::Path(polygon(&painter.plot.corners(cell))), paint)
            }
            Grid::Crossings | Grid::Graph => Element::circle(centre, CELL * 0.42, paint),
        };
        items.push(Item::always(Drawn::Element(element)));
        if values.len() <= MOST_NUMBERED {
            let ink = if part > 0.45 { Colour(255, 255, 255) } else { colours::INK };
            let text = if *value >= 9.95 { format!("{value:.0}") } else { format!("{value:.1}") };
            items.push(Item::always(Drawn::Element(bold_around(&text, centre, NUMBER, ink))));
        }
    }
    let size = (painter.plot.width, painter.plot.height);
    let total: f64 = values.iter().sum();
    Picture { scene: painter.scene(size, items, format!("{total:.1} in a game")) }
}
