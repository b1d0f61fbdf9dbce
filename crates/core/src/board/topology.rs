//! Topology: a board's description goes in; tables of cells, neighbours, directions and bands come
//! out.

use smallvec::SmallVec;

use crate::board::geometry;
use crate::board::geometry::{Place, cell_name, parse_cell};
use crate::board::{AxisSet, Cell, CellSet, Dir, DirSet};

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

impl Compass {
    /// The word of the language.
    pub fn name(self) -> &'static str {
        match self {
            Compass::North => "north",
            Compass::Northeast => "northeast",
            Compass::East => "east",
            Compass::Southeast => "southeast",
            Compass::South => "south",
            Compass::Southwest => "southwest",
            Compass::West => "west",
            Compass::Northwest => "northwest",
        }
    }
}

/// The shape of a board before lines are drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Files and ranks of each layer, and how many layers, each from 1. The layers lie side by side:
    /// the files of the second, which stands on the first, follow those of the first.
    Square { files: u8, ranks: u8, layers: u8, wrap: Wrap },
    /// Side 1 to 16: `2 side - 1` upright files.
    Hexagon { side: u8 },
    /// Cells named by (file, rank), both from 1; lines as lists of such cells. A line may close as
    /// a ring.
    Points { lines: Vec<Vec<(u8, u8)>> },
}

/// Which ways a square board closes to rings: over the last file to the first, over the last rank
/// to the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wrap {
    pub files: bool,
    pub ranks: bool,
}

impl Wrap {
    /// How the option of a board says it; nothing where no way closes.
    pub fn words(self) -> &'static str {
        match (self.files, self.ranks) {
            (true, true) => ", wrap files and ranks",
            (true, false) => ", wrap files",
            (false, true) => ", wrap ranks",
            (false, false) => "",
        }
    }
}

impl Shape {
    /// One layer of squares with edges all around.
    pub fn square(files: u8, ranks: u8) -> Shape {
        Shape::Square { files, ranks, layers: 1, wrap: Wrap::default() }
    }
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

/// Why there is no such board; lines are told by their place in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopologyError {
    TooManyCells(usize),
    NoCells,
    TooManyLines(usize),
    /// A line of points that names a cell twice in a row or has fewer than two.
    ShortLine(usize),
    /// A line of points that comes back to one of its cells, other than from its end to its start.
    CrossedLine(usize),
    /// More than 99 files or ranks, or a hexagon with a side of more than 16.
    LongSide(u8),
    /// A ring of so few cells that a step and its way back lead to the same one.
    ShortRing(u8),
    /// `wrap` on a board that is no square one.
    NothingToWrap,
}

/// The tables of a board. Immutable; steps that are not drawn do not exist.
#[derive(Clone, Debug)]
pub struct Topology {
    pub shape: Shape,
    /// By cell, in board order.
    places: Vec<Place>,
    names: Vec<String>,
    /// By rank, then file, from 0; `NO_CELL` where there is none.
    by_place: Vec<u16>,
    /// By cell, then direction; `NO_CELL` where no step is drawn.
    steps: Vec<u16>,
    /// By cell: its drawn steps, in the order of directions.
    pub exits: Vec<Exits>,
    /// By direction: how its steps change the number of a cell, if all change it alike.
    pub strides: Vec<Option<Stride>>,
    straight: DirSet,
    /// Directions whose lines may come back to a cell, or join two cells that another one joins.
    pub shared: DirSet,
    /// By number: cells of the files up to it, and so on; see [`Topology::file_band`].
    pub files_to: Vec<CellSet>,
    pub ranks_to: Vec<CellSet>,
    /// By direction.
    pub rows_to: Vec<Vec<CellSet>>,
}

pub type Exits = SmallVec<[(Dir, Cell); 8]>;

/// The cells from which a direction is drawn, and what each step adds to the number of the cell.
#[derive(Clone, Debug)]
pub struct Stride {
    pub from: CellSet,
    pub by: i32,
}

const NO_CELL: u16 = u16::MAX;

/// A drawn step.
type Step = (Cell, Dir, Cell);

