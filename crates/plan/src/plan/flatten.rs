//! Flattening: the block of a program goes in; linear code on the same registers comes out.
//!
//! ```text
//! if n4                   0  unless n4 go to 2
//!   s3 = s1 and s2   ->   1  s3 = s1 and s2
//! pass                    2  pass
//! ```

use smallvec::SmallVec;

use crate::plan::code::{Alternatives, ArmClass, ArmTarget, ChoicePoint, Code, EarlyReject, EntryPoints, Quads};
use crate::plan::op::{LinearOp, TreeOp};
use crate::plan::tree::{Arm, Block, Node, Plan};
use crate::plan::tuning::MAX_OPS_WITHOUT_JUMP;

/// All programs of a plan, on the registers that they have in it.
pub fn flatten(plan: &Plan) -> Code {
    let mut flattener = Flattener::new(plan);
    for seat in &plan.seats {
        let turn = flattener.program(&seat.turn);
        let opening = seat.opening.iter().map(|program| flattener.program(program)).collect();
        let continuations =
            seat.continuations.iter().map(|continuation| flattener.program(&continuation.block)).collect();
        let (after, end) = (flattener.program(&seat.after), flattener.program(&seat.end));
        let routines = seat.routines.iter().map(|routine| flattener.program(&routine.block)).collect();
        let (may_fail_dirty, no_cleanup) = (false, false);
        let entries = EntryPoints { turn, opening, continuations, after, end, routines, may_fail_dirty, no_cleanup };
        flattener.code.entries.push(entries);
    }
    Code { consts: plan.consts.clone(), const_numbers: plan.const_numbers.clone(), ..flattener.code }
}

/// Code that is being laid out.
pub struct Flattener {
    pub code: Code,
    /// What can come behind the block at hand.
    fate: Fate,
    /// The program at hand tells its choices.
    tells: bool,
    /// By direction: its hops.
    dirs: Vec<SmallVec<[u16; 2]>>,
}

impl Flattener {
    pub fn new(plan: &Plan) -> Flattener {
        Flattener { code: Code::default(), fate: Fate::default(), tells: false, dirs: plan.bitboard.dirs.clone() }
    }

    /// Lays out one program; gives its entry.
    pub fn program(&mut self, block: &Block) -> u32 {
        let entry = self.at();
        self.tells = Fate::of_all(block).tells;
        self.block(block);
        self.push(LinearOp::End);
        entry
    }

    fn single_hop(&self, dir: u16) -> Option<u16> {
        match self.dirs.get(usize::from(dir)).map(|hops| hops.as_slice()) {
            Some([hop]) => Some(*hop),
            _ => None,
        }
    }

    fn at(&self) -> u32 {
        self.code.code.len() as u32
    }

    fn push(&mut self, op: LinearOp) -> usize {
        self.code.code.push(op);
        self.code.code.len() - 1
    }

    fn set_target(&mut self, at: usize) {
        let here = self.at();
        self.code.code[at].target_mut().into_iter().for_each(|to| *to = here);
    }

    fn block(&mut self, block: &Block) {
        let outer = self.fate;
        // What can come behind each node, found from the last on.
        let mut behind = vec![outer; block.len()];
        let mut within = vec![Fate::default(); block.len()];
        for (at, node) in block.iter().enumerate().rev() {
            within[at] = Fate::of(node);
            if let Some(before) = at.checked_sub(1) {
                behind[before] = behind[at].or(within[at]);
            }
        }
        let mut aimed = false;
        for (at, node) in block.iter().enumerate() {
            let again = matches!(node, Node::Loop { .. } | Node::Each { .. } | Node::EachGroup { .. });
            let (within, behind) = (within[at], behind[at]);
            // A round comes again.
            self.fate = if again { behind.or(within) } else { behind };
            if let Node::Op(TreeOp::EarlyReject { aims, .. }) = node {
                aimed = *aims;
                continue;
            }
            let point = self.code.points.len();
            self.node(node);
            if let Node::Choose(_) = node {
                let next = block.get(at + 1);
                let cap = next.and_then(|next| if let Node::Op(op) = next { EarlyReject::of(*op) } else { None });
                let point = &mut self.code.points[point];
                (point.early_reject, point.aimed) = (cap, std::mem::take(&mut aimed));
            }
            if within.chooses && !behind.chooses && behind.dies && matches!(node, Node::If { .. }) {
                self.push(LinearOp::NoMoreChoices);
            }
            if within.dies && !behind.dies && block.len() - at > MAX_OPS_WITHOUT_JUMP {
                self.push(LinearOp::CannotFail);
            }
            if self.tells && (within.dies || within.tells) && !(behind.dies || behind.tells) {
                self.push(LinearOp::AllTold);
            }
        }
        self.fate = outer;
    }

