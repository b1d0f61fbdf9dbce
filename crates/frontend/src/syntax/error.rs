//! Syntax errors: what went wrong in reading a text goes in as data; the words to say it with come
//! out. The wording of syntax errors is here, in `expected`, `foreign` and `diagnose::form`.

use crate::source::Span;
use crate::syntax::foreign;

/// One mistake, where it stands, and a second place that explains it, if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub kind: SyntaxErrorKind,
    pub span: Span,
    pub other: Option<Span>,
    /// Further mistakes of this kind in the text, which are not told.
    pub more: usize,
}

impl SyntaxError {
    pub fn new(kind: SyntaxErrorKind, span: Span, other: Option<Span>) -> SyntaxError {
        SyntaxError { kind, span, other, more: 0 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// `pick from own`
    Unexpected { found: String, expected: Vec<String>, near: Option<Near>, form: Option<String> },
    /// `dice 2` among the sections
    NoSuchSection { word: String, near: Option<String> },
    /// `^ to (river and (empty or <enemy>))`: what it means without the inner brackets
    CaughtInBrackets { mend: Option<String> },
    /// `move { pick p from own  end { }`: the brace after `move`
    MissingClosingBrace,
    /// `move { } }`: the last brace, or `)` alone
    StrayClosing { mark: char },
    /// `need (a and b`, `^ <enemy to empty`
    UnclosedBracket { mark: char },
    /// `note "abc`
    UnterminatedString,
    /// `piece turn`, `draw if turn > 50`
    ReservedName { word: String, as_value: bool },
    /// `pick c1 from own`
    CellAsName { word: String },
    /// `need a == b`
    DoubleEquals,
    /// `need a && b`
    ForeignMark { mark: String, ours: String },
    /// `n = n + 1`
    AssignmentWithoutSet { name: String },
    /// `castle(p)` where a statement is wanted
    StatementBeginsWithName { name: String, near: Option<String> },
    /// `if a pick p from own`
    MissingBraces { keyword: String },
    /// `if a then { }`
    ThenBeforeBlock,
    /// `param x = 99999999999999999999`
    NumberTooLarge,
    /// `board square 8x8`
    MalformedNumber { word: String },
    /// `piece King`
    CapitalName { word: String },
    /// `players white, Black`
    SmallPlayer { word: String },
    /// `piece king k`
    PieceLetter { word: String },
    /// More than 200 brackets, or `not`, `else if`, ..., or operands within each other
    NestedTooDeep,
    /// More than a mebibyte
    TextTooLarge,
    /// More than 50,000 words and marks
    TooManyWords,
    /// `need a; need b`
    UnknownCharacter { text: String },
}

/// A word that is near to one of the language, and that one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    pub word: String,
    pub meant: String,
}

/// A list of more words than this says little.
const MOST_EXPECTED: usize = 2;

use SyntaxErrorKind as Kind;

/// The kinds and their codes, so that the list of codes is complete.
macro_rules! codes {
    ($($kind:pat => $code:literal,)*) => {
        impl SyntaxErrorKind {
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
    Kind::Unexpected { .. } => "syntax-unexpected",
    Kind::NoSuchSection { .. } => "syntax-no-such-section",
    Kind::CaughtInBrackets { .. } => "syntax-caught-in-brackets",
    Kind::MissingClosingBrace => "syntax-missing-closing-brace",
    Kind::StrayClosing { .. } => "syntax-stray-closing",
    Kind::UnclosedBracket { .. } => "syntax-unclosed-bracket",
    Kind::UnterminatedString => "syntax-unterminated-string",
    Kind::ReservedName { .. } => "syntax-reserved-name",
    Kind::CellAsName { .. } => "syntax-cell-as-name",
    Kind::DoubleEquals => "syntax-double-equals",
    Kind::ForeignMark { .. } => "syntax-foreign-mark",
    Kind::AssignmentWithoutSet { .. } => "syntax-assignment-without-set",
    Kind::StatementBeginsWithName { .. } => "syntax-statement-begins-with-name",
    Kind::MissingBraces { .. } => "syntax-missing-braces",
    Kind::ThenBeforeBlock => "syntax-then-before-block",
    Kind::NumberTooLarge => "syntax-number-too-large",
    Kind::MalformedNumber { .. } => "syntax-malformed-number",
    Kind::CapitalName { .. } => "syntax-capital-name",
    Kind::SmallPlayer { .. } => "syntax-small-player",
    Kind::PieceLetter { .. } => "syntax-piece-letter",
    Kind::NestedTooDeep => "syntax-nested-too-deep",
    Kind::TextTooLarge => "syntax-text-too-large",
    Kind::TooManyWords => "syntax-too-many-words",
    Kind::UnknownCharacter { .. } => "syntax-unknown-character",
}

impl SyntaxErrorKind {
    /// What is wrong, in lower case and without a full stop.
    pub fn message(&self) -> String {
        match self {
            // What is meant is known, so a long list of what else could stand here only distracts.
            Kind::Unexpected { found, expected, form: Some(_), .. } if expected.len() > MOST_EXPECTED => {
                format!("unexpected {found}")
            }
            Kind::Unexpected { found, expected, .. } => unexpected_message(found, expected),
            Kind::NoSuchSection { word, .. } => format!("there is no section `{word}`"),
            Kind::CaughtInBrackets { .. } => "`< >` cannot stand in brackets within a test".into(),
            Kind::MissingClosingBrace => "this `{` is never closed".into(),
            Kind::StrayClosing { mark } => format!("this `{mark}` closes nothing"),
            Kind::UnclosedBracket { mark } => format!("this `{mark}` is never closed"),
            Kind::UnterminatedString => "this string is never closed".into(),
            Kind::ReservedName { word, as_value: true } => {
                format!("`{word}` is a word of the language and has no value")
            }
            Kind::ReservedName { word, .. } => format!("`{word}` is a word of the language and cannot be a name"),
            Kind::CellAsName { word } => format!("`{word}` is a cell and cannot be a name"),
            Kind::DoubleEquals => "`==` is not a mark of the language".into(),
            Kind::ForeignMark { mark, .. } => format!("`{mark}` is not a mark of the language"),
            Kind::AssignmentWithoutSet { name } => format!("`{name} =` begins no statement"),
            Kind::StatementBeginsWithName { name, .. } => format!("no statement begins with a name, here `{name}`"),
            Kind::MissingBraces { keyword } => format!("what belongs to `{keyword}` stands in braces"),
            Kind::ThenBeforeBlock => "the statement `if` has no `then`".into(),
            Kind::NumberTooLarge => "this number is too large".into(),
            Kind::MalformedNumber { word } => format!("`{word}` is neither a number nor a name"),
            Kind::CapitalName { word } => format!("a name begins with a small letter, unlike `{word}`"),
            Kind::SmallPlayer { word } => format!("a player's name begins with a capital, unlike `{word}`"),
            Kind::PieceLetter { word } => format!("the letter of a piece is one capital, unlike `{word}`"),
            Kind::NestedTooDeep => "this is nested too deep".into(),
            Kind::TextTooLarge => "the text is too large".into(),
            Kind::TooManyWords => "the text has too many words".into(),
            Kind::UnknownCharacter { text } => format!("`{text}` means nothing here"),
        }
    }

    /// How to mend it.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Kind::Unexpected { form: Some(form), .. } => form.clone(),
            Kind::Unexpected { near: Some(Near { word, meant }), found, .. } if *found != format!("`{word}`") => {
                format!("did you mean `{meant}`, where `{word}` stands?")
            }
            Kind::Unexpected { near: Some(Near { meant, .. }), .. } => format!("did you mean `{meant}`?"),
            Kind::Unexpected { found, .. } => return unexpected_help(found).map(String::from),
            Kind::NoSuchSection { word, near } => section_help(word, near.as_deref()),
            Kind::CaughtInBrackets { mend: Some(mend) } => format!("write `{mend}`"),
            Kind::CaughtInBrackets { mend: None } => {
                "`or` and `and` may stand beside it: for `(a and (b or <c>))` write `(a and b or <a and c>)`".into()
            }
            Kind::MissingClosingBrace => "write `}` where the block ends".into(),
            Kind::StrayClosing { mark } => format!("leave out this `{mark}`, or open it before"),
            Kind::UnclosedBracket { mark } => format!("write `{}` where it ends", closing(*mark)),
            Kind::UnterminatedString => "write `\"` where it ends".into(),
            Kind::ReservedName { word, as_value: true } if word == "turn" => {
                return foreign::value("plies").map(String::from);
            }
            Kind::ReservedName { word, .. } => format!("choose another name, for example `the_{word}`"),
            Kind::CellAsName { .. } => "one or two letters and a number are a cell; choose another name".into(),
            Kind::DoubleEquals => "write `=`".into(),
            Kind::ForeignMark { ours, .. } => format!("write {ours}"),
            Kind::AssignmentWithoutSet { name } => format!("to change `{name}` write `set {name} = ...`"),
            Kind::StatementBeginsWithName { near: Some(meant), .. } => format!("did you mean `{meant}`?"),
            Kind::StatementBeginsWithName { name, .. } if foreign::missing(name).is_some() => {
                return foreign::missing(name).map(String::from);
            }
            Kind::StatementBeginsWithName { name, .. } => {
                format!("to run an action write `do {name}`; words side by side stand on one line")
            }
            Kind::MissingBraces { keyword } => braces_help(keyword),
            Kind::ThenBeforeBlock => "leave out `then`".into(),
            Kind::NumberTooLarge => format!("numbers go up to {}", i64::MAX),
            Kind::MalformedNumber { word } => number_help(word),
            Kind::CapitalName { word } => format!("write `{}`", small(word)),
            Kind::SmallPlayer { word } => format!("write `{}`", capital(word)),
            Kind::PieceLetter { word } => {
                format!("write `{}`", word.chars().take(1).collect::<String>().to_uppercase())
            }
            Kind::NestedTooDeep => "give a part of it a name with `define` or `action`".into(),
            Kind::TextTooLarge => "a rules file has at most 1 MiB".into(),
            Kind::TooManyWords => {
                format!("a rules file has at most {} words and marks", crate::syntax::TOKEN_LIMIT)
            }
            Kind::UnknownCharacter { text } => return unknown_help(text).map(String::from),
        })
    }

