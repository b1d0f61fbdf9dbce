//! Singleton analysis: the programs of a plan go in; which registers hold at most one cell, and so which ray queries only ever
//! start from at most one, comes out.
//!
//! What a register never holds more than one cell of is assumed of all but those that any position
//! may fill, and then given up wherever an operation may write several, until nothing changes any
//! more.

use rustc_hash::FxHashSet as HashSet;

use crate::plan::bitboard::Bits;
use crate::plan::op::TreeOp;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Block, Node, Options, Plan, SeatPlan, StateCell};

/// Finds the ray queries. What plans then have no place for: positions with several cells in
/// [`PositionLayout::single`](crate::plan::PositionLayout::single).
pub fn single(plan: &mut Plan) -> bool {
    if plan.ray_queries.is_empty() {
        return false;
    }
    let several = Several::found(plan, &[]);
    let programs = programs(plan);
    let mut trails = vec![true; plan.ray_queries.len()];
    for (program, block) in programs.iter().enumerate() {
        several.trails(program, block, &mut trails);
    }
    let found = trails.contains(&true);
    if found {
        let sets = plan
            .layout
            .states
            .iter()
            .flatten()
            .filter_map(|cell| if let StateCell::Set(reg) = cell { Some(*reg) } else { None });
        plan.layout.single = sets.filter(|reg| several.is_single(0, *reg)).collect();
    }
    for (trail, single) in plan.ray_queries.iter_mut().zip(trails) {
        trail.single = single;
    }
    found
}

/// Whether an operation makes a set of one cell at most, by the operands that hold no more.
pub fn makes_one(op: &TreeOp, single: impl Fn(SetReg) -> bool) -> bool {
    match *op {
        TreeOp::Copy { a, .. }
        | TreeOp::AndNot { a, .. }
        | TreeOp::KeepIf { a, .. }
        | TreeOp::Shift { a, .. }
        | TreeOp::MaskedShift { a, .. }
        | TreeOp::FirstOnRay { a, .. } => single(a),
        TreeOp::And { a, b, .. } => single(a) || single(b),
        TreeOp::Select { a, b, .. } => single(a) && single(b),
        TreeOp::NthCell { .. } => true,
        _ => false,
    }
}

fn programs(plan: &Plan) -> Vec<&Block> {
    plan.seats.iter().flat_map(SeatPlan::programs).map(|(_, block)| block).collect()
}

/// Registers that may hold more cells than one, or numbers of more bits: of a program, or shared by all.
pub struct Several {
    regs: HashSet<(usize, SetReg)>,
    numbers: HashSet<(usize, NumReg)>,
    shared: (u16, u16),
    men: Vec<SetReg>,
    to_one: ToOne,
}

/// What leads from one cell to one at most.
struct ToOne {
    lists: Vec<bool>,
    along: Vec<bool>,
    /// Each direction by itself.
    directions: bool,
}

impl ToOne {
    fn of(plan: &Plan) -> ToOne {
        let grid = &plan.bitboard;
        let apart = |hops: &[u16]| {
            let from = |hop: u16| grid.hops[usize::from(hop)].from.iter();
            let mut seen = Bits::default();
            hops.iter().flat_map(|hop| from(*hop)).all(|cell| {
                !seen.contains(cell) && {
                    seen.insert(cell);
                    true
                }
            })
        };
        ToOne {
            lists: plan.lists.iter().map(|rows| rows.iter().all(|row| row.len() <= 1)).collect(),
            along: plan.along.iter().map(|hops| apart(hops)).collect(),
            directions: grid.dirs.iter().all(|hops| apart(hops)),
        }
    }
}

impl Several {
    /// Those of a plan; `others` may hold several when a turn begins.
    pub fn found(plan: &Plan, others: &[SetReg]) -> Several {
        let layout = &plan.layout;
        let men = layout.owners_and_kinds().chain(layout.waiting);
        let consts = plan.consts.iter().filter(|(_, cells)| cells.len() > 1).map(|(reg, _)| *reg);
        let regs = men.chain(consts).chain(others.iter().copied()).map(|reg| (0, reg)).collect();
        let of_position = (0..layout.numbers).map(NumReg);
        let fixed = plan.const_numbers.iter().filter(|(_, k)| k.count_ones() > 1).map(|(reg, _)| *reg);
        let numbers = of_position.chain(fixed).map(|reg| (0, reg)).collect();
        let shared = (plan.shared_sets, plan.shared_numbers);
        let mut several = Several { regs, numbers, shared, men: layout.men(), to_one: ToOne::of(plan) };
        let (programs, mut known) = (programs(plan), usize::MAX);
        while known != several.regs.len() + several.numbers.len() {
            known = several.regs.len() + several.numbers.len();
            for (program, block) in programs.iter().enumerate() {
                several.block(program, block);
            }
        }
        several
    }

