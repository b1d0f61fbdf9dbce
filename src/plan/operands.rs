//! An operation goes in; which registers it reads and writes comes out.

use crate::plan::dir_vector::row_size;
use crate::plan::op::Op;
use crate::plan::regs::{Access, SetReg};

/// The registers of an operand.
fn row(first: SetReg, lanes: u8, wide: u8) -> impl Iterator<Item = SetReg> {
    (0..if wide == 0 { 1 } else { u16::from(lanes) }).map(move |lane| SetReg(first.0 + lane))
}

/// The registers of a row that is written: all that it takes, as an executor may write what stands
/// behind the lanes.
fn whole_row(first: SetReg, lanes: u8) -> impl Iterator<Item = SetReg> {
    (0..row_size(usize::from(lanes)) as u16).map(move |lane| SetReg(first.0 + lane))
}

impl Op {
    /// Calls back for each register, uses before definitions.
    pub fn accesses(&self, mut f: impl FnMut(Access)) {
        self.visit_operands(&mut f);
    }

    /// One copy of the visitor in the binary: a generic one was a tenth of all code to compile.
    fn visit_operands(&self, f: &mut dyn FnMut(Access)) {
        use Access::{DefNum, DefSet, Pieces, Position, UseNum, UseSet};
        match *self {
            Op::Copy { d, a } | Op::FullLines { d, a, .. } | Op::LineCompletions { d, a, .. } => {
                [UseSet(a), DefSet(d)].into_iter().for_each(&mut *f)
            }
            Op::And { d, a, b } | Op::Or { d, a, b } | Op::AndNot { d, a, b } | Op::LineBetween { d, a, b, .. } => {
                [UseSet(a), UseSet(b), DefSet(d)].into_iter().for_each(&mut *f)
            }
            Op::RayQuery { d, a, x, y, .. }
            | Op::AndNotBoth { d, of: a, a: x, b: y }
            | Op::Replace { d, a, out: x, into: y } => {
                [UseSet(a), UseSet(x), UseSet(y), DefSet(d)].into_iter().for_each(&mut *f)
            }
            Op::Partition { d, e, a, b } => [UseSet(a), UseSet(b), DefSet(d), DefSet(e)].into_iter().for_each(&mut *f),
            Op::PartitionTwo { d, e, a, f: one, g, c, b } => {
                [UseSet(a), UseSet(c), UseSet(b)].into_iter().for_each(&mut *f);
                [DefSet(d), DefSet(e), DefSet(one), DefSet(g)].into_iter().for_each(&mut *f);
            }
            Op::NonEmptyAndNotBoth { d, of, a, b } => {
                [UseSet(of), UseSet(a), UseSet(b), DefNum(d)].into_iter().for_each(&mut *f)
            }
            Op::KeepIf { d, a, n } | Op::NthCell { d, a, n } => {
                [UseSet(a), UseNum(n), DefSet(d)].into_iter().for_each(&mut *f)
            }
            Op::Select { d, n, a, b } => [UseNum(n), UseSet(a), UseSet(b), DefSet(d)].into_iter().for_each(&mut *f),
            Op::Shift { d, a, .. } | Op::MaskedShift { d, a, .. } | Op::Neighbors { d, a, .. } => {
                [UseSet(a), DefSet(d)].into_iter().for_each(&mut *f)
            }
            Op::NeighborsBy { d, a, dirs } => [UseSet(a), UseNum(dirs), DefSet(d)].into_iter().for_each(&mut *f),
            Op::RayFill { d, a, through, .. } | Op::SlidingReach { d, a, through, .. } => {
                [UseSet(a), UseSet(through), DefSet(d)].into_iter().for_each(&mut *f)
            }
            Op::FirstOnRay { d, a, until, .. } => [UseSet(a), UseSet(until), DefSet(d)].into_iter().for_each(&mut *f),
            Op::Blockers { d, a, of, through, firm, .. } => {
                [UseSet(a), UseSet(of), UseSet(through), UseSet(firm), DefSet(d)].into_iter().for_each(&mut *f)
            }
            Op::BulkCount { of, sure } => [UseSet(of), UseSet(sure), DefSet(of)].into_iter().for_each(&mut *f),
            Op::ShiftTimes { d, a, through, n, .. } => {
                [UseSet(a), UseSet(through), UseNum(n), DefSet(d)].into_iter().for_each(&mut *f)
            }
            Op::FloodFill { d, a, within, .. } => [UseSet(a), UseSet(within), DefSet(d)].into_iter().for_each(&mut *f),
            Op::Reaches { d, a, within, to, .. } => {
                [UseSet(a), UseSet(within), UseSet(to), DefNum(d)].into_iter().for_each(&mut *f)
            }
            Op::Band { d, from, to, .. } => [UseNum(from), UseNum(to), DefSet(d)].into_iter().for_each(&mut *f),
            Op::VecShift { d, a, onto, lanes, wide, .. } => {
                row(a, lanes, wide & 1).chain(onto).for_each(|a| f(UseSet(a)));
                whole_row(d, lanes).for_each(|d| f(DefSet(d)));
            }
            Op::VecKeepIf { d, a, n, lanes, .. } => {
                [UseSet(a), UseNum(n)].into_iter().for_each(&mut *f);
                whole_row(d, lanes).for_each(|d| f(DefSet(d)));
            }
            Op::VecRayFill { d, a, through: b, lanes, wide, .. } | Op::VecBinary { d, a, b, lanes, wide, .. } => {
                row(a, lanes, wide & 1).chain(row(b, lanes, wide & 2)).for_each(|a| f(UseSet(a)));
                whole_row(d, lanes).for_each(|d| f(DefSet(d)));
            }
            Op::VecSlidingReach { d, a, through: b, onto, lanes, wide, .. } => {
                row(a, lanes, wide & 1).chain(row(b, lanes, wide & 2)).chain(onto).for_each(|a| f(UseSet(a)));
                whole_row(d, lanes).for_each(|d| f(DefSet(d)));
            }
            Op::VecPartition { d, e, a, b, lanes, wide } => {
                row(a, lanes, wide & 1).for_each(|a| f(UseSet(a)));
                row(b, lanes, wide & 2).for_each(|b| f(UseSet(b)));
                whole_row(d, lanes).chain(whole_row(e, lanes)).for_each(|d| f(DefSet(d)));
            }
            Op::VecUnion { d, a, lanes, .. } => {
                row(a, lanes, 1).for_each(|a| f(UseSet(a)));
                f(DefSet(d));
            }
            Op::Const { d, .. } => f(DefNum(d)),
            Op::PieceRepetitions { d, .. }
            | Op::PositionRepetitions { d, .. }
            | Op::Cycle { d }
            | Op::Stuck { d, .. } => [Position, DefNum(d)].into_iter().for_each(&mut *f),
            Op::CopyNum { d, a }
            | Op::Not { d, a }
            | Op::CountBits { d, a }
            | Op::OppositeDirs { d, a }
            | Op::TestBit { d, a, .. } => [UseNum(a), DefNum(d)].into_iter().for_each(&mut *f),
            Op::Arithmetic { d, a, b, .. }
            | Op::Compare { d, a, b, .. }
            | Op::BitAnd { d, a, b }
            | Op::BitOr { d, a, b }
            | Op::BitAndNot { d, a, b } => [UseNum(a), UseNum(b), DefNum(d)].into_iter().for_each(&mut *f),
            Op::SelectNum { d, n, a, b } => [UseNum(n), UseNum(a), UseNum(b), DefNum(d)].into_iter().for_each(&mut *f),
            Op::NonEmpty { d, a }
            | Op::Popcount { d, a }
            | Op::Coordinate { d, a, .. }
            | Op::CountGroups { d, a, .. } => [UseSet(a), DefNum(d)].into_iter().for_each(&mut *f),
            Op::Intersects { d, a, b }
            | Op::NonEmptySubset { d, a, b }
            | Op::Equal { d, a, b }
            | Op::InLine { d, a, within: b, .. }
            | Op::CompareGroupSizes { d, a, b, .. } => [UseSet(a), UseSet(b), DefNum(d)].into_iter().for_each(&mut *f),
            Op::RemovePieces { cells, .. } | Op::FlipOwner { cells, .. } => {
                [UseSet(cells), Pieces].into_iter().for_each(&mut *f)
            }
            Op::MovePiece { from, to, .. } => [UseSet(from), UseSet(to), Pieces].into_iter().for_each(&mut *f),
            Op::EarlyReject { a, x, .. } => [UseSet(a), UseSet(x)].into_iter().for_each(&mut *f),
            Op::FaultIfIntersects { cells, of, .. } => [UseSet(cells), UseSet(of)].into_iter().for_each(&mut *f),
            Op::Annotate { mark } => mark.accesses(f),
            Op::SetOutcome { winners, .. } => f(UseNum(winners)),
            Op::NextCell { of, cell, .. } => [UseSet(of), DefSet(of), DefSet(cell)].into_iter().for_each(&mut *f),
            Op::NextGroup { of, group, .. } => [UseSet(of), DefSet(of), DefSet(group)].into_iter().for_each(&mut *f),
            Op::LoopBack { n, counter, .. } => {
                [UseNum(n), UseNum(counter), DefNum(counter)].into_iter().for_each(&mut *f)
            }
            Op::BranchIfZero { n, .. } | Op::BranchIfNonZero { n, .. } | Op::Require { n } | Op::RequireZero { n } => {
                f(UseNum(n))
            }
            Op::BranchIfEmpty { a, .. } | Op::BranchIfNonEmpty { a, .. } | Op::RequireEmpty { a } => f(UseSet(a)),
            Op::BranchIfIntersects { a, b, .. }
            | Op::RequireDisjoint { a, b }
            | Op::BranchIfDisjoint { a, b, .. }
            | Op::BranchByAttackFilter { a, b, .. }
            | Op::BranchUnlessInLine { a, within: b, .. } => [UseSet(a), UseSet(b)].into_iter().for_each(&mut *f),
            Op::BranchIfEmptyAndNotBoth { of, a, b, .. } | Op::BranchIfNonEmptyAndNotBoth { of, a, b, .. } => {
                [UseSet(of), UseSet(a), UseSet(b)].into_iter().for_each(&mut *f)
            }
            Op::BranchUnlessRayQuery { d, a, x, y, .. } => {
                [UseSet(a), UseSet(x), UseSet(y), DefSet(d)].into_iter().for_each(&mut *f)
            }
            Op::BranchUnlessCompare { a, b, .. } => [UseNum(a), UseNum(b)].into_iter().for_each(&mut *f),
            Op::Passed | Op::Acted | Op::PlayAgain => {}
            Op::SampleCell { of, cell, .. } => [UseSet(of), DefSet(cell)].into_iter().for_each(&mut *f),
            Op::SampleAndNotBoth { d, of, a, b, cell, .. } | Op::SampleOnto { onto: d, of, a, b, cell, .. } => {
                [UseSet(of), UseSet(a), UseSet(b), DefSet(d), DefSet(cell)].into_iter().for_each(&mut *f)
            }
            Op::Jump { .. }
            | Op::Choice { .. }
            | Op::First { .. }
            | Op::NoMoreChoices
            | Op::CannotFail
            | Op::Fail
            | Op::End => {}
        }
    }
}
