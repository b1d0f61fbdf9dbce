//! Notes: where the parts of a game stand in its text and what its slots are called, beside what
//! executors need. They are made only when asked for, for those who tell authors what happens.

use crate::source::Span;

use crate::model::expr::{DefineId, Expr, Slot};
use crate::model::statement::BlockId;

/// A statement, by its block and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatementId {
    pub block: BlockId,
    pub at: u32,
}

/// An expression with the place where it was written.
#[derive(Clone, Debug)]
pub struct NotedPart {
    pub span: Span,
    pub expr: Expr,
    /// Of the condition of a `where`: the slot of `it`, and the expressions in the condition, which mean something only
    /// while a member is looked at.
    pub condition: Option<(Slot, Vec<NotedPart>)>,
}

/// An item of a path, and the expressions in its test, which mean something only while a cell is looked at.
#[derive(Clone, Debug)]
pub struct NotedItem {
    pub span: Span,
    pub parts: Vec<NotedPart>,
}

/// A statement's place, and the expressions in it, inner ones before those around them.
#[derive(Clone, Debug, Default)]
pub struct NotedStatement {
    pub span: Span,
    pub parts: Vec<NotedPart>,
}

#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// As [`crate::model::Game::blocks`].
    pub statements: Vec<Vec<NotedStatement>>,
    /// The expressions in the body of each define, by [`DefineId`]; they mean something in its frame.
    pub defines: Vec<Vec<NotedPart>>,
    /// The names of the slots of each program, by its block.
    pub names: Vec<(BlockId, Vec<(Slot, String)>)>,
    /// The items of the path that stands at a place: those left of the anchor, the nearest first,
    /// then those right of it, then those of the turnings.
    pub items: Vec<(Span, Vec<NotedItem>)>,
    /// The expressions in each condition around the way that stands at a place.
    pub conditions: Vec<(Span, Vec<Vec<NotedPart>>)>,
}

impl Notes {
    pub fn statement(&self, id: StatementId) -> Option<&NotedStatement> {
        self.statements.get(id.block.0 as usize)?.get(id.at as usize)
    }

    pub fn define(&self, id: DefineId) -> &[NotedPart] {
        self.defines.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The names of the slots of the program with this block.
    pub fn names(&self, program: BlockId) -> &[(Slot, String)] {
        self.names.iter().find(|(block, _)| *block == program).map_or(&[], |(_, names)| names)
    }

    /// An item of the path that stands at a place.
    pub fn item(&self, path: Span, item: usize) -> Option<&NotedItem> {
        self.items.iter().find(|(span, _)| *span == path)?.1.get(item)
    }

    /// The expressions in a condition around the way that stands at a place.
    pub fn condition(&self, way: Span, condition: usize) -> &[NotedPart] {
        let found = self.conditions.iter().find(|(span, _)| *span == way);
        found.and_then(|(_, all)| all.get(condition)).map_or(&[], Vec::as_slice)
    }
}
