//! Geometry: a shape goes in; the coordinates of its cells, the vectors of its directions, and its
//! reflections and turns come out.

use crate::board::topology::{Shape, TopologyError, Wrap};
use crate::board::{MAX_CELLS, MAX_HEXAGON_SIDE, MAX_LINES, MAX_SIDE};
use crate::sort;

/// File and rank of a cell, both from 1.
pub type Place = (u8, u8);

/// A difference of places: to the east, to the north, upwards. On squares files, ranks and layers; on
/// hexagons files and half ranks, so that all six steps are as long.
pub type Vector = (i32, i32, i32);

/// The steps of squares, clockwise from north.
const SQUARE_STEPS: [Vector; 8] =
    [(0, 1, 0), (1, 1, 0), (1, 0, 0), (1, -1, 0), (0, -1, 0), (-1, -1, 0), (-1, 0, 0), (-1, 1, 0)];
/// The steps of squares in layers: one half of the directions, then their opposites in the same order.
const LAYER_STEPS: [Vector; 26] = [
    (0, 1, 0),
    (1, 1, 0),
    (1, 0, 0),
    (1, -1, 0),
    (0, 0, 1),
    (0, 1, 1),
    (1, 1, 1),
    (1, 0, 1),
    (1, -1, 1),
    (0, -1, 1),
    (-1, -1, 1),
    (-1, 0, 1),
    (-1, 1, 1),
    (0, -1, 0),
    (-1, -1, 0),
    (-1, 0, 0),
    (-1, 1, 0),
    (0, 0, -1),
    (0, -1, -1),
    (-1, -1, -1),
    (-1, 0, -1),
    (-1, 1, -1),
    (0, 1, -1),
    (1, 1, -1),
    (1, 0, -1),
    (1, -1, -1),
];
/// The steps of hexagons, clockwise from north.
const HEXAGON_STEPS: [Vector; 6] = [(0, 2, 0), (1, 1, 0), (1, -1, 0), (0, -2, 0), (-1, -1, 0), (-1, 1, 0)];
/// Cells of a ring, at least.
const SHORTEST_RING: u8 = 3;
/// Last rank that a cell's name can tell.
const LAST_NAMED_RANK: u8 = 99;

/// The name of a file counted from 1: `a`..`z`, `aa`..`cu`.
pub fn file_name(file: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n % 26);
    match file.saturating_sub(1) {
        n @ 0..26 => letter(n).to_string(),
        n => [letter(n / 26 - 1), letter(n)].iter().collect(),
    }
}

/// `c12` from (3, 12).
pub fn cell_name(file: u8, rank: u8) -> String {
    format!("{}{rank}", file_name(file))
}

/// The number of a file from its letters, `None` if they are not one or two small letters or beyond
/// file `cu`.
pub fn parse_file(letters: &str) -> Option<u8> {
    let value = |b: u8| b.is_ascii_lowercase().then(|| i64::from(b - b'a') + 1);
    let file = match *letters.as_bytes() {
        [a] => value(a)?,
        [a, b] => 26 * value(a)? + value(b)?,
        _ => return None,
    };
    if file > MAX_SIDE { None } else { u8::try_from(file).ok() }
}

/// (file, rank) of a cell's name, both from 1; `None` if it is not of that form or beyond file cu
/// or rank 99.
pub fn parse_cell(name: &str) -> Option<(u8, u8)> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, number) = name.split_at_checked(digits)?;
    if number.starts_with('0') || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let rank = number.parse::<u8>().ok().filter(|&rank| rank <= LAST_NAMED_RANK)?;
    Some((parse_file(letters)?, rank))
}

/// All places of a shape in board order, or what is wrong with the shape.
pub fn places(shape: &Shape) -> Result<Vec<Place>, TopologyError> {
    let mut places = match shape {
        Shape::Square { files, ranks, layers, wrap } => square_places((*files, *ranks), *layers, *wrap)?,
        Shape::Hexagon { side } => hexagon_places(*side)?,
        Shape::Points { lines } => point_places(lines)?,
    };
    sort::by_key(&mut places, |&(file, rank)| (rank, file));
    places.dedup();
    match places.len() {
        0 => Err(TopologyError::NoCells),
        n if n > MAX_CELLS => Err(TopologyError::TooManyCells(n)),
        _ => Ok(places),
    }
}

