//! Reachability queries: floods that are only asked whether they meet some cells go in; queries
//! that stop early come out, and floods that go on from what they reached last.
//!
//! ```text
//! s1 = flood from s0 within Black            s4 = any and not Black
//! s2 = s1 stepped any of 4 ways              s5 = s4 stepped any of 4 ways
//! s3 = s2 and not s1                   ->    n1 = s5 joined to s0 within Black
//! s4 = any and not Black
//! s5 = s3 and s4
//! n1 = some s5
//! ```
//!
//! A step that leads from the group to some cell is one that leads back from there into the group.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::analysis::use_counts::UseCounts;
use crate::plan::op::TreeOp;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Block, Node, Plan};
use crate::plan::tuning::{MAX_CHAIN_OPS, MAX_SUBSET_DEPTH, MAX_TRACES_PER_PLAN};
use crate::plan::vregs::VirtualRegs;

/// Rewrites all programs of a plan. `true`: something is asked in another way.
pub fn use_reachability_queries(plan: &mut Plan, fresh: &mut VirtualRegs) -> bool {
    if !plan.programs_mut().any(|block| has_flood(block)) {
        return false;
    }
    let mutual: Vec<bool> = plan.along.iter().map(|hops| is_symmetric(plan, hops)).collect();
    let mut pass = ReachabilityPass {
        symmetric: mutual,
        reads: UseCounts::new(plan),
        vregs: fresh,
        flood_caches: 0,
        flooded: Vec::new(),
        changed: false,
        traces_left: MAX_TRACES_PER_PLAN,
    };
    for block in plan.programs_mut() {
        pass.block(block, &mut AvailableDefs::default());
    }
    let ReachabilityPass { changed, flooded, .. } = pass;
    plan.flooded = flooded;
    changed
}

fn has_flood(block: &Block) -> bool {
    let floods_here = |node: &Node| matches!(node, Node::Op(TreeOp::FloodFill { .. }));
    block.iter().any(|node| floods_here(node) || node.blocks().into_iter().any(has_flood))
}

/// From wherever a step leads, one of the same directions leads back.
fn is_symmetric(plan: &Plan, hops: &[u16]) -> bool {
    let hops: Vec<_> = hops.iter().map(|hop| &plan.bitboard.hops[usize::from(*hop)]).collect();
    hops.iter().all(|hop| {
        let back = hops.iter().filter(|other| other.by == -hop.by);
        let from = back.fold(crate::plan::Bits::default(), |all, other| all.zip(&other.from, |a, b| a | b));
        hop.to.zip(&from, |to, from| to & !from).is_empty()
    })
}

struct ReachabilityPass<'f> {
    /// By number of a set of directions.
    symmetric: Vec<bool>,
    reads: UseCounts,
    vregs: &'f mut VirtualRegs,
    /// Floods that remember.
    flood_caches: u16,
    /// Sets of directions of these.
    flooded: Vec<u16>,
    changed: bool,
    traces_left: u32,
}

/// How often sets are read within the ways of conditions, which are not always gone.
fn uses_in_branches(block: &Block) -> UseCounts {
    let mut reads = UseCounts::default();
    let ways = block.iter().filter(|node| matches!(node, Node::If { .. })).flat_map(|node| node.blocks());
    ways.for_each(|block| reads.collect(block));
    reads
}

/// What registers were made by, as long as nothing of that has changed.
#[derive(Clone, Default)]
struct AvailableDefs {
    defs: HashMap<SetReg, Def>,
    /// All registers that anything there has to do with.
    mentioned: HashSet<SetReg>,
}

#[derive(Clone, Copy)]
struct Def {
    op: TreeOp,
    /// It has no cell that does not come from a flood: a part of one, or a step from one.
    from_flood: bool,
}

