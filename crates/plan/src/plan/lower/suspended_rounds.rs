//! Suspended rounds: a `repeat`, or a `for each`, in which the turn may be suspended, goes in; continuations come out, one for
//! each place where it is, whichever round that is in.
//!
//! Rounds that are no plies of their own are lowered one behind the other, up to where the turn is suspended: what is chosen
//! in two of them may be one ply. The second round comes to the continuation of the first, so lowering ends there. Where a
//! round may not be suspended at all, though a player has chosen something in it, rounds are a loop that ends where the turn
//! is suspended. Where a player has chosen otherwise before the first of them, that one is peeled off the loop.

use std::rc::Rc;

use crate::model::{Choice, Rounds, Slot, Statement};
use crate::plan::annotation::Annotation;
use crate::plan::lower::carried::{Awaited, Bag, CarriedShape, Chosen, Form, Join, Pending, PlyState, Resumed, Round};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Facts, Lowered, Num, Unplanned, Value, unplanned};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::NumReg;
use crate::plan::tree::{Arm, Node, Options};
use crate::plan::tuning::MAX_JOINS_OF_A_PLACE;
use crate::source::Span;

const CHOSEN_BEFORE: &str = "rounds in which the turn may be suspended or not, behind what a player has chosen";

impl<'g> Lowering<'g> {
    /// Rounds in which the turn may be suspended, and what stands behind them.
    pub fn suspended_rounds(
        &mut self,
        statement: &'g Statement,
        behind: &[&'g Statement],
        spine: Vec<Slot>,
    ) -> Lowered<()> {
        let around = self.continuations.round.clone();
        let depth = around.as_ref().map_or(0, |round| round.depth) + 1;
        let round = |rest| {
            let behind = behind.to_vec();
            Rc::new(Round { statement, rest, behind, spine, around, depth, is_behind_first: false })
        };
        match statement {
            Statement::Repeat { rounds: Rounds::Free, .. } => self.first_round_of(&round(None)),
            Statement::Repeat { rounds: Rounds::While(condition), .. } => {
                let round = round(None);
                match self.truth(condition)? {
                    Num::Fixed(0) => self.behind_rounds(&round),
                    Num::Fixed(_) => self.first_round_of(&round),
                    Num::In(n) if self.is_loop(&round) => self.round_loop(&round, Some(n)),
                    Num::In(n) => {
                        let still = self.scope.still;
                        let yes = self.way_on(still, |lowering| lowering.first_round_of(&round))?;
                        let no = self.way_on(still, |lowering| lowering.behind_rounds(&round))?;
                        self.when(n, yes, no);
                        Ok(())
                    }
                }
            }
            Statement::ForEach { from: Choice::Cells(cells), .. } => {
                let of = self.cells(cells)?;
                let rest = self.copied(of);
                self.next_member(&round(Some(rest)))
            }
            _ => unplanned("`for each` over other than cells, in which the turn is suspended"),
        }
    }

    /// Each round is a ply.
    fn is_in_steps(round: &Round<'g>) -> bool {
        matches!(round.statement, Statement::Repeat { in_steps: true, .. })
    }

    /// The first round. A ply says something, so a step belongs to the ply before it that has said nothing.
    fn first_round_of(&mut self, round: &Rc<Round<'g>>) -> Lowered<()> {
        if Lowering::is_in_steps(round) {
            if !self.may_write(round.statement) {
                return unplanned("steps that say nothing");
            }
            let ply = &mut self.continuations.ply;
            if ply.told && !ply.surely_told {
                return unplanned("steps behind choices that may be written or not");
            }
            ply.cut |= ply.told;
        }
        self.new_round(round)
    }

    /// A round that begins where the turn is not suspended.
    fn new_round(&mut self, round: &Rc<Round<'g>>) -> Lowered<()> {
        if self.is_loop(round) { self.round_loop(round, None) } else { self.one_round(round) }
    }

    fn is_loop(&self, round: &Round<'g>) -> bool {
        let is_of = |form| self.continuations.forms.contains(&form);
        is_of(Form::Loop(round.statement)) && (round.is_behind_first || !is_of(Form::Peeled(round.statement)))
    }

    /// The round has begun since the turn was suspended last.
    fn is_new(&self, round: &Round<'g>) -> bool {
        self.continuations.ply.resumed < round.depth
    }

    /// A round, from its beginning.
    fn one_round(&mut self, round: &Rc<Round<'g>>) -> Lowered<()> {
        let (Statement::Repeat { body, .. } | Statement::ForEach { body, .. }) = round.statement else { return Ok(()) };
        let list = self.opened(self.game.block(*body));
        let outer = self.continuations.round.replace(round.clone());
        let ply = &mut self.continuations.ply;
        ply.resumed = ply.resumed.min(round.depth - 1);
        let mut spine = round.spine.clone();
        if let Statement::ForEach { slot, .. } = round.statement {
            crate::plan::lower::carried::add_slot(&mut spine, *slot);
        }
        let result = self.up_to_suspension(&list, spine);
        self.continuations.round = outer;
        result
    }

    /// The round of the next cell, if there is one.
    fn next_member(&mut self, round: &Rc<Round<'g>>) -> Lowered<()> {
        let Some(rest) = round.rest else { return Ok(()) };
        self.forget_results();
        let some = match self.some_cells(Cells::In(rest)) {
            Num::Fixed(0) => return self.behind_rounds(round),
            Num::Fixed(_) => self.constant_number(1),
            Num::In(some) => some,
        };
        if self.is_loop(round) {
            return self.round_loop(round, Some(some));
        }
        let still = self.scope.still;
        let yes = self.way_on(still, |lowering| {
            lowering.take_member(round)?;
            lowering.one_round(round)
        })?;
        let no = self.way_on(still, |lowering| lowering.behind_rounds(round))?;
        self.when(some, yes, no);
        Ok(())
    }

    /// Of a `for each`: names the next cell.
    fn take_member(&mut self, round: &Round<'g>) -> Lowered<()> {
        let (Statement::ForEach { slot, .. }, Some(rest)) = (round.statement, round.rest) else { return Ok(()) };
        let (member, n) = (self.fresh.set(), self.constant_number(1));
        self.emit(TreeOp::NthCell { d: member, a: rest, n });
        self.emit(TreeOp::AndNot { d: rest, a: rest, b: member });
        self.forget_results();
        self.known.single.insert(member);
        self.known.exact.insert(member);
        self.assign(*slot, Value::Cells(Cells::In(member)))
    }

    /// Rounds as a loop that ends where the turn is suspended; then what stands behind them, if it is not. `begins`: the number
    /// that tells whether there is a round at all, if that is not known.
    fn round_loop(&mut self, round: &Rc<Round<'g>>, begins: Option<NumReg>) -> Lowered<()> {
        let Some(next) = self.continuations.next else { return Ok(()) };
        let (again, counter, place) = (self.fresh.number(), self.fresh.number(), self.place(span_of(round.statement)));
        if !self.game.asks.plies && self.may_choose(round.statement) {
            // In a round that is not the first, the one before it has chosen.
            self.continuations.ply = self.continuations.ply.perhaps_chosen_by(self.scope.own);
        }
        let (ply, values) = (self.continuations.ply, self.scope.frames[0].clone());
        let ends = std::mem::take(&mut self.continuations.round_ends);
        self.forget();
        self.scope.still = false;
        let body = self.block(|lowering| {
            lowering.forget();
            lowering.take_member(round)?;
            lowering.one_round(round)?;
            lowering.scope.frames[0].clone_from(&values);
            // That rounds end as they begin is checked below.
            lowering.continuations.ply = ply;
            let (goes_on, stop) = (lowering.is_unsuspended(next), Node::Op(TreeOp::Const { d: again, k: 0 }));
            let more = lowering.block(|lowering| lowering.tell_if_more(round, again))?;
            lowering.when(goes_on, more, vec![stop]);
            Ok(())
        })?;
        let all = Node::Loop { body, again, counter, begun: 0, place };
        match begins {
            Some(begins) => self.when(begins, vec![all], Vec::new()),
            None => self.out.push(all),
        }
        self.scope.frames[0] = values;
        self.forget();
        let ends = std::mem::replace(&mut self.continuations.round_ends, ends);
        // Where rounds end otherwise than they begin, it is not known whose choice goes on with whose ply.
        let alike = |end: &PlyState| PlyState { resumed: ply.resumed, ..*end } == ply;
        if self.game.asks.plies && !ends.iter().all(alike) {
            return self.wants(Form::Peeled(round.statement), round);
        }
        self.continuations.ply = ply;
        let goes_on = self.is_unsuspended(next);
        let behind = self.way_on(false, |lowering| lowering.behind_rounds(round))?;
        self.when(goes_on, behind, Vec::new());
        Ok(())
    }

    /// The number that tells whether the turn has not been suspended.
    fn is_unsuspended(&mut self, next: NumReg) -> NumReg {
        self.forget_results();
        let is = self.compare_nums(Cmp::Equal, Num::In(next), Num::Fixed(0));
        self.num(is)
    }

    /// Tells whether another round follows.
    fn tell_if_more(&mut self, round: &Round<'g>, again: NumReg) -> Lowered<()> {
        let more = match round.statement {
            Statement::Repeat { rounds: Rounds::Free, .. } => {
                if self.stops_in_a_ply_of_its_own() {
                    return unplanned(CHOSEN_BEFORE);
                }
                let place = self.place(span_of(round.statement));
                self.stop_or_go_on(again, place);
                return Ok(());
            }
            Statement::Repeat { rounds: Rounds::While(condition), .. } => self.truth(condition)?,
            _ => round.rest.map_or(Num::Fixed(0), |rest| self.some_cells(Cells::In(rest))),
        };
        let a = self.num(more);
        self.emit(TreeOp::CopyNum { d: again, a });
        Ok(())
    }

    fn behind_rounds(&mut self, round: &Round<'g>) -> Lowered<()> {
        let outer = std::mem::replace(&mut self.continuations.round, round.around.clone());
        let result = self.up_to_suspension(&round.behind, round.spine.clone());
        self.continuations.round = outer;
        result
    }

    /// A round is over: another follows, or what stands behind them.
    pub fn end_round(&mut self, round: &Rc<Round<'g>>) -> Lowered<()> {
        let begun_anew = (!self.is_new(round)).then(|| at_first(round));
        let round = begun_anew.as_ref().unwrap_or(round);
        if self.is_loop(round) && self.is_new(round) {
            self.continuations.round_ends.push(self.continuations.ply);
            return Ok(());
        }
        let in_steps = Lowering::is_in_steps(round);
        self.continuations.ply.cut |= in_steps;
        match round.statement {
            // To stop is the player's choice, and the ply of another ends before it.
            Statement::Repeat { rounds: Rounds::Free, .. } if in_steps || self.stops_in_a_ply_of_its_own() => {
                self.suspend_round(round)
            }
            Statement::Repeat { rounds: Rounds::Free, .. } => {
                if self.is_new(round) {
                    return self.rounds_behind_first(round);
                }
                self.stop_or_another_round(round)
            }
            Statement::Repeat { rounds: Rounds::While(condition), .. } => match self.truth(condition)? {
                Num::Fixed(0) => self.behind_rounds(round),
                Num::Fixed(_) => unplanned("a loop without end"),
                Num::In(n) if self.is_loop(round) => self.round_loop(round, Some(n)),
                Num::In(n) => {
                    let still = self.scope.still;
                    let yes = self.way_on(still, |lowering| lowering.another_round(round))?;
                    let no = self.way_on(still, |lowering| lowering.behind_rounds(round))?;
                    self.when(n, yes, no);
                    Ok(())
                }
            },
            _ if self.is_new(round) => self.another_round(round),
            _ => self.next_member(round),
        }
    }

    /// The player of the turn may stop here, behind another's choice.
    fn stops_in_a_ply_of_its_own(&self) -> bool {
        self.game.asks.plies && self.continuations.ply.ends_before(self.scope.own)
    }

    /// Goes on with another round of a `repeat while`, or with the next cell of a `for each`.
    fn another_round(&mut self, round: &Rc<Round<'g>>) -> Lowered<()> {
        if Lowering::is_in_steps(round) {
            return self.suspend_round(round);
        }
        if !self.is_new(round) {
            return self.new_round(round);
        }
        // The turn was not suspended in this round. As nothing has been chosen, nothing is lost if it is now.
        if self.continuations.ply.is_unchosen() { self.suspend_round(round) } else { self.rounds_behind_first(round) }
    }

    /// Rounds cannot be lowered but in another form.
    fn wants(&mut self, form: Form, round: &Round<'g>) -> Lowered<()> {
        self.continuations.wanted = Some(form);
        Err(Unplanned { why: CHOSEN_BEFORE, span: Some(span_of(round.statement)) })
    }

    /// A player has chosen, and the turn was not suspended in a round: he may choose in the next one within the same ply. So
    /// these are a loop, perhaps without the first.
    fn rounds_behind_first(&mut self, round: &Rc<Round<'g>>) -> Lowered<()> {
        if !self.continuations.forms.contains(&Form::Loop(round.statement)) {
            return self.wants(Form::Loop(round.statement), round);
        }
        let later = Rc::new(Round { is_behind_first: true, ..Round::clone(round) });
        match round.statement {
            Statement::Repeat { rounds: Rounds::Free, .. } => self.stop_or_another_round(&later),
            Statement::ForEach { .. } => self.next_member(&later),
            _ => self.round_loop(&later, None),
        }
    }

    /// Suspends the turn before another round: the continuation is the same behind each.
    fn suspend_round(&mut self, round: &Rc<Round<'g>>) -> Lowered<()> {
        let outer = self.continuations.round.replace(round.clone());
        let bag = self.pack(&round.spine)?;
        self.continuations.round = outer;
        let at = Resumed { rounds: rounds_around(Some(round)), ..self.resumed(&[], Awaited::default()) };
        let carried = bag.shape();
        if self.join(&at, &carried, &bag)? {
            return Ok(());
        }
        let place = self.place(span_of(round.statement));
        let number = self.suspend_at(place)?;
        self.continuations.joins.push(Join { number, at, carried });
        self.continuations.pending.push(Pending {
            number,
            bag,
            chosen: Chosen::Round(round.clone()),
            list: Vec::new(),
            spine: round.spine.clone(),
            round: round.around.clone(),
            follows_ply: self.continuations.ply.ends_ply(),
            values: self.scope.frames[0].clone(),
            mutable: self.known.mutable.clone(),
            still: false,
        });
        Ok(())
    }

    /// The continuation that another round begins with.
    pub fn begin_round(&mut self, round: &Rc<Round<'g>>) -> Lowered<()> {
        let round = &at_first(round);
        match round.statement {
            Statement::Repeat { rounds: Rounds::Free, .. } => self.stop_or_another_round(round),
            Statement::ForEach { .. } => self.next_member(round),
            _ => self.new_round(round),
        }
    }

    /// The player stops, or begins another round. In steps that is the beginning of a ply, and to stop is one.
    fn stop_or_another_round(&mut self, round: &Rc<Round<'g>>) -> Lowered<()> {
        let in_steps = Lowering::is_in_steps(round);
        let (open, again) = (self.constant_number(1), self.fresh.number());
        let set = |k| Node::Op(TreeOp::Const { d: again, k });
        let mut stops = vec![set(0)];
        stops.extend(in_steps.then_some(Node::Op(TreeOp::Annotate { mark: Annotation::Stop })));
        let place = self.place(span_of(round.statement));
        // In steps it is written.
        let branch = |k| (!in_steps).then_some((place, k));
        let stop = Arm { branch: branch(0), ..Arm::new(Options::One { open }, stops, "stop") };
        let go_on = Arm { branch: branch(1), ..Arm::new(Options::One { open }, vec![set(1)], "go on") };
        self.out.push(Node::Choose(vec![stop, go_on]));
        self.forget_results();
        let (own, still) = (self.scope.own, self.scope.still);
        let ply = self.continuations.ply;
        let begun = if in_steps { PlyState { resumed: ply.resumed, ..PlyState::default() } } else { ply };
        self.note_chooser(own);
        let chosen = begun.chosen_by(own);
        if self.is_loop(round) {
            self.continuations.ply = chosen;
            return self.round_loop(round, Some(again));
        }
        let go = self.way_on(still, |lowering| {
            lowering.continuations.ply = chosen;
            lowering.new_round(round)
        })?;
        let over = self.way_on(still, |lowering| {
            let told = PlyState { told: true, surely_told: true, cut: true, ..chosen };
            lowering.continuations.ply = if in_steps { told } else { chosen };
            lowering.behind_rounds(round)
        })?;
        self.when(again, go, over);
        Ok(())
    }

    // Join points.

    /// Where the turn would go on that is suspended here, with these statements of the round left.
    pub fn resumed(&self, list: &[&'g Statement], awaited: Awaited) -> Resumed {
        Resumed {
            list: list.iter().map(|statement| std::ptr::from_ref(*statement)).collect(),
            rounds: rounds_around(self.continuations.round.as_ref()),
            awaited,
            before: self.continuations.ply.behind(),
            follows_ply: self.continuations.ply.ends_ply(),
            still: self.scope.still,
        }
    }

    /// Suspends the turn where another run has come to the same place with the same things to carry; whether one has.
    pub fn join(&mut self, at: &Resumed, carried: &CarriedShape<'g>, bag: &Bag<'g>) -> Lowered<bool> {
        // With too few registers, lowering is done once more.
        let is_scarce = self.continuations.has_too_few_for(bag);
        self.continuations.use_up(bag);
        let mut alike = self.continuations.joins.iter().filter(|known| known.at == *at);
        let known = alike.clone().find(|known| is_scarce || known.carried == *carried).map(|known| known.number);
        if let (Some(number), Some(next)) = (known, self.continuations.next) {
            self.go_on_with(next, number);
            return Ok(true);
        }
        match alike.nth(MAX_JOINS_OF_A_PLACE - 1) {
            Some(_) if !at.rounds.is_empty() => unplanned("rounds that leave other names to each other each time"),
            _ => Ok(false),
        }
    }

    /// What is known behind one round may not hold behind another.
    pub fn forget_round(&mut self, bag: &mut Bag<'g>) {
        for (slot, carried) in &mut bag.slots {
            carried.facts = Facts::NONE;
            // What holds of all values of a name holds behind each round; of directions that is not known.
            carried.single &= self.cardinalities.is_single(*slot) && !matches!(carried.value, Value::Num(_));
            carried.exact &= self.cardinalities.is_exact(*slot);
        }
    }
}

/// The rounds as they are where the turn has just been suspended.
fn at_first<'g>(round: &Rc<Round<'g>>) -> Rc<Round<'g>> {
    if round.is_behind_first { Rc::new(Round { is_behind_first: false, ..Round::clone(round) }) } else { round.clone() }
}

/// The statements that make the rounds, the innermost first.
fn rounds_around<'g>(round: Option<&Rc<Round<'g>>>) -> Vec<*const Statement> {
    let around = std::iter::successors(round, |round| round.around.as_ref());
    around.map(|round| std::ptr::from_ref(round.statement)).collect()
}

fn span_of(statement: &Statement) -> Span {
    match statement {
        Statement::Repeat { span, .. } | Statement::ForEach { span, .. } => *span,
        _ => Span::NOWHERE,
    }
}