    fn key(&self, program: usize, reg: SetReg) -> (usize, SetReg) {
        // Those of a program are counted from 1 on.
        (if reg.0 < self.shared.0 { 0 } else { program + 1 }, reg)
    }

    fn number_key(&self, program: usize, reg: NumReg) -> (usize, NumReg) {
        (if reg.0 < self.shared.1 { 0 } else { program + 1 }, reg)
    }

    /// No more than one bit of a number is ever set.
    pub fn has_one_bit(&self, program: usize, reg: NumReg) -> bool {
        !self.numbers.contains(&self.number_key(program, reg)) && !self.numbers.contains(&(0, reg))
    }

    /// Programs are numbered seat by seat, as [`SeatPlan::programs`] tells them.
    pub fn is_single(&self, program: usize, reg: SetReg) -> bool {
        !self.regs.contains(&self.key(program, reg)) && !self.regs.contains(&(0, reg))
    }

    fn block(&mut self, program: usize, block: &Block) {
        for node in block {
            match node {
                Node::Op(op) => self.op(program, op),
                Node::EachGroup { group, .. } => self.drop(program, *group),
                Node::Loop { counter, .. } => self.drop_number(program, *counter),
                Node::Choose(arms) => {
                    for arm in arms {
                        match arm.options {
                            Options::Combinations { cells: reg, .. } | Options::Groups { group: reg, .. } => {
                                self.drop(program, reg);
                            }
                            Options::Range { number, .. } => self.drop_number(program, number),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
            for block in node.blocks() {
                self.block(program, block);
            }
        }
    }

    fn drop(&mut self, program: usize, reg: SetReg) {
        let key = self.key(program, reg);
        self.regs.insert(key);
    }

    fn drop_number(&mut self, program: usize, reg: NumReg) {
        let key = self.number_key(program, reg);
        self.numbers.insert(key);
    }

    fn op(&mut self, program: usize, op: &TreeOp) {
        let single = |reg: SetReg| self.is_single(program, reg);
        let fine = match *op {
            // Men go where others were; what is remembered of a cell goes with them.
            TreeOp::MovePiece { to, .. } if !single(to) => {
                let men = self.men.clone();
                return men.into_iter().for_each(|reg| self.drop(program, reg));
            }
            TreeOp::LookupNum { list, .. } => self.to_one.lists[usize::from(list)],
            TreeOp::Lookup { a, list, .. } => self.to_one.lists[usize::from(list)] && single(a),
            TreeOp::Neighbors { a, along, .. } => self.to_one.along[usize::from(along)] && single(a),
            TreeOp::NeighborsBy { a, dirs, .. } => {
                self.to_one.directions && single(a) && self.has_one_bit(program, dirs)
            }
            TreeOp::Const { k, .. } => k.count_ones() <= 1,
            TreeOp::CopyNum { a, .. } => self.has_one_bit(program, a),
            TreeOp::SelectNum { a, b, .. } => self.has_one_bit(program, a) && self.has_one_bit(program, b),
            _ => makes_one(op, single),
        };
        if !fine {
            op.accesses(|access| match access {
                Access::DefSet(reg) => self.drop(program, reg),
                Access::DefNum(reg) => self.drop_number(program, reg),
                _ => {}
            });
        }
    }

    /// Trails that are followed from several cells are not single.
    fn trails(&self, program: usize, block: &Block, trails: &mut [bool]) {
        for node in block {
            if let Node::Op(TreeOp::RayQuery { a, trail, .. } | TreeOp::InLine { a, trail, .. }) = node
                && !self.is_single(program, *a)
            {
                trails[usize::from(*trail)] = false;
            }
            for block in node.blocks() {
                self.trails(program, block, trails);
            }
        }
    }
}
