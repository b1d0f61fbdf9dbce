//! Tree building of expressions: nodes of expressions and sets go in; expressions come out.

use lusoria_grammar::{Node, Rule};

use crate::source::{Span, Spanned};
use crate::syntax::ast;
use crate::syntax::ast::ExprKind;
use crate::syntax::build::{Builder, Children};
use crate::syntax::depth;
use crate::syntax::error::SyntaxErrorKind;

impl Builder<'_, '_> {
    pub(crate) fn expr(&mut self, node: Node) -> Option<ast::Expr> {
        let node = innermost(node);
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::expression | Rule::members | Rule::drawn => self.filtered(node)?,
            Rule::disjunction | Rule::set => ExprKind::Or(self.operands(node, Rule::kw_or)),
            Rule::conjunction | Rule::set_and => ExprKind::And(self.operands(node, Rule::kw_and)),
            Rule::negation | Rule::set_not => ExprKind::Not(self.expr(node.into_inner().last()?)?),
            Rule::quantified => self.quantified(node)?,
            Rule::comparison => self.comparison(node)?,
            Rule::sum | Rule::product => return self.chain(node),
            _ => self.primary(node)?,
        };
        Some(expr(kind, span))
    }

    fn primary(&mut self, node: Node) -> Option<ExprKind> {
        Some(match node.as_rule() {
            Rule::words => {
                let words = node.into_inner();
                ExprKind::Words(words.map(|word| self.word(&word)).collect())
            }
            Rule::brackets => ExprKind::Brackets(self.expr(Children::of(node).find(Rule::expression)?)?),
            Rule::condition => self.condition(node)?,
            Rule::measure => {
                let mut children = Children::of(node);
                let axis = band_axis(&children.next()?)?.0;
                ExprKind::Measure(axis, self.expr(children.find(Rule::operand)?)?)
            }
            Rule::last_row => ExprKind::LastRow,
            Rule::band => self.band(node)?,
            Rule::cells => {
                let ranges = node.into_inner();
                ExprKind::Cells(ranges.filter_map(|range| self.cell_range(range)).collect())
            }
            Rule::call => self.call(node)?,
            Rule::player => ExprKind::Player(node.as_str().into()),
            Rule::name => ExprKind::Name(node.as_str().into()),
            Rule::number => ExprKind::Number(self.number(&node)?.node),
            Rule::file_letter => ExprKind::FileLetter(node.as_str().into()),
            Rule::caught => self.caught(node)?,
            _ => return None,
        })
    }

    fn filtered(&mut self, node: Node) -> Option<ExprKind> {
        let mut children = Children::of(node);
        let subject = self.expr(children.next()?)?;
        Some(ExprKind::Where(subject, self.filter(&mut children)??))
    }

    /// The condition after `where`, if one comes next.
    pub(crate) fn filter(&mut self, children: &mut Children) -> Option<Option<ast::Expr>> {
        match children.take(Rule::filter) {
            Some(filter) => Some(Some(self.expr(Children::of(filter).find(Rule::disjunction)?)?)),
            None => Some(None),
        }
    }

    fn operands(&mut self, node: Node, joint: Rule) -> Vec<ast::Expr> {
        let operands = node.into_inner().filter(|child| child.as_rule() != joint).collect();
        self.each(operands, Self::expr)
    }

    fn quantified(&mut self, node: Node) -> Option<ExprKind> {
        let mut children = Children::of(node);
        let some = children.next()?.as_rule() == Rule::kw_some;
        let subject = self.expr(children.find(Rule::operand)?)?;
        let within = match children.take(Rule::within) {
            Some(within) => Some(self.expr(Children::of(within).find(Rule::operand)?)?),
            None => None,
        };
        let filter = self.filter(&mut children)?;
        Some(ExprKind::Quantified { some, subject, within, filter })
    }

    fn comparison(&mut self, node: Node) -> Option<ExprKind> {
        let mut children = Children::of(node);
        let left = self.expr(children.find(Rule::sum)?)?;
        let mark = children.find(Rule::relation)?;
        let span = self.span(&mark);
        let relation = relation(mark)?;
        let right = self.expr(children.find(Rule::sum)?)?;
        Some(ExprKind::Relation(Spanned::new(relation, span), left, right))
    }

    /// `a + b - c` nests to the left, so a chain is as deep as it is long.
    fn chain(&mut self, node: Node) -> Option<ast::Expr> {
        let children: Vec<Node> = node.into_inner().collect();
        let mut joints = children.len() / 2;
        let mut children = children.into_iter();
        let first = children.next()?;
        if self.chained + joints >= depth::LIMIT {
            let span = self.span(&first);
            self.report(SyntaxErrorKind::NestedTooDeep, span);
            return None;
        }
        let mut left = self.chained_operand(first, joints)?;
        while let (Some(mark), Some(operand)) = (children.next(), children.next()) {
            joints = joints.saturating_sub(1);
            let right = self.chained_operand(operand, joints)?;
            let span = left.span.to(right.span);
            left = expr(ExprKind::Arithmetic(arithmetic(&mark)?, left, right), span);
        }
        Some(left)
    }

    fn chained_operand(&mut self, node: Node, joints: usize) -> Option<ast::Expr> {
        self.chained += joints;
        let operand = self.expr(node);
        self.chained -= joints;
        operand
    }

    fn condition(&mut self, node: Node) -> Option<ExprKind> {
        let mut children = Children::of(node);
        let condition = self.expr(children.find(Rule::disjunction)?)?;
        let then = self.expr(children.find(Rule::disjunction)?)?;
        let otherwise = self.expr(children.find(Rule::disjunction)?)?;
        Some(ExprKind::If { condition, then, otherwise })
    }

    fn band(&mut self, node: Node) -> Option<ExprKind> {
        let mut children = Children::of(node);
        let (axis, plural) = band_axis(&children.next()?)?;
        let from = self.expr(children.next()?)?;
        let to = match children.has(Rule::dots) {
            true => Some(self.expr(children.next()?)?),
            false => None,
        };
        Some(ExprKind::Band { axis, plural, from, to })
    }

    fn cell_range(&self, node: Node) -> Option<(ast::Word, Option<ast::Word>)> {
        let mut children = Children::of(node);
        let from = self.word(&children.find(Rule::cell)?);
        Some((from, children.find(Rule::cell).map(|to| self.word(&to))))
    }

    fn call(&mut self, node: Node) -> Option<ExprKind> {
        let mut children = Children::of(node);
        let name = self.word(&children.find(Rule::name)?);
        Some(ExprKind::Call(name, self.arguments(children.find(Rule::arguments)?)))
    }

    pub(crate) fn arguments(&mut self, node: Node) -> Vec<ast::Argument> {
        let mut arguments: Vec<ast::Argument> = Vec::new();
        for node in Children::of(node).all(Rule::argument) {
            let Some(argument) = self.argument(node) else { continue };
            match (arguments.last_mut(), argument) {
                (
                    Some(Spanned { node: ast::ArgumentKind::Line(line), span }),
                    Spanned { node: ast::ArgumentKind::Line(turning), .. },
                ) => {
                    turn(line, turning);
                    *span = line.span;
                }
                (_, argument) => arguments.push(argument),
            }
        }
        arguments
    }

    fn argument(&mut self, node: Node) -> Option<ast::Argument> {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let head = children.find(Rule::disjunction)?;
        let kind = match children.peek() {
            Some(Rule::colon) => ast::ArgumentKind::Line(self.straight_line(head, children, span)?),
            Some(Rule::dots) => ast::ArgumentKind::Range(self.range_of(head, children)?),
            Some(_) => {
                let subject = self.expr(head)?;
                let condition = self.filter(&mut children)??;
                ast::ArgumentKind::Expr(expr(ExprKind::Where(subject, condition), span))
            }
            None => ast::ArgumentKind::Expr(self.expr(head)?),
        };
        Some(Spanned::new(kind, span))
    }

    /// Only a sum may stand before dots.
    fn range_of(&mut self, head: Node, mut children: Children) -> Option<ast::Range> {
        let dots = children.find(Rule::dots)?;
        if !is_sum(head.clone()) {
            let span = self.span(&dots);
            let expected = vec!["`,`".into(), "`)`".into()];
            self.report(SyntaxErrorKind::Unexpected { found: "`..`".into(), expected, near: None, form: None }, span);
            return None;
        }
        let from = self.expr(head)?;
        Some(ast::Range { from, to: self.optional_sum(&mut children)? })
    }

    pub(crate) fn range(&mut self, node: Node) -> Option<ast::Range> {
        let mut children = Children::of(node);
        let from = self.expr(children.find(Rule::sum)?)?;
        Some(ast::Range { from, to: self.optional_sum(&mut children)? })
    }

    pub(crate) fn optional_sum(&mut self, children: &mut Children) -> Option<Option<ast::Expr>> {
        match children.find(Rule::sum) {
            Some(sum) => Some(Some(self.expr(sum)?)),
            None => Some(None),
        }
    }
}

