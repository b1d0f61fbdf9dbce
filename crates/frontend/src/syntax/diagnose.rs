//! Diagnosis: the place where the grammar got stuck goes in; the mistake that most likely led there
//! comes out.

mod form;

use lusoria_grammar::{Rule, Stuck, is_cell, is_name, is_reserved};

use crate::source::{SourceId, Span};
use crate::syntax::builtin;
use crate::syntax::depth::begins_statement;
use crate::syntax::error::{Near, SyntaxError, SyntaxErrorKind};
use crate::syntax::expected::{expected, is_expression, keyword};
use crate::syntax::foreign;
use crate::syntax::near::{near, near_keyword, same_letters};
use crate::syntax::scan::{Token, TokenKind};

/// Words that begin a section or an outcome and no statement.
const SECTIONS: [&str; 19] = [
    "about", "action", "board", "captures", "define", "draw", "end", "highest", "lose", "notation", "opening", "param",
    "pattern", "piece", "players", "remember", "teams", "variant", "win",
];
/// Words that begin a section of a game.
const SECTION_WORDS: [&str; 18] = [
    "about", "players", "teams", "board", "captures", "piece", "remember", "setup", "opening", "move", "end",
    "variant", "param", "define", "pattern", "action", "notation", "example",
];
/// How many words before the place where reading got stuck may be the ones that are written wrong.
const WORDS_BACK: usize = 3;

/// A text and its tokens, and the first of those that were being read.
pub struct Place<'s, 't> {
    pub source: SourceId,
    pub source_text: &'t str,
    pub tokens: &'s [Token<'t>],
    pub first: usize,
    /// Words that may be written wrong are looked for, which goes through all tokens; not for
    /// mistakes that are too many to be told.
    pub suggests: bool,
}

type Finding = Option<SyntaxError>;

impl<'s, 't> Place<'s, 't> {
    /// `stuck.at` counts from the beginning of the text.
    pub fn diagnose(&self, stuck: &Stuck) -> SyntaxError {
        let at = self.tokens.partition_point(|token| token.end() <= stuck.at);
        self.assignment(at)
            .or_else(|| self.angle(at, &stuck.tried))
            .or_else(|| self.letter(at, &stuck.tried))
            .or_else(|| self.wrong_name(at, &stuck.tried))
            .or_else(|| self.called_cell(at))
            .or_else(|| self.small_player(at, &stuck.tried))
            .or_else(|| self.missing_braces(at, &stuck.tried))
            .or_else(|| self.statement_name(at, &stuck.tried))
            .or_else(|| self.caught_in_brackets(at, &stuck.tried))
            .or_else(|| self.capital_kind(at, &stuck.tried))
            .or_else(|| self.reserved_operand(at, &stuck.tried))
            .unwrap_or_else(|| self.unexpected(at, expected(&stuck.tried), &stuck.tried))
    }

    /// What stands here is none of what is expected; `tried` are the rules of the grammar that say
    /// so.
    pub fn unexpected(&self, at: usize, expected: Vec<String>, tried: &[Rule]) -> SyntaxError {
        let found = match self.token(at) {
            None => "the end of the text".into(),
            Some(token) if token.kind == TokenKind::Text => "a string".into(),
            Some(token) => format!("`{}`", token.text),
        };
        let form = self.form(at, &expected, tried).filter(|_| self.suggests);
        let near = if form.is_none() { self.misspelt(at, tried) } else { None };
        self.error(SyntaxErrorKind::Unexpected { found, expected, near, form }, at, self.unclosed(at, tried))
    }

    /// A word that begins no section, where one should begin.
    pub fn no_section(&self, at: usize) -> SyntaxError {
        let word = self.text(at);
        let near = near(word, SECTION_WORDS);
        self.error(SyntaxErrorKind::NoSuchSection { word: word.into(), near }, at, None)
    }

    /// Where something that is no section may begin: where reading got stuck, or at the beginning of
    /// that line.
    pub fn strays(&self, stuck: &Stuck) -> impl Iterator<Item = usize> {
        let at = self.tokens.partition_point(|token| token.end() <= stuck.at);
        let line = (self.first..at).rev().find(|at| self.token(*at).is_some_and(|token| token.first_on_line));
        // A word that is wanted here and misspelt goes on with the section.
        let misspelt = self.misspelt_keyword(at, &stuck.tried).is_some();
        [Some(at), line].into_iter().flatten().filter(move |at| !misspelt && self.begins_stray(*at))
    }

