//! Arm splitting: options that complete a row, or lie in a region, go in with all others; they come
//! out as arms of their own, where what is chosen behind depends on that.
//!
//! ```text
//! choose                              s30 = cells that complete a row of 3 in White
//!   s8 from s9                        s31 = s9 and not s30
//! White = White or s8                 s32 = s9 and s30
//! s20 = rows of 3 in White      ->    choose
//! n4 = s8 in s20                        s8 from s31
//! if n4                                 s8 from s32
//!   choose ...                        ...
//! ```
//!
//! A bound of the runs behind the first arm then knows that the condition does not hold, and fewer
//! numbers are drawn in vain.

use crate::plan::op::TreeOp;
use crate::plan::regs::{Access, SetReg};
use crate::plan::tree::{Arm, Away, Block, Completion, KindSet, Node, Options, Plan, SeatPlan};
use crate::plan::tuning::MAX_SPLIT_ARMS;
use crate::plan::vregs::VirtualRegs;

/// Parts the arms of choices in all programs of a plan; whether there were any to part.
pub fn split_arms(plan: &mut Plan, fresh: &mut VirtualRegs) -> bool {
    let mut seats = std::mem::take(&mut plan.seats);
    let mut splitter = ArmSplitter { plan, vregs: fresh, changed: false };
    let turns = seats.iter_mut().flat_map(SeatPlan::turns_mut);
    turns.for_each(|program| splitter.block(program, None));
    let changed = splitter.changed;
    plan.seats = seats;
    changed
}

struct ArmSplitter<'p> {
    plan: &'p mut Plan,
    vregs: &'p mut VirtualRegs,
    changed: bool,
}

/// What is asked behind a choice before anything else is chosen, and decides whether something is.
enum SplitCondition {
    /// Whether a cell lies in rows of a list that are whole in the men of a player.
    Line { men: SetReg, list: u16 },
    /// Whether the chosen cell lies in a set that is always the same, if the man on it is of these
    /// kinds, a bit a kind.
    Region { cell: SetReg, among: SetReg, kinds: u64 },
}

/// The man who is carried to the cell that was chosen: the register of where he stands, and of the
/// cell.
type PieceMove = (SetReg, SetReg);

/// The nodes that are still to come.
struct Continuation<'r> {
    nodes: &'r [Node],
    next: Option<&'r Continuation<'r>>,
}

