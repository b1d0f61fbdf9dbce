//! Choices go in; the sets of all their options, one arm for each way to make them, come out.
//!
//! `pick p from S   move p LINE` is one choice: of all landings, direction by direction, each of which tells where its man came from.
//! What a `need` behind a pick asks of the cell alone is asked of all cells at once, and the choice offers only those that pass.

use crate::ir::{Arm, Block, Choose, Mark, N, Node, Op, Options, S};
use crate::model::{self, BlockId, BranchId, Choice, Landing, Slot, Statement, Times};
use crate::source::Span;

use super::line::{At, Walk};
use super::{Cells, Groups, Lowered, Lowering, Num, Value, unplanned};

/// A choice that is ready: its arms, what to do when one is taken, and the statements behind it.
struct Opened<'a, 'g> {
    arms: Vec<Arm>,
    taken: Taken<'g>,
    rest: &'a [&'g Statement],
    span: Span,
}

/// What follows from a choice, whichever arm was taken.
enum Taken<'g> {
    Pick { slot: Slot, value: Value<'g>, mark: Mark, told: Option<N>, assigns: Vec<&'g Statement> },
    Move(Box<Moved<'g>>),
}

struct Moved<'g> {
    /// The slot picked together with the landing, and what is bound between.
    picked: Option<(Slot, Vec<&'g Statement>)>,
    follow: Option<Slot>,
    from: S,
    to: S,
    caught: Cells,
    /// Of these only what stands on the landing.
    on_landing: bool,
    /// Arms have signs of their own.
    told_by_arms: bool,
    passed: S,
    heading: N,
    sign: Option<char>,
    /// The landing is written only if this is not 0.
    told: Option<N>,
    /// A man may stand on the landing.
    crowded: bool,
    span: Span,
}

/// Anchors and walks of a move, before they are arms.
struct Lane<'g> {
    walk: Walk<'g>,
    open: Num,
    anchors: Cells,
    kind: Option<crate::board::Kind>,
}

/// What tells whether two arms can lead from one cell to the same other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Always so far, and in how many steps.
    Fixed(i32, usize),
    /// Along a direction.
    Line(u16),
    /// One step along a direction whose steps differ.
    Step(u16),
    Other,
}

