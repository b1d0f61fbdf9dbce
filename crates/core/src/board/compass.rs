//! Compass: directions and axes of a board go in; their opposites, relations and names come out,
//! and where cells go in reflections.

use crate::board::geometry::{Vector, cell_name};
use crate::board::topology::{Compass, Shape, Topology};
use crate::board::{Axis, Cell, Dir, DirSet};

impl Topology {
    /// All directions of the shape that the word names: on squares those through a side, on hexagons
    /// all six, on points none.
    pub fn orthogonal(&self) -> DirSet {
        match self.shape {
            Shape::Hexagon { .. } => DirSet::first(6),
            _ => self.through(1),
        }
    }

    /// On squares those through a corner, in layers through an edge; elsewhere none.
    pub fn diagonal(&self) -> DirSet {
        match self.shape {
            Shape::Hexagon { .. } => DirSet::EMPTY,
            _ => self.through(2),
        }
    }

    /// The directions whose steps go so many ways at once: east or west, north or south, up or down.
    fn through(&self, ways: i32) -> DirSet {
        let is_wanted = |&(_, step): &(u16, &Vector)| self.shape.product(*step, *step) == ways;
        (0..).zip(self.shape.steps()).filter(is_wanted).map(|(number, _)| Dir(number)).collect()
    }

    /// The axis that a direction belongs to.
    pub fn axis(&self, dir: Dir) -> Axis {
        match self.shape {
            Shape::Points { .. } => Axis(dir.0 / 2),
            _ => Axis(dir.0 % self.half_turn()),
        }
    }

    /// The two directions of an axis, the one that comes first clockwise from north (on points:
    /// forth along the line) first.
    pub fn directions_of(&self, axis: Axis) -> [Dir; 2] {
        match self.shape {
            Shape::Points { .. } => [Dir(2 * axis.0), Dir(2 * axis.0 + 1)],
            _ => [Dir(axis.0), Dir(axis.0 + self.half_turn())],
        }
    }

    /// The way back.
    #[inline]
    pub fn opposite(&self, dir: Dir) -> Dir {
        match self.shape {
            Shape::Points { .. } => Dir(dir.0 ^ 1),
            _ => Dir((dir.0 + self.half_turn()) % (2 * self.half_turn())),
        }
    }

    /// The ways back of all.
    /// The directions that stand so many places further clockwise around the drawn ones; those that
    /// are not drawn are dropped. Boards whose directions lie in no circle have none.
    pub fn clockwise(&self, dirs: &DirSet, by: i64) -> DirSet {
        let circle: Vec<Dir> = if self.has_circle() { self.straight().iter().collect() } else { Vec::new() };
        let turned = |dir: Dir| {
            let at = circle.iter().position(|other| *other == dir)?;
            let to = (at as i64 + by.rem_euclid(circle.len() as i64)) as usize % circle.len();
            circle.get(to).copied()
        };
        dirs.iter().filter_map(turned).collect()
    }

    /// Its directions follow each other clockwise: one layer of squares, or hexagons.
    pub fn has_circle(&self) -> bool {
        matches!(self.shape(), Shape::Square { layers: 1, .. } | Shape::Hexagon { .. })
    }

    pub fn opposites(&self, dirs: &DirSet) -> DirSet {
        dirs.iter().map(|dir| self.opposite(dir)).collect()
    }

    /// Of squares and hexagons: how many directions a half-turn is.
    fn half_turn(&self) -> u16 {
        self.shape.steps().len() as u16 / 2
    }

