//! Lints: a checked game goes in; what looks wrong though it has a meaning comes out.

use std::collections::HashMap;

use crate::board::{CellSet, Player};
use crate::check::error::Kind;
use crate::check::term::short;
use crate::check::{Checker, Usage};
use crate::model::{
    BandAxis, BlockId, BranchId, Cells, Dirs, Expr, Item, Landing, Line, Number, Outcome, Path, Place, Program, Rounds,
    Statement,
};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::{ExprKind, SectionKind, StatementKind};

impl<'a> Checker<'a> {
    /// `forward diagonal`: no direction is both, where forward is no diagonal.
    pub fn lint_forward_diagonal(&mut self, words: &[ast::Word], span: Span) {
        let word = words.iter().find_map(|word| match word.node.as_str() {
            "forward" => Some(("forward", "ahead")),
            "backward" => Some(("backward", "behind")),
            _ => None,
        });
        let Some((word, mend)) = word else { return };
        let diagonal = self.topology.diagonal();
        let crossed = words.iter().any(|word| word.node == "diagonal")
            && self.seats.iter().all(|seat| seat.forward.is_some_and(|forward| !diagonal.contains(forward)));
        if crossed {
            self.problem(Kind::ForwardDiagonal { word, mend }, span);
        }
    }

    /// Directions that have nothing in common.
    pub fn lint_empty_dirs(&mut self, dirs: &[Dirs], and: bool, span: Span) {
        let all = Dirs::And(dirs.to_vec());
        let empty = self.fold().dirs(&all).is_some_and(|set| set.is_empty());
        let parts_empty = dirs.iter().any(|part| self.fold().dirs(part).is_some_and(|set| set.is_empty()));
        if and && empty && !parts_empty {
            self.problem(Kind::EmptyDirs, span);
        }
    }

    pub fn lint_bare_or(&mut self, set: &ast::Expr, condition: &ast::Expr) {
        if let ExprKind::Or(parts) = &*condition.kind
            && let [first, second, ..] = parts.as_slice()
        {
            let whole = || Some(format!("{} where ({})", short(set)?, short(condition)?));
            let part = || Some(format!("({} where {}) or {}", short(set)?, short(first)?, short(second)?));
            self.problem(Kind::BareOr { one: whole(), other: part() }, second.span);
        }
    }

    pub fn lint_band(&mut self, axis: BandAxis, from: &Number, to: &Number, span: Span) {
        let (Some(from), Some(to)) = (self.fold().number(from), self.fold().number(to)) else { return };
        let (axis, most) = match axis {
            BandAxis::File => ("files", i64::from(self.topology.files())),
            BandAxis::Rank => ("ranks", i64::from(self.topology.ranks())),
            BandAxis::Row => {
                let forwards = self.seats.iter().filter_map(|seat| seat.forward);
                ("rows", forwards.map(|dir| self.topology.last_row(dir)).max().unwrap_or(0))
            }
        };
        if from > most || to < 1 || from > to {
            self.problem(Kind::BandOutside { axis, most }, span);
        }
    }

    /// `most` ends its block; what stands directly beside `where` and the like is looked at where
    /// it is checked.
    pub fn lint_block(&mut self, block: &ast::Block) {
        let last = block.statements.len().saturating_sub(1);
        for statement in &block.statements[..last] {
            if matches!(statement.node, StatementKind::Most(_)) {
                self.problem(Kind::MostNotLast, statement.span);
            }
        }
    }

    /// An earlier block that always succeeds hides the later ones; only what cannot die is said to.
    pub fn lint_first(&mut self, blocks: &[(BlockId, BranchId)]) {
        for pair in blocks.windows(2) {
            let sure = self.blocks[pair[0].0.0 as usize].iter().all(|statement| self.always_succeeds(statement));
            // What follows the `first` may still fail, so only a block that does nothing to the
            // position is sure to hide.
            if sure {
                let span = self.branches[usize::from(pair[1].1.0)].span;
                self.problem(Kind::Unreachable, span);
            }
        }
    }

