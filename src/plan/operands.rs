//! An operation goes in; which registers it reads and writes comes out.

use crate::plan::passes::vectorize::row_size;
use crate::plan::{Access, Op, S};

/// The registers of an operand.
fn row(first: S, lanes: u8, wide: u8) -> impl Iterator<Item = S> {
    (0..if wide == 0 { 1 } else { u16::from(lanes) }).map(move |lane| S(first.0 + lane))
}

/// The registers of a row that is written: all that it takes, as an executor may write what stands behind the lanes.
fn whole_row(first: S, lanes: u8) -> impl Iterator<Item = S> {
    (0..row_size(usize::from(lanes)) as u16).map(move |lane| S(first.0 + lane))
}

impl Op {
    /// Calls back for each register, reads first.
    pub fn accesses(&self, mut f: impl FnMut(Access)) {
        use Access::{Men, Position, Read, ReadSet, Write, WriteSet};
        match *self {
            Op::Copy { d, a } | Op::Rows { d, a, .. } | Op::Complete { d, a, .. } => {
                [ReadSet(a), WriteSet(d)].into_iter().for_each(f)
            }
            Op::And { d, a, b } | Op::Or { d, a, b } | Op::Without { d, a, b } | Op::Span { d, a, b, .. } => {
                [ReadSet(a), ReadSet(b), WriteSet(d)].into_iter().for_each(f)
            }
            Op::Follow { d, a, x, y, .. } | Op::Outside { d, of: a, a: x, b: y } | Op::Exchange { d, a, out: x, into: y } => {
                [ReadSet(a), ReadSet(x), ReadSet(y), WriteSet(d)].into_iter().for_each(f)
            }
            Op::Part { d, e, a, b } => [ReadSet(a), ReadSet(b), WriteSet(d), WriteSet(e)].into_iter().for_each(f),
            Op::PartTwo { d, e, a, f: one, g, c, b } => {
                [ReadSet(a), ReadSet(c), ReadSet(b)].into_iter().for_each(&mut f);
                [WriteSet(d), WriteSet(e), WriteSet(one), WriteSet(g)].into_iter().for_each(f);
            }
            Op::SomeOutside { d, of, a, b } => [ReadSet(of), ReadSet(a), ReadSet(b), Write(d)].into_iter().for_each(f),
            Op::Keep { d, a, n } | Op::Nth { d, a, n } => [ReadSet(a), Read(n), WriteSet(d)].into_iter().for_each(f),
            Op::Select { d, n, a, b } => [Read(n), ReadSet(a), ReadSet(b), WriteSet(d)].into_iter().for_each(f),
            Op::Shift { d, a, .. } | Op::Hop { d, a, .. } | Op::Around { d, a, .. } => {
                [ReadSet(a), WriteSet(d)].into_iter().for_each(f)
            }
            Op::AroundBits { d, a, dirs } => [ReadSet(a), Read(dirs), WriteSet(d)].into_iter().for_each(f),
            Op::Fill { d, a, through, .. } | Op::Sight { d, a, through, .. } => {
                [ReadSet(a), ReadSet(through), WriteSet(d)].into_iter().for_each(f)
            }
            Op::Ray { d, a, until, .. } => [ReadSet(a), ReadSet(until), WriteSet(d)].into_iter().for_each(f),
            Op::Guard { d, a, of, through, firm, .. } => {
                [ReadSet(a), ReadSet(of), ReadSet(through), ReadSet(firm), WriteSet(d)].into_iter().for_each(f)
            }
            Op::Settle { of, sure } => [ReadSet(of), ReadSet(sure), WriteSet(of)].into_iter().for_each(f),
            Op::Steps { d, a, through, n, .. } => [ReadSet(a), ReadSet(through), Read(n), WriteSet(d)].into_iter().for_each(f),
            Op::Flood { d, a, within, .. } => [ReadSet(a), ReadSet(within), WriteSet(d)].into_iter().for_each(f),
            Op::Joined { d, a, within, to, .. } => [ReadSet(a), ReadSet(within), ReadSet(to), Write(d)].into_iter().for_each(f),
            Op::Band { d, from, to, .. } => [Read(from), Read(to), WriteSet(d)].into_iter().for_each(f),
            Op::FanStep { d, a, onto, lanes, wide, .. } => {
                row(a, lanes, wide & 1).chain(onto).for_each(|a| f(ReadSet(a)));
                whole_row(d, lanes).for_each(|d| f(WriteSet(d)));
            }
            Op::FanKeep { d, a, n, lanes, .. } => {
                [ReadSet(a), Read(n)].into_iter().for_each(&mut f);
                whole_row(d, lanes).for_each(|d| f(WriteSet(d)));
            }
            Op::FanFill { d, a, through: b, lanes, wide, .. } | Op::FanPair { d, a, b, lanes, wide, .. } => {
                row(a, lanes, wide & 1).chain(row(b, lanes, wide & 2)).for_each(|a| f(ReadSet(a)));
                whole_row(d, lanes).for_each(|d| f(WriteSet(d)));
            }
            Op::FanSight { d, a, through: b, onto, lanes, wide, .. } => {
                row(a, lanes, wide & 1).chain(row(b, lanes, wide & 2)).chain(onto).for_each(|a| f(ReadSet(a)));
                whole_row(d, lanes).for_each(|d| f(WriteSet(d)));
            }
            Op::FanPart { d, e, a, b, lanes, wide } => {
                row(a, lanes, wide & 1).for_each(|a| f(ReadSet(a)));
                row(b, lanes, wide & 2).for_each(|b| f(ReadSet(b)));
                whole_row(d, lanes).chain(whole_row(e, lanes)).for_each(|d| f(WriteSet(d)));
            }
            Op::FanUnion { d, a, lanes, .. } => {
                row(a, lanes, 1).for_each(|a| f(ReadSet(a)));
                f(WriteSet(d));
            }
            Op::Number { d, .. } => f(Write(d)),
            Op::TimesPieces { d, .. } | Op::TimesPosition { d, .. } | Op::Cycle { d } | Op::Stuck { d, .. } => {
                [Position, Write(d)].into_iter().for_each(f)
            }
            Op::Move { d, a } | Op::Not { d, a } | Op::CountBits { d, a } | Op::Opposites { d, a } | Op::Bit { d, a, .. } => {
                [Read(a), Write(d)].into_iter().for_each(f)
            }
            Op::Arithmetic { d, a, b, .. }
            | Op::Compare { d, a, b, .. }
            | Op::Both { d, a, b }
            | Op::Either { d, a, b }
            | Op::Less { d, a, b } => [Read(a), Read(b), Write(d)].into_iter().for_each(f),
            Op::Choose { d, n, a, b } => [Read(n), Read(a), Read(b), Write(d)].into_iter().for_each(f),
            Op::Some { d, a } | Op::Count { d, a } | Op::Coordinate { d, a, .. } | Op::CountGroups { d, a, .. } => {
                [ReadSet(a), Write(d)].into_iter().for_each(f)
            }
            Op::Meet { d, a, b }
            | Op::Within { d, a, b }
            | Op::Same { d, a, b }
            | Op::InRow { d, a, within: b, .. }
            | Op::CompareSizes { d, a, b, .. } => [ReadSet(a), ReadSet(b), Write(d)].into_iter().for_each(f),
            Op::Clear { cells, .. } | Op::Flip { cells, .. } => [ReadSet(cells), Men].into_iter().for_each(f),
            Op::Carry { from, to, .. } => [ReadSet(from), ReadSet(to), Men].into_iter().for_each(f),
            Op::Cap { a, x, .. } => [ReadSet(a), ReadSet(x)].into_iter().for_each(f),
            Op::Free { cells, of, .. } => [ReadSet(cells), ReadSet(of)].into_iter().for_each(f),
            Op::Tell { mark } => mark.accesses(f),
            Op::Decide { winners, .. } => f(Read(winners)),
            Op::NextCell { of, cell, .. } => [ReadSet(of), WriteSet(of), WriteSet(cell)].into_iter().for_each(f),
            Op::NextGroup { of, group, .. } => [ReadSet(of), WriteSet(of), WriteSet(group)].into_iter().for_each(f),
            Op::Again { n, counter, .. } => [Read(n), Read(counter), Write(counter)].into_iter().for_each(f),
            Op::Unless { n, .. } | Op::When { n, .. } | Op::Need { n } | Op::NeedNot { n } => f(Read(n)),
            Op::UnlessSome { a, .. } | Op::WhenSome { a, .. } | Op::NeedNone { a } => f(ReadSet(a)),
            Op::WhenMeet { a, b, .. }
            | Op::NeedApart { a, b }
            | Op::UnlessMeet { a, b, .. }
            | Op::JumpNear { a, b, .. }
            | Op::UnlessInRow { a, within: b, .. } => [ReadSet(a), ReadSet(b)].into_iter().for_each(f),
            Op::UnlessSomeOutside { of, a, b, .. } | Op::WhenSomeOutside { of, a, b, .. } => {
                [ReadSet(of), ReadSet(a), ReadSet(b)].into_iter().for_each(f)
            }
            Op::UnlessFollow { d, a, x, y, .. } => [ReadSet(a), ReadSet(x), ReadSet(y), WriteSet(d)].into_iter().for_each(f),
            Op::UnlessCompare { a, b, .. } => [Read(a), Read(b)].into_iter().for_each(f),
            Op::Passed | Op::Acted | Op::PlayAgain => {}
            Op::Draw { of, cell, .. } => [ReadSet(of), WriteSet(cell)].into_iter().for_each(f),
            Op::DrawOutside { d, of, a, b, cell, .. } | Op::DrawOnto { onto: d, of, a, b, cell, .. } => {
                [ReadSet(of), ReadSet(a), ReadSet(b), WriteSet(d), WriteSet(cell)].into_iter().for_each(f)
            }
            Op::Jump { .. } | Op::Choice { .. } | Op::First { .. } | Op::Last | Op::Safe | Op::Fail | Op::End => {}
        }
    }
}
