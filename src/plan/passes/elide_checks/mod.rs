//! A rewrite: where runs are only counted, a condition behind a move is asked only of moves that
//! can change the answer.
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
//! nothing comes where nothing may (`demand.rs`): of `not attacked(own king)` the men that stand
//! between the king and those who look at it. `sure.rs` tells which options touch none of these.

pub(crate) mod bulk_count;
pub(crate) mod preserved;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::bitboard::Bits;
use crate::plan::op::Op;
use crate::plan::passes::elide_checks::preserved::Demand;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Arm, Block, KindSet, Node, Options, Plan};
use crate::plan::vregs::VirtualRegs;

/// Asks conditions behind moves only where they may have changed, in all turns of a plan.
pub fn spare(plan: &mut Plan, fresh: &mut VirtualRegs) {
    if plan.layout.waiting.is_some() {
        return;
    }
    for seat in 0..plan.seats.len() {
        let mut block = std::mem::take(&mut plan.seats[seat].turn);
        let own = plan.layout.of[plan.seats[seat].player.index()];
        if let Some(better) = Site::find(plan, &block).and_then(|site| site.rewrite(plan, own, &block, fresh)) {
            block = better;
        }
        plan.seats[seat].turn = block;
    }
}

/// Operations before a choice, each made once.
pub(crate) struct Maker<'p> {
    plan: &'p mut Plan,
    fresh: &'p mut VirtualRegs,
    out: Block,
    known: HashMap<Op, u16>,
}

impl<'p> Maker<'p> {
    /// Behind some nodes: what their operations computed is known.
    fn behind(plan: &'p mut Plan, fresh: &'p mut VirtualRegs, nodes: &[Node]) -> Maker<'p> {
        let mut known: HashMap<Op, u16> = HashMap::default();
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
                        Op::And { .. } | Op::Or { .. } | Op::AndNot { .. } | Op::Shift { .. } | Op::Neighbors { .. }
                    )
                {
                    known.insert(op.renamed(|reg| if reg == d { SetReg(u16::MAX) } else { reg }, |n| n), d.0);
                }
            }
        }
        Maker { plan, fresh, out: Vec::new(), known }
    }

    fn set(&mut self, make: impl Fn(SetReg) -> Op) -> SetReg {
        let key = make(SetReg(u16::MAX));
        if let Some(&known) = self.known.get(&key) {
            return SetReg(known);
        }
        let d = self.fresh.set();
        self.known.insert(key, d.0);
        self.out.push(Node::Op(make(d)));
        d
    }

    fn constant(&mut self, bits: Bits) -> SetReg {
        if let Some((known, _)) = self.plan.consts.iter().find(|(_, known)| *known == bits) {
            return *known;
        }
        let d = self.fresh.set();
        self.plan.consts.push((d, bits));
        d
    }

    fn any(&mut self) -> SetReg {
        let any = self.plan.bitboard.any;
        self.constant(any)
    }

    fn or(&mut self, a: Option<SetReg>, b: Option<SetReg>) -> Option<SetReg> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => Some(self.set(|d| Op::Or { d, a, b })),
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

fn reads(op: &Op, reg: SetReg) -> bool {
    let mut found = false;
    op.accesses(|access| found |= access == Access::UseSet(reg));
    found
}

/// A choice of moves with a condition behind it, in one block.
struct Site {
    choice: usize,
    need: usize,
    /// Nodes from here on, up to the condition, only compute.
    calm: usize,
}

/// A move changes men so: these are the names of what it does.
pub(crate) struct Trigger {
    /// Not 0: the condition must be asked.
    asked: NumReg,
    /// Not 0: it is told whether it must be.
    counting: NumReg,
    man: SetReg,
    bases: HashSet<SetReg>,
    demand: Demand,
}

