//! Typed expressions: one Rust type for each type of the language. Where the language converts
//! without a word, a node says so.

use crate::board::{AxisSet, CellSet, DirSet, Player, PlayerSet};
use crate::source::Span;

use crate::model::pattern::Line;

/// A place of the frame in which an expression is evaluated: locals, parameters, `it`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u16);

/// A remembered value, by its place in [`crate::model::Game::states`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u16);

/// A define, by its place in [`crate::model::Game::defines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefineId(pub u16);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Number,
    Truth,
    Cells,
    Groups,
    Dirs,
    Axes,
    Players,
    List,
}

/// An expression of any type.
#[derive(Clone, Debug)]
pub enum Expr {
    Number(Number),
    Truth(Truth),
    Cells(Cells),
    Groups(Groups),
    Dirs(Dirs),
    Axes(Axes),
    Players(Players),
    List(List),
}

impl Expr {
    pub fn ty(&self) -> Type {
        match self {
            Expr::Number(_) => Type::Number,
            Expr::Truth(_) => Type::Truth,
            Expr::Cells(_) => Type::Cells,
            Expr::Groups(_) => Type::Groups,
            Expr::Dirs(_) => Type::Dirs,
            Expr::Axes(_) => Type::Axes,
            Expr::Players(_) => Type::Players,
            Expr::List(_) => Type::List,
        }
    }
}