impl<'g> Lowering<'g> {
    /// Lowers the choice that a list of statements begins with; gives back the statements behind it.
    pub(super) fn choice<'a>(&mut self, list: &'a [&'g Statement]) -> Lowered<&'a [&'g Statement]> {
        if let Some(rest) = self.branching_pick(list)? {
            return Ok(rest);
        }
        let opened = self.open_choice(list)?;
        let rest = opened.rest;
        self.take(opened)?;
        Ok(rest)
    }

    fn take(&mut self, opened: Opened<'_, 'g>) -> Lowered<()> {
        let place = self.place(opened.span);
        self.out.push(Node::Choose(Box::new(Choose { arms: opened.arms, place })));
        self.forget_results();
        self.taken(opened.taken)
    }

    /// `pick p from S   if C { move p ... } else { move p ... }`, C not asking p: a pick in each branch.
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
    pub(super) fn nested(&mut self, list: &[&'g Statement]) -> Lowered<Block> {
        self.depth_of_blocks += 1;
        let block = self.block(|lowering| lowering.sequence(list));
        self.depth_of_blocks -= 1;
        block
    }

    fn open_choice<'a>(&mut self, list: &'a [&'g Statement]) -> Lowered<Opened<'a, 'g>> {
        match list.split_first() {
            Some((Statement::Pick { slot, count, from, span, .. }, rest)) => match from {
                Choice::Cells(cells) if *count == 1 => self.open_cells(*slot, cells, rest, *span),
                _ => self.open_value(*slot, *count, from, rest, *span),
            },
            Some((Statement::Move { amount, who, landing, follow, span }, rest)) => {
                let who_cells = self.cells(who)?;
                if !self.is_single(who_cells) {
                    return unplanned("a block that moves");
                }
                self.expect_one_man(amount.as_ref())?;
                let occupied = self.occupied();
                let man = self.and(who_cells, occupied);
                let man = if self.facts(who_cells).occupied { who_cells } else { man };
                let from = self.reg(man);
                self.single.insert(from);
                let (arms, taken) = self.moves(man, true, landing, *span)?;
                let taken = Moved { follow: *follow, ..taken };
                Ok(Opened { arms, taken: Taken::Move(Box::new(taken)), rest, span: *span })
            }
            _ => unplanned("no choice"),
        }
    }

    fn expect_one_man(&mut self, amount: Option<&'g model::Number>) -> Lowered<()> {
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
        span: Span,
    ) -> Lowered<Opened<'a, 'g>> {
        let mut set = self.cells(cells)?;
        let (assigns, rest) = self.narrow(slot, &mut set, rest)?;
        if let Some((Statement::Move { amount: None, who: model::Cells::Local(who), landing, follow, span: at }, behind)) =
            rest.split_first()
            && *who == slot
            && self.facts(set).occupied
            && !matches!(landing, Landing::To { .. })
        {
            let (length, known) = (self.out.len(), self.known.clone());
            match self.moves(set, false, landing, *at) {
                Ok((arms, moved)) => {
                    let facts = self.facts(set);
                    self.note(Cells::In(moved.from), facts);
                    let taken = Moved { picked: Some((slot, assigns)), follow: *follow, ..moved };
                    return Ok(Opened { arms, taken: Taken::Move(Box::new(taken)), rest: behind, span });
                }
                // One man after the other, then.
                Err(_) => {
                    self.out.truncate(length);
                    self.known = known;
                }
            }
        }
        let facts = self.facts(set);
        let (of, cell) = (self.reg(set), self.fresh_set());
        self.single.insert(cell);
        self.note(Cells::In(cell), facts);
        let arms = vec![Arm { options: Options::Cells { of, cell }, block: Vec::new(), note: String::from("cells") }];
        let taken = Taken::Pick { slot, value: Value::Cells(Cells::In(cell)), mark: Mark::Cell(cell), told: None, assigns };
        Ok(Opened { arms, taken, rest, span })
    }

    /// Takes what the statements behind a pick need of the cell into the set that is picked from.
    fn narrow<'a>(
        &mut self,
        slot: Slot,
        set: &mut Cells,
        list: &'a [&'g Statement],
    ) -> Lowered<(Vec<&'g Statement>, &'a [&'g Statement])> {
        let before = self.frames[self.frame].clone();
        self.bind(slot, Value::Any);
        let mut assigns = Vec::new();
        let mut rest = list;
        let mut kept = rest;
        let mut kept_assigns = 0;
        while let Some((&first, behind)) = rest.split_first() {
            match first {
                Statement::Assign { slot: other, value } if !self.mutable.contains_key(other) => {
                    let lazy = if self.depends(value) { Value::Later(value, self.frame) } else { break };
                    self.bind(*other, lazy);
                    assigns.push(first);
                }
                Statement::Need { condition, .. } => {
                    let (length, known) = (self.out.len(), self.known.clone());
                    match self.lift(condition) {
                        Ok(Some(holds)) => {
                            *set = self.and(*set, holds);
                            kept = behind;
                            kept_assigns = assigns.len();
                        }
                        _ => {
                            self.out.truncate(length);
                            self.known = known;
                            break;
                        }
                    }
                }
                _ => break,
            }
            rest = behind;
        }
        self.frames[self.frame] = before;
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
        span: Span,
    ) -> Lowered<Opened<'a, 'g>> {
        let (options, value, mark, told) = match from {
            Choice::Range(from, to) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                let (from, to, number) = (self.num(from), self.num(to), self.fresh_number());
                (Options::Range { from, to, number }, Value::Num(Num::In(number)), Mark::Number(number), None)
            }
            Choice::Cells(cells) if count == 2 => {
                let set = self.cells(cells)?;
                let facts = self.facts(set);
                let (of, pair) = (self.reg(set), self.fresh_set());
                self.note(Cells::In(pair), facts);
                (Options::Pairs { of, pair }, Value::Cells(Cells::In(pair)), Mark::Pair(pair), None)
            }
            Choice::Cells(_) => return unplanned("three or more cells picked together"),
            Choice::Groups(groups) => {
                let Groups::Parts { of, along } = self.groups(groups)? else { return unplanned("a pick of these groups") };
                let (group, facts) = (self.fresh_set(), self.facts(Cells::In(of)));
                self.note(Cells::In(group), facts);
                let several = self.number_op(|d| Op::CountGroups { d, a: of, along });
                let one = self.constant_number(1);
                let several = self.number_op(|d| Op::Compare { cmp: model::Comparison::Greater, d, a: several, b: one });
                (Options::Groups { of, along, group }, Value::Cells(Cells::In(group)), Mark::Group(group), Some(several))
            }
            Choice::Dirs(dirs) => {
                let dirs = self.dirs(dirs)?;
                let (of, bit) = (self.num(dirs), self.fresh_number());
                (Options::Bits { of, bit }, Value::Num(Num::In(bit)), Mark::Dir(bit), None)
            }
            Choice::Axes(axes) => {
                let axes = self.axes(axes)?;
                let (of, bit) = (self.num(axes), self.fresh_number());
                (Options::Bits { of, bit }, Value::Num(Num::In(bit)), Mark::Axis(bit), None)
            }
        };
        let arms = vec![Arm { options, block: Vec::new(), note: String::from("one of them") }];
        Ok(Opened { arms, taken: Taken::Pick { slot, value, mark, told, assigns: Vec::new() }, rest, span })
    }

