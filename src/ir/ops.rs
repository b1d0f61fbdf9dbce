//! The operations of programs, and which registers each reads and writes.

use crate::board::{Fold, Player};
use crate::model::Arithmetic;

use super::fan::row_size;
use super::{Access, Mark, N, Pairing, Place, S};

pub use crate::model::Comparison as Cmp;

/// One operation. `d` is written, the others are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    // Sets.
    Copy {
        d: S,
        a: S,
    },
    And {
        d: S,
        a: S,
        b: S,
    },
    Or {
        d: S,
        a: S,
        b: S,
    },
    /// The cells of `a` that are not in `b`.
    Without {
        d: S,
        a: S,
        b: S,
    },
    /// The cells of `of` that are in neither set. Only in code laid out in a row.
    Outside {
        d: S,
        of: S,
        a: S,
        b: S,
    },
    /// The cells of `a` that are not in `out`, and those of `into`. Only in code laid out in a row.
    Exchange {
        d: S,
        a: S,
        out: S,
        into: S,
    },
    /// The cells of `a` that are not in `b`, and in `e` those that are. Only in code laid out in a row.
    Part {
        d: S,
        e: S,
        a: S,
        b: S,
    },
    /// `a` if `n` is not 0, else nothing.
    Keep {
        d: S,
        a: S,
        n: N,
    },
    Select {
        d: S,
        n: N,
        a: S,
        b: S,
    },
    /// One step along a direction.
    Shift {
        d: S,
        a: S,
        dir: u16,
    },
    /// One step by one hop: a part of a direction, or of several.
    Hop {
        d: S,
        a: S,
        hop: u16,
    },
    /// One step along any of a fixed set of directions.
    Around {
        d: S,
        a: S,
        along: u16,
    },
    /// One step along any of a set of directions given as bits.
    AroundBits {
        d: S,
        a: S,
        dirs: N,
    },
    /// The cells reached from `a` by one or more steps along a direction, all of them within `through`.
    Fill {
        d: S,
        a: S,
        through: S,
        dir: u16,
    },
    /// From the single cell `a`, the first cell along a direction that is in `until`.
    Ray {
        d: S,
        a: S,
        until: S,
        dir: u16,
    },
    /// The cells that lines from `a` along any of a set of directions come to: through cells of `through`, and the first one beyond.
    Sight {
        d: S,
        a: S,
        through: S,
        dirs: u32,
    },
    /// What keeps cells of `of` from being seen from `a`: for each line that comes to one of them, one of the cells between that are not
    /// in `through`, of `firm` ones if there are any.
    Guard {
        d: S,
        a: S,
        of: S,
        through: S,
        firm: S,
        dirs: u32,
    },
    /// Where runs are only counted: so many options of a choice are known to complete one each, and are no longer offered.
    Settle {
        of: S,
        sure: S,
    },
    /// The cells reached after exactly `n` steps along a direction, all within `through`.
    Steps {
        d: S,
        a: S,
        through: S,
        n: N,
        dir: u16,
    },
    /// The cells of `within` that are joined to a cell of `a` in `within`.
    Flood {
        d: S,
        a: S,
        within: S,
        along: u16,
    },
    /// From each cell of `a` along each direction of a trail: a run of `x`, if it is as long as the trail asks, and behind it stands a
    /// cell of `y` if the trail asks that.
    Follow {
        d: S,
        a: S,
        x: S,
        y: S,
        trail: u16,
    },
    /// The cells of those rows of a fixed list that lie whole in `a`.
    Rows {
        d: S,
        a: S,
        list: u16,
    },
    /// The cells each of which makes with `a` a row of a fixed list whole, as a [`Completion`](crate::ir::Completion) tells.
    Complete {
        d: S,
        a: S,
        how: u16,
    },
    /// The straight line of cells from one to the other.
    Span {
        d: S,
        a: S,
        b: S,
        place: Place,
    },
    /// The `n`-th cell.
    Nth {
        d: S,
        a: S,
        n: N,
    },
    /// The cells whose file or rank lies between two numbers.
    Band {
        d: S,
        fold: Fold,
        from: N,
        to: N,
        player: Player,
    },
    // Rows: a set for each of several directions, in registers that follow one another. A bit of `wide` tells that an operand is a row.
    /// One step along each direction.
    FanStep {
        d: S,
        a: S,
        fan: u16,
        lanes: u8,
        wide: u8,
    },
    /// [`Op::Fill`] along each direction.
    FanFill {
        d: S,
        a: S,
        through: S,
        fan: u16,
        lanes: u8,
        wide: u8,
    },
    FanPair {
        pairing: Pairing,
        d: S,
        a: S,
        b: S,
        lanes: u8,
        wide: u8,
    },
    /// [`Op::Part`] of rows.
    FanPart {
        d: S,
        e: S,
        a: S,
        b: S,
        lanes: u8,
        wide: u8,
    },
    /// The cells of all sets of a row.
    FanUnion {
        d: S,
        a: S,
        lanes: u8,
    },
    // Numbers.
    Number {
        d: N,
        k: i64,
    },
    Move {
        d: N,
        a: N,
    },
    Arithmetic {
        op: Arithmetic,
        d: N,
        a: N,
        b: N,
        place: Place,
    },
    Compare {
        cmp: Cmp,
        d: N,
        a: N,
        b: N,
    },
    Choose {
        d: N,
        n: N,
        a: N,
        b: N,
    },
    Not {
        d: N,
        a: N,
    },
    /// Bitwise: of truths and of sets of directions.
    Both {
        d: N,
        a: N,
        b: N,
    },
    Either {
        d: N,
        a: N,
        b: N,
    },
    /// The bits of `a` that are not in `b`.
    Less {
        d: N,
        a: N,
        b: N,
    },
    CountBits {
        d: N,
        a: N,
    },
    Opposites {
        d: N,
        a: N,
    },
    /// 1 if the bit is set.
    Bit {
        d: N,
        a: N,
        bit: u16,
    },
    Some {
        d: N,
        a: S,
    },
    /// 1 if `of` has a cell in neither set. Only in code laid out in a row.
    SomeOutside {
        d: N,
        of: S,
        a: S,
        b: S,
    },
    Count {
        d: N,
        a: S,
    },
    /// 1 if the sets share a cell.
    Meet {
        d: N,
        a: S,
        b: S,
    },
    /// 1 if `a` has a cell and all of them lie in `b`.
    Within {
        d: N,
        a: S,
        b: S,
    },
    Same {
        d: N,
        a: S,
        b: S,
    },
    /// 1 if the row of `within` through the cells of `a`, along two directions of a trail that follow one another, is as long as the
    /// trail asks.
    InRow {
        d: N,
        a: S,
        within: S,
        trail: u16,
    },
    Coordinate {
        d: N,
        fold: Fold,
        a: S,
        player: Player,
        place: Place,
    },
    /// How many groups the set has; no more than `most` are counted.
    CountGroups {
        d: N,
        a: S,
        along: u16,
        most: u16,
    },
    /// Which of two sets has the larger parts, the largest compared first: 1 the first set, -1 the second, 0 neither.
    CompareSizes {
        d: N,
        a: S,
        along: u16,
        b: S,
        beside: u16,
    },
    /// How often the men have stood as they do, and `more` where that has not been noted yet.
    TimesPieces {
        d: N,
        more: i64,
    },
    /// How often the position has stood, and `more` where it has not been noted yet.
    TimesPosition {
        d: N,
        more: i64,
    },
    Cycle {
        d: N,
    },
    /// 1 if the player, were it his turn, would have no complete run but a pass.
    Stuck {
        d: N,
        player: Player,
    },
    // Men. Which registers hold men is the layout's affair.
    /// Takes all men off the cells, marks included. `only`: the one register that can have them, if that is known.
    Clear {
        cells: S,
        only: Option<S>,
    },
    /// The man on the one cell goes to the other, whatever he is, with his marks. `only`: the one register that has him, if that is known.
    Carry {
        from: S,
        to: S,
        only: Option<S>,
    },
    /// All men of the cells become the player's.
    Flip {
        cells: S,
        player: Player,
    },
    /// Fails as a fault if the sets share a cell.
    Free {
        cells: S,
        of: S,
        place: Place,
    },
    // The course of the turn.
    /// Behind a choice: no more runs follow than [`Op::Follow`] would find cells. Only in trees of blocks; a choice laid out in a row has it.
    Cap {
        a: S,
        x: S,
        trail: u16,
    },
    Tell {
        mark: Mark,
    },
    Passed,
    Acted,
    PlayAgain,
    /// The game is over: this outcome, these winners.
    Decide {
        outcome: u16,
        winners: N,
    },
    // The flow of a program laid out in a row; trees of blocks have none of these.
    Jump {
        to: u32,
    },
    /// Goes on at `to` if the number is 0.
    Unless {
        n: N,
        to: u32,
    },
    /// Goes on at `to` if the number is not 0.
    When {
        n: N,
        to: u32,
    },
    /// Goes on at `to` if there is no cell.
    UnlessSome {
        a: S,
        to: u32,
    },
    WhenSome {
        a: S,
        to: u32,
    },
    /// Goes on at `to` if `of` has a cell in neither set.
    WhenSomeOutside {
        of: S,
        a: S,
        b: S,
        to: u32,
    },
    UnlessMeet {
        a: S,
        b: S,
        to: u32,
    },
    UnlessCompare {
        cmp: Cmp,
        a: N,
        b: N,
        to: u32,
    },
    /// Takes the first cell out of a set; without one goes on at `to`.
    NextCell {
        of: S,
        cell: S,
        to: u32,
    },
    NextGroup {
        of: S,
        group: S,
        along: u16,
        to: u32,
    },
    /// Counts a round, and goes back to `to` if the number is not 0.
    Again {
        n: N,
        counter: N,
        place: Place,
        to: u32,
    },
    Choice {
        index: u32,
    },
    First {
        index: u32,
    },
    /// No choice can come from here on: a run of which the number that was drawn wants more choices dies.
    Last,
    /// Nothing can end the run from here on before it is complete: who only asks whether it can be completed needs no more of it.
    Safe,
    Need {
        n: N,
    },
    Fail,
    End,
}

