//! Superset analysis: sets behind a choice go in; sets come out that hold them, or that they hold,
//! whatever is chosen, and that are known before the choice.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::op::TreeOp;
use crate::plan::regs::{Access, SetReg};
use crate::plan::tree::{Arm, Block, Node, Options, PositionLayout};
use crate::plan::vregs::VirtualRegs;

/// In place of a register that is not known yet.
pub const PLACEHOLDER: SetReg = SetReg(u16::MAX);

/// A choice, the operations behind it, and the choice that follows these.
pub fn consecutive_choices(nodes: &mut [Node]) -> Option<(&[Arm], Vec<TreeOp>, &mut Vec<Arm>)> {
    let (Node::Choose(first), behind) = nodes.split_first_mut()? else { return None };
    let op = |node: &Node| if let Node::Op(op) = node { Some(*op) } else { None };
    let ops: Vec<TreeOp> = behind.iter().map_while(op).collect();
    let Some(Node::Choose(second)) = behind.get_mut(ops.len()) else { return None };
    Some((first, ops, second))
}

/// What was found before the choice: a set that holds another, and one that this holds.
#[derive(Clone, Copy, Default)]
struct Bracket {
    superset: Option<SetReg>,
    subset: Option<SetReg>,
}

/// What is known of sets behind a choice.
pub struct Supersets<'f> {
    layout: &'f PositionLayout,
    own: SetReg,
    /// Sets that were found since.
    redefined: HashMap<SetReg, Bracket>,
    /// Sets that were read since.
    used: HashSet<SetReg>,
    /// Copies, and what they are copies of.
    copies: HashMap<SetReg, SetReg>,
    /// Where a man of the player to move stands.
    moved_piece: Option<SetReg>,
    /// What is found before the choice, each once.
    pub hoisted: Block,
    available: HashMap<TreeOp, SetReg>,
    fresh: &'f mut VirtualRegs,
}

