//! Choice lowering: choices go in; the sets of all their options, one arm for each way to make
//! them, come out.
//!
//! `pick p from S   move p LINE` is one choice: of all landings, direction by direction, each of
//! which tells where its man came from. What a `need` behind a pick asks of the cell alone is asked
//! of all cells at once, and the choice offers only those that pass.

use std::rc::Rc;

use crate::model;
use crate::model::{BlockId, BranchId, Choice, Landing, Slot, Statement};
use crate::plan::annotation::Annotation;
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::passes::Pass;
use crate::plan::regs::{NumReg, SetReg, SpanId};
use crate::plan::tree::{Arm, Block, Node, Options};
use crate::plan::tuning::{MAX_CELLS_UNRANKED, MAX_OPS_OF_LEADING_NEEDS};
use crate::source::Span;

use crate::plan::lower::block::MovedBlock;
use crate::plan::lower::cardinality::Cardinality;
use crate::plan::lower::condition::never_stops;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::moves::Moved;
use crate::plan::lower::statement::List;
use crate::plan::lower::values::{Cells, Groups, Lowered, Num, Rows, Value, unplanned};

/// A choice that is ready: its arms, what to do when one is taken, and the statements behind it.
pub struct Opened<'a, 'g> {
    pub arms: Vec<Arm>,
    pub taken: Taken<'g>,
    pub rest: &'a [&'g Statement],
}

/// What follows from a choice, whichever arm was taken.
pub enum Taken<'g> {
    Pick {
        slot: Slot,
        value: Value<'g>,
        mark: Annotation,
        told: Option<NumReg>,
        assigns: Vec<&'g Statement>,
    },
    /// The first of so many cells that are picked together, in the order of the bits.
    Combination {
        slot: Slot,
        of: SetReg,
        first: SetReg,
        count: u32,
    },
    Move(Box<Moved<'g>>),
    Block(Box<MovedBlock>),
}

