//! Ply lowering: the statements of a turn that falls into plies go in; continuations come out, which end where the chooser
//! changes or `in steps` cuts.
//!
//! A ply is legal if the turn can be completed behind it. Most continuations can be completed whatever was chosen before: a
//! run is complete where the turn is suspended, as it is where chance chooses. Before the others a run asks for completion.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::board::Player;
use crate::model;
use crate::model::{Choice, Chooser, Landing, Rounds, Slot, Statement};
use crate::plan::lower::cardinality::Cardinality;
use crate::plan::lower::carried::{Awaited, Chosen, Join, Pending, PlyState, add_slot};
use crate::plan::lower::choice::{Opened, Taken};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Groups, Lowered, Num, Unplanned, Value, unplanned};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::NumReg;
use crate::plan::tree::{Argmax, Arm, Block, Continuation, Node, Options};
use crate::plan::tuning::MAX_NODES_FOR_COMPLETION;
use crate::source::Span;

const WITHIN: &str = "plies, or choices by chance, within rounds that are not written";

/// What is known of the options of a pick before it is made.
struct Offered<'g> {
    several: Num,
    some: Num,
    /// What is picked where there is one option.
    only: Value<'g>,
}

impl<'g> Lowering<'g> {
    /// A choice of the player of the turn comes that begins a new ply.
    pub fn ply_ends_before(&self, statement: &Statement) -> bool {
        self.game.asks.plies && self.continuations.ply.ends_before(self.scope.own) && self.may_choose(statement)
    }

    /// Whether something is true of a statement, or of one within it.
    pub fn some_within(&self, statement: &Statement, wanted: &dyn Fn(&Statement) -> bool) -> bool {
        let within = |block| self.game.block(block).iter().any(|inner| self.some_within(inner, wanted));
        wanted(statement) || statement.blocks().into_iter().any(within)
    }

    /// The turn may be suspended within the statement, for the sake of plies.
    pub fn has_plies(&self, statement: &Statement) -> bool {
        let wanted = |statement: &Statement| {
            matches!(
                statement,
                Statement::Pick { chooser: Chooser::By(_), .. }
                    | Statement::Either { chooser: Chooser::By(_), .. }
                    | Statement::Repeat { in_steps: true, .. }
            )
        };
        self.game.asks.plies && self.some_within(statement, &wanted)
    }

    /// The turn may be suspended within the statement.
    pub fn is_suspended_within(&self, statement: &Statement) -> bool {
        self.has_chance(statement) || self.has_plies(statement)
    }

    pub fn may_choose(&self, statement: &Statement) -> bool {
        self.some_within(statement, &|statement| match statement {
            Statement::Pick { .. } | Statement::Either { .. } => true,
            Statement::Move { landing, .. } => !self.is_known(landing),
            Statement::Place { place: model::Place::On { men, .. }, .. } => men.len() > 1,
            Statement::Promote { kinds, .. } => kinds.len() != 1,
            Statement::Repeat { rounds: Rounds::Free, .. } => true,
            _ => false,
        })
    }

    /// Something of the statement may be written.
    pub fn may_write(&self, statement: &Statement) -> bool {
        self.some_within(statement, &|statement| match statement {
            Statement::Pass | Statement::Swap | Statement::Label(_) => true,
            Statement::Pick { .. } => true,
            Statement::Move { landing, .. } => !self.is_known(landing),
            Statement::Place { place: model::Place::On { men, .. }, .. } => men.len() > 1,
            Statement::Promote { kinds, .. } => kinds.len() != 1,
            _ => false,
        })
    }

    /// A name of one cell: to move there is no choice, and is not written.
    fn is_known(&self, landing: &Landing) -> bool {
        match landing {
            Landing::To { cells: model::Cells::Local(slot), known: true, .. } => self.cardinalities.is_single(*slot),
            _ => false,
        }
    }

    /// Something of the statement is written, however it goes.
    fn surely_writes(&self, statement: &Statement) -> bool {
        self.surely(statement, true)
    }

    /// The player of the turn chooses something in the statement, however it goes.
    pub fn surely_chooses(&self, statement: &Statement) -> bool {
        self.surely(statement, false)
    }