impl ArmSplitter<'_> {
    fn block(&mut self, block: &mut Block, next: Option<&Continuation<'_>>) {
        for at in (0..block.len()).rev() {
            let (here, behind) = block.split_at_mut(at + 1);
            let rest = Continuation { nodes: behind, next };
            let before = match &mut here[at] {
                Node::Choose(arms) => self.split(arms, &rest),
                // What stands behind a round may be the next one.
                Node::Loop { body, .. } | Node::Each { body, .. } | Node::EachGroup { body, .. } => {
                    self.block(body, None);
                    Vec::new()
                }
                node => {
                    node.blocks_mut().into_iter().for_each(|block| self.block(block, Some(&rest)));
                    Vec::new()
                }
            };
            block.splice(at..at, before);
        }
    }

    /// Parts the arms of a choice; what that needs before it.
    fn split(&mut self, arms: &mut Vec<Arm>, rest: &Continuation<'_>) -> Vec<Node> {
        let simple = |arm: &Arm| matches!(arm.options, Options::Cells { .. }) && !arm.block.iter().any(Node::chooses);
        match self.deciding_condition(rest) {
            Some(SplitCondition::Line { men, list }) if arms.len() <= MAX_SPLIT_ARMS && arms.iter().all(simple) => {
                let (mut before, sets) = self.completion_sets(arms, (men, list), moved_piece(rest.nodes));
                before.extend(self.split_by(arms, &sets, ["no row", "completing a row"]));
                before
            }
            Some(SplitCondition::Region { cell: asked, among, kinds }) => {
                let depends = |arm: &Arm| {
                    let chosen = matches!(arm.options, Options::Cells { cell, .. } if cell == asked);
                    chosen && simple(arm) && arm.man.is_none_or(|(_, man)| man & kinds != 0)
                };
                let sets: Vec<Option<SetReg>> = arms.iter().map(|arm| depends(arm).then_some(among)).collect();
                if sets.iter().flatten().count() > MAX_SPLIT_ARMS {
                    return Vec::new();
                }
                self.split_by(arms, &sets, ["elsewhere", "there"])
            }
            _ => Vec::new(),
        }
    }

    /// By arm: the cells that complete a row by it, and how they are found.
    fn completion_sets(
        &mut self,
        arms: &[Arm],
        (men, list): (SetReg, u16),
        carried: Option<PieceMove>,
    ) -> (Vec<Node>, Vec<Option<SetReg>>) {
        let mut found = Vec::new();
        // A man who was chosen before leaves his rows, whichever cell he comes to.
        let chosen = carried.filter(|(man, _)| !arms.iter().any(|arm| writes(&arm.block, *man)));
        let mut those = men;
        if let Some((man, _)) = chosen {
            those = self.vregs.set();
            found.push(Node::Op(TreeOp::AndNot { d: those, a: men, b: man }));
        }
        let mut ways: Vec<(Completion, SetReg)> = Vec::new();
        let mut sets = Vec::new();
        for arm in arms {
            let way = carried.and_then(|carried| origin_of(arm, carried));
            let completion = Completion::new(self.plan, list, way);
            let known =
                ways.iter_mut().find_map(|(known, set)| known.absorb(&completion, &self.plan.bitboard).then_some(*set));
            sets.push(Some(known.unwrap_or_else(|| {
                let set = self.vregs.set();
                ways.push((completion, set));
                set
            })));
        }
        for (mut completion, d) in ways {
            completion.close();
            let how = self.plan.completions.iter().position(|known| *known == completion).unwrap_or_else(|| {
                self.plan.completions.push(completion);
                self.plan.completions.len() - 1
            });
            found.push(Node::Op(TreeOp::LineCompletions { d, a: those, how: how as u16 }));
        }
        (found, sets)
    }

    /// Makes two arms of each that has a set: for its options outside that, and behind all of these
    /// for those in it.
    fn split_by(&mut self, arms: &mut Vec<Arm>, sets: &[Option<SetReg>], words: [&str; 2]) -> Vec<Node> {
        let (mut before, mut within, first) = (Vec::new(), Vec::new(), arms.len());
        for (arm, &set) in arms.iter_mut().zip(sets) {
            let (Options::Cells { of: a, cell }, Some(b)) = (arm.options, set) else { continue };
            let (outside, inside) = (self.vregs.set(), self.vregs.set());
            before.push(Node::Op(TreeOp::AndNot { d: outside, a, b }));
            before.push(Node::Op(TreeOp::And { d: inside, a, b }));
            let note = format!("{}, {}", arm.note, words[1]);
            within.push(Arm { options: Options::Cells { of: inside, cell }, note, ..arm.clone() });
            arm.rest_of = Some((a, first + within.len() - 1));
            arm.options = Options::Cells { of: outside, cell };
            arm.note = format!("{}, {}", arm.note, words[0]);
        }
        self.changed |= !within.is_empty();
        arms.append(&mut within);
        before
    }

    fn deciding_condition(&self, rest: &Continuation<'_>) -> Option<SplitCondition> {
        let (mut ops, mut here) = (Vec::new(), Some(rest));
        while let Some(rest) = here {
            if let Some(asked) = self.deciding_condition_in(rest.nodes, &mut ops, u64::MAX) {
                return asked;
            }
            here = rest.next;
        }
        None
    }

    /// The question in some nodes; `None`: nothing is chosen there.
    fn deciding_condition_in(
        &self,
        nodes: &[Node],
        ops: &mut Vec<TreeOp>,
        kinds: u64,
    ) -> Option<Option<SplitCondition>> {
        for node in nodes {
            match node {
                Node::Op(op) => ops.push(*op),
                Node::Choose(_) | Node::First { .. } => return Some(None),
                Node::If { condition, then, otherwise } if node.chooses() => {
                    let asked = ops.iter().rev().find(
                        |op| matches!(op, TreeOp::NonEmptySubset { d, .. } | TreeOp::Intersects { d, .. } if d == condition),
                    );
                    let (asked, kinds) =
                        asked.map_or((None, kinds), |op| self.condition_of(op, ops, (kinds, otherwise)));
                    if asked.is_some() {
                        return Some(asked);
                    }
                    let (begun, mut found) = (ops.len(), None);
                    for block in [then, otherwise] {
                        found = found.or_else(|| self.deciding_condition_in(block, ops, kinds).flatten());
                        ops.truncate(begun);
                    }
                    return Some(found);
                }
                node if node.chooses() => return Some(None),
                _ => {}
            }
        }
        None
    }

    /// The question that a truth answers, if it is one; of which kinds the man is, if it is true.
    fn condition_of(
        &self,
        op: &TreeOp,
        ops: &[TreeOp],
        (kinds, otherwise): (u64, &Block),
    ) -> (Option<SplitCondition>, u64) {
        let sets = match *op {
            TreeOp::Intersects { a, b, .. } => [b, a],
            TreeOp::NonEmptySubset { b, .. } => [b, b],
            _ => return (None, kinds),
        };
        let row = |reg: SetReg| {
            ops.iter().rev().find_map(|op| match *op {
                TreeOp::FullLines { d, a, list } if d == reg && self.plan.layout.of.contains(&a) => {
                    Some(SplitCondition::Line { men: a, list })
                }
                _ => None,
            })
        };
        if let Some(asked) = sets.into_iter().find_map(row) {
            return (Some(asked), kinds);
        }
        let TreeOp::NonEmptySubset { a, b: among, .. } = *op else { return (None, kinds) };
        if self.plan.consts.iter().any(|(constant, _)| *constant == among) {
            return (Some(SplitCondition::Region { cell: copy_source(ops, a), among, kinds }), kinds);
        }
        let kind = self.plan.layout.kinds.iter().position(|kind| *kind == KindSet::Register(among));
        let narrow = kind.filter(|_| !otherwise.iter().any(Node::chooses)).map_or(u64::MAX, |kind| 1 << kind);
        (None, kinds & narrow)
    }
}