impl<'f> Supersets<'f> {
    pub fn after_choice(
        arms: &[Arm],
        layout: &'f PositionLayout,
        own: SetReg,
        fresh: &'f mut VirtualRegs,
    ) -> Supersets<'f> {
        let man = arms.first().and_then(|arm| arm.man).map(|(man, _)| man);
        let same = |arm: &Arm| arm.own && arm.man.map(|(man, _)| man) == man;
        let man = man.filter(|_| arms.iter().all(same));
        let (since, read, names, known) = Default::default();
        let mut wide = Supersets {
            layout,
            own,
            redefined: since,
            used: read,
            copies: names,
            moved_piece: None,
            hoisted: Vec::new(),
            available: known,
            fresh,
        };
        for arm in arms {
            let mut touch = |access| wide.record(access, Bracket::default());
            arm.options.accesses(&mut touch);
            crate::plan::vregs::accesses(&arm.block, &mut touch);
        }
        if let [Arm { options: Options::Cells { of, cell }, block, .. }] = arms
            && block.is_empty()
        {
            wide.redefined.insert(*cell, Bracket { superset: Some(*of), subset: None });
        }
        wide.moved_piece = man;
        wide
    }

    fn record(&mut self, access: Access, around: Bracket) {
        match access {
            Access::UseSet(a) => drop(self.used.insert(a)),
            Access::DefSet(d) => {
                self.redefined.insert(d, around);
                self.copies.retain(|copy, of| *copy != d && *of != d);
                self.moved_piece = self.moved_piece.filter(|man| *man != d);
            }
            Access::Pieces => self.redefined.extend(self.layout.men().into_iter().map(|reg| (reg, Bracket::default()))),
            _ => {}
        }
    }

    fn bracket(&self, reg: SetReg) -> Bracket {
        self.redefined.get(&reg).copied().unwrap_or(Bracket { superset: Some(reg), subset: Some(reg) })
    }

    /// What was found before the choice and holds a set.
    pub fn superset_of(&self, reg: SetReg) -> Option<SetReg> {
        self.bracket(reg).superset
    }

    /// The register that a set was copied from first.
    pub fn copy_source(&self, reg: SetReg) -> SetReg {
        self.copies.get(&reg).copied().unwrap_or(reg)
    }

    /// The register in which an operation joins sets that were found before, if nobody has touched
    /// it since.
    pub fn hoistable_def(&self, op: &TreeOp) -> Option<SetReg> {
        let touched = |reg: SetReg| self.redefined.contains_key(&reg);
        match *op {
            TreeOp::And { d, a, b } | TreeOp::Or { d, a, b } | TreeOp::AndNot { d, a, b } => {
                let stands = ![a, b].contains(&d) && ![a, b, d].into_iter().any(touched) && !self.used.contains(&d);
                stands.then_some(d)
            }
            _ => None,
        }
    }

    /// The operation, which makes a register, is done before the choice.
    pub fn hoist(&mut self, op: TreeOp, d: SetReg) {
        self.available.insert(op.renamed(|reg| if reg == d { PLACEHOLDER } else { reg }, |n| n), d);
        self.hoisted.push(Node::Op(op));
    }

    /// Takes in what an operation does.
    pub fn transfer(&mut self, op: TreeOp) {
        let around = match op {
            TreeOp::Copy { a, .. } => self.bracket(a),
            TreeOp::KeepIf { a, .. } => Bracket { superset: self.superset_of(a), subset: None },
            TreeOp::And { a, b, .. } => self.intersection(self.bracket(a), self.bracket(b)),
            TreeOp::Or { a, b, .. } => self.union(self.bracket(a), self.bracket(b)),
            TreeOp::AndNot { a, b, .. } => self.difference(self.bracket(a), self.bracket(b)),
            // More men never complete less.
            TreeOp::LineCompletions { a, how, .. } => {
                let holding =
                    self.superset_of(a).map(|a| self.materialize(TreeOp::LineCompletions { d: PLACEHOLDER, a, how }));
                Bracket { superset: holding, subset: None }
            }
            _ => Bracket::default(),
        };
        let others = self.unaffected_owners(&op);
        op.accesses(|access| self.record(access, around));
        for reg in others {
            self.redefined.remove(&reg);
        }
        if let TreeOp::Copy { d, a } = op {
            self.copies.insert(d, self.copy_source(a));
        }
    }

    /// Men of whom none is carried: those of others, if it is a man of the player who is.
    fn unaffected_owners(&self, op: &TreeOp) -> Vec<SetReg> {
        match op {
            TreeOp::MovePiece { from, .. } if self.moved_piece == Some(self.copy_source(*from)) => {
                let others = self.layout.of.iter().copied().filter(|reg| *reg != self.own).chain(self.layout.neutral);
                others.filter(|reg| !self.redefined.contains_key(reg)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn intersection(&mut self, a: Bracket, b: Bracket) -> Bracket {
        let holding = match (a.superset, b.superset) {
            (Some(a), Some(b)) if a != b => Some(self.materialize(TreeOp::And { d: PLACEHOLDER, a, b })),
            (a, b) => a.or(b),
        };
        Bracket { superset: holding, subset: None }
    }

    fn union(&mut self, a: Bracket, b: Bracket) -> Bracket {
        let holding = a.superset.zip(b.superset).map(|(a, b)| self.union_reg(a, b));
        let held = match (a.subset, b.subset) {
            (Some(a), Some(b)) => Some(self.union_reg(a, b)),
            (a, b) => a.or(b),
        };
        Bracket { superset: holding, subset: held }
    }

    fn difference(&mut self, a: Bracket, b: Bracket) -> Bracket {
        let holding = match (a.superset, b.subset) {
            (Some(a), Some(b)) => Some(self.materialize(TreeOp::AndNot { d: PLACEHOLDER, a, b })),
            (a, _) => a,
        };
        Bracket { superset: holding, subset: None }
    }

    fn union_reg(&mut self, a: SetReg, b: SetReg) -> SetReg {
        if a == b { a } else { self.materialize(TreeOp::Or { d: PLACEHOLDER, a, b }) }
    }

    /// What an operation finds before the choice.
    fn materialize(&mut self, op: TreeOp) -> SetReg {
        if let Some(&known) = self.available.get(&op) {
            return known;
        }
        let made = self.fresh.set();
        self.available.insert(op, made);
        self.hoisted.push(Node::Op(op.renamed(|reg| if reg == PLACEHOLDER { made } else { reg }, |n| n)));
        made
    }
}
