//! Resolved line patterns: named patterns are expanded, tests are cell sets, what is caught is said
//! item by item.

use crate::source::Span;

use crate::model::expr::{Cells, Dirs, Number, Truth};
use crate::model::statement::BranchId;

/// `dirs: path or path`.
#[derive(Clone, Debug)]
pub struct Line {
    pub dirs: Dirs,
    /// Alternatives, in order.
    pub paths: Vec<Path>,
    pub span: Span,
}

/// One alternative of a pattern.
#[derive(Clone, Debug)]
pub struct Path {
    /// Items left of `^`, the nearest first; they are read against the direction.
    pub before: Vec<Item>,
    /// Items right of `^`, the nearest first.
    pub after: Vec<Item>,
    /// `, dirs: items`, each going on from the last cell matched.
    pub turnings: Vec<Leg>,
    /// Written behind the landing.
    pub sign: Option<char>,
    /// It has a `to`.
    pub lands: bool,
    /// Some item catches.
    pub catches: bool,
    /// Counted for coverage if the line is a move's.
    pub branch: Option<BranchId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Leg {
    pub dirs: Dirs,
    pub items: Vec<Item>,
}

/// A run of cells that pass a test.
#[derive(Clone, Debug)]
pub struct Item {
    pub test: Cells,
    /// The `< >` sets within the test: a matched cell that lies in one of them is caught.
    pub caught: Vec<Cells>,
    pub times: Times,
    /// It is the landing; then `times` is `One`.
    pub lands: bool,
}

#[derive(Clone, Debug)]
pub enum Times {
    One,
    /// No upper bound: as many as there are.
    Between(Number, Option<Number>),
}

/// One `move dirs: PATTERN` of a description, with the conditions around it; all must hold (or, if
/// `false`, fail).
#[derive(Clone, Debug)]
pub struct Way {
    pub conditions: Vec<(Truth, bool)>,
    pub line: Line,
    pub span: Span,
}