/// The man that the operations behind a choice carry.
fn moved_piece(behind: &[Node]) -> Option<PieceMove> {
    let ops = behind.iter().map_while(|node| if let Node::Op(op) = node { Some(*op) } else { None });
    let mut written = Vec::new();
    for op in ops {
        if let TreeOp::MovePiece { from, to, .. } = op {
            return Some((from, to)).filter(|(from, to)| !written.contains(from) && !written.contains(to));
        }
        op.accesses(|access| {
            if let Access::DefSet(d) = access {
                written.push(d);
            }
        });
    }
    None
}

fn writes(block: &[Node], reg: SetReg) -> bool {
    let mut writes = false;
    for node in block {
        if let Node::Op(op) = node {
            op.accesses(|access| writes |= access == Access::DefSet(reg));
        }
        writes |= node.blocks().into_iter().any(|block| crate::plan::passes::split_arms::writes(block, reg));
    }
    writes
}

/// The step by which the man comes to the option of an arm, if it is one.
fn origin_of(arm: &Arm, (man, to): PieceMove) -> Option<Away> {
    let [Node::Op(op), others @ ..] = arm.block.as_slice() else { return None };
    let (d, a, way) = Away::of(op)?;
    let alone = !others.iter().any(|node| writes(std::slice::from_ref(node), man));
    (d == man && a == to && matches!(arm.options, Options::Cells { cell, .. } if cell == to) && alone).then_some(way)
}

/// The register that a set was copied from first.
fn copy_source(ops: &[TreeOp], mut reg: SetReg) -> SetReg {
    for op in ops.iter().rev() {
        if let TreeOp::Copy { d, a } = *op
            && d == reg
        {
            reg = a;
        }
    }
    reg
}
