//! Branch codegen: branches and arms of choices go in; code comes out by which the lanes of a
//! vector diverge and converge again, and that goes on elsewhere where there are none.
//!
//! ```text
//! if n3                lanes of which it is true; the others are put aside; if there are none, on to the other branch
//!   s8 = ...
//! else                 those that were put aside; if there are none, on to where all meet
//!   s8 = ...
//! ```

use std::collections::BTreeMap;

use crate::jit::asm::evex::{Binary, EACH, Lanes, Pair, Source, Test};
use crate::jit::asm::scalar::{Jump, Kept};
use crate::jit::choice::selected_arm;
use crate::jit::exit::{ExitReport, MAX_PARKED_MASKS};
use crate::jit::isel::{ASKED, ASKED_MORE, MEANT};
use crate::jit::regalloc::{Slots, Value};
use crate::jit::tuning::MAX_LIGHT_OPS_WITHOUT_BRANCH;
use crate::jit::turn_fn::{Drawn, Phase, Playing, TurnFn};
use crate::plan::{Cmp, LinearOp, NumReg, SetReg};
use crate::simt::code::SimtOp;
use crate::simt::kernels::ops::Test as Asks;

/// What lanes are in.
#[derive(Clone, Copy, Debug)]
pub enum Within {
    /// A branch; those of the other one, if it does something; who had drawn before, and in the
    /// first branch.
    Branch { all: Aside, others: Option<Aside>, before: Drawn, first: Drawn },
    /// A choice whose ways part: all, and those that wait.
    Ways { all: Aside, waiting: Aside },
    /// Rounds: all, and where the code of a round begins.
    Rounds { all: Aside, begin: usize },
}

/// Where lanes are put aside: those that are first in registers that nothing else takes, the others
/// in the report.
#[derive(Clone, Copy, Debug)]
pub struct Aside(usize);

impl Aside {
    const REGISTERS: [Lanes; 3] = [Lanes(4), Lanes(5), Lanes(7)];

    fn register(self) -> Option<Lanes> {
        Aside::REGISTERS.get(self.0).copied()
    }

    fn kept(self) -> Kept {
        ExitReport::parked(self.0)
    }
}

/// Steps that are come to from elsewhere.
pub type Labels = BTreeMap<usize, Label>;

/// A place that jumps lead to, and what registers hold at all of them.
#[derive(Default)]
pub struct Label {
    jumps: Vec<Jump>,
    slots: Option<Slots>,
}

