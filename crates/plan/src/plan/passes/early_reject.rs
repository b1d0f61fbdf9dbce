//! Early rejection: a program that draws turns by rank goes in; it comes out with a test, as soon
//! as a cell was chosen, whether the rank can be that of a run.
//!
//! ```text
//! choose                                    s71 = any and not s70
//!   s9 from s44                             choose
//!     s8 = s9 stepped south                   s9 from s44
//! carry the man on s8 to s9                     s8 = s9 stepped south
//! s59 = any and not s58               ->    at most as many as runs 8 ways from s9 through s71
//! s60 = runs 8 ways from s9 through s59     carry the man on s8 to s9
//! choose                                    s59 = any and not s58
//!   s62 from s60                            s60 = runs 8 ways from s9 through s59
//!                                           choose
//!                                             s62 from s60
//! ```
//!
//! Where a number can be that of a cell which lines may come to, and not only of one that they do
//! come to, it is: only what lies between is looked at then, and the second choice takes the cell.
//! Otherwise there must be more cells on the lines than the number tells. Most numbers that are
//! drawn in vain need no more than this.

use crate::plan::analysis::superset::{Supersets, consecutive_choices};
use crate::plan::bitboard::BitboardLayout;
use crate::plan::op::TreeOp;
use crate::plan::ray_query::RayQuery;
use crate::plan::regs::SetReg;
use crate::plan::tree::{Arm, Block, Node, Options, Plan, PositionLayout, for_each_node_backwards};
use crate::plan::vregs::VirtualRegs;

/// Asks early whether numbers are those of runs, in all turns of a plan; whether there was anything
/// to ask.
pub fn insert_early_rejects(plan: &mut Plan, fresh: &mut VirtualRegs) -> bool {
    let mut changed = false;
    let Plan { layout, ray_queries: trails, bitboard: grid, seats, .. } = plan;
    for seat in seats {
        let own = layout.of[seat.player.index()];
        for program in seat.turns_mut() {
            for_each_node_backwards(program, &mut |block, at| {
                changed |= insert_early_reject((layout, own), block, at, (fresh, trails, grid))
            });
        }
    }
    changed
}

fn insert_early_reject(
    (layout, own): (&PositionLayout, SetReg),
    block: &mut Block,
    at: usize,
    (fresh, trails, grid): (&mut VirtualRegs, &mut [RayQuery], &BitboardLayout),
) -> bool {
    let Some((first, between, second)) = consecutive_choices(&mut block[at..]) else { return false };
    let Some((chosen, of)) = common_chosen_cell(first).zip(offered_cells(second)) else { return false };
    let least = first.iter().map(|arm| arm.bound.fixed()).min().flatten();
    let mut wide = Supersets::after_choice(first, layout, own, fresh);
    let mut found = None;
    for op in between {
        found = match op {
            TreeOp::RayQuery { d, a, x, trail, .. }
                if d == of && wide.copy_source(a) == chosen && !trails[usize::from(trail)].ended =>
            {
                wide.superset_of(x).map(|x| (chosen, x, trail))
            }
            _ => found.filter(|_| !writes(&op, of)),
        };
        if writes(&op, chosen) {
            return false;
        }
        wide.transfer(op);
    }
    let before = wide.hoisted;
    if let Some((a, x, trail)) = found {
        let line = &mut trails[usize::from(trail)];
        let aims = least.zip(line.reach(grid)).is_some_and(|(least, reach)| least >= reach as u64);
        line.numbered |= aims;
        block.insert(at + 1, Node::Op(TreeOp::EarlyReject { a, x, trail, aims }));
        block.splice(at..at, before);
    }
    found.is_some()
}

/// The register in which all arms put the cell that is chosen, and leave it, if one run at least is
/// not the only one behind it.
fn common_chosen_cell(arms: &[Arm]) -> Option<SetReg> {
    let [Arm { options: Options::Cells { cell, .. }, .. }, ..] = arms else { return None };
    let same = |arm: &Arm| {
        let chosen = matches!(arm.options, Options::Cells { cell: other, .. } if other == *cell);
        let straight = arm.block.iter().all(|node| matches!(node, Node::Op(op) if !writes(op, *cell)));
        chosen && straight && !arm.bound.is_unknown()
    };
    arms.iter().all(same).then_some(*cell)
}

/// The cells that a choice offers, each of which completes one run at most.
fn offered_cells(arms: &[Arm]) -> Option<SetReg> {
    match arms {
        [Arm { options: Options::Cells { of, .. }, bound, .. }] if bound.fixed() == Some(1) => Some(*of),
        _ => None,
    }
}

fn writes(op: &TreeOp, reg: SetReg) -> bool {
    let mut writes = false;
    op.accesses(|access| writes |= access == crate::plan::Access::DefSet(reg));
    writes
}
