//! Target versions: the width of a game's sets goes in; the width that this processor plays it by
//! comes out.
//!
//! Hot functions are compiled once for processors with BMI2 and AVX2, and once for any other. The
//! others among x86-64 processors date from before 2013, or are the smallest of later years. For these
//! only the widest sets have code, so all games are played by them, slower; and only in a build that
//! has it, see `build.rs`. Code of every width for them took a fifth of the processor time of a
//! release build.

use multiversion::multiversion;
use multiversion::target::match_target;

/// Words of the widest sets.
pub const WIDEST: usize = 16;

/// Words of the sets by which a game is played whose cells need so many; `None` if this build has no
/// code for this processor.
pub fn width(words: usize) -> Option<usize> {
    [words, WIDEST].into_iter().find(|words| has_code(*words, has_bmi2()))
}

/// States that this version of a function is meant for sets of `W` words; the compiler drops what
/// stands behind it in versions that are not.
#[inline(always)]
pub fn assert_has_code<const W: usize>(has_bmi2: bool) {
    assert!(has_code(W, has_bmi2), "without BMI2 only the widest sets have code, if any");
}

#[inline(always)]
fn has_code(words: usize, has_bmi2: bool) -> bool {
    has_bmi2 || !cfg!(target_arch = "x86_64") || (words == WIDEST && cfg!(lusoria_baseline))
}

#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn has_bmi2() -> bool {
    match_target! { "x86_64+bmi2" => true, _ => false }
}