impl<'g> Lowering<'g> {
    /// Lowers the choice that a list of statements begins with; gives back the statements behind
    /// it.
    pub fn choice<'a>(&mut self, list: &'a [&'g Statement]) -> Lowered<&'a [&'g Statement]> {
        if let Some(rest) = self.branching_pick(list)? {
            return Ok(rest);
        }
        let opened = self.open_choice(list)?;
        let rest = opened.rest;
        let picked = match (list.first(), &opened.taken) {
            (Some(Statement::Pick { from, .. }), Taken::Pick { slot, value: Value::Num(Num::In(picked)), .. }) => {
                Some((*slot, from, *picked))
            }
            _ => None,
        };
        self.take(opened)?;
        if let Some(picked) = picked
            && self.specialize(picked, rest)?
        {
            return Ok(&[]);
        }
        Ok(rest)
    }

    pub fn take(&mut self, opened: Opened<'_, 'g>) -> Lowered<()> {
        self.note_offers(&opened.arms);
        let range = self.range_of(&opened.arms);
        self.out.push(Node::Choose(opened.arms));
        self.forget_results();
        if let Some((number, least, (made, most))) = range {
            // The choice writes the number alone, so what bounds it still stands.
            self.known.results.add(made, most.0);
            self.known.ranges.insert(number, (least, most));
        }
        self.taken(opened.taken)
    }

    /// Where a number is picked: how small it may be, and what is computed that it does not exceed.
    fn range_of(&self, arms: &[Arm]) -> Option<(NumReg, i64, (TreeOp, NumReg))> {
        let [Arm { options: Options::Range { from, to, number }, .. }] = *arms else { return None };
        let &(_, least) = self.tables.const_numbers.iter().find(|(reg, _)| *reg == from)?;
        // A name that changes is no such result.
        Some((number, least, (self.known.results.maker_of_number(to)?, to)))
    }

    /// `pick p from S   if C { move p ... } else { move p ... }`, C not asking p: a pick in each
    /// branch.
    fn branching_pick<'a>(&mut self, list: &'a [&'g Statement]) -> Lowered<Option<&'a [&'g Statement]>> {
        let [
            pick @ Statement::Pick { slot, count: 1, from: Choice::Cells(_), .. },
            Statement::If { condition, then, otherwise },
            rest @ ..,
        ] = list
        else {
            return Ok(None);
        };
        let before = self.local(*slot);
        self.bind(*slot, Value::Any);
        let asks = self.truth_depends(condition);
        self.bind(*slot, before);
        let moves = |block: &[Statement]| matches!(block.first(), Some(Statement::Move { who: model::Cells::Local(who), .. }) if who == slot);
        if asks || !moves(self.game.block(then.0)) {
            return Ok(None);
        }
        let with = |lowering: &mut Self, block: Option<BlockId>| {
            let mut list: Vec<&'g Statement> = vec![pick];
            list.extend(block.map(|block| lowering.opened(lowering.game.block(block))).unwrap_or_default());
            lowering.nested(&list)
        };
        match self.truth(condition)? {
            Num::Fixed(fixed) => {
                let block = with(self, if fixed == 0 { otherwise.map(|it| it.0) } else { Some(then.0) })?;
                self.out.extend(block);
            }
            Num::In(n) => {
                let yes = with(self, Some(then.0))?;
                let no = with(self, otherwise.map(|it| it.0))?;
                self.when(n, yes, no);
            }
        }
        self.forget();
        Ok(Some(rest))
    }

    /// A list of statements as a block that others may stand behind.
    pub fn nested(&mut self, list: &[&'g Statement]) -> Lowered<Block> {
        self.scope.depth_of_blocks += 1;
        let block = self.block(|lowering| lowering.sequence(list));
        self.scope.depth_of_blocks -= 1;
        block
    }

    pub fn open_choice<'a>(&mut self, list: &'a [&'g Statement]) -> Lowered<Opened<'a, 'g>> {
        match list.split_first() {
            Some((Statement::Pick { slot, count, from, .. }, rest)) => match from {
                Choice::Cells(cells) if *count == 1 => self.open_cells(*slot, cells, rest),
                _ => self.open_value(*slot, *count, from, rest),
            },
            Some((Statement::Move { amount, who, landing, follow, span }, rest)) => {
                let mut who_cells = self.cells(who)?;
                // Several men move by a pattern alone, and as a whole.
                match landing {
                    Landing::Line(line) if amount.is_none() && !self.is_single(who_cells) => {
                        if self.game.stacks {
                            return unplanned("men of several stacks that move together");
                        }
                        let (arms, moved) = self.block_moves(who_cells, line, *follow, *span)?;
                        return Ok(Opened { arms, taken: Taken::Block(Box::new(moved)), rest });
                    }
                    _ => who_cells = self.the_one_cell(who_cells),
                }
                if !self.game.stacks {
                    self.expect_one_man(amount.as_ref())?;
                }
                let men = self.standing_men();
                let man = self.and(who_cells, men);
                let man = if self.facts(who_cells).occupied { who_cells } else { man };
                let (man, amount) = match amount {
                    Some(amount) if self.game.stacks => {
                        let facts = self.facts(man);
                        let (man, amount) = self.part_of_stack(man, amount)?;
                        (self.record_facts(man, facts), Some(amount))
                    }
                    _ => (man, None),
                };
                let from = self.reg(man);
                self.known.single.insert(from);
                let (arms, taken) = self.moves(man, true, landing, *span)?;
                let taken = Moved { follow: *follow, amount, ..taken };
                Ok(Opened { arms, taken: Taken::Move(Box::new(taken)), rest })
            }
            _ => unplanned("no choice"),
        }
    }

    /// The man that a list of statements picks is chosen together with where he moves.
    pub fn moves_at_once(&mut self, list: &[&'g Statement]) -> bool {
        let spot = self.spot();
        let opened = self.open_choice(list);
        let at_once = matches!(opened, Ok(Opened { taken: Taken::Move(_), .. }));
        self.back_to(spot);
        at_once
    }

    pub fn expect_one_man(&mut self, amount: Option<&'g model::Number>) -> Lowered<()> {
        match amount.map(|amount| self.number(amount)).transpose()? {
            None | Some(Num::Fixed(1)) => Ok(()),
            Some(_) => unplanned("a part of a stack that moves"),
        }
    }

    fn open_cells<'a>(
        &mut self,
        slot: Slot,
        cells: &'g model::Cells,
        rest: &'a [&'g Statement],
    ) -> Lowered<Opened<'a, 'g>> {
        let mut set = self.cells(cells)?;
        let (assigns, rest) = self.narrow(slot, &mut set, rest)?;
        // What is bound between the pick and the move does not keep them apart.
        let bound = rest.iter().take_while(|statement| matches!(statement, Statement::Assign { .. })).count();
        let (between, moving) = rest.split_at(bound);
        if let Some((
            Statement::Move { amount: None, who: model::Cells::Local(who), landing, follow, span: at },
            behind,
        )) = moving.split_first()
            && *who == slot
            && self.has(Pass::MergeLandings)
            && self.facts(set).occupied
            && !matches!(landing, Landing::To { .. })
        {
            let spot = self.spot();
            let before = self.scope.frames[self.scope.frame].clone();
            let later = self.bind_first(slot, assigns.iter().chain(between).copied(), landing);
            match later.and_then(|later| Ok((later, self.moves(set, false, landing, *at)?))) {
                Ok((later, (arms, moved))) => {
                    let facts = self.facts(set);
                    self.record_facts(Cells::In(moved.from), facts);
                    let taken = Moved { picked: Some((slot, later)), follow: *follow, ..moved };
                    return Ok(Opened { arms, taken: Taken::Move(Box::new(taken)), rest: behind });
                }
                // One man after the other, then.
                Err(_) => {
                    self.scope.frames[self.scope.frame] = before;
                    self.back_to(spot);
                }
            }
        }
        let facts = self.facts(set);
        let (of, cell) = (self.reg(set), self.fresh.set());
        self.known.single.insert(cell);
        self.known.exact.insert(cell);
        self.record_facts(Cells::In(cell), facts);
        let arms = vec![Arm::new(Options::Cells { of, cell }, Vec::new(), "cells")];
        let taken = Taken::Pick {
            slot,
            value: Value::Cells(Cells::In(cell)),
            mark: Annotation::Cell(cell),
            told: None,
            assigns,
        };
        Ok(Opened { arms, taken, rest })
    }

    /// Binds what stands between a pick and the move of its man, and does not ask who he is; gives
    /// back what is to be bound behind the choice. There is none if the line asks for him or for
    /// that.
    fn bind_first(
        &mut self,
        slot: Slot,
        between: impl Iterator<Item = &'g Statement>,
        landing: &'g Landing,
    ) -> Lowered<Vec<&'g Statement>> {
        let mut open = vec![(slot, self.local(slot))];
        self.bind(slot, Value::Any);
        let mut later = Vec::new();
        for statement in between {
            let Statement::Assign { slot, value } = statement else { continue };
            if self.depends(value) || open.iter().any(|(other, _)| other == slot) {
                open.push((*slot, self.local(*slot)));
                self.bind(*slot, Value::Any);
                later.push(statement);
            } else {
                let value = self.value(value)?;
                self.assign(*slot, value)?;
            }
        }
        let asks = matches!(landing, Landing::Line(line) if self.line_depends(line));
        open.into_iter().rev().for_each(|(slot, before)| self.bind(slot, before));
        if asks { unplanned("a line that asks who walks it") } else { Ok(later) }
    }

    /// Takes what the statements behind a pick need of the cell into the set that is picked from.
    fn narrow<'a>(
        &mut self,
        slot: Slot,
        set: &mut Cells,
        list: &'a [&'g Statement],
    ) -> Lowered<(Vec<&'g Statement>, &'a [&'g Statement])> {
        let before = self.scope.frames[self.scope.frame].clone();
        self.bind(slot, Value::Any);
        let mut assigns = Vec::new();
        let mut rest = list;
        let mut kept = rest;
        let mut kept_assigns = 0;
        while let Some((&first, behind)) = rest.split_first() {
            match first {
                Statement::Assign { slot: other, value } if !self.known.mutable.contains_key(other) => {
                    let lazy = if self.depends(value) { Value::Later(value, self.scope.frame) } else { break };
                    self.bind(*other, lazy);
                    assigns.push(first);
                }
                Statement::Need { condition, .. } if self.has(Pass::VectorizePredicate) => {
                    let spot = self.spot();
                    match self.lift(condition) {
                        Ok(Some(holds)) => {
                            *set = self.and(*set, holds);
                            kept = behind;
                            kept_assigns = assigns.len();
                        }
                        _ => {
                            self.back_to(spot);
                            break;
                        }
                    }
                }
                _ => break,
            }
            rest = behind;
        }
        self.scope.frames[self.scope.frame] = before;
        // What is bound behind the last `need` is lowered with the statements that follow.
        assigns.truncate(kept_assigns);
        Ok((assigns, kept))
    }

    fn open_value<'a>(
        &mut self,
        slot: Slot,
        count: u32,
        from: &'g Choice,
        rest: &'a [&'g Statement],
    ) -> Lowered<Opened<'a, 'g>> {
        let (options, value, mark, told) = match from {
            Choice::Range(from, to) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                let (from, to, number) = (self.num(from), self.num(to), self.fresh.number());
                (Options::Range { from, to, number }, Value::Num(Num::In(number)), Annotation::Number(number), None)
            }
            Choice::Cells(members) if count <= MAX_CELLS_UNRANKED => {
                let set = self.cells(members)?;
                let facts = self.facts(set);
                let (of, cells) = (self.reg(set), self.fresh.set());
                self.record_facts(Cells::In(cells), facts);
                self.known.sizes.insert(cells, count);
                let options = Options::Combinations { of, size: count as u16, cells };
                (options, Value::Cells(Cells::In(cells)), Annotation::Combination(cells), None)
            }
            Choice::Cells(cells) => {
                let set = self.cells(cells)?;
                let facts = self.facts(set);
                let (of, first) = (self.copied(set), self.fresh.set());
                self.record_facts(Cells::In(of), facts);
                self.known.single.insert(first);
                let arms = vec![Arm::new(Options::Cells { of, cell: first }, Vec::new(), "first of several")];
                return Ok(Opened { arms, taken: Taken::Combination { slot, of, first, count }, rest });
            }
            Choice::Groups(groups) => {
                let (of, along) = match self.groups(groups)? {
                    Groups::Parts { of, along } => (of, along),
                    rows @ (Groups::Rows(_) | Groups::Classes(_)) => {
                        let (arms, row, several) = self.row_arms(rows)?;
                        if let Groups::Rows(Rows { of, dirs, from, to }) = rows {
                            self.group_picks.insert(row, (of, dirs, from, to));
                        }
                        let (value, mark) = (Value::Cells(Cells::In(row)), Annotation::Group(row));
                        let taken = Taken::Pick { slot, value, mark, told: Some(several), assigns: Vec::new() };
                        return Ok(Opened { arms, taken, rest });
                    }
                    Groups::None => return unplanned("a pick of no groups"),
                };
                let (group, facts) = (self.fresh.set(), self.facts(Cells::In(of)));
                self.group_picks.insert(group, (of, u64::from(along), 0, i64::MAX));
                self.record_facts(Cells::In(group), facts);
                let several = self.number_op(|d| TreeOp::CountGroups { d, a: of, along, most: 2 });
                let one = self.constant_number(1);
                let several =
                    self.number_op(|d| TreeOp::Compare { cmp: model::Comparison::Greater, d, a: several, b: one });
                (
                    Options::Groups { of, along, group },
                    Value::Cells(Cells::In(group)),
                    Annotation::Group(group),
                    Some(several),
                )
            }
            Choice::Dirs(dirs) => {
                let dirs = self.dirs(dirs)?;
                let (of, bit) = (self.num(dirs), self.fresh.number());
                self.known.one_direction.insert(bit);
                (Options::Bits { of, bit }, Value::Num(Num::In(bit)), Annotation::Dir(bit), None)
            }
            Choice::Axes(axes) => {
                let axes = self.axes(axes)?;
                let (of, bit) = (self.num(axes), self.fresh.number());
                (Options::Bits { of, bit }, Value::Num(Num::In(bit)), Annotation::Axis(bit), None)
            }
        };
        let arms = vec![Arm::new(options, Vec::new(), "one of them")];
        Ok(Opened { arms, taken: Taken::Pick { slot, value, mark, told, assigns: Vec::new() }, rest })
    }

    // What follows.

    fn taken(&mut self, taken: Taken<'g>) -> Lowered<()> {
        match taken {
            Taken::Pick { slot, value, mark, told, assigns } => {
                let cardinality = match value {
                    Value::Cells(cells) => self.cardinality_of(cells),
                    _ => Cardinality::Any,
                };
                // First what is written: names that are copies of it are known to be so.
                self.annotate(mark, told);
                self.assign_with(slot, value, cardinality)?;
                self.sequence(&assigns)
            }
            Taken::Combination { slot, of, first, count } => self.pick_others(slot, of, first, count),
            Taken::Move(moved) => self.moved(*moved),
            Taken::Block(moved) => self.block_moved(*moved),
        }
    }

    /// Picks the other cells of a combination one by one, each from those behind the one before: so each combination comes
    /// once. Of so many cells there may be more combinations than a word has numbers for.
    fn pick_others(&mut self, slot: Slot, of: SetReg, first: SetReg, count: u32) -> Lowered<()> {
        let facts = self.facts(Cells::In(of));
        let (mut left, mut last, mut all) = (Cells::In(of), first, Cells::In(first));
        for _ in 1..count {
            left = self.cells_behind(left, last)?;
            let (of, cell) = (self.reg(left), self.fresh.set());
            self.known.single.insert(cell);
            self.out.push(Node::Choose(vec![Arm::new(Options::Cells { of, cell }, Vec::new(), "one more")]));
            self.forget_results();
            all = self.or(all, Cells::In(cell));
            last = cell;
        }
        let all = self.copied(all);
        self.record_facts(Cells::In(all), facts);
        self.known.sizes.insert(all, count);
        self.assign(slot, Value::Cells(Cells::In(all)))?;
        self.annotate(Annotation::Combination(all), None);
        Ok(())
    }

    /// The cells of a set behind one of them, in the order of the bits.
    fn cells_behind(&mut self, cells: Cells, cell: SetReg) -> Lowered<Cells> {
        let (behind, met) = (self.copied(cells), self.fresh.number());
        self.emit(TreeOp::Const { d: met, k: 0 });
        let (of, each) = (self.copied(cells), self.fresh.set());
        self.known.single.insert(each);
        let body = self.block(|lowering| {
            lowering.forget_results();
            let not_yet = lowering.compare_nums(Cmp::Equal, Num::In(met), Num::Fixed(0));
            let gone = lowering.keep(Cells::In(each), not_yet);
            let b = lowering.reg(gone);
            lowering.emit(TreeOp::AndNot { d: behind, a: behind, b });
            let is = lowering.number_op(|d| TreeOp::Equal { d, a: each, b: cell });
            lowering.emit(TreeOp::BitOr { d: met, a: met, b: is });
            Ok(())
        })?;
        self.out.push(Node::Each { of, cell: each, body });
        Ok(Cells::In(behind))
    }

    pub fn annotate(&mut self, mark: Annotation, told: Option<NumReg>) {
        let op = Node::Op(TreeOp::Annotate { mark });
        match told {
            None => self.out.push(op),
            Some(n) => self.when(n, vec![op], Vec::new()),
        }
    }

    // Alternatives.

    /// `either`: the choices that its blocks begin with are one choice, where they are known.
    pub fn either_of(&mut self, blocks: &'g [(BlockId, BranchId)], span: Span) -> Lowered<()> {
        let place = self.place(span);
        let which = self.fresh.number();
        let mut arms = Vec::new();
        let mut behind = Vec::new();
        self.note_rows(blocks, place);
        for (index, (block, _)) in blocks.iter().enumerate() {
            let mut list = self.opened(self.game.block(*block));
            let needs = self.leading_needs(&mut list)?;
            let spot = self.spot();
            let opened = match list.first() {
                Some(Statement::Pick { .. } | Statement::Move { .. }) if self.has(Pass::MergeChoices) => {
                    self.open_choice(&list).and_then(|opened| self.offered_if(needs, opened))
                }
                _ => unplanned("no choice"),
            };
            let put_cells = Node::Op(TreeOp::Const { d: which, k: index as i64 });
            match opened {
                Ok(opened) => {
                    self.note_offers(&opened.arms);
                    arms.extend(opened.arms.into_iter().map(|mut arm| {
                        arm.branch = Some((place, index as u16));
                        arm.block.push(put_cells.clone());
                        arm
                    }));
                    let block = self.block(|lowering| {
                        lowering.forget_results();
                        lowering.scope.depth_of_blocks += 1;
                        lowering.taken(opened.taken)?;
                        let result = lowering.sequence(opened.rest);
                        lowering.scope.depth_of_blocks -= 1;
                        result
                    })?;
                    behind.push(block);
                }
                Err(_) => {
                    self.back_to(spot);
                    let open = self.num(needs);
                    arms.push(Arm {
                        branch: Some((place, index as u16)),
                        ..Arm::new(Options::One { open }, vec![put_cells], "")
                    });
                    let block = self.nested(&list)?;
                    behind.push(block);
                }
            }
        }
        self.out.push(Node::Choose(arms));
        self.forget();
        let mut rest: Option<Block> = None;
        for (index, block) in behind.into_iter().enumerate().rev() {
            rest = Some(match rest {
                None => block,
                Some(otherwise) => {
                    let k = self.constant_number(index as i64);
                    let is = self.fresh.number();
                    let compare = TreeOp::Compare { cmp: model::Comparison::Equal, d: is, a: which, b: k };
                    vec![Node::Op(compare), Node::If { condition: is, then: block, otherwise }]
                }
            });
        }
        self.out.extend(rest.unwrap_or_default());
        self.forget();
        Ok(())
    }

    /// What a block needs before anything else, if that is found in a few operations: the choice then offers the block only where
    /// it holds. These statements are taken off the list.
    fn leading_needs(&mut self, list: &mut List<'g>) -> Lowered<Num> {
        let mut all = Num::Fixed(1);
        while let (true, Some(Statement::Need { condition, span })) = (self.has(Pass::MergeChoices), list.first()) {
            let (spot, steps) = (self.spot(), self.steps);
            let holds = self.truth(condition).map_err(|why| why.at(*span))?;
            let found = &self.out[spot.length..];
            let is_search = |node: &Node| matches!(node, Node::Op(TreeOp::FloodFill { .. }));
            if found.len() > MAX_OPS_OF_LEADING_NEEDS || !never_stops(found) || found.iter().any(is_search) {
                self.back_to(spot);
                self.steps = steps;
                break;
            }
            all = self.all_hold(all, holds);
            list.remove(0);
        }
        Ok(all)
    }

    fn all_hold(&mut self, a: Num, b: Num) -> Num {
        match (a, b) {
            (Num::Fixed(0), _) | (_, Num::Fixed(0)) => Num::Fixed(0),
            (Num::Fixed(_), other) | (other, Num::Fixed(_)) => other,
            both => self.both(both.0, both.1),
        }
    }

    /// Options that are there only if a condition holds.
    fn offered_if<'a>(&mut self, holds: Num, mut opened: Opened<'a, 'g>) -> Lowered<Opened<'a, 'g>> {
        if holds == Num::Fixed(1) {
            return Ok(opened);
        }
        for arm in &mut opened.arms {
            match &mut arm.options {
                Options::Cells { of, .. } | Options::Combinations { of, .. } | Options::Groups { of, .. } => {
                    let kept = self.keep(Cells::In(*of), holds);
                    *of = self.reg(kept);
                }
                Options::One { open } => {
                    let open_now = self.known_number(*open);
                    let both = self.all_hold(open_now, holds);
                    *open = self.num(both);
                }
                Options::Range { .. } | Options::Bits { .. } => return unplanned("numbers that a condition offers"),
            }
        }
        Ok(opened)
    }

    /// Rows of different axes that leave their lines leave other cells empty.
    fn note_rows(&mut self, blocks: &'g [(BlockId, BranchId)], place: SpanId) {
        let rows: Vec<Option<u64>> = blocks
            .iter()
            .map(|(block, _)| {
                let list = self.opened(self.game.block(*block));
                self.row_moved_abreast(&list)
            })
            .collect();
        for (at, one) in rows.iter().enumerate() {
            for (other, two) in rows.iter().enumerate().skip(at + 1) {
                if one.zip(*two).is_some_and(|(one, two)| one & two == 0) {
                    self.never_alike.insert((place, at, other));
                }
            }
        }
    }

    /// There is an option.
    fn has_options(&mut self, options: &Options) -> Num {
        match *options {
            Options::Cells { of, .. } | Options::Groups { of, .. } => self.some_cells(Cells::In(of)),
            Options::One { open } => Num::In(open),
            Options::Range { from, to, .. } => {
                let (from, to) = (self.known_number(from), self.known_number(to));
                self.compare_nums(model::Comparison::AtMost, from, to)
            }
            Options::Bits { of, .. } => {
                let of = self.known_number(of);
                self.compare_nums(model::Comparison::NotEqual, of, Num::Fixed(0))
            }
            Options::Combinations { of, size, .. } => {
                let count = self.count_cells(Cells::In(of));
                self.compare_nums(model::Comparison::AtLeast, count, Num::Fixed(size.into()))
            }
        }
    }

    /// `first`: where it is known which block has a turn without playing it, a plain condition.
    pub fn first_of(&mut self, blocks: &'g [(BlockId, BranchId)], behind: &[&'g Statement]) -> Lowered<()> {
        let Some(((block, _), others)) = blocks.split_first() else {
            self.out.push(Node::Fail);
            return Ok(());
        };
        self.open_contest(*block);
        let mut list = self.opened(self.game.block(*block));
        list.extend_from_slice(behind);
        if others.is_empty() {
            return self.sequence(&list);
        }
        let spot = self.spot();
        let round = self.first_round(&list);
        let begin = round.as_ref().map_or(&list, |round| &round.list);
        if self.scope.depth_of_blocks == 0
            && self.has(Pass::MergeChoices)
            && let Some(Statement::Pick { .. } | Statement::Move { .. }) = list.first()
            && let Ok(opened) = self.open_choice(begin)
        {
            let mut any = Num::Fixed(0);
            for arm in &opened.arms {
                let some = self.has_options(&arm.options);
                any = self.either(any, some);
            }
            let then = self.block(|lowering| {
                let rest = opened.rest;
                lowering.take(opened)?;
                let Some(round) = &round else { return lowering.sequence(rest) };
                lowering.in_round(rest)?;
                lowering.more_rounds(round.repeat)?;
                lowering.sequence(round.rest)
            })?;
            // Of a catch that may be empty each option asks by itself whether it is one.
            let certain = matches!(then.split_first(), Some((Node::Choose(arms), rest))
                if arms.iter().all(|arm| is_sure(&arm.block)) && (is_sure(rest) || self.can_stop(rest)));
            if let (true, Num::In(any)) = (certain, any) {
                self.continuations.decided.insert(any);
                let otherwise =
                    self.way(spot.still, |lowering| lowering.block(|lowering| lowering.first_of(others, behind)))?;
                self.forget_behind([&then, &otherwise]);
                self.when(any, then, otherwise);
                return Ok(());
            }
        }
        let still = spot.still;
        self.back_to(spot);
        let mut lowered = Vec::new();
        // Each block begins with the registers as they are now.
        let facts = Rc::clone(self.known.facts());
        for (block, _) in blocks {
            let mut list = self.opened(self.game.block(*block));
            list.extend_from_slice(behind);
            self.forget();
            self.known.set_facts(Rc::clone(&facts));
            lowered.push(self.way(still, |lowering| lowering.nested(&list))?);
        }
        self.out.push(Node::First { blocks: lowered });
        self.forget();
        Ok(())
    }
}

/// No run dies in the block, and nothing is chosen.
pub fn is_sure(block: &[Node]) -> bool {
    block.iter().all(|node| match node {
        Node::Op(_) => true,
        Node::If { then, otherwise, .. } => is_sure(then) && is_sure(otherwise),
        Node::Each { body, .. } | Node::EachGroup { body, .. } => is_sure(body),
        _ => false,
    })
}
