//! Substitution: a define of the prelude and arguments go in; its body with these in the places of
//! the parameters comes out.

use crate::source::Spanned;
use crate::syntax::ast;
use crate::syntax::ast::{ArgumentKind, ExprKind, ItemKind};

/// The body of a define with what it is given.
pub fn filled(define: &ast::Define, arguments: &[ast::Argument]) -> ast::Expr {
    let mut put = Vec::new();
    for (parameter, argument) in define.parameters.iter().zip(arguments) {
        if let ArgumentKind::Expr(e) = &argument.node {
            put.push((parameter.node.as_str(), e));
        }
    }
    expr(&define.body, &put)
}

fn expr(e: &ast::Expr, put: &[(&str, &ast::Expr)]) -> ast::Expr {
    let again = |e: &ast::Expr| expr(e, put);
    let all = |parts: &[ast::Expr]| parts.iter().map(again).collect::<Vec<_>>();
    let kind = match &*e.kind {
        ExprKind::Name(name) => match put.iter().find(|(known, _)| known == name) {
            Some((_, given)) => return (*given).clone(),
            None => return e.clone(),
        },
        ExprKind::Brackets(inner) => ExprKind::Brackets(again(inner)),
        ExprKind::Not(inner) => ExprKind::Not(again(inner)),
        ExprKind::And(parts) => ExprKind::And(all(parts)),
        ExprKind::Or(parts) => ExprKind::Or(all(parts)),
        ExprKind::Where(set, condition) => ExprKind::Where(again(set), again(condition)),
        ExprKind::Relation(relation, a, b) => ExprKind::Relation(relation.clone(), again(a), again(b)),
        ExprKind::Arithmetic(operation, a, b) => ExprKind::Arithmetic(*operation, again(a), again(b)),
        ExprKind::Measure(axis, of) => ExprKind::Measure(*axis, again(of)),
        ExprKind::Caught(inner, times) => ExprKind::Caught(again(inner), times.clone()),
        ExprKind::If { condition, then, otherwise } => {
            ExprKind::If { condition: again(condition), then: again(then), otherwise: again(otherwise) }
        }
        ExprKind::Quantified { some, subject, within, filter } => ExprKind::Quantified {
            some: *some,
            subject: again(subject),
            within: within.as_ref().map(again),
            filter: filter.as_ref().map(again),
        },
        ExprKind::Call(name, arguments) => {
            let given = arguments.iter().map(|given| Spanned::new(argument(&given.node, put), given.span));
            ExprKind::Call(name.clone(), given.collect())
        }
        _ => return e.clone(),
    };
    ast::Expr { kind: Box::new(kind), span: e.span }
}

fn argument(given: &ArgumentKind, put: &[(&str, &ast::Expr)]) -> ArgumentKind {
    match given {
        ArgumentKind::Expr(e) => ArgumentKind::Expr(expr(e, put)),
        ArgumentKind::Line(line) => {
            let mut line = line.clone();
            line.directions = expr(&line.directions, put);
            for item in line.pattern.paths.iter_mut().flat_map(|path| path.items.iter_mut()) {
                if let ItemKind::Test(test, _) | ItemKind::Landing(test) = &mut item.node {
                    *test = expr(test, put);
                }
            }
            ArgumentKind::Line(line)
        }
        other => other.clone(),
    }
}
