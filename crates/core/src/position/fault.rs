//! Faults: what a game does at play that the language forbids. Data with a stable code each; the
//! wording is here alone.

use std::fmt;

use crate::board::{Cell, Player};
use crate::source::{Site, Span};

/// A fault and where in the rules it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub span: Span,
    /// The outermost call of a define or an action that the span stands within.
    pub call: Option<Span>,
}

/// What was forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// `9223372036854775807 + 1`
    Overflow,
    /// `1 / 0`, `1 mod 0`
    DivisionByZero,
    /// `place man on c place man on c`, without `stacks`
    TwoMen(Cell),
    /// `place (300) man on c`, with `stacks`: so many men may stand on the whole board.
    Men(usize),
    /// `file of none`, `span(a1 b1, c1)`
    NotOneCell(usize),
    /// `repeat while true { }`
    Rounds,
    /// `define f(n) = no empty or f(n + 1)`
    Depth,
    /// More plies in a position, or more options of one choice, than can be listed.
    Plies,
    /// `repeat silently { either { } or { } }`: more work than a listing may take.
    Work,
    /// `setup { pick 12 c from empty }`
    SetupPlies,
    /// A set-up that tries so much, mostly in vain.
    SetupWork,
    /// No outcome holds and this player has no complete run.
    Stuck(Player),
    /// `move { pick p from own move p need not stuck(enemy) }`: whether the enemy is stuck asks in turn
    /// whether his enemy would be.
    Supposed,
    /// Behind what chance has chosen at this place there is no complete run.
    Chance(Span),
}

/// Most men on one cell of a board with `stacks`.
pub const MAX_HEIGHT: usize = 255;

/// Most men on a board with `stacks` of so many cells.
pub fn most_men(cells: usize) -> usize {
    (8 * cells).max(MAX_HEIGHT)
}

/// Turns that may be supposed to end, each while another is looked for.
pub const MAX_SUPPOSED: usize = 16;

/// Statements, choices and matches that one listing or one question may take.
pub const MAX_WORK: u64 = 20_000_000;
/// Bytes of the runs of one position that are kept to draw one of them, on each thread. With a position of a hundred bytes they
/// are some 600,000 runs, six times what can be listed. Lists grow by doubling, so twice as much may be set aside.
pub const MAX_DRAWN_BYTES: usize = 64 << 20;

impl Fault {
    pub fn new(kind: FaultKind, site: impl Into<Site>) -> Fault {
        let Site { span, call } = site.into();
        Fault { kind, span, call }
    }

    /// The same within a call, if there is one; of several calls the outermost is kept.
    #[must_use]
    pub fn called_at(self, call: Option<Span>) -> Fault {
        Fault { call: call.or(self.call), ..self }
    }

    /// What the author of the rules looks at first: the call, if there is one.
    pub fn shown(&self) -> Span {
        self.call.unwrap_or(self.span)
    }

    /// A stable name.
    pub fn code(&self) -> &'static str {
        match self.kind {
            FaultKind::Overflow => "fault-overflow",
            FaultKind::DivisionByZero => "fault-division-by-zero",
            FaultKind::TwoMen(_) => "fault-two-men",
            FaultKind::Men(_) => "fault-men",
            FaultKind::NotOneCell(_) => "fault-not-one-cell",
            FaultKind::Rounds => "fault-rounds",
            FaultKind::Depth => "fault-depth",
            FaultKind::Plies => "fault-plies",
            FaultKind::Work => "fault-work",
            FaultKind::SetupPlies => "fault-setup-plies",
            FaultKind::SetupWork => "fault-setup-work",
            FaultKind::Stuck(_) => "fault-stuck",
            FaultKind::Supposed => "fault-supposed",
            FaultKind::Chance(_) => "fault-chance",
        }
    }

    pub fn message(&self) -> String {
        match self.kind {
            FaultKind::Overflow => "this number does not fit into 64 bits".into(),
            FaultKind::DivisionByZero => "division by zero".into(),
            FaultKind::TwoMen(_) => "two men on one cell".into(),
            FaultKind::Men(most) => format!("more than {MAX_HEIGHT} men on a cell, or {most} on the board"),
            FaultKind::NotOneCell(0) => "one cell is wanted here, and there is none".into(),
            FaultKind::NotOneCell(n) => format!("one cell is wanted here, and there are {n}"),
            FaultKind::Rounds => format!("more than {} rounds in one run", crate::model::MAX_ROUNDS),
            FaultKind::Depth => "a define calls itself too deep".into(),
            FaultKind::Plies => format!("more than {} choices in one position", crate::model::MAX_PLIES),
            FaultKind::Work => {
                let megabytes = MAX_DRAWN_BYTES >> 20;
                format!("more than {MAX_WORK} steps, or {megabytes} MB, to list the moves of one position")
            }
            FaultKind::SetupPlies => {
                format!("more than {} options of one choice in the set-up", crate::model::MAX_PLIES)
            }
            FaultKind::SetupWork => format!("more than {MAX_WORK} steps to make a set-up"),
            FaultKind::Stuck(_) => "the next player has no move, and no outcome says what that means".into(),
            FaultKind::Supposed => format!("`stuck` in a turn asks itself more than {MAX_SUPPOSED} turns ahead"),
            FaultKind::Chance(_) => "behind what chance has chosen, no way through the turn is left".into(),
        }
    }

    pub fn help(&self) -> &'static str {
        match self.kind {
            FaultKind::Overflow => "keep the numbers small, or count something else",
            FaultKind::DivisionByZero => "ask first with `if ... then ... else`",
            FaultKind::TwoMen(_) => "catch what stands there, choose an empty cell, or declare the board with `stacks`",
            FaultKind::Men(_) => "let men leave the board, or remember a number instead of as many men",
            FaultKind::NotOneCell(_) => "name one cell, as by `pick`, or ask with `some` first",
            FaultKind::Rounds => "let something change in each round, so that the condition fails at last",
            FaultKind::Depth => {
                "let the define shrink what it calls itself with: it may go as deep as the board has cells"
            }
            FaultKind::Plies => {
                "let a condition leave fewer choices, or cut the turn into plies with `repeat in steps`"
            }
            FaultKind::Work => "bound the choices of a turn, or cut it into plies with `repeat in steps`",
            FaultKind::SetupPlies => "pick fewer cells at once, or one by one: `pick c from empty   place man on c`",
            FaultKind::SetupWork => {
                "let each `pick` of the set-up ask for what its `need` wants, so that few of them fail"
            }
            FaultKind::Stuck(_) => "add an outcome with `stuck(enemy)` to `end`, or `else { pass }` to `move`",
            FaultKind::Supposed => {
                "ask what is quickly known first, as in `need not (attacked(S) and stuck(enemy))`, so that few turns are supposed"
            }
            FaultKind::Chance(_) => {
                "chance never chooses again: put what follows it into `first { ... } else { ... }`, so that a way is left"
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Fault {}
