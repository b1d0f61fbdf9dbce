//! Number lowering: expressions of numbers go in; constants or registers come out.

use crate::board::{Fold, Player};
use crate::model;
use crate::model::{Arithmetic, Expr, Number};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Groups, Lowered, Num, Unplanned, Value, unplanned};
use crate::plan::op::TreeOp;
use crate::plan::passes::Pass;
use crate::plan::regs::{NumReg, SpanId};
use crate::plan::tree::StateCell;

impl<'g> Lowering<'g> {
    pub fn number(&mut self, number: &'g Number) -> Lowered<Num> {
        Ok(match number {
            Number::Fixed(value) => Num::Fixed(*value),
            Number::Local(slot) => self.num_of(*slot)?,
            Number::State(state, of) => {
                let span = self.game.states[state.0 as usize].span;
                let copies = self.copies(*state, of.as_ref())?;
                self.sum(copies, span)
            }
            Number::Call(call) => self.call(call, |lowering, body| lowering.value_num(body))?,
            Number::If(choice) => {
                self.if_num(&choice.condition, |l| l.number(&choice.then), |l| l.number(&choice.otherwise))?
            }
            Number::Arithmetic(op, operands, span) => {
                let (a, b) = (self.number(&operands.0)?, self.number(&operands.1)?);
                self.arithmetic(*op, a, b, *span)?
            }
            Number::Count(set) => self.count(set, None)?,
            Number::Coordinate(coordinate, cells, span) => {
                let fold = coordinate.fold();
                match self.cells(cells)? {
                    Cells::Fixed(fixed) if self.bits(fixed).len() == 1 => {
                        Num::Fixed(self.coordinate_now(fold, self.bits(fixed)))
                    }
                    cells => {
                        let (a, place, player) = (self.reg(cells), self.place(*span), self.scope.own);
                        Num::In(self.number_op(|d| TreeOp::Coordinate { d, fold, a, player, place }))
                    }
                }
            }
            Number::Height(cells) => {
                let cells = self.cells(cells)?;
                // Caught men are in no list while they wait. Known men stand.
                if self.game.stacks && !self.nobody_waits() && !self.facts(cells).occupied {
                    return unplanned("heights of cells on which caught stacks may wait until the end of the turn");
                }
                self.height(cells)
            }
            Number::Value(cells) => self.value_of(cells)?,
            Number::Hand(players) => {
                let sets = self.players_at_play(players)?;
                let kinds = self.game.kinds.len();
                let hands = |players| {
                    let of_player = |player: Player| (0..kinds).map(move |kind| player.index() * kinds + kind);
                    let hands = self.each_player(players).flat_map(of_player);
                    hands.filter_map(|at| self.layout.hands.get(at).copied().map(StateCell::Number)).collect()
                };
                let hands = sets.into_iter().map(|(meant, players)| (meant, hands(players))).collect();
                self.sum(hands, crate::source::Span::NOWHERE)
            }
            Number::TimesPieces => self.history(|d, more| TreeOp::PieceRepetitions { d, more }),
            Number::TimesPosition if self.scope.ended => {
                self.history(|d, more| TreeOp::PositionRepetitions { d, more })
            }
            Number::TimesPosition => {
                self.supposed(|d, own, place| TreeOp::PositionRepetitionsBehind { d, own, place })?
            }
            Number::Cycle if self.scope.ended => self.history(|d, _| TreeOp::Cycle { d }),
            Number::Cycle => self.supposed(|d, own, place| TreeOp::CycleBehind { d, own, place })?,
        })
    }

    /// The cells of the kinds that have a number, one set for each number.
    pub fn valued_kinds(&mut self) -> Vec<(i64, Cells)> {
        let mut found: Vec<(i64, Cells)> = Vec::new();
        for (at, kind) in self.game.kinds.iter().enumerate().filter(|(_, kind)| kind.value != 0) {
            let cells = self.kind_cells(crate::board::Kind(at as u8));
            match found.iter().position(|(value, _)| *value == kind.value) {
                Some(at) => found[at].1 = self.or(found[at].1, cells),
                None => found.push((kind.value, cells)),
            }
        }
        found
    }

    /// A count for each number that kinds have, times that number.
    fn value_of(&mut self, cells: &'g model::Cells) -> Lowered<Num> {
        let cells = self.cells(cells)?;
        let mut sum = Num::Fixed(0);
        for (value, of) in self.valued_kinds() {
            let men = self.and(cells, of);
            let count = self.count_cells(men);
            // Numbers of kinds are so small that nothing overflows.
            let nowhere = crate::source::Span::NOWHERE;
            let part = match value {
                1 => count,
                value => self.arithmetic(Arithmetic::Multiply, count, Num::Fixed(value), nowhere)?,
            };
            sum = self.arithmetic(Arithmetic::Add, sum, part, nowhere)?;
        }
        Ok(sum)
    }

