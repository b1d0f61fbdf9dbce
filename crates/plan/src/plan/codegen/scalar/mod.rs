//! Superinstructions: peephole-optimised code goes in; code that comes sooner to its jumps comes
//! out, for the scalar executor.
//!
//! ```text
//! s4 = s7 and s8
//! s5 = s7 and s9                            need that s7 and s8 share none
//! s6 = s4 or s5                       ->    need that s7 and s9 share none
//! need none s6
//! ```
//!
//! Whether a union is empty is asked of its parts. What is wanted on one way alone is computed
//! there, and what a jump asks is one operation with it. A run and the step behind it are one look,
//! what is kept of steps is kept at once, and a cell that is drawn goes where it would be copied.

pub mod attack_filter;
pub mod fuse_rows;
pub mod split_ranges;

use smallvec::SmallVec;

use crate::plan::analysis::liveness::Life;
use crate::plan::code::{BoardFacts, Cells, EntryPoints, FusedCode, REGISTERS, RegLayout};
use crate::plan::combine::joined;
use crate::plan::dir_vector::DirVector;
use crate::plan::op::{FusedOp, LinearOp};
use crate::plan::regs::{Access, SetReg};
use crate::plan::tree::Options;
use crate::plan::tuning::MAX_FUSE_ROUNDS;

/// What is known of a program as it was before.
struct Fuser<'l> {
    linked: &'l FusedCode,
    bounds: RegLayout,
    fans: &'l [DirVector],
    lone: &'l [(SetReg, SetReg)],
    words: usize,
    /// By register: see [`crate::plan::codegen::scalar::split_ranges::kept`].
    kept: [bool; REGISTERS],
    life: Life<FusedOp>,
    /// By place: how often it is come to from elsewhere than the place before.
    labels: Vec<u32>,
}

/// Operations that follow one another, and where they stood. Where they go on elsewhere, that is
/// the last.
pub struct Stretch {
    ops: Vec<FusedOp>,
    begin: usize,
    end: usize,
}

/// The same code, sooner at its jumps.
pub fn fuse(code: FusedCode, layout: RegLayout, board: BoardFacts<'_>) -> FusedCode {
    let fuser = Fuser::new(&code, layout, board);
    let mut stretches = fuser.stretches();
    stretches.iter_mut().for_each(|stretch| fuser.name_apart(stretch));
    stretches.iter_mut().for_each(|stretch| fuser.shorten(stretch));
    let mut drawn = code.clone();
    fuser.draw(&mut stretches, &mut drawn);
    fuser.filter_attacks(stretches, drawn)
}

/// How often each place is come to from elsewhere than the place before.
fn labels(linked: &FusedCode) -> Vec<u32> {
    let mut labels = vec![0; linked.code.len() + 1];
    let mut label = |at: u32| labels[at as usize] += 1;
    linked.code.iter().filter_map(FusedOp::target).for_each(&mut label);
    for point in &linked.points {
        point.arms.iter().for_each(|arm| label(arm.entry));
        let others = point.cells.iter().filter(|cells| point.arms.iter().all(|arm| arm.entry != cells.entry));
        others.for_each(|cells| label(cells.entry));
    }
    linked.alternatives.iter().flat_map(|split| &split.blocks).for_each(|block| label(*block));
    linked.entries.iter().flat_map(EntryPoints::all).for_each(&mut label);
    labels
}

/// The code in its new order; everything that named a place names the new one.
fn lay_out(mut stretches: Vec<Stretch>, places: usize, linked: FusedCode) -> FusedCode {
    stretches.iter_mut().for_each(|stretch| part_two(&mut stretch.ops));
    let mut places = vec![0; places];
    let mut code: Vec<FusedOp> = Vec::with_capacity(linked.code.len());
    for stretch in stretches {
        places[stretch.begin] = code.len() as u32;
        code.extend(stretch.ops);
    }
    linked.laid_out(code, |at| places[at as usize])
}