fn square_places((files, ranks): (u8, u8), layers: u8, wrap: Wrap) -> Result<Vec<Place>, TopologyError> {
    for (wraps, side) in [(wrap.files, files), (wrap.ranks, ranks)] {
        if wraps && (1..SHORTEST_RING).contains(&side) {
            return Err(TopologyError::ShortRing(side));
        }
    }
    let files = files.saturating_mul(layers);
    let longest = files.max(ranks);
    if i64::from(longest) > MAX_SIDE {
        return Err(TopologyError::LongSide(longest));
    }
    Ok((1..=ranks).flat_map(|rank| (1..=files).map(move |file| (file, rank))).collect())
}

fn hexagon_places(side: u8) -> Result<Vec<Place>, TopologyError> {
    if i64::from(side) > MAX_HEXAGON_SIDE {
        return Err(TopologyError::LongSide(side));
    }
    let last = (2 * side).saturating_sub(1);
    let length = move |file: u8| last - side.abs_diff(file);
    Ok((1..=last).flat_map(|file| (1..=length(file)).map(move |rank| (file, rank))).collect())
}

fn point_places(lines: &[Vec<Place>]) -> Result<Vec<Place>, TopologyError> {
    if lines.len() > MAX_LINES {
        return Err(TopologyError::TooManyLines(lines.len()));
    }
    for (number, line) in lines.iter().enumerate() {
        if line.len() < 2 || line.windows(2).any(|pair| pair.first() == pair.last()) {
            return Err(TopologyError::ShortLine(number));
        }
        if crosses_itself(line) {
            return Err(TopologyError::CrossedLine(number));
        }
    }
    Ok(lines.iter().flatten().copied().collect())
}

/// A line names a cell twice, other than by closing as a ring. A walk along it would not know where
/// to go from there.
fn crosses_itself(line: &[Place]) -> bool {
    let ring = line.len() > 3 && line.first() == line.last();
    let mut cells = line.get(usize::from(ring)..).unwrap_or_default().to_vec();
    let named = cells.len();
    cells.sort_unstable();
    cells.dedup();
    cells.len() < named
}

/// A doubled distance from the middle, with what lies beyond one edge put in at the other.
fn round(at: i32, side: u8, wraps: bool) -> i32 {
    let side = i32::from(side);
    if wraps { (at + side).rem_euclid(2 * side) - side } else { at }
}

impl Shape {
    /// Number of directions of the shape, drawn or not.
    pub fn directions(&self) -> usize {
        match self {
            Shape::Points { lines } => 2 * lines.len(),
            _ => self.steps().len(),
        }
    }

