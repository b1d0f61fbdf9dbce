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
    /// Distance from a centre to the farthest corner of its hexagon.
    pub hexagon: f64,
}

impl Plot {
    pub fn new(game: &Game, coordinates: bool) -> Plot {
        let board = &game.topology;
        let margin = if coordinates { MARGIN } else { BARE_MARGIN };
        let (left, top) = (margin, BARE_MARGIN);
        let (mut width, mut height) = (0.0, 0.0);
        let half = HEXAGON_SIDE * 3.0_f64.sqrt() / 2.0;
        let centres = match board.shape() {
            Shape::Hexagon { side } => {
                let (side, count) = (f64::from(*side), f64::from(2 * *side) - 1.0);
                width = (1.5 * count + 0.5) * HEXAGON_SIDE;
                height = 2.0 * half * count;
                let place = |cell: Cell| {
                    let (x, y, _) = board.shape().vector((board.file(cell), board.rank(cell)));
                    let across = (f64::from(x) + side - 1.0) * 1.5 + 1.0;
                    (left + across * HEXAGON_SIDE, top + height / 2.0 - f64::from(y) * half)
                };
                board.cells().map(place).collect::<Vec<_>>()
            }
            shape => {
                let files_a_layer = match shape {
                    Shape::Square { files, .. } => *files,
                    _ => board.files(),
                };
                let across = |file: u8| {
                    let layer = (file.max(1) - 1) / files_a_layer.max(1);
                    (f64::from(file) + f64::from(layer) * LAYER_GAP) * CELL
                };
                width = width.max(across(board.files()));
                height = f64::max(height, f64::from(board.ranks()) * CELL);
                let place = |cell: Cell| {
                    let down = f64::from(board.ranks() - board.rank(cell)) + 0.5;
                    (left + across(board.file(cell)) - CELL / 2.0, top + down * CELL)
                };
                board.cells().map(place).collect()
            }
        };
        let (right, bottom) = (left + width, top + height);
        let below = if coordinates { MARGIN } else { BARE_MARGIN };
        Plot {
            grid: grid(game),
            centres,
            left,
            top,
            right,
            bottom,
            width: right + BARE_MARGIN,
            height: bottom + below,
            hexagon: HEXAGON_SIDE,
        }
    }

    pub fn centre(&self, cell: Cell) -> Point {
        self.centres.get(cell.index()).copied().unwrap_or((0.0, 0.0))
    }

    /// The corners of the cell's square or hexagon; none where cells are points.
    pub fn corners(&self, cell: Cell) -> Vec<Point> {
        let (x, y) = self.centre(cell);
        match self.grid {
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
