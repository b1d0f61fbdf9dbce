//! The steps of a turn go in, with those of what follows it and of what is asked at its end; code that plays them for a chunk of lanes comes out.
//!
//! ```text
//! begin        what the turn may change is kept, where it can fail
//! the turn     lanes part and meet by masks; a branch is left out that no lane of the chunk goes
//! count        turns so far, and what there was to choose from
//! the end      which games are over
//! ```
//!
//! So a set is loaded once a round and stored once, a chunk goes its own branches alone, and what is kept of lanes is a few masks. Lanes that do not
//! come through are told of in the [`Report`], and are seen to by who called.

use std::collections::BTreeMap;

use super::super::along::AlongSteps;
use super::super::calm::{Calm, FAR};
use super::super::ops::Test as Asks;
use super::super::program::{Entry, Program, Step};
use super::super::status::Status;
use super::super::weigh::Kind;
use super::choose::fallen;
use super::control::{Jump, Kept};
use super::encode::{Base, Binary, EACH, For, Lanes, Pair, Place, Source, Test};
use super::lower::{ASKED, ASKED_MORE, Held, Lowering, MEANT, Slots};
use super::page::Places;
use super::report::{MOST_PARKED, Report, Told};
use crate::board::Player;
use crate::ir::{Cmp, N, Op, Point, S};
use crate::model::Arithmetic;

/// What is played in a round.
pub struct Round<'r, const W: usize> {
    pub program: &'r Program,
    pub points: &'r [Point],
    pub along: &'r [AlongSteps<W>],
    /// Registers that last from turn to turn, and numbers of the position.
    pub shared: (usize, usize),
    pub numbers: usize,
    /// The turn, what follows it, and what is asked at its end.
    pub entry: &'r Entry,
    pub after: Option<u32>,
    pub end: u32,
    /// Whose turn it is, and whose is next.
    pub mover: Player,
    pub next: Player,
    /// It is asked somewhere whether a player can move.
    pub asks_stuck: bool,
}

impl<const W: usize> Round<'_, W> {
    /// The steps of the turn.
    fn turn(&self) -> impl Iterator<Item = &Step> {
        let steps = &self.program.steps[self.entry.at as usize..];
        let end = steps.iter().position(|step| matches!(step, Step::End { .. }));
        steps[..end.map_or(steps.len(), |end| end + 1)].iter()
    }

    fn is_numbered(&self) -> bool {
        self.turn().any(|step| matches!(step, Step::End { numbered: true } | Step::Last))
    }

    /// A pass may put in doubt that the player could move.
    fn may_doubt(&self) -> bool {
        self.asks_stuck && self.turn().any(|step| matches!(step, Step::Do { op: Op::Passed, .. }))
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
    fn or(self, other: Drawn) -> Drawn {
        if self == other { self } else { Drawn::Some }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Turn,
    After,
    End,
}

/// What lanes are in.
#[derive(Clone, Copy, Debug)]
enum Within {
    /// A branch; those of the other one, if it does something; who had drawn before, and in the first branch.
    Branch { all: Aside, others: Option<Aside>, before: Drawn, first: Drawn },
    /// A choice whose ways part: all, and those that wait.
    Ways { all: Aside, waiting: Aside },
}

/// Where lanes are put aside: those that are first in registers that nothing else takes, the others in the report.
#[derive(Clone, Copy, Debug)]
struct Aside(usize);

impl Aside {
    const REGISTERS: [Lanes; 3] = [Lanes(4), Lanes(5), Lanes(7)];

    fn register(self) -> Option<Lanes> {
        Aside::REGISTERS.get(self.0).copied()
    }

    fn kept(self) -> Kept {
        Report::parked(BY_WORD + 1 + self.0)
    }
}

/// A place that is come to from elsewhere.
#[derive(Default)]
struct Label {
    jumps: Vec<Jump>,
    slots: Option<Slots>,
}

/// Code for a round as it grows.
pub struct Playing<'l, 'b, 'r, const W: usize> {
    pub code: &'l mut Lowering<'b, W>,
    pub round: &'r Round<'r, W>,
    phase: Phase,
    pub drawn: Drawn,
    within: Vec<Within>,
    /// Where lanes go on that wait.
    waits: Vec<usize>,
    labels: BTreeMap<usize, Label>,
    /// So many sets of lanes are put aside.
    parked: usize,
    /// Lanes may have failed or left.
    loses: bool,
    /// The player may have another turn.
    plays_again: bool,
    /// It is asked at the end of the turn what is left of numbers.
    pub numbered: bool,
    /// Steps before this one are done that do something with what a look found.
    pub seldom_done: usize,
}

