//! Walk: sections go in; each name in them, with what it means, comes out into the index.

use std::collections::HashMap;

use crate::check::key;
use crate::editor::index::{
    Binding, Declaration, Index, Local, Meaning, Occurrence, Role, Scope, Sort, Usual, same_title, variants,
};
use crate::model::LOOKS_NOTE;
use crate::source::{SourceId, Span};
use crate::syntax::ast;
use crate::syntax::ast::{
    ArgumentKind, ClaimKind, ExprKind, ItemKind, OutcomeKind, SectionKind, StatementKind, Times, WayKind,
};
use crate::syntax::builtin;

/// Local names by what they are called.
type Names = HashMap<String, usize>;

pub struct Walk<'i> {
    index: &'i mut Index,
    scope: Scope,
    /// The blocks around, the innermost last.
    blocks: Vec<Names>,
    /// The names that the named parts of programs know.
    parts: HashMap<String, Names>,
    /// Where the sections and named parts stand that `as usual` may mean.
    usual: HashMap<(Scope, String), Span>,
    /// What `as usual` means in the section at hand.
    stands_for: Option<Span>,
    /// A local name that is bound in several branches is one: the later ones, and the first.
    same: HashMap<usize, usize>,
}

impl<'i> Walk<'i> {
    pub fn new(index: &'i mut Index) -> Walk<'i> {
        Walk {
            index,
            scope: Scope { source: SourceId::PRELUDE, variant: None },
            blocks: Vec::new(),
            parts: HashMap::new(),
            usual: HashMap::new(),
            stands_for: None,
            same: HashMap::new(),
        }
    }

    /// Names that several branches bind become one.
    pub fn finish(self) {
        for name in &mut self.index.names {
            while let Meaning::Local(at) = name.meaning
                && let Some(first) = self.same.get(&at)
            {
                name.meaning = Meaning::Local(*first);
            }
        }
    }

    pub fn sections(&mut self, sections: &[ast::Section], scope: Scope) {
        self.scope = scope;
        sections.iter().for_each(|section| self.section(section));
    }

    pub fn game(&mut self, game: &ast::Game) {
        let own = Scope { source: game.title.span.source, variant: None };
        self.declares(&game.title);
        if let Some(base) = &game.extends {
            self.base(base, own.source);
        }
        self.sections(&game.sections, own);
        for (at, variant) in variants(game).enumerate() {
            if let Some(base) = &variant.extends {
                let title = variants(game).find(|other| same_title(game, other, base)).map(|other| other.title.span);
                let found = title.and_then(|title| self.declared_at(title));
                self.push(base.span, found, Role::Reads);
            }
            self.sections(&variant.sections, Scope { variant: Some(at), ..own });
        }
    }

    /// The titles behind `extends`.
    fn base(&mut self, base: &ast::Base, own: SourceId) {
        let titled = |sort: Sort, title: &ast::Text, is_there: &dyn Fn(&Declaration) -> bool| {
            let mut declarations = self.index.declarations.iter();
            let title = key(title);
            declarations.position(|other| other.sort == sort && is_there(other) && key(&other.name).ends_with(&title))
        };
        let game = titled(Sort::Game, &base.game, &|other| other.span.source != own);
        let source = game.and_then(|at| self.index.declarations.get(at)).map(|game| game.span.source);
        let variant = base
            .variant
            .as_ref()
            .and_then(|title| titled(Sort::Variant, title, &|other| Some(other.span.source) == source));
        self.push(base.game.span, game.map(Meaning::Declared), Role::Reads);
        base.variant.iter().for_each(|title| self.push(title.span, variant.map(Meaning::Declared), Role::Reads));
    }

    fn push(&mut self, span: Span, meaning: Option<Meaning>, role: Role) {
        if let Some(meaning) = meaning {
            self.index.names.push(Occurrence { span, meaning, role });
        }
    }

    fn declared_at(&self, name: Span) -> Option<Meaning> {
        self.index.declarations.iter().position(|declaration| declaration.span == name).map(Meaning::Declared)
    }

    /// What a section is called where a later one replaces it.
    fn usual_name(section: &ast::Section) -> Option<String> {
        Some(match &section.node {
            SectionKind::Setup(_) => "setup".into(),
            SectionKind::Move(_) => "move".into(),
            SectionKind::End(_) => "end".into(),
            SectionKind::Opening(_) => "opening".into(),
            SectionKind::Part(part) => format!("do {}", part.name.node),
            _ => return None,
        })
    }

    /// What a section of this name replaces.
    fn replaced(&self, name: &str) -> Option<Span> {
        let chain = self.index.chains.get(&self.scope)?;
        // The turns of an opening go on with the program of a turn, which may stand beside them.
        let (name, from) = if name == "opening" { ("move", 0) } else { (name, 1) };
        chain.iter().skip(from).find_map(|scope| self.usual.get(&(*scope, name.to_string())).copied())
    }

    fn section(&mut self, section: &ast::Section) {
        let usual = Self::usual_name(section);
        self.stands_for = usual.as_ref().and_then(|name| self.replaced(name));
        if let Some(name) = usual {
            self.usual.insert((self.scope, name), section.span);
        }
        self.blocks = vec![Names::new()];
        match &section.node {
            SectionKind::Setup(block) | SectionKind::Move(block) => {
                self.block(block);
            }
            SectionKind::Opening(turns) => turns.iter().for_each(|block| {
                self.block(block);
            }),
            SectionKind::End(outcomes) => outcomes.iter().for_each(|outcome| self.outcome(outcome)),
            SectionKind::Part(part) => {
                self.declares(&part.name);
                if let Some(known) = self.parts.get(&part.name.node) {
                    self.blocks = vec![known.clone()];
                }
                self.block(&part.body);
            }
            SectionKind::Define(define) => {
                self.declares(&define.name);
                self.parameters(&define.parameters, section.span);
                self.expr(&define.body);
            }
            SectionKind::Action(action) => {
                self.declares(&action.name);
                self.parameters(&action.parameters, section.span);
                self.block(&action.body);
            }
            other => self.declaration(other),
        }
    }

    /// The names in the note that says how a game looks: the first word of each entry.
    fn looks(&mut self, note: &ast::Text) {
        let mut start = note.span.start as usize + 1;
        for entry in note.node.split(',') {
            let word = entry.trim_start();
            let begins = start + entry.len() - word.len();
            let name = word.split_whitespace().next().unwrap_or("");
            if let Some(at) = self.index.declared(name, self.scope, false) {
                let span = Span::new(note.span.source, begins, begins + name.len());
                self.push(span, Some(Meaning::Declared(at)), Role::Reads);
            }
            start += entry.len() + 1;
        }
    }

    fn declaration(&mut self, section: &SectionKind) {
        match section {
            SectionKind::About(notes) => {
                for (name, value) in notes {
                    if let ast::AboutValue::Text(text) = value
                        && name.node == LOOKS_NOTE
                    {
                        self.looks(text);
                    }
                }
            }
            SectionKind::Players(seats) => {
                for seat in seats {
                    self.declares(&seat.player);
                    self.maybe(seat.forward.as_ref());
                }
            }
            SectionKind::Teams(teams) => teams.iter().flatten().for_each(|player| self.reads(player)),
            SectionKind::Board(board) => self.board(board),
            SectionKind::Piece(piece) => {
                self.declares(&piece.name);
                self.maybe(piece.from.as_ref());
                piece.value.iter().for_each(|value| self.expr(value));
                self.ways(&piece.ways);
            }
            SectionKind::Remember(remember) => {
                self.declares(&remember.name);
                self.expr(&remember.first);
            }
            SectionKind::Notation(aliases) => aliases.iter().for_each(|alias| self.alias(alias)),
            SectionKind::Example(example) => {
                self.declares(&example.title);
                for claim in &example.claims {
                    if let ClaimKind::Wins(players) = &claim.node {
                        players.iter().for_each(|player| self.reads(player));
                    }
                }
            }
            SectionKind::Param(param) => {
                self.declares(&param.name);
                self.expr(&param.value);
                param.range.iter().for_each(|range| self.range(range));
            }
            SectionKind::Pattern(pattern) => {
                self.declares(&pattern.name);
                self.pattern(&pattern.pattern);
            }
            SectionKind::Variant(variant) => self.declares(&variant.title),
            _ => {}
        }
    }

    fn board(&mut self, board: &ast::Board) {
        match &board.shape {
            ast::Shape::Square { files, ranks, layers } => {
                self.expr(files);
                self.expr(ranks);
                layers.iter().for_each(|layers| self.expr(layers));
            }
            ast::Shape::Hexagon { side } => self.expr(side),
            ast::Shape::Points => {}
        }
        for option in &board.options {
            match &option.node {
                ast::BoardOption::Lines(lines) => {
                    for (line, condition) in lines {
                        self.expr(line);
                        condition.iter().for_each(|condition| self.expr(condition));
                    }
                }
                ast::BoardOption::Without(cells) => self.expr(cells),
                ast::BoardOption::Wrap { .. } | ast::BoardOption::Stacks => {}
            }
        }
    }

    fn alias(&mut self, alias: &ast::Alias) {
        if let ast::AliasText::Cells(cells) = &alias.text {
            cells.iter().for_each(|cells| self.expr(cells));
        }
        alias.cells.iter().for_each(|cells| self.expr(cells));
    }

    fn ways(&mut self, ways: &[ast::Way]) {
        for way in ways {
            match &way.node {
                WayKind::Move(line) => self.line(line),
                WayKind::If { condition, then, otherwise } => {
                    self.expr(condition);
                    self.ways(then);
                    otherwise.iter().for_each(|ways| self.ways(ways));
                }
            }
        }
    }

    fn outcome(&mut self, outcome: &ast::Outcome) {
        match &outcome.node {
            OutcomeKind::AsUsual => self.as_usual(outcome.span),
            OutcomeKind::Win(condition) | OutcomeKind::Lose(condition) | OutcomeKind::Draw(condition) => {
                self.expr(condition);
            }
            OutcomeKind::Wins(player, condition) => {
                self.reads(player);
                self.expr(condition);
            }
            OutcomeKind::Highest(values, condition) => {
                values.iter().for_each(|value| self.expr(value));
                self.expr(condition);
            }
        }
    }

    fn as_usual(&mut self, span: Span) {
        if let Some(stands_for) = self.stands_for {
            self.index.usuals.push(Usual { span, stands_for });
        }
    }

    fn parameters(&mut self, parameters: &[ast::Word], whole: Span) {
        for parameter in parameters {
            self.bind(parameter, Binding::Parameter, None, whole);
        }
    }

    fn declares(&mut self, name: &ast::Word) {
        let found = self.declared_at(name.span);
        self.push(name.span, found, Role::Declares);
    }

    fn reads(&mut self, name: &ast::Word) {
        self.name(&name.node, name.span, Role::Reads);
    }

    fn maybe(&mut self, name: Option<&ast::Word>) {
        name.into_iter().for_each(|name| self.reads(name));
    }

    fn name(&mut self, name: &str, span: Span, role: Role) {
        let local = self.blocks.iter().rev().find_map(|names| names.get(name)).copied();
        let declared = || self.index.declared(name, self.scope, false).map(Meaning::Declared);
        let is_builtin = builtin::NAMES.contains(&name) || builtin::FUNCTIONS.contains(&name);
        let meaning = local.map(Meaning::Local).or_else(declared).or(is_builtin.then_some(Meaning::Builtin));
        self.push(span, meaning, role);
    }

    fn bind(&mut self, name: &ast::Word, binding: Binding, value: Option<Span>, whole: Span) {
        let at = self.index.locals.len();
        self.index.locals.push(Local { name: name.node.clone(), span: name.span, binding, value, whole });
        self.push(name.span, Some(Meaning::Local(at)), Role::Declares);
        if let Some(block) = self.blocks.last_mut() {
            block.insert(name.node.clone(), at);
        }
    }

    /// The names that the block has bound come out.
    fn block(&mut self, block: &ast::Block) -> Names {
        self.blocks.push(Names::new());
        for statement in &block.statements {
            self.statement(statement);
        }
        self.blocks.pop().unwrap_or_default()
    }

    /// What all branches bind is known behind them.
    fn branches(&mut self, blocks: &[ast::Block]) {
        let bound: Vec<Names> = blocks.iter().map(|block| self.block(block)).collect();
        self.known_behind(&bound);
    }

    fn known_behind(&mut self, bound: &[Names]) {
        let Some((first, others)) = bound.split_first() else { return };
        for (name, at) in first {
            if !others.iter().all(|names| names.contains_key(name)) {
                continue;
            }
            for other in others.iter().filter_map(|names| names.get(name)).filter(|other| *other != at) {
                self.same.insert(*other, *at);
            }
            if let Some(block) = self.blocks.last_mut() {
                block.insert(name.clone(), *at);
            }
        }
    }

    fn statement(&mut self, statement: &ast::Statement) {
        let whole = statement.span;
        match &statement.node {
            StatementKind::Pick { count, name, from, by } => {
                self.maybe(by.as_ref().filter(|by| by.node != "chance"));
                let (value, binding) = match from {
                    ast::Source::Range(range) => {
                        self.range(range);
                        (range.from.span, Binding::Number)
                    }
                    ast::Source::Members(set) => {
                        self.expr(set);
                        (set.span, if count.is_some() { Binding::Cells } else { Binding::Pick })
                    }
                };
                self.bind(name, binding, Some(value), whole);
            }
            StatementKind::Either { by, branches, blocks } => {
                self.maybe(by.as_ref().filter(|by| by.node != "chance"));
                branches.iter().filter_map(|branch| branch.weight.as_ref()).for_each(|weight| self.expr(weight));
                self.branches(blocks);
            }
            StatementKind::First(blocks) => self.branches(blocks),
            StatementKind::Repeat { condition, body, .. } => {
                condition.iter().for_each(|condition| self.expr(condition));
                self.block(body);
            }
            StatementKind::ForEach { name, from, body } => {
                self.expr(from);
                self.blocks.push(Names::new());
                self.bind(name, Binding::Cells, Some(from.span), whole);
                self.block(body);
                self.blocks.pop();
            }
            StatementKind::If { condition, then, otherwise } => {
                self.expr(condition);
                let then = self.block(then);
                if let Some(otherwise) = otherwise {
                    let otherwise = self.block(otherwise);
                    self.known_behind(&[then, otherwise]);
                }
            }
            StatementKind::Let { name, value } => {
                self.expr(value);
                self.bind(name, Binding::Let, Some(value.span), whole);
            }
            StatementKind::Set { name, of, value } => {
                self.name(&name.node, name.span, Role::Sets);
                of.iter().for_each(|of| self.expr(of));
                self.expr(value);
            }
            StatementKind::Do { name, arguments } => {
                self.reads(name);
                self.arguments(arguments);
            }
            StatementKind::Part(part) => self.part(part, whole),
            StatementKind::AsUsual => self.as_usual(whole),
            StatementKind::Need(value) | StatementKind::Most(value) | StatementKind::Flip(value) => self.expr(value),
            other => self.on_the_board(other),
        }
    }

    /// A named part of a program; the names around it are known to what replaces it.
    fn part(&mut self, part: &ast::Part, whole: Span) {
        let known: Names = self.blocks.iter().flatten().map(|(name, at)| (name.clone(), *at)).collect();
        self.parts.insert(part.name.node.clone(), known);
        self.usual.insert((self.scope, format!("do {}", part.name.node)), whole);
        let (name, span, scope) = (part.name.node.clone(), part.name.span, self.scope);
        self.index.declarations.push(Declaration {
            sort: Sort::Part,
            name,
            span,
            whole,
            scope,
            parameters: Vec::new(),
        });
        self.declares(&part.name);
        self.block(&part.body);
    }

    fn on_the_board(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::Move { amount, who, how } => {
                amount.iter().for_each(|amount| self.expr(amount));
                self.reads(who);
                match how {
                    ast::How::Ways => {}
                    ast::How::To { cells, .. } => self.expr(cells),
                    ast::How::Line(line) => self.line(line),
                }
            }
            StatementKind::Capture { who } => self.reads(who),
            StatementKind::Place(ast::Place::InHand { amount, man }) => {
                self.expr(amount);
                self.man(man);
            }
            StatementKind::Place(ast::Place::On { several, man, kinds, on, .. }) => {
                several.iter().for_each(|several| self.expr(several));
                self.man(man);
                kinds.iter().for_each(|kind| self.reads(kind));
                self.expr(on);
            }
            StatementKind::Remove { what, from, .. } => {
                if let ast::Removal::Top(amount) = what {
                    self.expr(amount);
                }
                self.expr(from);
            }
            StatementKind::Promote { who, kinds } => {
                self.reads(who);
                kinds.iter().for_each(|kind| self.reads(kind));
            }
            StatementKind::Picture { legend, .. } => legend.iter().for_each(|entry| self.man(&entry.man)),
            _ => {}
        }
    }

