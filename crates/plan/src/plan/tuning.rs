//! Tuned constants of the planner: each is named by its unit and its effect.
//!
//! Those of lowering and passes decide which plan a game gets, and so which random words a draw
//! consumes: other numbers may give other games for a seed. The turns and their probabilities stay the
//! same. They were chosen by trial on the shipped games; where no figure stands beside a number, none
//! was recorded.

// Lowering.

/// Statements, operands of defines and operations that lowering may go through. The largest plan of
/// a shipped game takes far fewer; a clock would give a game a plan on some machines only.
pub const MAX_LOWERING_STEPS: usize = 60_000;

/// Cells that are picked together, above which they are chosen one by one: of 1,024 cells there are more combinations of eight
/// than a word has numbers for.
pub const MAX_CELLS_UNRANKED: u32 = 7;

/// Directions that may be picked, above which what stands behind the pick is lowered once for all of them.
pub const MAX_DIRS_SPECIALIZED: usize = 8;

/// Steps of lowering that branches for each picked direction may take together.
pub const MAX_STEPS_OF_SPECIALIZATION: usize = 20_000;

/// The same as per cent of the steps without branches. Of 15 games those below 200 per cent are up to five times as fast by
/// branches. Those at 228 and 248 are a tenth slower in lock step, where lanes diverge.
pub const MAX_GROWTH_OF_SPECIALIZATION: usize = 200;

/// Defines within each other, above which one is taken to call itself.
pub const MAX_DEPTH_OF_CALLS: usize = 40;

/// Branches that are folded for tables of defines in all, for each cell those of the define. Ludo takes a seventh of them.
pub const MAX_BRANCHES_FOLDED: usize = 100_000;

/// Branches of a define, below which it is worked out and not looked up: a look takes as long as some branches in the scalar
/// executor, and as long as eight or so in lock step, where each lane looks by itself.
pub const MIN_BRANCHES_OF_TABLES: usize = 10;

/// Times that lowering begins anew, as a name was found to stand for several cells or none. Few games need two; a hostile file could
/// ask for as many as it has names.
pub const MAX_RESTARTS_FOR_NAMES: usize = 4;

/// Operations within each other that are looked at to tell that a set has one cell at most.
pub const MAX_MAKERS_LOOKED_AT: u32 = 6;

/// Operations of what a block of an `either` needs first, above which they are left to the block: they are done before each
/// choice then, and not for the block alone.
pub const MAX_OPS_OF_LEADING_NEEDS: usize = 12;

/// Numbers that the board has, below which each is compared by itself: a look at a table takes as long as some comparisons.
pub const MIN_NUMBERS_OF_TABLES: usize = 4;

/// Words of a set, above which no tables of defines are made: each has a set for each cell.
pub const MAX_WORDS_OF_TABLES: usize = 4;

/// Blocks of a plan within each other: passes recurse over them as deep.
pub const MAX_NESTED_BLOCKS: usize = 300;

/// Stack that passes get for this recursion.
pub const PASS_STACK_BYTES: usize = 64 << 20;

/// Registers of either class that the rules of a game may ask for: half of what 16 bits number, so that a pass may add as many. A
/// block of any length that moves any distance on 14 by 12 cells, with a branch for each direction, takes more than 24,000.
pub const MAX_REGISTERS_OF_RULES: u16 = 32_000;

/// Registers of either class, from which on passes that add registers are left out. To let them run up to 36,000 made that game no
/// faster.
pub const MAX_REGISTERS_BEFORE_PASSES_STOP: u16 = 16_000;

/// Operations of a branch that are executed in any case rather than jumped over: a branch that may
/// be mispredicted costs more, and lanes need not diverge.
pub const MAX_OPS_WITHOUT_BRANCH: usize = 6;

/// Written choices at the beginning of two branches that are compared to tell them apart.
pub const MAX_CHOICES_COMPARED: usize = 4;

/// Nodes of a program that are gone through to tell branches apart; past it they count as
/// ambiguous.
pub const MAX_NODES_FOR_AMBIGUITY: u32 = 400_000;

/// Nodes of a continuation that are gone through to tell that it can be completed; past it the game has no plan.
pub const MAX_NODES_FOR_COMPLETION: u32 = 100_000;

/// Operations back from a set, in which a simpler form of a new set is looked for. The search
/// branches at each.
pub const MAX_FOLDED_OPERANDS_DEPTH: u32 = 4;

/// Rows of a board times words of a set, up to which each row is asked for by itself instead of all
/// by shifts.
pub const MAX_ROW_WORDS_UNROLLED: usize = 64;

/// Directions times lengths of rows, up to which they are planned where more is asked than which cells they have: each has
/// some operations of its own.
pub const MAX_ROW_CLASSES: usize = 96;

/// Cells of a way that must be there, above which two ways count as overlapping; comparing all
/// would take as long for each pair.
pub const MAX_PATH_CELLS: i64 = 64;

