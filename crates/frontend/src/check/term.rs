//! Terms: an expression between tree and model goes in; its conversion to the type that is expected
//! comes out.

use crate::board::{AxisSet, CellSet, DirSet, PlayerSet};
use crate::check::Checker;
use crate::check::error::Kind;
use crate::model::{Axes, Cells, Dirs, Expr, Groups, List, Number, Players, Truth, Type};
use crate::source::Span;
use crate::syntax::ast;

/// A checked expression; `none` has no type of its own until one is wanted.
#[derive(Clone, Debug)]
pub enum Term {
    Nothing,
    Expr(Expr),
}

/// Set types that operators join members of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Cells,
    Dirs,
    Axes,
}

impl Term {
    pub fn ty(&self) -> Option<Type> {
        match self {
            Term::Nothing => None,
            Term::Expr(expr) => Some(expr.ty()),
        }
    }

    /// The family of set operators that the term takes part in; `Nothing` in any.
    pub fn family(&self) -> Option<Family> {
        match self.ty()? {
            Type::Cells | Type::Players | Type::Groups => Some(Family::Cells),
            Type::Dirs => Some(Family::Dirs),
            Type::Axes => Some(Family::Axes),
            Type::Number | Type::Truth | Type::List => None,
        }
    }
}

impl From<Number> for Term {
    fn from(e: Number) -> Term {
        Term::Expr(Expr::Number(e))
    }
}
impl From<Truth> for Term {
    fn from(e: Truth) -> Term {
        Term::Expr(Expr::Truth(e))
    }
}
impl From<Cells> for Term {
    fn from(e: Cells) -> Term {
        Term::Expr(Expr::Cells(e))
    }
}
impl From<Groups> for Term {
    fn from(e: Groups) -> Term {
        Term::Expr(Expr::Groups(e))
    }
}
impl From<Dirs> for Term {
    fn from(e: Dirs) -> Term {
        Term::Expr(Expr::Dirs(e))
    }
}
impl From<Axes> for Term {
    fn from(e: Axes) -> Term {
        Term::Expr(Expr::Axes(e))
    }
}
impl From<Players> for Term {
    fn from(e: Players) -> Term {
        Term::Expr(Expr::Players(e))
    }
}
impl From<List> for Term {
    fn from(e: List) -> Term {
        Term::Expr(Expr::List(e))
    }
}

/// The type's name in messages.
pub fn type_word(ty: Option<Type>) -> &'static str {
    match ty {
        None => "`none`",
        Some(Type::Number) => "a number",
        Some(Type::Truth) => "a truth",
        Some(Type::Cells) => "cells",
        Some(Type::Groups) => "groups",
        Some(Type::Dirs) => "directions",
        Some(Type::Axes) => "axes",
        Some(Type::Players) => "players",
        Some(Type::List) => "a list",
    }
}

/// Cells of a term, if it converts without a word.
pub fn as_cells(term: Term) -> Result<Cells, Term> {
    match term {
        Term::Nothing => Ok(Cells::Fixed(CellSet::EMPTY)),
        Term::Expr(Expr::Cells(cells)) => Ok(cells),
        Term::Expr(Expr::Players(players)) => Ok(Cells::Of(players)),
        Term::Expr(Expr::Groups(groups)) => Ok(Cells::Union(Box::new(groups))),
        other => Err(other),
    }
}

pub fn as_dirs(term: Term) -> Result<Dirs, Term> {
    match term {
        Term::Nothing => Ok(Dirs::Fixed(DirSet::EMPTY)),
        Term::Expr(Expr::Dirs(dirs)) => Ok(dirs),
        Term::Expr(Expr::Axes(axes)) => Ok(Dirs::OfAxes(Box::new(axes))),
        other => Err(other),
    }
}

pub fn as_axes(term: Term) -> Result<Axes, Term> {
    match term {
        Term::Nothing => Ok(Axes::Fixed(AxisSet::EMPTY)),
        Term::Expr(Expr::Axes(axes)) => Ok(axes),
        other => Err(other),
    }
}

