//! Nesting depth: tokens go in; the first place where the text is nested too deep for a recursive
//! reader comes out, if there is one. It counts brackets, and the words after which an expression
//! or a statement goes on within the one begun.

use crate::syntax::scan::{Token, TokenKind};

/// How deep brackets, chains of `not`, `else if` and the like, and operands may be nested within
/// each other in all.
pub const LIMIT: usize = 200;

pub fn too_deep<'t, 's>(tokens: &'s [Token<'t>]) -> Option<&'s Token<'t>> {
    let mut depth = Depth::default();
    let mut before = None;
    tokens.iter().find(|token| {
        depth.read(token, before);
        before = Some(**token);
        depth.total() > LIMIT
    })
}

/// What an open bracket holds so far.
#[derive(Clone, Copy, Default)]
struct OpenBracket {
    /// `if`, `where`: to the end of the expression or statement.
    loose: usize,
    /// `not`, `<`, `file`, ...: at most to the next `and` or `or`.
    tight: usize,
}

#[derive(Default)]
struct Depth {
    frame: OpenBracket,
    outer: Vec<OpenBracket>,
    outer_total: usize,
}

impl Depth {
    fn total(&self) -> usize {
        self.outer_total + self.frame.loose + self.frame.tight
    }

    fn read(&mut self, token: &Token, before: Option<Token>) {
        match (token.kind, token.text) {
            (TokenKind::Mark, "{" | "(") => self.open(),
            (TokenKind::Mark, "}" | ")") => self.close(),
            (TokenKind::Mark, ",") => self.frame = OpenBracket::default(),
            (TokenKind::Mark, "<") => self.frame.tight += 1,
            (TokenKind::Word, word) => self.word(word, before),
            _ => {}
        }
    }

    fn open(&mut self) {
        self.outer_total = self.total() + 1;
        self.outer.push(self.frame);
        self.frame = OpenBracket::default();
    }

    fn close(&mut self) {
        if let Some(frame) = self.outer.pop() {
            self.outer_total -= frame.loose + frame.tight + 1;
            self.frame = frame;
        }
    }

    fn word(&mut self, word: &str, before: Option<Token>) {
        match word {
            "if" => {
                if before.is_some_and(ends_statement) {
                    self.frame = OpenBracket::default();
                }
                self.frame.loose += 1;
            }
            "where" => self.frame.loose += 1,
            "not" | "of" | "file" | "files" | "rank" | "ranks" | "row" | "rows" | "some" | "no" => {
                self.frame.tight += 1
            }
            "and" | "or" | "then" | "else" => self.frame.tight = 0,
            _ if begins_statement(word) => self.frame = OpenBracket::default(),
            _ => {}
        }
    }
}

/// After such a token `if` is a statement of its own and no operand.
fn ends_statement(token: Token) -> bool {
    match token.kind {
        TokenKind::Word => !matches!(
            token.text,
            "else"
                | "and"
                | "or"
                | "not"
                | "is"
                | "in"
                | "mod"
                | "then"
                | "where"
                | "if"
                | "need"
                | "most"
                | "while"
                | "from"
                | "on"
                | "of"
                | "to"
                | "some"
                | "no"
        ),
        TokenKind::Mark => matches!(token.text, "}" | "{" | ")" | ">"),
        _ => true,
    }
}

/// A word that only a statement, a declaration or an outcome begins with, wherever it stands; not
/// so `if` and `first`.
pub fn begins_statement(word: &str) -> bool {
    matches!(
        word,
        "about"
            | "action"
            | "again"
            | "board"
            | "capture"
            | "captures"
            | "define"
            | "do"
            | "draw"
            | "either"
            | "end"
            | "flip"
            | "highest"
            | "let"
            | "lose"
            | "mirror"
            | "most"
            | "move"
            | "need"
            | "notation"
            | "opening"
            | "param"
            | "pass"
            | "pattern"
            | "pick"
            | "picture"
            | "piece"
            | "place"
            | "players"
            | "promote"
            | "remember"
            | "remove"
            | "repeat"
            | "rotate"
            | "set"
            | "setup"
            | "swap"
            | "teams"
            | "turn"
            | "variant"
            | "win"
            | "first"
            | "for"
    )
}
