//! Arm merging: arms of a choice that differ only in the line along which a man came as far go in;
//! one arm comes out.
//!
//! ```text
//! s20 = White stepped a7/d7       s40 = White stepped by hop 9
//! s21 = s20 and s9                s41 = s40 and s9
//! s22 = White stepped b6/d6       choose
//! s23 = s22 and s9          ->      s8 from s41
//! choose                              s7 = s8 stepped by hop 10
//!   s8 from s21
//!     s7 = s8 stepped d7/a7
//!   s8 from s23
//!     s7 = s8 stepped d6/b6
//! ```
//!
//! On a board of points each line has directions of its own, but on many of them a step leads as
//! many bits further. A landing tells where the man came from as long as no cell is left along two
//! of them.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::bitboard::{BitboardLayout, MaskedShift};
use crate::plan::op::TreeOp;
use crate::plan::regs::{Access, SetReg};
use crate::plan::tree::{Arm, Block, Node, Options, Plan, SeatPlan};
use crate::plan::vregs::VirtualRegs;

/// Joins arms in all programs of a plan; whether there were any to join.
pub fn merge_arms(plan: &mut Plan, fresh: &mut VirtualRegs) -> bool {
    let mut merger = ArmMerger { vregs: fresh, bitboard: &mut plan.bitboard, changed: false };
    let turns = plan.seats.iter_mut().flat_map(SeatPlan::turns_mut);
    turns.for_each(|program| merger.block(program));
    merger.changed
}

struct ArmMerger<'p> {
    bitboard: &'p mut BitboardLayout,
    vregs: &'p mut VirtualRegs,
    changed: bool,
}

/// How an arm comes to its cells: a step from `from`, to cells of `onto`.
struct ArmShift {
    from: SetReg,
    onto: SetReg,
    hop: usize,
}

