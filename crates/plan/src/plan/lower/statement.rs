//! Statement lowering: statements of a turn go in; nodes that act on the position's registers, and
//! choices, come out.

use rustc_hash::FxHashMap as HashMap;

use crate::model;
use crate::model::{Choice, Expr, Slot, Statement};
use crate::plan::annotation::Annotation;
use crate::plan::op::TreeOp;
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::{Ambiguity, Block, Node, StateCell};
use crate::source::Span;

use crate::plan::lower::cardinality::Cardinality;
use crate::plan::lower::carried::PlyState;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Fixed, Groups, Lowered, Num, Unplanned, Value, unplanned};

/// Statements in order, blocks in place opened.
pub type List<'g> = Vec<&'g Statement>;

impl<'g> Lowering<'g> {
    /// Statements with the blocks that stand among them opened.
    pub fn opened(&self, statements: &'g [Statement]) -> List<'g> {
        let mut list = Vec::new();
        for statement in statements {
            match statement {
                Statement::Block(block) => list.extend(self.opened(self.game.block(*block))),
                other => list.push(other),
            }
        }
        list
    }

    pub fn statements(&mut self, statements: &'g [Statement]) -> Lowered<()> {
        let list = self.opened(statements);
        self.count_assignments(&list);
        if !self.game.asks.chance && !self.game.asks.plies {
            return self.sequence(&list);
        }
        self.continuations.ply = PlyState::default();
        self.up_to_suspension(&list, Vec::new())
    }

    /// Slots that are given a value in several places need a register of their own.
    fn count_assignments(&mut self, list: &[&'g Statement]) {
        let mut counts = HashMap::default();
        self.count_in(list, false, &mut counts);
        self.known.mutable = counts.into_iter().filter(|(_, count)| *count > 1).map(|(slot, _)| (slot, None)).collect();
    }

    fn count_in(&mut self, list: &[&'g Statement], again: bool, counts: &mut HashMap<Slot, u32>) {
        let more = if again { 2 } else { 1 };
        // What a `first` has behind it is lowered in each of its blocks. Where turns are suspended, names of there are read
        // behind all of them.
        let in_each_block = self.game.asks.chance || self.game.asks.plies;
        let first = list.iter().position(|statement| matches!(statement, Statement::First { .. }));
        let behind = first.filter(|_| in_each_block).map_or(list.len(), |at| at + 1);
        for (at, statement) in list.iter().enumerate() {
            let more = if at >= behind { 2 } else { more };
            let mut inner = |block: model::BlockId, again| {
                let list = self.opened(self.game.block(block));
                self.count_in(&list, again, counts);
            };
            match statement {
                Statement::Pick { slot, .. } => {
                    *counts.entry(*slot).or_default() += if at >= behind { 2 } else { 1 };
                }
                Statement::Assign { slot, .. } => {
                    *counts.entry(*slot).or_default() += more;
                }
                Statement::Move { follow: Some(slot), .. } => *counts.entry(*slot).or_default() += 2,
                Statement::Either { blocks, .. } | Statement::First { blocks, .. } => {
                    blocks.iter().for_each(|(block, _)| inner(*block, again));
                }
                Statement::Repeat { body, .. } | Statement::ForEach { body, .. } => inner(*body, true),
                Statement::If { then, otherwise, .. } => {
                    inner(then.0, again);
                    otherwise.iter().for_each(|(block, _)| inner(*block, again));
                }
                _ => {}
            }
        }
    }

    pub fn sequence(&mut self, list: &[&'g Statement]) -> Lowered<()> {
        let outer = self.scope.action;
        let result = self.one_by_one(list);
        self.scope.action = outer;
        result
    }

    fn one_by_one(&mut self, list: &[&'g Statement]) -> Lowered<()> {
        let mut rest = list;
        while let Some((&first, behind)) = rest.split_first() {
            self.step()?;
            self.scope.action = self.tables.actions.get(&std::ptr::from_ref(first)).copied();
            self.scope.statement = place_of(first).unwrap_or(self.scope.statement);
            rest = match first {
                Statement::Move { span, .. } if self.known_move(first).map_err(|why| why.at(*span))? => behind,
                Statement::Pick { span, .. } | Statement::Move { span, .. } => {
                    let at = *span;
                    match self.first_round(rest) {
                        Some(round) => {
                            self.in_round(&round.list)
                                .and_then(|()| self.more_rounds(round.repeat))
                                .map_err(|why| why.at(at))?;
                            round.rest
                        }
                        None => self.choice(rest).map_err(|why| why.at(at))?,
                    }
                }
                Statement::Either { blocks, span, .. } => {
                    match self.closed_rounds(first) {
                        Some(closed) => self.take_closed(closed),
                        None => self.either_of(blocks, *span),
                    }
                    .map_err(|why| why.at(*span))?;
                    behind
                }
                Statement::First { blocks, span } => {
                    self.first_of(blocks, behind).map_err(|why| why.at(*span))?;
                    &[]
                }
                other => {
                    self.statement(other)?;
                    behind
                }
            };
        }
        Ok(())
    }

    pub fn inner(&mut self, block: model::BlockId) -> Lowered<()> {
        let list = self.opened(self.game.block(block));
        self.scope.depth_of_blocks += 1;
        let result = self.sequence(&list);
        self.scope.depth_of_blocks -= 1;
        result
    }

    fn statement(&mut self, statement: &'g Statement) -> Lowered<()> {
        match statement {
            Statement::If { condition, then, otherwise } => match self.truth(condition)? {
                Num::Fixed(0) => match otherwise {
                    Some((block, _)) => self.inner(*block),
                    None => Ok(()),
                },
                Num::Fixed(_) => self.inner(then.0),
                Num::In(n) => {
                    let still = self.scope.still;
                    let yes = self.block(|lowering| lowering.inner(then.0))?;
                    let no = match otherwise {
                        Some((block, _)) => {
                            self.way(still, |lowering| lowering.block(|lowering| lowering.inner(*block)))?
                        }
                        None => Vec::new(),
                    };
                    self.forget_behind([&yes, &no]);
                    self.when(n, yes, no);
                    Ok(())
                }
            },
            Statement::Need { condition, span } => {
                let holds = self.truth(condition).map_err(|why| why.at(*span))?;
                self.need(holds);
                Ok(())
            }
            Statement::Assign { slot, value } => {
                let value = self.value(value)?;
                self.assign(*slot, value)
            }
            Statement::Remember { state, of, value, span } => {
                self.remember(*state, of.as_ref(), value).map_err(|why| why.at(*span))
            }
            Statement::Repeat { rounds, silently, body, span, .. } => {
                if !*silently {
                    return self.repeat(rounds, (*body, false), *span);
                }
                if let Some(closed) = self.closed_rounds(statement) {
                    return self.take_closed(closed);
                }
                let why = Ambiguity::UNWRITTEN_ROUNDS;
                let place = self.place(*span);
                self.in_doubt = self.in_doubt.or(Some(Ambiguity { place, why }));
                self.emit(TreeOp::Annotate { mark: Annotation::Silent });
                self.repeat(rounds, (*body, true), *span)?;
                self.emit(TreeOp::Annotate { mark: Annotation::Loud });
                Ok(())
            }
            Statement::ForEach { slot, from, body, span } => {
                self.for_each(*slot, from, *body).map_err(|why| why.at(*span))
            }
            Statement::Place { place, span } => self.put(place, *span).map_err(|why| why.at(*span)),
            Statement::Remove { what, from, to_hand, span } => {
                self.remove(what, from, *to_hand).map_err(|why| why.at(*span))
            }
            Statement::Flip { cells, span } => self.flip(cells).map_err(|why| why.at(*span)),
            Statement::Promote { who, kinds, span } => self.promote(who, kinds).map_err(|why| why.at(*span)),
            Statement::Pass => {
                self.emit(TreeOp::Passed);
                self.emit(TreeOp::Annotate { mark: Annotation::Pass });
                Ok(())
            }
            Statement::Label(label) => {
                self.emit(TreeOp::Annotate { mark: Annotation::Label(*label) });
                Ok(())
            }
            Statement::Swap => {
                self.emit(TreeOp::Annotate { mark: Annotation::Swap });
                Ok(())
            }
            Statement::Again => {
                self.emit(TreeOp::PlayAgain);
                Ok(())
            }
            Statement::Most { value, id, span } => self.most(value, *id).map_err(|why| why.at(*span)),
            Statement::Mirror { span } | Statement::Rotate { span } | Statement::Picture { span, .. } => {
                Err(Unplanned { why: "a set-up within a turn", span: Some(*span) })
            }
            Statement::Block(block) => self.inner(*block),
            Statement::Pick { .. } | Statement::Move { .. } | Statement::Either { .. } | Statement::First { .. } => {
                Ok(())
            }
        }
    }

    /// Runs in which a condition does not hold end here.
    pub fn need(&mut self, holds: Num) {
        match holds {
            Num::Fixed(0) => self.out.push(Node::Fail),
            Num::Fixed(_) => {}
            Num::In(n) => self.out.push(Node::Need(n)),
        }
    }

    // Names.

    /// Gives a slot a value.
    pub fn assign(&mut self, slot: Slot, value: Value<'g>) -> Lowered<()> {
        self.assign_as(slot, value, None)
    }

    /// The same; how many cells the value has may be known of it alone.
    pub fn assign_as(&mut self, slot: Slot, value: Value<'g>, cardinality: Option<Cardinality>) -> Lowered<()> {
        if let Some(known) = self.known.mutable.get(&slot).copied() {
            let home = match (known, value) {
                (Some(home), _) => home,
                (None, Value::Num(_)) => Value::Num(Num::In(self.fresh.number())),
                (None, Value::Players(_)) => Value::Players(Num::In(self.fresh.number())),
                (None, Value::Cells(_)) => Value::Cells(Cells::In(self.fresh.set())),
                (None, Value::Groups(Groups::Parts { along, .. })) => {
                    Value::Groups(Groups::Parts { of: self.fresh.set(), along })
                }
                (None, Value::Groups(_)) => Value::Cells(Cells::In(self.fresh.set())),
                (None, _) => return unplanned("a name that changes"),
            };
            self.known.mutable.insert(slot, Some(home));
            match (home, value) {
                (Value::Num(Num::In(d)), Value::Num(value)) | (Value::Players(Num::In(d)), Value::Players(value)) => {
                    let a = self.num(value);
                    self.emit(TreeOp::CopyNum { d, a });
                }
                (Value::Cells(Cells::In(d)), Value::Cells(value)) => {
                    let facts = self.facts(value);
                    let a = self.reg(value);
                    self.emit(TreeOp::Copy { d, a });
                    self.forget_results();
                    self.record_cardinality(slot, d, cardinality.unwrap_or_else(|| self.cardinality_of(value)));
                    self.record_facts(Cells::In(d), facts);
                }
                (
                    Value::Groups(Groups::Parts { of: d, along }),
                    Value::Groups(Groups::Parts { of: a, along: other }),
                ) if along == other => {
                    self.emit(TreeOp::Copy { d, a });
                }
                (Value::Groups(Groups::Parts { of: d, .. }), Value::Groups(Groups::None)) => {
                    let a = self.constant(Fixed::NONE);
                    self.emit(TreeOp::Copy { d, a });
                }
                (Value::Cells(Cells::In(d)), Value::Groups(groups)) => {
                    let value = self.union(groups)?;
                    let a = self.reg(value);
                    self.emit(TreeOp::Copy { d, a });
                    self.record_cardinality(slot, d, Cardinality::Any);
                }
                _ => return unplanned("a name of several types"),
            }
            self.forget_results();
            self.bind(slot, home);
            return Ok(());
        }
        let value = match value {
            Value::Cells(Cells::In(reg)) if self.changes(reg) => {
                let facts = self.facts(Cells::In(reg));
                let copy = Cells::In(self.copied(Cells::In(reg)));
                Value::Cells(self.record_facts(copy, facts))
            }
            Value::Groups(Groups::Parts { of, along }) if self.changes(of) => {
                Value::Groups(Groups::Parts { of: self.copied(Cells::In(of)), along })
            }
            Value::Groups(Groups::Rows(rows)) if self.changes(rows.of) => {
                Value::Groups(Groups::Rows(crate::plan::lower::values::Rows {
                    of: self.copied(Cells::In(rows.of)),
                    ..rows
                }))
            }
            Value::Groups(rows @ Groups::Classes(_)) => {
                let classes = self.row_classes(rows)?;
                Value::Groups(self.kept_classes(classes))
            }
            Value::Num(number @ Num::In(reg)) if self.number_changes(reg) => Value::Num(self.number_now(number)),
            Value::Players(set @ Num::In(reg)) if self.number_changes(reg) => Value::Players(self.number_now(set)),
            other => other,
        };
        self.bind(slot, value);
        Ok(())
    }

    /// Gives a name a value of which more is known than of its register: it is one cell at most, or exactly one.
    pub fn assign_with(&mut self, slot: Slot, value: Value<'g>, cardinality: Cardinality) -> Lowered<()> {
        self.assign_as(slot, value, Some(cardinality))?;
        if let (Value::Cells(Cells::In(home)), false) = (self.local(slot), self.known.mutable.contains_key(&slot)) {
            self.known.single.extend((cardinality != Cardinality::Any).then_some(home));
            self.known.exact.extend((cardinality == Cardinality::One).then_some(home));
        }
        Ok(())
    }

    /// A name that is given values in several places is given one of so many cells.
    pub fn record_cardinality(&mut self, slot: Slot, home: SetReg, cardinality: Cardinality) {
        self.cardinalities.record(slot, cardinality);
        match self.cardinalities.is_single(slot) {
            true => self.known.single.insert(home),
            false => self.known.single.remove(&home),
        };
        match self.cardinalities.is_exact(slot) {
            true => self.known.exact.insert(home),
            false => self.known.exact.remove(&home),
        };
    }

    /// The register may be written again.
    pub fn changes(&self, reg: SetReg) -> bool {
        let words = [self.words.last, self.words.origin, self.words.passed, self.words.caught];
        reg.0 < self.layout.sets
            || words.contains(&reg)
            || self.known.mutable.values().any(|home| match home {
                Some(Value::Cells(Cells::In(home)) | Value::Groups(Groups::Parts { of: home, .. })) => *home == reg,
                _ => false,
            })
    }

    fn number_changes(&self, reg: NumReg) -> bool {
        reg.0 < self.layout.numbers
            || reg == self.words.heading
            || self.known.mutable.values().any(
                |home| matches!(home, Some(Value::Num(Num::In(home)) | Value::Players(Num::In(home))) if *home == reg),
            )
    }

    fn remember(&mut self, state: model::StateId, of: Option<&'g model::Players>, value: &'g Expr) -> Lowered<()> {
        let value = self.value(value)?;
        let copies = self.layout.states[state.0 as usize].clone();
        let sets = match of {
            Some(players) if copies.len() > 1 => self.players_at_play(players)?,
            _ => vec![(Num::Fixed(1), 1 << self.scope.own.0)],
        };
        for (meant, players) in sets {
            let of_players = |(copy, _): &(usize, _)| copies.len() == 1 || players >> copy & 1 == 1;
            let copies = copies.iter().copied().enumerate().filter(of_players).collect::<Vec<_>>();
            let store = |lowering: &mut Self| copies.iter().try_for_each(|copy| lowering.store(state, *copy, value));
            self.where_it_holds(meant, store)?;
        }
        self.forget_results();
        Ok(())
    }

    /// Writes a copy of a remembered value.
    fn store(&mut self, state: model::StateId, (copy, cell): (usize, StateCell), value: Value<'g>) -> Lowered<()> {
        match cell {
            StateCell::Number(d) => {
                let Value::Num(value) = value else { return unplanned("this value") };
                let a = self.num(value);
                self.emit(TreeOp::CopyNum { d, a });
            }
            StateCell::Set(d) => {
                let value = self.cells_value(value)?;
                let value = self.marked(value, &self.game.states[state.0 as usize]);
                let a = self.reg(value);
                self.emit(TreeOp::Copy { d, a });
            }
        }
        if let Some(Some(touched)) = self.touched.get(state.0 as usize).and_then(|copies| copies.get(copy)).copied() {
            self.emit(TreeOp::Const { d: touched, k: 1 });
        }
        Ok(())
    }

    /// What a remembered value becomes: a mark is a man's.
    pub fn marked(&mut self, cells: Cells, state: &model::Remembered) -> Cells {
        if !state.on_pieces || cells == self.none() || self.facts(cells).occupied {
            return cells;
        }
        let occupied = self.occupied();
        self.and(cells, occupied)
    }

    // Each of them.

    /// A block for each cell of a set whose bits do not stand in the order of the board: as many rounds as there are cells,
    /// each with the first of those that are left.
    pub fn each_in_order(&mut self, rest: SetReg, member: SetReg, mut body: Block) {
        let (rounds, round, n) = (self.fresh.set(), self.fresh.set(), self.constant_number(1));
        self.emit(TreeOp::Copy { d: rounds, a: rest });
        let first = TreeOp::NthCell { d: member, a: rest, n };
        let others = TreeOp::AndNot { d: rest, a: rest, b: member };
        body.splice(0..0, [first, others].map(Node::Op));
        self.out.push(Node::Each { of: rounds, cell: round, body });
    }

    fn for_each(&mut self, slot: Slot, from: &'g Choice, body: model::BlockId) -> Lowered<()> {
        self.scope.still = false;
        if matches!(from, Choice::Dirs(_) | Choice::Axes(_)) {
            return self.for_each_dir(slot, from, body);
        }
        let member = self.fresh.set();
        let rest = self.fresh.set();
        let lowered = |lowering: &mut Self| {
            lowering.block(|lowering| {
                lowering.forget();
                lowering.bind(slot, Value::Cells(Cells::In(member)));
                lowering.inner(body)
            })
        };
        match from {
            Choice::Cells(cells) => {
                let of = self.cells(cells)?;
                let a = self.reg(of);
                self.emit(TreeOp::Copy { d: rest, a });
                self.known.single.insert(member);
                self.known.exact.insert(member);
                let body = lowered(self)?;
                if !self.grid.is_in_order() {
                    self.each_in_order(rest, member, body);
                } else {
                    self.out.push(Node::Each { of: rest, cell: member, body });
                }
            }
            Choice::Groups(groups) => {
                let (of, along) = match self.groups(groups)? {
                    Groups::Parts { of, along } => (of, along),
                    Groups::None => return Ok(()),
                    rows => {
                        self.for_each_row(slot, rows, body)?;
                        self.forget();
                        return Ok(());
                    }
                };
                self.emit(TreeOp::Copy { d: rest, a: of });
                let mut body = lowered(self)?;
                if !self.grid.is_in_order() {
                    // As many rounds as there are cells, each with the group of the first in the order of the board, if any is
                    // left.
                    let (rounds, round, n) = (self.fresh.set(), self.fresh.set(), self.constant_number(1));
                    let (first, more) = (self.fresh.set(), self.fresh.number());
                    self.emit(TreeOp::Copy { d: rounds, a: rest });
                    let ops = [
                        TreeOp::NthCell { d: first, a: rest, n },
                        TreeOp::FloodFill { d: member, a: first, within: rest, along, kept: None },
                        TreeOp::AndNot { d: rest, a: rest, b: member },
                    ];
                    body.splice(0..0, ops.map(Node::Op));
                    let some = Node::Op(TreeOp::NonEmpty { d: more, a: rest });
                    let goes_on = Node::If { condition: more, then: body, otherwise: Vec::new() };
                    self.out.push(Node::Each { of: rounds, cell: round, body: vec![some, goes_on] });
                } else {
                    self.out.push(Node::EachGroup { of: rest, along, group: member, body });
                }
            }
            _ => return unplanned("`for each` over numbers"),
        }
        self.forget();
        Ok(())
    }
}

/// Where a statement stands, if it says so to what comes to a fault behind it.
fn place_of(statement: &Statement) -> Option<Span> {
    match statement {
        Statement::Pick { span, .. }
        | Statement::Move { span, .. }
        | Statement::Either { span, .. }
        | Statement::Need { span, .. }
        | Statement::Remember { span, .. }
        | Statement::Repeat { span, .. }
        | Statement::Place { span, .. }
        | Statement::Remove { span, .. } => Some(*span),
        _ => None,
    }
}

impl Unplanned {
    /// The same, at a place if none was known.
    pub fn at(self, span: Span) -> Unplanned {
        Unplanned { span: self.span.or(Some(span)), ..self }
    }
}
