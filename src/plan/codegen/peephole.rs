//! Peephole optimisation: linear code goes in; code that does the same with fewer operations comes
//! out. For code of lock step, jumps stay as they come from branches and loops.
//!
//! ```text
//! tell s8                      n4 = some s7
//! s9 = s8                ->    unless some s7 go to 12
//! s10 = s9 and s3              s10 = s8 and s3
//! unless n4 go to 12
//! ```
//!
//! What only tells of choices goes away, copies are read where they came from, what nobody reads is
//! not computed, and a condition is one operation with the jump that asks it. Registers keep their
//! homes, and choices what they keep.

use smallvec::SmallVec;

use crate::plan::analysis::liveness::Life;
use crate::plan::code::{Code, EntryPoints};
use crate::plan::codegen::jump_threading::thread;
use crate::plan::codegen::sink::Row;
use crate::plan::codegen::skip_empty::passed_over;
use crate::plan::dir_vector::{MAX_SLOTS, VecBinaryOp};
use crate::plan::op::Op;
use crate::plan::op::Stage;
use crate::plan::passes::vectorize::fuse::{fused_filter, fused_union};
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::verify::verified;

/// Rounds in which what became idle by the round before goes.
const ROUNDS: usize = 8;

/// Registers below these belong together in all programs.
#[derive(Clone, Copy, Debug)]
pub struct RegLayout {
    /// The position and the words of the turn.
    pub shared: (u16, u16),
    /// The position alone.
    pub position: (u16, u16),
    /// Which outcomes are asked: truths.
    pub terminal: [Option<NumReg>; 2],
    /// What is compared of complete runs.
    pub value: Option<NumReg>,
}

/// So many operations are done twice rather than jumped to.
const SHORT: usize = 6;

struct Polish {
    linked: Code,
    bounds: RegLayout,
    /// Places that are come to from elsewhere than the place before.
    labels: Vec<bool>,
    /// By operation.
    dropped: Vec<bool>,
    /// By operation: a jump that comes before it.
    before: Vec<Option<Op>>,
    /// Jumps stay as they are.
    structured: bool,
    /// Words of the turn that a program reads which another one wrote.
    carried: Vec<Access>,
}

impl Code {
    /// The same with fewer operations; it tells of no choices.
    pub fn optimized(&self, bounds: RegLayout) -> Code {
        verified(self.polished_as(bounds, false), Stage::Polished)
    }

    /// [`Code::optimized`], but with its branches and rounds as they are laid out.
    pub fn optimized_structured(&self, bounds: RegLayout) -> Code {
        verified(self.polished_as(bounds, true), Stage::Structured)
    }

    fn polished_as(&self, bounds: RegLayout, structured: bool) -> Code {
        let mut linked = self.clone();
        if !structured {
            thread(&mut linked);
            linked = linked.reached();
        }
        let idle = |(at, op): (usize, &Op)| !structured && *op == Op::Jump { to: at as u32 + 1 };
        let dropped = linked.code.iter().enumerate().map(idle).collect();
        let before = vec![None; linked.code.len()];
        let mut polish =
            Polish { linked, bounds, labels: Vec::new(), dropped, before, structured, carried: Vec::new() };
        polish.forget_telling();
        polish.labels = polish.labels();
        polish.read_through_copies();
        let mut life = polish.life();
        for _ in 0..ROUNDS {
            if !polish.drop_idle(&life) {
                break;
            }
            polish.find_again(&mut life);
        }
        if !structured {
            polish.sink(&life);
            polish.find_again(&mut life);
        }
        // What is joined wants at the place of the first operation what it wanted there before.
        polish.join(&life);
        if !structured {
            polish.pass_over_nothing(&life);
        }
        polish.packed()
    }
}

impl Polish {
    /// What is wanted where, and the words of the turn that programs carry on to others.
    fn life(&mut self) -> Life {
        let mut life = Life::begun(&self.linked, 0, self.bounds.shared, |op| self.made_for_runs(op));
        if !self.structured {
            life.find(|access| self.is_of_position(access));
            self.carried = self.carried(&life);
            if self.carried.is_empty() {
                return life;
            }
        }
        life.find(|access| self.carries(access));
        life
    }

    fn find_again(&self, life: &mut Life) {
        life.renew(&self.linked, |op| self.made_for_runs(op));
        life.find(|access| self.carries(access));
    }

    fn carries(&self, access: Access) -> bool {
        self.structured || self.is_of_position(access) || self.carried.contains(&access)
    }