/// Steps that are done for no lane rather than jumped over.
const MOST_LIGHT: usize = 3;

/// Lanes that have neither failed nor left, where sets of one word leave a register for them.
const ALIVE: Lanes = Lanes(6);

/// Sets of lanes that stand before those that are put aside: by word, where a cell is. Then those follow that are alive.
pub const BY_WORD: usize = 8;

impl<'b, const W: usize> Lowering<'b, W> {
    /// A function that plays a round for each chunk in turn. Where it begins, or nothing if a step has no code.
    pub fn round(&mut self, round: &Round<'_, W>) -> Option<usize> {
        let from = self.begin();
        self.code.begin_round();
        let begin = self.code.0.len();
        self.code.next_of_round(W as u8, size_of::<Status>() as i32, Places::AT.map(|at| at as u8));
        let mut playing = Playing {
            code: self,
            round,
            phase: Phase::Turn,
            drawn: Drawn::None,
            within: Vec::new(),
            waits: Vec::new(),
            labels: BTreeMap::new(),
            parked: 0,
            loses: false,
            plays_again: false,
            numbered: round.is_numbered(),
            seldom_done: 0,
        };
        if playing.play().is_none() || self.is_full {
            self.code.0.truncate(from);
            return None;
        }
        let wanted = |held| match held {
            Held::Word(reg, _) => usize::from(reg) < round.shared.0,
            Held::Number(reg) => usize::from(reg) < round.shared.1,
            Held::Spare(_) => false,
            Held::Status(at) => match usize::from(at) {
                Status::NUMBER => false,
                // Who is doubted is counted elsewhere.
                Status::OFFERED => round.may_doubt(),
                _ => true,
            },
        };
        self.store_all(wanted);
        self.code.end_round(begin);
        Some(from)
    }
}

