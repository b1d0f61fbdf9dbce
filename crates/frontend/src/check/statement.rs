//! Statement checking: trees of statements and blocks go in; blocks of the model come out, with
//! actions and `as usual` expanded in place.

use crate::check::call::{form_of, reach_of};
use crate::check::error::Kind;
use crate::check::layers::{Keyword, Whole};
use crate::check::scope::{Local, Reach};
use crate::check::term::{Term, short};
use crate::check::{CallSite, Checker, PartAround};
use crate::model::{
    BlockId, BranchId, BranchKind, Choice, Chooser, Expr, Landing, Number, Players, Program, Removal, Rounds, Slot,
    Statement, Type,
};
use crate::source::{Span, Spanned};
use crate::syntax::ast;
use crate::syntax::ast::{SectionKind, StatementKind};
use crate::syntax::{builtin, is_cell, near};

/// Which program a block belongs to, and in which layer it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub whole: Whole,
    pub layer: usize,
    /// It stands in an action: `as usual` has no meaning there.
    pub action: bool,
    /// It replaces a named part: the part's place, from 1, among those around; 0 if it does not.
    pub replaced: usize,
}

/// Who may choose, whatever a game declares.
const CHOOSERS: [&str; 4] = ["chance", "own", "enemy", "ally"];

impl<'a> Checker<'a> {
    /// A section's block as a program of its own.
    pub fn program(&mut self, block: &'a ast::Block, part: Part) -> Option<Program> {
        let span = block.span;
        let (block, frame) = self.in_frame(Reach::Game, |checker| {
            let made = checker.block(block, part).map(|(block, _)| block);
            checker.note_names(made);
            made
        });
        Some(Program { block: block?, frame, span })
    }

    /// A block and the names that it binds at its own level. The block is made even if statements
    /// in it are wrong, so that all mistakes are found; then the result is `None`.
    fn block(&mut self, block: &'a ast::Block, part: Part) -> Option<(BlockId, Vec<Local>)> {
        let mark = self.scope.locals.len();
        let mut statements = Vec::new();
        let mut notes = Vec::new();
        let mut good = true;
        for statement in &block.statements {
            self.begin_notes();
            let found = self.part(statement.span, |checker| checker.statement(statement, part));
            let note = self.end_notes(statement.span);
            match found {
                Some(found) => {
                    notes.extend(found.iter().map(|_| note.clone()));
                    statements.extend(found);
                }
                None => {
                    good = false;
                    self.bind_anyway(statement);
                }
            }
        }
        let bound = self.scope.end_block(mark);
        self.lint_block(block);
        let id = self.add_block(statements);
        self.note_block(id, notes);
        good.then_some((id, bound))
    }

