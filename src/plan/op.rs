//! The operations of programs.

use crate::board::{Fold, Player};
use crate::model::Arithmetic;

use crate::plan::{Mark, N, Pairing, Place, S};

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
    /// Two of [`Op::Part`] by one set. Only where one game is followed at a time (`hasten`), made last.
    PartTwo {
        d: S,
        e: S,
        a: S,
        f: S,
        g: S,
        c: S,
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
    /// The cells of `within` that are joined to a cell of `a` in `within`. `kept`: where what it comes to is remembered, to go on from.
    Flood {
        d: S,
        a: S,
        within: S,
        along: u16,
        kept: Option<u16>,
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
    /// The cells each of which makes with `a` a row of a fixed list whole, as a [`Completion`](crate::plan::Completion) tells.
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
    /// One step along each direction. `onto`: what lies there is kept.
    FanStep {
        d: S,
        a: S,
        onto: Option<S>,
        fan: u16,
        lanes: u8,
        wide: u8,
    },
    /// [`Op::Keep`] of one set, each lane by a bit of a number: those of the first lane, the second and so on stand in `bits`, a byte each.
    FanKeep {
        d: S,
        a: S,
        n: N,
        lanes: u8,
        bits: u64,
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
    /// [`Op::Sight`] along each direction, of which what lies `onto` is kept; made where one game is followed at a time.
    FanSight {
        d: S,
        a: S,
        through: S,
        onto: Option<S>,
        fan: u16,
        lanes: u8,
        wide: u8,
    },
    /// The cells of all sets of a row; `steps`: those that a step along each direction of a fan leads to, where many games are followed at a time.
    FanUnion {
        d: S,
        a: S,
        lanes: u8,
        steps: Option<u16>,
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
    /// 1 if a cell of `to`, or one beside such a cell, is joined to one of `a` in `within`.
    Joined {
        d: N,
        a: S,
        within: S,
        to: S,
        along: u16,
        kept: Option<u16>,
        beside: bool,
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
    /// `aims`: what is left of a number is that of a cell which the trail may come to, in the order of [`crate::plan::Trail::lines`], and the
    /// next choice takes this cell.
    Cap {
        a: S,
        x: S,
        trail: u16,
        aims: bool,
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
    // Operations joined with the jumps that ask them; made where one game is followed at a time (`hasten`).
    UnlessSomeOutside {
        of: S,
        a: S,
        b: S,
        to: u32,
    },
    WhenMeet {
        a: S,
        b: S,
        to: u32,
    },
    /// The run dies if the number is not 0; if there is a cell; if the sets share one.
    NeedNot {
        n: N,
    },
    NeedNone {
        a: S,
    },
    NeedApart {
        a: S,
        b: S,
    },
    /// Goes on at `to` if some cell of `b` lies near one of `a`, or if none does, by what is known of each cell: a number of
    /// [`Linked::nears`](crate::plan::Linked).
    JumpNear {
        a: S,
        b: S,
        near: u16,
        some: bool,
        to: u32,
    },
    UnlessInRow {
        a: S,
        within: S,
        trail: u16,
        to: u32,
    },
    /// [`Op::Follow`]; goes on at `to`, and writes nothing, if it finds no cell.
    UnlessFollow {
        d: S,
        a: S,
        x: S,
        y: S,
        trail: u16,
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
    /// A choice of cells of one set, each of which completes the run: one is drawn, and the run goes on, if it is one that draws.
    Draw {
        of: S,
        cell: S,
        index: u32,
    },
    /// [`Op::Draw`] of [`Op::Outside`], which is written to `d`.
    DrawOutside {
        d: S,
        of: S,
        a: S,
        b: S,
        cell: S,
        index: u32,
    },
    /// [`Op::DrawOutside`]; what is drawn joins `onto`, as the next operation says, which a run that draws passes over. The set that was
    /// drawn from stands nowhere then.
    DrawOnto {
        onto: S,
        of: S,
        a: S,
        b: S,
        cell: S,
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