    /// What is asked of the position as if the turn ended here. It is asked anew each time: what the turn has done so
    /// far stands in no register alone.
    pub fn supposed(&mut self, make: impl Fn(NumReg, Player, SpanId) -> TreeOp) -> Lowered<Num> {
        if self.scope.here.is_some() || self.scope.walking.is_some() {
            return unplanned("what a turn leads to, asked of each of several cells");
        }
        let (d, own, place) = (self.fresh.number(), self.scope.own, self.place(self.scope.statement));
        self.emit(make(d, own, place));
        Ok(Num::In(d))
    }

    /// Within a turn the position at hand is not in the history yet.
    fn history(&mut self, make: impl Fn(NumReg, i64) -> TreeOp) -> Num {
        let d = self.fresh.number();
        self.emit(make(d, i64::from(!self.scope.ended)));
        Num::In(d)
    }

    /// The sum of the numbers that are meant. One that is not may be too large to be added.
    fn sum(&mut self, copies: Vec<(Num, Vec<StateCell>)>, span: crate::source::Span) -> Num {
        let mut sum = Num::Fixed(0);
        for (meant, copies) in copies {
            for copy in copies {
                let StateCell::Number(reg) = copy else { continue };
                let number = self.choose(meant, Num::In(reg), Num::Fixed(0));
                sum = match sum {
                    Num::Fixed(0) => number,
                    sum => self.arithmetic_in(Arithmetic::Add, sum, number, span),
                };
            }
        }
        sum
    }

    fn coordinate_now(&self, fold: Fold, bits: &crate::plan::Bits) -> i64 {
        let topology = &self.game.topology;
        let Some(cell) = self.grid.cells(&bits.0).min() else { return 0 };
        match fold {
            Fold::File => i64::from(topology.file(cell)),
            Fold::Rank => i64::from(topology.rank(cell)),
            Fold::Row => self.game.player(self.scope.own).forward.map_or(0, |forward| topology.row(cell, forward)),
        }
    }

    pub fn arithmetic(&mut self, op: Arithmetic, a: Num, b: Num, span: crate::source::Span) -> Lowered<Num> {
        if let (Num::Fixed(a), Num::Fixed(b)) = (a, b) {
            let result = crate::position::calculate(op, a, b);
            return result
                .map(Num::Fixed)
                .map_err(|_| Unplanned { why: "a number that always faults", span: Some(span) });
        }
        Ok(match (op, a, b) {
            (Arithmetic::Add, Num::Fixed(0), other)
            | (Arithmetic::Add | Arithmetic::Subtract, other, Num::Fixed(0)) => other,
            _ => self.arithmetic_in(op, a, b, span),
        })
    }

    fn arithmetic_in(&mut self, op: Arithmetic, a: Num, b: Num, span: crate::source::Span) -> Num {
        // A picked number that is not negative becomes less.
        let less = |picked: NumReg| self.known.ranges.get(&picked).is_some_and(|&(least, _)| least >= 0);
        let place = match (op, a, b) {
            (Arithmetic::Subtract, Num::In(picked), Num::Fixed(0..)) if less(picked) => SpanId::NOWHERE,
            _ => self.place(span),
        };
        let (a, b) = (self.num(a), self.num(b));
        Num::In(self.number_op(|d| TreeOp::Arithmetic { op, d, a, b, place }))
    }

    pub fn count_cells(&mut self, cells: Cells) -> Num {
        match cells {
            Cells::Fixed(fixed) => Num::Fixed(self.bits(fixed).len() as i64),
            Cells::In(a) => Num::In(self.number_op(|d| TreeOp::Popcount { d, a })),
        }
    }

    /// How many there are; groups are only counted as far as it makes a difference to what the
    /// number is compared with.
    pub fn count(&mut self, set: &'g Expr, compared: Option<Num>) -> Lowered<Num> {
        Ok(match set {
            Expr::Cells(cells) => {
                let cells = self.cells(cells)?;
                self.count_cells(cells)
            }
            Expr::Groups(groups) => match self.groups(groups)? {
                Groups::Parts { of: a, along } => {
                    let most = match compared {
                        Some(Num::Fixed(k)) if self.has(Pass::BoundedGroupCount) => {
                            k.saturating_add(1).clamp(1, u16::MAX.into()) as u16
                        }
                        _ => u16::MAX,
                    };
                    Num::In(self.number_op(|d| TreeOp::CountGroups { d, a, along, most }))
                }
                rows => {
                    let classes = self.row_classes(rows)?;
                    self.count_rows(&classes)?
                }
            },
            Expr::Dirs(dirs) => {
                let dirs = self.dirs(dirs)?;
                self.count_bits(dirs)
            }
            Expr::Axes(axes) => {
                let axes = self.axes(axes)?;
                self.count_bits(axes)
            }
            Expr::Players(players) => {
                let players = self.players(players)?;
                self.count_bits(players)
            }
            Expr::List(_) => return unplanned("a list"),
            Expr::Number(_) | Expr::Truth(_) => Num::Fixed(1),
        })
    }