/// What two operations in a row part by one set is parted by one.
pub fn part_two(ops: &mut Vec<FusedOp>) {
    let mut at = 0;
    while at + 1 < ops.len() {
        if let (FusedOp::Partition { d, e, a, b }, FusedOp::Partition { d: f, e: g, a: c, b: same }) =
            (ops[at], ops[at + 1])
            && b == same
            && [d, e].iter().all(|made| ![b, c, f, g].contains(made))
        {
            ops[at] = FusedOp::PartitionTwo { d, e, a, f, g, c, b };
            ops.remove(at + 1);
        }
        at += 1;
    }
}

impl<'l> Fuser<'l> {
    fn new(linked: &'l FusedCode, bounds: RegLayout, board: BoardFacts<'l>) -> Fuser<'l> {
        let BoardFacts { dir_vectors: fans, lone, words } = board;
        let kept = crate::plan::codegen::scalar::split_ranges::kept(linked);
        let (life, labels) = (Life::of(linked, 0, bounds.shared), labels(linked));
        Fuser { linked, bounds, fans, lone, words, kept, life, labels }
    }

    /// The code, parted wherever something comes in from elsewhere, without what is never come to.
    fn stretches(&self) -> Vec<Stretch> {
        let code = &self.linked.code;
        // Behind a question whether a union has a cell, too: one part of it may answer it.
        let asked = |at: usize| match at.checked_sub(2).map(|before| (code[before], code[before + 1])) {
            Some((FusedOp::Or { d, .. }, FusedOp::BranchIfEmpty { a, .. })) => d == a,
            _ => false,
        };
        let begins: Vec<usize> = (0..code.len()).filter(|&at| self.labels[at] > 0 || asked(at)).collect();
        let labels = begins.iter().skip(1).copied().chain([code.len()]);
        let stretch = |(&begin, label): (&usize, usize)| {
            let end = (begin..label).find(|&at| !code[at].goes_on()).map_or(label, |last| last + 1);
            Stretch { ops: code[begin..end].to_vec(), begin, end }
        };
        begins.iter().zip(labels).map(stretch).collect()
    }

    fn shorten(&self, stretch: &mut Stretch) {
        for _ in 0..MAX_FUSE_ROUNDS {
            let mut changed = false;
            while self.ask_parts(stretch) {
                changed = true;
            }
            changed |= self.put_off(stretch);
            changed |= self.join(stretch);
            changed |= self.look(stretch);
            changed |= self.land(stretch);
            if !changed {
                break;
            }
        }
        // A jump to the next place is none.
        while stretch.ops.last().is_some_and(|op| asks(op) == Some(Some(stretch.end as u32))) {
            stretch.ops.pop();
        }
    }

    /// Behind some operations of a stretch, the register is read before it is written.
    fn wants(&self, stretch: &Stretch, from: usize, made: Access) -> bool {
        let at = |place: usize| self.wants_at(place, made);
        for op in &stretch.ops[from.min(stretch.ops.len())..] {
            let (mut reads, mut writes) = (false, false);
            op.accesses(|access| {
                reads |= self.is_read(made, access);
                writes |= access == made;
            });
            if reads || op.target().is_some_and(|to| at(to as usize)) {
                return true;
            }
            if !op.goes_on() {
                // What comes behind a choice is known of the choice alone, which ends the stretch.
                return match op {
                    FusedOp::Choice { .. } | FusedOp::First { .. } => at(stretch.end - 1),
                    FusedOp::End => self.is_shared(made),
                    _ => false,
                };
            }
            if writes {
                return false;
            }
        }
        at(stretch.end)
    }

    /// It is read from a place on. New places stand further on in the same stretch, of which all is
    /// known that comes before.
    fn wants_at(&self, place: usize, made: Access) -> bool {
        match made {
            _ if place > self.linked.code.len() => false,
            Access::DefSet(reg) => self.life.wants_set(place, reg),
            Access::DefNum(reg) => self.life.wants_number(place, reg),
            _ => true,
        }
    }

    fn is_shared(&self, made: Access) -> bool {
        match made {
            Access::DefSet(reg) | Access::UseSet(reg) => reg.0 < self.bounds.shared.0,
            Access::DefNum(reg) | Access::UseNum(reg) => reg.0 < self.bounds.shared.1,
            _ => true,
        }
    }

    fn is_read(&self, made: Access, access: Access) -> bool {
        match (access, made) {
            (Access::UseSet(reg), Access::DefSet(made)) => reg == made,
            (Access::UseNum(reg), Access::DefNum(made)) => reg == made,
            (Access::Pieces | Access::Position, _) => self.is_shared(made),
            _ => false,
        }
    }

    /// Whether a union has a cell is asked of its parts.
    fn ask_parts(&self, stretch: &mut Stretch) -> bool {
        for at in 0..stretch.ops.len() {
            let asked = stretch.ops[at];
            let (FusedOp::RequireEmpty { a: all }
            | FusedOp::BranchIfNonEmpty { a: all, .. }
            | FusedOp::BranchIfEmpty { a: all, .. }) = asked
            else {
                continue;
            };
            let touches = |op: &FusedOp, which: &dyn Fn(Access) -> bool| {
                let mut touches = false;
                op.accesses(|access| touches |= which(access));
                touches
            };
            let writes = |op: &FusedOp| touches(op, &|access| access == Access::DefSet(all));
            let Some(def) = stretch.ops[..at].iter().rposition(writes) else { continue };
            let FusedOp::Or { d, a, b } = stretch.ops[def] else { continue };
            let clobbers = |access: Access| match access {
                Access::DefSet(reg) => reg == a || reg == b,
                Access::UseSet(reg) => reg == all,
                Access::Pieces | Access::Position => true,
                _ => false,
            };
            let leaves = |op: &FusedOp| {
                !op.goes_on() || op.target().is_some_and(|to| self.wants_at(to as usize, Access::DefSet(all)))
            };
            let idle = !stretch.ops[def + 1..at].iter().any(|op| touches(op, &clobbers) || leaves(op))
                && !leaves(&asked)
                && !self.wants(stretch, at + 1, Access::DefSet(all));
            if d == a || d == b || !idle {
                continue;
            }
            let of = |part: SetReg| asked.renamed(|_| part, |number| number);
            let parts = match asked {
                FusedOp::BranchIfEmpty { .. } if at + 1 < stretch.ops.len() => continue,
                FusedOp::BranchIfEmpty { .. } => [FusedOp::BranchIfNonEmpty { a, to: stretch.end as u32 }, of(b)],
                _ => [of(a), of(b)],
            };
            stretch.ops.splice(at..=at, parts);
            stretch.ops.remove(def);
            return true;
        }
        false
    }

    /// What is not wanted where a jump leads stands behind the jump.
    fn put_off(&self, stretch: &mut Stretch) -> bool {
        let mut changed = false;
        for jump in 0..stretch.ops.len() {
            let Some(asks) = asks(&stretch.ops[jump]) else { continue };
            let mut jump = jump;
            for at in (0..jump).rev() {
                let op = stretch.ops[at];
                let touched = match crate::plan::codegen::scalar::asks(&op) {
                    // What can be asked sooner is asked first.
                    Some(there) if there == asks && known_at(stretch, jump) < known_at(stretch, at) => {
                        Some(Touched::of(&op))
                    }
                    Some(_) => continue,
                    None => Touched::by(&op),
                };
                // Operations from here on stay where they are.
                let Some(touched) = touched else { break };
                let jumps = crate::plan::codegen::scalar::asks(&op).is_some();
                // Wherever a run goes on from between the two, it is not wanted either; what dies
                // there need not be asked. Behind a jump that is put off, what stands between is done
                // where the jump is taken, too.
                let is_wanted = |to: u32, made: &[Access]| made.iter().any(|made| self.wants_at(to as usize, *made));
                let passes = |other: &FusedOp| match crate::plan::codegen::scalar::asks(other) {
                    Some(there) if jumps => there == asks,
                    Some(Some(to)) => !is_wanted(to, &touched.made),
                    Some(None) => true,
                    None if jumps => {
                        Touched::by(other).is_some_and(|other| !asks.is_some_and(|to| is_wanted(to, &other.made)))
                    }
                    None => true,
                };
                if stretch.ops[at + 1..=jump].iter().all(|other| touched.is_apart(other) && passes(other)) {
                    stretch.ops[at..=jump].rotate_left(1);
                    jump -= 1;
                    changed = true;
                }
            }
        }
        changed
    }

    /// Operations that one does for both are one. From the end, so that what is joined is joined
    /// again.
    fn join(&self, stretch: &mut Stretch) -> bool {
        let mut changed = false;
        for at in (0..stretch.ops.len().saturating_sub(1)).rev() {
            while let Some(op) = stretch.ops.get(at + 1).and_then(|next| joined_to_jump(&stretch.ops[at], next))
                && let Some(made) = stretch.ops[at].made_alone()
                && !self.is_wanted_behind(stretch, at + 1, &op, made)
            {
                stretch.ops[at] = op;
                stretch.ops.remove(at + 1);
                changed = true;
            }
        }
        changed
    }

    /// What the first of two operations made is read by others than the second.
    fn is_wanted_behind(&self, stretch: &Stretch, second: usize, joined: &FusedOp, made: Access) -> bool {
        let mut keeps = false;
        joined.accesses(|access| keeps |= access == made);
        let leads = stretch.ops[second].target().is_some_and(|to| self.wants_at(to as usize, made));
        leads || !keeps && self.wants(stretch, second + 1, made)
    }

    /// Choices of cells of one set that complete the run are drawn by one operation.
    fn draw(&self, stretches: &mut [Stretch], linked: &mut FusedCode) {
        for at in 0..stretches.len() {
            let Some(FusedOp::Choice { index }) = stretches[at].ops.last().copied() else { continue };
            let point = &mut linked.points[index as usize];
            let (true, &[Cells { of, mut cell, entry, back: None }]) = (point.infallible, point.cells.as_slice())
            else {
                continue;
            };
            let [stretch, behind, ..] = &mut stretches[at..] else { continue };
            if entry as usize != behind.begin {
                continue;
            }
            // Such options are counted, not made.
            if behind.ops.first() == Some(&FusedOp::CannotFail) && !point.faults {
                behind.ops.remove(0);
            }
            if self.labels[behind.begin] == 1
                && let Some(home) = self.home(behind, cell)
            {
                cell = home;
                point.cells[0].cell = home;
                point.arms[0].options = Options::Cells { of, cell };
            }
            stretch.ops.pop();
            let drawn = match stretch.ops.last() {
                Some(&FusedOp::AndNotBoth { d, of: all, a, b })
                    if d == of && [all, a, b].into_iter().all(|reg| self.is_kept(reg)) =>
                {
                    stretch.ops.pop();
                    match behind.ops.first() {
                        Some(&FusedOp::Or { d: onto, a: x, b: y })
                            if onto != cell
                                && ((x, y) == (onto, cell) || (x, y) == (cell, onto))
                                && !self.wants(behind, 0, Access::DefSet(d)) =>
                        {
                            FusedOp::SampleOnto { onto, of: all, a, b, cell, index }
                        }
                        _ => FusedOp::SampleAndNotBoth { d, of: all, a, b, cell, index },
                    }
                }
                _ => FusedOp::SampleCell { of, cell, index },
            };
            stretch.ops.push(drawn);
        }
    }

    /// A run that comes back to a choice finds there what the set was when it came first.
    fn is_kept(&self, reg: SetReg) -> bool {
        reg.0 < self.bounds.shared.0 || self.linked.consts.iter().any(|(known, _)| *known == reg)
    }

    /// The cell of a choice is copied to a register that nothing reads or writes before: it is
    /// chosen there at once.
    fn home(&self, behind: &mut Stretch, cell: SetReg) -> Option<SetReg> {
        let at = behind.ops.iter().position(|op| matches!(op, FusedOp::Copy { a, .. } if *a == cell))?;
        let FusedOp::Copy { d: home, .. } = behind.ops[at] else { return None };
        let touches = |op: &FusedOp, reg: SetReg| {
            let mut touches = false;
            op.accesses(|access| touches |= matches!(access, Access::UseSet(a) | Access::DefSet(a) if a == reg));
            touches
        };
        let writes = |op: &FusedOp, reg: SetReg| {
            let mut writes = false;
            op.accesses(|access| writes |= access == Access::DefSet(reg) || access == Access::Pieces);
            writes
        };
        let (before, rest) = (&behind.ops[..at], &behind.ops[at + 1..]);
        let leaves = |op: &FusedOp| op.target().is_some() || !op.goes_on();
        let quiet = before.iter().all(|op| !touches(op, home) && !writes(op, cell) && !leaves(op) && op.is_plain());
        // The last that reads the cell reads it while the copy still stands.
        let last = rest.iter().rposition(|op| touches(op, cell)).map_or(0, |last| last + 1);
        let stands =
            rest[..last].iter().all(|op| !writes(op, home) && !writes(op, cell) && op.is_plain() && op.goes_on());
        let wanted =
            rest.iter().any(|op| op.target().is_some_and(|to| self.wants_at(to as usize, Access::DefSet(cell))))
                || self.wants(behind, at + 1 + last, Access::DefSet(cell));
        if home == cell || !quiet || !stands || wanted {
            return None;
        }
        behind.ops.remove(at);
        for op in &mut behind.ops[..at + last] {
            *op = op.renamed(|reg| if reg == cell { home } else { reg }, |number| number);
        }
        Some(home)
    }
}

