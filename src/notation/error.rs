//! Notation errors: what can be wrong with the text of a position or a move. Data with a stable
//! code each; the wording is here alone.

use std::fmt;
use std::ops::Range;

use crate::model::Type;

/// A mistake, and the bytes of the given text where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    pub kind: NotationErrorKind,
    pub span: Range<usize>,
}

/// The examples are of Chess unless they say otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotationErrorKind {
    /// Nothing but blanks.
    NoBoard,
    /// Seven ranks of eight. `part` is `rank`, on hexagons `file`.
    Parts { part: &'static str, found: usize, wanted: usize },
    /// `ppppppppp` as a rank. `part` is `rank 7`, on hexagons `file c`.
    CellsOfPart { part: String, found: u64, wanted: usize },
    /// `x` as a man. `known` are the letters of all men.
    UnknownMan { found: char, known: String },
    /// `k'` where there are two players.
    NoSuchSeat { found: String, players: usize },
    /// `*` alone in a game with several kinds.
    NeutralOfNoKind { known: String },
    /// `p0p`.
    ZeroRun,
    /// `[KQ]` on a board without stacks.
    NoStacks,
    /// `[KQ` up to the end of the rank.
    OpenStack,
    /// `[]`.
    EmptyStack,
    /// `[K0]`, `[K9999999]`.
    BadCount { found: String, most: usize },
    /// Stacks of so many men in all.
    TooManyMen { found: usize, most: usize },
    /// `Green`.
    UnknownPlayer { found: String, known: Vec<String> },
    /// `B` where Black and Blue play.
    AmbiguousPlayer { found: String, fitting: Vec<String> },
    /// `KQkq`.
    NotAKey { found: String, known: Vec<String> },
    /// `unmovd=a1`.
    UnknownKey { found: String, known: Vec<String> },
    /// `quiet=1 quiet=2`.
    KeyTwice { key: String },
    /// `hand=M2`.
    NeedsPlayer { key: String, player: String },
    /// `White.quiet=3`.
    NoPlayer { key: String },
    /// `quiet=many`.
    BadValue { found: String, wanted: Type },
    /// `unmoved=a1+z9`.
    UnknownCell { found: String },
    /// `White.hand=2M`.
    BadHand { found: String, known: String },
    /// `opening=5` where there are three turns of opening.
    BadOpening { found: String, turns: usize },
    /// `: e2-e9`. `choices` are possible at this place.
    UnknownChoices { found: String, near: Vec<String> },
    /// `Kx` as rights to castle, in a position of another program.
    Field { field: String, found: String, wanted: String },
    /// The game went wrong while the choices were made.
    Fault { message: String },
    /// Nothing but blanks as a move.
    NoMove,
    /// `e2-e5`. `parts` are the moves, one after the other, that the text begins with; `rest` is what stands behind them, nothing
    /// if they are the whole text.
    UnknownMove { found: String, near: Vec<String>, parts: Vec<String>, rest: String },
    /// `e5 d6`, as there are `e5xd6` and `e5-d6`.
    AmbiguousMove { found: String, fitting: Vec<String> },
    /// Any move where there is none to make.
    NoMoves,
}

use NotationErrorKind as K;

impl NotationError {
    pub(crate) fn new(kind: NotationErrorKind, span: Range<usize>) -> NotationError {
        NotationError { kind, span }
    }

    /// A text that means none of the moves that there are.
    pub fn is_unknown_move(&self) -> bool {
        matches!(self.kind, K::UnknownMove { .. })
    }