// The loop that carries them out reads them in a row.
const _: () = assert!(size_of::<Op>() <= 16);

/// The registers of an operand.
fn row(first: S, lanes: u8, wide: u8) -> impl Iterator<Item = S> {
    (0..if wide == 0 { 1 } else { u16::from(lanes) }).map(move |lane| S(first.0 + lane))
}

/// The registers of a row that is written: all that it takes, as an executor may write what stands behind the lanes.
fn whole_row(first: S, lanes: u8) -> impl Iterator<Item = S> {
    (0..row_size(usize::from(lanes)) as u16).map(move |lane| S(first.0 + lane))
}

impl Op {
    /// It may come upon men where the rules forbid them, or upon a set that should be one cell. (Numbers out of range are found where a
    /// turn is made.)
    pub fn may_fault(&self) -> bool {
        matches!(self, Op::Free { .. } | Op::Span { .. } | Op::Coordinate { .. })
    }

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
            Op::Band { d, from, to, .. } => [Read(from), Read(to), WriteSet(d)].into_iter().for_each(f),
            Op::FanStep { d, a, lanes, wide, .. } => {
                row(a, lanes, wide & 1).for_each(|a| f(ReadSet(a)));
                whole_row(d, lanes).for_each(|d| f(WriteSet(d)));
            }
            Op::FanFill { d, a, through: b, lanes, wide, .. } | Op::FanPair { d, a, b, lanes, wide, .. } => {
                row(a, lanes, wide & 1).for_each(|a| f(ReadSet(a)));
                row(b, lanes, wide & 2).for_each(|b| f(ReadSet(b)));
                whole_row(d, lanes).for_each(|d| f(WriteSet(d)));
            }
            Op::FanPart { d, e, a, b, lanes, wide } => {
                row(a, lanes, wide & 1).for_each(|a| f(ReadSet(a)));
                row(b, lanes, wide & 2).for_each(|b| f(ReadSet(b)));
                whole_row(d, lanes).chain(whole_row(e, lanes)).for_each(|d| f(WriteSet(d)));
            }
            Op::FanUnion { d, a, lanes } => {
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
            Op::Unless { n, .. } | Op::When { n, .. } | Op::Need { n } => f(Read(n)),
            Op::UnlessSome { a, .. } | Op::WhenSome { a, .. } => f(ReadSet(a)),
            Op::WhenSomeOutside { of, a, b, .. } => [ReadSet(of), ReadSet(a), ReadSet(b)].into_iter().for_each(f),
            Op::UnlessMeet { a, b, .. } => [ReadSet(a), ReadSet(b)].into_iter().for_each(f),
            Op::UnlessCompare { a, b, .. } => [Read(a), Read(b)].into_iter().for_each(f),
            Op::Passed | Op::Acted | Op::PlayAgain => {}
            Op::Jump { .. } | Op::Choice { .. } | Op::First { .. } | Op::Last | Op::Safe | Op::Fail | Op::End => {}
        }
    }
}
