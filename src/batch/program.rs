//! A row of operations with jumps goes in; the same with marks for where lanes part and come together again comes out.
//!
//! Jumps only ever come from structured control flow, so each place where lanes part has one where they meet.

use std::collections::BTreeMap;

use super::draw::MOST_OPTIONS;
use crate::ir::{Access, Bound, Linked, LinkedArm, N, Op, Options, Point, REGISTERS, S};

/// Registers beside those of the program.
pub const ASIDE: usize = 3;
/// One that is always empty.
pub const NOTHING: S = S((REGISTERS + 2) as u16);

/// An operation for many games, or a mark of control flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// `blend`: lanes that are not meant must keep what they have.
    Do {
        op: Op,
        blend: bool,
    },
    /// Lanes whose number is 0 go to the other branch, at `to`.
    If {
        n: N,
        to: u32,
    },
    /// The other branch begins; `to`: where it ends.
    Else {
        to: u32,
    },
    Join,
    /// Lanes part for rounds.
    Rounds,
    /// Lanes whose number is not 0 go round again.
    Again {
        op: Op,
        to: u32,
    },
    /// The next cell or group of each lane; lanes without one are done. The rounds end at `to` when all are.
    Next {
        op: Op,
        to: u32,
    },
    Back {
        to: u32,
    },
    /// `cell`: where all arms put the cell that is chosen, if they have one place; `fell`: where the lanes of the first arm are noted.
    Choose {
        point: u32,
        cell: Option<S>,
        fell: u32,
    },
    /// Lanes whose number falls to this arm; the only one, if `fell` is not given.
    Arm {
        point: u32,
        arm: u16,
        fell: Option<u32>,
        to: u32,
    },
    /// Lanes whose number falls to an arm, where the cell that is chosen was put by the choice.
    Way {
        fell: u32,
        to: u32,
    },
    /// The arms of a choice end.
    Chosen,
    /// A `first`.
    Split {
        index: u32,
    },
    Try {
        last: bool,
        to: u32,
    },
    Tried,
    Met,
    Need {
        n: N,
    },
    /// No choice follows: lanes whose number wants one have drawn in vain.
    Last,
    Fail,
    End,
}

/// The programs of a game.
#[derive(Debug)]
pub struct Program {
    pub steps: Vec<Step>,
    /// By seat.
    pub entries: Vec<Entries>,
    /// Why one game after the other is likely to be as fast.
    pub slow: Option<&'static str>,
    /// Arms of all choices.
    pub arms: usize,
}

#[derive(Debug)]
pub struct Entries {
    pub turn: Entry,
    pub opening: Vec<Entry>,
    pub after: Option<u32>,
    pub end: u32,
}

/// Where the program of a turn begins.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub at: u32,
    /// A lane that does not complete the turn has neither drawn nor changed what stands on the board.
    pub calm: bool,
}

/// What keeps a game from being played in lock step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unbatched(pub &'static str);

impl Program {
    pub fn new(linked: &Linked, shared: (u16, u16)) -> Result<Program, Unbatched> {
        let mut rounds: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (at, op) in linked.code.iter().enumerate() {
            if let Op::Again { to, .. } = op {
                rounds.entry(*to).or_default().push(at as u32);
            }
        }
        for point in &linked.points {
            let fine = point.arms.iter().all(|arm| fits(&arm.bound) || arm.unbounded);
            let groups = point.arms.iter().any(|arm| matches!(arm.options, Options::Groups { .. }));
            if !fine || groups || point.arms.is_empty() {
                return Err(Unbatched("a choice of groups, or with very large bounds"));
            }
        }
        let mut fell = Vec::with_capacity(linked.points.len());
        let mut arms = 0;
        for point in &linked.points {
            fell.push(arms);
            arms += point.arms.len() as u32;
        }
        let mut laying = Laying { linked, rounds, shared, fell, steps: Vec::new(), depth: 0 };
        let mut entries = Vec::new();
        for seat in &linked.entries {
            let is_empty = linked.code[seat.after as usize] == Op::End;
            let turn = laying.turn(seat.turn, is_empty)?;
            let opening = seat.opening.iter().map(|&entry| laying.turn(entry, is_empty)).collect::<Result<_, _>>()?;
            let after = if is_empty { None } else { Some(laying.program(seat.after)?) };
            let end = laying.program(seat.end)?;
            entries.push(Entries { turn, opening, after, end });
        }
        let slow = linked.points.iter().find_map(slowness);
        Ok(Program { steps: laying.steps, entries, slow, arms: arms as usize })
    }
}

