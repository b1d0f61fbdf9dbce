//! Bracket matching: tokens go in; the sections of the text come out, also where brackets are
//! missing or too many, and those mistakes.
//!
//! A word that begins a section can stand nowhere else, so it shows that every block before it
//! should have ended. Of the blocks that did not, the one is blamed whose indentation does not fit.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::source::{SourceId, Span};
use crate::syntax::depth::begins_statement;
use crate::syntax::error::{SyntaxError, SyntaxErrorKind};
use crate::syntax::scan::{Token, TokenKind};

/// A stretch of tokens that begins with the word of a section.
#[derive(Clone, Debug)]
pub struct Part {
    pub tokens: Range<usize>,
    /// Of a game and a variant: up to and with the brace.
    pub head: Option<Range<usize>>,
    /// What stands between head and first section.
    pub junk: Range<usize>,
    pub parts: Vec<Part>,
}

/// How many tokens are looked at to find the end of a block whose beginning is missing.
const LOOK_AHEAD: usize = 2_000;

pub struct Outline {
    /// The whole text, with or without a game: its parts are sections.
    pub root: Part,
    /// What stands behind the end of the game.
    pub rest: Range<usize>,
    pub errors: Vec<SyntaxError>,
}

pub fn outline(source: SourceId, tokens: &[Token]) -> Outline {
    let mut reader = Reader::new(source, tokens);
    for at in 0..tokens.len() {
        reader.read(at);
    }
    reader.finish()
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Role {
    /// The braces of a game or variant, which hold sections.
    Sections,
    Block,
    Paren,
}

#[derive(Clone, Copy)]
struct Open {
    at: usize,
    role: Role,
    /// It does not stand in the text, and that has been told.
    supplied: bool,
}

struct Reader<'s, 't> {
    source: SourceId,
    tokens: &'s [Token<'t>],
    open: Vec<Open>,
    /// Where sections begin, by the brace in which they stand; none for those of a prelude.
    starts: BTreeMap<Option<usize>, Vec<usize>>,
    /// Where each brace of sections ends.
    ends: BTreeMap<usize, usize>,
    game_end: Option<usize>,
    variant_expected: bool,
    suspect_open: Option<usize>,
    suspect_close: Option<usize>,
    errors: Vec<SyntaxError>,
}

