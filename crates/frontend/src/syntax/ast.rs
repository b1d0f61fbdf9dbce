//! Syntax tree: the text as written, every word with its span, nothing resolved, nothing dropped
//! that printing needs.

use crate::source::{Span, Spanned};

/// A name, a player's name or a keyword, as it stands in the text.
pub type Word = Spanned<String>;
/// A string without its quotes.
pub type Text = Spanned<String>;

/// A rules file: one game, or (the prelude) declarations only.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    pub game: Option<Game>,
    pub declarations: Vec<Section>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    pub title: Text,
    pub extends: Option<Base>,
    pub sections: Vec<Section>,
    pub span: Span,
}

/// `extends "A"`, `extends "V" of "A"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Base {
    pub variant: Option<Text>,
    pub game: Text,
}

/// A declaration of a game; the span is that of the whole declaration.
pub type Section = Spanned<SectionKind>;

#[derive(Clone, Debug, PartialEq)]
pub enum SectionKind {
    About(Vec<(Word, AboutValue)>),
    Players(Vec<Seat>),
    Teams(Vec<Vec<Word>>),
    Board(Board),
    Captures(Captures),
    Piece(Piece),
    Remember(Remember),
    Setup(Block),
    Opening(Vec<Block>),
    Move(Block),
    End(Vec<Outcome>),
    Notation(Vec<Alias>),
    Variant(Variant),
    Example(Example),
    Param(Param),
    Define(Define),
    Pattern(PatternDeclaration),
    Action(Action),
    Part(Part),
}

#[derive(Clone, Debug, PartialEq)]
pub enum AboutValue {
    Text(Text),
    Number(Spanned<i64>),
}

/// `alias "O-O" for own king, own rook`: another text for moves whose written cells are of these sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    pub text: AliasText,
    pub cells: Vec<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum AliasText {
    Fixed(Text),
    /// A cell of each of these sets.
    Cells(Vec<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Seat {
    pub player: Word,
    pub forward: Option<Word>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    pub shape: Shape,
    pub options: Vec<Spanned<BoardOption>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Square { files: Expr, ranks: Expr, layers: Option<Expr> },
    Hexagon { side: Expr },
    Points,
}

#[derive(Clone, Debug, PartialEq)]
pub enum BoardOption {
    /// `lines L, L where C`: each line with its condition.
    Lines(Vec<(Expr, Option<Expr>)>),
    Without(Expr),
    /// `wrap files and ranks`: which of them close to rings.
    Wrap {
        files: bool,
        ranks: bool,
    },
    Stacks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Captures {
    LeaveAtEndOfMove,
    GoToHand,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub name: Word,
    pub letter: Option<Word>,
    pub from: Option<Word>,
    pub neutral: bool,
    pub value: Option<Expr>,
    pub ways: Vec<Way>,
    /// Braces were written.
    pub braces: bool,
}

pub type Way = Spanned<WayKind>;

#[derive(Clone, Debug, PartialEq)]
pub enum WayKind {
    Move(Line),
    If { condition: Expr, then: Vec<Way>, otherwise: Option<Vec<Way>> },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Remember {
    pub name: Word,
    pub first: Expr,
    pub per_player: bool,
    pub on_pieces: bool,
    pub for_one_turn: bool,
    pub not_compared: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    pub title: Text,
    pub extends: Option<Text>,
    pub sections: Vec<Section>,
}

/// `example "T" { ... }`: what holds of a position, claim by claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    pub title: Text,
    pub claims: Vec<Claim>,
}

pub type Claim = Spanned<ClaimKind>;

#[derive(Clone, Debug, PartialEq)]
pub enum ClaimKind {
    /// `position "8/8/... White"`: the position that the next claims are about.
    Position(Text),
    Play(Vec<Text>),
    /// `legal only`: these are all legal moves; `legal nothing`: there are none.
    Legal {
        only: bool,
        moves: Vec<Text>,
    },
    Illegal(Vec<Text>),
    /// Cells; none for `nothing`.
    Caught(Vec<Word>),
    /// `gives "..."`: the position as it then is.
    Gives(Text),
    /// Sequences of turns, from one turn on.
    Perft(Vec<Spanned<i64>>),
    Wins(Vec<Word>),
    Draw,
    GoesOn,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: Word,
    pub value: Expr,
    pub range: Option<Range>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Define {
    pub name: Word,
    pub parameters: Vec<Word>,
    pub body: Expr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PatternDeclaration {
    pub name: Word,
    pub sign: Option<Text>,
    pub pattern: Pattern,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    pub name: Word,
    pub parameters: Vec<Word>,
    pub body: Block,
}

/// `do name { ... }`: a named part of a program, and what replaces it.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub name: Word,
    pub body: Block,
}

pub type Outcome = Spanned<OutcomeKind>;

#[derive(Clone, Debug, PartialEq)]
pub enum OutcomeKind {
    AsUsual,
    Win(Expr),
    Lose(Expr),
    Draw(Expr),
    /// `White wins if C`.
    Wins(Word, Expr),
    /// `highest E, F wins if C`.
    Highest(Vec<Expr>, Expr),
}

impl OutcomeKind {
    /// Its condition is an `or`.
    pub fn is_or(&self) -> bool {
        match self {
            OutcomeKind::AsUsual => false,
            OutcomeKind::Win(condition)
            | OutcomeKind::Lose(condition)
            | OutcomeKind::Draw(condition)
            | OutcomeKind::Wins(_, condition)
            | OutcomeKind::Highest(_, condition) => matches!(&*condition.kind, ExprKind::Or(_)),
        }
    }
}

/// Statements between braces; the span includes the braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub statements: Vec<Statement>,
    pub span: Span,
}

pub type Statement = Spanned<StatementKind>;

#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    Pick {
        count: Option<Spanned<i64>>,
        name: Word,
        from: Source,
        by: Option<Word>,
    },
    /// A weight for each block that has one: `either by chance 3 { } or { }`.
    Either {
        by: Option<Word>,
        /// What is said of each block before it.
        branches: Vec<Branch>,
        blocks: Vec<Block>,
    },
    First(Vec<Block>),
    Repeat {
        in_steps: bool,
        silently: bool,
        condition: Option<Expr>,
        body: Block,
    },
    ForEach {
        name: Word,
        from: Expr,
        body: Block,
    },
    If {
        condition: Expr,
        then: Block,
        otherwise: Option<Block>,
    },
    Need(Expr),
    Most(Expr),
    Let {
        name: Word,
        value: Expr,
    },
    Set {
        name: Word,
        of: Option<Expr>,
        value: Expr,
    },
    Do {
        name: Word,
        arguments: Vec<Argument>,
    },
    Part(Part),
    /// `move p`, `move n of p`, each followed by nothing, `to S`, or a line.
    Move {
        amount: Option<Expr>,
        who: Word,
        how: How,
    },
    Capture {
        who: Word,
    },
    Place(Place),
    Remove {
        what: Removal,
        from: Expr,
        to_hand: bool,
    },
    Flip(Expr),
    Promote {
        who: Word,
        kinds: Vec<Word>,
    },
    AsUsual,
    Pass,
    Swap,
    Again,
    Mirror,
    Rotate,
    Picture {
        rows: Text,
        legend: Vec<Legend>,
    },
}

/// What stands before a block of an `either`: its weight for chance, and the label that is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Branch {
    pub weight: Option<Expr>,
    pub label: Option<Text>,
}

