//! A rewrite: what a choice offers that stands behind another one is found when the turn begins, if nothing in between can change it.
//!
//! ```text
//! choose                              s40 = rows of 3 in Black
//!   s10 from s9                       s41 = Black and not s40
//! White = White or s10                choose
//! if n27                        ->      s10 from s9  (at most count(s41) runs each)
//!   s122 = rows of 3 in Black         White = White or s10
//!   s123 = Black and not s122         if n27
//!   choose                              choose
//!     s125 from s123                      s125 from s41
//! ```
//!
//! A bound of the runs behind the first choice then tells how many there are, and fewer numbers are drawn in vain.

use super::fresh::{Fresh, accesses};
use super::link::options_touch;
use super::wide::NOWHERE;
use super::{Access, Arm, Block, Layout, N, Node, Op, Options, Plan, S};

/// So many operations that one after the other make a set are looked at.
const DEPTH: u32 = 16;

/// Finds what can be found early in all turns of a plan; whether there was any.
pub fn early(plan: &mut Plan, fresh: &mut Fresh) -> bool {
    let mut seats = std::mem::take(&mut plan.seats);
    let mut changed = false;
    for seat in &mut seats {
        let own = plan.layout.of[seat.player.index()];
        for program in [&mut seat.turn].into_iter().chain(&mut seat.opening) {
            let mut finding = Finding { plan, own, known: Vec::new(), begun: Vec::new(), fresh };
            finding.block(program, None, false);
            changed |= !finding.begun.is_empty();
            program.splice(0..0, finding.begun);
        }
    }
    plan.seats = seats;
    changed
}

/// What has been done before a place: the nodes of a block, and what came before the block.
struct Past<'p> {
    nodes: &'p [Node],
    /// What an arm that the block belongs to has chosen.
    chosen: Option<Options>,
    before: Option<&'p Past<'p>>,
}

struct Finding<'p> {
    plan: &'p Plan,
    own: S,
    /// What is found when the turn begins: operations without the register that they make, and that.
    known: Vec<(Op, Made)>,
    begun: Block,
    fresh: &'p mut Fresh,
}

#[derive(Clone, Copy, PartialEq)]
enum Made {
    Set(S),
    Number(N),
}

