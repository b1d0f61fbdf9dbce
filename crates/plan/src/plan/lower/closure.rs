//! Transitive closure of rounds: a `repeat silently` whose rounds only move one man goes in, or an `either` with one; one
//! choice of where he may end comes out, which is the closure of what one round leads to.
//!
//! ```text
//! repeat silently {                  s20 = the men without p
//!   move p straight:                 s30 = none   s31 = p
//!     ^ occupied to empty            repeat
//! }                           ->       s32 = landings from s31 over s20
//!                                      s31 = s32 and not s30   s30 = s30 or s31
//!                                    while some s31
//!                                    choose s40 from s30
//!                                    move the man on p to s40
//! ```
//!
//! Of the rounds only the last is written, and all that they leave behind is where the man stands. So each cell that he can
//! come to is one turn, however many ways lead there. While he goes he stands in nobody's way but on the cell that he goes
//! from, which no straight line comes back to: so all rounds are those of a board without him.

use std::rc::Rc;

use crate::model;
use crate::model::{BlockId, Chooser, Expr, Landing, Line, Rounds, Slot, Statement};
use crate::plan::lower::choice::{Opened, Taken};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::line::Walk;
use crate::plan::lower::moves::Moved;
use crate::plan::lower::values::{Cells, Fixed, Lowered, Num, Value};
use crate::plan::op::TreeOp;
use crate::plan::regs::SetReg;
use crate::plan::tree::{Arm, Node, Options};
use crate::source::Span;

/// Whom statements move, and how.
struct Going<'g> {
    slot: Slot,
    who: &'g model::Cells,
    ways: Vec<GoingBy<'g>>,
}

/// By one of these lines, once or round after round.
struct GoingBy<'g> {
    lines: Vec<&'g Line>,
    repeats: bool,
}

impl<'g> Lowering<'g> {
    /// The arms of one choice in place of rounds that are not written, and what follows it. `None`: the statement does more
    /// than to move one man, or what it does cannot be found for all cells at once.
    pub fn closed_rounds(&mut self, statement: &'g Statement) -> Option<(Vec<Arm>, Moved<'g>)> {
        let span = match statement {
            Statement::Repeat { span, .. } | Statement::Either { span, .. } => *span,
            _ => return None,
        };
        let has_more = self.game.stacks || self.game.asks.words || self.layout.waiting.is_some();
        let mut going = None;
        if has_more || !self.only_goes(&[statement], false, &mut going) {
            return None;
        }
        let going = going.filter(|going| going.ways.iter().any(|way| way.repeats))?;
        let spot = self.spot();
        match self.closure(&going, span) {
            Ok(Some(closed)) => Some(closed),
            Ok(None) | Err(_) => {
                self.back_to(spot);
                None
            }
        }
    }