/// Behind which operation of a stretch all is known that one of them reads.
fn known_at(stretch: &Stretch, reader: usize) -> Option<usize> {
    let reader_alone = Touched { made: SmallVec::new(), ..Touched::of(&stretch.ops[reader]) };
    stretch.ops[..reader].iter().rposition(|op| !reader_alone.is_apart(op))
}

/// The operation asks whether the run goes on with the next one: where it goes if not, or that it
/// ends then.
fn asks(op: &FusedOp) -> Option<Option<u32>> {
    match op {
        FusedOp::Require { .. }
        | FusedOp::RequireZero { .. }
        | FusedOp::RequireEmpty { .. }
        | FusedOp::RequireDisjoint { .. } => Some(None),
        FusedOp::BranchIfZero { to, .. }
        | FusedOp::BranchIfNonZero { to, .. }
        | FusedOp::BranchIfEmpty { to, .. }
        | FusedOp::BranchIfNonEmpty { to, .. }
        | FusedOp::BranchIfDisjoint { to, .. }
        | FusedOp::BranchUnlessCompare { to, .. }
        | FusedOp::BranchIfEmptyAndNotBoth { to, .. }
        | FusedOp::BranchIfNonEmptyAndNotBoth { to, .. }
        | FusedOp::BranchIfIntersects { to, .. }
        | FusedOp::BranchByAttackFilter { to, .. }
        | FusedOp::BranchUnlessInLine { to, .. }
        | FusedOp::BranchUnlessRayQuery { to, .. } => Some(Some(*to)),
        _ => None,
    }
}

