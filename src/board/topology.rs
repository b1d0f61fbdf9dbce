//! A board's description goes in; tables of cells, neighbours, directions and bands come out.

use super::{Axis, AxisSet, Cell, CellSet, Dir, DirSet, Player};

/// The compass of squares, clockwise from north. A hexagon has all but east and west.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Compass {
    North,
    Northeast,
    East,
    Southeast,
    South,
    Southwest,
    West,
    Northwest,
}

/// The shape of a board before lines are drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Files and ranks, each 1 to 32.
    Square { files: u8, ranks: u8 },
    /// Side 1 to 16: `2 side - 1` upright files.
    Hexagon { side: u8 },
    /// Cells named by (file, rank), both from 1; lines as lists of such cells.
    Points { lines: Vec<Vec<(u8, u8)>> },
}

/// Bands of cells, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    File,
    Rank,
    /// From the side of the player concerned, along his forward.
    Row,
}

/// Which steps of a direction are drawn: where both ends lie in `ends`.
#[derive(Clone, Copy, Debug)]
pub struct LineSpec {
    pub dirs: DirSet,
    pub ends: CellSet,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopologyError {
    TooManyCells(usize),
    NoCells,
    TooManyLines(usize),
    /// A line of points that names a cell twice in a row or has fewer than two.
    ShortLine(usize),
}

/// The tables of a board. Immutable; steps that are not drawn do not exist.
#[derive(Clone, Debug)]
pub struct Topology {
    shape: Shape,
}

/// The name of a file counted from 1: `a`..`z`, `aa`..`af`.
pub fn file_name(file: u8) -> String {
    todo!()
}

/// `c12` from (3, 12).
pub fn cell_name(file: u8, rank: u8) -> String {
    todo!()
}

/// (file, rank) of a cell's name, both from 1; `None` if it is not of that form or beyond file af or rank 99.
pub fn parse_cell(name: &str) -> Option<(u8, u8)> {
    todo!()
}

impl Topology {
    /// All cells of the shape, nothing missing, every direction of the shape drawn (on squares all eight).
    pub fn new(shape: Shape) -> Result<Topology, TopologyError> {
        todo!()
    }

    /// The same board without some cells and with only these lines drawn (always both ways; several specs: a step is drawn
    /// if one of them draws it). Cells are renumbered; `missing` and `lines` speak of the cells of `self`.
    pub fn redraw(&self, missing: &CellSet, lines: &[LineSpec]) -> Result<Topology, TopologyError> {
        todo!()
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }
    /// Number of cells.
    pub fn len(&self) -> usize {
        todo!()
    }
    /// All cells.
    pub fn any(&self) -> CellSet {
        todo!()
    }
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        std::iter::empty()
    }
    /// The cell at (file, rank), both from 1.
    pub fn at(&self, file: u8, rank: u8) -> Option<Cell> {
        todo!()
    }
    pub fn named(&self, name: &str) -> Option<Cell> {
        todo!()
    }
    pub fn name(&self, cell: Cell) -> &str {
        todo!()
    }
    /// From 1.
    pub fn file(&self, cell: Cell) -> u8 {
        todo!()
    }
    pub fn rank(&self, cell: Cell) -> u8 {
        todo!()
    }
    /// Greatest file and rank of the shape.
    pub fn files(&self) -> u8 {
        todo!()
    }
    pub fn ranks(&self) -> u8 {
        todo!()
    }

