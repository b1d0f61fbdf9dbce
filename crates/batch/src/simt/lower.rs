//! SIMT lowering: linear code goes in; lane code comes out, with marks for where lanes diverge and
//! converge.
//!
//! Jumps only ever come from structured control flow, so each place where lanes part has one where
//! they meet.

use std::collections::BTreeMap;

use crate::plan::{
    Access, ArmTarget, ChoicePoint, Code, EarlyReject, LinearOp, MaskedShift, NumReg, Options, REGISTERS, SetReg,
};
use crate::simt::analysis::atomic::atomicity;
use crate::simt::analysis::rank_range::fits;
use crate::simt::analysis::ray_reuse::take_runs;
use crate::simt::analysis::sparse_ops::mark_sparse;
use crate::simt::analysis::unmasked::change_for_all;
use crate::simt::analysis::window_reuse::keep_cuts;
use crate::simt::code::{Atomicity, Entries, Entry, Live, MergedShift, Nearby, Program, SimtOp, Ways, WriteSet};
use crate::simt::interface::Unbatched;
use crate::simt::kernels::ops::{Test, is_only_told, is_straight, keeps_all};
use crate::simt::tuning::MAX_FORKS_TRACKED;

impl Program {
    /// `shared`: so many registers last from turn to turn; `men`: those of them that hold men and
    /// what goes with these; `cut_sets`: of how many of its sets an operation cuts words out, near
    /// single cells; `ways`: how a row of runs stands to a trail.
    pub fn new(
        linked: &Code,
        hops: &[MaskedShift],
        (shared, men): ((u16, u16), &[usize]),
        cut_sets: impl Fn(&LinearOp) -> usize,
        ways: impl Fn(u16, u16) -> Option<Ways>,
    ) -> Result<Program, Unbatched> {
        let mut rounds: BTreeMap<u32, Vec<Round>> = BTreeMap::new();
        for (at, op) in linked.code.iter().enumerate() {
            if let LinearOp::LoopBack { n, counter, to, .. } = *op {
                rounds.entry(to).or_default().push(Round { end: at as u32, n, counter });
            }
        }
        for point in &linked.points {
            let groups = point.arms.iter().any(|arm| matches!(arm.options, Options::Groups { .. }));
            if !fits(point) || groups || point.arms.is_empty() {
                return Err(Unbatched::Has("a choice of groups, or with very large bounds"));
            }
        }
        let mut lowering = Lowering {
            linked,
            hops,
            rounds,
            shared,
            along: Vec::new(),
            steps: Vec::new(),
            depth: 0,
            forks: 0,
            chosen: false,
        };
        let (mut entries, mut live, mut cuts) = (Vec::new(), Vec::new(), 0);
        for seat in &linked.entries {
            let begun = lowering.steps.len();
            let is_empty = linked.code[seat.after as usize] == LinearOp::End;
            let mut turn = lowering.turn(seat.turn, is_empty)?;
            let mut opening =
                seat.opening.iter().map(|&entry| lowering.turn(entry, is_empty)).collect::<Result<Vec<_>, _>>()?;
            let continuations = seat.continuations.iter().map(|&entry| lowering.turn(entry, is_empty));
            let mut continuations = continuations.collect::<Result<Vec<_>, _>>()?;
            let after = if is_empty { None } else { Some(lowering.program(seat.after)?) };
            let end = lowering.program(seat.end)?;
            let programs: Vec<u32> = [Some(turn.at), after, Some(end)].into_iter().flatten().collect();
            let suspended: Vec<u32> = continuations.iter().map(|entry| entry.at).collect();
            // Nothing is known of what was played before what follows a continuation.
            let (first, rest) = programs.split_at(if suspended.is_empty() { programs.len() } else { 1 });
            for programs in suspended.chunks(1).chain([first, rest]) {
                take_runs(&mut lowering.steps, programs, &linked.points, &ways);
                cuts = keep_cuts(&mut lowering.steps, programs, &linked.points, cuts, &cut_sets);
                mark_sparse(&mut lowering.steps, programs, &cut_sets);
            }
            let others: Vec<u32> = opening.iter().map(|entry| entry.at).chain(suspended).collect();
            let found = change_for_all(&mut lowering.steps, (&others, &programs), (linked, &lowering.along), shared);
            live.extend_from_slice(&found[begun..lowering.steps.len()]);
            for entry in opening.iter_mut().chain(&mut continuations).chain([&mut turn]) {
                let steps =
                    [Some(entry.at), after].into_iter().flatten().flat_map(|from| steps_from(&lowering.steps, from));
                entry.changes = WriteSet::of(steps, (linked, &lowering.along), shared, men);
            }
            entries.push(Entries { turn, opening, continuations, after, end });
        }
        let supposes = |op: &LinearOp| matches!(op, LinearOp::StuckBehind { .. });
        let supposed = linked.code.iter().any(supposes).then_some("turns that ask who would be stuck behind them");
        let slow = linked.points.iter().find_map(slowness).or(supposed);
        let needs_arm = |point: usize| {
            let parts =
                |step: &SimtOp| matches!(*step, SimtOp::Choose { point: of, parts: true, .. } if of as usize == point);
            lowering.along.iter().any(|along| along.point as usize == point) || lowering.steps.iter().any(parts)
        };
        let needs_arm = (0..linked.points.len()).map(needs_arm).collect();
        live.push(Live::default());
        Ok(Program {
            steps: lowering.steps,
            live,
            entries,
            slow,
            along: lowering.along,
            needs_arm,
            cuts,
            forks: lowering.forks,
        })
    }
}

