//! How deep and how large a game may be once what its names stand for is put in their places: a
//! part goes in; it is checked one level deeper, or refused.

use crate::check::error::Kind;
use crate::check::{Checker, Usage};
use crate::source::Span;
use crate::syntax::NEST_LIMIT;

/// Most parts of a file, of its game and all its variants together: expressions, statements and
/// sections, those of actions and patterns counted wherever they are put in place.
pub const MAX_PARTS: usize = 1_000_000;
/// Most blocks of a game once actions stand in their places.
pub const MAX_BLOCKS: usize = 100_000;
/// Most defines, counted once for each list of types.
pub const MAX_DEFINES: usize = 5_000;
/// Most variants of a file.
pub const MAX_VARIANTS: usize = 1_000;
/// Most values that a game remembers.
pub const MAX_STATES: usize = 1_000;
/// Most kinds of pieces: their letters are the capitals.
pub const MAX_KINDS: usize = 26;
/// Most names that one section, define or description of a piece binds.
pub const MAX_NAMES: usize = 10_000;
/// Most alternatives: blocks of `either`, `first` and `if`, paths of patterns, and outcomes.
pub const MAX_BRANCHES: usize = u16::MAX as usize;

/// A variant has tables of its own, which weigh as much as so many parts.
const GAME_PARTS: usize = 200;

/// Stack that must be left for one more level, in bytes, and what is added where it is not.
const STACK_LEFT: usize = 256 << 10;
const STACK_MORE: usize = 4 << 20;

impl Usage {
    /// There are too many parts; that has been told.
    pub fn is_full(&self) -> bool {
        self.parts > MAX_PARTS
    }
}

impl<'a> Checker<'a> {
    /// Checks what lies one level deeper. The levels of an expression, its blocks, and the defines,
    /// patterns and actions around it count together.
    pub fn deeper<T>(&mut self, span: Span, check: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.reaches(1, span)?;
        self.depth += 1;
        let result = stacker::maybe_grow(STACK_LEFT, STACK_MORE, || check(self));
        self.depth -= 1;
        result
    }

    /// What stands here has so many levels itself.
    pub fn reaches(&mut self, levels: usize, span: Span) -> Option<()> {
        let depth = self.depth + levels;
        if depth > NEST_LIMIT {
            self.problem(Kind::NestedTooDeep, span);
            return None;
        }
        self.deepest = self.deepest.max(depth);
        Some(())
    }

    /// Counts parts; nothing more is checked once there are too many.
    pub fn charge(&mut self, parts: usize) -> Option<()> {
        let before = self.usage.parts;
        self.usage.parts = before.saturating_add(parts);
        if before <= MAX_PARTS && self.usage.parts > MAX_PARTS {
            let span = self.doing.first().copied().unwrap_or(self.title_span);
            self.problem(Kind::TooLarge { what: "parts", most: MAX_PARTS }, span);
        }
        (!self.usage.is_full()).then_some(())
    }

    /// What a check takes, in parts: what is copied afterwards counts again.
    pub fn weighed<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> (T, usize) {
        let before = self.usage.parts;
        let result = check(self);
        (result, self.usage.parts - before)
    }

    /// The parts of a game that are there before anything in it is looked at.
    pub fn charge_game(&mut self) -> Option<()> {
        let parts = GAME_PARTS + self.layers.names.len();
        self.charge(parts)
    }

    /// The tables of a board.
    pub fn charge_board(&mut self) -> Option<()> {
        let parts = 4 * self.topology.any().len() as usize;
        self.charge(parts)
    }

    /// No more of something than there may be.
    pub fn at_most(&mut self, found: usize, what: &'static str, most: usize, span: Span) -> Option<()> {
        if found > most {
            self.problem(Kind::TooLarge { what, most }, span);
        }
        (found <= most).then_some(())
    }
}
