//! Target versions: the width of a game's sets goes in; the width that this processor plays it by
//! comes out.
//!
//! Hot functions are compiled once for processors that select and count bits in one instruction,
//! and once for any other. Of the others, x86-64 processors from before 2013, only the widest sets
//! have code: all games are played by these, slower. Code of each width for them took an eighth of
//! the time that the library takes to build, and a tenth of the program.

use multiversion::multiversion;
use multiversion::target::match_target;

/// Words of the widest sets.
pub(crate) const WIDEST: usize = 16;

/// Words of the sets by which a game is played whose cells need so many.
pub(crate) fn width(words: usize) -> usize {
    if has_code(words, selects_bits()) { words } else { WIDEST }
}

/// States that this version of a function is meant for sets of `W` words; the compiler drops what
/// stands behind it in versions that are not.
#[inline(always)]
pub(crate) fn assert_has_code<const W: usize>(selects_bits: bool) {
    assert!(has_code(W, selects_bits), "sets are wide where the processor selects no bits");
}

#[inline(always)]
fn has_code(words: usize, selects_bits: bool) -> bool {
    selects_bits || words == WIDEST || !cfg!(target_arch = "x86_64")
}

#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn selects_bits() -> bool {
    match_target! { "x86_64+bmi2" => true, _ => false }
}
