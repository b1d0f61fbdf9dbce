//! Arms and what follows go in; operations that count the options that complete a run in any case
//! come out, for where runs are only counted.
//!
//! An arm is followed to the end of the turn. Of its options those are counted that touch nothing
//! that the condition rests on, and behind which nothing else can end the run or choose: a landing
//! on the last row is not counted where a man may be promoted there.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::op::Cmp;
use crate::plan::passes::elide_checks::{
    Arm, Block, Maker, Node, Op, SetReg, Trigger, changes_men, collect, kind_of, landing,
};
use crate::plan::regs::NumReg;

/// The way of an arm to the end of its turn.
struct Way<'a> {
    trigger: &'a Trigger,
    shared: u16,
    kinds: &'a dyn Fn(SetReg) -> Option<usize>,
    fixed: &'a dyn Fn(SetReg) -> bool,
    of_kinds: u64,
    /// The landing, and names of it.
    to: HashSet<SetReg>,
    /// How sets came about before men moved.
    makers: HashMap<SetReg, Op>,
    numbers: HashMap<NumReg, i64>,
    /// Truths that hold only where the landing lies in a set.
    lies_in: HashMap<NumReg, SetReg>,
    moved: bool,
    froms: Vec<SetReg>,
    caught: Vec<SetReg>,
    /// Landings behind which it is not known how the run goes on.
    unknown: Vec<SetReg>,
}

/// Counts what can be counted before a choice.
pub(crate) fn settle(maker: &mut Maker, trigger: &Trigger, arms: &[Arm], rest: &Block) -> Option<Block> {
    let mut read = (HashSet::default(), HashSet::default());
    collect(rest, &mut read);
    arms.iter().for_each(|arm| collect(&arm.block, &mut read));
    let outer = (std::mem::take(&mut maker.out), maker.known.clone());
    let mut settled = Vec::new();
    for arm in arms {
        let Some((of, to)) = landing(arm) else { continue };
        let shares = arms.iter().filter(|other| landing(other).is_some_and(|(known, _)| known == of)).count();
        if of.0 < maker.plan.shared_sets || read.0.contains(&of) || shares > 1 {
            continue;
        }
        if let Some(touching) = touching(maker, trigger, arm, to, rest) {
            let sure = touching.map_or(of, |b| maker.set(|d| Op::AndNot { d, a: of, b }));
            settled.push(Node::Op(Op::BulkCount { of, sure }));
        }
    }
    let mut then = std::mem::replace(&mut maker.out, outer.0);
    maker.known = outer.1;
    if settled.is_empty() {
        return None;
    }
    then.extend(settled);
    let holds = maker.fresh.number();
    Some(vec![
        Node::Op(Op::Not { d: holds, a: trigger.demand.fails }),
        Node::If { condition: holds, then, otherwise: Vec::new() },
    ])
}

/// Landings of an arm that touch what the condition rests on, or behind which something else may
/// happen; the outer `None`: all may.
fn touching(maker: &mut Maker, trigger: &Trigger, arm: &Arm, to: SetReg, rest: &Block) -> Option<Option<SetReg>> {
    let (_, of_kinds) = arm.man.filter(|(_, kinds)| kinds & !trigger.demand.touchy != 0)?;
    let way = {
        let plan = &*maker.plan;
        let fixed = |reg: SetReg| plan.consts.iter().any(|(known, _)| *known == reg);
        let kinds = |reg: SetReg| kind_of(plan, reg);
        let mut way = Way {
            trigger,
            shared: plan.shared_sets,
            kinds: &kinds,
            fixed: &fixed,
            of_kinds,
            to: HashSet::from_iter([to]),
            makers: HashMap::default(),
            numbers: plan.const_numbers.iter().copied().chain([(trigger.counting, 1)]).collect(),
            lies_in: HashMap::default(),
            moved: false,
            froms: Vec::new(),
            caught: Vec::new(),
            unknown: Vec::new(),
        };
        way.follow(&arm.block)?;
        way.follow(rest)?;
        (way.makers, way.froms, way.caught, way.unknown)
    };
    let (makers, froms, caught, unknown) = way;
    let demand = &trigger.demand;
    let mut all = demand.closed;
    for reg in unknown {
        all = maker.or(all, Some(reg));
    }
    for from in froms {
        if let Some(guards) = demand.guards {
            let touched = back(maker, &makers, from, to, guards)?;
            all = maker.or(all, touched);
        }
    }
    for cells in caught {
        if let Some(guards) = demand.guards.filter(|_| !lies_in(&makers, cells, to)) {
            let touched = back(maker, &makers, cells, to, guards)?;
            all = maker.or(all, touched);
        }
        if let Some(stay) = demand.stay {
            let touched = back(maker, &makers, cells, to, stay)?;
            all = maker.or(all, touched);
        }
    }
    Some(all)
}