/// What an operation that does nothing else reads and writes.
#[derive(Default)]
struct Touched {
    reads: SmallVec<[Access; 8]>,
    made: SmallVec<[Access; 8]>,
}

impl Touched {
    /// `None`: the operation does more than to compute a register, or a row of them.
    fn by(op: &FusedOp) -> Option<Touched> {
        if op.made_alone().is_none() && op.is_plain() {
            return None;
        }
        Some(Touched::of(op))
    }

    fn of(op: &FusedOp) -> Touched {
        let mut touched = Touched::default();
        op.accesses(|access| match access {
            Access::DefSet(_) | Access::DefNum(_) => touched.made.push(access),
            _ => touched.reads.push(access),
        });
        touched
    }

    /// The operation can come behind another one.
    fn is_apart(&self, other: &FusedOp) -> bool {
        let mut apart = true;
        other.accesses(|access| {
            apart &= match access {
                Access::UseSet(reg) => !self.made.contains(&Access::DefSet(reg)),
                Access::UseNum(reg) => !self.made.contains(&Access::DefNum(reg)),
                Access::DefSet(reg) => !self.made.contains(&access) && !self.reads.contains(&Access::UseSet(reg)),
                Access::DefNum(reg) => !self.made.contains(&access) && !self.reads.contains(&Access::UseNum(reg)),
                Access::Pieces | Access::Position => false,
            };
        });
        apart
    }
}

