//! A rewrite: whether a group comes to some cells is asked without finding all of it, and floods go
//! on from what they came to last.
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

use crate::plan::op::Op;
use crate::plan::passes::dce::Reads;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Block, Node, Plan};
use crate::plan::vregs::VirtualRegs;

/// So many operations lie between a flood and what is asked of it, at most.
const FAR: usize = 8;
/// So many names deep it is looked whether a set lies within another.
const DEEP: usize = 4;
/// So many ways are tried in a plan to ask a question of a flood.
const PATIENCE: u32 = 20_000;

/// Rewrites all programs of a plan. `true`: something is asked in another way.
pub(crate) fn groups(plan: &mut Plan, fresh: &mut VirtualRegs) -> bool {
    if !crate::plan::passes::dce::programs(plan).any(|block| floods(block)) {
        return false;
    }
    let mutual: Vec<bool> = plan.along.iter().map(|hops| leads_back(plan, hops)).collect();
    let mut found = Joined {
        mutual,
        reads: Reads::new(plan),
        fresh,
        floods: 0,
        flooded: Vec::new(),
        changed: false,
        patience: PATIENCE,
    };
    for block in crate::plan::passes::dce::programs(plan) {
        found.block(block, &mut Known::default());
    }
    let Joined { changed, flooded, .. } = found;
    plan.flooded = flooded;
    changed
}

fn floods(block: &Block) -> bool {
    let floods_here = |node: &Node| matches!(node, Node::Op(Op::FloodFill { .. }));
    block.iter().any(|node| floods_here(node) || node.blocks().into_iter().any(floods))
}

/// From wherever a step leads, one of the same directions leads back.
fn leads_back(plan: &Plan, hops: &[u16]) -> bool {
    let hops: Vec<_> = hops.iter().map(|hop| &plan.bitboard.hops[usize::from(*hop)]).collect();
    hops.iter().all(|hop| {
        let back = hops.iter().filter(|other| other.by == -hop.by);
        let from = back.fold(crate::plan::Bits::default(), |all, other| all.zip(&other.from, |a, b| a | b));
        hop.to.zip(&from, |to, from| to & !from).is_empty()
    })
}

struct Joined<'f> {
    /// By number of a set of directions.
    mutual: Vec<bool>,
    reads: Reads,
    fresh: &'f mut VirtualRegs,
    /// Floods that remember.
    floods: u16,
    /// Sets of directions of these.
    flooded: Vec<u16>,
    changed: bool,
    patience: u32,
}

/// How often sets are read within the ways of conditions, which are not always gone.
fn read_on_ways(block: &Block) -> Reads {
    let mut reads = Reads::default();
    let ways = block.iter().filter(|node| matches!(node, Node::If { .. })).flat_map(|node| node.blocks());
    ways.for_each(|block| reads.collect(block));
    reads
}

/// What registers were made by, as long as nothing of that has changed.
#[derive(Clone, Default)]
struct Known {
    made: HashMap<SetReg, Made>,
    /// All registers that anything there has to do with.
    touched: HashSet<SetReg>,
}

#[derive(Clone, Copy)]
struct Made {
    op: Op,
    /// It has no cell that does not come from a flood: a part of one, or a step from one.
    of_flood: bool,
}

impl Known {
    fn pass(&mut self, op: &Op) {
        let (mut written, mut men) = (smallvec::SmallVec::<[SetReg; 8]>::new(), false);
        op.accesses(|access| match access {
            Access::DefSet(reg) => written.push(reg),
            Access::Pieces => men = true,
            _ => {}
        });
        if men {
            *self = Known::default();
        }
        for reg in &written {
            if self.touched.contains(reg) {
                self.made.retain(|home, made| home != reg && !reads(&made.op, *reg));
            }
        }
        let of_flood = match *op {
            Op::FloodFill { .. } => true,
            Op::And { a, b, .. } => self.is_of_flood(a) || self.is_of_flood(b),
            Op::AndNot { a, .. } | Op::Neighbors { a, .. } => self.is_of_flood(a),
            Op::Or { .. } => false,
            _ => return,
        };
        if let [reg] = written[..]
            && !reads(op, reg)
        {
            self.made.insert(reg, Made { op: *op, of_flood });
            op.accesses(|access| {
                if let Access::UseSet(reg) | Access::DefSet(reg) = access {
                    self.touched.insert(reg);
                }
            });
        }
    }