    /// The one register that an operation makes, if the position has no part in it.
    fn made_for_runs(&self, op: &Op) -> Option<Access> {
        let position = self.bounds.position;
        made_alone(op).filter(|made| match made {
            Access::DefSet(reg) => reg.0 >= position.0,
            Access::DefNum(reg) => reg.0 >= position.1,
            _ => false,
        })
    }

    fn is_of_position(&self, access: Access) -> bool {
        match access {
            Access::UseSet(reg) => reg.0 < self.bounds.position.0,
            Access::UseNum(reg) => reg.0 < self.bounds.position.1,
            _ => false,
        }
    }

    /// The words of the turn that are wanted where a program begins, and what is compared of runs.
    fn carried(&self, life: &Life) -> Vec<Access> {
        let RegLayout { shared, position, value, .. } = self.bounds;
        let entries = self.linked.entries.iter();
        let begins =
            entries.flat_map(|seat| [seat.turn, seat.after, seat.end].into_iter().chain(seat.opening.iter().copied()));
        let begins: Vec<usize> = begins.map(|entry| entry as usize).collect();
        let sets = (position.0..shared.0).map(SetReg).filter(|&reg| begins.iter().any(|&at| life.wants_set(at, reg)));
        let numbers = (position.1..shared.1).map(NumReg);
        let numbers = numbers.filter(|&reg| value == Some(reg) || begins.iter().any(|&at| life.wants_number(at, reg)));
        sets.map(Access::UseSet).chain(numbers.map(Access::UseNum)).collect()
    }

    fn code(&self) -> &[Op] {
        &self.linked.code
    }

    /// In place of an operation that goes away: to the next.
    fn drop(&mut self, at: usize) {
        self.linked.code[at] = Op::Jump { to: at as u32 + 1 };
        self.dropped[at] = true;
    }

    fn is_dropped(&self, at: usize) -> bool {
        self.dropped[at]
    }

    /// Whether a run acts is asked only of runs that pass.
    fn forget_telling(&mut self) {
        let passes = self.places(|op| *op == Op::Passed);
        let acts = self.places(|op| *op == Op::Acted);
        let behind_pass = self.linked.seen_from(passes.clone());
        for at in acts {
            let before_pass =
                || self.linked.seen_from(vec![at]).iter().zip(self.code()).any(|(seen, op)| *seen && *op == Op::Passed);
            if passes.is_empty() || !behind_pass[at as usize] && !before_pass() {
                self.drop(at as usize);
            }
        }
        for at in self.places(|op| matches!(op, Op::Annotate { .. })) {
            self.drop(at as usize);
        }
    }

    fn places(&self, which: impl Fn(&Op) -> bool) -> Vec<u32> {
        (0..).zip(self.code()).filter(|(_, op)| which(op)).map(|(at, _)| at).collect()
    }

    fn labels(&self) -> Vec<bool> {
        let mut labels = vec![false; self.code().len() + 1];
        let mut label = |at: u32| labels[at as usize] = true;
        for at in (0..self.code().len()).filter(|&at| !self.is_dropped(at)) {
            self.code()[at].target().into_iter().for_each(&mut label);
        }
        for point in &self.linked.points {
            point.arms.iter().for_each(|arm| label(arm.entry));
            point.cells.iter().for_each(|cells| label(cells.entry));
        }
        self.linked.alternatives.iter().flat_map(|split| &split.blocks).for_each(|block| label(*block));
        for EntryPoints { turn, opening, after, end, .. } in &self.linked.entries {
            [turn, after, end].into_iter().chain(opening).for_each(|entry| label(*entry));
        }
        labels
    }

    /// What is read of a copy is read of what it was copied from, as far as that stands.
    fn read_through_copies(&mut self) {
        for at in 0..self.code().len() {
            match self.code()[at] {
                Op::Copy { d, a } if d != a => self.read_through(at, Access::UseSet(d), Access::UseSet(a)),
                Op::CopyNum { d, a } if d != a => self.read_through(at, Access::UseNum(d), Access::UseNum(a)),
                _ => {}
            }
        }
    }

    fn read_through(&mut self, copy: usize, d: Access, a: Access) {
        for at in copy + 1..self.code().len() {
            if self.labels[at] {
                return;
            }
            let op = self.code()[at];
            if self.is_dropped(at) {
                continue;
            }
            let (mut reads, mut keeps_d, mut keeps_a) = (false, true, true);
            op.accesses(|access| {
                reads |= access == d;
                keeps_d &= !self.writes(access, d);
                keeps_a &= !self.writes(access, a);
            });
            if reads && keeps_d && !matches!(op, Op::Choice { .. } | Op::First { .. }) {
                let set = |reg: SetReg| {
                    if let (Access::UseSet(from), Access::UseSet(to)) = (d, a)
                        && reg == from
                    {
                        to
                    } else {
                        reg
                    }
                };
                let number = |reg: NumReg| {
                    if let (Access::UseNum(from), Access::UseNum(to)) = (d, a)
                        && reg == from
                    {
                        to
                    } else {
                        reg
                    }
                };
                if is_plain(&op) {
                    self.linked.code[at] = op.renamed(set, number);
                }
            }
            if !keeps_d || !keeps_a || !op.goes_on() {
                return;
            }
        }
    }

