//! Terms of a game: the names that a sheet has mentioned go in; what each means comes out, with what
//! its author has written beside it.

use crate::game::sheet::layout::item;
use crate::game::sheet::words::{list, sentence, spaced};
use crate::game::sheet::{Around, Sheet, SheetLine, Term, contains_word};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::SectionKind;

/// Words of the language that players need not know, and what they mean.
const BUILTINS: [(&str, &str); 2] = [
    ("row", "Rows are counted from your own side of the board; the last row is the farthest from you."),
    (
        "attacked",
        "A piece or cell is attacked if an enemy piece could capture on it in its next move, whatever else would follow.",
    ),
];

impl<'a> Sheet<'a> {
    /// What a name of the game stands for, unless it is an action.
    pub fn known_term(&self, name: &str) -> Option<Term<'a>> {
        self.sections.iter().find_map(|section| match &section.node {
            SectionKind::Define(define) if define.name.node == name => Some(Term::Define(define)),
            SectionKind::Remember(remember) if remember.name.node == name => Some(Term::Remember(remember)),
            _ => None,
        })
    }

    /// The define of the prelude with this name.
    pub fn prelude_define(&self, name: &str) -> Option<&'a ast::Define> {
        self.prelude.iter().find_map(|section| match &section.node {
            SectionKind::Define(define) if define.name.node == name => Some(define),
            _ => None,
        })
    }

    /// The action with this name, of the game or of the prelude.
    pub fn action(&self, name: &str) -> Option<(&'a ast::Section, &'a ast::Action)> {
        let action = |section: &'a ast::Section| match &section.node {
            SectionKind::Action(action) if action.name.node == name => Some((section, action)),
            _ => None,
        };
        self.sections.iter().find_map(|section| action(section)).or_else(|| self.prelude.iter().find_map(action))
    }

    /// It will be told at the end what this means.
    pub fn mention(&self, name: &str) {
        let mut terms = self.terms.borrow_mut();
        if !terms.iter().any(|known| known == name) {
            terms.push(name.to_string());
        }
    }

    /// The same of a word of the language.
    pub fn builtin(&self, word: &'static str) {
        let mut builtins = self.builtins.borrow_mut();
        if !builtins.contains(&word) {
            builtins.push(word);
        }
    }

    /// Which parameters of a define or action stand for players.
    pub fn player_parameters(&self, name: &str) -> Vec<usize> {
        let found = self.sections.iter().chain(&self.prelude.iter().collect::<Vec<_>>()).find_map(|section| {
            match &section.node {
                SectionKind::Define(define) if define.name.node == name => Some((section.span, &define.parameters)),
                SectionKind::Action(action) if action.name.node == name => Some((section.span, &action.parameters)),
                _ => None,
            }
        });
        let Some((span, parameters)) = found else { return Vec::new() };
        let text = self.sources.slice(span);
        let body = text.split_once(')').map_or(text, |(_, body)| body);
        let is_player = |parameter: &str| {
            let of_player = |section: &&ast::Section| match &section.node {
                SectionKind::Remember(remember) if remember.per_player => {
                    body.contains(&format!("{}({parameter})", remember.name.node))
                }
                SectionKind::Piece(piece) => contains_word(body, &format!("{parameter} {}", piece.name.node)),
                _ => false,
            };
            let asks_hand = ["hand", "stuck"].iter().any(|word| body.contains(&format!("{word}({parameter})")));
            asks_hand
                || contains_word(body, &format!("by {parameter}"))
                || self.sections.iter().copied().any(|it| of_player(&it))
        };
        let given_player = |at: usize| self.sections.iter().any(|section| self.gives_player(section.span, name, at));
        let players = parameters.iter().enumerate().filter(|(at, parameter)| is_player(parameter) || given_player(*at));
        players.map(|(at, _)| at).collect()
    }

    /// Somewhere in a text a player's name is what this define or action is given.
    fn gives_player(&self, span: Span, name: &str, at: usize) -> bool {
        let text = self.sources.slice(span);
        text.split(&format!("{name}(")).skip(1).any(|rest| {
            let arguments = rest.split(')').next().unwrap_or_default();
            let given = arguments.split(',').nth(at).unwrap_or_default().trim();
            self.game.seats.iter().any(|seat| seat.name == given)
        })
    }

    /// The comment behind a line, if it is about what begins at this place.
    pub fn beside(&self, span: Span) -> Option<String> {
        let text = self.sources.get(span.source)?.text();
        let line = text.get(span.start as usize..)?.lines().next()?;
        let (code, comment) = line.split_once('#')?;
        // Several things on one line: the comment is about the last.
        let length = (span.end.saturating_sub(span.start)) as usize;
        let behind = code.get(length..).unwrap_or_default();
        if behind.contains('{') || code.contains('"') {
            return None;
        }
        cleaned(comment)
    }

    /// The comment lines right above a declaration.
    fn above(&self, span: Span) -> Option<String> {
        let text = self.sources.get(span.source)?.text();
        let before = text.get(..span.start as usize)?;
        let before = before.trim_end_matches([' ', '\t']);
        let mut lines: Vec<&str> = Vec::new();
        for line in before.lines().rev() {
            match line.trim().strip_prefix('#') {
                Some(comment) => lines.push(comment.trim()),
                None => break,
            }
        }
        lines.reverse();
        cleaned(&lines.join(" "))
    }

    /// The terms that were mentioned, each with what it means; they may mention others.
    pub fn meanings(&self) -> Vec<SheetLine> {
        let mut lines = Vec::new();
        let mut told = 0;
        loop {
            let Some(name) = self.terms.borrow().get(told).cloned() else { break };
            told += 1;
            lines.extend(self.meaning(&name));
        }
        for (word, meaning) in BUILTINS {
            if self.builtins.borrow().contains(&word) {
                lines.push(item(0, "-", meaning));
            }
        }
        lines
    }

    fn meaning(&self, name: &str) -> Vec<SheetLine> {
        let is_it = |section: &&ast::Section| match &section.node {
            SectionKind::Define(define) => define.name.node == name,
            SectionKind::Remember(remember) => remember.name.node == name,
            SectionKind::Action(action) => action.name.node == name,
            _ => false,
        };
        let own = self.sections.iter().copied().find(|section| is_it(section));
        let Some(section) = own.or_else(|| self.prelude.iter().find(is_it)) else { return Vec::new() };
        let gloss = self.beside(section.span).or_else(|| self.above(section.span));
        let gloss = gloss.map(|gloss| format!(" ({gloss})")).unwrap_or_default();
        let parameters = match &section.node {
            SectionKind::Define(define) => define.parameters.as_slice(),
            SectionKind::Action(action) => action.parameters.as_slice(),
            _ => &[],
        };
        let players = self.player_parameters(name);
        let players = players.iter().filter_map(|at| parameters.get(*at)).map(|parameter| parameter.node.clone());
        *self.players.borrow_mut() = players.collect();
        let given: Vec<String> = parameters.iter().map(|parameter| spaced(parameter)).collect();
        let lines = match &section.node {
            SectionKind::Define(define) => vec![self.defined(define, &given, &gloss)],
            SectionKind::Remember(remember) => {
                let first = if self.is_truth(&remember.first) {
                    if self.constant_truth(&remember.first) == Some(true) {
                        String::from("true")
                    } else {
                        String::from("false")
                    }
                } else {
                    self.value(&remember.first)
                };
                let each = if remember.per_player { ", one for each player" } else { "" };
                let back = if remember.for_one_turn { "; it goes back to that after one turn" } else { "" };
                let text = format!("*{}*{gloss}: kept in mind{each}; at first {first}{back}", spaced(name));
                vec![item(0, "-", sentence(&text))]
            }
            SectionKind::Action(action) => {
                let with = if given.is_empty() { String::new() } else { format!(" with {}", list(&given, "and")) };
                let mut lines = vec![item(0, "-", format!("To *{}*{with}{gloss}:", spaced(name)))];
                self.around.borrow_mut().push(Around { span: section.span, whole: section.span, goes_on: false });
                lines.extend(self.block(&action.body, None, 1));
                self.around.borrow_mut().pop();
                lines
            }
            _ => Vec::new(),
        };
        self.players.borrow_mut().clear();
        lines
    }

    fn defined(&self, define: &ast::Define, given: &[String], gloss: &str) -> SheetLine {
        let name = spaced(&define.name);
        let text = if self.is_truth(&define.body) {
            let of = if given.is_empty() { String::new() } else { format!(" for {}", list(given, "and")) };
            format!("*{name}* holds{of}{gloss} if {}", self.truth(&define.body))
        } else {
            let of = if given.is_empty() { String::new() } else { format!(" of {}", list(given, "and")) };
            format!("*{name}*{of}{gloss}: {}", self.value(&define.body))
        };
        item(0, "-", sentence(&text))
    }
}

fn cleaned(comment: &str) -> Option<String> {
    let comment = comment.trim().trim_end_matches(['.', ',', ':']).replace(['`', '*'], "");
    (!comment.is_empty()).then_some(comment)
}
