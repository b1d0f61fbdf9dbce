//! Check elision: a condition behind a move goes in; where runs are only counted it comes out
//! before the move, and is asked again only of moves that can change the answer.
//!
//! ```text
//! choose from, to                      asked = 1
//! carry the man on from to to          if counting
//! s1 = ...                               asked, guards = the condition before the move, and what it rests on
//! need n1                                if not asked   count the options that do not touch the guards
//!                                ->    choose from, to
//!                                      carry the man on from to to
//!                                      if counting   asked = asked or the move touches the guards
//!                                      if asked
//!                                        s1 = ...
//!                                        need n1
//! ```
//!
//! What a condition rests on are cells that keep it true as long as what stands there stays and
//! nothing comes where nothing may (`preserved.rs`): of `not attacked(own king)` the men that stand
//! between the king and those who look at it. `bulk_count.rs` tells which options touch none of these.

pub mod bulk_count;
pub mod preserved;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::bitboard::Bits;
use crate::plan::op::TreeOp;
use crate::plan::passes::elide_checks::preserved::Preserved;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Arm, Block, KindSet, Node, Options, Plan};
use crate::plan::vregs::VirtualRegs;

/// Asks conditions behind moves only where they may have changed, in all turns of a plan; whether
/// there was any. Runs that are only counted have no value to compare.
pub fn elide_checks(plan: &mut Plan, fresh: &mut VirtualRegs) -> bool {
    if plan.layout.waiting.is_some() || plan.layout.stacks.is_some() || plan.argmax.is_some() {
        return false;
    }
    let mut changed = false;
    for seat in 0..plan.seats.len() {
        let mut block = std::mem::take(&mut plan.seats[seat].turn);
        let own = plan.layout.of[plan.seats[seat].player.index()];
        if let Some(better) = CheckedChoice::find(plan, &block).and_then(|site| site.rewrite(plan, own, &block, fresh))
        {
            block = better;
            changed = true;
        }
        plan.seats[seat].turn = block;
    }
    changed
}

/// Operations before a choice, each made once.
pub struct Preheader<'p> {
    plan: &'p mut Plan,
    vregs: &'p mut VirtualRegs,
    block: Block,
    available: HashMap<TreeOp, u16>,
}

impl<'p> Preheader<'p> {
    /// Behind some nodes: what their operations computed is known.
    fn after(plan: &'p mut Plan, fresh: &'p mut VirtualRegs, nodes: &[Node]) -> Preheader<'p> {
        let mut known: HashMap<TreeOp, u16> = HashMap::default();
        for node in nodes {
            let Node::Op(op) = node else {
                known.clear();
                continue;
            };
            let (mut written, mut men) = (None, false);
            op.accesses(|access| match access {
                Access::DefSet(d) => written = Some(d),
                Access::Pieces => men = true,
                _ => {}
            });
            if men {
                known.clear();
            }
            if let Some(d) = written {
                known.retain(|op, home| *home != d.0 && !reads(op, d));
                if !reads(op, d)
                    && matches!(
                        op,
                        TreeOp::And { .. }
                            | TreeOp::Or { .. }
                            | TreeOp::AndNot { .. }
                            | TreeOp::Shift { .. }
                            | TreeOp::Neighbors { .. }
                    )
                {
                    known.insert(op.renamed(|reg| if reg == d { SetReg(u16::MAX) } else { reg }, |n| n), d.0);
                }
            }
        }
        Preheader { plan, vregs: fresh, block: Vec::new(), available: known }
    }

    fn set(&mut self, make: impl Fn(SetReg) -> TreeOp) -> SetReg {
        let key = make(SetReg(u16::MAX));
        if let Some(&known) = self.available.get(&key) {
            return SetReg(known);
        }
        let d = self.vregs.set();
        self.available.insert(key, d.0);
        self.block.push(Node::Op(make(d)));
        d
    }

    fn constant(&mut self, bits: Bits) -> SetReg {
        if let Some((known, _)) = self.plan.consts.iter().find(|(_, known)| *known == bits) {
            return *known;
        }
        let d = self.vregs.set();
        self.plan.consts.push((d, bits));
        d
    }

    fn all_cells(&mut self) -> SetReg {
        let any = self.plan.bitboard.any;
        self.constant(any)
    }

    fn union(&mut self, a: Option<SetReg>, b: Option<SetReg>) -> Option<SetReg> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => Some(self.set(|d| TreeOp::Or { d, a, b })),
            (a, b) => a.or(b),
        }
    }

    /// The direction back.
    fn opposite(&self, dir: u16) -> Option<u16> {
        let grid = &self.plan.bitboard;
        let [hop] = grid.dirs[usize::from(dir)].as_slice() else { return None };
        let back = grid.hops[usize::from(*hop)].back();
        let is_back = |hops: &smallvec::SmallVec<[u16; 2]>| matches!(hops.as_slice(), [hop] if grid.hops[usize::from(*hop)] == back);
        grid.dirs.iter().position(is_back).map(|dir| dir as u16)
    }

    fn opposites(&self, dirs: u32) -> Option<u32> {
        let mut all = 0;
        for dir in (0..32).filter(|dir| dirs >> dir & 1 == 1) {
            all |= 1 << self.opposite(dir)?;
        }
        Some(all)
    }
}

