//! Traps: the parts of a game go in; warnings about what has a meaning that hardly anybody means
//! come out.

use std::collections::HashMap;

use crate::board::{Dir, Kind as KindId};
use crate::check::Checker;
use crate::check::error::Kind;
use crate::check::layers::Whole;
use crate::check::statement::Part;
use crate::model::{
    BlockId, BranchId, Call, Cells, Choice, Comparison, Expr, Groups, Landing, Number, Outcome, Place, Players,
    Program, Statement, Truth,
};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::SectionKind;

/// Defines within each other that are looked through; a truth may ask itself.
const NEST: u32 = 8;

impl<'a> Checker<'a> {
    /// Picks from, and acts on, cells of which there are none; a man for every empty cell.
    pub fn lint_statement(&mut self, statement: &Statement, part: Part, span: Span) {
        let cells = match statement {
            Statement::Pick { from: Choice::Cells(cells), .. }
            | Statement::Place { place: Place::On { cells, .. }, .. }
            | Statement::Remove { from: cells, .. }
            | Statement::Flip { cells, .. }
            | Statement::Move { landing: Landing::To { cells, .. }, .. } => cells,
            _ => return,
        };
        // Where the board depends on a param, another value may make cells of it.
        let depends = || self.params.keys().any(|param| mentions(self.sources.slice(span), param));
        // Why a part of it is empty has been told.
        if self.is_never(cells, NEST) && !depends() && !self.problems.has_within(span) {
            let picks = matches!(statement, Statement::Pick { .. } | Statement::Move { .. });
            let common = mentions(self.sources.slice(span), "and");
            self.problem(Kind::EmptySet { picks, common }, span);
        } else if let Statement::Place { place: Place::On { men, .. }, .. } = statement
            && part.whole != Whole::Setup
            && is_all_empty(cells)
        {
            let man = men.first().map_or(String::from("man"), |man| self.kinds[man.kind.index()].name.clone());
            self.problem(Kind::PlaceOnAll { man }, span);
        }
    }

    /// No cell is ever in the set.
    fn is_never(&self, cells: &Cells, nest: u32) -> bool {
        match cells {
            Cells::Fixed(set) => set.is_empty(),
            Cells::Or(parts) => parts.iter().all(|part| self.is_never(part, nest)),
            Cells::And(parts) => {
                let clash = |(at, one): (usize, &Cells)| parts[..at].iter().any(|other| are_apart(one, other));
                parts.iter().any(|part| self.is_never(part, nest)) || parts.iter().enumerate().any(clash)
            }
            Cells::Where(parts) => self.is_never(&parts.set, nest),
            Cells::Adjacent(of, _) | Cells::Shift(of, _) | Cells::Nth(of, _) => self.is_never(of, nest),
            Cells::Call(call) if nest > 0 => match self.define_body(call) {
                Some(Expr::Cells(body)) => self.is_never(body, nest - 1),
                _ => false,
            },
            _ => false,
        }
    }

    /// What a define without arguments stands for.
    fn define_body(&self, call: &Call) -> Option<&Expr> {
        let define = self.defines.get(call.define.0 as usize)?.as_ref()?;
        (define.parameters == 0).then_some(&define.body)
    }

    /// A truth that is the same whatever stands on the board.
    pub fn known_truth(&self, truth: &Truth) -> Option<bool> {
        self.fold().truth(truth).or_else(|| self.truth_by_sets(truth, NEST))
    }

    fn truth_by_sets(&self, truth: &Truth, nest: u32) -> Option<bool> {
        let known = |truth: &Truth| self.fold().truth(truth).or_else(|| self.truth_by_sets(truth, nest));
        match truth {
            Truth::Not(inner) => known(inner).map(|truth| !truth),
            Truth::And(parts) if parts.iter().any(|part| known(part) == Some(false)) => Some(false),
            Truth::Or(parts) if parts.iter().any(|part| known(part) == Some(true)) => Some(true),
            Truth::Some(set) => match &**set {
                Expr::Cells(cells) if self.is_never(cells, nest) => Some(false),
                Expr::Groups(Groups::Segments { from: Number::Fixed(from), .. }) if *from > self.longest => Some(false),
                _ => None,
            },
            Truth::Compare(op, sides) => self.compare_bounds(*op, &sides.0, &sides.1),
            Truth::Call(call) if nest > 0 => match self.define_body(call) {
                Some(Expr::Truth(body)) => self.truth_by_sets(body, nest - 1),
                _ => None,
            },
            _ => None,
        }
    }

    fn compare_bounds(&self, op: Comparison, left: &Number, right: &Number) -> Option<bool> {
        let ((low, high), (from, to)) = (self.bounds(left)?, self.bounds(right)?);
        let (less, more) = (high < from, low > to);
        let (at_most, at_least) = (high <= from, low >= to);
        let decided = |holds: bool, fails: bool| if holds { Some(true) } else { fails.then_some(false) };
        match op {
            Comparison::Less => decided(less, at_least),
            Comparison::AtMost => decided(at_most, more),
            Comparison::Greater => decided(more, at_most),
            Comparison::AtLeast => decided(at_least, less),
            Comparison::Equal => decided(false, less || more),
            Comparison::NotEqual => decided(less || more, false),
        }
    }