pub fn as_groups(term: Term) -> Result<Groups, Term> {
    match term {
        Term::Nothing => Ok(Groups::Empty),
        Term::Expr(Expr::Groups(groups)) => Ok(groups),
        other => Err(other),
    }
}

pub fn as_players(term: Term) -> Result<Players, Term> {
    match term {
        Term::Nothing => Ok(Players::Fixed(PlayerSet::EMPTY)),
        Term::Expr(Expr::Players(players)) => Ok(players),
        other => Err(other),
    }
}

pub fn as_list(term: Term) -> Result<List, Term> {
    match term {
        Term::Expr(Expr::List(list)) => Ok(list),
        Term::Expr(Expr::Number(number)) => Ok(List::One(Box::new(number))),
        other => Err(other),
    }
}

impl Checker<'_> {
    fn expect<T>(&mut self, converted: Result<T, Term>, wanted: &'static str, span: Span) -> Option<T> {
        match converted {
            Ok(value) => Some(value),
            Err(term) => {
                self.problem(Kind::WrongType { wanted, found: type_word(term.ty()) }, span);
                None
            }
        }
    }

    pub fn expect_cells(&mut self, term: Term, span: Span) -> Option<Cells> {
        self.expect(as_cells(term), "cells", span)
    }

    pub fn expect_dirs(&mut self, term: Term, span: Span) -> Option<Dirs> {
        self.expect(as_dirs(term), "directions", span)
    }

    pub fn expect_axes(&mut self, term: Term, span: Span) -> Option<Axes> {
        self.expect(as_axes(term), "axes", span)
    }

    pub fn expect_groups(&mut self, term: Term, span: Span) -> Option<Groups> {
        self.expect(as_groups(term), "groups", span)
    }

    pub fn expect_players(&mut self, term: Term, span: Span) -> Option<Players> {
        self.expect(as_players(term), "players", span)
    }

    pub fn expect_list(&mut self, term: Term, span: Span) -> Option<List> {
        self.expect(as_list(term), "a list or a number", span)
    }

    pub fn expect_number(&mut self, term: Term, span: Span) -> Option<Number> {
        let converted = match term {
            Term::Expr(Expr::Number(number)) => Ok(number),
            other => Err(other),
        };
        self.expect(converted, "a number", span)
    }

    pub fn expect_truth(&mut self, term: Term, span: Span) -> Option<Truth> {
        let converted = match term {
            Term::Expr(Expr::Truth(truth)) => Ok(truth),
            other => Err(other),
        };
        self.expect(converted, "a truth", span)
    }

    /// `none` alone is cells.
    pub fn expect_expr(&mut self, term: Term) -> Expr {
        match term {
            Term::Nothing => Expr::Cells(Cells::Fixed(CellSet::EMPTY)),
            Term::Expr(expr) => expr,
        }
    }

    /// An expression of one type with another: what an argument or a `set` wants.
    pub fn expect_type(&mut self, term: Term, ty: Type, span: Span) -> Option<Expr> {
        Some(match ty {
            Type::Number => Expr::Number(self.expect_number(term, span)?),
            Type::Truth => Expr::Truth(self.expect_truth(term, span)?),
            Type::Cells => Expr::Cells(self.expect_cells(term, span)?),
            Type::Groups => Expr::Groups(self.expect_groups(term, span)?),
            Type::Dirs => Expr::Dirs(self.expect_dirs(term, span)?),
            Type::Axes => Expr::Axes(self.expect_axes(term, span)?),
            Type::Players => Expr::Players(self.expect_players(term, span)?),
            Type::List => Expr::List(self.expect_list(term, span)?),
        })
    }
}

/// Longer parts of a text are not repeated in what is said of it, in bytes.
const LONGEST_PART: u32 = 120;

/// What stands in the text, if it is short enough to be repeated.
pub fn short(e: &ast::Expr) -> Option<String> {
    (e.span.end - e.span.start <= LONGEST_PART).then(|| crate::syntax::print_expr(e))
}
