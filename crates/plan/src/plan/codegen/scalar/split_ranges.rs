//! Live-range splitting: code goes in; the same code comes out in which sets that one register held
//! one after the other have registers of their own, so that operations can be reordered.
//!
//! ```text
//! s4 = s7 and s8                            s4 = s7 and s8
//! need none s4                              need none s4
//! s4 = s7 and s9                     ->     s20 = s7 and s9
//! need none s4                              need none s20
//! ```

use smallvec::SmallVec;

use crate::plan::code::{FusedCode, REGISTERS};

use crate::plan::codegen::scalar::{Fuser, Stretch};
use crate::plan::op::FusedOp;
use crate::plan::operands::vector_regs;
use crate::plan::regs::{Access, SetReg};

/// Registers that always hold the same, or that are read behind a choice: a run that comes back to
/// it finds there what it held.
pub fn kept(linked: &FusedCode) -> [bool; REGISTERS] {
    let mut kept = [false; REGISTERS];
    let behind = linked
        .points
        .iter()
        .flat_map(|point| &point.sets)
        .chain(linked.alternatives.iter().flat_map(|split| &split.sets));
    behind.chain(linked.consts.iter().map(|(reg, _)| reg)).for_each(|reg| kept[usize::from(reg.0) % REGISTERS] = true);
    kept
}

impl Fuser<'_> {
    /// Of a stretch that asks about a lone man, renames what is made and read within it, where its
    /// register was named before, as long as there are others.
    pub fn name_apart(&self, stretch: &mut Stretch) {
        if !self.hangs_on_lone(stretch) {
            return;
        }
        let (mut touched, mut free) = ([false; REGISTERS], None);
        let mut names: SmallVec<[(SetReg, SetReg); 16]> = SmallVec::new();
        for at in 0..stretch.ops.len() {
            let op = stretch.ops[at];
            op.accesses(|access| {
                if let Access::DefSet(made) = access
                    && !reads(&op, made)
                {
                    names.retain(|(reg, _)| *reg != made);
                }
            });
            if let Some(Access::DefSet(made)) = op.made_alone()
                && touched[usize::from(made.0) % REGISTERS]
                && !reads(&op, made)
                && self.serves_stretch(stretch, at, made)
            {
                let free = free.get_or_insert_with(|| self.free(stretch).into_iter());
                names.extend(free.next().map(|name| (made, name)));
            }
            op.accesses(|access| {
                if let Access::UseSet(reg) | Access::DefSet(reg) = access {
                    touched[usize::from(reg.0) % REGISTERS] = true;
                }
            });
            if !names.is_empty() {
                let name = |reg| names.iter().find(|(old, _)| *old == reg).map_or(reg, |(_, name)| *name);
                stretch.ops[at] = op.renamed(name, |number| number);
            }
        }
    }

    /// Registers that hold nothing which is read in a stretch or behind it.
    fn free(&self, stretch: &Stretch) -> Vec<SetReg> {
        let mut taken = self.kept;
        for op in &stretch.ops {
            op.accesses(|access| {
                if let Access::UseSet(reg) | Access::DefSet(reg) = access {
                    taken[usize::from(reg.0) % REGISTERS] = true;
                }
            });
        }
        let local = (self.bounds.shared.0..REGISTERS as u16).map(SetReg).filter(|reg| !taken[usize::from(reg.0)]);
        local.filter(|reg| !self.wants_at(stretch.begin, Access::DefSet(*reg))).collect()
    }

    /// What an operation makes is not wanted but by operations behind it in its stretch, none of
    /// which takes it for a part of a row.
    fn serves_stretch(&self, stretch: &Stretch, at: usize, made: SetReg) -> bool {
        if made.0 < self.bounds.shared.0 {
            return false;
        }
        let wants = |place: usize| self.wants_at(place, Access::DefSet(made));
        for op in &stretch.ops[at + 1..] {
            let (read, mut written) = (reads(op, made), false);
            op.accesses(|access| written |= access == Access::DefSet(made));
            if op.target().is_some_and(|to| wants(to as usize)) || is_lane(op, made) {
                return false;
            }
            if !op.goes_on() {
                return !matches!(op, FusedOp::Choice { .. } | FusedOp::First { .. }) || !wants(stretch.end - 1);
            }
            if written && !read {
                return true;
            }
        }
        !wants(stretch.end)
    }
}

fn reads(op: &FusedOp, reg: SetReg) -> bool {
    let mut reads = false;
    op.accesses(|access| reads |= access == Access::UseSet(reg));
    reads
}

/// The register is read as a part of a row.
fn is_lane(op: &FusedOp, reg: SetReg) -> bool {
    let rows: [Option<(SetReg, u8)>; 2] = match *op {
        FusedOp::VecShift { a, lanes, wide, .. } => [(wide & 1 != 0).then_some((a, lanes)), None],
        FusedOp::VecRayFill { a, through: b, lanes, wide, .. }
        | FusedOp::VecSlidingReach { a, through: b, lanes, wide, .. }
        | FusedOp::VecBinary { a, b, lanes, wide, .. }
        | FusedOp::VecPartition { a, b, lanes, wide, .. } => {
            [(wide & 1 != 0).then_some((a, lanes)), (wide & 2 != 0).then_some((b, lanes))]
        }
        FusedOp::VecUnion { a, lanes, .. } => [Some((a, lanes)), None],
        _ => return false,
    };
    rows.into_iter().flatten().any(|(first, lanes)| vector_regs(first, lanes).any(|lane| lane == reg))
}
