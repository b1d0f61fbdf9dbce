//! Turn function: lane code of a turn goes in, with that of what follows it and of the terminal
//! test; code that plays them for a vector of lanes comes out.
//!
//! ```text
//! begin        what the turn may change is kept, where it can fail
//! the turn     lanes part and meet by masks; a branch is left out that no lane of the chunk goes
//! count        turns so far, and what there was to choose from
//! the end      which games are over
//! ```
//!
//! So a set is loaded once a turn and stored once, a chunk goes its own branches alone, and what
//! is kept of lanes is a few masks. Lanes that do not come through are told of in the exit report,
//! and are seen to by who called.

use crate::board::Player;
use crate::jit::asm::evex::{Base, Binary, EACH, For, MemOperand, Pair, Source, Test};
use crate::jit::branches::{Labels, Within};
use crate::jit::choice::{selected_arm, selected_bit};
use crate::jit::code_page::Places;
use crate::jit::exit::ExitReason;
use crate::jit::isel::{ASKED, Isel, MEANT};
use crate::jit::regalloc::Value;
use crate::plan::{ChoicePoint, LinearOp, NumReg, SetReg};
use crate::simt::code::{Atomicity, Cut, Entry, FAR, Nearby, Program, SimtOp};
use crate::simt::kernels::arm_shifts::ArmTables;
use crate::simt::sample::weights::Kind;
use crate::simt::state::status::Status;

/// What a turn function plays.
pub struct TurnFn<'r> {
    pub program: &'r Program,
    pub points: &'r [ChoicePoint],
    pub arm_tables: &'r [Option<ArmTables>],
    /// Registers that last from turn to turn, and numbers of the position.
    pub shared: (usize, usize),
    pub numbers: usize,
    /// The turn, what follows it, and what is asked at its end; whether that has code, too, or is
    /// asked step by step.
    pub entry: &'r Entry,
    pub after: Option<u32>,
    pub end: u32,
    pub asks_end: bool,
    /// Whose turn it is, and whose is next.
    pub mover: Player,
    pub next: Player,
    /// It is asked somewhere whether a player can move.
    pub asks_stuck: bool,
}

impl TurnFn<'_> {
    /// The steps of a program.
    fn steps_from(&self, from: u32) -> impl Iterator<Item = &SimtOp> {
        let steps = &self.program.steps[from as usize..];
        let end = steps.iter().position(|step| matches!(step, SimtOp::End { .. }));
        steps[..end.map_or(steps.len(), |end| end + 1)].iter()
    }

    fn turn(&self) -> impl Iterator<Item = &SimtOp> {
        self.steps_from(self.entry.at)
    }

    /// What is asked at the end does not go on with what the turn has looked at near a cell: code
    /// keeps that elsewhere than steps do.
    fn ends_apart(&self) -> bool {
        let goes_on = |near: &Nearby| near.chosen || near.cuts.iter().any(|cut| matches!(cut, Cut::Taken(_)));
        !self.steps_from(self.end).any(|step| matches!(step, SimtOp::Look { near, .. } if goes_on(near)))
    }

    /// It may be asked which lanes have drawn: some come upon no choice, or a later one than
    /// others, or are counted elsewhere.
    pub fn tells_drawn(&self) -> bool {
        self.turn().any(|step| matches!(step, SimtOp::If { .. })) || self.may_be_unverified()
    }

    fn is_numbered(&self) -> bool {
        self.turn().any(|step| matches!(step, SimtOp::End { numbered: true } | SimtOp::Last))
    }

    /// A pass may put in doubt that the player could move.
    pub fn may_be_unverified(&self) -> bool {
        self.asks_stuck && self.turn().any(|step| matches!(step, SimtOp::Do { op: LinearOp::Passed, .. }))
    }
}

/// Which lanes have drawn that come to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    None,
    All,
    Some,
}