impl Playing<'_, '_, '_> {
    /// The lanes that are meant and those that are asked are told apart by a test.
    fn ask(&mut self, test: Asks) {
        let code = &mut *self.code;
        let (which, pair) = match test {
            Asks::True(n) => (Test::Meet, [code.number(n); 2]),
            Asks::False(n) => (Test::Apart, [code.number(n); 2]),
            Asks::Some(a) => (Test::Meet, [code.any([a], |_, [a]| a); 2]),
            Asks::None(a) => (Test::Apart, [code.any([a], |_, [a]| a); 2]),
            Asks::Meet(a, b) if code.width() == 1 => (Test::Meet, [code.word(a, 0), code.word(b, 0)]),
            Asks::Meet(a, b) => {
                (Test::Meet, [code.any([a, b], |code, [a, b]| code.binary(Binary::And, (a, b), EACH)); 2])
            }
            Asks::Compare(cmp, a, b) => {
                let (a, b) = (code.number(a), code.number(b));
                match cmp {
                    Cmp::Equal => (Test::Equal, [a, b]),
                    Cmp::NotEqual => (Test::NotEqual, [a, b]),
                    Cmp::Less => (Test::Less, [a, b]),
                    Cmp::AtMost => (Test::AtMost, [a, b]),
                    Cmp::Greater => (Test::Less, [b, a]),
                    Cmp::AtLeast => (Test::AtMost, [b, a]),
                }
            }
        };
        code.code.test(which, ASKED, (pair[0], pair[1].into()), MEANT);
        code.done();
    }

    /// Lanes of which it is not true wait for the other branch.
    pub fn part(&mut self, at: usize, test: Asks, to: usize) {
        self.ask(test);
        let all = self.park(MEANT);
        let does_something = !matches!(self.turn_fn.program.steps.get(to + 1), Some(SimtOp::Join));
        let others = does_something.then(|| {
            self.code.code.pair_lanes(Pair::AndNot, ASKED_MORE, (ASKED, MEANT));
            self.park(ASKED_MORE)
        });
        self.code.code.copy_lanes(MEANT, ASKED);
        self.within.push(Within::Branch { all, others, before: self.drawn, first: self.drawn });
        self.waits.push(to + 1);
        self.pass_if_none(at, to);
    }

    /// Where no lane is meant, what comes before a step is left out, if it takes longer than to
    /// foresee whether it is.
    fn pass_if_none(&mut self, at: usize, to: usize) {
        let is_light = |step: &SimtOp| match step {
            SimtOp::Do {
                op: LinearOp::Const { .. } | LinearOp::CopyNum { .. } | LinearOp::Passed | LinearOp::Acted,
                ..
            } => true,
            SimtOp::Do {
                op: LinearOp::Copy { .. } | LinearOp::And { .. } | LinearOp::Or { .. } | LinearOp::AndNot { .. },
                ..
            } => self.code.width() == 1,
            SimtOp::Enter { .. } => self.code.width() == 1,
            SimtOp::Do { op: LinearOp::Arithmetic { .. }, .. } => true,
            _ => false,
        };
        let steps = &self.turn_fn.program.steps[at + 1..to];
        if steps.len() > MAX_LIGHT_OPS_WITHOUT_BRANCH || !steps.iter().all(is_light) {
            self.jump_if_none(at + 1, to);
        }
    }

    pub fn other(&mut self, at: usize, to: usize) -> Option<()> {
        let Some(Within::Branch { others, before, first, .. }) = self.within.last_mut() else { return None };
        *first = std::mem::replace(&mut self.drawn, *before);
        let others = *others;
        *self.waits.last_mut()? = to;
        if let Some(others) = others {
            self.take(MEANT, others);
            self.pass_if_none(at, to);
        }
        Some(())
    }

    pub fn join(&mut self, at: usize) -> Option<()> {
        let all = match self.within.pop()? {
            Within::Branch { all, first, .. } => {
                self.drawn = self.drawn.or(first);
                all
            }
            Within::Rounds { all, .. } => all,
            Within::Ways { .. } => return None,
        };
        self.waits.pop();
        let steps = &self.turn_fn.program.steps;
        let goes_on = steps[at + 1..].iter().find(|step| !matches!(step, SimtOp::Join));
        if self.phase == Phase::End && matches!(goes_on, Some(SimtOp::End { .. })) {
            // Nobody asks any more which lanes are here.
            return Some(());
        }
        self.converge(all);
        Some(())
    }

    /// Lanes go on that were put aside here, and all that were behind them are done.
    pub fn converge(&mut self, all: Aside) {
        self.take(MEANT, all);
        if self.loses {
            let alive = self.alive(ASKED);
            self.code.code.pair_lanes(Pair::And, MEANT, (MEANT, alive));
        }
        self.parked = all.0;
    }

    /// Lanes go on whose rank selects an arm up to this, of those that wait.
    pub fn way(&mut self, at: usize, (point, last): (u32, u16), to: usize) -> Option<()> {
        let Some(Within::Ways { waiting, .. }) = self.within.last().copied() else { return None };
        let nested = self.nested_of(point);
        let (arm, upto) = (self.code.held(selected_arm(nested)), Source::Word(self.code.constant(u64::from(last))));
        self.take(ASKED, waiting);
        let code = &mut self.code.code;
        code.test(Test::AtMost, MEANT, (arm, upto), ASKED);
        code.pair_lanes(Pair::AndNot, ASKED, (MEANT, ASKED));
        self.put(waiting, ASKED);
        *self.waits.last_mut()? = to;
        self.pass_if_none(at, to);
        Some(())
    }

    /// There is no room for more lanes that are put aside.
    pub fn is_crowded(&self) -> bool {
        self.parked + 2 > MAX_PARKED_MASKS
    }

    /// Lanes are put aside; where.
    pub fn park(&mut self, lanes: Lanes) -> Aside {
        let at = Aside(self.parked);
        self.put(at, lanes);
        self.parked += 1;
        at
    }

    fn put(&mut self, to: Aside, lanes: Lanes) {
        match to.register() {
            Some(to) => self.code.code.copy_lanes(to, lanes),
            None => self.code.code.store_lanes(to.kept(), lanes),
        }
    }

    fn take(&mut self, to: Lanes, from: Aside) {
        match from.register() {
            Some(from) => self.code.code.copy_lanes(to, from),
            None => self.code.code.load_lanes(to, from.kept()),
        }
    }

    /// All that is read from a step on, by lanes that are here or wait, is stored, so that whoever
    /// goes elsewhere finds it.
    pub fn store(&mut self, at: usize) {
        let (turn_fn, waits) = (self.turn_fn, &self.waits);
        self.code.store_all(|held| is_wanted(turn_fn, waits, at, held));
    }

    /// What nobody reads from a step on needs no room.
    pub fn forget_dead(&mut self, at: usize) {
        let (turn_fn, waits) = (self.turn_fn, &self.waits);
        self.code.forget(|held| !is_wanted(turn_fn, waits, at, held));
    }

    /// Whether what stands in a set is read from a step on.
    pub fn is_read(&self, at: usize, set: SetReg) -> bool {
        is_wanted(self.turn_fn, &self.waits, at, Value::Word(set.0, 0))
    }

    /// Where no lane is meant, the code goes on at a later step, else at the next one.
    pub fn jump_if_none(&mut self, next: usize, to: usize) {
        self.store(next);
        let jump = self.code.code.jump_if_none(MEANT);
        let label = self.labels.entry(to).or_default();
        label.jumps.push(jump);
        let mut slots = self.code.stored();
        if let Some(others) = label.slots.take() {
            let before = self.code.stored();
            self.code.join(&others);
            slots = self.code.stored();
            self.code.go_on_from(&before);
        }
        label.slots = Some(slots);
    }

    /// What was stored by all that come here goes on in registers.
    pub fn arrive(&mut self, at: usize) {
        let Some(Label { jumps, slots }) = self.labels.remove(&at) else { return };
        self.store(at);
        slots.iter().for_each(|slots| self.code.join(slots));
        jumps.into_iter().for_each(|jump| self.code.code.land(jump));
    }
}

fn is_wanted(turn_fn: &TurnFn<'_>, waits: &[usize], at: usize, held: Value) -> bool {
    let mut live = waits.iter().chain([&at]).map(|at| &turn_fn.program.live[*at]);
    match held {
        Value::Word(reg, _) => usize::from(reg) < turn_fn.shared.0 || live.any(|live| live.has_set(SetReg(reg))),
        Value::Number(reg) => usize::from(reg) < turn_fn.shared.1 || live.any(|live| live.has_number(NumReg(reg))),
        Value::Spare(_) | Value::Status(_) => true,
    }
}
