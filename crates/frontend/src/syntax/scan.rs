//! Scanner: a text goes in; its words and marks come out as tokens, with the mistakes that can be
//! seen in one token alone. Errors are explained and trees are trimmed by means of tokens; the
//! grammar does not need them.

use lusoria_grammar::is_reserved;

use crate::source::{SourceId, Span};
use crate::syntax::error::{SyntaxError, SyntaxErrorKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Word,
    Number,
    Text,
    Mark,
    /// A glyph of a picture's legend: any character.
    Glyph,
    /// Already reported.
    Bad,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    pub kind: TokenKind,
    pub text: &'t str,
    pub start: usize,
    /// Nothing but blanks stands before it on its line.
    pub first_on_line: bool,
    /// Width of the blanks that its line begins with.
    pub indent: usize,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn is_mark(&self, mark: &str) -> bool {
        self.kind == TokenKind::Mark && self.text == mark
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text == word
    }
}

pub struct Scan<'t> {
    pub tokens: Vec<Token<'t>>,
    pub errors: Vec<SyntaxError>,
}

pub fn scan(source: SourceId, text: &str) -> Scan<'_> {
    let first = Scanner::new(source, text, false).run();
    let unterminated = |error: &SyntaxError| error.kind == SyntaxErrorKind::UnterminatedString;
    // The last quote of a text is seldom the one that is amiss: only a picture goes over several
    // lines.
    if first.errors.iter().any(unterminated) { Scanner::new(source, text, true).run() } else { first }
}

/// Where in `with G = man, G = man` the scanner is.
#[derive(Clone, Copy, PartialEq)]
enum Legend {
    Outside,
    Glyph,
    Man,
}

struct Scanner<'t> {
    source: SourceId,
    text: &'t str,
    at: usize,
    strings_end_on_their_line: bool,
    legend: Legend,
    line_is_blank: bool,
    indent: usize,
    scan: Scan<'t>,
}

const MARKS: [&str; 21] =
    ["..", "!=", "<=", ">=", "{", "}", "(", ")", "<", ">", "=", ",", ":", "^", "*", "+", "?", "-", "/", "\"", "#"];

impl<'t> Scanner<'t> {
    fn new(source: SourceId, text: &'t str, strings_end_on_their_line: bool) -> Scanner<'t> {
        let scan = Scan { tokens: Vec::new(), errors: Vec::new() };
        let legend = Legend::Outside;
        Scanner { source, text, at: 0, strings_end_on_their_line, legend, line_is_blank: true, indent: 0, scan }
    }

    fn run(mut self) -> Scan<'t> {
        while let Some(next) = self.rest().chars().next()
            && self.scan.tokens.len() <= crate::syntax::TOKEN_LIMIT
        {
            match next {
                // A byte order mark, which some editors put before the text.
                '\u{feff}' if self.at == 0 => self.at += next.len_utf8(),
                '\n' => self.begin_line(),
                ' ' | '\t' | '\r' => self.blank(),
                '#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                _ if self.glyph(next) => {}
                '"' => self.string(),
                'a'..='z' | 'A'..='Z' => self.word(),
                '0'..='9' => self.number(),
                _ => self.mark(next),
            }
        }
        self.scan
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn begin_line(&mut self) {
        self.at += 1;
        self.line_is_blank = true;
        self.indent = 0;
    }

    fn blank(&mut self) {
        self.at += 1;
        if self.line_is_blank {
            self.indent += 1;
        }
    }

    fn push(&mut self, kind: TokenKind, length: usize) -> &'t str {
        let text = self.rest().get(..length).unwrap_or("");
        let token = Token { kind, text, start: self.at, first_on_line: self.line_is_blank, indent: self.indent };
        self.scan.tokens.push(token);
        self.at += length;
        self.line_is_blank = false;
        text
    }

    /// The token just pushed is a mistake.
    fn report(&mut self, kind: SyntaxErrorKind) {
        if let Some(token) = self.scan.tokens.last_mut() {
            token.kind = TokenKind::Bad;
            let span = Span::new(self.source, token.start, token.end());
            self.scan.errors.push(SyntaxError::new(kind, span, None));
        }
    }

    fn glyph(&mut self, next: char) -> bool {
        if self.legend != Legend::Glyph {
            return false;
        }
        let after = self.rest().chars().nth(1);
        let is_glyph = !matches!(next, '=' | '.') && after.is_some_and(|c| " \t\r\n=".contains(c));
        self.legend = if is_glyph { Legend::Man } else { Legend::Outside };
        if is_glyph {
            self.push(TokenKind::Glyph, next.len_utf8());
        }
        is_glyph
    }

