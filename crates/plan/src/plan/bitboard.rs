//! Bitboard layout: a board goes in; the bit of each cell, and the masked shifts that one step
//! along a direction is, come out.
//!
//! Squares keep their rectangle, missing cells included, with a free file between rows where sets
//! are not wider for it: what goes on by the same distance over the edge meets no cell then.
//! Hexagons are sheared into one, so that a direction is one shift and one mask. On boards of
//! points a direction is a few of them: one for each distance between the bits of its neighbours.

use smallvec::SmallVec;

use crate::board::{Cell, CellSet, Dir, Shape, Topology};
use crate::plan::embed_graph;

/// Most words a set can have.
pub const MAX_WORDS: usize = 16;
/// No bit, or no cell.
pub const NOWHERE: u16 = u16::MAX;

/// A set of cells as the engine numbers them, of as many words as the widest board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Bits(pub [u64; MAX_WORDS]);

impl Bits {
    pub fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    pub fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub fn zip(&self, other: &Bits, f: impl Fn(u64, u64) -> u64) -> Bits {
        Bits(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..MAX_WORDS * 64).filter(|&bit| self.contains(bit))
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// One step: the bits it can be made from, those it can lead to, and what it adds to a bit's
/// number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskedShift {
    pub from: Bits,
    pub to: Bits,
    pub by: i32,
}

impl MaskedShift {
    /// One after the other.
    pub fn then(&self, next: &MaskedShift) -> MaskedShift {
        let mut both = MaskedShift { from: Bits::default(), to: Bits::default(), by: self.by + next.by };
        for from in self.from.iter() {
            let middle = from.wrapping_add_signed(self.by as isize);
            if next.from.contains(middle) {
                both.from.insert(from);
                both.to.insert(middle.wrapping_add_signed(next.by as isize));
            }
        }
        both
    }

    /// Either, of hops as far.
    pub fn or(&self, other: &MaskedShift) -> MaskedShift {
        let both = |a: &Bits, b: &Bits| a.zip(b, |a, b| a | b);
        MaskedShift { from: both(&self.from, &other.from), to: both(&self.to, &other.to), by: other.by }
    }

    /// The same way back.
    pub fn back(&self) -> MaskedShift {
        MaskedShift { from: self.to, to: self.from, by: -self.by }
    }
}

/// The board as the engine sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BitboardLayout {
    /// Words of a set: 1, 2, 3, 4, 6 or 16.
    pub words: usize,
    pub any: Bits,
    /// By cell.
    bits: Vec<u16>,
    /// By bit; [`NOWHERE`] where there is no cell.
    cells: Vec<u16>,
    /// Different steps of all directions.
    pub hops: Vec<MaskedShift>,
    /// By direction: its hops.
    pub dirs: Vec<SmallVec<[u16; 2]>>,
    /// By direction: the longest line, in steps; of a ring, those back to where it began.
    pub longest: Vec<u32>,
}

impl BitboardLayout {
    /// `ordered`: points stand in the order of the board.
    pub fn new(topology: &Topology, ordered: bool) -> BitboardLayout {
        let mut places: Vec<usize> = topology.cells().map(|cell| place(topology, cell)).collect();
        let size_of = |places: &[usize]| places.iter().max().map_or(0, |most| most + 1);
        if matches!(topology.shape(), Shape::Points { .. }) {
            let words = words_for(topology.len());
            let found = if ordered { None } else { embed_graph::places(topology, words * 64) };
            if let Some(found) = found {
                places = found;
            } else if size_of(&places) > words * 64 {
                places = (0..topology.len()).collect();
            }
        }
        let size = size_of(&places);
        let mut cells = vec![NOWHERE; size];
        for (cell, &bit) in places.iter().enumerate() {
            cells[bit] = cell as u16;
        }
        let mut grid = BitboardLayout {
            words: words_for(size),
            any: Bits::default(),
            bits: places.iter().map(|&bit| bit as u16).collect(),
            cells,
            hops: Vec::new(),
            dirs: Vec::new(),
            longest: Vec::new(),
        };
        grid.any = grid.of(&topology.any());
        for dir in (0..topology.directions()).map(|dir| Dir(dir as u16)) {
            let hops = grid.hops_of(topology, |along| along == dir);
            grid.dirs.push(hops);
            grid.longest.push(longest(topology, dir));
        }
        grid
    }