fn reads(op: &TreeOp, reg: SetReg) -> bool {
    let mut found = false;
    op.accesses(|access| found |= access == Access::UseSet(reg));
    found
}

/// A choice of moves with a condition behind it, in one block.
struct CheckedChoice {
    choice: usize,
    check: usize,
    /// Nodes from here on, up to the condition, only compute.
    pure_from: usize,
}

/// A move changes men so: these are the names of what it does.
pub struct Recheck {
    /// Not 0: the condition must be asked.
    must_check: NumReg,
    /// Not 0: it is told whether it must be.
    counting: NumReg,
    piece: SetReg,
    inputs: HashSet<SetReg>,
    preserved: Preserved,
}

impl CheckedChoice {
    fn find(plan: &Plan, block: &Block) -> Option<CheckedChoice> {
        let moves = |node: &Node| matches!(node, Node::Choose(arms) if arms.iter().any(|arm| arm.man.is_some()));
        let choice = block.iter().position(moves)?;
        let need = choice + block[choice..].iter().position(|node| matches!(node, Node::Need(_)))?;
        let computes = |node: &Node| matches!(node, Node::Op(op) if !changes_state(plan, op));
        let calm = need - block[choice + 1..need].iter().rev().take_while(|node| computes(node)).count();
        Some(CheckedChoice { choice, check: need, pure_from: calm })
    }

    /// The block with the condition spared; `None`: it is not known what the condition rests on, or
    /// all moves may change it.
    fn rewrite(&self, plan: &mut Plan, own: SetReg, block: &Block, fresh: &mut VirtualRegs) -> Option<Block> {
        let Node::Choose(arms) = &block[self.choice] else { return None };
        let counting = plan.terminal.counting?;
        let man = arms.iter().find_map(|arm| arm.man)?.0;
        if arms.iter().any(|arm| arm.man.is_some_and(|(reg, _)| reg != man) || arm.man.is_some() && !arm.own) {
            return None;
        }
        let slice = self.slice(plan, block)?;
        let mut maker = Preheader::after(plan, fresh, &block[..self.choice]);
        let demand = Preserved::of(&mut maker, own, &slice.ops, slice.holds)?;
        if !arms.iter().any(|arm| arm.man.is_some_and(|(_, kinds)| kinds & !demand.sensitive_kinds != 0)) {
            return None;
        }
        let asked = maker.vregs.number();
        maker.block.push(Node::Op(TreeOp::CopyNum { d: asked, a: demand.fails }));
        let trigger =
            Recheck { must_check: asked, counting, piece: man, inputs: slice.inputs.clone(), preserved: demand };
        let mut rest = trigger.instrumented(&mut maker, &block[self.choice + 1..self.pure_from]);
        let private = slice.exclusive_ops(&block[self.check + 1..], &block[self.pure_from..self.check]);
        let (inner, outer): (Block, Block) = block[self.pure_from..self.check]
            .iter()
            .cloned()
            .partition(|node| matches!(node, Node::Op(op) if private.contains(op)));
        rest.extend(outer);
        let then = inner.into_iter().chain([block[self.check].clone()]).collect();
        rest.push(Node::If { condition: asked, then, otherwise: Vec::new() });
        rest.extend_from_slice(&block[self.check + 1..]);
        let settled =
            crate::plan::passes::elide_checks::bulk_count::count_unaffected(&mut maker, &trigger, arms, &rest)?;
        let mut better = block[..self.choice].to_vec();
        better.push(Node::Op(TreeOp::Const { d: asked, k: 1 }));
        let mut then = std::mem::take(&mut maker.block);
        then.extend(settled);
        better.push(Node::If { condition: counting, then, otherwise: Vec::new() });
        better.push(block[self.choice].clone());
        better.extend(rest);
        Some(better)
    }