    fn string(&mut self) {
        let body = self.rest().get(1..).unwrap_or("");
        let picture = self.scan.tokens.last().is_some_and(|token| token.is_word("picture"));
        let limit = match body.find('\n') {
            Some(line_end) if self.strings_end_on_their_line && !picture => line_end,
            _ => body.len(),
        };
        match body.get(..limit).and_then(|body| body.find('"')) {
            Some(end) => {
                self.push(TokenKind::Text, end + 2);
            }
            None => {
                self.push(TokenKind::Text, limit + 1);
                self.report(SyntaxErrorKind::UnterminatedString);
            }
        }
    }

    fn word(&mut self) {
        let word = self.push(TokenKind::Word, word_length(self.rest()));
        if word == "with" {
            self.legend = Legend::Glyph;
        } else if self.legend == Legend::Man && is_reserved(word) {
            self.legend = Legend::Outside;
        }
    }

    fn number(&mut self) {
        let word = self.push(TokenKind::Number, word_length(self.rest()));
        self.legend = Legend::Outside;
        if !word.bytes().all(|byte| byte.is_ascii_digit()) {
            self.report(SyntaxErrorKind::MalformedNumber { word: word.into() });
        } else if word.parse::<i64>().is_err() {
            self.report(SyntaxErrorKind::NumberTooLarge);
        }
    }

    fn mark(&mut self, next: char) {
        if let Some((mark, kind)) = foreign_mark(self.rest(), self.scan.tokens.last()) {
            self.push(TokenKind::Mark, mark.len());
            return self.report(kind);
        }
        match MARKS.iter().find(|mark| self.rest().starts_with(**mark)) {
            Some(mark) => {
                self.push(TokenKind::Mark, mark.len());
                self.legend = match (self.legend, *mark) {
                    (Legend::Man, "=") => Legend::Man,
                    (Legend::Man, ",") => Legend::Glyph,
                    _ => Legend::Outside,
                };
            }
            None => self.unknown(next),
        }
    }

    /// Strange characters in a row are one mistake.
    fn unknown(&mut self, next: char) {
        let length = if next.is_ascii() {
            next.len_utf8()
        } else {
            self.rest().find(|c: char| c.is_ascii() || c.is_whitespace()).unwrap_or(self.rest().len())
        };
        let text = self.push(TokenKind::Mark, length.max(next.len_utf8()));
        self.report(SyntaxErrorKind::UnknownCharacter { text: text.into() });
    }
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// A mark of other languages, and what is written here; `before` stands before it.
fn foreign_mark(text: &str, before: Option<&Token>) -> Option<(&'static str, SyntaxErrorKind)> {
    const FOREIGN: [(&str, &str); 19] = [
        ("&&", "`and`"),
        ("||", "`or`"),
        ("&", "`and`"),
        ("|", "`or`"),
        ("!", "`not`"),
        ("%", "`mod`"),
        ("//", "`#` before a comment"),
        ("/*", "`#` before a comment"),
        ("->", "`to` before the landing of a pattern: `^ to empty`"),
        ("=>", "`to` before the landing of a pattern: `^ to empty`; a number is at least another by `>=`"),
        ("<>", "`!=`"),
        (":=", "`=`"),
        ("**", "`n * n`"),
        ("\u{2192}", "`to` before the landing of a pattern: `^ to empty`"),
        ("\u{2260}", "`!=`"),
        ("\u{2264}", "`<=`"),
        ("\u{2265}", "`>=`"),
        ("\u{2227}", "`and`"),
        ("\u{2228}", "`or`"),
    ];
    const STEPS: [&str; 6] = ["+=", "-=", "*=", "/=", "++", "--"];
    if text.starts_with("==") {
        return Some(("==", SyntaxErrorKind::DoubleEquals));
    }
    if text.starts_with("-- ") {
        return Some(("--", SyntaxErrorKind::ForeignMark { mark: "--".into(), ours: "`#` before a comment".into() }));
    }
    if let Some(mark) = STEPS.into_iter().find(|mark| text.starts_with(mark)) {
        let ours = step_of(mark, text, before);
        return Some((mark, SyntaxErrorKind::ForeignMark { mark: mark.into(), ours }));
    }
    let (mark, ours) = FOREIGN.into_iter().find(|(mark, _)| text.starts_with(mark) && !text.starts_with("!="))?;
    Some((mark, SyntaxErrorKind::ForeignMark { mark: mark.into(), ours: ours.into() }))
}

/// `score += 2` and `score++` as they are written here.
fn step_of(mark: &str, text: &str, before: Option<&Token>) -> String {
    let name = before.filter(|token| token.kind == TokenKind::Word && !is_reserved(token.text));
    let Some(name) = name.map(|token| token.text) else {
        return if mark == "--" { "`#` before a comment".into() } else { "`set n = n + 1`".into() };
    };
    let rest = text[mark.len()..].trim_start();
    let (word, behind) = rest.split_at(word_length(rest));
    let value = match word {
        _ if mark.ends_with(['+', '-']) => "1",
        "" => "...",
        _ if behind.starts_with('(') => "...",
        word => word,
    };
    format!("`set {name} = {name} {} {value}`", &mark[..1])
}
