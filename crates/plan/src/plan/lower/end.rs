//! End lowering: values that age and the outcomes go in, in order; what ends a turn comes out.

use crate::board::Player;
use crate::model;
use crate::model::Comparison;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::group_sizes::Score;
use crate::plan::lower::values::{Cells, Fixed, Lowered, Num, Value, unplanned};
use crate::plan::op::TreeOp;
use crate::plan::tree::{Block, Node, StateCell};

impl<'g> Lowering<'g> {
    /// Waiting men leave; values `for one turn` that were not set fall back.
    pub fn after(&mut self, player: Player) -> Lowered<Block> {
        self.scope.ended = false;
        self.program(player, 0, |lowering| {
            if let Some(waiting) = lowering.layout.waiting {
                let marks = lowering.mark_sets();
                marks.into_iter().for_each(|d| lowering.emit(TreeOp::AndNot { d, a: d, b: waiting }));
                let none = lowering.constant(Fixed::NONE);
                lowering.emit(TreeOp::Copy { d: waiting, a: none });
            }
            for (index, state) in lowering.game.states.iter().enumerate().filter(|(_, state)| state.for_one_turn) {
                lowering.age(index, state, player)?;
            }
            Ok(())
        })
    }

    fn age(&mut self, index: usize, state: &'g model::Remembered, mover: Player) -> Lowered<()> {
        let copies = self.layout.states[index].clone();
        for (copy, cell) in copies.iter().enumerate() {
            if copies.len() > 1 && copy != mover.index() {
                continue;
            }
            let Some(touched) = self.touched[index][copy] else { continue };
            let (d_set, d_number) = match *cell {
                StateCell::Set(d) => (Some(d), None),
                StateCell::Number(d) => (None, Some(d)),
            };
            // The first value is taken on the empty board: it must be a constant to be taken here.
            let first = self.in_frame(vec![Value::Unset; state.frame], |lowering| lowering.value(&state.first))?;
            let op = match (first, d_set, d_number) {
                (Value::Num(Num::Fixed(k)), None, Some(d)) => TreeOp::Const { d, k },
                (value, Some(d), None) => match self.cells_value(value)? {
                    Cells::Fixed(fixed) => {
                        let of_men = self.marked(Cells::Fixed(fixed), state);
                        TreeOp::Copy { d, a: self.reg(of_men) }
                    }
                    Cells::In(_) => return unplanned("a first value that is not a constant"),
                },
                _ => return unplanned("a first value that is not a constant"),
            };
            self.out.push(Node::If { condition: touched, then: Vec::new(), otherwise: vec![Node::Op(op)] });
        }
        Ok(())
    }

    pub fn end(&mut self, player: Player) -> Lowered<Block> {
        self.scope.ended = true;
        let frame = self.game.end.iter().map(|outcome| outcome.frame).max().unwrap_or(0);
        self.program(player, frame, |lowering| lowering.outcomes(0))
    }

    fn outcomes(&mut self, from: usize) -> Lowered<()> {
        let Some(outcome) = self.game.end.get(from) else { return Ok(()) };
        let asked = [
            self.judging.history.filter(|_| outcome.asks_history && outcome.parts_ask_history.is_empty()),
            self.judging.draws.filter(|_| matches!(outcome.result, model::Result::Draw)),
        ];
        let asked = asked
            .into_iter()
            .flatten()
            .map(Num::In)
            .reduce(|all, asked| self.both(all, asked))
            .unwrap_or(Num::Fixed(1));
        let truth = |lowering: &mut Self| lowering.outcome_holds(outcome).map_err(|why| why.at(outcome.span));
        let holds = self.and_then(asked, truth)?;
        match holds {
            Num::Fixed(0) => self.outcomes(from + 1),
            Num::Fixed(_) => self.decide(from, outcome),
            Num::In(n) => {
                let then = self.block(|lowering| lowering.decide(from, outcome).map_err(|why| why.at(outcome.span)))?;
                let otherwise = self.block(|lowering| lowering.outcomes(from + 1))?;
                self.when(n, then, otherwise);
                Ok(())
            }
        }
    }

    /// Whether an outcome holds; parts that ask the history are false where that is not asked.
    fn outcome_holds(&mut self, outcome: &'g model::Outcome) -> Lowered<Num> {
        let (Some(history), model::Truth::Or(parts)) = (self.judging.history, &outcome.condition) else {
            return self.truth(&outcome.condition);
        };
        if outcome.parts_ask_history.is_empty() {
            return self.truth(&outcome.condition);
        }
        let mut holds = Num::Fixed(0);
        for (part, asks) in parts.iter().zip(&outcome.parts_ask_history) {
            let asked = if *asks { Num::In(history) } else { Num::Fixed(1) };
            holds = self.short(holds, false, |lowering| lowering.and_then(asked, |lowering| lowering.truth(part)))?;
        }
        Ok(holds)
    }

    fn decide(&mut self, index: usize, outcome: &'g model::Outcome) -> Lowered<()> {
        let bits = |set: crate::board::PlayerSet| Num::Fixed(set.words()[0] as i64);
        let winners = match &outcome.result {
            model::Result::Win => bits(self.game.player(self.scope.own).team),
            model::Result::Lose => bits(self.game.enemies(self.scope.own)),
            model::Result::Draw => Num::Fixed(0),
            model::Result::Wins(player) => bits(self.game.player(*player).team),
            model::Result::Highest(values) => self.highest(values)?,
        };
        let winners = self.num(winners);
        self.emit(TreeOp::SetOutcome { outcome: index as u16, winners });
        Ok(())
    }

    /// The team of the best by the values in order; nobody if the best are of several teams.
    ///
    /// A team wins if one of its players has more than every player of the other teams.
    fn highest(&mut self, values: &'g [model::Expr]) -> Lowered<Num> {
        let mut scores: Vec<(Player, Vec<Score>)> = Vec::new();
        for player in self.game.players() {
            let score: Lowered<Vec<Score>> =
                self.as_player(player, |lowering| values.iter().map(|value| lowering.score(value)).collect());
            scores.push((player, score?));
        }
        let mut winners = Num::Fixed(0);
        for (player, score) in &scores {
            let team = self.game.player(*player).team;
            let mut best = Num::Fixed(1);
            for (_, others) in scores.iter().filter(|(other, _)| !team.contains(*other)) {
                let beats = self.beats(score, others)?;
                best = self.both(best, beats);
            }
            let team = self.choose(best, Num::Fixed(team.words()[0] as i64), Num::Fixed(0));
            winners = self.either(winners, team);
        }
        Ok(winners)
    }

    /// The first list of values is greater, the first difference deciding.
    fn beats(&mut self, a: &[Score], b: &[Score]) -> Lowered<Num> {
        let (Some((&a, more)), Some((&b, others))) = (a.split_first(), b.split_first()) else {
            return Ok(Num::Fixed(0));
        };
        let greater = self.compare_scores(Comparison::Greater, a, b)?;
        if more.is_empty() {
            return Ok(greater);
        }
        let equal = self.compare_scores(Comparison::Equal, a, b)?;
        let rest = self.beats(more, others)?;
        let rest = self.both(equal, rest);
        Ok(self.either(greater, rest))
    }
}
