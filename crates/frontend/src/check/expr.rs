//! Expression checking: trees of expressions go in; typed expressions of the model come out.

use crate::board::{CellSet, PlayerSet, Shape, Topology, parse_cell};
use crate::check::Checker;
use crate::check::error::Kind;
use crate::check::term::{Family, Term, short, type_word};
use crate::model;
use crate::model::{
    Arithmetic, Axes, BandAxis, Cells, Comparison, Coordinate, Dirs, Expr, Groups, If, Number, Players, Truth, Type,
    Where,
};
use crate::source::{Span, Spanned};
use crate::syntax::ast;
use crate::syntax::ast::{ExprKind, Relation};

impl Checker<'_> {
    pub fn cells(&mut self, e: &ast::Expr) -> Option<Cells> {
        let term = self.term(e)?;
        self.expect_cells(term, e.span)
    }

    pub fn dirs(&mut self, e: &ast::Expr) -> Option<Dirs> {
        let term = self.term(e)?;
        self.expect_dirs(term, e.span)
    }

    pub fn number(&mut self, e: &ast::Expr) -> Option<Number> {
        let term = self.term(e)?;
        self.expect_number(term, e.span)
    }

    pub fn truth(&mut self, e: &ast::Expr) -> Option<Truth> {
        let term = self.term(e)?;
        self.expect_truth(term, e.span)
    }

    pub fn players(&mut self, e: &ast::Expr) -> Option<Players> {
        let term = self.term(e)?;
        self.expect_players(term, e.span)
    }

    /// An expression of whatever type. `None`: a mistake has been reported.
    pub fn term(&mut self, e: &ast::Expr) -> Option<Term> {
        let term = self.part(e.span, |checker| checker.term_of(e))?;
        self.note_part(e.span, &term);
        Some(term)
    }

    fn term_of(&mut self, e: &ast::Expr) -> Option<Term> {
        Some(match &*e.kind {
            ExprKind::Number(n) => Number::Fixed(*n).into(),
            ExprKind::Name(name) => return self.name(name, e.span),
            ExprKind::Player(name) => return self.player_term(name, e.span),
            ExprKind::Words(words) => return self.words(words, e.span),
            ExprKind::Call(name, arguments) => return self.call(name, arguments, e.span),
            ExprKind::Cells(ranges) => Cells::Fixed(self.cell_ranges(ranges)?).into(),
            ExprKind::Band { axis, from, to, .. } => return self.band(*axis, from, to.as_ref(), e.span),
            ExprKind::FileLetter(letter) => self.file_letter(letter, e.span)?.into(),
            ExprKind::LastRow => self.last_row(e.span)?.into(),
            ExprKind::Measure(axis, of) => self.measure(*axis, of, e.span)?.into(),
            ExprKind::If { condition, then, otherwise } => {
                return self.if_expression(condition, then, otherwise, e.span);
            }
            ExprKind::Not(of) => return self.not(of),
            ExprKind::And(parts) => return self.join(parts, e.span, true),
            ExprKind::Or(parts) => return self.join(parts, e.span, false),
            ExprKind::Arithmetic(op, a, b) => return self.arithmetic(*op, a, b, e.span),
            ExprKind::Relation(op, a, b) => self.relation(op, a, b)?.into(),
            ExprKind::Quantified { some, subject, within, filter } => {
                self.quantified(*some, subject, within.as_ref(), filter.as_ref(), e.span)?.into()
            }
            ExprKind::Where(set, condition) => return self.where_(set, condition),
            ExprKind::Caught(set, times) => return self.caught(set, times.as_ref(), e.span),
            ExprKind::Brackets(inner) => return self.term(inner),
        })
    }

    /// Folds what depends on the board alone into the set that it is.
    pub fn tidy(&self, cells: Cells) -> Cells {
        match self.fold().cells(&cells) {
            Some(set) => Cells::Fixed(set),
            None => cells,
        }
    }

    fn words(&mut self, words: &[ast::Word], span: Span) -> Option<Term> {
        let mut terms = Vec::new();
        for word in words {
            let term = if word.starts_with(|c: char| c.is_ascii_uppercase()) {
                self.player_term(word, word.span)
            } else {
                self.name(word, word.span)
            };
            terms.push((term?, word.span));
        }
        self.lint_forward_diagonal(words, span);
        self.join_terms(terms, span, true)
    }

    fn cell_ranges(&mut self, ranges: &[(ast::Word, Option<ast::Word>)]) -> Option<CellSet> {
        let mut all = CellSet::EMPTY;
        let mut good = true;
        for (from, to) in ranges {
            let Some(a) = self.cell(from) else {
                good = false;
                continue;
            };
            match to {
                None => all.insert(a),
                Some(to) => match self.cell(to) {
                    Some(b) => all |= self.topology.rectangle(a, b),
                    None => good = false,
                },
            }
        }
        good.then_some(all)
    }

    /// The first and the last cell of a file, where files differ in how many they have.
    fn cells_of_file(&self, file: u8) -> Option<(String, String)> {
        let cells = |file| self.topology.cells().filter(move |cell| self.topology.file(*cell) == file);
        let is_ragged = matches!(self.topology.shape(), Shape::Hexagon { .. });
        let rank = |cell: &crate::board::Cell| self.topology.rank(*cell);
        let (first, last) = (cells(file).min_by_key(rank)?, cells(file).max_by_key(rank)?);
        let name = |cell| String::from(self.topology.name(cell));
        is_ragged.then(|| (name(first), name(last)))
    }

    fn cell(&mut self, word: &ast::Word) -> Option<crate::board::Cell> {
        let place = parse_cell(word);
        let found = place.and_then(|(file, rank)| self.topology.at(file, rank));
        if found.is_none() {
            let (of, cells) = place
                .and_then(|(file, _)| self.cells_of_file(file))
                .map_or_else(|| ("board", (String::from("a1"), self.last_cell())), |cells| ("file", cells));
            let whole = Topology::new(self.topology.shape().clone()).ok();
            let left_out = place.zip(whole).is_some_and(|((file, rank), whole)| whole.at(file, rank).is_some());
            self.problem(Kind::NoSuchCell { name: word.node.clone(), of, cells, left_out }, word.span);
        }
        found
    }

    /// The cell in the corner away from `a1`, as the board is drawn.
    fn last_cell(&self) -> String {
        crate::board::cell_name(self.topology.files(), self.topology.ranks())
    }

    fn file_letter(&mut self, letter: &str, span: Span) -> Option<Number> {
        match parse_cell(&format!("{letter}1")) {
            Some((file, _)) => {
                let local = self.scope.find(letter).filter(|local| local.ty == Type::Number).map(|local| local.span);
                let param = || self.params.contains_key(letter).then(|| self.declared(letter)).flatten();
                if let Some(other) = local.or_else(|| param().map(|param| param.name.span)) {
                    self.problem_with(Kind::FileLetterIsLocal { name: letter.to_string() }, span, other);
                }
                Some(Number::Fixed(i64::from(file)))
            }
            None => {
                self.problem(Kind::NoSuchFile { name: letter.to_string() }, span);
                None
            }
        }
    }

    fn band(&mut self, axis: ast::BandAxis, from: &ast::Expr, to: Option<&ast::Expr>, span: Span) -> Option<Term> {
        let axis = fold_axis(axis);
        self.require_rows(axis, span)?;
        let from = self.number(from);
        let to = match to {
            Some(to) => Some(self.number(to)?),
            None => None,
        };
        let from = from?;
        let to = to.unwrap_or_else(|| from.clone());
        self.lint_band(axis, &from, &to, span);
        Some(self.tidy(Cells::Band { axis, from, to }).into())
    }

    fn last_row(&mut self, span: Span) -> Option<Cells> {
        self.require_rows(BandAxis::Row, span)?;
        Some(Cells::LastRow)
    }

    /// Rows need forwards, and a board that has rows.
    fn require_rows(&mut self, axis: BandAxis, span: Span) -> Option<()> {
        if axis != BandAxis::Row {
            return Some(());
        }
        let seated =
            self.seats.iter().all(|seat| seat.forward.is_some_and(|forward| self.topology.last_row(forward) > 0));
        if !seated {
            self.problem(Kind::NoRows, span);
        }
        seated.then_some(())
    }

    fn measure(&mut self, axis: ast::BandAxis, of: &ast::Expr, span: Span) -> Option<Number> {
        let coordinate = match axis {
            ast::BandAxis::File => Coordinate::File,
            ast::BandAxis::Rank => Coordinate::Rank,
            ast::BandAxis::Row => Coordinate::Row,
        };
        self.require_rows(fold_axis(axis), span)?;
        let of = self.cells(of)?;
        Some(Number::Coordinate(coordinate, Box::new(of), span))
    }

    fn if_expression(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Option<Term> {
        let condition = self.truth(condition);
        let (then, otherwise) = (self.term(then), self.term(otherwise));
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        if then.ty().is_some() && otherwise.ty().is_some() && common(&then, &otherwise).is_none() {
            let kind = Kind::DifferentTypes { one: type_word(then.ty()), other: type_word(otherwise.ty()) };
            self.problem(kind, span);
            return None;
        }
        if let Some(constant) = self.fold().truth(&condition) {
            let (kept, other) = if constant { (then, otherwise) } else { (otherwise, then) };
            return self.typed_as(kept, other, span);
        }
        self.join_if(condition, then, otherwise, span)
    }

    /// A term, converted to the type that it would have in an `if` beside the other.
    fn typed_as(&mut self, kept: Term, other: Term, span: Span) -> Option<Term> {
        if kept.ty() == other.ty() || other.ty().is_none() {
            return Some(kept);
        }
        let ty = if kept.ty().is_none() { other.ty()? } else { common(&kept, &other).or(kept.ty())? };
        self.expect_type(kept, ty, span).map(Term::Expr)
    }

    fn join_if(&mut self, condition: Truth, then: Term, otherwise: Term, span: Span) -> Option<Term> {
        let Some(ty) = common(&then, &otherwise) else {
            if then.ty().is_none() && otherwise.ty().is_none() {
                return Some(Term::Nothing);
            }
            let kind = Kind::DifferentTypes { one: type_word(then.ty()), other: type_word(otherwise.ty()) };
            self.problem(kind, span);
            return None;
        };
        let then = self.expect_type(then, ty, span)?;
        let otherwise = self.expect_type(otherwise, ty, span)?;
        Some(Term::Expr(match (then, otherwise) {
            (Expr::Number(then), Expr::Number(otherwise)) => {
                Expr::Number(Number::If(Box::new(If { condition, then, otherwise })))
            }
            (Expr::Truth(then), Expr::Truth(otherwise)) => {
                Expr::Truth(Truth::If(Box::new(If { condition, then, otherwise })))
            }
            (Expr::Cells(then), Expr::Cells(otherwise)) => {
                Expr::Cells(Cells::If(Box::new(If { condition, then, otherwise })))
            }
            (Expr::Groups(then), Expr::Groups(otherwise)) => {
                Expr::Groups(Groups::If(Box::new(If { condition, then, otherwise })))
            }
            (Expr::Dirs(then), Expr::Dirs(otherwise)) => {
                Expr::Dirs(Dirs::If(Box::new(If { condition, then, otherwise })))
            }
            (Expr::Axes(then), Expr::Axes(otherwise)) => {
                Expr::Axes(Axes::If(Box::new(If { condition, then, otherwise })))
            }
            (Expr::Players(then), Expr::Players(otherwise)) => {
                Expr::Players(Players::If(Box::new(If { condition, then, otherwise })))
            }
            (Expr::List(then), Expr::List(otherwise)) => {
                Expr::List(model::List::If(Box::new(If { condition, then, otherwise })))
            }
            _ => return None,
        }))
    }

    fn not(&mut self, of: &ast::Expr) -> Option<Term> {
        if self.catching.is_some() && mentions_caught(of) {
            self.problem(Kind::NotBeforeCaught, of.span);
            return None;
        }
        let term = self.term(of)?;
        if let Term::Expr(Expr::Truth(truth)) = term {
            return Some(Truth::Not(Box::new(truth)).into());
        }
        match term.family() {
            Some(Family::Dirs) => Some(Dirs::Not(Box::new(self.expect_dirs(term, of.span)?)).into()),
            Some(Family::Axes) => Some(Axes::Not(Box::new(self.expect_axes(term, of.span)?)).into()),
            _ => {
                let cells = self.expect_cells(term, of.span)?;
                Some(self.tidy(Cells::Not(Box::new(cells))).into())
            }
        }
    }

    fn join(&mut self, parts: &[ast::Expr], span: Span, and: bool) -> Option<Term> {
        let mut history = Vec::new();
        let mut terms = Vec::new();
        for part in parts {
            let before = std::mem::take(&mut self.words.history);
            terms.push((self.term(part), part.span));
            history.push(self.words.history);
            self.words.history |= before;
        }
        if !and {
            self.words.history_in_or = history;
        }
        let terms = terms.into_iter().map(|(term, span)| Some((term?, span))).collect::<Option<Vec<_>>>()?;
        if let Some((set, asked)) = split_by_precedence(parts, &terms) {
            let mend = mended(parts, &terms, and);
            self.problem_with(Kind::SplitByPrecedence { mend }, set, asked);
            return None;
        }
        self.join_terms(terms, span, and)
    }

    /// `and` and `or` of truths, or of sets of one type.
    fn join_terms(&mut self, terms: Vec<(Term, Span)>, span: Span, and: bool) -> Option<Term> {
        if terms.iter().any(|(term, _)| term.ty() == Some(Type::Truth)) {
            let truths =
                terms.into_iter().map(|(term, span)| self.expect_truth(term, span)).collect::<Option<Vec<_>>>()?;
            return Some(if and { Truth::And(truths) } else { Truth::Or(truths) }.into());
        }
        let families: Vec<_> = terms.iter().filter_map(|(term, _)| term.family()).collect();
        if families.contains(&Family::Dirs) {
            let dirs =
                terms.into_iter().map(|(term, span)| self.expect_dirs(term, span)).collect::<Option<Vec<_>>>()?;
            self.lint_empty_dirs(&dirs, and, span);
            return Some(if and { Dirs::And(dirs) } else { Dirs::Or(dirs) }.into());
        }
        if families.contains(&Family::Axes) {
            let axes =
                terms.into_iter().map(|(term, span)| self.expect_axes(term, span)).collect::<Option<Vec<_>>>()?;
            return Some(if and { Axes::And(axes) } else { Axes::Or(axes) }.into());
        }
        let cells = terms.into_iter().map(|(term, span)| self.expect_cells(term, span)).collect::<Option<Vec<_>>>()?;
        Some(self.tidy(if and { Cells::And(cells) } else { Cells::Or(cells) }).into())
    }

    /// Of numbers; `D + n` and `D - n` turn directions.
    fn arithmetic(&mut self, op: ast::Arithmetic, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Term> {
        let (left, right) = (self.term(a), self.number(b));
        let left = left?;
        let turns = matches!(op, ast::Arithmetic::Add | ast::Arithmetic::Subtract);
        if turns && matches!(left.family(), Some(Family::Dirs | Family::Axes)) {
            let dirs = self.expect_dirs(left, a.span)?;
            if !self.topology.has_circle() {
                self.problem(Kind::NoCircle, span);
                return None;
            }
            let by = match op {
                ast::Arithmetic::Subtract => {
                    let back = Number::Arithmetic(Arithmetic::Subtract, Box::new((Number::Fixed(0), right?)), b.span);
                    self.fold().number(&back).map_or(back, Number::Fixed)
                }
                _ => right?,
            };
            return Some(Dirs::Turned(Box::new((dirs, by))).into());
        }
        let left = self.expect_number(left, a.span);
        let number = Number::Arithmetic(arithmetic(op), Box::new((left?, right?)), span);
        Some(self.fold().number(&number).map_or(number, Number::Fixed).into())
    }

    fn relation(&mut self, op: &Spanned<Relation>, a: &ast::Expr, b: &ast::Expr) -> Option<Truth> {
        let (left, right) = (self.term(a), self.term(b));
        let (left, right) = (left?, right?);
        let negate = |negated, truth| if negated { Truth::Not(Box::new(truth)) } else { truth };
        match op.node {
            Relation::Is | Relation::In => self.within(left, a.span, right, b.span),
            Relation::IsNot | Relation::NotIn => {
                self.within(left, a.span, right, b.span).map(|truth| negate(true, truth))
            }
            // `own = 3`: that the set has to be counted says more than that a number is no set.
            Relation::Equal | Relation::NotEqual
                if (is_set(&left) || is_set(&right)) && ![left.ty(), right.ty()].contains(&Some(Type::Number)) =>
            {
                let (left, right) = self.same_family(left, a.span, right, b.span)?;
                Some(negate(op.node == Relation::NotEqual, Truth::Equal(Box::new((left, right)))))
            }
            Relation::Equal | Relation::NotEqual if left.ty() == Some(Type::Truth) => {
                let (left, right) = (self.expect_truth(left, a.span)?, self.expect_truth(right, b.span)?);
                let equal = Truth::Equal(Box::new((Expr::Truth(left), Expr::Truth(right))));
                Some(negate(op.node == Relation::NotEqual, equal))
            }
            _ => self.compare(comparison(op.node), left, a.span, right, b.span),
        }
    }

    fn compare(&mut self, op: Comparison, left: Term, a: Span, right: Term, b: Span) -> Option<Truth> {
        if left.ty() == Some(Type::List) || right.ty() == Some(Type::List) {
            let (left, right) = (self.expect_list(left, a), self.expect_list(right, b));
            return Some(Truth::CompareLists(op, Box::new((left?, right?))));
        }
        let (left, right) = (self.expect_number(left, a), self.expect_number(right, b));
        Some(Truth::Compare(op, Box::new((left?, right?))))
    }

    /// `A in B`, `A is B`.
    fn within(&mut self, left: Term, a: Span, right: Term, b: Span) -> Option<Truth> {
        let pair = self.same_family(left, a, right, b)?;
        Some(Truth::Within(Box::new(pair)))
    }

    /// Both as players, directions, axes, or else cells.
    fn same_family(&mut self, left: Term, a: Span, right: Term, b: Span) -> Option<(Expr, Expr)> {
        if left.ty() == Some(Type::Players) && right.ty() == Some(Type::Players) {
            return Some((self.expect_expr(left), self.expect_expr(right)));
        }
        let families = [left.family(), right.family()];
        if families.contains(&Some(Family::Axes)) && !families.contains(&Some(Family::Dirs)) {
            return Some((Expr::Axes(self.expect_axes(left, a)?), Expr::Axes(self.expect_axes(right, b)?)));
        }
        if families.contains(&Some(Family::Dirs)) {
            return Some((Expr::Dirs(self.expect_dirs(left, a)?), Expr::Dirs(self.expect_dirs(right, b)?)));
        }
        let (left, right) = (self.expect_cells(left, a), self.expect_cells(right, b));
        Some((Expr::Cells(left?), Expr::Cells(right?)))
    }

    fn quantified(
        &mut self,
        some: bool,
        subject: &ast::Expr,
        within: Option<&ast::Expr>,
        filter: Option<&ast::Expr>,
        span: Span,
    ) -> Option<Truth> {
        let mut set = self.term(subject)?;
        if let Some(within) = within {
            let other = self.term(within)?;
            let terms = vec![(set, subject.span), (other, within.span)];
            set = self.join_terms(terms, span, true)?;
        }
        if let Some(condition) = filter {
            set = self.filtered(set, subject.span, condition)?;
        }
        if set.ty() == Some(Type::Players) {
            set = self.expect_cells(set, subject.span)?.into();
        }
        if !is_set(&set) && !matches!(set, Term::Nothing) {
            self.problem(Kind::WrongType { wanted: "a set", found: type_word(set.ty()) }, subject.span);
            return None;
        }
        let found = Truth::Some(Box::new(self.expect_expr(set)));
        Some(if some { found } else { Truth::Not(Box::new(found)) })
    }

    fn where_(&mut self, set: &ast::Expr, condition: &ast::Expr) -> Option<Term> {
        self.lint_bare_or(set, condition);
        let term = self.term(set)?;
        self.filtered(term, set.span, condition)
    }

    fn filtered(&mut self, set: Term, span: Span, condition: &ast::Expr) -> Option<Term> {
        match set {
            Term::Expr(Expr::Groups(set)) => {
                let (it, condition) = self.condition(Type::Cells, condition)?;
                Some(Groups::Where(Box::new(Where { set, it, condition })).into())
            }
            Term::Expr(Expr::Dirs(set)) => {
                let (it, condition) = self.condition(Type::Dirs, condition)?;
                Some(Dirs::Where(Box::new(Where { set, it, condition })).into())
            }
            Term::Expr(Expr::Axes(set)) => {
                let (it, condition) = self.condition(Type::Axes, condition)?;
                Some(Axes::Where(Box::new(Where { set, it, condition })).into())
            }
            other => {
                let set = self.expect_cells(other, span)?;
                let (it, condition) = self.condition(Type::Cells, condition)?;
                Some(self.tidy(Cells::Where(Box::new(Where { set, it, condition }))).into())
            }
        }
    }

    /// A condition on `it`.
    fn condition(&mut self, ty: Type, condition: &ast::Expr) -> Option<(model::Slot, Truth)> {
        let it = self.scope.fresh();
        self.scope.its.push((it, ty));
        self.begin_notes();
        let truth = self.truth(condition);
        let note = self.end_notes(condition.span);
        self.scope.its.pop();
        let truth = truth?;
        self.note_condition(it, &truth, note);
        Some((it, truth))
    }

    pub fn player_term(&mut self, name: &str, span: Span) -> Option<Term> {
        match self.seats.iter().position(|seat| seat.name == name) {
            Some(at) => Some(Players::Fixed(PlayerSet::one(crate::board::Player(at as u8))).into()),
            None => {
                let seats = self.seats.iter().map(|seat| seat.name.as_str());
                let builtin = || builtin_in_capitals(name);
                let near = (!self.problems.is_full("unknown-player"))
                    .then(|| builtin().or_else(|| crate::syntax::near(name, seats)))
                    .flatten();
                self.problem(Kind::NoSuchPlayer { name: name.to_string(), near }, span);
                None
            }
        }
    }
}

/// `Enemy` is `enemy`.
fn builtin_in_capitals(name: &str) -> Option<String> {
    let small = name.to_ascii_lowercase();
    crate::syntax::builtin::is_builtin(&small).then_some(small)
}

fn is_set(term: &Term) -> bool {
    term.family().is_some()
}

/// A set beside a question about sets, and that question: `a in b or c`.
fn split_by_precedence(parts: &[ast::Expr], terms: &[(Term, Span)]) -> Option<(Span, Span)> {
    let asks = |e: &ast::Expr| match &*e.kind {
        ExprKind::Relation(op, ..) => {
            matches!(op.node, Relation::Is | Relation::IsNot | Relation::In | Relation::NotIn)
        }
        ExprKind::Quantified { .. } => true,
        _ => false,
    };
    let at = parts.iter().zip(terms).position(|(part, (term, _))| asks(part) && term.ty() == Some(Type::Truth))?;
    let (_, span) = terms[at..].iter().find(|(term, _)| is_set(term) || matches!(term, Term::Nothing))?;
    Some((*span, parts[at].span))
}

/// `p in a or b` as it was meant: `p in (a or b)`.
fn mended(parts: &[ast::Expr], terms: &[(Term, Span)], and: bool) -> Option<String> {
    let (_, asked) = split_by_precedence(parts, terms)?;
    let at = parts.iter().position(|part| part.span == asked)?;
    let sets = terms[at + 1..].iter().take_while(|(term, _)| is_set(term)).count();
    let joined = |first: &ast::Expr| {
        let all = std::iter::once(first).chain(&parts[at + 1..=at + sets]);
        let all = all.map(short).collect::<Option<Vec<_>>>()?;
        Some(format!("({})", all.join(if and { " and " } else { " or " })))
    };
    let asking = match &*parts[at].kind {
        ExprKind::Quantified { some, subject, within, filter: None } => {
            let word = if *some { "some" } else { "no" };
            match within {
                Some(within) => format!("{word} {} in {}", short(subject)?, joined(within)?),
                None => format!("{word} {}", joined(subject)?),
            }
        }
        ExprKind::Relation(op, left, right) => {
            format!("{} {} {}", short(left)?, relation_word(op.node)?, joined(right)?)
        }
        _ => return None,
    };
    (sets > 0).then_some(asking)
}

fn relation_word(relation: Relation) -> Option<&'static str> {
    Some(match relation {
        Relation::Is => "is",
        Relation::IsNot => "is not",
        Relation::In => "in",
        Relation::NotIn => "not in",
        _ => return None,
    })
}