    fn man(&mut self, man: &ast::Man) {
        self.maybe(man.owner.as_ref());
        self.reads(&man.kind);
    }

    fn range(&mut self, range: &ast::Range) {
        self.expr(&range.from);
        range.to.iter().for_each(|to| self.expr(to));
    }

    fn line(&mut self, line: &ast::Line) {
        self.expr(&line.directions);
        self.pattern(&line.pattern);
    }

    fn pattern(&mut self, pattern: &ast::Pattern) {
        self.index.patterns.push(pattern.clone());
        for path in &pattern.paths {
            self.items(&path.items);
            for (directions, items) in &path.turnings {
                self.expr(directions);
                self.items(items);
            }
        }
    }

    fn items(&mut self, items: &[ast::Item]) {
        for item in items {
            match &item.node {
                ItemKind::Anchor => {}
                ItemKind::Landing(test) => self.expr(test),
                ItemKind::Test(test, times) => {
                    self.expr(test);
                    self.times(times.as_ref());
                }
            }
        }
    }

    fn times(&mut self, times: Option<&Times>) {
        match times {
            Some(Times::Exactly(count)) => self.expr(count),
            Some(Times::Range(range)) => self.range(range),
            _ => {}
        }
    }

    fn arguments(&mut self, arguments: &[ast::Argument]) {
        for argument in arguments {
            match &argument.node {
                ArgumentKind::Line(line) => self.line(line),
                ArgumentKind::Range(range) => self.range(range),
                ArgumentKind::Expr(expr) => self.expr(expr),
            }
        }
    }

