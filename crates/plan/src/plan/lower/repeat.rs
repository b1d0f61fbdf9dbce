//! Loop lowering: rounds of a `repeat` go in; a bounded loop comes out.

use crate::model;
use crate::model::{Choice, Rounds, Slot, Statement};
use crate::plan::annotation::Annotation;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::statement::List;
use crate::plan::lower::values::{Cells, Facts, Lowered, Num, Value, unplanned};
use crate::plan::op::TreeOp;
use crate::plan::passes::Pass;
use crate::plan::regs::{NumReg, SetReg, SpanId};
use crate::plan::tree::{Arm, Node, Options};
use crate::source::Span;

/// `pick p from S   repeat { move p ... }`: the first round of it, which chooses the man together
/// with where he moves.
pub struct FirstRound<'a, 'g> {
    /// The pick, and the statements of the round.
    pub list: List<'g>,
    pub repeat: &'g Statement,
    /// What stands behind the `repeat`.
    pub rest: &'a [&'g Statement],
}

impl<'g> Lowering<'g> {
    /// The first round of what a list of statements begins with, if it can be told apart.
    pub fn first_round<'a>(&mut self, list: &'a [&'g Statement]) -> Option<FirstRound<'a, 'g>> {
        let (Statement::Pick { slot, count: 1, from: Choice::Cells(_), .. }, behind) = list.split_first()? else {
            return None;
        };
        let bound = behind.iter().take_while(|statement| matches!(statement, Statement::Assign { .. })).count();
        let (&repeat, rest) = behind[bound..].split_first()?;
        let Statement::Repeat { rounds: Rounds::Free, silently: false, body, .. } = repeat else { return None };
        let body = self.opened(self.game.block(*body));
        let moves = |who: &model::Cells| matches!(who, model::Cells::Local(who) if who == slot);
        let Some(Statement::Move { who, .. }) = body.first() else { return None };
        let list: List<'g> = list[..=bound].iter().copied().chain(body.iter().copied()).collect();
        (self.has(Pass::PeelLoop) && moves(who) && self.moves_at_once(&list)).then_some(FirstRound {
            list,
            repeat,
            rest,
        })
    }

