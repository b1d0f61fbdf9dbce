//! Completion: a place in a text goes in; what may be written there, by the grammar, the names that are known and the
//! type that is wanted, comes out.

mod snippets;

use serde::Serialize;

use crate::check::Library;
use crate::editor::complete::snippets::{OUTCOMES, SECTIONS, STATEMENTS};
use crate::editor::hover::Markup;
use crate::editor::index::{Declaration, Sort};
use crate::editor::{Analysis, Document, FILE, Position, manual, types};
use crate::model::Type;
use crate::sort;
use crate::syntax::{Ahead, Token, TokenKind, ahead, builtin, tokens};

/// How a text is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Plain,
    /// With places to fill in, `${1:p}`.
    Snippets,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    pub label: String,
    /// As the protocol counts kinds.
    pub kind: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<Markup>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insert_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insert_text_format: Option<u8>,
    pub sort_text: String,
}

/// Kinds of completions, as the protocol counts them.
const METHOD: u8 = 2;
const FUNCTION: u8 = 3;
const FIELD: u8 = 5;
const VARIABLE: u8 = 6;
const CLASS: u8 = 7;
const MODULE: u8 = 9;
const VALUE: u8 = 12;
const KEYWORD: u8 = 14;
const SNIPPET: u8 = 15;
const ENUM_MEMBER: u8 = 20;
const CONSTANT: u8 = 21;

/// What is offered first, later, last.
const FITS: u8 = 0;
const STANDS: u8 = 1;
const WORD: u8 = 2;
const OTHER_TYPE: u8 = 3;

/// Words that begin a value and are no names.
const VALUE_WORDS: [&str; 8] = ["some", "no", "not", "if", "file", "rank", "row", "last row"];

impl Document {
    /// What may be written at a place.
    pub fn completion(&self, at: Position, library: &dyn Library, format: Format) -> Vec<Completion> {
        let byte = self.byte(at);
        let before = self.text.get(..byte).unwrap_or("");
        let line = before.rsplit('\n').next().unwrap_or("");
        let all = tokens(before);
        let in_text = all
            .last()
            .is_some_and(|token| token.end() == byte && (token.kind == TokenKind::Bad && token.text.starts_with('"')));
        if in_text {
            return self.titles(&all, library);
        }
        if line.contains('#') && line.matches('"').count() % 2 == 0 {
            return Vec::new();
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let begins = before.trim_end_matches(is_part).len();
        let written: Vec<Token> = all.into_iter().take_while(|token| token.end() <= begins).collect();
        let place =
            Place { ahead: ahead(&self.text, begins), known: self.good.as_ref().unwrap_or(&self.now), written, format };
        place.completions()
    }

    /// The titles of games and variants behind `extends`.
    fn titles(&self, written: &[Token], library: &dyn Library) -> Vec<Completion> {
        let mut words = written.iter().rev().skip(1);
        if !words.next().is_some_and(|token| token.is_word("extends") || token.is_word("of")) {
            return Vec::new();
        }
        let variants = self.now.index.declarations.iter().filter(|other| other.sort == Sort::Variant);
        let titles = variants.map(|variant| variant.name.clone()).chain(library.titles());
        titles.map(|title| plain(&title, MODULE, STANDS)).collect()
    }
}

fn plain(label: &str, kind: u8, rank: u8) -> Completion {
    Completion {
        label: label.to_string(),
        kind,
        detail: None,
        documentation: None,
        insert_text: None,
        insert_text_format: None,
        sort_text: format!("{rank}{label}"),
    }
}

/// A place where something is to be written.
struct Place<'d> {
    /// The state of the text that knows the names.
    known: &'d Analysis,
    ahead: Ahead,
    /// The words and marks before it.
    written: Vec<Token<'d>>,
    format: Format,
}

