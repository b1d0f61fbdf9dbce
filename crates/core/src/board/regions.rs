//! Regions: sets of cells of a board go in; bands, shifts, floods, groups, rows and straight lines
//! of cells come out.

use crate::board::topology::{Shape, Topology};
use crate::board::{Axis, Cell, CellSet, Dir, DirSet};
use crate::sort;

/// Up to so many cells a shift looks up each cell's steps; beyond, it moves whole words.
const FEW: usize = 3;

impl Topology {
    /// Fills the tables behind the bands: of each number, the cells up to it.
    pub fn fill_bands(&mut self) {
        self.files_to = self.prefixes(i64::from(self.files()), |cell| i64::from(self.file(cell)));
        self.ranks_to = self.prefixes(i64::from(self.ranks()), |cell| i64::from(self.rank(cell)));
        // Once for each direction, not for each cell. Boards of other shapes have no rows.
        let rows = |dir: Dir| {
            let (first, last) = self.row_range(dir)?;
            Some(self.prefixes(last - first + 1, |cell| self.row_from(first, cell, dir)))
        };
        self.rows_to = (0..self.directions() as u16).map_while(|dir| rows(Dir(dir))).collect();
    }

    /// By bound from 0 to the last: the cells whose number is not above it.
    fn prefixes(&self, last: i64, number: impl Fn(Cell) -> i64) -> Vec<CellSet> {
        let mut sets = vec![CellSet::EMPTY; usize::try_from(last + 1).unwrap_or(0)];
        for cell in self.cells() {
            let first = usize::try_from(number(cell).max(0)).ok();
            if let Some(set) = first.and_then(|first| sets.get_mut(first)) {
                set.insert(cell);
            }
        }
        let mut all = CellSet::EMPTY;
        for set in &mut sets {
            all |= *set;
            *set = all;
        }
        sets
    }

    /// The number of a cell's row counted along a forward, from 1 at the edge behind: for north the
    /// rank, for east the file, for a diagonal the number of the line at right angles to it. 0
    /// where rows have no meaning (points; hexagons).
    pub fn row(&self, cell: Cell, forward: Dir) -> i64 {
        self.row_range(forward).map_or(0, |(first, _)| self.row_from(first, cell, forward))
    }

    /// The same where the first row is known.
    fn row_from(&self, first: i64, cell: Cell, forward: Dir) -> i64 {
        self.depth((self.file(cell), self.rank(cell)), forward) - first + 1
    }

    /// The greatest row of the shape along a forward; 0 where rows have no meaning.
    pub fn last_row(&self, forward: Dir) -> i64 {
        self.row_range(forward).map_or(0, |(first, last)| last - first + 1)
    }

    /// The least and greatest depth of the shape's corners.
    fn row_range(&self, forward: Dir) -> Option<(i64, i64)> {
        let Shape::Square { files, ranks, layers, .. } = self.shape else { return None };
        let last = files.saturating_mul(layers.saturating_sub(1));
        let corner = |file: u8, rank| [(file, rank), (file.saturating_add(last), rank)];
        let corners = [corner(1, 1), corner(files, 1), corner(1, ranks), corner(files, ranks)];
        let depths = corners.as_flattened().iter().map(|&corner| self.depth(corner, forward));
        Some((depths.clone().min()?, depths.max()?))
    }

    /// How far along a direction a place of a square board lies.
    fn depth(&self, place: (u8, u8), forward: Dir) -> i64 {
        let along = self.shape.steps().get(forward.index()).copied().unwrap_or_default();
        // Vectors are doubled, and so are their products; all of one board are even, or all are odd.
        i64::from(self.shape.product(self.shape.vector(place), along)).div_euclid(2)
    }

    /// Cells of the files `from..=to`; numbers outside the board are no cells.
    pub fn file_band(&self, from: i64, to: i64) -> CellSet {
        band(&self.files_to, from, to)
    }

    /// Cells of the ranks `from..=to`.
    pub fn rank_band(&self, from: i64, to: i64) -> CellSet {
        band(&self.ranks_to, from, to)
    }

    /// Cells of the rows `from..=to` counted along a forward; none where rows have no meaning.
    pub fn row_band(&self, forward: Dir, from: i64, to: i64) -> CellSet {
        self.rows_to.get(forward.index()).map_or(CellSet::EMPTY, |rows| band(rows, from, to))
    }