impl AvailableDefs {
    fn transfer(&mut self, op: &TreeOp) {
        let (mut written, mut men) = (smallvec::SmallVec::<[SetReg; 8]>::new(), false);
        op.accesses(|access| match access {
            Access::DefSet(reg) => written.push(reg),
            Access::Pieces => men = true,
            _ => {}
        });
        if men {
            *self = AvailableDefs::default();
        }
        for reg in &written {
            if self.mentioned.contains(reg) {
                self.defs.retain(|home, made| home != reg && !reads(&made.op, *reg));
            }
        }
        let of_flood = match *op {
            TreeOp::FloodFill { .. } => true,
            TreeOp::And { a, b, .. } => self.is_from_flood(a) || self.is_from_flood(b),
            TreeOp::AndNot { a, .. } | TreeOp::Neighbors { a, .. } => self.is_from_flood(a),
            TreeOp::Or { .. } => false,
            _ => return,
        };
        if let [reg] = written[..]
            && !reads(op, reg)
        {
            self.defs.insert(reg, Def { op: *op, from_flood: of_flood });
            op.accesses(|access| {
                if let Access::UseSet(reg) | Access::DefSet(reg) = access {
                    self.mentioned.insert(reg);
                }
            });
        }
    }

    fn op_of(&self, reg: SetReg) -> Option<&TreeOp> {
        self.defs.get(&reg).map(|made| &made.op)
    }

    fn is_from_flood(&self, reg: SetReg) -> bool {
        self.defs.get(&reg).is_some_and(|made| made.from_flood)
    }

    /// Every cell of `x` is one of `y`.
    fn is_subset(&self, x: SetReg, y: SetReg, deep: usize) -> bool {
        if x == y {
            return true;
        }
        let Some(deep) = deep.checked_sub(1) else { return false };
        let within = match self.op_of(x) {
            Some(&TreeOp::And { a, b, .. }) => self.is_subset(a, y, deep) || self.is_subset(b, y, deep),
            Some(&TreeOp::Or { a, b, .. }) => self.is_subset(a, y, deep) && self.is_subset(b, y, deep),
            Some(&(TreeOp::AndNot { a, .. } | TreeOp::FloodFill { within: a, .. })) => self.is_subset(a, y, deep),
            _ => false,
        };
        within
            || match self.op_of(y) {
                Some(&TreeOp::Or { a, b, .. }) => self.is_subset(x, a, deep) || self.is_subset(x, b, deep),
                Some(&TreeOp::And { a, b, .. }) => self.is_subset(x, a, deep) && self.is_subset(x, b, deep),
                _ => false,
            }
    }

    /// The sets share no cell.
    fn are_disjoint(&self, x: SetReg, y: SetReg) -> bool {
        let leaves_out = |x: SetReg, y: SetReg| matches!(self.op_of(x), Some(&TreeOp::AndNot { b, .. }) if self.is_subset(y, b, MAX_SUBSET_DEPTH));
        leaves_out(x, y) || leaves_out(y, x)
    }
}

fn reads(op: &TreeOp, reg: SetReg) -> bool {
    let mut reads = false;
    op.accesses(|access| reads |= access == Access::UseSet(reg));
    reads
}

/// How a question is asked of a flood.
struct Query {
    /// What is to be found out before.
    prelude: Vec<TreeOp>,
    op: TreeOp,
    /// The registers on the way from what was asked to the flood.
    chain: Vec<SetReg>,
}

