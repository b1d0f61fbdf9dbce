//! Definite assignment: linear code goes in; the first operation that may read a register which no
//! operation has written on some path comes out.
//!
//! ```text
//! choose                    n5 = 0 and s9 unwritten, or n5 = 1 and s9 written
//!   s8 from s3
//!     n5 = const 0
//!   s9 from s4
//!     n5 = const 1
//! if n5
//!   s10 = s9 and s2         n5 = 1, so s9 is written
//! ```
//!
//! What is known of the numbers that branches ask tells paths apart: those on which it is the same
//! are one. What is asked again goes the same way again.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use smallvec::SmallVec;

use crate::model::Comparison;
use crate::plan::analysis::liveness::Life;
use crate::plan::code::{Alternatives, ChoicePoint, FusedCode};
use crate::plan::op::{CodeOp, FusedOp};
use crate::plan::regs::{Access, NumReg, RegBits, SetReg};
use crate::plan::tree::Options;
use crate::plan::verify::{Fault, Found};

/// Paths to one place that are told apart. With more nothing is known there, and all registers are
/// taken as written: correct code is never refused.
const MAX_PATHS: usize = 24;

/// What is written before programs begin.
pub(super) struct Inputs {
    /// Registers below these, which belong together in all programs.
    pub shared: (u16, u16),
    /// Of these, the position. What lies between are the words of a turn, which it writes itself.
    pub position: (u16, u16),
    /// Of the words those that who executes programs writes.
    pub given: SmallVec<[NumReg; 3]>,
    /// Choice points tell what they keep, which is all that stands behind them.
    pub keeps: bool,
}

/// # Errors
/// The first operation that may read what is not written.
pub(super) fn defined_before_use(code: &FusedCode, inputs: Inputs) -> Result<(), Found> {
    let analysis = Analysis::new(code, inputs);
    code.programs().try_for_each(|((_, name), entry)| analysis.program(name, entry as usize))
}

/// What is known of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Value(i64),
    NonZero,
}

impl Known {
    fn is_zero(self) -> bool {
        self == Known::Value(0)
    }
}

/// What is known of numbers, in their order.
type Facts = SmallVec<[(NumReg, Known); 4]>;

/// What holds on all of some paths to a place.
#[derive(Clone, Default)]
struct State {
    facts: Facts,
    sets: RegBits,
    numbers: RegBits,
}

impl State {
    fn known(&self, n: NumReg) -> Option<Known> {
        self.facts.iter().find(|(known, _)| *known == n).map(|(_, known)| *known)
    }

    fn value(&self, n: NumReg) -> Option<i64> {
        match self.known(n)? {
            Known::Value(value) => Some(value),
            Known::NonZero => None,
        }
    }

    fn forget(&mut self, n: NumReg) {
        self.facts.retain(|(known, _)| *known != n);
    }

    fn learn(&mut self, n: NumReg, known: Known) {
        self.forget(n);
        let at = self.facts.partition_point(|(other, _)| other.0 < n.0);
        self.facts.insert(at, (n, known));
    }

    fn define(&mut self, access: Access) {
        match access {
            Access::DefSet(reg) => self.sets.insert(reg.0),
            Access::DefNum(reg) => self.numbers.insert(reg.0),
            _ => {}
        }
    }

    /// # Errors
    /// The register is not written.
    fn read(&self, access: Access) -> Result<(), Fault> {
        let written = match access {
            Access::UseSet(reg) => self.sets.has(reg.0),
            Access::UseNum(reg) => self.numbers.has(reg.0),
            _ => true,
        };
        if written { Ok(()) } else { Err(Fault::Undefined(access)) }
    }

    /// What an operation makes of a number, if that is known.
    fn result(&self, op: &FusedOp) -> Option<(NumReg, Known)> {
        let truth = |holds: bool| Known::Value(i64::from(holds));
        let zero = |n: NumReg| self.known(n).map(Known::is_zero);
        Some(match *op {
            FusedOp::Const { d, k } => (d, Known::Value(k)),
            FusedOp::CopyNum { d, a } => (d, self.known(a)?),
            FusedOp::Not { d, a } => (d, truth(zero(a)?)),
            FusedOp::BitAnd { d, a, b } if zero(a) == Some(true) || zero(b) == Some(true) => (d, Known::Value(0)),
            FusedOp::BitOr { d, a, b } if zero(a) == Some(false) || zero(b) == Some(false) => (d, Known::NonZero),
            FusedOp::BitAnd { d, a, b } => (d, Known::Value(self.value(a)? & self.value(b)?)),
            FusedOp::BitOr { d, a, b } => (d, Known::Value(self.value(a)? | self.value(b)?)),
            FusedOp::Compare { cmp, d, a, b } => (d, truth(cmp.holds(self.value(a)?.cmp(&self.value(b)?)))),
            FusedOp::SelectNum { d, n, a, b } => (d, self.known(if zero(n)? { b } else { a })?),
            _ => return None,
        })
    }
}