/// The steps of a program.
fn steps_from(steps: &[SimtOp], from: u32) -> impl Iterator<Item = &SimtOp> {
    steps[from as usize..].iter().take_while(|step| !matches!(step, SimtOp::End { .. }))
}

/// What makes turns that come upon a choice slow in lock step.
fn slowness(point: &ChoicePoint) -> Option<&'static str> {
    let gone_through = !point.infallible && point.classes.iter().any(|class| class.unbounded);
    let capped = matches!(point.early_reject, Some(EarlyReject { aims: false, .. }));
    let given_up = capped.then_some("numbers that are mostly given up when a cell was chosen");
    if gone_through { Some("choices whose runs are gone through") } else { given_up }
}

/// Arms of a choice, from the first to that before `until`, that are done together.
struct Way {
    from: usize,
    until: usize,
    along: Option<MergedShift>,
}

/// Rounds of linear code: the place of the operation that goes back, and what it asks and counts.
struct Round {
    end: u32,
    n: NumReg,
    counter: NumReg,
}

struct Lowering<'a> {
    linked: &'a Code,
    hops: &'a [MaskedShift],
    /// By the operation that they begin with.
    rounds: BTreeMap<u32, Vec<Round>>,
    shared: (u16, u16),
    along: Vec<MergedShift>,
    steps: Vec<SimtOp>,
    depth: u32,
    /// So many forks there are already; something has been chosen.
    forks: u8,
    chosen: bool,
}