    fn always_succeeds(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Pass
            | Statement::Swap
            | Statement::Again
            | Statement::Label(_)
            | Statement::Assign { .. }
            | Statement::Remember { .. } => true,
            Statement::Block(block) => self.blocks[block.0 as usize].iter().all(|inner| self.always_succeeds(inner)),
            Statement::Need { condition, .. } => self.fold().truth(condition) == Some(true),
            _ => false,
        }
    }

    /// A loop whose rounds neither use up men or cells nor set anything that its conditions or
    /// patterns read.
    pub fn lint_repeat(&mut self, body: BlockId, rounds: &Option<Rounds>, (silently, span): (bool, Span)) {
        let statements = self.flat(body);
        // Rounds that are not written end where they come back. A `first` within has to know how they go on.
        let tries = statements.iter().any(|statement| matches!(statement, Statement::First { .. }));
        let ends = silently && matches!(rounds, Some(Rounds::Free)) && !tries;
        let moves = statements.iter().any(|statement| matches!(statement, Statement::Move { .. }));
        let bounded = matches!(rounds, Some(Rounds::While(_))) && moves;
        let idle = !ends && !bounded && !self.uses_up(&statements) && !sets_what_is_asked(&statements, rounds);
        if idle {
            let word = Span { end: span.start + "repeat".len() as u32, ..span };
            self.problem(Kind::IdleRepeat, word);
        }
    }

    /// Some statement changes which men stand on the board.
    fn uses_up(&self, statements: &[&Statement]) -> bool {
        let ways_catch =
            || self.kinds.iter().any(|kind| kind.ways.iter().any(|way| way.line.paths.iter().any(|path| path.catches)));
        statements.iter().any(|statement| match statement {
            Statement::Place { .. } | Statement::Remove { .. } | Statement::Flip { .. } | Statement::Promote { .. } => {
                true
            }
            Statement::Move { amount: Some(_), .. } => true,
            Statement::Move { landing: Landing::Line(line), .. } => line.paths.iter().any(|path| path.catches),
            Statement::Move { landing: Landing::Ways { .. }, .. } => ways_catch(),
            _ => false,
        })
    }

    /// All statements of a block and of those within it.
    pub fn flat(&self, block: BlockId) -> Vec<&Statement> {
        let mut found = Vec::new();
        let mut open = vec![block];
        while let Some(block) = open.pop() {
            for statement in &self.blocks[block.0 as usize] {
                open.extend(statement.blocks());
                found.push(statement);
            }
        }
        found
    }

    /// Landings on men that are not caught; landings that two paths share; caught men that stay
    /// where the mover lands.
    pub fn lint_landing(&mut self, line: &Line) {
        let waits = self.captures_wait();
        for path in &line.paths {
            let Some(item) = items(path).find(|item| item.lands) else { continue };
            if waits && !item.caught.is_empty() {
                self.problem(Kind::LandingWaits, path.span);
            }
            if !self.stacks && !waits && !self.is_free(&item.test, &item.caught, 0) {
                self.problem(Kind::LandingOnMen, path.span);
            }
        }
        self.lint_same_landing(line);
    }

    /// `captures leave at end of move`
    pub fn captures_wait(&self) -> bool {
        matches!(
            self.layers.top(crate::check::layers::Whole::Captures).map(|(_, section)| &section.node),
            Some(SectionKind::Captures(ast::Captures::LeaveAtEndOfMove))
        )
    }

    /// `move p to S`, where S names men outright.
    pub fn lint_landing_set(&mut self, cells: &Cells, span: Span) {
        let men = match cells {
            Cells::Fixed(set) => !set.is_empty(),
            Cells::Of(_) | Cells::Kind(_) | Cells::Occupied | Cells::Neutral => true,
            _ => false,
        };
        if men && !self.stacks {
            self.problem(Kind::LandingOnMen, span);
        }
    }

    /// Men of a set-up that are put where the lines above have put some.
    pub fn lint_setup(&mut self, block: BlockId) {
        if self.stacks {
            return;
        }
        let mut taken: Vec<(CellSet, Span)> = Vec::new();
        for statement in self.blocks[block.0 as usize].clone() {
            let (set, span) = match &statement {
                Statement::Place { place: Place::On { cells: Cells::Fixed(set), .. }, span } => (*set, *span),
                Statement::Picture { picture, span } => (picture.men.iter().map(|(cell, ..)| *cell).collect(), *span),
                Statement::Place { .. } => continue,
                _ => return,
            };
            if let Some((_, first)) = taken.iter().find(|(other, _)| !(*other & set).is_empty()) {
                self.problem_with(Kind::PlacedTwice, span, *first);
            }
            taken.push((set, span));
        }
    }

    fn lint_same_landing(&mut self, line: &Line) {
        let apart = |path: &&Path| items(path).any(|item| !item.lands && !item.caught.is_empty());
        let mut shapes: HashMap<Option<char>, String> = HashMap::new();
        for path in line.paths.iter().filter(apart) {
            // If all so far are alike, one stands for them.
            let shape = shape(path);
            let first = shapes.entry(path.sign).or_insert_with(|| shape.clone());
            if *first != shape {
                self.problem(Kind::SameLanding, line.span);
                return;
            }
        }
    }

    /// What can be said only of the whole game.
    pub fn lint_game(&mut self, turn: &Option<Program>, end: &Option<Vec<Outcome>>) {
        if let (Some(turn), Some(end)) = (turn, end) {
            self.lint_outcomes(turn, end);
            self.lint_outcome_order(end);
        }
        self.lint_null_turns(turn);
        self.lint_turns();
    }

    fn lint_outcomes(&mut self, turn: &Program, end: &[Outcome]) {
        for (i, outcome) in end.iter().enumerate() {
            match self.known_truth(&outcome.condition) {
                Some(true) if i + 1 < end.len() && self.params.is_empty() => {
                    self.problem_with(Kind::OutcomeHidden, end[i + 1].span, outcome.span)
                }
                Some(true) if self.params.is_empty() => self.problem(Kind::AlwaysHolds, outcome.span),
                // With params it may hold under other values; why it cannot may have been told.
                Some(false) if self.params.is_empty() && !self.problems.has_within(outcome.span) => {
                    self.problem(Kind::NeverHolds, outcome.span)
                }
                _ => {}
            }
        }
        let passes = self.blocks.iter().flatten().any(|statement| matches!(statement, Statement::Pass));
        let told = self.end_asks_stuck || passes || end.is_empty() || self.never_stuck(turn, end);
        if !told
            && let Some((_, section)) = self.layers.top(crate::check::layers::Whole::End)
            && !extends_usual(section)
        {
            self.problem(Kind::NoStuckOutcome, crate::check::layers::head(section));
        }
    }

    /// Every turn ends with `again`: the second player never gets one.
    fn lint_turns(&mut self) {
        let Some((_, section)) = self.layers.top(crate::check::layers::Whole::Move) else { return };
        let SectionKind::Move(block) = &section.node else { return };
        let again = block.statements.iter().find(|statement| statement.node == StatementKind::Again);
        if let (Some(again), Some(second)) = (again, self.seats.get(Player(1).index())) {
            let name = second.name.clone();
            self.problem(Kind::NeverTurn { name }, again.span);
        }
    }
}