/// Read as an argument of its own, `dirs: items` goes on with the last path of the line before it.
fn turn(line: &mut ast::Line, turning: ast::Line) {
    let mut paths = turning.pattern.paths.into_iter();
    if let (Some(path), Some(then)) = (line.pattern.paths.last_mut(), paths.next()) {
        path.span = path.span.to(then.span);
        path.turnings.push((turning.directions, then.items));
    }
    line.pattern.paths.extend(paths);
    line.pattern.span = line.pattern.span.to(turning.span);
    line.span = line.span.to(turning.span);
}

pub(crate) fn expr(kind: ExprKind, span: Span) -> ast::Expr {
    ast::Expr { kind: Box::new(kind), span }
}

/// A level of the ladder that adds nothing is passed through.
fn innermost(mut node: Node) -> Node {
    while is_ladder(node.as_rule()) {
        let mut children = node.clone().into_inner();
        match (children.next(), children.next()) {
            (Some(only), None) => node = only,
            _ => break,
        }
    }
    node
}

fn is_ladder(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::expression
            | Rule::disjunction
            | Rule::conjunction
            | Rule::negation
            | Rule::comparison
            | Rule::sum
            | Rule::product
            | Rule::operand
            | Rule::juxtaposed
            | Rule::primary
            | Rule::file_edge
            | Rule::members
            | Rule::drawn
            | Rule::set
            | Rule::set_and
            | Rule::set_not
    )
}

