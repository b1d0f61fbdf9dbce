//! What is looked for along lines from single cells; operations that walk cell by cell refer to it by number.

use smallvec::SmallVec;

/// A run of cells along each of several directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    pub dirs: SmallVec<[u16; 8]>,
    /// So many cells at least and at most.
    pub least: u32,
    pub most: u32,
    /// The cell behind the run is asked, too.
    pub ended: bool,
}