/// Goes through code.
struct Analysis<'c> {
    code: &'c FusedCode,
    begun: State,
    /// The same for turns.
    turn: State,
    /// Where paths may meet: what a path goes on with between is a basic block.
    heads: Vec<bool>,
    /// Numbers on which branches depend.
    asked: HashSet<NumReg>,
    life: Life<FusedOp>,
    /// Choice points tell what they keep.
    keeps: bool,
}

impl Analysis<'_> {
    fn new(code: &FusedCode, inputs: Inputs) -> Analysis<'_> {
        let Inputs { shared, position, given, keeps } = inputs;
        let asked = asked(code);
        let begun = |(sets, numbers): (u16, u16)| {
            let mut begun = State::default();
            (0..sets).chain(code.consts.iter().map(|(reg, _)| reg.0)).for_each(|reg| begun.sets.insert(reg));
            (0..numbers).chain(given.iter().map(|reg| reg.0)).for_each(|reg| begun.numbers.insert(reg));
            for &(reg, value) in &code.const_numbers {
                begun.numbers.insert(reg.0);
                if asked.contains(&reg) {
                    begun.learn(reg, Known::Value(value));
                }
            }
            begun
        };
        let (turn, begun) = (begun(position), begun(shared));
        Analysis { code, begun, turn, heads: heads(code), asked, life: Life::of(code, 0, shared), keeps }
    }

    /// # Errors
    /// The first operation of a program that may read what is not written.
    fn program(&self, name: &str, entry: usize) -> Result<(), Found> {
        // Of the heads of blocks: a program reaches few operations of the code.
        let mut states: HashMap<usize, SmallVec<[State; 1]>> = HashMap::default();
        let begun = if ["turn", "opening", "continuation"].contains(&name) { &self.turn } else { &self.begun };
        states.entry(entry).or_default().push(begun.clone());
        let mut open = vec![(entry, 0)];
        let mut next: Vec<(usize, State)> = Vec::new();
        while let Some((at, index)) = open.pop() {
            // Paths may have become one since.
            let Some(state) = states[&at].get(index).cloned() else { continue };
            let mut within = Some((at, state));
            while let Some((at, state)) = within.take() {
                self.step(at, state, &mut next).map_err(|fault| (at, fault))?;
                for (to, state) in next.drain(..) {
                    if !self.heads[to] {
                        within = Some((to, state));
                    } else if let Some(index) = self.join(states.entry(to).or_default(), to, state) {
                        open.push((to, index));
                    }
                }
            }
        }
        Ok(())
    }

    /// Joins a path with those to the same place; which of these is another now.
    fn join(&self, states: &mut SmallVec<[State; 1]>, at: usize, mut state: State) -> Option<usize> {
        let constant = |n: NumReg| self.code.const_numbers.iter().any(|(reg, _)| *reg == n);
        state.facts.retain(|(n, _)| constant(*n) || self.life.wants_number(at, *n));
        if states.len() > MAX_PATHS {
            return None;
        }
        let (index, is_new) = match states.iter().position(|known| known.facts == state.facts) {
            Some(index) => (index, false),
            None if states.len() < MAX_PATHS => {
                states.push(state.clone());
                (states.len() - 1, true)
            }
            None => {
                // From now on there is one path to this place.
                states[0] = State { facts: self.begun.facts.clone(), sets: RegBits::all(), numbers: RegBits::all() };
                states.resize_with(MAX_PATHS + 1, State::default);
                return Some(0);
            }
        };
        let known = &mut states[index];
        let fewer = known.sets.intersect(&state.sets) | known.numbers.intersect(&state.numbers);
        (fewer || is_new).then_some(index)
    }

    /// What holds behind an operation, by where a path goes on.
    ///
    /// # Errors
    /// It reads what is not written.
    fn step(&self, at: usize, mut state: State, next: &mut Vec<(usize, State)>) -> Result<(), Fault> {
        let op = &self.code.code[at];
        let mut read = Ok(());
        op.accesses(|access| read = std::mem::replace(&mut read, Ok(())).and_then(|()| state.read(access)));
        read?;
        if let FusedOp::Choice { index } = *op {
            return self.choose(&self.code.points[index as usize], &state, next);
        }
        if let Some(point) = op.choice_index().map(|index| &self.code.points[index]) {
            self.bounds_are_written(point, &state)?;
            self.keep(&mut state, &point.sets, &point.numbers);
        }
        let result = state.result(op);
        // Without a cell they write none.
        let writes_where_it_goes_on =
            matches!(op, FusedOp::NextCell { .. } | FusedOp::NextGroup { .. } | FusedOp::BranchUnlessRayQuery { .. });
        let before = writes_where_it_goes_on.then(|| state.clone());
        op.accesses(|access| {
            state.define(access);
            if let Access::DefNum(n) = access {
                state.forget(n);
            }
        });
        if let Some((n, known)) = result.filter(|(n, _)| self.asked.contains(n)) {
            state.learn(n, known);
        }
        if let FusedOp::First { index } = *op {
            let Alternatives { blocks, sets, numbers } = &self.code.alternatives[index as usize];
            self.keep(&mut state, sets, numbers);
            next.extend(blocks.iter().map(|&block| (block as usize, state.clone())));
            return Ok(());
        }
        if let Some(to) = op.target()
            && let Some(state) = taken(op, before.unwrap_or_else(|| state.clone()))
        {
            next.push((to as usize, state));
        }
        if op.goes_on()
            && let Some(state) = passed(op, state)
        {
            next.push((at + 1, state));
        }
        Ok(())
    }

    /// The sets by which the runs behind a choice are bounded are written.
    ///
    /// # Errors
    /// One is not.
    fn bounds_are_written(&self, point: &ChoicePoint, state: &State) -> Result<(), Fault> {
        let mut sizes = point.classes.iter().flat_map(|class| class.bound.sizes());
        sizes.try_for_each(|size| state.read(Access::UseSet(size)))
    }

    /// Who comes back to a choice finds there what it keeps, what programs share, and constants.
    fn keep(&self, state: &mut State, sets: &[SetReg], numbers: &[NumReg]) {
        if self.keeps {
            let mut kept = self.begun.clone();
            sets.iter().for_each(|reg| kept.sets.insert(reg.0));
            numbers.iter().for_each(|reg| kept.numbers.insert(reg.0));
            state.sets.intersect(&kept.sets);
            state.numbers.intersect(&kept.numbers);
            let numbers = &state.numbers;
            state.facts.retain(|(n, _)| numbers.has(n.0));
        }
    }

    /// # Errors
    /// The choice reads what is not written.
    fn choose(&self, point: &ChoicePoint, state: &State, next: &mut Vec<(usize, State)>) -> Result<(), Fault> {
        self.bounds_are_written(point, state)?;
        let mut read = Ok(());
        let mut access = |access| read = std::mem::replace(&mut read, Ok(())).and_then(|()| state.read(access));
        point.arms.iter().for_each(|arm| arm.options.accesses(&mut access));
        read?;
        let mut kept = state.clone();
        self.keep(&mut kept, &point.sets, &point.numbers);
        let mut arm = |options: Options, back: Option<SetReg>, entry: u32| {
            let mut state = kept.clone();
            options.accesses(&mut |access| {
                state.define(access);
                if let Access::DefNum(n) = access {
                    state.forget(n);
                }
            });
            back.into_iter().for_each(|reg| state.define(Access::DefSet(reg)));
            let mut read = Ok(());
            if let Some(reject) = &point.early_reject {
                reject.accesses(|access| read = std::mem::replace(&mut read, Ok(())).and_then(|()| state.read(access)));
            }
            next.push((entry as usize, state));
            read
        };
        point.arms.iter().try_for_each(|target| arm(target.options, None, target.entry))?;
        point.cells.iter().try_for_each(|cells| {
            let back = cells.back.map(|(reg, _)| reg);
            arm(Options::Cells { of: cells.of, cell: cells.cell }, back, cells.entry)
        })
    }
}

