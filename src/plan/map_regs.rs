//! An operation goes in, and new names for its registers; the same operation on these comes out.

use crate::plan::{Mark, N, Op, S};

impl Op {
    /// The same with its registers renamed.
    pub fn renamed(mut self, set: impl Fn(S) -> S, number: impl Fn(N) -> N) -> Op {
        let s = |reg: &mut S| *reg = set(*reg);
        let n = |reg: &mut N| *reg = number(*reg);
        match &mut self {
            Op::PartTwo { d, e, a, f, g, c, b } => [d, e, a, f, g, c, b].into_iter().for_each(s),
            Op::Copy { d, a }
            | Op::Rows { d, a, .. }
            | Op::Complete { d, a, .. }
            | Op::Shift { d, a, .. }
            | Op::Hop { d, a, .. }
            | Op::Around { d, a, .. }
            | Op::FanUnion { d, a, .. } => {
                s(d);
                s(a);
            }
            Op::And { d, a, b }
            | Op::Or { d, a, b }
            | Op::Without { d, a, b }
            | Op::Span { d, a, b, .. }
            | Op::FanPair { d, a, b, .. }
            | Op::FanFill { d, a, through: b, .. } => {
                s(d);
                s(a);
                s(b);
            }
            Op::FanStep { d, a, onto, .. } => {
                s(d);
                s(a);
                onto.iter_mut().for_each(s);
            }
            Op::FanSight { d, a, through, onto, .. } => {
                s(d);
                s(a);
                s(through);
                onto.iter_mut().for_each(s);
            }
            Op::Follow { d, a, x, y, .. } | Op::Outside { d, of: a, a: x, b: y } | Op::Exchange { d, a, out: x, into: y } => {
                s(d);
                s(a);
                s(x);
                s(y);
            }
            Op::Part { d, e, a, b } | Op::FanPart { d, e, a, b, .. } => {
                s(d);
                s(e);
                s(a);
                s(b);
            }
            Op::SomeOutside { d, of, a, b } | Op::Joined { d, a: of, within: a, to: b, .. } => {
                n(d);
                s(of);
                s(a);
                s(b);
            }
            Op::FanKeep { d, a, n: m, .. }
            | Op::Keep { d, a, n: m }
            | Op::Nth { d, a, n: m }
            | Op::AroundBits { d, a, dirs: m } => {
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
            Op::Fill { d, a, through: b, .. }
            | Op::Sight { d, a, through: b, .. }
            | Op::Ray { d, a, until: b, .. }
            | Op::Flood { d, a, within: b, .. } => {
                s(d);
                s(a);
                s(b);
            }
            Op::Guard { d, a, of, through, firm, .. } => {
                s(d);
                s(a);
                s(of);
                s(through);
                s(firm);
            }
            Op::Settle { of, sure } => {
                s(of);
                s(sure);
            }
            Op::Steps { d, a, through, n: m, .. } => {
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
            Op::Number { d, .. }
            | Op::TimesPieces { d, .. }
            | Op::TimesPosition { d, .. }
            | Op::Cycle { d }
            | Op::Stuck { d, .. } => n(d),
            Op::Move { d, a } | Op::Not { d, a } | Op::CountBits { d, a } | Op::Opposites { d, a } | Op::Bit { d, a, .. } => {
                n(d);
                n(a);
            }
            Op::Arithmetic { d, a, b, .. }
            | Op::Compare { d, a, b, .. }
            | Op::Both { d, a, b }
            | Op::Either { d, a, b }
            | Op::Less { d, a, b } => {
                n(d);
                n(a);
                n(b);
            }
            Op::Choose { d, n: m, a, b } => {
                n(d);
                n(m);
                n(a);
                n(b);
            }
            Op::Some { d, a } | Op::Count { d, a } | Op::Coordinate { d, a, .. } | Op::CountGroups { d, a, .. } => {
                n(d);
                s(a);
            }
            Op::Meet { d, a, b }
            | Op::Within { d, a, b }
            | Op::Same { d, a, b }
            | Op::InRow { d, a, within: b, .. }
            | Op::CompareSizes { d, a, b, .. } => {
                n(d);
                s(a);
                s(b);
            }
            Op::Clear { cells, .. } | Op::Flip { cells, .. } => s(cells),
            Op::Carry { from, to, .. } => {
                s(from);
                s(to);
            }
            Op::Cap { a, x, .. } => {
                s(a);
                s(x);
            }
            Op::Free { cells, of, .. } => {
                s(cells);
                s(of);
            }
            Op::Tell { mark } => match mark {
                Mark::Cell(reg) | Mark::Pair(reg) | Mark::Group(reg) => s(reg),
                Mark::Landing { cell, caught, .. } => {
                    s(cell);
                    caught.iter_mut().for_each(s);
                }
                Mark::Number(reg) | Mark::Dir(reg) | Mark::Axis(reg) => n(reg),
                Mark::Kind(_) | Mark::Promotion(_) | Mark::Pass | Mark::Swap | Mark::Silent | Mark::Round | Mark::Loud => {}
            },
            Op::Decide { winners, .. } => n(winners),
            Op::NextCell { of, cell, .. } => {
                s(of);
                s(cell);
            }
            Op::NextGroup { of, group, .. } => {
                s(of);
                s(group);
            }
            Op::Again { n: m, counter, .. } => {
                n(m);
                n(counter);
            }
            Op::Unless { n: m, .. } | Op::When { n: m, .. } | Op::Need { n: m } | Op::NeedNot { n: m } => n(m),
            Op::UnlessSome { a, .. } | Op::WhenSome { a, .. } | Op::NeedNone { a } => s(a),
            Op::WhenMeet { a, b, .. }
            | Op::NeedApart { a, b }
            | Op::UnlessMeet { a, b, .. }
            | Op::JumpNear { a, b, .. }
            | Op::UnlessInRow { a, within: b, .. }
            | Op::Draw { of: a, cell: b, .. } => {
                s(a);
                s(b);
            }
            Op::UnlessSomeOutside { of, a, b, .. } | Op::WhenSomeOutside { of, a, b, .. } => {
                s(of);
                s(a);
                s(b);
            }
            Op::UnlessFollow { d, a, x, y, .. } => {
                s(d);
                s(a);
                s(x);
                s(y);
            }
            Op::DrawOutside { d, of, a, b, cell, .. } | Op::DrawOnto { onto: d, of, a, b, cell, .. } => {
                s(d);
                s(of);
                s(a);
                s(b);
                s(cell);
            }
            Op::UnlessCompare { a, b, .. } => {
                n(a);
                n(b);
            }
            Op::Passed | Op::Acted | Op::PlayAgain => {}
            Op::Jump { .. } | Op::Choice { .. } | Op::First { .. } | Op::Last | Op::Safe | Op::Fail | Op::End => {}
        }
        self
    }
}
