//! State of the sampler: the generator, the rank that is left, and what was counted at the choice.

// Loops by index: what is handed to an iterator is not always compiled for the processor at hand.
#![allow(clippy::needless_range_loop)]

use std::hint::select_unpredictable;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::interp::sample::unrank_rays::LINES;
use crate::interp::tuning::MAX_REJECTED_DRAWS;
use crate::plan::ChoicePoint;

/// What draws one of the complete runs.
#[derive(Debug)]
pub struct Sampler {
    pub rng: Xoshiro256PlusPlus,
    /// Where each option of a choice completes the run, the run draws one and goes on with it.
    pub active: bool,
    /// At choices the run goes on with the option that its rank selects.
    pub unranking: bool,
    /// What is left of the rank.
    pub rank: u64,
    pub tries: Tries,
    /// The choice whose runs are drawn by rank, until the run has met it.
    pub bounded_choice: u32,
    pub bounds: OptionRanks,
    /// How many runs there were to draw from.
    pub turn_count: Option<TurnCount>,
    /// Where draws by rank are measured: of each the program, the ranks and the runs, as [`DrawCost`] has them.
    ///
    /// [`DrawCost`]: crate::interp::session::DrawCost
    pub measured: Option<Vec<(u32, u64, u64)>>,
    /// The cell that an operation drew last, or any other: a guess, where one cell is looked for.
    pub last_cell: usize,
}

impl Sampler {
    pub fn new(rng: Xoshiro256PlusPlus, points: &[ChoicePoint]) -> Sampler {
        Sampler {
            rng,
            active: false,
            unranking: false,
            rank: 0,
            tries: Tries::default(),
            bounded_choice: u32::MAX,
            bounds: OptionRanks::new(points),
            turn_count: None,
            measured: None,
            last_cell: 0,
        }
    }
}

/// Ranks that are drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tries {
    /// The choice behind which the runs are.
    pub point: u32,
    /// Ranks are below this.
    pub bound: u64,
    /// Ranks below this are of runs that were enumerated.
    pub enumerated: u64,
    /// So many more are drawn.
    pub left: u64,
}

/// How many complete runs there are, or a number whose mean over all draws is that: so many as were
/// offered to a draw if it hit a run at once, and 0 if it did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnCount {
    pub count: u64,
    pub estimated: bool,
}

impl TurnCount {
    /// A run without choices is the only one.
    pub const ONE: TurnCount = TurnCount { count: 1, estimated: false };
}

impl Tries {
    /// Nothing was drawn yet of what is below the bound.
    pub fn new(point: u32, bound: u64, enumerated: u64) -> Tries {
        Tries { point, bound, enumerated, left: Tries::most(bound) }
    }

    fn most(bound: u64) -> u64 {
        MAX_REJECTED_DRAWS.min(bound.saturating_mul(2))
    }

    /// How many ranks were drawn, and how many runs there are by that; `None`: all were drawn in vain.
    pub fn cost(&self) -> (u64, Option<u64>) {
        let ranks = Tries::most(self.bound) - self.left;
        (ranks, (self.left > 0).then(|| self.bound / ranks.max(1)))
    }
}

impl std::ops::AddAssign for TurnCount {
    #[inline]
    fn add_assign(&mut self, other: TurnCount) {
        self.count = self.count.saturating_add(other.count);
        self.estimated = self.estimated || other.estimated;
    }
}

/// Arms that are compared together.
pub const LANES: usize = 8;

/// What was counted at the choice whose runs are drawn by number.
#[derive(Debug)]
pub struct OptionRanks {
    /// By class of its arms: at most how many runs there are behind these and those before, and
    /// behind each option.
    pub runs: Vec<(u64, u64)>,
    /// By arm, whole eights and one more: how many options those before it have; behind the last
    /// one the greatest number. Numbers with a sign: processors compare eight of these sooner.
    pub before: Vec<i64>,
    /// By line, where the cells that lines come to are counted: those of the lines up to this one.
    pub lines: [u64; LINES],
    /// Such cells are counted.
    pub counted: bool,
}

impl OptionRanks {
    pub fn new(points: &[ChoicePoint]) -> OptionRanks {
        let most = |of: fn(&ChoicePoint) -> usize| points.iter().map(of).max().unwrap_or(0);
        let (arms, classes) = (most(|point| point.arms.len()), most(|point| point.classes.len()));
        OptionRanks {
            runs: vec![(0, 0); classes],
            before: vec![0; arms.next_multiple_of(LANES) + 1],
            lines: [0; LINES],
            counted: false,
        }
    }

    /// How many options the arms before one have.
    #[inline(always)]
    pub fn before(&self, arm: usize) -> u64 {
        self.before[arm] as u64
    }

    /// The arm that has an option, of few that were noted just now, one by one: a processor would
    /// wait to load them together.
    #[inline(always)]
    pub fn arm_of_few(&self, option: u64, arms: usize) -> usize {
        let (mut arm, before) = (0, &self.before[..=arms]);
        for at in 1..before.len() {
            arm = select_unpredictable(before[at] <= option as i64, at, arm);
        }
        arm
    }

    /// The arm that has an option, of so many.
    #[inline(always)]
    pub fn arm_of(&self, option: u64, arms: usize) -> usize {
        // Which one it is cannot be foreseen: no jump for each.
        let mut arm = 0;
        for eight in (0..arms).step_by(LANES) {
            let Some(&some) = self.before[eight + 1..].first_chunk::<LANES>() else { break };
            for upto in some {
                arm += usize::from(upto <= option as i64);
            }
        }
        arm
    }
}
