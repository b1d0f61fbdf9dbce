//! Tree building of statements: nodes of blocks and statements go in; blocks and statements come
//! out.

use lusoria_grammar::{Node, Rule};

use crate::source::Spanned;
use crate::syntax::ast;
use crate::syntax::ast::StatementKind;
use crate::syntax::build::{Builder, Children};

impl Builder<'_, '_> {
    pub(crate) fn block(&mut self, node: Node) -> ast::Block {
        let span = self.span(&node);
        let statements = self.each(Children::of(node).all(Rule::statement), Self::statement);
        ast::Block { statements, span }
    }

    fn blocks(&mut self, children: Children) -> Vec<ast::Block> {
        self.each(children.all(Rule::block), |builder, node| Some(builder.block(node)))
    }

    fn branch(&mut self, node: Node) -> Option<(ast::Branch, ast::Block)> {
        let mut children = Children::of(node);
        let weight = match children.take(Rule::weight) {
            Some(weight) => Some(self.amount(weight)?),
            None => None,
        };
        let label = children.take(Rule::string).map(|label| self.text(&label));
        Some((ast::Branch { weight, label }, self.block(children.find(Rule::block)?)))
    }

    fn statement(&mut self, node: Node) -> Option<ast::Statement> {
        let span = self.span(&node);
        let inner = node.into_inner().next()?;
        let rule = inner.as_rule();
        let mut children = Children::of(inner);
        children.next();
        let kind = match rule {
            Rule::pick => self.pick(children)?,
            Rule::either => {
                let by = self.chooser(&mut children);
                let branches = self.each(children.all(Rule::branch), Self::branch);
                let (branches, blocks) = branches.into_iter().unzip();
                StatementKind::Either { by, branches, blocks }
            }
            Rule::first => StatementKind::First(self.blocks(children)),
            Rule::repeat => self.repeat(children)?,
            Rule::for_each => self.for_each(children)?,
            Rule::if_ => self.if_(children)?,
            Rule::need => StatementKind::Need(self.expr(children.find(Rule::expression)?)?),
            Rule::most => StatementKind::Most(self.expr(children.find(Rule::expression)?)?),
            Rule::let_ => self.let_(children)?,
            Rule::set_ => self.set(children)?,
            Rule::do_ => self.do_(children)?,
            Rule::flip => StatementKind::Flip(self.expr(children.find(Rule::members)?)?),
            _ => self.action_on_board(rule, children)?,
        };
        Some(Spanned::new(kind, span))
    }

    fn action_on_board(&mut self, rule: Rule, mut children: Children) -> Option<StatementKind> {
        Some(match rule {
            Rule::move_ => self.move_(children)?,
            Rule::capture => StatementKind::Capture { who: self.name(&mut children)? },
            Rule::place => StatementKind::Place(self.place(children.next()?)?),
            Rule::remove => self.remove(children)?,
            Rule::promote => StatementKind::Promote { who: self.name(&mut children)?, kinds: self.names(children) },
            Rule::as_usual => StatementKind::AsUsual,
            Rule::pass => StatementKind::Pass,
            Rule::swap => StatementKind::Swap,
            Rule::again => StatementKind::Again,
            Rule::mirror => StatementKind::Mirror,
            Rule::rotate => StatementKind::Rotate,
            Rule::picture => self.picture(children)?,
            _ => return None,
        })
    }

    /// The next name, past what stands before it.
    pub(crate) fn name(&self, children: &mut Children) -> Option<ast::Word> {
        children.find(Rule::name).map(|name| self.word(&name))
    }

    pub(crate) fn names(&self, children: Children) -> Vec<ast::Word> {
        children.all(Rule::name).iter().map(|name| self.word(name)).collect()
    }

    fn chooser(&self, children: &mut Children) -> Option<ast::Word> {
        let chooser = children.take(Rule::chooser)?;
        chooser.into_inner().last().map(|who| self.word(&who))
    }

    /// Blocks, each with the weight that stands before it.
    fn pick(&mut self, mut children: Children) -> Option<StatementKind> {
        let count = match children.take(Rule::number) {
            Some(number) => Some(self.number(&number)?),
            None => None,
        };
        let name = self.name(&mut children)?;
        children.take(Rule::kw_from)?;
        let from = children.next()?;
        let from = match from.as_rule() {
            Rule::range => ast::Source::Range(self.range(from)?),
            _ => ast::Source::Members(self.expr(from)?),
        };
        Some(StatementKind::Pick { count, name, from, by: self.chooser(&mut children) })
    }

    fn repeat(&mut self, mut children: Children) -> Option<StatementKind> {
        let in_steps = children.has(Rule::in_steps);
        let silently = children.has(Rule::kw_silently);
        let condition = match children.take(Rule::while_) {
            Some(while_) => Some(self.expr(Children::of(while_).find(Rule::expression)?)?),
            None => None,
        };
        let body = self.block(children.find(Rule::block)?);
        Some(StatementKind::Repeat { in_steps, silently, condition, body })
    }

    fn for_each(&mut self, mut children: Children) -> Option<StatementKind> {
        let name = self.name(&mut children)?;
        let from = self.expr(children.find(Rule::members)?)?;
        let body = self.block(children.find(Rule::block)?);
        Some(StatementKind::ForEach { name, from, body })
    }

