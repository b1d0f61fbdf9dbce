//! Condition lowering: conditions go in; constants or registers that hold 0 or 1 come out.

use crate::board::Player;
use crate::model;
use crate::model::{Expr, Truth};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Fixed, Groups, Lowered, Num, Value, unplanned};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::NumReg;
use crate::plan::tree::{Block, Node};
use crate::plan::tuning::MAX_OPS_WITHOUT_BRANCH;

impl<'g> Lowering<'g> {
    pub fn truth(&mut self, truth: &'g Truth) -> Lowered<Num> {
        Ok(match truth {
            Truth::Fixed(value) => Num::Fixed(i64::from(*value)),
            Truth::Local(slot) => self.num_of(*slot)?,
            Truth::State(state, of) => {
                let mut any = Num::Fixed(0);
                for (meant, copies) in self.copies(*state, of.as_ref())? {
                    for copy in copies {
                        if let crate::plan::StateCell::Number(reg) = copy {
                            let holds = self.both_truths(meant, Num::In(reg));
                            any = self.either(any, holds);
                        }
                    }
                }
                any
            }
            Truth::Call(call) => match self.call_routine(call)? {
                Some(holds) => holds,
                None => self.call(call, |lowering, body| lowering.value_num(body))?,
            },
            Truth::If(choice) => {
                self.if_num(&choice.condition, |l| l.truth(&choice.then), |l| l.truth(&choice.otherwise))?
            }
            Truth::Not(inner) => {
                let inner = self.truth(inner)?;
                self.not(inner)
            }
            Truth::And(all) => {
                // What is found out of the next turn is kept for it, so that is asked first.
                let next = Player((self.scope.own.0 + 1) % self.game.seats.len() as u8);
                let ended = self.scope.ended;
                let asks_next = |truth: &&Truth| match truth {
                    _ if !ended => false,
                    Truth::Stuck(model::Players::Enemy) => self.game.enemies(self.scope.own).contains(next),
                    Truth::Stuck(model::Players::Fixed(players)) => players.contains(next),
                    _ => false,
                };
                let (mut ordered, rest): (Vec<&'g Truth>, Vec<&'g Truth>) = all.iter().partition(asks_next);
                ordered.extend(rest);
                self.in_order(&ordered, true)?
            }
            Truth::Or(any) => self.in_order(&any.iter().collect::<Vec<_>>(), false)?,
            Truth::Compare(cmp, sides) => self.compare(*cmp, &sides.0, &sides.1)?,
            Truth::CompareLists(cmp, sides) => self.compare_lists(*cmp, &sides.0, &sides.1)?,
            Truth::Equal(sides) => self.equal(&sides.0, &sides.1)?,
            Truth::Within(sides) => self.within(&sides.0, &sides.1)?,
            Truth::Some(set) => self.some(set)?,
            Truth::Stuck(players) => {
                self.expect_tops()?;
                let sets = self.players_at_play(players)?;
                let mut all = Num::Fixed(1);
                for (meant, players) in sets {
                    let other = self.not(meant);
                    for player in self.each_player(players) {
                        all = self.and_then(all, |lowering| {
                            lowering.short(other, false, |lowering| lowering.stuck(player))
                        })?;
                    }
                }
                all
            }
            Truth::Changed => {
                let mut same = Num::Fixed(1);
                for (now, then) in self.men_at_start.clone() {
                    let equal = Num::In(self.number_op(|d| TreeOp::Equal { d, a: now, b: then }));
                    same = self.both(same, equal);
                }
                self.not(same)
            }
            Truth::Attacked(cells) => {
                let cells = self.cells(cells)?;
                self.attacked(cells)?
            }
        })
    }

    /// The player has no run that acts, or would have none if the turn ended here.
    fn stuck(&mut self, player: Player) -> Lowered<Num> {
        if self.scope.ended {
            return Ok(Num::In(self.number_op(|d| TreeOp::Stuck { d, player })));
        }
        self.supposed(|d, own, place| TreeOp::StuckBehind { d, player, own, place })
    }

    pub fn not(&mut self, a: Num) -> Num {
        match a {
            Num::Fixed(value) => Num::Fixed(i64::from(value == 0)),
            Num::In(a) => Num::In(self.number_op(|d| TreeOp::Not { d, a })),
        }
    }

    /// The first, and if it holds the second.
    pub fn and_then(&mut self, first: Num, second: impl FnOnce(&mut Self) -> Lowered<Num>) -> Lowered<Num> {
        self.short(first, true, second)
    }

