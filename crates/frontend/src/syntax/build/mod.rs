//! Tree building: nodes of the grammar go in; the tree as written comes out. What the grammar alone
//! does not rule out (numbers too large, chains too long) is reported here, and what cannot be
//! built is left out.

mod declarations;
mod expressions;
mod patterns;
mod statements;

pub use crate::syntax::build::declarations::Head;

use std::iter::Peekable;

use lusoria_grammar::{Node, Nodes, Rule};

use crate::source::{SourceId, Span, Spanned};
use crate::syntax::ast;
use crate::syntax::error::{SyntaxError, SyntaxErrorKind};
use crate::syntax::scan::Token;

pub struct Builder<'s, 't> {
    source: SourceId,
    tokens: &'s [Token<'t>],
    /// Where the text that the nodes were read from begins.
    base: usize,
    /// Operands of chains that are being built, one within the other.
    chained: usize,
    pub errors: Vec<SyntaxError>,
}

impl<'s, 't> Builder<'s, 't> {
    pub fn new(source: SourceId, tokens: &'s [Token<'t>], base: usize) -> Builder<'s, 't> {
        Builder { source, tokens, base, chained: 0, errors: Vec::new() }
    }

    /// A node may end with the blanks and comments before something optional that did not come;
    /// they are cut off.
    pub fn span(&self, node: &Node) -> Span {
        let range = node.as_span();
        let (start, end) = (range.start() + self.base, range.end() + self.base);
        let last = self.tokens.partition_point(|token| token.end() <= end);
        let trimmed = last.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(end, Token::end);
        Span::new(self.source, start, if trimmed > start { trimmed } else { end })
    }

    fn report(&mut self, kind: SyntaxErrorKind, span: Span) {
        self.errors.push(SyntaxError::new(kind, span, None));
    }

    fn word(&self, node: &Node) -> ast::Word {
        Spanned::new(node.as_str().to_owned(), self.span(node))
    }

    /// The span is with the quotes, the text without.
    fn text(&self, node: &Node) -> ast::Text {
        Spanned::new(node.as_str().trim_matches('"').to_owned(), self.span(node))
    }

    fn number(&mut self, node: &Node) -> Option<Spanned<i64>> {
        let span = self.span(node);
        match node.as_str().parse() {
            Ok(number) => Some(Spanned::new(number, span)),
            Err(_) => {
                self.report(SyntaxErrorKind::NumberTooLarge, span);
                None
            }
        }
    }

    /// What is built of all nodes of one rule; a node that cannot be built is left out.
    fn each<T>(&mut self, nodes: Vec<Node>, mut build: impl FnMut(&mut Self, Node) -> Option<T>) -> Vec<T> {
        nodes.into_iter().filter_map(|node| build(self, node)).collect()
    }
}

/// The children of a node, taken in the order of the grammar.
pub(crate) struct Children<'i>(Peekable<Nodes<'i>>);

impl<'i> Children<'i> {
    fn of(node: Node<'i>) -> Children<'i> {
        Children(node.into_inner().peekable())
    }

    /// The next child, if it is of this rule.
    fn take(&mut self, rule: Rule) -> Option<Node<'i>> {
        self.0.next_if(|node| node.as_rule() == rule)
    }

    fn has(&mut self, rule: Rule) -> bool {
        self.take(rule).is_some()
    }

    /// The first child of this rule, past what stands before it.
    fn find(&mut self, rule: Rule) -> Option<Node<'i>> {
        self.0.by_ref().find(|node| node.as_rule() == rule)
    }

    fn next(&mut self) -> Option<Node<'i>> {
        self.0.next()
    }

    fn peek(&mut self) -> Option<Rule> {
        self.0.peek().map(|node| node.as_rule())
    }

    /// All children of this rule that are left.
    fn all(self, rule: Rule) -> Vec<Node<'i>> {
        self.0.filter(|node| node.as_rule() == rule).collect()
    }
}
