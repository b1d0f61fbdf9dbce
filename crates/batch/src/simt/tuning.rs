//! Tuned constants of the batch executor: each is named by its unit and its effect.
//!
//! [`DEFAULT_LANES`] and all others change the speed alone: each lane draws what the scalar executor
//! draws. They were chosen by trial on the shipped games; where no figure stands beside a number,
//! none was recorded.

/// Lanes of a batch unless its caller says otherwise: one warp. It is the same on every machine.
/// Fewer leave vectors empty where lanes diverge, and more do not stay in the first-level cache.
pub const DEFAULT_LANES: usize = 64;

/// Percent of the lanes of the vectors of a round that go on together, below which games are played one after the
/// other. Of 82 games two were below, and no faster in lock step; of the others most are faster, and the shipped
/// ones have 90 or more. The part of a whole warp was measured before. But a game for eight in which chance
/// chooses twice has 30 percent of that, in vectors that are full, and is twice as fast in lock step.
pub const MIN_UTILIZATION: u64 = 48;

/// Rounds before utilization is looked at: some turns of each game. In a race for four many wait for a six at first.
pub const MIN_ROUNDS_OF_UTILIZATION: u64 = 512;

/// Windows of games, one of each lane, that are timed in lock step before as many games are played one after the other:
/// the least number whose median one slow window does not change.
pub const WINDOWS_OF_GAMES: usize = 3;

/// Lock step is left where it takes so many times as long: a tenth more may be noise.
pub const MIN_GAIN_OF_SCALAR: f64 = 1.1;

/// Branches of turns before their first choice, whose outcome is kept by lane. Sorting goes through
/// two to the power of this many classes of lanes.
pub const MAX_FORKS_TRACKED: usize = 6;

/// Turns of a warp between two sortings of its lanes: phases of games last longer than this, and
/// an exchange of two lanes copies all their registers.
pub const MIN_TURNS_BETWEEN_SORTS: u32 = 16;

/// Vectors with lanes of both branches, summed over all forks, from which on lanes are sorted.
pub const MIN_MIXED_VECTORS_TO_SORT: u32 = 4;

/// Options of an arm that are counted in lock step. It bounds products of counts; a lane with more
/// falls back to the scalar executor.
pub const MAX_OPTIONS_PER_ARM: u64 = 1 << 20;

/// Arms of a choice whose ray targets are drawn in lock step: two vectors, an arm in each lane.
pub const MAX_RAY_TARGET_ARMS: usize = 16;

/// Rejected draws of a turn, after which it falls back to the scalar executor. That one gives up
/// later, at [`MAX_REJECTED_DRAWS`](crate::interp::tuning::MAX_REJECTED_DRAWS): a lane that draws on
/// alone holds up all others.
pub const MAX_REJECTED_DRAWS_IN_LOCK_STEP: u64 = 64;

/// Lanes with a rejected draw, from which on they draw again at once. Fewer wait for the next turn
/// of their player, as drawing again costs the same for one lane as for all.
pub const MIN_LANES_TO_RETRY: u32 = 6;

/// First choices of a turn that lanes can go back to: what was read before each is copied.
pub const MAX_RETRY_POINTS_PER_TURN: usize = 8;

/// A choice is no longer saved for retries if fewer than one of so many copies was used.
pub const MAX_SAVES_PER_RETRY: u32 = 8;

/// A choice that is no longer saved is saved once in so many times, as games have phases.
pub const CHOICES_BETWEEN_RETRY_PROBES: u32 = 32;

/// Copies after which counts of copies and retries are halved, so that what was long ago counts
/// less.
pub const SAVES_REMEMBERED: u32 = 256;

/// Draws that early rejection repeats at once: what follows costs the same for few lanes as for
/// many.
pub const MAX_EARLY_REJECTED_DRAWS: u32 = 8;

/// Cells of a row, up to which all rows with one distance are found by shifts of the whole set;
/// longer rows are compared one by one.
pub const MAX_ROW_CELLS_SHIFTED: usize = 6;

/// Steps of a ray query that is answered from a window: a byte of bits for each direction and step
/// is kept in registers.
pub const MAX_WINDOW_STEPS: usize = 6;

/// Draws of packed lanes, after which those that go on are packed anew.
pub const DRAWS_BETWEEN_COMPACTIONS: usize = 4;

/// Windows of a game that are kept for later operations; each takes four vectors.
pub const MAX_WINDOWS_KEPT: usize = 8;
