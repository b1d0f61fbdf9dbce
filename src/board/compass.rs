//! Compass: directions and axes of a board go in; their opposites, relations and names come out,
//! and where cells go in reflections.

use crate::board::geometry::cell_name;
use crate::board::topology::{Compass, Shape, Topology};
use crate::board::{Axis, Cell, Dir, DirSet};

impl Topology {
    /// All directions of the shape that the word names: on squares N E S W, on hexagons all six, on
    /// points none.
    pub fn orthogonal(&self) -> DirSet {
        match self.shape {
            Shape::Square { .. } => (0..8).step_by(2).map(Dir).collect(),
            Shape::Hexagon { .. } => DirSet::first(6),
            Shape::Points { .. } => DirSet::EMPTY,
        }
    }

    /// On squares the four between; elsewhere none.
    pub fn diagonal(&self) -> DirSet {
        match self.shape {
            Shape::Square { .. } => (1..8).step_by(2).map(Dir).collect(),
            _ => DirSet::EMPTY,
        }
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
    pub fn opposites(&self, dirs: &DirSet) -> DirSet {
        dirs.iter().map(|dir| self.opposite(dir)).collect()
    }

    /// Of squares and hexagons: how many directions a half-turn is.
    fn half_turn(&self) -> u16 {
        if matches!(self.shape, Shape::Hexagon { .. }) { 3 } else { 4 }
    }

    /// The words of the shape's directions, by direction; none on points.
    fn compass_points(&self) -> &'static [Compass] {
        match self.shape {
            Shape::Square { .. } => &Compass::SQUARE,
            Shape::Hexagon { .. } => &Compass::HEXAGON,
            Shape::Points { .. } => &[],
        }
    }

    /// Directions with a compass name; `None` if the shape has no such direction.
    pub fn compass(&self, compass: Compass) -> Option<Dir> {
        let at = self.compass_points().iter().position(|&point| point == compass)?;
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
        self.compass_points().get(dir.index()).map_or("?", |point| point.name()).to_string()
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
        let is_wanted = |&(_, &step): &(u16, &(i32, i32))| wanted(self.shape.product(step, along));
        (0..).zip(steps).filter(is_wanted).map(|(number, _)| Dir(number)).collect()
    }

    /// The two directions next to one on the shape's compass (on squares at 45 degrees, on hexagons
    /// at 60).
    pub fn outward(&self, dir: Dir) -> DirSet {
        if matches!(self.shape, Shape::Points { .. }) {
            return DirSet::EMPTY;
        }
        let all = 2 * self.half_turn();
        [Dir((dir.0 + all - 1) % all), Dir((dir.0 + 1) % all)].into_iter().collect()
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
        let all = self.compass_points().len();
        if from.index() >= all || to.index() >= all {
            return None;
        }
        let by = (to.index() + all - from.index()) % all;
        let vector = self.shape.vector((self.file(cell), self.rank(cell)));
        let (file, rank) = self.shape.place(self.shape.turned(vector, by)?)?;
        self.at(file, rank)
    }
}