impl Topology {
    /// All cells of the shape, nothing missing, every direction of the shape drawn (on squares all
    /// eight).
    pub fn new(shape: Shape) -> Result<Topology, TopologyError> {
        let mut board = Topology::bare(geometry::places(&shape)?, shape);
        let steps = match &board.shape {
            Shape::Points { lines } => board.line_steps(lines),
            _ => board.compass_steps(),
        };
        board.draw(&steps);
        Ok(board)
    }

    /// The same board without some cells and with only these lines drawn (always both ways; several
    /// specs: a step is drawn if one of them draws it). No spec at all leaves the lines as they
    /// are. Cells are renumbered; `missing` and `lines` speak of the cells of `self`.
    pub fn redraw(&self, missing: &CellSet, lines: &[LineSpec]) -> Result<Topology, TopologyError> {
        let kept = self.cells().filter(|&cell| !missing.contains(cell));
        let places: Vec<Place> = kept.filter_map(|cell| self.places.get(cell.index()).copied()).collect();
        if places.is_empty() {
            return Err(TopologyError::NoCells);
        }
        let mut board = Topology::bare(places, self.shape.clone());
        let mut steps = Vec::new();
        for from in self.cells() {
            for &(dir, to) in self.exits(from) {
                let renumbered = (board.same_place(self, from), board.same_place(self, to));
                if let ((Some(new_from), Some(new_to)), true) = (renumbered, self.is_drawn_by(lines, from, dir, to)) {
                    steps.push((new_from, dir, new_to));
                }
            }
        }
        board.draw(&steps);
        Ok(board)
    }

    fn is_drawn_by(&self, lines: &[LineSpec], from: Cell, dir: Dir, to: Cell) -> bool {
        let draws = |line: &LineSpec| {
            let along = line.dirs.contains(dir) || line.dirs.contains(self.opposite(dir));
            along && line.ends.contains(from) && line.ends.contains(to)
        };
        lines.is_empty() || lines.iter().any(draws)
    }

    fn same_place(&self, other: &Topology, cell: Cell) -> Option<Cell> {
        let &(file, rank) = other.places.get(cell.index())?;
        self.at(file, rank)
    }

    /// The cells and bands of a board on which nothing is drawn yet.
    fn bare(places: Vec<Place>, shape: Shape) -> Topology {
        let (_, ranks) = shape.extent();
        let mut by_place = vec![NO_CELL; PLACES_A_RANK * (usize::from(ranks) + 1)];
        for (number, &place) in places.iter().enumerate() {
            if let Some(entry) = by_place.get_mut(place_index(place)) {
                *entry = number as u16;
            }
        }
        let mut board = Topology {
            names: places.iter().map(|&(file, rank)| cell_name(file, rank)).collect(),
            shape,
            places,
            by_place,
            steps: Vec::new(),
            exits: Vec::new(),
            strides: Vec::new(),
            straight: DirSet::EMPTY,
            shared: DirSet::EMPTY,
            files_to: Vec::new(),
            ranks_to: Vec::new(),
            rows_to: Vec::new(),
        };
        board.fill_bands();
        board
    }

