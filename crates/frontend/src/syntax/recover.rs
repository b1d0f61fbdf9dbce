//! Error recovery: a text that the grammar refuses as a whole goes in; the sections that can be
//! read come out, with the mistakes of all the others.

use std::collections::HashSet;
use std::ops::Range;

use lusoria_grammar::{Node, Rule, Stuck, is_name};

use crate::sort;
use crate::source::{SourceId, Span, Spanned};
use crate::syntax::ast;
use crate::syntax::brackets;
use crate::syntax::brackets::{Outline, Part};
use crate::syntax::build::{Builder, Head};
use crate::syntax::diagnose::Place;
use crate::syntax::error::{SyntaxError, SyntaxErrorKind};
use crate::syntax::scan::{Scan, Token, TokenKind};

/// `stuck` is where the grammar got stuck in the whole text, if it did.
pub fn recover(source: SourceId, text: &str, scan: Scan, stuck: Option<Stuck>) -> (ast::File, Vec<SyntaxError>) {
    let Outline { root, rest, errors } = brackets::outline(source, &scan.tokens);
    let mut found = scan.errors;
    // A string that is never closed swallows brackets, so what seems to be wrong with them says
    // nothing.
    if !found.iter().any(|error| error.kind == SyntaxErrorKind::UnterminatedString) {
        found.extend(errors);
    }
    let mut damage: Vec<u32> = found.iter().map(|error| error.span.start).collect();
    sort::by(&mut damage, Ord::cmp);
    let mut recovery = Recovery { source, text, tokens: &scan.tokens, damage, errors: found };
    let file = recovery.file(&root);
    recovery.behind(rest);
    if let (Some(stuck), true) = (stuck, recovery.errors.is_empty()) {
        let place = recovery.place(0);
        recovery.errors.push(place.diagnose(&stuck));
    }
    recovery.tell_cells_once();
    (file, recovery.errors)
}

struct Recovery<'s, 't> {
    source: SourceId,
    text: &'t str,
    tokens: &'s [Token<'t>],
    /// Where mistakes have been reported before parsing, in order.
    damage: Vec<u32>,
    errors: Vec<SyntaxError>,
}

impl<'s, 't> Recovery<'s, 't> {
    fn place(&self, first: usize) -> Place<'s, 't> {
        Place {
            source: self.source,
            source_text: self.text,
            tokens: self.tokens,
            first,
            suggests: self.errors.len() < crate::syntax::SUGGESTION_LIMIT,
        }
    }

    fn bytes(&self, tokens: &Range<usize>) -> Range<usize> {
        let start = self.tokens.get(tokens.start).map_or(self.text.len(), |token| token.start);
        let last = tokens.end.checked_sub(1).and_then(|last| self.tokens.get(last));
        start..last.map_or(start, |token| token.end().max(start))
    }

    /// No mistake has been reported within these tokens.
    fn is_sound(&self, tokens: &Range<usize>) -> bool {
        let bytes = self.bytes(tokens);
        let first = self.damage.partition_point(|at| (*at as usize) < bytes.start);
        self.damage.get(first).is_none_or(|at| *at as usize >= bytes.end)
    }

    fn file(&mut self, root: &Part) -> ast::File {
        let mut file = ast::File { game: None, declarations: Vec::new() };
        let Some(head) = root.head.clone() else {
            self.prelude(root);
            file.declarations = self.sections(root);
            return file;
        };
        let head = self.head(head);
        let sections = self.sections(root);
        let bytes = self.bytes(&(root.tokens.start..root.tokens.end + 1));
        let span = Span::new(self.source, bytes.start, bytes.end);
        file.game = head.map(|head| ast::Game { title: head.title, extends: head.extends, sections, span });
        file
    }

    /// A text without a game holds declarations only.
    fn prelude(&mut self, root: &Part) {
        let declares = |part: &&Part| {
            let word = self.tokens.get(part.tokens.start).map_or("", |token| token.text);
            matches!(word, "param" | "define" | "pattern" | "action")
        };
        if let Some(odd) = root.parts.iter().find(|part| !declares(part)).filter(|_| root.junk.is_empty()) {
            self.unexpected(odd.tokens.start, &["`game`", "a declaration"]);
        }
    }

    fn sections(&mut self, container: &Part) -> Vec<ast::Section> {
        if !container.junk.is_empty() && self.is_sound(&container.junk) {
            self.junk(container);
        }
        container.parts.iter().filter_map(|part| self.section(part)).collect()
    }