    fn op(&self, reg: SetReg) -> Option<&Op> {
        self.made.get(&reg).map(|made| &made.op)
    }

    fn is_of_flood(&self, reg: SetReg) -> bool {
        self.made.get(&reg).is_some_and(|made| made.of_flood)
    }

    /// Every cell of `x` is one of `y`.
    fn inside(&self, x: SetReg, y: SetReg, deep: usize) -> bool {
        if x == y {
            return true;
        }
        let Some(deep) = deep.checked_sub(1) else { return false };
        let within = match self.op(x) {
            Some(&Op::And { a, b, .. }) => self.inside(a, y, deep) || self.inside(b, y, deep),
            Some(&Op::Or { a, b, .. }) => self.inside(a, y, deep) && self.inside(b, y, deep),
            Some(&(Op::AndNot { a, .. } | Op::FloodFill { within: a, .. })) => self.inside(a, y, deep),
            _ => false,
        };
        within
            || match self.op(y) {
                Some(&Op::Or { a, b, .. }) => self.inside(x, a, deep) || self.inside(x, b, deep),
                Some(&Op::And { a, b, .. }) => self.inside(x, a, deep) && self.inside(x, b, deep),
                _ => false,
            }
    }

    /// The sets share no cell.
    fn apart(&self, x: SetReg, y: SetReg) -> bool {
        let leaves_out =
            |x: SetReg, y: SetReg| matches!(self.op(x), Some(&Op::AndNot { b, .. }) if self.inside(y, b, DEEP));
        leaves_out(x, y) || leaves_out(y, x)
    }
}

fn reads(op: &Op, reg: SetReg) -> bool {
    let mut reads = false;
    op.accesses(|access| reads |= access == Access::UseSet(reg));
    reads
}

/// How a question is asked of a flood.
struct Asked {
    /// What is to be found out before.
    before: Vec<Op>,
    op: Op,
    /// The registers on the way from what was asked to the flood.
    way: Vec<SetReg>,
}

