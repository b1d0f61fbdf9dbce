//! Packing of rays: looks along single directions go in among other operations; direction vectors
//! of ray fills and shifts come out, where several stand together.
//!
//! ```text
//! s20 = seen north from s7 through s9            s40..43 = run 4 ways from s7 through s9
//! s21 = seen east from s7 through s9             s44..47 = s40..43 or s7
//! s22 = seen south from s7 through s9      ->    s48..51 = s44..47 stepped 4 ways
//! s23 = seen west from s7 through s9             s24 = s49 or s51
//! s24 = seen east, west from s7 through s9
//! ```
//!
//! What a line comes to is a step from its run and from where it begins. A look that stands in no
//! row stays what it was.

use rustc_hash::FxHashMap as HashMap;

use crate::plan::op::TreeOp;
use crate::plan::passes::vectorize::pack::Packer;
use crate::plan::regs::SetReg;

/// A look along one direction, and what stands for it.
pub struct SplitReach {
    reach: TreeOp,
    /// A run, the run with where it begins, and a step from these: the numbers of the operations.
    fill: usize,
    filled: usize,
    shift: usize,
}

impl Packer<'_, '_> {
    /// Each look along one direction is a run and a step.
    pub fn split_reaches(&mut self) -> Vec<SplitReach> {
        let mut looks = Vec::new();
        for step in 0..self.ops.len() {
            let sight = self.ops[step];
            let TreeOp::SlidingReach { d, a, through, dirs } = sight else { continue };
            let dir = dirs.trailing_zeros() as u16;
            if !dirs.is_power_of_two() || self.vectorizer.plan.bitboard.dirs[usize::from(dir)].len() != 1 {
                continue;
            }
            let (run, begun) = (self.vregs.set(), self.vregs.set());
            self.ops[step] = TreeOp::Shift { d, a: begun, dir };
            for reg in [a, through] {
                self.users.entry(reg).or_default().retain(|user| *user != step);
            }
            let places = [TreeOp::RayFill { d: run, a, through, dir }, TreeOp::Or { d: begun, a: run, b: a }]
                .map(|op| self.add_with_uses(op));
            self.users.entry(begun).or_default().push(step);
            [run, begun].into_iter().for_each(|reg| self.vectorizer.counts.set_uses.add(reg.0, 1));
            looks.push(SplitReach { reach: sight, fill: places[0], filled: places[1], shift: step });
        }
        looks
    }

    /// Looks of which no part stands in a row are looks again; those along several directions take
    /// in what rows have of them.
    pub fn restore_reaches(&mut self, looks: Vec<SplitReach>) {
        let mut seen: HashMap<(SetReg, SetReg, u32), SetReg> = HashMap::default();
        for SplitReach { reach: sight, fill: run, filled: begun, shift: step } in looks {
            if [run, begun, step].into_iter().all(|op| self.slots[op].is_none()) {
                self.ops[step] = sight;
                (self.dropped[run], self.dropped[begun]) = (true, true);
            } else if let (TreeOp::SlidingReach { d, a, through, dirs }, Some(_)) = (sight, self.slots[step]) {
                seen.insert((a, through, dirs), d);
            }
        }
        for index in 0..self.ops.len() {
            let TreeOp::SlidingReach { d, a, through, dirs } = self.ops[index] else { continue };
            let single = (0..u32::BITS).map(|dir| 1 << dir).filter(|dir| dirs & dir != 0);
            let parts: Option<Vec<SetReg>> = single.map(|dir| seen.get(&(a, through, dir)).copied()).collect();
            let Some([first, rest @ .., last]) = parts.as_deref() else { continue };
            let mut all = *first;
            for part in rest {
                let sum = self.vregs.set();
                self.add_with_uses(TreeOp::Or { d: sum, a: all, b: *part });
                self.vectorizer.counts.set_uses.add(sum.0, 1);
                all = sum;
            }
            self.ops[index] = TreeOp::Or { d, a: all, b: *last };
            for reg in [all, *last] {
                self.users.entry(reg).or_default().push(index);
            }
        }
    }

    /// Adds an operation that uses what others make; its number.
    fn add_with_uses(&mut self, op: TreeOp) -> usize {
        let index = self.ops.len();
        op.accesses(|access| {
            if let crate::plan::Access::UseSet(reg) = access {
                self.users.entry(reg).or_default().push(index);
            }
        });
        self.add(op);
        index
    }
}
