//! Choice narrowing: a choice whose offers take more registers than there are goes in; it comes out as choices
//! within a choice, each of a few of the arms, whose offers are computed behind the outer one.
//!
//! ```text
//! s20 = s8 and s12                  choose
//! s21 = s9 and s12                    if n1
//! s22 = s10 and s12                     s20 = s8 and s12
//! choose                                s21 = s9 and s12
//!   s6 from s20                ->       choose
//!   s6 from s21                           s6 from s20
//!   s6 from s22                           s6 from s21
//!                                     if n1
//!                                       s22 = s10 and s12
//!                                       choose
//!                                         s6 from s22
//! ```
//!
//! The runs are the same. The outer choice has no name and is not told. An operation whose result several of the inner
//! choices want is computed in each (rematerialization).

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::analysis::use_counts::UseCounts;
use crate::plan::op::TreeOp;
use crate::plan::regs::{Access, Reg};
use crate::plan::tree::{Arm, Block, Node, Options, Plan};
use crate::plan::tuning::{MAX_ARMS_OF_NARROW_CHOICE, MAX_OFFERS_OF_CHOICE};
use crate::plan::vregs;
use crate::plan::vregs::VirtualRegs;

/// Narrows the choices in all programs of a plan; whether there was any so wide.
pub fn narrow_choices(plan: &mut Plan, fresh: &mut VirtualRegs) -> bool {
    if !plan.programs_mut().any(|program| program.iter().any(has_wide_choice)) {
        return false;
    }
    let (mut written, mut again) = (HashSet::default(), HashSet::default());
    for program in plan.programs_mut() {
        vregs::accesses(program, &mut |access| {
            again.extend(access.defined().filter(|reg| !written.insert(*reg)));
        });
    }
    let (uses, shared) = (UseCounts::new(plan), (plan.shared_sets, plan.shared_numbers));
    let mut narrower = ChoiceNarrower { uses, shared, again, vregs: fresh };
    let mut changed = false;
    plan.programs_mut().for_each(|program| changed |= narrower.block(program));
    changed
}

fn has_wide_choice(node: &Node) -> bool {
    matches!(node, Node::Choose(arms) if is_wide(arms)) || node.blocks().into_iter().flatten().any(has_wide_choice)
}

/// What a choice offers takes so many registers that hardly any others are left. Arms that ask what others offer stay
/// together.
fn is_wide(arms: &[Arm]) -> bool {
    if arms.len() <= MAX_OFFERS_OF_CHOICE || arms.iter().any(|arm| arm.rest_of.is_some()) {
        return false;
    }
    let (mut sets, mut numbers) = (HashSet::default(), HashSet::default());
    for arm in arms {
        arm.options.accesses(&mut |access| match access {
            Access::UseSet(reg) => drop(sets.insert(reg)),
            Access::UseNum(reg) => drop(numbers.insert(reg)),
            _ => {}
        });
    }
    sets.len().max(numbers.len()) > MAX_OFFERS_OF_CHOICE
}

struct ChoiceNarrower<'p> {
    uses: UseCounts,
    /// So many registers of sets and of numbers belong to all programs.
    shared: (u16, u16),
    /// Registers that several operations write.
    again: HashSet<Reg>,
    vregs: &'p mut VirtualRegs,
}

