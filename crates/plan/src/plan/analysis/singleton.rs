//! Singleton analysis: the programs of a plan go in; which ray queries only ever start from at most
//! one cell comes out.
//!
//! What a register never holds more than one cell of is assumed of all but those that any position
//! may fill, and then given up wherever an operation may write several, until nothing changes any
//! more.

use rustc_hash::FxHashSet as HashSet;

use crate::plan::op::TreeOp;
use crate::plan::regs::SetReg;
use crate::plan::tree::{Block, Node, Options, Plan, SeatPlan, StateCell};

/// Finds the ray queries. What plans then have no place for: positions with several cells in
/// [`PositionLayout::single`](crate::plan::PositionLayout::single).
pub fn single(plan: &mut Plan) -> bool {
    if plan.ray_queries.is_empty() {
        return false;
    }
    let mut several = Several::new(plan);
    let programs: Vec<&Block> = plan.seats.iter().flat_map(SeatPlan::programs).map(|(_, block)| block).collect();
    let mut known = usize::MAX;
    while known != several.regs.len() {
        known = several.regs.len();
        for (program, block) in programs.iter().enumerate() {
            several.block(program, block);
        }
    }
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

/// Registers that may hold more cells than one: of a program, or shared by all.
struct Several {
    regs: HashSet<(usize, SetReg)>,
    shared: u16,
    men: Vec<SetReg>,
}

impl Several {
    fn new(plan: &Plan) -> Several {
        let layout = &plan.layout;
        let men = layout.owners_and_kinds().chain(layout.waiting);
        let consts = plan.consts.iter().filter(|(_, cells)| cells.len() > 1).map(|(reg, _)| *reg);
        let regs = men.chain(consts).map(|reg| (0, reg)).collect();
        Several { regs, shared: plan.shared_sets, men: layout.men() }
    }

    fn key(&self, program: usize, reg: SetReg) -> (usize, SetReg) {
        // Those of a program are counted from 1 on.
        (if reg.0 < self.shared { 0 } else { program + 1 }, reg)
    }

    fn is_single(&self, program: usize, reg: SetReg) -> bool {
        !self.regs.contains(&self.key(program, reg)) && !self.regs.contains(&(0, reg))
    }

    fn block(&mut self, program: usize, block: &Block) {
        for node in block {
            match node {
                Node::Op(op) => self.op(program, op),
                Node::EachGroup { group, .. } => self.drop(program, *group),
                Node::Choose(arms) => {
                    for arm in arms {
                        if let Options::Pairs { pair: reg, .. } | Options::Groups { group: reg, .. } = arm.options {
                            self.drop(program, reg);
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

    fn op(&mut self, program: usize, op: &TreeOp) {
        let single = |reg: SetReg| self.is_single(program, reg);
        let fine = match *op {
            // Men go where others were; what is remembered of a cell goes with them.
            TreeOp::MovePiece { to, .. } if !single(to) => {
                let men = self.men.clone();
                return men.into_iter().for_each(|reg| self.drop(program, reg));
            }
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
        };
        if !fine {
            let mut written = smallvec::SmallVec::<[SetReg; 8]>::new();
            op.accesses(|access| {
                if let crate::plan::Access::DefSet(reg) = access {
                    written.push(reg);
                }
            });
            written.into_iter().for_each(|reg| self.drop(program, reg));
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
