//! Errors of meaning: data with codes and severities. They are put into words in `wording`.

use std::collections::{HashMap, HashSet};

use crate::board::TopologyError;
use crate::sort;
use crate::source::Span;
use crate::syntax::KIND_LIMIT;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

/// A mistake, where it is, and a second place that has to do with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: Kind,
    pub span: Span,
    pub other: Option<Span>,
    /// The place within a define, an action or the prelude, if the mistake is that of its caller.
    pub within: Option<Within>,
    /// Further mistakes of this kind, which are not told.
    pub more: usize,
}

impl Problem {
    pub fn new(kind: Kind, span: Span, other: Option<Span>) -> Problem {
        Problem { kind, span, other, within: None, more: 0 }
    }

    /// What is wrong, in a sentence without a full stop.
    pub fn message(&self) -> String {
        match self.within {
            Some(Within { argument: false, .. }) => format!("in this call: {}", self.kind.message()),
            _ => self.kind.message(),
        }
    }

    /// What to write at the span.
    pub fn label(&self) -> String {
        match self.within {
            Some(Within { argument: false, .. }) => String::from("this call"),
            _ => self.kind.label(),
        }
    }

    /// The second place and what it is.
    pub fn second(&self) -> Option<(Span, String)> {
        match self.within {
            Some(Within { span, argument: true }) => Some((span, String::from("asked here"))),
            Some(Within { span, argument: false }) => Some((span, self.kind.label())),
            None => self.other.map(|span| (span, self.kind.other_label().to_string())),
        }
    }
}

/// Where a call goes wrong within what it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Within {
    pub span: Span,
    /// What is wrong is one argument of the call, and not the call as a whole.
    pub argument: bool,
}

/// The mistakes found so far, each once: the first of each kind whole, the others as places.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    found: Vec<Problem>,
    places: HashMap<&'static str, HashSet<Span>>,
}

impl Problems {
    pub fn add(&mut self, kind: Kind, span: Span) {
        self.push(Problem::new(kind, span, None));
    }

    pub fn add_with(&mut self, kind: Kind, span: Span, other: Span) {
        self.push(Problem::new(kind, span, Some(other)));
    }

    pub fn push(&mut self, problem: Problem) {
        let places = self.places.entry(problem.kind.code()).or_default();
        if places.insert(problem.span) && places.len() <= KIND_LIMIT {
            self.found.push(problem);
        }
    }

    /// A mistake of this kind has been found.
    pub fn knows(&self, code: &str) -> bool {
        self.places.contains_key(code)
    }

    /// Further mistakes of this kind are not told.
    pub fn is_full(&self, code: &str) -> bool {
        self.places.get(code).is_some_and(|places| places.len() >= KIND_LIMIT)
    }

    /// Adds what was found elsewhere.
    pub fn merge(&mut self, other: Problems) {
        other.found.into_iter().for_each(|problem| self.push(problem));
        for (code, places) in other.places {
            self.places.entry(code).or_default().extend(places);
        }
    }

    /// In the order of the text; the last of each kind has the number of those that are not told.
    pub fn sorted(mut self) -> Vec<Problem> {
        sort::by_key(&mut self.found, |problem| (problem.span.source, problem.span.start, problem.span.end));
        let mut untold: HashMap<&str, usize> = self.places.iter().map(|(code, places)| (*code, places.len())).collect();
        for problem in &self.found {
            untold.entry(problem.kind.code()).and_modify(|count| *count -= 1);
        }
        for problem in self.found.iter_mut().rev() {
            problem.more = untold.remove(problem.kind.code()).unwrap_or(0);
        }
        self.found
    }

    /// Something is wrong with a part of what stands here.
    pub fn has_within(&self, span: Span) -> bool {
        self.found.iter().any(|problem| span.contains(problem.span))
    }

    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|problem| problem.kind.severity() == Severity::Error)
    }
}