/// The set has no cell but the landing.
fn lies_in(makers: &HashMap<SetReg, Op>, reg: SetReg, to: SetReg) -> bool {
    reg == to
        || match makers.get(&reg) {
            Some(Op::And { a, b, .. }) => lies_in(makers, *a, to) || lies_in(makers, *b, to),
            Some(Op::Copy { a, .. } | Op::AndNot { a, .. } | Op::KeepIf { a, .. }) => lies_in(makers, *a, to),
            _ => false,
        }
}

/// Landings for which what was made of them meets a set, or more.
fn back(
    maker: &mut Maker,
    makers: &HashMap<SetReg, Op>,
    reg: SetReg,
    to: SetReg,
    cells: SetReg,
) -> Option<Option<SetReg>> {
    if reg == to {
        return Some(Some(cells));
    }
    if maker.plan.consts.iter().any(|(known, bits)| *known == reg && bits.is_empty()) {
        return Some(None);
    }
    match *makers.get(&reg)? {
        Op::Copy { a, .. } | Op::AndNot { a, .. } => back(maker, makers, a, to, cells),
        Op::And { a, b, .. } => match back(maker, makers, a, to, cells) {
            Some(found) => Some(found),
            None => back(maker, makers, b, to, cells),
        },
        Op::Or { a, b, .. } => {
            let (a, b) = (back(maker, makers, a, to, cells)?, back(maker, makers, b, to, cells)?);
            Some(maker.or(a, b))
        }
        Op::Shift { a, dir, .. } => {
            let dir = maker.opposite(dir)?;
            let before = maker.set(|d| Op::Shift { d, a: cells, dir });
            back(maker, makers, a, to, before)
        }
        Op::FirstOnRay { a, until, dir, .. } => {
            let dirs = 1u32.checked_shl(u32::from(maker.opposite(dir)?))?;
            let until = made_before(maker, makers, until, to)?;
            let any = maker.any();
            let through = maker.set(|d| Op::AndNot { d, a: any, b: until });
            let ends = maker.set(|d| Op::And { d, a: cells, b: until });
            let before = maker.set(|d| Op::SlidingReach { d, a: ends, through, dirs });
            back(maker, makers, a, to, before)
        }
        _ => None,
    }
}

/// The set as it is before the choice.
fn made_before(maker: &mut Maker, makers: &HashMap<SetReg, Op>, reg: SetReg, to: SetReg) -> Option<SetReg> {
    if reg == to {
        return None;
    }
    match makers.get(&reg).copied() {
        None => Some(reg),
        Some(Op::Copy { a, .. }) => made_before(maker, makers, a, to),
        Some(Op::And { a, b, .. }) => {
            let (a, b) = (made_before(maker, makers, a, to)?, made_before(maker, makers, b, to)?);
            Some(maker.set(|d| Op::And { d, a, b }))
        }
        Some(Op::Or { a, b, .. }) => {
            let (a, b) = (made_before(maker, makers, a, to)?, made_before(maker, makers, b, to)?);
            Some(maker.set(|d| Op::Or { d, a, b }))
        }
        Some(Op::AndNot { a, b, .. }) => {
            let (a, b) = (made_before(maker, makers, a, to)?, made_before(maker, makers, b, to)?);
            Some(maker.set(|d| Op::AndNot { d, a, b }))
        }
        Some(_) => None,
    }
}