    /// What to write at the span.
    pub fn label(&self) -> String {
        match self {
            Kind::Unexpected { .. } => "unexpected".into(),
            Kind::NoSuchSection { .. } => "no section".into(),
            Kind::MissingClosingBrace | Kind::UnclosedBracket { .. } | Kind::UnterminatedString => "opened here".into(),
            Kind::StrayClosing { .. } => "nothing is open here".into(),
            Kind::ReservedName { .. } => "a word of the language".into(),
            Kind::CellAsName { .. } => "a cell".into(),
            Kind::MissingBraces { .. } => "`{` is missing before this".into(),
            _ => "here".into(),
        }
    }

    /// What to write at the second place.
    pub fn other_label(&self) -> String {
        match self {
            Kind::MissingClosingBrace | Kind::UnclosedBracket { .. } => "should be closed before this".into(),
            Kind::StrayClosing { .. } => "this then stands outside the game".into(),
            Kind::MissingBraces { keyword } => format!("this `{keyword}`"),
            Kind::ThenBeforeBlock => "this `if`".into(),
            _ => "opened here".into(),
        }
    }
}

/// `8x8`
fn number_help(word: &str) -> String {
    match word.split_once(['x', 'X']) {
        Some((files, ranks)) if [files, ranks].iter().all(|n| n.parse::<u8>().is_ok()) => {
            format!("write `square {files} by {ranks}`")
        }
        _ => "put a blank between number and word; a name begins with a letter".into(),
    }
}