    /// The access writes the register that another one reads.
    fn writes(&self, access: Access, read: Access) -> bool {
        match (access, read) {
            (Access::DefSet(reg), Access::UseSet(read)) => reg == read,
            (Access::DefNum(reg), Access::UseNum(read)) => reg == read,
            (Access::Pieces, Access::UseSet(read)) => read.0 < self.bounds.shared.0,
            _ => false,
        }
    }

    /// Drops what is computed for nobody and asked for nothing, and computes what is copied at once
    /// where it goes, last to first; whether other registers are wanted now.
    fn drop_idle(&mut self, life: &Life) -> bool {
        let mut changed = false;
        for at in (0..self.code().len()).rev() {
            let op = self.code()[at];
            if self.is_dropped(at) {
                continue;
            }
            if op.only_asks() && op.target().map(|to| self.landing(to)) == Some(self.landing(at as u32 + 1)) {
                self.drop(at);
                changed = true;
                continue;
            }
            let Some(made) = made_alone(&op) else { continue };
            if self.made_for_runs(&op).is_some() && !wanted(life, at + 1, made) {
                self.drop(at);
                continue;
            }
            let next = self.behind_dropped(at);
            let moved = match (self.code()[next], made) {
                (Op::Copy { d, a }, Access::DefSet(reg)) if a == reg && !self.labels[next] => Some(Access::DefSet(d)),
                (Op::CopyNum { d, a }, Access::DefNum(reg)) if a == reg && !self.labels[next] => {
                    Some(Access::DefNum(d))
                }
                _ => None,
            };
            if let Some(to) = moved
                && !wanted(life, next + 1, made)
                && self.between_is_open(at, next)
                && let Some(op) = moved_to(&op, made, to)
            {
                self.linked.code[at] = op;
                self.drop(next);
                changed = true;
            }
        }
        changed
    }

    /// Computes nothing before it is wanted.
    fn sink(&mut self, life: &Life) {
        let Polish { linked, dropped, labels, bounds, .. } = self;
        let (stood, RegLayout { shared, terminal: judging, .. }) = ((0..linked.code.len()).collect(), *bounds);
        Row { code: &mut linked.code, stood, dropped, labels, shared, judging }.sink(life);
    }

    /// The next operation that is not dropped.
    fn behind_dropped(&self, at: usize) -> usize {
        (at + 1..self.code().len()).find(|&at| !self.is_dropped(at)).unwrap_or(at)
    }

    /// Nothing comes in between two places from elsewhere.
    fn between_is_open(&self, from: usize, to: usize) -> bool {
        from < to && (from + 1..=to).all(|at| !self.labels[at])
    }

    /// Where men are taken off, what does nothing if there are none is passed over then.
    fn pass_over_nothing(&mut self, life: &Life) {
        for at in 0..self.code().len() {
            if let Some((cells, end)) = passed_over(self.code(), &self.labels, life, at) {
                self.before[at] = Some(Op::BranchIfEmpty { a: cells, to: end as u32 });
                self.labels[end] = true;
            }
        }
    }

    /// Joins an operation with the next where one does for both. From the end, so that what is
    /// joined is joined again.
    fn join(&mut self, life: &Life) {
        for at in (0..self.code().len()).rev() {
            while self.join_at(life, at) {}
            if self.structured {
                self.join_rows(life, at);
            } else {
                self.part_at(at);
            }
        }
    }

    /// Joins steps along several directions with what is done with all that they lead to.
    fn join_rows(&mut self, life: &Life, at: usize) {
        let next = self.behind_dropped(at);
        if self.is_dropped(at) || !self.between_is_open(at, next) {
            return;
        }
        let (first, second) = (self.code()[at], self.code()[next]);
        let wanted = |reg| life.wants_set(next + 1, reg);
        if let Some(joined) = fused_filter(first, second, wanted).or_else(|| fused_union(first, second, wanted)) {
            self.linked.code[at] = joined;
            self.drop(next);
        }
    }

