//! Tuned constants of the scalar executor: each is named by its unit and its effect.
//!
//! [`MAX_REJECTED_DRAWS`] and [`MAX_COUNTED_OPTIONS`] decide which random words a draw consumes: other
//! numbers give other games for a seed. All others change the speed alone. They were chosen by trial
//! on the shipped games; where no figure stands beside a number, none was recorded.

/// Arms of a choice, up to which all are compared without a branch to find the one that an index
/// falls to. Which arm it is cannot be predicted, so a misprediction costs more than a few compares.
pub const MAX_ARMS_SCANNED_WITHOUT_BRANCH: usize = 12;

/// Arms of a choice, up to which a rank's arm is found one by one rather than eight at a time: the
/// counts were stored just now, and a vector load of them would wait for these stores.
pub const MAX_ARMS_SCANNED_SINGLY: usize = 16;

/// Ranks without a run that are drawn at one choice before its runs are enumerated instead. It
/// bounds the time that is lost where few ranks have a run; draws are uniform either way. A choice
/// with fewer than 100 ranks gives up after twice as many draws as it has ranks.
pub const MAX_REJECTED_DRAWS: u64 = 200;

/// Turns that are played to measure bounds: at first, and more where turns are drawn by their rank at all. A turn takes about a
/// microsecond.
pub const TURNS_MEASURED_FIRST: u32 = 8;
pub const TURNS_MEASURED: u32 = 40;

/// Steps of work, and ranks, after which no more turns are measured. A run of hostile rules may take milliseconds.
pub const MAX_WORK_TO_MEASURE: u64 = 20_000;
pub const MAX_RANKS_TO_MEASURE: u64 = 600;

/// Bounds of the runs behind an option that are not measured: below this, some options have to be in vain as well.
pub const LEAST_LOOSE_BOUND: u64 = 12;

/// Ranks that are drawn for a turn, above which it may be faster to go through all turns. In lock step a rank takes a fifth
/// as long and less.
pub const MIN_RANKS_OF_LOOSE_BOUND: u64 = 24;

/// Turns that have to be completed for each one that could not be, before plies speculate again that
/// they need not look ahead. A turn that is rolled back costs about as much as to look ahead in two.
pub const TURNS_PER_FAILED_SPECULATION: i64 = 8;

/// Completed turns that are held against later failures, at most.
pub const MAX_SPECULATION_CREDIT: i64 = 32;

/// With fewer options than this the targets on their rays are counted, and every rank is accepted.
/// With more, most rays are long, so that ranks are seldom rejected and counting costs more than
/// drawing again.
pub const MAX_COUNTED_OPTIONS: u64 = 16;

/// Cells that may have lost their component's seed, above which a flood begins anew: each of them
/// costs a search of its own.
pub const MAX_SEARCHES_PER_FLOOD_UPDATE: u32 = 6;

/// Cells, up to which neighbours are united cell by cell from a table instead of by shifts.
pub const MAX_CELLS_LOOKED_UP_SINGLY: u32 = 3;

/// Sliding pieces, up to which their rays are looked up one by one; more are filled together.
pub const MAX_SLIDERS_LOOKED_UP: u32 = 4;

/// Cells of a set of several words, up to which ray fills along many directions go cell by cell.
pub const MAX_RAY_ORIGINS_LOOKED_UP: u32 = 8;

/// Words of a set, up to which sight tables are kept; they grow with the square of the board.
pub const MAX_SIGHT_TABLE_WORDS: usize = 4;

/// Words of a set, up to which ray tables are kept: 384 cells, the largest boards of lock step.
pub const MAX_RAY_TABLE_WORDS: usize = 6;

/// Buckets of the filter before the repetition table. Most hashes that are asked for were never
/// recorded; with this many, a game of some hundred turns leaves most buckets empty.
pub const REPETITION_FILTER_BUCKETS: usize = 4096;

/// Hashes that are forgotten before the filter is made anew. They fill an eighth of its buckets at most, and what is made
/// anew is a hash or two for each one forgotten.
pub const MAX_STALE_HASHES: usize = 256;

/// Turns of a position that are told apart before their table grows: growing hashes all of them again.
pub const TURNS_WITHOUT_REHASH: usize = 100;

/// Options and runs whose paths are kept while turns are compared: half a megabyte. Files with many choices that are not told have
/// millions of runs, and their positions need the memory.
pub const OPTIONS_OF_PATHS: usize = 1 << 16;

/// Perft recurses once a turn: with fewer bytes of stack left, so many more are taken.
pub const PERFT_STACK_RED_ZONE_BYTES: usize = 64 << 10;
pub const PERFT_STACK_SEGMENT_BYTES: usize = 1 << 20;

/// Listing recurses once a choice by chance: with fewer bytes of stack left, so many more are taken.
pub const CHANCE_STACK_RED_ZONE_BYTES: usize = 64 << 10;
pub const CHANCE_STACK_SEGMENT_BYTES: usize = 1 << 20;

/// Steps of work that a choice counts for where the runs of a turn are gone through one by one. A
/// choice on a board of several words takes some microseconds: with 4, the bound on work is met
/// within ten seconds there too.
pub const WORK_OF_AN_EVENT: u64 = 4;

/// Steps of work for each value of a run that is kept until a contest is over. With 8, what is kept stays below a hundred
/// megabytes.
pub const WORK_OF_A_VALUE: u64 = 8;

/// A routine that calls itself is a call of the dispatch loop: with fewer bytes of stack left, so many more are taken.
pub const CALL_STACK_RED_ZONE_BYTES: usize = 1 << 20;
pub const CALL_STACK_SEGMENT_BYTES: usize = 8 << 20;

/// Steps of work for each state that a walk has come to. With 8, those that are kept stay below a hundred megabytes.
pub const WORK_OF_A_STATE: u64 = 8;

/// States for which the table of those that were come to is emptied, not made anew: emptying costs its room.
pub const VISITED_WITHOUT_NEW_ROOM: usize = 1 << 14;