    /// The words of the shape's directions, by direction; none on points.
    pub fn direction_words(&self) -> impl Iterator<Item = String> + use<'_> {
        self.shape.steps().iter().map(|&(x, y, z)| {
            let upright = ["down", "", "up"][(z + 1) as usize];
            let north = ["south", "", "north"][(y.signum() + 1) as usize];
            format!("{upright}{north}{}", ["west", "", "east"][(x + 1) as usize])
        })
    }

    /// Directions with a compass name; `None` if the shape has no such direction.
    pub fn compass(&self, compass: Compass) -> Option<Dir> {
        self.direction_named(compass.name())
    }

    /// The direction that a word names; `None` if the shape has no such direction.
    pub fn direction_named(&self, word: &str) -> Option<Dir> {
        // Each name of a rules file is asked for, so no words are made to compare with.
        let part = |word: &'_ str, plus, minus| match (word.strip_prefix(plus), word.strip_prefix(minus)) {
            (Some(rest), _) => (1, word.len() - rest.len()),
            (_, Some(rest)) => (-1, word.len() - rest.len()),
            (None, None) => (0, 0),
        };
        let (z, upright) = part(word, "up", "down");
        let (y, north) = part(&word[upright..], "north", "south");
        let (x, east) = part(&word[upright + north..], "east", "west");
        if upright + north + east != word.len() {
            return None;
        }
        let at = self.shape.steps().iter().position(|step| (step.0, step.1.signum(), step.2) == (x, y, z))?;
        u16::try_from(at).ok().map(Dir)
    }

    /// `north`, ..., on points the first step of the line in that direction, `a7/d7`.
    pub fn direction_name(&self, dir: Dir) -> String {
        if let Shape::Points { lines } = &self.shape {
            let line = lines.get(dir.index() / 2).map_or(&[][..], Vec::as_slice);
            let name = |place: &(u8, u8)| cell_name(place.0, place.1);
            return match line {
                [first, second, ..] if dir.0.is_multiple_of(2) => format!("{}/{}", name(first), name(second)),
                [.., second, first] => format!("{}/{}", name(first), name(second)),
                _ => String::from("?"),
            };
        }
        self.direction_words().nth(dir.index()).unwrap_or_else(|| String::from("?"))
    }

    /// `north/south`, on points the forth direction's name, `a7/d7`.
    pub fn axis_name(&self, axis: Axis) -> String {
        let [forth, back] = self.directions_of(axis);
        match self.shape {
            Shape::Points { .. } => self.direction_name(forth),
            _ => format!("{}/{}", self.direction_name(forth), self.direction_name(back)),
        }
    }

    /// Of a forward: every direction with a component along it. None of these words has a meaning
    /// on points (empty).
    pub fn ahead(&self, forward: Dir) -> DirSet {
        self.relative(forward, |product| product > 0)
    }

    /// Every direction with a component against it.
    pub fn behind(&self, forward: Dir) -> DirSet {
        self.relative(forward, |product| product < 0)
    }

    /// The directions at right angles; none on hexagons.
    pub fn sideways(&self, forward: Dir) -> DirSet {
        self.relative(forward, |product| product == 0)
    }

    fn relative(&self, forward: Dir, wanted: impl Fn(i32) -> bool) -> DirSet {
        let steps = self.shape.steps();
        let Some(&along) = steps.get(forward.index()) else { return DirSet::EMPTY };
        let is_wanted = |&(_, &step): &(u16, &Vector)| wanted(self.shape.product(step, along));
        (0..).zip(steps).filter(is_wanted).map(|(number, _)| Dir(number)).collect()
    }

    /// The directions next to one: on squares at 45 degrees or less, on hexagons at 60.
    pub fn outward(&self, dir: Dir) -> DirSet {
        let steps = self.shape.steps();
        let Some(&along) = steps.get(dir.index()) else { return DirSet::EMPTY };
        let length = |step: Vector| self.shape.product(step, step);
        // Twice, for hexagons four times, the square of the cosine is at least 1.
        let factor = if matches!(self.shape, Shape::Hexagon { .. }) { 4 } else { 2 };
        let is_next = |&(number, &step): &(u16, &Vector)| {
            let product = self.shape.product(step, along);
            number != dir.0 && product > 0 && factor * product * product >= length(step) * length(along)
        };
        (0..).zip(steps).filter(is_next).map(|(number, _)| Dir(number)).collect()
    }

    /// Where a cell goes when what the player with forward `from` has is given to the one with
    /// forward `to` by `mirror` (opposite: reflected, so that on squares ranks, or files, are
    /// reversed; otherwise turned by the angle between). `None`: no such cell.
    pub fn mirrored(&self, cell: Cell, from: Dir, to: Dir) -> Option<Cell> {
        if to != self.opposite(from) {
            return self.rotated(cell, from, to);
        }
        let vector = self.shape.vector((self.file(cell), self.rank(cell)));
        let (file, rank) = self.shape.place(self.shape.reflected(vector, from.index())?)?;
        self.at(file, rank)
    }

    /// The same by turning alone: a half-turn for opposites.
    pub fn rotated(&self, cell: Cell, from: Dir, to: Dir) -> Option<Cell> {
        let vector = self.shape.vector((self.file(cell), self.rank(cell)));
        let (file, rank) = self.shape.place(self.shape.turned(vector, from.index(), to.index())?)?;
        self.at(file, rank)
    }
}
