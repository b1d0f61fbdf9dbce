//! Abstract state: an operation goes in; what is known behind it comes out.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::analysis::count_bound::lines::{Idle, Rows};
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Arm, Away};

/// What is known of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// At most how many cells it has.
    pub most: u32,
    /// A set of the position that is not smaller now, and is not before the turn changes it.
    pub by: Option<SetReg>,
    /// A set that has been there since the turn began and holds all its cells. No man has moved since then.
    pub within: Option<SetReg>,
    /// Of which kinds alone the men on it can be, a bit a kind.
    pub kinds: u64,
    /// All cells lie on lines from the one cell of a set, in these directions; the cell itself too,
    /// if that is told.
    pub rays: Option<Rays>,
    /// It is the one cell of a set after this step, if anybody asks.
    pub stepped: Option<(SetReg, Away)>,
    /// None of its cells lies in this set, which is always the same.
    pub off: Option<SetReg>,
    /// None of its cells completes a row, as this set says.
    pub outside: Option<SetReg>,
    /// The one cell that was chosen of such a set.
    pub idle: Option<Idle>,
    /// It is empty unless this holds.
    pub guard: Option<Guard>,
}

/// A number has one of these bits. It has no more than one bit, so of two guards without a common one one at most holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    pub of: NumReg,
    pub bits: u64,
}

impl Known {
    /// Nothing but how many cells there can be.
    pub fn anything(most: u32) -> Known {
        Known {
            most,
            by: None,
            within: None,
            kinds: u64::MAX,
            rays: None,
            stepped: None,
            off: None,
            outside: None,
            idle: None,
            guard: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rays {
    pub from: SetReg,
    pub dirs: u64,
    pub itself: bool,
}

/// What is known of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Is(i64),
    /// No stack on the cells of this set is lower. No man has moved since the turn began.
    Height(SetReg),
}

/// What is known at one place of a program.
#[derive(Clone)]
pub struct State {
    pub sets: HashMap<SetReg, Known>,
    pub numbers: HashMap<NumReg, Value>,
    /// Numbers that are 0 unless a guard holds.
    pub guards: HashMap<NumReg, Guard>,
    /// There has been a guard: without one, nothing is looked through for them.
    pub guarded: bool,
    /// Sets of the position that may have grown since the turn began.
    pub grown: HashSet<SetReg>,
    /// Men have moved since the turn began.
    pub moved: bool,
    pub rows: Rows,
    /// The arm of the last choice.
    pub arm: Option<*const Arm>,
}

impl State {
    /// What is known of those registers alone that are touched later, and how often they are.
    pub fn for_those(&self, touch: impl FnOnce(&mut dyn FnMut(Access))) -> (State, u32) {
        let (mut sets, mut numbers, mut times) = (HashMap::default(), HashMap::default(), 0);
        let mut guards = HashMap::default();
        touch(&mut |access| {
            times += 1;
            match access {
                Access::UseSet(reg) | Access::DefSet(reg) => {
                    sets.extend(self.sets.get(&reg).map(|known| (reg, *known)));
                }
                Access::UseNum(reg) | Access::DefNum(reg) => {
                    numbers.extend(self.numbers.get(&reg).map(|known| (reg, *known)));
                    guards.extend(self.guards.get(&reg).map(|guard| (reg, *guard)));
                }
                Access::Pieces | Access::Position => {}
            }
        });
        let (grown, rows) = (self.grown.clone(), self.rows.clone());
        let (guarded, moved) = (self.guarded, self.moved);
        (State { sets, numbers, guards, guarded, grown, moved, rows, arm: self.arm }, times)
    }

    /// What a number is, if it is always the same.
    pub fn number(&self, reg: NumReg) -> Option<i64> {
        match self.numbers.get(&reg) {
            Some(Value::Is(k)) => Some(*k),
            _ => None,
        }
    }

    /// Men leave: a set that was found before may be larger now than what it was taken from, and stacks higher.
    pub fn men_change(&mut self) {
        self.moved = true;
        self.sets.values_mut().for_each(|known| (known.by, known.within) = (None, None));
        self.numbers.retain(|_, value| matches!(value, Value::Is(_)));
    }

    pub fn forget_idle(&mut self, which: impl Fn(Idle) -> bool) {
        for known in self.sets.values_mut() {
            known.idle = known.idle.filter(|idle| !which(*idle));
            known.outside = known.outside.filter(|complete| !which(Idle { complete: *complete, cell: *complete }));
        }
    }

    /// A number is written: what was told by its bits no longer stands.
    pub fn forget_guards(&mut self, written: NumReg) {
        if !self.guarded {
            return;
        }
        self.guards.retain(|&number, guard| number != written && guard.of != written);
        for known in self.sets.values_mut() {
            known.guard = known.guard.filter(|guard| guard.of != written);
        }
    }

    pub fn forget_kinds(&mut self) {
        self.sets.values_mut().for_each(|known| known.kinds = u64::MAX);
    }
}