impl<const W: usize> Playing<'_, '_, '_, W> {
    /// `None`: a step has no code.
    fn play(&mut self) -> Option<()> {
        self.begin();
        self.program(self.round.entry.at)?;
        if let Some(after) = self.round.after {
            self.phase = Phase::After;
            self.program(after)?;
        }
        self.count();
        self.phase = Phase::End;
        self.program(self.round.end)
    }

    fn program(&mut self, from: u32) -> Option<()> {
        for at in from as usize.. {
            let step = self.round.program.steps.get(at)?;
            self.arrive(at);
            self.step(at, step)?;
            self.code.done();
            if self.code.is_full || BY_WORD + self.parked + 3 > MOST_PARKED {
                return None;
            }
            if let Step::End { .. } = step {
                return Some(());
            }
            self.forget_dead(at + 1);
        }
        None
    }

    fn step(&mut self, at: usize, step: &Step) -> Option<()> {
        match *step {
            Step::Do { op: Op::Passed | Op::Acted, .. } if !self.round.may_doubt() => {}
            Step::Do { op: Op::Passed, .. } => self.code.code.add_lanes(Told::Passed.kept(), MEANT),
            Step::Do { op: Op::Acted, .. } => self.code.code.add_lanes(Told::Acted.kept(), MEANT),
            Step::Do { op: Op::PlayAgain, .. } => {
                self.code.code.add_lanes(Told::PlaysAgain.kept(), MEANT);
                self.plays_again = true;
            }
            Step::Do { ref op, blend, loses: true } => {
                self.code.blend = blend;
                return self.losing(op);
            }
            Step::Do { loses: false, .. } | Step::Refill { .. } => return self.code.step(step).then_some(()),
            Step::Look { ref op, blend, .. } => return self.look(at, op, blend),
            Step::Seldom { .. } if at < self.seldom_done => {}
            Step::Seldom { ref op } => return self.seldom(op),
            Step::Fork { fork } => self.code.code.add_lanes(Told::Fork(fork).kept(), MEANT),
            Step::If { test, to } => self.part(at, test, to as usize),
            Step::Else { to } => return self.other(at, to as usize),
            Step::Join => return self.join(at),
            Step::Choose { point, cell, blend, parts } => {
                if self.phase != Phase::Turn {
                    return None;
                }
                let kind = Kind::new(&self.round.points[point as usize], self.round.program.told[point as usize]);
                self.choose(point, kind, (cell, blend))?;
                if parts {
                    let (all, waiting) = (self.park(MEANT), self.park(MEANT));
                    self.within.push(Within::Ways { all, waiting });
                    self.waits.push(at + 1);
                }
            }
            Step::Way { point, last, to } => return self.way(at, (point, last), to as usize),
            Step::Enter { point, arm } => {
                let options = self.round.points[point as usize].arms[usize::from(arm)].options;
                return self.enter(options, self.nested_of(point));
            }
            Step::Along { index } => return self.step_back(index),
            Step::Chosen => {
                let Some(Within::Ways { all, .. }) = self.within.pop() else { return None };
                self.waits.pop();
                self.forget_arms();
                self.meet(all);
            }
            Step::Need { n } => {
                let n = self.code.number(n);
                self.code.code.test(Test::Apart, ASKED, (n, n.into()), MEANT);
                self.fail();
            }
            Step::Fail => {
                self.code.code.copy_lanes(ASKED, MEANT);
                self.fail();
            }
            Step::Last => self.expect_no_number(),
            Step::End { numbered } => self.complete(numbered),
            _ => return None,
        }
        Some(())
    }

    /// Choices that the lanes are in, whose ways part.
    pub fn nested(&self) -> usize {
        self.within.iter().filter(|within| matches!(within, Within::Ways { .. })).count()
    }

    /// Nobody asks any more to which arms numbers fell.
    pub fn forget_arms(&mut self) {
        let arms = fallen(self.nested());
        self.code.forget(|held| held == arms);
    }

    /// In how many of them a choice stands whose arms the lanes go.
    pub fn nested_of(&self, point: u32) -> usize {
        let parts = |step: &Step| matches!(*step, Step::Choose { point: of, parts: true, .. } if of == point);
        self.nested() - usize::from(self.round.program.steps.iter().any(parts))
    }

    /// Lanes wait in other branches or ways.
    pub fn is_parted(&self) -> bool {
        !self.within.is_empty()
    }

    /// The turn begins: what it may change is kept, where it may fail behind that.
    fn begin(&mut self) {
        self.code.code.load_lanes(MEANT, Told::Mine.kept());
        self.set_alive(MEANT);
        match self.round.entry.calm {
            Calm::Always => {}
            Calm::Near => {
                for reg in 0..self.round.numbers {
                    self.expect_near(N(reg as u16));
                }
            }
            Calm::No => self.keep(),
        }
    }

    /// Lanes leave whose number is far from 0.
    fn expect_near(&mut self, n: N) {
        let (number, far) = (self.code.number(n), self.code.word_of(2 * FAR as u64));
        let (made, shift) = (self.code.room(), Source::Word(self.code.constant(FAR as u64)));
        self.code.code.binary(Binary::Add, made, (number, shift), EACH);
        self.code.code.test(Test::Below, ASKED, (far, made.into()), MEANT);
        self.code.done();
        self.leave();
    }

    fn keep(&mut self) {
        let code = &mut *self.code;
        code.code.load_lanes(ASKED, Told::DrewBefore.kept());
        code.code.pair_lanes(Pair::AndNot, ASKED, (ASKED, MEANT));
        for (lots, begun) in Status::LOTS.into_iter().zip(Status::BEGUN) {
            let (now, at) = (code.held(Held::Status(lots as u16)), Place { base: Base::Status, at: begun as i32 });
            let old = code.loaded(at);
            code.code.copy(old, now, For::merging(ASKED));
            code.code.store(at, old);
            code.done();
        }
        for &reg in &self.round.entry.changes.sets {
            for word in 0..W as u8 {
                let held = Held::Word(reg as u16, word);
                let (now, at) = (code.held(held), code.place(held).at);
                code.code.store(Place { base: Base::SetsBefore, at }, now);
                code.done();
            }
        }
        for &reg in &self.round.entry.changes.numbers {
            let held = Held::Number(reg as u16);
            let (now, at) = (code.held(held), code.place(held).at);
            code.code.store(Place { base: Base::NumbersBefore, at }, now);
            code.done();
        }
    }

    /// The lanes that are meant and those that are asked are told apart by a test.
    fn ask(&mut self, test: Asks) {
        let code = &mut *self.code;
        let (which, pair) = match test {
            Asks::True(n) => (Test::Meet, [code.number(n); 2]),
            Asks::False(n) => (Test::Apart, [code.number(n); 2]),
            Asks::Some(a) => (Test::Meet, [code.any([a], |_, [a]| a); 2]),
            Asks::None(a) => (Test::Apart, [code.any([a], |_, [a]| a); 2]),
            Asks::Meet(a, b) if W == 1 => (Test::Meet, [code.word(a, 0), code.word(b, 0)]),
            Asks::Meet(a, b) => (Test::Meet, [code.any([a, b], |code, [a, b]| code.binary(Binary::And, (a, b), EACH)); 2]),
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
    fn part(&mut self, at: usize, test: Asks, to: usize) {
        self.ask(test);
        let all = self.park(MEANT);
        let does_something = !matches!(self.round.program.steps.get(to + 1), Some(Step::Join));
        let others = does_something.then(|| {
            self.code.code.pair_lanes(Pair::AndNot, ASKED_MORE, (ASKED, MEANT));
            self.park(ASKED_MORE)
        });
        self.code.code.copy_lanes(MEANT, ASKED);
        self.within.push(Within::Branch { all, others, before: self.drawn, first: self.drawn });
        self.waits.push(to + 1);
        self.pass_if_none(at, to);
    }

    /// Where no lane is meant, what comes before a step is left out, if it takes longer than to foresee whether it is.
    fn pass_if_none(&mut self, at: usize, to: usize) {
        let is_light = |step: &Step| match step {
            Step::Do { op: Op::Number { .. } | Op::Move { .. } | Op::Passed | Op::Acted, .. } => true,
            Step::Do { op: Op::Copy { .. } | Op::And { .. } | Op::Or { .. } | Op::Without { .. }, .. } => W == 1,
            Step::Enter { .. } => W == 1,
            Step::Do { op: Op::Arithmetic { .. }, .. } => true,
            _ => false,
        };
        let steps = &self.round.program.steps[at + 1..to];
        if steps.len() > MOST_LIGHT || !steps.iter().all(is_light) {
            self.jump_if_none(at + 1, to);
        }
    }

    fn other(&mut self, at: usize, to: usize) -> Option<()> {
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

    fn join(&mut self, at: usize) -> Option<()> {
        let Some(Within::Branch { all, first, .. }) = self.within.pop() else { return None };
        self.waits.pop();
        self.drawn = self.drawn.or(first);
        let steps = &self.round.program.steps;
        let goes_on = steps[at + 1..].iter().find(|step| !matches!(step, Step::Join));
        if self.phase == Phase::End && matches!(goes_on, Some(Step::End { .. })) {
            // Nobody asks any more which lanes are here.
            return Some(());
        }
        self.meet(all);
        Some(())
    }

    /// Lanes go on that were put aside here, and all that were behind them are done.
    fn meet(&mut self, all: Aside) {
        self.take(MEANT, all);
        if self.loses {
            let alive = self.alive(ASKED);
            self.code.code.pair_lanes(Pair::And, MEANT, (MEANT, alive));
        }
        self.parked = all.0;
    }

    /// Lanes go on whose number fell to an arm up to this, of those that wait.
    fn way(&mut self, at: usize, (point, last): (u32, u16), to: usize) -> Option<()> {
        let Some(Within::Ways { waiting, .. }) = self.within.last().copied() else { return None };
        let nested = self.nested_of(point);
        let (arm, upto) = (self.code.held(fallen(nested)), Source::Word(self.code.constant(u64::from(last))));
        self.take(ASKED, waiting);
        let code = &mut self.code.code;
        code.test(Test::AtMost, MEANT, (arm, upto), ASKED);
        code.pair_lanes(Pair::AndNot, ASKED, (MEANT, ASKED));
        self.put(waiting, ASKED);
        *self.waits.last_mut()? = to;
        self.pass_if_none(at, to);
        Some(())
    }

    /// Lanes are put aside; where.
    fn park(&mut self, lanes: Lanes) -> Aside {
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

    /// All that is read from a step on, by lanes that are here or wait, is stored, so that whoever goes elsewhere finds it.
    pub fn store(&mut self, at: usize) {
        let (round, waits) = (self.round, &self.waits);
        self.code.store_all(|held| is_wanted(round, waits, at, held));
    }

    /// What nobody reads from a step on needs no room.
    fn forget_dead(&mut self, at: usize) {
        let (round, waits) = (self.round, &self.waits);
        self.code.forget(|held| !is_wanted(round, waits, at, held));
    }

    /// Whether what stands in a set is read from a step on.
    pub fn is_read(&self, at: usize, set: S) -> bool {
        is_wanted(self.round, &self.waits, at, Held::Word(set.0, 0))
    }

    /// Where no lane is meant, the code goes on at a later step, else at the next one.
    fn jump_if_none(&mut self, next: usize, to: usize) {
        self.store(next);
        let jump = self.code.code.jump_if_none(MEANT);
        let label = self.labels.entry(to).or_default();
        label.jumps.push(jump);
        let mut slots = self.code.stored();
        if let Some(others) = label.slots.take() {
            let before = self.code.stored();
            self.code.meet(&others);
            slots = self.code.stored();
            self.code.go_on_from(&before);
        }
        label.slots = Some(slots);
    }

    /// What was stored by all that come here goes on in registers.
    fn arrive(&mut self, at: usize) {
        let Some(Label { jumps, slots }) = self.labels.remove(&at) else { return };
        self.store(at);
        slots.iter().for_each(|slots| self.code.meet(slots));
        jumps.into_iter().for_each(|jump| self.code.code.land(jump));
    }

    /// Operations at which lanes may leave.
    fn losing(&mut self, op: &Op) -> Option<()> {
        match *op {
            Op::Decide { outcome, winners } => {
                let code = &mut *self.code;
                code.code.add_lanes(Told::Decided.kept(), MEANT);
                let (to, outcome) = (code.held(Held::Status(Status::OUTCOME as u16)), code.constant(u64::from(outcome)));
                code.code.broadcast(to, outcome, For::merging(MEANT));
                code.change(to);
                let (to, winners) = (code.held(Held::Status(Status::WINNERS as u16)), code.number(winners));
                code.code.copy(to, winners, For::merging(MEANT));
                code.change(to);
            }
            Op::Stuck { .. } if self.plays_again => return None,
            Op::Stuck { d, player } => {
                let next = player == self.round.next;
                self.code.code.add_lanes(if next { Told::AskedNow } else { Told::Unsure }.kept(), MEANT);
                let (to, mover) =
                    (self.code.held(Held::Status(Status::MOVER as u16)), self.code.constant(u64::from(self.round.mover.0)));
                self.code.code.broadcast(to, mover, For::merging(MEANT));
                self.code.change(to);
                self.code.blend = true;
                return self.code.operation(&Op::Number { d, k: 0 }).then_some(());
            }
            Op::Free { cells, of, .. } => {
                let both = self.code.any([cells, of], |code, [a, b]| code.binary(Binary::And, (a, b), EACH));
                self.code.code.test(Test::Meet, ASKED, (both, both.into()), MEANT);
                self.leave();
            }
            Op::Arithmetic { op, d, a, b, .. } => return self.calculate(op, d, (a, b)),
            _ => return None,
        }
        Some(())
    }

    /// A sum or a difference; lanes leave for whose it takes more than 64 bits.
    fn calculate(&mut self, op: Arithmetic, d: N, (a, b): (N, N)) -> Option<()> {
        let code = &mut *self.code;
        let (a, b) = (code.number(a), code.number(b));
        let (which, pairs) = match op {
            Arithmetic::Add => (Binary::Add, true),
            Arithmetic::Subtract => (Binary::Sub, false),
            _ => return None,
        };
        let made = code.binary(which, (a, b), EACH);
        // Both summands have the sign that the sum has not; or what is subtracted from has another one than both.
        let one = code.binary(Binary::Xor, (a, made), EACH);
        let other = code.binary(Binary::Xor, (b, if pairs { made } else { a }), EACH);
        code.code.binary(Binary::And, one, (one, other.into()), EACH);
        code.code.highest(ASKED, one);
        code.code.pair_lanes(Pair::And, ASKED, (ASKED, MEANT));
        self.leave();
        self.code.put_number(d, made);
        Some(())
    }

    /// The lanes that were asked leave, if there are any.
    pub fn leave(&mut self) {
        self.lose(if self.phase == Phase::End { Told::Unsure } else { Told::Alone });
    }

    /// Their runs end here. Those that have drawn drew in vain.
    fn fail(&mut self) {
        match (self.phase, self.drawn) {
            (Phase::Turn, Drawn::All) => self.lose(Told::Failed),
            (Phase::Turn, Drawn::Some) => {
                let code = &mut self.code.code;
                let over = code.jump_if_none(ASKED);
                code.load_lanes(ASKED_MORE, Told::Drawn.kept());
                code.pair_lanes(Pair::And, ASKED_MORE, (ASKED_MORE, ASKED));
                code.add_lanes(Told::Failed.kept(), ASKED_MORE);
                code.pair_lanes(Pair::AndNot, ASKED_MORE, (ASKED_MORE, ASKED));
                code.add_lanes(Told::Alone.kept(), ASKED_MORE);
                self.go();
                self.code.code.land(over);
            }
            _ => self.leave(),
        }
    }

    pub fn lose(&mut self, to: Told) {
        let over = self.code.code.jump_if_none(ASKED);
        self.code.code.add_lanes(to.kept(), ASKED);
        self.go();
        self.code.code.land(over);
    }

    /// The lanes that were asked are not meant any more.
    fn go(&mut self) {
        let code = &mut self.code.code;
        code.pair_lanes(Pair::AndNot, MEANT, (ASKED, MEANT));
        let alive = self.alive(ASKED_MORE);
        self.code.code.pair_lanes(Pair::AndNot, alive, (ASKED, alive));
        self.set_alive(alive);
        self.loses = true;
    }

    /// Those that have neither failed nor left, in this register or another one.
    fn alive(&mut self, to: Lanes) -> Lanes {
        if W == 1 {
            return ALIVE;
        }
        self.code.code.load_lanes(to, Report::parked(BY_WORD));
        to
    }

    fn set_alive(&mut self, from: Lanes) {
        if W > 1 {
            self.code.code.store_lanes(Report::parked(BY_WORD), from);
        } else if from != ALIVE {
            self.code.code.copy_lanes(ALIVE, from);
        }
    }

    /// No choice follows: lanes of whose number something is left have drawn in vain.
    fn expect_no_number(&mut self) {
        if self.drawn == Drawn::None {
            return;
        }
        let number = self.code.held(Held::Status(Status::NUMBER as u16));
        self.code.code.test(Test::Meet, ASKED, (number, number.into()), MEANT);
        if self.drawn == Drawn::Some {
            self.code.code.load_lanes(ASKED_MORE, Told::Drawn.kept());
            self.code.code.pair_lanes(Pair::And, ASKED, (ASKED, ASKED_MORE));
        }
        self.lose(Told::Failed);
    }

    /// The runs are complete whose number is.
    fn complete(&mut self, numbered: bool) {
        if self.phase == Phase::End {
            return;
        }
        if self.phase == Phase::Turn {
            if numbered {
                self.expect_no_number();
            }
            self.doubt_passes();
        }
        self.code.code.store_lanes(Told::Done.kept(), MEANT);
    }

    /// A pass alone does not show that the player could move.
    fn doubt_passes(&mut self) {
        if !self.round.may_doubt() {
            return;
        }
        let code = &mut self.code.code;
        code.load_lanes(ASKED, Told::Passed.kept());
        code.load_lanes(ASKED_MORE, Told::Acted.kept());
        code.pair_lanes(Pair::AndNot, ASKED, (ASKED_MORE, ASKED));
        code.load_lanes(ASKED_MORE, Told::Asked.kept());
        code.pair_lanes(Pair::And, ASKED, (ASKED, ASKED_MORE));
        code.pair_lanes(Pair::And, ASKED, (ASKED, MEANT));
        self.lose(Told::Doubted);
    }

    /// The turn is counted.
    fn count(&mut self) {
        let drawn = self.drawn;
        let code = &mut *self.code;
        let (turns, one) = (code.held(Held::Status(Status::TURNS as u16)), code.constant(1));
        code.code.binary(Binary::Add, turns, (turns, Source::Word(one)), For::merging(MEANT));
        code.change(turns);
        // A turn without a choice is the only one.
        let offered = match drawn {
            Drawn::All => code.held(Held::Status(Status::OFFERED as u16)),
            Drawn::None => code.word_of(1),
            Drawn::Some => {
                let (made, offered) = (code.word_of(1), code.held(Held::Status(Status::OFFERED as u16)));
                code.code.load_lanes(ASKED, Told::Drawn.kept());
                code.code.copy(made, offered, For::merging(ASKED));
                made
            }
        };
        let choices = code.held(Held::Status(Status::CHOICES as u16));
        let sum = code.binary(Binary::Add, (choices, offered), EACH);
        code.code.test(Test::Below, ASKED, (sum, choices.into()), MEANT);
        code.code.copy(choices, sum, For::merging(MEANT));
        let most = code.constant(u64::MAX);
        code.code.broadcast(choices, most, For::merging(ASKED));
        code.change(choices);
        code.done();
    }
}

fn is_wanted<const W: usize>(round: &Round<'_, W>, waits: &[usize], at: usize, held: Held) -> bool {
    let mut live = waits.iter().chain([&at]).map(|at| &round.program.live[*at]);
    match held {
        Held::Word(reg, _) => usize::from(reg) < round.shared.0 || live.any(|live| live.has_set(S(reg))),
        Held::Number(reg) => usize::from(reg) < round.shared.1 || live.any(|live| live.has_number(N(reg))),
        Held::Spare(_) | Held::Status(_) => true,
    }
}
