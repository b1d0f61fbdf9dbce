//! Notes of a game: statements, expressions and paths go in as they are checked; where they stand,
//! and what slots are called, comes out, if somebody asks for it.

use crate::check::Checker;
use crate::check::term::Term;
use crate::model::{BlockId, DefineId, NotedPart, NotedStatement, Slot};
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

impl<'a> Checker<'a> {
    /// A statement or a define begins.
    pub fn begin_notes(&mut self) {
        if self.notes.is_some() {
            self.parts_open.push(Vec::new());
        }
    }

    /// It has ended.
    pub fn end_notes(&mut self, span: Span) -> NotedStatement {
        NotedStatement { span, parts: self.parts_open.pop().unwrap_or_default() }
    }

    /// An expression whose value is known where its statement stands: not one of `it` or of a pattern.
    pub fn note_part(&mut self, span: Span, term: &Term) {
        let is_outside = self.scope.its.is_empty() && self.catching.is_none() && !self.scope.turning;
        if self.notes.is_some()
            && is_outside
            && let Some(parts) = self.parts_open.last_mut()
            && parts.len() < MOST_PARTS
            && let Term::Expr(expr) = term
        {
            parts.push(NotedPart { span, expr: expr.clone() });
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
        names.sort();
        if let Some(notes) = &mut self.notes {
            notes.names.push((program, names));
        }
    }

    /// The items of a path whose anchor is its item `anchor`.
    pub fn note_items(&mut self, path: &ast::Path, anchor: usize) {
        let Some(notes) = &mut self.notes else { return };
        let span = |item: &ast::Item| item.span;
        let before = path.items[..anchor].iter().rev().map(span);
        let after = path.items[anchor + 1..].iter().map(span);
        let turned = path.turnings.iter().flat_map(|(_, items)| items.iter().map(span));
        let items = before.chain(after).chain(turned).collect();
        if !notes.items.iter().any(|(known, _)| *known == path.span) {
            notes.items.push((path.span, items));
        }
    }
}