    // Moves.

    fn moves(&mut self, men: Cells, single: bool, landing: &'g Landing, span: Span) -> Lowered<(Vec<Arm>, Moved<'g>)> {
        let (from, to) = (if single { self.reg(men) } else { self.fresh_set() }, self.fresh_set());
        self.single.insert(from);
        self.single.insert(to);
        let mut moved = Moved {
            picked: None,
            follow: None,
            from,
            to,
            caught: self.none(),
            on_landing: false,
            told_by_arms: false,
            passed: self.fresh_set(),
            heading: self.fresh_number(),
            sign: None,
            told: None,
            crowded: false,
            span,
        };
        let (lanes, capture) = match landing {
            Landing::To { cells, known } => return self.move_to(men, cells, *known, moved),
            Landing::Line(line) => {
                let walks = self.walks(line)?;
                let lanes = walks.into_iter().map(|(walk, open)| Lane { walk, open, anchors: men, kind: None }).collect();
                (lanes, false)
            }
            Landing::Ways { capture } => (self.ways_of_men(men)?, *capture),
        };
        let arms = self.arms(lanes, single, capture, &mut moved)?;
        Ok((arms, moved))
    }

    fn move_to(
        &mut self,
        men: Cells,
        cells: &'g model::Cells,
        known: bool,
        mut moved: Moved<'g>,
    ) -> Lowered<(Vec<Arm>, Moved<'g>)> {
        let set = self.cells(cells)?;
        if known {
            let count = self.count_cells(set);
            let several = self.compare_nums(model::Comparison::NotEqual, count, Num::Fixed(1));
            moved.told = Some(self.num(several));
        }
        let occupied = self.occupied();
        moved.crowded = !self.apart(set, occupied);
        let options = self.without(set, men);
        // A man must stand there to move.
        let there = self.some_cells(men);
        let options = self.keep(options, there);
        let (of, cell) = (self.reg(options), moved.to);
        let (none, zero) = (self.constant(crate::ir::Bits::default()), Op::Number { d: moved.heading, k: 0 });
        let block = vec![Node::Op(Op::Copy { d: moved.passed, a: none }), Node::Op(zero)];
        Ok((vec![Arm { options: Options::Cells { of, cell }, block, note: String::from("to") }], moved))
    }