/// `f(a, b)`: the arguments are evaluated once, in the caller's frame, then the body in a frame of
/// its own. The type of the define's body is that of the node that holds the call.
#[derive(Clone, Debug)]
pub struct Call {
    pub define: DefineId,
    pub arguments: Vec<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct If<T> {
    pub condition: Truth,
    pub then: T,
    pub otherwise: T,
}

/// `set where condition`, `it` being the member in slot `it` (as one-member cells, dirs or axes; a
/// group as cells).
#[derive(Clone, Debug)]
pub struct Where<T> {
    pub set: T,
    pub it: Slot,
    pub condition: Truth,
}

#[derive(Clone, Debug)]
pub enum Number {
    Fixed(i64),
    Local(Slot),
    /// A remembered number; of several players the copies are added. No players: not per player.
    State(StateId, Option<Players>),
    Call(Call),
    If(Box<If<Number>>),
    /// Overflow and division by zero are faults at the span; `/` and `mod` round down.
    Arithmetic(Arithmetic, Box<(Number, Number)>, Span),
    /// How many members a set has: cells, groups, dirs, axes.
    Count(Box<Expr>),
    /// `file of c`; a fault at the span unless c is one cell.
    Coordinate(Coordinate, Box<Cells>, Span),
    Height(Box<Cells>),
    /// `value(S)`: the numbers of the kinds of the top men, added.
    Value(Box<Cells>),
    Hand(Players),
    TimesPieces,
    TimesPosition,
    Cycle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    File,
    Rank,
    /// Counted from the side of the player concerned.
    Row,
}

impl Coordinate {
    /// The bands that it numbers.
    pub fn fold(self) -> BandAxis {
        match self {
            Coordinate::File => BandAxis::File,
            Coordinate::Rank => BandAxis::Rank,
            Coordinate::Row => BandAxis::Row,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    /// What `b` and `a` are in, if `a` and `b` are in this.
    #[must_use]
    pub fn turned(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::AtMost => Comparison::AtLeast,
            Comparison::Greater => Comparison::Less,
            Comparison::AtLeast => Comparison::AtMost,
            alike => alike,
        }
    }

    /// Whether it holds between two values in this order.
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::NotEqual => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::AtMost => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::AtLeast => order.is_ge(),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Truth {
    Fixed(bool),
    Local(Slot),
    State(StateId, Option<Players>),
    Call(Call),
    If(Box<If<Truth>>),
    Not(Box<Truth>),
    /// Left to right, stopping early.
    And(Vec<Truth>),
    Or(Vec<Truth>),
    Compare(Comparison, Box<(Number, Number)>),
    /// Item by item, a missing item is 0.
    CompareLists(Comparison, Box<(List, List)>),
    /// `=` of sets (both of one type: cells, groups, dirs, axes or players) or of truths.
    Equal(Box<(Expr, Expr)>),
    /// `A in B`, `A is B` (both cells, or dirs, or players): A is not empty and lies within B.
    Within(Box<(Expr, Expr)>),
    /// `some A`: cells, groups, dirs, axes or players.
    Some(Box<Expr>),
    /// `stuck(P)`: each of P, were it his turn now, would have no complete run of `move` but a
    /// pass. Only in `end`.
    Stuck(Players),
    Attacked(Box<Cells>),
    /// `changed`: the men on the board stand otherwise than when the turn began. Only in turns.
    Changed,
}

#[derive(Clone, Debug)]
pub enum Cells {
    /// What depends on the board alone; also `none` and `any`.
    Fixed(CellSet),
    Local(Slot),
    /// Of several players the copies are united.
    State(StateId, Option<Players>),
    Call(Call),
    If(Box<If<Cells>>),
    /// Within `any`.
    Not(Box<Cells>),
    And(Vec<Cells>),
    Or(Vec<Cells>),
    Where(Box<Where<Cells>>),
    /// Cells whose top man is of one of the players.
    Of(Players),
    /// Cells whose top man is of the kind.
    Kind(crate::board::Kind),
    Neutral,
    Empty,
    Occupied,
    /// From the first to the last number of the files, ranks or rows.
    Band {
        axis: BandAxis,
        from: Number,
        to: Number,
    },
    LastRow,
    /// `last`, `origin`, `passed`, `caught` of this turn.
    Last,
    Origin,
    Passed,
    Caught,
    /// Where the piece of a description stands.
    Here,
    /// All groups' cells.
    Union(Box<Groups>),
    Adjacent(Box<Cells>, Dirs),
    Shift(Box<Cells>, Dirs),
    /// `group(c, S, dirs)`.
    Group {
        of: Box<Cells>,
        within: Box<Cells>,
        dirs: Dirs,
    },
    /// `span(a, b)`; a fault at the span if a or b has several cells; `none` if one is empty.
    Span(Box<(Cells, Cells)>, Span),
    Nth(Box<Cells>, Box<Number>),
    /// What the expression would be if every stack counted by its lowest man.
    Bottom(Box<Cells>),
    /// `catches(S, line)`.
    Catches(Box<Cells>, Box<Line>),
    Reach(Box<Cells>, Box<Line>),
    /// `catches(p)`: by the ways of the kind of p's top man, for its owner.
    CatchesOf(Box<Cells>),
    ReachOf(Box<Cells>),
}

pub use crate::board::Fold as BandAxis;

#[derive(Clone, Debug)]
pub enum Groups {
    Empty,
    Local(Slot),
    Call(Call),
    If(Box<If<Groups>>),
    Where(Box<Where<Groups>>),
    Groups(Box<Cells>, Dirs),
    /// Unbroken straight rows of `from..to` cells.
    Segments {
        of: Box<Cells>,
        dirs: Dirs,
        from: Number,
        to: Option<Number>,
    },
    Largest(Box<Groups>),
}

#[derive(Clone, Debug)]
pub enum Dirs {
    Fixed(DirSet),
    /// Relative to the player concerned.
    Forward,
    Backward,
    Ahead,
    Behind,
    Sideways,
    /// The two directions next to the one just walked.
    Outward,
    Heading,
    Local(Slot),
    Call(Call),
    If(Box<If<Dirs>>),
    /// Within `straight`.
    Not(Box<Dirs>),
    And(Vec<Dirs>),
    Or(Vec<Dirs>),
    Where(Box<Where<Dirs>>),
    Opposite(Box<Dirs>),
    /// Each by so many steps clockwise, among the directions along which the board draws lines.
    Turned(Box<(Dirs, Number)>),
    OfAxes(Box<Axes>),
}

#[derive(Clone, Debug)]
pub enum Axes {
    Fixed(AxisSet),
    Local(Slot),
    Call(Call),
    If(Box<If<Axes>>),
    /// Within `axes`.
    Not(Box<Axes>),
    And(Vec<Axes>),
    Or(Vec<Axes>),
    Where(Box<Where<Axes>>),
}

#[derive(Clone, Debug)]
pub enum Players {
    Fixed(PlayerSet),
    Own,
    Enemy,
    Ally,
    Local(Slot),
    Call(Call),
    If(Box<If<Players>>),
}

impl Players {
    pub fn one(player: Player) -> Players {
        Players::Fixed(PlayerSet::one(player))
    }
}

/// Numbers in order.
#[derive(Clone, Debug)]
pub enum List {
    Sizes(Box<Groups>),
    /// A number beside a list.
    One(Box<Number>),
    Local(Slot),
    Call(Call),
    If(Box<If<List>>),
}