    /// Lowers that choice.
    pub fn take_closed(&mut self, (arms, moved): (Vec<Arm>, Moved<'g>)) -> Lowered<()> {
        self.take(Opened { arms, taken: Taken::Move(Box::new(moved)), rest: &[] })
    }

    /// The statements only move the man, in one way or in one of several. Adds how.
    fn only_goes(&self, statements: &[&'g Statement], repeats: bool, going: &mut Option<Going<'g>>) -> bool {
        let opened = |block: BlockId| self.opened(self.game.block(block));
        match statements {
            [Statement::Move { amount: None, who, landing: Landing::Line(line), follow: Some(follow), .. }] => {
                let model::Cells::Local(slot) = who else { return false };
                let going = going.get_or_insert(Going { slot: *slot, who, ways: Vec::new() });
                match going.ways.last_mut() {
                    Some(way) if way.repeats && repeats => way.lines.push(line),
                    _ => going.ways.push(GoingBy { lines: vec![line], repeats }),
                }
                *slot == going.slot && follow == slot && line.paths.iter().all(|path| self.is_plain(path, *slot))
            }
            [Statement::Either { chooser: Chooser::Turn, blocks, .. }] => {
                blocks.iter().all(|(block, _)| self.only_goes(&opened(*block), repeats, going))
            }
            // Rounds of several loops are not those of one.
            [Statement::Repeat { rounds: Rounds::Free, silently: true, body, .. }] if !repeats => {
                let repeated = going.iter().flat_map(|going| &going.ways).any(|way| way.repeats);
                !repeated && self.only_goes(&opened(*body), true, going)
            }
            _ => false,
        }
    }

    /// A path goes straight ahead, catches nothing, and asks of each cell only what stands on it.
    fn is_plain(&self, path: &'g model::Path, mover: Slot) -> bool {
        let mut items = path.before.iter().chain(&path.after);
        path.lands
            && !path.catches
            && path.turnings.is_empty()
            && items.all(|item| self.asks_one_cell(&item.test, mover))
    }

    /// Whether a cell is in the set depends on nobody who stands elsewhere, and not on the man who moves.
    fn asks_one_cell(&self, set: &'g model::Cells, mover: Slot) -> bool {
        match set {
            model::Cells::Fixed(_)
            | model::Cells::Of(_)
            | model::Cells::Kind(_)
            | model::Cells::Neutral
            | model::Cells::Empty
            | model::Cells::Occupied
            | model::Cells::LastRow => true,
            model::Cells::Local(slot) => *slot != mover && matches!(self.local(*slot), Value::Cells(_)),
            model::Cells::Not(set) => self.asks_one_cell(set, mover),
            model::Cells::And(sets) | model::Cells::Or(sets) => sets.iter().all(|set| self.asks_one_cell(set, mover)),
            model::Cells::Call(call) if call.arguments.is_empty() => {
                match &self.game.defines[call.define.0 as usize].body {
                    Expr::Cells(set) => self.asks_one_cell(set, mover),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn closure(&mut self, going: &Going<'g>, span: Span) -> Lowered<Option<(Vec<Arm>, Moved<'g>)>> {
        let who = self.cells(going.who)?;
        if !self.is_single(who) {
            return Ok(None);
        }
        let facts = self.facts(who);
        let standing = self.standing_men();
        let man = if facts.occupied { who } else { self.and(who, standing) };
        let man = self.copied(man);
        self.known.single.insert(man);
        let known = Rc::clone(self.known.facts());
        self.known.facts_mut().values_mut().for_each(|facts| facts.occupied = false);
        let lifted = self.without_block(Cells::In(man), &known);
        let layout = std::mem::replace(&mut self.layout, lifted);
        let closed = self.closed_on_lifted(going, man, span);
        self.layout = layout;
        self.known.set_facts(known);
        let Some((reach, sign)) = closed? else { return Ok(None) };
        self.record_facts(Cells::In(man), facts);
        let (to, passed, heading) = (self.fresh.set(), self.fresh.set(), self.fresh.number());
        self.known.single.insert(to);
        self.known.exact.insert(to);
        let moved = Moved {
            picked: None,
            follow: Some(going.slot),
            from: man,
            to,
            man: facts,
            caught: self.none(),
            on_landing: false,
            told_by_arms: false,
            passed,
            heading,
            sign,
            told: None,
            crowded: false,
            amount: None,
            bottom: false,
            span,
        };
        let (none, zero) = (self.constant(Fixed::NONE), TreeOp::Const { d: heading, k: 0 });
        let block = vec![Node::Op(TreeOp::Copy { d: passed, a: none }), Node::Op(zero)];
        let arms = vec![Arm::new(Options::Cells { of: reach, cell: to }, block, "as far as rounds lead")];
        Ok(Some((arms, moved)))
    }

    /// Where the man may end, and the sign that is written behind it. The layout is that of a board without him.
    fn closed_on_lifted(
        &mut self,
        going: &Going<'g>,
        man: SetReg,
        span: Span,
    ) -> Lowered<Option<(SetReg, Option<char>)>> {
        let (mut once, mut repeated) = (Vec::new(), Vec::new());
        for way in &going.ways {
            let walks = if way.repeats { &mut repeated } else { &mut once };
            for line in &way.lines {
                let Some(found) = self.walks_ahead(line)? else { return Ok(None) };
                walks.extend(found);
            }
        }
        let mut signs = once.iter().chain(&repeated).map(|walk| walk.path.sign);
        let sign = signs.next().flatten();
        if repeated.is_empty() || signs.any(|other| other != sign) {
            return Ok(None);
        }
        let Some(ends) = self.landings_by_all(&once, Cells::In(man))? else { return Ok(None) };
        let (reach, front, again) = (self.fresh.set(), self.fresh.set(), self.fresh.number());
        let none = self.constant(Fixed::NONE);
        self.emit(TreeOp::Copy { d: reach, a: none });
        self.emit(TreeOp::Copy { d: front, a: man });
        self.forget();
        let mut is_found = true;
        let body = self.block(|lowering| {
            lowering.forget();
            let all = lowering.landings_by_all(&repeated, Cells::In(front))?;
            is_found = all.is_some();
            let new = lowering.without(all.unwrap_or(lowering.none()), Cells::In(reach));
            let new = lowering.copied(new);
            lowering.emit(TreeOp::Or { d: reach, a: reach, b: new });
            lowering.emit(TreeOp::Copy { d: front, a: new });
            lowering.emit(TreeOp::NonEmpty { d: again, a: front });
            Ok(())
        })?;
        let (counter, place) = (self.fresh.number(), self.place(span));
        self.out.push(Node::Loop { body, again, counter, begun: 0, place });
        self.forget();
        let ends = self.or(Cells::In(reach), ends);
        let ends = self.reg(ends);
        Ok(is_found.then_some((ends, sign)))
    }

    /// The walks of a line, if all go straight ahead to where nobody stands, and none comes back.
    fn walks_ahead(&mut self, line: &'g Line) -> Lowered<Option<Vec<Walk<'g>>>> {
        let mut walks = Vec::new();
        for (walk, open) in self.walks(line)? {
            match open {
                Num::Fixed(0) => continue,
                Num::Fixed(_) => {}
                Num::In(_) => return Ok(None),
            }
            // Lines that come back do so both ways.
            let comes_back = walk.turns.iter().any(|dir| self.game.topology.comes_back(*dir));
            let Some(at) = walk.landing() else { return Ok(None) };
            if comes_back || !self.lands_clear(&walk, at)? {
                return Ok(None);
            }
            walks.push(walk);
        }
        Ok(Some(walks))
    }

    fn landings_by_all(&mut self, walks: &[Walk<'g>], anchors: Cells) -> Lowered<Option<Cells>> {
        let mut all = self.none();
        for walk in walks {
            let Some(landings) = self.landings(walk, anchors)? else { return Ok(None) };
            all = self.or(all, landings);
        }
        Ok(Some(all))
    }
}
