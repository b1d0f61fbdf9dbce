//! Hoisting of choice operands: a program goes in; what a choice behind another one offers comes
//! out at the beginning of the turn, if nothing in between can change it.
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
//! A bound of the runs behind the first choice then tells how many there are, and fewer numbers are
//! drawn in vain. Behind a choice of branches alone, floods are hoisted too: they are looked for once
//! then, not again for each number.

use std::cell::Cell;

use crate::plan::analysis::superset::PLACEHOLDER;
use crate::plan::op::TreeOp;
use crate::plan::regs::{Access, NumReg, Reg, SetReg};
use crate::plan::tree::{Arm, Block, Node, Options, Plan, PositionLayout};
use crate::plan::tuning::{MAX_ACCESSES_PER_PROGRAM, MAX_REGS_PER_SET, MAX_REGS_PER_SET_OF_A_BRANCH};
use crate::plan::vregs;
use crate::plan::vregs::VirtualRegs;

/// Finds what can be found early in all turns of a plan; whether there was any.
pub fn hoist_choices(plan: &mut Plan, fresh: &mut VirtualRegs) -> bool {
    let mut seats = std::mem::take(&mut plan.seats);
    let mut changed = false;
    for seat in &mut seats {
        let own = plan.layout.of[seat.player.index()];
        for program in seat.turns_mut() {
            let mut hoister = Hoister {
                plan,
                own,
                available: Vec::new(),
                prologue: Vec::new(),
                variant: Vec::new(),
                regs_left: 0,
                floods: false,
                budget: Cell::new(MAX_ACCESSES_PER_PROGRAM),
                vregs: fresh,
            };
            hoister.block(program, None, Behind::Nothing);
            changed |= !hoister.prologue.is_empty();
            program.splice(0..0, hoister.prologue);
        }
    }
    plan.seats = seats;
    changed
}

/// What has been done before a place: the nodes of a block, and what came before the block.
struct ProgramPoint<'p> {
    nodes: &'p [Node],
    /// What an arm that the block belongs to has chosen.
    chosen: Option<Options>,
    before: Option<&'p ProgramPoint<'p>>,
}

/// What was chosen before a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Behind {
    Nothing,
    /// Which branch is taken, and nothing else.
    Branches,
    Options,
}

impl Behind {
    fn choice(arms: &[Arm]) -> Behind {
        let branches = arms.iter().all(|arm| matches!(arm.options, Options::One { .. }));
        if branches { Behind::Branches } else { Behind::Options }
    }

    /// What a node chooses, with all that stands within.
    fn node(node: &Node) -> Behind {
        let own = match node {
            Node::Choose(arms) => Behind::choice(arms),
            Node::First { .. } => Behind::Options,
            _ => Behind::Nothing,
        };
        node.blocks().into_iter().flatten().map(Behind::node).fold(own, Behind::max)
    }
}

struct Hoister<'p> {
    plan: &'p Plan,
    own: SetReg,
    /// What is found when the turn begins: operations without the register that they make, and
    /// that.
    available: Vec<(TreeOp, Reg)>,
    prologue: Block,
    /// What was looked for before the place at hand, and is not the same whatever is chosen.
    variant: Vec<Reg>,
    /// So many registers may still be looked at for the arm at hand, and so often what nodes of the
    /// program touch.
    regs_left: u32,
    /// Floods are hoisted for the arm at hand.
    floods: bool,
    budget: Cell<u32>,
    vregs: &'p mut VirtualRegs,
}