impl Site {
    fn find(plan: &Plan, block: &Block) -> Option<Site> {
        let moves = |node: &Node| matches!(node, Node::Choose(arms) if arms.iter().any(|arm| arm.man.is_some()));
        let choice = block.iter().position(moves)?;
        let need = choice + block[choice..].iter().position(|node| matches!(node, Node::Need(_)))?;
        let computes = |node: &Node| matches!(node, Node::Op(op) if !changes(plan, op));
        let calm = need - block[choice + 1..need].iter().rev().take_while(|node| computes(node)).count();
        Some(Site { choice, need, calm })
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
        let mut maker = Maker::behind(plan, fresh, &block[..self.choice]);
        let demand = Demand::of(&mut maker, own, &slice.ops, slice.holds)?;
        if !arms.iter().any(|arm| arm.man.is_some_and(|(_, kinds)| kinds & !demand.touchy != 0)) {
            return None;
        }
        let asked = maker.fresh.number();
        maker.out.push(Node::Op(Op::CopyNum { d: asked, a: demand.fails }));
        let trigger = Trigger { asked, counting, man, bases: slice.bases.clone(), demand };
        let mut rest = trigger.watched(&mut maker, &block[self.choice + 1..self.calm]);
        let private = slice.private(&block[self.need + 1..], &block[self.calm..self.need]);
        let (inner, outer): (Block, Block) = block[self.calm..self.need]
            .iter()
            .cloned()
            .partition(|node| matches!(node, Node::Op(op) if private.contains(op)));
        rest.extend(outer);
        let then = inner.into_iter().chain([block[self.need].clone()]).collect();
        rest.push(Node::If { condition: asked, then, otherwise: Vec::new() });
        rest.extend_from_slice(&block[self.need + 1..]);
        let settled = crate::plan::passes::elide_checks::bulk_count::settle(&mut maker, &trigger, arms, &rest)?;
        let mut better = block[..self.choice].to_vec();
        better.push(Node::Op(Op::Const { d: asked, k: 1 }));
        let mut then = std::mem::take(&mut maker.out);
        then.extend(settled);
        better.push(Node::If { condition: counting, then, otherwise: Vec::new() });
        better.push(block[self.choice].clone());
        better.extend(rest);
        Some(better)
    }