    /// Joins two operations of which one finds what is in a set and the other what is not.
    fn part_at(&mut self, at: usize) {
        let next = self.behind_dropped(at);
        if self.is_dropped(at) || !self.between_is_open(at, next) {
            return;
        }
        if let Some(parted) = parted(&self.code()[at], &self.code()[next]) {
            self.linked.code[at] = parted;
            self.drop(next);
        }
    }

    fn join_at(&mut self, life: &Life, at: usize) -> bool {
        let next = self.behind_dropped(at);
        if self.is_dropped(at) || !self.between_is_open(at, next) {
            return false;
        }
        let (first, second) = (self.code()[at], self.code()[next]);
        let Some(made) = made_alone(&first) else { return false };
        let mut idle = !wanted(life, next + 1, made) || made_alone(&second) == Some(made);
        idle &= second.target().is_none_or(|to| !wanted(life, to as usize, made));
        let joined =
            joined(&first, &second).or_else(|| if self.structured { None } else { joined_jump(&first, &second) });
        let Some(joined) = joined.filter(|_| idle) else { return false };
        self.linked.code[at] = joined;
        self.drop(next);
        true
    }

    /// The code without what was dropped.
    fn packed(self) -> Code {
        let (mut code, mut places) = (Vec::with_capacity(self.code().len()), Vec::with_capacity(self.code().len()));
        for at in 0..self.code().len() {
            places.push(code.len() as u32);
            self.lay(at, &mut code);
        }
        let landings: Vec<u32> = (0..self.code().len() as u32).map(|at| places[self.landing(at) as usize]).collect();
        self.linked.laid_out(code, |at| landings[at as usize])
    }

    /// Lays out what stands for an operation: itself, nothing, or for a jump the few operations
    /// that it leads to, if the run ends with them.
    fn lay(&self, at: usize, code: &mut Vec<Op>) {
        code.extend(self.before[at]);
        match self.code()[at] {
            _ if self.is_dropped(at) => {}
            Op::Jump { to } if !self.structured => match self.short_end(to) {
                Some(end) => code.extend(end),
                None => code.push(self.code()[at]),
            },
            op => code.push(op),
        }
    }

    fn short_end(&self, from: u32) -> Option<SmallVec<[Op; SHORT]>> {
        let (mut at, mut ops) = (self.landing(from), SmallVec::new());
        while ops.len() < SHORT {
            let op = self.code()[at as usize];
            ops.push(op);
            if op == Op::End {
                return Some(ops);
            }
            if !op.goes_on() || op.target().is_some() {
                return None;
            }
            at = self.landing(at + 1);
        }
        None
    }

    /// Where a run comes to that goes on at a place: past what is dropped, and where jumps lead.
    fn landing(&self, at: u32) -> u32 {
        let mut at = at;
        for _ in 0..self.code().len() {
            match self.code()[at as usize] {
                Op::Jump { to } if !self.structured || self.is_dropped(at as usize) => at = to,
                _ => break,
            }
        }
        at
    }
}

pub(crate) fn wanted(life: &Life, at: usize, made: Access) -> bool {
    match made {
        Access::DefSet(reg) => life.wants_set(at, reg),
        Access::DefNum(reg) => life.wants_number(at, reg),
        _ => true,
    }
}

/// Its registers are operands of its own, not parts of a row or of a choice.
pub(crate) fn is_plain(op: &Op) -> bool {
    let looks =
        matches!(op, Op::VecShift { .. } | Op::VecKeepIf { .. } | Op::VecRayFill { .. } | Op::VecSlidingReach { .. });
    !looks && !matches!(op, Op::VecBinary { .. } | Op::VecPartition { .. } | Op::VecUnion { .. })
}

/// The one register that an operation writes which does nothing else.
pub(crate) fn made_alone(op: &Op) -> Option<Access> {
    let does_more = matches!(
        op,
        Op::Arithmetic { .. }
            | Op::Coordinate { .. }
            | Op::LineBetween { .. }
            | Op::Stuck { .. }
            | Op::NextCell { .. }
            | Op::NextGroup { .. }
            | Op::LoopBack { .. }
            | Op::BranchUnlessRayQuery { .. }
            | Op::SampleCell { .. }
            | Op::SampleAndNotBoth { .. }
            | Op::SampleOnto { .. }
    );
    let (mut made, mut more) = (None, does_more || !is_plain(op) && !matches!(op, Op::VecUnion { .. }));
    op.accesses(|access| match access {
        Access::DefSet(_) | Access::DefNum(_) => more |= made.replace(access).is_some(),
        Access::Pieces => more = true,
        Access::UseSet(_) | Access::UseNum(_) | Access::Position => {}
    });
    made.filter(|_| !more)
}

