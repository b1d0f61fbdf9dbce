//! Rank range: a choice goes in; whether all ranks that may be drawn at it fit the arithmetic of
//! lanes comes out.

use crate::board::MAX_CELLS;
use crate::plan::{ArmClass, ArmTarget, ChoicePoint, Options};
use crate::simd::FRACTION;
use crate::simt::tuning::MAX_OPTIONS_PER_ARM;

/// All runs of a choice together are fewer than [`FRACTION`], as they are divided and compared:
/// options of all arms, each with the most that may stand behind it, whatever the sets.
pub fn fits(point: &ChoicePoint) -> bool {
    let options = |arm: &ArmTarget| match arm.options {
        Options::Cells { .. } => MAX_CELLS as u64,
        Options::One { .. } => 1,
        Options::Bits { .. } => u64::from(u64::BITS),
        Options::Range { .. } | Options::Combinations { .. } | Options::Groups { .. } => MAX_OPTIONS_PER_ARM,
    };
    let runs = |class: &ArmClass| {
        let sum: u64 = point.arms[class.from..class.to].iter().map(options).sum();
        sum.checked_mul(class.most()?)
    };
    let all = point.classes.iter().try_fold(0u64, |all, class| all.checked_add(runs(class)?));
    all.is_some_and(|all| all < FRACTION)
}

#[cfg(test)]
mod tests {
    use crate::plan::{CountBound, SetReg, Size};
    use crate::simt::analysis::rank_range::*;

    /// A choice of so many cells, and runs behind each: a number, and another one multiplied by
    /// sizes.
    fn point(arms: usize, known: u64, (times, sizes): (u64, usize)) -> ChoicePoint {
        let arm = || ArmTarget {
            options: Options::Cells { of: SetReg(0), cell: SetReg(1) },
            entry: 0,
            class: 0,
            branch_facts: Vec::new(),
        };
        let sized = vec![(times, vec![Size::Cells(SetReg(2)); sizes])];
        let class = ArmClass { from: 0, to: arms, bound: CountBound::default(), unbounded: false, known, sized };
        ChoicePoint { arms: (0..arms).map(|_| arm()).collect(), classes: vec![class], ..ChoicePoint::default() }
    }

    #[test]
    fn runs_of_all_arms_together_fit_what_is_divided() {
        // 2^10 cells an arm, and sizes of as much.
        assert!(fits(&point(36, 1, (1, 2))));
        assert!(fits(&point(1, 0, ((1 << 22) - 1, 2))));
        assert!(!fits(&point(1, 0, (1 << 22, 2))));
        assert!(fits(&point(2, 0, ((1 << 21) - 1, 2))));
        assert!(!fits(&point(2, 0, (1 << 21, 2))));
        assert!(!fits(&point(1, 1 << 42, (0, 0))));
        // More than a word has room for.
        assert!(!fits(&point(1, 1, (1, 7))));
        assert!(!fits(&point(1, u64::MAX, (1, 0))));
    }
}