    /// Cells in both the files and the ranks between two cells (the rectangle between two corners).
    pub fn rectangle(&self, a: Cell, b: Cell) -> CellSet {
        let ordered = |x: u8, y: u8| (i64::from(x.min(y)), i64::from(x.max(y)));
        let (files, ranks) = (ordered(self.file(a), self.file(b)), ordered(self.rank(a), self.rank(b)));
        self.file_band(files.0, files.1) & self.rank_band(ranks.0, ranks.1)
    }

    /// Cells one drawn step from a cell of `cells` along `dirs`; may contain cells of `cells`.
    pub fn shift(&self, cells: &CellSet, dirs: &DirSet) -> CellSet {
        let words = self.len().div_ceil(64);
        let mut shifted = CellSet::EMPTY;
        if cells.len_in(words) <= FEW {
            for cell in cells.iter() {
                self.add_neighbours(&mut shifted, cell, dirs);
            }
            return shifted;
        }
        for dir in dirs.iter() {
            match self.strides.get(dir.index()) {
                Some(Some(stride)) => shifted.add_shifted(cells, &stride.from, stride.by, words),
                _ => shifted.extend(cells.iter().filter_map(|cell| self.step(cell, dir))),
            }
        }
        shifted
    }

    fn add_neighbours(&self, to: &mut CellSet, cell: Cell, dirs: &DirSet) {
        for &(dir, neighbour) in self.exits(cell) {
            if dirs.contains(dir) {
                to.insert(neighbour);
            }
        }
    }

    /// Directions with their opposites: joining goes either way.
    fn either_way(&self, dirs: &DirSet) -> DirSet {
        let straight = self.straight();
        if *dirs == straight { straight } else { *dirs | self.opposites(dirs) }
    }

    /// The maximal parts of a set joined by drawn steps along dirs (either way); by first cell,
    /// then last.
    pub fn groups(&self, of: &CellSet, dirs: &DirSet) -> Vec<CellSet> {
        let dirs = self.either_way(dirs);
        let mut rest = *of;
        let mut groups = Vec::new();
        while let Some(first) = rest.min() {
            let group = self.grow(CellSet::one(first), &rest, &dirs);
            rest -= group;
            groups.push(group);
        }
        groups
    }

    /// The cells of those groups of `within` that hold a cell of `seed`.
    pub fn flood(&self, seed: &CellSet, within: &CellSet, dirs: &DirSet) -> CellSet {
        let seed = *seed & *within;
        match (seed.single(), dirs.min().map(|dir| self.directions_of(self.axis(dir)))) {
            (Some(cell), Some(axis)) if dirs.is_within(&axis.into_iter().collect()) => {
                self.row_through(cell, within, axis)
            }
            _ => self.grow(seed, within, &self.either_way(dirs)),
        }
    }

    /// The unbroken row of a set through one of its cells.
    fn row_through(&self, cell: Cell, within: &CellSet, axis: [Dir; 2]) -> CellSet {
        let mut row = CellSet::one(cell);
        for dir in axis {
            let mut at = cell;
            while let Some(next) = self.step(at, dir).filter(|&next| within.contains(next) && !row.contains(next)) {
                row.insert(next);
                at = next;
            }
        }
        row
    }

    fn grow(&self, seed: CellSet, within: &CellSet, dirs: &DirSet) -> CellSet {
        let mut grown = seed;
        let mut edge = seed;
        while !edge.is_empty() {
            edge = (self.shift(&edge, dirs) & *within) - grown;
            grown |= edge;
        }
        grown
    }

    /// The cells from a to b in a straight drawn line with both ends: the shortest, of several as
    /// short that of the first direction. Only `a` if both are one; `None` if not in line.
    pub fn span(&self, a: Cell, b: Cell) -> Option<CellSet> {
        if a == b {
            return Some(CellSet::one(a));
        }
        let spans = self.exits(a).iter().filter_map(|&(dir, _)| self.span_along(a, b, dir));
        spans.min_by_key(CellSet::len)
    }

    /// From no cell does another direction lead to a cell that this one leads to, nor this one back
    /// to the cell: two cells tell the line between them.
    pub fn is_only_line(&self, dir: Dir) -> bool {
        !self.shared.contains(dir)
    }

    /// The directions that are not the only ones between some two cells.
    pub fn shared_lines(&self) -> DirSet {
        let mut shared = DirSet::EMPTY;
        for cell in self.cells() {
            let lines: Vec<(Dir, CellSet)> =
                self.exits(cell).iter().map(|&(dir, _)| (dir, self.ahead_of(cell, dir))).collect();
            let mut meet = |lines: &mut dyn Iterator<Item = &(Dir, CellSet)>| {
                let mut seen = CellSet::one(cell);
                for (dir, ahead) in lines {
                    if ahead.meets(&seen) {
                        shared.insert(*dir);
                    }
                    seen |= *ahead;
                }
            };
            // Of two that meet, the later one does in each order.
            meet(&mut lines.iter());
            meet(&mut lines.iter().rev());
        }
        shared
    }