/// What holds where a branch goes to its target; `None`: it never does.
fn taken(op: &FusedOp, mut state: State) -> Option<State> {
    match *op {
        FusedOp::BranchIfZero { n, .. } => is(&mut state, n, true)?,
        FusedOp::BranchIfNonZero { n, .. } | FusedOp::LoopBack { n, .. } => is(&mut state, n, false)?,
        FusedOp::BranchUnlessCompare { cmp, a, b, .. } => compared(&mut state, cmp, a, b, false)?,
        _ => {}
    }
    Some(state)
}

/// What holds where a path goes on with the next operation; `None`: none does.
fn passed(op: &FusedOp, mut state: State) -> Option<State> {
    match *op {
        FusedOp::BranchIfZero { n, .. } | FusedOp::Require { n } => is(&mut state, n, false)?,
        FusedOp::BranchIfNonZero { n, .. } | FusedOp::RequireZero { n } | FusedOp::LoopBack { n, .. } => {
            is(&mut state, n, true)?
        }
        FusedOp::BranchUnlessCompare { cmp, a, b, .. } => compared(&mut state, cmp, a, b, true)?,
        _ => {}
    }
    Some(state)
}

/// Learns that a number is zero, or that it is not; `None`: that cannot be.
fn is(state: &mut State, n: NumReg, zero: bool) -> Option<()> {
    match state.known(n) {
        Some(known) => (known.is_zero() == zero).then_some(()),
        None => {
            state.learn(n, if zero { Known::Value(0) } else { Known::NonZero });
            Some(())
        }
    }
}