    /// The player of the turn chooses something in the statement, however it goes; or, with `told`, something is written.
    fn surely(&self, statement: &Statement, told: bool) -> bool {
        let block = |block: &model::BlockId| self.game.block(*block).iter().any(|inner| self.surely(inner, told));
        match statement {
            Statement::Pass | Statement::Swap | Statement::Label(_) => told,
            Statement::Pick { from, .. } => !matches!(from, Choice::Groups(_)),
            Statement::Move { landing, .. } => !matches!(landing, Landing::To { known: true, .. }),
            Statement::Promote { kinds, .. } => kinds.len() != 1,
            // Which block it is may stay unwritten, and is a choice.
            Statement::Either { .. } if !told => true,
            Statement::Either { blocks, .. } | Statement::First { blocks, .. } => {
                blocks.iter().all(|(inner, _)| block(inner))
            }
            Statement::Block(body) | Statement::Repeat { rounds: Rounds::Free, silently: false, body, .. } => {
                block(body)
            }
            Statement::If { then, otherwise: Some(otherwise), .. } => block(&then.0) && block(&otherwise.0),
            _ => false,
        }
    }

    /// A choice of the player was lowered.
    fn note_choice_by(&mut self, player: Player) {
        self.note_chooser(player);
        self.continuations.ply = self.continuations.ply.chosen_by(player);
    }

    /// The player is to choose, perhaps before anybody else does in the continuation at hand.
    pub fn note_chooser(&mut self, player: Player) {
        let first = self.continuations.ply.chooser.is_none();
        self.continuations.choosers.extend(first.then_some(player));
    }

