//! An operation goes in, and new names for its registers; the same operation on these comes out.

use crate::plan::annotation::Annotation;
use crate::plan::op::Op;
use crate::plan::regs::{NumReg, SetReg};

impl Op {
    /// The same with its registers renamed.
    pub fn renamed(mut self, set: impl Fn(SetReg) -> SetReg, number: impl Fn(NumReg) -> NumReg) -> Op {
        let s = |reg: &mut SetReg| *reg = set(*reg);
        let n = |reg: &mut NumReg| *reg = number(*reg);
        match &mut self {
            Op::PartitionTwo { d, e, a, f, g, c, b } => [d, e, a, f, g, c, b].into_iter().for_each(s),
            Op::Copy { d, a }
            | Op::FullLines { d, a, .. }
            | Op::LineCompletions { d, a, .. }
            | Op::Shift { d, a, .. }
            | Op::MaskedShift { d, a, .. }
            | Op::Neighbors { d, a, .. }
            | Op::VecUnion { d, a, .. } => {
                s(d);
                s(a);
            }
            Op::And { d, a, b }
            | Op::Or { d, a, b }
            | Op::AndNot { d, a, b }
            | Op::LineBetween { d, a, b, .. }
            | Op::VecBinary { d, a, b, .. }
            | Op::VecRayFill { d, a, through: b, .. } => {
                s(d);
                s(a);
                s(b);
            }
            Op::VecShift { d, a, onto, .. } => {
                s(d);
                s(a);
                onto.iter_mut().for_each(s);
            }
            Op::VecSlidingReach { d, a, through, onto, .. } => {
                s(d);
                s(a);
                s(through);
                onto.iter_mut().for_each(s);
            }
            Op::RayQuery { d, a, x, y, .. }
            | Op::AndNotBoth { d, of: a, a: x, b: y }
            | Op::Replace { d, a, out: x, into: y } => {
                s(d);
                s(a);
                s(x);
                s(y);
            }
            Op::Partition { d, e, a, b } | Op::VecPartition { d, e, a, b, .. } => {
                s(d);
                s(e);
                s(a);
                s(b);
            }
            Op::NonEmptyAndNotBoth { d, of, a, b } | Op::Reaches { d, a: of, within: a, to: b, .. } => {
                n(d);
                s(of);
                s(a);
                s(b);
            }
            Op::VecKeepIf { d, a, n: m, .. }
            | Op::KeepIf { d, a, n: m }
            | Op::NthCell { d, a, n: m }
            | Op::NeighborsBy { d, a, dirs: m } => {
                s(d);
                s(a);
                n(m);
            }
            Op::Select { d, n: m, a, b } => {
                s(d);
                n(m);
                s(a);
                s(b);
            }
            Op::RayFill { d, a, through: b, .. }
            | Op::SlidingReach { d, a, through: b, .. }
            | Op::FirstOnRay { d, a, until: b, .. }
            | Op::FloodFill { d, a, within: b, .. } => {
                s(d);
                s(a);
                s(b);
            }
            Op::Blockers { d, a, of, through, firm, .. } => {
                s(d);
                s(a);
                s(of);
                s(through);
                s(firm);
            }
            Op::BulkCount { of, sure } => {
                s(of);
                s(sure);
            }
            Op::ShiftTimes { d, a, through, n: m, .. } => {
                s(d);
                s(a);
                s(through);
                n(m);
            }
            Op::Band { d, from, to, .. } => {
                s(d);
                n(from);
                n(to);
            }
            Op::Const { d, .. }
            | Op::PieceRepetitions { d, .. }
            | Op::PositionRepetitions { d, .. }
            | Op::Cycle { d }
            | Op::Stuck { d, .. } => n(d),
            Op::CopyNum { d, a }
            | Op::Not { d, a }
            | Op::CountBits { d, a }
            | Op::OppositeDirs { d, a }
            | Op::TestBit { d, a, .. } => {
                n(d);
                n(a);
            }
            Op::Arithmetic { d, a, b, .. }
            | Op::Compare { d, a, b, .. }
            | Op::BitAnd { d, a, b }
            | Op::BitOr { d, a, b }
            | Op::BitAndNot { d, a, b } => {
                n(d);
                n(a);
                n(b);
            }
            Op::SelectNum { d, n: m, a, b } => {
                n(d);
                n(m);
                n(a);
                n(b);
            }
            Op::NonEmpty { d, a }
            | Op::Popcount { d, a }
            | Op::Coordinate { d, a, .. }
            | Op::CountGroups { d, a, .. } => {
                n(d);
                s(a);
            }
            Op::Intersects { d, a, b }
            | Op::NonEmptySubset { d, a, b }
            | Op::Equal { d, a, b }
            | Op::InLine { d, a, within: b, .. }
            | Op::CompareGroupSizes { d, a, b, .. } => {
                n(d);
                s(a);
                s(b);
            }
            Op::RemovePieces { cells, .. } | Op::FlipOwner { cells, .. } => s(cells),
            Op::MovePiece { from, to, .. } => {
                s(from);
                s(to);
            }
            Op::EarlyReject { a, x, .. } => {
                s(a);
                s(x);
            }
            Op::FaultIfIntersects { cells, of, .. } => {
                s(cells);
                s(of);
            }
            Op::Annotate { mark } => match mark {
                Annotation::Cell(reg) | Annotation::Pair(reg) | Annotation::Group(reg) => s(reg),
                Annotation::Landing { cell, caught, .. } => {
                    s(cell);
                    caught.iter_mut().for_each(s);
                }
                Annotation::Number(reg) | Annotation::Dir(reg) | Annotation::Axis(reg) => n(reg),
                Annotation::Kind(_)
                | Annotation::Promotion(_)
                | Annotation::Pass
                | Annotation::Swap
                | Annotation::Silent
                | Annotation::Round
                | Annotation::Loud => {}
            },
            Op::SetOutcome { winners, .. } => n(winners),
            Op::NextCell { of, cell, .. } => {
                s(of);
                s(cell);
            }
            Op::NextGroup { of, group, .. } => {
                s(of);
                s(group);
            }
            Op::LoopBack { n: m, counter, .. } => {
                n(m);
                n(counter);
            }
            Op::BranchIfZero { n: m, .. }
            | Op::BranchIfNonZero { n: m, .. }
            | Op::Require { n: m }
            | Op::RequireZero { n: m } => n(m),
            Op::BranchIfEmpty { a, .. } | Op::BranchIfNonEmpty { a, .. } | Op::RequireEmpty { a } => s(a),
            Op::BranchIfIntersects { a, b, .. }
            | Op::RequireDisjoint { a, b }
            | Op::BranchIfDisjoint { a, b, .. }
            | Op::BranchByAttackFilter { a, b, .. }
            | Op::BranchUnlessInLine { a, within: b, .. }
            | Op::SampleCell { of: a, cell: b, .. } => {
                s(a);
                s(b);
            }
            Op::BranchIfEmptyAndNotBoth { of, a, b, .. } | Op::BranchIfNonEmptyAndNotBoth { of, a, b, .. } => {
                s(of);
                s(a);
                s(b);
            }
            Op::BranchUnlessRayQuery { d, a, x, y, .. } => {
                s(d);
                s(a);
                s(x);
                s(y);
            }
            Op::SampleAndNotBoth { d, of, a, b, cell, .. } | Op::SampleOnto { onto: d, of, a, b, cell, .. } => {
                s(d);
                s(of);
                s(a);
                s(b);
                s(cell);
            }
            Op::BranchUnlessCompare { a, b, .. } => {
                n(a);
                n(b);
            }
            Op::Passed | Op::Acted | Op::PlayAgain => {}
            Op::Jump { .. }
            | Op::Choice { .. }
            | Op::First { .. }
            | Op::NoMoreChoices
            | Op::CannotFail
            | Op::Fail
            | Op::End => {}
        }
        self
    }
}