/// What is wrong with an entry of `looks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookFault {
    /// One word, or more than two.
    Form,
    /// The first word names nothing that can be drawn.
    Name,
    Icon,
    Colour,
    Style,
}

/// What is wrong. The doc comment of each shows a text that triggers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `pick p from ownn`
    UnknownName { name: String, near: Option<String> },
    /// `if some enemy { let n = 1 } need n = 1`
    OutOfScope { name: String },
    /// `place Whit man on a1`
    NoSuchPlayer { name: String, near: Option<String> },
    /// `place mann on a1`
    NotAKind { name: String, near: Option<String> },
    /// `place man on z9`
    /// `of`: what the cells belong to of which the first and the last are told.
    NoSuchCell { name: String, of: &'static str, cells: (String, String), left_out: bool },
    /// `place man on file zz`
    NoSuchFile { name: String },
    /// `players White up, Black down`
    NoSuchDirection { name: String, near: Option<String> },
    /// `variant "B" extends "A" { }`
    NoSuchVariant { name: String, near: Option<String>, known: Vec<String> },
    /// `game "A" extends "B" { }`
    NoSuchGame { name: String, near: Option<String> },
    /// `--set sise=9`
    NoSuchParam { name: String, near: Option<String> },
    /// `game "A" extends "A" { }`
    ExtendsCircle { name: String },
    /// `need own`
    WrongType { wanted: &'static str, found: &'static str },
    /// `let x = if true then 1 else own`
    DifferentTypes { one: &'static str, other: &'static str },
    /// `need own in empty or last`
    SplitByPrecedence { mend: Option<String> },
    /// `board square 8 by 8 board square 9 by 9`
    DuplicateSection { word: &'static str },
    /// `piece man define man = own`
    DuplicateName { name: String, keyword: &'static str, set: Option<String> },
    /// `define empty = own`
    BuiltinName { name: String },
    /// `piece man M piece monk`
    DuplicateLetter { letter: char, name: String, free: Option<char> },
    /// `players Black, Blue`
    SameInitial { letter: char },
    /// `pick c from own let c = 1`
    BoundTwice { name: String, set: Option<String> },
    /// `let c = 1 need p in file c`
    FileLetterIsLocal { name: String },
    /// `players White, Black need p in row 1`
    NoRows,
    /// `players White, Black move p forward: step`
    NoForward { name: String },
    /// `players White north, Black`
    SomeForwards,
    /// `^ to (not <enemy>)`
    NotBeforeCaught,
    /// `need count > 1`
    FunctionWithoutArguments { name: String },
    /// `need own(p)`
    NotAFunction { name: String, argument: Option<String> },
    /// `need step`
    NotAValue { name: String, keyword: &'static str },
    /// `remember a = b remember b = 1`
    StateTooEarly { name: String },
    /// `remember n = 0 set n(enemy) = 1`
    NotPerPlayer { name: String },
    /// `remember ways = orthogonal`
    StateType { found: &'static str },
    /// `board square 8 by 8, stacks remember moved = none on pieces`
    MarksOnStacks,
    /// `remember n = 0 on pieces`
    MarksNotCells,
    /// `move { need here in own }`
    HereOutsidePiece,
    /// `need it in own`
    ItOutsideWhere,
    /// `move p outward: step`
    OutwardOutsideTurning,
    /// `board points ... move p heading + 1: step`
    NoCircle,
    /// `end { win if changed }`
    TurnOnly { word: &'static str },
    /// `need count(own, enemy) = 1`
    WrongArity { name: String, wanted: String, found: usize, form: Option<String> },
    /// `need count(1..2) = 1`
    WrongArgument,
    /// `need some catches(p, orthogonal)`
    LineWanted { name: String },
    /// `draw if times(own) >= 3`
    TimesOfWhat,
    /// `(defines that call each other with ever new types)`
    TooManyDefines,
    /// `(actions that run each other, doubling each time)`
    TooManyParts,
    /// `(actions that run each other, five hundred deep)`
    TooDeep,
    /// `(thirty-three variants that extend each other)`
    ExtendsTooDeep,
    /// `define f(x) = f(x)`
    EndlessDefine { name: String },
    /// `define f(x) = f(x or own)`
    RecursiveDefine { name: String },
    /// `pattern a = b pattern b = a`
    RecursivePattern { name: String },
    /// `action a { do a }`
    RecursiveAction { name: String },
    /// `pattern jump = enemy to empty`
    NoAnchor,
    /// `move p straight: ^ ^ to empty`
    TwoAnchors,
    /// `move p straight: ^ empty`
    NoLanding,
    /// `move p straight: ^ to empty to empty`
    TwoLandings,
    /// `move p straight: ^ to <enemy+>`
    LandingWithCount,
    /// `catches(c, straight: ^ enemy own)`
    CatchesNothing,
    /// `move p straight: ^ empty{3..2} to empty`
    MatchesNothing,
    /// `pick p from <enemy>`
    CaughtOutsidePattern,
    /// `^ (<enemy+> or own) own`
    CountInsideTest,
    /// `^ to step`
    LineInsideTest { name: String },
    /// `pattern approach "approach" = ^ to empty <enemy+>`
    BadSign,
    /// `either "a1" { } or "b c" { }`
    BadLabel { label: String },
    /// `move p forward diagonal: step`
    ForwardDiagonal { word: &'static str, mend: &'static str },
    /// `move p north south: step`
    EmptyDirs,
    /// `setup { pass }`
    NotInSetup,
    /// `move { mirror }`
    OnlyInSetup,
    /// `players A, B, C move { swap }`
    SwapNeedsTwo,
    /// `first { pick n from 1..6 by chance } else { pass }`
    ChanceInFirst,
    /// `setup { pick c from empty by chance }`; or `either by chance`
    ChanceInSetup { either: bool },
    /// `either 2 { pass } or { pick p from own move p }`
    WeightWithoutChance { in_setup: bool },
    /// `either by chance 0 { } or 0 { pass }`
    NoWeight,
    /// `pick 2 n from 1..3`
    BadPickCount,
    /// `pick n from 1..`
    EndlessRange,
    /// `repeat while true { }`
    EndlessLoop,
    /// `set size = 9`
    NotSettable { name: String, keyword: &'static str },
    /// `do step`
    NotAnAction { name: String, keyword: &'static str },
    /// `place (2) man on a1`
    NeedsStacks,
    /// `piece wall neutral place White wall on a1`
    NeutralOwned { name: String },
    /// `place neutral man on c from hand`
    NeutralInHand { name: String },
    /// `promote p`
    NoPromotedKind,
    /// `variant "V" { do finishh { } }`
    NoSuchPart { name: String, near: Option<String> },
    /// `game "A" { move { as usual } }`
    NothingAsUsual,
    /// `game "A" { }`
    NoSection { word: &'static str },
    /// `(nine players)`
    TooManyPlayers,
    /// `teams A and B, A and C`
    TwoTeams { name: String },
    /// `board square 8 by 8, without any`
    BadBoard { error: TopologyError },
    /// `board square 40 by 40`
    BadSide { found: i64, most: i64 },
    /// `board square 8 by 8, without own`
    NotConstant,
    /// `board points`
    NoPoints,
    /// `board points, lines orthogonal`
    PointsWanted,
    /// `board points, lines aa1 ba1 ca1`
    NoSuchPoint { name: String },
    /// `board square 3 by 3 setup { picture "..." }`
    PictureRanks { found: usize, wanted: usize },
    /// `board square 3 by 1 setup { picture ".." }`
    PictureFiles { rank: u8, found: usize, wanted: usize },
    /// `board square 2 by 1, without a1 setup { picture ". ." }`
    PictureNoCell,
    /// `setup { picture "x" }`
    UnknownGlyph { glyph: char },
    /// `param size = 30 in 5..26`
    ParamRange { name: String, value: i64, low: i64, high: i64 },
    /// `--set size=true`
    ParamType { name: String, wanted: &'static str },
    /// `setup { need not stuck(enemy) }`
    EndOfTurn { word: &'static str },
    /// `piece king { if attacked(here) { move straight: step } }`
    NotInWays { word: &'static str },
    /// `end { }`
    NoWayToEnd,
    /// `move { pick p from own move p again }`
    NeverTurn { name: String },
    /// `most count(caught) need true`
    MostNotLast,
    /// `end { win if no enemy }`
    NoStuckOutcome,
    /// `piece pawn`
    Unused { name: String, keyword: &'static str },
    /// `remember n = 0`
    NeverSet { name: String },
    /// `own where it in last or empty`
    BareOr { one: Option<String>, other: Option<String> },
    /// `place man on rank 12`
    BandOutside { axis: &'static str, most: i64 },
    /// `repeat { move p straight: step }`
    IdleRepeat,
    /// `first { pass } else { pass }`
    Unreachable,
    /// `draw if false`
    NeverHolds,
    /// `draw if true win if no enemy`
    OutcomeHidden,
    /// `move p straight: ^ to any`
    LandingOnMen,
    /// `move p straight: ^ to empty <enemy+> or <enemy+> ^ to empty`
    SameLanding,
    /// `setup { place man on a1   place man on a1 }`
    PlacedTwice,
    /// `captures leave at end of move move p straight: ^ to <enemy>`
    LandingWaits,
    /// `players White, Black setup { place man on rank 1 mirror }`
    MirrorsNothing { word: &'static str },
    /// `pick p from own and enemy`
    EmptySet { picks: bool, common: bool },
    /// `move { place man on empty }`
    PlaceOnAll { man: String },
    /// `game "A" { (no set-up, and no turn that places men) }`
    NoMen,
    /// `piece king win if no enemy king`
    NeverOnBoard { name: String },
    /// `win if any = any`
    AlwaysHolds,
    /// `win if no enemy draw if no enemy`
    OutcomeRepeated { same_result: bool },
    /// `either { pass } or { pass }`
    SameAlternatives { what: &'static str },
    /// `board square 5 by 5 win if some segments(own, straight, 6)`
    LongerThanBoard { found: i64, most: i64 },
    /// `move { either { } or { pick p from own move p } }`
    NullTurn,
    /// `game "A" { variant "A" { } }`
    TitleOfGame,
    /// `variant "B" { variant "C" { } }`
    NestedVariant { name: String, outer: String },
    /// `about { looks "king corwn" }`
    UnknownLook { entry: String, why: LookFault, near: Option<String> },
}

/// The kinds and their codes, so that the list of codes is complete.
macro_rules! codes {
    ($($kind:pat => $code:literal,)*) => {
        impl Kind {
            /// All codes, in the order of the kinds.
            pub const CODES: &[&str] = &[$($code),*];

            /// The stable name of this kind of mistake.
            pub fn code(&self) -> &'static str {
                match self {
                    $($kind => $code,)*
                }
            }
        }
    };
}

codes! {
    Kind::UnknownName { .. } => "unknown-name",
    Kind::OutOfScope { .. } => "out-of-scope",
    Kind::NoSuchPlayer { .. } => "unknown-player",
    Kind::NotAKind { .. } => "not-a-kind",
    Kind::NoSuchCell { .. } => "unknown-cell",
    Kind::NoSuchFile { .. } => "unknown-file",
    Kind::NoSuchDirection { .. } => "unknown-direction",
    Kind::NoSuchVariant { .. } => "unknown-variant",
    Kind::NoSuchGame { .. } => "unknown-game",
    Kind::NoSuchParam { .. } => "unknown-param",
    Kind::ExtendsCircle { .. } => "extends-circle",
    Kind::WrongType { .. } => "wrong-type",
    Kind::DifferentTypes { .. } => "different-types",
    Kind::SplitByPrecedence { .. } => "split-by-precedence",
    Kind::DuplicateSection { .. } => "duplicate-section",
    Kind::DuplicateName { .. } => "duplicate-name",
    Kind::BuiltinName { .. } => "builtin-name",
    Kind::DuplicateLetter { .. } => "duplicate-letter",
    Kind::SameInitial { .. } => "same-initial",
    Kind::BoundTwice { .. } => "bound-twice",
    Kind::FileLetterIsLocal { .. } => "file-letter",
    Kind::NoRows => "no-rows",
    Kind::NoForward { .. } => "no-forward",
    Kind::SomeForwards => "some-forwards",
    Kind::NotBeforeCaught => "not-before-caught",
    Kind::FunctionWithoutArguments { .. } => "function-without-arguments",
    Kind::NotAFunction { .. } => "not-a-function",
    Kind::NotAValue { .. } => "not-a-value",
    Kind::StateTooEarly { .. } => "state-too-early",
    Kind::NotPerPlayer { .. } => "not-per-player",
    Kind::StateType { .. } => "state-type",
    Kind::MarksOnStacks => "marks-on-stacks",
    Kind::MarksNotCells => "marks-not-cells",
    Kind::HereOutsidePiece => "here-outside-piece",
    Kind::ItOutsideWhere => "it-outside-where",
    Kind::OutwardOutsideTurning => "outward-outside-turning",
    Kind::NoCircle => "no-circle",
    Kind::TurnOnly { .. } => "turn-only",
    Kind::WrongArity { .. } => "wrong-arity",
    Kind::WrongArgument => "wrong-argument",
    Kind::LineWanted { .. } => "line-wanted",
    Kind::TimesOfWhat => "times-of-what",
    Kind::TooManyDefines => "too-many-defines",
    Kind::TooManyParts => "too-many-parts",
    Kind::TooDeep => "too-deep",
    Kind::ExtendsTooDeep => "extends-too-deep",
    Kind::EndlessDefine { .. } => "endless-define",
    Kind::RecursiveDefine { .. } => "recursive-define",
    Kind::RecursivePattern { .. } => "recursive-pattern",
    Kind::RecursiveAction { .. } => "recursive-action",
    Kind::NoAnchor => "no-anchor",
    Kind::TwoAnchors => "two-anchors",
    Kind::NoLanding => "no-landing",
    Kind::TwoLandings => "two-landings",
    Kind::LandingWithCount => "landing-count",
    Kind::CatchesNothing => "catches-nothing",
    Kind::MatchesNothing => "matches-nothing",
    Kind::CaughtOutsidePattern => "caught-outside-pattern",
    Kind::CountInsideTest => "count-inside-test",
    Kind::LineInsideTest { .. } => "line-inside-test",
    Kind::BadSign => "bad-sign",
    Kind::BadLabel { .. } => "bad-label",
    Kind::ForwardDiagonal { .. } => "forward-diagonal",
    Kind::EmptyDirs => "empty-directions",
    Kind::NotInSetup => "not-in-setup",
    Kind::OnlyInSetup => "only-in-setup",
    Kind::SwapNeedsTwo => "swap-needs-two",
    Kind::ChanceInFirst => "chance-in-first",
    Kind::ChanceInSetup { .. } => "chance-in-setup",
    Kind::WeightWithoutChance { .. } => "weight-without-chance",
    Kind::NoWeight => "no-weight",
    Kind::BadPickCount => "bad-pick-count",
    Kind::EndlessRange => "endless-range",
    Kind::EndlessLoop => "endless-loop",
    Kind::NotSettable { .. } => "not-settable",
    Kind::NotAnAction { .. } => "not-an-action",
    Kind::NeedsStacks => "needs-stacks",
    Kind::NeutralOwned { .. } => "neutral-owned",
    Kind::NeutralInHand { .. } => "neutral-in-hand",
    Kind::NoPromotedKind => "no-promoted-kind",
    Kind::NoSuchPart { .. } => "unknown-part",
    Kind::NothingAsUsual => "nothing-as-usual",
    Kind::NoSection { .. } => "no-section",
    Kind::TooManyPlayers => "too-many-players",
    Kind::TwoTeams { .. } => "two-teams",
    Kind::BadBoard { .. } => "bad-board",
    Kind::BadSide { .. } => "bad-side",
    Kind::NotConstant => "not-constant",
    Kind::NoPoints => "no-points",
    Kind::PointsWanted => "points-wanted",
    Kind::NoSuchPoint { .. } => "unknown-point",
    Kind::PictureRanks { .. } => "picture-ranks",
    Kind::PictureFiles { .. } => "picture-files",
    Kind::PictureNoCell => "picture-no-cell",
    Kind::UnknownGlyph { .. } => "unknown-glyph",
    Kind::ParamRange { .. } => "param-range",
    Kind::ParamType { .. } => "param-type",
    Kind::EndOfTurn { .. } => "end-of-turn",
    Kind::NotInWays { .. } => "not-in-ways",
    Kind::NoWayToEnd => "no-way-to-end",
    Kind::NeverTurn { .. } => "never-turn",
    Kind::MostNotLast => "most-not-last",
    Kind::NoStuckOutcome => "no-stuck-outcome",
    Kind::Unused { .. } => "unused",
    Kind::NeverSet { .. } => "never-set",
    Kind::BareOr { .. } => "bare-or",
    Kind::BandOutside { .. } => "band-outside",
    Kind::IdleRepeat => "idle-repeat",
    Kind::Unreachable => "unreachable",
    Kind::NeverHolds => "never-holds",
    Kind::OutcomeHidden => "outcome-hidden",
    Kind::LandingOnMen => "landing-on-men",
    Kind::SameLanding => "same-landing",
    Kind::PlacedTwice => "placed-twice",
    Kind::LandingWaits => "landing-waits",
    Kind::MirrorsNothing { .. } => "mirrors-nothing",
    Kind::EmptySet { .. } => "empty-set",
    Kind::PlaceOnAll { .. } => "place-on-all",
    Kind::NoMen => "no-men",
    Kind::NeverOnBoard { .. } => "never-on-board",
    Kind::AlwaysHolds => "always-holds",
    Kind::OutcomeRepeated { .. } => "outcome-repeated",
    Kind::SameAlternatives { .. } => "same-alternatives",
    Kind::LongerThanBoard { .. } => "longer-than-board",
    Kind::NullTurn => "null-turn",
    Kind::TitleOfGame => "title-of-game",
    Kind::NestedVariant { .. } => "nested-variant",
    Kind::UnknownLook { .. } => "unknown-look",
}

impl Kind {
    /// The mistake may come from what is given to the define or action in which it stands.
    pub fn comes_from_types(&self) -> bool {
        matches!(self, Kind::WrongType { .. } | Kind::DifferentTypes { .. } | Kind::SplitByPrecedence { .. })
    }

    pub fn severity(&self) -> Severity {
        match self {
            Kind::FileLetterIsLocal { .. }
            | Kind::EmptyDirs
            | Kind::NoStuckOutcome
            | Kind::Unused { .. }
            | Kind::NeverSet { .. }
            | Kind::BareOr { .. }
            | Kind::BandOutside { .. }
            | Kind::IdleRepeat
            | Kind::Unreachable
            | Kind::NeverHolds
            | Kind::OutcomeHidden
            | Kind::LandingOnMen
            | Kind::SameLanding
            | Kind::LandingWaits
            | Kind::MirrorsNothing { .. }
            | Kind::EmptySet { .. }
            | Kind::PlaceOnAll { .. }
            | Kind::NoMen
            | Kind::NeverOnBoard { .. }
            | Kind::AlwaysHolds
            | Kind::OutcomeRepeated { .. }
            | Kind::SameAlternatives { .. }
            | Kind::LongerThanBoard { .. }
            | Kind::NullTurn
            | Kind::TitleOfGame
            | Kind::NestedVariant { .. }
            | Kind::UnknownLook { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }
}