fn is_sum(mut node: Node) -> bool {
    while node.as_rule() != Rule::sum {
        let mut children = node.clone().into_inner();
        match (children.next(), children.next()) {
            (Some(only), None) => node = only,
            _ => return false,
        }
    }
    true
}

fn band_axis(word: &Node) -> Option<(ast::BandAxis, bool)> {
    Some(match word.as_rule() {
        Rule::kw_file => (ast::BandAxis::File, false),
        Rule::kw_files => (ast::BandAxis::File, true),
        Rule::kw_rank => (ast::BandAxis::Rank, false),
        Rule::kw_ranks => (ast::BandAxis::Rank, true),
        Rule::kw_row => (ast::BandAxis::Row, false),
        Rule::kw_rows => (ast::BandAxis::Row, true),
        _ => return None,
    })
}

fn arithmetic(mark: &Node) -> Option<ast::Arithmetic> {
    Some(match mark.as_rule() {
        Rule::plus => ast::Arithmetic::Add,
        Rule::minus => ast::Arithmetic::Subtract,
        Rule::star => ast::Arithmetic::Multiply,
        Rule::slash => ast::Arithmetic::Divide,
        Rule::kw_mod => ast::Arithmetic::Modulo,
        _ => return None,
    })
}

fn relation(node: Node) -> Option<ast::Relation> {
    let mut children = Children::of(node);
    Some(match (children.next()?.as_rule(), children.peek()) {
        (Rule::equals, _) => ast::Relation::Equal,
        (Rule::not_equal, _) => ast::Relation::NotEqual,
        (Rule::less, _) => ast::Relation::Less,
        (Rule::at_most_mark, _) => ast::Relation::AtMost,
        (Rule::greater, _) => ast::Relation::Greater,
        (Rule::at_least_mark, _) => ast::Relation::AtLeast,
        (Rule::kw_is, Some(_)) => ast::Relation::IsNot,
        (Rule::kw_is, None) => ast::Relation::Is,
        (Rule::kw_in, _) => ast::Relation::In,
        (Rule::kw_not, _) => ast::Relation::NotIn,
        _ => return None,
    })
}