    /// The ways of all kinds that can stand among some men, each once.
    fn ways_of_men(&mut self, men: Cells) -> Lowered<Vec<Lane<'g>>> {
        let facts = self.facts(men);
        if facts.players != 1 << self.own.0 {
            return unplanned("ways of men that need not be one's own");
        }
        let mut ways: Vec<(String, crate::board::Kind, &'g model::Way, Cells)> = Vec::new();
        for kind in (0..self.game.kinds.len() as u8).map(crate::board::Kind) {
            let men = self.men_of_kind(men, kind);
            for way in &self.game.kind(kind).ways {
                let anchors = self.way_anchors(kind, way, men)?;
                let key = super::attack::without_spans(&way.line);
                match ways.iter().position(|(known, ..)| *known == key) {
                    Some(at) => ways[at].3 = self.or(ways[at].3, anchors),
                    None => ways.push((key, kind, way, anchors)),
                }
            }
        }
        let mut lanes = Vec::new();
        for (_, kind, way, anchors) in ways {
            let walks = self.in_description(kind, |lowering| lowering.walks(&way.line))?;
            lanes.extend(walks.into_iter().map(|(walk, open)| Lane { walk, open, anchors, kind: Some(kind) }));
        }
        Ok(lanes)
    }

    fn in_lane<T>(&mut self, kind: Option<crate::board::Kind>, body: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        match kind {
            Some(kind) => self.in_description(kind, body),
            None => body(self),
        }
    }

    fn arms(&mut self, lanes: Vec<Lane<'g>>, single: bool, capture: bool, moved: &mut Moved<'g>) -> Lowered<Vec<Arm>> {
        let mut arms: Vec<Arm> = Vec::new();
        let mut told: Vec<(Reach, Cells, Cells, Option<char>, bool)> = Vec::new();
        // Where everything caught is what stands on the landing, one test behind the choice serves all arms.
        let mut common: Option<Cells> = None;
        let mut plain = true;
        for lane in &lanes {
            if let Some(cells) = self.in_lane(lane.kind, |lowering| lowering.caught_on_landing(&lane.walk))? {
                plain &= common.is_none_or(|known| known == cells);
                common = Some(cells);
            } else if lane.walk.path.catches {
                plain = false;
            }
        }
        // A way that catches nothing lands where nothing could be caught, or the test behind the choice would find it.
        let caught = if plain { None } else { Some(self.fresh_set()) };
        let signs: Vec<Option<char>> = lanes.iter().map(|lane| lane.walk.path.sign).collect();
        if signs.windows(2).any(|pair| pair[0] != pair[1]) {
            moved.sign = None;
        } else {
            moved.sign = signs.first().copied().flatten();
        }
        let mixed = signs.windows(2).any(|pair| pair[0] != pair[1]);
        for lane in &lanes {
            let anchors = self.keep(lane.anchors, lane.open);
            if anchors == self.none() || !lane.walk.path.lands || (capture && !lane.walk.path.catches) {
                continue;
            }
            let Some(at) = lane.walk.landing() else { continue };
            let landings = self.in_lane(lane.kind, |lowering| lowering.landings(&lane.walk, anchors))?;
            let mut landings = landings.unwrap_or(self.none());
            if capture {
                landings = self.in_lane(lane.kind, |lowering| lowering.catching_landings(&lane.walk, landings))?;
            }
            let reach = self.reach_of(&lane.walk, at);
            for (other_reach, other_anchors, other, sign, on_landing) in &told {
                let alike = match (reach, *other_reach) {
                    (Reach::Fixed(a, _), Reach::Fixed(b, _)) => a == b,
                    (Reach::Line(a), Reach::Line(b)) => a == b,
                    (Reach::Fixed(by, steps), Reach::Line(dir)) | (Reach::Line(dir), Reach::Fixed(by, steps)) => {
                        let along = self.stride(dir).is_none_or(|stride| by % stride == 0 && by / stride == steps as i32);
                        if along && steps > 1 && !single {
                            return unplanned("two ways along one line");
                        }
                        along
                    }
                    (Reach::Step(a), Reach::Step(b)) => self.share_a_step(a, b),
                    _ => true,
                };
                if !alike || *sign != lane.walk.path.sign || self.apart(landings, *other) || self.apart(anchors, *other_anchors) {
                    continue;
                }
                if !single && (reach == Reach::Other || matches!(reach, Reach::Step(_)) && reach != *other_reach) {
                    return unplanned("two ways that may lead to one cell");
                }
                let lands_only = !lane.walk.path.catches
                    || self.in_lane(lane.kind, |lowering| lowering.caught_on_landing(&lane.walk))?.is_some();
                let same = *on_landing && lands_only;
                if !same {
                    return unplanned("two ways to one cell that catch differently");
                }
                landings = self.without(landings, *other);
            }
            if landings == self.none() {
                continue;
            }
            let on_landing =
                !lane.walk.path.catches || self.in_lane(lane.kind, |lowering| lowering.caught_on_landing(&lane.walk))?.is_some();
            told.push((reach, anchors, landings, lane.walk.path.sign, on_landing));
            moved.crowded |= !self.in_lane(lane.kind, |lowering| lowering.lands_clear(&lane.walk, at))?;
            let of = self.reg(landings);
            let block = self.block(|lowering| {
                lowering.forget_results();
                lowering.in_lane(lane.kind, |lowering| lowering.arm_taken(lane, at, anchors, single, caught, moved))
            })?;
            let mut block = block;
            if mixed {
                if !single {
                    block.push(Node::Op(Op::Tell { mark: Mark::Cell(moved.from) }));
                }
                let mark = Mark::Landing { cell: moved.to, caught, sign: lane.walk.path.sign };
                block.push(Node::Op(Op::Tell { mark }));
            }
            let note = self.note_of(&lane.walk);
            arms.push(Arm { options: Options::Cells { of, cell: moved.to }, block, note });
        }
        moved.caught = match (caught, common) {
            (Some(reg), _) => Cells::In(reg),
            (None, Some(cells)) => cells,
            (None, None) => self.none(),
        };
        moved.on_landing = plain;
        moved.told_by_arms = mixed;
        Ok(arms)
    }