    /// The operations that the condition is made of.
    fn slice(&self, plan: &Plan, block: &Block) -> Option<Slice> {
        let Node::Need(holds) = block[self.check] else { return None };
        let (mut sets, mut numbers) = (HashSet::from_iter([]), HashSet::from_iter([holds]));
        let mut slice = Slice { ops: Vec::new(), holds, inputs: HashSet::default() };
        for node in block[self.pure_from..self.check].iter().rev() {
            let Node::Op(op) = node else { return None };
            let mut wanted = false;
            op.accesses(|access| match access {
                Access::DefSet(d) => wanted |= sets.remove(&d),
                Access::DefNum(d) => wanted |= numbers.remove(&d),
                _ => {}
            });
            if wanted {
                op.accesses(|access| match access {
                    Access::UseSet(a) => drop(sets.insert(a)),
                    Access::UseNum(a) => drop(numbers.insert(a)),
                    _ => {}
                });
                slice.ops.push(*op);
            }
        }
        slice.ops.reverse();
        let fixed = |reg: &SetReg| plan.consts.iter().any(|(known, _)| known == reg);
        slice.inputs = sets.into_iter().filter(|reg| !fixed(reg)).collect();
        (numbers.is_empty() && slice.inputs.iter().all(|reg| reg.0 < plan.layout.sets)).then_some(slice)
    }
}

struct Slice {
    ops: Vec<TreeOp>,
    holds: NumReg,
    /// The parts of the position that it asks.
    inputs: HashSet<SetReg>,
}

impl Slice {
    /// Those of its operations that serve nothing else.
    fn exclusive_ops(&self, behind: &[Node], around: &[Node]) -> HashSet<TreeOp> {
        let mut read = (HashSet::default(), HashSet::default());
        collect_uses(behind, &mut read);
        let mut private: HashSet<TreeOp> = self.ops.iter().copied().collect();
        for node in around.iter().rev() {
            let Node::Op(op) = node else { continue };
            let mut wanted = !private.contains(op);
            op.accesses(|access| match access {
                Access::DefSet(d) => wanted |= read.0.contains(&d),
                Access::DefNum(d) => wanted |= read.1.contains(&d),
                _ => {}
            });
            if wanted {
                private.remove(op);
                op.accesses(|access| match access {
                    Access::UseSet(a) => drop(read.0.insert(a)),
                    Access::UseNum(a) => drop(read.1.insert(a)),
                    _ => {}
                });
            }
        }
        private
    }
}

/// All registers that some nodes read.
fn collect_uses(nodes: &[Node], read: &mut (HashSet<SetReg>, HashSet<NumReg>)) {
    for node in nodes {
        node.accesses(&mut |access| match access {
            Access::UseSet(reg) => drop(read.0.insert(reg)),
            Access::UseNum(reg) => drop(read.1.insert(reg)),
            _ => {}
        });
        node.blocks().into_iter().for_each(|block| collect_uses(block, read));
    }
}

/// The operation changes the position, or what a turn remembers.
fn changes_state(plan: &Plan, op: &TreeOp) -> bool {
    let mut changes = changes_pieces(op);
    op.accesses(|access| changes |= matches!(access, Access::DefSet(d) if d.0 < plan.shared_sets));
    changes
}

