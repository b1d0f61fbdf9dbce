//! Semantic tokens: a text goes in; what each word of it is, a keyword, a kind of piece, a local name, comes out.

use std::collections::HashMap;

use crate::editor::index::{Binding, Meaning, Role, Sort};
use crate::editor::{Document, FILE};
use crate::sort;
use crate::syntax::{TokenKind, builtin, is_cell, is_reserved, tokens};

/// The protocol's names of what words are; tokens refer to them by number.
pub const TOKEN_TYPES: [&str; 14] = [
    "keyword",
    "comment",
    "string",
    "number",
    "operator",
    "class",
    "enumMember",
    "property",
    "function",
    "macro",
    "method",
    "parameter",
    "variable",
    "type",
];
/// What more is said of a word, a bit each.
pub const TOKEN_MODIFIERS: [&str; 4] = ["declaration", "readonly", "defaultLibrary", "modification"];

const KEYWORD: u32 = 0;
const COMMENT: u32 = 1;
const STRING: u32 = 2;
const NUMBER: u32 = 3;
const OPERATOR: u32 = 4;
const CLASS: u32 = 5;
const ENUM_MEMBER: u32 = 6;
const PROPERTY: u32 = 7;
const FUNCTION: u32 = 8;
const MACRO: u32 = 9;
const METHOD: u32 = 10;
const PARAMETER: u32 = 11;
const VARIABLE: u32 = 12;
const TYPE: u32 = 13;

const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const DEFAULT_LIBRARY: u32 = 4;
const MODIFICATION: u32 = 8;

impl Document {
    /// Five numbers for each word, as the protocol has them: lines and columns further on, length, type, modifiers.
    pub fn semantic_tokens(&self) -> Vec<u32> {
        let mut found: Vec<(usize, usize, u32, u32)> = comments(&self.text).collect();
        // Names that cannot be read now keep what they were.
        let mut before: HashMap<&str, (u32, u32)> = HashMap::new();
        if let Some(good) = &self.good {
            for name in good.index.names.iter().filter(|name| name.span.source == FILE) {
                let (ty, modifiers) = good.token(name.meaning, name.role);
                before.insert(good.slice(name.span), (ty, modifiers & !DECLARATION));
            }
        }
        for token in tokens(&self.text) {
            let name = self.now.index.at(FILE, token.start).filter(|name| name.span.start as usize == token.start);
            let known = name.map(|name| self.now.token(name.meaning, name.role));
            let (ty, modifiers) = match token.kind {
                TokenKind::Text => (STRING, known.map_or(0, |(_, modifiers)| modifiers)),
                TokenKind::Number => (NUMBER, 0),
                TokenKind::Glyph => (STRING, 0),
                TokenKind::Mark if "{}(),\"".contains(token.text) => continue,
                TokenKind::Mark => (OPERATOR, 0),
                TokenKind::Bad => continue,
                TokenKind::Word => match known.or_else(|| before.get(token.text).copied()) {
                    Some(known) if !is_reserved(token.text) => known,
                    _ if is_cell(token.text) => (NUMBER, 0),
                    _ if token.text.starts_with(|c: char| c.is_ascii_uppercase()) => (ENUM_MEMBER, 0),
                    _ if is_reserved(token.text) => (KEYWORD, 0),
                    _ if builtin::is_builtin(token.text) => (VARIABLE, DEFAULT_LIBRARY | READONLY),
                    // Words that are keywords only in their places.
                    _ => (KEYWORD, 0),
                },
            };
            found.push((token.start, token.end(), ty, modifiers));
        }
        sort::by(&mut found, Ord::cmp);
        self.encoded(&found)
    }

    fn encoded(&self, found: &[(usize, usize, u32, u32)]) -> Vec<u32> {
        let lines = self.lines();
        let mut data = Vec::with_capacity(found.len() * 5);
        let (mut line, mut column) = (0, 0);
        for (start, end, ty, modifiers) in found {
            // A string of several lines is one token for each.
            let mut from = *start;
            for part in self.text.get(*start..*end).unwrap_or("").split_inclusive('\n') {
                let length: usize = part.trim_end().chars().map(char::len_utf16).sum();
                let at = lines.position(from);
                from += part.len();
                if length == 0 {
                    continue;
                }
                let delta = at.line.saturating_sub(line);
                let ahead = if delta == 0 { at.character.saturating_sub(column) } else { at.character };
                data.extend([delta, ahead, length as u32, *ty, *modifiers]);
                (line, column) = (at.line, at.character);
            }
        }
        data
    }
}

impl crate::editor::Analysis {
    fn token(&self, meaning: Meaning, role: Role) -> (u32, u32) {
        let role = match role {
            Role::Declares => DECLARATION,
            Role::Sets => MODIFICATION,
            Role::Reads => 0,
        };
        match meaning {
            Meaning::Builtin => (VARIABLE, DEFAULT_LIBRARY | READONLY),
            Meaning::Local(at) => {
                let parameter = self.index.locals.get(at).is_some_and(|local| local.binding == Binding::Parameter);
                (if parameter { PARAMETER } else { VARIABLE }, role)
            }
            Meaning::Declared(at) => {
                let declaration = self.index.declarations.get(at);
                let ty = match declaration.map(|declaration| declaration.sort) {
                    Some(Sort::Game | Sort::Variant | Sort::Example) => STRING,
                    Some(Sort::Player) => ENUM_MEMBER,
                    Some(Sort::Param | Sort::Remember) => PROPERTY,
                    Some(Sort::Piece) => CLASS,
                    Some(Sort::Define) => FUNCTION,
                    Some(Sort::Pattern) => MACRO,
                    Some(Sort::Action) => METHOD,
                    Some(Sort::Part) | None => TYPE,
                };
                let library = declaration.is_some_and(|declaration| declaration.span.source != FILE);
                let readonly = declaration.is_some_and(|declaration| declaration.sort == Sort::Param);
                (ty, role + u32::from(library) * DEFAULT_LIBRARY + u32::from(readonly) * READONLY)
            }
        }
    }
}

/// Comments of a text, without those marks that stand in strings.
fn comments(text: &str) -> impl Iterator<Item = (usize, usize, u32, u32)> {
    let strings: Vec<(usize, usize)> = tokens(text)
        .into_iter()
        .filter(|token| matches!(token.kind, TokenKind::Text | TokenKind::Glyph) || token.text.starts_with('"'))
        .map(|token| (token.start, token.end()))
        .collect();
    let mut at = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        for (mark, _) in line.match_indices('#') {
            let place = at + mark;
            let next = strings.partition_point(|(_, end)| *end <= place);
            if strings.get(next).is_none_or(|(start, _)| *start > place) {
                found.push((place, at + line.trim_end().len(), COMMENT, 0));
                break;
            }
        }
        at += line.len();
    }
    found.into_iter()
}
