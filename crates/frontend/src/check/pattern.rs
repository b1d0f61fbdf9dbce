//! Pattern checking: trees of line patterns go in; they come out with named patterns expanded, `^`
//! and `to` placed, and what is caught said item by item.

use std::collections::HashSet;

use crate::check::call::reach_of;
use crate::check::error::Kind;
use crate::check::layers::Declared;
use crate::check::term::Term;
use crate::check::{CallSite, Checker};
use crate::model::{Branch, BranchKind, Cells, Item, Leg, Line, Number, Path, Players, Times};
use crate::source::{SourceId, Span};
use crate::syntax::ast;
use crate::syntax::ast::{ExprKind, ItemKind, SectionKind};

/// What a line is for, and so what it must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A landing.
    Move,
    /// Something that is caught.
    Catches,
    Reach,
}

/// A pattern that names stand for, found by its declaration.
enum Named<'a> {
    /// It has `^`.
    Line(Declared<'a>, &'a ast::PatternDeclaration),
    Other,
}

impl<'a> Checker<'a> {
    /// `dirs: PATTERN`. `counted`: its paths are alternatives of a move.
    pub fn line(&mut self, line: &ast::Line, purpose: Use, counted: bool) -> Option<Line> {
        let dirs = self.dirs(&line.directions);
        let mut paths = Some(Vec::new());
        let mut uses = Vec::new();
        for path in &line.pattern.paths {
            match (self.path(path, None), &mut paths) {
                (Some(found), Some(all)) => {
                    uses.extend(found.iter().map(|_| path.span));
                    all.extend(found);
                }
                _ => paths = None,
            }
        }
        self.lint_same(line.pattern.paths.iter().map(|path| path.span), "path");
        let (dirs, mut paths) = (dirs?, paths?);
        self.check_purpose(&paths, purpose, line.pattern.span);
        for (path, used) in paths.iter_mut().zip(uses) {
            if counted {
                // What the prelude declares is used by each way for itself.
                let span = if path.span.source == SourceId::PRELUDE { used } else { path.span };
                path.branch = Some(self.branch(BranchKind::Path, span));
            }
        }
        Some(Line { dirs, paths, span: line.span })
    }

    fn check_purpose(&mut self, paths: &[Path], purpose: Use, span: Span) {
        let lands = paths.iter().find(|path| !path.lands).map(|path| path.span);
        match purpose {
            Use::Move | Use::Reach => {
                if let Some(without) = lands {
                    self.problem(Kind::NoLanding, without);
                }
            }
            Use::Catches if !paths.iter().any(|path| path.catches) => self.problem(Kind::CatchesNothing, span),
            Use::Catches => {}
        }
    }

    /// A path, or the paths of the named pattern that it consists of.
    fn path(&mut self, path: &ast::Path, sign: Option<char>) -> Option<Vec<Path>> {
        self.part(path.span, |checker| checker.path_of(path, sign))
    }

    fn path_of(&mut self, path: &ast::Path, sign: Option<char>) -> Option<Vec<Path>> {
        if let [item] = path.items.as_slice()
            && path.turnings.is_empty()
            && let ItemKind::Test(test, None) = &item.node
            && let ExprKind::Name(name) = &*test.kind
            && let Named::Line(declared, pattern) = self.named_pattern(name)
        {
            return self.expanded(declared, pattern, test.span);
        }
        self.plain_path(path, sign).map(|path| vec![path])
    }