    fn count_bits(&mut self, bits: Num) -> Num {
        match bits {
            Num::Fixed(bits) => Num::Fixed(i64::from(bits.count_ones())),
            Num::In(a) => Num::In(self.number_op(|d| TreeOp::CountBits { d, a })),
        }
    }

    pub fn num_of(&mut self, slot: model::Slot) -> Lowered<Num> {
        match self.local(slot) {
            Value::Num(num) => Ok(num),
            Value::Later(..) => unplanned("a condition that is not a set"),
            _ => Ok(Num::Fixed(0)),
        }
    }

    pub fn value_num(&mut self, expr: &'g Expr) -> Lowered<Num> {
        match self.value(expr)? {
            Value::Num(num) => Ok(num),
            _ => unplanned("a number that is not one"),
        }
    }

    /// `if`: both sides are computed where neither is known.
    pub fn if_num(
        &mut self,
        condition: &'g model::Truth,
        then: impl FnOnce(&mut Self) -> Lowered<Num>,
        otherwise: impl FnOnce(&mut Self) -> Lowered<Num>,
    ) -> Lowered<Num> {
        match self.truth(condition)? {
            Num::Fixed(0) => otherwise(self),
            Num::Fixed(_) => then(self),
            Num::In(condition) => {
                let d = self.fresh.number();
                let side = |lowering: &mut Self, body: &mut dyn FnMut(&mut Self) -> Lowered<Num>| {
                    lowering.block(|lowering| {
                        let value = body(lowering)?;
                        let a = lowering.num(value);
                        lowering.emit(TreeOp::CopyNum { d, a });
                        Ok(())
                    })
                };
                let (mut then, mut otherwise) = (Some(then), Some(otherwise));
                let yes = side(self, &mut |l| then.take().map_or(Ok(Num::Fixed(0)), |then| then(l)))?;
                let no = side(self, &mut |l| otherwise.take().map_or(Ok(Num::Fixed(0)), |otherwise| otherwise(l)))?;
                self.out.push(crate::plan::Node::If { condition, then: yes, otherwise: no });
                Ok(Num::In(d))
            }
        }
    }

    // Bits.

    pub fn both(&mut self, a: Num, b: Num) -> Num {
        match (a, b) {
            (Num::Fixed(a), Num::Fixed(b)) => Num::Fixed(a & b),
            (Num::Fixed(0), _) | (_, Num::Fixed(0)) => Num::Fixed(0),
            (Num::Fixed(-1), other) | (other, Num::Fixed(-1)) => other,
            (a, b) if a == b => a,
            (a, b) => {
                let (a, b) = (self.num(a), self.num(b));
                Num::In(self.number_op(|d| TreeOp::BitAnd { d, a, b }))
            }
        }
    }

    /// The same of truths.
    pub fn both_truths(&mut self, a: Num, b: Num) -> Num {
        match (a, b) {
            (Num::Fixed(1), other) | (other, Num::Fixed(1)) => other,
            (a, b) => self.both(a, b),
        }
    }

    pub fn either(&mut self, a: Num, b: Num) -> Num {
        match (a, b) {
            (Num::Fixed(a), Num::Fixed(b)) => Num::Fixed(a | b),
            (Num::Fixed(0), other) | (other, Num::Fixed(0)) => other,
            (a, b) => {
                let (a, b) = (self.num(a), self.num(b));
                Num::In(self.number_op(|d| TreeOp::BitOr { d, a, b }))
            }
        }
    }

    pub fn less(&mut self, a: Num, b: Num) -> Num {
        match (a, b) {
            (Num::Fixed(a), Num::Fixed(b)) => Num::Fixed(a & !b),
            (a, b) => {
                let (a, b) = (self.num(a), self.num(b));
                Num::In(self.number_op(|d| TreeOp::BitAndNot { d, a, b }))
            }
        }
    }

    pub fn choose(&mut self, n: Num, a: Num, b: Num) -> Num {
        match n {
            Num::Fixed(0) => b,
            Num::Fixed(_) => a,
            Num::In(n) => {
                let (a, b) = (self.num(a), self.num(b));
                Num::In(self.number_op(|d| TreeOp::SelectNum { d, n, a, b }))
            }
        }
    }
}