/// The type that both convert to.
fn common(one: &Term, other: &Term) -> Option<Type> {
    match (one.ty(), other.ty()) {
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(a), None) if is_set(one) => Some(a),
        (None, Some(b)) if is_set(other) => Some(b),
        (Some(Type::List), Some(Type::Number)) | (Some(Type::Number), Some(Type::List)) => Some(Type::List),
        _ => match (one.family(), other.family()) {
            (Some(Family::Cells), Some(Family::Cells)) => Some(Type::Cells),
            (Some(Family::Dirs | Family::Axes), Some(Family::Dirs | Family::Axes)) => Some(Type::Dirs),
            _ => None,
        },
    }
}

/// A `< >` stands in the expression itself.
fn mentions_caught(e: &ast::Expr) -> bool {
    match &*e.kind {
        ExprKind::Caught(..) => true,
        ExprKind::Brackets(inner) | ExprKind::Not(inner) => mentions_caught(inner),
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().any(mentions_caught),
        _ => false,
    }
}

fn fold_axis(axis: ast::BandAxis) -> BandAxis {
    match axis {
        ast::BandAxis::File => BandAxis::File,
        ast::BandAxis::Rank => BandAxis::Rank,
        ast::BandAxis::Row => BandAxis::Row,
    }
}

fn arithmetic(op: ast::Arithmetic) -> Arithmetic {
    match op {
        ast::Arithmetic::Add => Arithmetic::Add,
        ast::Arithmetic::Subtract => Arithmetic::Subtract,
        ast::Arithmetic::Multiply => Arithmetic::Multiply,
        ast::Arithmetic::Divide => Arithmetic::Divide,
        ast::Arithmetic::Modulo => Arithmetic::Modulo,
    }
}

fn comparison(op: Relation) -> Comparison {
    match op {
        Relation::NotEqual => Comparison::NotEqual,
        Relation::Less => Comparison::Less,
        Relation::AtMost => Comparison::AtMost,
        Relation::Greater => Comparison::Greater,
        Relation::AtLeast => Comparison::AtLeast,
        _ => Comparison::Equal,
    }
}
