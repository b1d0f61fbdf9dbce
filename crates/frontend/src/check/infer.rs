//! Type inference: the tree of a define goes in; the type that it will have comes out. It is for
//! defines that call themselves.

use crate::check::Checker;
use crate::check::layers::{Declared, Keyword};
use crate::model::Type;
use crate::syntax::ast;
use crate::syntax::ast::{Argument, ArgumentKind, ExprKind, SectionKind};

/// Names and their types while a body is read; `depth` bounds the way through other defines.
struct Known<'a> {
    parameters: Vec<(&'a str, Type)>,
    depth: usize,
    prelude: bool,
}

impl<'a> Checker<'a> {
    /// The type of a define for these argument types, if the parts that do not call it in a circle
    /// tell.
    pub fn infer_define(&self, declared: Declared<'a>, types: &[Type]) -> Option<Type> {
        self.infer_at(declared, types, 0)
    }

    fn infer_at(&self, declared: Declared<'a>, types: &[Type], depth: usize) -> Option<Type> {
        let SectionKind::Define(define) = &declared.section.node else { return None };
        if depth > 16 || define.parameters.len() != types.len() {
            return None;
        }
        let parameters = define.parameters.iter().map(|name| name.node.as_str()).zip(types.iter().copied()).collect();
        let mut known = Known { parameters, depth, prelude: declared.layer == 0 };
        self.infer(&define.body, &mut known)
    }

    fn infer(&self, e: &'a ast::Expr, known: &mut Known<'a>) -> Option<Type> {
        match &*e.kind {
            ExprKind::Arithmetic(_, left, _) => match self.infer(left, known) {
                Some(Type::Dirs | Type::Axes) => Some(Type::Dirs),
                _ => Some(Type::Number),
            },
            ExprKind::Number(_) | ExprKind::Measure(..) | ExprKind::FileLetter(_) => Some(Type::Number),
            ExprKind::Player(_) => Some(Type::Players),
            ExprKind::Cells(_) | ExprKind::Band { .. } | ExprKind::LastRow | ExprKind::Caught(..) => Some(Type::Cells),
            ExprKind::Relation(..) | ExprKind::Quantified { .. } => Some(Type::Truth),
            ExprKind::Brackets(inner) => self.infer(inner, known),
            ExprKind::Not(of) => self.infer(of, known).map(as_operand),
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                parts.iter().find_map(|part| self.infer(part, known)).map(as_operand)
            }
            ExprKind::If { then, otherwise, .. } => self.infer(then, known).or_else(|| self.infer(otherwise, known)),
            ExprKind::Where(set, _) => match self.infer(set, known)? {
                Type::Players => Some(Type::Cells),
                other => Some(other),
            },
            ExprKind::Words(words) => words.iter().find_map(|word| self.infer_name(word, known)).map(as_operand),
            ExprKind::Name(name) => self.infer_name(name, known),
            ExprKind::Call(name, arguments) => self.infer_call(name, arguments, known),
        }
    }

    fn infer_name(&self, name: &str, known: &mut Known<'a>) -> Option<Type> {
        if let Some((_, ty)) = known.parameters.iter().find(|(parameter, _)| *parameter == name) {
            return Some(*ty);
        }
        if let Some(declared) = self.infer_declared(name, known) {
            return match declared.keyword {
                Keyword::Define => self.infer_at(declared, &[], known.depth + 1),
                Keyword::Param => self.params.get(name).map(crate::model::Expr::ty),
                Keyword::Remember => self.state_named(name).map(|(_, state)| state.first.ty()),
                _ => Some(Type::Cells),
            };
        }
        match name {
            "it" => None,
            "own" | "enemy" | "ally" => Some(Type::Players),
            "true" | "false" | "changed" => Some(Type::Truth),
            "cycle" | "turns" => Some(Type::Number),
            "none" => None,
            "axes" => Some(Type::Axes),
            "any" | "neutral" | "empty" | "occupied" | "last" | "origin" | "passed" | "caught" | "here" => {
                Some(Type::Cells)
            }
            _ => Some(Type::Dirs),
        }
    }

    fn infer_declared(&self, name: &str, known: &Known<'a>) -> Option<Declared<'a>> {
        let own = if known.prelude { None } else { self.layers.names.get(name) };
        own.or_else(|| self.layers.prelude.get(name)).copied()
    }

    fn infer_call(&self, name: &str, arguments: &'a [Argument], known: &mut Known<'a>) -> Option<Type> {
        if let Some(declared) = self.infer_declared(name, known) {
            if declared.keyword != Keyword::Define {
                return self.infer_name(name, known);
            }
            let types: Option<Vec<Type>> = arguments
                .iter()
                .map(|argument| match &argument.node {
                    ArgumentKind::Expr(e) => self.infer(e, known),
                    _ => None,
                })
                .collect();
            return self.infer_at(declared, &types?, known.depth + 1);
        }
        Some(match name {
            "count" | "height" | "hand" | "times" | "value" => Type::Number,
            "stuck" | "attacked" => Type::Truth,
            "groups" | "segments" | "largest" => Type::Groups,
            "sizes" => Type::List,
            "opposite" => Type::Dirs,
            _ => Type::Cells,
        })
    }
}

/// What `and`, `or`, `not` make of a type.
fn as_operand(ty: Type) -> Type {
    match ty {
        Type::Players | Type::Groups => Type::Cells,
        other => other,
    }
}
