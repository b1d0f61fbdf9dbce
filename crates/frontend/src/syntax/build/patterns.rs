//! Tree building of patterns: nodes of lines and patterns go in; lines and patterns come out.

use lusoria_grammar::{Node, Rule};

use crate::source::{Span, Spanned};
use crate::syntax::ast;
use crate::syntax::ast::ExprKind;
use crate::syntax::build::expressions::expr;
use crate::syntax::build::{Builder, Children};

impl Builder<'_, '_> {
    pub(crate) fn line(&mut self, node: Node) -> Option<ast::Line> {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let directions = self.expr(children.find(Rule::disjunction)?)?;
        let pattern = self.pattern(children.find(Rule::pattern)?);
        Some(ast::Line { directions, pattern, span })
    }

    /// A line among arguments, up to the first comma.
    pub(crate) fn straight_line(&mut self, directions: Node, mut rest: Children, span: Span) -> Option<ast::Line> {
        let directions = self.expr(directions)?;
        let pattern = rest.find(Rule::straight_pattern)?;
        let pattern_span = self.span(&pattern);
        let paths = self.each(Children::of(pattern).all(Rule::straight_path), Self::path);
        Some(ast::Line { directions, pattern: ast::Pattern { paths, span: pattern_span }, span })
    }

    pub(crate) fn pattern(&mut self, node: Node) -> ast::Pattern {
        let span = self.span(&node);
        let paths = self.each(Children::of(node).all(Rule::path), Self::path);
        ast::Pattern { paths, span }
    }

    fn path(&mut self, node: Node) -> Option<ast::Path> {
        let span = self.span(&node);
        let (turnings, rest): (Vec<Node>, Vec<Node>) =
            node.into_inner().partition(|child| child.as_rule() == Rule::turning);
        let items = self.items(rest);
        let turnings = self.each(turnings, Self::turning);
        Some(ast::Path { items, turnings, span })
    }

    fn turning(&mut self, node: Node) -> Option<(ast::Expr, Vec<ast::Item>)> {
        let mut children = Children::of(node);
        let directions = self.expr(children.find(Rule::disjunction)?)?;
        Some((directions, self.items(children.all(Rule::item))))
    }

    fn items(&mut self, nodes: Vec<Node>) -> Vec<ast::Item> {
        let items = nodes.into_iter().filter(|node| node.as_rule() == Rule::item).collect();
        self.each(items, Self::item)
    }

    fn item(&mut self, node: Node) -> Option<ast::Item> {
        let span = self.span(&node);
        let inner = node.into_inner().next()?;
        let kind = match inner.as_rule() {
            Rule::anchor => ast::ItemKind::Anchor,
            Rule::landing => ast::ItemKind::Landing(self.test(Children::of(inner).find(Rule::test)?)?),
            Rule::tested => {
                let mut children = Children::of(inner);
                let test = self.test(children.find(Rule::test)?)?;
                ast::ItemKind::Test(test, self.times(&mut children)?)
            }
            _ => return None,
        };
        Some(Spanned::new(kind, span))
    }

    fn test(&mut self, node: Node) -> Option<ast::Expr> {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let first = children.next()?;
        match first.as_rule() {
            Rule::open_paren => {
                let set = self.expr(children.find(Rule::set)?)?;
                Some(expr(ExprKind::Brackets(set), span))
            }
            _ => self.expr(first),
        }
    }

    pub(crate) fn caught(&mut self, node: Node) -> Option<ExprKind> {
        let mut children = Children::of(node);
        let set = self.expr(children.find(Rule::set)?)?;
        Some(ExprKind::Caught(set, self.times(&mut children)?))
    }

    /// How many times, if that comes next.
    fn times(&mut self, children: &mut Children) -> Option<Option<ast::Times>> {
        let Some(times) = children.take(Rule::times) else { return Some(None) };
        let mut children = Children::of(times);
        Some(Some(match children.next()?.as_rule() {
            Rule::star => ast::Times::Star,
            Rule::plus => ast::Times::Plus,
            Rule::query => ast::Times::Query,
            _ => {
                let from = self.expr(children.find(Rule::sum)?)?;
                match children.has(Rule::dots) {
                    true => ast::Times::Range(ast::Range { from, to: self.optional_sum(&mut children)? }),
                    false => ast::Times::Exactly(from),
                }
            }
        }))
    }
}
