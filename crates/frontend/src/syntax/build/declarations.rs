//! Tree building of declarations: nodes of a file, its game and its sections go in; trees come out.

use lusoria_grammar::{Node, Rule};

use crate::source::Spanned;
use crate::syntax::ast;
use crate::syntax::ast::SectionKind;
use crate::syntax::build::{Builder, Children};
use crate::syntax::error::SyntaxErrorKind;

/// The beginning of a game or variant, up to its brace.
pub struct Head {
    pub title: ast::Text,
    pub extends: Option<ast::Base>,
}

impl Builder<'_, '_> {
    pub fn file<'i>(&mut self, nodes: impl Iterator<Item = Node<'i>>) -> ast::File {
        let mut file = ast::File { game: None, declarations: Vec::new() };
        for node in nodes {
            match node.as_rule() {
                Rule::game => file.game = self.game(node),
                Rule::declaration => file.declarations.extend(self.section(node)),
                _ => {}
            }
        }
        file
    }

    fn game(&mut self, node: Node) -> Option<ast::Game> {
        let span = self.span(&node);
        let mut children = Children::of(node);
        let head = self.head(children.find(Rule::head)?)?;
        let sections = self.each(children.all(Rule::section), Self::section);
        Some(ast::Game { title: head.title, extends: head.extends, sections, span })
    }

    /// Of a game or a variant.
    pub fn head(&mut self, node: Node) -> Option<Head> {
        let mut children = Children::of(node);
        let title = self.text(&children.find(Rule::string)?);
        let base = children.take(Rule::game_base).or_else(|| children.take(Rule::base));
        let mut titles = base.map_or_else(Vec::new, |base| Children::of(base).all(Rule::string));
        let game = titles.pop().map(|text| self.text(&text));
        let variant = titles.pop().map(|text| self.text(&text));
        Some(Head { title, extends: game.map(|game| ast::Base { variant, game }) })
    }

    /// A section that cannot be built has been reported.
    pub fn section(&mut self, node: Node) -> Option<ast::Section> {
        let span = self.span(&node);
        let errors = self.errors.len();
        let kind = self.section_kind(node);
        if kind.is_none() && self.errors.len() == errors {
            let found = "this section".into();
            self.report(SyntaxErrorKind::Unexpected { found, expected: Vec::new(), near: None, form: None }, span);
        }
        Some(Spanned::new(kind?, span))
    }

    fn section_kind(&mut self, node: Node) -> Option<SectionKind> {
        let inner = node.into_inner().next()?;
        let rule = inner.as_rule();
        let mut children = Children::of(inner);
        Some(match rule {
            Rule::about => SectionKind::About(self.each(children.all(Rule::about_entry), Self::about_entry)),
            Rule::players => SectionKind::Players(self.each(children.all(Rule::seat), Self::seat)),
            Rule::teams => SectionKind::Teams(self.each(children.all(Rule::team), Self::team)),
            Rule::board => SectionKind::Board(self.board(children)?),
            Rule::captures if children.find(Rule::go_to_hand).is_some() => {
                SectionKind::Captures(ast::Captures::GoToHand)
            }
            Rule::captures => SectionKind::Captures(ast::Captures::LeaveAtEndOfMove),
            Rule::piece => SectionKind::Piece(self.piece(children)?),
            Rule::remember => SectionKind::Remember(self.remember(children)?),
            Rule::setup => SectionKind::Setup(self.block(children.find(Rule::block)?)),
            Rule::opening => SectionKind::Opening(self.each(children.all(Rule::opening_turn), Self::opening_turn)),
            Rule::move_section => SectionKind::Move(self.block(children.find(Rule::block)?)),
            Rule::end => SectionKind::End(self.each(children.all(Rule::outcome), Self::outcome)),
            Rule::notation => SectionKind::Notation(self.each(children.all(Rule::alias), Self::alias)),
            Rule::variant => SectionKind::Variant(self.variant(children)?),
            Rule::example => SectionKind::Example(self.example(children)?),
            Rule::part => SectionKind::Part(self.part(children)?),
            _ => self.declaration(rule, children)?,
        })
    }

    fn declaration(&mut self, rule: Rule, mut children: Children) -> Option<SectionKind> {
        children.next();
        let name = self.name(&mut children)?;
        Some(match rule {
            Rule::param => {
                let value = self.expr(children.find(Rule::sum)?)?;
                let range = match children.find(Rule::range) {
                    Some(range) => Some(self.range(range)?),
                    None => None,
                };
                SectionKind::Param(ast::Param { name, value, range })
            }
            Rule::define => {
                let parameters = self.parameters(&mut children);
                let body = self.expr(children.find(Rule::expression)?)?;
                SectionKind::Define(ast::Define { name, parameters, body })
            }
            Rule::pattern_decl => {
                let sign = children.take(Rule::string).map(|sign| self.text(&sign));
                let pattern = self.pattern(children.find(Rule::pattern)?);
                SectionKind::Pattern(ast::PatternDeclaration { name, sign, pattern })
            }
            Rule::action => {
                let parameters = self.parameters(&mut children);
                let body = self.block(children.find(Rule::block)?);
                SectionKind::Action(ast::Action { name, parameters, body })
            }
            _ => return None,
        })
    }

    pub(crate) fn part(&mut self, mut children: Children) -> Option<ast::Part> {
        let name = self.name(&mut children)?;
        Some(ast::Part { name, body: self.block(children.find(Rule::block)?) })
    }

    fn parameters(&self, children: &mut Children) -> Vec<ast::Word> {
        children.take(Rule::parameters).map_or_else(Vec::new, |node| self.names(Children::of(node)))
    }

    fn variant(&mut self, mut children: Children) -> Option<ast::Variant> {
        let head = self.head(children.find(Rule::variant_head)?)?;
        let sections = self.each(children.all(Rule::section), Self::section);
        Some(ast::Variant { title: head.title, extends: head.extends.map(|base| base.game), sections })
    }

    fn example(&mut self, mut children: Children) -> Option<ast::Example> {
        let title = self.text(&Children::of(children.find(Rule::example_head)?).find(Rule::string)?);
        Some(ast::Example { title, claims: self.each(children.all(Rule::claim), Self::claim) })
    }

    fn claim(&mut self, node: Node) -> Option<ast::Claim> {
        let span = self.span(&node);
        let inner = node.into_inner().next()?;
        let rule = inner.as_rule();
        let (mut strings, mut words, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_draw = false;
        let mut children = Children::of(inner);
        while let Some(child) = children.next() {
            match child.as_rule() {
                Rule::string => strings.push(self.text(&child)),
                Rule::cell | Rule::player => words.push(self.word(&child)),
                Rule::number => numbers.push(self.number(&child)?),
                Rule::kw_draw => is_draw = true,
                _ => {}
            }
        }
        let kind = match rule {
            Rule::from_position => ast::ClaimKind::Position(strings.pop()?),
            Rule::played => ast::ClaimKind::Play(strings),
            Rule::legal_only => ast::ClaimKind::Legal { only: true, moves: strings },
            Rule::legal => ast::ClaimKind::Legal { only: false, moves: strings },
            Rule::illegal => ast::ClaimKind::Illegal(strings),
            Rule::caught_cells => ast::ClaimKind::Caught(words),
            Rule::gives => ast::ClaimKind::Gives(strings.pop()?),
            Rule::perft => ast::ClaimKind::Perft(numbers),
            _ if is_draw => ast::ClaimKind::Draw,
            _ if words.is_empty() => ast::ClaimKind::GoesOn,
            _ => ast::ClaimKind::Wins(words),
        };
        Some(Spanned::new(kind, span))
    }

    fn about_entry(&mut self, node: Node) -> Option<(ast::Word, ast::AboutValue)> {
        let mut children = Children::of(node);
        let key = self.name(&mut children)?;
        let value = children.next()?;
        let value = match value.as_rule() {
            Rule::number => ast::AboutValue::Number(self.number(&value)?),
            _ => ast::AboutValue::Text(self.text(&value)),
        };
        Some((key, value))
    }

    fn seat(&mut self, node: Node) -> Option<ast::Seat> {
        let mut children = Children::of(node);
        let player = self.word(&children.find(Rule::player)?);
        Some(ast::Seat { player, forward: self.name(&mut children) })
    }

    fn team(&mut self, node: Node) -> Option<Vec<ast::Word>> {
        Some(Children::of(node).all(Rule::player).iter().map(|player| self.word(player)).collect())
    }

    fn board(&mut self, mut children: Children) -> Option<ast::Board> {
        children.next();
        let shape = self.shape(children.next()?)?;
        let mut options = Vec::new();
        while let Some(node) = children.next() {
            let span = self.span(&node);
            let option = match node.as_rule() {
                Rule::comma => continue,
                Rule::lines => ast::BoardOption::Lines(self.each(Children::of(node).all(Rule::drawn), Self::drawn)),
                Rule::without => ast::BoardOption::Without(self.expr(Children::of(node).find(Rule::members)?)?),
                Rule::wrap => {
                    let says = |rule| Children::of(node.clone()).find(rule).is_some();
                    ast::BoardOption::Wrap { files: says(Rule::kw_files), ranks: says(Rule::kw_ranks) }
                }
                _ => ast::BoardOption::Stacks,
            };
            options.push(Spanned::new(option, span));
        }
        Some(ast::Board { shape, options })
    }

    fn shape(&mut self, node: Node) -> Option<ast::Shape> {
        let rule = node.as_rule();
        let mut children = Children::of(node);
        Some(match rule {
            Rule::square => {
                let files = self.expr(children.find(Rule::sum)?)?;
                let ranks = self.expr(children.find(Rule::sum)?)?;
                let layers = match children.find(Rule::sum) {
                    Some(layers) => Some(self.expr(layers)?),
                    None => None,
                };
                ast::Shape::Square { files, ranks, layers }
            }
            Rule::hexagon => ast::Shape::Hexagon { side: self.expr(children.find(Rule::sum)?)? },
            _ => ast::Shape::Points,
        })
    }

    fn drawn(&mut self, node: Node) -> Option<(ast::Expr, Option<ast::Expr>)> {
        let mut children = Children::of(node);
        let line = self.expr(children.next()?)?;
        Some((line, self.filter(&mut children)?))
    }

    fn remember(&mut self, mut children: Children) -> Option<ast::Remember> {
        let name = self.name(&mut children)?;
        let first = self.expr(children.find(Rule::expression)?)?;
        Some(ast::Remember {
            name,
            first,
            per_player: children.has(Rule::per_player),
            on_pieces: children.has(Rule::on_pieces),
            for_one_turn: children.has(Rule::for_one_turn),
            not_compared: children.has(Rule::not_compared),
        })
    }

    fn piece(&mut self, mut children: Children) -> Option<ast::Piece> {
        let name = self.name(&mut children)?;
        let letter = children.take(Rule::letter).map(|letter| self.word(&letter));
        let from = children.take(Rule::piece_base).and_then(|base| self.name(&mut Children::of(base)));
        let neutral = children.has(Rule::kw_neutral);
        let value = match children.take(Rule::piece_value) {
            Some(value) => Some(self.expr(Children::of(value).find(Rule::sum)?)?),
            None => None,
        };
        let ways = children.take(Rule::ways);
        let braces = ways.is_some();
        Some(ast::Piece {
            name,
            letter,
            from,
            neutral,
            value,
            ways: ways.map_or_else(Vec::new, |node| self.ways(node)),
            braces,
        })
    }

    fn ways(&mut self, node: Node) -> Vec<ast::Way> {
        self.each(Children::of(node).all(Rule::way), |builder, node| builder.way(node.into_inner().next()?))
    }

    fn way(&mut self, node: Node) -> Option<ast::Way> {
        let span = self.span(&node);
        let rule = node.as_rule();
        let mut children = Children::of(node);
        if rule == Rule::way_move {
            return Some(Spanned::new(ast::WayKind::Move(self.line(children.find(Rule::line)?)?), span));
        }
        let condition = self.expr(children.find(Rule::expression)?)?;
        let then = self.ways(children.find(Rule::ways)?);
        let otherwise = match children.has(Rule::kw_else) {
            true => Some(self.other_ways(children.next()?)?),
            false => None,
        };
        Some(Spanned::new(ast::WayKind::If { condition, then, otherwise }, span))
    }

    fn other_ways(&mut self, node: Node) -> Option<Vec<ast::Way>> {
        match node.as_rule() {
            Rule::ways => Some(self.ways(node)),
            _ => Some(vec![self.way(node)?]),
        }
    }

    fn opening_turn(&mut self, node: Node) -> Option<ast::Block> {
        Some(self.block(Children::of(node).find(Rule::block)?))
    }

    fn alias(&mut self, node: Node) -> Option<ast::Alias> {
        let mut children = Children::of(node);
        children.next();
        let text = match children.take(Rule::string) {
            Some(text) => ast::AliasText::Fixed(self.text(&text)),
            None => ast::AliasText::Cells(self.alias_cells(children.find(Rule::alias_cells)?)?),
        };
        Some(ast::Alias { text, cells: self.alias_cells(children.find(Rule::alias_cells)?)? })
    }

    fn alias_cells(&mut self, node: Node) -> Option<Vec<ast::Expr>> {
        Children::of(node).all(Rule::expression).into_iter().map(|node| self.expr(node)).collect()
    }

    fn outcome(&mut self, node: Node) -> Option<ast::Outcome> {
        let span = self.span(&node);
        let inner = node.into_inner().next()?;
        let rule = inner.as_rule();
        let mut children = Children::of(inner);
        let kind = match rule {
            Rule::result => self.result(children)?,
            Rule::highest => self.highest(children)?,
            Rule::side_wins => {
                let player = self.word(&children.find(Rule::player)?);
                ast::OutcomeKind::Wins(player, self.expr(children.find(Rule::expression)?)?)
            }
            _ => ast::OutcomeKind::AsUsual,
        };
        Some(Spanned::new(kind, span))
    }

    fn result(&mut self, mut children: Children) -> Option<ast::OutcomeKind> {
        let word = children.next()?.as_rule();
        let condition = self.expr(children.find(Rule::expression)?)?;
        Some(match word {
            Rule::kw_win => ast::OutcomeKind::Win(condition),
            Rule::kw_lose => ast::OutcomeKind::Lose(condition),
            _ => ast::OutcomeKind::Draw(condition),
        })
    }

    fn highest(&mut self, children: Children) -> Option<ast::OutcomeKind> {
        let (values, rest): (Vec<Node>, Vec<Node>) = children.0.partition(|node| node.as_rule() == Rule::disjunction);
        let values = self.each(values, Self::expr);
        let condition = rest.into_iter().find(|node| node.as_rule() == Rule::expression)?;
        Some(ast::OutcomeKind::Highest(values, self.expr(condition)?))
    }
}