    /// Statements were lowered, in which the player of the turn chooses.
    pub fn note_choices(&mut self, list: &[&'g Statement]) {
        if list.iter().any(|statement| self.may_choose(statement)) {
            self.note_chooser(self.scope.own);
        }
        let ply = list.iter().fold(self.continuations.ply, |ply, statement| self.ply_behind(ply, statement));
        self.continuations.ply = ply;
    }

    /// Where a run stands behind a statement in which the turn is not suspended.
    fn ply_behind(&self, mut ply: PlyState, statement: &'g Statement) -> PlyState {
        let own = self.scope.own;
        ply.told |= self.may_write(statement);
        ply.surely_told |= self.surely_writes(statement);
        match (self.may_choose(statement), self.surely(statement, false)) {
            (false, _) => ply,
            (true, true) => ply.chosen_by(own),
            (true, false) => ply.perhaps_chosen_by(own),
        }
    }

    /// Before which of the statements a new ply begins. `None`: the ply goes on through all of them.
    pub fn ply_ends_in(&self, list: &[&'g Statement]) -> Option<usize> {
        let mut ply = self.continuations.ply;
        list.iter().position(|statement| {
            let ends = self.game.asks.plies && ply.ends_before(self.scope.own) && self.may_choose(statement);
            ply = self.ply_behind(ply, statement);
            ends
        })
    }

    /// A list of statements is lowered to its end: the program is over, or a round of it.
    pub fn end_of_list(&mut self) -> Lowered<()> {
        match self.continuations.round.clone() {
            Some(round) => self.end_round(&round),
            None => Ok(()),
        }
    }

    /// One of two ways on from here, with what is known here.
    pub fn way_on(&mut self, still: bool, body: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<Block> {
        let (values, ply) = (self.scope.frames[0].clone(), self.continuations.ply);
        let block = self.way(still, |lowering| lowering.block(body));
        self.scope.frames[0] = values;
        self.continuations.ply = ply;
        block
    }

    /// A statement that may suspend the turn, and those behind it.
    pub fn ply(&mut self, statement: &'g Statement, behind: &[&'g Statement], spine: Vec<Slot>) -> Lowered<()> {
        match statement {
            Statement::Pick { chooser: Chooser::By(players), span, .. } => {
                let pick = |lowering: &mut Self, player| lowering.pick_by(player, statement, behind, spine.clone());
                self.by_whom(players, pick).map_err(|why| why.at(*span))
            }
            Statement::Either { chooser, blocks, span, .. } => {
                let either = |lowering: &mut Self, player| {
                    lowering.expect_one_ply(player, *span)?;
                    if lowering.continuations.ply.ends_before(player) {
                        let player = matches!(chooser, Chooser::By(_)).then_some(player);
                        let awaited = Awaited { player, several: false };
                        return lowering.suspend(statement, behind, spine.clone(), awaited, *span);
                    }
                    lowering.branches(player, blocks, behind, &spine, *span)
                };
                match chooser {
                    Chooser::By(players) => self.by_whom(players, either).map_err(|why| why.at(*span)),
                    _ => either(self, self.scope.own),
                }
            }
            Statement::Repeat { silently: false, span, .. } | Statement::ForEach { span, .. }
                if self.is_suspended_within(statement) =>
            {
                self.suspended_rounds(statement, behind, spine).map_err(|why| why.at(*span))
            }
            other if self.ply_ends_before(other) && !self.is_suspended_within(other) => {
                self.suspend(other, behind, spine, Awaited::default(), Span::NOWHERE)
            }
            Statement::First { blocks, .. } => {
                blocks.iter().take(1).for_each(|(block, _)| self.open_contest(*block));
                let still = self.scope.still;
                let lowered = blocks.iter().map(|(block, _)| {
                    let mut list = self.opened(self.game.block(*block));
                    list.extend_from_slice(behind);
                    self.way_on(still, |lowering| {
                        lowering.forget();
                        lowering.up_to_suspension(&list, spine.clone())
                    })
                });
                let blocks = lowered.collect::<Lowered<Vec<_>>>()?;
                self.out.push(Node::First { blocks });
                self.forget();
                Ok(())
            }
            _ => unplanned(WITHIN),
        }
    }

    /// Lowers a choice and what stands behind it, once for each player who may make it: the first of some players.
    fn by_whom(&mut self, players: &'g model::Players, body: impl Fn(&mut Self, Player) -> Lowered<()>) -> Lowered<()> {
        let awaited = self.continuations.awaited;
        if let Some(player) = self.continuations.awaited.player.take() {
            return body(self, player);
        }
        let mut choosers = self.first_player(players)?;
        if !self.is_somebody(players) {
            let set = self.players(players)?;
            let nobody = self.compare_nums(Cmp::Equal, set, Num::Fixed(0));
            choosers.extend((nobody != Num::Fixed(0)).then_some((nobody, self.scope.own)));
        }
        let Some((_, last)) = choosers.pop() else { return body(self, self.scope.own) };
        if choosers.is_empty() {
            return body(self, last);
        }
        let still = self.scope.still;
        let branch = |lowering: &mut Self, player| {
            lowering.continuations.awaited = awaited;
            lowering.way_on(still, |lowering| {
                lowering.forget();
                body(lowering, player)
            })
        };
        let mut rest = branch(self, last)?;
        for (chooses, player) in choosers.into_iter().rev() {
            let then = branch(self, player)?;
            let condition = self.num(chooses);
            rest = vec![Node::If { condition, then, otherwise: rest }];
        }
        self.out.extend(rest);
        self.forget();
        Ok(())
    }

    /// It is known whether the ply before goes on with a choice of the player. It may do so where all that was chosen since may
    /// have been left out.
    fn expect_one_ply(&self, player: Player, span: Span) -> Lowered<()> {
        let PlyState { chooser, before, .. } = self.continuations.ply;
        if chooser != Some(player) && before.contains(player) {
            let why = "a choice of a player whose ply goes on where another chooses nothing";
            return Err(Unplanned { why, span: Some(span) });
        }
        Ok(())
    }

    /// Branches of which a player chooses one, and what stands behind them in each.
    fn branches(
        &mut self,
        player: Player,
        blocks: &'g [(model::BlockId, model::BranchId)],
        behind: &[&'g Statement],
        spine: &[Slot],
        span: Span,
    ) -> Lowered<()> {
        let place = self.place(span);
        let (open, which) = (self.constant_number(1), self.fresh.number());
        let arm = |index: usize| Arm {
            branch: Some((place, index as u16)),
            ..Arm::new(Options::One { open }, vec![Node::Op(TreeOp::Const { d: which, k: index as i64 })], "")
        };
        self.out.push(Node::Choose((0..blocks.len()).map(arm).collect()));
        self.forget();
        self.note_choice_by(player);
        let still = self.scope.still;
        let mut rest: Option<Block> = None;
        for (index, (block, _)) in blocks.iter().enumerate().rev() {
            let mut list = self.opened(self.game.block(*block));
            list.extend_from_slice(behind);
            let lowered = self.way_on(still, |lowering| {
                lowering.forget();
                lowering.up_to_suspension(&list, spine.to_vec())
            })?;
            rest = Some(match rest {
                None => lowered,
                Some(otherwise) => {
                    let (is, b) = (self.fresh.number(), self.constant_number(index as i64));
                    let compare = TreeOp::Compare { cmp: Cmp::Equal, d: is, a: which, b };
                    vec![Node::Op(compare), Node::If { condition: is, then: lowered, otherwise }]
                }
            });
        }
        self.out.extend(rest.unwrap_or_default());
        self.forget();
        Ok(())
    }

    /// A pick by a player who is named. Of a single option it is none, if he is another than the player of the turn.
    fn pick_by(
        &mut self,
        player: Player,
        statement: &'g Statement,
        behind: &[&'g Statement],
        mut spine: Vec<Slot>,
    ) -> Lowered<()> {
        let Statement::Pick { slot, from, span, .. } = statement else { return unplanned(WITHIN) };
        let has_several = std::mem::take(&mut self.continuations.awaited).several;
        self.expect_one_ply(player, *span)?;
        let ends = self.continuations.ply.ends_before(player);
        if player == self.scope.own && !matches!(from, Choice::Groups(_)) {
            if ends {
                let awaited = Awaited { player: Some(player), several: false };
                return self.suspend(statement, behind, spine, awaited, *span);
            }
            self.sequence(&[statement])?;
            self.note_choices(&[statement]);
            add_slot(&mut spine, *slot);
            return self.up_to_suspension(behind, spine);
        }
        let Opened { arms, taken: Taken::Pick { value, mark, told, .. }, .. } = self.open_choice(&[statement])? else {
            return unplanned(WITHIN);
        };
        add_slot(&mut spine, *slot);
        let (arms, offered) = match self.rows_of(from)? {
            Some(rows) => self.offered_rows(arms, rows, told)?,
            None => self.offered_by_one(arms, *span)?,
        };
        let chosen = move |lowering: &mut Self, spine: Vec<Slot>| {
            if let [
                Arm {
                    options: Options::Cells { of, .. } | Options::Groups { of, .. } | Options::Combinations { of, .. },
                    ..
                },
            ] = arms.as_slice()
            {
                lowering.continuations.some.insert(*of);
            }
            lowering.out.push(Node::Choose(arms));
            lowering.forget_results();
            lowering.note_choice_by(player);
            (lowering.continuations.ply.told, lowering.continuations.ply.surely_told) = (true, true);
            lowering.name_picked(*slot, value, from)?;
            lowering.annotate(mark, None);
            lowering.up_to_suspension(behind, spine)
        };
        if has_several {
            return chosen(self, spine);
        }
        let some = self.something_to_pick(from, offered.some)?;
        let still = self.scope.still;
        let before: Vec<Slot> = spine.iter().copied().filter(|other| other != slot).collect();
        let choose = |lowering: &mut Self| match ends {
            true => {
                let awaited = Awaited { player: Some(player), several: true };
                lowering.suspend(statement, behind, before, awaited, *span)
            }
            false => chosen(lowering, spine.clone()),
        };
        let take = |lowering: &mut Self| {
            match some {
                Num::Fixed(0) => lowering.out.push(Node::Fail),
                Num::Fixed(_) => {}
                Num::In(some) => lowering.out.push(Node::Need(some)),
            }
            lowering.name_picked(*slot, offered.only, from)?;
            lowering.up_to_suspension(behind, spine.clone())
        };
        match offered.several {
            Num::Fixed(0) => take(self),
            Num::Fixed(_) => choose(self),
            Num::In(several) => {
                let yes = self.way_on(still, choose)?;
                let no = self.way_on(still, take)?;
                self.when(several, yes, no);
                Ok(())
            }
        }
    }

    /// The rows that are picked from, if they are such.
    fn rows_of(&mut self, from: &'g Choice) -> Lowered<Option<Groups>> {
        let Choice::Groups(groups) = from else { return Ok(None) };
        let spot = self.spot();
        let groups = self.groups(groups)?;
        if matches!(groups, Groups::Rows(_) | Groups::Classes(_)) {
            return Ok(Some(groups));
        }
        // They are worked out already.
        self.back_to(spot);
        Ok(None)
    }

    /// What is known of the rows that are picked from by several arms, before one is picked.
    fn offered_rows(
        &mut self,
        arms: Vec<Arm>,
        rows: Groups,
        several: Option<NumReg>,
    ) -> Lowered<(Vec<Arm>, Offered<'g>)> {
        let classes = self.row_classes(rows)?;
        let (some, only) = (self.some_row(&classes), self.union_of_classes(&classes));
        let several = several.map_or(Num::Fixed(1), |several| self.known_number(several));
        if let Num::In(several) = several {
            self.continuations.decided.insert(several);
        }
        let own = |arm: Arm| match arm.options {
            Options::Cells { of, cell } => {
                let of = self.copied(Cells::In(of));
                Arm { options: Options::Cells { of, cell }, ..arm }
            }
            _ => arm,
        };
        let arms = arms.into_iter().map(own).collect();
        Ok((arms, Offered { several, some, only: Value::Cells(only) }))
    }

    /// The same of other options, which are those of one arm.
    fn offered_by_one(&mut self, mut arms: Vec<Arm>, span: Span) -> Lowered<(Vec<Arm>, Offered<'g>)> {
        let (Some(arm), true) = (arms.pop(), arms.is_empty()) else { return unplanned(WITHIN) };
        let (options, offered) = self.offered(arm.options, span)?;
        Ok((vec![Arm { options, ..arm }], offered))
    }

    /// What is known of the options of a pick before it is made; the options, in registers of their own where it is asked
    /// whether there are any.
    fn offered(&mut self, options: Options, span: Span) -> Lowered<(Options, Offered<'g>)> {
        Ok(match options {
            Options::Cells { of, cell } => {
                let of = self.copied(Cells::In(of));
                let count = self.count_cells(Cells::In(of));
                let several = self.compare_nums(Cmp::Greater, count, Num::Fixed(1));
                let (only, some) = (Value::Cells(Cells::In(of)), self.some_cells(Cells::In(of)));
                (Options::Cells { of, cell }, Offered { several, some, only })
            }
            Options::Groups { of, along, group } => {
                let of = self.copied(Cells::In(of));
                let count = Num::In(self.number_op(|d| TreeOp::CountGroups { d, a: of, along, most: 2 }));
                let several = self.compare_nums(Cmp::Greater, count, Num::Fixed(1));
                let (only, some) = (Value::Cells(Cells::In(of)), self.some_cells(Cells::In(of)));
                (Options::Groups { of, along, group }, Offered { several, some, only })
            }
            Options::Combinations { of, size, cells } => {
                let of = self.copied(Cells::In(of));
                let count = self.count_cells(Cells::In(of));
                let several = self.compare_nums(Cmp::Greater, count, Num::Fixed(size.into()));
                let some = self.compare_nums(Cmp::AtLeast, count, Num::Fixed(size.into()));
                let only = Value::Cells(Cells::In(of));
                (Options::Combinations { of, size, cells }, Offered { several, some, only })
            }
            Options::Range { from, to, number } => {
                let (least, most) = (self.known_number(from), self.known_number(to));
                let several = self.compare_nums(Cmp::Greater, most, least);
                let some = self.compare_nums(Cmp::AtLeast, most, least);
                (Options::Range { from, to, number }, Offered { several, some, only: Value::Num(least) })
            }
            Options::Bits { of, bit } => {
                let known = self.known_number(of);
                let count = match known {
                    Num::Fixed(bits) => Num::Fixed(i64::from(bits.count_ones())),
                    Num::In(a) => Num::In(self.number_op(|d| TreeOp::CountBits { d, a })),
                };
                let several = self.compare_nums(Cmp::Greater, count, Num::Fixed(1));
                let some = self.compare_nums(Cmp::Greater, count, Num::Fixed(0));
                (Options::Bits { of, bit }, Offered { several, some, only: Value::Num(known) })
            }
            Options::One { .. } => return Err(Unplanned { why: WITHIN, span: Some(span) }),
        })
    }

    /// Names what was picked.
    fn name_picked(&mut self, slot: Slot, value: Value<'g>, from: &'g Choice) -> Lowered<()> {
        match from {
            Choice::Cells(_) => self.assign_with(slot, value, Cardinality::One),
            _ => self.assign(slot, value),
        }
    }

    /// There is an option. Where there are groups, some are the largest.
    fn something_to_pick(&mut self, from: &'g Choice, some: Num) -> Lowered<Num> {
        let Choice::Groups(groups) = from else { return Ok(some) };
        let mut groups = groups;
        while let model::Groups::Largest(inner) = groups {
            groups = inner;
        }
        match groups {
            model::Groups::Groups(cells, _) => {
                let cells = self.cells(cells)?;
                Ok(self.some_cells(cells))
            }
            _ => Ok(some),
        }
    }

    /// Suspends the turn before a statement.
    fn suspend(
        &mut self,
        statement: &'g Statement,
        behind: &[&'g Statement],
        spine: Vec<Slot>,
        awaited: Awaited,
        span: Span,
    ) -> Lowered<()> {
        let bag = self.pack(&spine)?;
        let list: Vec<&'g Statement> = std::iter::once(statement).chain(behind.iter().copied()).collect();
        let at = self.resumed(&list, awaited);
        let carried = bag.shape();
        if self.join(&at, &carried, &bag)? {
            return Ok(());
        }
        let place = self.place(span);
        let number = self.suspend_at(place)?;
        self.continuations.joins.push(Join { number, at, carried });
        self.continuations.pending.push(Pending {
            number,
            bag,
            chosen: Chosen::Nothing { awaited, before: self.continuations.ply.behind() },
            list,
            spine,
            round: self.continuations.round.clone(),
            follows_ply: self.continuations.ply.ends_ply(),
            values: self.scope.frames[0].clone(),
            mutable: self.known.mutable.clone(),
            still: self.scope.still,
        });
        Ok(())
    }

    /// Ends the continuation at hand before a new one; its number.
    pub fn suspend_at(&mut self, place: crate::plan::regs::SpanId) -> Lowered<usize> {
        let Some(next) = self.continuations.next else { return unplanned(WITHIN) };
        let number = self.continuations.lowered.len();
        self.continuations.lowered.push(Continuation { place, ..Continuation::default() });
        self.go_on_with(next, number);
        Ok(number)
    }

    /// Suspends the turn, if it can be completed by a continuation.
    pub fn go_on_with(&mut self, next: NumReg, number: usize) {
        self.emit(TreeOp::Const { d: next, k: number as i64 + 1 });
        let d = self.fresh.number();
        self.emit(TreeOp::CanComplete { d, continuation: number as u16, player: self.scope.own });
        self.out.push(Node::Need(d));
        if let Some(Argmax::InPlies { value: d, .. }) = self.argmax {
            self.emit(TreeOp::BestValue { d, continuation: number as u16, player: self.scope.own });
        }
        if self.continuations.tries {
            self.continuations.tried.insert(number);
        }
    }

    // Completion.

    /// Takes out the questions whether a turn can be completed, where it always can.
    ///
    /// Which continuations always can is the greatest fixed point: all are taken for such at first, and those fall out of which
    /// no run is complete by what is left. A run that goes from one to the next without end meets a bound, so none is needed
    /// that is complete at last.
    pub fn settle_completion(&mut self, programs: &mut [&mut Block], later: &mut [Continuation]) -> Lowered<()> {
        let mut always: HashSet<usize> = (0..later.len()).collect();
        loop {
            let fails =
                |number: &usize| !later[*number].chance && !self.can_be_completed(&later[*number].block, &always);
            let fallen: Vec<usize> = always.iter().copied().filter(fails).collect();
            if fallen.is_empty() {
                break;
            }
            always.retain(|number| !fallen.contains(number));
        }
        // A `first` was lowered as if nothing could fail behind it.
        if let Some(number) =
            (0..later.len()).find(|number| self.continuations.tried.contains(number) && !always.contains(number))
        {
            let span = self.tables.places.get(usize::from(later[number].place.0)).map(|site| site.span);
            return self.fails_behind_first().map_err(|why| Unplanned { span, ..why });
        }
        let blocks = programs.iter_mut().map(|block| &mut **block).chain(later.iter_mut().map(|one| &mut one.block));
        blocks.for_each(|block| drop_completion(block, &always));
        Ok(())
    }

    /// Some run of a continuation is complete, wherever it begins. `always`: the continuations that can always be completed.
    fn can_be_completed(&self, block: &Block, always: &HashSet<usize>) -> bool {
        let mut patience = MAX_NODES_FOR_COMPLETION;
        self.completes(&mut vec![block.as_slice()], &HashMap::default(), (always, &mut patience))
    }

    /// The same of lists of nodes, the last first. `known`: numbers on this way; of a truth 1 stands for any but 0.
    fn completes(
        &self,
        lists: &mut Vec<&[Node]>,
        known: &HashMap<NumReg, i64>,
        (all, patience): (&HashSet<usize>, &mut u32),
    ) -> bool {
        let mut known = known.clone();
        while let Some(list) = lists.pop() {
            let Some((node, rest)) = list.split_first() else { continue };
            lists.push(rest);
            *patience = patience.saturating_sub(1);
            if *patience == 0 {
                return false;
            }
            let always = |n: NumReg| {
                let fixed = self.tables.const_numbers.iter().find(|(known, _)| *known == n).map(|(_, value)| *value);
                fixed.or_else(|| known.get(&n).copied())
            };
            match node {
                Node::Op(op) => {
                    let value = match *op {
                        TreeOp::Const { d, k } => Some((d, k)),
                        TreeOp::CopyNum { d, a } => always(a).map(|value| (d, value)),
                        TreeOp::CanComplete { d, continuation, .. } if all.contains(&usize::from(continuation)) => {
                            Some((d, 1))
                        }
                        TreeOp::Compare { cmp, d, a, b } => {
                            always(a).zip(always(b)).map(|(a, b)| (d, i64::from(cmp.holds(a.cmp(&b)))))
                        }
                        _ => None,
                    };
                    op.accesses(|access| {
                        if let crate::plan::regs::Access::DefNum(n) = access {
                            known.remove(&n);
                        }
                    });
                    known.extend(value);
                }
                Node::Need(n) if always(*n).is_some_and(|value| value != 0) => {}
                Node::Need(_) | Node::Fail => return false,
                Node::If { condition, then, otherwise } => {
                    let value = always(*condition);
                    for (block, when) in [(then, 1), (otherwise, 0)] {
                        if value.is_some_and(|value| i64::from(value != 0) != when) {
                            continue;
                        }
                        let (mut lists, mut known) = (lists.clone(), known.clone());
                        // Some arm has an option, so each is looked at.
                        if when == 1
                            && self.continuations.decided.contains(condition)
                            && let Some((Node::Choose(arms), rest)) = block.split_first()
                        {
                            lists.push(rest);
                            let each = arms.iter().all(|arm| {
                                let mut lists = lists.clone();
                                lists.push(&arm.block);
                                self.completes(&mut lists, &known, (all, &mut *patience))
                            });
                            if !each {
                                return false;
                            }
                            continue;
                        }
                        lists.push(block);
                        known.entry(*condition).or_insert(when);
                        if !self.completes(&mut lists, &known, (all, &mut *patience)) {
                            return false;
                        }
                    }
                    return true;
                }
                Node::Choose(arms) => {
                    let is_open = |arm: &Arm| match arm.options {
                        Options::One { open } => always(open).is_some_and(|open| open != 0),
                        Options::Cells { of, .. } | Options::Groups { of, .. } => self.continuations.some.contains(&of),
                        _ => false,
                    };
                    let open: Vec<&Arm> = arms.iter().filter(|arm| is_open(arm)).collect();
                    return open.into_iter().any(|arm| {
                        let mut lists = lists.clone();
                        lists.push(&arm.block);
                        self.completes(&mut lists, &known, (all, &mut *patience))
                    });
                }
                Node::First { blocks } => {
                    let blocks: Vec<&Block> = blocks.iter().collect();
                    return blocks.into_iter().any(|block| {
                        let mut lists = lists.clone();
                        lists.push(block);
                        self.completes(&mut lists, &known, (all, &mut *patience))
                    });
                }
                Node::Each { body, .. } | Node::EachGroup { body, .. } | Node::Loop { body, .. } => {
                    if !crate::plan::lower::choice::is_sure(body) {
                        return false;
                    }
                    crate::plan::vregs::accesses(body, &mut |access| {
                        if let crate::plan::regs::Access::DefNum(n) = access {
                            known.remove(&n);
                        }
                    });
                }
            }
        }
        true
    }
}

/// Takes out the questions after continuations that can always be completed.
fn drop_completion(block: &mut Block, always: &HashSet<usize>) {
    let mut asked = None;
    block.retain(|node| match *node {
        Node::Op(TreeOp::CanComplete { d, continuation, .. }) if always.contains(&usize::from(continuation)) => {
            asked = Some(d);
            false
        }
        Node::Need(n) => asked != Some(n),
        _ => true,
    });
    let inner = block.iter_mut().flat_map(|node| node.blocks_mut());
    inner.for_each(|block| drop_completion(block, always));
}