    /// The operations that the condition is made of.
    fn slice(&self, plan: &Plan, block: &Block) -> Option<Slice> {
        let Node::Need(holds) = block[self.need] else { return None };
        let (mut sets, mut numbers) = (HashSet::from_iter([]), HashSet::from_iter([holds]));
        let mut slice = Slice { ops: Vec::new(), holds, bases: HashSet::default() };
        for node in block[self.calm..self.need].iter().rev() {
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
        slice.bases = sets.into_iter().filter(|reg| !fixed(reg)).collect();
        (numbers.is_empty() && slice.bases.iter().all(|reg| reg.0 < plan.layout.sets)).then_some(slice)
    }
}

struct Slice {
    ops: Vec<Op>,
    holds: NumReg,
    /// The parts of the position that it asks.
    bases: HashSet<SetReg>,
}

impl Slice {
    /// Those of its operations that serve nothing else.
    fn private(&self, behind: &[Node], around: &[Node]) -> HashSet<Op> {
        let mut read = (HashSet::default(), HashSet::default());
        collect(behind, &mut read);
        let mut private: HashSet<Op> = self.ops.iter().copied().collect();
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
fn collect(nodes: &[Node], read: &mut (HashSet<SetReg>, HashSet<NumReg>)) {
    for node in nodes {
        let mut access = |access| match access {
            Access::UseSet(reg) => drop(read.0.insert(reg)),
            Access::UseNum(reg) => drop(read.1.insert(reg)),
            _ => {}
        };
        match node {
            Node::Op(op) => op.accesses(access),
            Node::If { condition: n, .. } | Node::Need(n) | Node::Loop { again: n, .. } => access(Access::UseNum(*n)),
            Node::Each { of, .. } | Node::EachGroup { of, .. } => access(Access::UseSet(*of)),
            Node::Choose(arms) => {
                arms.iter().for_each(|arm| arm.accesses(&mut access));
            }
            Node::First { .. } | Node::Fail => {}
        }
        node.blocks().into_iter().for_each(|block| collect(block, read));
    }
}

/// The operation changes the position, or what a turn remembers.
fn changes(plan: &Plan, op: &Op) -> bool {
    let mut changes = changes_men(op);
    op.accesses(|access| changes |= matches!(access, Access::DefSet(d) if d.0 < plan.shared_sets));
    changes
}

fn changes_men(op: &Op) -> bool {
    let mut men = false;
    op.accesses(|access| men |= access == Access::Pieces);
    men
}

impl Trigger {
    /// The nodes, and where they change what the condition rests on, they say so.
    fn watched(&self, maker: &mut Maker, nodes: &[Node]) -> Block {
        let mut out = Vec::new();
        let (mut caught, mut forced): (Option<SetReg>, bool) = (None, false);
        for (at, node) in nodes.iter().enumerate() {
            let mut node = node.clone();
            for block in node.blocks_mut() {
                let inner = self.watched(maker, block);
                *block = inner;
            }
            out.push(node.clone());
            match node {
                Node::Op(Op::RemovePieces { cells, .. }) => {
                    let carries = |node: &Node| matches!(node, Node::Op(Op::MovePiece { .. }));
                    let plain = |node: &Node| matches!(node, Node::Op(op) if !changes_men(op));
                    let next = nodes[at + 1..].iter().find(|node| !plain(node));
                    if next.is_some_and(carries) && caught.is_none() {
                        caught = Some(cells)
                    } else {
                        self.loses(maker, &mut out, cells)
                    }
                }
                Node::Op(Op::MovePiece { from, to, .. }) if from == self.man => {
                    let (mut lost, mut then) = (from, Vec::new());
                    if let Some(a) = caught.take() {
                        let both = maker.fresh.set();
                        then.push(Node::Op(Op::Or { d: both, a, b: from }));
                        lost = maker.fresh.set();
                        then.push(Node::Op(Op::AndNot { d: lost, a: both, b: to }));
                        self.asks(maker, &mut then, a, self.demand.stay);
                    }
                    self.asks(maker, &mut then, lost, self.demand.guards);
                    self.asks(maker, &mut then, to, self.demand.closed);
                    out.push(Node::If { condition: self.counting, then, otherwise: Vec::new() });
                }
                Node::Op(op) => {
                    let mut touched = changes_men(&op);
                    op.accesses(|access| touched |= matches!(access, Access::DefSet(d) if self.bases.contains(&d)));
                    if touched && !std::mem::replace(&mut forced, true) {
                        out.push(Node::Op(Op::Const { d: self.asked, k: 1 }));
                    }
                }
                Node::Each { of: d, .. } | Node::EachGroup { of: d, .. } if self.bases.contains(&d) => {
                    out.push(Node::Op(Op::Const { d: self.asked, k: 1 }));
                }
                _ => {}
            }
        }
        out
    }

    /// Cells become empty.
    fn loses(&self, maker: &mut Maker, out: &mut Block, cells: SetReg) {
        let mut then = Vec::new();
        self.asks(maker, &mut then, cells, self.demand.guards);
        self.asks(maker, &mut then, cells, self.demand.stay);
        out.push(Node::If { condition: self.counting, then, otherwise: Vec::new() });
    }

    fn asks(&self, maker: &mut Maker, out: &mut Block, a: SetReg, cells: Option<SetReg>) {
        let Some(b) = cells else { return };
        let (d, asked) = (maker.fresh.number(), self.asked);
        out.push(Node::Op(Op::Intersects { d, a, b }));
        out.push(Node::Op(Op::BitOr { d: asked, a: asked, b: d }));
    }
}

/// The one option register of arms of cells.
fn landing(arm: &Arm) -> Option<(SetReg, SetReg)> {
    match arm.options {
        Options::Cells { of, cell } => Some((of, cell)),
        _ => None,
    }
}

fn kind_of(plan: &Plan, reg: SetReg) -> Option<usize> {
    plan.layout.kinds.iter().position(|kind| *kind == KindSet::Register(reg)).filter(|kind| *kind < 64)
}