    /// Statements of the first round: more stand behind them.
    pub fn in_round(&mut self, list: &[&'g Statement]) -> Lowered<()> {
        self.scope.depth_of_blocks += 1;
        let result = self.sequence(list);
        self.scope.depth_of_blocks -= 1;
        result
    }

    /// Rounds behind the first one.
    pub fn more_rounds(&mut self, repeat: &'g Statement) -> Lowered<()> {
        let Statement::Repeat { body, span, .. } = repeat else { return Ok(()) };
        let (again, place) = (self.fresh.number(), self.place(*span));
        let owners = self.owners_kept(*body);
        self.stop_or_go_on(again, place);
        let round = self.free_round((*body, false), again, (place, 1))?;
        self.when(again, vec![round], Vec::new());
        self.forget();
        self.known.facts_mut().extend(owners);
        Ok(())
    }

    /// A round; of silent ones only the last is written.
    fn round(&mut self, (body, silently): (model::BlockId, bool)) -> Lowered<()> {
        if silently {
            self.emit(TreeOp::Annotate { mark: Annotation::Round });
        }
        self.inner(body)
    }

    /// Rounds until the player stops; so many are over before.
    fn free_round(
        &mut self,
        round: (model::BlockId, bool),
        again: NumReg,
        (place, begun): (SpanId, i64),
    ) -> Lowered<Node> {
        let counter = self.fresh.number();
        let owners = self.owners_kept(round.0);
        self.forget();
        self.scope.still = false;
        let body = self.block(|lowering| {
            lowering.known.facts_mut().extend(owners);
            lowering.round(round)?;
            lowering.stop_or_go_on(again, place);
            Ok(())
        })?;
        Ok(Node::Loop { body, again, counter, begun, place })
    }

    /// The player stops, or goes on: the number tells. That is not written, so runs of both may be alike.
    pub fn stop_or_go_on(&mut self, again: NumReg, place: SpanId) {
        let open = self.constant_number(1);
        let arm = |k: i64, note: &str| Arm {
            branch: Some((place, k as u16)),
            ..Arm::new(Options::One { open }, vec![Node::Op(TreeOp::Const { d: again, k })], note)
        };
        self.out.push(Node::Choose(vec![arm(0, "stop"), arm(1, "go on")]));
    }

    /// In the nodes the player can stop after one round, and then nothing fails.
    pub fn can_stop(&self, nodes: &[Node]) -> bool {
        let Some(at) = nodes.iter().position(|node| matches!(node, Node::Choose(_))) else { return false };
        let (Node::Choose(arms), Some(Node::If { condition, otherwise, .. })) = (&nodes[at], nodes.get(at + 1)) else {
            return false;
        };
        let always = |n: NumReg| self.tables.const_numbers.contains(&(n, 1));
        let stops = |arm: &Arm| {
            matches!(arm.options, Options::One { open } if always(open))
                && matches!(arm.block.as_slice(), [Node::Op(TreeOp::Const { d, k: 0 })] if d == condition)
        };
        arms.iter().any(stops)
            && otherwise.is_empty()
            && crate::plan::lower::choice::is_sure(&nodes[..at])
            && crate::plan::lower::choice::is_sure(&nodes[at + 2..])
    }

    pub fn repeat(&mut self, rounds: &'g Rounds, round: (model::BlockId, bool), span: Span) -> Lowered<()> {
        let place = self.place(span);
        match rounds {
            Rounds::Free => {
                let again = self.fresh.number();
                let round = self.free_round(round, again, (place, 0))?;
                self.out.push(round);
            }
            Rounds::While(condition) => {
                let owners = self.owners_kept(round.0);
                self.forget();
                self.scope.still = false;
                let first = self.truth(condition)?;
                let Num::In(first) = first else {
                    return if first == Num::Fixed(0) { Ok(()) } else { unplanned("a loop without end") };
                };
                let again = self.fresh.number();
                let body = self.block(|lowering| {
                    lowering.forget();
                    lowering.known.facts_mut().extend(owners);
                    lowering.round(round)?;
                    let more = lowering.truth(condition)?;
                    let a = lowering.num(more);
                    lowering.emit(TreeOp::CopyNum { d: again, a });
                    Ok(())
                })?;
                let counter = self.fresh.number();
                self.when(first, vec![Node::Loop { body, again, counter, begun: 0, place }], Vec::new());
            }
        }
        self.forget();
        Ok(())
    }

    /// What is known of the man that rounds only move: he stays whose he is. Another man may be
    /// caught by him.
    fn owners_kept(&self, body: model::BlockId) -> Option<(SetReg, Facts)> {
        let mut mover = None;
        let mut assigned = Vec::new();
        if !self.only_moves(body, &mut mover, &mut assigned) || mover.is_some_and(|mover| assigned.contains(&mover)) {
            return None;
        }
        let Some(Value::Cells(Cells::In(home))) = *self.known.mutable.get(&mover?)? else { return None };
        let facts = self.facts(Cells::In(home));
        let kept = Facts { occupied: facts.occupied, owners: facts.owners, ..Facts::NONE };
        self.known.single.contains(&home).then_some((home, kept))
    }

    /// Nothing in a block puts, takes, turns or renames men but moves of one man.
    fn only_moves(&self, block: model::BlockId, mover: &mut Option<Slot>, assigned: &mut Vec<Slot>) -> bool {
        self.opened(self.game.block(block)).iter().all(|statement| match statement {
            Statement::Move { who: model::Cells::Local(slot), .. } => *mover.get_or_insert(*slot) == *slot,
            Statement::Need { .. } | Statement::Most { .. } => true,
            Statement::Assign { slot, .. } => {
                assigned.push(*slot);
                true
            }
            Statement::If { then, otherwise, .. } => {
                self.only_moves(then.0, mover, assigned)
                    && otherwise.as_ref().is_none_or(|it| self.only_moves(it.0, mover, assigned))
            }
            Statement::First { blocks, .. } | Statement::Either { blocks, .. } => {
                blocks.iter().all(|block| self.only_moves(block.0, mover, assigned))
            }
            Statement::Repeat { body, .. } => self.only_moves(*body, mover, assigned),
            _ => false,
        })
    }
}
