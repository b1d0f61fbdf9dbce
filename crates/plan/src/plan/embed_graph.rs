//! Graph embedding: a board of points goes in; the bit of each point comes out, so that few
//! distances make all steps.
//!
//! All steps along a line are alike, and few different ones are wanted. So points become places of
//! a space of few dimensions, in which a step along a line is one along one dimension: the points
//! of Nine Men's Morris lie in a cube of three by three by three, and six distances make all steps
//! there, not the twelve that they are apart on the page.

use smallvec::{SmallVec, smallvec};

use crate::board::{Cell, Dir, Topology};
use crate::plan::tuning::{MAX_EMBEDDING_DIMENSIONS, MAX_EMBEDDINGS_TRIED};

/// A place in a space.
type Place = [i8; MAX_EMBEDDING_DIMENSIONS];

/// A line by the directions forth: its dimension, and whether it goes up on it.
type Way = (usize, bool);

/// Bits of all points, no more than so many; `None`: they were not found.
pub fn places(topology: &Topology, most: usize) -> Option<Vec<usize>> {
    let forth = (0..topology.directions()).step_by(2).map(|dir| Dir(dir as u16));
    let lines: Vec<Vec<(Cell, Cell)>> =
        forth.map(|dir| steps(topology, dir)).filter(|steps| !steps.is_empty()).collect();
    (1..=MAX_EMBEDDING_DIMENSIONS).find_map(|dimensions| {
        let mut embedding = Embedding { lines: &lines, dimensions, most, patience: MAX_EMBEDDINGS_TRIED };
        let mut begun: Vec<Option<Place>> = vec![None; topology.len()];
        *begun.first_mut()? = Some([0; MAX_EMBEDDING_DIMENSIONS]);
        embedding.lay(begun, 0, &mut vec![false; lines.len()])
    })
}

/// The steps of a line.
pub fn steps(topology: &Topology, dir: Dir) -> Vec<(Cell, Cell)> {
    topology.cells().filter_map(|from| Some((from, topology.step(from, dir)?))).collect()
}

struct Embedding<'t> {
    lines: &'t [Vec<(Cell, Cell)>],
    dimensions: usize,
    most: usize,
    patience: u32,
}

impl Embedding<'_> {
    /// Lays the lines that are left, each through a point that has a place already; `used`: so many
    /// dimensions are.
    fn lay(&mut self, places: Vec<Option<Place>>, used: usize, laid: &mut Vec<bool>) -> Option<Vec<usize>> {
        let placed = |cell: Cell| places[cell.index()].is_some();
        let known = |line: &usize| self.lines[*line].iter().filter(|(from, to)| placed(*from) || placed(*to)).count();
        // The line of which most is known has the fewest ways to lie.
        let next = (0..self.lines.len()).filter(|&line| !laid[line] && known(&line) > 0).max_by_key(known);
        let Some(line) = next else {
            return if laid.contains(&false) { None } else { numbered(&places, self.most) };
        };
        laid[line] = true;
        // Which of the dimensions that are not used yet, and which way along it, makes no
        // difference.
        let ways = (0..used).flat_map(|dimension| [(dimension, true), (dimension, false)]);
        let ways: SmallVec<[Way; 8]> = ways.chain((used < self.dimensions).then_some((used, true))).collect();
        for way in ways {
            self.patience = self.patience.checked_sub(1)?;
            if let Some(places) = along(&places, &self.lines[line], way)
                && let Some(found) = self.lay(places, used.max(way.0 + 1), laid)
            {
                return Some(found);
            }
        }
        laid[line] = false;
        None
    }
}

/// The places with those of a line; `None`: it cannot lie so.
fn along(places: &[Option<Place>], line: &[(Cell, Cell)], (dimension, up): Way) -> Option<Vec<Option<Place>>> {
    let mut places = places.to_vec();
    let mut open: SmallVec<[(Cell, Cell); 16]> = line.iter().copied().collect();
    while !open.is_empty() {
        let before = open.len();
        let mut left: SmallVec<[(Cell, Cell); 16]> = smallvec![];
        for (from, to) in open {
            let moved = |place: Place, by: i8| {
                let mut place = place;
                place[dimension] = place[dimension].checked_add(by)?;
                Some(place)
            };
            let by = if up { 1 } else { -1 };
            match (places[from.index()], places[to.index()]) {
                (Some(a), Some(b)) if moved(a, by)? != b => return None,
                (Some(_), Some(_)) => {}
                (Some(a), None) => put(&mut places, to, moved(a, by)?)?,
                (None, Some(b)) => put(&mut places, from, moved(b, -by)?)?,
                (None, None) => left.push((from, to)),
            }
        }
        if left.len() == before {
            return None;
        }
        open = left;
    }
    Some(places)
}

/// Puts a point where no other one is.
fn put(places: &mut [Option<Place>], cell: Cell, place: Place) -> Option<()> {
    if places.contains(&Some(place)) {
        return None;
    }
    places[cell.index()] = Some(place);
    Some(())
}

/// The places as numbers, dimension by dimension, if all points have one and numbers are not too
/// large.
fn numbered(places: &[Option<Place>], most: usize) -> Option<Vec<usize>> {
    let places: Vec<Place> = places.iter().copied().collect::<Option<_>>()?;
    let mut numbers = vec![0; places.len()];
    let mut stride = 1;
    for dimension in 0..MAX_EMBEDDING_DIMENSIONS {
        let along = places.iter().map(|place| i32::from(place[dimension]));
        let (least, greatest) = (along.clone().min()?, along.clone().max()?);
        numbers.iter_mut().zip(along).for_each(|(number, at)| *number += (at - least) as usize * stride);
        stride *= (greatest - least + 1) as usize;
    }
    (stride <= most).then_some(numbers)
}