    fn if_(&mut self, mut children: Children) -> Option<StatementKind> {
        let condition = self.expr(children.find(Rule::expression)?)?;
        let then = self.block(children.find(Rule::block)?);
        let otherwise = match children.has(Rule::kw_else) {
            true => Some(self.otherwise(children.next()?)?),
            false => None,
        };
        Some(StatementKind::If { condition, then, otherwise })
    }

    /// `else if` is a block that holds an `if` alone and has its span.
    fn otherwise(&mut self, node: Node) -> Option<ast::Block> {
        if node.as_rule() == Rule::block {
            return Some(self.block(node));
        }
        let span = self.span(&node);
        let mut children = Children::of(node);
        children.next();
        let kind = self.if_(children)?;
        Some(ast::Block { statements: vec![Spanned::new(kind, span)], span })
    }

    fn let_(&mut self, mut children: Children) -> Option<StatementKind> {
        let name = self.name(&mut children)?;
        Some(StatementKind::Let { name, value: self.expr(children.find(Rule::expression)?)? })
    }

    fn set(&mut self, mut children: Children) -> Option<StatementKind> {
        let name = self.name(&mut children)?;
        let of = match children.take(Rule::set_of) {
            Some(of) => Some(self.expr(Children::of(of).find(Rule::expression)?)?),
            None => None,
        };
        let value = self.expr(children.find(Rule::expression)?)?;
        Some(StatementKind::Set { name, of, value })
    }

    fn do_(&mut self, mut children: Children) -> Option<StatementKind> {
        let name = self.name(&mut children)?;
        if let Some(block) = children.take(Rule::block) {
            return Some(StatementKind::Part(ast::Part { name, body: self.block(block) }));
        }
        let arguments = children.take(Rule::arguments).map_or_else(Vec::new, |node| self.arguments(node));
        Some(StatementKind::Do { name, arguments })
    }

    /// `n of`, if it comes next.
    fn amount_of(&mut self, children: &mut Children) -> Option<Option<ast::Expr>> {
        match children.take(Rule::amount_of) {
            Some(of) => Some(Some(self.amount(Children::of(of).find(Rule::amount)?)?)),
            None => Some(None),
        }
    }

    /// A number, a name, or brackets around an expression.
    fn amount(&mut self, node: Node) -> Option<ast::Expr> {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let first = children.next()?;
        if first.as_rule() != Rule::open_paren {
            return self.expr(first);
        }
        let inner = self.expr(children.find(Rule::expression)?)?;
        Some(crate::syntax::build::expressions::expr(ast::ExprKind::Brackets(inner), span))
    }

    fn move_(&mut self, mut children: Children) -> Option<StatementKind> {
        let amount = self.amount_of(&mut children)?;
        let who = self.name(&mut children)?;
        let how = match children.next() {
            None => ast::How::Ways,
            Some(node) if node.as_rule() == Rule::line => ast::How::Line(self.line(node)?),
            Some(node) => {
                let mut children = Children::of(node);
                children.next();
                let bottom = children.has(Rule::bottom_of);
                ast::How::To { cells: self.expr(children.find(Rule::members)?)?, bottom }
            }
        };
        Some(StatementKind::Move { amount, who, how })
    }

    fn place(&mut self, node: Node) -> Option<ast::Place> {
        let rule = node.as_rule();
        let mut children = Children::of(node);
        if rule == Rule::place_in_hand {
            let amount = self.amount(children.find(Rule::amount)?)?;
            return Some(ast::Place::InHand { amount, man: self.man(children.find(Rule::man)?)? });
        }
        let several = match children.take(Rule::several) {
            Some(several) => Some(self.amount(several)?),
            None => None,
        };
        let man = self.man(children.find(Rule::man)?)?;
        let mut kinds = Vec::new();
        while children.has(Rule::kw_or) {
            kinds.push(self.name(&mut children)?);
        }
        children.take(Rule::kw_on)?;
        let bottom = children.has(Rule::bottom_of);
        let on = self.expr(children.find(Rule::members)?)?;
        Some(ast::Place::On { several, man, kinds, on, bottom, from_hand: children.has(Rule::from_hand) })
    }

    fn man(&self, node: Node) -> Option<ast::Man> {
        let mut words: Vec<ast::Word> = node.into_inner().map(|word| self.word(&word)).collect();
        let kind = words.pop()?;
        Some(ast::Man { owner: words.pop(), kind })
    }

    fn remove(&mut self, mut children: Children) -> Option<StatementKind> {
        let what = match children.has(Rule::bottom_of) {
            true => ast::Removal::Bottom,
            false => self.amount_of(&mut children)?.map_or(ast::Removal::All, ast::Removal::Top),
        };
        let from = self.expr(children.find(Rule::members)?)?;
        Some(StatementKind::Remove { what, from, to_hand: children.has(Rule::to_hand) })
    }

    fn picture(&mut self, mut children: Children) -> Option<StatementKind> {
        let rows = self.text(&children.find(Rule::string)?);
        let legend = self.each(children.all(Rule::legend), Self::legend);
        Some(StatementKind::Picture { rows, legend })
    }

    fn legend(&mut self, node: Node) -> Option<ast::Legend> {
        let mut children = Children::of(node);
        let glyph = children.find(Rule::glyph)?;
        let span = self.span(&glyph);
        let glyph = Spanned::new(glyph.as_str().chars().next()?, span);
        children.take(Rule::equals)?;
        let count = match children.take(Rule::number) {
            Some(number) => Some(self.number(&number)?),
            None => None,
        };
        Some(ast::Legend { glyph, count, man: self.man(children.find(Rule::man)?)? })
    }
}