impl Hoister<'_> {
    /// Goes through a block; `behind`: what was chosen before it.
    fn block(&mut self, block: &mut Block, before: Option<(&ProgramPoint<'_>, Option<Options>)>, mut behind: Behind) {
        let clobbered = self.variant.len();
        for at in 0..block.len() {
            let (nodes, rest) = block.split_at_mut(at);
            let past = ProgramPoint {
                nodes,
                chosen: before.and_then(|(_, chosen)| chosen),
                before: before.map(|(past, _)| past),
            };
            match &mut rest[0] {
                Node::Choose(arms) => {
                    if behind > Behind::Nothing {
                        self.floods = behind == Behind::Branches;
                        arms.iter_mut().for_each(|arm| self.hoist_arm(arm, &past));
                    }
                    let within = behind.max(Behind::choice(arms));
                    for arm in arms {
                        self.block(&mut arm.block, Some((&past, Some(arm.options))), within);
                    }
                    behind = behind.max(Behind::node(&rest[0]));
                }
                Node::If { then, otherwise, .. } => {
                    for block in [then, otherwise] {
                        self.block(block, Some((&past, None)), behind);
                    }
                    behind = behind.max(Behind::node(&rest[0]));
                }
                // What stands behind a round may be the next one.
                Node::Loop { .. } | Node::Each { .. } | Node::EachGroup { .. } | Node::First { .. } => {
                    behind = behind.max(Behind::node(&rest[0]));
                }
                Node::Op(_) | Node::Need(_) | Node::Fail => {}
            }
        }
        self.variant.truncate(clobbered);
    }

    fn hoist_arm(&mut self, arm: &mut Arm, past: &ProgramPoint<'_>) {
        let Options::Cells { of, .. } = &mut arm.options else { return };
        if self.budget.get() == 0 {
            return;
        }
        // Sets of the position and such as are always the same need not be found.
        if of.0 < self.plan.shared_sets || self.is_constant(Reg::Set(*of)) {
            return;
        }
        let (known, begun, fresh) = (self.available.len(), self.prologue.len(), *self.vregs);
        self.regs_left = if self.floods { MAX_REGS_PER_SET_OF_A_BRANCH } else { MAX_REGS_PER_SET };
        match self.hoisted(Reg::Set(*of), past) {
            Some(Reg::Set(found)) => *of = found,
            _ => {
                self.available.truncate(known);
                self.prologue.truncate(begun);
                *self.vregs = fresh;
            }
        }
    }

    fn is_constant(&self, reg: Reg) -> bool {
        match reg {
            Reg::Set(reg) => self.plan.consts.iter().any(|(constant, _)| *constant == reg),
            Reg::Number(reg) => self.plan.const_numbers.iter().any(|(constant, _)| *constant == reg),
        }
    }

    fn is_position(&self, reg: Reg) -> bool {
        match reg {
            Reg::Set(reg) => reg.0 < self.plan.layout.sets,
            Reg::Number(reg) => reg.0 < self.plan.layout.numbers,
        }
    }

    /// Where what a register holds at a place is found when the turn begins.
    fn hoisted(&mut self, reg: Reg, past: &ProgramPoint<'_>) -> Option<Reg> {
        if self.is_constant(reg) {
            return Some(reg);
        }
        if self.variant.contains(&reg) {
            return None;
        }
        self.regs_left = self.regs_left.checked_sub(1)?;
        let found = match self.reaching_def(reg, past) {
            None => None,
            Some(None) => Some(reg).filter(|&reg| self.is_position(reg)),
            Some(Some((TreeOp::Copy { a, .. }, before))) => self.hoisted(Reg::Set(a), &before),
            Some(Some((TreeOp::CopyNum { a, .. }, before))) => self.hoisted(Reg::Number(a), &before),
            Some(Some((op, before))) => self.hoist_op(op, &before),
        };
        if found.is_none() {
            self.variant.push(reg);
        }
        found
    }

    /// What an operation makes of what it read at a place, found when the turn begins.
    fn hoist_op(&mut self, op: TreeOp, past: &ProgramPoint<'_>) -> Option<Reg> {
        let (mut reads, mut makes) = (Vec::new(), None);
        op.accesses(|access| match access {
            Access::UseSet(reg) => reads.push(Reg::Set(reg)),
            Access::UseNum(reg) => reads.push(Reg::Number(reg)),
            Access::DefSet(reg) => makes = Some(Reg::Set(reg)),
            Access::DefNum(reg) => makes = Some(Reg::Number(reg)),
            Access::Pieces | Access::Position => {}
        });
        let is_wanted = is_cheap(&op) || self.floods && matches!(op, TreeOp::FloodFill { .. });
        let makes = makes.filter(|makes| is_wanted && !reads.contains(makes))?;
        let mut found = Vec::new();
        for &read in &reads {
            found.push(self.hoisted(read, past)?);
        }
        let renamed = |read: Reg| reads.iter().position(|known| *known == read).map(|at| found[at]);
        let set = |reg: SetReg| if let Some(Reg::Set(reg)) = renamed(Reg::Set(reg)) { reg } else { PLACEHOLDER };
        let number = |reg: NumReg| {
            if let Some(Reg::Number(reg)) = renamed(Reg::Number(reg)) { reg } else { NumReg(PLACEHOLDER.0) }
        };
        let op = op.renamed(set, number);
        if let Some((_, made)) = self.available.iter().find(|(known, _)| *known == op) {
            return Some(*made);
        }
        let made = match makes {
            Reg::Set(_) => Reg::Set(self.vregs.set()),
            Reg::Number(_) => Reg::Number(self.vregs.number()),
        };
        let set = |reg: SetReg| if let (PLACEHOLDER, Reg::Set(made)) = (reg, made) { made } else { reg };
        let number = |reg: NumReg| if let (NumReg(u16::MAX), Reg::Number(made)) = (reg, made) { made } else { reg };
        self.available.push((op, made));
        self.prologue.push(Node::Op(op.renamed(set, number)));
        Some(made)
    }

    /// The operation that a register was written by last before a place, and what was done before
    /// that; none if nobody has written it in this turn. `None`: it is not always the same.
    fn reaching_def<'a>(&self, reg: Reg, past: &'a ProgramPoint<'a>) -> Option<Option<(TreeOp, ProgramPoint<'a>)>> {
        let mut here = Some(past);
        while let Some(&ProgramPoint { nodes, chosen, before }) = here {
            for (at, node) in nodes.iter().enumerate().rev() {
                if self.budget.get() == 0 {
                    return None;
                }
                let before = ProgramPoint { nodes: &nodes[..at], chosen, before };
                if self.may_define(node, reg, &before) {
                    let Node::Op(op) = node else { return None };
                    return Some(Some((*op, before)));
                }
            }
            let mut chosen_here = false;
            if let Some(options) = chosen {
                options.accesses(&mut |access| chosen_here |= defines(access, reg, &self.plan.layout));
            }
            if chosen_here {
                return None;
            }
            here = before;
        }
        Some(None)
    }

    /// Calls back for each register that a node touches.
    fn accesses(&self, node: &Node, mut f: impl FnMut(Access)) {
        let mut times = 0;
        vregs::accesses(std::slice::from_ref(node), &mut |access| {
            times += 1;
            f(access);
        });
        self.budget.set(self.budget.get().saturating_sub(times));
    }

    /// Whether a node may write a register.
    fn may_define(&self, node: &Node, reg: Reg, past: &ProgramPoint<'_>) -> bool {
        if let Node::Op(TreeOp::MovePiece { from, .. }) = *node
            && self.is_opponent_set(reg)
            && self.is_own_piece(from, past)
        {
            return false;
        }
        let mut writes = false;
        self.accesses(node, |access| writes |= defines(access, reg, &self.plan.layout));
        if !writes {
            return false;
        }
        // Blocks are looked into, for men that are carried there.
        match node {
            Node::If { then, otherwise, .. } if self.is_opponent_set(reg) => {
                [then, otherwise].into_iter().any(|block| self.block_may_define(block, reg, (past, None)))
            }
            Node::Choose(arms) if self.is_opponent_set(reg) => arms.iter().any(|arm| {
                let mut chosen = false;
                arm.options.accesses(&mut |access| chosen |= defines(access, reg, &self.plan.layout));
                chosen || self.block_may_define(&arm.block, reg, (past, Some(arm.options)))
            }),
            _ => true,
        }
    }

    fn block_may_define(&self, block: &[Node], reg: Reg, (past, chosen): (&ProgramPoint<'_>, Option<Options>)) -> bool {
        (0..block.len()).any(|at| {
            let here = ProgramPoint { nodes: &block[..at], chosen, before: Some(past) };
            self.may_define(&block[at], reg, &here)
        })
    }

    /// Men of players who do not move, and of nobody.
    fn is_opponent_set(&self, reg: Reg) -> bool {
        let layout = &self.plan.layout;
        let others = layout.of.iter().copied().filter(|of| *of != self.own).chain(layout.neutral);
        others.into_iter().any(|of| Reg::Set(of) == reg)
    }

    /// A set holds a man of the player to move, as a choice tells behind which no men have changed.
    fn is_own_piece(&self, reg: SetReg, past: &ProgramPoint<'_>) -> bool {
        for (at, node) in past.nodes.iter().enumerate().rev() {
            let (mut writes, mut changes) = (false, false);
            self.accesses(node, |access| {
                writes |= access == Access::DefSet(reg);
                changes |=
                    access == Access::Pieces || matches!(access, Access::DefSet(d) if self.plan.layout.of.contains(&d));
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
                Node::Op(TreeOp::Copy { a, .. }) if writes => {
                    return self.is_own_piece(*a, &ProgramPoint { nodes: &past.nodes[..at], ..*past });
                }
                _ if writes || changes => return false,
                _ => {}
            }
        }
        false
    }
}

fn defines(access: Access, reg: Reg, layout: &PositionLayout) -> bool {
    match (access, reg) {
        (Access::DefSet(d), Reg::Set(reg)) => d == reg,
        (Access::DefNum(d), Reg::Number(reg)) => d == reg,
        (Access::Pieces, Reg::Set(reg)) => reg.0 < layout.sets && layout.men().contains(&reg),
        _ => false,
    }
}

/// An operation that costs little, next to a number that is drawn in vain.
fn is_cheap(op: &TreeOp) -> bool {
    matches!(
        op,
        TreeOp::And { .. }
            | TreeOp::Or { .. }
            | TreeOp::AndNot { .. }
            | TreeOp::KeepIf { .. }
            | TreeOp::Select { .. }
            | TreeOp::Shift { .. }
            | TreeOp::MaskedShift { .. }
            | TreeOp::Neighbors { .. }
            | TreeOp::FullLines { .. }
            | TreeOp::Lookup { .. }
            | TreeOp::LookupNum { .. }
            | TreeOp::NonEmpty { .. }
            | TreeOp::Intersects { .. }
            | TreeOp::Not { .. }
            | TreeOp::BitAnd { .. }
            | TreeOp::BitOr { .. }
            | TreeOp::Popcount { .. }
            | TreeOp::Compare { .. }
            | TreeOp::Const { .. }
    )
}
