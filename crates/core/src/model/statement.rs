//! Resolved statements: programs as blocks. Actions and `as usual` are blocks in place.

use crate::board::{Cell, Kind, Player};
use crate::source::Span;

use crate::model::expr::{Axes, Cells, Dirs, Expr, Groups, Number, Players, Slot, StateId, Truth};
use crate::model::pattern::Line;

/// A section's block and the number of slots its locals need.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    pub block: BlockId,
    pub frame: usize,
    /// Where its author wrote it.
    pub span: Span,
}

/// A list of statements, by its place in [`crate::model::Game::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// What coverage counts: an outcome, a block of `either`, `first` or `if`, a path of a move's
/// pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BranchId(pub u16);

#[derive(Clone, Debug)]
pub struct Branch {
    pub kind: BranchKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchKind {
    Outcome,
    Alternative,
    Path,
}

/// Who chooses: the player of the turn, the first of the players in turn order, or nobody.
#[derive(Clone, Debug)]
pub enum Chooser {
    Turn,
    By(Players),
    /// `by chance`: what is chosen is drawn.
    Chance,
}

/// What a `pick` picks from.
#[derive(Clone, Debug)]
pub enum Choice {
    /// One of `from..=to`, both ends taken; nothing if `from > to`.
    Range(Number, Number),
    Cells(Cells),
    Groups(Groups),
    Dirs(Dirs),
    Axes(Axes),
}

#[derive(Clone, Debug)]
pub enum Statement {
    /// `count` members (of cells: a set; more than one only of cells, groups united) bound to
    /// `slot`.
    Pick {
        slot: Slot,
        count: u32,
        from: Choice,
        chooser: Chooser,
        span: Span,
    },
    /// `weights`: of blocks between which chance chooses, one for each; none are equal weights.
    Either {
        chooser: Chooser,
        weights: Vec<Number>,
        blocks: Vec<(BlockId, BranchId)>,
        span: Span,
    },
    First {
        blocks: Vec<(BlockId, BranchId)>,
        span: Span,
    },
    /// `id` tells the `most` lines of a program apart.
    Most {
        value: Number,
        id: u16,
        span: Span,
    },
    Repeat {
        rounds: Rounds,
        in_steps: bool,
        silently: bool,
        body: BlockId,
        span: Span,
    },
    ForEach {
        slot: Slot,
        from: Choice,
        body: BlockId,
        span: Span,
    },
    If {
        condition: Truth,
        then: (BlockId, BranchId),
        otherwise: Option<(BlockId, BranchId)>,
    },
    Need {
        condition: Truth,
        span: Span,
    },
    /// A `do` or an `as usual`: a block in place.
    Block(BlockId),
    /// `let` and `set` of a local.
    Assign {
        slot: Slot,
        value: Expr,
    },
    /// `set` of a remembered value: number, truth or cells. `of` for values per player.
    Remember {
        state: StateId,
        of: Option<Players>,
        value: Expr,
        span: Span,
    },
    /// `move who ...`: `follow` is the slot that becomes the landing.
    Move {
        amount: Option<Number>,
        who: Cells,
        landing: Landing,
        follow: Option<Slot>,
        span: Span,
    },
    Place {
        place: Place,
        span: Span,
    },
    Remove {
        what: Removal,
        from: Cells,
        to_hand: bool,
        span: Span,
    },
    Flip {
        cells: Cells,
        span: Span,
    },
    /// Kinds to choose from; one alone is no choice. Empty: to a kind that is declared `from` his
    /// own, always written.
    Promote {
        who: Cells,
        kinds: Vec<Kind>,
        span: Span,
    },
    /// What the branch of an `either` is called is written as if it were chosen.
    Label(u16),
    Pass,
    Swap,
    Again,
    Mirror {
        span: Span,
    },
    Rotate {
        span: Span,
    },
    Picture {
        picture: Picture,
        span: Span,
    },
}

impl Statement {
    /// The blocks within the statement, in the order of the text.
    pub fn blocks(&self) -> Vec<BlockId> {
        match self {
            Statement::Either { blocks, .. } | Statement::First { blocks, .. } => {
                blocks.iter().map(|(block, _)| *block).collect()
            }
            Statement::Repeat { body, .. } | Statement::ForEach { body, .. } | Statement::Block(body) => vec![*body],
            Statement::If { then, otherwise, .. } => {
                [Some(then), otherwise.as_ref()].into_iter().flatten().map(|(block, _)| *block).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Rounds {
    /// One or more; after each the player stops or goes on.
    Free,
    While(Truth),
}

#[derive(Clone, Debug)]
pub enum Landing {
    /// By the ways of the kind's description; `capture`: only matches that catch.
    Ways {
        capture: bool,
    },
    Line(Line),
    /// To a chosen cell. `known`: the set is a bare local or define, so if it is one cell nothing
    /// is chosen or written.
    /// `bottom`: the men come under those who stand there.
    To {
        cells: Cells,
        known: bool,
        bottom: bool,
    },
}

#[derive(Clone, Debug)]
pub enum Place {
    /// `place n kind in hand`.
    InHand { amount: Number, man: Man },
    /// `several` men of one of `men` (a choice if there are several, written by its letter) on each
    /// cell.
    /// `bottom`: under the men who stand there.
    On { several: Option<Number>, men: Vec<Man>, cells: Cells, bottom: bool, from_hand: bool },
}

/// A man to be placed: of `own` if no owner is said; `Nobody` for neutral men.
#[derive(Clone, Debug)]
pub struct Man {
    pub owner: Option<Players>,
    pub neutral: bool,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Removal {
    All,
    /// The top n of each stack.
    Top(Number),
    Bottom,
}

/// The men of a picture, cell by cell; cells without are left as they are.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Owner (`None`: neutral) and kind.
    pub men: Vec<(Cell, Option<Player>, Kind)>,
}