    pub fn add_block(&mut self, mut statements: Vec<Statement>) -> BlockId {
        statements.shrink_to_fit();
        self.blocks.push(statements);
        self.block_calls.push(self.calls.first().map(|call| call.span));
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// After a mistake in it, a statement's name is bound all the same, so that one mistake is not
    /// reported twice.
    fn bind_anyway(&mut self, statement: &'a ast::Statement) {
        let (name, ty) = match &statement.node {
            StatementKind::Pick { name, from: ast::Source::Range(_), .. } => (name, Type::Number),
            StatementKind::Pick { name, .. } => (name, Type::Cells),
            StatementKind::Let { name, .. } => (name, Type::Cells),
            _ => return,
        };
        if self.scope.find(name).is_none() {
            self.scope.bind(name, ty, true, name.span);
            self.guessed.push(name.node.clone());
        }
    }

    /// Binds a name, unless it is one already.
    pub fn bind(&mut self, name: &ast::Word, ty: Type, follows: bool) -> Slot {
        self.bind_to(name, ty, follows, None)
    }

    /// The same for `let`, which may have been meant to `set` what has this name.
    fn bind_to(&mut self, name: &ast::Word, ty: Type, follows: bool, value: Option<&ast::Expr>) -> Slot {
        let set = || value.and_then(short).map(|value| format!("set {} = {value}", name.node));
        let word = name.node.as_str();
        if let Some(local) = self.scope.find(word) {
            let other = local.span;
            self.problem_with(Kind::BoundTwice { name: word.to_string(), set: set() }, name.span, other);
        } else if crate::syntax::builtin::is_builtin(word) {
            self.problem(Kind::BuiltinName { name: word.to_string() }, name.span);
        } else if self.scope.reach == Reach::Game
            && let Some(declared) = self.layers.names.get(word)
        {
            let other = declared.name.span;
            let keyword = declared.keyword.word();
            let set = if declared.keyword == Keyword::Remember { set() } else { None };
            self.problem_with(Kind::DuplicateName { name: word.to_string(), keyword, set }, name.span, other);
        }
        self.scope.bind(word, ty, follows, name.span)
    }

    fn statement(&mut self, statement: &'a ast::Statement, part: Part) -> Option<Vec<Statement>> {
        let span = statement.span;
        let one = match &statement.node {
            StatementKind::Pick { count, name, from, by } => {
                self.pick(count.as_ref(), name, from, by.as_ref(), (part, span))?
            }
            StatementKind::Either { by, branches, blocks } => {
                self.either(by.as_ref(), branches, blocks, (part, span))?
            }
            StatementKind::First(blocks) => {
                let around = std::mem::replace(&mut self.in_first, true);
                let blocks = self.branches(blocks, part);
                self.in_first = around;
                let blocks = blocks?;
                self.lint_first(&blocks);
                Statement::First { blocks, span }
            }
            StatementKind::Repeat { in_steps, silently, condition, body } => {
                self.repeat(*in_steps, *silently, condition.as_ref(), body, part, span)?
            }
            StatementKind::ForEach { name, from, body } => self.for_each(name, from, body, part, span)?,
            StatementKind::If { condition, then, otherwise } => self.if_(condition, then, otherwise.as_ref(), part)?,
            StatementKind::Need(condition) => Statement::Need { condition: self.truth(condition)?, span },
            StatementKind::Most(value) => {
                let value = self.number(value)?;
                self.asks.most = true;
                self.mosts += 1;
                Statement::Most { value, id: self.mosts, span }
            }
            StatementKind::Let { name, value } => {
                let term = self.term(value)?;
                let typed = self.expect_expr(term);
                let slot = self.bind_to(name, typed.ty(), false, Some(value));
                let value = typed;
                Statement::Assign { slot, value }
            }
            StatementKind::Set { name, of, value } => self.set(name, of.as_ref(), value, span)?,
            StatementKind::Do { name, arguments } => return self.do_(name, arguments, part),
            StatementKind::Part(named) => Statement::Block(self.named_part(named, part)?),
            StatementKind::Move { amount, who, how } => self.move_(amount.as_ref(), who, how, span)?,
            StatementKind::Capture { who } => {
                let (who, follow) = self.mover(who)?;
                Statement::Move { amount: None, who, landing: Landing::Ways { capture: true }, follow, span }
            }
            StatementKind::Place(place) => Statement::Place { place: self.place(place)?, span },
            StatementKind::Remove { what, from, to_hand } => {
                let what = match what {
                    ast::Removal::All => Some(Removal::All),
                    ast::Removal::Top(n) => self.number(n).map(Removal::Top),
                    ast::Removal::Bottom => Some(Removal::Bottom),
                };
                Statement::Remove { what: what?, from: self.cells(from)?, to_hand: *to_hand, span }
            }
            StatementKind::Flip(cells) => Statement::Flip { cells: self.cells(cells)?, span },
            StatementKind::Promote { who, kinds } => self.promote(who, kinds, span)?,
            StatementKind::AsUsual => Statement::Block(self.as_usual(part, span)?),
            StatementKind::Pass | StatementKind::Swap | StatementKind::Again => {
                self.turn_word(&statement.node, part, span)?
            }
            StatementKind::Mirror | StatementKind::Rotate | StatementKind::Picture { .. } => {
                self.setup_word(&statement.node, part, span)?
            }
        };
        self.lint_statement(&one, part, span);
        Some(vec![one])
    }

    fn turn_word(&mut self, statement: &StatementKind, part: Part, span: Span) -> Option<Statement> {
        if part.whole == Whole::Setup {
            self.problem(Kind::NotInSetup, span);
            return None;
        }
        if matches!(statement, StatementKind::Swap) && self.seats.len() != 2 {
            self.problem(Kind::SwapNeedsTwo, span);
            return None;
        }
        Some(match statement {
            StatementKind::Pass => Statement::Pass,
            StatementKind::Swap => Statement::Swap,
            _ => Statement::Again,
        })
    }

    fn setup_word(&mut self, statement: &'a StatementKind, part: Part, span: Span) -> Option<Statement> {
        if part.whole != Whole::Setup {
            self.problem(Kind::OnlyInSetup, span);
            return None;
        }
        match statement {
            StatementKind::Mirror => Some(Statement::Mirror { span }),
            StatementKind::Rotate => Some(Statement::Rotate { span }),
            StatementKind::Picture { rows, legend } => {
                let picture = self.picture(rows, legend)?;
                Some(Statement::Picture { picture, span })
            }
            _ => None,
        }
    }

    /// `either`: of blocks.
    fn chooser(&mut self, by: Option<&ast::Word>, part: Part, either: bool) -> Option<Chooser> {
        let Some(word) = by else { return Some(Chooser::Turn) };
        // A game that has declared the name for players means these.
        let is_free = self.scope.find(word).is_none() && self.declared(word).is_none();
        if word.node == "chance" && is_free {
            return self.chance(word, part, either);
        }
        // Here alone `chance` is a name, and nearer to what is meant than `changed`.
        if is_free && !builtin::is_builtin(word) && near(word, CHOOSERS).as_deref() == Some("chance") {
            self.problem(Kind::UnknownName { name: word.node.clone(), near: Some("chance".into()) }, word.span);
            return None;
        }
        let term = if word.starts_with(|c: char| c.is_ascii_uppercase()) {
            self.player_term(word, word.span)
        } else {
            self.name(word, word.span)
        };
        let players = self.expect_players(term?, word.span)?;
        if !matches!(players, Players::Own) {
            self.asks.plies = true;
        }
        Some(Chooser::By(players))
    }

    /// What chance chooses must not depend on what can be done with it, so nothing that asks whether
    /// runs can be completed stands around it.
    fn chance(&mut self, word: &ast::Word, part: Part, either: bool) -> Option<Chooser> {
        if part.whole == Whole::Setup {
            self.problem(Kind::ChanceInSetup { either }, word.span);
            return None;
        }
        if self.in_first {
            self.problem(Kind::ChanceInFirst, word.span);
            return None;
        }
        self.asks.chance = true;
        Some(Chooser::Chance)
    }

    fn pick(
        &mut self,
        count: Option<&Spanned<i64>>,
        name: &ast::Word,
        from: &'a ast::Source,
        by: Option<&ast::Word>,
        (part, span): (Part, Span),
    ) -> Option<Statement> {
        let chooser = self.chooser(by, part, false);
        let (from, ty, follows) = match from {
            ast::Source::Range(range) => (self.pick_range(range)?, Type::Number, false),
            ast::Source::Members(members) => self.choice(members)?,
        };
        let wanted = count.map_or(1, |count| count.node);
        if let Some(count) = count
            && (!(1..=crate::board::MAX_CELLS as i64).contains(&wanted) || ty != Type::Cells)
        {
            self.problem(Kind::BadPickCount, count.span);
            return None;
        }
        let slot = self.bind(name, ty, follows);
        Some(Statement::Pick { slot, count: wanted as u32, from, chooser: chooser?, span })
    }

    fn pick_range(&mut self, range: &ast::Range) -> Option<Choice> {
        let from = self.number(&range.from);
        let Some(to) = &range.to else {
            self.problem(Kind::EndlessRange, range.from.span);
            return None;
        };
        let to = self.number(to);
        Some(Choice::Range(from?, to?))
    }

    /// What can be picked from a set, the type of one member, and whether the name follows.
    fn choice(&mut self, members: &ast::Expr) -> Option<(Choice, Type, bool)> {
        let term = self.term(members)?;
        Some(match term {
            Term::Expr(Expr::Groups(groups)) => (Choice::Groups(groups), Type::Cells, true),
            Term::Expr(Expr::Dirs(dirs)) => (Choice::Dirs(dirs), Type::Dirs, false),
            Term::Expr(Expr::Axes(axes)) => (Choice::Axes(axes), Type::Axes, false),
            other => (Choice::Cells(self.expect_cells(other, members.span)?), Type::Cells, true),
        })
    }

    fn either(
        &mut self,
        by: Option<&ast::Word>,
        branches: &[ast::Branch],
        blocks: &'a [ast::Block],
        (part, span): (Part, Span),
    ) -> Option<Statement> {
        let chooser = self.chooser(by, part, true);
        let weights = match &chooser {
            Some(chooser) => self.weights(branches, chooser, part),
            None => None,
        };
        let blocks = self.branches(blocks, part);
        let written: Vec<Option<&ast::Text>> = branches.iter().map(|branch| branch.label.as_ref()).collect();
        let mut labels = Vec::new();
        for (at, label) in written.iter().enumerate() {
            let again = label.is_some_and(|label| written[..at].iter().flatten().any(|other| other.node == label.node));
            labels.push(label.and_then(|label| self.label(label, again)));
        }
        let blocks = blocks?;
        for ((block, _), label) in blocks.iter().zip(labels) {
            if label.is_some() {
                self.note_first(*block, span);
            }
            self.blocks[block.0 as usize].splice(0..0, label);
        }
        Some(Statement::Either { chooser: chooser?, weights: weights?, blocks, span })
    }

    /// What is written where a branch is chosen: one word that can be no other choice.
    fn label(&mut self, label: &ast::Text, again: bool) -> Option<Statement> {
        let word = label.node.as_str();
        let good = !again
            && word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !is_cell(&word.to_ascii_lowercase())
            && !["pass", "swap", "stop", "none"].contains(&word)
            && self.topology.direction_named(word).is_none()
            && self.kinds.iter().all(|kind| word != kind.letter.to_string());
        if !good {
            self.problem(Kind::BadLabel { label: word.to_string() }, label.span);
            return None;
        }
        let at = self.labels.iter().position(|known| known == word).unwrap_or_else(|| {
            self.labels.push(word.to_string());
            self.labels.len() - 1
        });
        Some(Statement::Label(at as u16))
    }

    /// The weights of an `either`: none if no block has one, else 1 where none is written.
    fn weights(&mut self, branches: &[ast::Branch], chooser: &Chooser, part: Part) -> Option<Vec<Number>> {
        let weights = || branches.iter().map(|branch| branch.weight.as_ref());
        let mut written = weights().flatten();
        let Some(first) = written.next() else { return Some(Vec::new()) };
        if !matches!(chooser, Chooser::Chance) {
            self.problem(Kind::WeightWithoutChance { in_setup: part.whole == Whole::Setup }, first.span);
            return None;
        }
        let numbers: Vec<Option<Number>> =
            weights().map(|weight| weight.map_or(Some(Number::Fixed(1)), |weight| self.number(weight))).collect();
        let numbers = numbers.into_iter().collect::<Option<Vec<_>>>()?;
        if numbers.iter().all(|number| self.fold().number(number).is_some_and(|weight| weight <= 0)) {
            self.problem(Kind::NoWeight, first.span);
            return None;
        }
        Some(numbers)
    }

    /// Blocks of which one is run: names bound in all of them are known afterwards.
    fn branches(&mut self, blocks: &'a [ast::Block], part: Part) -> Option<Vec<(BlockId, BranchId)>> {
        let mut made = Vec::new();
        let mut bound = Vec::new();
        for block in blocks {
            if let Some((id, names)) = self.block(block, part) {
                made.push((id, self.branch(BranchKind::Alternative, block.span)));
                bound.push(names);
            }
        }
        self.lint_same(blocks.iter().map(|block| block.span), "block");
        let good = made.len() == blocks.len();
        self.bind_common(bound);
        good.then_some(made)
    }

    fn bind_common(&mut self, mut bound: Vec<Vec<Local>>) {
        let Some(first) = bound.pop() else { return };
        for local in first {
            let others: Option<Vec<&Local>> =
                bound.iter().map(|names| names.iter().find(|other| other.name == local.name)).collect();
            if let Some(others) = others
                && others.iter().all(|other| other.ty == local.ty)
            {
                let follows = local.follows && others.iter().all(|other| other.follows);
                self.scope.bind(&local.name, local.ty, follows, local.span);
            }
        }
    }

    fn repeat(
        &mut self,
        in_steps: bool,
        silently: bool,
        condition: Option<&ast::Expr>,
        body: &'a ast::Block,
        part: Part,
        span: Span,
    ) -> Option<Statement> {
        let rounds = match condition {
            None => Some(Rounds::Free),
            Some(condition) => {
                let truth = self.truth(condition);
                if let Some(truth) = &truth
                    && self.fold().truth(truth) == Some(true)
                {
                    self.problem(Kind::EndlessLoop, condition.span);
                }
                truth.map(Rounds::While)
            }
        };
        if in_steps {
            self.asks.plies = true;
        }
        let (body_id, _) = self.block(body, part)?;
        self.lint_repeat(body_id, &rounds, (silently, span));
        Some(Statement::Repeat { rounds: rounds?, in_steps, silently, body: body_id, span })
    }

    fn for_each(
        &mut self,
        name: &ast::Word,
        from: &ast::Expr,
        body: &'a ast::Block,
        part: Part,
        span: Span,
    ) -> Option<Statement> {
        let (from, ty, _) = self.choice(from)?;
        let mark = self.scope.locals.len();
        let slot = self.bind(name, ty, false);
        let body = self.block(body, part);
        self.scope.end_block(mark);
        Some(Statement::ForEach { slot, from, body: body?.0, span })
    }

    fn if_(
        &mut self,
        condition: &ast::Expr,
        then: &'a ast::Block,
        otherwise: Option<&'a ast::Block>,
        part: Part,
    ) -> Option<Statement> {
        let blocks = std::iter::once(then).chain(otherwise);
        self.lint_same(blocks.map(|block| block.span), "block");
        let truth = self.truth(condition);
        let then_block = self.block(then, part);
        let then_branch = self.branch(BranchKind::Alternative, then.span);
        let otherwise = match otherwise {
            None => None,
            Some(block) => {
                let made = self.block(block, part);
                let branch = self.branch(BranchKind::Alternative, block.span);
                Some((made, branch))
            }
        };
        let (then_id, then_names) = then_block?;
        let otherwise = match otherwise {
            None => None,
            Some((made, branch)) => {
                let (id, names) = made?;
                self.bind_common(vec![then_names, names]);
                Some((id, branch))
            }
        };
        Some(Statement::If { condition: truth?, then: (then_id, then_branch), otherwise })
    }

    fn set(&mut self, name: &ast::Word, of: Option<&ast::Expr>, value: &ast::Expr, span: Span) -> Option<Statement> {
        let term = self.term(value)?;
        if let Some(local) = self.scope.find(name).cloned() {
            if let Some(of) = of {
                self.problem_with(Kind::NotPerPlayer { name: name.node.clone() }, of.span, local.span);
                return None;
            }
            let value = self.expect_type(term, local.ty, value.span)?;
            return Some(Statement::Assign { slot: local.slot, value });
        }
        let Some(declared) = self.declared(name).filter(|declared| declared.keyword == Keyword::Remember) else {
            self.not_settable(name);
            return None;
        };
        self.usage.set.insert(declared.name.span);
        let Some((id, state)) = self.state_named(name) else {
            if self.is_guessed(name) {
                return None;
            }
            self.problem(Kind::StateTooEarly { name: name.node.clone() }, name.span);
            return None;
        };
        let (ty, per_player) = (state.first.ty(), state.per_player);
        let of = match of {
            None => None,
            Some(of) if per_player => Some(self.players(of)?),
            Some(of) => {
                self.problem(Kind::NotPerPlayer { name: name.node.clone() }, of.span);
                return None;
            }
        };
        let value = self.expect_type(term, ty, value.span)?;
        let of = if per_player { Some(of.unwrap_or(Players::Own)) } else { None };
        Some(Statement::Remember { state: id, of, value, span })
    }

    fn not_settable(&mut self, name: &ast::Word) {
        match self.declared(name) {
            Some(declared) => {
                let kind = Kind::NotSettable { name: name.node.clone(), keyword: declared.keyword.word() };
                self.problem_with(kind, name.span, declared.name.span);
            }
            None if crate::syntax::builtin::is_builtin(name) => {
                self.problem(Kind::NotSettable { name: name.node.clone(), keyword: "built-in name" }, name.span)
            }
            None => self.unknown(name, name.span),
        }
    }

    /// `do name(args)`: the action's block in place. A parameter given a local's name stands for
    /// that local.
    fn do_(&mut self, name: &ast::Word, arguments: &[ast::Argument], part: Part) -> Option<Vec<Statement>> {
        let declared = match self.declared(name) {
            Some(declared) if declared.keyword == Keyword::Action => declared,
            Some(declared) => {
                let kind = Kind::NotAnAction { name: name.node.clone(), keyword: declared.keyword.word() };
                self.problem_with(kind, name.span, declared.name.span);
                return None;
            }
            None => {
                self.unknown_action(name);
                return None;
            }
        };
        self.uses(declared);
        let SectionKind::Action(action) = &declared.section.node else { return None };
        if action.parameters.len() != arguments.len() {
            let wanted = action.parameters.len().to_string();
            let form = Some(form_of(&action.name, &action.parameters));
            let kind = Kind::WrongArity { name: name.node.clone(), wanted, found: arguments.len(), form };
            self.problem_with(kind, name.span, declared.name.span);
            return None;
        }
        if self.doing.contains(&declared.name.span) {
            self.problem_with(Kind::RecursiveAction { name: name.node.clone() }, name.span, declared.name.span);
            return None;
        }
        let given = arguments;
        let arguments = given.iter().map(|argument| self.action_argument(argument)).collect::<Option<Vec<_>>>()?;
        let given = action.parameters.iter().zip(given);
        let given = given.map(|(parameter, argument)| (parameter.node.clone(), argument.span)).collect();
        let outer = self.scope.enter(reach_of(declared));
        self.doing.push(declared.name.span);
        self.calls.push(CallSite::new(name.span, given));
        let mut statements = Vec::new();
        for (parameter, argument) in action.parameters.iter().zip(arguments) {
            match argument {
                Passed::Local(local) => {
                    self.scope.locals.push(Local { name: parameter.node.clone(), span: parameter.span, ..local });
                }
                Passed::Value(value) => {
                    let slot = self.bind(parameter, value.ty(), false);
                    statements.push(Statement::Assign { slot, value });
                }
            }
        }
        let body = self.block(&action.body, Part { action: true, layer: declared.layer, replaced: 0, ..part });
        self.calls.pop();
        self.doing.pop();
        self.scope.leave(outer);
        statements.push(Statement::Block(body?.0));
        Some(statements)
    }

    fn action_argument(&mut self, argument: &ast::Argument) -> Option<Passed> {
        if let ast::ArgumentKind::Expr(e) = &argument.node
            && let ast::ExprKind::Name(name) = &*e.kind
            && let Some(local) = self.scope.find(name)
        {
            return Some(Passed::Local(local.clone()));
        }
        let term = self.argument_term(argument)?;
        Some(Passed::Value(self.expect_expr(term)))
    }

    fn unknown_action(&mut self, name: &ast::Word) {
        if self.problems.is_full("unknown-name") {
            return self.problem(Kind::UnknownName { name: name.node.clone(), near: None }, name.span);
        }
        let known = self.layers.names.values().chain(self.layers.prelude.values());
        let actions =
            known.filter(|declared| declared.keyword == Keyword::Action).map(|declared| declared.name.node.as_str());
        let near = near(name, actions);
        self.problem(Kind::UnknownName { name: name.node.clone(), near }, name.span);
    }

    /// `do name { ... }`: the block in place, or what a later text says instead.
    fn named_part(&mut self, named: &'a ast::Part, part: Part) -> Option<BlockId> {
        let name = named.name.node.as_str();
        // Names of the prelude may be hidden.
        if let Some(declared) = self.layers.names.get(name) {
            let kind = Kind::DuplicateName { name: name.to_string(), keyword: declared.keyword.word(), set: None };
            self.problem_with(kind, named.name.span, declared.name.span);
            return None;
        }
        self.parts_seen.insert(name.to_string());
        self.parts_around.push(PartAround { original: named, place: part });
        let made = self.part_under(self.parts_around.len(), usize::MAX);
        self.parts_around.pop();
        made
    }

    /// A named part as the highest text below `under` says it; the names around stay known.
    fn part_under(&mut self, at: usize, under: usize) -> Option<BlockId> {
        let PartAround { original, place } = *self.parts_around.get(at.checked_sub(1)?)?;
        let block = match self.layers.part(&original.name.node, place.layer, under) {
            Some((layer, other)) => {
                self.block(&other.body, Part { layer, action: false, replaced: at, whole: place.whole })
            }
            None => self.block(&original.body, place),
        };
        block.map(|(id, _)| id)
    }

    /// The same section of what is extended; in `opening`, the `move` section; in what replaces a named
    /// part, that part.
    fn as_usual(&mut self, part: Part, span: Span) -> Option<BlockId> {
        if part.replaced > 0 {
            return self.part_under(part.replaced, part.layer);
        }
        let (whole, under) = match part.whole {
            Whole::Opening => (Whole::Move, usize::MAX),
            other => (other, part.layer),
        };
        let found = if part.action { None } else { self.layers.whole(whole, under) };
        let Some((layer, section)) = found else {
            self.problem(Kind::NothingAsUsual, span);
            return None;
        };
        let (SectionKind::Move(block) | SectionKind::Setup(block)) = &section.node else { return None };
        let outer = self.scope.enter(Reach::Game);
        let made = self.block(block, Part { whole, layer, action: false, replaced: 0 });
        self.scope.leave(outer);
        made.map(|(id, _)| id)
    }
}

/// How an argument reaches an action.
enum Passed {
    Local(Local),
    Value(Expr),
}
