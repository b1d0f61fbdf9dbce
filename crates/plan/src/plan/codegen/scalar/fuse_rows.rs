//! Fusion of direction vectors: two operations on them go in; the one operation comes out that does
//! both.

use crate::plan::codegen::scalar::{Fuser, Stretch};
use crate::plan::combine::{fused_filter, kept_in};
use crate::plan::dir_vector::VecBinaryOp;
use crate::plan::op::{FusedOp, LinearOp};
use crate::plan::operands::{may_overwrite, vector_regs};
use crate::plan::regs::Access;

impl Fuser<'_> {
    /// A run, the run with where it begins, and a step from these are a look along all directions.
    pub fn look(&self, stretch: &mut Stretch) -> bool {
        let mut changed = false;
        for at in 0..stretch.ops.len() {
            let Some(&[fill, pair, step]) = stretch.ops.get(at..at + 3).and_then(|ops| ops.first_chunk()) else {
                break;
            };
            let (
                FusedOp::VecRayFill { d: run, a, through, fan, lanes, wide },
                FusedOp::VecShift { d, a: from, onto: None, fan: steps, wide: 1, .. },
            ) = (fill, step)
            else {
                continue;
            };
            let FusedOp::VecBinary { pairing: VecBinaryOp::Or, d: begun, a: x, b: y, wide: both, .. } = pair else {
                continue;
            };
            let begins =
                [((x, both & 1), (y, both >> 1)), ((y, both >> 1), (x, both & 1))].contains(&((run, 1), (a, wide & 1)));
            let alike = self.fans[usize::from(fan)].hops == self.fans[usize::from(steps)].hops;
            let mut made = vector_regs(run, lanes)
                .chain(vector_regs(begun, lanes))
                .filter(|reg| !vector_regs(d, lanes).any(|kept| kept == *reg));
            let idle = made.all(|reg| !self.wants(stretch, at + 3, Access::DefSet(reg)));
            let apart = may_overwrite(d, lanes, (a, wide & 1)) && may_overwrite(d, lanes, (through, wide & 2));
            if begins && alike && from == begun && idle && apart {
                stretch.ops[at] = FusedOp::VecSlidingReach { d, a, through, onto: None, fan, lanes, wide };
                stretch.ops.drain(at + 1..at + 3);
                changed = true;
            }
        }
        changed
    }

    /// Steps, or a look, along all directions, of which what lies in one set is kept.
    pub fn land(&self, stretch: &mut Stretch) -> bool {
        let mut changed = false;
        for at in 0..stretch.ops.len() {
            let Some(&[op, pair]) = stretch.ops.get(at..at + 2).and_then(|ops| ops.first_chunk()) else { break };
            let Ok(pair) = LinearOp::try_from(pair) else { continue };
            let wanted = |reg| self.wants(stretch, at + 2, Access::DefSet(reg));
            let kept = match op {
                FusedOp::VecSlidingReach { d, a, through, onto: None, fan, lanes, wide } => {
                    kept_in(pair, d, [(a, wide & 1), (through, wide & 2)], wanted)
                        .map(|(d, set)| FusedOp::VecSlidingReach { d, a, through, onto: Some(set), fan, lanes, wide })
                }
                op => LinearOp::try_from(op).ok().and_then(|op| fused_filter(op, pair, wanted)).map(FusedOp::from),
            };
            if let Some(op) = kept {
                stretch.ops[at] = op;
                stretch.ops.remove(at + 1);
                changed = true;
            }
        }
        changed
    }
}
