//! Board drawing: a game and a plot go in; the elements of the empty board come out: cells, lines, regions, coordinates.

use crate::board::{Cell, CellSet, Dir, Shape, file_name};
use crate::draw::colours::{BOARD, DARK, INK, LINE, PALE, WOOD};
use crate::draw::layout::{CELL, Plot};
use crate::draw::letters::text_around;
use crate::draw::scene::{Element, Form, Paint, Point, Rectangle, Segment, polygon};
use crate::model::{Colour, Game, RegionStyle};
use crate::render::grid::{Grid, Seen, line_dirs, link, stars};
use crate::sort;

/// Height of the letters and numbers around a board.
const LABEL: f64 = 11.0;
/// Width of the lines of a board.
const THIN: f64 = 1.3;
const THICK: f64 = 2.2;
const DASH: f64 = 5.0;
/// Radius of star points and of dots.
const DOT: f64 = CELL * 0.075;

/// The board of a game, all that never changes.
pub(super) fn board_elements(game: &Game, plot: &Plot, regions: &Seen, coordinates: bool) -> Vec<Element> {
    let sketch = Sketch { game, plot, regions };
    let mut elements = match plot.grid {
        Grid::Squares { checkered } => sketch.squares(checkered),
        Grid::Hexagons => sketch.hexagons(),
        Grid::Points => sketch.points(),
        Grid::Crossings => sketch.crossings(),
        Grid::Graph => sketch.graph(),
    };
    sketch.crosses(&mut elements);
    sketch.dots(&mut elements);
    if coordinates {
        sketch.coordinates(&mut elements);
    }
    elements
}

struct Sketch<'a> {
    game: &'a Game,
    plot: &'a Plot,
    regions: &'a Seen,
}