impl<'s, 't> Reader<'s, 't> {
    fn new(source: SourceId, tokens: &'s [Token<'t>]) -> Reader<'s, 't> {
        Reader {
            source,
            tokens,
            open: Vec::new(),
            starts: BTreeMap::new(),
            ends: BTreeMap::new(),
            game_end: None,
            variant_expected: false,
            suspect_open: None,
            suspect_close: None,
            errors: Vec::new(),
        }
    }

    fn token(&self, at: usize) -> Option<&'s Token<'t>> {
        self.tokens.get(at)
    }

    fn role(&self) -> Option<Role> {
        self.open.last().map(|open| open.role)
    }

    fn read(&mut self, at: usize) {
        let Some(token) = self.token(at) else { return };
        match (token.kind, token.text) {
            (TokenKind::Mark, "{") => self.open_brace(at),
            (TokenKind::Mark, "(") => self.open.push(Open { at, role: Role::Paren, supplied: false }),
            (TokenKind::Mark, "}") => self.close_brace(at),
            (TokenKind::Mark, ")") => self.close_paren(at),
            (TokenKind::Word, word) => {
                if self.begins_section(at) {
                    self.begin_section(at);
                } else if begins_statement(word) && !self.is_argument(at) {
                    self.drop_parens(at);
                }
            }
            _ => {}
        }
    }

    fn open_brace(&mut self, at: usize) {
        let first = self.open.is_empty() && self.starts.is_empty() && self.game_end.is_none();
        let role = if first || self.variant_expected { Role::Sections } else { Role::Block };
        self.variant_expected = false;
        self.open.push(Open { at, role, supplied: false });
    }

    /// Right behind a bracket or comma even a word of the language is meant as a name.
    fn is_argument(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.token(before));
        before.is_some_and(|token| token.is_mark("(") || token.is_mark(","))
    }

    fn close_brace(&mut self, at: usize) {
        self.drop_parens(at);
        self.suspect(at);
        match self.open.pop() {
            Some(Open { at: opened, role: Role::Sections, .. }) => {
                self.ends.insert(opened, at);
                if self.open.is_empty() {
                    self.game_end = Some(at);
                }
            }
            Some(_) => {}
            None => self.report(SyntaxErrorKind::StrayClosing { mark: '}' }, at, None),
        }
    }

    fn close_paren(&mut self, at: usize) {
        if self.role() == Some(Role::Paren) {
            self.open.pop();
        } else {
            self.report(SyntaxErrorKind::StrayClosing { mark: ')' }, at, None);
        }
    }

    /// A closing brace on a line of its own stands below the line of its opening brace.
    fn suspect(&mut self, at: usize) {
        let (Some(token), Some(open)) = (self.token(at), self.open.last()) else { return };
        let fits = |open: &Open| self.token(open.at).is_some_and(|opened| opened.indent == token.indent);
        if !token.first_on_line || fits(open) {
            return;
        }
        if self.open.iter().any(fits) {
            self.suspect_open.get_or_insert(open.at);
        } else {
            self.suspect_close.get_or_insert(at);
        }
    }

    fn drop_parens(&mut self, at: usize) {
        while self.role() == Some(Role::Paren) {
            if let Some(paren) = self.open.pop() {
                self.report(SyntaxErrorKind::UnclosedBracket { mark: '(' }, paren.at, Some(at));
            }
        }
    }

    fn begins_section(&self, at: usize) -> bool {
        let word = |at: usize| self.token(at).map_or("", |token| token.text);
        let after = word(at + 1);
        let before = at.checked_sub(1).map_or("", word);
        let within = matches!(self.role(), Some(Role::Block | Role::Paren));
        let own_line = self.token(at).is_some_and(|token| token.first_on_line);
        match word(at) {
            "about" | "setup" | "opening" | "notation" | "end" | "move" if within => after == "{" && before != "at",
            "about" | "setup" | "opening" | "notation" => true,
            "end" => before != "at",
            "move" => before != "of",
            "variant" => !within || self.is_variant_head(at),
            "example" => self.is_value(at + 1) && self.token(at + 2).is_some_and(|next| next.is_mark("{")),
            "do" => !within && word(at + 2) == "{",
            "param" | "players" | "teams" | "board" | "captures" | "piece" | "remember" | "define" | "pattern"
            | "action" => !within || own_line && !self.is_value(at + 1),
            _ => false,
        }
    }

    fn is_variant_head(&self, at: usize) -> bool {
        self.is_value(at + 1) && self.token(at + 2).is_some_and(|next| next.is_mark("{") || next.is_word("extends"))
    }

    fn is_value(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| matches!(token.kind, TokenKind::Text | TokenKind::Number))
    }

    fn begin_section(&mut self, at: usize) {
        self.drop_parens(at);
        self.drop_blocks(at);
        if let (true, Some(end)) = (self.open.is_empty(), self.game_end.take()) {
            self.reopen_game(end, at);
        }
        let container = self.open.last().map(|open| open.at);
        self.starts.entry(container).or_default().push(at);
        self.variant_expected = self.token(at).is_some_and(|token| token.is_word("variant"));
        self.supply_brace(at);
        if self.open.len() <= 1 {
            self.suspect_open = None;
            self.suspect_close = None;
        }
    }

    /// `setup place man on a1 }`: the brace that is missing is thought to stand there, so that the
    /// closing one has a partner.
    fn supply_brace(&mut self, at: usize) {
        let Some(keyword) = self.token(at).map(|token| token.text) else { return };
        let has_block = matches!(keyword, "setup" | "opening" | "move" | "end");
        let goes_on = self.token(at + 1).is_some_and(|next| {
            next.kind == TokenKind::Word && (begins_statement(next.text) || matches!(next.text, "if" | "win" | "turn"))
        });
        if has_block && goes_on && !self.begins_section(at + 1) && self.has_own_end(at) {
            let kind = SyntaxErrorKind::MissingBraces { keyword: keyword.to_string() };
            self.report(kind, at + 1, Some(at));
            self.open.push(Open { at, role: Role::Block, supplied: true });
        }
    }

    /// Before the next section there is a closing brace that has no partner, and it is not the last
    /// of the text.
    fn has_own_end(&self, at: usize) -> bool {
        let mut depth = 0usize;
        let last = self.tokens.len().min(at + LOOK_AHEAD);
        for next in at + 1..last {
            match self.token(next).map_or("", |token| token.text) {
                "{" => depth += 1,
                "}" if depth == 0 => return next + 1 < self.tokens.len(),
                "}" => depth -= 1,
                "setup" | "opening" | "notation" | "about" | "variant" | "end" if depth == 0 => return false,
                "move" if depth == 0 && self.token(next + 1).is_some_and(|token| token.is_mark("{")) => return false,
                _ => {}
            }
        }
        false
    }

    /// At the beginning of a section no block may be open.
    fn drop_blocks(&mut self, at: usize) {
        let kept = self.open.iter().rposition(|open| open.role == Role::Sections).map_or(0, |at| at + 1);
        self.drop_open(kept, Some(at));
    }

    fn drop_open(&mut self, kept: usize, at: Option<usize>) {
        let mut dropped: Vec<Open> = self.open.drain(kept.min(self.open.len())..).collect();
        dropped.retain(|open| !open.supplied);
        let (Some(first), Some(last)) = (dropped.first(), dropped.last()) else { return };
        let culprit = self.suspect_open.take().filter(|suspect| *suspect >= first.at).unwrap_or(last.at);
        self.report(SyntaxErrorKind::MissingClosingBrace, culprit, at);
    }

    /// A game has ended before its last section: one brace before is too many.
    fn reopen_game(&mut self, end: usize, at: usize) {
        let game = self.ends.iter().find(|(_, closed)| **closed == end).map(|(opened, _)| *opened);
        let culprit = self.suspect_close.take().unwrap_or(end);
        self.report(SyntaxErrorKind::StrayClosing { mark: '}' }, culprit, Some(at));
        if let Some(opened) = game {
            self.ends.remove(&opened);
            self.open.push(Open { at: opened, role: Role::Sections, supplied: false });
        }
    }

    fn report(&mut self, kind: SyntaxErrorKind, at: usize, other: Option<usize>) {
        let span = |at| self.token(at).map(|token| Span::new(self.source, token.start, token.end()));
        if let Some(place) = span(at) {
            let other = other.and_then(span);
            self.errors.push(SyntaxError::new(kind, place, other));
        }
    }

    fn finish(mut self) -> Outline {
        let last = self.tokens.len();
        while self.role() == Some(Role::Paren) {
            if let Some(paren) = self.open.pop() {
                self.report(SyntaxErrorKind::UnclosedBracket { mark: '(' }, paren.at, None);
            }
        }
        for open in self.open.iter().filter(|open| open.role == Role::Sections) {
            self.ends.insert(open.at, last);
        }
        self.drop_open(0, None);
        let game =
            self.ends.iter().next().filter(|(opened, _)| self.is_game(**opened)).map(|(opened, end)| (*opened, *end));
        let (head, end) = match game {
            Some((opened, end)) => (Some(0..opened + 1), end),
            None => (None, last),
        };
        let parts = self.parts(game.map(|(opened, _)| opened), end);
        let root = part(0..end, head, parts);
        Outline { root, rest: (end + 1).min(last)..last, errors: self.errors }
    }

    /// The brace of a game stands in no section.
    fn is_game(&self, opened: usize) -> bool {
        self.starts.values().flatten().all(|start| *start > opened)
    }

    /// The sections within one brace, or within none.
    fn parts(&self, container: Option<usize>, end: usize) -> Vec<Part> {
        let starts = self.starts.get(&container).map_or(&[][..], Vec::as_slice);
        let ends = starts.iter().skip(1).copied().chain([end]);
        starts.iter().zip(ends).map(|(start, end)| self.section(*start, end)).collect()
    }

    fn section(&self, start: usize, end: usize) -> Part {
        let variant = self.token(start).is_some_and(|token| token.is_word("variant"));
        let brace = self.ends.range(start..end).next().filter(|_| variant);
        match brace {
            Some((opened, closed)) => {
                let parts = self.parts(Some(*opened), (*closed).min(end));
                let mut whole = part(start..(*closed).min(end), Some(start..opened + 1), parts);
                whole.tokens.end = end;
                whole
            }
            None => part(start..end, None, Vec::new()),
        }
    }
}

fn part(tokens: Range<usize>, head: Option<Range<usize>>, parts: Vec<Part>) -> Part {
    let begin = head.as_ref().map_or(tokens.start, |head| head.end);
    let junk = begin..parts.first().map_or(tokens.end, |first| first.tokens.start);
    Part { tokens, head, junk, parts }
}