    /// Some cell comes to the same cell along both directions.
    pub fn lines_meet(&self, a: Dir, b: Dir) -> bool {
        !self.is_only_line(a)
            && !self.is_only_line(b)
            && self.cells().any(|cell| self.ahead_of(cell, a).meets(&self.ahead_of(cell, b)))
    }

    /// Some line along the direction comes back to its first cell.
    pub fn comes_back(&self, dir: Dir) -> bool {
        self.cells().any(|cell| self.ahead_of(cell, dir).contains(cell))
    }

    /// From some cell single steps along both lists of directions lead to the same one.
    pub fn paths_meet(&self, one: &[Dir], other: &[Dir]) -> bool {
        let end = |from: Cell, dirs: &[Dir]| dirs.iter().try_fold(from, |at, dir| self.step(at, *dir));
        self.cells().any(|cell| end(cell, one).is_some_and(|at| end(cell, other) == Some(at)))
    }

    /// From some cell single steps along some directions lead where a line along another comes to.
    pub fn path_meets_line(&self, path: &[Dir], line: Dir) -> bool {
        let end = |from: Cell| path.iter().try_fold(from, |at, dir| self.step(at, *dir));
        self.cells().any(|cell| end(cell).is_some_and(|end| self.ahead_of(cell, line).contains(end)))
    }

    /// The cells of a line behind its first, which is one of them if the line comes back to it.
    fn ahead_of(&self, cell: Cell, dir: Dir) -> CellSet {
        let mut ahead = CellSet::EMPTY;
        let mut at = cell;
        while let Some(next) = self.step(at, dir).filter(|&next| !ahead.contains(next)) {
            ahead.insert(next);
            at = next;
        }
        ahead
    }

    fn span_along(&self, a: Cell, b: Cell, dir: Dir) -> Option<CellSet> {
        let mut span = CellSet::one(a);
        let mut at = a;
        while at != b {
            at = self.step(at, dir).filter(|&next| !span.contains(next))?;
            span.insert(at);
        }
        Some(span)
    }

    /// Every unbroken straight row of `from..=to` cells of the set along dirs (either way), parts
    /// of longer rows too, each once, by first cell, then last. A single cell is a row of one,
    /// whatever lines go through it.
    pub fn segments(&self, of: &CellSet, dirs: &DirSet, from: i64, to: i64) -> Vec<CellSet> {
        let mut axes: Vec<Axis> = dirs.iter().map(|dir| self.axis(dir)).collect();
        axes.sort_unstable();
        axes.dedup();
        let mut rows = Vec::new();
        for axis in axes {
            let [forth, _] = self.directions_of(axis);
            for start in of.iter() {
                self.add_rows(&mut rows, of, start, forth, (from, to));
            }
        }
        sort::by(&mut rows, |a, b| (a.min(), a.max(), a.words()).cmp(&(b.min(), b.max(), b.words())));
        rows.dedup();
        rows
    }

    /// Adds the rows that begin at a cell and go along a direction.
    fn add_rows(&self, rows: &mut Vec<CellSet>, of: &CellSet, start: Cell, dir: Dir, (from, to): (i64, i64)) {
        let mut row = CellSet::one(start);
        let mut end = Some(start);
        let mut length = 1;
        while let Some(at) = end.filter(|_| length <= to) {
            if length >= from {
                rows.push(row);
            }
            end = self.step(at, dir).filter(|&next| of.contains(next) && !row.contains(next));
            if let Some(next) = end {
                row.insert(next);
            }
            length += 1;
        }
    }
}

/// The cells with numbers `from..=to`, from the cells up to each number.
fn band(up_to: &[CellSet], from: i64, to: i64) -> CellSet {
    let last = up_to.len().saturating_sub(1) as i64;
    let (below, to) = (from.saturating_sub(1).clamp(0, last), to.clamp(0, last));
    match (usize::try_from(below).ok().and_then(|n| up_to.get(n)), usize::try_from(to).ok().and_then(|n| up_to.get(n)))
    {
        (Some(before), Some(all)) => *all - *before,
        _ => CellSet::EMPTY,
    }
}