/// A value is set that a condition or a pattern of the loop reads.
fn sets_what_is_asked(statements: &[&Statement], rounds: &Option<Rounds>) -> bool {
    let mut asked = format!("{rounds:?}");
    for statement in statements {
        match statement {
            Statement::Need { condition, .. } | Statement::If { condition, .. } => asked += &format!("{condition:?}"),
            Statement::Move { landing, .. } => asked += &format!("{landing:?}"),
            Statement::Pick { from, .. } => asked += &format!("{from:?}"),
            _ => {}
        }
    }
    statements.iter().any(|statement| match statement {
        Statement::Assign { slot, .. } => asked.contains(&format!("{slot:?}")),
        Statement::Remember { state, .. } => asked.contains(&format!("{state:?}")),
        _ => false,
    })
}

/// Declarations of a text that neither its game nor any of its variants uses, and values that none
/// sets.
pub fn unused(sections: &[ast::Section], usage: &Usage, problems: &mut crate::check::Problems) {
    for section in sections {
        let (name, keyword) = match &section.node {
            SectionKind::Param(param) => (&param.name, "param"),
            SectionKind::Piece(piece) => (&piece.name, "piece"),
            SectionKind::Remember(remember) => (&remember.name, "remembered value"),
            SectionKind::Define(define) => (&define.name, "define"),
            SectionKind::Pattern(pattern) => (&pattern.name, "pattern"),
            SectionKind::Action(action) => (&action.name, "action"),
            SectionKind::Variant(variant) => {
                unused(&variant.sections, usage, problems);
                continue;
            }
            _ => continue,
        };
        if !usage.used.contains(&name.span) {
            problems.add(Kind::Unused { name: name.node.clone(), keyword }, name.span);
        } else if matches!(section.node, SectionKind::Remember(_)) && !usage.set.contains(&name.span) {
            problems.add(Kind::NeverSet { name: name.node.clone() }, name.span);
        } else if matches!(section.node, SectionKind::Piece(_)) && !usage.on_board.contains(&name.span) {
            problems.add(Kind::NeverOnBoard { name: name.node.clone() }, name.span);
        }
    }
}