impl Drawn {
    /// Of lanes that meet.
    pub fn or(self, other: Drawn) -> Drawn {
        if self == other { self } else { Drawn::Some }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Turn,
    After,
    End,
}

/// The code of a turn function as it grows.
pub struct Playing<'l, 'b, 'r> {
    pub code: &'l mut Isel<'b>,
    pub turn_fn: &'r TurnFn<'r>,
    pub phase: Phase,
    pub drawn: Drawn,
    pub within: Vec<Within>,
    /// Where lanes go on that wait.
    pub waits: Vec<usize>,
    pub labels: Labels,
    /// So many sets of lanes are put aside.
    pub parked: usize,
    /// Lanes may have failed or left.
    pub loses: bool,
    /// The player may have another turn; an outcome may hold.
    pub plays_again: bool,
    pub decides: bool,
    /// It is asked at the end of the turn what is left of numbers.
    pub numbered: bool,
    /// Steps before this one are done that do something with what a look found.
    pub seldom_done: usize,
}

impl<'b> Isel<'b> {
    /// A function that plays a turn for each chunk in turn. Where it begins, or nothing if a step
    /// has no code.
    pub fn turn_fn(&mut self, turn_fn: &TurnFn<'_>) -> Option<usize> {
        let from = self.begin();
        self.code.begin_turn_fn();
        let begin = self.code.0.len();
        self.code.next_turn_chunk(self.width() as u8, size_of::<Status>() as i32, Places::AT.map(|at| at as u8));
        let mut playing = Playing {
            code: self,
            turn_fn,
            phase: Phase::Turn,
            drawn: Drawn::None,
            within: Vec::new(),
            waits: Vec::new(),
            labels: Labels::default(),
            parked: 0,
            loses: false,
            plays_again: false,
            decides: false,
            numbered: turn_fn.is_numbered(),
            seldom_done: 0,
        };
        if playing.play().is_none() || self.is_full {
            self.code.0.truncate(from);
            return None;
        }
        let behind = &turn_fn.program.live[turn_fn.end as usize];
        let read = |is_read: bool| is_read && !turn_fn.asks_end;
        let wanted = |held| match held {
            Value::Word(reg, _) => usize::from(reg) < turn_fn.shared.0 || read(behind.has_set(SetReg(reg))),
            Value::Number(reg) => usize::from(reg) < turn_fn.shared.1 || read(behind.has_number(NumReg(reg))),
            Value::Spare(_) => false,
            Value::Status(at) => match usize::from(at) {
                Status::NUMBER => false,
                // Who is doubted is counted elsewhere.
                Status::OFFERED => turn_fn.may_be_unverified(),
                _ => true,
            },
        };
        self.store_all(wanted);
        self.code.end_turn_fn(begin);
        Some(from)
    }
}