impl Lowering<'_> {
    fn program(&mut self, entry: u32) -> Result<u32, Unbatched> {
        let at = self.at();
        let code = &self.linked.code[entry as usize..];
        let length =
            code.iter().position(|op| *op == LinearOp::End).ok_or(Unbatched::Has("a program without an end"))?;
        (self.depth, self.chosen) = (0, false);
        self.block(entry, entry + length as u32)?;
        let points = &self.linked.points;
        let draws = |step: &SimtOp| matches!(step, SimtOp::Choose { point, .. } if !points[*point as usize].infallible);
        let numbered = self.steps[at as usize..].iter().any(draws);
        self.steps.push(SimtOp::End { numbered });
        Ok(at)
    }

    /// A turn, behind which something ages or leaves, or not.
    fn turn(&mut self, entry: u32, is_last: bool) -> Result<Entry, Unbatched> {
        let first = self.forks;
        let at = self.program(entry)?;
        Ok(Entry {
            at,
            forks: (first, self.forks),
            atomicity: if is_last {
                atomicity(&self.steps[at as usize..], self.linked, |op| self.writes_shared(op))
            } else {
                Atomicity::No
            },
            changes: WriteSet::default(),
        })
    }

    fn at(&self) -> u32 {
        self.steps.len() as u32
    }

    fn push(&mut self, step: SimtOp) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    fn set_target(&mut self, step: usize) {
        let here = self.at();
        match &mut self.steps[step] {
            SimtOp::If { to, .. }
            | SimtOp::Else { to }
            | SimtOp::Next { to, .. }
            | SimtOp::Way { to, .. }
            | SimtOp::Try { to, .. } => *to = here,
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
    fn arm_end(&self, from: u32, end: u32) -> Option<u32> {
        match end.checked_sub(1).filter(|&last| last >= from).map(|last| self.linked.code[last as usize]) {
            Some(LinearOp::Jump { to }) if to >= end => Some(to),
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
        if let Some(Round { end, n, counter }) = self.rounds.get_mut(&at).and_then(Vec::pop) {
            self.push(SimtOp::Rounds);
            let to = self.at();
            self.nested(at, end)?;
            self.push(SimtOp::Again { n, counter, to });
            return Ok(end + 1);
        }
        let op = self.linked.code[at as usize];
        if let Some((test, skipped)) = Test::of(&op) {
            let left = self.arm_end(at + 1, skipped);
            let join = left.unwrap_or(skipped);
            let test = self.push(SimtOp::If { test, to: 0 });
            if !self.chosen
                && usize::from(self.forks) < MAX_FORKS_TRACKED
                && self.chooses(at + 1, skipped)
                && self.chooses(skipped, join)
            {
                self.push(SimtOp::Fork { fork: self.forks });
                self.forks += 1;
            }
            let before = self.chosen;
            self.nested(at + 1, if left.is_some() { skipped - 1 } else { skipped })?;
            self.set_target(test);
            let other = self.push(SimtOp::Else { to: 0 });
            let chosen = std::mem::replace(&mut self.chosen, before);
            self.nested(skipped, join)?;
            self.chosen |= chosen;
            self.set_target(other);
            self.push(SimtOp::Join);
            return Ok(join);
        }
        match op {
            LinearOp::NextCell { of, cell, to } => self.each((of, cell, None), at, to),
            LinearOp::NextGroup { of, group, along, to } => self.each((of, group, Some(along)), at, to),
            LinearOp::Choice { index } => self.choice(index, end),
            LinearOp::First { index } => self.split(index, end),
            LinearOp::Require { n } => {
                self.push(SimtOp::Need { n });
                Ok(at + 1)
            }
            LinearOp::Fail => {
                self.push(SimtOp::Fail);
                Ok(at + 1)
            }
            LinearOp::CompareGroupSizes { .. } => Err(Unbatched::Has("the sizes of groups in order")),
            LinearOp::Jump { .. } | LinearOp::LoopBack { .. } | LinearOp::End => {
                Err(Unbatched::Has("a jump out of place"))
            }
            LinearOp::NoMoreChoices => {
                self.push(SimtOp::Last);
                Ok(at + 1)
            }
            op if is_only_told(&op) => Ok(at + 1),
            op @ (LinearOp::RayQuery { .. } | LinearOp::InLine { .. }) => {
                // Lanes that are looked at one by one must keep what they look from.
                let onto_itself = matches!(op, LinearOp::RayQuery { d, a, x, y, .. } if [a, x, y].contains(&d));
                let blend = self.depth > 0 || onto_itself || self.writes_shared(&op);
                self.push(SimtOp::Look { op, blend, near: Nearby::default() });
                Ok(at + 1)
            }
            op => {
                let op = self.apart(op);
                let blend = self.depth > 0 || self.writes_shared(&op);
                self.push(SimtOp::Do { op, blend, loses: !keeps_all(&op) });
                Ok(at + 1)
            }
        }
    }

    /// What takes men off or moves them reads cells that are no men themselves: they change
    /// register by register.
    fn apart(&mut self, op: LinearOp) -> LinearOp {
        let shared = self.shared.0;
        let mut aside = |cells: SetReg, to: u16| {
            if cells.0 >= shared {
                return cells;
            }
            let d = SetReg(REGISTERS as u16 + to);
            self.push(SimtOp::Do { op: LinearOp::Copy { d, a: cells }, blend: self.depth > 0, loses: false });
            d
        };
        match op {
            LinearOp::RemovePieces { cells, only } => LinearOp::RemovePieces { cells: aside(cells, 0), only },
            LinearOp::FlipOwner { cells, player } => LinearOp::FlipOwner { cells: aside(cells, 0), player },
            LinearOp::MovePiece { from, to, only } => {
                let from = aside(from, 0);
                LinearOp::MovePiece { from, to: aside(to, 1), only }
            }
            op => op,
        }
    }

    fn writes_shared(&self, op: &LinearOp) -> bool {
        let mut shared = false;
        op.accesses(|access| {
            shared |= match access {
                Access::DefSet(SetReg(reg)) => reg < self.shared.0,
                Access::DefNum(NumReg(reg)) => reg < self.shared.1,
                Access::Pieces => true,
                Access::UseSet(_) | Access::UseNum(_) | Access::Position => false,
            }
        });
        shared
    }

    fn chooses(&self, from: u32, to: u32) -> bool {
        self.linked.code[from as usize..to as usize]
            .iter()
            .any(|op| matches!(op, LinearOp::Choice { .. } | LinearOp::First { .. }))
    }

    fn choice(&mut self, point: u32, end: u32) -> Result<u32, Unbatched> {
        self.chosen = true;
        let arms = &self.linked.points[point as usize].arms;
        let place = |arm: &ArmTarget| if let Options::Cells { cell, .. } = arm.options { Some(cell) } else { None };
        let cell = arms.first().and_then(place).filter(|cell| arms.iter().all(|arm| place(arm) == Some(*cell)));
        let blend = self.depth > 0 || cell.is_some_and(|cell| cell.0 < self.shared.0);
        if arms.len() == 1 {
            self.push(SimtOp::Choose { point, cell, blend, parts: false });
            self.enter(point, 0, cell);
            return Ok(arms[0].entry);
        }
        let mut blocks = Vec::with_capacity(arms.len());
        let mut join = end;
        for (arm, next) in arms.iter().zip(&arms[1..]) {
            join = self.arm_end(arm.entry, next.entry).ok_or(Unbatched::Has("an arm that is not left"))?;
            blocks.push((arm.entry, next.entry - 1));
        }
        blocks.extend(arms.last().map(|arm| (arm.entry, join)));
        let places: Vec<Option<SetReg>> = arms.iter().map(place).collect();
        let ways = self.ways(point, &blocks, &places);
        let parts = ways.len() > 1;
        self.push(SimtOp::Choose { point, cell, blend, parts });
        for way in ways {
            let head = parts.then(|| self.push(SimtOp::Way { point, last: way.until as u16 - 1, to: 0 }));
            self.enter(point, way.from, cell);
            let (mut from, to) = blocks[way.from];
            if let Some(along) = way.along {
                self.along.push(along);
                self.push(SimtOp::MergedShift { index: self.along.len() as u32 - 1 });
                let skipped = self.linked.code[from as usize..].iter().take_while(|op| is_only_told(op)).count();
                from += skipped as u32 + 1;
            }
            if parts {
                self.nested(from, to)?
            } else {
                self.block(from, to)?
            }
            if let Some(head) = head {
                self.set_target(head);
            }
        }
        if parts {
            self.push(SimtOp::Chosen);
        }
        Ok(join)
    }

    fn enter(&mut self, point: u32, arm: usize, cell: Option<SetReg>) {
        if cell.is_none() {
            self.push(SimtOp::Enter { point, arm: arm as u16 });
        }
    }

    /// All arms; those together that follow one another, put the cell in the same place and do the
    /// same, but for the direction in which each steps back first.
    fn ways(&self, point: u32, blocks: &[(u32, u32)], places: &[Option<SetReg>]) -> Vec<Way> {
        let code = |(from, to): (u32, u32)| -> Vec<LinearOp> {
            let ops = &self.linked.code[from as usize..to as usize];
            ops.iter().filter(|op| !is_only_told(op)).copied().collect()
        };
        let mut ways = Vec::new();
        let mut from = 0;
        while from < blocks.len() {
            let ops = code(blocks[from]);
            let mut along = self.begun(point, from as u16, &ops);
            let mut until = from + 1;
            while let Some(&block) = blocks.get(until)
                && places[from].is_some()
                && places[from] == places[until]
                && is_straight(&ops)
                && self.goes_along(&mut along, &ops, &code(block))
            {
                until += 1;
            }
            ways.push(Way { from, until, along: along.filter(|_| until > from + 1) });
            from = until;
        }
        ways
    }

    /// What the arms from this on may begin with.
    fn begun(&self, point: u32, first: u16, ops: &[LinearOp]) -> Option<MergedShift> {
        let along = |d, a, until| MergedShift { point, first, d, a, until, hops: Vec::new(), dirs: Vec::new() };
        match *ops.first()? {
            LinearOp::MaskedShift { d, a, hop } if self.is_near(hop) && d != a => {
                Some(MergedShift { hops: vec![hop], ..along(d, a, None) })
            }
            LinearOp::FirstOnRay { d, a, until, dir } if d != a => {
                Some(MergedShift { dirs: vec![dir], ..along(d, a, Some(until)) })
            }
            _ => None,
        }
    }

    /// One more arm does the same.
    fn goes_along(&self, along: &mut Option<MergedShift>, ops: &[LinearOp], others: &[LinearOp]) -> bool {
        let Some(along) = along else { return ops == others };
        if ops.len() != others.len() || ops[1..] != others[1..] {
            return false;
        }
        match others[0] {
            LinearOp::MaskedShift { d, a, hop }
                if (d, a, None) == (along.d, along.a, along.until) && self.is_near(hop) =>
            {
                along.hops.push(hop);
                true
            }
            LinearOp::FirstOnRay { d, a, until, dir } if (d, a, Some(until)) == (along.d, along.a, along.until) => {
                along.dirs.push(dir);
                true
            }
            _ => false,
        }
    }

    /// The shift goes by less than a word.
    fn is_near(&self, hop: u16) -> bool {
        self.hops.get(usize::from(hop)).is_some_and(|hop| hop.by.unsigned_abs() < u64::BITS)
    }

    /// Rounds over the cells or groups of a set, up to where they end.
    fn each(&mut self, (of, one, along): (SetReg, SetReg, Option<u16>), at: u32, out: u32) -> Result<u32, Unbatched> {
        self.push(SimtOp::Rounds);
        let to = self.at();
        let head = self.push(SimtOp::Next { of, one, along, to: 0 });
        self.nested(at + 1, out - 1)?;
        self.push(SimtOp::Back { to });
        self.set_target(head);
        self.push(SimtOp::Join);
        Ok(out)
    }

    fn split(&mut self, index: u32, end: u32) -> Result<u32, Unbatched> {
        let linked = self.linked;
        let blocks = &linked.alternatives[index as usize].blocks;
        let (Some(&first), Some(&last)) = (blocks.first(), blocks.last()) else {
            return Err(Unbatched::Has("an empty `first`"));
        };
        let mut join = end;
        if first != last {
            let next = blocks[1];
            join = self.arm_end(first, next).ok_or(Unbatched::Has("a `first` that is not left"))?;
        }
        self.push(SimtOp::Split { index });
        for (index, &block) in blocks.iter().enumerate() {
            let to = blocks.get(index + 1).copied().unwrap_or(join);
            let head = self.push(SimtOp::Try { last: index + 1 == blocks.len(), to: 0 });
            // The last jump may belong to what stands around.
            let to = if self.arm_end(block, to).is_some() { to - 1 } else { to };
            self.nested(block, to)?;
            self.set_target(head);
            self.push(SimtOp::Tried);
        }
        self.push(SimtOp::Met);
        Ok(join)
    }
}
