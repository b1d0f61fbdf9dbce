//! Hoisting of supersets: a program goes in; what bounds the options of a choice comes out before
//! the choice in front of it.
//!
//! ```text
//! choose                              s17 = any and not s14
//!   s12 from White                    s40 = cells that complete a row of 3 in White
//! s17 = any and not s14               s41 = s17 and s40
//! s30 = White and not s12             choose
//! s31 = cells that complete ...  ->     s12 from White  (at most count(s41) * ... runs each)
//! s32 = s17 and s31                   s30 = White and not s12
//! choose                              s31 = cells that complete a row of 3 in s30
//!   s15 from s32                      s32 = s17 and s31
//!                                     choose
//!                                       s15 from s32
//! ```
//!
//! What does not depend on the first choice is found before it, and once for all that is drawn of
//! it. Of what depends on it, a set that holds it whatever is chosen: a bound of the runs behind
//! the first choice then knows more than how many cells a board has.

use crate::plan::analysis::superset::{Supersets, consecutive_choices};
use crate::plan::regs::SetReg;
use crate::plan::tree::{Block, Node, Options, Plan, PositionLayout, for_each_node_backwards};
use crate::plan::vregs::VirtualRegs;

/// Finds sets that hold what is offered behind choices, in all turns of a plan; whether there was
/// any.
pub fn hoist_supersets(plan: &mut Plan, fresh: &mut VirtualRegs) -> bool {
    let mut changed = false;
    let (layout, shared) = (&plan.layout, plan.shared_sets);
    for seat in &mut plan.seats {
        let own = layout.of[seat.player.index()];
        for program in seat.turns_mut() {
            for_each_node_backwards(program, &mut |block, at| {
                changed |= hoist_before_choice((layout, own, shared), block, at, fresh)
            });
        }
    }
    changed
}

/// Puts what can be found before a choice there, if another one follows it; whether it did.
fn hoist_before_choice(
    (layout, own, shared): (&PositionLayout, SetReg, u16),
    block: &mut Block,
    at: usize,
    fresh: &mut VirtualRegs,
) -> bool {
    let Some((first, between, second)) = consecutive_choices(&mut block[at..]) else { return false };
    let mut wide = Supersets::after_choice(first, layout, own, fresh);
    let mut moved: Vec<bool> = Vec::new();
    for op in between {
        let moves = wide.hoistable_def(&op).filter(|d| d.0 >= shared);
        match moves {
            Some(d) => wide.hoist(op, d),
            None => wide.transfer(op),
        }
        moved.push(moves.is_some());
    }
    let mut changed = moved.contains(&true);
    for arm in second {
        if let Options::Cells { of, .. } = arm.options {
            arm.within = wide.superset_of(arm.rest_of.map_or(of, |(whole, _)| whole));
            changed |= arm.within.is_some();
        }
    }
    let before = wide.hoisted;
    let mut moved = moved.into_iter();
    let behind: Block = block.drain(at + 1..).filter(|_: &Node| !moved.next().unwrap_or(false)).collect();
    block.splice(at..at, before);
    block.extend(behind);
    changed
}