    /// The second is asked only if the first is `open`; otherwise the first decides.
    pub fn short(&mut self, first: Num, open: bool, second: impl FnOnce(&mut Self) -> Lowered<Num>) -> Lowered<Num> {
        let reg = match first {
            Num::Fixed(value) if (value != 0) == open => return second(self),
            Num::Fixed(_) => return Ok(first),
            Num::In(reg) => reg,
        };
        let (mut found, mut known) = (Num::Fixed(0), None);
        let body = self.block(|lowering| {
            found = second(lowering)?;
            known = Some(lowering.known.results.clone());
            Ok(())
        })?;
        if never_stops(&body) && body.len() <= MAX_OPS_WITHOUT_BRANCH {
            self.out.extend(body);
            self.known.results.go_on_with(known.unwrap_or_default());
            return Ok(if open { self.both(first, found) } else { self.either(first, found) });
        }
        let d = self.fresh.number();
        self.emit(TreeOp::CopyNum { d, a: reg });
        let a = self.num(found);
        let mut inner = body;
        inner.push(Node::Op(TreeOp::CopyNum { d, a }));
        let (then, otherwise) = if open { (inner, Vec::new()) } else { (Vec::new(), inner) };
        self.out.push(Node::If { condition: reg, then, otherwise });
        Ok(Num::In(d))
    }

