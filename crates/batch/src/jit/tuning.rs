//! Tuned constants of the JIT compiler: each is named by its unit and its effect.
//!
//! They change the speed alone, and how much memory is set aside for values. They were chosen by
//! trial on the shipped games; where no figure stands beside a number, none was recorded.

/// Light operations that are executed for no lane rather than jumped over: a branch that may be
/// mispredicted costs more.
pub const MAX_LIGHT_OPS_WITHOUT_BRANCH: usize = 3;

/// Arms of a choice that is compiled. Its code grows with each, and counts of all stay in memory.
pub const MAX_ARMS_PER_CHOICE: usize = 40;

/// Classes of arms, each with a bound of its own, of a choice that is compiled.
pub const MAX_CLASSES_PER_CHOICE: usize = 8;

/// Compiled choices within one another: the arm and the cell of each are kept until it ends.
pub const MAX_NESTED_CHOICES: usize = 4;

/// Groups up to which a set's groups are counted by compiled code, which has a flood for each but the last. Whether a set
/// is one group takes two.
pub const MAX_GROUPS_UNROLLED: u16 = 4;