impl Way<'_> {
    /// Follows the nodes; `None`: the run may end there, or a choice may come.
    fn follow(&mut self, nodes: &[Node]) -> Option<()> {
        for node in nodes {
            match node {
                Node::Op(op) => self.op(op)?,
                // What the condition rests on stays as it is.
                Node::If { condition, otherwise, .. } if *condition == self.trigger.asked => self.follow(otherwise)?,
                Node::If { condition, then, otherwise } => match self.numbers.get(condition) {
                    Some(0) => self.follow(otherwise)?,
                    Some(_) => self.follow(then)?,
                    None if self.is_calm(then) && self.is_calm(otherwise) => {
                        self.forget(then);
                        self.forget(otherwise);
                    }
                    None => {
                        self.unknown.push(*self.lies_in.get(condition)?);
                        self.follow(otherwise)?;
                    }
                },
                Node::Need(n) if self.numbers.get(n).is_some_and(|n| *n != 0) => {}
                _ => return None,
            }
        }
        Some(())
    }

    fn op(&mut self, op: &Op) -> Option<()> {
        match *op {
            Op::MovePiece { from, to, .. } if from == self.trigger.man && self.to.contains(&to) => {
                self.moved = true;
                self.froms.push(from);
                return Some(());
            }
            Op::RemovePieces { cells, .. } => {
                self.moved = true;
                self.caught.push(cells);
                return Some(());
            }
            Op::BitOr { d, .. } if d == self.trigger.asked => return Some(()),
            Op::Const { d, .. } if d == self.trigger.asked => return None,
            Op::FaultIfIntersects { .. } => return None,
            _ if changes_men(op) => return None,
            _ => {}
        }
        let known = self.number(op);
        let lies_in = match *op {
            Op::NonEmptySubset { a, b, .. } | Op::Intersects { a, b, .. }
                if self.to.contains(&a) && (self.fixed)(b) =>
            {
                Some(b)
            }
            _ => None,
        };
        let (mut set, mut number) = (None, None);
        op.accesses(|access| match access {
            crate::plan::Access::DefSet(d) => set = Some(d),
            crate::plan::Access::DefNum(d) => number = Some(d),
            _ => {}
        });
        if let Some(d) = set {
            if self.trigger.bases.contains(&d) {
                return None;
            }
            let names = matches!(*op, Op::Copy { a, .. } if self.to.contains(&a));
            // What was made of it is made of what it was.
            self.makers.retain(|made, op| *made != d && !crate::plan::passes::elide_checks::reads(op, d));
            if names {
                self.to.insert(d)
            } else {
                self.to.remove(&d)
            };
            if !self.moved && d.0 >= self.shared {
                self.makers.insert(d, *op);
            }
        }
        if let Some(d) = number {
            self.numbers.remove(&d);
            self.lies_in.remove(&d);
            self.numbers.extend(known.map(|known| (d, known)));
            self.lies_in.extend(lies_in.map(|cells| (d, cells)));
        }
        Some(())
    }

    /// The number that an operation makes, if that is known.
    fn number(&self, op: &Op) -> Option<i64> {
        let of = |n: NumReg| self.numbers.get(&n).copied();
        match *op {
            Op::Const { k, .. } => Some(k),
            Op::CopyNum { a, .. } => of(a),
            Op::Not { a, .. } => of(a).map(|a| i64::from(a == 0)),
            Op::Compare { cmp: Cmp::Equal, a, b, .. } => Some(i64::from(of(a)? == of(b)?)),
            // Of which kind is the man who moved?
            Op::NonEmptySubset { a, b, .. } | Op::Intersects { a, b, .. }
                if !self.froms.is_empty() && self.to.contains(&a) =>
            {
                let kind = 1 << (self.kinds)(b)?;
                if self.of_kinds & kind == 0 { Some(0) } else { (self.of_kinds == kind).then_some(1) }
            }
            _ => None,
        }
    }

    /// Nothing in the nodes ends the run, chooses, moves men or touches what the condition asks.
    fn is_calm(&self, nodes: &[Node]) -> bool {
        nodes.iter().all(|node| match node {
            Node::Op(op) => {
                let mut calm = !changes_men(op) && !matches!(op, Op::FaultIfIntersects { .. });
                op.accesses(|access| match access {
                    crate::plan::Access::DefSet(d) => calm &= !self.trigger.bases.contains(&d),
                    crate::plan::Access::DefNum(d) => calm &= d != self.trigger.asked,
                    _ => {}
                });
                calm
            }
            Node::If { then, otherwise, .. } => self.is_calm(then) && self.is_calm(otherwise),
            _ => false,
        })
    }

    fn forget(&mut self, nodes: &[Node]) {
        for node in nodes {
            if let Node::Op(op) = node {
                op.accesses(|access| match access {
                    crate::plan::Access::DefSet(d) => {
                        self.makers.remove(&d);
                        self.to.remove(&d);
                    }
                    crate::plan::Access::DefNum(d) => {
                        self.numbers.remove(&d);
                        self.lies_in.remove(&d);
                    }
                    _ => {}
                });
            }
            node.blocks().into_iter().for_each(|block| self.forget(block));
        }
    }
}