/// One operation that does what two do of which the first makes what the second asks.
fn joined_to_jump(first: &FusedOp, second: &FusedOp) -> Option<FusedOp> {
    Some(match (*first, *second) {
        (FusedOp::NonEmptyAndNotBoth { d, of, a, b }, FusedOp::BranchIfZero { n, to }) if d == n => {
            FusedOp::BranchIfEmptyAndNotBoth { of, a, b, to }
        }
        (FusedOp::NonEmptyAndNotBoth { d, of, a, b }, FusedOp::BranchIfNonZero { n, to }) if d == n => {
            FusedOp::BranchIfNonEmptyAndNotBoth { of, a, b, to }
        }
        (FusedOp::Not { d, a }, FusedOp::BranchIfNonZero { n, to }) if d == n => FusedOp::BranchIfZero { n: a, to },
        (FusedOp::Not { d, a }, FusedOp::Require { n }) if d == n => FusedOp::RequireZero { n: a },
        (FusedOp::NonEmpty { d, a }, FusedOp::RequireZero { n }) if d == n => FusedOp::RequireEmpty { a },
        (FusedOp::Intersects { d, a, b }, FusedOp::RequireZero { n }) if d == n => FusedOp::RequireDisjoint { a, b },
        (FusedOp::And { d, a, b }, FusedOp::RequireEmpty { a: both }) if d == both => FusedOp::RequireDisjoint { a, b },
        (FusedOp::And { d, a, b }, FusedOp::BranchIfNonEmpty { a: both, to }) if d == both => {
            FusedOp::BranchIfIntersects { a, b, to }
        }
        (FusedOp::And { d, a, b }, FusedOp::BranchIfEmpty { a: both, to }) if d == both => {
            FusedOp::BranchIfDisjoint { a, b, to }
        }
        (FusedOp::Intersects { d, a, b }, FusedOp::BranchIfNonZero { n, to }) if d == n => {
            FusedOp::BranchIfIntersects { a, b, to }
        }
        (FusedOp::InLine { d, a, within, trail }, FusedOp::BranchIfZero { n, to }) if d == n => {
            FusedOp::BranchUnlessInLine { a, within, trail, to }
        }
        (FusedOp::RayQuery { d, a, x, y, trail }, FusedOp::BranchIfEmpty { a: found, to }) if d == found => {
            FusedOp::BranchUnlessRayQuery { d, a, x, y, trail, to }
        }
        _ => {
            let (first, second) = (LinearOp::try_from(*first).ok()?, LinearOp::try_from(*second).ok()?);
            joined(&first, &second)?.into()
        }
    })
}