impl Playing<'_, '_, '_> {
    /// `None`: a step has no code.
    fn play(&mut self) -> Option<()> {
        self.begin();
        self.program(self.turn_fn.entry.at)?;
        if let Some(after) = self.turn_fn.after {
            self.phase = Phase::After;
            self.program(after)?;
        }
        self.count();
        self.phase = Phase::End;
        // Who is doubted is asked step by step in any case.
        if (!self.turn_fn.asks_end || self.turn_fn.may_be_unverified()) && !self.turn_fn.ends_apart() {
            return None;
        }
        if self.turn_fn.asks_end { self.program(self.turn_fn.end) } else { Some(()) }
    }

    fn program(&mut self, from: u32) -> Option<()> {
        for at in from as usize.. {
            let step = self.turn_fn.program.steps.get(at)?;
            self.arrive(at);
            self.step(at, step)?;
            self.code.done();
            if self.code.is_full || self.is_crowded() {
                return None;
            }
            if let SimtOp::End { .. } = step {
                return Some(());
            }
            self.forget_dead(at + 1);
        }
        None
    }

    fn step(&mut self, at: usize, step: &SimtOp) -> Option<()> {
        match *step {
            SimtOp::Do { op: LinearOp::Passed | LinearOp::Acted, .. } if !self.turn_fn.may_be_unverified() => {}
            SimtOp::Do { op: LinearOp::Passed, .. } => self.code.code.add_lanes(ExitReason::Passed.kept(), MEANT),
            SimtOp::Do { op: LinearOp::Acted, .. } => self.code.code.add_lanes(ExitReason::Acted.kept(), MEANT),
            SimtOp::Do { op: LinearOp::PlayAgain, .. } => {
                self.code.code.add_lanes(ExitReason::PlaysAgain.kept(), MEANT);
                self.plays_again = true;
            }
            SimtOp::Do { ref op, blend, loses: true } => {
                self.code.blend = blend;
                return self.losing(op);
            }
            SimtOp::Do { loses: false, .. } | SimtOp::Refill { .. } => return self.code.step(step).then_some(()),
            SimtOp::Look { ref op, blend, .. } => return self.look(at, op, blend),
            SimtOp::Sparse { .. } if at < self.seldom_done => {}
            SimtOp::Sparse { op } => return self.sparse(op),
            SimtOp::Fork { fork } => self.code.code.add_lanes(ExitReason::Fork(fork).kept(), MEANT),
            SimtOp::If { test, to } => self.part(at, test, to as usize),
            SimtOp::Else { to } => return self.other(at, to as usize),
            SimtOp::Join => return self.join(at),
            SimtOp::Rounds => return self.begin_rounds(at),
            SimtOp::Next { of, one, along: None, to } => self.next_cell(at, (of, one), to as usize),
            SimtOp::Back { to } => return self.go_back(to as usize),
            SimtOp::Again { n, counter, to } => return self.go_round((n, counter), to as usize),
            SimtOp::Choose { point, cell, blend, parts } => {
                if self.phase != Phase::Turn || self.goes_round() {
                    return None;
                }
                let kind =
                    Kind::new(&self.turn_fn.points[point as usize], self.turn_fn.program.needs_arm[point as usize]);
                self.choose(point, kind, (cell, blend))?;
                if parts {
                    let (all, waiting) = (self.park(MEANT), self.park(MEANT));
                    self.within.push(Within::Ways { all, waiting });
                    self.waits.push(at + 1);
                }
            }
            SimtOp::Way { point, last, to } => return self.way(at, (point, last), to as usize),
            SimtOp::Enter { point, arm } => {
                let options = self.turn_fn.points[point as usize].arms[usize::from(arm)].options;
                return self.enter(options, self.nested_of(point));
            }
            SimtOp::MergedShift { index } => return self.step_back(index),
            SimtOp::Chosen => {
                let Some(Within::Ways { all, .. }) = self.within.pop() else { return None };
                self.waits.pop();
                self.forget_arms();
                self.converge(all);
            }
            SimtOp::Need { n } => {
                let n = self.code.number(n);
                self.code.code.test(Test::Apart, ASKED, (n, n.into()), MEANT);
                self.fail();
            }
            SimtOp::Fail => {
                self.code.code.copy_lanes(ASKED, MEANT);
                self.fail();
            }
            SimtOp::Last => self.expect_no_number(),
            SimtOp::End { numbered } => self.complete(numbered),
            _ => return None,
        }
        Some(())
    }

    /// Choices that the lanes are in, whose ways part.
    pub fn nested(&self) -> usize {
        self.within.iter().filter(|within| matches!(within, Within::Ways { .. })).count()
    }

    /// Nobody asks any more to which arms numbers fell, and for which cells.
    pub fn forget_arms(&mut self) {
        let nested = self.nested();
        let bits = 0..self.code.width();
        let is_over =
            |held| held == selected_arm(nested) || bits.clone().any(|word| held == selected_bit(nested, word));
        self.code.forget(is_over);
    }

    /// In how many of them a choice stands whose arms the lanes go.
    pub fn nested_of(&self, point: u32) -> usize {
        let parts = |step: &SimtOp| matches!(*step, SimtOp::Choose { point: of, parts: true, .. } if of == point);
        self.nested() - usize::from(self.turn_fn.program.steps.iter().any(parts))
    }

    /// Lanes wait in other branches or ways.
    pub fn is_parted(&self) -> bool {
        !self.within.is_empty()
    }

    /// The turn begins: what it may change is kept, where it may fail behind that.
    fn begin(&mut self) {
        self.code.code.load_lanes(MEANT, ExitReason::Mine.kept());
        self.set_alive(MEANT);
        match self.turn_fn.entry.atomicity {
            Atomicity::Always => {}
            Atomicity::Near => self.expect_near(),
            Atomicity::No => self.keep(),
        }
    }

    /// Lanes leave in which a number of the position is far from 0.
    fn expect_near(&mut self) {
        let code = &mut *self.code;
        let all = code.nothing();
        for reg in 0..self.turn_fn.numbers {
            let (number, far) = (code.number(NumReg(reg as u16)), Source::Word(code.constant(FAR as u64)));
            let made = code.room();
            code.code.binary(Binary::Add, made, (number, far), EACH);
            code.code.binary(Binary::Or, all, (all, made.into()), EACH);
            code.done_but(|z| z == all);
        }
        // Numbers near 0 have no higher bits then.
        let higher = Source::Word(code.constant(!(2 * FAR as u64 - 1)));
        code.code.test(Test::Meet, ASKED, (all, higher), MEANT);
        code.done();
        self.side_exit();
    }

    fn keep(&mut self) {
        let code = &mut *self.code;
        code.code.load_lanes(ASKED, ExitReason::DrewBefore.kept());
        code.code.pair_lanes(Pair::AndNot, ASKED, (ASKED, MEANT));
        for (rng, begun) in Status::RNG.into_iter().zip(Status::SAVED_RNG) {
            let (now, at) = (code.held(Value::Status(rng as u16)), MemOperand { base: Base::Status, at: begun as i32 });
            let old = code.loaded(at);
            code.code.copy(old, now, For::merging(ASKED));
            code.code.store(at, old);
            code.done();
        }
        for &reg in &self.turn_fn.entry.changes.sets {
            for word in 0..code.width() as u8 {
                let held = Value::Word(reg as u16, word);
                let (now, at) = (code.held(held), code.place(held).at);
                code.code.store(MemOperand { base: Base::SetsBefore, at }, now);
                code.done();
            }
        }
        for &reg in &self.turn_fn.entry.changes.numbers {
            let held = Value::Number(reg as u16);
            let (now, at) = (code.held(held), code.place(held).at);
            code.code.store(MemOperand { base: Base::NumbersBefore, at }, now);
            code.done();
        }
    }

    /// The turn is counted.
    fn count(&mut self) {
        let drawn = self.drawn;
        let code = &mut *self.code;
        let (turns, one) = (code.held(Value::Status(Status::TURNS as u16)), code.constant(1));
        code.code.binary(Binary::Add, turns, (turns, Source::Word(one)), For::merging(MEANT));
        code.change(turns);
        // A turn without a choice is the only one.
        let offered = match drawn {
            Drawn::All => code.held(Value::Status(Status::OFFERED as u16)),
            Drawn::None => code.word_of(1),
            Drawn::Some => {
                let (made, offered) = (code.word_of(1), code.held(Value::Status(Status::OFFERED as u16)));
                code.code.load_lanes(ASKED, ExitReason::Drawn.kept());
                code.code.copy(made, offered, For::merging(ASKED));
                made
            }
        };
        let choices = code.held(Value::Status(Status::CHOICES as u16));
        let sum = code.binary(Binary::Add, (choices, offered), EACH);
        code.code.test(Test::Below, ASKED, (sum, choices.into()), MEANT);
        code.code.copy(choices, sum, For::merging(MEANT));
        let most = code.constant(u64::MAX);
        code.code.broadcast(choices, most, For::merging(ASKED));
        code.change(choices);
        code.done();
    }
}