/// The word `none` itself.
pub fn is_none(e: &ast::Expr) -> bool {
    match &*e.kind {
        ExprKind::Name(name) => name == "none",
        ExprKind::Brackets(inner) => is_none(inner),
        _ => false,
    }
}

/// An `end` with `as usual`: what it lacks has been said of the section that it stands for.
fn extends_usual(section: &ast::Section) -> bool {
    match &section.node {
        SectionKind::End(outcomes) => outcomes.iter().any(|outcome| outcome.node == ast::OutcomeKind::AsUsual),
        _ => false,
    }
}

fn items(path: &Path) -> impl Iterator<Item = &Item> {
    path.before.iter().chain(&path.after).chain(path.turnings.iter().flat_map(|leg| &leg.items))
}

fn shape(path: &Path) -> String {
    format!("{:?} {:?} {:?}", path.before, path.after, path.turnings)
}

impl Checker<'_> {
    /// No cell of the test can hold a man that is not caught.
    fn is_free(&self, test: &Cells, caught: &[Cells], depth: usize) -> bool {
        let is_free = |part: &Cells| self.is_free(part, caught, depth);
        match test {
            Cells::And(parts) if parts.iter().any(is_free) => true,
            Cells::Or(parts) => parts.iter().all(is_free),
            Cells::Where(filter) if is_free(&filter.set) => true,
            Cells::Call(call) if depth < MOST_CALLS => {
                let define = self.defines.get(call.define.0 as usize).and_then(Option::as_ref);
                let body = define.and_then(|define| match &define.body {
                    Expr::Cells(body) => Some(body),
                    _ => None,
                });
                body.is_some_and(|body| self.is_free(body, &[], depth + 1)) || is_caught(test, caught)
            }
            Cells::Empty => true,
            Cells::Fixed(set) if set.is_empty() => true,
            _ => is_caught(test, caught),
        }
    }
}

/// Defines within each other that are looked into.
const MOST_CALLS: usize = 8;

/// What is caught has all men of the test.
fn is_caught(test: &Cells, caught: &[Cells]) -> bool {
    // Of a set that may hold empty cells only the men are caught, and what else is in it is free.
    let same = |other: &Cells| {
        let test = format!("{test:?}");
        let men_of_it =
            |parts: &[Cells]| matches!(parts, [set, Cells::Occupied | Cells::Or(_)] if format!("{set:?}") == test);
        format!("{other:?}") == test || matches!(other, Cells::And(parts) if men_of_it(parts))
    };
    caught.iter().any(same)
}