    fn begins_stray(&self, at: usize) -> bool {
        let begins = self.token(at).is_some_and(|token| token.first_on_line) || self.before(at) == "}";
        // Behind a comma these go on with the board.
        let option = matches!(self.text(at), "lines" | "without" | "stacks");
        at > self.first && begins && !option && self.is_free_name(at)
    }

    /// A word of the language that is written wrong: where reading got stuck, or among the words
    /// side by side before, as in `lsat row`. What stands in the text several times is a name.
    fn misspelt(&self, at: usize, tried: &[Rule]) -> Option<Near> {
        if !self.suggests {
            return None;
        }
        let found_near = |at: usize, meant: String| Near { word: self.text(at).into(), meant };
        if let Some(meant) = self.misspelt_keyword(at, tried) {
            return Some(found_near(at, meant));
        }
        let words = (0..=WORDS_BACK).map_while(|back| {
            let before = at.checked_sub(back)?;
            let beside = back == 0 || before >= self.first && self.same_line(before + 1) && self.is_free_name(before);
            beside.then_some(before)
        });
        let found = words.filter_map(|at| {
            let word = self.text(at);
            let unknown = self.is_free_name(at) && !builtin::is_builtin(word) && self.stands_once(at);
            Some((at, near_keyword(word, |_| true).filter(|_| unknown)?))
        });
        // Letters in a wrong order are surer a slip than others.
        let slip = found.min_by_key(|(at, meant)| !same_letters(self.text(*at), meant));
        slip.map(|(at, meant)| found_near(at, meant))
    }

    /// The word of the language that is wanted here, and nearly stands here.
    fn misspelt_keyword(&self, at: usize, tried: &[Rule]) -> Option<String> {
        let wanted: Vec<String> = tried.iter().filter_map(|rule| keyword(*rule)).collect();
        let near = || near_keyword(self.text(at), |word| wanted.iter().any(|wanted| wanted == word));
        if self.is_word(at) { near() } else { None }
    }

    fn stands_once(&self, at: usize) -> bool {
        self.tokens.iter().filter(|token| token.is_word(self.text(at))).nth(1).is_none()
    }

    fn error(&self, kind: SyntaxErrorKind, at: usize, other: Option<usize>) -> SyntaxError {
        SyntaxError::new(kind, self.span(at), other.map(|at| self.span(at)))
    }

    fn span(&self, at: usize) -> Span {
        let end = self.tokens.last().map_or(0, Token::end);
        let (start, end) = self.token(at).map_or((end, end), |token| (token.start, token.end()));
        Span::new(self.source, start, end)
    }

    fn token(&self, at: usize) -> Option<&'s Token<'t>> {
        self.tokens.get(at)
    }

