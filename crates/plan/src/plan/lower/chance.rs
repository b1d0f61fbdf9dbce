//! Coroutine splitting: the statements of a turn in which chance chooses go in; continuations come out: programs that end
//! before and behind each choice by chance, where the turn is suspended.
//!
//! What chance chooses is not foreseen. So a run is complete where a turn is suspended, and nothing that is counted, drawn
//! or compared looks farther. A choice by chance is a continuation of its own: each of its options is one run, so whoever
//! draws runs uniformly draws it as the rules say. Of blocks with weights a number is drawn, and tells the block. What is
//! read behind the choice is carried in registers of the position.

use crate::board::{Player, PlayerSet};
use crate::model;
use crate::model::{Arithmetic, Chooser, Slot, Statement};
use crate::plan::annotation::Annotation;
use crate::plan::lower::cardinality::Cardinality;
use crate::plan::lower::carried::{
    Awaited, Bag, Carried, CarriedShape, Chosen, Form, Join, Pending, PlyState, add_slot,
};
use crate::plan::lower::choice::{Opened, Taken};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Facts, Groups, Lowered, Num, Rows, Unplanned, Value, Words, unplanned};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::{Ambiguity, Arm, Block, Continuation, Node, Options};
use crate::source::Span;

/// A choice by chance that is ready.
struct Draw<'g> {
    arms: Vec<Arm>,
    drawn: Drawn<'g>,
}

impl Draw<'_> {
    /// What there is to choose from.
    fn sources(&self) -> Vec<Options> {
        let (set, number) = (SetReg(0), NumReg(0));
        let source = |arm: &Arm| match arm.options {
            Options::Cells { of, .. } => Options::Cells { of, cell: set },
            Options::Combinations { of, size, .. } => Options::Combinations { of, size, cells: set },
            Options::Groups { of, along, .. } => Options::Groups { of, along, group: set },
            Options::Range { from, to, .. } => Options::Range { from, to, number },
            Options::Bits { of, .. } => Options::Bits { of, bit: number },
            one @ Options::One { .. } => one,
        };
        self.arms.iter().map(source).collect()
    }

    /// Up to which number each block is drawn.
    fn bounds(&self) -> Vec<Num> {
        match &self.drawn {
            Drawn::Option(..) => Vec::new(),
            Drawn::Block(_, bounds, _) => bounds.clone(),
        }
    }
}

