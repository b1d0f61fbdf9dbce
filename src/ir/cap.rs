//! A rewrite: where a turn is drawn by number, it is asked as soon as a cell was chosen whether the number can be that of a run.
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
//! The lines from one cell are the largest part of what such runs cost, and most numbers that are drawn in vain need no more than them.

use super::fresh::Fresh;
use super::wide::{Wide, followed};
use super::widen::in_block;
use super::{Arm, Block, Layout, Node, Op, Options, Plan, S};

/// Asks early whether numbers are those of runs, in all turns of a plan.
pub fn cap(plan: &mut Plan, mut fresh: Fresh) {
    let (layout, trails) = (&plan.layout, &plan.trails);
    let fits = |trail: u16| !trails[usize::from(trail)].ended;
    for seat in &mut plan.seats {
        let own = layout.of[seat.player.index()];
        for program in [&mut seat.turn].into_iter().chain(&mut seat.opening) {
            in_block(program, &mut |block, at| asked((layout, own), block, at, (&mut fresh, &fits)));
        }
    }
}

fn asked((layout, own): (&Layout, S), block: &mut Block, at: usize, (fresh, fits): (&mut Fresh, &impl Fn(u16) -> bool)) {
    let Some((first, between, second)) = followed(&mut block[at..]) else { return };
    let Some((chosen, of)) = chosen_by_all(first).zip(offered(second)) else { return };
    let mut wide = Wide::behind(first, layout, own, fresh);
    let mut found = None;
    for op in between {
        found = match op {
            Op::Follow { d, a, x, trail, .. } if d == of && wide.name(a) == chosen && fits(trail) => {
                wide.holding(x).map(|x| Op::Cap { a: chosen, x, trail })
            }
            _ => found.filter(|_| !writes(&op, of)),
        };
        if writes(&op, chosen) {
            return;
        }
        wide.pass(op);
    }
    let before = wide.before;
    if let Some(op) = found {
        block.insert(at + 1, Node::Op(op));
        block.splice(at..at, before);
    }
}

/// The register in which all arms put the cell that is chosen, and leave it, if one run at least is not the only one behind it.
fn chosen_by_all(arms: &[Arm]) -> Option<S> {
    let [Arm { options: Options::Cells { cell, .. }, .. }, ..] = arms else { return None };
    let same = |arm: &Arm| {
        let chosen = matches!(arm.options, Options::Cells { cell: other, .. } if other == *cell);
        let straight = arm.block.iter().all(|node| matches!(node, Node::Op(op) if !writes(op, *cell)));
        chosen && straight && !arm.bound.is_unknown()
    };
    arms.iter().all(same).then_some(*cell)
}

/// The cells that a choice offers, each of which completes one run at most.
fn offered(arms: &[Arm]) -> Option<S> {
    match arms {
        [Arm { options: Options::Cells { of, .. }, bound, .. }] if bound.fixed() == Some(1) => Some(*of),
        _ => None,
    }
}

fn writes(op: &Op, reg: S) -> bool {
    let mut writes = false;
    op.accesses(|access| writes |= access == super::Access::WriteSet(reg));
    writes
}