    /// A word or mark as written; nothing before the first token that was read or behind the last.
    fn text(&self, at: usize) -> &'t str {
        self.token(at).filter(|_| at >= self.first).map_or("", |token| token.text)
    }

    fn before(&self, at: usize) -> &'t str {
        at.checked_sub(1).map_or("", |at| self.text(at))
    }

    fn is_word(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.kind == TokenKind::Word)
    }

    fn is_free_name(&self, at: usize) -> bool {
        self.is_word(at) && is_name(self.text(at))
    }

    /// `n = ...` as a statement. Depending on what stands before, the grammar sees it only later.
    fn assignment(&self, at: usize) -> Finding {
        let mut name = at.min(self.tokens.len().saturating_sub(1));
        while name > self.first {
            if self.is_assignment(name) {
                let kind = SyntaxErrorKind::AssignmentWithoutSet { name: self.text(name).into() };
                return Some(self.error(kind, name, None));
            }
            if name < at && begins_statement(self.text(name)) {
                return None;
            }
            name -= 1;
        }
        None
    }

    fn is_assignment(&self, at: usize) -> bool {
        let Some(token) = self.token(at) else { return false };
        // Within a line: two words side by side, of which the second means nothing by itself.
        let beside = at > self.first && self.is_word(at - 1) && !builtin::is_builtin(token.text);
        let begins = token.first_on_line || beside || matches!(self.before(at), "{" | "}");
        begins && self.is_free_name(at) && self.text(self.after_brackets(at + 1)) == "=" && self.ends_operand(at)
    }

    /// What stands before could be the end of a statement.
    fn ends_operand(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|at| self.token(at)) else { return false };
        match before.kind {
            TokenKind::Word => !is_reserved(before.text) || matches!(before.text, "pass" | "swap" | "again" | "mirror"),
            TokenKind::Mark => matches!(before.text, ")" | "}" | "{" | ">"),
            _ => true,
        }
    }

    /// Past one pair of brackets, if it begins here.
    fn after_brackets(&self, at: usize) -> usize {
        if self.text(at) != "(" {
            return at;
        }
        let mut depth = 0usize;
        for next in at..self.tokens.len() {
            match self.text(next) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                "{" | "}" => return at,
                _ => {}
            }
            if depth == 0 {
                return next + 1;
            }
        }
        at
    }

    /// `^ <enemy to empty`
    fn angle(&self, at: usize, tried: &[Rule]) -> Finding {
        if !tried.contains(&Rule::close_angle) {
            return None;
        }
        let opened = (self.first..at).rev().find(|at| matches!(self.text(*at), "<" | ">"))?;
        let kind = SyntaxErrorKind::UnclosedBracket { mark: '<' };
        (self.text(opened) == "<").then(|| self.error(kind, opened, Some(at)))
    }

    /// `piece king k`
    fn letter(&self, at: usize, tried: &[Rule]) -> Finding {
        let word = self.text(at);
        let looks_so = word.len() == 1 || word.starts_with(|c: char| c.is_ascii_uppercase());
        if !tried.contains(&Rule::letter) || !self.is_word(at) || !looks_so || is_reserved(word) {
            return None;
        }
        Some(self.error(SyntaxErrorKind::PieceLetter { word: word.into() }, at, None))
    }

    fn wrong_name(&self, at: usize, tried: &[Rule]) -> Finding {
        let word = self.text(at);
        if !tried.contains(&Rule::name) || tried.contains(&Rule::player) || !self.is_word(at) {
            return None;
        }
        let word_kind = if is_cell(word) {
            SyntaxErrorKind::CellAsName { word: word.into() }
        } else if is_reserved(word) {
            return self.reserved_name(at);
        } else {
            SyntaxErrorKind::CapitalName { word: word.into() }
        };
        let capital = word.starts_with(|c: char| c.is_ascii_uppercase());
        (capital || is_cell(word)).then(|| self.error(word_kind, at, None))
    }

    /// `e1(c)`
    fn called_cell(&self, at: usize) -> Finding {
        let word = self.before(at);
        let called = self.text(at) == "(" && is_cell(word);
        called.then(|| self.error(SyntaxErrorKind::CellAsName { word: word.into() }, at - 1, None))
    }

    /// Where a name alone is wanted a word of the language stands in its place, unless the name is
    /// missing.
    fn reserved_name(&self, at: usize) -> Finding {
        let word = self.text(at);
        let goes_on = matches!(self.text(at + 1), "=" | "(" | "{" | "from" | "in" | "to" | "," | ")" | "neutral");
        let connects =
            matches!(word, "from" | "in" | "to" | "or" | "and" | "on" | "by" | "of" | "with" | "where" | "is");
        let new_line = self.token(at).is_some_and(|token| token.first_on_line);
        let missing = (connects && !matches!(self.text(at + 1), "=" | "(" | "{")) || (new_line && !goes_on);
        (!missing).then(|| self.error(SyntaxErrorKind::ReservedName { word: word.into(), as_value: false }, at, None))
    }

    /// `let x = turn + 1`
    fn reserved_operand(&self, at: usize, tried: &[Rule]) -> Finding {
        let wanted = tried.iter().any(|rule| is_expression(*rule) || matches!(rule, Rule::members | Rule::set));
        let follows =
            matches!(self.text(at + 1), "+" | "-" | "*" | "/" | "=" | "<" | ">" | "<=" | ">=" | "!=" | ")" | "," | "}");
        let alone = matches!(self.text(at), "turn" | "game" | "board" | "players" | "piece" | "opening" | "variant");
        let word = self.text(at);
        (wanted && (follows || alone) && self.is_word(at) && is_reserved(word) && self.same_line(at))
            .then(|| self.error(SyntaxErrorKind::ReservedName { word: word.into(), as_value: true }, at, None))
    }

    fn same_line(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| !token.first_on_line)
    }

    /// `players white, Black`
    fn small_player(&self, at: usize, tried: &[Rule]) -> Finding {
        let only = tried.iter().all(|rule| matches!(rule, Rule::player | Rule::seat | Rule::team));
        let wins = tried.contains(&Rule::outcome) && self.text(at + 1) == "wins";
        let wanted = (only && !tried.is_empty()) || wins;
        let kind = SyntaxErrorKind::SmallPlayer { word: self.text(at).into() };
        let named = self.is_free_name(at) && !builtin::is_builtin(self.text(at));
        (wanted && named).then(|| self.error(kind, at, None))
    }

    /// `if a pick p from own`
    fn missing_braces(&self, at: usize, tried: &[Rule]) -> Finding {
        let word = self.text(at);
        let wanted =
            tried.iter().any(|rule| matches!(rule, Rule::block | Rule::branch | Rule::ways | Rule::open_brace));
        let stands = self.is_word(at) && (begins_statement(word) || matches!(word, "if" | "as" | "then" | "else"));
        let keyword = self.block_keyword(at).filter(|_| wanted && stands)?;
        if word == "then" && self.text(keyword) == "if" {
            return Some(self.error(SyntaxErrorKind::ThenBeforeBlock, at, Some(keyword)));
        }
        let kind = SyntaxErrorKind::MissingBraces { keyword: self.text(keyword).into() };
        Some(self.error(kind, at, Some(keyword)))
    }

    /// The latest word before, outside brackets, that a block belongs to.
    fn block_keyword(&self, at: usize) -> Option<usize> {
        let mut depth = 0usize;
        for before in (self.first..at).rev() {
            match self.text(before) {
                ")" | "}" => depth += 1,
                "(" | "{" if depth == 0 => return None,
                "(" | "{" => depth -= 1,
                "if" | "else" | "repeat" | "while" | "either" | "or" | "first" | "for" | "turn" | "setup" | "move"
                | "opening" | "end" | "about" | "action" | "notation"
                    if depth == 0 =>
                {
                    return Some(before);
                }
                _ => {}
            }
        }
        None
    }

    /// `castle(p)` where a statement is wanted.
    fn statement_name(&self, at: usize, tried: &[Rule]) -> Finding {
        let begins = self.token(at).is_some_and(|token| token.first_on_line) || matches!(self.before(at), "{" | "}");
        if !tried.contains(&Rule::statement) || !begins || !self.is_free_name(at) {
            return None;
        }
        let goes_on = self.before(at) == "}";
        let near = || {
            near_keyword(self.text(at), |word| match word {
                "if" => true,
                "else" | "or" => goes_on,
                _ => begins_statement(word) && !SECTIONS.contains(&word),
            })
        };
        let near = foreign::statement(self.text(at)).map(String::from).or_else(near);
        Some(self.error(SyntaxErrorKind::StatementBeginsWithName { name: self.text(at).into(), near }, at, None))
    }

    /// `^ to (river and (empty or <enemy>))`
    fn caught_in_brackets(&self, at: usize, tried: &[Rule]) -> Finding {
        let operand =
            matches!(self.before(at), "(" | "and" | "or" | "not") && tried.iter().any(|rule| is_expression(*rule));
        let in_pattern = || (self.first..at).rev().any(|at| matches!(self.text(at), "^" | "to" | "pattern"));
        if self.text(at) != "<" || !operand || !in_pattern() {
            return None;
        }
        Some(self.error(SyntaxErrorKind::CaughtInBrackets { mend: self.spread(at) }, at, None))
    }

    /// `place Man on a1`: a capital where a kind of piece is meant.
    fn capital_kind(&self, at: usize, tried: &[Rule]) -> Finding {
        let word = self.before(at);
        let capital = word.starts_with(|c: char| c.is_ascii_uppercase()) && matches!(self.text(at), "on" | "in" | "or");
        let kind = SyntaxErrorKind::CapitalName { word: word.into() };
        (capital && tried == [Rule::name]).then(|| self.error(kind, at - 1, None))
    }

    /// The bracket that was expected to close here.
    fn unclosed(&self, at: usize, tried: &[Rule]) -> Option<usize> {
        let open = if tried.contains(&Rule::close_paren) { "(" } else { return None };
        let mut depth = 0usize;
        for before in (self.first..at).rev() {
            match self.text(before) {
                ")" | "}" => depth += 1,
                mark @ ("(" | "{") if depth == 0 => return (mark == open).then_some(before),
                "(" | "{" => depth -= 1,
                _ => {}
            }
        }
        None
    }
}