impl Place<'_> {
    fn completions(&self) -> Vec<Completion> {
        let mut found = Vec::new();
        let ahead = &self.ahead;
        if ahead.section {
            found.extend(SECTIONS.iter().map(|(word, form)| self.form(word, form)));
        }
        if ahead.statement {
            found.extend(STATEMENTS.iter().map(|(word, form)| self.form(word, form)));
        }
        if ahead.outcome {
            found.extend(OUTCOMES.iter().map(|(word, form)| self.form(word, form)));
        }
        if ahead.player || ahead.outcome {
            found.extend(self.declared(&[Sort::Player], FITS));
        }
        if ahead.man {
            found.extend(self.declared(&[Sort::Piece], FITS));
            found.extend(self.declared(&[Sort::Player], STANDS));
            found.extend(["enemy", "neutral"].map(|word| self.builtin(word, STANDS)));
        }
        if ahead.item {
            found.extend(self.declared(&[Sort::Pattern], FITS));
            found.extend(["empty", "enemy", "own", "occupied", "any"].map(|word| self.builtin(word, FITS)));
            found.extend(self.declared(&[Sort::Piece, Sort::Define], STANDS));
            found.extend(self.locals(None));
        }
        if ahead.value || ahead.set {
            found.extend(self.values());
        } else if ahead.name {
            found.extend(self.names());
        }
        if *ahead == (Ahead { begins: ahead.begins, ..Ahead::default() }) {
            // What stands before is wrong, so the grammar says nothing: any name may be meant.
            found.extend(self.values());
        }
        let words = ahead.words.iter().filter(|word| !word.contains(['{', '(', ',']));
        found.extend(words.map(|word| self.word(word)));
        sort::by(&mut found, |one, other| (&one.label, &one.sort_text).cmp(&(&other.label, &other.sort_text)));
        found.dedup_by(|later, earlier| later.label == earlier.label);
        found
    }

    fn last(&self, back: usize) -> &str {
        self.written.len().checked_sub(back + 1).and_then(|at| self.written.get(at)).map_or("", |token| token.text)
    }

    /// A word of the language, with what follows it.
    fn form(&self, word: &str, form: &str) -> Completion {
        let documentation = manual::page(word.split(' ').next().unwrap_or(word)).map(Markup::from);
        match self.format {
            Format::Snippets => Completion {
                documentation,
                insert_text: Some(form.to_string()),
                insert_text_format: Some(2),
                ..plain(word, SNIPPET, STANDS)
            },
            Format::Plain => Completion { documentation, ..plain(word, KEYWORD, STANDS) },
        }
    }

    fn word(&self, word: &str) -> Completion {
        Completion { documentation: manual::page(word).map(Markup::from), ..plain(word, KEYWORD, WORD) }
    }

    fn builtin(&self, name: &str, rank: u8) -> Completion {
        let is_function = builtin::FUNCTIONS.contains(&name);
        let detail = types::builtin(name).map(|ty| types::word(ty).to_string());
        let documentation = manual::page(name).map(Markup::from);
        let (kind, insert) = if is_function { (FUNCTION, Some(format!("{name}(${{1}})"))) } else { (CONSTANT, None) };
        let insert = insert.filter(|_| self.format == Format::Snippets);
        let format = insert.as_ref().map(|_| 2);
        Completion { detail, documentation, insert_text: insert, insert_text_format: format, ..plain(name, kind, rank) }
    }

    fn visible(&self) -> Vec<&Declaration> {
        let index = &self.known.index;
        let at = self.ahead.begins.min(self.known.text().len());
        let visible = index.visible(index.scope(FILE, at));
        visible.into_iter().filter_map(|at| index.declarations.get(at)).collect()
    }

    fn declared(&self, sorts: &[Sort], rank: u8) -> Vec<Completion> {
        let visible = self.visible().into_iter().filter(|declaration| sorts.contains(&declaration.sort));
        visible.map(|declaration| self.declaration(declaration, rank)).collect()
    }

    fn declaration(&self, declaration: &Declaration, rank: u8) -> Completion {
        let kind = match declaration.sort {
            Sort::Piece => CLASS,
            Sort::Player => ENUM_MEMBER,
            Sort::Param => CONSTANT,
            Sort::Remember => FIELD,
            Sort::Define => FUNCTION,
            Sort::Pattern => VALUE,
            _ => METHOD,
        };
        let form = self.known.index.form(declaration);
        let ty = self.known.types.declaration(declaration).map(types::word);
        let detail =
            format!("{} {form}{}", declaration.sort.word(), ty.map(|ty| format!(": {ty}")).unwrap_or_default());
        let snippet = (!declaration.parameters.is_empty() && self.format == Format::Snippets).then(|| {
            let places = declaration.parameters.iter().zip(1..).map(|(name, at)| format!("${{{at}:{name}}}"));
            format!("{}({})", declaration.name, places.collect::<Vec<_>>().join(", "))
        });
        Completion {
            detail: Some(detail),
            documentation: Some(self.known.declaration(declaration).into()),
            insert_text_format: snippet.as_ref().map(|_| 2),
            insert_text: snippet,
            ..plain(&declaration.name, kind, rank)
        }
    }

    /// Where a name alone is wanted, the words before it tell which.
    fn names(&self) -> Vec<Completion> {
        match (self.last(1), self.last(0)) {
            (_, "do") => self.declared(&[Sort::Action, Sort::Part], FITS),
            (_, "set") => [self.declared(&[Sort::Remember], FITS), self.locals(None)].concat(),
            (_, "move" | "capture" | "promote") => self.locals(None),
            (_, "by") => {
                let players = self.declared(&[Sort::Player], STANDS);
                [players, vec![self.builtin("own", FITS), self.builtin("enemy", FITS)]].concat()
            }
            (_, "from") => self.declared(&[Sort::Piece], FITS),
            ("promote", _) | (_, "to" | "or") => self.declared(&[Sort::Piece], FITS),
            (_, word) if word.starts_with(|c: char| c.is_ascii_uppercase()) && !self.ahead.man => {
                self.builtins(Some(Type::Dirs)).into_iter().filter(|found| found.sort_text.starts_with('0')).collect()
            }
            // A new name is invented by the author.
            _ => Vec::new(),
        }
    }

    /// What has a value, those of the type that is wanted first.
    fn values(&self) -> Vec<Completion> {
        let wanted = self.wanted();
        let mut found = self.locals(wanted);
        for declaration in self.visible() {
            let has_value =
                matches!(declaration.sort, Sort::Param | Sort::Piece | Sort::Remember | Sort::Define | Sort::Player);
            if has_value {
                let rank = rank(wanted, self.known.types.declaration(declaration));
                found.push(self.declaration(declaration, rank));
            }
        }
        found.extend(self.builtins(wanted));
        let is_truth = wanted == Some(Type::Truth);
        found.extend(VALUE_WORDS.iter().map(|word| plain(word, KEYWORD, if is_truth { FITS } else { WORD })));
        found
    }

    fn builtins(&self, wanted: Option<Type>) -> Vec<Completion> {
        let names = builtin::NAMES.iter().chain(builtin::FUNCTIONS);
        names.map(|name| self.builtin(name, rank(wanted, types::builtin(name)))).collect()
    }

    /// The type of value that the words before the place ask for.
    fn wanted(&self) -> Option<Type> {
        let mut depth = 0usize;
        let from = self.written.partition_point(|token| token.start < self.ahead.begins);
        let mut before = self.written[from.min(self.written.len())..].iter().rev().peekable();
        while let Some(token) = before.next() {
            match token.text {
                ")" => depth += 1,
                "(" if depth == 0 => {
                    return before.peek().and_then(|name| match name.text {
                        "largest" | "sizes" => Some(Type::Groups),
                        "opposite" => Some(Type::Dirs),
                        "hand" | "stuck" => Some(Type::Players),
                        name if builtin::FUNCTIONS.contains(&name) => Some(Type::Cells),
                        _ => None,
                    });
                }
                "(" => depth -= 1,
                _ if depth > 0 => {}
                "need" | "if" | "while" | "where" => return Some(Type::Truth),
                "most" | "+" | "-" | "*" | "/" | "<" | ">" | "<=" | ">=" | "mod" | "value" | "highest" => {
                    return Some(Type::Number);
                }
                "from" | "remove" | "flip" | "on" | "some" | "no" | "in" | "is" | "without" | "lines" | "place" => {
                    return Some(Type::Cells);
                }
                "move" | "capture" => return Some(Type::Dirs),
                "let" | "set" | "define" | "remember" | "param" | "{" | "}" => return None,
                _ => {}
            }
        }
        None
    }

    /// The local names that are known at the place: those of the blocks around it.
    fn locals(&self, wanted: Option<Type>) -> Vec<Completion> {
        let from = self.written.partition_point(|token| token.start < self.ahead.begins);
        let written = &self.written[from.min(self.written.len())..];
        let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
        for (at, token) in written.iter().enumerate() {
            let word = |back: usize| at.checked_sub(back).and_then(|at| written.get(at)).map_or("", |token| token.text);
            let next = written.get(at + 1).map_or("", |token| token.text);
            match token.text {
                "{" => blocks.push(Vec::new()),
                "}" if blocks.len() > 1 => {
                    blocks.pop();
                }
                name if token.kind == TokenKind::Word => {
                    let picked = next == "from" && (word(1) == "pick" || word(2) == "pick");
                    let bound = picked || word(1) == "let" || (word(1) == "each" && word(2) == "for");
                    let parameter = matches!(word(1), "(" | ",")
                        && matches!(written.first().map_or("", |token| token.text), "action" | "define")
                        && blocks.len() == 1
                        && !written[..at].iter().any(|token| token.is_mark("="));
                    if let Some(block) = blocks.last_mut().filter(|_| bound || parameter) {
                        block.push(name);
                    }
                }
                _ => {}
            }
        }
        let names = blocks.into_iter().flatten();
        names.map(|name| self.local(name, wanted)).collect()
    }

    fn local(&self, name: &str, wanted: Option<Type>) -> Completion {
        let locals = self.known.index.locals.iter();
        let mut same = locals.filter(|local| local.name == name && local.span.source == FILE);
        let ty = same.find_map(|local| self.known.types.local(local));
        let detail = ty.map(|ty| types::word(ty).to_string());
        // A local name is near, so it comes first also where its type is not known.
        let rank = if ty.is_none() { FITS } else { rank(wanted, ty) };
        Completion { detail, ..plain(name, VARIABLE, rank) }
    }
}

fn rank(wanted: Option<Type>, found: Option<Type>) -> u8 {
    match (wanted, found) {
        (None, _) | (_, None) => STANDS,
        (Some(wanted), Some(found)) if wanted == found => FITS,
        // Sets are asked about by truths; players and groups stand for cells, axes for directions.
        (Some(Type::Cells), Some(Type::Players | Type::Groups)) | (Some(Type::Dirs), Some(Type::Axes)) => FITS,
        (Some(Type::Truth), Some(_)) => STANDS,
        _ => OTHER_TYPE,
    }
}
