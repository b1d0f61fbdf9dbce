//! Board: ids and sets of cells, directions, axes, players and kinds, and the tables of a board. It
//! is the vocabulary of all later stages.

mod compass;
mod geometry;
mod regions;
mod set;
mod topology;

pub use crate::board::geometry::{cell_name, file_name, parse_cell, parse_file};
pub use crate::board::set::{AxisSet, CellSet, DirSet, Id, PlayerSet, Set};
pub use crate::board::topology::{Compass, Fold, LineSpec, Shape, Topology, TopologyError, Wrap};

/// Most cells a board can have.
pub const MAX_CELLS: usize = 1024;
/// Most files or ranks a board can have: those that a cell's name can tell by two digits.
pub const MAX_SIDE: i64 = 99;
/// Greatest side of a hexagon, whose files and ranks fit in a rectangle of [`MAX_CELLS`].
pub const MAX_HEXAGON_SIDE: i64 = 16;
/// Most drawn lines of a board of points: each is two directions.
pub const MAX_LINES: usize = MAX_CELLS / 2;
/// Most players.
pub const MAX_PLAYERS: usize = 8;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $inner:ty, $most:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub $inner);

        impl $name {
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl Id for $name {
            type Words = [u64; usize::div_ceil($most, 64)];

            fn from_index(index: usize) -> $name {
                $name(index as $inner)
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A cell, numbered in board order: rank 1 from file a onwards, then rank 2, missing cells left
    /// out.
    Cell, u16, MAX_CELLS
);
id!(
    /// A direction: on squares and hexagons clockwise from north; on points two for each line,
    /// forth and back.
    Dir, u16, MAX_CELLS
);
id!(
    /// A direction and its opposite.
    Axis, u16, MAX_CELLS
);
id!(
    /// A player, numbered in turn order.
    Player, u8, MAX_PLAYERS
);
id!(
    /// A kind of piece.
    Kind, u8, 256
);