    fn expr(&mut self, expr: &ast::Expr) {
        match &*expr.kind {
            ExprKind::Number(_) | ExprKind::Cells(_) | ExprKind::FileLetter(_) | ExprKind::LastRow => {}
            ExprKind::Name(name) | ExprKind::Player(name) => self.name(name, expr.span, Role::Reads),
            ExprKind::Words(words) => words.iter().for_each(|word| self.reads(word)),
            ExprKind::Call(name, arguments) => {
                self.reads(name);
                self.arguments(arguments);
            }
            ExprKind::Band { from, to, .. } => {
                self.expr(from);
                to.iter().for_each(|to| self.expr(to));
            }
            ExprKind::Measure(_, inner) | ExprKind::Not(inner) | ExprKind::Brackets(inner) => self.expr(inner),
            ExprKind::If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().for_each(|part| self.expr(part)),
            ExprKind::Arithmetic(_, one, other) | ExprKind::Relation(_, one, other) => {
                self.expr(one);
                self.expr(other);
            }
            ExprKind::Quantified { subject, within, filter, .. } => {
                self.expr(subject);
                [within, filter].into_iter().flatten().for_each(|part| self.expr(part));
            }
            ExprKind::Where(set, condition) => {
                if let ExprKind::Or(parts) = &*condition.kind
                    && let Some(second) = parts.get(1)
                {
                    self.index.wheres.push((expr.span, second.span));
                }
                self.expr(set);
                self.expr(condition);
            }
            ExprKind::Caught(set, times) => {
                self.expr(set);
                self.times(times.as_ref());
            }
        }
    }
}