impl Joined<'_> {
    fn block(&mut self, block: &mut Block, known: &mut Known) {
        let elsewhere = read_on_ways(block);
        let mut nodes = Vec::with_capacity(block.len());
        for mut node in block.drain(..) {
            match &mut node {
                Node::Op(Op::NonEmpty { d, a }) if self.fresh.has_room() => {
                    if let Some(asked) = self.asked(known, (*d, *a), &elsewhere) {
                        self.changed = true;
                        asked.before.iter().for_each(|op| known.pass(op));
                        nodes.extend(asked.before.into_iter().map(Node::Op));
                        node = Node::Op(asked.op);
                    }
                }
                Node::Op(_) => {}
                // What holds where the block is entered.
                Node::If { then, otherwise, .. } => {
                    [then, otherwise].into_iter().for_each(|block| self.block(block, &mut known.clone()))
                }
                _ => node.blocks_mut().into_iter().for_each(|block| self.block(block, &mut Known::default())),
            }
            match &mut node {
                Node::Op(op) => {
                    self.remember(op);
                    known.pass(op);
                }
                Node::Need(_) => {}
                _ => *known = Known::default(),
            }
            nodes.push(node);
        }
        *block = nodes;
    }

    /// A flood along directions that lead both ways has a place for what it comes to.
    fn remember(&mut self, op: &mut Op) {
        if let Op::FloodFill { along, kept, .. } | Op::Reaches { along, kept, .. } = op
            && self.mutual[usize::from(*along)]
        {
            *kept = Some(self.floods);
            self.floods = self.floods.saturating_add(1);
            if !self.flooded.contains(along) {
                self.flooded.push(*along);
            }
        }
    }

    /// The question whether a set has a cell, asked of the flood that it comes from, if nobody else
    /// reads that in any case.
    fn asked(&mut self, known: &Known, (d, a): (NumReg, SetReg), elsewhere: &Reads) -> Option<Asked> {
        let mut asked = Asked { before: Vec::new(), op: Op::NonEmpty { d, a }, way: Vec::new() };
        let fresh = *self.fresh;
        let found = self.ask(known, &mut asked, a, None);
        let in_vain = |reg: &SetReg| {
            let by_way = asked.way.iter().filter_map(|other| known.op(*other)).filter(|op| reads(op, *reg)).count();
            self.reads.of(*reg) == by_way as u32 + u32::from(*reg == a) + elsewhere.of(*reg)
        };
        if found && asked.way.iter().all(in_vain) {
            return Some(asked);
        }
        *self.fresh = fresh;
        None
    }

    /// Whether `x` has a cell, of `to` if that is told. `false`: it comes from no flood, or not in
    /// a way that is known.
    fn ask(&mut self, known: &Known, asked: &mut Asked, x: SetReg, to: Option<SetReg>) -> bool {
        let (Some(op), Op::NonEmpty { d, .. }) = (known.op(x), asked.op) else { return false };
        if asked.way.len() == FAR || self.patience == 0 {
            return false;
        }
        self.patience -= 1;
        let (way, before) = (asked.way.len(), asked.before.len());
        asked.way.push(x);
        let found = match (*op, to) {
            (Op::And { a, b, .. }, _) => [(a, b), (b, a)].into_iter().any(|(x, y)| {
                let (way, before) = (asked.way.len(), asked.before.len());
                let found = known.is_of_flood(x) && {
                    let to = match to {
                        None => y,
                        Some(to) if known.inside(to, y, DEEP) => to,
                        Some(to) => self.made(asked, |d| Op::And { d, a: to, b: y }),
                    };
                    self.ask(known, asked, x, Some(to))
                };
                if !found {
                    asked.way.truncate(way);
                    asked.before.truncate(before);
                }
                found
            }),
            (Op::AndNot { a, b, .. }, Some(to)) => {
                if known.apart(to, b) {
                    self.ask(known, asked, a, Some(to))
                } else {
                    let to = self.made(asked, |d| Op::AndNot { d, a: to, b });
                    !known.is_of_flood(b) && self.ask(known, asked, a, Some(to))
                }
            }
            (Op::Neighbors { a, along, .. }, Some(to)) if self.mutual[usize::from(along)] => {
                let to = self.made(asked, |d| Op::Neighbors { d, a: to, along });
                self.ask(known, asked, a, Some(to))
            }
            (Op::FloodFill { a, within, along, .. }, Some(to)) => {
                // What lies beside is looked for beside.
                let (to, beside) = match asked.before.last() {
                    Some(&Op::Neighbors { d, a, along: around }) if d == to && around == along => {
                        (a, asked.before.pop().is_some())
                    }
                    _ => (to, false),
                };
                asked.op = Op::Reaches { d, a, within, to, along, kept: None, beside };
                true
            }
            // What floods has a cell as soon as what it floods from has one there.
            (Op::FloodFill { a, within, .. }, None) => {
                let to = if known.inside(a, within, DEEP) { None } else { Some(within) };
                self.ask(known, asked, a, to)
            }
            _ => false,
        };
        if !found {
            asked.way.truncate(way);
            asked.before.truncate(before);
        }
        found
    }

    fn made(&mut self, asked: &mut Asked, op: impl FnOnce(SetReg) -> Op) -> SetReg {
        let d = self.fresh.set();
        asked.before.push(op(d));
        d
    }
}