impl Sketch<'_> {
    fn board_colour(&self, usual: Colour) -> Colour {
        self.game.looks.board.unwrap_or(usual)
    }

    fn rectangle(&self, cell: Cell) -> Rectangle {
        let (x, y) = self.plot.centre(cell);
        Rectangle { left: x - CELL / 2.0, top: y - CELL / 2.0, width: CELL, height: CELL }
    }

    fn squares(&self, checkered: bool) -> Vec<Element> {
        let board = &self.game.topology;
        let (light, dark) = (self.board_colour(BOARD), self.game.looks.dark.unwrap_or(DARK));
        let all: Vec<Rectangle> = board.cells().map(|cell| self.rectangle(cell)).collect();
        let mut elements = vec![Element::new(Form::Rectangles(all.clone()), Paint::fill(light))];
        if checkered {
            let is_dark = |cell: &Cell| (board.file(*cell) + board.rank(*cell)).is_multiple_of(2);
            let dark_cells = board.cells().filter(is_dark).map(|cell| self.rectangle(cell)).collect();
            elements.push(Element::new(Form::Rectangles(dark_cells), Paint::fill(dark)));
        }
        self.tints(&mut elements);
        if !checkered {
            elements.push(Element::new(Form::Rectangles(all), Paint::stroke(LINE, THIN)));
        }
        self.edges(&mut elements);
        elements
    }

    /// Thick lines where the board ends, dashed where it goes on at the other side.
    fn edges(&self, elements: &mut Vec<Element>) {
        let board = &self.game.topology;
        let Shape::Square { files, ranks, layers, wrap } = *board.shape() else { return };
        let (mut firm, mut open) = (Vec::new(), Vec::new());
        for cell in board.cells() {
            let (file, rank) = (board.file(cell), board.rank(cell));
            let at = self.rectangle(cell);
            let (right, bottom) = (at.left + at.width, at.top + at.height);
            let (before, behind) = if self.game.looks.is_downward { (at.top, bottom) } else { (bottom, at.top) };
            let in_layer = (file - 1) % files + 1;
            let sides = [
                (in_layer == 1, board.at(file - 1, rank), wrap.files, ((at.left, at.top), (at.left, bottom))),
                (in_layer == files, board.at(file + 1, rank), wrap.files, ((right, at.top), (right, bottom))),
                (rank == 1, board.at(file, rank - 1), wrap.ranks, ((at.left, before), (right, before))),
                (rank == ranks, board.at(file, rank + 1), wrap.ranks, ((at.left, behind), (right, behind))),
            ];
            for (is_rim, beside, wraps, line) in sides {
                match (is_rim, beside) {
                    (true, _) if wraps && layers == 1 => open.push(line),
                    (true, _) | (false, None) => firm.push(line),
                    (false, Some(_)) => {}
                }
            }
        }
        elements.push(Element::new(Form::Lines(joined(firm)), Paint::stroke(LINE, THICK)));
        if !open.is_empty() {
            let dashed = Paint { dash: Some(DASH), ..Paint::stroke(LINE, THICK) };
            elements.push(Element::new(Form::Lines(joined(open)), dashed));
        }
    }

    fn tints(&self, elements: &mut Vec<Element>) {
        for (style, seen) in self.regions {
            let RegionStyle::Tinted(colour) = style else { continue };
            let cells = seen.iter().fold(CellSet::EMPTY, |all, cells| all | *cells);
            let paint = Paint::fill(*colour).opacity(0.45);
            let form = match self.plot.grid {
                Grid::Hexagons | Grid::Points => {
                    let outlines = cells.iter().flat_map(|cell| polygon(&self.plot.corners(cell)));
                    Form::Path(outlines.collect())
                }
                _ => Form::Rectangles(cells.iter().map(|cell| self.rectangle(cell)).collect()),
            };
            elements.push(Element::new(form, paint));
        }
    }

    fn hexagons(&self) -> Vec<Element> {
        let cells = self.game.topology.cells();
        let outlines: Vec<Segment> = cells.flat_map(|cell| polygon(&self.plot.corners(cell))).collect();
        let mut elements = vec![Element::new(Form::Path(outlines.clone()), Paint::fill(self.board_colour(BOARD)))];
        self.tints(&mut elements);
        elements.push(Element::new(Form::Path(outlines), Paint::stroke(LINE, THIN)));
        elements
    }

    /// Long triangles, light and dark in turn; between the two halves of each row lies a bar.
    fn points(&self) -> Vec<Element> {
        let (plot, board) = (self.plot, &self.game.topology);
        let (width, height) = (plot.right - plot.left, plot.bottom - plot.top);
        let ground = Paint::fill(self.board_colour(BOARD));
        let mut elements = vec![Element::rectangle(plot.left, plot.top, width, height, ground)];
        for (is_dark, colour) in [(false, PALE), (true, self.game.looks.dark.unwrap_or(DARK))] {
            let cells =
                board.cells().filter(|cell| (board.file(*cell) + board.rank(*cell)).is_multiple_of(2) == is_dark);
            let outlines = cells.flat_map(|cell| polygon(&plot.corners(cell))).collect();
            elements.push(Element::new(Form::Path(outlines), Paint::both(colour, LINE, THIN)));
        }
        self.tints(&mut elements);
        let middle = board.files() / 2;
        if let (Some(before), Some(behind)) = (board.at(middle, 1), board.at(middle + 1, 1)) {
            let (from, to) = (plot.centre(before).0 + CELL / 2.0, plot.centre(behind).0 - CELL / 2.0);
            if to - from > THICK {
                let paint = Paint::both(DARK, LINE, THIN);
                elements.push(Element::rectangle(from, plot.top, to - from, height, paint));
            }
        }
        elements.push(Element::rectangle(plot.left, plot.top, width, height, Paint::stroke(LINE, THICK)));
        elements
    }

    /// Lines with men where they cross, on wood.
    fn crossings(&self) -> Vec<Element> {
        let (plot, board) = (self.plot, &self.game.topology);
        let (width, height) = (plot.right - plot.left, plot.bottom - plot.top);
        let wood = Paint::both(self.board_colour(WOOD), LINE, THIN);
        let mut elements = vec![Element::rectangle(plot.left, plot.top, width, height, wood)];
        self.tints(&mut elements);
        let lines = line_dirs(board).iter().flat_map(|dir| self.lines_along(dir)).collect();
        elements.push(Element::new(Form::Lines(lines), Paint::stroke(LINE, THIN)));
        let star = |cell: Cell| Element::circle(plot.centre(cell), DOT, Paint::fill(LINE));
        elements.extend(stars(self.game).into_iter().map(star));
        elements
    }

    /// The lines of a direction from end to end, and of its opposite none.
    fn lines_along(&self, dir: Dir) -> Vec<(Point, Point)> {
        let board = &self.game.topology;
        if board.opposite(dir) < dir {
            return Vec::new();
        }
        let step = |from: Cell, dir: Dir| link(board, self.regions, from, dir);
        let mut lines = Vec::new();
        for start in board.cells().filter(|cell| step(*cell, board.opposite(dir)).is_none()) {
            let mut end = start;
            while let Some(next) = step(end, dir) {
                end = next;
            }
            if end != start {
                lines.push((self.plot.centre(start), self.plot.centre(end)));
            }
        }
        lines
    }

    /// Points and the lines between them.
    fn graph(&self) -> Vec<Element> {
        let (plot, board) = (self.plot, &self.game.topology);
        let (width, height) = (plot.right - plot.left, plot.bottom - plot.top);
        let ground = Paint::both(self.board_colour(BOARD), LINE, THIN);
        let mut elements = vec![Element::rectangle(plot.left, plot.top, width, height, ground)];
        self.tints(&mut elements);
        let mut lines = Vec::new();
        for from in board.cells() {
            for &(dir, to) in board.exits(from) {
                if dir.0.is_multiple_of(2) {
                    lines.push((plot.centre(from), plot.centre(to)));
                }
            }
        }
        elements.push(Element::new(Form::Lines(joined(lines)), Paint::stroke(LINE, THICK)));
        elements.extend(board.cells().map(|cell| Element::circle(plot.centre(cell), CELL * 0.1, Paint::fill(LINE))));
        elements
    }

    /// The rectangles around the cells of the regions of a style: of each, left, right, top and bottom.
    fn rectangles_around(&self, wanted: RegionStyle) -> Vec<(f64, f64, f64, f64)> {
        let regions = self.regions.iter().filter(|(style, _)| *style == wanted).flat_map(|(_, seen)| seen);
        let around = |cells: &CellSet| {
            let places: Vec<Point> = cells.iter().map(|cell| self.plot.centre(cell)).collect();
            let least = |part: fn(&Point) -> f64| places.iter().map(part).fold(f64::INFINITY, f64::min);
            let most = |part: fn(&Point) -> f64| places.iter().map(part).fold(f64::NEG_INFINITY, f64::max);
            let sides = (least(|at| at.0), most(|at| at.0), least(|at| at.1), most(|at| at.1));
            (!places.is_empty()).then_some(sides)
        };
        regions.filter_map(around).collect()
    }

    /// Dots at the corners of regions: of squares at their corners, elsewhere on their outermost cells.
    fn dots(&self, elements: &mut Vec<Element>) {
        let out = if matches!(self.plot.grid, Grid::Squares { .. }) { CELL / 2.0 } else { 0.0 };
        let (plot, near) = (self.plot, CELL / 4.0);
        let is_within = |at: &Point| {
            at.0 > plot.left + near && at.0 < plot.right - near && at.1 > plot.top + near && at.1 < plot.bottom - near
        };
        for (left, right, top, bottom) in self.rectangles_around(RegionStyle::Dotted) {
            let corners = [left - out, right + out].map(|x| [top - out, bottom + out].map(|y| (x, y)));
            let dot = |at: Point| Element::circle(at, DOT, Paint::fill(LINE));
            elements.extend(corners.into_iter().flatten().filter(is_within).map(dot));
        }
    }

    /// The diagonals of palaces.
    fn crosses(&self, elements: &mut Vec<Element>) {
        let mut lines = Vec::new();
        for (left, right, top, bottom) in self.rectangles_around(RegionStyle::Crossed) {
            lines.push(((left, top), (right, bottom)));
            lines.push(((left, bottom), (right, top)));
        }
        if !lines.is_empty() {
            elements.push(Element::new(Form::Lines(lines), Paint::stroke(LINE, THIN)));
        }
    }

    fn coordinates(&self, elements: &mut Vec<Element>) {
        let (plot, board) = (self.plot, &self.game.topology);
        let size = LABEL * plot.text;
        let mut label = |text: String, at: Point| elements.push(text_around(&text, at, size, INK));
        if let Shape::Hexagon { side } = *board.shape() {
            let half = plot.hexagon * 3.0_f64.sqrt() / 2.0;
            for number in 1..2 * side {
                if let Some(cell) =
                    board.cells().filter(|cell| board.file(*cell) == number).min_by_key(|cell| board.rank(*cell))
                {
                    let (x, y) = plot.centre(cell);
                    label(file_name(number), (x, y + half + size));
                }
                if let Some(cell) =
                    board.cells().filter(|cell| board.rank(*cell) == number).min_by_key(|cell| board.file(*cell))
                {
                    let (x, y) = plot.centre(cell);
                    // The number stands outside the corner of its cell, a larger one farther out.
                    let more = size - LABEL;
                    let up = if number > side { half * 0.8 + more * 0.5 } else { 0.0 };
                    let out = if number > side { plot.hexagon * 0.95 + more * 0.7 } else { plot.hexagon + size };
                    label(number.to_string(), (x - out, y - up));
                }
            }
            return;
        }
        for file in 1..=board.files() {
            if let Some(cell) = board.cells().find(|cell| board.file(*cell) == file) {
                label(file_name(file), (plot.centre(cell).0, plot.bottom + size * 1.2));
            }
        }
        for rank in 1..=board.ranks() {
            if let Some(cell) = board.cells().find(|cell| board.rank(*cell) == rank) {
                label(rank.to_string(), (plot.left - size * 1.25, plot.centre(cell).1));
            }
        }
    }
}

/// Lines that go on in the same direction become one.
fn joined(mut lines: Vec<(Point, Point)>) -> Vec<(Point, Point)> {
    let mut all: Vec<(Point, Point)> = Vec::new();
    let is_less = |a: &(Point, Point), b: &(Point, Point)| {
        let key = |line: &(Point, Point)| {
            let is_level = line.0.1 == line.1.1;
            if is_level { (0.0, line.0.1, line.0.0) } else { (1.0, line.0.0, line.0.1) }
        };
        let (a, b) = (key(a), key(b));
        a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
    };
    sort::by(&mut lines, is_less);
    for line in lines {
        let straight = |last: &(Point, Point)| {
            let cross = (last.1.0 - last.0.0) * (line.1.1 - line.0.1) - (last.1.1 - last.0.1) * (line.1.0 - line.0.0);
            last.1 == line.0 && cross.abs() < 1e-6
        };
        match all.last_mut() {
            Some(last) if straight(last) => last.1 = line.1,
            _ => all.push(line),
        }
    }
    all
}