    /// A stable name.
    pub fn code(&self) -> &'static str {
        match self.kind {
            K::NoBoard => "position-empty",
            K::Parts { .. } => "position-parts",
            K::CellsOfPart { .. } => "position-cells",
            K::UnknownMan { .. } => "position-man",
            K::NoSuchSeat { .. } => "position-seat",
            K::NeutralOfNoKind { .. } => "position-neutral",
            K::ZeroRun => "position-run",
            K::NoStacks => "position-stacks",
            K::OpenStack => "position-stack-open",
            K::EmptyStack => "position-stack-empty",
            K::BadCount { .. } => "position-stack-count",
            K::TooManyMen { .. } => "position-men",
            K::UnknownPlayer { .. } => "position-player",
            K::AmbiguousPlayer { .. } => "position-player-ambiguous",
            K::NotAKey { .. } => "position-word",
            K::UnknownKey { .. } => "position-key",
            K::KeyTwice { .. } => "position-key-twice",
            K::NeedsPlayer { .. } => "position-key-player",
            K::NoPlayer { .. } => "position-key-no-player",
            K::BadValue { .. } => "position-value",
            K::UnknownCell { .. } => "position-cell",
            K::BadHand { .. } => "position-hand",
            K::BadOpening { .. } => "position-opening",
            K::UnknownChoices { .. } => "position-choices",
            K::Field { .. } => "position-field",
            K::Fault { .. } => "position-fault",
            K::NoMove => "move-empty",
            K::UnknownMove { .. } => "move-unknown",
            K::AmbiguousMove { .. } => "move-ambiguous",
            K::NoMoves => "move-none",
        }
    }

    /// What is wrong.
    pub fn message(&self) -> String {
        match &self.kind {
            K::NoBoard => "no position here".into(),
            K::Parts { part, found, wanted } => format!("the board has {wanted} {part}s, the text has {found}"),
            K::CellsOfPart { part, found, wanted } => format!("{part} has {wanted} cells, the text has {found}"),
            K::UnknownMan { found, .. } => format!("no man is written `{found}`"),
            K::NoSuchSeat { found, players } => {
                format!("`{found}` would be a man of another player than these {players}")
            }
            K::NeutralOfNoKind { .. } => "`*` does not say which kind".into(),
            K::ZeroRun => "no empty cells at all".into(),
            K::NoStacks => "men do not stand on each other in this game".into(),
            K::OpenStack => "this stack has no end".into(),
            K::EmptyStack => "a stack without men".into(),
            K::TooManyMen { found, most } => format!("{found} men stand on this board, which holds {most}"),
            K::BadCount { found, most } => format!("a stack has 1 to {most} men, not {found}"),
            K::UnknownPlayer { found, .. } => format!("no player is called `{found}`"),
            K::AmbiguousPlayer { found, .. } => format!("`{found}` may be several players"),
            K::NotAKey { found, .. } => format!("`{found}` is not of the form `key=value`"),
            K::UnknownKey { found, .. } => format!("a position of this game has no `{found}`"),
            K::KeyTwice { key } => format!("`{key}` stands here twice"),
            K::NeedsPlayer { key, .. } => format!("`{key}` does not say whose"),
            K::NoPlayer { key } => format!("`{key}` is not a player's own"),
            K::BadValue { found, wanted } => format!("`{found}` is not {}", value_word(*wanted)),
            K::UnknownCell { found } => format!("the board has no cell `{found}`"),
            K::BadHand { found, .. } => format!("`{found}` is not men in hand"),
            K::BadOpening { found, .. } => format!("`{found}` turns of the opening cannot have been played"),
            K::UnknownChoices { found, .. } => format!("`{found}` is not what a turn can begin with here"),
            K::Field { field, found, wanted } if wanted.is_empty() => format!("the {field} of the rules: {found}"),
            K::Field { field, found, .. } => format!("`{found}` does not fit the field `{field}`"),
            K::Fault { message } => message.clone(),
            K::NoMove => "no move here".into(),
            K::UnknownMove { found, .. } => format!("`{found}` is not a move here"),
            K::AmbiguousMove { found, .. } => format!("`{found}` may be several moves"),
            K::NoMoves => "there is no move to make here".into(),
        }
    }

    /// How to mend it.
    pub fn help(&self) -> Option<String> {
        let help = match &self.kind {
            K::NoBoard => "a position reads `BOARD Player key=value ...`".into(),
            K::Parts { part: "line", .. } => {
                "a drawn board has one line for each rank, from the top; `.` is an empty cell".into()
            }
            K::CellsOfPart { part, .. } if part.starts_with("line") => "`.` is an empty cell".into(),
            K::Parts { part, .. } => format!("put `/` between {part}s, and numbers for empty cells"),
            K::CellsOfPart { .. } => "a number stands for so many empty cells; missing cells are left out".into(),
            K::UnknownMan { known, .. } | K::NeutralOfNoKind { known } => format!("men are written {known}"),
            K::NoSuchSeat { .. } => {
                "a capital is the first player's, a small letter the second's, `'` goes on to the next two".into()
            }
            K::ZeroRun => "leave out the 0".into(),
            K::NoStacks => "write one man for each cell, without brackets".into(),
            K::OpenStack => "end it with `]`".into(),
            K::EmptyStack => "write 1 for an empty cell".into(),
            K::TooManyMen { .. } => "a board with `stacks` holds eight men for each cell, and 255 at least".into(),
            K::BadCount { .. } => "a number behind a man says how many such men stand upon each other".into(),
            K::UnknownPlayer { known, .. } => {
                format!("{}{}", did_you_mean(self.found(), known), listed("the players are", known))
            }
            K::AmbiguousPlayer { fitting, .. } => listed("write one of", fitting),
            K::NotAKey { known, .. } if known.is_empty() => "nothing stands behind the player in this game".into(),
            K::NotAKey { known, .. } => listed("behind the player may stand", known),
            K::UnknownKey { known, .. } if known.is_empty() => "its positions have no keys".into(),
            K::UnknownKey { known, .. } => {
                format!("{}{}", did_you_mean(self.found(), known), listed("its keys are", known))
            }
            K::KeyTwice { .. } => "leave one of them out".into(),
            K::NeedsPlayer { key, player } => format!("write `{player}.{key}=...`"),
            K::NoPlayer { key } => format!("write `{}=...`", key.rsplit('.').next().unwrap_or(key)),
            K::BadValue { wanted, .. } => value_help(*wanted).into(),
            K::BadHand { known, .. } => format!("write each kind's letter with how many, of {known}"),
            K::BadOpening { turns: 0, .. } => "this game has no opening".into(),
            K::BadOpening { turns, .. } => format!("write a number from 0 to {turns}"),
            K::Field { wanted, .. } if !wanted.is_empty() => format!("this field wants {wanted}"),
            K::UnknownMove { parts, rest, near, .. } if !parts.is_empty() => match (rest.as_str(), parts.len()) {
                ("", count) => format!("it is {count} moves, each a ply of its own: {}", in_turn(parts)),
                (rest, 1) if near.iter().any(|near| !parts.contains(near)) => {
                    format!(
                        "{}; {} alone is one, but not `{rest}` behind it",
                        listed("possible are", near),
                        in_turn(parts)
                    )
                }
                (rest, 1) => format!("{} is one, but not `{rest}` behind it", in_turn(parts)),
                (rest, _) => format!("{} are moves, but not `{rest}` behind them", in_turn(parts)),
            },
            K::UnknownMove { near, .. } | K::UnknownChoices { near, .. } if !near.is_empty() => {
                listed("possible are", near)
            }
            K::AmbiguousMove { fitting, .. } => listed("write one of", fitting),
            _ => return None,
        };
        Some(help)
    }

    fn found(&self) -> &str {
        match &self.kind {
            K::UnknownPlayer { found, .. } | K::UnknownKey { found, .. } => found,
            _ => "",
        }
    }
}

fn value_word(ty: Type) -> &'static str {
    match ty {
        Type::Number => "a number",
        Type::Truth => "a truth",
        _ => "a set of cells",
    }
}

fn value_help(ty: Type) -> &'static str {
    match ty {
        Type::Number => "write a whole number of 64 bits",
        Type::Truth => "write `true` or `false`",
        _ => "write cells with `+` between them, or `none`",
    }
}

/// ``a`, then `b``.
fn in_turn(moves: &[String]) -> String {
    moves.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", then ")
}

/// `start `a`, `b`.
fn listed(start: &str, names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("{start} {}", quoted.join(", "))
}

fn did_you_mean(found: &str, known: &[String]) -> String {
    let scored = known.iter().map(|name| (strsim::normalized_damerau_levenshtein(found, name), name));
    let best = scored.filter(|(score, _)| *score >= 0.6).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(String::new(), |(_, name)| format!("did you mean `{name}`? "))
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for NotationError {}