impl ArmMerger<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.len() {
            block[at].blocks_mut().into_iter().for_each(|block| self.block(block));
            let ops = match &block[at] {
                Node::Choose(arms) if arms.len() > 1 => {
                    let made = available_defs(&block[..at]);
                    let ways: Vec<Option<ArmShift>> = arms.iter().map(|arm| self.shift_of(arm, &made)).collect();
                    if let Node::Choose(arms) = &mut block[at] { self.merge(arms, &ways) } else { Vec::new() }
                }
                _ => Vec::new(),
            };
            let more = ops.len();
            block.splice(at..at, ops);
            at += more + 1;
        }
    }

    /// One step along a line to the cells that are offered, and one back behind them.
    fn shift_of(&self, arm: &Arm, made: &HashMap<SetReg, TreeOp>) -> Option<ArmShift> {
        let Options::Cells { of, cell } = arm.options else { return None };
        let [Node::Op(TreeOp::Shift { a, dir: back, .. }), rest @ ..] = arm.block.as_slice() else { return None };
        let Some(TreeOp::And { a: left, b: right, .. }) = made.get(&of) else { return None };
        let (step, onto) =
            [(left, right), (right, left)].into_iter().find_map(|(step, onto)| match made.get(step) {
                Some(TreeOp::Shift { a, dir, .. }) => Some(((*a, *dir), *onto)),
                _ => None,
            })?;
        let (hop, back) = (self.single_shift(step.1)?, self.single_shift(*back)?);
        let returns = self.bitboard.hops[back] == self.bitboard.hops[hop].back();
        let plain = rest.iter().all(|node| matches!(node, Node::Op(_)));
        (returns && plain && *a == cell).then_some(ArmShift { from: step.0, onto, hop })
    }

    fn single_shift(&self, dir: u16) -> Option<usize> {
        match self.bitboard.dirs[usize::from(dir)].as_slice() {
            [hop] => Some(usize::from(*hop)),
            _ => None,
        }
    }

    /// Joins the arms that can be; tells what is to be computed before.
    fn merge(&mut self, arms: &mut Vec<Arm>, ways: &[Option<ArmShift>]) -> Vec<Node> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (at, way) in ways.iter().enumerate() {
            let fits = |group: &&mut Vec<usize>| {
                let first = group[0];
                matches!((way, &ways[first]), (Some(way), Some(other)) if self.same_distance(way, other))
                    && same_but_for_shift(&arms[at], &arms[first])
                    && group.iter().all(|&other| self.disjoint_sources(way.as_ref(), ways[other].as_ref()))
            };
            match groups.iter_mut().find(fits) {
                Some(group) => group.push(at),
                None => groups.push(vec![at]),
            }
        }
        let mut before = Vec::new();
        let mut joined = Vec::with_capacity(groups.len());
        for group in groups {
            let mut arm = arms[group[0]].clone();
            if let ([first, _, ..], Some(way), Options::Cells { cell, .. }) =
                (group.as_slice(), &ways[group[0]], arm.options)
            {
                let hops = group.iter().filter_map(|&at| ways[at].as_ref()).map(|way| &self.bitboard.hops[way.hop]);
                let all = hops
                    .fold(MaskedShift { from: Default::default(), to: Default::default(), by: 0 }, |all, hop| {
                        all.or(hop)
                    });
                let (step, of) = (self.vregs.set(), self.vregs.set());
                let (back, hop) = (self.add_shift(all.back()), self.add_shift(all));
                before.push(Node::Op(TreeOp::MaskedShift { d: step, a: way.from, hop }));
                before.push(Node::Op(TreeOp::And { d: of, a: step, b: way.onto }));
                arm.options = Options::Cells { of, cell };
                if let Some(Node::Op(op @ TreeOp::Shift { .. })) = arm.block.first_mut()
                    && let TreeOp::Shift { d, a, .. } = *op
                {
                    *op = TreeOp::MaskedShift { d, a, hop: back };
                }
                arm.note = format!("{} and {} more", arms[*first].note, group.len() - 1);
                self.changed = true;
            }
            joined.push(arm);
        }
        *arms = joined;
        before
    }

    fn add_shift(&mut self, hop: MaskedShift) -> u16 {
        self.bitboard.hops.push(hop);
        self.bitboard.hops.len() as u16 - 1
    }

    fn same_distance(&self, a: &ArmShift, b: &ArmShift) -> bool {
        a.from == b.from && a.onto == b.onto && self.bitboard.hops[a.hop].by == self.bitboard.hops[b.hop].by
    }

    /// No cell is left by both.
    fn disjoint_sources(&self, a: Option<&ArmShift>, b: Option<&ArmShift>) -> bool {
        a.zip(b).is_some_and(|(a, b)| {
            let (a, b) = (&self.bitboard.hops[a.hop], &self.bitboard.hops[b.hop]);
            a.from.zip(&b.from, |a, b| a & b).is_empty()
        })
    }
}

/// Arms that are the same but for the line.
fn same_but_for_shift(a: &Arm, b: &Arm) -> bool {
    let written = |arm: &Arm| match arm.block.first() {
        Some(Node::Op(TreeOp::Shift { d, .. })) => Some(*d),
        _ => None,
    };
    let cell = |arm: &Arm| if let Options::Cells { cell, .. } = arm.options { Some(cell) } else { None };
    let behind = |a: &Arm, b: &Arm| {
        a.block.len() == b.block.len()
            && a.block[1..].iter().zip(&b.block[1..]).all(|pair| matches!(pair, (Node::Op(a), Node::Op(b)) if a == b))
    };
    cell(a) == cell(b)
        && written(a) == written(b)
        && (a.man, a.own, a.branch) == (b.man, b.own, b.branch)
        && behind(a, b)
}

/// What made the sets that were computed just before, as far as it would make the same now.
fn available_defs(nodes: &[Node]) -> HashMap<SetReg, TreeOp> {
    let (mut made, mut written) = (HashMap::default(), HashSet::default());
    for node in nodes.iter().rev() {
        let Node::Op(op) = node else { break };
        let (mut men, mut stale, mut sets) = (false, false, Vec::new());
        op.accesses(|access| match access {
            Access::Pieces => men = true,
            Access::UseSet(reg) => stale |= written.contains(&reg),
            Access::DefSet(reg) => sets.push(reg),
            _ => {}
        });
        if men {
            break;
        }
        if let ([d], false) = (sets.as_slice(), stale)
            && !written.contains(d)
        {
            made.insert(*d, *op);
        }
        written.extend(sets);
    }
    made
}
