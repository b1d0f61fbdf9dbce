//! Pass manager: a plan and a set of passes go in; the plan comes out as these passes leave it.
//! Each pass can be left out.

pub mod dce;
pub mod early_reject;
pub mod elide_checks;
pub mod hoist_choices;
pub mod hoist_superset;
pub mod merge_arms;
pub mod narrow_choices;
pub mod reachability;
pub mod redundant_checks;
pub mod split_arms;
pub mod split_kinds;
pub mod vectorize;

use crate::plan::analysis::count_bound::bound;
use crate::plan::analysis::singleton::single;
use crate::plan::passes::dce::eliminate_dead_code;
use crate::plan::passes::early_reject::insert_early_rejects;
use crate::plan::passes::elide_checks::elide_checks;
use crate::plan::passes::hoist_choices::hoist_choices;
use crate::plan::passes::hoist_superset::hoist_supersets;
use crate::plan::passes::merge_arms::merge_arms;
use crate::plan::passes::narrow_choices::narrow_choices;
use crate::plan::passes::reachability::use_reachability_queries;
use crate::plan::passes::redundant_checks::eliminate_redundant_checks;
use crate::plan::passes::split_arms::split_arms;
use crate::plan::passes::split_kinds::split_kinds;
use crate::plan::passes::vectorize::vectorize;
use crate::plan::tree::Plan;
use crate::plan::verify::debug_verify_plan;
use crate::plan::vregs::VirtualRegs;

/// A pass over the trees of a plan.
pub struct TreePass {
    pub name: &'static str,
    /// It is left out with this one.
    switch: Pass,
    /// It adds registers, and is left out where there is no room for more.
    adds_regs: bool,
    /// Changes a plan; whether it did.
    pub run: fn(&mut Plan, &mut VirtualRegs) -> bool,
}

/// The passes in their order. Behind each that changes the plan, dead code goes.
///
/// `hoist_superset` needs the arms of `split_arms`, and `count_bound` uses up what both of them tell
/// it of arms. `split_kinds` tries these bounds on a copy, and `early_reject` asks them. `vectorize`
/// comes behind all that look for single sets.
pub const TREE_PASSES: [TreePass; 14] = [
    TreePass { name: "dce", switch: Pass::DeadCode, adds_regs: false, run: |plan, _| eliminate_dead_code(plan) },
    TreePass {
        name: "redundant_checks",
        switch: Pass::RedundantChecks,
        adds_regs: false,
        run: |plan, _| eliminate_redundant_checks(plan),
    },
    TreePass { name: "reachability", switch: Pass::Reachability, adds_regs: true, run: use_reachability_queries },
    TreePass { name: "merge_arms", switch: Pass::MergeArms, adds_regs: true, run: merge_arms },
    TreePass { name: "hoist_choices", switch: Pass::HoistChoices, adds_regs: true, run: hoist_choices },
    TreePass { name: "split_arms", switch: Pass::SplitArms, adds_regs: true, run: split_arms },
    TreePass { name: "hoist_superset", switch: Pass::CountBound, adds_regs: true, run: hoist_supersets },
    TreePass { name: "narrow_choices", switch: Pass::NarrowChoices, adds_regs: true, run: narrow_choices },
    TreePass { name: "split_kinds", switch: Pass::SplitKinds, adds_regs: true, run: split_kinds },
    TreePass { name: "count_bound", switch: Pass::CountBound, adds_regs: false, run: |plan, _| bound(plan) },
    TreePass { name: "early_reject", switch: Pass::CountBound, adds_regs: true, run: insert_early_rejects },
    TreePass { name: "elide_checks", switch: Pass::ElideChecks, adds_regs: true, run: elide_checks },
    TreePass { name: "vectorize", switch: Pass::Vectorize, adds_regs: true, run: vectorize },
    TreePass { name: "singleton", switch: Pass::Singleton, adds_regs: false, run: |plan, _| single(plan) },
];

macro_rules! passes {
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

passes! {
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
    /// Do not check again what is known to hold.
    RedundantChecks,
    /// Ask whether groups come to cells without finding them whole, and go on from what floods came
    /// to last.
    Reachability,
    /// Make one arm of those along which a man comes as far.
    MergeArms,
    /// Find what later choices offer when a turn begins, where nothing in between changes it.
    HoistChoices,
    /// Part options that complete a row from others.
    SplitArms,
    /// Part a choice whose offers take more registers than there are.
    NarrowChoices,
    /// Part men of one kind from those of others, where more runs stand behind some kinds.
    SplitKinds,
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

/// Which passes are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassSet(u32);

// A bit each.
const _: () = assert!(Pass::EACH.len() <= 32);

impl PassSet {
    pub const ALL: PassSet = PassSet(u32::MAX);

    /// All of these but one.
    pub const fn without(self, pass: Pass) -> PassSet {
        PassSet(self.0 & !(1 << pass as u32))
    }

    pub const fn has(self, pass: Pass) -> bool {
        self.0 >> pass as u32 & 1 == 1
    }

    /// Takes a plan through all passes of the set.
    pub fn apply(self, plan: &mut Plan) {
        let mut fresh = None;
        for pass in TREE_PASSES.iter().filter(|pass| self.has(pass.switch)) {
            let mut none = VirtualRegs::default();
            let fresh = if pass.adds_regs { fresh.get_or_insert_with(|| plan.fresh()) } else { &mut none };
            if !fresh.has_room() {
                continue;
            }
            if (pass.run)(plan, fresh) {
                debug_verify_plan(plan, pass.name);
                if self.has(Pass::DeadCode) && eliminate_dead_code(plan) {
                    debug_verify_plan(plan, "dce");
                }
            }
        }
        if !self.has(Pass::AttackFilter) {
            plan.layout.lone.clear();
        }
    }
}
