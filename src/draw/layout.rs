//! Layout: a game goes in; where its cells lie on the picture comes out.

use crate::board::{Cell, Shape};
use crate::draw::scene::Point;
use crate::model::Game;
use crate::render::grid::{Grid, grid};

/// Width of a cell.
pub(super) const CELL: f64 = 48.0;
/// Room around a board, with and without coordinates.
const MARGIN: f64 = 30.0;
const BARE_MARGIN: f64 = 10.0;
/// Room between two layers, in cells.
const LAYER_GAP: f64 = 0.5;
/// The length of a point, in cells, and the room in the middle of each row of points.
const POINT: f64 = 5.0;
const BAR: f64 = 0.75;
/// Least files of a board of points that has a bar.
const LEAST_BARRED: u8 = 8;
/// A board so many cells wide has labels of one size; on larger ones they grow with it, up to a bound.
const PLAIN_CELLS: f64 = 9.0;
const MOST_GROWTH: f64 = 1.9;
/// Side of a hexagon, in units.
const HEXAGON_SIDE: f64 = 28.0;

/// Where everything lies.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub grid: Grid,
    /// By cell.
    pub centres: Vec<Point>,
    /// The board without its margins.
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
    /// Of the board with its margins.
    pub width: f64,
    pub height: f64,
    /// How much larger than on a small board letters and numbers are.
    pub text: f64,
    /// Height of a cell of squares or points.
    pub tall: f64,
    /// Distance from a centre to the farthest corner of its hexagon.
    pub hexagon: f64,
}

impl Plot {
    pub fn new(game: &Game, coordinates: bool) -> Plot {
        let board = &game.topology;
        let grid = grid(game);
        let half = HEXAGON_SIDE * 3.0_f64.sqrt() / 2.0;
        let tall = if grid == Grid::Points { POINT * CELL } else { CELL };
        // Where the centres lie beside and below the corner of the board, and how large it is.
        let (places, width, height): (Vec<Point>, f64, f64) = match board.shape() {
            Shape::Hexagon { side } => {
                let (side, count) = (f64::from(*side), f64::from(2 * *side) - 1.0);
                let width = (1.5 * count + 0.5) * HEXAGON_SIDE;
                let height = 2.0 * half * count;
                let place = |cell: Cell| {
                    let (x, y, _) = board.shape().vector((board.file(cell), board.rank(cell)));
                    let across = (f64::from(x) + side - 1.0) * 1.5 + 1.0;
                    (across * HEXAGON_SIDE, height / 2.0 - f64::from(y) * half)
                };
                (board.cells().map(place).collect(), width, height)
            }
            shape => {
                let files_a_layer = match shape {
                    Shape::Square { files, .. } => *files,
                    _ => board.files(),
                };
                let has_bar = grid == Grid::Points && board.files() >= LEAST_BARRED;
                let across = |file: u8| {
                    let layer = (file.max(1) - 1) / files_a_layer.max(1);
                    let bar = if has_bar && file > board.files() / 2 { BAR } else { 0.0 };
                    (f64::from(file) + f64::from(layer) * LAYER_GAP + bar) * CELL
                };
                let place = |cell: Cell| {
                    let rank = board.rank(cell);
                    let above = if game.looks.is_downward { rank - 1 } else { board.ranks() - rank };
                    (across(board.file(cell)) - CELL / 2.0, (f64::from(above) + 0.5) * tall)
                };
                (board.cells().map(place).collect(), across(board.files()), f64::from(board.ranks()) * tall)
            }
        };
        let text = (width.max(height) / CELL / PLAIN_CELLS).clamp(1.0, MOST_GROWTH);
        let margin = if coordinates { MARGIN * text } else { BARE_MARGIN };
        let (left, top) = (margin, BARE_MARGIN);
        let centres = places.into_iter().map(|(x, y)| (left + x, top + y)).collect();
        let (right, bottom) = (left + width, top + height);
        Plot {
            grid,
            centres,
            left,
            top,
            right,
            bottom,
            width: right + BARE_MARGIN,
            height: bottom + margin,
            text,
            tall,
            hexagon: HEXAGON_SIDE,
        }
    }

    pub fn centre(&self, cell: Cell) -> Point {
        self.centres.get(cell.index()).copied().unwrap_or((0.0, 0.0))
    }

    /// The middle of the base of a point, at the near edge of the board, and its tip.
    pub fn point(&self, cell: Cell) -> (Point, Point) {
        let (x, y) = self.centre(cell);
        let is_low = y > (self.top + self.bottom) / 2.0;
        let half = if is_low { self.tall / 2.0 } else { -self.tall / 2.0 };
        ((x, y + half), (x, y - 0.8 * half))
    }

    /// The corners of the cell's square, point or hexagon; none where cells are points.
    pub fn corners(&self, cell: Cell) -> Vec<Point> {
        let (x, y) = self.centre(cell);
        match self.grid {
            Grid::Points => {
                let (base, tip) = self.point(cell);
                vec![(base.0 - CELL / 2.0, base.1), tip, (base.0 + CELL / 2.0, base.1)]
            }
            Grid::Squares { .. } => {
                let half = CELL / 2.0;
                vec![(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
            }
            Grid::Hexagons => (0..6)
                .map(|corner| {
                    let angle = f64::from(corner) * std::f64::consts::FRAC_PI_3;
                    (x + self.hexagon * angle.cos(), y + self.hexagon * angle.sin())
                })
                .collect(),
            Grid::Crossings | Grid::Graph => Vec::new(),
        }
    }
}
