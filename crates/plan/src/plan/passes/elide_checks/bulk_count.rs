//! Bulk counting: arms and what follows go in; operations that count the options that complete a
//! run in any case come out, for where runs are only counted.
//!
//! An arm is followed to the end of the turn. Of its options those are counted that touch nothing
//! that the condition rests on, and behind which nothing else can end the run or choose: a landing
//! on the last row is not counted where a man may be promoted there.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::op::Cmp;
use crate::plan::passes::elide_checks::{
    Arm, Block, Node, Preheader, Recheck, SetReg, TreeOp, cell_options, changes_pieces, collect_uses, kind_of,
};
use crate::plan::regs::NumReg;

/// The way of an arm to the end of its turn.
struct ArmPath<'a> {
    recheck: &'a Recheck,
    shared: u16,
    kind_of: &'a dyn Fn(SetReg) -> Option<usize>,
    is_constant: &'a dyn Fn(SetReg) -> bool,
    piece_kinds: u64,
    /// The landing, and names of it.
    landing_names: HashSet<SetReg>,
    /// How sets came about before men moved.
    defs: HashMap<SetReg, TreeOp>,
    constants: HashMap<NumReg, i64>,
    /// Truths that hold only where the landing lies in a set.
    lies_in: HashMap<NumReg, SetReg>,
    moved: bool,
    sources: Vec<SetReg>,
    captured: Vec<SetReg>,
    /// Landings behind which it is not known how the run goes on.
    undecided: Vec<SetReg>,
}

/// Counts what can be counted before a choice.
pub fn count_unaffected(maker: &mut Preheader, trigger: &Recheck, arms: &[Arm], rest: &Block) -> Option<Block> {
    let mut read = (HashSet::default(), HashSet::default());
    collect_uses(rest, &mut read);
    arms.iter().for_each(|arm| collect_uses(&arm.block, &mut read));
    let outer = (std::mem::take(&mut maker.block), maker.available.clone());
    let mut settled = Vec::new();
    for arm in arms {
        let Some((of, to)) = cell_options(arm) else { continue };
        let shares = arms.iter().filter(|other| cell_options(other).is_some_and(|(known, _)| known == of)).count();
        if of.0 < maker.plan.shared_sets || read.0.contains(&of) || shares > 1 {
            continue;
        }
        if let Some(touching) = affected_landings(maker, trigger, arm, to, rest) {
            let sure = touching.map_or(of, |b| maker.set(|d| TreeOp::AndNot { d, a: of, b }));
            settled.push(Node::Op(TreeOp::BulkCount { of, sure }));
        }
    }
    let mut then = std::mem::replace(&mut maker.block, outer.0);
    maker.available = outer.1;
    if settled.is_empty() {
        return None;
    }
    then.extend(settled);
    let holds = maker.vregs.number();
    Some(vec![
        Node::Op(TreeOp::Not { d: holds, a: trigger.preserved.fails }),
        Node::If { condition: holds, then, otherwise: Vec::new() },
    ])
}

/// Landings of an arm that touch what the condition rests on, or behind which something else may
/// happen; the outer `None`: all may.
fn affected_landings(
    maker: &mut Preheader,
    trigger: &Recheck,
    arm: &Arm,
    to: SetReg,
    rest: &Block,
) -> Option<Option<SetReg>> {
    let (_, of_kinds) = arm.man.filter(|(_, kinds)| kinds & !trigger.preserved.sensitive_kinds != 0)?;
    let way = {
        let plan = &*maker.plan;
        let fixed = |reg: SetReg| plan.consts.iter().any(|(known, _)| *known == reg);
        let kinds = |reg: SetReg| kind_of(plan, reg);
        let mut way = ArmPath {
            recheck: trigger,
            shared: plan.shared_sets,
            kind_of: &kinds,
            is_constant: &fixed,
            piece_kinds: of_kinds,
            landing_names: HashSet::from_iter([to]),
            defs: HashMap::default(),
            constants: plan.const_numbers.iter().copied().chain([(trigger.counting, 1)]).collect(),
            lies_in: HashMap::default(),
            moved: false,
            sources: Vec::new(),
            captured: Vec::new(),
            undecided: Vec::new(),
        };
        way.trace(&arm.block)?;
        way.trace(rest)?;
        (way.defs, way.sources, way.captured, way.undecided)
    };
    let (makers, froms, caught, unknown) = way;
    let demand = &trigger.preserved;
    let mut all = demand.vacant;
    for reg in unknown {
        all = maker.union(all, Some(reg));
    }
    for from in froms {
        if let Some(guards) = demand.occupied {
            let touched = preimage(maker, &makers, from, to, guards)?;
            all = maker.union(all, touched);
        }
    }
    for cells in caught {
        if let Some(guards) = demand.occupied.filter(|_| !is_within_landing(&makers, cells, to)) {
            let touched = preimage(maker, &makers, cells, to, guards)?;
            all = maker.union(all, touched);
        }
        if let Some(stay) = demand.uncaptured {
            let touched = preimage(maker, &makers, cells, to, stay)?;
            all = maker.union(all, touched);
        }
    }
    Some(all)
}