    /// The least and the greatest that a number may be.
    fn bounds(&self, number: &Number) -> Option<(i64, i64)> {
        match number {
            Number::Fixed(n) => Some((*n, *n)),
            Number::Count(set) => match &**set {
                Expr::Cells(_) => Some((0, self.topology.len() as i64)),
                // There are more segments than cells.
                Expr::Groups(_) => Some((0, i64::MAX)),
                _ => None,
            },
            Number::TimesPieces | Number::TimesPosition => Some((1, i64::MAX)),
            _ => None,
        }
    }

    /// Cells of the longest line of the board; a line that comes back to itself has no end.
    pub fn longest_line(&self) -> i64 {
        let all = self.topology.len();
        let length = |cell, dir: Dir| {
            let mut at = cell;
            let mut length = 1;
            while let Some(next) = self.topology.step(at, dir) {
                if next == cell || length > all {
                    return i64::MAX;
                }
                at = next;
                length += 1;
            }
            length as i64
        };
        let dirs = self.topology.straight();
        self.topology.cells().flat_map(|cell| dirs.iter().map(move |dir| length(cell, dir))).max().unwrap_or(1)
    }

    /// A count along a line that no line of the board has.
    pub fn lint_length(&mut self, count: &Number, span: Span) {
        let most = self.longest;
        if let Number::Fixed(found) = count
            && *found > most
        {
            self.problem(Kind::LongerThanBoard { found: *found, most }, span);
        }
    }

    /// `mirror` gives the others no men where players have no directions, but what is in hand.
    pub fn lint_mirror(&mut self, block: BlockId) {
        if self.seats.iter().all(|seat| seat.forward.is_some()) {
            return;
        }
        let statements = self.flat(block);
        let in_hand = |one: &&Statement| matches!(one, Statement::Place { place: Place::InHand { .. }, .. });
        let mirror = statements.iter().find_map(|one| match one {
            Statement::Mirror { span } => Some(("mirror", *span)),
            Statement::Rotate { span } => Some(("rotate", *span)),
            _ => None,
        });
        if let Some((word, span)) = mirror.filter(|_| !statements.iter().any(in_hand)) {
            self.problem(Kind::MirrorsNothing { word }, span);
        }
    }

    /// Blocks, ways or paths that say the same.
    pub fn lint_same(&mut self, spans: impl IntoIterator<Item = Span>, what: &'static str) {
        let mut seen: HashMap<String, Span> = HashMap::new();
        for span in spans {
            let text = self.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
            match seen.get(&text) {
                Some(first) => self.problem_with(Kind::SameAlternatives { what }, span, *first),
                None => {
                    seen.insert(text, span);
                }
            }
        }
    }

    /// What can be said of men only when all programs are known.
    pub fn lint_men(&mut self, setup: &Option<Program>, turn: &Option<Program>) {
        if setup.is_none() || turn.is_none() {
            return;
        }
        let mut any = false;
        let mut kinds: Vec<KindId> = Vec::new();
        for statement in self.blocks.iter().flatten() {
            match statement {
                Statement::Place { place: Place::InHand { man, .. }, .. } => kinds.push(man.kind),
                Statement::Place { place: Place::On { men, .. }, .. } => kinds.extend(men.iter().map(|man| man.kind)),
                Statement::Picture { picture, .. } => kinds.extend(picture.men.iter().map(|(.., kind)| *kind)),
                Statement::Promote { kinds: named, .. } => kinds.extend(named),
                _ => continue,
            }
            any = true;
        }
        // A kind comes from and goes to the one that it is declared `from`.
        let origins = self.kinds.iter().filter_map(|kind| kind.from);
        kinds.extend(origins);
        kinds.extend(
            (0..self.kinds.len()).map(|at| KindId(at as u8)).filter(|kind| self.kinds[kind.index()].from.is_some()),
        );
        for kind in kinds {
            let name = self.kinds[kind.index()].name.as_str();
            if let Some(declared) = self.layers.names.get(name) {
                self.usage.on_board.insert(declared.name.span);
            }
        }
        if !any {
            self.problem(Kind::NoMen, self.title_span);
        }
    }

    /// Turns that may go through without doing anything.
    pub fn lint_null_turns(&mut self, turn: &Option<Program>) {
        let Some((_, section)) = self.layers.top(Whole::Move) else { return };
        let Some(turn) = turn else { return };
        if let Some(span) = self.does_nothing(turn.block, crate::check::layers::head(section)) {
            self.problem(Kind::NullTurn, span);
        }
    }