    /// What stands before the first section and is none.
    fn junk(&mut self, container: &Part) {
        let first = container.junk.start;
        let word = self.tokens.get(first).is_some_and(|token| token.kind == TokenKind::Word && is_name(token.text));
        if container.head.is_some() && word {
            let error = self.place(first).no_section(first);
            self.errors.push(error);
        } else if container.head.is_some() {
            self.unexpected(first, &["a section", "`}`"]);
        } else if self.tokens.get(first).is_some_and(|token| token.is_word("game")) {
            self.parse(Rule::one_head, &container.junk);
        } else {
            self.unexpected(first, &["`game`", "a declaration"]);
        }
    }

    fn section(&mut self, part: &Part) -> Option<ast::Section> {
        match &part.head {
            Some(head) => self.variant(part, head.clone()),
            None if self.is_sound(&part.tokens) => {
                let node = self.parse_section(&part.tokens)?;
                self.build(&part.tokens, |builder| builder.section(node))
            }
            None => None,
        }
    }

    /// A section, or the one at the beginning of these tokens, if something follows that is none.
    fn parse_section(&mut self, tokens: &Range<usize>) -> Option<Node<'t>> {
        let stuck = match self.try_parse(Rule::one_section, tokens) {
            Ok(node) => return node,
            Err(stuck) => stuck,
        };
        let place = self.place(tokens.start);
        for at in place.strays(&stuck) {
            if let Ok(node) = self.try_parse(Rule::one_section, &(tokens.start..at)) {
                self.errors.push(place.no_section(at));
                return node;
            }
        }
        self.errors.push(place.diagnose(&stuck));
        None
    }

    fn variant(&mut self, part: &Part, head: Range<usize>) -> Option<ast::Section> {
        let head = self.head(head);
        let sections = self.sections(part);
        let bytes = self.bytes(&part.tokens);
        let head = head?;
        let variant = ast::Variant { title: head.title, extends: head.extends.map(|base| base.game), sections };
        let span = Span::new(self.source, bytes.start, bytes.end);
        Some(Spanned::new(ast::SectionKind::Variant(variant), span))
    }

    fn head(&mut self, tokens: Range<usize>) -> Option<Head> {
        if !self.is_sound(&(tokens.start..tokens.end.saturating_sub(1))) {
            return None;
        }
        let node = self.parse(Rule::one_head, &tokens)?;
        self.build(&tokens, |builder| builder.head(node))
    }

    /// What stands behind the end of the game.
    fn behind(&mut self, tokens: Range<usize>) {
        if !tokens.is_empty() && self.is_sound(&tokens) {
            self.unexpected(tokens.start, &["the end of the text"]);
        }
    }

    fn unexpected(&mut self, at: usize, expected: &[&str]) {
        let expected = expected.iter().map(|word| String::from(*word)).collect();
        let error = self.place(at).unexpected(at, expected, &[]);
        self.errors.push(error);
    }

    fn parse(&mut self, rule: Rule, tokens: &Range<usize>) -> Option<Node<'t>> {
        match self.try_parse(rule, tokens) {
            Ok(node) => node,
            Err(stuck) => {
                let error = self.place(tokens.start).diagnose(&stuck);
                self.errors.push(error);
                None
            }
        }
    }

    /// Where it gets stuck counts from the beginning of the text.
    fn try_parse(&self, rule: Rule, tokens: &Range<usize>) -> Result<Option<Node<'t>>, Stuck> {
        let bytes = self.bytes(tokens);
        let slice = self.text.get(bytes.clone()).unwrap_or("");
        let nodes = lusoria_grammar::parse(rule, slice);
        nodes.map(|mut nodes| nodes.next()).map_err(|stuck| Stuck { at: stuck.at + bytes.start, ..stuck })
    }

    /// A cell that is given as a name, `define e1 = ...`, is told once; what seems wrong where that
    /// name is used is not told.
    fn tell_cells_once(&mut self) {
        let tokens = self.tokens;
        let mut told = HashSet::new();
        let mut errors = std::mem::take(&mut self.errors);
        sort::by_key(&mut errors, |error| error.span.start);
        let cells: HashSet<String> = errors.iter().filter_map(|error| named_cell(error).map(String::from)).collect();
        errors.retain(|error| match named_cell(error) {
            Some(word) => told.insert(word.to_string()),
            None => {
                let at = tokens.partition_point(|token| token.end() <= error.span.start as usize);
                !tokens[at.saturating_sub(1)..tokens.len().min(at + 1)].iter().any(|token| cells.contains(token.text))
            }
        });
        self.errors = errors;
    }

    fn build<T>(&mut self, tokens: &Range<usize>, build: impl FnOnce(&mut Builder) -> Option<T>) -> Option<T> {
        let mut builder = Builder::new(self.source, self.tokens, self.bytes(tokens).start);
        let built = build(&mut builder);
        self.errors.append(&mut builder.errors);
        built
    }
}

fn named_cell(error: &SyntaxError) -> Option<&str> {
    match &error.kind {
        SyntaxErrorKind::CellAsName { word } => Some(word),
        _ => None,
    }
}