    /// The vectors of the directions, clockwise from north; none on points.
    pub fn steps(&self) -> &'static [Vector] {
        match self {
            Shape::Square { layers: 0..=1, .. } => &SQUARE_STEPS,
            Shape::Square { .. } => &LAYER_STEPS,
            Shape::Hexagon { .. } => &HEXAGON_STEPS,
            Shape::Points { .. } => &[],
        }
    }

    /// Greatest file and rank.
    pub fn extent(&self) -> Place {
        match self {
            Shape::Square { files, ranks, layers, .. } => (files.saturating_mul(*layers), *ranks),
            Shape::Hexagon { side } => (2 * side - 1, 2 * side - 1),
            Shape::Points { lines } => {
                lines.iter().flatten().fold((0, 0), |(file, rank), place| (file.max(place.0), rank.max(place.1)))
            }
        }
    }

    /// Where a place lies, seen from the middle of the board. On squares doubled, as the middle may
    /// lie between cells.
    pub fn vector(&self, (file, rank): Place) -> Vector {
        let (file, rank) = (i32::from(file), i32::from(rank));
        match self {
            Shape::Square { files, ranks, layers, .. } => {
                let (files, ranks, layers) = (i32::from(*files), i32::from(*ranks), i32::from(*layers));
                let (layer, file) = ((file - 1) / files, (file - 1) % files + 1);
                (2 * file - 1 - files, 2 * rank - 1 - ranks, 2 * layer + 1 - layers)
            }
            Shape::Hexagon { side } => {
                let x = file - i32::from(*side);
                (x, 2 * rank + x.abs() - 2 * i32::from(*side), 0)
            }
            Shape::Points { .. } => (file, rank, 0),
        }
    }

    /// The place at a vector, if the numbers are whole and not negative; it may lie beyond the
    /// board.
    pub fn place(&self, (x, y, z): Vector) -> Option<Place> {
        let (file2, rank2) = match self {
            Shape::Square { files, ranks, layers, .. } => {
                let (files, ranks, layers) = (i32::from(*files), i32::from(*ranks), i32::from(*layers));
                let (file2, layer2) = (x + 1 + files, z - 1 + layers);
                // What lies beyond an edge of its layer is no cell of the next one.
                if layers > 1 && !(2..=2 * files).contains(&file2)
                    || layer2 % 2 != 0
                    || !(0..2 * layers).contains(&layer2)
                {
                    return None;
                }
                (file2 + layer2 * files, y + 1 + ranks)
            }
            Shape::Hexagon { side } => (2 * (x + i32::from(*side)), y - x.abs() + 2 * i32::from(*side)),
            Shape::Points { .. } => (2 * x, 2 * y),
        };
        if file2 % 2 != 0 || rank2 % 2 != 0 {
            return None;
        }
        Some((u8::try_from(file2 / 2).ok()?, u8::try_from(rank2 / 2).ok()?))
    }

    /// The place one step along a direction, which may lie beyond the board. Not for points.
    pub fn neighbour(&self, place: Place, direction: usize) -> Option<Place> {
        let (x, y, z) = self.vector(place);
        let &(dx, dy, dz) = self.steps().get(direction)?;
        match self {
            Shape::Square { files, ranks, wrap, .. } => {
                self.place((round(x + 2 * dx, *files, wrap.files), round(y + 2 * dy, *ranks, wrap.ranks), z + 2 * dz))
            }
            _ => self.place((x + dx, y + dy, z + dz)),
        }
    }

    /// The scalar product, in units in which it is whole: its sign tells ahead, sideways and
    /// behind.
    pub fn product(&self, a: Vector, b: Vector) -> i32 {
        let along = if matches!(self, Shape::Hexagon { .. }) { 3 } else { 1 };
        along * a.0 * b.0 + a.1 * b.1 + a.2 * b.2
    }

    /// Where a vector goes when the board is reflected so that a direction becomes its opposite.
    pub fn reflected(&self, at: Vector, direction: usize) -> Option<Vector> {
        let &along = self.steps().get(direction)?;
        let twice = 2 * self.product(at, along) / self.product(along, along);
        Some((at.0 - twice * along.0, at.1 - twice * along.1, at.2 - twice * along.2))
    }

    /// Where a vector goes when the board is turned so that one direction becomes another: around the
    /// upright, or from up to down around the line from south to north. `None` if cells do not fall
    /// on cells.
    pub fn turned(&self, (x, y, z): Vector, from: usize, to: usize) -> Option<Vector> {
        let steps = self.steps();
        let (&from, &to) = (steps.get(from)?, steps.get(to)?);
        let around: &[Vector] = if matches!(self, Shape::Hexagon { .. }) { &HEXAGON_STEPS } else { &SQUARE_STEPS };
        let place = |step: Vector| around.iter().position(|&level| level == step);
        match (place(from), place(to)) {
            (Some(from), Some(to)) => {
                let by = (to + around.len() - from) % around.len();
                match self {
                    Shape::Square { .. } if by.is_multiple_of(2) => {
                        Some((0..by / 2).fold((x, y, z), |(x, y, z), _| (y, -x, z)))
                    }
                    Shape::Hexagon { .. } => {
                        Some((0..by).fold((x, y, z), |(x, y, z), _| ((x + y) / 2, (y - 3 * x) / 2, z)))
                    }
                    _ => None,
                }
            }
            _ if from == to => Some((x, y, z)),
            (None, None) if from.0 == 0 && from.1 == 0 => Some((-x, y, -z)).filter(|_| to.2 == -from.2),
            _ => None,
        }
    }
}