    fn named_pattern(&self, name: &str) -> Named<'a> {
        if self.scope.find(name).is_some() {
            return Named::Other;
        }
        match self.declared(name) {
            Some(declared) => match &declared.section.node {
                SectionKind::Pattern(pattern) if has_anchor(&pattern.pattern) || names_only(&pattern.pattern) => {
                    if self.leads_to_line(pattern) { Named::Line(declared, pattern) } else { Named::Other }
                }
                _ => Named::Other,
            },
            None => Named::Other,
        }
    }

    /// A pattern with `^`, or whose paths are names of patterns with `^`.
    fn leads_to_line(&self, pattern: &ast::PatternDeclaration) -> bool {
        let mut open = vec![pattern];
        let mut seen = HashSet::from([pattern.name.span]);
        while let Some(next) = open.pop() {
            if has_anchor(&next.pattern) {
                return true;
            }
            for path in &next.pattern.paths {
                let [ast::Item { node: ItemKind::Test(test, None), .. }] = path.items.as_slice() else { continue };
                let ExprKind::Name(name) = &*test.kind else { continue };
                if let Some(SectionKind::Pattern(inner)) = self.declared(name).map(|declared| &declared.section.node)
                    && seen.len() < crate::check::MAX_NEST
                    && seen.insert(inner.name.span)
                {
                    open.push(inner);
                }
            }
        }
        false
    }

    /// The paths of a named pattern, read where it is declared.
    fn expanded(
        &mut self,
        declared: Declared<'a>,
        pattern: &'a ast::PatternDeclaration,
        span: Span,
    ) -> Option<Vec<Path>> {
        self.uses(declared);
        if self.expanding.contains(&declared.name.span) {
            self.problem_with(Kind::RecursivePattern { name: pattern.name.node.clone() }, span, declared.name.span);
            return None;
        }
        self.expanding.push(declared.name.span);
        let sign = pattern.sign.as_ref().and_then(|sign| sign.chars().next());
        let outer = self.scope.enter(reach_of(declared));
        let (paths, _) = self.within_call(CallSite::new(span, Vec::new()), |checker| {
            let paths = pattern.pattern.paths.iter().map(|path| checker.path(path, sign));
            paths.collect::<Option<Vec<Vec<Path>>>>()
        });
        self.scope.leave(outer);
        self.expanding.pop();
        let mut paths: Vec<Path> = paths?.into_iter().flatten().collect();
        for path in &mut paths {
            path.sign = path.sign.or(sign);
        }
        Some(paths)
    }

    fn plain_path(&mut self, path: &ast::Path, sign: Option<char>) -> Option<Path> {
        let anchors: Vec<Span> =
            all_items(path).filter(|item| item.node == ItemKind::Anchor).map(|item| item.span).collect();
        let at = path.items.iter().position(|item| item.node == ItemKind::Anchor);
        match (anchors.as_slice(), at) {
            ([], _) | ([_], None) => {
                self.problem(Kind::NoAnchor, anchors.first().copied().unwrap_or(path.span));
                return None;
            }
            ([first, second, ..], _) => {
                self.problem_with(Kind::TwoAnchors, *second, *first);
                return None;
            }
            _ => {}
        }
        let at = at?;
        let mut before = self.items(&path.items[..at]);
        if let Some(before) = &mut before {
            before.reverse();
        }
        let after = self.items(&path.items[at + 1..]);
        let mut turnings = Some(Vec::new());
        for (dirs, items) in &path.turnings {
            match (self.turning(dirs, items), &mut turnings) {
                (Some(leg), Some(all)) => all.push(leg),
                _ => turnings = None,
            }
        }
        let (before, after, turnings) = (before?, after?, turnings?);
        let every = || before.iter().chain(&after).chain(turnings.iter().flat_map(|leg: &Leg| &leg.items));
        let landings = every().filter(|item| item.lands).count();
        if landings > 1 {
            let mut spans =
                all_items(path).filter(|item| matches!(item.node, ItemKind::Landing(_))).map(|item| item.span);
            let first = spans.next().unwrap_or(path.span);
            self.problem_with(Kind::TwoLandings, spans.next().unwrap_or(path.span), first);
            return None;
        }
        let catches = every().any(|item| !item.caught.is_empty());
        self.note_items(path, at);
        Some(Path { lands: landings == 1, catches, before, after, turnings, sign, branch: None, span: path.span })
    }

    fn turning(&mut self, dirs: &ast::Expr, items: &[ast::Item]) -> Option<Leg> {
        let outer = std::mem::replace(&mut self.scope.turning, true);
        let dirs = self.dirs(dirs);
        self.scope.turning = outer;
        let items = self.items(items);
        Some(Leg { dirs: dirs?, items: items? })
    }

    fn items(&mut self, items: &[ast::Item]) -> Option<Vec<Item>> {
        let found: Vec<Option<Item>> = items.iter().map(|item| self.item(item)).collect();
        found.into_iter().collect()
    }

    fn item(&mut self, item: &ast::Item) -> Option<Item> {
        self.part(item.span, |checker| checker.item_of(item))
    }

    fn item_of(&mut self, item: &ast::Item) -> Option<Item> {
        let (test, times, lands) = match &item.node {
            ItemKind::Anchor => return None,
            ItemKind::Landing(test) => (test, None, true),
            ItemKind::Test(test, times) => (test, times.as_ref(), false),
        };
        let inner_times = match &*test.kind {
            ExprKind::Caught(_, times) => times.as_ref(),
            _ => None,
        };
        if lands && inner_times.is_some() {
            self.problem(Kind::LandingWithCount, item.span);
            return None;
        }
        let times = self.times(times.or(inner_times));
        let (cells, caught) = self.test(test)?;
        if let Cells::Fixed(set) = &cells
            && set.is_empty()
            && !crate::check::lint::is_none(test)
        {
            self.problem(Kind::MatchesNothing, test.span);
        }
        Some(Item { test: cells, caught, times: times?, lands })
    }

    /// A test's cells, and the `< >` sets in it.
    fn test(&mut self, test: &ast::Expr) -> Option<(Cells, Vec<Cells>)> {
        let outer = self.catching.replace(Vec::new());
        self.begin_notes();
        let inner = match &*test.kind {
            ExprKind::Caught(set, _) => self.caught(set, None, test.span),
            _ => self.term(test),
        };
        let cells = inner.and_then(|term| self.expect_cells(term, test.span));
        let note = self.end_notes(test.span);
        self.note_test(note);
        let caught = std::mem::replace(&mut self.catching, outer);
        Some((cells?, caught.unwrap_or_default()))
    }

    fn times(&mut self, times: Option<&ast::Times>) -> Option<Times> {
        let fixed = |from, to: Option<i64>| Some(Times::Between(Number::Fixed(from), to.map(Number::Fixed)));
        match times {
            None => Some(Times::One),
            Some(ast::Times::Star) => fixed(0, None),
            Some(ast::Times::Plus) => fixed(1, None),
            Some(ast::Times::Query) => fixed(0, Some(1)),
            Some(ast::Times::Exactly(n)) => {
                let span = n.span;
                let n = self.number(n)?;
                self.lint_length(&n, span);
                Some(Times::Between(n.clone(), Some(n)))
            }
            Some(ast::Times::Range(range)) => {
                let from = self.number(&range.from);
                let to = match &range.to {
                    Some(to) => Some(self.number(to)?),
                    None => None,
                };
                let from = from?;
                self.lint_length(&from, range.from.span);
                if let (Number::Fixed(low), Some(Number::Fixed(high))) = (&from, &to)
                    && low > high
                {
                    self.problem(Kind::MatchesNothing, range.from.span);
                }
                Some(Times::Between(from, to))
            }
        }
    }

    /// `< set >` within a test.
    pub fn caught(&mut self, set: &ast::Expr, times: Option<&ast::Times>, span: Span) -> Option<Term> {
        if self.catching.is_none() {
            self.problem(Kind::CaughtOutsidePattern, span);
            return None;
        }
        if times.is_some() {
            self.problem(Kind::CountInsideTest, span);
            return None;
        }
        let cells = self.cells(set)?;
        let men = self.men_of(&cells);
        if let Some(caught) = &mut self.catching {
            caught.push(men);
        }
        Some(cells.into())
    }

    /// The cells of a set with men that can be caught: all of a set that names men outright.
    fn men_of(&self, cells: &Cells) -> Cells {
        let waits = self.captures_wait();
        if holds_men_only(cells, waits) {
            return cells.clone();
        }
        // Men that wait to leave are nobody's and of no kind, but their cells are `occupied`.
        let men = match waits {
            false => Cells::Occupied,
            true => Cells::Or(vec![
                Cells::Of(Players::Own),
                Cells::Of(Players::Enemy),
                Cells::Of(Players::Ally),
                Cells::Neutral,
            ]),
        };
        Cells::And(vec![cells.clone(), men])
    }

    /// The name of a pattern without `^`, within a test: its sets united.
    pub fn test_pattern(&mut self, declared: Declared<'a>, span: Span) -> Option<Term> {
        let SectionKind::Pattern(pattern) = &declared.section.node else { return None };
        if has_anchor(&pattern.pattern) {
            self.problem_with(Kind::LineInsideTest { name: pattern.name.node.clone() }, span, declared.name.span);
            return None;
        }
        if self.expanding.contains(&declared.name.span) {
            self.problem_with(Kind::RecursivePattern { name: pattern.name.node.clone() }, span, declared.name.span);
            return None;
        }
        self.expanding.push(declared.name.span);
        let outer = self.scope.enter(reach_of(declared));
        let (parts, _) = self.within_call(CallSite::new(span, Vec::new()), |checker| {
            let paths = pattern.pattern.paths.iter();
            let parts = paths.map(|path| checker.part(path.span, |checker| checker.test_path(path)));
            parts.collect::<Option<Vec<Cells>>>()
        });
        self.scope.leave(outer);
        self.expanding.pop();
        let mut parts = parts?;
        let cells = if parts.len() == 1 { parts.swap_remove(0) } else { Cells::Or(parts) };
        Some(self.tidy(cells).into())
    }

    fn test_path(&mut self, path: &ast::Path) -> Option<Cells> {
        match path.items.as_slice() {
            [ast::Item { node: ItemKind::Test(test, None), .. }] if path.turnings.is_empty() => {
                let term = match &*test.kind {
                    ExprKind::Caught(set, times) => self.caught(set, times.as_ref(), test.span),
                    _ => self.term(test),
                }?;
                self.expect_cells(term, test.span)
            }
            _ => {
                self.problem(Kind::NoAnchor, path.span);
                None
            }
        }
    }

    /// Checks a pattern that is declared, whether it is used or not.
    pub fn pattern_declaration(&mut self, declared: Declared<'a>, pattern: &'a ast::PatternDeclaration) {
        self.in_frame(reach_of(declared), |checker| {
            if checker.leads_to_line(pattern) {
                checker.expanding.push(declared.name.span);
                for path in &pattern.pattern.paths {
                    checker.path(path, None);
                }
                checker.expanding.pop();
            } else {
                checker.catching = Some(Vec::new());
                checker.test_pattern(declared, pattern.name.span);
            }
        });
    }

    /// A sign is one mark that means nothing else in a written move.
    pub fn check_sign(&mut self, pattern: &'a ast::PatternDeclaration) {
        if let Some(sign) = &pattern.sign
            && (sign.chars().count() != 1
                || !sign.chars().all(|c| c.is_ascii_punctuation() && !"()[]'\"=:/".contains(c)))
        {
            self.problem(Kind::BadSign, sign.span);
        }
    }

    pub fn branch(&mut self, kind: BranchKind, span: Span) -> crate::model::BranchId {
        let id = crate::model::BranchId(self.branches.len().min(usize::from(u16::MAX)) as u16);
        self.branches.push(Branch { kind, span });
        id
    }
}