    fn compass_steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for (from, &place) in self.cells().zip(&self.places) {
            for direction in 0..self.directions() {
                let to = self.shape.neighbour(place, direction).and_then(|(file, rank)| self.at(file, rank));
                steps.extend(to.map(|to| (from, Dir(direction as u16), to)));
            }
        }
        steps
    }

    fn line_steps(&self, lines: &[Vec<Place>]) -> Vec<Step> {
        let mut steps = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let cells: Vec<Cell> = line.iter().filter_map(|&(file, rank)| self.at(file, rank)).collect();
            let [forth, back] = [Dir(2 * number as u16), Dir(2 * number as u16 + 1)];
            for pair in cells.windows(2) {
                if let &[a, b] = pair {
                    steps.extend([(a, forth, b), (b, back, a)]);
                }
            }
        }
        steps
    }

    fn draw(&mut self, steps: &[Step]) {
        let directions = self.directions();
        self.steps = vec![NO_CELL; directions * self.len()];
        self.exits = vec![Exits::new(); self.len()];
        for &(from, dir, to) in steps {
            if let Some(entry) = self.steps.get_mut(from.index() * directions + dir.index()) {
                *entry = to.0;
            }
            self.straight.insert(dir);
            if let Some(exits) = self.exits.get_mut(from.index()) {
                exits.push((dir, to));
            }
        }
        for exits in &mut self.exits {
            exits.sort_unstable();
        }
        self.strides = (0..directions).map(|direction| stride(steps, Dir(direction as u16))).collect();
        // Edges all around leave one line between two cells.
        let open = match self.shape {
            Shape::Square { wrap, .. } => wrap == Wrap::default(),
            Shape::Hexagon { .. } => true,
            Shape::Points { .. } => false,
        };
        if !open {
            // This takes steps, which are found by the number of strides.
            self.shared = self.shared_lines();
        }
    }

    /// The shape of the board, missing cells and lines that are not drawn included.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Never: a board has at least one cell.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// All cells.
    pub fn any(&self) -> CellSet {
        CellSet::first(self.len())
    }

    /// All cells in board order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.len() as u16).map(Cell)
    }

    /// The cell at (file, rank), both from 1.
    pub fn at(&self, file: u8, rank: u8) -> Option<Cell> {
        if usize::from(file) >= PLACES_A_RANK {
            return None;
        }
        self.by_place.get(place_index((file, rank))).filter(|&&number| number != NO_CELL).map(|&number| Cell(number))
    }

    /// The cell of a name, if the board has it.
    pub fn named(&self, name: &str) -> Option<Cell> {
        let (file, rank) = parse_cell(name)?;
        self.at(file, rank)
    }

    /// `c12`.
    pub fn name(&self, cell: Cell) -> &str {
        self.names.get(cell.index()).map_or("?", String::as_str)
    }

    /// The number of a cell's file, from 1.
    pub fn file(&self, cell: Cell) -> u8 {
        self.places.get(cell.index()).map_or(0, |place| place.0)
    }

    /// The number of a cell's rank, from 1.
    pub fn rank(&self, cell: Cell) -> u8 {
        self.places.get(cell.index()).map_or(0, |place| place.1)
    }

    /// Greatest file of the shape.
    pub fn files(&self) -> u8 {
        self.shape.extent().0
    }

    /// Greatest rank of the shape.
    pub fn ranks(&self) -> u8 {
        self.shape.extent().1
    }

    /// The neighbour one drawn step away.
    #[inline]
    pub fn step(&self, cell: Cell, dir: Dir) -> Option<Cell> {
        let &to = self.steps.get(cell.index() * self.strides.len() + dir.index())?;
        (to != NO_CELL).then_some(Cell(to))
    }

    /// The drawn steps from a cell with where they lead, in the order of directions.
    #[inline]
    pub fn exits(&self, cell: Cell) -> &[(Dir, Cell)] {
        self.exits.get(cell.index()).map_or(&[], |exits| exits.as_slice())
    }

    /// Number of directions of the shape, drawn or not.
    pub fn directions(&self) -> usize {
        self.shape.directions()
    }

    /// All directions along which some step is drawn.
    pub fn straight(&self) -> DirSet {
        self.straight
    }

    /// Axes of which a step is drawn.
    pub fn axes(&self) -> AxisSet {
        self.straight.iter().map(|dir| self.axis(dir)).collect()
    }
}

/// How all steps of a direction change the number of a cell; `None` if they differ, or there are
/// none.
fn stride(steps: &[Step], dir: Dir) -> Option<Stride> {
    let by = |step: &Step| i32::from(step.2.0) - i32::from(step.0.0);
    let mut along = steps.iter().filter(|step| step.1 == dir).peekable();
    let first = by(along.peek()?);
    let mut from = CellSet::EMPTY;
    for step in along {
        if by(step) != first {
            return None;
        }
        from.insert(step.0);
    }
    Some(Stride { from, by: first })
}

/// Files from 0 to the last.
const PLACES_A_RANK: usize = crate::board::MAX_SIDE as usize + 1;

fn place_index((file, rank): Place) -> usize {
    usize::from(rank) * PLACES_A_RANK + usize::from(file)
}