/// The set has no cell but the landing.
fn is_within_landing(makers: &HashMap<SetReg, TreeOp>, reg: SetReg, to: SetReg) -> bool {
    reg == to
        || match makers.get(&reg) {
            Some(TreeOp::And { a, b, .. }) => is_within_landing(makers, *a, to) || is_within_landing(makers, *b, to),
            Some(TreeOp::Copy { a, .. } | TreeOp::AndNot { a, .. } | TreeOp::KeepIf { a, .. }) => {
                is_within_landing(makers, *a, to)
            }
            _ => false,
        }
}

/// Landings for which what was made of them meets a set, or more.
fn preimage(
    maker: &mut Preheader,
    makers: &HashMap<SetReg, TreeOp>,
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
        TreeOp::Copy { a, .. } | TreeOp::AndNot { a, .. } => preimage(maker, makers, a, to, cells),
        TreeOp::And { a, b, .. } => match preimage(maker, makers, a, to, cells) {
            Some(found) => Some(found),
            None => preimage(maker, makers, b, to, cells),
        },
        TreeOp::Or { a, b, .. } => {
            let (a, b) = (preimage(maker, makers, a, to, cells)?, preimage(maker, makers, b, to, cells)?);
            Some(maker.union(a, b))
        }
        TreeOp::Shift { a, dir, .. } => {
            let dir = maker.opposite(dir)?;
            let before = maker.set(|d| TreeOp::Shift { d, a: cells, dir });
            preimage(maker, makers, a, to, before)
        }
        TreeOp::FirstOnRay { a, until, dir, .. } => {
            let dirs = 1u32.checked_shl(u32::from(maker.opposite(dir)?))?;
            let until = before_choice(maker, makers, until, to)?;
            let any = maker.all_cells();
            let through = maker.set(|d| TreeOp::AndNot { d, a: any, b: until });
            let ends = maker.set(|d| TreeOp::And { d, a: cells, b: until });
            let before = maker.set(|d| TreeOp::SlidingReach { d, a: ends, through, dirs });
            preimage(maker, makers, a, to, before)
        }
        _ => None,
    }
}

/// The set as it is before the choice.
fn before_choice(maker: &mut Preheader, makers: &HashMap<SetReg, TreeOp>, reg: SetReg, to: SetReg) -> Option<SetReg> {
    if reg == to {
        return None;
    }
    match makers.get(&reg).copied() {
        None => Some(reg),
        Some(TreeOp::Copy { a, .. }) => before_choice(maker, makers, a, to),
        Some(TreeOp::And { a, b, .. }) => {
            let (a, b) = (before_choice(maker, makers, a, to)?, before_choice(maker, makers, b, to)?);
            Some(maker.set(|d| TreeOp::And { d, a, b }))
        }
        Some(TreeOp::Or { a, b, .. }) => {
            let (a, b) = (before_choice(maker, makers, a, to)?, before_choice(maker, makers, b, to)?);
            Some(maker.set(|d| TreeOp::Or { d, a, b }))
        }
        Some(TreeOp::AndNot { a, b, .. }) => {
            let (a, b) = (before_choice(maker, makers, a, to)?, before_choice(maker, makers, b, to)?);
            Some(maker.set(|d| TreeOp::AndNot { d, a, b }))
        }
        Some(_) => None,
    }
}