    /// The place of a way through the block on which nothing is done, `around` if it is the whole
    /// block.
    fn does_nothing(&self, block: BlockId, around: Span) -> Option<Span> {
        let statements = &self.blocks[block.0 as usize];
        let is_lone_if = |one: &Statement| matches!(one, Statement::If { otherwise: None, .. });
        // Of several the conditions may leave no case out.
        let several_ifs = statements.iter().filter(|one| is_lone_if(one)).nth(1).is_some();
        let mut place = around;
        let mut chosen = false;
        for statement in statements {
            let branch = |branch: &BranchId| self.branches[usize::from(branch.0)].span;
            place = match statement {
                // It may ask that something has been done.
                Statement::Need { .. } if chosen => return None,
                Statement::Pick { .. }
                | Statement::Need { .. }
                | Statement::Most { .. }
                | Statement::Label(_)
                | Statement::Assign { .. } => continue,
                Statement::Either { blocks, .. } | Statement::First { blocks, .. } => {
                    blocks.iter().find_map(|(block, at)| self.does_nothing(*block, branch(at)))?
                }
                Statement::If { then, otherwise: Some(otherwise), .. } => self
                    .does_nothing(then.0, branch(&then.1))
                    .or_else(|| self.does_nothing(otherwise.0, branch(&otherwise.1)))?,
                Statement::If { then, .. } => {
                    let idle = self.does_nothing(then.0, branch(&then.1));
                    if several_ifs { idle? } else { idle.unwrap_or(place) }
                }
                Statement::Block(block) => self.does_nothing(*block, place)?,
                Statement::Repeat { body, .. } => self.does_nothing(*body, place)?,
                _ => return None,
            };
            chosen = true;
        }
        Some(place)
    }

    /// Outcomes that hold only where an earlier one does. Those that stand for `as usual` were
    /// written where nothing stood before them.
    pub fn lint_outcome_order(&mut self, end: &[Outcome]) {
        let Some((_, section)) = self.layers.top(Whole::End) else { return };
        let section = section.span;
        let mut earlier: HashMap<String, usize> = HashMap::new();
        for (at, outcome) in end.iter().enumerate() {
            let condition = without_spans(&outcome.condition);
            let parts = match &outcome.condition {
                Truth::And(parts) => parts.iter().map(without_spans).collect(),
                _ => Vec::new(),
            };
            let asked = std::iter::once(&condition).chain(&parts).find_map(|part| earlier.get(part).copied());
            if let Some(first) = asked
                && section.contains(outcome.span)
            {
                let same_result = without_spans(&end[first].result) == without_spans(&outcome.result);
                self.problem_with(Kind::OutcomeRepeated { same_result }, outcome.span, end[first].span);
            }
            earlier.entry(condition).or_insert(at);
        }
    }
}

/// A variant within a variant, which no command can choose; a variant with the title of its game.
pub fn lint_variants(game: &ast::Game, problems: &mut crate::check::Problems) {
    for section in &game.sections {
        let SectionKind::Variant(variant) = &section.node else { continue };
        if crate::check::key(&variant.title) == crate::check::key(&game.title) {
            problems.add_with(Kind::TitleOfGame, variant.title.span, game.title.span);
        }
        for inner in &variant.sections {
            if let SectionKind::Variant(inner) = &inner.node {
                let kind = Kind::NestedVariant { name: inner.title.node.clone(), outer: variant.title.node.clone() };
                problems.add(kind, inner.title.span);
            }
        }
    }
}

/// No cell is in both sets.
fn are_apart(one: &Cells, other: &Cells) -> bool {
    let has_men = |cells: &Cells| matches!(cells, Cells::Of(_) | Cells::Kind(_) | Cells::Neutral | Cells::Occupied);
    match (one, other) {
        (Cells::Empty, men) | (men, Cells::Empty) => has_men(men),
        (Cells::Neutral, Cells::Of(_)) | (Cells::Of(_), Cells::Neutral) => true,
        (Cells::Kind(a), Cells::Kind(b)) => a != b,
        (Cells::Fixed(a), Cells::Fixed(b)) => (*a & *b).is_empty(),
        (Cells::Of(a), Cells::Of(b)) => are_others(a, b),
        _ => false,
    }
}

fn are_others(one: &Players, other: &Players) -> bool {
    match (one, other) {
        (Players::Fixed(a), Players::Fixed(b)) => (*a & *b).is_empty(),
        (Players::Own, Players::Enemy | Players::Ally)
        | (Players::Enemy, Players::Own | Players::Ally)
        | (Players::Ally, Players::Own | Players::Enemy) => true,
        _ => false,
    }
}

/// All empty cells, or those in a part of the board.
fn is_all_empty(cells: &Cells) -> bool {
    let of_board = |part: &Cells| matches!(part, Cells::Empty | Cells::Fixed(_) | Cells::Band { .. } | Cells::LastRow);
    match cells {
        Cells::Empty => true,
        Cells::And(parts) => parts.iter().any(|part| matches!(part, Cells::Empty)) && parts.iter().all(of_board),
        _ => false,
    }
}

fn mentions(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|other| other == word)
}

/// A part of the model as text that says nothing of its place.
fn without_spans(part: &impl std::fmt::Debug) -> String {
    let text = format!("{part:?}");
    let mut pieces = text.split("Span { source: ");
    let mut kept = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        kept += piece.split_once('}').map_or(piece, |(_, rest)| rest);
    }
    kept
}