/// Arms of a choice that many lanes draw in vain are paid for by all lanes.
const MANY_ARMS: usize = 8;

/// What makes turns that come upon a choice slow in lock step.
fn slowness(point: &Point) -> Option<&'static str> {
    if point.sure {
        return None;
    }
    // Numbers of runs that are not there fall to arms that have a bound.
    let in_vain = || 3 * point.arms.iter().filter(|arm| arm.known_bound != Some(1)).count() >= point.arms.len();
    match point.arms.as_slice() {
        arms if arms.iter().any(|arm| arm.unbounded) => Some("choices whose runs are gone through"),
        arms if arms.len() >= MANY_ARMS && in_vain() => Some("choices of many ways that are mostly drawn in vain"),
        _ => None,
    }
}

/// No lane leaves at the operation.
fn goes_on(op: &Op) -> bool {
    use Op::*;
    matches!(
        op,
        Copy { .. }
            | And { .. }
            | Or { .. }
            | Without { .. }
            | Keep { .. }
            | Select { .. }
            | Hop { .. }
            | Shift { .. }
            | Around { .. }
            | Fill { .. }
            | Flood { .. }
            | Steps { .. }
            | Sight { .. }
            | Rows { .. }
            | Complete { .. }
            | FanStep { .. }
            | FanFill { .. }
            | FanPair { .. }
            | FanUnion { .. }
            | Clear { .. }
            | Carry { .. }
            | Flip { .. }
            | Follow { .. }
            | InRow { .. }
            | Number { .. }
            | Move { .. }
            | Not { .. }
            | Both { .. }
            | Either { .. }
            | Less { .. }
            | Bit { .. }
            | CountBits { .. }
            | Choose { .. }
            | Some { .. }
            | Count { .. }
            | CountGroups { .. }
            | Meet { .. }
            | Within { .. }
            | Same { .. }
            | Compare { .. }
            | Passed
            | Acted
            | PlayAgain
    )
}

/// No sum over arms of products of options and bounds leaves 64 bits, whatever the sets: they have fewer than 2^10 cells, and there are fewer
/// than 2^12 arms and terms.
fn fits(bound: &Bound) -> bool {
    let options = MOST_OPTIONS.ilog2() + 1;
    bound.terms.iter().all(|term| u64::BITS - term.known.leading_zeros() + 10 * term.sizes.len() as u32 + options <= 52)
}

struct Laying<'a> {
    linked: &'a Linked,
    /// By the operation that rounds begin with: where they end.
    rounds: BTreeMap<u32, Vec<u32>>,
    shared: (u16, u16),
    /// By choice: the number of its first arm among those of all choices.
    fell: Vec<u32>,
    steps: Vec<Step>,
    depth: u32,
}

