//! Direction vectors: the shapes of operations that work along several directions at once.

/// Lanes of a row at most.
pub const MAX_SLOTS: usize = 8;

/// The steps of a row, one for each lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirVector {
    pub hops: Vec<u16>,
    /// The longest line of all lanes, in steps.
    pub longest: u32,
}

/// How two sets make a third.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VecBinaryOp {
    And,
    Or,
    Without,
}

/// How many registers a row takes.
pub fn row_size(lanes: usize) -> usize {
    if lanes <= 4 { 4 } else { MAX_SLOTS }
}