enum Drawn<'g> {
    Option(Slot, Value<'g>, Annotation),
    /// The number that is drawn, and up to which number it tells each block but the last.
    Block(NumReg, Vec<Num>, &'g [(model::BlockId, model::BranchId)]),
}

const CHANCE_WITHIN: &str = "a choice by chance of this kind";
const BEHIND_FIRST: &str = "a `first`, behind which a run may fail where the turn is suspended";

impl<'g> Lowering<'g> {
    /// Lowers a list of statements up to where the turn is suspended: where chance chooses, or a ply ends. `spine`: slots that were given a value before, outside of
    /// blocks.
    pub fn up_to_suspension(&mut self, list: &[&'g Statement], mut spine: Vec<Slot>) -> Lowered<()> {
        let encloses = self.continuations.forms.contains(&Form::EnclosedFirsts);
        let first = |statement: &&Statement| self.is_suspended_within(statement) || encloses && self.tries(statement);
        let mut at = list.iter().position(first).unwrap_or(list.len());
        at = self.ply_ends_in(&list[..at]).unwrap_or(at);
        let (before, rest) = list.split_at(at);
        let lowered = self.out.len();
        self.sequence(before)?;
        if self.continuations.tries && !crate::plan::lower::choice::is_sure(&self.out[lowered..]) {
            return self.fails_behind_first();
        }
        self.note_choices(before);
        self.continuations.tries |= before.iter().any(|statement| self.tries(statement));
        if rest.is_empty() {
            return self.end_of_list();
        }
        let named = before.iter().flat_map(|statement| self.named(statement));
        named.for_each(|slot| add_slot(&mut spine, slot));
        let Some((statement, behind)) = rest.split_first() else { return Ok(()) };
        match statement {
            Statement::Pick { chooser: Chooser::Chance, span, .. }
            | Statement::Either { chooser: Chooser::Chance, span, .. } => {
                self.chance(statement, behind, spine, *span).map_err(|why| why.at(*span))
            }
            // Where it may choose nothing, a ply ends in one of its branches at most.
            Statement::If { condition, then, otherwise }
                if !self.ply_ends_before(statement)
                    || self.is_suspended_within(statement)
                    || !self.surely_chooses(statement) =>
            {
                let list = |block: Option<model::BlockId>| {
                    let mut list = block.map(|block| self.opened(self.game.block(block))).unwrap_or_default();
                    list.extend_from_slice(behind);
                    list
                };
                let (then, otherwise) = (list(Some(then.0)), list(otherwise.map(|block| block.0)));
                match self.truth(condition)? {
                    Num::Fixed(0) => self.up_to_suspension(&otherwise, spine),
                    Num::Fixed(_) => self.up_to_suspension(&then, spine),
                    Num::In(n) => {
                        let (still, tries) = (self.scope.still, self.continuations.tries);
                        let ply = self.continuations.ply;
                        let yes = self.branch(&then, spine.clone())?;
                        (self.continuations.tries, self.continuations.ply) = (tries, ply);
                        let no = self.way(still, |lowering| lowering.branch(&otherwise, spine))?;
                        self.when(n, yes, no);
                        Ok(())
                    }
                }
            }
            other => self.ply(other, behind, spine),
        }
    }

    /// The slots that are known behind a statement: those it gives a value to, or that each of its branches does.
    fn named(&self, statement: &Statement) -> Vec<Slot> {
        let within = |block: model::BlockId| -> Vec<Slot> {
            self.game.block(block).iter().flat_map(|inner| self.named(inner)).collect()
        };
        let in_each = |blocks: &[model::BlockId]| {
            let (first, others) =
                blocks.split_first().map_or((Vec::new(), &[][..]), |(first, rest)| (within(*first), rest));
            let others: Vec<Vec<Slot>> = others.iter().map(|block| within(*block)).collect();
            first.into_iter().filter(|slot| others.iter().all(|other| other.contains(slot))).collect()
        };
        match statement {
            Statement::Pick { slot, .. } | Statement::Assign { slot, .. } => vec![*slot],
            Statement::Move { follow, .. } => follow.iter().copied().collect(),
            Statement::Block(body) => within(*body),
            Statement::Either { blocks, .. } | Statement::First { blocks, .. } => {
                in_each(&blocks.iter().map(|(block, _)| *block).collect::<Vec<_>>())
            }
            Statement::If { then, otherwise: Some(otherwise), .. } => in_each(&[then.0, otherwise.0]),
            _ => Vec::new(),
        }
    }

    fn branch(&mut self, list: &[&'g Statement], spine: Vec<Slot>) -> Lowered<Block> {
        let values = self.scope.frames[0].clone();
        let block = self.block(|lowering| lowering.up_to_suspension(list, spine));
        self.scope.frames[0] = values;
        block
    }

    /// The continuations behind the choices by chance of a turn that is lowered.
    pub fn rest_of_turn(&mut self, player: Player, frame: usize) -> Lowered<()> {
        while let Some(pending) = self.continuations.pending.pop() {
            let number = pending.number;
            let block = self.program(player, frame, |lowering| lowering.begin_continuation(pending))?;
            self.note_doubts(&block);
            let mut choosers = self.continuations.choosers.iter();
            let (first, others) = (choosers.next(), choosers.next());
            let lowered = &mut self.continuations.lowered[number];
            (lowered.block, lowered.by) = (block, first.filter(|_| others.is_none()));
        }
        self.continuations.joins.clear();
        let Some(Ambiguity { place, why: Ambiguity::UNWRITTEN_ROUNDS }) = self.in_doubt else { return Ok(()) };
        if self.continuations.lowered.is_empty() || !self.game.asks.chance {
            return Ok(());
        }
        let span = self.tables.places.get(usize::from(place.0)).map(|site| site.span);
        Err(Unplanned { why: "choices by chance beside rounds that are not written", span })
    }

    /// A `first` was lowered as if nothing could fail behind it, and something can.
    pub fn fails_behind_first(&mut self) -> Lowered<()> {
        self.continuations.wanted = Some(Form::EnclosedFirsts);
        unplanned(BEHIND_FIRST)
    }

    /// Where chance chooses in a statement, if it does.
    fn chance_in(&self, statement: &Statement) -> Option<Span> {
        match statement {
            Statement::Pick { chooser: Chooser::Chance, span, .. }
            | Statement::Either { chooser: Chooser::Chance, span, .. } => Some(*span),
            other => {
                let within = |block| self.game.block(block).iter().find_map(|inner| self.chance_in(inner));
                other.blocks().into_iter().find_map(within)
            }
        }
    }

    pub fn has_chance(&self, statement: &Statement) -> bool {
        self.chance_in(statement).is_some()
    }

    /// It has blocks of which the first that can be completed is taken, and which have in them what stands behind: not those
    /// within rounds, from which a run goes on to other rounds.
    pub fn tries(&self, statement: &Statement) -> bool {
        let within = |block| self.game.block(block).iter().any(|inner| self.tries(inner));
        match statement {
            Statement::First { .. } => true,
            Statement::Repeat { .. } | Statement::ForEach { .. } => false,
            other => other.blocks().into_iter().any(within),
        }
    }

    /// Ends the continuation at hand before a choice by chance, and makes the continuation that chooses.
    fn chance(
        &mut self,
        statement: &'g Statement,
        behind: &[&'g Statement],
        spine: Vec<Slot>,
        span: Span,
    ) -> Lowered<()> {
        let Some(next) = self.continuations.next else { return unplanned(CHANCE_WITHIN) };
        let mut bag = self.pack(&spine)?;
        let draw = match statement {
            Statement::Pick { .. } => self.draw_option(statement, &mut bag)?,
            Statement::Either { weights, blocks, .. } => self.draw_block(weights, blocks, span, &mut bag)?,
            _ => return unplanned(CHANCE_WITHIN),
        };
        let place = self.place(span);
        if self.has_pass {
            // Who comes to a choice by chance is not stuck, even if he has passed.
            self.emit(TreeOp::Acted);
        }
        let list: Vec<&'g Statement> = std::iter::once(statement).chain(behind.iter().copied()).collect();
        let at = self.resumed(&list, Awaited::default());
        let carried = CarriedShape { options: draw.sources(), bounds: draw.bounds(), ..bag.shape() };
        if self.join(&at, &carried, &bag)? {
            return Ok(());
        }
        let number = self.continuations.lowered.len();
        self.emit(TreeOp::Const { d: next, k: number as i64 + 1 });
        let mut chosen = None;
        let block = self.block(|lowering| {
            lowering.forget_results();
            lowering.out.push(Node::Choose(draw.arms));
            chosen = Some(match draw.drawn {
                Drawn::Option(slot, value, mark) => {
                    let carried = lowering.carried(value, &mut bag)?;
                    lowering.annotate(mark, None);
                    Chosen::Value(slot, carried)
                }
                Drawn::Block(drawn, bounds, blocks) => {
                    // The block: how many bounds the number is past.
                    let mut which = Num::Fixed(0);
                    for bound in bounds {
                        let past = lowering.compare_nums(Cmp::Greater, Num::In(drawn), bound);
                        which = lowering.arithmetic(Arithmetic::Add, which, past, span)?;
                    }
                    lowering.write_block(which, blocks);
                    let carried = lowering.carried(Value::Num(which), &mut bag)?;
                    let Value::Num(which) = carried.value else { return unplanned(CHANCE_WITHIN) };
                    Chosen::Block(which, blocks)
                }
            });
            lowering.emit(TreeOp::Const { d: next, k: number as i64 + 2 });
            Ok(())
        })?;
        let by_chance = Continuation { place, chance: true, by: None, block };
        self.continuations.lowered.extend([by_chance, Continuation { place, ..Continuation::default() }]);
        self.continuations.use_up(&bag);
        self.continuations.joins.push(Join { number, at, carried });
        let Some(chosen) = chosen else { return unplanned(CHANCE_WITHIN) };
        self.continuations.pending.push(Pending {
            number: number + 1,
            bag,
            chosen,
            list: behind.to_vec(),
            spine,
            round: self.continuations.round.clone(),
            follows_ply: false,
            values: self.scope.frames[0].clone(),
            mutable: self.known.mutable.clone(),
            still: self.scope.still,
        });
        Ok(())
    }

    /// A pick by chance: its options as they are when chance is to choose, which go along.
    fn draw_option(&mut self, pick: &'g Statement, bag: &mut Bag<'g>) -> Lowered<Draw<'g>> {
        let Statement::Pick { slot, .. } = pick else { return unplanned(CHANCE_WITHIN) };
        let Opened { arms, taken: Taken::Pick { value, mark, .. }, .. } = self.open_choice(&[pick])? else {
            return unplanned(CHANCE_WITHIN);
        };
        self.expect_options(&arms)?;
        let arms = arms.into_iter().map(|arm| self.packed_arm(arm, bag)).collect();
        Ok(Draw { arms, drawn: Drawn::Option(*slot, value, mark) })
    }

    /// Blocks between which chance chooses: a number up to the sum of their weights.
    fn draw_block(
        &mut self,
        weights: &'g [model::Number],
        blocks: &'g [(model::BlockId, model::BranchId)],
        span: Span,
        bag: &mut Bag<'g>,
    ) -> Lowered<Draw<'g>> {
        let (mut sum, mut bounds) = (Num::Fixed(0), Vec::new());
        for index in 0..blocks.len() {
            let weight = weights.get(index).map_or(Ok(Num::Fixed(1)), |weight| self.number(weight))?;
            let some = self.compare_nums(Cmp::Greater, weight, Num::Fixed(0));
            let weight = match some {
                Num::Fixed(0) => Num::Fixed(0),
                Num::Fixed(_) => weight,
                Num::In(_) => self.arithmetic(Arithmetic::Multiply, weight, some, span)?,
            };
            sum = self.arithmetic(Arithmetic::Add, sum, weight, span)?;
            bounds.push(self.packed_num(sum, bag));
        }
        let number = self.fresh.number();
        let (from, to) = (self.constant_number(1), self.num(bounds.pop().unwrap_or(sum)));
        let arms = vec![Arm::new(Options::Range { from, to, number }, Vec::new(), "weights")];
        self.expect_options(&arms)?;
        Ok(Draw { arms, drawn: Drawn::Block(number, bounds, blocks) })
    }

    /// A block that chance chooses is written by its label, or by its number where it has none.
    fn write_block(&mut self, which: Num, blocks: &'g [(model::BlockId, model::BranchId)]) {
        for (index, (block, _)) in (0..).zip(blocks) {
            let mark = match self.game.block(*block) {
                [Statement::Label(label), ..] => Annotation::Label(*label),
                _ => Annotation::Number(self.constant_number(index + 1)),
            };
            let here = self.compare_nums(Cmp::Equal, which, Num::Fixed(index));
            let here = self.num(here);
            self.when(here, vec![Node::Op(TreeOp::Annotate { mark })], Vec::new());
        }
    }

    /// The run goes on to chance only if that has something to choose from.
    fn expect_options(&mut self, arms: &[Arm]) -> Lowered<()> {
        let mut some = Num::Fixed(0);
        for arm in arms {
            let here = match arm.options {
                Options::Cells { of, .. } | Options::Groups { of, .. } => self.some_cells(Cells::In(of)),
                Options::One { open } => self.known_number(open),
                Options::Range { from, to, .. } => {
                    let (from, to) = (self.known_number(from), self.known_number(to));
                    self.compare_nums(Cmp::AtMost, from, to)
                }
                Options::Bits { of, .. } => {
                    let of = self.known_number(of);
                    self.compare_nums(Cmp::NotEqual, of, Num::Fixed(0))
                }
                Options::Combinations { of, size, .. } => {
                    let count = self.count_cells(Cells::In(of));
                    self.compare_nums(Cmp::AtLeast, count, Num::Fixed(size.into()))
                }
            };
            some = self.either(some, here);
        }
        match some {
            Num::Fixed(0) => self.out.push(Node::Fail),
            Num::Fixed(_) => {}
            // A `first` before it was lowered as if nothing could fail behind it.
            Num::In(_) if self.continuations.tries => return self.fails_behind_first(),
            Num::In(n) => self.out.push(Node::Need(n)),
        }
        Ok(())
    }

    /// The number, where the register always holds the same.
    pub fn known_number(&self, reg: NumReg) -> Num {
        let known = self.tables.const_numbers.iter().find(|(known, _)| *known == reg);
        known.map_or(Num::In(reg), |(_, value)| Num::Fixed(*value))
    }

    // What goes along.

    fn carried_set(&mut self, a: SetReg, bag: &mut Bag<'g>) -> SetReg {
        // Past what there is, lowering is done once more with enough.
        let d = self.continuations.sets.get(bag.sets).copied().unwrap_or_else(|| self.fresh.set());
        bag.sets += 1;
        self.emit(TreeOp::Copy { d, a });
        d
    }

    fn carried_number(&mut self, a: NumReg, bag: &mut Bag<'g>) -> NumReg {
        let d = self.continuations.numbers.get(bag.numbers).copied().unwrap_or_else(|| self.fresh.number());
        bag.numbers += 1;
        self.emit(TreeOp::CopyNum { d, a });
        d
    }

    fn packed_num(&mut self, number: Num, bag: &mut Bag<'g>) -> Num {
        match number {
            Num::In(reg) => Num::In(self.carried_number(reg, bag)),
            fixed => fixed,
        }
    }

    fn packed_arm(&mut self, arm: Arm, bag: &mut Bag<'g>) -> Arm {
        let mut number = |reg| match self.known_number(reg) {
            Num::Fixed(_) => reg,
            Num::In(reg) => self.carried_number(reg, bag),
        };
        let options = match arm.options {
            Options::One { open } => Options::One { open: number(open) },
            Options::Range { from, to, number: d } => Options::Range { from: number(from), to: number(to), number: d },
            Options::Bits { of, bit } => Options::Bits { of: number(of), bit },
            Options::Cells { of, cell } => Options::Cells { of: self.carried_set(of, bag), cell },
            Options::Combinations { of, size, cells } => {
                Options::Combinations { of: self.carried_set(of, bag), size, cells }
            }
            Options::Groups { of, along, group } => Options::Groups { of: self.carried_set(of, bag), along, group },
        };
        Arm { options, ..arm }
    }

    fn carried(&mut self, value: Value<'g>, bag: &mut Bag<'g>) -> Lowered<Carried<'g>> {
        let (mut facts, mut single, mut exact) = (Facts::NONE, false, false);
        let value = match value {
            Value::Cells(Cells::In(reg)) => {
                facts = self.facts(Cells::In(reg));
                (single, exact) = (self.known.single.contains(&reg), self.known.exact.contains(&reg));
                Value::Cells(Cells::In(self.carried_set(reg, bag)))
            }
            Value::Num(number) => {
                single = matches!(number, Num::In(reg) if self.known.one_direction.contains(&reg));
                Value::Num(self.packed_num(number, bag))
            }
            Value::Players(players) => Value::Players(self.packed_num(players, bag)),
            Value::Groups(Groups::Parts { of, along }) => {
                Value::Groups(Groups::Parts { of: self.carried_set(of, bag), along })
            }
            Value::Groups(Groups::Rows(rows)) => {
                Value::Groups(Groups::Rows(Rows { of: self.carried_set(rows.of, bag), ..rows }))
            }
            Value::Later(..) | Value::Any | Value::Groups(Groups::Classes(_)) => {
                return unplanned("a name that chance comes between");
            }
            fixed => fixed,
        };
        Ok(Carried { value, facts, single, exact })
    }

    /// Copies what may be read behind chance.
    pub fn pack(&mut self, spine: &[Slot]) -> Lowered<Bag<'g>> {
        let mut bag = Bag::default();
        if self.continuations.round.is_some() {
            // Another round may have moved.
            self.scope.still = false;
        }
        if !self.scope.still {
            let at_start: Vec<SetReg> = self.men_at_start.iter().map(|(_, then)| *then).collect();
            bag.at_start = at_start.into_iter().map(|then| self.carried_set(then, &mut bag)).collect();
        }
        if !self.scope.still && self.game.asks.words {
            let Words { last, origin, passed, heading, caught } = self.words;
            let [last, origin, passed, caught] =
                [last, origin, passed, caught].map(|word| self.carried_set(word, &mut bag));
            let heading = self.carried_number(heading, &mut bag);
            bag.words = Some(Words { last, origin, passed, heading, caught });
        }
        for touched in self.touched.clone().into_iter().flatten().flatten() {
            let touched = self.carried_number(touched, &mut bag);
            bag.touched.push(touched);
        }
        for &slot in spine {
            let carried = self.carried(self.local(slot), &mut bag)?;
            bag.slots.push((slot, carried));
        }
        let mut around = self.continuations.round.clone();
        if around.is_some() {
            self.forget_round(&mut bag);
        }
        while let Some(round) = around.take() {
            if let Some(rest) = round.rest {
                let a = self.carried_set(rest, &mut bag);
                bag.rests.push((rest, a));
            }
            around.clone_from(&round.around);
        }
        Ok(bag)
    }

    /// Gives a slot a value that has come along. It gets a register of its own: those that go along are written again.
    fn unpack(&mut self, slot: Slot, carried: Carried<'g>) -> Lowered<()> {
        let Carried { value, facts, single, exact } = carried;
        let copied = |lowering: &mut Self, reg| {
            let copy = lowering.copied(Cells::In(reg));
            if single {
                lowering.known.single.insert(copy);
            }
            if exact {
                lowering.known.exact.insert(copy);
            }
            lowering.record_facts(Cells::In(copy), facts);
            copy
        };
        let value = match value {
            Value::Cells(Cells::In(reg)) => Value::Cells(Cells::In(copied(self, reg))),
            Value::Num(number) => {
                let number = self.number_now(number);
                if let (true, Num::In(copy)) = (single, number) {
                    self.known.one_direction.insert(copy);
                }
                Value::Num(number)
            }
            Value::Players(set) => Value::Players(self.number_now(set)),
            Value::Groups(Groups::Parts { of, along }) => Value::Groups(Groups::Parts { of: copied(self, of), along }),
            Value::Groups(Groups::Rows(rows)) => {
                Value::Groups(Groups::Rows(Rows { of: copied(self, rows.of), ..rows }))
            }
            fixed => fixed,
        };
        if matches!(value, Value::Unset) {
            return Ok(());
        }
        self.assign_with(
            slot,
            value,
            match (single, exact) {
                (_, true) => Cardinality::One,
                (true, _) => Cardinality::AtMostOne,
                _ => Cardinality::Any,
            },
        )
    }

    /// Lowers a continuation behind a choice by chance, up to the next one.
    fn begin_continuation(&mut self, pending: Pending<'g>) -> Lowered<()> {
        let Pending { bag, chosen, list, spine, round, follows_ply, values, mutable, still, .. } = pending;
        let Some(next) = self.continuations.next else { return Ok(()) };
        let resumed = round.as_ref().map_or(0, |round| round.depth);
        self.continuations.round = round;
        self.begin_turn();
        self.emit(TreeOp::Const { d: next, k: 0 });
        self.scope.still = still;
        self.continuations.tries = false;
        self.continuations.choosers = PlayerSet::default();
        self.continuations.ply = PlyState { resumed, follows_ply, ..PlyState::default() };
        if let Some(from) = bag.words {
            let Words { last, origin, passed, heading, caught } = self.words;
            let words = [(last, from.last), (origin, from.origin), (passed, from.passed), (caught, from.caught)];
            words.into_iter().for_each(|(d, a)| self.emit(TreeOp::Copy { d, a }));
            self.emit(TreeOp::CopyNum { d: heading, a: from.heading });
        }
        let at_start: Vec<SetReg> = self.men_at_start.iter().map(|(_, then)| *then).collect();
        at_start.into_iter().zip(bag.at_start).for_each(|(d, a)| self.emit(TreeOp::Copy { d, a }));
        let touched: Vec<NumReg> = self.touched.iter().flatten().flatten().copied().collect();
        touched.into_iter().zip(bag.touched).for_each(|(d, a)| self.emit(TreeOp::CopyNum { d, a }));
        self.forget();
        self.scope.frames[0] = values;
        // Registers of the continuation before hold nothing here.
        self.known.mutable = mutable.into_keys().map(|slot| (slot, None)).collect();
        for (slot, carried) in bag.slots {
            self.unpack(slot, carried)?;
        }
        bag.rests.into_iter().for_each(|(d, a)| self.emit(TreeOp::Copy { d, a }));
        let result = self.continue_with(chosen, &list, spine);
        self.continuations.round = None;
        result
    }

    /// What stands behind what was chosen.
    fn continue_with(&mut self, chosen: Chosen<'g>, list: &[&'g Statement], mut spine: Vec<Slot>) -> Lowered<()> {
        match chosen {
            Chosen::Value(slot, carried) => {
                self.unpack(slot, carried)?;
                spine.push(slot);
                self.up_to_suspension(list, spine)
            }
            Chosen::Block(which, blocks) => self.begin_block(which, blocks, list, &spine),
            Chosen::Nothing { awaited, before } => {
                self.continuations.awaited = awaited;
                self.continuations.ply.before = before;
                self.up_to_suspension(list, spine)
            }
            Chosen::Round(round) => self.begin_round(&round),
        }
    }

    /// The first of the blocks whose number, from 0 on, was drawn; then what stands behind them.
    fn begin_block(
        &mut self,
        which: Num,
        blocks: &'g [(model::BlockId, model::BranchId)],
        behind: &[&'g Statement],
        spine: &[Slot],
    ) -> Lowered<()> {
        let Some(((block, _), others)) = blocks.split_first() else { return Ok(()) };
        let mut list = self.opened(self.game.block(*block));
        if let [Statement::Label(_), ..] = list.as_slice() {
            list.remove(0);
        }
        list.extend_from_slice(behind);
        if others.is_empty() {
            return self.up_to_suspension(&list, spine.to_vec());
        }
        let here = self.compare_nums(Cmp::Equal, which, Num::Fixed(0));
        let behind_it = self.arithmetic(Arithmetic::Subtract, which, Num::Fixed(1), Span::NOWHERE)?;
        match here {
            Num::Fixed(0) => self.begin_block(behind_it, others, behind, spine),
            Num::Fixed(_) => self.up_to_suspension(&list, spine.to_vec()),
            Num::In(n) => {
                let still = self.scope.still;
                let yes = self.branch(&list, spine.to_vec())?;
                let no = self.way(still, |lowering| {
                    lowering.continuations.tries = false;
                    lowering.block(|lowering| lowering.begin_block(behind_it, others, behind, spine))
                })?;
                self.when(n, yes, no);
                Ok(())
            }
        }
    }
}
