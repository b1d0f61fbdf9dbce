//! Layout: a game goes in; where its cells lie on the picture, and as what its board is drawn, come out.

use crate::board::{Cell, Dir, DirSet, Shape, Topology};
use crate::draw::scene::Point;
use crate::model::{CellStyle, Dirs, Game, Landing, Line, Place, Statement};

/// Width of a cell.
pub(super) const CELL: f64 = 48.0;
/// Room around a board, with and without coordinates.
const MARGIN: f64 = 30.0;
const BARE_MARGIN: f64 = 10.0;
/// Room between two layers, in cells.
const LAYER_GAP: f64 = 0.5;
/// Side of a hexagon, in units.
const HEXAGON_SIDE: f64 = 28.0;
/// Least files of a board on whose crossings stones are placed, unless the file says so.
const LEAST_GOBAN: u8 = 9;

/// As what a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grid {
    Squares {
        checkered: bool,
    },
    /// Points, where lines cross.
    Crossings,
    Hexagons,
    Graph,
}

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

fn grid(game: &Game) -> Grid {
    match game.topology.shape() {
        Shape::Hexagon { .. } => return Grid::Hexagons,
        Shape::Points { .. } => return Grid::Graph,
        Shape::Square { .. } => {}
    }
    match game.looks.layout {
        Some(CellStyle::Intersections) => Grid::Crossings,
        Some(CellStyle::Squares) => Grid::Squares { checkered: false },
        Some(CellStyle::Checkered) => Grid::Squares { checkered: true },
        None if is_uneven(&game.topology, game.topology.straight()) || places_stones(game) => Grid::Crossings,
        None => Grid::Squares { checkered: has_diagonal_movers(game) },
    }
}

/// Of some direction one step is drawn and another is not, though both ends are there.
pub(super) fn is_uneven(board: &Topology, dirs: DirSet) -> bool {
    dirs.iter().any(|dir| {
        board.cells().any(|from| {
            let place = (board.file(from), board.rank(from));
            let to = board.shape().neighbour(place, dir.index()).and_then(|(file, rank)| board.at(file, rank));
            to.is_some() && board.step(from, dir).is_none()
        })
    })
}

/// Stones are placed, and never go anywhere or change sides, on a board large enough for it.
pub(super) fn places_stones(game: &Game) -> bool {
    let board = &game.topology;
    let mut places = false;
    for statement in game.blocks.iter().flatten() {
        match statement {
            Statement::Move { .. } | Statement::Flip { .. } | Statement::Promote { .. } => return false,
            Statement::Place { place: Place::On { .. }, .. } => places = true,
            _ => {}
        }
    }
    let is_large = board.files() >= LEAST_GOBAN && board.ranks() >= LEAST_GOBAN;
    places && is_large && game.kinds.iter().all(|kind| kind.ways.is_empty())
}

/// Some way of a kind, or some move of a program, goes diagonally alone.
fn has_diagonal_movers(game: &Game) -> bool {
    let ways = game.kinds.iter().flat_map(|kind| kind.ways.iter().map(|way| &way.line));
    let moves = game.blocks.iter().flatten().filter_map(|statement| match statement {
        Statement::Move { landing: Landing::Line(line), .. } => Some(line),
        _ => None,
    });
    ways.chain(moves).any(|line| is_diagonal(game, line))
}

fn is_diagonal(game: &Game, line: &Line) -> bool {
    let diagonal = game.topology.diagonal();
    let dirs = known_dirs(game, &line.dirs);
    dirs.is_some_and(|dirs| !dirs.is_empty() && (dirs - diagonal).is_empty())
}

/// The directions as the first player sees them, where they are said in words for all.
fn known_dirs(game: &Game, dirs: &Dirs) -> Option<DirSet> {
    let board = &game.topology;
    let forward = || game.seats.first().and_then(|seat| seat.forward);
    let one = |dir: Dir| DirSet::one(dir);
    Some(match dirs {
        Dirs::Fixed(set) => *set,
        Dirs::Forward => one(forward()?),
        Dirs::Backward => one(board.opposite(forward()?)),
        Dirs::Ahead => board.ahead(forward()?),
        Dirs::Behind => board.behind(forward()?),
        Dirs::Sideways => board.sideways(forward()?),
        Dirs::Not(inner) => board.straight() - known_dirs(game, inner)?,
        Dirs::And(all) => {
            let sets: Option<Vec<DirSet>> = all.iter().map(|part| known_dirs(game, part)).collect();
            sets?.into_iter().reduce(|one, other| one & other)?
        }
        Dirs::Or(any) => {
            let sets: Option<Vec<DirSet>> = any.iter().map(|part| known_dirs(game, part)).collect();
            sets?.into_iter().fold(DirSet::EMPTY, |one, other| one | other)
        }
        Dirs::Opposite(inner) => board.opposites(&known_dirs(game, inner)?),
        _ => return None,
    })
}