    fn in_order(&mut self, truths: &[&'g Truth], all: bool) -> Lowered<Num> {
        let Some((&first, rest)) = truths.split_first() else { return Ok(Num::Fixed(i64::from(all))) };
        let first = self.truth(first)?;
        if rest.is_empty() {
            return Ok(first);
        }
        self.short(first, all, |lowering| lowering.in_order(rest, all))
    }

    fn compare(&mut self, cmp: Cmp, a: &'g model::Number, b: &'g model::Number) -> Lowered<Num> {
        // Groups are counted as far as the answer depends on it.
        let sides = match (a, b) {
            (model::Number::Count(set), other) => {
                let other = self.number(other)?;
                (self.count(set, Some(other))?, other)
            }
            (other, model::Number::Count(set)) => {
                let other = self.number(other)?;
                (other, self.count(set, Some(other))?)
            }
            (a, b) => (self.number(a)?, self.number(b)?),
        };
        Ok(self.compare_nums(cmp, sides.0, sides.1))
    }

    pub fn compare_nums(&mut self, cmp: Cmp, a: Num, b: Num) -> Num {
        if let (Num::Fixed(a), Num::Fixed(b)) = (a, b) {
            return Num::Fixed(i64::from(cmp.holds(a.cmp(&b))));
        }
        if self.is_in_range(cmp, a, b) {
            return Num::Fixed(1);
        }
        let (a, b) = (self.num(a), self.num(b));
        Num::In(self.number_op(|d| TreeOp::Compare { cmp, d, a, b }))
    }

    /// A number that was picked compares so with another, as none else was offered.
    fn is_in_range(&self, cmp: Cmp, a: Num, b: Num) -> bool {
        let range = if let Num::In(picked) = a { self.known.ranges.get(&picked) } else { None };
        range.is_some_and(|&(least, most)| match (cmp, b) {
            (Cmp::AtLeast, Num::Fixed(k)) => least >= k,
            (Cmp::AtMost, Num::In(b)) => b == most,
            _ => false,
        })
    }

    fn equal(&mut self, a: &'g Expr, b: &'g Expr) -> Lowered<Num> {
        match (self.value(a)?, self.value(b)?) {
            (Value::Num(a), Value::Num(b)) | (Value::Players(a), Value::Players(b)) => {
                Ok(self.compare_nums(Cmp::Equal, a, b))
            }
            (Value::Cells(Cells::Fixed(a)), Value::Cells(Cells::Fixed(b))) => Ok(Num::Fixed(i64::from(a == b))),
            (Value::Cells(a), Value::Cells(b)) => {
                let (a, b) = (self.reg(a), self.reg(b));
                Ok(Num::In(self.number_op(|d| TreeOp::Equal { d, a, b })))
            }
            _ => unplanned("a comparison of groups"),
        }
    }

    fn within(&mut self, a: &'g Expr, b: &'g Expr) -> Lowered<Num> {
        match (self.value(a)?, self.value(b)?) {
            (Value::Num(a), Value::Num(b)) | (Value::Players(a), Value::Players(b)) => {
                let outside = self.less(a, b);
                let (inside, some) = (
                    self.compare_nums(Cmp::Equal, outside, Num::Fixed(0)),
                    self.compare_nums(Cmp::NotEqual, a, Num::Fixed(0)),
                );
                Ok(self.both(inside, some))
            }
            (a, b) => {
                let (a, b) = (self.cells_value(a)?, self.cells_value(b)?);
                Ok(self.cells_within(a, b))
            }
        }
    }

    pub fn cells_within(&mut self, a: Cells, b: Cells) -> Num {
        if let (Cells::Fixed(a), Cells::Fixed(b)) = (a, b) {
            let outside = self.bits(a).zip(self.bits(b), |a, b| a & !b);
            return Num::Fixed(i64::from(a != Fixed::NONE && outside.is_empty()));
        }
        if a == self.none() || b == self.none() {
            return Num::Fixed(0);
        }
        let (a, b) = (self.reg(a), self.reg(b));
        Num::In(self.number_op(|d| TreeOp::NonEmptySubset { d, a, b }))
    }

    fn some(&mut self, set: &'g Expr) -> Lowered<Num> {
        // Two sets that are only asked whether they share a cell need no third.
        if let Expr::Cells(model::Cells::And(all)) = set
            && let [a, b] = all.as_slice()
            && !matches!((a, b), (model::Cells::Not(_), _) | (_, model::Cells::Not(_)))
        {
            let (a, b) = (self.cells(a)?, self.cells(b)?);
            return Ok(self.intersects(a, b));
        }
        if let Expr::Axes(model::Axes::Where(filter)) = set
            && let Some(found) = self.row_on_some_axis(filter)?
        {
            return Ok(found);
        }
        match self.value(set)? {
            Value::Num(num) | Value::Players(num) => Ok(self.compare_nums(Cmp::NotEqual, num, Num::Fixed(0))),
            Value::Groups(Groups::None) => Ok(Num::Fixed(0)),
            Value::Groups(Groups::Parts { of, .. }) => Ok(self.some_cells(Cells::In(of))),
            Value::Groups(rows @ Groups::Classes(_)) => {
                let classes = self.row_classes(rows)?;
                Ok(self.some_row(&classes))
            }
            Value::Groups(rows) => {
                let cells = self.union(rows)?;
                Ok(self.some_cells(cells))
            }
            value => {
                let cells = self.cells_value(value)?;
                Ok(self.some_cells(cells))
            }
        }
    }

    pub fn some_cells(&mut self, cells: Cells) -> Num {
        match cells {
            Cells::Fixed(fixed) => Num::Fixed(i64::from(fixed != Fixed::NONE)),
            Cells::In(a) => Num::In(self.number_op(|d| TreeOp::NonEmpty { d, a })),
        }
    }

    /// Emits a block under a condition.
    pub fn when(&mut self, condition: NumReg, then: Block, otherwise: Block) {
        self.out.push(Node::If { condition, then, otherwise });
    }

    /// What is lowered happens where a condition holds.
    pub fn where_it_holds(&mut self, condition: Num, body: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        match condition {
            Num::Fixed(0) => Ok(()),
            Num::Fixed(_) => body(self),
            Num::In(condition) => {
                let then = self.block(body)?;
                self.forget_behind([&then, &Vec::new()]);
                self.when(condition, then, Vec::new());
                Ok(())
            }
        }
    }
}

/// Nothing in the block can fault, choose or end the run.
pub fn never_stops(block: &[Node]) -> bool {
    block.iter().all(|node| match node {
        Node::Op(op) => !matches!(
            op,
            TreeOp::Arithmetic { .. }
                | TreeOp::Coordinate { .. }
                | TreeOp::LineBetween { .. }
                | TreeOp::Stuck { .. }
                | TreeOp::StuckBehind { .. }
                | TreeOp::PositionRepetitionsBehind { .. }
                | TreeOp::CycleBehind { .. }
                | TreeOp::CanComplete { .. }
                | TreeOp::BestValue { .. }
                | TreeOp::Call { .. }
                | TreeOp::FaultIfIntersects { .. }
                | TreeOp::FaultIfCrowded { .. }
                | TreeOp::PieceRepetitions { .. }
                | TreeOp::PositionRepetitions { .. }
                | TreeOp::Cycle { .. }
        ),
        _ => false,
    })
}