    /// The neighbour one drawn step away.
    pub fn step(&self, cell: Cell, dir: Dir) -> Option<Cell> {
        todo!()
    }
    /// Cells one drawn step from a cell of `cells` along `dirs`; may contain cells of `cells`.
    pub fn shift(&self, cells: &CellSet, dirs: &DirSet) -> CellSet {
        todo!()
    }
    /// Number of directions of the shape, drawn or not.
    pub fn directions(&self) -> usize {
        todo!()
    }
    /// All directions along which some step is drawn.
    pub fn straight(&self) -> DirSet {
        todo!()
    }
    /// All directions of the shape that the word names: on squares N E S W, on hexagons all six, on points none.
    pub fn orthogonal(&self) -> DirSet {
        todo!()
    }
    pub fn diagonal(&self) -> DirSet {
        todo!()
    }
    /// Axes of which a step is drawn.
    pub fn axes(&self) -> AxisSet {
        todo!()
    }
    pub fn axis(&self, dir: Dir) -> Axis {
        todo!()
    }
    /// The two directions of an axis, the one that comes first clockwise from north (on points: forth along the line) first.
    pub fn directions_of(&self, axis: Axis) -> [Dir; 2] {
        todo!()
    }
    pub fn opposite(&self, dir: Dir) -> Dir {
        todo!()
    }
    pub fn opposites(&self, dirs: &DirSet) -> DirSet {
        todo!()
    }
    /// Directions with a compass name; `None` if the shape has no such direction.
    pub fn compass(&self, compass: Compass) -> Option<Dir> {
        todo!()
    }
    /// `north`, ..., on points the first step of the line in that direction, `a7/d7`. (An axis is written `north/south`, on points as its forth direction.)
    pub fn direction_name(&self, dir: Dir) -> String {
        todo!()
    }
    /// Of a forward: every direction with a component along it. None of these words has a meaning on points (empty).
    pub fn ahead(&self, forward: Dir) -> DirSet {
        todo!()
    }
    pub fn behind(&self, forward: Dir) -> DirSet {
        todo!()
    }
    /// The directions at right angles.
    pub fn sideways(&self, forward: Dir) -> DirSet {
        todo!()
    }
    /// The two directions next to one on the shape's compass (on squares at 45 degrees, on hexagons at 60).
    pub fn outward(&self, dir: Dir) -> DirSet {
        todo!()
    }

    /// The number of a cell's row counted along a forward, from 1 at the edge behind: for north the rank, for east the file, for a
    /// diagonal the number of the line at right angles to it. 0 where rows have no meaning (points; hexagons).
    pub fn row(&self, cell: Cell, forward: Dir) -> i64 {
        todo!()
    }
    /// The greatest row of the shape along a forward.
    pub fn last_row(&self, forward: Dir) -> i64 {
        todo!()
    }
    /// Cells of the files `from..=to`; numbers outside the board are no cells.
    pub fn file_band(&self, from: i64, to: i64) -> CellSet {
        todo!()
    }
    pub fn rank_band(&self, from: i64, to: i64) -> CellSet {
        todo!()
    }
    pub fn row_band(&self, forward: Dir, from: i64, to: i64) -> CellSet {
        todo!()
    }
    /// Cells in both the files and the ranks between two cells (the rectangle between two corners).
    pub fn rectangle(&self, a: Cell, b: Cell) -> CellSet {
        todo!()
    }

    /// The cells from a to b in a straight drawn line with both ends, in any one direction; only `a` if both are one; `None` if not in line.
    pub fn span(&self, a: Cell, b: Cell) -> Option<CellSet> {
        todo!()
    }
    /// The maximal parts of a set joined by drawn steps along dirs (either way); by first cell, then last.
    pub fn groups(&self, of: &CellSet, dirs: &DirSet) -> Vec<CellSet> {
        todo!()
    }
    /// The cells of those groups of `within` that hold a cell of `seed`.
    pub fn flood(&self, seed: &CellSet, within: &CellSet, dirs: &DirSet) -> CellSet {
        todo!()
    }
    /// Every unbroken straight row of `from..=to` cells of the set along dirs (either way), parts of longer rows too, each once, by
    /// first cell, then last.
    pub fn segments(&self, of: &CellSet, dirs: &DirSet, from: i64, to: i64) -> Vec<CellSet> {
        todo!()
    }

    /// Where a cell goes when what the player with forward `from` has is given to the one with forward `to` by `mirror` (opposite:
    /// reflected, so that on squares ranks, or files, are reversed; otherwise turned by the angle between). `None`: no such cell.
    pub fn mirrored(&self, cell: Cell, from: Dir, to: Dir) -> Option<Cell> {
        todo!()
    }
    /// The same by turning alone: a half-turn for opposites.
    pub fn rotated(&self, cell: Cell, from: Dir, to: Dir) -> Option<Cell> {
        todo!()
    }
}
