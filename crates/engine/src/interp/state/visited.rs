//! Visited states: the states that the walks of a search have come to, as hashes; and the loops around each choice.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::interp::state::repetition::{Hash, hash_words};
use crate::interp::tuning::VISITED_WITHOUT_NEW_ROOM;
use crate::plan::{Annotation, ChoicePoint, FusedCode, FusedOp, NumReg};

/// The states that the walks of a search have come to.
#[derive(Debug, Default)]
pub struct VisitedStates {
    states: FxHashSet<Hash>,
    /// So many walks have begun.
    walks: u64,
    /// The words of the state at hand.
    pub words: Vec<u64>,
}

impl VisitedStates {
    /// A walk begins: its number. Where none is under way, what others came to is forgotten.
    #[inline(always)]
    pub fn begin(&mut self, is_outermost: bool) -> u64 {
        self.walks += 1;
        if is_outermost && !self.states.is_empty() {
            self.forget();
        }
        self.walks
    }

    /// Whether no walk has come to the state of these words.
    pub fn add(&mut self) -> bool {
        self.states.insert(hash_words(&self.words))
    }

    #[cold]
    fn forget(&mut self) {
        if self.states.capacity() > VISITED_WITHOUT_NEW_ROOM {
            self.states = FxHashSet::default();
        } else {
            self.states.clear();
        }
    }
}

/// The counters of rounds of the loops around a choice, if it is the last one of a round. All rounds come to that.
pub type LoopCounters = SmallVec<[NumReg; 2]>;

/// Those of each choice, if some rounds are not written.
pub fn counters_around(code: &FusedCode) -> Option<Vec<LoopCounters>> {
    let is_silent = |op: &FusedOp| matches!(op, FusedOp::Annotate { mark: Annotation::Silent });
    if !code.code.iter().any(is_silent) {
        return None;
    }
    let loops: Vec<(std::ops::RangeInclusive<u32>, NumReg)> = (0..)
        .zip(&code.code)
        .filter_map(|(pc, op)| match op {
            FusedOp::LoopBack { counter, to, .. } => Some((*to..=pc, *counter)),
            _ => None,
        })
        .collect();
    let last_of = |body: &std::ops::RangeInclusive<u32>| {
        code.points.iter().map(|point| point.at).filter(|at| body.contains(at)).max()
    };
    let last: FxHashSet<u32> = loops.iter().filter_map(|(body, _)| last_of(body)).collect();
    let around =
        |at: u32| loops.iter().filter(move |(body, _)| body.contains(&at)).map(|(_, counter)| *counter).collect();
    let counters = |point: &ChoicePoint| if last.contains(&point.at) { around(point.at) } else { LoopCounters::new() };
    Some(code.points.iter().map(counters).collect())
}
