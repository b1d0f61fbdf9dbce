//! Hover: a place in a text goes in; what stands there means comes out, as Markdown.

use serde::Serialize;

use crate::editor::index::{Binding, Declaration, Index, Local, Meaning, Scope, Sort};
use crate::editor::{Analysis, Document, FILE, Position, Range, draw, manual, types, word_at};
use crate::source::{Source, Span};
use crate::syntax::{TokenKind, tokens};

/// Longer declarations are cut, in lines.
const MOST_LINES: usize = 12;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hover {
    pub contents: Markup,
    pub range: Range,
}

/// Text as Markdown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Markup {
    pub kind: &'static str,
    pub value: String,
}

impl From<String> for Markup {
    fn from(value: String) -> Markup {
        Markup { kind: "markdown", value }
    }
}

impl Document {
    /// What stands at a place means.
    pub fn hover(&self, at: Position) -> Option<Hover> {
        let byte = self.byte(at);
        let lines = self.lines();
        if let Some(usual) = self.now.index.usuals.iter().find(|usual| contains(usual.span, byte)) {
            let value = format!("`as usual` stands for\n{}", self.now.code(usual.stands_for));
            return Some(Hover { contents: value.into(), range: lines.range_of(usual.span) });
        }
        if let Some((known, at)) = self.knowing(byte)
            && let Some(name) = known.index.at(FILE, at)
        {
            let (word, begins) = word_at(&self.text, byte).unwrap_or_default();
            let own = std::ptr::eq(known, &self.now);
            let range = if own { lines.range_of(name.span) } else { lines.range(begins, begins + word.len()) };
            let value = known.meaning(name.meaning, known.slice(name.span))?;
            return Some(Hover { contents: value.into(), range });
        }
        let (word, begins) = word_at(&self.text, byte)?;
        let all = tokens(&self.text);
        let token = all.iter().find(|token| token.start == begins && token.kind == TokenKind::Word)?;
        let value = manual::page(token.text)?;
        Some(Hover { contents: value.into(), range: lines.range(begins, begins + word.len()) })
    }
}

fn contains(span: Span, byte: usize) -> bool {
    span.source == FILE && (span.start as usize..=span.end as usize).contains(&byte)
}

impl Analysis {
    /// Text of the rules, in a block.
    pub(super) fn code(&self, span: Span) -> String {
        let text = self.slice(span);
        let mut lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
        if text.lines().nth(MOST_LINES).is_some() {
            lines.push("...");
        }
        format!("```lusoria\n{}\n```\n", lines.join("\n"))
    }

    fn meaning(&self, meaning: Meaning, word: &str) -> Option<String> {
        match meaning {
            Meaning::Builtin => {
                let ty = types::builtin(word).map(|ty| format!("\n\n{}", capital(types::word(ty)))).unwrap_or_default();
                manual::page(word).map(|page| page + &ty)
            }
            Meaning::Declared(at) => self.index.declarations.get(at).map(|declaration| self.declaration(declaration)),
            Meaning::Local(at) => self.index.locals.get(at).map(|local| self.local(local)),
        }
    }

    pub(super) fn declaration(&self, declaration: &Declaration) -> String {
        let mut text = match declaration.sort {
            Sort::Game | Sort::Variant => format!("{} \"{}\"\n", declaration.sort.word(), declaration.name),
            _ => self.code(declaration.whole),
        };
        if let Some(comment) = self.comment(declaration.whole) {
            text += &format!("\n{comment}\n");
        }
        if declaration.sort == Sort::Pattern
            && let Some(pattern) = self.index.patterns.iter().find(|pattern| declaration.whole.contains(pattern.span))
            && let Some(drawn) = draw::pattern(pattern, self.sources())
        {
            text += &format!("\n```text\n{drawn}```\n");
        }
        if let Some(ty) = self.types.declaration(declaration) {
            text += &format!("\n{}", capital(types::word(ty)));
            if let Some(value) = self.types.param(&declaration.name).filter(|_| declaration.sort == Sort::Param) {
                text += &format!(": {value}");
            }
            text.push('\n');
        }
        if declaration.span.source != FILE {
            let name = self.sources().get(declaration.span.source).map_or("", Source::name);
            text += &format!("\nFrom `{name}`\n");
        } else if let Some(title) = self.variant(declaration) {
            text += &format!("\nOf variant \"{title}\"\n");
        }
        text
    }

    /// The title of the variant that declares it.
    fn variant(&self, declaration: &Declaration) -> Option<&str> {
        let at = declaration.scope.variant?;
        let game = Scope { variant: None, ..declaration.scope };
        let is_variant = |other: &&Declaration| other.sort == Sort::Variant && other.scope == game;
        self.index.declarations.iter().filter(is_variant).nth(at).map(|variant| variant.name.as_str())
    }

    fn local(&self, local: &Local) -> String {
        let head = match local.binding {
            Binding::Parameter => format!("`{}`: a parameter\n", local.name),
            _ => {
                let text = self.slice(local.whole);
                let end = text.find('{').unwrap_or(text.len());
                let line: Vec<&str> = text[..end].split_whitespace().collect();
                format!("```lusoria\n{}\n```\n", line.join(" "))
            }
        };
        let follows = match local.binding {
            Binding::Pick => "\nIt follows: `move` and `capture` make it the landing.\n",
            _ => "",
        };
        let ty = self.types.local(local);
        let ty = ty.map(|ty| format!("\n{}\n", capital(types::word(ty)))).unwrap_or_default();
        format!("{head}{ty}{follows}")
    }

    /// The comment behind a declaration on its first or last line, or else on the lines before it.
    fn comment(&self, whole: Span) -> Option<String> {
        let text = self.sources().get(whole.source)?.text();
        let (start, end) = (whole.start as usize, whole.end as usize);
        let behind = text.get(end..)?.lines().next().unwrap_or("").trim();
        if let Some(comment) = behind.strip_prefix('#') {
            return Some(comment.trim().to_string());
        }
        let mut lines: Vec<&str> = Vec::new();
        for line in text.get(..start)?.rsplit('\n').skip(1) {
            match line.trim().strip_prefix('#') {
                Some(comment) => lines.insert(0, comment.trim()),
                None => break,
            }
        }
        (!lines.is_empty()).then(|| lines.join(" "))
    }
}

/// A word or a few at the beginning of a line.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

impl Index {
    /// How a declaration is written where it is used.
    pub fn form(&self, declaration: &Declaration) -> String {
        match declaration.parameters.as_slice() {
            [] => declaration.name.clone(),
            parameters => format!("{}({})", declaration.name, parameters.join(", ")),
        }
    }
}
