//! Branch facts: programs with choices go in; for each arm the conditions behind it that are known
//! there come out, with what they come to.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::analysis::count_bound::state::State;
use crate::plan::regs::NumReg;
use crate::plan::tree::Arm;

/// By arm: the conditions that are asked behind it before anything else is chosen.
#[derive(Default)]
pub struct Answers {
    /// Whether they hold; `None`: that is not known, or not always the same.
    by_arm: HashMap<*const Arm, HashMap<NumReg, Option<bool>>>,
    /// Arms behind which all is as behind others.
    like: HashMap<*const Arm, HashSet<*const Arm>>,
}

impl Answers {
    /// A condition is asked.
    pub fn record(&mut self, state: &State, condition: NumReg) {
        if let Some(arm) = state.arm {
            let holds = state.number(condition).map(|known| known != 0);
            add(self.by_arm.entry(arm).or_default(), condition, holds);
        }
    }

    /// All that is asked behind an arm comes to what it does behind another one.
    pub fn record_like(&mut self, arm: *const Arm, other: *const Arm) {
        self.like.entry(arm).or_default().insert(other);
    }

    /// The conditions behind an arm that are known.
    pub fn of(&self, arm: *const Arm) -> Vec<(NumReg, bool)> {
        let mut all = HashMap::default();
        let others = self.like.get(&arm).into_iter().flatten().copied();
        for known in others.chain([arm]).filter_map(|arm| self.by_arm.get(&arm)) {
            known.iter().for_each(|(condition, holds)| add(&mut all, *condition, *holds));
        }
        let mut known: Vec<(NumReg, bool)> =
            all.into_iter().filter_map(|(condition, holds)| Some((condition, holds?))).collect();
        known.sort_unstable_by_key(|(condition, _)| condition.0);
        known
    }
}

fn add(all: &mut HashMap<NumReg, Option<bool>>, condition: NumReg, holds: Option<bool>) {
    all.entry(condition).and_modify(|known| *known = known.filter(|known| Some(*known) == holds)).or_insert(holds);
}