impl ChoiceNarrower<'_> {
    fn block(&mut self, block: &mut Block) -> bool {
        let mut changed = false;
        let mut left = block.len();
        while let Some(at) = left.checked_sub(1) {
            block[at].blocks_mut().into_iter().for_each(|block| changed |= self.block(block));
            left = at;
            if matches!(&block[at], Node::Choose(arms) if is_wide(arms)) {
                left = self.narrow(block, at);
                changed = true;
            }
        }
        changed
    }

    /// Narrows the choice at a place of a block; how many nodes are left before it.
    fn narrow(&mut self, block: &mut Block, at: usize) -> usize {
        let Node::Choose(arms) = &mut block[at] else { return at };
        let arms = std::mem::take(arms);
        let sunk = self.sunk(&block[..at], &arms);
        let arms = sharing_side_by_side(arms, &block[..at], &sunk);
        let open = self.vregs.number();
        let mut groups = Vec::new();
        for group in arms.chunks(MAX_ARMS_OF_NARROW_CHOICE) {
            let mut wanted = HashSet::default();
            vregs::accesses(&[Node::Choose(group.to_vec())], &mut |access| wanted.extend(access.used()));
            let mut inner = Vec::new();
            for &place in &sunk {
                let node = &block[place];
                if accessed(node, Access::defined).iter().any(|reg| wanted.contains(reg)) {
                    wanted.extend(accessed(node, Access::used));
                    inner.push(node.clone());
                }
            }
            inner.reverse();
            inner.push(Node::Choose(group.to_vec()));
            groups.push(Arm::new(Options::One { open }, inner, "some of the ways"));
        }
        block[at] = Node::Choose(groups);
        block.insert(at, Node::Op(TreeOp::Const { d: open, k: 1 }));
        let sunk: HashSet<usize> = sunk.into_iter().collect();
        let mut place = 0;
        block.retain(|_| {
            place += 1;
            !sunk.contains(&(place - 1))
        });
        at - sunk.len()
    }

    /// The places of operations before a choice that serve its arms alone, and may be done behind it: the last first.
    fn sunk(&self, before: &[Node], arms: &[Arm]) -> Vec<usize> {
        let mut counts = UseCounts::default();
        let mut sunk = Vec::new();
        counts.collect(&vec![Node::Choose(arms.to_vec())]);
        // What is written behind the place at hand, up to the choice.
        let mut written: HashSet<Reg> = HashSet::default();
        for (place, node) in before.iter().enumerate().rev() {
            let (defined, used) = (accessed(node, Access::defined), accessed(node, Access::used));
            let serves_arms = |reg: &Reg| {
                let is_theirs = match *reg {
                    Reg::Set(reg) => reg.0 >= self.shared.0 && self.uses.of(reg) == counts.of(reg),
                    Reg::Number(reg) => reg.0 >= self.shared.1 && self.uses.of_number(reg) == counts.of_number(reg),
                };
                is_theirs && !self.again.contains(reg)
            };
            if is_pure(node) && defined.iter().all(serves_arms) && !used.iter().any(|reg| written.contains(reg)) {
                counts.add_node(node, 1);
                sunk.push(place);
                continue;
            }
            vregs::accesses(std::slice::from_ref(node), &mut |access| written.extend(access.defined()));
            // What reads the position whole is not done behind what changes it.
            if may_change_position(node) {
                break;
            }
        }
        sunk
    }
}

/// The arms in another order: one whose set is computed from that of another stands beside it.
fn sharing_side_by_side(arms: Vec<Arm>, block: &[Node], sunk: &[usize]) -> Vec<Arm> {
    // By register, the first arm whose set is among those that the register is computed from.
    let mut firsts: HashMap<Reg, usize> = HashMap::default();
    let offered = |arm: &Arm| if let Options::Cells { of, .. } = arm.options { Some(Reg::Set(of)) } else { None };
    let of_arms: HashMap<Reg, usize> =
        arms.iter().enumerate().rev().filter_map(|(number, arm)| Some((offered(arm)?, number))).collect();
    for &place in sunk.iter().rev() {
        let used = accessed(&block[place], Access::used);
        let first = used.iter().filter_map(|reg| firsts.get(reg)).min().copied();
        for reg in accessed(&block[place], Access::defined) {
            let first = first.into_iter().chain(of_arms.get(&reg).copied()).min();
            firsts.extend(first.map(|first| (reg, first)));
        }
    }
    let mut arms: Vec<(usize, Arm)> = arms
        .into_iter()
        .enumerate()
        .map(|(number, arm)| (offered(&arm).and_then(|reg| firsts.get(&reg).copied()).unwrap_or(number), arm))
        .collect();
    arms.sort_by_key(|(first, _)| *first);
    arms.into_iter().map(|(_, arm)| arm).collect()
}

/// The registers that an operation itself accesses so.
fn accessed(node: &Node, of: fn(Access) -> Option<Reg>) -> Vec<Reg> {
    let mut all = Vec::new();
    node.accesses(&mut |access| all.extend(of(access)));
    all
}

/// The node is an operation that only writes registers, and cannot fail.
fn is_pure(node: &Node) -> bool {
    let Node::Op(op) = node else { return false };
    let (mut writes, mut other) = (false, op.may_fault());
    op.accesses(|access| match access {
        Access::DefSet(_) | Access::DefNum(_) => writes = true,
        Access::UseSet(_) | Access::UseNum(_) => {}
        _ => other = true,
    });
    writes && !other
}

/// Men may be moved, or something be chosen.
fn may_change_position(node: &Node) -> bool {
    let mut changes = node.chooses();
    vregs::accesses(std::slice::from_ref(node), &mut |access| changes |= access == Access::Pieces);
    changes
}