fn all_items(path: &ast::Path) -> impl Iterator<Item = &ast::Item> {
    path.items.iter().chain(path.turnings.iter().flat_map(|(_, items)| items))
}

fn has_anchor(pattern: &ast::Pattern) -> bool {
    pattern.paths.iter().any(|path| all_items(path).any(|item| item.node == ItemKind::Anchor))
}

/// Every path is a bare name.
fn names_only(pattern: &ast::Pattern) -> bool {
    pattern.paths.iter().all(|path| match path.items.as_slice() {
        [ast::Item { node: ItemKind::Test(test, None), .. }] => matches!(&*test.kind, ExprKind::Name(_)),
        _ => false,
    })
}

/// No cell of the set can be empty or, where caught men wait to leave (`waits`), hold one of these.
fn holds_men_only(cells: &Cells, waits: bool) -> bool {
    match cells {
        Cells::Of(_) | Cells::Kind(_) | Cells::Neutral => true,
        Cells::Occupied => !waits,
        Cells::Fixed(set) => set.is_empty(),
        Cells::And(parts) => parts.iter().any(|part| holds_men_only(part, waits)),
        Cells::Or(parts) => parts.iter().all(|part| holds_men_only(part, waits)),
        Cells::If(either) => holds_men_only(&either.then, waits) && holds_men_only(&either.otherwise, waits),
        Cells::Where(members) => holds_men_only(&members.set, waits),
        _ => false,
    }
}