    fn node(&mut self, node: &Node) {
        match node {
            // A direction whose steps are all alike is one hop.
            Node::Op(TreeOp::Shift { d, a, dir }) if self.single_hop(*dir).is_some() => {
                let hop = self.single_hop(*dir).unwrap_or(0);
                self.push(LinearOp::MaskedShift { d: *d, a: *a, hop });
            }
            Node::Op(TreeOp::RemovePieces { cells, only: Some(men) }) => {
                self.push(LinearOp::AndNot { d: *men, a: *men, b: *cells });
            }
            Node::Op(TreeOp::MovePiece { from, to, only: Some(men) }) if from != men && to != men => {
                self.push(LinearOp::AndNot { d: *men, a: *men, b: *from });
                self.push(LinearOp::Or { d: *men, a: *men, b: *to });
            }
            // A choice point tells what rejects its numbers: no operation of code does.
            Node::Op(op) => self.code.code.extend(LinearOp::try_from(*op)),
            Node::If { condition, then, otherwise } => {
                let skip = self.push(LinearOp::BranchIfZero { n: *condition, to: 0 });
                self.block(then);
                if otherwise.is_empty() {
                    return self.set_target(skip);
                }
                let leave = self.push(LinearOp::Jump { to: 0 });
                self.set_target(skip);
                self.block(otherwise);
                self.set_target(leave);
            }
            Node::Loop { body, again, counter, begun, place } => {
                self.push(LinearOp::Const { d: *counter, k: *begun });
                let to = self.at();
                self.block(body);
                self.push(LinearOp::LoopBack { n: *again, counter: *counter, place: *place, to });
            }
            Node::Each { of, cell, body } => {
                let to = self.at();
                let head = self.push(LinearOp::NextCell { of: *of, cell: *cell, to: 0 });
                self.block(body);
                self.push(LinearOp::Jump { to });
                self.set_target(head);
            }
            Node::EachGroup { of, along, group, body } => {
                let to = self.at();
                let head = self.push(LinearOp::NextGroup { of: *of, group: *group, along: *along, to: 0 });
                self.block(body);
                self.push(LinearOp::Jump { to });
                self.set_target(head);
            }
            Node::Choose(arms) => self.choose(arms),
            Node::First { blocks } => {
                let index = self.code.alternatives.len();
                self.code.alternatives.push(Alternatives { blocks: Vec::new(), sets: Vec::new(), numbers: Vec::new() });
                self.push(LinearOp::First { index: index as u32 });
                let mut leaves = Vec::new();
                let mut entries = Vec::new();
                for block in blocks {
                    entries.push(self.at());
                    self.block(block);
                    leaves.push(self.push(LinearOp::Jump { to: 0 }));
                }
                leaves.into_iter().for_each(|leave| self.set_target(leave));
                self.code.alternatives[index].blocks = entries;
            }
            Node::Need(n) => {
                self.push(LinearOp::Require { n: *n });
            }
            Node::Fail => {
                self.push(LinearOp::Fail);
            }
        }
    }

    fn choose(&mut self, arms: &[Arm]) {
        let index = self.code.points.len();
        let point = ChoicePoint {
            at: self.at(),
            arms: Vec::new(),
            cells: Vec::new(),
            classes: Vec::new(),
            sets: Vec::new(),
            numbers: Vec::new(),
            clobbered_sets: Vec::new(),
            clobbered_numbers: Vec::new(),
            clobbered_quads: Quads::default(),
            early_reject: None,
            aimed: false,
            bounded: false,
            last: false,
            infallible: false,
            ranked: false,
            may_pass: false,
            faults: false,
        };
        self.code.points.push(point);
        self.push(LinearOp::Choice { index: index as u32 });
        let mut leaves = Vec::new();
        let mut entries = Vec::new();
        let mut classes: Vec<ArmClass> = Vec::new();
        for (i, arm) in arms.iter().enumerate() {
            match classes.last_mut() {
                Some(class) if class.bound == arm.bound => class.to = i + 1,
                _ => classes.push(ArmClass::new((i, i + 1), arm.bound.clone())),
            }
            entries.push(ArmTarget {
                options: arm.options,
                entry: self.at(),
                class: classes.len() - 1,
                branch_facts: arm
                    .branch_facts
                    .iter()
                    .map(|&(condition, holds)| (u32::from(condition.0), holds))
                    .collect(),
            });
            self.block(&arm.block);
            if i + 1 < arms.len() {
                leaves.push(self.push(LinearOp::Jump { to: 0 }));
            }
        }
        leaves.into_iter().for_each(|leave| self.set_target(leave));
        let point = &mut self.code.points[index];
        point.bounded = classes.iter().all(|class| !class.unbounded);
        (point.arms, point.classes) = (entries, classes);
    }
}

/// What a part of a program can do.
#[derive(Clone, Copy, Default)]
struct Fate {
    /// A choice can come.
    chooses: bool,
    /// The run can end before it is complete, or come to what the rules forbid, or a choice come.
    dies: bool,
    /// Something of a choice is told.
    tells: bool,
}

impl Fate {
    fn of(node: &Node) -> Fate {
        match node {
            Node::Op(TreeOp::Annotate { .. }) => Fate { tells: true, ..Fate::default() },
            Node::Op(op) => Fate { dies: op.may_fault(), ..Fate::default() },
            Node::Choose(_) | Node::First { .. } => Fate { chooses: true, dies: true, ..Fate::of_blocks(node) },
            Node::Need(_) | Node::Fail => Fate { dies: true, ..Fate::default() },
            _ => Fate::of_blocks(node),
        }
    }

    fn of_blocks(node: &Node) -> Fate {
        node.blocks().into_iter().map(Fate::of_all).fold(Fate::default(), Fate::or)
    }

    fn of_all(block: &Block) -> Fate {
        block.iter().map(Fate::of).fold(Fate::default(), Fate::or)
    }

    fn or(self, other: Fate) -> Fate {
        Fate { chooses: self.chooses || other.chooses, dies: self.dies || other.dies, tells: self.tells || other.tells }
    }
}