    fn note_of(&self, walk: &Walk<'g>) -> String {
        let names: Vec<String> = walk.turns.iter().map(|dir| self.game.topology.direction_name(*dir)).collect();
        names.join(", ")
    }

    fn stride(&self, dir: u16) -> Option<i32> {
        match self.grid.dirs[usize::from(dir)].as_slice() {
            [hop] => Some(self.grid.hops[usize::from(*hop)].by),
            _ => None,
        }
    }

    /// Some cell has the same neighbour along both directions.
    fn share_a_step(&self, a: u16, b: u16) -> bool {
        let topology = &self.game.topology;
        a == b
            || topology.cells().any(|cell| {
                let step = |dir| topology.step(cell, crate::board::Dir(dir));
                step(a).is_some() && step(a) == step(b)
            })
    }

    fn reach_of(&self, walk: &Walk<'g>, at: At) -> Reach {
        let stages = &walk.side(at.left)[..=at.stage];
        if stages.iter().all(|stage| matches!(stage.item.times, Times::One)) {
            let strides: Option<Vec<i32>> = stages.iter().map(|stage| self.stride(stage.step.0)).collect();
            return match (strides, stages) {
                (Some(strides), _) => Reach::Fixed(strides.iter().sum(), strides.len()),
                (None, [one]) => Reach::Step(one.step.0),
                (None, _) => Reach::Other,
            };
        }
        if stages.iter().all(|stage| stage.step == stages[0].step) { Reach::Line(stages[0].step.0) } else { Reach::Other }
    }

    /// If a walk catches nothing but what stands on its landing: the set that catches there.
    fn caught_on_landing(&mut self, walk: &Walk<'g>) -> Lowered<Option<Cells>> {
        let Some(at) = walk.landing() else { return Ok(None) };
        let mut set = None;
        for left in [false, true] {
            for (i, stage) in walk.side(left).to_vec().into_iter().enumerate() {
                if stage.item.caught.is_empty() {
                    continue;
                }
                if at != (At { left, stage: i }) || stage.item.caught.len() != 1 {
                    return Ok(None);
                }
                set = Some(self.cells(&stage.item.caught[0])?);
            }
        }
        Ok(set)
    }

    /// The landings on which something is caught.
    fn catching_landings(&mut self, walk: &Walk<'g>, landings: Cells) -> Lowered<Cells> {
        if let Some(caught) = self.caught_on_landing(walk)? {
            return Ok(self.and(landings, caught));
        }
        for stage in walk.left.iter().chain(&walk.right).filter(|stage| !stage.item.caught.is_empty()) {
            let (test, caught) = (self.test(*stage)?, self.cells(&stage.item.caught[0])?);
            if test == caught && matches!(stage.item.times, Times::One) {
                return Ok(landings);
            }
        }
        unplanned("a way that may catch or not")
    }

