//! Pictures: a position goes in; its picture comes out, as SVG and, with the feature `png`, as pixels.
//!
//! A picture is made of shapes alone, letters included, so that it is the same on every machine. What a rules file says of
//! its looks is in [`crate::model::Looks`]; all else is decided here from what the rules say.

mod board;
mod colours;
mod frames;
mod heat;
mod icons;
mod layout;
mod letters;
#[cfg(feature = "png")]
mod raster;
mod scene;
mod svg;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::board::{Cell, CellSet, Player};
use crate::draw::board::board_elements;
use crate::draw::colours::{CAPTURED, INK, LAST, PAPER, TARGET};
use crate::draw::icons::{Style, man_elements};
use crate::draw::layout::{CELL, Plot};
use crate::draw::letters::{bold_around, text_around, text_at, text_width};
use crate::draw::scene::{Drawn, Element, Form, Item, Paint, Point, Scene, Symbol, polygon};
use crate::model::{Colour, Game, Icon, StateId, Type};
use crate::position::{Man, Position, Value};
use crate::render::grid::{Grid, Seen, places_stones, seen_regions};

pub use crate::draw::frames::{Frame, MAX_FRAMES, animation, strip};
pub use crate::draw::heat::heat_map;
#[cfg(feature = "png")]
pub use crate::draw::raster::MAX_PIXELS;

/// Men of a stack that are drawn; above that stands their number.
const MOST_LAYERS: usize = 5;
/// How far a man of a stack stands above the next lower one, in units.
const LAYER_STEP: f64 = 5.5;
/// Height of a line of text below the board, and of its letters.
const LINE_HEIGHT: f64 = 28.0;
const TEXT: f64 = 11.0;
/// The square of a figure, compared with a cell.
const FIGURE: f64 = 1.16;
/// Men in hand, compared with those on the board.
const HAND_SCALE: f64 = 0.5;

/// Cells that a picture marks.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Where the last move went.
    pub last: CellSet,
    /// Where it came from.
    pub left: CellSet,
    /// What it captured or turned over.
    pub captured: CellSet,
    /// Where a move can go.
    pub targets: CellSet,
}

/// What is drawn besides the position.
#[derive(Clone, Debug)]
pub struct PictureOptions {
    /// Files and ranks around the board.
    pub coordinates: bool,
    /// A line below the board.
    pub caption: Option<String>,
}

impl Default for PictureOptions {
    fn default() -> PictureOptions {
        PictureOptions { coordinates: true, caption: None }
    }
}

/// A drawn position, or a game of several.
#[derive(Clone, Debug)]
pub struct Picture {
    scene: Scene,
}

impl Picture {
    /// The picture as an SVG document of shapes alone.
    pub fn svg(&self) -> String {
        svg::document(&self.scene, "")
    }

    /// The same for a page that has several pictures: what they name begins with a word of their own.
    #[doc(hidden)]
    pub fn svg_within(&self, prefix: &str) -> String {
        svg::document(&self.scene, prefix)
    }

    /// Width and height in units.
    pub fn size(&self) -> (f64, f64) {
        (self.scene.width, self.scene.height)
    }

    /// The picture as a PNG file, so many pixels wide; of one that moves, the first frame.
    ///
    /// # Errors
    /// A picture without pixels or of too many, in words.
    #[cfg(feature = "png")]
    pub fn png(&self, width: u32) -> Result<Vec<u8>, String> {
        raster::png(&self.scene, width)
    }
}

/// A picture of a position.
pub fn picture(game: &Game, position: &Position, marks: &Marks, options: &PictureOptions) -> Picture {
    let mut painter = Painter::new(game, position, options.coordinates);
    let mut items: Vec<Item> =
        painter.board().into_iter().map(|element| Item::always(Drawn::Element(element))).collect();
    items.extend(painter.slots(position, marks).into_iter().flatten().map(Item::always));
    let mut height = painter.plot.height;
    for line in painter.lines_below(position) {
        items.extend(painter.line_below(&line, height).into_iter().map(Item::always));
        height += painter.line_height();
    }
    let mut width = painter.plot.width;
    if let Some(caption) = &options.caption {
        width = width.max(text_width(caption, painter.text()) + 20.0);
        items.push(Item::always(Drawn::Element(painter.caption(caption, (width / 2.0, height)))));
        height += painter.line_height();
    }
    let description = crate::notation::position_text(game, position);
    Picture { scene: painter.scene((width, height), items, description) }
}

