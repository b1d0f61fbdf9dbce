//! What is known of sets between two choices, whatever is chosen in the first: sets that hold them,
//! and sets that they hold, found before.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::op::Op;
use crate::plan::regs::{Access, SetReg};
use crate::plan::tree::{Arm, Block, Node, Options, PositionLayout};
use crate::plan::vregs::VirtualRegs;

/// In place of a register that is not known yet.
pub(crate) const NOWHERE: SetReg = SetReg(u16::MAX);

/// A choice, the operations behind it, and the choice that follows these.
pub(crate) fn followed(nodes: &mut [Node]) -> Option<(&[Arm], Vec<Op>, &mut Vec<Arm>)> {
    let (Node::Choose(first), behind) = nodes.split_first_mut()? else { return None };
    let op = |node: &Node| if let Node::Op(op) = node { Some(*op) } else { None };
    let ops: Vec<Op> = behind.iter().map_while(op).collect();
    let Some(Node::Choose(second)) = behind.get_mut(ops.len()) else { return None };
    Some((first, ops, second))
}

/// What was found before the choice: a set that holds another, and one that this holds.
#[derive(Clone, Copy, Default)]
struct Around {
    holding: Option<SetReg>,
    held: Option<SetReg>,
}

/// What is known of sets behind a choice.
pub(crate) struct Wide<'f> {
    layout: &'f PositionLayout,
    own: SetReg,
    /// Sets that were found since.
    since: HashMap<SetReg, Around>,
    /// Sets that were read since.
    read: HashSet<SetReg>,
    /// Copies, and what they are copies of.
    names: HashMap<SetReg, SetReg>,
    /// Where a man of the player to move stands.
    man: Option<SetReg>,
    /// What is found before the choice, each once.
    pub(crate) before: Block,
    known: HashMap<Op, SetReg>,
    fresh: &'f mut VirtualRegs,
}

impl<'f> Wide<'f> {
    pub(crate) fn behind(
        arms: &[Arm],
        layout: &'f PositionLayout,
        own: SetReg,
        fresh: &'f mut VirtualRegs,
    ) -> Wide<'f> {
        let man = arms.first().and_then(|arm| arm.man).map(|(man, _)| man);
        let same = |arm: &Arm| arm.own && arm.man.map(|(man, _)| man) == man;
        let man = man.filter(|_| arms.iter().all(same));
        let (since, read, names, known) = Default::default();
        let mut wide = Wide { layout, own, since, read, names, man: None, before: Vec::new(), known, fresh };
        for arm in arms {
            let mut touch = |access| wide.touch(access, Around::default());
            arm.options.accesses(&mut touch);
            crate::plan::vregs::accesses(&arm.block, &mut touch);
        }
        if let [Arm { options: Options::Cells { of, cell }, block, .. }] = arms
            && block.is_empty()
        {
            wide.since.insert(*cell, Around { holding: Some(*of), held: None });
        }
        wide.man = man;
        wide
    }

    fn touch(&mut self, access: Access, around: Around) {
        match access {
            Access::UseSet(a) => drop(self.read.insert(a)),
            Access::DefSet(d) => {
                self.since.insert(d, around);
                self.names.retain(|copy, of| *copy != d && *of != d);
                self.man = self.man.filter(|man| *man != d);
            }
            Access::Pieces => self.since.extend(self.layout.men().into_iter().map(|reg| (reg, Around::default()))),
            _ => {}
        }
    }

    fn around(&self, reg: SetReg) -> Around {
        self.since.get(&reg).copied().unwrap_or(Around { holding: Some(reg), held: Some(reg) })
    }

    /// What was found before the choice and holds a set.
    pub(crate) fn holding(&self, reg: SetReg) -> Option<SetReg> {
        self.around(reg).holding
    }

    /// The register that a set was copied from first.
    pub(crate) fn name(&self, reg: SetReg) -> SetReg {
        self.names.get(&reg).copied().unwrap_or(reg)
    }

    /// The register in which an operation joins sets that were found before, if nobody has touched
    /// it since.
    pub(crate) fn joined_before(&self, op: &Op) -> Option<SetReg> {
        let touched = |reg: SetReg| self.since.contains_key(&reg);
        match *op {
            Op::And { d, a, b } | Op::Or { d, a, b } | Op::AndNot { d, a, b } => {
                let stands = ![a, b].contains(&d) && ![a, b, d].into_iter().any(touched) && !self.read.contains(&d);
                stands.then_some(d)
            }
            _ => None,
        }
    }

    /// The operation, which makes a register, is done before the choice.
    pub(crate) fn put_before(&mut self, op: Op, d: SetReg) {
        self.known.insert(op.renamed(|reg| if reg == d { NOWHERE } else { reg }, |n| n), d);
        self.before.push(Node::Op(op));
    }

    /// Takes in what an operation does.
    pub(crate) fn pass(&mut self, op: Op) {
        let around = match op {
            Op::Copy { a, .. } => self.around(a),
            Op::KeepIf { a, .. } => Around { holding: self.holding(a), held: None },
            Op::And { a, b, .. } => self.and(self.around(a), self.around(b)),
            Op::Or { a, b, .. } => self.or(self.around(a), self.around(b)),
            Op::AndNot { a, b, .. } => self.without(self.around(a), self.around(b)),
            // More men never complete less.
            Op::LineCompletions { a, how, .. } => {
                let holding = self.holding(a).map(|a| self.find(Op::LineCompletions { d: NOWHERE, a, how }));
                Around { holding, held: None }
            }
            _ => Around::default(),
        };
        let others = self.others(&op);
        op.accesses(|access| self.touch(access, around));
        for reg in others {
            self.since.remove(&reg);
        }
        if let Op::Copy { d, a } = op {
            self.names.insert(d, self.name(a));
        }
    }

    /// Men of whom none is carried: those of others, if it is a man of the player who is.
    fn others(&self, op: &Op) -> Vec<SetReg> {
        match op {
            Op::MovePiece { from, .. } if self.man == Some(self.name(*from)) => {
                let others = self.layout.of.iter().copied().filter(|reg| *reg != self.own).chain(self.layout.neutral);
                others.filter(|reg| !self.since.contains_key(reg)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn and(&mut self, a: Around, b: Around) -> Around {
        let holding = match (a.holding, b.holding) {
            (Some(a), Some(b)) if a != b => Some(self.find(Op::And { d: NOWHERE, a, b })),
            (a, b) => a.or(b),
        };
        Around { holding, held: None }
    }

    fn or(&mut self, a: Around, b: Around) -> Around {
        let holding = a.holding.zip(b.holding).map(|(a, b)| self.union(a, b));
        let held = match (a.held, b.held) {
            (Some(a), Some(b)) => Some(self.union(a, b)),
            (a, b) => a.or(b),
        };
        Around { holding, held }
    }

    fn without(&mut self, a: Around, b: Around) -> Around {
        let holding = match (a.holding, b.held) {
            (Some(a), Some(b)) => Some(self.find(Op::AndNot { d: NOWHERE, a, b })),
            (a, _) => a,
        };
        Around { holding, held: None }
    }

    fn union(&mut self, a: SetReg, b: SetReg) -> SetReg {
        if a == b { a } else { self.find(Op::Or { d: NOWHERE, a, b }) }
    }

    /// What an operation finds before the choice.
    fn find(&mut self, op: Op) -> SetReg {
        if let Some(&known) = self.known.get(&op) {
            return known;
        }
        let made = self.fresh.set();
        self.known.insert(op, made);
        self.before.push(Node::Op(op.renamed(|reg| if reg == NOWHERE { made } else { reg }, |n| n)));
        made
    }
}
