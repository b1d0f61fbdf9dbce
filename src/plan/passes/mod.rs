//! Pass manager: a plan and a set of passes go in; the plan comes out as these passes leave it.
//! Each pass can be left out.

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
use crate::plan::passes::dce::eliminate_dead_code;
use crate::plan::passes::early_reject::insert_early_rejects;
use crate::plan::passes::elide_checks::elide_checks;
use crate::plan::passes::hoist_choices::hoist_choices;
use crate::plan::passes::hoist_superset::hoist_supersets;
use crate::plan::passes::merge_arms::merge_arms;
use crate::plan::passes::reachability::use_reachability_queries;
use crate::plan::passes::split_arms::split_arms;
use crate::plan::passes::vectorize::vectorize;
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
    ValueNumbering,
    /// Ask conditions on a cell of all cells at once.
    VectorizePredicate,
    /// Ask conditions on a cell that the board alone answers beforehand.
    FoldPredicate,
    /// Choose a man together with where he goes.
    MergeLandings,
    /// Choose the man of a chain together with its first move.
    PeelLoop,
    /// Make one choice of those that alternatives begin with, and a condition of `first` where it
    /// is known which block has a turn.
    MergeChoices,
    /// Take the words of a move for empty until something has moved.
    Still,
    /// Tell ways apart along which no man comes to the same cell.
    PathOverlap,
    /// Ask conditions on groups of all groups at once.
    GroupPredicate,
    /// Count groups no further than is asked.
    BoundedGroupCount,
    /// Ask for each row of a board that has few.
    UnrollLines,
    /// Look from single cells along all directions at once.
    RayQuery,
    // Of the plan.
    /// Drop what is computed in vain.
    DeadCode,
    /// Ask whether groups come to cells without finding them whole, and go on from what floods came
    /// to last.
    Reachability,
    /// Make one arm of those along which a man comes as far.
    MergeArms,
    /// Find what later choices offer when a turn begins, where nothing in between changes it.
    HoistChoices,
    /// Part options that complete a row from others.
    SplitArms,
    /// Find bounds of the runs behind each option, so that runs are drawn by number.
    CountBound,
    /// Ask conditions behind moves only where the move may change them.
    ElideChecks,
    /// Do what is alike along several directions at once.
    Vectorize,
    /// Do not count cells where there is never more than one.
    Singleton,
    // Of the code for one game at a time.
    /// Compute nothing before it is wanted, nor what nobody reads.
    Peephole,
    /// Come sooner to jumps, by operations that are several.
    Fuse,
    /// Ask by cell what stands near a lone man.
    AttackFilter,
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
        let sweeps = self.has(Pass::DeadCode);
        if sweeps {
            eliminate_dead_code(plan);
        }
        let mut fresh = plan.fresh();
        if self.has(Pass::Reachability) && fresh.has_room() && use_reachability_queries(plan, &mut fresh) && sweeps {
            eliminate_dead_code(plan);
        }
        if self.has(Pass::MergeArms) && fresh.has_room() && merge_arms(plan, &mut fresh) && sweeps {
            eliminate_dead_code(plan);
        }
        if self.has(Pass::HoistChoices) && fresh.has_room() && hoist_choices(plan, &mut fresh) && sweeps {
            eliminate_dead_code(plan);
        }
        if self.has(Pass::SplitArms) && fresh.has_room() {
            split_arms(plan, &mut fresh);
        }
        if self.has(Pass::CountBound) {
            if fresh.has_room() {
                hoist_supersets(plan, &mut fresh);
            }
            bound(plan);
            if fresh.has_room() {
                insert_early_rejects(plan, &mut fresh);
            }
        }
        // Runs that are only counted have no value to compare.
        if self.has(Pass::ElideChecks) && plan.argmax.is_none() && fresh.has_room() {
            elide_checks(plan, &mut fresh);
            if sweeps && !self.has(Pass::Vectorize) {
                eliminate_dead_code(plan);
            }
        }
        if self.has(Pass::Vectorize) && fresh.has_room() {
            vectorize(plan, &mut fresh);
            // Unions of whole rows leave parts behind that nobody reads.
            if sweeps {
                eliminate_dead_code(plan);
            }
        }
        if self.has(Pass::Singleton) {
            single(plan);
        }
        if !self.has(Pass::AttackFilter) {
            plan.layout.lone.clear();
        }
    }
}