/// Where a `pick` picks from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    Range(Range),
    Members(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    pub from: Expr,
    pub to: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum How {
    /// By the ways of the piece's description.
    Ways,
    /// `to S`, `to bottom of S`.
    To {
        cells: Expr,
        bottom: bool,
    },
    Line(Line),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Removal {
    All,
    Top(Expr),
    Bottom,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// `place n man in hand`.
    InHand { amount: Expr, man: Man },
    /// `place man on S`, `place (n) man on S`, `place a or b on S from hand`: `kinds` are the
    /// alternatives beyond `man`'s own.
    On { several: Option<Expr>, man: Man, kinds: Vec<Word>, on: Expr, bottom: bool, from_hand: bool },
}

/// `White man`, `man`.
#[derive(Clone, Debug, PartialEq)]
pub struct Man {
    pub owner: Option<Word>,
    pub kind: Word,
}

impl Man {
    pub fn span(&self) -> Span {
        self.owner.as_ref().map_or(self.kind.span, |owner| owner.span.to(self.kind.span))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    pub glyph: Spanned<char>,
    /// So many such men on each cell.
    pub count: Option<Spanned<i64>>,
    pub man: Man,
}

/// `dirs: PATTERN`.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub directions: Expr,
    pub pattern: Pattern,
    pub span: Span,
}

/// Paths joined by `or`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub paths: Vec<Path>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    pub items: Vec<Item>,
    pub turnings: Vec<(Expr, Vec<Item>)>,
    pub span: Span,
}

pub type Item = Spanned<ItemKind>;

#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    Anchor,
    /// `to T`.
    Landing(Expr),
    /// A test (a name, a set in brackets, a set in angle brackets) and how many cells of it.
    Test(Expr, Option<Times>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    Star,
    Plus,
    Query,
    Exactly(Expr),
    Range(Range),
}

pub type Argument = Spanned<ArgumentKind>;

#[derive(Clone, Debug, PartialEq)]
pub enum ArgumentKind {
    Line(Line),
    Range(Range),
    Expr(Expr),
}

/// An expression; brackets are kept as [`ExprKind::Brackets`].
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: Box<ExprKind>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Number(i64),
    /// A name alone; also `true`, `false`, `none`, `it`, `own`: meaning is not decided here.
    Name(String),
    /// A player's name alone.
    Player(String),
    /// Words side by side, two or more; the first may be a player.
    Words(Vec<Word>),
    Call(Word, Vec<Argument>),
    /// Cells side by side, each alone or a rectangle between two corners.
    Cells(Vec<(Word, Option<Word>)>),
    /// `file c`, `ranks 1..3`, `row 2`; `plural` as written.
    Band {
        axis: BandAxis,
        plural: bool,
        from: Expr,
        to: Option<Expr>,
    },
    /// The letter of a file, only within a band.
    FileLetter(String),
    LastRow,
    /// `file of c`.
    Measure(BandAxis, Expr),
    If {
        condition: Expr,
        then: Expr,
        otherwise: Expr,
    },
    Not(Expr),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Arithmetic(Arithmetic, Expr, Expr),
    Relation(Spanned<Relation>, Expr, Expr),
    /// `some A in B where C`, `no A in B where C`.
    Quantified {
        some: bool,
        subject: Expr,
        within: Option<Expr>,
        filter: Option<Expr>,
    },
    Where(Expr, Expr),
    /// `< set >`, `< set+ >`, in patterns only.
    Caught(Expr, Option<Times>),
    Brackets(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BandAxis {
    File,
    Rank,
    Row,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    /// `is`.
    Is,
    /// `is not`.
    IsNot,
    /// `in`.
    In,
    /// `not in`.
    NotIn,
}