impl ArmPath<'_> {
    /// Follows the nodes; `None`: the run may end there, or a choice may come.
    fn trace(&mut self, nodes: &[Node]) -> Option<()> {
        for node in nodes {
            match node {
                Node::Op(op) => self.transfer(op)?,
                // What the condition rests on stays as it is.
                Node::If { condition, otherwise, .. } if *condition == self.recheck.must_check => {
                    self.trace(otherwise)?
                }
                Node::If { condition, then, otherwise } => match self.constants.get(condition) {
                    Some(0) => self.trace(otherwise)?,
                    Some(_) => self.trace(then)?,
                    None if self.is_transparent(then) && self.is_transparent(otherwise) => {
                        self.invalidate(then);
                        self.invalidate(otherwise);
                    }
                    None => {
                        self.undecided.push(*self.lies_in.get(condition)?);
                        self.trace(otherwise)?;
                    }
                },
                Node::Need(n) if self.constants.get(n).is_some_and(|n| *n != 0) => {}
                _ => return None,
            }
        }
        Some(())
    }

    fn transfer(&mut self, op: &TreeOp) -> Option<()> {
        match *op {
            TreeOp::MovePiece { from, to, .. } if from == self.recheck.piece && self.landing_names.contains(&to) => {
                self.moved = true;
                self.sources.push(from);
                return Some(());
            }
            TreeOp::RemovePieces { cells, .. } => {
                self.moved = true;
                self.captured.push(cells);
                return Some(());
            }
            TreeOp::BitOr { d, .. } if d == self.recheck.must_check => return Some(()),
            TreeOp::Const { d, .. } if d == self.recheck.must_check => return None,
            TreeOp::FaultIfIntersects { .. } => return None,
            _ if changes_pieces(op) => return None,
            _ => {}
        }
        let known = self.constant_result(op);
        let lies_in = match *op {
            TreeOp::NonEmptySubset { a, b, .. } | TreeOp::Intersects { a, b, .. }
                if self.landing_names.contains(&a) && (self.is_constant)(b) =>
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
            if self.recheck.inputs.contains(&d) {
                return None;
            }
            let names = matches!(*op, TreeOp::Copy { a, .. } if self.landing_names.contains(&a));
            // What was made of it is made of what it was.
            self.defs.retain(|made, op| *made != d && !crate::plan::passes::elide_checks::reads(op, d));
            if names {
                self.landing_names.insert(d)
            } else {
                self.landing_names.remove(&d)
            };
            if !self.moved && d.0 >= self.shared {
                self.defs.insert(d, *op);
            }
        }
        if let Some(d) = number {
            self.constants.remove(&d);
            self.lies_in.remove(&d);
            self.constants.extend(known.map(|known| (d, known)));
            self.lies_in.extend(lies_in.map(|cells| (d, cells)));
        }
        Some(())
    }

    /// The number that an operation makes, if that is known.
    fn constant_result(&self, op: &TreeOp) -> Option<i64> {
        let of = |n: NumReg| self.constants.get(&n).copied();
        match *op {
            TreeOp::Const { k, .. } => Some(k),
            TreeOp::CopyNum { a, .. } => of(a),
            TreeOp::Not { a, .. } => of(a).map(|a| i64::from(a == 0)),
            TreeOp::Compare { cmp: Cmp::Equal, a, b, .. } => Some(i64::from(of(a)? == of(b)?)),
            // Of which kind is the man who moved?
            TreeOp::NonEmptySubset { a, b, .. } | TreeOp::Intersects { a, b, .. }
                if !self.sources.is_empty() && self.landing_names.contains(&a) =>
            {
                let kind = 1 << (self.kind_of)(b)?;
                if self.piece_kinds & kind == 0 { Some(0) } else { (self.piece_kinds == kind).then_some(1) }
            }
            _ => None,
        }
    }

    /// Nothing in the nodes ends the run, chooses, moves men or touches what the condition asks.
    fn is_transparent(&self, nodes: &[Node]) -> bool {
        nodes.iter().all(|node| match node {
            Node::Op(op) => {
                let mut calm = !changes_pieces(op) && !matches!(op, TreeOp::FaultIfIntersects { .. });
                op.accesses(|access| match access {
                    crate::plan::Access::DefSet(d) => calm &= !self.recheck.inputs.contains(&d),
                    crate::plan::Access::DefNum(d) => calm &= d != self.recheck.must_check,
                    _ => {}
                });
                calm
            }
            Node::If { then, otherwise, .. } => self.is_transparent(then) && self.is_transparent(otherwise),
            _ => false,
        })
    }

    fn invalidate(&mut self, nodes: &[Node]) {
        for node in nodes {
            if let Node::Op(op) = node {
                op.accesses(|access| match access {
                    crate::plan::Access::DefSet(d) => {
                        self.defs.remove(&d);
                        self.landing_names.remove(&d);
                    }
                    crate::plan::Access::DefNum(d) => {
                        self.constants.remove(&d);
                        self.lies_in.remove(&d);
                    }
                    _ => {}
                });
            }
            node.blocks().into_iter().for_each(|block| self.invalidate(block));
        }
    }
}