    /// The layout of so many words whose cells stand at these bits, without steps yet; `None` if two
    /// share a bit, or one has no place.
    pub fn with_bits(words: usize, bits: Vec<u16>) -> Option<BitboardLayout> {
        let size = bits.iter().max().map_or(0, |&most| usize::from(most) + 1);
        if words_for(words * 64) != words || size > words * 64 {
            return None;
        }
        let mut grid = BitboardLayout { words, bits, ..BitboardLayout::default() };
        grid.cells = vec![NOWHERE; size];
        for (cell, &bit) in grid.bits.iter().enumerate() {
            if std::mem::replace(&mut grid.cells[usize::from(bit)], cell as u16) != NOWHERE {
                return None;
            }
            grid.any.insert(usize::from(bit));
        }
        Some(grid)
    }

    /// Bits stand in the order of the board, which those of hexagons do not.
    pub fn is_in_order(&self) -> bool {
        self.bits.is_sorted()
    }

    /// By cell: its bit.
    pub fn bits(&self) -> &[u16] {
        &self.bits
    }

    /// The hops that make the steps along some directions, each distance once.
    fn hops_of(&mut self, topology: &Topology, wanted: impl Fn(Dir) -> bool) -> SmallVec<[u16; 2]> {
        let mut found: Vec<MaskedShift> = Vec::new();
        for from in topology.cells() {
            for &(_, to) in topology.exits(from).iter().filter(|(dir, _)| wanted(*dir)) {
                let (from, to) = (self.bit(from), self.bit(to));
                let by = to as i32 - from as i32;
                let at = found.iter().position(|hop| hop.by == by).unwrap_or_else(|| {
                    found.push(MaskedShift { from: Bits::default(), to: Bits::default(), by });
                    found.len() - 1
                });
                found[at].from.insert(from);
                found[at].to.insert(to);
            }
        }
        found.into_iter().map(|hop| self.hop(hop)).collect()
    }

    /// The number of a hop.
    pub fn hop(&mut self, hop: MaskedShift) -> u16 {
        let at = self.hops.iter().position(|known| *known == hop).unwrap_or_else(|| {
            self.hops.push(hop);
            self.hops.len() - 1
        });
        at as u16
    }

    /// The hops that make all steps along a set of directions, each step in one of them only.
    pub fn hops_along(&mut self, topology: &Topology, dirs: u64) -> SmallVec<[u16; 2]> {
        self.hops_of(topology, |dir| dirs >> dir.0 & 1 == 1)
    }

    pub fn bit(&self, cell: Cell) -> usize {
        usize::from(self.bits[cell.index()])
    }

    pub fn cell(&self, bit: usize) -> Option<Cell> {
        self.cells.get(bit).filter(|&&cell| cell != NOWHERE).map(|&cell| Cell(cell))
    }

    /// Bits from 0 to the last cell's.
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// A set as the engine has it.
    pub fn of(&self, cells: &CellSet) -> Bits {
        let mut bits = Bits::default();
        cells.iter().for_each(|cell| bits.insert(self.bit(cell)));
        bits
    }

    /// A set as the board has it.
    pub fn cells(&self, words: &[u64]) -> CellSet {
        let mut cells = CellSet::EMPTY;
        for (i, &word) in words.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                cells.extend(self.cell(i * 64 + left.trailing_zeros() as usize));
                left &= left - 1;
            }
        }
        cells
    }
}

/// Words of a set of so many bits.
fn words_for(bits: usize) -> usize {
    [1, 2, 3, 4, 6].into_iter().find(|words| bits <= words * 64).unwrap_or(MAX_WORDS)
}

/// Where a cell stands: row by row, each as wide as the board, or by a free bit wider; hexagons
/// with the right half raised, so that all their steps along a direction are alike; points as their
/// names say, so that the steps of a line are mostly alike, where no better place is found.
fn place(topology: &Topology, cell: Cell) -> usize {
    let (file, rank) = (usize::from(topology.file(cell)) - 1, usize::from(topology.rank(cell)) - 1);
    match topology.shape() {
        Shape::Square { ranks, .. } => rank * width(usize::from(topology.files()), usize::from(*ranks)) + file,
        Shape::Hexagon { side } => {
            let side = usize::from(*side);
            let raised = rank + (file + 1).saturating_sub(side);
            raised * (2 * side - 1) + file
        }
        Shape::Points { .. } => rank * usize::from(topology.files()) + file,
    }
}

/// Bits from row to row.
fn width(files: usize, ranks: usize) -> usize {
    let fits = ranks * (files + 1) - 1 <= words_for(ranks * files) * 64;
    files + usize::from(fits)
}

fn longest(topology: &Topology, dir: Dir) -> u32 {
    let mut longest = 0;
    for start in topology.cells() {
        let (mut at, mut steps) = (start, 0);
        while let Some(next) = topology.step(at, dir) {
            (at, steps) = (next, steps + 1);
            if at == start {
                break;
            }
        }
        longest = longest.max(steps);
    }
    longest
}