impl Finding<'_> {
    /// Goes through a block; `behind`: something was chosen before it.
    fn block(&mut self, block: &mut Block, before: Option<(&Past<'_>, Option<Options>)>, mut behind: bool) {
        for at in 0..block.len() {
            let (nodes, rest) = block.split_at_mut(at);
            let past = Past { nodes, chosen: before.and_then(|(_, chosen)| chosen), before: before.map(|(past, _)| past) };
            match &mut rest[0] {
                Node::Choose(arms) => {
                    if behind {
                        arms.iter_mut().for_each(|arm| self.arm(arm, &past));
                    }
                    for arm in arms {
                        self.block(&mut arm.block, Some((&past, Some(arm.options))), true);
                    }
                    behind = true;
                }
                Node::If { then, otherwise, .. } => {
                    for block in [then, otherwise] {
                        self.block(block, Some((&past, None)), behind);
                    }
                    behind |= chooses(&rest[0]);
                }
                // What stands behind a round may be the next one.
                Node::Loop { .. } | Node::Each { .. } | Node::EachGroup { .. } | Node::First { .. } => {
                    behind |= chooses(&rest[0])
                }
                Node::Op(_) | Node::Need(_) | Node::Fail => {}
            }
        }
    }

    fn arm(&mut self, arm: &mut Arm, past: &Past<'_>) {
        let Options::Cells { of, .. } = &mut arm.options else { return };
        // Sets of the position and such as are always the same need not be found.
        if of.0 < self.plan.shared_sets || self.is_constant(*of) {
            return;
        }
        let (known, begun, fresh) = (self.known.len(), self.begun.len(), *self.fresh);
        match self.set(*of, past, DEPTH) {
            Some(found) => *of = found,
            None => {
                self.known.truncate(known);
                self.begun.truncate(begun);
                *self.fresh = fresh;
            }
        }
    }

    fn is_constant(&self, reg: S) -> bool {
        self.plan.consts.iter().any(|(constant, _)| *constant == reg)
    }

    /// The register of what a set holds at a place, found when the turn begins.
    fn set(&mut self, reg: S, past: &Past<'_>, depth: u32) -> Option<S> {
        if self.is_constant(reg) {
            return Some(reg);
        }
        match self.written(Made::Set(reg), past)? {
            None => Some(reg).filter(|reg| reg.0 < self.plan.layout.sets),
            Some((Op::Copy { a, .. }, before)) => self.set(a, &before, depth.checked_sub(1)?),
            Some((op, before)) => match self.made(op, &before, depth)? {
                Made::Set(reg) => Some(reg),
                Made::Number(_) => None,
            },
        }
    }

    fn number(&mut self, reg: N, past: &Past<'_>, depth: u32) -> Option<N> {
        if self.plan.const_numbers.iter().any(|(constant, _)| *constant == reg) {
            return Some(reg);
        }
        match self.written(Made::Number(reg), past)? {
            None => Some(reg).filter(|reg| reg.0 < self.plan.layout.numbers),
            Some((Op::Move { a, .. }, before)) => self.number(a, &before, depth.checked_sub(1)?),
            Some((op, before)) => match self.made(op, &before, depth)? {
                Made::Number(reg) => Some(reg),
                Made::Set(_) => None,
            },
        }
    }

    /// What an operation makes of what it read at a place, found when the turn begins.
    fn made(&mut self, op: Op, past: &Past<'_>, depth: u32) -> Option<Made> {
        let depth = depth.checked_sub(1)?;
        let (mut reads, mut makes) = (Vec::new(), None);
        op.accesses(|access| match access {
            Access::ReadSet(reg) => reads.push(Made::Set(reg)),
            Access::Read(reg) => reads.push(Made::Number(reg)),
            Access::WriteSet(reg) => makes = Some(Made::Set(reg)),
            Access::Write(reg) => makes = Some(Made::Number(reg)),
            Access::Men | Access::Position => {}
        });
        let makes = makes.filter(|makes| is_simple(&op) && !reads.contains(makes))?;
        let mut found = Vec::new();
        for &read in &reads {
            found.push(match read {
                Made::Set(reg) => Made::Set(self.set(reg, past, depth)?),
                Made::Number(reg) => Made::Number(self.number(reg, past, depth)?),
            });
        }
        let renamed = |read: Made| reads.iter().position(|known| *known == read).map(|at| found[at]);
        let set = |reg: S| if let Some(Made::Set(reg)) = renamed(Made::Set(reg)) { reg } else { NOWHERE };
        let number = |reg: N| if let Some(Made::Number(reg)) = renamed(Made::Number(reg)) { reg } else { N(NOWHERE.0) };
        let op = op.renamed(set, number);
        if let Some((_, made)) = self.known.iter().find(|(known, _)| *known == op) {
            return Some(*made);
        }
        let made = match makes {
            Made::Set(_) => Made::Set(self.fresh.set()),
            Made::Number(_) => Made::Number(self.fresh.number()),
        };
        let set = |reg: S| if let (NOWHERE, Made::Set(made)) = (reg, made) { made } else { reg };
        let number = |reg: N| if let (N(u16::MAX), Made::Number(made)) = (reg, made) { made } else { reg };
        self.known.push((op, made));
        self.begun.push(Node::Op(op.renamed(set, number)));
        Some(made)
    }

    /// The operation that a register was written by last before a place, and what was done before that; none if nobody has written it in
    /// this turn. `None`: it is not always the same.
    fn written<'a>(&self, reg: Made, past: &'a Past<'a>) -> Option<Option<(Op, Past<'a>)>> {
        let mut here = Some(past);
        while let Some(&Past { nodes, chosen, before }) = here {
            for (at, node) in nodes.iter().enumerate().rev() {
                let before = Past { nodes: &nodes[..at], chosen, before };
                if self.writes(node, reg, &before) {
                    let Node::Op(op) = node else { return None };
                    return Some(Some((*op, before)));
                }
            }
            let mut chosen_here = false;
            if let Some(options) = chosen {
                options_touch(options, &mut |access| chosen_here |= is_written(access, reg, &self.plan.layout));
            }
            if chosen_here {
                return None;
            }
            here = before;
        }
        Some(None)
    }

    /// Whether a node may write a register.
    fn writes(&self, node: &Node, reg: Made, past: &Past<'_>) -> bool {
        if let Node::Op(Op::Carry { from, .. }) = *node
            && self.is_others(reg)
            && self.is_own_man(from, past)
        {
            return false;
        }
        let mut writes = false;
        accesses(std::slice::from_ref(node), &mut |access| writes |= is_written(access, reg, &self.plan.layout));
        if !writes {
            return false;
        }
        // Blocks are looked into, for men that are carried there.
        match node {
            Node::If { then, otherwise, .. } if self.is_others(reg) => {
                [then, otherwise].into_iter().any(|block| self.block_writes(block, reg, (past, None)))
            }
            Node::Choose(arms) if self.is_others(reg) => arms.iter().any(|arm| {
                let mut chosen = false;
                options_touch(arm.options, &mut |access| chosen |= is_written(access, reg, &self.plan.layout));
                chosen || self.block_writes(&arm.block, reg, (past, Some(arm.options)))
            }),
            _ => true,
        }
    }

    fn block_writes(&self, block: &[Node], reg: Made, (past, chosen): (&Past<'_>, Option<Options>)) -> bool {
        (0..block.len()).any(|at| {
            let here = Past { nodes: &block[..at], chosen, before: Some(past) };
            self.writes(&block[at], reg, &here)
        })
    }

    /// Men of players who do not move, and of nobody.
    fn is_others(&self, reg: Made) -> bool {
        let layout = &self.plan.layout;
        let others = layout.of.iter().copied().filter(|of| *of != self.own).chain(layout.neutral);
        others.into_iter().any(|of| Made::Set(of) == reg)
    }

    /// A set holds a man of the player to move, as a choice tells behind which no men have changed.
    fn is_own_man(&self, reg: S, past: &Past<'_>) -> bool {
        for (at, node) in past.nodes.iter().enumerate().rev() {
            let (mut writes, mut changes) = (false, false);
            accesses(std::slice::from_ref(node), &mut |access| {
                writes |= access == Access::WriteSet(reg);
                changes |= access == Access::Men || matches!(access, Access::WriteSet(d) if self.plan.layout.of.contains(&d));
            });
            match node {
                Node::Choose(arms) if writes && !changes => {
                    let moves = |arm: &Arm| arm.own && arm.man.is_some_and(|(man, _)| man == reg);
                    let picks = |arm: &Arm| {
                        arm.block.is_empty()
                            && matches!(arm.options, Options::Cells { of, cell } if of == self.own && cell == reg)
                    };
                    return arms.iter().all(|arm| moves(arm) || picks(arm));
                }
                Node::Op(Op::Copy { a, .. }) if writes => {
                    return self.is_own_man(*a, &Past { nodes: &past.nodes[..at], ..*past });
                }
                _ if writes || changes => return false,
                _ => {}
            }
        }
        false
    }
}

fn is_written(access: Access, reg: Made, layout: &Layout) -> bool {
    match (access, reg) {
        (Access::WriteSet(d), Made::Set(reg)) => d == reg,
        (Access::Write(d), Made::Number(reg)) => d == reg,
        (Access::Men, Made::Set(reg)) => reg.0 < layout.sets && layout.men().contains(&reg),
        _ => false,
    }
}

/// An operation that costs little more than reading its registers.
fn is_simple(op: &Op) -> bool {
    matches!(
        op,
        Op::And { .. }
            | Op::Or { .. }
            | Op::Without { .. }
            | Op::Keep { .. }
            | Op::Select { .. }
            | Op::Shift { .. }
            | Op::Hop { .. }
            | Op::Around { .. }
            | Op::Rows { .. }
            | Op::Some { .. }
            | Op::Meet { .. }
            | Op::Not { .. }
            | Op::Both { .. }
            | Op::Either { .. }
            | Op::Count { .. }
            | Op::Compare { .. }
            | Op::Number { .. }
    )
}

fn chooses(node: &Node) -> bool {
    matches!(node, Node::First { .. } | Node::Choose(_)) || node.blocks().into_iter().flatten().any(chooses)
}