impl Laying<'_> {
    fn program(&mut self, entry: u32) -> Result<u32, Unbatched> {
        let at = self.at();
        let code = &self.linked.code[entry as usize..];
        let length = code.iter().position(|op| *op == Op::End).ok_or(Unbatched("a program without an end"))?;
        self.depth = 0;
        self.block(entry, entry + length as u32)?;
        self.steps.push(Step::End);
        Ok(at)
    }

    /// A turn, behind which something ages or leaves, or not.
    fn turn(&mut self, entry: u32, is_last: bool) -> Result<Entry, Unbatched> {
        let at = self.program(entry)?;
        Ok(Entry { at, calm: is_last && self.is_calm(&self.steps[at as usize..]) })
    }

    /// Whatever ends a run comes before all that it changes.
    fn is_calm(&self, steps: &[Step]) -> bool {
        let asks_stuck = self.linked.code.iter().any(|op| matches!(op, Op::Stuck { .. }));
        let mut changed = false;
        for step in steps {
            match step {
                Step::Do { op: Op::Passed, .. } if asks_stuck => return false,
                Step::Do { op, .. } if changed && !goes_on(op) => return false,
                Step::Do { op, .. } => changed |= self.writes_shared(op),
                Step::Choose { point, .. } if changed || !self.linked.points[*point as usize].sure => return false,
                Step::Choose { .. } => changed = true,
                Step::Need { .. } | Step::Fail if changed => return false,
                Step::Split { .. } | Step::Again { .. } | Step::Next { .. } => return false,
                _ => {}
            }
        }
        true
    }

    fn at(&self) -> u32 {
        self.steps.len() as u32
    }

    fn push(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    fn aim(&mut self, step: usize) {
        let here = self.at();
        match &mut self.steps[step] {
            Step::If { to, .. }
            | Step::Else { to }
            | Step::Next { to, .. }
            | Step::Arm { to, .. }
            | Step::Way { to, .. }
            | Step::Try { to, .. } => *to = here,
            _ => {}
        }
    }

    fn nested(&mut self, from: u32, to: u32) -> Result<(), Unbatched> {
        self.depth += 1;
        let laid = self.block(from, to);
        self.depth -= 1;
        laid
    }

    /// The block that a jump forward leaves: where it ends, and where the jump goes.
    fn leave(&self, from: u32, end: u32) -> Option<u32> {
        match end.checked_sub(1).filter(|&last| last >= from).map(|last| self.linked.code[last as usize]) {
            Some(Op::Jump { to }) if to >= end => Some(to),
            _ => None,
        }
    }

    fn block(&mut self, from: u32, to: u32) -> Result<(), Unbatched> {
        let mut at = from;
        while at < to {
            at = self.node(at, to)?;
        }
        Ok(())
    }

    /// Lays out what begins at a place; gives the place behind it.
    fn node(&mut self, at: u32, end: u32) -> Result<u32, Unbatched> {
        if let Some(again) = self.rounds.get_mut(&at).and_then(Vec::pop) {
            self.push(Step::Rounds);
            let to = self.at();
            self.nested(at, again)?;
            self.push(Step::Again { op: self.linked.code[again as usize], to });
            return Ok(again + 1);
        }
        match self.linked.code[at as usize] {
            Op::Unless { n, to: skipped } => {
                let left = self.leave(at + 1, skipped);
                let test = self.push(Step::If { n, to: 0 });
                self.nested(at + 1, if left.is_some() { skipped - 1 } else { skipped })?;
                self.aim(test);
                let other = self.push(Step::Else { to: 0 });
                let join = left.unwrap_or(skipped);
                self.nested(skipped, join)?;
                self.aim(other);
                self.push(Step::Join);
                Ok(join)
            }
            op @ (Op::NextCell { to: out, .. } | Op::NextGroup { to: out, .. }) => {
                self.push(Step::Rounds);
                let to = self.at();
                let head = self.push(Step::Next { op, to: 0 });
                self.nested(at + 1, out - 1)?;
                self.push(Step::Back { to });
                self.aim(head);
                self.push(Step::Join);
                Ok(out)
            }
            Op::Choice { index } => self.choice(index, end),
            Op::First { index } => self.split(index, end),
            Op::Need { n } => {
                self.push(Step::Need { n });
                Ok(at + 1)
            }
            Op::Fail => {
                self.push(Step::Fail);
                Ok(at + 1)
            }
            Op::CompareSizes { .. } => Err(Unbatched("the sizes of groups in order")),
            Op::Jump { .. } | Op::Again { .. } | Op::End => Err(Unbatched("a jump out of place")),
            Op::Last => {
                self.push(Step::Last);
                Ok(at + 1)
            }
            // Only told, or asked where runs are explored.
            Op::Tell { .. } | Op::Safe => Ok(at + 1),
            op => {
                let op = self.apart(op);
                let blend = self.depth > 0 || self.writes_shared(&op);
                self.push(Step::Do { op, blend });
                Ok(at + 1)
            }
        }
    }

    /// What takes men off or moves them reads cells that are no men themselves: they change register by register.
    fn apart(&mut self, op: Op) -> Op {
        let shared = self.shared.0;
        let mut aside = |cells: S, to: u16| {
            if cells.0 >= shared {
                return cells;
            }
            let d = S(REGISTERS as u16 + to);
            self.push(Step::Do { op: Op::Copy { d, a: cells }, blend: self.depth > 0 });
            d
        };
        match op {
            Op::Clear { cells } => Op::Clear { cells: aside(cells, 0) },
            Op::Flip { cells, player } => Op::Flip { cells: aside(cells, 0), player },
            Op::Carry { from, to } => {
                let from = aside(from, 0);
                Op::Carry { from, to: aside(to, 1) }
            }
            op => op,
        }
    }

    fn writes_shared(&self, op: &Op) -> bool {
        let mut shared = false;
        op.accesses(|access| {
            shared |= match access {
                Access::WriteSet(S(reg)) => reg < self.shared.0,
                Access::Write(N(reg)) => reg < self.shared.1,
                Access::Men => true,
                Access::ReadSet(_) | Access::Read(_) | Access::Position => false,
            }
        });
        shared
    }

    fn choice(&mut self, point: u32, end: u32) -> Result<u32, Unbatched> {
        let linked = self.linked;
        let (arms, fell) = (&linked.points[point as usize].arms, self.fell[point as usize]);
        let place = |arm: &LinkedArm| if let Options::Cells { cell, .. } = arm.options { Some(cell) } else { None };
        let cell = arms.first().and_then(place).filter(|cell| arms.iter().all(|arm| place(arm) == Some(*cell)));
        self.push(Step::Choose { point, cell, fell });
        if let [only] = arms.as_slice() {
            if cell.is_none() {
                self.push(Step::Arm { point, arm: 0, fell: None, to: 0 });
            }
            return Ok(only.entry);
        }
        let mut join = end;
        for (index, arm) in arms.iter().enumerate() {
            let fell = fell + index as u32;
            let step = match cell {
                Some(_) => Step::Way { fell, to: 0 },
                None => Step::Arm { point, arm: index as u16, fell: Some(fell), to: 0 },
            };
            let head = self.push(step);
            match arms.get(index + 1) {
                Some(next) => {
                    join = self.leave(arm.entry, next.entry).ok_or(Unbatched("an arm that is not left"))?;
                    self.nested(arm.entry, next.entry - 1)?;
                }
                None => self.nested(arm.entry, join)?,
            }
            self.aim(head);
        }
        self.push(Step::Chosen);
        Ok(join)
    }

    fn split(&mut self, index: u32, end: u32) -> Result<u32, Unbatched> {
        let linked = self.linked;
        let blocks = &linked.splits[index as usize].blocks;
        let (Some(&first), Some(&last)) = (blocks.first(), blocks.last()) else { return Err(Unbatched("an empty `first`")) };
        let mut join = end;
        if first != last {
            let next = blocks[1];
            join = self.leave(first, next).ok_or(Unbatched("a `first` that is not left"))?;
        }
        self.push(Step::Split { index });
        for (index, &block) in blocks.iter().enumerate() {
            let to = blocks.get(index + 1).copied().unwrap_or(join);
            let head = self.push(Step::Try { last: index + 1 == blocks.len(), to: 0 });
            // The last jump may belong to what stands around.
            let to = if self.leave(block, to).is_some() { to - 1 } else { to };
            self.nested(block, to)?;
            self.aim(head);
            self.push(Step::Tried);
        }
        self.push(Step::Met);
        Ok(join)
    }
}