/// Operations back from a set, in which a single cell that it comes from is looked for.
pub const MAX_ORIGIN_DEPTH: u32 = 4;

// Layout.

/// Dimensions of the space in which points of a graph are placed: each more multiplies the bits.
/// Three concentric squares take three.
pub const MAX_EMBEDDING_DIMENSIONS: usize = 4;

/// Placements of lines that are tried for each number of dimensions.
pub const MAX_EMBEDDINGS_TRIED: u32 = 2_000;

/// Words of a table of the cells on all rays, above which targets have no table, in words of 8
/// bytes: it is to stay in a second-level cache.
pub const MAX_RAY_TARGET_TABLE_WORDS: usize = 1 << 15;

// Passes and analyses.

/// Different products in a bound; bounds with more are joined to coarser ones, which reject more
/// draws. Each product costs popcounts at the choice.
pub const MAX_TERMS_PER_BOUND: usize = 4;

/// Nodes that the analysis of bounds goes through in one program, and as many more as there are
/// sets to look at in each, by 64. Past it nothing is known.
pub const MAX_NODES_FOR_BOUNDS: u32 = 400_000;

/// Iterations until bounds stand. Past them nothing is known.
pub const MAX_BOUND_ITERATIONS: usize = 4;

/// Directions, from which on like operations are packed: with two, moving operands into
/// neighbouring registers costs as much as is saved.
pub const MIN_SLOTS: usize = 3;

/// Masked shifts of one direction in a vector: with more, a vector has more operations than it
/// packs.
pub const MAX_NEIGHBOR_SHIFTS: usize = 2;

/// Operations between a flood and the question about it.
pub const MAX_CHAIN_OPS: usize = 8;

/// Definitions back from a set, in which it is proved to be part of another.
pub const MAX_SUBSET_DEPTH: usize = 4;

/// Chains of operations that are followed in one plan.
pub const MAX_TRACES_PER_PLAN: u32 = 20_000;

/// Arms of a choice that is split: each split doubles the code behind it.
pub const MAX_SPLIT_ARMS: usize = 32;

/// Runs behind a man of some kind, from which on men are chosen kind by kind. With fewer, drawing again costs less than the
/// sets of all kinds.
pub const MIN_RUNS_TO_SPLIT_KINDS: u64 = 16;

/// Registers of either class that hold what a choice offers, above which it is made in two steps: half of those that a program has.
/// So many and more have no room beside what else is wanted at the choice.
pub const MAX_OFFERS_OF_CHOICE: usize = 128;

/// Arms of each choice that such a choice is made of.
pub const MAX_ARMS_OF_NARROW_CHOICE: usize = 64;

/// Registers that a hoisted set may be computed from.
pub const MAX_REGS_PER_SET: u32 = 32;

/// The same where branches alone are chosen before: else a number is drawn for each cell of the board, mostly in vain.
pub const MAX_REGS_PER_SET_OF_A_BRANCH: u32 = 256;

/// Accesses to registers that are looked at in one program; past it nothing more is hoisted.
pub const MAX_ACCESSES_PER_PROGRAM: u32 = 10_000;

// Code generation.

/// Operations that are cloned for one arm, so that its code goes past a branch. Code grows with
/// each arm.
pub const MAX_OPS_CLONED_PER_ARM: usize = 64;

/// Operations of a block that are executed in any case rather than jumped over.
pub const MAX_OPS_WITHOUT_JUMP: usize = 3;

/// Operations on an empty operand that are executed rather than jumped over; one that takes cells
/// out of a set counts nothing.
pub const MAX_OPS_NOT_SKIPPED: usize = 2;

/// Rounds of the peephole pass: each removes what the one before left idle.
pub const MAX_PEEPHOLE_ROUNDS: usize = 8;

/// Operations that are cloned in place of a jump to them.
pub const MAX_OPS_CLONED_FOR_JUMP: usize = 6;

/// Rounds of code sinking: each parts a condition that was asked as a whole.
pub const MAX_SINK_ROUNDS: usize = 4;

/// Rounds of fusion; a long union takes one for each of its parts.
pub const MAX_FUSE_ROUNDS: usize = 40;

/// Weighted operations that a filter may save, from which on one is made.
pub const MIN_OPS_SAVED_BY_FILTER: usize = 6;

/// Tables of filters of a game. Each has a set for each cell of the board.
pub const MAX_FILTER_TABLES: usize = 64;

/// Words of a set, up to which filters are made.
pub const MAX_FILTER_WORDS: usize = 6;

/// Operations back from a question, in which the unique piece it depends on is looked for.
pub const MAX_OPS_TO_UNIQUE_PIECE: usize = 256;

/// Unique pieces that are tried for each question, the last found first.
pub const MAX_UNIQUE_PIECES_TRIED: usize = 4;

/// Continuations of one place within rounds, at most: each carries something else. Rounds mostly agree from the second on.
pub const MAX_JOINS_OF_A_PLACE: usize = 8;