impl ReachabilityPass<'_> {
    fn block(&mut self, block: &mut Block, known: &mut AvailableDefs) {
        let elsewhere = uses_in_branches(block);
        let mut nodes = Vec::with_capacity(block.len());
        for mut node in block.drain(..) {
            match &mut node {
                Node::Op(TreeOp::NonEmpty { d, a }) if self.vregs.has_room() => {
                    if let Some(asked) = self.query_for(known, (*d, *a), &elsewhere) {
                        self.changed = true;
                        asked.prelude.iter().for_each(|op| known.transfer(op));
                        nodes.extend(asked.prelude.into_iter().map(Node::Op));
                        node = Node::Op(asked.op);
                    }
                }
                Node::Op(_) => {}
                // What holds where the block is entered.
                Node::If { then, otherwise, .. } => {
                    [then, otherwise].into_iter().for_each(|block| self.block(block, &mut known.clone()))
                }
                _ => node.blocks_mut().into_iter().for_each(|block| self.block(block, &mut AvailableDefs::default())),
            }
            match &mut node {
                Node::Op(op) => {
                    self.assign_cache(op);
                    known.transfer(op);
                }
                Node::Need(_) => {}
                _ => *known = AvailableDefs::default(),
            }
            nodes.push(node);
        }
        *block = nodes;
    }

    /// A flood along directions that lead both ways has a place for what it comes to.
    fn assign_cache(&mut self, op: &mut TreeOp) {
        if let TreeOp::FloodFill { along, kept, .. } | TreeOp::Reaches { along, kept, .. } = op
            && self.symmetric[usize::from(*along)]
        {
            *kept = Some(self.flood_caches);
            self.flood_caches = self.flood_caches.saturating_add(1);
            if !self.flooded.contains(along) {
                self.flooded.push(*along);
            }
        }
    }

    /// The question whether a set has a cell, asked of the flood that it comes from, if nobody else
    /// reads that in any case.
    fn query_for(&mut self, known: &AvailableDefs, (d, a): (NumReg, SetReg), elsewhere: &UseCounts) -> Option<Query> {
        let mut asked = Query { prelude: Vec::new(), op: TreeOp::NonEmpty { d, a }, chain: Vec::new() };
        let fresh = *self.vregs;
        let found = self.trace(known, &mut asked, a, None);
        let in_vain = |reg: &SetReg| {
            let by_way =
                asked.chain.iter().filter_map(|other| known.op_of(*other)).filter(|op| reads(op, *reg)).count();
            self.reads.of(*reg) == by_way as u32 + u32::from(*reg == a) + elsewhere.of(*reg)
        };
        if found && asked.chain.iter().all(in_vain) {
            return Some(asked);
        }
        *self.vregs = fresh;
        None
    }

    /// Whether `x` has a cell, of `to` if that is told. `false`: it comes from no flood, or not in
    /// a way that is known.
    fn trace(&mut self, known: &AvailableDefs, asked: &mut Query, x: SetReg, to: Option<SetReg>) -> bool {
        let (Some(op), TreeOp::NonEmpty { d, .. }) = (known.op_of(x), asked.op) else { return false };
        if asked.chain.len() == MAX_CHAIN_OPS || self.traces_left == 0 {
            return false;
        }
        self.traces_left -= 1;
        let (way, before) = (asked.chain.len(), asked.prelude.len());
        asked.chain.push(x);
        let found = match (*op, to) {
            (TreeOp::And { a, b, .. }, _) => [(a, b), (b, a)].into_iter().any(|(x, y)| {
                let (way, before) = (asked.chain.len(), asked.prelude.len());
                let found = known.is_from_flood(x) && {
                    let to = match to {
                        None => y,
                        Some(to) if known.is_subset(to, y, MAX_SUBSET_DEPTH) => to,
                        Some(to) => self.emit(asked, |d| TreeOp::And { d, a: to, b: y }),
                    };
                    self.trace(known, asked, x, Some(to))
                };
                if !found {
                    asked.chain.truncate(way);
                    asked.prelude.truncate(before);
                }
                found
            }),
            (TreeOp::AndNot { a, b, .. }, Some(to)) => {
                if known.are_disjoint(to, b) {
                    self.trace(known, asked, a, Some(to))
                } else {
                    let to = self.emit(asked, |d| TreeOp::AndNot { d, a: to, b });
                    !known.is_from_flood(b) && self.trace(known, asked, a, Some(to))
                }
            }
            (TreeOp::Neighbors { a, along, .. }, Some(to)) if self.symmetric[usize::from(along)] => {
                let to = self.emit(asked, |d| TreeOp::Neighbors { d, a: to, along });
                self.trace(known, asked, a, Some(to))
            }
            (TreeOp::FloodFill { a, within, along, .. }, Some(to)) => {
                // What lies beside is looked for beside.
                let (to, beside) = match asked.prelude.last() {
                    Some(&TreeOp::Neighbors { d, a, along: around }) if d == to && around == along => {
                        (a, asked.prelude.pop().is_some())
                    }
                    _ => (to, false),
                };
                asked.op = TreeOp::Reaches { d, a, within, to, along, kept: None, beside };
                true
            }
            // What floods has a cell as soon as what it floods from has one there.
            (TreeOp::FloodFill { a, within, .. }, None) => {
                let to = if known.is_subset(a, within, MAX_SUBSET_DEPTH) { None } else { Some(within) };
                self.trace(known, asked, a, to)
            }
            _ => false,
        };
        if !found {
            asked.chain.truncate(way);
            asked.prelude.truncate(before);
        }
        found
    }

    fn emit(&mut self, asked: &mut Query, op: impl FnOnce(SetReg) -> TreeOp) -> SetReg {
        let d = self.vregs.set();
        asked.prelude.push(op(d));
        d
    }
}
