//! Kinds of expressions: an expression of the text goes in; whether it is a truth, a set or
//! directions comes out, and its value where the rules fix it before play.

use crate::game::sheet::{Sheet, Term};
use crate::model::Expr as Value;
use crate::model::{Number, Truth};
use crate::syntax::ast;
use crate::syntax::ast::{Arithmetic, ExprKind, Relation};

/// Words of the language for directions.
const DIRECTIONS: [&str; 10] =
    ["straight", "orthogonal", "diagonal", "forward", "backward", "ahead", "behind", "sideways", "outward", "heading"];

impl<'a> Sheet<'a> {
    /// The value of a param as text.
    pub fn param(&self, name: &str) -> Option<String> {
        match self.param_value(name)? {
            Value::Number(Number::Fixed(number)) => Some(number.to_string()),
            Value::Truth(Truth::Fixed(truth)) => Some(if *truth { "yes" } else { "no" }.to_string()),
            _ => Some(name.to_string()),
        }
    }

    fn param_value(&self, name: &str) -> Option<&'a Value> {
        self.game.params.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// A truth that params alone decide.
    pub fn constant_truth(&self, e: &ast::Expr) -> Option<bool> {
        match &*e.kind {
            ExprKind::Brackets(inner) => self.constant_truth(inner),
            ExprKind::Name(name) if name == "true" => Some(true),
            ExprKind::Name(name) if name == "false" => Some(false),
            ExprKind::Name(name) => match self.param_value(name)? {
                Value::Truth(Truth::Fixed(truth)) => Some(*truth),
                _ => None,
            },
            ExprKind::Not(inner) => self.constant_truth(inner).map(|truth| !truth),
            ExprKind::And(parts) => {
                let parts: Vec<Option<bool>> = parts.iter().map(|part| self.constant_truth(part)).collect();
                if parts.contains(&Some(false)) {
                    Some(false)
                } else {
                    parts.into_iter().collect::<Option<Vec<bool>>>().map(|_| true)
                }
            }
            ExprKind::Or(parts) => {
                let parts: Vec<Option<bool>> = parts.iter().map(|part| self.constant_truth(part)).collect();
                if parts.contains(&Some(true)) {
                    Some(true)
                } else {
                    parts.into_iter().collect::<Option<Vec<bool>>>().map(|_| false)
                }
            }
            ExprKind::Relation(relation, a, b) => {
                let (a, b) = (self.constant(a)?, self.constant(b)?);
                match relation.node {
                    Relation::Equal => Some(a == b),
                    Relation::NotEqual => Some(a != b),
                    Relation::Less => Some(a < b),
                    Relation::AtMost => Some(a <= b),
                    Relation::Greater => Some(a > b),
                    Relation::AtLeast => Some(a >= b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A number that params alone decide.
    pub fn constant(&self, e: &ast::Expr) -> Option<i64> {
        match &*e.kind {
            ExprKind::Number(number) => Some(*number),
            ExprKind::Brackets(inner) => self.constant(inner),
            ExprKind::FileLetter(letter) => {
                let letter = letter.bytes().next().filter(u8::is_ascii_lowercase)?;
                Some(i64::from(letter - b'a') + 1)
            }
            ExprKind::Name(name) => match self.param_value(name) {
                Some(Value::Number(Number::Fixed(number))) => Some(*number),
                Some(_) => None,
                None => match self.known_term(name)? {
                    Term::Define(define) if define.parameters.is_empty() => self.deeper(|| self.constant(&define.body)),
                    _ => None,
                },
            },
            ExprKind::Arithmetic(operation, a, b) => {
                let (a, b) = (self.constant(a)?, self.constant(b)?);
                match operation {
                    Arithmetic::Add => a.checked_add(b),
                    Arithmetic::Subtract => a.checked_sub(b),
                    Arithmetic::Multiply => a.checked_mul(b),
                    Arithmetic::Divide => a.checked_div_euclid(b),
                    Arithmetic::Modulo => a.checked_rem_euclid(b),
                }
            }
            ExprKind::If { condition, then, otherwise } => match self.constant_truth(condition) {
                Some(true) => self.constant(then),
                Some(false) => self.constant(otherwise),
                None => self.constant(then).filter(|number| self.constant(otherwise) == Some(*number)),
            },
            _ => None,
        }
    }

    pub fn is_truth(&self, e: &ast::Expr) -> bool {
        match &*e.kind {
            ExprKind::Brackets(inner) => self.is_truth(inner),
            ExprKind::Quantified { .. } | ExprKind::Relation(..) => true,
            ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().any(|part| self.is_truth(part)),
            ExprKind::Not(inner) => self.is_truth(inner),
            ExprKind::If { then, otherwise, .. } => self.is_truth(then) || self.is_truth(otherwise),
            ExprKind::Call(name, _) if matches!(name.node.as_str(), "attacked" | "stuck") => true,
            ExprKind::Name(name) if matches!(name.as_str(), "true" | "false" | "changed") => true,
            ExprKind::Name(name) if matches!(self.param_value(name), Some(Value::Truth(_))) => true,
            ExprKind::Name(name) | ExprKind::Call(ast::Word { node: name, .. }, _) => {
                self.of_term(name, Self::is_truth)
            }
            _ => false,
        }
    }

    /// A set of cells, groups or players, as far as its form tells.
    pub fn is_set(&self, e: &ast::Expr) -> bool {
        match &*e.kind {
            ExprKind::Brackets(inner) => self.is_set(inner),
            ExprKind::Number(_) | ExprKind::Arithmetic(..) | ExprKind::Measure(..) => false,
            ExprKind::If { then, .. } => self.is_set(then),
            ExprKind::Name(name) if matches!(name.as_str(), "turns" | "cycle") => false,
            ExprKind::Name(name) if self.param_value(name).is_some() => false,
            ExprKind::Call(name, _)
                if matches!(name.node.as_str(), "count" | "height" | "hand" | "times" | "value") =>
            {
                false
            }
            _ => !self.is_truth(e) && !self.is_dirs(e),
        }
    }

    pub fn is_direction(&self, name: &str) -> bool {
        DIRECTIONS.contains(&name) || self.game.topology.direction_named(name).is_some()
    }

    pub fn is_dirs(&self, e: &ast::Expr) -> bool {
        match &*e.kind {
            ExprKind::Brackets(inner) | ExprKind::Not(inner) => self.is_dirs(inner),
            ExprKind::Name(name) if self.is_direction(name) => true,
            ExprKind::Name(name) => self.of_term(name, Self::is_dirs),
            ExprKind::Words(words) => words.iter().all(|word| self.is_direction(word)),
            ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().any(|part| self.is_dirs(part)),
            ExprKind::If { then, .. } => self.is_dirs(then),
            ExprKind::Call(name, _) => name.node == "opposite",
            _ => false,
        }
    }

    /// Asks a question of the body of a define.
    fn of_term(&self, name: &str, ask: impl Fn(&Self, &ast::Expr) -> bool) -> bool {
        match self.known_term(name) {
            Some(Term::Define(define)) => self.deeper(|| Some(ask(self, &define.body))).unwrap_or(false),
            Some(Term::Remember(remember)) => ask(self, &remember.first),
            None => self
                .prelude_define(name)
                .is_some_and(|define| self.deeper(|| Some(ask(self, &define.body))).unwrap_or(false)),
        }
    }

    /// Looks into a define, which may call itself: not too deep.
    fn deeper<T>(&self, look: impl FnOnce() -> Option<T>) -> Option<T> {
        const MOST_DEPTH: usize = 8;
        if self.depth.get() >= MOST_DEPTH {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let found = look();
        self.depth.set(self.depth.get() - 1);
        found
    }

    /// Its members are cells, empty or not, not men.
    pub fn is_cells(&self, e: &ast::Expr) -> bool {
        match &*e.kind {
            ExprKind::Brackets(inner) | ExprKind::Not(inner) | ExprKind::Where(inner, _) => self.is_cells(inner),
            ExprKind::Name(name) => {
                matches!(name.as_str(), "any" | "empty" | "last" | "origin" | "passed")
                    || self.of_term(name, Self::is_cells)
            }
            ExprKind::Band { .. } | ExprKind::LastRow | ExprKind::Cells(_) => true,
            ExprKind::And(parts) => {
                let has_men = |part: &ast::Expr| match &*part.kind {
                    ExprKind::Name(name) => matches!(name.as_str(), "own" | "enemy" | "ally") || self.is_kind(name),
                    ExprKind::Words(_) | ExprKind::Player(_) => true,
                    _ => false,
                };
                parts.iter().any(|part| self.is_cells(part)) && !parts.iter().any(has_men)
            }
            ExprKind::Or(parts) => parts.iter().any(|part| self.is_cells(part)),
            ExprKind::Call(name, _) => match name.node.as_str() {
                "adjacent" | "shift" | "span" => true,
                "reach" | "catches" => false,
                name => self.of_term(name, Self::is_cells),
            },
            _ => false,
        }
    }

    /// It stands for one cell.
    pub fn is_single(&self, e: &ast::Expr) -> bool {
        match &*e.kind {
            ExprKind::Brackets(inner) => self.is_single(inner),
            ExprKind::Name(name) => {
                let is_word = crate::syntax::builtin::is_builtin(name);
                let is_local = !is_word && !self.is_kind(name) && self.known_term(name).is_none();
                is_local && name.chars().count() <= 2 || matches!(name.as_str(), "here" | "it" | "last" | "origin")
            }
            _ => false,
        }
    }
}
