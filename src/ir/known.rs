//! What an analysis knows at one place of a program.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::rows::{Away, Idle, Rows};
use super::{Access, Arm, N, S};

/// What is known of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// At most how many cells it has.
    pub(super) most: u32,
    /// A set of the position that is not smaller now, and is not before the turn changes it.
    pub(super) by: Option<S>,
    /// Of which kinds alone the men on it can be, a bit a kind.
    pub(super) kinds: u64,
    /// All cells lie on lines from the one cell of a set, in these directions; the cell itself too, if that is told.
    pub(super) rays: Option<Rays>,
    /// It is the one cell of a set after this step, if anybody asks.
    pub(super) stepped: Option<(S, Away)>,
    /// None of its cells lies in this set, which is always the same.
    pub(super) off: Option<S>,
    /// None of its cells completes a row, as this set says.
    pub(super) outside: Option<S>,
    /// The one cell that was chosen of such a set.
    pub(super) idle: Option<Idle>,
}

impl Known {
    /// Nothing but how many cells there can be.
    pub(super) fn anything(most: u32) -> Known {
        Known { most, by: None, kinds: u64::MAX, rays: None, stepped: None, off: None, outside: None, idle: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rays {
    pub(super) from: S,
    pub(super) dirs: u64,
    pub(super) itself: bool,
}

/// What is known at one place of a program.
#[derive(Clone)]
pub(super) struct State {
    pub(super) sets: HashMap<S, Known>,
    pub(super) numbers: HashMap<N, i64>,
    /// Sets of the position that may have grown since the turn began.
    pub(super) grown: HashSet<S>,
    pub(super) rows: Rows,
    /// The arm of the last choice.
    pub(super) arm: Option<*const Arm>,
}

impl State {
    /// What is known of those registers alone that are touched later, and how often they are.
    pub(super) fn for_those(&self, touch: impl FnOnce(&mut dyn FnMut(Access))) -> (State, u32) {
        let (mut sets, mut numbers, mut times) = (HashMap::default(), HashMap::default(), 0);
        touch(&mut |access| {
            times += 1;
            match access {
                Access::ReadSet(reg) | Access::WriteSet(reg) => {
                    sets.extend(self.sets.get(&reg).map(|known| (reg, *known)));
                }
                Access::Read(reg) | Access::Write(reg) => {
                    numbers.extend(self.numbers.get(&reg).map(|known| (reg, *known)));
                }
                Access::Men | Access::Position => {}
            }
        });
        (State { sets, numbers, grown: self.grown.clone(), rows: self.rows.clone(), arm: self.arm }, times)
    }

    /// Men leave: a set that was found before may be larger now than what it was taken from.
    pub(super) fn men_change(&mut self) {
        self.sets.values_mut().for_each(|known| known.by = None);
    }

    pub(super) fn forget_idle(&mut self, which: impl Fn(Idle) -> bool) {
        for known in self.sets.values_mut() {
            known.idle = known.idle.filter(|idle| !which(*idle));
            known.outside = known.outside.filter(|complete| !which(Idle { complete: *complete, cell: *complete }));
        }
    }

    pub(super) fn forget_kinds(&mut self) {
        self.sets.values_mut().for_each(|known| known.kinds = u64::MAX);
    }
}