/// Where the centres of the cells lie in pictures with coordinates, in units, by cell.
pub fn cell_centres(game: &Game) -> Vec<(f64, f64)> {
    Plot::new(game, true).centres
}

/// What draws the positions of a game.
struct Painter<'a> {
    game: &'a Game,
    plot: Plot,
    regions: Seen,
    coordinates: bool,
    colours: Vec<Colour>,
    symbols: Vec<Symbol>,
    of_man: HashMap<(Option<Player>, u8), usize>,
}

/// A line below the board: a player's hand, or remembered numbers.
struct Line {
    player: Option<Player>,
    men: Vec<(Man, u32)>,
    numbers: Vec<String>,
}

impl<'a> Painter<'a> {
    fn new(game: &'a Game, position: &Position, coordinates: bool) -> Painter<'a> {
        let plot = Plot::new(game, coordinates);
        let regions = seen_regions(game, position);
        let colours = game.colours();
        Painter { game, plot, regions, coordinates, colours, symbols: Vec::new(), of_man: HashMap::new() }
    }

    fn board(&self) -> Vec<Element> {
        board_elements(self.game, &self.plot, &self.regions, self.coordinates)
    }

    fn scene(self, (width, height): (f64, f64), items: Vec<Item>, description: String) -> Scene {
        let paper = Element::rectangle(0.0, 0.0, width, height, Paint::fill(PAPER));
        let items = std::iter::once(Item::always(Drawn::Element(paper))).chain(items).collect();
        let title = self.game.name().to_string();
        Scene { width, height, title, description, symbols: self.symbols, items, animation: None }
    }

    /// Height of the letters below the board, and of a line of them.
    fn text(&self) -> f64 {
        TEXT * self.plot.text
    }

    fn line_height(&self) -> f64 {
        LINE_HEIGHT * self.plot.text
    }

    /// A text below a place, around it.
    fn caption(&self, text: &str, (x, top): Point) -> Element {
        text_around(text, (x, top + self.text() * 0.6), self.text(), INK)
    }

    /// The way of a player leads down the picture.
    fn goes_down(&self, player: Player) -> bool {
        let board = &self.game.topology;
        let Some(way) = self.game.seats.get(player.index()).and_then(|seat| seat.forward) else { return false };
        let step = board.cells().find_map(|from| Some((from, board.step(from, way)?)));
        step.is_some_and(|(from, to)| self.plot.centre(to).1 > self.plot.centre(from).1)
    }

    fn colour(&self, owner: Option<Player>) -> Colour {
        owner.and_then(|owner| self.colours.get(owner.index()).copied()).unwrap_or(Colour::NEUTRAL)
    }

    /// The radius of a stone. Stones that are placed, and tokens, nearly touch each other.
    fn radius(&self) -> f64 {
        let is_token = |(_, icon): &(_, Icon)| icons::is_token(*icon);
        let is_close = || self.game.looks.kinds.iter().any(is_token) || places_stones(self.game);
        let part = match (self.plot.grid, self.game.stacks) {
            (Grid::Points, true) => 0.42,
            (_, true) => 0.35,
            (Grid::Crossings, _) if is_close() => 0.46,
            (Grid::Crossings, _) => 0.38,
            (Grid::Squares { .. } | Grid::Graph | Grid::Points, _) => 0.39,
            (Grid::Hexagons, _) => 0.4,
        };
        part * CELL
    }

    /// The symbol of a man, made when he is first seen.
    fn symbol(&mut self, man: Man) -> usize {
        let key = (man.owner, man.kind.0);
        if let Some(known) = self.of_man.get(&key) {
            return *known;
        }
        let style = Style {
            icon: self.game.icon(man.kind, man.owner.is_some()),
            letter: self.game.kinds.get(man.kind.index()).map_or('?', |kind| kind.letter),
            colour: self.colour(man.owner),
            second: man.owner.is_some_and(|owner| owner.0 % 2 == 1),
            turned: man.owner.is_some_and(|owner| self.goes_down(owner)),
            stacked: self.game.stacks,
            radius: self.radius(),
            cell: CELL * FIGURE,
        };
        self.symbols.push(Symbol { elements: man_elements(&style) });
        self.of_man.insert(key, self.symbols.len() - 1);
        self.symbols.len() - 1
    }

    /// Cell by cell what is marked below men; likewise the men, and what is marked above them.
    fn slots(&mut self, position: &Position, marks: &Marks) -> Vec<Vec<Drawn>> {
        let cells: Vec<Cell> = self.game.topology.cells().collect();
        let elements = |elements: Vec<Element>| elements.into_iter().map(Drawn::Element).collect();
        let mut slots: Vec<Vec<Drawn>> = cells.iter().map(|cell| elements(self.marks_below(*cell, marks))).collect();
        for &cell in &cells {
            slots.push(self.men(position, cell));
        }
        slots.extend(cells.iter().map(|cell| elements(self.marks_above(position, *cell, marks))));
        slots
    }

    fn men(&mut self, position: &Position, cell: Cell) -> Vec<Drawn> {
        let men = position.men(cell);
        let shown = men.get(men.len().saturating_sub(MOST_LAYERS)..).unwrap_or_default();
        let places = self.layers(cell, shown.len());
        let mut drawn: Vec<Drawn> = (shown.iter().zip(&places))
            .map(|(man, at)| Drawn::Use { symbol: self.symbol(*man), at: *at, scale: 1.0 })
            .collect();
        // Men that lie beside each other are seen; of others their number is told.
        let least = if self.plot.grid == Grid::Points { MOST_LAYERS + 1 } else { 2 };
        if let (Some(top), Some(at), true) = (men.last(), places.last(), men.len() >= least) {
            drawn.extend(self.height_told(*top, men.len(), *at).into_iter().map(Drawn::Element));
        }
        drawn
    }

    /// Where so many men of a cell stand, from the lowest to the top.
    fn layers(&self, cell: Cell, count: usize) -> Vec<Point> {
        let (x, y) = self.plot.centre(cell);
        if self.plot.grid == Grid::Points {
            let (base, tip) = self.plot.point(cell);
            let step = 2.0 * self.radius() * (tip.1 - base.1).signum();
            return (0..count).map(|layer| (x, base.1 + step * (layer as f64 + 0.5))).collect();
        }
        // The stack stands in the middle of its cell.
        let bottom = y + LAYER_STEP * count.saturating_sub(1) as f64 / 2.0;
        (0..count).map(|layer| (x, bottom - LAYER_STEP * layer as f64)).collect()
    }

    /// How many men stand upon each other: on the top man, or beside him where he bears a sign.
    fn height_told(&self, top: Man, count: usize, at: Point) -> Vec<Element> {
        let count = count.to_string();
        let icon = self.game.icon(top.kind, top.owner.is_some());
        if icon == Icon::ROUND {
            return vec![bold_around(&count, at, TEXT * 1.15, colours::ink(self.colour(top.owner)))];
        }
        let beside = (at.0 + self.radius() * 0.85, at.1 - self.radius() * 0.6);
        vec![
            Element::circle(beside, TEXT * 0.75, Paint::both(PAPER, INK, 1.0)),
            bold_around(&count, beside, TEXT * 0.85, INK),
        ]
    }

    fn marks_below(&self, cell: Cell, marks: &Marks) -> Vec<Element> {
        let strength = match (marks.last.contains(cell), marks.left.contains(cell)) {
            (true, _) => 0.6,
            (false, true) => 0.3,
            (false, false) => return Vec::new(),
        };
        match self.plot.grid {
            Grid::Squares { .. } | Grid::Hexagons | Grid::Points => {
                let outline = Form::Path(polygon(&self.plot.corners(cell)));
                vec![Element::new(outline, Paint::fill(LAST).opacity(strength))]
            }
            Grid::Crossings | Grid::Graph => {
                let (radius, paint) = (self.radius() + CELL * 0.1, Paint::fill(LAST).opacity(strength));
                vec![Element::circle(self.plot.centre(cell), radius, paint)]
            }
        }
    }

    fn marks_above(&self, position: &Position, cell: Cell, marks: &Marks) -> Vec<Element> {
        let (x, y) = self.plot.centre(cell);
        let mut elements = Vec::new();
        let is_empty = position.men(cell).is_empty();
        if marks.captured.contains(cell) || (is_empty && position.occupied().contains(cell)) {
            if is_empty {
                let arm = CELL * 0.16;
                let lines = vec![((x - arm, y - arm), (x + arm, y + arm)), ((x + arm, y - arm), (x - arm, y + arm))];
                elements.push(Element::new(Form::Lines(lines), Paint::stroke(CAPTURED, 3.4)));
            } else {
                elements.push(Element::circle((x, y), self.radius() * 0.5, Paint::stroke(CAPTURED, 2.6)));
            }
        }
        let top = position.top(cell).filter(|_| marks.last.contains(cell) && places_stones(self.game));
        if let (Some(top), Grid::Crossings) = (top, self.plot.grid) {
            // Stones that touch each other leave no room around them.
            let paint = Paint::fill(colours::ink(self.colour(top.owner)));
            elements.push(Element::circle((x, y), self.radius() * 0.36, paint));
        }
        if marks.targets.contains(cell) {
            let element = if is_empty {
                Element::circle((x, y), CELL * 0.14, Paint::both(TARGET, PAPER, 1.4))
            } else {
                Element::circle((x, y), CELL * 0.45, Paint::stroke(TARGET, 3.4))
            };
            elements.push(element);
        }
        elements
    }

    /// Hands and remembered numbers, those of a player on a line of his own.
    fn lines_below(&self, position: &Position) -> Vec<Line> {
        let game = self.game;
        let mut lines = Vec::new();
        for player in game.players() {
            let kinds = (0..game.kinds.len()).map(|kind| crate::board::Kind(kind as u8));
            let in_hand = kinds.map(|kind| (Man { owner: Some(player), kind }, position.hand(player, kind)));
            let men: Vec<(Man, u32)> = in_hand.filter(|(_, count)| *count > 0).collect();
            let numbers = numbers(game, position, player, true);
            if !men.is_empty() || !numbers.is_empty() {
                lines.push(Line { player: Some(player), men, numbers });
            }
        }
        let numbers = numbers(game, position, Player(0), false);
        if !numbers.is_empty() {
            lines.push(Line { player: None, men: Vec::new(), numbers });
        }
        lines
    }

    fn line_below(&mut self, line: &Line, top: f64) -> Vec<Drawn> {
        let (size, scale) = (self.text(), HAND_SCALE * self.plot.text);
        let (mut x, y) = (self.plot.left, top + size * 0.6);
        let mut drawn = Vec::new();
        if let Some(player) = line.player {
            let name = self.game.player(player).name.clone();
            drawn.push(Drawn::Element(text_at(&name, (x, y), size, INK)));
            x += text_width(&name, size) + size * 1.25;
        }
        for (man, count) in &line.men {
            let radius = self.radius().max(CELL * 0.4) * scale;
            drawn.push(Drawn::Use { symbol: self.symbol(*man), at: (x + radius, y), scale });
            x += 2.0 * radius + size * 0.45;
            let count = format!("\u{d7}{count}");
            drawn.push(Drawn::Element(text_at(&count, (x, y), size, INK)));
            x += text_width(&count, size) + size * 1.25;
        }
        for number in &line.numbers {
            drawn.push(Drawn::Element(text_at(number, (x, y), size, INK)));
            x += text_width(number, size) + size * 1.25;
        }
        drawn
    }
}

/// The remembered numbers that have left their first value, as `taken 4`: counters that positions differ by.
fn numbers(game: &Game, position: &Position, player: Player, per_player: bool) -> Vec<String> {
    let mut found = Vec::new();
    for (at, state) in game.states.iter().enumerate() {
        let is_number = state.first.ty() == Type::Number && state.compared && !state.for_one_turn;
        if !is_number || state.per_player != per_player {
            continue;
        }
        let id = StateId(at as u16);
        let value = position.value(id, player);
        if let (Value::Number(number), true) = (value, value != position.first_value(id, player)) {
            found.push(format!("{} {number}", state.name));
        }
    }
    found
}