/// Learns how two numbers compare; `None`: that cannot be.
fn compared(state: &mut State, cmp: Comparison, a: NumReg, b: NumReg, holds: bool) -> Option<()> {
    match (state.value(a), state.value(b)) {
        (Some(x), Some(y)) => return (cmp.holds(x.cmp(&y)) == holds).then_some(()),
        (None, Some(value)) if (cmp == Comparison::Equal) == holds && is_equality(cmp) => {
            state.learn(a, Known::Value(value))
        }
        (Some(value), None) if (cmp == Comparison::Equal) == holds && is_equality(cmp) => {
            state.learn(b, Known::Value(value))
        }
        _ => {}
    }
    Some(())
}

fn is_equality(cmp: Comparison) -> bool {
    matches!(cmp, Comparison::Equal | Comparison::NotEqual)
}

/// The first operations of basic blocks: where programs begin, and what is gone to from elsewhere.
fn heads(code: &FusedCode) -> Vec<bool> {
    let mut heads = vec![false; code.code.len()];
    let targets = code.code.iter().filter_map(CodeOp::target);
    let blocks = code.alternatives.iter().flat_map(|alternatives| alternatives.blocks.iter().copied());
    let arms = code
        .points
        .iter()
        .flat_map(|point| point.arms.iter().map(|arm| arm.entry).chain(point.cells.iter().map(|cells| cells.entry)));
    let entries = code.programs().map(|(_, entry)| entry);
    for at in targets.chain(blocks).chain(arms).chain(entries) {
        heads[at as usize] = true;
    }
    heads
}

/// The numbers on which branches depend: what they ask, and what that is made of.
fn asked(code: &FusedCode) -> HashSet<NumReg> {
    let mut asked: HashSet<NumReg> = HashSet::default();
    for op in &code.code {
        match *op {
            FusedOp::BranchIfZero { n, .. }
            | FusedOp::BranchIfNonZero { n, .. }
            | FusedOp::Require { n }
            | FusedOp::RequireZero { n }
            | FusedOp::LoopBack { n, .. } => drop(asked.insert(n)),
            FusedOp::BranchUnlessCompare { a, b, .. } => asked.extend([a, b]),
            _ => {}
        }
    }
    let mut known = 0;
    while known != asked.len() {
        known = asked.len();
        for op in &code.code {
            let makes = match *op {
                FusedOp::CopyNum { d, a } | FusedOp::Not { d, a } => (d, [a, a, a]),
                FusedOp::BitAnd { d, a, b } | FusedOp::BitOr { d, a, b } | FusedOp::Compare { d, a, b, .. } => {
                    (d, [a, b, b])
                }
                FusedOp::SelectNum { d, n, a, b } => (d, [n, a, b]),
                _ => continue,
            };
            if asked.contains(&makes.0) {
                asked.extend(makes.1);
            }
        }
    }
    asked
}
