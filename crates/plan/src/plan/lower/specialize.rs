//! Specialization: what stands behind a pick of a direction or an axis, or in a loop over them, goes in; a branch or a round for
//! each of them comes out, in which it is a constant.
//!
//! A direction that is known at play alone makes a shift of each direction, and a landing of each direction and distance, of
//! which all but one come to nothing. A branch has those of one direction. It is done where the branches together are no
//! longer than a bound: each has what does not ask the direction, too.

use crate::model::{Axes, BlockId, Choice, Dirs, Slot, Statement};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Lowered, Num, Value};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::NumReg;
use crate::plan::tree::{Block, Node};
use crate::plan::tuning::{MAX_DIRS_SPECIALIZED, MAX_GROWTH_OF_SPECIALIZATION, MAX_STEPS_OF_SPECIALIZATION};

impl<'g> Lowering<'g> {
    /// Lowers what stands behind a pick of a direction or an axis, which is the one bit of a register; `false`: as it is
    /// lowered behind any pick.
    pub fn specialize(
        &mut self,
        (slot, from, picked): (Slot, &'g Choice, NumReg),
        behind: &[&'g Statement],
    ) -> Lowered<bool> {
        // Where a turn is suspended, what stands behind is lowered as it goes along.
        let suspends = self.continuations.next.is_some();
        let changes = self.known.mutable.contains_key(&slot);
        let may = self.specialization.allowed && !self.scope.estimates;
        if !may || behind.is_empty() || suspends || changes {
            return Ok(false);
        }
        let bits = match from {
            Choice::Dirs(dirs) => self.dirs_at_most(dirs),
            Choice::Axes(axes) => self.axes_at_most(axes),
            _ => return Ok(false),
        };
        let count = bits.count_ones() as usize;
        if !(2..=MAX_DIRS_SPECIALIZED).contains(&count) {
            return Ok(false);
        }
        self.specialization.tried = true;
        let first = Num::Fixed(1 << bits.trailing_zeros());
        if !self.pays([Num::In(picked), first], count, (slot, behind)) {
            return Ok(false);
        }
        let mut branches = Vec::new();
        for bit in (0..u64::BITS).map(|at| 1_i64 << at).filter(|bit| bits as i64 & bit != 0) {
            let is_picked = self.compare_nums(Cmp::Equal, Num::In(picked), Num::Fixed(bit));
            let is_picked = self.num(is_picked);
            branches.push((is_picked, self.behind_pick(slot, Num::Fixed(bit), behind)?));
        }
        self.forget();
        // It is one of them: the last one need not be asked for.
        let Some((_, last)) = branches.pop() else { return Ok(false) };
        let one_of = |otherwise, (condition, then)| vec![Node::If { condition, then, otherwise }];
        let chain = branches.into_iter().rev().fold(last, one_of);
        self.out.extend(chain);
        Ok(true)
    }

    /// A round for each direction or axis of a set, one behind the other.
    pub fn for_each_dir(&mut self, slot: Slot, from: &'g Choice, body: BlockId) -> Lowered<()> {
        let (set, bits) = match from {
            Choice::Dirs(dirs) => (self.dirs(dirs)?, self.dirs_at_most(dirs)),
            Choice::Axes(axes) => (self.axes(axes)?, self.axes_at_most(axes)),
            _ => return Ok(()),
        };
        // The rounds may change what the set is made of.
        let set = self.number_now(set);
        for bit in (0..u64::BITS).filter(|at| bits >> at & 1 == 1) {
            let round = |lowering: &mut Self| {
                lowering.assign(slot, Value::Num(Num::Fixed(1 << bit)))?;
                lowering.inner(body)
            };
            match set {
                Num::Fixed(set) if set >> bit & 1 == 1 => round(self)?,
                Num::Fixed(_) => {}
                Num::In(a) => {
                    let has = self.number_op(|d| TreeOp::TestBit { d, a, bit: bit as u16 });
                    self.where_it_holds(Num::In(has), round)?;
                }
            }
        }
        Ok(())
    }

    /// What stands behind a pick of a direction, as a block.
    fn behind_pick(&mut self, slot: Slot, picked: Num, behind: &[&'g Statement]) -> Lowered<Block> {
        let (known, still) = (self.local(slot), self.scope.still);
        self.bind(slot, Value::Num(picked));
        let block = self.way(still, |lowering| lowering.nested(behind));
        self.bind(slot, known);
        block
    }

    /// So many branches are not much longer than what is lowered once for all, or nothing can be lowered for all. The first
    /// one stands for the others. Picks within are not specialized for this.
    fn pays(&mut self, picked: [Num; 2], count: usize, (slot, behind): (Slot, &[&'g Statement])) -> bool {
        let spot = self.spot();
        self.scope.estimates = true;
        let [once, with_one] = picked.map(|picked| {
            let before = self.steps;
            self.behind_pick(slot, picked, behind).ok().map(|_| self.steps - before)
        });
        self.scope.estimates = false;
        self.back_to(spot);
        let Some(branches) = with_one.map(|steps| steps * count) else { return false };
        let is_short = once.is_none_or(|once| branches * 100 <= once * MAX_GROWTH_OF_SPECIALIZATION);
        (1..=MAX_STEPS_OF_SPECIALIZATION).contains(&branches) && is_short
    }

    /// The bits of directions that a set may have, whatever is known at play.
    pub fn dirs_at_most(&mut self, dirs: &'g Dirs) -> u64 {
        match dirs {
            Dirs::Where(filter) => self.dirs_at_most(&filter.set),
            Dirs::And(all) => all.iter().fold(u64::MAX, |found, set| found & self.dirs_at_most(set)),
            Dirs::Or(any) => any.iter().fold(0, |found, set| found | self.dirs_at_most(set)),
            Dirs::If(choice) => self.dirs_at_most(&choice.then) | self.dirs_at_most(&choice.otherwise),
            other => {
                let spot = self.spot();
                let known = self.dirs(other);
                self.back_to(spot);
                match known {
                    Ok(Num::Fixed(dirs)) => dirs as u64,
                    _ => (0..self.game.topology.directions()).fold(0, |all, dir| all | 1 << dir),
                }
            }
        }
    }

    /// The same of axes.
    fn axes_at_most(&mut self, axes: &'g Axes) -> u64 {
        match axes {
            Axes::Where(filter) => self.axes_at_most(&filter.set),
            Axes::And(all) => all.iter().fold(u64::MAX, |found, set| found & self.axes_at_most(set)),
            Axes::Or(any) => any.iter().fold(0, |found, set| found | self.axes_at_most(set)),
            Axes::If(choice) => self.axes_at_most(&choice.then) | self.axes_at_most(&choice.otherwise),
            other => {
                let spot = self.spot();
                let known = self.axes(other);
                self.back_to(spot);
                match known {
                    Ok(Num::Fixed(axes)) => axes as u64,
                    _ => self.game.topology.axes().iter().fold(0, |all, axis| all | 1 << axis.0),
                }
            }
        }
    }
}
