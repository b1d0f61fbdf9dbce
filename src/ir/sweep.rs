//! A rewrite: operations whose result nobody reads go away.
//!
//! ```text
//! passed = span(from, to)      # the game never asks `passed`
//! men    = carry(from, to)         ->  men = carry(from, to)
//! ```

use rustc_hash::FxHashSet as HashSet;

use super::{Access, Block, N, Node, Op, Plan, S};

#[derive(Default)]
struct Read {
    sets: HashSet<S>,
    numbers: HashSet<N>,
}

/// Drops what is computed in vain, in all programs of a plan.
pub fn sweep(plan: &mut Plan) {
    loop {
        let mut read = Read::default();
        // Who goes through the runs reads it.
        read.numbers.extend(plan.contest.map(|contest| contest.value));
        let states = (plan.layout.sets, plan.layout.numbers);
        for program in programs(plan) {
            collect(program, &mut read);
        }
        let mut dropped = 0;
        for program in programs(plan) {
            drop_unread(program, &read, states, &mut dropped);
        }
        if dropped == 0 {
            return;
        }
    }
}

fn programs(plan: &mut Plan) -> impl Iterator<Item = &mut Block> {
    plan.seats.iter_mut().flat_map(|seat| [&mut seat.turn, &mut seat.after, &mut seat.end].into_iter().chain(&mut seat.opening))
}

fn collect(block: &Block, read: &mut Read) {
    for node in block {
        match node {
            Node::Op(op) => collect_op(op, read),
            Node::If { condition: n, .. } | Node::Loop { again: n, .. } | Node::Need(n) => drop(read.numbers.insert(*n)),
            Node::Each { of, .. } | Node::EachGroup { of, .. } => drop(read.sets.insert(*of)),
            Node::Choose(arms) => arms.iter().for_each(|arm| {
                super::link::options_touch(arm.options, &mut |access| match access {
                    Access::ReadSet(reg) => drop(read.sets.insert(reg)),
                    Access::Read(reg) => drop(read.numbers.insert(reg)),
                    _ => {}
                });
            }),
            Node::First { .. } | Node::Fail => {}
        }
        node.blocks().into_iter().for_each(|block| collect(block, read));
    }
}

/// What an operation reads only to write it again is not wanted for that.
fn collect_op(op: &Op, read: &mut Read) {
    let mut writes = (None, None);
    op.accesses(|access| match access {
        Access::WriteSet(reg) => writes.0 = Some(reg),
        Access::Write(reg) => writes.1 = Some(reg),
        _ => {}
    });
    op.accesses(|access| match access {
        Access::ReadSet(reg) if writes.0 != Some(reg) => {
            read.sets.insert(reg);
        }
        Access::Read(reg) if writes.1 != Some(reg) => {
            read.numbers.insert(reg);
        }
        _ => {}
    });
}

fn drop_unread(block: &mut Block, read: &Read, states: (u16, u16), dropped: &mut usize) {
    block.retain_mut(|node| {
        node.blocks_mut().into_iter().for_each(|block| drop_unread(block, read, states, dropped));
        let keep = match node {
            Node::Op(op) => is_read(op, read, states),
            Node::If { then, otherwise, .. } => !(then.is_empty() && otherwise.is_empty()),
            Node::Each { body, .. } | Node::EachGroup { body, .. } => !body.is_empty(),
            Node::Loop { .. } | Node::Choose(_) | Node::First { .. } | Node::Need(_) | Node::Fail => true,
        };
        *dropped += usize::from(!keep);
        keep
    });
}

/// The operation does something, or someone reads what it writes. Operations that may fault do something.
fn is_read(op: &Op, read: &Read, (sets, numbers): (u16, u16)) -> bool {
    if matches!(op, Op::Arithmetic { .. } | Op::Coordinate { .. }) {
        return true;
    }
    let mut writes = false;
    let mut wanted = false;
    op.accesses(|access| match access {
        Access::WriteSet(reg) => {
            writes = true;
            wanted |= reg.0 < sets || read.sets.contains(&reg);
        }
        Access::Write(reg) => {
            writes = true;
            wanted |= reg.0 < numbers || read.numbers.contains(&reg);
        }
        Access::Men => wanted = true,
        _ => {}
    });
    !writes || wanted
}