fn section_help(word: &str, near: Option<&str>) -> String {
    match (foreign::missing(word), near) {
        (Some(missing), _) => missing.into(),
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) => {
            "the sections are `about`, `param`, `players`, `teams`, `board`, `captures`, `piece`, `remember`, \
                         `define`, `pattern`, `action`, `setup`, `opening`, `move`, `end`, `notation`, \
                         `example` and `variant`"
                .into()
        }
    }
}

fn unexpected_message(found: &str, expected: &[String]) -> String {
    match expected {
        [] => format!("unexpected {found}"),
        [one] => format!("expected {one}, found {found}"),
        [most @ .., last] => format!("expected {} or {last}, found {found}", most.join(", ")),
    }
}

fn unexpected_help(found: &str) -> Option<&'static str> {
    match found {
        "`not`" => Some("what is more than one word stands in brackets here: `(not ...)`"),
        "`else`" => Some("`else` follows the closing brace of `if` or `first`"),
        "`then`" => Some("`if ... then ... else ...` is a value; the statement is `if ... { }`"),
        _ => None,
    }
}

fn braces_help(keyword: &str) -> String {
    match keyword {
        "if" | "while" => format!("write `{keyword} ... {{ ... }}`"),
        _ => format!("write `{keyword} {{ ... }}`"),
    }
}

fn unknown_help(text: &str) -> Option<&'static str> {
    match text {
        ";" => Some("leave it out: a statement ends where the next begins"),
        "[" | "]" => Some("write `(` and `)`"),
        "'" | "\u{201c}" | "\u{201d}" | "\u{201e}" | "\u{2018}" | "\u{2019}" => Some("strings stand in `\"`"),
        "." => Some("a range is written `1..3`"),
        "\u{2013}" | "\u{2212}" => Some("write `-`"),
        "\u{d7}" => Some("write `*`, or `by` in the size of a board"),
        _ if !text.is_ascii() => Some("outside strings and comments only ASCII characters are used"),
        _ => None,
    }
}

fn closing(mark: char) -> char {
    match mark {
        '(' => ')',
        '<' => '>',
        _ => '}',
    }
}

fn small(word: &str) -> String {
    word.to_ascii_lowercase()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}