    /// No man stands on a landing that is not caught.
    fn lands_clear(&mut self, walk: &Walk<'g>, at: At) -> Lowered<bool> {
        let stage = walk.side(at.left)[at.stage];
        self.clear(&stage.item.test, &stage.item.caught)
    }

    fn clear(&mut self, test: &'g model::Cells, caught: &'g [model::Cells]) -> Lowered<bool> {
        match test {
            model::Cells::Or(any) => {
                for set in any {
                    if !self.clear(set, caught)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            model::Cells::And(all) => {
                for set in all {
                    if self.clear(set, caught)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            set => {
                let cells = self.cells(set)?;
                if self.facts(cells).empty {
                    return Ok(true);
                }
                for set in caught {
                    if self.cells(set)? == cells {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// What the choice of an arm settles: where the man came from, what is caught, what he passed.
    fn arm_taken(
        &mut self,
        lane: &Lane<'g>,
        at: At,
        anchors: Cells,
        single: bool,
        caught: Option<S>,
        moved: &Moved<'g>,
    ) -> Lowered<()> {
        let to = Cells::In(moved.to);
        if !single {
            let origin = self.origin(&lane.walk, at, to, anchors)?;
            self.settle(moved.from, origin);
        }
        let from = Cells::In(moved.from);
        if let Some(d) = caught {
            let cells = if lane.walk.path.catches { self.caught(&lane.walk, from, Some(to))? } else { self.none() };
            self.settle(d, cells);
        }
        let passed = self.passed(&lane.walk, at, from, to)?;
        self.settle(moved.passed, passed);
        let heading = lane.walk.heading(|dir| self.game.topology.opposite(dir));
        self.emit(Op::Number { d: moved.heading, k: 1 << heading.0 });
        Ok(())
    }

    /// Puts a set into a register: the operation that has just computed it writes there.
    fn settle(&mut self, d: S, cells: Cells) {
        let a = self.reg(cells);
        if let Some(Node::Op(op)) = self.out.last_mut() {
            let mut writes = false;
            op.accesses(|access| writes |= access == crate::ir::Access::WriteSet(a));
            if writes && !matches!(op, Op::Copy { .. }) {
                *op = op.renamed(|reg| if reg == a { d } else { reg }, |reg| reg);
                self.forget_results();
                return;
            }
        }
        self.emit(Op::Copy { d, a });
    }

    /// The cells strictly between on the path.
    fn passed(&mut self, walk: &Walk<'g>, at: At, from: Cells, to: Cells) -> Lowered<Cells> {
        let stages = walk.side(at.left)[..at.stage].to_vec();
        if stages.iter().all(|stage| matches!(stage.item.times, Times::One)) {
            let (mut cell, mut all) = (from, self.none());
            for stage in stages {
                cell = self.shift(cell, stage.step.0);
                all = self.or(all, cell);
            }
            return Ok(all);
        }
        if walk.turns.len() > 1 {
            return unplanned("a long path with a turning");
        }
        let (a, b, place) = (self.reg(from), self.reg(to), crate::ir::Place(0));
        let line = Cells::In(self.set_op(|d| Op::Span { d, a, b, place }));
        let ends = self.or(from, to);
        Ok(self.without(line, ends))
    }

    /// The one anchor from which a walk leads to a landing.
    fn origin(&mut self, walk: &Walk<'g>, at: At, to: Cells, anchors: Cells) -> Lowered<Cells> {
        let stages = walk.side(at.left).to_vec();
        let (mut cell, mut i) = (to, at.stage);
        loop {
            let opposite = self.game.topology.opposite(stages[i].step).0;
            let Some(&before) = i.checked_sub(1).and_then(|before| stages.get(before)) else {
                return Ok(self.shift(cell, opposite));
            };
            match &before.item.times {
                Times::One => {
                    cell = self.shift(cell, opposite);
                    i -= 1;
                }
                Times::Between(..) => {
                    let test = self.test(before)?;
                    let ahead = if i == 1 { anchors } else { self.test(stages[i - 2])? };
                    let one = i == 1 || matches!(stages[i - 2].item.times, Times::One);
                    if before.step != stages[i].step || !one || !self.apart(test, ahead) {
                        return unplanned("a landing that may be reached from several men");
                    }
                    let until = self.without(self.all(), test);
                    let (a, until) = (self.reg(cell), self.reg(until));
                    cell = Cells::In(self.set_op(|d| Op::Ray { d, a, until, dir: opposite }));
                    if i == 1 {
                        return Ok(cell);
                    }
                    i -= 2;
                }
            }
        }
    }

    // What follows.

    fn taken(&mut self, taken: Taken<'g>) -> Lowered<()> {
        match taken {
            Taken::Pick { slot, value, mark, told, assigns } => {
                self.assign(slot, value)?;
                if let (Value::Cells(Cells::In(picked)), Value::Cells(Cells::In(home))) = (value, self.local(slot))
                    && self.single.contains(&picked)
                {
                    self.single.insert(home);
                }
                self.tell(mark, told);
                self.sequence(&assigns)
            }
            Taken::Move(moved) => self.moved(*moved),
        }
    }

    fn tell(&mut self, mark: Mark, told: Option<N>) {
        let op = Node::Op(Op::Tell { mark });
        match told {
            None => self.out.push(op),
            Some(n) => self.when(n, vec![op], Vec::new()),
        }
    }

    fn moved(&mut self, moved: Moved<'g>) -> Lowered<()> {
        let (from, to) = (moved.from, moved.to);
        let own = self.facts(Cells::In(from));
        let own = if own.occupied {
            own
        } else {
            super::set::Facts { occupied: true, players: 1 << self.own.0, ..super::set::Facts::NONE }
        };
        if let Some((slot, assigns)) = &moved.picked {
            self.note(Cells::In(from), own);
            self.assign(*slot, Value::Cells(Cells::In(from)))?;
            if !moved.told_by_arms {
                self.tell(Mark::Cell(from), None);
            }
            self.sequence(assigns)?;
        }
        let owner = self.facts(Cells::In(from)).players;
        let mut caught = moved.caught;
        if moved.on_landing {
            caught = self.and(caught, Cells::In(to));
        }
        let caught = match caught {
            Cells::In(reg) if !self.changes(reg) => Some(reg),
            caught if caught == self.none() => None,
            caught => Some(self.copied(caught)),
        };
        if !moved.told_by_arms {
            self.tell(Mark::Landing { cell: to, caught, sign: moved.sign }, moved.told);
        }
        if let Some(caught) = caught {
            self.catch(Cells::In(caught))?;
        }
        self.forget();
        if moved.crowded {
            let occupied = self.occupied();
            let others = self.without(occupied, Cells::In(from));
            let (of, place) = (self.reg(others), self.place(moved.span));
            self.emit(Op::Free { cells: to, of, place });
        }
        self.emit(Op::Carry { from, to });
        let words = self.words;
        self.emit(Op::Copy { d: words.last, a: to });
        self.emit(Op::Copy { d: words.origin, a: from });
        self.emit(Op::Copy { d: words.passed, a: moved.passed });
        self.emit(Op::Move { d: words.heading, a: moved.heading });
        if let Some(caught) = caught {
            self.emit(Op::Or { d: words.caught, a: words.caught, b: caught });
        }
        self.emit(Op::Acted);
        self.forget();
        if let Some(slot) = moved.follow {
            self.assign(slot, Value::Cells(Cells::In(to)))?;
            if let Value::Cells(Cells::In(home)) = self.local(slot) {
                self.single.insert(home);
                self.note(Cells::In(home), super::set::Facts { occupied: true, players: owner, ..super::set::Facts::NONE });
            }
        }
        Ok(())
    }

    // Alternatives.

    /// `either`: the choices that its blocks begin with are one choice, where they are known.
    pub(super) fn either_of(&mut self, blocks: &'g [(BlockId, BranchId)], span: Span) -> Lowered<()> {
        let place = self.place(span);
        let (one, which) = (self.constant_number(1), self.fresh_number());
        let mut arms = Vec::new();
        let mut behind = Vec::new();
        for (index, (block, _)) in blocks.iter().enumerate() {
            let list = self.opened(self.game.block(*block));
            let (length, known) = (self.out.len(), self.known.clone());
            let opened = match list.first() {
                Some(Statement::Pick { .. } | Statement::Move { .. }) => self.open_choice(&list),
                _ => unplanned("no choice"),
            };
            let settle = Node::Op(Op::Number { d: which, k: index as i64 });
            match opened {
                Ok(opened) => {
                    arms.extend(opened.arms.into_iter().map(|mut arm| {
                        arm.block.push(settle.clone());
                        arm
                    }));
                    let block = self.block(|lowering| {
                        lowering.forget_results();
                        lowering.depth_of_blocks += 1;
                        lowering.taken(opened.taken)?;
                        let result = lowering.sequence(opened.rest);
                        lowering.depth_of_blocks -= 1;
                        result
                    })?;
                    behind.push(block);
                }
                Err(_) => {
                    self.out.truncate(length);
                    self.known = known;
                    arms.push(Arm { options: Options::One { open: one }, block: vec![settle], note: String::new() });
                    let block = self.nested(&list)?;
                    behind.push(block);
                }
            }
        }
        self.out.push(Node::Choose(Box::new(Choose { arms, place })));
        self.forget();
        let mut rest: Option<Block> = None;
        for (index, block) in behind.into_iter().enumerate().rev() {
            rest = Some(match rest {
                None => block,
                Some(otherwise) => {
                    let k = self.constant_number(index as i64);
                    let is = self.fresh_number();
                    let compare = Op::Compare { cmp: model::Comparison::Equal, d: is, a: which, b: k };
                    vec![Node::Op(compare), Node::If { condition: is, then: block, otherwise }]
                }
            });
        }
        self.out.extend(rest.unwrap_or_default());
        self.forget();
        Ok(())
    }

    /// `first`: where it is known which block has a turn without playing it, a plain condition.
    pub(super) fn first_of(&mut self, blocks: &'g [(BlockId, BranchId)], behind: &[&'g Statement], span: Span) -> Lowered<()> {
        let Some(((block, _), others)) = blocks.split_first() else {
            self.out.push(Node::Fail);
            return Ok(());
        };
        let mut list = self.opened(self.game.block(*block));
        list.extend_from_slice(behind);
        if others.is_empty() {
            return self.sequence(&list);
        }
        let (length, known) = (self.out.len(), self.known.clone());
        if self.depth_of_blocks == 0
            && let Some(Statement::Pick { .. } | Statement::Move { .. }) = list.first()
            && let Ok(opened) = self.open_choice(&list)
        {
            let mut any = Num::Fixed(0);
            for arm in &opened.arms {
                let some = match arm.options {
                    Options::Cells { of, .. } => self.some_cells(Cells::In(of)),
                    Options::One { open } => Num::In(open),
                    _ => return unplanned("`first` before this choice"),
                };
                any = self.either(any, some);
            }
            let then = self.block(|lowering| {
                let rest = opened.rest;
                lowering.take(Opened { arms: opened.arms, taken: opened.taken, rest, span: opened.span })?;
                lowering.sequence(rest)
            })?;
            let certain = matches!(then.split_first(), Some((Node::Choose(_), rest)) if is_sure(rest));
            if let (true, Num::In(any)) = (certain, any) {
                let otherwise = self.block(|lowering| lowering.first_of(others, behind, span))?;
                self.when(any, then, otherwise);
                return Ok(());
            }
        }
        self.out.truncate(length);
        self.known = known;
        let place = self.place(span);
        let mut lowered = Vec::new();
        for (block, _) in blocks {
            let mut list = self.opened(self.game.block(*block));
            list.extend_from_slice(behind);
            self.forget();
            lowered.push(self.nested(&list)?);
        }
        self.out.push(Node::First { blocks: lowered, place });
        self.forget();
        Ok(())
    }
}

/// No run dies in the block, and nothing is chosen.
pub(super) fn is_sure(block: &[Node]) -> bool {
    block.iter().all(|node| match node {
        Node::Op(_) => true,
        Node::If { then, otherwise, .. } => is_sure(then) && is_sure(otherwise),
        Node::Each { body, .. } | Node::EachGroup { body, .. } => is_sure(body),
        _ => false,
    })
}