/// What the operation makes is a truth.
pub(crate) fn is_truth(op: &Op) -> bool {
    matches!(
        op,
        Op::Compare { .. }
            | Op::Not { .. }
            | Op::TestBit { .. }
            | Op::NonEmpty { .. }
            | Op::NonEmptyAndNotBoth { .. }
            | Op::Intersects { .. }
            | Op::NonEmptySubset { .. }
            | Op::Equal { .. }
            | Op::InLine { .. }
            | Op::Stuck { .. }
    )
}

/// An operation that writes another register instead; `None`: it reads the one it writes.
fn moved_to(op: &Op, made: Access, to: Access) -> Option<Op> {
    let mut reads = false;
    op.accesses(|access| match (access, made) {
        (Access::UseSet(reg), Access::DefSet(made)) => reads |= reg == made,
        (Access::UseNum(reg), Access::DefNum(made)) => reads |= reg == made,
        _ => {}
    });
    if reads {
        return None;
    }
    let set = |reg: SetReg| {
        if let (Access::DefSet(from), Access::DefSet(to)) = (made, to)
            && reg == from
        {
            to
        } else {
            reg
        }
    };
    let number = |reg: NumReg| {
        if let (Access::DefNum(from), Access::DefNum(to)) = (made, to)
            && reg == from
        {
            to
        } else {
            reg
        }
    };
    Some(op.renamed(set, number))
}

/// One operation that finds both what is in a set and what is not, for two that do.
fn parted(first: &Op, second: &Op) -> Option<Op> {
    match (*first, *second) {
        (Op::AndNot { d, a, b }, Op::And { d: e, a: of, b: among }) if d != a && d != b && d != e => {
            ((of, among) == (a, b) || (of, among) == (b, a)).then_some(Op::Partition { d, e, a, b })
        }
        (
            Op::VecBinary { pairing: VecBinaryOp::Without, d, a, b, lanes, wide },
            Op::VecBinary { pairing: VecBinaryOp::And, d: e, a: of, b: among, lanes: same, wide: as_wide },
        ) if (a, b, lanes, wide) == (of, among, same, as_wide) => {
            let apart = |x: SetReg, y: SetReg| x.0.abs_diff(y.0) >= u16::from(MAX_SLOTS as u8);
            let all_apart = apart(d, e) && [d, e].iter().all(|made| apart(*made, a) && apart(*made, b));
            all_apart.then_some(Op::VecPartition { d, e, a, b, lanes, wide })
        }
        _ => None,
    }
}

/// The same as [`joined`], of operations that no branch is laid out with.
fn joined_jump(first: &Op, second: &Op) -> Option<Op> {
    match (*first, *second) {
        (Op::AndNotBoth { d, of, a, b }, Op::BranchIfNonEmpty { a: left, to }) if d == left => {
            Some(Op::BranchIfNonEmptyAndNotBoth { of, a, b, to })
        }
        _ => None,
    }
}

/// One operation that does what two do of which the first makes what the second alone reads.
pub(crate) fn joined(first: &Op, second: &Op) -> Option<Op> {
    Some(match (*first, *second) {
        (Op::Or { d, a, b }, Op::AndNot { d: to, a: of, b: men }) if d == men && d != of => {
            Op::AndNotBoth { d: to, of, a, b }
        }
        (Op::And { d, a, b }, Op::AndNot { d: to, a: of, b: men }) if d == men && d != of && [a, b].contains(&of) => {
            Op::AndNot { d: to, a: of, b: if a == of { b } else { a } }
        }
        (Op::AndNot { d, a, b }, Op::Or { d: to, a: left, b: into }) if d == left && d != into => {
            Op::Replace { d: to, a, out: b, into }
        }
        (Op::AndNotBoth { d, of, a, b }, Op::NonEmpty { d: to, a: left }) if d == left => {
            Op::NonEmptyAndNotBoth { d: to, of, a, b }
        }
        (Op::Not { d, a }, Op::BranchIfZero { n, to }) if d == n => Op::BranchIfNonZero { n: a, to },
        (Op::NonEmpty { d, a }, Op::BranchIfZero { n, to }) if d == n => Op::BranchIfEmpty { a, to },
        (Op::NonEmpty { d, a }, Op::BranchIfNonZero { n, to }) if d == n => Op::BranchIfNonEmpty { a, to },
        (Op::Intersects { d, a, b }, Op::BranchIfZero { n, to }) if d == n => Op::BranchIfDisjoint { a, b, to },
        (Op::Compare { cmp, d, a, b }, Op::BranchIfZero { n, to }) if d == n => {
            Op::BranchUnlessCompare { cmp, a, b, to }
        }
        _ => return None,
    })
}
