//! Printing of words: expressions, lines and patterns go in; the words of each, on one line, come
//! out.

use crate::syntax::ast;
use crate::syntax::ast::{ExprKind, ItemKind};

/// An expression as it would be written, on one line.
pub fn print_expr(expr: &ast::Expr) -> String {
    match &*expr.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Name(word) | ExprKind::Player(word) | ExprKind::FileLetter(word) => word.clone(),
        ExprKind::Words(words) => join(words, " ", |word| word.node.clone()),
        ExprKind::Call(name, arguments) => format!("{}({})", name.node, print_arguments(arguments)),
        ExprKind::Cells(cells) => join(cells, " ", cell_range),
        ExprKind::Band { axis, plural, from, to } => band(*axis, *plural, from, to.as_ref()),
        ExprKind::LastRow => "last row".into(),
        ExprKind::Measure(axis, of) => format!("{} of {}", axis_word(*axis), print_expr(of)),
        ExprKind::If { condition, then, otherwise } => {
            let [condition, then, otherwise] = [condition, then, otherwise].map(print_expr);
            format!("if {condition} then {then} else {otherwise}")
        }
        ExprKind::Not(of) => format!("not {}", print_expr(of)),
        ExprKind::And(operands) => join(operands, " and ", print_expr),
        ExprKind::Or(operands) => join(operands, " or ", print_expr),
        ExprKind::Arithmetic(mark, left, right) => binary(left, arithmetic(*mark), right),
        ExprKind::Relation(mark, left, right) => binary(left, relation(mark.node), right),
        ExprKind::Quantified { some, subject, within, filter } => {
            let word = if *some { "some" } else { "no" };
            let within = optional(" in ", within.as_ref());
            format!("{word} {}{within}{}", print_expr(subject), optional(" where ", filter.as_ref()))
        }
        ExprKind::Where(subject, condition) => binary(subject, "where", condition),
        ExprKind::Caught(set, count) => format!("<{}{}>", print_expr(set), times(count.as_ref())),
        ExprKind::Brackets(inner) => format!("({})", print_expr(inner)),
    }
}

pub fn join<T>(parts: &[T], joint: &str, print: impl Fn(&T) -> String) -> String {
    parts.iter().map(print).collect::<Vec<_>>().join(joint)
}

/// A word and an expression, or nothing.
pub fn optional(word: &str, expr: Option<&ast::Expr>) -> String {
    expr.map_or(String::new(), |expr| format!("{word}{}", print_expr(expr)))
}

fn binary(left: &ast::Expr, mark: &str, right: &ast::Expr) -> String {
    format!("{} {mark} {}", print_expr(left), print_expr(right))
}

pub fn print_arguments(arguments: &[ast::Argument]) -> String {
    join(arguments, ", ", |argument| match &argument.node {
        ast::ArgumentKind::Line(line) => print_line(line),
        ast::ArgumentKind::Range(range) => print_range(range),
        ast::ArgumentKind::Expr(expr) => print_expr(expr),
    })
}

pub fn print_range(range: &ast::Range) -> String {
    format!("{}..{}", print_expr(&range.from), optional("", range.to.as_ref()))
}

fn cell_range((from, to): &(ast::Word, Option<ast::Word>)) -> String {
    match to {
        Some(to) => format!("{}..{}", from.node, to.node),
        None => from.node.clone(),
    }
}

fn axis_word(axis: ast::BandAxis) -> &'static str {
    match axis {
        ast::BandAxis::File => "file",
        ast::BandAxis::Rank => "rank",
        ast::BandAxis::Row => "row",
    }
}

fn band(axis: ast::BandAxis, plural: bool, from: &ast::Expr, to: Option<&ast::Expr>) -> String {
    let ending = if plural { "s" } else { "" };
    format!("{}{ending} {}{}", axis_word(axis), print_expr(from), optional("..", to))
}

fn arithmetic(mark: ast::Arithmetic) -> &'static str {
    match mark {
        ast::Arithmetic::Add => "+",
        ast::Arithmetic::Subtract => "-",
        ast::Arithmetic::Multiply => "*",
        ast::Arithmetic::Divide => "/",
        ast::Arithmetic::Modulo => "mod",
    }
}

fn relation(mark: ast::Relation) -> &'static str {
    match mark {
        ast::Relation::Equal => "=",
        ast::Relation::NotEqual => "!=",
        ast::Relation::Less => "<",
        ast::Relation::AtMost => "<=",
        ast::Relation::Greater => ">",
        ast::Relation::AtLeast => ">=",
        ast::Relation::Is => "is",
        ast::Relation::IsNot => "is not",
        ast::Relation::In => "in",
        ast::Relation::NotIn => "not in",
    }
}

pub fn print_line(line: &ast::Line) -> String {
    format!("{}: {}", print_expr(&line.directions), print_pattern(&line.pattern))
}

pub fn print_pattern(pattern: &ast::Pattern) -> String {
    join(&pattern.paths, " or ", path)
}

fn path(path: &ast::Path) -> String {
    let turnings = join(&path.turnings, "", |(dirs, then)| format!(", {}: {}", print_expr(dirs), items(then)));
    items(&path.items) + &turnings
}

fn items(items: &[ast::Item]) -> String {
    join(items, " ", |item| match &item.node {
        ItemKind::Anchor => "^".into(),
        ItemKind::Landing(test) => format!("to {}", print_expr(test)),
        ItemKind::Test(test, count) => print_expr(test) + &times(count.as_ref()),
    })
}

fn times(times: Option<&ast::Times>) -> String {
    match times {
        None => String::new(),
        Some(ast::Times::Star) => "*".into(),
        Some(ast::Times::Plus) => "+".into(),
        Some(ast::Times::Query) => "?".into(),
        Some(ast::Times::Exactly(count)) => format!("{{{}}}", print_expr(count)),
        Some(ast::Times::Range(range)) => format!("{{{}}}", print_range(range)),
    }
}