fn changes_pieces(op: &TreeOp) -> bool {
    let mut men = false;
    op.accesses(|access| men |= access == Access::Pieces);
    men
}

impl Recheck {
    /// The nodes, and where they change what the condition rests on, they say so.
    fn instrumented(&self, maker: &mut Preheader, nodes: &[Node]) -> Block {
        let mut out = Vec::new();
        let (mut caught, mut forced): (Option<SetReg>, bool) = (None, false);
        for (at, node) in nodes.iter().enumerate() {
            let mut node = node.clone();
            for block in node.blocks_mut() {
                let inner = self.instrumented(maker, block);
                *block = inner;
            }
            out.push(node.clone());
            match node {
                Node::Op(TreeOp::RemovePieces { cells, .. }) => {
                    let carries = |node: &Node| matches!(node, Node::Op(TreeOp::MovePiece { .. }));
                    let plain = |node: &Node| matches!(node, Node::Op(op) if !changes_pieces(op));
                    let next = nodes[at + 1..].iter().find(|node| !plain(node));
                    if next.is_some_and(carries) && caught.is_none() {
                        caught = Some(cells)
                    } else {
                        self.recheck_on_removal(maker, &mut out, cells)
                    }
                }
                Node::Op(TreeOp::MovePiece { from, to, .. }) if from == self.piece => {
                    let (mut lost, mut then) = (from, Vec::new());
                    if let Some(a) = caught.take() {
                        let both = maker.vregs.set();
                        then.push(Node::Op(TreeOp::Or { d: both, a, b: from }));
                        lost = maker.vregs.set();
                        then.push(Node::Op(TreeOp::AndNot { d: lost, a: both, b: to }));
                        self.recheck_if_intersects(maker, &mut then, a, self.preserved.uncaptured);
                    }
                    self.recheck_if_intersects(maker, &mut then, lost, self.preserved.occupied);
                    self.recheck_if_intersects(maker, &mut then, to, self.preserved.vacant);
                    out.push(Node::If { condition: self.counting, then, otherwise: Vec::new() });
                }
                Node::Op(op) => {
                    let mut touched = changes_pieces(&op);
                    op.accesses(|access| touched |= matches!(access, Access::DefSet(d) if self.inputs.contains(&d)));
                    if touched && !std::mem::replace(&mut forced, true) {
                        out.push(Node::Op(TreeOp::Const { d: self.must_check, k: 1 }));
                    }
                }
                Node::Each { of: d, .. } | Node::EachGroup { of: d, .. } if self.inputs.contains(&d) => {
                    out.push(Node::Op(TreeOp::Const { d: self.must_check, k: 1 }));
                }
                _ => {}
            }
        }
        out
    }

    /// Cells become empty.
    fn recheck_on_removal(&self, maker: &mut Preheader, out: &mut Block, cells: SetReg) {
        let mut then = Vec::new();
        self.recheck_if_intersects(maker, &mut then, cells, self.preserved.occupied);
        self.recheck_if_intersects(maker, &mut then, cells, self.preserved.uncaptured);
        out.push(Node::If { condition: self.counting, then, otherwise: Vec::new() });
    }

    fn recheck_if_intersects(&self, maker: &mut Preheader, out: &mut Block, a: SetReg, cells: Option<SetReg>) {
        let Some(b) = cells else { return };
        let (d, asked) = (maker.vregs.number(), self.must_check);
        out.push(Node::Op(TreeOp::Intersects { d, a, b }));
        out.push(Node::Op(TreeOp::BitOr { d: asked, a: asked, b: d }));
    }
}

/// The one option register of arms of cells.
fn cell_options(arm: &Arm) -> Option<(SetReg, SetReg)> {
    match arm.options {
        Options::Cells { of, cell } => Some((of, cell)),
        _ => None,
    }
}

fn kind_of(plan: &Plan, reg: SetReg) -> Option<usize> {
    plan.layout.kinds.iter().position(|kind| *kind == KindSet::Register(reg)).filter(|kind| *kind < 64)
}
