//! Notes of a game: statements, expressions and paths go in as they are checked; where they stand,
//! and what slots are called, comes out, if somebody asks for it.

use crate::check::Checker;
use crate::check::term::Term;
use crate::model::{BlockId, DefineId, Expr, NotedItem, NotedPart, NotedStatement, Slot, Truth};
use crate::sort;
use crate::source::Span;
use crate::syntax::ast;

/// Whether notes are made: they cost time and memory, and only tools for authors ask for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noting {
    Nothing,
    Parts,
}

/// Most expressions noted of a statement or a define: more would tell nobody anything.
const MOST_PARTS: usize = 64;

/// Expressions that have their values together: those of a statement, a define, the condition of a `where`, a test.
#[derive(Debug, Default)]
pub struct OpenNotes {
    parts: Vec<NotedPart>,
    /// How many `where` stand around, and whether a test does.
    its: usize,
    in_test: bool,
}

impl<'a> Checker<'a> {
    /// A statement, a define, a condition or a test begins.
    pub fn begin_notes(&mut self) {
        if self.notes.is_some() {
            let (its, in_test) = (self.scope.its.len(), self.catching.is_some());
            self.parts_open.push(OpenNotes { parts: Vec::new(), its, in_test });
        }
    }

    /// It has ended.
    pub fn end_notes(&mut self, span: Span) -> NotedStatement {
        NotedStatement { span, parts: self.parts_open.pop().unwrap_or_default().parts }
    }

    /// An expression whose value is known where the notes were begun: not one of a `where` or of a test within.
    pub fn note_part(&mut self, span: Span, term: &Term) {
        if let Term::Expr(expr) = term {
            self.note(NotedPart { span, expr: expr.clone(), condition: None });
        }
    }

    /// The condition of a `where` with what was noted in it.
    pub fn note_condition(&mut self, it: Slot, condition: &Truth, note: NotedStatement) {
        let expr = Expr::Truth(condition.clone());
        self.note(NotedPart { span: note.span, expr, condition: Some((it, note.parts)) });
    }

    fn note(&mut self, part: NotedPart) {
        let (its, in_test) = (self.scope.its.len(), self.catching.is_some());
        if self.notes.is_some()
            && !self.scope.turning
            && let Some(open) = self.parts_open.last_mut()
            && (open.its, open.in_test) == (its, in_test)
            && open.parts.len() < MOST_PARTS
        {
            open.parts.push(part);
        }
    }

    /// The test of an item with what was noted in it.
    pub fn note_test(&mut self, note: NotedStatement) {
        if self.notes.is_some() {
            self.tests_noted.push(note);
        }
    }

    /// A way with what was noted in the conditions around it.
    pub fn note_way(&mut self, way: Span) {
        if let Some(notes) = &mut self.notes
            && notes.conditions.iter().all(|(known, _)| *known != way)
        {
            notes.conditions.push((way, self.conditions_noted.clone()));
        }
    }

    pub fn note_block(&mut self, block: BlockId, statements: Vec<NotedStatement>) {
        if let Some(notes) = &mut self.notes {
            let at = block.0 as usize;
            if notes.statements.len() <= at {
                notes.statements.resize(at + 1, Vec::new());
            }
            notes.statements[at] = statements;
        }
    }

    /// A statement has been put before the others of a block.
    pub fn note_first(&mut self, block: BlockId, span: Span) {
        if let Some(statements) = self.notes.as_mut().and_then(|notes| notes.statements.get_mut(block.0 as usize)) {
            statements.insert(0, NotedStatement { span, parts: Vec::new() });
        }
    }

    pub fn note_define(&mut self, define: DefineId, note: NotedStatement) {
        if let Some(notes) = &mut self.notes {
            let at = define.0 as usize;
            if notes.defines.len() <= at {
                notes.defines.resize(at + 1, Vec::new());
            }
            notes.defines[at] = note.parts;
        }
    }

    /// The names that the program of this block has bound.
    pub fn note_names(&mut self, program: Option<BlockId>) {
        let Some(program) = program.filter(|_| self.notes.is_some()) else { return };
        let mut names: Vec<(Slot, String)> = self.scope.names();
        sort::by(&mut names, Ord::cmp);
        if let Some(notes) = &mut self.notes {
            notes.names.push((program, names));
        }
    }

    /// The items of a path whose anchor is its item `anchor`.
    pub fn note_items(&mut self, path: &ast::Path, anchor: usize) {
        let tests = std::mem::take(&mut self.tests_noted);
        let Some(notes) = &mut self.notes else { return };
        let noted = |item: &ast::Item| {
            let test = match &item.node {
                ast::ItemKind::Landing(test) | ast::ItemKind::Test(test, _) => Some(test.span),
                ast::ItemKind::Anchor => None,
            };
            let found = tests.iter().rfind(|note| Some(note.span) == test);
            NotedItem { span: item.span, parts: found.map_or(Vec::new(), |note| note.parts.clone()) }
        };
        let before = path.items[..anchor].iter().rev().map(noted);
        let after = path.items[anchor + 1..].iter().map(noted);
        let turned = path.turnings.iter().flat_map(|(_, items)| items.iter().map(noted));
        let items: Vec<NotedItem> = before.chain(after).chain(turned).collect();
        match notes.items.iter_mut().find(|(known, _)| *known == path.span) {
            None => notes.items.push((path.span, items)),
            // An action that is used twice may have other slots each time; then its values are anybody's guess.
            Some((_, known)) => {
                for (known, item) in known.iter_mut().zip(items) {
                    if format!("{:?}", known.parts) != format!("{:?}", item.parts) {
                        known.parts.clear();
                    }
                }
            }
        }
    }
}
