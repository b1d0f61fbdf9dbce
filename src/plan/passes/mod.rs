//! The rewrites of a plan by name, each of which can be left out.

pub(crate) mod dce;
pub(crate) mod early_reject;
pub(crate) mod elide_checks;
pub(crate) mod hoist_choices;
pub(crate) mod hoist_superset;
pub(crate) mod merge_arms;
pub(crate) mod reachability;
pub(crate) mod split_arms;
pub(crate) mod vectorize;

use crate::plan::analysis::count_bound::bound;
use crate::plan::analysis::singleton::single;
use crate::plan::passes::dce::sweep;
use crate::plan::passes::early_reject::cap;
use crate::plan::passes::elide_checks::spare;
use crate::plan::passes::hoist_choices::early;
use crate::plan::passes::hoist_superset::widen;
use crate::plan::passes::merge_arms::join;
use crate::plan::passes::reachability::groups;
use crate::plan::passes::split_arms::part;
use crate::plan::passes::vectorize::fan;
use crate::plan::tree::Plan;

macro_rules! rewrites {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// What may be left out on the way from rules to code; what they mean is the same without
        /// it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Pass {
            $($(#[$doc])* $name),*
        }

        impl Pass {
            /// All of them.
            pub const EACH: &[Pass] = &[$(Pass::$name),*];
        }
    };
}

rewrites! {
    // While lowering.
    /// Do the same operation on the same registers once.
    Reuse,
    /// Ask conditions on a cell of all cells at once.
    Lift,
    /// Ask conditions on a cell that the board alone answers beforehand.
    Table,
    /// Choose a man together with where he goes.
    Landings,
    /// Choose the man of a chain together with its first move.
    FirstRound,
    /// Make one choice of those that alternatives begin with, and a condition of `first` where it
    /// is known which block has a turn.
    OneChoice,
    /// Take the words of a move for empty until something has moved.
    Still,
    /// Tell ways apart along which no man comes to the same cell.
    WaysApart,
    /// Ask conditions on groups of all groups at once.
    AllGroups,
    /// Count groups no further than is asked.
    FewGroups,
    /// Ask for each row of a board that has few.
    FewRows,
    /// Look from single cells along all directions at once.
    Trail,
    // Of the plan.
    /// Drop what is computed in vain.
    Sweep,
    /// Ask whether groups come to cells without finding them whole, and go on from what floods came
    /// to last.
    Groups,
    /// Make one arm of those along which a man comes as far.
    Join,
    /// Find what later choices offer when a turn begins, where nothing in between changes it.
    Early,
    /// Part options that complete a row from others.
    Part,
    /// Find bounds of the runs behind each option, so that runs are drawn by number.
    Bound,
    /// Ask conditions behind moves only where the move may change them.
    Spare,
    /// Do what is alike along several directions at once.
    Fan,
    /// Do not count cells where there is never more than one.
    Single,
    // Of the code for one game at a time.
    /// Compute nothing before it is wanted, nor what nobody reads.
    Polish,
    /// Come sooner to jumps, by operations that are several.
    Hasten,
    /// Ask by cell what stands near a lone man.
    Near,
}

/// Which rewrites rules go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSet(u32);

// A bit each.
const _: () = assert!(Pass::EACH.len() <= 32);

impl PassSet {
    pub const ALL: PassSet = PassSet(u32::MAX);

    /// All of these but one.
    pub const fn without(self, rewrite: Pass) -> PassSet {
        PassSet(self.0 & !(1 << rewrite as u32))
    }

    pub const fn has(self, rewrite: Pass) -> bool {
        self.0 >> rewrite as u32 & 1 == 1
    }

    /// Rewrites a plan.
    pub fn apply(self, plan: &mut Plan) {
        let sweeps = self.has(Pass::Sweep);
        if sweeps {
            sweep(plan);
        }
        let mut fresh = plan.fresh();
        if self.has(Pass::Groups) && fresh.has_room() && groups(plan, &mut fresh) && sweeps {
            sweep(plan);
        }
        if self.has(Pass::Join) && fresh.has_room() && join(plan, &mut fresh) && sweeps {
            sweep(plan);
        }
        if self.has(Pass::Early) && fresh.has_room() && early(plan, &mut fresh) && sweeps {
            sweep(plan);
        }
        if self.has(Pass::Part) && fresh.has_room() {
            part(plan, &mut fresh);
        }
        if self.has(Pass::Bound) {
            if fresh.has_room() {
                widen(plan, &mut fresh);
            }
            bound(plan);
            if fresh.has_room() {
                cap(plan, &mut fresh);
            }
        }
        // Runs that are only counted have no value to compare.
        if self.has(Pass::Spare) && plan.argmax.is_none() && fresh.has_room() {
            spare(plan, &mut fresh);
            if sweeps && !self.has(Pass::Fan) {
                sweep(plan);
            }
        }
        if self.has(Pass::Fan) && fresh.has_room() {
            fan(plan, &mut fresh);
            // Unions of whole rows leave parts behind that nobody reads.
            if sweeps {
                sweep(plan);
            }
        }
        if self.has(Pass::Single) {
            single(plan);
        }
        if !self.has(Pass::Near) {
            plan.layout.lone.clear();
        }
    }
}
